/* The table of options, and what their values may be.
 *
 * One row for each option: its section, how its value is read, its default, and a line of help, so
 * that the reader, `pare fuzz check`, its help and the manual cannot disagree.  Adding an option
 * means adding a row and nothing else.
 *
 * Numbers are read by hand: strtoull takes signs and blanks, and strtod depends on the locale. */

#include "campaign/campaign_keys.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Kinds of sections in the order of the canonical text; "define" is the only
 * one without options in the table. */
static const char *const kinds[] = {"campaign", "target", "source", "report", "listener", "define"};
enum { N_KINDS = sizeof kinds / sizeof *kinds, SHOWN_BYTES = 160 };

/* Fields of a row: section, option, kind of value, default, what its value is
 * called in help, one line of help. An empty default means that the option is
 * not given.
 *
 * Invariants: rows of a section stand together; a CHOICE lists its words
 * between "|", and its default is one of them or empty; the order of these words
 * is that of the enum by which the reader of the option switches. */
static const pare_campaign_key keys[] = {
    /* ---- the campaign as a whole ---- */
    {"campaign", "name", PARE_KEY_TEXT, "", "NAME",
     "name of the campaign; default the file's name"},
    {"campaign", "store", PARE_KEY_PATH, "", "FILE",
     "file for the findings; default NAME.pare.db beside the file"},
    {"campaign", "jobs", PARE_KEY_WHOLE, "0", "N",
     "slots that jobs share by their cost; 0: as many as there are processors"},
    {"campaign", "max_time", PARE_KEY_TIME, "", "TIME",
     "how long a run takes; default until it is stopped"},
    {"campaign", "max_tests", PARE_KEY_WHOLE, "0", "N", "how many tests a run makes; 0: no limit"},
    {"campaign", "seed", PARE_KEY_WHOLE, "0", "N",
     "seed of all sources that have none of their own"},
    {"campaign", "reduce", PARE_KEY_FLAG, "yes", "yes|no", "reduce new findings"},
    {"campaign", "validate_after_update", PARE_KEY_FLAG, "yes", "yes|no",
     "validate all findings of a target after its update"},
    {"campaign", "workers", PARE_KEY_TEXT, "", "URL",
     "also run tests on the workers of a NATS server: nats://HOST[:PORT][/NAME], see "
     "pare-worker(1)"},
    {"campaign", "credentials", PARE_KEY_PATH, "", "FILE",
     "file with our credentials for that server"},
    {"campaign", "insecure", PARE_KEY_FLAG, "no", "yes|no",
     "connect without credentials even if the server is another machine"},
    {"campaign", "with", PARE_KEY_PATHS, "", "FILE ...",
     "further files that workers need, besides those that the commands name"},
    {"campaign", "minutes", PARE_KEY_WHOLE, "10", "N", "how long 'pare fuzz ci' takes"},

    /* ---- targets: what is run ---- */
    {"target", "command", PARE_KEY_COMMAND, "", "COMMAND",
     "the program; @@ is the input's path; without @@ the input comes on standard input"},
    {"target", "kind", PARE_KEY_CHOICE, "program", "program|stdin|worker|inprocess|afl",
     "how the program takes inputs"},
    {"target", "runner", PARE_KEY_CHOICE, "auto", "auto|spawn|preload|afl|inprocess",
     "how its processes are started"},
    {"target", "finding", PARE_KEY_CHOICE, "crash", "crash|error|any|test",
     "what counts as a finding: crashes; also uncaught exceptions; also any exit code but 0; "
     "only what the options below name"},
    {"target", "identity", PARE_KEY_CHOICE, "frame", "frame|type|message|exact",
     "what two failures must have in common to be one finding"},
    {"target", "ignore_frames", PARE_KEY_LINES, "", "REGEX",
     "stack frames to skip, one pattern a line"},
    {"target", "ignore_lines", PARE_KEY_LINES, "", "REGEX",
     "lines of output that are no failures, such as messages that a sanitizer prints at every "
     "start; one pattern a line"},
    {"target", "exit", PARE_KEY_TEXT, "", "N|nonzero", "exit code of a finding"},
    {"target", "signal", PARE_KEY_TEXT, "", "SIGNAL", "signal of a finding, such as SEGV"},
    {"target", "stdout", PARE_KEY_LINES, "", "REGEX",
     "patterns that standard output must match, one a line"},
    {"target", "stderr", PARE_KEY_LINES, "", "REGEX",
     "patterns that standard error must match, one a line"},
    {"target", "output", PARE_KEY_LINES, "", "REGEX",
     "patterns that one of the two must match, one a line"},
    {"target", "no_output", PARE_KEY_LINES, "", "REGEX",
     "patterns that neither may match, one a line"},
    {"target", "message", PARE_KEY_TEXT, "", "TEXT",
     "if the program reports several problems: the one that contains this text"},
    {"target", "hang", PARE_KEY_TIME, "", "TIME", "a run that takes longer than this is a finding"},
    {"target", "differs", PARE_KEY_COMMAND, "", "COMMAND",
     "another program: a difference in exit code or standard output is a finding"},
    {"target", "valid", PARE_KEY_COMMAND, "", "COMMAND",
     "command that exits with 0 on valid inputs; a failure of another input is no finding"},
    {"target", "timeout", PARE_KEY_TIME, "", "TIME", "time limit of one test"},
    {"target", "memory", PARE_KEY_SIZE, "", "SIZE", "memory limit of each process of a test"},
    {"target", "cpu", PARE_KEY_TIME, "", "TIME", "processor time limit of each process of a test"},
    {"target", "processes", PARE_KEY_WHOLE, "0", "N",
     "how many processes a test may have; 0: the sandbox's default"},
    {"target", "file_size", PARE_KEY_SIZE, "", "SIZE",
     "size limit of each file that a test writes"},
    {"target", "sandbox", PARE_KEY_CHOICE, "default", "default|off|devices|full",
     "what a test sees of the system"},
    {"target", "network", PARE_KEY_FLAG, "no", "yes|no", "tests may use the host's network"},
    {"target", "writable", PARE_KEY_PATHS, "", "PATH ...", "paths that tests may write to"},
    {"target", "visible", PARE_KEY_PATHS, "", "PATH ...",
     "paths that a full sandbox would hide but tests need, such as the socket of a service"},
    {"target", "env", PARE_KEY_LINES, "", "NAME=VALUE",
     "environment of tests, one variable a line"},
    {"target", "suffix", PARE_KEY_TEXT, "", ".EXT", "suffix of the input's file name"},
    {"target", "lang", PARE_KEY_TEXT, "", "NAME", "language of the inputs, for reductions"},
    {"target", "grammar", PARE_KEY_PATHS, "", "FILE ...",
     "grammar of the inputs, for reductions; default that of the source"},
    {"target", "start", PARE_KEY_TEXT, "", "RULE", "start rule of the grammar"},
    {"target", "reduce", PARE_KEY_FLAG, "yes", "yes|no", "reduce new findings of this target"},
    {"target", "reduce_command", PARE_KEY_COMMAND, "", "COMMAND",
     "command that reductions and validations run instead of 'command'"},
    {"target", "reduce_time", PARE_KEY_TIME, "5m", "TIME", "time limit of a reduction"},
    {"target", "reduce_jobs", PARE_KEY_WHOLE, "1", "N", "slots of a reduction"},
    {"target", "validate_runs", PARE_KEY_WHOLE, "3", "N",
     "runs of each validation; 0: results are not validated after their reduction"},
    {"target", "version", PARE_KEY_COMMAND, "", "COMMAND",
     "command whose first line of output is the program's version"},
    {"target", "update", PARE_KEY_COMMAND, "", "COMMAND",
     "command that brings the program up to date"},
    {"target", "update_when", PARE_KEY_COMMAND, "", "WHEN",
     "when to update: always; age PATH TIME; git FOLDER [REVISION]; package NAME"},
    {"target", "update_cost", PARE_KEY_WHOLE, "0", "N", "slots of an update; 0: all"},
    {"target", "versions", PARE_KEY_LINES, "", "NAME COMMAND",
     "versions for 'pare fuzz bisect', the oldest first, one a line"},
    {"target", "coverage", PARE_KEY_CHOICE, "none", "none|afl",
     "how to know what an input reaches: afl means that AFL++'s compilers built the program"},
    {"target", "coverage_by", PARE_KEY_COMMAND, "", "COMMAND",
     "or: a command that prints what an input reaches, one item a line"},
    {"target", "cost", PARE_KEY_WHOLE, "1", "N", "slots of a fuzz job"},

    /* ---- sources: where inputs come from ---- */
    {"source", "kind", PARE_KEY_CHOICE, "",
     "grammar|lang|population|model|graph|random|mutation|choice|folder|command|prints|afl|"
     "libfuzzer|recorded",
     "how inputs are made"},
    {"source", "targets", PARE_KEY_WORDS, "", "NAME ...",
     "targets that get its inputs; default all"},
    {"source", "weight", PARE_KEY_REAL, "1", "W", "its share of the fuzz jobs"},
    {"source", "instances", PARE_KEY_WHOLE, "1", "N",
     "how many of its jobs may run at once for each target"},
    {"source", "batch", PARE_KEY_WHOLE, "0", "N", "tests of a job; 0: as many as fit its time"},
    {"source", "seed", PARE_KEY_WHOLE, "", "N",
     "seed of its random choices; default the campaign's"},
    {"source", "grammar", PARE_KEY_PATHS, "", "FILE ...", "files of the grammar"},
    {"source", "lang", PARE_KEY_TEXT, "", "NAME", "a language of 'pare lang'"},
    {"source", "start", PARE_KEY_TEXT, "", "RULE", "start rule of the texts"},
    {"source", "model", PARE_KEY_NAMED, "", "FILE|NAME",
     "file made by 'pare learn', or an added model"},
    {"source", "graph", PARE_KEY_PATH, "", "FILE",
     "a prototype graph; if the file is missing, the target is explored at first use"},
    {"source", "evolve", PARE_KEY_FLAG, "yes", "yes|no",
     "if the target reports coverage, also make texts from inputs that reached something new"},
    {"source", "population", PARE_KEY_PATHS, "", "PATH ...",
     "files and folders from which texts are made"},
    {"source", "files", PARE_KEY_PATHS, "", "GLOB ...",
     "kind folder: the inputs; kind afl: the seeds"},
    {"source", "command", PARE_KEY_COMMAND, "", "COMMAND",
     "command that makes inputs: it writes files into its current directory, or prints them"},
    {"source", "time", PARE_KEY_TIME, "1m", "TIME", "time limit of one call of the command"},
    {"source", "max_depth", PARE_KEY_WHOLE, "0", "N",
     "how deep rules may nest; 0: the default of 'pare generate'"},
    {"source", "max_tokens", PARE_KEY_WHOLE, "0", "N", "how many tokens a text may have"},
    {"source", "cooldown", PARE_KEY_REAL, "0", "F",
     "factor for the weight of an alternative each time it is taken"},
    {"source", "unusual", PARE_KEY_REAL, "0", "P",
     "probability, 0 to 1, that a character is drawn from its whole set"},
    {"source", "weights", PARE_KEY_PATH, "", "FILE", "file with weights of alternatives"},
    {"source", "hooks", PARE_KEY_PATH, "", "FILE",
     "Lua file with functions that are called around rules"},
    {"source", "max_calls", PARE_KEY_WHOLE, "0", "N",
     "how many functions of the graph an expression may call"},
    {"source", "keep_values", PARE_KEY_REAL, "0", "P",
     "probability, 0 to 1, that a text keeps a value in a variable and goes on"},
    {"source", "graph_rule", PARE_KEY_TEXT, "", "RULE",
     "rule that is replaced by expressions of the graph"},
    {"source", "graph_share", PARE_KEY_REAL, "0", "P", "probability, 0 to 1, that it is replaced"},
    {"source", "roles", PARE_KEY_LINES, "", "NAME OPTIONS",
     "kind afl: one instance a line; the first is the main one"},
    {"source", "dictionary", PARE_KEY_PATH, "", "FILE", "dictionary for AFL and libFuzzer"},
    {"source", "environment", PARE_KEY_LINES, "", "NAME=VALUE",
     "environment of the source's own programs, one variable a line"},

    /* ---- where findings are told ---- */
    {"report", "to", PARE_KEY_TEXT, "folder", "folder|github|gitlab|bugzilla", "kind of tracker"},
    {"report", "url", PARE_KEY_TEXT, "", "URL", "address of the tracker; of a folder: its path"},
    {"report", "project", PARE_KEY_TEXT, "", "NAME",
     "OWNER/NAME on GitHub, a number or a path on GitLab"},
    {"report", "product", PARE_KEY_TEXT, "", "NAME", "product in Bugzilla"},
    {"report", "component", PARE_KEY_TEXT, "", "NAME", "component in Bugzilla"},
    {"report", "version", PARE_KEY_TEXT, "", "NAME",
     "version of the product in Bugzilla; default unspecified"},
    {"report", "labels", PARE_KEY_TEXT, "", "LABEL, ...",
     "labels of the issue; keywords in Bugzilla"},
    {"report", "token_file", PARE_KEY_PATH, "", "FILE", "file that holds the token"},
    {"report", "token_env", PARE_KEY_TEXT, "", "NAME", "environment variable that holds the token"},
    {"report", "timeout", PARE_KEY_TIME, "30s", "TIME", "time limit of a request to the tracker"},
    {"report", "template", PARE_KEY_PATH, "", "FILE", "template of the text"},
    {"report", "title", PARE_KEY_TEXT, "", "TEXT", "template of the title"},
    {"report", "lua", PARE_KEY_PATH, "", "FILE", "Lua file with functions for the templates"},
    {"report", "auto", PARE_KEY_FLAG, "no", "yes|no",
     "report a finding as soon as it is reduced and valid"},

    /* ---- commands on events ---- */
    {"listener", "events", PARE_KEY_WORDS, "new reduced fixed regressed", "EVENT ...",
     "new, reduced, validated, fixed, regressed, invalid, merged, split, reported, edited, "
     "updated, trouble"},
    {"listener", "command", PARE_KEY_COMMAND, "", "COMMAND",
     "command that gets the event as JSON on its standard input"},
    {"listener", "timeout", PARE_KEY_TIME, "1m", "TIME", "time limit of the command"},
    {"listener", "mail", PARE_KEY_TEXT, "", "ADDRESS", "address that gets a mail by sendmail"},
    {"listener", "targets", PARE_KEY_WORDS, "", "NAME ...",
     "only events of findings of these targets; default all"},
};
enum { N_KEYS = sizeof keys / sizeof *keys };

/* Row `i` of the table, or NULL after the last. Its order is that of the help,
 * of the manual and of the canonical text. */
const pare_campaign_key *pare_campaign_key_at(size_t i)
{
    return i < N_KEYS ? &keys[i] : NULL;
}

/* Kind `i` of sections, or NULL after the last. */
const char *pare_campaign_kind_at(size_t i)
{
    return i < N_KINDS ? kinds[i] : NULL;
}

/* The row of an option, or NULL. A walk over the table, which is asked once for
 * each option of a file. */
const pare_campaign_key *pare_campaign_key_find(const char *section, const char *name)
{
    for (size_t i = 0; i < N_KEYS; i++)
        if (!strcmp(keys[i].section, section) && !strcmp(keys[i].name, name)) return &keys[i];
    return NULL;
}

/* ---- values ------------------------------------------------------------------------ */

/* Each reader returns false for a text that is no such value; what it has written then counts for
 * nothing. */

/* A decimal digit. Not isdigit, which depends on the locale. */
static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Reads a flag; also the words that other formats have for it. Each "no" stands
 * before its "yes" in the list. */
static bool read_flag(const char *text, uint64_t *number)
{
    static const char *const words[] = {"no", "yes", "off", "on", "false", "true", "0", "1"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!strcmp(text, words[i])) {
            *number = i % 2;
            return true;
        }
    return false;
}

/* Reads digits up to `most`, which is checked before each step so that nothing
 * overflows. *end is what follows them. False: no digit, or too large. */
static bool read_digits(const char *text, uint64_t most, uint64_t *number, const char **end)
{
    uint64_t value = 0;
    const char *at = text;
    for (; is_digit(*at); at++) {
        if (value > (most - (uint64_t)(*at - '0')) / 10) return false;
        value = 10 * value + (uint64_t)(*at - '0');
    }
    *number = value, *end = at;
    return at > text;
}

/* Reads a whole number up to the largest that SQLite can keep. */
static bool read_whole(const char *text, uint64_t *number)
{
    const char *end;
    return read_digits(text, INT64_MAX, number, &end) && !*end;
}

/* Reads digits with or without a fraction; *end is what follows them. ".5" and
 * "5." are numbers, "." is none. Whole parts go up to 2^50. */
static bool read_decimal(const char *text, double *real, const char **end)
{
    uint64_t whole = 0;
    const char *at = text;
    double part = 0, weight = 1;
    if (is_digit(*at) && !read_digits(at, UINT64_C(1) << 50, &whole, &at)) return false;
    bool has_digits = at > text;
    if (*at == '.')
        for (at++; is_digit(*at); at++, has_digits = true)
            part += (weight /= 10) * (double)(*at - '0');
    *real = (double)whole + part, *end = at;
    return has_digits;
}

/* Reads a number from 0 on: no option may be negative. */
static bool read_real(const char *text, double *real)
{
    const char *end;
    return read_decimal(text, real, &end) && !*end;
}

/* Reads a time in ms. Without a unit it is seconds, as on the command line. At
 * most 10^15 ms, so that sums of times do not overflow. */
static bool read_time(const char *text, uint64_t *ms)
{
    static const struct {
        const char *name;
        double ms;
    } units[] = {{"", 1000},     {"ms", 1},        {"s", 1000},      {"m", 60000},
                 {"min", 60000}, {"h", 3600000.0}, {"d", 86400000.0}};
    const char *unit;
    double real;
    if (!read_decimal(text, &real, &unit)) return false;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (!strcmp(unit, units[i].name) && real * units[i].ms < 1e15) {
            /* Rounded up: what is above 0 never becomes 0, which means none. */
            *ms = (uint64_t)(real * units[i].ms);
            *ms += (double)*ms < real * units[i].ms;
            return *ms > 0;
        }
    return false;
}

/* Reads a size in bytes, up to 2^62. Units are powers of 1024, in either case,
 * without a "B". */
static bool read_size(const char *text, uint64_t *bytes)
{
    static const char units[] = "KMGT";
    const char *end;
    if (!read_digits(text, UINT64_C(1) << 60, bytes, &end)) return false;
    const char *unit = *end ? strchr(units, *end & ~0x20) : NULL;
    if (*end && (!unit || !*unit || end[1])) return false;
    unsigned shift = unit ? 10 * (unsigned)(unit - units + 1) : 0;
    if (*bytes > (UINT64_C(1) << 62) >> shift) return false;
    *bytes <<= shift;
    return true;
}

/* Reads a word of `choices` ("a|b|c") and gives its index; enums that are
 * switched by it have the same order. */
static bool read_choice(const char *choices, const char *text, uint64_t *index)
{
    size_t length = strlen(text);
    for (*index = 0;; *index += 1) {
        size_t word = strcspn(choices, "|");
        if (word == length && !strncmp(choices, text, length)) return true;
        if (!choices[word]) return false;
        choices += word + 1;
    }
}

/* What a key of this kind takes, as a noun for the message. */
static const char *describe(const pare_campaign_key *key)
{
    switch (key->kind) {
    case PARE_KEY_FLAG: return "yes or no";
    case PARE_KEY_WHOLE: return "a whole number";
    case PARE_KEY_REAL: return "a number such as 2 or 0.5";
    case PARE_KEY_TIME: return "a time above 0, such as 2, 500ms, 5m or 1h";
    case PARE_KEY_SIZE: return "a size such as 500M or 2G";
    default: return key->values;
    }
}

/* Checks a value by the kind of its key. Texts, paths, lines and commands are
 * taken as they are; those who use them know what they may be. */
pare_status pare_campaign_key_read(const pare_campaign_key *key, const char *text, uint64_t *number,
                                   double *real, pare_error *err)
{
    assert(key->kind != PARE_KEY_CHOICE || *key->values);
    bool good = true;
    *number = 0, *real = 0;
    switch (key->kind) {
    case PARE_KEY_FLAG: good = read_flag(text, number); break;
    case PARE_KEY_WHOLE: good = read_whole(text, number); break;
    case PARE_KEY_REAL: good = read_real(text, real); break;
    case PARE_KEY_TIME: good = read_time(text, number); break;
    case PARE_KEY_SIZE: good = read_size(text, number); break;
    case PARE_KEY_CHOICE: good = read_choice(key->values, text, number); break;
    default: break;
    }
    if (good) return PARE_OK;
    return pare_fail(err, PARE_E_SYNTAX, "'%s' takes %s%s, not '%.*s'", key->name,
                     key->kind == PARE_KEY_CHOICE ? "one of " : "", describe(key), SHOWN_BYTES,
                     text);
}
