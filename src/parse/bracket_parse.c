/* Trees by brackets: of a text that no grammar is known for, and of the stretches that did not
 * lex or parse by one.
 *
 * A text: one walk over the bracket tree and the tokens side by side, with a stack of open
 * groups.  Invariant: the open nodes are the ancestors of the next one; closing a node sets
 * the index after its last descendant and where its last token ends.  Brackets that do not
 * match are tokens like others, so any text has a tree.  O(bytes), and no recursion: groups
 * may nest as deep as the text is long.
 *
 * Stretches: one pass copies the nodes of the tree and puts in what is new, in pre-order;
 * where the nodes end is found from their parents afterwards.  Stretches that did not lex lie
 * between tokens and belong to no node; each goes into the innermost node around it.
 * Invariants: nodes stay in the order of the text, and no byte belongs to two leaves.  O(nodes
 * + bytes that are opaque). */

#include "parse/bracket_parse.h"

#include <assert.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/interrupt.h"
#include "base/vector.h"
#include "text/split/bracket.h"
#include "text/split/markup.h"
#include "text/split/split.h"

/* What is open: a group (or the document), the star of its segments, the segment being filled.
 * A group's star is opened after its first delimiter and a segment by its first token, so each
 * may be missing for a moment. */
struct frame {
    uint32_t rule, star, segment; /* nodes; PARE_NO_NODE: not open */
};

/* A tree being built.  The nodes are the caller's if all goes well. */
struct builder {
    const unsigned char *bytes;
    const pare_bracket_tree *brackets;
    const pare_bounds *tokens;
    size_t next_token;
    pare_parse_node *nodes;
    size_t n_nodes, capacity;
    struct frame *frames;
    size_t n_frames, frames_capacity;
};

/* The only rules that there are, in the order of their numbers; they show in traces and in `pare
 * parse`. */
static const char *rule_name(const void *language, uint32_t symbol)
{
    static const char *const names[] = {"document", "segment", "round", "square", "curly", "tag"};
    (void)language;
    return symbol < sizeof names / sizeof *names ? names[symbol] : "?";
}

/* All tokens are alike: nothing here depends on which they are. */
static const char *token_name(const void *language, uint32_t symbol)
{
    (void)language;
    (void)symbol;
    return "token";
}

/* White space between tokens, which belongs to no leaf. */
static bool is_blank(unsigned char byte)
{
    return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r';
}

/* Opens a node, whose kind, symbol, parent and `begin` are given.  It ends where it begins
 * until it is closed.  Errors: PARE_E_LIMIT, PARE_E_NOMEM. Nodes are added in pre-order, so a
 * parent always has the smaller index. */
static pare_status open_node(struct builder *builder, pare_parse_node node, uint32_t *out,
                             pare_error *err)
{
    if (builder->n_nodes >= PARE_NO_NODE - 1)
        return pare_fail(err, PARE_E_LIMIT, "the input has too many tokens for a tree");
    pare_parse_node *nodes =
        pare_vector_grow(builder->nodes, builder->n_nodes, &builder->capacity, sizeof *nodes);
    if (!nodes) return pare_fail_nomem(err);
    builder->nodes = nodes;
    *out = (uint32_t)builder->n_nodes;
    node.end = node.begin;
    node.after = *out + 1;
    builder->nodes[builder->n_nodes++] = node;
    return PARE_OK;
}

/* Closes a node whose last token ends at `end`; one without a token stays empty. */
static void close_node(struct builder *builder, uint32_t node, uint32_t end)
{
    assert(node < builder->n_nodes);
    pare_parse_node *self = &builder->nodes[node];
    self->after = (uint32_t)builder->n_nodes;
    if (self->after > node + 1) self->end = end;
}

/* The innermost open group. */
static struct frame *top(struct builder *builder)
{
    return &builder->frames[builder->n_frames - 1];
}

/* Opens a group, without its star: that begins after the opening delimiter.  One frame for
 * each bracket that is open. */
static pare_status push_frame(struct builder *builder, uint32_t rule, pare_error *err)
{
    struct frame *frames = pare_vector_grow(builder->frames, builder->n_frames,
                                            &builder->frames_capacity, sizeof *frames);
    if (!frames) return pare_fail_nomem(err);
    builder->frames = frames;
    builder->frames[builder->n_frames++] =
        (struct frame){.rule = rule, .star = PARE_NO_NODE, .segment = PARE_NO_NODE};
    return PARE_OK;
}

/* The list of the group's segments, which is there even when it is empty. */
static pare_status open_star(struct builder *builder, uint32_t at, pare_error *err)
{
    struct frame *frame = top(builder);
    uint32_t star = PARE_NO_NODE;
    pare_status status = open_node(
        builder,
        (pare_parse_node){
            .kind = PARE_NODE_STAR, .symbol = PARE_NO_NODE, .parent = frame->rule, .begin = at},
        &star, err);
    if (!status) frame->star = star;
    return status;
}

/* Makes sure that there is a segment for what begins at byte `at`. */
static pare_status open_segment(struct builder *builder, uint32_t at, pare_error *err)
{
    struct frame *frame = top(builder);
    uint32_t segment = PARE_NO_NODE;
    if (frame->segment != PARE_NO_NODE) return PARE_OK;
    pare_status status = open_node(builder,
                                   (pare_parse_node){.kind = PARE_NODE_RULE,
                                                     .symbol = PARE_BRACKETS_SEGMENT,
                                                     .parent = frame->star,
                                                     .begin = at},
                                   &segment, err);
    if (!status) frame->segment = segment;
    return status;
}

/* Where the last node ends: nodes are closed from the inside out, so that is the last token's
 * end. */
static uint32_t last_end(const struct builder *builder)
{
    assert(builder->n_nodes > 0);
    return builder->nodes[builder->n_nodes - 1].end;
}

/* Ends the segment, if one is open. */
static void close_segment(struct builder *builder)
{
    struct frame *frame = top(builder);
    if (frame->segment == PARE_NO_NODE) return;
    close_node(builder, frame->segment, last_end(builder));
    frame->segment = PARE_NO_NODE;
}

/* Ends the list of segments of the innermost open bracket, and the segment that is open in it. */
static void close_star(struct builder *builder)
{
    close_segment(builder);
    close_node(builder, top(builder)->star, last_end(builder));
}

/* All tokens have one symbol: nothing is known about them. */
static pare_status add_token(struct builder *builder, uint32_t begin, uint32_t end, uint32_t parent,
                             pare_error *err)
{
    uint32_t token;
    pare_status status = open_node(
        builder,
        (pare_parse_node){.kind = PARE_NODE_TOKEN, .symbol = 0, .parent = parent, .begin = begin},
        &token, err);
    if (!status) builder->nodes[token].end = end;
    return status;
}

/* Adds the tokens of the stretch begin .. end-1, each to the open segment.  White space
 * becomes no token.  The tokens are gone through once over all stretches: next_token only
 * moves forward. */
static pare_status add_stretch(struct builder *builder, uint32_t begin, uint32_t end,
                               pare_error *err)
{
    pare_status status = PARE_OK;
    while (!status && pare_split_bounds_begin(builder->tokens, builder->next_token) < end) {
        size_t token = builder->next_token++;
        uint32_t from = (uint32_t)pare_split_bounds_begin(builder->tokens, token);
        uint32_t to = (uint32_t)pare_split_bounds_begin(builder->tokens, token + 1);
        /* The rest of a token that a bracket has cut. */
        if (from < begin) from = begin;
        if (to > end) { /* a token that the brackets cut: its rest comes later */
            to = end;
            builder->next_token = token;
        }
        if (from >= to || is_blank(builder->bytes[from])) {
            if (builder->next_token == token) break;
            continue;
        }
        status = open_segment(builder, from, err);
        if (!status) status = add_token(builder, from, to, top(builder)->segment, err);
        if (builder->next_token == token) break;
    }
    return status;
}

/* Whether the open segment ends with the stretch begin .. end-1: a comma or semicolon is its
 * last token, or a line ends in the white space after it.  A guess at statements and elements,
 * which most languages end this way; a wrong one costs a reducer some tests and nothing else. */
static bool ends_segment(const struct builder *builder, uint32_t begin, uint32_t end)
{
    bool line_end = false;
    while (end > begin && is_blank(builder->bytes[end - 1])) {
        unsigned char byte = builder->bytes[--end];
        line_end = line_end || byte == '\n' || byte == '\r';
    }
    if (line_end) return true;
    return end > begin && (builder->bytes[end - 1] == ',' || builder->bytes[end - 1] == ';');
}

/* The rule of the group at node `group` of the brackets. Angle brackets as such are none, since
 * they are comparisons just as often; only tags, which are closed by name, make groups. */
static uint32_t rule_of(const struct builder *builder, uint32_t group)
{
    const uint32_t begin = builder->brackets->nodes[group].begin;
    const unsigned char open = builder->bytes[begin];
    if (pare_bracket_end(builder->brackets, group + 1) > begin + 1) return PARE_BRACKETS_TAG;
    return open == '('   ? PARE_BRACKETS_ROUND
           : open == '[' ? PARE_BRACKETS_SQUARE
                         : PARE_BRACKETS_CURLY;
}

/* Opens the group `node` of the brackets, within the segment, which is opened if none is.  A group
 * is a part of the segment around it: `if (a) {...}` is one segment.  An element is one itself. */
static pare_status add_group(struct builder *builder, uint32_t node, pare_error *err)
{
    uint32_t group = PARE_NO_NODE;
    const uint32_t begin = builder->brackets->nodes[node].begin, rule = rule_of(builder, node);
    if (rule == PARE_BRACKETS_TAG) close_segment(builder);
    pare_status status = open_segment(builder, begin, err);
    if (!status)
        status = open_node(builder,
                           (pare_parse_node){.kind = PARE_NODE_RULE,
                                             .symbol = rule,
                                             .parent = top(builder)->segment,
                                             .begin = begin},
                           &group, err);
    if (!status) status = push_frame(builder, group, err);
    return status;
}

/* Adds one of the two delimiters of the innermost group: the first one opens its list, the
 * second one closes the group. */
static pare_status add_delimiter(struct builder *builder, uint32_t begin, uint32_t end,
                                 pare_error *err)
{
    struct frame *frame = top(builder);
    bool opens = frame->star == PARE_NO_NODE;
    uint32_t rule = frame->rule;
    /* The closing delimiter belongs to the group, not to its last segment. */
    if (!opens) close_star(builder);
    pare_status status = add_token(builder, begin, end, rule, err);
    if (status || opens) return status ? status : open_star(builder, end, err);
    close_node(builder, rule, end);
    builder->n_frames--;
    if (builder->nodes[rule].symbol == PARE_BRACKETS_TAG) close_segment(builder);
    return PARE_OK;
}

/* Adds the tokens of a stretch; a tag that nothing closes is a segment. */
static pare_status add_segments(struct builder *builder, uint32_t begin, uint32_t end,
                                pare_error *err)
{
    const bool tag =
        builder->brackets->has_tags && pare_markup_is_angle(builder->bytes, begin, end);
    if (tag) close_segment(builder);
    pare_status status = add_stretch(builder, begin, end, err);
    if (!status && (tag || ends_segment(builder, begin, end))) close_segment(builder);
    return status;
}

/* Goes over the nodes of the bracket tree in pre-order: a node with descendants is a group,
 * whose delimiters are its first and its last child; all others are stretches of text. */
static pare_status add_all(struct builder *builder, pare_error *err)
{
    const pare_bracket_tree *brackets = builder->brackets;
    pare_status status = PARE_OK;
    for (uint32_t i = 0; !status && i < brackets->n_nodes; i++) {
        if (pare_interrupt_asked_at(i)) return pare_interrupt_look(err);
        uint32_t begin = brackets->nodes[i].begin, end = pare_bracket_end(brackets, i);
        if (brackets->nodes[i].after > i + 1) {
            status = add_group(builder, i, err);
        } else if (pare_bracket_is_delimiter(brackets, i)) {
            status = add_delimiter(builder, begin, end, err);
            /* A delimiter is one token here, into however many tokens the splitter has cut it. */
            while (pare_split_bounds_begin(builder->tokens, builder->next_token) < end)
                builder->next_token++;
        } else {
            status = add_segments(builder, begin, end, err);
        }
    }
    return status;
}

/* Builds the whole tree.  The document is the frame at the bottom; it is closed when all
 * brackets are gone through, since only matched ones open frames. */
static pare_status build(struct builder *builder, pare_error *err)
{
    uint32_t root = PARE_NO_NODE;
    pare_status status = open_node(builder,
                                   (pare_parse_node){.kind = PARE_NODE_RULE,
                                                     .symbol = PARE_BRACKETS_DOCUMENT,
                                                     .parent = PARE_NO_NODE,
                                                     .begin = 0},
                                   &root, err);
    if (!status) status = push_frame(builder, root, err);
    if (!status) status = open_star(builder, 0, err);
    if (!status) status = add_all(builder, err);
    if (status) return status;
    close_star(builder);
    close_node(builder, root, last_end(builder));
    return PARE_OK;
}

/* Lets the document and its star begin with the first token, as every node does. */
static void set_begin(struct builder *builder)
{
    assert(builder->n_nodes >= 2);
    /* Node 2, if it is there, is the first segment. */
    uint32_t begin = builder->n_nodes > 2 ? builder->nodes[2].begin : 0;
    builder->nodes[0].begin = builder->nodes[1].begin = begin;
    if (builder->n_nodes == 2) builder->nodes[0].end = builder->nodes[1].end = 0;
}

/* The bracket tree tells what matches; this tree adds tokens and segments to it. */
pare_status pare_bracket_parse(const unsigned char *bytes, size_t size, pare_parse_tree *out,
                               pare_error *err)
{
    pare_bracket_tree brackets = {0};
    pare_bounds tokens = {0};
    struct builder builder = {.bytes = bytes, .brackets = &brackets, .tokens = &tokens};
    pare_status status = pare_bracket_build(bytes, size, &brackets, err);
    if (!status) status = pare_splitter_find("token")->split(bytes, size, &tokens, err);
    if (!status) status = build(&builder, err);
    if (!status) {
        set_begin(&builder);
        *out = (pare_parse_tree){.nodes = builder.nodes,
                                 .n_nodes = builder.n_nodes,
                                 .size_bytes = (uint32_t)size,
                                 .names = {.rule = rule_name, .token = token_name}};
        builder.nodes = NULL;
    }
    pare_alloc_free(builder.nodes);
    pare_alloc_free(builder.frames);
    pare_split_bounds_done(&tokens);
    pare_bracket_done(&brackets);
    return status;
}

/* --- stretches that did not lex or parse -------------------------------------- */

/* Bytes begin .. end-1 that did not lex, within the node `parent`; node `before` of the old
 * tree comes next.  Placed by place_stretches; until then only its bytes are known. */
struct stretch {
    uint32_t begin, end, before, parent;
};

/* A tree that gets such structure. */
struct opener {
    pare_parse_tree *tree;
    const char *text;
    struct stretch *stretches;
    size_t n_stretches, stretches_capacity;
    pare_parse_node *nodes;
    size_t n, capacity;
    uint32_t *moved; /* by old node */
    pare_error *err;
};

/* --- text that did not lex ---------------------------------------------------------- */

/* Adds the bytes of a token; those of neighbours are one stretch.  Lexers report each bad
 * character by itself; together they are one piece of text. */
static pare_status add_unlexed(struct opener *o, uint32_t begin, uint32_t end)
{
    if (o->n_stretches > 0 && o->stretches[o->n_stretches - 1].end == begin) {
        o->stretches[o->n_stretches - 1].end = end;
        return PARE_OK;
    }
    struct stretch *grown = pare_vector_reserve(o->stretches, &o->stretches_capacity,
                                                o->n_stretches + 1, sizeof *grown);
    if (!grown) return pare_fail_nomem(o->err);
    o->stretches = grown;
    grown[o->n_stretches++] = (struct stretch){.begin = begin, .end = end};
    return PARE_OK;
}

/* Finds the stretches of tokens that are no tokens of the language. */
static pare_status find_stretches(struct opener *o, const pare_tokens *tokens)
{
    pare_status status = PARE_OK;
    for (size_t i = 0; i < tokens->n && tokens->n_errors > 0 && status == PARE_OK; i++) {
        if (tokens->tokens[i].type == PARE_TOKEN_ERROR)
            status = add_unlexed(o, tokens->tokens[i].begin, tokens->tokens[i].end);
    }
    return status;
}

/* The innermost node around the byte before `end`: `node` or one above it; the root if none is.
 * Goes up by parents, O(depth), which is enough for the few stretches there are. */
static uint32_t find_around(const pare_parse_tree *tree, uint32_t node, uint32_t end)
{
    while (node > 0 && tree->nodes[node].end < end)
        node = tree->nodes[node].parent;
    return node;
}

/* Finds where the stretches belong, and drops those that are in an opaque leaf, whose
 * structure covers them already.  One walk, since stretches and nodes are both in the order of
 * the text. */
static void place_stretches(struct opener *o)
{
    const pare_parse_tree *tree = o->tree;
    size_t kept = 0;
    uint32_t next = 1;
    for (size_t i = 0; i < o->n_stretches; i++) {
        struct stretch s = o->stretches[i];
        while (next < tree->n_nodes && tree->nodes[next].begin < s.end)
            next++;
        s.before = next;
        /* The node before it, or the innermost one around that which reaches as far. */
        s.parent = find_around(tree, next - 1, s.end);
        if (tree->nodes[s.parent].kind != PARE_NODE_OPAQUE) o->stretches[kept++] = s;
    }
    o->n_stretches = kept;
}

/* --- the new tree ------------------------------------------------------------------- */

/* Appends a node; where it ends in the array is found at last. */
static pare_status add_node(struct opener *o, pare_parse_node node)
{
    pare_parse_node *grown = pare_vector_reserve(o->nodes, &o->capacity, o->n + 1, sizeof *grown);
    if (!grown) return pare_fail_nomem(o->err);
    if (o->n >= PARE_NO_NODE - 1)
        return pare_fail(o->err, PARE_E_LIMIT, "the tree has more than 2^32 nodes");
    o->nodes = grown;
    grown[o->n++] = node;
    return PARE_OK;
}

/* A node of a tree by brackets as a part of an opaque node that begins at byte `begin` of the
 * text. */
static pare_parse_node translate(pare_parse_node node, uint32_t begin)
{
    static const uint32_t symbols[] = {[PARE_BRACKETS_SEGMENT] = PARE_OPAQUE_SEGMENT,
                                       [PARE_BRACKETS_ROUND] = PARE_OPAQUE_ROUND,
                                       [PARE_BRACKETS_SQUARE] = PARE_OPAQUE_SQUARE,
                                       [PARE_BRACKETS_CURLY] = PARE_OPAQUE_CURLY,
                                       [PARE_BRACKETS_TAG] = PARE_OPAQUE_TAG};
    if (node.kind == PARE_NODE_RULE)
        node.symbol = symbols[node.symbol];
    else
        node.symbol = node.kind == PARE_NODE_TOKEN ? PARE_OPAQUE_TOKEN : PARE_NO_NODE;
    /* A list stays one, so that reducers may drop its segments. */
    if (node.kind != PARE_NODE_STAR) node.kind = PARE_NODE_OPAQUE;
    node.begin += begin;
    node.end += begin;
    return node;
}

/* A single token is not worth a structure.  Stops at the second one. */
static bool has_several_tokens(const pare_parse_tree *tree)
{
    size_t n = 0;
    for (size_t i = 0; i < tree->n_nodes && n < 2; i++)
        n += tree->nodes[i].kind == PARE_NODE_TOKEN;
    return n > 1;
}

/* Adds the structure by brackets within the opaque node that was added last.  That node takes
 * the place of the structure's document, so parents shift by its index. */
static pare_status open_last(struct opener *o)
{
    uint32_t node = (uint32_t)o->n - 1, begin = o->nodes[node].begin, end = o->nodes[node].end;
    pare_parse_tree inner = {0};
    pare_status status =
        pare_bracket_parse((const unsigned char *)o->text + begin, end - begin, &inner, o->err);
    if (status != PARE_OK) return status;
    bool opens = has_several_tokens(&inner);
    if (opens) { /* blanks at its ends are no part of it */
        o->nodes[node].begin = begin + inner.nodes[0].begin;
        o->nodes[node].end = begin + inner.nodes[0].end;
    }
    for (uint32_t i = 1; i < inner.n_nodes && opens && status == PARE_OK; i++) {
        pare_parse_node piece = translate(inner.nodes[i], begin);
        piece.parent += node; /* its document is the opaque node */
        status = add_node(o, piece);
    }
    pare_parse_tree_done(&inner);
    return status;
}

/* Adds a stretch as an opaque node, and its structure.  The node stands among the children of
 * the node around it, where its bytes are. */
static pare_status add_opaque(struct opener *o, const struct stretch *s)
{
    pare_status status = add_node(o, (pare_parse_node){.kind = PARE_NODE_OPAQUE,
                                                       .symbol = PARE_NO_NODE,
                                                       .begin = s->begin,
                                                       .end = s->end,
                                                       .parent = o->moved[s->parent]});
    return status == PARE_OK ? open_last(o) : status;
}

/* Copies a node of the old tree; an opaque one gets its structure. */
static pare_status copy_node(struct opener *o, uint32_t index)
{
    pare_parse_node node = o->tree->nodes[index];
    o->moved[index] = (uint32_t)o->n;
    if (node.parent != PARE_NO_NODE) node.parent = o->moved[node.parent];
    pare_status status = add_node(o, node);
    return status == PARE_OK && node.kind == PARE_NODE_OPAQUE ? open_last(o) : status;
}

/* Goes over the old nodes; each stretch is put in before the node that follows it.  The last
 * round is for stretches after all nodes. */
static pare_status copy_all(struct opener *o)
{
    size_t next = 0;
    pare_status status = PARE_OK;
    for (uint32_t i = 0; i <= o->tree->n_nodes && status == PARE_OK; i++) {
        for (; next < o->n_stretches && o->stretches[next].before == i && status == PARE_OK; next++)
            status = add_opaque(o, &o->stretches[next]);
        if (i < o->tree->n_nodes && status == PARE_OK) status = copy_node(o, i);
    }
    return status;
}

/* Finds where each node ends in the array: a parent ends with its last child, which, from the
 * last node to the first, is known when the parent's turn comes.  The root grows over
 * stretches at its ends.  From the last node to the first, as nodes come before their
 * children. */
static void link_nodes(struct opener *o)
{
    pare_parse_node *nodes = o->nodes;
    for (size_t i = 0; i < o->n; i++)
        nodes[i].after = (uint32_t)i + 1;
    for (size_t i = o->n; i-- > 1;) {
        assert(nodes[i].parent < i);
        pare_parse_node *parent = &nodes[nodes[i].parent];
        if (parent->after < nodes[i].after) parent->after = nodes[i].after;
    }
    for (size_t i = 0; i < o->n_stretches; i++) {
        if (nodes[0].begin > o->stretches[i].begin) nodes[0].begin = o->stretches[i].begin;
        if (nodes[0].end < o->stretches[i].end) nodes[0].end = o->stretches[i].end;
    }
}

/* Whether a tree has a part that its parser could not make sense of. */
static bool has_opaque(const pare_parse_tree *tree)
{
    for (size_t i = 0; i < tree->n_nodes; i++) {
        if (tree->nodes[i].kind == PARE_NODE_OPAQUE) return true;
    }
    return false;
}

/* A tree without an error stays as it is. The old nodes are replaced only when the new ones are
 * complete, so a failure leaves the tree untouched. */
pare_status pare_bracket_parse_opaque(pare_parse_tree *tree, const char *text,
                                      const pare_tokens *tokens, pare_error *err)
{
    struct opener o = {.tree = tree, .text = text, .err = err};
    if (tokens->n_errors == 0 && !has_opaque(tree)) return PARE_OK;
    o.moved = pare_alloc(tree->n_nodes, sizeof *o.moved);
    pare_status status = o.moved ? find_stretches(&o, tokens) : pare_fail_nomem(err);
    if (status == PARE_OK) {
        place_stretches(&o);
        status = copy_all(&o);
    }
    if (status == PARE_OK) {
        link_nodes(&o);
        pare_alloc_free(tree->nodes);
        tree->nodes = o.nodes;
        tree->n_nodes = o.n;
        o.nodes = NULL;
    }
    pare_alloc_free(o.stretches);
    pare_alloc_free(o.nodes);
    pare_alloc_free(o.moved);
    return status;
}
