/* Bytes packed by deflate: the one file that knows zlib; others are passed on (packing_xz.h, packing_utf16.h).
 *
 * What is opened is bounded by the caller, in steps, so that a bomb of a few bytes costs no more than
 * that.  The same bytes are packed to the same bytes, by one version of the library: level 9 for members
 * of files, since smaller is what is asked for, level 1 for what is sent: a program of 100 MB is packed
 * in two seconds by that, and in half a minute by the other.  zlib's own memory goes through base/alloc.h, so that a lack of it is
 * tested like any other.
 * Without zlib nothing is opened: files are reduced and sent as they are.
 * Tested by tests/unit/test_chunk_writer.c. */
#include "text/packing.h"

#include "base/alloc.h"
#include "text/packing_utf16.h"
#include "text/packing_xz.h"

/* At most `most` bytes of plain text; how many packed ones were used. */
struct room {
    size_t most, *used;
};

/* Opens what zlib knows nothing of. */
static pare_status open_other(pare_packing_codec codec, pare_span packed, struct room room,
                              pare_buffer *plain, pare_error *err)
{
    *room.used = 0;
    if (codec == PARE_PACKING_NONE) return PARE_OK;
    if (codec == PARE_PACKING_XZ)
        return pare_packing_xz_open(packed, room.most, plain, room.used, err);
    return pare_packing_utf16_open(codec == PARE_PACKING_UTF16_LITTLE, packed, room.most, plain,
                                   room.used, err);
}

static pare_status close_other(pare_packing_codec codec, const unsigned char *bytes, size_t n,
                               pare_buffer *packed, pare_error *err)
{
    if (codec == PARE_PACKING_NONE) return pare_buffer_add(packed, bytes, n, err);
    if (codec == PARE_PACKING_XZ) return pare_packing_xz_close(bytes, n, packed, err);
    return pare_packing_utf16_close(codec == PARE_PACKING_UTF16_LITTLE, bytes, n, packed, err);
}

#ifdef PARE_HAVE_ZLIB
#include <limits.h>

#include <zlib.h>

enum { STEP_BYTES = 1 << 14 };

/* zlib's alloc_func: memory from our allocator, so that tests can let it fail. */
static void *allocate(void *context, unsigned n, unsigned size)
{
    (void)context;
    return pare_alloc_zero(n, size);
}

/* zlib's free_func. */
static void release(void *context, void *block)
{
    (void)context;
    pare_alloc_free(block);
}

/* zlib's way to say which container it is: a negative window is raw deflate, without head and
 * checksum. */
static int window_of(pare_packing_codec codec)
{
    return codec == PARE_PACKING_DEFLATE ? -MAX_WBITS : MAX_WBITS;
}

/* Speed where texts are packed over and over, size where the result is what a user keeps. */
static int level_of(pare_packing_codec codec)
{
    return codec == PARE_PACKING_QUICK ? Z_BEST_SPEED : Z_BEST_COMPRESSION;
}

/* Inflates until the end of the member; *used stays 0 without one. */
static pare_status inflate_all(z_stream *stream, size_t n, size_t most, pare_buffer *plain,
                               size_t *used, pare_error *err)
{
    const size_t begin = plain->size;
    for (int code = Z_OK; code == Z_OK;) {
        pare_status status = pare_buffer_reserve(plain, STEP_BYTES, err);
        if (status) return status;
        stream->next_out = (unsigned char *)plain->data + plain->size;
        stream->avail_out = STEP_BYTES;
        code = inflate(stream, Z_NO_FLUSH);
        if (code == Z_MEM_ERROR) return pare_fail_nomem(err);
        plain->size += STEP_BYTES - stream->avail_out;
        if (plain->size - begin > most) return PARE_OK;
        if (code == Z_STREAM_END) *used = n - stream->avail_in;
    }
    return PARE_OK;
}

bool pare_packing_is_there(void)
{
    return true;
}

pare_status pare_packing_open(pare_packing_codec codec, pare_span packed, size_t most,
                              pare_buffer *plain, size_t *used, pare_error *err)
{
    z_stream stream = {.zalloc = allocate, .zfree = release};
    if (codec >= PARE_PACKING_XZ)
        return open_other(codec, packed, (struct room){most, used}, plain, err);
    *used = 0;
    if (!packed.size || packed.size > UINT_MAX) return PARE_OK;
    /* The library does not write there. */
    stream.next_in = (unsigned char *)(size_t)packed.bytes;
    stream.avail_in = (unsigned)packed.size;
    if (inflateInit2(&stream, window_of(codec)) != Z_OK) return pare_fail_nomem(err);
    pare_status status = inflate_all(&stream, packed.size, most, plain, used, err);
    (void)inflateEnd(&stream);
    return status;
}

/* deflateBound tells how large the result is at most, so one call is enough and the buffer never
 * grows. */
pare_status pare_packing_close(pare_packing_codec codec, const unsigned char *bytes, size_t n,
                               pare_buffer *packed, pare_error *err)
{
    z_stream stream = {.zalloc = allocate, .zfree = release};
    if (codec >= PARE_PACKING_XZ) return close_other(codec, bytes, n, packed, err);
    if (n > UINT_MAX / 2) return pare_fail(err, PARE_E_LIMIT, "too much to be packed");
    if (deflateInit2(&stream, level_of(codec), Z_DEFLATED, window_of(codec), 8,
                     Z_DEFAULT_STRATEGY) != Z_OK)
        return pare_fail_nomem(err);
    const size_t bound = deflateBound(&stream, n);
    pare_status status = pare_buffer_reserve(packed, bound, err);
    if (!status) {
        stream.next_in = (unsigned char *)(size_t)bytes;
        stream.avail_in = (unsigned)n;
        stream.next_out = (unsigned char *)packed->data + packed->size;
        stream.avail_out = (unsigned)bound;
        if (deflate(&stream, Z_FINISH) == Z_STREAM_END)
            packed->size += bound - stream.avail_out;
        else
            status = pare_fail_nomem(err);
    }
    (void)deflateEnd(&stream);
    return status;
}

#else

bool pare_packing_is_there(void)
{
    return false;
}

pare_status pare_packing_open(pare_packing_codec codec, pare_span packed, size_t most,
                              pare_buffer *plain, size_t *used, pare_error *err)
{
    if (codec >= PARE_PACKING_XZ)
        return open_other(codec, packed, (struct room){most, used}, plain, err);
    *used = 0;
    return PARE_OK;
}

pare_status pare_packing_close(pare_packing_codec codec, const unsigned char *bytes, size_t n,
                               pare_buffer *packed, pare_error *err)
{
    if (codec >= PARE_PACKING_XZ) return close_other(codec, bytes, n, packed, err);
    return pare_fail(err, PARE_E_UNSUPPORTED, "built without zlib");
}

#endif
