/* Sets of symbols: where a place takes any one of many kinds of children, a single state
 * takes them all.
 *
 * A hidden rule that always shows exactly one child (a supertype: an expression, say) is a
 * set, and so is a choice whose branches take one child and go on alike.  Matching needs
 * one step there instead of one for each kind, and a derivation that passes such a state
 * tells what else might have stood in the child's place. */
#include <string.h>

#include "base/alloc.h"
#include "base/status.h"
#include "base/vector.h"
#include "grammar/content.h"
#include "grammar/content_network.h"
#include "grammar/grammar.h"

enum { MOST_STEPS = 1 << 14 }; /* of gathering one set: branches that show nothing multiply */

struct finder {
    pare_content *content;
    size_t steps;      /* of the set being gathered */
    uint32_t *of_rule; /* owned; the set a rule is, or PARE_NO_INDEX */
    bool *called;      /* owned; of each rule */
    uint64_t *found;   /* owned; the set being gathered */
    pare_error *err;
};

size_t pare_content_n_symbols(const pare_content *content)
{
    return content->n_symbols;
}

bool pare_content_is_extra(const pare_content *content, uint32_t symbol)
{
    return symbol < content->n_symbols && content->extras[symbol];
}

bool pare_content_is_anonymous(const pare_content *content, uint32_t symbol)
{
    return symbol < content->n_symbols && content->anonymous[symbol];
}

size_t pare_content_n_sets(const pare_content *content)
{
    return content->n_sets;
}

bool pare_content_set_has(const pare_content *content, uint32_t set, uint32_t symbol)
{
    if (set >= content->n_sets || symbol >= content->n_symbols) return false;
    return content->sets[set * content->set_words + symbol / 64] >> symbol % 64 & 1;
}

static void unite(struct finder *finder, uint32_t set)
{
    const pare_content *content = finder->content;
    for (size_t i = 0; i < content->set_words; i++)
        finder->found[i] |= content->sets[set * content->set_words + i];
}

/* Adds what the state at `at` takes to the set; all of it must go on at the same state,
 * *next.  False: it is no set.  As deep as choices are nested, see content_read.c; a
 * loop is not followed, because its marks are no set. */
static bool gather(struct finder *finder, uint32_t at, uint32_t *next)
{
    for (;;) {
        const pare_content_state *state = &finder->content->states[at];
        if (++finder->steps > MOST_STEPS) return false;
        if (state->kind == PARE_CONTENT_FORK) {
            if (state->next == PARE_NO_INDEX || state->other == PARE_NO_INDEX) return false;
            if (!gather(finder, state->next, next)) return false;
            at = state->other;
            continue;
        }
        if (*next == PARE_NO_INDEX) *next = state->next;
        if (*next != state->next || *next == PARE_NO_INDEX) return false;
        if (state->kind == PARE_CONTENT_TAKE) {
            finder->found[state->value / 64] |= UINT64_C(1) << state->value % 64;
            return true;
        }
        bool is_set =
            state->kind == PARE_CONTENT_CALL && finder->of_rule[state->value] != PARE_NO_INDEX;
        if (is_set) unite(finder, finder->of_rule[state->value]);
        return is_set;
    }
}

/* The number of the set just gathered, made if it is new. */
static pare_status keep(struct finder *finder, uint32_t *set)
{
    pare_content *content = finder->content;
    size_t words = content->set_words, bytes = words * sizeof *content->sets;
    for (size_t i = 0; i < content->n_sets; i++) {
        *set = (uint32_t)i;
        if (memcmp(content->sets + i * words, finder->found, bytes) == 0) return PARE_OK;
    }
    uint64_t *sets =
        pare_vector_grow(content->sets, content->n_sets, &content->set_capacity, bytes);
    if (!sets) return pare_fail_nomem(finder->err);
    content->sets = sets;
    memcpy(sets + content->n_sets * words, finder->found, bytes);
    *set = (uint32_t)content->n_sets++;
    return PARE_OK;
}

static bool gather_from(struct finder *finder, uint32_t state, uint32_t *next)
{
    memset(finder->found, 0, finder->content->set_words * sizeof *finder->found);
    *next = PARE_NO_INDEX;
    finder->steps = 0;
    return gather(finder, state, next);
}

/* Finds the rules that are sets; one may be made of others, so until nothing changes. */
static pare_status find_rules(struct finder *finder)
{
    const pare_content *content = finder->content;
    pare_status status = PARE_OK;
    bool changed = true;
    while (changed) {
        changed = false;
        for (uint32_t rule = 0; rule < content->n_rules; rule++) {
            uint32_t next;
            if (!finder->called[rule] || finder->of_rule[rule] != PARE_NO_INDEX) continue;
            if (!gather_from(finder, content->entries[rule], &next)) continue;
            if (content->states[next].kind != PARE_CONTENT_RETURN) continue;
            if ((status = keep(finder, &finder->of_rule[rule]))) return status;
            changed = true;
        }
    }
    return PARE_OK;
}

/* Turns states into sets, outer choices first: they have the larger numbers, and what is
 * inside them is not reached any more. */
static pare_status replace_states(struct finder *finder)
{
    pare_content *content = finder->content;
    for (size_t i = content->n_states; i-- > 0;) {
        pare_content_state *state = &content->states[i];
        uint32_t next, set = PARE_NO_INDEX;
        bool is_choice = state->kind == PARE_CONTENT_FORK;
        if (!is_choice && state->kind != PARE_CONTENT_CALL) continue;
        if (!gather_from(finder, (uint32_t)i, &next)) continue;
        pare_status status = keep(finder, &set);
        if (status) return status;
        *state = (pare_content_state){
            .kind = PARE_CONTENT_SET, .value = set, .next = next, .other = PARE_NO_INDEX};
    }
    return PARE_OK;
}

pare_status pare_content_find_sets(pare_content *content, pare_error *err)
{
    content->set_words = content->n_symbols / 64 + 1;
    struct finder finder = {.content = content,
                            .of_rule = pare_alloc(content->n_rules, sizeof *finder.of_rule),
                            .called = pare_alloc_zero(content->n_rules, sizeof *finder.called),
                            .found = pare_alloc(content->set_words, sizeof *finder.found),
                            .err = err};
    pare_status status = PARE_OK;
    if (!finder.of_rule || !finder.called || !finder.found) status = pare_fail_nomem(err);
    for (size_t i = 0; !status && i < content->n_rules; i++)
        finder.of_rule[i] = PARE_NO_INDEX;
    for (size_t i = 0; !status && i < content->n_states; i++)
        if (content->states[i].kind == PARE_CONTENT_CALL)
            finder.called[content->states[i].value] = true;
    if (!status) status = find_rules(&finder);
    if (!status) status = replace_states(&finder);
    pare_release(finder.of_rule);
    pare_release(finder.called);
    pare_release(finder.found);
    return status;
}
