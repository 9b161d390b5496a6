/* Tokens of C and C++, as far as declarations need them.
 *
 * Comments and line markers are between tokens, a line of the preprocessor is one token.  Signs
 * are single bytes but for those whose first byte alone would mislead: `>` is always alone, so
 * that two of them may close two lists of arguments.  Brackets are paired by a stack that is
 * threaded through `partner`; one that does not fit is left alone, and so is what stands open
 * inside the pair around it.
 * Linear; 24 bytes a token.  (The lexemes of passes are not used: they are cut for no particular
 * language, where a comment or a raw string may be many of them.) */
#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/vector.h"
#include "reduce/dependency/outline.h"
#include "reduce/dependency/outline_c.h"
#include "reduce/passes/pass.h"
#include "reduce/tree/tree.h"

const char *const pare_c_keywords[PARE_C_N_KEYWORDS] = {
    "template", "class", "struct", "union", "enum", "namespace", "inline", "__extension__",
    "extern", "using", "typedef", "friend", "operator", "requires", "concept", "try", "catch",
    "static_assert", "_Static_assert", "asm", "__asm__", "public", "private", "protected",
    "virtual", "override", "auto", "consteval", "constexpr", "decltype", "explicit", "static",
    "typename", "for", "new", "delete", "final",
    /* with arguments */
    "__attribute__", "__attribute", "alignas", "noexcept", "throw", "__typeof__", "typeof",
    "__declspec", "_Alignas", "__asm", "sizeof", "__decltype", "__alignof__", "__typeof",
    /* types */
    "int", "char", "bool", "long", "short", "unsigned", "signed", "__signed__", "float", "double",
    "void", "const", "volatile", "wchar_t", "char8_t", "char16_t", "char32_t", "__restrict",
    "restrict", "_Bool", "_Complex", "__const",
    /* others */
    "alignof", "break", "case", "const_cast", "constinit", "continue", "co_await", "co_return",
    "co_yield", "default", "do", "dynamic_cast", "else", "export", "false", "goto", "if", "mutable",
    "nullptr", "register", "reinterpret_cast", "return", "static_cast", "switch", "this",
    "thread_local", "true", "typeid", "while", "__inline", "__inline__", "__volatile__",
    "__restrict__", "_Noreturn", "_Thread_local", "__thread", "_Atomic", "_Generic", "_Alignof",
    "__alignof", "__builtin_offsetof", "__func__", "__PRETTY_FUNCTION__"};

/* The text while it is cut. */
struct cutter {
    const unsigned char *bytes;
    size_t at, end;
    bool line_start; /* nothing but white space stands before `at` in its line */
    pare_outline *outline;
    pare_c_tokens made;
};

/* The owner's tokens are none afterwards. */
void pare_outline_c_tokens_done(pare_c_tokens *tokens)
{
    pare_alloc_free(tokens->at);
    *tokens = (pare_c_tokens){0};
}

/* The byte `ahead` of the cursor, or 0 at the end of the text, which begins no token that is
 * looked for. */
static unsigned char peek(const struct cutter *cutter, size_t ahead)
{
    return cutter->at + ahead < cutter->end ? cutter->bytes[cutter->at + ahead] : 0;
}

/* Appends the token up to `to` and moves the cursor there.  A word becomes a word of the
 * outline, so that equal ones have equal numbers; of a sign the first two bytes are kept. */
static pare_status add(struct cutter *cutter, size_t to, pare_c_token_kind kind, pare_error *err)
{
    pare_c_tokens *made = &cutter->made;
    pare_c_token *at = pare_vector_grow(made->at, made->n, &made->capacity, sizeof *at);
    if (!at) return pare_fail_nomem(err);
    made->at = at;
    assert(to > cutter->at);
    pare_c_token *token = &at[made->n++];
    *token = (pare_c_token){.from = (uint32_t)cutter->at,
                            .to = (uint32_t)to,
                            .word = PARE_NO_WORD,
                            .partner = PARE_C_NONE,
                            .kind = (uint16_t)kind};
    size_t size = to - cutter->at;
    cutter->at = to;
    cutter->line_start = false;
    if (kind == PARE_C_WORD)
        return pare_outline_add_word(cutter->outline, cutter->bytes + token->from, size,
                                     &token->word, err);
    if (kind == PARE_C_SIGN)
        token->sign =
            PARE_C_SIGN2(cutter->bytes[token->from], size > 1 ? cutter->bytes[token->from + 1] : 0);
    return PARE_OK;
}

/* Where the line that the cursor is in ends, lines joined that a backslash continues.  The line
 * end itself is not part of it. */
static size_t line_end(const struct cutter *cutter)
{
    size_t i = cutter->at;
    for (; i < cutter->end && cutter->bytes[i] != '\n'; i++) {
        if (cutter->bytes[i] != '\\') continue;
        const bool has_return =
            i + 2 < cutter->end && memcmp(cutter->bytes + i + 1, "\r\n", 2) == 0;
        i += has_return ? 2 : i + 1 < cutter->end;
    }
    return i;
}

/* Moves over white space, comments and line markers (`# 12 "file.h"`).  A comment that is not
 * closed takes the rest.  Only a line end sets line_start, so a `#` in a line is no beginning of
 * a line of the preprocessor, but after a comment that begins its line it is. */
static void skip_space(struct cutter *cutter)
{
    while (cutter->at < cutter->end) {
        unsigned char c = peek(cutter, 0);
        if (c == '/' && peek(cutter, 1) == '/') {
            cutter->at = line_end(cutter);
        } else if (c == '/' && peek(cutter, 1) == '*') {
            const unsigned char *found =
                memmem(cutter->bytes + cutter->at + 2,
                       cutter->end - cutter->at > 2 ? cutter->end - cutter->at - 2 : 0, "*/", 2);
            cutter->at = found ? (size_t)(found - cutter->bytes) + 2 : cutter->end;
        } else if (c == '#' && cutter->line_start && peek(cutter, 1) == ' ' &&
                   peek(cutter, 2) >= '0' && peek(cutter, 2) <= '9') {
            cutter->at = line_end(cutter);
        } else if (c == ' ' || (c >= '\t' && c <= '\r')) {
            if (c == '\n') cutter->line_start = true;
            cutter->at++;
        } else {
            return;
        }
    }
}

/* Where the quoted string or character that begins at `at` ends; at the line's end at last, so
 * that a quote that is never closed, as an apostrophe in a line that is no code, does not take
 * the rest of the text. */
static size_t quote_end(const struct cutter *cutter, size_t at)
{
    unsigned char quote = cutter->bytes[at++];
    while (at < cutter->end && cutter->bytes[at] != quote && cutter->bytes[at] != '\n')
        at += cutter->bytes[at] == '\\' && at + 1 < cutter->end ? 2 : 1;
    return at < cutter->end ? at + 1 : cutter->end;
}

/* Where the raw string whose quote is at `at` ends: R"x(..)x" at `)x"`, whatever quotes are in
 * it.  A delimiter has 16 bytes at most by the standard; one that is longer is not found, and
 * the string takes the rest. */
static size_t raw_end(const struct cutter *cutter, size_t at)
{
    enum { MOST_DELIMITER = 18 };
    char close[MOST_DELIMITER + 2] = ")";
    size_t n = 1;
    for (at++; at < cutter->end && cutter->bytes[at] != '(' && n < MOST_DELIMITER; at++)
        close[n++] = (char)cutter->bytes[at];
    close[n++] = '"';
    const unsigned char *found = memmem(cutter->bytes + at, cutter->end - at, close, n);
    return found ? (size_t)(found - cutter->bytes) + n : cutter->end;
}

/* Where the word at the cursor ends. */
static size_t word_end(const struct cutter *cutter)
{
    size_t i = cutter->at;
    while (i < cutter->end && pare_tree_is_word_byte(cutter->bytes[i]))
        i++;
    return i;
}

/* Where the number at the cursor ends: digits, letters, points, quotes between digits, and signs
 * after an exponent. `1'000`, `0x1p-3` and `1.5e+7f` are one token each, while `1+2` are three. */
static size_t number_end(const struct cutter *cutter)
{
    size_t i = cutter->at + 1;
    for (; i < cutter->end; i++) {
        unsigned char c = cutter->bytes[i], last = cutter->bytes[i - 1];
        bool sign =
            (c == '+' || c == '-') && (last == 'e' || last == 'E' || last == 'p' || last == 'P');
        bool quote =
            c == '\'' && i + 1 < cutter->end && pare_tree_is_word_byte(cutter->bytes[i + 1]);
        if (!pare_tree_is_word_byte(c) && c != '.' && !sign && !quote) break;
    }
    return i;
}

/* Bytes of the sign at the cursor: the longest of those that are one.  The list is tried in its
 * order, the longer ones first.  It has none that begins with `>`: in `a<b<c>>` these close two
 * lists. */
static size_t sign_size(const struct cutter *cutter)
{
    static const char *const longer[] = {
        "...", "<=>", "->*", "<<=", "::", "->", "==", "!=", "<=", "&&", "||",
        "<<",  "++",  "--",  "+=",  "-=", "*=", "/=", "%=", "^=", "&=", "|="};
    for (size_t i = 0; i < sizeof longer / sizeof *longer; i++) {
        size_t size = strlen(longer[i]);
        if (size <= cutter->end - cutter->at &&
            memcmp(cutter->bytes + cutter->at, longer[i], size) == 0)
            return size;
    }
    return 1;
}

/* A word, or a string or character with a prefix: `u8"x"`, `L'x'`, `R"(x)"`.  A longer word
 * before a quote is a word for itself. */
static pare_status add_word(struct cutter *cutter, pare_error *err)
{
    size_t end = word_end(cutter), size = end - cutter->at;
    unsigned char next = end < cutter->end ? cutter->bytes[end] : 0;
    const unsigned char *word = cutter->bytes + cutter->at;
    bool prefix =
        size <= 3 && (word[0] == 'u' || word[0] == 'U' || word[0] == 'L' || word[0] == 'R');
    if (prefix && next == '"' && word[size - 1] == 'R')
        return add(cutter, raw_end(cutter, end), PARE_C_STRING, err);
    if (prefix && (next == '"' || next == '\''))
        return add(cutter, quote_end(cutter, end), PARE_C_STRING, err);
    return add(cutter, end, PARE_C_WORD, err);
}

/* Appends the token at the cursor, at which there is one.  A line of the preprocessor is a
 * single token, with what continues it; the next token begins a line again. */
static pare_status add_next(struct cutter *cutter, pare_error *err)
{
    unsigned char c = peek(cutter, 0), next = peek(cutter, 1);
    bool digit = c >= '0' && c <= '9', next_digit = next >= '0' && next <= '9';
    if (c == '#' && cutter->line_start) {
        pare_status status = add(cutter, line_end(cutter), PARE_C_LINE, err);
        cutter->line_start = true;
        return status;
    }
    if (digit || (c == '.' && next_digit))
        return add(cutter, number_end(cutter), PARE_C_NUMBER, err);
    if (pare_tree_is_word_byte(c)) return add_word(cutter, err);
    if (c == '"' || c == '\'')
        return add(cutter, quote_end(cutter, cutter->at), PARE_C_STRING, err);
    return add(cutter, cutter->at + sign_size(cutter), PARE_C_SIGN, err);
}

/* The bracket that closes `open`. */
static uint16_t closing(uint16_t open)
{
    return open == '(' ? ')' : open == '[' ? ']' : '}';
}

/* How far down a closing parenthesis looks for its partner past brackets that stay open. */
enum { MOST_OPEN = 16 };

/* The open bracket that `token` closes, or PARE_C_NONE.  A brace closes the nearest open brace,
 * what stands open in between stays without partner; another bracket looks no further than that
 * brace, so that a parenthesis that is missing does not undo the braces around it. */
static uint32_t find_open(const pare_c_tokens *tokens, const pare_c_token *token, uint32_t top,
                          size_t n_braces)
{
    bool brace = token->sign == '}';
    uint32_t open = top;
    if (brace && !n_braces) return PARE_C_NONE;
    for (size_t n = 0; open != PARE_C_NONE && (brace || n < MOST_OPEN); n++) {
        uint16_t sign = tokens->at[open].sign;
        if (closing(sign) == token->sign) return open;
        if (sign == '{') return PARE_C_NONE;
        open = tokens->at[open].partner;
    }
    return PARE_C_NONE;
}

/* Takes brackets off the stack down to `until`; they have no partner.  The stack is threaded
 * through `partner` of the brackets that are open, so it needs no memory of its own. */
static uint32_t pop(pare_c_tokens *tokens, uint32_t top, uint32_t until)
{
    while (top != until) {
        uint32_t below = tokens->at[top].partner;
        tokens->at[top].partner = PARE_C_NONE;
        top = below;
    }
    return top;
}

/* Pairs brackets.  Of `( [ )` the parenthesis finds its partner, and the bracket in it stays
 * alone.  O(tokens): a bracket is taken off the stack once, and one that looks down in vain
 * looks at MOST_OPEN. */
static void pair(pare_c_tokens *tokens)
{
    uint32_t top = PARE_C_NONE;
    size_t n_braces = 0;
    for (uint32_t i = 0; i < tokens->n; i++) {
        pare_c_token *token = &tokens->at[i];
        if (token->kind != PARE_C_SIGN) continue;
        if (token->sign == '(' || token->sign == '[' || token->sign == '{') {
            token->partner = top;
            top = i;
            n_braces += token->sign == '{';
        } else if (token->sign == ')' || token->sign == ']' || token->sign == '}') {
            uint32_t open = find_open(tokens, token, top, n_braces);
            if (open == PARE_C_NONE) continue;
            top = pop(tokens, top, open);
            top = tokens->at[open].partner;
            n_braces -= token->sign == '}';
            tokens->at[open].partner = i;
            token->partner = open;
        }
    }
    (void)pop(tokens, top, PARE_C_NONE);
}

/* Keywords first, so that their numbers are those of the enumeration. */
pare_status pare_outline_c_tokens_make(const pare_pass_view *view, pare_outline *outline,
                                       pare_c_tokens *out, pare_error *err)
{
    struct cutter cutter = {.bytes = view->bytes,
                            .at = view->begin,
                            .end = view->end,
                            .line_start = true,
                            .outline = outline};
    pare_status status = PARE_OK;
    assert(outline->n_words == 0);
    for (uint32_t i = 0; !status && i < PARE_C_N_KEYWORDS; i++) {
        uint32_t word = i;
        status = pare_outline_add_word(outline, pare_c_keywords[i], strlen(pare_c_keywords[i]),
                                       &word, err);
        assert(status || word == i);
    }
    for (skip_space(&cutter); !status && cutter.at < cutter.end; skip_space(&cutter))
        status = add_next(&cutter, err);
    if (status) {
        pare_outline_c_tokens_done(&cutter.made);
        return status;
    }
    pair(&cutter.made);
    *out = cutter.made;
    return PARE_OK;
}

/* ---- words that name spaces ---------------------------------------------------------- */

/* At the name after `namespace`: if an alias is declared, notes what it stands for, which is the last part of the
 * name: b for `namespace x = a::b;`.  An alias that stands for several things in several places stands for none. */
static void find_alias(pare_c_reader *reader, uint32_t at)
{
    if (!pare_c_is_name(reader, at) || !pare_c_is_sign(reader, at + 1, '=')) return;
    uint32_t target = PARE_NO_WORD, *alias = &reader->alias[pare_c_word(reader, at)];
    for (uint32_t i = at + 2;
         pare_c_is_name(reader, i) || pare_c_is_sign(reader, i, PARE_C_SIGN2(':', ':')); i++)
        if (pare_c_is_name(reader, i)) target = pare_c_word(reader, i);
    *alias = *alias && *alias != target ? PARE_NO_WORD : target;
}

/* A name that is opened as a name space anywhere may be one everywhere.  One that is inline somewhere counts as
 * inline everywhere, since a name that is looked up too widely costs less than one that is not found.  Concepts are
 * found on the way, as both have to be known before items are read. */
pare_status pare_outline_c_tokens_find_spaces(pare_c_reader *reader, pare_error *err)
{
    reader->is_space = pare_alloc_zero(reader->outline->n_words + 1, 1);
    reader->n_words = reader->outline->n_words;
    reader->is_template = pare_alloc_zero(reader->n_words + 1, 1);
    reader->alias = pare_alloc_zero(reader->outline->n_words + 1, sizeof *reader->alias);
    reader->defaults = pare_alloc_zero(reader->outline->n_words + 1, sizeof *reader->defaults);
    if (!reader->is_space || !reader->is_template || !reader->alias || !reader->defaults)
        return pare_fail_nomem(err);
    for (uint32_t i = 0; i < reader->tokens.n; i++) {
        if (pare_c_is(reader, i, PARE_C_CONCEPT) && pare_c_is_name(reader, i + 1))
            reader->is_space[pare_c_word(reader, i + 1)] = PARE_C_CONCEPT_NAME;
        if (!pare_c_is(reader, i, PARE_C_NAMESPACE)) continue;
        find_alias(reader, i + 1);
        bool inner = i && pare_c_is(reader, i - 1, PARE_C_INLINE);
        for (uint32_t k = i + 1;
             pare_c_is_name(reader, k) || pare_c_is_sign(reader, k, PARE_C_SIGN2(':', ':')); k++) {
            unsigned char *is =
                pare_c_is_name(reader, k) ? &reader->is_space[pare_c_word(reader, k)] : NULL;
            if (is && (inner || !*is)) *is = inner ? PARE_C_INLINE_SPACE : PARE_C_SPACE;
        }
    }
    return PARE_OK;
}
