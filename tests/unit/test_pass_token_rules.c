/* Tokens along their lexer rules: what the pass offers, against the lexer. */
/* tests: src/parse/token_grammar.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "grammar/minimal.h"
#include "parse/lexer.h"
#include "parse/token_grammar.h"
#include "text/order.h"
#include "unit/alloc_sweep.h"
#include "unit/support/parse_text.h"
#include "unit/support/pass_driver.h"

/* A text with all that the pass asks for. */
struct parsed {
    pare_grammar *grammar;
    pare_analysis analysis;
    pare_minimal_texts minimal;
    pare_token_grammar *rules;
    pare_parse_tree parse;
    pare_text *text;
    pare_tree *tree;
    pare_pass_view view;
};

static void parse(struct parsed *parsed, const char *grammar, const char *text)
{
    pare_tree_rules no_rules = {0};
    size_t size = strlen(text);
    *parsed = (struct parsed){.grammar = read_grammar(grammar)};
    assert_int_equal(pare_analysis_init(&parsed->analysis, parsed->grammar, NULL), PARE_OK);
    assert_int_equal(pare_minimal_init(&parsed->minimal, &parsed->analysis, NULL), PARE_OK);
    assert_int_equal(pare_token_grammar_new(&parsed->minimal, &parsed->rules, NULL), PARE_OK);
    parsed->parse = parse_with(parsed->grammar, text, size, NULL);
    assert_false(parsed->parse.error.any);
    assert_int_equal(pare_text_copy(text, size, &parsed->text, NULL), PARE_OK);
    assert_int_equal(pare_tree_new(&parsed->parse, parsed->text, &no_rules, &parsed->tree, NULL),
                     PARE_OK);
    pare_pass_view given = {.text = parsed->text,
                            .end = size,
                            .tree = parsed->tree,
                            .names = &parsed->parse.names,
                            .token_rules = parsed->rules};
    assert_int_equal(pare_pass_view_open(&given, &parsed->view, NULL), PARE_OK);
}

static void parsed_done(struct parsed *parsed)
{
    pare_pass_view_close(&parsed->view);
    pare_tree_unref(parsed->tree);
    pare_text_unref(parsed->text);
    pare_parse_tree_done(&parsed->parse);
    pare_token_grammar_free(parsed->rules);
    pare_minimal_done(&parsed->minimal);
    pare_analysis_done(&parsed->analysis);
    pare_grammar_free(parsed->grammar);
}

static void assert_rules_offer(const char *grammar, const char *text, const char *expected)
{
    struct parsed parsed;
    pare_patches *patches = NULL;
    pare_buffer printed = {0};
    parse(&parsed, grammar, text);
    assert_int_equal(pare_pass_offer(pass_named("token-rules"), &parsed.view, &patches, NULL),
                     PARE_OK);
    for (uint32_t i = 0; i < patches->n; i++)
        if (patches->patches[i].parent == PARE_NO_PATCH) print_patch(patches, i, 0, &printed);
    assert_string_equal(printed.data ? printed.data : "", expected);
    pare_buffer_done(&printed);
    pare_patches_unref(patches);
    parsed_done(&parsed);
}

static void test_pass_token_rules__rounds_options_and_characters_go(void **state)
{
    (void)state;
    assert_rules_offer("grammar T; s: STRING EOF; STRING: '\"' (ESC | ~[\"\\\\])* '\"';\n"
                       "fragment ESC: '\\\\' [nt];",
                       "\"S\\tb\"",
                       "\"\"\n"
                       ">\"\\tb\"\n"
                       ">>\"0\\tb\"\n"
                       ">\"S\"\n"
                       ">>\"Sb\"\n"
                       ">>>\"S0b\"\n"
                       ">>\"S\\t\"\n"
                       ">>>\"S\\t0\"\n"
                       ">\"0\\n0\"\n"
                       ">>\"S\\n0\"\n"
                       ">>>\"S\\nb\"\n"
                       ">\"A\\na\"\n"
                       ">>\"A\\tb\"\n"
                       ">>\"S\\na\"\n"
                       ">>>\"S\\ta\"\n");
    assert_rules_offer("grammar T; s: N EOF; N: '-'? ('0' | [1-9] [0-9]*) ('.' [0-9]+)?;", "-12.3",
                       "0\n"
                       ">12.3\n"
                       ">-0.3\n"
                       ">>-1.3\n"
                       ">-12\n"
                       ">-10.0\n"
                       ">>-10.3\n"
                       ">>-12.0\n");
}

static void test_pass_token_rules__inner_tokens_of_a_rule_take_its_place(void **state)
{
    (void)state;
    assert_rules_offer("grammar T; s: C EOF; C: '{' (C | ~[{}])* '}';", "{a{1}}",
                       "{}\n"
                       ">{1}\n"
                       ">>{{1}}\n"
                       ">>>{0{1}}\n"
                       ">>{a}\n"
                       ">>>{a0}\n"
                       ">>>>{a{}}\n"
                       ">>>>>{a{0}}\n"
                       ">>{0{0}}\n");
}

static void test_pass_token_rules__change_everywhere_or_in_one_place(void **state)
{
    (void)state;
    assert_rules_offer("grammar T; s: N+ EOF; N: [0-9]+; W: ' ' -> skip;", "3 3",
                       "0 0\n"
                       ">0 3\n"
                       ">3 0\n");
}

static void test_pass_token_rules__nothing_that_would_be_read_otherwise_is_offered(void **state)
{
    (void)state;
    /* The shortest name is a keyword; what is left of a number would join the name. */
    assert_rules_offer("grammar T; s: ('a' | NAME)+ EOF; NAME: [a-z]+; W: ' ' -> skip;", "ba",
                       "b\n");
    assert_rules_offer("grammar T; s: (N | NAME)+ EOF; N: '-'? [a-z]* [0-9]; NAME: [a-z]+;", "x-a1",
                       "a-a1\n"
                       "x-1\n"
                       "x-a0\n");
}

static void test_pass_token_rules__one_round_stays_of_a_plus(void **state)
{
    (void)state;
    assert_rules_offer("grammar T; s: A EOF; A: 'x'+;", "xxx",
                       "x\n"
                       ">xx\n");
}

/* --- brute force ------------------------------------------------------------------------ */

enum { LONGEST_TEXT = 5 };

static const char LETTERS[] = "01aB.";

struct rule {
    const char *grammar, *text, *needs; /* what must be in the token */
};

static const struct rule RULES[] = {
    {"grammar T; s: A EOF; A: [0-9]+ ('.' [0-9]+)?;", "21.31", ""},
    {"grammar T; s: A EOF; A: [0-9]+ ('.' [0-9]+)?;", "21.31", "."},
    {"grammar T; s: A EOF; A: [a-zA-Z.]+ [01]*;", "Ba.b1", "B"},
    {"grammar T; s: A EOF; A: ('a' | 'B' '.')* '1';", "aB.a1", "."},
    {"grammar T; s: A EOF; A: '.' A '1' | [aB];", "..B11", "."},
    {"grammar T; s: A EOF; A: ~[.] ('0' | '1')* 'a'?;", "B101a", "B"},
};

static bool lexes_as_one(const pare_grammar *grammar, const char *text, size_t size)
{
    pare_lexer *lexer = NULL;
    pare_tokens tokens = {0};
    assert_int_equal(pare_lexer_new(grammar, &lexer, NULL), PARE_OK);
    assert_int_equal(pare_lexer_run(lexer, 0, text, size, &tokens, NULL), PARE_OK);
    bool one = tokens.n == 1 && !tokens.n_errors && tokens.tokens[0].end == size;
    pare_lexer_tokens_done(&tokens);
    pare_lexer_free(lexer);
    return one;
}

static int compare(const char *a, const char *b)
{
    size_t size = strlen(a), i = 0;
    if (size != strlen(b)) return size < strlen(b) ? -1 : 1;
    while (i < size && a[i] == b[i])
        i++;
    if (i == size) return 0;
    return pare_order_byte_rank((unsigned char)a[i]) < pare_order_byte_rank((unsigned char)b[i])
               ? -1
               : 1;
}

/* The smallest of all texts of up to LONGEST_TEXT letters that are a token and have what is
 * needed. */
static void find_smallest(const pare_grammar *grammar, const char *needs, char *best)
{
    *best = '\0';
    for (size_t size = 1, all = 5; size <= LONGEST_TEXT && !*best; size++, all *= 5) {
        for (size_t number = 0; number < all; number++) {
            char text[LONGEST_TEXT + 1] = "";
            for (size_t i = 0, rest = number; i < size; i++, rest /= 5)
                text[i] = LETTERS[rest % 5];
            if (!strstr(text, needs) || !lexes_as_one(grammar, text, size)) continue;
            if (!*best || compare(text, best) < 0) strcpy(best, text);
        }
    }
}

/* Takes the first patch that leaves what is needed; false when there is none. */
static bool shrink_once(const struct rule *rule, char *text)
{
    struct parsed parsed;
    pare_patches *patches = NULL;
    bool found = false, kept = false;
    parse(&parsed, rule->grammar, text);
    const pare_pass *pass = pass_named("token-rules");
    assert_int_equal(pare_pass_offer(pass, &parsed.view, &patches, NULL), PARE_OK);
    assert_int_equal(pare_pass_check(pass, &parsed.view, patches, &kept, NULL, NULL), PARE_OK);
    assert_true(kept);
    for (uint32_t i = 0; i < patches->n; i++) {
        pare_candidate candidate = {0};
        char made[32] = "";
        assert_int_equal(pare_patches_candidate(patches, pare_patch_changes(patches, i),
                                                patches->patches[i].n_changes, &candidate, NULL),
                         PARE_OK);
        assert_true(candidate.size < sizeof made);
        pare_candidate_read(&candidate, made);
        assert_true(lexes_as_one(parsed.grammar, made, candidate.size));
        if (!found && strstr(made, rule->needs)) {
            found = true;
            strcpy(text, made);
        }
        pare_candidate_done(&candidate);
    }
    pare_patches_unref(patches);
    parsed_done(&parsed);
    return found;
}

static void test_pass_token_rules__end_with_the_smallest_text_of_the_rule(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof RULES / sizeof *RULES; i++) {
        char text[32], best[LONGEST_TEXT + 1];
        pare_grammar *grammar = read_grammar(RULES[i].grammar);
        find_smallest(grammar, RULES[i].needs, best);
        strcpy(text, RULES[i].text);
        while (shrink_once(&RULES[i], text))
            continue;
        assert_string_equal(text, best);
        pare_grammar_free(grammar);
    }
}

static pare_status offer_and_release(void *context)
{
    struct parsed *parsed = context;
    pare_patches *patches = NULL;
    pare_status status = pare_pass_offer(pass_named("token-rules"), &parsed->view, &patches, NULL);
    pare_patches_unref(patches);
    return status;
}

static pare_status make_rules(void *context)
{
    const struct parsed *parsed = context;
    pare_token_grammar *rules = NULL;
    pare_status status = pare_token_grammar_new(&parsed->minimal, &rules, NULL);
    pare_token_grammar_free(rules);
    return status;
}

static void test_pass_token_rules__memory_may_run_out(void **state)
{
    (void)state;
    struct parsed parsed;
    parse(&parsed, RULES[0].grammar, RULES[0].text);
    sweep_allocations(make_rules, &parsed);
    /* The lexer keeps what it has learned. */
    assert_int_equal(offer_and_release(&parsed), PARE_OK);
    sweep_allocations(offer_and_release, &parsed);
    parsed_done(&parsed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pass_token_rules__rounds_options_and_characters_go),
        cmocka_unit_test(test_pass_token_rules__inner_tokens_of_a_rule_take_its_place),
        cmocka_unit_test(test_pass_token_rules__change_everywhere_or_in_one_place),
        cmocka_unit_test(test_pass_token_rules__nothing_that_would_be_read_otherwise_is_offered),
        cmocka_unit_test(test_pass_token_rules__one_round_stays_of_a_plus),
        cmocka_unit_test(test_pass_token_rules__end_with_the_smallest_text_of_the_rule),
        cmocka_unit_test(test_pass_token_rules__memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
