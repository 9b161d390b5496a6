/* Targets: a section's options as the options of the oracle that `pare reduce` has, unchanged.
 *
 * One section says both what fuzzing looks for (any failure of a level) and what a reduction then
 * keeps (one identity).  In fuzzing, the named conditions are filters, and a hang or a difference
 * is a finding by itself; a reduction requires only the conditions that made this failure a
 * finding.  Both are made here, so that a finding is reduced by the rule that found it.
 *
 * The environment is set for the whole process: every way to start a program (a process, a fork
 * server, a library in a worker) takes it from there, and a job is a process of its own with one
 * target.  Invariant: after close it is what it was. */
#include "campaign/target.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <pare/language.h>
#include <pare/outcome.h>
#include <pare/switch.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "campaign/campaign_file.h"
#include "campaign/section.h"
#include "campaign/workers.h"
#include "os/executable.h"
#include "os/file.h"
#include "os/folder.h"
#include "run/judge.h"
#include "run/oracle.h"
#include "run/remote/serve.h"
#include "run/signature.h"
#include "session/test/command_fault.h"
#include "session/test/travel.h"
#include "text/candidate.h"
#include "text/text.h"

/* VERSION_TIME_MS: of a command that tells a version; VERSION_BYTES: of what it says;
 * VERSION_PRINTED_BYTES: of all that it prints, or writes to a file */
enum { VERSION_TIME_MS = 20000, VERSION_BYTES = 200, VERSION_PRINTED_BYTES = 16 << 20 };

const char pare_target_untold[] = "exit nonzero";

/* ---- reading a section ---------------------------------------------------------------- */

/* The index of a CHOICE's value in its list, by the table of keys. */
static unsigned choice(const pare_section *section, const char *option)
{
    return (unsigned)pare_section_number(section, option);
}

/* A text, or NULL where there is none. */
static const char *text_of(const pare_section *section, const char *option)
{
    const char *text = pare_section_text(section, option);
    return *text ? text : NULL;
}

/* Refuses conditions for a worker of the user's own. It answers with an outcome
 * alone, so there is neither an exit code nor a text that they could be about. */
static pare_status refuse_worker(const pare_target *target, pare_error *err)
{
    if (!target->test.worker) return PARE_OK;
    const pare_keep *keep = &target->keep;
    if (keep->n_patterns || keep->use_exit_code || keep->signal || keep->hang_ms || keep->differs)
        return pare_fail(err, PARE_E_ARG,
                         "target '%s': a worker decides itself what fails, so leave out the "
                         "options that define a failure",
                         target->name);
    return PARE_OK;
}

/* Sets command and runner as `kind` says. After read_limits, since AFL changes
 * the sandbox. Nothing if the option is not given. */
static pare_status read_command(const pare_section *section, const char *option,
                                pare_test_options *test, pare_error *err)
{
    enum { KIND_PROGRAM, KIND_STDIN, KIND_WORKER, KIND_INPROCESS, KIND_AFL };
    static const pare_runner runners[] = {PARE_RUNNER_AUTO, PARE_RUNNER_SPAWN, PARE_RUNNER_PRELOAD,
                                          PARE_RUNNER_AFL, PARE_RUNNER_INPROCESS};
    const unsigned kind = choice(section, "kind"), runner = choice(section, "runner");
    assert(runner < sizeof runners / sizeof *runners);
    size_t n = 0;
    const char *const *words = pare_section_words(section, option, &n);
    if (!n) return PARE_OK;
    test->runner = kind == KIND_INPROCESS ? PARE_RUNNER_INPROCESS
                   : kind == KIND_AFL     ? PARE_RUNNER_AFL
                                          : runners[runner];
    /* AFL's shared memory is not there in a full one. */
    if (test->runner == PARE_RUNNER_AFL && test->safety.sandbox == PARE_SANDBOX_DEFAULT)
        test->safety.sandbox = PARE_SANDBOX_DEVICES;
    if (kind == KIND_WORKER) {
        test->worker = pare_section_text(section, option);
        test->runner = PARE_RUNNER_AUTO;
        return PARE_OK;
    }
    test->program = words;
    test->n_program = n;
    for (size_t k = 0; k < n && kind == KIND_STDIN; k++)
        if (strstr(words[k], "@@"))
            return pare_fail(err, PARE_E_ARG,
                             "target '%s' reads its standard input, and its command has @@: leave "
                             "out one of them",
                             pare_section_name(section));
    return PARE_OK;
}

/* Reads limits, sandbox and time of a test. A test is one run: what comes by
 * chance is found by validations. */
static void read_limits(const pare_section *section, pare_test_options *test)
{
    static const pare_sandbox_kind kinds[] = {PARE_SANDBOX_DEFAULT, PARE_SANDBOX_OFF,
                                              PARE_SANDBOX_DEVICES, PARE_SANDBOX_FULL};
    const unsigned kind = choice(section, "sandbox");
    assert(kind < sizeof kinds / sizeof *kinds);
    pare_safety *safety = &test->safety;
    safety->sandbox = kinds[kind];
    safety->network = pare_section_flag(section, "network") ? PARE_ON : PARE_DEFAULT;
    safety->writable = pare_section_words(section, "writable", &safety->n_writable);
    safety->visible = pare_section_words(section, "visible", &safety->n_visible);
    safety->memory_bytes = pare_section_bytes(section, "memory");
    safety->cpu_s = (pare_section_time_ms(section, "cpu") + 999) / 1000;
    safety->processes = pare_section_number(section, "processes");
    safety->file_bytes = pare_section_bytes(section, "file_size");
    test->timeout_ms = pare_section_time_ms(section, "timeout");
    /* The members from here on are the same for all targets. */
    test->flaky = PARE_FLAKY_OFF; /* a test is one run: what comes by chance is validated */
    test->owns_children = false;
}

/* Collects the patterns of all streams in one list, owned by the target; their
 * texts are the section's. */
static pare_status read_patterns(const pare_section *section, pare_target *target, pare_error *err)
{
    static const struct {
        const char *option;
        pare_stream stream;
    } streams[] = {{"stdout", PARE_STREAM_STDOUT},
                   {"stderr", PARE_STREAM_STDERR},
                   {"output", PARE_STREAM_OUTPUT},
                   {"no_output", PARE_STREAM_NO_OUTPUT}};
    enum { N_STREAMS = sizeof streams / sizeof *streams };
    const char *const *lines[N_STREAMS];
    size_t n[N_STREAMS], sum = 0;
    for (size_t s = 0; s < N_STREAMS; s++) {
        lines[s] = pare_section_lines(section, streams[s].option, &n[s]);
        sum += n[s];
    }
    if (!sum) return PARE_OK;
    target->patterns = pare_alloc_zero(sum, sizeof *target->patterns);
    if (!target->patterns) return pare_fail_nomem(err);
    for (size_t s = 0; s < N_STREAMS; s++)
        for (size_t k = 0; k < n[s]; k++)
            target->patterns[target->keep.n_patterns++] =
                (pare_keep_pattern){.stream = streams[s].stream, .regex = lines[s][k]};
    target->keep.patterns = target->patterns;
    return PARE_OK;
}

/* Reads `exit`: a number from 0 to 255, or "nonzero". */
static pare_status read_exit(const pare_section *section, pare_keep *keep, pare_error *err)
{
    const char *text = pare_section_text(section, "exit");
    char *end = NULL;
    if (!*text) return PARE_OK;
    keep->use_exit_code = true;
    keep->exit_code = PARE_KEEP_NONZERO;
    if (strcmp(text, "nonzero") == 0) return PARE_OK;
    const long code = strtol(text, &end, 10);
    if (*end || code < 0 || code > 255)
        return pare_fail(err, PARE_E_ARG, "exit = %.40s: write a number up to 255, or nonzero",
                         text);
    keep->exit_code = (int)code;
    return PARE_OK;
}

/* Reads the conditions by which a failure is a finding. With finding = test
 * they are all there is, so without any nothing could be found: PARE_E_ARG. */
static pare_status read_keep(const pare_section *section, pare_target *target, pare_error *err)
{
    pare_keep *keep = &target->keep;
    pare_status status = read_patterns(section, target, err);
    if (!status) status = read_exit(section, keep, err);
    keep->signal = text_of(section, "signal");
    keep->message = text_of(section, "message");
    keep->hang_ms = pare_section_time_ms(section, "hang");
    keep->differs = text_of(section, "differs");
    keep->valid = text_of(section, "valid");
    keep->ignore_frames = pare_section_lines(section, "ignore_frames", &keep->n_ignore_frames);
    keep->ignore_lines = pare_section_lines(section, "ignore_lines", &keep->n_ignore_lines);
    const bool names =
        keep->n_patterns || keep->use_exit_code || keep->signal || keep->hang_ms || keep->differs;
    if (!status && target->level == PARE_LEVEL_TEST && !names && !target->test.worker)
        return pare_fail(err, PARE_E_ARG,
                         "target '%s' has finding = test, but nothing defines a finding: add exit, "
                         "signal, stdout, stderr, output, hang or differs",
                         target->name);
    return status;
}

/* Reads the whole section. `test` is for fuzzing, one quick run each; `careful`
 * is for reductions and validations, which may have a command of their own and
 * look for what comes by chance. */
static pare_status read_section(const pare_section *section, pare_target *target, pare_error *err)
{
    target->name = pare_section_name(section);
    target->level = (pare_finding_level)choice(section, "finding");
    target->identity = (pare_identity_level)choice(section, "identity");
    read_limits(section, &target->test);
    pare_status status = read_command(section, "command", &target->test, err);
    if (!status && !target->test.program && !target->test.worker)
        return pare_fail(err, PARE_E_ARG, "target '%s' has no command", target->name);
    target->careful = target->test;
    target->careful.flaky = PARE_FLAKY_DEFAULT;
    target->careful.allow_empty = PARE_ON; /* that nothing fails too was ruled out before */
    if (!status) status = read_command(section, "reduce_command", &target->careful, err);
    if (!status) status = read_keep(section, target, err);
    if (!status) status = refuse_worker(target, err);
    if (status) return status;
    target->trees.language = text_of(section, "lang");
    target->trees.start_rule = text_of(section, "start");
    target->trees.grammars = pare_section_words(section, "grammar", &target->trees.n_grammars);
    target->environment = pare_section_lines(section, "env", &target->n_environment);
    target->test.environment = target->careful.environment = target->environment;
    target->test.n_environment = target->careful.n_environment = target->n_environment;
    target->reduces = pare_section_flag(section, "reduce");
    target->validate_runs = (unsigned)pare_section_number(section, "validate_runs");
    target->validates = target->validate_runs > 0;
    target->reduce_time_ms = pare_section_time_ms(section, "reduce_time");
    target->reduce_jobs = (unsigned)pare_section_number(section, "reduce_jobs");
    return PARE_OK;
}

/* Sets *name to "input" with the suffix, owned by the target. */
static pare_status name_file(const pare_section *section, const char **name, pare_error *err)
{
    pare_buffer text = {0};
    const char *suffix = pare_section_text(section, "suffix");
    if (strchr(suffix, '/'))
        return pare_fail(err, PARE_E_ARG, "suffix = %.40s: write a suffix such as .js", suffix);
    pare_status status =
        pare_buffer_format(&text, err, "input%s%s", *suffix && *suffix != '.' ? "." : "", suffix);
    if (!status) *name = pare_alloc_text(text.data, text.size);
    if (!status && !*name) status = pare_fail_nomem(err);
    pare_buffer_done(&text);
    return status;
}

/* Lets tests run on the workers of the campaign, if it has any. */
void pare_target_use_workers(pare_target *target)
{
    if (!target->workers.url) return;
    target->test.workers = &target->workers;
    target->careful.workers = &target->workers;
}

/* Reads a target of the campaign. Texts stay the campaign's, so it has to
 * outlive the target. After a failure the target is still to be ended. */
pare_status pare_target_read(const pare_campaign *campaign, const char *name, pare_target *target,
                             pare_error *err)
{
    const pare_section *section = pare_campaign_section(campaign, "target", name);
    *target = (pare_target){.level = PARE_LEVEL_CRASH};
    if (!section)
        return pare_fail(err, PARE_E_ARG, "the campaign no longer has a target '%.60s'", name);
    pare_status status = read_section(section, target, err);
    if (!status) target->workers = pare_workers_options(campaign);
    return status ? status : name_file(section, &target->base_name, err);
}

/* All-zero is a no-op. Only patterns and the file's name are the target's own. */
void pare_target_done(pare_target *target)
{
    pare_alloc_free(target->patterns);
    pare_alloc_free((char *)(uintptr_t)target->base_name);
    *target = (pare_target){.level = PARE_LEVEL_CRASH};
}

/* ---- reductions ----------------------------------------------------------------------- */

/* Whether the language is added and can be used. */
static bool is_added(const char *language)
{
    pare_language_state state = {.added = false};
    return pare_language_inspect(language, &state, NULL) == PARE_OK && state.added;
}

/* What a reduction of inputs of `source` reads them by. The target's own
 * options count first; else what has made the inputs knows how to read them.
 * Expressions of graphs are JavaScript, which is taken if it is added: nobody
 * has asked for it by name. */
pare_tree_options pare_target_trees(const pare_target *target, const pare_campaign *campaign,
                                    const char *source)
{
    pare_tree_options trees = target->trees;
    const pare_section *section =
        source && *source ? pare_campaign_section(campaign, "source", source) : NULL;
    if (trees.language || trees.n_grammars || !section) return trees;
    trees.grammars = pare_section_words(section, "grammar", &trees.n_grammars);
    if (!trees.n_grammars) trees.language = text_of(section, "lang");
    if (!trees.start_rule && trees.n_grammars) trees.start_rule = text_of(section, "start");
    const char *kind = pare_section_text(section, "kind");
    const bool is_script = strcmp(kind, "graph") == 0;
    if (!trees.n_grammars && !trees.language && is_script && is_added("javascript"))
        trees.language = "javascript";
    return trees;
}

/* What the judge takes for a failure at this level. */
static pare_any_failure any_of(pare_finding_level level)
{
    static const pare_any_failure any[] = {[PARE_LEVEL_CRASH] = PARE_ANY_CRASH,
                                           [PARE_LEVEL_ERROR] = PARE_ANY_EXCEPTION,
                                           [PARE_LEVEL_ANY] = PARE_ANY_EXIT,
                                           [PARE_LEVEL_TEST] = PARE_ANY_NAMED};
    return any[level];
}

/* What a reduction of this finding has to keep: its identity, and of the
 * section's conditions those by which it was found. A failure by itself needs
 * no difference to another program. What is no hang must end in time; a hang
 * has neither exit code nor signal. */
pare_keep pare_target_keep(const pare_target *target, const char *identity)
{
    pare_keep keep = target->keep;
    pare_signature signature = {.ended = PARE_ENDED_ANYHOW};
    keep.message = NULL; /* the identity says it */
    if (target->test.worker) return keep;
    const bool is_read = !pare_signature_parse(identity, &signature, NULL);
    if (is_read) keep.signature = identity;
    if (!is_read || target->level == PARE_LEVEL_TEST) return keep;
    const bool is_hang = signature.ended == PARE_ENDED_HANG;
    if (!is_hang) keep.hang_ms = 0;
    if (is_hang || pare_judge_has_failure(any_of(target->level), &signature)) keep.differs = NULL;
    if (is_hang) {
        keep.use_exit_code = false;
        keep.signal = NULL;
    }
    return keep;
}

/* ---- environment ---------------------------------------------------------------------- */

/* The name of "NAME=VALUE", owned by the caller; NULL: no memory. */
static char *name_of(const char *variable)
{
    return pare_alloc_text(variable, strcspn(variable, "="));
}

/* Notes what the variable is now, as "NAME=VALUE", or "NAME" if it is not set. */
static pare_status note_earlier(pare_target_oracle *oracle, const char *name, pare_error *err)
{
    pare_buffer text = {0};
    const char *value = getenv(name);
    pare_status status =
        pare_buffer_format(&text, err, "%s%s%s", name, value ? "=" : "", value ? value : "");
    char *earlier = status ? NULL : pare_alloc_text(text.data, text.size);
    if (!status && !earlier) status = pare_fail_nomem(err);
    if (earlier) oracle->earlier[oracle->n_earlier++] = earlier;
    pare_buffer_done(&text);
    return status;
}

/* Sets the target's variables in this process, of which every test inherits
 * them. After an error those that were set are still noted, and restored by
 * pare_target_close. */
pare_status pare_target_set_environment(const pare_target *target, pare_target_oracle *oracle,
                                        pare_error *err)
{
    pare_status status = PARE_OK;
    if (!target->n_environment) return PARE_OK;
    oracle->earlier = pare_alloc_zero(target->n_environment, sizeof *oracle->earlier);
    if (!oracle->earlier) return pare_fail_nomem(err);
    for (size_t k = 0; k < target->n_environment && !status; k++) {
        const char *variable = target->environment[k], *equals = strchr(variable, '=');
        if (!equals || equals == variable)
            return pare_fail(err, PARE_E_ARG, "env of target '%s': write NAME=VALUE, not %.60s",
                             target->name, variable);
        char *name = name_of(variable);
        status = name ? note_earlier(oracle, name, err) : pare_fail_nomem(err);
        if (!status && setenv(name, equals + 1, 1)) status = pare_fail_nomem(err);
        pare_alloc_free(name);
    }
    return status;
}

/* Restores the environment. Backwards, so that a variable that was set twice
 * becomes what it was at first. */
static void restore_environment(pare_target_oracle *oracle)
{
    while (oracle->n_earlier) {
        char *variable = oracle->earlier[--oracle->n_earlier], *equals = strchr(variable, '=');
        if (equals) *equals = '\0';
        /* Without memory a variable stays as it is, which is the next test's trouble only. */
        int ignored = equals ? setenv(variable, equals + 1, 1) : unsetenv(variable);
        (void)ignored;
        pare_alloc_free(variable);
    }
    pare_alloc_free(oracle->earlier);
    oracle->earlier = NULL;
}

/* ---- the oracle ----------------------------------------------------------------------- */

/* Opens an oracle with one run for each test, also with `carefully`: who wants
 * several runs makes them (validation.c). After a failure there is nothing to
 * close. */
pare_status pare_target_open(const pare_target *target, bool carefully, unsigned jobs,
                             pare_stop *stop, pare_target_oracle *oracle, pare_error *err)
{
    *oracle = (pare_target_oracle){.input = {.bytes = "", .name = target->base_name},
                                   .test = carefully ? target->careful : target->test,
                                   .keep = target->keep};
    oracle->test.flaky = PARE_FLAKY_OFF;
    if (target->level == PARE_LEVEL_CRASH) oracle->keep.message = NULL;
    const pare_session_oracle_options options = {
        .input = &oracle->input,
        .test = &oracle->test,
        .keep = &oracle->keep,
        .jobs = jobs,
        .stop = stop,
        .any = target->test.worker ? PARE_ANY_NONE : any_of(target->level)};
    pare_status status = pare_target_set_environment(target, oracle, err);
    if (!status) status = pare_session_oracle_open(&options, &oracle->session, err);
    if (status) pare_fail_prefix(err, "target '%s'", target->name);
    if (status) restore_environment(oracle);
    return status;
}

/* Closes the oracle and restores the environment. A session that was never
 * opened has no oracle, but the environment may have been set. */
void pare_target_close(pare_target_oracle *oracle)
{
    if (oracle->session.oracle || oracle->session.repeat)
        pare_session_oracle_close(&oracle->session);
    restore_environment(oracle);
}

/* Appends the identity of a failure, by the target's level. The bytes matter
 * only where that level looks at them. */
pare_status pare_target_identify(const pare_target *target, const char *signature,
                                 const void *bytes, size_t size, pare_buffer *identity,
                                 pare_error *err)
{
    return pare_identity_of(target->identity, signature ? signature : pare_target_untold, bytes,
                            size, identity, err);
}

/* A copy of a text of a verdict; NULL stays NULL. */
static pare_status copy(const char *text, char **out, pare_error *err)
{
    if (!text) return PARE_OK;
    *out = pare_alloc_text(text, strlen(text));
    return *out ? PARE_OK : pare_fail_nomem(err);
}

/* Copies what a verdict says, which is borrowed from the run. Only a failure
 * has an identity, a signature and an output. */
static pare_status see(const pare_target *target, const pare_verdict *verdict, const void *bytes,
                       size_t size, pare_target_seen *seen, pare_error *err)
{
    pare_buffer identity = {0};
    seen->outcome = verdict->outcome;
    seen->timed_out = verdict->timed_out;
    seen->exit_code = verdict->exit_code;
    seen->duration_ms = verdict->duration_ms;
    if (verdict->outcome != PARE_FAIL) return PARE_OK;
    const char *signature = verdict->signature ? verdict->signature : pare_target_untold;
    pare_status status = pare_target_identify(target, signature, bytes, size, &identity, err);
    if (!status) status = copy(identity.data, &seen->identity, err);
    if (!status) status = copy(signature, &seen->signature, err);
    if (!status) status = copy(verdict->output, &seen->output, err);
    pare_buffer_done(&identity);
    return status;
}

/* Makes a candidate of the whole input; *text and *whole are to be ended by the
 * caller, also after a failure. */
static pare_status take_whole(const void *bytes, size_t size, pare_text **text,
                              pare_candidate *whole, pare_error *err)
{
    pare_status status = pare_text_copy(size ? bytes : "", size, text, err);
    if (status) return status;
    pare_candidate_start(whole, *text);
    return pare_candidate_slice(whole, 0, size, err);
}

/* Runs one input and waits for the outcome. The outer oracle is asked, which
 * runs tests here until it is shared: only it takes the messages of workers. */
pare_status pare_target_try(const pare_target *target, pare_target_oracle *oracle,
                            const void *bytes, size_t size, pare_target_seen *seen, pare_error *err)
{
    pare_oracle *runs = pare_session_oracle_outer(&oracle->session);
    pare_text *text = NULL;
    pare_candidate whole = {0};
    pare_verdict verdict = {.exit_code = -1};
    *seen = (pare_target_seen){.outcome = PARE_NO_OUTCOME, .exit_code = -1};
    pare_status status = take_whole(bytes, size, &text, &whole, err);
    if (!status) status = runs->ops->start(runs, 0, &whole, err);
    if (!status) status = pare_oracle_await(runs, &verdict, err);
    if (!status) status = see(target, &verdict, bytes, size, seen, err);
    if (status) pare_target_seen_done(seen);
    pare_candidate_done(&whole);
    pare_text_unref(text);
    return status;
}

/* Runs an input several times, as many at once as there are slots; `each` is
 * called for each outcome, in any order. A run that has ended leaves its slot
 * to the next. */
pare_status pare_target_try_times(const pare_target *target, pare_target_oracle *oracle,
                                  const pare_target_tries *tries, pare_error *err)
{
    pare_oracle *runs = pare_session_oracle_outer(&oracle->session);
    pare_text *text = NULL;
    pare_candidate whole = {0};
    unsigned n_started = 0, slot = 0;
    assert(tries->n <= PARE_TARGET_MOST_TRIES);
    pare_status status = take_whole(tries->bytes, tries->size, &text, &whole, err);
    for (unsigned n_ended = 0; n_ended < tries->n && !status; n_ended++) {
        for (; n_started < tries->n && n_started - n_ended < runs->n_slots && !status; n_started++)
            status = runs->ops->start(runs, n_ended ? slot : n_started, &whole, err);
        pare_verdict verdict = {.exit_code = -1};
        pare_target_seen seen = {.outcome = PARE_NO_OUTCOME, .exit_code = -1};
        if (!status) status = pare_oracle_await(runs, &verdict, err);
        slot = verdict.slot;
        if (!status) status = see(target, &verdict, tries->bytes, tries->size, &seen, err);
        if (!status) status = tries->each(tries->context, &seen, err);
        pare_target_seen_done(&seen);
    }
    pare_candidate_done(&whole);
    pare_text_unref(text);
    return status;
}

/* Offers the tests to workers. They try the input, and only those take part on
 * which it shows the same as here. */
pare_status pare_target_share(pare_target_oracle *oracle, const void *bytes, size_t size,
                              const pare_target_seen *seen, pare_error *err)
{
    pare_text *text = NULL;
    const pare_serve_control control = {
        .outcome = seen->outcome, .exit_code = seen->exit_code, .timed_out = seen->timed_out};
    if (!oracle->session.remote) return PARE_OK;
    pare_status status = pare_text_copy(size ? bytes : "", size, &text, err);
    if (!status) status = pare_travel_share_any(&oracle->session, text, &control, err);
    pare_text_unref(text);
    return status;
}

/* All-zero afterwards, so it may be done twice. */
void pare_target_seen_done(pare_target_seen *seen)
{
    pare_alloc_free(seen->signature);
    pare_alloc_free(seen->identity);
    pare_alloc_free(seen->output);
    *seen = (pare_target_seen){.outcome = PARE_NO_OUTCOME};
}

/* ---- whether it makes sense ------------------------------------------------------------ */

/* Refuses a target that fails on everything, with advice that depends on what
 * it showed. Always PARE_E_STATE. */
static pare_status refuse(const pare_target *target, const pare_target_seen *seen, pare_error *err)
{
    pare_buffer title = {0};
    char exclude[160];
    if (pare_identity_title(seen->identity, &title, NULL)) pare_buffer_reset(&title);
    const char *what = title.size ? title.data : "a failure";
    /* The name of the exception, without its package. */
    const size_t size = strcspn(what, " :");
    const char *name = memrchr(what, '.', size);
    name = name ? name + 1 : what;
    (void)snprintf(exclude, sizeof exclude,
                   "if that is right for such a file, leave it out with no_output = %.*s",
                   (int)(what + size - name), name);
    const bool leaks = strstr(seen->signature, "LeakSanitizer") != NULL;
    const char *advice =
        leaks ? "add 'env = ASAN_OPTIONS=detect_leaks=0'"
        : target->level == PARE_LEVEL_ANY
            ? "with finding = any each exit code but 0 is one: write finding = crash, or name the "
              "right one with exit or stderr"
        : target->level == PARE_LEVEL_ERROR && title.size
            ? exclude
            : "run the command by hand on an empty file";
    pare_status status =
        pare_fail(err, PARE_E_STATE, "target '%s' fails on an empty input too (%.120s): %s",
                  target->name, what, advice);
    pare_buffer_done(&title);
    return status;
}

/* Whether the program found what its command names, by the exit code on the last test, which was
 * captured. */
static pare_status check_command(const pare_target *target, const pare_target_oracle *oracle,
                                 const pare_target_seen *seen, pare_error *err)
{
    char *printed = NULL, *command = NULL;
    const pare_session_oracle *session = &oracle->session;
    if (seen->outcome == PARE_FAIL || !target->test.program) return PARE_OK;
    pare_status status = pare_session_oracle_describe(session, &command, &printed, err);
    if (!status && printed)
        status = pare_command_fault_target(&oracle->input, &oracle->test, session->command,
                                           seen->exit_code, printed, err);
    if (status) pare_fail_prefix(err, "target '%s'", target->name);
    pare_alloc_free(command);
    pare_alloc_free(printed);
    return status;
}

/* Tries an empty file and one with an empty line. If both fail alike everything
 * does, and a campaign would only collect that; one of them alone may be a
 * finding. */
pare_status pare_target_check(const pare_target *target, pare_stop *stop, pare_error *err)
{
    static const char *const controls[] = {"", "\n"};
    pare_target_oracle oracle;
    pare_target_seen seen[2] = {{.outcome = PARE_NO_OUTCOME}, {.outcome = PARE_NO_OUTCOME}};
    pare_status status = pare_target_open(target, false, 1, stop, &oracle, err);
    if (status) return status;
    for (size_t k = 0; k < 2 && !status; k++) {
        if (target->test.program) pare_session_oracle_capture(&oracle.session);
        status = pare_target_try(target, &oracle, controls[k], strlen(controls[k]), &seen[k], err);
    }
    if (!status) status = check_command(target, &oracle, &seen[1], err);
    if (!status && seen[0].identity && seen[1].identity &&
        strcmp(seen[0].identity, seen[1].identity) == 0)
        status = refuse(target, &seen[0], err);
    for (size_t k = 0; k < 2; k++)
        pare_target_seen_done(&seen[k]);
    pare_target_close(&oracle);
    return status;
}

/* ---- versions -------------------------------------------------------------------------- */

/* Appends the first line that a command prints. It runs in a private folder
 * that goes afterwards: what it writes there is of no use to anybody. */
pare_status pare_target_ask(const char *command, const pare_stop *stop, pare_buffer *line,
                            pare_error *err)
{
    char *folder = NULL;
    pare_buffer log = {0}, output = {0};
    pare_executable_end end = {.exit_code = 0};
    const char *const words[] = {"sh", "-c", command, NULL};
    pare_status status = pare_folder_make_scratch(&folder, err);
    if (!status) status = pare_buffer_format(&log, err, "%s/output", folder);
    const pare_executable_call call = {.path = "/bin/sh",
                                       .argv = words,
                                       .directory = folder,
                                       .log_path = log.data,
                                       .timeout_ms = VERSION_TIME_MS,
                                       .stop = stop,
                                       .file_bytes = VERSION_PRINTED_BYTES};
    if (!status) status = pare_executable_run(&call, &end, err);
    if (!status) status = pare_file_read(log.data, &output, err);
    /* One that prints more than its first line, without end perhaps, has said it. */
    const bool is_full = output.size >= VERSION_PRINTED_BYTES;
    if (!status && end.stopped)
        status = pare_fail(err, PARE_E_INTERRUPTED, "'%.100s' was stopped", command);
    if (!status && !is_full && (end.timed_out || end.exit_code))
        status = pare_fail(err, PARE_E_STATE, "'%.100s' %s", command,
                           end.timed_out ? "does not end" : "fails");
    size_t size = output.size ? strcspn(output.data, "\n") : 0;
    if (size > VERSION_BYTES) size = VERSION_BYTES;
    if (!status) status = pare_buffer_add(line, size ? output.data : "", size, err);
    pare_buffer_done(&log);
    pare_buffer_done(&output);
    pare_folder_remove_scratch(folder);
    return status;
}

/* The file that a word of the command names, owned by the caller; NULL: none.
 * The first word may be a program in PATH. */
static char *file_of(const char *word, bool is_first)
{
    char *found = NULL;
    if (strchr(word, '/'))
        return pare_file_is_regular(word) ? pare_alloc_text(word, strlen(word)) : NULL;
    if (is_first && pare_executable_find(word, &found, NULL)) found = NULL;
    return found;
}

/* The time and the size of the newest file that the command names: the program, or a script that an
 * interpreter is given.  They change with each build of it.  Nothing, where it names none. */
static pare_status describe_file(const pare_section *section, pare_buffer *version, pare_error *err)
{
    size_t n = 0;
    const char *const *words = pare_section_words(section, "command", &n);
    struct stat newest = {.st_mtime = 0}, file;
    char when[32] = "";
    struct tm utc;
    for (size_t k = 0; k < n; k++) {
        char *path = file_of(words[k], k == 0);
        if (path && stat(path, &file) == 0 && file.st_mtime > newest.st_mtime) newest = file;
        pare_alloc_free(path);
    }
    if (!newest.st_mtime || !gmtime_r(&newest.st_mtime, &utc)) return PARE_OK;
    (void)strftime(when, sizeof when, "%Y-%m-%d %H:%M:%S", &utc);
    return pare_buffer_format(version, err, "built %s, %lld bytes", when,
                              (long long)newest.st_size);
}

/* Runs the user's command, or looks at files, each time: a campaign asks once for each job. */
pare_status pare_target_version(const pare_campaign *campaign, const char *name,
                                const pare_stop *stop, char **version, pare_error *err)
{
    const pare_section *section = pare_campaign_section(campaign, "target", name);
    pare_buffer text = {0};
    if (!section)
        return pare_fail(err, PARE_E_ARG, "the campaign no longer has a target '%.60s'", name);
    const char *command = pare_section_text(section, "version");
    pare_status status =
        *command ? pare_target_ask(command, stop, &text, err) : describe_file(section, &text, err);
    char *owned = status ? NULL : pare_alloc_text(text.size ? text.data : "", text.size);
    if (!status && !owned) status = pare_fail_nomem(err);
    if (!status) *version = owned;
    pare_buffer_done(&text);
    return status;
}
