/* Executables: what kind a file holds, where one is found, and calls of helper programs.
 * Any thread. */
#ifndef PARE_OS_EXECUTABLE_H
#define PARE_OS_EXECUTABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <pare/stop.h>

#include "base/buffer.h"
#include "base/fail.h"

enum { PARE_EXECUTABLE_RUNTIME_BYTES = 64 };

/* What the bytes of a program's file tell about how its tests can be started; nothing is run. */
typedef struct pare_executable {
    bool is_script;       /* starts with "#!" */
    bool is_elf;          /* of this machine's word size and byte order */
    bool is_dynamic;      /* ELF that names a dynamic loader: LD_PRELOAD reaches it */
    bool is_library;      /* ELF, shared, that is not marked as an executable */
    bool is_setuid;       /* the loader ignores LD_PRELOAD then */
    bool has_afl;         /* holds AFL's runtime: its own fork server */
    bool is_persistent;   /* a loop in one process, as AFL's compiler marks it */
    bool is_deferred;     /* AFL's server starts in the midst of main, marked likewise */
    bool opens_libraries; /* names dlopen: it may load libraries while it runs */
    bool has_harness;     /* names LLVMFuzzerTestOneInput */
    char runtime[PARE_EXECUTABLE_RUNTIME_BYTES]; /* the shared sanitizer runtime that must be
                                                 loaded first; "": none */
} pare_executable;

/* Looks at `size` bytes. */
void pare_executable_look(const void *bytes, size_t size, pare_executable *program);

/* Looks at the file `path`.  Errors: PARE_E_IO; *program is all zero then. */
PARE_CHECK pare_status pare_executable_read(const char *path, pare_executable *program,
                                            pare_error *err);

/* Names of the programs that are built and installed with us. */
#define PARE_EXECUTABLE_WORKER "pare-worker"
#define PARE_EXECUTABLE_SHOOTOUT "pare-shootout"
#define PARE_EXECUTABLE_WEB_MODEL "pare-web-model"
#define PARE_EXECUTABLE_CLANG_EDITS "pare-clang-edits"

/* Appends "LD_PRELOAD=LIBRARY", which loads `library` into `program`, to *text: after the runtime
 * of a sanitizer, which has to come first, and before what `envp` preloads already.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_executable_name_preloads(const pare_executable *program,
                                                     const char *library, char *const *envp,
                                                     pare_buffer *text, pare_error *err);

/* Absolute path of `name`, a file that was built or installed with us: in the folder
 * PARE_LIBEXEC, beside the program that runs, in ../lib/pare from there, or where `make
 * install` puts it.  On PARE_OK the caller owns *out.
 * Errors: PARE_E_STATE (it is nowhere), PARE_E_NOMEM. */
PARE_CHECK pare_status pare_executable_find_own(const char *name, char **out, pare_error *err);

/* ---- helpers ----
 *
 * Programs such as a compiler: found in PATH, run, waited for.  Not for tests, which have an
 * oracle and a guard.  A helper dies when we die. */

/* A program to run.  All members are borrowed during the call. */
typedef struct pare_executable_call {
    const char *path;        /* as pare_executable_find returns it */
    const char *const *argv; /* NULL-terminated; argv[0] is a name */
    const char *directory;   /* where it runs */
    const char *log_path;    /* receives its output and errors, emptied first; NULL: nowhere */
    int timeout_ms;          /* killed after so much; 0: ten minutes */
    const pare_stop *stop;   /* killed when it is requested; NULL: never */
    uint64_t file_bytes;     /* limit of a file that it writes; 0: none */
    const char *isolated;    /* an absolute path: the one folder that it can write to; it sees the
                                rest of the system read-only, its processes end with it, and there
                                is no network.  Where the system refuses that, it is run as it is.
                                NULL: not isolated */
} pare_executable_call;

/* How a helper ended. */
typedef struct pare_executable_end {
    bool timed_out, stopped;
    int exit_code; /* 128 and the signal's number when one ended it */
} pare_executable_end;

/* The first executable file called `name` in the folders of PATH.  On PARE_OK the caller
 * owns *out.  Errors: PARE_E_STATE (there is none; the sentence says so), PARE_E_NOMEM. */
PARE_CHECK pare_status pare_executable_find(const char *name, char **out, pare_error *err);

/* Whether `word` is what such a program is called, and no file here. */
bool pare_executable_is_in_path(const char *word);

/* Runs `helper` with our environment and nothing on its standard input, and waits.
 * Errors: PARE_E_IO (it does not start); a helper that fails is none. */
PARE_CHECK pare_status pare_executable_run(const pare_executable_call *helper,
                                           pare_executable_end *end, pare_error *err);

#endif
