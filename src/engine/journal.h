/* The journal: every outcome, on disk as soon as it is known.
 *
 * A reduction that was ended at any instant, by kill -9 too, is started again by the same
 * command: the outcomes in the journal answer its first tests, and a deterministic
 * strategy is where it was in milliseconds.  At most the tests in flight are lost; after a loss
 * of power, those of the last second.
 *
 * The file `journal` in the journal's directory is a 64-byte header and 40-byte records,
 * all little-endian:
 *   header: "PAREJNL1", test key (16 bytes), input digest (16), zeros (16), check (8)
 *   record: kind (1: outcome, 2: time-out, 3: rate, 4: restored, 5: text, 6: heard, 7: skipped,
 *           8: from a step),
 *           outcome,
 *           signature (2; kind 5: bytes of text, bits: 1 it ends, 2 it begins), ms (float, 4), digest
 *           (16; kind 2: limit in ms (8), zeros; kind 3: failing runs (8), runs (8)),
 *           size in bytes (8; kind 3: 1 when addresses were fixed), check (8); kinds 5 and 6:
 *           digest and size are a piece of text; of kind 7 size is the number of tests retired, of kind
 *           8 that of the step
 * Texts are the signatures of other failures, numbered from 1 in the order in which they
 * end; an outcome's signature is such a number, or 0.
 * A text of kind 6 is what the test of the outcome after it complained of (engine/heard.h).
 * `check` is XXH3-64 of the bytes before it.  A record that does not check ends the
 * journal: it was torn by the end of the process.  One thread. */
#ifndef PARE_ENGINE_JOURNAL_H
#define PARE_ENGINE_JOURNAL_H

#include <stdbool.h>
#include <stdint.h>

#include <pare/outcome.h>
#include <pare/sync.h>

#include "base/digest.h"
#include "base/fail.h"
#include "run/rate.h"

typedef struct pare_journal pare_journal;

typedef enum pare_journal_kind {
    PARE_JOURNAL_OUTCOME = 1,
    PARE_JOURNAL_TIMEOUT = 2,
    PARE_JOURNAL_RATE = 3,     /* how often the input fails */
    PARE_JOURNAL_RESTORED = 4, /* the best was taken back: no FAIL before this one holds */
    PARE_JOURNAL_TEXT = 5,     /* a piece of a signature's text */
    PARE_JOURNAL_HEARD = 6,    /* a piece of what the test of the next outcome complained of */
    PARE_JOURNAL_SKIPPED = 7,  /* what ran was left at the user's request */
    PARE_JOURNAL_FROM_STEP = 8 /* the run goes on from a step of its history; nothing that was left
                                  before is left again */
} pare_journal_kind;

enum { PARE_JOURNAL_TEXT_BYTES = 24 };

typedef struct pare_journal_record {
    pare_journal_kind kind;
    pare_outcome outcome;
    float ms;
    pare_digest digest;
    uint64_t size_bytes;  /* kind SKIPPED: how many tests had retired, cached ones included; kind
                             FROM_STEP: the number of the step */
    uint64_t timeout_ms;  /* kind TIMEOUT: the limit that was learnt */
    pare_rate rate;       /* kind RATE */
    bool fixed_addresses; /* kind RATE: measured with fixed addresses, as tests
                                           are run from then on */
    bool one_at_a_time;   /* kind RATE: measured by one run at a time; likewise */
    uint16_t signature;   /* kind OUTCOME: of another failure; 0: none */
    char text[PARE_JOURNAL_TEXT_BYTES]; /* kinds TEXT and HEARD */
    uint8_t text_bytes;
    bool text_begins, text_ends;
} pare_journal_record;

/* What a journal belongs to: outcomes hold for one test only. */
typedef struct pare_journal_key {
    pare_digest test;  /* the test command, the files it names, its time-out */
    pare_digest input; /* the text that is reduced */
} pare_journal_key;

/* What was found when the journal was opened. */
typedef enum pare_journal_found {
    PARE_JOURNAL_NEW,         /* nothing */
    PARE_JOURNAL_RESUMED,     /* outcomes of the same test and input */
    PARE_JOURNAL_OTHER_TEST,  /* the test changed: started over */
    PARE_JOURNAL_OTHER_INPUT, /* the input changed: started over */
    PARE_JOURNAL_DAMAGED      /* not a journal: started over */
} pare_journal_found;

/* Opens the journal in directory `dir` (made if need be).  On PARE_OK the caller owns
 * *out, and the records found are there for pare_journal_next.  `sync` as for
 * pare_log_file_open.
 * Errors: PARE_E_BUSY (in use by another process), PARE_E_IO, PARE_E_NOMEM. */
PARE_CHECK pare_status pare_journal_open(const char *dir, const pare_journal_key *key,
                                         pare_sync sync, pare_journal **out,
                                         pare_journal_found *found, pare_error *err);
void pare_journal_close(pare_journal *journal); /* NULL is a no-op */

/* Removes the journal's file and, when nothing else is in it, its directory; then
 * closes.  Errors: PARE_E_IO; it is closed all the same. */
PARE_CHECK pare_status pare_journal_remove(pare_journal *journal, pare_error *err);

/* The next record that was found at opening; false at the end. */
bool pare_journal_next(pare_journal *journal, pare_journal_record *record);

/* The time-out that was learnt, as found at opening; 0: none. */
uint64_t pare_journal_timeout_ms(const pare_journal *journal);

/* How often the input fails, as it was measured last; all-zero: it was not. */
pare_rate pare_journal_rate(const pare_journal *journal);

/* Whether that was with fixed addresses, and by one run at a time. */
bool pare_journal_fixed_addresses(const pare_journal *journal);
bool pare_journal_one_at_a_time(const pare_journal *journal);

/* How many times the best had been taken back. */
unsigned pare_journal_restored(const pare_journal *journal);

/* The step of the history from which the run goes on; 0: the input. */
uint64_t pare_journal_from_step(const pare_journal *journal);

/* Appends.  Errors: PARE_E_IO. */
PARE_CHECK pare_status pare_journal_add(pare_journal *journal, const pare_journal_record *record,
                                        pare_error *err);

/* Reading the format, for tests and fuzzing too: whether `size` bytes begin with the
 * header of a journal (*key is set then), and the record at `offset` if a whole one is
 * there that checks. */
enum { PARE_JOURNAL_HEADER_BYTES = 64, PARE_JOURNAL_RECORD_BYTES = 40 };
bool pare_journal_parse_header(const void *bytes, size_t size, pare_journal_key *key);
bool pare_journal_parse_record(const void *bytes, size_t size, size_t offset,
                               pare_journal_record *record);

#endif
