/* Texts: reading, slicing and hashing of flat ones; what a failure leaves.
 * Texts of many segments are made by candidates: see test_candidate.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "text/candidate.h"
#include "text/text.h"
#include "unit/alloc_sweep.h"

enum { SIZE = 3 * PARE_TEXT_STRIDE + 17 };

static const pare_hash EMPTY;

static void fill_random(unsigned char *bytes, size_t size)
{
    pare_random random;
    pare_random_init(&random, size);
    for (size_t k = 0; k < size; k++)
        bytes[k] = (unsigned char)pare_random_next(&random);
}

static pare_text *text_of(const void *bytes, size_t size)
{
    pare_text *text = NULL;
    assert_int_equal(pare_text_copy(bytes, size, &text, NULL), PARE_OK);
    return text;
}

static void assert_hash_equal(pare_hash a, pare_hash b)
{
    assert_int_equal(a.lane[0], b.lane[0]);
    assert_int_equal(a.lane[1], b.lane[1]);
}

static void test_text__a_copy_reads_as_the_bytes(void **state)
{
    (void)state;
    unsigned char bytes[SIZE], read[SIZE];
    fill_random(bytes, SIZE);
    for (size_t size = 0; size <= SIZE; size += size < 4 ? 1 : 97) {
        pare_text *text = text_of(bytes, size);
        assert_int_equal(pare_text_size(text), size);
        assert_int_equal(pare_text_segments(text), size > 0);
        assert_int_equal(pare_text_store_size(text), size);
        assert_non_null(pare_text_bytes(text));
        assert_memory_equal(pare_text_bytes(text), bytes, size);
        pare_text_read(text, 0, size, read);
        assert_memory_equal(read, bytes, size);
        assert_true(pare_digest_equal(
            pare_text_digest(text), pare_digest_of(pare_digest_extend(EMPTY, bytes, size), size)));
        pare_text_unref(text);
    }
}

static void test_text__slices_and_prefixes_hash_as_their_bytes(void **state)
{
    (void)state;
    unsigned char bytes[SIZE];
    fill_random(bytes, SIZE);
    pare_text *text = text_of(bytes, SIZE);
    for (size_t from = 0; from <= SIZE; from++) {
        assert_hash_equal(pare_text_prefix(text, from), pare_digest_extend(EMPTY, bytes, from));
        for (size_t size = 0; size <= SIZE - from; size += 13)
            assert_hash_equal(pare_text_slice(text, from, size),
                              pare_digest_extend(EMPTY, bytes + from, size));
    }
    pare_text_unref(text);
}

static void test_text__a_span_is_no_longer_than_asked(void **state)
{
    (void)state;
    pare_text *text = text_of("hello", 5);
    pare_span span = pare_text_span(text, 1, 3);
    assert_int_equal(span.size, 3);
    assert_memory_equal(span.bytes, "ell", 3);
    span = pare_text_span(text, 4, SIZE_MAX);
    assert_int_equal(span.size, 1);
    pare_text_unref(text);
}

struct walked {
    char bytes[16];
    size_t size, spans, most; /* stops behind `most` spans */
};

static int walk(void *context, pare_span span)
{
    struct walked *walked = context;
    memcpy(walked->bytes + walked->size, span.bytes, span.size);
    walked->size += span.size;
    return ++walked->spans == walked->most;
}

static void test_text__a_slice_is_walked_segment_by_segment(void **state)
{
    (void)state;
    pare_text *base = text_of("abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz", 52);
    pare_candidate candidate = {0};
    pare_text *text = NULL;
    pare_candidate_start(&candidate, base);
    for (size_t at = 0; at < 8; at += 3) /* "ab" "de" "gh" */
        assert_int_equal(pare_candidate_slice(&candidate, at, 2, NULL), PARE_OK);
    assert_int_equal(pare_candidate_text(&candidate, &text, NULL), PARE_OK);
    assert_int_equal(pare_text_segments(text), 3);
    struct walked all = {.size = 0}, two = {.most = 2}, none = {.size = 0};
    assert_int_equal(pare_text_spans(text, 1, 4, walk, &all), 0);
    assert_int_equal(all.spans, 3);
    assert_int_equal(all.size, 4);
    assert_memory_equal(all.bytes, "bdeg", 4);
    assert_int_equal(pare_text_spans(text, 1, 4, walk, &two), 1);
    assert_memory_equal(two.bytes, "bde", 3);
    assert_int_equal(pare_text_spans(text, 6, 0, walk, &none), 0);
    assert_int_equal(none.spans, 0);
    pare_candidate_done(&candidate);
    pare_text_unref(text);
    pare_text_unref(base);
}

static void test_text__taking_empties_the_buffer(void **state)
{
    (void)state;
    long before = live_blocks();
    pare_buffer buffer = {0};
    assert_int_equal(pare_buffer_text(&buffer, "moved", NULL), PARE_OK);
    const char *data = buffer.data;
    pare_text *text = NULL;
    assert_int_equal(pare_text_take(&buffer, &text, NULL), PARE_OK);
    assert_null(buffer.data);
    assert_int_equal(buffer.size, 0);
    assert_ptr_equal(pare_text_bytes(text), data);
    pare_text_unref(text);
    assert_int_equal(live_blocks(), before);
}

static void test_text__an_empty_buffer_gives_the_empty_text(void **state)
{
    (void)state;
    pare_buffer buffer = {0};
    pare_text *text = NULL;
    assert_int_equal(pare_text_take(&buffer, &text, NULL), PARE_OK);
    assert_int_equal(pare_text_size(text), 0);
    assert_int_equal(pare_text_store_size(text), 0);
    assert_non_null(pare_text_bytes(text));
    assert_hash_equal(pare_text_slice(text, 0, 0), EMPTY);
    pare_text *flat = NULL;
    assert_int_equal(pare_text_flatten(text, &flat, NULL), PARE_OK);
    assert_int_equal(pare_text_size(flat), 0);
    pare_text_unref(flat);
    pare_text_unref(text);
}

static void test_text__a_text_too_large_is_refused(void **state)
{
    (void)state;
    char byte = 'x';
    pare_buffer buffer = {.data = &byte, .size = PARE_TEXT_MAX_BYTES + 1};
    pare_text *text = NULL;
    pare_error err = {0};
    assert_int_equal(pare_text_take(&buffer, &text, &err), PARE_E_LIMIT);
    assert_int_equal(err.status, PARE_E_LIMIT);
    assert_null(text);
    assert_ptr_equal(buffer.data, &byte);
}

static void test_text__references_keep_it_alive(void **state)
{
    (void)state;
    long before = live_blocks();
    pare_text *text = text_of("abc", 3);
    assert_ptr_equal(pare_text_ref(text), text);
    pare_text_unref(text);
    assert_memory_equal(pare_text_bytes(text), "abc", 3);
    pare_text_unref(text);
    pare_text_unref(NULL);
    assert_int_equal(live_blocks(), before);
}

static void test_text__building_over_many_segments_keeps_the_hashes(void **state)
{
    (void)state;
    unsigned char bytes[SIZE], kept[SIZE];
    fill_random(bytes, SIZE);
    pare_text *base = text_of(bytes, SIZE);
    pare_text *text = pare_text_build_start(base, SIZE / 3 + 1);
    size_t size = 0;
    for (size_t from = 0; from + 2 <= SIZE; from += 3, size += 2) {
        pare_text_build_slice(text, base, from, 2);
        memcpy(kept + size, bytes + from, 2);
    }
    pare_text_build_slice(text, base, SIZE, 0);
    assert_int_equal(pare_text_segments(text), size / 2);
    assert_null(pare_text_bytes(text));
    for (size_t from = 0; from <= size; from += 5)
        for (size_t n = 0; n <= size - from; n += 11)
            assert_hash_equal(pare_text_slice(text, from, n),
                              pare_digest_extend(EMPTY, kept + from, n));
    assert_int_equal(pare_text_count_segments(text, 1, 2), 2);
    assert_int_equal(pare_text_count_segments(text, 2, 2), 1);
    assert_int_equal(pare_text_count_segments(text, 2, 0), 0);
    pare_text_unref(base);
    pare_text_read(text, 0, size, bytes);
    assert_memory_equal(bytes, kept, size);
    pare_text_unref(text);
}

static pare_status copy(void *context)
{
    (void)context;
    pare_text *text = NULL;
    pare_status status = pare_text_copy("some bytes", 10, &text, NULL);
    if (status) assert_null(text);
    pare_text_unref(text);
    return status;
}

static pare_status copy_nothing(void *context)
{
    (void)context;
    pare_text *text = NULL;
    pare_status status = pare_text_copy(NULL, 0, &text, NULL);
    if (status) assert_null(text);
    pare_text_unref(text);
    return status;
}

/* The bytes must stay the buffer's when taking fails. */
static pare_status take(void *context)
{
    (void)context;
    pare_buffer buffer = {0};
    pare_text *text = NULL;
    pare_status status = pare_buffer_text(&buffer, "some bytes", NULL);
    if (!status) {
        status = pare_text_take(&buffer, &text, NULL);
        if (status) {
            assert_null(text);
            assert_string_equal(buffer.data, "some bytes");
        }
    }
    pare_text_unref(text);
    pare_buffer_done(&buffer);
    return status;
}

static pare_status flatten(void *context)
{
    pare_text *flat = NULL;
    pare_status status = pare_text_flatten(context, &flat, NULL);
    if (status) assert_null(flat);
    pare_text_unref(flat);
    return status;
}

static void test_text__out_of_memory_leaves_out_alone_and_leaks_nothing(void **state)
{
    (void)state;
    sweep_allocations(copy, NULL);
    sweep_allocations(copy_nothing, NULL);
    sweep_allocations(take, NULL);
    pare_text *text = text_of("some bytes", 10);
    sweep_allocations(flatten, text);
    pare_text_unref(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text__a_copy_reads_as_the_bytes),
        cmocka_unit_test(test_text__slices_and_prefixes_hash_as_their_bytes),
        cmocka_unit_test(test_text__a_span_is_no_longer_than_asked),
        cmocka_unit_test(test_text__a_slice_is_walked_segment_by_segment),
        cmocka_unit_test(test_text__taking_empties_the_buffer),
        cmocka_unit_test(test_text__an_empty_buffer_gives_the_empty_text),
        cmocka_unit_test(test_text__a_text_too_large_is_refused),
        cmocka_unit_test(test_text__references_keep_it_alive),
        cmocka_unit_test(test_text__building_over_many_segments_keeps_the_hashes),
        cmocka_unit_test(test_text__out_of_memory_leaves_out_alone_and_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
