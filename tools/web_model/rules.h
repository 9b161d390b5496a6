/* A grammar in the making: named rules, whose expansions are texts in which other rules are
 * called, each with a weight.
 *
 * In an expansion a call is written between two control characters, PARE_WEB_CALL and
 * PARE_WEB_END, so that texts may hold anything else, also what looks like a call in The
 * Fuzzing Book's notation.  In a template a call is written <name>, without blanks.
 * A failure sticks, as in grammar/builder.h: once memory is out, further calls do nothing, and
 * `finish` returns the status.  One thread. */
#ifndef PARE_WEB_MODEL_RULES_H
#define PARE_WEB_MODEL_RULES_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/hash_index.h"

#define PARE_WEB_CALL '\1'
#define PARE_WEB_END '\2'

typedef struct pare_web_expansion {
    const char *text;
    double weight;
    struct pare_web_expansion *next;
    bool finite; /* after `finish` */
} pare_web_expansion;

typedef struct pare_web_rule {
    const char *name; /* without brackets */
    pare_web_expansion *first, *last;
    bool finite, reached; /* after `finish`; rules that are not both are not written */
} pare_web_rule;

/* All-zero is empty. */
typedef struct pare_web_rules {
    pare_web_rule *items; /* owned */
    size_t n, capacity;
    pare_hash_index by_name;
    pare_arena memory;
    pare_status status;
} pare_web_rules;

void pare_web_rules_done(pare_web_rules *rules);

bool pare_web_rules_has(const pare_web_rules *rules, const char *name);

/* Adds an expansion to a rule, which is made when it is not there. */
void pare_web_rules_add(pare_web_rules *rules, const char *name, double weight, const char *text,
                        size_t size);
void pare_web_rules_add_template(pare_web_rules *rules, const char *name, double weight,
                                 const char *template_text);

/* Adds the templates in a text, which stand apart by line feeds, with weight 1 each. */
void pare_web_rules_add_lines(pare_web_rules *rules, const char *name, const char *lines);

/* Appends a call of a rule to an expansion. */
PARE_CHECK pare_status pare_web_call(pare_buffer *expansion, const char *name, pare_error *err);

/* Leaves out what has no finite text, and what none of the rules `roots` (ended by NULL; the
 * first is where texts start) needs; then gives the grammar as The Fuzzing Book writes it, with
 * <start> for the first root, and its weights (generate/weights.h).
 * Errors: what stuck; PARE_E_STATE (a root has no finite text), PARE_E_NOMEM. */
PARE_CHECK pare_status pare_web_rules_finish(pare_web_rules *rules, const char *const *roots,
                                             pare_buffer *grammar, pare_buffer *weights,
                                             pare_error *err);

#endif
