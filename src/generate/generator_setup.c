/* From the options of pare_generate to what makes texts: reads the grammar, the weights, the
 * hooks and the population that they name, chooses the generator, and refuses what does not go
 * together.
 *
 * Everything read is immutable afterwards and shared by all threads; a maker holds what one
 * thread changes.  Invariant: each combination of options that is accepted has one generator,
 * chosen here and nowhere else. */
#include "generate/generator_setup.h"

#include <assert.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "base/vector.h"
#include "generate/deriver.h"
#include "generate/expansion_costs.h"
#include "generate/expansion_table.h"
#include "generate/hooks.h"
#include "generate/weights.h"
#include "grammar/fuzzingbook.h"
#include "grammar/grammar.h"
#include "grammar/grammar_file.h"
#include "lang/language.h"
#include "os/file.h"
#include "parse/parser.h"

#include <pare/language.h>

/* Numbers that have to be in their range, whatever else is asked for. */
static pare_status check(const pare_generate_options *options, pare_error *err)
{
    if (!(options->cooldown >= 0 && options->cooldown <= 1))
        return pare_fail(err, PARE_E_ARG, "a cooldown is above 0 and at most 1");
    if (!(options->unusual >= 0 && options->unusual <= 1))
        return pare_fail(err, PARE_E_ARG, "the chance of unusual characters is 0 to 1");
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

/* Its grammar, and limits that let it nest as deep as documents are. */
static pare_status read_model(pare_generator_setup *setup, const char *name, pare_error *err)
{
    enum { DEPTH = 120, TOKENS = 2000 };
    const pare_generate_options *options = setup->options;
    pare_buffer text = {0};
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

/* The weights of an added model lie beside its grammar. */
static pare_status read_model_weights(pare_generator_setup *setup, const char *name,
                                      pare_error *err)
{
    pare_buffer text = {0};
    pare_status status = pare_language_read(name, PARE_LANGUAGE_WEIGHTS, &text, err);
    if (!status) status = pare_weights_read(&setup->table, name, text_of(&text), text.size, err);
    pare_buffer_done(&text);
    return status;
}

/* Weights from a file; those that are read later count where both say something. */
static pare_status read_weights(pare_generator_setup *setup, const char *path, pare_error *err)
{
    pare_buffer text = {0};
    if (!path) return PARE_OK;
    pare_status status = pare_file_read(path, &text, err);
    if (!status) status = pare_weights_read(&setup->table, path, text_of(&text), text.size, err);
    pare_buffer_done(&text);
    return status;
}

/* A new state of the script: one to look at what hooks there are, and one for each thread. */
static pare_status read_hooks(const pare_generator_setup *setup, pare_hooks **hooks,
                              pare_error *err)
{
    const char *path = setup->options->hooks;
    if (!path) return PARE_OK;
    return pare_hooks_new(path, text_of(&setup->script), setup->script.size, hooks, err);
}

/* Which generator: the one that was named, else the one that goes by the grammar's hooks. */
static pare_status choose_kind(pare_generator_setup *setup, pare_error *err)
{
    const char *name = setup->options->fuzzer;
    bool is_mutation = !setup->grammar && setup->options->n_population;
    bool has_hooks = setup->grammar && setup->grammar->scannerless && setup->grammar->n_labels;
    setup->kind = has_hooks     ? PARE_FUZZER_COMPLEX
                  : is_mutation ? PARE_FUZZER_MUTATION
                                : PARE_FUZZER_GRAMMAR;
    if (name && !pare_fuzzer_find(name, &setup->kind))
        return pare_fail(err, PARE_E_ARG,
                         "there is no fuzzer '%s': there are grammar, phases, limit, complex, "
                         "choice, random and mutation",
                         name);
    bool needs_grammar = setup->kind != PARE_FUZZER_RANDOM && setup->kind != PARE_FUZZER_MUTATION;
    if (!needs_grammar || setup->grammar) return PARE_OK;
    return pare_fail(err, PARE_E_ARG, "a grammar is needed");
}

/* What goes with a population. */
static pare_status check_population(const pare_generator_setup *setup, pare_error *err)
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

/* Options that only the generator of any grammar knows. */
static pare_status check_kind(const pare_generator_setup *setup, pare_error *err)
{
    const pare_generate_options *options = setup->options;
    pare_status status = check_population(setup, err);
    if (status || setup->kind == PARE_FUZZER_GRAMMAR) return status;
    if (options->model || options->weights || options->cooldown > 0 || options->unusual > 0 ||
        options->max_tokens)
        return pare_fail(err, PARE_E_ARG,
                         "a model, weights, cooldown, unusual characters and a limit of tokens "
                         "are for the fuzzer 'grammar'");
    bool hookless = setup->kind != PARE_FUZZER_LIMIT && setup->kind != PARE_FUZZER_COMPLEX &&
                    setup->kind != PARE_FUZZER_CHOICE;
    if (options->hooks && hookless)
        return pare_fail(err, PARE_E_ARG,
                         "hooks are for the fuzzers 'grammar', 'limit', 'complex' and 'choice'");
    return PARE_OK;
}

/* A language's grammar; its parser, not a lexer of ours, says what is read back. */
static pare_status read_language(pare_generator_setup *setup, pare_error *err)
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

/* The grammar that the options name, in this order: a model's, a language's, that of the files;
 * none is no error yet. */
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

/* A pare_population_take: keeps the file. */
static pare_status keep_file(void *context, pare_buffer *text, pare_error *err)
{
    pare_generator_setup *setup = context;
    pare_buffer *grown =
        pare_vector_grow(setup->files, setup->n_files, &setup->files_capacity, sizeof *grown);
    if (!grown) return pare_fail_nomem(err);
    setup->files = grown;
    grown[setup->n_files++] = *text;
    *text = (pare_buffer){0};
    return PARE_OK;
}

/* Trees of the population; files outside the language are passed over, but one has to be in it.
 * */
static pare_status parse_files(pare_generator_setup *setup, pare_error *err)
{
    pare_parser *parser = NULL;
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

/* Reads the files, and parses them where there is a grammar; without one they are for the
 * mutation fuzzer. */
static pare_status read_population(pare_generator_setup *setup, pare_error *err)
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

/* --- the whole ----------------------------------------------------------------------- */

pare_status pare_generator_setup_init(pare_generator_setup *setup,
                                      const pare_generate_options *options, pare_error *err)
{
    *setup = (pare_generator_setup){.options = options};
    pare_status status = check(options, err);
    /* What costs nothing is refused before anything large is read. */
    if (!status) status = read_grammar(setup, err);
    if (!status) status = choose_kind(setup, err);
    if (!status) status = check_kind(setup, err);
    if (!status && options->hooks) status = pare_file_read(options->hooks, &setup->script, err);
    if (!status) status = read_population(setup, err);
    if (status || setup->kind == PARE_FUZZER_RANDOM || setup->kind == PARE_FUZZER_MUTATION)
        return status;
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

void pare_generator_setup_done(pare_generator_setup *setup)
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
    *setup = (pare_generator_setup){0};
}

/* A maker by random derivation. */
static pare_status init_batches(pare_text_maker *maker, const pare_generator_setup *setup,
                                const pare_deriver_options *wanted,
                                const pare_generate_options *options, pare_error *err)
{
    pare_status status = pare_batch_maker_init(&maker->batches, &setup->table, setup->start, wanted,
                                               options->seed, err);
    maker->batches.unseeded = options->unseeded;
    return status;
}

pare_status pare_generator_setup_maker_init(pare_text_maker *maker,
                                            const pare_generator_setup *setup, pare_error *err)
{
    const pare_generate_options *options = setup->options;
    assert(setup->options && "the setup was made");
    *maker = (pare_text_maker){0};
    pare_status status = read_hooks(setup, &maker->hooks, err);
    if (status) return status;
    if (setup->kind == PARE_FUZZER_GRAMMAR) {
        const pare_deriver_options wanted = {
            .max_depth = options->max_depth ? options->max_depth : setup->max_depth,
            .max_tokens = options->max_tokens ? options->max_tokens : setup->max_tokens,
            .cooldown = options->cooldown,
            .unusual = options->unusual,
            .hooks = maker->hooks,
            .unread = setup->language.parser};
        if (!options->n_population) {
            status = init_batches(maker, setup, &wanted, options, err);
            if (!setup->language.parser || status) return status;
            /* A language has no lexer of ours: its parser says what came out. */
            maker->batches.check = pare_language_grammar_check;
            maker->batches.check_context = (void *)&setup->language;
            return PARE_OK;
        }
        status = pare_population_evolver_new(&setup->population, &setup->table, setup->start,
                                             &wanted, &maker->evolver, err);
        if (status) return status;
        pare_batch_maker_init_any(&maker->batches,
                                  pare_population_evolver_generator(maker->evolver), options->seed);
        maker->batches.unseeded = options->unseeded;
        return PARE_OK;
    }
    const pare_fuzzer_options wanted = {.kind = setup->kind,
                                        .costed = &setup->costed,
                                        .start = setup->start,
                                        .max_depth = options->max_depth,
                                        .hooks = maker->hooks,
                                        .members = setup->files,
                                        .n_members = setup->n_files};
    status = pare_fuzzer_init(&maker->fuzzer, &wanted, err);
    if (status) return status;
    pare_batch_maker_init_any(&maker->batches, pare_fuzzer_generator(&maker->fuzzer),
                              options->seed);
    maker->batches.unseeded = options->unseeded;
    return PARE_OK;
}

void pare_generator_setup_maker_done(pare_text_maker *maker)
{
    pare_batch_maker_done(&maker->batches);
    pare_fuzzer_done(&maker->fuzzer);
    pare_population_evolver_free(maker->evolver);
    pare_hooks_free(maker->hooks);
    *maker = (pare_text_maker){0};
}
