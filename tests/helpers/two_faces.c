/* A test of a fault with two faces, as of a program that reads memory behind an object: it is there as
 * long as FILE holds four words in their order and closes what it opens; but what comes of it depends on
 * all bytes of FILE, as if on what lies in memory.  One text in eight fails, half of them hang, the
 * others do nothing.
 *
 * Usage: two_faces FILE    exits with 0: it fails; with 1: it does not; or never */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MOST_BYTES = 1 << 16 };

static bool has_fault(const char *text)
{
    static const char *const words[] = {"alpha", "beta", "gamma", "delta"};
    const char *at = text;
    int depth = 0;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        at = strstr(at, words[i]);
        if (!at) return false;
        at += strlen(words[i]);
    }
    for (at = text; *at && depth >= 0; at++)
        depth += (*at == '{') - (*at == '}');
    return depth == 0;
}

/* FNV-1a, mixed: texts that differ in a byte have nothing in common. */
static uint32_t chance(const char *text)
{
    uint32_t sum = 2166136261u;
    for (; *text; text++)
        sum = (sum ^ (unsigned char)*text) * 16777619u;
    sum = (sum ^ sum >> 15) * 0x2c1b3c6du;
    return (sum ^ sum >> 12) % 8;
}

int main(int argc, char **argv)
{
    static char text[MOST_BYTES];
    FILE *file = argc == 2 ? fopen(argv[1], "r") : NULL;
    if (!file) return 2;
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    (void)fclose(file);
    if (!has_fault(text)) return 1;
    const uint32_t face = chance(text);
    while (face > 0 && face <= 4)
        (void)pause();
    return face != 0;
}
