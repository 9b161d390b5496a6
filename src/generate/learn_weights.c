/* <pare/learn.h>: files, one after the other, into lessons. */
#include <pare/learn.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/sized.h"
#include "base/status.h"
#include "generate/lessons.h"
#include "grammar/grammar.h"
#include "grammar/grammar_file.h"
#include "os/entries.h"
#include "parse/parse_tree.h"
#include "parse/parser.h"

enum { MAX_LEAVES = 256 };

struct learner {
    pare_grammar *grammar;
    pare_parser *parser;
    pare_lessons *lessons;
    pare_learned *learned;
};

void pare_learned_done(pare_learned *learned)
{
    pare_release(learned->model);
    *learned = (pare_learned){0};
}

static pare_status learn_text(const struct learner *learner, const pare_buffer *text,
                              pare_error *err)
{
    pare_parse_tree tree = {0};
    const char *bytes = text->size ? text->data : "";
    pare_status status = pare_parser_run(learner->parser, bytes, text->size, &tree, NULL, err);
    if (!status) status = pare_lessons_take(learner->lessons, &tree, bytes, err);
    if (!status) {
        learner->learned->n_files++;
        learner->learned->n_errors += tree.error.any;
    }
    pare_parse_tree_done(&tree);
    return status;
}

static pare_status learn_path(const struct learner *learner, const char *path, pare_error *err)
{
    pare_entries entries = {.n = 0};
    pare_buffer text = {0};
    pare_status status = pare_entries_scan(&entries, &path, NULL, 1, err);
    for (uint32_t i = 0; !status && i < entries.n; i++) {
        if (entries.items[i].kind != PARE_ENTRY_FILE) continue;
        pare_buffer_reset(&text);
        status = pare_entries_read(&entries, &path, i, &text, err);
        if (!status) status = learn_text(learner, &text, err);
    }
    pare_buffer_done(&text);
    pare_entries_done(&entries);
    return status;
}

static pare_status store(const struct learner *learner, size_t max_leaves, pare_error *err)
{
    pare_buffer json = {0};
    if (!learner->learned->n_files)
        return pare_fail(err, PARE_E_STATE, "there is no file to learn from");
    pare_status status =
        pare_lessons_write(learner->lessons, max_leaves ? max_leaves : MAX_LEAVES, &json, err);
    if (status) {
        pare_buffer_done(&json);
        return status;
    }
    learner->learned->model = json.data;
    learner->learned->size_bytes = json.size;
    return PARE_OK;
}

static pare_status learn(const pare_learn_options *options, pare_learned *learned, pare_error *err)
{
    struct learner learner = {.learned = learned};
    pare_index start;
    if (!options->n_grammars) return pare_fail(err, PARE_E_ARG, "a grammar is needed");
    pare_status status =
        pare_grammar_file_read(options->grammars, options->n_grammars, &learner.grammar, err);
    if (!status) status = pare_grammar_file_start(learner.grammar, options->start, &start, err);
    if (!status) status = pare_parser_new(learner.grammar, start, &learner.parser, err);
    if (!status) status = pare_lessons_new(learner.grammar, &learner.lessons, err);
    for (size_t i = 0; !status && i < options->n_paths; i++)
        status = learn_path(&learner, options->paths[i], err);
    if (!status) status = store(&learner, options->max_leaves, err);
    pare_lessons_free(learner.lessons);
    pare_parser_free(learner.parser);
    pare_grammar_free(learner.grammar);
    return status;
}

pare_status pare_learn_sized(const pare_learn_options *options, size_t options_bytes,
                             pare_learned *learned, pare_error *err)
{
    pare_learn_options own;
    pare_status status =
        pare_sized_take(&own, sizeof own, options, options_bytes, "options to learn", err);
    return status ? status : learn(&own, learned, err);
}
