/* Reads any bytes as a grammar.json, matches a few children against its first types, and makes
 * the smallest context of its last rule. */
#include <stddef.h>
#include <stdint.h>

#include "grammar/content.h"
#include "grammar/minimal.h"
#include "grammar/tree_sitter_grammar.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The grammar model of the same bytes. */
static void model(const char *json, size_t size)
{
    pare_tree_sitter_grammar grammar = {0};
    pare_analysis analysis = {0};
    pare_minimal_texts minimal = {0};
    pare_contexts contexts = {0};
    pare_buffer text = {0};
    size_t begin = 0;
    pare_status status = pare_tree_sitter_grammar_read(json, size, NULL, 0, &grammar, NULL);
    if (status == PARE_OK && !pare_grammar_check(grammar.grammar)) __builtin_trap();
    if (status == PARE_OK) status = pare_analysis_init(&analysis, grammar.grammar, NULL);
    if (status == PARE_OK) status = pare_minimal_init(&minimal, &analysis, NULL);
    if (status == PARE_OK) status = pare_minimal_contexts_init(&contexts, &minimal, 0, NULL);
    if (status == PARE_OK)
        (void)!pare_minimal_context(
            &contexts, (pare_context_inner){(pare_index)grammar.grammar->n_rules - 1, "x", 1},
            (pare_joining){.needs_space = NULL}, &text, &begin, NULL);
    pare_buffer_done(&text);
    pare_minimal_contexts_done(&contexts);
    pare_minimal_done(&minimal);
    pare_analysis_done(&analysis);
    pare_tree_sitter_grammar_done(&grammar);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const uint32_t children[] = {0, 1, 2, PARE_CONTENT_SKIPPED, PARE_CONTENT_UNKNOWN, 1, 0};
    pare_content *content = NULL;
    pare_content_matcher *matcher = NULL;
    model((const char *)data, size);
    if (pare_content_read((const char *)data, size, &content, NULL) != PARE_OK) return 0;
    if (pare_content_matcher_new(content, &matcher, NULL) == PARE_OK) {
        for (uint32_t symbol = 0; symbol < 4; symbol++) {
            for (size_t n = 0; n <= sizeof children / sizeof *children; n++) {
                pare_legality is = PARE_ILLEGAL;
                (void)!pare_content_match(matcher, symbol, children, n, &is, NULL);
            }
        }
    }
    pare_content_matcher_free(matcher);
    pare_content_free(content);
    return 0;
}
