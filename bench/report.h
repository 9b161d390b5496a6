/* How benchmarks print: one line a figure, 80 columns, the same as report in run.sh.
 *
 *     what was measured                                figure  aim         ok */
#ifndef BENCH_REPORT_H
#define BENCH_REPORT_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

/* A figure that has no aim. */
static inline void report_figure(const char *what, const char *figure)
{
    printf("  %-48s %14s\n", what, figure);
    (void)fflush(stdout);
}

/* A figure with its aim, met or missed. */
static inline void report_aim(const char *what, const char *figure, const char *aim, bool met)
{
    printf("  %-40s %12s   %-15s %s\n", what, figure, aim, met ? "ok" : "MISSED");
    (void)fflush(stdout);
}

/* Ends a benchmark that cannot measure. */
static inline _Noreturn void report_broken(const char *program, const char *why)
{
    (void)fprintf(stderr, "%s: %s\n", program, why);
    exit(1);
}

#endif
