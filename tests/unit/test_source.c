/* Sources: what each kind gives, from the beginning and from any position, and what it says when
 * it gives nothing. */
/* tests: src/campaign/source_generate.c src/campaign/source_folder.c src/campaign/source_command.c
 * src/campaign/source_program.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "campaign/campaign_file.h"
#include "campaign/source.h"
#include "session/session.h"
#include "unit/alloc_sweep.h"
#include "unit/support/campaign_text.h"
#include "unit/support/scratch.h"

enum { MOST = 64 };

/* What a source gave. */
struct given {
    char texts[MOST][4096]; /* their beginnings */
    char positions[MOST][256];
    size_t n, wanted;
    bool dry;
};

static pare_status take(void *context, const void *bytes, size_t size, const char *position,
                        pare_error *err)
{
    struct given *given = context;
    (void)err;
    if (!bytes) return PARE_OK;
    assert_true(given->n < MOST);
    if (size >= sizeof given->texts[0]) size = sizeof given->texts[0] - 1;
    memcpy(given->texts[given->n], bytes, size);
    given->texts[given->n][size] = '\0';
    (void)snprintf(given->positions[given->n], sizeof given->positions[0], "%s", position);
    return ++given->n == given->wanted ? PARE_RUN_ENDED : PARE_OK;
}

/* Runs the source of a section "[source s]" with these lines. */
static pare_status give(const char *lines, const char *position, size_t wanted, struct given *given,
                        pare_error *err)
{
    char text[1024];
    (void)snprintf(text, sizeof text, "[target t]\ncommand = cat @@\n[source s]\n%s", lines);
    pare_campaign *campaign = campaign_of(text);
    const pare_target target = {.name = "t", .base_name = "input"};
    const pare_source_options options = {.campaign = campaign,
                                         .section = pare_campaign_section(campaign, "source", "s"),
                                         .target = &target,
                                         .folder = scratch_dir,
                                         .seed = 7,
                                         .slots = 1};
    pare_source *source = NULL;
    char from[256]; /* `position` may be in *given */
    (void)snprintf(from, sizeof from, "%s", position);
    *given = (struct given){.wanted = wanted};
    pare_status status = pare_source_open(&options, &source, err);
    if (!status) status = pare_source_run(source, from, take, given, &given->dry, err);
    if (!status || status == PARE_RUN_ENDED) assert_true(pare_source_making_s(source) > 0);
    pare_source_close(source);
    pare_campaign_free(campaign);
    return status;
}

static void write_grammar(void)
{
    scratch_write("e.g4",
                  "grammar e;\nstart: e EOF;\ne: e '+' e | N;\nN: [0-9]+;\n"
                  "WS: [ ]+ -> skip;\n",
                  0644);
}

/* A run that was cut into two gives what one gives. */
static void assert_goes_on(const char *lines)
{
    static struct given whole, first, second;
    pare_error err = {0};
    const size_t n = 24, n_first = 9;
    if (give(lines, "", n, &whole, &err) != PARE_RUN_ENDED) fail_msg("%s", err.message);
    assert_int_equal(give(lines, "", n_first, &first, &err), PARE_RUN_ENDED);
    assert_int_equal(give(lines, first.positions[n_first - 1], n - n_first, &second, &err),
                     PARE_RUN_ENDED);
    for (size_t i = 0; i < n; i++)
        assert_string_equal(whole.texts[i],
                            i < n_first ? first.texts[i] : second.texts[i - n_first]);
}

static void test_source__generators_go_on_from_any_position(void **state)
{
    (void)state;
    write_grammar();
    assert_int_equal(pare_file_make_directories("members", NULL), PARE_OK);
    scratch_write("members/a", "1+22", 0644);
    scratch_write("members/b", "333", 0644);
    char grammar[256], cooled[256], population[512], mutation[256];
    (void)snprintf(grammar, sizeof grammar, "kind = grammar\ngrammar = %s/e.g4\nmax_tokens = 9\n",
                   scratch_dir);
    assert_goes_on(grammar);
    (void)snprintf(cooled, sizeof cooled,
                   "kind = grammar\ngrammar = %s/e.g4\ncooldown = 0.9\nmax_tokens = 9\n",
                   scratch_dir);
    assert_goes_on(cooled);
    (void)snprintf(population, sizeof population,
                   "kind = population\ngrammar = %s/e.g4\npopulation = %s/members\n"
                   "max_tokens = 9\n",
                   scratch_dir, scratch_dir);
    assert_goes_on(population);
    (void)snprintf(mutation, sizeof mutation, "kind = mutation\npopulation = %s/members\n",
                   scratch_dir);
    assert_goes_on(mutation);
    assert_goes_on("kind = random\n");
}

static void test_source__members_that_join_are_drawn_from(void **state)
{
    (void)state;
    write_grammar();
    char text[512];
    (void)snprintf(text, sizeof text,
                   "[source s]\nkind = grammar\ngrammar = %s/e.g4\nmax_tokens = 3\n", scratch_dir);
    pare_campaign *campaign = campaign_of(text);
    const pare_target target = {.name = "t", .base_name = "input"};
    const pare_source_options options = {.section = pare_campaign_section(campaign, "source", "s"),
                                         .target = &target,
                                         .folder = scratch_dir};
    pare_source *source = NULL;
    static struct given given;
    assert_int_equal(pare_source_open(&options, &source, NULL), PARE_OK);
    assert_true(pare_source_takes_members(source));
    assert_int_equal(pare_source_join(source, "987654321987654321", 18, 1, NULL), PARE_OK);
    assert_int_equal(pare_source_join(source, "not in the language", 19, 0, NULL), PARE_OK);
    given = (struct given){.wanted = MOST};
    assert_int_equal(pare_source_run(source, "", take, &given, &given.dry, NULL), PARE_RUN_ENDED);
    size_t n_parts = 0;
    for (size_t i = 0; i < given.n; i++)
        n_parts += strstr(given.texts[i], "987654321") != NULL;
    assert_true(n_parts > 0);
    pare_source_close(source);
    pare_campaign_free(campaign);
}

static void test_source__folders_give_each_file_once_in_order(void **state)
{
    (void)state;
    struct given given;
    char lines[512];
    assert_int_equal(pare_file_make_directories("in/deep", NULL), PARE_OK);
    scratch_write("in/b.txt", "two", 0644);
    scratch_write("in/a.txt", "one", 0644);
    scratch_write("in/deep/c", "three", 0644);
    (void)snprintf(lines, sizeof lines, "kind = folder\nfiles = %s/in %s/in/*.txt\n", scratch_dir,
                   scratch_dir);
    assert_int_equal(give(lines, "", 0, &given, NULL), PARE_OK);
    assert_true(given.dry);
    assert_int_equal(given.n, 3);
    assert_string_equal(given.texts[0], "one");
    assert_string_equal(given.texts[2], "three");
    assert_int_equal(give(lines, given.positions[0], 0, &given, NULL), PARE_OK);
    assert_int_equal(given.n, 2);
    assert_string_equal(given.texts[0], "two");
}

static void test_source__commands_write_files_or_print(void **state)
{
    (void)state;
    static struct given given;
    pare_error err = {0};
    scratch_script("writes", "mkdir d; echo a$PARE_SEED > d/2; printf b > 1; echo unread");
    char lines[256];
    (void)snprintf(lines, sizeof lines, "kind = command\ncommand = %s/writes\n", scratch_dir);
    if (give(lines, "", 4, &given, &err) != PARE_RUN_ENDED) fail_msg("%s", err.message);
    assert_string_equal(given.texts[0], "b");
    assert_true(given.texts[1][0] == 'a' && strlen(given.texts[1]) > 2);
    assert_string_equal(given.texts[2], "b");
    assert_string_not_equal(given.texts[1], given.texts[3]); /* another seed */
    char second[256];
    (void)snprintf(second, sizeof second, "%.255s", given.texts[1]);
    assert_int_equal(give(lines, given.positions[0], 1, &given, &err), PARE_RUN_ENDED);
    assert_string_equal(given.texts[0], second);

    scratch_script("prints", "printf 'one\\0two\\0'");
    (void)snprintf(lines, sizeof lines, "kind = prints\ncommand = %s/prints\n", scratch_dir);
    assert_int_equal(give(lines, "", 2, &given, &err), PARE_RUN_ENDED);
    assert_string_equal(given.texts[1], "two");
    (void)snprintf(lines, sizeof lines, "kind = prints\ncommand = printf all\n");
    assert_int_equal(give(lines, "", 1, &given, &err), PARE_RUN_ENDED);
    assert_string_equal(given.texts[0], "all");
}

static void test_source__what_gives_nothing_says_so_in_a_sentence(void **state)
{
    static const struct {
        const char *lines, *sentence;
        pare_status status;
    } rows[] = {
        {"kind = prints\ncommand = true\n", "prints nothing", PARE_E_STATE},
        {"kind = prints\ncommand = yes\n", "prints more than 256 MiB: does it ever end?",
         PARE_E_STATE},
        {"kind = command\ncommand = sh -c 'echo broken >&2; exit 3'\n", "exit code 3: broken",
         PARE_E_STATE},
        {"kind = prints\ncommand = sleep 1000\ntime = 50ms\n", "did not end", PARE_E_STATE},
        {"kind = prints\n", "needs 'command", PARE_E_ARG},
        {"kind = grammar\n", "needs 'grammar", PARE_E_ARG},
        {"kind = choice\n", "needs 'grammar", PARE_E_ARG},
        {"kind = folder\n", "needs 'files", PARE_E_ARG},
        {"kind = folder\nfiles = /none/*\n", "matches no file", PARE_E_STATE},
    };
    (void)state;
    static struct given given;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        pare_error err = {0};
        assert_int_equal(give(rows[i].lines, "", 1, &given, &err), rows[i].status);
        if (!strstr(err.message, rows[i].sentence)) fail_msg("%zu: %s", i, err.message);
    }
    char mark[64];
    (void)snprintf(mark, sizeof mark, "PARE_TEST=%d-", (int)getpid());
    assert_false(is_mark_alive(mark));
}

/* Opens and closes the source of a section. */
static pare_status open_and_close(void *context)
{
    const pare_source_options *options = context;
    pare_source *source = NULL;
    pare_status status = pare_source_open(options, &source, NULL);
    if (status) assert_null(source);
    pare_source_close(source);
    return status;
}

static void test_source__memory_that_is_out_is_an_error(void **state)
{
    (void)state;
    write_grammar();
    char text[512];
    (void)snprintf(text, sizeof text,
                   "[source g]\nkind = grammar\ngrammar = %s/e.g4\n"
                   "[source f]\nkind = folder\nfiles = %s/*\n"
                   "[source c]\nkind = prints\ncommand = true\n",
                   scratch_dir, scratch_dir);
    pare_campaign *campaign = campaign_of(text);
    const pare_target target = {.name = "t", .base_name = "input"};
    static const char *const names[] = {"g", "f", "c"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        pare_source_options options = {.section =
                                           pare_campaign_section(campaign, "source", names[i]),
                                       .target = &target,
                                       .folder = scratch_dir};
        sweep_allocations(open_and_close, &options);
    }
    pare_campaign_free(campaign);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_source__generators_go_on_from_any_position),
        cmocka_unit_test(test_source__members_that_join_are_drawn_from),
        cmocka_unit_test(test_source__folders_give_each_file_once_in_order),
        cmocka_unit_test(test_source__commands_write_files_or_print),
        cmocka_unit_test(test_source__what_gives_nothing_says_so_in_a_sentence),
        cmocka_unit_test(test_source__memory_that_is_out_is_an_error),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
