/* What a program prints: any bytes give complaints that are within bounds, and whose text form
 * gives them back. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "run/complaint_reader.h"
#include "run/complaints.h"
#include "run/printed.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const pare_complaints *complaints, const char *text, size_t size)
{
    static pare_complaints again;
    pare_buffer printed = {0};
    if (complaints->n > PARE_COMPLAINTS_MAX) abort();
    if (pare_complaints_print(complaints, &printed, NULL) != PARE_OK) abort();
    if (!pare_complaints_parse(&again, printed.data ? printed.data : "", printed.size)) abort();
    if (again.n != complaints->n) abort();
    for (size_t k = 0; k < again.n; k++) {
        const pare_complaint *a = &again.item[k], *b = &complaints->item[k];
        if (a->kind != b->kind || a->line != b->line || a->column != b->column ||
            strcmp(a->name, b->name) != 0 || strcmp(a->scope, b->scope) != 0 ||
            strcmp(a->file, b->file) != 0)
            abort();
        if (pare_complaints_place(a, text, size) > size) abort();
    }
    pare_buffer_done(&printed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static pare_complaints complaints;
    pare_printed printed = {.text = (const char *)data, .size = size};
    complaints.n = 0;
    pare_complaint_reader_read(&complaints, &printed);
    check(&complaints, (const char *)data, size);
    (void)pare_complaints_parse(&complaints, (const char *)data, size);
    check(&complaints, (const char *)data, size);
    return 0;
}
