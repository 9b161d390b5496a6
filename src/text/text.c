/* Texts as segments over a shared store, with prefix hashes.
 *
 * A store knows the hash of every PARE_TEXT_STRIDE-th prefix of itself; a segment
 * knows the hash of all text before it, its own hash and the power of its size, so
 * that a text made of old segments is hashed without touching a byte.
 * Invariants: segments are not empty, lie in the store, touch without gap in text
 * offsets; segment[k].before is the hash of text bytes 0 .. segment[k].start-1. */
#include "text/text.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/halving.h"
#include "base/interrupt.h"

/* The bytes that texts share.  Never written after it is made. */
struct store {
    size_t refs;
    unsigned char *bytes; /* owned */
    size_t size;
    pare_hash *prefix; /* owned; prefix[k]: hash of the first k * STRIDE bytes */
};

/* A stretch of the store that is part of the text, with its place and its hash, so that neither
 * needs reading its bytes. */
struct segment {
    uint32_t start;   /* offset in the text */
    uint32_t at;      /* offset in the store */
    pare_hash before; /* of all text before */
    pare_hash own;    /* of the segment's bytes */
    pare_hash power;  /* of its size, see pare_digest_power */
};

/* Immutable but for the count.  Offsets take 32 bits, which PARE_TEXT_MAX_BYTES allows: segments
 * are the memory of a long reduction. */
struct pare_text {
    size_t refs;
    struct store *store;
    size_t size;
    size_t n_segments;
    pare_hash whole;
    struct segment segment[];
};

/* The last text that goes takes the bytes along. */
static void store_unref(struct store *store)
{
    if (!store || --store->refs) return;
    pare_alloc_free(store->bytes);
    pare_alloc_free(store->prefix);
    pare_alloc_free(store);
}

/* Sets prefix[0 .. n-1]. Stops early if nobody wants the result any more. */
static void hash_prefixes(pare_hash *prefix, size_t n, const unsigned char *bytes)
{
    enum { FEW = 64 }; /* strides, which end before the factors of blocks are made */
    pare_digest_blocks blocks;
    size_t look = 0;
    if (n > FEW) pare_digest_blocks_init(&blocks);
    prefix[0] = (pare_hash){{0, 0}};
    for (size_t k = 1; k < n && !pare_interrupt_asked_past(k * PARE_TEXT_STRIDE, &look); k++) {
        const unsigned char *stride = bytes + (k - 1) * PARE_TEXT_STRIDE;
        prefix[k] =
            n > FEW ? pare_digest_extend_blocks(&blocks, prefix[k - 1], stride, PARE_TEXT_STRIDE)
                    : pare_digest_extend(prefix[k - 1], stride, PARE_TEXT_STRIDE);
    }
}

/* Makes a store of `bytes`, which it takes over, with the hash of each PARE_TEXT_STRIDE-th
 * prefix: one pass over the text.  The bytes stay the caller's when it fails: PARE_E_NOMEM,
 * PARE_E_INTERRUPTED. */
static pare_status store_new(unsigned char *bytes, size_t size, struct store **out, pare_error *err)
{
    struct store *store = pare_alloc_zero(1, sizeof *store);
    /* 16 bytes for each stride of the text. */
    size_t n_prefixes = size / PARE_TEXT_STRIDE + 1;
    pare_hash *prefix = pare_alloc(n_prefixes, sizeof *prefix);
    if (!store || !prefix) {
        pare_alloc_free(store);
        pare_alloc_free(prefix);
        return pare_fail_nomem(err);
    }
    hash_prefixes(prefix, n_prefixes, bytes);
    const pare_status status = pare_interrupt_look(err);
    if (status) {
        pare_alloc_free(store);
        pare_alloc_free(prefix);
        return status;
    }
    *store = (struct store){.refs = 1, .bytes = bytes, .size = size, .prefix = prefix};
    *out = store;
    return PARE_OK;
}

/* Hash of the first `size` bytes of the store: the stored prefix before it and at most STRIDE-1
 * bytes. */
static pare_hash store_prefix(const struct store *store, size_t size)
{
    size_t k = size / PARE_TEXT_STRIDE;
    return pare_digest_extend(store->prefix[k], store->bytes + k * PARE_TEXT_STRIDE,
                              size % PARE_TEXT_STRIDE);
}

/* Hash of a slice in O(STRIDE): short ones are read, longer ones are the difference of two
 * prefixes. */
static pare_hash store_slice(const struct store *store, size_t at, size_t size)
{
    if (size <= PARE_TEXT_STRIDE)
        return pare_digest_extend((pare_hash){{0, 0}}, store->bytes + at, size);
    return pare_digest_tail(store_prefix(store, at + size), store_prefix(store, at), size);
}

/* A segment ends where the next begins, so its end is not stored. */
static size_t segment_size(const pare_text *text, size_t k)
{
    size_t end = k + 1 < text->n_segments ? text->segment[k + 1].start : text->size;
    return end - text->segment[k].start;
}

/* Index of the segment that holds byte `offset`; the text must not be empty, and
 * an offset at its end gives the last segment. */
static size_t find_segment(const pare_text *text, size_t offset)
{
    pare_halving search = {.low = 1, .high = text->n_segments};
    /* The last segment that begins at or before `offset`. */
    while (pare_halving_next(&search))
        pare_halving_tell(&search, text->segment[search.middle].start <= offset);
    return search.low - 1;
}

/* A text without segments over `store` (may be NULL while empty), with room for `n_segments`.
 * NULL when memory is out, or the size would overflow. */
static pare_text *text_new(struct store *store, size_t n_segments)
{
    size_t extra;
    if (__builtin_mul_overflow(n_segments, sizeof(struct segment), &extra)) return NULL;
    pare_text *text = pare_alloc(1, sizeof *text + extra);
    if (!text) return NULL;
    *text = (pare_text){.refs = 1, .store = store};
    if (store) store->refs++;
    return text;
}

/* Appends a segment of `size` bytes; the room must be there.  The hash of all text before it is
 * the text's so far, and the text's own is prolonged by joining. */
static void append(pare_text *text, struct segment segment, size_t size)
{
    segment.start = (uint32_t)text->size;
    /* The hash of all text before it is the text's so far. */
    segment.before = text->whole;
    text->segment[text->n_segments++] = segment;
    text->size += size;
    text->whole = pare_digest_join_power(text->whole, segment.own, segment.power);
}

/* Appends bytes of the store as a segment, computing what a segment knows. */
static void append_store(pare_text *text, size_t at, size_t size)
{
    if (!size) return;
    append(text,
           (struct segment){.at = (uint32_t)at,
                            .own = store_slice(text->store, at, size),
                            .power = pare_digest_power(size)},
           size);
}

/* The bytes stay the buffer's until nothing can fail any more; only then is it emptied. */
pare_status pare_text_take(pare_buffer *buffer, pare_text **out, pare_error *err)
{
    if (buffer->size > PARE_TEXT_MAX_BYTES)
        return pare_fail(err, PARE_E_LIMIT, "the input has %zu bytes; at most %zu can be reduced",
                         buffer->size, PARE_TEXT_MAX_BYTES);
    struct store *store = NULL;
    if (buffer->size) {
        pare_status status = store_new((unsigned char *)buffer->data, buffer->size, &store, err);
        if (status) return status;
    }
    pare_text *text = text_new(store, 1);
    if (!text) {
        /* The buffer is still the caller's. */
        if (store) store->bytes = NULL;
        store_unref(store);
        return pare_fail_nomem(err);
    }
    if (store) {
        store->refs--; /* the text holds the only reference */
        append_store(text, 0, store->size);
        /* The bytes are the store's now. */
        *buffer = (pare_buffer){0};
    }
    *out = text;
    return PARE_OK;
}

/* For callers that have bytes of their own: one copy, then as take. */
pare_status pare_text_copy(const void *bytes, size_t size, pare_text **out, pare_error *err)
{
    pare_buffer buffer = {0};
    pare_status status = pare_buffer_add(&buffer, bytes, size, err);
    if (!status) status = pare_text_take(&buffer, out, err);
    pare_buffer_done(&buffer);
    return status;
}

/* Counts are not atomic: texts belong to one thread. */
pare_text *pare_text_ref(const pare_text *text)
{
    pare_text *shared = (pare_text *)(uintptr_t)text; /* the count is not part of the value */
    shared->refs++;
    return shared;
}

/* NULL is a no-op.  The last reference to a text gives up its reference to the store. */
void pare_text_unref(const pare_text *text)
{
    pare_text *shared = (pare_text *)(uintptr_t)text;
    if (!shared || --shared->refs) return;
    store_unref(shared->store);
    pare_alloc_free(shared);
}

/* In bytes. */
size_t pare_text_size(const pare_text *text)
{
    return text->size;
}

/* O(1): the hash of the whole is kept. */
pare_digest pare_text_digest(const pare_text *text)
{
    return pare_digest_of(text->whole, text->size);
}

/* The number of segments tells whether a text has become so scattered that flattening it pays. */
size_t pare_text_segments(const pare_text *text)
{
    return text->n_segments;
}

/* All bytes of the store, also those that no text uses any more. */
size_t pare_text_store_size(const pare_text *text)
{
    return text->store ? text->store->size : 0;
}

/* NULL when the bytes are not together; pare_text_flatten then makes a text whose bytes are. */
const unsigned char *pare_text_bytes(const pare_text *text)
{
    static const unsigned char nothing[1];
    if (!text->n_segments) return nothing;
    if (text->n_segments > 1) return NULL;
    return text->store->bytes + text->segment[0].at;
}

/* The hash of the first `size` bytes: that of the segments before, and a slice of the store. O(log
 * segments + STRIDE). */
pare_hash pare_text_prefix(const pare_text *text, size_t size)
{
    assert(size <= text->size);
    if (!size) return (pare_hash){{0, 0}};
    if (size == text->size) return text->whole;
    const struct segment *segment = &text->segment[find_segment(text, size)];
    size_t inside = size - segment->start;
    return pare_digest_join(segment->before, store_slice(text->store, segment->at, inside), inside);
}

/* The hash of a slice is the difference of two prefixes, so its cost does not depend on its size.
 * Most slices lie in one segment; then two prefixes of the store do, which takes one power instead
 * of five. */
pare_hash pare_text_slice(const pare_text *text, size_t offset, size_t size)
{
    assert(offset <= text->size && size <= text->size - offset);
    if (!size || !offset) return pare_text_prefix(text, size);
    const size_t k = find_segment(text, offset);
    const size_t inside = offset - text->segment[k].start;
    if (size <= segment_size(text, k) - inside)
        return store_slice(text->store, text->segment[k].at + inside, size);
    return pare_digest_tail(pare_text_prefix(text, offset + size), pare_text_prefix(text, offset),
                            size);
}

/* The bytes from `offset` on that lie together in the store, at most `limit`: for readers that look
 * at few bytes. */
pare_span pare_text_span(const pare_text *text, size_t offset, size_t limit)
{
    assert(offset < text->size);
    size_t k = find_segment(text, offset);
    size_t inside = offset - text->segment[k].start;
    size_t size = segment_size(text, k) - inside;
    return (pare_span){.bytes = text->store->bytes + text->segment[k].at + inside,
                       .size = size < limit ? size : limit};
}

/* The bytes stay where they are: a segment that the range cuts is visited in part. */
int pare_text_spans(const pare_text *text, size_t offset, size_t size,
                    int (*each)(void *context, pare_span), void *context)
{
    assert(offset <= text->size && size <= text->size - offset);
    for (size_t k = size ? find_segment(text, offset) : 0; size; k++) {
        size_t inside = offset - text->segment[k].start;
        size_t whole = segment_size(text, k) - inside;
        pare_span span = {.bytes = text->store->bytes + text->segment[k].at + inside,
                          .size = whole < size ? whole : size};
        int stop = each(context, span);
        if (stop) return stop;
        offset += span.size;
        size -= span.size;
    }
    return 0;
}

/* Appends a run to where *end points. */
static int copy_span(void *context, pare_span span)
{
    unsigned char **end = context;
    memcpy(*end, span.bytes, span.size);
    *end += span.size;
    return 0;
}

/* `to` has room for `size` bytes. */
void pare_text_read(const pare_text *text, size_t offset, size_t size, void *to)
{
    unsigned char *end = to;
    (void)pare_text_spans(text, offset, size, copy_span, &end);
}

/* Copies the text to a store of its own, so that the old store, of which it may use little, can be
 * released. */
pare_status pare_text_flatten(const pare_text *text, pare_text **out, pare_error *err)
{
    pare_buffer buffer = {0};
    pare_status status = pare_buffer_reserve(&buffer, text->size, err);
    if (!status) {
        pare_text_read(text, 0, text->size, buffer.data);
        buffer.size = text->size;
        status = pare_text_take(&buffer, out, err);
    }
    pare_buffer_done(&buffer);
    return status;
}

/* How many segments a text made of this slice needs, so that room is made once. */
size_t pare_text_count_segments(const pare_text *text, size_t offset, size_t size)
{
    if (!size) return 0;
    return find_segment(text, offset + size - 1) - find_segment(text, offset) + 1;
}

/* Begins a text made of slices of `base`, appended in order by pare_text_build_slice. */
pare_text *pare_text_build_start(const pare_text *base, size_t n_segments)
{
    return text_new(base->store, n_segments);
}

/* Makes the empty text begin as `base` does: copies the segments that end within the
 * first `size` bytes, whose offsets and hashes hold as they are, all but the last one
 * of the base.  Returns how many bytes that is. */
static size_t copy_head(pare_text *text, const pare_text *base, size_t size)
{
    /* The segment that holds byte `size` is cut, or the end: it is left to the caller's loop. */
    size_t n_whole = find_segment(base, size);
    memcpy(text->segment, base->segment, n_whole * sizeof *text->segment);
    text->n_segments = n_whole;
    text->size = base->segment[n_whole].start;
    text->whole = base->segment[n_whole].before;
    return text->size;
}

/* Appends bytes offset .. offset+size-1 of `base`.  Segments that are taken whole bring their
 * hash along; bytes are only read at the two cuts. */
void pare_text_build_slice(pare_text *text, const pare_text *base, size_t offset, size_t size)
{
    if (!size) return;
    if (!offset && !text->n_segments) {
        offset = copy_head(text, base, size);
        size -= offset;
    }
    for (size_t k = find_segment(base, offset); size; k++) {
        size_t inside = offset - base->segment[k].start;
        size_t whole = segment_size(base, k);
        size_t part = whole - inside < size ? whole - inside : size;
        /* A whole segment is copied with its hash; only at the two cuts of a slice are bytes
         * read. */
        if (part == whole)
            append(text, base->segment[k], whole);
        else
            append_store(text, base->segment[k].at + inside, part);
        offset += part;
        size -= part;
    }
}

/* ---- bytes that are no text --------------------------------------------------------------- */

/* How many bytes at `bytes` are one character of UTF-8 beyond ASCII; 0: none are. */
static size_t utf8_size(const unsigned char *bytes, size_t n)
{
    const size_t size = bytes[0] >= 0xf0 ? 4 : bytes[0] >= 0xe0 ? 3 : 2;
    if (bytes[0] < 0xc2 || bytes[0] > 0xf4 || size > n) return 0;
    for (size_t i = 1; i < size; i++)
        if ((bytes[i] & 0xc0) != 0x80) return 0;
    return size;
}

/* A text of an older coding has high bytes that are no UTF-8, but hardly control characters as well. */
bool pare_bytes_are_no_text(const unsigned char *bytes, size_t n)
{
    enum { ESCAPE = 0x1b, SHIFT_OUT = 0x0e, DELETE = 0x7f, SHARE = 16, LITTLE_SHARE = 128 };
    size_t n_controls = 0, n_broken = 0;
    for (size_t i = 0, size; i < n; i += size) {
        size = bytes[i] < 0x80 ? 1 : utf8_size(bytes + i, n - i);
        n_broken += size == 0;
        size = size ? size : 1;
        n_controls += bytes[i] < '\t' || bytes[i] == DELETE ||
                      (bytes[i] >= SHIFT_OUT && bytes[i] < ' ' && bytes[i] != ESCAPE);
    }
    return n_controls > n / SHARE || (n_controls > n / LITTLE_SHARE && n_broken > n / LITTLE_SHARE);
}
