/* Recording the randomness of a generator that is another program, so that its choices can be
 * replayed and reduced. */
#ifndef PARE_RECORD_H
#define PARE_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <pare/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A generator that is another program, whose randomness is recorded: what it asks of rand,
 * random, drand48 and their families, arc4random, getrandom, getentropy, /dev/urandom and
 * /dev/random, it and all programs that it starts. */
typedef struct pare_record_options {
    size_t struct_bytes;      /* 0, or its sizeof; see <pare/pare.h>, "Versions" */
    const char *const *words; /* the program and its arguments; one word with blanks in it is a
                                 command line.  It runs in a folder of its own, without input */
    size_t n_words;
    const char *replay;  /* path of recorded choices, which it gets; NULL: it gets its own */
    uint64_t timeout_ms; /* 0: 10 s */
} pare_record_options;

/* All-zero before; ended by pare_recorded_done. */
typedef struct pare_recorded {
    char *text; /* owned; what it printed, with a NUL byte after it */
    size_t text_bytes;
    char *choices; /* owned; a file of them, for pare_reduce and `replay` */
    size_t choices_bytes;
    size_t n_choices;
} pare_recorded;

PARE_API void pare_recorded_done(pare_recorded *recorded);

/* What follows, for those who cannot use this header, such as other languages: the size is that
 * of a struct of options whose struct_bytes is 0. */
PARE_API PARE_CHECK pare_status pare_record_sized(const pare_record_options *options,
                                                  size_t options_bytes, pare_recorded *recorded,
                                                  pare_error *err);

/* Runs a generator and records its choices, or replays them; then it is run twice, and makes
 * the same text.
 * Errors: PARE_E_ARG, PARE_E_IO (a file, or the program cannot be run), PARE_E_SYNTAX (no
 * file of choices), PARE_E_UNSUPPORTED (it is linked statically or set-user-ID),
 * PARE_E_STATE (it fails, does not end, or asks for no randomness; or the choices end before
 * its text does), PARE_E_NOMEM. */
static inline PARE_CHECK pare_status pare_record(const pare_record_options *options,
                                                 pare_recorded *recorded, pare_error *err)
{
    return pare_record_sized(options, sizeof *options, recorded, err);
}

/* Whether `path` is a file of choices that were recorded. */
PARE_API bool pare_is_recorded(const char *path);

#ifdef __cplusplus
}
#endif

#endif
