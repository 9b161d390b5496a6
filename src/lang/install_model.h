/* The part of adding a model (lang/install.c) that a language has not. */
#ifndef PARE_LANG_INSTALL_MODEL_H
#define PARE_LANG_INSTALL_MODEL_H

#include "lang/fetch.h"
#include "lang/packs.h"

/* Fetches the packages of a model and makes the files that are kept of it: grammar, weights,
 * licence and record.  The packages have no licence file; that their package.json names a
 * licence is enough for data that is translated on the user's machine and not handed on.
 * Errors: those of pare_fetch_package and pare_web_model_make; PARE_E_CORRUPT (a package names
 * no licence). */
PARE_CHECK pare_status pare_install_model(const pare_fetch *fetch, const pare_pack *pack,
                                          pare_error *err);

#endif
