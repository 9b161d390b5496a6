/* From the words on the command line to the options of the library. */
#ifndef PARE_CLI_SETTINGS_H
#define PARE_CLI_SETTINGS_H

#include <stdbool.h>

#include <pare/keep.h>
#include <pare/reduce.h>
#include <pare/test.h>

#include "base/buffer.h"
#include "cli/options.h"
#include "ui/format.h"

typedef enum pare_verbosity { PARE_NORMAL, PARE_QUIET, PARE_VERBOSE } pare_verbosity;

/* All-zero before pare_settings_read.  Texts are borrowed from argv unless
 * said otherwise. */
typedef struct pare_settings {
    pare_reduce_options reduce; /* input, test, output, journal and knobs are set */
    const char *trace_path, *stats_path, *report_path; /* NULL: none */
    const char *candidates_dir;                        /* NULL: none is kept */
    bool has_trace_texts;
    char *const *words; /* the command line after the command's name; n_words of them */
    size_t n_words;
    pare_verbosity verbosity;
    pare_color_choice color;
    bool view;                   /* begin with the view on the whole terminal */
    bool in_place;               /* set before the inputs are read */
    bool can_replace;            /* the command has --in-place */
    bool is_standard_input;      /* INPUT is "-" */
    bool is_words_alone;         /* there is no INPUT: a command's words are reduced; `output` is
                                    the script, and there is no output in `reduce` */
    pare_buffer standard_input;  /* owned; all that was on it */
    pare_buffer test;            /* of --generator: the words of TEST as one line */
    pare_buffer output, journal; /* owned: what the paths in `reduce` point to */
    const char **grammars, **phases, **corpus,
        **islands; /* owned lists of borrowed texts, likewise */
    pare_cluster_options workers;
    const char **protect, **writable, **visible, **with; /* likewise */
    pare_keep_pattern *patterns;                         /* owned; of the failure of a program */
    pare_buffer note;                                    /* owned; what the history keeps */
    pare_buffer also;                                    /* owned; where other failures are saved */
    pare_buffer script;        /* owned; that runs what is left of a command */
    pare_buffer text_name;     /* owned; what a text is called that is no file: one of
                                         recorded choices, standard input, or no INPUT at all */
    pare_buffer choices;       /* owned; where the choices of a result go */
    const char **keep, **only; /* likewise */
    char **inputs;             /* owned, with its texts, likewise; reduce.input.n_paths of them */
    bool is_output_named;      /* by the user */
    bool has_level;            /* --keep named how much of a failure stays */
} pare_settings;

void pare_settings_done(pare_settings *settings);

/* Takes what the options say.  `input_path` is what is reduced; `test` the
 * command, or the worker's.  Errors: PARE_E_ARG (options that exclude each other, unknown
 * algorithms or units), PARE_E_UNSUPPORTED (algorithms of later versions),
 * PARE_E_NOMEM; *settings needs pare_settings_done in any case. */
PARE_CHECK pare_status pare_settings_read(const pare_arguments *arguments, const char *test,
                                          const char *input_path, pare_settings *settings,
                                          pare_error *err);

/* Whether the command line has the form `INPUT... -- PROGRAM ARGS`. */
bool pare_settings_is_program(const pare_arguments *arguments);

/* What is reduced, for messages; borrowed. */
const char *pare_settings_subject(const pare_settings *settings);

/* PARE_E_ARG when an option was given that a test script has no use for. */
PARE_CHECK pare_status pare_settings_check_test(const pare_arguments *arguments, pare_error *err);

/* Takes a program without a script, in `n` words: what its failure is, and where
 * other failures go.  To be called after pare_settings_read, which was given no test.
 * Errors: PARE_E_ARG (an exit code), PARE_E_NOMEM. */
PARE_CHECK pare_status pare_settings_read_program(const pare_arguments *arguments,
                                                  const char *const *words, size_t n,
                                                  pare_settings *settings, pare_error *err);

/* One sentence in *err (PARE_E_ARG) when it is plain that the test and a file
 * were given in the wrong order; looks at the file system. */
PARE_CHECK pare_status pare_settings_check_order(const char *test, const char *input,
                                                 pare_error *err);

/* PARE_E_ARG when a file that the settings have us write is `path`, which the
 * user gave us to read; looks at the file system. */
PARE_CHECK pare_status pare_settings_check_written(const pare_settings *settings, const char *path,
                                                   pare_error *err);

#endif
