/* Blocks by words that open and words that close: begin and end, if and end if, do and done, #if
 * and #endif, \begin{x} and \end{x}, <x> and </x>.
 *
 * Which words do is learned from the text: a word may close another one by its form (end X, endX,
 * /X, X reversed), and does if most of its uses find an opener. */
#ifndef PARE_REDUCE_STRUCTURE_BLOCK_WORDS_H
#define PARE_REDUCE_STRUCTURE_BLOCK_WORDS_H

#include "reduce/structure/block_spans.h"
#include "reduce/structure/line_table.h"

/* The blocks of the lines of `table`, settled.  On PARE_OK the caller ends *spans (all-zero
 * before).  O(bytes of the first and last words).  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_block_words_find(const pare_line_table *table, pare_block_spans *spans,
                                             pare_error *err);

/* A use of a word in a line: it opens a block, or closes one that `word` opened. */
typedef struct pare_block_use {
    uint32_t word; /* number of the opening word, below n_words */
    uint32_t line; /* ascending */
    bool closes;
} pare_block_use;

/* How often a word closed something, and how often there was nothing to close. */
typedef struct pare_block_count {
    uint32_t closes, unmatched;
    bool dropped; /* its uses are passed over */
} pare_block_count;

/* Pairs each closing use with the nearest open use of its word; what was opened between the two is
 * dropped, so pairs never cross.  Adds to counts[0 .. n_words).  O(uses).
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_block_words_match(const pare_block_use *uses, size_t n_uses,
                                              pare_block_count *counts, size_t n_words,
                                              pare_block_spans *spans, pare_error *err);

#endif
