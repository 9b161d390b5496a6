/* A tree from a file, read once, and laid over each text that is left of the input.
 *
 * Nodes of the file stand in one array in pre-order.  To make the tree of a text, the runs of bytes
 * that it has in common with the input are found once; then each node's span is looked up in them,
 * from the root down, and what is not below a child becomes tokens.  So what a reduction has put
 * in (a shorter name, say) is a token of the node around it, and a node of which nothing is left
 * is not there.
 *
 * Invariant: spans are nested, those of siblings ascend and do not overlap; in a text's tree, too,
 * since runs ascend on both sides.  In a parse tree `alternative` is 1 + the number of the node in
 * the file, 0 for tokens and for rounds that were put around an element.
 * Recursion is as deep as the file is nested, which the reader of JSON bounds at 2048 levels of
 * objects and lists.
 * Source: ours; trees of other people's parsers as in DustMite and treereduce.
 * Cost: reading O(file); a tree O(nodes * log runs) and the embedding. */
#include "reduce/syntax/given_tree.h"

#include <assert.h>
#include <string.h>

#include <jansson.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/halving.h"
#include "base/vector.h"
#include "grammar/grammar.h"
#include "grammar/name_index.h"
#include "text/embed.h"
#include "text/split/split.h"

enum {
    TOKENS = 0,               /* kind of what stands beside the children */
    FIRST_SET = 1 << 24,      /* number of the first set, after all kinds */
    MAX_BYTES = INT32_MAX,    /* of the input */
    BUDGET = 50 * 1000 * 1000 /* of an embedding */
};

/* A node of the file. */
struct given {
    uint32_t begin, end; /* bytes of the input */
    uint32_t after;      /* first node that is not below */
    uint32_t kind;       /* a name */
    uint32_t set;        /* kinds that may stand in its place; PARE_NO_INDEX: its own alone */
    uint32_t as;         /* pare_node_kind: RULE, STAR, PLUS */
    bool optional;
    const char *shortest; /* text that may stand for it; NULL: none is known */
    size_t shortest_size;
};

/* Kinds first .. first+n-1 of `members`. */
struct set {
    uint32_t first, n;
};

struct pare_given_tree {
    char *path; /* owned, as all */
    struct given *nodes;
    size_t n, capacity;
    const char **kinds; /* texts of the arena */
    size_t n_kinds, kinds_capacity;
    pare_name_index numbers; /* of the kinds */
    struct set *sets;
    size_t n_sets, sets_capacity;
    pare_name_index classes; /* sets by name */
    uint32_t *members;
    size_t n_members, members_capacity;
    pare_arena texts;
    char *input; /* NULL: not known yet */
    size_t input_bytes;
};

void pare_given_tree_free(pare_given_tree *given)
{
    if (!given) return;
    pare_alloc_free(given->path);
    pare_alloc_free(given->nodes);
    pare_alloc_free(given->kinds);
    pare_name_index_done(&given->numbers);
    pare_alloc_free(given->sets);
    pare_name_index_done(&given->classes);
    pare_alloc_free(given->members);
    pare_arena_done(&given->texts);
    pare_alloc_free(given->input);
    pare_alloc_free(given);
}

/* --- reading ------------------------------------------------------------------------------- */

/* A sentence about node `index`, which is counted in the order of the file. Counted from 1, as
 * people count. */
static pare_status fail_at(const pare_given_tree *given, size_t index, const char *what,
                           pare_error *err)
{
    return pare_fail(err, PARE_E_SYNTAX, "%s: node %zu: %s", given->path, index + 1, what);
}

/* The number of a kind, which is a new one if need be. The text of a new kind is kept in the
 * arena, to which kinds and the index point. Cost: O(size of the name). */
static pare_status number_kind(pare_given_tree *given, const char *name, uint32_t *number,
                               pare_error *err)
{
    *number = pare_name_index_find(&given->numbers, name, strlen(name));
    if (*number != PARE_NO_INDEX) return PARE_OK;
    if (given->n_kinds == FIRST_SET)
        return pare_fail(err, PARE_E_LIMIT, "%s: there are too many kinds", given->path);
    const char **kinds =
        pare_vector_grow(given->kinds, given->n_kinds, &given->kinds_capacity, sizeof *kinds);
    char *text = pare_arena_text(&given->texts, name, strlen(name));
    if (kinds) given->kinds = kinds;
    if (!kinds || !text) return pare_fail_nomem(err);
    *number = (uint32_t)given->n_kinds;
    kinds[given->n_kinds++] = text;
    return pare_name_index_put(&given->numbers, text, strlen(text), *number, err);
}

/* A set of the kinds that a list names; anything else is not one. *number is that of the set.
 * Its kinds need not stand in the tree: they get numbers as well. */
static pare_status read_set(pare_given_tree *given, const json_t *list, uint32_t *number,
                            pare_error *err)
{
    struct set set = {.first = (uint32_t)given->n_members};
    size_t i;
    json_t *name;
    json_array_foreach(list, i, name)
    {
        uint32_t *members = pare_vector_grow(given->members, given->n_members,
                                             &given->members_capacity, sizeof *members);
        if (!members) return pare_fail_nomem(err);
        given->members = members;
        /* Room was made before it is known whether the name is a text; it stays unused then. */
        if (!json_is_string(name))
            return pare_fail(err, PARE_E_SYNTAX, "%s: a list of kinds must contain texts",
                             given->path);
        pare_status status =
            number_kind(given, json_string_value(name), &members[given->n_members], err);
        if (status) return status;
        given->n_members++;
        set.n++;
    }
    struct set *sets =
        pare_vector_grow(given->sets, given->n_sets, &given->sets_capacity, sizeof *sets);
    if (!sets) return pare_fail_nomem(err);
    given->sets = sets;
    sets[ *number = (uint32_t)given->n_sets++] = set;
    return PARE_OK;
}

/* "classes" of the file: sets by name. They are read before the nodes, which name them. NULL is
 * an object without classes. */
static pare_status read_classes(pare_given_tree *given, const json_t *classes, pare_error *err)
{
    const char *name;
    json_t *list;
    pare_status status = PARE_OK;
    if (classes && !json_is_object(classes))
        return pare_fail(err, PARE_E_SYNTAX, "%s: \"classes\" must be an object of lists of kinds",
                         given->path);
    json_object_foreach((json_t *)classes, name, list)
    {
        uint32_t number = 0;
        const char *text = pare_arena_text(&given->texts, name, strlen(name));
        if (status) break;
        if (!json_is_array(list))
            status = pare_fail(err, PARE_E_SYNTAX, "%s: class '%s' is not a list of kinds",
                               given->path, name);
        if (!status) status = text ? read_set(given, list, &number, err) : pare_fail_nomem(err);
        if (!status) status = pare_name_index_put(&given->classes, text, strlen(text), number, err);
    }
    return status;
}

/* "replaceable_by": a class's name, or a list of kinds. Without it only nodes of its own kind
 * may stand in the place of the node. */
static pare_status read_replacements(pare_given_tree *given, size_t index, const json_t *by,
                                     pare_error *err)
{
    uint32_t set = PARE_NO_INDEX;
    pare_status status = PARE_OK;
    if (!by) return PARE_OK;
    if (json_is_string(by)) {
        set = pare_name_index_find(&given->classes, json_string_value(by), json_string_length(by));
        if (set == PARE_NO_INDEX)
            return fail_at(given, index, "\"replaceable_by\" names no class of \"classes\"", err);
    } else if (json_is_array(by)) {
        status = read_set(given, by, &set, err);
    } else {
        return fail_at(given, index, "\"replaceable_by\" is a class's name or a list of kinds",
                       err);
    }
    if (!status) given->nodes[index].set = set;
    return status;
}

/* "optional", "list" and "shortest".
 *
 * "optional": the node may be left out. "list": its children may be, all of them ("any") or all
 * but one ("some"). "shortest": a text that may stand in its place. */
static pare_status read_freedom(pare_given_tree *given, size_t index, const json_t *object,
                                pare_error *err)
{
    struct given *node = &given->nodes[index];
    const json_t *optional = json_object_get(object, "optional");
    const json_t *list = json_object_get(object, "list");
    const json_t *shortest = json_object_get(object, "shortest");
    if (optional && !json_is_boolean(optional))
        return fail_at(given, index, "\"optional\" is true or false", err);
    node->optional = json_is_true(optional);
    const char *how = list ? json_string_value(list) : NULL;
    if (list && !(how && (strcmp(how, "any") == 0 || strcmp(how, "some") == 0)))
        return fail_at(given, index, "\"list\" is \"any\" or \"some\"", err);
    if (how) node->as = how[0] == 'a' ? PARE_NODE_STAR : PARE_NODE_PLUS;
    if (!shortest) return PARE_OK;
    if (!json_is_string(shortest)) return fail_at(given, index, "\"shortest\" is a text", err);
    node->shortest_size = json_string_length(shortest);
    node->shortest =
        pare_arena_text(&given->texts, json_string_value(shortest), node->shortest_size);
    return node->shortest ? PARE_OK : pare_fail_nomem(err);
}

/* "begin" or "end"; without it *at stays. Errors: PARE_E_SYNTAX (no number, or below 0),
 * PARE_E_LIMIT. */
static pare_status read_offset(const pare_given_tree *given, size_t index, const json_t *object,
                               const char *name, uint32_t *at, pare_error *err)
{
    const json_t *number = json_object_get(object, name);
    if (!number) return PARE_OK;
    json_int_t value = json_is_integer(number) ? json_integer_value(number) : -1;
    if (value < 0) return fail_at(given, index, "\"begin\" and \"end\" are numbers of bytes", err);
    if (value > MAX_BYTES) return pare_fail(err, PARE_E_LIMIT, "%s: it spans 2 GiB", given->path);
    *at = (uint32_t)value;
    return PARE_OK;
}

/* Appends a node of the kind that the object names. UINT32_MAX as the beginning says that it is
 * not known yet. *index is set also on failure. */
static pare_status add_node(pare_given_tree *given, const json_t *object, size_t *index,
                            pare_error *err)
{
    *index = given->n;
    const json_t *kind = json_is_object(object) ? json_object_get(object, "kind") : NULL;
    if (!json_is_object(object)) return fail_at(given, *index, "it is no object", err);
    if (!json_is_string(kind))
        return fail_at(given, *index, "its \"kind\" is missing, or is no text", err);
    struct given *nodes = pare_vector_grow(given->nodes, given->n, &given->capacity, sizeof *nodes);
    if (!nodes) return pare_fail_nomem(err);
    given->nodes = nodes;
    if (given->n >= UINT32_MAX / 4)
        return pare_fail(err, PARE_E_LIMIT, "%s: there are too many nodes", given->path);
    nodes[given->n++] =
        (struct given){.begin = UINT32_MAX, .set = PARE_NO_INDEX, .as = PARE_NODE_RULE};
    uint32_t number = 0;
    pare_status status = number_kind(given, json_string_value(kind), &number, err);
    if (!status) given->nodes[*index].kind = number;
    return status;
}

static pare_status read_node(pare_given_tree *given, const json_t *object, pare_error *err);

/* The children, each after the one before it; a span that is not said is theirs.
 *
 * A parent without a "begin" begins with its first child, one without an "end" ends with its
 * last. The array of nodes may move while a child is read, so nodes are looked up again after
 * it. */
static pare_status read_children(pare_given_tree *given, size_t index, const json_t *children,
                                 bool has_end, pare_error *err)
{
    uint32_t reached = 0;
    size_t i;
    json_t *child;
    if (children && !json_is_array(children))
        return fail_at(given, index, "\"children\" are a list", err);
    json_array_foreach(children, i, child)
    {
        const size_t at = given->n;
        pare_status status = read_node(given, child, err);
        if (status) return status;
        struct given *node = &given->nodes[index];
        const struct given *below = &given->nodes[at];
        if (node->begin == UINT32_MAX) node->begin = below->begin;
        /* Siblings ascend and lie within their parent: all else relies on it. */
        if (below->begin < node->begin || (has_end && below->end > node->end))
            return fail_at(given, at, "its span is not within its parent's", err);
        if (i && below->begin < reached)
            return fail_at(given, at, "it begins before the end of the node before it", err);
        reached = below->end;
    }
    if (!has_end) given->nodes[index].end = reached;
    return PARE_OK;
}

/* A node with all that is below it. A node without children has to say both ends of its span. */
static pare_status read_node(pare_given_tree *given, const json_t *object, pare_error *err)
{
    size_t index;
    pare_status status = add_node(given, object, &index, err);
    uint32_t begin = UINT32_MAX, end = UINT32_MAX;
    if (!status) status = read_offset(given, index, object, "begin", &begin, err);
    if (!status) status = read_offset(given, index, object, "end", &end, err);
    if (!status) status = read_freedom(given, index, object, err);
    if (!status)
        status = read_replacements(given, index, json_object_get(object, "replaceable_by"), err);
    if (status) return status;
    const json_t *children = json_object_get(object, "children");
    /* No child could say it. */
    if (!json_array_size(children) && (begin == UINT32_MAX || end == UINT32_MAX))
        return fail_at(given, index, "\"begin\" or \"end\" is missing", err);
    given->nodes[index].begin = begin;
    given->nodes[index].end = end;
    status = read_children(given, index, children, end != UINT32_MAX, err);
    struct given *node = &given->nodes[index];
    node->after = (uint32_t)given->n;
    if (!status && node->begin > node->end)
        status = fail_at(given, index, "it ends before it begins", err);
    return status;
}

/* The root is the object itself, or, beside "classes", its member "root". The kind "" is put
 * first, so that tokens have the number TOKENS. */
static pare_status read_file(pare_given_tree *given, const json_t *file, pare_error *err)
{
    const json_t *root = json_object_get(file, "root");
    uint32_t tokens;
    pare_status status = number_kind(given, "", &tokens, err);
    assert(status || tokens == TOKENS);
    if (!status) status = read_classes(given, json_object_get(file, "classes"), err);
    return status ? status : read_node(given, root ? root : file, err);
}

/* Errors of the JSON name the line, those of a node its number. On failure *out is not set. */
pare_status pare_given_tree_read(const char *path, const char *json, size_t size,
                                 pare_given_tree **out, pare_error *err)
{
    json_error_t wrong;
    pare_given_tree *given = pare_alloc_zero(1, sizeof *given);
    if (!given) return pare_fail_nomem(err);
    given->path = pare_alloc_text(path, strlen(path));
    if (!given->path) {
        pare_given_tree_free(given);
        return pare_fail_nomem(err);
    }
    json_t *file = json_loadb(json, size, JSON_REJECT_DUPLICATES, &wrong);
    pare_status status =
        file ? read_file(given, file, err)
             : pare_fail(err, PARE_E_SYNTAX, "%s:%d: %s", path, wrong.line, wrong.text);
    json_decref(file);
    if (status)
        pare_given_tree_free(given);
    else
        *out = given;
    return status;
}

/* The bytes are copied. An input that the tree does not fit is refused; one that is longer is
 * not. */
pare_status pare_given_tree_set_input(pare_given_tree *given, const char *bytes, size_t size,
                                      pare_error *err)
{
    if (given->nodes[0].end > size)
        return pare_fail(err, PARE_E_ARG,
                         "%s: it is not the tree of this input: it spans %u bytes of %zu",
                         given->path, given->nodes[0].end, size);
    char *input = pare_alloc_text(bytes, size);
    if (!input) return pare_fail_nomem(err);
    pare_alloc_free(given->input);
    given->input = input;
    given->input_bytes = size;
    return PARE_OK;
}

/* --- the tree of a text ---------------------------------------------------------------------- */

/* A tree in the making. */
struct maker {
    const pare_given_tree *given;
    const char *bytes;
    pare_separators side;
    pare_embedding left; /* of the input */
    pare_parse_node *nodes;
    size_t n, capacity;
    bool failed; /* memory is out */
};

/* Bytes of the text. */
struct stretch {
    uint32_t begin, end;
};

static bool is_blank(char byte)
{
    return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

/* How many runs end at `old_at` or before it, or, with `begins`, begin before it. Runs ascend
 * on both sides, so either question is answered by halving. */
static size_t count_runs(const pare_embedding *left, size_t old_at, bool begins)
{
    pare_halving search = {.low = 0, .high = left->n};
    while (pare_halving_next(&search)) {
        const pare_embed_run *run = &left->runs[search.middle];
        pare_halving_tell(&search,
                          begins ? run->old_at < old_at : run->old_at + run->size <= old_at);
    }
    return search.low;
}

/* Takes the blanks at both ends away; false: nothing is left. */
static bool trim(const char *bytes, struct stretch *stretch)
{
    while (stretch->begin < stretch->end && is_blank(bytes[stretch->begin]))
        stretch->begin++;
    while (stretch->begin < stretch->end && is_blank(bytes[stretch->end - 1]))
        stretch->end--;
    return stretch->begin < stretch->end;
}

/* What of a node of the file is left; false: nothing but blanks.
 *
 * The runs that touch the node are first .. end-1; of the first and the last only the part
 * within the node counts. What was put in between them belongs to it, too. */
static bool find_left(const struct maker *maker, const struct given *node, struct stretch *left)
{
    size_t first = count_runs(&maker->left, node->begin, false);
    size_t end = count_runs(&maker->left, node->end, true);
    if (first >= end) return false;
    const pare_embed_run *from = &maker->left.runs[first], *to = &maker->left.runs[end - 1];
    /* How far the node begins inside the first run, and how much of the last one it has. */
    size_t skipped = node->begin > from->old_at ? node->begin - from->old_at : 0;
    size_t taken = node->end - to->old_at < to->size ? node->end - to->old_at : to->size;
    *left = (struct stretch){(uint32_t)(from->new_at + skipped), (uint32_t)(to->new_at + taken)};
    return left->begin < left->end && trim(maker->bytes, left);
}

/* Appends a node, which may get others below it. Returns its number; 0, which is the root's,
 * once memory is out: `failed` tells. */
static size_t open_node(struct maker *maker, pare_parse_node node)
{
    pare_parse_node *nodes =
        maker->failed ? NULL
                      : pare_vector_grow(maker->nodes, maker->n, &maker->capacity, sizeof *nodes);
    if (!nodes || maker->n >= UINT32_MAX / 2) {
        maker->failed = true;
        return 0;
    }
    maker->nodes = nodes;
    nodes[maker->n] = node;
    nodes[maker->n].after = (uint32_t)maker->n + 1;
    return maker->n++;
}

/* All nodes since it was opened are below it. */
static void close_node(struct maker *maker, size_t index)
{
    if (!maker->failed) maker->nodes[index].after = (uint32_t)maker->n;
}

/* A leaf of the tree, of no node of the file. */
static void add_token(struct maker *maker, struct stretch at, uint32_t parent)
{
    (void)open_node(maker, (pare_parse_node){.kind = PARE_NODE_TOKEN,
                                             .symbol = TOKENS,
                                             .begin = at.begin,
                                             .end = at.end,
                                             .parent = parent});
}

/* Tokens of what stands between children: blanks separate them. */
static void add_tokens(struct maker *maker, struct stretch at, uint32_t parent)
{
    while (trim(maker->bytes, &at)) {
        struct stretch word = {at.begin, at.begin};
        while (word.end < at.end && !is_blank(maker->bytes[word.end]))
            word.end++;
        add_token(maker, word, parent);
        at.begin = word.end;
    }
}

static void add_given(struct maker *maker, uint32_t index, struct stretch at, uint32_t parent);

/* An element of a list: by itself, or in a round with the tokens that go with it. The round has
 * the separator: an element that goes takes its comma along. */
static void add_element(struct maker *maker, uint32_t index, struct stretch at,
                        struct stretch round, uint32_t parent)
{
    if (!trim(maker->bytes, &round) || (round.begin == at.begin && round.end == at.end)) {
        add_given(maker, index, at, parent);
        return;
    }
    size_t item = open_node(maker, (pare_parse_node){.kind = PARE_NODE_ITEM,
                                                     .symbol = maker->nodes[parent].symbol,
                                                     .begin = round.begin,
                                                     .end = round.end,
                                                     .parent = parent});
    add_tokens(maker, (struct stretch){round.begin, at.begin}, (uint32_t)item);
    add_given(maker, index, at, (uint32_t)item);
    add_tokens(maker, (struct stretch){at.end, round.end}, (uint32_t)item);
    close_node(maker, item);
}

/* The first node from `child` on, below one that ends at `end` in the file, of which something is
 * left; `end`: there is none. */
static uint32_t next_left(const struct maker *maker, uint32_t child, uint32_t end,
                          struct stretch *at)
{
    while (child < end && !find_left(maker, &maker->given->nodes[child], at))
        child = maker->given->nodes[child].after;
    return child;
}

/* What is below a node: its children, and the tokens between them.
 *
 * `whole` is what is left of the node. In a list the tokens between two elements go to the
 * round of the one or the other, as maker->side says: after the element, as "a," , or before
 * it, as ", b". */
static void add_below(struct maker *maker, uint32_t index, struct stretch whole, uint32_t parent)
{
    const struct given *nodes = maker->given->nodes;
    const uint32_t end = nodes[index].after;
    const bool is_list = nodes[index].as != PARE_NODE_RULE;
    struct stretch at, after = {0};
    uint32_t child = next_left(maker, index + 1, end, &at), next;
    uint32_t done = whole.begin; /* up to here all is below children or tokens */
    for (; child < end && !maker->failed; child = next, at = after) {
        next = next_left(maker, nodes[child].after, end, &after);
        if (!is_list) {
            add_tokens(maker, (struct stretch){done, at.begin}, parent);
            add_given(maker, child, at, parent);
            done = at.end;
            continue;
        }
        /* The round reaches to the end after the last element; else to the next one, or only
         * over its own. */
        uint32_t to = next >= end                            ? whole.end
                      : maker->side == PARE_SEPARATORS_AFTER ? after.begin
                                                             : at.end;
        add_element(maker, child, at, (struct stretch){done, to}, parent);
        done = to;
    }
    add_tokens(maker, (struct stretch){done, whole.end}, parent);
}

/* A node of the file of which `at` is left. One without children in the file is a single token. */
static void add_given(struct maker *maker, uint32_t index, struct stretch at, uint32_t parent)
{
    const struct given *node = &maker->given->nodes[index];
    size_t made = open_node(maker, (pare_parse_node){.kind = (uint16_t)node->as,
                                                     .symbol = node->kind,
                                                     .alternative = 1 + index,
                                                     .begin = at.begin,
                                                     .end = at.end,
                                                     .parent = parent});
    if (maker->failed) return;
    if (node->after == index + 1)
        add_token(maker, at, (uint32_t)made);
    else
        add_below(maker, index, at, (uint32_t)made);
    close_node(maker, made);
}

/* Finds what the text has of the input; most of it has to be from there.
 *
 * *is_left: at least half of the text is. Texts that are the input itself, which is the first
 * one, need no search. An embedding that would take too long counts as one that found nothing. */
static pare_status find_runs(struct maker *maker, size_t size, bool *is_left, pare_error *err)
{
    const pare_given_tree *given = maker->given;
    const pare_embed_task task = {.old = {(const unsigned char *)given->input, given->input_bytes},
                                  .new = {(const unsigned char *)maker->bytes, size},
                                  .splitter = pare_splitter_find("token"),
                                  .weights = PARE_EMBED_WORDS};
    uint64_t budget = BUDGET;
    size_t common = 0;
    *is_left = false;
    if (!given->input) return PARE_OK;
    if (size == given->input_bytes && memcmp(maker->bytes, given->input, size) == 0) {
        maker->left.runs = pare_alloc_zero(1, sizeof *maker->left.runs);
        if (!maker->left.runs) return pare_fail_nomem(err);
        maker->left.runs[0].size = size;
        maker->left.n = 1;
        *is_left = true;
        return PARE_OK;
    }
    pare_status status = pare_embed(&task, &budget, &maker->left, NULL);
    if (status == PARE_E_LIMIT) return PARE_OK;
    if (status) return pare_fail_nomem(err);
    for (size_t i = 0; i < maker->left.n; i++)
        common += maker->left.runs[i].size;
    *is_left = 2 * common >= size;
    return PARE_OK;
}

/* One opaque piece, and an error that says why. So the text is still reduced, but not by the
 * tree. */
static pare_status make_opaque(struct maker *maker, uint32_t size, pare_parse_error *error,
                               pare_error *err)
{
    static const char why[] = "most of it is not from the input that the tree is of";
    (void)open_node(
        maker, (pare_parse_node){.kind = PARE_NODE_OPAQUE, .end = size, .parent = PARE_NO_NODE});
    error->message = pare_alloc_text(why, strlen(why));
    error->any = true;
    error->line = 1;
    return error->message ? PARE_OK : pare_fail_nomem(err);
}

/* The root covers all of the text, whatever the file says. It has no parent, and the
 * alternative 1 of the first node. */
static void make_root(struct maker *maker, uint32_t size)
{
    const struct given *root = &maker->given->nodes[0];
    size_t made = open_node(maker, (pare_parse_node){.kind = (uint16_t)root->as,
                                                     .symbol = root->kind,
                                                     .alternative = 1,
                                                     .end = size,
                                                     .parent = PARE_NO_NODE});
    add_below(maker, 0, (struct stretch){0, size}, (uint32_t)made);
    close_node(maker, made);
}

/* Names are for people and for rules that are told by kind. */
static const char *name_of(const void *language, uint32_t symbol)
{
    const pare_given_tree *given = language;
    return symbol == TOKENS ? "token" : given->kinds[symbol];
}

/* The nodes become the tree's. On failure *tree is untouched. */
pare_status pare_given_tree_parse(const pare_given_tree *given, const char *bytes, size_t size,
                                  pare_separators side, pare_parse_tree *tree, pare_error *err)
{
    struct maker maker = {.given = given, .bytes = bytes, .side = side};
    pare_parse_error error = {.any = false};
    bool is_left = false;
    assert(size <= MAX_BYTES);
    pare_status status = find_runs(&maker, size, &is_left, err);
    if (!status && is_left) make_root(&maker, (uint32_t)size);
    if (!status && !is_left) status = make_opaque(&maker, (uint32_t)size, &error, err);
    if (!status && maker.failed) status = pare_fail_nomem(err);
    pare_embedding_done(&maker.left);
    if (status) {
        pare_alloc_free(error.message);
        pare_alloc_free(maker.nodes);
        return status;
    }
    *tree = (pare_parse_tree){.nodes = maker.nodes,
                              .n_nodes = maker.n,
                              .size_bytes = (uint32_t)size,
                              .names = {.rule = name_of, .token = name_of, .language = given},
                              .error = error,
                              .n_errors = error.any};
    assert(pare_parse_tree_check(tree));
    return PARE_OK;
}

/* --- what the file says ------------------------------------------------------------------------ */

/* The node of the file; NULL: tokens and rounds have none. */
static const struct given *given_of(const pare_given_tree *given, const pare_parse_node *node)
{
    return node->alternative ? &given->nodes[node->alternative - 1] : NULL;
}

/* pare_tree_rules.deletable: rounds are so by themselves. An opaque piece may go as a whole. */
static bool deletable(const void *context, const pare_parse_tree *parse, uint32_t node)
{
    const struct given *of = given_of(context, &parse->nodes[node]);
    return of ? of->optional || of->as == PARE_NODE_STAR
              : parse->nodes[node].kind == PARE_NODE_OPAQUE;
}

/* pare_tree_rules.minimal *size is PARE_TREE_NO_TEXT where no text is known. */
static void minimal(const void *context, const pare_parse_tree *parse, uint32_t node,
                    const char **text, size_t *size)
{
    const struct given *of = given_of(context, &parse->nodes[node]);
    *text = "";
    *size = 0;
    if (deletable(context, parse, node)) return;
    if (of && of->shortest) {
        *text = of->shortest;
        *size = of->shortest_size;
    } else {
        *size = PARE_TREE_NO_TEXT;
    }
}

/* pare_tree_rules.slot What may stand in the place of a node is a set of kinds, or the node's
 * own symbol. */
static pare_tree_symbol slot(const void *context, const pare_parse_tree *parse, uint32_t node)
{
    const pare_parse_node *at = &parse->nodes[node];
    const struct given *of = given_of(context, at);
    if (!of || of->set == PARE_NO_INDEX) return (pare_tree_symbol){at->kind, at->symbol};
    return (pare_tree_symbol){PARE_NODE_RULE, FIRST_SET + of->set};
}

/* pare_tree_rules.fits Only for sets: that a node's own symbol fits is the tree's rule. Cost:
 * O(kinds of the set). */
static bool fits(const void *context, pare_tree_symbol wanted, pare_tree_symbol offered)
{
    const pare_given_tree *given = context;
    if (wanted.kind != PARE_NODE_RULE || wanted.symbol < FIRST_SET) return false;
    if (offered.kind == PARE_NODE_TOKEN || offered.symbol >= FIRST_SET) return false;
    const struct set *set = &given->sets[wanted.symbol - FIRST_SET];
    for (uint32_t i = 0; i < set->n; i++)
        if (given->members[set->first + i] == offered.symbol) return true;
    return false;
}

/* Strict, as a language's: what the file does not allow is not tried. */
pare_tree_rules pare_given_tree_rules(const pare_given_tree *given)
{
    return (pare_tree_rules){.context = given,
                             .minimal = minimal,
                             .deletable = deletable,
                             .fits = fits,
                             .slot = slot,
                             .strict = true,
                             .joints = PARE_JOINTS_LINES};
}
