/* <pare/generate.h>: from the options to what makes texts, and texts made by several threads in
 * order.
 *
 * First everything that the options name is read (grammar, weights, hooks, population), the
 * generator is chosen, and what does not go together is refused.  All of that is immutable
 * afterwards and shared by all threads; a maker holds what one thread changes.  Invariant: each
 * combination of options that is accepted has one generator, chosen in choose_kind and nowhere
 * else.
 *
 * Then each thread takes the next batch that nobody has and puts it into its place of a ring; the
 * caller's thread takes batches out in order, drops what was made before, and hands the rest on.
 * A thread waits while its place in the ring is not free.  With one job there is no thread.
 * `lock` protects all that threads share but the setup, which nobody writes. */

#include <assert.h>
#include <pthread.h>
#include <string.h>

#include <pare/generate.h>
#include <pare/graph.h>
#include <pare/language.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/checksum.h"
#include "base/fail.h"
#include "base/sized.h"
#include "base/vector.h"
#include "generate/batch.h"
#include "generate/deriver.h"
#include "generate/expansion_costs.h"
#include "generate/expansion_table.h"
#include "generate/fuzzer.h"
#include "generate/hooks.h"
#include "generate/population.h"
#include "generate/prototype/type_costs.h"
#include "generate/prototype/walk.h"
#include "generate/weights.h"
#include "grammar/fuzzingbook.h"
#include "grammar/grammar.h"
#include "grammar/grammar_file.h"
#include "lang/language.h"
#include "os/file.h"
#include "os/machine.h"
#include "parse/parser.h"
#include "reduce/choice/choices.h"

/* --- what texts are made by: grammar, weights, hooks, and a maker of them for each thread ------ */

/* Immutable once made; all-zero is empty. */
struct setup {
    const pare_generate_options *options; /* borrowed */
    pare_fuzzer_kind kind;
    pare_grammar *grammar;          /* owned, as all below */
    pare_language_grammar language; /* by which `grammar` was made, which is its own then */
    pare_index start;
    uint32_t max_depth, max_tokens; /* where the options say nothing; 0: the usual ones */
    pare_expansion_table table;     /* of PARE_FUZZER_GRAMMAR */
    pare_expansion_costs costed;    /* of the others */
    pare_buffer script;             /* of hooks */
    pare_hooks *hooks;              /* of the book's; each maker has its own */
    pare_buffer *files;             /* of the population */
    size_t n_files, files_capacity;
    pare_population population; /* their trees; of PARE_FUZZER_GRAMMAR */
    pare_graph *graph;
    pare_type_costs type_costs; /* of the graph */
    pare_index graph_rule;      /* in whose place its expressions stand, with a grammar */
};

/* One thread's; all-zero is empty. */
struct maker {
    pare_batch_maker batches;
    pare_fuzzer fuzzer;
    pare_evolver *evolver;  /* owned; with a population of trees */
    pare_hooks *hooks;      /* owned */
    pare_walk *walk;        /* owned; with a graph */
    pare_deriver_leaf leaf; /* with a graph and a grammar */
};

/* Refuses numbers that are out of their range, whatever else is asked for. */
static pare_status check(const pare_generate_options *options, pare_error *err)
{
    if (!(options->cooldown >= 0 && options->cooldown <= 1))
        return pare_fail(err, PARE_E_ARG, "a cooldown is above 0 and at most 1");
    if (!(options->unusual >= 0 && options->unusual <= 1))
        return pare_fail(err, PARE_E_ARG, "the chance of unusual characters is 0 to 1");
    if (!(options->keep_values >= 0 && options->keep_values <= 1))
        return pare_fail(err, PARE_E_ARG, "the chance to keep a value is 0 to 1");
    if (!(options->graph_share >= 0 && options->graph_share <= 1))
        return pare_fail(err, PARE_E_ARG, "the share of a graph is 0 to 1");
    bool mixes = options->graph && (options->n_grammars || options->language);
    if (!mixes && (options->graph_rule || options->graph_share > 0))
        return pare_fail(err, PARE_E_ARG,
                         "a rule and a share of a graph are for a graph with a grammar");
    if (mixes && (options->hooks || options->n_population || options->keep_values > 0))
        return pare_fail(err, PARE_E_ARG,
                         "hooks, a population and values that are kept do not go with a graph and "
                         "a grammar");
    if (!options->graph && (options->max_calls || options->keep_values > 0))
        return pare_fail(err, PARE_E_ARG,
                         "a limit of calls and the chance to keep values are for a graph");
    return PARE_OK;
}

static const char *text_of(const pare_buffer *buffer)
{
    return buffer->size ? buffer->data : "";
}

/* The added model that the options name; NULL: none, or a file. */
static const char *named_model(const pare_generate_options *options)
{
    const pare_language_info *info = options->model ? pare_language_find(options->model) : NULL;
    return info && info->is_model ? info->name : NULL;
}

/* Reads a model's grammar, and sets limits that let texts nest as deep as documents do. */
static pare_status read_model(struct setup *setup, const char *name, pare_error *err)
{
    enum { DEPTH = 120, TOKENS = 2000 };
    const pare_generate_options *options = setup->options;
    pare_buffer text = {0};
    /* Weights fit one grammar only. */
    if (options->n_grammars || options->language)
        return pare_fail(err, PARE_E_ARG, "the model '%s' has a grammar of its own", name);
    setup->max_depth = DEPTH;
    setup->max_tokens = TOKENS;
    pare_status status = pare_language_read(name, PARE_LANGUAGE_GRAMMAR, &text, err);
    if (!status)
        status =
            pare_fuzzingbook_read_memory(name, text_of(&text), text.size, &setup->grammar, err);
    pare_buffer_done(&text);
    return status ? status
                  : pare_grammar_file_start(setup->grammar, options->start, &setup->start, err);
}

/* Reads the weights of an added model, which are beside its grammar. */
static pare_status read_model_weights(struct setup *setup, const char *name, pare_error *err)
{
    pare_buffer text = {0};
    pare_status status = pare_language_read(name, PARE_LANGUAGE_WEIGHTS, &text, err);
    if (!status) status = pare_weights_read(&setup->table, name, text_of(&text), text.size, err);
    pare_buffer_done(&text);
    return status;
}

/* Reads weights from a file, if one is named; those that are read later count where both say
 * something. */
static pare_status read_weights(struct setup *setup, const char *path, pare_error *err)
{
    pare_buffer text = {0};
    if (!path) return PARE_OK;
    pare_status status = pare_file_read(path, &text, err);
    if (!status) status = pare_weights_read(&setup->table, path, text_of(&text), text.size, err);
    pare_buffer_done(&text);
    return status;
}

/* Makes a new state of the script: one to look at what hooks there are, and one for each
 * thread. */
static pare_status read_hooks(const struct setup *setup, pare_hooks **hooks, pare_error *err)
{
    const char *path = setup->options->hooks;
    if (!path) return PARE_OK;
    return pare_hooks_new(path, text_of(&setup->script), setup->script.size, hooks, err);
}

/* Chooses the generator: the one that was named, else ComplexFuzzer for a grammar with its
 * hooks, the mutation fuzzer for a population without a grammar, and the one for any grammar
 * otherwise. */
static pare_status choose_kind(struct setup *setup, pare_error *err)
{
    const char *name = setup->options->fuzzer;
    bool is_mutation = !setup->grammar && setup->options->n_population;
    bool is_walk = !setup->grammar && setup->options->graph;
    /* Labels in a grammar of the book are the hooks of seed 004. */
    bool has_hooks = setup->grammar && setup->grammar->scannerless && setup->grammar->n_labels;
    setup->kind = has_hooks     ? PARE_FUZZER_COMPLEX
                  : is_mutation ? PARE_FUZZER_MUTATION
                  : is_walk     ? PARE_FUZZER_GRAPH
                                : PARE_FUZZER_GRAMMAR;
    if (name && !pare_fuzzer_find(name, &setup->kind))
        return pare_fail(err, PARE_E_ARG,
                         "there is no fuzzer '%s': there are grammar, phases, limit, complex, "
                         "choice, random and mutation",
                         name);
    bool needs_grammar = setup->kind != PARE_FUZZER_RANDOM && setup->kind != PARE_FUZZER_MUTATION &&
                         setup->kind != PARE_FUZZER_GRAPH;
    if (!needs_grammar || setup->grammar) return PARE_OK;
    return pare_fail(err, PARE_E_ARG, "a grammar is needed");
}

/* Refuses what does not go with a population, and a mutation fuzzer without one. */
static pare_status check_population(const struct setup *setup, pare_error *err)
{
    const pare_generate_options *options = setup->options;
    bool takes = setup->kind == PARE_FUZZER_GRAMMAR || setup->kind == PARE_FUZZER_MUTATION;
    if (setup->kind == PARE_FUZZER_MUTATION && !options->n_population)
        return pare_fail(err, PARE_E_ARG, "the fuzzer 'mutation' needs a population");
    if (!options->n_population) return PARE_OK;
    if (!takes)
        return pare_fail(err, PARE_E_ARG,
                         "a population is for the fuzzers 'grammar' and 'mutation'");
    if (options->hooks || options->cooldown > 0)
        return pare_fail(err, PARE_E_ARG, "hooks and cooldown do not go with a population");
    return PARE_OK;
}

/* Refuses options that the chosen generator does not know. */
static pare_status check_kind(const struct setup *setup, pare_error *err)
{
    const pare_generate_options *options = setup->options;
    pare_status status = check_population(setup, err);
    if (status || setup->kind == PARE_FUZZER_GRAMMAR) return status;
    if (options->graph && setup->kind != PARE_FUZZER_GRAPH)
        return pare_fail(err, PARE_E_ARG, "a graph goes alone, or with the fuzzer 'grammar'");
    if (options->model || options->weights || options->unusual > 0 || options->max_tokens ||
        (options->cooldown > 0 && setup->kind != PARE_FUZZER_GRAPH))
        return pare_fail(err, PARE_E_ARG,
                         "a model, weights, cooldown, unusual characters and a limit of tokens "
                         "are for the fuzzer 'grammar'");
    /* GrammarFuzzer's tree is printed at the end: there is no text that a hook could see. */
    bool hookless = setup->kind != PARE_FUZZER_LIMIT && setup->kind != PARE_FUZZER_COMPLEX &&
                    setup->kind != PARE_FUZZER_CHOICE;
    if (options->hooks && hookless)
        return pare_fail(err, PARE_E_ARG,
                         "hooks are for the fuzzers 'grammar', 'limit', 'complex' and 'choice'");
    return PARE_OK;
}

/* Reads a language's grammar; its parser, not a lexer of ours, says what is read back. */
static pare_status read_language(struct setup *setup, pare_error *err)
{
    const pare_generate_options *options = setup->options;
    if (options->n_grammars)
        return pare_fail(err, PARE_E_ARG, "a grammar and a language exclude each other");
    if (options->n_population || options->fuzzer)
        return pare_fail(err, PARE_E_ARG,
                         "%s%s needs a grammar, which a language does not have: give --grammar "
                         "FILE in place of --lang, or leave %s out",
                         options->fuzzer ? "--fuzzer " : "--population",
                         options->fuzzer ? options->fuzzer : "",
                         options->fuzzer ? "--fuzzer" : "--population");
    pare_status status = pare_language_grammar_read(options->language, &setup->language, err);
    if (status) return status;
    setup->grammar = setup->language.from.grammar;
    return pare_grammar_file_start(setup->grammar, options->start, &setup->start, err);
}

/* Reads the grammar that the options name, in this order: a model's, a language's, that of the
 * files.  None is no error yet. */
static pare_status read_grammar(struct setup *setup, pare_error *err)
{
    const pare_generate_options *options = setup->options;
    const char *model = named_model(options);
    if (model) return read_model(setup, model, err);
    if (options->language) return read_language(setup, err);
    if (!options->n_grammars) return PARE_OK;
    return pare_grammar_file_open(options->grammars, options->n_grammars, options->start,
                                  &setup->grammar, &setup->start, err);
}

/* --- populations ------------------------------------------------------------------- */

/* A pare_population_take: keeps the file. */
static pare_status keep_file(void *context, pare_buffer *text, pare_error *err)
{
    struct setup *setup = context;
    pare_buffer *grown =
        pare_vector_grow(setup->files, setup->n_files, &setup->files_capacity, sizeof *grown);
    if (!grown) return pare_fail_nomem(err);
    setup->files = grown;
    grown[setup->n_files++] = *text;
    /* The text is ours now. */
    *text = (pare_buffer){0};
    return PARE_OK;
}

/* Parses the population.  Files outside the language are passed over, but one has to be in it. */
static pare_status parse_files(struct setup *setup, pare_error *err)
{
    pare_parser *parser = NULL;
    /* One parser for all files: what its lexer learns is kept. */
    pare_status status = pare_parser_new(setup->grammar, setup->start, &parser, err);
    for (size_t i = 0; !status && i < setup->n_files; i++) {
        const pare_buffer *file = &setup->files[i];
        bool added = false;
        status =
            pare_population_add(&setup->population, parser, text_of(file), file->size, &added, err);
    }
    pare_parser_free(parser);
    if (status || setup->population.n) return status;
    return pare_fail(err, PARE_E_STATE, "no file of the population is in the language");
}

/* Reads the files of the population, and parses them where there is a grammar; without one
 * they are for the mutation fuzzer. */
static pare_status read_population(struct setup *setup, pare_error *err)
{
    const pare_generate_options *options = setup->options;
    pare_status status = PARE_OK;
    if (!options->n_population) return PARE_OK;
    for (size_t i = 0; !status && i < options->n_population; i++)
        status = pare_population_read(options->population[i], keep_file, setup, err);
    if (!status && !setup->n_files)
        status = pare_fail(err, PARE_E_STATE, "there is no file in the population");
    return status || !setup->grammar ? status : parse_files(setup, err);
}

/* --- graphs -------------------------------------------------------------------------- */

/* The rule in whose place expressions of the graph stand. */
static pare_status find_graph_rule(struct setup *setup, pare_error *err)
{
    static const char *const usual[] = {"expression", "singleExpression", "assignmentExpression",
                                        "expr"};
    const char *wanted = setup->options->graph_rule;
    const char *const *names = wanted ? &wanted : usual;
    size_t n_names = wanted ? 1 : sizeof usual / sizeof *usual;
    for (size_t k = 0; k < n_names; k++) {
        setup->graph_rule = pare_grammar_find_rule(setup->grammar, names[k]);
        if (setup->graph_rule != PARE_NO_INDEX &&
            setup->grammar->rules[setup->graph_rule].kind == PARE_RULE_PARSER)
            return PARE_OK;
    }
    return pare_fail(err, PARE_E_ARG,
                     wanted ? "the grammar has no parser rule '%s'"
                            : "the grammar has no rule '%s': say with --graph-rule which one gives "
                              "way to expressions of the graph",
                     names[0]);
}

static pare_status read_graph(struct setup *setup, pare_error *err)
{
    const char *path = setup->options->graph;
    if (!path) return PARE_OK;
    pare_status status = pare_graph_read(path, &setup->graph, err);
    if (!status) status = pare_type_costs_init(&setup->type_costs, setup->graph, err);
    return status || !setup->grammar ? status : find_graph_rule(setup, err);
}

/* --- the whole ----------------------------------------------------------------------- */

/* Reads all that the options name.  Errors: those of pare_generate; *setup is to be ended then
 * too. */
static pare_status setup_init(struct setup *setup, const pare_generate_options *options,
                              pare_error *err)
{
    *setup = (struct setup){.options = options};
    pare_status status = check(options, err);
    /* What costs nothing is refused before anything large is read. */
    if (!status) status = read_grammar(setup, err);
    if (!status) status = choose_kind(setup, err);
    if (!status) status = check_kind(setup, err);
    if (!status && options->hooks) status = pare_file_read(options->hooks, &setup->script, err);
    if (!status) status = read_population(setup, err);
    if (!status) status = read_graph(setup, err);
    if (status || setup->kind == PARE_FUZZER_RANDOM || setup->kind == PARE_FUZZER_MUTATION ||
        setup->kind == PARE_FUZZER_GRAPH)
        return status;
    /* The generators of the book know costs, the one for any grammar knows the table. */
    if (setup->kind != PARE_FUZZER_GRAMMAR) {
        status = read_hooks(setup, &setup->hooks, err);
        return status ? status
                      : pare_expansion_costs_init_hooked(&setup->costed, setup->grammar,
                                                         setup->hooks, err);
    }
    status = pare_expansion_table_init(&setup->table, setup->grammar, setup->start, err);
    const char *model = named_model(options);
    if (!status)
        status = model ? read_model_weights(setup, model, err)
                       : read_weights(setup, options->model, err);
    return status ? status : read_weights(setup, options->weights, err);
}

/* A language owns its grammar. */
static void setup_done(struct setup *setup)
{
    for (size_t i = 0; i < setup->n_files; i++)
        pare_buffer_done(&setup->files[i]);
    pare_alloc_free(setup->files);
    pare_population_done(&setup->population);
    pare_hooks_free(setup->hooks);
    pare_buffer_done(&setup->script);
    pare_expansion_costs_done(&setup->costed);
    pare_expansion_table_done(&setup->table);
    if (!setup->language.parser) pare_grammar_free(setup->grammar);
    pare_language_grammar_done(&setup->language);
    pare_type_costs_done(&setup->type_costs);
    pare_graph_free(setup->graph);
    *setup = (struct setup){0};
}

/* Lets a maker's batches be of a generator that is made already. */
static void use_generator(struct maker *maker, pare_generator generator,
                          const pare_generate_options *options)
{
    pare_batch_maker_init_any(&maker->batches, generator, options->seed);
    maker->batches.unseeded = options->unseeded;
}

/* A pare_deriver_leaf's put. */
static pare_status put_expression(void *self, pare_choices *choices, pare_buffer *text,
                                  pare_error *err)
{
    return pare_walk_expression(self, choices, text, err);
}

/* Expressions of the graph, for a grammar's texts: of a rule's texts, seven of ten unless the
 * options say otherwise; with fewer built-ins are called less, with more statements are simpler. */
static pare_status init_leaf(struct maker *maker, const struct setup *setup, pare_error *err)
{
    const pare_generate_options *options = setup->options;
    const pare_walk_options wanted = {.max_calls = options->max_calls};
    double share = options->graph_share > 0 ? options->graph_share : 0.7;
    pare_status status = pare_walk_new(&setup->type_costs, &wanted, &maker->walk, err);
    maker->leaf = (pare_deriver_leaf){setup->graph_rule, share, put_expression, maker->walk};
    return status;
}

/* A maker by random derivation, or, with a population, by changing its trees. */
static pare_status init_deriving(struct maker *maker, const struct setup *setup, pare_error *err)
{
    const pare_generate_options *options = setup->options;
    const pare_deriver_options wanted = {
        .max_depth = options->max_depth ? options->max_depth : setup->max_depth,
        .max_tokens = options->max_tokens ? options->max_tokens : setup->max_tokens,
        .cooldown = options->cooldown,
        .unusual = options->unusual,
        .hooks = maker->hooks,
        .unread = setup->language.parser,
        .leaf = setup->graph ? &maker->leaf : NULL};
    pare_status status = setup->graph ? init_leaf(maker, setup, err) : PARE_OK;
    if (status) return status;
    if (options->n_population) {
        status = pare_population_evolver_new(&setup->population, &setup->table, setup->start,
                                             &wanted, &maker->evolver, err);
        if (!status)
            use_generator(maker, pare_population_evolver_generator(maker->evolver), options);
        return status;
    }
    status = pare_batch_maker_init(&maker->batches, &setup->table, setup->start, &wanted,
                                   options->seed, err);
    maker->batches.unseeded = options->unseeded;
    if (status || !setup->language.parser) return status;
    /* A language has no lexer of ours: its parser says what came out. */
    maker->batches.check = pare_language_grammar_check;
    maker->batches.check_context = (void *)&setup->language;
    return PARE_OK;
}

/* A pare_batch_maker's warm: all functions weigh the same again. */
static void warm_walk(void *self)
{
    pare_walk_warm(self);
}

/* A maker by walks over the graph alone. */
static pare_status init_walk(struct maker *maker, const struct setup *setup, pare_error *err)
{
    const pare_generate_options *options = setup->options;
    const pare_walk_options wanted = {.max_depth = options->max_depth,
                                      .max_calls = options->max_calls,
                                      .keep_values = options->keep_values,
                                      .cooldown = options->cooldown};
    pare_status status = pare_walk_new(&setup->type_costs, &wanted, &maker->walk, err);
    if (status) return status;
    use_generator(maker, pare_walk_generator(maker->walk), options);
    maker->batches.warm = warm_walk;
    return PARE_OK;
}

/* Borrows `setup`.  Errors: those of pare_hooks_new and pare_deriver_new; *maker is to be ended
 * then too. */
static pare_status maker_init(struct maker *maker, const struct setup *setup, pare_error *err)
{
    const pare_generate_options *options = setup->options;
    assert(setup->options && "the setup was made");
    *maker = (struct maker){0};
    pare_status status = read_hooks(setup, &maker->hooks, err);
    if (status) return status;
    if (setup->kind == PARE_FUZZER_GRAPH) return init_walk(maker, setup, err);
    if (setup->kind == PARE_FUZZER_GRAMMAR) return init_deriving(maker, setup, err);
    const pare_fuzzer_options wanted = {.kind = setup->kind,
                                        .costed = &setup->costed,
                                        .start = setup->start,
                                        .max_depth = options->max_depth,
                                        .hooks = maker->hooks,
                                        .members = setup->files,
                                        .n_members = setup->n_files};
    status = pare_fuzzer_init(&maker->fuzzer, &wanted, err);
    if (!status) use_generator(maker, pare_fuzzer_generator(&maker->fuzzer), options);
    return status;
}

static void maker_done(struct maker *maker)
{
    pare_batch_maker_done(&maker->batches);
    pare_fuzzer_done(&maker->fuzzer);
    pare_population_evolver_free(maker->evolver);
    pare_hooks_free(maker->hooks);
    pare_walk_free(maker->walk);
    *maker = (struct maker){0};
}

enum {
    MAX_JOBS = 256,
    PLACES_A_JOB = 4,    /* batches ahead */
    ROUNDS = 100,        /* to find a text that is not there yet */
    MIN_MEMORY = 1 << 10 /* slots of the memory of texts */
};

/* Which texts were made: their checksums, in a table with open addressing; 0 is free.  Not
 * base/hash_index.h, which keeps an index beside each hash: the hash is all there is, and a
 * million of them should stay in the cache. */
struct memory {
    uint64_t *slots; /* owned */
    size_t n, capacity;
};

/* A place of the ring. */
struct place {
    pare_batch batch;
    bool full;
};

/* A thread, or, as the first one, the caller's. */
struct job {
    struct generation *generation;
    struct maker maker;
    pthread_t thread;
    bool started;
};

/* A generation going on.  What stands after `lock` up to `failure` is protected by it, as are
 * the places' flags. */
struct generation {
    const pare_generate_options *options;
    pare_generated *generated;
    pare_generate_sink sink;
    void *context;
    struct setup setup;
    uint64_t n, n_batches;
    size_t batch_texts;
    struct memory memory;
    uint64_t *keys;   /* owned; of the texts of a batch */
    pare_batch spare; /* a text in the place of a repeated one */
    struct job *jobs; /* owned; the first one's maker is the caller's thread's */
    unsigned n_jobs;
    struct place *places; /* owned */
    size_t n_places;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    uint64_t next;      /* batch to be made */
    uint64_t delivered; /* batches taken out */
    bool stopped;
    pare_status status; /* of a thread that failed */
    pare_error failure;
    pare_error *err;
};

/* --- what was made before --------------------------------------------------------- */

/* Enters a key that is not in the table, which has room for it. */
static void put_in(struct memory *memory, uint64_t key)
{
    assert(key && memory->n < memory->capacity && "0 is free, and one slot always is");
    size_t at = (size_t)key & (memory->capacity - 1);
    while (memory->slots[at])
        at = (at + 1) & (memory->capacity - 1);
    memory->slots[at] = key;
    memory->n++;
}

/* Doubles the table, so that at most half of it is full. */
static pare_status enlarge(struct memory *memory, pare_error *err)
{
    struct memory larger = {.capacity = memory->capacity ? memory->capacity * 2 : MIN_MEMORY};
    larger.slots = pare_alloc_zero(larger.capacity, sizeof *larger.slots);
    if (!larger.slots) return pare_fail_nomem(err);
    for (size_t i = 0; i < memory->capacity; i++)
        if (memory->slots[i]) put_in(&larger, memory->slots[i]);
    pare_alloc_free(memory->slots);
    *memory = larger;
    return PARE_OK;
}

/* The key of a text: its checksum, but never 0, which marks a free slot.  Two texts with one key
 * are taken for one: of a million texts that happens with a chance of 3e-8. */
static uint64_t key_of(const char *text, size_t size)
{
    uint64_t key = pare_checksum(text, size);
    return key ? key : 1;
}

/* Has the processor fetch where a key is looked for. */
static void announce(const struct memory *memory, uint64_t key)
{
    if (memory->slots) __builtin_prefetch(&memory->slots[key & (memory->capacity - 1)], 1);
}

/* Notes a text's key; *is_new is false when it was noted before.  Errors: PARE_E_NOMEM. */
static pare_status note(struct memory *memory, uint64_t key, bool *is_new, pare_error *err)
{
    if (2 * (memory->n + 1) > memory->capacity) {
        pare_status status = enlarge(memory, err);
        if (status) return status;
    }
    size_t at = (size_t)key & (memory->capacity - 1);
    while (memory->slots[at] && memory->slots[at] != key)
        at = (at + 1) & (memory->capacity - 1);
    *is_new = !memory->slots[at];
    if (*is_new) put_in(memory, key);
    return PARE_OK;
}

/* --- delivery ------------------------------------------------------------------------- */

/* Hands a text on. */
static pare_status deliver(struct generation *g, uint64_t number, const char *text, size_t size)
{
    g->generated->n++;
    g->generated->size_bytes += size;
    return g->sink(g->context, number, text, size, g->err);
}

/* Makes texts in the place of a repeated one until one is new.  After ROUNDS of them the
 * language is taken to have no more. */
static pare_status replace(struct generation *g, uint64_t number)
{
    for (uint64_t round = 1; round <= ROUNDS; round++) {
        bool is_new = false;
        /* The text that this one replaces, or the last one that did not help. */
        g->generated->n_repeated++;
        pare_status status =
            pare_batch_make(&g->jobs[0].maker.batches, number, 1, round, &g->spare, g->err);
        if (status) return status;
        g->generated->n_refused += g->spare.n_refused;
        if (!g->spare.made[0]) continue;
        const char *text = g->spare.bytes.size ? g->spare.bytes.data : "";
        status = note(&g->memory, key_of(text, g->spare.bytes.size), &is_new, g->err);
        if (status) return status;
        if (is_new) return deliver(g, number, text, g->spare.bytes.size);
    }
    g->generated->exhausted = true;
    return PARE_OK;
}

/* Finds the keys of all texts of a batch before the first is looked up: looking up waits for
 * memory, of which much can be on its way at once. */
static void find_keys(struct generation *g, const pare_batch *batch)
{
    size_t from = 0;
    for (size_t i = 0; i < batch->n; i++) {
        const char *text = batch->bytes.size ? batch->bytes.data + from : "";
        g->keys[i] = key_of(text, batch->ends[i] - from);
        announce(&g->memory, g->keys[i]);
        /* Texts stand one after the other. */
        from = batch->ends[i];
    }
}

/* Hands a batch on, in order; a text that was made before is replaced by another one.  Texts
 * that could not be made are counted, with the reason of the last. */
static pare_status deliver_batch(struct generation *g, const pare_batch *batch)
{
    pare_status status = PARE_OK;
    size_t from = 0;
    if (!g->options->repeats) find_keys(g, batch);
    for (size_t i = 0; !status && i < batch->n && !g->generated->exhausted; i++) {
        const char *text = batch->bytes.size ? batch->bytes.data + from : "";
        size_t size = batch->ends[i] - from;
        /* With repeats, every text is as good as new. */
        bool is_new = true;
        from = batch->ends[i];
        if (!batch->made[i]) continue;
        if (!g->options->repeats) status = note(&g->memory, g->keys[i], &is_new, g->err);
        if (!status)
            status =
                is_new ? deliver(g, batch->first + i, text, size) : replace(g, batch->first + i);
    }
    g->generated->n_unmade += batch->n_unmade;
    g->generated->n_refused += batch->n_refused;
    if (batch->n_unmade)
        (void)memcpy(g->generated->reason, batch->reason.message, sizeof g->generated->reason - 1);
    return status;
}

/* --- threads ---------------------------------------------------------------------------- */

/* Makes batch `number`; the last one may be shorter. */
static pare_status make_batch(struct generation *g, struct job *job, uint64_t number,
                              pare_batch *batch, pare_error *err)
{
    assert(number < g->n_batches);
    uint64_t first = number * g->batch_texts; /* the last batch may be shorter */
    size_t n = g->n - first < g->batch_texts ? (size_t)(g->n - first) : g->batch_texts;
    return pare_batch_make(&job->maker.batches, first, n, 0, batch, err);
}

/* Takes the number of the next batch that this thread is to make, and waits until its place is
 * free; false: there is none left, or the generation was stopped. */
static bool take_batch(struct generation *g, uint64_t *number)
{
    /* `lock` is taken alone everywhere in this file. */
    (void)pthread_mutex_lock(&g->lock);
    bool any = !g->stopped && g->next < g->n_batches;
    if (any) *number = g->next++;
    /* Its place is free only when the batch one round of the ring before was taken out. */
    while (any && !g->stopped && *number >= g->delivered + g->n_places)
        (void)pthread_cond_wait(&g->changed, &g->lock);
    any = any && !g->stopped;
    (void)pthread_mutex_unlock(&g->lock);
    return any;
}

/* A thread: makes batches into their places until there is none left, or one has failed. */
static void *work(void *argument)
{
    struct job *job = argument;
    struct generation *g = job->generation;
    uint64_t number;
    while (take_batch(g, &number)) {
        pare_error err = {0};
        struct place *place = &g->places[number % g->n_places];
        pare_status status = make_batch(g, job, number, &place->batch, &err);
        (void)pthread_mutex_lock(&g->lock);
        /* The place was this thread's until now; the lock hands it over. */
        place->full = status == PARE_OK;
        if (status) {
            g->status = status;
            g->failure = err;
            g->stopped = true;
        }
        (void)pthread_cond_broadcast(&g->changed);
        (void)pthread_mutex_unlock(&g->lock);
    }
    return NULL;
}

/* Waits for batch `number`; its place is the caller's until `give_back`.  Fails with what a
 * thread has failed with. */
static pare_status await(struct generation *g, uint64_t number, const pare_batch **batch)
{
    struct place *place = &g->places[number % g->n_places];
    (void)pthread_mutex_lock(&g->lock);
    while (!place->full && !g->stopped)
        (void)pthread_cond_wait(&g->changed, &g->lock);
    /* A batch that was made counts even if another one has failed since. */
    pare_status status = place->full ? PARE_OK : g->status;
    (void)pthread_mutex_unlock(&g->lock);
    *batch = &place->batch;
    return status ? pare_fail(g->err, status, "%s", g->failure.message) : PARE_OK;
}

/* Marks a place as free for the batch that comes one round of the ring later. */
static void give_back(struct generation *g, uint64_t number, bool stop)
{
    (void)pthread_mutex_lock(&g->lock);
    assert(g->places[number % g->n_places].full && number == g->delivered);
    g->places[number % g->n_places].full = false;
    g->delivered = number + 1;
    g->stopped = g->stopped || stop;
    (void)pthread_cond_broadcast(&g->changed);
    (void)pthread_mutex_unlock(&g->lock);
}

/* Starts the threads.  Fewer than wanted will do; none is an error. */
static pare_status start_threads(struct generation *g)
{
    int code = 0;
    unsigned n = 0;
    for (unsigned i = 1; !code && i <= g->n_jobs; i++) {
        code = pthread_create(&g->jobs[i].thread, NULL, work, &g->jobs[i]);
        g->jobs[i].started = !code;
        n += !code;
    }
    return n ? PARE_OK : pare_fail_errno(g->err, code, "cannot start a thread");
}

/* Takes the batches out in order while threads make them; ends all of them before it returns. */
static pare_status run_threads(struct generation *g)
{
    pare_status status = start_threads(g);
    for (uint64_t number = 0; !status && number < g->n_batches; number++) {
        const pare_batch *batch = NULL;
        status = await(g, number, &batch);
        if (status) break; /* a thread failed: there is no batch to give back */
        status = deliver_batch(g, batch);
        bool stop = status != PARE_OK || g->generated->exhausted;
        give_back(g, number, stop);
        if (stop) break;
    }
    /* Threads that wait for a free place must learn that none will come. */
    (void)pthread_mutex_lock(&g->lock);
    g->stopped = true;
    (void)pthread_cond_broadcast(&g->changed);
    (void)pthread_mutex_unlock(&g->lock);
    for (unsigned i = 1; i <= g->n_jobs; i++)
        if (g->jobs[i].started) (void)pthread_join(g->jobs[i].thread, NULL);
    return status;
}

/* The same without a thread, in the first place of the ring. */
static pare_status run_alone(struct generation *g)
{
    pare_batch *batch = &g->places[0].batch;
    pare_status status = PARE_OK;
    for (uint64_t number = 0; !status && number < g->n_batches && !g->generated->exhausted;
         number++) {
        status = make_batch(g, &g->jobs[0], number, batch, g->err);
        if (!status) status = deliver_batch(g, batch);
    }
    return status;
}

/* --- the whole ------------------------------------------------------------------------------ */

/* Reads what the options name, and decides on numbers: texts in a batch, threads, places. */
static pare_status prepare(struct generation *g)
{
    const pare_generate_options *options = g->options;
    pare_status status = setup_init(&g->setup, options, g->err);
    if (status) return status;
    /* With a cooldown a text depends on those before it in its batch, so batches are larger. */
    bool cools = options->cooldown > 0 && options->cooldown < 1;
    g->n = options->n ? options->n : 1;
    g->batch_texts = cools ? PARE_BATCH_COOLING_TEXTS : PARE_BATCH_TEXTS;
    g->n_batches = (g->n - 1) / g->batch_texts + 1;
    g->n_jobs = options->jobs ? options->jobs : pare_machine_processors();
    if (g->n_jobs > MAX_JOBS) g->n_jobs = MAX_JOBS;
    /* More threads than batches would have nothing to do. */
    if (g->n_jobs > g->n_batches) g->n_jobs = (unsigned)g->n_batches;
    g->n_places = (size_t)g->n_jobs * PLACES_A_JOB;
    return PARE_OK;
}

/* Makes a maker for each thread, and one for the caller's thread, which replaces repeated
 * texts. */
static pare_status make_jobs(struct generation *g)
{
    pare_status status = PARE_OK;
    g->jobs = pare_alloc_zero(g->n_jobs + 1, sizeof *g->jobs);
    g->places = pare_alloc_zero(g->n_places, sizeof *g->places);
    g->keys = pare_alloc(g->batch_texts, sizeof *g->keys);
    if (!g->jobs || !g->places || !g->keys) return pare_fail_nomem(g->err);
    for (unsigned i = 0; !status && i <= (g->n_jobs > 1 ? g->n_jobs : 0); i++) {
        g->jobs[i].generation = g;
        status = maker_init(&g->jobs[i].maker, &g->setup, g->err);
    }
    return status;
}

/* Counts the alternatives that any of the makers has taken. */
static void count_covered(struct generation *g)
{
    size_t n = g->setup.table.n_ways;
    g->generated->n_alternatives = n;
    for (size_t k = 0; k < n; k++) {
        bool covered = false;
        for (unsigned i = 0; g->jobs && i <= g->n_jobs; i++)
            if (g->jobs[i].maker.batches.deriver)
                covered = covered || pare_deriver_covered(g->jobs[i].maker.batches.deriver, &n)[k];
        g->generated->n_covered += covered;
    }
}

/* Ends whatever was begun: after an error some of it is all-zero. */
static void generation_done(struct generation *g)
{
    for (unsigned i = 0; g->jobs && i <= g->n_jobs; i++)
        maker_done(&g->jobs[i].maker);
    for (size_t i = 0; g->places && i < g->n_places; i++)
        pare_batch_done(&g->places[i].batch);
    pare_batch_done(&g->spare);
    pare_alloc_free(g->jobs);
    pare_alloc_free(g->places);
    pare_alloc_free(g->keys);
    pare_alloc_free(g->memory.slots);
    setup_done(&g->setup);
    (void)pthread_cond_destroy(&g->changed);
    (void)pthread_mutex_destroy(&g->lock);
}

/* All of it, with options whose size is ours. */
static pare_status generate_all(const pare_generate_options *options, pare_generate_sink sink,
                                void *context, pare_generated *generated, pare_error *err)
{
    struct generation g = {.options = options,
                           .generated = generated,
                           .sink = sink,
                           .context = context,
                           .lock = PTHREAD_MUTEX_INITIALIZER,
                           .changed = PTHREAD_COND_INITIALIZER,
                           .err = err};
    pare_status status = prepare(&g);
    if (!status) status = make_jobs(&g);
    if (!status) status = g.n_jobs > 1 ? run_threads(&g) : run_alone(&g);
    /* Also after a failure: what was made until then was handed on. */
    count_covered(&g);
    if (!status && !generated->n)
        status = pare_fail(err, PARE_E_STATE, "no text could be made: %s", generated->reason);
    generation_done(&g);
    return status;
}

pare_status pare_generate_sized(const pare_generate_options *options, size_t options_bytes,
                                pare_generate_sink sink, void *context, pare_generated *generated,
                                pare_error *err)
{
    pare_generate_options own;
    *generated = (pare_generated){0};
    pare_status status =
        pare_sized_take(&own, sizeof own, options, options_bytes, "options to generate", err);
    return status ? status : generate_all(&own, sink, context, generated, err);
}
