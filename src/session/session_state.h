/* The state of a session; what its functions do with it is in session.h. */
#ifndef PARE_SESSION_SESSION_STATE_H
#define PARE_SESSION_SESSION_STATE_H

#include <pare/reduce.h>
#include <pare/result.h>

#include "base/digest.h"
#include "engine/engine.h"
#include "engine/journal.h"
#include "session/output/other_failures.h"
#include "session/output/output.h"
#include "session/test/session_oracle.h"
#include "text/layout.h"

typedef struct pare_session {
    const pare_reduce_options *options; /* borrowed */
    const pare_layout *layout;          /* borrowed; of several files; NULL: one */
    pare_digest measured;               /* candidate whose size this is: */
    pare_layout_size size;
    pare_output output;
    pare_session_oracle oracle;
    pare_journal *journal;      /* owned; NULL: none */
    pare_engine *engine;        /* owned */
    pare_other_failures others; /* owned */
    pare_stats stats;           /* owned until pare_session_result_finish hands it on */
    size_t passes_capacity, curve_capacity;
    pare_pass_stats *pass; /* the pass under way, in stats.passes; NULL: none */
    const char *phase;     /* its name, or "" */
    const char *one_name;  /* static; the name that all passes go by; NULL: each by its own */
    uint64_t start_ms;
    double start_cpu_s;
    uint64_t waiting_ms; /* on the clock: when the first run began; 0: it is not under way */
    unsigned n_waiting;  /* how often the user was told that it takes long */
    bool told_of_worker; /* the oracle's notice about it */
    bool is_resumed;     /* the journal has outcomes of an earlier run */
    uint64_t sideways;   /* failing candidates that were not smaller than what they were
                            compared with, so not kept */
    pare_engine_end end; /* with PARE_RUN_ENDED: why; else PARE_END_DONE */
    pare_status lost;    /* a statistic could not be kept: memory was out */
} pare_session;

#endif
