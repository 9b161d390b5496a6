/* The workers of a run: a small table by their numbers, and the decisions about what the user is
 * told.
 *
 * Invariants: n_ready and n_slots are those of the last count; a worker with was_ready is in state
 * READY unless something came since then; `is_told` and `is_missed` are cleared once it takes part,
 * so the same thing is reported again only after it has changed in between. */
#include "run/remote/remote_workers.h"

#include <stdio.h>
#include <string.h>

#include "os/machine.h"

/* Tells a sentence about a worker; `format` takes its name and `why`. */
static void tell(const pare_remote_workers *self, const char *format, const char *name,
                 const char *why)
{
    char sentence[640];
    (void)snprintf(sentence, sizeof sentence, format, name, why);
    self->tell(self->context, sentence);
}

/* Only the first one is reported: a worker says who it is each second. */
void pare_remote_workers_hear_stranger(pare_remote_workers *self, unsigned version)
{
    char ours[80];
    if (self->met_stranger) return;
    self->met_stranger = true;
    (void)snprintf(ours, sizeof ours, "protocol %u, ours is %d", version, PARE_MESSAGE_VERSION);
    tell(self, "a worker of another version is not used (%s): install the same pare there%s", ours,
         "");
}

/* Whether a worker takes part.  Nothing is reported about one that has lost us and is about to
 * start over (it says IDLE or PREPARING), nor a second time about one that is not used.
 *
 * A worker counts if it said READY, was heard within PARE_REMOTE_SILENT_MS and was not
 * dismissed. That is gone which is silent, has said so, or works for others only. `was_ready`
 * remembers that it took part: only the going of such a worker is reported. */
static bool is_ready(const pare_remote_workers *self, pare_remote_worker *worker, uint64_t now_ms)
{
    const pare_worker_state state = worker->hello.state;
    const bool is_silent = now_ms - worker->heard_ms > PARE_REMOTE_SILENT_MS;
    const bool is_gone = is_silent || state == PARE_WORKER_GONE || state == PARE_WORKER_BUSY;
    if (worker->was_ready && is_gone) {
        worker->is_missed = true;
        tell(self, "worker %s is gone; its tests go to others%s", worker->hello.name, "");
    }
    if (is_gone || state == PARE_WORKER_REFUSED) worker->was_ready = false;
    if (is_gone || state != PARE_WORKER_READY || worker->is_dismissed) return false;
    if (worker->is_missed) tell(self, "worker %s is back%s", worker->hello.name, "");
    worker->is_missed = worker->is_told = false;
    return worker->was_ready = true;
}

/* This is also where a worker that has fallen silent is noticed, since nothing else comes from
 * it. */
void pare_remote_workers_count(pare_remote_workers *self, bool is_up, uint64_t now_ms)
{
    self->n_ready = self->n_slots = 0;
    for (unsigned i = 0; i < self->n && is_up; i++) {
        pare_remote_worker *worker = &self->all[i];
        /* A worker that uses all slots for other runs has none for us just now. */
        if (!is_ready(self, worker, now_ms) || !worker->hello.n_slots) continue;
        self->n_ready++;
        self->n_slots += worker->hello.n_slots;
    }
}

/* The place of a worker in the table, a new one if need be; NULL: there is no room.
 *
 * A full table gives the place of the first worker that has been silent for long. What was
 * known of that one is forgotten, so if it comes back it is reported as a new one. */
static pare_remote_worker *find(pare_remote_workers *self, uint64_t id, uint64_t now_ms)
{
    for (unsigned i = 0; i < self->n; i++)
        if (self->all[i].hello.id == id) return &self->all[i];
    if (self->n < PARE_REMOTE_MOST_WORKERS) return &self->all[self->n++];
    for (unsigned i = 0; i < self->n; i++) {
        if (now_ms - self->all[i].heard_ms <= PARE_REMOTE_SILENT_MS) continue;
        self->all[i] = (pare_remote_worker){.heard_ms = 0};
        return &self->all[i];
    }
    return NULL;
}

/* Names a worker that is not used, and why; if it is another kind of machine, that is reported too,
 * as the most likely cause (a description begins with, for example, "Linux 6.1 x86_64").
 *
 * The widths in the formats keep a sentence within the room of tell(). Example: "worker b is
 * not used: the input does not fail there (it is Linux 6.1 aarch64)". */
static void tell_refused(const pare_remote_workers *self, const pare_message_hello *hello,
                         bool was_ready)
{
    char last[80] = "", own[sizeof hello->machine],
         why[sizeof hello->why + sizeof hello->machine + 100];
    pare_machine_describe(own, sizeof own);
    /* Compared up to and with the comma that ends the first part: system, release and
     * processor. */
    const size_t n = strcspn(own, ",");
    const bool is_other = strncmp(own, hello->machine, n + 1) != 0;
    if (hello->n_doubtful)
        (void)snprintf(last, sizeof last, "; the last %llu outcomes of it are in doubt",
                       (unsigned long long)hello->n_doubtful);
    (void)snprintf(why, sizeof why, "%s%s%s%.*s%s", hello->why, last, is_other ? " (it is " : "",
                   is_other ? (int)strcspn(hello->machine, ",") : 0, hello->machine,
                   is_other ? ")" : "");
    tell(self,
         was_ready ? "worker %.127s is no longer used: %.480s"
                   : "worker %.127s is not used: %.490s",
         hello->name, why);
}

/* The input fails there too, but with other programs candidates may have other outcomes. */
static void tell_other(const pare_remote_workers *self, const pare_message_hello *hello)
{
    tell(self,
         "worker %.100s has different programs: %.400s: install the same ones there to be sure of "
         "the same result",
         hello->name, hello->why);
}

/* The hello is kept as it came, except that READY for another run does not count.
 *
 * Each thing is told once: that programs differ (`is_other_told`), and that the worker is not
 * used (`is_told`, cleared by is_ready when it takes part again). Of a worker that we dismissed
 * no refusal is reported. */
void pare_remote_workers_hear(pare_remote_workers *self, uint64_t run,
                              const pare_message_hello *hello, uint64_t now_ms)
{
    pare_remote_worker *worker = find(self, hello->id, now_ms);
    if (!worker) return;
    worker->hello = *hello;
    worker->heard_ms = now_ms;
    /* A worker of another run is of no use to ours. */
    if (hello->run != run && hello->state == PARE_WORKER_READY)
        worker->hello.state = PARE_WORKER_BUSY;
    if (worker->hello.state == PARE_WORKER_READY && hello->why[0] && !worker->is_other_told) {
        worker->is_other_told = true;
        tell_other(self, hello);
    }
    if (hello->state == PARE_WORKER_REFUSED && !worker->is_told && !worker->is_dismissed) {
        worker->is_told = true;
        tell_refused(self, hello, worker->was_ready);
    }
}

/* We could hear nobody for a while: those who took part get the whole time to be silent once
 * more. */
void pare_remote_workers_spare(pare_remote_workers *self, uint64_t now_ms)
{
    for (unsigned i = 0; i < self->n; i++)
        if (self->all[i].was_ready) self->all[i].heard_ms = now_ms;
}

/* A ring of what was said last; the oldest is overwritten. */
void pare_remote_workers_note(pare_remote_workers *self, uint64_t id, pare_digest text, bool fails)
{
    self->said[self->n_said++ % PARE_REMOTE_MOST_SAID] =
        (pare_remote_said){.text = text, .worker = id, .fails = fails};
}

/* Whether a worker always gives the same outcome for a text, at least PARE_REMOTE_SURE times.
 * One other outcome within the ring is enough to doubt it. Cost: O(PARE_REMOTE_MOST_SAID). */
static bool is_sure(const pare_remote_workers *self, uint64_t id, pare_digest text, bool fails)
{
    const unsigned n = self->n_said < PARE_REMOTE_MOST_SAID ? self->n_said : PARE_REMOTE_MOST_SAID;
    unsigned n_agree = 0;
    for (unsigned i = 0; i < n; i++) {
        const pare_remote_said *said = &self->said[i];
        if (said->worker != id || !pare_digest_equal(said->text, text)) continue;
        if (said->fails != fails) return false;
        n_agree++;
    }
    return n_agree >= PARE_REMOTE_SURE;
}

/* For some time, the last hello of a dismissed worker may still say that it takes part; that no
 * longer counts.
 *
 * `fails` is what the worker says of `text`, where this machine always sees the opposite. At
 * most one worker is dismissed in a call, and *id is set only then; it is to be called again
 * for the next one. */
bool pare_remote_workers_dismiss(pare_remote_workers *self, pare_digest text, bool fails,
                                 uint64_t *id)
{
    for (unsigned i = 0; i < self->n; i++) {
        pare_remote_worker *worker = &self->all[i];
        if (worker->is_dismissed || !is_sure(self, worker->hello.id, text, fails)) continue;
        worker->is_dismissed = true;
        worker->was_ready = false;
        tell(self,
             fails ? "worker %.127s is no longer used: a candidate that always passes here always "
                     "fails there: the machines differ (a library, the locale, a limit?), this is "
                     "not chance%s"
                   : "worker %.127s is no longer used: a candidate that always fails here always "
                     "passes there: the machines differ (a library, the locale, a limit?), this is "
                     "not chance%s",
             worker->hello.name, "");
        *id = worker->hello.id;
        return true;
    }
    return false;
}

bool pare_remote_workers_is_dismissed(const pare_remote_workers *self, uint64_t id)
{
    for (unsigned i = 0; i < self->n; i++)
        if (self->all[i].hello.id == id) return self->all[i].is_dismissed;
    return false;
}

/* A worker that takes part says in `why` what differs there (get_ready in serve.c). */
bool pare_remote_workers_is_alike(const pare_remote_workers *self, uint64_t id)
{
    for (unsigned i = 0; i < self->n; i++)
        if (self->all[i].hello.id == id) return !self->all[i].hello.why[0];
    return false;
}

/* Whether somebody may take part soon, for whom it is worth waiting before the first test. */
bool pare_remote_workers_is_awaited(const pare_remote_workers *self)
{
    for (unsigned i = 0; i < self->n; i++)
        if (self->all[i].hello.state == PARE_WORKER_PREPARING ||
            self->all[i].hello.state == PARE_WORKER_IDLE)
            return true;
    return false;
}

/* A worker of another version counts as well: it is the reason for which nobody takes part. */
bool pare_remote_workers_is_anybody(const pare_remote_workers *self)
{
    for (unsigned i = 0; i < self->n; i++)
        if (self->all[i].hello.state != PARE_WORKER_GONE) return true;
    return self->met_stranger;
}

/* Tests that run on workers now, by what they said last: at most a second ago, if all is well. */
unsigned pare_remote_workers_running(const pare_remote_workers *self)
{
    unsigned n = 0;
    for (unsigned i = 0; i < self->n; i++)
        if (self->all[i].was_ready && self->all[i].hello.state == PARE_WORKER_READY)
            n += self->all[i].hello.n_running;
    return n;
}
