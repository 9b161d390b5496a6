/* A parse in a thread of its own, made while tests run.
 *
 * The first tree of an input of megabytes takes seconds, with the language's shortest texts that are
 * learned from it; the check of the input and of its controls takes as long, and leaves processors
 * idle.  So the input is parsed meanwhile, by the reader that will be asked for it.
 *
 * What comes out is what pare_reader_parse gives for the same bytes.  While one is under way nobody
 * else may use the reader.  One thread starts, takes and drops it. */
#ifndef PARE_REDUCE_SYNTAX_AHEAD_H
#define PARE_REDUCE_SYNTAX_AHEAD_H

#include <stdbool.h>

#include "parse/parse_tree.h"
#include "parse/shape.h"
#include "reduce/syntax/reader.h"
#include "text/pattern.h"
#include "text/text.h"

typedef struct pare_ahead pare_ahead;

/* Begins to parse bytes `file` of `text`, which must be flat; a reference to it is held.  `reader`
 * is borrowed.  On PARE_OK the caller owns *out.  Errors: PARE_E_NOMEM, PARE_E_IO (no thread). */
PARE_CHECK pare_status pare_ahead_start(pare_reader *reader, const pare_text *text,
                                        pare_stretch file, pare_separators side, pare_ahead **out,
                                        pare_error *err);

/* Whether it is of these bytes, with separators on that side. */
bool pare_ahead_is_of(const pare_ahead *ahead, const pare_text *text, pare_stretch file,
                      pare_separators side);

/* Waits for the end, moves the tree to *tree, and frees `ahead`.
 * Errors: those of pare_reader_parse; *tree is untouched then. */
PARE_CHECK pare_status pare_ahead_take(pare_ahead *ahead, pare_parse_tree *tree, pare_error *err);

/* Gives it up, and frees it: a language's parse ends within microseconds.  The reader has learned no
 * texts from it.  NULL is a no-op. */
void pare_ahead_drop(pare_ahead *ahead);

#endif
