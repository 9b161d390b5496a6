/* Priors: what a phase is expected to earn before it has run, by the text's kind and size. */
#ifndef PARE_SESSION_PLAN_PRIOR_H
#define PARE_SESSION_PLAN_PRIOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the default knows of a text before it looks into it. */
typedef enum pare_prior_kind {
    PARE_PRIOR_BINARY,
    PARE_PRIOR_PLAIN, /* a text without a tree */
    PARE_PRIOR_TREE,  /* with that of its language */
    PARE_N_PRIOR_KINDS
} pare_prior_kind;

enum { PARE_N_PRIOR_SIZES = 4 };

/* One row of the table; immutable. */
typedef struct pare_prior {
    const char *name; /* of a pass, or of the units of a list or tree algorithm */
    uint16_t per_20_tests[PARE_N_PRIOR_KINDS][PARE_N_PRIOR_SIZES]; /* of the text, in hundredths of
                                                                      a percent */
} pare_prior;

/* The kind of a file that is `binary`, or whose `language` (NULL: none is known) has a tree. */
pare_prior_kind pare_prior_kind_of(bool binary, const char *language);

/* The row of this name; NULL: it was not measured. */
const pare_prior *pare_prior_find(const char *name);

/* Share of a text of `size` bytes, 0 to 7, that the first 20 tests are expected to remove; of a phase
 * that was not measured (NULL) as much as makes it worth a run. */
double pare_prior_promise(const pare_prior *prior, pare_prior_kind kind, size_t size);

#endif
