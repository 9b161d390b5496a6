/* Two buckets of one test on a real server: what one is told the other knows, once.  Without
 * nats-server or libnats the test is skipped. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <poll.h>
#include <stdio.h>

#include "base/alloc.h"
#include "nats_server.h"
#include "run/remote/bucket.h"
#include "run/remote/cluster.h"
#include "run/remote/link.h"

struct fixture {
    nats_server server;
    pare_cluster *clusters[2];
    pare_bucket *buckets[2];
};

static const pare_digest TEST = {.high = 1, .low = 2}, CANDIDATE = {.high = 3, .low = 4};

static bool open_cluster(struct fixture *fix, unsigned which)
{
    if (!nats_server_open(&fix->server, &fix->clusters[which])) return false;
    assert_int_equal(pare_bucket_open(fix->clusters[which], TEST, &fix->buckets[which], NULL),
                     PARE_OK);
    return true;
}

static void tear_down(struct fixture *fix)
{
    for (unsigned i = 0; i < 2; i++) {
        pare_bucket_close(fix->buckets[i]);
        pare_cluster_close(fix->clusters[i]);
    }
    nats_server_end(&fix->server);
}

static void set_up(struct fixture *fix)
{
    *fix = (struct fixture){.clusters = {NULL}};
    if (nats_server_start(&fix->server) && open_cluster(fix, 0) && open_cluster(fix, 1)) return;
    tear_down(fix);
    print_message("skipped: there is no nats-server, or no libnats\n");
    skip();
}

/* Hears letters until the bucket knows CANDIDATE or is in doubt. */
static bool hear(struct fixture *fix, unsigned which, pare_message_result *out)
{
    pare_link *link = pare_cluster_link(fix->clusters[which]);
    for (unsigned n = 0; n < 600; n++) {
        for (pare_letter *letter; (letter = pare_link_take(link)) != NULL;
             pare_link_letter_free(letter))
            (void)pare_bucket_hear(fix->buckets[which], letter);
        if (pare_bucket_is_doubted(fix->buckets[which])) return false;
        if (pare_bucket_take(fix->buckets[which], CANDIDATE, out)) return true;
        struct pollfd file = {.fd = pare_link_fd(link), .events = POLLIN};
        (void)poll(&file, 1, 100);
    }
    fail_msg("nothing came");
    return false;
}

static void test_bucket__what_one_run_tells_another_knows_once(void **state)
{
    struct fixture fix;
    pare_message_result result;
    const pare_verdict verdict = {
        .outcome = PARE_FAIL, .exit_code = 3, .signature = "a.c:1", .duration_ms = 5};
    (void)state;
    set_up(&fix);
    pare_bucket_put(fix.buckets[0], CANDIDATE, &verdict);
    assert_false(pare_bucket_take(fix.buckets[0], CANDIDATE, &result));
    assert_true(hear(&fix, 1, &result));
    assert_int_equal(result.outcome, PARE_FAIL);
    assert_int_equal(result.exit_code, 3);
    assert_string_equal(result.signature, "a.c:1");
    assert_false(pare_bucket_take(fix.buckets[1], CANDIDATE, &result));
    assert_true(pare_bucket_is_read(fix.buckets[1]));
    /* Who asks later gets it as well. */
    assert_int_equal(pare_bucket_renew(fix.buckets[1], NULL), PARE_OK);
    tear_down(&fix);
}

static void test_bucket__outcomes_that_disagree_put_the_test_in_doubt_for_all(void **state)
{
    struct fixture fix;
    pare_message_result result;
    (void)state;
    set_up(&fix);
    pare_bucket_put(fix.buckets[0], CANDIDATE, &(pare_verdict){.outcome = PARE_FAIL});
    assert_true(hear(&fix, 1, &result));
    pare_bucket_put(fix.buckets[1], CANDIDATE, &(pare_verdict){.outcome = PARE_PASS});
    assert_true(pare_bucket_is_doubted(fix.buckets[1]));
    assert_false(hear(&fix, 0, &result));
    tear_down(&fix);
}

static void test_bucket__what_was_ended_is_not_told(void **state)
{
    struct fixture fix;
    pare_message_result result;
    (void)state;
    set_up(&fix);
    pare_bucket_put(fix.buckets[0], CANDIDATE,
                    &(pare_verdict){.outcome = PARE_PASS, .timed_out = true});
    pare_bucket_put(fix.buckets[0], CANDIDATE,
                    &(pare_verdict){.outcome = PARE_PASS, .signal = SIGKILL});
    /* The first that may be told is what is heard. */
    pare_bucket_put(fix.buckets[0], CANDIDATE, &(pare_verdict){.outcome = PARE_FAIL});
    assert_true(hear(&fix, 1, &result));
    assert_int_equal(result.outcome, PARE_FAIL);
    tear_down(&fix);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bucket__what_one_run_tells_another_knows_once),
        cmocka_unit_test(test_bucket__outcomes_that_disagree_put_the_test_in_doubt_for_all),
        cmocka_unit_test(test_bucket__what_was_ended_is_not_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
