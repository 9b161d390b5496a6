/* Patches: built, united as a brute force unites them, and made candidates. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "text/patch.h"
#include "unit/alloc_sweep.h"

enum { MOST = 8 }; /* changes of a set in the random tests */

static pare_patches *about(const char *bytes)
{
    pare_text *text = NULL;
    pare_patches *patches = NULL;
    assert_int_equal(pare_text_copy(bytes, strlen(bytes), &text, NULL), PARE_OK);
    assert_int_equal(pare_patches_new(text, &patches, NULL), PARE_OK);
    pare_text_unref(text);
    return patches;
}

static void change(pare_patches *patches, size_t from, size_t to, const char *bytes)
{
    assert_int_equal(pare_patches_change(patches, from, to, bytes, strlen(bytes), NULL), PARE_OK);
}

static uint32_t end(pare_patches *patches, uint32_t parent)
{
    uint32_t index;
    assert_int_equal(pare_patches_end(patches, parent, &index, NULL), PARE_OK);
    return index;
}

static void assert_prints(const pare_patches *patches, const pare_change *changes, size_t n,
                          const char *expected)
{
    pare_candidate candidate = {0};
    char printed[128] = "";
    assert_int_equal(pare_patches_candidate(patches, changes, n, &candidate, NULL), PARE_OK);
    assert_true(candidate.size < sizeof printed);
    pare_candidate_read(&candidate, printed);
    assert_string_equal(printed, expected);
    pare_candidate_done(&candidate);
}

static void test_patch__a_list_knows_its_patches_and_their_parts(void **state)
{
    (void)state;
    pare_patches *patches = about("one two three");
    change(patches, 0, 4, "");
    change(patches, 4, 7, "2");
    uint32_t whole = end(patches, PARE_NO_PATCH);
    change(patches, 0, 4, "");
    uint32_t first = end(patches, whole);
    change(patches, 4, 7, "2");
    uint32_t second = end(patches, whole);
    change(patches, 4, 7, "two");
    assert_int_equal(end(patches, whole), PARE_NO_PATCH);
    assert_int_equal(patches->n, 3);
    assert_int_equal(patches->patches[whole].gain, 6);
    assert_int_equal(patches->patches[whole].first_part, first);
    assert_int_equal(patches->patches[first].next, second);
    assert_int_equal(patches->patches[second].next, PARE_NO_PATCH);
    assert_int_equal(patches->patches[second].parent, whole);
    assert_prints(patches, pare_patch_changes(patches, whole), 2, "2 three");
    assert_prints(patches, pare_patch_changes(patches, second), 1, "one 2 three");
    assert_prints(patches, NULL, 0, "one two three");
    pare_patches_unref(pare_patches_ref(patches));
    pare_patches_unref(patches);
}

/* A patch that leaves out from .. to-1 and lowers the counter. */
static uint32_t lower(pare_patches *patches, uint32_t counter, size_t from, size_t to)
{
    assert_int_equal(pare_patches_lower(patches, counter, NULL), PARE_OK);
    change(patches, from, to, "");
    return end(patches, PARE_NO_PATCH);
}

static void test_patch__numbers_follow_all_that_is_left_out_of_what_they_count(void **state)
{
    (void)state;
    pare_patches *patches = about("11 a b c 3:def");
    pare_change united[MOST];
    uint32_t words, bytes;
    size_t n = 0;
    assert_int_equal(pare_patches_counter(patches, 0, 2, 11, &words, NULL), PARE_OK);
    for (uint32_t at = 3; at < 9; at += 2)
        assert_int_equal(pare_patches_count(patches, (pare_counted){at, at + 2, false}, NULL),
                         PARE_OK);
    assert_int_equal(pare_patches_counter(patches, 9, 10, 3, &bytes, NULL), PARE_OK);
    assert_int_equal(pare_patches_count(patches, (pare_counted){11, 14, true}, NULL), PARE_OK);
    const uint32_t first = lower(patches, words, 3, 5), two = lower(patches, words, 3, 7);
    const uint32_t last = lower(patches, words, 7, 9), part = lower(patches, words, 7, 8);
    const uint32_t inside = lower(patches, bytes, 12, 14);
    assert_prints(patches, pare_patch_changes(patches, first), 2, "10 b c 3:def");
    assert_prints(patches, pare_patch_changes(patches, two), 2, "9 c 3:def");
    assert_prints(patches, pare_patch_changes(patches, part), 2, "11 a b  3:def");
    assert_prints(patches, pare_patch_changes(patches, inside), 2, "11 a b c 1:d");
    pare_change_list sum = {pare_patch_changes(patches, first), 2};
    const uint32_t more[] = {two, last, inside};
    for (size_t i = 0; i < 3; i++) {
        pare_change before[MOST];
        memcpy(before, sum.changes, sum.n * sizeof *before);
        const pare_change_list next = {pare_patch_changes(patches, more[i]), 2};
        assert_int_equal(
            pare_patches_unite(patches, (pare_change_list){before, sum.n}, next, united, &n),
            PARE_UNION_MORE);
        sum = (pare_change_list){united, n};
    }
    assert_prints(patches, united, n, "8 1:d");
    pare_patches_unref(patches);
}

static void test_patch__words_do_not_come_to_touch_where_that_is_asked_for(void **state)
{
    (void)state;
    pare_patches *patches = about("a-b-c d");
    change(patches, 1, 2, "");
    uint32_t first = end(patches, PARE_NO_PATCH);
    change(patches, 1, 2, "");
    change(patches, 2, 4, "");
    uint32_t run = end(patches, PARE_NO_PATCH);
    change(patches, 1, 2, "");
    change(patches, 2, 3, "x");
    uint32_t replaced = end(patches, PARE_NO_PATCH);
    assert_prints(patches, pare_patch_changes(patches, first), 1, "ab-c d");
    patches->spaced = true;
    assert_prints(patches, pare_patch_changes(patches, first), 1, "a b-c d");
    assert_prints(patches, pare_patch_changes(patches, run), 2, "a c d");
    assert_prints(patches, pare_patch_changes(patches, replaced), 2, "ax-c d");
    pare_patches_unref(patches);
}

/* ---- uniting ---------------------------------------------------------------------- */

static pare_union unite(const pare_patches *patches, uint32_t a, uint32_t b, pare_change *out,
                        size_t *n)
{
    const pare_change_list first = {pare_patch_changes(patches, a), patches->patches[a].n_changes};
    const pare_change_list second = {pare_patch_changes(patches, b), patches->patches[b].n_changes};
    return pare_patches_unite(patches, first, second, out, n);
}

static void test_patch__cuts_unite_and_swallow_what_they_cover(void **state)
{
    (void)state;
    pare_change out[MOST];
    size_t n = 0;
    pare_patches *patches = about("0123456789");
    change(patches, 2, 6, "");
    uint32_t cut = end(patches, PARE_NO_PATCH);
    change(patches, 4, 8, "");
    uint32_t later = end(patches, PARE_NO_PATCH);
    change(patches, 3, 5, "x");
    uint32_t inside = end(patches, PARE_NO_PATCH);
    change(patches, 5, 7, "y");
    uint32_t across = end(patches, PARE_NO_PATCH);
    change(patches, 3, 5, "x");
    change(patches, 9, 10, "");
    uint32_t both = end(patches, PARE_NO_PATCH);
    assert_int_equal(unite(patches, cut, later, out, &n), PARE_UNION_MORE);
    assert_prints(patches, out, n, "0189");
    assert_int_equal(unite(patches, inside, cut, out, &n), PARE_UNION_MORE);
    assert_prints(patches, out, n, "016789");
    assert_int_equal(unite(patches, cut, inside, out, &n), PARE_UNION_SAME);
    assert_int_equal(unite(patches, both, inside, out, &n), PARE_UNION_SAME);
    assert_int_equal(unite(patches, inside, both, out, &n), PARE_UNION_MORE);
    assert_prints(patches, out, n, "012x5678");
    assert_int_equal(unite(patches, cut, across, out, &n), PARE_UNION_CONFLICT);
    assert_int_equal(unite(patches, inside, across, out, &n), PARE_UNION_MORE);
    pare_patches_unref(patches);
}

static void random_patch(pare_patches *patches, pare_random *random, size_t size)
{
    size_t at = 0;
    static const char *const texts[] = {"", "", "", "x", "y"};
    while (at < size) {
        size_t from = at + (size_t)pare_random_below(random, 5);
        size_t to = from + 1 + (size_t)pare_random_below(random, 3);
        if (to > size) break;
        change(patches, from, to, texts[pare_random_below(random, 5)]);
        at = to;
    }
}

/* Which bytes a set leaves out, and which it replaces: 0 stays, 1 gone, 2 replaced. */
static void mark(const pare_change *changes, size_t n, unsigned char *marks)
{
    memset(marks, 0, 16);
    for (size_t i = 0; i < n; i++)
        for (uint32_t at = changes[i].from; at < changes[i].to; at++)
            marks[at] = changes[i].size ? 2 : 1;
}

static void test_patch__a_union_leaves_out_what_either_leaves_out(void **state)
{
    (void)state;
    pare_random random;
    pare_random_init(&random, 11);
    unsigned long seen[3] = {0};
    for (int round = 0; round < 20000; round++) {
        unsigned char a[16], b[16], both[16];
        pare_change out[2 * MOST];
        size_t n = 0;
        pare_patches *patches = about("abcdefghij");
        random_patch(patches, &random, 10);
        uint32_t first = end(patches, PARE_NO_PATCH);
        random_patch(patches, &random, 10);
        uint32_t second = end(patches, PARE_NO_PATCH);
        if (first != PARE_NO_PATCH && second != PARE_NO_PATCH) {
            pare_union what = unite(patches, first, second, out, &n);
            seen[what]++;
            mark(pare_patch_changes(patches, first), patches->patches[first].n_changes, a);
            mark(pare_patch_changes(patches, second), patches->patches[second].n_changes, b);
            mark(out, n, both);
            for (size_t at = 0; at < 10 && what == PARE_UNION_MORE; at++) {
                assert_true(both[at] != 0 || (a[at] == 0 && b[at] == 0));
                if (a[at] == 1 || b[at] == 1) assert_true(both[at] == 1);
            }
            for (size_t at = 0; at < 10 && what == PARE_UNION_SAME; at++)
                assert_true(b[at] == 0 || a[at] != 0);
            for (size_t i = 1; i < n && what == PARE_UNION_MORE; i++)
                assert_true(out[i - 1].to <= out[i].from);
        }
        pare_patches_unref(patches);
    }
    assert_true(seen[PARE_UNION_MORE] > 1000);
    assert_true(seen[PARE_UNION_SAME] > 100);
    assert_true(seen[PARE_UNION_CONFLICT] > 100);
}

/* ---- memory ----------------------------------------------------------------------- */

static pare_status attempt(void *context)
{
    pare_patches *patches = NULL;
    pare_candidate candidate = {0};
    uint32_t index = PARE_NO_PATCH;
    pare_status status = pare_patches_new(context, &patches, NULL);
    if (!status) status = pare_patches_change(patches, 0, 2, "zz", 2, NULL);
    if (!status) status = pare_patches_end(patches, PARE_NO_PATCH, &index, NULL);
    if (!status)
        status =
            pare_patches_candidate(patches, pare_patch_changes(patches, 0), 1, &candidate, NULL);
    pare_candidate_done(&candidate);
    pare_patches_unref(patches);
    return status;
}

static void test_patch__every_allocation_may_fail(void **state)
{
    (void)state;
    pare_text *text = NULL;
    assert_int_equal(pare_text_copy("abc", 3, &text, NULL), PARE_OK);
    sweep_allocations(attempt, text);
    pare_text_unref(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_patch__a_list_knows_its_patches_and_their_parts),
        cmocka_unit_test(test_patch__numbers_follow_all_that_is_left_out_of_what_they_count),
        cmocka_unit_test(test_patch__words_do_not_come_to_touch_where_that_is_asked_for),
        cmocka_unit_test(test_patch__cuts_unite_and_swallow_what_they_cover),
        cmocka_unit_test(test_patch__a_union_leaves_out_what_either_leaves_out),
        cmocka_unit_test(test_patch__every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
