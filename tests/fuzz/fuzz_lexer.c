/* Fuzz target: the lexer that is built from a grammar, on any text.
 *
 * The bytes are a grammar, a NUL byte, and the text.  Tokens must ascend, lie in the text,
 * not overlap and carry types and channels of the grammar; what the automaton learnt from
 * the text must not change how the same text lexes again.  Aborts on a violation. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "grammar/grammar_file.h"
#include "parse/lexer.h"
#include "split_input.h"

enum { MAX_GRAMMAR = 4096, MAX_TEXT = 2048 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds) abort();
}

static void check_tokens(const pare_grammar *grammar, const pare_tokens *tokens, size_t size)
{
    size_t n_errors = 0, at = 0;
    for (size_t i = 0; i < tokens->n; i++) {
        const pare_token *token = &tokens->tokens[i];
        require(token->begin >= at && token->begin <= token->end && token->end <= size);
        bool is_error = token->type == PARE_TOKEN_ERROR;
        require(is_error == (token->channel == PARE_CHANNEL_ERROR));
        require(is_error || token->type < grammar->n_tokens);
        n_errors += is_error;
        at = token->end;
    }
    require(n_errors == tokens->n_errors);
}

static void lex(const pare_grammar *grammar, pare_lexer *lexer, const char *text, size_t size)
{
    pare_tokens first = {0}, second = {0};
    pare_status status = pare_lexer_run(lexer, 0, text, size, &first, NULL);
    require(status == PARE_OK || first.n == 0);
    if (status == PARE_OK) {
        check_tokens(grammar, &first, size);
        require(pare_lexer_run(lexer, 0, text, size, &second, NULL) == PARE_OK);
        require(first.n == second.n && first.n_errors == second.n_errors);
        require(!first.n ||
                memcmp(first.tokens, second.tokens, first.n * sizeof *first.tokens) == 0);
    }
    pare_lexer_tokens_done(&first);
    pare_lexer_tokens_done(&second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct split_input in = split_input(data, size);
    if (in.grammar_size > MAX_GRAMMAR || in.text_size > MAX_TEXT) return 0;
    pare_g4_source source = {.path = "F.g4", .text = in.grammar, .size = in.grammar_size};
    pare_grammar *grammar = NULL;
    pare_lexer *lexer = NULL;
    if (pare_grammar_file_read_g4_sources(&source, 1, &(pare_g4_options){.memory_only = true},
                                          &grammar, NULL) != PARE_OK)
        return 0;
    if (pare_lexer_new(grammar, &lexer, NULL) == PARE_OK)
        lex(grammar, lexer, in.text, in.text_size);
    pare_lexer_free(lexer);
    pare_grammar_free(grammar);
    return 0;
}
