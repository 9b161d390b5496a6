/* Any bytes as a report of a recorder about any text: what is read of it lies in the text, ascends,
 * and does not touch. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "session/test/reach_report.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    pare_reach reach;
    const size_t text_bytes = size ? data[0] % size : 0;
    const uint8_t *text = size ? data + 1 : data;
    const char *report = (const char *)text + text_bytes;
    const size_t report_bytes = size ? size - 1 - text_bytes : 0;
    size_t bytes = 0;
    if (pare_reach_report_read(report, report_bytes, text, text_bytes, &reach, NULL)) return 0;
    for (size_t i = 0; i < reach.n; i++) {
        const pare_extent *range = &reach.unreached[i];
        if (range->from >= range->to || range->to > text_bytes) abort();
        if (i && range->from <= reach.unreached[i - 1].to) abort();
        bytes += range->to - range->from;
    }
    if (bytes != reach.bytes) abort();
    pare_reach_report_done(&reach);
    return 0;
}
