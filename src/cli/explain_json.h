/* An explanation as JSON: what `pare explain --json` prints and `pare generate --pattern` reads. */
#ifndef PARE_CLI_EXPLAIN_JSON_H
#define PARE_CLI_EXPLAIN_JSON_H

#include <stdint.h>
#include <stdio.h>

#include <pare/algorithm.h>
#include <pare/explain.h>

#include "base/fail.h"

/* Prints it to `out`; `trees` is what the text was read by, `tests` how many it took.
 * Errors: PARE_E_NOMEM.  That `out` does not take it is no error here: ferror(out) says so, which
 * pare_report_printed tells with its reason. */
PARE_CHECK pare_status pare_explain_json_print(const pare_explanation *explanation,
                                               const pare_tree_options *trees, uint64_t tests,
                                               FILE *out, pare_error *err);

#endif
