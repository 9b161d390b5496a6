/* Hangs: which limit ordinary runs are too near to, and what a run may take. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "run/time_limit.h"
#include "session/test/hang.h"

struct setup {
    pare_keep keep;
    pare_session session;
};

static void set_up(struct setup *setup, uint64_t hang_ms)
{
    *setup = (struct setup){.keep = {.hang_ms = hang_ms}};
    assert_int_equal(pare_judge_new(&setup->keep, &setup->session.oracle.judge, NULL), PARE_OK);
}

static void tear_down(struct setup *setup)
{
    pare_judge_free(setup->session.oracle.judge);
}

static void test_hang__a_limit_near_to_ordinary_runs_is_refused_with_the_one_to_use(void **state)
{
    (void)state;
    static const struct {
        double ordinary_ms;
        const char *says; /* NULL: the limit of 1 s is good */
    } rows[] = {{0, NULL},
                {20, NULL},
                {500, NULL},
                {501, "use --hang 3"},
                {1000, "take up to 1 s, which is too close to --hang 1: use --hang 5"},
                {12000, "use --hang 60"}};
    struct setup setup;
    set_up(&setup, 1000);
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        pare_error err = {.status = PARE_OK};
        pare_status status = pare_hang_check_limit(&setup.session, rows[k].ordinary_ms, &err);
        assert_int_equal(status, rows[k].says ? PARE_E_STATE : PARE_OK);
        if (rows[k].says) assert_non_null(strstr(err.message, rows[k].says));
    }
    tear_down(&setup);
}

/* The proposed limit is one that is not refused. */
static void test_hang__what_is_proposed_is_far_enough(void **state)
{
    (void)state;
    for (double ordinary_ms = 51; ordinary_ms < 5000; ordinary_ms *= 1.3) {
        struct setup setup;
        pare_error err = {.status = PARE_OK};
        unsigned proposed_s = 0;
        set_up(&setup, 100);
        assert_int_equal(pare_hang_check_limit(&setup.session, ordinary_ms, &err), PARE_E_STATE);
        const char *at = strstr(err.message, "use --hang ");
        assert_non_null(at);
        for (at += strlen("use --hang "); *at >= '0' && *at <= '9'; at++)
            proposed_s = 10 * proposed_s + (unsigned)(*at - '0');
        tear_down(&setup);
        set_up(&setup, proposed_s * 1000);
        assert_int_equal(pare_hang_check_limit(&setup.session, ordinary_ms, NULL), PARE_OK);
        tear_down(&setup);
    }
}

static void test_hang__the_limit_in_force_can_be_another(void **state)
{
    (void)state;
    struct setup setup;
    set_up(&setup, 1000);
    assert_int_equal(pare_hang_limit_ms(&setup.session), 1000);
    pare_judge_set_hang_ms(setup.session.oracle.judge, 3000);
    assert_int_equal(pare_hang_limit_ms(&setup.session), 3000);
    assert_int_equal(setup.keep.hang_ms, 1000);
    tear_down(&setup);
    const pare_session scripted = {.phase = ""};
    assert_int_equal(pare_hang_limit_ms(&scripted), 0);
}

/* Five minutes of a blank screen were too many. */
static void test_hang__a_first_run_has_a_minute(void **state)
{
    (void)state;
    pare_time_limit limit = {.n_tests = 0};
    assert_int_equal(pare_time_limit_ms(&limit), 60000);
    limit.fixed_ms = 300000;
    assert_int_equal(pare_time_limit_ms(&limit), 300000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hang__a_limit_near_to_ordinary_runs_is_refused_with_the_one_to_use),
        cmocka_unit_test(test_hang__what_is_proposed_is_far_enough),
        cmocka_unit_test(test_hang__the_limit_in_force_can_be_another),
        cmocka_unit_test(test_hang__a_first_run_has_a_minute),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
