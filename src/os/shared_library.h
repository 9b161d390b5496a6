/* Libraries that are opened when they are needed, instead of being linked.
 *
 * For what few users need and what would cost every start: libraries that bring many others, or that
 * do something as soon as they are loaded.  They stay open until the process ends, since those below
 * them do not all stand being closed.  Any thread. */
#ifndef PARE_OS_SHARED_LIBRARY_H
#define PARE_OS_SHARED_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

/* A function to be found, and where its address goes: a pointer to a function, of its type. */
typedef struct pare_shared_function {
    const char *name;
    void *address;
} pare_shared_function;

/* Opens the first of `names` (NULL ends them) that is there; NULL: none is. */
void *pare_shared_library_open(const char *const *names);

/* Finds all `n` functions; false when one is missing. */
bool pare_shared_library_find(void *library, const pare_shared_function *functions, size_t n);

#endif
