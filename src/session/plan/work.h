/* What the phases of one reduction share: the session, the plan, the file at hand. */
#ifndef PARE_SESSION_PLAN_WORK_H
#define PARE_SESSION_PLAN_WORK_H

#include <pare/algorithm.h>

#include "engine/tried_digests.h"
#include "reduce/passes/seams.h"
#include "reduce/ssa/ssa.h"
#include "reduce/syntax/front_end.h"
#include "reduce/table/table.h"
#include "reduce/tree/tree_algorithm.h"
#include "session/plan/plan.h"
#include "session/reducible_ranges.h"
#include "session/session.h"
#include "session/test/external_generator.h"
#include "session/test/flaky_rate.h"
#include "session/test/hang.h"

typedef struct pare_work {
    pare_session session;
    pare_plan plan;
    pare_list_knobs knobs;
    pare_tree_setup setup; /* of the tree algorithms; transformations as for the one at hand */
    pare_tree_texts texts; /* what the last tree's rules know of them */
    pare_reducible_ranges ranges;
    uint32_t file;            /* the entry whose content the phases reduce; 0 when it is all */
    struct pare_files *files; /* borrowed; NULL: there is one file */
    size_t file_bytes;        /* of that content */
    pare_table_dialect table; /* how `table_file` is written; format NONE: it is no table */
    uint32_t table_file;
    pare_ssa_dialect ssa; /* the same of instructions, where `ssa_found` */
    uint32_t ssa_file;
    bool ssa_known, ssa_found;
    bool table_known; /* it was looked at */
    pare_flaky flaky;
    pare_hang hang;
    pare_recording *recording;     /* borrowed; NULL: no choices were recorded */
    pare_front_end *front;         /* borrowed; NULL when no phase needs trees */
    pare_front_end_view tree_kind; /* of the tree that is made next */
    pare_seams seams;              /* of all files so far, as they were first seen by a pass */
    uint32_t seams_file;           /* the last of these, where `seams_known` */
    bool seams_known;
    bool again;         /* in a later round of the fixpoint */
    pare_effort effort; /* of the schedule */
    bool cut_short;     /* the effort has ended it */
    bool rough;         /* tokens are out of play in trees by a language */
    bool no_semantic;   /* libclang cannot be asked here */
    bool is_binary;     /* the file at hand is no text, as far as the schedule has seen */
    bool put_off;       /* a phase of the first round is still to be run */
    bool unreached;     /* an interpreter said of some piece that it is not executed */
    pare_tried_digests unreached_tried; /* such pieces as were offered; owned */
} pare_work;

#endif
