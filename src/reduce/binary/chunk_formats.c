/* Chunks of formats that are known by their headers. */
#include "reduce/binary/chunk_formats.h"

pare_status pare_chunk_formats_read(pare_chunk_tree *tree, uint32_t chunk, bool *found,
                                    pare_error *err)
{
    (void)tree;
    (void)chunk;
    (void)err;
    *found = false;
    return PARE_OK;
}
