/* The oracle that the options ask for: of a command, a worker, a program or a predicate, with
 * one interface.
 *
 * A program has no script, so its commands (the program, what it is compared with, what tells
 * valid candidates) and its judge are made here, too.  Where the failure may come by chance
 * another oracle is put around it, which repeats runs (run/repeat.h); the engine knows only the
 * outer one. The identity of the test is a checksum of all that its outcomes depend on, so that
 * a journal of another test is not believed. */
#include "session/test/session_oracle.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

#include <pare/switch.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/checksum.h"
#include "base/digest.h"
#include "base/fail.h"
#include "os/entries.h"
#include "os/file.h"
#include "os/machine.h"
#include "os/sandbox/sandbox.h"
#include "os/spawn.h"
#include "run/command.h"
#include "run/predicate.h"
#include "run/process.h"
#include "run/remote/remote.h"
#include "run/repeat.h"
#include "run/time_limit.h"
#include "session/read_input.h"

/* More at once are taken for a mistake. */
enum { MAX_JOBS = 1024 };

/* Scripts are the user's own words: nothing is taken from them unless he asks, but that
 * what they start as root cannot remove devices.  A program is not trusted. */
static pare_sandbox_options sandbox_of(const pare_safety *safety, bool is_program)
{
    const pare_sandbox_level levels[] = {
        [PARE_SANDBOX_DEFAULT] = is_program ? PARE_LEVEL_FULL : PARE_LEVEL_DEVICES,
        [PARE_SANDBOX_OFF] = PARE_LEVEL_OFF,
        [PARE_SANDBOX_DEVICES] = PARE_LEVEL_DEVICES,
        [PARE_SANDBOX_FULL] = PARE_LEVEL_FULL,
    };
    /* A file that grows without end would fill the disk before the time is up, so there is a
     * limit even where none was given; PARE_NO_LIMIT takes it away. */
    uint64_t file_bytes = safety->file_bytes ? safety->file_bytes : pare_spawn_limits_file_bytes();
    return (pare_sandbox_options){
        .level = levels[safety->sandbox],
        /* A sandbox that was asked for by name is an error if the system lacks it; the default does
         * what it can and tells. */
        .is_required = safety->sandbox != PARE_SANDBOX_DEFAULT,
        .network = safety->network == PARE_ON,
        .writable = safety->writable,
        .n_writable = safety->n_writable,
        .visible = safety->visible,
        .n_visible = safety->n_visible,
        .limits = {.memory_bytes = safety->memory_bytes,
                   .cpu_s = safety->cpu_s,
                   .processes = safety->processes,
                   .file_bytes = file_bytes == PARE_NO_LIMIT ? 0 : file_bytes,
                   .fixed_addresses = safety->random_addresses == PARE_OFF}};
}

/* Makes one more command of a program, if `text` asks for it.  It is opened as the
 * program's own is, so "@@" is the candidate in it, too. */
static pare_status open_more(const char *text, pare_names inputs, pare_command **out,
                             pare_error *err)
{
    if (!text) return PARE_OK;
    *out = pare_alloc_zero(1, sizeof **out);
    if (!*out) return pare_fail_nomem(err);
    return pare_command_init_target(*out, &text, 1, inputs, err);
}

/* A folder cannot be standard input, and of several files none is it. */
static void close_inputs(pare_session_oracle *out)
{
    if (out->command) out->command->on_input = false;
    if (out->other) out->other->on_input = false;
    if (out->valid) out->valid->on_input = false;
    if (out->check) out->check->on_input = false;
}

/* Makes the commands of a program that needs no script, and its judge.
 * A program of several files gets them by their names in its directory, so a suffix of
 * a mark ("@@.c") would mean nothing and is refused. */
static pare_status open_program(const pare_session_oracle_options *options, pare_names inputs,
                                pare_session_oracle *out, pare_error *err)
{
    const char *const *words = options->test->program;
    size_t n = options->test->n_program;
    const pare_layout *layout = options->layout;
    assert(inputs.n > 0);
    bool one_file = !layout || layout->is_file;
    pare_status status = one_file
                             ? pare_command_name_file(words, n, inputs.items[0], &out->name, err)
                             : pare_command_refuse_suffix(words, n, err);
    if (status) return status;
    const pare_names one = {.items = (const char *const *)&out->name.data, .n = 1};
    /* The program may tell files by their suffix; "@@.EXT" names the one that it wants. */
    if (one_file) inputs = one;
    status = pare_command_init_target(out->command, words, n, inputs, err);
    if (!status) status = open_more(options->keep->differs, inputs, &out->other, err);
    if (!status) status = open_more(options->keep->valid, inputs, &out->valid, err);
    if (!status) status = open_more(options->test->check_with, inputs, &out->check, err);
    if (!status && !one_file) close_inputs(out);
    if (!status) status = pare_judge_new(options->keep, &out->judge, err);
    if (!status && options->any) status = pare_judge_any(out->judge, options->any, err);
    return status;
}

/* ---- a generator and the test of what it makes ------------------------------------ */

/* The candidate is the choices of the generator, which gets them as standard input, or as a file
 * where its words have "@@"; what it prints is the text that the test is given, as its last
 * argument, or where "@@" stands in its words ("@@.EXT": with this suffix).  Where the generator
 * fails, the failure is not there.  The two are one command, the shell text GENERATOR < "$1" >
 * NAME && TEST NAME, all words quoted: so all that is known about running a command holds for
 * them. */

/* The file that the generator's text goes to, in the private directory of each test. */
static const char MADE_TEXT[] = "pare-made-text";

/* Appends one word in quotes, with `mark` in the place of each "@@"; *marked when there is
 * one. */
static pare_status quote(pare_buffer *to, const char *word, const char *mark, bool *marked,
                         pare_error *err)
{
    pare_status status = pare_buffer_text(to, "'", err);
    while (!status && *word) {
        bool is_mark = pare_command_find_mark(word) == word;
        if (is_mark)
            status = pare_buffer_format(to, err, "'%s'", mark);
        else if (*word == '\'')
            status = pare_buffer_text(to, "'\\''", err);
        else
            status = pare_buffer_add(to, word, 1, err);
        /* The mark is put outside the quotes, because it may be "$1". */
        word += is_mark ? 2 : 1;
        *marked = *marked || is_mark;
    }
    return status ? status : pare_buffer_text(to, "' ", err);
}

/* Adds what is executed, without the candidate. */
static pare_status add_words(pare_buffer *to, const pare_command *command, const char *mark,
                             bool *marked, pare_error *err)
{
    pare_status status = PARE_OK;
    *marked = false;
    /* Word 0 is the file that is executed; from word 1 on stand its arguments, its name first. */
    for (size_t i = 1; !status && i < command->n_words; i++)
        status = quote(to, command->words[i], mark, marked, err);
    return status;
}

/* The suffix that the first "@@.EXT" of the test asks for, with its dot; a size of 0:
 * there is none.  The text is one file, so of several suffixes the first is its own. */
static void find_suffix(const pare_command *test, const char **suffix, size_t *size)
{
    *size = 0;
    for (size_t i = 1; i < test->n_words && !*size; i++) {
        const char *found = strstr(test->words[i], "@@.");
        if (!found) continue;
        *suffix = found + 2;
        for (*size = 1; isalnum((unsigned char)(*suffix)[*size]);)
            ++*size;
    }
}

/* The shell text of the two commands.  Of the generator "gen" and the test "cc -c @@.c" it is
 *
 *     'gen' <"$1" >pare-made-text.c && 'cc' '-c' ''pare-made-text'.c'
 */
static pare_status compose(pare_buffer *to, const pare_command *generator, const pare_command *test,
                           pare_error *err)
{
    bool marked = false;
    const char *suffix = "";
    size_t size = 0;
    find_suffix(test, &suffix, &size);
    pare_status status = add_words(to, generator, "\"$1\"", &marked, err);
    if (!status && !marked && generator->is_shell) status = pare_buffer_text(to, "\"$1\" ", err);
    if (!status)
        status = pare_buffer_format(to, err, "<\"$1\" >%s%.*s && ", MADE_TEXT, (int)size, suffix);
    if (!status) status = add_words(to, test, MADE_TEXT, &marked, err);
    if (!status && !marked) status = pare_buffer_text(to, MADE_TEXT, err);
    return status;
}

/* Understands `generator` and `test`, command lines each, as pare_command_init does; on
 * PARE_OK *command is the two of them, ended with pare_command_done.
 * Errors: those of pare_command_init. */
static pare_status init_made_text(pare_command *command, const char *generator, const char *test,
                                  pare_names inputs, pare_error *err)
{
    pare_command first = {0}, second = {0};
    pare_buffer text = {0};
    pare_status status = pare_command_init(&first, generator, inputs, err);
    if (!status) status = pare_command_init(&second, test, inputs, err);
    if (!status) status = compose(&text, &first, &second, err);
    if (!status) status = pare_command_init(command, text.data, inputs, err);
    if (!status) {
        /* The identity of each command covers the files that it names, which that of the
         * composed text does not. */
        pare_digest both[] = {first.identity, second.identity};
        command->identity = pare_checksum_wide(command->identity, both, sizeof both);
    }
    pare_command_done(&first);
    pare_command_done(&second);
    pare_buffer_done(&text);
    return status;
}

/* ---- opening ----------------------------------------------------------------------- */

/* A test command whose words may have marks, as those of a program.  Without one it is like any
 * other: the path is its last argument. */
static pare_status init_marked(const char *test, pare_names inputs, pare_session_oracle *out,
                               pare_error *err)
{
    char **words = NULL;
    size_t n = 0;
    bool is_marked = false;
    pare_status status = pare_command_split(test, &words, &n, NULL, err);
    if (status) return status;
    /* One marked word is enough for all of them to be taken as a program's. */
    for (size_t i = 0; i < n; i++)
        is_marked = is_marked || pare_command_is_marked(words[i]);
    if (is_marked) {
        const char *const *all = (const char *const *)words;
        status = pare_command_name_file(all, n, inputs.items[0], &out->name, err);
        const pare_names one = {.items = (const char *const *)&out->name.data, .n = 1};
        if (!status) status = pare_command_init_target(out->command, all, n, one, err);
    } else {
        status = pare_command_init(out->command, test, inputs, err);
    }
    for (size_t i = 0; i < n; i++)
        pare_alloc_free(words[i]);
    pare_alloc_free(words);
    return status;
}

/* Makes the commands of a test: its own, or that of the generator before it, and the one that
 * says what is wrong with a candidate. */
static pare_status open_test(const pare_session_oracle_options *options, pare_names inputs,
                             pare_session_oracle *out, pare_error *err)
{
    const pare_test_options *test = options->test;
    const bool one_file = !options->layout || options->layout->is_file;
    pare_status status = open_more(test->check_with, inputs, &out->check, err);
    if (!status && !one_file) close_inputs(out);
    if (status) return status;
    if (test->worker) return pare_command_init_worker(out->command, test->worker, inputs, err);
    if (options->input->generator)
        return init_made_text(out->command, options->input->generator, test->command, inputs, err);
    if (options->has_marks) return init_marked(test->command, inputs, out, err);
    return pare_command_init(out->command, test->command, inputs, err);
}

/* Makes the command, or the commands of the program. */
static pare_status open_commands(const pare_session_oracle_options *options, pare_names inputs,
                                 pare_session_oracle *out, pare_error *err)
{
    out->command = pare_alloc_zero(1, sizeof *out->command);
    if (!out->command) return pare_fail_nomem(err);
    return options->test->program ? open_program(options, inputs, out, err)
                                  : open_test(options, inputs, out, err);
}

/* Servers are started for one command line, so where its words or its environment are
 * what is reduced every test is a new process.
 * Only a user who asked for a server is refused. */
static pare_status choose_runner(const pare_session_oracle_options *options, pare_runner *runner,
                                 pare_error *err)
{
    const pare_layout *layout = options->layout;
    *runner = options->test->runner;
    if (!layout || (!layout->n_arguments && !layout->n_variables)) return PARE_OK;
    if (*runner != PARE_RUNNER_AUTO && *runner != PARE_RUNNER_SPAWN)
        return pare_fail(
            err, PARE_E_ARG,
            "each test has its own command line, which no server can run: leave out --runner");
    *runner = PARE_RUNNER_SPAWN;
    return PARE_OK;
}

/* Makes the oracle that runs the commands as processes, in the sandbox that the options ask for. */
static pare_status open_process(const pare_session_oracle_options *options, pare_names inputs,
                                unsigned jobs, pare_session_oracle *out, pare_error *err)
{
    pare_runner runner;
    pare_status status = open_commands(options, inputs, out, err);
    if (!status) status = choose_runner(options, &runner, err);
    if (!status) status = pare_message_locale_init(&out->locale, options->test, err);
    if (status) return status;
    /* Why the runner is another one than was asked for is told at the end
     * (pare_session_oracle_runner). */
    out->has_words = runner != options->test->runner;
    pare_process_options process = {
        .command = out->command,
        .other = out->other,
        .valid = out->valid,
        .check = out->check,
        .finds_check = true,
        .holds_files = options->holds_files,
        .judge = out->judge,
        .base_name = out->name.size ? out->name.data : inputs.items[0],
        .layout = options->layout,
        .environment = pare_message_locale_variables(&out->locale),
        .mode = options->input->path ? pare_file_mode(options->input->path) & 0777 : 0,
        .n_slots = jobs,
        .timeout_ms = options->test->timeout_ms,
        .runner = runner,
        .stop = options->stop,
        .owns_children = options->test->owns_children,
        .also_exit_code = (int)options->test->also_exit_code,
        .sandbox = sandbox_of(&options->test->safety, options->test->n_program > 0)};
    return pare_process_new(&process, &out->oracle, err);
}

/* The names under which candidates are tested: those of the inputs, or that of the one
 * file.
 * They are borrowed from the layout, and needed only while the oracle is made. */
static pare_status open_command(const pare_session_oracle_options *options, unsigned jobs,
                                pare_session_oracle *out, pare_error *err)
{
    const char *name = pare_read_input_base_name(options->input);
    const pare_layout *layout = options->layout;
    if (!layout) return open_process(options, (pare_names){.items = &name, .n = 1}, jobs, out, err);
    const char **names = pare_alloc_zero(layout->entries.n_roots, sizeof *names);
    if (!names) return pare_fail_nomem(err);
    pare_names inputs = {.items = names, .n = layout->entries.n_roots};
    pare_entries_names(&layout->entries, names);
    pare_status status = open_process(options, inputs, jobs, out, err);
    pare_alloc_free(names);
    return status;
}

/* A predicate runs in this process, without a command, a directory or a sandbox. */
static pare_status open_predicate(const pare_session_oracle_options *options, unsigned jobs,
                                  pare_session_oracle *out, pare_error *err)
{
    pare_predicate_options predicate = {.predicate = options->test->predicate,
                                        .context = options->test->context,
                                        .n_slots = jobs,
                                        .stop = options->stop};
    return pare_predicate_new(&predicate, &out->oracle, err);
}

/* Puts the oracle of the workers around that of this machine.  Without a server that is optional
 * that one is made again: it was given away. */
static pare_status open_remote(const pare_session_oracle_options *options, unsigned jobs,
                               pare_session_oracle *out, pare_error *err)
{
    const pare_cluster_options *workers = options->test->workers;
    const pare_remote_options remote = {.link = {.url = workers->url,
                                                 .credentials = workers->credentials,
                                                 .insecure = workers->insecure},
                                        .inner = out->oracle,
                                        .stop = options->stop};
    pare_status status = pare_remote_new(&remote, &out->remote, err);
    /* It has freed the inner one. */
    if (status) out->oracle = NULL;
    if (!status || status == PARE_E_NOMEM || !workers->is_optional) return status;
    const pare_error lost = *err;
    pare_fail_clear(err);
    pare_session_oracle_close(out);
    out->asked = *options;
    (void)snprintf(out->lost, sizeof out->lost, "%.300s: tests run on this machine alone",
                   lost.message);
    return open_command(options, jobs, out, err);
}

/* Workers cannot run a function of this process. */
static pare_status check_workers(const pare_session_oracle_options *options, pare_error *err)
{
    const pare_test_options *test = options->test;
    if (!test->workers) return PARE_OK;
    if (test->predicate)
        return pare_fail(err, PARE_E_UNSUPPORTED,
                         "a predicate cannot be tested on other machines: leave out --workers");
    return PARE_OK;
}

/* Why there are no workers is told once, and then never again. */
const char *pare_session_oracle_remote_notice(pare_session_oracle *oracle)
{
    if (oracle->remote) return pare_remote_next_notice(oracle->remote);
    const bool is_new = *oracle->lost && !oracle->is_loss_told;
    oracle->is_loss_told = true;
    return is_new ? oracle->lost : NULL;
}

pare_remote_counts pare_session_oracle_workers(const pare_session_oracle *oracle)
{
    return oracle->remote ? pare_remote_count(oracle->remote)
                          : (pare_remote_counts){.n_workers = 0};
}

/* Without workers there is no memory of outcomes that runs share. */
void pare_session_oracle_doubt(const pare_session_oracle *oracle)
{
    if (oracle->remote) pare_remote_doubt(oracle->remote);
}

/* All that can be refused is refused before anything is made. Around the oracle goes the one
 * that repeats tests, if the failure may come by chance; until it is given a rule each test is
 * one run. */
pare_status pare_session_oracle_open(const pare_session_oracle_options *options,
                                     pare_session_oracle *out, pare_error *err)
{
    if (!!options->test->command + !!options->test->worker + !!options->test->predicate +
            !!options->test->program !=
        1)
        return pare_fail(err, PARE_E_ARG,
                         "give the test either as a command, as a worker, as a program or as a "
                         "predicate");
    if (options->input->generator && !options->test->command)
        return pare_fail(err, PARE_E_ARG, "the text of a generator needs a command as its test");
    if (options->layout && options->test->predicate)
        return pare_fail(err, PARE_E_ARG, "several files need a command as their test");
    pare_status refused = check_workers(options, err);
    if (refused) return refused;
    if (options->jobs > MAX_JOBS)
        return pare_fail(err, PARE_E_ARG, "%u jobs are more than %d", options->jobs, MAX_JOBS);
    unsigned jobs = options->jobs;
    /* A predicate need not be safe for several threads; the user says so by naming a number. */
    if (!jobs) jobs = options->test->predicate ? 1 : pare_machine_processors();
    assert(options->input && options->test && options->keep);
    *out = (pare_session_oracle){.asked = *options};
    pare_status status = options->test->predicate ? open_predicate(options, jobs, out, err)
                                                  : open_command(options, jobs, out, err);
    /* A predicate is taken to be deterministic unless the user says otherwise: it is his own
     * code. */
    bool repeatable = options->test->flaky == PARE_FLAKY_DEFAULT
                          ? !options->test->predicate
                          : options->test->flaky != PARE_FLAKY_OFF;
    if (!status && options->test->workers) status = open_remote(options, jobs, out, err);
    if (!status && repeatable) {
        status = pare_repeat_new(pare_session_oracle_outer(out), &out->repeat, err);
        /* pare_repeat_new has freed it. */
        if (status) out->oracle = out->remote = NULL;
    }
    if (status) pare_session_oracle_close(out);
    return status;
}

/* An oracle that was opened in part may be closed: what was not made is NULL. */
void pare_session_oracle_close(pare_session_oracle *oracle)
{
    pare_oracle_free(pare_session_oracle_outer(oracle));
    pare_command **commands[] = {&oracle->command, &oracle->other, &oracle->valid, &oracle->check};
    for (size_t k = 0; k < sizeof commands / sizeof *commands; k++) {
        if (*commands[k]) pare_command_done(*commands[k]);
        pare_alloc_free(*commands[k]);
    }
    pare_judge_free(oracle->judge);
    pare_message_locale_done(&oracle->locale);
    pare_buffer_done(&oracle->name);
    pare_buffer_done(&oracle->signature);
    pare_buffer_done(&oracle->exact);
    pare_buffer_done(&oracle->told);
    pare_alloc_free(oracle->programs);
    *oracle = (pare_session_oracle){.oracle = NULL};
}

/* Appends one digest to another.  The order matters, so that the same parts in other
 * roles are another test. */
static pare_digest chain(pare_digest digest, pare_digest next)
{
    return pare_checksum_wide(digest, &next, sizeof next);
}

/* Adds everything else that a program's outcomes depend on. */
static pare_digest identify_program(const pare_session_oracle *oracle, pare_digest digest)
{
    digest = chain(digest, pare_judge_identity(oracle->judge));
    if (oracle->other) digest = chain(digest, oracle->other->identity);
    if (oracle->valid) digest = chain(digest, oracle->valid->identity);
    return pare_checksum_wide(digest, oracle->signature.data, oracle->signature.size);
}

/* Their number first, so that a path cannot change from one list to the next. */
static pare_digest add_paths(pare_digest digest, const char *const *paths, size_t n)
{
    const uint64_t number = n;
    assert((paths || !n) && "there are as many paths as it says");
    digest = pare_checksum_wide(digest, &number, sizeof number);
    for (size_t k = 0; k < n; k++)
        digest = pare_checksum_wide(digest, paths[k], strlen(paths[k]) + 1);
    return digest;
}

/* The paths themselves: a test that sees or writes another file ends in another way. */
pare_digest pare_session_oracle_identify_reach(const pare_safety *safety, pare_digest digest)
{
    const uint64_t facts[] = {safety->sandbox, safety->network};
    digest = pare_checksum_wide(digest, facts, sizeof facts);
    digest = add_paths(digest, safety->writable, safety->n_writable);
    return add_paths(digest, safety->visible, safety->n_visible);
}

/* Facts that can change an outcome are in it; those that only change how fast it comes, as the
 * number of jobs and the runner, are not, so that a journal outlives them. A time-out that was
 * learnt is not in it either: it is a record of the journal. */
pare_digest pare_session_oracle_identity(const pare_session_oracle *oracle)
{
    /* Without a command it is a predicate, of which nothing can be told. */
    if (!oracle->command) return (pare_digest){.high = 0};
    const pare_safety *safety = &oracle->asked.test->safety;
    const uint64_t facts[] = {pare_process_time_limit(oracle->oracle).fixed_ms,
                              safety->memory_bytes,
                              safety->cpu_s,
                              safety->processes,
                              safety->file_bytes,
                              safety->random_addresses};
    pare_digest test = pare_checksum_wide(oracle->command->identity, facts, sizeof facts);
    test = pare_session_oracle_identify_reach(safety, test);
    /* It changes no outcome, but what is tried next. */
    if (oracle->check) test = chain(test, oracle->check->identity);
    const uint64_t also = oracle->asked.test->also_exit_code;
    if (also) test = pare_checksum_wide(test, &also, sizeof also);
    for (size_t k = 0; k < oracle->asked.test->n_environment; k++) {
        const char *variable = oracle->asked.test->environment[k];
        test = pare_checksum_wide(test, variable, strlen(variable) + 1);
    }
    return oracle->judge ? identify_program(oracle, test) : test;
}

/* A predicate has no time limit, because nothing could end it. */
uint64_t pare_session_oracle_timeout_ms(const pare_session_oracle *oracle)
{
    if (!oracle->command) return 0;
    pare_time_limit limit = pare_process_time_limit(oracle->oracle);
    return pare_time_limit_ms(&limit);
}

/* Takes over a limit that an earlier process has learnt, as if its tests had been run by this
 * one. */
void pare_session_oracle_set_timeout(pare_session_oracle *oracle, uint64_t timeout_ms)
{
    if (!oracle->command) return;
    pare_process_set_time_limit(
        oracle->oracle,
        (pare_time_limit){.learned_ms = timeout_ms, .n_tests = PARE_TIME_LIMIT_TESTS});
}

/* Only the least that the limit may be is raised and lowered again, so what was learnt in
 * between, or before, stays known. */
void pare_session_oracle_be_patient(pare_session_oracle *oracle, bool patient)
{
    if (!oracle->command) return;
    pare_time_limit limit = pare_process_time_limit(oracle->oracle);
    limit.least_ms = patient ? PARE_TIME_LIMIT_FIRST_MS : 0;
    pare_process_set_time_limit(oracle->oracle, limit);
}

uint64_t pare_session_oracle_patient_ms(const pare_session_oracle *oracle)
{
    if (!oracle->command) return 0;
    /* A limit by which nothing was learnt is that of a first test, unless the user gave one. */
    const pare_time_limit first = {.fixed_ms = pare_process_time_limit(oracle->oracle).fixed_ms};
    return pare_time_limit_ms(&first);
}

/* A user who has said how addresses are to be is not overruled. */
bool pare_session_oracle_fix_addresses(pare_session_oracle *oracle, bool fixed)
{
    if (!oracle->command || oracle->asked.test->safety.random_addresses != PARE_DEFAULT)
        return false;
    return pare_process_fix_addresses(oracle->oracle, fixed);
}

/* Known after the first test at the earliest, since that is when the sandbox is made. */
const char *pare_session_oracle_notice(const pare_session_oracle *oracle)
{
    return oracle->command ? pare_sandbox_notice(pare_process_sandbox(oracle->oracle)) : NULL;
}

/* A notice is only information where the user did not ask for the protection; here it was to be
 * there. */
bool pare_session_oracle_is_degraded(const pare_session_oracle *oracle)
{
    return oracle->command && pare_sandbox_is_degraded(pare_process_sandbox(oracle->oracle));
}

/* A worker that ends on a candidate is started again, which the user should know: it costs time. */
const char *pare_session_oracle_worker_notice(const pare_session_oracle *oracle)
{
    return oracle->command ? pare_process_worker_notice(oracle->oracle) : NULL;
}

/* The protection that was in force, not the one asked for: the report must not promise what the
 * system does not have. Only the full level has a network of its own. */
pare_safety pare_session_oracle_safety(const pare_session_oracle *oracle)
{
    static const pare_sandbox_kind kinds[] = {[PARE_LEVEL_OFF] = PARE_SANDBOX_OFF,
                                              [PARE_LEVEL_DEVICES] = PARE_SANDBOX_DEVICES,
                                              [PARE_LEVEL_FULL] = PARE_SANDBOX_FULL};
    if (!oracle->command) return (pare_safety){.sandbox = PARE_SANDBOX_OFF};
    const pare_sandbox *sandbox = pare_process_sandbox(oracle->oracle);
    const pare_spawn_limits *limits = pare_sandbox_limits(sandbox);
    const pare_sandbox_level level = pare_sandbox_level_in_force(sandbox);
    assert((size_t)level < sizeof kinds / sizeof *kinds);
    const bool network = level != PARE_LEVEL_FULL || oracle->asked.test->safety.network == PARE_ON;
    return (pare_safety){.sandbox = kinds[level],
                         .network = network ? PARE_ON : PARE_OFF,
                         .memory_bytes = limits->memory_bytes,
                         .cpu_s = limits->cpu_s,
                         .processes = limits->processes,
                         .file_bytes = limits->file_bytes,
                         .random_addresses = limits->fixed_addresses ? PARE_OFF : PARE_ON};
}

/* The process oracle chooses between servers and spawning by trying them; of words of the
 * command line we know better why. */
pare_runner pare_session_oracle_runner(const pare_session_oracle *oracle, const char **reason)
{
    *reason = "";
    if (!oracle->command) return PARE_RUNNER_AUTO;
    pare_runner runner = pare_process_runner(oracle->oracle, reason);
    if (oracle->has_words) *reason = "each test has a command line of its own";
    return runner;
}

/* For one test only: of the others nothing is kept once they were judged. */
void pare_session_oracle_capture(pare_session_oracle *oracle)
{
    if (oracle->command) pare_process_capture_next(oracle->oracle);
}

const char *pare_session_oracle_captured(const pare_session_oracle *oracle)
{
    return oracle->command ? pare_process_captured(oracle->oracle) : NULL;
}

/* A guess, which only words a refusal: patterns ("*") may match the candidate's name,
 * and the name itself may stand in the text.
 * A worker and a program are given the candidate, whatever their words are. */
bool pare_session_oracle_sees_candidate(const pare_session_oracle *oracle)
{
    static const char *const names[] = {"$1", "${1", "$@", "$*", "*", "?"};
    if (!oracle->command || !oracle->command->is_shell || oracle->judge) return true;
    if (oracle->command->is_worker) return true;
    const char *text = oracle->command->shown;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strstr(text, names[i])) return true;
    return strstr(text, pare_read_input_base_name(oracle->asked.input)) != NULL;
}

/* A command line gets the path as its last argument, a shell's text as "$1". */
static pare_status describe_command(const pare_session_oracle *oracle, pare_buffer *text,
                                    pare_error *err)
{
    const char *path = oracle->asked.input->path ? oracle->asked.input->path
                                                 : pare_read_input_base_name(oracle->asked.input);
    pare_status status = pare_buffer_text(text, oracle->command->shown, err);
    bool alone = oracle->command->is_shell || oracle->command->is_worker || oracle->judge;
    if (status || alone) return status;
    return pare_buffer_format(text, err, " %s", path);
}

/* Both texts are handed over together or not at all. */
pare_status pare_session_oracle_describe(const pare_session_oracle *oracle, char **command,
                                         char **output, pare_error *err)
{
    if (!oracle->command) return PARE_OK;
    const char *tail = pare_process_captured(oracle->oracle);
    pare_buffer text = {0};
    pare_status status = describe_command(oracle, &text, err);
    char *printed = pare_alloc_text(tail, strlen(tail));
    if (!status && !printed) status = pare_fail_nomem(err);
    if (status) {
        pare_buffer_done(&text);
        pare_alloc_free(printed);
        return status;
    }
    *command = text.data;
    *output = printed;
    return PARE_OK;
}
