/* Writes what is left of a file of chunks.
 *
 * One walk over the plain bytes notes for each where it comes to stand; the numbers follow from
 * that, whatever was cut and however chunks are nested: a length is the distance of two places.
 * Where numbers may become narrower (tight, and always those of DER) the walk is made again until
 * none does; a narrower one makes others smaller only, so that it ends.
 * Spaces are written from the innermost out: a member is packed when its own numbers are right, and
 * checksums come after the other numbers of their space, the smaller ranges first.
 * Invariant: what was not changed is written as it was.
 * Cost: O(plain bytes), and the packing of each member that was changed. */
#include "reduce/binary/chunk_writer.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/halving.h"
#include "reduce/binary/chunk_coding.h"
#include "text/packing.h"

enum { MOST_WALKS = 6 };

/* A walk; spaces[0] is the file. */
struct writer {
    const pare_chunk_tree *tree;
    const pare_chunk_edits *edits;
    uint32_t *places;  /* of each plain byte in its space, and of the end */
    uint32_t *widths;  /* of each field */
    uint64_t *numbers; /* of each field, without shift and bias */
    uint32_t *ends;    /* of each pad: where what it fills up ends */
    uint32_t *left;    /* of each in the tree's list of children: how many are left up to it, itself
                          among them; of the chunks that are `counted` */
    bool *counted;     /* of each chunk */
    uint32_t *marks;   /* of each mark: how many are left up to it, itself among them */
    pare_buffer spaces[PARE_CHUNK_MOST_PACKINGS + 1];
    pare_error *err;
};

/* ---- the walk ----------------------------------------------------------------------------- */

static pare_status put(pare_buffer *space, const void *bytes, size_t n, pare_error *err)
{
    return n ? pare_buffer_add(space, bytes, n, err) : PARE_OK;
}

/* The end of the run of bytes that are all kept, or all gone, as the one at `from` is. */
static uint32_t run_end(const unsigned char *kept, uint32_t from, uint32_t to)
{
    const unsigned char *end = memchr(kept + from, !kept[from], to - from);
    return end ? (uint32_t)(end - kept) : to;
}

/* Bytes from .. to, in which nothing but cuts happens.  Runs are found first, so that the loops over
 * their bytes have no branch. */
static pare_status write_run(struct writer *writer, pare_buffer *space, uint32_t from, uint32_t to)
{
    const unsigned char *kept = writer->edits->kept;
    uint32_t *places = writer->places;
    for (uint32_t at = from, end; at < to; at = end) {
        const uint32_t place = (uint32_t)space->size;
        end = run_end(kept, at, to);
        if (!kept[at]) {
            for (uint32_t i = at; i < end; i++)
                places[i] = place;
            continue;
        }
        for (uint32_t i = at; i < end; i++)
            places[i] = place + (i - at);
        pare_status status = put(space, writer->tree->bytes + at, end - at, writer->err);
        if (status) return status;
    }
    return PARE_OK;
}

/* Whether all of from .. from+n-1 is left. A number of which a byte has gone is written as the
 * bytes that are left, and not corrected. */
static bool is_whole(const struct writer *writer, uint32_t from, uint32_t n)
{
    return !n || !memchr(writer->edits->kept + from, 0, n);
}

/* Makes room for a number that changes its width. Its bytes are blank until set_field fills them
 * in: what it says may depend on what follows. */
static pare_status write_field(struct writer *writer, pare_buffer *space, uint32_t index)
{
    const pare_chunk_field *field = &writer->tree->fields[index];
    static const unsigned char blank[PARE_CODING_MOST_BYTES];
    for (uint32_t i = 0; i < field->width; i++)
        writer->places[field->at + i] = (uint32_t)space->size;
    return put(space, blank, writer->widths[index], writer->err);
}

/* Bytes of from .. from+n-1 that are left. */
static uint32_t count_kept(const struct writer *writer, uint32_t from, uint32_t n)
{
    uint32_t left = 0;
    for (uint32_t i = from; i < from + n; i++)
        left += writer->edits->kept[i] != 0;
    return left;
}

/* Writes as many bytes as pad what is left of the chunk to its alignment: none if nothing is left.
 * If it takes as many as in the file, these are written; else `fill`. A chunk of 5 bytes and 3 of
 * padding (align 4) that has lost one byte gets none. */
static pare_status write_pad(struct writer *writer, pare_buffer *space, uint32_t index)
{
    const pare_chunk_pad *pad = &writer->tree->pads[index];
    const uint32_t size = (uint32_t)space->size - writer->places[pad->from] +
                          count_kept(writer, pad->at + pad->n, pad->behind);
    const uint32_t n = (pad->align - size % pad->align) % pad->align;
    writer->ends[index] = (uint32_t)space->size;
    for (uint32_t i = 0; i < pad->n; i++)
        writer->places[pad->at + i] = (uint32_t)space->size;
    if (!size || !n) return PARE_OK;
    if (n == pad->n) return put(space, writer->tree->bytes + pad->at, n, writer->err);
    pare_status status = pare_buffer_reserve(space, n, writer->err);
    if (status) return status;
    memset(space->data + space->size, pad->fill, n);
    space->size += n;
    return PARE_OK;
}

/* Writes the member as it was, if its plain bytes are, else packed anew. It has gone if its first
 * mark has. So a file of which nothing goes is the same to the byte, whatever compressor made it.
 */
static pare_status write_packing(struct writer *writer, pare_buffer *space, uint32_t index)
{
    const pare_chunk_packing *packing = &writer->tree->packings[index];
    const pare_buffer *plain = &writer->spaces[index + 1];
    writer->places[packing->from] = (uint32_t)space->size;
    if (!writer->edits->kept[packing->from]) return PARE_OK;
    if (plain->size == packing->n_plain &&
        (!plain->size || memcmp(plain->data, packing->plain, plain->size) == 0))
        return put(space, packing->packed, packing->n_packed, writer->err);
    return pare_packing_close(packing->codec, (const unsigned char *)plain->data, plain->size,
                              space, writer->err);
}

/* The next item of each list in a walk through the file; every list ascends. */
struct cursors {
    uint32_t field, pad, packing;
};

/* The packing that begins first from `at` on; of nested ones that is the outer one, whose marks
 * enclose the other's. PARE_NO_CHUNK: none. */
static uint32_t next_packing(const pare_chunk_tree *tree, uint32_t at)
{
    uint32_t found = PARE_NO_CHUNK;
    for (uint32_t i = 0; i < tree->n_packings; i++)
        if (tree->packings[i].from >= at &&
            (found == PARE_NO_CHUNK || tree->packings[i].from < tree->packings[found].from))
            found = i;
    return found;
}

/* Moves the cursors to the first of each list from `at` on. Fields that keep their width are passed
 * over: their bytes are copied with the run around them. */
static void seek(const struct writer *writer, struct cursors *cursors, uint32_t at)
{
    const pare_chunk_tree *tree = writer->tree;
    while (cursors->field < tree->n_fields &&
           (tree->fields[cursors->field].at < at ||
            writer->widths[cursors->field] == tree->fields[cursors->field].width))
        cursors->field++;
    while (cursors->pad < tree->n_pads && tree->pads[cursors->pad].at < at)
        cursors->pad++;
    cursors->packing = next_packing(tree, at);
}

/* Writes what stands at `*at`, a pad, a packing or a number that changes its width, or the bytes
 * before the next of them, and moves `*at` behind that. A packing is passed over as a whole: its
 * plain bytes are in a space of their own, written before. */
static pare_status write_next(struct writer *writer, pare_buffer *space, struct cursors *cursors,
                              uint32_t *at, uint32_t to)
{
    const pare_chunk_tree *tree = writer->tree;
    uint32_t end = to;
    pare_status status;
    seek(writer, cursors, *at);
    const pare_chunk_field *field =
        cursors->field < tree->n_fields ? &tree->fields[cursors->field] : NULL;
    const pare_chunk_pad *pad = cursors->pad < tree->n_pads ? &tree->pads[cursors->pad] : NULL;
    const pare_chunk_packing *packing =
        cursors->packing == PARE_NO_CHUNK ? NULL : &tree->packings[cursors->packing];
    if (pad && pad->at == *at) {
        *at += pad->n;
        return write_pad(writer, space, cursors->pad++);
    }
    if (packing && packing->from == *at) {
        status = write_packing(writer, space, cursors->packing);
        *at = packing->to;
        return status;
    }
    if (field && field->at == *at && is_whole(writer, field->at, field->width)) {
        status = write_field(writer, space, cursors->field);
        *at += field->width;
        return status;
    }
    if (field && field->at == *at) {
        cursors->field++;
        return PARE_OK;
    }
    if (packing && packing->from < end) end = packing->from;
    if (pad && pad->at < end) end = pad->at;
    if (field && field->at < end) end = field->at;
    /* All that may stand at *at was looked at above, so this step goes on. */
    assert(*at < end && end <= to);
    status = write_run(writer, space, *at, end);
    *at = end;
    return status;
}

/* Writes the bytes of one space: 0 is the file, others are what a packing holds, without its marks.
 * Inner spaces have higher numbers and are written before. */
static pare_status write_space(struct writer *writer, uint32_t index)
{
    const pare_chunk_tree *tree = writer->tree;
    pare_buffer *space = &writer->spaces[index];
    struct cursors cursors = {0};
    uint32_t at = index ? tree->packings[index - 1].from + 1 : 0;
    const uint32_t to = index ? tree->packings[index - 1].to - 1 : tree->size;
    pare_status status = PARE_OK;
    pare_buffer_reset(space);
    while (!status && at < to)
        status = write_next(writer, space, &cursors, &at, to);
    /* A chunk at the very end may have to be filled up, too. */
    for (; !status && cursors.pad < tree->n_pads && tree->pads[cursors.pad].at <= to; cursors.pad++)
        if (tree->pads[cursors.pad].at == to && !tree->pads[cursors.pad].n)
            status = write_pad(writer, space, cursors.pad);
    writer->places[to] = (uint32_t)space->size;
    return status;
}

/* ---- numbers ------------------------------------------------------------------------------ */

/* Counts the children of a chunk of which anything is left, once for all numbers that ask: a table of
 * symbols has thousands that count the same sections. */
static const uint32_t *count_left(const struct writer *writer, uint32_t chunk)
{
    const pare_chunk_tree *tree = writer->tree;
    const uint32_t first = tree->chunks[chunk].children, n = tree->chunks[chunk].n_children;
    if (!writer->counted[chunk])
        for (uint32_t i = 0, sum = 0; i < n; i++) {
            const pare_chunk *child = &tree->chunks[tree->children[first + i]];
            sum += memchr(writer->edits->kept + child->from, 1, child->to - child->from) != NULL;
            writer->left[first + i] = sum;
        }
    writer->counted[chunk] = true;
    return writer->left + first;
}

/* Children that begin before `to` of which anything is left: halving finds the place among all,
 * `left` how many of those before it are. O(log children) after the first number that asks. */
static uint64_t count_children(const struct writer *writer, uint32_t chunk, uint32_t to)
{
    const pare_chunk_tree *tree = writer->tree;
    const uint32_t *children = tree->children + tree->chunks[chunk].children;
    const uint32_t *left = count_left(writer, chunk);
    pare_halving search = {.low = 0, .high = tree->chunks[chunk].n_children};
    while (pare_halving_next(&search))
        pare_halving_tell(&search, tree->chunks[children[search.middle]].from < to);
    return search.low ? left[search.low - 1] : 0;
}

/* Marks that are left before `to`. */
static uint64_t count_marks(const struct writer *writer, uint32_t to)
{
    const pare_chunk_tree *tree = writer->tree;
    pare_halving search = {.low = 0, .high = tree->n_marks};
    while (pare_halving_next(&search))
        pare_halving_tell(&search, tree->marks[search.middle] < to);
    return search.low ? writer->marks[search.low - 1] : 0;
}

/* Children that are left of the first row that is: all rows lose the same ones. 0 if no row is
 * left. */
static uint64_t count_columns(const struct writer *writer, uint32_t grid)
{
    const pare_chunk *chunks = writer->tree->chunks;
    const unsigned char *kept = writer->edits->kept;
    for (uint32_t i = chunks[grid].first; i != PARE_NO_CHUNK; i = chunks[i].next)
        if (memchr(kept + chunks[i].from, 1, chunks[i].to - chunks[i].from))
            return count_children(writer, i, writer->tree->size);
    return 0;
}

/* The space of what a field is about, which may be within the one that the field stands in: the CRC
 * of a gzip member stands in the file and is that of the plain bytes. */
static uint32_t space_of(const struct writer *writer, const pare_chunk_field *field)
{
    const pare_chunk_tree *tree = writer->tree;
    for (uint32_t i = tree->n_packings; i-- > 0;)
        if (field->from > tree->packings[i].from && field->to < tree->packings[i].to) return i + 1;
    return 0;
}

/* Where the bytes of the field end now: without the padding after them, if that padding begins at
 * their end. */
static uint32_t end_of(const struct writer *writer, const pare_chunk_field *field)
{
    const pare_chunk_tree *tree = writer->tree;
    pare_halving search = {.low = 0, .high = tree->n_pads};
    while (pare_halving_next(&search))
        pare_halving_tell(&search, tree->pads[search.middle].at < field->to);
    bool fills = search.low < tree->n_pads && tree->pads[search.low].at == field->to &&
                 tree->pads[search.low].from <= field->from && !tree->pads[search.low].behind;
    return fills ? writer->ends[search.low] : writer->places[field->to];
}

/* The field in what a link names that names the next one; NULL: it is the last one. */
static const pare_chunk_field *next_link(const struct writer *writer, const pare_chunk_field *field)
{
    const pare_chunk_tree *tree = writer->tree;
    const uint32_t at = field->link - 1;
    pare_halving search = {.low = 0, .high = tree->n_fields};
    while (pare_halving_next(&search))
        pare_halving_tell(&search, tree->fields[search.middle].at < at);
    const bool found = search.low < tree->n_fields && tree->fields[search.low].at == at;
    return found && tree->fields[search.low].link ? &tree->fields[search.low] : NULL;
}

/* The position of the first of the chain that is left; without one, the number that is written is 0
 * (the bias is added later). Of directories A -> B -> C without B, the number in A is that of C. A
 * ring of links ends after as many steps as there are fields. */
static uint64_t follow(const struct writer *writer, const pare_chunk_field *field)
{
    const pare_chunk_field *link = field;
    for (uint32_t i = 0; link && !writer->edits->kept[link->to]; i++)
        link = i < writer->tree->n_fields ? next_link(writer, link) : NULL;
    return link ? writer->places[link->to] - writer->places[link->from] : (uint64_t)0 - field->bias;
}

/* The number by what was written. */
static uint64_t number_of(const struct writer *writer, const pare_chunk_field *field)
{
    const uint32_t unit = field->unit ? field->unit : 1;
    if (field->link) return follow(writer, field);
    if (field->number == PARE_NUMBER_COUNT)
        return count_children(writer, field->chunk, writer->tree->size) * unit;
    if (field->number == PARE_NUMBER_INDEX)
        return field->unit && !writer->edits->kept[field->to]
                   ? (uint64_t)0 - field->bias
                   : count_children(writer, field->chunk, field->to);
    if (field->number == PARE_NUMBER_MARKS) return count_marks(writer, field->to);
    if (field->number == PARE_NUMBER_COLUMNS) return count_columns(writer, field->chunk);
    if (field->number == PARE_NUMBER_PRESENT) return writer->edits->kept[field->to] ? unit : 0;
    const uint32_t from = writer->places[field->from], to = end_of(writer, field);
    const uint32_t n = to > from ? to - from : 0;
    if (field->number == PARE_NUMBER_LENGTH) return n / unit;
    if (field->number == PARE_NUMBER_POSITION) return n;
    if (field->number == PARE_NUMBER_BACKWARD) return (uint64_t)0 - n;
    const pare_buffer *space = &writer->spaces[space_of(writer, field)];
    static const unsigned char none[1];
    const unsigned char *bytes = n ? (const unsigned char *)space->data + from : none;
    if (field->number == PARE_NUMBER_CRC32) return pare_chunk_coding_crc32(bytes, n);
    if (field->number == PARE_NUMBER_ADLER32) return pare_chunk_coding_adler32(bytes, n);
    if (field->number == PARE_NUMBER_CRC32_OGG)
        return pare_chunk_coding_crc32_ogg(bytes, n, writer->places[field->at] - from);
    if (field->number == PARE_NUMBER_SHA1)
        return pare_chunk_coding_sha1(bytes, n, field->unit, field->width);
    const unsigned char *own = (const unsigned char *)writer->spaces[field->space].data;
    if (!is_whole(writer, field->at, field->width)) return 0;
    return pare_chunk_coding_sum(bytes, n) -
           pare_chunk_coding_sum(own + writer->places[field->at], field->width) +
           (uint64_t)' ' * field->width;
}

/* Writes what is left of a value that fits into the place of its position, instead of that; false:
 * it does not, or it stood there before. Of a TIFF's entry whose array of three numbers has one
 * left, that number. */
static bool put_inline(struct writer *writer, const pare_chunk_field *field, unsigned char *to)
{
    if (!field->inlined) return false;
    const uint32_t from = writer->places[field->to], n = writer->places[field->inlined] - from;
    if (!n || n > field->width || field->inlined - field->to <= field->width) return false;
    memset(to, 0, field->width);
    memcpy(to, writer->spaces[space_of(writer, field)].data + from, n);
    return true;
}

/* Writes the field's number in its place, if all of it is left; notes it in any case. */
static void set_field(struct writer *writer, uint32_t index)
{
    const pare_chunk_field *field = &writer->tree->fields[index];
    const uint64_t shift = writer->edits->shifts ? writer->edits->shifts[index] : 0;
    writer->numbers[index] = number_of(writer, field);
    if (!is_whole(writer, field->at, field->width)) return;
    const uint64_t value = writer->numbers[index] + field->bias + shift;
    unsigned char *to =
        (unsigned char *)writer->spaces[field->space].data + writer->places[field->at];
    if (put_inline(writer, field, to)) return;
    const pare_coded there = pare_chunk_coding_read(field->coding, field->width,
                                                    writer->tree->bytes + field->at, field->width);
    /* A number that does not change stays as it was written, even if it could be written
     * shorter. */
    if (there.value == value && writer->widths[index] == field->width)
        memcpy(to, writer->tree->bytes + field->at, field->width);
    else
        pare_chunk_coding_write(field->coding, writer->widths[index], value, to);
}

/* Lengths, positions and counts of one space, then its checksums, the smaller ranges first. */
static void set_fields(struct writer *writer, uint32_t space)
{
    const pare_chunk_tree *tree = writer->tree;
    for (uint32_t i = 0; i < tree->n_fields; i++)
        if (tree->fields[tree->order[i]].space == space) set_field(writer, tree->order[i]);
}

/* Makes fields narrower that may be; returns whether any was. Digits and DER have one right form
 * for each number; LEB and EBML may be padded, so these become narrower only if candidates are to
 * be tight. Nothing becomes wider, or walks would not end. */
static bool narrow(struct writer *writer)
{
    bool changed = false;
    for (uint32_t i = 0; i < writer->tree->n_fields; i++) {
        const pare_chunk_field *field = &writer->tree->fields[i];
        const bool free_width =
            field->coding == PARE_CODING_DER || field->coding == PARE_CODING_DIGITS ||
            ((field->coding == PARE_CODING_LEB || field->coding == PARE_CODING_HIGH ||
              field->coding == PARE_CODING_EBML) &&
             writer->edits->tight);
        const uint64_t shift = writer->edits->shifts ? writer->edits->shifts[i] : 0;
        const uint64_t value = writer->numbers[i] + field->bias + shift;
        /* DER and digits are left as they were as long as their number is. */
        if (!free_width ||
            (!writer->edits->tight && !shift &&
             writer->numbers[i] + field->bias ==
                 pare_chunk_coding_read(field->coding, field->width,
                                        writer->tree->bytes + field->at, field->width)
                     .value))
            continue;
        const uint32_t width = pare_chunk_coding_width(field->coding, field->width, value);
        if (width >= writer->widths[i]) continue;
        writer->widths[i] = width;
        changed = true;
    }
    return changed;
}

/* Writes all spaces, the innermost first, each with its numbers: a member is packed when its own
 * numbers are in place. */
static pare_status walk(struct writer *writer)
{
    pare_status status = PARE_OK;
    for (uint32_t i = writer->tree->n_packings + 1; !status && i-- > 0;) {
        status = write_space(writer, i);
        if (!status) set_fields(writer, i);
    }
    return status;
}

/* Walks until no field becomes narrower, MOST_WALKS + 1 times at most; then some are wider than
 * they need be, and still right. */
static pare_status walk_until_narrow(struct writer *writer)
{
    for (unsigned i = 0;; i++) {
        pare_status status = walk(writer);
        if (status || i == MOST_WALKS || !narrow(writer)) return status;
    }
}

/* The widths of numbers are those of the input at first; each walk may find that a number fits into
 * fewer bytes, which moves everything after it, so walks are repeated until no width changes. */
pare_status pare_chunk_writer_write(const pare_chunk_tree *tree, const pare_chunk_edits *edits,
                                    pare_buffer *out, uint64_t *values, pare_error *err)
{
    struct writer writer = {.tree = tree, .edits = edits, .err = err};
    writer.places = pare_alloc_zero((size_t)tree->size + 1, sizeof *writer.places);
    writer.widths = pare_alloc(tree->n_fields, sizeof *writer.widths);
    writer.numbers = pare_alloc_zero(tree->n_fields, sizeof *writer.numbers);
    writer.ends = pare_alloc_zero(tree->n_pads, sizeof *writer.ends);
    writer.left = pare_alloc(tree->n_chunks, sizeof *writer.left);
    writer.counted = pare_alloc_zero(tree->n_chunks, sizeof *writer.counted);
    writer.marks = pare_alloc(tree->n_marks, sizeof *writer.marks);
    bool nomem = !writer.marks || !writer.places || !writer.widths || !writer.numbers ||
                 !writer.ends || !writer.left || !writer.counted;
    for (uint32_t i = 0; !nomem && i < tree->n_fields; i++)
        writer.widths[i] = tree->fields[i].width;
    for (uint32_t i = 0, sum = 0; !nomem && i < tree->n_marks; i++)
        writer.marks[i] = sum += edits->kept[tree->marks[i]] != 0;
    pare_status status = nomem ? pare_fail_nomem(err) : walk_until_narrow(&writer);
    if (!status) status = put(out, writer.spaces[0].data, writer.spaces[0].size, err);
    for (uint32_t i = 0; !status && values && i < tree->n_fields; i++)
        values[i] = writer.numbers[i];
    for (uint32_t i = 0; i <= tree->n_packings; i++)
        pare_buffer_done(&writer.spaces[i]);
    pare_alloc_free(writer.places);
    pare_alloc_free(writer.widths);
    pare_alloc_free(writer.numbers);
    pare_alloc_free(writer.ends);
    pare_alloc_free(writer.left);
    pare_alloc_free(writer.counted);
    pare_alloc_free(writer.marks);
    return status;
}
