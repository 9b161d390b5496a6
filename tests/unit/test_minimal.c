/* Minimal texts of rules and tokens. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "grammar/fuzzingbook.h"
#include "grammar/minimal.h"
#include "unit/alloc_sweep.h"
#include "unit/support/grammar_text.h"

/* Two words need a space between them. */
static bool glues(void *context, const char *left, size_t left_size, const char *right,
                  size_t right_size)
{
    (void)context;
    (void)right_size;
    char last = left[left_size - 1], first = right[0];
    return last >= '0' && first >= '0' && last != ';' && first != ';';
}

static void assert_minimal(const pare_grammar *grammar, const char *rule, const char *expected)
{
    pare_analysis analysis = {0};
    pare_minimal_texts minimal = {0};
    pare_buffer text = {0};
    pare_index index = pare_grammar_find_rule(grammar, rule);
    assert_int_equal(pare_analysis_init(&analysis, grammar, NULL), PARE_OK);
    assert_int_equal(pare_minimal_init(&minimal, &analysis, NULL), PARE_OK);
    pare_status status =
        pare_minimal_text(&minimal, grammar->rules[index].body, glues, NULL, &text, NULL);
    assert_int_equal(status, expected ? PARE_OK : PARE_E_LIMIT);
    if (expected) assert_string_equal(text.data ? text.data : "", expected);
    pare_buffer_done(&text);
    pare_minimal_done(&minimal);
    pare_analysis_done(&analysis);
}

static void test_minimal__is_shortest_then_first(void **state)
{
    (void)state;
    pare_grammar *grammar = read_text(
        "grammar M; s : e ';' EOF ; e : e '+' e | '(' e ')' | ID | INT ; u : b | 'y' ; "
        "b : u | 'x' ; loop : loop 'z' ; opt : ID? INT* ; plus : ID+ INT ; not : ~ID ; any : . ; "
        "ID : [a-z_] [a-z]* ; INT : [0-9]+ ; STR : '\"' (~[\"] | '\\\\' .)+ '\"' ; "
        "WS : [ \\t]+ -> skip ; str : STR ;");
    static const struct {
        const char *rule, *expected;
    } cases[] = {
        {"s", "0;"},    {"e", "0"},       {"u", "x"},      {"b", "x"},
        {"loop", NULL}, {"opt", ""},      {"plus", "_ 0"}, {"str", "\"!\""},
        {"ID", "_"},    {"STR", "\"!\""}, {"WS", " "},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_minimal(grammar, cases[i].rule, cases[i].expected);
    pare_grammar_free(grammar);
}

static void test_minimal__works_on_characters_without_a_lexer(void **state)
{
    (void)state;
    static const char text[] = "{\"<start>\": [\"<e>;\"], \"<e>\": [\"<e> + <e>\", \"<d><d>\"], "
                               "\"<d>\": [\"1\", \"0\", \"\\u00e9\"]}";
    pare_grammar *grammar = NULL;
    assert_int_equal(pare_fuzzingbook_read_memory("b", text, strlen(text), &grammar, NULL),
                     PARE_OK);
    assert_minimal(grammar, "<start>", "00;");
    pare_grammar_free(grammar);
}

static void test_minimal__texts_without_end_are_a_limit(void **state)
{
    (void)state;
    pare_buffer text = {0};
    assert_int_equal(pare_buffer_text(&text, "grammar D; r99 : 'x' ;", NULL), PARE_OK);
    for (int i = 0; i < 99; i++)
        assert_int_equal(pare_buffer_format(&text, NULL, "r%d : r%d r%d ;", i, i + 1, i + 1),
                         PARE_OK);
    pare_grammar *grammar = read_text(text.data);
    assert_minimal(grammar, "r0", NULL);
    assert_minimal(grammar, "r97", "x x x x");
    pare_grammar_free(grammar);
    pare_buffer_done(&text);
}

/* Each side of `last` alone is short enough to be written. */
static void test_minimal__contexts_of_more_than_a_mebibyte_are_a_limit(void **state)
{
    (void)state;
    pare_buffer source = {0}, text = {0};
    pare_analysis analysis = {0};
    pare_minimal_texts minimal = {0};
    pare_contexts contexts = {0};
    size_t begin = 0;
    assert_int_equal(
        pare_buffer_text(&source, "grammar C; s : r0 last r0 'y' ; last : 'd' ; r19 : 'x' ;", NULL),
        PARE_OK);
    for (int i = 0; i < 19; i++)
        assert_int_equal(pare_buffer_format(&source, NULL, "r%d : r%d r%d ;", i, i + 1, i + 1),
                         PARE_OK);
    pare_grammar *grammar = read_text(source.data);
    const pare_index last = pare_grammar_find_rule(grammar, "last");
    assert_int_equal(pare_analysis_init(&analysis, grammar, NULL), PARE_OK);
    assert_int_equal(pare_minimal_init(&minimal, &analysis, NULL), PARE_OK);
    assert_int_equal(pare_minimal_contexts_init(&contexts, &minimal, 0, NULL), PARE_OK);
    assert_int_equal(contexts.sizes[last], (1 << 20) + 1);
    assert_int_equal(pare_minimal_context(&contexts, (pare_context_inner){last, "X", 1},
                                          (pare_joining){glues, NULL}, &text, &begin, NULL),
                     PARE_E_LIMIT);
    pare_buffer_done(&source);
    pare_buffer_done(&text);
    pare_minimal_contexts_done(&contexts);
    pare_minimal_done(&minimal);
    pare_analysis_done(&analysis);
    pare_grammar_free(grammar);
}

static pare_status minimise(void *context)
{
    pare_analysis analysis = {0};
    pare_minimal_texts minimal = {0};
    pare_index tokens[4];
    size_t n = 0;
    pare_status status = pare_analysis_init(&analysis, context, NULL);
    if (!status) status = pare_minimal_init(&minimal, &analysis, NULL);
    if (!status)
        status =
            pare_minimal_tokens(&minimal, analysis.grammar->rules[0].body, tokens, 4, &n, NULL);
    if (!status) assert_int_equal(n, 2);
    pare_minimal_done(&minimal);
    pare_analysis_done(&analysis);
    return status;
}

static void test_minimal__reports_oom(void **state)
{
    (void)state;
    pare_grammar *grammar = read_text("grammar O; a : (X | Y) b ; b : Y ; X : 'x' ; Y : 'y' ;");
    sweep_allocations(minimise, grammar);
    pare_grammar_free(grammar);
}

/* Would take minutes if each of them looked at all the others. */
static void test_minimal__contexts_in_long_sequences_cost_linear_work(void **state)
{
    (void)state;
    enum { PARTS = 300000 };
    pare_buffer source = {0}, text = {0};
    pare_analysis analysis = {0};
    pare_minimal_texts minimal = {0};
    pare_contexts contexts = {0};
    size_t begin = 0;
    assert_int_equal(pare_buffer_text(&source, "grammar L; s : 'b' ", NULL), PARE_OK);
    for (int i = 0; i < PARTS; i++)
        assert_int_equal(pare_buffer_text(&source, "a ", NULL), PARE_OK);
    assert_int_equal(pare_buffer_text(&source, "last 'c' ; last : 'd' ; a : 'a'? ;", NULL),
                     PARE_OK);
    pare_grammar *grammar = read_text(source.data);
    const pare_index last = pare_grammar_find_rule(grammar, "last");
    assert_int_equal(pare_analysis_init(&analysis, grammar, NULL), PARE_OK);
    assert_int_equal(pare_minimal_init(&minimal, &analysis, NULL), PARE_OK);
    assert_int_equal(pare_minimal_contexts_init(&contexts, &minimal, 0, NULL), PARE_OK);
    assert_int_equal(contexts.sizes[last], 2);
    assert_int_equal(pare_minimal_context(&contexts, (pare_context_inner){last, "X", 1},
                                          (pare_joining){glues, NULL}, &text, &begin, NULL),
                     PARE_OK);
    assert_string_equal(text.data, "b X c");
    assert_int_equal(begin, 2);
    pare_buffer_done(&source);
    pare_buffer_done(&text);
    pare_minimal_contexts_done(&contexts);
    pare_minimal_done(&minimal);
    pare_analysis_done(&analysis);
    pare_grammar_free(grammar);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_minimal__is_shortest_then_first),
        cmocka_unit_test(test_minimal__works_on_characters_without_a_lexer),
        cmocka_unit_test(test_minimal__texts_without_end_are_a_limit),
        cmocka_unit_test(test_minimal__contexts_of_more_than_a_mebibyte_are_a_limit),
        cmocka_unit_test(test_minimal__reports_oom),
        cmocka_unit_test(test_minimal__contexts_in_long_sequences_cost_linear_work),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
