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
 * Parts are varied one at a time, then together, by samples of their kind, and each variant is tested.
 * Samples are values of tokens, the language's alternatives, and texts of its rules that the generator
 * makes.  Source: the shape of the claims is that of ddset (Gopinath et al., "Abstracting
 * Failure-Inducing Inputs", ISSTA 2020) and Alhazen (Kampmann et al., "When Does My Program Do This?",
 * ESEC/FSE 2020). */
#ifndef PARE_EXPLAIN_H
#define PARE_EXPLAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <pare/generate.h>
#include <pare/reduce.h>
#include <pare/result.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum pare_part_verdict {
    PARE_PART_UNTRIED, /* the tests were spent before it was decided */
    PARE_PART_NEEDED,  /* another one of its kind was tried, and the failure was gone */
    PARE_PART_ANY,     /* all samples of its kind still fail */
    PARE_PART_RANGE,   /* a whole number, the length of a string whose letters do not matter, or how
                          often a list repeats: every one that was tried from `low` to `high`
                          fails, and those just outside do not */
    PARE_PART_RENAME   /* a name, in all its places: all fresh names still fail */
} pare_part_verdict;

PARE_API const char *pare_part_verdict_name(pare_part_verdict verdict); /* "needed", "any", ... */

/* A text that was tried in the place of a part. */
typedef struct pare_explained_other {
    const char *text; /* as long as the explanation */
    size_t bytes;
    bool fails; /* the failure was still there */
    /* It is not of the part's kind: nothing, digits with a sign or zeroes before them, a number for a name.
     * What is claimed of the kind is not about it. */
    bool is_beyond;
} pare_explained_other;

/* One part of the text.  Parts do not overlap, but that a part which is a piece of program (a node of
 * the tree) holds others when it is needed as a whole; those follow it. */
typedef struct pare_explained_part {
    size_t from, to; /* bytes of the text; of a name its first place */
    size_t n_places; /* 1, or of a name how often it stands there */
    /* "whole number", "number", "string", "name", "operator", "repetition", or the node's type; as
     * long as the explanation. */
    const char *kind;
    const char *sampled_as; /* "node", "repeat", "whole", "number", "string", "name", "sign" or
                               "byte";
                               static: how a pattern makes samples of it */
    bool is_node;           /* of the tree: a piece of program, not a token */
    pare_part_verdict verdict;
    uint32_t samples, fails; /* how many were tested, and how many of them still fail */
    /* RANGE: whether there is an end on that side, and the last number that still fails.  ANY, of a
     * string: has_low says that the empty one does not fail; low is 1. */
    bool has_low, has_high;
    uint64_t low, high;
    /* RANGE: the limit is not sharp: when it was run again, it did not always fail, or the next number
     * outside sometimes did.  Also false for limits that were not run again, because there were many. */
    bool is_low_vague, is_high_vague;
    /* What may vary at once has the same number; 1 is the largest group, which the pattern is about.
     * 0: it was varied by itself only. */
    uint32_t group;
    /* NEEDED and RANGE: the smallest change that is known to make the failure go: bytes near_from ..
     * near_to-1 of the text become `near`.  NULL: none is known. */
    const char *near; /* as long as the explanation */
    size_t near_bytes, near_from, near_to;
    /* What was tried in its place, but those that are numbers of a range; as long as the explanation.  First
     * what is at the edge of its kind or beyond it; `samples` counts that for NEEDED only. */
    const pare_explained_other *others;
    size_t n_others;
} pare_explained_part;

/* The least share of samples like those that were tested which still fail, 0 .. 1: the claim is wrong in
 * at most 5 of 100 cases.  Where all failed it is 0.05^(1/samples), of which 1 - 3/samples is the rule of
 * three (Hanley and Lippman-Hand, "If nothing goes wrong, is everything all right?", JAMA 249(13),
 * 1983), else the end of Wilson's interval (JASA 22, 1927).  0 without samples. */
PARE_API double pare_explained_share(uint32_t samples, uint32_t fails);

/* One place of a part. */
typedef struct pare_explained_place {
    size_t from, to; /* bytes of the text */
    size_t part;     /* index in `parts` */
} pare_explained_place;

/* A character between the parts that was left out, a bracket together with the one that closes or opens it; or a
 * line end for which a blank stood. */
typedef struct pare_explained_sign {
    size_t from, to; /* bytes of the text */
    bool is_needed;  /* without it the failure was gone */
} pare_explained_sign;

typedef struct pare_explanation {
    pare_result result;         /* the text itself, and the statistics */
    pare_explained_part *parts; /* owned; in the order of the text */
    size_t n_parts;
    pare_explained_place *places; /* owned; of all parts, by `from`, a part before those in it */
    size_t n_places;
    /* Whether all parts that may vary were varied at once in a few tests and the failure stayed:
     * RENAME, RANGE and ANY hold together then. */
    bool is_together, is_together_known;
    uint32_t n_groups;                   /* of what may vary at once */
    uint32_t joint_samples, joint_fails; /* of the first group as a whole */
    char *pattern; /* owned; the text with what may vary at once, the first group, as <kind> */
    size_t pattern_bytes;
    const char *language; /* static; by which the text was read; NULL: by a grammar, or by tokens */
    char *names;          /* owned; what `kind` points into */
    char *nears;          /* owned; what `near` points into */
    /* The text itself, run again at the end, where anything is told as NEEDED.  Where not all of these runs
     * fail, the failure comes by chance or something disturbed the tests, and one that passed says little. */
    uint32_t again_runs, again_fails;
    uint32_t ends_runs; /* runs that checked limits of ranges again, at the limit and next to it */
    /* Characters between the parts that vary, such as brackets and commas: how many, how many of them were
     * left out (in a test each, or in one for a pair of brackets; in at most 32 tests, pairs first), and
     * without how many of these the failure was gone. */
    uint32_t signs, signs_tried, signs_needed;
    pare_explained_sign *sign;    /* owned; signs_tried of them, in the order of the text */
    pare_explained_other *others; /* owned; what `others` of the parts points into */
    /* What the programs that a test script runs did with the text, as text for people: a line for each, such as
     * "hxtoc in.html: killed by SIGSEGV".  Owned; NULL: it is not known, or there is no script. */
    char *programs;
    /* The runs that told that, and those with variants that fail: of how many of these it is known how they ended, and
     * how many of them ended in another way than the text itself (numbers but exit codes aside). */
    uint32_t watched_runs, watched_variants, watched_others;
    /* The first of those: bytes other_from .. other_to-1 were `other`, and the programs did this.  Owned; NULL:
     * there is none. */
    size_t other_from, other_to;
    pare_explained_other other;
    char *other_programs;
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

/* ---- a readable result ------------------------------------------------------------------ */

/* The same tokens, laid out as the original was. */
typedef struct pare_readable {
    const void *original; /* borrowed; what the result was reduced from */
    size_t original_bytes;
    const char *original_path; /* or the file that holds it; not NULL: it is read */
    char *bytes; /* owned, with a NUL after it; NULL: there is no such text, or it does not fail */
    size_t size_bytes;
} pare_readable;

PARE_API void pare_readable_done(
    pare_readable *readable); /* leaves the original; all-zero is a no-op */

PARE_API PARE_CHECK pare_status pare_explain_readable_sized(const pare_reduce_options *options,
                                                            size_t options_bytes,
                                                            pare_readable *readable,
                                                            pare_error *err);

/* Lays the one input of `options`, a result, out by the lines, indentation and blanks that its tokens
 * had in readable->original; tests that, and without line ends if it does not fail.  At most three
 * tests.  Errors: as pare_explain. */
static inline PARE_CHECK pare_status pare_explain_readable(const pare_reduce_options *options,
                                                           pare_readable *readable, pare_error *err)
{
    return pare_explain_readable_sized(options, sizeof *options, readable, err);
}

/* ---- texts of a pattern ---------------------------------------------------------------- */

/* What is made of a pattern. */
typedef struct pare_failure_pattern_options {
    size_t struct_bytes; /* 0, or its sizeof; see <pare/pare.h>, "Versions" */
    const char *path;    /* of what `pare explain --json` printed */
    uint64_t n;          /* texts; 0: 1 */
    uint64_t seed;       /* the same seed makes the same texts */
    bool one; /* each text varies one part, each part in turn; else all of the first group */
} pare_failure_pattern_options;

PARE_API PARE_CHECK pare_status pare_failure_pattern_generate_sized(
    const pare_failure_pattern_options *options, size_t options_bytes, pare_generate_sink sink,
    void *context, pare_error *err);

/* Makes texts that are to fail as the explained one does: what the explanation says may vary is
 * drawn anew, by none of the samples that it was made from.  A list whose rounds may be repeated stays as
 * it is.  The same text may be made again.
 * Errors: PARE_E_SYNTAX (it is no pattern), PARE_E_STATE (nothing may vary), PARE_E_IO, PARE_E_NOMEM,
 * and those of `sink`. */
static inline PARE_CHECK pare_status
pare_failure_pattern_generate(const pare_failure_pattern_options *options, pare_generate_sink sink,
                              void *context, pare_error *err)
{
    return pare_failure_pattern_generate_sized(options, sizeof *options, sink, context, err);
}

#ifdef __cplusplus
}
#endif

#endif
