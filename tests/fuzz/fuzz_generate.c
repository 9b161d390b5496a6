/* Fuzz target: generation by any grammar that can be read.
 *
 * The bytes are a combined ANTLR v4 grammar, a NUL byte, and choices, a byte each.  What the
 * choices make is made again by the record of the run, and is in the grammar's language unless
 * the generator says that it could not be read back.  Aborts on a violation. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "generate/deriver.h"
#include "grammar/grammar_file.h"
#include "parse/parser.h"

enum { MAX_GRAMMAR = 2048, MAX_CHOICES = 512, MAX_TEXT = 2000 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds) abort();
}

static void check_again(pare_deriver *deriver, const pare_choice_record *record,
                        const pare_buffer *text)
{
    uint64_t list[MAX_CHOICES];
    pare_choices choices = {0};
    pare_buffer again = {0};
    pare_generator generator = pare_deriver_generator(deriver);
    require(pare_choices_record_check(record) && record->n <= MAX_CHOICES);
    for (size_t i = 0; i < record->n; i++)
        list[i] = record->choices[i].index;
    pare_choices_replay(&choices, list, record->n);
    require(generator.run(generator.self, &choices, &again, NULL) == PARE_OK);
    require(again.size == text->size);
    require(!text->size || memcmp(again.data, text->data, text->size) == 0);
    pare_buffer_done(&again);
    pare_choices_done(&choices);
}

static void check_text(const pare_grammar *grammar, pare_index start, const pare_buffer *text)
{
    pare_parser *parser = NULL;
    pare_parse_tree tree = {0};
    pare_parse_cost cost = {0};
    if (text->size > MAX_TEXT || pare_parser_new(grammar, start, &parser, NULL)) return;
    if (!pare_parser_run(parser, text->size ? text->data : "", text->size, &tree, &cost, NULL))
        require(!tree.error.any);
    pare_parse_tree_done(&tree);
    pare_parser_free(parser);
}

static void generate(const pare_grammar *grammar, const uint8_t *bytes, size_t n)
{
    uint64_t list[MAX_CHOICES];
    pare_index start = pare_grammar_start(grammar);
    pare_expansion_table table;
    pare_deriver *deriver = NULL;
    pare_choices choices = {0};
    pare_buffer text = {0};
    pare_deriver_options options = {.max_depth = 10, .max_tokens = 40, .unusual = 0.5};
    if (start == PARE_NO_INDEX || pare_expansion_table_init(&table, grammar, start, NULL)) return;
    for (size_t i = 0; i < MAX_CHOICES; i++)
        list[i] = i < n ? bytes[i] : 0;
    if (!pare_deriver_new(&table, start, &options, &deriver, NULL)) {
        pare_generator generator = pare_deriver_generator(deriver);
        pare_choices_replay(&choices, list, MAX_CHOICES);
        if (!generator.run(generator.self, &choices, &text, NULL)) {
            check_again(deriver, &choices.record, &text);
            check_text(grammar, start, &text);
        }
    }
    pare_buffer_done(&text);
    pare_choices_done(&choices);
    pare_deriver_free(deriver);
    pare_expansion_table_done(&table);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *end = size ? memchr(data, 0, size) : NULL;
    size_t n = end ? (size_t)(end - data) : size;
    if (!n || n > MAX_GRAMMAR) return 0;
    pare_grammar *grammar = NULL;
    pare_g4_source source = {.path = "F.g4", .text = (const char *)data, .size = n};
    pare_g4_options options = {.memory_only = true};
    if (pare_grammar_file_read_g4_sources(&source, 1, &options, &grammar, NULL) == PARE_OK)
        generate(grammar, end ? end + 1 : data, end ? size - n - 1 : 0);
    pare_grammar_free(grammar);
    return 0;
}
