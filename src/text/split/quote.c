/* Quoted strings.
 *
 * Whether a quote is escaped depends only on the backslashes directly before it, and
 * no run of backslashes holds a quote: so when the scan from one quote meets the end
 * of the line, so would the scan from any later one of that kind on that line. */
#include "text/split/quote.h"

#include <stdbool.h>

static size_t kind_of(unsigned char quote)
{
    if (quote == '"') return 0;
    return quote == '\'' ? 1 : 2;
}

static bool is_newline(unsigned char byte)
{
    return byte == '\n' || byte == '\r';
}

size_t pare_quote_end(pare_quotes *quotes, const unsigned char *bytes, size_t size, size_t at)
{
    unsigned char quote = bytes[at];
    size_t *barren = &quotes->barren[kind_of(quote)];
    if (at < *barren) return at + 1;
    size_t k = at + 1;
    for (; k < size && !is_newline(bytes[k]); k++) {
        if (bytes[k] == quote) return k + 1;
        if (bytes[k] == '\\' && k + 1 < size && !is_newline(bytes[k + 1])) k++;
    }
    *barren = k;
    return at + 1;
}
