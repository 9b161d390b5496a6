/* Which closed sets of a dependency graph are tried, and in which order.
 *
 * 1. ASK: the text as it is, if that was asked for (pare_closures_ask): the compiler is heard of
 *    where it was when it failed.  SUSPECTS: the closure of the nodes there, with the bodies of the
 *    functions among them; then with the bodies of all functions.  First narrowly: of the
 *    statements beside one where it was, only those that lead to another such place.
 *    USERS: where that compiles and does not fail, the same with those that name a suspect, then
 *    with those that name these, as long as they are few (suspects.h).
 * 2. FIRST: what the last node of the file uses, or where it is known, what the program starts with (of
 *    a folder), and the suspects, with the bodies of all functions: a program without what is unused.  Where that compiles
 *    and does not fail, once more with all that libraries rely on in objects; where it is run, after 3.  LEVELS: where what
 *    the program starts with, or the suspects with the last node, or that of one that is run, fails so, only functions of the
 *    first levels of calls have bodies (levels.h); 3 and 4 are left out then.
 * 3. REAR: closures of the last 1, 4, 16, .. nodes, in which functions have no bodies but where a
 *    node is one.  If one of them fails, the failure needs no code that runs, and bodies are nodes
 *    like others (free).  If none does, the same with bodies glued to their functions; that alone
 *    where the program is not compiled but run.
 * 4. ROOTS: nodes in the order of the file.  The shortest prefix of them whose closure, with those
 *    of the roots known so far, still fails is found by bisection; its last node is a root, and
 *    what is not in that closure goes.  Repeated until the closure of the roots alone fails.
 * 5. PLAIN: what is left without line markers, blank lines and pragmas, once; or else with pragmas.
 * 6. DELETE: groups of nodes go with all that needs them and all that only they needed
 *    (deletions.h), as long as that is expected to pay.
 * If the suspects fail, 2 to 4 are left out.  The failure may depend on chance, such as where things
 * lie in memory, if the suspects compile and do not fail, nor does the program without what is
 * unused; if all of 1 to 4 is in vain; if a closure fails and no deletion of it does; or if the wide
 * closure failed, the narrow one did not, and deletions gain little:
 * 7. CHANCE: a descent (descent.h) from the suspects' closure, or from what fails, by what compiles,
 *    and from each set that fails anew, for some dozen tests; then 6, or if none failed, the stage
 *    that was left.
 * The closure of a prefix grows with it, so for failures that stay when the text grows bisection is right; the
 * fewest tests for k roots of n nodes are O(k log n).
 * Stages 1 to 4 are left once PATIENCE tests in a row have gained nothing.  Of a small text, which lists and trees reduce
 * as fast, mended tries count, too, and deletions have only RUNS_PATIENCE; of a program that is run, even fewer.
 *
 * Invariant: the nodes of `within` fail, and hold all roots; what is proposed is a subset.  If
 * `rooted`, they are the closure of the roots.
 * Source: generalised binary reduction, Kalhauge and Palsberg, PLDI 2021 (GBR): their order is by size of the closures; ours,
 * and stages 1, 2 and 5, were measured (docs/lab/dependency.md). */
#include "reduce/dependency/closures.h"

#include <assert.h>
#include <string.h>

#include <pare/outcome.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/shared.h"
#include "reduce/dependency/deletions.h"
#include "reduce/dependency/descent.h"
#include "reduce/dependency/levels.h"
#include "reduce/dependency/outline.h"
#include "reduce/dependency/repairs.h"
#include "reduce/dependency/suspects.h"
#include "run/complaints.h"
#include "text/candidate.h"

enum {
    MOST_ROOTS = 64,            /* a failure that has more is not for this strategy */
    GALLOP = 4,                 /* factor between two steps from the rear */
    PATIENCE = 16,              /* tests in a row that gain nothing, in one stage of closures */
    DELETE_PATIENCE = 20,       /* the same for deletions: lists remove what is left as fast; */
    SMALL_DELETE_PATIENCE = 40, /* of few nodes most are tried */
    SMALL_BYTES = 4096,         /* a text that goes as fast by its tree */
    CHANCE_PATIENCE = 50,       /* the same where all else was in vain; one in ten is to fail */
    GUESS_PATIENCE = 30,        /* the same where it is a guess that chance decides */
    MOST_CHANCES = 600,
    SLOW_DELETIONS = 10,      /* deletions after which a third ought to have gone */
    ALL_PATIENCE = 20,        /* tests, if none of them has gained anything, */
    RUNS_PATIENCE = 10,       /* where no compiler says what lacks, or it said where it was */
    RUNS_DELETE_PATIENCE = 6, /* deletions in a row of a program that is run, before one pays; */
    RUNS_SMALL_SHARE = 10,    /* of less than this part no more than one: lists remove as much */
    GAIN_SHARE = 50,          /* less than this part of the bytes is no gain */
    DELETE_GAIN_SHARE = 400,  /* the same for deletions, */
    LEAST_EXPECTED = 64,      /* bytes of one that are enough in any case: lists are worse */
    SMALL_GAIN = 2            /* bytes that are a gain in any case */
};

static_assert(MOST_ROOTS >= PARE_SUSPECTS_MOST + PARE_SUSPECTS_MOST_USERS &&
                  MOST_ROOTS >= PARE_SUSPECTS_MOST + PARE_DESCENT_EXTRAS,
              "all suspects with what is added to them can be roots");

enum stage {
    ASK,
    SUSPECTS,
    USERS,
    FIRST,
    REAR,
    ROOTS,
    SEARCH,
    CHANCE,
    LEVELS,
    PLAIN,
    DELETE,
    DONE
};

/* The strategy's state. */
struct closures {
    pare_strategy head;
    pare_dependency *graph; /* one reference */
    enum stage stage;
    bool runs;             /* only programs that run are of use: bodies stay glued at first */
    bool bodies;           /* they are glued to their functions */
    bool layout;           /* objects keep what libraries know of them */
    bool first_failed;     /* stage FIRST: what the last node uses fails */
    bool rooted;           /* what is left is the closure of the roots */
    bool narrow;           /* closures of suspects are without `beside` */
    bool compiles;         /* the proposal was listened to, and does */
    bool alone_compiles;   /* a closure of the suspects alone compiled, and did not fail */
    bool suspects_compile; /* their closure with all bodies did, and did not fail */
    bool wide_failed;      /* and did not fail so, but did with it */
    pare_shared *beside;   /* bits: statements that lead to no suspect; NULL: there are none */
    pare_shared *within;   /* bits: what is left, and fails */
    size_t bytes, bytes_at_start; /* of its text, and of all */
    size_t bytes_at_entry;        /* the same when the stage began, */
    unsigned n_tests;             /* and tests since then */
    pare_shared *proposed;        /* bits; NULL: to be made */
    size_t proposed_bytes;
    pare_shared *order; /* of uint32_t: nodes that the stage goes through */
    size_t n_order;
    size_t low, high; /* SEARCH: prefixes known not to fail, and to fail; REAR: high is the
                               prefix at hand */
    unsigned n_vain;  /* tests in a row that gained nothing, of this stage */
    unsigned n_first; /* tests before the first that gained anything; mended tries only where the
                         text is small */
    bool pays;        /* one has */
    bool deletes;     /* a deletion has */
    bool chanced;     /* CHANCE was there, or is; */
    bool early;       /* before the search */
    bool plain;       /* PLAIN was there, */
    bool pragmas;     /* and without pragmas it did not fail */
    bool has_entry;   /* it is known where the program starts: */
    size_t n_entry;   /* so many nodes of the order from the rear, and what always stays */
    pare_levels levels;
    uint32_t roots[MOST_ROOTS];
    size_t n_roots;
    pare_suspects suspects;
    pare_deletions deletions;
    pare_descent descent; /* CHANCE */
    pare_repairs repairs;
};

static struct closures *of(pare_strategy *strategy)
{
    return (struct closures *)strategy;
}

static const struct closures *of_const(const pare_strategy *strategy)
{
    return (const struct closures *)strategy;
}

static const pare_dependency_bits *within(const struct closures *self)
{
    return pare_shared_items(self->within);
}

static const uint32_t *order(const struct closures *self)
{
    return pare_shared_items(self->order);
}

/* What every closure is made with. */
static pare_dependency_query query_of(const struct closures *self)
{
    const pare_repairs *repairs = &self->repairs;
    return (pare_dependency_query){.within = within(self),
                                   .without = repairs->without ? pare_shared_items(repairs->without)
                                                               : NULL,
                                   .learned = repairs->learned.at,
                                   .n_learned = repairs->learned.n,
                                   .bodies = self->bodies,
                                   .layout = self->layout};
}

/* --- proposals ---------------------------------------------------------------------------- */

/* The closure of the roots and the first `n` nodes of the order.  It grows with n, on which bisection relies;
 * nodes of the order that are not left any more are passed over. */
static pare_status close_prefix(const struct closures *self, size_t n, pare_dependency_bits *kept,
                                pare_error *err)
{
    const pare_dependency_query query = query_of(self);
    for (size_t i = 0; i < self->n_roots; i++)
        pare_dependency_add(kept, self->roots[i]);
    for (size_t i = 0; i < n; i++)
        if (pare_dependency_has(query.within, order(self)[i]))
            pare_dependency_add(kept, order(self)[i]);
    return pare_dependency_close(self->graph, &query, kept, err);
}

/* Where closures are narrow, has the attempt made without what is beside the suspects. */
static void leave_out_beside(struct closures *self)
{
    if (!self->narrow || self->repairs.without) return;
    self->repairs.without = self->beside; /* until the attempt ends */
    pare_shared_retain(self->beside);
}

/* The closure of the suspects, or of these and their users. */
static pare_status close_suspects(const struct closures *self, bool users,
                                  pare_dependency_bits *kept, pare_error *err)
{
    const pare_dependency_query query = query_of(self);
    return pare_suspects_close(&self->suspects, self->graph, &query, users, kept, err);
}

/* The suspects that are roots of a program without what is unused: it cannot fail without them.  0: too many. */
static size_t n_beside_first(const struct closures *self)
{
    return self->high + self->suspects.n <= MOST_ROOTS ? self->suspects.n : 0;
}

/* What the descent goes down in. */
static pare_descent_view view_of(const struct closures *self, const pare_dependency_query *query)
{
    return (pare_descent_view){.graph = self->graph,
                               .query = query,
                               .suspects = self->suspects.nodes,
                               .n_suspects = self->suspects.n,
                               .roots = self->rooted ? self->roots : self->suspects.nodes,
                               .n_roots = self->rooted ? self->n_roots : self->suspects.n,
                               .bytes = self->bytes};
}

/* Begins the descent at what is left, or at the suspects' closure. */
static pare_status begin_descent(struct closures *self, pare_error *err)
{
    const pare_dependency_query query = query_of(self);
    const pare_descent_view view = view_of(self, &query);
    if (self->rooted) return pare_descent_begin(&self->descent, &view, self->within, err);
    pare_shared *set = NULL;
    pare_dependency_bits *kept = NULL;
    const bool bodies = self->bodies;
    pare_status status = pare_dependency_new_set(self->graph, &set, &kept, err);
    if (!status) leave_out_beside(self);
    self->bodies = false; /* but for those of the suspects */
    if (!status) status = close_suspects(self, false, kept, err);
    self->bodies = bodies;
    if (!status) status = pare_descent_begin(&self->descent, &view, set, err);
    pare_shared_release(set);
    return status;
}

/* What is left without the nodes that are chosen.  Once less is expected of them than a test is worth, the
 * stage is DONE, and what was made is not proposed. */
static pare_status delete_some(struct closures *self, pare_dependency_bits *kept, pare_error *err)
{
    const pare_dependency_query query = query_of(self);
    const pare_deletions_view view = {.graph = self->graph,
                                      .query = &query,
                                      .roots = self->roots,
                                      .n_roots = self->rooted ? self->n_roots : 0,
                                      .entry = self->rooted && (self->has_entry || !self->n_roots),
                                      .bytes = self->bytes};
    double expected;
    pare_status status = pare_deletions_choose(&self->deletions, &view, kept, &expected, err);
    if (expected < SMALL_GAIN ||
        (expected < LEAST_EXPECTED && expected < (double)self->bytes / DELETE_GAIN_SHARE))
        self->stage = DONE;
    return status;
}

/* The prefix tried next. */
static size_t middle_of(const struct closures *self)
{
    return self->low + (self->high - self->low) / 2;
}

static pare_status propose(struct closures *self, pare_error *err)
{
    pare_shared *set = NULL;
    pare_dependency_bits *kept = NULL;
    bool whole;
    pare_status status = pare_dependency_new_set(self->graph, &set, &kept, err);
    if (status) return status;
    if (self->stage == SUSPECTS || (self->stage == CHANCE && !self->rooted)) leave_out_beside(self);
    const pare_dependency_query query = query_of(self);
    const pare_descent_view view = view_of(self, &query);
    switch (self->stage) {
    case PLAIN:
    case ASK:
        for (size_t i = 0; i < pare_dependency_set_size(self->graph); i++)
            kept[i] |= within(self)[i];
        if (self->stage == PLAIN) pare_dependency_make_plain(self->graph, kept);
        if (self->stage == PLAIN && !self->pragmas) pare_dependency_drop_pragmas(self->graph, kept);
        break;
    case SUSPECTS:
    case USERS: status = close_suspects(self, self->stage == USERS, kept, err); break;
    case FIRST:
    case REAR:
        if (self->stage == FIRST && n_beside_first(self))
            status = close_suspects(self, false, kept, err);
        if (!status) status = close_prefix(self, self->high, kept, err);
        break;
    case ROOTS: status = close_prefix(self, 0, kept, err); break;
    case SEARCH: status = close_prefix(self, middle_of(self), kept, err); break;
    case CHANCE: status = pare_descent_propose(&self->descent, &view, kept, err); break;
    case LEVELS:
        for (size_t i = 0; i < self->n_roots; i++)
            pare_dependency_add(kept, self->roots[i]);
        status = pare_levels_close(self->graph, &query, self->levels.at, kept, &whole, err);
        break;
    case DELETE:
    case DONE: status = delete_some(self, kept, err); break;
    }
    if (!status) self->proposed_bytes = pare_dependency_bytes(self->graph, kept);
    if (!status)
        self->proposed = set;
    else
        pare_shared_release(set);
    return status;
}

/* --- stages ------------------------------------------------------------------------------- */

/* Sets the order: nodes that are left and not in `base` (NULL: no set). */
static pare_status set_order(struct closures *self, const pare_dependency_bits *base,
                             pare_levels_direction direction, pare_error *err)
{
    const pare_dependency_query open = {.within = within(self), .without = base};
    pare_levels_nodes made;
    pare_status status = pare_levels_order(self->graph, &open, direction, &made, err);
    if (status) return status;
    pare_shared_release(self->order);
    self->order = made.list;
    self->n_order = made.n;
    if (direction == PARE_LEVELS_FROM_REAR) self->n_entry = made.n_entry;
    return PARE_OK;
}

/* Whether lists and trees reduce what is left as fast. */
static bool is_small(const struct closures *self)
{
    return self->bytes < SMALL_BYTES;
}

/* How much of the order from the rear a program starts with, or the last node.  0: with what always stays. */
static size_t first_prefix(const struct closures *self)
{
    return self->has_entry && self->n_entry <= MOST_ROOTS ? self->n_entry : 1;
}

/* Begins a stage.  DELETE comes after PLAIN; FIRST and REAR go through all nodes from the rear; the others take
 * over what the stage before has set. */
static pare_status enter(struct closures *self, enum stage stage, pare_error *err)
{
    pare_status status = PARE_OK;
    if (stage == DELETE && !self->plain && pare_dependency_has_markers(self->graph)) stage = PLAIN;
    self->stage = stage;
    self->n_vain = 0;
    self->n_tests = 0;
    self->bytes_at_entry = self->bytes;
    self->chanced = self->chanced || stage == CHANCE;
    self->plain = self->plain || stage == PLAIN;
    if (stage == CHANCE) status = begin_descent(self, err);
    if (stage == DELETE)
        status = pare_suspects_begin(&self->suspects, self->graph, &self->deletions, err);
    if (stage == FIRST || stage == REAR) {
        status = set_order(self, NULL, PARE_LEVELS_FROM_REAR, err);
        self->high = first_prefix(self);
        if (stage == REAR && !self->high) self->high = 1;
        if (!self->n_order) self->stage = DONE;
    }
    return status;
}

/* The suspects fail, or the roots: nothing else is needed. */
static pare_status end_search(struct closures *self, pare_error *err)
{
    self->rooted = true;
    return enter(self, DELETE, err);
}

/* The next level of users, if there is one. */
static pare_status widen_users(struct closures *self, pare_error *err)
{
    bool more = false;
    pare_status status = PARE_OK;
    if (self->alone_compiles && self->suspects.n) {
        const pare_dependency_query query = query_of(self);
        status = pare_suspects_widen(&self->suspects, self->graph, &query, &more, err);
    }
    if (!status && more) self->bodies = false;
    if (!status) status = enter(self, more ? USERS : FIRST, err);
    if (!more) self->bodies = true;
    return status;
}

/* The suspects with users: if they fail, all of them are roots. */
static pare_status tell_users(struct closures *self, bool failed, pare_error *err)
{
    if (!failed) return widen_users(self, err);
    self->n_roots = pare_suspects_copy(&self->suspects, true, self->roots);
    return end_search(self, err);
}

/* The suspects were tried without the bodies of other functions, or with them; narrowly, or not.  If they fail,
 * they are the roots. */
static pare_status tell_suspects(struct closures *self, bool failed, pare_error *err)
{
    if (failed) {
        self->wide_failed = self->beside && !self->narrow;
        self->n_roots = pare_suspects_copy(&self->suspects, false, self->roots);
        return end_search(self, err);
    }
    self->alone_compiles = self->alone_compiles || self->compiles;
    if (!self->bodies && !self->suspects.warned) { /* what was warned of may not be meant */
        self->bodies = true;
        return PARE_OK;
    }
    self->suspects_compile = self->compiles && !self->suspects.warned;
    if (self->narrow) {
        self->narrow = self->bodies = false;
        return PARE_OK;
    }
    if (self->suspects.warned) self->suspects.n = 0; /* so nothing tells that they are needed */
    return widen_users(self, err);
}

/* The gallop begins. */
static pare_status begin_rear(struct closures *self, pare_error *err)
{
    self->bodies = self->runs;
    self->narrow = false;
    pare_status status = enter(self, REAR, err);
    if (self->runs && self->n_order > GALLOP) self->high = GALLOP;
    return status;
}

/* What was just tried is known to lead to all that is needed: LEVELS or DELETE begins. */
static pare_status take_roots(struct closures *self, enum stage stage, pare_error *err)
{
    const size_t n_more = self->stage == FIRST ? n_beside_first(self) : 0;
    memcpy(self->roots, order(self), self->high * sizeof *self->roots);
    self->n_roots = self->high + n_more;
    memcpy(self->roots + self->high, self->suspects.nodes, n_more * sizeof *self->roots);
    self->rooted = true;
    self->levels.at = 1;
    return enter(self, stage, err);
}

/* The program without what is unused: what it fails without, others may need.  Where that compiles and does not
 * fail, nor did the suspects' closure, it may be that chance decides. */
static pare_status tell_first(struct closures *self, bool failed, pare_error *err)
{
    if (!failed && !self->layout && self->compiles && pare_dependency_has_layout(self->graph)) {
        self->layout = true;
        return PARE_OK;
    }
    self->first_failed = failed;
    if (!failed && self->layout && self->runs) {
        self->layout = false;
        return enter(self, ROOTS, err);
    }
    self->layout = self->layout && failed;
    const bool entry = (self->has_entry && self->n_entry <= MOST_ROOTS) || n_beside_first(self);
    if (failed && (entry || (self->runs && !self->layout))) return take_roots(self, LEVELS, err);
    /* It is run, so without bodies nothing fails. */
    if (failed && self->layout) return take_roots(self, DELETE, err);
    self->early = self->suspects_compile && self->compiles && !is_small(self);
    if (!self->early) return begin_rear(self, err);
    self->narrow = self->beside != NULL;
    return enter(self, CHANCE, err);
}

/* The gallop is over: with `failed`, its last step was of use; of a program that is run, it ought to be of more. */
static pare_status end_rear(struct closures *self, bool failed, pare_error *err)
{
    const bool little = !failed || self->bytes > self->bytes_at_start / 20 * 19;
    if (self->runs && little && pare_dependency_has_layout(self->graph)) {
        self->layout = true;
        return enter(self, FIRST, err);
    }
    if (failed) return enter(self, ROOTS, err);
    /* Without bodies nothing fails: the same with them, unless that was so from the start. */
    if (self->bodies) {
        self->bodies = self->first_failed || self->runs;
        return enter(self, ROOTS, err);
    }
    self->bodies = true;
    if (self->first_failed) return enter(self, ROOTS, err);
    pare_status status = enter(self, REAR, err);
    self->high = GALLOP < self->n_order ? GALLOP : self->n_order;
    return status;
}

/* The gallop ends at half of the nodes: a closure of more of them would hardly be smaller than the text. */
static pare_status tell_rear(struct closures *self, bool failed, pare_error *err)
{
    if (failed && self->high > 1) return end_rear(self, true, err);
    /* A search could only find the same, or what deletions do. */
    if (failed) return take_roots(self, DELETE, err);
    if (self->high >= self->n_order / 2) return end_rear(self, false, err);
    self->high = self->high * GALLOP < self->n_order ? self->high * GALLOP : self->n_order;
    return PARE_OK;
}

/* The last node of the shortest prefix that fails is a root, once that prefix is known: with one
 * node it is known without a test, and the empty prefix has no last node. */
static pare_status end_bisection(struct closures *self, pare_error *err)
{
    assert(self->low < self->high);
    if (self->high - self->low > 1) return PARE_OK;
    if (self->n_roots == MOST_ROOTS) return enter(self, DELETE, err);
    self->roots[self->n_roots++] = order(self)[self->high - 1];
    self->stage = ROOTS;
    return PARE_OK;
}

/* The roots alone: if they do not fail, the next one is looked for. */
static pare_status tell_roots(struct closures *self, bool failed, pare_error *err)
{
    if (failed) return end_search(self, err);
    pare_status status =
        set_order(self, pare_shared_items(self->proposed), PARE_LEVELS_OF_FILE, err);
    if (status) return status;
    self->low = 0;
    self->high = self->n_order;
    self->stage = SEARCH;
    return self->n_order ? end_bisection(self, err) : end_search(self, err);
}

static pare_status tell_search(struct closures *self, bool failed, pare_error *err)
{
    const size_t middle = middle_of(self);
    if (failed)
        self->high = middle;
    else
        self->low = middle;
    return end_bisection(self, err);
}

/* A set that fails is what the descent goes on from.  One that was drawn holds nodes that need not be
 * there for the suspects: they are roots. */
static pare_status tell_chance(struct closures *self, bool failed, pare_error *err)
{
    pare_descent *descent = &self->descent;
    const bool drawn = descent->at_floor;
    pare_status status =
        pare_descent_tell(descent, self->graph, self->proposed, failed || self->compiles, err);
    if (!status && failed) {
        if (!self->rooted || drawn) {
            self->n_roots = pare_suspects_copy(&self->suspects, false, self->roots);
            for (size_t i = 0; drawn && i < descent->n_extras; i++)
                self->roots[self->n_roots++] = descent->extras[i];
        }
        self->rooted = true;
        self->bodies = false;
        if (drawn) status = begin_descent(self, err);
    }
    if (status || self->n_tests < MOST_CHANCES) return status;
    return enter(self, self->rooted ? DELETE : DONE, err);
}

/* Whether deletions are in vain that ought not to be: a closure of suspects holds more than is needed. */
static bool is_by_chance(const struct closures *self)
{
    return self->rooted && !self->deletes && !self->chanced && self->suspects.n && !is_small(self);
}

/* Whether the narrow closure may have been passed over by chance: deletions remove little of the wide one. */
static bool is_slow(const struct closures *self)
{
    return self->stage == DELETE && self->wide_failed && !self->chanced && !is_small(self) &&
           self->n_tests >= SLOW_DELETIONS && self->bytes > self->bytes_at_entry / 3 * 2;
}

/* Goes down from the narrow closure. */
static pare_status descend_narrowly(struct closures *self, pare_error *err)
{
    self->rooted = false;
    self->narrow = true;
    return enter(self, CHANCE, err);
}

/* Leaves a stage that gains nothing.  A search without bodies is tried once more with them, from the start:
 * roots that were found without are of no use then. */
static pare_status give_up(struct closures *self, pare_error *err)
{
    switch (self->stage) {
    case SUSPECTS:
    case USERS: self->bodies = true; return enter(self, FIRST, err);
    case FIRST:
    case REAR: return end_rear(self, false, err);
    case ROOTS:
    case SEARCH:
        if (self->bodies)
            return enter(self, self->suspects.n && !self->pays && !self->chanced ? CHANCE : DELETE,
                         err);
        self->bodies = true;
        self->n_vain = 0;
        self->n_roots = 0;
        self->stage = ROOTS;
        return PARE_OK;
    case CHANCE:
        if (!self->rooted && self->early) return begin_rear(self, err);
        if (!self->rooted && !self->wide_failed) break;
        self->rooted = true;
        self->narrow = false;
        return enter(self, DELETE, err);
    case DELETE:
        if (is_by_chance(self)) return enter(self, CHANCE, err);
        break;
    case LEVELS: return enter(self, DELETE, err);
    case ASK:
    case PLAIN:
    case DONE: break;
    }
    self->stage = DONE;
    return PARE_OK;
}

/* --- outcomes ------------------------------------------------------------------------------- */

/* The next proposal is made anew: of the next step, or of the same by what was learned meanwhile. */
static void make_anew(struct closures *self)
{
    pare_shared_release(self->proposed);
    self->proposed = NULL;
}

/* Goes on after an outcome, which may be that of a proposal that was not tested. */
static pare_status advance(struct closures *self, bool failed, pare_error *err)
{
    pare_status status = PARE_OK;
    pare_dependency_query query;
    pare_repairs_end(&self->repairs);
    switch (self->stage) {
    case ASK:
        self->bodies = false;
        query = query_of(self);
        if (self->suspects.n)
            status =
                pare_suspects_find_beside(&self->suspects, self->graph, &query, &self->beside, err);
        self->narrow = self->beside != NULL;
        self->bodies = self->suspects.n == 0;
        if (!status) status = enter(self, self->suspects.n ? SUSPECTS : FIRST, err);
        break;
    case SUSPECTS: status = tell_suspects(self, failed, err); break;
    case USERS: status = tell_users(self, failed, err); break;
    case FIRST: status = tell_first(self, failed, err); break;
    case REAR: status = tell_rear(self, failed, err); break;
    case ROOTS: status = tell_roots(self, failed, err); break;
    case SEARCH: status = tell_search(self, failed, err); break;
    case CHANCE: status = tell_chance(self, failed, err); break;
    case LEVELS:
        if (pare_levels_tell(&self->levels, failed)) status = enter(self, DELETE, err);
        break;
    case PLAIN:
        if (failed || self->pragmas) status = enter(self, DELETE, err);
        self->pragmas = true;
        break;
    case DELETE:
        status = pare_deletions_tell(&self->deletions, self->graph, failed,
                                     self->compiles ? self->proposed : NULL, err);
        break;
    case DONE: break;
    }
    make_anew(self);
    self->compiles = false;
    return status;
}

/* --- the strategy --------------------------------------------------------------------------- */

/* What is proposed becomes what is left. */
static void accept(struct closures *self)
{
    pare_shared_release(self->within);
    self->within = self->proposed;
    pare_shared_retain(self->within);
    self->bytes = self->proposed_bytes;
}

/* Whether what is said of the proposal is of use.  A descent goes by it; draws are not gone on from. */
static bool hears(const struct closures *self)
{
    if (self->stage == ASK) return true;
    if (self->stage == CHANCE) return !self->descent.at_floor;
    if (self->stage == PLAIN) return false; /* no declaration went, so there is none to add */
    return !self->runs && pare_repairs_listens(&self->repairs);
}

/* A proposal that is all that is left needs no test: it fails. */
static pare_status closures_next(pare_strategy *strategy, pare_next *what,
                                 pare_candidate *candidate, pare_error *err)
{
    struct closures *self = of(strategy);
    while (self->stage != DONE) {
        pare_status status = self->proposed ? PARE_OK : propose(self, err);
        if (status) return status;
        if (self->stage == DONE) break;
        if (self->stage == CHANCE && self->descent.is_over) {
            make_anew(self);
            status = give_up(self, err);
            if (status) return status;
            continue;
        }
        self->head.hears_fails = true;
        self->head.asks = self->stage == ASK;
        if (self->stage == ASK || self->proposed_bytes < self->bytes) {
            self->head.hears = hears(self);
            *what = PARE_NEXT_TEST;
            return pare_dependency_candidate(self->graph, pare_shared_items(self->proposed),
                                             candidate, err);
        }
        /* All that is left is the closure at hand, or none of what goes has any text. */
        const bool whole = self->proposed_bytes == self->bytes,
                   starts = self->has_entry || self->runs;
        const bool grows = self->stage == ROOTS || self->stage == SEARCH || self->stage == LEVELS;
        const bool holds = self->stage == SUSPECTS || (self->stage == FIRST && starts);
        status = advance(self, grows || (whole && holds), err);
        if (status) return status;
    }
    *what = PARE_NEXT_DONE;
    return PARE_OK;
}

/* Tests in a row that may gain nothing in the stage. */
static unsigned patience(const struct closures *self)
{
    const bool lists = self->bytes < self->bytes_at_start / RUNS_SMALL_SHARE &&
                       !pare_dependency_is_checked(self->graph); /* lists break what is checked */
    switch (self->stage) {
    case DELETE:
        if (!self->pays) return RUNS_PATIENCE;
        if (self->runs && !self->deletes) return lists ? 1 : RUNS_DELETE_PATIENCE;
        return is_small(self) ? SMALL_DELETE_PATIENCE : DELETE_PATIENCE;
    case CHANCE: return self->early || self->wide_failed ? GUESS_PATIENCE : CHANCE_PATIENCE;
    default: return PATIENCE;
    }
}

/* What is left to try once the search is over.  A small text whose suspects are not enough is not for this one. */
static enum stage after_vain(const struct closures *self)
{
    if (is_small(self)) return self->suspects.n ? DONE : DELETE;
    return self->suspects.n && !self->chanced ? CHANCE : DONE;
}

/* Whether so many tests have gained nothing that the search is over. */
static bool is_vain(const struct closures *self)
{
    const bool told = is_small(self) && self->suspects.n;
    const unsigned most = self->runs || told ? RUNS_PATIENCE : ALL_PATIENCE;
    return !self->pays && self->n_first >= most && self->stage < CHANCE;
}

/* Three things may come of an outcome: the same step again, mended by what the compiler said; the search from
 * its start, if mending was given up and its edges are forgotten; or the next step, and the next stage where
 * this one gains nothing. */
static pare_status closures_tell(pare_strategy *strategy, pare_outcome outcome, pare_error *err)
{
    struct closures *self = of(strategy);
    bool failed = outcome == PARE_FAIL;
    const bool mended = !pare_repairs_is_given_up(&self->repairs);
    assert(self->proposed);
    if (self->stage == ASK) return advance(self, failed, err);
    self->compiles = !failed && self->head.hears && !self->repairs.rejected;
    self->repairs.rejected = false;
    if (failed) pare_repairs_note_failure(&self->repairs);
    /* Of deletions most are in vain, mended or not. */
    if (self->stage >= CHANCE) pare_repairs_note_success(&self->repairs);
    if (!failed && pare_repairs_take(&self->repairs) && !is_vain(self)) {
        self->n_first += is_small(self) && !self->pays;
        self->n_vain += self->stage == CHANCE;
        make_anew(self); /* the same step, mended */
        pare_deletions_look_again(self->stage == CHANCE ? &self->descent.deletions
                                                        : &self->deletions);
        return PARE_OK;
    }
    if (mended && pare_repairs_is_given_up(&self->repairs) && self->stage == SEARCH) {
        /* Prefixes passed with edges that are forgotten now. */
        self->low = 0;
        pare_repairs_end(&self->repairs);
        make_anew(self);
        return PARE_OK;
    }
    const size_t share = self->stage == DELETE ? DELETE_GAIN_SHARE : GAIN_SHARE;
    bool gain = failed && self->bytes - self->proposed_bytes > self->bytes / share;
    self->n_vain = gain ? 0 : self->n_vain + 1;
    self->pays = self->pays || gain;
    self->deletes = self->deletes || (gain && self->stage == DELETE);
    self->n_first += !self->pays && self->stage < CHANCE; /* a guess is no part of the search */
    self->n_tests++;
    if (failed) accept(self);
    pare_status status = advance(self, failed, err);
    if (!status && is_slow(self)) return descend_narrowly(self, err);
    if (!status && self->n_vain >= patience(self)) status = give_up(self, err);
    if (!status && is_vain(self)) status = enter(self, after_vain(self), err);
    return status;
}

/* Mends the proposal; of the text as it is, takes the suspects. */
static pare_status closures_hear(pare_strategy *strategy, const pare_complaints *complaints,
                                 pare_error *err)
{
    struct closures *self = of(strategy);
    pare_dependency_query query = query_of(self);
    if (self->stage == ASK)
        return pare_suspects_take(&self->suspects, self->graph, within(self), complaints,
                                  &self->repairs, err);
    if (self->stage == CHANCE) query.within = pare_shared_items(self->descent.left);
    const pare_repairs_attempt attempt = {.graph = self->graph,
                                          .query = &query,
                                          .kept = pare_shared_items(self->proposed),
                                          .roots = self->roots,
                                          .n_roots = self->n_roots,
                                          .only_learns = self->stage >= CHANCE,
                                          .calls = self->stage < DELETE};
    pare_status status = pare_repairs_hear(&self->repairs, &attempt, complaints, err);
    self->head.excused = !self->repairs.rejected;
    return status;
}

static void closures_free(pare_strategy *strategy)
{
    struct closures *self = of(strategy);
    pare_shared_release(self->within);
    pare_shared_release(self->beside);
    pare_shared_release(self->proposed);
    pare_shared_release(self->order);
    pare_dependency_unref(self->graph);
    pare_deletions_done(&self->deletions);
    pare_descent_done(&self->descent);
    pare_repairs_done(&self->repairs);
    pare_alloc_free(self);
}

/* Sets are replaced, never written, so they are shared. */
static pare_status closures_copy(const pare_strategy *strategy, pare_strategy **out,
                                 pare_error *err)
{
    struct closures *copy = pare_alloc(1, sizeof *copy);
    if (!copy) return pare_fail_nomem(err);
    *copy = *of_const(strategy);
    pare_status status = pare_repairs_copy(&of_const(strategy)->repairs, &copy->repairs, err);
    if (status) {
        pare_alloc_free(copy);
        return status;
    }
    (void)pare_dependency_ref(copy->graph);
    pare_shared_retain(copy->within);
    pare_shared_retain(copy->beside);
    pare_shared_retain(copy->proposed);
    pare_shared_retain(copy->order);
    pare_deletions_share(&copy->deletions);
    pare_descent_share(&copy->descent);
    *out = &copy->head;
    return PARE_OK;
}

pare_status pare_closures_new(pare_dependency *graph, pare_strategy **out, pare_error *err)
{
    static const pare_strategy_ops ops = {.next = closures_next,
                                          .tell = closures_tell,
                                          .copy = closures_copy,
                                          .destroy = closures_free,
                                          .hear = closures_hear};
    struct closures *self = pare_alloc_zero(1, sizeof *self);
    pare_dependency_bits *all = NULL;
    if (!self) return pare_fail_nomem(err);
    self->head.ops = &ops;
    self->graph = pare_dependency_ref(graph);
    self->bodies = true;
    self->runs = pare_dependency_runs(graph);
    pare_status status = pare_dependency_new_set(self->graph, &self->within, &all, err);
    for (uint32_t i = 0; !status && i < pare_dependency_count(graph); i++) {
        pare_dependency_add(all, i);
        if (pare_dependency_nodes(graph)[i].roles & PARE_OUTLINE_ENTRY) self->has_entry = true;
    }
    if (!status) status = set_order(self, NULL, PARE_LEVELS_FROM_REAR, err);
    if (status) {
        closures_free(&self->head);
        return status;
    }
    self->bytes = self->bytes_at_start = pare_dependency_bytes(graph, all);
    self->high = first_prefix(self);
    self->stage = self->n_order ? FIRST : DONE;
    *out = &self->head;
    return PARE_OK;
}

void pare_closures_ask(pare_strategy *closures)
{
    struct closures *self = of(closures);
    assert(!self->proposed);
    if (self->stage == FIRST && !self->runs) self->stage = ASK;
}

const pare_dependency_bits *pare_closures_proposed(const pare_strategy *closures)
{
    return pare_shared_items(of_const(closures)->proposed);
}
