/* Workers as a run hears them: who takes part, with how many slots, and what the user is told, once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "os/machine.h"
#include "run/remote/remote_workers.h"

enum { RUN = 7 };

struct scene {
    pare_remote_workers workers;
    char told[2000]; /* all sentences, each with a line end */
};

static void hear(void *context, const char *sentence)
{
    struct scene *scene = context;
    const size_t n = strlen(scene->told);
    (void)snprintf(scene->told + n, sizeof scene->told - n, "%s\n", sentence);
}

static void begin(struct scene *scene)
{
    *scene = (struct scene){.workers = {.tell = hear, .context = scene}};
}

/* Worker `id`, called "wID", says its state; then all are counted. */
static pare_message_hello hello_of(uint64_t id, pare_worker_state state)
{
    pare_message_hello hello = {.run = RUN, .id = id, .state = state, .n_slots = 2, .n_running = 1};
    (void)snprintf(hello.name, sizeof hello.name, "w%llu", (unsigned long long)id);
    pare_machine_describe(hello.machine, sizeof hello.machine);
    return hello;
}

static void say(struct scene *scene, uint64_t id, pare_worker_state state, uint64_t now_ms)
{
    const pare_message_hello hello = hello_of(id, state);
    pare_remote_workers_hear(&scene->workers, RUN, &hello, now_ms);
    pare_remote_workers_count(&scene->workers, true, now_ms);
}

static void assert_counted(const struct scene *scene, unsigned n_ready, unsigned n_slots)
{
    assert_int_equal(scene->workers.n_ready, n_ready);
    assert_int_equal(scene->workers.n_slots, n_slots);
}

static void test_remote_workers__the_ready_take_part(void **state)
{
    struct scene scene;
    (void)state;
    begin(&scene);
    assert_false(pare_remote_workers_is_anybody(&scene.workers));
    say(&scene, 1, PARE_WORKER_IDLE, 100);
    assert_true(pare_remote_workers_is_awaited(&scene.workers));
    assert_counted(&scene, 0, 0);
    say(&scene, 1, PARE_WORKER_PREPARING, 200);
    assert_true(pare_remote_workers_is_awaited(&scene.workers));
    say(&scene, 1, PARE_WORKER_READY, 300);
    say(&scene, 2, PARE_WORKER_READY, 300);
    assert_counted(&scene, 2, 4);
    assert_false(pare_remote_workers_is_awaited(&scene.workers));
    assert_int_equal(pare_remote_workers_running(&scene.workers), 2);
    assert_true(pare_remote_workers_is_anybody(&scene.workers));
    assert_string_equal(scene.told, "");
}

static void test_remote_workers__one_of_another_run_or_without_slots_does_not(void **state)
{
    struct scene scene;
    pare_message_hello other = hello_of(1, PARE_WORKER_READY),
                       full = hello_of(2, PARE_WORKER_READY);
    (void)state;
    begin(&scene);
    other.run = RUN + 1;
    full.n_slots = 0;
    pare_remote_workers_hear(&scene.workers, RUN, &other, 100);
    pare_remote_workers_hear(&scene.workers, RUN, &full, 100);
    pare_remote_workers_count(&scene.workers, true, 100);
    assert_counted(&scene, 0, 0);
    assert_string_equal(scene.told, "");
}

static void test_remote_workers__the_silent_are_gone_until_they_are_heard(void **state)
{
    struct scene scene;
    const uint64_t late_ms = 100 + PARE_REMOTE_SILENT_MS;
    (void)state;
    begin(&scene);
    say(&scene, 1, PARE_WORKER_READY, 100);
    pare_remote_workers_count(&scene.workers, true, late_ms);
    assert_counted(&scene, 1, 2);
    /* While the server is away nobody is there, and nobody is blamed. */
    pare_remote_workers_count(&scene.workers, false, late_ms + 1);
    assert_counted(&scene, 0, 0);
    pare_remote_workers_spare(&scene.workers, late_ms + 1);
    pare_remote_workers_count(&scene.workers, true, late_ms + 1);
    assert_counted(&scene, 1, 2);
    assert_string_equal(scene.told, "");
    for (unsigned i = 2; i < 4; i++)
        pare_remote_workers_count(&scene.workers, true, i * 10 * late_ms);
    assert_counted(&scene, 0, 0);
    assert_int_equal(pare_remote_workers_running(&scene.workers), 0);
    say(&scene, 1, PARE_WORKER_READY, 100 * late_ms);
    say(&scene, 1, PARE_WORKER_READY, 100 * late_ms);
    assert_counted(&scene, 1, 2);
    assert_string_equal(scene.told, "worker w1 is gone; its tests go to others\n"
                                    "worker w1 is back\n");
}

static void test_remote_workers__a_refusal_is_told_once_with_its_reason(void **state)
{
    struct scene scene;
    pare_message_hello hello = hello_of(1, PARE_WORKER_REFUSED);
    (void)state;
    begin(&scene);
    (void)snprintf(hello.why, sizeof hello.why, "there is no gcc");
    for (unsigned i = 0; i < 3; i++)
        pare_remote_workers_hear(&scene.workers, RUN, &hello, 100 + i);
    assert_string_equal(scene.told, "worker w1 is not used: there is no gcc\n");
    assert_false(pare_remote_workers_is_alike(&scene.workers, 1));
    say(&scene, 1, PARE_WORKER_READY, 200);
    assert_true(pare_remote_workers_is_alike(&scene.workers, 1));
    assert_false(pare_remote_workers_is_alike(&scene.workers, 2));
    begin(&scene);
    say(&scene, 1, PARE_WORKER_READY, 200);
    hello.n_doubtful = 3;
    (void)snprintf(hello.machine, sizeof hello.machine, "Plan9 4 sparc, x");
    pare_remote_workers_hear(&scene.workers, RUN, &hello, 300);
    assert_string_equal(scene.told,
                        "worker w1 is no longer used: there is no gcc; the last 3 outcomes of it "
                        "are in doubt (it is Plan9 4 sparc)\n");
}

/* A worker with other programs, on which the input fails all the same. */
static void test_remote_workers__other_programs_are_told_once(void **state)
{
    struct scene scene;
    pare_message_hello hello = hello_of(1, PARE_WORKER_READY);
    (void)state;
    begin(&scene);
    (void)snprintf(hello.why, sizeof hello.why, "gcc is /b/gcc there, /a/gcc here");
    for (unsigned i = 0; i < 3; i++)
        pare_remote_workers_hear(&scene.workers, RUN, &hello, 100 + i);
    assert_string_equal(scene.told,
                        "worker w1 has different programs: gcc is /b/gcc there, /a/gcc "
                        "here: install the same ones there to be sure of the same result\n");
    assert_false(pare_remote_workers_is_alike(&scene.workers, 1));
}

/* Anybody who may use the server can call himself a thousand workers. */
static void test_remote_workers__one_that_is_silent_makes_room(void **state)
{
    struct scene scene;
    const uint64_t late_ms = 101 + PARE_REMOTE_SILENT_MS;
    (void)state;
    begin(&scene);
    for (unsigned i = 0; i < PARE_REMOTE_MOST_WORKERS + 5; i++)
        say(&scene, 1 + i, PARE_WORKER_READY, 100);
    assert_counted(&scene, PARE_REMOTE_MOST_WORKERS, 2 * PARE_REMOTE_MOST_WORKERS);
    pare_message_hello late = hello_of(9999, PARE_WORKER_READY);
    pare_remote_workers_hear(&scene.workers, RUN, &late, late_ms);
    assert_int_equal(scene.workers.n, PARE_REMOTE_MOST_WORKERS);
    assert_int_equal(scene.workers.all[0].hello.id, 9999);
    assert_true(pare_remote_workers_is_alike(&scene.workers, 9999));
}

/* It differs from this machine: what it says later is of no use, and nothing is told of it again. */
static void test_remote_workers__one_that_is_dismissed_does_not_come_back(void **state)
{
    const pare_digest text = {.high = 4, .low = 2};
    struct scene scene;
    uint64_t id = 0;
    (void)state;
    begin(&scene);
    say(&scene, 1, PARE_WORKER_READY, 100);
    say(&scene, 2, PARE_WORKER_READY, 100);
    assert_counted(&scene, 2, 4);
    assert_false(pare_remote_workers_is_dismissed(&scene.workers, 1));
    /* The first says always that it fails, the second not always, the third not often enough. */
    for (unsigned k = 0; k < 2 * PARE_REMOTE_SURE; k++) {
        pare_remote_workers_note(&scene.workers, 1, text, true);
        pare_remote_workers_note(&scene.workers, 2, text, k > 0);
        if (k + 1 < PARE_REMOTE_SURE) pare_remote_workers_note(&scene.workers, 3, text, true);
    }
    assert_false(pare_remote_workers_dismiss(&scene.workers, text, false, &id));
    assert_false(pare_remote_workers_dismiss(&scene.workers, (pare_digest){.high = 5}, true, &id));
    assert_true(pare_remote_workers_dismiss(&scene.workers, text, true, &id));
    assert_int_equal(id, 1);
    assert_false(pare_remote_workers_dismiss(&scene.workers, text, true, &id));
    assert_true(pare_remote_workers_is_dismissed(&scene.workers, 1));
    assert_non_null(
        strstr(scene.told, "worker w1 is no longer used: a candidate that always passes here"));
    const size_t n = strlen(scene.told);
    say(&scene, 1, PARE_WORKER_READY, 200);
    assert_counted(&scene, 1, 2);
    say(&scene, 1, PARE_WORKER_REFUSED, 300);
    assert_counted(&scene, 1, 2);
    assert_int_equal(strlen(scene.told), n);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_remote_workers__the_ready_take_part),
        cmocka_unit_test(test_remote_workers__one_that_is_dismissed_does_not_come_back),
        cmocka_unit_test(test_remote_workers__one_of_another_run_or_without_slots_does_not),
        cmocka_unit_test(test_remote_workers__the_silent_are_gone_until_they_are_heard),
        cmocka_unit_test(test_remote_workers__a_refusal_is_told_once_with_its_reason),
        cmocka_unit_test(test_remote_workers__other_programs_are_told_once),
        cmocka_unit_test(test_remote_workers__one_that_is_silent_makes_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
