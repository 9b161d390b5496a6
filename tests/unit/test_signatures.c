/* Signatures of other failures: numbers are given once, and outlive the process. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "engine/signatures.h"
#include "unit/alloc_sweep.h"

static uint16_t number_of(pare_signatures *signatures, const char *text, bool is_new)
{
    uint16_t number = UINT16_MAX;
    bool was_new = !is_new;
    assert_int_equal(pare_signatures_number(signatures, text, &number, &was_new, NULL), PARE_OK);
    assert_int_equal(was_new, is_new);
    return number;
}

static void test_signatures__are_numbered_from_1_in_the_order_met(void **state)
{
    (void)state;
    pare_signatures signatures = {0};
    assert_int_equal(number_of(&signatures, "signal 11", true), 1);
    assert_int_equal(number_of(&signatures, "signal 6", true), 2);
    assert_int_equal(number_of(&signatures, "signal 11", false), 1);
    assert_string_equal(pare_signatures_text(&signatures, 1), "signal 11");
    assert_string_equal(pare_signatures_text(&signatures, 2), "signal 6");
    assert_null(pare_signatures_text(&signatures, 0));
    assert_null(pare_signatures_text(&signatures, 3));
    pare_signatures_done(&signatures);
}

static void test_signatures__above_the_limit_have_number_0(void **state)
{
    (void)state;
    pare_signatures signatures = {0};
    char text[32];
    for (int i = 0; i < PARE_SIGNATURES_MAX; i++) {
        (void)snprintf(text, sizeof text, "exit %d", i);
        assert_int_equal(number_of(&signatures, text, true), i + 1);
    }
    assert_int_equal(number_of(&signatures, "one more", false), 0);
    assert_int_equal(number_of(&signatures, "exit 7", false), 8);
    pare_signatures_done(&signatures);
}

static void load(pare_signatures *signatures, const char *text, bool first, bool last)
{
    const pare_signature_piece piece = {text, strlen(text), first, last};
    assert_int_equal(pare_signatures_load(signatures, &piece, NULL), PARE_OK);
}

static void test_signatures__come_back_from_pieces_with_their_numbers(void **state)
{
    (void)state;
    pare_signatures signatures = {0};
    load(&signatures, "exit 1", true, true);
    load(&signatures, "a text that was never ", true, false); /* its process was killed */
    load(&signatures, "assertion ", true, false);
    load(&signatures, "failed: ", false, false);
    load(&signatures, "x > 0", false, true);
    assert_int_equal(signatures.n, 2);
    assert_int_equal(number_of(&signatures, "assertion failed: x > 0", false), 2);
    assert_int_equal(number_of(&signatures, "exit 1", false), 1);
    pare_signatures_done(&signatures);
}

static pare_status attempt(void *context)
{
    pare_signatures signatures = {0};
    uint16_t number;
    bool is_new;
    const pare_signature_piece piece = {"signal 6", 8, true, true};
    (void)context;
    pare_status status = pare_signatures_number(&signatures, "exit 1", &number, &is_new, NULL);
    if (!status) status = pare_signatures_load(&signatures, &piece, NULL);
    pare_signatures_done(&signatures);
    return status;
}

static void test_signatures__every_allocation_may_fail(void **state)
{
    (void)state;
    sweep_allocations(attempt, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_signatures__are_numbered_from_1_in_the_order_met),
        cmocka_unit_test(test_signatures__above_the_limit_have_number_0),
        cmocka_unit_test(test_signatures__come_back_from_pieces_with_their_numbers),
        cmocka_unit_test(test_signatures__every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
