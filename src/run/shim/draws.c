/* Draws of random numbers: noted in the file that pare has named, or replayed from it.
 *
 * Draws go into the file in the order in which they are made.  Several processes of a
 * generator take numbers from one list, each the next one; the order is what the generator
 * makes it, so processes that run at the same time make another text each time, which pare
 * finds out.
 *
 * With each draw goes what has changed of the calls under way since the thread's last one.  A
 * generator that was not made for it says with its own calls which of its choices belong
 * together: what was drawn between the entry of a function and its return is one span, and
 * spans of one function may stand for each other.  That is what MacIver and Donaldson
 * ("Test-case reduction via test-case generation: insights from the Hypothesis reducer", ECOOP
 * 2020) have the generator's author mark; here nobody has to.
 *
 * Two draws share a call when all calls around it stand at the same places.  Whether a
 * function was left and entered again from the same place in between cannot be seen, but
 * guessed: a function that stands again where it stood at its first draw, and was elsewhere
 * meanwhile, has been entered again, or begins another round of its loop, which is a span as
 * good.
 *
 * Cost: a microsecond for each frame that is unwound; what is still where it was at the last
 * draw is not unwound again.  Nothing here allocates: this runs inside of somebody else's
 * program, perhaps inside of its malloc. */
#include "run/shim/draws.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <unwind.h>

#include "run/shim/random_protocol.h"

/* ---- calls under way ----------------------------------------------------------------- */

enum { CALLS_MAX = 1 << 13 }; /* in deeper recursion the outermost are left out */

/* What has changed since this thread's last draw. */
struct calls_change {
    uint32_t n_kept;        /* of the outermost calls, that go on */
    uint32_t n_entered;     /* others, in these */
    const uint32_t *labels; /* theirs, outermost first; valid until the thread's next look */
};

enum { KNOWN_LABELS = 4096 };

/* Where a call stood at the last draw, where it did at its first draw, and the address on the
 * stack of the word that says so. */
struct call {
    uintptr_t at, first;
    uintptr_t slot; /* 0: not known */
};

/* A place in the code and its label, so that symbols are looked up once for each. */
struct known_label {
    uintptr_t place;
    uint32_t label;
};

/* One thread's: mapped, for a thread's own memory is small, and so may be its stack. */
struct watch {
    struct call calls[CALLS_MAX]; /* at the last draw, outermost first */
    uint32_t n_calls;
    uintptr_t caller;  /* in the walk that is under way, and the rest too: */
    bool outside;      /* the shim's own frames have been passed */
    uint32_t n_before; /* calls of the last draw, those further in are not looked at again */
    uint32_t n;
    uintptr_t places[CALLS_MAX], slots[CALLS_MAX]; /* innermost first */
    uint32_t labels[CALLS_MAX];
    struct known_label known[KNOWN_LABELS];
    bool says; /* the program says itself what belongs together, in these, outermost first: */
    uint32_t depth, lowest; /* now; since the last draw */
    uint32_t said[CALLS_MAX];
};

/* This thread's; NULL without memory. */
static struct watch *own_watch(void)
{
    static _Thread_local struct watch *own;
    if (own) return own;
    void *mapped =
        mmap(NULL, sizeof *own, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    own = mapped == MAP_FAILED ? NULL : mapped;
    /* cppcheck-suppress memleak ; it is the thread's, to its end */
    return own;
}

/* Where a call instruction leaves the return address, which unwinding takes from there. */
#if defined(__x86_64__)
enum { SLOT_BELOW_CFA = 8 };
#else
enum { SLOT_BELOW_CFA = 0 };
#endif

/* Whether the last draw's calls outside number `k` all stand where they did then. */
static bool is_unchanged(const struct call *calls, uint32_t k)
{
    while (k--) {
        const uintptr_t *slot = (const uintptr_t *)calls[k].slot;
        if (!slot || *slot != calls[k].at) return false;
    }
    return true;
}

/* Unwinding costs a microsecond a frame.  So where a frame is one of the last draw's, and
 * all return addresses outside it are the same words still, the rest is taken from there. */
static bool take_rest(struct watch *walk)
{
    const struct call *calls = walk->calls;
    uintptr_t slot = walk->slots[walk->n - 1], place = walk->places[walk->n - 1];
    while (walk->n_before && calls[walk->n_before - 1].slot < slot)
        walk->n_before--;
    if (!slot || !walk->n_before) return false;
    uint32_t k = walk->n_before - 1;
    if (calls[k].slot != slot || calls[k].at != place) return false;
    if (walk->n + k > CALLS_MAX || !is_unchanged(calls, k)) return false;
    while (k--) {
        walk->places[walk->n] = calls[k].at;
        walk->slots[walk->n++] = calls[k].slot;
    }
    return true;
}

/* One frame of the walk, from the innermost outwards; the shim's own are passed over first. */
static _Unwind_Reason_Code note_frame(struct _Unwind_Context *context, void *argument)
{
    struct watch *walk = argument;
    uintptr_t place = _Unwind_GetIP(context);
    uintptr_t slot = SLOT_BELOW_CFA ? _Unwind_GetCFA(context) - SLOT_BELOW_CFA : 0;
    walk->outside = walk->outside || place == walk->caller;
    if (!walk->outside || !place) return _URC_NO_REASON;
    if (walk->n == CALLS_MAX) return _URC_NORMAL_STOP;
    walk->places[walk->n] = place;
    walk->slots[walk->n++] = slot;
    return take_rest(walk) ? _URC_NORMAL_STOP : _URC_NO_REASON;
}

/* Spreads a value over 32 bits: a multiplication by an odd constant (the golden ratio's). */
static uint32_t mix(uint64_t value)
{
    value = (value ^ value >> 32) * UINT64_C(0x9E3779B97F4A7C15);
    return (uint32_t)(value >> 32);
}

/* The function around `place`, by where it lies in its file, whose name counts too. */
static uint32_t make_label(uintptr_t place)
{
    Dl_info info = {0};
    void *function = _Unwind_FindEnclosingFunction((void *)(place - 1));
    uintptr_t start = function ? (uintptr_t)function : place;
    if (!dladdr((void *)place, &info) || !info.dli_fbase) return mix(start);
    uint32_t label = mix(start - (uintptr_t)info.dli_fbase);
    const char *slash = info.dli_fname ? strrchr(info.dli_fname, '/') : NULL;
    for (const char *c = slash; c && *c; c++)
        label = mix(label ^ (uint64_t)(unsigned char)*c << 32);
    return label;
}

/* A table without collision lists: of two places in one entry the later one stays. */
static uint32_t label_of(struct watch *watch, uintptr_t place)
{
    struct known_label *known = &watch->known[mix(place) % KNOWN_LABELS];
    if (known->place != place) {
        known->label = make_label(place);
        known->place = place;
    }
    return known->label;
}

/* How many of the outermost calls of the last draw go on. */
static uint32_t count_kept(const struct watch *watch)
{
    const struct call *calls = watch->calls;
    uint32_t both = watch->n < watch->n_calls ? watch->n : watch->n_calls, k = 0;
    while (k < both && watch->places[watch->n - 1 - k] == calls[k].at)
        k++;
    if (k == both) return k ? k - 1 : 0; /* drawn again at the same place */
    return watch->places[watch->n - 1 - k] == calls[k].first ? k : k + 1;
}

/* From now on this thread's stack is not looked at: the program knows better. */
void pare_draws_open_span(uint32_t label)
{
    struct watch *watch = own_watch();
    if (!watch) return;
    watch->says = true;
    if (watch->depth < CALLS_MAX) watch->said[watch->depth] = label;
    watch->depth++;
}

/* A close without an open is no error of ours. */
void pare_draws_close_span(void)
{
    struct watch *watch = own_watch();
    if (!watch || !watch->depth) return;
    watch->depth--;
    if (watch->depth < watch->lowest) watch->lowest = watch->depth;
}

/* The same by what the program says; what is nested deeper than there is room for is left out. */
static void look_at_said(struct watch *watch, struct calls_change *change)
{
    uint32_t depth = watch->depth < CALLS_MAX ? watch->depth : CALLS_MAX;
    change->n_kept = watch->lowest < depth ? watch->lowest : depth;
    change->n_entered = depth - change->n_kept;
    change->labels = watch->said + change->n_kept;
    watch->lowest = watch->depth;
}

/* Looks at the calling thread's stack from the function on that returns to `caller`.  A
 * label stands for a function; it is the same in every process that runs the program.  Without
 * memory there are no calls. */
static void calls_look(const void *caller, struct calls_change *change)
{
    struct watch *watch = own_watch();
    *change = (struct calls_change){.labels = NULL};
    if (!watch) return;
    if (watch->says) {
        look_at_said(watch, change);
        return;
    }
    watch->caller = (uintptr_t)caller;
    watch->outside = false;
    watch->n = 0;
    watch->n_before = watch->n_calls;
    (void)_Unwind_Backtrace(note_frame, watch);
    change->n_kept = count_kept(watch);
    change->n_entered = watch->n - change->n_kept;
    change->labels = watch->labels;
    for (uint32_t k = 0; k < watch->n; k++) {
        uintptr_t place = watch->places[watch->n - 1 - k];
        struct call *call = &watch->calls[k];
        call->at = place;
        call->slot = watch->slots[watch->n - 1 - k];
        if (k < change->n_kept) continue;
        call->first = place;
        watch->labels[k - change->n_kept] = label_of(watch, place);
    }
    watch->n_calls = watch->n;
}

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

/* The mapping, made by whichever thread comes first; NULL: nobody listens. */
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

/* Another process that was forked is another thread to us, so the number is taken anew there. */
static uint32_t thread_number(pare_random_area *to)
{
    static _Thread_local uint32_t number; /* from 1 */
    static _Thread_local pid_t of;
    if (number && of == getpid()) return number;
    of = getpid();
    number = atomic_fetch_add(&to->n_threads, 1) + 1;
    return number;
}

/* Without the program's exit handlers: it is in the midst of something. */
static _Noreturn void end(pare_random_area *of, uint32_t why)
{
    atomic_store(&of->ended, why);
    _exit(PARE_RANDOM_EXIT);
}

/* Notes which calls are under way; without room for them, none. */
static void note_calls(pare_random_area *to, pare_random_draw *draw, const void *caller)
{
    struct calls_change change;
    calls_look(caller, &change);
    uint64_t first = atomic_fetch_add(&to->n_labels, change.n_entered);
    bool fits = first + change.n_entered <= PARE_RANDOM_MAX_CALLS;
    draw->n_kept = change.n_kept;
    draw->n_entered = fits ? change.n_entered : 0;
    draw->first_entered = fits ? (uint32_t)first : 0;
    for (uint32_t k = 0; k < draw->n_entered; k++)
        pare_random_labels(to)[first + k] = change.labels[k];
}

bool pare_draws_replays(void)
{
    return attached() && area->replays;
}

/* The number's place in the list is taken by one atomic addition, so no lock is held over a
 * draw. */
uint64_t pare_draws_number(uint64_t real, uint64_t bound, const void *caller)
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
    bool real = !pare_draws_replays();
    for (size_t k = 0; real && k < size; k++)
        number |= (uint64_t)bytes[k] << 8 * k;
    number = pare_draws_number(number, UINT64_C(1) << 8 * size, caller);
    for (size_t k = 0; k < size; k++)
        bytes[k] = (unsigned char)(number >> 8 * k);
}

/* As the program is likely to use them: an integer is one choice, a buffer one for each byte. */
void pare_draws_bytes(void *bytes, size_t size, const void *caller)
{
    size_t part = size == 2 ? 2 : size == 4 || size == 8 ? 4 : 1;
    for (size_t at = 0; at < size; at += part)
        draw_part((unsigned char *)bytes + at, part, caller);
}
