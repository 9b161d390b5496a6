/* Asking a script engine what it offers, and watching what tests do with it.
 *
 * pare_graph_explore makes a graph (<pare/graph.h>) by a script that the engine itself runs: it
 * looks at every object that properties and prototypes lead to from the global object, and calls
 * nothing but getters.  pare_graph_learn adds what tests pass to the engine's functions and get
 * from them: their calls are watched while the engine runs the tests.
 * Source: Hodován and Kiss, "Fuzzing JavaScript engine APIs", iFM 2016; seed 001, section 1. */
#ifndef PARE_GRAPH_EXPLORE_H
#define PARE_GRAPH_EXPLORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <pare/graph.h>
#include <pare/status.h>
#include <pare/stop.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The engine.  Zero value of each member but the command: the default.  Texts are borrowed for the
 * call.  Each run has a private directory, in the sandbox that pare_reduce gives to programs. */
typedef struct pare_engine_options {
    const char *const *words; /* its command: "@@" is the script's path, "@@.EXT" that of a script
                                 whose name ends in .EXT; without either the script is its
                                 standard input */
    size_t n_words;
    uint64_t timeout_ms;      /* of one run; 0: 30 s */
    uint64_t memory_bytes;    /* of each process, private and writable; 0: no limit */
    const char *const *never; /* names of properties that are not looked at, not called, and not in
                                 the graph, besides those of pare_graph_never_at: "exit" in any
                                 object, "this.load" in the global one */
    size_t n_never;
    const pare_stop *stop; /* may be NULL */
    uint64_t reserved[8];  /* zero; room for later members */
} pare_engine_options;

/* The names that are never looked at: what ends, blocks or leaves the engine.  NULL: `i` is beyond
 * the last one. */
PARE_API const char *pare_graph_never_at(size_t i);

/* A place that the engine does not survive being looked at, and which the graph therefore lacks. */
typedef struct pare_graph_finding {
    char *path;     /* "this.a.b"; owned, as is: */
    char *script;   /* has the engine die again: the path alone, or else the script that explores */
    bool timed_out; /* it does not end in its time; else: */
    int signal;     /* that ends it; 0: it exits */
    int exit_code;
} pare_graph_finding;

typedef struct pare_graph_explore_options {
    size_t struct_bytes; /* 0, or its sizeof; see <pare/pare.h>, "Versions" */
    pare_engine_options engine;
    size_t max_types; /* objects looked at; 0: 50,000 */
} pare_graph_explore_options;

/* What came of it; ended by pare_graph_explored_done. */
typedef struct pare_graph_explored {
    pare_graph *graph;            /* owned */
    pare_graph_finding *findings; /* owned, as they were met */
    size_t n_findings;
    unsigned n_runs; /* of the engine */
    bool is_whole;   /* false: the engine never came to the end; the graph is what it printed */
} pare_graph_explored;

PARE_API void pare_graph_explored_done(pare_graph_explored *explored);

/* What follows, for those who cannot use this header, such as other languages: the size is that
 * of a struct of options whose struct_bytes is 0. */
PARE_API PARE_CHECK pare_status pare_graph_explore_sized(const pare_graph_explore_options *options,
                                                         size_t options_bytes,
                                                         pare_graph_explored *explored,
                                                         pare_error *err);

/* Explores the engine.  A step that kills it is found by bisection, in at most 20 runs or so, is
 * reported as a finding and skipped, at most 64 times; what the engine showed before is kept.
 * The same engine gives the same graph.  On PARE_OK the caller owns *explored, which has to be
 * all-zero before.
 * Errors: PARE_E_ARG (no command), PARE_E_IO (the engine does not start), PARE_E_STATE (it does
 * not run the script: the sentence says what it did instead), PARE_E_INTERRUPTED, PARE_E_NOMEM. */
static inline PARE_CHECK pare_status pare_graph_explore(const pare_graph_explore_options *options,
                                                        pare_graph_explored *explored,
                                                        pare_error *err)
{
    return pare_graph_explore_sized(options, sizeof *options, explored, err);
}

/* ---- learning ----------------------------------------------------------------------------- */

typedef struct pare_graph_learn_options {
    size_t struct_bytes; /* 0, or its sizeof; see <pare/pare.h>, "Versions" */
    pare_engine_options engine;
    const pare_graph *graph;  /* of the engine, or of another version of it; borrowed */
    const char *const *tests; /* paths of the tests, which are scripts; at least one */
    size_t n_tests;
} pare_graph_learn_options;

/* What one test taught. */
typedef struct pare_graph_lesson {
    const char *path;    /* the test; borrowed from the options */
    uint64_t n_calls;    /* of watched functions; 0 also when the test did not tell */
    size_t n_signatures; /* that were not known before */
    char *trouble;       /* why the test did not come to its end, or taught nothing: one sentence;
                            owned; NULL: it did */
} pare_graph_lesson;

/* What came of it; ended by pare_graph_learned_done. */
typedef struct pare_graph_learned {
    pare_graph *graph;          /* owned: with what was learned */
    pare_graph_lesson *lessons; /* owned; one for each test, in their order */
    size_t n_lessons;
    size_t n_signatures; /* new in the graph */
    bool is_other;       /* the engine's program is not the one that the graph was made from */
} pare_graph_learned;

PARE_API void pare_graph_learned_done(pare_graph_learned *learned);
PARE_API PARE_CHECK pare_status pare_graph_learn_sized(const pare_graph_learn_options *options,
                                                       size_t options_bytes,
                                                       pare_graph_learned *learned,
                                                       pare_error *err);

/* Has the engine run each test by itself, with watchers in the place of its functions and with stubs
 * for what test frameworks offer (describe, it, expect, assert and their like, all of which hold),
 * and adds to the graph with which types each function was called, on what, what it returned,
 * and which literals were passed (of each argument up to 16, of up to 80 bytes).  A call that throws
 * teaches too.  A test that throws, never ends or kills the engine is a lesson with trouble, and
 * what it taught before is kept.  The result does not depend on the order of the tests, and
 * learning from the same again changes nothing, as long as a test passes at most 128
 * literals as one argument.
 * On PARE_OK the caller owns *learned, which has to be all-zero before.
 * Errors: PARE_E_ARG (no command, no test), PARE_E_IO (the engine does not start, a test cannot be
 * read), PARE_E_INTERRUPTED, PARE_E_NOMEM. */
static inline PARE_CHECK pare_status pare_graph_learn(const pare_graph_learn_options *options,
                                                      pare_graph_learned *learned, pare_error *err)
{
    return pare_graph_learn_sized(options, sizeof *options, learned, err);
}

#ifdef __cplusplus
}
#endif

#endif
