/* Tokens of ANTLR's grammar notation: one scan forward, one token at a time, nothing recursive.
 *
 * Which token begins is told by the first one or two characters, so a chain of cases does it; no
 * automaton is needed.  What is code of another language (actions, arguments in brackets) is
 * skipped as a whole: braces nest there and hide in strings and comments.  Columns count code
 * points, which a counter of continuation bytes gives without decoding.
 * Source: ANTLR 4's ANTLRLexer.g4, by its documentation (doc/lexicon.md). */
#include "grammar/g4_lex.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include <utf8proc.h>

void pare_g4_lexer_init(pare_g4_lexer *lexer, const char *path, const char *text, size_t size)
{
    *lexer = (pare_g4_lexer){.path = path, .text = text, .size = size, .line = 1};
    if (size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) lexer->at = lexer->line_start = 3;
}

bool pare_g4_lex_is(pare_g4_word word, const char *text)
{
    return strlen(text) == word.size && memcmp(word.text, text, word.size) == 0;
}

bool pare_g4_lex_is_token_name(pare_g4_word name)
{
    utf8proc_int32_t first = 0;
    (void)utf8proc_iterate((const utf8proc_uint8_t *)name.text, (utf8proc_ssize_t)name.size,
                           &first);
    if (first < 0) return false;
    utf8proc_category_t category = utf8proc_category(first);
    return category == UTF8PROC_CATEGORY_LU || category == UTF8PROC_CATEGORY_LT;
}

/* The place is kept for the first failure only: the caller's error may hold one already. */
pare_status pare_g4_lex_fail(const char *path, pare_g4_word place, pare_error *err,
                             const char *format, ...)
{
    char sentence[PARE_ERROR_TEXT_BYTES];
    bool is_first = err && !err->status;
    va_list args;
    va_start(args, format);
    (void)vsnprintf(sentence, sizeof sentence, format, args);
    va_end(args);
    if (is_first) {
        err->line = place.line;
        err->column = place.column + 1;
    }
    return pare_fail(err, PARE_E_SYNTAX, "%s:%u:%u: %s", path, place.line, place.column + 1,
                     sentence);
}

/* --- characters ------------------------------------------------------------ */

/* The byte `ahead` of the place, or 0 after the end. */
static unsigned char peek(const pare_g4_lexer *lexer, size_t ahead)
{
    assert(lexer->at <= lexer->size);
    if (ahead >= lexer->size - lexer->at) return 0;
    return (unsigned char)lexer->text[lexer->at + ahead];
}

/* Goes past one byte.  A line ends at '\n'; the column is found from the line's start and its
 * continuation bytes. */
static void step(pare_g4_lexer *lexer)
{
    assert(lexer->at < lexer->size);
    unsigned char byte = (unsigned char)lexer->text[lexer->at++];
    if (byte == '\n') {
        lexer->line++;
        lexer->line_start = lexer->at;
        lexer->continuations = 0;
    } else if ((byte & 0xC0) == 0x80) {
        lexer->continuations++;
    }
}

static void skip(pare_g4_lexer *lexer, size_t n)
{
    for (size_t i = 0; i < n && lexer->at < lexer->size; i++)
        step(lexer);
}

static bool at_end(const pare_g4_lexer *lexer)
{
    return lexer->at == lexer->size;
}

static bool is_space(unsigned char byte)
{
    return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

static bool is_digit(unsigned char byte)
{
    return byte >= '0' && byte <= '9';
}

/* Letters of other alphabets are taken as they come: what is not ASCII is in names. */
static bool is_name_start(unsigned char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || byte == '_' ||
           byte >= 0x80;
}

static bool is_name_part(unsigned char byte)
{
    return is_name_start(byte) || is_digit(byte);
}

static pare_g4_word word_here(const pare_g4_lexer *lexer)
{
    return (pare_g4_word){
        .text = lexer->text + lexer->at,
        .line = lexer->line,
        .column = (uint32_t)(lexer->at - lexer->line_start - lexer->continuations),
    };
}

/* --- what is skipped ------------------------------------------------------- */

static void skip_line(pare_g4_lexer *lexer)
{
    while (!at_end(lexer) && peek(lexer, 0) != '\n')
        step(lexer);
}

/* From the slash of a comment to after it; false when it does not end. */
static bool skip_comment(pare_g4_lexer *lexer)
{
    if (peek(lexer, 1) == '/') {
        skip_line(lexer);
        return true;
    }
    skip(lexer, 2);
    while (!at_end(lexer)) {
        if (peek(lexer, 0) == '*' && peek(lexer, 1) == '/') {
            skip(lexer, 2);
            return true;
        }
        step(lexer);
    }
    return false;
}

static bool is_comment(const pare_g4_lexer *lexer)
{
    return peek(lexer, 0) == '/' && (peek(lexer, 1) == '/' || peek(lexer, 1) == '*');
}

/* Goes past white space and comments; what it could not end is for the caller to say. */
static pare_status skip_blanks(pare_g4_lexer *lexer, pare_error *err)
{
    for (;;) {
        pare_g4_word place = word_here(lexer);
        if (at_end(lexer)) return PARE_OK;
        if (is_space(peek(lexer, 0)))
            step(lexer);
        else if (!is_comment(lexer))
            return PARE_OK;
        else if (!skip_comment(lexer))
            return pare_g4_lex_fail(lexer->path, place, err, "the comment does not end");
    }
}

/* --- delimited tokens ------------------------------------------------------ */

/* From a quote to after its partner in the same line; false when there is none. */
static bool skip_quoted(pare_g4_lexer *lexer)
{
    unsigned char quote = peek(lexer, 0);
    step(lexer);
    while (!at_end(lexer) && peek(lexer, 0) != '\n') {
        unsigned char byte = peek(lexer, 0);
        skip(lexer, byte == '\\' && peek(lexer, 1) != '\n' ? 2 : 1);
        if (byte == quote) return true;
    }
    return false;
}

/* The same inside an action, where strings may span lines. */
static bool skip_action_string(pare_g4_lexer *lexer)
{
    unsigned char quote = peek(lexer, 0);
    step(lexer);
    while (!at_end(lexer)) {
        unsigned char byte = peek(lexer, 0);
        skip(lexer, byte == '\\' ? 2 : 1);
        if (byte == quote) return true;
    }
    return false;
}

/* From an opening bracket to after its partner, in code of some other language. */
static bool skip_nested(pare_g4_lexer *lexer, unsigned char open, unsigned char close)
{
    size_t depth = 0;
    while (!at_end(lexer)) {
        unsigned char byte = peek(lexer, 0);
        if (byte == '"' || byte == '\'') {
            if (!skip_action_string(lexer)) return false;
            continue;
        }
        if (is_comment(lexer)) {
            if (!skip_comment(lexer)) return false;
            continue;
        }
        skip(lexer, byte == '\\' ? 2 : 1);
        if (byte == open) depth++;
        if (byte == close && --depth == 0) return true;
    }
    return false;
}

/* A set of characters ends at the first bracket that is not escaped, in its line. */
static bool skip_set(pare_g4_lexer *lexer)
{
    while (!at_end(lexer) && peek(lexer, 0) != '\n') {
        unsigned char byte = peek(lexer, 0);
        skip(lexer, byte == '\\' && peek(lexer, 1) != '\n' ? 2 : 1);
        if (byte == ']') return true;
    }
    return false;
}

/* Code in braces or brackets, a set of characters, or a literal: taken as one word, whose inside
 * is for others to read. */
static pare_status read_delimited(pare_g4_lexer *lexer, pare_g4_token *token, pare_error *err)
{
    unsigned char byte = peek(lexer, 0);
    bool ends;
    const char *what;
    if (byte == '{') {
        token->kind = PARE_G4_ACTION;
        what = "action";
        ends = skip_nested(lexer, '{', '}');
    } else if (byte == '[') {
        token->kind = PARE_G4_BRACKETS;
        what = lexer->in_lexer_rule ? "set of characters" : "list of arguments";
        ends = lexer->in_lexer_rule ? skip_set(lexer) : skip_nested(lexer, '[', ']');
    } else {
        token->kind = byte == '"' ? PARE_G4_STRING : PARE_G4_LITERAL;
        what = "literal";
        ends = skip_quoted(lexer);
    }
    if (ends) return PARE_OK;
    return pare_g4_lex_fail(lexer->path, token->word, err, "the %s does not end", what);
}

/* --- names and signs ------------------------------------------------------- */

/* Takes the brace that follows `options`, `tokens` and `channels`, if one does. */
static bool take_brace(pare_g4_lexer *lexer)
{
    pare_g4_lexer ahead = *lexer;
    if (skip_blanks(&ahead, NULL) || peek(&ahead, 0) != '{') return false;
    step(&ahead);
    *lexer = ahead;
    return true;
}

/* Words that open a block of their own are keywords only before a brace, so they may be names of
 * rules. */
static void read_name(pare_g4_lexer *lexer, pare_g4_token *token)
{
    static const struct {
        const char *name;
        pare_g4_token_kind kind;
    } blocks[] = {
        {"options", PARE_G4_OPTIONS},
        {"tokens", PARE_G4_TOKENS},
        {"channels", PARE_G4_CHANNELS},
    };
    while (!at_end(lexer) && is_name_part(peek(lexer, 0)))
        step(lexer);
    token->kind = PARE_G4_NAME;
    token->word.size = (uint32_t)(lexer->text + lexer->at - token->word.text);
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        if (pare_g4_lex_is(token->word, blocks[i].name) && take_brace(lexer))
            token->kind = blocks[i].kind;
}

/* Signs of two or more characters are taken as a whole; any other character is a sign of its
 * own, and the parser says what it expected. */
static pare_status read_sign(pare_g4_lexer *lexer, pare_g4_token *token, pare_error *err)
{
    static const struct {
        char text[3];
        pare_g4_token_kind kind;
    } pairs[] = {
        {"->", PARE_G4_ARROW},
        {"..", PARE_G4_RANGE},
        {"+=", PARE_G4_APPEND},
        {"::", PARE_G4_COLONS},
    };
    unsigned char byte = peek(lexer, 0);
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        if (byte != (unsigned char)pairs[i].text[0] ||
            peek(lexer, 1) != (unsigned char)pairs[i].text[1])
            continue;
        token->kind = pairs[i].kind;
        skip(lexer, 2);
        return PARE_OK;
    }
    if (!byte || !strchr(":;|?*+~.=()<>,@#}$-!", byte))
        return pare_g4_lex_fail(lexer->path, token->word, err, "unexpected character 0x%02X", byte);
    token->kind = PARE_G4_SIGN;
    step(lexer);
    return PARE_OK;
}

pare_status pare_g4_lexer_next(pare_g4_lexer *lexer, pare_g4_token *token, pare_error *err)
{
    pare_status status = skip_blanks(lexer, err);
    if (status) return status;
    *token = (pare_g4_token){.kind = PARE_G4_END, .word = word_here(lexer)};
    if (at_end(lexer)) return PARE_OK;
    unsigned char byte = peek(lexer, 0);
    if (is_name_start(byte)) {
        read_name(lexer, token);
        return PARE_OK;
    }
    if (is_digit(byte)) {
        token->kind = PARE_G4_NUMBER;
        while (!at_end(lexer) && is_digit(peek(lexer, 0)))
            step(lexer);
    } else if (strchr("{['\"", byte) && byte) {
        status = read_delimited(lexer, token, err);
    } else {
        status = read_sign(lexer, token, err);
    }
    token->word.size = (uint32_t)(lexer->text + lexer->at - token->word.text);
    return status;
}
