/* The outcome cache. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "engine/cache.h"

static pare_digest key(uint64_t i)
{
    return (pare_digest){.high = i * 3, .low = i % 16}; /* many collisions */
}

static pare_cache *new_cache(size_t capacity)
{
    pare_cache *cache = NULL;
    assert_int_equal(pare_cache_new(capacity, &cache, NULL), PARE_OK);
    return cache;
}

static void put(pare_cache *cache, uint64_t i, size_t size_bytes, pare_outcome outcome)
{
    pare_cache_put(cache, key(i), size_bytes, (pare_known){.outcome = outcome});
}

/* Enough for a table that has grown once, from 1024 slots of which three in four are taken: each look-up goes
 * through all that collides. */
enum { N_GROWN = 800 };

static void test_cache__keeps_colliding_keys_apart(void **state)
{
    (void)state;
    pare_cache *cache = new_cache(100000);
    for (uint64_t i = 0; i < N_GROWN; i++)
        put(cache, i, 10, i % 3 == 0 ? PARE_FAIL : i % 3 == 1 ? PARE_PASS : PARE_UNRESOLVED);
    assert_int_equal(pare_cache_count(cache), N_GROWN);
    for (uint64_t i = 0; i < N_GROWN; i++) {
        const pare_known *known = pare_cache_get(cache, key(i));
        assert_non_null(known);
        assert_int_equal(known->outcome, i % 3 == 0   ? PARE_FAIL
                                         : i % 3 == 1 ? PARE_PASS
                                                      : PARE_UNRESOLVED);
    }
    assert_null(pare_cache_get(cache, key(N_GROWN)));
    pare_cache_free(cache);
}

static void test_cache__replaces_an_older_outcome(void **state)
{
    (void)state;
    pare_cache *cache = new_cache(10);
    put(cache, 1, 10, PARE_PASS);
    put(cache, 1, 10, PARE_FAIL);
    assert_int_equal(pare_cache_count(cache), 1);
    assert_int_equal(pare_cache_get(cache, key(1))->outcome, PARE_FAIL);
    pare_cache_free(cache);
}

static void test_cache__evicts_first_what_cannot_recur(void **state)
{
    (void)state;
    enum { CAPACITY = 300, LARGE = 200, MORE = 50 };
    pare_cache *cache = new_cache(CAPACITY);
    for (uint64_t i = 0; i < CAPACITY; i++)
        put(cache, i, i < LARGE ? 100 : 5, PARE_PASS);
    pare_cache_bound(cache, 100);
    for (uint64_t i = CAPACITY; i < CAPACITY + MORE; i++)
        put(cache, i, 5, PARE_PASS);
    for (uint64_t i = 0; i < LARGE; i++)
        assert_null(pare_cache_get(cache, key(i)));
    for (uint64_t i = LARGE; i < CAPACITY + MORE; i++)
        assert_non_null(pare_cache_get(cache, key(i)));
    pare_cache_free(cache);
}

static void test_cache__stays_within_its_capacity(void **state)
{
    (void)state;
    pare_cache *cache = new_cache(200);
    for (uint64_t i = 0; i < 1000; i++) {
        put(cache, i, 5, PARE_PASS);
        pare_known *known = pare_cache_get(cache, key(i));
        if (known) known->retired = true;
        assert_true(pare_cache_count(cache) <= 200);
    }
    pare_cache_free(cache);
}

static void test_cache__new_refuses_capacities_out_of_range(void **state)
{
    (void)state;
    pare_cache *cache = NULL;
    pare_error err = {.status = PARE_OK};
    assert_int_equal(pare_cache_new(0, &cache, &err), PARE_E_ARG);
    assert_int_equal(err.status, PARE_E_ARG);
    assert_int_equal(pare_cache_new(((size_t)1 << 30) + 1, &cache, NULL), PARE_E_ARG);
    assert_null(cache);
}

static void test_cache__out_of_memory_forgets_but_never_lies(void **state)
{
    (void)state;
    long live = pare_alloc_live();
    for (size_t n = 0; n < 2; n++) {
        pare_cache *cache = NULL;
        pare_alloc_fault_after(n);
        assert_int_equal(pare_cache_new(10, &cache, NULL), PARE_E_NOMEM);
        assert_null(cache);
        pare_alloc_fault_after(SIZE_MAX);
    }
    pare_cache *cache = new_cache(100000);
    for (uint64_t i = 0; i < N_GROWN; i++) {
        pare_alloc_fault_after(0);
        put(cache, i, 5, i & 1 ? PARE_FAIL : PARE_PASS);
        pare_alloc_fault_after(SIZE_MAX);
    }
    for (uint64_t i = 0; i < N_GROWN; i++) {
        const pare_known *known = pare_cache_get(cache, key(i));
        if (known) assert_int_equal(known->outcome, i & 1 ? PARE_FAIL : PARE_PASS);
    }
    pare_cache_free(cache);
    assert_int_equal(pare_alloc_live(), live);
}

static void test_cache__forgets_one_outcome_and_no_other(void **state)
{
    (void)state;
    pare_cache *cache = NULL;
    assert_int_equal(pare_cache_new(4096, &cache, NULL), PARE_OK);
    for (uint64_t i = 0; i < 2000; i++)
        pare_cache_put(cache, (pare_digest){.high = i, .low = i * 77}, 10,
                       (pare_known){.outcome = i % 3 ? PARE_PASS : PARE_FAIL, .retired = true});
    assert_int_equal(pare_cache_forget(cache, PARE_FAIL, NULL), PARE_OK);
    for (uint64_t i = 0; i < 2000; i++) {
        const pare_known *known = pare_cache_get(cache, (pare_digest){.high = i, .low = i * 77});
        assert_int_equal(known != NULL, i % 3 != 0);
        if (known) assert_true(known->outcome == PARE_PASS && known->retired);
    }
    assert_int_equal(pare_cache_count(cache), 1333);
    pare_cache_free(cache);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cache__keeps_colliding_keys_apart),
        cmocka_unit_test(test_cache__replaces_an_older_outcome),
        cmocka_unit_test(test_cache__evicts_first_what_cannot_recur),
        cmocka_unit_test(test_cache__stays_within_its_capacity),
        cmocka_unit_test(test_cache__new_refuses_capacities_out_of_range),
        cmocka_unit_test(test_cache__out_of_memory_forgets_but_never_lies),
        cmocka_unit_test(test_cache__forgets_one_outcome_and_no_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
