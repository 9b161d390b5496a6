/* Finding libclang and its functions.
 *
 * Debian has a package for each version, which all may be there; the file's name has the version of
 * the library in it, and since 16 also that of its interface.  The lowest version is taken: 14 parses
 * in half the time of 19 (docs/lab/semantic.md), and what is asked for is in all of them.
 * Invariant: either all functions are there, or the library is not used.
 * Tested by tests/cli/test_semantic.sh. */
#include "clang_edits/libclang.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "os/shared_library.h"

enum { FIRST_VERSION = 14, LAST_VERSION = 24, N_FORMS = 3, NAME_BYTES = 64 };

/* The library by its names; NULL: there is none. */
static void *open_any(void)
{
    static const char *const forms[N_FORMS] = {"libclang-%d.so.1", "libclang-%d.so.%d",
                                               "/usr/lib/llvm-%d/lib/libclang.so.1"};
    const char *const given[] = {getenv("PARE_LIBCLANG"), NULL};
    const char *const plain[] = {"libclang.so.1", "libclang.so", NULL};
    void *library = NULL;
    if (given[0]) return *given[0] ? pare_shared_library_open(given) : NULL;
    for (int version = FIRST_VERSION; !library && version <= LAST_VERSION; version++) {
        char names[N_FORMS][NAME_BYTES];
        const char *all[N_FORMS + 1] = {NULL};
        for (size_t i = 0; i < N_FORMS; i++) {
            (void)snprintf(names[i], NAME_BYTES, forms[i], version, version);
            all[i] = names[i];
        }
        library = pare_shared_library_open(all);
    }
    return library ? library : pare_shared_library_open(plain);
}

/* One name for both, so that none can be mistaken. */
#define FUNCTION(of, name)          \
    {                               \
        "clang_" #name, &(of)->name \
    }

bool pare_libclang_open(pare_libclang *clang)
{
    const pare_shared_function functions[] = {
        FUNCTION(clang, createIndex),
        FUNCTION(clang, parseTranslationUnit2),
        FUNCTION(clang, getTranslationUnitCursor),
        FUNCTION(clang, getFile),
        FUNCTION(clang, visitChildren),
        FUNCTION(clang, getCursorExtent),
        FUNCTION(clang, getCursorLocation),
        FUNCTION(clang, getRangeStart),
        FUNCTION(clang, getRangeEnd),
        FUNCTION(clang, getFileLocation),
        FUNCTION(clang, getSpellingLocation),
        FUNCTION(clang, getCursorReferenced),
        FUNCTION(clang, getCanonicalCursor),
        FUNCTION(clang, getSpecializedCursorTemplate),
        FUNCTION(clang, equalCursors),
        FUNCTION(clang, hashCursor),
        FUNCTION(clang, Cursor_isNull),
        FUNCTION(clang, isExpression),
        FUNCTION(clang, CXXMethod_isVirtual),
        FUNCTION(clang, getNumOverloadedDecls),
        FUNCTION(clang, getOverloadedDecl),
        FUNCTION(clang, Cursor_getNumTemplateArguments),
        FUNCTION(clang, Cursor_getTemplateArgumentKind),
        FUNCTION(clang, Cursor_getTemplateArgumentType),
        FUNCTION(clang, Cursor_getTemplateArgumentValue),
        FUNCTION(clang, Cursor_Evaluate),
        FUNCTION(clang, EvalResult_getKind),
        FUNCTION(clang, EvalResult_getAsLongLong),
        FUNCTION(clang, EvalResult_dispose),
        FUNCTION(clang, getCursorType),
        FUNCTION(clang, getCursorResultType),
        FUNCTION(clang, getTypedefDeclUnderlyingType),
        FUNCTION(clang, getCanonicalType),
        FUNCTION(clang, getTypeSpelling),
        FUNCTION(clang, getClangVersion),
        FUNCTION(clang, getCString),
        FUNCTION(clang, disposeString),
    };
    void *library = open_any();
    assert(sizeof *clang == sizeof(void *) * (sizeof functions / sizeof *functions));
    return library &&
           pare_shared_library_find(library, functions, sizeof functions / sizeof *functions);
}
