/* The table of the lexical passes, and what they have in common. */
#include <string.h>

#include "base/status.h"
#include "reduce/passes/lexemes.h"
#include "reduce/passes/pass.h"
#include "reduce/passes/passes.h"
#include "text/patch.h"
#include "text/text.h"

static const pare_pass *const table[] = {
    &pare_pass_comments,      &pare_pass_duplicate_lines,
    &pare_pass_brackets,      &pare_pass_joints,
    &pare_pass_lift,          &pare_pass_operators,
    &pare_pass_inline,        &pare_pass_alternatives,
    &pare_pass_occurrences,   &pare_pass_between,
    &pare_pass_numbers,       &pare_pass_strings,
    &pare_pass_peephole,      &pare_pass_short_names,
    &pare_pass_merge,         &pare_pass_windows,
    &pare_pass_token_rules,   &pare_pass_insides,
    &pare_pass_between_bytes, &pare_pass_byte_windows,
    &pare_pass_patterns,      &pare_pass_space,
    &pare_pass_byte_values,   &pare_pass_reorder,
};

enum { N_PASSES = sizeof table / sizeof(const pare_pass *) };

const pare_pass *const *pare_lexical_passes(size_t *n)
{
    *n = N_PASSES;
    return table;
}

const pare_pass *pare_lexical_pass_find(const char *name)
{
    for (size_t i = 0; i < N_PASSES; i++)
        if (strcmp(table[i]->name, name) == 0) return table[i];
    return NULL;
}

pare_status pare_pass_view_open(const pare_pass_view *given, pare_pass_view *view, pare_error *err)
{
    pare_pass_view made = *given;
    made.bytes = pare_text_bytes(given->text);
    made.lexemes = (pare_lexemes){0};
    if (!made.bytes && pare_text_size(given->text))
        return pare_fail(err, PARE_E_ARG, "a pass needs its text in one piece");
    pare_status status =
        pare_lexemes_make(made.bytes, made.begin, made.end, made.tree, &made.lexemes, err);
    if (!status) *view = made;
    return status;
}

void pare_pass_view_close(pare_pass_view *view)
{
    pare_lexemes_done(&view->lexemes);
}

static bool is_too_large(const pare_pass *pass, const pare_pass_view *view)
{
    return (pass->most_lexemes && view->lexemes.n > pass->most_lexemes) ||
           (pass->most_bytes && view->end - view->begin > pass->most_bytes);
}

pare_status pare_pass_offer(const pare_pass *pass, const pare_pass_view *view, pare_patches **out,
                            pare_error *err)
{
    pare_patches *patches = NULL;
    pare_status status = pare_patches_new(view->text, &patches, err);
    if (!status && !is_too_large(pass, view)) status = pass->offer(pass, view, patches, err);
    if (status) {
        pare_patches_unref(patches);
        return status;
    }
    *out = patches;
    return PARE_OK;
}
