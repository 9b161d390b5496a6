/* Balanced brackets: a text as a tree of groups, for files of languages without a grammar.
 *
 * Three walks over the text, none recursive: the first pairs brackets, the second counts nodes,
 * the third makes them in memory of exactly that size.  All see the text through a scanner that
 * stops at marks: brackets, tags (markup.h), and places to cut (separators and line ends); strings
 * in quotes are skipped.  A closing bracket pairs with the innermost open one of its kind; those opened inside
 * it are left without partner and are ordinary text, so any bytes are accepted.  Linear time.
 *
 * Invariant: pare_bracket_check.  Nodes stand in the order of the text; a node's descendants are
 * the nodes between it and `after`. */
#include "text/split/bracket.h"

#include <assert.h>

#include "base/alloc.h"
#include "base/interrupt.h"
#include "base/vector.h"
#include "text/split/markup.h"
#include "text/split/split.h"
#include "text/text.h"

enum mark {
    NO_MARK, /* an ordinary byte; as result of next_mark: the end of the text */
    OPEN,
    CLOSE,
    SEPARATOR, /* ; or , */
    BREAK,     /* CR or LF */
    QUOTE,
    TAG_OPEN,
    TAG_CLOSE,
    TAG_ALONE
};

/* What each byte is, by its value: one look-up, as most bytes are no mark. */
static const unsigned char MARK[UINT8_MAX + 1] = {
    ['('] = OPEN,  ['['] = OPEN,      ['{'] = OPEN,      [')'] = CLOSE,  [']'] = CLOSE,
    ['}'] = CLOSE, [';'] = SEPARATOR, [','] = SEPARATOR, ['\n'] = BREAK, ['\r'] = BREAK,
    ['"'] = QUOTE, ['\''] = QUOTE,    ['`'] = QUOTE,
};

/* A walk over the marks of a text. */
struct scanner {
    const unsigned char *bytes;
    size_t size;
    const pare_markup *markup;
    size_t next_tag;
    size_t from, at; /* of the last mark; after it */
    pare_quotes quotes;
    size_t look; /* where it is next looked whether the work is still wanted */
};

/* Where the blanks and the line end that follow a separator end. */
static size_t separator_end(const unsigned char *bytes, size_t size, size_t at)
{
    size_t separator_only = ++at;
    while (at < size && (bytes[at] == ' ' || bytes[at] == '\t'))
        at++;
    size_t newline = at < size ? pare_split_newline(bytes, size, at) : 0;
    return newline ? at + newline : separator_only;
}

/* Goes past the tag that comes next. */
static enum mark next_tag(struct scanner *scanner)
{
    const size_t index = scanner->next_tag++;
    const pare_markup_tag *tag = &scanner->markup->tags[index];
    scanner->from = tag->begin;
    scanner->at = tag->end;
    if (tag->partner == index) return TAG_ALONE;
    return tag->partner > index ? TAG_OPEN : TAG_CLOSE;
}

/* Goes past the next mark (never QUOTE) and says which it was: bytes from .. at-1.  A walk that is
 * not wanted any more has no further marks. */
static enum mark next_mark(struct scanner *scanner)
{
    const unsigned char *bytes = scanner->bytes;
    const bool tag = scanner->next_tag < scanner->markup->n;
    size_t size = tag ? scanner->markup->tags[scanner->next_tag].begin : scanner->size;
    for (size_t at = scanner->at; at < size && !pare_interrupt_asked_past(at, &scanner->look);) {
        enum mark mark = MARK[bytes[at]];
        switch (mark) {
        case NO_MARK: at++; continue;
        case QUOTE: at = pare_split_quote_end(&scanner->quotes, bytes, size, at); continue;
        case OPEN:
        case CLOSE: scanner->at = at + 1; break;
        case SEPARATOR: scanner->at = separator_end(bytes, size, at); break;
        case BREAK: scanner->at = at + pare_split_newline(bytes, size, at); break;
        default: break; /* tags are no bytes */
        }
        scanner->from = at;
        return mark;
    }
    if (tag && !pare_interrupt_asked()) return next_tag(scanner);
    scanner->at = scanner->size;
    return NO_MARK;
}

enum kind { ROUND, SQUARE, CURLY, TAG, N_KINDS };

/* An opening bracket or tag.  The first two members change their meaning once it is paired or known
 * to be without partner. */
struct opener {
    uint32_t place; /* while open: where it stands; then: where its group ends, or UNPAIRED */
    uint32_t outer; /* index of the one around it, or PARE_BRACKET_NONE; while open: of the
                       open ones, which are a stack; then: of the paired ones */
    uint32_t same;  /* while open: index of the one of its kind around it, or PARE_BRACKET_NONE */
    uint32_t kind;
};

enum { UNPAIRED = 0 };

/* The first walk: brackets that were met, and which of them are open. */
struct pairing {
    const unsigned char *bytes;
    const pare_markup *markup;
    struct opener *openers; /* owned, in the order of the text */
    size_t n, capacity;
    uint32_t top;           /* of the stack, or PARE_BRACKET_NONE */
    uint32_t last[N_KINDS]; /* the innermost open one of each kind, or PARE_BRACKET_NONE */
};

/* A closing bracket is of the kind of the one that opens it. */
static enum kind kind_of(unsigned char bracket)
{
    switch (bracket) {
    case '(':
    case ')': return ROUND;
    case '[':
    case ']': return SQUARE;
    default: return CURLY;
    }
}

/* Puts an opening bracket on the stack, which is threaded through the openers (`outer`): they
 * stay in the order of the text.  Errors: PARE_E_NOMEM. */
static pare_status push(struct pairing *pairing, size_t place, enum kind kind, pare_error *err)
{
    struct opener *openers =
        pare_vector_grow(pairing->openers, pairing->n, &pairing->capacity, sizeof *openers);
    if (!openers) return pare_fail_nomem(err);
    pairing->openers = openers;
    pairing->openers[pairing->n] = (struct opener){
        .place = (uint32_t)place, .outer = pairing->top, .same = pairing->last[kind], .kind = kind};
    pairing->last[kind] = pairing->top = (uint32_t)pairing->n++;
    return PARE_OK;
}

/* Takes the top off the stack, paired up to `end` or UNPAIRED. */
static void pop(struct pairing *pairing, size_t end)
{
    assert(pairing->top < pairing->n);
    struct opener *opener = &pairing->openers[pairing->top];
    pairing->last[opener->kind] = opener->same;
    pairing->top = opener->outer;
    opener->place = (uint32_t)end;
}

/* Pairs what closes a group of that kind, which ends at `end`, with the innermost open one of its
 * kind; those opened inside it are left without partner.  Does nothing when none of its kind is
 * open, or a tag around it was opened later.  Each opener is popped once, so all pairs cost
 * O(brackets). */
static void pair(struct pairing *pairing, enum kind kind, size_t end)
{
    const uint32_t opener = pairing->last[kind], tag = pairing->last[TAG];
    if (opener == PARE_BRACKET_NONE || (tag != PARE_BRACKET_NONE && opener < tag)) return;
    while (pairing->top != opener)
        pop(pairing, UNPAIRED);
    pop(pairing, end);
}

/* Fills pairing->openers, which the caller owns also on failure. */
static pare_status pair_brackets(struct pairing *pairing, size_t size, pare_error *err)
{
    struct scanner scanner = {.bytes = pairing->bytes, .size = size, .markup = pairing->markup};
    pare_status status = PARE_OK;
    for (enum mark mark; !status && (mark = next_mark(&scanner)) != NO_MARK;) {
        if (mark == CLOSE) pair(pairing, kind_of(pairing->bytes[scanner.from]), scanner.at);
        if (mark == TAG_CLOSE) pair(pairing, TAG, scanner.at);
        if (mark == OPEN)
            status = push(pairing, scanner.from, kind_of(pairing->bytes[scanner.from]), err);
        if (mark == TAG_OPEN) status = push(pairing, scanner.from, TAG, err);
    }
    while (!status && pairing->top != PARE_BRACKET_NONE)
        pop(pairing, UNPAIRED);
    return status ? status : pare_interrupt_look(err);
}

/* State of the second and third walk. */
struct builder {
    struct opener *openers;   /* of all, borrowed */
    size_t next_opener;       /* the next one in the text */
    uint32_t current;         /* opener of the innermost group, or PARE_BRACKET_NONE */
    pare_bracket_node *nodes; /* NULL: only count them */
    size_t n_nodes;
    uint32_t group; /* node of the innermost group, or PARE_BRACKET_NONE */
    uint32_t depth, n_levels;
    size_t stretch; /* where the text that is in no leaf yet begins */
};

/* Adds a node that begins at `begin`; as a leaf until it gets children. */
static void add_node(struct builder *builder, size_t begin)
{
    size_t index = builder->n_nodes++;
    if (builder->depth >= builder->n_levels) builder->n_levels = builder->depth + 1;
    if (builder->nodes)
        builder->nodes[index] = (pare_bracket_node){.begin = (uint32_t)begin,
                                                    .after = (uint32_t)index + 1,
                                                    .parent = builder->group,
                                                    .depth = builder->depth};
}

/* Makes what is in no leaf yet, up to `end`, a leaf. */
static void add_stretch(struct builder *builder, size_t end)
{
    if (builder->stretch < end) add_node(builder, builder->stretch);
    builder->stretch = end;
}

/* Takes the opening bracket or tag begin .. end-1: what is in no leaf yet ends before it, the group
 * begins with it, and the bracket itself is the group's first leaf.  One without partner is
 * ordinary text. */
static void enter(struct builder *builder, size_t begin, size_t end)
{
    assert(builder->openers);
    uint32_t index = (uint32_t)builder->next_opener++;
    if (builder->openers[index].place == UNPAIRED) return;
    builder->openers[index].outer = builder->current;
    builder->current = index;
    add_stretch(builder, begin);
    uint32_t group = (uint32_t)builder->n_nodes;
    add_node(builder, begin);
    builder->group = group;
    builder->depth++;
    add_stretch(builder, end);
}

/* Takes what closes a group, begin .. end-1, if it is what ends the innermost one: it is the
 * group's last leaf. */
static void leave(struct builder *builder, size_t begin, size_t end)
{
    if (builder->current == PARE_BRACKET_NONE) return;
    const struct opener *opener = &builder->openers[builder->current];
    if (opener->place != end) return;
    builder->current = opener->outer;
    add_stretch(builder, begin);
    add_stretch(builder, end);
    builder->depth--;
    if (!builder->nodes) return;
    pare_bracket_node *group = &builder->nodes[builder->group];
    group->after = (uint32_t)builder->n_nodes;
    builder->group = group->parent;
}

/* The same walk counts (nodes is NULL) and makes, so that both agree. */
static void walk(struct builder *builder, const struct pairing *pairing, size_t size)
{
    struct scanner scanner = {.bytes = pairing->bytes, .size = size, .markup = pairing->markup};
    for (enum mark mark; (mark = next_mark(&scanner)) != NO_MARK;) {
        if (mark == TAG_ALONE) add_stretch(builder, scanner.from);
        if (mark == OPEN || mark == TAG_OPEN)
            enter(builder, scanner.from, scanner.at);
        else if (mark == CLOSE || mark == TAG_CLOSE)
            leave(builder, scanner.from, scanner.at);
        else
            add_stretch(builder, scanner.at);
    }
    add_stretch(builder, size);
}

/* `outer` of an opener is written when it is entered, so the next walk may use the same openers. */
static struct builder builder_start(const struct pairing *pairing, pare_bracket_node *nodes)
{
    return (struct builder){.openers = pairing->openers,
                            .current = PARE_BRACKET_NONE,
                            .nodes = nodes,
                            .group = PARE_BRACKET_NONE};
}

/* Nodes take 16 bytes each and there may be one for each byte, so no room is left unused. */
static pare_status make_nodes(const struct pairing *pairing, size_t size, pare_bracket_tree *out,
                              pare_error *err)
{
    struct builder counter = builder_start(pairing, NULL);
    walk(&counter, pairing, size);
    if (counter.n_nodes >= PARE_BRACKET_NONE)
        return pare_fail(err, PARE_E_LIMIT, "the text has %zu bracket units; at most %zu fit",
                         counter.n_nodes, (size_t)PARE_BRACKET_NONE - 1);
    pare_bracket_node *nodes = pare_alloc(counter.n_nodes, sizeof *nodes);
    if (!nodes) return pare_fail_nomem(err);
    struct builder builder = builder_start(pairing, nodes);
    walk(&builder, pairing, size);
    *out = (pare_bracket_tree){.nodes = nodes,
                               .n_nodes = (uint32_t)builder.n_nodes,
                               .n_levels = builder.n_levels,
                               .size_bytes = (uint32_t)size,
                               .has_tags = pairing->markup->n > 0};
    return PARE_OK;
}

/* What is left of the openers is released as soon as there are nodes. */
pare_status pare_bracket_build(const unsigned char *bytes, size_t size, pare_bracket_tree *out,
                               pare_error *err)
{
    assert(size <= PARE_TEXT_MAX_BYTES);
    pare_markup markup = {0};
    struct pairing pairing = {.bytes = bytes, .markup = &markup, .top = PARE_BRACKET_NONE};
    for (size_t i = 0; i < N_KINDS; i++)
        pairing.last[i] = PARE_BRACKET_NONE;
    pare_status status = pare_markup_find(bytes, size, &markup, err);
    if (!status && !markup.has_pairs) markup.n = 0; /* most likely a program's < and > */
    if (!status) status = pair_brackets(&pairing, size, err);
    if (!status) status = make_nodes(&pairing, size, out, err);
    pare_alloc_free(pairing.openers);
    pare_markup_done(&markup);
    return status;
}

/* All-zero is a no-op. */
void pare_bracket_done(pare_bracket_tree *tree)
{
    pare_alloc_free(tree->nodes);
    *tree = (pare_bracket_tree){0};
}

/* Ends are not stored: a node ends where the one after its descendants begins. */
uint32_t pare_bracket_end(const pare_bracket_tree *tree, uint32_t node)
{
    assert(node < tree->n_nodes);
    uint32_t after = tree->nodes[node].after;
    return after < tree->n_nodes ? tree->nodes[after].begin : tree->size_bytes;
}

/* The first and the last child of a group are its brackets. */
bool pare_bracket_is_delimiter(const pare_bracket_tree *tree, uint32_t node)
{
    assert(node < tree->n_nodes);
    uint32_t parent = tree->nodes[node].parent;
    if (parent == PARE_BRACKET_NONE) return false;
    return node == parent + 1 || node + 1 == tree->nodes[parent].after;
}

/* Counts the units of a level, nodes of that depth but for the brackets of a group; stores
 * them in `out` unless its arrays are NULL. */
static size_t collect(const pare_bracket_tree *tree, uint32_t level, const pare_slices *out)
{
    size_t n = 0;
    for (uint32_t node = 0; node < tree->n_nodes && !pare_interrupt_asked_at(node);) {
        if (tree->nodes[node].depth < level) {
            node++;
            continue;
        }
        if (!pare_bracket_is_delimiter(tree, node)) {
            if (out->begin) {
                out->begin[n] = tree->nodes[node].begin;
                out->end[n] = pare_bracket_end(tree, node);
            }
            n++;
        }
        node = tree->nodes[node].after;
    }
    return n;
}

/* Two passes, to count and to store; begin and end share one block. */
pare_status pare_bracket_level(const pare_bracket_tree *tree, uint32_t level, pare_slices *out,
                               pare_error *err)
{
    pare_slices slices = {.has_tags = tree->has_tags};
    size_t n = collect(tree, level, &slices);
    slices.begin = pare_alloc(n, 2 * sizeof *slices.begin);
    if (!slices.begin) return pare_fail_nomem(err);
    slices.end = slices.begin + n;
    slices.n = collect(tree, level, &slices);
    pare_status status = pare_interrupt_look(err);
    assert(status || slices.n == n);
    if (status)
        pare_bracket_slices_done(&slices);
    else
        *out = slices;
    return status;
}

/* One block holds both arrays. */
void pare_bracket_slices_done(pare_slices *slices)
{
    pare_alloc_free(slices->begin);
    *slices = (pare_slices){0};
}

/* The innermost node before `node` (the one just before it included) that has it among its
 * descendants. */
static uint32_t find_parent(const pare_bracket_tree *tree, uint32_t node)
{
    uint32_t parent = node - 1;
    while (parent != PARE_BRACKET_NONE && tree->nodes[parent].after <= node)
        parent = tree->nodes[parent].parent;
    return parent;
}

/* Whether a node stands where those before it, which are checked already, put it. */
static bool fits(const pare_bracket_tree *tree, uint32_t node)
{
    const pare_bracket_node *self = &tree->nodes[node];
    if (self->after <= node || self->after > tree->n_nodes) return false;
    if (pare_bracket_end(tree, node) <= self->begin) return false;
    if (node == 0) return self->parent == PARE_BRACKET_NONE && !self->depth && !self->begin;
    if (self->parent != find_parent(tree, node)) return false;
    uint32_t before = tree->nodes[node - 1].begin;
    if (self->parent == node - 1 ? before != self->begin : before >= self->begin) return false;
    if (self->parent == PARE_BRACKET_NONE) return self->depth == 0;
    const pare_bracket_node *parent = &tree->nodes[self->parent];
    return self->after <= parent->after && self->depth == parent->depth + 1;
}

/* Whether the tree is one: for tests; O(nodes * depth). */
bool pare_bracket_check(const pare_bracket_tree *tree)
{
    uint32_t n_levels = 0;
    for (uint32_t node = 0; node < tree->n_nodes; node++) {
        if (!fits(tree, node)) return false;
        if (tree->nodes[node].depth >= n_levels) n_levels = tree->nodes[node].depth + 1;
    }
    return n_levels == tree->n_levels && !tree->size_bytes == !tree->n_nodes;
}

/* What may stand after a comma or semicolon and still belong to its segment. */
static bool is_blank(unsigned char byte)
{
    return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r';
}

/* Either byte of CRLF. */
static bool is_line_end(unsigned char byte)
{
    return byte == '\n' || byte == '\r';
}

/* How far the bytes reach when the blanks at their end are left out; *line_end tells
 * whether there is a line end among those. */
static uint32_t trimmed(const unsigned char *bytes, uint32_t begin, uint32_t end, bool *line_end)
{
    *line_end = false;
    while (end > begin && is_blank(bytes[end - 1])) {
        *line_end = *line_end || is_line_end(bytes[end - 1]);
        end--;
    }
    return end;
}

/* A segment that is being joined. */
struct segment {
    uint32_t begin, end;
    uint32_t last; /* its end without the blanks there; `begin`: it is blank so far */
    bool line_end; /* among these blanks */
};

/* The segment goes on to `end`.  Only what is new is looked at, or a long run of blanks would take the
 * square of its length. */
static void join(struct segment *segment, const unsigned char *bytes, uint32_t end)
{
    bool line_end;
    const uint32_t last = trimmed(bytes, segment->end, end, &line_end);
    const bool blank = last == segment->end;
    segment->line_end = line_end || (blank && segment->line_end);
    if (!blank) segment->last = last;
    segment->end = end;
}

/* Where the segment, as it has been joined so far, is to be cut; 0: it goes on. */
static uint32_t cut(const unsigned char *bytes, const struct segment *segment, pare_comma comma)
{
    const uint32_t last = segment->last;
    if (last == segment->begin) return 0;
    bool is_comma = bytes[last - 1] == ',';
    if (is_comma && comma == PARE_COMMA_BEFORE) return last - 1 > segment->begin ? last - 1 : 0;
    return is_comma || segment->line_end || bytes[last - 1] == ';' ? segment->end : 0;
}

/* Whether slice i is an element with tags, or a tag, in a text that has any. */
static bool is_tag(const pare_slices *slices, const unsigned char *bytes, size_t i)
{
    return slices->has_tags && pare_markup_is_angle(bytes, slices->begin[i], slices->end[i]);
}

/* Joins slices that touch until one ends a line, a statement or an element: what people would
 * delete at once.  In place: slices are read at least as fast as segments are written.
 * Invariant: what the segments cover is what the slices covered. */
void pare_bracket_join_segments(pare_slices *slices, const unsigned char *bytes, pare_comma comma)
{
    size_t written = 0;
    for (size_t i = 0; i < slices->n && !pare_interrupt_asked_at(i);) {
        const uint32_t begin = slices->begin[i];
        struct segment segment = {.begin = begin, .end = begin, .last = begin};
        uint32_t at;
        size_t next = i + 1;
        bool tag = is_tag(slices, bytes, i);
        join(&segment, bytes, slices->end[i]);
        while (!(at = cut(bytes, &segment, comma)) && !tag && next < slices->n &&
               slices->begin[next] == segment.end && !is_tag(slices, bytes, next))
            join(&segment, bytes, slices->end[next++]);
        bool goes_on = next < slices->n && slices->begin[next] == segment.end;
        if (at && at < segment.end && goes_on) {
            slices->begin[next] = at; /* the comma begins what follows */
            segment.end = at;
        }
        slices->begin[written] = begin;
        assert(written < next);
        slices->end[written++] = segment.end;
        i = next;
    }
    slices->n = written;
}
