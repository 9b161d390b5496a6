/* Names of clusters; what happens on one is in tests/cli/test_remote.sh. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "run/remote/cluster.h"

/* What comes of it with libnats, and without. */
static void assert_refused(pare_status status, pare_status expected)
{
    assert_true(status == expected || status == PARE_E_UNSUPPORTED);
}

static void test_cluster__a_name_is_plain(void **state)
{
    static const char *const bad[] = {"nats://127.0.0.1:1/a.b", "nats://127.0.0.1:1/a*",
                                      "nats://127.0.0.1:1/a/b",
                                      "nats://127.0.0.1:1/a-name-that-is-longer-than-it-may-be"};
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        pare_cluster *cluster = NULL;
        const pare_link_options options = {.url = bad[i]};
        assert_int_equal(pare_cluster_open(&options, &cluster, NULL), PARE_E_ARG);
        assert_null(cluster);
    }
}

static void test_cluster__without_a_server_there_is_none(void **state)
{
    static const char *const good[] = {"nats://127.0.0.1:1", "nats://127.0.0.1:1/",
                                       "nats://127.0.0.1:1/team-1_a"};
    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        pare_cluster *cluster = NULL;
        const pare_link_options options = {.url = good[i]};
        assert_refused(pare_cluster_open(&options, &cluster, NULL), PARE_E_IO);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cluster__a_name_is_plain),
        cmocka_unit_test(test_cluster__without_a_server_there_is_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
