/* What lists of choices made: kept, found again by another process, damaged. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "session/test/made_texts.h"
#include "unit/alloc_sweep.h"
#include "unit/support/scratch.h"

enum { N = 3 };

static const pare_digest identity = {.high = 1, .low = 2};

/* What the list number `k` made: the last one was not finished. */
static pare_made_text text_of(unsigned k)
{
    pare_made_text text = {.made = k + 1 < N};
    assert_int_equal(pare_buffer_format(&text.text, NULL, "text %u", k), PARE_OK);
    text.record.choices = pare_alloc_zero(2, sizeof *text.record.choices);
    text.record.spans = pare_alloc_zero(2, sizeof *text.record.spans);
    assert_non_null(text.record.choices);
    assert_non_null(text.record.spans);
    text.record.n = text.record.capacity = 2;
    text.record.n_spans = text.record.spans_capacity = 2;
    text.record.choices[0] = (pare_choice){.index = k, .bound = 10};
    text.record.choices[1] = (pare_choice){.index = UINT64_MAX - 2, .bound = UINT64_MAX};
    text.record.spans[0] =
        (pare_choice_span){.label = UINT32_MAX, .parent = PARE_NO_SPAN, .first = 0, .end = 2};
    text.record.spans[1] = (pare_choice_span){.label = k, .parent = 0, .first = 1, .end = 2};
    if (!text.made) text.record.spans[0].end = text.record.spans[1].end = PARE_SPAN_OPEN;
    return text;
}

static void done(pare_made_text *text)
{
    pare_buffer_done(&text->text);
    pare_choices_record_done(&text->record);
}

static pare_digest key_of(unsigned k)
{
    return (pare_digest){.high = k, .low = 7}; /* one slot of the index for all */
}

static pare_made_texts *made_of(const char *folder, pare_digest of)
{
    pare_made_texts *made = NULL;
    assert_int_equal(pare_made_texts_new(&made, NULL), PARE_OK);
    if (folder)
        assert_int_equal(pare_made_texts_open(made, folder, of, PARE_SYNC_NEVER, NULL), PARE_OK);
    return made;
}

static void fill(pare_made_texts *made)
{
    for (unsigned k = 0; k < N; k++) {
        pare_made_text text = text_of(k);
        assert_int_equal(pare_made_texts_add(made, key_of(k), &text, NULL), PARE_OK);
        done(&text);
    }
}

/* How many are known, from the first on; each is what it was. */
static unsigned count(const pare_made_texts *made)
{
    pare_made_text found = {.made = false};
    unsigned n = 0;
    for (unsigned k = 0; k < N; k++) {
        bool is_known;
        pare_made_text wanted = text_of(k);
        assert_int_equal(pare_made_texts_find(made, key_of(k), &found, &is_known, NULL), PARE_OK);
        if (is_known) {
            assert_int_equal(n++, k);
            assert_int_equal(found.made, wanted.made);
            assert_string_equal(found.text.data, wanted.text.data);
            assert_int_equal(found.record.n, 2);
            assert_int_equal(found.record.n_spans, 2);
            assert_memory_equal(found.record.spans, wanted.record.spans,
                                2 * sizeof *wanted.record.spans);
            for (size_t i = 0; i < 2; i++) {
                assert_int_equal(found.record.choices[i].index, wanted.record.choices[i].index);
                assert_int_equal(found.record.choices[i].bound, wanted.record.choices[i].bound);
            }
        }
        done(&wanted);
    }
    done(&found);
    return n;
}

static void begin(void)
{
    assert_int_equal(pare_file_remove_tree("journal", NULL), PARE_OK);
    assert_int_equal(mkdir("journal", 0700), 0);
}

static void test_made_texts__without_a_file_they_are_known_to_this_process(void **state)
{
    (void)state;
    pare_made_texts *made = made_of(NULL, identity);
    assert_int_equal(count(made), 0);
    fill(made);
    assert_int_equal(count(made), N);
    pare_made_texts_free(made);
}

static void test_made_texts__another_process_knows_them(void **state)
{
    (void)state;
    begin();
    pare_made_texts *made = made_of("journal", identity);
    fill(made);
    pare_made_texts_free(made);
    made = made_of("journal", identity);
    assert_int_equal(count(made), N);
    pare_made_texts_free(made);
    pare_made_texts_drop("journal");
    assert_int_equal(count_entries("journal"), 0);
    pare_made_texts_drop(NULL);
}

static void test_made_texts__those_of_another_generator_are_not_taken(void **state)
{
    (void)state;
    begin();
    pare_made_texts *made = made_of("journal", identity);
    fill(made);
    pare_made_texts_free(made);
    made = made_of("journal", (pare_digest){.high = 3});
    assert_int_equal(count(made), 0);
    pare_made_texts_free(made);
}

/* Cut anywhere, and with each byte changed: what is before that stays, the rest is never believed. */
static void test_made_texts__damage_ends_the_file(void **state)
{
    (void)state;
    pare_buffer whole = {0};
    begin();
    pare_made_texts *made = made_of("journal", identity);
    fill(made);
    pare_made_texts_free(made);
    assert_int_equal(pare_file_read("journal/made", &whole, NULL), PARE_OK);
    for (size_t at = 0; at < whole.size; at++) {
        assert_int_equal(pare_file_write_bytes("journal/made", whole.data, at, NULL), PARE_OK);
        made = made_of("journal", identity);
        assert_true(count(made) < N);
        fill(made);
        pare_made_texts_free(made);
        whole.data[at] ^= 1;
        assert_int_equal(pare_file_write_bytes("journal/made", whole.data, whole.size, NULL),
                         PARE_OK);
        made = made_of("journal", identity);
        assert_true(count(made) < N);
        pare_made_texts_free(made);
        whole.data[at] ^= 1;
    }
    pare_buffer_done(&whole);
}

static void test_made_texts__a_file_that_cannot_be_had_is_told(void **state)
{
    (void)state;
    begin();
    pare_made_texts *made = made_of("journal", identity), *other = made_of(NULL, identity);
    assert_int_equal(pare_made_texts_open(made, "journal", identity, PARE_SYNC_SECOND, NULL),
                     PARE_OK); /* it is open */
    assert_int_equal(pare_made_texts_open(other, "none", identity, PARE_SYNC_SECOND, NULL),
                     PARE_E_IO);
    fill(other);
    assert_int_equal(count(other), N);
    pare_made_texts_free(other);
    pare_made_texts_free(made);
    pare_made_texts_free(NULL);
}

static pare_status keep_and_find(void *context)
{
    pare_made_texts *made = NULL;
    pare_made_text found = {.made = false};
    bool is_known = false;
    pare_status status = pare_made_texts_new(&made, NULL);
    if (!status) status = pare_made_texts_open(made, "journal", identity, PARE_SYNC_NEVER, NULL);
    if (!status) status = pare_made_texts_add(made, key_of(N), context, NULL);
    if (!status) status = pare_made_texts_find(made, key_of(N), &found, &is_known, NULL);
    if (!status) assert_true(is_known);
    done(&found);
    pare_made_texts_free(made);
    return status;
}

static void test_made_texts__survive_every_failed_allocation(void **state)
{
    (void)state;
    begin();
    pare_made_text text = text_of(0);
    sweep_allocations(keep_and_find, &text);
    done(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_made_texts__without_a_file_they_are_known_to_this_process),
        cmocka_unit_test(test_made_texts__another_process_knows_them),
        cmocka_unit_test(test_made_texts__those_of_another_generator_are_not_taken),
        cmocka_unit_test(test_made_texts__damage_ends_the_file),
        cmocka_unit_test(test_made_texts__a_file_that_cannot_be_had_is_told),
        cmocka_unit_test(test_made_texts__survive_every_failed_allocation),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
