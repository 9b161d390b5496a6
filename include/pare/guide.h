/* Making texts of a population that grows by what they reach: The Fuzzing Book's MutationCoverageFuzzer,
 * and seed 002's exercise 1. */
#ifndef PARE_GUIDE_H
#define PARE_GUIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <pare/generate.h>
#include <pare/status.h>
#include <pare/stop.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a run of the program under test has shown. */
typedef struct pare_reached {
    const char *lines; /* what it has reached, one thing a line ("url.py:120", or any text); a
                          tabulator and a count at its end are left out.  Borrowed until the next call */
    size_t lines_bytes;
    bool passed; /* an input that fails joins nothing */
} pare_reached;

/* Runs the program under test on a text; *reached is all-zero before the call.  What it returns other
 * than PARE_OK ends the generation with that. */
typedef pare_status (*pare_guide_run)(void *context, const char *text, size_t size_bytes,
                                      pare_reached *reached, pare_error *err);

/* All-zero but for `generate` and one of `command` and `run` is the default; all is borrowed. */
typedef struct pare_guide_options {
    size_t struct_bytes;                   /* 0, or its sizeof; see <pare/pare.h>, "Versions" */
    const pare_generate_options *generate; /* with a population, for the fuzzer "mutation"; without
                                              `join`; its struct_bytes is its sizeof */
    const char *command; /* runs the program on the file that stands for "@@", or that is its last
                            argument, and prints the lines; passed: it exits with 0 */
    uint64_t timeout_ms; /* of a run of it; 0: 10 seconds.  What takes longer joins nothing */
    pare_guide_run run;  /* instead of a command */
    void *context;
    bool reduce_members; /* what joins is reduced first, while it passes and reaches the same */
    pare_generate_sink joined; /* is given what joins, by the number of its text; NULL: nobody is */
    void *joined_context;
    pare_stop *stop; /* NULL: nothing asks to stop */
} pare_guide_options;

/* What came of it. */
typedef struct pare_guided {
    pare_generated generated;
    uint64_t n_reached; /* different things, of all texts that pass */
    uint64_t n_members, members_bytes;
    uint64_t n_reduction_runs; /* of the program, beside one for each text */
} pare_guided;

PARE_API PARE_CHECK pare_status pare_guide_generate_sized(const pare_guide_options *options,
                                                          size_t options_bytes,
                                                          pare_generate_sink sink, void *context,
                                                          pare_guided *guided, pare_error *err);

/* Makes texts as pare_generate does, runs each, and has it join the population if it passes and the set of
 * things that it reaches is one that no text before has reached.  The same seed and the same
 * answers of the program make the same texts.  *guided is filled in any case.
 * Errors: those of pare_generate and of `run`; PARE_E_ARG (both or none of command and run),
 * PARE_E_IO (the command), PARE_E_INTERRUPTED, PARE_E_UNSUPPORTED (built without campaigns). */
static inline PARE_CHECK pare_status pare_guide_generate(const pare_guide_options *options,
                                                         pare_generate_sink sink, void *context,
                                                         pare_guided *guided, pare_error *err)
{
    return pare_guide_generate_sized(options, sizeof *options, sink, context, guided, err);
}

#ifdef __cplusplus
}
#endif

#endif
