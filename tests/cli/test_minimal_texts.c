/* The minimal text of every rule of every grammar of the shared collection is read back by
 * the lexer as its tokens and parses as the rule.  Skipped where there is no collection.
 *
 * How many do is asserted; SHOW=1 lists those that do not, ONLY=name limits the run to one
 * grammar.  With sanitizers a part of the grammars is tried. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>
#include <cmocka.h>

#include "cli/support/collection.h"
#include "parse/parser.h"
#include "parse/relex_check.h"

enum { MIN_READ_PERMILLE = 990, PARSED_RULES = 40 };

struct count {
    size_t grammars, rules, endless, read, tokens, tokens_read, parsed, tried;
};

/* Whether the text is in the language of the rule. */
static bool parses(const pare_grammar *grammar, pare_index rule, const pare_buffer *text)
{
    pare_parser *parser = NULL;
    pare_parse_tree tree = {0};
    pare_parse_cost cost = {0};
    assert_int_equal(pare_parser_new(grammar, rule, &parser, NULL), PARE_OK);
    assert_int_equal(
        pare_parser_run(parser, text->size ? text->data : "", text->size, &tree, &cost, NULL),
        PARE_OK);
    bool whole = !tree.error.any && cost.n_rest == 0;
    pare_parse_tree_done(&tree);
    pare_parser_free(parser);
    return whole;
}

static void show_bad(const struct collected *of, const char *what, const char *name,
                     const pare_buffer *text)
{
    if (getenv("SHOW"))
        print_message("%s %s %s: '%.*s'\n", of->name, what, name, (int)text->size,
                      text->size ? text->data : "");
}

/* A rule whose text begins in another mode than the default one cannot be parsed alone. */
static void check_rule(const struct collected *of, pare_relex_check *texts, pare_index rule,
                       struct count *count)
{
    const pare_grammar *grammar = of->grammar;
    pare_buffer text = {0};
    bool is_read = false;
    pare_status status =
        pare_relex_check_text(texts, grammar->rules[rule].body, &text, &is_read, NULL);
    count->rules++;
    count->endless += status == PARE_E_LIMIT;
    count->read += !status && is_read;
    if (!status && !is_read) show_bad(of, "not read:", grammar->rules[rule].name, &text);
    if (!status && is_read && grammar->n_modes == 1 &&
        (rule % (grammar->n_rules / PARSED_RULES + 1) == 0 || getenv("ONLY"))) {
        bool whole = parses(grammar, rule, &text);
        count->tried++;
        count->parsed += whole;
        if (!whole) show_bad(of, "not parsed:", grammar->rules[rule].name, &text);
    }
    pare_buffer_done(&text);
}

/* Whether the rule's tokens are for the parser: not skipped, hidden or continued. */
static bool is_for_parser(const pare_grammar *grammar, const pare_rule *rule)
{
    for (uint32_t i = 0; i < rule->n_commands; i++) {
        pare_lexer_command_kind kind = grammar->commands[rule->first_command + i].kind;
        if (kind == PARE_LEXER_SKIP || kind == PARE_LEXER_MORE || kind == PARE_LEXER_CHANNEL)
            return false;
    }
    return true;
}

static void check_tokens(const struct collected *of, const pare_minimal_texts *minimal,
                         const pare_relex_check *texts, struct count *count)
{
    for (pare_index token = 1; token < of->grammar->n_tokens; token++) {
        pare_buffer text = {0};
        bool is_read = false;
        pare_index rule = minimal->token_rules[token];
        if (rule == PARE_NO_INDEX || !is_for_parser(of->grammar, &of->grammar->rules[rule]))
            continue;
        if (pare_relex_check_token(texts, token, &text, &is_read, NULL) == PARE_OK) {
            count->tokens++;
            count->tokens_read += is_read;
            if (!is_read)
                show_bad(of,
                         "token not read:", of->grammar->rules[minimal->token_rules[token]].name,
                         &text);
        }
        pare_buffer_done(&text);
    }
}

static void check_grammar(void *context, const struct collected *of)
{
    struct count *count = context;
    pare_analysis analysis = {0};
    pare_minimal_texts minimal = {0};
    pare_relex_check *texts = NULL;
    if (!of->grammar) return;
    assert_int_equal(pare_analysis_init(&analysis, of->grammar, NULL), PARE_OK);
    assert_int_equal(pare_minimal_init(&minimal, &analysis, NULL), PARE_OK);
    assert_int_equal(pare_relex_check_new(&minimal, &texts, NULL), PARE_OK);
    count->grammars++;
    check_tokens(of, &minimal, texts, count);
    for (pare_index rule = 0; rule < of->grammar->n_rules; rule++)
        if (of->grammar->rules[rule].kind == PARE_RULE_PARSER) check_rule(of, texts, rule, count);
    pare_relex_check_free(texts);
    pare_minimal_done(&minimal);
    pare_analysis_done(&analysis);
}

static void test_minimal_texts__are_read_back_by_lexer_and_parser(void **state)
{
    (void)state;
    struct count count = {0};
    const char *sanitize = getenv("PARE_SANITIZE");
    if (!collection_walk(sanitize && *sanitize ? 10 : 1, check_grammar, &count)) {
        print_message("no shared/grammars-v4: skipped\n");
        skip();
    }
    print_message("%zu grammars: %zu of %zu tokens and %zu of %zu rules with a text are read "
                  "back; %zu of %zu tried parse; %zu rules have no finite text\n",
                  count.grammars, count.tokens_read, count.tokens, count.read,
                  count.rules - count.endless, count.parsed, count.tried, count.endless);
    assert_int_equal(count.parsed, count.tried);
    if (!(sanitize && *sanitize) && !getenv("ONLY"))
        assert_true(count.read * 1000 >= (count.rules - count.endless) * MIN_READ_PERMILLE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_minimal_texts__are_read_back_by_lexer_and_parser)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
