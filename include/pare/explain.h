/* Explaining a result: what of it may be otherwise, and what is needed as it is.
 *
 *     #include <stdio.h>
 *
 *     #include <pare/explain.h>
 *
 *     int main(void)
 *     {
 *         pare_reduce_options options = {.input.path = "small.js", .test.command = "./test.sh"};
 *         pare_explanation explanation = {0};
 *         pare_error err = {0};
 *         pare_status status = pare_explain(&options, &explanation, &err);
 *         if (status) fprintf(stderr, "%s\n", err.message);
 *         for (size_t i = 0; i < explanation.n_parts; i++)
 *             printf("%zu %s\n", explanation.parts[i].from,
 *                    pare_part_verdict_name(explanation.parts[i].verdict));
 *         pare_explanation_done(&explanation);
 *         return status != PARE_OK;
 *     }
 *
 * Parts are varied one at a time, by samples of their kind, and each variant is tested.  Source: the
 * shape of the claims is that of ddset (Gopinath et al., "Abstracting Failure-Inducing Inputs",
 * ISSTA 2020) and Alhazen (Kampmann et al., ESEC/FSE 2020); samples are the language's alternatives
 * and values of tokens, not a grammar's productions. */
#ifndef PARE_EXPLAIN_H
#define PARE_EXPLAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <pare/reduce.h>
#include <pare/result.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum pare_part_verdict {
    PARE_PART_UNTRIED, /* the tests were spent before it was decided */
    PARE_PART_NEEDED,  /* another one of its kind was tried, and the failure was gone */
    PARE_PART_ANY,     /* all samples of its kind still fail */
    PARE_PART_RANGE,   /* a whole number: every one that was tried from `low` to `high` fails, and
                          the ones just outside do not */
    PARE_PART_RENAME   /* a name, in all its places: all fresh names still fail */
} pare_part_verdict;

PARE_API const char *pare_part_verdict_name(pare_part_verdict verdict); /* "needed", "any", ... */

/* One part of the text.  Parts do not overlap, but that a part which is a piece of program (a node of
 * the tree) holds others when it is needed as a whole; those follow it. */
typedef struct pare_explained_part {
    size_t from, to; /* bytes of the text; of a name its first place */
    size_t n_places; /* 1, or of a name how often it stands there */
    /* "whole number", "number", "string", "name", "operator", or the node's type; as long as the
     * explanation. */
    const char *kind;
    bool is_node; /* of the tree: a piece of program, not a token */
    pare_part_verdict verdict;
    uint32_t samples, fails; /* how many were tested, and how many of them still fail */
    /* RANGE: whether there is an end on that side, and the last number that still fails.  ANY, of a
     * string: has_low says that the empty one does not fail; low is 1. */
    bool has_low, has_high;
    uint64_t low, high;
} pare_explained_part;

/* One place of a part. */
typedef struct pare_explained_place {
    size_t from, to; /* bytes of the text */
    size_t part;     /* index in `parts` */
} pare_explained_place;

typedef struct pare_explanation {
    pare_result result;         /* the text itself, and the statistics */
    pare_explained_part *parts; /* owned; in the order of the text */
    size_t n_parts;
    pare_explained_place *places; /* owned; of all parts, by `from`, a part before those in it */
    size_t n_places;
    /* Whether all parts that may vary were varied at once in a few tests and the failure stayed:
     * RENAME, RANGE and ANY hold together then. */
    bool is_together, is_together_known;
    char *pattern; /* owned; the text with what may vary as <kind> */
    size_t pattern_bytes;
    char *names; /* owned; what `kind` points into */
} pare_explanation;

PARE_API void pare_explanation_done(pare_explanation *explanation); /* all-zero is a no-op */

/* What follows, for those who cannot use this header, such as other languages: the size is that
 * of a struct of options whose struct_bytes is 0. */
PARE_API PARE_CHECK pare_status pare_explain_sized(const pare_reduce_options *options,
                                                   size_t options_bytes,
                                                   pare_explanation *explanation, pare_error *err);

/* Explains the one input of `options`, a file or bytes, which is to be a result: small.  Used of the
 * options: input.path or bytes and name, test, keep, trees, limits and events; nothing is written, and
 * there is no journal.  Without limits.max_tests it takes at most 300 tests.  A run that is stopped
 * early, or has spent its limits, is no error: what it has not tried is UNTRIED.
 * Errors: as pare_reduce; PARE_E_STATE for an empty input, PARE_E_LIMIT for more than 64 KB. */
static inline PARE_CHECK pare_status pare_explain(const pare_reduce_options *options,
                                                  pare_explanation *explanation, pare_error *err)
{
    return pare_explain_sized(options, sizeof *options, explanation, err);
}

#ifdef __cplusplus
}
#endif

#endif
