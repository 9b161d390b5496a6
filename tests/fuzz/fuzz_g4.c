/* Fuzz target: the ANTLR reader on any bytes.
 *
 * The bytes are cut at NUL bytes into up to four sources, so that imports and lexers of
 * parsers are met.  A grammar that was read must hold together and be
 * analysed; an error must have a sentence.  Aborts on a violation. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "grammar/analysis.h"
#include "grammar/grammar_file.h"
#include "grammar/minimal.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds) abort();
}

/* A rule's minimal text can be written, unless it has none. */
static void check_minimal(const pare_analysis *analysis)
{
    pare_minimal_texts minimal = {0};
    pare_buffer text = {0};
    require(pare_minimal_init(&minimal, analysis, NULL) == PARE_OK);
    for (pare_index rule = 0; rule < analysis->grammar->n_rules; rule++) {
        pare_index body = analysis->grammar->rules[rule].body;
        bool has_text = pare_minimal_rule(&minimal, rule).size_bytes != PARE_NO_MINIMUM;
        pare_buffer_reset(&text);
        pare_status status = pare_minimal_text(&minimal, body, NULL, NULL, &text, NULL);
        require(status == PARE_E_LIMIT || (status == PARE_OK && has_text));
    }
    pare_buffer_done(&text);
    pare_minimal_done(&minimal);
}

static void check_analysis(const pare_grammar *grammar)
{
    pare_analysis analysis = {0};
    pare_subtypes subtypes = {0};
    require(pare_analysis_init(&analysis, grammar, NULL) == PARE_OK);
    require(pare_analysis_subtypes_init(&subtypes, &analysis, NULL) == PARE_OK);
    check_minimal(&analysis);
    pare_analysis_subtypes_done(&subtypes);
    pare_analysis_done(&analysis);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const paths[] = {"A.g4", "B.g4", "C.g4", "D.g4"};
    pare_g4_source sources[4];
    size_t n = 0;
    while (n < 4) {
        const uint8_t *end = size ? memchr(data, 0, size) : NULL;
        size_t part = end && n < 3 ? (size_t)(end - data) : size;
        const char *text = size ? (const char *)data : "";
        sources[n] = (pare_g4_source){.path = paths[n], .text = text, .size = part};
        n++;
        if (part == size) break;
        data += part + 1;
        size -= part + 1;
    }
    pare_grammar *grammar = NULL;
    pare_error err = {0};
    pare_g4_options options = {.memory_only = true};
    pare_status status = pare_grammar_file_read_g4_sources(sources, n, &options, &grammar, &err);
    require((status == PARE_OK) == (grammar != NULL));
    require(status == PARE_OK || (err.status == status && err.message[0]));
    if (grammar) {
        require(pare_grammar_check(grammar));
        check_analysis(grammar);
    }
    pare_grammar_free(grammar);
    return 0;
}
