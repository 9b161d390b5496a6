/* The bridge to tree-sitter: memory, loading, and one walk with a cursor.
 *
 * The walk keeps no stack: the node being filled knows its parent.  `covered` is the
 * end of the last leaf; when a node begins or ends after it, the stretch between is
 * white space, or it becomes a leaf of its own.  So the walk emits leaves that follow
 * one another and leave out white space only, whatever the tree looked like.
 *
 * Memory: all that tree-sitter allocates goes when the parse ends, finished or left by a jump
 * (parse/tree_sitter_memory.h).
 *
 * Cost: O(nodes + bytes) for the walk, which is small beside the parse itself.  Why a copy of
 * the tree at all: reducers need indices that stay, parents that are found in O(1), and one
 * kind of tree for all parsers.
 *
 * Source: tree-sitter's documentation ("Using Parsers"); its allocator's contract is what its
 * lib/src/alloc.h says. */
#include "parse/tree_sitter.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "base/interrupt.h"
#include "base/vector.h"
#include "parse/tree_sitter_memory.h"

#ifdef PARE_HAVE_TREE_SITTER

#include <dlfcn.h>
#include <setjmp.h>
#include <stdint.h>
#include <tree_sitter/api.h>

/* --- languages -------------------------------------------------------------------- */

struct pare_tree_sitter {
    void *object; /* owned; of dlopen */
    const TSLanguage *language;
};

bool pare_tree_sitter_available(void)
{
    return true;
}

bool pare_tree_sitter_takes(unsigned abi)
{
    return abi >= TREE_SITTER_MIN_COMPATIBLE_LANGUAGE_VERSION &&
           abi <= TREE_SITTER_LANGUAGE_VERSION;
}

/* Calls the function that tree-sitter's generator names after the language, and checks that
 * the version of what it returns fits this build.  The shared object is code of others that
 * runs in our process, which is why a language is checked by its digest when it is added
 * (lang/). */
static pare_status find_language(pare_tree_sitter *self, const char *path, const char *symbol,
                                 pare_error *err)
{
    const TSLanguage *(*give)(void) = NULL;
    void *address = dlsym(self->object, symbol);
    if (!address) return pare_fail(err, PARE_E_CORRUPT, "%s: has no function %s", path, symbol);
    /* POSIX lets a function's address travel as a pointer to an object. */
    memcpy(&give, &address, sizeof give);
    /* The one function of a package that is ever called. */
    self->language = give();
    uint32_t abi = ts_language_abi_version(self->language);
    if (!pare_tree_sitter_takes(abi))
        return pare_fail(err, PARE_E_UNSUPPORTED,
                         "%s: has version %u, but this build supports %d to %d", path, abi,
                         TREE_SITTER_MIN_COMPATIBLE_LANGUAGE_VERSION, TREE_SITTER_LANGUAGE_VERSION);
    return PARE_OK;
}

pare_status pare_tree_sitter_open(const char *path, const char *symbol, pare_tree_sitter **out,
                                  pare_error *err)
{
    pare_tree_sitter_memory_use();
    pare_tree_sitter *self = pare_alloc_zero(1, sizeof *self);
    if (!self) return pare_fail_nomem(err);
    pare_status status = PARE_OK;
    /* RTLD_NOW: a missing symbol must show here, not in the middle of a parse. */
    self->object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!self->object) {
        const char *reason = dlerror();
        status = pare_fail(err, PARE_E_IO, "cannot load a language: %s", reason ? reason : path);
    }
    if (status == PARE_OK) status = find_language(self, path, symbol, err);
    if (status == PARE_OK)
        *out = self;
    else
        pare_tree_sitter_close(self);
    return status;
}

void pare_tree_sitter_close(pare_tree_sitter *language)
{
    if (!language) return;
    if (language->object) (void)dlclose(language->object);
    pare_alloc_free(language);
}

unsigned pare_tree_sitter_abi(const pare_tree_sitter *language)
{
    return ts_language_abi_version(language->language);
}

uint32_t pare_tree_sitter_n_symbols(const pare_tree_sitter *language)
{
    return ts_language_symbol_count(language->language);
}

bool pare_tree_sitter_is_named(const pare_tree_sitter *language, uint32_t symbol)
{
    return ts_language_symbol_type(language->language, (TSSymbol)symbol) == TSSymbolTypeRegular;
}

/* PARE_TREE_SITTER_TEXT is ours: text that the grammar gives no node. */
static const char *symbol_name(const void *language, uint32_t symbol)
{
    if (symbol == PARE_TREE_SITTER_TEXT) return "text";
    const char *name = ts_language_symbol_name(language, (TSSymbol)symbol);
    return name ? name : "?";
}

/* "" for a field that there is not. */
static const char *field_name(const void *language, uint32_t field)
{
    const char *name = ts_language_field_name_for_id(language, (TSFieldId)field);
    return name ? name : "";
}

/* Whether a symbol is a rule of the grammar, rather than a text such as "+" or what we add
 * ourselves. */
static bool is_named(const void *language, uint32_t symbol)
{
    return symbol != PARE_TREE_SITTER_TEXT &&
           ts_language_symbol_type(language, (TSSymbol)symbol) == TSSymbolTypeRegular;
}

pare_symbol_names pare_tree_sitter_names(const pare_tree_sitter *language)
{
    return (pare_symbol_names){.rule = symbol_name,
                               .token = symbol_name,
                               .language = language->language,
                               .field = field_name,
                               .is_named = is_named};
}

/* --- the walk --------------------------------------------------------------------- */

/* One walk over a tree of tree-sitter's, which becomes ours.  `parent` and `covered` are all
 * the state there is between two steps of the cursor. */
struct walk {
    const char *bytes;
    size_t size;
    const pare_tree_sitter *language;
    pare_parse_tree tree; /* being built */
    size_t capacity;
    uint32_t parent;  /* node whose children come next */
    uint32_t covered; /* end of the last leaf */
    pare_error *err;
};

/* Appends a node, as a leaf; the caller may open it.  `after` is right for a leaf; close_node
 * sets it for the others. */
static pare_status add_node(struct walk *walk, pare_node_kind kind, uint32_t symbol, uint32_t begin,
                            uint32_t end)
{
    pare_parse_tree *tree = &walk->tree;
    if (tree->n_nodes >= PARE_NO_NODE - 1)
        return pare_fail(walk->err, PARE_E_LIMIT, "the tree has more than 2^32 nodes");
    pare_parse_node *nodes =
        pare_vector_grow(tree->nodes, tree->n_nodes, &walk->capacity, sizeof *nodes);
    if (!nodes) return pare_fail_nomem(walk->err);
    tree->nodes = nodes;
    uint32_t index = (uint32_t)tree->n_nodes++;
    nodes[index] = (pare_parse_node){.kind = (uint16_t)kind,
                                     .symbol = symbol,
                                     .begin = begin,
                                     .end = end,
                                     .after = index + 1,
                                     .parent = walk->parent};
    return PARE_OK;
}

/* The same bytes for every language: what is blank to a grammar may be more, and is then a
 * token of it. */
static bool is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Makes a leaf of what lies between the last leaf and `to`, if that is more than white space.
 * Within an error it is opaque, elsewhere a text that the grammar gives no node. */
static pare_status fill(struct walk *walk, uint32_t to)
{
    uint32_t begin = walk->covered, end = to;
    while (begin < end && is_space(walk->bytes[begin]))
        begin++;
    while (begin < end && is_space(walk->bytes[end - 1]))
        end--;
    if (begin >= end) return PARE_OK;
    /* Tree-sitter leaves out of an error's children what it skipped. */
    bool in_error = walk->parent != PARE_NO_NODE &&
                    walk->tree.nodes[walk->parent].symbol == PARE_TREE_SITTER_ERROR;
    pare_status status =
        add_node(walk, in_error ? PARE_NODE_OPAQUE : PARE_NODE_TOKEN,
                 in_error ? PARE_TREE_SITTER_ERROR : PARE_TREE_SITTER_TEXT, begin, end);
    if (status == PARE_OK) walk->covered = end;
    return status;
}

/* Makes the node that was added last the parent of those that follow. */
static void open_node(struct walk *walk)
{
    assert(walk->tree.n_nodes > 0);
    walk->parent = (uint32_t)walk->tree.n_nodes - 1;
}

/* Ends the list of children of walk->parent, which reaches up to `end` by tree-sitter's count.
 * Its limits become those of its leaves, which all stand after it in the array.  A node
 * without leaves ends where it begins. */
static pare_status close_node(struct walk *walk, uint32_t end)
{
    pare_status status = fill(walk, end);
    if (status != PARE_OK) return status;
    assert(walk->parent < walk->tree.n_nodes && "a node is open");
    pare_parse_node *node = &walk->tree.nodes[walk->parent];
    node->after = (uint32_t)walk->tree.n_nodes;
    node->end = node->begin > walk->covered ? node->begin : walk->covered;
    walk->parent = node->parent;
    return PARE_OK;
}

/* Counts an error, and remembers the first: its place and what is unexpected or missing there.
 * The place is counted from the beginning of the text, O(bytes), once for each text. */
static pare_status note_error(struct walk *walk, TSNode node, bool missing)
{
    enum { SHOWN_BYTES = 40 };
    pare_parse_error *error = &walk->tree.error;
    uint32_t begin = ts_node_start_byte(node), end = ts_node_end_byte(node);
    walk->tree.n_errors++;
    if (error->any) return PARE_OK;
    *error = (pare_parse_error){.any = true, .line = 1, .begin = begin};
    /* Counted once for each text, since only the first error has a place. */
    for (uint32_t i = 0; i < begin; i++) {
        if (walk->bytes[i] == '\n') {
            error->line++;
            error->column = 0;
        } else if (((unsigned char)walk->bytes[i] & 0xc0) != 0x80) {
            error->column++;
        }
    }
    const char *text = walk->bytes + begin;
    const char *name = symbol_name(walk->language->language, ts_node_symbol(node));
    size_t length = 0;
    /* Up to the end of the line: a message is one line. */
    while (begin + length < end && length < SHOWN_BYTES && (unsigned char)text[length] >= ' ')
        length++;
    pare_buffer message = {0};
    pare_status status =
        missing ? pare_buffer_format(&message, walk->err, "missing '%s'", name)
                : pare_buffer_format(&message, walk->err, "unexpected '%.*s'%s", (int)length, text,
                                     begin + length < end ? "..." : "");
    error->message = message.data;
    return status;
}

/* Adds the cursor's node, with what lies before it; *inner says whether it has children, which
 * come next.  Returns before anything is added for a missing token: a node without bytes could
 * not be removed by a reducer, and would be counted as a leaf. */
static pare_status enter(struct walk *walk, const TSTreeCursor *cursor, bool *inner)
{
    TSNode node = ts_tree_cursor_current_node(cursor);
    uint32_t begin = ts_node_start_byte(node), end = ts_node_end_byte(node);
    uint32_t symbol = ts_node_symbol(node);
    bool missing = ts_node_is_missing(node), bad = symbol == PARE_TREE_SITTER_ERROR;
    *inner = ts_node_child_count(node) > 0;
    pare_status status = missing || bad ? note_error(walk, node, missing) : PARE_OK;
    if (status != PARE_OK) return status;
    /* A token that is missing has no text, and would be a leaf that covers nothing. */
    if (missing || (bad && !*inner && begin == end)) return PARE_OK;
    /* Text between the previous leaf and this node becomes a leaf of its own, unless it is
     * blank. */
    status = fill(walk, begin);
    if (status != PARE_OK) return status;
    pare_node_kind kind = bad ? PARE_NODE_OPAQUE : PARE_NODE_TOKEN;
    /* A node without children or text is an empty rule: a leaf covers bytes. */
    if (*inner || begin == end) kind = PARE_NODE_RULE;
    status = add_node(walk, kind, symbol, begin, end);
    if (status == PARE_OK)
        walk->tree.nodes[walk->tree.n_nodes - 1].field = ts_tree_cursor_current_field_id(cursor);
    if (status == PARE_OK && *inner) open_node(walk);
    if (status == PARE_OK && !*inner && end > walk->covered) walk->covered = end;
    return status;
}

/* Moves the cursor to the next node that is not below its own, and closes what ends on the
 * way; *more says whether there is one. */
static pare_status advance(struct walk *walk, TSTreeCursor *cursor, bool *more)
{
    *more = false;
    while (!ts_tree_cursor_goto_next_sibling(cursor)) {
        /* The cursor came back to the root: there is nothing more. */
        if (!ts_tree_cursor_goto_parent(cursor)) return PARE_OK;
        TSNode node = ts_tree_cursor_current_node(cursor);
        pare_status status = close_node(walk, ts_node_end_byte(node));
        if (status != PARE_OK) return status;
    }
    *more = true;
    return PARE_OK;
}

/* Adds all nodes below the cursor's, which is the root, and open. */
static pare_status walk_nodes(struct walk *walk, TSTreeCursor *cursor)
{
    bool more = ts_tree_cursor_goto_first_child(cursor);
    pare_status status = PARE_OK;
    while (status == PARE_OK && more) {
        bool inner = false;
        if (pare_interrupt_asked_at(walk->tree.n_nodes)) break;
        status = enter(walk, cursor, &inner);
        if (status != PARE_OK) break;
        if (inner)
            more = ts_tree_cursor_goto_first_child(cursor);
        else
            status = advance(walk, cursor, &more);
    }
    return status;
}

/* Lets each rule begin where its first leaf does.  It goes backwards, since children come
 * after their parents and must be right first. */
static void trim(pare_parse_tree *tree)
{
    for (size_t i = tree->n_nodes; i-- > 0 && !pare_interrupt_asked_at(i);) {
        pare_parse_node *node = &tree->nodes[i];
        if (node->kind != PARE_NODE_RULE || node->after == i + 1) continue;
        uint32_t child = (uint32_t)i + 1;
        /* An empty rule at the front does not tell where the text begins. */
        while (child < node->after && tree->nodes[child].begin == tree->nodes[child].end)
            child = tree->nodes[child].after;
        if (child < node->after)
            node->begin = tree->nodes[child].begin;
        else
            node->end = node->begin;
    }
}

/* Puts rules without text to where their parent is, which trimming has moved. */
static void clamp(pare_parse_tree *tree)
{
    for (size_t i = 1; i < tree->n_nodes && !pare_interrupt_asked_at(i); i++) {
        pare_parse_node *node = &tree->nodes[i];
        const pare_parse_node *parent = &tree->nodes[node->parent];
        if (node->begin != node->end) continue;
        if (node->begin < parent->begin) node->begin = parent->begin;
        if (node->begin > parent->end) node->begin = parent->end;
        node->end = node->begin;
    }
}

/* Makes the whole tree.  The root covers all the text but the white space around it, and is
 * never a leaf. */
static pare_status walk_tree(struct walk *walk, TSNode root)
{
    TSTreeCursor cursor = ts_tree_cursor_new(root);
    uint32_t symbol = ts_node_symbol(root);
    walk->parent = PARE_NO_NODE;
    pare_status status = PARE_OK;
    if (symbol == PARE_TREE_SITTER_ERROR) status = note_error(walk, root, false);
    if (status == PARE_OK) status = add_node(walk, PARE_NODE_RULE, symbol, 0, 0);
    /* The cursor's memory, as all of tree-sitter's, goes with the parse. */
    if (status != PARE_OK) return status;
    open_node(walk);
    status = walk_nodes(walk, &cursor);
    /* The walk closed the root when it came back to it, unless it has no children. */
    walk->parent = 0;
    if (status == PARE_OK) status = close_node(walk, (uint32_t)walk->size);
    if (status == PARE_OK) {
        trim(&walk->tree);
        clamp(&walk->tree);
    }
    if (status == PARE_OK) status = pare_interrupt_look(walk->err);
    ts_tree_cursor_delete(&cursor);
    return status;
}

/* Text from `at` on, as much as is read between two looks at whether the parse is still wanted: a
 * token may be as long as the text, and nothing is allocated for it. */
static const char *read_text(void *context, uint32_t at, TSPoint place, uint32_t *size)
{
    enum { MOST = 1 << 18 };
    const struct walk *walk = context;
    (void)place;
    const size_t rest = at < walk->size ? walk->size - at : 0;
    *size = (uint32_t)(rest < MOST ? rest : MOST);
    pare_tree_sitter_memory_look();
    return walk->bytes + (walk->size - rest);
}

/* Reads the text through a callback, since `walk` also counts on being asked: a parse that is not
 * wanted any more is left there. */
static TSInput input_of(struct walk *walk)
{
    return (TSInput){.payload = walk, .read = read_text, .encoding = TSInputEncodingUTF8};
}

/* Parses and walks, under setjmp: an allocation that fails inside tree-sitter comes back to
 * parse_in by a jump, and what it has allocated is freed with the parse. */
static pare_status parse_and_walk(struct walk *walk)
{
    TSParser *parser = ts_parser_new();
    TSTree *tree = NULL;
    pare_status status = PARE_OK;
    if (!ts_parser_set_language(parser, walk->language->language))
        status = pare_fail(walk->err, PARE_E_UNSUPPORTED, "the language does not fit this build");
    if (status == PARE_OK) tree = ts_parser_parse(parser, NULL, input_of(walk));
    if (status == PARE_OK && !tree)
        status = pare_fail(walk->err, PARE_E_STATE, "tree-sitter gave no tree");
    if (status == PARE_OK) status = walk_tree(walk, ts_tree_root_node(tree));
    if (tree) ts_tree_delete(tree);
    ts_parser_delete(parser);
    return status;
}

/* The part that a jump leaves: nothing here may need cleaning up. */
static pare_status parse_in(pare_tree_sitter_memory *memory, struct walk *walk)
{
    if (setjmp(memory->out_of_memory)) {
        const pare_status status = pare_interrupt_look(walk->err);
        return status ? status : pare_fail_nomem(walk->err);
    }
    return parse_and_walk(walk);
}

pare_status pare_tree_sitter_parse(const pare_tree_sitter *language, const char *bytes, size_t size,
                                   pare_parse_tree *tree, pare_error *err)
{
    pare_tree_sitter_memory memory;
    struct walk walk = {
        .bytes = bytes ? bytes : "", .size = size, .language = language, .err = err};
    /* Offsets are 32 bits, and the largest one means none. */
    if (size >= PARE_NO_NODE)
        return pare_fail(err, PARE_E_LIMIT, "the text has 4 GiB or more: too much for a tree");
    pare_tree_sitter_memory_begin(&memory);
    pare_status status = parse_in(&memory, &walk);
    pare_tree_sitter_memory_end(&memory);
    walk.tree.size_bytes = (uint32_t)size;
    walk.tree.names = pare_tree_sitter_names(language);
    if (status == PARE_OK)
        *tree = walk.tree;
    else
        pare_parse_tree_done(&walk.tree);
    return status;
}

#else /* without the core */

/* The error of every function if tree-sitter was not found when pare was built. */
static pare_status absent(pare_error *err)
{
    return pare_fail(err, PARE_E_UNSUPPORTED,
                     "this pare was built without tree-sitter, which languages need: build it "
                     "again after scripts/bootstrap.sh run, or give it a grammar");
}

bool pare_tree_sitter_available(void)
{
    return false;
}

bool pare_tree_sitter_takes(unsigned abi)
{
    (void)abi;
    return true; /* it is not the version that is wrong */
}

pare_status pare_tree_sitter_open(const char *path, const char *symbol, pare_tree_sitter **out,
                                  pare_error *err)
{
    (void)path;
    (void)symbol;
    (void)out;
    return absent(err);
}

void pare_tree_sitter_close(pare_tree_sitter *language)
{
    (void)language;
}

unsigned pare_tree_sitter_abi(const pare_tree_sitter *language)
{
    (void)language;
    return 0;
}

uint32_t pare_tree_sitter_n_symbols(const pare_tree_sitter *language)
{
    (void)language;
    return 0;
}

bool pare_tree_sitter_is_named(const pare_tree_sitter *language, uint32_t symbol)
{
    (void)language;
    (void)symbol;
    return false;
}

static const char *no_name(const void *language, uint32_t symbol)
{
    (void)language;
    (void)symbol;
    return "?";
}

pare_symbol_names pare_tree_sitter_names(const pare_tree_sitter *language)
{
    (void)language;
    return (pare_symbol_names){.rule = no_name, .token = no_name};
}

pare_status pare_tree_sitter_parse(const pare_tree_sitter *language, const char *bytes, size_t size,
                                   pare_parse_tree *tree, pare_error *err)
{
    (void)language;
    (void)bytes;
    (void)size;
    (void)tree;
    return absent(err);
}

#endif
