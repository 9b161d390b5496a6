/* What groups that were dropped in vain have in common.
 *
 * Two kinds of groups tell something.  What compiles without a group, and does not fail, lacks something: nodes that
 * went as dependents of several such groups are doubted by their number, and by how few there are of them.  And what a
 * compiler rejects for the same complaint without one group and without another lacks what both held, if it is one
 * thing that the complaint is about: the needs that the graph does not know are found so, whatever the language, and
 * however little the words of the complaint say.  All that is gone counts there, for what nothing needs any more may be
 * just what an unknown need leads to.
 * Each choice is blamed for its share of the common nodes, as each of them is as likely to be the one.
 *
 * Source: ours; what is common to failing runs and to no passing one is the idea of spectrum-based fault localisation
 * (Jones, Harrold and Stasko, "Visualization of test information to assist fault localization", ICSE 2002). */
#include "reduce/dependency/deletions_blame.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/digest.h"
#include "base/fail.h"
#include "base/shared.h"
#include "reduce/dependency/dependency.h"
#include "reduce/dependency/dependency_graph.h"

/* What is left of the hope that what went with several others in vain can go, for each time after the first. */
static const double BLAMED_VAIN = 0.4;

/* There is room for one item even where none is asked for. */
pare_status pare_deletions_blame_new_list(size_t n, size_t item_bytes, pare_shared **out,
                                          void **items, pare_error *err)
{
    pare_shared *list = NULL;
    pare_status status = pare_shared_new(n ? n : 1, item_bytes, &list, err);
    if (!status) status = pare_shared_own(&list, 0, n ? n : 1, items, err);
    if (status)
        pare_shared_release(list);
    else
        *out = list;
    return status;
}

/* Facts come after all nodes, so a set that is cut off here holds all nodes. */
size_t pare_deletions_blame_words(const pare_dependency *graph)
{
    return (pare_dependency_count(graph) + 63) / 64;
}

void pare_deletions_blame_drop_facts(const pare_dependency *graph, pare_dependency_bits *set)
{
    const uint32_t n = pare_dependency_count(graph), rest = n % 64;
    if (rest) set[n / 64] &= ((pare_dependency_bits)1 << rest) - 1;
}

void pare_deletions_blame_done(pare_deletions_blame *blame)
{
    pare_shared_release(blame->gone);
    for (size_t i = 0; i < PARE_DELETIONS_BLAME_MOST; i++)
        pare_shared_release(blame->faults[i].common);
    *blame = (pare_deletions_blame){.gone = NULL};
}

void pare_deletions_blame_share(pare_deletions_blame *copy)
{
    pare_shared_retain(copy->gone);
    for (size_t i = 0; i < PARE_DELETIONS_BLAME_MOST; i++)
        pare_shared_retain(copy->faults[i].common);
}

/* --- what compiled ------------------------------------------------------------------------ */

/* The counts stop at 255. */
pare_status pare_deletions_blame_gone(pare_deletions_blame *blame, const pare_dependency *graph,
                                      const pare_dependency_bits *gone, pare_error *err)
{
    const uint32_t n = pare_dependency_count(graph);
    const bool anew = !blame->gone;
    void *items = NULL;
    pare_status status =
        anew ? pare_deletions_blame_new_list(n, sizeof(uint8_t), &blame->gone, &items, err)
             : pare_shared_own(&blame->gone, n, n, &items, err);
    if (status) return status;
    uint8_t *blamed = items;
    if (anew) memset(blamed, 0, n);
    for (uint32_t i = 0; i < n; i++)
        if (pare_dependency_has(gone, i) && blamed[i] < UINT8_MAX) blamed[i]++;
    return PARE_OK;
}

/* How often the node of the set was blamed that was blamed most.  A word at a time: `rest &=
 * rest - 1` takes out the lowest bit, so the cost is one step for each node in the set. */
static unsigned most_blame(const uint8_t *blamed, const pare_dependency_bits *set, size_t n_words)
{
    unsigned most = 0;
    for (size_t word = 0; word < n_words; word++) {
        for (pare_dependency_bits rest = set[word]; rest; rest &= rest - 1) {
            const unsigned times = blamed[word * 64 + (size_t)__builtin_ctzll(rest)];
            most = times > most ? times : most;
        }
    }
    return most;
}

/* Sums the weights of the nodes in the set, which are by how often each was blamed. */
static double weigh_blame(const uint8_t *blamed, const double weights[static UINT8_MAX + 1],
                          const pare_dependency_bits *set, size_t n_words)
{
    double sum = 0;
    for (size_t word = 0; word < n_words; word++)
        for (pare_dependency_bits rest = set[word]; rest; rest &= rest - 1)
            sum += weights[blamed[word * 64 + (size_t)__builtin_ctzll(rest)]];
    return sum;
}

/* Blames choices for their share of the nodes that may be what groups lacked in vain, though they compiled: that went with
 * several of them.  `left`: the nodes within.  What holds all such nodes is likely to be in vain once more; where most of
 * the set went with each, little is known of any. */
static void share_gone(const pare_deletions_blame *blame, const pare_deletions_blame_view *view,
                       const pare_dependency_bits *left, double *shares)
{
    const size_t n_words = pare_deletions_blame_words(view->graph);
    double weights[UINT8_MAX + 1] = {0};
    const uint8_t *blamed = pare_shared_items(blame->gone);
    const unsigned most = most_blame(blamed, left, n_words);
    if (most < 2) return;
    /* What stayed in a group that was in vain is less likely to be what all of them lacked. */
    for (unsigned times = 2; times <= most; times++)
        weights[times] = pow(BLAMED_VAIN, most - times);
    const double all = weigh_blame(blamed, weights, left, n_words);
    const double doubt = 1 - pow(BLAMED_VAIN, most - 1);
    for (size_t i = 0; i < view->n; i++)
        shares[i] = doubt * weigh_blame(blamed, weights, view->drops + i * n_words, n_words) / all;
}

/* --- what was rejected -------------------------------------------------------------------- */

/* How many nodes are in both sets. */
static size_t count(const pare_dependency_bits *one, const pare_dependency_bits *other,
                    size_t n_words)
{
    size_t n = 0;
    for (size_t i = 0; i < n_words; i++)
        n += (size_t)__builtin_popcountll(one[i] & other[i]);
    return n;
}

/* Takes out of *common what the candidate has, or with `without` what it lacks.  If nothing is left, or there was no
 * set, *common becomes all that the candidate lacks, and *anew is set. */
static pare_status narrow(pare_shared **common, const pare_deletions_candidate *candidate,
                          bool without, bool *anew, pare_error *err)
{
    const size_t n = pare_deletions_blame_words(candidate->graph);
    pare_shared *made = NULL;
    void *items = NULL;
    pare_status status =
        pare_deletions_blame_new_list(n, sizeof(pare_dependency_bits), &made, &items, err);
    if (status) return status;
    pare_dependency_bits *bits = items, any = 0;
    const pare_dependency_bits *before = *common ? pare_shared_items(*common) : NULL;
    for (size_t i = 0; before && i < n; i++) {
        /* Rejected for the fault: the cause is among what is gone.  Not rejected: it is not. */
        const pare_dependency_bits gone = candidate->within[i] & ~candidate->kept[i];
        bits[i] = before[i] & (without ? ~gone : gone);
        any |= bits[i] & candidate->within[i];
    }
    *anew = !any;
    for (size_t i = 0; !any && i < n; i++)
        bits[i] = candidate->within[i] & ~candidate->kept[i];
    pare_deletions_blame_drop_facts(candidate->graph, bits);
    pare_shared_release(*common);
    *common = made;
    return PARE_OK;
}

/* The same complaint of the same node is one fault, and each further group narrows what they
 * have in common.  If nothing is common any more, it has several causes: it begins anew with the
 * last group.  Of more faults than there is room for, the oldest makes way. */
pare_status pare_deletions_blame_fault(pare_deletions_blame *blame,
                                       const pare_deletions_candidate *candidate,
                                       const pare_deletions_fault *fault, pare_error *err)
{
    pare_deletions_fault *at = NULL;
    bool anew = false;
    for (size_t i = 0; i < PARE_DELETIONS_BLAME_MOST; i++) {
        pare_deletions_fault *known = &blame->faults[i];
        if (known->n && known->node == fault->node && pare_digest_equal(known->name, fault->name))
            at = known;
    }
    if (!at) {
        at = &blame->faults[blame->n_faults++ % PARE_DELETIONS_BLAME_MOST];
        pare_shared_release(at->common);
        *at = (pare_deletions_fault){.node = fault->node, .name = fault->name};
    }
    pare_status status = narrow(&at->common, candidate, false, &anew, err);
    if (!status) at->n = anew ? 1 : at->n + 1;
    return status;
}

/* A candidate that compiles without certain nodes acquits all of them, as long as the node that
 * complained is still in it. A fault of which all is acquitted takes several nodes to bring
 * about, and is forgotten. */
pare_status pare_deletions_blame_clear(pare_deletions_blame *blame,
                                       const pare_deletions_candidate *candidate, pare_error *err)
{
    pare_status status = PARE_OK;
    for (size_t i = 0; !status && i < PARE_DELETIONS_BLAME_MOST; i++) {
        pare_deletions_fault *at = &blame->faults[i];
        bool anew = false;
        if (!at->n || !pare_dependency_has(candidate->kept, at->node)) continue;
        status = narrow(&at->common, candidate, true, &anew, err);
        if (anew) at->n = 0; /* it takes several to bring it about */
    }
    return status;
}

/* Adds to the blame of choices for their share of what the groups that were rejected for the
 * fault had in common.  A choice that takes half of the common nodes with it is blamed by half
 * of the doubt, which grows with the number of times that the fault came.  Blames of several
 * faults combine as independent ones.  What goes together with who complained is not complained
 * of. */
static void share_fault(const pare_deletions_fault *fault, const pare_deletions_blame_view *view,
                        const pare_dependency_bits *left, double *shares)
{
    const size_t n_words = pare_deletions_blame_words(view->graph);
    const pare_dependency_bits *common = pare_shared_items(fault->common);
    const size_t all = count(common, left, n_words);
    const double doubt = 1 - pow(BLAMED_VAIN, fault->n - 1);
    for (size_t i = 0; all && i < view->n; i++) {
        const pare_dependency_bits *set = view->sets + i * n_words;
        if (!pare_dependency_has(set, fault->node)) continue;
        const double share = (double)(all - count(common, set, n_words)) / (double)all;
        shares[i] = 1 - (1 - shares[i]) * (1 - doubt * share);
    }
}

/* --- both --------------------------------------------------------------------------------- */

/* Whether the fault has come more than once, and who complains of it is still there. */
static bool counts(const pare_deletions_fault *fault, const pare_dependency_bits *within)
{
    return fault->n > 1 && pare_dependency_has(within, fault->node);
}

/* Memory: one set, freed at the end.  O(choices * nodes / 64) for each fault. */
pare_status pare_deletions_blame_choices(const pare_deletions_blame *blame,
                                         const pare_deletions_blame_view *view, double *shares,
                                         pare_error *err)
{
    const size_t n_words = pare_deletions_blame_words(view->graph);
    pare_dependency_bits *left = pare_alloc(n_words, sizeof *left);
    if (!left) return pare_fail_nomem(err);
    memcpy(left, view->within, n_words * sizeof *left);
    pare_deletions_blame_drop_facts(view->graph, left);
    for (size_t i = 0; i < view->n; i++)
        shares[i] = 0;
    if (blame->gone) share_gone(blame, view, left, shares);
    for (size_t i = 0; i < PARE_DELETIONS_BLAME_MOST; i++)
        if (counts(&blame->faults[i], view->within))
            share_fault(&blame->faults[i], view, left, shares);
    pare_alloc_free(left);
    return PARE_OK;
}
