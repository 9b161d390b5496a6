/* Texts made of other texts by their trees.
 *
 * A creator turns the text of a member into a list of pieces: it walks through the tree to find the
 * nodes that it can work on, and draws one of them.  The pieces are then joined by
 * token_separator.h and parsed again, which decides: a creator may be careless, because texts that
 * are not in the language are dropped.  Its cost is linear in the member, which is little compared
 * with the parse.
 *
 * Invariant: pieces are in the order of the text, do not overlap, and are cut at the ends of
 * nodes, so at tokens.  Members are never changed, so threads may share them.
 *
 * Source: the creators are those of Grammarinator (Hodovan, Kiss, Gyimothy, A-TEST 2018):
 * regenerate_rule, delete_quantified, replicate_quantified, shuffle_quantifieds, hoist_rule,
 * swap_local_nodes, insert_local_node, replace_node, insert_quantified; deviation: the result
 * is parsed again. */
#include "generate/population.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "base/vector.h"
#include "generate/expansion_table.h"
#include "generate/token_separator.h"
#include "grammar/grammar.h"
#include "os/entries.h"
#include "parse/parse_tree.h"
#include "reduce/choice/choices.h"

enum {
    MAX_COPIES = 3,
    PREFERENCE = 2 /* times more that a preferred member is drawn */
};

/* --- the population ------------------------------------------------------------------ */

/* Trees borrow names of the grammar, which must outlive them. */
void pare_population_done(pare_population *population)
{
    for (size_t i = 0; i < population->n; i++) {
        pare_parse_tree_done(&population->members[i].tree);
        pare_buffer_done(&population->members[i].text);
    }
    pare_alloc_free(population->members);
    *population = (pare_population){0};
}

/* A text outside the language is no failure: *added says whether it was taken.  The tree is
 * kept with the text, because nodes are offsets into it. */
pare_status pare_population_add(pare_population *population, const pare_text_reader *reader,
                                const char *text, size_t size, bool *added, pare_error *err)
{
    pare_member member = {0};
    bool in_language = false;
    *added = false;
    pare_status status = pare_buffer_add(&member.text, text, size, err);
    if (!status)
        status =
            reader->read(reader->self, member.text.data, size, &member.tree, &in_language, err);
    if (!status && in_language) {
        pare_member *grown = pare_vector_grow(population->members, population->n,
                                              &population->capacity, sizeof *grown);
        if (grown) {
            population->members = grown;
            grown[population->n++] = member;
            *added = true;
            return PARE_OK;
        }
        status = pare_fail_nomem(err);
    }
    pare_parse_tree_done(&member.tree);
    pare_buffer_done(&member.text);
    return status;
}

/* Folders are gone through in the order of their names, so that the members' numbers do not
 * depend on the file system. */
pare_status pare_population_read(const char *path, pare_population_take take, void *context,
                                 pare_error *err)
{
    pare_entries entries = {.n = 0};
    pare_buffer text = {0};
    pare_status status = pare_entries_scan(&entries, &path, NULL, 1, err);
    for (uint32_t i = 0; !status && i < entries.n; i++) {
        if (entries.items[i].kind != PARE_ENTRY_FILE) continue;
        pare_buffer_reset(&text);
        status = pare_entries_read(&entries, &path, i, &text, err);
        if (!status) status = take(context, &text, err);
    }
    pare_buffer_done(&text);
    pare_entries_done(&entries);
    return status;
}

/* --- a run ------------------------------------------------------------------------------ */

/* Bytes of a member or of what was made.  Borrowed: from a member, which stays, or from
 * `made`, which is not changed before the text is put together. */
struct piece {
    const char *text;
    size_t size;
};

/* What one thread changes; the population is shared. */
struct pare_evolver {
    const pare_population *population;
    const pare_expansion_table *table;
    pare_index start;
    pare_deriver *deriver; /* owned, as all below */
    pare_parser *parser;   /* NULL: the reader is somebody else's */
    pare_text_reader reader;
    bool unread;                     /* no lexer of ours reads what is made */
    pare_token_separator *separator; /* NULL: scannerless, or unread */
    struct piece *pieces;            /* of the text that is being made */
    size_t n, capacity;
    uint32_t *nodes; /* that a creator can work on */
    size_t n_nodes, nodes_capacity;
    pare_buffer made;  /* by the deriver */
    size_t *preferred; /* owned: numbers of members, once for each time more */
    size_t n_preferred, preferred_capacity;
    uint32_t most_changes;  /* on top of each other; 0: one */
    pare_member stacked[2]; /* texts between changes: the one that is changed, and the last one */
};

/* One run of the generator.  `member` is the text being changed; a donor is passed where one
 * is needed. */
struct run {
    pare_evolver *e;
    pare_choices *choices;
    const pare_member *member;
    pare_error *err;
};

/* A node of the member being changed. */
static const pare_parse_node *node_of(const struct run *run, uint32_t node)
{
    assert(node < run->member->tree.n_nodes);
    return &run->member->tree.nodes[node];
}

/* Draws a number below `n`. */
static pare_status draw(struct run *run, size_t n, uint64_t *which)
{
    return pare_choices_next(run->choices, PARE_CHOICE_BRANCH, n, which, run->err);
}

/* Appends a piece to the text being made; empty ones are left out. */
static pare_status add_piece(struct run *run, const char *text, size_t size)
{
    pare_evolver *e = run->e;
    struct piece *grown = pare_vector_grow(e->pieces, e->n, &e->capacity, sizeof *grown);
    if (!grown) return pare_fail_nomem(run->err);
    e->pieces = grown;
    /* An empty piece would ask for a separator beside it. */
    if (size) e->pieces[e->n++] = (struct piece){text, size};
    return PARE_OK;
}

/* Appends bytes from .. to of the member. */
static pare_status add_slice(struct run *run, size_t from, size_t to)
{
    return add_piece(run, run->member->text.data + from, to - from);
}

/* Appends the bytes of a node of any member. */
static pare_status add_node(struct run *run, const pare_member *member, uint32_t node)
{
    const pare_parse_node *n = &member->tree.nodes[node];
    return add_piece(run, member->text.data + n->begin, n->end - n->begin);
}

/* Makes the text the member with `piece` in the place of bytes from .. to. */
static pare_status put_between(struct run *run, size_t from, size_t to, struct piece piece)
{
    pare_status status = add_slice(run, 0, from);
    if (!status) status = add_piece(run, piece.text, piece.size);
    return status ? status : add_slice(run, to, run->member->text.size);
}

/* --- nodes to work on ----------------------------------------------------------------------- */

/* Rounds of several symbols are items below it. */
static bool is_quantifier(const pare_parse_node *node)
{
    return node->kind == PARE_NODE_OPTIONAL || node->kind == PARE_NODE_STAR ||
           node->kind == PARE_NODE_PLUS;
}

/* How many children a quantifier has.  O(rounds), by the index after each child. */
static uint32_t count_rounds(const pare_parse_tree *tree, uint32_t node)
{
    uint32_t n = 0;
    for (uint32_t c = node + 1; c < tree->nodes[node].after; c = tree->nodes[c].after)
        n++;
    return n;
}

/* Child number `number` of a quantifier, which has that many. */
static uint32_t round_of(const pare_parse_tree *tree, uint32_t node, uint64_t number)
{
    uint32_t c = node + 1;
    while (number--)
        c = tree->nodes[c].after;
    assert(c < tree->nodes[node].after && "there is such a round");
    return c;
}

/* Whether the nodes are of one kind, so that one may take the other's place. */
static bool is_same_kind(const pare_parse_node *a, const pare_parse_node *b)
{
    return a->kind == b->kind && a->symbol == b->symbol;
}

/* Rules and tokens have the same meaning wherever they stand; quantifiers do not. */
static bool is_swappable(const pare_parse_node *node)
{
    return node->kind == PARE_NODE_RULE || node->kind == PARE_NODE_TOKEN;
}

/* Appends a node to the list of those to draw from.  The list is used again by each creator. */
static pare_status list_node(struct run *run, uint32_t node)
{
    pare_evolver *e = run->e;
    uint32_t *grown = pare_vector_grow(e->nodes, e->n_nodes, &e->nodes_capacity, sizeof *grown);
    if (!grown) return pare_fail_nomem(run->err);
    e->nodes = grown;
    e->nodes[e->n_nodes++] = node;
    return PARE_OK;
}

/* Draws one of the listed nodes; *node is PARE_NO_NODE when there is none.  One choice, so
 * that a reducer can move to another node by changing one number. */
static pare_status draw_listed(struct run *run, uint32_t *node)
{
    uint64_t which = 0;
    *node = PARE_NO_NODE;
    if (!run->e->n_nodes) return PARE_OK;
    pare_status status = draw(run, run->e->n_nodes, &which);
    if (!status) *node = run->e->nodes[which];
    return status;
}

/* Whether a creator can work on a node; `with` is one that was drawn before, or PARE_NO_NODE. */
typedef bool (*fits)(const struct run *run, uint32_t node, uint32_t with);

/* Draws one of the nodes of the member that fit; *node is PARE_NO_NODE when none does. */
static pare_status draw_node(struct run *run, fits fits_node, uint32_t with, uint32_t *node)
{
    /* All that fit are listed first: one choice, whose range tells how many there were. */
    run->e->n_nodes = 0;
    for (uint32_t i = 0; i < run->member->tree.n_nodes; i++) {
        /* A linear walk; the parse of what comes of it costs more. */
        if (!fits_node(run, i, with)) continue;
        pare_status status = list_node(run, i);
        if (status) return status;
    }
    return draw_listed(run, node);
}

/* Whether the node is a rule that has a finite text; the root is for `generate`. */
static bool is_makeable(const struct run *run, uint32_t node, uint32_t with)
{
    const pare_expansion_table *table = run->e->table;
    (void)with;
    if (!node || node_of(run, node)->kind != PARE_NODE_RULE) return false;
    pare_index body = table->grammar->rules[node_of(run, node)->symbol].body;
    return body != PARE_NO_INDEX && table->exprs[body].depth != PARE_NO_SIZE;
}

/* Whether the node is a quantifier that may have one round less.  A PLUS keeps its last round. */
static bool can_lose(const struct run *run, uint32_t node, uint32_t with)
{
    const pare_parse_node *n = node_of(run, node);
    (void)with;
    return is_quantifier(n) &&
           count_rounds(&run->member->tree, node) > (n->kind == PARE_NODE_PLUS ? 1 : 0);
}

/* Whether the node is a list with a round that can be repeated.  An option cannot be repeated. */
static bool is_list(const struct run *run, uint32_t node, uint32_t with)
{
    const pare_parse_node *n = node_of(run, node);
    (void)with;
    return (n->kind == PARE_NODE_STAR || n->kind == PARE_NODE_PLUS) &&
           count_rounds(&run->member->tree, node) > 0;
}

/* Whether it is a list with rounds that can change places. */
static bool has_two(const struct run *run, uint32_t node, uint32_t with)
{
    return is_list(run, node, with) && count_rounds(&run->member->tree, node) > 1;
}

/* Whether it is a quantifier of any kind with a round. */
static bool has_rounds(const struct run *run, uint32_t node, uint32_t with)
{
    (void)with;
    return is_quantifier(node_of(run, node)) && count_rounds(&run->member->tree, node) > 0;
}

/* Whether it is a quantifier that can take a round of `with`: of the same kind, and with room
 * if it is an option.  The quantifier is the same expression of the grammar, so its rounds
 * fit. */
static bool can_take(const struct run *run, uint32_t node, uint32_t with)
{
    const pare_parse_node *n = node_of(run, node);
    if (node == with || !is_quantifier(n) || !is_same_kind(n, node_of(run, with))) return false;
    return n->kind != PARE_NODE_OPTIONAL || !count_rounds(&run->member->tree, node);
}

/* Lists the rules below a node of the same rule.  What is below a rule's outermost node comes
 * before the node's `after`, so one walk finds them all: looking up from each node would be
 * quadratic in a list that its grammar nests to the right. */
static pare_status list_nested(struct run *run)
{
    const pare_parse_tree *tree = &run->member->tree;
    size_t n_rules = 0;
    for (uint32_t i = 0; i < tree->n_nodes; i++)
        if (tree->nodes[i].kind == PARE_NODE_RULE && tree->nodes[i].symbol >= n_rules)
            n_rules = (size_t)tree->nodes[i].symbol + 1;
    uint32_t *after = pare_alloc_zero(n_rules + 1, sizeof *after); /* of each outermost node */
    pare_status status = after ? PARE_OK : pare_fail_nomem(run->err);
    run->e->n_nodes = 0;
    for (uint32_t i = 0; !status && i < tree->n_nodes; i++) {
        const pare_parse_node *node = &tree->nodes[i];
        if (node->kind != PARE_NODE_RULE) continue;
        if (i < after[node->symbol])
            status = list_node(run, i);
        else
            after[node->symbol] = node->after;
    }
    pare_alloc_free(after);
    return status;
}

/* Whether the node is above `with` and of the same rule.  Nodes above come before; `after`
 * says that the other one is inside. */
static bool holds(const struct run *run, uint32_t node, uint32_t with)
{
    return node < with && node_of(run, node)->after > with &&
           is_same_kind(node_of(run, node), node_of(run, with));
}

/* Whether another node can take the place of this one; the root's place none can. */
static bool is_part(const struct run *run, uint32_t node, uint32_t with)
{
    (void)with;
    return node && is_swappable(node_of(run, node));
}

/* Whether the node is of the kind of `with`, neither above nor below it, and of another text,
 * so that swapping them changes something. */
static bool is_counterpart(const struct run *run, uint32_t node, uint32_t with)
{
    const pare_parse_node *a = node_of(run, node), *b = node_of(run, with);
    const char *text = run->member->text.data;
    if (!node || !is_swappable(a) || !is_same_kind(a, b)) return false;
    if ((node <= with && a->after > with) || (with <= node && b->after > node)) return false;
    /* Equal texts could change places without a change. */
    return a->end - a->begin != b->end - b->begin ||
           memcmp(text + a->begin, text + b->begin, a->end - a->begin) != 0;
}

/* --- creators ---------------------------------------------------------------------------------- */

/* Each leaves e->pieces empty when it cannot be applied. */
typedef pare_status (*creator)(struct run *run);

/* Makes a text of `rule` into e->made, which is NUL-terminated then even if empty.  Within the
 * usual limits of depth and tokens, counted from this rule on. */
static pare_status make_rule(struct run *run, pare_index rule)
{
    pare_generator generator = pare_deriver_generator(run->e->deriver);
    pare_deriver_start_with(run->e->deriver, rule);
    pare_buffer_reset(&run->e->made);
    pare_status status = generator.run(generator.self, run->choices, &run->e->made, run->err);
    return status ? status : pare_buffer_add(&run->e->made, "", 0, run->err);
}

/* Makes a new text.  This creator can always be applied. */
static pare_status generate(struct run *run)
{
    pare_status status = make_rule(run, run->e->start);
    return status ? status : add_piece(run, run->e->made.data, run->e->made.size);
}

/* Makes a rule of the member anew.  The text around it stays, so what is new is tried in a
 * place that is known to be reached. */
static pare_status regenerate(struct run *run)
{
    uint32_t node;
    pare_status status = draw_node(run, is_makeable, PARE_NO_NODE, &node);
    if (status || node == PARE_NO_NODE) return status;
    const pare_parse_node *n = node_of(run, node);
    status = make_rule(run, n->symbol);
    if (status) return status;
    return put_between(run, n->begin, n->end, (struct piece){run->e->made.data, run->e->made.size});
}

/* Leaves a round of a quantifier out.  Separators that belong to a round go with it, where the
 * grammar writes them so. */
static pare_status delete_round(struct run *run)
{
    uint32_t node;
    uint64_t number = 0;
    pare_status status = draw_node(run, can_lose, PARE_NO_NODE, &node);
    if (status || node == PARE_NO_NODE) return status;
    status = draw(run, count_rounds(&run->member->tree, node), &number);
    if (status) return status;
    const pare_parse_node *round = node_of(run, round_of(&run->member->tree, node, number));
    return put_between(run, round->begin, round->end, (struct piece){"", 0});
}

/* White space, which is set aside at both ends of a piece. */
static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Appends the white space before a round, or, where there is none, what is after it: in a text
 * that no lexer of ours reads it may be what ends a line. */
static pare_status add_blank(struct run *run, const pare_member *from, uint32_t round)
{
    const pare_parse_node *node = &from->tree.nodes[round];
    const char *text = from->text.data;
    size_t begin = node->begin, end = node->end;
    if (!run->e->unread) return PARE_OK;
    while (begin && is_blank(text[begin - 1]))
        begin--;
    if (begin < node->begin) return add_piece(run, text + begin, node->begin - begin);
    while (end < from->text.size && is_blank(text[end]))
        end++;
    return add_piece(run, text + node->end, end - node->end);
}

/* Puts a round of a member `copies` times after round `after` of a quantifier, or at its
 * beginning.  The place is drawn among all places between rounds. */
static pare_status put_round(struct run *run, uint32_t quantifier, const pare_member *from,
                             uint32_t round, uint64_t copies)
{
    const pare_parse_tree *tree = &run->member->tree;
    uint32_t n = count_rounds(tree, quantifier);
    uint64_t after = 0;
    pare_status status = draw(run, (size_t)n + 1, &after);
    if (status) return status;
    /* The place before the first round is the quantifier's own beginning. */
    size_t at = after ? node_of(run, round_of(tree, quantifier, after - 1))->end
                      : node_of(run, quantifier)->begin;
    status = add_slice(run, 0, at);
    for (uint64_t i = 0; !status && i < copies; i++) {
        /* Before the first round the white space is behind what is put in. */
        if (after) status = add_blank(run, from, round);
        if (!status) status = add_node(run, from, round);
        if (!status && !after) status = add_blank(run, from, round);
    }
    return status ? status : add_slice(run, at, run->member->text.size);
}

/* Draws one of the rounds of a quantifier that has some. */
static pare_status draw_round(struct run *run, const pare_parse_tree *tree, uint32_t quantifier,
                              uint32_t *round)
{
    uint64_t number = 0;
    pare_status status = draw(run, count_rounds(tree, quantifier), &number);
    if (!status) *round = round_of(tree, quantifier, number);
    return status;
}

/* Puts a round in up to MAX_COPIES times more. */
static pare_status replicate(struct run *run)
{
    uint32_t node, round = 0;
    uint64_t copies = 0;
    pare_status status = draw_node(run, is_list, PARE_NO_NODE, &node);
    if (status || node == PARE_NO_NODE) return status;
    status = draw_round(run, &run->member->tree, node, &round);
    if (!status) status = draw(run, MAX_COPIES, &copies);
    return status ? status : put_round(run, node, run->member, round, copies + 1);
}

/* Puts the rounds of a list into an order that is drawn (Fisher and Yates).  What stands
 * between rounds stays where it is.  The text between rounds is commas and blanks, mostly. */
static pare_status shuffle(struct run *run)
{
    const pare_parse_tree *tree = &run->member->tree;
    pare_evolver *e = run->e;
    uint32_t node;
    pare_status status = draw_node(run, has_two, PARE_NO_NODE, &node);
    if (status || node == PARE_NO_NODE) return status;
    e->n_nodes = 0;
    for (uint32_t c = node + 1; !status && c < tree->nodes[node].after; c = tree->nodes[c].after)
        status = list_node(run, c);
    /* From the last place to the first, each gets one of those left. */
    for (size_t i = e->n_nodes; !status && i > 1; i--) {
        uint64_t which = 0;
        status = draw(run, i, &which);
        uint32_t swapped = e->nodes[i - 1];
        e->nodes[i - 1] = e->nodes[which];
        e->nodes[which] = swapped;
    }
    size_t at = 0, i = 0;
    for (uint32_t c = node + 1; !status && c < tree->nodes[node].after; c = tree->nodes[c].after) {
        status = add_slice(run, at, tree->nodes[c].begin);
        if (!status) status = add_node(run, run->member, e->nodes[i++]);
        at = tree->nodes[c].end;
    }
    return status ? status : add_slice(run, at, run->member->text.size);
}

/* Lets a rule give way to the same rule below it.  What is left of the rule above is gone: the
 * text becomes smaller. */
static pare_status hoist(struct run *run)
{
    uint32_t node = PARE_NO_NODE, above;
    pare_status status = list_nested(run);
    if (!status) status = draw_listed(run, &node);
    if (status || node == PARE_NO_NODE) return status;
    /* Any of the nodes above may give way, which takes what is between with it. */
    status = draw_node(run, holds, node, &above);
    if (status || above == PARE_NO_NODE) return status;
    const pare_parse_node *n = node_of(run, node), *up = node_of(run, above);
    return put_between(run, up->begin, up->end,
                       (struct piece){run->member->text.data + n->begin, n->end - n->begin});
}

/* Lets two nodes of one kind, neither within the other, change places.  Both keep their kinds,
 * so each fits where the other was. */
static pare_status swap(struct run *run)
{
    uint32_t a, b;
    pare_status status = draw_node(run, is_part, PARE_NO_NODE, &a);
    if (status || a == PARE_NO_NODE) return status;
    status = draw_node(run, is_counterpart, a, &b);
    if (status || b == PARE_NO_NODE) return status;
    /* Pieces must come in the order of the text. */
    uint32_t first = a < b ? a : b, second = a < b ? b : a;
    status = add_slice(run, 0, node_of(run, first)->begin);
    if (!status) status = add_node(run, run->member, second);
    if (!status) status = add_slice(run, node_of(run, first)->end, node_of(run, second)->begin);
    if (!status) status = add_node(run, run->member, first);
    return status ? status : add_slice(run, node_of(run, second)->end, run->member->text.size);
}

/* Puts a round into a quantifier of the same kind elsewhere in the member.  Both places are in
 * one member: names that one part declares fit the other. */
static pare_status insert(struct run *run)
{
    uint32_t from, to, round = 0;
    pare_status status = draw_node(run, has_rounds, PARE_NO_NODE, &from);
    if (status || from == PARE_NO_NODE) return status;
    status = draw_node(run, can_take, from, &to);
    if (status || to == PARE_NO_NODE) return status;
    status = draw_round(run, &run->member->tree, from, &round);
    return status ? status : put_round(run, to, run->member, round, 1);
}

/* Draws a member to take something of; it may be the one being changed.  All members are drawn
 * alike, whatever their size. */
static pare_status draw_donor(struct run *run, const pare_member **donor)
{
    uint64_t which = 0;
    pare_status status = draw(run, run->e->population->n, &which);
    *donor = &run->e->population->members[which];
    return status;
}

/* Draws a node of the donor that is of the same kind as `node` of the member, and a quantifier
 * with rounds if `filled`.  Linear in the donor. */
static pare_status draw_same(struct run *run, const pare_member *donor, uint32_t node, bool filled,
                             uint32_t *found)
{
    run->e->n_nodes = 0;
    for (uint32_t i = 0; i < donor->tree.n_nodes; i++) {
        if (!is_same_kind(&donor->tree.nodes[i], node_of(run, node))) continue;
        if (filled && !count_rounds(&donor->tree, i)) continue;
        pare_status status = list_node(run, i);
        if (status) return status;
    }
    return draw_listed(run, found);
}

/* Lets a node give way to one of the same kind of another member.  The donor may be the member
 * itself, which then swaps nothing but copies. */
static pare_status replace(struct run *run)
{
    const pare_member *donor = NULL;
    uint32_t node, other = PARE_NO_NODE;
    pare_status status = draw_node(run, is_part, PARE_NO_NODE, &node);
    if (status || node == PARE_NO_NODE) return status;
    status = draw_donor(run, &donor);
    if (!status) status = draw_same(run, donor, node, false, &other);
    if (status || other == PARE_NO_NODE) return status;
    const pare_parse_node *n = node_of(run, node), *o = &donor->tree.nodes[other];
    return put_between(run, n->begin, n->end,
                       (struct piece){donor->text.data + o->begin, o->end - o->begin});
}

/* Whether the node is a quantifier that may have one round more. */
static bool can_grow(const struct run *run, uint32_t node, uint32_t with)
{
    const pare_parse_node *n = node_of(run, node);
    (void)with;
    return is_quantifier(n) &&
           (n->kind != PARE_NODE_OPTIONAL || !count_rounds(&run->member->tree, node));
}

/* Puts a round of another member into a quantifier of the same kind. */
static pare_status recombine(struct run *run)
{
    const pare_member *donor = NULL;
    uint32_t node, other = PARE_NO_NODE, round = 0;
    pare_status status = draw_node(run, can_grow, PARE_NO_NODE, &node);
    if (status || node == PARE_NO_NODE) return status;
    status = draw_donor(run, &donor);
    if (!status) status = draw_same(run, donor, node, true, &other);
    if (status || other == PARE_NO_NODE) return status;
    status = draw_round(run, &donor->tree, other, &round);
    return status ? status : put_round(run, node, donor, round, 1);
}

/* --- the text ------------------------------------------------------------------------------------- */

/* Joins the pieces; *clean is false where two of them cannot stand side by side.  Pieces are
 * cut at tokens, so only where they touch a separator may be needed.  Where two pieces would
 * be read as one token, a separator goes between them if the grammar has one. */
static pare_status join(struct run *run, pare_buffer *text, bool *clean)
{
    pare_evolver *e = run->e;
    pare_status status = PARE_OK;
    *clean = true;
    if (e->separator) pare_token_separator_start(e->separator);
    for (size_t i = 0; !status && *clean && i < e->n; i++) {
        const struct piece *piece = &e->pieces[i];
        if (!e->separator) {
            const bool apart = e->unread && text->size &&
                               pare_deriver_are_apart(text->data[text->size - 1], *piece->text);
            if (apart) status = pare_buffer_text(text, " ", run->err);
            if (!status) status = pare_buffer_add(text, piece->text, piece->size, run->err);
            continue;
        }
        /* That the lexer cannot read a piece makes the text useless, but is no failure of the
         * run. */
        pare_error unread = {0};
        status = pare_token_separator_put_bytes(e->separator, piece->text, piece->size, text, clean,
                                                &unread);
        if (status == PARE_E_SYNTAX) {
            *clean = false;
            return PARE_OK;
        }
        if (status) return pare_fail(run->err, status, "%s", unread.message);
    }
    return status;
}

/* Parses what was put together: the language's word, not the creator's, counts.  O(text), and the
 * larger part of the cost of a text. */
static pare_status read_made(struct run *run, pare_member *made, bool clean, bool *in_language)
{
    const pare_buffer *text = &made->text;
    const pare_text_reader *reader = &run->e->reader;
    pare_parse_tree_done(&made->tree);
    made->tree = (pare_parse_tree){0};
    *in_language = false;
    if (!clean) return PARE_OK;
    return reader->read(reader->self, text->size ? text->data : "", text->size, &made->tree,
                        in_language, run->err);
}

/* Changes run->member into *made: draws creators until one can be applied; one that cannot is taken
 * out.  `generate` always can, so the loop ends with a text.  Ten creators; most can be applied to
 * most members. */
static pare_status change(struct run *run, pare_member *made, bool *in_language)
{
    /* cppcheck-suppress uninitvar ; it takes the initializer of an array of functions for none */
    creator left[] = {generate, regenerate, delete_round, replicate, shuffle,
                      hoist,    swap,       insert,       replace,   recombine};
    size_t n = sizeof left / sizeof *left;
    uint64_t which = 0;
    bool clean = true;
    pare_status status = PARE_OK;
    run->e->n = 0;
    while (!status && !run->e->n && n) {
        status = draw(run, n, &which);
        if (!status) status = left[which](run);
        left[which] = left[--n];
    }
    pare_buffer_reset(&made->text);
    if (!status) status = join(run, &made->text, &clean);
    return status ? status : read_made(run, made, clean, in_language);
}

/* Number of a member. */
static pare_status draw_number(struct run *run, uint64_t *number)
{
    const pare_evolver *e = run->e;
    pare_status status = draw(run, e->population->n + e->n_preferred, number);
    if (!status && *number >= e->population->n) *number = e->preferred[*number - e->population->n];
    return status;
}

/* A member; with feedback the later one of two that are drawn, since what was added lately is what
 * least was tried on, unless it is much larger: a large text costs more, and of its changes fewer
 * matter. */
static pare_status draw_parent(struct run *run)
{
    enum { MUCH = 4, SMALL = 64 /* bytes */ };
    const pare_population *population = run->e->population;
    uint64_t which = 0, other = 0;
    pare_status status = draw_number(run, &which);
    run->member = &population->members[which];
    if (status || !run->e->most_changes) return status;
    status = draw_number(run, &other);
    if (status) return status;
    const pare_member *later = &population->members[which > other ? which : other];
    const pare_member *earlier = &population->members[which > other ? other : which];
    const bool is_much = later->text.size > MUCH * earlier->text.size + SMALL;
    run->member = is_much ? earlier : later;
    return PARE_OK;
}

/* The generator.  After each change another one follows with a chance of one half, as long as there
 * are fewer than `most_changes`; one that leaves the language is undone, unless it is the first. */
static pare_status run_evolver(void *self, pare_choices *choices, pare_buffer *text,
                               pare_error *err)
{
    struct run run = {.e = self, .choices = choices, .err = err};
    bool in_language = true;
    uint64_t goes_on = 1;
    uint32_t n = 0;
    pare_status status = draw_parent(&run);
    while (!status && in_language && goes_on) {
        /* The text that is changed is a member, or the other one of the two. */
        pare_member *made = &run.e->stacked[n % 2];
        status = change(&run, made, &in_language);
        if (status || !in_language) break;
        run.member = made;
        goes_on = 0;
        if (++n < run.e->most_changes) status = draw(&run, 2, &goes_on);
    }
    if (status) return status;
    if (!n) return pare_fail(err, PARE_E_UNSUPPORTED, "the combined text is not in the language");
    const pare_buffer *last = &run.member->text;
    return last->size ? pare_buffer_add(text, last->data, last->size, err) : PARE_OK;
}

/* Up to `most_changes` are made on top of each other before a text is told. */
void pare_population_evolver_stack(pare_evolver *evolver, uint32_t most_changes)
{
    evolver->most_changes = most_changes;
}

/* Numbers are drawn below the members and the preferred ones together, so PREFERENCE entries more
 * make the last member that many times likelier. */
pare_status pare_population_evolver_prefer(pare_evolver *evolver, pare_error *err)
{
    assert(evolver->population->n && "one was added");
    for (size_t i = 0; i < PREFERENCE; i++) {
        size_t *grown = pare_vector_grow(evolver->preferred, evolver->n_preferred,
                                         &evolver->preferred_capacity, sizeof *grown);
        if (!grown) return pare_fail_nomem(err);
        evolver->preferred = grown;
        grown[evolver->n_preferred++] = evolver->population->n - 1;
    }
    return PARE_OK;
}

/* Borrows the evolver, which one thread at a time may use. */
pare_generator pare_population_evolver_generator(pare_evolver *evolver)
{
    return (pare_generator){.self = evolver, .run = run_evolver};
}

/* --- life -------------------------------------------------------------------------------------------- */

/* A parser for each thread is what costs here; the table is shared. */
pare_status pare_population_evolver_new(const pare_population *population,
                                        const pare_evolver_options *options, pare_evolver **out,
                                        pare_error *err)
{
    const pare_expansion_table *table = options->table;
    pare_evolver *e = pare_alloc_zero(1, sizeof *e);
    if (!e) return pare_fail_nomem(err);
    e->population = population;
    e->table = table;
    e->start = options->start;
    e->unread = options->deriver.unread;
    e->reader = options->reader;
    assert(e->reader.read || !e->unread);
    pare_status status = pare_deriver_new(table, e->start, &options->deriver, &e->deriver, err);
    if (!status && !e->reader.read) {
        status = pare_parser_new(table->grammar, e->start, &e->parser, err);
        if (!status) e->reader = pare_parser_quick_reader(e->parser);
    }
    /* Characters may stand side by side as they are. */
    if (!status && !table->grammar->scannerless && !e->unread)
        status = pare_token_separator_new(table, &e->separator, err);
    if (status) {
        pare_population_evolver_free(e);
        return status;
    }
    *out = e;
    return PARE_OK;
}

/* The population and the table are borrowed. */
void pare_population_evolver_free(pare_evolver *e)
{
    if (!e) return;
    pare_deriver_free(e->deriver);
    pare_parser_free(e->parser);
    pare_token_separator_free(e->separator);
    pare_alloc_free(e->pieces);
    pare_alloc_free(e->nodes);
    pare_alloc_free(e->preferred);
    pare_buffer_done(&e->made);
    for (size_t i = 0; i < sizeof e->stacked / sizeof *e->stacked; i++) {
        pare_parse_tree_done(&e->stacked[i].tree);
        pare_buffer_done(&e->stacked[i].text);
    }
    pare_alloc_free(e);
}
