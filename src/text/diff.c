/* Differences in four steps, each of which leaves less to the next: units that are equal at
 * both ends are set aside; the others get numbers, equal units the same one; units whose
 * number the other side does not have differ for certain; Myers' algorithm decides about the
 * rest.  None of the steps makes the difference larger than it must be.
 *
 * Myers' algorithm divides and conquers: the middle of a shortest script is found by
 * searching from both ends at once, then the parts before and after it are worked on
 * likewise, in linear space.  A point (x, y) stands after x old and y new symbols; its
 * diagonal is x - y.  Going forward with c steps, `reach` of a diagonal is the largest x that
 * can be reached on it; backward it is the smallest.  When the two meet on a diagonal, a
 * shortest script goes through there.  The boxes that are left stand on a stack; each half of
 * a box has about half of its steps, so the stack is no deeper than the number of steps has
 * bits.
 * Source: Hunt and McIlroy, Bell Labs CSTR 41, 1976, for the steps before; Myers, "An O(ND)
 * difference algorithm and its variations", Algorithmica 1, 1986, section 4b.  Deviation: a
 * search gives up after `cost` steps from each end, which bounds the time. */
#include "text/diff.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

#include "base/alloc.h"
#include "base/checksum.h"
#include "base/fail.h"
#include "base/hash_index.h"
#include "base/vector.h"

/* ---- the shortest script ---------------------------------------------------------- */

/* A sequence of symbols, equal when their numbers are.  Symbol i stands for unit
 * unit[i], and is found to differ by setting differs[unit[i]].  Borrowed. */
struct symbols {
    const uint32_t *symbol; /* n of them */
    const uint32_t *unit;   /* n of them */
    size_t n;               /* below 2^32 */
    unsigned char *differs; /* by unit; set to 1 where a symbol is in one sequence only */
};

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

/* A search over a stack of boxes.  The two fronts are used for one box after the other. */
struct search {
    const struct symbols *old, *new;
    int64_t cost;
    struct front forward, backward;
    struct box boxes[MAX_BOXES];
    size_t n_boxes;
};

struct point {
    int64_t x, y;
};

/* Whether symbol x of the old sequence is symbol y of the new one. */
static bool equal(const struct search *search, int64_t x, int64_t y)
{
    return search->old->symbol[x] == search->new->symbol[y];
}

/* Cuts off what is equal at both ends of the box: each shortest script leaves that alone. */
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

/* Marks symbols from .. to-1 as differing: by the number of the unit each stands for, since
 * symbols leave out units that were set aside. */
static void mark(const struct symbols *symbols, int64_t from, int64_t to)
{
    for (int64_t i = from; i < to; i++)
        symbols->differs[symbols->unit[i]] = 1;
}

/* All of the box differs: one side is empty, or the search gave up. */
static void mark_all(const struct search *search, const struct box *box)
{
    mark(search->old, box->x, box->x_end);
    mark(search->new, box->y, box->y_end);
}

/* Whether the point lies in the box.  Steps may leave it at its corners; such points lead
 * nowhere. */
static bool inside(const struct box *box, struct point at)
{
    return at.x >= box->x && at.x <= box->x_end && at.y >= box->y && at.y <= box->y_end;
}

/* The first (x) and last (y) diagonal of step c that cross the box, seen from the middle.
 * Steps of one parity meet diagonals of that parity only, and what lies outside of the box
 * cannot be on a script. */
static struct point diagonals(const struct box *box, int64_t middle, int64_t c)
{
    int64_t lowest = box->x - box->y_end - middle, highest = box->x_end - box->y - middle;
    int64_t from = -c, to = c;
    /* Steps of one parity meet diagonals of that parity only. */
    if (from < lowest) from = lowest + ((lowest - from) & 1);
    if (to > highest) to = highest - ((to - highest) & 1);
    return (struct point){from, to};
}

/* Where the front stands on `diagonal` after c steps; `none` when it does not reach that far
 * out. */
static int64_t reached(const struct front *front, int64_t diagonal, int64_t c, int64_t none)
{
    int64_t i = diagonal - front->middle;
    return i < -c || i > c ? none : front->reach[i];
}

/* Takes step c forward: on each diagonal from the better of its neighbours, then on along
 * equal symbols.  True when that meets what c - 1 steps backward reached; *meeting is a point
 * of a shortest script. */
static bool step_forward(struct search *search, const struct box *box, int64_t c, bool may_meet,
                         struct point *meeting)
{
    struct front *front = &search->forward;
    struct point range = diagonals(box, front->middle, c);
    /* The neighbours of the outermost diagonals, which nothing has reached. */
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

/* Takes step c backward, the mirror image.  True when that meets what c steps forward reached. */
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
    /* By the parity of this difference the two searches can meet in a forward or in a backward
     * step only (Myers, section 4b). */
    bool odd = (search->forward.middle - search->backward.middle) & 1;
    for (int64_t c = 1; c <= search->cost; c++) {
        if (step_forward(search, box, c, odd, meeting)) return true;
        if (step_backward(search, box, c, !odd, meeting)) return true;
    }
    return false;
}

/* Each half of a box has about half of its steps, so the stack holds few of them. */
static void push(struct search *search, struct box box)
{
    assert(search->n_boxes < MAX_BOXES);
    search->boxes[search->n_boxes++] = box;
}

/* Works on the boxes from the left; each ends equal, one-sided (marked) or cut in two at its
 * middle.  The right half is pushed first, so the left one is next. */
static void run(struct search *search)
{
    while (search->n_boxes) {
        struct box box = search->boxes[--search->n_boxes];
        struct point middle;
        trim(search, &box);
        /* Only one of the texts has symbols left, so all of them differ. */
        bool one_sided = box.x == box.x_end || box.y == box.y_end;
        if (one_sided || !find_middle(search, &box, &middle)) {
            mark_all(search, &box);
            continue;
        }
        push(search, (struct box){middle.x, box.x_end, middle.y, box.y_end});
        push(search, (struct box){box.x, middle.x, box.y, middle.y});
    }
}

/* Marks the symbols that are not part of a longest common subsequence.  A stretch of
 * both whose script would take more than about 2 * `cost` steps is marked as a whole.
 * O(different symbols * symbols) in time, at most O(cost^2) a stretch; 32 bytes for each
 * step of `cost`.
 * Errors: PARE_E_NOMEM; nothing is marked then. */
static pare_status myers_mark(const struct symbols *old, const struct symbols *new, size_t cost,
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
    pare_alloc_free(reach);
    return PARE_OK;
}

enum { OLD, NEW, N_SIDES };

/* The middle of two sequences, between their common head and common tail. */
struct middle {
    const pare_sequence *sequence[N_SIDES];
    size_t head;                     /* common units before */
    size_t n[N_SIDES];               /* units in the middle */
    unsigned char *differs[N_SIDES]; /* owned; by unit of the middle; all-zero at first */
    uint32_t *symbol[N_SIDES];       /* owned; by unit of the middle */
    uint32_t *unit[N_SIDES];         /* owned; which units are compared by Myers */
};

/* One kind of equal units: where it was seen first, and in which of the texts. */
struct kind {
    pare_span span;
    uint64_t hash;
    bool seen[N_SIDES];
};

/* Kinds by their bytes. */
struct kinds {
    struct kind *kinds; /* owned; n of them */
    size_t n, capacity;
    pare_hash_index index; /* of them, by hash */
};

/* The bytes of unit i. */
static pare_span span_of(const pare_sequence *sequence, size_t i)
{
    size_t begin = pare_split_bounds_begin(sequence->bounds, i);
    size_t end = pare_split_bounds_begin(sequence->bounds, i + 1);
    return (pare_span){sequence->text.bytes + begin, end - begin};
}

/* Whether two units have the same bytes: hashes only find candidates for that. */
static bool same(pare_span a, pare_span b)
{
    return a.size == b.size && memcmp(a.bytes, b.bytes, a.size) == 0;
}

/* ---- numbering ------------------------------------------------------------------ */

/* The units themselves are borrowed. */
static void kinds_done(struct kinds *kinds)
{
    pare_alloc_free(kinds->kinds);
    pare_hash_index_done(&kinds->index);
}

/* Finds the kind that has these bytes; false: there is none yet. */
static bool find_kind(const struct kinds *kinds, pare_span span, uint64_t hash, uint32_t *found)
{
    pare_hash_probe probe = pare_hash_index_probe(&kinds->index, hash);
    while (pare_hash_index_next(&kinds->index, &probe, found))
        if (kinds->kinds[*found].hash == hash && same(kinds->kinds[*found].span, span)) return true;
    return false;
}

/* Adds a kind, numbered in the order in which they are met. */
static pare_status add_kind(struct kinds *kinds, pare_span span, uint64_t hash, pare_error *err)
{
    struct kind *grown = pare_vector_grow(kinds->kinds, kinds->n, &kinds->capacity, sizeof *grown);
    if (!grown) return pare_fail_nomem(err);
    kinds->kinds = grown;
    pare_status status = pare_hash_index_add(&kinds->index, hash, (uint32_t)kinds->n, err);
    if (!status) kinds->kinds[kinds->n++] = (struct kind){.span = span, .hash = hash};
    return status;
}

/* The number of the unit's kind, which has been seen on `side` from now on. */
static pare_status number(struct kinds *kinds, pare_span span, int side, uint32_t *symbol,
                          pare_error *err)
{
    uint64_t hash = pare_checksum(span.bytes, span.size);
    if (!find_kind(kinds, span, hash, symbol)) {
        pare_status status = add_kind(kinds, span, hash, err);
        if (status) return status;
        *symbol = (uint32_t)kinds->n - 1;
    }
    kinds->kinds[*symbol].seen[side] = true;
    return PARE_OK;
}

/* Numbers all units of both sides.  After this, units are equal exactly if their symbols are. */
static pare_status number_all(struct middle *middle, struct kinds *kinds, pare_error *err)
{
    for (int side = OLD; side <= NEW; side++) {
        for (size_t i = 0; i < middle->n[side]; i++) {
            pare_status status = number(kinds, span_of(middle->sequence[side], middle->head + i),
                                        side, &middle->symbol[side][i], err);
            if (status) return status;
        }
    }
    return PARE_OK;
}

/* ---- comparing ------------------------------------------------------------------ */

/* Finds the common head and tail.  Most pairs of texts differ in one place, so this often
 * leaves nothing for the rest. */
static void trim_middle(struct middle *middle)
{
    const pare_sequence *old = middle->sequence[OLD], *new = middle->sequence[NEW];
    size_t n_old = old->bounds->n, n_new = new->bounds->n, head = 0;
    while (head < n_old && head < n_new && same(span_of(old, head), span_of(new, head)))
        head++;
    while (n_old > head && n_new > head && same(span_of(old, n_old - 1), span_of(new, n_new - 1))) {
        n_old--;
        n_new--;
    }
    middle->head = head;
    middle->n[OLD] = n_old - head;
    middle->n[NEW] = n_new - head;
}

/* Room for each unit of the middle; what fails leaves the rest to middle_done. */
static pare_status allocate(struct middle *middle, pare_error *err)
{
    for (int side = OLD; side <= NEW; side++) {
        size_t n = middle->n[side];
        middle->differs[side] = pare_alloc_zero(n, 1);
        middle->symbol[side] = pare_alloc(n, sizeof *middle->symbol[side]);
        middle->unit[side] = pare_alloc(n, sizeof *middle->unit[side]);
        if (!middle->differs[side] || !middle->symbol[side] || !middle->unit[side])
            return pare_fail_nomem(err);
    }
    return PARE_OK;
}

/* All-zero is a no-op. */
static void middle_done(struct middle *middle)
{
    for (int side = OLD; side <= NEW; side++) {
        pare_alloc_free(middle->differs[side]);
        pare_alloc_free(middle->symbol[side]);
        pare_alloc_free(middle->unit[side]);
    }
}

/* Marks the units of one side that the other does not have at all, and gathers the
 * others in `symbol` and `unit`.  In place: what is kept moves down over what is not. */
static struct symbols set_aside(struct middle *middle, int side, const struct kinds *kinds)
{
    uint32_t *symbol = middle->symbol[side], *unit = middle->unit[side];
    size_t n = 0;
    for (size_t i = 0; i < middle->n[side]; i++) {
        if (!kinds->kinds[symbol[i]].seen[side == OLD ? NEW : OLD]) {
            middle->differs[side][i] = 1;
            continue;
        }
        symbol[n] = symbol[i];
        unit[n++] = (uint32_t)i;
    }
    return (struct symbols){
        .symbol = symbol, .unit = unit, .n = n, .differs = middle->differs[side]};
}

/* The four steps, in their order.  What is marked as differing at the end is all that the merge
 * needs to know. */
static pare_status compare(struct middle *middle, size_t cost, pare_error *err)
{
    struct kinds kinds = {.n = 0};
    trim_middle(middle);
    pare_status status = allocate(middle, err);
    if (!status) status = number_all(middle, &kinds, err);
    if (!status) {
        struct symbols old = set_aside(middle, OLD, &kinds);
        struct symbols new = set_aside(middle, NEW, &kinds);
        status = myers_mark(&old, &new, cost ? cost : PARE_DIFF_COST, err);
    }
    kinds_done(&kinds);
    return status;
}

/* ---- the merge list ------------------------------------------------------------- */

/* The position of the merge in both texts. */
struct merge {
    pare_diff_run *runs; /* owned */
    size_t n_runs, capacity;
    size_t at[N_SIDES];
};

/* Appends a run of `n` units, if any, and moves past it on the sides that have it. */
static pare_status add_run(struct merge *merge, pare_diff_side side, size_t n, pare_error *err)
{
    if (!n) return PARE_OK;
    pare_diff_run *runs =
        pare_vector_grow(merge->runs, merge->n_runs, &merge->capacity, sizeof *runs);
    if (!runs) return pare_fail_nomem(err);
    merge->runs = runs;
    merge->runs[merge->n_runs++] = (pare_diff_run){.side = side,
                                                   .old_at = (uint32_t)merge->at[OLD],
                                                   .new_at = (uint32_t)merge->at[NEW],
                                                   .n = (uint32_t)n};
    if (side != PARE_DIFF_ONLY_NEW) merge->at[OLD] += n;
    if (side != PARE_DIFF_ONLY_OLD) merge->at[NEW] += n;
    return PARE_OK;
}

/* How many units from `at` on differ on one side; 0 after the middle. */
static size_t differing(const struct middle *middle, int side, size_t at)
{
    size_t i = at - middle->head, n = 0;
    while (i + n < middle->n[side] && middle->differs[side][i + n])
        n++;
    return n;
}

/* How many units are equal from where the merge stands, the common tail included if nothing of
 * the middle is left. */
static size_t common(const struct middle *middle, const struct merge *merge)
{
    size_t i = merge->at[OLD] - middle->head, k = merge->at[NEW] - middle->head, n = 0;
    while (i + n < middle->n[OLD] && k + n < middle->n[NEW] && !middle->differs[OLD][i + n] &&
           !middle->differs[NEW][k + n])
        n++;
    if (i + n < middle->n[OLD] || k + n < middle->n[NEW]) return n;
    return middle->sequence[OLD]->bounds->n - merge->at[OLD]; /* and the common tail */
}

/* Makes runs of the marks: at each place first the old units, then the new ones, then the common
 * ones. */
static pare_status merge_all(const struct middle *middle, struct merge *merge, pare_error *err)
{
    bool anything = middle->n[OLD] || middle->n[NEW];
    size_t n_old = middle->sequence[OLD]->bounds->n, n_new = middle->sequence[NEW]->bounds->n;
    pare_status status = add_run(merge, PARE_DIFF_COMMON, anything ? middle->head : n_old, err);
    while (!status && (merge->at[OLD] < n_old || merge->at[NEW] < n_new)) {
        status = add_run(merge, PARE_DIFF_ONLY_OLD, differing(middle, OLD, merge->at[OLD]), err);
        if (!status)
            status =
                add_run(merge, PARE_DIFF_ONLY_NEW, differing(middle, NEW, merge->at[NEW]), err);
        if (!status) status = add_run(merge, PARE_DIFF_COMMON, common(middle, merge), err);
    }
    return status;
}

/* O(units) besides Myers' marks: see the top of the file. */
pare_status pare_diff_make(const pare_sequence *old, const pare_sequence *new, size_t cost,
                           pare_diff *out, pare_error *err)
{
    struct middle middle = {.sequence = {old, new}};
    struct merge merge = {.n_runs = 0};
    pare_status status = compare(&middle, cost, err);
    if (!status) status = merge_all(&middle, &merge, err);
    middle_done(&middle);
    if (status)
        pare_alloc_free(merge.runs);
    else
        *out = (pare_diff){.runs = merge.runs, .n_runs = merge.n_runs};
    return status;
}

/* All-zero is a no-op. */
void pare_diff_done(pare_diff *diff)
{
    pare_alloc_free(diff->runs);
    *diff = (pare_diff){.n_runs = 0};
}

/* ---- checking ------------------------------------------------------------------- */

/* Whether the run continues where the last one ended, and what it calls common is. */
static bool check_run(const pare_diff_run *run, const size_t at[N_SIDES], const pare_sequence *old,
                      const pare_sequence *new)
{
    if (!run->n || run->old_at != at[OLD] || run->new_at != at[NEW]) return false;
    if (run->side != PARE_DIFF_ONLY_NEW && run->n > old->bounds->n - at[OLD]) return false;
    if (run->side != PARE_DIFF_ONLY_OLD && run->n > new->bounds->n - at[NEW]) return false;
    if (run->side != PARE_DIFF_COMMON) return true;
    for (size_t i = 0; i < run->n; i++)
        if (!same(span_of(old, at[OLD] + i), span_of(new, at[NEW] + i))) return false;
    return true;
}

/* Reads both texts: for tests. */
bool pare_diff_check(const pare_diff *diff, const pare_sequence *old, const pare_sequence *new)
{
    size_t at[N_SIDES] = {0, 0};
    for (size_t i = 0; i < diff->n_runs; i++) {
        const pare_diff_run *run = &diff->runs[i];
        if (!check_run(run, at, old, new)) return false;
        if (i > 0 && run->side == run[-1].side) return false;
        if (i > 0 && run->side == PARE_DIFF_ONLY_OLD && run[-1].side == PARE_DIFF_ONLY_NEW)
            return false;
        if (run->side != PARE_DIFF_ONLY_NEW) at[OLD] += run->n;
        if (run->side != PARE_DIFF_ONLY_OLD) at[NEW] += run->n;
    }
    return at[OLD] == old->bounds->n && at[NEW] == new->bounds->n;
}
