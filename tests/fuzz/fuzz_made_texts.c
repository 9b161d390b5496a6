/* Any bytes as a file of what a generator made: parsing never reads beyond them, and what is taken
 * is a record with bounds and nesting that hold. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/checksum.h"
#include "session/test/made_texts.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Spans that were open at the end have none yet, so the check is not for them. */
static bool is_finished(const pare_choice_record *record)
{
    for (size_t i = 0; i < record->n_spans; i++)
        if (record->spans[i].end == PARE_SPAN_OPEN) return false;
    return true;
}

static void read_one(const void *record, size_t size)
{
    pare_made_text text = {.made = false};
    pare_status status = PARE_OK;
    bool taken = pare_made_texts_read(record, size, &text, &status);
    if (taken && is_finished(&text.record) && !pare_choices_record_check(&text.record)) abort();
    if (status && status != PARE_E_NOMEM) abort();
    pare_buffer_done(&text.text);
    pare_choices_record_done(&text.record);
}

/* The bytes as a file; then as the body of a record, with what makes it one. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { HEAD = 24, CHECK = 8, MOST = 4096 };
    static uint8_t record[HEAD + MOST + CHECK];
    pare_digest key;
    for (size_t at = 0; at <= size; at++) {
        size_t whole = pare_made_texts_parse(data, size, at, &key);
        if (whole > size - at) abort();
        if (whole) read_one(data + at, whole);
    }
    size_t body = size < MOST ? size : MOST;
    memset(record, 0, HEAD);
    for (size_t i = 0; i < 8; i++)
        record[i] = (uint8_t)(body >> (8 * i));
    if (body) memcpy(record + HEAD, data, body);
    uint64_t check = pare_checksum(record, HEAD + body);
    for (size_t i = 0; i < 8; i++)
        record[HEAD + body + i] = (uint8_t)(check >> (8 * i));
    if (pare_made_texts_parse(record, HEAD + body + CHECK, 0, &key) != HEAD + body + CHECK) abort();
    read_one(record, HEAD + body + CHECK);
    return 0;
}
