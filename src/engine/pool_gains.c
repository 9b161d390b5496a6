/* A monotonic stack: what is made takes off all that ends before it. */
#include "engine/pool_gains.h"

#include "base/alloc.h"
#include "base/vector.h"

void pare_pool_gains_done(pare_pool_gains *gains)
{
    pare_release(gains->items);
    *gains = (pare_pool_gains){.n = 0};
}

pare_status pare_pool_gains_add(pare_pool_gains *gains, uint32_t behind, pare_error *err)
{
    pare_pool_gain gain = {.number = ++gains->last, .behind = behind};
    pare_pool_gain *items =
        pare_vector_grow(gains->items, gains->n, &gains->capacity, sizeof *items);
    if (!items) return pare_fail_nomem(err);
    gains->items = items;
    while (gains->n && items[gains->n - 1].behind <= behind)
        gains->n--;
    items[gains->n++] = gain;
    return PARE_OK;
}

bool pare_pool_gains_any(const pare_pool_gains *gains, uint32_t number, uint32_t place)
{
    size_t low = 0, high = gains->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (gains->items[middle].number <= number)
            low = middle + 1;
        else
            high = middle;
    }
    return low < gains->n && gains->items[low].behind > place;
}
