/* What a failure is, when there is no test script: what the program did that a candidate
 * has to make it do again.
 *
 *     #include <pare/reduce.h>
 *
 *     static const char *const words[] = {"gcc", "-O2", "-c", "-o", "x.o", "@@.c"};
 *     const pare_reduce_options options = {.input.path = "crash.c",
 *                                          .test.program = words,
 *                                          .test.n_program = 6,
 *                                          .output.path = "small.c"};
 *
 * All that is named is required.  With nothing named, and no signature given, the first
 * runs of the program on the input teach the signature of its failure: how it ended, and
 * what it said about it (an assertion, an internal error, a sanitizer's report, a
 * traceback; else the exception, the error or the only warning that it reports), without
 * what changes from run to run or comes from the input.  When it reports several different
 * problems, nothing is reduced until `message` names one: see pare_result.reported. */
#ifndef PARE_KEEP_H
#define PARE_KEEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum pare_stream {
    PARE_STREAM_STDOUT,
    PARE_STREAM_STDERR,
    PARE_STREAM_OUTPUT,   /* either of them */
    PARE_STREAM_NO_OUTPUT /* neither of them may match; one that does is UNRESOLVED */
} pare_stream;

/* A regular expression of PCRE2, searched for in what was printed: the first and the last
 * 32 KiB of each stream at least. */
typedef struct pare_keep_pattern {
    pare_stream stream;
    const char *regex;
} pare_keep_pattern;

#define PARE_KEEP_NONZERO (-1)

/* How much of a failure that is learnt has to stay. */
typedef enum pare_keep_level {
    PARE_KEEP_MESSAGE, /* the message, but for what the input contributed: names, numbers */
    PARE_KEEP_KIND,    /* its kind: the exception, the error's code or option, the crash */
    PARE_KEEP_EXACT,   /* the message as it stands, names too; only positions may change */
    PARE_KEEP_LINE     /* as MESSAGE, and the line of the input that it names by its number stays */
} pare_keep_level;

/* Zero value of each member: not required. */
typedef struct pare_keep {
    bool use_exit_code;
    int exit_code;      /* 0 .. 255, or PARE_KEEP_NONZERO; needs use_exit_code */
    const char *signal; /* "SIGSEGV", "SEGV" */
    const pare_keep_pattern *patterns;
    size_t n_patterns;
    uint64_t hang_ms;           /* it does not end within this time; without it a test that takes
                               too long is UNRESOLVED */
    uint64_t max_rss_bytes;     /* it takes at least so much memory */
    const char *differs;        /* a command whose exit code or standard output is another; run on
                               the same candidate, which is named by "@@" as in the program */
    const char *valid;          /* a command that exits with 0 on valid candidates; others are
                               UNRESOLVED.  Run where all else holds */
    pare_keep_level level;      /* of what is learnt */
    const char *message;        /* of the problems that the program reports, keep the first that
                                   has this in it; NULL: the only one, if there is only one */
    bool allow_new_errors;      /* of what is learnt: candidates for which the program reports
                                   errors of kinds that it does not report for the input */
    const char *signature;      /* one line of text, see pare-reduce(1), "Signatures" */
    const char *signature_path; /* a file of it: read when it exists, else written */
    const char *const *ignore_frames; /* regular expressions of PCRE2: frames of stacks that are
                                         passed over, as those of the C library are */
    size_t n_ignore_frames;
    const char *const *ignore_lines; /* likewise: lines of output that announce no failure, such as
                                        what a sanitizer says at every start */
    size_t n_ignore_lines;
    uint64_t reserved[4]; /* zero; room for later members */
} pare_keep;

#ifdef __cplusplus
}
#endif

#endif
