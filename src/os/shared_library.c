/* Opening libraries, and their functions by name.
 *
 * POSIX has dlsym give functions as pointers to objects, which C cannot convert; on every system
 * that has dlsym both are of one size, so the bytes are copied. */
#include "os/shared_library.h"

#include <assert.h>
#include <dlfcn.h>
#include <string.h>

void *pare_shared_library_open(const char *const *names)
{
    void *library = NULL;
    for (; *names && !library; names++)
        library = dlopen(*names, RTLD_NOW | RTLD_LOCAL);
    return library;
}

bool pare_shared_library_find(void *library, const pare_shared_function *functions, size_t n)
{
    static_assert(sizeof(void *) == sizeof(void (*)(void)), "functions are found as objects");
    for (size_t k = 0; k < n; k++) {
        void *found = dlsym(library, functions[k].name);
        if (!found) return false;
        memcpy(functions[k].address, &found, sizeof found);
    }
    return true;
}
