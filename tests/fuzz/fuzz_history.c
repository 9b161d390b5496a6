/* Any bytes as a history: reading never goes beyond them, steps are made of earlier ones, and a text is
 * the one that was recorded, or damage.  Then the bytes as bodies of records, with the sizes and checks
 * that make them a file; each body's size is the byte before it. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/checksum.h"
#include "base/varint.h"
#include "session/output/history_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_step(const pare_history_file *file, size_t step, pare_history_known *known)
{
    const pare_history_record *record = &file->steps[step];
    if (step && record->from >= step) abort();
    if (record->phase > file->n_phases) abort();
    if (record->at > file->end || record->size > file->end - record->at) abort();
    const pare_status status = pare_history_file_text(file, step, known, NULL);
    if (status && status != PARE_E_CORRUPT && status != PARE_E_NOMEM) abort();
    if (!status && known->text.size > file->text.size) abort();
    if (!status && !known->any) abort();
}

static void read_file(const void *bytes, size_t size)
{
    pare_history_file file = {.n_steps = 0};
    pare_history_known known = {.any = false};
    const pare_status status = pare_history_file_read(bytes, size, &file, NULL);
    if (status && status != PARE_E_CORRUPT && status != PARE_E_NOMEM) abort();
    if (status) return;
    if (!file.n_steps || file.end > size) abort();
    for (size_t step = 0; step < file.n_steps && step < 64; step++)
        check_step(&file, step, &known);
    pare_buffer_done(&known.text);
    pare_history_file_done(&file);
}

static void add_record(pare_buffer *to, const uint8_t *body, size_t size)
{
    const uint64_t sum = pare_checksum(body, size);
    unsigned char check[4];
    for (size_t i = 0; i < sizeof check; i++)
        check[i] = (unsigned char)(sum >> 8 * i);
    if (pare_varint_add(to, size, NULL) || pare_buffer_add(to, body, size, NULL) ||
        pare_buffer_add(to, check, sizeof check, NULL))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    read_file(data, size);
    pare_buffer file = {0};
    if (pare_history_file_add_header(&file, (pare_digest){0, 0}, NULL)) abort();
    for (size_t at = 0; at < size;) {
        size_t n = data[at++];
        if (n > size - at) n = size - at;
        add_record(&file, data + at, n);
        at += n;
    }
    read_file(file.data, file.size);
    pare_buffer_done(&file);
    return 0;
}
