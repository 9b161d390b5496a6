/* Reports of the sanitizers of GCC and Clang: the kind of error, and the first frames
 * that are of the program itself. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "run/mask.h"
#include "run/recognize.h"
#include "run/signature.h"

enum { LINES_TO_STACK = 30 }; /* behind the report's first line */

/* Functions of the runtime, which stand above the program's own on a stack: by how their
 * names begin, and whole. */
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

static bool is_runtime(const char *name)
{
    for (size_t k = 0; k < sizeof runtime_prefixes / sizeof *runtime_prefixes; k++)
        if (strncmp(name, runtime_prefixes[k], strlen(runtime_prefixes[k])) == 0) return true;
    for (size_t k = 0; k < sizeof runtime_names / sizeof *runtime_names; k++)
        if (strcmp(name, runtime_names[k]) == 0) return true;
    return false;
}

/* The function of a line "    #0 0x5581 in name file:1:2"; false: it is no such line. */
static bool read_frame(const pare_line *line, char name[PARE_SIGNATURE_NAME_BYTES])
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
    pare_mask(in, size, name, PARE_SIGNATURE_NAME_BYTES);
    return true;
}

/* Reads the first stack behind `line`. */
static void read_stack(pare_line line, pare_signature *signature)
{
    char name[PARE_SIGNATURE_NAME_BYTES];
    size_t n = 0;
    bool in_stack = false;
    for (unsigned k = 0; k < LINES_TO_STACK && n < PARE_SIGNATURE_FRAMES; k++) {
        if (!pare_line_next(&line)) return;
        bool is_frame = read_frame(&line, name);
        if (in_stack && !is_frame) return;
        in_stack = is_frame;
        if (is_frame && *name && !is_runtime(name))
            (void)snprintf(signature->frame[n++], PARE_SIGNATURE_NAME_BYTES, "%s", name);
    }
}

/* How much of `text` names the kind of error: "heap-use-after-free on address ..." */
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

static void set_error(const char *family, size_t family_size, const char *kind, const char *end,
                      pare_signature *signature)
{
    char masked[PARE_SIGNATURE_NAME_BYTES / 2];
    pare_mask(kind, kind_size(kind, end), masked, sizeof masked);
    (void)snprintf(signature->error, sizeof signature->error, "%.*s: %s", (int)family_size, family,
                   masked);
}

void pare_recognize_sanitizer(const pare_line *line, const char *at, pare_signature *signature)
{
    if (*signature->error) return;
    const char *family = at, *kind = at + strlen("sanitizer: ");
    while (family > line->start && isalpha((unsigned char)family[-1]))
        family--;
    size_t size = (size_t)(kind - 2 - family);
    if (size > PARE_SIGNATURE_NAME_BYTES / 2) return;
    set_error(family, size, kind, line->end, signature);
    read_stack(*line, signature);
}

void pare_recognize_runtime(const pare_line *line, const char *at, pare_signature *signature)
{
    static const char family[] = "UndefinedBehaviorSanitizer";
    /* file.c:12:3: runtime error: ...; anything else says so in other words. */
    if (*signature->error || at == line->start || !isdigit((unsigned char)at[-1])) return;
    set_error(family, sizeof family - 1, at + strlen(": runtime error: "), line->end, signature);
    read_stack(*line, signature);
    if (!*signature->frame[0])
        pare_mask(line->start, (size_t)(at - line->start), signature->frame[0],
                  PARE_SIGNATURE_NAME_BYTES);
}
