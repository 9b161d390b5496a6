/* A reader of lists with two bugs, two crash sites: it reads letters and digits from
 * standard input or a file.  An 'x' somewhere behind a 'q' breaks an assertion of
 * `close_list`; more than two 'z' break one of `open_list`, whatever else is there. */
#include <assert.h>
#include <stdio.h>

static void close_list(int depth)
{
    assert(depth < 1 && "a list is closed once");
}

static void open_list(int n_open)
{
    assert(n_open < 3 && "lists are nested twice at most");
}

int main(int argc, char **argv)
{
    FILE *in = argc > 1 ? fopen(argv[1], "r") : stdin;
    int c, depth = 0, n_open = 0;
    if (!in) return 2;
    while ((c = getc(in)) != EOF) {
        if (c == 'q') depth++;
        if (c == 'x') close_list(depth);
        if (c == 'z') open_list(++n_open);
        if (c == '!') {
            (void)fputs("syntax error at '!'\n", stderr);
            return 1;
        }
    }
    return 0;
}
