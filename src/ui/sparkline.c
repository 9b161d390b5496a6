/* Sizes over time as bars of eight heights. */
#include "ui/sparkline.h"

#include <string.h>

enum { N_HEIGHTS = 8, OCTAVES_SHOWN = 6 };

static const double FIRST_SPACING_S = 0.1;

/* Binary logarithm, linear between powers of two: exact enough for 8 bars. */
static double rough_log2(uint64_t value)
{
    double octaves = 0;
    while (value >= (1u << 16)) {
        value >>= 8;
        octaves += 8;
    }
    double rest = (double)(value + 1);
    while (rest >= 2) {
        rest /= 2;
        octaves += 1;
    }
    return octaves + rest - 1;
}

/* Keeps the later of each pair: the size only falls. */
static void merge_pairs(pare_sparkline *line)
{
    for (size_t i = 0; i < PARE_SPARKLINE_SAMPLES / 2; i++)
        line->size[i] = line->size[2 * i + 1];
    line->n = PARE_SPARKLINE_SAMPLES / 2;
    line->spacing_s *= 2;
}

void pare_sparkline_add(pare_sparkline *line, double elapsed_s, uint64_t size_bytes)
{
    if (line->n == 0) {
        line->spacing_s = FIRST_SPACING_S;
        line->size[0] = size_bytes;
        line->n = 1;
        return;
    }
    while (elapsed_s >= line->spacing_s * PARE_SPARKLINE_SAMPLES) {
        /* Fill up with the size that held until now, then make room. */
        while (line->n < PARE_SPARKLINE_SAMPLES) {
            line->size[line->n] = line->size[line->n - 1];
            line->n++;
        }
        merge_pairs(line);
    }
    size_t slot = elapsed_s > 0 ? (size_t)(elapsed_s / line->spacing_s) : 0;
    while (line->n <= slot) {
        line->size[line->n] = line->size[line->n - 1];
        line->n++;
    }
    line->size[line->n - 1] = size_bytes;
}

static size_t height_of(uint64_t size, double top, double bottom)
{
    double part = (rough_log2(size) - bottom) / (top - bottom);
    if (part <= 0) return 0;
    size_t height = (size_t)(part * N_HEIGHTS);
    return height < N_HEIGHTS ? height : N_HEIGHTS - 1;
}

size_t pare_sparkline_draw(const pare_sparkline *line, size_t columns, pare_charset charset,
                           char *text)
{
    static const char ascii[N_HEIGHTS + 1] = "_.-=+*#@";
    text[0] = '\0';
    if (line->n == 0 || columns == 0) return 0;
    size_t n = line->n < columns ? line->n : columns;
    double top = rough_log2(line->size[0]), bottom = rough_log2(line->size[line->n - 1]);
    if (bottom > top - OCTAVES_SHOWN) bottom = top - OCTAVES_SHOWN;
    char *at = text;
    for (size_t i = 0; i < n; i++) {
        size_t sample = n == 1 ? line->n - 1 : i * (line->n - 1) / (n - 1);
        size_t height = height_of(line->size[sample], top, bottom);
        if (charset == PARE_UTF8) {
            /* U+2581 .. U+2588 */
            memcpy(at, "\xe2\x96", 2);
            at[2] = (char)(0x81 + (int)height);
            at += 3;
        } else {
            *at++ = ascii[height];
        }
    }
    *at = '\0';
    return n;
}
