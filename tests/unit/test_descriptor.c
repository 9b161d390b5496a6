/* Descriptors: their numbers, waiting for them, and what is left when something fails. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "os/clock.h"
#include "os/descriptor.h"

static bool is_open(int fd)
{
    return fcntl(fd, F_GETFD) >= 0;
}

static bool is_close_on_exec(int fd)
{
    return (fcntl(fd, F_GETFD) & FD_CLOEXEC) != 0;
}

static void test_descriptor__raising_moves_a_low_number_and_leaves_a_high_one(void **state)
{
    (void)state;
    int low = open("/dev/null", O_RDONLY);
    assert_true(low >= 0 && low < 200);
    int high = pare_descriptor_raise(low, 200);
    assert_true(high >= 200 && is_close_on_exec(high));
    assert_false(is_open(low));
    assert_int_equal(pare_descriptor_raise(high, 200), high);
    assert_int_equal(pare_descriptor_raise(-1, 3), -1);
    pare_descriptor_close(&high);
    assert_int_equal(high, -1);
    pare_descriptor_close(&high); /* a no-op */
}

static void test_descriptor__pairs_are_connected_and_high(void **state)
{
    (void)state;
    for (int socket = 0; socket < 2; socket++) {
        int ends[2];
        char byte = 0;
        assert_int_equal(socket ? pare_descriptor_sockets(SOCK_STREAM, 100, ends, "a pair", NULL)
                                : pare_descriptor_pipe(100, ends, "a pair", NULL),
                         PARE_OK);
        assert_true(ends[0] >= 100 && ends[1] >= 100);
        assert_true(is_close_on_exec(ends[0]) && is_close_on_exec(ends[1]));
        assert_int_equal(write(ends[1], "x", 1), 1);
        assert_int_equal(read(ends[0], &byte, 1), 1);
        assert_int_equal(byte, 'x');
        pare_descriptor_close(&ends[0]);
        pare_descriptor_close(&ends[1]);
    }
}

/* The next number that would be given: tells whether something was left open. */
static int next_number(void)
{
    int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
    assert_true(fd >= 0 && !close(fd));
    return fd;
}

static void test_descriptor__a_pair_that_cannot_be_raised_is_closed(void **state)
{
    (void)state;
    struct rlimit before;
    pare_error err = {0};
    int ends[2];
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    const struct rlimit few = {.rlim_cur = 64, .rlim_max = before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
    const int next = next_number();
    pare_status status = pare_descriptor_pipe(100, ends, "a pipe for a test", &err);
    assert_int_equal(next_number(), next);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
    assert_int_equal(status, PARE_E_IO);
    assert_non_null(strstr(err.message, "cannot make a pipe for a test"));
    assert_int_equal(ends[0], -1);
    assert_int_equal(ends[1], -1);
}

static void test_descriptor__awaits_bytes_and_ends_for_a_while(void **state)
{
    (void)state;
    int ends[2];
    assert_int_equal(pare_descriptor_pipe(3, ends, "a pipe", NULL), PARE_OK);
    assert_false(pare_descriptor_await(ends[0], 0));
    const uint64_t start_ms = pare_clock_ms();
    assert_false(pare_descriptor_await(ends[0], 20));
    assert_true(pare_clock_ms() - start_ms >= 20);
    assert_int_equal(write(ends[1], "x", 1), 1);
    assert_true(pare_descriptor_await(ends[0], 60000));
    char byte;
    assert_int_equal(read(ends[0], &byte, 1), 1);
    pare_descriptor_close(&ends[1]);
    assert_true(pare_descriptor_await(ends[0], 60000)); /* the end */
    pare_descriptor_close(&ends[0]);
}

static void test_descriptor__events_carry_what_was_asked_for_until_it_is_unwatched(void **state)
{
    (void)state;
    struct epoll_event event = {.events = 0};
    int ends[2], epoll_fd = epoll_create1(EPOLL_CLOEXEC);
    assert_int_equal(pare_descriptor_pipe(3, ends, "a pipe", NULL), PARE_OK);
    assert_int_equal(pare_descriptor_watch(epoll_fd, ends[0], 42, NULL), PARE_OK);
    assert_int_equal(epoll_wait(epoll_fd, &event, 1, 0), 0);
    assert_int_equal(write(ends[1], "x", 1), 1);
    assert_int_equal(epoll_wait(epoll_fd, &event, 1, 60000), 1);
    assert_int_equal(event.data.u32, 42);
    pare_descriptor_unwatch(epoll_fd, ends[0]);
    assert_int_equal(epoll_wait(epoll_fd, &event, 1, 0), 0);
    pare_descriptor_unwatch(epoll_fd, ends[0]); /* no harm */
    pare_descriptor_unwatch(epoll_fd, -1);
    assert_int_equal(pare_descriptor_watch(epoll_fd, -1, 1, NULL), PARE_E_IO);
    pare_descriptor_close(&ends[0]);
    pare_descriptor_close(&ends[1]);
    pare_descriptor_close(&epoll_fd);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_descriptor__raising_moves_a_low_number_and_leaves_a_high_one),
        cmocka_unit_test(test_descriptor__pairs_are_connected_and_high),
        cmocka_unit_test(test_descriptor__a_pair_that_cannot_be_raised_is_closed),
        cmocka_unit_test(test_descriptor__awaits_bytes_and_ends_for_a_while),
        cmocka_unit_test(test_descriptor__events_carry_what_was_asked_for_until_it_is_unwatched),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
