/* What bench_runner tests: a dynamically linked program of about 1 MB, most of it
 * data that it looks at a little, with the libraries of an ordinary one.  Exits with 0 when
 * the candidate, its last argument, holds a '#'; without arguments it is a worker
 * (docs/guide/worker.md) that says so of candidate after candidate. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TABLE_BYTES = 1 << 20 };

/* Initialised, so that it is in the file; written, so that its pages are copied. */
static unsigned char table[TABLE_BYTES] = {1};

static int test(const char *path)
{
    char text[4096];
    FILE *file = fopen(path, "r");
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

static void serve(void)
{
    static const char *const answers[] = {"FAIL", "PASS", "UNRESOLVED", "UNRESOLVED"};
    char line[8192];
    while (fgets(line, sizeof line, stdin)) {
        const char *blank = strchr(line, ' ');
        line[strcspn(line, "\n")] = '\0';
        (void)puts(answers[blank ? test(blank + 1) : 2]);
        (void)fflush(stdout);
    }
}

int main(int argc, char **argv)
{
    if (argc > 1) return test(argv[argc - 1]);
    serve();
    return 0;
}
