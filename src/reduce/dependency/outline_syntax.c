/* The outline of a program by its syntax tree: which of its parts are nodes.
 *
 * One walk over the nodes of the tree, in pre-order.  Each knows from the one above it what its
 * children are: items of a file or a name space, members of a class or of a large object, parts of
 * a list, or nothing that could go by itself.  A function's body is a node below what it is in,
 * and where there is a compiler the statements of its blocks are pieces of it: they stay with it, declare nothing to others,
 * and may go by themselves, with those that use their variables.  In functions that hold others,
 * such as the one that a whole program is wrapped in and the modules of a bundle, statements are
 * items again.
 *
 * Invariant: nodes are added in pre-order; `owner` of a syntax node is the innermost node that
 * holds it.  Linear in the tree, without recursion.  Memory: 5 bytes a syntax node besides what
 * the tree of bindings takes, all of it freed when the outline is made.
 * Source: ours.  Where the language has a grammar that holds, its tree says in a table of a few
 * lines what takes 1,500 lines to read from tokens (outline_c.c). */
#include "reduce/dependency/outline_syntax.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/vector.h"
#include "parse/parse_tree.h"
#include "reduce/passes/pass.h"

enum {
    MOST_PIECED_BYTES =
        1 << 20,       /* in a larger text statements are no nodes: looks would take too long */
    LARGE_BYTES = 240, /* a list of members or parts of so many bytes is cut */
    FILE_LARGE_BYTES =
        24,           /* the same in one of several files: an object may hold what it exports */
    BODY_BYTES = 12,  /* a body of so many more than what may stay of it is a node */
    OPEN_BYTES = 400, /* the same for one in which statements are nodes */
    LAST_BYTES = 3,   /* of a value that is worth a 0 */
    OPEN_PARTS = 2    /* and which holds so many functions or classes */
};

/* What holds of the children of a syntax node; any number of them. */
enum {
    LIST_ITEMS = 1 << 0,
    LIST_MEMBERS = 1 << 1,
    LIST_PARTS = 1 << 2,
    CLOSED = 1 << 3, /* nothing in it is a node */
    CODE = 1 << 4,   /* it is in a body whose statements are no nodes */
    LOCAL = 1 << 5,  /* it is in a function that is opened, and not all of the program */
    PIECES = 1 << 6, /* it is in a body that is a node, whose statements are pieces */
    LISTS = LIST_ITEMS | LIST_MEMBERS | LIST_PARTS
};

/* --- asking ------------------------------------------------------------------------------- */

static const pare_outline_kind no_kind = {.type = ""};

/* The kind of a symbol is looked up by its name once, and kept in a table by number: there are as many as the
 * grammar has symbols, and millions of nodes.  Tokens that are known by their text have no kind. */
const pare_outline_kind *pare_outline_syntax_kind(const pare_outline_reader *reader, uint32_t node)
{
    const pare_syntax *syntax = &reader->syntax;
    const pare_syntax_node *self = &syntax->nodes[node];
    if (self->punctuation || self->symbol >= reader->n_kinds) return &no_kind;
    const pare_outline_kind **kind = &reader->kinds[self->symbol];
    if (!*kind) {
        const pare_symbol_names *names = syntax->view->names;
        *kind = pare_outline_table_kind(reader->table, names->rule(names->language, self->symbol));
        if (!*kind) *kind = &no_kind;
    }
    return *kind;
}

static uint32_t marks_of(const pare_outline_reader *reader, uint32_t node)
{
    return pare_outline_syntax_kind(reader, node)->marks;
}

/* A declaration stands in what exports it, an expression in its statement: of `export const f =
 * ..;` the core is the declaration.  Goes down as long as there is just one child to go to. */
uint32_t pare_outline_syntax_core(const pare_outline_reader *reader, uint32_t node)
{
    const pare_syntax *syntax = &reader->syntax;
    while (pare_syntax_is(syntax, node, PARE_ROLE_HOLDER)) {
        const char *words = syntax->nodes[node].kind->names;
        uint32_t child = pare_syntax_child(syntax, node, words);
        if (child == PARE_NO_NODE || pare_syntax_count(syntax, node, words, 2) > 1) break;
        node = child;
    }
    return node;
}

/* The state of a syntax node is about its children, so the parent is asked. */
bool pare_outline_syntax_in_code(const pare_outline_reader *reader, uint32_t node)
{
    uint32_t parent = reader->syntax.nodes[node].parent;
    return parent != PARE_NO_NODE && reader->state[parent] & CODE;
}

bool pare_outline_syntax_is_local(const pare_outline_reader *reader, uint32_t node)
{
    uint32_t parent = reader->syntax.nodes[node].parent;
    return parent != PARE_NO_NODE && reader->state[parent] & LOCAL;
}

uint32_t pare_outline_syntax_whole(const pare_outline_reader *reader, uint32_t node)
{
    const pare_outline_node *nodes = reader->outline->nodes;
    while (nodes[node].roles & PARE_OUTLINE_PIECE)
        node = nodes[node].parent;
    return node;
}

bool pare_outline_syntax_runs_at_once(const pare_outline_reader *reader, uint32_t node)
{
    const pare_syntax *syntax = &reader->syntax;
    const uint32_t core = pare_outline_syntax_core(reader, pare_outline_syntax_root(reader, node));
    uint32_t called = PARE_NO_NODE;
    if (pare_syntax_is(syntax, core, PARE_ROLE_CALL))
        called = pare_syntax_child(syntax, core, syntax->nodes[core].kind->object);
    while (called != PARE_NO_NODE && !pare_syntax_is(syntax, called, PARE_ROLE_FUNCTION))
        called = pare_syntax_only_element(syntax, called); /* in parentheses */
    return called != PARE_NO_NODE;
}

/* Whether a function is in the syntax node. */
static bool holds_function(const pare_syntax *syntax, uint32_t node)
{
    for (uint32_t i = node; i < syntax->nodes[node].after; i++)
        if (pare_syntax_is(syntax, i, PARE_ROLE_FUNCTION)) return true;
    return false;
}

bool pare_outline_syntax_is_relied_on(const pare_outline_reader *reader, uint32_t node,
                                      const pare_outline_name *named, size_t n)
{
    const pare_outline *outline = reader->outline;
    if (!reader->table->runs) return false;
    const uint32_t core = pare_outline_syntax_core(reader, pare_outline_syntax_root(reader, node));
    if (pare_syntax_is(&reader->syntax, core, PARE_ROLE_CALL)) return true;
    if (!(outline->nodes[node].roles & PARE_OUTLINE_MEMBER)) return false;
    if (!pare_syntax_is(&reader->syntax, core, PARE_ROLE_ASSIGNS) &&
        !holds_function(&reader->syntax, core))
        return true;
    for (size_t i = 0; i < n; i++) {
        const pare_outline_word *word = &outline->words[named[i].word];
        const char *text = (const char *)outline->texts.data + word->at;
        const size_t dot = word->size && *text == '.';
        if (pare_outline_table_has(reader->table->by_library, text + dot, word->size - dot))
            return true;
    }
    return false;
}

bool pare_outline_syntax_holds(const pare_outline_reader *reader, uint32_t node, uint32_t marks)
{
    const uint32_t end = reader->syntax.nodes[node].after;
    for (; node < end; node++)
        if (marks_of(reader, node) & marks) return true;
    return false;
}

const char *pare_outline_syntax_name(const pare_outline_reader *reader, uint32_t leaf, size_t *size)
{
    const char *text = pare_syntax_text(&reader->syntax, leaf);
    *size = pare_syntax_size(&reader->syntax, leaf);
    if (*size < 3 || !strchr("\"`[", *text)) return text;
    *size -= 2;
    return text + 1;
}

uint32_t pare_outline_syntax_base(const pare_outline_reader *reader, uint32_t node)
{
    enum { MOST_DEPTH = 12 }; /* of what is assigned to */
    const pare_syntax *syntax = &reader->syntax;
    for (unsigned depth = 0; node != PARE_NO_NODE && depth < MOST_DEPTH; depth++) {
        if (syntax->nodes[node].leaf)
            return pare_syntax_is(syntax, node, PARE_ROLE_NAME) ? node : PARE_NO_NODE;
        const pare_syntax_kind *kind = syntax->nodes[node].kind;
        if (marks_of(reader, node) & PARE_MARK_ELEMENT)
            node = pare_syntax_first(syntax, node);
        else if (kind->roles & (PARE_ROLE_ACCESS | PARE_ROLE_SUBSCRIPT))
            node = pare_syntax_child(syntax, node, kind->object);
        else if (kind->roles & PARE_ROLE_QUALIFIED && !kind->object) /* `$a` */
            node = pare_syntax_child(syntax, node, kind->names);
        else
            return PARE_NO_NODE;
    }
    return PARE_NO_NODE;
}

uint32_t pare_outline_syntax_symbol(const pare_outline_reader *reader, uint32_t leaf)
{
    const pare_bindings *names = &reader->names;
    uint32_t occurrence = leaf == PARE_NO_NODE ? PARE_NO_NODE : names->by_leaf[leaf];
    return occurrence == PARE_NO_NODE ? PARE_NO_SYMBOL : names->occurrences[occurrence].symbol;
}

bool pare_outline_syntax_is_alias(const pare_outline_reader *reader, uint32_t value)
{
    const pare_syntax *syntax = &reader->syntax;
    if (!pare_syntax_is(syntax, value, PARE_ROLE_ACCESS)) return false;
    const uint32_t member = pare_syntax_child(syntax, value, syntax->nodes[value].kind->names);
    return member != PARE_NO_NODE && pare_outline_syntax_base(reader, value) != PARE_NO_NODE &&
           pare_outline_table_has(reader->table->no_names, pare_syntax_text(syntax, member),
                                  pare_syntax_size(syntax, member));
}

static size_t size_of(const pare_outline_reader *reader, uint32_t node)
{
    return pare_syntax_size(&reader->syntax, node);
}

/* --- nodes -------------------------------------------------------------------------------- */

/* Where the walk is. */
struct walk {
    pare_outline_reader *reader;
    uint32_t ahead; /* syntax node that is the rest of node `led`, or PARE_NO_NODE */
    uint32_t led;
    bool clause; /* and it is a clause: all before it is of `led`, too */
};

/* Where the node ends: it takes its comma along, and a part what is before the next one as well.
 * In `a, b, c` the item a is "a,", and the part a is "a, ", with which b moves up to its place. */
static uint32_t end_of(const pare_outline_reader *reader, uint32_t root)
{
    const pare_syntax *syntax = &reader->syntax;
    uint32_t next = pare_syntax_next(syntax, root);
    unsigned list = reader->state[syntax->nodes[root].parent];
    if (!(list & LISTS) || next == PARE_NO_NODE || *pare_syntax_text(syntax, next) != ',')
        return syntax->nodes[root].end;
    uint32_t element = pare_syntax_element_after(syntax, root);
    bool part = list & LIST_PARTS && element != PARE_NO_NODE;
    return part ? syntax->nodes[element].begin : syntax->nodes[next].end;
}

/* Whether the node at `root` brings in names of other files: its kind says so, or it names one. */
static bool is_import(const pare_outline_reader *reader, uint32_t root)
{
    const pare_outline_file *file = reader->file;
    const pare_syntax_node *node = &reader->syntax.nodes[root];
    if (marks_of(reader, root) & PARE_MARK_IMPORT) return true;
    const uint32_t core = pare_outline_syntax_core(reader, root);
    const bool holds = marks_of(reader, core) & PARE_MARK_SHELL; /* `mod m;` declares m for all */
    if (holds || pare_syntax_is(&reader->syntax, core, PARE_ROLE_FUNCTION)) return false;
    for (size_t i = 0; i < file->n_links && file->links[i].at < node->end; i++)
        if (file->links[i].at >= node->begin) return true;
    return false;
}

/* What a node of one of several files has besides: the file around it, the spaces of its names, and, as what
 * stays in the place of its body is another in each language, that. */
static void place_in_file(const pare_outline_reader *reader, uint32_t root, pare_outline_node *node)
{
    const pare_outline_file *file = reader->file;
    const bool import = node->parent == PARE_NO_NODE
                            ? is_import(reader, root)
                            : reader->outline->nodes[node->parent].space == file->imports;
    if (node->parent == PARE_NO_NODE) node->parent = file->node;
    node->space = import ? file->imports : file->space;
    node->scope = file->scope;
    if (node->roles & PARE_OUTLINE_BODY) node->rest = reader->table->no_body;
}

/* Whether something has to stand before the next part of the list that is a statement: without
 * `a()`, the rest of `a(), function () { .. }();` would begin with the word function, and be a
 * declaration.  `0,` stays there then. */
static bool must_lead(const pare_outline_reader *reader, uint32_t root)
{
    const pare_syntax *syntax = &reader->syntax;
    const uint32_t list = syntax->nodes[root].parent;
    const uint32_t next = pare_syntax_element_after(syntax, root);
    if (list == PARE_NO_NODE || !(reader->state[list] & LIST_PARTS) || next == PARE_NO_NODE ||
        !pare_syntax_is(syntax, list, PARE_ROLE_EXPRESSION))
        return false;
    const char *text = pare_syntax_text(syntax, next);
    const size_t size = pare_syntax_size(syntax, next);
    return *text == '{' || (size > 8 && memcmp(text, "function", 8) == 0) ||
           (size > 5 && (memcmp(text, "class", 5) == 0 || memcmp(text, "async", 5) == 0));
}

/* The value of the last declaration of a list, in the place of which 0 may stand where the name is of no use:
 * `const a = n(1), b = n(2)`; PARE_NO_NODE: the node is none, or there is a compiler, to which it matters. */
static uint32_t last_value(const pare_outline_reader *reader, uint32_t node)
{
    const pare_syntax *syntax = &reader->syntax;
    const pare_syntax_kind *kind = syntax->nodes[node].kind;
    if (!reader->table->runs || !(kind->roles & PARE_ROLE_DECLARES) || !kind->value ||
        !(reader->state[syntax->nodes[node].parent] & LIST_PARTS) ||
        pare_syntax_element_after(syntax, node) != PARE_NO_NODE)
        return PARE_NO_NODE;
    const uint32_t before = pare_syntax_element_before(syntax, node);
    const uint32_t name = pare_syntax_child(syntax, node, kind->names);
    const uint32_t value = pare_syntax_child(syntax, node, kind->value);
    const bool simple = before != PARE_NO_NODE && name != PARE_NO_NODE && syntax->nodes[name].leaf;
    /* Anything else may be another name of something, whose members are its own. */
    return simple && value != PARE_NO_NODE && pare_syntax_size(syntax, value) >= LAST_BYTES &&
                   pare_syntax_is(syntax, value, PARE_ROLE_CALL | PARE_ROLE_FUNCTION)
               ? value
               : PARE_NO_NODE;
}

/* Adds the node that begins with `from` and ends with `root`.  They differ where something leads what the node
 * is about (a decorator, an attribute): the walk then gives what follows up to `root` to the same node. */
static pare_status add_node(struct walk *walk, uint32_t from, uint32_t root, uint32_t roles)
{
    pare_outline_reader *reader = walk->reader;
    const pare_syntax_node *nodes = reader->syntax.nodes;
    uint32_t parent = nodes[from].parent, index;
    bool last = pare_syntax_element_after(&reader->syntax, root) == PARE_NO_NODE ||
                reader->state[parent] & LIST_PARTS;
    pare_outline_node node = {.begin = nodes[from].begin,
                              .end = end_of(reader, root),
                              .parent = reader->owner[parent],
                              .roles = roles | (last ? PARE_OUTLINE_LAST : 0)};
    if (reader->file) place_in_file(reader, root, &node);
    if (must_lead(reader, root)) node.rest = "0,";
    const uint32_t value = last_value(reader, root);
    if (value != PARE_NO_NODE) {
        node.begin = nodes[value].begin;
        node.end = nodes[value].end;
        node.rest = "0";
    }
    pare_status status = pare_outline_add_node(reader->outline, &node, &index, reader->err);
    if (status) return status;
    uint32_t *roots = pare_vector_grow(reader->roots, index - reader->first, &reader->root_capacity,
                                       sizeof *roots);
    if (!roots) return pare_fail_nomem(reader->err);
    reader->roots = roots;
    roots[index - reader->first] = root;
    reader->owner[from] = index;
    if (from == root) return PARE_OK;
    walk->ahead = root;
    walk->led = index;
    return PARE_OK;
}

/* What the node that starts at `from` is about: the first after it that leads nothing.  Of two
 * attributes and a function it is the function; where nothing follows, it is what leads itself. */
static uint32_t led_by(const pare_outline_reader *reader, uint32_t from)
{
    uint32_t root = from;
    while (marks_of(reader, root) & PARE_MARK_LEADS) {
        uint32_t next = pare_syntax_element_after(&reader->syntax, root);
        if (next == PARE_NO_NODE) return from;
        root = next;
    }
    return root;
}

/* Whether an import names nothing by itself: what it is of use for cannot be told. */
static bool brings_all(const pare_outline_reader *reader, uint32_t core)
{
    uint32_t child = pare_syntax_first(&reader->syntax, core);
    for (; child != PARE_NO_NODE; child = pare_syntax_next(&reader->syntax, child))
        if (marks_of(reader, child) & PARE_MARK_ALL) return true;
    return false;
}

/* What a child of a list is by its marks and its place. */
static uint32_t roles_of(const pare_outline_reader *reader, uint32_t root, unsigned list)
{
    uint32_t core = pare_outline_syntax_core(reader, root);
    uint32_t marks = marks_of(reader, root) | marks_of(reader, core), roles = 0;
    if (brings_all(reader, core)) roles |= PARE_OUTLINE_FORCED;
    if (list & LIST_MEMBERS) roles |= PARE_OUTLINE_MEMBER;
    if (marks & PARE_MARK_SHELL) roles |= PARE_OUTLINE_SHELL;
    if (marks & PARE_MARK_STAYS) roles |= PARE_OUTLINE_FORCED;
    if (marks & PARE_MARK_FOLLOWS) roles |= PARE_OUTLINE_FOLLOWS;
    if (marks & PARE_MARK_FILLED) roles |= PARE_OUTLINE_FILLED;
    return roles;
}

/* Whether the syntax node, a child of a list, is a node of the outline.  Of parts it must have a
 * comma and another part after it, or be a last value in the place of which 0 may stand. */
static bool is_part(const pare_outline_reader *reader, uint32_t node, unsigned list)
{
    const pare_syntax *syntax = &reader->syntax;
    if (!(list & LISTS) || !pare_syntax_is_element(syntax, node)) return false;
    if (!(list & LIST_PARTS)) return true;
    if (last_value(reader, node) != PARE_NO_NODE) return true;
    uint32_t next = pare_syntax_next(syntax, node);
    return next != PARE_NO_NODE && *pare_syntax_text(syntax, next) == ',' &&
           pare_syntax_element_after(syntax, node) != PARE_NO_NODE;
}

/* --- clauses ------------------------------------------------------------------------------ */

/* Whether the token at `node` is one of the words, which stand between blanks in lower case. */
static bool is_word(const pare_syntax *syntax, uint32_t node, const char *words)
{
    const size_t size = node == PARE_NO_NODE ? 0 : pare_syntax_size(syntax, node);
    char word[16] = " ";
    if (!size || size > sizeof word - 3) return false;
    for (size_t i = 0; i < size; i++)
        word[i + 1] = (char)tolower((unsigned char)pare_syntax_text(syntax, node)[i]);
    word[size + 1] = ' ';
    return strstr(words, word) != NULL;
}

/* The last node of `references t (a) on delete set null`, of which `node` is the first. */
static uint32_t end_of_reference(const pare_syntax *syntax, uint32_t node)
{
    uint32_t end = pare_syntax_next(syntax, node);
    if (end == PARE_NO_NODE) return node;
    uint32_t next = pare_syntax_next(syntax, end);
    if (is_word(syntax, next, " ( "))
        for (; next != PARE_NO_NODE && !is_word(syntax, end, " ) ");
             next = pare_syntax_next(syntax, next))
            end = next;
    next = pare_syntax_next(syntax, end);
    while (is_word(syntax, next, " on ")) {
        while (is_word(syntax, next,
                       " on delete update no action restrict cascade set null default ")) {
            end = next;
            next = pare_syntax_next(syntax, end);
        }
    }
    return end;
}

/* The last syntax node of the clause that begins with `node`; PARE_NO_NODE: none does.  One in a list begins with
 * the comma before it. */
static uint32_t end_of_clause(const pare_outline_reader *reader, uint32_t node)
{
    const pare_syntax *syntax = &reader->syntax;
    const uint32_t parent = syntax->nodes[node].parent, next = pare_syntax_next(syntax, node);
    if (parent == PARE_NO_NODE) return PARE_NO_NODE;
    if (marks_of(reader, node) & PARE_MARK_REFERS)
        return marks_of(reader, parent) & PARE_MARK_CLAUSE ? PARE_NO_NODE
                                                           : end_of_reference(syntax, node);
    const bool listed = *pare_syntax_text(syntax, node) == ',' && next != PARE_NO_NODE &&
                        marks_of(reader, next) & PARE_MARK_CLAUSE;
    return listed && pare_outline_syntax_holds(reader, next, PARE_MARK_REFERS) ? next
                                                                               : PARE_NO_NODE;
}

/* --- statements --------------------------------------------------------------------------- */

/* Whether the syntax node is a statement of a block.  One that returns, or holds what does,
 * stays with its body: a compiler asks for it. */
static bool is_piece(const pare_outline_reader *reader, uint32_t node)
{
    const pare_syntax *syntax = &reader->syntax;
    return pare_syntax_is(syntax, syntax->nodes[node].parent, PARE_ROLE_BLOCK) &&
           pare_syntax_is_element(syntax, node) &&
           pare_syntax_is(syntax, node, PARE_ROLE_STATEMENT) && !syntax->nodes[node].leaf &&
           !reader->returns[node];
}

/* Marks the syntax nodes that hold a `return`: children stand after their parents, so one walk
 * from the rear is enough. Node 0 is the root, which has no parent. */
static void find_returns(pare_outline_reader *reader)
{
    const pare_syntax *syntax = &reader->syntax;
    for (uint32_t i = syntax->n; i-- > 1;) {
        if (pare_syntax_is(syntax, i, PARE_ROLE_RETURN)) reader->returns[i] = 1;
        if (reader->returns[i]) reader->returns[syntax->nodes[i].parent] = 1;
    }
}

/* --- bodies ------------------------------------------------------------------------------- */

/* Whether `node` is the body of a function. */
static bool is_body(const pare_outline_reader *reader, uint32_t node)
{
    const pare_syntax *syntax = &reader->syntax;
    uint32_t parent = syntax->nodes[node].parent;
    return parent != PARE_NO_NODE && pare_syntax_is(syntax, parent, PARE_ROLE_FUNCTION) &&
           pare_syntax_matches(syntax, node, syntax->nodes[parent].kind->body);
}

/* Whether the value at `node` is a call of a name with a literal or nothing: `require('m')`, `require_m()`. */
static bool is_loaded(const pare_outline_reader *reader, uint32_t node)
{
    const pare_syntax *syntax = &reader->syntax;
    if (!pare_syntax_is(syntax, node, PARE_ROLE_CALL)) return false;
    const pare_syntax_kind *kind = syntax->nodes[node].kind;
    const uint32_t called = pare_syntax_child(syntax, node, kind->object);
    const uint32_t list = pare_syntax_child(syntax, node, kind->list);
    if (called == PARE_NO_NODE || list == PARE_NO_NODE || !syntax->nodes[called].leaf) return false;
    const uint32_t first = pare_syntax_element_at(syntax, list, 0);
    return first == PARE_NO_NODE || marks_of(reader, first) & PARE_MARK_QUOTED;
}

/* Whether the statement gives a name to a function or a class, or, as modules of bundles do, to another module. */
static bool gives_name(const pare_outline_reader *reader, uint32_t statement)
{
    const pare_syntax *syntax = &reader->syntax;
    uint32_t core = pare_outline_syntax_core(reader, statement);
    uint32_t end = syntax->nodes[core].after;
    if (!pare_syntax_is(syntax, core, PARE_ROLE_DECLARES | PARE_ROLE_ASSIGNS | PARE_ROLE_HOLDER))
        return false;
    /* Of several in one statement any counts; they stand near its start. */
    for (uint32_t i = core; i < end; i++)
        if (pare_syntax_is(syntax, i, PARE_ROLE_FUNCTION) ||
            marks_of(reader, i) & (PARE_MARK_MEMBERS | PARE_MARK_FILLED) || is_loaded(reader, i))
            return true;
    return false;
}

/* Whether the function is called where it stands: `(function () { .. })()`, `!function () { .. }.call(this)`. */
static bool is_called_there(const pare_outline_reader *reader, uint32_t function)
{
    const pare_syntax *syntax = &reader->syntax;
    uint32_t node = function, parent = syntax->nodes[node].parent;
    while (parent != PARE_NO_NODE && !syntax->nodes[parent].leaf &&
           !(syntax->nodes[parent].kind->roles & (PARE_ROLE_CALL | PARE_ROLE_ACCESS)) &&
           pare_syntax_only_element(syntax, parent) == node) {
        node = parent; /* in parentheses */
        parent = syntax->nodes[node].parent;
    }
    if (parent != PARE_NO_NODE && pare_syntax_is(syntax, parent, PARE_ROLE_ACCESS) &&
        !pare_syntax_is(syntax, parent, PARE_ROLE_CALL) &&
        pare_syntax_child(syntax, parent, syntax->nodes[parent].kind->object) == node) {
        node = parent;
        parent = syntax->nodes[node].parent;
    }
    return parent != PARE_NO_NODE && pare_syntax_is(syntax, parent, PARE_ROLE_CALL) &&
           pare_syntax_child(syntax, parent, syntax->nodes[parent].kind->object) == node;
}

/* Of the statements of the block, how many give a name to a function or a module; OPEN_PARTS at most. */
static unsigned count_parts(const pare_outline_reader *reader, uint32_t block)
{
    unsigned n = 0;
    uint32_t child = pare_syntax_first(&reader->syntax, block);
    for (; child != PARE_NO_NODE && n < OPEN_PARTS;
         child = pare_syntax_next(&reader->syntax, child))
        n += gives_name(reader, child);
    return n;
}

/* Whether statements in the body are nodes: it is large and has several parts, or a function has
 * that is called in it, as of a library that is wrapped once more.  Functions that are not
 * called where they stand are stepped over, so a body is looked through once for each function
 * that it is in, and is called there. */
static bool is_opened(const pare_outline_reader *reader, uint32_t body)
{
    const pare_syntax *syntax = &reader->syntax;
    if (!(marks_of(reader, body) & PARE_MARK_OPENS) || size_of(reader, body) < OPEN_BYTES)
        return false;
    if (count_parts(reader, body) >= OPEN_PARTS) return true;
    for (uint32_t i = body + 1; i < syntax->nodes[body].after;) {
        const bool function = pare_syntax_is(syntax, i, PARE_ROLE_FUNCTION);
        if (function && !is_called_there(reader, i)) {
            i = syntax->nodes[i].after;
            continue;
        }
        const uint32_t block =
            function ? pare_syntax_child(syntax, i, syntax->nodes[i].kind->body) : PARE_NO_NODE;
        if (block != PARE_NO_NODE && marks_of(reader, block) & PARE_MARK_OPENS &&
            count_parts(reader, block) >= OPEN_PARTS)
            return true;
        i++;
    }
    return false;
}

/* Adds the body of a function as a node, if that is worth it, and sets what its children are:
 *
 *     small, or in what is closed      no node
 *     an ordinary function             a node, in which nothing is one, but pieces where there is a compiler
 *     opened, or run at once           a node, whose statements are items
 *
 * An opened body that is most of the text is the wrapper of a whole program: it and what it is
 * in always stay. */
static pare_status add_body(struct walk *walk, uint32_t node, unsigned *state)
{
    pare_outline_reader *reader = walk->reader;
    bool code = marks_of(reader, node) & PARE_MARK_CODE, closed = *state & CLOSED;
    size_t least = strlen(reader->table->no_body) + BODY_BYTES;
    *state |= CLOSED | CODE;
    if (closed || !code || size_of(reader, node) < least) return PARE_OK;
    /* What is run at once at the level of the program, by itself or in a list, is a part of that. */
    const bool part = !(*state & LOCAL) && marks_of(reader, node) & PARE_MARK_OPENS &&
                      pare_syntax_element_at(&reader->syntax, node, 1) != PARE_NO_NODE &&
                      is_called_there(reader, reader->syntax.nodes[node].parent);
    if (!part && !is_opened(reader, node)) {
        /* Of a program that is run, deletions remove as much without (docs/lab/dependency.md). */
        bool pieces = !reader->table->runs && size_of(reader, 0) <= MOST_PIECED_BYTES;
        if (pieces) *state |= PIECES;
        return add_node(walk, node, node, PARE_OUTLINE_BODY);
    }
    /* What is wrapped in a function as a whole is a file. */
    bool whole = size_of(reader, node) > size_of(reader, 0) / 2;
    uint32_t owner = reader->owner[node];
    const bool at_once = part || is_called_there(reader, reader->syntax.nodes[node].parent);
    *state = LIST_ITEMS | (whole || part ? 0 : LOCAL);
    if (whole && owner != PARE_NO_NODE) reader->outline->nodes[owner].roles |= PARE_OUTLINE_FORCED;
    return add_node(walk, node, node,
                    PARE_OUTLINE_BODY | (whole || at_once ? PARE_OUTLINE_FORCED : 0));
}

/* --- the walk ----------------------------------------------------------------------------- */

/* Whether the list declares what other modules or prototypes are: each of these leads elsewhere. */
static bool loads(const pare_outline_reader *reader, uint32_t list)
{
    const pare_syntax *syntax = &reader->syntax;
    uint32_t child = pare_syntax_first(syntax, list);
    for (; child != PARE_NO_NODE; child = pare_syntax_next(syntax, child)) {
        if (!pare_syntax_is(syntax, child, PARE_ROLE_DECLARES)) continue;
        const char *value = syntax->nodes[child].kind->value;
        const uint32_t loaded = value ? pare_syntax_child(syntax, child, value) : PARE_NO_NODE;
        if (loaded == PARE_NO_NODE) continue;
        if (is_loaded(reader, loaded) || pare_outline_syntax_is_alias(reader, loaded)) return true;
    }
    return false;
}

/* Whether the list is a statement among items: `a(), b();`, as a minifier writes `a(); b();`.
 * Its parts are cut even where the list is small. */
static bool is_joined(const pare_outline_reader *reader, uint32_t list)
{
    const pare_syntax *syntax = &reader->syntax;
    const uint32_t parent = syntax->nodes[list].parent;
    if (!reader->table->runs || parent == PARE_NO_NODE || !parent ||
        !pare_syntax_is(syntax, list, PARE_ROLE_EXPRESSION) ||
        !pare_syntax_is(syntax, parent, PARE_ROLE_HOLDER))
        return false;
    return reader->state[syntax->nodes[parent].parent] & LIST_ITEMS;
}

/* What the children of a syntax node are, if it is no body: items, members, parts, or (0)
 * nothing that goes by itself. CLOSED ends the nodes of all that is below. */
static unsigned list_of(const pare_outline_reader *reader, uint32_t node)
{
    const pare_syntax *syntax = &reader->syntax;
    uint32_t parent = syntax->nodes[node].parent, marks = marks_of(reader, node);
    uint32_t over = parent == PARE_NO_NODE ? 0 : marks_of(reader, parent);
    bool large = size_of(reader, node) >= (reader->file ? FILE_LARGE_BYTES : LARGE_BYTES);
    if (over & (PARE_MARK_SHELL | PARE_MARK_SPREADS) && pare_syntax_matches(syntax, node, "body"))
        return LIST_ITEMS;
    if (over & PARE_MARK_FILLED && pare_syntax_matches(syntax, node, "body")) {
        uint32_t owner = reader->owner[node];
        bool own =
            owner != PARE_NO_NODE &&
            pare_outline_syntax_core(reader, pare_outline_syntax_root(reader, owner)) == parent;
        return own ? LIST_MEMBERS : CLOSED;
    }
    if (marks & PARE_MARK_WHOLE) return CLOSED;
    /* A block among items, such as a bundler's for what its program starts with, is a list of items, too. */
    const bool among = parent != PARE_NO_NODE && reader->state[parent] & LIST_ITEMS;
    if (marks & PARE_MARK_ITEMS || (marks & PARE_MARK_OPENS && among && large)) return LIST_ITEMS;
    /* The only member of an object may be found without its name: `o[Object.keys(o)[0]]`. */
    if (marks & PARE_MARK_LARGE)
        large = large && pare_syntax_element_at(syntax, node, 1) != PARE_NO_NODE;
    if (marks & PARE_MARK_MEMBERS && (large || !(marks & PARE_MARK_LARGE))) return LIST_MEMBERS;
    large = large || loads(reader, node) || is_joined(reader, node);
    return marks & PARE_MARK_PARTS && large ? LIST_PARTS : 0;
}

/* One syntax node: whether it is a node of the outline, and what its children are.  While
 * something leads (`ahead`), all up to the syntax node that it leads to is of the same node.  A
 * clause begins a node only where no list is around, which would cut otherwise. */
static pare_status visit(struct walk *walk, uint32_t node)
{
    pare_outline_reader *reader = walk->reader;
    uint32_t parent = reader->syntax.nodes[node].parent;
    unsigned above = parent == PARE_NO_NODE ? 0 : reader->state[parent];
    unsigned state = above & (CLOSED | CODE | LOCAL | PIECES);
    pare_status status = PARE_OK;
    reader->owner[node] = parent == PARE_NO_NODE ? PARE_NO_NODE : reader->owner[parent];
    const bool open = walk->ahead == PARE_NO_NODE && !(above & (CLOSED | CODE | LISTS));
    const uint32_t end = open ? end_of_clause(reader, node) : PARE_NO_NODE;
    if (walk->ahead == node) {
        reader->owner[node] = walk->led;
        walk->ahead = PARE_NO_NODE;
        walk->clause = false;
    } else if (end != PARE_NO_NODE) {
        status = add_node(walk, node, end, 0);
        walk->clause = true;
    } else if (walk->ahead == PARE_NO_NODE && is_part(reader, node, above)) {
        uint32_t root = led_by(reader, node);
        status = add_node(walk, node, root, roles_of(reader, root, above));
    } else if (walk->ahead != PARE_NO_NODE && (above & LISTS || walk->clause)) {
        reader->owner[node] = walk->led; /* one of several that lead */
    } else if (above & PIECES && is_piece(reader, node)) {
        status = add_node(walk, node, node, PARE_OUTLINE_PIECE | PARE_OUTLINE_FORCED);
    }
    if (status) return status;
    if (parent != PARE_NO_NODE && is_body(reader, node))
        status = add_body(walk, node, &state);
    else if (!(state & CLOSED))
        state |= list_of(reader, node);
    reader->state[node] = (unsigned char)state;
    return status;
}

/* Sets where each node's descendants end, from the last node to the first: by then its children have theirs. */
static void close_nodes(pare_outline *outline)
{
    for (size_t i = outline->n_nodes; i-- > 0;) {
        const pare_outline_node *node = &outline->nodes[i];
        if (node->parent == PARE_NO_NODE) continue;
        pare_outline_node *parent = &outline->nodes[node->parent];
        if (parent->after < node->after) parent->after = node->after;
    }
}

/* Syntax nodes are in pre-order, so the state of a parent is known when its children are
 * visited. */
static pare_status read_nodes(pare_outline_reader *reader)
{
    struct walk walk = {.reader = reader, .ahead = PARE_NO_NODE};
    pare_status status = PARE_OK;
    for (uint32_t i = 0; !status && i < reader->syntax.n; i++)
        status = visit(&walk, i);
    if (!status) close_nodes(reader->outline);
    return status;
}

/* --- all ------------------------------------------------------------------------------------ */

/* Ends the reading of nodes and names. */
static void reader_done(pare_outline_reader *reader)
{
    pare_alloc_free(reader->kinds);
    pare_alloc_free(reader->owner);
    pare_alloc_free(reader->state);
    pare_alloc_free(reader->returns);
    pare_alloc_free(reader->roots);
    pare_bindings_done(&reader->names);
    pare_syntax_done(&reader->syntax);
}

/* Reads the nodes of the view into reader->outline, and the bindings of its names.  Of an
 * outline of several files the reader's own nodes are first .. end-1.  *known is false where the
 * language has no table, or the view no tree.  The reader is to be given to reader_done in any
 * case. */
static pare_status reader_open(pare_outline_reader *reader, const pare_pass_view *view, bool *known)
{
    *known = pare_outline_syntax_knows(view->language);
    if (!*known) return PARE_OK;
    reader->table = pare_outline_table_find(view->language);
    pare_status status = pare_syntax_make(view, known, &reader->syntax, reader->err);
    if (status || !*known) return status;
    size_t n = reader->syntax.n;
    reader->first = (uint32_t)reader->outline->n_nodes;
    for (uint32_t i = 0; i < n; i++)
        if (!reader->syntax.nodes[i].punctuation && reader->syntax.nodes[i].symbol < UINT16_MAX &&
            reader->syntax.nodes[i].symbol >= reader->n_kinds)
            reader->n_kinds = reader->syntax.nodes[i].symbol + 1;
    reader->kinds = pare_alloc_zero(reader->n_kinds, sizeof *reader->kinds);
    reader->owner = pare_alloc(n, sizeof *reader->owner);
    reader->state = pare_alloc_zero(n, 1);
    reader->returns = pare_alloc_zero(n, 1);
    if (!reader->kinds || !reader->owner || !reader->state || !reader->returns)
        return pare_fail_nomem(reader->err);
    find_returns(reader);
    status = pare_bindings_make(&reader->syntax, &reader->names, reader->err);
    if (!status) status = read_nodes(reader);
    reader->end = (uint32_t)reader->outline->n_nodes;
    return status;
}

/* All steps for one file. */
static pare_status name_all(pare_outline_reader *reader)
{
    pare_outline_namer *namer = NULL;
    pare_status status = pare_outline_syntax_names_new(reader, &namer);
    if (!status) status = pare_outline_syntax_names_declare(namer);
    if (!status) status = pare_outline_syntax_names_tie(namer);
    if (!status) {
        pare_outline_syntax_names_sort(reader->outline);
        pare_outline_syntax_names_settle(namer);
        status = pare_outline_syntax_fulfils_tie(reader);
    }
    if (!status) {
        status = pare_outline_syntax_names_use(namer);
        pare_outline_syntax_names_sort(reader->outline); /* variables are names, too */
    }
    pare_outline_syntax_names_free(namer);
    return status;
}

bool pare_outline_syntax_knows(const char *language)
{
    return language && pare_outline_table_find(language) && pare_syntax_table_find(language);
}

/* The only space is the global one: names that have scopes are told apart by words of their own. */
pare_status pare_outline_syntax(const pare_pass_view *view, bool *known, pare_outline *out,
                                pare_error *err)
{
    pare_outline_reader reader = {.outline = out, .err = err};
    uint32_t space;
    pare_status status = reader_open(&reader, view, known);
    if (!status && *known) {
        out->no_body = reader.table->no_body;
        out->runs = reader.table->runs;
        status = pare_outline_add_space(out, 0, PARE_NO_WORD, &space, err);
        if (!status) status = name_all(&reader);
        assert(status || pare_outline_check(out));
    }
    reader_done(&reader);
    return status;
}

/* --- several files ------------------------------------------------------------------------ */

struct pare_outline_part {
    pare_outline_file file;
    pare_outline_reader reader;
    pare_outline_namer *namer; /* owned */
};

/* Whether something of the language must not be empty: what stays in its place is the outline's. */
static bool fills(const pare_outline_table *table)
{
    for (size_t i = 0; i < table->n_kinds; i++)
        if (table->kinds[i].marks & PARE_MARK_FILLED) return true;
    return false;
}

/* Bodies keep what stays in their places themselves (place_in_file). */
pare_status pare_outline_part_open(const pare_outline_file *file, pare_outline *outline,
                                   bool *known, pare_outline_part **out, pare_error *err)
{
    pare_outline_part *part = pare_alloc_zero(1, sizeof *part);
    if (!part) return pare_fail_nomem(err);
    part->file = *file;
    part->reader = (pare_outline_reader){.outline = outline, .file = &part->file, .err = err};
    pare_status status = reader_open(&part->reader, file->view, known);
    if (!status && *known) status = pare_outline_syntax_names_new(&part->reader, &part->namer);
    if (status || !*known) {
        pare_outline_part_close(part);
        return status;
    }
    if (!outline->no_body || fills(part->reader.table))
        outline->no_body = part->reader.table->no_body;
    outline->checked = outline->checked || !part->reader.table->runs;
    *out = part;
    return PARE_OK;
}

pare_status pare_outline_part_declare(pare_outline_part *part, pare_error *err)
{
    part->reader.err = err;
    return pare_outline_syntax_names_declare(part->namer);
}

pare_status pare_outline_part_tie(pare_outline_part *part, pare_error *err)
{
    part->reader.err = err;
    return pare_outline_syntax_names_tie(part->namer);
}

pare_status pare_outline_part_settle(pare_outline_part *part, pare_error *err)
{
    part->reader.err = err;
    pare_outline_syntax_names_settle(part->namer);
    return pare_outline_syntax_fulfils_tie(&part->reader);
}

pare_status pare_outline_part_use(pare_outline_part *part, pare_error *err)
{
    part->reader.err = err;
    return pare_outline_syntax_names_use(part->namer);
}

void pare_outline_part_close(pare_outline_part *part)
{
    if (!part) return;
    pare_outline_syntax_names_free(part->namer);
    reader_done(&part->reader);
    pare_alloc_free(part);
}
