/* Reduction by chunks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "reduce/binary/chunk_reduction.h"
#include "unit/alloc_sweep.h"
#include "unit/chunk_samples.h"

enum { MOST = 4096 };

/* A test of files, and what came of a run. */
struct run {
    bool (*fails)(const unsigned char *bytes, size_t n);
    unsigned n_tests;
    unsigned char best[MOST];
    size_t n_best;
};

static pare_strategy *start(const char *bytes, size_t size, pare_chunk_effort effort)
{
    pare_text *text = NULL;
    pare_strategy *strategy = NULL;
    pare_chunk_tree *tree = find_chunks(bytes, size);
    assert_int_equal(pare_text_copy(bytes, size, &text, NULL), PARE_OK);
    const pare_chunk_view view = {.text = text, .end = size, .tree = tree};
    assert_int_equal(pare_chunk_reduction_new(&view, effort, &strategy, NULL), PARE_OK);
    pare_chunk_tree_unref(tree);
    pare_text_unref(text);
    return strategy;
}

/* The next candidate's bytes; false: it is done. */
static bool next_bytes(pare_strategy *strategy, unsigned char *bytes, size_t *n)
{
    pare_candidate candidate = {0};
    pare_next what;
    assert_int_equal(strategy->ops->next(strategy, &what, &candidate, NULL), PARE_OK);
    *n = candidate.size;
    assert_true(*n <= MOST);
    if (what == PARE_NEXT_TEST) pare_candidate_read(&candidate, bytes);
    pare_candidate_done(&candidate);
    return what == PARE_NEXT_TEST;
}

/* Runs to the end.  Before each test a copy is made, which proposes the same. */
static void reduce(const char *bytes, size_t size, struct run *run)
{
    pare_strategy *strategy = start(bytes, size, PARE_CHUNKS_TO_THE_END), *copy = NULL;
    unsigned char now[MOST], same[MOST];
    size_t n, n_same;
    memcpy(run->best, bytes, size);
    run->n_best = size;
    while (next_bytes(strategy, now, &n)) {
        assert_int_equal(strategy->ops->copy(strategy, &copy, NULL), PARE_OK);
        /* One that is only told does the same as one that is asked before. */
        if (run->n_tests % 2) {
            assert_true(next_bytes(copy, same, &n_same));
            assert_int_equal(n, n_same);
            assert_memory_equal(now, same, n);
        }
        pare_outcome outcome = run->fails(now, n) ? PARE_FAIL : PARE_PASS;
        run->n_tests++;
        assert_true(n < run->n_best);
        if (outcome == PARE_FAIL) {
            memcpy(run->best, now, n);
            run->n_best = n;
        }
        assert_int_equal(strategy->ops->tell(copy, outcome, NULL), PARE_OK);
        pare_strategy_free(strategy);
        strategy = copy;
    }
    pare_strategy_free(strategy);
}

/* Whole records of 32-bit lengths, one of which begins with `!`. */
static bool has_mark(const unsigned char *bytes, size_t n)
{
    bool found = false;
    for (size_t at = 0; at < n;) {
        pare_coded length = pare_chunk_coding_read(PARE_CODING_BIG, 4, bytes + at, n - at);
        if (!length.width || length.value > n - at - 4) return false;
        found = found || (length.value && bytes[at + 4] == '!');
        at += 4 + (size_t)length.value;
    }
    return found;
}

/* Records of 1 to 40 bytes; number `mark` begins with `!`. */
static size_t make_records(char *bytes, unsigned n, unsigned mark)
{
    size_t at = 0;
    for (unsigned i = 0; i < n; i++) {
        size_t size = 1 + i * 7 % 40;
        pare_chunk_coding_write(PARE_CODING_BIG, 4, size, (unsigned char *)bytes + at);
        memset(bytes + at + 4, 'a' + (int)(i % 26), size);
        if (i == mark) bytes[at + 4] = '!';
        at += 4 + size;
    }
    return at;
}

static void test_chunk_reduction__one_record_of_many_is_found_by_halving(void **state)
{
    char bytes[MOST];
    struct run run = {.fails = has_mark};
    (void)state;
    size_t n = make_records(bytes, 60, 37);
    reduce(bytes, n, &run);
    assert_int_equal(run.n_best, 5);
    assert_memory_equal(run.best, "\0\0\0\1!", 5);
    assert_true(run.n_tests <= 40);
}

static void test_chunk_reduction__is_as_good_as_trying_all_on_small_files(void **state)
{
    (void)state;
    for (unsigned n = 3; n <= 8; n++)
        for (unsigned mark = 0; mark < n; mark++) {
            char bytes[MOST];
            struct run run = {.fails = has_mark};
            reduce(bytes, make_records(bytes, n, mark), &run);
            assert_int_equal(run.n_best, 5);
        }
}

/* Whole records, the one of packed data among them as it was. */
static bool has_packed(const unsigned char *bytes, size_t n)
{
    bool found = false;
    for (size_t at = 0; at < n;) {
        pare_coded length = pare_chunk_coding_read(PARE_CODING_BIG, 4, bytes + at, n - at);
        if (!length.width || length.value > n - at - 4) return false;
        found = found || length.value == 2000;
        at += 4 + (size_t)length.value;
    }
    return found;
}

/* Of packed data nothing goes: pieces of it do not come before all small records. */
static void test_chunk_reduction__small_chunks_come_before_pieces_of_what_stays(void **state)
{
    char bytes[MOST];
    struct run run = {.fails = has_packed};
    (void)state;
    size_t at = make_records(bytes, 12, 12);
    pare_chunk_coding_write(PARE_CODING_BIG, 4, 2000, (unsigned char *)bytes + at);
    uint32_t noise = 1;
    for (unsigned i = 0; i < 2000; i++, noise = noise * 1664525 + 1013904223)
        bytes[at + 4 + i] = (char)(noise >> 24);
    const size_t n = at + 2004 + make_records(bytes + at + 2004, 12, 12);
    pare_strategy *strategy = start(bytes, n, PARE_CHUNKS_WHILE_THEY_PAY);
    unsigned char now[MOST];
    run.n_best = n;
    for (size_t size; run.n_tests < 12 && next_bytes(strategy, now, &size); run.n_tests++) {
        const bool failed = has_packed(now, size);
        if (failed) run.n_best = size;
        assert_int_equal(strategy->ops->tell(strategy, failed ? PARE_FAIL : PARE_PASS, NULL),
                         PARE_OK);
    }
    assert_int_equal(run.n_best, 2004);
    pare_strategy_free(strategy);
}

/* Only what says that it is longer than it is fails. */
static bool is_cut_off(const unsigned char *bytes, size_t n)
{
    for (size_t at = 0; at < n;) {
        pare_coded length = pare_chunk_coding_read(PARE_CODING_BIG, 4, bytes + at, n - at);
        if (!length.width) return false;
        if (length.value > n - at - 4) return true;
        at += 4 + (size_t)length.value;
    }
    return false;
}

static void test_chunk_reduction__numbers_may_stay_as_they_are(void **state)
{
    char bytes[MOST];
    struct run run = {.fails = is_cut_off};
    (void)state;
    size_t n = make_records(bytes, 30, 30);
    reduce(bytes, n - 1, &run);
    assert_true(run.n_best < 10);
}

/* Where nothing can go, the first tests are hardly spent on numbers as they are. */
static void test_chunk_reduction__numbers_as_they_are_wait(void **state)
{
    enum { FIRST = 12, FEW = 3 };
    char bytes[MOST];
    (void)state;
    /* Records in two that hold them. */
    const size_t half = make_records(bytes + 4, 20, 20);
    const size_t n = 8 + half + make_records(bytes + 8 + half, 20, 20);
    pare_chunk_coding_write(PARE_CODING_BIG, 4, half, (unsigned char *)bytes);
    pare_chunk_coding_write(PARE_CODING_BIG, 4, half, (unsigned char *)bytes + 4 + half);
    pare_strategy *strategy = start(bytes, n, PARE_CHUNKS_WHILE_THEY_PAY);
    unsigned char now[MOST];
    unsigned n_wrong = 0, n_tests = 0;
    for (size_t size; n_tests < FIRST && next_bytes(strategy, now, &size); n_tests++) {
        n_wrong += is_cut_off(now, size);
        assert_int_equal(strategy->ops->tell(strategy, PARE_PASS, NULL), PARE_OK);
    }
    assert_int_equal(n_tests, FIRST);
    assert_in_range(n_wrong, 1, FEW);
    pare_strategy_free(strategy);
}

enum { MARK = 17, N_MESSAGES = 40 };

/* A catalogue of messages: mark, number, positions of two tables of lengths and positions; strings. */
static size_t make_catalogue(char *bytes)
{
    unsigned char *out = (unsigned char *)bytes;
    size_t end = 16 + N_MESSAGES * 16;
    memcpy(bytes, "mess", 4);
    pare_chunk_coding_write(PARE_CODING_LITTLE, 4, N_MESSAGES, out + 4);
    for (size_t table = 0; table < 2; table++) {
        size_t at = 16 + table * N_MESSAGES * 8;
        pare_chunk_coding_write(PARE_CODING_LITTLE, 4, at, out + 8 + table * 4);
        for (size_t i = 0; i < N_MESSAGES; i++, at += 8) {
            const size_t n = 1 + i * 5 % 17;
            pare_chunk_coding_write(PARE_CODING_LITTLE, 4, n, out + at);
            pare_chunk_coding_write(PARE_CODING_LITTLE, 4, end, out + at + 4);
            memset(bytes + end, i == MARK ? '!' : 'a' + (int)(i % 26), n);
            bytes[end + n] = 0;
            end += n + 1;
        }
    }
    return end;
}

/* The string of a row, which has an end; NULL: it is not in the file. */
static const unsigned char *string_at(const unsigned char *bytes, size_t n, uint64_t table,
                                      uint64_t row)
{
    const uint64_t at = table + row * 8;
    if (at + 8 > n) return NULL;
    const uint64_t length = pare_chunk_coding_read(PARE_CODING_LITTLE, 4, bytes + at, 4).value;
    const uint64_t from = pare_chunk_coding_read(PARE_CODING_LITTLE, 4, bytes + at + 4, 4).value;
    return from + length < n && !bytes[from + length] ? bytes + from : NULL;
}

/* A whole catalogue with a message that begins with `!`, as its translation does. */
static bool has_message(const unsigned char *bytes, size_t n)
{
    bool found = false;
    if (n < 16 || memcmp(bytes, "mess", 4) != 0) return false;
    const uint64_t rows = pare_chunk_coding_read(PARE_CODING_LITTLE, 4, bytes + 4, 4).value;
    const uint64_t ids = pare_chunk_coding_read(PARE_CODING_LITTLE, 4, bytes + 8, 4).value;
    const uint64_t texts = pare_chunk_coding_read(PARE_CODING_LITTLE, 4, bytes + 12, 4).value;
    for (uint64_t i = 0; i < rows; i++) {
        const unsigned char *id = string_at(bytes, n, ids, i);
        const unsigned char *text = string_at(bytes, n, texts, i);
        if (!id || !text) return false;
        found = found || (*id == '!' && *text == '!');
    }
    return found;
}

/* 16 bytes, a row of each table, and what is left of their strings. */
static void test_chunk_reduction__one_message_of_a_catalogue_is_left(void **state)
{
    char bytes[MOST];
    struct run run = {.fails = has_message};
    (void)state;
    reduce(bytes, make_catalogue(bytes), &run);
    assert_true(run.n_best <= 16 + 16 + 4);
    assert_true(run.n_tests <= 100);
}

/* Where the value of MessagePack ends that begins at `at`, of lists and small numbers alone; 0: nowhere. */
static size_t list_end(const unsigned char *bytes, size_t n, size_t at)
{
    if (at >= n || bytes[at] >= 0xa0 || (bytes[at] >= 0x80 && bytes[at] < 0x90)) return 0;
    const unsigned items = bytes[at] >= 0x90 ? bytes[at] & 15U : 0;
    at++;
    for (unsigned i = 0; i < items; i++) {
        at = list_end(bytes, n, at);
        if (!at) return 0;
    }
    return at;
}

/* A whole list with `!` in it or in a list in it. */
static bool has_item(const unsigned char *bytes, size_t n)
{
    return n && bytes[0] >= 0x90 && list_end(bytes, n, 0) == n && memchr(bytes, '!', n);
}

static void test_chunk_reduction__a_value_takes_the_place_of_what_is_around_it(void **state)
{
    static const char bytes[] = "\x93\1\x94\2\x92\x91\x93\5\x91!\6\x91\3\4\x92\7\x8\x92\1\1";
    struct run run = {.fails = has_item};
    (void)state;
    assert_true(has_item((const unsigned char *)bytes, sizeof bytes - 1));
    reduce(bytes, sizeof bytes - 1, &run);
    assert_int_equal(run.n_best, 2);
    assert_memory_equal(run.best, "\x91!", 2);
    assert_in_range(run.n_tests, 1, 40);
}

static bool never(const unsigned char *bytes, size_t n)
{
    (void)bytes;
    (void)n;
    return false;
}

static void test_chunk_reduction__ends_when_nothing_pays(void **state)
{
    char bytes[MOST];
    (void)state;
    size_t n = make_records(bytes, 100, 0), size;
    pare_strategy *strategy = start(bytes, n, PARE_CHUNKS_WHILE_THEY_PAY);
    unsigned n_tests = 0;
    unsigned char now[MOST];
    for (; next_bytes(strategy, now, &size); n_tests++)
        assert_int_equal(
            strategy->ops->tell(strategy, never(now, size) ? PARE_FAIL : PARE_PASS, NULL), PARE_OK);
    pare_strategy_free(strategy);
    assert_true(n_tests > 10 && n_tests < 100);
}

/* The packed bytes that are to stay, and the test that they do. */
static pare_buffer wanted;

static bool has_wanted(const unsigned char *bytes, size_t n)
{
    return memmem(bytes, n, wanted.data, wanted.size) != NULL;
}

/* One stream more than can be open, of which the smallest stays packed and is the one that fails: the run ends as soon as
 * hardly anything but that is left, since the next one opens it. */
static void test_chunk_reduction__ends_when_what_stayed_packed_weighs_most(void **state)
{
    pare_buffer file = {0};
    unsigned char now[MOST];
    size_t size, left;
    bool fails = false;
    (void)state;
    for (unsigned i = 0; i <= PARE_CHUNK_MOST_PACKINGS; i++) {
        const bool is_last = i == PARE_CHUNK_MOST_PACKINGS;
        char plain[32];
        for (size_t at = 0; at < sizeof plain; at++)
            plain[at] = (char)('!' + (i * 31 + at * at * 7 + at * i) % 90);
        pare_buffer *to = is_last ? &wanted : &file;
        assert_int_equal(pare_buffer_text(&file, "\nstream\n", NULL), PARE_OK);
        pare_status status = pare_packing_close(PARE_PACKING_ZLIB, (unsigned char *)plain,
                                                is_last ? 20 : sizeof plain, to, NULL);
        if (status == PARE_E_UNSUPPORTED) skip();
        assert_int_equal(status, PARE_OK);
    }
    assert_int_equal(pare_buffer_add(&file, wanted.data, wanted.size, NULL), PARE_OK);
    assert_true(file.size <= MOST);
    left = file.size;
    pare_chunk_tree *tree = find_chunks(file.data, file.size);
    assert_int_equal(tree->n_packings, PARE_CHUNK_MOST_PACKINGS);
    pare_chunk_tree_unref(tree);
    pare_strategy *strategy = start(file.data, file.size, PARE_CHUNKS_WHILE_THEY_PAY);
    while (next_bytes(strategy, now, &size)) {
        assert_true(left >= file.size / 16);
        fails = has_wanted(now, size);
        if (fails) left = size;
        assert_int_equal(strategy->ops->tell(strategy, fails ? PARE_FAIL : PARE_PASS, NULL),
                         PARE_OK);
    }
    assert_true(fails && left < file.size / 16);
    pare_strategy_free(strategy);
    pare_buffer_done(&file);
    pare_buffer_done(&wanted);
}

static pare_status run_all(void *context)
{
    pare_chunk_tree *tree = context;
    pare_text *text = NULL;
    pare_strategy *strategy = NULL, *copy = NULL;
    pare_status status = pare_text_copy(samples[0].bytes, samples[0].size, &text, NULL);
    const pare_chunk_view view = {.text = text, .end = samples[0].size, .tree = tree};
    if (!status) status = pare_chunk_reduction_new(&view, PARE_CHUNKS_TO_THE_END, &strategy, NULL);
    pare_next what = PARE_NEXT_TEST;
    while (!status && what == PARE_NEXT_TEST) {
        pare_candidate candidate = {0};
        status = strategy->ops->next(strategy, &what, &candidate, NULL);
        pare_candidate_done(&candidate);
        if (!status) status = strategy->ops->copy(strategy, &copy, NULL);
        if (status) break;
        pare_strategy_free(copy);
        if (what == PARE_NEXT_TEST) status = strategy->ops->tell(strategy, PARE_PASS, NULL);
    }
    pare_strategy_free(strategy);
    pare_text_unref(text);
    return status;
}

/* A PDF with packed objects: the form without them is tried first, and where that does not fail nothing else is made of it. */
static void test_chunk_reduction__a_form_written_anew_comes_first(void **state)
{
    static const char packed[] =
        "%PDF-1.5\n1 0 obj << /Type /ObjStm /N 2 /First 8 >> stream\n"
        "3 0 4 8 (a text)<< /Type /Catalog >>\nendstream endobj\n"
        "2 0 obj << /Type /XRef /Size 5 /Root 4 0 R >> stream\nabc\nendstream endobj\n";
    unsigned char now[MOST];
    size_t n;
    (void)state;
    pare_chunk_tree *tree = find_chunks(packed, sizeof packed - 1);
    assert_int_equal(tree->n_packings, 1);
    for (unsigned fails = 0; fails < 2; fails++) {
        pare_strategy *strategy = start(packed, sizeof packed - 1, PARE_CHUNKS_TO_THE_END);
        assert_true(next_bytes(strategy, now, &n));
        assert_int_equal(n, tree->packings[0].n_plain);
        assert_memory_equal(now, tree->packings[0].plain, n);
        const pare_outcome outcome = fails ? PARE_FAIL : PARE_PASS;
        assert_int_equal(strategy->ops->tell(strategy, outcome, NULL), PARE_OK);
        assert_int_equal(next_bytes(strategy, now, &n), fails != 0);
        pare_strategy_free(strategy);
    }
    pare_chunk_tree_unref(tree);
    assert_int_equal(pare_chunk_finder_find_as_it_is((const unsigned char *)packed,
                                                     sizeof packed - 1, &tree, NULL),
                     PARE_OK);
    assert_int_equal(tree->n_packings, 0);
    pare_chunk_tree_unref(tree);
}

static void test_chunk_reduction__a_lack_of_memory_is_reported(void **state)
{
    (void)state;
    pare_chunk_tree *tree = find_chunks(samples[0].bytes, samples[0].size);
    sweep_allocations(run_all, tree);
    pare_chunk_tree_unref(tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chunk_reduction__one_record_of_many_is_found_by_halving),
        cmocka_unit_test(test_chunk_reduction__is_as_good_as_trying_all_on_small_files),
        cmocka_unit_test(test_chunk_reduction__small_chunks_come_before_pieces_of_what_stays),
        cmocka_unit_test(test_chunk_reduction__numbers_may_stay_as_they_are),
        cmocka_unit_test(test_chunk_reduction__numbers_as_they_are_wait),
        cmocka_unit_test(test_chunk_reduction__one_message_of_a_catalogue_is_left),
        cmocka_unit_test(test_chunk_reduction__a_value_takes_the_place_of_what_is_around_it),
        cmocka_unit_test(test_chunk_reduction__ends_when_nothing_pays),
        cmocka_unit_test(test_chunk_reduction__ends_when_what_stayed_packed_weighs_most),
        cmocka_unit_test(test_chunk_reduction__a_form_written_anew_comes_first),
        cmocka_unit_test(test_chunk_reduction__a_lack_of_memory_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
