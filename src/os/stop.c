/* Stop requests: a flag for those who look, an eventfd for those who wait.
 *
 * Invariant: the flag is set before the eventfd becomes readable, so whoever is woken finds it
 * set.  A stop that was requested stays requested, and a second one changes nothing; only where the run
 * was to end in order to begin again elsewhere is the flag cleared, by the one who begins it
 * (pare_stop_take_step).  Pausing and leaving phases are for those who look only.
 *
 * A request may come from a signal handler: it allocates nothing, takes no lock, and leaves
 * errno as it was.  An eventfd rather than a pipe, because it is one descriptor and cannot be
 * full. */
#include "os/stop.h"

#include <assert.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/fail.h"

struct pare_stop {
    atomic_bool requested, paused;
    atomic_bool is_final;         /* somebody wants the end, and not another beginning */
    _Atomic uint64_t step;        /* to go back to; 0: none */
    atomic_uint skipped, outputs; /* only grow, so that whoever looks late misses none */
    int fd;
};

/* Non-blocking, so that a request can never wait. */
pare_status pare_stop_new(pare_stop **out, pare_error *err)
{
    pare_stop *stop = pare_alloc_zero(1, sizeof *stop);
    if (!stop) return pare_fail_nomem(err);
    stop->fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (stop->fd < 0) {
        int cause = errno;
        pare_alloc_free(stop);
        return pare_fail_errno(err, cause, "cannot make an event descriptor");
    }
    atomic_init(&stop->requested, false);
    atomic_init(&stop->paused, false);
    atomic_init(&stop->is_final, false);
    atomic_init(&stop->step, 0);
    atomic_init(&stop->skipped, 0);
    atomic_init(&stop->outputs, 0);
    *out = stop;
    return PARE_OK;
}

/* NULL is a no-op.  No handler may request it any more. */
void pare_stop_free(pare_stop *stop)
{
    if (!stop) return;
    (void)close(stop->fd);
    pare_alloc_free(stop);
}

/* Async-signal-safe. */
static void end_run(pare_stop *stop)
{
    assert(stop && stop->fd >= 0);
    int saved = errno; /* a signal handler must leave errno alone */
    const uint64_t one = 1;
    atomic_store(&stop->requested, true);
    if (write(stop->fd, &one, sizeof one) < 0) {
        /* A write only fails if 2^64 requests are waiting, and then it is readable already. */
    }
    errno = saved;
}

void pare_stop_request(pare_stop *stop)
{
    atomic_store(&stop->is_final, true);
    end_run(stop);
}

void pare_stop_go_from(pare_stop *stop, uint64_t step)
{
    atomic_store(&stop->step, step);
    end_run(stop);
}

/* A request that comes while the flag is cleared has left its own mark before it set the flag, so that is
 * looked for afterwards. */
uint64_t pare_stop_take_step(pare_stop *stop)
{
    uint64_t ignored;
    const uint64_t step = stop ? atomic_exchange(&stop->step, 0) : 0;
    if (!step || atomic_load(&stop->is_final)) return 0;
    atomic_store(&stop->requested, false);
    if (read(stop->fd, &ignored, sizeof ignored) < 0) {
        /* Another request is about to be written. */
    }
    atomic_store(&stop->skipped, 0);
    atomic_store(&stop->outputs, 0);
    if (atomic_load(&stop->is_final) || atomic_load(&stop->step)) end_run(stop);
    return step;
}

/* Nobody waits for it: who runs tests looks when there is one to start, and ten times a second
 * while it is paused. */
void pare_stop_pause(pare_stop *stop, pare_pausing pausing)
{
    atomic_store(&stop->paused, pausing == PARE_PAUSE);
}

void pare_stop_skip_phase(pare_stop *stop)
{
    (void)atomic_fetch_add(&stop->skipped, 1);
}

void pare_stop_want_output(pare_stop *stop)
{
    (void)atomic_fetch_add(&stop->outputs, 1);
}

/* -1 is a descriptor that poll passes over. */
int pare_stop_fd(const pare_stop *stop)
{
    return stop ? stop->fd : -1;
}

const atomic_bool *pare_stop_flag(const pare_stop *stop)
{
    return stop ? &stop->requested : NULL;
}

bool pare_stop_requested(const pare_stop *stop)
{
    return stop && atomic_load(&stop->requested);
}

bool pare_stop_is_paused(const pare_stop *stop)
{
    return stop && atomic_load(&stop->paused);
}

unsigned pare_stop_phases_skipped(const pare_stop *stop)
{
    return stop ? atomic_load(&stop->skipped) : 0;
}

unsigned pare_stop_outputs_wanted(const pare_stop *stop)
{
    return stop ? atomic_load(&stop->outputs) : 0;
}
