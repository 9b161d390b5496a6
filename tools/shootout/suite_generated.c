/* The suite of seed 002, exercise 3: inputs by grammars, tests for symbols.
 *
 * Of each grammar DRAWN texts are made; those nearest to the size that is wanted become
 * inputs.  A symbol is asked for when it occurs in the input and not in every one of the
 * smallest texts of the language, since every candidate would have it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <pare/derivations.h>
#include <pare/generate.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "base/random.h"
#include "base/vector.h"
#include "os/file.h"

#include "shootout/shootout.h"
#include "shootout/suite.h"
#include "shootout/symbol_test.h"

enum { DEFAULT_INPUTS = 4, DRAWN = 300, SMALLEST = 16, MAX_INPUTS = DRAWN / 4, NAME_BYTES = 200 };

static const struct size_class {
    const char *name;
    double bytes; /* wanted */
    bool weighted;
    uint32_t max_depth, max_tokens; /* of the grammar fuzzer */
} sizes[] = {{"small", 60, false, 16, 60}, {"large", 1200, true, 60, 1000}};

enum { N_SIZES = sizeof sizes / sizeof *sizes };

struct generated_grammar {
    const char *name, *file_name, *text; /* the file's name tells the notation */
    const char *weights; /* of large inputs, as pare_generate takes them; NULL: none */
};

static const struct generated_grammar grammars[] = {
    /* Seeds 000 and 002: EXPR_GRAMMAR. */
    {"expr", "expr.json",
     "{\"<start>\": [\"<expr>\"],\n"
     " \"<expr>\": [\"<term> + <expr>\", \"<term> - <expr>\", \"<term>\"],\n"
     " \"<term>\": [\"<factor> * <term>\", \"<factor> / <term>\", \"<factor>\"],\n"
     " \"<factor>\": [\"+<factor>\", \"-<factor>\", \"(<expr>)\", \"<integer>.<integer>\",\n"
     "              \"<integer>\"],\n"
     " \"<integer>\": [\"<digit><integer>\", \"<digit>\"],\n"
     " \"<digit>\": [\"0\", \"1\", \"2\", \"3\", \"4\", \"5\", \"6\", \"7\", \"8\", \"9\"]}\n",
     NULL},
    /* Seed 002, exercise 2; a list of them, so that there is something to leave out. */
    {"number", "number.json",
     "{\"<start>\": [\"<numbers>\"],\n"
     " \"<numbers>\": [\"<number>\", \"<number>,<numbers>\"],\n"
     " \"<number>\": [\"<float>\", \"<integer>\", \"<not-a-number>\"],\n"
     " \"<float>\": [\"<digits>.<digits>\"],\n"
     " \"<integer>\": [\"<digits>\"],\n"
     " \"<not-a-number>\": [\"NaN\"],\n"
     " \"<digits>\": [\"<digit>\", \"<digit><digits>\"],\n"
     " \"<digit>\": [\"0\", \"1\", \"2\", \"3\", \"4\", \"5\", \"6\", \"7\", \"8\", \"9\"]}\n",
     "{\"alts\": {\"<numbers>\": {\"0\": {\"1\": 200}}}}"},
    /* Seed 004: assignment_grammar, its context-free part. */
    {"assignment", "assignment.json",
     "{\"<start>\": [\"<assignments>\"],\n"
     " \"<assignments>\": [\"<assign>;\\n\", \"<assign>;\\n<assignments>\"],\n"
     " \"<assign>\": [\"<var> = <expr>\"],\n"
     " \"<expr>\": [\"<expr> + <expr>\", \"<expr> - <expr>\", \"(<expr>)\", \"<var>\",\n"
     "            \"<digit>\"],\n"
     " \"<digit>\": [\"0\", \"1\"],\n"
     " \"<var>\": [\"a\", \"b\", \"c\", \"d\", \"e\", \"f\", \"g\", \"h\", \"i\", \"j\", \"k\",\n"
     "           \"l\", \"m\", \"n\", \"o\", \"p\", \"q\", \"r\", \"s\", \"t\", \"u\", \"v\",\n"
     "           \"w\", \"x\", \"y\", \"z\"]}\n",
     NULL},
    /* Our own, with a lexer: what the seeds' grammars have none of. */
    {"json", "Json.g4",
     "grammar Json;\n"
     "json: value EOF;\n"
     "value: object | array | STRING | NUMBER | 'true' | 'false' | 'null';\n"
     "object: '{' (pair (',' pair)*)? '}';\n"
     "array: '[' (value (',' value)*)? ']';\n"
     "pair: STRING ':' value;\n"
     "STRING: '\"' [a-z]+ '\"';\n"
     "NUMBER: '-'? [0-9]+ ('.' [0-9]+)?;\n"
     "SPACE: [ \\n]+ -> skip;\n",
     "{\"quants\": {\"object\": {\"0\": 0.9, \"1\": 0.85}, \"array\": {\"0\": 0.9, \"1\": 0.85}}}"},
    {"program", "Program.g4",
     "grammar Program;\n"
     "program: statement+ EOF;\n"
     "statement: 'let' NAME '=' expr ';' | assignment | condition | loop | call ';'\n"
     "         | 'return' expr ';';\n"
     "assignment: NAME '=' expr ';';\n"
     "condition: 'if' '(' expr ')' block ('else' block)?;\n"
     "loop: 'while' '(' expr ')' block;\n"
     "block: '{' statement* '}';\n"
     "call: NAME '(' (expr (',' expr)*)? ')';\n"
     "expr: '-' expr | expr ('*' | '/') expr | expr ('+' | '-') expr | expr '<' expr\n"
     "    | '(' expr ')' | call | NAME | NUMBER;\n"
     "NAME: [a-z] [a-z_0-9]*;\n"
     "NUMBER: [0-9]+;\n"
     "SPACE: [ \\n]+ -> skip;\n",
     NULL},
};

enum { N_GRAMMARS = sizeof grammars / sizeof *grammars };

/* Texts of one language; all-zero is empty. */
struct texts {
    pare_buffer *items; /* owned, each too */
    size_t n, capacity;
};

/* One grammar at work. */
struct work {
    pare_suite *suite;
    const struct generated_grammar *grammar;
    const struct size_class *size;
    char *path, *weights;            /* owned; files of the grammar, and of its weights or NULL */
    pare_derivations *derivations;   /* the resources' */
    pare_derived_symbols everywhere; /* in each of the smallest texts */
    struct texts texts;              /* of the size at hand, the nearest ones first */
    pare_random random;
    unsigned inputs;
    uint64_t seed;
};

/* ---- texts ----------------------------------------------------------------------- */

/* All-zero is ended, too. */
static void texts_done(struct texts *texts)
{
    for (size_t i = 0; i < texts->n; i++)
        pare_buffer_done(&texts->items[i]);
    pare_alloc_free(texts->items);
    *texts = (struct texts){0};
}

/* A pare_generate_sink; the context is texts. */
static pare_status keep_text(void *context, uint64_t number, const char *text, size_t size,
                             pare_error *err)
{
    struct texts *texts = context;
    pare_buffer copy = {0};
    (void)number;
    pare_buffer *grown = pare_vector_grow(texts->items, texts->n, &texts->capacity, sizeof *grown);
    if (!grown) return pare_fail_nomem(err);
    texts->items = grown;
    pare_status status = pare_buffer_add(&copy, text, size, err);
    if (!status) grown[texts->n++] = copy;
    return status;
}

/* How many texts are drawn, and of which kind. */
struct drawing {
    uint64_t n;
    uint32_t max_depth, max_tokens;
    bool repeats; /* a text may be drawn again */
};

/* Draws texts of the grammar at hand, by the weights of large ones if the size asks for that. */
static pare_status generate(const struct work *work, const struct drawing *drawing,
                            struct texts *texts, pare_error *err)
{
    const char *const path[] = {work->path};
    pare_generated generated;
    pare_generate_options options = {.grammars = path,
                                     .n_grammars = 1,
                                     .n = drawing->n,
                                     .seed = work->seed,
                                     .jobs = 1,
                                     .max_depth = drawing->max_depth,
                                     .max_tokens = drawing->max_tokens,
                                     .weights =
                                         work->size && work->size->weighted ? work->weights : NULL,
                                     .repeats = drawing->repeats};
    return pare_generate(&options, keep_text, texts, &generated, err);
}

/* Moves the `n` texts nearest to `bytes` to the front, the nearest first; of two that are
 * equally near the one made first. */
static void nearest_first(struct texts *texts, double bytes, size_t n)
{
    for (size_t i = 0; i < n && i < texts->n; i++) {
        size_t best = i;
        double least = HUGE_VAL;
        for (size_t k = i; k < texts->n; k++) {
            double distance = fabs(log(((double)texts->items[k].size + 1) / bytes));
            if (distance >= least) continue;
            least = distance;
            best = k;
        }
        pare_buffer found = texts->items[best];
        memmove(&texts->items[i + 1], &texts->items[i], (best - i) * sizeof found);
        texts->items[i] = found;
    }
}

/* Which symbols every one of some smallest texts has. */
static pare_status find_everywhere(struct work *work, pare_error *err)
{
    struct texts texts = {0};
    pare_derived_symbols here = {0};
    bool valid = true;
    const struct drawing smallest = {
        .n = SMALLEST, .max_depth = 1, .max_tokens = 1, .repeats = true};
    pare_status status = generate(work, &smallest, &texts, err);
    for (size_t i = 0; i < texts.n && !status; i++) {
        pare_derived_symbols *found = i ? &here : &work->everywhere;
        status = pare_derivations_find(work->derivations, texts.items[i].data, texts.items[i].size,
                                       found, &valid, err);
        if (i == 0 || status) continue;
        size_t n = 0;
        for (size_t k = 0; k < work->everywhere.n; k++)
            if (pare_derived_symbols_have(&here, work->everywhere.items[k]))
                work->everywhere.items[n++] = work->everywhere.items[k];
        work->everywhere.n = n;
    }
    pare_derived_symbols_done(&here);
    texts_done(&texts);
    return status;
}

/* ---- cases ----------------------------------------------------------------------- */

/* Draws `n` of the symbols that may be asked for in `found`, in their order; false when
 * there are too few. */
static bool draw(struct work *work, pare_derived_symbols *found, size_t n)
{
    size_t left = 0, drawn = 0;
    for (size_t i = 0; i < found->n; i++)
        if (!pare_derived_symbols_have(&work->everywhere, found->items[i]))
            found->items[left++] = found->items[i];
    if (left < n) return false;
    for (size_t i = 0; i < left && drawn < n; i++)
        if (pare_random_below(&work->random, left - i) < n - drawn)
            found->items[drawn++] = found->items[i];
    found->n = n;
    return true;
}

/* The test is owned by the suite's resources, since cases only borrow it. */
static pare_status keep_test(struct work *work, const pare_derived_symbols *symbols,
                             pare_case *made, pare_error *err)
{
    struct pare_suite_resources *resources = work->suite->resources;
    pare_symbol_test **grown =
        pare_vector_grow(resources->tests, resources->n_tests, &resources->tests_capacity,
                         sizeof(pare_symbol_test *));
    if (!grown) return pare_fail_nomem(err);
    resources->tests = grown;
    pare_symbol_test *test = NULL;
    pare_status status =
        pare_symbol_test_new(work->derivations, symbols->items, symbols->n, &test, err);
    if (status) return status;
    grown[resources->n_tests++] = test;
    made->predicate_context = test;
    made->predicate = pare_symbol_test_run;
    return PARE_OK;
}

/* "json-small-2-1": the grammar, the size, how many symbols are asked for, and a number. The
 * groups are what results are compared by. */
static pare_status describe(struct work *work, const pare_derived_symbols *symbols, unsigned number,
                            pare_case *made, pare_error *err)
{
    char name[NAME_BYTES];
    pare_buffer text = {0};
    pare_status status = PARE_OK;
    for (size_t i = 0; i < symbols->n && !status; i++) {
        pare_derivations_name(work->derivations, symbols->items[i], name, sizeof name);
        status = pare_buffer_format(&text, err, "%s%s", i ? ", " : "", name);
    }
    if (!status) status = pare_suite_copy(text.data, &made->needs, err);
    pare_buffer_reset(&text);
    if (!status)
        status = pare_buffer_format(&text, err, "%s-%s-%zu-%u", work->grammar->name,
                                    work->size->name, symbols->n, number);
    if (!status) status = pare_suite_copy(text.data, &made->name, err);
    pare_buffer_reset(&text);
    if (!status) status = pare_case_add_group(made, work->grammar->name, err);
    if (!status)
        status =
            pare_buffer_format(&text, err, "%zu symbol%s", symbols->n, symbols->n > 1 ? "s" : "");
    if (!status) status = pare_case_add_group(made, text.data, err);
    if (!status) status = pare_case_add_group(made, work->size->name, err);
    pare_buffer_done(&text);
    return status;
}

/* The input and its grammar become the case's own. */
static pare_status fill(struct work *work, const pare_buffer *input, pare_case *made,
                        pare_error *err)
{
    made->input = (unsigned char *)pare_alloc_text(input->data, input->size);
    made->grammars = pare_alloc_zero(1, sizeof *made->grammars);
    if (!made->input || !made->grammars) return pare_fail_nomem(err);
    made->input_bytes = input->size;
    made->n_grammars = 1;
    pare_status status = pare_suite_copy(work->path, &made->grammars[0], err);
    return status ? status : pare_suite_copy("input", &made->input_name, err);
}

/* Adds the case of one input, unless it has too few symbols. */
static pare_status add_case(struct work *work, const pare_buffer *input, size_t n_symbols,
                            unsigned number, pare_error *err)
{
    pare_case made = {0};
    pare_derived_symbols found = {0};
    bool valid = false;
    pare_status status =
        pare_derivations_find(work->derivations, input->data, input->size, &found, &valid, err);
    bool fits = !status && valid && draw(work, &found, n_symbols);
    if (fits) status = fill(work, input, &made, err);
    if (fits && !status) status = describe(work, &found, number, &made, err);
    if (fits && !status) status = keep_test(work, &found, &made, err);
    pare_derived_symbols_done(&found);
    if (fits && !status) return pare_suite_add(work->suite, &made, err);
    pare_case_done(&made);
    return status;
}

/* Inputs are taken from the nearest on, each once, for one symbol, then two, and so on. */
static pare_status add_size(struct work *work, pare_error *err)
{
    size_t wanted = (size_t)work->inputs * PARE_SYMBOL_TEST_MOST, next = 0;
    const struct drawing drawing = {
        .n = DRAWN, .max_depth = work->size->max_depth, .max_tokens = work->size->max_tokens};
    pare_status status = generate(work, &drawing, &work->texts, err);
    if (status) return status;
    nearest_first(&work->texts, work->size->bytes, wanted);
    for (size_t n = 1; n <= PARE_SYMBOL_TEST_MOST; n++) {
        for (unsigned i = 0; i < work->inputs && next < work->texts.n && !status; i++)
            status = add_case(work, &work->texts.items[next++], n, i + 1, err);
    }
    texts_done(&work->texts);
    return status;
}

/* ---- grammars -------------------------------------------------------------------- */

/* Writes a file of the suite's folder; its path goes to *path. */
static pare_status put(const struct work *work, const char *name, const char *text, char **path,
                       pare_error *err)
{
    pare_buffer built = {0};
    pare_status status =
        pare_buffer_format(&built, err, "%s/%s", work->suite->resources->scratch, name);
    if (status) return status;
    *path = built.data;
    return pare_file_write_bytes(*path, text, strlen(text), err);
}

/* Room in the resources first: what was made must have an owner. */
static pare_status open_grammar(struct work *work, pare_error *err)
{
    struct pare_suite_resources *resources = work->suite->resources;
    pare_derivations **grown =
        pare_vector_grow(resources->derivations, resources->n_derivations,
                         &resources->derivations_capacity, sizeof(pare_derivations *));
    if (!grown) return pare_fail_nomem(err);
    resources->derivations = grown;
    pare_status status = put(work, work->grammar->file_name, work->grammar->text, &work->path, err);
    if (!status && work->grammar->weights)
        status = put(work, "weights.json", work->grammar->weights, &work->weights, err);
    if (!status) status = pare_derivations_new(work->path, &work->derivations, err);
    if (!status) grown[resources->n_derivations++] = work->derivations;
    return status;
}

/* All cases of one grammar. Each grammar begins with the seed anew, so that its cases do not
 * depend on those before. */
static pare_status add_grammar(pare_suite *suite, const struct generated_grammar *grammar,
                               unsigned inputs, uint64_t seed, pare_error *err)
{
    struct work work = {.suite = suite, .grammar = grammar, .inputs = inputs, .seed = seed};
    pare_random_init(&work.random, seed);
    pare_status status = open_grammar(&work, err);
    if (!status) status = find_everywhere(&work, err);
    for (size_t i = 0; i < N_SIZES && !status; i++) {
        work.size = &sizes[i];
        status = add_size(&work, err);
    }
    texts_done(&work.texts);
    pare_derived_symbols_done(&work.everywhere);
    pare_alloc_free(work.path);
    pare_alloc_free(work.weights);
    return status;
}

/* The name is given only to a suite that has none: several suites may be read into one. */
pare_status pare_suite_generate(pare_suite *suite, const pare_suite_generated *options,
                                pare_error *err)
{
    unsigned inputs = options->inputs ? options->inputs : DEFAULT_INPUTS;
    if (inputs > MAX_INPUTS)
        return pare_fail(err, PARE_E_ARG, "at most %d inputs are made of each kind", MAX_INPUTS);
    pare_status status = pare_suite_need_resources(suite, err);
    if (!status && !suite->name) status = pare_suite_copy("generated", &suite->name, err);
    for (size_t i = 0; i < N_GRAMMARS && !status; i++)
        status = add_grammar(suite, &grammars[i], inputs, options->seed, err);
    return status;
}
