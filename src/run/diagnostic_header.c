/* Headers of diagnostics: what of a line says how serious the problem is, and where the message begins.
 *
 * The word that makes a line a diagnostic ends in "error", "exception", "warning" or "fatal" and stands where
 * a header stands: before a colon, a code, a place; after a place, as a column of a table; in parentheses
 * before the message, or after it.  "no errors found" and "the error handler" have the word, but not the place.
 *
 * The rules were found on some programs and hold for others, which a table of programs would not: see
 * tests/data/diagnostics.
 *
 * Invariant: start <= end <= message, and all three lie in the line. */
#include "run/diagnostic_header.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>
#include <strings.h>

/* ---- places ----------------------------------------------------------------------- */

/* Skips digits and what joins them: 3  3:14  3.5-8  3,14; NULL: there are none. */
static const char *skip_position(const char *at)
{
    if (!isdigit((unsigned char)*at)) return NULL;
    while (isdigit((unsigned char)*at) ||
           (*at && strchr(":.,-", *at) && isdigit((unsigned char)at[1])))
        at++;
    return at;
}

/* Skips what follows " (line": " 3, column 14):", "s 3-5)", as parsers in Haskell have it; NULL: it is no place. */
static const char *skip_named_numbers(const char *at)
{
    if (*at == 's') at++;
    const char *next = *at == ' ' ? skip_position(at + 1) : NULL;
    if (next && strncmp(next, ", column ", 9) == 0) next = skip_position(next + 9);
    if (!next || *next != ')') return NULL;
    return next[1] == ':' ? next + 2 : next + 1;
}

/* Skips the place after a file's name: ":3:14:", "(3,14):", "(l3):", "[3]:", ": line 3:", ", line 3, characters
 * 8-9:"; NULL: there is none.
 *
 * The result stands after the colon where there is one, but before the blank that follows, so
 * that a caller can skip any number of blanks. Parentheses are accepted without a colon after
 * them, plain numbers only with one. */
static const char *skip_numbers(const char *at)
{
    const char *next;
    if (*at == '"') at++;
    if (strncmp(at, " line ", 6) == 0) { /* gnuplot: "in.gp" line 3: */
        next = skip_position(at + 6);
        return next && *next == ':' ? next + 1 : NULL;
    }
    if (strncmp(at, " (line", 6) == 0) return skip_named_numbers(at + 6);
    if (*at == '(') { /* dpkg: changelog(l3): */
        next = skip_position(at[1] == 'l' ? at + 2 : at + 1);
        if (!next || *next != ')') return NULL;
        return next[1] == ':' ? next + 2 : next + 1;
    }
    if (*at == '[') { /* ksh: in.ksh[3]: */
        next = skip_position(at + 1);
        return next && strncmp(next, "]: ", 3) == 0 ? next + 2 : NULL;
    }
    /* What is left has a colon or a comma first: ":3:", ": line 3:", ", line 3, characters
     * 8-9:". */
    if (*at != ':' && *at != ',') return NULL;
    at++;
    if (*at == ' ') at++;
    if (strncmp(at, "line ", 5) == 0) at += 5;
    next = skip_position(at);
    if (!next) return NULL;
    if (strncmp(next, ", characters ", 13) == 0) next = skip_position(next + 13);
    if (next && strncmp(next, ", col ", 6) == 0) { /* jshint: in.js: line 3, col 22, ... */
        next = skip_position(next + 6);
        return next && *next && strchr(":,", *next) ? next + 1 : NULL;
    }
    if (!next) return NULL;
    /* Ruby: "in.rb:3:in `load': ..." */
    if (strncmp(next, ":in ", 4) == 0) {
        const char *colon = strstr(next, "': ");
        if (colon) next = colon + 1;
    }
    if (strncmp(next, " : ", 3) == 0) next++; /* qmllint: in.qml:3 : ... */
    return *next == ':' ? next + 1 : NULL;
}

/* Skips a line and a column as the first column of a table, "3:14 "; a time of the day, "10:05 ", is none.  NULL:
 * there is none.
 *
 * The minutes of "10:05 " begin with 0, as a column never does; "10:15 " is taken for a place. */
static const char *skip_line_and_column(const char *text)
{
    const char *line = text, *column;
    while (isdigit((unsigned char)*line))
        line++;
    if (line == text || *line != ':' || line[1] == '0') return NULL;
    for (column = line + 1; isdigit((unsigned char)*column);)
        column++;
    return column > line + 1 && *column == ' ' ? column + 1 : NULL;
}

/* Skips a place without a file's name: "3:14 ", "line 3: ", "line 3 column 14: "; NULL: there is none. */
static const char *skip_bare_numbers(const char *text)
{
    if (strncmp(text, "line ", 5) != 0) return skip_line_and_column(text);
    const char *next = skip_position(text + 5);
    if (next && strncmp(next, " column ", 8) == 0) next = skip_position(next + 8);
    return next && strncmp(next, ": ", 2) == 0 ? next + 2 : NULL;
}

/* Skips the columns that Haxe has after a line: "characters 5-35 : ", "lines 3-5 : "; without them, returns `at`. */
static const char *skip_columns(const char *at)
{
    static const char *const words[] = {"characters ", "character ", "lines "};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
        const size_t size = strlen(words[k]);
        const char *next = strncmp(at, words[k], size) == 0 ? skip_position(at + size) : NULL;
        if (next && strncmp(next, " : ", 3) == 0) return next + 3;
    }
    return at;
}

/* Skips the address that an assembler has after a place, "100d:"; without one, returns `at`. At
 * least one digit must be among them, or a word such as "face:" would be taken for an address. */
static const char *skip_address(const char *at)
{
    enum { DIGITS_MIN = 4 };
    const size_t size = strspn(at, "0123456789abcdef"), n_letters = strspn(at, "abcdef");
    if (size < DIGITS_MIN || n_letters == size || at[size] != ':') return at;
    return isalpha((unsigned char)at[size + 1]) ? at + size + 1 : at;
}

/* Skips a place in brackets, "(in.conf: Line 7) ", "(Line 7) ", "('in.vcl' Line 7 Pos 26)"; NULL: there is none. */
static const char *skip_bracketed(const char *text)
{
    static const char line[] = "Line ", column[] = " Pos ";
    if (*text != '(') return NULL;
    const char *at = text + 1;
    if (strncmp(at, line, sizeof line - 1) != 0) {
        at += strcspn(at, " :)");
        if (*at == ':') at++;
        if (*at++ != ' ' || strncmp(at, line, sizeof line - 1) != 0) return NULL;
    }
    at = skip_position(at + sizeof line - 1);
    if (at && strncmp(at, column, sizeof column - 1) == 0)
        at = skip_position(at + sizeof column - 1);
    if (!at || *at != ')') return NULL;
    at++;
    while (*at == ' ')
        at++;
    return at;
}

/* Whether a file's name that began at `name` ends before `at`.  A bracket does so only with ksh's line in it after a
 * name with a dot: neither that of "[id].ts:3:5: " nor that of "make[1]: " does. */
static bool ends_name(const char *name, const char *at)
{
    if (*at == '[') return memchr(name, '.', (size_t)(at - name)) && skip_numbers(at);
    return strchr(" :(,\"", *at) != NULL;
}

/* A file's name and numbers after it; before it may stand the name of the program.
 *
 * Returns where the text goes on after the place, or `text` itself if it does not begin with
 * one. At most two names are read: "ksh: in.ksh[3]: " has the program's before the file's. Only
 * the numbers make it a place: "gcc: error: ..." has names and no numbers, so nothing is
 * skipped. */
const char *pare_diagnostic_skip_place(const char *text)
{
    const char *at = text, *bare = skip_bare_numbers(text);
    if (!bare) bare = skip_bracketed(text);
    if (bare) return bare;
    if (strncmp(at, "File \"", 6) == 0) at += 6;
    for (unsigned names = 0; names < 2; names++) {
        if (*at == '"') at++;
        const char *name = at;
        while (!ends_name(name, at))
            at++;
        if (at == name) return text;
        const char *next = skip_numbers(at);
        if (next) {
            while (*next == ' ')
                next++;
            return skip_address(skip_columns(next));
        }
        if (*at != ':') return text;
        at += at[1] == ' ' ? 2 : 1;
    }
    return text;
}

/* ---- headers ---------------------------------------------------------------------- */

/* Whether the word from `start` to `end` ends with `suffix`, regardless of case. */
static bool ends_with(const char *start, const char *end, const char *suffix)
{
    size_t size = strlen(suffix);
    return (size_t)(end - start) >= size && strncasecmp(end - size, suffix, size) == 0;
}

/* Whether the word names a kind of exception: "TypeError", "java.io.IOException", but neither
 * "error" nor "Error", which are severities.  The suffix has its capital, which tells names
 * from words of a sentence. */
static bool names_exception(const char *start, const char *end)
{
    size_t own = ends_with(start, end, "Exception") ? 9 : ends_with(start, end, "Error") ? 5 : 0;
    return own && (size_t)(end - start) > own && end[-(ptrdiff_t)own] != 'e';
}

/* The message after a colon at `at`, which may have a blank before it; NULL: no colon. */
static const char *after_colon(const char *at)
{
    if (*at == ' ' && at[1] == ':') at++;
    if (*at != ':' || (at[1] && at[1] != ' ')) return NULL;
    for (at++; *at == ' ';)
        at++;
    return at;
}

/* Whether a code stands at `at`, such as TS2322, CS-0103 or 20; *end is set after it. Set also
 * if it is none. */
static bool is_code(const char *at, const char **end)
{
    const char *digits = at;
    while (isupper((unsigned char)*digits) || *digits == '-')
        digits++;
    const char *stop = digits;
    while (isdigit((unsigned char)*stop))
        stop++;
    *end = stop;
    return stop > digits;
}

/* Whether a few words and a colon stand at `at`: what is left of "Fatal error in parser: ..." or of
 * "Error in sourced command file:", whose message is on the next line. */
static bool is_part_before_colon(const char *at)
{
    const char *end = at;
    while (isalpha((unsigned char)*end))
        end++;
    if (end > at && strncmp(end, ": ", 2) == 0) return true;
    while (isalpha((unsigned char)*end) || *end == ' ')
        end++;
    return end > at && strcmp(end, ":") == 0;
}

/* Whether a check's name stands from `at` to `end`, as in "ERROR (path_references): ...", rather than a place. */
static bool is_check_name(const char *at, const char *end)
{
    const char *stop = at;
    while (islower((unsigned char)*stop) || (*stop && strchr("_-", *stop)))
        stop++;
    return stop == end && stop > at;
}

/* Skips a code that is joined to the word, as in "Error-PINNOTFOUND"; without one, returns `at`. */
static const char *skip_joined_code(const char *at)
{
    if (*at != '-') return at; /* which may be the end of the line */
    const char *end = at + 1;
    while (isupper((unsigned char)*end) || isdigit((unsigned char)*end) || *end == '_')
        end++;
    return end - at > 2 && *end == ':' ? end : at;
}

/* Whether nothing but a place stands at `at`: "Parse error at line 2, col 28", whose message is on the next line. */
static bool is_place_to_end(const char *at)
{
    if (strncmp(at, " at line ", 9) != 0) return false;
    const char *end = skip_position(at + 9);
    if (end && strncmp(end, ", col ", 6) == 0) end = skip_position(end + 6);
    return end && !*end;
}

/* Whether a code in brackets stands here, as Node's errors have it: "TypeError [ERR_INVALID_ARG_TYPE]: ..." */
static bool is_bracketed_code(const char *at, const char **end)
{
    if (strncmp(at, " [", 2) != 0 || !isupper((unsigned char)at[2])) return false;
    at += 2;
    while (isupper((unsigned char)*at) || isdigit((unsigned char)*at) || *at == '_')
        at++;
    *end = at + 1;
    return *at == ']';
}

/* Whether `at` begins R's title of what follows, " message:" or " messages:".  With a number behind it it is a count
 * instead ("Error messages:    1"). */
static bool is_title_of_messages(const char *at)
{
    static const char word[] = " message";
    if (strncmp(at, word, sizeof word - 1) != 0) return false;
    at += sizeof word - 1;
    if (*at == 's') at++;
    return *at == ':' && !isdigit((unsigned char)at[1 + strspn(at + 1, " ")]);
}

/* Whether a bracket at `at` holds a number and nothing else. */
static bool is_number_in_brackets(const char *at)
{
    const size_t digits = strspn(at + 1, "0123456789");
    return digits && at[1 + digits] == ']';
}

/* Reads what stands between a severity's word and its colon: a code, which belongs to the header,
 * or a place, which does not. Sets header->end and ->message.
 *
 * `at` is the end of the word; false: what follows shows that the word is a part of a sentence.
 * What is understood, each form with what becomes the message:
 *   "error: text", "error : text"          text
 *   "error[E0425]: text", "error TS2322: text", "error(56): in.g:3:1: text"    text
 *   "error at 3:14: text", "Error in parser: text"                             text
 *   "ERROR (name): text"                   text, and the name is a part of the header
 *   "Parse error at line 2, col 28"        "", which the next line supplies */
static bool read_tail(const char *at, pare_diagnostic_header *header)
{
    const char *end;
    at = skip_joined_code(at);
    header->end = at;
    if (is_place_to_end(at)) {
        header->message = at + strlen(at);
        return true;
    }
    if (*at == '(' && is_code(at + 1, &end) &&
        strncmp(end, "): ", 3) == 0) { /* ANTLR's "error(56): " */
        header->end = end + 1;
        header->message = pare_diagnostic_skip_place(end + 3);
        return true;
    }
    if (*at == '[') {
        end = strchr(at, ']');
        if (!end) return false;
        header->end = end + 1;
        if (is_number_in_brackets(at) && end[1] == ' ') { /* gpasm's "Error[113]   Symbol .." */
            header->message = end + 1 + strspn(end + 1, " ");
            return isalpha((unsigned char)*header->message); /* "error[3] = 0.25" is a value */
        }
    } else if (*at == ' ' && is_code(at + 1, &end)) {
        header->end = end;
    } else if (header->is_exception && is_bracketed_code(at, &end)) {
        header->end = end;
    } else if (strncmp(at, " (", 2) == 0) {
        end = strstr(at, "):");
        if (!end) return false;
        if (is_check_name(at + 2, end)) header->end = end + 1;
        header->message = after_colon(end + 1);
        return header->message != NULL;
    }
    /* A place, or what the program was doing, in words: the message begins after the next
     * colon. */
    bool has_place =
        strncmp(header->end, " at ", 4) == 0 || strncmp(header->end, " near line ", 11) == 0 ||
        strncmp(header->end, " running ", 9) == 0 ||
        (strncmp(header->end, " in ", 4) == 0 && is_part_before_colon(header->end + 4)) ||
        is_title_of_messages(header->end);
    if (has_place) {
        at = header->end;
        end = strstr(at, ": ");
        /* "Error in sourced command file:" : the colon ends the line. */
        if (!end) end = strrchr(at, ':');
        header->message = end ? after_colon(end) : NULL;
        return header->message != NULL;
    }
    header->message = after_colon(header->end);
    if (!header->message && header->end > at && strncmp(header->end, " - ", 3) == 0)
        header->message = header->end + 3; /* "Error 6084 - ..." */
    return header->message != NULL;
}

/* Reads the title that Clojure has above a message, which names the kind of error and the place: "Execution error
 * (ClassCastException) at user/title (in.clj:3).", "Syntax error compiling at (in.clj:3:1)." */
static bool read_title(const char *line, const char *end, pare_diagnostic_header *header)
{
    const size_t size = strlen(line);
    const char *place = strstr(end, "at "), *numbers = NULL;
    const char *open = size ? strrchr(end, '(') : NULL;
    if (header->start != line || !place || !open || open < place || place[-1] != ' ') return false;
    for (const char *at = open + 1; *at && !numbers; at++)
        if (*at == ':') numbers = skip_position(at + 1);
    if (!numbers || strcmp(numbers, ").") != 0) return false;
    header->end = place - 1;
    header->message = line + size;
    return true;
}

/* "syntax error" and "parse error" need no colon. Both name the fault so well that a line with
 * them is hardly about anything else. */
static bool is_syntax_error(const char *line, const char *word)
{
    return (word - line >= 7 && strncasecmp(word - 7, "syntax ", 7) == 0) ||
           (word - line >= 6 && strncasecmp(word - 6, "parse ", 6) == 0);
}

/* The begin of the header around `word`: one word earlier if that word only says what kind of error
 * it is ("fatal", "parser", "CMake"). Of "CMake Error at ..." the header is "CMake Error". */
static const char *widen(const char *line, const char *word)
{
    static const char *const adjectives[] = {
        "fatal",  "parser", "syntax",  "parse", "runtime", "type",      "internal",
        "linker", "lexer",  "lexical", "cmake", "compile", "namespace", "execution"};
    if (word - line < 2 || word[-1] != ' ') return word;
    const char *end = word - 1, *start = end;
    while (start > line && isalpha((unsigned char)start[-1]))
        start--;
    for (size_t k = 0; k < sizeof adjectives / sizeof *adjectives; k++)
        if ((size_t)(end - start) == strlen(adjectives[k]) &&
            strncasecmp(start, adjectives[k], strlen(adjectives[k])) == 0)
            return start;
    return word;
}

/* Whether a count stands before the word, as in the summary "1 error generated".  After a colon,
 * comma, dot or dash the digits are a place instead: "in.c:3 error", "in.sml:6.15-6.38 Error: ...". */
static bool is_counted(const char *line, const char *word)
{
    if (word - line < 2 || word[-1] != ' ') return false;
    const char *number = word - 1;
    while (number > line && isdigit((unsigned char)number[-1]))
        number--;
    return number < word - 1 && (number == line || !strchr(":,.-", number[-1]));
}

/* Whether the line reports a failure of the compiler itself or a sanitizer's finding. Those have
 * recognisers of their own and are no diagnostics.
 *
 * The third form is UBSan's "in.c:3:5: runtime error: signed integer overflow". */
static bool is_crash(const char *line, const char *word)
{
    return (word - line >= 18 && strncasecmp(word - 18, "internal compiler ", 18) == 0) ||
           strstr(word, "Sanitizer: ") ||
           (word - line >= 10 && strncmp(word - 10, ": runtime ", 10) == 0);
}

/* Reads a severity in brackets after a code: "SC2045 (error): ...".  Only there are "info" and the like
 * taken for one: a checker that fails for their sake names them so.
 *
 * The code is required since "(info)" alone is a common way to annotate a sentence. */
static bool read_coded(const char *line, const char *word, const char *end,
                       pare_diagnostic_header *header)
{
    static const char *const mild[] = {"warning", "info", "style", "note", "hint"};
    const char *message = *end == ')' ? after_colon(end + 1) : NULL;
    if (!message || word - line < 3 || word[-1] != '(' || word[-2] != ' ') return false;
    const char *code = word - 2, *stop;
    while (code > line && (isupper((unsigned char)code[-1]) || isdigit((unsigned char)code[-1])))
        code--;
    if (!is_code(code, &stop) || stop != word - 2) return false;
    *header = (pare_diagnostic_header){
        .start = code, .end = end + 1, .message = message, .severity = PARE_SEVERITY_ERROR};
    if (ends_with(word, end, "error")) return true;
    header->severity = PARE_SEVERITY_WARNING;
    for (size_t k = 0; k < sizeof mild / sizeof *mild; k++)
        if (ends_with(word, end, mild[k])) return true;
    return false;
}

/* Reads a kind of exception in parentheses before its message, as Elixir has it: "**
 * (RuntimeError) ...". Only blanks and asterisks may stand before the bracket. */
static bool read_parenthesized(const char *line, const char *word, const char *end,
                               pare_diagnostic_header *header)
{
    if (!header->is_exception || word == line || word[-1] != '(' || strncmp(end, ") ", 2) != 0)
        return false;
    for (const char *at = line; at < word - 1; at++)
        if (!strchr("* ", *at)) return false;
    header->end = end;
    header->message = end + 2;
    return *header->message != '\0';
}

/* Reads a severity that is a column of a table of places: "19:11 error 'quantity' is not
 * defined". ESLint and its like print it so. */
static bool read_column(const char *line, const char *word, const char *end,
                        pare_diagnostic_header *header)
{
    if (word - line < 2 || word[-1] != ' ' || *end != ' ' || !end[1] ||
        memchr(line, ' ', (size_t)(word - 1 - line)))
        return false;
    if (!isdigit((unsigned char)word[-2]) || !memchr(line, ':', (size_t)(word - line)))
        return false;
    header->end = end;
    header->message = end + 1;
    return true;
}

/* Reads the header around the word from `word` to `end`; false: the line is no diagnostic. The
 * surest forms are tried first: a colon or a code after the word, brackets, an exception at the end
 * of the line, and "syntax error" within a sentence.
 *
 * The word is any word of the line, so most calls end at the check of its suffix. `header` is
 * only meaningful if the result is true. The forms without a colon come last; most of them
 * leave the message to the next line. */
static bool read_header(const char *line, const char *word, const char *end,
                        pare_diagnostic_header *header)
{
    bool warns = ends_with(word, end, "warning");
    if (read_coded(line, word, end, header)) return true;
    if (!warns && !ends_with(word, end, "error") && !ends_with(word, end, "exception") &&
        !ends_with(word, end, "fatal"))
        return false;
    /* All readers below start from this and set `end` and `message`. */
    *header =
        (pare_diagnostic_header){.start = widen(line, word),
                                 .severity = warns ? PARE_SEVERITY_WARNING : PARE_SEVERITY_ERROR,
                                 .is_exception = names_exception(word, end)};
    if (is_counted(line, word) || is_crash(line, word)) return false;
    if (word == line && strncmp(line, "Error, ", 7) == 0) { /* GAP's; not that of a sentence */
        header->end = end;
        header->message = end + 2;
        return true;
    }
    if (read_tail(end, header) || read_parenthesized(line, word, end, header)) return true;
    if (read_title(line, end, header)) return true;
    if (read_column(line, word, end, header)) return true;
    header->end = end;
    if (header->start == line && strncmp(end, "! ", 2) == 0) { /* Ansible's "ERROR! ..." */
        header->message = end + 2;
        return true;
    }
    /* Where no form above holds the message is not on this line, but for what follows a bracket
     * or "syntax error". */
    header->message = end + strlen(end);
    if (word > line && word[-1] == '[' && *end == ']') { /* "[error] ..." */
        header->message = end[1] == ' ' ? end + 2 : end + 1;
        return true;
    }
    if (header->is_exception && !*end) return true;
    if (header->is_exception && word > line && word[-1] == '(' && strcmp(end, ")") == 0)
        return true;
    if (!is_syntax_error(line, word)) return false;
    header->message = end; /* what follows is a part of the sentence */
    return true;
}

/* Reads the S-expression with which solvers answer: (error "line 8 column 37: unknown constant q"). */
static bool read_expression(const char *line, pare_diagnostic_header *header)
{
    static const char start[] = "(error \"";
    if (strncmp(line, start, sizeof start - 1) != 0) return false;
    *header = (pare_diagnostic_header){.start = line + 1,
                                       .end = line + 6,
                                       .message = line + sizeof start - 1,
                                       .severity = PARE_SEVERITY_ERROR};
    return true;
}

/* Reads the title of a condition that nothing handled, as Common Lisp has it: "Unhandled TYPE-ERROR in thread ...". */
static bool read_condition(const char *line, pare_diagnostic_header *header)
{
    static const char start[] = "Unhandled ";
    if (strncmp(line, start, sizeof start - 1) != 0) return false;
    const char *name = line + sizeof start - 1, *end = name + strcspn(name, " ");
    if (end == name || strncmp(end, " in thread ", 11) != 0) return false;
    *header = (pare_diagnostic_header){.start = line,
                                       .end = end,
                                       .message = line + strlen(line),
                                       .severity = PARE_SEVERITY_ERROR,
                                       .is_exception = true};
    return true;
}

/* Reads what was thrown and not caught, where its name tells nothing: "Unhandled exception
 * divide_by_zero (7, 0)". The name and its arguments are the message, since nothing else tells
 * one exception from another. */
static bool read_unhandled(const char *line, pare_diagnostic_header *header)
{
    static const char *const starts[] = {"Unhandled exception ", "Uncaught exception "};
    for (size_t k = 0; k < sizeof starts / sizeof *starts; k++) {
        const size_t size = strlen(starts[k]);
        if (strncasecmp(line, starts[k], size) != 0 || !isalpha((unsigned char)line[size]))
            continue;
        *header = (pare_diagnostic_header){.start = line,
                                           .end = line + size - 1,
                                           .message = line + size - 1,
                                           .severity = PARE_SEVERITY_ERROR,
                                           .is_exception = true};
        return true;
    }
    return false;
}

/* Reads the title of Redis's refusal, which names no fault: that is below a place and the line at fault. */
static bool read_banner(const char *line, pare_diagnostic_header *header)
{
    static const char start[] = "*** ", title[] = "ERROR";
    const size_t size = strlen(line);
    const char *word = strstr(line, title);
    if (strncmp(line, start, sizeof start - 1) != 0 || !word) return false;
    if (isalpha((unsigned char)word[sizeof title - 1])) return false; /* "*** 3 ERRORS ***" */
    if (size < 2 * sizeof start || strcmp(line + size - 4, " ***") != 0) return false;
    *header = (pare_diagnostic_header){.start = line + sizeof start - 1,
                                       .end = word + sizeof title - 1,
                                       .message = line + size,
                                       .severity = PARE_SEVERITY_ERROR};
    return true;
}

/* Reads "NAME: error during parsing file in.conf, on or before line 8: ...", where the word is a part of the sentence. */
static bool read_sentence(const char *line, pare_diagnostic_header *header)
{
    static const char *const nexts[] = {"during ", "while ", "reading ", "parsing ", "loading "};
    static const char word[] = ": error ";
    const char *at = strstr(line, word);
    if (!at || at == line || memchr(line, ' ', (size_t)(at - line))) return false;
    const char *next = at + sizeof word - 1;
    bool is_known = false;
    for (size_t k = 0; k < sizeof nexts / sizeof *nexts; k++)
        is_known |= strncmp(next, nexts[k], strlen(nexts[k])) == 0;
    if (!is_known) return false;
    *header = (pare_diagnostic_header){
        .start = at + 2, .end = next - 1, .message = next - 1, .severity = PARE_SEVERITY_ERROR};
    return true;
}

/* Reads TeX's sign before an error: "! Undefined control sequence." TeX's errors begin with a
 * capital. */
static bool read_sign(const char *line, pare_diagnostic_header *header)
{
    if (strncmp(line, "! ", 2) != 0 || !isupper((unsigned char)line[2])) return false;
    *header = (pare_diagnostic_header){
        .start = line + 2, .end = line + 2, .message = line + 2, .severity = PARE_SEVERITY_ERROR};
    return true;
}

/* Reads the tag of a log line of htslib: "[E::sam_parse1] CIGAR and query sequence are of different length". */
static bool read_tag(const char *line, pare_diagnostic_header *header)
{
    const char *end = strchr(line, ']');
    if (!end || end[1] != ' ') return false;
    if (strncmp(line, "[E::", 4) != 0 && strncmp(line, "[W::", 4) != 0) return false;
    *header = (pare_diagnostic_header){.start = line,
                                       .end = end + 1,
                                       .message = end + 2,
                                       .severity = line[1] == 'E' ? PARE_SEVERITY_ERROR
                                                                  : PARE_SEVERITY_WARNING};
    return true;
}

/* Tries each word of the line as the header's, from the left, and after that the forms that no
 * word of a severity marks. htslib's tag comes first, since the message after it may have a
 * word like "error" of its own. Cost: O(line), as read_header looks around a word only if its
 * suffix fits. */
bool pare_diagnostic_header_find(const char *line, pare_diagnostic_header *header)
{
    if (read_tag(line, header)) return true;
    for (const char *at = line; *at;) {
        const char *word = at;
        while (pare_diagnostic_in_word(*at))
            at++;
        const bool found = at > word && read_header(line, word, at, header);
        assert(!found || (line <= header->start && header->start <= header->end));
        if (found) return true;
        if (*at) at++;
    }
    return read_expression(line, header) || read_condition(line, header) ||
           read_unhandled(line, header) || read_banner(line, header) ||
           read_sentence(line, header) || read_sign(line, header);
}
