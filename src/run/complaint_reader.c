/* Reading complaints: a table of messages, and one reader for the lines of all programs.
 *
 * Each line is taken apart in the same way, whoever printed it: a place (FILE:LINE:COLUMN and its
 * variants), a severity (the words that end in "error", "exception", "warning"), and a message.
 * The message is looked up in a table of patterns with marks for the name and the scope, so a new
 * compiler is rows, not code.  Rows that are sure of themselves also hold on lines without a
 * severity, where linkers, Go and Lua put theirs; rows that say more about the complaint before
 * them (javac's "symbol:") hold only after one.
 *
 * Why a search for literals and not regular expressions: a candidate that lost a declaration that
 * everything uses has thousands of errors, and this costs about what strstr costs.  The first row
 * that matches counts, so special ones stand before general ones.
 *
 * Where a place is on a line of its own (rustc's "-->", Python's frames, node's first line), it is
 * that of the complaint beside it.
 * Invariant: any bytes give a list that pare_complaints_parse reads back. */
#include "run/complaint_reader.h"

#include <assert.h>
#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

#include "run/complaints.h"
#include "run/printed.h"

/* ---- the table -------------------------------------------------------------------------- */

enum row_use {
    ROW_ERROR, /* on a line that says that it is an error */
    ROW_BARE,  /* also on a line that does not, or calls it a warning or a note */
    ROW_CRASH, /* the same, where a compiler has crashed */
    ROW_MORE   /* tells more of the complaint before it */
};

/* In a pattern `@` is the name, `$` the scope, `%` anything; all else is itself.  It may begin
 * anywhere in the message, and need not reach its end.  Quotes of all kinds are '. */
struct row {
    pare_complaint_kind kind;
    enum row_use use;
    const char *pattern;
};

/* The first row that matches counts. "'@' has not been declared in '$'" therefore stands before
 * "'@' has not been declared", which also matches the longer message but would lose the scope.
 * The headings say whose messages the rows were written for; nothing else depends on them, so a
 * row may also match what another program prints. */
static const struct row rows[] = {
    /* places that led to an error */
    {PARE_COMPLAINT_SUSPECT, ROW_CRASH, "internal compiler error:"},
    {PARE_COMPLAINT_SUSPECT, ROW_BARE, "  required from '@'"},
    {PARE_COMPLAINT_SUSPECT, ROW_BARE, "  required from "},
    {PARE_COMPLAINT_SUSPECT, ROW_BARE, "  required by "},
    {PARE_COMPLAINT_SUSPECT, ROW_BARE, "in instantiation of %'@'% requested here"},
    {PARE_COMPLAINT_SUSPECT, ROW_CRASH, "while substituting %'@'"},
    {PARE_COMPLAINT_SUSPECT, ROW_CRASH, "current parser token"},
    {PARE_COMPLAINT_SUSPECT, ROW_CRASH, "parsing function body '@'"},
    {PARE_COMPLAINT_SUSPECT, ROW_CRASH, "instantiating %definition '@'"},
    {PARE_COMPLAINT_SUSPECT, ROW_CRASH, "Generating code for declaration '@'"},
    /* linkers */
    {PARE_COMPLAINT_UNLINKED, ROW_BARE, "undefined reference to '@'"},
    {PARE_COMPLAINT_UNLINKED, ROW_BARE, "undefined symbol: @"},
    {PARE_COMPLAINT_REPEATED, ROW_BARE, "multiple definition of '@'"},
    /* gcc, g++ */
    {PARE_COMPLAINT_UNDECLARED, ROW_ERROR, "'@' was not declared in this scope"},
    {PARE_COMPLAINT_NO_MEMBER, ROW_ERROR, "'@' has not been declared in '$'"},
    {PARE_COMPLAINT_UNDECLARED, ROW_ERROR, "'@' has not been declared"},
    {PARE_COMPLAINT_UNDECLARED, ROW_ERROR, "'@' undeclared"},
    {PARE_COMPLAINT_NO_MEMBER, ROW_ERROR, "'@' is not a member of '$'"},
    {PARE_COMPLAINT_NO_MEMBER, ROW_ERROR, "'$' has no member named '@'"},
    {PARE_COMPLAINT_NO_MEMBER, ROW_ERROR, "no member named '@' in %'$'"},
    {PARE_COMPLAINT_NO_MEMBER, ROW_ERROR, "no member function '@' declared in '$'"},
    {PARE_COMPLAINT_NO_MEMBER, ROW_ERROR, "no '@' member function declared in class '$'"},
    {PARE_COMPLAINT_NO_TYPE, ROW_ERROR, "no type named '@' in %'$'"},
    {PARE_COMPLAINT_NO_TYPE, ROW_ERROR, "no class template named '@' in '$'"},
    {PARE_COMPLAINT_NO_TYPE, ROW_ERROR, "no template named '@' in %'$'"},
    {PARE_COMPLAINT_NO_TYPE, ROW_ERROR, "no template named '@'"},
    {PARE_COMPLAINT_NO_TYPE, ROW_ERROR, "'@' in namespace '$' does not name a"},
    {PARE_COMPLAINT_NO_TYPE, ROW_ERROR, "'@' in '$' does not name a"},
    {PARE_COMPLAINT_NO_TYPE, ROW_ERROR, "'@' does not name a"},
    {PARE_COMPLAINT_NO_TYPE, ROW_ERROR, "'@' is not a class template"},
    {PARE_COMPLAINT_NO_TYPE, ROW_ERROR, "'@' is not a template"},
    {PARE_COMPLAINT_NO_TYPE, ROW_ERROR, "'@' is not a type"},
    {PARE_COMPLAINT_NO_TYPE, ROW_ERROR, "'@' is not a class"},
    {PARE_COMPLAINT_NO_TYPE, ROW_ERROR, "'@' is not a namespace"},
    {PARE_COMPLAINT_NO_TYPE, ROW_ERROR, "specialization of non-template %'@'"},
    {PARE_COMPLAINT_NO_TYPE, ROW_ERROR, "non-template '@' used as template"},
    {PARE_COMPLAINT_NO_TYPE, ROW_ERROR, "of undeclared template %'@'"},
    {PARE_COMPLAINT_NO_TYPE, ROW_ERROR, "unknown type name '@'"},
    {PARE_COMPLAINT_NO_TYPE, ROW_ERROR, "unknown class name '@'"},
    {PARE_COMPLAINT_INCOMPLETE, ROW_ERROR, "invalid use of incomplete type '@'"},
    {PARE_COMPLAINT_INCOMPLETE, ROW_ERROR, "invalid application of %incomplete type '@'"},
    {PARE_COMPLAINT_INCOMPLETE, ROW_ERROR, "incomplete type '@'"},
    {PARE_COMPLAINT_INCOMPLETE, ROW_ERROR, "incomplete definition of type '@'"},
    {PARE_COMPLAINT_INCOMPLETE, ROW_ERROR, "'%' has initializer but incomplete type"},
    {PARE_COMPLAINT_INCOMPLETE, ROW_ERROR, "field '%' has incomplete type"},
    {PARE_COMPLAINT_INCOMPLETE, ROW_ERROR, "'@ %' has incomplete type and cannot be defined"},
    {PARE_COMPLAINT_INCOMPLETE, ROW_ERROR, "storage size of '%' isn't known"},
    {PARE_COMPLAINT_INCOMPLETE, ROW_ERROR, "invalid use of undefined type '@'"},
    {PARE_COMPLAINT_INCOMPLETE, ROW_ERROR, "dereferencing pointer to incomplete type '@'"},
    {PARE_COMPLAINT_INCOMPLETE, ROW_ERROR, "implicit instantiation of undefined template '@'"},
    {PARE_COMPLAINT_INCOMPLETE, ROW_ERROR, "use of '@' before deduction of"},
    {PARE_COMPLAINT_INCOMPLETE, ROW_ERROR, "'@' used before its definition"},
    {PARE_COMPLAINT_INCOMPLETE, ROW_ERROR, "function '@' with deduced return type"},
    {PARE_COMPLAINT_INCOMPLETE, ROW_ERROR, "to non-'constexpr' function '@'"},
    {PARE_COMPLAINT_INCOMPLETE, ROW_ERROR, "inlining failed in call to 'always_inline' '@'"},
    {PARE_COMPLAINT_INCOMPLETE, ROW_BARE, "undefined function '@' cannot be used"},
    {PARE_COMPLAINT_INCOMPLETE, ROW_BARE, "undefined constructor '@' cannot be used"},
    {PARE_COMPLAINT_INCOMPLETE, ROW_ERROR, "'@' is incomplete"},
    {PARE_COMPLAINT_UNLINKED, ROW_BARE, "inline function '@' used but never defined"},
    {PARE_COMPLAINT_UNLINKED, ROW_ERROR, "'@' used but never defined"},
    {PARE_COMPLAINT_UNLINKED, ROW_ERROR, "'@', declared using "},
    {PARE_COMPLAINT_UNMATCHED, ROW_ERROR, "no matching %function for call to '@'"},
    {PARE_COMPLAINT_UNMATCHED, ROW_ERROR, "no matching constructor for initialization of '@'"},
    {PARE_COMPLAINT_UNMATCHED, ROW_ERROR, "no matching literal operator for call to '@'"},
    {PARE_COMPLAINT_UNMATCHED, ROW_ERROR, "unable to find %operator '@'"},
    {PARE_COMPLAINT_UNMATCHED, ROW_ERROR, "no match for call to '@'"},
    {PARE_COMPLAINT_UNMATCHED, ROW_ERROR, "no match for '@'"},
    {PARE_COMPLAINT_UNMATCHED, ROW_ERROR, "no declaration matches '@'"},
    {PARE_COMPLAINT_UNMATCHED, ROW_ERROR,
     "out-of-line definition of '@' does not match any declaration in '$'"},
    {PARE_COMPLAINT_UNMATCHED, ROW_ERROR, "invalid operands to binary expression"},
    {PARE_COMPLAINT_UNMATCHED, ROW_ERROR, "invalid operands of types"},
    {PARE_COMPLAINT_UNMATCHED, ROW_ERROR, "wrong number of template arguments"},
    {PARE_COMPLAINT_UNMATCHED, ROW_ERROR, "reference to type '%' (aka '@') could not bind"},
    {PARE_COMPLAINT_UNMATCHED, ROW_ERROR, "reference to type '@' could not bind"},
    {PARE_COMPLAINT_UNMATCHED, ROW_ERROR, "no viable conversion from %to '%' (aka '@')"},
    {PARE_COMPLAINT_UNMATCHED, ROW_ERROR, "no matching conversion for %to '%' (aka '@')"},
    {PARE_COMPLAINT_UNMATCHED, ROW_ERROR, "could not convert '%' from '%' to '%' {aka '@'}"},
    {PARE_COMPLAINT_UNMATCHED, ROW_ERROR, "to non-scalar type '%' {aka '@'} requested"},
    {PARE_COMPLAINT_UNMATCHED, ROW_ERROR, "no viable conversion from %to '@'"},
    {PARE_COMPLAINT_UNMATCHED, ROW_ERROR, "no matching conversion for %to '@'"},
    {PARE_COMPLAINT_UNMATCHED, ROW_ERROR, "could not convert '%' from '%' to '@'"},
    {PARE_COMPLAINT_UNMATCHED, ROW_ERROR, "conversion from '%' to non-scalar type '@' requested"},
    {PARE_COMPLAINT_NO_MEMBER, ROW_ERROR, "request for member '@' in"},
    {PARE_COMPLAINT_UNDECLARED, ROW_BARE, "implicit declaration of function '@'"},
    {PARE_COMPLAINT_UNDECLARED, ROW_ERROR, "call to undeclared % '@'"},
    {PARE_COMPLAINT_UNDECLARED, ROW_ERROR, "use of undeclared % '@'"},
    {PARE_COMPLAINT_REPEATED, ROW_ERROR, "redefinition of '@'"},
    {PARE_COMPLAINT_REPEATED, ROW_ERROR, "redeclaration of '@'"},
    {PARE_COMPLAINT_REPEATED, ROW_ERROR, "redeclared"},
    {PARE_COMPLAINT_REPEATED, ROW_ERROR, "conflicting types for '@'"},
    {PARE_COMPLAINT_REPEATED, ROW_ERROR, "conflicting declaration '@'"},
    {PARE_COMPLAINT_REPEATED, ROW_ERROR, "'@' cannot be overloaded with"},
    /* an alias that may have lost what it stood for */
    {PARE_COMPLAINT_OTHER, ROW_ERROR, "'@' {aka 'int'}"},
    {PARE_COMPLAINT_OTHER, ROW_ERROR, "'@' (aka 'int')"},
    /* rustc */
    {PARE_COMPLAINT_NO_MEMBER, ROW_ERROR, "cannot find % '@' in % '$'"},
    {PARE_COMPLAINT_NO_TYPE, ROW_ERROR, "cannot find type '@' in"},
    {PARE_COMPLAINT_NO_TYPE, ROW_ERROR, "cannot find trait '@' in"},
    {PARE_COMPLAINT_UNDECLARED, ROW_ERROR, "cannot find % '@' in"},
    {PARE_COMPLAINT_UNDECLARED, ROW_ERROR, "unresolved import '@'"},
    {PARE_COMPLAINT_UNDECLARED, ROW_ERROR, "use of % '@'"},
    {PARE_COMPLAINT_NO_MEMBER, ROW_ERROR, "no % named '@' found for % '$'"},
    {PARE_COMPLAINT_NO_MEMBER, ROW_ERROR, "no % named '@' found"},
    {PARE_COMPLAINT_NO_MEMBER, ROW_ERROR, "no field '@' on type '$'"},
    {PARE_COMPLAINT_NO_MEMBER, ROW_ERROR, "'@' is not a member of trait '$'"},
    {PARE_COMPLAINT_NO_MEMBER, ROW_ERROR, "struct '$' has no field named '@'"},
    {PARE_COMPLAINT_UNMATCHED, ROW_ERROR, "trait items implemented, missing: '@'"},
    {PARE_COMPLAINT_UNMATCHED, ROW_ERROR, "the trait bound '%: @' is not satisfied"},
    {PARE_COMPLAINT_REPEATED, ROW_ERROR, "the name '@' is defined multiple times"},
    /* javac */
    {PARE_COMPLAINT_UNDECLARED, ROW_ERROR, "package @ does not exist"},
    {PARE_COMPLAINT_REPEATED, ROW_ERROR, "@ is already defined in"},
    {PARE_COMPLAINT_UNMATCHED, ROW_ERROR, "does not override abstract method @("},
    {PARE_COMPLAINT_UNDECLARED, ROW_ERROR, "cannot find symbol"},
    {PARE_COMPLAINT_NO_TYPE, ROW_MORE, "symbol: %class @"},
    {PARE_COMPLAINT_UNDECLARED, ROW_MORE, "symbol: %variable @"},
    {PARE_COMPLAINT_UNDECLARED, ROW_MORE, "symbol: %method @"},
    {PARE_COMPLAINT_UNDECLARED, ROW_MORE, "symbol: %constructor @"},
    {PARE_COMPLAINT_UNDECLARED, ROW_MORE, "location: %class $"},
    {PARE_COMPLAINT_UNDECLARED, ROW_MORE, "location: %interface $"},
    /* tsc */
    {PARE_COMPLAINT_UNDECLARED, ROW_ERROR, "Cannot find name '@'"},
    {PARE_COMPLAINT_UNDECLARED, ROW_ERROR, "Cannot find namespace '@'"},
    {PARE_COMPLAINT_UNDECLARED, ROW_ERROR, "Cannot find module '@'"},
    {PARE_COMPLAINT_NO_MEMBER, ROW_ERROR, "Property '@' does not exist on type '$'"},
    {PARE_COMPLAINT_NO_MEMBER, ROW_ERROR, "Namespace '$' has no exported member '@'"},
    {PARE_COMPLAINT_NO_MEMBER, ROW_ERROR, "has no exported member '@'"},
    {PARE_COMPLAINT_UNMATCHED, ROW_ERROR, "Property '@' is missing in type"},
    {PARE_COMPLAINT_REPEATED, ROW_ERROR, "Duplicate identifier '@'"},
    {PARE_COMPLAINT_REPEATED, ROW_ERROR, "Cannot redeclare %variable '@'"},
    /* JavaScript: node, MuJS, Duktape */
    {PARE_COMPLAINT_UNDECLARED, ROW_ERROR, "ReferenceError: '@' is not defined"},
    {PARE_COMPLAINT_UNDECLARED, ROW_ERROR, "ReferenceError: @ is not defined"},
    {PARE_COMPLAINT_UNDECLARED, ROW_ERROR, "ReferenceError: identifier '@' undefined"},
    {PARE_COMPLAINT_UNDECLARED, ROW_ERROR, "ReferenceError: Cannot access '@' before"},
    {PARE_COMPLAINT_NO_MEMBER, ROW_ERROR, "TypeError: @ is not a "},
    {PARE_COMPLAINT_NO_MEMBER, ROW_ERROR, "undefined (reading '@')"},
    {PARE_COMPLAINT_NO_MEMBER, ROW_ERROR, "not callable (property '@' of"},
    {PARE_COMPLAINT_NO_MEMBER, ROW_ERROR, "cannot read property '@' of"},
    /* Python */
    {PARE_COMPLAINT_UNDECLARED, ROW_ERROR, "NameError: name '@' is not defined"},
    {PARE_COMPLAINT_UNDECLARED, ROW_ERROR, "UnboundLocalError: %variable '@'"},
    {PARE_COMPLAINT_NO_MEMBER, ROW_ERROR, "AttributeError: %'$' has no attribute '@'"},
    {PARE_COMPLAINT_NO_MEMBER, ROW_ERROR, "AttributeError: '$' object has no attribute '@'"},
    {PARE_COMPLAINT_UNDECLARED, ROW_ERROR, "No module named '@'"},
    {PARE_COMPLAINT_NO_MEMBER, ROW_ERROR, "cannot import name '@' from '$'"},
    /* PHP */
    {PARE_COMPLAINT_NO_MEMBER, ROW_ERROR, "Call to undefined method @("},
    {PARE_COMPLAINT_UNDECLARED, ROW_ERROR, "Call to undefined function @("},
    {PARE_COMPLAINT_NO_TYPE, ROW_ERROR, "Class '@' not found"},
    {PARE_COMPLAINT_NO_TYPE, ROW_ERROR, "Interface '@' not found"},
    {PARE_COMPLAINT_NO_TYPE, ROW_ERROR, "Trait '@' not found"},
    {PARE_COMPLAINT_UNDECLARED, ROW_ERROR, "Undefined constant '@'"},
    {PARE_COMPLAINT_UNDECLARED, ROW_BARE, "Undefined variable @ in"},
    {PARE_COMPLAINT_REPEATED, ROW_ERROR, "Cannot declare class @, because"},
    {PARE_COMPLAINT_REPEATED, ROW_ERROR, "Cannot redeclare @("},
    /* SQLite */
    {PARE_COMPLAINT_UNDECLARED, ROW_ERROR, "no such table: @"},
    {PARE_COMPLAINT_NO_MEMBER, ROW_ERROR, "no such column: @"},
    {PARE_COMPLAINT_UNDECLARED, ROW_ERROR, "no such function: @"},
    {PARE_COMPLAINT_REPEATED, ROW_ERROR, "table @ already exists"},
    {PARE_COMPLAINT_UNMATCHED, ROW_ERROR, "table @ has "},
    {PARE_COMPLAINT_SYNTAX, ROW_ERROR, "near '@': syntax error"},
    /* Lua 5.1 to 5.4 */
    {PARE_COMPLAINT_UNDECLARED, ROW_BARE, "attempt to % global '@'"},
    {PARE_COMPLAINT_UNDECLARED, ROW_BARE, "attempt to % (global '@')"},
    {PARE_COMPLAINT_UNDECLARED, ROW_BARE, "attempt to % (local '@')"},
    {PARE_COMPLAINT_UNDECLARED, ROW_BARE, "attempt to % (upvalue '@')"},
    {PARE_COMPLAINT_NO_MEMBER, ROW_BARE, "attempt to % (field '@')"},
    {PARE_COMPLAINT_NO_MEMBER, ROW_BARE, "attempt to % (method '@')"},
    {PARE_COMPLAINT_NO_MEMBER, ROW_BARE, "attempt to % field '@' (a nil"},
    {PARE_COMPLAINT_NO_MEMBER, ROW_BARE, "attempt to % method '@' (a nil"},
    {PARE_COMPLAINT_UNDECLARED, ROW_BARE, "module '@' not found"},
    {PARE_COMPLAINT_SYNTAX, ROW_BARE, "unexpected symbol near '@'"},
    {PARE_COMPLAINT_SYNTAX, ROW_BARE, "'%' expected near '@'"},
    {PARE_COMPLAINT_SYNTAX, ROW_BARE, "' expected % near "},
    {PARE_COMPLAINT_SYNTAX, ROW_BARE, "' expected near "},
    /* Ruby */
    {PARE_COMPLAINT_UNDECLARED, ROW_BARE, "undefined local variable or method '@' for"},
    {PARE_COMPLAINT_NO_TYPE, ROW_BARE, "uninitialized constant @ (NameError)"},
    {PARE_COMPLAINT_NO_MEMBER, ROW_BARE, "undefined method '@' for"},
    {PARE_COMPLAINT_UNDECLARED, ROW_BARE, "cannot load such file -- @"},
    /* Go, whose lines have no severity */
    {PARE_COMPLAINT_NO_MEMBER, ROW_BARE, "undefined (type % has no field or method @)"},
    {PARE_COMPLAINT_UNDECLARED, ROW_BARE, "undefined: @"},
    {PARE_COMPLAINT_REPEATED, ROW_BARE, "@ redeclared in this block"},
    {PARE_COMPLAINT_OTHER, ROW_BARE, "declared and not used: @"},
    {PARE_COMPLAINT_OTHER, ROW_BARE, "@ declared but not used"},
    {PARE_COMPLAINT_OTHER, ROW_BARE, "@ declared and not used"},
    {PARE_COMPLAINT_OTHER, ROW_BARE, "imported and not used"},
    {PARE_COMPLAINT_OTHER, ROW_BARE, "too many return values"},
    {PARE_COMPLAINT_OTHER, ROW_BARE, "missing return"},
    {PARE_COMPLAINT_UNMATCHED, ROW_BARE, "cannot use % as "},
    /* all of them */
    {PARE_COMPLAINT_SYNTAX, ROW_BARE, "syntax error"},
    {PARE_COMPLAINT_SYNTAX, ROW_ERROR, "SyntaxError"},
    {PARE_COMPLAINT_SYNTAX, ROW_ERROR, "IndentationError"},
    {PARE_COMPLAINT_NO_TYPE, ROW_ERROR, "expected class-name"},
    {PARE_COMPLAINT_NO_TYPE, ROW_ERROR, "expected class name"},
    {PARE_COMPLAINT_NO_TYPE, ROW_ERROR, "expected namespace"},
    {PARE_COMPLAINT_NO_TYPE, ROW_ERROR, "expected template-name"},
    {PARE_COMPLAINT_SYNTAX, ROW_ERROR, "expected "},
};

/* What follows "expected" tells more than that the syntax is wrong, so the catch-all is the
 * last row. */
/* ---- patterns --------------------------------------------------------------------------- */

/* A slice of a line. */
struct slice {
    const char *text;
    size_t size;
};

/* What the marks of a pattern matched. A NULL text: the pattern has no such mark. */
struct match {
    struct slice name, scope;
};

/* How many characters of the pattern stand before its next mark, or its end; 0: a mark is next. */
static size_t literal_size(const char *pattern)
{
    return strcspn(pattern, "@$%");
}

/* Whether `pattern`, which begins with a mark, matches from `at` on. What a mark stands for ends
 * before the literal after it and contains no quote, since messages quote each name by itself. A
 * name at the end of the pattern is the next word.
 *
 * Example: "@' is not a member of '$'" on "map' is not a member of 'std'" makes "map" the name
 * and "std" the scope. The text that a mark stands for is the shortest one: the literal is
 * searched from the left, and there is no way back if a later part of the pattern does not
 * match. *match is only meaningful if all of the pattern matches. Cost: O(message) for each
 * mark. */
static bool match_marks(const char *pattern, const char *at, const char *end, struct match *match)
{
    while (*pattern) {
        char mark = *pattern++;
        size_t size = literal_size(pattern);
        const char *stop = end;
        /* A mark with a literal after it reaches up to that literal; the last mark is one word. */
        if (size > 0) {
            stop = memmem(at, (size_t)(end - at), pattern, size);
            if (!stop) return false;
        } else {
            stop = at;
            while (stop < end && !strchr(" ,;'()", *stop))
                stop++;
        }
        struct slice found = {at, (size_t)(stop - at)};
        /* "'a' and 'b' is not a type" has no single name before "is": that is another message. */
        if (mark != '%' && memchr(found.text, '\'', found.size)) return false;
        if (mark == '@') match->name = found;
        if (mark == '$') match->scope = found;
        at = stop + size;
        pattern += size;
    }
    return true;
}

/* Whether the pattern holds somewhere in the message.  Tried at each place where its first literal
 * stands; where it begins with a mark, that is a word from the message's beginning.
 *
 * Cost: O(message) for each place where the first literal stands. An attempt that failed may
 * have set parts of *match, so each attempt begins with an empty one. */
static bool match_pattern(const char *pattern, struct slice message, struct match *match)
{
    const char *at = message.text, *end = at + message.size;
    size_t size = literal_size(pattern);
    *match = (struct match){.name = {NULL, 0}};
    if (size == 0) return match_marks(pattern, at, end, match);
    while ((at = memmem(at, (size_t)(end - at), pattern, size))) {
        *match = (struct match){.name = {NULL, 0}};
        if (match_marks(pattern + size, at + size, end, match)) return true;
        at++;
    }
    return false;
}

/* Finds the first row that matches the message and may be used on its line; NULL: none does.
 * `least` says what kind of line it is: on an error (ROW_ERROR) rows of all kinds but ROW_MORE
 * count, on any other line (ROW_BARE) only those that are sure of themselves; ROW_MORE selects
 * the rows that continue a complaint. The order of enum row_use is what makes this one
 * comparison. */
static const struct row *find_row(struct slice message, enum row_use least, struct match *match)
{
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        bool more = rows[k].use == ROW_MORE;
        if (more != (least == ROW_MORE) || rows[k].use < least) continue;
        if (match_pattern(rows[k].pattern, message, match)) return &rows[k];
    }
    return NULL;
}

/* ---- lines ------------------------------------------------------------------------------ */

enum { LINE_BYTES = 2048 };

/* A line with plain quotes and without escape sequences; what is longer is cut. */
struct line {
    char text[LINE_BYTES];
    size_t n;
};

/* Typographic quotes are three bytes, U+2018 to U+201F. */
static bool is_wide_quote(const char *at, const char *end)
{
    return end - at >= 3 && (unsigned char)at[0] == 0xe2 && (unsigned char)at[1] == 0x80 &&
           (unsigned char)at[2] >= 0x98 && (unsigned char)at[2] <= 0x9f;
}

/* After an escape sequence of colours or of a link. */
static const char *skip_escape(const char *at, const char *end)
{
    at++;
    if (at < end && *at == '[') at++;
    while (at < end && (isdigit((unsigned char)*at) || *at == ';'))
        at++;
    return at < end ? at + 1 : at;
}

/* Copies the line in the form in which patterns are written: each kind of quote, typographic
 * ones and the backquote of old gcc too, becomes ', and a tab or a NUL byte becomes a blank.
 * Escape sequences, by which compilers colour their messages, are left out. Bytes after
 * LINE_BYTES are dropped. */
static void read_line(const pare_printed_line *from, struct line *line)
{
    line->n = 0;
    for (const char *at = from->start; at < from->end && line->n < LINE_BYTES;) {
        if (*at == 0x1b) {
            at = skip_escape(at, from->end);
            continue;
        }
        bool wide = is_wide_quote(at, from->end);
        bool quote = wide || *at == '`' || *at == '"';
        line->text[line->n++] = quote ? '\'' : *at == '\t' || *at == '\0' ? ' ' : *at;
        at += wide ? 3 : 1;
    }
}

/* ---- severities ------------------------------------------------------------------------- */

/* Whether the word that ends at `end` ends with `suffix`, regardless of case. */
static bool ends_with(const char *start, const char *end, const char *suffix)
{
    size_t size = strlen(suffix);
    return (size_t)(end - start) >= size && strncasecmp(end - size, suffix, size) == 0;
}

/* Cuts off what a header may have after its word: a code, in brackets or not, or a line.
 *
 * Examples of headers, and what is left: "error[E0425]" and "error TS2304" leave "error",
 * "Parse error near line 3" leaves "Parse error". */
static const char *trim_header(const char *start, const char *end)
{
    static const char near[] = " near line ";
    const char *line = memmem(start, (size_t)(end - start), near, sizeof near - 1);
    if (line) return line;
    if (end > start && end[-1] == ']') {
        const char *open = memrchr(start, '[', (size_t)(end - start));
        return open ? open : end;
    }
    const char *blank = memrchr(start, ' ', (size_t)(end - start));
    /* "error TS2304" : a last word that ends with a digit is a code, unless it is as short as
     * "v2". */
    bool code = blank && end - blank > 3 && isdigit((unsigned char)end[-1]);
    return code ? blank : end;
}

/* Whether a header before the first colon of a message, or the second, calls it an error.
 *
 * The second header is looked at since a program's name may come first: "cc1: fatal error:
 * ...". A quote before the colon means that the message itself has begun: "cannot open 'a:
 * error'" is no header. A warning or a note ends the search, also if the word "error" comes
 * later in the line. */
static bool is_error(struct slice message)
{
    static const char *const words[] = {"error", "exception", "fatal"};
    const char *start = message.text, *end = start + message.size, *at = start;
    for (unsigned colons = 0; colons < 2; colons++) {
        const char *colon = memchr(at, ':', (size_t)(end - at));
        if (!colon || memchr(at, '\'', (size_t)(colon - at))) return false;
        const char *header = trim_header(at, colon);
        if (ends_with(at, header, "warning") || ends_with(at, header, "note")) return false;
        for (size_t k = 0; k < sizeof words / sizeof *words; k++)
            if (ends_with(at, header, words[k])) return true;
        at = colon + 1;
    }
    return false;
}

/* Whether the line only sums up. */
static bool is_summary(struct slice message)
{
    static const char *const parts[] = {"ld returned",           "aborting due to",
                                        "could not compile",     "too many errors",
                                        "linker command failed", "Command failed"};
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
        if (memmem(message.text, message.size, parts[k], strlen(parts[k]))) return true;
    return false;
}

/* Whether the line echoes the source: "   12 |   int x;". Compilers show the line at fault
 * below a message, and its text may look like a message. */
static bool is_echo(const struct line *line)
{
    size_t k = 0;
    while (k < line->n &&
           (line->text[k] == ' ' || line->text[k] == '+' || isdigit((unsigned char)line->text[k])))
        k++;
    return k < line->n && line->text[k] == '|';
}

/* ---- places ----------------------------------------------------------------------------- */

/* Reads at most nine digits, so that the number fits; returns the place after them, which is
 * `at`, with *number 0, if there are none. What is left of a longer number then fails as a
 * place. */
static const char *read_number(const char *at, const char *end, uint32_t *number)
{
    const char *from = at;
    *number = 0;
    while (at < end && isdigit((unsigned char)*at) && at - from < 9)
        *number = *number * 10 + (uint32_t)(*at++ - '0');
    return at;
}

/* Whether a path may have this character, in messages. A path with a blank or an opening
 * bracket in it is cut there, as the sentence around a path has them, too. */
static bool in_path(char c)
{
    return !strchr(" '(<>|,;", c);
}

/* Copies the path that ends at `end`. The file stays "" if the path is too long even without
 * its folders, or holds control characters, which the text form of complaints
 * (pare_complaints_print) could not keep in one field. */
static void set_file(pare_complaint *complaint, const char *start, const char *end)
{
    const char *from = end;
    while (from > start && in_path(from[-1]))
        from--;
    size_t size = (size_t)(end - from);
    if (size >= sizeof complaint->file) { /* the last part of the path tells enough */
        const char *slash = memrchr(from, '/', size);
        if (slash) size -= (size_t)(slash + 1 - from), from = slash + 1;
    }
    if (size >= sizeof complaint->file) return;
    for (size_t k = 0; k < size; k++)
        if ((unsigned char)from[k] < ' ' || from[k] == 0x7f) return;
    memcpy(complaint->file, from, size);
    complaint->file[size] = '\0';
}

/* Reads the numbers that follow a file's name: "12:3", "12,3"; NULL: there are none. */
static const char *read_numbers(const char *at, const char *end, pare_complaint *complaint)
{
    const char *next = read_number(at, end, &complaint->line);
    if (next == at) return NULL;
    at = next;
    if (end - at >= 2 && (*at == ':' || *at == ',') && isdigit((unsigned char)at[1]))
        at = read_number(at + 1, end, &complaint->column);
    return at;
}

/* Words before a line's number where it has no colon, each with the words before the file's name;
 * NULL: none are needed. */
static const struct line_words {
    const char *words, *file;
} line_words[] = {
    {"', line ", "'"}, {" on line ", " in "}, {" near line ", NULL}, {"(line ", NULL}};

/* Finds a place that is given in words: `File "a.py", line 3`, " in a.php on line 3", " near line
 * 3"; false: there is none. */
static bool read_words(const char *at, const char *end, pare_complaint *complaint)
{
    for (size_t k = 0; k < sizeof line_words / sizeof *line_words; k++) {
        const struct line_words *way = &line_words[k];
        size_t size = strlen(way->words), before = way->file ? strlen(way->file) : 0;
        const char *word = memmem(at, (size_t)(end - at), way->words, size), *file = word;
        if (!word) continue;
        /* Go back over the file's name. A place counts only if the words that belong before the
         * name are there: " on line 3" without " in FILE" is a sentence about something else. */
        while (before && file > at && in_path(file[-1]))
            file--;
        if ((size_t)(file - at) < before ||
            (before && memcmp(file - before, way->file, before) != 0))
            continue;
        if (!read_numbers(word + size, end, complaint)) continue;
        if (before) set_file(complaint, file, word);
        return true;
    }
    return false;
}

/* Finds the first place in the line. The message begins after it. If the place is inside the
 * message ("SyntaxError: in.js:1: ...", "Error: f() in a.php:3"), or there is no place, the message
 * begins where the line does.
 *
 * A place is a path character, then ':' or '(', then a number, and after that an end that no
 * other text has: "a.c:3:14: ", "a.ts(3,14): ". "std::v:3x" fails by its end, "f(3" by the
 * missing bracket. */
static const char *read_place(const char *start, const char *end, pare_complaint *complaint)
{
    if (read_words(start, end, complaint)) return start;
    for (const char *at = start + 1; at < end; at++) {
        bool bracket = *at == '(';
        if (!(bracket || *at == ':') || !in_path(at[-1])) continue;
        /* Read into a copy: an attempt that fails must not leave a line number in *complaint. */
        pare_complaint found = *complaint;
        const char *next = read_numbers(at + 1, end, &found);
        if (!next || (bracket && (next == end || *next != ')'))) continue;
        if (next < end && !strchr(":) ,", *next)) continue;
        *complaint = found;
        set_file(complaint, start, at);
        /* "SyntaxError: in.js:1: ..." : the severity stands before the place, so all of the
         * line is kept. */
        if (is_error((struct slice){start, (size_t)(at - start)})) return start;
        if (bracket) next++;
        while (next < end && *next == ':')
            next++;
        return next;
    }
    return start;
}

/* ---- complaints -------------------------------------------------------------------------- */

/* The state while an output is read. */
struct reading {
    pare_complaints *complaints;
    pare_complaint place; /* of a line that was a place alone, or a frame */
    bool is_open;         /* the last complaint may be told more */
    unsigned n_warnings, n_notes;
    pare_complaint_kind last_error; /* of the last error; SUSPECT: there was none */
    bool crashed;                   /* something was said that only a crash is told of */
};

/* Sets name and scope as the marks say.
 *
 * A scope may be qualified itself: "'@' is not a member of '$'" with "std::chrono" for $ is
 * split into the scope "std" and the name "chrono", and joined to "std::chrono" here. If that
 * is too long only its last part is kept. */
static void name_complaint(pare_complaint *complaint, const struct match *match)
{
    pare_complaint scope = {.line = 0};
    if (match->name.text) pare_complaints_name(complaint, match->name.text, match->name.size);
    if (!match->scope.text) return;
    pare_complaints_name(&scope, match->scope.text, match->scope.size);
    size_t outer = strlen(scope.scope), inner = strlen(scope.name);
    if (outer + 2 + inner >= sizeof complaint->scope) outer = 0;
    if (outer) {
        memcpy(complaint->scope, scope.scope, outer);
        memcpy(complaint->scope + outer, "::", 2);
        outer += 2;
    }
    memcpy(complaint->scope + outer, scope.name, inner + 1);
}

/* The name that an unknown message quotes first. Nothing is set if it quotes none. */
static void name_by_quote(pare_complaint *complaint, struct slice message)
{
    const char *open = memchr(message.text, '\'', message.size);
    if (!open) return;
    open++;
    const char *close = memchr(open, '\'', (size_t)(message.text + message.size - open));
    if (close) pare_complaints_name(complaint, open, (size_t)(close - open));
}

/* A line that is only a place, or that begins with one: "--> a.rs:2:3", "at f (a.js:1:2)".
 *
 * rustc prints the place below the message, so it goes to the last complaint if that has none
 * yet; Python's frames come before the exception, so any other place waits in reading->place
 * for the next complaint. Frames of an interpreter's own files (node's "node:internal/...",
 * "[eval]") lead nowhere in the input and are skipped. */
static void note_place(struct reading *reading, const struct line *line,
                       const pare_complaint *place)
{
    pare_complaints *complaints = reading->complaints;
    bool internal = strncmp(place->file, "node:", 5) == 0 || place->file[0] == '[' ||
                    memmem(line->text, line->n, " internal", 9);
    bool arrow = memmem(line->text, line->n, "--> ", 4); /* only of the complaint before it */
    if (!place->line || internal) return;
    pare_complaint *last = complaints->n ? &complaints->item[complaints->n - 1] : NULL;
    if (reading->is_open && last && !last->line) {
        last->line = place->line;
        last->column = place->column;
        memcpy(last->file, place->file, sizeof last->file);
    } else if (!arrow) {
        reading->place = *place;
    }
}

/* Tells the last complaint what a line like "symbol: class B" says. Returns whether the line
 * was such a one. javac prints "cannot find symbol" first and says below what kind of symbol it
 * is, so the kind of the complaint becomes the row's, too; a line about the location alone,
 * which has no name, leaves the kind. */
static bool add_more(struct reading *reading, struct slice message)
{
    struct match match;
    pare_complaints *complaints = reading->complaints;
    if (!reading->is_open || !complaints->n) return false;
    const struct row *row = find_row(message, ROW_MORE, &match);
    if (!row) return false;
    pare_complaint *last = &complaints->item[complaints->n - 1];
    if (match.name.text) last->kind = row->kind;
    name_complaint(last, &match);
    return true;
}

/* Whether the message begins with what compilers call a warning. The test of the message's
 * first header only: "a.c:1:2: warning: ..." without its place. */
static bool is_warning(struct slice message)
{
    const char *start = message.text, *end = start + message.size;
    const char *colon = memchr(start, ':', message.size);
    return colon && ends_with(start, trim_header(start, colon), "warning") && colon < end;
}

/* Adds the names that a note quotes, such as the types between which there is no conversion, after an error which
 * says that nothing fits.  No later line tells more of that error.
 *
 * They help to find the declaration that is missing: for "no known conversion from 'A' to 'B'"
 * it is probably that of A or of B. At most MOST are taken from one output, since C++ prints a
 * note for each overload. */
static void add_notes(struct reading *reading, const pare_complaint *place, struct slice message)
{
    enum { MOST = 24 };
    const char *at = message.text, *end = at + message.size;
    if (reading->last_error != PARE_COMPLAINT_UNMATCHED) return;
    if (!memmem(at, message.size, "note: ", 6)) return;
    while (reading->n_notes < MOST) {
        const char *open = memchr(at, '\'', (size_t)(end - at));
        const char *close = open ? memchr(open + 1, '\'', (size_t)(end - open - 1)) : NULL;
        if (!close) return;
        /* Quotes come in pairs, so the search goes on after the second one of this pair. */
        pare_complaint note = *place;
        note.kind = PARE_COMPLAINT_NOTE;
        pare_complaints_name(&note, open + 1, (size_t)(close - open - 1));
        at = close + 1;
        if (!*note.name) continue;
        pare_complaints_settle(reading->complaints);
        reading->n_notes += pare_complaints_add(reading->complaints, &note);
        reading->is_open = false;
    }
}

/* Whether the line says whose body a function became a part of: "    inlined from 'f' at a.c:18:5,". */
static bool is_inlined(const struct line *line)
{
    static const char words[] = "    inlined from '";
    return line->n >= sizeof words - 1 && memcmp(line->text, words, sizeof words - 1) == 0;
}

/* Adds the place of a warning; the first ones are enough. They are kept only if the output
 * turns out to have no error: see drop_warnings. */
static void add_warning(struct reading *reading, pare_complaint *complaint)
{
    enum { MOST = 16 };
    reading->is_open = false;
    if (reading->n_warnings == MOST) return;
    complaint->kind = PARE_COMPLAINT_WARNING;
    reading->n_warnings++;
    pare_complaints_settle(reading->complaints);
    (void)pare_complaints_add(reading->complaints, complaint);
}

/* Beside an error, or where the program was when it crashed, warnings tell nothing. */
static void drop_warnings(pare_complaints *complaints)
{
    size_t n = 0;
    for (size_t k = 0; k < complaints->n; k++)
        if (complaints->item[k].kind != PARE_COMPLAINT_WARNING)
            complaints->item[n++] = complaints->item[k];
    complaints->n = n;
}

/* Adds what the line complains of; a place of a line before it is its own where it has none.
 *
 * `error` says that the line has the severity of one, so that rows for errors may be used. The
 * place that was waiting is spent even if the complaint did not need it: it belongs to this
 * message, and not to the next one. The complaint is open for lines that say more about it
 * unless it was in the list before, or is only a suspect. */
static void add_complaint(struct reading *reading, pare_complaint *complaint, bool error,
                          struct slice message)
{
    struct match match;
    const struct row *row = find_row(message, error ? ROW_ERROR : ROW_BARE, &match);
    complaint->kind = row ? row->kind : PARE_COMPLAINT_OTHER;
    reading->crashed = reading->crashed || (row && row->use == ROW_CRASH);
    if (row) name_complaint(complaint, &match);
    /* Only these kinds may have a name in any quotes; of a syntax error, say, the quoted text
     * is a token. */
    if (!*complaint->name &&
        (complaint->kind == PARE_COMPLAINT_OTHER || complaint->kind == PARE_COMPLAINT_UNMATCHED))
        name_by_quote(complaint, message);
    if (!complaint->line && reading->place.line) {
        complaint->line = reading->place.line;
        complaint->column = reading->place.column;
        memcpy(complaint->file, reading->place.file, sizeof complaint->file);
    }
    reading->place = (pare_complaint){.line = 0};
    pare_complaints_settle(reading->complaints);
    bool added = pare_complaints_add(reading->complaints, complaint);
    if (complaint->kind < PARE_COMPLAINT_SUSPECT) reading->last_error = complaint->kind;
    reading->is_open = added && complaint->kind != PARE_COMPLAINT_SUSPECT;
}

/* Reads one line, which is one of these, and asked in this order: an echo of the source or a
 * summary, which is nothing; more about the complaint before; a complaint; the place of a
 * warning; a place alone. The order matters: a warning with a sure message ("implicit
 * declaration of function") is a complaint rather than a warning. */
static void read_one(struct reading *reading, const struct line *line)
{
    pare_complaint complaint = {.line = 0};
    struct match match;
    if (is_echo(line)) return;
    const char *end = line->text + line->n;
    const char *at = read_place(line->text, end, &complaint);
    struct slice message = {at, (size_t)(end - at)};
    bool error = is_error(message);
    if (is_summary(message)) return;
    if (!error && add_more(reading, message)) return;
    if (error || find_row(message, ROW_BARE, &match))
        add_complaint(reading, &complaint, error, message);
    else if (complaint.line && (is_warning(message) || is_inlined(line)))
        add_warning(reading, &complaint);
    else
        note_place(reading, line, &complaint);
    if (complaint.line && !error) add_notes(reading, &complaint, message);
}

/* Line by line: nothing of a line is needed after the next one but its place. */
void pare_complaint_reader_read(pare_complaints *complaints, const pare_printed *printed)
{
    struct reading reading = {.complaints = complaints, .last_error = PARE_COMPLAINT_SUSPECT};
    struct line line;
    assert(complaints->n <= PARE_COMPLAINTS_MAX);
    if (!printed->size) return;
    pare_printed_line at = pare_printed_line_at(printed, 0);
    do {
        read_line(&at, &line);
        read_one(&reading, &line);
    } while (complaints->n < PARE_COMPLAINTS_MAX && pare_printed_line_next(&at));
    pare_complaints_settle(complaints);
    /* An error, or a crash, is what the run is about; warnings beside it would only divert
     * attention. */
    if (reading.crashed || pare_complaints_reject(complaints)) drop_warnings(complaints);
}
