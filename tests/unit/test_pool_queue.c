/* What a pool tries next: the order of patches, groups and halves, and what they come to.
 *
 * The list that most claims are about: 8 bytes, then 4 that have two parts of 2 each, then 2. */
/* tests: src/engine/pool_plan.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "engine/pool_queue.h"
#include "text/patch.h"
#include "text/text.h"
#include "unit/alloc_sweep.h"

static uint32_t add(pare_patches *patches, size_t from, size_t to, const char *with,
                    uint32_t parent)
{
    uint32_t index = PARE_NO_PATCH;
    assert_int_equal(pare_patches_change(patches, from, to, with, strlen(with), NULL), PARE_OK);
    assert_int_equal(pare_patches_end(patches, parent, &index, NULL), PARE_OK);
    return index;
}

static pare_patches *start(const char *bytes)
{
    pare_text *text = NULL;
    pare_patches *patches = NULL;
    assert_int_equal(pare_text_copy(bytes, strlen(bytes), &text, NULL), PARE_OK);
    assert_int_equal(pare_patches_new(text, &patches, NULL), PARE_OK);
    pare_text_unref(text);
    return patches;
}

static pare_patches *usual_list(void)
{
    pare_patches *patches = start("aaaaaaaabbbbcc");
    assert_int_equal(add(patches, 0, 8, "", PARE_NO_PATCH), 0);
    assert_int_equal(add(patches, 8, 12, "", PARE_NO_PATCH), 1);
    assert_int_equal(add(patches, 8, 10, "", 1), 2);
    assert_int_equal(add(patches, 10, 12, "", 1), 3);
    assert_int_equal(add(patches, 12, 14, "", PARE_NO_PATCH), 4);
    return patches;
}

static pare_pool_plan *plan_of(pare_patches *patches, pare_pool_options options)
{
    pare_pool_plan *plan = NULL;
    assert_int_equal(pare_pool_plan_new(patches, &options, &plan, NULL), PARE_OK);
    pare_patches_unref(patches);
    return plan;
}

static void assert_order(const pare_pool_plan *plan, const uint32_t order[5])
{
    for (uint32_t i = 0; i < 5; i++)
        assert_int_equal(plan->order[i], order[i]);
}

static void test_pool_plan__large_patches_come_first_and_rear_ones_before_front_ones(void **state)
{
    (void)state;
    pare_pool_plan *plan = plan_of(usual_list(), (pare_pool_options){.group = 0});
    assert_order(plan, (const uint32_t[]){0, 1, 4, 3, 2});
    assert_int_equal(plan->n_roots, 3);
    assert_int_equal(pare_pool_plan_parts(plan, 1).from, 3);
    assert_int_equal(pare_pool_plan_parts(plan, 1).count, 2);
    assert_int_equal(pare_pool_plan_parts(plan, 0).count, 0);
    assert_int_equal(pare_pool_plan_end(plan, (pare_pool_range){0, 1}), 8);
    assert_int_equal(pare_pool_plan_end(plan, (pare_pool_range){0, 3}), 14);
    pare_pool_plan_unref(plan);
}

static void test_pool_plan__a_list_may_keep_its_order(void **state)
{
    (void)state;
    pare_pool_plan *plan = plan_of(usual_list(), (pare_pool_options){.order = PARE_POOL_LISTED});
    assert_order(plan, (const uint32_t[]){0, 1, 4, 2, 3});
    pare_pool_plan_unref(plan);
}

static void test_pool_plan__what_agrees_is_gathered_once(void **state)
{
    (void)state;
    pare_pool_plan *plan = plan_of(usual_list(), (pare_pool_options){.group = 0});
    pare_pool_gathered all, again;
    const pare_pool_set none = {0};
    assert_int_equal(pare_pool_plan_gather(plan, &none, (pare_pool_range){0, 3}, &all, NULL),
                     PARE_OK);
    assert_int_equal(all.what, PARE_UNION_MORE);
    assert_true(all.whole);
    assert_int_equal(all.set.n, 1); /* cuts that touch are one */
    assert_int_equal(pare_pool_plan_changes(&all.set)->to, 14);
    assert_int_equal(pare_pool_plan_gather(plan, &all.set, (pare_pool_range){3, 2}, &again, NULL),
                     PARE_OK);
    assert_int_equal(again.what, PARE_UNION_SAME);
    assert_int_equal(again.set.n, 0);
    pare_pool_plan_set_unref(&all.set);
    pare_pool_plan_unref(plan);
}

static void test_pool_plan__of_two_that_conflict_the_earlier_one_is_gathered(void **state)
{
    (void)state;
    pare_patches *patches = start("abcdefgh");
    add(patches, 0, 4, "x", PARE_NO_PATCH);
    add(patches, 2, 6, "", PARE_NO_PATCH);
    pare_pool_plan *plan = plan_of(patches, (pare_pool_options){.order = PARE_POOL_LISTED});
    pare_pool_gathered both;
    const pare_pool_set none = {0};
    assert_int_equal(pare_pool_plan_gather(plan, &none, (pare_pool_range){0, 2}, &both, NULL),
                     PARE_OK);
    assert_int_equal(both.what, PARE_UNION_MORE);
    assert_false(both.whole);
    assert_int_equal(both.set.n, 1);
    assert_int_equal(pare_pool_plan_changes(&both.set)->from, 0);
    pare_pool_plan_set_unref(&both.set);
    pare_pool_plan_unref(plan);
}

static void test_pool_queue__groups_grow_with_successes(void **state)
{
    (void)state;
    const pare_pool_range roots = {0, 3};
    const pare_pool_item one = {{0, 1}, PARE_POOL_GROUP};
    pare_pool_plan *plan = plan_of(usual_list(), (pare_pool_options){.group = 0});
    pare_pool_rate rate = {0};
    assert_int_equal(pare_pool_queue_group(plan, roots, &rate), 1);
    for (int i = 0; i < 20; i++)
        pare_pool_queue_learn(&rate, one, true);
    assert_true(pare_pool_queue_group(plan, roots, &rate) > 1);
    for (int i = 0; i < 20; i++)
        pare_pool_queue_learn(&rate, one, false);
    assert_int_equal(pare_pool_queue_group(plan, roots, &rate), 1);
    pare_pool_plan_unref(plan);
    plan = plan_of(usual_list(), (pare_pool_options){.group = 2});
    assert_int_equal(pare_pool_queue_group(plan, roots, &rate), 2);
    assert_int_equal(pare_pool_queue_group(plan, (pare_pool_range){0, 1}, &rate), 1);
    pare_pool_plan_unref(plan);
}

static void test_pool_queue__a_first_half_that_does_not_fail_is_no_news(void **state)
{
    (void)state;
    pare_pool_rate rate = {0};
    const pare_pool_item half = {{0, 1}, PARE_POOL_FIRST_HALF}, pair = {{0, 2}, PARE_POOL_GROUP};
    pare_pool_queue_learn(&rate, half, false);
    assert_true(rate.failed + rate.failed_long < 1e-9);
    /* Of a pair that does not fail: 1/2 * 1/2 of 1 - 1/4. */
    assert_true(pare_pool_queue_chance(&rate, half) > 0.333);
    assert_true(pare_pool_queue_chance(&rate, half) < 0.334);
    assert_true(pare_pool_queue_chance(&rate, pair) > 0.249);
    assert_true(pare_pool_queue_chance(&rate, pair) < 0.251);
}

/* Takes the first item of the queue, which must be of `kind` and begin at `from`. */
static void assert_first(pare_pool_queue *queue, const pare_pool_plan *plan, pare_pool_kind kind,
                         uint32_t from, uint32_t count)
{
    pare_pool_item rest;
    const pare_pool_rate rate = {0};
    assert_int_equal(pare_pool_queue_own(queue, 1, NULL), PARE_OK);
    pare_pool_item item = pare_pool_queue_first(queue, plan, &rate, &rest);
    assert_int_equal(item.kind, kind);
    assert_int_equal(item.range.from, from);
    assert_int_equal(item.range.count, count);
    pare_pool_queue_drop(queue, plan, rest);
    assert_true(pare_pool_queue_check(queue, plan));
}

static void test_pool_queue__halves_come_first_then_the_largest(void **state)
{
    (void)state;
    pare_pool_plan *plan = plan_of(usual_list(), (pare_pool_options){.group = 0});
    pare_pool_queue queue = {0};
    assert_int_equal(pare_pool_queue_own(&queue, 4, NULL), PARE_OK);
    pare_pool_queue_push(&queue, plan, (pare_pool_item){{3, 2}, PARE_POOL_FRESH});
    pare_pool_queue_push(&queue, plan, (pare_pool_item){{1, 2}, PARE_POOL_FRESH});
    pare_pool_queue_split(&queue, plan, (pare_pool_item){{0, 2}, PARE_POOL_GROUP});
    assert_true(pare_pool_queue_check(&queue, plan));
    assert_int_equal(queue.n, 4);
    assert_first(&queue, plan, PARE_POOL_FIRST_HALF, 0, 1);
    assert_first(&queue, plan, PARE_POOL_SECOND_HALF, 1, 1);
    assert_first(&queue, plan, PARE_POOL_GROUP, 1, 1); /* and the rest goes back */
    assert_first(&queue, plan, PARE_POOL_GROUP, 2, 1);
    assert_first(&queue, plan, PARE_POOL_GROUP, 3, 1);
    assert_first(&queue, plan, PARE_POOL_GROUP, 4, 1);
    assert_int_equal(queue.n, 0);
    pare_shared_release(queue.items);
    pare_pool_plan_unref(plan);
}

static void test_pool_queue__a_patch_gives_way_to_its_parts_and_a_swept_one_to_nothing(void **state)
{
    (void)state;
    pare_pool_plan *plan = plan_of(usual_list(), (pare_pool_options){.group = 0});
    pare_pool_queue queue = {0};
    assert_int_equal(pare_pool_queue_own(&queue, 4, NULL), PARE_OK);
    pare_pool_queue_split(&queue, plan, (pare_pool_item){{0, 1}, PARE_POOL_GROUP}); /* no parts */
    pare_pool_queue_split(&queue, plan, (pare_pool_item){{1, 1}, PARE_POOL_SWEPT});
    assert_int_equal(queue.n, 0);
    pare_pool_queue_split(&queue, plan, (pare_pool_item){{1, 1}, PARE_POOL_GROUP});
    assert_int_equal(queue.n, 1);
    assert_first(&queue, plan, PARE_POOL_GROUP, 3, 1);
    pare_shared_release(queue.items);
    pare_pool_plan_unref(plan);
}

static pare_status attempt(void *context)
{
    pare_pool_plan *plan = NULL;
    pare_pool_gathered all = {.whole = false};
    const pare_pool_options options = {.group = 0};
    const pare_pool_set none = {0};
    pare_status status = pare_pool_plan_new(context, &options, &plan, NULL);
    if (!status) status = pare_pool_plan_gather(plan, &none, (pare_pool_range){0, 3}, &all, NULL);
    pare_pool_plan_set_unref(&all.set);
    pare_pool_plan_unref(plan);
    return status;
}

static void test_pool_plan__every_allocation_may_fail(void **state)
{
    (void)state;
    pare_patches *patches = usual_list();
    sweep_allocations(attempt, patches);
    pare_patches_unref(patches);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pool_plan__large_patches_come_first_and_rear_ones_before_front_ones),
        cmocka_unit_test(test_pool_plan__a_list_may_keep_its_order),
        cmocka_unit_test(test_pool_plan__what_agrees_is_gathered_once),
        cmocka_unit_test(test_pool_plan__of_two_that_conflict_the_earlier_one_is_gathered),
        cmocka_unit_test(test_pool_queue__groups_grow_with_successes),
        cmocka_unit_test(test_pool_queue__a_first_half_that_does_not_fail_is_no_news),
        cmocka_unit_test(test_pool_queue__halves_come_first_then_the_largest),
        cmocka_unit_test(
            test_pool_queue__a_patch_gives_way_to_its_parts_and_a_swept_one_to_nothing),
        cmocka_unit_test(test_pool_plan__every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
