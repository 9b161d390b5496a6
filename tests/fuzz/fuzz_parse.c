/* Fuzz target: a grammar and a text it parses.
 *
 * The bytes are a grammar, a NUL byte, and the text.  Whatever they are, the parser must
 * end with a tree that keeps its invariant, twice the same.  Aborts on a violation. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "grammar/grammar_file.h"
#include "parse/parser.h"
#include "parse/print.h"
#include "split_input.h"

enum { MAX_GRAMMAR = 4096, MAX_TEXT = 512 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds) abort();
}

static void parse(pare_parser *parser, const char *text, size_t size)
{
    pare_parse_tree first = {0}, second = {0};
    pare_buffer printed = {0};
    pare_status status = pare_parser_run(parser, text, size, &first, NULL, NULL);
    if (status != PARE_OK) {
        require(first.nodes == NULL);
        return;
    }
    require(pare_parse_tree_check(&first));
    require(pare_parser_run(parser, text, size, &second, NULL, NULL) == PARE_OK);
    require(first.n_nodes == second.n_nodes);
    require(memcmp(first.nodes, second.nodes, first.n_nodes * sizeof *first.nodes) == 0);
    require(pare_print_lisp(&first, text, &printed, NULL) == PARE_OK);
    pare_buffer_done(&printed);
    pare_parse_tree_done(&first);
    pare_parse_tree_done(&second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct split_input in = split_input(data, size);
    if (in.grammar_size > MAX_GRAMMAR || in.text_size > MAX_TEXT) return 0;
    pare_g4_source source = {.path = "F.g4", .text = in.grammar, .size = in.grammar_size};
    pare_grammar *grammar = NULL;
    pare_parser *parser = NULL;
    pare_status status = pare_grammar_file_read_g4_sources(
        &source, 1, &(pare_g4_options){.memory_only = true}, &grammar, NULL);
    if (status != PARE_OK) return 0;
    pare_index start = pare_grammar_start(grammar);
    if (start != PARE_NO_INDEX && pare_parser_new(grammar, start, &parser, NULL) == PARE_OK)
        parse(parser, in.text, in.text_size);
    pare_parser_free(parser);
    pare_grammar_free(grammar);
    return 0;
}
