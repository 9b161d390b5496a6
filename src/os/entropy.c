/* Bytes of getrandom(2). */
#include "os/entropy.h"

#include <errno.h>
#include <sys/random.h>

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
