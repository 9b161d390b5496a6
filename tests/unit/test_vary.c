/* What may vary, against oracles that are known: ranges, names, strings, operators; parts by hand;
 * copies; allocation. */
/* tests: src/explain/parts.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <pare/explain.h>

#include "alloc_sweep.h"
#include "explain/parts.h"
#include "explain/vary.h"

enum { MOST_BYTES = 8192, MOST_TESTS = 150 };

/* There is no tree. */
static const pare_parts_syntax plain = {.tree = NULL};

static pare_span span_of(const char *text)
{
    return (pare_span){(const unsigned char *)text, strlen(text)};
}

/* ---- oracles -------------------------------------------------------------------------- */

typedef bool (*fails_fn)(const char *text);

/* "n=NUMBER;" with a number of some range. */
static uint64_t low_end, high_end;

static bool in_range(const char *text)
{
    char *end;
    if (strncmp(text, "n=", 2) != 0) return false;
    const uint64_t value = strtoull(text + 2, &end, 10);
    return strcmp(end, ";") == 0 && value >= low_end && value <= high_end;
}

static bool is_odd_or_small(const char *text)
{
    const uint64_t value = in_range(text) ? strtoull(text + 2, NULL, 10) : 0;
    return in_range(text) && (value % 2 || value < 20);
}

/* One of the first numbers that are tried passes, far from 50. */
static bool is_not_29(const char *text)
{
    return in_range(text) && strtoull(text + 2, NULL, 10) != 29;
}

/* "x(NAME,NAME)" with the same name twice. */
static bool names_are_same(const char *text)
{
    const char *comma = strchr(text, ',');
    const size_t size = comma ? (size_t)(comma - text) - 2 : 0;
    return strncmp(text, "x(", 2) == 0 && comma && strncmp(comma + 1, text + 2, size) == 0 &&
           strcmp(comma + 1 + size, ")") == 0;
}

/* Tells the strategy until it is done; counts tests. */
static unsigned answer_all(pare_strategy *vary, fails_fn fails)
{
    for (unsigned n = 0;; n++) {
        char text[MOST_BYTES] = {0};
        pare_next what = PARE_NEXT_TEST;
        pare_candidate candidate = {0};
        assert_int_equal(vary->ops->next(vary, &what, &candidate, NULL), PARE_OK);
        assert_true(candidate.size < sizeof text);
        if (what == PARE_NEXT_TEST) pare_candidate_read(&candidate, text);
        pare_candidate_done(&candidate);
        if (what == PARE_NEXT_DONE) return n;
        assert_true(n < 1000);
        const pare_outcome outcome = fails(text) ? PARE_FAIL : PARE_PASS;
        assert_int_equal(vary->ops->tell(vary, outcome, NULL), PARE_OK);
    }
}

/* What is known of a text in the end. */
struct known {
    pare_text *text;
    pare_parts parts;
    pare_strategy *vary;
    unsigned tests;
};

static void vary_text(struct known *known, const char *text, fails_fn fails)
{
    assert_int_equal(pare_text_copy(text, strlen(text), &known->text, NULL), PARE_OK);
    assert_int_equal(pare_parts_make(span_of(text), &plain, &known->parts, NULL), PARE_OK);
    assert_int_equal(pare_vary_new(known->text, &known->parts, MOST_TESTS, &known->vary, NULL),
                     PARE_OK);
    known->tests = fails ? answer_all(known->vary, fails) : 0;
}

static void forget(struct known *known)
{
    pare_strategy_free(known->vary);
    pare_parts_done(&known->parts);
    pare_text_unref(known->text);
    *known = (struct known){.tests = 0};
}

/* The only part of a kind. */
static size_t find_part(const pare_parts *parts, pare_part_kind kind)
{
    size_t found = parts->n;
    for (size_t k = 0; k < parts->n; k++) {
        if (parts->parts[k].kind != kind) continue;
        assert_int_equal(found, parts->n);
        found = k;
    }
    assert_true(found < parts->n);
    return found;
}

/* ---- ranges --------------------------------------------------------------------------- */

static pare_answer find_range(uint64_t value, uint64_t low, uint64_t high)
{
    char text[40];
    struct known known = {.tests = 0};
    low_end = low;
    high_end = high;
    (void)snprintf(text, sizeof text, "n=%llu;", (unsigned long long)value);
    assert_true(in_range(text));
    vary_text(&known, text, in_range);
    const pare_answer answer =
        pare_vary_answer(known.vary, find_part(&known.parts, PARE_PART_WHOLE));
    assert_true(known.tests < 200);
    forget(&known);
    return answer;
}

/* Samples of a number without an end, its confirmation (59) included. */
enum { N_WITHOUT_END = 80 };

/* Every range around every value, as far as they are small. */
static void test_vary__finds_the_ends_of_every_small_range(void **state)
{
    (void)state;
    for (uint64_t low = 0; low < 12; low++)
        for (uint64_t high = low; high < 24; high++)
            for (uint64_t value = low; value <= high; value++) {
                const pare_answer answer = find_range(value, low, high);
                if (low == high) {
                    assert_int_equal(answer.verdict, PARE_PART_NEEDED);
                    continue;
                }
                assert_int_equal(answer.verdict, PARE_PART_RANGE);
                assert_int_equal(answer.has_low, low > 0);
                if (low) assert_int_equal(answer.low, low);
                assert_true(answer.has_high);
                assert_int_equal(answer.high, high);
            }
}

static void test_vary__finds_thresholds_of_types(void **state)
{
    (void)state;
    pare_answer answer = find_range(2147483648, 2147483648, UINT64_MAX);
    assert_int_equal(answer.verdict, PARE_PART_RANGE);
    assert_true(answer.has_low && !answer.has_high);
    assert_int_equal(answer.low, 2147483648);
    assert_true(answer.samples < N_WITHOUT_END);
    answer = find_range(29, 29, 31);
    assert_int_equal(answer.low, 29);
    assert_int_equal(answer.high, 31);
    answer = find_range(5, 0, UINT64_C(999999999));
    assert_false(answer.has_low);
    assert_int_equal(answer.high, UINT64_C(999999999));
    answer = find_range(5, 0, UINT64_MAX);
    assert_int_equal(answer.verdict, PARE_PART_ANY);
    assert_int_equal(answer.fails, answer.samples);
}

/* What fails here and there is no range. */
static void test_vary__claims_no_range_with_holes(void **state)
{
    struct known known = {.tests = 0};
    (void)state;
    low_end = 0;
    high_end = UINT64_MAX;
    vary_text(&known, "n=11;", is_odd_or_small);
    const size_t part = find_part(&known.parts, PARE_PART_WHOLE);
    assert_int_equal(pare_vary_answer(known.vary, part).verdict, PARE_PART_NEEDED);
    forget(&known);
}

/* No number above or below is an end, so the one that passes is inside. */
static void test_vary__claims_no_range_without_ends_in_which_a_sample_passed(void **state)
{
    struct known known = {.tests = 0};
    (void)state;
    low_end = 0;
    high_end = UINT64_MAX;
    vary_text(&known, "n=50;", is_not_29);
    const pare_answer answer =
        pare_vary_answer(known.vary, find_part(&known.parts, PARE_PART_WHOLE));
    assert_int_equal(answer.verdict, PARE_PART_NEEDED);
    assert_true(answer.fails < answer.samples);
    forget(&known);
}

/* "n=NUMBER;" in the range, but for one number. */
static uint64_t hole;

static bool in_range_but_one(const char *text)
{
    return in_range(text) && strtoull(text + 2, NULL, 10) != hole;
}

/* A range that is claimed of `value` has no hole: it may end beside it, or there is none. */
static pare_answer find_range_with_hole(uint64_t value, uint64_t low, uint64_t high)
{
    char text[40];
    struct known known = {.tests = 0};
    low_end = low;
    high_end = high;
    (void)snprintf(text, sizeof text, "n=%llu;", (unsigned long long)value);
    vary_text(&known, text, in_range_but_one);
    const size_t part = find_part(&known.parts, PARE_PART_WHOLE);
    const pare_answer answer = pare_vary_answer(known.vary, part);
    if (answer.verdict == PARE_PART_NEEDED) assert_true(answer.has_passing);
    forget(&known);
    return answer;
}

/* 29 is among the first samples; what is claimed of 50 is "from 10 on" without it. */
static void test_vary__claims_no_range_with_an_end_in_which_a_sample_passed(void **state)
{
    (void)state;
    hole = 29;
    pare_answer answer = find_range_with_hole(50, 10, UINT64_MAX);
    assert_int_equal(answer.verdict, PARE_PART_NEEDED);
    assert_true(answer.fails && answer.fails < answer.samples);
    answer = find_range_with_hole(50, 10, 100000);
    assert_int_equal(answer.verdict, PARE_PART_NEEDED);
    answer = find_range_with_hole(50, 0, 100000);
    assert_int_equal(answer.verdict, PARE_PART_NEEDED);
}

/* A short range is tried in full, so no hole is missed, wherever it is. */
static void test_vary__claims_no_short_range_with_a_hole(void **state)
{
    (void)state;
    for (hole = 11; hole <= 45; hole++) {
        const pare_answer answer = find_range_with_hole(hole == 28 ? 30 : 28, 10, 46);
        if (answer.verdict == PARE_PART_NEEDED) continue;
        assert_int_equal(answer.verdict, PARE_PART_RANGE);
        assert_true(hole < answer.low || hole > answer.high);
    }
    hole = 0;
    assert_int_equal(find_range_with_hole(28, 10, 46).verdict, PARE_PART_RANGE);
}

/* ---- names, and all at once ----------------------------------------------------------- */

static void test_vary__renames_all_places_of_a_name(void **state)
{
    struct known known = {.tests = 0};
    pare_buffer pattern = {0};
    (void)state;
    vary_text(&known, "x(abc,abc)", names_are_same);
    assert_int_equal(known.parts.n, 2);
    assert_int_equal(known.parts.parts[1].n_places, 2);
    assert_int_equal(pare_vary_answer(known.vary, 0).verdict, PARE_PART_NEEDED);
    assert_int_equal(pare_vary_answer(known.vary, 1).verdict, PARE_PART_RENAME);
    assert_int_equal(pare_vary_together(known.vary).n_first, 1); /* it is one part */
    assert_int_equal(pare_vary_pattern(known.vary, &pattern, NULL), PARE_OK);
    assert_int_equal(pattern.size, strlen("x(<name>,<name>)"));
    assert_memory_equal(pattern.data, "x(<name>,<name>)", pattern.size);
    pare_buffer_done(&pattern);
    forget(&known);
}

static bool always(const char *text)
{
    (void)text;
    return true;
}

/* As long as not both are changed. */
static bool one_is_left(const char *text)
{
    return strstr(text, "left") || strstr(text, "right");
}

static void test_vary__tells_whether_all_may_vary_at_once(void **state)
{
    struct known known = {.tests = 0};
    (void)state;
    vary_text(&known, "left + right + 12 + \"text\"", always);
    pare_vary_groups groups = pare_vary_together(known.vary);
    assert_true(groups.is_known);
    assert_int_equal(groups.n, 1);
    assert_int_equal(groups.n_first, known.parts.n);
    assert_int_equal(groups.fails, groups.samples);
    forget(&known);
    vary_text(&known, "left right", one_is_left);
    assert_int_equal(pare_vary_answer(known.vary, 0).verdict, PARE_PART_RENAME);
    assert_int_equal(pare_vary_answer(known.vary, 1).verdict, PARE_PART_RENAME);
    groups = pare_vary_together(known.vary);
    assert_int_equal(groups.n, 2);
    assert_int_equal(groups.n_first, 1);
    assert_int_equal(groups.n_alone, 0);
    forget(&known);
}

/* "(NAME NAME NAME ...)" where at most one of the 3rd and the 5th is another name. */
static bool third_or_fifth(const char *text)
{
    return strstr(text, "third") || strstr(text, "fifth");
}

static void test_vary__makes_the_largest_groups_of_what_may_vary_at_once(void **state)
{
    struct known known = {.tests = 0};
    (void)state;
    vary_text(&known, "first second third fourth fifth sixth", third_or_fifth);
    const pare_vary_groups groups = pare_vary_together(known.vary);
    assert_int_equal(groups.n, 2);
    assert_int_equal(groups.n_first, 5);
    for (size_t k = 0; k < known.parts.n; k++)
        assert_int_equal(pare_vary_answer(known.vary, k).group, k == 4 ? 2 : 1);
    assert_true(known.tests <= MOST_TESTS + 1);
    forget(&known);
}

/* ---- strings, and claims that are taken back ------------------------------------------- */

static bool is_long_string(const char *text)
{
    return strlen(text) >= low_end && strlen(text) <= high_end;
}

static void test_vary__finds_the_length_that_a_string_needs(void **state)
{
    struct known known = {.tests = 0};
    (void)state;
    low_end = 10 + 2;
    high_end = 17 + 2;
    vary_text(&known, "\"abcdefghijkl\"", is_long_string);
    const pare_answer answer = pare_vary_answer(known.vary, 0);
    assert_int_equal(answer.verdict, PARE_PART_RANGE);
    assert_int_equal(answer.low, 10);
    assert_int_equal(answer.high, 17);
    forget(&known);
}

/* As long as "two" in the sampler's table, but not of that text alone. */
static bool is_no_greeting(const char *text)
{
    return is_long_string(text) && strlen(text) != strlen("\"Hello world\"");
}

/* One length passes between others that fail. */
static void test_vary__claims_no_lengths_with_a_hole(void **state)
{
    struct known known = {.tests = 0};
    (void)state;
    low_end = 3 + 2;
    high_end = 200;
    vary_text(&known, "\"abcdefghijklmnopqr\"", is_no_greeting);
    const pare_answer answer = pare_vary_answer(known.vary, 0);
    if (answer.verdict == PARE_PART_RANGE)
        assert_true(answer.low > strlen("Hello world"));
    else
        assert_int_equal(answer.verdict, PARE_PART_NEEDED);
    forget(&known);
}

/* A long name with a capital passes: one of ten. */
static bool is_not_long_with_capital(const char *text)
{
    return text[0] > 'Z' || strlen(text) < 6;
}

static void test_vary__takes_back_what_does_not_hold(void **state)
{
    struct known known = {.tests = 0};
    pare_buffer passing = {0};
    (void)state;
    vary_text(&known, "name", is_not_long_with_capital);
    const pare_answer answer = pare_vary_answer(known.vary, 0);
    assert_int_equal(answer.verdict, PARE_PART_NEEDED);
    assert_true(answer.samples > 9 && answer.fails + 1 == answer.samples && answer.has_passing);
    assert_int_equal(pare_vary_passing(known.vary, 0, &passing, NULL), PARE_OK);
    assert_false(is_not_long_with_capital(passing.data));
    pare_buffer_done(&passing);
    forget(&known);
}

/* ---- parts ---------------------------------------------------------------------------- */

static void test_vary__makes_samples_that_are_others_and_distinct(void **state)
{
    static const char text[] = "q zz = f(\"a\", 'b c', 0, 1, 017, 2.5, 99999999999999999999) <= 3;";
    pare_parts parts = {.n = 0};
    (void)state;
    assert_int_equal(pare_parts_make(span_of(text), &plain, &parts, NULL), PARE_OK);
    assert_int_equal(parts.n, 12);
    for (size_t k = 0; k < parts.n; k++) {
        const pare_varied *part = &parts.parts[k];
        assert_true(part->n_first && part->n_first <= part->n_samples);
        for (uint32_t i = 0; i < part->n_samples; i++) {
            const pare_sample *a = &parts.samples[part->first_sample + i];
            assert_false(a->size == part->to - part->from &&
                         !memcmp(parts.bytes.data + a->offset, text + part->from, a->size));
            for (uint32_t j = 0; j < i; j++) {
                const pare_sample *b = &parts.samples[part->first_sample + j];
                assert_false(a->size == b->size && !memcmp(parts.bytes.data + a->offset,
                                                           parts.bytes.data + b->offset, a->size));
            }
        }
        if (k) assert_true(part->from >= parts.parts[k - 1].from);
    }
    pare_parts_done(&parts);
}

/* A comma between two strings stands between quotes as well. */
static void test_vary__takes_no_separator_for_a_string(void **state)
{
    static const char *const texts[] = {"f('a','b')", "[\"a\",\"b\"]", "f(`a`,`b`)"};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        pare_parts parts = {.n = 0};
        size_t n = 0;
        assert_int_equal(pare_parts_make(span_of(texts[i]), &plain, &parts, NULL), PARE_OK);
        for (size_t k = 0; k < parts.n; k++) {
            if (parts.parts[k].kind != PARE_PART_STRING) continue;
            assert_int_not_equal(texts[i][parts.parts[k].from + 1], ',');
            n++;
        }
        assert_int_equal(n, 2);
        pare_parts_done(&parts);
    }
}

/* Bytes as SQL writes them, in a text without a tree; an x elsewhere is a name. */
static void test_vary__takes_a_literal_of_bytes_for_one_number(void **state)
{
    static const char text[] = "f(x'4142', x, X'00ff', x'4g', x)";
    pare_parts parts = {.n = 0};
    size_t n_numbers = 0, n_x = 0;
    (void)state;
    assert_int_equal(pare_parts_make(span_of(text), &plain, &parts, NULL), PARE_OK);
    for (size_t k = 0; k < parts.n; k++) {
        const pare_varied *part = &parts.parts[k];
        n_numbers += part->kind == PARE_PART_NUMBER && part->to - part->from == 7;
        if (part->kind == PARE_PART_NAME && text[part->from] == 'x') n_x += part->n_places;
    }
    assert_int_equal(n_numbers, 2);
    assert_int_equal(n_x, 3); /* that of x'4g' is one */
    pare_parts_done(&parts);
}

/* ---- copies and memory ---------------------------------------------------------------- */

static void test_vary__copies_go_their_own_ways(void **state)
{
    struct known known = {.tests = 0};
    pare_strategy *copy = NULL;
    (void)state;
    vary_text(&known, "a 5", NULL);
    assert_int_equal(known.vary->ops->copy(known.vary, &copy, NULL), PARE_OK);
    (void)answer_all(copy, always);
    assert_int_equal(pare_vary_answer(copy, 0).verdict, PARE_PART_RENAME);
    assert_int_equal(pare_vary_answer(known.vary, 0).verdict, PARE_PART_UNTRIED);
    pare_strategy_free(copy);
    forget(&known);
}

static pare_status make_all(void *context)
{
    static const char text[] = "f(x, 12) + \"s\"";
    pare_text *copied = NULL;
    pare_parts parts = {.n = 0};
    pare_strategy *vary = NULL, *copy = NULL;
    (void)context;
    pare_status status = pare_text_copy(text, strlen(text), &copied, NULL);
    if (!status) status = pare_parts_make(span_of(text), &plain, &parts, NULL);
    if (!status) status = pare_vary_new(copied, &parts, MOST_TESTS, &vary, NULL);
    if (!status) status = vary->ops->copy(vary, &copy, NULL);
    pare_strategy_free(vary);
    pare_strategy_free(copy);
    pare_parts_done(&parts);
    pare_text_unref(copied);
    return status;
}

static void test_vary__survives_every_failed_allocation(void **state)
{
    (void)state;
    sweep_allocations(make_all, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vary__finds_the_ends_of_every_small_range),
        cmocka_unit_test(test_vary__finds_thresholds_of_types),
        cmocka_unit_test(test_vary__claims_no_range_with_holes),
        cmocka_unit_test(test_vary__claims_no_range_without_ends_in_which_a_sample_passed),
        cmocka_unit_test(test_vary__claims_no_range_with_an_end_in_which_a_sample_passed),
        cmocka_unit_test(test_vary__claims_no_short_range_with_a_hole),
        cmocka_unit_test(test_vary__claims_no_lengths_with_a_hole),
        cmocka_unit_test(test_vary__renames_all_places_of_a_name),
        cmocka_unit_test(test_vary__tells_whether_all_may_vary_at_once),
        cmocka_unit_test(test_vary__makes_the_largest_groups_of_what_may_vary_at_once),
        cmocka_unit_test(test_vary__finds_the_length_that_a_string_needs),
        cmocka_unit_test(test_vary__takes_back_what_does_not_hold),
        cmocka_unit_test(test_vary__makes_samples_that_are_others_and_distinct),
        cmocka_unit_test(test_vary__takes_no_separator_for_a_string),
        cmocka_unit_test(test_vary__takes_a_literal_of_bytes_for_one_number),
        cmocka_unit_test(test_vary__copies_go_their_own_ways),
        cmocka_unit_test(test_vary__survives_every_failed_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
