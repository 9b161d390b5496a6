/* Chunks of an ELF file: sections, their headers, symbols, names and relocations. */
#ifndef PARE_REDUCE_BINARY_CHUNK_ELF_H
#define PARE_REDUCE_BINARY_CHUNK_ELF_H

#include <stdbool.h>

#include "base/fail.h"
#include "reduce/binary/chunk_tree.h"

/* Looks whether the file is ELF with a table of sections, none of which overlap, and adds these and
 * the numbers about them to its chunk, which has no children; *found: it is.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_chunk_elf_read(pare_chunk_tree *tree, bool *found, pare_error *err);

#endif
