/* Randomness of the kernel's, as getrandom(2) gives it: for generators that are not to be
 * repeated unless somebody records them.
 *
 * Every draw is one system call of 4 or 8 bytes, never more, and never buffered: our own
 * recorder (run/shim/interpose.c) stands before getrandom and sees one number for each, which
 * is what makes a recorded list of choices short and its entries independent.
 *
 * The remainder of a division favours small numbers by at most bound / 2^32; that does not
 * matter to a generator of inputs, and a rejection loop would make one choice of several
 * draws.  Spans are told through two functions that are looked up when they are called, since a
 * program without the recorder has none. */
#include "os/entropy.h"

#include <dlfcn.h>
#include <errno.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/random.h>

/* getrandom gives fewer bytes than asked for only above 256, so a short answer is an error. */
pare_status pare_entropy_draw(uint64_t bound, uint64_t *number, pare_error *err)
{
    uint64_t drawn = 0;
    size_t size = bound - 1 > UINT32_MAX ? sizeof drawn : sizeof(uint32_t);
    ssize_t n;
    do {
        n = getrandom(&drawn, size, 0);
    } while (n < 0 && errno == EINTR);
    if (n != (ssize_t)size) return pare_fail_errno(err, errno, "cannot draw a random number");
    *number = drawn % bound;
    return PARE_OK;
}

/* The 16 bytes that execve leaves on the stack; 0 where a kernel gives none. */
uint64_t pare_entropy_at_start(void)
{
    uint64_t number = 0;
    const void *bytes = (const void *)getauxval(AT_RANDOM); /* NOLINT(performance-no-int-to-ptr) */
    if (bytes) memcpy(&number, bytes, sizeof number);
    return number;
}

/* ISO C does not convert an object's pointer to a function's. */
void pare_entropy_open(uint32_t label)
{
    void (*open_span)(uint32_t label);
    void *found = dlsym(RTLD_DEFAULT, "pare_span_open");
    memcpy(&open_span, &found, sizeof open_span);
    if (found) open_span(label);
}

/* The counterpart of pare_entropy_open, found in the same way. */
void pare_entropy_close(void)
{
    void (*close_span)(void);
    void *found = dlsym(RTLD_DEFAULT, "pare_span_close");
    memcpy(&close_span, &found, sizeof close_span);
    if (found) close_span();
}
