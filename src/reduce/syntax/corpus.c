/* Links are not followed: in a folder of examples they would show one twice. */
#include "reduce/syntax/corpus.h"

#include "base/buffer.h"
#include "os/entries.h"
#include "reduce/tree/tree.h"
#include "text/text.h"

struct learner {
    pare_front *front;
    pare_gtr_templates *templates;
    pare_corpus_count *files;
};

/* Learns from one tree of the text; *parses says whether there is one. */
static pare_status learn_tree(const struct learner *learner, const pare_text *text,
                              pare_front_tree_kind kind, bool *parses, pare_error *err)
{
    pare_tree *tree = NULL;
    pare_status status = pare_front_example(learner->front, text, kind, &tree, err);
    *parses = tree != NULL;
    if (!status && tree) status = pare_gtr_templates_learn(learner->templates, tree, err);
    pare_tree_unref(tree);
    return status;
}

static pare_status learn_bytes(const struct learner *learner, const pare_buffer *bytes,
                               pare_error *err)
{
    pare_text *text = NULL;
    bool parses = false;
    pare_status status = pare_text_copy(bytes->data ? bytes->data : "", bytes->size, &text, err);
    if (!status) status = learn_tree(learner, text, PARE_FRONT_BEFORE, &parses, err);
    if (!status && parses && pare_front_has_sides(learner->front))
        status = learn_tree(learner, text, PARE_FRONT_BEHIND, &parses, err);
    if (!status) *(parses ? &learner->files->n_learned : &learner->files->n_skipped) += 1;
    pare_text_unref(text);
    return status;
}

static pare_status learn_path(const struct learner *learner, const char *path, pare_error *err)
{
    pare_entries entries = {.n = 0};
    pare_buffer bytes = {0};
    pare_status status = pare_entries_scan(&entries, &path, NULL, 1, err);
    for (uint32_t i = 0; !status && i < entries.n; i++) {
        if (entries.items[i].kind != PARE_ENTRY_FILE) continue;
        pare_buffer_reset(&bytes);
        status = pare_entries_read(&entries, &path, i, &bytes, err);
        if (!status) status = learn_bytes(learner, &bytes, err);
    }
    pare_buffer_done(&bytes);
    pare_entries_done(&entries);
    return status;
}

pare_status pare_corpus_learn(pare_front *front, const char *const *paths, size_t n,
                              pare_gtr_templates **out, pare_corpus_count *files, pare_error *err)
{
    struct learner learner = {.front = front, .files = files};
    *files = (pare_corpus_count){.n_learned = 0};
    pare_status status = pare_gtr_templates_new(&learner.templates, err);
    for (size_t i = 0; !status && i < n; i++)
        status = learn_path(&learner, paths[i], err);
    if (status)
        pare_gtr_templates_free(learner.templates);
    else
        *out = learner.templates;
    return status;
}
