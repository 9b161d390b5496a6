/* Queues of pools: a binary heap in an array that copies of a state share. */
#include "engine/pool_queue.h"

#include "base/shared.h"
#include "engine/pool_plan.h"

static bool is_half(pare_pool_item item)
{
    return item.kind == PARE_POOL_FIRST_HALF || item.kind == PARE_POOL_SECOND_HALF;
}

static bool is_before(const pare_pool_plan *plan, pare_pool_item a, pare_pool_item b)
{
    if (is_half(a) != is_half(b)) return is_half(a);
    if (is_half(a)) return a.range.from < b.range.from;
    return plan->rank[plan->order[a.range.from]] < plan->rank[plan->order[b.range.from]];
}

pare_status pare_pool_queue_own(pare_pool_queue *queue, size_t more, pare_error *err)
{
    void *items = NULL;
    pare_status status = PARE_OK;
    if (!queue->items) status = pare_shared_new(8, sizeof(pare_pool_item), &queue->items, err);
    if (!status) status = pare_shared_own(&queue->items, queue->n, queue->n + more, &items, err);
    return status;
}

/* The array, which the queue owns alone. */
static pare_pool_item *heap_of(pare_pool_queue *queue)
{
    return (pare_pool_item *)pare_shared_items(queue->items);
}

void pare_pool_queue_push(pare_pool_queue *queue, const pare_pool_plan *plan, pare_pool_item item)
{
    pare_pool_item *heap = heap_of(queue);
    if (!item.range.count) return;
    size_t i = queue->n++;
    for (; i > 0 && is_before(plan, item, heap[(i - 1) / 2]); i = (i - 1) / 2)
        heap[i] = heap[(i - 1) / 2];
    heap[i] = item;
}

static void drop_first(pare_pool_queue *queue, const pare_pool_plan *plan)
{
    pare_pool_item *heap = heap_of(queue);
    pare_pool_item last = heap[--queue->n];
    size_t i = 0;
    for (;;) {
        size_t child = 2 * i + 1;
        if (child >= queue->n) break;
        if (child + 1 < queue->n && is_before(plan, heap[child + 1], heap[child])) child++;
        if (!is_before(plan, heap[child], last)) break;
        heap[i] = heap[child];
        i = child;
    }
    heap[i] = last;
}

pare_pool_item pare_pool_queue_first(const pare_pool_queue *queue, const pare_pool_plan *plan,
                                     const pare_pool_rate *rate, pare_pool_item *rest)
{
    pare_pool_item item = *(const pare_pool_item *)pare_shared_items(queue->items);
    *rest = (pare_pool_item){{0, 0}, PARE_POOL_FRESH};
    if (item.kind != PARE_POOL_FRESH) return item;
    uint32_t count = pare_pool_group(plan, item.range, rate);
    rest->range = (pare_pool_range){item.range.from + count, item.range.count - count};
    return (pare_pool_item){{item.range.from, count}, PARE_POOL_GROUP};
}

void pare_pool_queue_drop(pare_pool_queue *queue, const pare_pool_plan *plan, pare_pool_item rest)
{
    drop_first(queue, plan);
    pare_pool_queue_push(queue, plan, rest);
}

void pare_pool_queue_split(pare_pool_queue *queue, const pare_pool_plan *plan, pare_pool_item item)
{
    const pare_pool_range range = item.range;
    if (item.kind == PARE_POOL_SWEPT) return;
    if (range.count == 1) {
        pare_pool_range parts = pare_pool_parts(plan, plan->order[range.from]);
        pare_pool_queue_push(queue, plan, (pare_pool_item){parts, PARE_POOL_FRESH});
        return;
    }
    if (item.kind == PARE_POOL_TOGETHER) {
        pare_pool_queue_push(queue, plan, (pare_pool_item){range, PARE_POOL_FRESH});
        return;
    }
    pare_pool_range first = {range.from, range.count / 2};
    pare_pool_range second = {range.from + first.count, range.count - first.count};
    pare_pool_queue_push(queue, plan, (pare_pool_item){first, PARE_POOL_FIRST_HALF});
    pare_pool_queue_push(queue, plan, (pare_pool_item){second, PARE_POOL_SECOND_HALF});
}
