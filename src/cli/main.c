/* The program pare: finds the subcommand and runs it.
 *
 * The table below is all that main knows about a command.  If the first word is not a command but
 * the name of a file, "reduce" was forgotten: the line is refused with a suggestion, and not
 * guessed, because a wrong guess would run somebody's program.
 *
 * Invariant: the words after the command's name are the command's own affair: it has its own table
 * of options, help and exit codes (report.h).  Commands implemented elsewhere take their words
 * unread (`execute`), those that consist of others name these (`parts`), and all others have a
 * table and a function. */
#include <assert.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <pare/pare.h>

#include "base/buffer.h"
#include "base/nearest.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/report.h"
#include "cli/shell.h"
#include "ui/format.h"

/* How much of a wrong word a message shows. */
enum { SHOWN_BYTES = 100 };

/* In the order of `pare help`. */
static const pare_command *const commands[] = {
    &pare_command_reduce, &pare_command_isolate,  &pare_command_explain, &pare_command_history,
    &pare_command_parse,  &pare_command_generate, &pare_command_learn,   &pare_command_shootout,
    &pare_command_lang,   &pare_command_graph,    &pare_command_fuzz,    &pare_command_worker,
};

enum { N_COMMANDS = sizeof commands / sizeof *commands };

/* It names what there is and how to begin; all else is in the help of each command and in
 * pare(1).  It fits a screen, as a first look should. */
static void print_help(void)
{
    fputs("usage: pare COMMAND ...\n"
          "\n"
          "pare shrinks an input that makes a program fail to a small one that still does.\n"
          "\n",
          stdout);
    for (size_t i = 0; i < N_COMMANDS; i++) {
        printf("  pare %-13s %s\n", commands[i]->name, commands[i]->summary);
    }
    fputs("  pare help COMMAND  show how to use a command; COMMAND --help=all: all options\n"
          "  pare --version     print the version\n"
          "\n"
          "To start:\n"
          "\n"
          "    pare reduce crash.c -- gcc -O2 -c @@    no script; @@ is the input's path\n"
          "    pare reduce ./test.sh crash.c           test.sh FILE exits with 0 as long as\n"
          "                                            FILE makes the program fail\n"
          "\n"
          "See also pare(1).\n",
          stdout);
}

/* NULL when there is none of this name; abbreviations are none.  Abbreviations would become
 * wrong, or mean something else, with the next command that is added. */
static const pare_command *find(const char *name)
{
    for (size_t i = 0; i < N_COMMANDS; i++) {
        if (strcmp(commands[i]->name, name) == 0) return commands[i];
    }
    return NULL;
}

/* --- `pare FILE` ------------------------------------------------------------------------- */

/* A file of any kind.  A folder may be an input as well, so it counts. */
static bool is_there(const char *path)
{
    return access(path, F_OK) == 0;
}

/* A test, by all that can be seen of it.  A folder is executable in the sense of access(2),
 * and no test. */
static bool is_executable(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISREG(about.st_mode) && access(path, X_OK) == 0;
}

/* The command line that `words` seem to be meant for.  With two words or more their order is
 * taken as it is: TEST and INPUT are the order of the command that was forgotten, and whether
 * they are swapped is that command's to say. */
static pare_status suggest(pare_buffer *line, char *const *words, int n)
{
    /* One word is either the test or the input: what can be executed is taken for the test, and
     * the other is left for the user to fill in. */
    bool alone = n == 1, test = is_executable(words[0]);
    pare_status status = pare_buffer_text(line, "pare reduce", NULL);
    if (!status && alone && !test) status = pare_buffer_text(line, " TEST", NULL);
    for (int i = 0; !status && i < n; i++) {
        status = pare_buffer_text(line, " ", NULL);
        if (!status) status = pare_shell_add_word(line, words[i], NULL);
    }
    if (!status && alone && test) status = pare_buffer_text(line, " INPUT", NULL);
    return status;
}

/* Refuses words that are `pare reduce`'s without it.  Without memory for the line nothing is
 * printed but the exit code, which is right all the same. */
static int forgot_reduce(char *const *words, int n)
{
    char shown[SHOWN_BYTES];
    pare_buffer line = {0};
    if (suggest(&line, words, n) == PARE_OK)
        pare_report("pare", "unknown command '%s': did you mean: %s",
                    pare_format_name(shown, sizeof shown, words[0]), line.data);
    pare_buffer_done(&line);
    return PARE_EXIT_USAGE;
}

/* The nearest of all words that may stand here, or else where to look them up.  Options of the
 * program are offered too: "-version" is nearer to --version than to any command. */
static int unknown(const char *word)
{
    static const char *const others[] = {"help", "--help", "--version"};
    char shown[SHOWN_BYTES], hint[PARE_NEAREST_HINT_BYTES];
    pare_nearest nearest = pare_nearest_of(word);
    for (size_t i = 0; i < N_COMMANDS; i++) {
        pare_nearest_offer(&nearest, commands[i]->name);
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        pare_nearest_offer(&nearest, others[i]);
    pare_nearest_hint(&nearest, "", hint);
    pare_report("pare", "unknown %s '%s'%s", word[0] == '-' ? "option" : "command",
                pare_format_name(shown, sizeof shown, word),
                *hint ? hint : ": 'pare help' lists what there is");
    return PARE_EXIT_USAGE;
}

/* --- commands of a command ------------------------------------------------------------------ */

/* Printed for `pare graph --help`, and by `pare help graph`. */
static void print_parts(const pare_command *command)
{
    printf("usage: %s COMMAND ...\n\n", command->title);
    for (size_t i = 0; command->parts[i]; i++)
        if (command->parts[i]->summary) /* without one it is not for people */
            printf("  %s %-10s %s\n", command->title, command->parts[i]->name,
                   command->parts[i]->summary);
    printf("  %s COMMAND --help  say how it is used\n", command->title);
}

/* NULL when `word` is none of them, which is then told.  The same words as for commands, since
 * to the user they are commands. */
static const pare_command *find_part(const pare_command *command, const char *word)
{
    char shown[SHOWN_BYTES], hint[PARE_NEAREST_HINT_BYTES];
    pare_nearest nearest = pare_nearest_of(word);
    for (size_t i = 0; command->parts[i]; i++) {
        if (strcmp(command->parts[i]->name, word) == 0) return command->parts[i];
        pare_nearest_offer(&nearest, command->parts[i]->name);
    }
    pare_nearest_hint(&nearest, "", hint);
    pare_report(command->title, "unknown command '%s'%s",
                pare_format_name(shown, sizeof shown, word),
                *hint ? hint : ": --help lists what there is");
    return NULL;
}

static pare_exit run(const pare_command *command, int argc, char **argv);

/* Options do not stand before the part: each part has its own. */
static pare_exit run_part(const pare_command *command, int argc, char **argv)
{
    if (argc == 0) {
        pare_report(command->title, "a command is missing: --help lists what there is");
        return PARE_EXIT_USAGE;
    }
    if (strcmp(argv[0], "-h") == 0 || strncmp(argv[0], "--help", 6) == 0) {
        print_parts(command);
        return pare_report_printed(command->title);
    }
    const pare_command *part = find_part(command, argv[0]);
    return part ? run(part, argc - 1, argv + 1) : PARE_EXIT_USAGE;
}

/* --- commands ------------------------------------------------------------------------------- */

/* Index of --help, which differs from table to table; every table has it. */
static size_t find_help(const pare_command *command)
{
    size_t i = 0;
    while (strcmp(command->options.table[i].name, "help") != 0) {
        i++;
        assert(i < command->options.n_options);
    }
    return i;
}

/* Reads the options of `command` and does it, or prints its help. --help wins over everything
 * that was asked for, but not over a wrong option: that is a mistake which the help would
 * hide. */
static pare_exit run(const pare_command *command, int argc, char **argv)
{
    if (command->execute) return command->execute(argc, argv);
    if (command->parts) return run_part(command, argc, argv);
    assert(command->help && command->run);
    pare_arguments arguments = {0};
    pare_error err = {0};
    pare_exit code;
    pare_status status = pare_options_parse(&command->options, argc, argv, &arguments, &err);
    if (status != PARE_OK) {
        pare_report_error(command->title, &err);
        return pare_report_exit(status);
    }
    size_t help = find_help(command);
    if (arguments.values[help].position) {
        command->help(stdout, pare_options_help_extent(arguments.values[help]));
        code = pare_report_printed(command->title);
    } else {
        code = command->run(&arguments);
    }
    pare_options_done(&arguments);
    return code;
}

/* pare help [COMMAND] `pare help graph show` is the same as `pare graph show --help`.
 * Commands of their own programs are asked for their help in the one way they all know. */
static int help(int argc, char **argv)
{
    if (argc == 0) {
        print_help();
        return pare_report_printed("pare");
    }
    const pare_command *command = find(argv[0]);
    if (!command) return unknown(argv[0]);
    char ask[] = "--help", *words[] = {ask, NULL};
    if (command->parts && argc == 1) return run_part(command, 1, words);
    if (command->parts) command = find_part(command, argv[1]);
    if (!command) return PARE_EXIT_USAGE;
    if (command->execute) return command->execute(1, words);
    command->help(stdout, PARE_HELP_COMMON);
    return pare_report_printed("pare");
}

/* Of the library, which the program is linked with.  A program can be linked with a newer
 * library than it was compiled with. */
static int version(void)
{
    printf("pare %s\n", pare_version());
    return pare_report_printed("pare");
}

/* Options before the command are those of the program itself.  What is neither a command nor a
 * file is most often a command misspelt, so the nearest is named. */
int main(int argc, char **argv)
{
    if (argc < 2) {
        pare_report("pare", "a command is missing: pare reduce TEST INPUT, or pare help");
        return PARE_EXIT_USAGE;
    }
    /* Nothing but the command and these options stands before the command's own words. */
    const char *word = argv[1];
    /* No other option stands before the command. */
    if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0) return version();
    if (strcmp(word, "help") == 0 || strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)
        return help(argc - 2, argv + 2);
    const pare_command *command = find(word);
    if (!command && is_there(word)) return forgot_reduce(argv + 1, argc - 1);
    if (!command) return unknown(word);
    return run(command, argc - 2, argv + 2);
}
