/* What bench_runner tests: a dynamically linked program of about 1 MB, most of it
 * data that it looks at a little, with the libraries of an ordinary one.  Exits with 0 when the candidate, its last argument, holds a '#'. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TABLE_BYTES = 1 << 20 };

/* Initialised, so that it is in the file; written, so that its pages are copied. */
static unsigned char table[TABLE_BYTES] = {1};

int main(int argc, char **argv)
{
    char text[4096];
    FILE *file = fopen(argv[argc - 1], "r");
    if (!file) return 2;
    size_t n = fread(text, 1, sizeof text, file);
    (void)fclose(file);
    for (size_t k = 0; k < n; k++)
        table[(size_t)(unsigned char)text[k] * 4096 % TABLE_BYTES]++;
    double share = sqrt((double)table['#' * 4096 % TABLE_BYTES]);
    char *copy = malloc(n + 1);
    if (!copy) return 3;
    memcpy(copy, text, n);
    int found = memchr(copy, '#', n) != NULL && share > 0;
    free(copy);
    return found ? 0 : 1;
}
