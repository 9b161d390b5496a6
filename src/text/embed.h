/* Where the units of a short sequence stand in a long one: the embedding with the fewest
 * runs.
 *
 * After a reduction the result is, or nearly is, a subsequence of the original.  A shortest
 * edit script does not say which one: every embedding deletes the same number of units.
 * The one that people recognise takes whole stretches, so a run of neighbours costs
 * PARE_EMBED_RUN, a unit that is found nowhere PARE_EMBED_LOST, and the sum is least.  Of
 * equal ones the embedding whose runs end first is taken.  With PARE_EMBED_WORDS a unit of
 * one byte that is no word is lost for PARE_EMBED_LOST_MARK, less than a run: a bracket or
 * a line end, which stands everywhere, is found beside a word or not at all.
 *
 * Source: ours; an alignment whose gaps in the long sequence cost the same at any length
 * (affine gaps without extension: Gotoh, J. Mol. Biol. 162, 1982), computed in one pass
 * over the long sequence and only where units are equal (as Hunt and Szymanski, CACM 20(5),
 * 1977), with lists of runs shared between the best embeddings of all prefixes.  One
 * thread. */
#ifndef PARE_TEXT_EMBED_H
#define PARE_TEXT_EMBED_H

#include "text/split/split.h"
#include "text/text.h"

enum { PARE_EMBED_RUN = 2, PARE_EMBED_LOST = 3, PARE_EMBED_LOST_MARK = 1 };

typedef enum pare_embed_weights { PARE_EMBED_EVEN, PARE_EMBED_WORDS } pare_embed_weights;

/* What is embedded where; borrowed. */
typedef struct pare_embed_task {
    pare_span old, new;            /* `new` is at most 1 GiB */
    const pare_splitter *splitter; /* of both */
    pare_embed_weights weights;
} pare_embed_task;

/* `size` bytes that are the same at `old_at` of the long text and `new_at` of the short. */
typedef struct pare_embed_run {
    size_t old_at, new_at, size; /* size is above 0 */
} pare_embed_run;

/* Runs ascend on both sides and do not overlap; neighbours on both sides are one run.
 * All-zero: nothing is common. */
typedef struct pare_embedding {
    pare_embed_run *runs; /* owned */
    size_t n;
} pare_embedding;

void pare_embedding_done(pare_embedding *embedding);

/* Embeds `new` in `old`, which is cut a window at a time, so that no unit is longer than a
 * window of 1 MiB.  Takes away from *budget one for each pair of equal units, each unit of
 * `old` and each run noted.  Sets *out only on success; the caller owns it.  Time: in
 * proportion to what is taken from the budget.  Memory: 50 bytes a unit of `new`, 32 for each
 * run noted (at most PARE_EMBED_NODES), and 5 MiB for the window.  Errors: PARE_E_NOMEM,
 * PARE_E_LIMIT (the budget, or the runs, do not suffice). */
enum { PARE_EMBED_NODES = 1 << 22 };
PARE_CHECK pare_status pare_embed(const pare_embed_task *task, uint64_t *budget,
                                  pare_embedding *out, pare_error *err);

#endif
