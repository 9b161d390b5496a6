/* Names to indices: base/hash_index.h over an array of the names, in the order in which they
 * were put.
 *
 * Invariant: item i of the array is in the hash index under the hash of its text, once.  The
 * texts are not copied: readers have them in an arena or in the file. */
#include "grammar/name_index.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/checksum.h"
#include "base/fail.h"
#include "base/vector.h"

void pare_name_index_done(pare_name_index *names)
{
    pare_hash_index_done(&names->hashes);
    pare_alloc_free(names->items);
    *names = (pare_name_index){0};
}

/* The item of that name; NULL: there is none.  Equal hashes are rare, so almost always one
 * comparison of bytes decides. */
static struct pare_named *find(const pare_name_index *names, uint64_t hash, const char *text,
                               size_t size)
{
    pare_hash_probe probe = pare_hash_index_probe(&names->hashes, hash);
    uint32_t item;
    while (pare_hash_index_next(&names->hashes, &probe, &item)) {
        assert(item < names->n);
        struct pare_named *named = &names->items[item];
        if (named->size == size && memcmp(named->text, text, size) == 0) return named;
    }
    return NULL;
}

/* Many indices stay empty (a grammar without labels, say), and need no hash. */
pare_index pare_name_index_find(const pare_name_index *names, const char *text, size_t size)
{
    if (!names->n) return PARE_NO_INDEX;
    const struct pare_named *named = find(names, pare_checksum(text, size), text, size);
    return named ? named->index : PARE_NO_INDEX;
}

/* A name that is there already gets the new index and the new copy of its text.  Amortised
 * O(size of the name). */
pare_status pare_name_index_put(pare_name_index *names, const char *text, size_t size,
                                pare_index index, pare_error *err)
{
    uint64_t hash = pare_checksum(text, size);
    struct pare_named named = {text, size, index};
    struct pare_named *known = find(names, hash, text, size);
    if (known) {
        *known = named;
        return PARE_OK;
    }
    struct pare_named *items =
        pare_vector_grow(names->items, names->n, &names->capacity, sizeof *items);
    if (!items) return pare_fail_nomem(err);
    names->items = items;
    pare_status status = pare_hash_index_add(&names->hashes, hash, (uint32_t)names->n, err);
    if (status) return status;
    items[names->n++] = named;
    assert(names->hashes.n == names->n);
    return PARE_OK;
}
