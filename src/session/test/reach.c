/* One run of an interpreter that says what it executes.
 *
 * A row of the table below is a language: which names its interpreters go by, and the script of
 * recorders/ that has one say what it executes.  Of several interpreters that are installed the one
 * that the test names is taken (in the words of a program, or in the text of a script), else the
 * first of the row: a test that runs mujs has node as its stand-in.
 *
 * The run is beside the tests (session/test/side_run.h), in a cell or not at all: the test may never
 * execute its input, and the script may be hostile.  A shell moves standard output to descriptor 9, a file in
 * memory that is read afterwards, and gives the interpreter /dev/null instead: what the script
 * prints costs nothing and is not mistaken for the report.  Whatever goes wrong means that nothing
 * is known; only lack of memory is an error.
 * Invariant: the text alone decides, so a resumed run gets the same reach and takes the same steps.
 * Source: ours; by which means each interpreter tells is said in its script. */
#include "session/test/reach.h"

#include <ctype.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "os/executable.h"
#include "os/file.h"
#include "run/command.h"
#include "session/read_input.h"
#include "session/test/reach_recorders.h"
#include "session/test/side_run.h"

enum {
    SCRIPT_BYTES = 1 << 20, /* of a test: larger files are no scripts */
    MOST_INTERPRETERS = 4
};

/* What the shell does before it becomes the interpreter. $1 is the path of the recording script, $2
 * the engine that it is meant for. */
static const char WRAPPER[] = "exec 9>&1 >/dev/null; PARE_REACH=$1; PARE_REACH_FOR=$2; "
                              "export PARE_REACH PARE_REACH_FOR; shift 2; exec \"$@\"";

/* A language of scripts. */
static const struct recorder {
    const char *language, *suffixes;             /* as packs have them; blank-separated */
    const char *family;                          /* what the names of its interpreters begin with */
    const char *interpreters[MOST_INTERPRETERS]; /* those to look for, best first */
    const char *option;                          /* a script as its argument */
    const char *script;
    bool is_file_last; /* the interpreter itself is given the script's path */
} RECORDERS[] = {
    {"javascript", "js mjs cjs", "node", {"node", "nodejs"}, "-e", pare_reach_node, false},
    {"python", "py pyw", "python", {"python3", "python"}, "-c", pare_reach_python, false},
    {"lua", "lua", "lua", {"lua", "lua5.4", "lua5.1", "luajit"}, "-e", pare_reach_lua, true},
    {"ruby", "rb", "ruby", {"ruby"}, "-e", pare_reach_ruby, false},
    {"php", "php", "php", {"php"}, "-r", pare_reach_php, false},
    {"perl", "pl pm t", "perl", {"perl"}, "-e", pare_reach_perl, false},
};

/* Whether `word` is one of the blank-separated `words`. */
static bool is_among(const char *word, const char *words)
{
    const size_t size = strlen(word);
    for (const char *at = words; size && (at = strstr(at, word)); at += size)
        if ((at == words || at[-1] == ' ') && (at[size] == ' ' || !at[size])) return true;
    return false;
}

/* NULL: scripts of this language are not recorded. */
static const struct recorder *find_recorder(const pare_reach_task *task)
{
    const char *name = pare_read_input_base_name(task->input);
    const char *dot = name ? strrchr(name, '.') : NULL;
    for (size_t i = 0; i < sizeof RECORDERS / sizeof *RECORDERS; i++) {
        const struct recorder *recorder = &RECORDERS[i];
        if (task->language ? strcmp(task->language, recorder->language) == 0
                           : dot && is_among(dot + 1, recorder->suffixes))
            return recorder;
    }
    return NULL;
}

/* ---- which interpreter ----------------------------------------------------------------- */

/* Whether `name` is one of the family, with or without a version: lua5.1, luajit, python3. */
static bool is_of_family(const char *name, size_t size, const char *family)
{
    const size_t stem = strlen(family);
    if (size < stem || memcmp(name, family, stem) != 0) return false;
    if (size == stem + 3 && memcmp(name + stem, "jit", 3) == 0) return true;
    for (size_t i = stem; i < size; i++)
        if (!isdigit((unsigned char)name[i]) && name[i] != '.') return false;
    return true;
}

/* A byte of the name of a program. */
static bool is_name_byte(char c)
{
    return isalnum((unsigned char)c) || c == '.' || c == '_' || c == '-' || c == '+' || c == '/';
}

/* Finds the program of that name in PATH; *path stays NULL if it is not there. */
static pare_status look_up(const char *name, char **path, pare_error *err)
{
    return pare_executable_find(name, path, NULL) == PARE_E_NOMEM ? pare_fail_nomem(err) : PARE_OK;
}

/* Finds the first word of `text` that names an installed interpreter of the family. On PARE_OK the
 * caller owns *path; NULL: none is named. */
static pare_status find_named(const char *text, const char *family, char **path, pare_error *err)
{
    for (const char *at = text; *at && !*path;) {
        const char *from = at;
        while (is_name_byte(*at))
            at++;
        const char *base = at;
        while (base > from && base[-1] != '/')
            base--;
        if (is_of_family(base, (size_t)(at - base), family)) {
            char *name = pare_alloc_text(from, (size_t)(at - from));
            if (!name) return pare_fail_nomem(err);
            if (*name == '/' && access(name, X_OK) == 0) {
                *path = name;
                return PARE_OK;
            }
            pare_status status = strchr(name, '/') ? PARE_OK : look_up(name, path, err);
            pare_alloc_free(name);
            if (status) return status;
        }
        at += *at && at == from;
    }
    return PARE_OK;
}

/* The same in the text of the script that a test command runs first. */
static pare_status find_in_script(const char *command, const char *family, char **path,
                                  pare_error *err)
{
    char **words = NULL;
    size_t n = 0;
    pare_buffer script = {0};
    pare_status status = pare_command_split(command, &words, &n, NULL, err);
    if (status) return status == PARE_E_NOMEM ? status : PARE_OK;
    /* A script is text: a program holds a zero byte, where the search ends. */
    if (n && pare_file_is_regular(words[0]) && !pare_file_read(words[0], &script, NULL) &&
        script.size <= SCRIPT_BYTES && !pare_buffer_add(&script, "", 1, NULL))
        status = find_named(script.data, family, path, err);
    pare_buffer_done(&script);
    for (size_t i = 0; i < n; i++)
        pare_alloc_free(words[i]);
    pare_alloc_free(words);
    return status;
}

/* Chooses the interpreter to run; the caller owns *path, NULL: none is installed. *named says that
 * the test itself names it. */
static pare_status find_interpreter(const struct recorder *recorder, const pare_test_options *test,
                                    char **path, bool *named, pare_error *err)
{
    pare_status status = PARE_OK;
    *path = NULL;
    for (size_t i = 0; !status && !*path && i < test->n_program; i++)
        status = find_named(test->program[i], recorder->family, path, err);
    if (!status && !*path && test->command)
        status = find_named(test->command, recorder->family, path, err);
    if (!status && !*path && test->command)
        status = find_in_script(test->command, recorder->family, path, err);
    *named = *path != NULL;
    for (size_t i = 0; !status && !*path && i < MOST_INTERPRETERS; i++)
        if (recorder->interpreters[i]) status = look_up(recorder->interpreters[i], path, err);
    return status;
}

/* A look for programs in PATH only. */
bool pare_reach_is_possible(const pare_reach_task *task)
{
    bool named;
    char *path = NULL;
    const struct recorder *recorder = find_recorder(task);
    /* The test's own text may hold a path, but one found in PATH is needed by none else. */
    bool found = recorder && !find_interpreter(recorder, task->test, &path, &named, NULL) && path;
    pare_alloc_free(path);
    return found;
}

/* ---- the run ----------------------------------------------------------------------------- */

/* Runs `command` on the text, and reads what it wrote. */
static pare_status run(const pare_reach_task *task, const pare_command *command, pare_reach *out,
                       pare_error *err)
{
    const pare_side_task side = {.base_name = pare_read_input_base_name(task->input),
                                 .text = task->text,
                                 .bytes = task->bytes,
                                 .deadline_ms = task->deadline_ms,
                                 .stop = task->stop,
                                 .is_hostile = true};
    pare_buffer report = {0};
    pare_status status = pare_side_run(&side, command, &report, err);
    if (!status)
        status = pare_reach_report_read(report.data ? report.data : "", report.size, task->text,
                                        task->bytes, out, err);
    pare_buffer_done(&report);
    return status;
}

/* Runs the interpreter at `path`.  Its own words need no search: paths are whole, and the recorder
 * is an argument. */
static pare_status run_interpreter(const pare_reach_task *task, const struct recorder *recorder,
                                   const char *path, bool named, pare_reach *out, pare_error *err)
{
    pare_command command = {0};
    const char *name = pare_read_input_base_name(task->input);
    const char *const words[] = {"/bin/sh",
                                 "-c",
                                 WRAPPER,
                                 "pare-reach",
                                 "@@",
                                 named ? recorder->family : "-",
                                 path,
                                 recorder->option,
                                 recorder->script,
                                 recorder->is_file_last ? "@@" : NULL};
    const size_t n = sizeof words / sizeof *words - !recorder->is_file_last;
    pare_status status =
        pare_command_init_target(&command, words, n, (pare_names){.items = &name, .n = 1}, err);
    if (!status) status = run(task, &command, out, err);
    pare_command_done(&command);
    return status;
}

/* Reduction works without the reach, so only errors that would make everything fail are
 * returned. */
pare_status pare_reach_record(const pare_reach_task *task, pare_reach *out, pare_error *err)
{
    bool named = false;
    char *path = NULL;
    pare_error why = {.status = PARE_OK};
    const struct recorder *recorder = find_recorder(task);
    *out = (pare_reach){.n = 0};
    if (!recorder) return PARE_OK;
    pare_status status = find_interpreter(recorder, task->test, &path, &named, &why);
    if (!status && path) status = run_interpreter(task, recorder, path, named, out, &why);
    pare_alloc_free(path);
    return status == PARE_E_NOMEM ? pare_fail_nomem(err) : PARE_OK;
}
