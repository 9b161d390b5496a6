/* A library without campaigns has their functions, and each says that they are not there. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <pare/campaign.h>
#include <pare/campaign_report.h>
#include <pare/findings.h>

#ifdef PARE_HAVE_CAMPAIGN
static void test_absent__is_of_builds_without_campaigns(void **state)
{
    (void)state;
    skip();
}
#else
static void test_absent__is_of_builds_without_campaigns(void **state)
{
    (void)state;
    pare_error err = {0};
    pare_store *store = NULL;
    pare_campaign *campaign = NULL;
    const pare_campaign_options options = {.from = "random"};
    assert_int_equal(pare_store_open("x.db", true, &store, &err), PARE_E_UNSUPPORTED);
    assert_string_equal(err.message, "this pare was built without campaigns");
    assert_null(store);
    assert_int_equal(pare_campaign_read(&options, &campaign, NULL), PARE_E_UNSUPPORTED);
    assert_int_equal(pare_campaign_do_job("x.db", 1, -1, NULL, NULL), PARE_E_UNSUPPORTED);
    assert_int_equal(pare_report_finding(NULL, 1, NULL, NULL, NULL), PARE_E_UNSUPPORTED);
    pare_store_close(NULL);
    pare_campaign_free(NULL);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_absent__is_of_builds_without_campaigns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
