/* How the chunks of a run are laid out. */
#ifndef PARE_REDUCE_BINARY_CHUNK_LAYOUT_H
#define PARE_REDUCE_BINARY_CHUNK_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

#include "reduce/binary/chunk_coding.h"
#include "reduce/binary/chunk_tree.h"

/* What a length counts. */
typedef enum pare_chunk_counted {
    PARE_COUNTED_CONTENT,
    PARE_COUNTED_WHOLE,  /* all but what fills the chunk up */
    PARE_COUNTED_ITSELF, /* the same, from the length on */
    PARE_COUNTED_BIASED  /* the same, less `bias` bytes (and the length, where its width varies) */
} pare_chunk_counted;

/* Chunks are: `before` bytes, the length, `after` bytes, content, `trailer` bytes, and bytes up to a
 * multiple of `align`. */
typedef struct pare_chunk_layout {
    unsigned char before, width;
    pare_coding coding;
    unsigned char after, trailer, align;
    pare_chunk_counted counted;
    unsigned char bias;
    bool tagged; /* the first byte's low bits tell whether there is a length: protocol buffers */
    pare_chunk_number sum; /* in a trailer of PARE_CHUNK_SUM_BYTES: a checksum; LENGTH: none */
    pare_coding sum_coding;
    unsigned char
        sum_from; /* bytes behind the length; PARE_CHUNK_SUM_WHOLE: from the chunk's begin */
} pare_chunk_layout;

enum { PARE_CHUNK_SUM_BYTES = 4, PARE_CHUNK_SUM_WHOLE = 255 };

/* One chunk of a run. */
typedef struct pare_chunk_link {
    uint32_t at, width; /* of the length; a width of 0: there is none */
    uint32_t body, body_to, from, to;
    double bits;    /* how little it is by chance */
    uint64_t value; /* bytes of content, of those with a length */
    uint32_t n_pads;
} pare_chunk_link;

/* The chunk at `from`, which ends at `to` at the latest; false where there is none. */
bool pare_chunk_layout_read(const pare_chunk_tree *tree, const pare_chunk_layout *layout,
                            uint32_t from, uint32_t to, pare_chunk_link *link);

/* Looks for a checksum that the chunk ends with; false where there is none.  Else it is noted in
 * *layout, which has the bytes of it in its trailer then. */
bool pare_chunk_layout_find_sum(const pare_chunk_tree *tree, const pare_chunk_link *link,
                                pare_chunk_layout *layout);

/* Where the bytes begin that the layout's checksum is about, in this chunk. */
uint32_t pare_chunk_layout_sum_from(const pare_chunk_layout *layout, const pare_chunk_link *link);

/* How much likelier the value is as a length than as any bytes, in bits; below 0 for a large one, so
 * that noise adds up to nothing. */
double pare_chunk_layout_bits(pare_coding coding, uint32_t width, uint64_t value);

#endif
