/* Predicates as an oracle: a C function of the candidate's bytes, called in threads of ours.
 *
 * A slot goes idle -> queued -> running -> ended -> idle.  Queued and ended slots wait in two
 * rings, first come first served, so that no candidate starves; with one slot there are no
 * threads, and wait does what a worker would: a predicate that is not thread-safe can be used
 * with it.
 *
 * Locking: `lock` guards the rings and every slot's state and flags; a running slot's bytes
 * and result belong to its worker alone.  No other lock is taken inside it.
 *
 * A predicate cannot be killed: a cancelled one runs to its end, and its outcome is dropped.
 * One that gives PARE_NO_OUTCOME (the caller's exception, above all) ends the run as a stop does: its
 * slot gives no verdict, so nothing is counted, cached or written to the journal.
 * Invariant: the two rings together hold no slot twice, and ended_fd is readable exactly while
 * `ended` is not empty. */
#include "run/predicate.h"

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <pare/outcome.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "os/clock.h"
#include "os/stop.h"
#include "text/candidate.h"

enum state { IDLE = 0, QUEUED, RUNNING, ENDED };

/* The state of one slot. Guarded by the lock, except `bytes` and `result` while the slot runs. */
struct slot {
    enum state state;
    bool cancelled;
    pare_buffer bytes; /* of the candidate */
    pare_outcome outcome;
    double duration_ms;
};

/* Slots in the order in which they came.  There is room for all of them. */
struct ring {
    unsigned *slot; /* owned */
    unsigned first, n;
};

typedef struct predicate_oracle {
    pare_oracle head;
    pare_predicate_options options;
    struct slot *slots; /* owned */
    struct ring queued, ended;
    unsigned n_started; /* slots that are not idle */
    pthread_mutex_t lock;
    pthread_cond_t work; /* something is queued, or quit is set */
    bool quit;
    bool gave_up;       /* a predicate has given no outcome; the caller's thread only */
    int ended_fd;       /* eventfd, readable while `ended` is not empty */
    pthread_t *threads; /* owned; NULL with one slot */
    unsigned n_threads;
} predicate_oracle;

static predicate_oracle *of(pare_oracle *oracle)
{
    return (predicate_oracle *)(void *)oracle;
}

/* Appends `slot`.  Room is for all slots, and none is in a ring twice, so it is never full. */
static void push(const predicate_oracle *self, struct ring *ring, unsigned slot)
{
    assert(ring->n < self->head.n_slots);
    ring->slot[(ring->first + ring->n++) % self->head.n_slots] = slot;
}

/* Takes out the slot that came first; the ring must not be empty. */
static unsigned pop(const predicate_oracle *self, struct ring *ring)
{
    assert(ring->n > 0);
    unsigned slot = ring->slot[ring->first];
    ring->first = (ring->first + 1) % self->head.n_slots;
    ring->n--;
    return slot;
}

/* Takes `slot` out of the ring, wherever it stands, by turning the ring once: the others keep
 * their order.  O(slots), which are few. */
static void take_out(const predicate_oracle *self, struct ring *ring, unsigned slot)
{
    for (unsigned n = ring->n; n > 0; n--) {
        unsigned other = pop(self, ring);
        if (other != slot) push(self, ring, other);
    }
}

/* Puts `slot` among the ended; the lock is held.  The eventfd is only written when the ring was
 * empty, so one read empties it. */
static void end(predicate_oracle *self, unsigned slot)
{
    const uint64_t one = 1;
    self->slots[slot].state = ENDED;
    push(self, &self->ended, slot);
    if (self->ended.n == 1 && self->threads && write(self->ended_fd, &one, sizeof one) < 0) {
        /* Impossible: the counter is 0. */
    }
}

/* Calls the predicate for a slot that nobody else touches: without the lock, for it may take
 * long. */
static void test(const predicate_oracle *self, struct slot *slot)
{
    uint64_t start_ns = pare_clock_ns();
    const void *bytes = slot->bytes.data ? slot->bytes.data : "";
    slot->outcome = self->options.predicate(self->options.context, bytes, slot->bytes.size);
    slot->duration_ms = (double)(pare_clock_ns() - start_ns) / 1e6;
}

/* A worker: takes the first queued slot, tests it without the lock, and ends it. */
static void *work(void *context)
{
    predicate_oracle *self = context;
    (void)pthread_mutex_lock(&self->lock);
    for (;;) {
        while (!self->queued.n && !self->quit)
            (void)pthread_cond_wait(&self->work, &self->lock);
        if (self->quit) break;
        unsigned slot = pop(self, &self->queued);
        self->slots[slot].state = RUNNING;
        (void)pthread_mutex_unlock(&self->lock);
        test(self, &self->slots[slot]);
        (void)pthread_mutex_lock(&self->lock);
        end(self, slot);
    }
    (void)pthread_mutex_unlock(&self->lock);
    return NULL;
}

/* The bytes are copied: the candidate is the caller's, and changes after this.  Nobody else
 * looks at an idle slot, so they are written without the lock. */
static pare_status start(pare_oracle *oracle, unsigned k, const pare_candidate *candidate,
                         pare_error *err)
{
    predicate_oracle *self = of(oracle);
    assert(k < oracle->n_slots && self->slots[k].state == IDLE);
    struct slot *slot = &self->slots[k];
    pare_buffer_reset(&slot->bytes);
    pare_status status = pare_buffer_reserve(&slot->bytes, candidate->size, err);
    if (status) return status;
    pare_candidate_read(candidate, slot->bytes.data);
    slot->bytes.size = candidate->size;
    slot->bytes.data[candidate->size] = '\0';
    (void)pthread_mutex_lock(&self->lock);
    slot->cancelled = false;
    slot->state = QUEUED;
    push(self, &self->queued, k);
    self->n_started++;
    (void)pthread_cond_signal(&self->work);
    (void)pthread_mutex_unlock(&self->lock);
    return PARE_OK;
}

/* A test that is queued still ends at once, without an outcome; one that runs cannot be
 * stopped, and its outcome is dropped when it ends. */
static void cancel(pare_oracle *oracle, unsigned k)
{
    predicate_oracle *self = of(oracle);
    assert(k < oracle->n_slots);
    struct slot *slot = &self->slots[k];
    (void)pthread_mutex_lock(&self->lock);
    if (slot->state == QUEUED || slot->state == RUNNING) slot->cancelled = true;
    if (slot->state == QUEUED) {
        take_out(self, &self->queued, k);
        slot->outcome = PARE_NO_OUTCOME;
        slot->duration_ms = 0;
        end(self, k);
    }
    (void)pthread_mutex_unlock(&self->lock);
}

/* Gives the verdict of the first ended slot, if there is one.  The eventfd is read when the
 * last has gone, so it is readable exactly while there is one. */
static bool collect(predicate_oracle *self, pare_verdict *verdict)
{
    uint64_t count;
    (void)pthread_mutex_lock(&self->lock);
    bool any = self->ended.n > 0;
    if (any) {
        unsigned k = pop(self, &self->ended);
        struct slot *slot = &self->slots[k];
        *verdict = (pare_verdict){.slot = k,
                                  .cancelled = slot->cancelled,
                                  .duration_ms = slot->duration_ms,
                                  .outcome = slot->cancelled ? PARE_NO_OUTCOME : slot->outcome,
                                  .exit_code = -1};
        slot->state = IDLE;
        self->n_started--;
        if (!self->ended.n && self->threads && read(self->ended_fd, &count, sizeof count) < 0) {
            /* Impossible: it was readable. */
        }
    }
    (void)pthread_mutex_unlock(&self->lock);
    return any;
}

/* With a single slot there are no threads: the caller's thread runs the predicate, without the
 * lock. */
static void run_queued(predicate_oracle *self)
{
    if (self->threads || !self->queued.n) return;
    unsigned slot = pop(self, &self->queued);
    test(self, &self->slots[slot]);
    end(self, slot);
}

/* Sleeps until a test ends, a stop is requested, or `end_ms` has come; false if that has
 * passed already.  A signal wakes it too: the caller looks again in any case. */
static bool sleep_until(const predicate_oracle *self, uint64_t end_ms, pare_status *status,
                        pare_error *err)
{
    struct pollfd ready[2] = {{.fd = self->ended_fd, .events = POLLIN},
                              {.fd = pare_stop_fd(self->options.stop), .events = POLLIN}};
    int left_ms = -1;
    if (end_ms != UINT64_MAX) {
        uint64_t now_ms = pare_clock_ms();
        if (now_ms >= end_ms) return false;
        left_ms = end_ms - now_ms > INT32_MAX ? INT32_MAX : (int)(end_ms - now_ms);
    }
    if (poll(ready, 2, left_ms) < 0 && errno != EINTR)
        *status = pare_fail_errno(err, errno, "cannot wait for tests");
    return true;
}

/* Looks before it sleeps, so that nothing that ended before is missed. */
static pare_status wait_for(pare_oracle *oracle, int64_t timeout_ms, pare_wait *what,
                            pare_verdict *verdict, pare_error *err)
{
    predicate_oracle *self = of(oracle);
    const uint64_t end_ms = timeout_ms < 0 ? UINT64_MAX : pare_clock_ms() + (uint64_t)timeout_ms;
    pare_status status = PARE_OK;
    *what = PARE_WAIT_TIMEOUT;
    while (!status) {
        if (self->gave_up || pare_stop_requested(self->options.stop)) {
            *what = PARE_WAIT_INTERRUPTED;
            break;
        }
        run_queued(self);
        if (collect(self, verdict)) {
            self->gave_up |= !verdict->cancelled && verdict->outcome == PARE_NO_OUTCOME;
            *what = self->gave_up ? PARE_WAIT_INTERRUPTED : PARE_WAIT_VERDICT;
            break;
        }
        if (!self->n_started || !sleep_until(self, end_ms, &status, err)) break;
    }
    return status;
}

/* Workers finish what they are running; what is queued is not begun. The oracle may be half made:
 * as many threads are joined as were started. */
static void destroy(pare_oracle *oracle)
{
    predicate_oracle *self = of(oracle);
    (void)pthread_mutex_lock(&self->lock);
    self->quit = true;
    (void)pthread_cond_broadcast(&self->work);
    (void)pthread_mutex_unlock(&self->lock);
    for (unsigned k = 0; k < self->n_threads; k++)
        (void)pthread_join(self->threads[k], NULL);
    for (unsigned k = 0; self->slots && k < oracle->n_slots; k++)
        pare_buffer_done(&self->slots[k].bytes);
    if (self->ended_fd >= 0) (void)close(self->ended_fd);
    (void)pthread_cond_destroy(&self->work);
    (void)pthread_mutex_destroy(&self->lock);
    pare_alloc_free(self->threads);
    pare_alloc_free(self->queued.slot);
    pare_alloc_free(self->ended.slot);
    pare_alloc_free(self->slots);
    pare_alloc_free(self);
}

static const pare_oracle_ops ops = {
    .start = start, .cancel = cancel, .wait = wait_for, .destroy = destroy};

/* Starts a thread for each slot.  All signals are blocked in them, for those are for the
 * threads that the program has made itself; the mask is inherited at creation, so none can
 * come in between. */
static pare_status start_threads(predicate_oracle *self, pare_error *err)
{
    sigset_t all, before;
    int failed = 0;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    for (unsigned k = 0; k < self->head.n_slots && !failed; k++) {
        failed = pthread_create(&self->threads[k], NULL, work, self);
        if (!failed) self->n_threads++;
    }
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return failed ? pare_fail_errno(err, failed, "cannot start a thread") : PARE_OK;
}

/* Makes the rings, and for several slots the threads and the descriptor that wakes wait.  One
 * slot needs neither. */
static pare_status prepare(predicate_oracle *self, pare_error *err)
{
    unsigned n = self->head.n_slots;
    self->slots = pare_alloc_zero(n, sizeof *self->slots);
    self->queued.slot = pare_alloc(n, sizeof *self->queued.slot);
    self->ended.slot = pare_alloc(n, sizeof *self->ended.slot);
    if (!self->slots || !self->queued.slot || !self->ended.slot) return pare_fail_nomem(err);
    if (n == 1) return PARE_OK;
    self->threads = pare_alloc(n, sizeof *self->threads);
    if (!self->threads) return pare_fail_nomem(err);
    self->ended_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (self->ended_fd < 0) return pare_fail_errno(err, errno, "cannot make an event descriptor");
    return start_threads(self, err);
}

/* The lock is made before anything can fail, since destroy takes it. */
pare_status pare_predicate_new(const pare_predicate_options *options, pare_oracle **out,
                               pare_error *err)
{
    if (!options->n_slots || !options->predicate)
        return pare_fail(err, PARE_E_ARG, "a predicate and at least one slot are needed");
    predicate_oracle *self = pare_alloc_zero(1, sizeof *self);
    if (!self) return pare_fail_nomem(err);
    self->head = (pare_oracle){.ops = &ops, .n_slots = options->n_slots};
    self->options = *options;
    self->ended_fd = -1;
    (void)pthread_mutex_init(&self->lock, NULL);
    (void)pthread_cond_init(&self->work, NULL);
    pare_status status = prepare(self, err);
    if (status)
        destroy(&self->head);
    else
        *out = &self->head;
    return status;
}
