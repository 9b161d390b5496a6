/* What the script that explores an engine printed (explore.js), as lists.
 *
 * The engine may be broken or hostile, may die half way, and may print other things in between:
 * lines that make no sense are ignored, so that any bytes can be read, and nothing printed before
 * is lost.  The lists are consistent: see pare_probe_output_check.  One thread; immutable once
 * read. */
#ifndef PARE_GENERATE_DISCOVERY_PROBE_OUTPUT_H
#define PARE_GENERATE_DISCOVERY_PROBE_OUTPUT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "generate/discovery/probe_fields.h"

enum { PARE_PROBE_MAX_PATH_BYTES = 512 };

/* An object; its number is its place in the list.  Texts are in the arena, never NULL. */
typedef struct pare_probe_object {
    char kind; /* 'o', 'f' or 'c' */
    const char *class_name;
    uint32_t length;
    const char *path;           /* expression */
    pare_probe_type prototype;  /* 'o', 'n' or '-' */
    const char *instance_class; /* of objects that have this one as prototype; NULL: not known */
} pare_probe_object;

typedef struct pare_probe_member {
    uint32_t object;  /* whose property it is, or the property of all of whose instances */
    bool of_instance; /* of any object whose prototype is `object` */
    bool is_accessor;
    const char *name; /* "@@iterator" stands for Symbol.iterator */
    pare_probe_type type;
    uint32_t place; /* among the lines about properties */
} pare_probe_member;

typedef enum pare_probe_end {
    PARE_PROBE_CUT,     /* there is no last line: the engine died, or lost it */
    PARE_PROBE_STOPPED, /* before the step of `next` */
    PARE_PROBE_WHOLE
} pare_probe_end;

/* A step: which, and what it looks at. */
typedef struct pare_probe_step {
    uint64_t number;
    const char *path; /* expression */
} pare_probe_step;

typedef struct pare_probe_output {
    pare_arena arena;
    bool has_begun; /* the first line is there */
    pare_probe_end end;
    pare_probe_step next;      /* STOPPED: the step that was not made */
    const char *failure;       /* what the script itself died of; NULL: it did not */
    uint64_t n_steps;          /* made, as far as is known */
    size_t n_strange;          /* lines that are none of its */
    const char *first_strange; /* NULL: none */
    pare_probe_object *objects;
    pare_probe_member *members;
    size_t n_objects, n_members, objects_capacity, members_capacity;
    pare_probe_type kinds[128]; /* by letter: the prototype of primitives; 0: there are none */
} pare_probe_output;

/* Reads `printed`.  *output has to be all-zero; the caller ends it with done in any case.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_probe_output_read(pare_probe_output *output, const pare_buffer *printed,
                                              pare_error *err);
void pare_probe_output_done(pare_probe_output *output); /* all-zero is a no-op */

/* Whether all that is said above holds: owners are objects, members are sorted without doubles,
 * prototypes lead in no circle (looked for among up to 1000 objects).  For assertions and tests;
 * O(n) but for circles. */
bool pare_probe_output_check(const pare_probe_output *output);

#endif
