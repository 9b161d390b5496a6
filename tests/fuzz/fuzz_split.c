/* Fuzz target: every splitter and the bracket tree, on any bytes.
 *
 * The units must tile the bytes; the finer splitter of a pair must cut wherever the
 * coarser does where that is promised; the leaves of the bracket tree must give the
 * bytes back and its levels must be ordered.  Aborts on a violation. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "text/split/bracket.h"
#include "text/split/split.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds) abort();
}

/* The units, printed one after the other, are the bytes. */
static void check_reassembly(const pare_bounds *bounds, const uint8_t *data, size_t size)
{
    uint8_t *printed = malloc(size + 1);
    require(printed != NULL);
    size_t end = 0;
    for (size_t i = 0; i < bounds->n; i++) {
        size_t begin = pare_split_bounds_begin(bounds, i);
        size_t unit_size = pare_split_bounds_begin(bounds, i + 1) - begin;
        require(unit_size > 0 && unit_size <= size - end);
        memcpy(printed + end, data + begin, unit_size);
        end += unit_size;
    }
    require(end == size && (size == 0 || memcmp(printed, data, size) == 0));
    free(printed);
}

/* A code point has at most four bytes; no line goes on behind its end. */
static void check_unit_sizes(const char *name, const pare_bounds *bounds, const uint8_t *data)
{
    bool is_char = strcmp(name, "char") == 0, is_line = strcmp(name, "line") == 0;
    for (size_t i = 0; i < bounds->n; i++) {
        size_t begin = pare_split_bounds_begin(bounds, i);
        size_t end = pare_split_bounds_begin(bounds, i + 1);
        require(!is_char || end - begin <= 4);
        if (is_line && end - begin > 2) require(!memchr(data + begin, '\n', end - begin - 1));
        if (is_line && end - begin > 2) require(!memchr(data + begin, '\r', end - begin - 2));
    }
}

/* Line ends are units of their own among tokens, so tokens refine lines. */
static void check_tokens_refine_lines(const uint8_t *data, size_t size)
{
    pare_bounds lines = {0}, tokens = {0};
    require(pare_splitter_find("line")->split(data, size, &lines, NULL) == PARE_OK);
    require(pare_splitter_find("token")->split(data, size, &tokens, NULL) == PARE_OK);
    size_t token = 0;
    for (size_t i = 0; i <= lines.n; i++) {
        size_t begin = pare_split_bounds_begin(&lines, i);
        while (pare_split_bounds_begin(&tokens, token) < begin)
            token++;
        require(pare_split_bounds_begin(&tokens, token) == begin);
    }
    pare_split_bounds_done(&lines);
    pare_split_bounds_done(&tokens);
}

/* A node without descendants is followed by `after` at once. */
static bool is_leaf(const pare_bracket_tree *tree, uint32_t node)
{
    return tree->nodes[node].after == node + 1;
}

static void check_leaves(const pare_bracket_tree *tree, size_t size)
{
    size_t end = 0;
    for (uint32_t node = 0; node < tree->n_nodes; node++) {
        require(tree->nodes[node].begin == end);
        if (is_leaf(tree, node)) end = pare_bracket_end(tree, node);
    }
    require(end == size);
}

/* A group begins with a bracket and ends with its partner. */
static void check_groups(const pare_bracket_tree *tree, const uint8_t *data)
{
    static const char pairs[] = "()[]{}";
    for (uint32_t node = 0; node < tree->n_nodes; node++) {
        if (is_leaf(tree, node)) continue;
        const char *pair = strchr(pairs, data[tree->nodes[node].begin]);
        require(pair && *pair && data[pare_bracket_end(tree, node) - 1] == (uint8_t)pair[1]);
    }
}

static void check_level(const pare_bracket_tree *tree, uint32_t level, size_t size)
{
    pare_slices slices = {0};
    require(pare_bracket_level(tree, level, &slices, NULL) == PARE_OK);
    size_t end = 0;
    for (size_t i = 0; i < slices.n; i++) {
        require(slices.begin[i] >= end && slices.end[i] > slices.begin[i]);
        require(level > 0 || slices.begin[i] == end);
        end = slices.end[i];
    }
    require(end <= size && (level > 0 || end == size));
    pare_bracket_slices_done(&slices);
}

static void check_brackets(const uint8_t *data, size_t size)
{
    pare_bracket_tree tree = {0};
    require(pare_bracket_build(data, size, &tree, NULL) == PARE_OK);
    require(pare_bracket_check(&tree));
    check_leaves(&tree, size);
    check_groups(&tree, data);
    for (uint32_t level = 0; level < tree.n_levels && level < 40; level++)
        check_level(&tree, level, size);
    pare_bracket_done(&tree);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t n;
    const pare_splitter *const *table = pare_splitters(&n);
    for (size_t k = 0; k < n; k++) {
        pare_bounds bounds = {0};
        require(table[k]->split(data, size, &bounds, NULL) == PARE_OK);
        require(pare_split_bounds_check(&bounds, size));
        check_reassembly(&bounds, data, size);
        check_unit_sizes(table[k]->info.name, &bounds, data);
        pare_split_bounds_done(&bounds);
    }
    check_tokens_refine_lines(data, size);
    check_brackets(data, size);
    return 0;
}
