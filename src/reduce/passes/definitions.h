/* Definitions: what looks like one to whoever does not know the language.
 *
 * A word is taken for the name of a definition where one of these follows it, or its
 * parameters in brackets:
 *   a block        function f(x) { BODY }, f() { BODY }, proc f {x} { BODY }
 *   a value        def f(x): BODY;  x = VALUE  x := VALUE  let x = VALUE in  VIEW v AS VALUE
 *   the next lines def f(x):  with lines that are indented deeper
 *   lines up to a word as deep as its own  def f(x) .. end, function A:f(x) .. end
 *   brackets       (define f VALUE), (define-fun f () Int VALUE)
 *   its line       #define N VALUE, set N VALUE: after a word that begins the line
 * Where a value ends is not known, so there may be several readings of one definition: to the
 * next `;`, the end of the line, the next `,` or `in`, the bracket around it, after one term.
 *
 * A guess costs a test, no more. */
#ifndef PARE_REDUCE_PASSES_DEFINITIONS_H
#define PARE_REDUCE_PASSES_DEFINITIONS_H

#include "reduce/passes/pass.h"
#include "reduce/passes/terms.h"

typedef struct pare_definition {
    uint32_t name;        /* lexeme, a word */
    uint32_t parameters;  /* the bracket that opens them, or PARE_NO_LEXEME */
    pare_lexeme_run all;  /* what goes when the definition goes */
    pare_lexeme_run body; /* what the name stands for; inside of all, after the name */
    uint32_t separator;   /* the first lexeme of the bytes that say that a value follows, or
                             PARE_NO_LEXEME: a block or a line */
    bool first;           /* the likeliest reading of the definition */
} pare_definition;

/* All-zero: none. */
typedef struct pare_definitions {
    pare_definition *at; /* owned; by name, in the order of the text; readings of one together */
    size_t n, capacity;
} pare_definitions;

/* Lists the definitions of `view`, up to 2,048 readings; none in a binary file.  On PARE_OK the
 * caller owns *out.  O(lexemes).  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_definitions_find(const pare_pass_view *view, pare_definitions *out,
                                             pare_error *err);
void pare_definitions_done(pare_definitions *definitions); /* all-zero is a no-op */

/* Whether the byte is part of a name; $ is none here: in `$NAME` it says that a name is used. */
static inline bool pare_definition_name_byte(unsigned char byte)
{
    return (byte >= '0' && byte <= '9') || ((byte | 0x20) >= 'a' && (byte | 0x20) <= 'z') ||
           byte == '_' || byte >= 0x80;
}

/* The name of lexeme `i` without signs before it. */
static inline pare_extent pare_definition_name(const pare_pass_view *view, size_t i)
{
    pare_extent name = {view->lexemes.at[i].from, view->lexemes.at[i].to};
    while (name.from < name.to && !pare_definition_name_byte(view->bytes[name.from]))
        name.from++;
    return name;
}

/* The next place from byte `at` on, before `end`, where the `size` bytes at `name` stand as a
 * whole name, maybe in a string; false: there is none.  O(end - at). */
bool pare_definition_next_use(const unsigned char *bytes, size_t at, size_t end, const void *name,
                              size_t size, pare_extent *found);

/* The use of a name with the signs that belong to it: `$x`, `${x}`, `$(x)`, `%x`, `@x`. */
pare_extent pare_definition_with_signs(const pare_pass_view *view, pare_extent name);

#endif
