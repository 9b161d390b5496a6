/* Pools: what is left of a text cannot be made smaller by any patch, and nothing is asked
 * twice on the way. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "engine/pool.h"
#include "support/pool_subject.h"
#include "text/order.h"
#include "unit/alloc_sweep.h"

enum { MOST_TESTS = 4000 };

/* What was asked, and what came of it. */
struct run {
    size_t n;
    pare_digest asked[MOST_TESTS];
    unsigned char best[2 * MOST_CELLS];
    size_t size;
};

static pare_strategy *copy_of(const pare_strategy *pool)
{
    pare_strategy *copy = NULL;
    assert_int_equal(pool->ops->copy(pool, &copy, NULL), PARE_OK);
    return copy;
}

/* Asks a copy for a while, telling it nonsense. */
static void lead_astray(const pare_strategy *pool, pare_random *random)
{
    pare_candidate candidate = {0};
    pare_strategy *copy = copy_of(pool);
    for (uint64_t left = pare_random_below(random, 6); left > 0; left--) {
        pare_next what;
        assert_int_equal(copy->ops->next(copy, &what, &candidate, NULL), PARE_OK);
        if (what == PARE_NEXT_DONE) break;
        pare_outcome outcome = pare_random_below(random, 2) ? PARE_FAIL : PARE_PASS;
        assert_int_equal(copy->ops->tell(copy, outcome, NULL), PARE_OK);
    }
    pare_candidate_done(&candidate);
    pare_strategy_free(copy);
}

static void run_pool(const struct subject *subject, pare_patches *patches,
                     const pare_pool_options *options, pare_random *stray, struct run *run)
{
    pare_strategy *pool = NULL;
    pare_candidate candidate = {0};
    run->n = 0;
    run->size = 2 * subject->n;
    pare_text_read(patches->text, 0, run->size, run->best);
    assert_int_equal(pare_pool_strategy_new(patches, options, &pool, NULL), PARE_OK);
    for (;;) {
        unsigned char bytes[2 * MOST_CELLS];
        pare_next what;
        if (stray) lead_astray(pool, stray);
        assert_int_equal(pool->ops->next(pool, &what, &candidate, NULL), PARE_OK);
        if (what == PARE_NEXT_DONE) break;
        assert_true(run->n < MOST_TESTS);
        run->asked[run->n++] = pare_candidate_digest(&candidate);
        pare_candidate_read(&candidate, bytes);
        bool fails = still_fails(subject, bytes, candidate.size);
        if (fails) {
            run->size = candidate.size;
            memcpy(run->best, bytes, candidate.size);
        }
        assert_int_equal(pool->ops->tell(pool, fails ? PARE_FAIL : PARE_PASS, NULL), PARE_OK);
    }
    pare_candidate_done(&candidate);
    pare_strategy_free(pool);
}

static void assert_nothing_was_asked_twice(const struct run *run)
{
    for (size_t i = 0; i < run->n; i++)
        for (size_t k = 0; k < i; k++)
            assert_false(pare_digest_equal(run->asked[i], run->asked[k]));
}

static const pare_pool_options VARIANTS[] = {
    {.sweep = true, .shorter = true},
    {.sweep = true, .shorter = true, .together = true},
    {.sweep = true, .shorter = true, .group = 1},
    {.sweep = true, .group = 5, .together = true},
    {.sweep = true, .shorter = true, .order = PARE_POOL_LISTED},
};
enum { N_VARIANTS = sizeof VARIANTS / sizeof *VARIANTS };

static struct run here, there;

static void test_pool__the_result_is_minimal_and_nothing_is_asked_twice(void **state)
{
    (void)state;
    pare_random random;
    pare_random_init(&random, 5);
    for (size_t round = 0; round < 600; round++) {
        struct subject subject;
        make_subject(&subject, &random, 1 + pare_random_below(&random, MOST_CELLS));
        pare_patches *patches = make_patches(subject.n, round % 2);
        run_pool(&subject, patches, &VARIANTS[round % N_VARIANTS], NULL, &here);
        assert_true(still_fails(&subject, here.best, here.size));
        assert_minimal(&subject, here.best, here.size);
        assert_nothing_was_asked_twice(&here);
        pare_patches_unref(patches);
    }
}

/* The least size that any set of cells and dots can have, of at most 8 cells. */
static size_t least_size(const struct subject *subject)
{
    size_t least = 2 * subject->n;
    for (unsigned set = 0; set < 1u << (2 * subject->n); set++) {
        unsigned char bytes[2 * MOST_CELLS];
        size_t size = 0;
        for (size_t i = 0; i < subject->n; i++) {
            if (!(set >> (2 * i) & 1)) continue;
            bytes[size++] = (unsigned char)(128 + i);
            if (set >> (2 * i + 1) & 1) bytes[size++] = '.';
        }
        if (size < least && still_fails(subject, bytes, size)) least = size;
    }
    return least;
}

static void test_pool__finds_the_least_where_brute_force_does(void **state)
{
    (void)state;
    pare_random random;
    pare_random_init(&random, 8);
    for (size_t round = 0; round < 60; round++) {
        struct subject subject;
        make_subject(&subject, &random, 1 + pare_random_below(&random, 6));
        pare_patches *patches = make_patches(subject.n, round % 2);
        run_pool(&subject, patches, &VARIANTS[round % N_VARIANTS], NULL, &here);
        /* Needs are circular nowhere, so what is minimal is the least there is. */
        assert_int_equal(here.size, least_size(&subject));
        pare_patches_unref(patches);
    }
}

static void test_pool__a_copy_changes_nothing_of_the_original(void **state)
{
    (void)state;
    pare_random random;
    pare_random_init(&random, 21);
    for (size_t round = 0; round < 200; round++) {
        struct subject subject;
        make_subject(&subject, &random, 1 + pare_random_below(&random, MOST_CELLS));
        pare_patches *patches = make_patches(subject.n, round % 2);
        run_pool(&subject, patches, &VARIANTS[round % N_VARIANTS], NULL, &here);
        run_pool(&subject, patches, &VARIANTS[round % N_VARIANTS], &random, &there);
        assert_int_equal(here.n, there.n);
        assert_memory_equal(here.asked, there.asked, here.n * sizeof *here.asked);
        assert_int_equal(here.size, there.size);
        pare_patches_unref(patches);
    }
}

static void test_pool__what_can_all_go_goes_in_one_test(void **state)
{
    (void)state;
    struct subject subject = {.n = MOST_CELLS};
    memset(subject.needs, -1, sizeof subject.needs);
    pare_patches *patches = make_patches(MOST_CELLS, false);
    run_pool(&subject, patches, &(pare_pool_options){.together = true, .sweep = true}, NULL, &here);
    assert_int_equal(here.n, 1);
    assert_int_equal(here.size, 0);
    run_pool(&subject, patches, &(pare_pool_options){.sweep = true}, NULL, &here);
    assert_in_range(here.n, 3, 12);
    pare_patches_unref(patches);
}

static void test_pool__where_nothing_can_go_each_patch_costs_one_test(void **state)
{
    (void)state;
    struct subject subject = {.n = MOST_CELLS};
    memset(subject.needs, -1, sizeof subject.needs);
    memset(subject.needed, true, sizeof subject.needed);
    memset(subject.dotted, true, sizeof subject.dotted);
    pare_patches *patches = make_patches(MOST_CELLS, false);
    run_pool(&subject, patches, &(pare_pool_options){.sweep = true}, NULL, &here);
    assert_int_equal(here.n, 2 * MOST_CELLS);
    pare_patches_unref(patches);
}

static void test_pool__an_empty_list_is_done_at_once(void **state)
{
    (void)state;
    struct subject subject = {.n = 3};
    pare_patches *patches = make_patches(3, false);
    pare_patches *none = NULL;
    assert_int_equal(pare_patches_new(patches->text, &none, NULL), PARE_OK);
    run_pool(&subject, none, &VARIANTS[1], NULL, &here);
    assert_int_equal(here.n, 0);
    pare_patches_unref(none);
    pare_patches_unref(patches);
}

/* Every byte may become any of two others, and what was told to fail is any text. */
static void test_pool__goes_down_in_the_order_only(void **state)
{
    (void)state;
    static const char *const others[] = {"0", "a", "zz", ""};
    pare_text *text = NULL;
    pare_patches *patches = NULL;
    pare_strategy *pool = NULL;
    pare_candidate candidate = {0}, best = {0};
    pare_random random;
    pare_random_init(&random, 9);
    for (size_t round = 0; round < 200; round++) {
        assert_int_equal(pare_text_copy("q9;x Z(k", 8, &text, NULL), PARE_OK);
        assert_int_equal(pare_patches_new(text, &patches, NULL), PARE_OK);
        for (size_t i = 0; i < 8; i++) {
            for (size_t k = 0; k < 4; k++) {
                const char *other = others[k];
                assert_int_equal(pare_patches_change(patches, i, i + 1, other, strlen(other), NULL),
                                 PARE_OK);
                end(patches, PARE_NO_PATCH, NULL);
            }
        }
        pare_candidate_start(&best, text);
        assert_int_equal(pare_candidate_slice(&best, 0, 8, NULL), PARE_OK);
        assert_int_equal(
            pare_pool_strategy_new(patches, &VARIANTS[round % N_VARIANTS], &pool, NULL), PARE_OK);
        for (;;) {
            pare_next what;
            int order = 0;
            assert_int_equal(pool->ops->next(pool, &what, &candidate, NULL), PARE_OK);
            if (what == PARE_NEXT_DONE) break;
            assert_int_equal(pare_order_compare(&candidate, &best, &order, NULL), PARE_OK);
            if (VARIANTS[round % N_VARIANTS].shorter) assert_true(order < 0);
            bool fails = pare_random_below(&random, 4) == 0;
            if (fails) assert_int_equal(pare_candidate_copy(&best, &candidate, NULL), PARE_OK);
            assert_int_equal(pool->ops->tell(pool, fails ? PARE_FAIL : PARE_PASS, NULL), PARE_OK);
        }
        pare_strategy_free(pool);
        pare_patches_unref(patches);
        pare_text_unref(text);
    }
    pare_candidate_done(&candidate);
    pare_candidate_done(&best);
}

static bool admit_even(const pare_candidate *candidate)
{
    return candidate->size % 2 == 0;
}

static pare_status admits_even(const void *context, const pare_candidate *candidate, bool *admitted,
                               pare_error *err)
{
    (void)context;
    (void)err;
    *admitted = admit_even(candidate);
    return PARE_OK;
}

static void test_pool__asks_only_for_what_is_admitted(void **state)
{
    (void)state;
    struct subject subject = {.n = 20};
    pare_strategy *pool = NULL;
    pare_candidate candidate = {0};
    memset(subject.needs, -1, sizeof subject.needs);
    pare_patches *patches = make_patches(20, true);
    const pare_pool_options options = {.sweep = true, .admits = admits_even};
    assert_int_equal(pare_pool_strategy_new(patches, &options, &pool, NULL), PARE_OK);
    for (size_t n = 0;; n++) {
        pare_next what;
        assert_int_equal(pool->ops->next(pool, &what, &candidate, NULL), PARE_OK);
        if (what == PARE_NEXT_DONE) break;
        assert_true(admit_even(&candidate));
        assert_int_equal(pool->ops->tell(pool, n % 3 ? PARE_PASS : PARE_FAIL, NULL), PARE_OK);
    }
    pare_candidate_done(&candidate);
    pare_strategy_free(pool);
    pare_patches_unref(patches);
}

/* ---- memory ----------------------------------------------------------------------- */

static pare_status attempt(void *context)
{
    pare_strategy *pool = NULL, *copy = NULL;
    pare_candidate candidate = {0};
    pare_next what = PARE_NEXT_TEST;
    pare_status status = pare_pool_strategy_new(context, &VARIANTS[1], &pool, NULL);
    for (int i = 0; !status && what == PARE_NEXT_TEST; i++) {
        status = pool->ops->next(pool, &what, &candidate, NULL);
        if (status || what == PARE_NEXT_DONE) break;
        if (i == 3) status = pool->ops->copy(pool, &copy, NULL);
        if (!status) status = pool->ops->tell(pool, i % 2 ? PARE_FAIL : PARE_PASS, NULL);
    }
    pare_candidate_done(&candidate);
    pare_strategy_free(copy);
    pare_strategy_free(pool);
    return status;
}

static void test_pool__every_allocation_may_fail(void **state)
{
    (void)state;
    pare_patches *patches = make_patches(9, true);
    sweep_allocations(attempt, patches);
    pare_patches_unref(patches);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pool__the_result_is_minimal_and_nothing_is_asked_twice),
        cmocka_unit_test(test_pool__finds_the_least_where_brute_force_does),
        cmocka_unit_test(test_pool__a_copy_changes_nothing_of_the_original),
        cmocka_unit_test(test_pool__what_can_all_go_goes_in_one_test),
        cmocka_unit_test(test_pool__where_nothing_can_go_each_patch_costs_one_test),
        cmocka_unit_test(test_pool__goes_down_in_the_order_only),
        cmocka_unit_test(test_pool__asks_only_for_what_is_admitted),
        cmocka_unit_test(test_pool__an_empty_list_is_done_at_once),
        cmocka_unit_test(test_pool__every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
