/* The loop of a worker's berth: handles letters and ended tests, and reports its state once a
 * second.
 *
 * A job is held from the letter that brings it until its result is sent.  While we hold it, the
 * server gets "+WPI" for it each second, so a test may take as long as it likes; if we are killed
 * or cut off, the server gives the job to another worker after some seconds.  We do not acknowledge
 * a job; the coordinator does, when it has the result, so a lost result makes the job come again.
 * Each berth is such a loop, in a process of its own, with a connection of its own (berth.h); it
 * serves one run, and asks for no more jobs than its run's share of the slots.
 * Invariants: a slot of the oracle that is busy belongs to the check of the input (state PREPARING), or
 * to the job in jobs[slot]; for each there is one of the worker's slots (pare_berth_take_slot). */
#include "run/remote/serve.h"

#include <assert.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <pare/outcome.h>
#include <pare/stop.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/digest.h"
#include "base/fail.h"
#include "os/clock.h"
#include "os/stop.h"
#include "run/process.h"
#include "run/remote/berth.h"
#include "run/remote/cluster.h"
#include "run/remote/edits.h"
#include "run/remote/message.h"
#include "text/candidate.h"

enum {
    TICK_MS = 1000,
    SILENT_MS = 30000, /* a coordinator that is not heard for so long is gone */
    PULL_MS = 6000,    /* what was asked for is asked for again after that */
    N_CANCELLED = 1024,
    MOST_SLOTS = 1024,
    MOST_ABSENT = 3,    /* how often the server says that nobody hears us before the coordinator
                      * counts as dead */
    CONTROL_MS = 10000, /* after which the input is run again, at the earliest */
    MOST_CHANGES = 8,   /* changes of what a test needs here, before we give it up */
    CONTROL_SHARE = 20, /* at most one part in so many of the tests' time is spent on it */
    EXPIRED = 408,      /* the status of what was asked for in vain */
    NOBODY = 503        /* that of what nobody has heard */
};

#define ABSENT ".absent."

/* A job that is held. */
struct job {
    bool is_held, is_cancelled;
    uint64_t number;
    uint64_t start_us; /* that starting its test took */
    char reply[PARE_MESSAGE_NAME_BYTES * 2];
};

/* A berth's state.  `oracle`, `jobs` and the letters that wait are those of the run in `call`;
 * without one (is_open false) they are empty. */
struct worker {
    const pare_serve_options *options;
    pare_file_cache cache; /* the options' one */
    pare_berth *berth;
    pare_stop *stop;
    pare_cluster *cluster;
    pare_link *link;
    pare_message_hello hello;          /* what is said of us */
    pare_message_call call;            /* of the run that we work for */
    uint64_t heard_ms;                 /* of it */
    pare_oracle *oracle;               /* NULL: we work for no run */
    bool is_open;                      /* options->open was called */
    bool is_empty_asked;               /* PREPARING: the input failed, now an empty one is run */
    bool is_check_due;                 /* PREPARING: that waits for a slot */
    uint64_t control_ms, ready_ms;     /* when the input was last started, and found to fail */
    double control_took_ms, tested_ms; /* that took; tests since then, over all slots */
    struct job *jobs;                  /* of each slot */
    pare_letter *first, **last;        /* jobs that came without a free slot */
    unsigned n_waiting;
    unsigned n_pulled; /* jobs asked for and not come yet */
    uint64_t pulled_ms, pull;
    bool is_server_gone;
    unsigned n_connects, n_absent, n_changes;
    uint64_t said_ms;
    unsigned peak, last_peak; /* jobs that were here at once, in this second and the last */
    bool met_stranger;
    uint64_t cancelled[N_CANCELLED]; /* the last jobs of the run that are not wanted */
    unsigned n_cancelled;
    pare_buffer room;
};

/* ---- saying ------------------------------------------------------------------------------ */

/* If nobody listens, the server says so with an empty letter to ABSENT.  Nothing is sent while the
 * server is away: it would get everything at once, and late. */
static void say(struct worker *self, const pare_message_hello *hello, const char *inbox)
{
    char reply[80];
    /* Without an inbox there is nobody to tell. */
    if (!*inbox || !pare_link_is_up(self->link)) return;
    if (pare_message_write_hello(&self->room, hello, NULL)) return;
    (void)snprintf(reply, sizeof reply, "%s" ABSENT "%016" PRIx64, pare_link_inbox(self->link),
                   hello->run);
    (void)!pare_link_send(self->link, inbox, reply, self->room.data, self->room.size, NULL);
}

/* Reports our state to the coordinator.  It includes only the slots that the run may use now, so
 * that no more jobs are sent than can start. */
static void say_to_run(struct worker *self)
{
    self->said_ms = pare_clock_ms();
    self->hello.n_slots = pare_berth_usable(self->berth);
    self->hello.n_runs = 0;
    say(self, &self->hello, self->call.inbox);
}

/* A sentence for the worker's user: `what` takes the number of the run, then `more`. */
static void tell(const struct worker *self, const char *what, const char *more)
{
    char sentence[800];
    (void)snprintf(sentence, sizeof sentence, what, (unsigned long long)self->call.run, more);
    pare_berth_tell(self->berth, sentence);
}

/* ---- a run begins and ends ------------------------------------------------------------------ */

/* Gives the job back: the server gives it to another worker, or to us again.  If the letter is
 * lost, the same happens once the server has not heard of the job for some seconds. */
static void give_back(struct worker *self, const char *reply)
{
    (void)!pare_cluster_acknowledge(self->cluster, reply, "-NAK", NULL);
}

/* Leaves the run: ends its tests and gives its jobs back. */
static void leave(struct worker *self, pare_worker_state state)
{
    for (unsigned i = 0; self->oracle && i < self->oracle->n_slots; i++) {
        if (self->jobs[i].is_held && !self->jobs[i].is_cancelled)
            give_back(self, self->jobs[i].reply);
        self->jobs[i] = (struct job){.is_held = false};
    }
    while (self->first) {
        pare_letter *letter = self->first;
        self->first = letter->next;
        give_back(self, letter->reply);
        pare_link_letter_free(letter);
    }
    /* The list is empty again, and may get letters of the next run. */
    self->last = &self->first;
    self->n_waiting = self->n_pulled = 0;
    if (self->is_open) self->options->close(self->options->context);
    self->is_open = self->is_check_due = false;
    self->oracle = NULL;
    self->hello.state = state;
    self->hello.n_running = 0;
    say_to_run(self);
    pare_berth_leave_run(self->berth);
    self->hello.run = 0;
    self->hello.state = PARE_WORKER_IDLE;
    self->hello.why[0] = '\0';
    self->hello.n_doubtful = 0;
}

/* Refuses the current run, and remembers why. */
static void refuse(struct worker *self, const char *why)
{
    pare_berth_refuse(self->berth, self->call.run, why);
    (void)snprintf(self->hello.why, sizeof self->hello.why, "%.511s", why);
    tell(self, "run %016llx is refused: %.600s", why);
    leave(self, PARE_WORKER_REFUSED);
}

/* Starts `text` in a slot. */
static pare_status start_text(struct worker *self, unsigned slot, const pare_text *text,
                              pare_error *err)
{
    pare_candidate candidate = {0};
    pare_candidate_start(&candidate, text);
    pare_status status = PARE_OK;
    if (pare_text_size(text))
        status = pare_candidate_slice(&candidate, 0, pare_text_size(text), err);
    if (!status) status = self->oracle->ops->start(self->oracle, slot, &candidate, err);
    pare_candidate_done(&candidate);
    return status;
}

/* Runs the input, or an empty one, in a slot that we have. */
static pare_status check(struct worker *self, pare_error *err)
{
    const pare_text *input = NULL;
    pare_text *empty = NULL;
    pare_digest missing;
    pare_status status = PARE_OK;
    self->is_check_due = false;
    if (self->is_empty_asked)
        status = pare_text_copy("", 0, &empty, err);
    else
        status = pare_cluster_get(self->cluster, self->call.input, &input, &missing, err);
    /* Only the input's run is measured, not that of an empty one. */
    self->control_ms = self->is_empty_asked ? self->control_ms : pare_clock_ms();
    if (!status) status = start_text(self, 0, empty ? empty : input, err);
    pare_text_unref(empty);
    return status;
}

/* Starts a check that is due as soon as there is a slot of the worker's for it; slot 0 of the
 * oracle is free then, since no job is held while we prepare. */
static void start_check(struct worker *self)
{
    pare_error err = {0};
    if (!self->is_check_due || !pare_berth_take_slot(self->berth)) return;
    if (!check(self, &err)) return;
    pare_berth_give_slot(self->berth);
    refuse(self, err.message);
}

/* A file of the test from the server. */
static pare_status fetch_file(void *context, const pare_file_id *file, pare_buffer *out,
                              pare_error *err)
{
    struct worker *self = context;
    const pare_text *text = NULL;
    pare_digest missing;
    pare_status status = pare_cluster_get(self->cluster, file->text, &text, &missing, err);
    if (status || !pare_text_size(text)) return status;
    return pare_buffer_add(out, pare_text_bytes(text), pare_text_size(text), err);
}

/* A file of the test: the one that was kept, or from the server. */
static pare_status get_file(void *context, const pare_file_id *file, pare_buffer *out,
                            pare_error *err)
{
    struct worker *self = context;
    const pare_file_source server = {.fetch = fetch_file, .context = self};
    return pare_file_cache_get(&self->cache, file, &server, out, err);
}

/* Fetches the test and its input.  The description is kept while its files are fetched. */
static pare_status prepare(struct worker *self, pare_error *err)
{
    const pare_text *borrowed = NULL, *input = NULL;
    const pare_file_source files = {.fetch = get_file, .context = self};
    pare_digest missing;
    pare_status status = pare_cluster_get(self->cluster, self->call.test, &borrowed, &missing, err);
    if (!status) {
        pare_text *description = pare_text_ref(borrowed);
        self->is_open = true;
        status = self->options->open(self->options->context, description, &files, self->stop,
                                     &self->oracle, err);
        pare_text_unref(description);
    }
    if (!status) status = pare_cluster_get(self->cluster, self->call.input, &input, &missing, err);
    if (!status) status = pare_process_wake(self->oracle, pare_berth_fd(self->berth), err);
    self->is_check_due = !status;
    return status;
}

/* Joins the run that calls, unless another berth was faster.  The coordinator is told at once, so
 * that it waits for us while the test is fetched. */
static void join(struct worker *self, const pare_message_call *call)
{
    pare_error err = {0};
    if (!pare_berth_take_run(self->berth, call->run)) return;
    self->call = *call;
    self->heard_ms = pare_clock_ms();
    self->n_cancelled = self->n_absent = self->n_changes = 0;
    self->tested_ms = 0;
    self->is_empty_asked = false;
    self->hello.run = call->run;
    self->hello.state = PARE_WORKER_PREPARING;
    say_to_run(self);
    if (prepare(self, &err)) {
        /* Without opening there is none, whatever was left in it. */
        self->oracle = self->is_open ? self->oracle : NULL;
        refuse(self, err.message);
    }
}

/* What the test needs on this machine has changed, so no running test is believed: all jobs are
 * given back, and the run is joined again, beginning with its input. */
static void begin_anew(struct worker *self)
{
    const pare_message_call call = self->call;
    const unsigned n_changes = self->n_changes + 1;
    if (n_changes == MOST_CHANGES) {
        refuse(self, "the disk there, or a program that the test calls, changes all the time");
        return;
    }
    tell(self, "run %016llx: what its test needs here has changed: its input is run again%s", "");
    leave(self, PARE_WORKER_IDLE);
    join(self, &call);
    self->n_changes = n_changes;
}

/* Whether tests have taken so long that running the input again costs little in comparison. */
static bool is_control_due(const struct worker *self)
{
    return self->hello.state == PARE_WORKER_READY &&
           pare_clock_ms() - self->ready_ms >= CONTROL_MS &&
           /* Tests run in all slots at once, while a check holds up all of them. */
           self->tested_ms >= CONTROL_SHARE * self->control_took_ms * self->options->n_slots;
}

/* Runs the input again when our jobs are done, and asks for no others until then.  If the input is
 * not available now, this is tried again later. */
static void control(struct worker *self)
{
    const pare_text *input = NULL;
    pare_digest missing;
    if (!is_control_due(self) || self->hello.n_running || self->n_waiting) return;
    /* Even if it cannot be run now, it is not tried again at once. */
    self->ready_ms = pare_clock_ms();
    if (pare_cluster_get(self->cluster, self->call.input, &input, &missing, NULL)) return;
    self->is_empty_asked = false;
    self->is_check_due = true;
    self->hello.state = PARE_WORKER_PREPARING;
    say_to_run(self);
}

/* ---- jobs ------------------------------------------------------------------------------------ */

/* The first slot without a job; n_slots of the oracle: none.  While a check runs in slot 0 no job
 * is started (can_start), so it needs no mark. */
static unsigned free_slot(const struct worker *self)
{
    unsigned i = 0;
    while (i < self->oracle->n_slots && self->jobs[i].is_held)
        i++;
    return i;
}

/* Makes the candidate of a job, and checks that it is the one that was meant. */
static pare_status make_candidate(struct worker *self, const pare_message_job *job, pare_text **out,
                                  pare_error *err)
{
    const pare_text *base = NULL;
    pare_digest missing = {.high = 0};
    pare_buffer bytes = {0};
    pare_text *text = NULL;
    pare_status status = pare_cluster_get(self->cluster, job->base, &base, &missing, err);
    if (status == PARE_E_STATE || status == PARE_E_CORRUPT) {
        /* The coordinator stores it again, and the job comes back. */
        if (!pare_message_start(&self->room, PARE_MESSAGE_NEED, NULL) &&
            !pare_message_add_digest(&self->room, missing, NULL))
            (void)!pare_link_send(self->link, self->call.inbox, NULL, self->room.data,
                                  self->room.size, NULL);
    }
    if (status) return status;
    pare_span from = {.bytes = pare_text_bytes(base), .size = pare_text_size(base)};
    status = pare_edits_apply(from, job->edits, job->size, &bytes, err);
    if (!status) status = pare_text_take(&bytes, &text, err);
    if (!status && !pare_digest_equal(pare_text_digest(text), job->candidate))
        status = pare_fail(err, PARE_E_CORRUPT, "a candidate does not match its digest");
    if (status)
        pare_text_unref(text);
    else
        *out = text;
    pare_buffer_done(&bytes);
    return status;
}

/* Whether the coordinator has cancelled the job, which may arrive before the job itself.  The last
 * N_CANCELLED are known; a forgotten one is run in vain, and its outcome is ignored. */
static bool is_cancelled(const struct worker *self, uint64_t job)
{
    for (unsigned i = 0; i < N_CANCELLED && i < self->n_cancelled; i++)
        if (self->cancelled[i] == job) return true;
    return false;
}

/* Starts the job of a letter in the slot that was taken for it.  False: there was nothing to start, and
 * the slot is given back. */
static bool start_job(struct worker *self, const pare_letter *letter)
{
    unsigned version, slot = free_slot(self);
    pare_message message = pare_message_of(letter->bytes, letter->size);
    pare_message_job job;
    pare_text *text = NULL;
    pare_error err = {0};
    if (pare_message_open(&message, &version) != PARE_MESSAGE_JOB ||
        !pare_message_read_job(&message, &job)) {
        (void)!pare_cluster_acknowledge(self->cluster, letter->reply, "+TERM", NULL);
        pare_berth_give_slot(self->berth);
        return false;
    }
    if (is_cancelled(self, job.number)) {
        (void)!pare_cluster_acknowledge(self->cluster, letter->reply, "+ACK", NULL);
        pare_berth_give_slot(self->berth);
        return false;
    }
    pare_status status = make_candidate(self, &job, &text, &err);
    if (status) {
        tell(self, "run %016llx: a job is given back: %.600s", err.message);
        give_back(self, letter->reply);
        pare_berth_give_slot(self->berth);
        return false;
    }
    const uint64_t start_ns = pare_clock_ns();
    status = start_text(self, slot, text, &err);
    const uint64_t start_us = (pare_clock_ns() - start_ns) / 1000;
    pare_text_unref(text);
    if (status) {
        pare_berth_give_slot(self->berth);
        /* We cannot run it, perhaps because a disk is full; others may. */
        give_back(self, letter->reply);
        refuse(self, err.message);
        return false;
    }
    self->jobs[slot] = (struct job){.is_held = true, .number = job.number, .start_us = start_us};
    (void)snprintf(self->jobs[slot].reply, sizeof self->jobs[slot].reply, "%s", letter->reply);
    self->hello.n_running++;
    return true;
}

/* Whether a job waits, we take part, and the oracle has a slot for it; whether the worker has one
 * is a separate question (pare_berth_take_slot). */
static bool can_start(const struct worker *self)
{
    return self->first && self->hello.state == PARE_WORKER_READY &&
           free_slot(self) < self->oracle->n_slots;
}

/* Starts one waiting job.  Letters are read before the next one: on a busy machine, starting all of
 * them takes longer than a test, and by then some may be cancelled. */
static void start_waiting(struct worker *self)
{
    for (bool started = false; !started && can_start(self) && pare_berth_take_slot(self->berth);) {
        pare_letter *letter = self->first;
        self->first = letter->next;
        if (!self->first) self->last = &self->first;
        self->n_waiting--;
        started = start_job(self, letter);
        pare_link_letter_free(letter);
    }
}

/* Asks for one job for each free slot of the run's share for which none was asked yet. */
static void pull(struct worker *self)
{
    uint64_t now_ms = pare_clock_ms();
    if (self->hello.state != PARE_WORKER_READY || !pare_link_is_up(self->link)) return;
    if (self->n_absent || is_control_due(self)) return;
    if (now_ms - self->pulled_ms > PULL_MS) self->n_pulled = 0;
    const unsigned busy = self->hello.n_running + self->n_waiting + self->n_pulled;
    const unsigned share = pare_berth_share(self->berth);
    if (busy >= share) return;
    const unsigned n = share - busy;
    if (pare_cluster_pull(self->cluster, self->call.run, n, ++self->pull, NULL)) return;
    if (!self->n_pulled) self->pulled_ms = now_ms;
    self->n_pulled += n;
}

/* The outcome of a job goes to the coordinator, with the subject at which the server waits to hear
 * that it has come. n_doubtful counts the outcomes that a failing control would put in doubt. */
static void answer(struct worker *self, const struct job *job, const pare_verdict *verdict)
{
    pare_message_result result = {
        .job = job->number, .worker = self->hello.id, .start_us = job->start_us};
    pare_message_set_verdict(&result, verdict);
    (void)snprintf(result.acknowledge, sizeof result.acknowledge, "%s", job->reply);
    if (!pare_message_write_result(&self->room, &result, NULL))
        (void)!pare_link_send(self->link, self->call.inbox, NULL, self->room.data, self->room.size,
                              NULL);
    pare_berth_count_test(self->berth);
    self->hello.n_tests++;
    self->hello.n_doubtful++;
    self->tested_ms += verdict->duration_ms;
}

/* The input failed; now an empty one is run.  If that fails as well, the test fails on everything,
 * most likely because a program that it calls is missing ("! compiler $1"), and all of our outcomes
 * would be wrong. */
static void ask_empty(struct worker *self)
{
    self->is_empty_asked = self->is_check_due = true;
}

/* The reason for refusing a run whose input ends in this way. */
static void describe_end(const pare_verdict *verdict, const char *what, char *why, size_t size)
{
    if (verdict->timed_out)
        (void)snprintf(why, size, "the test of the input does not end in time there");
    else if (verdict->signal)
        (void)snprintf(why, size, "the input %s there: signal %d ends its test", what,
                       verdict->signal);
    else
        (void)snprintf(why, size, "the input %s there: exit code %d%s%.150s", what,
                       verdict->exit_code, verdict->why ? "; " : "",
                       verdict->why ? verdict->why : "");
}

/* Takes part from now on.  If it did so before, nobody is told again. */
static void get_ready(struct worker *self, const char *differs, const char *sentence)
{
    const bool is_first = self->tested_ms <= 0;
    self->hello.state = PARE_WORKER_READY;
    self->peak = self->last_peak = self->options->n_slots;
    pare_berth_note(self->berth, PARE_WORKER_READY, self->options->n_slots);
    self->ready_ms = pare_clock_ms();
    self->control_took_ms = (double)(self->ready_ms - self->control_ms);
    self->tested_ms = 0;
    self->hello.n_doubtful = 0;
    (void)snprintf(self->hello.why, sizeof self->hello.why, "%s", differs);
    if (is_first) tell(self, sentence, "");
    say_to_run(self);
}

/* The control of a test that looks for any failure was run.  With other programs, failures would
 * mean something else. */
static void decide_by_control(struct worker *self, const pare_serve_control *control,
                              const pare_verdict *verdict)
{
    char why[512];
    const char *differs = self->options->differs(self->options->context);
    if (verdict->outcome != control->outcome || verdict->exit_code != control->exit_code ||
        verdict->timed_out != control->timed_out) {
        describe_end(verdict, "ends in another way", why, sizeof why);
        refuse(self, why);
    } else if (*differs) {
        (void)snprintf(why, sizeof why, "%s", differs);
        refuse(self, why);
    } else {
        get_ready(self, "", "run %016llx: the control ends here as it does there%s");
    }
}

/* Decides whether we take part, after the input or an empty one was run. */
static void decide(struct worker *self, const pare_verdict *verdict)
{
    char why[512];
    const char *differs = self->options->differs(self->options->context);
    const pare_serve_control *control = self->options->control(self->options->context);
    if (control) {
        decide_by_control(self, control, verdict);
        return;
    }
    if (!self->is_empty_asked && verdict->outcome == PARE_FAIL) {
        ask_empty(self);
        return;
    }
    if (self->is_empty_asked && verdict->outcome == PARE_FAIL) {
        refuse(self,
               "an empty input fails there, too: is everything that the test calls installed?");
        return;
    }
    if (self->is_empty_asked) {
        get_ready(self, differs, "run %016llx: the input fails here, too%s");
        return;
    }
    describe_end(verdict, "does not fail", why, sizeof why);
    const size_t n = strlen(why);
    if (*differs) (void)snprintf(why + n, sizeof why - n, "; %s", differs);
    refuse(self, why);
}

/* A test has ended: a check, a job, or one that was cancelled.  In any case the worker's slot is
 * free.  Two things are checked before an outcome is sent: it may no longer be wanted, and the
 * programs that the test calls may have changed while it ran. */
static void hear_verdict(struct worker *self, const pare_verdict *verdict)
{
    struct job *job = &self->jobs[verdict->slot];
    pare_berth_give_slot(self->berth);
    if (!job->is_held) {
        if (self->hello.state == PARE_WORKER_PREPARING && !verdict->cancelled)
            decide(self, verdict);
        return;
    }
    const bool is_wanted = !job->is_cancelled && !verdict->cancelled;
    if (is_wanted && self->options->is_changed(self->options->context)) {
        begin_anew(self);
        return;
    }
    if (is_wanted) answer(self, job, verdict);
    *job = (struct job){.is_held = false};
    self->hello.n_running--;
}

/* ---- letters ----------------------------------------------------------------------------------- */

/* A job was cancelled: it is acknowledged, so that it does not come again, and ended if it runs. */
static void cancel_job(struct worker *self, const pare_message_call *call)
{
    if (!self->oracle || call->run != self->call.run) return;
    self->cancelled[self->n_cancelled++ % N_CANCELLED] = call->job;
    for (unsigned i = 0; i < self->oracle->n_slots; i++) {
        struct job *job = &self->jobs[i];
        if (!job->is_held || job->is_cancelled || job->number != call->job) continue;
        job->is_cancelled = true;
        (void)!pare_cluster_acknowledge(self->cluster, job->reply, "+ACK", NULL);
        self->oracle->ops->cancel(self->oracle, i);
    }
}

/* The current run has found that outcomes here always differ from those on its own machine.  It is
 * remembered as refused, so its next calls are not followed. */
static void hear_dismissal(struct worker *self, const pare_message_call *call)
{
    if (!self->is_open || call->run != self->call.run || call->job != self->hello.id) return;
    refuse(self, "its candidates always have other outcomes here than where the run comes from");
}

/* A run looks for workers: our current run, or one to join.  If it is refused, or there is no room
 * for it, the speaker says so. */
static void hear_call(struct worker *self, const pare_message_call *call)
{
    if (self->is_open && call->run == self->call.run) {
        self->heard_ms = pare_clock_ms();
        self->n_absent = 0;
        return;
    }
    if (!pare_berth_is_speaker(self->berth) || pare_berth_is_served(self->berth, call->run)) return;
    pare_message_hello hello = self->hello;
    const bool is_refused = pare_berth_is_refused(self->berth, call->run, hello.why);
    if (!is_refused && !self->is_open) {
        join(self, call);
        return;
    }
    if (!is_refused) hello.why[0] = '\0';
    hello.run = call->run;
    hello.state = is_refused ? PARE_WORKER_REFUSED : PARE_WORKER_BUSY;
    say(self, &hello, call->inbox);
}

/* Who is there: the speaker answers for all berths.  One that waits for a run is what a run looks for. */
static void hear_ask(struct worker *self, const pare_message_call *call)
{
    if (!pare_berth_is_speaker(self->berth)) return;
    pare_message_hello hello = self->hello;
    pare_berth_describe(self->berth, &hello);
    say(self, &hello, call->inbox);
}

/* A caller of another version is told that our version is different. */
static void hear_stranger(struct worker *self, unsigned version)
{
    char why[120];
    (void)snprintf(why, sizeof why,
                   "a pare of another version (protocol %u, ours is %d) calls on this cluster",
                   version, PARE_MESSAGE_VERSION);
    if (self->met_stranger) return;
    self->met_stranger = true;
    pare_berth_tell(self->berth, why);
}

/* The beginning of a call is the same in all versions, so we can answer the caller: our hello has
 * our version, which is all that it reads. */
static void answer_stranger(struct worker *self, pare_message *message)
{
    pare_message_call call;
    if (pare_message_number(message) != PARE_MESSAGE_CALL) return;
    (void)pare_message_read_call(message, &call);
    say(self, &self->hello, call.inbox);
}

/* A letter to everybody: from coordinators, and from those who ask who is there.  Anybody with the
 * password of the server can send one, so it is read with care, and it can do no more than its kind
 * allows. */
static void hear_called(struct worker *self, const pare_letter *letter)
{
    unsigned version;
    pare_message_call call;
    pare_message message = pare_message_of(letter->bytes, letter->size);
    pare_message_kind kind = pare_message_open(&message, &version);
    if (!kind && version && pare_berth_is_speaker(self->berth)) {
        hear_stranger(self, version);
        answer_stranger(self, &message);
    }
    if (!kind || !pare_message_read_call(&message, &call)) return;
    if (kind == PARE_MESSAGE_CALL) hear_call(self, &call);
    if (kind == PARE_MESSAGE_ASK) hear_ask(self, &call);
    if (kind == PARE_MESSAGE_CANCEL) cancel_job(self, &call);
    if (kind == PARE_MESSAGE_DISMISS) hear_dismissal(self, &call);
    if (kind == PARE_MESSAGE_END && self->is_open && call.run == self->call.run) {
        tell(self, "run %016llx is over%s", "");
        leave(self, PARE_WORKER_IDLE);
    }
}

/* The server says that the coordinator does not listen.  After the first time no more jobs are
 * asked for; if the coordinator is back soon, after a restart of the server, nothing has changed
 * here. */
static void hear_absent(struct worker *self, const char *run)
{
    if (!self->is_open || strtoull(run, NULL, 16) != self->call.run) return;
    if (++self->n_absent < MOST_ABSENT) return;
    tell(self, "run %016llx is abandoned: its coordinator is gone%s", "");
    leave(self, PARE_WORKER_IDLE);
}

/* Jobs may have been requested when the share was larger. */
static bool has_enough(const struct worker *self)
{
    return self->hello.n_running + self->n_waiting >= pare_berth_share(self->berth);
}

/* Handles a letter, which is freed here unless it is a job that has to wait.  Jobs that come too
 * late, for a run that we left, or beyond its share, go back at once. */
static void hear(struct worker *self, pare_letter *letter)
{
    const char *absent = letter->status == NOBODY ? strstr(letter->subject, ABSENT) : NULL;
    uint64_t run = pare_cluster_job_of(self->cluster, letter);
    if (run) {
        if (self->n_pulled) self->n_pulled--;
        if (!self->oracle || run != self->call.run || has_enough(self)) {
            give_back(self, letter->reply);
        } else {
            *self->last = letter;
            self->last = &letter->next;
            self->n_waiting++;
            if (self->hello.n_running + self->n_waiting > self->peak)
                self->peak = self->hello.n_running + self->n_waiting;
            return;
        }
    } else if (pare_cluster_is_call(self->cluster, letter)) {
        hear_called(self, letter);
    } else if (absent) {
        hear_absent(self, absent + sizeof ABSENT - 1);
    } else if (letter->status && strstr(letter->subject, ".pull.")) {
        /* It has expired, and we ask again; or there is no queue now, and we give it a moment. */
        if (letter->status == EXPIRED)
            self->n_pulled = 0;
        else
            self->pulled_ms = pare_clock_ms() - PULL_MS + TICK_MS;
    }
    pare_link_letter_free(letter);
}

/* ---- the loop ------------------------------------------------------------------------------------ */

/* How many slots the run can use: all of them, while it uses its whole share; otherwise one more
 * than it used in the last two seconds. */
static void note_use(struct worker *self)
{
    const unsigned peak = self->peak > self->last_peak ? self->peak : self->last_peak;
    const unsigned n_slots = self->options->n_slots;
    const bool is_ready = self->hello.state == PARE_WORKER_READY;
    const bool uses_all = peak >= pare_berth_share(self->berth) || peak >= n_slots;
    pare_berth_note(self->berth, self->hello.state, !is_ready ? 1 : uses_all ? n_slots : peak + 1);
    self->last_peak = self->peak;
    self->peak = self->hello.n_running + self->n_waiting;
}

/* Once a second: tells the server that we work on our jobs, and the coordinator that we are there;
 * leaves a coordinator that has fallen silent. */
static void tick(struct worker *self)
{
    uint64_t now_ms = pare_clock_ms();
    if (!self->is_open || now_ms - self->said_ms < TICK_MS) return;
    if (now_ms - self->heard_ms > SILENT_MS) {
        tell(self, "run %016llx is silent and abandoned%s", "");
        leave(self, PARE_WORKER_IDLE);
        return;
    }
    note_use(self);
    say_to_run(self);
    if (!pare_link_is_up(self->link)) return;
    for (unsigned i = 0; i < self->oracle->n_slots; i++)
        if (self->jobs[i].is_held && !self->jobs[i].is_cancelled)
            (void)!pare_cluster_acknowledge(self->cluster, self->jobs[i].reply, "+WPI", NULL);
    for (const pare_letter *letter = self->first; letter; letter = letter->next)
        (void)!pare_cluster_acknowledge(self->cluster, letter->reply, "+WPI", NULL);
}

/* For a worker that has nothing to do, this is the only sign that its server is gone. */
static void look_at_server(struct worker *self)
{
    const bool is_gone = !pare_link_is_up(self->link);
    char sentence[PARE_BERTH_WHY_BYTES];
    if (is_gone == self->is_server_gone) return;
    self->is_server_gone = is_gone;
    if (!pare_berth_note_server(self->berth, !is_gone)) return;
    (void)snprintf(sentence, sizeof sentence,
                   is_gone ? "%s is gone: waiting until it is back (Ctrl-C ends this worker)"
                           : "%s is back",
                   pare_link_host(self->link));
    pare_berth_tell(self->berth, sentence);
}

/* Does everything that needs no waiting.  Letters come first, so that cancelled jobs are not
 * started. */
static void look(struct worker *self)
{
    pare_berth_clear(self->berth);
    look_at_server(self);
    for (pare_letter *letter; (letter = pare_link_take(self->link)) != NULL;)
        hear(self, letter);
    if (pare_link_connects(self->link) != self->n_connects) {
        self->n_connects = pare_link_connects(self->link);
        self->n_pulled = 0;
    }
    control(self);
    start_check(self);
    start_waiting(self);
    pull(self);
    tick(self);
}

/* Waits for a letter, the end of a test, or a second; with more to start it only looks. */
static pare_status rest(struct worker *self, pare_error *err)
{
    pare_wait what;
    pare_verdict verdict;
    if (!self->oracle) {
        struct pollfd files[] = {{.fd = pare_berth_fd(self->berth), .events = POLLIN},
                                 {.fd = pare_stop_fd(self->stop), .events = POLLIN}};
        (void)poll(files, 2, TICK_MS);
        return PARE_OK;
    }
    const int64_t timeout_ms = can_start(self) ? 0 : TICK_MS;
    pare_status status = self->oracle->ops->wait(self->oracle, timeout_ms, &what, &verdict, err);
    if (!status && what == PARE_WAIT_VERDICT) hear_verdict(self, &verdict);
    return status;
}

/* Errors of the oracle end our part in the run, but not the berth: the next run may work. */
static pare_status run(struct worker *self)
{
    while (!pare_stop_requested(self->stop)) {
        pare_error err = {0};
        look(self);
        if (!self->is_open && !pare_berth_is_needed(self->berth)) break;
        if (rest(self, &err)) refuse(self, err.message);
    }
    if (self->is_open) leave(self, PARE_WORKER_GONE);
    return PARE_OK;
}

/* A berth of the worker, from its connection on. */
static pare_status serve(void *context, pare_berth *berth, pare_error *err)
{
    const pare_serve_options *options = context;
    struct worker self = {.options = options,
                          .cache = options->cache,
                          .berth = berth,
                          .stop = pare_berth_stop(berth),
                          .last = &self.first,
                          .hello = {.id = pare_berth_worker(berth), .n_slots = options->n_slots}};
    (void)snprintf(self.hello.name, sizeof self.hello.name, "%s", options->name);
    (void)snprintf(self.hello.machine, sizeof self.hello.machine, "%s", options->machine);
    self.jobs = pare_alloc_zero(options->n_slots, sizeof *self.jobs);
    pare_status status = self.jobs ? PARE_OK : pare_fail_nomem(err);
    if (!status) status = pare_cluster_open(&options->link, &self.cluster, err);
    if (!status) {
        self.link = pare_cluster_link(self.cluster);
        self.n_connects = pare_link_connects(self.link);
        status = pare_cluster_hear_calls(self.cluster, err);
    }
    if (!status) status = pare_berth_watch(berth, pare_link_fd(self.link), err);
    if (!status) {
        pare_berth_opened(berth);
        status = run(&self);
    }
    pare_cluster_close(self.cluster);
    pare_buffer_done(&self.room);
    pare_alloc_free(self.jobs);
    return status;
}

static void tell_worker(void *context, const char *sentence)
{
    const pare_serve_options *options = context;
    options->tell(options->context, sentence);
}

pare_status pare_serve(const pare_serve_options *options, pare_error *err)
{
    pare_serve_options own = *options;
    char greeting[PARE_BERTH_WHY_BYTES];
    (void)snprintf(greeting, sizeof greeting,
                   "%.100s waits for runs with %u slot%s; Ctrl-C ends it", options->name,
                   options->n_slots, options->n_slots == 1 ? "" : "s");
    const pare_berth_options berths = {.n_slots = options->n_slots,
                                       .stop = options->stop,
                                       .serve = serve,
                                       .greeting = greeting,
                                       .tell = tell_worker,
                                       .context = &own};
    assert(options->n_slots <= MOST_SLOTS);
    return pare_berth_serve_all(&berths, err);
}
