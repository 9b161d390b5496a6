/* Berths: how slots are divided, and processes that share them, take runs and die. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>
#include <cmocka.h>

#include <pare/stop.h>

#include "base/fail.h"
#include "os/stop.h"
#include "run/remote/berth.h"

/* ---- dividing ----------------------------------------------------------------------------- */

static void assert_divided(unsigned n_slots, const unsigned *wanted, unsigned n,
                           const unsigned *expected)
{
    unsigned shares[PARE_BERTH_MOST];
    pare_berth_divide(n_slots, wanted, n, shares);
    for (unsigned i = 0; i < n; i++)
        assert_int_equal(shares[i], expected[i]);
}

static void test_berth__one_run_has_all_slots(void **state)
{
    (void)state;
    assert_divided(8, (unsigned[]){8}, 1, (unsigned[]){8});
    assert_divided(8, (unsigned[]){2}, 1, (unsigned[]){8});
    assert_divided(8, (unsigned[]){0, 8, 0}, 3, (unsigned[]){0, 8, 0});
}

static void test_berth__runs_share_equally(void **state)
{
    (void)state;
    assert_divided(2, (unsigned[]){2, 2}, 2, (unsigned[]){1, 1});
    assert_divided(8, (unsigned[]){8, 8}, 2, (unsigned[]){4, 4});
    assert_divided(8, (unsigned[]){8, 8, 8}, 3, (unsigned[]){3, 3, 2});
}

static void test_berth__what_one_has_no_use_for_goes_to_others(void **state)
{
    (void)state;
    assert_divided(8, (unsigned[]){1, 8}, 2, (unsigned[]){1, 7});
    assert_divided(9, (unsigned[]){9, 2, 9}, 3, (unsigned[]){4, 2, 3});
    assert_divided(8, (unsigned[]){1, 1}, 2, (unsigned[]){4, 4});
}

/* All slots are given, none twice, and each who wants any has one. */
static void test_berth__all_divisions_are_whole(void **state)
{
    (void)state;
    srand(3);
    for (unsigned k = 0; k < 5000; k++) {
        unsigned wanted[PARE_BERTH_MOST], shares[PARE_BERTH_MOST], sum = 0, n_there = 0;
        const unsigned n = 1 + (unsigned)rand() % PARE_BERTH_MOST;
        const unsigned n_slots = n + (unsigned)rand() % 100;
        for (unsigned i = 0; i < n; i++)
            wanted[i] = rand() % 3 ? (unsigned)rand() % (n_slots + 1) : 0;
        pare_berth_divide(n_slots, wanted, n, shares);
        for (unsigned i = 0; i < n; i++) {
            assert_true((shares[i] > 0) == (wanted[i] > 0));
            sum += shares[i];
            n_there += wanted[i] > 0;
        }
        assert_int_equal(sum, n_there ? n_slots : 0);
    }
}

/* ---- processes ----------------------------------------------------------------------------- */

/* Berths write what they do to a pipe, a letter each; the test reads it as the worker is told. */
struct scene {
    pare_stop *stop;
    unsigned n_told;
    char told[64]; /* the first letters of all sentences */
    unsigned until;
};

static void hear(void *context, const char *sentence)
{
    struct scene *scene = context;
    if (scene->n_told < sizeof scene->told - 1) scene->told[scene->n_told++] = *sentence;
    if (scene->n_told == scene->until) pare_stop_request(scene->stop);
}

static void serve_all(struct scene *scene, unsigned n_slots,
                      pare_status (*serve)(void *, pare_berth *, pare_error *),
                      pare_status expected)
{
    pare_error err = {0};
    assert_int_equal(pare_stop_new(&scene->stop, NULL), PARE_OK);
    const pare_berth_options options = {
        .n_slots = n_slots, .stop = scene->stop, .serve = serve, .tell = hear, .context = scene};
    assert_int_equal(pare_berth_serve_all(&options, &err), expected);
    if (expected) assert_string_equal(err.message, "there is no server");
    pare_stop_free(scene->stop);
}

static void await_stop(pare_berth *berth)
{
    struct pollfd file = {.fd = pare_stop_fd(pare_berth_stop(berth)), .events = POLLIN};
    (void)poll(&file, 1, -1);
}

static pare_status lack_server(void *context, pare_berth *berth, pare_error *err)
{
    (void)context;
    (void)berth;
    return pare_fail(err, PARE_E_IO, "there is no server");
}

static void test_berth__what_the_first_fails_by_is_told(void **state)
{
    struct scene scene = {.until = 1};
    (void)state;
    serve_all(&scene, 2, lack_server, PARE_E_IO);
}

/* Each takes a run of its own and a slot; two runs of two slots, so no third comes, and neither has a
 * second slot. */
static pare_status take(void *context, pare_berth *berth, pare_error *err)
{
    (void)context;
    (void)err;
    pare_berth_opened(berth);
    const uint64_t run = pare_berth_is_served(berth, 1) ? 2 : 1;
    const bool has_run = pare_berth_take_run(berth, run);
    pare_berth_note(berth, PARE_WORKER_READY, 2);
    /* The first has both slots until the second comes. */
    struct pollfd file = {.fd = pare_berth_fd(berth), .events = POLLIN};
    pare_berth_clear(berth);
    while (!pare_berth_is_served(berth, 3 - run) || pare_berth_share(berth) != 1) {
        (void)poll(&file, 1, 1000);
        pare_berth_clear(berth);
    }
    const bool has_slot = pare_berth_take_slot(berth);
    const bool is_right =
        has_run && has_slot && !pare_berth_take_slot(berth) && !pare_berth_take_run(berth, 3 - run);
    pare_berth_tell(berth, !is_right ? "wrong" : run == 1 ? "a" : "b");
    await_stop(berth);
    return PARE_OK;
}

static void test_berth__two_runs_share_two_slots(void **state)
{
    struct scene scene = {.until = 2};
    (void)state;
    serve_all(&scene, 2, take, PARE_OK);
    assert_int_equal(scene.n_told, 2);
    assert_true(strcmp(scene.told, "ab") == 0 || strcmp(scene.told, "ba") == 0);
}

/* The first dies with all slots; the next has them. */
static pare_status die(void *context, pare_berth *berth, pare_error *err)
{
    (void)context;
    (void)err;
    char why[PARE_BERTH_WHY_BYTES];
    pare_berth_opened(berth);
    const bool is_first = !pare_berth_is_refused(berth, 7, why);
    if (is_first) pare_berth_refuse(berth, 7, "it is the second");
    (void)pare_berth_take_run(berth, 1);
    const bool has_slot = pare_berth_take_slot(berth);
    pare_berth_count_test(berth);
    pare_berth_tell(berth, !has_slot ? "wrong" : is_first ? "first" : "second");
    if (is_first) (void)raise(SIGKILL);
    pare_message_hello hello = {.run = 0};
    pare_berth_describe(berth, &hello);
    if (hello.n_slots != 1 || hello.n_running != 1 || hello.n_tests != 2 || hello.n_runs != 1 ||
        hello.runs[0].n_tests != 1 || strcmp(why, "it is the second") != 0)
        pare_berth_tell(berth, "wrong");
    pare_berth_leave_run(berth);
    pare_berth_tell(berth, !pare_berth_is_served(berth, 1) && pare_berth_is_needed(berth) &&
                                   pare_berth_is_speaker(berth)
                               ? "over"
                               : "wrong");
    await_stop(berth);
    return PARE_OK;
}

static void test_berth__what_a_dead_one_had_is_free(void **state)
{
    struct scene scene = {.until = 4};
    (void)state;
    serve_all(&scene, 1, die, PARE_OK);
    /* Its end is told by the worker: "a process ...". */
    assert_string_equal(scene.told, "faso");
}

/* ---- failures ------------------------------------------------------------------------------- */

/* The first is open and ends; those after it find no server, and the third tells that it was there. */
static pare_status fail_later(void *context, pare_berth *berth, pare_error *err)
{
    char why[PARE_BERTH_WHY_BYTES];
    (void)context;
    const bool is_first = !pare_berth_is_refused(berth, 1, why);
    const bool is_third = pare_berth_is_refused(berth, 2, why);
    pare_berth_refuse(berth, is_first ? 1 : 2, "");
    if (is_first) {
        pare_berth_opened(berth);
        return PARE_OK;
    }
    if (is_third) pare_berth_tell(berth, "third");
    return pare_fail(err, PARE_E_IO, "there is no server");
}

static void test_berth__what_a_later_one_fails_by_is_told_once(void **state)
{
    struct scene scene = {.until = 3};
    (void)state;
    serve_all(&scene, 1, fail_later, PARE_OK);
    assert_string_equal(scene.told, "att");
}

static pare_status die_at_once(void *context, pare_berth *berth, pare_error *err)
{
    (void)context;
    (void)berth;
    (void)err;
    (void)raise(SIGKILL);
    return PARE_OK;
}

static void test_berth__a_worker_whose_first_is_killed_ends(void **state)
{
    pare_error err = {0};
    struct scene scene = {.until = 1};
    (void)state;
    assert_int_equal(pare_stop_new(&scene.stop, NULL), PARE_OK);
    const pare_berth_options options = {
        .n_slots = 1, .stop = scene.stop, .serve = die_at_once, .tell = hear, .context = &scene};
    assert_int_equal(pare_berth_serve_all(&options, &err), PARE_E_STATE);
    assert_string_equal(err.message, "signal 9 has ended it");
    pare_stop_free(scene.stop);
}

/* Says more than a socket holds while the worker waits for it to have said all. */
static int said[2];

static pare_status say_much(void *context, pare_berth *berth, pare_error *err)
{
    (void)context;
    (void)err;
    pare_berth_opened(berth);
    for (unsigned i = 0; i < 5000; i++)
        pare_berth_tell(berth, "much");
    if (write(said[1], "", 1) != 1) return pare_fail(err, PARE_E_IO, "cannot write");
    await_stop(berth);
    return PARE_OK;
}

static void hear_late(void *context, const char *sentence)
{
    struct scene *scene = context;
    struct pollfd file = {.fd = said[0], .events = POLLIN};
    if (scene->n_told++) return;
    scene->told[0] = poll(&file, 1, 60000) == 1 ? *sentence : '!';
    pare_stop_request(scene->stop);
}

static void test_berth__none_waits_for_a_worker_that_does_not_listen(void **state)
{
    struct scene scene = {.until = 1};
    (void)state;
    assert_int_equal(pipe(said), 0);
    assert_int_equal(pare_stop_new(&scene.stop, NULL), PARE_OK);
    const pare_berth_options options = {
        .n_slots = 1, .stop = scene.stop, .serve = say_much, .tell = hear_late, .context = &scene};
    assert_int_equal(pare_berth_serve_all(&options, NULL), PARE_OK);
    assert_string_equal(scene.told, "m");
    pare_stop_free(scene.stop);
    assert_int_equal(close(said[0]) | close(said[1]), 0);
}

/* A berth that is asked to end before it hears signals itself: the handler is the worker's, and what it
 * requests is a copy. */
static pare_stop *stop_of_worker;
static bool is_asked_early;

static void request_stop(int number)
{
    (void)number;
    pare_stop_request(stop_of_worker);
}

static void ask_early(void)
{
    if (is_asked_early) (void)raise(SIGTERM);
}

static pare_status end_early(void *context, pare_berth *berth, pare_error *err)
{
    (void)context;
    (void)err;
    pare_berth_opened(berth);
    pare_berth_tell(berth, pare_stop_requested(pare_berth_stop(berth)) ? "ends" : "goes on");
    await_stop(berth);
    return PARE_OK;
}

static void test_berth__one_that_is_asked_to_end_at_its_start_ends(void **state)
{
    struct scene scene = {.until = 1};
    const struct sigaction action = {.sa_handler = request_stop};
    struct sigaction before;
    (void)state;
    assert_int_equal(pthread_atfork(NULL, NULL, ask_early), 0);
    assert_int_equal(sigaction(SIGTERM, &action, &before), 0);
    assert_int_equal(pare_stop_new(&scene.stop, NULL), PARE_OK);
    stop_of_worker = scene.stop;
    is_asked_early = true;
    const pare_berth_options options = {
        .n_slots = 1, .stop = scene.stop, .serve = end_early, .tell = hear, .context = &scene};
    assert_int_equal(pare_berth_serve_all(&options, NULL), PARE_OK);
    is_asked_early = false;
    assert_string_equal(scene.told, "e");
    assert_int_equal(sigaction(SIGTERM, &before, NULL), 0);
    pare_stop_free(scene.stop);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_berth__one_run_has_all_slots),
        cmocka_unit_test(test_berth__runs_share_equally),
        cmocka_unit_test(test_berth__what_one_has_no_use_for_goes_to_others),
        cmocka_unit_test(test_berth__all_divisions_are_whole),
        cmocka_unit_test(test_berth__what_the_first_fails_by_is_told),
        cmocka_unit_test(test_berth__two_runs_share_two_slots),
        cmocka_unit_test(test_berth__what_a_dead_one_had_is_free),
        cmocka_unit_test(test_berth__what_a_later_one_fails_by_is_told_once),
        cmocka_unit_test(test_berth__a_worker_whose_first_is_killed_ends),
        cmocka_unit_test(test_berth__none_waits_for_a_worker_that_does_not_listen),
        cmocka_unit_test(test_berth__one_that_is_asked_to_end_at_its_start_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
