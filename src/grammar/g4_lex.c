/* Tokens of ANTLR's grammar notation, and what its literals and sets of characters stand for.
 *
 * Tokens: one scan forward, one token at a time, nothing recursive.  Which token begins is
 * told by the first one or two characters, so a chain of cases does it; no automaton is
 * needed.  What is code of another language (actions, arguments in brackets) is skipped as a
 * whole: braces nest there and hide in strings and comments.  Columns count code points, which
 * a counter of continuation bytes gives without decoding.
 *
 * Literals and sets: a cursor over the word between its delimiters, which yields one
 * character, escaped or not, at a time.  Escapes mean the same in both, but for '-' and ']' in
 * sets.  What ANTLR takes although it is odd (an unknown escape, a property that is only
 * nearly known here) is noted in the oddities, for the resolver to warn of once.
 *
 * Source: ANTLR 4's ANTLRLexer.g4, by its documentation (doc/lexicon.md, doc/lexer-rules.md,
 * doc/unicode.md).
 *
 * Invariants: a token's word lies within the text and never overlaps the one before it; the
 * place of a token is where its first character is.  Cost: O(bytes), each byte looked at once,
 * but for the copy of the lexer that looks for a brace after `options`, `tokens` and
 * `channels`. */

#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <utf8proc.h>

#include "base/fail.h"
#include "base/vector.h"
#include "grammar/g4.h"
#include "grammar/intervals.h"
#include "grammar/unicode.h"

/* The text is borrowed: words of the tokens point into it. */
void pare_g4_lex_init(pare_g4_lexer *lexer, const char *path, const char *text, size_t size)
{
    *lexer = (pare_g4_lexer){.path = path, .text = text, .size = size, .line = 1};
    /* A byte order mark is no part of the text, nor of the first column. */
    if (size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) lexer->at = lexer->line_start = 3;
}

/* Words are not NUL-terminated, so both lengths are compared. */
bool pare_g4_lex_is(pare_g4_word word, const char *text)
{
    return strlen(text) == word.size && memcmp(word.text, text, word.size) == 0;
}

/* ANTLR tells tokens from rules by the first letter: an upper or title case one makes a token. */
bool pare_g4_lex_is_token_name(pare_g4_word name)
{
    utf8proc_int32_t first = 0;
    (void)utf8proc_iterate((const utf8proc_uint8_t *)name.text, (utf8proc_ssize_t)name.size,
                           &first);
    if (first < 0) return false;
    utf8proc_category_t category = utf8proc_category(first);
    return category == UTF8PROC_CATEGORY_LU || category == UTF8PROC_CATEGORY_LT;
}

/* Fails with the place in front of the sentence.  The caller's error may hold a failure
 * already; then its place stays, too. */
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

/* Goes past up to `n` bytes.  Stops at the end, so that an escape at the very end of a file
 * does no harm. */
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

/* Letters of other alphabets are taken as they come: what is not ASCII is in names.  ANTLR
 * takes Unicode's identifier characters; a name with others is no name of a rule that exists,
 * which the resolver reports. */
static bool is_name_start(unsigned char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || byte == '_' ||
           byte >= 0x80;
}

static bool is_name_part(unsigned char byte)
{
    return is_name_start(byte) || is_digit(byte);
}

/* A word that begins here; its size is set when its end is known. */
static pare_g4_word word_here(const pare_g4_lexer *lexer)
{
    return (pare_g4_word){
        .text = lexer->text + lexer->at,
        .line = lexer->line,
        /* Continuation bytes of UTF-8 are no columns of their own. */
        .column = (uint32_t)(lexer->at - lexer->line_start - lexer->continuations),
    };
}

/* --- what is skipped ------------------------------------------------------- */

/* Up to the end of the line, which is left. */
static void skip_line(pare_g4_lexer *lexer)
{
    while (!at_end(lexer) && peek(lexer, 0) != '\n')
        step(lexer);
}

/* From the slash of a comment to after its end; false when it does not end.  A line comment
 * may end with the file. */
static bool skip_comment(pare_g4_lexer *lexer)
{
    if (peek(lexer, 1) == '/') {
        skip_line(lexer);
        return true;
    }
    /* Past the opening, so that its star is not taken for that of the end. */
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

/* Goes past white space and comments.  Errors: PARE_E_SYNTAX, a comment that does not end. */
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

/* Skips from a quote to after its partner on the same line; false: there is no partner. */
static bool skip_quoted(pare_g4_lexer *lexer)
{
    unsigned char quote = peek(lexer, 0);
    step(lexer);
    while (!at_end(lexer) && peek(lexer, 0) != '\n') {
        unsigned char byte = peek(lexer, 0);
        /* An escaped quote does not end the word, but an escape does not reach over the line's
         * end. */
        skip(lexer, byte == '\\' && peek(lexer, 1) != '\n' ? 2 : 1);
        if (byte == quote) return true;
    }
    return false;
}

/* The same inside an action, where strings may span lines.  Strings of Java, C#, Python and
 * others: an escape hides a quote in all of them.  A single quote that is no string (a
 * lifetime of Rust, say) would hide braces. */
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

/* From an opening bracket to after its partner, in code of some other language.  A backslash
 * hides the character after it, as in a character literal of the target language.  Depth is a
 * counter, so nesting costs nothing. */
static bool skip_nested(pare_g4_lexer *lexer, unsigned char open, unsigned char close)
{
    size_t depth = 0;
    while (!at_end(lexer)) {
        unsigned char byte = peek(lexer, 0);
        /* Brackets in strings and comments do not count. */
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

/* A set of characters ends at the first bracket that is not escaped, in its line.  Brackets do
 * not nest in a set; `[[]` is the set of one bracket. */
static bool skip_set(pare_g4_lexer *lexer)
{
    while (!at_end(lexer) && peek(lexer, 0) != '\n') {
        unsigned char byte = peek(lexer, 0);
        skip(lexer, byte == '\\' && peek(lexer, 1) != '\n' ? 2 : 1);
        if (byte == ']') return true;
    }
    return false;
}

/* Code in braces or brackets, a set of characters, or a literal: taken as one word, whose
 * inside is for others to read.  The word includes its delimiters, by which readers know what
 * they have. */
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

/* Goes past the brace that follows `options`, `tokens` and `channels`, if one does.  It looks
 * ahead in a copy of the lexer, which is dropped if there is none.  The copy costs 64 bytes and
 * is made for three words only. */
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
 * own, and the parser says what it expected.  A character that begins no token at all, a
 * backslash say, is reported by its number, since it may be invisible. */
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

/* Skips what is blank, then reads the token that the next character begins. */
pare_status pare_g4_lex_next(pare_g4_lexer *lexer, pare_g4_token *token, pare_error *err)
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
        /* strchr also finds the NUL at the end of its text, which is no opening character. */
    } else if (strchr("{['\"", byte) && byte) {
        status = read_delimited(lexer, token, err);
    } else {
        status = read_sign(lexer, token, err);
    }
    token->word.size = (uint32_t)(lexer->text + lexer->at - token->word.text);
    return status;
}

/* --- characters of literals and sets ------------------------------------------ */

/* A place in a literal or a set. */
struct cursor {
    const char *path;
    pare_g4_word word; /* with its delimiters */
    const char *at, *end;
    pare_g4_oddities *oddities;
    pare_error *err;
};

/* One character or property.  Either a code point or a property; `is_escaped` matters for '-'
 * only, which makes ranges unless a backslash takes that from it. */
struct item {
    uint32_t code_point;
    bool is_escaped; /* so that '-' and ']' mean themselves */
    bool is_property, negated;
    const char *name; /* of the property */
    size_t size;
};

/* Opens the word, without its delimiters. */
static struct cursor open_cursor(const char *path, pare_g4_word word, pare_g4_oddities *oddities,
                                 pare_error *err)
{
    return (struct cursor){.path = path,
                           .word = word,
                           .at = word.text + 1,
                           .end = word.text + word.size - 1,
                           .oddities = oddities,
                           .err = err};
}

static int hex_value(char digit)
{
    if (digit >= '0' && digit <= '9') return digit - '0';
    if (digit >= 'a' && digit <= 'f') return digit - 'a' + 10;
    if (digit >= 'A' && digit <= 'F') return digit - 'A' + 10;
    return -1;
}

/* Takes hexadecimal digits, at most `longest` of them.  False when there is none, or when the
 * number is no code point.  Stops at the longest number of digits, so that \u00e9a is an e with
 * an accent and an a. */
static bool take_hex(struct cursor *cursor, size_t longest, uint32_t *value)
{
    size_t n = 0;
    *value = 0;
    while (n < longest && cursor->at < cursor->end && hex_value(*cursor->at) >= 0) {
        *value = *value * 16 + (uint32_t)hex_value(*cursor->at++);
        n++;
    }
    return n > 0 && *value <= PARE_LAST_CODE_POINT;
}

/* What follows \u: XXXX or {X...}. Braces are ANTLR's extension for characters above U+FFFF. */
static pare_status take_unicode(struct cursor *cursor, uint32_t *value)
{
    bool in_braces = cursor->at < cursor->end && *cursor->at == '{';
    const char *start = cursor->at;
    bool fine;
    if (in_braces) {
        cursor->at++;
        fine = take_hex(cursor, 6, value) && cursor->at < cursor->end && *cursor->at == '}';
        cursor->at++;
    } else {
        /* Exactly four; any more are text. */
        fine = take_hex(cursor, 4, value) && cursor->at - start == 4;
    }
    if (fine) return PARE_OK;
    return pare_g4_lex_fail(cursor->path, cursor->word, cursor->err,
                            "'\\u' needs four hexadecimal digits, or up to six in braces");
}

/* Adds the second half of a surrogate pair, if it follows the first: Java, whose escapes these
 * are, writes characters above U+FFFF so.  A half that is alone stays as it is. */
static void join_surrogates(struct cursor *cursor, uint32_t *value)
{
    struct cursor ahead = *cursor;
    uint32_t low;
    if (*value < 0xD800 || *value > 0xDBFF || ahead.end - ahead.at < 6) return;
    if (ahead.at[0] != '\\' || ahead.at[1] != 'u' || ahead.at[2] == '{') return;
    ahead.at += 2;
    /* Only a low half makes a pair. */
    if (!take_hex(&ahead, 4, &low) || low < 0xDC00 || low > 0xDFFF) return;
    *value = 0x10000 + ((*value - 0xD800) << 10) + (low - 0xDC00);
    cursor->at = ahead.at;
}

/* What follows \p or \P: {name}. */
static pare_status take_property(struct cursor *cursor, struct item *item)
{
    size_t left = (size_t)(cursor->end - cursor->at);
    const char *close = left ? memchr(cursor->at, '}', left) : NULL;
    if (!close || *cursor->at != '{')
        return pare_g4_lex_fail(cursor->path, cursor->word, cursor->err,
                                "'\\p' needs a property's name in braces");
    item->is_property = true;
    item->name = cursor->at + 1;
    item->size = (size_t)(close - item->name);
    cursor->at = close + 1;
    return PARE_OK;
}

/* One code point as it stands; a byte that is not UTF-8 is U+FFFD. A file that is not UTF-8 is
 * read all the same: grammars have accents in comments and, seldom, in sets. */
static uint32_t take_plain(struct cursor *cursor)
{
    utf8proc_int32_t code_point;
    utf8proc_ssize_t used = utf8proc_iterate((const utf8proc_uint8_t *)cursor->at,
                                             cursor->end - cursor->at, &code_point);
    if (used <= 0) {
        cursor->at++;
        return 0xFFFD;
    }
    cursor->at += used;
    return (uint32_t)code_point;
}

/* What follows a backslash.  An unknown escape is the character itself; the first one of a
 * word is noted, with what it is.  The table has the letters of both notations. */
static pare_status take_escape(struct cursor *cursor, struct item *item)
{
    static const char names[] = "nrtbf\\'\"-]";
    static const char values[] = "\n\r\t\b\f\\'\"-]";
    const char *start = cursor->at;
    if (start == cursor->end)
        return pare_g4_lex_fail(cursor->path, cursor->word, cursor->err, "nothing behind the '\\'");
    item->is_escaped = true;
    char letter = *start;
    /* A NUL byte would be found at the end of `names`. */
    const char *known = letter ? strchr(names, letter) : NULL;
    if (known) {
        cursor->at++;
        item->code_point = (unsigned char)values[known - names];
        return PARE_OK;
    }
    if (letter == 'u') {
        cursor->at++;
        pare_status status = take_unicode(cursor, &item->code_point);
        if (!status) join_surrogates(cursor, &item->code_point);
        return status;
    }
    if (letter == 'p' || letter == 'P') {
        cursor->at++;
        item->negated = letter == 'P';
        return take_property(cursor, item);
    }
    item->code_point = take_plain(cursor);
    if (!cursor->oddities->escape.size) {
        cursor->oddities->escape = cursor->word;
        cursor->oddities->escape.text = start;
        cursor->oddities->escape.size = (uint32_t)(cursor->at - start);
    }
    return PARE_OK;
}

/* The next character or property; the cursor is not at the end. */
static pare_status take(struct cursor *cursor, struct item *item)
{
    *item = (struct item){0};
    if (*cursor->at != '\\') {
        item->code_point = take_plain(cursor);
        return PARE_OK;
    }
    cursor->at++;
    return take_escape(cursor, item);
}

/* --- literals -------------------------------------------------------------- */

/* The code points of a literal replace those in *points, whose memory is used again. */
pare_status pare_g4_lex_literal(const char *path, pare_g4_word word, pare_code_points *points,
                                pare_g4_oddities *oddities, pare_error *err)
{
    struct cursor cursor = open_cursor(path, word, oddities, err);
    points->n = 0;
    if (cursor.at == cursor.end) return pare_g4_lex_fail(path, word, err, "the literal is empty");
    while (cursor.at < cursor.end) {
        struct item item;
        pare_status status = take(&cursor, &item);
        if (status) return status;
        if (item.is_property)
            return pare_g4_lex_fail(path, word, err, "a property can stand in a set only");
        uint32_t *items =
            pare_vector_grow(points->items, points->n, &points->capacity, sizeof *items);
        if (!items) return pare_fail_nomem(err);
        points->items = items;
        points->items[points->n++] = item.code_point;
    }
    return PARE_OK;
}

/* --- sets ------------------------------------------------------------------ */

/* Simple case mapping, one code point to one: what ANTLR's caseInsensitive does. */
static uint32_t lower(uint32_t code_point)
{
    return (uint32_t)utf8proc_tolower((utf8proc_int32_t)code_point);
}

static uint32_t upper(uint32_t code_point)
{
    return (uint32_t)utf8proc_toupper((utf8proc_int32_t)code_point);
}

/* Adds a range, and its other case if case does not matter.  As ANTLR does, the other case is
 * added only when both ends are letters of one case and the two ranges are equally long. */
pare_status pare_g4_lex_span(uint32_t from, uint32_t to, bool ignore_case, pare_intervals *set,
                             pare_error *err)
{
    uint32_t low_from = lower(from), low_to = lower(to);
    uint32_t up_from = upper(from), up_to = upper(to);
    bool has_cases = low_from != up_from || low_to != up_to;
    bool is_mixed = (from == low_from && from != up_from && to == up_to && to != low_to) ||
                    (from == up_from && from != low_from && to == low_to && to != up_to);
    if (!ignore_case || !has_cases || is_mixed || low_to - low_from != up_to - up_from)
        return pare_intervals_add(set, from, to, err);
    pare_status status = pare_intervals_add(set, low_from, low_to, err);
    if (!status) status = pare_intervals_add(set, up_from, up_to, err);
    return status;
}

/* Adds the characters of a property.  One that is unknown, or only nearly known, is noted and
 * not refused: the rest of the grammar is of use all the same. */
static pare_status add_property(const struct cursor *cursor, const struct item *item,
                                pare_unicode *unicode, pare_intervals *set)
{
    bool known, exact;
    pare_status status =
        pare_unicode_add(unicode, (pare_unicode_property){item->name, item->size, item->negated},
                         set, &known, &exact, cursor->err);
    if (!status && !exact && !cursor->oddities->property.size) {
        cursor->oddities->property = cursor->word;
        cursor->oddities->property.text = item->name;
        cursor->oddities->property.size = (uint32_t)item->size;
        cursor->oddities->is_approximate = known;
    }
    return status;
}

/* Takes the end of a range, if one follows: a '-' that is not the last character.  *last
 * becomes that end.  A '-' that was escaped has been taken as an item before, so what is looked
 * at here is an operator. */
static pare_status take_range_end(struct cursor *cursor, struct item *last)
{
    if (cursor->end - cursor->at < 2 || *cursor->at != '-') return PARE_OK;
    /* `last` is overwritten by what is taken. */
    struct item first = *last;
    cursor->at++;
    pare_status status = take(cursor, last);
    if (status) return status;
    if (last->is_property)
        return pare_g4_lex_fail(cursor->path, cursor->word, cursor->err,
                                "a property can not end a range");
    if (last->code_point < first.code_point)
        return pare_g4_lex_fail(cursor->path, cursor->word, cursor->err,
                                "the range U+%04X..U+%04X goes backwards", first.code_point,
                                last->code_point);
    return PARE_OK;
}

/* Adds the characters of the set in brackets to *set. A '-' between two characters makes a range;
 * at either end it stands for itself. */
pare_status pare_g4_lex_set(const char *path, pare_g4_word word, pare_g4_text_sets sets,
                            pare_intervals *set, pare_g4_oddities *oddities, pare_error *err)
{
    struct cursor cursor = open_cursor(path, word, oddities, err);
    if (cursor.at == cursor.end)
        return pare_g4_lex_fail(path, word, err, "the set of characters is empty");
    while (cursor.at < cursor.end) {
        struct item first;
        pare_status status = take(&cursor, &first);
        if (!status && first.is_property) {
            status = add_property(&cursor, &first, sets.unicode, set);
        } else if (!status) {
            struct item last = first;
            status = take_range_end(&cursor, &last);
            if (!status)
                status =
                    pare_g4_lex_span(first.code_point, last.code_point, sets.ignore_case, set, err);
        }
        if (status) return status;
    }
    return PARE_OK;
}
