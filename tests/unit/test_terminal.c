/* Terminals: what is one, and how wide it is. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cmocka.h>

#include "os/descriptor.h"

static void test_terminal__a_pipe_is_none_and_counts_as_80_columns(void **state)
{
    (void)state;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    assert_false(pare_descriptor_is_terminal(ends[1]));
    assert_int_equal(pare_descriptor_columns(ends[1]), 80);
    close(ends[0]);
    close(ends[1]);
    assert_false(pare_descriptor_is_terminal(-1));
    assert_int_equal(pare_descriptor_columns(-1), 80);
}

/* A terminal of our own making, as an emulator opens one. */
static void test_terminal__is_as_wide_as_its_window_is_now(void **state)
{
    (void)state;
    int master = posix_openpt(O_RDWR | O_NOCTTY);
    if (master < 0) skip(); /* no pseudo-terminals in this container */
    assert_int_equal(grantpt(master), 0);
    assert_int_equal(unlockpt(master), 0);
    int terminal = open(ptsname(master), O_RDWR | O_NOCTTY);
    assert_true(terminal >= 0);
    assert_true(pare_descriptor_is_terminal(terminal));
    assert_int_equal(pare_descriptor_columns(terminal), 80); /* its size is 0: it does not say */
    const unsigned short widths[] = {132, 1, 40};
    for (size_t k = 0; k < sizeof widths / sizeof *widths; k++) {
        const struct winsize size = {.ws_row = 24, .ws_col = widths[k]};
        assert_int_equal(ioctl(terminal, TIOCSWINSZ, &size), 0);
        assert_int_equal(pare_descriptor_columns(terminal), widths[k]);
    }
    close(terminal);
    close(master);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_terminal__a_pipe_is_none_and_counts_as_80_columns),
        cmocka_unit_test(test_terminal__is_as_wide_as_its_window_is_now),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
