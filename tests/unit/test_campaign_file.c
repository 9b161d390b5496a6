/* The configuration: what is read, merged, resolved and refused, and that it is read back.
 *
 * Files are written to a private folder, since their own folder is what paths are relative to. */
/* tests: src/campaign/section.c src/campaign/campaign_value.c src/campaign/campaign_text.c
 * src/campaign/campaign_ini.c src/campaign/campaign_keys.c src/campaign/campaign_try.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "campaign/campaign_file.h"
#include "os/file.h"

#include "alloc_sweep.h"

enum { PATH_BYTES = 256 };

static char folder[] = "/tmp/pare-campaign-XXXXXX";
static char path[PATH_BYTES], other[PATH_BYTES];

static int set_up(void **state)
{
    (void)state;
    if (!mkdtemp(folder)) return 1;
    (void)snprintf(path, sizeof path, "%s/c.ini", folder);
    (void)snprintf(other, sizeof other, "%s/other.ini", folder);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    return pare_file_remove_tree(folder, NULL) != PARE_OK;
}

static void write_text(const char *where, const char *text)
{
    assert_int_equal(pare_file_write_bytes(where, text, strlen(text), NULL), PARE_OK);
}

/* Reads `text` as a file; the caller frees the campaign. */
static pare_campaign *read_good(const char *text)
{
    pare_error err = {0};
    pare_campaign *campaign = NULL;
    const char *const paths[] = {path};
    const pare_campaign_options options = {.paths = paths, .n_paths = 1};
    write_text(path, text);
    if (pare_campaign_read(&options, &campaign, &err)) fail_msg("%s", err.message);
    return campaign;
}

/* Reads `text`, which is wrong; the sentence begins with the path and ends with `sentence`. */
static void refuse(const char *text, const char *sentence)
{
    pare_error err = {0};
    pare_campaign *campaign = NULL;
    const char *const paths[] = {path};
    const pare_campaign_options options = {.paths = paths, .n_paths = 1};
    char whole[2 * PATH_BYTES];
    write_text(path, text);
    assert_int_equal(pare_campaign_read(&options, &campaign, &err), PARE_E_SYNTAX);
    assert_null(campaign);
    (void)snprintf(whole, sizeof whole, "%s%s", path, sentence);
    assert_string_equal(err.message, whole);
}

#define WHOLE "[target jq]\ncommand = jq . @@\n[source g]\nkind = random\n"

static void test_campaign_file__reads_options_lines_and_comments(void **state)
{
    (void)state;
    size_t n = 0;
    pare_campaign *campaign = read_good("# a comment\n"
                                        "[target jq]\n"
                                        "  command: jq 'a ; b' \"c d\" @@\n"
                                        "  timeout = 1.5s\n"
                                        "  memory = 2G\n"
                                        "  stderr = first\n"
                                        "     # a comment\n"
                                        "     [0-9]; second\n"
                                        "\n"
                                        "; another\n"
                                        "[source g]\n"
                                        "kind = random\n"
                                        "weight = 0.5\n");
    const pare_section *jq = pare_campaign_section(campaign, "target", "jq");
    assert_non_null(jq);
    assert_string_equal(pare_section_name(jq), "jq");
    const char *const *words = pare_section_words(jq, "command", &n);
    assert_int_equal(n, 4);
    assert_string_equal(words[1], "a ; b");
    assert_string_equal(words[2], "c d");
    assert_int_equal(pare_section_time_ms(jq, "timeout"), 1500);
    assert_true(pare_section_bytes(jq, "memory") == UINT64_C(2) << 30);
    const char *const *lines = pare_section_lines(jq, "stderr", &n);
    assert_int_equal(n, 2);
    assert_string_equal(lines[0], "first");
    assert_string_equal(lines[1], "[0-9]; second");
    const pare_section *source = pare_campaign_section_at(campaign, "source", 0);
    assert_true(pare_section_real(source, "weight") == 0.5);
    assert_string_equal(pare_section_text(source, "kind"), "random");
    assert_true(pare_section_flag(jq, "reduce"));
    assert_null(pare_campaign_section_at(campaign, "source", 1));
    pare_campaign_free(campaign);
}

static void test_campaign_file__long_lines_are_whole(void **state)
{
    (void)state;
    char text[4096], line[2500];
    for (size_t i = 0; i + 1 < sizeof line; i++)
        line[i] = "ab ;c"[i % 5];
    line[sizeof line - 2] = 'x', line[sizeof line - 1] = '\0';
    (void)snprintf(text, sizeof text,
                   "[target jq]\ncommand = jq\nmessage = %s\n[source g]\nkind=random\n", line);
    pare_campaign *campaign = read_good(text);
    const pare_section *jq = pare_campaign_section(campaign, "target", "jq");
    assert_string_equal(pare_section_text(jq, "message"), line);
    pare_campaign_free(campaign);
}

static void test_campaign_file__replaces_names_and_makes_paths_absolute(void **state)
{
    (void)state;
    size_t n = 0;
    char expected[2 * PATH_BYTES];
    write_text(other, "");
    pare_campaign *campaign =
        read_good("[define]\nopt = -c\n"
                  "[target jq]\n"
                  "command = jq ${define:opt} ${env:PARE_TEST_WORD} other.ini "
                  "./none @@\n"
                  "version = sh -c 'echo $${X}' ${folder}\n"
                  "message = ${source g:kind} ${exit}\n"
                  "exit = 3\n"
                  "[source g]\nkind = random\n"
                  "files = a/*.js '/b c/*'\n"
                  "hooks = ./h.lua\n");
    const pare_section *jq = pare_campaign_section(campaign, "target", "jq");
    (void)snprintf(expected, sizeof expected, "jq -c word %s ./none @@", other);
    assert_string_equal(pare_section_text(jq, "command"), expected);
    assert_string_equal(pare_section_text(jq, "message"), "random 3");
    const char *const *words = pare_section_words(jq, "version", &n);
    assert_int_equal(n, 4);
    assert_string_equal(words[2], "echo ${X}");
    assert_string_equal(words[3], folder);
    const pare_section *source = pare_campaign_section(campaign, "source", "g");
    words = pare_section_words(source, "files", &n);
    assert_int_equal(n, 2);
    (void)snprintf(expected, sizeof expected, "%s/a/*.js", folder);
    assert_string_equal(words[0], expected);
    assert_string_equal(words[1], "/b c/*");
    (void)snprintf(expected, sizeof expected, "%s/h.lua", folder);
    assert_string_equal(pare_section_text(source, "hooks"), expected);
    pare_campaign_free(campaign);
}

static void test_campaign_file__what_is_wrong_is_told_with_its_place(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"[traget jq]\na = b\n", ":2: there is no section [traget]: did you mean 'target'?"},
        {"[target]\na = b\n", ":2: [target] needs a name: [target NAME]"},
        {"[target a/b]\na = b\n",
         ":2: 'a/b' is not a section name: use up to 40 letters, digits, _ . + -"},
        {"[campaign x]\na = b\n", ":2: [campaign] takes no name: a campaign has only one"},
        {"[target jq]\ntiemout = 3\n",
         ":2: [target jq] has no option 'tiemout': did you mean 'timeout'?"},
        {"[target jq]\ncommand = jq\ntimeout = soon\n",
         ":3: 'timeout' takes a time above 0, such as 2, 500ms, 5m or 1h, not 'soon'"},
        {"[target jq]\ncommand = jq\nfinding = every\n",
         ":3: 'finding' takes one of crash|error|any|test, not 'every'"},
        {"[target jq]\ncommand = jq\nmemory = 5X\n",
         ":3: 'memory' takes a size such as 500M or 2G, not '5X'"},
        {"[target jq]\ncommand = jq\nreduce = maybe\n",
         ":3: 'reduce' takes yes or no, not 'maybe'"},
        {"[target jq]\ncommand = jq\ncost = -1\n", ":3: 'cost' takes a whole number, not '-1'"},
        {"[target jq]\ncommand = jq\ncommand = jq\n",
         ":3: 'command' occurs twice in [target jq], also in line 2"},
        {"[target jq]\ncommand = jq 'a\n", ":2: a quote in the test command is not closed: 'a"},
        {"command = jq\n",
         ":1: 'command' is in no section: write a line such as [campaign] before it"},
        {"[target jq\n", ":1: ']' is missing"},
        {"[target jq] x\n", ":1: something stands after the ']'"},
        {"[target jq]\n\ncommand\n", ":3: this is no [SECTION], no OPTION = VALUE, and no comment"},
        {"[target jq]\n= x\n", ":2: the option's name is missing"},
        {"[target jq]\ncommand = \x01\n", ":2: a control character is in this line"},
        {"[target jq]\ncommand = ${comand}\n", ":2: ${comand} is not an option: did you mean "
                                               "'command'?; for a variable of the shell write "
                                               "$${comand}"},
        {"[target jq]\ncommand = ${x\n", ":2: a '}' is missing after '${'"},
        {"[target jq]\ncommand = ${message}\nmessage = ${command}\n",
         ":2: 'command' of [target jq] refers to itself"},
        {"[target jq]\ncommand = ${env:PARE_TEST_NONE}\n",
         ":2: the environment has no variable PARE_TEST_NONE"},
        {"[target jq]\ncommand = jq\n[source g]\nkind = random\ntargets = jp\n",
         ":5: there is no [target jp]: did you mean 'jq'?"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        refuse(cases[i][0], cases[i][1]);
}

static void test_campaign_file__what_is_needed_is_asked_for(void **state)
{
    (void)state;
    pare_error err = {0};
    pare_campaign *campaign = NULL;
    const char *const paths[] = {path};
    const pare_campaign_options options = {.paths = paths, .n_paths = 1};
    write_text(path, "[target jq]\nexit = 3\n");
    assert_int_equal(pare_campaign_read(&options, &campaign, &err), PARE_E_SYNTAX);
    assert_string_equal(err.message, "c: [target jq] has no 'command'");
    err = (pare_error){0};
    write_text(path, WHOLE "[listener x]\nevents = new\n");
    assert_int_equal(pare_campaign_read(&options, &campaign, &err), PARE_E_SYNTAX);
    assert_string_equal(err.message, "c: [listener x] has neither 'command' nor 'mail'");
    assert_null(campaign);
}

static void test_campaign_file__a_later_file_and_a_setting_count(void **state)
{
    (void)state;
    pare_error err = {0};
    pare_campaign *campaign = NULL;
    write_text(path, WHOLE "[campaign]\njobs = 3\nseed = 4\n[target x]\ncommand = x\n");
    write_text(other, "[campaign]\njobs = 5\n[target jq]\nmessage = m\n");
    const char *const paths[] = {path, other};
    const char *const settings[] = {"target jq:message=n", "target:timeout=7", "campaign:seed=9"};
    const pare_campaign_options options = {
        .paths = paths, .n_paths = 2, .settings = settings, .n_settings = 3};
    if (pare_campaign_read(&options, &campaign, &err)) fail_msg("%s", err.message);
    const pare_section *own = pare_campaign_section(campaign, "campaign", "");
    assert_int_equal(pare_section_number(own, "jobs"), 5);
    assert_int_equal(pare_section_number(own, "seed"), 9);
    assert_string_equal(
        pare_section_text(pare_campaign_section(campaign, "target", "jq"), "message"), "n");
    assert_int_equal(
        pare_section_time_ms(pare_campaign_section(campaign, "target", "x"), "timeout"), 7000);
    const pare_campaign_setting *setting = NULL;
    size_t n_found = 0;
    for (size_t i = 0; (setting = pare_campaign_setting_at(campaign, i)) != NULL; i++) {
        if (strcmp(setting->section, "campaign") != 0) continue;
        const char *stem = strrchr(setting->origin, '/');
        if (!strcmp(setting->option, "jobs")) assert_string_equal(stem, "/other.ini:2"), n_found++;
        if (!strcmp(setting->option, "seed")) assert_string_equal(setting->origin, "-D"), n_found++;
        if (!strcmp(setting->option, "name"))
            assert_string_equal(setting->origin, "default"), n_found++;
    }
    assert_int_equal(n_found, 3);
    pare_campaign_free(campaign);
}

static void test_campaign_file__wrong_settings_are_refused(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"x", "-D takes SECTION:OPTION=VALUE, not 'x'"},
        {"target jq:command", "-D takes SECTION:OPTION=VALUE, not 'target jq:command'"},
        {"traget:command=x",
         "-D traget:command=x: there is no section [traget]: did you mean 'target jq'?"},
        {"campaign:jbos=1",
         "-D campaign:jbos=1: [campaign] has no option 'jbos': did you mean 'jobs'?"},
    };
    const char *const paths[] = {path};
    write_text(path, WHOLE);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pare_error err = {0};
        pare_campaign *campaign = NULL;
        const pare_campaign_options options = {
            .paths = paths, .n_paths = 1, .settings = &cases[i][0], .n_settings = 1};
        assert_int_equal(pare_campaign_read(&options, &campaign, &err), PARE_E_ARG);
        assert_string_equal(err.message, cases[i][1]);
    }
}

static void test_campaign_file__its_text_means_the_same(void **state)
{
    (void)state;
    pare_error err = {0};
    pare_campaign *again = NULL;
    pare_campaign *campaign =
        read_good("[source g]\nkind = folder\nfiles = 'a b'/*.js c\n"
                  "[target jq]\ncommand = jq '$${X} y' @@ | cat\nstderr = a\n  b\nreduce = yes\n"
                  "differs = jq \"it's\" @@\n[campaign]\nseed = 7\n");
    const char *text = pare_campaign_text(campaign);
    if (pare_campaign_read_text(text, "/nowhere/s.pare.db", &again, &err))
        fail_msg("%s in\n%s", err.message, text);
    assert_string_equal(pare_campaign_text(again), text);
    assert_string_equal(pare_campaign_store_path(again), "/nowhere/s.pare.db");
    assert_non_null(strstr(text, "command = jq '$${X} y' @@ | cat\n"));
    assert_null(strstr(text, "reduce"));
    pare_campaign_free(again);
    pare_campaign_free(campaign);
}

/* What a shell takes for more than a word stays as it is, and what is quoted stays quoted. */
/* Jobs read the text: a path that was written so that it reads as another one would be tested in
 * the place of the first. */
static void test_campaign_file__paths_with_any_quotes_are_read_back(void **state)
{
    (void)state;
    static const char wanted[] = "/it's \"a\" dir/'\"*";
    pare_campaign *campaign = read_good(WHOLE "files = /b\\ '/c d' "
                                              "/it\"'\"'s \"a\" dir/'\"'\"'\"'*\n");
    pare_campaign *again = NULL;
    pare_error err = {0};
    size_t n = 0;
    const pare_section *section = pare_campaign_section(campaign, "source", "g");
    const char *const *paths = pare_section_words(section, "files", &n);
    assert_int_equal(n, 3);
    assert_string_equal(paths[1], "/c d");
    assert_string_equal(paths[2], wanted);
    if (pare_campaign_read_text(pare_campaign_text(campaign), "/s.db", &again, &err))
        fail_msg("%s", err.message);
    paths = pare_section_words(pare_campaign_section(again, "source", "g"), "files", &n);
    assert_int_equal(n, 3);
    assert_string_equal(paths[2], wanted);
    assert_string_equal(pare_campaign_text(again), pare_campaign_text(campaign));
    pare_campaign_free(campaign);
    pare_campaign_free(again);
}

/* A store may come from anybody, with a text in which one value leads to the next again and again. */
static void test_campaign_file__names_that_lead_on_and_on_are_refused(void **state)
{
    (void)state;
    enum { LEVELS = 1000 };
    pare_buffer text = {0};
    pare_campaign *campaign = NULL;
    pare_error err = {0};
    assert_int_equal(pare_buffer_text(&text, "[define]\n", NULL), PARE_OK);
    for (int i = 0; i < LEVELS; i++)
        assert_int_equal(pare_buffer_format(&text, NULL, "a%d = ${a%d}\n", i, i + 1), PARE_OK);
    assert_int_equal(pare_buffer_format(&text, NULL, "a%d = x\n" WHOLE, LEVELS), PARE_OK);
    assert_int_equal(pare_campaign_read_text(text.data, "/s.db", &campaign, &err), PARE_E_SYNTAX);
    assert_non_null(strstr(err.message, "is the end of more than 64 ${...}"));
    pare_buffer_done(&text);
}

static void test_campaign_file__a_command_of_one_word_means_the_same(void **state)
{
    (void)state;
    static const char *const commands[] = {"!", "'!'", "~/x", "'~/x'", "#", "a\\!"};
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        char text[128];
        pare_error err = {0};
        pare_campaign *again = NULL;
        (void)snprintf(text, sizeof text, "[source g]\nkind = random\n[target t]\ncommand = %s\n",
                       commands[i]);
        pare_campaign *campaign = read_good(text);
        if (pare_campaign_read_text(pare_campaign_text(campaign), "/nowhere/s.pare.db", &again,
                                    &err))
            fail_msg("%s: %s", commands[i], err.message);
        assert_string_equal(pare_campaign_text(again), pare_campaign_text(campaign));
        pare_campaign_free(again);
        pare_campaign_free(campaign);
    }
}

static void test_campaign_file__a_command_line_stands_for_a_file(void **state)
{
    (void)state;
    pare_error err = {0};
    pare_campaign *campaign = NULL;
    const char *const program[] = {"/usr/bin/jq", "a b", "@@"};
    pare_campaign_options options = {.from = "lang:json", .program = program, .n_program = 3};
    if (pare_campaign_read(&options, &campaign, &err)) fail_msg("%s", err.message);
    assert_string_equal(pare_campaign_text(campaign),
                        "[target jq]\ncommand = /usr/bin/jq 'a b' @@\n\n"
                        "[source lang]\nkind = lang\nlang = json\n");
    const char *store = strrchr(pare_campaign_store_path(campaign), '/');
    assert_string_equal(store, "/jq.pare.db");
    pare_campaign_free(campaign);
    /* What names a file as it stands is one path, and several otherwise. */
    char file[PATH_BYTES], from[PATH_BYTES + 16];
    (void)snprintf(file, sizeof file, "%s/it's a", folder);
    write_text(file, "");
    (void)snprintf(from, sizeof from, "population:%s", file);
    options.from = from;
    if (pare_campaign_read(&options, &campaign, &err)) fail_msg("%s", err.message);
    assert_non_null(strstr(pare_campaign_text(campaign), "/it's a\"\n"));
    pare_campaign_free(campaign);
    (void)snprintf(from, sizeof from, "folder:%s/it's *", folder);
    if (pare_campaign_read(&options, &campaign, &err)) fail_msg("%s", err.message);
    assert_non_null(strstr(pare_campaign_text(campaign), "/it's *\"\n"));
    pare_campaign_free(campaign);
    assert_int_equal(unlink(file), 0);
    options.from = "population:x y";
    if (pare_campaign_read(&options, &campaign, &err)) fail_msg("%s", err.message);
    assert_non_null(strstr(pare_campaign_text(campaign), "/x "));
    pare_campaign_free(campaign);
    options.from = "grammer:x";
    assert_int_equal(pare_campaign_read(&options, &campaign, &err), PARE_E_ARG);
    assert_string_equal(err.message, "--from takes KIND:VALUE, such as grammar:JSON.g4, not "
                                     "'grammer': did you mean 'grammar'?");
    options.from = NULL;
    err = (pare_error){0};
    assert_int_equal(pare_campaign_read(&options, &campaign, &err), PARE_E_ARG);
    assert_string_equal(err.message, "the source is missing: --from SOURCE, such as --from "
                                     "grammar:JSON.g4, lang:json or folder:'seeds/*'");
    options = (pare_campaign_options){.from = "random"};
    err = (pare_error){0};
    assert_int_equal(pare_campaign_read(&options, &campaign, &err), PARE_E_ARG);
    assert_string_equal(err.message, "neither a campaign file nor a program was given");
}

static void note(void *context, const char *sentence)
{
    (void)snprintf(context, PATH_BYTES, "%s", sentence);
}

static void test_campaign_file__is_tried_section_by_section(void **state)
{
    (void)state;
    size_t n_wrong = 9;
    char told[PATH_BYTES] = "";
    pare_error err = {0};
    pare_campaign *campaign =
        read_good("[target t]\ncommand = /bin/true @@\n[source g]\nkind = random\n");
    if (pare_campaign_try(campaign, note, told, &n_wrong, &err)) fail_msg("%s", err.message);
    assert_int_equal(n_wrong, 0);
    assert_string_equal(told, "");
    pare_campaign_free(campaign);
    campaign = read_good("[target t]\ncommand = /none/prog @@\n"
                         "[source g]\nkind = grammar\ngrammar = none.g4\n");
    if (pare_campaign_try(campaign, note, told, &n_wrong, &err)) fail_msg("%s", err.message);
    assert_int_equal(n_wrong, 2);
    assert_non_null(strstr(told, "none.g4"));
    pare_campaign_free(campaign);
    campaign = read_good("[campaign]\nseed = 1\n");
    if (pare_campaign_try(campaign, note, told, &n_wrong, &err)) fail_msg("%s", err.message);
    assert_int_equal(n_wrong, 2);
    assert_string_equal(told, "the campaign has no [source NAME]");
    pare_campaign_free(campaign);
}

static pare_status attempt(void *context)
{
    pare_campaign *campaign = NULL;
    const char *const paths[] = {context};
    const char *const settings[] = {"target:timeout=7"};
    const pare_campaign_options options = {
        .paths = paths, .n_paths = 1, .settings = settings, .n_settings = 1};
    pare_status status = pare_campaign_read(&options, &campaign, NULL);
    if (status) assert_null(campaign);
    pare_campaign_free(campaign);
    return status;
}

static void test_campaign_file__out_of_memory_is_clean(void **state)
{
    (void)state;
    write_text(path, WHOLE "files = a b\n[define]\nx = y\n");
    sweep_allocations(attempt, path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_campaign_file__reads_options_lines_and_comments),
        cmocka_unit_test(test_campaign_file__long_lines_are_whole),
        cmocka_unit_test(test_campaign_file__replaces_names_and_makes_paths_absolute),
        cmocka_unit_test(test_campaign_file__what_is_wrong_is_told_with_its_place),
        cmocka_unit_test(test_campaign_file__what_is_needed_is_asked_for),
        cmocka_unit_test(test_campaign_file__a_later_file_and_a_setting_count),
        cmocka_unit_test(test_campaign_file__wrong_settings_are_refused),
        cmocka_unit_test(test_campaign_file__its_text_means_the_same),
        cmocka_unit_test(test_campaign_file__paths_with_any_quotes_are_read_back),
        cmocka_unit_test(test_campaign_file__names_that_lead_on_and_on_are_refused),
        cmocka_unit_test(test_campaign_file__a_command_of_one_word_means_the_same),
        cmocka_unit_test(test_campaign_file__a_command_line_stands_for_a_file),
        cmocka_unit_test(test_campaign_file__is_tried_section_by_section),
        cmocka_unit_test(test_campaign_file__out_of_memory_is_clean),
    };
    setenv("PARE_TEST_WORD", "word", 1);
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
