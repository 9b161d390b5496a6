/* What bench_runner calls in a loop: a fuzz harness over a parser of nested lists of
 * numbers and words, which crashes on an unclosed "((((((!". */
#include <ctype.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

struct parser {
    const uint8_t *at, *end;
    size_t depth, n_words;
    uint64_t sum;
};

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void parse_atom(struct parser *parser)
{
    uint64_t number = 0;
    while (parser->at < parser->end && isalnum(*parser->at))
        number = number * 31 + *parser->at++;
    parser->sum += number;
    parser->n_words++;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct parser parser = {.at = bytes, .end = bytes + size};
    while (parser.at < parser.end) {
        if (isalnum(*parser.at)) {
            parse_atom(&parser);
            continue;
        }
        if (*parser.at == '(') parser.depth++;
        if (*parser.at == ')' && parser.depth) parser.depth--;
        if (*parser.at == '!' && parser.depth > 5) abort();
        parser.at++;
    }
    return parser.sum == 1 && parser.n_words == 0 ? -1 : 0;
}
