/* A file as libclang sees it: its cursors as nodes, and which declaration each refers to.
 *
 * Only what stands in the file itself is a node, by offsets in its bytes; declarations and their
 * redeclarations are one symbol.  Borrows the text; one thread. */
#ifndef PARE_TOOLS_CLANG_EDITS_CLANG_SOURCE_H
#define PARE_TOOLS_CLANG_EDITS_CLANG_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/fail.h"
#include "clang_edits/libclang.h"

#define PARE_CLANG_NONE UINT32_MAX

typedef struct pare_clang_node {
    pare_libclang_cursor cursor;
    uint32_t from, to; /* bytes */
    uint32_t name;     /* where its name stands, of a declaration */
    uint32_t parent;   /* PARE_CLANG_NONE: of the first ones */
    uint32_t after;    /* the first node that is not below it */
    uint32_t symbol;   /* of a declaration: the node that declares it first; else NONE */
    uint32_t next;     /* the next declaration of the same symbol; or NONE */
    uint32_t target;   /* of a reference: the symbol that it means; else NONE */
    bool in_template;  /* what it means may depend on arguments */
} pare_clang_node;

/* All-zero: to be given to done. */
typedef struct pare_clang_source {
    const pare_libclang *clang; /* borrowed */
    const char *text;           /* borrowed */
    size_t size;                /* bytes */
    pare_clang_node *nodes;     /* owned; pre-order */
    uint32_t n;
    size_t capacity;
    void *file;        /* libclang's, of the text */
    uint32_t *slots;   /* owned; symbols by the hash of their cursors */
    size_t n_slots;    /* a power of two */
    uint32_t *by_name; /* owned; symbols by the byte at which their name begins */
} pare_clang_source;

/* What is parsed. */
typedef struct pare_clang_task {
    const char *name; /* of the file; "input.cc" */
    const char *text;
    size_t size;
    const char *const *arguments; /* of the compiler */
    int n_arguments;
} pare_clang_task;

/* Parses the text.  On PARE_OK the caller ends *out; what libclang holds stays until the end of the
 * process.  Errors: PARE_E_SYNTAX (libclang gives up, or crashes), PARE_E_NOMEM. */
PARE_CHECK pare_status pare_clang_source_parse(const pare_libclang *clang,
                                               const pare_clang_task *task, pare_clang_source *out,
                                               pare_error *err);
void pare_clang_source_done(pare_clang_source *source);

/* Whether the node declares something, or is a template that does. */
bool pare_clang_source_is_declaration(const pare_clang_node *node);

/* The symbol that the cursor means: the pattern, of what is made of a template; NONE: it is not
 * declared in the file. */
uint32_t pare_clang_source_symbol(const pare_clang_source *source, pare_libclang_cursor cursor);

#endif
