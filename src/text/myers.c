/* Myers' divide and conquer: the middle of a shortest script is found by searching from
 * both ends at once, then the parts before and behind it are worked on likewise.
 *
 * A point (x, y) stands behind x old and y new symbols; its diagonal is x - y.  Going
 * forward with c steps, `reach` of a diagonal is the largest x that can be reached on it;
 * backward it is the smallest.  When the two meet on a diagonal, a shortest script goes
 * through there.  The boxes that are left stand on a stack: each half of a box has about
 * half of its steps, so the stack is no deeper than the number of steps has bits.
 * Source: Myers, "An O(ND) difference algorithm and its variations", Algorithmica 1,
 * 1986, section 4b.  Deviation: a search gives up after `cost` steps from each end. */
#include "text/myers.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

#include "base/alloc.h"

enum { MAX_BOXES = 80 };

static const int64_t UNREACHED_FORWARD = INT64_MIN / 2, UNREACHED_BACKWARD = INT64_MAX / 2;

/* Old symbols x .. x_end-1 against new symbols y .. y_end-1. */
struct box {
    int64_t x, x_end, y, y_end;
};

/* Furthest points on the diagonals at most `width` away from `middle`. */
struct front {
    int64_t *reach; /* of diagonal middle + i, at reach[i], i from -width to width */
    int64_t middle;
};

struct search {
    const pare_symbols *old, *new;
    int64_t cost;
    struct front forward, backward;
    struct box boxes[MAX_BOXES];
    size_t n_boxes;
};

struct point {
    int64_t x, y;
};

static bool equal(const struct search *search, int64_t x, int64_t y)
{
    return search->old->symbol[x] == search->new->symbol[y];
}

/* Cuts off what is equal at both ends. */
static void trim(const struct search *search, struct box *box)
{
    while (box->x < box->x_end && box->y < box->y_end && equal(search, box->x, box->y)) {
        box->x++;
        box->y++;
    }
    while (box->x < box->x_end && box->y < box->y_end &&
           equal(search, box->x_end - 1, box->y_end - 1)) {
        box->x_end--;
        box->y_end--;
    }
}

static void mark(const pare_symbols *symbols, int64_t from, int64_t to)
{
    for (int64_t i = from; i < to; i++)
        symbols->differs[symbols->unit[i]] = 1;
}

static void mark_all(const struct search *search, const struct box *box)
{
    mark(search->old, box->x, box->x_end);
    mark(search->new, box->y, box->y_end);
}

static bool inside(const struct box *box, struct point at)
{
    return at.x >= box->x && at.x <= box->x_end && at.y >= box->y && at.y <= box->y_end;
}

/* The first and last diagonal of step c that cross the box, seen from the middle. */
static struct point diagonals(const struct box *box, int64_t middle, int64_t c)
{
    int64_t lowest = box->x - box->y_end - middle, highest = box->x_end - box->y - middle;
    int64_t from = -c, to = c;
    if (from < lowest) from = lowest + ((lowest - from) & 1);
    if (to > highest) to = highest - ((to - highest) & 1);
    return (struct point){from, to};
}

/* Where the front stands on `diagonal` after c steps; `none` when it is not there. */
static int64_t reached(const struct front *front, int64_t diagonal, int64_t c, int64_t none)
{
    int64_t i = diagonal - front->middle;
    return i < -c || i > c ? none : front->reach[i];
}

/* Takes step c forward; true when that meets what c - 1 steps backward reached. */
static bool step_forward(struct search *search, const struct box *box, int64_t c, bool may_meet,
                         struct point *meeting)
{
    struct front *front = &search->forward;
    struct point range = diagonals(box, front->middle, c);
    front->reach[-c - 1] = front->reach[c + 1] = UNREACHED_FORWARD;
    for (int64_t i = range.x; i <= range.y; i += 2) {
        int64_t diagonal = front->middle + i;
        int64_t from_left = front->reach[i - 1] + 1, from_above = front->reach[i + 1];
        int64_t x = from_left > from_above ? from_left : from_above;
        struct point at = {x, x - diagonal};
        front->reach[i] = UNREACHED_FORWARD;
        if (!inside(box, at)) continue;
        for (; at.x < box->x_end && at.y < box->y_end && equal(search, at.x, at.y); at.x++)
            at.y++;
        front->reach[i] = at.x;
        if (!may_meet) continue;
        if (reached(&search->backward, diagonal, c - 1, UNREACHED_BACKWARD) > at.x) continue;
        *meeting = at;
        return true;
    }
    return false;
}

/* Takes step c backward; true when that meets what c steps forward reached. */
static bool step_backward(struct search *search, const struct box *box, int64_t c, bool may_meet,
                          struct point *meeting)
{
    struct front *front = &search->backward;
    struct point range = diagonals(box, front->middle, c);
    front->reach[-c - 1] = front->reach[c + 1] = UNREACHED_BACKWARD;
    for (int64_t i = range.x; i <= range.y; i += 2) {
        int64_t diagonal = front->middle + i;
        int64_t from_right = front->reach[i + 1] - 1, from_below = front->reach[i - 1];
        int64_t x = from_right < from_below ? from_right : from_below;
        struct point at = {x, x - diagonal};
        front->reach[i] = UNREACHED_BACKWARD;
        if (!inside(box, at)) continue;
        for (; at.x > box->x && at.y > box->y && equal(search, at.x - 1, at.y - 1); at.x--)
            at.y--;
        front->reach[i] = at.x;
        if (!may_meet) continue;
        if (reached(&search->forward, diagonal, c, UNREACHED_FORWARD) < at.x) continue;
        *meeting = at;
        return true;
    }
    return false;
}

/* A point in the middle of a shortest script for a trimmed box with symbols of both;
 * false when the search costs too much. */
static bool find_middle(struct search *search, const struct box *box, struct point *meeting)
{
    search->forward.middle = box->x - box->y;
    search->backward.middle = box->x_end - box->y_end;
    search->forward.reach[0] = box->x;
    search->backward.reach[0] = box->x_end;
    bool odd = (search->forward.middle - search->backward.middle) & 1;
    for (int64_t c = 1; c <= search->cost; c++) {
        if (step_forward(search, box, c, odd, meeting)) return true;
        if (step_backward(search, box, c, !odd, meeting)) return true;
    }
    return false;
}

static void push(struct search *search, struct box box)
{
    assert(search->n_boxes < MAX_BOXES);
    search->boxes[search->n_boxes++] = box;
}

static void run(struct search *search)
{
    while (search->n_boxes) {
        struct box box = search->boxes[--search->n_boxes];
        struct point middle;
        trim(search, &box);
        bool one_sided = box.x == box.x_end || box.y == box.y_end;
        if (one_sided || !find_middle(search, &box, &middle)) {
            mark_all(search, &box);
            continue;
        }
        push(search, (struct box){middle.x, box.x_end, middle.y, box.y_end});
        push(search, (struct box){box.x, middle.x, box.y, middle.y});
    }
}

pare_status pare_myers_mark(const pare_symbols *old, const pare_symbols *new, size_t cost,
                            pare_error *err)
{
    size_t most = (old->n + new->n) / 2 + 1; /* steps from each end always suffice */
    size_t width = (cost < most ? cost : most) + 1;
    int64_t *reach = pare_alloc(2 * width + 1, 2 * sizeof *reach);
    if (!reach) return pare_fail_nomem(err);
    struct search search = {.old = old,
                            .new = new,
                            .cost = (int64_t)width - 1,
                            .forward = {.reach = reach + width},
                            .backward = {.reach = reach + 3 * width + 1}};
    push(&search, (struct box){0, (int64_t)old->n, 0, (int64_t) new->n});
    run(&search);
    pare_release(reach);
    return PARE_OK;
}
