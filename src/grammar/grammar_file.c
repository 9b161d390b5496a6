/* Grammars in files, whatever their notation: the extension tells it.
 *
 * One file that ends in .json is a grammar of The Fuzzing Book; anything else is ANTLR's, which
 * may be several files.  (A grammar.json of tree-sitter comes with a language, lang/.)
 *
 * A file of ANTLR's is loaded once, by the name that it declares or is called by; it brings in
 * what it imports and the lexer that it names by tokenVocab.  Imports form a graph that may have
 * circles.  Which rule counts where two files define the same one follows from the order of the
 * files: a depth-first walk over the imports, each file at its first visit, which is ANTLR's
 * order.  The resolver (g4_resolve.c) makes one grammar of what was loaded.
 * Source: Parr, The Definitive ANTLR 4 Reference, chapter 15 (grammar imports, tokenVocab). */

#include "grammar/grammar_file.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "base/vector.h"
#include "grammar/fuzzingbook.h"
#include "grammar/g4.h"
#include "os/file.h"

/* The notation is told by the name: one file that ends in .json is of The Fuzzing Book, anything
 * else is ANTLR's. */
pare_status pare_grammar_file_read(const char *const *paths, size_t n, pare_grammar **out,
                                   pare_error *err)
{
    assert(n && "a grammar is named");
    const char *dot = strrchr(paths[0], '.');
    if (n == 1 && dot && strcmp(dot, ".json") == 0)
        return pare_fuzzingbook_read(paths[0], out, err);
    return pare_grammar_file_read_g4(paths, n, out, err);
}

/* A rule by its name, which may be given without its brackets if the grammar is The Fuzzing
 * Book's. */
static pare_index find(const pare_grammar *grammar, const char *name)
{
    size_t size = strlen(name);
    pare_index found = pare_grammar_find_rule(grammar, name);
    for (pare_index r = 0; found == PARE_NO_INDEX && grammar->scannerless && r < grammar->n_rules;
         r++) {
        const char *other = grammar->rules[r].name;
        if (other[0] == '<' && strlen(other) == size + 2 && memcmp(other + 1, name, size) == 0)
            found = r;
    }
    return found;
}

/* The name that the user gave, or the first parser rule. */
pare_status pare_grammar_file_start(const pare_grammar *grammar, const char *name, pare_index *out,
                                    pare_error *err)
{
    pare_index start = name ? find(grammar, name) : pare_grammar_start(grammar);
    if (start == PARE_NO_INDEX && name)
        return pare_fail(err, PARE_E_ARG, "the grammar has no rule '%s'", name);
    if (start == PARE_NO_INDEX)
        return pare_fail(err, PARE_E_ARG, "the grammar has no parser rule to start with");
    /* Found by its name: the default one is a parser rule. */
    if (grammar->rules[start].kind != PARE_RULE_PARSER)
        return pare_fail(err, PARE_E_ARG, "the grammar's '%s' is a token: start with a parser rule",
                         name ? name : "");
    *out = start;
    return PARE_OK;
}

/* Reads the grammar and finds its start rule; without a rule of that name the grammar is of no use,
 * and is freed. */
pare_status pare_grammar_file_open(const char *const *paths, size_t n, const char *start_name,
                                   pare_grammar **out, pare_index *start, pare_error *err)
{
    pare_grammar *grammar = NULL;
    pare_status status = pare_grammar_file_read(paths, n, &grammar, err);
    if (!status) status = pare_grammar_file_start(grammar, start_name, start, err);
    if (status)
        pare_grammar_free(grammar);
    else
        *out = grammar;
    return status;
}

/* ---- the files of one of ANTLR's grammars ------------------------------------------------ */

/* One reading of a grammar, while its files are collected. */
struct loader {
    pare_g4_project *project;
    const pare_g4_options *options;
    pare_error *err;
};

/* Frees all files of a grammar.  The model that was made of them has copies of its texts. */
static void done_project(pare_g4_project *project)
{
    for (size_t i = 0; i < project->n_files; i++) {
        pare_g4_parse_done(project->files[i]);
        pare_alloc_free(project->files[i]);
    }
    pare_alloc_free(project->files);
    pare_alloc_free(project->parser.items);
    pare_alloc_free(project->lexer.items);
    *project = (pare_g4_project){0};
}

/* --- files ----------------------------------------------------------------- */

/* An empty file of the project, for `path`; NULL when memory is out. */
static pare_g4_file *new_file(pare_g4_project *project, const char *path)
{
    pare_g4_file **files = pare_vector_grow(project->files, project->n_files,
                                            &project->files_capacity, sizeof(pare_g4_file *));
    if (!files) return NULL;
    project->files = files;
    pare_g4_file *file = pare_alloc_zero(1, sizeof *file);
    if (!file) return NULL;
    files[project->n_files++] = file;
    file->path = pare_alloc_text(path, strlen(path));
    return file->path ? file : NULL;
}

/* Reads and parses one file, from memory if the caller has its text.  The file is part of the
 * project from here on, also when it fails, so that it is released. */
static pare_status load(struct loader *loader, const pare_g4_source *source)
{
    pare_g4_file *file = new_file(loader->project, source->path);
    if (!file) return pare_fail_nomem(loader->err);
    pare_status status = source->text
                             ? pare_buffer_add(&file->text, source->text, source->size, loader->err)
                             : pare_file_read(source->path, &file->text, loader->err);
    if (status) return status;
    return pare_g4_parse(file, loader->err);
}

/* Whether the file's grammar is called `name`, or the file is. */
static bool is_called(const pare_g4_file *file, pare_g4_word name)
{
    if (file->name.size == name.size && memcmp(file->name.text, name.text, name.size) == 0)
        return true;
    /* A file need not be called as its grammar says. */
    const char *slash = strrchr(file->path, '/');
    const char *base = slash ? slash + 1 : file->path;
    return strncmp(base, name.text, name.size) == 0 && strcmp(base + name.size, ".g4") == 0;
}

/* The first file that is called so.  A project has a handful of files, so nothing is indexed. */
static pare_g4_file *find_file(const pare_g4_project *project, pare_g4_word name)
{
    for (size_t i = 0; i < project->n_files; i++)
        if (is_called(project->files[i], name)) return project->files[i];
    return NULL;
}

/* Loads FOLDER/NAME.g4 if it is there. */
static pare_status try_folder(struct loader *loader, const char *folder, size_t folder_size,
                              pare_g4_word name, bool *found)
{
    pare_buffer path = {0};
    pare_status status = pare_buffer_add(&path, folder, folder_size, loader->err);
    if (!status)
        status = pare_buffer_format(&path, loader->err, "%.*s.g4", (int)name.size, name.text);
    if (!status) {
        *found = pare_file_exists(path.data);
        if (*found) status = load(loader, &(pare_g4_source){.path = path.data});
    }
    pare_buffer_done(&path);
    return status;
}

/* Makes sure that the grammar `name`, which `by` asks for, is loaded if it exists. */
static pare_status need(struct loader *loader, const pare_g4_file *by, pare_g4_word name,
                        bool *found)
{
    *found = find_file(loader->project, name) != NULL;
    if (*found || loader->options->memory_only) return PARE_OK;
    const char *slash = strrchr(by->path, '/');
    size_t folder_size = slash ? (size_t)(slash + 1 - by->path) : 0;
    /* The folder of the file that asks comes first, then the library. */
    pare_status status = try_folder(loader, by->path, folder_size, name, found);
    const char *library = loader->options->library;
    if (status || *found || !library) return status;
    pare_buffer folder = {0};
    status = pare_buffer_format(&folder, loader->err, "%s/", library);
    if (!status) status = try_folder(loader, folder.data, folder.size, name, found);
    pare_buffer_done(&folder);
    return status;
}

/* Loads what `file` imports.  An import that is not there is a mistake, told where it is
 * written. */
static pare_status load_needed(struct loader *loader, const pare_g4_file *file)
{
    for (size_t i = 0; i < file->imports.n; i++) {
        pare_g4_word name = file->imports.items[i];
        bool found;
        pare_status status = need(loader, file, name, &found);
        if (status) return status;
        if (!found)
            return pare_g4_lex_fail(file->path, name, loader->err,
                                    "the imported grammar '%.*s' was not found", (int)name.size,
                                    name.text);
    }
    return PARE_OK;
}

/* --- roots and parts ------------------------------------------------------- */

/* Whether another file imports this one. */
static bool is_imported(const pare_g4_project *project, const pare_g4_file *file)
{
    for (size_t i = 0; i < project->n_files; i++) {
        const pare_g4_file *other = project->files[i];
        for (size_t k = 0; k < other->imports.n && other != file; k++)
            if (find_file(project, other->imports.items[k]) == file) return true;
    }
    return false;
}

/* The one given grammar that nothing imports, of the lexer kind or of another; NULL: none is
 * given.  When all of them are imported, in a circle, it is the first.  Errors: PARE_E_ARG if
 * there are two. */
static pare_status find_root(struct loader *loader, bool is_lexer, const pare_g4_file **root)
{
    const pare_g4_project *project = loader->project;
    const pare_g4_file *first = NULL;
    *root = NULL;
    for (size_t i = 0; i < project->n_given; i++) {
        const pare_g4_file *file = project->files[i];
        if ((file->kind == PARE_G4_LEXER_GRAMMAR) != is_lexer) continue;
        if (!first) first = file;
        /* Given, but a part of another one: then that is the root. */
        if (is_imported(project, file)) continue;
        if (*root)
            return pare_fail(loader->err, PARE_E_ARG, "%s and %s are both %s: give one of them",
                             (*root)->path, file->path, is_lexer ? "lexers" : "parsers");
        *root = file;
    }
    if (!*root) *root = first;
    return PARE_OK;
}

/* Whether a file is in the list already: a grammar may import another one by two ways. */
static bool is_part(const pare_g4_parts *parts, const pare_g4_file *file)
{
    for (size_t i = 0; i < parts->n; i++)
        if (parts->items[i] == file) return true;
    return false;
}

/* Appends a file; the list borrows it. */
static pare_status add_part(pare_g4_parts *parts, const pare_g4_file *file, pare_error *err)
{
    const pare_g4_file **items =
        pare_vector_grow(parts->items, parts->n, &parts->capacity, sizeof(pare_g4_file *));
    if (!items) return pare_fail_nomem(err);
    parts->items = items;
    parts->items[parts->n++] = file;
    return PARE_OK;
}

/* Appends `root` and what it imports, each file at its first visit, depth first: a file is
 * taken off a stack, and its imports are put on it last one first.  An explicit stack, since
 * imports may form a circle of any length. */
static pare_status collect(struct loader *loader, const pare_g4_file *root, pare_g4_parts *parts)
{
    pare_g4_parts stack = {0};
    pare_status status = add_part(&stack, root, loader->err);
    while (!status && stack.n) {
        const pare_g4_file *file = stack.items[--stack.n];
        if (is_part(parts, file)) continue;
        status = add_part(parts, file, loader->err);
        for (size_t i = file->imports.n; i > 0 && !status; i--)
            status = add_part(&stack, find_file(loader->project, file->imports.items[i - 1]),
                              loader->err);
    }
    pare_alloc_free(stack.items);
    return status;
}

/* The lexer of a parser grammar: the one given, or the one its tokenVocab names. */
static pare_status find_lexer(struct loader *loader, const pare_g4_file *parser,
                              const pare_g4_file **lexer)
{
    pare_g4_word name = parser->vocabulary;
    bool found = false;
    if (*lexer || !name.size) return PARE_OK;
    pare_status status = need(loader, parser, name, &found);
    if (status) return status;
    if (!found)
        return pare_g4_lex_fail(parser->path, name, loader->err, "the lexer '%.*s' was not found",
                                (int)name.size, name.text);
    *lexer = find_file(loader->project, name);
    assert(*lexer);
    return load_needed(loader, *lexer);
}

/* Finds the roots and puts what they import after each of them.  The roots are the parser or
 * combined grammar, and the lexer; a combined grammar is both. */
static pare_status find_parts(struct loader *loader)
{
    pare_g4_project *project = loader->project;
    const pare_g4_file *parser, *lexer;
    pare_status status = find_root(loader, false, &parser);
    if (!status) status = find_root(loader, true, &lexer);
    if (status) return status;
    project->is_combined = parser && parser->kind == PARE_G4_COMBINED;
    if (project->is_combined)
        lexer = parser;
    else if (parser)
        status = find_lexer(loader, parser, &lexer);
    /* The lexer may need files that nothing else has asked for. */
    for (size_t i = project->n_given; i < project->n_files && !status; i++)
        status = load_needed(loader, project->files[i]);
    if (!status && parser) status = collect(loader, parser, &project->parser);
    if (!status && lexer) status = collect(loader, lexer, &project->lexer);
    return status;
}

/* Loads the given files, then what they need.  Files are appended while the loop runs, so it
 * also looks at those that came in by an import, until no new one is needed. */
static pare_status load_project(pare_g4_project *project, const pare_g4_source *sources, size_t n,
                                const pare_g4_options *options, pare_error *err)
{
    struct loader loader = {.project = project, .options = options, .err = err};
    if (!n) return pare_fail(err, PARE_E_ARG, "no grammar is given");
    pare_status status = PARE_OK;
    for (size_t i = 0; i < n && !status; i++)
        status = load(&loader, &sources[i]);
    project->n_given = project->n_files;
    for (size_t i = 0; i < project->n_files && !status; i++)
        status = load_needed(&loader, project->files[i]);
    if (!status) status = find_parts(&loader);
    return status;
}

/* Two steps: all files are loaded and parsed first, imports included; then names are resolved over
 * all of them. */
pare_status pare_grammar_file_read_g4_sources(const pare_g4_source *sources, size_t n,
                                              const pare_g4_options *options, pare_grammar **out,
                                              pare_error *err)
{
    static const pare_g4_options defaults = {0};
    pare_g4_project project = {0};
    pare_status status = load_project(&project, sources, n, options ? options : &defaults, err);
    if (!status) status = pare_g4_resolve(&project, out, err);
    done_project(&project);
    return status;
}

/* Reads from the paths only; the texts are read when a file is loaded. */
pare_status pare_grammar_file_read_g4(const char *const *paths, size_t n, pare_grammar **out,
                                      pare_error *err)
{
    pare_g4_source *sources = pare_alloc_zero(n, sizeof *sources);
    if (!sources) return pare_fail_nomem(err);
    for (size_t i = 0; i < n; i++)
        sources[i].path = paths[i];
    pare_status status = pare_grammar_file_read_g4_sources(sources, n, NULL, out, err);
    pare_alloc_free(sources);
    return status;
}
