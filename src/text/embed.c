/* Where a short sequence stands in a long one: dynamic programming in one pass over the long
 * text.
 *
 * best[j] is the cheapest embedding of the first j units of
 * the short one in what was read so far; open[j] is the cheapest of those that end with the
 * unit read last, which the next unit may prolong for nothing.  Both only ever get cheaper,
 * and an embedding is a list of runs that shares its tail with others, so that noting one
 * is O(1). */
#include "text/embed.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/checksum.h"
#include "base/fail.h"
#include "base/vector.h"

enum { WINDOW_BYTES = 1 << 20 };

#define NO_NODE UINT32_MAX

/* A run of an embedding, after those of `parent`.  Embeddings share their beginnings, so noting one
 * costs one node. */
struct node {
    size_t old_begin, old_end;
    uint32_t new_begin; /* unit */
    uint32_t parent;    /* NO_NODE: it is the first */
};

/* The cheapest embedding of so many units: what it costs, and its last run. */
struct best {
    uint32_t cost, node;
};

/* An embedding whose last run is still growing. */
struct open {
    uint64_t next; /* number of the unit of the long text that may prolong it; 0: none */
    size_t old_begin;
    uint32_t cost, parent, new_begin;
};

/* The short text's units, the best embeddings so far, and how far the long text was read. */
struct embed {
    pare_span new;
    pare_bounds bounds;  /* of `new`; owned, as all below */
    uint32_t *table;     /* last unit of each kind, plus 1; 0: free */
    uint32_t *earlier;   /* by unit: the one before of the same kind, plus 1; 0: none */
    uint64_t *hash;      /* by unit */
    unsigned char *lost; /* by unit: what it costs when it is not found */
    struct best *best;   /* by number of units */
    struct open *open;   /* likewise */
    struct node *nodes;
    size_t n_nodes, nodes_capacity, mask;
    uint64_t number; /* of the unit of the long text, from 1 */
    uint64_t *budget;
};

/* All-zero is a no-op. */
void pare_embedding_done(pare_embedding *embedding)
{
    pare_alloc_free(embedding->runs);
    *embedding = (pare_embedding){.n = 0};
}

/* All-zero is a no-op. */
static void embed_done(struct embed *embed)
{
    pare_split_bounds_done(&embed->bounds);
    pare_alloc_free(embed->table);
    pare_alloc_free(embed->earlier);
    pare_alloc_free(embed->hash);
    pare_alloc_free(embed->lost);
    pare_alloc_free(embed->best);
    pare_alloc_free(embed->open);
    pare_alloc_free(embed->nodes);
}

/* ---- the units of the short text ------------------------------------------------- */

/* The bytes of unit i of the short text. */
static pare_span unit_of(const struct embed *embed, size_t i)
{
    size_t begin = pare_split_bounds_begin(&embed->bounds, i);
    size_t end = pare_split_bounds_begin(&embed->bounds, i + 1);
    return (pare_span){embed->new.bytes + begin, end - begin};
}

/* The slot of the table with the last unit that is equal to `span`, or a free one.  There
 * always is one: the table is at most half full. */
static size_t find(const struct embed *embed, pare_span span, uint64_t hash)
{
    size_t i = hash & embed->mask;
    for (; embed->table[i]; i = (i + 1) & embed->mask) {
        size_t k = embed->table[i] - 1;
        pare_span unit = unit_of(embed, k);
        if (embed->hash[k] == hash && unit.size == span.size &&
            memcmp(unit.bytes, span.bytes, span.size) == 0)
            break;
    }
    return i;
}

/* Whether the unit is one byte that is neither letter nor digit, as the token splitter has
 * them: a bracket, an operator. */
static bool is_mark(pare_span span)
{
    unsigned char c = span.bytes[0], small = c | 0x20;
    bool is_word =
        c >= 0x80 || c == '_' || (c >= '0' && c <= '9') || (small >= 'a' && small <= 'z');
    return span.size == 1 && !is_word;
}

/* Chains equal units of the short text from the last to the first, and begins with the embedding
 * that finds nothing: every unit is lost. */
static void index_units(struct embed *embed, pare_embed_weights weights)
{
    uint32_t cost = 0;
    for (size_t i = 0; i < embed->bounds.n; i++) {
        pare_span span = unit_of(embed, i);
        /* A lost bracket says less than a lost word. */
        bool cheap = weights == PARE_EMBED_WORDS && is_mark(span);
        embed->lost[i] = cheap ? PARE_EMBED_LOST_MARK : PARE_EMBED_LOST;
        cost += embed->lost[i];
        assert(embed->lost[i] > 0);
        embed->best[i + 1] = (struct best){cost, NO_NODE};
        embed->hash[i] = pare_checksum(span.bytes, span.size);
        size_t slot = find(embed, span, embed->hash[i]);
        /* The chain of equal units goes from the last one back. */
        embed->earlier[i] = embed->table[slot];
        embed->table[slot] = (uint32_t)i + 1;
    }
}

/* Splits the short text and makes all that a pass over the long one needs: O(units) memory.
 * Errors: PARE_E_NOMEM; what was made stays for embed_done. */
static pare_status start(struct embed *embed, const pare_embed_task *task, pare_error *err)
{
    pare_status status =
        task->splitter->split(embed->new.bytes, embed->new.size, &embed->bounds, err);
    if (status) return status;
    size_t n = embed->bounds.n, n_slots = 16;
    while (n_slots < 2 * n)
        n_slots *= 2;
    embed->mask = n_slots - 1;
    embed->table = pare_alloc_zero(n_slots, sizeof *embed->table);
    embed->earlier = pare_alloc(n, sizeof *embed->earlier);
    embed->hash = pare_alloc(n, sizeof *embed->hash);
    embed->lost = pare_alloc(n, 1);
    embed->best = pare_alloc(n + 1, sizeof *embed->best);
    embed->open = pare_alloc_zero(n + 1, sizeof *embed->open);
    if (!embed->table || !embed->earlier || !embed->hash || !embed->lost || !embed->best ||
        !embed->open)
        return pare_fail_nomem(err);
    embed->best[0] = (struct best){0, NO_NODE};
    index_units(embed, task->weights);
    return PARE_OK;
}

/* ---- one unit of the long text --------------------------------------------------- */

/* Pays for one unit of work.  Equal units in both texts make this quadratic, so the caller sets
 * a bound and gets PARE_E_LIMIT instead of an hour. */
static pare_status pay(struct embed *embed, pare_error *err)
{
    if (*embed->budget == 0 || embed->n_nodes == PARE_EMBED_NODES)
        return pare_fail(err, PARE_E_LIMIT, "the texts are too large to be compared");
    --*embed->budget;
    return PARE_OK;
}

/* The best embedding of j units got cheaper: so may those of more units, which give up the
 * units after `j` instead of finding them.  Stops where that is not cheaper any more. */
static void relax(struct embed *embed, size_t j)
{
    struct best *best = embed->best;
    for (; j < embed->bounds.n && best[j].cost + embed->lost[j] < best[j + 1].cost; j++)
        best[j + 1] = (struct best){best[j].cost + embed->lost[j], best[j].node};
}

/* Notes that the embedding `run` of `j` units, the last of which ends at `end`, is the
 * cheapest so far.  Errors: PARE_E_NOMEM, PARE_E_LIMIT. */
static pare_status note(struct embed *embed, const struct open *run, size_t j, size_t end,
                        pare_error *err)
{
    struct node *nodes = pare_vector_grow(embed->nodes, embed->n_nodes, &embed->nodes_capacity,
                                          sizeof *embed->nodes);
    if (!nodes) return pare_fail_nomem(err);
    embed->nodes = nodes;
    nodes[embed->n_nodes] = (struct node){.old_begin = run->old_begin,
                                          .old_end = end,
                                          .new_begin = run->new_begin,
                                          .parent = run->parent};
    embed->best[j] = (struct best){run->cost, (uint32_t)embed->n_nodes++};
    relax(embed, j);
    return pay(embed, err);
}

/* Takes the unit at byte `at`.  The equal units are visited from the last to the first, so
 * that each sees the others as they were before this one. */
static pare_status take(struct embed *embed, pare_span span, size_t at, pare_error *err)
{
    uint64_t number = ++embed->number;
    uint32_t found = embed->table[find(embed, span, pare_checksum(span.bytes, span.size))];
    pare_status status = pay(embed, err);
    for (; found && !status; found = embed->earlier[found - 1]) {
        size_t j = found - 1;
        /* The cheapest embedding that ends before unit j. */
        struct best before = embed->best[j];
        struct open run = embed->open[j];
        /* No run ends just before this unit, or a new run is cheaper than prolonging that one. */
        if (run.next != number || run.cost > before.cost + PARE_EMBED_RUN)
            run = (struct open){.old_begin = at,
                                .cost = before.cost + PARE_EMBED_RUN,
                                .parent = before.node,
                                .new_begin = (uint32_t)j};
        run.next = number + 1;
        embed->open[j + 1] = run;
        status = pay(embed, err);
        if (!status && run.cost < embed->best[j + 1].cost)
            status = note(embed, &run, j + 1, at + span.size, err);
    }
    return status;
}

/* ---- the whole text -------------------------------------------------------------- */

/* The end of the window that begins at `at`: after its last line end, so that no unit is cut,
 * or, in a line longer than a window, anywhere. */
static size_t window_end(pare_span text, size_t at)
{
    if (text.size - at <= WINDOW_BYTES) return text.size;
    const unsigned char *end = memrchr(text.bytes + at, '\n', WINDOW_BYTES);
    return end ? (size_t)(end - text.bytes) + 1 : at + WINDOW_BYTES;
}

/* Splits one window and takes its units in order; only the units of one window are in memory. */
static pare_status read_window(struct embed *embed, pare_span window, size_t at,
                               const pare_splitter *splitter, pare_error *err)
{
    pare_bounds bounds = {0};
    pare_status status = splitter->split(window.bytes, window.size, &bounds, err);
    for (size_t i = 0; !status && i < bounds.n; i++) {
        size_t begin = pare_split_bounds_begin(&bounds, i),
               end = pare_split_bounds_begin(&bounds, i + 1);
        status = take(embed, (pare_span){window.bytes + begin, end - begin}, at + begin, err);
    }
    pare_split_bounds_done(&bounds);
    return status;
}

/* Reads in windows, since the long text may be as large as memory allows. */
static pare_status read_all(struct embed *embed, pare_span old, const pare_splitter *splitter,
                            pare_error *err)
{
    pare_status status = PARE_OK;
    for (size_t at = 0, end; !status && at < old.size; at = end) {
        end = window_end(old, at);
        status = read_window(embed, (pare_span){old.bytes + at, end - at}, at, splitter, err);
    }
    return status;
}

/* Lays out the cheapest embedding, whose runs are linked from the last to the first. */
static pare_status collect(const struct embed *embed, pare_embedding *out, pare_error *err)
{
    size_t n = 0;
    uint32_t last = embed->best[embed->bounds.n].node;
    for (uint32_t i = last; i != NO_NODE; i = embed->nodes[i].parent)
        n++;
    pare_embed_run *runs = pare_alloc(n, sizeof *runs);
    if (!runs) return pare_fail_nomem(err);
    *out = (pare_embedding){.runs = runs, .n = n};
    for (uint32_t i = last; i != NO_NODE; i = embed->nodes[i].parent) {
        const struct node *node = &embed->nodes[i];
        runs[--n] =
            (pare_embed_run){.old_at = node->old_begin,
                             .new_at = pare_split_bounds_begin(&embed->bounds, node->new_begin),
                             .size = node->old_end - node->old_begin};
    }
    return PARE_OK;
}

/* `budget` is what is left of it afterwards, for the next task. */
pare_status pare_embed(const pare_embed_task *task, uint64_t *budget, pare_embedding *out,
                       pare_error *err)
{
    struct embed embed = {.new = task->new, .budget = budget};
    pare_status status = start(&embed, task, err);
    if (!status) status = read_all(&embed, task->old, task->splitter, err);
    if (!status) status = collect(&embed, out, err);
    embed_done(&embed);
    return status;
}
