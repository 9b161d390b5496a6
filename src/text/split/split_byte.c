/* Bytes as units: nothing to look for. */
#include "text/split/cut.h"
#include "text/split/split.h"

static pare_status split(const unsigned char *bytes, size_t size, pare_bounds *out, pare_error *err)
{
    (void)bytes;
    (void)err;
    *out = (pare_bounds){.n = size};
    return PARE_OK;
}

const pare_splitter pare_split_byte = {
    .info = {.name = "byte", .summary = "single bytes"},
    .split = split,
};
