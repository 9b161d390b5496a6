/* What an item of C or C++ declares, and what kind of node that makes it.
 *
 * An item is looked at from its head, after `template <..>`: the first word mostly decides; else
 * it is a class, an enumeration, a function (the last name before its parameters), or variables
 * (the last name before `=`, `,`, `;`, `[` or `{`).  An item that declares nothing that could be
 * found is needed by nobody, but for one in a class, which stays with it.
 * Source: the rules follow those that shared measurements of a prototype found to decide
 * (docs/lab/dependency.md). */
#include <assert.h>
#include <string.h>

#include "base/buffer.h"
#include "base/fail.h"
#include "parse/parse_tree.h"
#include "reduce/dependency/outline.h"
#include "reduce/dependency/outline_c.h"

enum { DOUBLE_COLON = ':' | ':' << 8, ARROW = '-' | '>' << 8 };

/* An item, its node, and where its head begins. */
struct declarer {
    pare_c_reader *reader;
    const pare_c_item *item;
    uint32_t node;
    uint32_t first; /* token after template headers */
    bool in_class;
    uint32_t class_word; /* of the class around, or PARE_NO_WORD */
    pare_error *err;
};

/* The sign at a token. */
static uint16_t sign_at(const struct declarer *self, uint32_t at)
{
    return at < self->item->end ? self->reader->tokens.at[at].sign : 0;
}

/* Whether the token is that keyword. */
static bool is_key(const struct declarer *self, uint32_t at, uint32_t word)
{
    return at < self->item->end && pare_c_is(self->reader, at, word);
}

/* Whether the token is a name of something. */
static bool is_name(const struct declarer *self, uint32_t at)
{
    return at < self->item->end && pare_c_is_name(self->reader, at);
}

/* Sets roles. */
static void set(const struct declarer *self, uint32_t roles)
{
    self->reader->outline->nodes[self->node].roles |= roles;
}

/* The node declares the word.  If it is a template, `<` after that word opens a list of
 * arguments from here on; words of operators come after those of tokens, and are not among them. */
static pare_status add(const struct declarer *self, uint32_t word)
{
    pare_c_reader *reader = self->reader;
    if (self->item->templated && word < reader->n_words) reader->is_template[word] = 1;
    return pare_outline_add_name(reader->outline, self->node, word, self->err);
}

/* The node declares the name at the token. */
static pare_status add_at(const struct declarer *self, uint32_t at)
{
    return add(self, pare_c_word(self->reader, at));
}

/* Whether one of the tokens from .. to-1 is that keyword. */
static bool holds(const struct declarer *self, uint32_t from, uint32_t to, uint32_t word)
{
    for (uint32_t i = from; i < to && i < self->item->end; i++)
        if (is_key(self, i, word)) return true;
    return false;
}

/* The token after template headers, and after their requirements where those are in brackets: of
 * `template <class T> template <class U> void A<T>::f(U)` it is `void`. */
static uint32_t after_headers(const struct declarer *self)
{
    uint32_t at = self->item->first;
    if (is_key(self, at, PARE_C_EXTENSION)) at++;
    while (is_key(self, at, PARE_C_TEMPLATE) && sign_at(self, at + 1) == '<') {
        uint32_t close = pare_outline_c_angle(self->reader, at + 1, self->item->end);
        if (close == PARE_C_NONE) return at;
        at = close + 1;
    }
    if (is_key(self, at, PARE_C_EXTENSION)) at++;
    return at;
}

/* The token after the one at `at`, which is in a value, or after the brackets that it opens: of
 * `c<a,b>::v`, too, where a comma does not end the value.  What comes after `>` tells a list
 * from two comparisons: `a < b, c > d` are two values. */
static uint32_t skip_in_value(const struct declarer *self, uint32_t at, uint32_t end)
{
    const uint32_t close = sign_at(self, at) == '<' && is_name(self, at - 1)
                               ? pare_outline_c_angle(self->reader, at, end)
                               : PARE_C_NONE;
    if (close == PARE_C_NONE) return pare_outline_c_skip(self->reader, at);
    const uint16_t next = sign_at(self, close + 1);
    return next == DOUBLE_COLON || next == '(' || next == '{' ? close + 1 : at + 1;
}

/* The names of an enumeration's values: in `{ a, b = f(1, 2), c }` those after the brace or a
 * comma that is in no bracket. */
static pare_status add_values(const struct declarer *self)
{
    pare_status status = PARE_OK;
    uint32_t open = self->item->members, close = self->reader->tokens.at[open].partner;
    bool expected = true;
    for (uint32_t i = open + 1; !status && i < close; i = skip_in_value(self, i, close)) {
        if (expected && is_name(self, i)) status = add_at(self, i);
        expected = sign_at(self, i) == ',';
    }
    return status;
}

/* The word that a class is called, or PARE_NO_WORD. */
static uint32_t class_word(const struct declarer *self)
{
    uint32_t name = self->item->name;
    return name == PARE_C_NONE ? PARE_NO_WORD : pare_c_word(self->reader, name);
}

/* --- using, typedef, classes and enumerations ---------------------------------------------- */

static pare_status operator_word(const struct declarer *self, uint32_t *word);
static bool is_outside(const struct declarer *self, uint32_t at);
static uint32_t class_before(const struct declarer *self, uint32_t at);
static pare_status add_outside(const struct declarer *self, uint32_t at, uint32_t word);

/* `using A::operator+;` in a class: it goes with the operators of that sign. */
static pare_status declare_using_operator(const struct declarer *self)
{
    uint32_t word;
    pare_status status = operator_word(self, &word);
    return status ? status : add(self, word);
}

/* `using namespace A;`, which stays with what is around it.  In a name space that is opened
 * several times it is needed once there is something in A, whichever part it stands in: so it
 * counts as a specialisation of the word A. */
static pare_status declare_directive(const struct declarer *self)
{
    pare_outline *outline = self->reader->outline;
    const pare_outline_node *node = &outline->nodes[self->node];
    uint32_t last = self->item->end - 1;
    set(self, PARE_OUTLINE_FORCED);
    while (last > self->first && !is_name(self, last))
        last--;
    if (!is_name(self, last)) return PARE_OK;
    uint32_t opened = last; /* what is in an inline name space is in the one around it */
    while (opened > self->first + 2 && is_name(self, opened - 2) &&
           self->reader->is_space[pare_c_word(self->reader, opened)] == PARE_C_INLINE_SPACE)
        opened -= 2;
    pare_status status = pare_outline_add_directive(outline, node->space,
                                                    pare_c_word(self->reader, opened), self->err);
    if (status || node->parent == PARE_NO_NODE) return status;
    set(self, PARE_OUTLINE_SPECIAL);
    return add_at(self, last);
}

/* `using A::A;` in a class, or `using A<b>::A;`: its base's constructors are its own, and who makes an object of it names
 * neither. */
static bool inherits_constructors(const struct declarer *self)
{
    const uint32_t last = self->item->end - 2;
    uint32_t before = last - 2;
    if (!self->in_class || last < self->first + 3 || !is_name(self, last) ||
        sign_at(self, last - 1) != DOUBLE_COLON)
        return false;
    for (unsigned depth = 0; before > self->first && (depth || sign_at(self, before) == '>');
         before--) {
        depth += sign_at(self, before) == '>';
        depth -= sign_at(self, before) == '<';
        if (!depth) {
            before--;
            break;
        }
    }
    return is_name(self, before) &&
           pare_c_word(self->reader, before) == pare_c_word(self->reader, last);
}

/* `using` in its three forms: a directive; an alias, `using A = b;`; a declaration, `using a::b,
 * c::d;`, which declares the last name of each. */
static pare_status declare_using(const struct declarer *self)
{
    pare_status status = PARE_OK;
    uint32_t at = self->first + 1;
    if (is_key(self, at, PARE_C_NAMESPACE)) return declare_directive(self);
    if (self->item->equals != PARE_C_NONE && is_name(self, at)) return add_at(self, at);
    if (self->in_class && self->item->operator_at != PARE_C_NONE)
        return declare_using_operator(self);
    if (inherits_constructors(self)) {
        set(self, PARE_OUTLINE_FORCED);
        return PARE_OK;
    }
    for (; !status && at < self->item->end; at++) {
        uint16_t next = sign_at(self, at + 1);
        bool ends = next == ';' || next == ',' || next == PARE_C_SIGN2('.', '.') ||
                    is_key(self, at + 1, PARE_C_ATTRIBUTE);
        if (is_name(self, at) && ends) status = add_at(self, at);
    }
    return status;
}

/* In `(*name)(..)`, at the bracket: the last name before the closing one; of `(A::*name)` it is
 * name, too. */
static uint32_t name_in_brackets(const struct declarer *self, uint32_t open)
{
    uint32_t close = self->reader->tokens.at[open].partner, found = PARE_C_NONE;
    for (uint32_t i = open + 1; close != PARE_C_NONE && i < close; i++)
        if (is_name(self, i)) found = i;
    return found;
}

/* Whether the name is that of a pointer to a member: `T::*name`. */
static bool is_to_member(const struct declarer *self, uint32_t name)
{
    return name != PARE_C_NONE && sign_at(self, name - 1) == '*' &&
           sign_at(self, name - 2) == DOUBLE_COLON;
}

/* `typedef`: the last name of each declarator, before `[` or parameters.  Of `typedef int
 * (*f)(int)` it is in brackets.  A class or enumeration in it declares its own name, too. */
static pare_status declare_typedef(const struct declarer *self)
{
    const pare_c_item *item = self->item;
    pare_status status = PARE_OK;
    uint32_t at = self->first + 1, found = PARE_C_NONE, end = item->end - 1;
    if (item->members != PARE_C_NONE) at = pare_outline_c_skip(self->reader, item->members);
    while (!status && at < end) {
        uint16_t sign = sign_at(self, at);
        uint32_t close = sign == '<' ? pare_outline_c_angle(self->reader, at, end) : PARE_C_NONE;
        if (is_name(self, at)) found = at;
        if (sign == ',' && found != PARE_C_NONE) status = add_at(self, found);
        if (sign == '[') break;
        if (sign == '(' && !is_key(self, at - 1, PARE_C_DECLTYPE) &&
            !pare_c_takes_arguments(pare_c_word(self->reader, at - 1))) {
            uint32_t after = pare_outline_c_skip(self->reader, at);
            uint32_t inner = name_in_brackets(self, at);
            if (is_name(self, after)) { /* typedef __underlying_type(T) type; */
                at = after;
                continue;
            }
            bool pointer = sign_at(self, after) == '(' || sign_at(self, after) == '[' ||
                           is_to_member(self, inner);
            if (inner != PARE_C_NONE && pointer) found = inner;
            break;
        }
        at = close == PARE_C_NONE ? pare_outline_c_skip(self->reader, at) : close + 1;
    }
    if (!status && found != PARE_C_NONE) status = add_at(self, found);
    if (!status && item->members != PARE_C_NONE && class_word(self) != PARE_NO_WORD)
        status = add(self, class_word(self));
    if (!status && item->enumeration != PARE_C_NONE && item->members != PARE_C_NONE)
        status = add_values(self);
    return status;
}

/* Names after the brace of a class or enumeration: `struct {..} a, *b, c{}, d(1), e : 2;`.  A
 * name counts if what comes after it can end a declarator, so attributes and types of values are
 * none. */
static pare_status add_trailing(const struct declarer *self, uint32_t at)
{
    pare_status status = PARE_OK;
    for (; !status && at + 1 < self->item->end; at = pare_outline_c_skip(self->reader, at)) {
        uint16_t next = sign_at(self, at + 1);
        bool ends = next == ';' || next == ',' || next == '[' || next == '=' || next == '{' ||
                    next == '(' || next == ':' || is_key(self, at + 1, PARE_C_ATTRIBUTE);
        if (is_name(self, at) && ends) status = add_at(self, at);
    }
    return status;
}

/* What a template's arguments are by default is said where it is declared first, and only there: the definition
 * needs that declaration. */
static pare_status need_defaults(const struct declarer *self, uint32_t word)
{
    const pare_c_item *item = self->item;
    const pare_outline_node *nodes = self->reader->outline->nodes;
    uint32_t *declared = &self->reader->defaults[word];
    if (item->specialised || self->in_class) return PARE_OK;
    if (item->members == PARE_C_NONE) {
        for (uint32_t i = item->first; i < self->first; i++)
            if (sign_at(self, i) == '=') *declared = self->node + 1;
        return PARE_OK;
    }
    if (!*declared || nodes[*declared - 1].space != nodes[self->node].space) return PARE_OK;
    const pare_outline_use use = {.node = self->node,
                                  .word = *declared - 1,
                                  .qualifier = PARE_NO_WORD,
                                  .kind = PARE_OUTLINE_LOCAL};
    return pare_outline_add_use(self->reader->outline, &use, self->err);
}

/* Of `template<> struct A::b<int>`, with b at the token: A is its signature, as a template of that class is specialised. */
static pare_status note_owner(const struct declarer *self, uint32_t at)
{
    const uint32_t class = is_outside(self, at) ? class_before(self, at) : PARE_NO_WORD;
    const pare_outline_use use = {
        .node = self->node, .word = class, .qualifier = class, .kind = PARE_OUTLINE_SIGNATURE};
    if (class == PARE_NO_WORD) return PARE_OK;
    return pare_outline_add_use(self->reader->outline, &use, self->err);
}

/* A class: its name, and names after it.  One with arguments is a specialisation, whose signature
 * they are. */
static pare_status declare_class(const struct declarer *self)
{
    const pare_c_item *item = self->item;
    pare_status status = PARE_OK;
    uint32_t word = class_word(self);
    set(self, PARE_OUTLINE_CLASS);
    if (item->members == PARE_C_NONE && !item->specialised) set(self, PARE_OUTLINE_FORWARD);
    /* class A::b {..}; */
    bool outside = word != PARE_NO_WORD && !item->specialised && is_outside(self, item->name);
    if (word != PARE_NO_WORD)
        status = outside ? add_outside(self, item->name, word) : add(self, word);
    if (!status && word != PARE_NO_WORD) status = need_defaults(self, word);
    if (item->specialised && word != PARE_NO_WORD) {
        pare_c_extent *extent = &self->reader->extents[self->node];
        uint32_t end = item->members == PARE_C_NONE ? item->end : item->members;
        if (item->colon != PARE_C_NONE && item->colon < end) end = item->colon;
        set(self, PARE_OUTLINE_SPECIAL);
        extent->signature = item->name + 1;
        extent->signature_end = end;
        if (!status) status = note_owner(self, item->name);
    }
    if (item->members == PARE_C_NONE) return status;
    const uint32_t after = pare_outline_c_skip(self->reader, item->members);
    if (word == PARE_NO_WORD && self->in_class && sign_at(self, after) == ';')
        set(self, PARE_OUTLINE_NAMELESS);
    return status ? status : add_trailing(self, after);
}

/* Whether the item is a class, and not something of a class's type: `struct s;` and `struct s
 * {..} x;` are, `struct s f();` and `struct s x;` are none. */
static bool is_class(const struct declarer *self)
{
    const pare_c_item *item = self->item;
    if (item->key == PARE_C_NONE) return false;
    if (item->members != PARE_C_NONE) return true;
    if (item->paren != PARE_C_NONE || item->name == PARE_C_NONE) return false;
    return sign_at(self, item->name + 1) == ';' ||
           (item->specialised && sign_at(self, item->end - 2) == '>');
}

/* An enumeration; *whole: nothing else is declared beside it.  Its name is optional: `enum : int
 * { a }`.  Without values it may be the type of something, as in `enum e x;`, which is then
 * declared as a variable besides. */
static pare_status declare_enumeration(const struct declarer *self, bool *whole)
{
    const pare_c_item *item = self->item;
    uint32_t at = item->enumeration + 1;
    *whole = true;
    set(self, PARE_OUTLINE_ENUMERATION);
    while (is_key(self, at, PARE_C_CLASS) || is_key(self, at, PARE_C_STRUCT) ||
           is_key(self, at, PARE_C_ATTRIBUTE))
        at =
            is_key(self, at, PARE_C_ATTRIBUTE) ? pare_outline_c_skip(self->reader, at + 1) : at + 1;
    pare_status status = is_name(self, at) ? add_at(self, at) : PARE_OK;
    if (status || item->members == PARE_C_NONE) {
        *whole = item->enumeration == self->first && sign_at(self, at + 1) == ';';
        return status;
    }
    status = add_values(self);
    return status ? status : add_trailing(self, pare_outline_c_skip(self->reader, item->members));
}

/* --- functions ------------------------------------------------------------------------------ */

/* Whether the compiler makes objects of the class by itself, so that all of it is needed. */
bool pare_c_is_known(const pare_c_reader *reader, uint32_t word)
{
    static const char *const known[] = {"initializer_list", "type_info",        "strong_ordering",
                                        "weak_ordering",    "partial_ordering", "coroutine_handle",
                                        "coroutine_traits"};
    if (word == PARE_NO_WORD) return false;
    const pare_outline_word *text = &reader->outline->words[word];
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strlen(known[i]) == text->size &&
            memcmp(known[i], reader->outline->texts.data + text->at, text->size) == 0)
            return true;
    return false;
}

/* Whether what is declared is defined in a class: `at` is the token after the `::` before the
 * name.  A name before `::` that is a name space's is no class; after arguments of a template
 * there always is one. */
static bool is_outside(const struct declarer *self, uint32_t at)
{
    uint32_t before = at - 2;
    if (self->in_class || at < self->first + 2 || sign_at(self, at - 1) != DOUBLE_COLON)
        return false;
    if (sign_at(self, before) == '>') return true;
    if (!is_name(self, before)) return false;
    /* A class may be called like a concept of another name space, which qualifies nothing. */
    const unsigned char is = self->reader->is_space[pare_c_word(self->reader, before)];
    return is != PARE_C_SPACE && is != PARE_C_INLINE_SPACE;
}

/* The class in `A::f` or `A<..>::f`: `at` is at f.  Goes backwards over the arguments of a
 * template; what is before A, such as the type of the function, is not reached. */
static uint32_t class_before(const struct declarer *self, uint32_t at)
{
    size_t depth = 0;
    for (uint32_t i = at - 2; i > self->first; i--) {
        if (sign_at(self, i) == '>') depth++;
        if (sign_at(self, i) == '<' && depth)
            depth--;
        else if (!depth && is_name(self, i))
            return pare_c_word(self->reader, i);
    }
    return is_name(self, self->first) ? pare_c_word(self->reader, self->first) : PARE_NO_WORD;
}

/* The name is declared outside of its class: that one is its signature, as a use in which word
 * and qualifier are the same, by which the rules know it (dependency_rules.c).  What the
 * compiler asks of a class, unnamed, is needed with it. */
static pare_status add_outside(const struct declarer *self, uint32_t at, uint32_t word)
{
    pare_status status = PARE_OK;
    uint32_t class = class_before(self, at);
    bool known = pare_c_is_known(self->reader, class);
    set(self, known ? PARE_OUTLINE_TIED : PARE_OUTLINE_OUTSIDE);
    if (class != PARE_NO_WORD) {
        const pare_outline_use use = {
            .node = self->node, .word = class, .qualifier = class, .kind = PARE_OUTLINE_SIGNATURE};
        status = pare_outline_add_use(self->reader->outline, &use, self->err);
    }
    return status || known ? status : add(self, word);
}

/* The tokens that decide for which classes an overload is wanted: its parameters and what
 * follows them, such as the type after an arrow and constraints, up to its body. */
static void set_signature(const struct declarer *self, uint32_t from)
{
    pare_c_extent *extent = &self->reader->extents[self->node];
    uint32_t end = self->item->body == PARE_C_NONE ? self->item->end : self->item->body;
    extent->signature = from;
    extent->signature_end = end;
}

/* The word "operator" with its signs, blanks left out, so that `operator ==` is called as
 * `operator==`; conversions are all called the same, "operator conversion", since what they
 * convert to is no sign that a use could show. */
static pare_status operator_word(const struct declarer *self, uint32_t *word)
{
    const pare_c_item *item = self->item;
    const pare_c_token *tokens = self->reader->tokens.at;
    const unsigned char *bytes = self->reader->view->bytes;
    pare_buffer name = {0};
    pare_status status = pare_buffer_text(&name, "operator", self->err);
    uint32_t at = item->operator_at + 1;
    /* An operator without a sign, at the end of a damaged text. */
    if (at >= item->end) {
        pare_buffer_done(&name);
        return status
                   ? status
                   : pare_outline_add_word(self->reader->outline, "operator", 8, word, self->err);
    }
    bool call = sign_at(self, at) == '(';
    uint32_t end = call ? at + 2 : item->paren;
    uint32_t first = tokens[at].word;
    bool made = first == PARE_C_NEW || first == PARE_C_DELETE || tokens[at].kind != PARE_C_WORD;
    if (!status && !made) status = pare_buffer_text(&name, " conversion", self->err);
    for (; !status && made && at < end && at < item->end && sign_at(self, at) != ';'; at++)
        status = pare_buffer_add(&name, bytes + tokens[at].from, tokens[at].to - tokens[at].from,
                                 self->err);
    if (!status)
        status =
            pare_outline_add_word(self->reader->outline, name.data, name.size, word, self->err);
    /* What copies, and what converts, is used without being named. */
    bool assigns = name.size == 9 && name.data[8] == '=';
    if (!status && self->in_class && (!made || assigns)) set(self, PARE_OUTLINE_FORCED);
    if (!status && (first == PARE_C_NEW || first == PARE_C_DELETE) && !self->in_class)
        set(self, PARE_OUTLINE_FORCED);
    pare_buffer_done(&name);
    return status;
}

/* An operator's function: its signature begins with the parameters, as the operator's own
 * brackets are part of its name. */
static pare_status declare_operator(const struct declarer *self)
{
    uint32_t word, at = self->item->operator_at;
    pare_status status = operator_word(self, &word);
    if (status) return status;
    set(self, PARE_OUTLINE_FUNCTION);
    if (self->item->paren != PARE_C_NONE) set_signature(self, self->item->paren);
    return is_outside(self, at) ? add_outside(self, at, word) : add(self, word);
}

/* Of `f<..>(`, at the closing bracket: the token f, or PARE_C_NONE.  Angles are counted
 * backwards, as nothing pairs them. */
static uint32_t before_arguments(const struct declarer *self, uint32_t at)
{
    size_t depth = 0;
    for (; at > self->first; at--) {
        if (sign_at(self, at) == '>') depth++;
        if (sign_at(self, at) == '<' && --depth == 0) return at - 1;
    }
    return PARE_C_NONE;
}

/* A function called by the name at `at`, whose parameters are at `paren`.  Decides what is
 * special about it: defined outside of its class; a constructor or destructor, which stays with
 * the class; a deduction guide, `A(int) -> A<int>;`; virtual, or said to override. */
static pare_status declare_function(const struct declarer *self, uint32_t at, uint32_t paren)
{
    uint32_t word = pare_c_word(self->reader, at);
    set(self, PARE_OUTLINE_FUNCTION);
    set_signature(self, paren);
    bool destroys = at > self->first && sign_at(self, at - 1) == '~';
    uint32_t start = destroys ? at - 1 : at;
    if (is_outside(self, start)) return add_outside(self, start, word);
    /* Constructors and destructors stay with their class. */
    if (self->in_class && word == self->class_word && self->first < self->item->end &&
        !is_key(self, self->first, PARE_C_FRIEND))
        set(self, PARE_OUTLINE_FORCED | (destroys ? 0 : PARE_OUTLINE_MAKES));
    uint32_t after = pare_outline_c_skip(self->reader, paren);
    bool guide = sign_at(self, after) == ARROW &&
                 (at == self->first || is_key(self, at - 1, PARE_C_EXPLICIT));
    if (!self->in_class && guide) set(self, PARE_OUTLINE_SPECIAL);
    if (holds(self, after, self->reader->extents[self->node].signature_end, PARE_C_OVERRIDE))
        set(self, PARE_OUTLINE_VIRTUAL | PARE_OUTLINE_OVERRIDES);
    if (holds(self, self->item->first, paren, PARE_C_VIRTUAL)) set(self, PARE_OUTLINE_VIRTUAL);
    return add(self, word);
}

/* Whether the bracket is that of a declarator, as in `(*f)(..)`, `(&f(..))[2]` and `(A::*f())(..)`. */
static bool is_declarator(const struct declarer *self, uint32_t paren)
{
    const uint16_t next = sign_at(self, pare_outline_c_skip(self->reader, paren));
    uint32_t at = paren + 1;
    if (next != '(' && next != '[') return false;
    while (is_name(self, at) && sign_at(self, at + 1) == DOUBLE_COLON)
        at += 2;
    const uint16_t sign = sign_at(self, at);
    return sign == '*' || (at == paren + 1 && (sign == '&' || sign == PARE_C_SIGN2('&', '&')));
}

/* Declares what the declarator in the bracket names: what is pointed or referred to, or a function that returns
 * that. */
static pare_status declare_declarator(const struct declarer *self, uint32_t paren)
{
    const uint32_t close = self->reader->tokens.at[paren].partner;
    for (uint32_t i = paren + 1; close != PARE_C_NONE && i < close; i++)
        if (sign_at(self, i) == '(' && is_name(self, i - 1))
            return declare_function(self, i - 1, i);
    const uint32_t name = name_in_brackets(self, paren);
    return name == PARE_C_NONE ? PARE_OK : add_at(self, name);
}

/* Declares what has parameters; *found is false if it is a variable after all.  In this order: a
 * declarator in brackets, `(*f)(..)`; a name in brackets, `int (f)(int)`; a name with arguments,
 * `f<int>(..)`, which is a specialisation; a name. */
static pare_status declare_callable(const struct declarer *self, bool *found)
{
    uint32_t paren = self->item->paren, at = paren - 1;
    uint32_t after = pare_outline_c_skip(self->reader, paren);
    *found = true;
    if (paren == self->item->first) {
        *found = false;
        return PARE_OK;
    }
    uint16_t next = sign_at(self, after);
    if (is_declarator(self, paren)) return declare_declarator(self, paren);
    /* int (f)(int), so that a macro f is not meant */
    if (is_name(self, paren + 1) && after == paren + 3 && next == '(')
        return declare_function(self, paren + 1, after);
    if (sign_at(self, at) == '>') {
        at = before_arguments(self, at);
        if (at != PARE_C_NONE && is_name(self, at)) set(self, PARE_OUTLINE_SPECIAL);
    }
    if (at != PARE_C_NONE && is_name(self, at)) return declare_function(self, at, paren);
    *found = false;
    return PARE_OK;
}

/* --- variables ------------------------------------------------------------------------------ */

/* The token after the value that begins at `at`: at a comma or the end. */
static uint32_t after_value(const struct declarer *self, uint32_t at)
{
    while (at < self->item->end && sign_at(self, at) != ',' && sign_at(self, at) != ';') {
        uint32_t close = sign_at(self, at) == '<' && is_name(self, at - 1)
                             ? pare_outline_c_angle(self->reader, at, self->item->end)
                             : PARE_C_NONE;
        at = close == PARE_C_NONE ? pare_outline_c_skip(self->reader, at) : close + 1;
    }
    return at;
}

/* Of a template, at the name of a variable with arguments, `template<..> bool v<a>=true;`: a
 * specialisation for what they name.  What follows the arguments tells that the name is the
 * variable's, and not its type. */
static void specialise_variable(const struct declarer *self, uint32_t at)
{
    uint32_t close = self->item->templated && !self->in_class && sign_at(self, at + 1) == '<'
                         ? pare_outline_c_angle(self->reader, at + 1, self->item->end)
                         : PARE_C_NONE;
    if (close == PARE_C_NONE) return;
    uint16_t next = sign_at(self, close + 1);
    if (next != '=' && next != ';' && next != '{') return;
    pare_c_extent *extent = &self->reader->extents[self->node];
    set(self, PARE_OUTLINE_SPECIAL);
    extent->signature = at + 1;
    extent->signature_end = close;
}

/* Variables and data members: the last name of each declarator, before its value.  Of `A a = 1,
 * *b, c[2];` these are a, b and c.  A data member is one that is in each object: not static, nor
 * a template. */
static pare_status declare_variables(const struct declarer *self)
{
    pare_status status = PARE_OK;
    uint32_t at = self->first, found = PARE_C_NONE;
    bool shared = is_key(self, at, PARE_C_STATIC) || is_key(self, at, PARE_C_CONSTEXPR) ||
                  is_key(self, at, PARE_C_INLINE) || self->item->templated;
    if (self->in_class && !shared) set(self, PARE_OUTLINE_DATA);
    while (!status && at < self->item->end) {
        uint16_t sign = sign_at(self, at);
        bool ends =
            sign == ',' || sign == '=' || sign == ';' || sign == ':' || sign == '{' || sign == '[';
        if (is_name(self, at)) {
            found = at;
            specialise_variable(self, at);
            if (is_outside(self, at)) {
                uint16_t next = sign_at(self, at + 1);
                bool last = next == '=' || next == ';' || next == '{' || next == '[';
                if (last) return add_outside(self, at, pare_c_word(self->reader, at));
            }
        }
        if (ends && found != PARE_C_NONE) {
            status = add_at(self, found);
            found = sign == '[' || sign == '{' ? found : PARE_C_NONE;
            if (sign == '[' || sign == '{') found = PARE_C_NONE;
        }
        uint32_t close =
            sign == '<' ? pare_outline_c_angle(self->reader, at, self->item->end) : PARE_C_NONE;
        if (sign == '=')
            at = after_value(self, at + 1);
        else
            at = close == PARE_C_NONE ? pare_outline_c_skip(self->reader, at) : close + 1;
    }
    return status;
}

/* --- all ------------------------------------------------------------------------------------ */

/* What the first words do not tell: a class, an enumeration, an operator, a function, and else
 * variables.  The order counts: `enum e f();` has an enumeration's key, and is a function. */
static pare_status declare_rest(const struct declarer *self)
{
    const pare_c_item *item = self->item;
    bool found = false;
    if (is_class(self)) return declare_class(self);
    if (item->enumeration != PARE_C_NONE &&
        (item->members != PARE_C_NONE || item->paren == PARE_C_NONE)) {
        pare_status status = declare_enumeration(self, &found);
        if (status || found) return status;
    }
    if (item->operator_at != PARE_C_NONE &&
        (item->paren == PARE_C_NONE || item->paren > item->operator_at))
        return declare_operator(self);
    if (item->paren != PARE_C_NONE && (item->equals == PARE_C_NONE || item->equals > item->paren)) {
        pare_status status = declare_callable(self, &found);
        if (status || found) return status;
    }
    return declare_variables(self);
}

/* Declares by the first word, or by what the item looks like. */
static pare_status declare(const struct declarer *self)
{
    uint32_t first = self->first;
    if (is_key(self, first, PARE_C_STATIC_ASSERT) || is_key(self, first, PARE_C_STATIC_ASSERT_C) ||
        is_key(self, first, PARE_C_ASM) || is_key(self, first, PARE_C_ASM_GNU))
        return PARE_OK;
    /* An instantiation. */
    if (is_key(self, first, PARE_C_TEMPLATE) ||
        (is_key(self, first, PARE_C_EXTERN) && is_key(self, first + 1, PARE_C_TEMPLATE)))
        return PARE_OK;
    if (is_key(self, first, PARE_C_FRIEND)) {
        uint32_t word = first + 1 < self->item->end ? pare_c_word(self->reader, first + 1) : 0;
        bool class = word >= PARE_C_CLASS && word <= PARE_C_UNION;
        if (class || (self->item->paren == PARE_C_NONE && self->item->operator_at == PARE_C_NONE)) {
            pare_c_extent *extent = &self->reader->extents[self->node];
            set(self, PARE_OUTLINE_TIED); /* of no use without the class that it lets in */
            extent->signature = first + 1;
            extent->signature_end = self->item->end;
            return PARE_OK;
        }
    }
    if (is_key(self, first, PARE_C_USING)) return declare_using(self);
    if (is_key(self, first, PARE_C_TYPEDEF)) return declare_typedef(self);
    for (uint32_t i = first; i < self->item->end && i < first + 60; i++)
        if (is_key(self, i, PARE_C_CONCEPT) && is_name(self, i + 1)) return add_at(self, i + 1);
    return declare_rest(self);
}

/* What is in no list of the file's or a class's items is not asked for. */
pare_status pare_c_declare(pare_c_reader *reader, uint32_t node, const pare_c_item *item,
                           pare_error *err)
{
    struct declarer self = {.reader = reader, .item = item, .node = node, .err = err};
    size_t before = reader->outline->n_names;
    if (reader->tokens.at[item->first].kind == PARE_C_LINE) {
        reader->outline->nodes[node].roles |= PARE_OUTLINE_FORCED | PARE_OUTLINE_LINE;
        return PARE_OK;
    }
    self.first = after_headers(&self);
    self.in_class = reader->outline->nodes[node].roles & PARE_OUTLINE_MEMBER;
    self.class_word = self.in_class ? reader->class_word : PARE_NO_WORD;
    pare_status status = declare(&self);
    /* In a class, what cannot be named stays. */
    bool asserts = is_key(&self, self.first, PARE_C_STATIC_ASSERT);
    const bool tied = reader->outline->nodes[node].roles & PARE_OUTLINE_TIED;
    if (!status && self.in_class && reader->outline->n_names == before && !asserts && !tied)
        set(&self, PARE_OUTLINE_FORCED);
    return status;
}

/* Whether a body has no statements: `{}`, or `: x(1) {}`. */
static bool is_bare(const struct declarer *self)
{
    const uint32_t end = self->item->body_end;
    return end >= self->item->body + 2 && sign_at(self, end - 2) == '{' &&
           sign_at(self, end - 1) == '}';
}

/* Whether the function's type is told by what it returns. */
bool pare_c_is_deduced(const pare_c_reader *reader, const pare_c_item *item)
{
    const struct declarer self = {.reader = (pare_c_reader *)(uintptr_t)reader, .item = item};
    uint32_t paren = item->paren == PARE_C_NONE ? item->body : item->paren;
    for (uint32_t i = paren; i < item->body; i++)
        if (sign_at(&self, i) == ARROW) return false;
    return holds(&self, item->first, paren, PARE_C_AUTO);
}

/* Whether the function, which has a body, is a friend with a constraint, which is an error without it.
 * Source: C++20 [temp.friend], paragraph 9. */
bool pare_c_is_constrained_friend(const pare_c_reader *reader, const pare_c_item *item)
{
    const struct declarer self = {.reader = (pare_c_reader *)(uintptr_t)reader, .item = item};
    return holds(&self, item->first, item->body, PARE_C_FRIEND) &&
           holds(&self, item->first, item->body, PARE_C_REQUIRES);
}

/* Types that are deduced, and values that are computed while compiling, need it.  Larger constant
 * functions are mostly called with values that are not known then. */
bool pare_c_needs_body(const pare_c_reader *reader, uint32_t node, const pare_c_item *item)
{
    enum { SHORT_BYTES = 140 };
    const struct declarer self = {
        .reader = (pare_c_reader *)(uintptr_t)reader, .item = item, .node = node};
    uint32_t roles = reader->outline->nodes[node].roles;
    const pare_c_token *at = reader->tokens.at;
    bool small = at[item->body_end - 1].to - at[item->body].from < SHORT_BYTES;
    bool constant = holds(&self, item->first, item->body, PARE_C_CONSTEXPR) && small &&
                    (!(roles & PARE_OUTLINE_MAKES) || is_bare(&self) ||
                     pare_c_is_known(reader, reader->class_word));
    return pare_c_is_deduced(reader, item) || constant ||
           roles & (PARE_OUTLINE_OUTSIDE | PARE_OUTLINE_TIED) ||
           holds(&self, item->first, item->body, PARE_C_CONSTEVAL) ||
           holds(&self, item->first, item->body, PARE_C_FRIEND);
}
