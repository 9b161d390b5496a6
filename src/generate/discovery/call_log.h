/* What the script that watches a test printed (learn.js), as lists.
 *
 * As with probe_output.h, any bytes can be read: lines that make no sense, or name a function or
 * type that the graph does not have, are ignored.  One thread; immutable once read. */
#ifndef PARE_GENERATE_DISCOVERY_CALL_LOG_H
#define PARE_GENERATE_DISCOVERY_CALL_LOG_H

#include <stdbool.h>
#include <stdint.h>

#include <pare/graph.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "generate/discovery/probe_fields.h"

enum { PARE_CALL_LOG_PARAMETERS = 16, PARE_CALL_LOG_VALUE_BYTES = 80 };

/* One way in which a function was called.  Types that are objects or prototypes are numbers of
 * types of the graph. */
typedef struct pare_call_signature {
    uint32_t function; /* type of the graph */
    bool is_constructor;
    pare_probe_type receiver; /* '-' when it does not say anything */
    uint32_t n_params;
    pare_probe_type params[PARE_CALL_LOG_PARAMETERS];
} pare_call_signature;

/* A type that a call with a signature returned. */
typedef struct pare_call_return {
    uint32_t signature;
    pare_probe_type type;
} pare_call_return;

/* A literal that was passed to one. */
typedef struct pare_call_value {
    uint32_t signature, position;
    const char *text; /* in the arena */
} pare_call_value;

typedef struct pare_call_log {
    pare_arena arena;
    bool has_begun, has_ended; /* the test has; some of it may go on in callbacks */
    bool is_late;              /* the script ended the test for its time */
    const char *threw;         /* what the test itself threw; NULL: nothing */
    uint64_t n_calls;          /* as far as the test told */
    pare_call_signature *signatures;
    pare_call_return *returns;
    pare_call_value *values;
    size_t n_signatures, n_returns, n_values;
    size_t signatures_capacity, returns_capacity, values_capacity;
} pare_call_log;

/* Reads `printed` by an engine of which `graph` is the graph.  *log has to be all-zero; the caller
 * ends it with done in any case.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_call_log_read(pare_call_log *log, const pare_buffer *printed,
                                          const pare_graph *graph, pare_error *err);
void pare_call_log_done(pare_call_log *log); /* all-zero is a no-op */

/* Whether all numbers are of something; O(n).  For assertions and tests. */
bool pare_call_log_check(const pare_call_log *log, const pare_graph *graph);

#endif
