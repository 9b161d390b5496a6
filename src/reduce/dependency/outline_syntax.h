/* What the parts of the reader of outlines from syntax trees share: a table for each language,
 * and the reader's state.
 *
 * outline_syntax.c finds the nodes, outline_syntax_names.c what each declares and uses,
 * outline_syntax_link.c what it uses of other files, outline_tables.c holds the tables.  A table says of few node types where a program may be cut;
 * what declares, what is a function and what a name means is said by the tables of
 * reduce/binding. */
#ifndef PARE_REDUCE_DEPENDENCY_OUTLINE_SYNTAX_H
#define PARE_REDUCE_DEPENDENCY_OUTLINE_SYNTAX_H

#include "reduce/binding/bindings.h"
#include "reduce/binding/syntax.h"
#include "reduce/dependency/outline.h"

/* What a node type is to an outline; any number of them. */
typedef enum pare_outline_mark {
    PARE_MARK_ITEMS = 1 << 0,    /* its children are nodes, which are needed by their names */
    PARE_MARK_MEMBERS = 1 << 1,  /* its children are members of what it is in */
    PARE_MARK_LARGE = 1 << 2,    /* that only if it is large */
    PARE_MARK_PARTS = 1 << 3,    /* its children but the last are nodes: what is left of a list must
                                   not end with a comma */
    PARE_MARK_SHELL = 1 << 4,    /* only there for what it holds */
    PARE_MARK_STAYS = 1 << 5,    /* as long as what it is in */
    PARE_MARK_CODE = 1 << 6,     /* a body, if it is a function's */
    PARE_MARK_OPENS = 1 << 7,    /* a body in which declarations are nodes, if there are several */
    PARE_MARK_LEADS = 1 << 8,    /* goes with what follows it */
    PARE_MARK_WHOLE = 1 << 9,    /* no nodes are in it */
    PARE_MARK_FILLED = 1 << 10,  /* its body holds members, and must not be empty */
    PARE_MARK_FOLLOWS = 1 << 11, /* an error where nothing uses it */
    PARE_MARK_MAKES = 1 << 12,   /* has its class's name */
    PARE_MARK_QUOTED = 1 << 13,  /* a literal that may be the name of a member */
    PARE_MARK_ASKED = 1 << 14,   /* a member that what is outside of the file may ask for */
    PARE_MARK_DATA = 1 << 15,    /* a value that is filled later: what is called of it may do so */
    PARE_MARK_LOOP = 1 << 16,    /* what it declares is for itself: a loop, an alias */
    PARE_MARK_SPREADS = 1 << 17, /* what its body declares is needed by its name alone */
    PARE_MARK_PATH = 1 << 18,    /* declares what the path in it ends with */
    PARE_MARK_ALL = 1 << 19,     /* makes what it stands in one that stays: all of a package */
    PARE_MARK_IMPORT = 1 << 20,  /* brings in names of other files */
    PARE_MARK_EXPORT = 1 << 21,  /* says what other files get: stays with its file, if nothing
                                    names it */
    PARE_MARK_STRING = 1 << 22,  /* a literal that may be a name, or begin one */
    PARE_MARK_GIVES = 1 << 23,   /* a literal in it may be one */
    PARE_MARK_ELEMENT = 1 << 24, /* of its first child an element */
    PARE_MARK_TAKES = 1 << 25,   /* declares what the member of its name is: `{a} = o` */
    PARE_MARK_REFERS = 1 << 26,  /* begins a clause that nothing needs, with the words after it */
    PARE_MARK_CLAUSE = 1 << 27   /* such a clause, if it holds one of those */
} pare_outline_mark;

/* One node type.  `tied` and `fulfils`: blank-separated fields or node types, as in
 * pare_syntax_kind; NULL: none. */
typedef struct pare_outline_kind {
    const char *type;
    uint32_t marks;      /* of pare_outline_mark */
    const char *tied;    /* children: needed with what these name */
    const char *fulfils; /* children: if they name what the file does not declare, what is outside
                            may ask for its members */
    const char *
        holds; /* what is in it before its body: of what these name each member that it declares itself
                            cannot go alone */
} pare_outline_kind;

typedef struct pare_outline_table pare_outline_table;
struct pare_outline_table {
    const char *names; /* of languages, blank-separated */
    const pare_outline_kind *kinds;
    size_t n_kinds;
    const pare_outline_table *extends; /* its kinds count where this has none of their type */
    const char *no_body;               /* stays in the place of a function's body */
    const char *no_names;   /* members that are none of their own: what is assigned to them is
                               assigned to what they are of; or NULL */
    const char *by_outside; /* methods that what is outside of the file calls; or NULL */
    const char
        *by_library; /* the same, but perhaps: tried where what is needed by names is not enough */
    const char *entry;    /* what a program starts with; or NULL */
    const char *defines;  /* functions that declare what their first argument says; or NULL */
    const char *asked_as; /* begins members that what is outside may ask for; NULL: all may be */
    bool by_text;         /* paths: what is at the end of one may be declared anywhere */
    bool any_case;        /* functions, methods and classes may be named in any case */
    bool unused_fails;    /* a variable of a function that nothing uses is an error */
    bool runs;            /* it has no compiler */
};

/* The table of the language; NULL: it has none. */
const pare_outline_table *pare_outline_table_find(const char *language);

/* What it says of a node type; NULL: nothing.  O(kinds). */
const pare_outline_kind *pare_outline_table_kind(const pare_outline_table *table, const char *type);

/* Whether `words`, which may be NULL, has the word of `size` bytes. */
bool pare_outline_table_has(const char *words, const char *word, size_t size);

/* The reader.  `file` is set while several files are read into one outline. */
typedef struct pare_outline_reader {
    const pare_outline_table *table;
    const pare_outline_file *file; /* borrowed; NULL: there is one file */
    uint32_t first, end;           /* nodes of the outline that are its own: first .. end-1 */
    pare_syntax syntax;
    pare_bindings names;
    pare_outline *outline;
    pare_error *err;
    const pare_outline_kind **kinds; /* owned; by symbol of the tree; NULL: not looked up */
    uint32_t n_kinds;
    uint32_t *owner;        /* owned; by syntax node: the innermost outline node, or
                                        PARE_NO_NODE */
    unsigned char *state;   /* owned; by syntax node: what holds of its children */
    unsigned char *returns; /* owned; by syntax node: it holds a `return` */
    uint32_t *roots;        /* owned; by node less `first`: its syntax node */
    size_t root_capacity;
} pare_outline_reader;

/* The marks of a syntax node, and its kind. */
const pare_outline_kind *pare_outline_syntax_kind(const pare_outline_reader *reader, uint32_t node);

/* Whether the place of the syntax node is inside of code that is no node of its own: what is
 * declared or assigned there is not needed by its name. */
bool pare_outline_syntax_in_code(const pare_outline_reader *reader, uint32_t node);

/* Whether it is a statement of a function that is opened and does not wrap all of the program: it
 * is run with all of the function, though nothing names it. */
bool pare_outline_syntax_is_local(const pare_outline_reader *reader, uint32_t node);

/* Whether the syntax node is, or holds, one of these marks. */
bool pare_outline_syntax_holds(const pare_outline_reader *reader, uint32_t node, uint32_t marks);

/* Whether a program that is run may rely on the node though nobody names it: a call at the outermost level, which may
 * register something, data of an object, or a method that a library calls on objects that it is given.  `named`: the
 * n names of the node. */
bool pare_outline_syntax_is_relied_on(const pare_outline_reader *reader, uint32_t node,
                                      const pare_outline_name *named, size_t n);

/* Whether the own node of the outline calls a function that it holds: `(function () { .. })()`. */
bool pare_outline_syntax_runs_at_once(const pare_outline_reader *reader, uint32_t node);

/* What of a statement or member says what it is: down through what only holds it. */
uint32_t pare_outline_syntax_core(const pare_outline_reader *reader, uint32_t node);

/* The text of the name at `leaf`, borrowed, without the quotes that SQL has names in. */
const char *pare_outline_syntax_name(const pare_outline_reader *reader, uint32_t leaf,
                                     size_t *size);

/* The name at the left end of an access, such as a of `a.b[c]`; PARE_NO_NODE: something else is there, or
 * `node` is PARE_NO_NODE. */
uint32_t pare_outline_syntax_base(const pare_outline_reader *reader, uint32_t node);

/* Whether the value is a member that is none by itself, of something with a name: `X.prototype`. */
bool pare_outline_syntax_is_alias(const pare_outline_reader *reader, uint32_t value);

/* What the name at `leaf` is bound to; PARE_NO_SYMBOL: nothing in this file, or `leaf` is
 * PARE_NO_NODE. */
uint32_t pare_outline_syntax_symbol(const pare_outline_reader *reader, uint32_t leaf);

/* The node of which `node`, a statement or one in it, is a piece: mostly a body.  Else the node itself. */
uint32_t pare_outline_syntax_whole(const pare_outline_reader *reader, uint32_t node);

/* Syntax node of an own node of the outline. */
static inline uint32_t pare_outline_syntax_root(const pare_outline_reader *reader, uint32_t node)
{
    return reader->roots[node - reader->first];
}

/* What each name of a file means to the outline: outline_syntax_names.c. */
typedef struct pare_outline_namer pare_outline_namer;

/* Once all nodes of the reader's file are there.  On PARE_OK the caller owns *out; it borrows the reader.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_outline_syntax_names_new(pare_outline_reader *reader,
                                                     pare_outline_namer **out);
void pare_outline_syntax_names_free(pare_outline_namer *namer); /* NULL is a no-op */

/* The steps of pare_outline_part, see outline.h.  Errors: PARE_E_NOMEM, PARE_E_LIMIT. */
PARE_CHECK pare_status pare_outline_syntax_names_declare(pare_outline_namer *namer);
PARE_CHECK pare_status pare_outline_syntax_names_tie(pare_outline_namer *namer);
void pare_outline_syntax_names_settle(pare_outline_namer *namer);

/* Ties classes to the members with which they fulfil interfaces (outline_syntax_fulfils.c), once all names are known
 * and sorted.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_outline_syntax_fulfils_tie(const pare_outline_reader *reader);
PARE_CHECK pare_status pare_outline_syntax_names_use(pare_outline_namer *namer);

/* The node uses a member of that text, if any node declares one; twice is once.  Only while
 * pare_outline_syntax_names_use runs.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_outline_syntax_names_use_member(pare_outline_namer *namer,
                                                            uint32_t node, const char *text,
                                                            size_t size);

/* Adds the weak uses of what the strings of the file may name, once all files have declared their names
 * (outline_syntax_strings.c).  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_outline_syntax_strings_use(pare_outline_reader *reader);

/* Adds what statements, and bodies of which they are pieces, need of one another by their variables
 * (outline_syntax_variables.c).  The names are to be sorted anew then.  Errors: PARE_E_NOMEM, PARE_E_LIMIT. */
PARE_CHECK pare_status pare_outline_syntax_variables_use(pare_outline_reader *reader);

#endif
