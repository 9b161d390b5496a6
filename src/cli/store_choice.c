/* The store that --store names, or the only one that is here.
 *
 * A campaign's store lies where the campaign was started, so whoever looks at it mostly stands in
 * that folder.  With two stores there, guessing would show the wrong one, or change it: both are
 * named and nothing is done. */
#include "cli/store_choice.h"

#include <assert.h>
#include <glob.h>
#include <string.h>

#include "base/alloc.h"
#include "ui/format.h"

enum { SHOWN_BYTES = 200 };

/* From what matched: one path, or a sentence. */
static pare_status pick(const glob_t *found, char **path, pare_error *err)
{
    char first[SHOWN_BYTES], second[SHOWN_BYTES];
    assert(found->gl_pathc > 0);
    if (found->gl_pathc > 1)
        return pare_fail(err, PARE_E_ARG,
                         "there are several stores here, such as %s and %s: --store FILE",
                         pare_format_name(first, sizeof first, found->gl_pathv[0]),
                         pare_format_name(second, sizeof second, found->gl_pathv[1]));
    *path = pare_alloc_text(found->gl_pathv[0], strlen(found->gl_pathv[0]));
    return *path ? PARE_OK : pare_fail_nomem(err);
}

pare_status pare_store_choice_read(const pare_arguments *arguments, size_t option, char **path,
                                   pare_error *err)
{
    const char *given = arguments->values[option].text;
    glob_t found = {0};
    if (given) {
        *path = pare_alloc_text(given, strlen(given));
        return *path ? PARE_OK : pare_fail_nomem(err);
    }
    int result = glob("*.pare.db", 0, NULL, &found);
    pare_status status =
        result == GLOB_NOSPACE   ? pare_fail_nomem(err)
        : result == GLOB_ABORTED ? pare_fail(err, PARE_E_IO, "cannot read the current folder")
        : result ? pare_fail(err, PARE_E_ARG, "there is no store here: --store FILE")
                 : pick(&found, path, err);
    globfree(&found);
    return status;
}
