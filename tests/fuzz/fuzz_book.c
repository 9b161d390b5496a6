/* Fuzz target: the reader of The Fuzzing Book's JSON grammars, on any bytes.
 *
 * The bytes are a grammar, a NUL byte, and a text to parse by it.  A grammar that was read
 * must hold together, be analysed and parse the text twice alike; each rule's minimal text
 * must parse as the rule; an error must have a sentence.  Aborts on a violation. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "grammar/fuzzingbook.h"
#include "grammar/minimal.h"
#include "parse/parser.h"
#include "split_input.h"

enum { MAX_GRAMMAR = 4096, MAX_TEXT = 256, MAX_MINIMAL = 256 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds) abort();
}

/* Parses by `rule`; says whether the text is in its language. */
static bool parses(const pare_grammar *grammar, pare_index rule, const char *text, size_t size)
{
    pare_parser *parser = NULL;
    pare_parse_tree first = {0}, second = {0};
    if (pare_parser_new(grammar, rule, &parser, NULL) != PARE_OK) return true;
    bool is_whole = true;
    pare_parse_cost cost = {0};
    if (pare_parser_run(parser, text, size, &first, &cost, NULL) == PARE_OK) {
        require(pare_parse_tree_check(&first));
        require(pare_parser_run(parser, text, size, &second, NULL, NULL) == PARE_OK);
        require(first.n_nodes == second.n_nodes);
        require(memcmp(first.nodes, second.nodes, first.n_nodes * sizeof *first.nodes) == 0);
        is_whole = !first.error.any && cost.n_rest == 0;
    }
    pare_parse_tree_done(&first);
    pare_parse_tree_done(&second);
    pare_parser_free(parser);
    return is_whole;
}

/* The shortest text of each rule is in the rule's language: characters need no lexer. */
static void check_minimal(const pare_grammar *grammar)
{
    pare_analysis analysis = {0};
    pare_minimal_texts minimal = {0};
    pare_buffer text = {0};
    require(pare_analysis_init(&analysis, grammar, NULL) == PARE_OK);
    require(pare_minimal_init(&minimal, &analysis, NULL) == PARE_OK);
    for (pare_index rule = 0; rule < grammar->n_rules && rule < 8; rule++) {
        pare_buffer_reset(&text);
        pare_minimum of = pare_minimal_rule(&minimal, rule);
        if (of.size_bytes > MAX_MINIMAL) continue;
        require(pare_minimal_text(&minimal, grammar->rules[rule].body, NULL, NULL, &text, NULL) ==
                PARE_OK);
        require(text.size == of.size_bytes);
        require(parses(grammar, rule, text.size ? text.data : "", text.size));
    }
    pare_buffer_done(&text);
    pare_minimal_done(&minimal);
    pare_analysis_done(&analysis);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct split_input in = split_input(data, size);
    if (in.grammar_size > MAX_GRAMMAR || in.text_size > MAX_TEXT) return 0;
    pare_grammar *grammar = NULL;
    pare_error err = {0};
    pare_status status =
        pare_fuzzingbook_read_memory("F.json", in.grammar, in.grammar_size, &grammar, &err);
    require((status == PARE_OK) == (grammar != NULL));
    require(status == PARE_OK || (err.status == status && err.message[0]));
    if (!grammar) return 0;
    require(pare_grammar_check(grammar));
    pare_index start = pare_grammar_start(grammar);
    if (start != PARE_NO_INDEX) (void)parses(grammar, start, in.text, in.text_size);
    check_minimal(grammar);
    pare_grammar_free(grammar);
    return 0;
}
