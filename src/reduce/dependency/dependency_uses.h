/* From the uses of an outline to edges and clauses.  For dependency_rules.c alone. */
#ifndef PARE_REDUCE_DEPENDENCY_DEPENDENCY_USES_H
#define PARE_REDUCE_DEPENDENCY_DEPENDENCY_USES_H

#include "base/fail.h"
#include "reduce/dependency/dependency_maker.h"
#include "reduce/dependency/outline.h"

/* Adds what the use needs; once all facts of what is declared are made.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_dependency_uses_add(pare_dependency_maker *maker,
                                                const pare_outline_use *use);

#endif
