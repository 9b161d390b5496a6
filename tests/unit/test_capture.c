/* Captured output: in constant memory, with its digest. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "run/capture.h"
#include "unit/alloc_sweep.h"

/* Writes `size` bytes of letters, reading them meanwhile. */
static void feed(pare_capture *capture, size_t size)
{
    char block[1000];
    for (size_t at = 0; at < size;) {
        size_t n = size - at < sizeof block ? size - at : sizeof block;
        for (size_t k = 0; k < n; k++)
            block[k] = (char)('a' + (at + k) % 26);
        assert_int_equal(write(capture->write_fd, block, n), (ssize_t)n);
        at += n;
        (void)pare_capture_drain(capture);
        assert_true(pare_capture_check(capture));
    }
}

static void test_capture__keeps_head_and_tail_of_any_length(void **state)
{
    (void)state;
    static const size_t sizes[] = {0, 1, 32768, 32769, 98304, 98305, 131072, 1000003};
    pare_capture capture = {0};
    assert_int_equal(pare_capture_open(&capture, NULL), PARE_OK);
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        size_t size = sizes[k];
        pare_capture_reset(&capture);
        feed(&capture, size);
        assert_int_equal(capture.total, size);
        pare_printed text = pare_capture_text(&capture);
        assert_true(pare_capture_check(&capture));
        bool whole = text.size == size;
        assert_true(whole || text.size > 2 * PARE_CAPTURE_PART_BYTES);
        assert_true(size >= 3 * PARE_CAPTURE_PART_BYTES || whole);
        for (size_t i = 0; i < PARE_CAPTURE_PART_BYTES && i < size; i++) {
            assert_int_equal(text.text[i], 'a' + i % 26);
            assert_int_equal(text.text[text.size - 1 - i], 'a' + (size - 1 - i) % 26);
        }
    }
    pare_capture_close(&capture);
}

static void test_capture__its_digest_is_of_all_that_was_printed(void **state)
{
    (void)state;
    pare_digest digests[3];
    static const size_t sizes[] = {500000, 500000, 500001};
    pare_capture capture = {0};
    assert_int_equal(pare_capture_open(&capture, NULL), PARE_OK);
    capture.hashing = true;
    for (size_t k = 0; k < 3; k++) {
        pare_capture_reset(&capture);
        feed(&capture, sizes[k]);
        digests[k] = pare_capture_digest(&capture);
    }
    assert_true(pare_digest_equal(digests[0], digests[1]));
    assert_false(pare_digest_equal(digests[0], digests[2]));
    pare_capture_close(&capture);
    pare_capture_close(&capture); /* a no-op */
}

/* A test may make the pipe that it shares with us non-blocking: the next one gets it as new. */
/* Root may make a pipe as large as it likes; without rights the size is as it was. */
static void test_capture__finished_nothing_is_left_in_the_pipe(void **state)
{
    (void)state;
    enum { LARGE = 8 << 20 };
    pare_capture capture = {0};
    static char bytes[LARGE];
    char one;
    assert_int_equal(pare_capture_open(&capture, NULL), PARE_OK);
    (void)fcntl(capture.write_fd, F_SETPIPE_SZ, LARGE);
    assert_int_equal(fcntl(capture.write_fd, F_SETFL, O_NONBLOCK), 0);
    const ssize_t n = write(capture.write_fd, bytes, sizeof bytes);
    assert_true(n > 0);
    pare_capture_finish(&capture);
    assert_int_equal(capture.total, n);
    assert_int_equal(read(capture.read_fd, &one, 1), -1);
    pare_capture_close(&capture);
}

static void test_capture__restored_the_pipe_blocks_again(void **state)
{
    (void)state;
    pare_capture capture = {0};
    assert_int_equal(pare_capture_open(&capture, NULL), PARE_OK);
    assert_int_equal(fcntl(capture.write_fd, F_SETFL, O_NONBLOCK), 0);
    pare_capture_restore(&capture);
    assert_int_equal(fcntl(capture.write_fd, F_GETFL) & O_NONBLOCK, 0);
    assert_int_equal(fcntl(capture.read_fd, F_GETFL) & O_NONBLOCK, O_NONBLOCK);
    pare_capture_close(&capture);
}

static pare_status open_once(void *context)
{
    pare_capture capture = {0};
    (void)context;
    pare_status status = pare_capture_open(&capture, NULL);
    pare_capture_close(&capture);
    return status;
}

static void test_capture__survives_every_failed_allocation(void **state)
{
    (void)state;
    sweep_allocations(open_once, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_capture__keeps_head_and_tail_of_any_length),
        cmocka_unit_test(test_capture__its_digest_is_of_all_that_was_printed),
        cmocka_unit_test(test_capture__finished_nothing_is_left_in_the_pipe),
        cmocka_unit_test(test_capture__restored_the_pipe_blocks_again),
        cmocka_unit_test(test_capture__survives_every_failed_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
