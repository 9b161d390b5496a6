/* The public calls of workers, where they fail. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <pare/worker.h>

/* What comes of it with libnats, and without. */
static void assert_refused(pare_status status, pare_status expected)
{
    assert_true(status == expected || status == PARE_E_UNSUPPORTED);
}

static void test_cluster_worker__too_many_jobs_are_refused(void **state)
{
    const pare_worker_options options = {.cluster = {.url = "nats://127.0.0.1:1"}, .jobs = 100000};
    (void)state;
    assert_int_equal(pare_worker_run(&options, NULL), PARE_E_ARG);
}

static void test_cluster_worker__another_machine_needs_credentials(void **state)
{
    const pare_worker_options options = {.cluster = {.url = "nats://192.0.2.1"}};
    (void)state;
    assert_refused(pare_worker_run(&options, NULL), PARE_E_ARG);
}

static void each(void *context, const pare_worker_status *worker)
{
    (void)context;
    (void)worker;
    fail_msg("there is no server");
}

static void test_cluster_worker__a_list_needs_a_server(void **state)
{
    const pare_cluster_options cluster = {.url = "nats://127.0.0.1:1"};
    (void)state;
    assert_refused(pare_worker_list(&cluster, each, NULL, NULL), PARE_E_IO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cluster_worker__too_many_jobs_are_refused),
        cmocka_unit_test(test_cluster_worker__another_machine_needs_credentials),
        cmocka_unit_test(test_cluster_worker__a_list_needs_a_server),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
