/* The programs that a test calls: which they are on this machine, and how those of another differ.
 *
 * They are found in the words of a command and in the texts of scripts: what is a program in PATH, or an
 * executable file by its path.  That finds more than is called (a word of a text may be the name of a
 * program), and misses what is put together at run time; it is meant for telling machines apart, and
 * for outcomes that hold only where the programs are the same.  Any thread. */
#ifndef PARE_SESSION_TEST_PROGRAMS_H
#define PARE_SESSION_TEST_PROGRAMS_H

#include <stdbool.h>
#include <stddef.h>

#include <pare/test.h>

#include "base/buffer.h"
#include "base/digest.h"
#include "base/fail.h"
#include "run/remote/message.h"

enum { PARE_PROGRAMS_MOST = 64, PARE_PROGRAM_NAME_BYTES = 64, PARE_PROGRAM_PATH_BYTES = 256 };

typedef struct pare_program {
    char name[PARE_PROGRAM_NAME_BYTES]; /* as the test calls it */
    char path[PARE_PROGRAM_PATH_BYTES]; /* links resolved, so that it often tells the version */
    pare_digest digest;                 /* of its bytes */
} pare_program;

/* All-zero is none. */
typedef struct pare_programs {
    pare_program items[PARE_PROGRAMS_MOST];
    size_t n;
} pare_programs;

/* Adds those that `text` names, in the order in which it does; the first PARE_PROGRAMS_MOST count.
 * Comments of scripts are passed over.  Cost: a look into PATH for each word. */
void pare_programs_find(pare_programs *programs, const char *text, size_t size);

/* Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_programs_write(const pare_programs *programs, pare_buffer *to,
                                           pare_error *err);
/* A message that is damaged is bad afterwards. */
void pare_programs_read(pare_programs *programs, pare_message *message);

/* Says which version the program at `path` is: one line, in `line`; "": it is not known. */
enum { PARE_PROGRAM_VERSION_BYTES = 80 };
typedef struct pare_program_asker {
    void (*ask)(void *context, const char *path, char line[PARE_PROGRAM_VERSION_BYTES]);
    void *context;
} pare_program_asker;

/* Appends to a worker's sentence what the first few programs that it names as others say of their version
 * here: "; gcc says 'gcc (Debian 12.2.0-14) 12.2.0' here".  Nothing where it names none.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_programs_tell_own(const pare_programs *own, const char *sentence,
                                              const pare_program_asker *asker, pare_buffer *to,
                                              pare_error *err);

/* Appends what differs on this machine, one after the other with "; " between: "gcc is missing there".
 * "There" is this machine, for a reader at the other one.  Nothing where all are the same.  Of the first
 * few programs that are others here `asker` (NULL: none) is asked for the version.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_programs_compare(const pare_programs *theirs,
                                             const pare_program_asker *asker, pare_buffer *to,
                                             pare_error *err);

/* Runs "PATH --version" as a test of an empty candidate, in the full sandbox with the limits of `safety`, for
 * two seconds at most, and takes the first line of what it prints: *line stays empty where it prints
 * nothing, fails, or there is no such sandbox.  owns_children: no other child of this process is to live on.
 * Errors: PARE_E_NOMEM, and those of the oracle. */
PARE_CHECK pare_status pare_programs_version(const char *path, const pare_safety *safety,
                                             bool owns_children,
                                             char line[PARE_PROGRAM_VERSION_BYTES]);

/* Which files the programs are on this machine, of which size, and when they were last changed, as a
 * digest.  Equal to an earlier one: nobody has replaced or removed one since.
 * Cost: a look into PATH for each. */
pare_digest pare_programs_state(const pare_programs *programs);

#endif
