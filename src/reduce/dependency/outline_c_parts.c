/* Parts of C and C++ items that may go by themselves: what makes an item need much.
 *
 * In heads: a class's bases, the concept that a template's parameter is to have, `requires` and
 * `noexcept`, the value of a constant, what a concept or an alias stands for.  Some leave a text
 * in their place, without which the rest would be no item.  In bodies: statements, and in
 * compound ones the statements of their blocks.
 *
 * A part stays with its item whenever a closure keeps that (PARE_OUTLINE_FORCED): what is left of
 * it means something else, and only a test can tell whether the failure minds.  Deletions take
 * parts out, with all that only these needed.
 * One pass over the tokens of each item; statements are nested as deep as somebody likes, so they
 * are kept on a stack.
 * Source: ours; "a body or a `;`" is the same idea (Kalhauge and Palsberg, PLDI 2021). */
#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/vector.h"
#include "reduce/dependency/outline.h"
#include "reduce/dependency/outline_c.h"

enum { COLONS = ':' | ':' << 8, DOTS = '.' | '.' << 8, AND = '&' | '&' << 8, OR = '|' | '|' << 8 };

/* The sign of a token before `end`. */
static uint16_t sign_at(const pare_c_reader *reader, uint32_t at)
{
    return at < reader->tokens.n ? reader->tokens.at[at].sign : 0;
}

/* Whether the token is that word. */
static bool is_text(const pare_c_reader *reader, uint32_t at, const char *text)
{
    if (!pare_c_is_word(reader, at)) return false;
    const pare_c_token *token = &reader->tokens.at[at];
    return token->to - token->from == strlen(text) &&
           memcmp(reader->view->bytes + token->from, text, strlen(text)) == 0;
}

/* --- heads -------------------------------------------------------------------------------- */

/* An item whose parts are looked for. */
struct head {
    pare_c_reader *reader;
    const pare_c_item *item;
    uint32_t node;
    uint32_t end; /* where its members or its body begin */
    pare_error *err;
};

/* Adds tokens from .. to-1 as a part of the item. */
static pare_status add(const struct head *head, uint32_t from, uint32_t to, const char *rest)
{
    uint32_t part;
    if (from >= to || to > head->item->end) return PARE_OK;
    return pare_outline_c_add_part(head->reader, head->node, from, to, rest, &part);
}

/* Adds what members of the item are reached through: a class's bases, what an alias stands for. */
static pare_status add_through(const struct head *head, uint32_t from, uint32_t to,
                               const char *rest)
{
    uint32_t part;
    if (from >= to || to > head->item->end) return PARE_OK;
    pare_status status = pare_outline_c_add_part(head->reader, head->node, from, to, rest, &part);
    if (!status) head->reader->outline->nodes[part].roles |= PARE_OUTLINE_BASES;
    return status;
}

/* Adds the bases of a class, from the colon at `colon` on: without them the class is complete
 * all the same. */
static pare_status add_bases(const struct head *head, uint32_t colon)
{
    const pare_c_item *item = head->item;
    if (colon >= head->end) return PARE_OK;
    /* A template without members is what it inherits: `template<..> struct is_x : y<..> {};` */
    bool empty = head->reader->tokens.at[item->members].partner == item->members + 1;
    if (empty && (item->templated || item->specialised)) return PARE_OK;
    return add_through(head, colon, head->end, NULL);
}

/* The token after a name with its scopes and arguments: `a::b<c>`. */
static uint32_t after_name(const struct head *head, uint32_t at)
{
    const pare_c_reader *reader = head->reader;
    while (at < head->end) {
        if (sign_at(reader, at) == COLONS) at++;
        if (!pare_c_is_name(reader, at)) return at;
        at++;
        if (sign_at(reader, at) == '<') {
            uint32_t close = pare_outline_c_angle(reader, at, head->end);
            if (close == PARE_C_NONE) return at;
            at = close + 1;
        }
        if (sign_at(reader, at) != COLONS) return at;
    }
    return at;
}

/* Whether the last name of from .. to-1 is that of a concept. */
static bool is_concept(const struct head *head, uint32_t from, uint32_t to)
{
    const pare_c_reader *reader = head->reader;
    uint32_t last = PARE_C_NONE;
    for (uint32_t i = from; i < to && sign_at(reader, i) != '<'; i++)
        if (pare_c_is_name(reader, i)) last = i;
    return last != PARE_C_NONE &&
           reader->is_space[pare_c_word(reader, last)] == PARE_C_CONCEPT_NAME;
}

/* In `template <..>`, whose brackets are at `open` and `close`: `C T` becomes `class T`, `C<int>
 * ...T` becomes `class ...T`. Only where the name before is known as a concept, as in `int n` or
 * `A a` a type declares a value. */
static pare_status add_constraints(const struct head *head, uint32_t open, uint32_t close)
{
    const pare_c_reader *reader = head->reader;
    pare_status status = PARE_OK;
    for (uint32_t i = open + 1; !status && i < close;) {
        uint32_t after = after_name(head, i);
        uint32_t name = sign_at(reader, after) == DOTS ? after + 1 : after;
        if (after > i && pare_c_is_name(reader, name) && is_concept(head, i, after))
            status = add(head, i, after, "class");
        while (i < close && sign_at(reader, i) != ',') {
            uint32_t inner = sign_at(reader, i) == '<' ? pare_outline_c_angle(reader, i, close) : i;
            i = inner == PARE_C_NONE || inner == i ? pare_outline_c_skip(reader, i) : inner + 1;
        }
        i++;
    }
    return status;
}

/* The token after the constraint that follows `requires` at `at`: operands with && and || between
 * them. */
static uint32_t after_requires(const struct head *head, uint32_t at)
{
    const pare_c_reader *reader = head->reader;
    for (at++; at < head->end; at++) {
        while (sign_at(reader, at) == '!')
            at++;
        if (pare_c_is(reader, at, PARE_C_REQUIRES)) {
            at++;
            if (sign_at(reader, at) == '(') at = pare_outline_c_skip(reader, at);
            at = pare_outline_c_skip(reader, at);
        } else if (sign_at(reader, at) == '(') {
            at = pare_outline_c_skip(reader, at);
        } else {
            uint32_t after = after_name(head, at);
            at = after == at ? at + 1 : after;
        }
        if (sign_at(reader, at) != AND && sign_at(reader, at) != OR) return at;
    }
    return at;
}

/* What stands for the value of what is declared in the head: `{}` for most types, but 1 where a
 * bool or `auto` is among the words before it, since a list of nothing tells no type. */
static const char *value_of(const struct head *head)
{
    for (uint32_t i = head->item->first; i < head->item->equals; i++)
        if (is_text(head->reader, i, "bool") || pare_c_is(head->reader, i, PARE_C_AUTO)) return "1";
    return "{}";
}

/* What stands after `=`: a concept's constraint, what an alias is, a value.  What is left is a
 * whole item:
 *
 *     concept C = a<T> && b<T>;     concept C = true;
 *     using A = b<c>;               using A = int;
 *     const int n = f(1);           const int n = {};
 *     int n = f(1);                 int n; */
static pare_status add_value(const struct head *head)
{
    const pare_c_reader *reader = head->reader;
    const pare_c_item *item = head->item;
    uint32_t from = item->equals + 1, to = item->end - 1;
    bool concept = false, alias = false, constant = false, type = false;
    if (sign_at(reader, to) != ';' || from >= to || item->equals < item->first) return PARE_OK;
    if (item->paren != PARE_C_NONE && item->paren < item->equals) return PARE_OK;
    for (uint32_t i = item->first; i < item->equals; i = pare_outline_c_skip(reader, i)) {
        concept = concept || pare_c_is(reader, i, PARE_C_CONCEPT);
        alias = alias || pare_c_is(reader, i, PARE_C_USING);
        constant = constant || pare_c_is(reader, i, PARE_C_CONSTEXPR) ||
                   is_text(reader, i, "const") || pare_c_is(reader, i, PARE_C_AUTO);
        type = type || pare_c_is(reader, i, PARE_C_TYPEDEF) || is_text(reader, i, "namespace") ||
               pare_c_is(reader, i, PARE_C_FRIEND);
    }
    if (type || to - from < 2) return PARE_OK;
    if (concept) return add(head, from, to, "true");
    if (alias) return add_through(head, from, to, "int");
    return constant ? add(head, from, to, value_of(head)) : add(head, from - 1, to, NULL);
}

/* In the order of the text, as nodes have to be: constraints of template lists, `requires`,
 * `noexcept(..)`, then the bases or the value.  A specialisation keeps its constraints, which
 * may be all that tells it from another one.  In C there is only the value. */
pare_status pare_c_add_head_parts(pare_c_reader *reader, uint32_t node, const pare_c_item *item,
                                  pare_error *err)
{
    struct head head = {.reader = reader, .item = item, .node = node, .end = item->end, .err = err};
    pare_status status = PARE_OK;
    if (!reader->cpp && item->equals == PARE_C_NONE) return PARE_OK;
    if (item->members != PARE_C_NONE) head.end = item->members;
    if (item->body != PARE_C_NONE && item->body < head.end) head.end = item->body;
    uint32_t stop = item->equals < head.end ? item->equals : head.end;
    for (uint32_t i = item->first; !status && i < stop;) {
        bool angle = sign_at(reader, i) == '<' && i > item->first &&
                     pare_c_is(reader, i - 1, PARE_C_TEMPLATE);
        uint32_t close = angle ? pare_outline_c_angle(reader, i, head.end) : PARE_C_NONE;
        if (close != PARE_C_NONE) {
            /* Of a specialisation the constraint may be all that tells it from another one. */
            if (!item->specialised) status = add_constraints(&head, i, close);
            i = close + 1;
        } else if (pare_c_is(reader, i, PARE_C_REQUIRES)) {
            uint32_t after = after_requires(&head, i);
            if (after > head.end) after = head.end;
            if (!item->specialised) status = add(&head, i, after, NULL);
            i = after;
        } else if (is_text(reader, i, "noexcept") && sign_at(reader, i + 1) == '(') {
            uint32_t after = pare_outline_c_skip(reader, i + 1);
            status = add(&head, i, after, NULL);
            i = after;
        } else if (i == item->colon && item->key != PARE_C_NONE && item->members != PARE_C_NONE) {
            return add_bases(&head, i);
        } else {
            i = pare_outline_c_skip(reader, i);
        }
    }
    return status || item->equals == PARE_C_NONE || item->equals > head.end ? status
                                                                            : add_value(&head);
}

/* --- statements --------------------------------------------------------------------------- */

/* A block, or what stands around the blocks of a compound statement. */
struct frame {
    uint32_t node, end;
    bool compound;
};

/* Whether a function without a return statement is an error: its value is computed, or its type deduced,
 * while compiling. */
static bool must_return(const pare_c_reader *reader, const pare_c_item *item)
{
    for (uint32_t i = item->first; i < item->body; i++)
        if (pare_c_is(reader, i, PARE_C_CONSTEXPR) || pare_c_is(reader, i, PARE_C_CONSTEVAL) ||
            pare_c_is(reader, i, PARE_C_AUTO))
            return true;
    return false;
}

/* The frames that are open. */
struct frames {
    struct frame *at; /* owned */
    size_t n, capacity;
    bool returns; /* what is returned is no part of its own */
};

static pare_status push(pare_c_reader *reader, struct frames *frames, struct frame frame)
{
    struct frame *at = pare_vector_grow(frames->at, frames->n, &frames->capacity, sizeof *at);
    if (!at) return pare_fail_nomem(reader->err);
    frames->at = at;
    at[frames->n++] = frame;
    return PARE_OK;
}

/* Whether the word begins a statement that holds others. */
static bool begins_compound(const pare_c_reader *reader, uint32_t at)
{
    static const char *const words[] = {"if", "while", "switch", "do", "else"};
    if (pare_c_is(reader, at, PARE_C_FOR) || pare_c_is(reader, at, PARE_C_TRY)) return true;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (is_text(reader, at, words[i])) return true;
    return false;
}

/* The token after the simple statement at `at`. */
static uint32_t after_simple(const pare_c_reader *reader, uint32_t at, uint32_t end)
{
    while (at < end && sign_at(reader, at) != ';')
        at = pare_outline_c_skip(reader, at);
    return at < end ? at + 1 : end;
}

/* The token after the statement at `at`, with all that follows it: else, while, catch.  Goes
 * down through heads without recursion: of `if (a) for (;;) x();` both heads are skipped, then
 * the simple statement, and an `else` leads on. */
static uint32_t after_statement(const pare_c_reader *reader, uint32_t at, uint32_t end)
{
    bool loop = false;
    while (at < end) {
        if (begins_compound(reader, at)) {
            loop = is_text(reader, at, "do");
            at += pare_c_is(reader, at + 1, PARE_C_CONSTEXPR) ? 2 : 1;
            if (sign_at(reader, at) == '(' && !loop) at = pare_outline_c_skip(reader, at);
            continue;
        }
        at = sign_at(reader, at) == '{' ? pare_outline_c_skip(reader, at)
                                        : after_simple(reader, at, end);
        if (loop && is_text(reader, at, "while")) {
            loop = false;
            at = after_simple(reader, at, end);
        }
        if (is_text(reader, at, "else")) continue;
        while (pare_c_is(reader, at, PARE_C_CATCH))
            at = pare_outline_c_skip(reader, pare_outline_c_skip(reader, at + 1));
        break;
    }
    return at < end ? at : end;
}

/* Whether the tokens of a statement have a `return`. */
static bool returns(const pare_c_reader *reader, uint32_t from, uint32_t end)
{
    for (uint32_t i = from; i < end; i++)
        if (is_text(reader, i, "return")) return true;
    return false;
}

/* Whether the token may be the last of a type before the name of a variable that needs no value: not of a reference,
 * and not `auto`. */
static bool ends_plain_type(const pare_c_reader *reader, uint32_t at)
{
    if (sign_at(reader, at) == '>' || pare_c_is_name(reader, at)) return true;
    if (!pare_c_is_word(reader, at)) return false;
    const uint32_t word = pare_c_word(reader, at);
    return word >= PARE_C_FIRST_TYPE && word <= PARE_C_LAST_TYPE;
}

/* What the only variable that the statement declares is made from: `= value`, or arguments in
 * brackets.  Sets *from and *to to its tokens, which are none if there is no such thing.  Not
 * where the variable is an error without one (const, auto, a reference), and not where a comma
 * shows that there are several.
 *
 *     a::b<c> x = f(1);     `= f(1)`
 *     auto x = f(1);        nothing: x would have no type */
static void find_initialiser(const pare_c_reader *reader, uint32_t first, uint32_t end,
                             uint32_t *from, uint32_t *to)
{
    uint32_t at = first;
    *from = *to = end;
    if (end < first + 5 || sign_at(reader, end - 1) != ';') return;
    for (; at < end; at++) {
        const uint16_t sign = sign_at(reader, at);
        if (sign == '=' || sign == '(') break;
        if (sign == '<') {
            const uint32_t close = pare_outline_c_angle(reader, at, end);
            if (close == PARE_C_NONE) return;
            at = close;
        } else if (sign && sign != COLONS) {
            return;
        } else if (pare_c_is(reader, at, PARE_C_AUTO) || pare_c_is(reader, at, PARE_C_CONSTEXPR) ||
                   pare_c_is(reader, at, PARE_C_USING) || is_text(reader, at, "const")) {
            return;
        }
    }
    const bool named = at >= first + 2 && pare_c_is_name(reader, at - 1);
    if (!named || !ends_plain_type(reader, at - 2)) return;
    for (uint32_t i = at; i < end; i = pare_outline_c_skip(reader, i))
        if (sign_at(reader, i) == ',') return;
    if (sign_at(reader, at) == '(' && pare_outline_c_skip(reader, at) != end - 1) return;
    *from = at;
    *to = end - 1;
}

/* Adds what a variable is made from as a part of its statement `node`: without it the variable may do as well, and all
 * that was needed for its value goes. */
static pare_status add_initialiser(pare_c_reader *reader, uint32_t node, uint32_t first,
                                   uint32_t end)
{
    uint32_t from, to, part;
    if (!reader->cpp) return PARE_OK;
    find_initialiser(reader, first, end, &from, &to);
    if (to < from + 3) return PARE_OK; /* one name or number is no gain */
    pare_status status = pare_outline_c_add_part(reader, node, from, to, NULL, &part);
    if (!status) reader->outline->nodes[part].roles |= PARE_OUTLINE_VALUE;
    reader->outline->nodes[node].after = (uint32_t)reader->outline->n_nodes;
    return status;
}

/* Reads what stands at *at in a block.  A compound statement is opened, so that statements in
 * its blocks are parts, too. Where what is returned is no part, a statement that holds a
 * `return` is stepped over as a whole. */
static pare_status read_statement(pare_c_reader *reader, struct frames *frames, uint32_t *at)
{
    const struct frame around = frames->at[frames->n - 1];
    uint32_t end = after_statement(reader, *at, around.end), node;
    bool compound = begins_compound(reader, *at) || sign_at(reader, *at) == '{';
    if (end <= *at) end = *at + 1;
    if (frames->returns && returns(reader, *at, end)) {
        *at = end;
        return PARE_OK;
    }
    pare_status status = pare_outline_c_add_part(reader, around.node, *at, end, NULL, &node);
    if (!status && !compound) status = add_initialiser(reader, node, *at, end);
    if (status || !compound) {
        *at = end;
        return status;
    }
    return push(reader, frames, (struct frame){.node = node, .end = end, .compound = true});
}

/* Reads what stands at *at in a compound statement: its blocks are opened. */
static pare_status read_compound(pare_c_reader *reader, struct frames *frames, uint32_t *at)
{
    const struct frame around = frames->at[frames->n - 1];
    uint32_t partner = reader->tokens.at[*at].partner;
    bool block = sign_at(reader, *at) == '{' && partner != PARE_C_NONE && partner < around.end;
    if (!block) {
        *at = pare_outline_c_skip(reader, *at);
        return PARE_OK;
    }
    ++*at;
    return push(reader, frames, (struct frame){.node = around.node, .end = partner});
}

/* The last bracket of a body is that of its statements: before it there may be initialisers.  Of
 * a function's try block it is that of the last handler, and what is before it stays whole.
 * Frames alternate between blocks, whose statements are read, and compound statements, of which
 * only the blocks are; `after` of a node is set when its frame is left. */
pare_status pare_c_add_statements(pare_c_reader *reader, uint32_t body, const pare_c_item *item)
{
    struct frames frames = {.returns = must_return(reader, item)};
    uint32_t last = item->body_end - 1, open = reader->tokens.at[last].partner;
    if (open == PARE_C_NONE || open < item->body || open + 1 >= last) return PARE_OK;
    uint32_t at = open + 1;
    pare_status status = push(reader, &frames, (struct frame){.node = body, .end = last});
    while (!status && frames.n) {
        const struct frame *top = &frames.at[frames.n - 1];
        if (at >= top->end) {
            reader->outline->nodes[top->node].after = (uint32_t)reader->outline->n_nodes;
            /* Of a block only its bracket is left. */
            at = top->compound ? top->end : top->end + 1;
            frames.n--;
        } else if (sign_at(reader, at) == ';') {
            at++;
        } else {
            status = top->compound ? read_compound(reader, &frames, &at)
                                   : read_statement(reader, &frames, &at);
        }
    }
    pare_alloc_free(frames.at);
    return status;
}
