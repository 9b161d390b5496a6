/* The outline of a program: its declarations, nested as in the text, with the names that each
 * declares and uses.  What the dependency graph (dependency.h) is made of.
 *
 * Its reader for C and C++ is outline_c.c: from tokens and brackets, because those files hold
 * extensions that no grammar knows, and a header of 5 MB is read in a tenth of a second.  For
 * other languages it is outline_syntax.c, from the syntax tree.
 *
 * Owned by who asked for it; one thread. */
#ifndef PARE_REDUCE_DEPENDENCY_OUTLINE_H
#define PARE_REDUCE_DEPENDENCY_OUTLINE_H

#include "base/buffer.h"
#include "base/hash_index.h"
#include "reduce/passes/pass.h"

#define PARE_NO_WORD UINT32_MAX

/* What a node is; any number of them. */
typedef enum pare_outline_role {
    PARE_OUTLINE_SHELL = 1 << 0,    /* only there for what it holds: a name space */
    PARE_OUTLINE_BODY = 1 << 1,     /* of its parent, a function; a text stays in its place */
    PARE_OUTLINE_FORCED = 1 << 2,   /* stays as long as its parent; without one: always */
    PARE_OUTLINE_MEMBER = 1 << 3,   /* needed when its parent is kept and its name is used */
    PARE_OUTLINE_FUNCTION = 1 << 4, /* may be one of several of the same name */
    PARE_OUTLINE_CLASS = 1 << 5,
    PARE_OUTLINE_SPECIAL = 1 << 6,  /* needed when its name's class, or function, is kept, and the
                                      classes of its signature: a specialisation, a guide */
    PARE_OUTLINE_OUTSIDE = 1 << 7,  /* defines a member outside of its class */
    PARE_OUTLINE_VIRTUAL = 1 << 8,  /* uses its own name: what it overrides stays with it */
    PARE_OUTLINE_LINE = 1 << 9,     /* must begin a line */
    PARE_OUTLINE_DATA = 1 << 10,    /* a data member */
    PARE_OUTLINE_MAKES = 1 << 11,   /* a constructor */
    PARE_OUTLINE_TIED = 1 << 12,    /* needed when the classes of its signature are kept; a member,
                                      when its name is used, too */
    PARE_OUTLINE_FILLED = 1 << 13,  /* must not be empty: a text stays where all in it goes */
    PARE_OUTLINE_FOLLOWS = 1 << 14, /* an error where nothing uses it: goes with its last use */
    PARE_OUTLINE_PIECE = 1 << 15,   /* of its parent's text: a statement, a class's bases */
    PARE_OUTLINE_FORWARD = 1 << 16, /* a class that is only declared */
    PARE_OUTLINE_LAST = 1 << 17,    /* of its list: what stands after it is of its parent */
    PARE_OUTLINE_BASES = 1 << 18,   /* a piece: what its parent, a class, inherits from, or what an
                                      alias stands for: members are reached through it */
    PARE_OUTLINE_ENTRY =
        1 << 19, /* runs when the program is started: a statement of its main file */
    PARE_OUTLINE_LAYOUT = 1 << 20, /* a member that code which is compiled elsewhere relies on */
    PARE_OUTLINE_NAMELESS =
        1 << 21,                 /* a class in a class: its members are those of the outer one */
    PARE_OUTLINE_MAIN = 1 << 22, /* of the file that was preprocessed, not of a header */
    PARE_OUTLINE_ENUMERATION = 1 << 23,
    PARE_OUTLINE_OVERRIDES =
        1 << 24, /* says that it overrides a base's function: an error without that */
    PARE_OUTLINE_VALUE = 1 << 25 /* what the variable of a statement is made from */
} pare_outline_role;

typedef struct pare_outline_node {
    uint32_t begin, end; /* bytes of the text */
    uint32_t parent, after;
    uint32_t roles;
    uint32_t space;   /* in which its names are declared */
    uint32_t scope;   /* in which those that it uses are looked up; 0: in `space` */
    const char *rest; /* static; what stays in its place; NULL: nothing, of a body no_body */
} pare_outline_node;

/* Whether names are looked up to the node: to others they lead in other ways. */
static inline bool pare_outline_is_plain(const pare_outline_node *node)
{
    return !(node->roles & (PARE_OUTLINE_MEMBER | PARE_OUTLINE_SPECIAL | PARE_OUTLINE_OUTSIDE));
}

/* A name space; 0 is the global one.  A closed one is that of a file's imports: what they bring in is
 * known in the spaces inside of it, and to those who import it from there, and to nobody else. */
typedef struct pare_outline_space {
    uint32_t parent, word, depth;
    bool closed;
} pare_outline_space;

/* A name that a node declares. */
typedef struct pare_outline_name {
    uint32_t node, word;
} pare_outline_name;

/* How a node uses a name. */
typedef enum pare_outline_use_kind {
    PARE_OUTLINE_PLAIN,     /* looked up in the spaces around */
    PARE_OUTLINE_QUALIFIED, /* in the space, or class, called `qualifier` */
    PARE_OUTLINE_NEAREST,   /* the same, of several spaces called so in the one that is nearest */
    PARE_OUTLINE_GLOBAL,    /* in any space */
    PARE_OUTLINE_PART,      /* as a member only */
    PARE_OUTLINE_INSIDE,    /* the same, of the class called `qualifier` or of a base of it */
    PARE_OUTLINE_OPERATOR,  /* an operator's sign: of a member, or where the classes are kept */
    PARE_OUTLINE_SIGNATURE, /* decides for which classes its node is needed; no need; with any qualifier
                               it may be a class of any space */
    PARE_OUTLINE_LOCAL,     /* a variable of a statement, which is a node: `word` */
    PARE_OUTLINE_HELD, /* a part of the node, which is a node: `word`; it does not come along, and is
                               missed where it was */
    PARE_OUTLINE_MADE,     /* what a constructor's initialiser begins with: no need by its name */
    PARE_OUTLINE_IMPORTED, /* in the space called `qualifier`; if that has none, in any */
    PARE_OUTLINE_LISTED, /* a class, of which a list of values is given: no need, but one of its data members */
    PARE_OUTLINE_WEAK /* perhaps, by a string: comes along, and may go all the same */
} pare_outline_use_kind;

typedef struct pare_outline_use {
    uint32_t node, word;
    uint32_t qualifier; /* a word, or PARE_NO_WORD */
    uint32_t kind;      /* pare_outline_use_kind */
    uint32_t
        within; /* of PARE_OUTLINE_INSIDE, what the qualifier is looked up in: the space or class called
                           so, the spaces around (0), or that is not known (PARE_NO_WORD) */
} pare_outline_use;

/* A name's text: bytes of pare_outline.texts. */
typedef struct pare_outline_word {
    uint32_t at, size;
    bool spreads; /* it names something that is used without its name, too: a trait */
} pare_outline_word;

/* In the space the names of that which is called `word` are known, too: `using namespace`. */
typedef struct pare_outline_directive {
    uint32_t space, word;
} pare_outline_directive;

/* Without `part`, which is a part of it, the node declares what `rival` does: both together are an error then. */
typedef struct pare_outline_rival {
    uint32_t node, part, rival;
} pare_outline_rival;

/* All-zero: empty. */
typedef struct pare_outline {
    pare_outline_node *nodes; /* in pre-order */
    size_t n_nodes, node_capacity;
    pare_outline_name *names;
    size_t n_names, name_capacity;
    pare_outline_use *uses;
    size_t n_uses, use_capacity;
    pare_outline_space *spaces;
    size_t n_spaces, space_capacity;
    pare_hash_index space_index;        /* by parent and word */
    pare_outline_directive *directives; /* in the order of their words, once all are read */
    size_t n_directives, directive_capacity;
    pare_outline_rival *rivals;
    size_t n_rivals, rival_capacity;
    pare_outline_word *words;
    size_t n_words, word_capacity;
    pare_hash_index word_index;
    pare_buffer texts;
    const char *no_body; /* what stays in the place of a body; static */
    bool runs;           /* the language has no compiler, or it is not heard */
    bool checked;        /* it runs, but for a compiler that reads some of it before */
    bool members_hide;   /* in a class its own members hide all else of their names */
} pare_outline;

/* Whether the name space `space` is `inner` or around it.  O(depth). */
static inline bool pare_outline_is_around(const pare_outline *outline, uint32_t space,
                                          uint32_t inner)
{
    while (outline->spaces[inner].depth > outline->spaces[space].depth)
        inner = outline->spaces[inner].parent;
    return space == inner;
}

void pare_outline_done(pare_outline *outline); /* all-zero is a no-op */

/* Appends one; the index of the node, or the number of the word (an equal one that is there).
 * Errors: PARE_E_NOMEM, PARE_E_LIMIT. */
PARE_CHECK pare_status pare_outline_add_node(pare_outline *outline, const pare_outline_node *node,
                                             uint32_t *out, pare_error *err);
PARE_CHECK pare_status pare_outline_add_name(pare_outline *outline, uint32_t node, uint32_t word,
                                             pare_error *err);
PARE_CHECK pare_status pare_outline_add_use(pare_outline *outline, const pare_outline_use *use,
                                            pare_error *err);
PARE_CHECK pare_status pare_outline_add_directive(pare_outline *outline, uint32_t space,
                                                  uint32_t word, pare_error *err);
PARE_CHECK pare_status pare_outline_add_rival(pare_outline *outline,
                                              const pare_outline_rival *rival, pare_error *err);
/* Puts the directives in the order of their words, each once. */
void pare_outline_sort_directives(pare_outline *outline);
PARE_CHECK pare_status pare_outline_add_space(pare_outline *outline, uint32_t parent, uint32_t word,
                                              uint32_t *out, pare_error *err);
/* The name space called `word` in the space `parent`; false: there is none. */
bool pare_outline_find_space(const pare_outline *outline, uint32_t parent, uint32_t word,
                             uint32_t *out);
PARE_CHECK pare_status pare_outline_add_word(pare_outline *outline, const void *text, size_t size,
                                             uint32_t *out, pare_error *err);

/* The same, but always a new number: a word that only looks like others of its text.
 * Errors: PARE_E_NOMEM, PARE_E_LIMIT. */
PARE_CHECK pare_status pare_outline_new_word(pare_outline *outline, const void *text, size_t size,
                                             uint32_t *out, pare_error *err);

/* The number of an equal word that is there, or PARE_NO_WORD. */
uint32_t pare_outline_find_word(const pare_outline *outline, const void *text, size_t size);

/* Whether nodes are nested and in pre-order, and all indices are in range.  O(all). */
bool pare_outline_check(const pare_outline *outline);

/* The reader for C and C++.  *out is empty before, and to be given to done in any case.
 * Errors: PARE_E_NOMEM, PARE_E_LIMIT. */
PARE_CHECK pare_status pare_outline_c(const pare_pass_view *view, bool cpp, pare_outline *out,
                                      pare_error *err);

/* The reader by syntax trees; *known is false, and *out untouched, where the language has no table,
 * or the view has no tree.  *out is empty before, and to be given to done in any case.
 * Errors: PARE_E_NOMEM, PARE_E_LIMIT. */
PARE_CHECK pare_status pare_outline_syntax(const pare_pass_view *view, bool *known,
                                           pare_outline *out, pare_error *err);

/* Whether it has tables for the language, which may be NULL: whether it is worth parsing. */
bool pare_outline_syntax_knows(const char *language);

/* --- several files ---------------------------------------------------------------------------- */

/* What one file says of another: at byte `at` it names the file whose space is called `space`, and whose node
 * declares `file`. */
typedef struct pare_outline_link {
    size_t at;
    uint32_t space, file; /* words */
} pare_outline_link;

/* One file of a program, to be read into an outline that others are read into, too. */
typedef struct pare_outline_file {
    const pare_pass_view *view;     /* of it, with its tree; borrowed until the reading is over */
    uint32_t node;                  /* of the outline: the file, which holds what is read */
    uint32_t space, imports;        /* where its items and its imports are declared */
    uint32_t scope;                 /* where what it uses is looked up */
    const pare_outline_link *links; /* borrowed, by `at`; n of them */
    size_t n_links;
} pare_outline_file;

/* A reader of one of several files.  All of them take each step before any takes the next one, since what a
 * file uses may be declared in another: open adds the nodes, declare what they declare, tie what they define a
 * part of, settle their roles, use what they use. */
typedef struct pare_outline_part pare_outline_part;

/* *known is false, and *out untouched, as for pare_outline_syntax.  On PARE_OK and *known the caller owns
 * *out.  Errors: PARE_E_NOMEM, PARE_E_LIMIT. */
PARE_CHECK pare_status pare_outline_part_open(const pare_outline_file *file, pare_outline *outline,
                                              bool *known, pare_outline_part **out,
                                              pare_error *err);
PARE_CHECK pare_status pare_outline_part_declare(pare_outline_part *part, pare_error *err);
PARE_CHECK pare_status pare_outline_part_tie(pare_outline_part *part, pare_error *err);
PARE_CHECK pare_status pare_outline_part_settle(pare_outline_part *part, pare_error *err);
PARE_CHECK pare_status pare_outline_part_use(pare_outline_part *part, pare_error *err);
void pare_outline_part_close(pare_outline_part *part); /* NULL is a no-op */

/* Sorts the names by their nodes; between the ties and the roles. */
void pare_outline_syntax_names_sort(pare_outline *outline);

/* The index of the first of the sorted names whose node is not before `node`; n_names: there is none. */
size_t pare_outline_first_name(const pare_outline *outline, uint32_t node);

#endif
