/* The shared collection of ANTLR grammars with example inputs: opening a case, and its
 * inputs.  Include after <cmocka.h>. */
#ifndef PARE_TESTS_ANTLR_CASE_H
#define PARE_TESTS_ANTLR_CASE_H

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "grammar/grammar_file.h"
#include "parse/parser.h"

enum { PATH_BYTES = 4096 };

/* One folder of the collection. */
struct antlr_case {
    char folder[PATH_BYTES];
    const char *name;
    pare_grammar *grammar;
    pare_parser *parser;
};

/* Path of the collection, whether it is there or not. */
static inline const char *antlr_collection(void)
{
    static char path[PATH_BYTES / 2];
    const char *shared = getenv("PARE_SHARED"), *source = getenv("PARE_SOURCE_DIR");
    if (shared)
        snprintf(path, sizeof path, "%s/grammars-v4", shared);
    else
        snprintf(path, sizeof path, "%s/../shared/grammars-v4", source ? source : ".");
    return path;
}

static inline json_t *antlr_load(const char *folder, const char *name)
{
    char path[2 * PATH_BYTES];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return json_load_file(path, JSON_ALLOW_NUL, NULL);
}

/* Neither hidden nor one of the answers. */
static inline int antlr_is_input(const struct dirent *entry)
{
    const char *dot = strrchr(entry->d_name, '.');
    if (entry->d_name[0] == '.') return 0;
    return !dot || (strcmp(dot, ".ref") && strcmp(dot, ".tree") && strcmp(dot, ".errors"));
}

/* Reads the grammar of case `spec`; false, with a line printed, when that is not
 * possible. */
static inline bool antlr_read_grammar(struct antlr_case *c, const json_t *spec)
{
    char parser[2 * PATH_BYTES], lexer[2 * PATH_BYTES];
    const char *paths[2] = {parser, lexer};
    const char *lexer_name = json_string_value(json_object_get(spec, "lexer"));
    snprintf(parser, sizeof parser, "%s/%s", c->folder,
             json_string_value(json_object_get(spec, "parser")));
    if (lexer_name) snprintf(lexer, sizeof lexer, "%s/%s", c->folder, lexer_name);
    pare_error err = {0};
    pare_status status = pare_grammar_file_read_g4(paths, lexer_name ? 2 : 1, &c->grammar, &err);
    if (status == PARE_OK) {
        const char *start = json_string_value(json_object_get(spec, "start"));
        pare_index rule = pare_grammar_find_rule(c->grammar, start);
        status = pare_parser_new(c->grammar, rule, &c->parser, &err);
    }
    if (status != PARE_OK) printf("unread    %s: %s\n", c->name, err.message);
    return status == PARE_OK;
}

static inline void antlr_close(struct antlr_case *c)
{
    pare_parser_free(c->parser);
    pare_grammar_free(c->grammar);
}

#endif
