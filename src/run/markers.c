/* The marker table, and the search.
 *
 * At every PARE_MARKERS_STEP-th byte a block is looked up among the blocks of all
 * markers' beginnings; a marker that has it there is compared as a whole. */
#include "run/markers.h"

#include <assert.h>
#include <string.h>

#include "run/rejection.h"

enum { BLOCK = 3 };

/* In lower case. */
static const struct word {
    const char *text;
    pare_marker_kind kind;
} words[] = {
    {"assert", PARE_MARKER_MESSAGE},
    {"internal", PARE_MARKER_MESSAGE},
    {"check fail", PARE_MARKER_MESSAGE},
    {"fatal error", PARE_MARKER_MESSAGE},
    {"llvm error", PARE_MARKER_MESSAGE},
    {"unreachable", PARE_MARKER_MESSAGE},
    {"terminate called", PARE_MARKER_MESSAGE},
    {"segfault", PARE_MARKER_MESSAGE},
    {"segmentation fault", PARE_MARKER_MESSAGE},
    {"(): invalid", PARE_MARKER_MESSAGE}, /* glibc: free(): invalid pointer */
    {"(): corrupt", PARE_MARKER_MESSAGE},
    {"(): unaligned", PARE_MARKER_MESSAGE},
    {"corrupted size", PARE_MARKER_MESSAGE},
    {"double free", PARE_MARKER_MESSAGE},
    {"smashing detected", PARE_MARKER_MESSAGE},
    {"buffer overflow detected", PARE_MARKER_MESSAGE},
    {"sanitizer: ", PARE_MARKER_SANITIZER},
    {": runtime error: ", PARE_MARKER_RUNTIME},
    {"traceback (most recent", PARE_MARKER_TRACEBACK},
    {"exception in thread", PARE_MARKER_EXCEPTION},
    {"caused by: ", PARE_MARKER_EXCEPTION},
    {"panicked at", PARE_MARKER_PANICKED},
    {"panic: ", PARE_MARKER_PANIC},
    {"error:", PARE_MARKER_DIAGNOSTIC},
    {"error ", PARE_MARKER_DIAGNOSTIC},
    {"error[", PARE_MARKER_DIAGNOSTIC},
    {"error]", PARE_MARKER_DIAGNOSTIC},
    {"error)", PARE_MARKER_DIAGNOSTIC},
    {"error\n", PARE_MARKER_DIAGNOSTIC},
    {"warning", PARE_MARKER_DIAGNOSTIC},
    {"fatal:", PARE_MARKER_DIAGNOSTIC},
    {"exception:", PARE_MARKER_DIAGNOSTIC},
    {"exception\n", PARE_MARKER_DIAGNOSTIC},
    {"exception)", PARE_MARKER_DIAGNOSTIC},
    {"undefined reference", PARE_MARKER_DIAGNOSTIC},
    {"multiple definition", PARE_MARKER_DIAGNOSTIC},
};
enum { N_WORDS = sizeof words / sizeof *words };

static unsigned char fold(char c)
{
    return (unsigned char)(c >= 'A' && c <= 'Z' ? c | 0x20 : c);
}

/* Blocks are told apart by a hash that takes no notice of case: letters differ from
 * their capitals in one bit, which is set for every character. */
static inline unsigned block(const char *text)
{
    const unsigned char *at = (const unsigned char *)text;
    uint32_t bytes = (uint32_t)(at[0] | at[1] << 8 | at[2] << 16) | 0x202020u;
    return (uint32_t)(bytes * 2654435761u) >> 20; /* Knuth's multiplier; 12 bits */
}

static unsigned count(void)
{
    return N_WORDS + pare_rejection_count();
}

static const char *text_of(unsigned k)
{
    return k < N_WORDS ? words[k].text : pare_rejection_name(k - N_WORDS);
}

void pare_markers_init(pare_markers *markers)
{
    assert(count() <= PARE_MARKERS_MAX);
    *markers = (pare_markers){.first = {0}};
    for (unsigned k = 0; k < count() * PARE_MARKERS_STEP; k++) {
        unsigned hash = block(text_of(k / PARE_MARKERS_STEP) + k % PARE_MARKERS_STEP);
        markers->next[k] = markers->first[hash];
        markers->first[hash] = (uint8_t)(k + 1);
    }
}

static bool stands(const char *word, const char *text, size_t size)
{
    for (size_t i = 0; word[i]; i++)
        if (i >= size || fold(text[i]) != (unsigned char)word[i]) return false;
    return true;
}

/* The first marker that begins at `from` or behind it and has its block of `hash` at
 * `at`; false: there is none. */
static bool compare(const pare_markers *markers, unsigned hash, const char *text, size_t size,
                    size_t from, size_t at, pare_marker *marker)
{
    bool found = false;
    for (unsigned k = markers->first[hash]; k; k = markers->next[k - 1]) {
        unsigned number = (k - 1) / PARE_MARKERS_STEP, offset = (k - 1) % PARE_MARKERS_STEP;
        if (at < from + offset || (found && at - offset >= marker->at)) continue;
        size_t start = at - offset;
        if (!stands(text_of(number), text + start, size - start)) continue;
        bool is_word = number < N_WORDS;
        *marker = (pare_marker){.at = start,
                                .kind = is_word ? words[number].kind : PARE_MARKER_REJECTION,
                                .sign = is_word ? 0 : number - N_WORDS};
        found = true;
    }
    return found;
}

bool pare_markers_find(const pare_markers *markers, const char *text, size_t size, size_t from,
                       pare_marker *marker)
{
    for (size_t at = from + PARE_MARKERS_STEP - 1; at + BLOCK <= size; at += PARE_MARKERS_STEP) {
        unsigned hash = block(text + at);
        if (markers->first[hash] && compare(markers, hash, text, size, from, at, marker))
            return true;
    }
    return false;
}
