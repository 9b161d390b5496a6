/* Links, and tops by path compression: a walk upwards notes its top for each group it
 * came by. */
#include "parse/leo.h"

#include <string.h>

#include "base/alloc.h"
#include "parse/leo_link.h"
#include "parse/productions.h"

#define NONE UINT32_MAX       /* no chain: no link, or a circle */
#define OPEN (UINT32_MAX - 1) /* on the walk under way */

static uint32_t waiters_end(const pare_chart *chart, uint32_t group)
{
    return group + 1 < chart->n_groups ? chart->groups[group + 1].first_waiter
                                       : (uint32_t)chart->n_waiters;
}

static bool tail_begins(const pare_productions *p, uint32_t state, uint32_t letter)
{
    for (; p->next[state] != PARE_DOT_END; state++) {
        if (pare_symbol_begins(p, p->next[state], letter)) return true;
    }
    return false;
}

uint32_t pare_leo_find_link(const pare_chart *chart, uint32_t group, uint32_t letter)
{
    const pare_productions *p = chart->p;
    uint32_t end = waiters_end(chart, group), found = PARE_NO_ITEM;
    for (uint32_t i = chart->groups[group].first_waiter; i < end; i++) {
        uint32_t state = pare_waiter_state(chart, chart->waiters[i]);
        if (!pare_letter_in(p, chart->look, state + 1, letter)) continue;
        if (found != PARE_NO_ITEM || !p->right_recursive[state]) return PARE_NO_ITEM;
        if (tail_begins(p, state + 1, letter)) return PARE_NO_ITEM;
        found = i;
    }
    return found;
}

uint32_t pare_leo_end_state(const pare_chart *chart, pare_waiter waiter)
{
    uint32_t state = pare_waiter_state(chart, waiter);
    while (chart->p->next[state] != PARE_DOT_END)
        state++;
    return state;
}

/* --- tops --------------------------------------------------------------------------- */

void pare_leo_reset(pare_leo *leo)
{
    if (leo->n > 0) memset(leo->tops, 0, (leo->mask + 1) * sizeof *leo->tops);
    leo->n = 0;
}

void pare_leo_done(pare_leo *leo)
{
    pare_release(leo->tops);
    *leo = (pare_leo){0};
}

/* Where the top is kept, or goes. */
static pare_leo_top *find(const pare_leo *leo, uint32_t group, uint32_t letter)
{
    uint64_t hash = ((uint64_t)group << 32 | letter) * 0x9E3779B97F4A7C15u;
    size_t at = (size_t)(hash >> 32) & leo->mask;
    while (leo->tops[at].waiter && (leo->tops[at].group != group || leo->tops[at].letter != letter))
        at = (at + 1) & leo->mask;
    return &leo->tops[at];
}

static bool reserve(pare_leo *leo)
{
    if (leo->tops && 2 * (leo->n + 1) <= leo->mask) return true;
    pare_leo old = *leo;
    size_t size = old.tops ? 2 * (old.mask + 1) : 256;
    pare_leo_top *tops = pare_alloc_zero(size, sizeof *tops);
    if (!tops) return false;
    *leo = (pare_leo){tops, size - 1, old.n};
    for (size_t i = 0; old.tops && i <= old.mask; i++) {
        if (old.tops[i].waiter) *find(leo, old.tops[i].group, old.tops[i].letter) = old.tops[i];
    }
    pare_release(old.tops);
    return true;
}

/* Walks upwards until there is no link or the top is known; returns it. */
static uint32_t climb(pare_leo *leo, const pare_chart *chart, uint32_t group, uint32_t letter,
                      bool *failed)
{
    uint32_t top = NONE;
    for (;;) {
        if (!reserve(leo)) {
            *failed = true;
            return NONE;
        }
        pare_leo_top *known = find(leo, group, letter);
        if (known->waiter)
            return known->waiter == OPEN ? NONE : known->waiter == NONE ? top : known->waiter;
        uint32_t link = pare_leo_find_link(chart, group, letter);
        *known = (pare_leo_top){group, letter, link == PARE_NO_ITEM ? NONE : OPEN};
        leo->n++;
        if (link == PARE_NO_ITEM) return top;
        top = link + 1;
        group = chart->waiters[link].group;
    }
}

uint32_t pare_leo_find_top(pare_leo *leo, const pare_chart *chart, uint32_t group, uint32_t letter,
                           bool *failed)
{
    uint32_t top = climb(leo, chart, group, letter, failed);
    if (*failed) return PARE_NO_ITEM;
    for (uint32_t at = group;;) {
        pare_leo_top *known = find(leo, at, letter);
        if (known->waiter != OPEN) break;
        known->waiter = top;
        at = chart->waiters[pare_leo_find_link(chart, at, letter)].group;
    }
    bool own = top != NONE && top - 1 >= chart->groups[group].first_waiter &&
               top - 1 < waiters_end(chart, group);
    return top == NONE || own ? PARE_NO_ITEM : top - 1;
}
