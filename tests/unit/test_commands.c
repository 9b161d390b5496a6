/* The commands: exit codes of wrong command lines, and help from their tables. */
/* tests: src/cli/command_reduce.c src/cli/command_isolate.c src/cli/command_parse.c
 * src/cli/command_generate.c src/cli/command_learn.c src/cli/command_lang.c
 * src/cli/command_shootout.c src/cli/command_graph.c src/cli/command_graph_show.c
 * src/cli/command_fuzz.c src/cli/command_fuzz_run.c src/cli/command_fuzz_jobs.c
 * src/cli/command_fuzz_list.c src/cli/command_fuzz_store.c src/cli/command_fuzz_report.c
 * src/cli/command_fuzz_top.c src/cli/command_fuzz_web.c src/cli/fuzz_campaign.c
 * src/cli/command_history.c src/cli/command_explain.c
 * src/cli/command_worker.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cli/commands.h"
#include "unit/support/scratch.h"

enum { MAX_WORDS = 16 };

static const pare_command *const commands[] = {
    &pare_command_reduce,        &pare_command_isolate,       &pare_command_parse,
    &pare_command_generate,      &pare_command_learn,         &pare_command_lang,
    &pare_command_graph_explore, &pare_command_graph_learn,   &pare_command_graph_weigh,
    &pare_command_graph_show,    &pare_command_graph_diff,    &pare_command_fuzz_run,
    &pare_command_fuzz_ci,       &pare_command_fuzz_list,     &pare_command_fuzz_show,
    &pare_command_fuzz_mark,     &pare_command_fuzz_merge,    &pare_command_fuzz_split,
    &pare_command_fuzz_delete,   &pare_command_fuzz_export,   &pare_command_fuzz_import,
    &pare_command_fuzz_reduce,   &pare_command_fuzz_validate, &pare_command_fuzz_update,
    &pare_command_fuzz_bisect,   &pare_command_fuzz_report,   &pare_command_fuzz_top,
    &pare_command_fuzz_web,      &pare_command_history,       &pare_command_explain,
    &pare_command_worker};

enum { N_COMMANDS = sizeof commands / sizeof *commands };

/* Runs the command as main does, but for --help. */
static pare_exit run(const pare_command *command, const char *line)
{
    char text[256], *argv[MAX_WORDS];
    int argc = 0;
    pare_arguments arguments = {0};
    (void)snprintf(text, sizeof text, "%s", line);
    for (char *word = strtok(text, " "); word && argc < MAX_WORDS; word = strtok(NULL, " "))
        argv[argc++] = word;
    pare_status status = pare_options_parse(&command->options, argc, argv, &arguments, NULL);
    if (status) return pare_report_exit(status);
    pare_exit code = command->run(&arguments);
    pare_options_done(&arguments);
    return code;
}

static void test_commands__a_wrong_command_line_is_a_mistake_of_usage(void **state)
{
    static const struct {
        const pare_command *command;
        const char *line;
    } rows[] = {{&pare_command_reduce, ""},
                {&pare_command_reduce, "./t"},
                {&pare_command_reduce, "- in"}, /* TEST comes first */
                {&pare_command_reduce, "--worker w"},
                {&pare_command_reduce, "--generator g"},
                {&pare_command_reduce, "--reduce-args -- prog @@"},
                {&pare_command_reduce, "./t in none"},
                {&pare_command_isolate, "./t bad"},
                {&pare_command_isolate, "bad good more -- prog"},
                {&pare_command_isolate, "./t - good"},
                {&pare_command_explain, "./t"},
                {&pare_command_history, ""},
                {&pare_command_history, "out shwo 1"},
                {&pare_command_history, "out show"},
                {&pare_command_history, "out diff 1 2 3"},
                {&pare_command_parse, ""},
                {&pare_command_worker, ""},
                {&pare_command_worker, "nats://a nats://b"},
                {&pare_command_worker, "nats://127.0.0.1 -j 0"},
                {&pare_command_worker, "nats://127.0.0.1 --sandbox none"},
                {&pare_command_parse, "a b"},
                {&pare_command_generate, ""},
                {&pare_command_generate, "-g x.g4 operand"},
                {&pare_command_generate, "-g x.g4 --cooldown 2"},
                {&pare_command_generate, "-g x.g4 -n 2 -o same"},
                {&pare_command_generate, "-g x.g4 -n 2 -o %d-%d"},
                {&pare_command_generate, "--record a --replay b -- prog"},
                {&pare_command_learn, ""},
                {&pare_command_learn, "corpus"},
                {&pare_command_lang, ""},
                {&pare_command_lang, "ad c"},
                {&pare_command_lang, "add"},
                {&pare_command_lang, "list c"},
                {&pare_command_lang, "list --system"},
                {&pare_command_graph_explore, "-- engine @@"},
                {&pare_command_graph_explore, "-o g.json"},
                {&pare_command_graph_learn, "-- engine @@"},
                {&pare_command_graph_weigh, "g.json in"},
                {&pare_command_graph_weigh, "g.json -n 3"},
                {&pare_command_graph_weigh, "g.json in -n 3 --keep-values 2"},
                {&pare_command_graph_show, ""},
                {&pare_command_graph_show, "g.json a b"},
                {&pare_command_graph_show, "g.json --format xml"},
                {&pare_command_graph_diff, "g.json"},
                {&pare_command_graph_diff, "a b c"},
                {&pare_command_graph_diff, "a b --format svg"},
                {&pare_command_fuzz_run, "--jobs x"},
                {&pare_command_fuzz_ci, "--minutes x"},
                {&pare_command_fuzz_list, "operand"},
                {&pare_command_fuzz_list, "--sort nonsense"},
                {&pare_command_fuzz_list, "--state nonsense"},
                {&pare_command_fuzz_show, ""},
                {&pare_command_fuzz_show, "1 --print all"},
                {&pare_command_fuzz_mark, "1"},
                {&pare_command_fuzz_mark, "--note x"},
                {&pare_command_fuzz_mark, "1 --as merged"},
                {&pare_command_fuzz_merge, "1"},
                {&pare_command_fuzz_split, ""},
                {&pare_command_fuzz_delete, ""},
                {&pare_command_fuzz_delete, "1"}, /* there is no store here */
                {&pare_command_fuzz_export, "1"},
                {&pare_command_fuzz_import, ""},
                {&pare_command_fuzz_reduce, "--nonsense"},
                {&pare_command_fuzz_validate, "--nonsense"},
                {&pare_command_fuzz_update, "--nonsense"},
                {&pare_command_fuzz_bisect, "--nonsense"},
                {&pare_command_fuzz_report, "--nonsense"},
                {&pare_command_fuzz_top, "--nonsense"},
                {&pare_command_fuzz_web, "--nonsense"}};
    (void)state;
    scratch_write("in", "x", 0644);
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        pare_exit code = run(rows[k].command, rows[k].line);
        if (code != PARE_EXIT_USAGE)
            fail_msg("%s %s: %d", rows[k].command->title, rows[k].line, (int)code);
    }
    assert_int_equal(count_entries("."), 1); /* nothing was written */
}

static void test_commands__an_option_of_another_command_is_unknown(void **state)
{
    (void)state;
    assert_int_equal(run(&pare_command_isolate, "--in-place"), PARE_EXIT_USAGE);
    assert_int_equal(run(&pare_command_reduce, "--output-passing x"), PARE_EXIT_USAGE);
    assert_int_equal(run(&pare_command_parse, "--jobs 3"), PARE_EXIT_USAGE);
}

/* What `command` prints as its help. */
static void print_help(const pare_command *command, pare_help_extent extent, char text[1 << 16])
{
    FILE *out = fmemopen(text, 1 << 16, "w");
    assert_non_null(out);
    command->help(out, extent);
    assert_int_equal(fclose(out), 0);
}

/* Two screens of 80 columns; --help=all has no such bound. */
static void test_commands__help_fits_two_screens_and_all_of_it_names_each_option(void **state)
{
    static char common[1 << 16], all[1 << 16];
    (void)state;
    for (size_t k = 0; k < N_COMMANDS; k++) {
        const pare_option_set *set = &commands[k]->options;
        size_t n_lines = 0;
        print_help(commands[k], PARE_HELP_COMMON, common);
        print_help(commands[k], PARE_HELP_ALL, all);
        for (const char *line = common; *line; line = strchr(line, '\n') + 1, n_lines++)
            assert_true(strcspn(line, "\n") <= 80);
        assert_true(n_lines <= 48);
        for (size_t i = 0; i < set->n_options; i++) {
            char name[64];
            if (!(set->table[i].commands & set->command)) continue;
            (void)snprintf(name, sizeof name, "--%s", set->table[i].name);
            if (!strstr(all, name)) fail_msg("%s: %s", commands[k]->title, name);
        }
    }
}

/* The shoot-out is a program of its own, which gets its words as they are. */
static void test_commands__only_the_shootout_is_executed(void **state)
{
    (void)state;
    assert_non_null(pare_command_shootout.execute);
    assert_null(pare_command_shootout.run);
    for (size_t k = 0; k < N_COMMANDS; k++)
        assert_true(commands[k]->run && commands[k]->help && !commands[k]->execute);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_commands__a_wrong_command_line_is_a_mistake_of_usage),
        cmocka_unit_test(test_commands__an_option_of_another_command_is_unknown),
        cmocka_unit_test(test_commands__help_fits_two_screens_and_all_of_it_names_each_option),
        cmocka_unit_test(test_commands__only_the_shootout_is_executed),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
