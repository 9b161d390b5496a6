/* Inside the analysis: which rules can begin with themselves. */
#ifndef PARE_GRAMMAR_LEFT_RECURSION_H
#define PARE_GRAMMAR_LEFT_RECURSION_H

#include "grammar/analysis.h"

/* Fills analysis->left_recursion; nullability must be known.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_left_recursion_find(pare_analysis *analysis, pare_error *err);

#endif
