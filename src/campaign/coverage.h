/* What tests reach: maps of counts, and which of them are new.
 *
 * A map has a byte for each edge of the program: how often a test took it.  Counts are put into
 * eight classes (1, 2, 3, 4-7, 8-15, 16-31, 32-127, 128 and more), one bit each; what all tests have
 * reached is the union of their bits.  A test is new when it has a bit that the union lacks.
 * Source: AFL's technical details (Zalewski), "Measuring coverage".
 *
 * A map comes from AFL's shared memory (run/process.h), or from a command that names what an input
 * reaches, one thing a line.  One thread. */
#ifndef PARE_CAMPAIGN_COVERAGE_H
#define PARE_CAMPAIGN_COVERAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <pare/stop.h>

#include "base/fail.h"

/* The union, and how many edges are in it.  All-zero is empty. */
typedef struct pare_coverage {
    unsigned char *reached; /* owned */
    size_t size;            /* bytes; of the first map that was taken */
    uint64_t edges;
} pare_coverage;

void pare_coverage_done(pare_coverage *coverage);

/* Bits of one edge. */
typedef struct pare_coverage_bits {
    uint32_t edge;
    unsigned char bits;
} pare_coverage_bits;

/* What is new in a test.  All-zero is empty. */
typedef struct pare_coverage_news {
    pare_coverage_bits *items; /* owned */
    size_t n, capacity;
    uint64_t edges; /* of them those that nothing had reached */
} pare_coverage_news;

void pare_coverage_news_done(pare_coverage_news *news);

/* Turns counts into the bits of their classes, in place.  About 1 ns for 8 edges that were not
 * taken. */
void pare_coverage_classify(unsigned char *map, size_t size);

/* Makes room for maps of `size` bytes: a union of another size begins anew.  Errors:
 * PARE_E_NOMEM. */
PARE_CHECK pare_status pare_coverage_fit(pare_coverage *coverage, size_t size, pare_error *err);

/* Adds a classified map to the union; *news is what the union lacked.  A map of another size
 * belongs to another build of the program: the union begins anew.
 * Errors: PARE_E_NOMEM; the union is as it was. */
PARE_CHECK pare_status pare_coverage_take(pare_coverage *coverage, const unsigned char *map,
                                          size_t size, pare_coverage_news *news, pare_error *err);

/* Whether a classified map has all of `news`. */
bool pare_coverage_has(const unsigned char *map, size_t size, const pare_coverage_news *news);

/* ---- by a command ---- */

/* A command that tells what an input reaches: the input is its standard input, or the file that
 * "@@" stands for.  What it prints is one thing a line ("file.c:120", or any text); a line may end
 * with a tabulator and a count.  Lines are hashed into a map of PARE_COVERAGE_COMMAND_BYTES. */
typedef struct pare_coverage_command pare_coverage_command;

enum { PARE_COVERAGE_COMMAND_BYTES = 1 << 18 };

/* `folder` is private, and borrowed.  On PARE_OK the caller owns *out.  Errors: PARE_E_ARG (the
 * command), PARE_E_IO, PARE_E_NOMEM. */
PARE_CHECK pare_status pare_coverage_command_open(const char *command, const char *folder,
                                                  uint64_t timeout_ms, const pare_stop *stop,
                                                  pare_coverage_command **out, pare_error *err);
void pare_coverage_command_free(pare_coverage_command *command); /* NULL is a no-op */

/* Runs it on an input; *map, of *size bytes, is borrowed until the next run.  A command that fails
 * is believed as far as it has printed; one that does not end in its time reaches nothing.
 * Errors: PARE_E_IO, PARE_E_INTERRUPTED, PARE_E_NOMEM. */
PARE_CHECK pare_status pare_coverage_command_run(pare_coverage_command *command, const void *bytes,
                                                 size_t n_bytes, unsigned char **map, size_t *size,
                                                 pare_error *err);

/* Whether its last run ended by itself, with exit code 0. */
bool pare_coverage_command_passed(const pare_coverage_command *command);

/* Adds the lines of `text` to a map: what the run does with what was printed. */
void pare_coverage_read_lines(const char *text, size_t n_bytes, unsigned char *map, size_t size);

#endif
