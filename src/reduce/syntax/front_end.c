/* The front end: for a file, the tree by a grammar, by a tree-sitter language, or by brackets.
 *
 * Which one is decided once, when it is opened: a tree or a grammar that the user gives, the language
 * that the user names, or the one that the file's name tells.  A guessed language that cannot
 * be had gives way to brackets with a notice; one that was named is an error, for the user
 * wants it.  Where most of a text leaves its grammar, that text is read by brackets too.
 *
 * GTR's templates are learned from the user's corpus with the same readers, when they are asked
 * for first.  Links in a folder of examples are not followed: they would show one example
 * twice.
 * Invariant: `has_example` says that languages learned their shortest texts from the bytes with
 * digest `example`; by it pare_front_end_forget_texts knows whether there is something to
 * learn.
 * Memory: the readers; trees belong to the caller. */
#include "reduce/syntax/front_end.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include <pare/language.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/digest.h"
#include "base/fail.h"
#include "lang/islands.h"
#include "os/entries.h"
#include "os/file.h"
#include "parse/bracket_parse.h"
#include "parse/parse_tree.h"
#include "parse/shape.h"
#include "parse/tree_sitter.h"
#include "reduce/syntax/ahead.h"
#include "reduce/syntax/given_tree.h"
#include "reduce/syntax/reader.h"
#include "reduce/syntax/rules.h"
#include "reduce/tree/tree.h"
#include "text/text.h"

/* What learns from a corpus, and how many files it has seen. */
struct learner {
    pare_front_end *front;
    pare_gtr_templates *templates;
    pare_corpus_count *files;
};

/* Learns from one tree of the text; *parses says whether there is one. */
static pare_status learn_tree(const struct learner *learner, const pare_text *text,
                              pare_front_end_view kind, bool *parses, pare_error *err)
{
    pare_tree *tree = NULL;
    pare_status status = pare_front_end_example(learner->front, text, kind, &tree, err);
    *parses = tree != NULL;
    if (!status && tree) status = pare_gtr_templates_learn(learner->templates, tree, err);
    pare_tree_unref(tree);
    return status;
}

/* Learns from one file, by both trees where lists look different in the two.
 * A file is read by brackets where there is no language, as the input is. */
static pare_status learn_bytes(const struct learner *learner, const pare_buffer *bytes,
                               pare_error *err)
{
    pare_text *text = NULL;
    bool parses = false;
    pare_status status = pare_text_copy(bytes->data ? bytes->data : "", bytes->size, &text, err);
    if (!status) status = learn_tree(learner, text, PARE_FRONT_END_BEFORE, &parses, err);
    if (!status && parses && pare_front_end_has_sides(learner->front))
        status = learn_tree(learner, text, PARE_FRONT_END_AFTER, &parses, err);
    /* The tree that was asked for last decides. */
    if (!status) *(parses ? &learner->files->n_learned : &learner->files->n_skipped) += 1;
    pare_text_unref(text);
    return status;
}

/* Learns from a file, or from all files in a folder.
 * A path that is not there is an error; an empty folder teaches nothing. */
static pare_status learn_path(const struct learner *learner, const char *path, pare_error *err)
{
    pare_entries entries = {.n = 0};
    pare_buffer bytes = {0};
    pare_status status = pare_entries_scan(&entries, &path, NULL, 1, err);
    for (uint32_t i = 0; !status && i < entries.n; i++) {
        /* Folders have been gone through by the scan; links are passed over. */
        if (entries.items[i].kind != PARE_ENTRY_FILE) continue;
        pare_buffer_reset(&bytes);
        status = pare_entries_read(&entries, &path, i, &bytes, err);
        if (!status) status = learn_bytes(learner, &bytes, err);
    }
    pare_buffer_done(&bytes);
    pare_entries_done(&entries);
    return status;
}

/* Templates are given out only when all of the corpus could be read. */
pare_status pare_front_end_learn(pare_front_end *front, const char *const *paths, size_t n,
                                 pare_gtr_templates **out, pare_corpus_count *files,
                                 pare_error *err)
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

/* What of this is set depends on the options: a grammar sets `reader` and, when they are asked
 * for, `expansions` and `token_rules`; a language sets `reader` alone; without either trees are by
 * brackets. */
struct pare_front_end {
    pare_reader *reader;                 /* owned; NULL: brackets */
    pare_island_rules *islands;          /* owned; NULL: none */
    pare_grammar_expansions *expansions; /* owned; NULL: not asked for yet */
    pare_token_grammar *token_rules;     /* the same */
    const char *language;                /* borrowed; NULL: not known */
    pare_symbol_names names;             /* of the reader's trees; from the first one on */
    const char *const *corpus;           /* borrowed paths of examples */
    size_t n_corpus;
    pare_gtr_templates *templates; /* owned; NULL: not learned yet */
    char notice[PARE_ERROR_TEXT_BYTES + 128];
    bool has_notice, is_unknown; /* is_unknown: it is that the name tells no language */
    bool looks;                  /* the input's own text is to tell the language.. */
    bool reads;                  /* ..and a reader of it is tried for */
    pare_digest example;         /* of what languages have learned their texts from: */
    bool has_example;            /* there is such a text */
    bool by_grammar;             /* the last tree is */
    pare_tree *last; /* the last tree by the reader, one reference; NULL: none is kept */
    pare_stretch last_file;
    pare_front_end_view last_kind;
    bool parsed;       /* the input itself; what is left of it later need not be told of */
    pare_ahead *ahead; /* owned; a parse that uses the reader now; NULL: none */
};

/* Gives up the parse that is under way, since the reader is needed. */
static void drop_ahead(pare_front_end *front)
{
    pare_ahead_drop(front->ahead);
    front->ahead = NULL;
}

/* Whether trees are made by a grammar that the user gave.
 * Only grammars have facts in the form that GRABR and the rules of tokens need. */
static bool has_grammar(const pare_front_end *front)
{
    return front->reader && pare_reader_facts(front->reader);
}

/* Opens the grammar; a language beside it would contradict it. */
static pare_status open_grammar(pare_front_end *front, const pare_tree_options *options,
                                pare_error *err)
{
    /* "none" agrees with a grammar: it only says that no language is to be guessed. */
    if (options->language && strcmp(options->language, "none") != 0)
        return pare_fail(err, PARE_E_ARG, "give either a grammar or a language");
    return pare_reader_by_grammar(options->grammars, options->n_grammars, options->start_rule,
                                  &front->reader, err);
}

/* Whether trees are what is left of one that the user gave. */
static bool has_given(const pare_front_end *front)
{
    return front->reader && pare_reader_given(front->reader);
}

/* Reads the tree; a language beside it names the input's, for passes that go by it. */
static pare_status open_given(pare_front_end *front, const pare_tree_options *options,
                              pare_error *err)
{
    if (options->n_grammars || options->n_islands)
        return pare_fail(err, PARE_E_ARG, "give either a tree or a grammar and islands");
    return pare_reader_by_tree(options->tree, &front->reader, err);
}

/* Whether the input's name is to tell the language. */
static bool is_guessed(const pare_tree_options *options)
{
    return !options->language || strcmp(options->language, "auto") == 0;
}

/* The language that `options` name or that the input's `name` (may be NULL) tells; NULL: none. */
static const char *language_name(const pare_tree_options *options, const char *name)
{
    if (options->language && strcmp(options->language, "none") == 0) return NULL;
    if (!is_guessed(options)) return options->language;
    const pare_language_info *info = name ? pare_language_for_file(name) : NULL;
    return info ? info->name : NULL;
}

/* Nothing is missing where a grammar is given, the language is only a model, or this program
 * was built without tree-sitter: adding it would not help. */
const char *pare_front_end_missing_language(const pare_tree_options *options,
                                            const char *input_name)
{
    pare_language_state state = {0};
    const bool is_read = options->n_grammars || options->tree;
    const char *name = is_read ? NULL : language_name(options, input_name);
    /* A name that no language has is an error elsewhere. */
    const pare_language_info *info = name ? pare_language_find(name) : NULL;
    if (!info || info->is_model || !pare_tree_sitter_available()) return NULL;
    if (pare_language_inspect(name, &state, NULL) != PARE_OK || state.added) return NULL;
    return info->name;
}

/* For a language that was only guessed brackets will do, whatever is wrong with it.  One that
 * was named is what the user wants. */
static pare_status open_language(pare_front_end *front, const char *name, bool guessed,
                                 pare_error *err)
{
    pare_error why = {.status = PARE_OK};
    pare_status status = pare_reader_by_language(name, &front->reader, &why);
    if (!status) return PARE_OK;
    if (status == PARE_E_NOMEM || !guessed) {
        /* The language that the user named cannot be had. */
        if (status == PARE_E_STATE) status = PARE_E_IO; /* it says nothing about the input */
        if (err) *err = why;
        if (err) err->status = status;
        return status;
    }
    (void)snprintf(front->notice, sizeof front->notice, "%s; going on by brackets%s", why.message,
                   status == PARE_E_STATE ? ", by which the result can be many times larger" : "");
    front->has_notice = true;
    return PARE_OK;
}

/* What a preprocessor was given: `*path`, of `*size` bytes, of the line marker (`# 1 "t.cc"` or
 * `#line 1 "t.cc"`) with which `text` begins.  False: it begins with something else. */
static bool is_preprocessed(pare_span text, const char **path, size_t *size)
{
    const char *at = (const char *)text.bytes, *end = at + text.size;
    /* The NUL has to be asked for by itself, since strchr finds it at the end of the signs. */
    while (at < end && strchr(" \t\r\n", *at) && *at)
        at++;
    if (at == end || *at++ != '#') return false;
    if (end - at > 4 && memcmp(at, "line", 4) == 0) at += 4;
    if (at == end || *at++ != ' ') return false;
    const char *number = at;
    while (at < end && *at >= '0' && *at <= '9')
        at++;
    if (at == number || end - at < 2 || memcmp(at, " \"", 2) != 0) return false;
    at += 2;
    const char *quote = memchr(at, '"', (size_t)(end - at));
    *path = at;
    /* The path may have been cut off with the text that is looked at. */
    *size = quote ? (size_t)(quote - at) : 0;
    return quote != NULL;
}

/* The language of a preprocessed text, static; NULL: it is not preprocessed.  Where the compiler read
 * a pipe, headers of C++ tell it from C. */
static const char *language_of_text(pare_span text)
{
    static const char headers[] = "/c++/";
    const char *path = NULL;
    char name[256];
    size_t size = 0;
    if (!is_preprocessed(text, &path, &size)) return NULL;
    /* A path that is too long tells nothing. */
    (void)snprintf(name, sizeof name, "%.*s", (int)(size < sizeof name ? size : 0), path);
    const pare_language_info *info = pare_language_for_file(name);
    if (info) return info->name;
    return memmem(text.bytes, text.size, headers, sizeof headers - 1) ? "cpp" : "c";
}

/* A preprocessed text whose name tells nothing (a pipe, `crash-1`) says itself what it is. */
static pare_status look_at_text(pare_front_end *front, pare_span text, pare_error *err)
{
    const char *language = front->looks ? language_of_text(text) : NULL;
    if (!language) return PARE_OK;
    front->language = language;
    /* What was to be said of the name does not hold any more. */
    front->is_unknown = front->has_notice = false;
    return front->reads ? open_language(front, language, true, err) : PARE_OK;
}

pare_status pare_front_end_set_input(pare_front_end *front, const pare_text *text, pare_error *err)
{
    /* A line marker stands at the begin, and headers of a preprocessed text soon after it. */
    enum { LOOKED_AT = 1 << 16 };
    pare_status status = PARE_OK;
    if (pare_text_size(text)) {
        const pare_span first = pare_text_span(text, 0, LOOKED_AT);
        status = look_at_text(front, first, err);
        /* No language that could be named instead has bytes of no text. */
        if (front->is_unknown) front->has_notice = !pare_bytes_are_no_text(first.bytes, first.size);
    }
    if (status || !has_given(front)) return status;
    return pare_given_tree_set_input(pare_reader_given(front->reader),
                                     (const char *)pare_text_bytes(text), pare_text_size(text),
                                     err);
}

/* Whether a reader is tried for: a program without tree-sitter has none, and is silent about that
 * unless a language, or `auto`, was asked for. */
static bool may_read(const pare_tree_options *options)
{
    return options->language || pare_tree_sitter_available();
}

/* Whether the name is that of a text in no language: a log, a table, a list.  There is nothing to name
 * instead. */
static bool is_plain_text(const char *name)
{
    static const char *const endings[] = {".txt", ".text", ".log", ".csv", ".tsv", ".out", ".err"};
    const size_t size = strlen(name);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        const size_t length = strlen(endings[i]);
        if (size > length && !strcasecmp(name + size - length, endings[i])) return true;
    }
    return false;
}

/* Notes that the input's name tells no language, where one could have been told: what follows is
 * by brackets, and nobody has said that it should be.  Bytes without a name have no more to tell. */
static void note_unknown(pare_front_end *front, const pare_tree_options *options, const char *path)
{
    if (options->n_grammars || options->tree || !is_guessed(options) || !path) return;
    /* Without tree-sitter there is no language to name instead. */
    if (!pare_tree_sitter_available()) return;
    const char *slash = strrchr(path, '/');
    if (is_plain_text(slash ? slash + 1 : path)) return;
    front->is_unknown = true;
    (void)snprintf(
        front->notice, sizeof front->notice,
        "the name '%.200s' tells no language: going on by brackets; if it is in one that "
        "'pare lang list' shows, --lang NAME makes the result smaller",
        slash ? slash + 1 : path);
    front->has_notice = true;
}

/* Examples of a corpus are looked for at once, so that a mistake shows before the first test.
 * Everything that can be wrong with the options is found here, before the first test. */
pare_status pare_front_end_open(const pare_tree_options *options, const char *input_name,
                                pare_front_end **out, pare_error *err)
{
    pare_front_end *front = pare_alloc_zero(1, sizeof *front);
    if (!front) return pare_fail_nomem(err);
    const char *language = language_name(options, input_name);
    pare_status status = PARE_OK;
    front->language = language;
    front->corpus = options->corpus;
    front->n_corpus = options->n_corpus;
    for (size_t i = 0; !status && i < front->n_corpus; i++)
        if (!pare_file_exists(front->corpus[i]))
            status = pare_fail(err, PARE_E_IO, "cannot open %s: there is no such example",
                               front->corpus[i]);
    if (!status && options->tree)
        status = open_given(front, options, err);
    else if (!status && options->n_grammars)
        status = open_grammar(front, options, err);
    else if (!status && language)
        status =
            may_read(options) ? open_language(front, language, is_guessed(options), err) : PARE_OK;
    else if (!status)
        note_unknown(front, options, input_name);
    /* The text is asked only where nothing else has decided. */
    front->looks = !language && is_guessed(options) && !front->reader && !options->n_islands;
    front->reads = may_read(options);
    if (!status && options->n_islands && front->reader)
        status = pare_island_rules_new(front->reader, options->islands, options->n_islands,
                                       &front->islands, err);
    if (status) {
        pare_front_end_free(front);
        return status;
    }
    *out = front;
    return PARE_OK;
}

/* Readers last: all others borrow from them. */
void pare_front_end_free(pare_front_end *front)
{
    if (!front) return;
    drop_ahead(front);
    pare_tree_unref(front->last);
    pare_gtr_templates_free(front->templates);
    pare_grammar_expansions_free(front->expansions);
    pare_token_grammar_free(front->token_rules);
    pare_island_rules_free(front->islands);
    pare_reader_free(front->reader);
    pare_alloc_free(front);
}

/* Each notice is told once. */
const char *pare_front_end_notice(pare_front_end *front)
{
    if (!front->has_notice) return NULL;
    front->has_notice = false;
    return front->notice;
}

/* --- trees ------------------------------------------------------------------------------- */

/* Says where the input leaves the grammar, and what becomes of it.
 * Told once, of the input itself. */
static void tell_error(pare_front_end *front, const pare_parse_error *error, bool kept)
{
    front->has_notice = true;
    (void)snprintf(front->notice, sizeof front->notice,
                   "the input leaves the grammar at line %u, column %u: %s; going on %s",
                   error->line, error->column, error->message,
                   kept ? "with what does not parse as pieces without structure" : "by brackets");
}

/* Whether at least half of the bytes that belong to a leaf parse.
 * By bytes and not by nodes: a single opaque node may be most of the file. */
static bool mostly_parses(const pare_parse_tree *tree)
{
    size_t token_bytes = 0, opaque_bytes = 0;
    for (size_t i = 0; i < tree->n_nodes; i++) {
        size_t size = tree->nodes[i].end - tree->nodes[i].begin;
        if (tree->nodes[i].kind == PARE_NODE_TOKEN) token_bytes += size;
        if (!pare_parse_tree_is_leaf(tree, (uint32_t)i)) continue;
        if (tree->nodes[i].kind == PARE_NODE_OPAQUE) opaque_bytes += size;
    }
    return token_bytes >= opaque_bytes;
}

/* What is parsed: the bytes of one file, and where they stand in the text of the tree. */
struct source {
    const pare_text *text;
    size_t offset;
    const char *bytes;
    size_t size;
};

/* The tree of `parse`, of the source's bytes, over the text that they are of.
 * Offsets of the parse are moved in place: the caller gives it back afterwards. */
static pare_status plant(pare_parse_tree *parse, const struct source *source,
                         const pare_tree_rules *rules, pare_tree **out, pare_error *err)
{
    /* The parser counted from the file's own beginning. */
    for (size_t i = 0; source->offset && i < parse->n_nodes; i++) {
        parse->nodes[i].begin += (uint32_t)source->offset;
        parse->nodes[i].end += (uint32_t)source->offset;
    }
    return pare_tree_new(parse, source->text, rules, out, err);
}

/* The tree by brackets, which know no rules. */
static pare_status bracket_tree(const struct source *source, pare_tree **out, pare_error *err)
{
    static const pare_tree_rules no_rules = {.context = NULL};
    pare_parse_tree tree = {0};
    pare_status status =
        pare_bracket_parse((const unsigned char *)source->bytes, source->size, &tree, err);
    if (!status) status = plant(&tree, source, &no_rules, out, err);
    pare_parse_tree_done(&tree);
    return status;
}

/* On which side separators are put in trees of that kind. */
static pare_separators side_of(pare_front_end_view kind)
{
    return kind == PARE_FRONT_END_AFTER ? PARE_SEPARATORS_AFTER : PARE_SEPARATORS_BEFORE;
}

/* The tree of `parse`, by the reader, with its islands.
 * A tree with islands is built anew from that of the host, so the rules are those of both
 * languages. */
static pare_status plant_islands(pare_front_end *front, pare_parse_tree *parse,
                                 const struct source *source, pare_front_end_view kind,
                                 pare_tree **out, pare_error *err)
{
    pare_island_tree filled = {.n_islands = 0};
    if (!front->islands || kind == PARE_FRONT_END_HOST)
        return plant(parse, source, pare_reader_rules(front->reader), out, err);
    pare_status status =
        pare_island_rules_fill(front->islands, parse, source->bytes, side_of(kind), &filled, err);
    if (!status)
        status = plant(&filled.tree, source, pare_island_rules_of(front->islands), out, err);
    pare_islands_tree_done(&filled);
    return status;
}

/* The digest of the bytes of one file. */
static pare_digest digest_of(const pare_text *text, pare_stretch file)
{
    size_t size = file.to - file.from;
    return pare_digest_of(pare_text_slice(text, file.from, size), size);
}

/* Languages learn from the first text that they see. */
static void note_example(pare_front_end *front, const struct source *source)
{
    if (front->has_example) return;
    front->has_example = true;
    front->example =
        digest_of(source->text, (pare_stretch){source->offset, source->offset + source->size});
}

/* Texts that were learned from these very bytes would only be learned again.
 * Host and islands forget together, so that no text of another input is left in a mixed tree. */
bool pare_front_end_forget_texts(pare_front_end *front, const pare_text *text, pare_stretch file)
{
    if (!front->has_example || pare_digest_equal(front->example, digest_of(text, file)))
        return false;
    pare_front_end_forget_tree(front);
    drop_ahead(front);
    /* Both are asked: islands learn from the same bytes as their host. */
    bool host = pare_reader_forget_texts(front->reader);
    bool islands = front->islands && pare_island_rules_forget_texts(front->islands);
    front->has_example = !(host || islands);
    return host || islands;
}

/* Parses, unless that was begun ahead. */
static pare_status parse(pare_front_end *front, const struct source *source, pare_separators side,
                         pare_parse_tree *tree, pare_error *err)
{
    const pare_stretch file = {source->offset, source->offset + source->size};
    if (front->ahead && pare_ahead_is_of(front->ahead, source->text, file, side)) {
        pare_ahead *ahead = front->ahead;
        front->ahead = NULL;
        return pare_ahead_take(ahead, tree, err);
    }
    drop_ahead(front);
    return pare_reader_parse(front->reader, source->bytes, source->size, side, tree, err);
}

/* The tree by the reader; *left says that there is none, because most of the text leaves
 * its grammar.
 * A text that mostly leaves a grammar is better cut along its brackets than at the few places
 * that parse. Languages read everything somehow, so for them the question does not arise. */
static pare_status reader_tree(pare_front_end *front, const struct source *source,
                               pare_front_end_view kind, bool *left, pare_tree **out,
                               pare_error *err)
{
    assert(front->reader);
    pare_parse_tree tree = {0};
    bool grammar = has_grammar(front), bounded = grammar || has_given(front);
    note_example(front, source);
    pare_status status = parse(front, source, side_of(kind), &tree, err);
    /* A tree-sitter tree has damage instead of errors: what does not parse is opaque in it. */
    *left = !status && bounded && tree.error.any && !mostly_parses(&tree);
    if (!status && grammar && tree.error.any && !front->parsed)
        tell_error(front, &tree.error, !*left);
    /* Later texts are made from this one: where they leave the grammar is no news. */
    front->parsed = true;
    if (!status) front->names = tree.names;
    front->by_grammar = !status && grammar && !*left;
    if (!status && !*left) status = plant_islands(front, &tree, source, kind, out, err);
    pare_parse_tree_done(&tree);
    return status;
}

/* Also where its reader could not be had: passes go by the name. */
const char *pare_front_end_language(const pare_front_end *front)
{
    return front->language;
}

/* The language's own name for itself, whichever of its names the user gave. */
const char *pare_front_end_read_by(const pare_front_end *front)
{
    const pare_language_info *info = front->reader && front->language && !has_given(front)
                                         ? pare_language_find(front->language)
                                         : NULL;
    return info ? info->name : NULL;
}

/* Those of the tree made last; all trees of one reader have the same. */
const pare_symbol_names *pare_front_end_names(const pare_front_end *front)
{
    return front->names.rule ? &front->names : NULL;
}

/* Without one all views are by brackets, so asking for several of them would be of no use. */
bool pare_front_end_has_reader(const pare_front_end *front)
{
    return front && front->reader;
}

/* In a grammar a separator's place is fixed by its rules; a language's lists leave it open. */
bool pare_front_end_has_sides(const pare_front_end *front)
{
    return front->reader && !has_grammar(front);
}

/* The text of the tree that is kept cannot be another one at the same address: it is referred to. */
static bool is_last(const pare_front_end *front, const pare_text *text, pare_stretch file,
                    pare_front_end_view kind)
{
    return front->last && front->last->text == text && front->last_kind == kind &&
           front->last_file.from == file.from && front->last_file.to == file.to;
}

/* Before a parse too, so that a large text has one tree in memory and not two. */
void pare_front_end_forget_tree(pare_front_end *front)
{
    pare_tree_unref(front->last);
    front->last = NULL;
}

enum {
    LEAST_AHEAD = 64 << 10, /* bytes; what is less is parsed before a thread has begun */
    MOST_AHEAD = 16 << 20   /* of more, passes see no tree */
};

/* Without a thread the tree is made when it is asked for. */
void pare_front_end_prepare(pare_front_end *front, const pare_text *text, pare_stretch file)
{
    const size_t size = file.to - file.from;
    if (!front->reader || has_grammar(front) || front->last) return;
    if (size < LEAST_AHEAD || size > MOST_AHEAD || !pare_text_bytes(text)) return;
    drop_ahead(front);
    if (pare_ahead_start(front->reader, text, file, PARE_SEPARATORS_BEFORE, &front->ahead, NULL))
        front->ahead = NULL;
}

/* Brackets are the last resort: they never fail but for memory.
 * Phase after phase and pass after pass looks at the same text as long as nothing is removed, so
 * the last tree is kept. */
pare_status pare_front_end_tree(pare_front_end *front, const pare_text *text, pare_stretch file,
                                pare_front_end_view kind, pare_tree **out, pare_error *err)
{
    const struct source source = {.text = text,
                                  .offset = file.from,
                                  .bytes = (const char *)pare_text_bytes(text) + file.from,
                                  .size = file.to - file.from};
    bool left = true;
    /* Without islands the host is all there is. */
    if (kind == PARE_FRONT_END_HOST && !front->islands) kind = PARE_FRONT_END_BEFORE;
    assert(file.from <= file.to && file.to <= pare_text_size(text));
    if (kind != PARE_FRONT_END_BRACKETS && front->reader) {
        if (is_last(front, text, file, kind)) {
            *out = pare_tree_ref(front->last);
            return PARE_OK;
        }
        pare_front_end_forget_tree(front);
        pare_status status = reader_tree(front, &source, kind, &left, out, err);
        if (status) return status;
        if (!left) {
            front->last = pare_tree_ref(*out);
            front->last_file = file;
            front->last_kind = kind;
            return PARE_OK;
        }
    }
    return bracket_tree(&source, out, err);
}

/* An example with a syntax error teaches nothing: *out stays NULL. */
pare_status pare_front_end_example(pare_front_end *front, const pare_text *text,
                                   pare_front_end_view kind, pare_tree **out, pare_error *err)
{
    const struct source source = {
        .text = text, .bytes = (const char *)pare_text_bytes(text), .size = pare_text_size(text)};
    pare_parse_tree tree = {0};
    *out = NULL;
    /* Every text has brackets, so an example always teaches something then. */
    if (!front->reader) return bracket_tree(&source, out, err);
    drop_ahead(front);
    pare_status status =
        pare_reader_parse(front->reader, source.bytes, source.size, side_of(kind), &tree, err);
    if (!status && !tree.error.any) status = plant_islands(front, &tree, &source, kind, out, err);
    pare_parse_tree_done(&tree);
    return status;
}

/* Learned once; files that do not parse are counted and told. */
pare_status pare_front_end_templates(pare_front_end *front, const pare_gtr_templates **out,
                                     pare_error *err)
{
    pare_corpus_count files = {.n_learned = 0};
    *out = front->templates;
    if (front->templates || !front->n_corpus) return PARE_OK;
    pare_status status =
        pare_front_end_learn(front, front->corpus, front->n_corpus, &front->templates, &files, err);
    if (status) return status;
    *out = front->templates;
    if (!files.n_skipped) return PARE_OK;
    front->has_notice = true;
    (void)snprintf(front->notice, sizeof front->notice,
                   files.n_learned ? "%zu of %zu files of the corpus do not parse: gtr learns from "
                                     "the others"
                                   : "%zu of %zu files of the corpus do not parse: gtr learns "
                                     "nothing from them",
                   files.n_skipped, files.n_skipped + files.n_learned);
    return PARE_OK;
}

/* False after a text that mostly left the grammar, too. */
bool pare_front_end_by_grammar(const pare_front_end *front)
{
    return front->by_grammar;
}

/* Made once: they depend on the grammar alone. */
pare_status pare_front_end_expansions(pare_front_end *front, const pare_expansions **out,
                                      pare_error *err)
{
    pare_status status = PARE_OK;
    if (!has_grammar(front)) return pare_fail(err, PARE_E_ARG, "there is no grammar");
    if (!front->expansions)
        status =
            pare_grammar_expansions_new(pare_reader_facts(front->reader), &front->expansions, err);
    if (!status) *out = pare_grammar_expansions_of(front->expansions);
    return status;
}

/* Made once for the grammar; one over characters has no tokens, so no rules of them.
 * By the tree made last: a text that left the grammar has no tokens of it. */
pare_status pare_front_end_token_rules(pare_front_end *front, pare_token_grammar **out,
                                       pare_error *err)
{
    pare_status status = PARE_OK;
    *out = NULL;
    if (!front->by_grammar) return PARE_OK;
    const pare_grammar_rules *facts = pare_reader_facts(front->reader);
    if (pare_grammar_rules_grammar(facts)->scannerless) return PARE_OK;
    if (!front->token_rules)
        status =
            pare_token_grammar_new(pare_grammar_rules_minimal(facts), &front->token_rules, err);
    *out = front->token_rules;
    return status;
}
