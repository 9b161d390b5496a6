/* The shared collection of ANTLR grammars with example inputs, case by case.
 * Include after <cmocka.h> and <jansson.h>. */
#ifndef PARE_TESTS_CLI_COLLECTION_H
#define PARE_TESTS_CLI_COLLECTION_H

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grammar/grammar_file.h"
#include "os/file.h"

enum { COLLECTION_PATH = 4096 };

struct collected {
    const char *name;
    char folder[COLLECTION_PATH];
    pare_grammar *grammar; /* NULL: it cannot be read */
    pare_index start;
};

static inline const char *collection_path(void)
{
    static char path[COLLECTION_PATH];
    const char *shared = getenv("PARE_SHARED"), *source = getenv("PARE_SOURCE_DIR");
    if (shared)
        (void)snprintf(path, sizeof path, "%s/grammars-v4", shared);
    else
        (void)snprintf(path, sizeof path, "%s/../shared/grammars-v4", source ? source : ".");
    return path;
}

/* Neither hidden nor an answer of ANTLR's. */
static inline int collection_is_input(const struct dirent *entry)
{
    const char *dot = strrchr(entry->d_name, '.');
    if (entry->d_name[0] == '.') return 0;
    return !dot || (strcmp(dot, ".ref") && strcmp(dot, ".tree") && strcmp(dot, ".errors"));
}

static inline void collection_visit(const char *name,
                                    void (*visit)(void *context, const struct collected *),
                                    void *context)
{
    struct collected collected = {.name = name};
    char spec_path[2 * COLLECTION_PATH], parser[2 * COLLECTION_PATH], lexer[2 * COLLECTION_PATH];
    const char *paths[2] = {parser, lexer};
    (void)snprintf(collected.folder, sizeof collected.folder, "%.3800s/%.250s", collection_path(),
                   name);
    (void)snprintf(spec_path, sizeof spec_path, "%s/case.json", collected.folder);
    json_t *spec = json_load_file(spec_path, 0, NULL);
    if (!spec) return;
    const char *lexer_name = json_string_value(json_object_get(spec, "lexer"));
    (void)snprintf(parser, sizeof parser, "%s/%s", collected.folder,
                   json_string_value(json_object_get(spec, "parser")));
    if (lexer_name) (void)snprintf(lexer, sizeof lexer, "%s/%s", collected.folder, lexer_name);
    pare_error err = {0};
    if (pare_grammar_file_read_g4(paths, lexer_name ? 2 : 1, &collected.grammar, &err) != PARE_OK)
        print_message("unread %s: %s\n", name, err.message);
    if (collected.grammar)
        collected.start = pare_grammar_find_rule(collected.grammar,
                                                 json_string_value(json_object_get(spec, "start")));
    visit(context, &collected);
    pare_grammar_free(collected.grammar);
    json_decref(spec);
}

/* Visits every case (every `stride`-th; ONLY=name: that one); gives their number. */
static inline size_t collection_walk(int stride,
                                     void (*visit)(void *context, const struct collected *),
                                     void *context)
{
    struct dirent **entries = NULL;
    const char *only = getenv("ONLY");
    int n = scandir(collection_path(), &entries, collection_is_input, alphasort);
    for (int i = 0; i < n; i++) {
        const char *name = entries[i]->d_name;
        if (only ? strcmp(only, name) == 0 : i % stride == 0)
            collection_visit(name, visit, context);
        (free)(entries[i]);
    }
    (free)(entries);
    return n > 0 ? (size_t)n : 0;
}

#endif
