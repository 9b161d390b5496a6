/* Trackers (GitHub, GitLab, Bugzilla): makes requests and reads answers.
 *
 * Knows the REST interfaces and opens no connection (tracker_send.h does): the same request is sent,
 * or written as a file of JSON with a script that has curl send it.  Any thread. */
#ifndef PARE_CAMPAIGN_TRACKER_H
#define PARE_CAMPAIGN_TRACKER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buffer.h"

typedef enum pare_tracker_kind {
    PARE_TRACKER_GITHUB,
    PARE_TRACKER_GITLAB,
    PARE_TRACKER_BUGZILLA,
    PARE_TRACKER_N_KINDS
} pare_tracker_kind;

/* "github", ...; static. */
const char *pare_tracker_name(pare_tracker_kind kind);
bool pare_tracker_find(const char *name, pare_tracker_kind *kind);

/* Where issues are made; texts are borrowed, "" is none. */
typedef struct pare_tracker {
    pare_tracker_kind kind;
    const char *url;                 /* "": the public one; Bugzilla has none */
    const char *project;             /* OWNER/NAME on GitHub, number or path on GitLab */
    const char *product, *component; /* of Bugzilla */
    const char *version;             /* of the product; "": "unspecified" */
    const char *labels;              /* separated by commas; Bugzilla: keywords */
} pare_tracker;

/* Says what is missing, or cannot be.  Errors: PARE_E_ARG. */
PARE_CHECK pare_status pare_tracker_check(const pare_tracker *tracker, pare_error *err);

/* The variable that holds the token where none is named; static. */
const char *pare_tracker_token_variable(pare_tracker_kind kind);

/* Bytes of a body that the tracker takes, with some left for what is around it. */
size_t pare_tracker_most_body(pare_tracker_kind kind);

/* An issue to be. */
typedef struct pare_tracker_issue {
    const char *title; /* one line of UTF-8 */
    const char *body;  /* Markdown, for Bugzilla a plain text; holds `mark` */
    const char *mark;  /* what the issue is found by: "pare-finding: DIGEST" */
} pare_tracker_issue;

/* All-zero is empty. */
typedef struct pare_tracker_request {
    const char *method;    /* static */
    const char *accept;    /* of the answer; static */
    const char *header;    /* name of the header with the token, and what comes before it; static */
    pare_buffer url, body; /* the body may be empty */
} pare_tracker_request;

void pare_tracker_request_done(pare_tracker_request *request);

/* The request that makes the issue.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_tracker_create(const pare_tracker *tracker,
                                           const pare_tracker_issue *issue,
                                           pare_tracker_request *request, pare_error *err);

/* The ways to look whether the tracker has it, in their order: by the mark in the search's index;
 * by the mark among the newest issues, which an index learns of late; by the title. */
typedef enum pare_tracker_look {
    PARE_LOOK_MARK,
    PARE_LOOK_NEWEST,
    PARE_LOOK_TITLE,
    PARE_LOOK_N
} pare_tracker_look;
PARE_CHECK pare_status pare_tracker_search(const pare_tracker *tracker, pare_tracker_look look,
                                           const pare_tracker_issue *issue,
                                           pare_tracker_request *request, pare_error *err);

/* What came back. */
typedef struct pare_tracker_answer {
    long code; /* of HTTP */
    pare_buffer bytes;
} pare_tracker_answer;

/* Appends the address of the issue that was made.  Errors: PARE_E_STATE (the tracker says that it
 * exists), PARE_E_IO (it refused, or its answer makes no sense: one sentence with what it said). */
PARE_CHECK pare_status pare_tracker_read_created(const pare_tracker *tracker,
                                                 const pare_tracker_answer *answer,
                                                 pare_buffer *url, pare_error *err);

typedef enum pare_tracker_match {
    PARE_MATCH_NONE,
    PARE_MATCH_TITLE, /* an issue of the same title: seems to be it */
    PARE_MATCH_MARK   /* an issue with the mark: it is */
} pare_tracker_match;

/* What a search has found; all-zero before it.  The caller ends `url`. */
typedef struct pare_tracker_found {
    pare_tracker_match match;
    pare_buffer url; /* of the issue; empty if there is none */
} pare_tracker_found;

/* Whether the answer to a search holds the issue.  Errors: PARE_E_IO. */
PARE_CHECK pare_status pare_tracker_read_found(const pare_tracker *tracker, pare_tracker_look look,
                                               const pare_tracker_issue *issue,
                                               const pare_tracker_answer *answer,
                                               pare_tracker_found *found, pare_error *err);

/* Where the token comes from; one of the two, the other is NULL. */
typedef struct pare_tracker_token_place {
    const char *variable, *file;
} pare_tracker_token_place;

/* Appends a script for /bin/sh that has curl send the request, whose body is in the file
 * `body_name` beside the script.  The token is not in it, nor in curl's arguments. */
PARE_CHECK pare_status pare_tracker_script(const pare_tracker_request *request,
                                           const pare_tracker_token_place *place,
                                           const char *body_name, pare_buffer *out,
                                           pare_error *err);

#endif
