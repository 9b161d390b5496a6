/* The job "bisect": finds the first version in a list that shows a finding.
 *
 * Binary search over versions from the oldest to the newest, after testing both ends: the newest
 * has to show the finding, and the oldest must not.  A version that cannot be run is skipped, as by
 * git: the untested one nearest to the middle is next.  At the end the two versions on either side
 * of the boundary are tested once more, since a flaky failure can make one answer wrong; if the
 * answers differ, nothing is claimed.
 *
 * A version shows the finding if its reduced input or its first one does.  Invariant: no tested
 * version up to `good` shows it, and `bad` does.
 * Cost: log2(n) + 4 validations, with two inputs for each version that does not show the
 * finding. */
#include <stdbool.h>
#include <string.h>

#include <pare/findings.h>
#include <pare/test.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "campaign/campaign_file.h"
#include "campaign/finding.h"
#include "campaign/finding_job.h"
#include "campaign/job.h"
#include "campaign/job_run.h"
#include "campaign/section.h"
#include "campaign/store.h"
#include "campaign/validation.h"
#include "run/command.h"

/* GOOD does not show the finding, BAD does; CANNOT_RUN is neither, and is not
 * asked again. */
typedef enum answer { NOT_ASKED, GOOD, BAD, CANNOT_RUN } answer;

/* One line of the list, in the order of the versions' age. */
struct version {
    char *name; /* owned, as are the words of the command */
    char **words;
    size_t n_words;
    answer answer;
};

/* All-zero is empty. The finding's first input is in job.input. */
struct bisection {
    pare_finding_job job;
    struct version *versions; /* owned; the oldest first */
    /* n_asked: validations of versions so far, for the progress. */
    size_t n, n_asked;
    unsigned char *reduced; /* owned */
    size_t reduced_bytes;
};

/* ---- the list ----------------------------------------------------------------------------- */

/* Reads "NAME COMMAND": the name is all up to the first blank, the command is
 * split as a shell does. On failure the version owns what was read of it.
 * Errors: PARE_E_ARG, PARE_E_NOMEM. */
static pare_status read_version(struct version *version, const char *line, size_t size,
                                pare_error *err)
{
    char *text = pare_alloc_text(line, size);
    if (!text) return pare_fail_nomem(err);
    char *start = text + strspn(text, " \t");
    const size_t name = strcspn(start, " \t");
    const char *command = start + name + strspn(start + name, " \t");
    pare_status status = PARE_OK;
    if (!*command)
        status = pare_fail(err, PARE_E_ARG, "versions: write NAME COMMAND, not '%.60s'", start);
    if (!status) version->name = pare_alloc_text(start, name);
    if (!status && !version->name) status = pare_fail_nomem(err);
    if (!status)
        status = pare_command_split(command, &version->words, &version->n_words, NULL, err);
    pare_alloc_free(text);
    return status;
}

/* Appends a version, unless the line is blank. It is counted before it is read,
 * so that bisection_done also releases one that was read in part. */
static pare_status add_version(struct bisection *self, const char *line, size_t size,
                               pare_error *err)
{
    size_t blanks = 0;
    while (blanks < size && strchr(" \t\r", line[blanks]))
        blanks++;
    if (blanks == size) return PARE_OK;
    struct version *grown = pare_alloc_resize(self->versions, self->n + 1, sizeof *grown);
    if (!grown) return pare_fail_nomem(err);
    self->versions = grown;
    self->versions[self->n] = (struct version){.answer = NOT_ASKED};
    return read_version(&self->versions[self->n++], line, size, err);
}

/* Reads the list: the job's own, which the user has typed, or else `versions`
 * of the finding's target. Fewer than two are PARE_E_ARG: there is nothing to
 * search between. */
static pare_status read_versions(struct bisection *self, pare_error *err)
{
    const pare_job_run *run = self->job.run;
    pare_status status = PARE_OK;
    for (const char *at = run->job->detail; *at && !status;) {
        const size_t size = strcspn(at, "\n");
        status = add_version(self, at, size, err);
        at += size + (at[size] == '\n');
    }
    const pare_section *section =
        pare_campaign_section(run->campaign, "target", self->job.finding.target);
    size_t n = 0;
    const char *const *lines = section ? pare_section_lines(section, "versions", &n) : NULL;
    for (size_t k = 0; k < n && !status && !*run->job->detail; k++)
        status = add_version(self, lines[k], strlen(lines[k]), err);
    if (!status && self->n < 2)
        status = pare_fail(err, PARE_E_ARG,
                           "bisection needs at least two versions: list them in 'versions' of "
                           "target '%.60s', one a line as NAME COMMAND, the oldest first",
                           self->job.finding.target);
    return status;
}

/* Ends also a bisection that was read in part: a version whose line was wrong
 * has no name, or no words. */
static void bisection_done(struct bisection *self)
{
    for (size_t k = 0; k < self->n; k++) {
        struct version *version = &self->versions[k];
        for (size_t w = 0; w < version->n_words; w++)
            pare_alloc_free(version->words[w]);
        pare_alloc_free(version->words);
        pare_alloc_free(version->name);
    }
    pare_alloc_free(self->versions);
    pare_alloc_free(self->reduced);
    pare_finding_job_done(&self->job);
}

/* ---- asking ------------------------------------------------------------------------------- */

/* Validates one input with a version's command in the place of the target's
 * own. Everything else (limits, environment, what is a finding) stays the
 * target's. */
static pare_status validate(struct bisection *self, const struct version *version,
                            const void *bytes, size_t size, pare_validity *validity,
                            pare_error *err)
{
    pare_test_options test = self->job.target.careful;
    pare_validation validation;
    /* A worker is one process that lives through many tests; a list of commands
     * cannot replace it. */
    if (test.worker) return pare_fail(err, PARE_E_ARG, "cannot bisect a target that is a worker");
    test.program = (const char *const *)version->words;
    test.n_program = version->n_words;
    const pare_validation_options options = {
        .target = &self->job.target,
        .test = &test,
        .identity = self->job.finding.identity,
        .bytes = bytes,
        .size = size,
        .earlier = {.fails = self->job.finding.fails, .runs = self->job.finding.runs},
        .stop = self->job.run->stop};
    pare_status status = pare_validation_run(&options, &validation, err);
    if (!status) *validity = validation.validity;
    return status;
}

/* Asks whether version `k` shows the finding, and notes it in its `answer`. The
 * reduced input comes first, as it is quicker to run; it may fail for another
 * reason in another version, so the first input is asked if the reduced one
 * does not show it. */
static pare_status ask(struct bisection *self, size_t k, pare_error *err)
{
    struct version *version = &self->versions[k];
    const pare_job_run *run = self->job.run;
    pare_validity validity = PARE_NOT_THERE;
    pare_buffer line = {0};
    pare_status status = pare_buffer_format(&line, err, "asks version %s", version->name);
    if (!status)
        status =
            pare_job_set_progress(run->store, run->job->id, line.data, -1, self->n_asked++, err);
    pare_buffer_done(&line);
    if (!status && *self->job.finding.reduced)
        status = validate(self, version, self->reduced, self->reduced_bytes, &validity, err);
    if (!status && validity == PARE_NOT_THERE)
        status = validate(self, version, self->job.input, self->job.input_bytes, &validity, err);
    if (status) return status;
    version->answer = validity == PARE_STILL_THERE ? BAD
                      : validity == PARE_NOT_THERE ? GOOD
                                                   : CANNOT_RUN;
    return PARE_OK;
}

/* The version between `good` and `bad` that was not asked yet and is nearest to
 * their middle; `bad` if there is none. Nearest, because each step away from
 * the middle costs the search less than one answer. */
static size_t middle(const struct bisection *self, size_t good, size_t bad)
{
    const size_t half = good + (bad - good) / 2;
    for (size_t off = 0; off < bad - good; off++) {
        const size_t before = half - off, after = half + off;
        if (half > good + off && self->versions[before].answer == NOT_ASKED) return before;
        if (after > good && after < bad && self->versions[after].answer == NOT_ASKED) return after;
    }
    return bad;
}

/* Narrows the interval until nothing is left to ask in it. A version that
 * cannot be run moves neither end and is not asked again, so this ends after at
 * most n questions, and usually log2(n). */
static pare_status search(struct bisection *self, size_t *good, size_t *bad, pare_error *err)
{
    for (size_t k; (k = middle(self, *good, *bad)) != *bad;) {
        pare_status status = ask(self, k, err);
        if (status) return status;
        if (self->versions[k].answer == BAD) *bad = k;
        if (self->versions[k].answer == GOOD) *good = k;
    }
    return PARE_OK;
}

/* ---- the end ------------------------------------------------------------------------------ */

/* Stores the first bad version and ends the job, in one transaction;
 * `first_bad` NULL: it is not known, and what the finding had stays. */
static pare_status finish(struct bisection *self, const char *first_bad, const char *line,
                          pare_error *err)
{
    pare_store *store = self->job.run->store;
    pare_status status = pare_store_begin(store, err);
    if (status) return status;
    if (first_bad) status = pare_finding_set_first_bad(store, self->job.finding.id, first_bad, err);
    if (!status) status = pare_finding_job_end(&self->job, line, err);
    return pare_store_end(store, status, err);
}

/* Asks both ends of the boundary once more and says what it is. If versions
 * between them cannot be run, the first bad one may be any of these; then `bad`
 * is stored as the first that is known. */
static pare_status conclude(struct bisection *self, size_t good, size_t bad, pare_error *err)
{
    const char *before = self->versions[good].name, *first = self->versions[bad].name;
    pare_buffer line = {0};
    pare_status status = ask(self, good, err);
    if (!status) status = ask(self, bad, err);
    const bool holds = self->versions[good].answer == GOOD && self->versions[bad].answer == BAD;
    if (!status && !holds)
        status = pare_buffer_format(&line, err,
                                    "versions %s and %s do not answer the same twice: it comes by "
                                    "chance, raise validate_runs",
                                    before, first);
    else if (!status && bad - good > 1)
        status = pare_buffer_format(
            &line, err, "after %s and up to %s; those between cannot be run", before, first);
    else if (!status)
        status = pare_buffer_format(&line, err, "first in %s, not yet in %s", first, before);
    if (!status) status = finish(self, holds ? first : NULL, line.data, err);
    pare_buffer_done(&line);
    return status;
}

/* Asks both ends, then searches. The old end is the oldest version that can be
 * run. Each case that leaves nothing to search ends the job with the sentence
 * that says why. */
static pare_status bisect(struct bisection *self, pare_error *err)
{
    size_t good = 0, bad = self->n - 1;
    /* Without the finding in the newest version nothing else is worth a run. */
    pare_buffer line = {0};
    pare_status status = ask(self, bad, err);
    if (!status && self->versions[bad].answer == BAD) status = ask(self, good, err);
    while (!status && good + 1 < bad && self->versions[good].answer == CANNOT_RUN)
        status = ask(self, ++good, err);
    if (status) return status;
    if (self->versions[bad].answer != BAD) {
        status = pare_buffer_format(
            &line, err, "the newest version, %s, %s", self->versions[bad].name,
            self->versions[bad].answer == GOOD ? "does not show it" : "cannot be run");
        if (!status) status = finish(self, NULL, line.data, err);
    } else if (self->versions[good].answer == BAD) {
        status = pare_buffer_format(&line, err, "in the oldest version already that runs, %s",
                                    self->versions[good].name);
        if (!status) status = finish(self, self->versions[good].name, line.data, err);
    } else if (self->versions[good].answer == CANNOT_RUN) {
        status = pare_buffer_format(&line, err, "in %s, and no version before it can be run",
                                    self->versions[bad].name);
        if (!status) status = finish(self, NULL, line.data, err);
    } else {
        status = search(self, &good, &bad, err);
        if (!status) status = conclude(self, good, bad, err);
    }
    pare_buffer_done(&line);
    return status;
}

/* The job as a whole; an entry of the table in job_run.c. Nothing is kept
 * between runs: a job that was killed begins again, which costs some ten
 * validations. */
pare_status pare_bisect_job(const pare_job_run *run, pare_error *err)
{
    struct bisection self = {.n = 0};
    pare_status status = pare_finding_job_open(run, &self.job, err);
    if (!status && *self.job.finding.reduced)
        status = pare_store_content(run->store, self.job.finding.reduced, &self.reduced,
                                    &self.reduced_bytes, err);
    if (!status) status = read_versions(&self, err);
    if (!status) status = bisect(&self, err);
    bisection_done(&self);
    return status;
}
