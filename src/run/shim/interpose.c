/* The randomness of an unmodified program: recorded, or replayed from a list.
 *
 * Preloaded (LD_PRELOAD), this stands before the C library's generators of random numbers, the
 * kernel's, and its files /dev/urandom and /dev/random.  When recording, the program gets what
 * it would have got, also after srand; when replaying, it gets numbers of the list, and what
 * it seeds is of no effect.  A program with a generator of its own, as C++'s <random> or an
 * interpreter has, draws nothing here but that generator's seed.
 *
 * Each number that is drawn is one choice, 0 the simplest; see draws.h for bytes.
 *
 * Invariant: a function returns what its manual allows, whatever the list holds: a number is
 * taken modulo the bound of the function, and errors are passed on unchanged.  Functions that
 * we stand before are looked up at their first call (RTLD_NEXT), since a constructor of
 * another library may draw before ours has run.
 *
 * Sources: rand(3), random(3), drand48(3), getrandom(2), arc4random(3). */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/types.h>
#include <unistd.h>

#include "run/shim/draws.h"

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

/* rand and random both give 31 bits. */
static uint64_t below_31(long real, const void *caller)
{
    return pare_draws_number((uint64_t)real, BITS_31, caller);
}

/* --- what a program says itself ---------------------------------------------------- */

/* For generators whose calls do not say what belongs together, because they keep a stack of their
 * own: looked up by name, these are there when they are recorded or replayed. */
EXPORT void pare_span_open(uint32_t label);
EXPORT void pare_span_close(void);

void pare_span_open(uint32_t label)
{
    pare_draws_open_span(label);
}

void pare_span_close(void)
{
    pare_draws_close_span();
}

/* --- rand, random -------------------------------------------------------------- */

/* The real generator is only asked when its number counts, so that a replay leaves its state
 * alone. */
EXPORT int rand(void)
{
    REAL(rand)
    return (int)below_31(pare_draws_replays() ? 0 : real(), CALLER);
}

EXPORT int rand_r(unsigned *seed)
{
    REAL(rand_r)
    return (int)below_31(pare_draws_replays() ? 0 : real(seed), CALLER);
}

EXPORT long random(void)
{
    REAL(random)
    return (long)below_31(pare_draws_replays() ? 0 : real(), CALLER);
}

EXPORT int random_r(struct random_data *restrict data, int32_t *restrict result)
{
    REAL(random_r)
    int code = real(data, result);
    if (!code) *result = (int32_t)below_31(*result, CALLER);
    return code;
}

/* --- drand48 and its family ------------------------------------------------------ */

/* 0 <= real < 1, a multiple of 2^-48. */
static double unit(double real, const void *caller)
{
    return (double)pare_draws_number((uint64_t)(real * 0x1p48), BITS_48, caller) * 0x1p-48;
}

/* A number with a sign: 0 is the simplest, -1 the last. */
static long with_sign(long real, const void *caller)
{
    return (int32_t)(uint32_t)pare_draws_number((uint32_t)real, BITS_32, caller);
}

EXPORT double drand48(void)
{
    REAL(drand48)
    return unit(pare_draws_replays() ? 0 : real(), CALLER);
}

EXPORT double erand48(unsigned short state[3])
{
    REAL(erand48)
    return unit(pare_draws_replays() ? 0 : real(state), CALLER);
}

EXPORT long lrand48(void)
{
    REAL(lrand48)
    return (long)below_31(pare_draws_replays() ? 0 : real(), CALLER);
}

EXPORT long nrand48(unsigned short state[3])
{
    REAL(nrand48)
    return (long)below_31(pare_draws_replays() ? 0 : real(state), CALLER);
}

EXPORT long mrand48(void)
{
    REAL(mrand48)
    return with_sign(pare_draws_replays() ? 0 : real(), CALLER);
}

EXPORT long jrand48(unsigned short state[3])
{
    REAL(jrand48)
    return with_sign(pare_draws_replays() ? 0 : real(state), CALLER);
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

/* --- the kernel's ------------------------------------------------------------------ */

/* Fills `bytes` as the kernel does, when recording; false with errno when it cannot. */
static bool fill_real(void *bytes, size_t size)
{
    for (size_t at = 0; !pare_draws_replays() && at < size;) {
        long n = syscall(SYS_getrandom, (char *)bytes + at, size - at, 0);
        if (n < 0 && errno != EINTR) return false;
        if (n > 0) at += (size_t)n;
    }
    return true;
}

EXPORT ssize_t getrandom(void *bytes, size_t size, unsigned flags)
{
    (void)flags;
    if (!fill_real(bytes, size)) return -1;
    pare_draws_bytes(bytes, size, CALLER);
    return (ssize_t)size;
}

EXPORT int getentropy(void *bytes, size_t size)
{
    if (size > 256) {
        errno = EIO;
        return -1;
    }
    if (!fill_real(bytes, size)) return -1;
    pare_draws_bytes(bytes, size, CALLER);
    return 0;
}

/* Declared here, for C libraries that do not have them yet. */
EXPORT uint32_t arc4random(void);
EXPORT uint32_t arc4random_uniform(uint32_t bound);
EXPORT void arc4random_buf(void *bytes, size_t size);

uint32_t arc4random(void)
{
    uint32_t number = 0;
    if (!fill_real(&number, sizeof number)) abort(); /* as the C library does */
    return (uint32_t)pare_draws_number(number, BITS_32, CALLER);
}

uint32_t arc4random_uniform(uint32_t bound)
{
    uint64_t number = 0;
    if (bound < 2) return 0;
    if (!fill_real(&number, sizeof number)) abort();
    return (uint32_t)pare_draws_number(number % bound, bound, CALLER);
}

void arc4random_buf(void *bytes, size_t size)
{
    if (!fill_real(bytes, size)) abort();
    pare_draws_bytes(bytes, size, CALLER);
}

/* --- its files ---------------------------------------------------------------------- */

/* /dev/random and /dev/urandom by their numbers, under any name and descriptor. */
static bool is_random(int fd)
{
    struct stat info;
    return !fstat(fd, &info) && S_ISCHR(info.st_mode) && major(info.st_rdev) == 1 &&
           (minor(info.st_rdev) == 8 || minor(info.st_rdev) == 9);
}

static ssize_t read_file(int fd, void *bytes, size_t size, const void *caller)
{
    REAL(read)
    if (!size || !is_random(fd)) return real(fd, bytes, size);
    if (!fill_real(bytes, size)) return -1;
    pare_draws_bytes(bytes, size, caller);
    return (ssize_t)size;
}

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

static ssize_t read_stream(void *cookie, char *bytes, size_t size)
{
    (void)cookie;
    if (!fill_real(bytes, size)) return -1;
    pare_draws_bytes(bytes, size, CALLER);
    return (ssize_t)size;
}

/* The library of C++ opens a stream, but reads its descriptor. */
static bool reads_descriptor(const void *caller)
{
    Dl_info info = {0};
    return dladdr(caller, &info) && info.dli_fname && strstr(info.dli_fname, "libstdc++");
}

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
