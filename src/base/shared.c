/* Reference-counted arrays, copied when written to while shared.  A copy gets room for
 * half as many items more, so that arrays which grow by steps are seldom moved. */
#include "base/shared.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "base/alloc.h"

/* One block holds the count and the items, so that making an array is one allocation. */
struct pare_shared {
    size_t n_references;
    size_t capacity, item_bytes;
    max_align_t items[];
};

/* NULL when memory is out or the size would overflow.  The one reference is the caller's. */
static pare_shared *make(size_t capacity, size_t item_bytes)
{
    if (capacity > (SIZE_MAX - sizeof(pare_shared)) / item_bytes) return NULL;
    pare_shared *shared = pare_alloc(1, sizeof *shared + capacity * item_bytes);
    if (shared) *shared = (pare_shared){1, capacity, item_bytes};
    return shared;
}

/* Items are not initialised. */
pare_status pare_shared_new(size_t capacity, size_t item_bytes, pare_shared **out, pare_error *err)
{
    assert(item_bytes > 0);
    pare_shared *shared = make(capacity, item_bytes);
    if (!shared) return pare_fail_nomem(err);
    *out = shared;
    return PARE_OK;
}

/* One more reference to the array. */
void pare_shared_retain(pare_shared *shared)
{
    if (shared) shared->n_references++;
}

void pare_shared_release(pare_shared *shared)
{
    assert(!shared || shared->n_references > 0);
    if (shared && --shared->n_references == 0) pare_alloc_free(shared);
}

/* Read only: to write, own it first. */
const void *pare_shared_items(const pare_shared *shared)
{
    return shared->items;
}

/* Copy on write: a caller that wants to write gets an array to which nobody else refers. */
pare_status pare_shared_own(pare_shared **shared, size_t n_used, size_t capacity, void **items,
                            pare_error *err)
{
    pare_shared *old = *shared;
    assert(n_used <= capacity && n_used <= old->capacity);
    /* Somebody else still reads it, or it is too small: the caller gets a copy, and only that is
     * written. */
    if (old->n_references > 1 || old->capacity < capacity) {
        pare_shared *copy = make(capacity + capacity / 2, old->item_bytes);
        if (!copy) return pare_fail_nomem(err);
        memcpy(copy->items, old->items, n_used * old->item_bytes);
        pare_shared_release(old);
        *shared = copy;
    }
    *items = (*shared)->items;
    assert((*shared)->n_references == 1);
    return PARE_OK;
}
