/* The reader of the Fuzzing Book's grammars. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "grammar/fuzzingbook.h"
#include "unit/alloc_sweep.h"
#include "unit/support/grammar_text.h"
#include "unit/support/scratch.h"

static const char arithmetic[] =
    "{\"<term>\": [\"<factor> * <term>\", \"<factor>\"],"
    " \"<factor>\": [\"-<factor>\", [\"(\", \"<term>\", \")\"], [\"<digit>\", {\"prob\": 0.5}]],"
    " \"<digit>\": [\"0\", \"\\u00e9<\", \"\", \"< a>\"],"
    " \"<start>\": [\"<term>\"]}";

static pare_grammar *read_book(const char *text)
{
    pare_grammar *grammar = NULL;
    pare_error err = {0};
    pare_status status =
        pare_fuzzingbook_read_memory("dir/e.json", text, strlen(text), &grammar, &err);
    assert_string_equal(err.message, "");
    assert_int_equal(status, PARE_OK);
    assert_true(pare_grammar_check(grammar));
    return grammar;
}

static void test_fuzzingbook__expansions_are_texts_lists_and_pairs(void **state)
{
    (void)state;
    pare_grammar *grammar = read_book(arithmetic);
    assert_true(grammar->scannerless);
    assert_string_equal(grammar->name, "e.json");
    assert_string_equal(grammar->rules[pare_grammar_start(grammar)].name, "<start>");
    assert_body(grammar, "<start>", "(<term>)");
    assert_body(grammar, "<term>", "((<factor> \"U+20*U+20\" <term>) | (<factor>))");
    assert_body(grammar, "<factor>", "((\"-\" <factor>) | (\"(\" <term> \")\") | (<digit>))");
    assert_body(grammar, "<digit>", "((\"0\") | (\"U+E9<\") | empty | (\"<U+20a>\"))");
    pare_grammar_free(grammar);
}

static void test_fuzzingbook__hooks_are_labels_of_their_symbols(void **state)
{
    (void)state;
    pare_grammar *grammar = read_book("{\"<a>\": [[[\"<b>\", {\"post\": \"define\"}], \"=\","
                                      "[\"y\", {\"pre\": \"use\"}]]], \"<b>\": [\"x\"]}");
    static const char *const wanted[] = {"define", NULL, "use"};
    pare_index expr = grammar->exprs[grammar->rules[0].body].first;
    for (size_t i = 0; i < 3; i++, expr = grammar->exprs[expr].next) {
        pare_index label = grammar->exprs[expr].label;
        assert_int_equal(label != PARE_NO_INDEX, wanted[i] != NULL);
        if (wanted[i]) assert_string_equal(grammar->labels[label], wanted[i]);
    }
    pare_grammar_free(grammar);
}

static void test_fuzzingbook__mistakes_have_sentences(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"{}", "e.json: the grammar has no rules"},
        {"[]", "e.json: the grammar has no rules"},
        {"{\"<a>\": \"x\"}", "e.json: rule '<a>': it needs a list of expansions"},
        {"{\"<a>\": []}", "e.json: rule '<a>': it needs a list of expansions"},
        {"{\"a\": [\"x\"]}", "e.json: rule 'a': the name of a rule must be in angle brackets"},
        {"{\"<a>\": [\"<b>\"]}", "e.json: rule '<b>' is not defined (in rule '<a>')"},
        {"{\"<a>\": [7]}", "e.json: rule '<a>': an expansion is neither a text nor a list"},
        {"{\"<a>\": [[7]]}", "e.json: rule '<a>': a list contains something other than texts"},
        {"{\"<a>\": [[[\"x\", 7]]]}",
         "e.json: rule '<a>': a symbol with a hook is written [text, {\"post\": name}]"},
        {"{\"<a>\": [[[\"\", {\"pre\": \"use\"}]]]}",
         "e.json: rule '<a>': the empty text can have no hook"},
        {"{\n\"<a>\" [", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pare_grammar *grammar = NULL;
        pare_error err = {0};
        assert_int_equal(pare_fuzzingbook_read_memory("e.json", cases[i].text,
                                                      strlen(cases[i].text), &grammar, &err),
                         PARE_E_SYNTAX);
        if (cases[i].message)
            assert_string_equal(err.message, cases[i].message);
        else
            assert_int_equal(err.line, 2);
        assert_null(grammar);
    }
}

static void test_fuzzingbook__deep_json_is_a_limit_not_a_crash(void **state)
{
    (void)state;
    enum { DEPTH = 100000 };
    static char text[DEPTH];
    pare_grammar *grammar = NULL;
    memset(text, '[', DEPTH);
    assert_int_equal(pare_fuzzingbook_read_memory("e.json", text, DEPTH, &grammar, NULL),
                     PARE_E_LIMIT);
}

static void test_fuzzingbook__files_are_read(void **state)
{
    (void)state;
    pare_grammar *grammar = NULL;
    scratch_write("g.json", "{\"<s>\": [\"x\"]}", 0600);
    assert_int_equal(pare_fuzzingbook_read("g.json", &grammar, NULL), PARE_OK);
    assert_body(grammar, "<s>", "(\"x\")");
    pare_grammar_free(grammar);
    assert_int_equal(pare_fuzzingbook_read("none.json", &grammar, NULL), PARE_E_IO);
}

static pare_status read_once(void *context)
{
    (void)context;
    pare_grammar *grammar = NULL;
    pare_status status =
        pare_fuzzingbook_read_memory("e.json", arithmetic, strlen(arithmetic), &grammar, NULL);
    assert_int_equal(grammar != NULL, status == PARE_OK);
    pare_grammar_free(grammar);
    return status;
}

static void test_fuzzingbook__reports_oom_and_leaves_out_alone(void **state)
{
    (void)state;
    sweep_allocations(read_once, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fuzzingbook__expansions_are_texts_lists_and_pairs),
        cmocka_unit_test(test_fuzzingbook__hooks_are_labels_of_their_symbols),
        cmocka_unit_test(test_fuzzingbook__mistakes_have_sentences),
        cmocka_unit_test(test_fuzzingbook__deep_json_is_a_limit_not_a_crash),
        cmocka_unit_test(test_fuzzingbook__files_are_read),
        cmocka_unit_test(test_fuzzingbook__reports_oom_and_leaves_out_alone),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
