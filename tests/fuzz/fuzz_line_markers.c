/* Texts of any content as preprocessed ones: stretches ascend, lie in the text, and are found. */
#include <stdint.h>
#include <stdlib.h>

#include "text/line_markers.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    pare_line_markers markers = {.n = 0};
    const char *text = size ? (const char *)data : "";
    require(!pare_line_markers_read(text, size, &markers, NULL));
    for (size_t i = 0; i < markers.n; i++) {
        const pare_line_stretch *self = &markers.stretches[i];
        require(self->begin < self->content && self->content <= size);
        require(!i || markers.stretches[i - 1].content <= self->begin);
        require((size_t)self->file + self->file_size <= size);
        require(pare_line_markers_at(&markers, self->begin) == self);
        require(pare_line_markers_at(&markers, self->content - 1) == self);
        require(!pare_line_markers_is_plain(&markers, self->begin, self->content));
    }
    pare_line_markers_done(&markers);
    return 0;
}
