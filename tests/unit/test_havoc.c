/* Havoc: what its changes make, within bounds, made again by the same choices. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "generate/havoc.h"
#include "unit/alloc_sweep.h"

static const char *const members[] = {"abcdef", "x = 12;", "", "[1, 2]"};

static pare_status fill(pare_havoc *havoc)
{
    pare_status status = PARE_OK;
    for (size_t i = 0; !status && i < sizeof members / sizeof *members; i++)
        status = pare_havoc_add(havoc, members[i], strlen(members[i]), NULL);
    if (!status) status = pare_havoc_add_word(havoc, "function", 8, NULL);
    return status ? status : pare_havoc_add_word(havoc, "", 0, NULL);
}

static bool has(const pare_buffer *text, const char *part)
{
    return text->size && memmem(text->data, text->size, part, strlen(part));
}

static void test_havoc__each_kind_of_change_is_met(void **state)
{
    (void)state;
    static const char *const wanted[] = {
        "abcde", /* a block less */
        "abcdfunctionef",
        "[1, function]",   /* a word put in, and over something */
        "x = 4294967296;", /* another number */
        "abcdefcd",        /* a block elsewhere */
        "ababcdef",        /* repeated */
        "abcdx = 12;",     /* the end of another member */
        "abc\xff"
        "ef" /* a byte */
    };
    bool met[sizeof wanted / sizeof *wanted] = {false};
    size_t n_met = 0;
    pare_havoc havoc = {0};
    pare_choices choices = {0};
    pare_buffer text = {0};
    assert_int_equal(fill(&havoc), PARE_OK);
    assert_int_equal(havoc.n_words, 1);
    pare_generator generator = pare_havoc_generator(&havoc);
    for (uint64_t seed = 0; seed < 400000 && n_met < sizeof wanted / sizeof *wanted; seed++) {
        pare_choices_seed(&choices, seed);
        pare_buffer_reset(&text);
        assert_int_equal(generator.run(generator.self, &choices, &text, NULL), PARE_OK);
        for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
            if (met[i] || !has(&text, wanted[i])) continue;
            met[i] = true;
            n_met++;
        }
    }
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        if (!met[i]) fail_msg("%s is never made", wanted[i]);
    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        assert_true(havoc.members[i].size == strlen(members[i]));
    pare_buffer_done(&text);
    pare_choices_done(&choices);
    pare_havoc_done(&havoc);
}

/* How many of 1,000 texts have the byte of the first member, of ten of one byte each. */
static unsigned count_first(bool is_preferred)
{
    unsigned n = 0;
    pare_havoc havoc = {0};
    pare_choices choices = {0};
    pare_buffer text = {0};
    for (char c = 'A'; c <= 'J'; c++) {
        assert_int_equal(pare_havoc_add(&havoc, &c, 1, NULL), PARE_OK);
        if (c == 'A' && is_preferred) assert_int_equal(pare_havoc_prefer(&havoc, NULL), PARE_OK);
    }
    pare_generator generator = pare_havoc_generator(&havoc);
    for (uint64_t seed = 0; seed < 1000; seed++) {
        pare_choices_seed(&choices, seed);
        pare_buffer_reset(&text);
        assert_int_equal(generator.run(generator.self, &choices, &text, NULL), PARE_OK);
        n += has(&text, "A");
    }
    pare_buffer_done(&text);
    pare_choices_done(&choices);
    pare_havoc_done(&havoc);
    return n;
}

static void test_havoc__what_is_preferred_is_drawn_more_often(void **state)
{
    (void)state;
    assert_true(count_first(true) > count_first(false) * 3 / 2);
}

static void test_havoc__texts_are_made_again_by_their_choices(void **state)
{
    (void)state;
    pare_havoc havoc = {0};
    pare_choices choices = {0}, again = {0};
    pare_buffer text = {0}, second = {0};
    assert_int_equal(fill(&havoc), PARE_OK);
    pare_generator generator = pare_havoc_generator(&havoc);
    for (uint64_t seed = 0; seed < 2000; seed++) {
        uint64_t list[400];
        pare_choices_seed(&choices, seed);
        pare_buffer_reset(&text);
        pare_buffer_reset(&second);
        assert_int_equal(generator.run(generator.self, &choices, &text, NULL), PARE_OK);
        assert_true(choices.record.n <= 400);
        for (size_t i = 0; i < choices.record.n; i++)
            list[i] = choices.record.choices[i].index;
        pare_choices_replay(&again, list, choices.record.n);
        assert_int_equal(generator.run(generator.self, &again, &second, NULL), PARE_OK);
        assert_int_equal(text.size, second.size);
        assert_true(!text.size || memcmp(text.data, second.data, text.size) == 0);
    }
    pare_buffer_done(&text);
    pare_buffer_done(&second);
    pare_choices_done(&choices);
    pare_choices_done(&again);
    pare_havoc_done(&havoc);
}

/* Repetition on top of repetition ends at the bound. */
static void test_havoc__texts_stay_within_their_bound(void **state)
{
    (void)state;
    static char large[PARE_HAVOC_BYTES - 9];
    pare_havoc havoc = {0};
    pare_choices choices = {0};
    pare_buffer text = {0};
    memset(large, '7', sizeof large);
    assert_int_equal(pare_havoc_add(&havoc, large, sizeof large, NULL), PARE_OK);
    assert_int_equal(pare_havoc_add_word(&havoc, "function", 8, NULL), PARE_OK);
    pare_generator generator = pare_havoc_generator(&havoc);
    for (uint64_t seed = 0; seed < 500; seed++) {
        pare_choices_seed(&choices, seed);
        pare_buffer_reset(&text);
        assert_int_equal(generator.run(generator.self, &choices, &text, NULL), PARE_OK);
        assert_true(text.size <= PARE_HAVOC_BYTES);
    }
    pare_buffer_done(&text);
    pare_choices_done(&choices);
    pare_havoc_done(&havoc);
}

static void test_havoc__later_members_are_drawn_more_often(void **state)
{
    (void)state;
    pare_havoc havoc = {0};
    pare_choices choices = {0};
    pare_buffer text = {0};
    size_t n_first = 0, n_last = 0;
    assert_int_equal(pare_havoc_add(&havoc, "AAAAAAAA", 8, NULL), PARE_OK);
    assert_int_equal(pare_havoc_add(&havoc, "ZZZZZZZZ", 8, NULL), PARE_OK);
    pare_generator generator = pare_havoc_generator(&havoc);
    for (uint64_t seed = 0; seed < 4000; seed++) {
        pare_choices_seed(&choices, seed);
        pare_buffer_reset(&text);
        assert_int_equal(generator.run(generator.self, &choices, &text, NULL), PARE_OK);
        n_first += has(&text, "AAAA");
        n_last += has(&text, "ZZZZ");
    }
    assert_true(n_first > 400 && n_last > 2 * n_first);
    pare_buffer_done(&text);
    pare_choices_done(&choices);
    pare_havoc_done(&havoc);
}

static pare_status attempt(void *context)
{
    pare_havoc havoc = {0};
    pare_choices choices = {0};
    pare_buffer text = {0};
    (void)context;
    pare_status status = fill(&havoc);
    for (uint64_t seed = 0; !status && seed < 8; seed++) {
        pare_choices_seed(&choices, seed);
        pare_generator generator = pare_havoc_generator(&havoc);
        status = generator.run(generator.self, &choices, &text, NULL);
    }
    pare_buffer_done(&text);
    pare_choices_done(&choices);
    pare_havoc_done(&havoc);
    return status;
}

static void test_havoc__out_of_memory_is_clean(void **state)
{
    (void)state;
    sweep_allocations(attempt, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_havoc__each_kind_of_change_is_met),
        cmocka_unit_test(test_havoc__what_is_preferred_is_drawn_more_often),
        cmocka_unit_test(test_havoc__texts_are_made_again_by_their_choices),
        cmocka_unit_test(test_havoc__texts_stay_within_their_bound),
        cmocka_unit_test(test_havoc__later_members_are_drawn_more_often),
        cmocka_unit_test(test_havoc__out_of_memory_is_clean),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
