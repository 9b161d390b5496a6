/* Upwards from the open items to all that wait for them, noting for each group where its
 * productions stand; then downwards from the start symbol for as long as that is one
 * place. */
#include "parse/undecided.h"

#include "parse/grow.h"

/* Where the productions of a group stand that are open: one place, or several. */
struct stand {
    uint32_t state, set; /* the first place found, or PARE_NO_ITEM */
    uint32_t child;      /* group it waits for, or PARE_NO_ITEM: at the failed set */
    bool several;
    uint32_t other_set; /* of the other places: the least set */
    bool other_production;
};

struct climb {
    const pare_chart *chart;
    struct stand *stands;
    uint32_t *work;
    size_t n_work;
};

static void note(struct climb *c, uint32_t group, struct stand place)
{
    struct stand *s = &c->stands[group];
    const uint32_t *production = c->chart->p->production;
    if (s->state == PARE_NO_ITEM) {
        *s = place;
        c->work[c->n_work++] = group;
        return;
    }
    if (s->state == place.state && s->set == place.set) {
        if (s->child == PARE_NO_ITEM) s->child = place.child;
        return;
    }
    s->other_production |= production[s->state] != production[place.state];
    if (place.set < s->set) {
        uint32_t least = s->several && s->other_set < s->set ? s->other_set : s->set;
        *s = (struct stand){.state = place.state,
                            .set = place.set,
                            .child = place.child,
                            .other_set = least,
                            .other_production = s->other_production};
    } else if (!s->several || place.set < s->other_set) {
        s->other_set = place.set;
    }
    s->several = true;
}

/* Notes all that wait for the group, but itself at its own start. */
static void climb(struct climb *c, uint32_t group)
{
    const pare_chart *chart = c->chart;
    uint32_t end = group + 1 < chart->n_groups ? chart->groups[group + 1].first_waiter
                                               : (uint32_t)chart->n_waiters;
    for (uint32_t i = chart->groups[group].first_waiter; i < end; i++) {
        pare_waiter w = chart->waiters[i];
        bool start = w.ref & PARE_WAITER_START;
        if (start && w.group == group) continue;
        note(c, w.group,
             (struct stand){
                 .state = start ? w.ref & ~PARE_WAITER_START : pare_item_state(chart, w.ref),
                 .set = start ? chart->groups[w.group].position : pare_chart_position(chart, w.ref),
                 .child = group});
    }
}

static bool is_loop_group(const struct climb *c, uint32_t group)
{
    const pare_productions *p = c->chart->p;
    uint32_t lhs = p->productions[p->production[c->stands[group].state]].lhs;
    return pare_is_loop(&p->nonterminals[lhs]);
}

/* Where the decision among several places of a group began: with different productions
 * at the group's beginning, else where the way to the first place, followed inwards, may
 * have parted from the way to the next.  Each group inside begins at or behind the one
 * around it, and so do its decisions.  A rule that derives itself makes a circle, within
 * one set; it is left after as many steps as there are groups. */
static uint32_t decision_of(const struct climb *c, uint32_t group)
{
    uint32_t limit = PARE_NO_ITEM, at = 0;
    size_t steps = c->chart->n_groups;
    for (; group != PARE_NO_ITEM && c->stands[group].set <= limit && steps-- > 0;
         group = c->stands[group].child) {
        const struct stand *s = &c->stands[group];
        if (s->other_production && !is_loop_group(c, group))
            return c->chart->groups[group].position;
        at = s->set;
        if (s->several && s->other_set < limit) limit = s->other_set;
    }
    return at;
}

static uint32_t descend(const struct climb *c, uint32_t failed)
{
    size_t steps = c->chart->n_groups;
    for (uint32_t group = 0; group != PARE_NO_ITEM && steps-- > 0; group = c->stands[group].child) {
        if (c->stands[group].state == PARE_NO_ITEM) break;
        if (c->stands[group].several) return decision_of(c, group);
    }
    return failed;
}

pare_status pare_undecided_from(const pare_chart *chart, uint32_t failed, uint32_t first,
                                uint32_t end, uint32_t *from)
{
    struct climb c = {.chart = chart};
    size_t n = chart->n_groups;
    c.stands = pare_alloc(n, sizeof *c.stands);
    c.work = pare_alloc(n, sizeof *c.work);
    bool fits = c.stands && c.work;
    for (size_t i = 0; fits && i < n; i++)
        c.stands[i] = (struct stand){.state = PARE_NO_ITEM, .child = PARE_NO_ITEM};
    for (uint32_t i = first; fits && i < end; i++) {
        if (pare_item_is_complete(chart, i)) continue;
        note(&c, chart->items[i].group,
             (struct stand){pare_item_state(chart, i), failed, PARE_NO_ITEM, false, 0, false});
    }
    while (fits && c.n_work > 0)
        climb(&c, c.work[--c.n_work]);
    if (fits) *from = descend(&c, failed);
    pare_release(c.stands);
    pare_release(c.work);
    return fits ? PARE_OK : PARE_E_NOMEM;
}
