/* Chunks of a WebAssembly module: sections, and what they list. */
#ifndef PARE_REDUCE_BINARY_CHUNK_WASM_H
#define PARE_REDUCE_BINARY_CHUNK_WASM_H

#include <stdbool.h>

#include "base/fail.h"
#include "reduce/binary/chunk_tree.h"

/* Whether bytes from .. to-1 begin as a module does. */
bool pare_chunk_wasm_is(const pare_chunk_tree *tree, uint32_t from, uint32_t to);

/* Adds what is found to `chunk`, of which a module is from .. to-1; *found: something was.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_chunk_wasm_read(pare_chunk_tree *tree, uint32_t chunk, uint32_t from,
                                            uint32_t to, bool *found, pare_error *err);

#endif
