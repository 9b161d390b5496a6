/* The value definition syntax of CSS: what a property, a type or a function may be.
 *
 *     [ <length-percentage [0,∞]> | auto ]{1,4} && <color>? , rgb( <number>#{3} )
 *
 * Words, <types> with ranges, <'properties'>, functions and signs are combined, the strongest
 * first, by standing side by side, by &&, || and |, grouped by [ ], and repeated by ? * + # and
 * {A,B}; ! says that a group is not empty.
 * Source: CSS Values and Units Level 4, section 2, "Value Definition Syntax".
 * Everything lives in the arena it was parsed into. */
#ifndef PARE_WEB_MODEL_VALUE_SYNTAX_H
#define PARE_WEB_MODEL_VALUE_SYNTAX_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/fail.h"

#define PARE_VALUE_ENDLESS UINT32_MAX

typedef enum pare_value_kind {
    PARE_VALUE_WORD,     /* `text`, a keyword or a number */
    PARE_VALUE_SIGN,     /* `text`: a comma, a slash, what was quoted, ... */
    PARE_VALUE_TYPE,     /* <text>, or <text()>, which keeps its parentheses */
    PARE_VALUE_PROPERTY, /* <'text'> */
    PARE_VALUE_FUNCTION, /* text( first ); `text` is empty for parentheses alone */
    PARE_VALUE_SEQUENCE, /* side by side, in this order */
    PARE_VALUE_ALL,      /* &&: all, in any order */
    PARE_VALUE_ANY,      /* ||: one or more, in any order */
    PARE_VALUE_CHOICE,   /* |: one */
    PARE_VALUE_REPEAT    /* `first`, min .. max times, with commas between or without */
} pare_value_kind;

typedef struct pare_value {
    pare_value_kind kind;
    const char *text;         /* ended by a NUL; NULL: none */
    struct pare_value *first; /* operands; NULL: none */
    struct pare_value *next;  /* operand of the same list */
    uint32_t min, max;        /* REPEAT; max may be PARE_VALUE_ENDLESS */
    bool commas;              /* REPEAT */
    bool filled;              /* it is not empty (!) */
    double low, high;         /* TYPE: its range, whatever the unit; -INFINITY .. INFINITY */
    const char *made;         /* for who walks it: a name; NULL after parsing */
} pare_value;

/* Parses `size` bytes.  On PARE_OK *out lives in `arena`.
 * Errors: PARE_E_SYNTAX (err->column: the byte, from 1), PARE_E_LIMIT (nested too deeply),
 * PARE_E_NOMEM. */
PARE_CHECK pare_status pare_value_parse(pare_arena *arena, const char *text, size_t size,
                                        pare_value **out, pare_error *err);

/* Whether it may be empty, a type being taken for something. */
bool pare_value_is_nullable(const pare_value *value);

#endif
