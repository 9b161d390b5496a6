/* Included before every source file but base/alloc.c and base/checksum.c: direct use of the C
 * library's allocator does not compile.  Use base/alloc.h.  Nor does fork, whose cost grows with our memory:
 * programs are started by os/spawn.h.  os/child.c alone may copy a process, one that is small and stays so. */
#ifndef PARE_BASE_POISON_H
#define PARE_BASE_POISON_H

/* Headers that mention the names must come first. */
#include <malloc.h>
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#pragma GCC poison malloc calloc realloc reallocarray free strdup strndup
#pragma GCC poison asprintf vasprintf
#ifndef PARE_MAY_FORK
#pragma GCC poison fork
#endif

#endif
