/* Derivation by grammars: limits, choices, read-back, and the list that makes a text again. */
/* tests: src/generate/deriver_plain.c src/generate/deriver_tokens.c */
#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "generate/batch.h"
#include "generate/weights.h"
#include "parse/parser.h"
#include "reduce/choice/choice_reduction.h"
#include "unit/alloc_sweep.h"
#include "unit/support/grammar_text.h"

static const char sums[] = "grammar Sum;\n"
                           "sum: term (('+' | '-') term)* EOF;\n"
                           "term: N | ID | 'let' ID 'in' term | '(' sum2 ')';\n"
                           "sum2: term ('+' term)?;\n"
                           "ID: [a-z]+;\n"
                           "N: [0-9]+ ('.' [0-9]+)?;\n"
                           "S: '\"' (~[\"\\\\\\n] | '\\\\' [\"\\\\])* '\"';\n"
                           "WS: [ \\n]+ -> skip;\n";

struct maker {
    pare_grammar *grammar;
    pare_expansion_table table;
    pare_deriver *deriver;
    pare_choices choices;
    pare_buffer text;
};

static void maker_init(struct maker *m, const char *grammar, const char *start,
                       pare_deriver_options options)
{
    *m = (struct maker){.grammar = read_text(grammar)};
    pare_index rule = pare_grammar_find_rule(m->grammar, start);
    assert_int_equal(pare_expansion_table_init(&m->table, m->grammar, rule, NULL), PARE_OK);
    assert_int_equal(pare_deriver_new(&m->table, rule, &options, &m->deriver, NULL), PARE_OK);
}

static pare_status make(struct maker *m, uint64_t seed)
{
    pare_generator generator = pare_deriver_generator(m->deriver);
    pare_buffer_reset(&m->text);
    pare_choices_seed(&m->choices, seed);
    pare_status status = generator.run(generator.self, &m->choices, &m->text, NULL);
    if (!status) assert_int_equal(pare_buffer_add(&m->text, "", 0, NULL), PARE_OK);
    return status;
}

static void maker_done(struct maker *m)
{
    pare_deriver_free(m->deriver);
    pare_expansion_table_done(&m->table);
    pare_choices_done(&m->choices);
    pare_buffer_done(&m->text);
    pare_grammar_free(m->grammar);
}

static void test_expansion_table__least_sizes_are_counted_in_calls_and_tokens(void **state)
{
    (void)state;
    struct maker m;
    maker_init(&m, sums, "sum", (pare_deriver_options){0});
    const pare_rule *term = &m.grammar->rules[pare_grammar_find_rule(m.grammar, "term")];
    const pare_ways *ways = &m.table.choices[m.table.details[term->body]];
    static const pare_least wanted[] = {{1, 1}, {1, 1}, {2, 4}, {3, 3}};
    assert_int_equal(ways->n, 4);
    for (uint32_t i = 0; i < 4; i++) {
        pare_least least = m.table.ways[ways->first + i].least;
        assert_int_equal(least.depth, wanted[i].depth);
        assert_int_equal(least.tokens, wanted[i].tokens);
    }
    maker_done(&m);
}

static void test_deriver__every_text_is_parsed_and_made_again_by_its_choices(void **state)
{
    (void)state;
    struct maker m;
    pare_parser *parser = NULL;
    maker_init(&m, sums, "sum", (pare_deriver_options){.max_tokens = 60, .unusual = 0.1});
    assert_int_equal(pare_parser_new(m.grammar, pare_grammar_start(m.grammar), &parser, NULL),
                     PARE_OK);
    for (uint64_t seed = 0; seed < 300; seed++) {
        uint64_t list[2000];
        char first[4000];
        pare_parse_tree tree = {0};
        pare_generator generator = pare_deriver_generator(m.deriver);
        assert_int_equal(make(&m, seed), PARE_OK);
        assert_true(pare_choices_record_check(&m.choices.record));
        assert_int_equal(pare_parser_run(parser, m.text.data, m.text.size, &tree, NULL, NULL),
                         PARE_OK);
        assert_false(tree.error.any);
        pare_parse_tree_done(&tree);
        assert_true(m.choices.record.n <= 2000 && m.text.size < sizeof first);
        memcpy(first, m.text.data, m.text.size + 1);
        for (size_t i = 0; i < m.choices.record.n; i++)
            list[i] = m.choices.record.choices[i].index;
        pare_choices_replay(&m.choices, list, m.choices.record.n);
        pare_buffer_reset(&m.text);
        assert_int_equal(generator.run(generator.self, &m.choices, &m.text, NULL), PARE_OK);
        assert_string_equal(m.text.data, first);
    }
    pare_parser_free(parser);
    maker_done(&m);
}

/* Nothing recorded: the shorter way (generate/deriver_run.h). */
static void test_deriver__what_is_not_recorded_is_the_same(void **state)
{
    static const char words[] = "grammar W;\n"
                                "all: part+ | 'only' 'x'? EOF;\n"
                                "part: ('if' | 'ifx' | ID | STAR) part* ('else' part)? | . ;\n"
                                "STAR: '*'+;\n"
                                "ID: LETTER (LETTER | '\\u00e4' | 'x' (ID | [0-9])?)*;\n"
                                "fragment LETTER: [a-z\\u0400-\\u0410];\n"
                                "LONG: 'a keyword longer than sixteen bytes';\n"
                                "GREEK: [\\u03b1-\\u03c9]+;\n"
                                "WS: [ \\n]+ -> skip;\n";
    static const struct {
        const char *grammar, *start;
        uint32_t depth, tokens;
    } cases[] = {
        {sums, "sum", 0, 60}, {sums, "sum", 3, 4}, {words, "all", 0, 50}, {words, "all", 4, 8}};
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct maker m, plain;
        pare_deriver_options options = {.max_depth = cases[c].depth, .max_tokens = cases[c].tokens};
        maker_init(&m, cases[c].grammar, cases[c].start, options);
        maker_init(&plain, cases[c].grammar, cases[c].start, options);
        plain.choices.unrecorded = true;
        for (uint64_t seed = 0; seed < 1000; seed++) {
            size_t n;
            pare_status status = make(&m, seed);
            assert_int_equal(make(&plain, seed), status);
            if (status) continue;
            assert_int_equal(plain.choices.n, m.choices.n);
            assert_string_equal(plain.text.data, m.text.data);
            const uint8_t *covered = pare_deriver_covered(m.deriver, &n);
            assert_memory_equal(pare_deriver_covered(plain.deriver, &n), covered, n);
        }
        maker_done(&plain);
        maker_done(&m);
    }
}

static void test_deriver__an_unrecorded_text_keeps_to_the_limit_of_choices(void **state)
{
    (void)state;
    struct maker m, plain;
    maker_init(&m, sums, "sum", (pare_deriver_options){.max_tokens = 60});
    maker_init(&plain, sums, "sum", (pare_deriver_options){.max_tokens = 60});
    plain.choices.unrecorded = true;
    for (uint64_t seed = 0; seed < 40; seed++) {
        assert_int_equal(make(&m, seed), PARE_OK);
        size_t n = m.choices.n;
        for (size_t limit = 1; limit <= n; limit++) {
            plain.choices.limit = limit;
            assert_int_equal(make(&plain, seed), limit < n ? PARE_E_LIMIT : PARE_OK);
        }
    }
    maker_done(&plain);
    maker_done(&m);
}

static void test_deriver__all_zeros_make_the_smallest_text(void **state)
{
    (void)state;
    static const uint64_t zeros[64];
    struct maker m;
    maker_init(&m, sums, "sum", (pare_deriver_options){0});
    pare_generator generator = pare_deriver_generator(m.deriver);
    pare_choices_replay(&m.choices, zeros, 64);
    assert_int_equal(generator.run(generator.self, &m.choices, &m.text, NULL), PARE_OK);
    assert_string_equal(m.text.data, "0");
    maker_done(&m);
}

static void test_deriver__limits_hold_where_something_fits(void **state)
{
    (void)state;
    struct maker m;
    maker_init(&m, sums, "sum", (pare_deriver_options){.max_depth = 3, .max_tokens = 5});
    for (uint64_t seed = 0; seed < 200; seed++) {
        size_t tokens = 0;
        assert_int_equal(make(&m, seed), PARE_OK);
        for (size_t i = 0; i < m.text.size; i++) {
            bool word = isalnum((unsigned char)m.text.data[i]) || m.text.data[i] == '.';
            bool before =
                i && (isalnum((unsigned char)m.text.data[i - 1]) || m.text.data[i - 1] == '.');
            tokens += m.text.data[i] != ' ' && !(word && before);
        }
        assert_true(tokens <= 5);
    }
    maker_done(&m);
}

static void test_deriver__separators_stand_only_where_they_are_needed(void **state)
{
    (void)state;
    struct maker m;
    maker_init(&m,
               "grammar G; g: (A | 'a' | '+' | '++' | '<' | C)* EOF;"
               "A: [b-z]+; C: '/' [x]; L: '//' ~[\\n]* -> skip; W: [ \\n] -> skip;",
               "g", (pare_deriver_options){.max_tokens = 12});
    for (uint64_t seed = 0; seed < 400; seed++) {
        assert_int_equal(make(&m, seed), PARE_OK);
        for (size_t i = 1; i + 1 < m.text.size; i++) {
            char left = m.text.data[i - 1], right = m.text.data[i + 1];
            if (m.text.data[i] != ' ') continue;
            bool letters = isalpha((unsigned char)left) && isalpha((unsigned char)right);
            assert_true(letters || (left == '+' && right == '+'));
        }
    }
    maker_done(&m);
}

static void test_deriver__modes_are_followed(void **state)
{
    (void)state;
    static const char lexer[] = "lexer grammar ML; O: '<' -> pushMode(IN); T: ~'<'+;\n"
                                "mode IN; C: '>' -> popMode; N: [a-z]+; S: ' ' -> skip;\n";
    static const char parser[] = "parser grammar M; options { tokenVocab = ML; }\n"
                                 "m: (O N+ C | T O C)* EOF;\n";
    const pare_g4_source sources[] = {source("M.g4", parser), source("ML.g4", lexer)};
    pare_grammar *grammar = read_sources(sources, 2);
    pare_expansion_table table;
    pare_deriver *deriver = NULL;
    pare_parser *reader = NULL;
    pare_choices choices = {0};
    pare_buffer text = {0};
    pare_index start = pare_grammar_start(grammar);
    pare_deriver_options options = {.max_tokens = 30};
    assert_int_equal(pare_expansion_table_init(&table, grammar, start, NULL), PARE_OK);
    assert_int_equal(pare_deriver_new(&table, start, &options, &deriver, NULL), PARE_OK);
    assert_int_equal(pare_parser_new(grammar, start, &reader, NULL), PARE_OK);
    pare_generator generator = pare_deriver_generator(deriver);
    for (uint64_t seed = 0; seed < 200; seed++) {
        pare_parse_tree tree = {0};
        pare_buffer_reset(&text);
        pare_choices_seed(&choices, seed);
        assert_int_equal(generator.run(generator.self, &choices, &text, NULL), PARE_OK);
        assert_int_equal(
            pare_parser_run(reader, text.size ? text.data : "", text.size, &tree, NULL, NULL),
            PARE_OK);
        assert_false(tree.error.any);
        pare_parse_tree_done(&tree);
    }
    pare_buffer_done(&text);
    pare_choices_done(&choices);
    pare_parser_free(reader);
    pare_deriver_free(deriver);
    pare_expansion_table_done(&table);
    pare_grammar_free(grammar);
}

static void test_deriver__a_cooldown_takes_more_alternatives(void **state)
{
    (void)state;
    size_t covered[2] = {0};
    for (int cooled = 0; cooled < 2; cooled++) {
        struct maker m;
        size_t n;
        maker_init(&m,
                   "grammar G; g: a | b EOF; a: 'a' | 'b' | 'c' | 'd' | 'e' | 'f' | 'g' | 'h';"
                   "b: '0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9';",
                   "g", (pare_deriver_options){.cooldown = cooled ? 0.1 : 0});
        for (uint64_t seed = 0; seed < 20; seed++)
            assert_int_equal(make(&m, seed), PARE_OK);
        const uint8_t *taken = pare_deriver_covered(m.deriver, &n);
        for (size_t i = 0; i < n; i++)
            covered[cooled] += taken[i];
        assert_int_equal(n, 20);
        maker_done(&m);
    }
    assert_true(covered[1] > covered[0]);
    assert_true(covered[1] >= 19);
}

static bool has_let(const char *text)
{
    return strstr(text, "let") != NULL;
}

static void test_deriver__its_choices_are_reduced(void **state)
{
    (void)state;
    struct maker m;
    maker_init(&m, sums, "sum", (pare_deriver_options){.max_tokens = 100});
    size_t reduced = 0;
    for (uint64_t seed = 0; reduced < 10; seed++) {
        uint64_t list[4000];
        char text[4000] = "";
        pare_strategy *strategy = NULL;
        pare_candidate candidate = {0};
        pare_next what = PARE_NEXT_TEST;
        assert_int_equal(make(&m, seed), PARE_OK);
        if (!has_let(m.text.data)) continue;
        size_t n = m.choices.record.n;
        for (size_t i = 0; i < n; i++)
            list[i] = m.choices.record.choices[i].index;
        assert_int_equal(pare_choice_reduction_new(pare_deriver_generator(m.deriver), list, n,
                                                   PARE_CHOICE_PASSES, &strategy, NULL),
                         PARE_OK);
        for (size_t tests = 0; tests < 1000; tests++) {
            assert_int_equal(strategy->ops->next(strategy, &what, &candidate, NULL), PARE_OK);
            if (what == PARE_NEXT_DONE) break;
            pare_candidate_read(&candidate, text);
            text[candidate.size] = '\0';
            pare_outcome outcome = has_let(text) ? PARE_FAIL : PARE_PASS;
            assert_int_equal(strategy->ops->tell(strategy, outcome, NULL), PARE_OK);
        }
        assert_int_equal(what, PARE_NEXT_DONE);
        const pare_text *best = pare_choice_reduction_text(strategy);
        assert_true(pare_text_size(best) < sizeof text);
        pare_text_read(best, 0, pare_text_size(best), text);
        text[pare_text_size(best)] = '\0';
        /* a number has smaller indices, a name fewer choices */
        assert_true(strcmp(text, "let a in0") == 0 || strcmp(text, "let a in a") == 0);
        pare_candidate_done(&candidate);
        pare_strategy_free(strategy);
        reduced++;
    }
    maker_done(&m);
}

static pare_status derive_once(void *context)
{
    const struct maker *from = context;
    pare_expansion_table table = {0};
    pare_batch_maker maker = {0};
    pare_batch batch = {0};
    pare_index start = pare_grammar_start(from->grammar);
    pare_deriver_options options = {.cooldown = 0.5, .max_tokens = 50};
    static const char weights[] = "{\"alts\": {\"term\": {\"0\": {\"2\": 5}}}}";
    pare_status status = pare_expansion_table_init(&table, from->grammar, start, NULL);
    if (!status) status = pare_weights_read(&table, "w", weights, strlen(weights), NULL);
    if (!status) status = pare_batch_maker_init(&maker, &table, start, &options, 3, NULL);
    if (!status) status = pare_batch_make(&maker, 0, 5, 0, &batch, NULL);
    pare_batch_done(&batch);
    pare_batch_maker_done(&maker);
    pare_expansion_table_done(&table);
    return status;
}

static void test_deriver__every_allocation_may_fail(void **state)
{
    (void)state;
    struct maker m;
    maker_init(&m, sums, "sum", (pare_deriver_options){0});
    sweep_allocations(derive_once, &m);
    maker_done(&m);
}

/* --- a leaf ------------------------------------------------------------------------------------ */

/* A pare_deriver_leaf's put: "(?", a digit, ")"; the lexer knows no question mark. */
static pare_status put_question(void *self, pare_choices *choices, pare_buffer *text,
                                pare_error *err)
{
    (void)self;
    uint64_t digit = 0;
    pare_status status = pare_choices_next(choices, PARE_CHOICE_NUMBER, 10, &digit, err);
    return status ? status : pare_buffer_format(text, err, "(?%u)", (unsigned)digit);
}

static void test_deriver__a_leaf_stands_where_its_rule_would(void **state)
{
    (void)state;
    struct maker m;
    pare_deriver_leaf leaf = {.chance = 1, .put = put_question};
    pare_grammar *grammar = read_text(sums);
    leaf.rule = pare_grammar_find_rule(grammar, "term");
    pare_grammar_free(grammar);
    maker_init(&m, sums, "sum", (pare_deriver_options){.leaf = &leaf});
    for (uint64_t seed = 0; seed < 200; seed++) {
        assert_int_equal(make(&m, seed), PARE_OK);
        /* Nothing but leaves, and signs between them that touch them. */
        assert_int_equal(strspn(m.text.data, "(?0123456789)+-"), m.text.size);
    }
    maker_done(&m);
}

static void test_deriver__a_leaf_is_replayed_with_its_text(void **state)
{
    (void)state;
    struct maker m;
    uint64_t list[2000];
    unsigned n_with = 0, n_without = 0;
    pare_deriver_leaf leaf = {.chance = 0.5, .put = put_question};
    pare_grammar *grammar = read_text(sums);
    leaf.rule = pare_grammar_find_rule(grammar, "term");
    pare_grammar_free(grammar);
    maker_init(&m, sums, "sum", (pare_deriver_options){.leaf = &leaf, .max_tokens = 60});
    for (uint64_t seed = 0; seed < 300; seed++) {
        pare_buffer first = {0};
        if (make(&m, seed)) continue;
        size_t n = m.choices.record.n;
        assert_true(n <= sizeof list / sizeof *list);
        for (size_t i = 0; i < n; i++)
            list[i] = m.choices.record.choices[i].index;
        assert_int_equal(pare_buffer_add(&first, m.text.data, m.text.size, NULL), PARE_OK);
        pare_generator generator = pare_deriver_generator(m.deriver);
        pare_buffer_reset(&m.text);
        pare_choices_replay(&m.choices, list, n);
        assert_int_equal(generator.run(generator.self, &m.choices, &m.text, NULL), PARE_OK);
        assert_string_equal(m.text.data, first.data);
        n_with += strchr(first.data, '?') != NULL;
        n_without += strchr(first.data, '?') == NULL;
        pare_buffer_done(&first);
    }
    assert_true(n_with > 100 && n_without > 20);
    maker_done(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_expansion_table__least_sizes_are_counted_in_calls_and_tokens),
        cmocka_unit_test(test_deriver__every_text_is_parsed_and_made_again_by_its_choices),
        cmocka_unit_test(test_deriver__what_is_not_recorded_is_the_same),
        cmocka_unit_test(test_deriver__an_unrecorded_text_keeps_to_the_limit_of_choices),
        cmocka_unit_test(test_deriver__all_zeros_make_the_smallest_text),
        cmocka_unit_test(test_deriver__limits_hold_where_something_fits),
        cmocka_unit_test(test_deriver__separators_stand_only_where_they_are_needed),
        cmocka_unit_test(test_deriver__modes_are_followed),
        cmocka_unit_test(test_deriver__a_cooldown_takes_more_alternatives),
        cmocka_unit_test(test_deriver__its_choices_are_reduced),
        cmocka_unit_test(test_deriver__every_allocation_may_fail),
        cmocka_unit_test(test_deriver__a_leaf_stands_where_its_rule_would),
        cmocka_unit_test(test_deriver__a_leaf_is_replayed_with_its_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
