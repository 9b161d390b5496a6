/* Running a lexical pass in a test: what it offers, as the texts that come of it.
 * Included after cmocka. */
#ifndef PARE_TESTS_PASS_DRIVER_H
#define PARE_TESTS_PASS_DRIVER_H

#include <stdio.h>
#include <string.h>

#include "base/buffer.h"
#include "reduce/passes/pass.h"

/* A view of all of `bytes`, without a tree. */
struct viewed {
    pare_text *text;
    pare_pass_view view;
};

static inline struct viewed view_bytes(const void *bytes, size_t size)
{
    struct viewed viewed = {0};
    assert_int_equal(pare_text_copy(bytes, size, &viewed.text, NULL), PARE_OK);
    pare_pass_view given = {.text = viewed.text, .end = size};
    assert_int_equal(pare_pass_view_open(&given, &viewed.view, NULL), PARE_OK);
    return viewed;
}

static inline void view_done(struct viewed *viewed)
{
    pare_pass_view_close(&viewed->view);
    pare_text_unref(viewed->text);
}

static inline const pare_pass *pass_named(const char *name)
{
    const pare_pass *pass = pare_pass_find(name);
    assert_non_null(pass);
    return pass;
}

/* Appends what the text becomes by patch `index`, then by its parts, a deeper one behind a
 * `>` for each level; one a line, line ends as \n. */
static inline void print_patch(const pare_patches *patches, uint32_t index, size_t depth,
                               pare_buffer *to)
{
    const pare_patch *patch = &patches->patches[index];
    pare_candidate candidate = {0};
    char printed[512];
    assert_int_equal(pare_patches_candidate(patches, pare_patch_changes(patches, index),
                                            patch->n_changes, &candidate, NULL),
                     PARE_OK);
    assert_true(candidate.size < sizeof printed);
    pare_candidate_read(&candidate, printed);
    for (size_t i = 0; i < depth; i++)
        assert_int_equal(pare_buffer_text(to, ">", NULL), PARE_OK);
    for (size_t i = 0; i < candidate.size; i++) {
        bool is_break = printed[i] == '\n';
        assert_int_equal(
            pare_buffer_add(to, is_break ? "\\n" : &printed[i], is_break ? 2 : 1, NULL), PARE_OK);
    }
    assert_int_equal(pare_buffer_text(to, "\n", NULL), PARE_OK);
    pare_candidate_done(&candidate);
    for (uint32_t part = patch->first_part; part != PARE_NO_PATCH;
         part = patches->patches[part].next)
        print_patch(patches, part, depth + 1, to);
}

/* What the pass offers for `text` is `expected`, as print_patch writes it. */
static inline void assert_offers(const char *pass, const char *text, const char *expected)
{
    struct viewed viewed = view_bytes(text, strlen(text));
    pare_patches *patches = NULL;
    pare_buffer printed = {0};
    assert_int_equal(pare_pass_offer(pass_named(pass), &viewed.view, &patches, NULL), PARE_OK);
    for (uint32_t i = 0; i < patches->n; i++)
        if (patches->patches[i].parent == PARE_NO_PATCH) print_patch(patches, i, 0, &printed);
    assert_string_equal(printed.data ? printed.data : "", expected);
    pare_buffer_done(&printed);
    pare_patches_unref(patches);
    view_done(&viewed);
}

#endif
