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
 *    UNITS: where FIRST fails and it is known what the program is, the shortest prefix of its items and statements that
 *    fails, and what that needs before its end (closures_units.c).
 *    MAIN: where the file that was preprocessed is known by its line markers, all of it is in FIRST, and where that fails, groups
 *    of its items and statements go first, with all that only they need; then BARE, what is left of it without the bodies of
 *    other functions, or else LEVELS; 3 and 4 are left out then, too.  BARE comes before that where the input is compiled and
 *    no program is made of it: no linker asks for bodies, and most of the bytes are in them.
 *    Where it is known what the program is, by its line markers or because it is linked, and FIRST does not fail, what it
 *    lacks is looked for around it, as in 4 with the program for roots (closures_around.c); 3 is left out then.
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
 * Stages 1 to 4 are left once so many tests in a row have gained nothing (closures_patience.c).  Of a small text, which lists and trees reduce
 * as fast, mended tries count, too, and deletions have less; of a program that is run, even fewer.
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
#include "parse/parse_tree.h"
#include "reduce/dependency/closures_proposal.h"
#include "reduce/dependency/deletions.h"
#include "reduce/dependency/deletions_blame.h"
#include "reduce/dependency/dependency.h"
#include "reduce/dependency/dependency_graph.h"
#include "reduce/dependency/dependency_print.h"
#include "reduce/dependency/descent.h"
#include "reduce/dependency/levels.h"
#include "reduce/dependency/outline.h"
#include "reduce/dependency/repairs.h"
#include "reduce/dependency/suspects.h"
#include "run/complaints.h"
#include "text/candidate.h"

enum {
    GALLOP = 4, /* factor between two steps from the rear */
    AROUND_TRIES =
        2, /* of an attempt around a program: what is learned mends the later ones as well */
    FIRST_TRIES = 10, /* of the program without what is unused, which all else stands on */
    MOST_CHANCES = 600,
    GAIN_SHARE = 50 /* less than this part of the bytes is no gain */
};

static struct pare_closures *of(pare_strategy *strategy)
{
    return (struct pare_closures *)strategy;
}

static const struct pare_closures *of_const(const pare_strategy *strategy)
{
    return (const struct pare_closures *)strategy;
}

/* --- stages ------------------------------------------------------------------------------- */

/* Sets the order: nodes that are left and not in `base` (NULL: no set). */
static pare_status set_order(struct pare_closures *self, const pare_dependency_bits *base,
                             pare_levels_direction direction, pare_error *err)
{
    const pare_dependency_query open = {.within = pare_closures_within(self), .without = base};
    pare_levels_nodes made;
    pare_status status = pare_levels_order(self->graph, &open, direction, &made, err);
    if (status) return status;
    pare_shared_release(self->order);
    self->order = made.list;
    self->n_order = made.n;
    if (direction == PARE_LEVELS_FROM_REAR) self->n_entry = made.n_entry;
    return PARE_OK;
}

/* How much of the order from the rear a program starts with, or the last node.  0: with what
 * always stays.  More than there is room for as roots is no start. */
static size_t first_prefix(const struct pare_closures *self)
{
    return self->has_entry && self->n_entry <= PARE_CLOSURES_MOST_ROOTS ? self->n_entry : 1;
}

/* Doubts begin anew, so it is not known to them any more that a linked program needs its `main`
 * (held). */
static pare_status begin_deletions(struct pare_closures *self, pare_error *err)
{
    self->held = false;
    pare_status status = pare_suspects_begin(&self->suspects, self->graph, &self->deletions, err);
    if (status || !self->n_needed) return status;
    return pare_deletions_hold(&self->deletions, self->graph, self->needed, self->n_needed, err);
}

/* Begins a stage.  DELETE comes after PLAIN; FIRST and REAR go through all nodes from the rear; the others take
 * over what the stage before has set. */
pare_status pare_closures_enter(struct pare_closures *self, enum pare_closures_stage stage,
                                pare_error *err)
{
    pare_status status = PARE_OK;
    if (stage == PARE_CLOSURES_DELETE && !self->plain && pare_dependency_has_markers(self->graph))
        stage = PARE_CLOSURES_PLAIN;
    self->stage = stage;
    self->n_vain = 0;
    self->n_tests = 0;
    self->bytes_at_entry = self->bytes;
    self->chanced = self->chanced || stage == PARE_CLOSURES_CHANCE;
    self->plain = self->plain || stage == PARE_CLOSURES_PLAIN;
    if (stage == PARE_CLOSURES_CHANCE) status = pare_closures_begin_descent(self, err);
    if (stage == PARE_CLOSURES_DELETE && self->mains)
        pare_deletions_look_again(&self->deletions);
    else if (stage == PARE_CLOSURES_DELETE || stage == PARE_CLOSURES_MAIN)
        status = begin_deletions(self, err);
    if (stage == PARE_CLOSURES_FIRST || stage == PARE_CLOSURES_REAR) {
        status = set_order(self, NULL, PARE_LEVELS_FROM_REAR, err);
        self->high = first_prefix(self);
        if (stage == PARE_CLOSURES_REAR && !self->high) self->high = 1;
        if (!self->n_order) self->stage = PARE_CLOSURES_DONE;
    }
    return status;
}

/* The suspects fail, or the roots: nothing else is needed, so `within` is their closure, and
 * only deletions can make it smaller. */
static pare_status end_search(struct pare_closures *self, pare_error *err)
{
    self->rooted = true;
    if (self->around) return pare_closures_units_reduce_program(self, err);
    return pare_closures_enter(self, PARE_CLOSURES_DELETE, err);
}

/* The next level of users, if there is one: only where the suspects alone compiled, as else
 * nothing tells that what they lack is who uses them.  Without one FIRST begins, in which bodies
 * are glued to their functions. */
static pare_status widen_users(struct pare_closures *self, pare_error *err)
{
    bool more = false;
    pare_status status = PARE_OK;
    if (self->alone_compiles && self->suspects.n) {
        const pare_dependency_query query = pare_closures_query(self);
        status = pare_suspects_widen(&self->suspects, self->graph, &query, &more, err);
    }
    if (!status && more) self->bodies = false;
    if (!status)
        status = pare_closures_enter(self, more ? PARE_CLOSURES_USERS : PARE_CLOSURES_FIRST, err);
    if (!more) self->bodies = true;
    return status;
}

/* The suspects with users: if they fail, all of them are roots. */
static pare_status tell_users(struct pare_closures *self, bool failed, pare_error *err)
{
    if (!failed) return widen_users(self, err);
    self->n_roots = pare_suspects_copy(&self->suspects, true, self->roots);
    return end_search(self, err);
}

/* The suspects were tried without the bodies of other functions, or with them; narrowly, or not.
 * Up to four tests: narrow without bodies, narrow with, wide without, wide with.  If they fail,
 * they are the roots. */
static pare_status tell_suspects(struct pare_closures *self, bool failed, pare_error *err)
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

/* The last node of the shortest prefix that fails is a root, once that prefix is known: `low`
 * nodes do not fail, `high` do, and both differ by one.  With one node it is known without a
 * test, and the empty prefix has no last node. */
static pare_status end_bisection(struct pare_closures *self, pare_error *err)
{
    assert(self->low < self->high);
    if (self->high - self->low > 1) return PARE_OK;
    if (self->n_roots == PARE_CLOSURES_MOST_ROOTS)
        return pare_closures_enter(self, PARE_CLOSURES_DELETE, err);
    self->roots[self->n_roots++] = pare_closures_order(self)[self->high - 1];
    self->stage = PARE_CLOSURES_ROOTS;
    return PARE_OK;
}

/* What the program itself is stays from here on: of one that is linked other sets are of no use, and of others what it
 * lacks is found in fewer tests around it than without it.  *knows: it is known what that is. */
static pare_status search_around(struct pare_closures *self, bool *knows, pare_error *err)
{
    *knows = pare_closures_around_take_program(self);
    if (!*knows) return PARE_OK;
    self->around = self->bodies = true;
    self->layout = pare_closures_is_linked(self) && pare_dependency_has_layout(self->graph);
    self->narrow = false;
    pare_status status = pare_closures_enter(self, PARE_CLOSURES_SEARCH, err);
    if (!status) status = pare_closures_around_order(self, NULL, err);
    self->low = 0;
    self->high = self->n_order;
    if (status) return status;
    return self->n_order ? end_bisection(self, err) : end_search(self, err);
}

/* The gallop begins, without bodies but where the program is run.  There it begins with GALLOP
 * nodes, as the last one was tried in FIRST already. */
static pare_status begin_rear(struct pare_closures *self, pare_error *err)
{
    bool knows = false;
    pare_status status = self->runs ? PARE_OK : search_around(self, &knows, err);
    if (status || knows) return status;
    self->bodies = self->runs;
    self->narrow = false;
    status = pare_closures_enter(self, PARE_CLOSURES_REAR, err);
    if (self->runs && self->n_order > GALLOP) self->high = GALLOP;
    return status;
}

/* The roots are these nodes, and with `beside` the suspects that go with FIRST. */
static void set_roots(struct pare_closures *self, const uint32_t *nodes, size_t n, bool beside)
{
    const size_t n_more = beside ? pare_closures_n_beside_first(self) : 0;
    memcpy(self->roots, nodes, n * sizeof *self->roots);
    memcpy(self->roots + n, self->suspects.nodes, n_more * sizeof *self->roots);
    self->n_roots = n + n_more;
}

/* What was just tried is known to lead to all that is needed: LEVELS or DELETE begins.  The
 * roots are the prefix that was tried, in FIRST with the suspects. */
static pare_status take_roots(struct pare_closures *self, enum pare_closures_stage stage,
                              pare_error *err)
{
    set_roots(self, pare_closures_order(self), self->high, self->stage == PARE_CLOSURES_FIRST);
    self->rooted = true;
    self->levels.at = 1;
    return pare_closures_enter(self, stage, err);
}

/* All that a program which is linked uses fails: what it begins with, with the bodies that the linker asks for, comes
 * next. */
static pare_status take_program(struct pare_closures *self, pare_error *err)
{
    set_roots(self, pare_closures_order(self), self->high, true);
    pare_closures_around_add_program(self);
    return pare_closures_units_reduce_program(self, err);
}

/* The file that was preprocessed, with all that it uses, fails: what of it is needed is found out first. */
static pare_status take_main(struct pare_closures *self, pare_error *err)
{
    set_roots(self, pare_shared_items(self->main_items), self->n_main_items, true);
    return pare_closures_units_reduce_program(self, err);
}

/* The program without what is unused: what it fails without, others may need.  Where that compiles and does not
 * fail, nor did the suspects' closure, it may be that chance decides. */
static pare_status tell_first(struct pare_closures *self, bool failed, pare_error *err)
{
    pare_repairs_note_success(&self->repairs); /* of use or not, what was learned stays */
    if (!failed && !self->layout && self->compiles && pare_dependency_has_layout(self->graph)) {
        self->layout = true;
        return PARE_OK;
    }
    if (!failed && self->lean) {
        self->lean = false; /* once more, with all bodies */
        return PARE_OK;
    }
    self->first_failed = failed;
    if (!failed && self->layout && self->runs) {
        self->layout = false;
        return pare_closures_enter(self, PARE_CLOSURES_ROOTS, err);
    }
    self->layout = self->layout && failed;
    if (failed && self->n_main_items) return take_main(self, err);
    const bool entry = (self->has_entry && self->n_entry <= PARE_CLOSURES_MOST_ROOTS) ||
                       pare_closures_n_beside_first(self);
    if (failed && (entry || (self->runs && !self->layout)))
        return take_roots(self, PARE_CLOSURES_LEVELS, err);
    if (failed && pare_closures_is_linked(self)) return take_program(self, err);
    /* It is run, so without bodies nothing fails. */
    if (failed && self->layout) return take_roots(self, PARE_CLOSURES_DELETE, err);
    self->early =
        self->suspects_compile && self->compiles && !pare_closures_patience_is_small(self);
    if (!self->early) return begin_rear(self, err);
    self->narrow = self->beside != NULL;
    return pare_closures_enter(self, PARE_CLOSURES_CHANCE, err);
}

/* The gallop is over: with `failed`, its last step was of use; of a program that is run, it ought to be of more. */
static pare_status end_rear(struct pare_closures *self, bool failed, pare_error *err)
{
    const bool little = !failed || self->bytes > self->bytes_at_start / 20 * 19;
    if (self->runs && little && pare_dependency_has_layout(self->graph)) {
        self->layout = true;
        return pare_closures_enter(self, PARE_CLOSURES_FIRST, err);
    }
    if (failed) return pare_closures_enter(self, PARE_CLOSURES_ROOTS, err);
    /* Without bodies nothing fails: the same with them, unless that was so from the start. */
    if (self->bodies) {
        self->bodies = self->first_failed || self->runs;
        return pare_closures_enter(self, PARE_CLOSURES_ROOTS, err);
    }
    self->bodies = true;
    if (self->first_failed) return pare_closures_enter(self, PARE_CLOSURES_ROOTS, err);
    pare_status status = pare_closures_enter(self, PARE_CLOSURES_REAR, err);
    self->high = GALLOP < self->n_order ? GALLOP : self->n_order;
    return status;
}

/* The gallop: closures of 1, 4, 16, .. nodes.  It ends at half of the nodes: a closure of more
 * of them would hardly be smaller than the text.  If the last node alone fails, it is the root. */
static pare_status tell_rear(struct pare_closures *self, bool failed, pare_error *err)
{
    if (failed && self->high > 1) return end_rear(self, true, err);
    /* A search could only find the same, or what deletions do. */
    if (failed) return take_roots(self, PARE_CLOSURES_DELETE, err);
    if (pare_closures_is_linked(self)) return begin_rear(self, err);
    if (self->high >= self->n_order / 2) return end_rear(self, false, err);
    self->high = self->high * GALLOP < self->n_order ? self->high * GALLOP : self->n_order;
    return PARE_OK;
}

/* The roots alone: if they do not fail, the next one is looked for, among all that is not in
 * their closure.  Where nothing is left besides, they have to fail. */
static pare_status tell_roots(struct pare_closures *self, bool failed, pare_error *err)
{
    if (failed) return end_search(self, err);
    pare_status status =
        self->around ? pare_closures_around_order(self, pare_shared_items(self->proposed), err)
                     : set_order(self, pare_shared_items(self->proposed), PARE_LEVELS_OF_FILE, err);
    if (status) return status;
    self->low = 0;
    self->high = self->n_order;
    self->stage = PARE_CLOSURES_SEARCH;
    return self->n_order ? end_bisection(self, err) : end_search(self, err);
}

/* Half of the interval is left, whether the middle fails or not: closures grow with their
 * prefixes. */
static pare_status tell_search(struct pare_closures *self, bool failed, pare_error *err)
{
    const size_t middle = pare_closures_middle(self);
    if (failed)
        self->high = middle;
    else
        self->low = middle;
    return end_bisection(self, err);
}

/* A set that fails is what the descent goes on from.  One that was drawn holds nodes that need not be
 * there for the suspects: they are roots. */
static pare_status tell_chance(struct pare_closures *self, bool failed, pare_error *err)
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
        if (drawn) status = pare_closures_begin_descent(self, err);
    }
    if (status || self->n_tests < MOST_CHANCES) return status;
    return pare_closures_enter(self, self->rooted ? PARE_CLOSURES_DELETE : PARE_CLOSURES_DONE, err);
}

/* Goes down from the narrow closure. */
static pare_status descend_narrowly(struct pare_closures *self, pare_error *err)
{
    self->rooted = false;
    self->narrow = true;
    return pare_closures_enter(self, PARE_CLOSURES_CHANCE, err);
}

/* Leaves a stage that gains nothing.  A search without bodies is tried once more with them, from the start:
 * roots that were found without are of no use then. */
static pare_status give_up(struct pare_closures *self, pare_error *err)
{
    switch (self->stage) {
    case PARE_CLOSURES_SUSPECTS:
    case PARE_CLOSURES_USERS:
        self->bodies = true;
        return pare_closures_enter(self, PARE_CLOSURES_FIRST, err);
    case PARE_CLOSURES_FIRST:
    case PARE_CLOSURES_REAR: return end_rear(self, false, err);
    case PARE_CLOSURES_ROOTS:
    case PARE_CLOSURES_SEARCH:
        if (self->bodies)
            return pare_closures_enter(self,
                                       self->suspects.n && !self->pays && !self->chanced
                                           ? PARE_CLOSURES_CHANCE
                                           : PARE_CLOSURES_DELETE,
                                       err);
        self->bodies = true;
        self->n_vain = 0;
        self->n_roots = 0;
        self->stage = PARE_CLOSURES_ROOTS;
        return PARE_OK;
    case PARE_CLOSURES_CHANCE:
        if (!self->rooted && self->early) return begin_rear(self, err);
        if (!self->rooted && !self->wide_failed) break;
        self->rooted = true;
        self->narrow = false;
        return pare_closures_enter(self, PARE_CLOSURES_DELETE, err);
    case PARE_CLOSURES_DELETE:
        if (pare_closures_patience_doubts(self))
            return pare_closures_enter(self, PARE_CLOSURES_CHANCE, err);
        break;
    case PARE_CLOSURES_UNITS: return pare_closures_units_end(self, err);
    case PARE_CLOSURES_MAIN:
        return pare_closures_enter(
            self, pare_closures_units_is_bare(self) ? PARE_CLOSURES_DELETE : PARE_CLOSURES_BARE,
            err);
    case PARE_CLOSURES_BARE:
    case PARE_CLOSURES_LEVELS: return pare_closures_enter(self, PARE_CLOSURES_DELETE, err);
    case PARE_CLOSURES_ASK:
    case PARE_CLOSURES_PLAIN:
    case PARE_CLOSURES_DONE: break;
    }
    self->stage = PARE_CLOSURES_DONE;
    return PARE_OK;
}

/* --- outcomes ------------------------------------------------------------------------------- */

/* The next proposal is made anew: of the next step, or of the same by what was learned meanwhile. */
static void make_anew(struct pare_closures *self)
{
    pare_shared_release(self->proposed);
    self->proposed = NULL;
}

/* Goes on after an outcome, which may be that of a proposal that was not tested. */
static pare_status advance(struct pare_closures *self, bool failed, pare_error *err)
{
    pare_status status = PARE_OK;
    pare_dependency_query query;
    bool over, anew;
    pare_repairs_end(&self->repairs);
    switch (self->stage) {
    case PARE_CLOSURES_ASK:
        self->bodies = false;
        query = pare_closures_query(self);
        if (self->suspects.n)
            status =
                pare_suspects_find_beside(&self->suspects, self->graph, &query, &self->beside, err);
        self->narrow = self->beside != NULL && !pare_closures_is_linked(self);
        /* No program is linked of the suspects alone. */
        self->bodies = self->suspects.n == 0 || pare_closures_is_linked(self);
        self->layout = pare_closures_is_linked(self) && pare_dependency_has_layout(self->graph);
        if (!status)
            status = pare_closures_enter(
                self, self->bodies ? PARE_CLOSURES_FIRST : PARE_CLOSURES_SUSPECTS, err);
        break;
    case PARE_CLOSURES_SUSPECTS: status = tell_suspects(self, failed, err); break;
    case PARE_CLOSURES_USERS: status = tell_users(self, failed, err); break;
    case PARE_CLOSURES_FIRST: status = tell_first(self, failed, err); break;
    case PARE_CLOSURES_REAR: status = tell_rear(self, failed, err); break;
    case PARE_CLOSURES_ROOTS: status = tell_roots(self, failed, err); break;
    case PARE_CLOSURES_SEARCH: status = tell_search(self, failed, err); break;
    case PARE_CLOSURES_CHANCE: status = tell_chance(self, failed, err); break;
    case PARE_CLOSURES_LEVELS:
        if (pare_levels_tell(&self->levels, failed))
            status = pare_closures_enter(self, PARE_CLOSURES_DELETE, err);
        break;
    case PARE_CLOSURES_PLAIN:
        if (failed || self->pragmas) status = pare_closures_enter(self, PARE_CLOSURES_DELETE, err);
        self->pragmas = true;
        break;
    case PARE_CLOSURES_BARE:
        if (failed) self->bodies = false;
        if (self->bare_first) {
            self->bare_first = false;
            status = pare_closures_units_enter(self, true, err);
            break;
        }
        self->levels.at = 1;
        /* A program that is linked has the bodies of all that it calls, at whatever level. */
        status = pare_closures_enter(self,
                                     failed || pare_closures_is_linked(self) ? PARE_CLOSURES_DELETE
                                                                             : PARE_CLOSURES_LEVELS,
                                     err);
        break;
    case PARE_CLOSURES_UNITS:
        over = pare_closures_units_tell(self, failed, &anew);
        if (over)
            status = pare_closures_units_end(self, err);
        else if (anew)
            status = pare_closures_units_enter(self, false, err);
        break;
    case PARE_CLOSURES_MAIN:
    case PARE_CLOSURES_DELETE:
        status = pare_deletions_tell(&self->deletions, self->graph, failed,
                                     self->compiles ? self->proposed : NULL, err);
        break;
    case PARE_CLOSURES_DONE: break;
    }
    make_anew(self);
    self->compiles = false;
    return status;
}

/* --- the strategy --------------------------------------------------------------------------- */

/* What is proposed becomes what is left.  The set is shared with the proposal, not copied. */
static void accept(struct pare_closures *self)
{
    pare_shared_release(self->within);
    self->within = self->proposed;
    pare_shared_retain(self->within);
    self->bytes = self->proposed_bytes;
}

/* Whether what is said of the proposal is of use.  A descent goes by it; draws are not gone on
 * from.  Of a program that is run nobody says what it lacks. */
static bool hears(const struct pare_closures *self)
{
    if (self->stage == PARE_CLOSURES_ASK) return true;
    if (self->stage == PARE_CLOSURES_CHANCE) return !self->descent.at_floor;
    if (self->stage == PARE_CLOSURES_PLAIN)
        return false; /* no declaration went, so there is none to add */
    return !self->runs && pare_repairs_listens(&self->repairs);
}

/* A proposal that is all that is left needs no test: it fails. */
static pare_status closures_next(pare_strategy *strategy, pare_next *what,
                                 pare_candidate *candidate, pare_error *err)
{
    struct pare_closures *self = of(strategy);
    while (self->stage != PARE_CLOSURES_DONE) {
        pare_status status = self->proposed ? PARE_OK : pare_closures_propose(self, err);
        if (status) return status;
        if (self->stage == PARE_CLOSURES_DONE) break;
        if (self->stage == PARE_CLOSURES_CHANCE && self->descent.is_over) {
            make_anew(self);
            status = give_up(self, err);
            if (status) return status;
            continue;
        }
        if (self->spent) {
            self->spent = false;
            make_anew(self);
            status = pare_closures_enter(
                self, pare_closures_units_is_bare(self) ? PARE_CLOSURES_DELETE : PARE_CLOSURES_BARE,
                err);
            if (status) return status;
            continue;
        }
        self->head.hears_fails = true;
        self->head.asks = self->stage == PARE_CLOSURES_ASK;
        if (self->stage == PARE_CLOSURES_ASK || self->proposed_bytes < self->bytes) {
            self->head.hears = hears(self);
            *what = PARE_NEXT_TEST;
            return pare_dependency_print_candidate(self->graph, pare_shared_items(self->proposed),
                                                   candidate, err);
        }
        /* All that is left is the closure at hand, or none of what goes has any text. */
        const bool whole = self->proposed_bytes == self->bytes,
                   starts = self->has_entry || self->runs || pare_closures_is_linked(self);
        const bool grows = self->stage == PARE_CLOSURES_ROOTS ||
                           self->stage == PARE_CLOSURES_SEARCH ||
                           self->stage == PARE_CLOSURES_LEVELS ||
                           self->stage == PARE_CLOSURES_BARE || self->stage == PARE_CLOSURES_UNITS;
        const bool holds =
            self->stage == PARE_CLOSURES_SUSPECTS || (self->stage == PARE_CLOSURES_FIRST && starts);
        status = advance(self, grows || (whole && holds), err);
        if (status) return status;
    }
    *what = PARE_NEXT_DONE;
    return PARE_OK;
}

/* Tells deletions what the proposal was rejected for, if it was, or that it compiles. */
static pare_status blame(struct pare_closures *self, bool rejected, pare_error *err)
{
    const bool deletes = self->stage == PARE_CLOSURES_DELETE || self->stage == PARE_CLOSURES_MAIN;
    const pare_deletions_candidate candidate = {.graph = self->graph,
                                                .within = pare_closures_within(self),
                                                .kept = pare_shared_items(self->proposed)};
    const pare_deletions_fault fault = {.node = self->repairs.fault.node,
                                        .name = self->repairs.fault.name};
    if (!deletes || (!rejected && !self->compiles)) return PARE_OK;
    if (!rejected) return pare_deletions_blame_clear(&self->deletions.blame, &candidate, err);
    if (fault.node == PARE_NO_NODE) return PARE_OK;
    return pare_deletions_blame_fault(&self->deletions.blame, &candidate, &fault, err);
}

/* Three things may come of an outcome: the same step again, mended by what the compiler said; the search from
 * its start, if mending was given up and its edges are forgotten; or the next step, and the next stage where
 * this one gains nothing. */
static pare_status closures_tell(pare_strategy *strategy, pare_outcome outcome, pare_error *err)
{
    struct pare_closures *self = of(strategy);
    bool failed = outcome == PARE_FAIL;
    const bool mended = !pare_repairs_is_given_up(&self->repairs);
    assert(self->proposed);
    if (self->stage == PARE_CLOSURES_ASK) return advance(self, failed, err);
    const bool rejected = !failed && self->head.hears && self->repairs.rejected;
    self->compiles = !failed && self->head.hears && !rejected;
    self->repairs.rejected = false;
    if (failed) pare_repairs_note_failure(&self->repairs);
    /* Of deletions most are in vain, mended or not. */
    if (self->stage >= PARE_CLOSURES_CHANCE) pare_repairs_note_success(&self->repairs);
    if (!failed && pare_repairs_take(&self->repairs) && !pare_closures_patience_is_over(self)) {
        self->n_first += pare_closures_patience_is_small(self) && !self->pays;
        self->n_vain += self->stage == PARE_CLOSURES_CHANCE;
        make_anew(self); /* the same step, mended */
        pare_deletions_look_again(self->stage == PARE_CLOSURES_CHANCE ? &self->descent.deletions
                                                                      : &self->deletions);
        return PARE_OK;
    }
    if (mended && pare_repairs_is_given_up(&self->repairs) && self->stage == PARE_CLOSURES_SEARCH) {
        /* Prefixes passed with edges that are forgotten now. */
        self->low = 0;
        pare_repairs_end(&self->repairs);
        make_anew(self);
        return PARE_OK;
    }
    const size_t share =
        self->stage == PARE_CLOSURES_DELETE ? PARE_CLOSURES_DELETE_SHARE : GAIN_SHARE;
    bool gain = failed && self->bytes - self->proposed_bytes > self->bytes / share;
    self->n_vain = gain ? 0 : self->n_vain + 1;
    self->pays = self->pays || gain;
    self->deletes =
        self->deletes ||
        (gain && (self->stage == PARE_CLOSURES_DELETE || self->stage == PARE_CLOSURES_MAIN));
    self->n_first +=
        !self->pays && self->stage < PARE_CLOSURES_CHANCE; /* a guess is no part of the search */
    self->n_tests++;
    pare_status status = failed ? PARE_OK : blame(self, rejected, err);
    if (failed) accept(self);
    if (!status) status = advance(self, failed, err);
    if (!status && pare_closures_patience_is_slow(self)) return descend_narrowly(self, err);
    if (!status && self->n_vain >= pare_closures_patience(self)) status = give_up(self, err);
    if (!status && pare_closures_patience_is_over(self))
        status = pare_closures_enter(self, pare_closures_patience_next(self), err);
    return status;
}

/* Mends the proposal; of the text as it is, takes the suspects. */
static pare_status closures_hear(pare_strategy *strategy, const pare_complaints *complaints,
                                 pare_error *err)
{
    struct pare_closures *self = of(strategy);
    pare_dependency_query query = pare_closures_query(self);
    self->asked = self->asked || self->stage == PARE_CLOSURES_ASK;
    if (self->stage == PARE_CLOSURES_ASK)
        return pare_suspects_take(&self->suspects, self->graph, pare_closures_within(self),
                                  complaints, &self->repairs, err);
    if (self->stage == PARE_CLOSURES_CHANCE) query.within = pare_shared_items(self->descent.left);
    const bool linked = pare_closures_is_linked(self), first = self->stage == PARE_CLOSURES_FIRST;
    const bool bodies = self->stage == PARE_CLOSURES_BARE && linked;
    uint32_t seeds[PARE_CLOSURES_MOST_SEEDS];
    pare_repairs_attempt attempt = {.graph = self->graph,
                                    .query = &query,
                                    .kept = pare_shared_items(self->proposed),
                                    .roots = self->roots,
                                    .n_roots = self->n_roots,
                                    .only_learns = self->stage >= PARE_CLOSURES_CHANCE,
                                    .calls = self->stage < PARE_CLOSURES_DELETE,
                                    .most_tries = first || bodies ? FIRST_TRIES : 0};
    if (self->stage == PARE_CLOSURES_UNITS || (self->around && self->stage < PARE_CLOSURES_CHANCE))
        attempt.most_tries = AROUND_TRIES;
    if (first) {
        /* Of a program that is run nothing is at fault: without it something else is run. */
        attempt.n_roots = linked ? 1 : pare_closures_proposal_seeds(self, seeds);
        attempt.roots = linked ? &self->program : seeds;
        attempt.is_all = !linked;
    }
    pare_status status = pare_repairs_hear(&self->repairs, &attempt, complaints, err);
    self->head.excused = !self->repairs.rejected;
    return status;
}

static void closures_free(pare_strategy *strategy)
{
    struct pare_closures *self = of(strategy);
    pare_shared_release(self->within);
    pare_shared_release(self->beside);
    pare_shared_release(self->main_items);
    pare_shared_release(self->compiled);
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
    struct pare_closures *copy = pare_alloc(1, sizeof *copy);
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
    pare_shared_retain(copy->main_items);
    pare_shared_retain(copy->compiled);
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
    struct pare_closures *self = pare_alloc_zero(1, sizeof *self);
    pare_dependency_bits *all = NULL;
    if (!self) return pare_fail_nomem(err);
    self->head.ops = &ops;
    self->graph = pare_dependency_ref(graph);
    self->bodies = true;
    self->runs = pare_dependency_runs(graph);
    self->program = PARE_NO_NODE;
    if (!self->runs) pare_closures_find_program(self);
    pare_status status = pare_dependency_new_set(self->graph, &self->within, &all, err);
    for (uint32_t i = 0; !status && i < pare_dependency_count(graph); i++) {
        pare_dependency_add(all, i);
        if (pare_dependency_nodes(graph)[i].roles & PARE_OUTLINE_ENTRY) self->has_entry = true;
    }
    if (!status) status = set_order(self, NULL, PARE_LEVELS_FROM_REAR, err);
    if (!status) status = pare_closures_find_main_items(self, err);
    if (status) {
        closures_free(&self->head);
        return status;
    }
    self->bytes = self->bytes_at_start = pare_dependency_print_size(graph, all);
    self->high = first_prefix(self);
    self->stage = self->n_order ? PARE_CLOSURES_FIRST : PARE_CLOSURES_DONE;
    *out = &self->head;
    return PARE_OK;
}

void pare_closures_ask(pare_strategy *closures)
{
    struct pare_closures *self = of(closures);
    assert(!self->proposed);
    if (self->stage == PARE_CLOSURES_FIRST && !self->runs) self->stage = PARE_CLOSURES_ASK;
}

pare_status pare_closures_know_emitted(pare_strategy *closures, const size_t *places, size_t n,
                                       pare_error *err)
{
    struct pare_closures *self = of(closures);
    assert(!self->proposed && !self->compiled);
    pare_status status =
        n && !self->runs ? pare_closures_find_emitted(self, places, n, err) : PARE_OK;
    self->lean = !status && self->compiled;
    return status;
}

const pare_dependency_bits *pare_closures_proposed(const pare_strategy *closures)
{
    return pare_shared_items(of_const(closures)->proposed);
}
