/* Edits: what is told of a text by another one makes it again, and costs little. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "run/remote/edits.h"
#include "run/remote/message.h"

static pare_span span(const pare_buffer *bytes)
{
    return (pare_span){(const unsigned char *)bytes->data, bytes->size};
}

static void fill(pare_buffer *to, size_t size, uint64_t seed)
{
    for (size_t i = 0; i < size; i++) {
        seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
        char byte = (char)('a' + (seed >> 60));
        assert_int_equal(pare_buffer_add(to, &byte, 1, NULL), PARE_OK);
    }
}

static void check_between(const pare_buffer *base, const pare_buffer *text, size_t most)
{
    pare_buffer edits = {0}, back = {0};
    assert_int_equal(pare_edits_between(span(base), span(text), &edits, NULL), PARE_OK);
    assert_int_equal(pare_edits_apply(span(base), span(&edits), text->size, &back, NULL), PARE_OK);
    assert_int_equal(back.size, text->size);
    if (text->size) assert_memory_equal(back.data, text->data, text->size);
    assert_in_range(edits.size, 0, most);
    pare_buffer_done(&edits);
    pare_buffer_done(&back);
}

static void test_edits__a_text_that_lost_parts_costs_little(void **state)
{
    pare_buffer base = {0}, text = {0};
    (void)state;
    fill(&base, 100000, 1);
    for (size_t i = 0; i < 20; i++)
        assert_int_equal(pare_buffer_add(&text, base.data + i * 5000 + 100, 4000 + i, NULL),
                         PARE_OK);
    check_between(&base, &text, 20 * 40);
    pare_buffer_done(&base);
    pare_buffer_done(&text);
}

static void test_edits__any_two_texts_work(void **state)
{
    (void)state;
    for (size_t a = 0; a < 40; a += 3)
        for (size_t b = 0; b < 70; b += 7) {
            pare_buffer base = {0}, text = {0};
            fill(&base, a, a + 1);
            fill(&text, b, b + 1);
            check_between(&base, &text, b + 20);
            check_between(&text, &base, a + 20);
            pare_buffer_done(&base);
            pare_buffer_done(&text);
        }
}

static void test_edits__a_candidate_is_told_by_its_pieces(void **state)
{
    pare_buffer base = {0}, edits = {0}, back = {0};
    pare_text *text = NULL;
    pare_candidate candidate = {0};
    char whole[64];
    (void)state;
    fill(&base, 100000, 3);
    assert_int_equal(pare_text_copy(base.data, base.size, &text, NULL), PARE_OK);
    pare_candidate_start(&candidate, text);
    assert_int_equal(pare_candidate_slice(&candidate, 90000, 10, NULL), PARE_OK);
    assert_int_equal(pare_candidate_literal(&candidate, "new", 3, NULL), PARE_OK);
    assert_int_equal(pare_candidate_slice(&candidate, 5, 20, NULL), PARE_OK);
    assert_int_equal(pare_edits_of_candidate(&candidate, &edits, NULL), PARE_OK);
    assert_in_range(edits.size, 1, 16);
    assert_int_equal(pare_edits_apply(span(&base), span(&edits), 33, &back, NULL), PARE_OK);
    pare_candidate_read(&candidate, whole);
    assert_int_equal(back.size, 33);
    assert_memory_equal(back.data, whole, 33);
    pare_candidate_done(&candidate);
    pare_text_unref(text);
    pare_buffer_done(&base);
    pare_buffer_done(&edits);
    pare_buffer_done(&back);
}

static void test_edits__refuse_what_is_not_in_the_base(void **state)
{
    static const unsigned char beyond[] = {20 << 1, 2}, far[] = {1 << 1, 0xfe, 0x7f};
    static const unsigned char before[] = {1 << 1, 1}, cut[] = {5 << 1 | 1, 'a'};
    const pare_span base = {(const unsigned char *)"0123456789", 10};
    const pare_span bad[] = {{beyond, 2}, {far, 3}, {before, 2}, {cut, 2}};
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        pare_buffer out = {0};
        assert_int_equal(pare_edits_apply(base, bad[i], 1000, &out, NULL), PARE_E_CORRUPT);
        pare_buffer_done(&out);
    }
}

static void test_edits__refuse_a_text_that_is_too_large(void **state)
{
    static const unsigned char twice[] = {10 << 1, 0, 10 << 1, 19};
    const pare_span base = {(const unsigned char *)"0123456789", 10};
    pare_buffer out = {0};
    (void)state;
    assert_int_equal(pare_edits_apply(base, (pare_span){twice, 4}, 19, &out, NULL), PARE_E_LIMIT);
    pare_buffer_reset(&out);
    assert_int_equal(pare_edits_apply(base, (pare_span){twice, 4}, 20, &out, NULL), PARE_OK);
    assert_int_equal(out.size, 20);
    pare_buffer_done(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_edits__a_text_that_lost_parts_costs_little),
        cmocka_unit_test(test_edits__any_two_texts_work),
        cmocka_unit_test(test_edits__a_candidate_is_told_by_its_pieces),
        cmocka_unit_test(test_edits__refuse_what_is_not_in_the_base),
        cmocka_unit_test(test_edits__refuse_a_text_that_is_too_large),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
