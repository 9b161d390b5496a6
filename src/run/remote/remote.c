/* Tests here and elsewhere: this machine's slots, the queue of the cluster, the workers' answers.
 *
 * A slot's test is HERE (in a slot of the inner oracle), AWAY (a job in the queue, or at a worker),
 * WAITING for a slot, or OVER (its verdict is to be given).  A test that is AWAY keeps its
 * candidate, so that it can be sent again or run here: no other machine has to stay alive.
 * Invariants: each job has a number of its own, and for the current number of a slot only the first
 * outcome counts; we acknowledge a job, and only when its outcome was taken or is no longer wanted.
 * The inner oracle's wait ends early when a letter comes (pare_process_wake), and at the latest
 * after a second, when we call again and check which workers have fallen silent. */
#include "run/remote/remote.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include <pare/outcome.h>
#include <pare/stop.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/digest.h"
#include "base/fail.h"
#include "os/clock.h"
#include "os/entropy.h"
#include "os/stop.h"
#include "run/process.h"
#include "run/remote/bucket.h"
#include "run/remote/cluster.h"
#include "run/remote/edits.h"
#include "run/remote/message.h"
#include "run/remote/remote_workers.h"
#include "text/candidate.h"

enum {
    MOST_AWAY = 1024,   /* tests on workers at once */
    CALL_MS = 1000,     /* between two calls */
    FRESH_MS = 3600000, /* between two looks at how old the test is at the server */
    GATHER_MS = 10000,  /* to wait for workers that answered to be ready, at the start */
    ANSWER_MS = 300,    /* to wait for anybody to answer */
    LOST_MS = 10000, /* for which workers lack tests that are away: the server has none, either */
    MOST_EDIT_BYTES = 700 * 1024,
    MOST_NOTICES = 16,
    N_PUT = 1024 /* texts of which we know that they are stored */
};

enum place { IDLE, HERE, AWAY, WAITING, OVER };

/* A slot as the engine sees it.  The comment of a member says in which states it has a meaning. */
struct slot {
    enum place place;
    unsigned inner; /* HERE */
    bool cancelled; /* HERE: told to the inner oracle */
    bool stays;     /* is not to be sent away */
    bool is_whole;  /* AWAY: stored as a text, not told as edits of its base */
    bool is_news;   /* OVER: by an outcome, not because it was cancelled */
    uint64_t job;   /* AWAY */
    uint64_t order; /* when it came */
    pare_candidate candidate;
    pare_digest digest;          /* of it: AWAY, or where outcomes are shared */
    pare_verdict verdict;        /* OVER */
    pare_message_result *result; /* owned; holds the texts of `verdict` */
};

/* Counts and what they count, which must agree: n_here slots are HERE, n_away AWAY, n_waiting
 * WAITING; n_busy is all of them and those OVER; n_news are those OVER whose is_news is set. */
typedef struct remote_oracle {
    pare_oracle head;
    pare_oracle *inner;
    const pare_stop *stop;
    pare_cluster *cluster;
    pare_link *link;
    struct slot *slots;
    unsigned *outer_of; /* of each inner slot; UINT_MAX: free */
    unsigned n_busy, n_here, n_away, n_waiting;
    uint64_t run, last_job, last_order;
    pare_message_call call;
    bool is_shared, is_up, stays_next, listens, is_any;
    unsigned n_connects;
    uint64_t called_ms, found_ms; /* when all that is away was last with workers, or came back */
    pare_remote_workers workers;
    unsigned n_ready_slots; /* of those who take part, MOST_AWAY at most */
    pare_digest *files;     /* owned; of the test, at the server */
    size_t n_files;
    uint64_t fresh_ms; /* when they were looked at */
    pare_digest put[N_PUT];
    unsigned n_put;
    pare_text *last_base; /* flat; what the next is told by */
    pare_bucket *bucket;  /* NULL: outcomes are not shared */
    unsigned n_news;      /* slots with an outcome that is still to be given */
    bool is_doubted;
    pare_remote_where where;
    char notices[MOST_NOTICES][640];
    unsigned n_notices, n_told;
    pare_remote_counts counts;
    pare_buffer room, edits;
} remote_oracle;

static remote_oracle *of(pare_oracle *oracle)
{
    return (remote_oracle *)(void *)oracle;
}

/* Keeps a sentence for the user; of those that nobody fetches, MOST_NOTICES are kept. */
static void notify(remote_oracle *self, const char *text, const char *name, const char *why)
{
    if (self->n_notices - self->n_told == MOST_NOTICES) return;
    (void)snprintf(self->notices[self->n_notices++ % MOST_NOTICES], sizeof *self->notices, text,
                   name, why);
}

static void notify_of_worker(void *context, const char *sentence)
{
    notify(context, "%s%s", sentence, "");
}

const char *pare_remote_next_notice(pare_oracle *oracle)
{
    remote_oracle *self = of(oracle);
    return self->n_told < self->n_notices ? self->notices[self->n_told++ % MOST_NOTICES] : NULL;
}

/* Sums of the run, but for who is there now. */
pare_remote_counts pare_remote_count(const pare_oracle *oracle)
{
    const remote_oracle *self = (const remote_oracle *)(const void *)oracle;
    pare_remote_counts counts = self->counts;
    counts.n_workers = self->workers.n_ready;
    counts.n_slots = self->n_ready_slots;
    counts.traffic = pare_link_count(self->link);
    return counts;
}

/* ---- who is there ------------------------------------------------------------------------ */

/* Counts the slots of workers that are ready; the engine fills these and our own, and a few more so
 * that no worker waits for the network.  While the server is away, none is known. */
static void count_slots(remote_oracle *self)
{
    pare_remote_workers_count(&self->workers, self->is_up, pare_clock_ms());
    const unsigned n_ready = self->workers.n_ready, n_slots = self->workers.n_slots;
    self->n_ready_slots = n_slots < MOST_AWAY ? n_slots : MOST_AWAY;
    pare_remote_counts *counts = &self->counts;
    if (n_ready > counts->most_workers) counts->most_workers = n_ready;
    if (self->n_ready_slots > counts->most_slots) counts->most_slots = self->n_ready_slots;
    const unsigned useful = self->inner->n_slots + self->n_ready_slots + n_ready;
    self->head.n_useful = useful < self->head.n_slots ? useful : self->head.n_slots;
}

/* Handles a worker's report of its state.  If it is the first to be ready, the queue may have
 * expired while nobody asked for jobs (pare_cluster_open_run).  A worker that no longer takes part
 * has found that its programs or its disk have changed, and its recent outcomes may have been
 * shared with other runs. */
static void hear_hello(remote_oracle *self, pare_message *message)
{
    pare_message_hello hello;
    if (!pare_message_read_hello(message, &hello)) return;
    const bool is_ready = hello.state == PARE_WORKER_READY && hello.run == self->run;
    pare_remote_workers_hear(&self->workers, self->run, &hello, pare_clock_ms());
    if (is_ready && !self->workers.n_ready && self->is_shared && self->is_up)
        (void)!pare_cluster_open_run(self->cluster, self->run, NULL);
    if (hello.state == PARE_WORKER_REFUSED && hello.n_doubtful) pare_remote_doubt(&self->head);
    count_slots(self);
}

/* ---- going out --------------------------------------------------------------------------- */

/* Whether a text is known to be stored.  The last N_PUT are known; a text that is forgotten is
 * stored once more. */
static bool is_put(const remote_oracle *self, pare_digest digest)
{
    unsigned n = self->n_put < N_PUT ? self->n_put : N_PUT;
    for (unsigned i = 0; i < n; i++)
        if (pare_digest_equal(self->put[i], digest)) return true;
    return false;
}

/* Stores a text that is the base of candidates, as edits of the previous one. */
static pare_status put_base(remote_oracle *self, const pare_text *text, pare_error *err)
{
    pare_digest digest = pare_text_digest(text);
    if (is_put(self, digest)) return PARE_OK;
    pare_text *flat = NULL;
    pare_status status = PARE_OK;
    if (pare_text_bytes(text))
        flat = pare_text_ref(text);
    else
        status = pare_text_flatten(text, &flat, err);
    if (!status)
        status = pare_cluster_put(self->cluster, flat, self->last_base, PARE_CLUSTER_ALWAYS, err);
    if (status) {
        pare_text_unref(flat);
        return status;
    }
    pare_text_unref(self->last_base);
    self->last_base = flat;
    self->put[self->n_put++ % N_PUT] = digest;
    return PARE_OK;
}

/* Stores the base of a slot's job. */
static pare_status put_text_of(remote_oracle *self, const struct slot *slot, pare_error *err)
{
    pare_text *own = NULL;
    if (!slot->is_whole) return put_base(self, slot->candidate.base, err);
    pare_status status = pare_candidate_text(&slot->candidate, &own, err);
    if (!status) status = put_base(self, own, err);
    pare_text_unref(own);
    return status;
}

/* Sends the job of a slot under its current number.  Its base is stored first, so that it exists
 * when the job arrives.  Edits that would be longer than MOST_EDIT_BYTES do not fit a message; such
 * a candidate is stored as a text of its own. */
static pare_status send_job(remote_oracle *self, struct slot *slot, pare_error *err)
{
    const pare_candidate *candidate = &slot->candidate;
    pare_message_job job = {.number = slot->job,
                            .candidate = pare_candidate_digest(candidate),
                            .size = candidate->size};
    pare_buffer_reset(&self->edits);
    pare_status status = pare_edits_of_candidate(candidate, &self->edits, err);
    job.base = pare_text_digest(candidate->base);
    slot->digest = job.candidate;
    slot->is_whole = self->edits.size > MOST_EDIT_BYTES;
    if (!status && slot->is_whole) {
        /* Its edits are to take all of it. */
        pare_buffer_reset(&self->edits);
        job.base = job.candidate;
        status = pare_message_add_number(&self->edits, (uint64_t)job.size << 1, err);
        if (!status) status = pare_message_add_number(&self->edits, 0, err);
    }
    if (!status) status = put_text_of(self, slot, err);
    job.edits =
        (pare_span){.bytes = (const unsigned char *)self->edits.data, .size = self->edits.size};
    if (!status) status = pare_message_write_job(&self->room, &job, err);
    if (!status)
        status = pare_cluster_send_job(self->cluster, self->run, slot->job, &self->room, err);
    return status;
}

/* A slot of this machine that runs nothing; n_slots of the inner oracle: none. */
static unsigned free_inner(const remote_oracle *self)
{
    unsigned k = 0;
    while (k < self->inner->n_slots && self->outer_of[k] != UINT32_MAX)
        k++;
    return k;
}

/* Runs a candidate on this machine; there is a free slot.  On failure the slot is as it was. */
static pare_status start_here(remote_oracle *self, unsigned number, const pare_candidate *candidate,
                              pare_error *err)
{
    struct slot *slot = &self->slots[number];
    unsigned k = free_inner(self);
    assert(k < self->inner->n_slots);
    pare_status status = self->inner->ops->start(self->inner, k, candidate, err);
    if (status) return status;
    self->outer_of[k] = number;
    slot->place = HERE;
    slot->inner = k;
    self->n_here++;
    return PARE_OK;
}

/* Whether a slot's test may be sent to workers now.  Each worker gets one more test than it has
 * slots, so that the next one is there when one ends, without waiting for the network. */
static bool may_go(const remote_oracle *self, const struct slot *slot)
{
    return self->is_shared && self->is_up && !slot->stays &&
           self->n_away < self->n_ready_slots + self->workers.n_ready;
}

/* If the server does not accept a job, perhaps because it is too large, it stays here and is run
 * here. */
static pare_status start_away(remote_oracle *self, struct slot *slot, pare_error *err)
{
    slot->job = ++self->last_job;
    pare_status status = send_job(self, slot, err);
    if (status == PARE_E_NOMEM) return status;
    slot->stays = status != PARE_OK;
    if (slot->stays) return PARE_OK;
    slot->place = AWAY;
    if (!self->n_away++) self->found_ms = pare_clock_ms();
    return PARE_OK;
}

/* Whether this machine takes a test now: it has a free slot, and tests need not go to workers. */
static bool may_stay(const remote_oracle *self)
{
    const bool is_for_others = self->where == PARE_REMOTE_AWAY && self->n_ready_slots > 0;
    return self->n_here < self->inner->n_slots && !is_for_others;
}

/* Starts waiting tests, in the order in which they came, wherever there is room. */
static pare_status place_waiting(remote_oracle *self, pare_error *err)
{
    pare_status status = PARE_OK;
    while (self->n_waiting && !status) {
        const bool has_room = may_stay(self);
        struct slot *first = NULL;
        for (unsigned i = 0; i < self->head.n_slots; i++) {
            struct slot *slot = &self->slots[i];
            if (slot->place != WAITING || (!has_room && !may_go(self, slot))) continue;
            if (!first || slot->order < first->order) first = slot;
        }
        if (!first) return PARE_OK;
        status = has_room
                     ? start_here(self, (unsigned)(first - self->slots), &first->candidate, err)
                     : start_away(self, first, err);
        self->n_waiting -= !status && first->place != WAITING;
    }
    return status;
}

/* Keeps the result that a verdict is made of, since the verdict only borrows its texts.  The room
 * (13 kB) is made at the first one and stays with the slot.  False: memory is out. */
static bool keep_result(struct slot *slot, const pare_message_result *result)
{
    if (!slot->result) slot->result = pare_alloc(1, sizeof *slot->result);
    if (slot->result) *slot->result = *result;
    return slot->result != NULL;
}

/* Uses the outcome that another run has found; nothing is run. */
static bool answer_known(remote_oracle *self, struct slot *slot, const pare_candidate *candidate)
{
    pare_message_result result;
    if (!self->bucket || slot->stays) return false;
    slot->digest = pare_candidate_digest(candidate);
    if (!pare_bucket_take(self->bucket, slot->digest, &result) || !keep_result(slot, &result))
        return false;
    slot->place = OVER;
    slot->verdict = pare_message_verdict(slot->result);
    slot->verdict.slot = (unsigned)(slot - self->slots);
    slot->verdict.duration_ms = 0;
    slot->is_news = true;
    self->n_news++;
    self->counts.n_known++;
    return true;
}

/* Shares an outcome of this machine, or of a worker that is like it. */
static void tell_others(remote_oracle *self, const struct slot *slot, const pare_verdict *verdict)
{
    if (self->bucket && !slot->stays) pare_bucket_put(self->bucket, slot->digest, verdict);
}

/* Known outcomes are used first; then this machine is filled, then the workers; the rest waits.
 * While outcomes wait for the engine, nothing more is sent away, since most of them make it cancel
 * waiting tests. */
static pare_status start(pare_oracle *oracle, unsigned number, const pare_candidate *candidate,
                         pare_error *err)
{
    remote_oracle *self = of(oracle);
    struct slot *slot = &self->slots[number];
    assert(number < oracle->n_slots && slot->place == IDLE);
    slot->stays = self->listens || self->stays_next || self->where == PARE_REMOTE_HERE;
    slot->cancelled = false;
    slot->order = ++self->last_order;
    self->stays_next = false;
    pare_status status = PARE_OK;
    if (answer_known(self, slot, candidate)) {
        /* It is given at the next wait. */
    } else if (!self->n_waiting && !self->n_news && may_stay(self)) {
        status = start_here(self, number, candidate, err);
    } else {
        status = pare_candidate_copy(&slot->candidate, candidate, err);
        if (!status && !self->n_news && may_go(self, slot)) status = start_away(self, slot, err);
        if (!status && slot->place != AWAY) {
            slot->place = WAITING;
            self->n_waiting++;
        }
        if (status) pare_candidate_done(&slot->candidate);
    }
    self->n_busy += !status;
    oracle->is_elsewhere = slot->place != HERE;
    return status;
}

/* ---- coming back ---------------------------------------------------------------------------- */

/* Ends the test of a slot that is AWAY or WAITING with a verdict, which the next wait gives. */
static void end_slot(remote_oracle *self, struct slot *slot, const pare_verdict *verdict)
{
    self->n_away -= slot->place == AWAY;
    self->n_waiting -= slot->place == WAITING;
    slot->place = OVER;
    slot->is_news = !verdict->cancelled;
    self->n_news += slot->is_news;
    slot->verdict = *verdict;
    slot->verdict.slot = (unsigned)(slot - self->slots);
    pare_candidate_done(&slot->candidate);
}

/* A test HERE is ended by the inner oracle, which gives its verdict.  For others nothing is
 * awaited: their verdict is available at once, and a later answer of a worker has a number that no
 * slot uses. */
static void cancel(pare_oracle *oracle, unsigned number)
{
    remote_oracle *self = of(oracle);
    struct slot *slot = &self->slots[number];
    if (slot->place == HERE) {
        if (!slot->cancelled) self->inner->ops->cancel(self->inner, slot->inner);
        slot->cancelled = true;
    } else if (slot->place == AWAY || slot->place == WAITING) {
        const bool was_away = slot->place == AWAY;
        pare_message_call to_all = {.run = self->run, .job = slot->job};
        end_slot(self, slot, &(pare_verdict){.cancelled = true, .exit_code = -1});
        /* Workers pass over it when it comes to them, and end it where it runs. */
        if (was_away) (void)!pare_cluster_call(self->cluster, PARE_MESSAGE_CANCEL, &to_all, NULL);
        if (was_away && !self->n_away) (void)!pare_cluster_purge(self->cluster, self->run, NULL);
    }
}

/* Tests that are AWAY are not sent again. */
static void run_at_home(remote_oracle *self, struct slot *slot)
{
    slot->stays = true;
    slot->place = WAITING;
    self->n_away--;
    self->n_waiting++;
}

/* Handles an outcome from a worker.  Only the first one for the current number of a slot counts: a
 * job may have been run twice, if its first worker was taken for dead. */
static void hear_result(remote_oracle *self, pare_message *message)
{
    pare_message_result result;
    if (!pare_message_read_result(message, &result)) return;
    struct slot *slot = NULL;
    for (unsigned i = 0; i < self->head.n_slots && !slot; i++)
        if (self->slots[i].place == AWAY && self->slots[i].job == result.job)
            slot = &self->slots[i];
    /* Acknowledged in any case: one that nobody waits for is done with, too. */
    (void)!pare_cluster_acknowledge(self->cluster, result.acknowledge, "+ACK", NULL);
    if (!slot) {
        self->counts.n_repeated++;
        return;
    }
    self->found_ms = pare_clock_ms();
    if (pare_remote_workers_is_dismissed(&self->workers, result.worker) ||
        (self->is_any && !pare_message_is_understood(&result))) {
        run_at_home(self, slot);
        return;
    }
    if (!result.timed_out)
        pare_remote_workers_note(&self->workers, result.worker, slot->digest,
                                 result.outcome == PARE_FAIL);
    self->counts.n_away++;
    pare_verdict verdict =
        pare_message_verdict(keep_result(slot, &result) ? slot->result : &result);
    /* Without memory for its texts the verdict goes without them: `result` ends with this call. */
    if (!slot->result) verdict.signature = verdict.why = verdict.output = NULL;
    if (pare_remote_workers_is_alike(&self->workers, result.worker))
        tell_others(self, slot, &verdict);
    end_slot(self, slot, &verdict);
}

/* A worker could not fetch a text, so it is stored again before it is needed. */
static void hear_need(remote_oracle *self, pare_message *message)
{
    (void)pare_message_digest(message);
    if (message->is_bad) return;
    self->n_put = 0;
    memset(self->put, 0, sizeof self->put);
    pare_text_unref(self->last_base);
    self->last_base = NULL;
    for (unsigned i = 0; i < self->head.n_slots; i++)
        if (self->slots[i].place == AWAY) (void)!put_text_of(self, &self->slots[i], NULL);
}

/* A letter to our inbox.  What is of no use to a coordinator is passed over in silence: it is not
 * ours to say who may write. */
static void hear(remote_oracle *self, const pare_letter *letter)
{
    unsigned version;
    pare_message message = pare_message_of(letter->bytes, letter->size);
    /* Answers of JetStream's to what needs none come below the same inbox. */
    if (letter->size && letter->bytes[0] == '{') return;
    if (self->bucket && pare_bucket_hear(self->bucket, letter)) return;
    const pare_message_kind kind = pare_message_open(&message, &version);
    if (!kind && version) pare_remote_workers_hear_stranger(&self->workers, version);
    switch (kind) {
    case PARE_MESSAGE_HELLO: hear_hello(self, &message); return;
    case PARE_MESSAGE_RESULT: hear_result(self, &message); return;
    case PARE_MESSAGE_NEED: hear_need(self, &message); return;
    case PARE_MESSAGE_CALL:
    case PARE_MESSAGE_CANCEL:
    case PARE_MESSAGE_END:
    case PARE_MESSAGE_ASK:
    case PARE_MESSAGE_DISMISS:
    case PARE_MESSAGE_JOB: return;
    }
}

/* ---- the connection and the workers, as time goes by --------------------------------------- */

/* Takes back the tests that are AWAY, to run them here or to send them again.  Their jobs get new
 * numbers, so late outcomes of the old ones no longer count. */
static void take_back(remote_oracle *self)
{
    for (unsigned i = 0; i < self->head.n_slots; i++) {
        struct slot *slot = &self->slots[i];
        if (slot->place != AWAY) continue;
        slot->place = WAITING;
        self->n_away--;
        self->n_waiting++;
        self->counts.n_recalled++;
    }
}

/* Takes back the tests for which there is no worker. */
static void recall(remote_oracle *self)
{
    if (self->n_away && self->is_up) (void)!pare_cluster_purge(self->cluster, self->run, NULL);
    take_back(self);
}

/* Without the bucket each run finds everything out by itself; that is no reason to do without workers. */
static void renew_bucket(remote_oracle *self)
{
    pare_error err = {0};
    if (!self->bucket || !pare_bucket_renew(self->bucket, &err)) return;
    pare_bucket_close(self->bucket);
    self->bucket = NULL;
    notify(self, "outcomes are not shared with other runs any more: %.500s%s", err.message, "");
}

/* The server may have been restarted: everything that it should have is made and sent again. */
static void renew(remote_oracle *self)
{
    pare_error err = {0};
    pare_remote_workers_spare(&self->workers, pare_clock_ms());
    pare_status status = pare_cluster_make(self->cluster, &err);
    /* If the server was only out of reach, it still has jobs that were taken back meanwhile. */
    if (!status && !self->n_away) status = pare_cluster_purge(self->cluster, self->run, &err);
    if (!status && self->is_shared) status = pare_cluster_open_run(self->cluster, self->run, &err);
    for (unsigned i = 0; i < self->head.n_slots && !status; i++)
        if (self->slots[i].place == AWAY) status = send_job(self, &self->slots[i], &err);
    if (status) {
        notify(self, "%.500s%s: tests run on this machine alone", err.message, "");
        self->is_shared = false;
        recall(self);
    } else {
        notify(self, "%s is back%s", pare_link_host(self->link), "");
        renew_bucket(self);
    }
}

/* The connection is lost and restored by itself (link.h); here that is noticed.  If both happened
 * between two checks, only the connection's number is higher; everything is renewed then, too. */
static void look_at_link(remote_oracle *self)
{
    const bool is_up = pare_link_is_up(self->link);
    const unsigned n_connects = pare_link_connects(self->link);
    if (self->is_up && !is_up) {
        self->is_up = false;
        notify(self, "%s is away: tests run on this machine until it is back%s",
               pare_link_host(self->link), "");
        count_slots(self);
        recall(self);
    }
    if (is_up && n_connects != self->n_connects) {
        self->n_connects = n_connects;
        self->is_up = true;
        renew(self);
    }
}

/* Whether workers have had free slots for a while although more tests are AWAY than they run: then
 * the server has lost the rest, for lack of room or because somebody emptied its queue. */
static bool has_lost(remote_oracle *self, uint64_t now_ms)
{
    const unsigned n_running = pare_remote_workers_running(&self->workers);
    if (n_running >= self->n_away || n_running >= self->n_ready_slots) self->found_ms = now_ms;
    return now_ms - self->found_ms > LOST_MS;
}

/* Once an hour: everything that a late worker needs is stored again if it is a day old, since the
 * server keeps it for three days.  If something is not available now, it is tried again later. */
static void refresh(remote_oracle *self, uint64_t now_ms)
{
    if (!self->is_shared || now_ms - self->fresh_ms < FRESH_MS) return;
    self->fresh_ms = now_ms;
    const pare_digest own[] = {self->call.test, self->call.input};
    for (size_t i = 0; i < self->n_files + 2; i++) {
        const pare_digest digest = i < 2 ? own[i] : self->files[i - 2];
        (void)!pare_cluster_refresh(self->cluster, digest, PARE_CLUSTER_DAY_S, NULL);
    }
}

/* Once a second: calls workers, and takes back lost tests.  Before the test is shared, it only asks
 * which workers there are. */
static void call(remote_oracle *self)
{
    uint64_t now_ms = pare_clock_ms();
    if (!self->is_up || now_ms - self->called_ms < CALL_MS) return;
    self->called_ms = now_ms;
    (void)!pare_cluster_call(self->cluster, self->is_shared ? PARE_MESSAGE_CALL : PARE_MESSAGE_ASK,
                             &self->call, NULL);
    refresh(self, now_ms);
    count_slots(self);
    if (!self->n_ready_slots) {
        recall(self);
    } else if (has_lost(self, now_ms)) {
        notify(self, "%s has lost tests, which are run again%s", pare_link_host(self->link), "");
        /* No purge here: it could remove what is sent next. */
        (void)!pare_cluster_open_run(self->cluster, self->run, NULL);
        take_back(self);
    }
}

/* Handles all letters since the last call. */
static void look(remote_oracle *self)
{
    for (pare_letter *letter; (letter = pare_link_take(self->link)) != NULL;) {
        hear(self, letter);
        pare_link_letter_free(letter);
    }
    look_at_link(self);
    call(self);
}

/* Gives the verdict of a slot that is OVER; outcomes first, since waiting tests depend on them. */
static bool give(remote_oracle *self, pare_verdict *verdict)
{
    for (unsigned i = 0; i < self->head.n_slots; i++) {
        if (self->slots[i].place != OVER || (self->n_news && !self->slots[i].is_news)) continue;
        *verdict = self->slots[i].verdict;
        self->slots[i].place = IDLE;
        self->n_news -= self->slots[i].is_news;
        self->slots[i].is_news = false;
        self->n_busy--;
        return true;
    }
    return false;
}

/* A verdict of the inner oracle's becomes that of the slot outside. */
static void translate(remote_oracle *self, pare_verdict *verdict)
{
    unsigned number = self->outer_of[verdict->slot];
    self->outer_of[verdict->slot] = UINT32_MAX;
    tell_others(self, &self->slots[number], verdict);
    self->slots[number].place = IDLE;
    pare_candidate_done(&self->slots[number].candidate);
    self->n_here--;
    self->n_busy--;
    verdict->slot = number;
}

/* As the contract of oracles says (run/oracle.h); the inner oracle's wait ends early for letters,
 * so the loop takes turns between its verdicts and theirs. */
static pare_status wait_for(pare_oracle *oracle, int64_t timeout_ms, pare_wait *what,
                            pare_verdict *verdict, pare_error *err)
{
    remote_oracle *self = of(oracle);
    const uint64_t start_ms = pare_clock_ms();
    for (;;) {
        look(self);
        /* Known outcomes may make waiting tests needless, so all of them are given first. */
        pare_status status = self->n_news ? PARE_OK : place_waiting(self, err);
        if (status) return status;
        if (give(self, verdict)) return *what = PARE_WAIT_VERDICT, PARE_OK;
        if ((!self->n_busy && timeout_ms < 0) || (self->stop && pare_stop_requested(self->stop)))
            return *what = PARE_WAIT_INTERRUPTED, PARE_OK;
        const uint64_t spent_ms = pare_clock_ms() - start_ms;
        int64_t left_ms = CALL_MS;
        if (timeout_ms >= 0 && timeout_ms - (int64_t)spent_ms < left_ms)
            left_ms = timeout_ms > (int64_t)spent_ms ? timeout_ms - (int64_t)spent_ms : 0;
        status = self->inner->ops->wait(self->inner, left_ms, what, verdict, err);
        if (status || *what == PARE_WAIT_INTERRUPTED) return status;
        if (*what == PARE_WAIT_VERDICT) return translate(self, verdict), PARE_OK;
        if (timeout_ms >= 0 && (int64_t)(pare_clock_ms() - start_ms) >= timeout_ms) {
            look(self);
            *what = give(self, verdict) ? PARE_WAIT_VERDICT : PARE_WAIT_TIMEOUT;
            return PARE_OK;
        }
    }
}

/* ---- life ---------------------------------------------------------------------------------- */

/* Output that is needed while it is printed has to come from tests that run here: now all do. */
static bool listen_to(pare_oracle *oracle, pare_listening listens)
{
    remote_oracle *self = of(oracle);
    if (!self->inner->ops->listen || !self->inner->ops->listen(self->inner, listens)) return false;
    self->listens = listens != PARE_LISTEN_NOT;
    return true;
}

/* The next test is to be watched, which only a test on this machine can be. */
static bool watch(pare_oracle *oracle)
{
    remote_oracle *self = of(oracle);
    self->stays_next = self->inner->ops->watch && self->inner->ops->watch(self->inner);
    return self->stays_next;
}

/* Workers are told that the run is over, so they need not wait for its silence.  Also for an oracle
 * that was made in part. */
static void destroy(pare_oracle *oracle)
{
    remote_oracle *self = of(oracle);
    if (self->cluster && self->is_shared && pare_link_is_up(self->link)) {
        (void)!pare_cluster_call(self->cluster, PARE_MESSAGE_END, &self->call, NULL);
        pare_cluster_close_run(self->cluster, self->run);
    }
    pare_bucket_close(self->bucket);
    pare_cluster_close(self->cluster);
    pare_oracle_free(self->inner);
    for (unsigned i = 0; self->slots && i < self->head.n_slots; i++) {
        pare_candidate_done(&self->slots[i].candidate);
        pare_alloc_free(self->slots[i].result);
    }
    pare_text_unref(self->last_base);
    pare_alloc_free(self->files);
    pare_buffer_done(&self->room);
    pare_buffer_done(&self->edits);
    pare_alloc_free(self->outer_of);
    pare_alloc_free(self->slots);
    pare_alloc_free(self);
}

static const pare_oracle_ops ops = {.start = start,
                                    .cancel = cancel,
                                    .wait = wait_for,
                                    .destroy = destroy,
                                    .listen = listen_to,
                                    .watch = watch};

/* More slots than there can be workers for, since their number is fixed for the engine while
 * workers come and go; how many of them are worth filling is n_useful (count_slots). */
pare_status pare_remote_new(const pare_remote_options *options, pare_oracle **out, pare_error *err)
{
    remote_oracle *self = pare_alloc_zero(1, sizeof *self);
    if (!self) {
        pare_oracle_free(options->inner);
        return pare_fail_nomem(err);
    }
    self->inner = options->inner;
    self->stop = options->stop;
    self->head = (pare_oracle){.ops = &ops, .n_slots = self->inner->n_slots + MOST_AWAY};
    self->head.n_useful = self->head.n_here = self->inner->n_slots;
    self->workers.tell = notify_of_worker;
    self->workers.context = self;
    self->slots = pare_alloc_zero(self->head.n_slots, sizeof *self->slots);
    self->outer_of = pare_alloc(self->inner->n_slots, sizeof *self->outer_of);
    pare_status status = self->slots && self->outer_of ? PARE_OK : pare_fail_nomem(err);
    for (unsigned k = 0; self->outer_of && k < self->inner->n_slots; k++)
        self->outer_of[k] = UINT32_MAX;
    if (!status) status = pare_cluster_open(&options->link, &self->cluster, err);
    if (!status) {
        self->link = pare_cluster_link(self->cluster);
        self->is_up = true;
        self->n_connects = pare_link_connects(self->link);
        (void)snprintf(self->call.inbox, sizeof self->call.inbox, "%s.h",
                       pare_link_inbox(self->link));
        status = pare_entropy_draw(UINT64_MAX - 1, &self->run, err);
        self->call.run = ++self->run;
    }
    if (!status) status = pare_process_wake(self->inner, pare_link_fd(self->link), err);
    if (status) {
        destroy(&self->head);
        return status;
    }
    /* Workers are known by the time the input has been checked. */
    call(self);
    *out = &self->head;
    return PARE_OK;
}

/* Collects answers of workers, for a limited time; only the start of the run waits for them. */
static void gather(remote_oracle *self)
{
    const uint64_t start_ms = pare_clock_ms();
    for (uint64_t spent_ms = 0; spent_ms < GATHER_MS;) {
        pare_wait what;
        pare_verdict verdict;
        look(self);
        spent_ms = pare_clock_ms() - start_ms;
        const bool is_read = !self->bucket || pare_bucket_is_read(self->bucket);
        if (spent_ms >= ANSWER_MS && !pare_remote_workers_is_awaited(&self->workers) && is_read)
            return;
        int64_t left_ms = spent_ms < ANSWER_MS ? (int64_t)(ANSWER_MS - spent_ms) : 100;
        if (self->inner->ops->wait(self->inner, left_ms, &what, &verdict, NULL)) return;
        if (what == PARE_WAIT_INTERRUPTED) return;
    }
}

/* No worker takes part, and none has said why, so the user is told how to start one.  Workers that
 * come later are found, since we keep calling. */
static void tell_of_nobody(remote_oracle *self)
{
    char url[300];
    if (pare_remote_workers_is_anybody(&self->workers) || !self->is_up) return;
    const char *name = pare_cluster_name(self->cluster);
    const bool is_main = strcmp(name, "main") == 0;
    (void)snprintf(url, sizeof url, "%.250s%s%s", pare_link_host(self->link), is_main ? "" : "/",
                   is_main ? "" : name);
    notify(self, "no worker is at %s yet: tests run on this machine; start one: pare worker %.250s",
           url, url);
}

static pare_status put_files(remote_oracle *self, const pare_remote_test *test, pare_error *err)
{
    if (!test->n_files) return PARE_OK;
    pare_digest *files = pare_alloc(test->n_files, sizeof *files);
    if (!files) return pare_fail_nomem(err);
    pare_status status = PARE_OK;
    for (size_t i = 0; i < test->n_files && !status; i++) {
        files[i] = pare_text_digest(test->files[i]);
        status = pare_cluster_put(self->cluster, test->files[i], NULL, PARE_CLUSTER_DAY_S, err);
    }
    pare_alloc_free(self->files);
    self->files = files;
    self->n_files = status ? 0 : test->n_files;
    return status;
}

/* Stores the test with its files and its input, and names them in the call. */
static pare_status put_test(remote_oracle *self, const pare_remote_test *test, pare_error *err)
{
    pare_text *text = NULL;
    pare_status status =
        pare_text_copy(test->description->data, test->description->size, &text, err);
    if (!status) status = put_files(self, test, err);
    if (!status) status = pare_cluster_put(self->cluster, text, NULL, PARE_CLUSTER_DAY_S, err);
    if (!status) {
        self->call.test = pare_text_digest(text);
        self->call.input = pare_text_digest(test->input);
        pare_text_unref(self->last_base);
        self->last_base = NULL;
        status = pare_text_flatten(test->input, &self->last_base, err);
    }
    if (!status)
        status = pare_cluster_put(self->cluster, self->last_base, NULL, PARE_CLUSTER_DAY_S, err);
    if (!status) self->put[self->n_put++ % N_PUT] = self->call.input;
    pare_text_unref(text);
    return status;
}

/* Without the bucket each run finds everything out by itself; that is no reason to stop. */
static void open_bucket(remote_oracle *self, const pare_digest *identity)
{
    pare_error err = {0};
    if (!identity || self->is_doubted) return;
    if (pare_bucket_open(self->cluster, *identity, &self->bucket, &err))
        notify(self, "outcomes are not shared with other runs: %.500s%s", err.message, "");
}

/* The queue of the run is there before anybody is called to it. */
pare_status pare_remote_share(pare_oracle *oracle, const pare_remote_test *test, pare_error *err)
{
    remote_oracle *self = of(oracle);
    assert(!self->is_shared && !self->n_busy);
    pare_status status = put_test(self, test, err);
    if (!status) status = pare_cluster_open_run(self->cluster, self->run, err);
    if (status) return status;
    open_bucket(self, test->identity);
    self->is_shared = true;
    self->is_any = test->is_any;
    self->called_ms = 0;
    self->fresh_ms = pare_clock_ms();
    if (!self->is_any) {
        gather(self);
        tell_of_nobody(self);
    }
    return PARE_OK;
}

/* Also where no bucket is open yet: then none is opened. */
void pare_remote_doubt(pare_oracle *oracle)
{
    remote_oracle *self = of(oracle);
    self->is_doubted = true;
    if (self->bucket) pare_bucket_doubt(self->bucket);
}

void pare_remote_run(pare_oracle *oracle, pare_remote_where where)
{
    of(oracle)->where = where;
}

/* A dismissed worker is told so and gives its jobs back; if that message is lost, the tests that it
 * answers are run here (hear_result). */
bool pare_remote_dismiss(pare_oracle *oracle, pare_digest text, bool fails)
{
    remote_oracle *self = of(oracle);
    pare_message_call call = {.run = self->run};
    bool any = false;
    for (; pare_remote_workers_dismiss(&self->workers, text, fails, &call.job); any = true)
        if (self->is_up) (void)!pare_cluster_call(self->cluster, PARE_MESSAGE_DISMISS, &call, NULL);
    if (!any) return false;
    pare_remote_doubt(oracle);
    count_slots(self);
    return true;
}
