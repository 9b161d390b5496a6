/* Berths: processes, the table that they share, and how slots are divided.
 *
 * Why a process for each run, and not several oracles in one: an oracle owns all children of its
 * process, which lets it end everything that a hostile test leaves behind (os/process_tree.h); two
 * oracles in one process could not do that.  The worker's own process opens no connection and has
 * no thread, so it can fork at any time; the copies die with it (os/child.h).
 * Invariants: the table is changed under its lock, which survives the death of its holder; the
 * worker empties the seat of a process that has ended, including its slots; at most n_slots slots
 * are taken in all. */
#include "run/remote/berth.h"

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fail.h"
#include "os/child.h"
#include "os/clock.h"
#include "os/descriptor.h"
#include "os/entropy.h"
#include "os/stop.h"

enum {
    MOST_REFUSED = 16,
    LOOK_MS = 1000,
    AGAIN_MS = 1000, /* before a berth that failed is replaced */
    LEAVE_MS = 5000, /* that berths have to end when they are asked to */
    SENTENCE_BYTES = 1024
};

/* A seat describes one process.  Only that process writes it, and the worker, which fills a seat
 * before the process is made and empties it after its end. */
struct seat {
    bool is_taken; /* a process is in it */
    uint64_t run;  /* 0: it waits for one */
    pare_worker_state state;
    unsigned wanted, n_running;
    uint64_t n_tests;
};

/* The memory that all processes share: one mapping, made before the first of them. */
struct table {
    pthread_mutex_t lock;
    unsigned n_slots;
    bool is_server_gone;
    uint64_t worker, n_tests;
    struct seat seats[PARE_BERTH_MOST];
    struct refused {
        uint64_t run;
        char why[PARE_BERTH_WHY_BYTES];
    } refused[MOST_REFUSED];
    unsigned n_refused;
};

/* A message of a berth to its worker, one packet of their socket.  OPENED: it has its connection.
 * FAILED: it ends, by `status` and `text`. TOLD: `text` is for the user.  MOVED: it took or left a
 * run, so another one may have to wait for runs. */
struct note {
    enum { OPENED, FAILED, TOLD, MOVED } kind;
    pare_status status;
    char text[SENTENCE_BYTES];
};

/* A berth as its worker has it. The pidfd is readable once the process has ended; -1 where the
 * kernel has none, and then the other end of the socket is closed all the same. */
struct process {
    pid_t pid; /* 0: none */
    int socket, pidfd;
};

/* The worker's own process: no other has a copy that is up to date. */
struct berths {
    const pare_berth_options *options;
    struct table *table;
    unsigned n_seats;
    struct process processes[PARE_BERTH_MOST];
    int events[PARE_BERTH_MOST]; /* one for each seat: readable when the table has changed */
    bool is_open;                /* one of them was */
    bool is_ending;              /* all were asked to end */
    uint64_t next_ms;            /* before which none is made */
    char failed[SENTENCE_BYTES]; /* the last failure of a berth that the user was told; "": none */
};

/* A berth's own side. */
struct pare_berth {
    struct table *table;
    const int *events;
    unsigned seat, n_seats;
    int socket, epoll;
    pare_stop *stop;
};

/* ---- the table ---------------------------------------------------------------------------- */

/* The previous holder may have died in the middle of a change.  That does no harm: each change is
 * one member of a seat, which the worker empties, or a counter. */
static void lock(struct table *table)
{
    if (pthread_mutex_lock(&table->lock) == EOWNERDEAD) pthread_mutex_consistent(&table->lock);
}

static void unlock(struct table *table)
{
    pthread_mutex_unlock(&table->lock);
}

/* The seat of the calling process; others may read it at any time, so it is changed under the
 * lock. */
static struct seat *own(const pare_berth *berth)
{
    return &berth->table->seats[berth->seat];
}

/* Wakes all other berths: each checks again whether there is a slot for it, and whether it is still
 * needed.  Our own event stays, since we know. */
static void wake_others(const pare_berth *berth)
{
    const uint64_t one = 1;
    for (unsigned i = 0; i < berth->n_seats; i++) {
        if (i == berth->seat) continue;
        if (write(berth->events[i], &one, sizeof one) < 0) {
            /* It is readable already. */
        }
    }
}

/* Slots that are taken, by all runs. With the lock held. */
static unsigned count_running(const struct table *table)
{
    unsigned n = 0;
    for (unsigned i = 0; i < PARE_BERTH_MOST; i++)
        n += table->seats[i].n_running;
    return n;
}

/* Each round of the loop satisfies one run or is the last, so there are at most as many rounds as
 * runs.
 *
 * Max-min fairness: a run that wants less than an equal share gets what it wants, and what it
 * leaves is divided among the others. Example: 8 slots, and 1, 9 and 9 wanted: 1, 4 and 3. If
 * all get what they want and slots are left, those are divided among all runs, so that no slot
 * is without a run that may use it. A run that wants 0 gets 0. `shares` add up to n_slots if
 * anybody wants a slot. Cost: O(n) for each round. */
void pare_berth_divide(unsigned n_slots, const unsigned *wanted, unsigned n, unsigned *shares)
{
    unsigned left = n_slots, n_open = 0, n_there = 0;
    for (unsigned i = 0; i < n; i++) {
        shares[i] = 0;
        n_there += wanted[i] > 0;
    }
    n_open = n_there;
    /* Runs that want no more than an equal part of the rest get what they want; then the parts of
     * the others grow. */
    for (bool changed = true; changed && n_open;) {
        const unsigned fair = left / n_open;
        changed = false;
        for (unsigned i = 0; i < n; i++) {
            if (!wanted[i] || shares[i] || wanted[i] > fair) continue;
            shares[i] = wanted[i];
            left -= wanted[i];
            n_open--;
            changed = true;
        }
    }
    /* The rest goes to those that want more than that, or to all if there are none. */
    const bool is_for_all = !n_open;
    unsigned n_parts = is_for_all ? n_there : n_open;
    for (unsigned i = 0; i < n && n_parts; i++) {
        if (!wanted[i] || (!is_for_all && shares[i])) continue;
        /* Rounded up: the first runs get one more where it does not divide evenly. */
        const unsigned part = (left + n_parts - 1) / n_parts;
        shares[i] += part;
        left -= part;
        n_parts--;
    }
}

/* The share of the run in a seat, 0 without one. With the lock held; O(PARE_BERTH_MOST) in each of
 * a few rounds, so it is worked out anew whenever it is asked for. */
static unsigned share_of(const struct table *table, unsigned seat)
{
    unsigned wanted[PARE_BERTH_MOST], shares[PARE_BERTH_MOST];
    for (unsigned i = 0; i < PARE_BERTH_MOST; i++)
        wanted[i] = table->seats[i].run ? table->seats[i].wanted : 0;
    pare_berth_divide(table->n_slots, wanted, PARE_BERTH_MOST, shares);
    return shares[seat];
}

/* ---- a berth and its worker ---------------------------------------------------------------- */

/* Sends without waiting and without a second try. */
static void send_note(const pare_berth *berth, const struct note *note)
{
    /* If the worker has no room for it now, or is gone, the message is dropped: a worker that waits
     * for its terminal must not hold up the tests of a run. */
    (void)!send(berth->socket, note, sizeof *note, MSG_NOSIGNAL | MSG_DONTWAIT);
}

uint64_t pare_berth_worker(const pare_berth *berth)
{
    return berth->table->worker;
}

pare_stop *pare_berth_stop(pare_berth *berth)
{
    return berth->stop;
}

/* It is the first thing that a berth says, so the packet always finds room. */
void pare_berth_opened(pare_berth *berth)
{
    send_note(berth, &(struct note){.kind = OPENED});
}

void pare_berth_tell(pare_berth *berth, const char *sentence)
{
    struct note note = {.kind = TOLD};
    (void)snprintf(note.text, sizeof note.text, "%s", sentence);
    send_note(berth, &note);
}

/* All berths see the server go at about the same time; only the first to note it has news to
 * tell. */
bool pare_berth_note_server(pare_berth *berth, bool is_there)
{
    lock(berth->table);
    const bool is_news = berth->table->is_server_gone == is_there;
    berth->table->is_server_gone = !is_there;
    unlock(berth->table);
    return is_news;
}

pare_status pare_berth_watch(pare_berth *berth, int fd, pare_error *err)
{
    struct epoll_event event = {.events = EPOLLIN};
    if (epoll_ctl(berth->epoll, EPOLL_CTL_ADD, fd, &event))
        return pare_fail_errno(err, errno, "cannot wait for a descriptor");
    return PARE_OK;
}

int pare_berth_fd(const pare_berth *berth)
{
    return berth->epoll;
}

/* The event is emptied before the table is looked at, so a change in between is heard at the next
 * wait. */
void pare_berth_clear(pare_berth *berth)
{
    uint64_t ignored;
    if (read(berth->events[berth->seat], &ignored, sizeof ignored) < 0) {
        /* Nothing has changed. */
    }
}

/* ---- runs ----------------------------------------------------------------------------------- */

/* The answer may be outdated a moment later; only taking the run decides (pare_berth_take_run). */
bool pare_berth_is_served(const pare_berth *berth, uint64_t run)
{
    bool is_served = false;
    lock(berth->table);
    for (unsigned i = 0; i < berth->n_seats; i++)
        is_served |= berth->table->seats[i].run == run;
    unlock(berth->table);
    return is_served;
}

/* Checks and takes under one lock: of two berths that hear the same call, one gets the run.  The
 * worker is told, since perhaps no berth waits for the next run now.
 *
 * False: another berth serves it already. `wanted` is 1 until the worker is ready for the run
 * (pare_berth_note). */
bool pare_berth_take_run(pare_berth *berth, uint64_t run)
{
    bool is_free = true;
    lock(berth->table);
    for (unsigned i = 0; i < berth->n_seats; i++)
        is_free &= berth->table->seats[i].run != run;
    if (is_free) {
        *own(berth) = (struct seat){
            .is_taken = true, .run = run, .state = PARE_WORKER_PREPARING, .wanted = 1};
    }
    unlock(berth->table);
    if (is_free) send_note(berth, &(struct note){.kind = MOVED});
    if (is_free) wake_others(berth);
    return is_free;
}

/* The seat stays; only the run, its slots and its tests are forgotten. */
void pare_berth_leave_run(pare_berth *berth)
{
    lock(berth->table);
    *own(berth) = (struct seat){.is_taken = true};
    unlock(berth->table);
    send_note(berth, &(struct note){.kind = MOVED});
    wake_others(berth);
}

/* Two waiting berths may both ask.  The first to get the lock gives up its seat; the other then
 * sees that it is alone, and stays.
 *
 * False: another berth waits for a run, too, so this one is to end. Its seat is given up here,
 * but stays without a new process until the worker has reaped this one. */
bool pare_berth_is_needed(const pare_berth *berth)
{
    bool is_other = false;
    lock(berth->table);
    for (unsigned i = 0; i < berth->n_seats; i++)
        is_other |=
            i != berth->seat && berth->table->seats[i].is_taken && !berth->table->seats[i].run;
    if (is_other) own(berth)->is_taken = false; /* so that not both go */
    unlock(berth->table);
    return !is_other;
}

/* All berths see the same table, so they agree on the speaker.  Between the death of a speaker and
 * the emptying of its seat nobody answers; callers call again after a second.
 *
 * Of several processes one has to answer for the worker as a whole: the first that waits for a
 * run, since it has the least to do, or the first of all if none waits. */
bool pare_berth_is_speaker(const pare_berth *berth)
{
    const struct seat *seats = berth->table->seats;
    unsigned waiting = PARE_BERTH_MOST, first = PARE_BERTH_MOST;
    lock(berth->table);
    for (unsigned i = berth->n_seats; i-- > 0;) {
        if (!seats[i].is_taken) continue;
        first = i;
        if (!seats[i].run) waiting = i;
    }
    unlock(berth->table);
    return berth->seat == (waiting < PARE_BERTH_MOST ? waiting : first);
}

/* A ring of the last MOST_REFUSED runs, which call each second: they are answered from it, without
 * trying them again. */
void pare_berth_refuse(pare_berth *berth, uint64_t run, const char *why)
{
    struct table *table = berth->table;
    lock(table);
    struct refused *at = &table->refused[table->n_refused % MOST_REFUSED];
    at->run = run;
    (void)snprintf(at->why, sizeof at->why, "%.511s", why);
    table->n_refused++;
    unlock(table);
}

/* Whether the run is among the last that were refused; `why` is set only then. Cost:
 * O(MOST_REFUSED). */
bool pare_berth_is_refused(const pare_berth *berth, uint64_t run, char why[PARE_BERTH_WHY_BYTES])
{
    struct table *table = berth->table;
    bool is_refused = false;
    lock(table);
    for (unsigned i = 0; i < MOST_REFUSED && i < table->n_refused && !is_refused; i++) {
        is_refused = table->refused[i].run == run;
        if (is_refused) (void)snprintf(why, PARE_BERTH_WHY_BYTES, "%s", table->refused[i].why);
    }
    unlock(table);
    return is_refused;
}

/* ---- slots ------------------------------------------------------------------------------------ */

/* Both limits are needed: one of the runs may still be above a share that has become smaller. */
bool pare_berth_take_slot(pare_berth *berth)
{
    struct table *table = berth->table;
    lock(table);
    /* The slots of the machine, and the share of the run. */
    const bool is_free = count_running(table) < table->n_slots &&
                         own(berth)->n_running < share_of(table, berth->seat);
    own(berth)->n_running += is_free;
    unlock(table);
    return is_free;
}

/* Others may now use the slot even within our own share, so all of them check again. */
void pare_berth_give_slot(pare_berth *berth)
{
    lock(berth->table);
    assert(own(berth)->n_running);
    own(berth)->n_running--;
    unlock(berth->table);
    wake_others(berth);
}

/* Slots that the run may have by now; some of them may still be held by others
 * (pare_berth_usable). */
unsigned pare_berth_share(const pare_berth *berth)
{
    lock(berth->table);
    const unsigned share = share_of(berth->table, berth->seat);
    unlock(berth->table);
    return share;
}

/* Slots that other runs still hold above their shares are not free yet, so they are not promised to
 * the coordinator, whose jobs would have to wait here. */
unsigned pare_berth_usable(const pare_berth *berth)
{
    const struct table *table = berth->table;
    lock(berth->table);
    const unsigned share = share_of(table, berth->seat), n_running = count_running(table);
    const unsigned n_own = own(berth)->n_running;
    unlock(berth->table);
    const unsigned n_free = n_running < table->n_slots ? table->n_slots - n_running : 0;
    return n_own + n_free < share ? n_own + n_free : share;
}

/* A changed wish changes all shares, so the others are woken; a changed state matters only to those
 * who ask. */
void pare_berth_note(pare_berth *berth, pare_worker_state state, unsigned wanted)
{
    lock(berth->table);
    struct seat *seat = own(berth);
    const bool is_news = seat->wanted != wanted;
    seat->state = state;
    seat->wanted = wanted;
    unlock(berth->table);
    if (is_news) wake_others(berth);
}

/* The worker's own count goes on when the run has ended. */
void pare_berth_count_test(pare_berth *berth)
{
    lock(berth->table);
    own(berth)->n_tests++;
    berth->table->n_tests++;
    unlock(berth->table);
}

/* All values come from one moment, so the reported shares never exceed the slots in sum. The
 * name of the worker and what else a hello has are the caller's. */
void pare_berth_describe(const pare_berth *berth, pare_message_hello *hello)
{
    const struct table *table = berth->table;
    lock(berth->table);
    hello->n_slots = table->n_slots;
    hello->n_running = count_running(table);
    hello->n_tests = table->n_tests;
    hello->n_runs = 0;
    for (unsigned i = 0; i < berth->n_seats; i++) {
        const struct seat *seat = &table->seats[i];
        if (!seat->run) continue;
        hello->runs[hello->n_runs++] = (pare_message_run){.run = seat->run,
                                                          .state = seat->state,
                                                          .n_slots = share_of(table, i),
                                                          .n_running = seat->n_running,
                                                          .n_tests = seat->n_tests};
    }
    unlock(berth->table);
}

/* ---- the process of a berth --------------------------------------------------------------------- */

/* A signal handler gets no argument, so this is global; a process has one berth only. */
static pare_stop *_Atomic stop_of_berth;

/* The worker asks a berth to end by SIGTERM (end_all); the berth gives its jobs back first. */
static void hear_signal(int number)
{
    (void)number;
    pare_stop_request(stop_of_berth);
}

/* The worker's handlers hold until ours is set: a SIGTERM before that has requested our copy of
 * its stop. It is looked at once more after ours is set, so a request in between is not lost. */
static pare_status begin(pare_berth *berth, const pare_stop *copied, pare_error *err)
{
    const struct sigaction action = {.sa_handler = hear_signal, .sa_flags = SA_RESTART};
    pare_status status = pare_stop_new(&berth->stop, err);
    if (status) return status;
    stop_of_berth = berth->stop;
    berth->epoll = epoll_create1(EPOLL_CLOEXEC);
    if (berth->epoll < 0 || sigaction(SIGTERM, &action, NULL))
        return pare_fail_errno(err, errno, "cannot set up a process for a run");
    if (pare_stop_requested(copied)) pare_stop_request(berth->stop);
    return pare_berth_watch(berth, berth->events[berth->seat], err);
}

/* Ends by _exit, because the exit handlers belong to the worker's process.
 *
 * The fork has copied the worker's ends of the sockets of other berths, which are closed first:
 * they are the worker's alone. */
static _Noreturn void be_berth(const struct berths *all, unsigned seat, int socket)
{
    pare_error err = {0};
    pare_berth berth = {.table = all->table,
                        .events = all->events,
                        .seat = seat,
                        .n_seats = all->n_seats,
                        .socket = socket,
                        .epoll = -1};
    for (unsigned i = 0; i < all->n_seats; i++) {
        if (all->processes[i].pid) (void)close(all->processes[i].socket);
        if (all->processes[i].pid && all->processes[i].pidfd >= 0)
            (void)close(all->processes[i].pidfd);
    }
    pare_status status = begin(&berth, all->options->stop, &err);
    if (!status) status = all->options->serve(all->options->context, &berth, &err);
    if (status) {
        struct note note = {.kind = FAILED, .status = status};
        (void)snprintf(note.text, sizeof note.text, "%s", err.message);
        send_note(&berth, &note);
    }
    _exit(status != PARE_OK);
}

/* ---- the worker's own process -------------------------------------------------------------------- */

/* The table, its lock and the events. The lock is robust: where a process dies that holds it, the
 * next one that wants it gets it, and is told so (lock). */
static pare_status make_table(struct berths *self, pare_error *err)
{
    pthread_mutexattr_t how;
    void *room =
        mmap(NULL, sizeof *self->table, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (room == MAP_FAILED) return pare_fail_nomem(err);
    self->table = room;
    self->table->n_slots = self->options->n_slots;
    pthread_mutexattr_init(&how);
    pthread_mutexattr_setpshared(&how, PTHREAD_PROCESS_SHARED);
    pthread_mutexattr_setrobust(&how, PTHREAD_MUTEX_ROBUST);
    const int failed = pthread_mutex_init(&self->table->lock, &how);
    pthread_mutexattr_destroy(&how);
    if (failed) return pare_fail_errno(err, failed, "cannot make a lock");
    for (unsigned i = 0; i < self->n_seats; i++) {
        self->events[i] = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
        if (self->events[i] < 0)
            return pare_fail_errno(err, errno, "cannot make an event descriptor");
    }
    return pare_entropy_draw(UINT64_MAX, &self->table->worker, err);
}

/* Fills a seat and makes the process for it. The seat is taken before the fork, so that the process
 * finds itself in the table. On failure the seat is empty again. */
static pare_status start_berth(struct berths *self, unsigned seat, pare_error *err)
{
    int sockets[2];
    struct process *process = &self->processes[seat];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets))
        return pare_fail_errno(err, errno, "cannot make a socket");
    lock(self->table);
    self->table->seats[seat] = (struct seat){.is_taken = true};
    unlock(self->table);
    const pid_t pid = pare_child_copy(&process->pidfd);
    if (!pid) {
        (void)close(sockets[0]);
        be_berth(self, seat, sockets[1]);
    }
    const int cause = errno;
    (void)close(sockets[1]);
    if (pid < 0) {
        (void)close(sockets[0]);
        lock(self->table);
        self->table->seats[seat].is_taken = false;
        unlock(self->table);
        return pare_fail_errno(err, cause, "cannot make a process for a run");
    }
    process->pid = pid;
    process->socket = sockets[0];
    return PARE_OK;
}

/* One berth waits for a run, while there is a seat.
 *
 * Nothing is done before next_ms, so that berths which fail at once are not made without a
 * pause. Errors count only while no berth was ever open; later they may pass (memory,
 * processes). */
static pare_status keep_one_waiting(struct berths *self, pare_error *err)
{
    unsigned seat = PARE_BERTH_MOST;
    bool is_waiting = false;
    if (pare_clock_ms() < self->next_ms) return PARE_OK;
    lock(self->table);
    /* From the last to the first, so the lowest free seat is taken. */
    for (unsigned i = self->n_seats; i-- > 0;) {
        is_waiting |= self->table->seats[i].is_taken && !self->table->seats[i].run;
        if (!self->processes[i].pid) seat = i;
    }
    unlock(self->table);
    if (is_waiting || seat == PARE_BERTH_MOST) return PARE_OK;
    self->next_ms = 0;
    pare_status status = start_berth(self, seat, err);
    if (status && self->is_open) {
        /* Later, perhaps. */
        self->next_ms = pare_clock_ms() + AGAIN_MS;
        status = PARE_OK;
    }
    return status;
}

/* A berth has failed because of `why`.  If none has been open yet, the worker cannot work at all
 * and ends.  Later another berth takes its place, repeatedly as long as the cause lasts, so the
 * same failure is reported once. */
static pare_status hear_failure(struct berths *self, pare_status how, const char *why,
                                pare_error *err)
{
    char sentence[SENTENCE_BYTES];
    if (!self->is_open) return pare_fail(err, how, "%s", why);
    if (self->is_ending || strcmp(self->failed, why) == 0) return PARE_OK;
    (void)snprintf(self->failed, sizeof self->failed, "%s", why);
    (void)snprintf(sentence, sizeof sentence,
                   "a process for runs has failed, and is started again: %.900s", why);
    self->options->tell(self->options->context, sentence);
    return PARE_OK;
}

/* Handles all messages of a berth.  Errors: it failed before any was open. Messages are
 * packets, so each is whole or not there. Only the first berth that opens is greeted for. */
static pare_status hear_berth(struct berths *self, unsigned seat, pare_error *err)
{
    struct note note;
    pare_status status = PARE_OK;
    while (recv(self->processes[seat].socket, &note, sizeof note, MSG_DONTWAIT) ==
           (ssize_t)sizeof note) {
        note.text[sizeof note.text - 1] = '\0';
        if (note.kind == OPENED) {
            if (!self->is_open && self->options->greeting)
                self->options->tell(self->options->context, self->options->greeting);
            self->is_open = true;
            self->failed[0] = '\0';
        }
        if (note.kind == TOLD) self->options->tell(self->options->context, note.text);
        if (note.kind == FAILED) status = hear_failure(self, note.status, note.text, err);
    }
    return status;
}

/* Empties a seat whose process has ended, and frees its slots, after reading its last messages.
 *
 * Does nothing if it has not ended. The seat is emptied before the last messages are read, so
 * that the others get its slots at once. A death by a signal is reported like a failure, since
 * the berth could not do so itself; one that failed is not replaced before AGAIN_MS have
 * passed. */
static pare_status reap(struct berths *self, unsigned seat, pare_error *err)
{
    struct process *process = &self->processes[seat];
    siginfo_t info = {.si_pid = 0};
    if (pare_child_wait(process->pid, WEXITED | WNOHANG, &info, NULL) && !info.si_pid)
        return PARE_OK;
    const bool failed = info.si_code != CLD_EXITED || info.si_status;
    const pare_berth nobody = {
        .table = self->table, .events = self->events, .seat = seat, .n_seats = self->n_seats};
    lock(self->table);
    self->table->seats[seat] = (struct seat){.is_taken = false};
    unlock(self->table);
    wake_others(&nobody);
    pare_status status = hear_berth(self, seat, err);
    if (!status && (info.si_code == CLD_KILLED || info.si_code == CLD_DUMPED)) {
        char why[80];
        (void)snprintf(why, sizeof why, "signal %d has ended it", info.si_status);
        status = hear_failure(self, PARE_E_STATE, why, err);
    }
    pare_descriptor_close(&process->socket);
    if (process->pidfd >= 0) pare_descriptor_close(&process->pidfd);
    process->pid = 0;
    if (failed) self->next_ms = pare_clock_ms() + AGAIN_MS;
    return status;
}

/* Waits for a berth to say something or to end, `timeout_ms` at most.
 *
 * Each berth is looked at whatever woke us, since that is cheap for so few. A negative
 * descriptor, as `stop_fd` or where there is no pidfd, is left out by poll. */
static pare_status look(struct berths *self, int timeout_ms, int stop_fd, pare_error *err)
{
    struct pollfd files[2 * PARE_BERTH_MOST + 1];
    nfds_t n = 0;
    pare_status status = PARE_OK;
    files[n++] = (struct pollfd){.fd = stop_fd, .events = POLLIN};
    for (unsigned i = 0; i < self->n_seats; i++) {
        if (!self->processes[i].pid) continue;
        files[n++] = (struct pollfd){.fd = self->processes[i].socket, .events = POLLIN};
        files[n++] = (struct pollfd){.fd = self->processes[i].pidfd, .events = POLLIN};
    }
    (void)poll(files, n, timeout_ms);
    for (unsigned i = 0; i < self->n_seats && !status; i++) {
        if (!self->processes[i].pid) continue;
        status = hear_berth(self, i, err);
        if (!status) status = reap(self, i, err);
    }
    return status;
}

/* Whether any process is not reaped yet. */
static bool is_any_left(const struct berths *self)
{
    for (unsigned i = 0; i < self->n_seats; i++)
        if (self->processes[i].pid) return true;
    return false;
}

/* Asks all berths to end, which give their jobs back, and kills those that do not. A berth that
 * had to be killed leaves its jobs to the server, which gives them to others after a while. */
static void end_all(struct berths *self)
{
    const uint64_t start_ms = pare_clock_ms();
    self->is_ending = true;
    for (unsigned i = 0; i < self->n_seats; i++)
        if (self->processes[i].pid) (void)pare_child_terminate(self->processes[i].pid);
    while (is_any_left(self) && pare_clock_ms() - start_ms < LEAVE_MS)
        (void)!look(self, 100, -1, NULL);
    for (unsigned i = 0; i < self->n_seats; i++) {
        struct process *process = &self->processes[i];
        if (!process->pid) continue;
        (void)pare_child_kill(process->pid);
        (void)pare_child_reap(process->pid);
        pare_descriptor_close(&process->socket);
        if (process->pidfd >= 0) pare_descriptor_close(&process->pidfd);
    }
}

/* Checks at least once in LOOK_MS, so a lost message costs no more than that.
 *
 * Returns when a stop was requested, or with the first error that no later berth can mend. All
 * berths have ended then, in either case. */
pare_status pare_berth_serve_all(const pare_berth_options *options, pare_error *err)
{
    struct berths self = {.options = options,
                          .n_seats = options->n_slots < PARE_BERTH_MOST ? options->n_slots
                                                                        : PARE_BERTH_MOST};
    assert(options->n_slots);
    for (unsigned i = 0; i < PARE_BERTH_MOST; i++)
        self.events[i] = -1;
    pare_status status = make_table(&self, err);
    while (!status && !pare_stop_requested(options->stop)) {
        status = keep_one_waiting(&self, err);
        if (!status) status = look(&self, LOOK_MS, pare_stop_fd(options->stop), err);
    }
    end_all(&self);
    for (unsigned i = 0; i < PARE_BERTH_MOST; i++)
        if (self.events[i] >= 0) (void)close(self.events[i]);
    if (self.table) (void)munmap(self.table, sizeof *self.table);
    return status;
}
