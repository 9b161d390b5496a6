/* Parsing a text and printing its tree. */
#ifndef PARE_PARSE_H
#define PARE_PARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <pare/status.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum pare_tree_format {
    PARE_TREE_LISP, /* exactly ANTLR's toStringTree: rule names and token texts, one line */
    PARE_TREE_JSON, /* nested objects: kind, name, text, begin, end, children */
    PARE_TREE_DOT,  /* for Graphviz */
    PARE_TREE_SVG   /* a picture, one row for each node */
} pare_tree_format;

/* All-zero is the default; texts are borrowed for the call. */
typedef struct pare_parse_options {
    size_t struct_bytes;         /* 0, or its sizeof; see <pare/pare.h>, "Versions" */
    const char *const *grammars; /* paths of ANTLR v4 grammars, with their lexer, or one that
                                    ends in .json, of The Fuzzing Book */
    size_t n_grammars;           /* 0: by language */
    const char *language;        /* of tree-sitter; NULL: judged by the name of the input */
    const char *start;           /* rule of the grammar; NULL: its first parser rule */
    /* Stretches in other languages, as in pare_reduce_options. */
    const char *const *islands;
    size_t n_islands;
    pare_tree_format format;
    const char
        *symbol;    /* instead of the tree the texts of the subtrees of this rule or token, below
                           the root, a line each with \n, \r and \t escaped; NULL: the tree.  The Fuzzing
                           Book's names also without their brackets.  FORMAT is LISP then */
    uint32_t depth; /* of `symbol`: only those so many levels below the root; 0: all */
} pare_parse_options;

/* What came of a parse; ended by pare_parsed_done. */
typedef struct pare_parsed {
    char *tree;            /* owned; the printed tree, ended by a line feed and a NUL */
    size_t size_bytes;     /* of `tree`, without the NUL */
    bool in_language;      /* false: `line` .. `message` say where it left the grammar first */
    uint32_t line, column; /* line from 1, column from 0, in code points */
    char *message;         /* owned; NULL when in_language */
    char **warnings;       /* owned sentences: what of the grammar was not read */
    size_t n_warnings;
} pare_parsed;

PARE_API void pare_parsed_done(pare_parsed *parsed);

/* What follows, for those who cannot use this header, such as other languages: the size is that
 * of a struct of options whose struct_bytes is 0. */
PARE_API PARE_CHECK pare_status pare_parse_file_sized(const pare_parse_options *options,
                                                      size_t options_bytes, const char *path,
                                                      pare_parsed *parsed, pare_error *err);

/* Parses the file `path`.  Text outside the language is no error: the tree then has
 * opaque leaves.  On PARE_OK the caller owns *parsed, which has to be all-zero before.
 * Errors: PARE_E_ARG (no such start rule or language; both named), PARE_E_STATE (the
 * language is not added; nothing says how to parse), PARE_E_SYNTAX (a grammar is wrong),
 * PARE_E_IO, PARE_E_LIMIT, PARE_E_UNSUPPORTED, PARE_E_NOMEM.
 * Memory: some hundred bytes for each byte of the input. */
static inline PARE_CHECK pare_status pare_parse_file(const pare_parse_options *options,
                                                     const char *path, pare_parsed *parsed,
                                                     pare_error *err)
{
    return pare_parse_file_sized(options, sizeof *options, path, parsed, err);
}

#ifdef __cplusplus
}
#endif

#endif
