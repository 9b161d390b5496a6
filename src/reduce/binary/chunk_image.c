/* Images: rows of equal width.
 *
 * How many rows there are, and how wide they are, say two neighbouring numbers at the begin of the file;
 * which ones they are is found out: their product must be the size of what is packed, or of the file
 * but for a header, to the byte, for one of a few depths and alignments.  In a file that is not packed
 * one more number has to agree (where the rows begin, or the size of them), or hardly
 * anything is left for a header, since so much could be the product of something.
 * A row is a chunk.  A column is no range of bytes: it is a chunk in each row, all of which are twins.
 * Rows that begin with how they differ from what is around them (0 to 4) are written as they are, without
 * differences, so that what is left keeps its colours when a neighbour goes.
 * Invariant: a file of which nothing goes is written as it was, for a member that was not changed is not
 * packed again.
 * Not found: columns of less than a byte, and of more than 2^15 points; images in several packed parts;
 * interlaced ones.
 * Source: ours; the differences are those of the PNG specification, 9 (filters). */
#include "reduce/binary/chunk_formats.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "reduce/binary/chunk_coding.h"
#include "reduce/binary/chunk_tree.h"

enum {
    HEAD_BYTES = 64,       /* in which the two numbers stand */
    MOST_HEADER = 1200,    /* bytes before rows that are not packed: a header and 256 colours */
    SHORT_HEADER = 32,     /* of these nothing has to be said.. */
    LEAST_UNTOLD = 512,    /* ..if there are as many bytes of rows */
    MOST_POINTS = 1 << 15, /* that become chunks */
    N_FILTERS = 5,
    WORD = 4
};

/* How an image is laid out. */
struct image {
    pare_coding coding;
    uint32_t width_at, height_at, number_bytes;
    uint32_t n_columns, n_rows;
    uint32_t bits;  /* of a point */
    uint32_t lead;  /* bytes before each row: 1 where it says how it differs */
    uint32_t align; /* of a row */
    uint32_t from;  /* where the first row begins */
};

static uint32_t number_at(const pare_chunk_tree *tree, pare_coding coding, uint32_t at,
                          uint32_t width)
{
    return (uint32_t)pare_chunk_coding_read(coding, width, tree->bytes + at, width).value;
}

/* Bytes of a row, without what fills it up: of 5 columns of 4 bits, 3, and one more where the row
 * begins with its filter. */
static uint64_t content_of(const struct image *image)
{
    return image->lead + ((uint64_t)image->n_columns * image->bits + 7) / 8;
}

/* From one row to the next: of 3 bytes aligned to 4, 4. */
static uint64_t stride_of(const struct image *image)
{
    const uint64_t bytes = content_of(image);
    return (bytes + image->align - 1) / image->align * image->align;
}

/* ---- whether it is one ------------------------------------------------------------------ */

/* Whether each row begins with the number of a filter, 0 to 4. Of random rows one in fifty does, so
 * many rows tell. */
static bool has_filters(const pare_chunk_tree *tree, const struct image *image)
{
    const uint32_t stride = (uint32_t)stride_of(image);
    for (uint32_t row = 0; row < image->n_rows; row++)
        if (tree->bytes[image->from + row * stride] >= N_FILTERS) return false;
    return true;
}

/* Whether a word before the rows says where they begin, or how many bytes they have, as the header
 * of BMP does. The words that overlap width and height do not count. */
static bool is_told(const pare_chunk_tree *tree, const struct image *image, uint32_t end)
{
    for (uint32_t at = 0; at + WORD <= image->from && at < HEAD_BYTES; at += 2) {
        const uint32_t value = number_at(tree, image->coding, at, WORD);
        const bool is_number = at + WORD > image->width_at && at + WORD > image->height_at &&
                               at < image->width_at + image->number_bytes;
        if (is_number) continue;
        if (value == image->from || value == end - image->from) return true;
    }
    return false;
}

/* Whether the rows end where `chunk` does, with a layout of which depth and alignment are given;
 * sets image->from. Of what is packed all must be rows; a file may have a header before them, and
 * is asked for more evidence. */
static bool fits(const pare_chunk_tree *tree, uint32_t chunk, struct image *image)
{
    const pare_chunk *at = &tree->chunks[chunk];
    const bool packed = at->packing != PARE_NO_CHUNK;
    const uint32_t size = at->body_to - at->body;
    const uint64_t bytes = stride_of(image) * image->n_rows;
    if (bytes > size) return false;
    image->from = at->body_to - (uint32_t)bytes;
    if (packed) return bytes == size && (!image->lead || has_filters(tree, image));
    const uint32_t last = image->width_at > image->height_at ? image->width_at : image->height_at;
    if (image->from < last + image->number_bytes || image->from > MOST_HEADER) return false;
    if (bytes < size / 2 || image->n_columns < 2) return false;
    return is_told(tree, image, at->body_to) ||
           (image->from <= SHORT_HEADER && bytes >= LEAST_UNTOLD && image->bits >= 8);
}

/* Tries all depths and alignments, the frequent ones first: 24 bits a point before 1. Packed rows
 * are not aligned, but begin with a byte of their own, as in PNG. */
static bool find_depth(const pare_chunk_tree *tree, uint32_t chunk, struct image *image)
{
    static const uint32_t depths[] = {24, 32, 8, 16, 48, 64, 1, 4, 2};
    const bool packed = tree->chunks[chunk].packing != PARE_NO_CHUNK;
    if (image->n_columns < 1 || image->n_rows < 2 || image->n_rows > tree->size) return false;
    if (image->n_columns > tree->size * 8U) return false;
    for (size_t i = 0; i < sizeof depths / sizeof *depths; i++)
        for (image->align = packed ? 1 : 4; image->align; image->align /= 2) {
            image->lead = packed;
            image->bits = depths[i];
            if (fits(tree, chunk, image)) return true;
        }
    return false;
}

/* Finds two neighbouring numbers, of two or four bytes in either order of bytes, of which either
 * may be the width, such that the image fits. A packed part looks for them in the file before it:
 * in PNG, IHDR is. */
static bool find_numbers(const pare_chunk_tree *tree, uint32_t chunk, struct image *image)
{
    static const pare_coding codings[] = {PARE_CODING_BIG, PARE_CODING_LITTLE};
    const uint32_t body = tree->chunks[chunk].body;
    const uint32_t end = tree->chunks[chunk].packing == PARE_NO_CHUNK ? tree->size : body;
    for (uint32_t bytes = WORD; bytes >= WORD / 2; bytes /= 2)
        for (size_t coding = 0; coding < sizeof codings / sizeof *codings; coding++)
            for (uint32_t at = 0; at + 2 * bytes <= end && at < HEAD_BYTES; at += 2)
                for (unsigned order = 0; order < 2; order++) {
                    image->coding = codings[coding];
                    image->number_bytes = bytes;
                    image->width_at = order ? at + bytes : at;
                    image->height_at = order ? at : at + bytes;
                    image->n_columns = number_at(tree, image->coding, image->width_at, bytes);
                    image->n_rows = number_at(tree, image->coding, image->height_at, bytes);
                    if (find_depth(tree, chunk, image)) return true;
                }
    return false;
}

/* ---- differences ------------------------------------------------------------------------ */

static int distance(int a, int b)
{
    return a < b ? b - a : a - b;
}

/* The value that the filter predicts for a byte, from those to its left, above it, and above its
 * left neighbour: 1 the left one, 2 the one above, 3 their mean, 4 (Paeth) the one that is nearest
 * to left + above - corner. */
static int expect(unsigned filter, int left, int above, int corner)
{
    const int sum = left + above - corner;
    const int by_left = distance(sum, left), by_above = distance(sum, above);
    switch (filter) {
    case 1: return left;
    case 2: return above;
    case 3: return (left + above) / 2;
    case 4: break;
    default: return 0;
    }
    if (by_left <= by_above && by_left <= distance(sum, corner)) return left;
    return by_above <= distance(sum, corner) ? above : corner;
}

/* Writes the rows without differences: each byte becomes what was predicted and what the file adds
 * to that, modulo 256, and the filter 0. Rows from the top, since a row is predicted from the plain
 * one above. The member's plain form gets the same, so that it counts as unchanged. */
static void make_plain(pare_chunk_tree *tree, const struct image *image,
                       pare_chunk_packing *packing)
{
    const uint32_t stride = (uint32_t)stride_of(image);
    const uint32_t point = image->bits < 8 ? 1 : image->bits / 8;
    for (uint32_t row = 0; row < image->n_rows; row++) {
        unsigned char *at = tree->bytes + image->from + row * stride;
        const unsigned filter = *at;
        const unsigned char *above = row ? at - stride : NULL;
        *at = 0;
        for (uint32_t i = 1; i < stride; i++) {
            const bool first = i <= point;
            at[i] = (unsigned char)(at[i] + expect(filter, first ? 0 : at[i - point],
                                                   above ? above[i] : 0,
                                                   first || !above ? 0 : above[i - point]));
        }
    }
    assert(packing->n_plain == stride * image->n_rows);
    memcpy(packing->plain, tree->bytes + image->from, packing->n_plain);
}

/* ---- what is noted ---------------------------------------------------------------------- */

/* The points of one row; each is a twin of that above it, whose chunk `last` has for its column. So
 * a column goes from all rows at once. */
static pare_status add_points(pare_chunk_tree *tree, const struct image *image, uint32_t row,
                              uint32_t *last, pare_error *err)
{
    const uint32_t from = tree->chunks[row].from + image->lead, bytes = image->bits / 8;
    pare_status status = PARE_OK;
    for (uint32_t i = 0; !status && i < image->n_columns; i++) {
        uint32_t point;
        status =
            pare_chunk_tree_add(tree, row, from + i * bytes, from + (i + 1) * bytes, &point, err);
        if (status || point == PARE_NO_CHUNK) break;
        tree->chunks[point].known = tree->chunks[point].solid = true;
        if (last[i] != PARE_NO_CHUNK) {
            const uint32_t first = tree->chunks[last[i]].twin;
            tree->chunks[point].twin = first == PARE_NO_CHUNK ? last[i] : first;
            tree->chunks[last[i]].twin = point;
        }
        last[i] = point;
    }
    return status;
}

/* Adds a row, with the bytes that fill it up; `last` is NULL where points are no chunks, because
 * there are too many, or they are less than a byte. */
static pare_status add_row(pare_chunk_tree *tree, const struct image *image, uint32_t parent,
                           uint32_t from, uint32_t *last, pare_error *err)
{
    const uint32_t stride = (uint32_t)stride_of(image), content = (uint32_t)content_of(image);
    uint32_t row;
    pare_status status = pare_chunk_tree_add(tree, parent, from, from + stride, &row, err);
    if (status || row == PARE_NO_CHUNK) return status;
    tree->chunks[row].known = tree->chunks[row].solid = true;
    if (last) status = add_points(tree, image, row, last, err);
    const pare_chunk_pad pad = {
        .at = from + content, .n = stride - content, .align = image->align, .from = from};
    return status || image->align == 1 ? status : pare_chunk_tree_pad(tree, &pad, err);
}

/* The numbers of rows and columns. */
static pare_status add_numbers(pare_chunk_tree *tree, const struct image *image, uint32_t rows,
                               bool columns, pare_error *err)
{
    pare_chunk_field field = {.number = PARE_NUMBER_COUNT,
                              .coding = image->coding,
                              .width = image->number_bytes,
                              .at = image->height_at,
                              .chunk = rows};
    pare_status status = pare_chunk_tree_field(tree, &field, err);
    field.number = PARE_NUMBER_COLUMNS;
    field.at = image->width_at;
    return status || !columns ? status : pare_chunk_tree_field(tree, &field, err);
}

/* Words before the rows that say where these begin, or how many bytes they or the file have. */
static pare_status add_sizes(pare_chunk_tree *tree, const struct image *image, uint32_t end,
                             pare_error *err)
{
    pare_status status = PARE_OK;
    for (uint32_t at = 0; !status && at + WORD <= image->from && at < HEAD_BYTES; at += 2) {
        const uint32_t value = number_at(tree, image->coding, at, WORD);
        pare_chunk_field field = {.number = PARE_NUMBER_LENGTH,
                                  .coding = image->coding,
                                  .width = WORD,
                                  .at = at,
                                  .to = end};
        if (value != image->from && value != end && value != end - image->from) continue;
        if (value == image->from) {
            field.number = PARE_NUMBER_POSITION;
            field.to = image->from;
        } else if (value != end) {
            field.from = image->from;
        }
        status = pare_chunk_tree_field(tree, &field, err);
        at += WORD - 2;
    }
    return status;
}

/* Makes a chunk of all rows, which stays, with rows and points in it, and notes the numbers. `last`
 * has room for a chunk for each column, or is NULL. */
static pare_status add_image(pare_chunk_tree *tree, uint32_t chunk, const struct image *image,
                             uint32_t *last, pare_error *err)
{
    const uint32_t end = tree->chunks[chunk].body_to, stride = (uint32_t)stride_of(image);
    const bool packed = tree->chunks[chunk].packing != PARE_NO_CHUNK;
    uint32_t rows;
    pare_status status = pare_chunk_tree_add(tree, chunk, image->from, end, &rows, err);
    if (status || rows == PARE_NO_CHUNK) return status;
    assert(stride && image->from + (uint64_t)stride * image->n_rows == end);
    tree->chunks[rows].fixed = tree->chunks[rows].known = tree->chunks[rows].grid = true;
    for (uint32_t i = 0; last && i < image->n_columns; i++)
        last[i] = PARE_NO_CHUNK;
    for (uint32_t from = image->from; !status && from < end; from += stride)
        status = add_row(tree, image, rows, from, last, err);
    if (!status) status = add_numbers(tree, image, rows, last != NULL, err);
    return status || packed ? status : add_sizes(tree, image, end, err);
}

pare_status pare_chunk_image_read(pare_chunk_tree *tree, uint32_t chunk, bool *found,
                                  pare_error *err)
{
    struct image image;
    const bool packed = tree->chunks[chunk].packing != PARE_NO_CHUNK;
    assert(tree->chunks[chunk].first == PARE_NO_CHUNK);
    if ((chunk && !packed) || !find_numbers(tree, chunk, &image)) return PARE_OK;
    const uint64_t points = (uint64_t)image.n_columns * image.n_rows;
    if (tree->n_chunks + image.n_rows + 1 >= PARE_CHUNK_MOST) return PARE_OK;
    uint32_t *last = NULL;
    *found = true;
    if (image.lead) make_plain(tree, &image, &tree->packings[tree->chunks[chunk].packing]);
    if (image.bits >= 8 && points <= MOST_POINTS &&
        tree->n_chunks + points + image.n_rows + 1 < PARE_CHUNK_MOST) {
        last = pare_alloc(image.n_columns, sizeof *last);
        if (!last) return pare_fail_nomem(err);
    }
    pare_status status = add_image(tree, chunk, &image, last, err);
    pare_alloc_free(last);
    return status;
}
