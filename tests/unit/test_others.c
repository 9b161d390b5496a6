/* Others of parts, against oracles that are known: which are asked about, in what order, and what is noted. */
/* tests: src/explain/others.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <pare/explain.h>

#include "alloc_sweep.h"
#include "explain/others.h"
#include "explain/parts.h"
#include "explain/vary.h"

enum { MOST_BYTES = 8192, MOST_TESTS = 150 };

static const pare_parts_syntax plain = {.tree = NULL};

typedef bool (*fails_fn)(const char *text);

struct known {
    pare_text *text;
    pare_parts parts;
    pare_strategy *vary;
    pare_others others;
};

/* Tells the strategy until it is done; counts tests. */
static unsigned answer_all(pare_strategy *strategy, fails_fn fails)
{
    for (unsigned n = 0;; n++) {
        char text[MOST_BYTES] = {0};
        pare_next what = PARE_NEXT_TEST;
        pare_candidate candidate = {0};
        assert_int_equal(strategy->ops->next(strategy, &what, &candidate, NULL), PARE_OK);
        assert_true(candidate.size < sizeof text);
        if (what == PARE_NEXT_TEST) pare_candidate_read(&candidate, text);
        pare_candidate_done(&candidate);
        if (what == PARE_NEXT_DONE) return n;
        assert_true(n < 1000);
        const pare_outcome outcome = fails(text) ? PARE_FAIL : PARE_PASS;
        assert_int_equal(strategy->ops->tell(strategy, outcome, NULL), PARE_OK);
    }
}

static void vary_text(struct known *known, const char *text, fails_fn fails)
{
    const pare_span span = {(const unsigned char *)text, strlen(text)};
    *known = (struct known){.text = NULL};
    assert_true(fails(text));
    assert_int_equal(pare_text_copy(text, strlen(text), &known->text, NULL), PARE_OK);
    assert_int_equal(pare_parts_make(span, &plain, &known->parts, NULL), PARE_OK);
    assert_int_equal(pare_vary_new(known->text, &known->parts, MOST_TESTS, &known->vary, NULL),
                     PARE_OK);
    (void)answer_all(known->vary, fails);
    assert_int_equal(pare_others_begin(&known->parts, known->vary, &known->others, NULL), PARE_OK);
}

/* One round; how many tests it took. */
static unsigned ask(struct known *known, pare_others_round round, fails_fn fails)
{
    pare_strategy *strategy = NULL, *copy = NULL;
    assert_int_equal(
        pare_others_new(known->text, &known->parts, &known->others, round, &strategy, NULL),
        PARE_OK);
    assert_int_equal(strategy->ops->copy(strategy, &copy, NULL), PARE_OK);
    const unsigned n = answer_all(strategy, fails);
    assert_int_equal(answer_all(copy, fails), n); /* a copy asks the same */
    pare_others_take(strategy, &known->others);
    pare_strategy_free(strategy);
    pare_strategy_free(copy);
    return n;
}

static void forget(struct known *known)
{
    pare_others_done(&known->others);
    pare_strategy_free(known->vary);
    pare_parts_done(&known->parts);
    pare_text_unref(known->text);
}

/* What came of `text` in place of the part: -1: it was not tried. */
static int outcome_of(const struct known *known, size_t index, const char *text)
{
    const pare_varied *part = &known->parts.parts[index];
    const pare_answer *answer = &known->others.answers[index];
    for (uint32_t k = 0; k < part->n_samples + part->n_edges && k < PARE_VARY_NOTED; k++) {
        const pare_sample *sample = &known->parts.samples[part->first_sample + k];
        const bool is_it =
            sample->size == strlen(text) &&
            memcmp(known->parts.bytes.data + sample->offset, text, sample->size) == 0;
        if (is_it && (answer->tried[k / 64] >> k % 64 & 1))
            return (int)(answer->failed[k / 64] >> k % 64 & 1);
    }
    return -1;
}

/* ---- edges ------------------------------------------------------------------------------- */

/* "n=DIGITS;" with any digits, and none of them is a zero in front of others. */
static bool is_plain_number(const char *text)
{
    if (strncmp(text, "n=", 2) != 0) return false;
    const size_t n = strspn(text + 2, "0123456789");
    return n && strcmp(text + 2 + n, ";") == 0 && (n == 1 || text[2] != '0');
}

static void test_others__any_number_is_tried_at_its_edges(void **state)
{
    struct known known;
    (void)state;
    vary_text(&known, "n=5;", is_plain_number);
    const pare_answer before = known.others.answers[1];
    assert_int_equal(before.verdict, PARE_PART_ANY);
    assert_int_equal(before.fails, before.samples);
    assert_true(ask(&known, PARE_OTHERS_EDGES, is_plain_number) <= 6);
    assert_int_equal(outcome_of(&known, 1, "-5"), 0);
    assert_int_equal(outcome_of(&known, 1, "00"), 0);
    assert_int_equal(outcome_of(&known, 1, ""), 0);
    assert_int_equal(outcome_of(&known, 1, "q"), 0);
    assert_int_equal(outcome_of(&known, 1, "0"), 1); /* by a sample */
    /* The claim is about whole numbers without a sign, and stays. */
    assert_int_equal(known.others.answers[1].verdict, PARE_PART_ANY);
    assert_int_equal(known.others.answers[1].samples, before.samples);
    assert_int_equal(known.others.answers[1].fails, before.fails);
    forget(&known);
}

static bool has_select(const char *text)
{
    return strcasecmp(text, "select 'a';") == 0;
}

static void test_others__a_needed_name_is_tried_with_what_is_near_and_in_the_other_case(
    void **state)
{
    struct known known;
    (void)state;
    vary_text(&known, "SELECT 'a';", has_select);
    assert_int_equal(ask(&known, PARE_OTHERS_EDGES, has_select), 2); /* what is nearest to each */
    assert_int_equal(outcome_of(&known, 0, "qSELECT"), 0);
    assert_int_equal(outcome_of(&known, 1, "'qa'"), 0);
    (void)ask(&known, PARE_OTHERS_REST, has_select);
    assert_int_equal(outcome_of(&known, 0, "select"), 1);
    assert_int_equal(outcome_of(&known, 0, ""), 0);
    assert_int_equal(outcome_of(&known, 0, "7"), 0);
    assert_int_equal(outcome_of(&known, 1, "'A'"), -1); /* nobody asked */
    assert_int_equal(known.others.answers[0].fails, 1);
    assert_int_equal(known.others.answers[1].fails, 0);
    assert_int_equal(ask(&known, PARE_OTHERS_REST, has_select), 0); /* nothing is asked twice */
    forget(&known);
}

/* ---- the rest ---------------------------------------------------------------------------- */

/* "a + 1" where the name is needed and of the operators some others do. */
static bool is_sum_or_product(const char *text)
{
    return strcmp(text, "a + 1") == 0 || strcmp(text, "a * 1") == 0;
}

static void test_others__tries_up_to_eight_in_place_of_what_is_needed(void **state)
{
    struct known known;
    (void)state;
    vary_text(&known, "a + 1", is_sum_or_product);
    for (size_t k = 0; k < known.parts.n; k++)
        assert_int_equal(known.others.answers[k].verdict, PARE_PART_NEEDED);
    const unsigned more = ask(&known, PARE_OTHERS_REST, is_sum_or_product);
    assert_true(more > 0 && more <= 3 * 8);
    for (size_t k = 0; k < known.parts.n; k++) {
        const pare_answer *answer = &known.others.answers[k];
        const bool is_operator = known.parts.parts[k].kind == PARE_PART_SIGN;
        assert_int_equal(answer->verdict, PARE_PART_NEEDED);
        assert_int_equal(answer->fails, is_operator ? 1 : 0);
        assert_true(answer->samples > 1 && answer->samples <= 8);
        /* What came of each is noted. */
        unsigned n_tried = 0, n_failed = 0;
        for (unsigned i = 0; i < PARE_VARY_NOTED; i++) {
            n_tried += (answer->tried[i / 64] >> i % 64 & 1) != 0;
            n_failed += (answer->failed[i / 64] >> i % 64 & 1) != 0;
        }
        assert_int_equal(n_tried, answer->samples);
        assert_int_equal(n_failed, answer->fails);
    }
    assert_int_equal(outcome_of(&known, 1, " "), 0); /* an operator is left out */
    forget(&known);
}

/* The byte after the magic word is a length: 1 or 2. */
static bool has_small_byte(const char *text)
{
    return strlen(text) == 4 && strncmp(text, "Me:", 3) == 0 && (text[3] == 1 || text[3] == 2);
}

static void test_others__among_bytes_each_byte_of_a_word_is_another_one(void **state)
{
    struct known known;
    (void)state;
    vary_text(&known, "Me:\1", has_small_byte);
    (void)ask(&known, PARE_OTHERS_EDGES, has_small_byte);
    (void)ask(&known, PARE_OTHERS_REST, has_small_byte);
    assert_int_equal(known.parts.n, 3); /* the word, and two bytes */
    assert_int_equal(outcome_of(&known, 0, "Ne"), 0);
    assert_int_equal(outcome_of(&known, 0, "Mf"), 0);
    assert_int_equal(outcome_of(&known, 0, "qMe"), -1); /* all that follows would move */
    assert_int_equal(known.parts.parts[1].kind, PARE_PART_BYTE);
    assert_int_equal(known.others.answers[1].fails, 0);
    assert_int_equal(known.parts.parts[2].kind, PARE_PART_BYTE);
    assert_int_equal(known.others.answers[2].fails, 1); /* 2 */
    forget(&known);
}

/* ---- memory ------------------------------------------------------------------------------ */

static pare_status make_all(void *context)
{
    static const char text[] = "f(x, 12)";
    pare_text *copied = NULL;
    pare_parts parts = {.n = 0};
    pare_others others = {.answers = NULL};
    pare_strategy *vary = NULL, *strategy = NULL, *copy = NULL;
    (void)context;
    pare_status status = pare_text_copy(text, strlen(text), &copied, NULL);
    if (!status)
        status = pare_parts_make((pare_span){(const unsigned char *)text, strlen(text)}, &plain,
                                 &parts, NULL);
    if (!status) status = pare_vary_new(copied, &parts, MOST_TESTS, &vary, NULL);
    if (!status) status = pare_others_begin(&parts, vary, &others, NULL);
    if (!status)
        status = pare_others_new(copied, &parts, &others, PARE_OTHERS_REST, &strategy, NULL);
    if (!status) status = strategy->ops->copy(strategy, &copy, NULL);
    pare_strategy_free(strategy);
    pare_strategy_free(copy);
    pare_others_done(&others);
    pare_strategy_free(vary);
    pare_parts_done(&parts);
    pare_text_unref(copied);
    return status;
}

static void test_others__survive_every_failed_allocation(void **state)
{
    (void)state;
    sweep_allocations(make_all, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_others__any_number_is_tried_at_its_edges),
        cmocka_unit_test(
            test_others__a_needed_name_is_tried_with_what_is_near_and_in_the_other_case),
        cmocka_unit_test(test_others__tries_up_to_eight_in_place_of_what_is_needed),
        cmocka_unit_test(test_others__among_bytes_each_byte_of_a_word_is_another_one),
        cmocka_unit_test(test_others__survive_every_failed_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
