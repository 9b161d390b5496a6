/* The randomness of an unmodified program: recorded, or replayed from a list.
 *
 * Preloaded (LD_PRELOAD), this library intercepts the random number generators of the C library and
 * the kernel, and the files /dev/urandom and /dev/random.  When recording, the program gets the
 * numbers that it would have got, also after srand; when replaying, it gets numbers of the list,
 * and seeding has no effect.  A program with its own generator, such as C++'s <random> or an
 * interpreter, draws only the seed of that generator here.
 *
 * Each number that is drawn is one choice, 0 the simplest.  Draws go into the file that pare has
 * named, in the order in which they are made.  Several processes of a generator take numbers from
 * one list, each the next one; the order is what the generator makes it, so processes that run at
 * the same time make another text each time, which pare finds out.
 *
 * With each draw, the changes of the call stack since the thread's last draw are recorded.  So the
 * calls of an unmodified generator show which of its choices belong together: the draws between the
 * entry of a function and its return are one span, and spans of one function may replace each
 * other.  MacIver and Donaldson ("Test-case reduction via test-case generation: insights from the
 * Hypothesis reducer", ECOOP 2020) have the generator's author mark spans; here nobody has to.
 *
 * Cost: a microsecond for each frame that is unwound; frames unchanged since the last draw are not
 * unwound again.  Nothing here allocates: this runs inside somebody else's program, perhaps inside
 * its malloc.
 *
 * Invariant: a function returns what its manual allows, whatever the list holds: a number is taken
 * modulo the bound of the function, and errors are passed on unchanged.  Intercepted functions are
 * looked up at their first call (RTLD_NEXT), since a constructor of another library may draw before
 * ours has run.
 *
 * Sources: rand(3), random(3), drand48(3), getrandom(2), arc4random(3). */

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/types.h>
#include <unistd.h>
#include <unwind.h>

#include "run/shim/random_protocol.h"

/* ---- calls under way -----------------------------------------------------------------
 *
 * Two draws share a call when all calls around it stand at the same places.  Whether a function
 * was left and entered again from the same place in between cannot be seen, but guessed: a
 * function that stands again where it stood at its first draw, and was elsewhere meanwhile, has
 * been entered again, or begins another round of its loop, which is a span as good. */

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

/* This thread's watch, mapped at its first draw; NULL without memory, and then it draws
 * without calls. */
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

/* Unwinding costs a microsecond a frame.  So where a frame is one of the last draw's, and all
 * return addresses outside it are the same words still, the rest is taken from there.  True if
 * so. */
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

/* How many of the outermost calls of the last draw go on: those that stand where they stood.
 * The call in which the two differ goes on as well, unless it stands again where it was at its
 * first draw, which is taken for a new round.  Where all stand alike, the innermost counts as
 * entered anew. */
static uint32_t count_kept(const struct watch *watch)
{
    const struct call *calls = watch->calls;
    uint32_t both = watch->n < watch->n_calls ? watch->n : watch->n_calls, k = 0;
    while (k < both && watch->places[watch->n - 1 - k] == calls[k].at)
        k++;
    if (k == both) return k ? k - 1 : 0; /* drawn again at the same place */
    return watch->places[watch->n - 1 - k] == calls[k].first ? k : k + 1;
}

/* The change of the thread's calls by what the program says itself; what is nested deeper than
 * there is room for is left out. */
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
static void look_at_calls(const void *caller, struct calls_change *change)
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

/* ---- draws ----------------------------------------------------------------------------- */

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

/* The calling thread's number among all of the generator's, from 1.  A process that was forked
 * has its parent's copy of it, and takes a new one. */
static uint32_t thread_number(pare_random_area *to)
{
    static _Thread_local uint32_t number; /* from 1 */
    static _Thread_local pid_t of;
    if (number && of == getpid()) return number;
    of = getpid();
    number = atomic_fetch_add(&to->n_threads, 1) + 1;
    return number;
}

/* Ends the process, and says why in the shared file.  Without the program's exit handlers: it
 * is in the midst of something. */
static _Noreturn void end(pare_random_area *of, uint32_t why)
{
    atomic_store(&of->ended, why);
    _exit(PARE_RANDOM_EXIT);
}

/* Notes which calls are under way at a draw, as the change since this thread's last one.  Where
 * the file has no room for the labels, none are noted. */
static void note_calls(pare_random_area *to, pare_random_draw *draw, const void *caller)
{
    struct calls_change change;
    look_at_calls(caller, &change);
    uint64_t first = atomic_fetch_add(&to->n_labels, change.n_entered);
    bool fits = first + change.n_entered <= PARE_RANDOM_MAX_CALLS;
    draw->n_kept = change.n_kept;
    draw->n_entered = fits ? change.n_entered : 0;
    draw->first_entered = fits ? (uint32_t)first : 0;
    for (uint32_t k = 0; k < draw->n_entered; k++)
        pare_random_labels(to)[first + k] = change.labels[k];
}

/* Whether numbers come from a list.  False too where nobody listens. */
static bool replays(void)
{
    return attached() && area->replays;
}

/* The number below `bound` that is drawn: `real` as the program would have it, which is
 * noted; or the list's next one, modulo `bound`.  Where the list has ended the process does
 * too.  `caller` is where the program stands.
 *
 * The number's place in the list is taken by one atomic addition, so no lock is held over a
 * draw. */
static uint64_t draw_number(uint64_t real, uint64_t bound, const void *caller)
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

/* Draws one number of `size` bytes, at most 4, the lower bytes first, whatever the machine's
 * order is. */
static void draw_part(unsigned char *bytes, size_t size, const void *caller)
{
    uint64_t number = 0;
    bool real = !replays();
    for (size_t k = 0; real && k < size; k++)
        number |= (uint64_t)bytes[k] << 8 * k;
    number = draw_number(number, UINT64_C(1) << 8 * size, caller);
    for (size_t k = 0; k < size; k++)
        bytes[k] = (unsigned char)(number >> 8 * k);
}

/* The same for `size` bytes, which hold the real ones unless numbers are replayed.  2, 4 and
 * 8 bytes are numbers of 2 and 4 bytes, the lower bytes first; of others each is a number.
 *
 * As the program is likely to use them: an integer is one choice, a buffer one for each byte. */
static void draw_bytes(void *bytes, size_t size, const void *caller)
{
    size_t part = size == 2 ? 2 : size == 4 || size == 8 ? 4 : 1;
    for (size_t at = 0; at < size; at += part)
        draw_part((unsigned char *)bytes + at, part, caller);
}

/* ---- functions that we stand before ---------------------------------------------------- */

#define EXPORT __attribute__((visibility("default")))
#define CALLER __builtin_extract_return_addr(__builtin_return_address(0))

static const uint64_t BITS_31 = UINT64_C(1) << 31, BITS_32 = UINT64_C(1) << 32,
                      BITS_48 = UINT64_C(1) << 48;

/* `real` is the function that we stand before.  ISO C does not convert an object's pointer to
 * a function's. */
#define REAL(name)                             \
    static __typeof__(&name) real;             \
    if (!real) {                               \
        void *found = dlsym(RTLD_NEXT, #name); \
        memcpy(&real, &found, sizeof real);    \
    }

/* A number of 31 bits, as rand and random both give. */
static uint64_t below_31(long real, const void *caller)
{
    return draw_number((uint64_t)real, BITS_31, caller);
}

/* ---- what a program says itself ----------------------------------------------------- */

/* For generators whose calls do not say what belongs together, because they keep a stack of their
 * own: looked up by name, these are there when they are recorded or replayed. */
EXPORT void pare_span_open(uint32_t label);
EXPORT void pare_span_close(void);

/* What the calling thread draws from here to the matching close belongs together, and may stand
 * in place of what was drawn in another span of this label.  From now on the thread's stack is not
 * looked at: the program knows better. */
void pare_span_open(uint32_t label)
{
    struct watch *watch = own_watch();
    if (!watch) return;
    watch->says = true;
    if (watch->depth < CALLS_MAX) watch->said[watch->depth] = label;
    watch->depth++;
}

/* A close without an open is no error of ours. */
void pare_span_close(void)
{
    struct watch *watch = own_watch();
    if (!watch || !watch->depth) return;
    watch->depth--;
    if (watch->depth < watch->lowest) watch->lowest = watch->depth;
}

/* ---- rand, random ----------------------------------------------------------------------- */

/* The real generator is only asked when its number counts, so that a replay leaves its state
 * alone. */
EXPORT int rand(void)
{
    REAL(rand)
    return (int)below_31(replays() ? 0 : real(), CALLER);
}

/* The seed is the program's: when replaying, it stays what it is. */
EXPORT int rand_r(unsigned *seed)
{
    REAL(rand_r)
    return (int)below_31(replays() ? 0 : real(seed), CALLER);
}

EXPORT long random(void)
{
    REAL(random)
    return (long)below_31(replays() ? 0 : real(), CALLER);
}

/* The reentrant ones are always asked: they say by their code whether the state is one, and
 * set it. */
EXPORT int random_r(struct random_data *restrict data, int32_t *restrict result)
{
    REAL(random_r)
    int code = real(data, result);
    if (!code) *result = (int32_t)below_31(*result, CALLER);
    return code;
}

/* ---- drand48 and its family ------------------------------------------------------------- */

/* 0 <= real < 1, a multiple of 2^-48. */
static double unit(double real, const void *caller)
{
    return (double)draw_number((uint64_t)(real * 0x1p48), BITS_48, caller) * 0x1p-48;
}

/* A number with a sign: 0 is the simplest, -1 the last. */
static long with_sign(long real, const void *caller)
{
    return (int32_t)(uint32_t)draw_number((uint32_t)real, BITS_32, caller);
}

/* The family of drand48 has two kinds of state, the library's and one that is given; both are
 * passed on. */
EXPORT double drand48(void)
{
    REAL(drand48)
    return unit(replays() ? 0 : real(), CALLER);
}

EXPORT double erand48(unsigned short state[3])
{
    REAL(erand48)
    return unit(replays() ? 0 : real(state), CALLER);
}

EXPORT long lrand48(void)
{
    REAL(lrand48)
    return (long)below_31(replays() ? 0 : real(), CALLER);
}

EXPORT long nrand48(unsigned short state[3])
{
    REAL(nrand48)
    return (long)below_31(replays() ? 0 : real(state), CALLER);
}

/* 32 bits with a sign. */
EXPORT long mrand48(void)
{
    REAL(mrand48)
    return with_sign(replays() ? 0 : real(), CALLER);
}

EXPORT long jrand48(unsigned short state[3])
{
    REAL(jrand48)
    return with_sign(replays() ? 0 : real(state), CALLER);
}

EXPORT int drand48_r(struct drand48_data *restrict data, double *restrict result)
{
    REAL(drand48_r)
    int code = real(data, result);
    if (!code) *result = unit(*result, CALLER);
    return code;
}

EXPORT int erand48_r(unsigned short state[3], struct drand48_data *restrict data,
                     double *restrict result)
{
    REAL(erand48_r)
    int code = real(state, data, result);
    if (!code) *result = unit(*result, CALLER);
    return code;
}

EXPORT int lrand48_r(struct drand48_data *restrict data, long *restrict result)
{
    REAL(lrand48_r)
    int code = real(data, result);
    if (!code) *result = (long)below_31(*result, CALLER);
    return code;
}

EXPORT int nrand48_r(unsigned short state[3], struct drand48_data *restrict data,
                     long *restrict result)
{
    REAL(nrand48_r)
    int code = real(state, data, result);
    if (!code) *result = (long)below_31(*result, CALLER);
    return code;
}

EXPORT int mrand48_r(struct drand48_data *restrict data, long *restrict result)
{
    REAL(mrand48_r)
    int code = real(data, result);
    if (!code) *result = with_sign(*result, CALLER);
    return code;
}

EXPORT int jrand48_r(unsigned short state[3], struct drand48_data *restrict data,
                     long *restrict result)
{
    REAL(jrand48_r)
    int code = real(state, data, result);
    if (!code) *result = with_sign(*result, CALLER);
    return code;
}

/* ---- the kernel's ----------------------------------------------------------------------- */

/* Fills `bytes` as the kernel does, when recording; false with errno when it cannot. */
static bool fill_real(void *bytes, size_t size)
{
    for (size_t at = 0; !replays() && at < size;) {
        long n = syscall(SYS_getrandom, (char *)bytes + at, size - at, 0);
        if (n < 0 && errno != EINTR) return false;
        if (n > 0) at += (size_t)n;
    }
    return true;
}

/* It never gives less than asked for, nor EAGAIN: the flags are for callers who can wait, or
 * not. */
EXPORT ssize_t getrandom(void *bytes, size_t size, unsigned flags)
{
    (void)flags;
    if (!fill_real(bytes, size)) return -1;
    draw_bytes(bytes, size, CALLER);
    return (ssize_t)size;
}

/* The limit of 256 bytes is its manual's. */
EXPORT int getentropy(void *bytes, size_t size)
{
    if (size > 256) {
        errno = EIO;
        return -1;
    }
    if (!fill_real(bytes, size)) return -1;
    draw_bytes(bytes, size, CALLER);
    return 0;
}

/* Declared here, for C libraries that do not have them yet. */
EXPORT uint32_t arc4random(void);
EXPORT uint32_t arc4random_uniform(uint32_t bound);
EXPORT void arc4random_buf(void *bytes, size_t size);

/* Cannot fail, so without the kernel's randomness the program ends, as it would in the C
 * library. */
uint32_t arc4random(void)
{
    uint32_t number = 0;
    if (!fill_real(&number, sizeof number)) abort(); /* as the C library does */
    return (uint32_t)draw_number(number, BITS_32, CALLER);
}

/* The real number is of 64 bits, so that the remainder favours none that anybody could notice. */
uint32_t arc4random_uniform(uint32_t bound)
{
    uint64_t number = 0;
    if (bound < 2) return 0;
    if (!fill_real(&number, sizeof number)) abort();
    return (uint32_t)draw_number(number % bound, bound, CALLER);
}

void arc4random_buf(void *bytes, size_t size)
{
    if (!fill_real(bytes, size)) abort();
    draw_bytes(bytes, size, CALLER);
}

/* ---- its files -------------------------------------------------------------------------- */

/* /dev/random and /dev/urandom by their numbers, under any name and descriptor. */
static bool is_random(int fd)
{
    struct stat info;
    return !fstat(fd, &info) && S_ISCHR(info.st_mode) && major(info.st_rdev) == 1 &&
           (minor(info.st_rdev) == 8 || minor(info.st_rdev) == 9);
}

/* A read of the kernel's random files is a draw; any other is passed on, at the price of one
 * fstat. */
static ssize_t read_file(int fd, void *bytes, size_t size, const void *caller)
{
    REAL(read)
    if (!size || !is_random(fd)) return real(fd, bytes, size);
    if (!fill_real(bytes, size)) return -1;
    draw_bytes(bytes, size, caller);
    return (ssize_t)size;
}

/* Programs that are compiled without checks. */
EXPORT ssize_t read(int fd, void *bytes, size_t size)
{
    return read_file(fd, bytes, size, CALLER);
}

EXPORT ssize_t __read_chk(int fd, void *bytes, size_t size, size_t room);

/* What read becomes in programs that are compiled with checks. */
ssize_t __read_chk(int fd, void *bytes, size_t size, size_t room)
{
    if (size > room) abort();
    return read_file(fd, bytes, size, CALLER);
}

/* What a stream over a random file reads by. */
static ssize_t read_stream(void *cookie, char *bytes, size_t size)
{
    (void)cookie;
    if (!fill_real(bytes, size)) return -1;
    draw_bytes(bytes, size, CALLER);
    return (ssize_t)size;
}

/* The library of C++ opens a stream, but reads its descriptor. */
static bool reads_descriptor(const void *caller)
{
    Dl_info info = {0};
    return dladdr(caller, &info) && info.dli_fname && strstr(info.dli_fname, "libstdc++");
}

/* Only by its two usual names, and only to read: another way to them is met at read. */
static bool is_random_path(const char *path, const char *mode)
{
    return mode[0] == 'r' && (!strcmp(path, "/dev/urandom") || !strcmp(path, "/dev/random"));
}

/* The stream has no buffer, so that no more is drawn than is asked for. */
static FILE *open_stream(void)
{
    FILE *stream = fopencookie(NULL, "r", (cookie_io_functions_t){.read = read_stream});
    if (stream) (void)setvbuf(stream, NULL, _IONBF, 0);
    return stream;
}

#undef fopen64
EXPORT FILE *fopen64(const char *restrict path, const char *restrict mode);

/* A stream of the C library reads by calls within the library, which nobody can stand before:
 * so the stream itself is ours. */
EXPORT FILE *fopen(const char *restrict path, const char *restrict mode)
{
    REAL(fopen)
    bool ours = is_random_path(path, mode) && !reads_descriptor(CALLER);
    return ours ? open_stream() : real(path, mode);
}

FILE *fopen64(const char *restrict path, const char *restrict mode)
{
    REAL(fopen64)
    bool ours = is_random_path(path, mode) && !reads_descriptor(CALLER);
    return ours ? open_stream() : real(path, mode);
}
