/* The files that a test command consists of, and whether somebody has changed one since the run began.
 *
 * A script that is edited, or a program that is built anew, while its run goes on is another test: what
 * it says cannot be put beside what the old one said, and a result made of both only looks finished.
 * (A later run notices by the command's identity; see command.h.)  One thread. */
#ifndef PARE_RUN_COMMAND_FILES_H
#define PARE_RUN_COMMAND_FILES_H

#include <stdbool.h>
#include <sys/types.h>
#include <time.h>

#include "run/command.h"

/* Files that are looked after, and how many tests end before data among them has to stay as it is. */
enum { PARE_COMMAND_FILES_MOST = 16, PARE_COMMAND_FILES_SETTLING = 4 };

/* A file as it was when it was noted. */
typedef struct pare_command_file {
    const char *path; /* absolute; borrowed of the command */
    dev_t device;
    ino_t number;
    off_t size_bytes;
    struct timespec written;
    bool is_run; /* the program, its first argument or another program; else it may be data */
} pare_command_file;

/* All-zero: none. */
typedef struct pare_command_files {
    pare_command_file items[PARE_COMMAND_FILES_MOST];
    unsigned n;
    unsigned n_ended; /* tests that have ended; counted while that matters */
} pare_command_files;

/* Notes the files of `command`, which has to live longer than *files: each word that names a regular
 * file, the first PARE_COMMAND_FILES_MOST of them. */
void pare_command_files_note(pare_command_files *files, const pare_command *command);

/* To be called after each test.  The path of a file that is not the one that was noted, or has been written
 * to; NULL: there is none.  After the first test those that have changed are dropped instead, and
 * after the next few those that are only data: the test writes them itself.  A file that is missing
 * has not changed: nothing can be run of it.
 * Cost: a stat(2) for each file, about a microsecond. */
const char *pare_command_files_changed(pare_command_files *files);

#endif
