/* The table of language packs: which package holds which parser.
 *
 * Parsers cannot be made anew from their grammars here, so a pack is a published package
 * with the generated parser.c in it.  A const table; any thread. */
#ifndef PARE_LANG_PACKS_H
#define PARE_LANG_PACKS_H

#include <pare/language.h>

/* A package that is pinned. */
typedef struct pare_pack_pin {
    const char *package, *version;
    const char *integrity; /* "sha512-..." */
} pare_pack_pin;

typedef struct pare_pack {
    pare_language_info info;
    const char *integrity;     /* of the package: "sha512-..." */
    const char *folder;        /* in the package, of src/parser.c; "" for its top */
    const char *symbol;        /* the function that gives the language */
    bool large;                /* compiled with less optimisation, which is slow enough */
    const pare_pack_pin *pins; /* of a model: its packages, ended by one without a name; in the
                                   order of the names and versions in `info`.  NULL: it is a
                                   language, and the four above are its own */
} pare_pack;

/* The pack of that name or alias.  Errors: PARE_E_ARG, with the command that lists them; *out is
 * NULL then. */
PARE_CHECK pare_status pare_packs_get(const char *name, const pare_pack **out, pare_error *err);

#endif
