/* The source of choices: what is recorded, what is replayed, what values are made of. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "reduce/choice/choices.h"
#include "support/mersenne.h"
#include "unit/alloc_sweep.h"

static const int64_t WIDE = INT64_C(1) << 50; /* a bound above 2^32 */

/* A little of everything in two spans; what came out, as text. */
static pare_status generate(pare_choices *choices, pare_buffer *text, pare_error *err)
{
    static const double weights[3] = {1, 0, 3};
    int64_t integer = 0, wide = 0;
    uint32_t branch = 0;
    bool boolean = false;
    pare_status status = pare_choices_open(choices, 1, err);
    if (!status) status = pare_choices_integer(choices, -20, 100, 7, &integer, err);
    if (!status) status = pare_choices_weighted(choices, weights, 3, &branch, err);
    if (!status) status = pare_choices_chance(choices, 0.25, &boolean, err);
    if (!status) status = pare_choices_open(choices, 2, err);
    if (!status) status = pare_choices_integer(choices, -WIDE, WIDE, 0, &wide, err);
    if (!status)
        status = pare_buffer_format(text, err, "%d %u %d %lld ", (int)integer, branch, boolean,
                                    (long long)wide);
    if (!status)
        status = pare_choices_string(choices, (pare_alphabet){'A', 'Z', 'A'}, 0, 3, text, err);
    if (!status)
        status = pare_choices_string(choices, (pare_alphabet){0xD0, 0x1F600, 'e'}, 1, 4, text, err);
    if (status) return status;
    pare_choices_close(choices);
    pare_choices_close(choices);
    return PARE_OK;
}

static size_t copy_indices(const pare_choices *choices, uint64_t *to, size_t room)
{
    assert_true(choices->record.n <= room);
    for (size_t i = 0; i < choices->record.n; i++)
        to[i] = choices->record.choices[i].index;
    return choices->record.n;
}

enum { ROOM = 64 };

static void assert_replays(pare_choices *choices, const pare_buffer *text, const uint64_t *list,
                           size_t n)
{
    pare_buffer again = {0};
    uint64_t recorded[ROOM];
    pare_choices_replay(choices, list, n);
    assert_int_equal(generate(choices, &again, NULL), PARE_OK);
    assert_int_equal(again.size, text->size);
    assert_memory_equal(again.data, text->data, text->size);
    assert_int_equal(copy_indices(choices, recorded, ROOM), n);
    assert_memory_equal(recorded, list, n * sizeof *list);
    pare_buffer_done(&again);
}

static void test_choices__replaying_a_record_gives_the_same_text_and_record(void **state)
{
    (void)state;
    pare_choices choices = {0};
    for (uint64_t seed = 0; seed < 200; seed++) {
        pare_buffer text = {0};
        uint64_t list[ROOM];
        if (seed % 2)
            pare_choices_seed(&choices, seed);
        else
            seed_python(&choices, (int64_t)seed);
        assert_int_equal(generate(&choices, &text, NULL), PARE_OK);
        assert_true(pare_choices_record_check(&choices.record));
        assert_int_equal(choices.open, 0);
        assert_replays(&choices, &text, list, copy_indices(&choices, list, ROOM));
        pare_buffer_done(&text);
    }
    pare_choices_done(&choices);
}

static void test_choices__one_choice_too_few_is_no_text(void **state)
{
    (void)state;
    pare_choices choices = {0};
    pare_buffer text = {0};
    uint64_t list[ROOM];
    pare_error err = {0};
    assert_int_equal(generate(&choices, &text, NULL), PARE_OK);
    size_t n = copy_indices(&choices, list, ROOM);
    for (size_t k = 0; k < n; k++) {
        pare_choices_replay(&choices, list, k);
        assert_int_equal(generate(&choices, &text, &err), PARE_E_STATE);
    }
    assert_string_equal(err.message, "the list of 0 choices ends before the text does");
    pare_buffer_done(&text);
    pare_choices_done(&choices);
}

static void test_choices__what_is_left_over_is_not_in_the_record(void **state)
{
    (void)state;
    const uint64_t list[3] = {4, 4, 4};
    pare_choices choices = {0};
    uint64_t which;
    pare_choices_replay(&choices, list, 3);
    assert_int_equal(pare_choices_element(&choices, 5, &which, NULL), PARE_OK);
    assert_int_equal(choices.record.n, 1);
    pare_choices_done(&choices);
}

static void test_choices__an_index_beyond_its_bound_is_brought_into_range(void **state)
{
    (void)state;
    const uint64_t list[2] = {13, PARE_CHOICE_DEFAULT};
    pare_choices choices = {0};
    uint64_t which;
    bool is_default;
    pare_choices_replay(&choices, list, 2);
    assert_int_equal(pare_choices_element(&choices, 5, &which, NULL), PARE_OK);
    assert_int_equal(which, 3);
    assert_int_equal(choices.record.choices[0].index, 3);
    assert_int_equal(choices.record.choices[0].bound, 5);
    assert_int_equal(
        pare_choices_next_or_default(&choices, PARE_CHOICE_BRANCH, 5, &which, &is_default, NULL),
        PARE_OK);
    assert_true(is_default);
    assert_int_equal(which, 0);
    assert_true(pare_choices_record_check(&choices.record));
    pare_choices_done(&choices);
}

static void test_choices__spans_nest_and_tell_their_choices(void **state)
{
    (void)state;
    static const uint64_t list[9] = {0, 0, 0, 0, 2, 0, 2, 0, 1};
    pare_choices choices = {0};
    pare_buffer text = {0};
    pare_choices_replay(&choices, list, 9);
    assert_int_equal(generate(&choices, &text, NULL), PARE_OK);
    static const pare_choice_span wanted[] = {
        {1, PARE_NO_SPAN, 0, 9},      {2, 0, 3, 9},
        {PARE_SPAN_STRING, 1, 4, 7},  {PARE_SPAN_ELEMENT, 2, 5, 6},
        {PARE_SPAN_ELEMENT, 2, 6, 7}, {PARE_SPAN_STRING, 1, 7, 9},
        {PARE_SPAN_ELEMENT, 5, 8, 9},
    };
    assert_int_equal(choices.record.n_spans, sizeof wanted / sizeof *wanted);
    assert_memory_equal(choices.record.spans, wanted, sizeof wanted);
    assert_string_equal(text.data, "7 0 0 0 AC\xc3\x91");
    pare_buffer_done(&text);
    pare_choices_done(&choices);
}

static void test_choices__weights_of_zero_are_never_drawn_but_replay(void **state)
{
    (void)state;
    static const double weights[4] = {0, 1, 0, 0};
    static const uint64_t list[1] = {3};
    pare_choices choices = {.unrecorded = true};
    uint32_t branch;
    for (size_t i = 0; i < 1000; i++) {
        assert_int_equal(pare_choices_weighted(&choices, weights, 4, &branch, NULL), PARE_OK);
        assert_int_equal(branch, 1);
    }
    assert_int_equal(choices.record.n, 0);
    pare_choices_replay(&choices, list, 1);
    assert_int_equal(pare_choices_weighted(&choices, weights, 4, &branch, NULL), PARE_OK);
    assert_int_equal(branch, 3);
    pare_choices_done(&choices);
}

static void test_choices__a_generator_without_end_is_stopped(void **state)
{
    (void)state;
    pare_choices choices = {.limit = 1000};
    pare_status status = PARE_OK;
    pare_error err = {0};
    uint64_t which;
    for (size_t i = 0; !status && i <= 1000; i++)
        status = pare_choices_element(&choices, 2, &which, &err);
    assert_int_equal(status, PARE_E_LIMIT);
    assert_string_equal(err.message, "the generator makes more than 1000 choices");
    pare_choices_done(&choices);
}

static void test_values__integers_lie_around_the_simplest(void **state)
{
    (void)state;
    static const int64_t wanted[] = {1, 2, 0, 3, -1, 4, 5, 6};
    for (uint64_t i = 0; i < 8; i++)
        assert_int_equal(pare_choices_to_integer(-1, 6, 1, i), wanted[i]);
    assert_int_equal(pare_choices_to_integer(3, 9, 0, 0), 3);
    assert_int_equal(pare_choices_to_integer(3, 9, 0, 6), 9);
    assert_int_equal(pare_choices_to_integer(INT64_MIN + 2, INT64_MAX, 0, UINT64_MAX - 2),
                     INT64_MAX);
}

/* Each value once, the nearer to the simplest the smaller its index, from above first. */
static void test_values__indices_go_away_from_the_simplest(void **state)
{
    (void)state;
    for (int64_t low = -5; low <= 5; low++)
        for (int64_t high = low; high <= 6; high++)
            for (int64_t simplest = low; simplest <= high; simplest++) {
                uint32_t seen = 0;
                int64_t distance = 0;
                for (uint64_t i = 0; i <= (uint64_t)(high - low); i++) {
                    int64_t value = pare_choices_to_integer(low, high, simplest, i);
                    assert_in_range(value - low, 0, high - low);
                    assert_false(seen >> (value - low) & 1);
                    seen |= UINT32_C(1) << (value - low);
                    int64_t next = value > simplest ? value - simplest : simplest - value;
                    assert_true(next >= distance);
                    assert_true(next > distance || value <= simplest);
                    distance = next;
                }
            }
}

static void test_record__lists_are_in_shortlex_order(void **state)
{
    (void)state;
    static const uint64_t lists[][3] = {{9},       {0, 9},   {1, 0}, {0, 0, PARE_CHOICE_DEFAULT},
                                        {0, 0, 0}, {0, 0, 1}};
    static const size_t sizes[] = {1, 2, 2, 3, 3, 3};
    for (size_t i = 0; i < 6; i++)
        for (size_t k = 0; k < 6; k++)
            assert_int_equal(pare_choices_simpler(lists[i], sizes[i], lists[k], sizes[k]), i < k);
}

static pare_status generate_once(void *context)
{
    pare_choices choices = {0};
    pare_choice_record copy = {0};
    pare_buffer text = {0};
    (void)context;
    pare_status status = generate(&choices, &text, NULL);
    if (!status) status = pare_choices_record_copy(&copy, &choices.record, NULL);
    pare_choices_record_done(&copy);
    pare_choices_done(&choices);
    pare_buffer_done(&text);
    return status;
}

/* What the kernel would have to give, two runs one after the other, also of bounds above 2^32. */
static void test_choices__words_give_what_a_seed_gave(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 300; seed++) {
        pare_choices seeded = {.keeps_words = true}, again = {.unrecorded = true};
        pare_buffer text = {0}, second = {0};
        pare_choices_seed(&seeded, seed);
        assert_int_equal(generate(&seeded, &text, NULL), PARE_OK);
        pare_choices_start(&seeded);
        assert_int_equal(generate(&seeded, &text, NULL), PARE_OK);
        for (size_t i = 0; i < seeded.n_words; i++)
            assert_true(seeded.words[i] <= UINT32_MAX);
        pare_choices_set_words(&again, seeded.words, seeded.n_words);
        for (int k = 0; k < 2; k++) {
            pare_choices_draw_from_words(&again);
            assert_int_equal(generate(&again, &second, NULL), PARE_OK);
        }
        assert_int_equal(second.size, text.size);
        assert_memory_equal(second.data, text.data, text.size);
        assert_int_equal(again.n_taken, seeded.n_words);
        /* One too few is no text. */
        pare_choices_set_words(&again, seeded.words, seeded.n_words - 1);
        pare_choices_draw_from_words(&again);
        assert_int_equal(generate(&again, &second, NULL), PARE_OK);
        pare_choices_draw_from_words(&again);
        assert_int_equal(generate(&again, &second, NULL), PARE_E_STATE);
        pare_choices_done(&seeded);
        pare_choices_done(&again);
        pare_buffer_done(&text);
        pare_buffer_done(&second);
    }
}

static void test_choices__every_allocation_may_fail(void **state)
{
    (void)state;
    sweep_allocations(generate_once, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_choices__replaying_a_record_gives_the_same_text_and_record),
        cmocka_unit_test(test_choices__one_choice_too_few_is_no_text),
        cmocka_unit_test(test_choices__what_is_left_over_is_not_in_the_record),
        cmocka_unit_test(test_choices__an_index_beyond_its_bound_is_brought_into_range),
        cmocka_unit_test(test_choices__spans_nest_and_tell_their_choices),
        cmocka_unit_test(test_choices__weights_of_zero_are_never_drawn_but_replay),
        cmocka_unit_test(test_choices__a_generator_without_end_is_stopped),
        cmocka_unit_test(test_values__integers_lie_around_the_simplest),
        cmocka_unit_test(test_values__indices_go_away_from_the_simplest),
        cmocka_unit_test(test_record__lists_are_in_shortlex_order),
        cmocka_unit_test(test_choices__words_give_what_a_seed_gave),
        cmocka_unit_test(test_choices__every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
