/* What the user sees while a campaign runs: a line for each event, and on a terminal a status line
 * below, redrawn in place.  Reads events and summaries only.  One thread. */
#ifndef PARE_UI_FUZZ_LOG_H
#define PARE_UI_FUZZ_LOG_H

#include <stdbool.h>
#include <stdio.h>

#include <pare/campaign.h>
#include <pare/findings.h>

#include "ui/format.h"

typedef enum pare_fuzz_log_mode {
    PARE_FUZZ_LOG_PLAIN, /* a line for each event, and one a minute on how it stands */
    PARE_FUZZ_LOG_LINE,  /* a line for each event, and the status line */
    PARE_FUZZ_LOG_QUIET  /* troubles only */
} pare_fuzz_log_mode;

typedef struct pare_fuzz_log {
    FILE *out; /* borrowed */
    pare_fuzz_log_mode mode;
    pare_paint paint;
    bool jobs;        /* events of jobs, too */
    unsigned columns; /* of the status line; 0: ask the terminal each time */
    bool on_screen;   /* the status line is being shown */
    double told_s;    /* PLAIN: when it was last said how it stands */
} pare_fuzz_log;

/* Shows one event. */
void pare_fuzz_log_event(pare_fuzz_log *log, const pare_store_event *event);

/* Shows how it stands. */
void pare_fuzz_log_summary(pare_fuzz_log *log, const pare_campaign_summary *summary);

/* Takes the status line away, so that something else can be printed. */
void pare_fuzz_log_erase(pare_fuzz_log *log);

/* Writes "12 s, 1,234 tests (98/s), 3 new findings, ..." to `text`; returns it. */
const char *pare_fuzz_log_describe(char *text, size_t capacity,
                                   const pare_campaign_summary *summary);

#endif
