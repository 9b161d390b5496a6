/* The option parser, one pass over argv by a table.
 *
 * GNU's conventions: options and operands in any order, "--" ends options, "-abc" joins letters,
 * "--name=value" or "--name value".  Not getopt_long: abbreviations would make every new option
 * a breaking change, and a wrong word should name the one that was meant.  Lists get room for argc
 * entries before the pass, as no argument fills more than one, so nothing grows while reading. */

#include "cli/options.h"

#include <assert.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include <pare/algorithm.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "base/nearest.h"
#include "cli/shell.h"
#include "os/executable.h"
#include "ui/format.h"

enum { SHOWN_BYTES = 100 }; /* of a wrong word, in a message */

/* Where the parser stands.  The cursor is an index and not a pointer, since a value may
 * be the next argument.  Borrowed but for what the lists in `arguments` hold. */
struct reader {
    const pare_option_set *set;
    int argc;
    char *const *argv;
    int at; /* the argument being read */
    pare_arguments *arguments;
    pare_error *err;
};

/* The texts are argv's; the lists are ours.  A value of all zeros is ended, too. */
void pare_options_done(pare_arguments *arguments)
{
    pare_alloc_free(arguments->values);
    pare_alloc_free(arguments->texts);
    pare_alloc_free(arguments->operands);
    *arguments = (pare_arguments){0};
}

bool pare_options_given(const pare_arguments *arguments, size_t option)
{
    return arguments->values[option].position != 0;
}

/* All TEXTS options share one list, in which those of one keep their order.  Two passes of the
 * caller, one to count and one to copy: lists are as long as the command line, at most. */
size_t pare_options_texts(const pare_arguments *arguments, size_t option, const char **texts)
{
    size_t n = 0;
    for (size_t i = 0; i < arguments->n_texts; i++) {
        if (arguments->texts[i].option != option) continue;
        if (texts) texts[n] = arguments->texts[i].text;
        n++;
    }
    return n;
}

/* NULL leaves the library's default. */
pare_status pare_options_chance(const char *text, double *chance, pare_error *err)
{
    char *end;
    if (!text) return PARE_OK;
    double number = strtod(text, &end);
    if (!*text || *end || !(number >= 0 && number <= 1))
        return pare_fail(err, PARE_E_ARG,
                         "'%s' is not a probability: write a number from 0 to 1, such as 0.5",
                         text);
    *chance = number;
    return PARE_OK;
}

/* --- values ------------------------------------------------------------------ */

/* Not isdigit: that depends on the locale. */
static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* No sign, no blanks, no leading 0x: strtoull takes all of these. */
bool pare_options_read_whole(const char *text, uint64_t *number)
{
    uint64_t value = 0;
    if (!*text) return false;
    for (; *text; text++) {
        uint64_t digit = (uint64_t)(*text - '0');
        if (!is_digit(*text) || value > (UINT64_MAX - digit) / 10) return false;
        value = 10 * value + digit;
    }
    *number = value;
    return true;
}

/* Multiplies; false if the product is too large. */
static bool scale(uint64_t value, uint64_t factor, uint64_t *product)
{
    if (value > UINT64_MAX / factor) return false;
    *product = value * factor;
    return true;
}

/* What one of a unit is in ms, and one without a unit; 0 if there is no such unit.  A bare
 * number is in seconds, as with timeout(1) and sleep(1). */
static uint64_t unit_ms(const char *unit)
{
    static const struct {
        const char *name;
        uint64_t ms;
    } units[] = {{"", 1000}, {"ms", 1}, {"s", 1000}, {"m", 60000}, {"min", 60000}, {"h", 3600000}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(units[i].name, unit) == 0) return units[i].ms;
    return 0;
}

/* In integers, as 0.1 s has no exact binary fraction: `whole` counts units, `parts` billionths of
 * one, rounded up to a ms. */
bool pare_options_read_time(const char *text, uint64_t *ms)
{
    static const uint64_t most_ms = UINT64_C(1000000000000), billion = 1000000000;
    uint64_t whole = 0, parts = 0, whole_ms, parts_ms, weight = billion;
    size_t n_digits = 0;
    for (; is_digit(*text); text++, n_digits++) {
        /* So that ten times it cannot overflow. */
        if (whole > most_ms) return false;
        whole = 10 * whole + (uint64_t)(*text - '0');
    }
    if (*text == '.') {
        for (text++; is_digit(*text); text++, n_digits++) {
            weight /= 10;
            /* Digits beyond the ninth round up. */
            parts += weight ? weight * (uint64_t)(*text - '0') : *text != '0';
        }
    }
    uint64_t unit = unit_ms(text);
    if (n_digits == 0 || !unit) return false;
    if (!scale(whole, unit, &whole_ms) || !scale(parts, unit, &parts_ms)) return false;
    /* Rounded up, so that a time above 0 never becomes 0, which means none. */
    parts_ms = parts_ms / billion + (parts_ms % billion != 0);
    if (whole_ms > most_ms || whole_ms + parts_ms == 0) return false;
    *ms = whole_ms + parts_ms;
    return true;
}

/* One letter at most; it stands for 2^10, 2^20, 2^30 or 2^40 bytes.  Powers of two only: sizes
 * of memory and of files are given so. */
bool pare_options_read_size(const char *text, uint64_t *bytes)
{
    static const char units[] = "kmgt";
    const uint64_t most = (uint64_t)1 << 62;
    uint64_t value = 0;
    size_t n_digits = 0;
    for (; is_digit(text[n_digits]); n_digits++) {
        value = 10 * value + (uint64_t)(text[n_digits] - '0');
        if (value > most) return false;
    }
    const char *rest = text + n_digits;
    /* Either case: 0x20 makes a letter small. */
    const char *unit = *rest ? strchr(units, *rest | 0x20) : NULL;
    if (n_digits == 0 || (*rest && (!unit || rest[1]))) return false;
    unsigned shift = unit ? 10 * (unsigned)(unit - units + 1) : 0;
    if (value > most >> shift) return false;
    *bytes = value << shift;
    return true;
}

/* Index of `text` among the words of `choices`; false if it is none of them.  Whole words
 * only: an abbreviation could become ambiguous with the next word that is added. */
static bool read_choice(const char *choices, const char *text, uint64_t *index)
{
    size_t length = strlen(text);
    *index = 0;
    for (;; choices++, *index += 1) {
        size_t word = strcspn(choices, "|");
        if (word == length && strncmp(choices, text, length) == 0) return true;
        choices += word;
        if (!*choices) return false;
    }
}

/* One form for all kinds of values, so that messages read alike.  The value is shown escaped
 * and cut, since it may be anything. */
static pare_status wrong_value(const struct reader *reader, const pare_option *option,
                               const char *text, const char *wanted)
{
    char shown[SHOWN_BYTES];
    return pare_fail(reader->err, PARE_E_ARG, "'--%s' takes %s, not '%s'", option->name, wanted,
                     pare_format_name(shown, sizeof shown, text));
}

/* A number in the option's range, or its one word, which stands for the greatest number. */
static pare_status check_whole(const struct reader *reader, const pare_option *option,
                               const char *text, uint64_t *number)
{
    if (option->word && strcmp(text, option->word) == 0) {
        *number = UINT64_MAX;
        return PARE_OK;
    }
    if (pare_options_read_whole(text, number) && *number >= option->least &&
        *number <= option->most)
        return PARE_OK;
    char wanted[SHOWN_BYTES];
    int length = snprintf(wanted, sizeof wanted, "a whole number from %llu",
                          (unsigned long long)option->least);
    /* A larger one is no limit that anybody meets. */
    if (option->most < INT64_MAX)
        length += snprintf(wanted + length, sizeof wanted - (size_t)length, " to %llu",
                           (unsigned long long)option->most);
    if (option->word)
        snprintf(wanted + length, sizeof wanted - (size_t)length, " or '%s'", option->word);
    return wrong_value(reader, option, text, wanted);
}

/* A size, or the option's one word ("none"), which stands for the greatest number as in
 * check_whole. */
static pare_status check_size(const struct reader *reader, const pare_option *option,
                              const char *text, uint64_t *number)
{
    if (option->word && strcmp(text, option->word) == 0) {
        *number = UINT64_MAX;
        return PARE_OK;
    }
    if (pare_options_read_size(text, number) && *number >= option->least) return PARE_OK;
    char wanted[SHOWN_BYTES];
    snprintf(wanted, sizeof wanted, "a size such as 500M or 2G%s%s%s", option->word ? ", or '" : "",
             option->word ? option->word : "", option->word ? "'" : "");
    return wrong_value(reader, option, text, wanted);
}

/* "one of 'auto|always|never'" reads badly: commas instead.  Cut at the buffer's end, which no
 * list of words reaches. */
static const char *list_choices(char text[SHOWN_BYTES], const char *choices)
{
    size_t at = 0;
    for (; *choices && at + 3 < SHOWN_BYTES; choices++) {
        text[at++] = *choices == '|' ? ',' : *choices;
        if (*choices == '|') text[at++] = ' ';
    }
    text[at] = '\0';
    return text;
}

/* The index of the word is the number: enums stand in the order of the table. */
static pare_status check_choice(const struct reader *reader, const pare_option *option,
                                const char *text, uint64_t *number)
{
    if (read_choice(option->value, text, number)) return PARE_OK;
    char list[SHOWN_BYTES], wanted[SHOWN_BYTES + 16];
    snprintf(wanted, sizeof wanted, "one of %s", list_choices(list, option->value));
    return wrong_value(reader, option, text, wanted);
}

/* By the kind of the option; *number is set for those that have one. */
static pare_status check_value(const struct reader *reader, const pare_option *option,
                               const char *text, uint64_t *number)
{
    switch (option->kind) {
    case PARE_OPTION_WHOLE: return check_whole(reader, option, text, number);
    case PARE_OPTION_SIZE: return check_size(reader, option, text, number);
    case PARE_OPTION_CHOICE: return check_choice(reader, option, text, number);
    case PARE_OPTION_TIME:
        if (pare_options_read_time(text, number)) return PARE_OK;
        return wrong_value(reader, option, text,
                           "a time above 0, such as 2, 0.5s, 500ms, 5m or 1h");
    case PARE_OPTION_TEXT:
    case PARE_OPTION_TEXTS:
        if (*text) return PARE_OK;
        return pare_fail(reader->err, PARE_E_ARG, "'--%s' takes a %s, not an empty word",
                         option->name, option->value);
    default: return PARE_OK;
    }
}

/* --- options ----------------------------------------------------------------- */

/* The table is shared by commands; an option of another one does not exist for this.  Options
 * of the other command are unknown and not "not allowed here": the help of this one does not
 * have them. */
static bool is_known(const struct reader *reader, const pare_option *option)
{
    return (option->commands & reader->set->command) != 0;
}

/* A flag may have a word (--help=all), which is no value: the next argument is never taken for it. */
static bool takes_value(const pare_option *option)
{
    return option->kind != PARE_OPTION_FLAG && option->value;
}

/* The option with the `length` letters at `name` as its long name, or NULL. Linear: some
 * seventy options, a few of which are given. */
static const pare_option *find_name(const struct reader *reader, const char *name, size_t length)
{
    for (size_t i = 0; i < reader->set->n_options; i++) {
        const pare_option *option = &reader->set->table[i];
        if (is_known(reader, option) && strncmp(option->name, name, length) == 0 &&
            !option->name[length])
            return option;
    }
    return NULL;
}

/* NULL when the command has no option of this letter.  Letters are few and mean the same in
 * all commands. */
static const pare_option *find_letter(const struct reader *reader, char letter)
{
    for (size_t i = 0; i < reader->set->n_options; i++) {
        const pare_option *option = &reader->set->table[i];
        if (is_known(reader, option) && letter && option->letter == letter) return option;
    }
    return NULL;
}

/* Whether the line says by itself where a program begins. */
static bool has_dashes(const struct reader *reader)
{
    for (int i = 0; i < reader->argc; i++)
        if (strcmp(reader->argv[i], "--") == 0) return true;
    return false;
}

/* Whether the line has a mark for a candidate, but no "--" before the program that takes it. */
static bool lacks_dashes(const struct reader *reader)
{
    bool is_marked = false;
    for (int i = reader->at + 1; i < reader->argc; i++)
        is_marked = is_marked || strstr(reader->argv[i], "@@");
    return is_marked && !has_dashes(reader);
}

static bool is_of_kind(const char *path, mode_t kind)
{
    struct stat about;
    return stat(path, &about) == 0 && (about.st_mode & S_IFMT) == kind;
}

/* Where in argv a program begins to which the word that is read may belong, with only
 * inputs before it: "in.c gcc -c" or, right before that word, "gcc -c"; argc: nowhere.
 * What is there and cannot be executed, or is a folder, is an input.  The first operand
 * after those is a program if it is in $PATH, or after an input a file that can be
 * executed. */
static int find_program(const struct reader *reader)
{
    const size_t n = reader->arguments->n_operands;
    const char *const *operands = reader->arguments->operands;
    size_t k = 0;
    while (k < n && access(operands[k], F_OK) == 0 &&
           (is_of_kind(operands[k], S_IFDIR) || access(operands[k], X_OK) != 0))
        k++;
    /* k 0 and several operands: the first one is a TEST, and the others its inputs. */
    if (k == n || (k == 0 && n > 1)) return reader->argc;
    const bool is_program = pare_executable_is_in_path(operands[k]) ||
                            (k > 0 && strchr(operands[k], '/') && access(operands[k], X_OK) == 0);
    int at = 0;
    /* An operand is borrowed from argv, so it is found by its address. */
    while (at < reader->at && reader->argv[at] != operands[k])
        at++;
    return is_program && at < reader->at ? at : reader->argc;
}

/* Refuses an option that is one of a program's, which begins at word `at`, with the
 * command that is right: for "pare reduce in.c gcc -Wall in.c" it is "pare reduce in.c
 * -- gcc -Wall @@". */
static pare_status refuse_program(const struct reader *reader, const char *shown, int at)
{
    pare_buffer line = {0};
    const char *input = at > 0 ? reader->arguments->operands[0] : NULL;
    pare_status status = pare_buffer_text(&line, "pare reduce", reader->err);
    /* No input stands before the program: the last file among its words is taken for
     * it. */
    for (int i = reader->argc; !input && --i > at;)
        if (is_of_kind(reader->argv[i], S_IFREG)) input = reader->argv[i];
    for (int i = 0; !status && i < at; i++) {
        status = pare_buffer_text(&line, " ", reader->err);
        if (!status) status = pare_shell_add_word(&line, reader->argv[i], reader->err);
    }
    if (!status && at == 0) status = pare_buffer_text(&line, " ", reader->err);
    if (!status && at == 0)
        status = pare_shell_add_word(&line, input ? input : "INPUT", reader->err);
    if (!status) status = pare_buffer_text(&line, " --", reader->err);
    /* Whether the program has the input among its words; else a mark is added at their
     * end. */
    bool is_named = false;
    for (int i = at; !status && i < reader->argc; i++) {
        const bool is_input = input && strcmp(reader->argv[i], input) == 0;
        is_named = is_named || is_input;
        status = pare_buffer_text(&line, " ", reader->err);
        if (!status)
            status = pare_shell_add_word(&line, is_input ? "@@" : reader->argv[i], reader->err);
    }
    if (!status && !is_named) status = pare_buffer_text(&line, " @@", reader->err);
    if (!status)
        status = pare_fail(reader->err, PARE_E_ARG,
                           "unknown option '%s': if it is one of PROGRAM's, '--' is missing before "
                           "PROGRAM: %s",
                           shown, line.data);
    pare_buffer_done(&line);
    return status;
}

/* Names of options that other reducers have for what are operands here. */
enum operand_name { NO_OPERAND, TEST_OPERAND, INPUT_OPERAND };

/* Which operand is meant by the word of the command line, an option's; *value is what follows '=' in it. */
static enum operand_name operand_of(const char *word, const char **value)
{
    static const char *const names[] = {
        "-t", "--test",  "--script", "--interestingness", "--tester",   "--test-script",
        "-i", "--input", "--file",   "--input-file",      "--testcase", "-f"};
    /* The names from here on are those of INPUT. */
    enum { FIRST_INPUT = 6 };
    const size_t size = strcspn(word, "=");
    *value = word[size] ? word + size + 1 : NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i]) == size && strncmp(word, names[i], size) == 0)
            return i < FIRST_INPUT ? TEST_OPERAND : INPUT_OPERAND;
    return NO_OPERAND;
}

/* Appends the words of the command line from those names on: TEST if `test` is wanted,
 * else all others.  Called for both, so that "--input x.c --test ./t.sh" becomes
 * "./t.sh x.c". */
static pare_status add_operands(const struct reader *reader, bool test, pare_buffer *line)
{
    pare_status status = PARE_OK;
    for (int i = 0; !status && i < reader->argc; i++) {
        /* The value is in the same word, after '=', or the next word. */
        const char *value = NULL;
        const enum operand_name named = operand_of(reader->argv[i], &value);
        if (named && !value && i + 1 < reader->argc) value = reader->argv[++i];
        if (!named) value = reader->argv[i];
        if (!value || (named == TEST_OPERAND) != test) continue;
        status = pare_buffer_text(line, " ", reader->err);
        if (!status) status = pare_shell_add_word(line, value, reader->err);
    }
    return status;
}

/* Refuses an option for what is an operand, with the command that is right. */
static pare_status refuse_operand(const struct reader *reader, const char *shown)
{
    pare_buffer line = {0};
    pare_status status = pare_buffer_text(&line, "pare reduce", reader->err);
    if (!status) status = add_operands(reader, true, &line);
    if (!status) status = add_operands(reader, false, &line);
    if (!status)
        status = pare_fail(reader->err, PARE_E_ARG,
                           "unknown option '%s': TEST and INPUT are named without options: %s",
                           shown, line.data);
    pare_buffer_done(&line);
    return status;
}

/* ---- options of other reducers ------------------------------------------------------ */

/* An option of creduce, cvise, shrinkray, dustmite, lithium, picireny, perses, treereduce or
 * halfempty that has another name here, or that is not needed here. */
typedef struct foreign {
    const char *name;
    /* Where a word of theirs has a value, so has ours. */
    const char *ours; /* NULL: it is left out */
    bool has_value;
} foreign;

/* The row of a word that other reducers know as an option; NULL: there is none.  Users come with
 * command lines from those tools, so the message names the option that does the same here. */
static const foreign *foreign_of(const char *word)
{
    static const foreign names[] = {
        {"--n", "--jobs", true},
        {"-n", "--jobs", true},
        {"--parallelism", "--jobs", true},
        {"--num-threads", "--jobs", true},
        {"--threads", "--jobs", true},
        {"--cores", "--jobs", true},
        {"--language", "--lang", true},
        {"--also-interesting", "--also", true},
        {"--interesting-exit-code", "--exit", true},
        {"--slow", "--effort=max", false},
        {"--sllooww", "--effort=max", false},
        {"--not-c", NULL, false},
        {"--tidy", NULL, false},
        {"--timing", NULL, false},
        {"--debug", NULL, false},
        {"--shaddap", NULL, false},
        {"--no-give-up", NULL, false},
        {"--print-diff", NULL, false},
        {"--save-temps", NULL, false},
        {"--die-on-pass-bug", NULL, false},
        {"--no-default-passes", NULL, false},
        {"--skip-initial-passes", NULL, false},
        {"--no-clang-delta", NULL, false},
        {"--max-improvement", NULL, true},
        {"--backup", NULL, true},
        {"--input-type", NULL, true},
        {"--ui", NULL, true},
        {"--volume", NULL, true},
        {"--stable", NULL, false},
        {"--noverify", NULL, false},
    };
    /* "-n3" is "-n 3". */
    const bool is_glued = strncmp(word, "-n", 2) == 0 && is_digit(word[2]);
    const size_t size = is_glued ? 2 : strcspn(word, "=");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i].name) == size && strncmp(word, names[i].name, size) == 0)
            return &names[i];
    return NULL;
}

/* Appends the words of the command line, with ours for theirs; behind "--" all is a
 * program's: "--n 4 ./t.sh x.c" becomes "--jobs 4 ./t.sh x.c", and "--tidy" is left
 * out. */
static pare_status add_own_words(const struct reader *reader, pare_buffer *line)
{
    pare_status status = PARE_OK;
    bool is_ended = false;
    for (int i = 0; !status && i < reader->argc; i++) {
        const char *word = reader->argv[i];
        is_ended = is_ended || strcmp(word, "--") == 0;
        const foreign *theirs = is_ended ? NULL : foreign_of(word);
        /* What follows the name in its own word, or else the next word. */
        const char *value = theirs ? word + strlen(theirs->name) : NULL;
        if (value && *value == '=') value++;
        if (theirs && theirs->has_value && !*value)
            value = i + 1 < reader->argc ? reader->argv[++i] : "N";
        assert(!theirs || *theirs->name == '-');
        if (theirs && !theirs->ours) continue;
        status = pare_buffer_text(line, " ", reader->err);
        if (!status) status = pare_shell_add_word(line, theirs ? theirs->ours : word, reader->err);
        if (!theirs || !theirs->has_value || status) continue;
        status = pare_buffer_text(line, " ", reader->err);
        if (!status) status = pare_shell_add_word(line, value, reader->err);
    }
    return status;
}

/* Refuses an option that another reducer has, with the command that is right. */
static pare_status refuse_foreign(const struct reader *reader, const foreign *theirs,
                                  const char *shown)
{
    pare_buffer line = {0};
    pare_status status = pare_buffer_text(&line, "pare reduce", reader->err);
    if (!status) status = add_own_words(reader, &line);
    if (!status)
        status = pare_fail(reader->err, PARE_E_ARG, "unknown option '%s': %s%s: %s", shown,
                           theirs->ours ? "here it is " : "leave it out, it is not needed here",
                           theirs->ours ? theirs->ours : "", line.data);
    pare_buffer_done(&line);
    return status;
}

/* Refuses `name`, written after `dashes`.  What may have been meant is looked for in
 * this order: a file of that name; an option of a program that is named, with "@@" or
 * without, and has no "--" before it; a name that other reducers have for an operand,
 * or for an option of ours; else the nearest option that there is.
 * Only commands that know what to keep of a program take one, and only `reduce` is
 * typed as those others are. */
static pare_status unknown(const struct reader *reader, const char *dashes, const char *name,
                           size_t length)
{
    char word[SHOWN_BYTES], shown[SHOWN_BYTES], hint[PARE_NEAREST_HINT_BYTES];
    const char *typed = reader->argv[reader->at];
    /* A wild card gives the names of files, and some begin with a dash. */
    if (access(typed, F_OK) == 0) {
        pare_format_name(shown, sizeof shown, typed);
        return pare_fail(reader->err, PARE_E_ARG,
                         "unknown option '%s': for a file of this name, write ./%s", shown, shown);
    }
    snprintf(word, sizeof word, "%.*s", (int)(length < SHOWN_BYTES ? length : SHOWN_BYTES), name);
    if (lacks_dashes(reader))
        return pare_fail(reader->err, PARE_E_ARG,
                         "unknown option '%s%s': if it is one of PROGRAM's, '--' is missing before "
                         "PROGRAM",
                         dashes, pare_format_name(shown, sizeof shown, word));
    char whole[SHOWN_BYTES + sizeof "--"];
    const char *value = NULL;
    snprintf(whole, sizeof whole, "%s%s", dashes, pare_format_name(shown, sizeof shown, word));
    const bool takes_program = find_name(reader, "any-output", strlen("any-output")) != NULL;
    const int program = takes_program && !has_dashes(reader) ? find_program(reader) : reader->argc;
    if (program < reader->argc) return refuse_program(reader, whole, program);
    if (takes_program && !has_dashes(reader) && operand_of(reader->argv[reader->at], &value))
        return refuse_operand(reader, whole);
    /* Others reduce and nothing else, so that is where their options are typed. */
    const bool reduces = find_name(reader, "in-place", strlen("in-place")) != NULL;
    const foreign *theirs = reduces ? foreign_of(reader->argv[reader->at]) : NULL;
    if (theirs) return refuse_foreign(reader, theirs, whole);
    pare_nearest nearest = pare_nearest_of(word);
    for (size_t i = 0; i < reader->set->n_options; i++) {
        if (is_known(reader, &reader->set->table[i]))
            pare_nearest_offer(&nearest, reader->set->table[i].name);
    }
    return pare_fail(reader->err, PARE_E_ARG, "unknown option '%s%s'%s", dashes, shown,
                     pare_nearest_hint(&nearest, "--", hint));
}

/* Notes that `option` is given, with the value `text` (NULL: none).  Values are checked as
 * they are read, so that the message is about the first wrong word of the line. */
static pare_status set_option(const struct reader *reader, const pare_option *option,
                              const char *text)
{
    pare_option_value value = {.position = (size_t)reader->at + 1, .text = text};
    pare_status status = text ? check_value(reader, option, text, &value.number) : PARE_OK;
    if (status != PARE_OK) return status;
    size_t index = (size_t)(option - reader->set->table);
    pare_arguments *arguments = reader->arguments;
    /* Given twice, the later one counts, but for TEXTS, which are all kept. */
    arguments->values[index] = value;
    assert(index < reader->set->n_options);
    if (option->kind == PARE_OPTION_TEXTS)
        arguments->texts[arguments->n_texts++] = (pare_option_text){index, text};
    return PARE_OK;
}

/* Takes the next argument as the value of `option`.  A known option in its place is a value
 * forgotten.  A value that is the name of an option can be given as --name=value. */
static pare_status take_value(struct reader *reader, const pare_option *option)
{
    /* Any other word is taken, even one that begins with a dash: "-1" may be meant. */
    const char *next = reader->at + 1 < reader->argc ? reader->argv[reader->at + 1] : NULL;
    /* "--output --jobs 3" is a forgotten file name, not a file called --jobs. */
    bool forgotten = !next || strcmp(next, "--") == 0;
    if (next && strncmp(next, "--", 2) == 0)
        forgotten = forgotten || find_name(reader, next + 2, strcspn(next + 2, "="));
    if (forgotten)
        return pare_fail(reader->err, PARE_E_ARG, "'--%s' needs a value: --%s=%s", option->name,
                         option->name, option->value);
    /* The position is that of the option itself: its value is skipped after that. */
    pare_status status = set_option(reader, option, next);
    reader->at++;
    return status;
}

/* Reads `--name` or `--name=value`. */
static pare_status read_long(struct reader *reader, const char *name)
{
    size_t length = strcspn(name, "=");
    const pare_option *option = find_name(reader, name, length);
    if (!option) return unknown(reader, "--", name, length);
    if (name[length] == '=') {
        const char *value = name + length + 1;
        if (takes_value(option)) return set_option(reader, option, value);
        if (option->word && strcmp(value, option->word) == 0)
            return set_option(reader, option, value);
        return pare_fail(reader->err, PARE_E_ARG, "'--%s' takes no value%s%s", option->name,
                         option->word ? " but " : "", option->word ? option->word : "");
    }
    return takes_value(option) ? take_value(reader, option) : set_option(reader, option, NULL);
}

/* Reads `-abc`, `-nvalue` or `-n value`.  A long name after one dash, such as -output, is not
 * taken for joined letters: it would be a wrong file name.  After a letter with a value the
 * rest of the word is that value: -j8. */
static pare_status read_letters(struct reader *reader, const char *letters)
{
    size_t length = strcspn(letters, "=");
    if (length > 1 && find_name(reader, letters, length))
        return unknown(reader, "-", letters, length);
    for (; *letters; letters++) {
        const pare_option *option = find_letter(reader, *letters);
        if (!option) return unknown(reader, "-", letters, 1);
        if (takes_value(option))
            return letters[1] ? set_option(reader, option, letters + 1)
                              : take_value(reader, option);
        pare_status status = set_option(reader, option, NULL);
        if (status != PARE_OK) return status;
    }
    return PARE_OK;
}

/* There is room for argc of them.  Operands are borrowed from argv, like all texts. */
static void add_operand(struct reader *reader, const char *text)
{
    assert(reader->arguments->n_operands < (size_t)reader->argc);
    reader->arguments->operands[reader->arguments->n_operands++] = text;
}

/* Reads all arguments into reader->arguments, whose lists are large enough.  After "--"
 * nothing is an option, also not what looks like one: those are the words of a program. */
static pare_status read_all(struct reader *reader)
{
    pare_arguments *arguments = reader->arguments;
    bool ended = false;
    for (reader->at = 0; reader->at < reader->argc; reader->at++) {
        const char *text = reader->argv[reader->at];
        pare_status status = PARE_OK;
        /* "-" alone is an operand: standard input. */
        if (ended || text[0] != '-' || !text[1]) {
            add_operand(reader, text);
        } else if (strcmp(text, "--") == 0) {
            ended = true;
            arguments->n_before_dashes = arguments->n_operands;
        } else if (text[1] == '-') {
            status = read_long(reader, text + 2);
        } else {
            status = read_letters(reader, text + 1);
        }
        if (status != PARE_OK) return status;
    }
    if (!ended) arguments->n_before_dashes = arguments->n_operands;
    return PARE_OK;
}

/* On failure *arguments is empty, so pare_options_done is allowed and not needed. */
pare_status pare_options_parse(const pare_option_set *set, int argc, char *const *argv,
                               pare_arguments *arguments, pare_error *err)
{
    pare_arguments result = {.words = argv, .n_words = (size_t)argc};
    struct reader reader = {
        .set = set, .argc = argc, .argv = argv, .arguments = &result, .err = err};
    /* Lists of no entries are not NULL (base/alloc.h), so NULL means that memory is out. */
    pare_status status = PARE_E_NOMEM;
    result.values = pare_alloc_zero(set->n_options, sizeof *result.values);
    result.texts = pare_alloc_zero((size_t)argc, sizeof *result.texts);
    result.operands = pare_alloc_zero((size_t)argc, sizeof *result.operands);
    if (result.values && result.texts && result.operands)
        status = read_all(&reader);
    else
        (void)pare_fail_nomem(err);
    if (status != PARE_OK) pare_options_done(&result);
    *arguments = result;
    return status;
}

/* ---- help ---------------------------------------------------------------------------- */

/* Columns: of a line at most, where the help of an option begins, where the text of a row
 * begins; and room for the names of an option. */
enum { WIDTH = 79, HELP_COLUMN = 26, NAME_COLUMN = 20, HEAD_BYTES = 80 };

/* Prints `text` in a column that begins after `indent` spaces; the line stands at `column`. */
static void print_text(FILE *out, const char *text, size_t indent, size_t column)
{
    fprintf(out, "%*s", column < indent ? (int)(indent - column) : 0, "");
    pare_format_wrap(out, text, indent, column < indent ? indent : column, WIDTH);
}

/* The names in the left column, the text in the right one; on a line of its own after
 * names that are too long for it:
 * "  -j, --jobs N            tests to run at once", where the value stands in the left
 * column, as it is typed. */
static void print_option(FILE *out, const pare_option *option)
{
    char head[HEAD_BYTES];
    int length = option->letter ? snprintf(head, sizeof head, "  -%c, ", option->letter)
                                : snprintf(head, sizeof head, "      ");
    length += snprintf(head + length, sizeof head - (size_t)length, "--%s%s%s", option->name,
                       option->value ? " " : "", option->value ? option->value : "");
    fputs(head, out);
    size_t column = (size_t)length;
    if (column + 2 > HELP_COLUMN) {
        fputc('\n', out);
        column = 0;
    }
    print_text(out, option->help, HELP_COLUMN, column);
}

/* --help takes one word, "all", and the parser has refused any other. */
pare_help_extent pare_options_help_extent(pare_option_value value)
{
    return value.text ? PARE_HELP_ALL : PARE_HELP_COMMON;
}

/* The options of one group, with its heading; nothing if the command knows none of them.  The
 * group NULL is the common one. */
static void print_group(FILE *out, const pare_option *table, size_t n_options, unsigned command,
                        const char *group)
{
    size_t n_printed = 0;
    for (size_t i = 0; i < n_options; i++) {
        if (!(table[i].commands & command) || table[i].group != group) continue;
        if (n_printed++ == 0) fprintf(out, "%s%s:\n", group ? "\n" : "", group ? group : "Options");
        print_option(out, &table[i]);
    }
}

/* Groups come in the order of their first options in the table.  O(options^2), of some
 * ninety. */
void pare_options_print_help(FILE *out, const pare_option *table, size_t n_options,
                             unsigned command, pare_help_extent extent)
{
    print_group(out, table, n_options, command, NULL);
    if (extent == PARE_HELP_COMMON) return;
    for (size_t i = 0; i < n_options; i++) {
        size_t first = 0;
        /* Groups are told apart by the address of their heading, which the table shares. */
        while (table[first].group != table[i].group)
            first++;
        if (first == i && table[i].group)
            print_group(out, table, n_options, command, table[i].group);
    }
}

/* A name and what it means, as in the lists of algorithms and units. */
static void print_row(FILE *out, const char *name, const char *text)
{
    int length = fprintf(out, "  %s ", name);
    print_text(out, text, NAME_COLUMN, length > 0 ? (size_t)length : 0);
}

/* From the library's tables, so that a new algorithm is listed by being there. */
void pare_options_print_algorithms(FILE *out)
{
    fputs("Algorithms (--algorithm), [1] where the result is 1-minimal:\n", out);
    const pare_algorithm_info *algorithm;
    for (size_t i = 0; (algorithm = pare_algorithm_at(i)) != NULL; i++) {
        print_row(out, algorithm->name, algorithm->summary);
        fprintf(out, "%*s%s", NAME_COLUMN, "", algorithm->one_minimal ? "[1] " : "");
        print_text(out, algorithm->source, NAME_COLUMN,
                   NAME_COLUMN + (algorithm->one_minimal ? 4 : 0));
    }
    fputs("\nUnits (--unit):\n", out);
    const pare_unit_info *unit;
    for (size_t i = 0; (unit = pare_unit_at(i)) != NULL; i++)
        print_row(out, unit->name, unit->summary);
}
