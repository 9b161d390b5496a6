/* A reduction on a terminal, with keys: what is shown, and what keys do.
 *
 * Three parts.  The state below takes events and keys and knows no terminal (reduce_view.c); it is
 * drawn into a grid of cells (reduce_view_draw.c); and a thread of its own shows that on the
 * terminal (reduce_view_thread.c), so that it answers while the reduction computes.  Data goes one
 * way: events come in from the reduction, requests go out to it through its pare_stop. */
#ifndef PARE_UI_REDUCE_VIEW_H
#define PARE_UI_REDUCE_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <pare/events.h>
#include <pare/highlight.h>
#include <pare/history.h>
#include <pare/stop.h>

#include "base/buffer.h"
#include "base/fail.h"
#include "ui/format.h"
#include "ui/grid.h"

enum {
    PARE_VIEW_NAME_BYTES = 64,
    PARE_VIEW_LINE_BYTES = 512,
    PARE_VIEW_SLOTS = 64,  /* that are shown */
    PARE_VIEW_OTHERS = 32, /* other failures that are shown */
    PARE_VIEW_CUTS = 64,   /* places of the last change that are marked */
    PARE_VIEW_PRINTED_BYTES = 4200,
    PARE_VIEW_STEP_BYTES = 1 << 16,  /* largest best of which steps are kept */
    PARE_VIEW_COLOR_BYTES = 1 << 18, /* largest text that is highlighted: 50 ms to parse it */
    PARE_VIEW_BEST_BYTES = 1 << 20   /* of the best that can be looked at */
};

/* What one phase has come to, over all its runs. */
typedef struct pare_view_phase {
    char name[PARE_VIEW_NAME_BYTES];
    uint64_t tests, removed; /* removed: bytes */
    unsigned runs;
} pare_view_phase;

typedef struct pare_view_gain {
    uint64_t tests;
    double seconds;
    size_t bytes;
} pare_view_gain;

typedef struct pare_view_other {
    char signature[PARE_VIEW_LINE_BYTES / 2];
    uint64_t tests;
    size_t least_bytes;
} pare_view_other;

/* Where the best has changed since the one before: `gone` bytes went before byte `at`, and `fresh`
 * bytes from there on are new. */
typedef struct pare_view_cut {
    size_t at, gone, fresh;
} pare_view_cut;

/* How one best followed another: at `at`, `gone` bytes gave way to `fresh` others. */
typedef struct pare_view_step {
    size_t at, gone, fresh;
    size_t from; /* where the bytes that went are kept */
} pare_view_step;

typedef struct pare_view_slot {
    bool is_busy;
    pare_slot_event test;
} pare_view_slot;

typedef enum pare_view_page {
    PARE_VIEW_MAIN,
    PARE_VIEW_HELP,
    PARE_VIEW_LIST,
    PARE_VIEW_PRINTED /* what a test printed */
} pare_view_page;

/* What a key asks of the reduction, or of who shows the view. */
typedef enum pare_view_wish {
    PARE_VIEW_NOTHING,
    PARE_VIEW_SKIP,
    PARE_VIEW_PAUSE,
    PARE_VIEW_GO_ON,
    PARE_VIEW_FINISH, /* keep what there is, and end */
    PARE_VIEW_RETURN, /* to the step that is looked at, and on from there */
    PARE_VIEW_PAGER,  /* the best in $PAGER */
    PARE_VIEW_OUTPUT, /* what the next test prints */
    PARE_VIEW_CLOSE   /* back to the line */
} pare_view_wish;

/* All-zero but for the first four is its beginning, or with `is_reading`. */
typedef struct pare_reduce_view {
    const char *name;         /* borrowed; what is reduced */
    const char *history_path; /* borrowed; where the history is that the user steps through; NULL:
                                 there is none, and the last bests are remembered in `steps` */
    const char *language;     /* borrowed; by which the text is highlighted; NULL: it is not */
    pare_charset charset;

    char phase[PARE_VIEW_NAME_BYTES], next_phase[PARE_VIEW_NAME_BYTES];
    char keeping[PARE_VIEW_LINE_BYTES], notice[PARE_VIEW_LINE_BYTES];
    bool is_reading;   /* the input is read: there are no figures yet but */
    size_t read_bytes; /* this much of input_bytes */
    size_t input_bytes, best_bytes;
    uint64_t tests, tests_left;
    double seconds;
    double waited_s;       /* since the last event, of which all else is; set by who draws it */
    double notice_s;       /* when the notice came, */
    uint64_t notice_tests; /* and after how many tests */
    unsigned jobs, slots_busy;
    unsigned machines, machine_slots;          /* as in pare_event */
    pare_view_phase *phases;                   /* owned; in the order in which they first ran */
    size_t n_phases, phases_capacity, current; /* current: n_phases for none */
    uint64_t phase_tests;                      /* and bytes, where its tests were counted last */
    size_t phase_bytes;
    pare_view_gain *gains; /* owned; the first is the input */
    size_t n_gains, gains_capacity;
    pare_view_other others[PARE_VIEW_OTHERS];
    size_t n_others;
    pare_view_slot slots[PARE_VIEW_SLOTS];
    bool ended;

    pare_buffer best, before;           /* as much of them as is looked at */
    size_t best_size;                   /* of all of the best */
    bool is_best_old;                   /* there is a newer one */
    bool is_compared;                   /* `cuts` are of these two: */
    pare_view_cut cuts[PARE_VIEW_CUTS]; /* ascending; of the text that is shown */
    size_t n_cuts;
    pare_highlighter *highlighter; /* owned; of `language`, once a text was shown */
    unsigned char *colors;         /* owned; a pare_highlight for each byte of the text that is
                                      shown; NULL: it is not highlighted */
    pare_view_step *steps;         /* owned; of bests that were looked at, the latest last */
    size_t n_steps, steps_capacity;
    pare_buffer gone;      /* what went with them */
    size_t back;           /* how many steps back the user looks; 0: at the best */
    pare_history *history; /* owned; as it was when it was read last; NULL: he looks at the best */
    size_t step;           /* of the history, that he looks at, or did last */
    pare_buffer shown, shown_before; /* the best that he looks at then, and the one before it; */
    size_t shown_size;               /* and the size of all of the first */

    char printed[PARE_VIEW_PRINTED_BYTES]; /* by the test that was asked for last */

    pare_view_page page;
    size_t first;     /* line of the text at the top, where it was chosen: */
    bool is_scrolled; /* else the last change is shown */
    unsigned rows;    /* of the text, that fit; set by the drawing */
    bool is_paused, is_finishing, is_skipping;
    char message[PARE_VIEW_LINE_BYTES]; /* what came of the last key */
} pare_reduce_view;

void pare_reduce_view_done(pare_reduce_view *view);

/* Takes over what the event says; not the best.  Cheap: it is called for each test.
 * Errors: PARE_E_NOMEM; figures are missing then. */
PARE_CHECK pare_status pare_reduce_view_note(pare_reduce_view *view, const pare_event *event,
                                             pare_error *err);

/* Looks at the slots and the best, of which it finds what has changed since it looked last.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_reduce_view_look(pare_reduce_view *view, const pare_event *event,
                                             pare_error *err);

/* Finds what has changed in the text that is shown, and highlights it: sets `cuts` and `colors`,
 * once for each text. */
void pare_reduce_view_compare(pare_reduce_view *view);

/* The text that is shown: the best, or an earlier one. */
const pare_buffer *pare_reduce_view_text(const pare_reduce_view *view);

/* Does what the key asks for, as far as it is about the view. */
pare_view_wish pare_reduce_view_key(pare_reduce_view *view, int key);

/* Seconds since the start: the last event's, and what has gone by since it. */
double pare_reduce_view_now(const pare_reduce_view *view);

/* Whether the notice is news: for some seconds and some tests, and then what the run earns is. */
bool pare_reduce_view_is_noticed(const pare_reduce_view *view);

/* How many bytes the last `tests` tests have removed. */
size_t pare_reduce_view_earned(const pare_reduce_view *view, uint64_t tests);

/* ---- lines (reduce_view_draw.c) ------------------------------------------------------------ */

/* Draws it into all of the grid.  Any size will do; 60 columns and 10 lines show all that matters. */
void pare_reduce_view_draw(pare_reduce_view *view, pare_grid *grid);

/* ---- the terminal (reduce_view_thread.c) ----------------------------------------------------- */

typedef struct pare_reduce_view_thread pare_reduce_view_thread;

typedef struct pare_reduce_view_thread_options {
    const char *name;         /* what is reduced; borrowed, as all here */
    const char *output_path;  /* where the best is, for $PAGER; NULL: nowhere, or in a folder */
    const char *history_path; /* as in pare_reduce_view */
    const char *language;     /* likewise */
    pare_stop *stop;          /* of the reduction */
    bool is_open;             /* begin with the view, and not with the line */
    /* Shows an event outside the view; called while the view is closed, and for what must not be
     * missed when it closes. */
    pare_watcher line;
    pare_watcher erase; /* takes the line away; its event is NULL */
    void *context;
} pare_reduce_view_thread_options;

/* Begins to listen to the keys of the terminal that is standard input and output.  On PARE_OK the
 * caller owns *out.  Errors: PARE_E_STATE (there is no terminal, or it belongs to another job),
 * PARE_E_IO, PARE_E_NOMEM. */
PARE_CHECK pare_status pare_reduce_view_thread_new(const pare_reduce_view_thread_options *options,
                                                   pare_reduce_view_thread **out, pare_error *err);

/* Ends it, and puts the terminal back; notices that only the view has shown are shown as lines.
 * NULL is a no-op. */
void pare_reduce_view_thread_free(pare_reduce_view_thread *view);

/* Takes an event, in the place of the line. */
void pare_reduce_view_thread_watch(pare_reduce_view_thread *view, const pare_event *event);

#endif
