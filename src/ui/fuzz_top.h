/* `pare fuzz top`: a campaign's store on a terminal, with keys.
 *
 * Three lists (findings, jobs, sources), one finding at a time, and one line to type into.  What is
 * shown is read from the store anew whenever that has changed; what a key asks for is put into the
 * store as `pare fuzz reduce` and its like do, and nothing is run here.  The state below knows no
 * terminal: keys go in (fuzz_top.c), lines come out (fuzz_top_screen.c), which fuzz_top_terminal.c
 * shows (ui/grid.h).  One thread. */
#ifndef PARE_UI_FUZZ_TOP_H
#define PARE_UI_FUZZ_TOP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <pare/findings.h>
#include <pare/stop.h>

#include "base/buffer.h"
#include "base/fail.h"
#include "ui/grid.h"
#include "ui/sheet.h"

enum { PARE_FUZZ_TOP_MESSAGE_BYTES = 256, PARE_FUZZ_TOP_LEAST_ROWS = 8 };

typedef enum pare_fuzz_top_panel {
    PARE_FUZZ_TOP_FINDINGS,
    PARE_FUZZ_TOP_JOBS,
    PARE_FUZZ_TOP_SOURCES,
    PARE_FUZZ_TOP_N_PANELS
} pare_fuzz_top_panel;

typedef enum pare_fuzz_top_mode {
    PARE_FUZZ_TOP_LIST,
    PARE_FUZZ_TOP_VIEW, /* one finding */
    PARE_FUZZ_TOP_HELP
} pare_fuzz_top_mode;

/* What the line at the bottom is typed for. */
typedef enum pare_fuzz_top_prompt {
    PARE_FUZZ_TOP_NO_PROMPT,
    PARE_FUZZ_TOP_FILTER,
    PARE_FUZZ_TOP_MARK,
    PARE_FUZZ_TOP_REPORT,
    PARE_FUZZ_TOP_NOTE
} pare_fuzz_top_prompt;

/* A row of a list: its line, and what it stands for. */
typedef struct pare_fuzz_top_row {
    size_t from, size; /* of its text, in the list's */
    int64_t id;        /* of the finding or job; sources: number of the row */
    pare_style style;
} pare_fuzz_top_row;

typedef struct pare_fuzz_top_list {
    pare_sheet text;
    pare_fuzz_top_row *rows; /* owned */
    size_t n, capacity;
    size_t first;   /* row at the top */
    int64_t chosen; /* id of the row under the cursor; 0: the first */
} pare_fuzz_top_list;

/* All-zero but for `store` is its beginning. */
typedef struct pare_fuzz_top {
    pare_store *store; /* borrowed */
    pare_fuzz_top_panel panel;
    pare_fuzz_top_mode mode;
    pare_fuzz_top_prompt prompt;
    pare_buffer typed;  /* into the prompt */
    pare_buffer search; /* the filter in force */
    pare_finding_order order;
    bool ascending, all_jobs, paused;
    pare_fuzz_top_list lists[PARE_FUZZ_TOP_N_PANELS];
    pare_sheet page; /* the finding, or the help */
    size_t page_first;
    int64_t viewed;
    char message[PARE_FUZZ_TOP_MESSAGE_BYTES]; /* what came of the last key */
    unsigned rows;                             /* of a list or page, that fit; set by the drawing */
    bool running;                              /* a coordinator runs */
    uint64_t n_findings, tests, failures, edges;
    unsigned n_workers, n_worker_slots; /* on other machines, at jobs of it now */
    double tests_per_s;
} pare_fuzz_top;

void pare_fuzz_top_done(pare_fuzz_top *top);

/* Reads anew what is shown.  Errors: those of the store, PARE_E_NOMEM. */
PARE_CHECK pare_status pare_fuzz_top_read(pare_fuzz_top *top, pare_error *err);

/* Does what the key asks for; *quit: it is the end.  What the store refuses is told in `message`.
 * Errors: PARE_E_NOMEM, and of the store what is not about this one request (PARE_E_CORRUPT, PARE_E_IO).
 */
PARE_CHECK pare_status pare_fuzz_top_key(pare_fuzz_top *top, int key, bool *quit, pare_error *err);

/* ---- lines (fuzz_top_screen.c) ---- */

/* A line of the screen; cut at `columns` characters by who takes it. */
typedef struct pare_fuzz_top_line {
    const char *text;
    size_t size;
    pare_style style;
    bool is_chosen;
} pare_fuzz_top_line;
typedef void (*pare_fuzz_top_take)(void *context, unsigned row, const pare_fuzz_top_line *line);

/* Hands out all `rows` lines of the screen, at least PARE_FUZZ_TOP_LEAST_ROWS. */
void pare_fuzz_top_screen_draw(pare_fuzz_top *top, unsigned rows, unsigned columns,
                               pare_fuzz_top_take take, void *context);

/* The bytes of `text` that are its first `columns` characters. */
size_t pare_fuzz_top_screen_cut(const char *text, size_t size, unsigned columns);

/* ---- the terminal (fuzz_top_terminal.c) ---- */

/* Shows it until 'q' or a stop.  Errors: PARE_E_UNSUPPORTED (built without ncursesw), PARE_E_STATE
 * (standard input or output is no terminal), PARE_E_IO, and those of the store. */
PARE_CHECK pare_status pare_fuzz_top_terminal_run(pare_store *store, const char *store_path,
                                                  const pare_stop *stop, pare_error *err);

#endif
