/* Runs of bytes that go out together. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "os/descriptor.h"

enum { MANY = 3 * PARE_IOVEC_RUNS + 7 };

static void test_iovec__more_runs_than_a_batch_go_out_in_order(void **state)
{
    (void)state;
    static char wanted[MANY], found[MANY + 1];
    pare_iovec gather;
    int fd = memfd_create("iovec", MFD_CLOEXEC);
    pare_descriptor_gather_start(&gather, fd);
    for (int k = 0; k < MANY; k++) {
        wanted[k] = (char)('a' + k % 26);
        assert_int_equal(pare_descriptor_gather_add(&gather, wanted + k, 1), 0);
        assert_int_equal(pare_descriptor_gather_add(&gather, wanted, 0), 0); /* nothing */
    }
    assert_int_equal(pare_descriptor_gather_finish(&gather), 0);
    assert_int_equal(pread(fd, found, sizeof found, 0), MANY);
    assert_memory_equal(found, wanted, MANY);
    assert_int_equal(close(fd), 0);
}

/* A pipe that is not read from takes a part, and then nothing. */
static void test_iovec__a_write_that_fails_in_the_midst_is_told(void **state)
{
    (void)state;
    static char block[1 << 20];
    pare_iovec gather;
    int ends[2];
    assert_int_equal(pipe2(ends, O_CLOEXEC | O_NONBLOCK), 0);
    pare_descriptor_gather_start(&gather, ends[1]);
    assert_int_equal(pare_descriptor_gather_add(&gather, block, sizeof block), 0);
    assert_int_equal(pare_descriptor_gather_finish(&gather), EAGAIN);
    pare_descriptor_gather_start(&gather, -1);
    assert_int_equal(pare_descriptor_gather_finish(&gather), 0); /* nothing is written */
    assert_int_equal(pare_descriptor_gather_add(&gather, block, 1), 0);
    assert_int_equal(pare_descriptor_gather_finish(&gather), EBADF);
    assert_int_equal(close(ends[0]) | close(ends[1]), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_iovec__more_runs_than_a_batch_go_out_in_order),
        cmocka_unit_test(test_iovec__a_write_that_fails_in_the_midst_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
