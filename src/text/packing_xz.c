/* Files of xz: the one file that knows liblzma.
 *
 * What is opened is bounded by the caller and in memory, as in text/packing.c.  The dictionary of what is
 * packed is no larger than its text, so that a small one costs no more than a few hundred kilobytes; the
 * check at its end is the shortest that xz has, whatever the input had.  The library's own memory goes
 * through base/alloc.h, so that a lack of it is tested like any other.
 * Source: the .xz file format, 1.1.0.  Tested by tests/unit/test_packing_xz.c. */
#include "text/packing_xz.h"

#include "base/alloc.h"

#ifdef PARE_HAVE_LZMA
#include <stdint.h>

#include <lzma.h>

enum { STEP_BYTES = 1 << 14, LEVEL = 6 };

static const uint64_t MOST_MEMORY = UINT64_C(1)
                                    << 27; /* of the dictionary that a stream asks for */

static void *allocate(void *context, size_t n, size_t size)
{
    (void)context;
    return pare_alloc_zero(n, size);
}

static void release(void *context, void *block)
{
    (void)context;
    pare_alloc_free(block);
}

static const lzma_allocator allocator = {allocate, release, NULL};

/* Reads until the end of the stream; *used stays 0 without one. */
static pare_status read_all(lzma_stream *stream, size_t n, size_t most, pare_buffer *plain,
                            size_t *used, pare_error *err)
{
    const size_t begin = plain->size;
    for (lzma_ret code = LZMA_OK; code == LZMA_OK;) {
        pare_status status = pare_buffer_reserve(plain, STEP_BYTES, err);
        if (status) return status;
        stream->next_out = (unsigned char *)plain->data + plain->size;
        stream->avail_out = STEP_BYTES;
        code = lzma_code(stream, LZMA_FINISH);
        if (code == LZMA_MEM_ERROR) return pare_fail_nomem(err);
        plain->size += STEP_BYTES - stream->avail_out;
        if (plain->size - begin > most) return PARE_OK;
        if (code == LZMA_STREAM_END) *used = n - stream->avail_in;
    }
    return PARE_OK;
}

pare_status pare_packing_xz_open(pare_span packed, size_t most, pare_buffer *plain, size_t *used,
                                 pare_error *err)
{
    lzma_stream stream = LZMA_STREAM_INIT;
    *used = 0;
    stream.allocator = &allocator;
    stream.next_in = packed.bytes;
    stream.avail_in = packed.size;
    if (lzma_stream_decoder(&stream, MOST_MEMORY, 0) != LZMA_OK) return pare_fail_nomem(err);
    pare_status status = read_all(&stream, packed.size, most, plain, used, err);
    lzma_end(&stream);
    return status;
}

pare_status pare_packing_xz_close(const unsigned char *bytes, size_t n, pare_buffer *packed,
                                  pare_error *err)
{
    lzma_options_lzma options;
    lzma_filter filters[] = {{.id = LZMA_FILTER_LZMA2, .options = &options},
                             {.id = LZMA_VLI_UNKNOWN}};
    if (lzma_lzma_preset(&options, LEVEL))
        return pare_fail(err, PARE_E_UNSUPPORTED, "liblzma has no level %d", LEVEL);
    if (options.dict_size > n)
        options.dict_size = n < LZMA_DICT_SIZE_MIN ? LZMA_DICT_SIZE_MIN : (uint32_t)n;
    const size_t bound = lzma_stream_buffer_bound(n);
    if (!bound) return pare_fail(err, PARE_E_LIMIT, "too much to be packed");
    pare_status status = pare_buffer_reserve(packed, bound, err);
    size_t at = 0;
    if (status) return status;
    if (lzma_stream_buffer_encode(filters, LZMA_CHECK_CRC32, &allocator, bytes, n,
                                  (unsigned char *)packed->data + packed->size, &at,
                                  bound) != LZMA_OK)
        return pare_fail_nomem(err);
    packed->size += at;
    return PARE_OK;
}

#else

pare_status pare_packing_xz_open(pare_span packed, size_t most, pare_buffer *plain, size_t *used,
                                 pare_error *err)
{
    (void)packed;
    (void)most;
    (void)plain;
    (void)err;
    *used = 0;
    return PARE_OK;
}

pare_status pare_packing_xz_close(const unsigned char *bytes, size_t n, pare_buffer *packed,
                                  pare_error *err)
{
    (void)bytes;
    (void)n;
    (void)packed;
    return pare_fail(err, PARE_E_UNSUPPORTED, "built without liblzma");
}
#endif
