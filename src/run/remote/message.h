/* The messages between a coordinator and its workers, as bytes, and how they are read.
 *
 * Each begins with the version of the protocol and its kind.  All data from the network is read by
 * the functions below and no others: a message that is truncated or impossible is_bad, reads as
 * zeros from then on, and is dropped.  Any thread. */
#ifndef PARE_RUN_REMOTE_MESSAGE_H
#define PARE_RUN_REMOTE_MESSAGE_H

#include <stdbool.h>
#include <stdint.h>

#include <pare/outcome.h>

#include "base/buffer.h"
#include "base/digest.h"
#include "run/oracle.h"
#include "text/text.h"

enum {
    PARE_MESSAGE_VERSION = 6,
    PARE_MESSAGE_MOST_RUNS = 16, /* of a worker at once */
    PARE_MESSAGE_TEXT_BYTES = 4096,
    PARE_MESSAGE_NAME_BYTES = 128,
    PARE_MESSAGE_OUTPUT_BYTES = 4200
};

/* ---- reading ---------------------------------------------------------------------------- */

typedef struct pare_message {
    const unsigned char *bytes; /* borrowed */
    size_t size, at;
    bool is_bad;
} pare_message;

static inline pare_message pare_message_of(const void *bytes, size_t size)
{
    return (pare_message){.bytes = bytes, .size = size};
}

uint64_t pare_message_number(pare_message *message);
/* The next `size` bytes; NULL: there are not so many. */
const unsigned char *pare_message_bytes(pare_message *message, size_t size);
pare_digest pare_message_digest(pare_message *message);
/* A length and so many bytes; empty where it is bad. */
pare_span pare_message_span(pare_message *message);
/* The same as a text: cut to `size` - 1 bytes, NUL-terminated; what no terminal should get is '?'. */
void pare_message_text(pare_message *message, char *text, size_t size);

/* ---- writing: all append; errors: PARE_E_NOMEM ------------------------------------------- */

PARE_CHECK pare_status pare_message_add_number(pare_buffer *to, uint64_t number, pare_error *err);
PARE_CHECK pare_status pare_message_add_digest(pare_buffer *to, pare_digest digest,
                                               pare_error *err);
PARE_CHECK pare_status pare_message_add_span(pare_buffer *to, const void *bytes, size_t size,
                                             pare_error *err);
PARE_CHECK pare_status pare_message_add_text(pare_buffer *to, const char *text, pare_error *err);

/* ---- kinds -------------------------------------------------------------------------------- */

typedef enum pare_message_kind {
    PARE_MESSAGE_CALL = 1, /* a run looks for workers; said again each second */
    PARE_MESSAGE_CANCEL,   /* a job of a run is not wanted any more */
    PARE_MESSAGE_END,      /* a run is over */
    PARE_MESSAGE_ASK,      /* who is there? */
    PARE_MESSAGE_HELLO,    /* a worker and what it does; said again each second */
    PARE_MESSAGE_JOB,
    PARE_MESSAGE_RESULT,
    PARE_MESSAGE_NEED,   /* a text that a worker could not get */
    PARE_MESSAGE_DISMISS /* a run does not want a worker any more (its number stands for a job's) */
} pare_message_kind;

/* The kind of a message, whose reader then stands behind it.  0: it is of another version, which is
 * in *version, or damaged (*version 0). */
pare_message_kind pare_message_open(pare_message *message, unsigned *version);
PARE_CHECK pare_status pare_message_start(pare_buffer *to, pare_message_kind kind, pare_error *err);

/* CALL, CANCEL (with a job), DISMISS (with a worker), END, and ASK (of no run). */
typedef struct pare_message_call {
    uint64_t run, job;
    char inbox[PARE_MESSAGE_NAME_BYTES]; /* for answers */
    pare_digest test;                    /* the text that describes it */
    pare_digest input;
} pare_message_call;

PARE_CHECK pare_status pare_message_write_call(pare_buffer *to, pare_message_kind kind,
                                               const pare_message_call *call, pare_error *err);
bool pare_message_read_call(pare_message *message, pare_message_call *call);

typedef enum pare_worker_state {
    PARE_WORKER_IDLE,
    PARE_WORKER_PREPARING, /* gets the test, and runs it on the input */
    PARE_WORKER_READY,
    PARE_WORKER_REFUSED, /* cannot run these tests; `why` */
    PARE_WORKER_BUSY,    /* works for as many other runs as it can */
    PARE_WORKER_GONE,
    PARE_WORKER_N_STATES
} pare_worker_state;

/* What a worker does for one of its runs. */
typedef struct pare_message_run {
    uint64_t run;
    pare_worker_state state;
    unsigned n_slots, n_running; /* of its share now */
    uint64_t n_tests;
} pare_message_run;

/* Said to a run it is of that alone: the slots that it may use now.  As the answer to ASK it is of the
 * worker as a whole, with its runs. */
typedef struct pare_message_hello {
    uint64_t run; /* it works for; 0: none */
    uint64_t id;  /* of the worker, drawn at its start */
    pare_worker_state state;
    unsigned n_slots, n_running;
    uint64_t n_tests;    /* so far */
    uint64_t n_doubtful; /* REFUSED: outcomes that were sent since the input last failed there */
    char name[PARE_MESSAGE_NAME_BYTES];
    char machine[PARE_MESSAGE_NAME_BYTES]; /* processor, kernel, version of pare */
    char why[512]; /* REFUSED: why; READY: what differs there, so that outcomes are not shared */
    unsigned n_runs;
    pare_message_run runs[PARE_MESSAGE_MOST_RUNS];
} pare_message_hello;

PARE_CHECK pare_status pare_message_write_hello(pare_buffer *to, const pare_message_hello *hello,
                                                pare_error *err);
bool pare_message_read_hello(pare_message *message, pare_message_hello *hello);

/* A candidate to test. */
typedef struct pare_message_job {
    uint64_t number;
    pare_digest base, candidate;
    size_t size;     /* bytes of the candidate */
    pare_span edits; /* borrowed */
} pare_message_job;

PARE_CHECK pare_status pare_message_write_job(pare_buffer *to, const pare_message_job *job,
                                              pare_error *err);
bool pare_message_read_job(pare_message *message, pare_message_job *job);

typedef struct pare_message_result {
    uint64_t job, worker;
    pare_outcome outcome;
    uint64_t start_us, duration_us; /* that starting it took, and the test */
    int exit_code, signal;
    bool timed_out;
    unsigned harm, n_left;
    bool has_signature, has_why, has_output;
    char signature[PARE_MESSAGE_TEXT_BYTES], why[PARE_MESSAGE_TEXT_BYTES];
    char output[PARE_MESSAGE_OUTPUT_BYTES];        /* as it was printed, but for NUL */
    char acknowledge[PARE_MESSAGE_NAME_BYTES * 2]; /* where the server hears that it is done */
} pare_message_result;

PARE_CHECK pare_status pare_message_write_result(pare_buffer *to, const pare_message_result *result,
                                                 pare_error *err);
bool pare_message_read_result(pare_message *message, pare_message_result *result);

/* What a result says of its test; the texts are borrowed from it. */
void pare_message_set_verdict(pare_message_result *result, const pare_verdict *verdict);
pare_verdict pare_message_verdict(const pare_message_result *result);

/* Of a test that looks for any failure: whether it is known which one the result shows, if it shows one.  Its
 * signature alone says it. */
bool pare_message_is_understood(const pare_message_result *result);

/* Whether `name` may be that of a file in a worker's folder: one part, neither "." nor "..", no
 * control characters, at most 255 bytes. */
bool pare_message_is_file_name(const char *name);

#endif
