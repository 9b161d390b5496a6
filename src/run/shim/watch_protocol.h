/* The file of records through which the shim that watches a test reports to pare.
 *
 * The shim (watch.c) is preloaded into a test and all that it starts.  A process that was given
 * the candidate, or a copy of it, as an argument or as standard input, appends a record to the
 * file that is named by the candidate's path and PARE_WATCH_SUFFIX; run/compiler_line.h reads
 * them.  A record is fields, each with a NUL after it:
 *     MAGIC, number of the argument (0: standard input), seconds of processor time that the
 *     process may take, KiB of memory that it may take (0: any), folder that it runs in, path of
 *     its program, number of words, words
 *
 * With PARE_WATCH_ALL_VARIABLE set, each process appends a record of the second kind instead, whether
 * or not it was given the candidate:
 *     RUN_MAGIC, process id, that of its parent, 1 where it was given the candidate, else 0, paths of
 *     the files that its standard output and error are, path of its program, number of words, words
 * and whoever waits for it appends one of the third kind when it has ended:
 *     END_MAGIC, process id, its status as waitpid has it, the end of what it printed */
#ifndef PARE_RUN_SHIM_WATCH_PROTOCOL_H
#define PARE_RUN_SHIM_WATCH_PROTOCOL_H

/* Name of what is built and installed with the program. */
#define PARE_SHIM_WATCH "libpare_watch.so"

/* The candidate's path. */
#define PARE_WATCH_VARIABLE "PARE_WATCH"

#define PARE_WATCH_SUFFIX ".pare-watch"
#define PARE_WATCH_MAGIC "pare-watch-1"

#define PARE_WATCH_ALL_VARIABLE "PARE_WATCH_ALL"
#define PARE_WATCH_RUN_MAGIC "pare-watch-run-1"
#define PARE_WATCH_END_MAGIC "pare-watch-end-1"

enum {
    PARE_WATCH_BYTES = 64 * 1024,      /* of a record, at most; longer ones are left out */
    PARE_WATCH_WORDS = 40,             /* of a record of the second kind; the others are left out */
    PARE_WATCH_ALL_BYTES = 512 * 1024, /* of the file; then records of other kinds than the first
                                          are left out: a test may start processes without end */
    PARE_WATCH_TAIL_BYTES = 1500       /* of what a process printed */
};

#endif
