/* What the programs of a test did, read from the records of a watched run.
 *
 * Of all processes those are told that were given the candidate: as an argument or as standard input, also a
 * copy of it.  A program may instead find it in its folder by a name that is in it; so where none was given
 * it, those are told that did not end with 0.  Shells, wrappers (timeout) and tools that copy, search and
 * compare are left out, and so is what a program that is told started itself: the author of the test wrote
 * "gcc", and not what gcc runs.
 *
 * Of what a program printed one line is told: the first of its end that has a word in it which names an error,
 * else the last one.  Both are guesses, which people can judge.
 *
 * The records were written by processes of the test, so they may hold anything: they are read as bytes of an
 * unknown source.  Invariant: nothing is told but characters that can be seen.
 * Tested by tests/unit/test_failing_programs.c and tests/cli/test_explain.sh. */
#include "run/failing_programs.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/alloc.h"
#include "base/visible.h"
#include "run/shim/watch_protocol.h"

enum {
    /* Bounds for what an unknown test may do: runs after the 2000th are not looked at, at most
     * four programs are told, and the search for a process that is told ends after 64
     * generations, so that a circle of forged parents cannot hold it up. */
    MOST_RUNS = 2000,
    MOST_TOLD = 4,
    MOST_ANCESTORS = 64,
    COMMAND_COLUMNS = 90,  /* of a command; what is longer is cut */
    MESSAGE_COLUMNS = 320, /* of what it printed */
    NO_RUN = -1
};

/* A program that a process ran; slices of the records. */
struct run {
    const char *pid, *parent; /* as texts: they are compared only */
    bool is_given;            /* the candidate */
    const char *program;
    const char *words[PARE_WATCH_WORDS];
    size_t n_words;
    bool is_replaced; /* the same process ran another program later */
    bool has_ended;
    int status;       /* as waitpid has it */
    const char *tail; /* of what it printed */
    bool is_told;
};

/* In the order in which they were started; an index into `items` names a run. */
struct runs {
    struct run *items; /* owned */
    size_t n;
    const char *name; /* of the candidate */
};

/* ---- records ------------------------------------------------------------------------- */

/* The field at *at, up to its NUL byte; NULL: there are no more. *at moves behind it. Fields
 * are borrowed from the records, which stay as long as the runs do. */
static const char *take(const char **at, const char *end)
{
    const char *field = *at;
    const char *stop = field < end ? memchr(field, '\0', (size_t)(end - field)) : NULL;
    if (stop) *at = stop + 1;
    return stop ? field : NULL;
}

/* A number of at most nine digits. False if the field is none, and then the record is damaged.
 * Nine digits always fit. */
static bool take_number(const char **at, const char *end, unsigned *number)
{
    const char *field = take(at, end);
    if (!field || !isdigit((unsigned char)*field) || strlen(field) > 9) return false;
    char *stop;
    *number = (unsigned)strtoul(field, &stop, 10);
    return *stop == '\0';
}

/* The last run of the process; NO_RUN: it has none. A process that called exec has several runs
 * with one pid, of which the last one is under way. */
static long last_of(const struct runs *runs, const char *pid)
{
    for (size_t k = runs->n; k-- > 0;)
        if (strcmp(runs->items[k].pid, pid) == 0) return (long)k;
    return NO_RUN;
}

/* Reads the record of a program that was started: pid, parent, whether it was given the
 * candidate, two fields that are not needed here, the file, and a number of words that so many
 * fields follow. False: it is damaged. Records after the MOST_RUNSth are read, to find those
 * behind them, and forgotten. */
static bool read_run(const char **at, const char *end, struct runs *runs)
{
    unsigned given, n;
    struct run run = {.tail = ""};
    const bool read = (run.pid = take(at, end)) && (run.parent = take(at, end)) &&
                      take_number(at, end, &given) && take(at, end) && take(at, end) &&
                      (run.program = take(at, end)) && take_number(at, end, &n);
    if (!read || !n || n > PARE_WATCH_WORDS) return false;
    for (run.n_words = 0; run.n_words < n; run.n_words++)
        if (!(run.words[run.n_words] = take(at, end))) return false;
    /* The same process ran something before: exec has put this program in its place. */
    const long before = last_of(runs, run.pid);
    if (before != NO_RUN) runs->items[before].is_replaced = true;
    run.is_given = given == 1;
    if (runs->n < MOST_RUNS) runs->items[runs->n++] = run;
    return true;
}

/* Reads the record of a process that ended: pid, status, the end of what it printed. It is
 * about the last program that the process ran; a process of which no start is known is skipped.
 * False: the record is damaged. */
static bool read_end(const char **at, const char *end, struct runs *runs)
{
    unsigned status;
    const char *pid = take(at, end), *tail;
    if (!pid || !take_number(at, end, &status) || !(tail = take(at, end))) return false;
    const long k = last_of(runs, pid);
    if (k == NO_RUN) return true;
    runs->items[k].has_ended = true;
    runs->items[k].status = (int)status;
    runs->items[k].tail = tail;
    return true;
}

/* A record that is damaged ends them: what follows cannot be found. */
static void read_records(const char *at, const char *end, struct runs *runs)
{
    for (bool reads = true; reads;) {
        const char *magic = take(&at, end);
        reads = magic && ((strcmp(magic, PARE_WATCH_RUN_MAGIC) == 0 && read_run(&at, end, runs)) ||
                          (strcmp(magic, PARE_WATCH_END_MAGIC) == 0 && read_end(&at, end, runs)));
    }
}

/* ---- which are told ------------------------------------------------------------------ */

/* Shells, wrappers, and tools of tests, by the name of their file. */
static bool is_tool(const struct run *run)
{
    static const char *const tools[] = {
        "sh",      "dash",         "bash",    "ksh",      "zsh",       "busybox", "env",
        "timeout", "nice",         "ionice",  "nohup",    "setsid",    "stdbuf",  "setarch",
        "taskset", "prlimit",      "unshare", "setpriv",  "xargs",     "time",    "cp",
        "mv",      "rm",           "ln",      "mkdir",    "mktemp",    "cat",     "tac",
        "head",    "tail",         "wc",      "tr",       "cut",       "sort",    "uniq",
        "tee",     "sed",          "grep",    "egrep",    "fgrep",     "awk",     "mawk",
        "gawk",    "original-awk", "cmp",     "diff",     "ls",        "stat",    "touch",
        "chmod",   "basename",     "dirname", "readlink", "realpath",  "test",    "[",
        "true",    "false",        "expr",    "seq",      "sleep",     "date",    "od",
        "xxd",     "hexdump",      "md5sum",  "sha1sum",  "sha256sum", "strings", "find",
        "printf",  "echo",         "kill",    "ps",       "id",        "uname",   "locale",
        "make"};
    const char *slash = strrchr(run->program, '/'), *name = slash ? slash + 1 : run->program;
    for (size_t k = 0; k < sizeof tools / sizeof *tools; k++)
        if (strcmp(name, tools[k]) == 0) return true;
    return false;
}

/* The first process is the shell that starts the test, and what it runs first is the test itself.
 *
 * The shell's own pid may have several runs, all of which are the test (exec); a child of the
 * shell is the test if it has no run before this one. A second run of such a child is a program
 * again: the test was "sh -c 'exec gcc in.c'". */
static bool is_test(const struct runs *runs, size_t index)
{
    const struct run *run = &runs->items[index];
    if (!index || strcmp(run->pid, runs->items[0].pid) == 0) return true;
    if (strcmp(run->parent, runs->items[0].pid) != 0) return false;
    for (size_t k = 1; k < index; k++)
        if (strcmp(runs->items[k].pid, run->pid) == 0) return false; /* exec, in the test's place */
    return true;
}

/* Whether one of the processes above it is reported already. A process whose parent is not in
 * the records has no ancestors that are known. */
static bool is_started_by_told(const struct runs *runs, const struct run *run)
{
    const char *parent = run->parent;
    for (int depth = 0; depth < MOST_ANCESTORS; depth++) {
        const long k = last_of(runs, parent);
        if (k == NO_RUN) return false;
        if (runs->items[k].is_told) return true;
        parent = runs->items[k].parent;
    }
    return false;
}

/* Whether it ended with exit code 0, rather than by a signal or with another code. */
static bool is_well(const struct run *run)
{
    return WIFEXITED(run->status) && WEXITSTATUS(run->status) == 0;
}

/* Whether two runs would be told by the same command and the same end. What they printed is not
 * compared: a test that runs a program twice to compare its outputs has one line to show. */
static bool is_same(const struct run *a, const struct run *b)
{
    if (a->status != b->status || a->n_words != b->n_words) return false;
    for (size_t k = 0; k < a->n_words; k++)
        if (strcmp(a->words[k], b->words[k]) != 0) return false;
    return true;
}

/* Marks the runs that are reported, in the order in which they started: those that were given the
 * candidate (`given`), or that did not end with 0. Returns how many.
 *
 * Not told are programs that have not ended when the test did, tools, the test itself, what a
 * told program started, and what is the same as one told before. Cost: O(runs^2 *
 * MOST_ANCESTORS) at worst, where runs are at most MOST_RUNS. */
static size_t choose(struct runs *runs, bool given)
{
    size_t n = 0;
    for (size_t k = 0; k < runs->n && n < MOST_TOLD; k++) {
        struct run *run = &runs->items[k];
        if (!run->has_ended || is_tool(run) || is_test(runs, k) || is_started_by_told(runs, run))
            continue;
        if (given ? !run->is_given : is_well(run)) continue;
        bool known = false;
        for (size_t i = 0; i < k; i++)
            known = known || (runs->items[i].is_told && is_same(&runs->items[i], run));
        if (known) continue;
        run->is_told = true;
        n++;
    }
    return n;
}

/* ---- words --------------------------------------------------------------------------- */

/* Appends at most `most` columns of the text, "..." where it is cut. */
static pare_status add_cut(pare_buffer *out, const char *text, size_t size, size_t most,
                           pare_error *err)
{
    /* A character of UTF-8 has at most four bytes. */
    char shown[4 * MESSAGE_COLUMNS];
    const bool is_whole = pare_visible_width(text, size) <= most;
    const size_t taken =
        pare_visible_copy(shown, sizeof shown, text, size, is_whole ? most : most - 3);
    pare_status status = pare_buffer_text(out, shown, err);
    return status || taken == size ? status : pare_buffer_text(out, "...", err);
}

/* Appends the command as somebody would type it; the candidate, wherever it was, by its name.
 *
 * Folders are left out: of the program's path only the name is kept, and so of any word whose
 * last part is the candidate's name, as the folder is the private one of a slot. Words that a
 * shell would not read as one plain word are quoted. Example: "/usr/bin/hxtoc /tmp/x/in.html"
 * gives "hxtoc in.html". */
static pare_status add_command(pare_buffer *out, const struct runs *runs, const struct run *run,
                               pare_error *err)
{
    pare_buffer line = {0};
    pare_status status = PARE_OK;
    for (size_t k = 0; !status && k < run->n_words; k++) {
        const char *word = run->words[k], *slash = strrchr(word, '/');
        if (slash && (!k || strcmp(slash + 1, runs->name) == 0)) word = slash + 1;
        const bool is_plain = *word && !word[strcspn(word, " \t\n\"'`$&|;<>()*?[]#~\\!{}")];
        if (k) status = pare_buffer_text(&line, " ", err);
        if (!status && is_plain)
            status = pare_buffer_text(&line, word, err);
        else if (!status)
            status = pare_command_quote(&line, word, strlen(word), err);
    }
    if (!status) status = add_cut(out, line.data, line.size, COMMAND_COLUMNS, err);
    pare_buffer_done(&line);
    return status;
}

/* How much a line says of a failure: that a program announces its own says most, since a compiler that breaks has
 * often complained of its input before. */
enum line_rank { LINE_OTHER, LINE_ERROR, LINE_OWN };

/* The words are searched within words, too, and regardless of case: "AssertionError",
 * "heap-buffer-overflow". Only the first MESSAGE_COLUMNS bytes count, which is also what is
 * shown of the line. The words that say most stand first, so the first one found decides. */
static enum line_rank rank_line(const char *line, size_t size)
{
    static const struct {
        const char *word;
        enum line_rank rank;
    } words[] = {{"internal", LINE_OWN},    {"assert", LINE_OWN},    {"fatal", LINE_OWN},
                 {"panic", LINE_OWN},       {"sanitizer", LINE_OWN}, {"segfault", LINE_OWN},
                 {"error", LINE_ERROR},     {"abort", LINE_ERROR},   {"fault", LINE_ERROR},
                 {"exception", LINE_ERROR}, {"corrupt", LINE_ERROR}, {"overflow", LINE_ERROR},
                 {"invalid", LINE_ERROR}};
    char lower[MESSAGE_COLUMNS];
    size_t n = size < sizeof lower - 1 ? size : sizeof lower - 1;
    for (size_t k = 0; k < n; k++)
        lower[k] = (char)tolower((unsigned char)line[k]);
    lower[n] = '\0';
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (strstr(lower, words[k].word)) return words[k].rank;
    return LINE_OTHER;
}

/* Chooses the line of the text that is quoted: the first of those that say most, or the last one if none names an error.
 * Returns its size, 0: none. */
static size_t choose_line(const char *text, const char **line)
{
    size_t size = 0;
    enum line_rank best = LINE_OTHER;
    /* Once a line of the highest rank is found no later one can be better. */
    for (const char *at = text; *at && best < LINE_OWN;) {
        const size_t n = strcspn(at, "\r\n");
        if (n && strspn(at, " \t") < n) {
            const enum line_rank rank = rank_line(at, n);
            /* Of several errors the first counts; of lines that name none, the last. */
            if (rank > best || best == LINE_OTHER) {
                *line = at;
                size = n;
                best = rank;
            }
        }
        at += n;
        at += strspn(at, "\r\n");
    }
    return size;
}

/* Appends the line about one run: its command, how it ended, and the line that it printed, if
 * any. A signal without a name (a real-time one) is told by its number. */
static pare_status add_run(pare_buffer *lines, const struct runs *runs, const struct run *run,
                           pare_error *err)
{
    const char *line = NULL;
    const size_t size = choose_line(run->tail, &line);
    const char *abbreviation =
        WIFSIGNALED(run->status) ? sigabbrev_np(WTERMSIG(run->status)) : NULL;
    pare_status status = add_command(lines, runs, run, err);
    if (!status && abbreviation)
        status = pare_buffer_format(lines, err, ": killed by SIG%s", abbreviation);
    else if (!status && WIFSIGNALED(run->status))
        status = pare_buffer_format(lines, err, ": killed by signal %d", WTERMSIG(run->status));
    else if (!status)
        status = pare_buffer_format(lines, err, ": exit code %d", WEXITSTATUS(run->status));
    if (!status && size) status = pare_buffer_text(lines, ", and prints: ", err);
    if (!status && size) status = add_cut(lines, line, size, MESSAGE_COLUMNS, err);
    return status ? status : pare_buffer_text(lines, "\n", err);
}

/* The records follow the exit code of the test, as the script of compose prints them. If no
 * program was given the candidate, those that failed are chosen instead: they may have found it
 * in their folder. */
pare_status pare_failing_programs_tell(const char *printed, size_t size, const char *name,
                                       pare_buffer *lines, pare_error *err)
{
    const char *at = printed, *end = printed + size;
    const char *code = take(&at, end);
    struct runs runs = {.name = name};
    if (!code || strcmp(code, "0") != 0) return PARE_OK;
    runs.items = pare_alloc(MOST_RUNS, sizeof *runs.items);
    if (!runs.items) return pare_fail_nomem(err);
    read_records(at, end, &runs);
    if (!choose(&runs, true)) (void)choose(&runs, false);
    pare_status status = PARE_OK;
    for (size_t k = 0; !status && k < runs.n; k++)
        if (runs.items[k].is_told) status = add_run(lines, &runs, &runs.items[k], err);
    pare_alloc_free(runs.items);
    return status;
}

/* ---- the watched test ------------------------------------------------------------------- */

/* Composes the script. The inner shell is watched like any process, so the record also tells how
 * the test itself ended; what the test prints goes to a file, from which a line is quoted. The
 * outer shell then prints the records.
 *
 * The script, in short:
 *   file=$PWD/NAME; (export WATCH="$file" WATCH_ALL=1 LD_PRELOAD=LIBRARY...; exec /bin/sh -c
 *   '"$@"; exit $?' pare "$@" >"$file.pare-printed" 2>&1 </dev/null); printf '%d\0' $?; cat RECORDS
 * The words of the test are "$@" of the script, so they need no quoting of their own. "exit $?"
 * after the test makes sure that the inner shell stays, rather than replace itself with the
 * test. */
static pare_status compose(pare_buffer *text, const char *library, const char *name,
                           pare_error *err)
{
    pare_status status = pare_buffer_text(text, "file=$PWD/", err);
    if (!status) status = pare_command_quote(text, name, strlen(name), err);
    if (!status)
        status = pare_buffer_text(text,
                                  "; (export " PARE_WATCH_VARIABLE
                                  "=\"$file\" " PARE_WATCH_ALL_VARIABLE "=1 LD_PRELOAD=",
                                  err);
    if (!status) status = pare_command_quote(text, library, strlen(library), err);
    return status
               ? status
               : pare_buffer_text(text,
                                  "${LD_PRELOAD:+:$LD_PRELOAD}; exec /bin/sh -c '\"$@\"; exit $?' "
                                  "pare \"$@\" >\"$file.pare-printed\" 2>&1 </dev/null); "
                                  "printf '%d\\0' $?; cat -- \"$file" PARE_WATCH_SUFFIX "\"",
                                  err);
}

pare_status pare_failing_programs_watch(const pare_command *test, const char *name,
                                        pare_command *out, pare_error *err)
{
    return pare_command_wrap_with(test, PARE_SHIM_WATCH, name, compose, out, err);
}
