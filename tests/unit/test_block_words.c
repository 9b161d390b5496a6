/* Which words open and close blocks, and that the pairing is the one a reader would make. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "reduce/structure/block_words.h"
#include "unit/alloc_sweep.h"

enum { MOST_USES = 40, MOST_WORDS = 3 };

/* A reference that looks for the nearest free opener again for each use: a pair takes it, and all
 * that is free between the two. */
static size_t match_slowly(const pare_block_use *uses, size_t n, uint32_t (*pairs)[2])
{
    bool spent[MOST_USES] = {false};
    size_t n_pairs = 0;
    for (size_t i = 0; i < n; i++) {
        if (!uses[i].closes) continue;
        for (size_t k = i; k-- > 0;) {
            if (spent[k] || uses[k].closes || uses[k].word != uses[i].word) continue;
            for (size_t between = k; between < i; between++)
                spent[between] = true;
            pairs[n_pairs][0] = uses[k].line;
            pairs[n_pairs++][1] = uses[i].line;
            break;
        }
    }
    return n_pairs;
}

static bool has_pair(const pare_block_spans *spans, const uint32_t pair[2])
{
    for (size_t i = 0; i < spans->n; i++)
        if (spans->items[i].first == pair[0] && spans->items[i].last == pair[1]) return true;
    return false;
}

static void test_block_words__match_as_a_slow_reference_does(void **state)
{
    (void)state;
    pare_random random;
    pare_random_init(&random, 17);
    for (unsigned round = 0; round < 2000; round++) {
        pare_block_use uses[MOST_USES];
        pare_block_count counts[MOST_WORDS] = {{0}};
        pare_block_spans spans = {.n = 0};
        uint32_t pairs[MOST_USES][2];
        size_t n = pare_random_below(&random, MOST_USES);
        for (size_t i = 0; i < n; i++)
            uses[i] = (pare_block_use){(uint32_t)pare_random_below(&random, MOST_WORDS),
                                       (uint32_t)i, pare_random_below(&random, 2)};
        assert_int_equal(pare_block_words_match(uses, n, counts, MOST_WORDS, &spans, NULL),
                         PARE_OK);
        pare_block_spans_settle(&spans);
        assert_true(pare_block_spans_check(&spans));
        size_t n_pairs = match_slowly(uses, n, pairs);
        assert_int_equal(spans.n, n_pairs);
        for (size_t i = 0; i < n_pairs; i++)
            assert_true(has_pair(&spans, pairs[i]));
        pare_block_spans_done(&spans);
    }
}

/* The blocks of a text as "first-last first-last ...", lines from 0. */
static const char *blocks_of(const char *text)
{
    static char told[256];
    pare_line_table table = {.n_lines = 0};
    pare_block_spans spans = {.n = 0};
    size_t at = 0;
    assert_int_equal(pare_line_table_read((const unsigned char *)text, strlen(text), &table, NULL),
                     PARE_OK);
    assert_int_equal(pare_block_words_find(&table, &spans, NULL), PARE_OK);
    assert_true(pare_block_spans_check(&spans));
    told[0] = '\0';
    for (size_t i = 0; i < spans.n; i++)
        at += (size_t)snprintf(told + at, sizeof told - at, "%s%u-%u", i ? " " : "",
                               spans.items[i].first, spans.items[i].last);
    pare_block_spans_done(&spans);
    pare_line_table_done(&table);
    return told;
}

static void test_block_words__are_learned_by_their_form(void **state)
{
    (void)state;
    static const struct {
        const char *text, *blocks;
    } cases[] = {
        {"function f is\nbegin\nif x then\ny;\nend if;\nend function f;\n", "0-5 2-4"},
        {"BEGIN\na\nEnd\n", "0-2"},
        {"module m;\nalways begin\nx\nend\nendmodule\n", "0-4 1-3"},
        {"if a; then\nb\nfi\nfor x in y; do\nz\ndone\n", "0-2 3-5"},
        {"#if A\nx\n#ifdef B\ny\n#endif\n#endif\n", "0-5 2-4"},
        {"\\begin{a}\n\\begin{b}\nx\n\\end{b}\n\\end{a}\n", "0-4 1-3"},
        {"<a>\n<b x='1'>\ny\n</b>\n<b>1</b>\n</a>\n", "0-5 1-3"},
        {"<x:a>\n<x:b y=\"1\"/>\n<x:c-d>\nz\n</x:c-d>\n</x:a>\n", "0-5 2-4"},
        {"proc f\nx\nendproc\n", "0-2"},
        {"Private Sub X()\na\nEnd Sub\n", "0-2"},
        {"while x; do y; done\nz\n", ""},
        {"the end\nof all\n", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(blocks_of(cases[i].text), cases[i].blocks);
}

static void test_block_words__that_do_not_balance_are_none(void **state)
{
    (void)state;
    /* More ends than begins: no words of this text; the others are paired without them. */
    assert_string_equal(blocks_of("begin\nx\nend\nend\nend\nif a\nb\nendif\n"), "5-7");
}

static pare_status find_all(void *context)
{
    const char *text = context;
    pare_line_table table = {.n_lines = 0};
    pare_block_spans spans = {.n = 0};
    pare_status status =
        pare_line_table_read((const unsigned char *)text, strlen(text), &table, NULL);
    if (!status) status = pare_block_words_find(&table, &spans, NULL);
    pare_block_spans_done(&spans);
    pare_line_table_done(&table);
    return status;
}

static void test_block_words__survive_running_out_of_memory(void **state)
{
    (void)state;
    char text[] = "if a\nif b\nx\nend if\nend if\n";
    sweep_allocations(find_all, text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_block_words__match_as_a_slow_reference_does),
        cmocka_unit_test(test_block_words__are_learned_by_their_form),
        cmocka_unit_test(test_block_words__that_do_not_balance_are_none),
        cmocka_unit_test(test_block_words__survive_running_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
