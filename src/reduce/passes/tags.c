/* Finding tags and what closes them, in one walk.
 *
 * Tags that are open are a stack, linked through the list of tags itself; a closing tag closes the
 * nearest of its bracket and name, and what stands open above that stays without, such as `<br>`.
 * Which names need no closing is not known and does not matter.
 * Invariant: what tags enclose is nested, or apart.
 * Source: ours.  Cost: O(lexemes), no tests; MOST_OPEN is looked at of the stack. */
#include "reduce/passes/tags.h"

#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/interrupt.h"
#include "base/vector.h"
#include "reduce/passes/lexemes.h"
#include "text/text.h"

enum { MOST_IN_TAG = 64, MOST_SIGNS = 3, MOST_OPEN = 64, END_SIZE = 3 };

/* A group that may be a tag. */
struct group {
    pare_tag tag;
    bool slashed; /* it has a / before the name */
    bool angle;
};

static bool is_sign(const pare_pass_view *view, size_t i, const char *text)
{
    return pare_pass_lexeme_is(view, i, text);
}

static bool is_word(const pare_pass_view *view, size_t i)
{
    return i < view->lexemes.n && view->lexemes.at[i].kind == PARE_LEXEME_WORD;
}

/* Whether nothing stands between lexeme i and the one before. */
static bool touches(const pare_pass_view *view, size_t i)
{
    return view->lexemes.at[i].from == view->lexemes.at[i - 1].to;
}

/* The > of the < at `first`; PARE_NO_LEXEME: another < comes before it, or too much. */
static uint32_t angle_end(const pare_pass_view *view, size_t first)
{
    for (size_t i = first + 1; i < view->lexemes.n && i - first < MOST_IN_TAG; i++) {
        if (is_sign(view, i, ">")) return (uint32_t)i;
        if (is_sign(view, i, "<")) break;
    }
    return PARE_NO_LEXEME;
}

/* Where the name that begins at `name` ends: words and signs that touch, as in `x:y-z`. */
static uint32_t name_end(const pare_pass_view *view, uint32_t name, uint32_t last)
{
    uint32_t end = name;
    while (end + 2 < last && touches(view, end + 1) && touches(view, end + 2) &&
           (is_sign(view, end + 1, ":") || is_sign(view, end + 1, "-")) && is_word(view, end + 2))
        end += 2;
    return end;
}

/* Reads the group that begins at lexeme `first`; false: it is no tag. */
static bool read_group(const pare_pass_view *view, size_t first, struct group *group)
{
    const pare_lexeme *at = view->lexemes.at;
    const bool angle = is_sign(view, first, "<");
    uint32_t last = PARE_NO_LEXEME, name = (uint32_t)first + 1;
    if (angle)
        last = angle_end(view, first);
    else if (is_sign(view, first, "[") || is_sign(view, first, "{"))
        last = at[first].partner;
    if (last == PARE_NO_LEXEME) return false;
    *group = (struct group){.angle = angle};
    while (name < last && !is_word(view, name) && name - first <= MOST_SIGNS) {
        if (at[name].kind != PARE_LEXEME_SIGN && at[name].kind != PARE_LEXEME_OPEN) return false;
        group->slashed = is_sign(view, name, "/");
        if (angle && (!group->slashed || !touches(view, name))) return false;
        name++;
    }
    if (name >= last || !is_word(view, name) || (angle && !touches(view, name))) return false;
    group->tag = (pare_tag){(uint32_t)first, name,          name_end(view, name, last), last,
                            PARE_NO_LEXEME,  PARE_NO_LEXEME};
    return true;
}

/* The bytes of its name. */
static pare_span name_of(const pare_pass_view *view, const pare_tag *tag)
{
    const size_t from = view->lexemes.at[tag->name].from;
    return (pare_span){view->bytes + from, view->lexemes.at[tag->name_last].to - from};
}

/* Whether the group closes the tag. */
static bool closes(const pare_pass_view *view, const struct group *group, const pare_tag *tag)
{
    const pare_lexeme *at = view->lexemes.at;
    pare_span name = name_of(view, tag), own = name_of(view, &group->tag);
    if (at[tag->first].first != at[group->tag.first].first) return false;
    if (!group->slashed) {
        if (own.size <= END_SIZE || memcmp(own.bytes, "end", END_SIZE) != 0) return false;
        own = (pare_span){own.bytes + END_SIZE, own.size - END_SIZE};
    }
    return own.size == name.size && memcmp(own.bytes, name.bytes, name.size) == 0;
}

/* Tags that are open: each knows the one around it by its number, plus one. */
struct stack {
    uint32_t *outer; /* owned; by tag */
    size_t capacity, top;
};

static pare_status push(struct stack *stack, pare_tags *tags, const pare_tag *tag, pare_error *err)
{
    pare_tag *items = pare_vector_grow(tags->items, tags->n, &tags->capacity, sizeof *items);
    if (items) tags->items = items;
    uint32_t *outer = pare_vector_grow(stack->outer, tags->n, &stack->capacity, sizeof *outer);
    if (outer) stack->outer = outer;
    if (!items || !outer) return pare_fail_nomem(err);
    outer[tags->n] = (uint32_t)stack->top;
    items[tags->n++] = *tag;
    stack->top = tags->n;
    return PARE_OK;
}

/* Closes the nearest tag that the group closes; false: there is none. */
static bool close_one(const pare_pass_view *view, struct stack *stack, const struct group *group,
                      pare_tags *tags)
{
    size_t n = 0;
    for (size_t i = stack->top; i && n < MOST_OPEN; i = stack->outer[i - 1], n++) {
        pare_tag *tag = &tags->items[i - 1];
        if (!closes(view, group, tag)) continue;
        tag->close = group->tag.first;
        tag->close_last = group->tag.last;
        stack->top = stack->outer[i - 1];
        return true;
    }
    return false;
}

/* What is closed by nothing is dropped, unless it looks like a tag all the same. */
static void keep_tags(const pare_pass_view *view, pare_tags *tags)
{
    size_t n = 0;
    for (size_t i = 0; i < tags->n; i++)
        if (tags->items[i].close != PARE_NO_LEXEME || is_sign(view, tags->items[i].first, "<"))
            tags->items[n++] = tags->items[i];
    tags->n = n;
}

pare_status pare_tags_find(const pare_pass_view *view, pare_tags *out, pare_error *err)
{
    pare_tags tags = {0};
    struct stack stack = {0};
    pare_status status = PARE_OK;
    for (size_t i = 0; !status && i < view->lexemes.n && !pare_interrupt_asked_at(i); i++) {
        struct group group;
        if (!read_group(view, i, &group)) continue;
        i = group.angle ? group.tag.last : group.tag.name;
        if (close_one(view, &stack, &group, &tags) || group.slashed) continue;
        status = push(&stack, &tags, &group.tag, err);
    }
    pare_alloc_free(stack.outer);
    if (status) {
        pare_tags_done(&tags);
        return status;
    }
    keep_tags(view, &tags);
    *out = tags;
    return PARE_OK;
}

void pare_tags_done(pare_tags *tags)
{
    pare_alloc_free(tags->items);
    *tags = (pare_tags){0};
}
