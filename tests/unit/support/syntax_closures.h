/* Closures and drops in short programs of a language that is read by its syntax tree, row by row.  Include after
 * <cmocka.h>. */
#ifndef PARE_TESTS_UNIT_SUPPORT_SYNTAX_CLOSURES_H
#define PARE_TESTS_UNIT_SUPPORT_SYNTAX_CLOSURES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "reduce/dependency/dependency.h"
#include "reduce/dependency/dependency_drop.h"
#include "unit/support/closure_text.h"
#include "unit/support/program_driver.h"

struct graph_of {
    struct program_view program;
    pare_dependency *graph;
};

static inline void open_graph(pare_tree_sitter *language, const char *name, const char *source,
                       struct graph_of *out)
{
    bool known = false;
    out->graph = NULL;
    view_program(language, name, source, strlen(source), &out->program);
    assert_int_equal(pare_dependency_make(&out->program.view, &known, &out->graph, NULL), PARE_OK);
    if (!known) fail_msg("no graph of: %s", source);
}

static inline void close_graph(struct graph_of *self)
{
    pare_dependency_unref(self->graph);
    program_done(&self->program);
}

static inline void assert_closures(const char *name, const struct row *rows, size_t n)
{
    if (!has_language(name)) skip();
    pare_tree_sitter *language = load_language(name);
    for (size_t i = 0; i < n; i++) {
        struct graph_of self;
        open_graph(language, name, rows[i].source, &self);
        char *text = print_closure(self.graph, &rows[i]);
        if (strcmp(text, rows[i].expected) != 0)
            print_error("of '%s' in: %s\n", rows[i].seed, rows[i].source);
        assert_string_equal(text, rows[i].expected);
        test_free(text);
        close_graph(&self);
    }
    pare_tree_sitter_close(language);
}

#define ASSERT_CLOSURES(name, rows) assert_closures(name, rows, sizeof(rows) / sizeof *(rows))

/* What is left of row->source without the node at row->seed is `expected`. */
static inline void assert_drops(const char *name, const struct row *rows, size_t n)
{
    if (!has_language(name)) skip();
    pare_tree_sitter *language = load_language(name);
    for (size_t i = 0; i < n; i++) {
        struct graph_of self;
        const pare_dependency_query query = {.bodies = true};
        open_graph(language, name, rows[i].source, &self);
        pare_dependency_bits *kept = new_set(self.graph);
        for (uint32_t k = 0; k < pare_dependency_count(self.graph); k++)
            pare_dependency_add(kept, k);
        const uint32_t node = node_of(self.graph, rows[i].source, rows[i].seed);
        assert_int_equal(pare_dependency_drop(self.graph, &query, &node, 1, kept, NULL), PARE_OK);
        char *text = print_set(self.graph, kept);
        assert_string_equal(text, rows[i].expected);
        test_free(text);
        test_free(kept);
        close_graph(&self);
    }
    pare_tree_sitter_close(language);
}

#define ASSERT_DROPS(name, rows) assert_drops(name, rows, sizeof(rows) / sizeof *(rows))

#endif
