/* A prototype graph for a terminal: the whole in numbers, or one type with all that it has to do
 * with.  Names are written as graph_names.h says. */
#ifndef PARE_UI_GRAPH_TEXT_H
#define PARE_UI_GRAPH_TEXT_H

#include <pare/graph.h>

#include "ui/sheet.h"

enum { PARE_GRAPH_TEXT_MOST = 24 }; /* lines of a list that are shown; the rest is counted */

/* Adds the engine, what is counted, the constructors, the other members of the global object, and
 * the functions of which no signature was learned.  sheet->status says whether memory ran out. */
void pare_graph_text_summary(pare_sheet *sheet, const pare_graph *graph);

/* Adds the type's signatures, own and inherited members, how it is reached, and the signatures
 * that take it, return it or are called on it.  Members are all there; other lists are cut. */
void pare_graph_text_type(pare_sheet *sheet, const pare_graph *graph, uint32_t type);

#endif
