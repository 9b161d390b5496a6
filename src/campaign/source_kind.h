/* What a kind of source is made of: for source.c and the files of the kinds.
 *
 * A kind opens a struct of its own that begins with a pare_source, and emits inputs from its `run`.
 * One thread. */
#ifndef PARE_CAMPAIGN_SOURCE_KIND_H
#define PARE_CAMPAIGN_SOURCE_KIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/fail.h"
#include "campaign/source.h"

typedef struct pare_source_ops {
    /* As pare_source_run; `position` is not NULL. */
    pare_status (*run)(pare_source *source, const char *position, bool *dry, pare_error *err);

    /* May be NULL.  An input has joined the population of the target, whoever made it; it is copied
     * where it is needed.  Errors: PARE_E_NOMEM, PARE_E_IO. */
    pare_status (*join)(pare_source *source, const void *bytes, size_t size, pare_error *err);

    /* May be NULL, as pare_source_feedback. */
    void (*feedback)(pare_source *source, const void *bytes, size_t size, bool failed,
                     uint64_t new_edges);

    /* May be NULL.  Tests that it has run itself, besides those that it emitted. */
    uint64_t (*own_tests)(pare_source *source);

    void (*close)(pare_source *source); /* also of one that was opened in part */
    bool begins_anew;                   /* as pare_source_begins_anew */
} pare_source_ops;

/* The head of every kind. */
struct pare_source {
    const pare_source_ops *ops;
    pare_source_options options;
    const char *name; /* of its section; borrowed */
    pare_source_sink sink;
    void *context;       /* the sink's */
    uint64_t since_ns;   /* on the clock: when making the next input began; 0: not running */
    uint64_t making_ns;  /* spent, not told yet */
    uint64_t told_tests; /* of own_tests */
};

/* Hands an input on.  Returns what the sink does; PARE_E_INTERRUPTED when a stop is requested. */
PARE_CHECK pare_status pare_source_emit(pare_source *source, const void *bytes, size_t size,
                                        const char *position, pare_error *err);

/* To be called at least each second while there is no input.  Likewise. */
PARE_CHECK pare_status pare_source_idle(pare_source *source, pare_error *err);

/* Opens a source of one kind; `out` is set only on success. */
typedef pare_status (*pare_source_opener)(const pare_source_options *options, pare_source **out,
                                          pare_error *err);

/* grammar, lang, population, model, graph, random, mutation, choice */
PARE_CHECK pare_status pare_source_generate_open(const pare_source_options *options,
                                                 pare_source **out, pare_error *err);
PARE_CHECK pare_status pare_source_folder_open(const pare_source_options *options,
                                               pare_source **out, pare_error *err);
/* command, prints */
PARE_CHECK pare_status pare_source_command_open(const pare_source_options *options,
                                                pare_source **out, pare_error *err);
PARE_CHECK pare_status pare_source_recorded_open(const pare_source_options *options,
                                                 pare_source **out, pare_error *err);
PARE_CHECK pare_status pare_source_afl_open(const pare_source_options *options, pare_source **out,
                                            pare_error *err);
PARE_CHECK pare_status pare_source_libfuzzer_open(const pare_source_options *options,
                                                  pare_source **out, pare_error *err);

#endif
