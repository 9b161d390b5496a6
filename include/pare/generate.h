/* Making texts by a grammar, or by a prototype graph. */
#ifndef PARE_GENERATE_H
#define PARE_GENERATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <pare/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Says what of a text that was handed on joins the population: *member, of *member_bytes, borrowed until
 * the next call; NULL, as it is before the call: nothing does.  What it returns other than PARE_OK
 * ends the generation with that. */
typedef pare_status (*pare_generate_join)(void *context, const char *text, size_t size_bytes,
                                          const char **member, size_t *member_bytes,
                                          pare_error *err);

/* All-zero but for the grammars is the default; texts are borrowed for the call. */
typedef struct pare_generate_options {
    size_t struct_bytes;         /* 0, or its sizeof; see <pare/pare.h>, "Versions" */
    const char *const *grammars; /* paths: ANTLR v4 grammars with their lexer, or one of The
                                    Fuzzing Book's, which ends in .json */
    size_t n_grammars;           /* 0 is for the fuzzers "random" and "mutation", and for graphs */
    const char *language;        /* instead: an added one (language.h), whose parser checks
                                    each text */
    const char *start;           /* rule, of The Fuzzing Book's also without its brackets; NULL:
                                    the first parser rule */
    uint64_t n;                  /* texts; 0: 1 */
    uint64_t seed;               /* the same seed makes the same texts, whatever `jobs` is */
    bool unseeded;       /* choices are the kernel's, four bytes each: others every time, unless
                            pare_record gives them */
    unsigned jobs;       /* threads; 0: as many as there are processors */
    uint32_t max_depth;  /* of rule calls; 0: 40.  A limit gives way where nothing fits */
    uint32_t max_tokens; /* 0: 400 */
    double cooldown;     /* each time an alternative is taken, its weight is multiplied by this
                            (above 0, up to 1); 0: no cooldown */
    double unusual;      /* chance, 0 .. 1, that a character is any of its set, not one of
                            visible ASCII */
    const char *model;   /* path of a JSON file that pare_learn has made; or the name of an added
                            model (language.h), "web", which has a grammar of its own, limits of
                            120 and 2000, and rules html, svg, math, css, declarations,
                            declaration and selector to start with; NULL: none */
    const char *weights; /* path of another, which counts where both say something; where none
                            does, all alternatives weigh the same */
    const char *hooks;   /* path of a script in Lua 5.4, see pare(1); NULL: none */
    const char
        *fuzzer; /* "grammar", "phases", "limit", "complex", "choice", by a grammar or language;
                            "random", "mutation", for none.  NULL: "complex" where the grammar has
                            hooks, else "grammar".  The middle four take grammars that are not The
                            Fuzzing Book's in its form (alternatives of symbols), made of them */
    /* Paths of files, and of folders with files, of which texts are made: with a grammar by their
     * trees (those in its language), without one as the fuzzer "mutation" does. */
    const char *const *population;
    size_t n_population;
    bool repeats; /* a text may be made again */
    /* Path of a prototype graph (graph.h): texts are expressions that call what it knows. */
    const char *graph;
    uint32_t max_calls; /* of its functions in an expression; 0: 5.  Without a grammar max_depth is
                            of properties, calls and values within each other; 0: 8 */
    double keep_values; /* chance, 0 .. 1, that a text keeps a value and goes on */
    /* With a grammar or a language too, their texts have such expressions in the place of a rule. */
    const char *graph_rule; /* NULL: the first that there is of "expression", "singleExpression",
                               "assignmentExpression" and "expr" */
    double graph_share;     /* chance, 0 .. 1, that it is one; 0: 0.7 */
    uint64_t first;         /* texts before this number are made, and not handed on */
    /* Of one text (n is first + 1): path of the file where its choices go, as pare_record would note
     * them of a generator with the same options and `unseeded`. */
    const char *record;
    /* Path of such a file: the text that it stands for is made, whatever the seed is. */
    const char *replay;
    /* With a language: what stands before and after each text where its parser checks it, so that
     * texts of a rule other than the first are made for their place.  Not part of the text; a blank
     * is put between two words that would touch. */
    const char *before, *after; /* may be NULL where there are no bytes */
    size_t before_bytes, after_bytes;
    /* Where choices come from: "python" is CPython's generator, text K as after random.seed(seed + K);
     * NULL or "pare": a generator of ours. */
    const char *random;
    /* With the fuzzers "limit", "complex" and "choice": path of a JSON object, {"<expr>": "0"}: the text of
     * a rule where the choice that is replayed is -1; "use" is of a name that is used. */
    const char *defaults;
    /* With "phases": how many nonterminals are open before no more are opened on purpose, and at
     * most before all are closed; with "random": characters of a text; with "mutation": changes to a
     * member.  Where both are 0 they are The Fuzzing Book's; the first alone is
     * refused. */
    uint32_t min_nonterminals, max_nonterminals; /* 0 and 10 */
    uint32_t min_length, max_length;             /* 10 and 100 */
    uint32_t min_mutations, max_mutations;       /* 2 and 10 */
    /* With "mutation": the population grows (guide.h has it grow by coverage).  The files are the first
     * texts themselves, later ones are changed members that have joined, or changed files while
     * none has.  Text K depends on those before it, so one thread makes them all. */
    pare_generate_join join; /* NULL: the files are the population, and no text by themselves */
    void *join_context;
    uint32_t max_attempts; /* at a text, each with other choices, before it counts as one that could
                              not be made: a bound for callers to whom a check costs much; 0: 96 */
} pare_generate_options;

/* What came of it. */
typedef struct pare_generated {
    uint64_t n, size_bytes;           /* texts made, and all their bytes */
    uint64_t n_repeated;              /* texts that had been made before, and were replaced */
    uint64_t n_unmade;                /* texts that could not be made, each tried many times */
    uint64_t n_refused;               /* times that a language's parser refused what was made */
    size_t n_alternatives, n_covered; /* of the grammar, and those that were taken */
    bool exhausted;                   /* no new text was found any more */
    char reason[512]; /* why the last one that could not be made could not; or empty */
} pare_generated;

/* Takes text `number` (0, 1, ... in this order; one that could not be made is passed over).
 * What it returns other than PARE_OK ends the generation with that. */
typedef pare_status (*pare_generate_sink)(void *context, uint64_t number, const char *text,
                                          size_t size_bytes, pare_error *err);

/* What follows, for those who cannot use this header, such as other languages: the size is that
 * of a struct of options whose struct_bytes is 0. */
PARE_API PARE_CHECK pare_status pare_generate_sized(const pare_generate_options *options,
                                                    size_t options_bytes, pare_generate_sink sink,
                                                    void *context, pare_generated *generated,
                                                    pare_error *err);

/* Makes texts of the language of a grammar and hands them to `sink`, in the caller's thread.
 * Each is read back by the grammar's lexer as the tokens it was made of; separators stand only
 * where two tokens would lex differently.  By a language words and signs stand apart, and each
 * text is one that its parser takes without an error.  *generated is filled in any case.
 * Errors: PARE_E_ARG (no such start rule, an option out of its range), PARE_E_SYNTAX (a
 * grammar, the weights or a hook are wrong; there is no finite text), PARE_E_UNSUPPORTED (hooks,
 * but pare was built without Lua; the fuzzer is not for this grammar), PARE_E_STATE (no text at
 * all could be made), PARE_E_IO, PARE_E_LIMIT, PARE_E_NOMEM, and those of `sink`. */
static inline PARE_CHECK pare_status pare_generate(const pare_generate_options *options,
                                                   pare_generate_sink sink, void *context,
                                                   pare_generated *generated, pare_error *err)
{
    return pare_generate_sized(options, sizeof *options, sink, context, generated, err);
}

#ifdef __cplusplus
}
#endif

#endif
