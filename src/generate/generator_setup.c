/* From the options to what makes texts.
 *
 * Each kind of generator needs other things: a grammar with its table or its costs, weights and a
 * model, a script of hooks, a population, a graph.  Invariant: each combination of options that
 * is accepted has one generator, chosen in choose_kind and nowhere else; what costs nothing is
 * refused before anything large is read.
 *
 * Cost: what is read is read once, whatever the number of texts and threads; a maker costs the
 * state of one generator.  Order of the refusals: numbers first, then what excludes what, then
 * what the generator does not know, so that the sentence is about the nearest mistake. */
#include "generate/generator_setup.h"

#include <assert.h>
#include <ctype.h>
#include <jansson.h>
#include <pthread.h>
#include <string.h>

#include <pare/generate.h>
#include <pare/graph.h>
#include <pare/language.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "base/vector.h"
#include "generate/batch.h"
#include "generate/bnf.h"
#include "generate/deriver.h"
#include "generate/expansion_costs.h"
#include "generate/expansion_table.h"
#include "generate/fuzzer.h"
#include "generate/hooks.h"
#include "generate/population.h"
#include "generate/prototype/type_costs.h"
#include "generate/prototype/walk.h"
#include "generate/token_separator.h"
#include "generate/weights.h"
#include "grammar/fuzzingbook.h"
#include "grammar/grammar.h"
#include "grammar/grammar_file.h"
#include "grammar/tree_sitter_grammar.h"
#include "lang/language.h"
#include "os/entropy.h"
#include "os/file.h"
#include "parse/parse_tree.h"
#include "parse/parser.h"
#include "reduce/choice/choices.h"

/* A name of pare_generate_options.random; the other is "pare". */
static const char PYTHON[] = "python";

/* Refuses a source of choices that there is none of, or two of them. No name is "pare". */
static pare_status check_random(const pare_generate_options *options, pare_error *err)
{
    const char *name = options->random;
    if (!name || strcmp(name, "pare") == 0) return PARE_OK;
    if (strcmp(name, PYTHON) != 0)
        return pare_fail(err, PARE_E_ARG, "unknown random numbers '%s': use pare or python", name);
    if (options->unseeded)
        return pare_fail(err, PARE_E_ARG,
                         "choices are the kernel's or those of Python's generator, not both");
    return PARE_OK;
}

/* Refuses numbers that are out of their range and options that exclude each other, whatever the
 * generator will be.  Comparisons are written so that NaN fails them. */
static pare_status check(const pare_generate_options *options, pare_error *err)
{
    /* 0 means that none was given. */
    if (!(options->cooldown >= 0 && options->cooldown <= 1))
        return pare_fail(err, PARE_E_ARG, "a cooldown must be above 0 and at most 1");
    if (!(options->unusual >= 0 && options->unusual <= 1))
        return pare_fail(err, PARE_E_ARG,
                         "the share of unusual characters must be between 0 and 1");
    if (!(options->keep_values >= 0 && options->keep_values <= 1))
        return pare_fail(err, PARE_E_ARG,
                         "the probability of keeping a value must be between 0 and 1");
    if (!(options->graph_share >= 0 && options->graph_share <= 1))
        return pare_fail(err, PARE_E_ARG, "the share of a graph must be between 0 and 1");
    /* A graph beside a grammar only adds to what is derived; alone it is walked. */
    bool mixes = options->graph && (options->n_grammars || options->language);
    if (!mixes && (options->graph_rule || options->graph_share > 0))
        return pare_fail(err, PARE_E_ARG,
                         "the rule and the share of a graph need a graph and a grammar");
    if (mixes && (options->hooks || options->n_population || options->keep_values > 0))
        return pare_fail(
            err, PARE_E_ARG,
            "hooks, a population and kept values cannot be combined with a graph and a grammar");
    if (!options->graph && (options->max_calls || options->keep_values > 0))
        return pare_fail(err, PARE_E_ARG,
                         "a limit of calls and the probability of keeping values need a graph");
    return check_random(options, err);
}

/* The buffer's bytes; an empty file has no data, and readers want a pointer. */
static const char *text_of(const pare_buffer *buffer)
{
    return buffer->size ? buffer->data : "";
}

/* The added model that the options name; NULL: none is named, or a file is.  An added model wins
 * over a file of its name, for which users write ./web. The name is static. */
static const char *named_model(const pare_generate_options *options)
{
    const pare_language_info *info = options->model ? pare_language_find(options->model) : NULL;
    return info && info->is_model ? info->name : NULL;
}

/* Reads a model's grammar, and sets limits that let texts nest as deep as documents do.  A model's
 * weights fit its own grammar only, so no other may be named beside it. */
static pare_status read_model(pare_generator_setup *setup, const char *name, pare_error *err)
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
static pare_status read_model_weights(pare_generator_setup *setup, const char *name,
                                      pare_error *err)
{
    pare_buffer text = {0};
    pare_status status = pare_language_read(name, PARE_LANGUAGE_WEIGHTS, &text, err);
    if (!status) status = pare_weights_read(&setup->table, name, text_of(&text), text.size, err);
    pare_buffer_done(&text);
    return status;
}

/* Reads weights from a file, if one is named.  Weights that are read later win where both say
 * something, so the model's are read first and those of the user after them. */
static pare_status read_weights(pare_generator_setup *setup, const char *path, pare_error *err)
{
    pare_buffer text = {0};
    if (!path) return PARE_OK;
    pare_status status = pare_file_read(path, &text, err);
    if (!status) status = pare_weights_read(&setup->table, path, text_of(&text), text.size, err);
    pare_buffer_done(&text);
    return status;
}

/* Makes a new state of the script: one to look at what hooks there are, and one for each
 * thread.  Each state is a Lua state of its own, as those cannot be shared by threads. *hooks
 * stays NULL if the options name no script. */
static pare_status read_hooks(const pare_generator_setup *setup, pare_hooks **hooks,
                              pare_error *err)
{
    const char *path = setup->options->hooks;
    if (!path) return PARE_OK;
    return pare_hooks_new(path, text_of(&setup->script), setup->script.size, hooks, err);
}

/* Chooses the generator: the one that was named, else ComplexFuzzer for a grammar with its
 * hooks, the mutation fuzzer for a population without a grammar, and the one for any grammar
 * otherwise. */
static pare_status choose_kind(pare_generator_setup *setup, pare_error *err)
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
    /* What was chosen above is only what is taken if no name is given. */
    if (name && !pare_fuzzer_find(name, &setup->kind))
        return pare_fail(
            err, PARE_E_ARG,
            "unknown fuzzer '%s': use grammar, phases, limit, complex, choice, random or mutation",
            name);
    bool needs_grammar = setup->kind != PARE_FUZZER_RANDOM && setup->kind != PARE_FUZZER_MUTATION &&
                         setup->kind != PARE_FUZZER_GRAPH;
    if (!needs_grammar || setup->grammar) return PARE_OK;
    if (setup->options->model)
        return pare_fail(err, PARE_E_ARG, "the model %s needs the grammar that it was learnt with",
                         setup->options->model);
    return pare_fail(err, PARE_E_ARG, "a grammar is needed");
}

/* Refuses what does not go with a population, and a mutation fuzzer without one. */
static pare_status check_population(const pare_generator_setup *setup, pare_error *err)
{
    const pare_generate_options *options = setup->options;
    bool takes = setup->kind == PARE_FUZZER_GRAMMAR || setup->kind == PARE_FUZZER_MUTATION;
    if (setup->kind == PARE_FUZZER_MUTATION && !options->n_population)
        return pare_fail(err, PARE_E_ARG, "the fuzzer 'mutation' needs a population");
    if (setup->kind != PARE_FUZZER_MUTATION && options->join)
        return pare_fail(
            err, PARE_E_ARG,
            "a population that grows is for the fuzzer 'mutation': files or folders, and "
            "no grammar");
    if (!options->n_population) return PARE_OK;
    if (!takes)
        return pare_fail(err, PARE_E_ARG,
                         "a population is for the fuzzers 'grammar' and 'mutation'");
    if (options->hooks || options->cooldown > 0)
        return pare_fail(err, PARE_E_ARG,
                         "hooks and cooldown cannot be combined with a population");
    return PARE_OK;
}

/* Refuses bounds that are for another generator, and bounds whose least is above their most.  0
 * means that a bound was not given. */
static pare_status check_bounds(const pare_generator_setup *setup, pare_error *err)
{
    const pare_generate_options *options = setup->options;
    const struct {
        const char *name, *fuzzer;
        pare_fuzzer_kind kind;
        uint32_t least, most;
    } all[] = {
        {"nonterminals", "phases", PARE_FUZZER_PHASES, options->min_nonterminals,
         options->max_nonterminals},
        {"a length", "random", PARE_FUZZER_RANDOM, options->min_length, options->max_length},
        {"mutations", "mutation", PARE_FUZZER_MUTATION, options->min_mutations,
         options->max_mutations},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        /* Neither bound was given. */
        if (!all[i].most && !all[i].least) continue;
        if (setup->kind != all[i].kind)
            return pare_fail(err, PARE_E_ARG, "bounds of %s are for the fuzzer '%s'", all[i].name,
                             all[i].fuzzer);
        if (!all[i].most)
            return pare_fail(err, PARE_E_ARG, "a lower bound of %s, %u, needs an upper one",
                             all[i].name, all[i].least);
        if (all[i].most < all[i].least)
            return pare_fail(err, PARE_E_ARG,
                             "the lower bound of %s, %u, is above the upper one, %u", all[i].name,
                             all[i].least, all[i].most);
    }
    return PARE_OK;
}

/* Texts that stand for choices are known to the generators of seed 004 alone. */
static pare_status check_defaults(const pare_generator_setup *setup, pare_error *err)
{
    bool takes = setup->kind == PARE_FUZZER_LIMIT || setup->kind == PARE_FUZZER_COMPLEX ||
                 setup->kind == PARE_FUZZER_CHOICE;
    if (!setup->options->defaults || takes) return PARE_OK;
    return pare_fail(err, PARE_E_ARG,
                     "defaults are for the fuzzers 'limit', 'complex' and 'choice'");
}

/* Refuses options that the chosen generator does not know. Bounds and populations first, as
 * they are for several generators. */
static pare_status check_kind(const pare_generator_setup *setup, pare_error *err)
{
    const pare_generate_options *options = setup->options;
    pare_status status = check_population(setup, err);
    if (!status) status = check_bounds(setup, err);
    if (status) return status;
    if (setup->kind == PARE_FUZZER_GRAMMAR) return check_defaults(setup, err);
    if (options->graph && setup->kind != PARE_FUZZER_GRAPH)
        return pare_fail(err, PARE_E_ARG, "a graph can only be combined with the fuzzer 'grammar'");
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
    return check_defaults(setup, err);
}

/* What a model says of the tokens of a language's own scanner; none without a model. */
static pare_status read_examples(const pare_generate_options *options, pare_arena *memory,
                                 pare_token_example **examples, size_t *n, pare_error *err)
{
    pare_buffer text = {0};
    if (!options->model) return PARE_OK;
    pare_status status = pare_file_read(options->model, &text, err);
    if (!status)
        status = pare_weights_examples(text_of(&text), text.size, memory, examples, n, err);
    pare_buffer_done(&text);
    return status;
}

/* Reads a language's grammar; its parser, not a lexer of ours, says what is read back. */
static pare_status read_language(pare_generator_setup *setup, pare_error *err)
{
    const pare_generate_options *options = setup->options;
    pare_arena memory = {0};
    pare_token_example *examples = NULL;
    size_t n = 0;
    if (options->n_grammars)
        return pare_fail(err, PARE_E_ARG, "a grammar and a language exclude each other");
    pare_status status = read_examples(options, &memory, &examples, &n, err);
    if (!status)
        status = pare_language_grammar_read(options->language, examples, n, &setup->language, err);
    pare_arena_done(&memory);
    if (status) return status;
    setup->grammar = setup->language.from.grammar;
    return pare_grammar_file_start(setup->grammar, options->start, &setup->start, err);
}

/* Reads the grammar that the options name, in this order: a model's, a language's, that of the
 * files.  None is no error yet. */
static pare_status read_grammar(pare_generator_setup *setup, pare_error *err)
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

/* A pare_population_take: moves the file's text into the setup. The buffer is emptied, so that
 * its bytes have one owner. */
static pare_status keep_file(void *context, pare_buffer *text, pare_error *err)
{
    pare_generator_setup *setup = context;
    pare_buffer *grown =
        pare_vector_grow(setup->files, setup->n_files, &setup->files_capacity, sizeof *grown);
    if (!grown) return pare_fail_nomem(err);
    setup->files = grown;
    grown[setup->n_files++] = *text;
    /* The text is ours now. */
    *text = (pare_buffer){0};
    return PARE_OK;
}

/* Parsers keep state between texts, so each thread has a reader of its own.  A language is read by
 * its tree-sitter parser, any other grammar by ours. On failure *reader is still to be ended. */
pare_status pare_generator_setup_reader_init(pare_tree_reader *reader,
                                             const pare_generator_setup *setup, pare_error *err)
{
    pare_status status;
    *reader = (pare_tree_reader){0};
    if (setup->language.parser) {
        status = pare_language_reader_new(&setup->language, &reader->language, err);
        if (!status) reader->reader = pare_language_reader_of(reader->language);
        return status;
    }
    status = pare_parser_new(setup->grammar, setup->start, &reader->parser, err);
    if (!status) reader->reader = pare_parser_quick_reader(reader->parser);
    return status;
}

/* Only one of the two was made; both functions take NULL. */
void pare_generator_setup_reader_done(pare_tree_reader *reader)
{
    pare_parser_free(reader->parser);
    pare_language_reader_free(reader->language);
    *reader = (pare_tree_reader){0};
}

/* Parses the population.  Files outside the language are passed over, but one has to be in it. */
static pare_status parse_files(pare_generator_setup *setup, pare_error *err)
{
    pare_tree_reader reader;
    /* One reader for all files: what its lexer learns is kept. */
    pare_status status = pare_generator_setup_reader_init(&reader, setup, err);
    for (size_t i = 0; !status && i < setup->n_files; i++) {
        const pare_buffer *file = &setup->files[i];
        bool added = false;
        status = pare_population_add(&setup->population, &reader.reader, text_of(file), file->size,
                                     &added, err);
    }
    pare_generator_setup_reader_done(&reader);
    if (status || setup->population.n) return status;
    return pare_fail(err, PARE_E_STATE, "no file of the population is in the language");
}

/* Reads the files of the population, and parses them where there is a grammar; without one
 * they are for the mutation fuzzer. Folders were gone through by pare_population_read, so there
 * may be no file at all. */
static pare_status read_population(pare_generator_setup *setup, pare_error *err)
{
    const pare_generate_options *options = setup->options;
    pare_status status = PARE_OK;
    /* No population was asked for. */
    if (!options->n_population) return PARE_OK;
    for (size_t i = 0; !status && i < options->n_population; i++)
        status = pare_population_read(options->population[i], keep_file, setup, err);
    if (!status && !setup->n_files)
        status = pare_fail(err, PARE_E_STATE, "there is no file in the population");
    return status || !setup->grammar ? status : parse_files(setup, err);
}

/* --- graphs -------------------------------------------------------------------------- */

/* Finds the rule in whose place expressions of the graph stand: the one that the user names, else
 * the first of the names that grammars commonly give to it. */
static pare_status find_graph_rule(pare_generator_setup *setup, pare_error *err)
{
    static const char *const usual[] = {"expression", "singleExpression", "assignmentExpression",
                                        "expr"};
    /* A lexer rule has no place for an expression. */
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
                            : "the grammar has no rule '%s': name the rule that expressions of the "
                              "graph replace, with --graph-rule",
                     names[0]);
}

/* Costs of types are worked out once, for all walks (prototype/type_costs.c). */
static pare_status read_graph(pare_generator_setup *setup, pare_error *err)
{
    const char *path = setup->options->graph;
    if (!path) return PARE_OK;
    pare_status status = pare_graph_read(path, &setup->graph, err);
    if (!status) status = pare_type_costs_init(&setup->type_costs, setup->graph, err);
    return status || !setup->grammar ? status : find_graph_rule(setup, err);
}

/* --- the whole ----------------------------------------------------------------------- */

/* Whether tokens may have a space between them.  In a language they may, as its parser will check
 * the result; for another grammar its lexer says whether it skips a space. The table has to be
 * made before. */
static pare_status find_spaced(const pare_generator_setup *setup, bool *spaced, pare_error *err)
{
    pare_token_separator *separator = NULL;
    *spaced = true;
    if (setup->language.parser) return PARE_OK;
    pare_status status = pare_token_separator_new(&setup->table, &separator, err);
    if (!status) *spaced = pare_token_separator_takes_space(separator);
    pare_token_separator_free(separator);
    return status;
}

/* A grammar with a lexer, or of a language, in the form that the generators of the book know.  Rules
 * keep their names and alternatives do not keep their numbers, so hooks would be called for others. */
static pare_status make_bnf(pare_generator_setup *setup, pare_error *err)
{
    if (setup->options->hooks)
        return pare_fail(
            err, PARE_E_ARG,
            "hooks of a grammar that is not one of The Fuzzing Book are for the fuzzer "
            "'grammar': leave --fuzzer out");
    /* The table is needed only to make the other grammar, and goes afterwards. */
    pare_status status =
        pare_expansion_table_init(&setup->table, setup->grammar, setup->start, err);
    bool spaced = false;
    if (!status) status = find_spaced(setup, &spaced, err);
    if (!status) status = pare_bnf_make(&setup->table, setup->start, spaced, &setup->bnf, err);
    pare_expansion_table_done(&setup->table);
    return status;
}

/* What the generators of the book go by, with hooks, and with defaults where a file has them. A
 * file of defaults is read after the costs, since it replaces texts in them. */
static pare_status read_costs(pare_generator_setup *setup, pare_error *err)
{
    const char *path = setup->options->defaults;
    pare_buffer text = {0};
    pare_status status = read_hooks(setup, &setup->hooks, err);
    if (!status && !setup->grammar->scannerless) status = make_bnf(setup, err);
    if (!status)
        status = pare_expansion_costs_init_hooked(
            &setup->costed, setup->bnf ? setup->bnf : setup->grammar, setup->hooks, err);
    if (status || !path) return status;
    status = pare_file_read(path, &text, err);
    if (!status)
        status = pare_expansion_costs_read_defaults(&setup->costed, path, text_of(&text), text.size,
                                                    err);
    pare_buffer_done(&text);
    return status;
}

/* What was read stays in *setup after a failure, and is released by pare_generator_setup_done. */
pare_status pare_generator_setup_init(pare_generator_setup *setup,
                                      const pare_generate_options *options, pare_error *err)
{
    *setup = (pare_generator_setup){.options = options};
    pare_status status = check(options, err);
    /* Left alone, jansson draws the seed of its hash tables from /dev/urandom, which a recorder
     * outside takes for the first choice of a text.  No effect if it has one. */
    json_object_seed((size_t)pare_entropy_at_start() | 1);
    /* What costs nothing is refused before anything large is read. */
    if (!status) status = read_grammar(setup, err);
    if (!status) status = choose_kind(setup, err);
    if (!status) status = check_kind(setup, err);
    if (!status && options->hooks) status = pare_file_read(options->hooks, &setup->script, err);
    if (!status) status = read_population(setup, err);
    if (!status) status = read_graph(setup, err);
    /* These read no grammar, so there is nothing to make a table or costs of. */
    if (status || setup->kind == PARE_FUZZER_RANDOM || setup->kind == PARE_FUZZER_MUTATION ||
        setup->kind == PARE_FUZZER_GRAPH)
        return status;
    /* The generators of the book know costs, the one for any grammar knows the table. */
    if (setup->kind != PARE_FUZZER_GRAMMAR) return read_costs(setup, err);
    status = pare_expansion_table_init(&setup->table, setup->grammar, setup->start, err);
    const char *model = named_model(options);
    if (!status)
        status = model ? read_model_weights(setup, model, err)
                       : read_weights(setup, options->model, err);
    return status ? status : read_weights(setup, options->weights, err);
}

/* A language owns its grammar. */
void pare_generator_setup_done(pare_generator_setup *setup)
{
    for (size_t i = 0; i < setup->n_files; i++)
        pare_buffer_done(&setup->files[i]);
    pare_alloc_free(setup->files);
    pare_population_done(&setup->population);
    pare_hooks_free(setup->hooks);
    pare_buffer_done(&setup->script);
    pare_expansion_costs_done(&setup->costed);
    pare_grammar_free(setup->bnf);
    pare_expansion_table_done(&setup->table);
    /* Else it is freed below, with the language. */
    if (!setup->language.parser) pare_grammar_free(setup->grammar);
    pare_language_grammar_done(&setup->language);
    pare_type_costs_done(&setup->type_costs);
    pare_graph_free(setup->graph);
    *setup = (pare_generator_setup){0};
}

/* Sets where a maker's choices come from, apart from its seed, and how often it tries to make a
 * text. They are the same for all makers. */
static void set_source(pare_batch_maker *batches, const pare_generate_options *options)
{
    batches->max_attempts = options->max_attempts;
    batches->unseeded = options->unseeded;
    batches->python = options->random && strcmp(options->random, PYTHON) == 0;
}

/* Lets a maker's batches be of a generator that is made already.  Generators without limits:
 * attempts differ in their seed. */
static void use_generator(pare_text_maker *maker, pare_generator generator,
                          const pare_generate_options *options)
{
    pare_batch_maker_init_any(&maker->batches, generator, options->seed);
    set_source(&maker->batches, options);
}

/* A pare_deriver_leaf's put. */
static pare_status put_expression(void *self, pare_choices *choices, pare_buffer *text,
                                  pare_error *err)
{
    return pare_walk_expression(self, choices, text, err);
}

/* Expressions of the graph, for a grammar's texts: of a rule's texts, seven of ten unless the
 * options say otherwise; with fewer built-ins are called less, with more statements are
 * simpler.  The walk draws from the same list of choices as the grammar, so that the whole
 * text can be replayed. */
static pare_status init_leaf(pare_text_maker *maker, const pare_generator_setup *setup,
                             pare_error *err)
{
    const pare_generate_options *options = setup->options;
    const pare_walk_options wanted = {.max_calls = options->max_calls};
    double share = options->graph_share > 0 ? options->graph_share : 0.7;
    pare_status status = pare_walk_new(&setup->type_costs, &wanted, &maker->walk, err);
    maker->leaf = (pare_deriver_leaf){setup->graph_rule, share, put_expression, maker->walk};
    return status;
}

/* What joins with its neighbour to a longer word in nearly every language. */
static bool is_word(char byte)
{
    return byte == '_' || byte == '$' || (unsigned char)byte >= 0x80 ||
           isalnum((unsigned char)byte);
}

/* Whether two words would touch, of which the parser would make one. Nothing joins with an
 * empty text. */
static bool would_join(const char *left, size_t left_bytes, const char *right, size_t right_bytes)
{
    return left_bytes && right_bytes && is_word(left[left_bytes - 1]) && is_word(right[0]);
}

/* A pare_text_check: puts the text between what the options want before and after it, and has the
 * language's parser read the whole.  A text that is right by itself may be wrong there, and the
 * other way round. */
static pare_status check_in_place(void *context, const char *text, size_t size, pare_error *err)
{
    pare_text_maker *maker = context;
    const pare_generate_options *options = maker->setup->options;
    pare_buffer *whole = &maker->whole;
    pare_buffer_reset(whole);
    pare_status status = pare_buffer_add(whole, options->before, options->before_bytes, err);
    if (!status && would_join(options->before, options->before_bytes, text, size))
        status = pare_buffer_text(whole, " ", err);
    if (!status) status = pare_buffer_add(whole, text, size, err);
    if (!status && would_join(text, size, options->after, options->after_bytes))
        status = pare_buffer_text(whole, " ", err);
    if (!status) status = pare_buffer_add(whole, options->after, options->after_bytes, err);
    if (status) return status;
    return pare_language_grammar_check((void *)&maker->setup->language, text_of(whole), whole->size,
                                       err);
}

/* A pare_text_check: our own parser reads the text, which fails where two tokens became one. */
static pare_status check_by_grammar(void *context, const char *text, size_t size, pare_error *err)
{
    pare_text_maker *maker = context;
    pare_parse_tree tree = {0};
    bool in_language = false;
    pare_status status =
        maker->reader.reader.read(maker->reader.reader.self, text, size, &tree, &in_language, err);
    if (status) return status;
    pare_parse_tree_done(&tree);
    return in_language ? PARE_OK : pare_fail(err, PARE_E_UNSUPPORTED, "tokens run into each other");
}

/* Sets the check for texts whose tokens were put side by side without a lexer: they may be read as
 * other tokens, which only the parser can tell. */
static pare_status check_whole(pare_text_maker *maker, const pare_generator_setup *setup,
                               pare_error *err)
{
    pare_status status = PARE_OK;
    maker->setup = setup;
    if (!setup->language.parser)
        status = pare_generator_setup_reader_init(&maker->reader, setup, err);
    maker->batches.check = setup->language.parser ? check_in_place : check_by_grammar;
    maker->batches.check_context = maker;
    return status;
}

/* Makes a maker that derives texts at random or, with a population, changes and joins its trees.
 * Limits of the user win over those of a model. Without a population the maker derives; its
 * check is only set for a language. */
static pare_status init_deriving(pare_text_maker *maker, const pare_generator_setup *setup,
                                 pare_error *err)
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
        status = pare_generator_setup_reader_init(&maker->reader, setup, err);
        const pare_evolver_options evolving = {.table = &setup->table,
                                               .start = setup->start,
                                               .deriver = wanted,
                                               .reader = maker->reader.reader};
        if (!status)
            status =
                pare_population_evolver_new(&setup->population, &evolving, &maker->evolver, err);
        if (!status)
            use_generator(maker, pare_population_evolver_generator(maker->evolver), options);
        return status;
    }
    status = pare_batch_maker_init(&maker->batches, &setup->table, setup->start, &wanted,
                                   options->seed, err);
    set_source(&maker->batches, options);
    if (status || !setup->language.parser) return status;
    /* A language has no lexer of ours: its parser says what came out. */
    maker->setup = setup;
    maker->batches.check = check_in_place;
    maker->batches.check_context = maker;
    return PARE_OK;
}

/* A pare_batch_maker's warm: all functions weigh the same again. */
static void warm_walk(void *self)
{
    pare_walk_warm(self);
}

/* A maker by walks over the graph alone.  Cooldown is the walk's own here: functions, not
 * alternatives. */
static pare_status init_walk(pare_text_maker *maker, const pare_generator_setup *setup,
                             pare_error *err)
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

/* One for each thread: nothing that a maker changes is shared. */
pare_status pare_generator_setup_maker_init(pare_text_maker *maker,
                                            const pare_generator_setup *setup, pare_error *err)
{
    const pare_generate_options *options = setup->options;
    assert(setup->options && "the setup was made");
    *maker = (pare_text_maker){0};
    pare_status status = read_hooks(setup, &maker->hooks, err);
    if (status) return status;
    if (setup->kind == PARE_FUZZER_GRAPH) return init_walk(maker, setup, err);
    if (setup->kind == PARE_FUZZER_GRAMMAR) return init_deriving(maker, setup, err);
    const pare_fuzzer_options wanted = {.kind = setup->kind,
                                        .costed = &setup->costed,
                                        .start = setup->bnf ? 0 : setup->start,
                                        .max_depth = options->max_depth,
                                        .hooks = maker->hooks,
                                        .members = setup->files,
                                        .n_members = setup->n_files,
                                        .grows = options->join != NULL,
                                        .min_nonterminals = options->min_nonterminals,
                                        .max_nonterminals = options->max_nonterminals,
                                        .min_length = options->min_length,
                                        .max_length = options->max_length,
                                        .min_mutations = options->min_mutations,
                                        .max_mutations = options->max_mutations};
    status = pare_fuzzer_init(&maker->fuzzer, &wanted, err);
    if (status) return status;
    use_generator(maker, pare_fuzzer_generator(&maker->fuzzer), options);
    return setup->bnf ? check_whole(maker, setup, err) : PARE_OK;
}

/* Releases everything, whichever kind of maker it is: what was not made is all-zero.  The batches
 * go first, since they borrow the generator. */
void pare_generator_setup_maker_done(pare_text_maker *maker)
{
    pare_batch_maker_done(&maker->batches);
    pare_fuzzer_done(&maker->fuzzer);
    pare_population_evolver_free(maker->evolver);
    pare_generator_setup_reader_done(&maker->reader);
    pare_hooks_free(maker->hooks);
    pare_walk_free(maker->walk);
    pare_buffer_done(&maker->whole);
    *maker = (pare_text_maker){0};
}
