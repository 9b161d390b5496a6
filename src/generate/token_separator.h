/* Writes tokens next to each other so that the lexer reads them back.
 *
 * The lexer's automaton runs along: a token's text has to be that token in the mode the
 * lexer is in, and where the automaton would go on from one token into the next, a
 * separator that the grammar skips or hides is put between: a space, a line end, a tab.
 * Commands of the lexer (modes) are obeyed.
 * Source of the demand: grammarinator#33, #233 and nautilus#1 (whitespace between tokens).
 * One thread. */
#ifndef PARE_GENERATE_TOKEN_SEPARATOR_H
#define PARE_GENERATE_TOKEN_SEPARATOR_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/buffer.h"
#include "generate/expansion_table.h"
#include "grammar/grammar.h"

typedef struct pare_token_separator pare_token_separator;

/* Of a token type that has one text only and changes nothing in the lexer. */
enum { PARE_SEPARATOR_BESIDE = 8, PARE_SEPARATOR_HEAD = 16 };
typedef struct pare_token_separator_quick {
    size_t stamp; /* the separator's, as long as this holds; 0: never */
    uint32_t state, size;
    uint32_t
        beside[PARE_SEPARATOR_BESIDE]; /* states on the left beside which it needs no separator */
    const char *text;
    char head[PARE_SEPARATOR_HEAD]; /* a copy of the text, if it is as short as that */
} pare_token_separator_quick;

/* What a separator begins with. */
typedef struct pare_token_separator_front {
    pare_token_separator_quick *quick; /* owned; of each token type */
    size_t stamp;                      /* of the mode, and of what states mean; above 0 */
    size_t epoch;                      /* the automaton's */
    pare_index mode;
    struct {             /* the token on the left; size 0: none */
        size_t at, size; /* in the text */
        pare_index mode; /* it was read in */
        uint32_t state;  /* at its end; 0: there is none */
        size_t epoch;    /* in which the state means something */
    } left;
} pare_token_separator_front;

/* `table` is borrowed; its grammar has a lexer.  On PARE_OK the caller owns *out.
 * Errors: PARE_E_NOMEM, PARE_E_LIMIT (rules that call themselves without end). */
PARE_CHECK pare_status pare_token_separator_new(const pare_expansion_table *table,
                                                pare_token_separator **out, pare_error *err);
void pare_token_separator_free(pare_token_separator *separator); /* NULL is a no-op */

/* Whether a space between two tokens is no token, in the first mode. */
bool pare_token_separator_takes_space(const pare_token_separator *separator);

/* Begins a text: in the first mode, nothing to the left. */
void pare_token_separator_start(pare_token_separator *separator);

/* Whether the lexer would read `size` > 0 bytes as one token of type `token` now, and
 * remembers how.  Errors: as above. */
PARE_CHECK pare_status pare_token_separator_reads(pare_token_separator *separator,
                                                  const char *piece, size_t size, pare_index token,
                                                  bool *yes, pare_error *err);

/* The same for a token type that has one text only, which is remembered. */
PARE_CHECK pare_status pare_token_separator_reads_fixed(pare_token_separator *separator,
                                                        pare_index token, bool *yes,
                                                        pare_error *err);

/* Appends the piece that was read last to *text, after a separator if it needs one.
 * *clean is false when there is none that helps; the piece then stands after a space.
 * Errors: as above. */
PARE_CHECK pare_status pare_token_separator_put(pare_token_separator *separator, const char *piece,
                                                size_t size, pare_buffer *text, bool *clean,
                                                pare_error *err);

/* Appends a token type that has one text only where it was put before beside the same
 * neighbour without a separator; else *put is false, and nothing has changed.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_token_separator_put_known(pare_token_separator *separator,
                                                      pare_index token, pare_buffer *text,
                                                      bool *put, pare_error *err);

/* The same where nothing has to be found out, and nothing can fail. */
static inline bool pare_token_separator_put_at_once(pare_token_separator *separator,
                                                    pare_index token, pare_buffer *text)
{
    pare_token_separator_front *front = (pare_token_separator_front *)separator;
    const pare_token_separator_quick *quick = &front->quick[token];
    size_t room = text->capacity - text->size;
    if (quick->stamp != front->stamp || room <= PARE_SEPARATOR_HEAD || room <= quick->size)
        return false;
    if (quick->beside[front->left.state % PARE_SEPARATOR_BESIDE] != front->left.state) return false;
    front->left.at = text->size;
    front->left.size = quick->size;
    front->left.mode = front->mode;
    front->left.state = quick->state;
    front->left.epoch = front->epoch;
    if (quick->size <= PARE_SEPARATOR_HEAD) /* a length that is known is faster */
        memcpy(text->data + text->size, quick->head, PARE_SEPARATOR_HEAD);
    else
        memcpy(text->data + text->size, quick->text, quick->size);
    text->size += quick->size;
    text->data[text->size] = '\0';
    return true;
}

/* Appends bytes that the lexer is not asked about, such as an expression in parentheses, after a
 * separator if the first byte is a token of its own and needs one.  Nothing keeps what comes next apart
 * from them.  *clean as above.  Errors: as above. */
PARE_CHECK pare_status pare_token_separator_put_opaque(pare_token_separator *separator,
                                                       const char *bytes, size_t size,
                                                       pare_buffer *text, bool *clean,
                                                       pare_error *err);

/* Where the piece that was put last begins in the text. */
size_t pare_token_separator_last(const pare_token_separator *separator);

/* Reads a text of one's own from its beginning, as if its tokens had been put.
 * Errors: PARE_E_SYNTAX (the lexer cannot read it), and as above. */
PARE_CHECK pare_status pare_token_separator_read_again(pare_token_separator *separator,
                                                       const pare_buffer *text, pare_error *err);

/* Appends bytes of any tokens to *text, after a separator if the first one needs it.
 * *clean as above.  Errors: PARE_E_SYNTAX (the lexer cannot read them), and as above. */
PARE_CHECK pare_status pare_token_separator_put_bytes(pare_token_separator *separator,
                                                      const char *bytes, size_t size,
                                                      pare_buffer *text, bool *clean,
                                                      pare_error *err);

#endif
