/* The fields of the lines that our scripts have engines print (explore.js, learn.js).
 *
 * They were printed by a program that is not trusted: every function takes any bytes, and says
 * whether they are what it reads.  Any thread. */
#ifndef PARE_GENERATE_DISCOVERY_PROBE_FIELDS_H
#define PARE_GENERATE_DISCOVERY_PROBE_FIELDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <pare/graph.h>

#include "base/buffer.h"
#include "base/fail.h"

enum { PARE_PROBE_MAX_OBJECTS = 1 << 17 };

/* A field: bytes of a line, borrowed. */
typedef struct pare_probe_field {
    const char *start;
    size_t size;
} pare_probe_field;

/* What a value is: object `id`; any object whose prototype is `id`; or of a kind. */
typedef struct pare_probe_type {
    char letter; /* 'o', 'i', or of u n b d s y g -, as explore.js says */
    uint32_t id; /* of 'o' and 'i', below PARE_PROBE_MAX_OBJECTS */
} pare_probe_type;

/* Splits a line at single spaces into at most `most` fields, none of them empty; returns how many
 * there are, 0: an empty one, or more. */
size_t pare_probe_fields_split(const char *start, const char *end, pare_probe_field *fields,
                               size_t most);

bool pare_probe_fields_is(pare_probe_field field, const char *word);

/* A decimal number of up to 2^30. */
bool pare_probe_fields_number(pare_probe_field field, uint32_t *number);
bool pare_probe_fields_type(pare_probe_field field, pare_probe_type *type);

/* Sets *text to what the field is the escaped form of, in UTF-8; *is_text is false when it is none,
 * or has a NUL or half a surrogate pair in it.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_probe_fields_text(pare_probe_field field, pare_buffer *text,
                                              bool *is_text, pare_error *err);

/* The letter of a kind of primitive values; 'o' of objects and functions. */
char pare_probe_fields_letter(pare_graph_kind kind);

#endif
