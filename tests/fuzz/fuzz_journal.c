/* Any bytes as a journal: parsing never reads beyond them and takes only what checks. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "engine/journal.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    pare_journal_key key;
    pare_journal_record record;
    if (pare_journal_parse_header(data, size, &key) && size < PARE_JOURNAL_HEADER_BYTES) abort();
    for (size_t at = 0; at <= size; at++) {
        if (!pare_journal_parse_record(data, size, at, &record)) continue;
        if (size - at < PARE_JOURNAL_RECORD_BYTES) abort();
        if (record.kind == PARE_JOURNAL_OUTCOME &&
            (record.outcome < PARE_FAIL || record.outcome > PARE_UNRESOLVED))
            abort();
        if (record.rate.fails > record.rate.runs) abort();
    }
    return 0;
}
