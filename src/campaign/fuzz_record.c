/* Collecting what a fuzz job finds, and writing it.
 *
 * A transaction costs as much as a thousand short tests, so failures of known findings wait for the
 * next one, for at most a second or PARE_FUZZ_RECORD_FAILURES failures.  A failure that may be a
 * new finding is written at once.  A table of checksums of the identities that this job has written
 * tells the two apart: a miss only costs one more transaction, and a collision only delays a
 * finding by a second.
 *
 * Invariant: the position that is written is one before which all tests are done, and all their
 * failures are in the same transaction; so a kill loses nothing, and what is tested again after it
 * is counted once as a member (finding.h). */
#include "campaign/fuzz_record.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <pare/findings.h>

#include "base/alloc.h"
#include "base/checksum.h"
#include "campaign/finding.h"
#include "campaign/identity.h"
#include "campaign/job.h"
#include "campaign/store.h"
#include "os/clock.h"

enum { INTERVAL_MS = 1000, PROGRESS_BYTES = 160 };

/* Begins a record; `run` and `target` are borrowed. Buffers of failures are
 * used again and again, so after the first transactions hardly anything is
 * allocated. */
pare_status pare_fuzz_record_init(pare_fuzz_record *record, const pare_job_run *run,
                                  const pare_target *target, pare_error *err)
{
    *record = (pare_fuzz_record){
        .run = run,
        .target = target,
        .delta = {.source = run->job->source, .target = run->job->target, .config = run->config},
        .written_ms = pare_clock_ms()};
    record->failures = pare_alloc_zero(PARE_FUZZ_RECORD_FAILURES, sizeof *record->failures);
    record->known = pare_alloc_zero(PARE_FUZZ_RECORD_IDENTITIES, sizeof *record->known);
    if (!record->failures || !record->known) return pare_fail_nomem(err);
    return pare_target_version(run->campaign, run->job->target, run->stop, &record->version, err);
}

/* Also of one that was begun in part, or not at all (all-zero). */
void pare_fuzz_record_done(pare_fuzz_record *record)
{
    for (size_t i = 0; record->failures && i < PARE_FUZZ_RECORD_FAILURES; i++) {
        pare_buffer_done(&record->failures[i].bytes);
        pare_buffer_done(&record->failures[i].signature);
        pare_buffer_done(&record->failures[i].identity);
        pare_buffer_done(&record->failures[i].title);
        pare_buffer_done(&record->failures[i].output);
    }
    pare_alloc_free(record->failures);
    pare_alloc_free(record->known);
    pare_alloc_free(record->version);
    *record = (pare_fuzz_record){.run = NULL};
}

/* --- taking ---------------------------------------------------------------------------------- */

/* The checksum of an identity, never 0, as 0 marks a free place of the table. */
static uint64_t key_of(const pare_buffer *identity)
{
    const uint64_t key = pare_checksum(identity->size ? identity->data : "", identity->size);
    return key ? key : 1;
}

/* The place of a key. A later identity takes the place of an earlier one with
 * the same place; the earlier one then only costs a transaction more when it is
 * seen again. */
static uint64_t *place_of(const pare_fuzz_record *record, uint64_t key)
{
    return &record->known[key % PARE_FUZZ_RECORD_IDENTITIES];
}

static pare_status set(pare_buffer *to, const void *bytes, size_t size, pare_error *err)
{
    pare_buffer_reset(to);
    return pare_buffer_add(to, size ? bytes : "", size, err);
}

static const char *text_of(const pare_buffer *buffer)
{
    return buffer->size ? buffer->data : "";
}

/* Takes a failing test. Everything is copied, since bytes and output are the
 * oracle's until its next test. An identity that was not written lately makes
 * the record urgent: a new finding is stored before anything else is done. */
pare_status pare_fuzz_record_take(pare_fuzz_record *record, const char *signature,
                                  const void *bytes, size_t size, const char *output,
                                  pare_error *err)
{
    assert(record->n_failures < PARE_FUZZ_RECORD_FAILURES && "what is due is written first");
    pare_fuzz_failure *failure = &record->failures[record->n_failures];
    pare_buffer_reset(&failure->identity);
    pare_buffer_reset(&failure->title);
    pare_status status = set(&failure->bytes, bytes, size, err);
    const char *seen = signature ? signature : pare_target_untold;
    if (!status) status = set(&failure->signature, seen, strlen(seen), err);
    if (!status) status = set(&failure->output, output, output ? strlen(output) : 0, err);
    if (!status)
        status =
            pare_target_identify(record->target, signature, bytes, size, &failure->identity, err);
    if (!status) status = pare_identity_title(text_of(&failure->identity), &failure->title, err);
    if (status) return status;
    const uint64_t key = key_of(&failure->identity);
    if (*place_of(record, key) != key) record->is_urgent = true;
    record->n_failures++;
    record->bytes += size;
    record->delta.failures++;
    record->n_failing++;
    return PARE_OK;
}

/* Whether the record is to be written: something new is in it, it is full, or
 * INTERVAL_MS have passed. It stays due after a transaction has failed; callers
 * end then and do not try again with each test. */
bool pare_fuzz_record_is_due(const pare_fuzz_record *record)
{
    return record->is_urgent || record->n_failures == PARE_FUZZ_RECORD_FAILURES ||
           record->bytes >= PARE_FUZZ_RECORD_BYTES ||
           pare_clock_ms() - record->written_ms >= INTERVAL_MS;
}

/* --- writing --------------------------------------------------------------------------------- */

/* Adds one failing test to the store; counts it in *n_new if its finding is new. */
static pare_status write_failure(pare_fuzz_record *record, const pare_fuzz_failure *waiting,
                                 uint64_t *n_new, pare_error *err)
{
    const pare_failure failure = {.target = record->run->job->target,
                                  .source = record->run->job->source,
                                  .version = record->version ? record->version : "",
                                  .config = record->run->config,
                                  .signature = text_of(&waiting->signature),
                                  .identity = text_of(&waiting->identity),
                                  .title = text_of(&waiting->title),
                                  .output = text_of(&waiting->output),
                                  .bytes = text_of(&waiting->bytes),
                                  .size = waiting->bytes.size,
                                  .from_job = record->run->job->id};
    pare_failure_added added = {0};
    pare_status status = pare_finding_add(record->run->store, &failure, &added, err);
    *n_new += !status && added.is_new;
    return status;
}

/* Writes all of the record within the transaction: findings, coverage,
 * statistics, position and progress. So a position is never ahead of the
 * findings that were made before it. */
static pare_status write_all(pare_fuzz_record *record, const char *position, const char *ended,
                             uint64_t *n_new, pare_error *err)
{
    const pare_job_run *run = record->run;
    char progress[PROGRESS_BYTES];
    pare_status status = PARE_OK;
    for (size_t i = 0; !status && i < record->n_failures; i++)
        status = write_failure(record, &record->failures[i], n_new, err);
    record->delta.findings = *n_new;
    record->delta.edges = 0;
    if (!status && record->feedback)
        status = pare_feedback_share(record->feedback, &record->delta.edges, err);
    if (!status) status = pare_statistic_add(run->store, &record->delta, err);
    if (!status)
        status = pare_statistic_set_position(run->store, run->job->source, run->job->target,
                                             run->config, position, err);
    (void)snprintf(progress, sizeof progress,
                   "%" PRIu64 " tests, %" PRIu64 " failures, %" PRIu64 " new findings",
                   record->n_tests, record->n_failing, record->n_new + *n_new);
    if (ended && *ended) (void)snprintf(progress, sizeof progress, "%s", ended);
    if (!status)
        status =
            pare_job_set_progress(run->store, run->job->id, progress, -1, record->n_tests, err);
    if (!status && ended)
        status = pare_job_set_ended(run->store, run->job->id, PARE_JOB_DONE, progress, err);
    return status;
}

/* Writes the record in one transaction and empties it. What others have found
 * is brought in after that, not within it: reading a large member by a grammar
 * may take seconds. */
pare_status pare_fuzz_record_write(pare_fuzz_record *record, const char *position,
                                   const char *ended, pare_error *err)
{
    uint64_t n_new = 0;
    pare_status status = pare_store_begin(record->run->store, err);
    if (status) return status;
    status = write_all(record, position, ended, &n_new, err);
    status = pare_store_end(record->run->store, status, err);
    record->written_ms = pare_clock_ms();
    if (status) return status;
    for (size_t i = 0; i < record->n_failures; i++) {
        const uint64_t key = key_of(&record->failures[i].identity);
        *place_of(record, key) = key;
    }
    record->n_new += n_new;
    record->n_failures = record->bytes = 0;
    record->is_urgent = false;
    record->delta = (pare_statistic_delta){.source = record->delta.source,
                                           .target = record->delta.target,
                                           .config = record->delta.config};
    if (ended || !record->feedback) return PARE_OK;
    return pare_feedback_bring_in(record->feedback, err);
}
