/* Candidates against a naive model: an array of bytes edited in step with them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "text/candidate.h"
#include "unit/alloc_sweep.h"

enum { MODEL_BYTES = 8192 };

/* What the candidate should print. */
struct model {
    unsigned char bytes[MODEL_BYTES];
    size_t size;
};

static const pare_hash EMPTY;

static pare_text *text_of(const void *bytes, size_t size)
{
    pare_text *text = NULL;
    assert_int_equal(pare_text_copy(bytes, size, &text, NULL), PARE_OK);
    return text;
}

static void assert_text_is(const pare_text *text, const struct model *model)
{
    unsigned char read[MODEL_BYTES];
    assert_int_equal(pare_text_size(text), model->size);
    pare_text_read(text, 0, model->size, read);
    assert_memory_equal(read, model->bytes, model->size);
    pare_hash hash = pare_digest_extend(EMPTY, model->bytes, model->size);
    assert_true(pare_digest_equal(pare_text_digest(text), pare_digest_of(hash, model->size)));
}

static void assert_candidate_is(const pare_candidate *candidate, const struct model *model)
{
    unsigned char read[MODEL_BYTES];
    assert_int_equal(candidate->size, model->size);
    pare_candidate_read(candidate, read);
    assert_memory_equal(read, model->bytes, model->size);
    pare_hash hash = pare_digest_extend(EMPTY, model->bytes, model->size);
    assert_true(
        pare_digest_equal(pare_candidate_digest(candidate), pare_digest_of(hash, model->size)));
}

/* Pieces are not empty, and none could have been joined to the one before. */
static void assert_pieces_are_joined(const pare_candidate *candidate)
{
    for (size_t k = 0; k < candidate->n_pieces; k++) {
        assert_true(candidate->pieces[k].size > 0);
        if (!k) continue;
        const pare_piece *before = &candidate->pieces[k - 1];
        assert_false(before->literal == candidate->pieces[k].literal &&
                     before->offset + before->size == candidate->pieces[k].offset);
    }
}

static void add_slice(pare_candidate *candidate, struct model *model, const struct model *base,
                      size_t offset, size_t size)
{
    assert_int_equal(pare_candidate_slice(candidate, offset, size, NULL), PARE_OK);
    memcpy(model->bytes + model->size, base->bytes + offset, size);
    model->size += size;
}

static void add_literal(pare_candidate *candidate, struct model *model, pare_random *random)
{
    unsigned char bytes[5];
    size_t size = pare_random_below(random, sizeof bytes + 1);
    for (size_t k = 0; k < size; k++)
        bytes[k] = (unsigned char)pare_random_next(random);
    assert_int_equal(pare_candidate_literal(candidate, bytes, size, NULL), PARE_OK);
    memcpy(model->bytes + model->size, bytes, size);
    model->size += size;
}

static void assert_copy_is(const pare_candidate *candidate, const struct model *model)
{
    pare_candidate copy = {0};
    assert_int_equal(pare_candidate_copy(&copy, candidate, NULL), PARE_OK);
    assert_candidate_is(&copy, model);
    assert_int_equal(copy.n_pieces, candidate->n_pieces);
    pare_candidate_done(&copy);
}

/* Keeps random slices of the base in order, literals between them once in a while. */
static struct model edit(pare_candidate *candidate, const pare_text *text, const struct model *base,
                         pare_random *random, bool literals)
{
    struct model model = {.size = 0};
    pare_candidate_start(candidate, text);
    size_t largest = 1 + base->size / (1 + pare_random_below(random, 40));
    for (size_t at = 0; at < base->size;) {
        size_t size = pare_random_below(random, largest + 1);
        if (size > base->size - at) size = base->size - at;
        if (pare_random_below(random, 16)) add_slice(candidate, &model, base, at, size);
        at += size;
        if (literals && !pare_random_below(random, 20) && model.size + 5 < MODEL_BYTES)
            add_literal(candidate, &model, random);
    }
    assert_candidate_is(candidate, &model);
    assert_copy_is(candidate, &model);
    assert_pieces_are_joined(candidate);
    return model;
}

static struct model random_model(pare_random *random, size_t size)
{
    struct model model = {.size = size};
    for (size_t k = 0; k < size; k++)
        model.bytes[k] = (unsigned char)pare_random_next(random);
    return model;
}

/* Text of a candidate of a text of a candidate ..., until nothing is left. */
static void reduce_for_generations(uint64_t seed, bool literals)
{
    pare_random random;
    pare_random_init(&random, seed);
    struct model model = random_model(&random, pare_random_below(&random, MODEL_BYTES / 2));
    pare_text *text = text_of(model.bytes, model.size);
    pare_candidate candidate = {0};
    for (int generation = 0; generation < 60; generation++) {
        model = edit(&candidate, text, &model, &random, literals);
        pare_text *next = NULL;
        assert_int_equal(pare_candidate_text(&candidate, &next, NULL), PARE_OK);
        pare_text_unref(text);
        text = next;
        assert_text_is(text, &model);
        if (generation % 16 == 15) {
            assert_int_equal(pare_text_flatten(text, &next, NULL), PARE_OK);
            pare_text_unref(text);
            text = next;
            assert_text_is(text, &model);
            assert_non_null(pare_text_bytes(text));
        }
    }
    pare_candidate_done(&candidate);
    pare_text_unref(text);
}

static void test_candidate__random_edits_print_and_hash_as_the_model(void **state)
{
    (void)state;
    long before = live_blocks();
    for (uint64_t seed = 0; seed < 60; seed++) {
        reduce_for_generations(seed, false);
        reduce_for_generations(seed, true);
    }
    assert_int_equal(live_blocks(), before);
}

static void test_candidate__slices_may_repeat_and_go_backwards(void **state)
{
    (void)state;
    pare_text *text = text_of("abcdef", 6);
    pare_candidate candidate = {0};
    pare_candidate_start(&candidate, text);
    static const size_t offsets[] = {3, 0, 0, 5};
    for (size_t k = 0; k < 4; k++)
        assert_int_equal(pare_candidate_slice(&candidate, offsets[k], 1, NULL), PARE_OK);
    assert_candidate_is(&candidate, &(struct model){.bytes = "daaf", .size = 4});
    pare_candidate_done(&candidate);
    pare_text_unref(text);
}

static void test_candidate__pieces_that_touch_are_one(void **state)
{
    (void)state;
    pare_text *text = text_of("abcdef", 6);
    pare_candidate candidate = {0};
    pare_candidate_start(&candidate, text);
    for (size_t k = 0; k < 6; k++)
        assert_int_equal(pare_candidate_slice(&candidate, k, 1, NULL), PARE_OK);
    assert_int_equal(candidate.n_pieces, 1);
    for (size_t k = 0; k < 6; k++)
        assert_int_equal(pare_candidate_literal(&candidate, "xy", 2, NULL), PARE_OK);
    assert_int_equal(candidate.n_pieces, 2);
    assert_int_equal(pare_candidate_slice(&candidate, 3, 0, NULL), PARE_OK);
    assert_int_equal(pare_candidate_literal(&candidate, NULL, 0, NULL), PARE_OK);
    assert_int_equal(candidate.n_pieces, 2);
    assert_candidate_is(&candidate, &(struct model){.bytes = "abcdefxyxyxyxyxyxy", .size = 18});
    pare_candidate_done(&candidate);
    pare_text_unref(text);
}

static void test_candidate__equal_bytes_have_equal_digests_however_made(void **state)
{
    (void)state;
    pare_text *text = text_of("aXbXa", 5);
    pare_candidate a = {0}, b = {0};
    pare_candidate_start(&a, text);
    pare_candidate_start(&b, text);
    assert_int_equal(pare_candidate_slice(&a, 0, 2, NULL), PARE_OK);
    assert_int_equal(pare_candidate_literal(&b, "aX", 2, NULL), PARE_OK);
    assert_true(pare_digest_equal(pare_candidate_digest(&a), pare_candidate_digest(&b)));
    assert_int_equal(pare_candidate_slice(&a, 4, 1, NULL), PARE_OK);
    assert_int_equal(pare_candidate_slice(&b, 0, 1, NULL), PARE_OK);
    assert_true(pare_digest_equal(pare_candidate_digest(&a), pare_candidate_digest(&b)));
    assert_int_equal(pare_candidate_slice(&b, 0, 1, NULL), PARE_OK);
    assert_false(pare_digest_equal(pare_candidate_digest(&a), pare_candidate_digest(&b)));
    pare_candidate_done(&a);
    pare_candidate_done(&b);
    pare_text_unref(text);
}

static void test_candidate__starting_over_changes_the_base_and_may_keep_it(void **state)
{
    (void)state;
    long before = live_blocks();
    pare_text *first = text_of("first", 5), *second = text_of("second", 6);
    pare_candidate candidate = {0};
    pare_candidate_start(&candidate, first);
    assert_int_equal(pare_candidate_literal(&candidate, "lit", 3, NULL), PARE_OK);
    pare_text_unref(first); /* the candidate holds the last reference */
    pare_candidate_start(&candidate, candidate.base);
    assert_int_equal(pare_candidate_slice(&candidate, 1, 2, NULL), PARE_OK);
    assert_candidate_is(&candidate, &(struct model){.bytes = "ir", .size = 2});
    pare_candidate_start(&candidate, second);
    assert_candidate_is(&candidate, &(struct model){.size = 0});
    pare_candidate_done(&candidate);
    pare_candidate_done(&candidate);
    pare_text_unref(second);
    assert_int_equal(live_blocks(), before);
}

static void add_letters(pare_candidate *candidate, size_t n)
{
    for (size_t k = 0; k < n; k++)
        assert_int_equal(pare_candidate_slice(candidate, 2 * k, 1, NULL), PARE_OK);
}

static void test_candidate__moving_keeps_what_it_prints(void **state)
{
    (void)state;
    pare_text *text = text_of("a.b.c.d.e.f.g.h.", 16);
    for (size_t n = 0; n <= 8; n++) {
        pare_candidate from = {0}, to = {0};
        pare_candidate_start(&to, text);
        add_letters(&to, 8);
        pare_candidate_start(&from, text);
        add_letters(&from, n);
        pare_candidate_move(&to, &from);
        assert_null(from.base);
        assert_int_equal(from.size, 0);
        struct model model = {.bytes = "abcdefgh", .size = n};
        assert_candidate_is(&to, &model);
        pare_candidate_done(&from);
        pare_candidate_done(&to);
    }
    pare_text_unref(text);
}

static int count_and_stop(void *context, pare_span span)
{
    int *left = context;
    assert_true(span.size > 0);
    return --*left ? 0 : 7;
}

static void test_candidate__a_walk_stops_when_told(void **state)
{
    (void)state;
    pare_text *text = text_of("a.b.c.d.e.f.g.h.", 16);
    pare_candidate candidate = {0};
    pare_candidate_start(&candidate, text);
    add_letters(&candidate, 8);
    int left = 3;
    assert_int_equal(pare_candidate_spans(&candidate, count_and_stop, &left), 7);
    assert_int_equal(left, 0);
    left = 100;
    assert_int_equal(pare_candidate_spans(&candidate, count_and_stop, &left), 0);
    assert_int_equal(left, 92);
    pare_candidate_done(&candidate);
    pare_text_unref(text);
}

static void test_candidate__a_text_of_few_segments_shares_the_store(void **state)
{
    (void)state;
    static unsigned char bytes[5000];
    memset(bytes, 'x', sizeof bytes);
    pare_text *text = text_of(bytes, sizeof bytes);
    pare_candidate candidate = {0};
    pare_candidate_start(&candidate, text);
    assert_int_equal(pare_candidate_slice(&candidate, 0, 1000, NULL), PARE_OK);
    assert_int_equal(pare_candidate_slice(&candidate, 4000, 1000, NULL), PARE_OK);
    pare_text *shared = NULL, *copied = NULL;
    assert_int_equal(pare_candidate_text(&candidate, &shared, NULL), PARE_OK);
    assert_int_equal(pare_text_segments(shared), 2);
    assert_int_equal(pare_text_store_size(shared), sizeof bytes);
    assert_ptr_equal(pare_text_span(shared, 0, 1).bytes, pare_text_bytes(text));
    assert_int_equal(pare_candidate_literal(&candidate, "y", 1, NULL), PARE_OK);
    assert_int_equal(pare_candidate_text(&candidate, &copied, NULL), PARE_OK);
    assert_int_equal(pare_text_segments(copied), 1);
    assert_int_equal(pare_text_store_size(copied), 2001);
    pare_candidate_done(&candidate);
    pare_text_unref(text);
    pare_text_unref(shared);
    pare_text_unref(copied);
}

static void test_candidate__a_text_of_crumbs_is_copied(void **state)
{
    (void)state;
    static unsigned char bytes[2000];
    pare_text *text = text_of(bytes, sizeof bytes);
    pare_candidate candidate = {0};
    pare_candidate_start(&candidate, text);
    add_letters(&candidate, 1000);
    pare_text *crumbs = NULL;
    assert_int_equal(pare_candidate_text(&candidate, &crumbs, NULL), PARE_OK);
    assert_int_equal(pare_text_segments(crumbs), 1);
    assert_int_equal(pare_text_store_size(crumbs), 1000);
    pare_candidate_done(&candidate);
    pare_text_unref(text);
    pare_text_unref(crumbs);
}

static void test_candidate__the_store_lives_as_long_as_its_last_text(void **state)
{
    (void)state;
    long before = live_blocks();
    pare_text *text = text_of("0123456789abcdef0123456789abcdef", 32);
    pare_candidate candidate = {0};
    for (int k = 0; k < 6; k++) {
        size_t size = pare_text_size(text);
        pare_candidate_start(&candidate, text);
        assert_int_equal(pare_candidate_slice(&candidate, 0, size / 2, NULL), PARE_OK);
        assert_int_equal(pare_candidate_slice(&candidate, size / 2 + 1, size / 2 - 1, NULL),
                         PARE_OK);
        pare_text_unref(text);
        assert_int_equal(pare_candidate_text(&candidate, &text, NULL), PARE_OK);
        pare_candidate_done(&candidate);
    }
    assert_int_equal(pare_text_store_size(text), 32);
    assert_int_equal(pare_text_span(text, 0, 1).bytes[0], '0');
    pare_text_unref(text);
    assert_int_equal(live_blocks(), before);
}

static pare_status check_unchanged(pare_status status, const pare_candidate *candidate,
                                   const struct model *before)
{
    if (status) assert_candidate_is(candidate, before);
    return status;
}

/* Slices and literals by turns, a literal the first beyond the inline pieces; a failure
 * changes nothing. */
static pare_status grow(void *text)
{
    pare_candidate candidate = {0};
    struct model model = {.size = 0};
    pare_candidate_start(&candidate, text);
    pare_status status = pare_candidate_slice(&candidate, 14, 1, NULL);
    if (!status) pare_text_read(text, 14, 1, model.bytes + model.size++);
    for (size_t k = 0; k < 8 && !status; k++) {
        status =
            check_unchanged(pare_candidate_slice(&candidate, 2 * k, 1, NULL), &candidate, &model);
        if (status) break;
        pare_text_read(text, 2 * k, 1, model.bytes + model.size++);
        status =
            check_unchanged(pare_candidate_literal(&candidate, "--", 2, NULL), &candidate, &model);
        if (!status) {
            memcpy(model.bytes + model.size, "--", 2);
            model.size += 2;
        }
        if (candidate.literals.data)
            assert_int_equal(candidate.literals.data[candidate.literals.size], 0);
    }
    pare_candidate_done(&candidate);
    return status;
}

static pare_status to_text(void *candidate)
{
    pare_text *text = NULL;
    pare_status status = pare_candidate_text(candidate, &text, NULL);
    if (status) assert_null(text);
    pare_text_unref(text);
    return status;
}

static void test_candidate__out_of_memory_leaves_it_as_it_was(void **state)
{
    (void)state;
    pare_text *text = text_of("a.b.c.d.e.f.g.h.", 16);
    sweep_allocations(grow, text);
    pare_candidate candidate = {0};
    pare_candidate_start(&candidate, text);
    add_letters(&candidate, 3);
    sweep_allocations(to_text, &candidate);
    assert_int_equal(pare_candidate_literal(&candidate, "z", 1, NULL), PARE_OK);
    sweep_allocations(to_text, &candidate);
    pare_candidate_done(&candidate);
    pare_text_unref(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_candidate__random_edits_print_and_hash_as_the_model),
        cmocka_unit_test(test_candidate__slices_may_repeat_and_go_backwards),
        cmocka_unit_test(test_candidate__pieces_that_touch_are_one),
        cmocka_unit_test(test_candidate__equal_bytes_have_equal_digests_however_made),
        cmocka_unit_test(test_candidate__starting_over_changes_the_base_and_may_keep_it),
        cmocka_unit_test(test_candidate__moving_keeps_what_it_prints),
        cmocka_unit_test(test_candidate__a_walk_stops_when_told),
        cmocka_unit_test(test_candidate__a_text_of_few_segments_shares_the_store),
        cmocka_unit_test(test_candidate__a_text_of_crumbs_is_copied),
        cmocka_unit_test(test_candidate__the_store_lives_as_long_as_its_last_text),
        cmocka_unit_test(test_candidate__out_of_memory_leaves_it_as_it_was),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
