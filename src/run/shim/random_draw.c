/* Draws go into the file that pare has named, in the order in which they are made.
 *
 * Several processes of a generator take numbers from one list, each the next one; the order
 * is what the generator makes it, so processes that run at the same time make another text
 * each time, which pare finds out. */
#include "run/shim/random_draw.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "run/shim/random_calls.h"
#include "run/shim/random_protocol.h"

static pare_random_area *area; /* NULL: nobody listens */
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* The mapping is inherited by children that are forked, and made again by those that execute
 * a program. */
static void attach(void)
{
    const char *path = getenv(PARE_RANDOM_VARIABLE);
    int fd = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    if (fd < 0) return;
    void *mapped = mmap(NULL, PARE_RANDOM_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    (void)close(fd);
    if (mapped == MAP_FAILED) return;
    area = mapped;
    (void)atomic_fetch_add(&area->n_attached, 1);
}

static pare_random_area *attached(void)
{
    (void)pthread_once(&once, attach);
    return area;
}

/* A program that draws nothing is counted too. */
__attribute__((constructor)) static void begin(void)
{
    (void)attached();
}

static uint32_t thread_number(pare_random_area *to)
{
    static _Thread_local uint32_t number; /* from 1 */
    static _Thread_local pid_t of;
    if (number && of == getpid()) return number;
    of = getpid();
    number = atomic_fetch_add(&to->n_threads, 1) + 1;
    return number;
}

static _Noreturn void end(pare_random_area *of, uint32_t why)
{
    atomic_store(&of->ended, why);
    _exit(PARE_RANDOM_EXIT);
}

/* Notes which calls are under way; without room for them, none. */
static void note_calls(pare_random_area *to, pare_random_draw *draw, const void *caller)
{
    pare_calls_change change;
    pare_calls_look(caller, &change);
    uint64_t first = atomic_fetch_add(&to->n_labels, change.n_entered);
    bool fits = first + change.n_entered <= PARE_RANDOM_MAX_CALLS;
    draw->n_kept = change.n_kept;
    draw->n_entered = fits ? change.n_entered : 0;
    draw->first_entered = fits ? (uint32_t)first : 0;
    for (uint32_t k = 0; k < draw->n_entered; k++)
        pare_random_labels(to)[first + k] = change.labels[k];
}

bool pare_draw_replays(void)
{
    return attached() && area->replays;
}

uint64_t pare_draw_number(uint64_t real, uint64_t bound, const void *caller)
{
    pare_random_area *to = attached();
    if (!to) return real;
    uint64_t n = atomic_fetch_add(&to->n_draws, 1);
    if (n >= PARE_RANDOM_MAX_DRAWS) end(to, PARE_RANDOM_FULL);
    if (to->replays && n >= to->n_list) end(to, PARE_RANDOM_EXHAUSTED);
    pare_random_draw *draw = &pare_random_draws(to)[n];
    draw->index = to->replays ? pare_random_list(to)[n] % bound : real;
    draw->bound = bound;
    draw->thread = thread_number(to);
    note_calls(to, draw, caller);
    return draw->index;
}

/* One number of `size` bytes, at most 4. */
static void draw_part(unsigned char *bytes, size_t size, const void *caller)
{
    uint64_t number = 0;
    bool real = !pare_draw_replays();
    for (size_t k = 0; real && k < size; k++)
        number |= (uint64_t)bytes[k] << 8 * k;
    number = pare_draw_number(number, UINT64_C(1) << 8 * size, caller);
    for (size_t k = 0; k < size; k++)
        bytes[k] = (unsigned char)(number >> 8 * k);
}

void pare_draw_bytes(void *bytes, size_t size, const void *caller)
{
    size_t part = size == 2 ? 2 : size == 4 || size == 8 ? 4 : 1;
    for (size_t at = 0; at < size; at += part)
        draw_part((unsigned char *)bytes + at, part, caller);
}
