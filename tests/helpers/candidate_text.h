/* Reading the candidate, in the oracles of the end-to-end tests. */
#ifndef PARE_TESTS_CANDIDATE_TEXT_H
#define PARE_TESTS_CANDIDATE_TEXT_H

#include <stdio.h>
#include <stdlib.h>

enum { MAX_CANDIDATE_BYTES = 8191 };

/* The text of the file `path`, NUL-terminated; static.  Ends the program when it cannot
 * be read. */
static inline const char *candidate_text(const char *path)
{
    static char text[MAX_CANDIDATE_BYTES + 1];
    FILE *file = fopen(path, "r");
    if (!file) exit(99);
    size_t n = fread(text, 1, MAX_CANDIDATE_BYTES, file);
    text[n] = '\0';
    (void)fclose(file);
    return text;
}

#endif
