/* Values of primitive types, as literals of ES5, and texts in literals.
 *
 * Numbers and strings are mostly those at which implementations go wrong: boundaries of integer
 * types and of doubles, times at the ends of the calendar, dates, URIs, JSON and numerals that
 * are right or nearly right.  The first alternative is always the simplest, so that reduction
 * through choices ends at 0 and "". */
#ifndef PARE_GENERATE_PROTOTYPE_VALUES_H
#define PARE_GENERATE_PROTOTYPE_VALUES_H

#include <pare/graph.h>

#include "generate/prototype/emitter.h"

/* A number; it may begin with a minus sign. */
void pare_values_number(pare_emitter *emitter);

/* A number that counts something: small, seldom any. */
void pare_values_count(pare_emitter *emitter);

/* A number of milliseconds since 1970, mostly near an end of what a date may be. */
void pare_values_time(pare_emitter *emitter);

/* A length of something like an array: small, or one that is refused at once.  Engines go through
 * all places up to a length, so a large one would take hours. */
void pare_values_length(pare_emitter *emitter);

void pare_values_boolean(pare_emitter *emitter);

/* A string of any sort, which may be an expression that makes it. */
void pare_values_string(pare_emitter *emitter);

/* String literals of one sort. */
void pare_values_date(pare_emitter *emitter);
void pare_values_uri(pare_emitter *emitter);
void pare_values_json(pare_emitter *emitter);
void pare_values_numeral(pare_emitter *emitter);
void pare_values_name(pare_emitter *emitter); /* of a property */

/* A literal of a primitive kind; not of SYMBOL and BIGINT, which ES5 has none of. */
void pare_values_of_kind(pare_emitter *emitter, pare_graph_kind kind);

/* Turns the text from place `from` on into a string literal with it. */
void pare_values_quote(pare_emitter *emitter, size_t from);

/* Appends the access to a property of what stands before it: .name, ["a b"], or [Symbol.name] for
 * "@@name". */
void pare_values_member(pare_emitter *emitter, const char *name);

/* Whether a property of the global object can be had by its name alone. */
bool pare_values_is_free_name(const char *name);

/* How many lines `values` of a parameter's edge has, if each is one literal of a primitive value
 * and nothing else; else 0: a file of somebody else's may hold anything. */
uint32_t pare_values_count_learned(const char *values);

/* One of the `n` lines, or something made of it. */
void pare_values_learned(pare_emitter *emitter, const char *values, uint32_t n);

#endif
