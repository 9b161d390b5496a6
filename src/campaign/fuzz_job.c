/* The fuzz job: inputs of a source, on all slots of a target's oracle.
 *
 * The source pushes inputs; each is started in a free slot, and if there is none, the next verdict
 * is awaited.  Failures become findings (fuzz_record.h).  Tests end in any order, so each slot
 * remembers the source's position before its input.  The position of the oldest running test is
 * written to the store: everything before it is done.
 *
 * An input that was tested recently is skipped: a table of fixed size has the checksums of the last
 * ones, so memory does not grow with the number of tests.  A source that makes only such inputs is
 * taken to be exhausted.
 *
 * Before the first test the target is checked: if it cannot be run, or fails on an empty input,
 * every test would become a finding.  If it reports what a test reaches, inputs that reach
 * something new are reduced in between, while no other test is running (feedback.h). */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include <pare/findings.h>
#include <pare/outcome.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/checksum.h"
#include "base/fail.h"
#include "campaign/campaign_file.h"
#include "campaign/feedback.h"
#include "campaign/fuzz_harm.h"
#include "campaign/fuzz_record.h"
#include "campaign/job_run.h"
#include "campaign/section.h"
#include "campaign/source.h"
#include "campaign/statistic.h"
#include "campaign/store.h"
#include "campaign/target.h"
#include "campaign/workers.h"
#include "os/clock.h"
#include "os/file.h"
#include "run/oracle.h"
#include "run/remote/remote.h"
#include "session/session.h"
#include "session/test/session_oracle.h"
#include "session/test/travel.h"
#include "text/candidate.h"
#include "text/text.h"

enum {
    LEAST_JOB_MS = 10000, /* of a job whose source names no batch */
    MOST_JOB_MS = 120000,
    MOST_FUZZER_MS = 300000, /* the same of another fuzzer, which takes seconds to start */
    REMEMBERED = 1 << 19,    /* checksums of inputs: 4 MiB */
    MOST_REPEATED = 4096,    /* inputs in a row: the source has no more */
    SLOW_REPEATED = 64,      /* that took SLOW_MS or more */
    SLOW_MS = 5000,
    WAIT_MS = 1000 /* until it is looked again whether something is to be written */
};

/* A slot of the oracle. Its texts are kept from test to test, so hardly
 * anything is allocated. */
struct slot {
    bool is_busy;
    uint64_t number;    /* of the input; in the order of the source */
    pare_buffer bytes;  /* the input */
    pare_buffer before; /* the position before it */
};

/* A fuzz job. `oracle` and the counts belong to one thread, as the whole job does. */
struct fuzzing {
    const pare_job_run *run;
    pare_target target;
    pare_source *source; /* owned */
    pare_buffer folder;  /* the source's */
    pare_target_oracle opened;
    pare_oracle *oracle;      /* that of `opened`, with its workers */
    pare_workers_share share; /* as it was noted last */
    pare_feedback *feedback;  /* owned; NULL: nobody tells what a test reaches */
    pare_fuzz_record record;
    struct slot *slots; /* owned; of the oracle */
    unsigned n_busy;
    uint64_t n_started, n_repeated, most_tests;
    uint64_t repeated_ms; /* on the clock: the first of n_repeated */
    pare_fuzz_harm harm;
    uint64_t end_ms;      /* on the clock; 0: the batch says when it is enough */
    pare_buffer position; /* after the last input that was started */
    uint64_t *remembered; /* owned */
    pare_text *nothing;   /* the base of all candidates */
    pare_candidate candidate;
    bool is_exhausted;
};

/* --- positions ------------------------------------------------------------------------------- */

/* The text of a buffer that may never have been written. */
static const char *text_of(const pare_buffer *buffer)
{
    return buffer->size ? buffer->data : "";
}

/* The position to go on from if the job ended now: that before the oldest input
 * under way, or after the last one if none is. O(slots). */
static const char *safe_position(const struct fuzzing *self)
{
    const struct slot *oldest = NULL;
    for (unsigned k = 0; k < self->oracle->n_slots; k++) {
        const struct slot *slot = &self->slots[k];
        if (slot->is_busy && (!oldest || slot->number < oldest->number)) oldest = slot;
    }
    return text_of(oldest ? &oldest->before : &self->position);
}

/* Passes on what workers have to tell, and notes how many there are; at the end
 * none. */
static pare_status note_workers(struct fuzzing *self, bool is_end, pare_error *err)
{
    pare_session_oracle *session = &self->opened.session;
    const pare_remote_counts counts = pare_session_oracle_workers(session);
    const pare_workers_share now = {.n_workers = is_end ? 0 : counts.n_workers,
                                    .n_slots = is_end ? 0 : counts.n_slots};
    pare_status status = PARE_OK;
    for (const char *of; !status && (of = pare_travel_notice(session)) != NULL;)
        status = pare_workers_tell(self->run, of, err);
    return status ? status : pare_workers_note(self->run, now, &self->share, err);
}

/* Writes what has come together since the last time, in one transaction, with
 * the safe position. `ended` as for pare_fuzz_record_write: NULL while the job
 * goes on. */
static pare_status write_record(struct fuzzing *self, const char *ended, pare_error *err)
{
    /* A source that runs tests of its own (another fuzzer) is asked for their
     * number. */
    self->record.delta.making_s += pare_source_making_s(self->source);
    const uint64_t own_tests = pare_source_own_tests(self->source);
    self->record.delta.tests += own_tests;
    self->record.n_tests += own_tests;
    pare_status status =
        pare_fuzz_harm_count(&self->harm, self->run->store, self->run->job->target, err);
    if (!status) status = note_workers(self, ended != NULL, err);
    return status ? status : pare_fuzz_record_write(&self->record, safe_position(self), ended, err);
}

/* --- verdicts -------------------------------------------------------------------------------- */

/* Takes the verdict of a test. A failing test becomes a finding. What a test
 * reached that failed or took too long is not looked at: as a finding it is
 * kept already, and it would be reduced for its coverage. */
static pare_status settle(struct fuzzing *self, const pare_verdict *verdict, pare_error *err)
{
    struct slot *slot = &self->slots[verdict->slot];
    const char *bytes = text_of(&slot->bytes);
    uint64_t new_edges = 0;
    pare_status status = PARE_OK;
    assert(slot->is_busy && self->n_busy);
    slot->is_busy = false;
    self->n_busy--;
    if (verdict->cancelled) return PARE_OK;
    self->record.n_tests++;
    self->record.delta.tests++;
    self->record.delta.testing_s += verdict->duration_ms / 1000;
    const bool failed = verdict->outcome == PARE_FAIL;
    pare_fuzz_harm_note(&self->harm, verdict);
    if (failed)
        status = pare_fuzz_record_take(&self->record, verdict->signature, bytes, slot->bytes.size,
                                       verdict->output, err);
    else if (self->feedback && !verdict->timed_out)
        status = pare_feedback_look(self->feedback, verdict->slot, bytes, slot->bytes.size,
                                    &new_edges, err);
    if (!status) pare_source_feedback(self->source, bytes, slot->bytes.size, failed, new_edges);
    return status;
}

/* Waits for the next verdict, at most `ms`, and settles it; writes what is due.  *any: there was
 * one.  PARE_E_INTERRUPTED: a stop was requested. */
static pare_status wait_for(struct fuzzing *self, int64_t ms, bool *any, pare_error *err)
{
    pare_wait what = PARE_WAIT_TIMEOUT;
    pare_verdict verdict = {0};
    pare_status status = self->oracle->ops->wait(self->oracle, ms, &what, &verdict, err);
    *any = !status && what == PARE_WAIT_VERDICT;
    if (!status && what == PARE_WAIT_INTERRUPTED)
        return pare_fail(err, PARE_E_INTERRUPTED, "interrupted");
    if (*any) status = settle(self, &verdict, err);
    if (!status && pare_fuzz_record_is_due(&self->record)) status = write_record(self, NULL, err);
    return status;
}

/* The same, at most WAIT_MS. */
static pare_status wait_one(struct fuzzing *self, pare_error *err)
{
    bool any;
    return wait_for(self, WAIT_MS, &any, err);
}

/* Settles the tests that have ended, and ends those whose time is over: the oracle does that only
 * while it is asked.  Waits for none. */
static pare_status take_ended(struct fuzzing *self, pare_error *err)
{
    pare_status status = PARE_OK;
    for (bool any = true; !status && any && self->n_busy;)
        status = wait_for(self, 0, &any, err);
    return status;
}

/* --- inputs ---------------------------------------------------------------------------------- */

/* Whether an input was tested a short time ago, by its checksum; notes it in
 * any case. The table forgets: two inputs share a place now and then, and the
 * later one stays. */
static bool is_repeated(struct fuzzing *self, const void *bytes, size_t size)
{
    const uint64_t key = pare_checksum(bytes, size);
    uint64_t *place = &self->remembered[key % REMEMBERED];
    /* The empty table has zeros, which are no more likely than any other checksum. */
    if (*place == key) return true;
    *place = key;
    return false;
}

static pare_status set(pare_buffer *to, const void *bytes, size_t size, pare_error *err)
{
    pare_buffer_reset(to);
    return pare_buffer_add(to, bytes, size, err);
}

/* Starts the test of an input in a slot that is free, and notes the position
 * before it there. */
static pare_status start(struct fuzzing *self, unsigned number, const void *bytes, size_t size,
                         pare_error *err)
{
    struct slot *slot = &self->slots[number];
    pare_candidate_start(&self->candidate, self->nothing);
    pare_status status =
        size ? pare_candidate_literal(&self->candidate, bytes, size, err) : PARE_OK;
    if (!status) status = set(&slot->bytes, bytes, size, err);
    if (!status) status = set(&slot->before, text_of(&self->position), self->position.size, err);
    if (!status) status = self->oracle->ops->start(self->oracle, number, &self->candidate, err);
    if (status) return status;
    slot->is_busy = true;
    slot->number = self->n_started++;
    self->n_busy++;
    return PARE_OK;
}

/* The number of a slot that is free; the caller has made sure that there is one. */
static unsigned free_slot(const struct fuzzing *self)
{
    unsigned k = 0;
    while (self->slots[k].is_busy)
        k++;
    assert(k < self->oracle->n_slots);
    return k;
}

/* Whether this job has done its share, by tests if a number is given, else by time. */
static bool has_enough(const struct fuzzing *self)
{
    if (self->most_tests) return self->n_started >= self->most_tests;
    return pare_clock_ms() >= self->end_ms;
}

/* Waits for all tests under way, as reductions use slot 0, then works off the
 * inputs that have reached something new. Their tests count as the job's. */
static pare_status work_feedback(struct fuzzing *self, pare_error *err)
{
    pare_feedback_cost cost = {0};
    pare_status status = PARE_OK;
    while (!status && self->n_busy)
        status = wait_one(self, err);
    if (!status) status = pare_feedback_work(self->feedback, &cost, err);
    self->record.n_tests += cost.tests;
    self->record.delta.tests += cost.tests;
    self->record.delta.testing_s += cost.testing_s;
    return status;
}

/* Called for each input that was repeated: whether the source is to be taken
 * for exhausted. Fewer in a row will do if each takes long to make, as with a
 * command that always prints the same. */
static bool has_no_more(struct fuzzing *self)
{
    const uint64_t now_ms = pare_clock_ms();
    if (!self->n_repeated++) self->repeated_ms = now_ms;
    return self->n_repeated >= MOST_REPEATED ||
           (self->n_repeated >= SLOW_REPEATED && now_ms - self->repeated_ms >= SLOW_MS);
}

/* How many slots are worth filling; those of workers come and go, and the
 * oracle knows how many there are now. */
static unsigned useful_slots(const struct fuzzing *self)
{
    return self->oracle->n_useful ? self->oracle->n_useful : self->oracle->n_slots;
}

/* Starts the test of an input as soon as there is a slot, unless it was just tested. */
static pare_status put(struct fuzzing *self, const void *bytes, size_t size, pare_error *err)
{
    pare_status status = PARE_OK;
    if (is_repeated(self, bytes, size)) {
        self->is_exhausted = has_no_more(self);
        return PARE_OK;
    }
    self->n_repeated = 0;
    while (!status && self->n_busy >= useful_slots(self))
        status = wait_one(self, err);
    if (!status && self->feedback && pare_feedback_has_work(self->feedback))
        status = work_feedback(self, err);
    return status ? status : start(self, free_slot(self), bytes, size, err);
}

/* A pare_source_sink.  PARE_RUN_ENDED: the job has enough.
 *
 * A source that makes inputs slowly never fills the slots, so tests that have ended are looked for
 * here.  Not where a source draws from members and gives inputs without a pause: what it makes next
 * would depend on whether a test ended just before or just after this. */
static pare_status take(void *context, const void *bytes, size_t size, const char *position,
                        pare_error *err)
{
    struct fuzzing *self = context;
    pare_status status = PARE_OK;
    if (bytes) status = put(self, bytes, size, err);
    if (bytes && !status) status = set(&self->position, position, strlen(position), err);
    if (!status && (!bytes || !pare_source_takes_members(self->source)))
        status = take_ended(self, err);
    /* Also where no slot is ever waited for: the source may be slower than the tests. */
    if (!status && pare_fuzz_record_is_due(&self->record)) status = write_record(self, NULL, err);
    if (status) return status;
    return self->is_exhausted || has_enough(self) ? PARE_RUN_ENDED : PARE_OK;
}

/* --- the job --------------------------------------------------------------------------------- */

/* Makes the folder in which the source keeps its files for this target:
 * STORE.work/source-NAME-TARGET. It outlives the job, so that a fuzzer goes on
 * where it was. */
static pare_status open_folder(struct fuzzing *self, pare_error *err)
{
    const pare_job *job = self->run->job;
    pare_status status =
        pare_buffer_format(&self->folder, err, "%s.work/source-", self->run->store->path);
    const size_t from = self->folder.size;
    if (!status) status = pare_buffer_format(&self->folder, err, "%s-%s", job->source, job->target);
    if (status) return status;
    /* Names are the user's: a slash in one would lead elsewhere. */
    for (char *at = self->folder.data + from; *at; at++)
        if (*at == '/') *at = '_';
    return pare_file_make_directories(self->folder.data, err);
}

/* The source's own seed, or the campaign's. */
static uint64_t seed_of(const struct fuzzing *self, const pare_section *section)
{
    if (*pare_section_text(section, "seed")) return pare_section_number(section, "seed");
    const pare_section *campaign = pare_campaign_section(self->run->campaign, "campaign", "");
    return campaign ? pare_section_number(campaign, "seed") : 0;
}

/* Opens the source in its folder. It may use as many processors as the job has
 * slots: a fuzzer that runs tests itself needs no others. */
static pare_status open_source(struct fuzzing *self, const pare_section *section, pare_error *err)
{
    pare_status status = open_folder(self, err);
    if (status) return status;
    const pare_source_options options = {.campaign = self->run->campaign,
                                         .section = section,
                                         .target = &self->target,
                                         .store = self->run->store,
                                         .folder = self->folder.data,
                                         .seed = seed_of(self, section),
                                         .slots = self->run->job->cost ? self->run->job->cost : 1,
                                         .stop = self->run->stop};
    return pare_source_open(&options, &self->source, err);
}

/* Whether AFL's map tells what tests reach. It is memory of this machine, so
 * workers cannot be used then. */
static bool has_map(const struct fuzzing *self)
{
    const pare_section *section =
        pare_campaign_section(self->run->campaign, "target", self->run->job->target);
    return !strcmp(pare_section_text(section, "coverage"), "afl");
}

/* Offers the tests to workers, if there are any. The control, by which a worker
 * shows that it can run the target, is an empty input with what it shows here. */
static pare_status share(struct fuzzing *self, pare_error *err)
{
    pare_target_seen seen;
    if (!self->opened.session.remote) return PARE_OK;
    pare_status status = pare_target_try(&self->target, &self->opened, "", 0, &seen, err);
    if (!status) status = pare_target_share(&self->opened, "", 0, &seen, err);
    pare_target_seen_done(&seen);
    return status;
}

/* Opens the oracle of the job, with a slot for each slot of the job, and what
 * goes with slots. After the target was checked, since that opens an oracle of
 * its own. */
static pare_status open_oracle(struct fuzzing *self, pare_error *err)
{
    const unsigned slots = self->run->job->cost ? self->run->job->cost : 1;
    pare_status status = PARE_OK;
    if (!has_map(self))
        pare_target_use_workers(&self->target);
    else if (self->target.workers.url)
        status = pare_workers_tell(
            self->run, "tests of a target with AFL's map run on this machine alone, where it is",
            err);
    if (!status)
        status = pare_target_open(&self->target, false, slots, self->run->stop, &self->opened, err);
    if (!status) status = share(self, err);
    if (status) return status;
    self->oracle = pare_session_oracle_outer(&self->opened.session);
    self->slots = pare_alloc_zero(self->oracle->n_slots, sizeof *self->slots);
    self->remembered = pare_alloc_zero(REMEMBERED, sizeof *self->remembered);
    if (!self->slots || !self->remembered) return pare_fail_nomem(err);
    return pare_text_copy("", 0, &self->nothing, err);
}

/* Opens the feedback, if the target tells what a test reaches. */
static pare_status open_feedback(struct fuzzing *self, pare_error *err)
{
    const pare_section *section =
        pare_campaign_section(self->run->campaign, "target", self->run->job->target);
    const char *command = pare_section_text(section, "coverage_by");
    if (!has_map(self) && !*command) return PARE_OK;
    const pare_feedback_options options = {.store = self->run->store,
                                           .target = &self->target,
                                           .source_name = self->run->job->source,
                                           .source = self->source,
                                           .oracle = self->opened.session.oracle,
                                           .command = *command ? command : NULL,
                                           .folder = self->folder.data,
                                           .stop = self->run->stop};
    return pare_feedback_open(&options, &self->feedback, err);
}

/* Sets the time at which the job has done its share: as long as all earlier
 * jobs of its source and target took together, within bounds. So jobs are short
 * at first, when little is known about who earns what, and longer when what
 * each start has to read again (the population above all) has grown. Reads all
 * jobs that are kept, once in each job. */
static pare_status set_end(struct fuzzing *self, pare_error *err)
{
    const pare_job *job = self->run->job;
    const int64_t most = pare_source_is_fuzzer(self->source) ? MOST_FUZZER_MS : MOST_JOB_MS;
    int64_t ms = 0;
    pare_status status =
        pare_store_number(self->run->store,
                          "SELECT total(ended - started) FROM job"
                          " WHERE kind = ?1 AND source = ?2 AND target = ?3 AND started > 0"
                          " AND ended > started",
                          &ms, 0, err, "iss", (int64_t)PARE_JOB_FUZZ, job->source, job->target);
    if (ms < LEAST_JOB_MS) ms = LEAST_JOB_MS;
    self->end_ms = pare_clock_ms() + (uint64_t)(ms < most ? ms : most);
    return status;
}

/* Opens everything, in the order in which things use each other; after a
 * failure close_all releases what was opened. The number of tests is the job's
 * own (`detail`) or the source's batch; the caller owns *position. */
static pare_status open_all(struct fuzzing *self, char **position, pare_error *err)
{
    const pare_job_run *run = self->run;
    const pare_job *job = run->job;
    const pare_section *section = pare_campaign_section(run->campaign, "source", job->source);
    if (!section) return pare_fail(err, PARE_E_STATE, "source %s no longer exists", job->source);
    pare_status status = pare_target_read(run->campaign, job->target, &self->target, err);
    if (!status) status = pare_target_check(&self->target, run->stop, err);
    if (!status) status = open_source(self, section, err);
    if (!status) status = open_oracle(self, err);
    if (!status) status = open_feedback(self, err);
    if (!status) status = pare_fuzz_record_init(&self->record, run, &self->target, err);
    self->record.feedback = self->feedback;
    if (!status)
        status = pare_statistic_get_position(run->store, job->source, job->target, run->config,
                                             position, err);
    self->most_tests = strtoull(job->detail, NULL, 10);
    if (!self->most_tests) self->most_tests = pare_section_number(section, "batch");
    return status ? status : set_end(self, err);
}

/* Runs the source from `position`, then waits for the tests that are still
 * under way and writes the last record, which ends the job. */
static pare_status run_source(struct fuzzing *self, const char *position, pare_error *err)
{
    bool dry = false;
    pare_status status = set(&self->position, position, strlen(position), err);
    if (!status) status = pare_source_run(self->source, position, take, self, &dry, err);
    status = pare_run_error(status);
    while (!status && self->n_busy)
        status = wait_one(self, err);
    if (!status && self->feedback && pare_feedback_has_work(self->feedback))
        status = work_feedback(self, err);
    if (status) return status;
    status = pare_fuzz_harm_tell(&self->harm, self->run, err);
    if (status) return status;
    if (dry && pare_source_begins_anew(self->source)) pare_buffer_reset(&self->position);
    return write_record(self, dry || self->is_exhausted ? PARE_FUZZ_DRY : "", err);
}

/* Closes in the order in which things use each other: the feedback asks the
 * oracle, and the source's programs end before what they write is forgotten.
 * Also after a failure in open_all. */
static void close_all(struct fuzzing *self)
{
    for (unsigned k = 0; self->slots && k < self->oracle->n_slots; k++) {
        pare_buffer_done(&self->slots[k].bytes);
        pare_buffer_done(&self->slots[k].before);
    }
    pare_alloc_free(self->slots);
    pare_candidate_done(&self->candidate);
    pare_text_unref(self->nothing);
    pare_feedback_free(self->feedback);
    pare_target_close(&self->opened);
    pare_source_close(self->source);
    pare_fuzz_record_done(&self->record);
    pare_target_done(&self->target);
    pare_alloc_free(self->remembered);
    pare_buffer_done(&self->position);
    pare_buffer_done(&self->folder);
}

/* Keeps what was found when the source or the oracle has failed, or the job was
 * stopped. What is due is written before more tests are waited for, since the
 * record may be full. Returns the first error, unless that is only a stop and
 * the store has failed, too: that is worse. */
static pare_status keep_what_is_done(struct fuzzing *self, pare_status status, pare_error *err)
{
    pare_error own = {0};
    pare_status kept = PARE_OK;
    if (pare_fuzz_record_is_due(&self->record)) kept = write_record(self, NULL, &own);
    while (!kept && self->n_busy && status != PARE_E_INTERRUPTED)
        kept = wait_one(self, &own);
    own = (pare_error){0};
    kept = write_record(self, NULL, &own);
    if (!kept) kept = pare_fuzz_harm_tell(&self->harm, self->run, &own);
    if (!kept || status != PARE_E_INTERRUPTED) return status;
    pare_fail_clear(err);
    return pare_fail(err, kept, "%s", own.message);
}

/* The job as a whole. One that cannot even be opened has tested nothing, so
 * nothing is kept of it. */
pare_status pare_fuzz_job(const pare_job_run *run, pare_error *err)
{
    struct fuzzing self = {.run = run};
    char *position = NULL;
    pare_status status = open_all(&self, &position, err);
    if (!status) {
        status = run_source(&self, position, err);
        if (status) status = keep_what_is_done(&self, status, err);
    }
    close_all(&self);
    pare_alloc_free(position);
    return status;
}
