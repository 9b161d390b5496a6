/* Packages of the npm registry: fetched, checked and unpacked where a language or a model is
 * being made.
 *
 * Everything happens in a staging folder (os/folder.h): packages are unpacked and used in
 * "work" below it, what is kept moves up, and the folder gets its name by one rename.  A
 * package is not looked into before its SHA-512 is right, and none of its scripts is run. */
#ifndef PARE_LANG_FETCH_H
#define PARE_LANG_FETCH_H

#include "base/buffer.h"
#include "os/executable.h"
#include "os/folder.h"

#define PARE_FETCH_WORK "work" /* below the staging folder */

/* What is pinned.  Texts are borrowed. */
typedef struct pare_fetch_pin {
    const char *package, *version;
    const char *integrity; /* "sha512-..." */
} pare_fetch_pin;

/* All-zero before pare_fetch_open, which fills it; one thread. */
typedef struct pare_fetch {
    const char *name;           /* of what is made; borrowed */
    pare_folder_stage *staging; /* owned, as all below */
    char *npm, *tar;            /* programs */
    pare_buffer work, log;      /* absolute paths */
} pare_fetch;

/* Finds the program `name`.  On PARE_OK the caller owns *out.
 * Errors: PARE_E_STATE (it is not there: `advice` says what to do), PARE_E_NOMEM. */
PARE_CHECK pare_status pare_fetch_find(const pare_fetch *fetch, const char *name,
                                       const char *advice, char **out, pare_error *err);

/* Finds npm and tar; then, by the second, begins a folder on `shelf`.
 * Errors: as above, PARE_E_IO; *fetch is to be ended then too. */
PARE_CHECK pare_status pare_fetch_find_programs(pare_fetch *fetch, pare_error *err);
PARE_CHECK pare_status pare_fetch_open(pare_fetch *fetch, const char *shelf, pare_error *err);
void pare_fetch_done(pare_fetch *fetch);

/* Fetches and checks a package and unpacks it into work/package.
 * Errors: PARE_E_IO (npm or tar cannot), PARE_E_CORRUPT (another package came), PARE_E_NOMEM. */
PARE_CHECK pare_status pare_fetch_package(const pare_fetch *fetch, const pare_fetch_pin *pin,
                                          pare_error *err);

/* Runs a program in "work".  Errors: as pare_executable_run. */
PARE_CHECK pare_status pare_fetch_run(const pare_fetch *fetch, const char *path,
                                      const char *const *argv, int timeout_ms,
                                      pare_executable_end *end, pare_error *err);

/* What the last program said: what follows `mark` up to the end of its line, cut to `capacity`;
 * "" when there is no `mark`. */
void pare_fetch_quote_log(const pare_fetch *fetch, const char *mark, char *line, size_t capacity);

/* Moves work/FROM up to TO.  Errors: PARE_E_IO, PARE_E_NOMEM. */
PARE_CHECK pare_status pare_fetch_keep(const pare_fetch *fetch, const char *from, const char *to,
                                       pare_error *err);

/* Writes a file of what is kept.  Errors: PARE_E_IO, PARE_E_NOMEM. */
PARE_CHECK pare_status pare_fetch_write(const pare_fetch *fetch, const char *file,
                                        const pare_buffer *text, pare_error *err);

/* Removes "work" and gives the folder its name.  Errors: PARE_E_IO, PARE_E_NOMEM. */
PARE_CHECK pare_status pare_fetch_commit(pare_fetch *fetch, pare_error *err);

#endif
