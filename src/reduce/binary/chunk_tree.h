/* Chunks of a binary file: which ranges of bytes are a whole, and which numbers speak about them.
 *
 * Positions are those of the plain bytes: the file, in which each member that could be unpacked
 * stands in its plain form, between two bytes that stand for its begin and its end.  The byte
 * before belongs to what is around the member, the one after to the member, so that the size of
 * either is the distance of two positions.
 *
 * A tree is made by one thread (chunk_finder.h), and does not change after pare_chunk_tree_seal;
 * then states share it by reference. */
#ifndef PARE_REDUCE_BINARY_CHUNK_TREE_H
#define PARE_REDUCE_BINARY_CHUNK_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/fail.h"
#include "reduce/binary/chunk_coding.h"
#include "text/packing.h"
#include "text/text.h"

#define PARE_NO_CHUNK UINT32_MAX

enum {
    PARE_CHUNK_MOST = 1 << 16,          /* chunks of a tree */
    PARE_CHUNK_MOST_DEPTH = 24,         /* of chunks in chunks */
    PARE_CHUNK_MOST_TWINS = 8,          /* that go together, but for those of a grid */
    PARE_CHUNK_MOST_PACKINGS = 64,      /* members that are unpacked */
    PARE_CHUNK_MOST_BYTES = 1 << 26,    /* of a file */
    PARE_CHUNK_MOST_UNPACKED = 1 << 24, /* that unpacking adds to it, so that a bomb stays packed */
    PARE_CHUNK_MOST_OPENED =
        1 << 28 /* that are unpacked in all, whatever comes of them: so many bombs */
};

/* A chunk; children ascend, do not overlap and lie in their parent.  What of a chunk is in none of
 * its children is its head and its tail. */
typedef struct pare_chunk {
    uint32_t from, to;
    uint32_t parent, first, last, next; /* PARE_NO_CHUNK: none */
    uint32_t twin; /* goes with it: an entry in a table of contents; of several the next one, in a
                      ring; PARE_NO_CHUNK: none */
    uint32_t depth;
    uint32_t n_children;
    uint32_t children;      /* sealed: where they begin in the tree's list of children */
    uint32_t body, body_to; /* what else may be found in it: without its head and its tail */
    uint32_t packing;       /* that makes it; PARE_NO_CHUNK: it is as in the file */
    uint32_t layout;        /* of its run, as the search for runs knows it, plus 1; 0: of none */
    bool known;             /* its bytes are no chunks that could be found */
    bool fixed;             /* what is around it cannot do without it; what is in it may go */
    bool solid;             /* its own bytes, but for its children's, go only with all of it */
    bool value;             /* may stand in the place of any other that is one */
    bool grid;              /* its children are rows: theirs go from all of them, as twins */
} pare_chunk;

typedef enum pare_chunk_number {
    PARE_NUMBER_LENGTH,   /* bytes from .. to */
    PARE_NUMBER_POSITION, /* of `to`, counted from `from` */
    PARE_NUMBER_BACKWARD, /* the same of `from`, counted from `to`: below 0 */
    PARE_NUMBER_COUNT,    /* children of a chunk */
    PARE_NUMBER_INDEX,    /* the same, of those that begin before `to` */
    PARE_NUMBER_MARKS,    /* marks before `to` that are left */
    PARE_NUMBER_COLUMNS,  /* children of the first child of a chunk that is left */
    PARE_NUMBER_PRESENT,  /* `unit` if the byte at `to` is left, else 0 */
    PARE_NUMBER_CRC32,    /* of bytes from .. to, as the others below */
    PARE_NUMBER_ADLER32,
    PARE_NUMBER_CRC32_OGG, /* its own bytes count as 0 */
    PARE_NUMBER_SUM,       /* its own bytes count as blanks: tar */
    PARE_NUMBER_SHA1       /* bytes 8 * `unit` and on of the digest, as many as it is wide */
} pare_chunk_number;

/* A number that follows from other bytes.  One that is wrong in the file stays wrong by as much. */
typedef struct pare_chunk_field {
    pare_chunk_number number;
    pare_coding coding;
    uint32_t at, width;
    uint32_t from, to;
    uint32_t chunk;  /* COUNT, INDEX, COLUMNS */
    uint64_t bias;   /* is added, modulo 2^64 */
    uint32_t space;  /* the packing in which it stands plus 1; 0: the file */
    uint32_t target; /* the chunk that it names plus 1, which goes when no number names it any more;
                        0: none */
    uint32_t
        unit; /* LENGTH: bytes of what it counts; COUNT: how much each counts; PRESENT; 0: 1; SHA1;
                        INDEX: not 0: the number is 0 when its target has gone */
    uint32_t
        link; /* POSITION: where the number plus 1 stands, in what begins at `to`, that names the
                        next one, which it names itself when this is gone; 0 when all are; 0: none */
    uint32_t
        inlined; /* POSITION: the end of the value at `to`, which stands in the place of the number
                         when it fits there; 0: it never does */
} pare_chunk_field;

/* Bytes that fill a chunk up: `n` at `at` so that the size since `from`, with what is left of the
 * `behind` bytes after them, is a multiple of `align`. */
typedef struct pare_chunk_pad {
    uint32_t at, n, align, from;
    uint32_t behind;
    unsigned char fill; /* what more of them are */
} pare_chunk_pad;

/* A member that stands in its plain form: bytes from .. to, its two marks among them. */
typedef struct pare_chunk_packing {
    uint32_t from, to;
    pare_packing_codec codec;
    unsigned char *packed, *plain; /* owned; as they were */
    uint32_t n_packed, n_plain;
} pare_chunk_packing;

typedef struct pare_chunk_tree {
    size_t references;
    unsigned char *bytes; /* owned; plain */
    uint32_t size;
    uint32_t most;      /* that `size` may become */
    uint32_t opened;    /* bytes that were unpacked so far, those that were dropped among them */
    pare_chunk *chunks; /* owned; the first one is the file */
    uint32_t n_chunks;
    size_t chunk_capacity;
    uint32_t
        *children; /* owned; sealed: all but the file, those of one chunk together, ascending */
    pare_chunk_field *fields; /* owned; sealed: by place, without overlaps */
    uint32_t n_fields;
    size_t field_capacity;
    uint32_t
        *n_names;    /* owned; sealed: of each chunk, how many fields name it as their target; NULL:
                          none does */
    uint32_t *order; /* owned; fields as they are to be written: checksums last, inner ones first */
    pare_chunk_pad *pads; /* owned; ascending once sealed */
    uint32_t n_pads;
    size_t pad_capacity;
    uint32_t *marks; /* owned; ascending: bytes that numbers count wherever they are */
    uint32_t n_marks;
    size_t mark_capacity;
    pare_chunk_packing packings[PARE_CHUNK_MOST_PACKINGS]; /* inner ones after outer ones */
    uint32_t n_packings;
} pare_chunk_tree;

/* A tree of one chunk, a copy of the `n` bytes.  On PARE_OK the caller owns *out, one reference.
 * Errors: PARE_E_NOMEM, PARE_E_LIMIT (more than PARE_CHUNK_MOST_BYTES). */
PARE_CHECK pare_status pare_chunk_tree_new(const unsigned char *bytes, size_t n,
                                           pare_chunk_tree **out, pare_error *err);
pare_chunk_tree *pare_chunk_tree_ref(pare_chunk_tree *tree);
void pare_chunk_tree_unref(pare_chunk_tree *tree); /* NULL is a no-op */

/* Adds a chunk after the children that `parent` has.  *index is its place, or PARE_NO_CHUNK when it
 * does not fit there, is empty, or when there are enough.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_chunk_tree_add(pare_chunk_tree *tree, uint32_t parent, uint32_t from,
                                           uint32_t to, uint32_t *index, pare_error *err);

/* Adds a field of which all but width, bias and space is given (the width, too, where the coding
 * wants it), if there is a number.  A checksum that does not agree is left out.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_chunk_tree_field(pare_chunk_tree *tree, const pare_chunk_field *field,
                                             pare_error *err);

/* Adds a mark after those that there are.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_chunk_tree_mark(pare_chunk_tree *tree, uint32_t at, pare_error *err);

/* Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_chunk_tree_pad(pare_chunk_tree *tree, const pare_chunk_pad *pad,
                                           pare_error *err);

/* Unpacks the member with which `packed`, bytes of the tree, begins, as far as there is room for it, to the end of `plain`,
 * which is empty; *used is how many bytes it has, 0: it is none, or too large.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_chunk_tree_open(pare_chunk_tree *tree, pare_packing_codec codec,
                                            pare_span packed, pare_buffer *plain, size_t *used,
                                            pare_error *err);

/* Puts `chunk`, which is in no ring yet, into the ring of twins of `other`: they go together. */
void pare_chunk_tree_link_twins(pare_chunk_tree *tree, uint32_t other, uint32_t chunk);

/* Puts the plain form of a childless chunk that is packed by `codec` in its place; *done says whether
 * that could be done: all of it is one packed member, there is memory and room for more, and the
 * library.  Its plain bytes are those between its first and its last byte then.  What has numbers
 * about it must have been added before, and what stands behind it moves.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_chunk_tree_unpack(pare_chunk_tree *tree, uint32_t chunk,
                                              pare_packing_codec codec, bool *done,
                                              pare_error *err);

/* The same with a plain form that is given, and that a changed candidate has in the place of the chunk, too.  `plain` is
 * borrowed.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_chunk_tree_rewrite(pare_chunk_tree *tree, uint32_t chunk,
                                               const pare_buffer *plain, bool *done,
                                               pare_error *err);

/* Sorts fields and drops those that overlap another.  The tree does not change after that.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_chunk_tree_seal(pare_chunk_tree *tree, pare_error *err);

/* Whether the invariants hold, of a sealed tree. */
bool pare_chunk_tree_check(const pare_chunk_tree *tree);

#endif
