/* What kind of program a file holds: how tests of it can be started.
 *
 * Tells by the file's bytes alone; nothing is run.  Any thread. */
#ifndef PARE_OS_PROGRAM_H
#define PARE_OS_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

enum { PARE_PROGRAM_RUNTIME_BYTES = 64 };

typedef struct pare_program {
    bool is_script;       /* starts with "#!" */
    bool is_elf;          /* of this machine's word size and byte order */
    bool is_dynamic;      /* ELF that names a dynamic loader: LD_PRELOAD reaches it */
    bool is_library;      /* ELF, shared, that is not marked as an executable */
    bool is_setuid;       /* the loader ignores LD_PRELOAD then */
    bool has_afl;         /* holds AFL's runtime: its own fork server */
    bool is_persistent;   /* a loop in one process, as AFL's compiler marks it */
    bool is_deferred;     /* AFL's server starts in the midst of main, marked likewise */
    bool opens_libraries; /* names dlopen: what its symbols are is found while it runs */
    bool has_harness;     /* names LLVMFuzzerTestOneInput */
    char runtime[PARE_PROGRAM_RUNTIME_BYTES]; /* the shared sanitizer runtime that must be
                                                 loaded first; "": none */
} pare_program;

/* Looks at `size` bytes. */
void pare_program_look(const void *bytes, size_t size, pare_program *program);

/* Looks at the file `path`.  Errors: PARE_E_IO; *program is all zero then. */
PARE_CHECK pare_status pare_program_read(const char *path, pare_program *program, pare_error *err);

/* Names of what is built and installed with us. */
#define PARE_PROGRAM_WORKER "pare-worker"

/* Absolute path of `name`, a file that was built or installed with us: in the folder
 * PARE_LIBEXEC, beside the program that runs, in ../lib/pare from there, or where `make
 * install` puts it.  On PARE_OK the caller owns *out.
 * Errors: PARE_E_STATE (it is nowhere), PARE_E_NOMEM. */
PARE_CHECK pare_status pare_program_find_own(const char *name, char **out, pare_error *err);

#endif
