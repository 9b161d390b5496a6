/* What of a table is left, and how many tests that takes. */
/* tests: src/reduce/table/table_reduction.c src/reduce/table/table_layout.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <pare/outcome.h>

#include "base/buffer.h"
#include "reduce/table/table_reduction.h"
#include "unit/alloc_sweep.h"
#include "unit/support/next_text.h"

/* Fails while all of its words are in the text. */
struct words {
    const char *at[6];
    unsigned n_tests;
};

static pare_outcome test_words(struct words *words, const char *text)
{
    words->n_tests++;
    for (size_t i = 0; i < 6 && words->at[i]; i++)
        if (!strstr(text, words->at[i])) return PARE_PASS;
    return PARE_FAIL;
}

static pare_table *read_table(const char *bytes, pare_table_format format)
{
    pare_text *text = NULL;
    pare_table *table = NULL;
    const pare_table_dialect dialect = {.format = format, .delimiter = ','};
    assert_int_equal(pare_text_copy(bytes, strlen(bytes), &text, NULL), PARE_OK);
    assert_int_equal(pare_table_read(text, 0, strlen(bytes), &dialect, &table, NULL), PARE_OK);
    pare_text_unref(text);
    return table;
}

/* A copy is made before each test: it proposes the same, told the same. */
static void step(pare_strategy *strategy, struct words *words, char *best, const char *text)
{
    pare_strategy *copy = NULL;
    assert_int_equal(strategy->ops->copy(strategy, &copy, NULL), PARE_OK);
    char *same = next_text(copy);
    assert_string_equal(same, text);
    assert_true(strlen(text) < strlen(best));
    pare_outcome outcome = test_words(words, text);
    if (outcome == PARE_FAIL) memcpy(best, text, strlen(text) + 1);
    assert_int_equal(strategy->ops->tell(copy, outcome, NULL), PARE_OK);
    assert_int_equal(strategy->ops->tell(strategy, outcome, NULL), PARE_OK);
    test_free(same);
    same = next_text(copy);
    char *other = next_text(strategy);
    assert_int_equal(same != NULL, other != NULL);
    if (same) assert_string_equal(same, other);
    test_free(same);
    test_free(other);
    pare_strategy_free(copy);
}

/* Runs to the end; the smallest text that failed, to be freed. */
static char *run(const char *source, pare_table_format format, struct words *words)
{
    pare_table *table = read_table(source, format);
    pare_strategy *strategy = NULL;
    char *best = test_calloc(strlen(source) + 1, 1), *text;
    memcpy(best, source, strlen(source));
    assert_int_equal(pare_table_reduction_new(table, &strategy, NULL), PARE_OK);
    pare_table_unref(table);
    while ((text = next_text(strategy)) != NULL) {
        step(strategy, words, best, text);
        test_free(text);
    }
    pare_strategy_free(strategy);
    return best;
}

static unsigned assert_left(const char *source, pare_table_format format, struct words words,
                            const char *expected)
{
    char *best = run(source, format, &words);
    assert_string_equal(best, expected);
    test_free(best);
    return words.n_tests;
}

static const char CSV[] = "id,name,size,flag\n1,a,10,x\n2,\"b,\nc\",20,y\n3,d,30,x\n4,e,40,y\n";

static void test_table_reduction__leaves_columns_of_all_rows_out(void **state)
{
    (void)state;
    assert_left(CSV, PARE_TABLE_DELIMITED, (struct words){.at = {"size", "30"}}, "size\n30");
    assert_left(CSV, PARE_TABLE_DELIMITED, (struct words){.at = {"b,\nc"}}, "\"b,\nc\"");
}

static void test_table_reduction__cuts_what_is_empty_at_the_end(void **state)
{
    (void)state;
    assert_left(CSV, PARE_TABLE_DELIMITED, (struct words){.at = {"name", "size", "flag", "20"}},
                "size,name,flag\n20");
    /* Where the order matters, only behind the last value. */
    assert_left(CSV, PARE_TABLE_DELIMITED, (struct words){.at = {"name,size,flag", "20"}},
                "name,size,flag\n,20");
}

static void test_table_reduction__fills_values(void **state)
{
    (void)state;
    static const char ROWS[] = "1000,x,aa\n2000,y,bb\n3000,x,cc\n";
    assert_left(ROWS, PARE_TABLE_DELIMITED, (struct words){.at = {",", "2000"}}, "2000,");
    static const char JSON[] =
        "{\"r\": [{\"a\": 111, \"b\": \"x\"}, {\"b\": \"yy\", \"a\": 22}], \"v\": 1}";
    assert_left(JSON, PARE_TABLE_JSON, (struct words){.at = {"\"a\"", "yy"}},
                "{\"r\": [{\"b\": \"yy\", \"a\": 0}], \"v\": 1}");
    assert_left(JSON, PARE_TABLE_JSON, (struct words){.at = {"v"}}, "{\"r\": [], \"v\": 1}");
    static const char YAML[] = "r:\n- a: 1\n  b:\n    c: 2\n- a: 3\n  b: 4\nv: 1\n";
    assert_left(YAML, PARE_TABLE_YAML, (struct words){.at = {"a:", "b:", "v"}},
                "r:\n- a:\n  b:\nv: 1\n");
}

/* `n` rows of `n_columns`; cells tell where they are. */
static char *make_csv(unsigned n, unsigned n_columns)
{
    enum { MOST = 16 };
    char *csv = test_calloc((size_t)(n + 1) * n_columns, MOST);
    size_t size = 0;
    for (unsigned i = 0; i <= n; i++)
        for (unsigned k = 0; k < n_columns; k++)
            size += (size_t)snprintf(csv + size, MOST, i ? "r%uc%u%c" : "h%uc%u%c", i, k,
                                     k + 1 < n_columns ? ',' : '\n');
    return csv;
}

static void test_table_reduction__needs_few_tests(void **state)
{
    (void)state;
    char *csv = make_csv(1000, 40);
    unsigned n_tests =
        assert_left(csv, PARE_TABLE_DELIMITED, (struct words){.at = {"r100c7", "r800c30", "h0c7"}},
                    "h0c7,h0c30\nr100c7\n,r800c30");
    assert_in_range(n_tests, 20, 75);
    test_free(csv);
}

static pare_status make_and_run(void *context)
{
    pare_table *table = context;
    pare_strategy *strategy = NULL;
    pare_candidate candidate = {0};
    struct words words = {.at = {"20"}};
    pare_next what = PARE_NEXT_TEST;
    pare_status status = pare_table_reduction_new(table, &strategy, NULL);
    while (!status && what == PARE_NEXT_TEST) {
        status = strategy->ops->next(strategy, &what, &candidate, NULL);
        if (status || what != PARE_NEXT_TEST) break;
        char *text = test_calloc(candidate.size + 1, 1);
        pare_candidate_read(&candidate, text);
        status = strategy->ops->tell(strategy, test_words(&words, text), NULL);
        test_free(text);
    }
    pare_candidate_done(&candidate);
    pare_strategy_free(strategy);
    return status;
}

static void test_table_reduction__gives_all_memory_back(void **state)
{
    (void)state;
    pare_table *table = read_table(CSV, PARE_TABLE_DELIMITED);
    sweep_allocations(make_and_run, table);
    pare_table_unref(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table_reduction__leaves_columns_of_all_rows_out),
        cmocka_unit_test(test_table_reduction__cuts_what_is_empty_at_the_end),
        cmocka_unit_test(test_table_reduction__fills_values),
        cmocka_unit_test(test_table_reduction__needs_few_tests),
        cmocka_unit_test(test_table_reduction__gives_all_memory_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
