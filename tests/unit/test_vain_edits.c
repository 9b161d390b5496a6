/* Edits in vain are known again while what stands beside them is the same. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "engine/vain_edits.h"
#include "text/text.h"
#include "unit/alloc_sweep.h"

/* `text` without bytes begin .. end, with `came` in their place; the caller ends it. */
static void make(pare_candidate *candidate, const char *text, size_t begin, size_t end,
                 const char *came)
{
    pare_text *base = NULL;
    assert_int_equal(pare_text_copy(text, strlen(text), &base, NULL), PARE_OK);
    *candidate = (pare_candidate){0};
    pare_candidate_start(candidate, base);
    assert_int_equal(pare_candidate_slice(candidate, 0, begin, NULL), PARE_OK);
    assert_int_equal(pare_candidate_literal(candidate, came, strlen(came), NULL), PARE_OK);
    assert_int_equal(pare_candidate_slice(candidate, end, strlen(text) - end, NULL), PARE_OK);
    pare_text_unref(base);
}

/* 30 bytes before the place, 30 after it. */
#define BEFORE "abcdefghijklmnopqrstuvwxyz0123"
#define AFTER "ABCDEFGHIJKLMNOPQRSTUVWXYZ4567"

static void test_vain_edits__are_known_by_place_and_neighbours(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t begin, end;
        const char *came;
        bool known;
    } cases[] = {
        {BEFORE "<x>" AFTER, 30, 33, "", true},
        {"more" BEFORE "<x>" AFTER "more", 34, 37, "", true}, /* elsewhere */
        {"-" BEFORE "<x>" AFTER, 31, 34, "y", false},         /* something else came */
        {BEFORE "<y>" AFTER, 30, 33, "", false},              /* something else went */
        {BEFORE "<x>" AFTER, 30, 32, "", false},
        {BEFORE "?<x>" AFTER, 31, 34, "", false}, /* something new beside it */
        {BEFORE "<x>?" AFTER, 30, 33, "", false},
        {BEFORE "<x>", 30, 33, "", false}, /* at the end now */
    };
    pare_vain_edits edits = {0};
    pare_candidate first, other;
    make(&first, cases[0].text, cases[0].begin, cases[0].end, cases[0].came);
    assert_int_equal(pare_vain_edits_add(&edits, &first, NULL), PARE_OK);
    assert_false(pare_vain_edits_has(&edits, &first)); /* not before it is settled */
    assert_int_equal(pare_vain_edits_settle(&edits, NULL), PARE_OK);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        make(&other, cases[i].text, cases[i].begin, cases[i].end, cases[i].came);
        assert_int_equal(pare_vain_edits_has(&edits, &other), cases[i].known);
        pare_candidate_done(&other);
    }
    pare_candidate_done(&first);
    pare_vain_edits_done(&edits);
}

/* A move has slices out of order. */
static void test_vain_edits__tell_moves_apart(void **state)
{
    (void)state;
    pare_text *base = NULL;
    pare_vain_edits edits = {0};
    pare_candidate swapped = {0}, other = {0};
    assert_int_equal(pare_text_copy("one two three", 13, &base, NULL), PARE_OK);
    pare_candidate_start(&swapped, base);
    assert_int_equal(pare_candidate_slice(&swapped, 4, 4, NULL), PARE_OK);
    assert_int_equal(pare_candidate_slice(&swapped, 0, 4, NULL), PARE_OK);
    assert_int_equal(pare_candidate_slice(&swapped, 8, 5, NULL), PARE_OK);
    pare_candidate_start(&other, base);
    assert_int_equal(pare_candidate_slice(&other, 4, 4, NULL), PARE_OK);
    assert_int_equal(pare_candidate_slice(&other, 8, 5, NULL), PARE_OK);
    assert_int_equal(pare_vain_edits_add(&edits, &swapped, NULL), PARE_OK);
    assert_int_equal(pare_vain_edits_settle(&edits, NULL), PARE_OK);
    assert_true(pare_vain_edits_has(&edits, &swapped));
    assert_false(pare_vain_edits_has(&edits, &other));
    pare_candidate_done(&other);
    pare_candidate_done(&swapped);
    pare_text_unref(base);
    pare_vain_edits_done(&edits);
}

static pare_status add_one(void *context)
{
    pare_vain_edits edits = {0};
    pare_status status = pare_vain_edits_add(&edits, context, NULL);
    if (!status) status = pare_vain_edits_settle(&edits, NULL);
    pare_vain_edits_done(&edits);
    return status;
}

static void test_vain_edits__out_of_memory_is_a_clean_error(void **state)
{
    (void)state;
    pare_candidate candidate;
    make(&candidate, "some text", 2, 4, "x");
    sweep_allocations(add_one, &candidate);
    pare_candidate_done(&candidate);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vain_edits__are_known_by_place_and_neighbours),
        cmocka_unit_test(test_vain_edits__tell_moves_apart),
        cmocka_unit_test(test_vain_edits__out_of_memory_is_a_clean_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
