/* Recognisers: one search for all markers, then a reader for each family.
 *
 * The search looks at every PARE_RECOGNIZER_STEP-th byte only: the block of three bytes
 * there is looked up among the blocks of all markers' beginnings, and a marker that has it
 * is compared as a whole.  Invariant: no marker is shorter than a block and a step together
 * (WINDOW), so each of its occurrences has a block at a place that is looked at.
 * Source: Wu and Manber, "A fast algorithm for multi-pattern searching", University of
 * Arizona TR-94-17, 1994.  Deviation: the step is fixed rather than computed from the block,
 * so that no look at the text waits for the one before.  Why one search for all: there are
 * some seventy markers, and the output of every test is gone through.
 *
 * The formats are those that the programs in tests/data print; a reader that meets another
 * leaves the signature as it is, and then the exit code or signal alone tells.  */

#include "run/recognize.h"

#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/visible.h"
#include "run/diagnostic.h"
#include "run/printed.h"
#include "run/signature.h"
#include "text/pattern.h"

/* ---- markers ----------------------------------------------------------------------- */

enum {
    BLOCK = 3,             /* bytes that are hashed together */
    WINDOW = 5,            /* bytes; no marker is shorter */
    NEAR = 2048,           /* bytes before and after a marker in which words decide what it means */
    MARKERS_AT_MOST = 1000 /* a program that repeats itself says nothing new after that */
};

/* What a marker announces, and so who reads its line. */
enum marker_kind {
    MARKER_MESSAGE,    /* an assertion, an internal error */
    MARKER_SANITIZER,  /* "AddressSanitizer" and its like */
    MARKER_RUNTIME,    /* "runtime error", of the undefined behaviour sanitizer */
    MARKER_TRACEBACK,  /* Python's */
    MARKER_EXCEPTION,  /* Java's */
    MARKER_PANICKED,   /* Rust's */
    MARKER_PANIC,      /* Go's */
    MARKER_RESTARTS,   /* MIT Scheme's, below the condition that they are for */
    MARKER_DIAGNOSTIC, /* the word of a severity, see diagnostic.h */
    MARKER_REJECTION   /* a sign of invalid input; `sign` is its number */
};

/* An occurrence of a marker. */
struct marker {
    size_t at; /* where it begins, in the text */
    enum marker_kind kind;
    unsigned sign;
};

/* The markers, in lower case; those of rejection are pare_signature_signs. */
static const struct word {
    const char *text;
    enum marker_kind kind;
} words[] = {
    /* Levels of log records; of two markers that begin at one place, the later one here counts. */
    {"warn ", MARKER_DIAGNOSTIC},
    {"warn:", MARKER_DIAGNOSTIC},
    {"warn]", MARKER_DIAGNOSTIC},
    {"warn|", MARKER_DIAGNOSTIC},
    {"warn\"", MARKER_DIAGNOSTIC},
    {"error\"", MARKER_DIAGNOSTIC},
    {"error|", MARKER_DIAGNOSTIC},
    {"fatal ", MARKER_DIAGNOSTIC},
    {"fatal]", MARKER_DIAGNOSTIC},
    {"fatal\"", MARKER_DIAGNOSTIC},
    {"[err]", MARKER_DIAGNOSTIC},
    {"err: ", MARKER_DIAGNOSTIC},
    {"err! ", MARKER_DIAGNOSTIC},
    {"[crit", MARKER_DIAGNOSTIC},
    {"critical", MARKER_DIAGNOSTIC},
    {"[alert]", MARKER_DIAGNOSTIC},
    {"[emerg]", MARKER_DIAGNOSTIC},
    {"severe:", MARKER_DIAGNOSTIC},
    {"severe ", MARKER_DIAGNOSTIC},
    {"panic]", MARKER_DIAGNOSTIC},
    {"panic\"", MARKER_DIAGNOSTIC},
    {"assert", MARKER_MESSAGE},
    {"internal", MARKER_MESSAGE},
    {"check fail", MARKER_MESSAGE},
    {"fatal error", MARKER_MESSAGE},
    {"llvm error", MARKER_MESSAGE},
    {"unreachable", MARKER_MESSAGE},
    {"terminate called", MARKER_MESSAGE},
    {"segfault", MARKER_MESSAGE},
    {"segmentation fault", MARKER_MESSAGE},
    {"(): invalid", MARKER_MESSAGE}, /* glibc: free(): invalid pointer */
    {"(): corrupt", MARKER_MESSAGE},
    {"(): unaligned", MARKER_MESSAGE},
    {"corrupted size", MARKER_MESSAGE},
    {"double free", MARKER_MESSAGE},
    {"smashing detected", MARKER_MESSAGE},
    {"buffer overflow detected", MARKER_MESSAGE},
    {"sanitizer: ", MARKER_SANITIZER},
    {": runtime error: ", MARKER_RUNTIME},
    {"traceback (most recent", MARKER_TRACEBACK},
    {"exception in thread", MARKER_EXCEPTION},
    {"caused by: ", MARKER_EXCEPTION},
    {"panicked at", MARKER_PANICKED},
    {"panic: ", MARKER_PANIC},
    {";to continue, call restart", MARKER_RESTARTS},
    {"error:", MARKER_DIAGNOSTIC},
    {"error ", MARKER_DIAGNOSTIC},
    {"error[", MARKER_DIAGNOSTIC},
    {"error]", MARKER_DIAGNOSTIC},
    {"error)", MARKER_DIAGNOSTIC},
    {"error! ", MARKER_DIAGNOSTIC},
    {"error\n", MARKER_DIAGNOSTIC},
    {"error\033", MARKER_DIAGNOSTIC}, /* coloured */
    {"error-", MARKER_DIAGNOSTIC},
    {"error(", MARKER_DIAGNOSTIC},
    {"error, ", MARKER_DIAGNOSTIC},
    {"[e::s", MARKER_DIAGNOSTIC}, /* htslib: [E::sam_parse1] */
    {"[e::h", MARKER_DIAGNOSTIC},
    {"[e::b", MARKER_DIAGNOSTIC},
    {"[e::v", MARKER_DIAGNOSTIC},
    {"[w::s", MARKER_DIAGNOSTIC},
    {"warning", MARKER_DIAGNOSTIC},
    {"fatal:", MARKER_DIAGNOSTIC},
    {"exception:", MARKER_DIAGNOSTIC},
    {"exception\n", MARKER_DIAGNOSTIC},
    {"exception)", MARKER_DIAGNOSTIC},
    {"unhandled ", MARKER_DIAGNOSTIC},
    {"undefined reference", MARKER_DIAGNOSTIC},
    {"multiple definition", MARKER_DIAGNOSTIC},
};
enum { N_WORDS = sizeof words / sizeof *words };

/* Capitals as small letters.  Only ASCII has case in markers, and no locale is asked.  */
static unsigned char fold(char c)
{
    return (unsigned char)(c >= 'A' && c <= 'Z' ? c | 0x20 : c);
}

/* Blocks are told apart by a hash that takes no notice of case: letters differ from
 * their capitals in one bit, which is set for every character. A hash that two blocks share
 * costs a comparison and nothing else. */
static inline unsigned block(const char *text)
{
    const unsigned char *at = (const unsigned char *)text;
    uint32_t bytes = (uint32_t)(at[0] | at[1] << 8 | at[2] << 16) | 0x202020u;
    return (uint32_t)(bytes * 2654435761u) >> 20; /* Knuth's multiplier; 12 bits */
}

/* Markers are numbered: those above, then the signs of rejection. */
enum { N_MARKERS = N_WORDS + PARE_SIGNATURE_SIGNS };
static_assert((unsigned)N_MARKERS <= (unsigned)PARE_RECOGNIZER_MARKERS,
              "the index has room for all markers");

/* The text of marker `k`. */
static const char *text_of(unsigned k)
{
    return k < N_WORDS ? words[k].text : pare_signature_signs[k - N_WORDS];
}

/* Each marker is entered under the blocks at its first PARE_RECOGNIZER_STEP offsets. Lists are
 * linked by numbers that are one more than the index, so that 0 ends them. */
void pare_recognizer_init(pare_recognizer *markers)
{
    for (unsigned k = 0; k < N_MARKERS; k++)
        assert(strlen(text_of(k)) >= WINDOW); /* so that a block of it is looked at */
    *markers = (pare_recognizer){.first = {0}};
    for (unsigned k = 0; k < N_MARKERS * PARE_RECOGNIZER_STEP; k++) {
        unsigned hash = block(text_of(k / PARE_RECOGNIZER_STEP) + k % PARE_RECOGNIZER_STEP);
        markers->next[k] = markers->first[hash];
        markers->first[hash] = (uint16_t)(k + 1);
    }
}

/* Whether `text` (`size` bytes) begins with `word`, which is in lower case, regardless of the
 * text's.  */
static bool stands(const char *word, const char *text, size_t size)
{
    for (size_t i = 0; word[i]; i++)
        if (i >= size || fold(text[i]) != (unsigned char)word[i]) return false;
    return true;
}

/* The first marker that begins at `from` or after it and has a block of its beginning at `at`;
 * false: there is none.  Several may share a block, and one may begin before another that is
 * found first, so all in the list are compared.  */
static bool compare(const pare_recognizer *markers, const pare_printed *text, size_t from,
                    size_t at, struct marker *marker)
{
    const unsigned hash = block(text->text + at);
    bool found = false;
    for (unsigned k = markers->first[hash]; k; k = markers->next[k - 1]) {
        unsigned number = (k - 1) / PARE_RECOGNIZER_STEP, offset = (k - 1) % PARE_RECOGNIZER_STEP;
        if (at < from + offset || (found && at - offset >= marker->at)) continue;
        size_t start = at - offset;
        if (!stands(text_of(number), text->text + start, text->size - start)) continue;
        bool is_word = number < N_WORDS;
        *marker = (struct marker){.at = start,
                                  .kind = is_word ? words[number].kind : MARKER_REJECTION,
                                  .sign = is_word ? 0 : number - N_WORDS};
        found = true;
    }
    return found;
}

/* Finds the first marker that begins at `from` or after it; false if there is none.  Cost: one
 * look-up for each PARE_RECOGNIZER_STEP bytes, and almost all of them find an empty list. The
 * first look is at STEP - 1 bytes after `from`, as a marker that begins at `from` has a block
 * there. */
static bool find_marker(const pare_recognizer *markers, const pare_printed *text, size_t from,
                        struct marker *marker)
{
    for (size_t at = from + PARE_RECOGNIZER_STEP - 1; at + BLOCK <= text->size;
         at += PARE_RECOGNIZER_STEP)
        if (markers->first[block(text->text + at)] && compare(markers, text, from, at, marker))
            return true;
    return false;
}

/* ---- messages --------------------------------------------------------------------- */

/* Whether `c` is the letter `lower` or its capital. */
static bool same_letter(char c, char lower)
{
    return fold(c) == (unsigned char)lower;
}

/* Whether `part`, in lower case, is in the line, regardless of the line's case; *at (may be NULL)
 * is set to what follows it.  A plain search: what is searched is short, and few lines have a marker. */
static bool has(const pare_printed_line *line, const char *part, const char **at)
{
    const size_t size = strlen(part);
    for (const char *c = line->start; (size_t)(line->end - c) >= size; c++) {
        if (!stands(part, c, (size_t)(line->end - c))) continue;
        if (at) *at = c + size;
        return true;
    }
    return false;
}

/* Whether the line begins with `part`, by case: what is asked for so ("  File \"", "goroutine ") is
 * always written alike. */
static bool begins(const pare_printed_line *line, const char *part)
{
    const size_t size = strlen(part);
    return (size_t)(line->end - line->start) >= size && memcmp(line->start, part, size) == 0;
}

/* Whether " in WORD: " stands at `at`: which part of the program has found an error in its input. */
static bool is_in_part(const char *at, const char *end)
{
    static const char in[] = " in ";
    if (end - at < (ptrdiff_t)sizeof in || memcmp(at, in, sizeof in - 1) != 0) return false;
    for (at += sizeof in - 1; at < end && isalpha((unsigned char)*at);)
        at++;
    return end - at > 1 && at[0] == ':' && at[1] == ' ' && at[-1] != ' ';
}

/* Whether the line is a frame of a stack as Java and JavaScript print it: "\tat org.junit.Assert.fail(Assert.java:89)". */
static bool is_call(const pare_printed_line *line)
{
    const char *at = line->start;
    while (at < line->end && (*at == ' ' || *at == '\t'))
        at++;
    return at > line->start && line->end - at > 3 && memcmp(at, "at ", 3) == 0;
}

/* Whether a line with a marker of a message, at `at`, is one: words such as "internal" and
 * "assert" are also used in passing, and each has its own signs that it is meant.  A warning
 * never is a failure.
 *
 * Only what is near counts: a line may be all there is, such as that of a minified script, and hold the
 * word a thousand times.
 *
 * `at` is the marker within the line. What each letter stands for: 'u' "unreachable", which
 * only counts with a capital or as "unreachable executed"; 'a' "assert"; 'i' "internal"; 'f'
 * "fatal error". All other markers of messages are sure. */
static bool is_message(const pare_printed_line *line, const char *at)
{
    pare_printed_line before = *line, rest = *line;
    const char *after = NULL;
    before.end = rest.start = at;
    if (at - before.start > NEAR) before.start = at - NEAR;
    if (rest.end - at > NEAR) rest.end = at + NEAR;
    if (has(&before, "warning", NULL) || is_call(line)) return false;
    if (same_letter(*at, 'u')) return *at == 'U' || has(&rest, "executed", NULL);
    /* Python's is an exception, and a compiler's is about what it compiles. */
    if (same_letter(*at, 'a') && has(&rest, "assertionerror", NULL)) return false;
    if (same_letter(*at, 'a') && has(&before, "static ", NULL)) return false;
    /* A count in the summary of a test runner: "3 tests, 3 assertions, 1 failures". */
    if (same_letter(*at, 'a') && strncasecmp(at, "assertions", 10) == 0) return false;
    if (has(&rest, "assert", NULL) && same_letter(*at, 'a'))
        return has(&rest, "fail", NULL) || has(&rest, "violat", NULL) || has(&rest, "`", NULL) ||
               has(&rest, "error", NULL);
    if (same_letter(*at, 'i'))
        return has(&rest, "error", NULL) || has(&rest, "bug", NULL) || has(&rest, "failure", NULL);
    /* "x.c:1: fatal error: y.h: No such file", "Fatal error: Uncaught ..." and "Fatal error in parser: ..." are
     * diagnostics. */
    if (same_letter(*at, 'f') && has(&rest, "fatal error", &after))
        return at == line->start && !(after < line->end && *after == ':') &&
               !is_in_part(after, line->end);
    return true;
}

/* An assertion, an internal error: the line itself, masked. The first message counts. */
static void recognize_message(const pare_printed_line *line, const char *at,
                              pare_signature *signature)
{
    const char *after = NULL;
    if (*signature->message || !is_message(line, at)) return;
    const char *start = line->start;
    /* A compiler names the place in the input in front of it, when it knows one. */
    if (has(line, "internal compiler error", &after))
        start = after - strlen("internal compiler error");
    pare_printed_mask(start, (size_t)(line->end - start), signature->message,
                      sizeof signature->message);
}

/* ---- sanitizers ---------------------------------------------------------------------
 *
 * Reports of the sanitizers of GCC and Clang: the kind of error, and the first frames that
 * are the program's own.  */

enum { LINES_TO_STACK = 30 }; /* after the report's first line */

/* Functions of the runtime, which stand above the program's own on a stack: by how their
 * names begin, and whole.  */
static const char *const runtime_prefixes[] = {
    "__asan",        "__ubsan", "__sanitizer", "__msan",   "__tsan",       "__lsan",
    "__interceptor", "___",     "__libc",      "__GI_",    "__assert",     "__pthread",
    "__mem",         "__str",   "_start",      "pthread_", "operator new", "operator delete"};
static const char *const runtime_names[] = {
    "malloc",  "calloc",  "realloc", "free",    "raise",   "abort",    "gsignal", "memcpy",
    "memmove", "memset",  "memcmp",  "memchr",  "strlen",  "strnlen",  "strcpy",  "strncpy",
    "strcat",  "strncat", "strcmp",  "strncmp", "strchr",  "strrchr",  "strstr",  "strdup",
    "strndup", "strtol",  "printf",  "fprintf", "sprintf", "snprintf", "puts",    "fputs",
    "fread",   "fwrite",  "read",    "write",   "operator"};

/* Frames of the runtime say the same for every failure. */
static bool is_runtime(const char *name)
{
    for (size_t k = 0; k < sizeof runtime_prefixes / sizeof *runtime_prefixes; k++)
        if (strncmp(name, runtime_prefixes[k], strlen(runtime_prefixes[k])) == 0) return true;
    for (size_t k = 0; k < sizeof runtime_names / sizeof *runtime_names; k++)
        if (strcmp(name, runtime_names[k]) == 0) return true;
    return false;
}

/* The function of a line "    #0 0x5581 in name file:1:2"; false: it is no such line. */
static bool read_frame(const pare_printed_line *line, char name[PARE_SIGNATURE_NAME_BYTES])
{
    const char *at = line->start;
    while (at < line->end && *at == ' ')
        at++;
    if (at + 1 >= line->end || at[0] != '#' || !isdigit((unsigned char)at[1])) return false;
    *name = '\0';
    const char *in = memmem(at, (size_t)(line->end - at), " in ", 4);
    if (!in) return true; /* a frame without a name */
    in += 4;
    size_t size = strcspn(in, " (\n");
    if (size > (size_t)(line->end - in)) size = (size_t)(line->end - in);
    if (size >= PARE_SIGNATURE_NAME_BYTES) size = PARE_SIGNATURE_NAME_BYTES - 1;
    pare_printed_mask(in, size, name, PARE_SIGNATURE_NAME_BYTES);
    return true;
}

/* Whether one of the patterns is found in the text.  One that takes too long does not match. */
static bool is_like_any(const struct pare_pattern *const *patterns, size_t n, const char *text,
                        size_t size)
{
    for (size_t k = 0; k < n; k++) {
        bool found = false;
        if (!pare_pattern_search(patterns[k], text, size, &found, NULL) && found) return true;
    }
    return false;
}

/* Whether the user has the frame passed over. */
static bool is_ignored(const pare_recognizer *markers, const char *name)
{
    return is_like_any(markers->ignored, markers->n_ignored, name, strlen(name));
}

/* Whether the user has the line passed over. */
static bool is_ignored_line(const pare_recognizer *markers, const pare_printed_line *line)
{
    return is_like_any(markers->ignored_lines, markers->n_ignored_lines, line->start,
                       (size_t)(line->end - line->start));
}

/* Reads the first stack after `line` into the signature's frames: lines "#0 ..." that follow
 * each other.  Frames of the runtime are passed over.  A report without a stack within
 * LINES_TO_STACK lines has none.  */
static void read_stack(const pare_recognizer *markers, pare_printed_line line,
                       pare_signature *signature)
{
    char name[PARE_SIGNATURE_NAME_BYTES];
    size_t n = 0;
    bool in_stack = false;
    for (unsigned k = 0; k < LINES_TO_STACK && n < PARE_SIGNATURE_FRAMES; k++) {
        if (!pare_printed_line_next(&line)) return;
        bool is_frame = read_frame(&line, name);
        if (in_stack && !is_frame) return;
        in_stack = is_frame;
        if (is_frame && *name && !is_runtime(name) && !is_ignored(markers, name))
            (void)snprintf(signature->frame[n++], PARE_SIGNATURE_NAME_BYTES, "%s", name);
    }
}

/* How many bytes of `text` name the kind of error, before the place or the numbers that change
 * from run to run: "heap-use-after-free on address ..." The stop that comes first ends it, so
 * each is searched in what the ones before have left. */
static size_t kind_size(const char *text, const char *end)
{
    static const char *const stops[] = {" on ", " (", " at ", ": ", " in ", " 0x"};
    size_t size = (size_t)(end - text);
    for (size_t k = 0; k < sizeof stops / sizeof *stops; k++) {
        const char *stop = memmem(text, size, stops[k], strlen(stops[k]));
        if (stop) size = (size_t)(stop - text);
    }
    return size;
}

/* Sets the signature's error to "FAMILY: KIND", as in "AddressSanitizer: heap-use-after-free";
 * the kind is masked.  */
static void set_error(const char *family, size_t family_size, const char *kind, const char *end,
                      pare_signature *signature)
{
    char masked[PARE_SIGNATURE_NAME_BYTES / 2];
    pare_printed_mask(kind, kind_size(kind, end), masked, sizeof masked);
    (void)snprintf(signature->error, sizeof signature->error, "%.*s: %s", (int)family_size, family,
                   masked);
}

/* "==1==ERROR: AddressSanitizer: heap-use-after-free on address 0x... at pc ..."  The name of
 * the sanitizer is read backwards from the marker, so that new ones are known too.  */
static void recognize_sanitizer(const pare_recognizer *markers, const pare_printed_line *line,
                                const char *at, pare_signature *signature)
{
    if (*signature->error) return;
    const char *family = at, *kind = at + strlen("sanitizer: ");
    while (family > line->start && isalpha((unsigned char)family[-1]))
        family--;
    size_t size = (size_t)(kind - 2 - family);
    if (size > PARE_SIGNATURE_NAME_BYTES / 2) return;
    set_error(family, size, kind, line->end, signature);
    read_stack(markers, *line, signature);
}

/* "file.c:12:3: runtime error: ..."; where no stack is printed, the place is the frame. */
static void recognize_runtime(const pare_recognizer *markers, const pare_printed_line *line,
                              const char *at, pare_signature *signature)
{
    static const char family[] = "UndefinedBehaviorSanitizer";
    if (*signature->error || at == line->start || !isdigit((unsigned char)at[-1])) return;
    set_error(family, sizeof family - 1, at + strlen(": runtime error: "), line->end, signature);
    read_stack(markers, *line, signature);
    if (!*signature->frame[0])
        pare_printed_mask(line->start, (size_t)(at - line->start), signature->frame[0],
                          PARE_SIGNATURE_NAME_BYTES);
}

/* ---- tracebacks ---------------------------------------------------------------------
 *
 * Of Python, Java, Rust and Go: the type of what was thrown and the innermost frame.  Its
 * text says more, but much of that comes from the input.  */

enum { LINES_OF_TRACE = 4000 }; /* of a runaway recursion, at most */

/* A later traceback takes the place of an earlier one: of chained exceptions the last printed
 * is what ended the program.  */
static void clear_trace(pare_signature *signature)
{
    *signature->error = '\0';
    for (size_t k = 0; k < PARE_SIGNATURE_FRAMES; k++)
        *signature->frame[k] = '\0';
}

/* Copies what is before the first of the characters `stops`, or before the end, masked.
 * Example: "KeyError: 'a'" with the stops ": " gives "KeyError". */
static void take(char to[PARE_SIGNATURE_NAME_BYTES], const char *text, const char *end,
                 const char *stops)
{
    const char *stop = text;
    while (stop < end && !strchr(stops, *stop))
        stop++;
    pare_printed_mask(text, (size_t)(stop - text), to, PARE_SIGNATURE_NAME_BYTES);
}

/* A line `  File "PATH", line N, in FUNCTION` as "FUNCTION PATH". Each frame takes the place of
 * the one before, since Python prints the innermost last. */
static void read_python_frame(const pare_printed_line *line, pare_signature *signature)
{
    char path[PARE_SIGNATURE_NAME_BYTES / 2], function[PARE_SIGNATURE_NAME_BYTES / 2];
    const char *name = NULL, *quote = line->start + strlen("  File \"");
    const char *end = memchr(quote, '"', (size_t)(line->end - quote));
    if (!end) return;
    pare_printed_mask(quote, (size_t)(end - quote), path, sizeof path);
    *function = '\0';
    const char *in = memmem(end, (size_t)(line->end - end), ", in ", 5);
    if (in) {
        name = in + 5;
        pare_printed_mask(name, (size_t)(line->end - name), function, sizeof function);
    }
    (void)snprintf(signature->frame[0], PARE_SIGNATURE_NAME_BYTES, "%s%s%s", function,
                   name ? " " : "", path);
}

/* Python: frames, two lines each, then the type and the text of what was thrown, on a line of
 * its own, the first that is not indented: *thrown, if that is found.  */
static bool recognize_traceback(const pare_printed_line *line, pare_signature *signature,
                                pare_printed_line *thrown)
{
    pare_printed_line at = *line;
    clear_trace(signature); /* of chained ones the last is what ended the program */
    for (unsigned k = 0; k < LINES_OF_TRACE && pare_printed_line_next(&at); k++) {
        if (begins(&at, "  File \"")) read_python_frame(&at, signature);
        if (at.start < at.end && *at.start == ' ') continue;
        take(signature->error, at.start, at.end, ": ");
        *thrown = at;
        return true;
    }
    return false;
}

/* Java: `Exception in thread "main" a.B: text` or `Caused by: a.B: text`, and `\tat a.B.c(...)`
 * below it.
 *
 * `at` is at the marker: "exception in thread" is followed by the thread's name in quotes, and
 * the type stands after it; after "caused by" the type stands after the colon. */
static void recognize_exception(const pare_printed_line *line, const char *at,
                                pare_signature *signature)
{
    pare_printed_line next = *line;
    const char *type = memchr(at, ':', (size_t)(line->end - at));
    if ((*at | 0x20) == 'e') {
        const char *quote = memchr(at, '"', (size_t)(line->end - at));
        if (quote) quote = memchr(quote + 1, '"', (size_t)(line->end - quote - 1));
        type = quote;
    }
    /* `type` is the quote or the colon, and a blank and at least one character have to follow. */
    if (!type || line->end - type < 3) return;
    clear_trace(signature);
    take(signature->error, type + 2, line->end, ": ");
    while (pare_printed_line_next(&next)) {
        const char *frame = next.start;
        while (frame < next.end && isspace((unsigned char)*frame))
            frame++;
        if (next.end - frame < 4 || memcmp(frame, "at ", 3) != 0) return;
        take(signature->frame[0], frame + 3, next.end, "(");
        return;
    }
}

/* Sets the signature's error to the text of a panic, up to where it may quote the input: a
 * quote, a bracket, or a colon with a blank.  */
static void set_panic(const char *text, const char *end, pare_signature *signature)
{
    static const char go[] = "runtime error: ";
    char masked[PARE_SIGNATURE_NAME_BYTES];
    const char *from = text;
    if ((size_t)(end - text) > sizeof go && memcmp(text, go, sizeof go - 1) == 0)
        from += sizeof go - 1;
    const char *stop = from;
    while (stop < end && !strchr("\"{[", *stop) &&
           !(*stop == ':' && stop + 1 < end && stop[1] == ' '))
        stop++;
    pare_printed_mask(text, (size_t)(stop - text), masked, sizeof masked);
    (void)snprintf(signature->error, sizeof signature->error, "panic: %.110s", masked);
    pare_visible_trim(signature->error);
}

/* Rust: `panicked at src/main.rs:2:5:` and the text below it, or, before Rust 1.73,
 * `panicked at 'text', src/main.rs:2:5`.  */
static void recognize_panicked(const pare_printed_line *line, const char *at,
                               pare_signature *signature)
{
    pare_printed_line next = *line;
    const char *place = at + strlen("panicked at ");
    if (*signature->error || place >= line->end) return;
    if (*place == '\'') {
        const char *quote = memrchr(place + 1, '\'', (size_t)(line->end - place - 1));
        if (!quote) return;
        set_panic(place + 1, quote, signature);
        place = quote + 1;
        while (place < line->end && strchr(", ", *place))
            place++;
    } else if (pare_printed_line_next(&next)) {
        set_panic(next.start, next.end, signature);
    }
    take(signature->frame[0], place, line->end, ":");
}

/* Go: `panic: text`, "goroutine 1 [running]:", and frames, two lines each, of which the first
 * names the function.  The first frame of the first goroutine that is not the runtime's is
 * taken.  */
static void recognize_panic(const pare_printed_line *line, const char *at,
                            pare_signature *signature)
{
    pare_printed_line next = *line;
    bool in_stack = false;
    if (*signature->error || at != line->start) return;
    set_panic(at + strlen("panic: "), line->end, signature);
    for (unsigned k = 0; k < LINES_OF_TRACE && pare_printed_line_next(&next); k++) {
        if (begins(&next, "goroutine ")) {
            if (in_stack) return;
            in_stack = true;
            continue;
        }
        bool is_function =
            in_stack && next.start < next.end && !isspace((unsigned char)*next.start);
        if (!is_function || begins(&next, "runtime.") || begins(&next, "panic(")) continue;
        const char *arguments = memrchr(next.start, '(', (size_t)(next.end - next.start));
        take(signature->frame[0], next.start, arguments ? arguments : next.end, "");
        return;
    }
}

/* ---- all -------------------------------------------------------------------------- */

/* What is known of an output while it is read. */
struct reading {
    const pare_recognizer *markers;
    const pare_printed *text; /* the stream */
    pare_signature *signature;
    pare_diagnostics *diagnostics; /* NULL: not wanted */
    const char *last;              /* line that was read as a diagnostic last, its start */
};

/* A line is read once, however many markers it has. */
static void read_diagnostic(struct reading *reading, const pare_printed_line *line)
{
    pare_diagnostic diagnostic;
    bool full = reading->diagnostics && reading->diagnostics->n == PARE_DIAGNOSTICS_MAX;
    if (!reading->diagnostics || full || reading->last == line->start) return;
    reading->last = line->start;
    if (pare_diagnostic_read(line, &diagnostic))
        pare_diagnostics_add(reading->diagnostics, &diagnostic);
}

/* What ended a program with a traceback, by whatever name it goes, is a diagnostic as well as
 * a kind of error.  */
static void read_traceback(struct reading *reading, const pare_printed_line *line)
{
    pare_diagnostic diagnostic;
    pare_printed_line thrown;
    if (!recognize_traceback(line, reading->signature, &thrown) || !reading->diagnostics) return;
    pare_diagnostic_read_thrown(&thrown, &diagnostic);
    pare_diagnostics_add(reading->diagnostics, &diagnostic);
}

/* What MIT Scheme could not go on for is in the line above the restarts, behind a semicolon: ";The object (), passed as the
 * first argument to car, is not the correct type." */
static void read_restarts(struct reading *reading, const pare_printed_line *line)
{
    pare_diagnostic diagnostic;
    const size_t at = (size_t)(line->start - reading->text->text);
    if (!at || !reading->diagnostics) return;
    pare_printed_line above = pare_printed_line_at(reading->text, at - 1);
    if (*above.start != ';') return;
    above.start++;
    pare_diagnostic_read_thrown(&above, &diagnostic);
    pare_diagnostics_add(reading->diagnostics, &diagnostic);
}

/* Whether `at` is in a line in which pytest shows an "assert" that failed, or what was compared: "E       assert 9 == 8",
 * "E        +  where 9 = f()".  Others log errors behind an E, too, and what they say is a message. */
static bool is_pytest(const pare_printed_line *line, const char *at)
{
    static const char mark[] = "E  ", shown[] = "assert ";
    if (!begins(line, mark)) return false;
    const char *first = line->start + sizeof mark - 1;
    while (*first == ' ' && first < at)
        first++;
    const bool is_assert = first == at && (size_t)(line->end - at) >= sizeof shown - 1 &&
                           memcmp(at, shown, sizeof shown - 1) == 0;
    return is_assert || *first == '+';
}

/* Shows the line of a marker to the reader of its family.  Each reader takes only what is not
 * known yet of its kind, but for tracebacks, of which a later one counts.  */
static void recognize_at(struct reading *reading, const pare_printed_line *line, const char *at,
                         const struct marker *marker)
{
    pare_signature *signature = reading->signature;
    switch (marker->kind) {
    case MARKER_MESSAGE:
        if (is_pytest(line, at))
            read_diagnostic(reading, line);
        else
            recognize_message(line, at, signature);
        break;
    case MARKER_SANITIZER: recognize_sanitizer(reading->markers, line, at, signature); break;
    case MARKER_RUNTIME: recognize_runtime(reading->markers, line, at, signature); break;
    case MARKER_TRACEBACK: read_traceback(reading, line); break;
    case MARKER_EXCEPTION: recognize_exception(line, at, signature); break;
    case MARKER_PANICKED: recognize_panicked(line, at, signature); break;
    case MARKER_PANIC: recognize_panic(line, at, signature); break;
    case MARKER_RESTARTS: read_restarts(reading, line); break;
    case MARKER_DIAGNOSTIC: read_diagnostic(reading, line); break;
    case MARKER_REJECTION:
        signature->despite |= 1u << marker->sign;
        read_diagnostic(reading, line);
        break;
    }
}

/* The walk from marker to marker through one stream.  It goes on WINDOW bytes after the
 * beginning of each, so one line may be shown to several readers, and no marker is met twice.
 * Cost: O(size), and one reader for each marker, at most MARKERS_AT_MOST of them. */
static void recognize_text(struct reading *reading, const pare_printed *text)
{
    const pare_recognizer *markers = reading->markers;
    struct marker marker;
    size_t from = 0;
    reading->text = text;
    for (unsigned n = 0; n < MARKERS_AT_MOST; n++) {
        if (!find_marker(markers, text, from, &marker)) return;
        pare_printed_line line = pare_printed_line_at(text, marker.at);
        if (!is_ignored_line(markers, &line))
            recognize_at(reading, &line, text->text + marker.at, &marker);
        from = marker.at + WINDOW;
    }
}

/* The lines that begin with TeX's sign of an error.  It is shorter than any marker, so it is looked for by
 * itself: one search of the C library, which is quicker than the walk. */
static void recognize_signs(const pare_printed *text, struct reading *reading)
{
    static const char sign[] = "\n! ";
    /* The first line has no line end before it. */
    const size_t size = sizeof sign - 2;
    const char *at = text->text, *end = at + text->size;
    const bool is_first = text->size >= size && memcmp(at, sign + 1, size) == 0;
    for (unsigned n = 0; n < PARE_DIAGNOSTICS_MAX; n++) {
        if (n || !is_first) {
            at = memmem(at, (size_t)(end - at), sign, sizeof sign - 1);
            if (!at) return;
            at++;
        }
        pare_printed_line line = pare_printed_line_at(text, (size_t)(at - text->text));
        read_diagnostic(reading, &line);
    }
}

/* Standard error first: the first finding of a kind counts, and results are on standard
 * output.  */
pare_signature pare_recognize(const pare_recognizer *markers, const pare_observation *seen,
                              pare_diagnostics *diagnostics)
{
    pare_signature signature = {.ended = seen->ended, .code = seen->code};
    struct reading reading = {
        .markers = markers, .signature = &signature, .diagnostics = diagnostics};
    if (seen->err.size) recognize_text(&reading, &seen->err);
    if (seen->out.size) recognize_text(&reading, &seen->out);
    if (diagnostics && seen->out.size) recognize_signs(&seen->out, &reading);
    return signature;
}
