/* An embedding is common to both texts, in order, and none is cheaper. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "alloc_sweep.h"
#include "base/random.h"
#include "text/embed.h"

enum { SMALL = 12 };

static pare_span span_of(const char *text)
{
    return (pare_span){(const unsigned char *)text, strlen(text)};
}

/* Tokens are weighed as words. */
static pare_status embed(const char *unit, const char *old, const char *new, pare_embedding *out)
{
    uint64_t budget = 1 << 26;
    pare_embed_task task = {.old = span_of(old),
                            .new = span_of(new),
                            .splitter = pare_splitter_find(unit),
                            .weights = strcmp(unit, "token") ? PARE_EMBED_EVEN : PARE_EMBED_WORDS};
    return pare_embed(&task, &budget, out, NULL);
}

/* The parts of `old` that are marked, each in brackets. */
static const char *marked(const pare_embedding *embedding, const char *old, char *text)
{
    size_t at = 0;
    for (size_t i = 0; i < embedding->n; i++)
        at += (size_t)sprintf(text + at, "[%.*s]", (int)embedding->runs[i].size,
                              old + embedding->runs[i].old_at);
    text[at] = '\0';
    return text;
}

static void test_embed__prefers_whole_stretches_to_early_scraps(void **state)
{
    (void)state;
    static const struct {
        const char *unit, *old, *new, *marked;
    } cases[] = {
        {"token", "int a; int b; f(int c);", "f(int c);", "[f(int c);]"},
        {"token", "x = (1 + 2) * (3 + 4);", "x = (3 + 4);", "[x =][ (3 + 4);]"},
        {"token", "f(a, b, c)", "f(q, c)", "[f(][, c)]"},
        {"token", "; ; f(x) ; ; (", "; q", ""},
        {"line", "a\nb\na\nb\nc\n", "b\nc\n", "[b\nc\n]"},
        {"byte", "aXbXcXabc", "abc", "[abc]"},
        {"byte", "aaaa", "aa", "[aa]"},
        {"byte", "abc", "xyz", ""},
        {"byte", "", "xyz", ""},
        {"byte", "abc", "", ""},
        {"byte", "a1b2c3", "abc", "[a][b][c]"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pare_embedding embedding = {0};
        char text[100];
        assert_int_equal(embed(cases[i].unit, cases[i].old, cases[i].new, &embedding), PARE_OK);
        assert_string_equal(marked(&embedding, cases[i].old, text), cases[i].marked);
        pare_embedding_done(&embedding);
    }
}

/* Least cost by trying everything: `run` says whether new[j-1] was found at old[i-1]. */
static unsigned least(const char *old, size_t i, const char *new, size_t j, bool run)
{
    if (!new[j]) return 0;
    unsigned best = PARE_EMBED_LOST + least(old, i, new, j + 1, false);
    for (size_t k = i; old[k]; k++) {
        if (old[k] != new[j]) continue;
        unsigned cost = (run && k == i ? 0 : PARE_EMBED_RUN) + least(old, k + 1, new, j + 1, true);
        if (cost < best) best = cost;
    }
    return best;
}

/* Cost of an embedding; it must be one. */
static unsigned cost_of(const pare_embedding *embedding, const char *old, const char *new)
{
    size_t old_at = 0, new_at = 0, lost = strlen(new);
    for (size_t i = 0; i < embedding->n; i++) {
        const pare_embed_run *run = &embedding->runs[i];
        assert_true(run->size > 0 && run->old_at >= old_at && run->new_at >= new_at);
        assert_memory_equal(old + run->old_at, new + run->new_at, run->size);
        old_at = run->old_at + run->size;
        new_at = run->new_at + run->size;
        lost -= run->size;
    }
    assert_true(old_at <= strlen(old) && new_at <= strlen(new));
    return (unsigned)(PARE_EMBED_RUN * embedding->n + PARE_EMBED_LOST * lost);
}

static void test_embed__none_is_cheaper(void **state)
{
    (void)state;
    pare_random random;
    pare_random_init(&random, 7);
    for (int round = 0; round < 3000; round++) {
        char old[SMALL + 1] = "", new[SMALL + 1] = "";
        unsigned n_old = (unsigned)pare_random_below(&random, SMALL);
        unsigned n_new = (unsigned)pare_random_below(&random, 8);
        for (unsigned i = 0; i < n_old; i++)
            old[i] = (char)('a' + pare_random_below(&random, 3));
        for (unsigned i = 0; i < n_new; i++)
            new[i] = (char)('a' + pare_random_below(&random, 4));
        pare_embedding embedding = {0};
        assert_int_equal(embed("byte", old, new, &embedding), PARE_OK);
        assert_int_equal(cost_of(&embedding, old, new), least(old, 0, new, 0, false));
        pare_embedding_done(&embedding);
    }
}

static void test_embed__runs_go_on_across_windows(void **state)
{
    (void)state;
    enum { SIZE = 3 << 20 };
    char *old = test_malloc(SIZE + 1);
    for (size_t i = 0; i < SIZE; i++)
        old[i] = i % 64 == 63 ? '\n' : (char)('a' + (i / 64 * 7 + i) % 26);
    old[SIZE] = '\0';
    memcpy(old + (1 << 20) - 4, "<here>", 6);
    pare_embedding embedding = {0};
    assert_int_equal(embed("byte", old, "<here>", &embedding), PARE_OK);
    assert_int_equal(embedding.n, 1);
    assert_int_equal(embedding.runs[0].old_at, (1 << 20) - 4);
    assert_int_equal(embedding.runs[0].size, 6);
    pare_embedding_done(&embedding);
    test_free(old);
}

static void test_embed__stops_when_the_budget_is_spent(void **state)
{
    (void)state;
    pare_embedding embedding = {0};
    pare_error err = {0};
    uint64_t budget = 10;
    pare_embed_task task = {
        .old = span_of("aaaaaaaa"), .new = span_of("aaaa"), .splitter = pare_splitter_find("byte")};
    assert_int_equal(pare_embed(&task, &budget, &embedding, &err), PARE_E_LIMIT);
    assert_int_equal(budget, 0);
    assert_null(embedding.runs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_embed__prefers_whole_stretches_to_early_scraps),
        cmocka_unit_test(test_embed__none_is_cheaper),
        cmocka_unit_test(test_embed__runs_go_on_across_windows),
        cmocka_unit_test(test_embed__stops_when_the_budget_is_spent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
