/* How types, members and signatures of a prototype graph are written, and found by what a person
 * writes.
 *
 *   Date.prototype                 the type with the path this.Date.prototype
 *   new Date                       any Date: the instance type with the path new (this.Date)
 *   number                         all values of a primitive kind
 *   setTime(number) -> number      a signature: parameters, then what is returned
 *   new Date(number | string, any x6) -> new Date
 *   concat(any) -> ?               nobody saw yet what it returns
 *   repeat(number) -> throws       each call that was seen threw
 *   @@iterator, "content-type"     members named by a symbol, and by what is no identifier
 *
 * All of it is added to a sheet, where names of the engine can be seen whatever they hold. */
#ifndef PARE_UI_GRAPH_NAMES_H
#define PARE_UI_GRAPH_NAMES_H

#include <pare/graph.h>

#include "ui/format.h"
#include "ui/sheet.h"

enum { PARE_GRAPH_NAMES_PARAMETERS = 12 }; /* of a signature; "..." stands for the others */

/* Type `type`; "?" for PARE_GRAPH_NONE. */
void pare_graph_names_type(pare_sheet *sheet, const pare_graph *graph, uint32_t type);

/* A member's name alone. */
void pare_graph_names_property(pare_sheet *sheet, const char *name);

/* A member of `owner` as an expression without "this.": "Date.now", "Array.prototype[Symbol.iterator]",
 * "process.env[\"a b\"]". */
void pare_graph_names_path(pare_sheet *sheet, const pare_graph *graph, uint32_t owner,
                           const char *name);

/* Signature `signature` of a member called `name`; NULL: of its function, named as a type. */
void pare_graph_names_signature(pare_sheet *sheet, const pare_graph *graph, uint32_t signature,
                                const char *name);

/* The first position from `position` on of which types are known; the number of parameters if
 * there is none. */
uint32_t pare_graph_names_next(const pare_graph *graph, uint32_t signature, uint32_t position);

/* The member that a PROPERTY edge stands for: "length: number", or one of the signatures of a
 * function: one that does what the function is there for, construct or not, before another; one
 * that was learned before one that was not; of a member called constructor the type.  *n_more is the number of the others. */
void pare_graph_names_member(pare_sheet *sheet, const pare_graph *graph,
                             const pare_graph_edge *property, uint32_t *n_more);

/* "undefined", ..., "object", "function" */
const char *pare_graph_names_kind(pare_graph_kind kind);

/* The same in words with the number: "1 object", "1,204 functions". */
const char *pare_graph_names_count(char text[static 2 * PARE_FORMAT_BYTES], uint32_t n,
                                   const char *one, const char *many);

/* The signature of a function that pare_graph_names_member writes; PARE_GRAPH_NONE if it has none.
 * *n is the number of all its signatures. */
uint32_t pare_graph_names_best(const pare_graph *graph, uint32_t type, uint32_t *n);

/* The type that `text` names, or PARE_GRAPH_NONE: a path or a name as above, or an expression that
 * leads from the global object to a type member by member, also inherited ones:
 * "this.Date.prototype.setTime", "Math['max']", "Array.prototype[Symbol.iterator]". */
uint32_t pare_graph_names_find(const pare_graph *graph, const char *text);

#endif
