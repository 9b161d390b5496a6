/* Tokens side by side: which pieces are which tokens, and what stands between two of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "generate/expansion_table.h"
#include "generate/token_separator.h"
#include "unit/alloc_sweep.h"
#include "unit/support/grammar_text.h"

static const char words[] = "grammar W;\n"
                            "w: (ID | 'let' | '+' | '++' | '/' | N)* EOF;\n"
                            "ID: [a-z]+;\n"
                            "N: [0-9]+;\n"
                            "LINE: '//' ~[\\n]* -> skip;\n"
                            "WS: [ \\n] -> skip;\n";

struct fixture {
    pare_grammar *grammar;
    pare_expansion_table table;
    pare_token_separator *separator;
    pare_buffer text;
};

static void set_up(struct fixture *f, const char *grammar)
{
    *f = (struct fixture){.grammar = read_text(grammar)};
    assert_int_equal(
        pare_expansion_table_init(&f->table, f->grammar, pare_grammar_start(f->grammar), NULL),
        PARE_OK);
    assert_int_equal(pare_token_separator_new(&f->table, &f->separator, NULL), PARE_OK);
    pare_token_separator_start(f->separator);
}

static void tear_down(struct fixture *f)
{
    pare_buffer_done(&f->text);
    pare_token_separator_free(f->separator);
    pare_expansion_table_done(&f->table);
    pare_grammar_free(f->grammar);
}

static bool reads(struct fixture *f, const char *piece, const char *token)
{
    bool yes = false;
    pare_index type = pare_grammar_find_token(f->grammar, token);
    assert_int_not_equal(type, PARE_NO_INDEX);
    assert_int_equal(
        pare_token_separator_reads(f->separator, piece, strlen(piece), type, &yes, NULL), PARE_OK);
    return yes;
}

static void test_token_separator__a_piece_is_a_token_if_the_lexer_reads_all_of_it_so(void **state)
{
    (void)state;
    struct fixture f;
    set_up(&f, words);
    assert_true(reads(&f, "abc", "ID"));
    assert_false(reads(&f, "let", "ID"));
    assert_false(reads(&f, "ab1", "ID"));
    assert_false(reads(&f, "ab", "N"));
    assert_false(reads(&f, " ", "WS"));
    tear_down(&f);
}

/* Puts pieces, apart by blanks, and compares the text. */
static void assert_put(const char *pieces, const char *wanted)
{
    struct fixture f;
    bool clean = true;
    set_up(&f, words);
    for (const char *at = pieces; *at;) {
        size_t size = strcspn(at, " ");
        assert_int_equal(
            pare_token_separator_put_bytes(f.separator, at, size, &f.text, &clean, NULL), PARE_OK);
        assert_true(clean);
        at += size + (at[size] == ' ');
    }
    assert_string_equal(f.text.data, wanted);
    tear_down(&f);
}

static void test_token_separator__a_separator_stands_where_two_would_read_otherwise(void **state)
{
    (void)state;
    assert_put("a b", "a b");
    assert_put("a 1 b", "a1b");
    assert_put("+ +", "+ +");
    assert_put("+ ++", "+ ++");
    assert_put("++ +", "+++");
    assert_put("/ /", "/ /");
    assert_put("let let x", "let let x");
    assert_put("1 +", "1+");
}

static void test_token_separator__without_a_separator_two_tokens_are_not_clean(void **state)
{
    (void)state;
    struct fixture f;
    bool clean = true;
    set_up(&f, "grammar N; n: ID*; ID: [a-z]+;");
    for (int i = 0; i < 2; i++)
        assert_int_equal(pare_token_separator_put_bytes(f.separator, "a", 1, &f.text, &clean, NULL),
                         PARE_OK);
    assert_false(clean);
    tear_down(&f);
}

static void test_token_separator__bytes_that_are_no_token_are_told(void **state)
{
    (void)state;
    struct fixture f;
    bool clean;
    pare_error err = {0};
    set_up(&f, words);
    assert_int_equal(pare_token_separator_put_bytes(f.separator, "a?", 2, &f.text, &clean, &err),
                     PARE_E_SYNTAX);
    assert_true(*err.message);
    tear_down(&f);
}

static pare_status try_put(void *context)
{
    const pare_expansion_table *table = context;
    pare_token_separator *separator = NULL;
    pare_buffer text = {0};
    bool clean;
    pare_status status = pare_token_separator_new(table, &separator, NULL);
    if (!status) pare_token_separator_start(separator);
    for (int i = 0; !status && i < 3; i++)
        status = pare_token_separator_put_bytes(separator, "ab", 2, &text, &clean, NULL);
    pare_buffer_done(&text);
    pare_token_separator_free(separator);
    return status;
}

static void test_token_separator__every_allocation_may_fail(void **state)
{
    (void)state;
    struct fixture f;
    set_up(&f, words);
    sweep_allocations(try_put, &f.table);
    tear_down(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_token_separator__a_piece_is_a_token_if_the_lexer_reads_all_of_it_so),
        cmocka_unit_test(test_token_separator__a_separator_stands_where_two_would_read_otherwise),
        cmocka_unit_test(test_token_separator__without_a_separator_two_tokens_are_not_clean),
        cmocka_unit_test(test_token_separator__bytes_that_are_no_token_are_told),
        cmocka_unit_test(test_token_separator__every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
