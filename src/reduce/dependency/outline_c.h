/* What the parts of the reader of C and C++ share: tokens, and what is found out of one item.
 *
 * outline_c_tokens.c cuts the text, outline_c.c finds items, members and bodies by brackets,
 * outline_c_names.c says what each declares, outline_c_parts.c which parts of them may go by
 * themselves, outline_c_uses.c what each uses. */
#ifndef PARE_REDUCE_DEPENDENCY_OUTLINE_C_H
#define PARE_REDUCE_DEPENDENCY_OUTLINE_C_H

#include "reduce/dependency/outline.h"
#include "reduce/passes/pass.h"

#define PARE_C_NONE UINT32_MAX

typedef enum pare_c_token_kind {
    PARE_C_WORD,
    PARE_C_SIGN,
    PARE_C_NUMBER,
    PARE_C_STRING,
    PARE_C_LINE /* of the preprocessor, with its continuations; not a line marker */
} pare_c_token_kind;

typedef struct pare_c_token {
    uint32_t from, to;
    uint32_t word;    /* WORD: of the outline; keywords come first (below PARE_C_N_KEYWORDS) */
    uint32_t partner; /* of a bracket: token, or PARE_C_NONE */
    uint16_t sign;    /* SIGN: its first two bytes, the first one in the low byte */
    uint16_t kind;
} pare_c_token;

/* A sign of one or two bytes. */
#define PARE_C_SIGN2(a, b) ((uint16_t)((unsigned char)(a) | (unsigned)(unsigned char)(b) << 8))

/* The words that no program declares, in the order of pare_c_keywords. */
enum {
    PARE_C_TEMPLATE,
    PARE_C_CLASS,
    PARE_C_STRUCT,
    PARE_C_UNION,
    PARE_C_ENUM,
    PARE_C_NAMESPACE,
    PARE_C_INLINE,
    PARE_C_EXTENSION,
    PARE_C_EXTERN,
    PARE_C_USING,
    PARE_C_TYPEDEF,
    PARE_C_FRIEND,
    PARE_C_OPERATOR,
    PARE_C_REQUIRES,
    PARE_C_CONCEPT,
    PARE_C_TRY,
    PARE_C_CATCH,
    PARE_C_STATIC_ASSERT,
    PARE_C_STATIC_ASSERT_C,
    PARE_C_ASM,
    PARE_C_ASM_GNU,
    PARE_C_PUBLIC,
    PARE_C_PRIVATE,
    PARE_C_PROTECTED,
    PARE_C_VIRTUAL,
    PARE_C_OVERRIDE,
    PARE_C_AUTO,
    PARE_C_CONSTEVAL,
    PARE_C_CONSTEXPR,
    PARE_C_DECLTYPE,
    PARE_C_EXPLICIT,
    PARE_C_STATIC,
    PARE_C_TYPENAME,
    PARE_C_FOR,
    PARE_C_NEW,
    PARE_C_DELETE,
    PARE_C_FINAL,
    PARE_C_ATTRIBUTE, /* the first of those that take parentheses: see pare_c_takes_arguments */
    PARE_C_LAST_WITH_ARGUMENTS = PARE_C_ATTRIBUTE + 13,
    PARE_C_FIRST_TYPE, /* the first of the simple types */
    PARE_C_LAST_TYPE = PARE_C_FIRST_TYPE + 21,
    PARE_C_FIRST_OTHER,
    PARE_C_CO_AWAIT = PARE_C_FIRST_OTHER + 6,
    PARE_C_CO_RETURN,
    PARE_C_CO_YIELD,
    PARE_C_N_KEYWORDS = PARE_C_FIRST_OTHER + 43
};
extern const char *const pare_c_keywords[PARE_C_N_KEYWORDS];

typedef struct pare_c_tokens {
    pare_c_token *at; /* owned */
    size_t n, capacity;
} pare_c_tokens;

/* Cuts the view's file; all keywords are made words of `outline`, which has none yet.
 * Errors: PARE_E_NOMEM, PARE_E_LIMIT. */
PARE_CHECK pare_status pare_outline_c_tokens_make(const pare_pass_view *view, pare_outline *outline,
                                                  pare_c_tokens *out, pare_error *err);
void pare_outline_c_tokens_done(pare_c_tokens *tokens);

/* What was found out of one item, as places of tokens; PARE_C_NONE: it has none. */
typedef struct pare_c_item {
    uint32_t first, end;     /* end: the token after its last */
    uint32_t key;            /* class, struct or union that the item begins with */
    uint32_t name;           /* of that, its last word */
    uint32_t members;        /* its bracket, or that of an enumeration */
    uint32_t enumeration;    /* the word enum */
    uint32_t body, body_end; /* of a function, its initialisers too */
    uint32_t paren;          /* of the parameters */
    uint32_t equals, colon, operator_at, try_at;
    bool templated, specialised; /* the class's name has arguments */
} pare_c_item;

/* A node's tokens, besides what the outline keeps of it. */
typedef struct pare_c_extent {
    uint32_t first, end;
    uint32_t head_end;                 /* where its members or its body begin */
    uint32_t signature, signature_end; /* the tokens of it, none if both are equal */
} pare_c_extent;

/* What a word may name.  The names of an inline name space are those of the one around it. */
enum { PARE_C_SPACE = 1, PARE_C_INLINE_SPACE = 2, PARE_C_CONCEPT_NAME = 3 };

/* The reader. */
typedef struct pare_c_reader {
    const pare_pass_view *view;
    pare_error *err;
    bool cpp;
    pare_c_tokens tokens;
    pare_outline *outline;
    pare_c_extent *extents; /* by node */
    size_t n_extents, extent_capacity;
    uint32_t class_word;        /* of the class whose members are read, or PARE_NO_WORD */
    size_t n_words;             /* of tokens; names of operators come after them */
    unsigned char *is_template; /* owned; by word of a token: a template is called so */
    unsigned char *is_space;    /* by word of a token: PARE_C_SPACE, PARE_C_INLINE_SPACE or 0 */
    uint32_t
        *defaults;   /* by the same: the node that last declared a class template of that name ahead
                           of its definition, with what its arguments are by default, after 1 */
    uint32_t *alias; /* by the same: what the alias of a name space stands for; 0: it is none;
                                PARE_NO_WORD: for several */
} pare_c_reader;

static inline bool pare_c_is(const pare_c_reader *reader, uint32_t token, uint32_t word)
{
    return token < reader->tokens.n && reader->tokens.at[token].word == word;
}
static inline bool pare_c_is_sign(const pare_c_reader *reader, uint32_t token, uint16_t sign)
{
    return token < reader->tokens.n && reader->tokens.at[token].sign == sign;
}
static inline bool pare_c_is_word(const pare_c_reader *reader, uint32_t token)
{
    return token < reader->tokens.n && reader->tokens.at[token].kind == PARE_C_WORD;
}
/* A word that is no keyword: `final` and `override` are none before a parenthesis, as in `final().f()`. */
static inline bool pare_c_is_name(const pare_c_reader *reader, uint32_t token)
{
    if (!pare_c_is_word(reader, token)) return false;
    const uint32_t word = reader->tokens.at[token].word;
    const bool may = word == PARE_C_FINAL || word == PARE_C_OVERRIDE;
    return word >= PARE_C_N_KEYWORDS || (may && pare_c_is_sign(reader, token + 1, '('));
}
static inline uint32_t pare_c_word(const pare_c_reader *reader, uint32_t token)
{
    return reader->tokens.at[token].word;
}
/* Whether a keyword is followed by an argument in parentheses that declares nothing. */
static inline bool pare_c_takes_arguments(uint32_t word)
{
    return word >= PARE_C_ATTRIBUTE && word <= PARE_C_LAST_WITH_ARGUMENTS;
}

/* The bracket that closes the angle bracket at `open`, before `end`; PARE_C_NONE: it is an
 * operator. */
uint32_t pare_outline_c_angle(const pare_c_reader *reader, uint32_t open, uint32_t end);

/* The token after the one at `at`, or after the bracket that it opens. */
uint32_t pare_outline_c_skip(const pare_c_reader *reader, uint32_t at);

/* Says what the item declares and is: names, roles, its signature.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_c_declare(pare_c_reader *reader, uint32_t node, const pare_c_item *item,
                                      pare_error *err);

/* Whether the compiler makes objects of the class by itself, so that all of it is needed; `word` may be
 * PARE_NO_WORD. */
bool pare_c_is_known(const pare_c_reader *reader, uint32_t word);

/* Whether the function, which has a body, has the type of what it returns. */
bool pare_c_is_constrained_friend(const pare_c_reader *reader, const pare_c_item *item);
bool pare_c_is_deduced(const pare_c_reader *reader, const pare_c_item *item);

/* Whether the function's body is needed wherever the function is. */
bool pare_c_needs_body(const pare_c_reader *reader, uint32_t node, const pare_c_item *item);

/* Appends a part of the node `parent`, tokens first .. end-1; `rest`, which may be NULL, is what
 * stays in its place.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_outline_c_add_part(pare_c_reader *reader, uint32_t parent,
                                               uint32_t first, uint32_t end, const char *rest,
                                               uint32_t *out);

/* Adds the parts of the item's head; and of the body node `body`, which is the last node, its
 * statements (outline_c_parts.c).  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_c_add_head_parts(pare_c_reader *reader, uint32_t node,
                                             const pare_c_item *item, pare_error *err);
PARE_CHECK pare_status pare_c_add_statements(pare_c_reader *reader, uint32_t body,
                                             const pare_c_item *item);

/* Marks what code that is compiled elsewhere knows of classes: PARE_OUTLINE_LAYOUT (outline_c_layout.c); after
 * all uses were added.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_c_mark_layout(pare_c_reader *reader, pare_error *err);

/* Finds functions that only constraints tell apart (outline_c_rivals.c).  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_c_find_rivals(pare_c_reader *reader, pare_error *err);

/* Ties lines of the preprocessor to those without which they are errors (outline_c_lines.c).  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_c_tie_lines(pare_c_reader *reader);

/* Finds the words that name spaces: reader->is_space and reader->alias.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_outline_c_tokens_find_spaces(pare_c_reader *reader, pare_error *err);

/* Adds the uses of all nodes.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_outline_c_uses_find(pare_c_reader *reader, pare_error *err);

#endif
