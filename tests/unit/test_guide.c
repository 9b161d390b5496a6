/* MutationCoverageFuzzer: what joins the population, and how far that leads. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <pare/guide.h>

#include "base/buffer.h"
#include "base/fail.h"
#include "unit/support/scratch.h"

/* A program that looks for <, a and > in this order; texts with ! fail. */
struct program {
    char lines[64];
    uint64_t n_runs, n_deep; /* texts that reach all */
};

static pare_status look(void *context, const char *text, size_t size, pare_reached *reached,
                        pare_error *err)
{
    struct program *program = context;
    static const char wanted[] = "<a>";
    size_t found = 0;
    (void)err;
    program->n_runs++;
    for (size_t i = 0; i < size; i++)
        if (found < 3 && text[i] == wanted[found]) found++;
    program->n_deep += found == 3;
    static const char lines[] = "start\t7\nless\nletter\ngreater\n";
    static const size_t ends[] = {8, 13, 20, 28};
    memcpy(program->lines, lines, ends[found]);
    *reached = (pare_reached){program->lines, ends[found], !memchr(text, '!', size)};
    return PARE_OK;
}

struct members {
    char texts[16][64];
    uint64_t numbers[16];
    size_t n;
};

static pare_status keep_member(void *context, uint64_t number, const char *text, size_t size,
                               pare_error *err)
{
    struct members *members = context;
    (void)err;
    assert_true(members->n < 16 && size < 64);
    memcpy(members->texts[members->n], text, size);
    members->texts[members->n][size] = 0;
    members->numbers[members->n++] = number;
    return PARE_OK;
}

/* A pare_generate_sink: all texts, one after the other. */
static pare_status keep_text(void *context, uint64_t number, const char *text, size_t size,
                             pare_error *err)
{
    (void)number;
    pare_status status = pare_buffer_add(context, text, size, err);
    return status ? status : pare_buffer_add(context, "\n", 1, err);
}

static const char folder[] = "population";

static void put(const char *name, const char *text)
{
    char path[64];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    scratch_write(path, text, 0644);
}

static int setup(void **state)
{
    return scratch_setup(state) || mkdir(folder, 0755);
}

/* Makes `n` texts of the files in the folder. */
static pare_status generate(struct program *program, uint64_t n, bool reduce,
                            struct members *members, pare_buffer *texts, pare_guided *guided,
                            pare_error *err)
{
    const char *const population[] = {folder};
    const pare_generate_options wanted = {.struct_bytes = sizeof wanted,
                                          .population = population,
                                          .n_population = 1,
                                          .n = n,
                                          .seed = 1,
                                          .repeats = true};
    const pare_guide_options options = {.generate = &wanted,
                                        .run = look,
                                        .context = program,
                                        .reduce_members = reduce,
                                        .joined = keep_member,
                                        .joined_context = members};
    return pare_guide_generate(&options, keep_text, texts, guided, err);
}

static void test_guide__joins_what_is_new(void **state)
{
    (void)state;
    struct program program = {.n_runs = 0};
    struct members members = {.n = 0};
    pare_buffer texts = {0};
    pare_guided guided;
    put("1", "xyz");
    put("2", "abc>"); /* reaches what the first one does */
    put("3", "!<a>"); /* fails */
    put("4", "x<y<z");
    put("5", "<b>a<><"); /* < a > */
    assert_int_equal(generate(&program, 5, false, &members, &texts, &guided, NULL), PARE_OK);
    assert_string_equal(texts.data, "xyz\nabc>\n!<a>\nx<y<z\n<b>a<><\n");
    assert_int_equal(members.n, 3);
    assert_string_equal(members.texts[0], "xyz");
    assert_string_equal(members.texts[1], "x<y<z");
    assert_int_equal(members.numbers[1], 3);
    assert_string_equal(members.texts[2], "<b>a<><");
    assert_int_equal(program.n_runs, 5);
    assert_int_equal(guided.n_reached, 4);
    assert_int_equal(guided.n_members, 3);
    assert_int_equal(guided.members_bytes, 15);
    assert_int_equal(guided.n_reduction_runs, 0);
    pare_buffer_done(&texts);
}

static void test_guide__reduces_what_joins(void **state)
{
    (void)state;
    struct program program = {.n_runs = 0};
    struct members members = {.n = 0};
    pare_buffer texts = {0};
    pare_guided guided;
    assert_int_equal(generate(&program, 5, true, &members, &texts, &guided, NULL), PARE_OK);
    assert_string_equal(texts.data, "xyz\nabc>\n!<a>\nx<y<z\n<b>a<><\n");
    assert_int_equal(members.n, 3);
    assert_int_equal(strlen(members.texts[0]), 1);
    assert_string_equal(members.texts[1], "<");
    assert_string_equal(members.texts[2], "<a>");
    assert_true(guided.n_reduction_runs > 0);
    assert_int_equal(program.n_runs, 5 + guided.n_reduction_runs);
    pare_buffer_done(&texts);
}

/* As many blind mutations find nothing. */
static void test_guide__leads_where_chance_does_not(void **state)
{
    (void)state;
    enum { N = 10000 };
    const char *const population[] = {folder};
    struct program guided_one = {.n_runs = 0}, blind = {.n_runs = 0};
    struct members members = {.n = 0};
    pare_buffer texts = {0}, again = {0};
    pare_guided guided;
    pare_generated generated;
    put("1", "mmmmmmmm");
    put("2", "mmmm");
    put("3", "mm");
    put("4", "m");
    put("5", "mmm");
    assert_int_equal(generate(&guided_one, N, true, &members, &texts, &guided, NULL), PARE_OK);
    assert_int_equal(members.n, 4);
    assert_string_equal(members.texts[3], "<a>");
    const uint64_t n_deep = guided_one.n_deep;
    members.n = 0;
    assert_int_equal(generate(&guided_one, N, true, &members, &again, &guided, NULL), PARE_OK);
    assert_int_equal(texts.size, again.size);
    assert_memory_equal(texts.data, again.data, again.size);
    pare_buffer_reset(&again);
    const pare_generate_options wanted = {
        .population = population, .n_population = 1, .n = N, .seed = 1, .repeats = true};
    assert_int_equal(pare_generate(&wanted, keep_text, &again, &generated, NULL), PARE_OK);
    const char *at = again.data;
    for (size_t i = 0; i < N; i++) {
        /* One in a text ends it early: part of it reaches no more. */
        const char *end = memchr(at, '\n', (size_t)(again.data + again.size - at));
        pare_reached unused;
        if (!end) break;
        assert_int_equal(look(&blind, at, (size_t)(end - at), &unused, NULL), PARE_OK);
        at = end + 1;
    }
    assert_true(n_deep > 20 * (blind.n_deep + 1));
    pare_buffer_done(&texts);
    pare_buffer_done(&again);
}

/* A pare_guide_run that cannot run the third text. */
static pare_status fail_at_third(void *context, const char *text, size_t size,
                                 pare_reached *reached, pare_error *err)
{
    size_t *n = context;
    (void)text;
    (void)size;
    *reached = (pare_reached){.passed = true};
    return ++*n < 3 ? PARE_OK : pare_fail(err, PARE_E_IO, "no more");
}

static void test_guide__refuses(void **state)
{
    (void)state;
    const char *const population[] = {folder};
    const char *const grammars[] = {"none.g4"};
    struct members members = {.n = 0};
    pare_buffer texts = {0};
    pare_guided guided;
    pare_error err = {0};
    size_t n = 0;
    pare_generate_options wanted = {
        .struct_bytes = sizeof wanted, .population = population, .n_population = 1, .n = 9};
    pare_guide_options options = {.generate = &wanted,
                                  .run = fail_at_third,
                                  .context = &n,
                                  .joined = keep_member,
                                  .joined_context = &members};
    assert_int_equal(pare_guide_generate(&options, keep_text, &texts, &guided, &err), PARE_E_IO);
    assert_string_equal(err.message, "no more");
    assert_int_equal(guided.generated.n, 3);
    options.command = "true";
    assert_int_equal(pare_guide_generate(&options, keep_text, &texts, &guided, &err), PARE_E_ARG);
    options.command = NULL;
    wanted.struct_bytes = 0;
    assert_int_equal(pare_guide_generate(&options, keep_text, &texts, &guided, &err), PARE_E_ARG);
    wanted.struct_bytes = sizeof wanted;
    wanted.fuzzer = "random";
    wanted.n_population = 0;
    assert_int_equal(pare_guide_generate(&options, keep_text, &texts, &guided, &err), PARE_E_ARG);
    wanted.fuzzer = NULL;
    wanted.grammars = grammars;
    wanted.n_grammars = 1;
    assert_int_not_equal(pare_guide_generate(&options, keep_text, &texts, &guided, &err), PARE_OK);
    pare_buffer_done(&texts);
}

int main(void)
{
#ifndef PARE_HAVE_CAMPAIGN
    puts("skipped: this pare has no campaigns");
    return 77;
#endif
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_guide__joins_what_is_new),
        cmocka_unit_test(test_guide__reduces_what_joins),
        cmocka_unit_test(test_guide__leads_where_chance_does_not),
        cmocka_unit_test(test_guide__refuses),
    };
    return cmocka_run_group_tests(tests, setup, scratch_teardown);
}
