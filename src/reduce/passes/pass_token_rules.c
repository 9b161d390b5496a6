/* token-rules: tokens shrunk along the rule by which the grammar's lexer makes them.
 *
 * A token becomes the shortest text of its rule; else its parts do: rounds of repetitions go
 * (all, halves, single ones; one stays where one must), what is there by choice goes,
 * alternatives become the shortest one, a rule that calls itself makes way for what it called,
 * and characters become the simplest ones of their sets, all at once, halves, single ones.
 *
 * It happens wherever the token occurs at once, for the shortest text also in one place.  No
 * edit is offered that makes the lexer read the token, or what stands beside it, otherwise: all
 * that is offered is in the language of the lexer.  Names keep their characters: there is a
 * pass that names them anew.
 * Invariant: patches of one token are parts of larger ones of the same token, so the engine
 * tries large edits first; no text is offered twice for a token.
 * Source: T-Rec (Xu et al., TOSEM 2024).  Deviation: large parts first,
 * smaller ones when they fail, where T-Rec goes one by one; rules need not be regular. */
#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "base/interrupt.h"
#include "base/vector.h"
#include "grammar/grammar.h"
#include "parse/token_grammar.h"
#include "reduce/passes/lexemes.h"
#include "reduce/passes/pass.h"
#include "text/order.h"
#include "text/patch.h"

enum {
    MOST_LEXEMES = 5000,
    LONGEST = 1024,     /* bytes of a token */
    MOST_OTHERS = 4,    /* alternatives, and parts of like kind, tried for a place */
    MOST_PLACES = 8,    /* where a token is shortened by itself */
    LONGEST_AFTER = 64, /* bytes looked at after a token's gap */
    LONGEST_GAP = 256
};

/* A text that was offered for the token already. */
struct offered {
    size_t at, size;
};

/* One token, with what is offered for it. */
struct shrinking {
    const pare_pass_view *view;
    pare_token_grammar *rules;
    const pare_grammar *grammar;
    pare_patches *out;
    uint32_t lexeme; /* the first one of these bytes */
    pare_index type;
    const char *text;
    size_t size;
    pare_token_tree tree;
    pare_buffer made, part;  /* the token's new text; what is put into it */
    pare_buffer texts;       /* all that were offered */
    struct offered *offered; /* owned */
    size_t n_offered, capacity;
    pare_error *err;
};

/* One change to a token's text: its bytes from .. to-1 become the `size` bytes at `with`. */
struct edit {
    size_t from, to;
    const char *with;
    size_t size;
};

/* --- whether the lexer agrees ------------------------------------------------------------ */

/* The surroundings that the lexer is asked with: the token before lexeme `i`, and some of what
 * follows. Neighbours that are far away or large are left out, because the lexer's time grows with
 * their bytes. */
static pare_token_place place_of(const struct shrinking *self, size_t i)
{
    const pare_lexeme *at = &self->view->lexemes.at[i];
    const char *bytes = (const char *)self->view->bytes;
    /* Without more neighbours the token is asked by itself, with what follows. */
    pare_token_place place = {
        .text = bytes + at->from, .size = self->size, .after = bytes + at->to, .token = self->type};
    size_t after = self->view->end - at->to;
    /* The next token, up to LONGEST_AFTER bytes: the lexer could read it differently. */
    if (i + 1 < self->view->lexemes.n) {
        size_t gap = at[1].from - at->to, next = at[1].to - at[1].from;
        after = gap + (next < LONGEST_AFTER ? next : LONGEST_AFTER);
    }
    place.after_size = after < LONGEST_GAP ? after : LONGEST_GAP;
    if (!i || pare_pass_lexeme_type(self->view, i - 1) == PARE_NO_INDEX) return place;
    if (at->from - at[-1].from > LONGEST_GAP) return place;
    place.before = bytes + at[-1].from;
    place.before_size = at->from - at[-1].from;
    place.before_token = pare_pass_lexeme_type(self->view, i - 1);
    return place;
}

/* Whether the lexer reads the token as before, in its place, when its text is `text`.  Where it
 * does not even read the present text from the token before it on, the token alone is asked. */
static pare_status is_read(struct shrinking *self, size_t i, const char *text, size_t size,
                           bool *kept)
{
    pare_token_place place = place_of(self, i);
    pare_status status =
        pare_token_grammar_keep(self->rules, &place, self->text, self->size, kept, self->err);
    if (!status && !*kept) {
        place.before_size = 0;
        status =
            pare_token_grammar_keep(self->rules, &place, self->text, self->size, kept, self->err);
    }
    if (!status && *kept)
        status = pare_token_grammar_keep(self->rules, &place, text, size, kept, self->err);
    return status;
}

/* Whether the text is simpler than the token's.  One of the same size must not be of more
 * tokens to the lexer that knows no language, or it would not be smaller in the total order. */
static pare_status is_smaller(struct shrinking *self, const pare_buffer *made, bool *smaller)
{
    size_t now, then;
    *smaller = pare_pass_is_simpler(made->data, made->size, self->text, self->size);
    if (!*smaller || made->size < self->size) return PARE_OK;
    pare_status status =
        pare_order_tokens((const unsigned char *)self->text, self->size, &now, self->err);
    if (!status)
        status = pare_order_tokens((const unsigned char *)made->data, made->size, &then, self->err);
    if (!status) *smaller = then <= now;
    return status;
}

/* Whether the text was offered for this token already. */
static bool was_offered(const struct shrinking *self, const pare_buffer *made)
{
    /* There are few for one token, so a search needs no table. */
    for (size_t i = 0; i < self->n_offered; i++)
        if (self->offered[i].size == made->size &&
            memcmp(self->texts.data + self->offered[i].at, made->data, made->size) == 0)
            return true;
    return false;
}

/* Remembers the text. */
static pare_status note_offered(struct shrinking *self, const pare_buffer *made)
{
    struct offered *offered =
        pare_vector_grow(self->offered, self->n_offered, &self->capacity, sizeof *offered);
    if (!offered) return pare_fail_nomem(self->err);
    self->offered = offered;
    offered[self->n_offered++] = (struct offered){self->texts.size, made->size};
    return pare_buffer_add(&self->texts, made->data, made->size, self->err);
}

/* Sets self->made to the token's text after the edits. */
static pare_status make(struct shrinking *self, const struct edit *edits, size_t n)
{
    size_t at = 0;
    pare_buffer_reset(&self->made);
    pare_status status = PARE_OK;
    /* Text between the edits is copied; after the last one comes the rest. */
    for (size_t i = 0; !status && i <= n; i++) {
        size_t end = i < n ? edits[i].from : self->size;
        status = pare_buffer_add(&self->made, self->text + at, end - at, self->err);
        if (i < n && !status)
            status = pare_buffer_add(&self->made, edits[i].with, edits[i].size, self->err);
        if (i < n) at = edits[i].to;
    }
    return status;
}

/* Adds the edits, at lexeme `lexeme`, to the open patch. */
static pare_status change(struct shrinking *self, size_t lexeme, const struct edit *edits, size_t n)
{
    size_t from = self->view->lexemes.at[lexeme].from;
    pare_status status = PARE_OK;
    for (size_t i = 0; !status && i < n; i++)
        status = pare_patches_change(self->out, from + edits[i].from, from + edits[i].to,
                                     edits[i].with, edits[i].size, self->err);
    return status;
}

/* Offers the edits, made together, at each occurrence; *index, the parent before, becomes the
 * patch.  It stays as it was when there is nothing to offer. */
static pare_status offer_edits(struct shrinking *self, const struct edit *edits, size_t n,
                               uint32_t *index)
{
    const pare_lexeme *at = self->view->lexemes.at;
    uint32_t made = PARE_NO_PATCH;
    bool agreed = false;
    pare_status status = make(self, edits, n);
    if (!status) status = is_smaller(self, &self->made, &agreed);
    /* Cheap checks first; the lexer is asked last, once for each occurrence. */
    if (status || !agreed || was_offered(self, &self->made)) return status;
    for (uint32_t i = self->lexeme; !status && agreed && i != PARE_NO_LEXEME; i = at[i].next)
        status = is_read(self, i, self->made.data, self->made.size, &agreed);
    if (status || !agreed) return status;
    status = note_offered(self, &self->made);
    for (uint32_t i = self->lexeme; !status && i != PARE_NO_LEXEME; i = at[i].next)
        status = change(self, i, edits, n);
    if (!status) status = pare_patches_end(self->out, *index, &made, self->err);
    if (made != PARE_NO_PATCH) *index = made;
    return status;
}

/* Offers one edit. */
static pare_status offer_edit(struct shrinking *self, struct edit edit, uint32_t *index)
{
    return offer_edits(self, &edit, 1, index);
}

/* The edit that puts a text in the place of a node. */
static struct edit over(const pare_token_node *node, const pare_buffer *with)
{
    return (struct edit){node->begin, node->end, with->data ? with->data : "", with->size};
}

/* The shortest text of `expr` in the place of `node`. */
static pare_status offer_shortest(struct shrinking *self, size_t node, pare_index expr,
                                  uint32_t *index)
{
    bool spelled;
    pare_buffer_reset(&self->part);
    pare_status status =
        pare_token_grammar_spell(self->rules, expr, &self->part, &spelled, self->err);
    if (status || !spelled) return status;
    return offer_edit(self, over(&self->tree.nodes[node], &self->part), index);
}

/* --- along the tree ---------------------------------------------------------------------- */

static pare_status offer_node(struct shrinking *self, size_t node, uint32_t parent);

/* How many children the node has. */
static size_t n_children(const pare_token_tree *tree, size_t node)
{
    size_t n = 0;
    for (size_t i = node + 1; i < tree->nodes[node].after; i = tree->nodes[i].after)
        n++;
    return n;
}

/* Child `number` of the node, from 0. */
static size_t child(const pare_token_tree *tree, size_t node, size_t number)
{
    size_t i = node + 1;
    while (number--)
        i = tree->nodes[i].after;
    return i;
}

/* Rounds from .. to-1 go, else each half of them, else a single round becomes smaller. */
static pare_status offer_rounds(struct shrinking *self, size_t node, size_t from, size_t to,
                                uint32_t parent)
{
    const pare_token_node *nodes = self->tree.nodes;
    uint32_t index = parent;
    assert(from < to);
    size_t middle = from + (to - from) / 2;
    size_t first = child(&self->tree, node, from), last = child(&self->tree, node, to - 1);
    struct edit cut = {nodes[first].begin, nodes[last].end, "", 0};
    pare_status status = offer_edit(self, cut, &index);
    if (status) return status;
    if (to - from == 1) return offer_node(self, first, index);
    status = offer_rounds(self, node, from, middle, index);
    return status ? status : offer_rounds(self, node, middle, to, index);
}

/* A star or optional may lose all rounds; a plus keeps one: the first, else the last.
 *
 * Example: of `1234` by [0-9]+ all but the first digit go; else all but the last; else the first
 * two, either of them, then the last two, either of them. */
static pare_status offer_repetition(struct shrinking *self, size_t node, uint32_t parent)
{
    const pare_token_node *nodes = self->tree.nodes;
    size_t n = n_children(&self->tree, node);
    uint32_t index = parent;
    if (!n) return PARE_OK;
    if (self->grammar->exprs[nodes[node].expr].kind != PARE_EXPR_PLUS)
        return offer_rounds(self, node, 0, n, parent);
    if (n == 1) return offer_node(self, node + 1, parent);
    size_t second = child(&self->tree, node, 1), last = child(&self->tree, node, n - 1);
    pare_status status =
        offer_edit(self, (struct edit){nodes[second].begin, nodes[last].end, "", 0}, &index);
    if (!status)
        status =
            offer_edit(self, (struct edit){nodes[node].begin, nodes[last].begin, "", 0}, &index);
    if (!status) status = offer_rounds(self, node, 0, n / 2, index);
    return status ? status : offer_rounds(self, node, n / 2, n, index);
}

/* The shortest alternative, then some of the others, then what is smaller within the present
 * one. */
static pare_status offer_choice(struct shrinking *self, size_t node, uint32_t parent)
{
    const pare_token_node *nodes = self->tree.nodes;
    const pare_expr *exprs = self->grammar->exprs;
    uint32_t index = parent;
    pare_status status = offer_shortest(self, node, nodes[node].expr, &index);
    size_t others = 0;
    for (pare_index c = exprs[nodes[node].expr].first; !status && c != PARE_NO_INDEX;
         c = exprs[c].next) {
        uint32_t other = index;
        /* The present alternative is made smaller from inside, below. */
        if (c == nodes[node + 1].expr || others == MOST_OTHERS) continue;
        status = offer_shortest(self, node, c, &other);
        /* Only what was offered counts: a text that is longer or was offered before takes no
         * place. */
        others += other != index;
    }
    return status ? status : offer_node(self, node + 1, index);
}

/* Offers to replace the node by something inside it that the rule with this body made. */
static pare_status offer_inner(struct shrinking *self, size_t node, pare_index body,
                               uint32_t *index)
{
    const pare_token_node *nodes = self->tree.nodes;
    size_t parts = 0;
    pare_status status = PARE_OK;
    for (size_t i = node + 1; !status && i < nodes[node].after && parts < MOST_OTHERS; i++) {
        const pare_expr *e = &self->grammar->exprs[nodes[i].expr];
        if (e->kind != PARE_EXPR_RULE || self->grammar->rules[e->rule].body != body) continue;
        struct edit edit = {nodes[node].begin, nodes[node].end, self->text + nodes[i].begin,
                            nodes[i].end - nodes[i].begin};
        status = offer_edit(self, edit, index);
        parts++;
    }
    return status;
}

/* Offers to replace what a rule made by something of the same rule inside it; then goes on to its
 * parts. */
static pare_status offer_rule(struct shrinking *self, size_t node, uint32_t parent)
{
    /* The first child of a rule's node is what its body has made. */
    pare_index body = self->tree.nodes[node + 1].expr;
    pare_status status = offer_inner(self, node, body, &parent);
    return status ? status : offer_node(self, node + 1, parent);
}

/* Goes down to the parts of a node.  Calls itself as deep as the token's tree is,
 * PARE_TOKEN_TREE_DEPTH at most. */
static pare_status offer_node(struct shrinking *self, size_t node, uint32_t parent)
{
    const pare_token_node *nodes = self->tree.nodes;
    pare_status status = PARE_OK;
    switch (self->grammar->exprs[nodes[node].expr].kind) {
    case PARE_EXPR_STAR:
    case PARE_EXPR_PLUS: return offer_repetition(self, node, parent);
    case PARE_EXPR_OPTIONAL: return offer_repetition(self, node, parent);
    case PARE_EXPR_CHOICE: return offer_choice(self, node, parent);
    case PARE_EXPR_RULE: return offer_rule(self, node, parent);
    case PARE_EXPR_SEQUENCE:
        for (size_t i = node + 1; !status && i < nodes[node].after; i = nodes[i].after)
            status = offer_node(self, i, parent);
        return status;
    case PARE_EXPR_EMPTY:
    case PARE_EXPR_TOKEN:
    case PARE_EXPR_LITERAL:
    case PARE_EXPR_SET:
    case PARE_EXPR_ANY:
    case PARE_EXPR_END: break;
    }
    return PARE_OK;
}

/* --- characters -------------------------------------------------------------------------- */

/* Characters that could be simpler, and what of their sets they could be. */
struct characters {
    struct edit edits[PARE_TOKEN_TREE_CHARACTERS];
    char with[PARE_TOKEN_TREE_CHARACTERS];
    size_t n;
};

/* Finds the characters that a simpler one could replace; with `alike` a simpler one of their own
 * kind (a letter for a letter). */
static void find_characters(const struct shrinking *self, bool alike, struct characters *found)
{
    found->n = 0;
    for (size_t i = 0; i < self->tree.n && found->n < PARE_TOKEN_TREE_CHARACTERS; i++) {
        const pare_token_node *node = &self->tree.nodes[i];
        pare_expr_kind kind = self->grammar->exprs[node->expr].kind;
        /* Only sets and wildcards leave a choice between characters. */
        if (kind != PARE_EXPR_SET && kind != PARE_EXPR_ANY) continue;
        uint32_t now = (unsigned char)self->text[node->begin];
        uint32_t point =
            pare_token_grammar_simplest(self->rules, node->expr, alike ? now : PARE_NO_INDEX);
        char with = (char)point;
        size_t size = node->end - node->begin;
        /* The set has no such character, or the present one is as simple. */
        if (point == PARE_NO_INDEX ||
            !pare_pass_is_simpler(&with, 1, self->text + node->begin, size))
            continue;
        found->with[found->n] = with;
        found->edits[found->n] = (struct edit){node->begin, node->end, &found->with[found->n], 1};
        found->n++;
    }
}

/* Characters from .. to-1 change, or their halves. */
static pare_status offer_some(struct shrinking *self, const struct characters *all, size_t from,
                              size_t to, uint32_t parent)
{
    if (from == to) return PARE_OK;
    size_t middle = from + (to - from) / 2;
    /* Halves become parts of what was offered, so they are only tried if all together have
     * passed. */
    pare_status status = offer_edits(self, all->edits + from, to - from, &parent);
    if (status || to - from == 1) return status;
    status = offer_some(self, all, from, middle, parent);
    return status ? status : offer_some(self, all, middle, to, parent);
}

/* To the simplest ones; to the simplest of their kind, which more often is what matters. */
static pare_status offer_characters(struct shrinking *self, uint32_t parent)
{
    struct characters *found = pare_alloc(1, sizeof *found);
    if (!found) return pare_fail_nomem(self->err);
    find_characters(self, false, found);
    pare_status status = offer_some(self, found, 0, found->n, parent);
    find_characters(self, true, found);
    if (!status) status = offer_some(self, found, 0, found->n, parent);
    pare_alloc_free(found);
    return status;
}

/* --- tokens ------------------------------------------------------------------------------ */

/* The text `with` in single places, where it is in them alone that it can stand. */
static pare_status offer_places(struct shrinking *self, const pare_buffer *with, uint32_t parent)
{
    const pare_lexeme *at = self->view->lexemes.at;
    pare_status status = PARE_OK;
    size_t n = 0;
    /* A single occurrence: that is what offer_whole has offered. */
    if (at[self->lexeme].next == PARE_NO_LEXEME) return PARE_OK;
    for (uint32_t i = self->lexeme; !status && n < MOST_PLACES && i != PARE_NO_LEXEME;
         i = at[i].next, n++) {
        bool agreed = false;
        status = is_read(self, i, with->data, with->size, &agreed);
        if (status || !agreed) continue;
        status =
            /* Other occurrences keep their text. */
            pare_patches_change(self->out, at[i].from, at[i].to, with->data, with->size, self->err);
        if (!status) status = pare_patches_end(self->out, parent, NULL, self->err);
    }
    return status;
}

/* The shortest text of the rule, everywhere or in one place. */
static pare_status offer_whole(struct shrinking *self, uint32_t *index)
{
    bool spelled, smaller;
    pare_buffer_reset(&self->part);
    pare_status status = pare_token_grammar_spell(self->rules, self->tree.nodes[0].expr,
                                                  &self->part, &spelled, self->err);
    if (status || !spelled) return status;
    status = is_smaller(self, &self->part, &smaller);
    if (status || !smaller) return status;
    status = offer_edit(self, over(&self->tree.nodes[0], &self->part), index);
    return status ? status : offer_places(self, &self->part, *index);
}

/* All that is offered for one token: its whole text, its inner parts, its tree, its characters. */
static pare_status offer_token(struct shrinking *self)
{
    uint32_t whole = PARE_NO_PATCH;
    pare_status status = pare_token_grammar_tree(self->rules, self->type, self->text, self->size,
                                                 &self->tree, self->err);
    /* The token is offered nothing if it has no tree. */
    if (status || self->tree.n == 0) return status;
    status = offer_whole(self, &whole);
    if (!status) status = offer_inner(self, 0, self->tree.nodes[0].expr, &whole);
    if (!status) status = offer_node(self, 0, whole);
    /* Names keep their characters. */
    if (status || self->view->lexemes.at[self->lexeme].kind == PARE_LEXEME_WORD) return status;
    return offer_characters(self, whole);
}

/* Whether lexeme `i` is the first of its bytes and a whole token whose rule is not a fixed
 * text.
 * Tokens of the same bytes are of the same type nearly everywhere; where they are not, the lexer
 * rejects the edit. */
static bool has_rule(const struct shrinking *self, size_t i)
{
    const pare_lexeme *at = &self->view->lexemes.at[i];
    pare_index type = pare_pass_lexeme_type(self->view, i);
    if (at->first != i || at->to - at->from > LONGEST) return false;
    if (type == PARE_NO_INDEX || type == PARE_TOKEN_END || type >= self->grammar->n_tokens)
        return false;
    return !self->grammar->tokens[type].literal;
}

/* Buffers are shared by all tokens of the file and reset for each. */
static pare_status offer(const pare_pass *pass, const pare_pass_view *view, pare_patches *out,
                         pare_error *err)
{
    (void)pass;
    pare_status status = PARE_OK;
    /* Not every text has rules for its tokens. */
    if (!view->token_rules || !view->tree) return PARE_OK;
    struct shrinking self = {.view = view,
                             .rules = view->token_rules,
                             .grammar = pare_token_grammar_grammar(view->token_rules),
                             .out = out,
                             .err = err};
    for (uint32_t i = 0; !status && i < view->lexemes.n && !pare_interrupt_asked_at(i); i++) {
        if (!has_rule(&self, i)) continue;
        self.lexeme = i;
        self.type = pare_pass_lexeme_type(view, i);
        self.text = (const char *)view->bytes + view->lexemes.at[i].from;
        self.size = pare_pass_lexeme_size(view, i);
        /* Texts that were offered for another token may be offered for this one again. */
        self.n_offered = 0;
        pare_buffer_reset(&self.texts);
        status = offer_token(&self);
    }
    pare_token_grammar_tree_done(&self.tree);
    pare_buffer_done(&self.made);
    pare_buffer_done(&self.part);
    pare_buffer_done(&self.texts);
    pare_alloc_free(self.offered);
    return status;
}

const pare_pass pare_pass_token_rules = {
    .name = "token-rules",
    .summary = "shrinks tokens along the lexer rules of the grammar, wherever they occur",
    .source = "T-Rec",
    .order = PARE_PASS_LARGEST,
    .group = PARE_PASS_ALONE,
    .repeat = PARE_PASS_AGAIN,
    .claim = PARE_PASS_SMALLER,
    .most_lexemes = MOST_LEXEMES,
    .offer = offer,
};
