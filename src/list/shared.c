/* Reference-counted arrays, copied when written to while shared.  A copy gets room for
 * half as many items more, so that arrays which grow by steps are seldom moved. */
#include "list/shared.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "base/alloc.h"

struct pare_shared {
    size_t n_references;
    size_t capacity, item_bytes;
    max_align_t items[];
};

pare_status pare_shared_new(size_t capacity, size_t item_bytes, pare_shared **out, pare_error *err)
{
    assert(item_bytes > 0);
    size_t most = (SIZE_MAX - sizeof(pare_shared)) / item_bytes;
    pare_shared *shared =
        capacity > most ? NULL : pare_alloc(1, sizeof *shared + capacity * item_bytes);
    if (!shared) return pare_fail_nomem(err);
    shared->n_references = 1;
    shared->capacity = capacity;
    shared->item_bytes = item_bytes;
    *out = shared;
    return PARE_OK;
}

void pare_shared_retain(pare_shared *shared)
{
    if (shared) shared->n_references++;
}

void pare_shared_release(pare_shared *shared)
{
    if (shared && --shared->n_references == 0) pare_release(shared);
}

const void *pare_shared_items(const pare_shared *shared)
{
    return shared->items;
}

pare_status pare_shared_own(pare_shared **shared, size_t n_used, size_t capacity, void **items,
                            pare_error *err)
{
    pare_shared *old = *shared;
    assert(n_used <= capacity && n_used <= old->capacity);
    if (old->n_references > 1 || old->capacity < capacity) {
        pare_shared *copy = NULL;
        pare_status status = pare_shared_new(capacity + capacity / 2, old->item_bytes, &copy, err);
        if (status) return status;
        memcpy(copy->items, old->items, n_used * old->item_bytes);
        pare_shared_release(old);
        *shared = copy;
    }
    *items = (*shared)->items;
    return PARE_OK;
}
