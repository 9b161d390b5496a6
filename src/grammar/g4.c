/* The reader of ANTLR v4 grammars: load, declare, translate, and say what was ignored. */
#include "grammar/g4.h"

#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/status.h"
#include "grammar/build.h"
#include "grammar/g4_ast.h"
#include "grammar/g4_lex.h"
#include "grammar/g4_load.h"
#include "grammar/g4_resolver.h"
#include "grammar/intervals.h"
#include "grammar/names.h"
#include "grammar/unicode.h"

static void warn_ignored(pare_g4_resolver *resolver)
{
    static const char *const sentences[PARE_G4_N_IGNORED] = {
        [PARE_G4_IGNORED_ACTION] = "actions are ignored",
        [PARE_G4_IGNORED_PREDICATE] = "predicates are taken as true",
        [PARE_G4_IGNORED_ARGUMENTS] = "arguments, return values and locals are ignored",
        [PARE_G4_IGNORED_HANDLER] = "exception handlers are ignored",
        [PARE_G4_IGNORED_NAMED_ACTION] = "named actions are ignored",
        [PARE_G4_IGNORED_SUPERCLASS] = "the superclass is ignored",
        [PARE_G4_IGNORED_ELEMENT_OPTION] = "options of elements are ignored",
    };
    const pare_g4_project *project = resolver->project;
    for (size_t kind = 0; kind < PARE_G4_N_IGNORED; kind++) {
        for (size_t i = 0; i < project->n_files; i++) {
            pare_g4_word place = project->files[i]->ignored[kind];
            if (!place.line) continue;
            pare_builder_warn(&resolver->builder, "%s:%u:%u: %s", project->files[i]->path,
                              place.line, place.column + 1, sentences[kind]);
            break;
        }
    }
}

/* The name of the parser grammar, or of the lexer when there is no parser. */
static const pare_g4_file *main_file(const pare_g4_project *project)
{
    return project->parser.n ? project->parser.items[0] : project->lexer.items[0];
}

static void resolver_done(pare_g4_resolver *resolver)
{
    pare_builder_done(&resolver->builder);
    pare_release(resolver->parser.items);
    pare_names_done(&resolver->parser.names);
    pare_release(resolver->lexer.items);
    pare_names_done(&resolver->lexer.names);
    pare_unicode_done(&resolver->unicode);
    pare_release(resolver->points.items);
    pare_buffer_done(&resolver->utf8);
    pare_intervals_done(&resolver->set);
    pare_release(resolver->map);
}

static pare_status resolve(const pare_g4_project *project, pare_grammar **out, pare_error *err)
{
    pare_g4_resolver resolver = {.project = project, .err = err};
    pare_status status = pare_builder_init(&resolver.builder, err);
    if (status) return status;
    const pare_g4_file *file = main_file(project);
    resolver.builder.grammar->name =
        pare_builder_text(&resolver.builder, file->name.text, file->name.size);
    status = pare_g4_declare(&resolver);
    if (!status && !resolver.parser.n && !resolver.lexer.n)
        status = pare_fail(err, PARE_E_SYNTAX, "%s: the grammar has no rules", file->path);
    if (!status) status = pare_g4_translate(&resolver);
    if (!status) warn_ignored(&resolver);
    if (!status) status = pare_builder_finish(&resolver.builder, out);
    resolver_done(&resolver);
    return status;
}

pare_status pare_g4_read_sources(const pare_g4_source *sources, size_t n,
                                 const pare_g4_options *options, pare_grammar **out,
                                 pare_error *err)
{
    static const pare_g4_options defaults = {0};
    pare_g4_project project = {0};
    pare_status status = pare_g4_load(&project, sources, n, options ? options : &defaults, err);
    if (!status) status = resolve(&project, out, err);
    pare_g4_project_done(&project);
    return status;
}

pare_status pare_g4_read(const char *const *paths, size_t n, pare_grammar **out, pare_error *err)
{
    pare_g4_source *sources = pare_alloc_zero(n, sizeof *sources);
    if (!sources) return pare_fail_nomem(err);
    for (size_t i = 0; i < n; i++)
        sources[i].path = paths[i];
    pare_status status = pare_g4_read_sources(sources, n, NULL, out, err);
    pare_release(sources);
    return status;
}
