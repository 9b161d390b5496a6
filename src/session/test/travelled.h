/* A test that has come from another machine, ready to run here. */
#ifndef PARE_SESSION_TEST_TRAVELLED_H
#define PARE_SESSION_TEST_TRAVELLED_H

#include <pare/stop.h>
#include <pare/test.h>

#include "run/oracle.h"
#include "run/remote/file_cache.h"
#include "run/remote/serve.h"
#include "text/text.h"

typedef struct pare_travelled pare_travelled;

typedef struct pare_travelled_place {
    const char
        *folder; /* absolute, empty, of the worker's alone: files go there, and nowhere else */
    unsigned n_slots;
    const pare_file_source *files; /* those that are told by digest; NULL: there are none */
    const pare_safety *safety;     /* of the worker's; borrowed as long as the test is open */
    pare_stop *stop;               /* may be NULL; borrowed */
} pare_travelled_place;

/* Writes its files and makes its oracle.  On PARE_OK the caller owns *out.
 * Errors: PARE_E_CORRUPT (the description is damaged, or names a file that is not to be), and those
 * of pare_session_oracle_open. */
PARE_CHECK pare_status pare_travelled_unpack(pare_span description,
                                             const pare_travelled_place *place,
                                             pare_travelled **out, pare_error *err);
pare_oracle *pare_travelled_oracle(const pare_travelled *travelled);
/* What its control is to show; NULL: its input is to fail. */
const pare_serve_control *pare_travelled_control(const pare_travelled *travelled);
/* What of the programs that it calls is not as on the machine that it comes from, and whether the disk
 * here is full; "": nothing. */
const char *pare_travelled_differs(const pare_travelled *travelled);
/* Whether a program that it calls was replaced or removed since it arrived, or the disk that its files
 * are on has filled up, or is free again: what it says may then be another thing than before. */
bool pare_travelled_is_changed(const pare_travelled *travelled);
void pare_travelled_free(pare_travelled *travelled); /* NULL is a no-op */

#endif
