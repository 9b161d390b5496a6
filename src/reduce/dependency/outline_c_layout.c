/* Which classes are shared with code that is compiled elsewhere, and what their objects are made of.
 *
 * A class has a part in a library if one of its functions is declared and defined nowhere in the file, or if
 * a template is said to be instantiated elsewhere (`extern template class s<char>;`).  Its bases, and the
 * classes of data members that are no pointers and no references, have so, too, through aliases as well.  That
 * code knows where in an object each data member is, and at which place a virtual function is called; a
 * program that is run is broken without any of them, though it compiles.
 *
 * An object outside of functions that is only there for what its constructor does (`static ios_base::Init init;`)
 * is named by nobody, and a program that is run may be broken without it.  So it stays where its class is there,
 * or the one that this is a member of.
 *
 * Names are followed, not types, so classes of one name are shared or not together.  Rounds over all uses
 * until nothing is added; there are as many as a class has others in it, one in the other.
 * Source: Itanium C++ ABI, "Data Layout" and "Virtual Table Layout". */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/vector.h"
#include "parse/parse_tree.h"
#include "reduce/dependency/outline.h"
#include "reduce/dependency/outline_c.h"

/* A function that is defined outside of its class. */
struct defined {
    uint32_t class, word;
};

/* What is found out. */
struct sharing {
    pare_c_reader *reader;
    const pare_outline *outline;
    unsigned char *is_shared; /* owned; by word */
    unsigned char *owns;      /* owned; by node: it declares a word that is shared */
    uint32_t *name;           /* owned; by node: the first word it declares, or PARE_NO_WORD */
    struct defined *defined;  /* owned; sorted */
    size_t n_defined, capacity;
};

static const pare_outline_node *node_at(const struct sharing *self, uint32_t node)
{
    return &self->outline->nodes[node];
}

/* Whether the token is that text. */
static bool is_text(const pare_c_reader *reader, uint32_t at, const char *text)
{
    const pare_c_token *token = &reader->tokens.at[at];
    return token->to - token->from == strlen(text) &&
           memcmp(reader->view->bytes + token->from, text, strlen(text)) == 0;
}

/* --- functions that are defined elsewhere ------------------------------------------------------ */

static int compare_defined(const void *a, const void *b)
{
    const struct defined *x = a, *y = b;
    if (x->class != y->class) return x->class < y->class ? -1 : 1;
    return x->word < y->word ? -1 : x->word > y->word;
}

/* Lists what is defined outside of its class: that one is its signature. */
static pare_status list_defined(struct sharing *self)
{
    for (size_t i = 0; i < self->outline->n_uses; i++) {
        const pare_outline_use *use = &self->outline->uses[i];
        if (use->kind != PARE_OUTLINE_SIGNATURE || self->name[use->node] == PARE_NO_WORD ||
            !(node_at(self, use->node)->roles & PARE_OUTLINE_OUTSIDE))
            continue;
        struct defined *at =
            pare_vector_grow(self->defined, self->n_defined, &self->capacity, sizeof *at);
        if (!at) return pare_fail_nomem(self->reader->err);
        self->defined = at;
        at[self->n_defined++] = (struct defined){use->word, self->name[use->node]};
    }
    if (self->n_defined)
        qsort(self->defined, self->n_defined, sizeof *self->defined, compare_defined);
    return PARE_OK;
}

/* Whether the member is a function of the class called `class` that has no body in the file,
 * neither in the class nor outside of it, and is none that the compiler makes, or nobody has: `=
 * default`, `= 0`.  Templates are instantiated where they are used, and friends are no members. */
static bool is_elsewhere(const struct sharing *self, uint32_t member, uint32_t class)
{
    const pare_c_reader *reader = self->reader;
    const pare_outline_node *node = node_at(self, member);
    const pare_c_extent *extent = &reader->extents[member];
    const struct defined key = {class, self->name[member]};
    if (!(node->roles & PARE_OUTLINE_FUNCTION) || key.word == PARE_NO_WORD) return false;
    for (uint32_t i = member + 1; i < node->after; i = node_at(self, i)->after)
        if (node_at(self, i)->roles & PARE_OUTLINE_BODY) return false;
    if (pare_c_is(reader, extent->first, PARE_C_TEMPLATE) ||
        pare_c_is(reader, extent->first, PARE_C_FRIEND) || extent->end - extent->first < 4)
        return false;
    if (pare_c_is_sign(reader, extent->end - 3, '=')) return false;
    return !self->n_defined ||
           !bsearch(&key, self->defined, self->n_defined, sizeof *self->defined, compare_defined);
}

/* Marks classes of which a function is defined elsewhere; those of templates are instantiated here. */
static void mark_declared(struct sharing *self)
{
    const pare_outline *outline = self->outline;
    for (uint32_t i = 0; i < outline->n_nodes; i++) {
        const pare_outline_node *node = node_at(self, i);
        if (!(node->roles & PARE_OUTLINE_CLASS) || self->name[i] == PARE_NO_WORD ||
            pare_c_is(self->reader, self->reader->extents[i].first, PARE_C_TEMPLATE))
            continue;
        for (uint32_t k = i + 1; k < node->after; k = node_at(self, k)->after)
            if (is_elsewhere(self, k, self->name[i])) self->is_shared[self->name[i]] = 1;
    }
}

/* Marks what is instantiated elsewhere. */
static void mark_instantiated(struct sharing *self)
{
    const pare_c_reader *reader = self->reader;
    for (uint32_t i = 0; i + 3 < reader->tokens.n; i++) {
        if (!pare_c_is(reader, i, PARE_C_EXTERN) || !pare_c_is(reader, i + 1, PARE_C_TEMPLATE) ||
            !(is_text(reader, i + 2, "class") || is_text(reader, i + 2, "struct")))
            continue;
        for (uint32_t k = i + 3; k < reader->tokens.n && !pare_c_is_sign(reader, k, ';'); k++)
            if (pare_c_is_name(reader, k) && pare_c_is_sign(reader, k + 1, '<')) {
                self->is_shared[pare_c_word(reader, k)] = 1;
                break;
            }
    }
}

/* --- what they are made of ---------------------------------------------------------------------- */

/* Whether the data member holds what it names, rather than pointing there: the text has neither
 * `*` nor `&`. */
static bool holds_it(const struct sharing *self, const pare_outline_node *node)
{
    const unsigned char *bytes = self->reader->view->bytes + node->begin;
    const size_t size = node->end - node->begin;
    return !memchr(bytes, '*', size) && !memchr(bytes, '&', size);
}

/* Whose name decides whether what the node uses is shared: for bases and data members the class
 * that they are a part of, and for an alias itself; PARE_NO_NODE: it does not matter, as for
 * what a function's body uses. */
static uint32_t decider(const struct sharing *self, uint32_t node)
{
    enum {
        OTHERS = PARE_OUTLINE_FUNCTION | PARE_OUTLINE_CLASS | PARE_OUTLINE_BODY |
                 PARE_OUTLINE_PIECE | PARE_OUTLINE_SHELL
    };
    const pare_outline_node *at = node_at(self, node);
    if (at->roles & PARE_OUTLINE_BASES) return at->parent;
    if (at->roles & PARE_OUTLINE_DATA) return holds_it(self, at) ? at->parent : PARE_NO_NODE;
    return at->roles & OTHERS ? PARE_NO_NODE : node;
}

/* Marks what follows from what is marked; false: nothing did.  One round: nodes that declare a
 * shared word own it, and what an owner is made of is shared. */
static bool spread(struct sharing *self)
{
    const pare_outline *outline = self->outline;
    bool any = false;
    for (size_t i = 0; i < outline->n_names; i++)
        if (self->is_shared[outline->names[i].word]) self->owns[outline->names[i].node] = 1;
    /* A function of the class may take or give one of its own. */
    for (uint32_t i = 0; i < outline->n_nodes; i++) {
        const pare_outline_node *node = node_at(self, i);
        if (node->roles & PARE_OUTLINE_CLASS && node->parent != PARE_NO_NODE &&
            node_at(self, node->parent)->roles & PARE_OUTLINE_CLASS && self->owns[node->parent])
            self->owns[i] = 1;
    }
    for (size_t i = 0; i < outline->n_uses; i++) {
        const pare_outline_use *use = &outline->uses[i];
        if (use->kind == PARE_OUTLINE_LOCAL || use->kind == PARE_OUTLINE_HELD ||
            use->word < PARE_C_N_KEYWORDS || self->is_shared[use->word])
            continue;
        uint32_t node = decider(self, use->node);
        if (node == PARE_NO_NODE || !self->owns[node]) continue;
        self->is_shared[use->word] = 1;
        any = true;
    }
    return any;
}

/* Data members and virtual functions of what is shared. */
static void set_roles(struct sharing *self)
{
    pare_outline_node *nodes = self->reader->outline->nodes;
    for (uint32_t i = 0; i < self->outline->n_nodes; i++) {
        if (!(nodes[i].roles & PARE_OUTLINE_CLASS) || !self->owns[i]) continue;
        for (uint32_t k = i + 1; k < nodes[i].after; k = nodes[k].after)
            if (nodes[k].roles & (PARE_OUTLINE_DATA | PARE_OUTLINE_VIRTUAL))
                nodes[k].roles |= PARE_OUTLINE_LAYOUT;
    }
}

/* --- objects that nobody names ------------------------------------------------------------------- */

/* Whether the node is a variable of a name space. */
static bool is_variable(const struct sharing *self, uint32_t node)
{
    enum {
        OTHERS = PARE_OUTLINE_FUNCTION | PARE_OUTLINE_CLASS | PARE_OUTLINE_ENUMERATION |
                 PARE_OUTLINE_BODY | PARE_OUTLINE_PIECE | PARE_OUTLINE_SHELL | PARE_OUTLINE_LINE
    };
    const pare_outline_node *at = node_at(self, node);
    if (at->roles & OTHERS || !pare_outline_is_plain(at) || self->name[node] == PARE_NO_WORD)
        return false;
    return at->parent == PARE_NO_NODE || node_at(self, at->parent)->roles & PARE_OUTLINE_SHELL;
}

/* Of a variable of a class that is given no value, `static A::B<c> d;`, the token of the
 * outermost class, A: names of name spaces before it are passed over.  PARE_C_NONE: it is of
 * another type, or defined elsewhere, or constant, all of which show in a word that is neither a
 * name nor static or inline. */
static uint32_t class_of_object(const struct sharing *self, uint32_t node)
{
    const pare_c_reader *reader = self->reader;
    const pare_c_extent *extent = &reader->extents[node];
    uint32_t class = PARE_C_NONE, n_names = 0;
    for (uint32_t i = extent->first; i + 1 < extent->end; i++) {
        const bool storage =
            pare_c_is(reader, i, PARE_C_STATIC) || pare_c_is(reader, i, PARE_C_INLINE);
        if (storage || pare_c_is_sign(reader, i, PARE_C_SIGN2(':', ':'))) continue;
        if (pare_c_is_sign(reader, i, '<')) {
            const uint32_t close = pare_outline_c_angle(reader, i, extent->end);
            if (close == PARE_C_NONE) return PARE_C_NONE;
            i = close;
            continue;
        }
        if (!pare_c_is_name(reader, i)) return PARE_C_NONE;
        if (class == PARE_C_NONE && !reader->is_space[pare_c_word(reader, i)]) class = i;
        n_names++;
    }
    const bool ends = pare_c_is_sign(reader, extent->end - 1, ';');
    return ends && n_names > 1 && class + 2 < extent->end ? class : PARE_C_NONE;
}

/* The name at token `at` is one of those that decide for which classes the node is wanted. */
static pare_status add_signature(struct sharing *self, uint32_t node, uint32_t at)
{
    const pare_c_reader *reader = self->reader;
    /* `::A b;` begins with the sign. */
    const bool qualified = at >= reader->extents[node].first + 2 &&
                           pare_c_is_sign(reader, at - 1, PARE_C_SIGN2(':', ':')) &&
                           pare_c_is_name(reader, at - 2);
    const pare_outline_use use = {.node = node,
                                  .word = pare_c_word(reader, at),
                                  .qualifier =
                                      qualified ? pare_c_word(reader, at - 2) : PARE_NO_WORD,
                                  .kind = PARE_OUTLINE_SIGNATURE};
    return pare_outline_add_use(self->reader->outline, &use, self->reader->err);
}

/* Objects that are named by nobody, with their classes as signatures. */
static pare_status mark_objects(struct sharing *self)
{
    pare_status status = PARE_OK;
    for (uint32_t i = 0; !status && i < self->outline->n_nodes; i++) {
        if (!is_variable(self, i)) continue;
        const uint32_t class = class_of_object(self, i);
        if (class == PARE_C_NONE) continue;
        self->reader->outline->nodes[i].roles |= PARE_OUTLINE_LAYOUT;
        status = add_signature(self, i, class);
    }
    return status;
}

/* --- what is instantiated elsewhere -------------------------------------------------------------- */

/* `extern template class s<char>;` stays with its classes where a program is linked: without it the members are made
 * once more from what is left of their bodies, and what a library calls may be these. */
static pare_status mark_external(struct sharing *self)
{
    const pare_c_reader *reader = self->reader;
    pare_status status = PARE_OK;
    for (uint32_t i = 0; !status && i < self->outline->n_nodes; i++) {
        const pare_c_extent *extent = &reader->extents[i];
        if (node_at(self, i)->roles &
                (PARE_OUTLINE_BODY | PARE_OUTLINE_PIECE | PARE_OUTLINE_MEMBER) ||
            !pare_c_is(reader, extent->first, PARE_C_EXTERN) ||
            !pare_c_is(reader, extent->first + 1, PARE_C_TEMPLATE))
            continue;
        self->reader->outline->nodes[i].roles |= PARE_OUTLINE_LAYOUT;
        for (uint32_t k = extent->first + 2; !status && k < extent->end; k++)
            if (pare_c_is_name(reader, k)) status = add_signature(self, i, k);
    }
    return status;
}

/* The uses are known by now. */
pare_status pare_c_mark_layout(pare_c_reader *reader, pare_error *err)
{
    enum { MOST_ROUNDS = 16 };
    const pare_outline *outline = reader->outline;
    struct sharing self = {.reader = reader, .outline = outline};
    self.is_shared = pare_alloc_zero(outline->n_words + 1, 1);
    self.owns = pare_alloc_zero(outline->n_nodes + 1, 1);
    self.name = pare_alloc(outline->n_nodes + 1, sizeof *self.name);
    bool all = self.is_shared && self.owns && self.name;
    pare_status status = all ? PARE_OK : pare_fail_nomem(err);
    for (size_t i = 0; all && i < outline->n_nodes; i++)
        self.name[i] = PARE_NO_WORD;
    for (size_t i = outline->n_names; all && i-- > 0;)
        self.name[outline->names[i].node] = outline->names[i].word;
    if (!status) status = list_defined(&self);
    if (!status) {
        mark_declared(&self);
        mark_instantiated(&self);
        for (unsigned n = 0; n < MOST_ROUNDS && spread(&self); n++)
            continue;
        set_roles(&self);
        status = mark_objects(&self);
        if (!status) status = mark_external(&self);
    }
    pare_alloc_free(self.is_shared);
    pare_alloc_free(self.owns);
    pare_alloc_free(self.name);
    pare_alloc_free(self.defined);
    return status;
}
