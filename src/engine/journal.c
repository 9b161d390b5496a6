/* The journal: its format and its file.
 *
 * One header and records of one size, each sealed with a checksum (XXH3), little-endian
 * whatever the machine.  Records are only ever appended, so a process killed in the middle
 * of a write leaves one torn record at the end; it is cut off at opening.  A fixed record
 * size costs some bytes for each test and makes every offset computable, so no index is
 * needed.
 *
 * Invariant: the file is a header and whole records whose checksums hold, but for the last
 * one, which may be torn. */
#include "engine/journal.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include <pare/sync.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/checksum.h"
#include "os/file.h"
#include "os/log_file.h"
#include "os/sync.h"

enum { HEADER = PARE_JOURNAL_HEADER_BYTES, RECORD = PARE_JOURNAL_RECORD_BYTES, CHECK = 8 };

static const char MAGIC[8] = "PAREJNL1";

/* Records found at opening are held until they are handed out; those added later are on disk only. */
struct pare_journal {
    pare_log_file *log;
    char *dir;           /* owned */
    pare_buffer records; /* found at opening, header included */
    size_t next;         /* offset of the next record to hand out */
    uint64_t timeout_ms; /* of the last such record found; 0: none */
    pare_rate rate;      /* likewise; all-zero: none */
    bool fixed_addresses, one_at_a_time;
    unsigned restored; /* such records found */
    uint64_t from_step;
};

/* Little-endian, byte by byte: the machine's order and alignment do not matter. */
static void put_number(unsigned char *to, uint64_t value, size_t n_bytes)
{
    for (size_t i = 0; i < n_bytes; i++)
        to[i] = (unsigned char)(value >> (8 * i));
}

/* The reverse of put_number. */
static uint64_t get_number(const unsigned char *from, size_t n_bytes)
{
    uint64_t value = 0;
    for (size_t i = 0; i < n_bytes; i++)
        value |= (uint64_t)from[i] << (8 * i);
    return value;
}

/* The halves of a digest, the high one first. */
static void put_digest(unsigned char *to, pare_digest digest)
{
    put_number(to, digest.high, 8);
    put_number(to + 8, digest.low, 8);
}

/* The reverse of put_digest. */
static pare_digest get_digest(const unsigned char *from)
{
    return (pare_digest){.high = get_number(from, 8), .low = get_number(from + 8, 8)};
}

/* The checksum of all before them takes the last CHECK bytes. */
static void seal(unsigned char *bytes, size_t size)
{
    put_number(bytes + size - CHECK, pare_checksum(bytes, size - CHECK), CHECK);
}

/* Whether the checksum at the end is that of the bytes before it. */
static bool sealed(const unsigned char *bytes, size_t size)
{
    return get_number(bytes + size - CHECK, CHECK) == pare_checksum(bytes, size - CHECK);
}

/* What the file is, and which test and which input its outcomes are of. */
static void write_header(unsigned char bytes[HEADER], const pare_journal_key *key)
{
    memset(bytes, 0, HEADER);
    memcpy(bytes, MAGIC, sizeof MAGIC);
    put_digest(bytes + 8, key->test);
    put_digest(bytes + 24, key->input);
    seal(bytes, HEADER);
}

/* Separate from the file, so that a fuzz target can call it with any bytes. */
bool pare_journal_parse_header(const void *bytes, size_t size, pare_journal_key *key)
{
    const unsigned char *from = bytes;
    if (size < HEADER || memcmp(from, MAGIC, sizeof MAGIC) != 0 || !sealed(from, HEADER))
        return false;
    *key = (pare_journal_key){.test = get_digest(from + 8), .input = get_digest(from + 24)};
    return true;
}

/* Bytes 0 .. 7 are the same for all kinds (kind, outcome, two of the kind's, ms), 8 .. 31 the
 * kind's own, then the seal.  ms is written as the bits of a float. */
static void write_record(unsigned char bytes[RECORD], const pare_journal_record *record)
{
    uint32_t ms;
    memcpy(&ms, &record->ms, sizeof ms);
    memset(bytes, 0, RECORD);
    bytes[0] = (unsigned char)record->kind;
    bytes[1] = (unsigned char)record->outcome;
    put_number(bytes + 4, ms, 4);
    switch (record->kind) {
    case PARE_JOURNAL_TIMEOUT: put_number(bytes + 8, record->timeout_ms, 8); break;
    case PARE_JOURNAL_RATE:
        put_number(bytes + 8, record->rate.fails, 8);
        put_number(bytes + 16, record->rate.runs, 8);
        break;
    case PARE_JOURNAL_TEXT:
    case PARE_JOURNAL_HEARD:
        bytes[2] = record->text_bytes;
        bytes[3] = (unsigned char)(record->text_ends | record->text_begins << 1);
        assert(record->text_bytes <= PARE_JOURNAL_TEXT_BYTES);
        memcpy(bytes + 8, record->text, record->text_bytes);
        seal(bytes, RECORD);
        return;
    case PARE_JOURNAL_OUTCOME:
        put_number(bytes + 2, record->signature, 2);
        put_digest(bytes + 8, record->digest);
        break;
    case PARE_JOURNAL_RESTORED: put_digest(bytes + 8, record->digest); break;
    case PARE_JOURNAL_SKIPPED:
    case PARE_JOURNAL_FROM_STEP: break;
    }
    /* A rate needs 8 .. 23 for itself, so its flags go where the others have their size. */
    const bool is_rate = record->kind == PARE_JOURNAL_RATE;
    const uint64_t flags = (unsigned)record->fixed_addresses | (unsigned)record->one_at_a_time << 1;
    put_number(bytes + 24, is_rate ? flags : record->size_bytes, 8);
    seal(bytes, RECORD);
}

/* False for a record that is torn, damaged, or of a kind that we do not know: reading ends there,
 * and what follows is cut off. */
bool pare_journal_parse_record(const void *bytes, size_t size, size_t offset,
                               pare_journal_record *record)
{
    if (offset > size || size - offset < RECORD) return false;
    const unsigned char *from = (const unsigned char *)bytes + offset;
    /* The kind says which values the outcome may have; anything else is damage that the checksum
     * happened not to find, or a later version's. */
    bool outcome =
        from[0] == PARE_JOURNAL_OUTCOME && from[1] >= PARE_FAIL && from[1] <= PARE_UNRESOLVED;
    bool other = from[0] >= PARE_JOURNAL_TIMEOUT && from[0] <= PARE_JOURNAL_FROM_STEP &&
                 from[1] == PARE_NO_OUTCOME;
    if ((!outcome && !other) || !sealed(from, RECORD)) return false;
    /* The bits of a float, as they were written. */
    uint32_t ms = (uint32_t)get_number(from + 4, 4);
    *record = (pare_journal_record){.kind = (pare_journal_kind)from[0],
                                    .outcome = (pare_outcome)from[1],
                                    .size_bytes = get_number(from + 24, 8)};
    memcpy(&record->ms, &ms, sizeof ms);
    switch (record->kind) {
    case PARE_JOURNAL_TIMEOUT: record->timeout_ms = get_number(from + 8, 8); break;
    case PARE_JOURNAL_RATE:
        record->rate = (pare_rate){get_number(from + 8, 8), get_number(from + 16, 8)};
        record->fixed_addresses = record->size_bytes & 1;
        record->one_at_a_time = record->size_bytes & 2;
        record->size_bytes = 0;
        /* More failures than runs cannot have been measured. */
        return record->rate.fails <= record->rate.runs;
    case PARE_JOURNAL_TEXT:
    case PARE_JOURNAL_HEARD:
        record->text_bytes = from[2];
        record->text_ends = from[3] & 1;
        record->text_begins = from[3] & 2;
        if (from[2] > PARE_JOURNAL_TEXT_BYTES || from[3] > 3) return false;
        memcpy(record->text, from + 8, record->text_bytes);
        record->size_bytes = 0;
        break;
    case PARE_JOURNAL_OUTCOME:
        record->signature = (uint16_t)get_number(from + 2, 2);
        record->digest = get_digest(from + 8);
        break;
    case PARE_JOURNAL_RESTORED: record->digest = get_digest(from + 8); break;
    case PARE_JOURNAL_SKIPPED:
    case PARE_JOURNAL_FROM_STEP: break;
    }
    return true;
}

/* Another input is told before another test: then the outcomes say nothing at all. */
static pare_journal_found examine(const pare_buffer *contents, const pare_journal_key *key)
{
    pare_journal_key old;
    /* Nothing was ever written, or the process was killed before the header was. */
    if (!contents->size) return PARE_JOURNAL_NEW;
    if (!pare_journal_parse_header(contents->data, contents->size, &old))
        return PARE_JOURNAL_DAMAGED;
    if (!pare_digest_equal(old.input, key->input)) return PARE_JOURNAL_OTHER_INPUT;
    if (!pare_digest_equal(old.test, key->test)) return PARE_JOURNAL_OTHER_TEST;
    return PARE_JOURNAL_RESUMED;
}

/* Keeps the records that are whole and cuts the rest off. */
static pare_status resume(pare_journal *journal, pare_error *err)
{
    pare_journal_record record;
    size_t end = HEADER;
    while (pare_journal_parse_record(journal->records.data, journal->records.size, end, &record)) {
        /* Of these kinds the last record counts. */
        if (record.kind == PARE_JOURNAL_TIMEOUT) journal->timeout_ms = record.timeout_ms;
        if (record.kind == PARE_JOURNAL_RATE) {
            journal->rate = record.rate;
            journal->fixed_addresses = record.fixed_addresses;
            journal->one_at_a_time = record.one_at_a_time;
        }
        if (record.kind == PARE_JOURNAL_RESTORED) journal->restored++;
        if (record.kind == PARE_JOURNAL_FROM_STEP) journal->from_step = record.size_bytes;
        end += RECORD;
    }
    /* Anything after the last whole record was torn by a kill, or is damaged. */
    if (end == journal->records.size) return PARE_OK;
    assert((end - HEADER) % RECORD == 0);
    journal->records.size = end;
    return pare_log_file_cut(journal->log, end, err);
}

/* Empties the file; the caller has decided that its outcomes are of no use. */
static pare_status start_over(pare_journal *journal, const pare_journal_key *key, pare_error *err)
{
    unsigned char header[HEADER];
    write_header(header, key);
    pare_buffer_reset(&journal->records);
    pare_status status = pare_log_file_cut(journal->log, 0, err);
    if (!status) status = pare_log_file_append(journal->log, header, HEADER, err);
    return status;
}

/* Opening takes the lock (os/log_file.h), so two processes never append to one journal. */
static pare_status open_files(pare_journal *journal, const char *dir, pare_sync sync,
                              pare_error *err)
{
    pare_buffer path = {0};
    /* Each step is skipped after a failure; pare_journal_close releases what there is. */
    pare_status status = pare_buffer_format(&path, err, "%s/journal", dir);
    journal->dir = pare_alloc_text(dir, strlen(dir));
    if (!status && !journal->dir) status = pare_fail_nomem(err);
    bool is_there = pare_file_is_directory(dir);
    if (!status) status = pare_file_make_directories(dir, err);
    int failed = status || is_there ? 0 : pare_sync_way(dir, sync);
    if (failed) status = pare_fail_errno(err, failed, "cannot make the directory %s", dir);
    if (!status) status = pare_log_file_open(path.data, sync, &journal->log, err);
    if (!status) status = pare_log_file_read(journal->log, &journal->records, err);
    pare_buffer_done(&path);
    return status;
}

/* The journal is usable in every case, and the caller is told in *found what it was. What
 * belongs to another input or test is overwritten: its outcomes say nothing about ours. */
pare_status pare_journal_open(const char *dir, const pare_journal_key *key, pare_sync sync,
                              pare_journal **out, pare_journal_found *found, pare_error *err)
{
    pare_journal *journal = pare_alloc_zero(1, sizeof *journal);
    if (!journal) return pare_fail_nomem(err);
    /* Records begin after the header. */
    journal->next = HEADER;
    pare_status status = open_files(journal, dir, sync, err);
    if (!status) {
        pare_journal_found what = examine(&journal->records, key);
        status =
            what == PARE_JOURNAL_RESUMED ? resume(journal, err) : start_over(journal, key, err);
        if (!status) {
            *found = what;
            *out = journal;
            return PARE_OK;
        }
    }
    pare_journal_close(journal);
    return status;
}

/* Closing gives the lock back; the file stays for a later process. */
void pare_journal_close(pare_journal *journal)
{
    if (!journal) return;
    pare_log_file_close(journal->log);
    pare_buffer_done(&journal->records);
    pare_alloc_free(journal->dir);
    pare_alloc_free(journal);
}

/* After a complete run: the journal is freed even when its file cannot be removed. */
pare_status pare_journal_remove(pare_journal *journal, pare_error *err)
{
    pare_status status = pare_log_file_remove(journal->log, journal->dir, err);
    journal->log = NULL;
    pare_journal_close(journal);
    return status;
}

/* The four below answer from the records found at opening; what is added later does not change
 * them. */
uint64_t pare_journal_timeout_ms(const pare_journal *journal)
{
    return journal->timeout_ms;
}

pare_rate pare_journal_rate(const pare_journal *journal)
{
    return journal->rate;
}

bool pare_journal_fixed_addresses(const pare_journal *journal)
{
    return journal->fixed_addresses;
}

bool pare_journal_one_at_a_time(const pare_journal *journal)
{
    return journal->one_at_a_time;
}

uint64_t pare_journal_from_step(const pare_journal *journal)
{
    return journal->from_step;
}

unsigned pare_journal_restored(const pare_journal *journal)
{
    return journal->restored;
}

/* Hands out what was found at opening, once; the memory is released with the last one. */
bool pare_journal_next(pare_journal *journal, pare_journal_record *record)
{
    if (!pare_journal_parse_record(journal->records.data, journal->records.size, journal->next,
                                   record)) {
        pare_buffer_done(&journal->records);
        return false;
    }
    journal->next += RECORD;
    return true;
}

/* One write of one record; the log file has it synced. */
pare_status pare_journal_add(pare_journal *journal, const pare_journal_record *record,
                             pare_error *err)
{
    unsigned char bytes[RECORD];
    write_record(bytes, record);
    return pare_log_file_append(journal->log, bytes, RECORD, err);
}
