/* Any tree with types and fields of any table: passes over programs offer what they claim.
 *
 * So are the closures of its dependency graph, which are parts of the text.
 *
 * The first byte chooses the language.  Then three bytes are a step: a node of the type of
 * the second byte is opened or is a leaf, as the child that the third one says, or one is
 * closed.  The text is the input itself. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "reduce/binding/program.h"
#include "reduce/binding/syntax.h"
#include "reduce/dependency/dependency.h"
#include "reduce/dependency/dependency_drop.h"
#include "reduce/dependency/dependency_print.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { STEP = 3, N_SIGNS = 4, MOST_BYTES = 3000 };

static const char *const signs[N_SIGNS] = {",", ";", "(", ")"};
static const char *const fields[] = {
    "",       "name",     "value", "left",      "right", "body",       "function", "type",
    "object", "property", "list",  "arguments", "key",   "declarator", "pattern",  "parameters"};

enum { N_FIELDS = sizeof fields / sizeof *fields };

static void require(bool holds)
{
    if (!holds) abort();
}

/* Types with those of the tables that it extends. */
static uint32_t count_kinds(const pare_syntax_table *table)
{
    uint32_t n = 0;
    while (pare_syntax_table_kind_at(table, n))
        n++;
    return n;
}

static const char *type_name(const void *language, uint32_t symbol)
{
    const pare_syntax_kind *kind = pare_syntax_table_kind_at(language, symbol);
    return kind ? kind->type : signs[symbol % N_SIGNS];
}

static const char *field_name(const void *language, uint32_t field)
{
    (void)language;
    return fields[field % N_FIELDS];
}

static bool is_named(const void *language, uint32_t symbol)
{
    return pare_syntax_table_kind_at(language, symbol) != NULL;
}

/* Every step is three bytes of text, whatever becomes of it. */
static void make_nodes(const uint8_t *data, size_t size, const pare_syntax_table *table,
                       pare_parse_tree *tree)
{
    uint32_t open = 0, n = count_kinds(table) + N_SIGNS;
    tree->nodes[tree->n_nodes++] =
        (pare_parse_node){.kind = PARE_NODE_RULE, .end = (uint32_t)size, .parent = PARE_NO_NODE};
    for (uint32_t i = 0; i + STEP <= size; i += STEP) {
        if (data[i] < 64) { /* closes */
            if (!open) continue;
            tree->nodes[open].after = (uint32_t)tree->n_nodes;
            tree->nodes[open].end = i;
            open = tree->nodes[open].parent;
            continue;
        }
        uint32_t index = (uint32_t)tree->n_nodes++;
        bool opens = data[i] < 160;
        tree->nodes[index] = (pare_parse_node){.kind = opens ? PARE_NODE_RULE : PARE_NODE_TOKEN,
                                               .symbol = data[i + 1] % n,
                                               .field = data[i + 2] % N_FIELDS,
                                               .begin = i,
                                               .end = i + STEP,
                                               .after = index + 1,
                                               .parent = open};
        if (opens) open = index;
    }
    for (; open != PARE_NO_NODE; open = tree->nodes[open].parent) {
        tree->nodes[open].after = (uint32_t)tree->n_nodes;
        tree->nodes[open].end = (uint32_t)size;
    }
}

static void offer_all(const pare_pass_view *given)
{
    pare_pass_view view = {.text = NULL};
    size_t n = 0;
    const pare_pass *const *passes = pare_program_passes(&n);
    require(!pare_pass_view_open(given, &view, NULL));
    for (size_t i = 0; i < n; i++) {
        pare_patches *patches = NULL;
        bool kept = false;
        require(!pare_pass_offer(passes[i], &view, &patches, NULL));
        require(!pare_pass_check(passes[i], &view, patches, &kept, NULL, NULL));
        require(kept);
        pare_patches_unref(patches);
    }
    pare_pass_view_close(&view);
}

/* The closure of the node that the last byte chooses, without what the byte before it does. */
static void close_one(const pare_pass_view *given, const uint8_t *data, size_t size)
{
    pare_pass_view view = *given;
    pare_dependency *graph = NULL;
    bool known = false;
    view.bytes = pare_text_bytes(given->text);
    require(!pare_dependency_make(&view, &known, &graph, NULL));
    if (!known) return;
    const pare_dependency_query query = {.bodies = size % 2};
    uint32_t n = pare_dependency_count(graph), dropped = data[size / 2] % n;
    pare_dependency_bits *kept = pare_alloc_zero(pare_dependency_set_size(graph), sizeof *kept);
    require(kept != NULL);
    pare_dependency_add(kept, data[size - 1] % n);
    require(!pare_dependency_close(graph, &query, kept, NULL));
    require(pare_dependency_is_sound(graph, &query, kept));
    size_t bytes = pare_dependency_print_size(graph, kept);
    require(!pare_dependency_drop(graph, &query, &dropped, 1, kept, NULL));
    require(!pare_dependency_has(kept, dropped));
    require(pare_dependency_print_size(graph, kept) <= bytes + n * sizeof "{throw null;}");
    pare_alloc_free(kept);
    pare_dependency_unref(graph);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const pare_tree_rules no_rules = {.context = NULL};
    pare_parse_tree parse = {.size_bytes = (uint32_t)size};
    pare_tree *tree = NULL;
    pare_text *text = NULL;
    size_t n_tables = 0;
    if (!size || size > MOST_BYTES) return 0;
    while (pare_syntax_table_at(n_tables))
        n_tables++;
    require(n_tables > 0);
    const pare_syntax_table *table = pare_syntax_table_at(data[0] % n_tables);
    char language[32] = {0};
    strncpy(language, table->names, strcspn(table->names, " "));
    const pare_symbol_names names = {.rule = type_name,
                                     .token = type_name,
                                     .language = table,
                                     .field = field_name,
                                     .is_named = is_named};
    parse.nodes = pare_alloc(size + 1, sizeof *parse.nodes);
    require(parse.nodes != NULL);
    make_nodes(data, size, table, &parse);
    require(!pare_text_copy(data, size, &text, NULL));
    require(!pare_tree_new(&parse, text, &no_rules, &tree, NULL));
    const pare_pass_view given = {
        .text = text, .end = size, .tree = tree, .names = &names, .language = language};
    offer_all(&given);
    close_one(&given, data, size);
    pare_tree_unref(tree);
    pare_text_unref(text);
    pare_parse_tree_done(&parse);
    return 0;
}
