/* Our own generators as sources: `pare generate` for a campaign.
 *
 * The section becomes the options of pare_generate, the generator is set up once, and batches of
 * numbered texts are made in this thread.  A text depends only on the seed and its number, so the
 * position is a number, and continuing from any of them costs nothing.  Batches are small, so that
 * tests run while the next one is made.  Only with a cooldown, where texts depend on those before
 * them in their batch, the batches of pare_generate are used.
 *
 * Inputs that reached something new join a population.  From then on each batch comes from one of
 * three makers: the grammar, the members' trees (generate/population.h) if a grammar can parse
 * them, or their bytes (generate/havoc.h), which also makes use of other sources' inputs that are
 * not in the language.  A bandit chooses the maker (bandit.h).  A maker spends the time of its
 * batches including the tests, since long texts cost more than short ones.  For each text that
 * reached something new it earns the logarithm of how much that was, so that one lucky text does
 * not outweigh hundreds.  Texts made from members also depend on the population, so a resumed job
 * makes different ones.  Members that reached new edges, and not only known ones more often, are
 * drawn three times as often as others, which are numerous and lead to less.
 * Why no fixed shares: at first the grammar reaches by far the most; after some minutes it hardly
 * reaches anything new, and which of the others does depends on the program.
 * Source: The Fuzzing Book, MutationCoverageFuzzer and GreyboxGrammarFuzzer; Nautilus (Aschermann
 * et al., NDSS 2019), for trees under feedback. */
#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <pare/generate.h>
#include <pare/graph.h>
#include <pare/graph_explore.h>
#include <pare/language.h>
#include <pare/test.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/checksum.h"
#include "campaign/bandit.h"
#include "generate/batch.h"
#include "generate/fuzzer.h"
#include "generate/generator_setup.h"
#include "generate/havoc.h"
#include "generate/population.h"
#include "os/clock.h"
#include "os/file.h"
#include "os/stop.h"

#include "base/fail.h"
#include "campaign/section.h"
#include "campaign/source.h"
#include "generate/expansion_table.h"

enum {
    BATCH_TEXTS = 16,        /* without a cooldown */
    MOST_UNMADE = 1024,      /* texts in a row that could not be made: it is no use */
    MEMBER_BYTES = 64 << 10, /* of an input that joins; larger ones make large texts only */
    TREE_BYTES = 8 << 10, /* of one that is read by the grammar, which takes long for larger ones */
    MOST_MEMBERS = 20000,
    MOST_SCRIPTS = 64, /* that explorations leave */
    MOST_CHANGES = 4,  /* of a tree, on top of each other */
    LATELY = 256,      /* texts whose maker is known until their verdict */
    POSITION_BYTES = 32
};

/* See bandit.h. */
static const double HALF_LIFE_S = 15, TRUST_S = 0.5, LEAST_BATCH_S = 1e-6;

/* Who makes a batch. */
enum maker { OF_GRAMMAR, OF_TREES, OF_BYTES, N_MAKERS };

/* The source. The setup borrows `generate`, so this struct never moves. */
struct generating {
    pare_source head;
    pare_generate_options generate;
    pare_buffer graph; /* path of one that was explored */
    pare_generator_setup setup;
    pare_text_maker maker;
    pare_batch batch;
    /* What the population adds. */
    pare_tree_reader reader; /* once trees are evolved */
    pare_evolver *evolver;
    pare_batch_maker from_trees;
    pare_havoc havoc;
    pare_batch_maker from_bytes;
    pare_bandit_arm arms[N_MAKERS];
    struct {
        uint64_t key; /* checksum of a text */
        enum maker maker;
    } lately[LATELY]; /* by key */
};

/* The head is the first member of the kind's struct. */
static struct generating *of(pare_source *source)
{
    return (struct generating *)(void *)source;
}

/* --- the options ----------------------------------------------------------------------------- */

/* The value as text; NULL where there is none. */
static const char *text_or_null(const pare_section *section, const char *option)
{
    const char *text = pare_section_text(section, option);
    return *text ? text : NULL;
}

/* The numbers of the section. */
static void take_numbers(pare_generate_options *to, const pare_section *section)
{
    to->max_depth = (uint32_t)pare_section_number(section, "max_depth");
    to->max_tokens = (uint32_t)pare_section_number(section, "max_tokens");
    to->max_calls = (uint32_t)pare_section_number(section, "max_calls");
    to->cooldown = pare_section_real(section, "cooldown");
    to->unusual = pare_section_real(section, "unusual");
    to->keep_values = pare_section_real(section, "keep_values");
    to->graph_share = pare_section_real(section, "graph_share");
}

/* Makes the options of a generator from the section. Kinds differ in the fuzzer
 * that they name, and in what they cannot do without (PARE_E_ARG). */
static pare_status take_options(struct generating *self, pare_error *err)
{
    const pare_section *section = self->head.options.section;
    const char *kind = pare_section_text(section, "kind");
    pare_generate_options *to = &self->generate;
    to->seed = self->head.options.seed;
    to->repeats = true;
    to->n = UINT64_MAX;
    to->grammars = pare_section_words(section, "grammar", &to->n_grammars);
    to->population = pare_section_words(section, "population", &to->n_population);
    to->language = text_or_null(section, "lang");
    to->model = text_or_null(section, "model");
    to->graph = text_or_null(section, "graph");
    to->graph_rule = text_or_null(section, "graph_rule");
    to->start = text_or_null(section, "start");
    to->weights = text_or_null(section, "weights");
    to->hooks = text_or_null(section, "hooks");
    take_numbers(to, section);
    const bool is_fuzzer =
        !strcmp(kind, "random") || !strcmp(kind, "mutation") || !strcmp(kind, "choice");
    if (is_fuzzer) to->fuzzer = kind;
    const bool lacks =
        (!strcmp(kind, "grammar") && !to->n_grammars) || (!strcmp(kind, "lang") && !to->language) ||
        (!strcmp(kind, "population") && !to->n_population) ||
        (!strcmp(kind, "model") && !to->model) || (!strcmp(kind, "choice") && !to->n_grammars);
    if (lacks)
        return pare_fail(err, PARE_E_ARG, "a source of kind %s needs '%s = ...'", kind,
                         strcmp(kind, "choice") ? kind : "grammar");
    if (!strcmp(kind, "model") && !to->n_grammars && !to->language &&
        !pare_language_find(to->model))
        return pare_fail(err, PARE_E_ARG,
                         "the model %s needs the grammar that it was learnt with: "
                         "-D source:grammar=FILE.g4 (for inputs made from files that you have: "
                         "--from mutation:PATH)",
                         to->model);
    return PARE_OK;
}

/* --- a graph that is explored at first use --------------------------------------------------- */

/* Keeps the scripts that the explored engine did not survive, at most
 * MOST_SCRIPTS: they are the first inputs of the source. */
static pare_status keep_scripts(const pare_graph_explored *explored, const char *folder,
                                pare_error *err)
{
    pare_buffer path = {0};
    pare_status status = PARE_OK;
    for (size_t i = 0; !status && i < explored->n_findings && i < MOST_SCRIPTS; i++) {
        const char *script = explored->findings[i].script;
        pare_buffer_reset(&path);
        status = pare_buffer_format(&path, err, "%s/explored-%02zu.js", folder, i);
        if (!status) status = pare_file_write_bytes(path.data, script, strlen(script), err);
    }
    pare_buffer_done(&path);
    return status;
}

/* Explores the target for a graph, unless an earlier job has. The graph is
 * written last, so one that is there is whole. */
static pare_status explore(struct generating *self, pare_error *err)
{
    const pare_source_options *given = &self->head.options;
    const pare_test_options *test = &given->target->test;
    pare_graph_explored explored = {0};
    pare_status status = pare_buffer_format(&self->graph, err, "%s/graph.json", given->folder);
    if (status) return status;
    self->generate.graph = self->graph.data;
    if (pare_file_is_regular(self->graph.data)) return PARE_OK;
    if (!test->program)
        return pare_fail(err, PARE_E_ARG, "the target %s cannot be explored: name a graph",
                         given->target->name);
    const pare_graph_explore_options options = {
        .engine = {.words = test->program,
                   .n_words = test->n_program,
                   .memory_bytes = test->safety.memory_bytes,
                   .stop = given->stop}};
    status = pare_graph_explore(&options, &explored, err);
    if (!status) status = keep_scripts(&explored, given->folder, err);
    if (!status) status = pare_graph_write(explored.graph, self->graph.data, err);
    pare_graph_explored_done(&explored);
    return status;
}

/* Emits the scripts of the exploration. They stand before text 0, so a job that
 * is stopped among them begins with them again. */
static pare_status emit_scripts(struct generating *self, pare_error *err)
{
    pare_buffer path = {0}, text = {0};
    pare_status status = PARE_OK;
    for (size_t i = 0; !status && i < MOST_SCRIPTS; i++) {
        pare_buffer_reset(&path);
        status =
            pare_buffer_format(&path, err, "%s/explored-%02zu.js", self->head.options.folder, i);
        if (status || !pare_file_is_regular(path.data)) break;
        status = pare_file_read(path.data, &text, err);
        if (!status)
            status = pare_source_emit(&self->head, text.size ? text.data : "", text.size, "0", err);
    }
    pare_buffer_done(&path);
    pare_buffer_done(&text);
    return status;
}

/* --- the population -------------------------------------------------------------------------- */

/* Whether inputs can be evolved by their trees. Populations do not go with
 * hooks, a cooldown or a graph. */
static bool can_evolve_trees(const struct generating *self)
{
    const pare_generate_options *options = &self->generate;
    return self->setup.kind == PARE_FUZZER_GRAMMAR && !options->hooks && !options->graph &&
           !(options->cooldown > 0);
}

/* Opens the reader of the source's own grammar and the generator of changed
 * trees. Each of the three makers has a seed of its own, or they would repeat
 * each other. */
static pare_status open_trees(struct generating *self, pare_error *err)
{
    pare_generator_setup *setup = &self->setup;
    pare_evolver_options wanted = {
        .table = &setup->table,
        .start = setup->start,
        .deriver = {
            .max_depth = self->generate.max_depth ? self->generate.max_depth : setup->max_depth,
            .max_tokens = self->generate.max_tokens ? self->generate.max_tokens : setup->max_tokens,
            .unusual = self->generate.unusual,
            .unread = setup->language.parser}};
    pare_status status = pare_generator_setup_reader_init(&self->reader, setup, err);
    wanted.reader = self->reader.reader;
    if (!status)
        status = pare_population_evolver_new(&setup->population, &wanted, &self->evolver, err);
    if (status) return status;
    pare_population_evolver_stack(self->evolver, MOST_CHANGES);
    pare_batch_maker_init_any(&self->from_trees, pare_population_evolver_generator(self->evolver),
                              self->generate.seed + 1);
    return PARE_OK;
}

/* Opens the generator of changed bytes. Tokens with a fixed text are its words. */
static pare_status open_bytes(struct generating *self, pare_error *err)
{
    const pare_expansion_table *table = &self->setup.table;
    pare_status status = PARE_OK;
    for (size_t t = 0; !status && table->grammar && t < table->grammar->n_tokens; t++)
        if (table->tokens[t].text)
            status = pare_havoc_add_word(&self->havoc, table->tokens[t].text, table->tokens[t].size,
                                         err);
    pare_batch_maker_init_any(&self->from_bytes, pare_havoc_generator(&self->havoc),
                              self->generate.seed + 2);
    return status;
}

/* Adds an input to the population. What is in no language is a member all the
 * same, but only of those that are changed byte by byte. Inputs with new edges
 * are preferred later. */
static pare_status join(pare_source *source, const void *bytes, size_t size, uint64_t new_edges,
                        pare_error *err)
{
    struct generating *self = of(source);
    bool added = false;
    if (!pare_section_flag(source->options.section, "evolve")) return PARE_OK;
    if (size > MEMBER_BYTES || self->havoc.n >= MOST_MEMBERS) return PARE_OK;
    pare_status status = PARE_OK;
    if (!self->evolver && can_evolve_trees(self)) status = open_trees(self, err);
    if (!status && self->evolver && size <= TREE_BYTES) {
        status = pare_population_add(&self->setup.population, &self->reader.reader, bytes, size,
                                     &added, err);
        /* An input of others may be beyond the parser's limits. */
        if (status == PARE_E_LIMIT) {
            pare_fail_clear(err);
            status = PARE_OK;
        }
    }
    if (!status && !self->havoc.n) status = open_bytes(self, err);
    if (!status) status = pare_havoc_add(&self->havoc, bytes, size, err);
    if (status || !new_edges) return status;
    if (added) status = pare_population_evolver_prefer(self->evolver, err);
    return status ? status : pare_havoc_prefer(&self->havoc, err);
}

/* --- whose turn it is ------------------------------------------------------------------------ */

/* The bandit as a view of our arms; half-life and trust are in seconds. */
static pare_bandit bandit_of(struct generating *self)
{
    return (pare_bandit){
        .arms = self->arms, .n = N_MAKERS, .half_life = HALF_LIFE_S, .trust = TRUST_S};
}

/* Chooses who makes the next batch, of those that have something to start from.
 * The grammar's is never out. */
static enum maker choose_maker(struct generating *self)
{
    const pare_bandit bandit = bandit_of(self);
    self->arms[OF_TREES].is_out = !self->evolver || !self->setup.population.n;
    self->arms[OF_BYTES].is_out = !self->havoc.n;
    return (enum maker)pare_bandit_next(&bandit);
}

/* Charges a maker with the time of its batch, from making it to the start of
 * its last test; also if its texts were not tested because others were like
 * them. */
static void pay(struct generating *self, enum maker maker, uint64_t ns)
{
    const pare_bandit bandit = bandit_of(self);
    const double seconds = (double)ns / 1e9;
    pare_bandit_spend(&bandit, maker, seconds > LEAST_BATCH_S ? seconds : LEAST_BATCH_S);
}

/* The batches of a maker. */
static pare_batch_maker *maker_of(struct generating *self, enum maker maker)
{
    if (maker == OF_TREES) return &self->from_trees;
    return maker == OF_BYTES ? &self->from_bytes : &self->maker.batches;
}

/* Notes which maker a text is of, until its verdict comes. */
static void note_maker(struct generating *self, const void *bytes, size_t size, enum maker maker)
{
    const uint64_t key = pare_checksum(bytes, size);
    self->lately[key % LATELY].key = key;
    self->lately[key % LATELY].maker = maker;
}

/* Pays the maker of a text that has reached something new. If another text has
 * taken its place in the table meanwhile nobody is paid; that is rare. */
static void feedback(pare_source *source, const void *bytes, size_t size, bool failed,
                     uint64_t new_edges)
{
    struct generating *self = of(source);
    const uint64_t key = pare_checksum(bytes, size);
    const pare_bandit bandit = bandit_of(self);
    (void)failed;
    if (!new_edges || self->lately[key % LATELY].key != key) return;
    pare_bandit_earn(&bandit, self->lately[key % LATELY].maker, log2(1 + (double)new_edges));
}

/* --- running --------------------------------------------------------------------------------- */

/* Emits the texts of the batch from number `first` on; those that could not be
 * made are passed over. *n_made is how many were emitted. */
static pare_status emit_batch(struct generating *self, uint64_t first, enum maker maker,
                              size_t *n_made, pare_error *err)
{
    const pare_batch *batch = &self->batch;
    pare_status status = PARE_OK;
    size_t from = 0;
    *n_made = 0;
    for (size_t i = 0; !status && i < batch->n; i++) {
        const char *text = batch->bytes.size ? batch->bytes.data + from : "";
        const size_t size = batch->ends[i] - from;
        char position[POSITION_BYTES];
        from = batch->ends[i];
        if (!batch->made[i] || batch->first + i < first) continue;
        ++*n_made;
        note_maker(self, text, size, maker);
        (void)snprintf(position, sizeof position, "%" PRIu64, batch->first + i + 1);
        status = pare_source_emit(&self->head, text, size, position, err);
    }
    return status;
}

/* Makes and emits batches until it is stopped, or until MOST_UNMADE texts in a
 * row could not be made. The first batch may begin before the position, as its
 * texts belong together. */
static pare_status run(pare_source *source, const char *position, bool *dry, pare_error *err)
{
    struct generating *self = of(source);
    const bool cools = self->generate.cooldown > 0 && self->generate.cooldown < 1;
    const size_t batch_texts = cools ? PARE_BATCH_COOLING_TEXTS : BATCH_TEXTS;
    uint64_t first = strtoull(position, NULL, 10), unmade = 0;
    pare_status status = *position || !self->graph.size ? PARE_OK : emit_scripts(self, err);
    (void)dry; /* numbers do not end */
    /* Members of a given population are returned unchanged at first: not again. */
    self->maker.fuzzer.mutation.at = first;
    while (!status && unmade < MOST_UNMADE) {
        const uint64_t number = first / batch_texts;
        size_t n_made = 0;
        if (pare_stop_requested(source->options.stop))
            return pare_fail(err, PARE_E_INTERRUPTED, "interrupted");
        const enum maker maker = choose_maker(self);
        const uint64_t since_ns = pare_clock_ns();
        status = pare_batch_make(maker_of(self, maker), number * batch_texts, batch_texts, 0,
                                 &self->batch, err);
        if (!status) status = emit_batch(self, first, maker, &n_made, err);
        pay(self, maker, pare_clock_ns() - since_ns);
        first = (number + 1) * batch_texts;
        unmade = n_made ? 0 : unmade + batch_texts;
    }
    if (status) return status;
    return pare_fail(err, PARE_E_STATE, "no text could be made: %s", self->batch.reason.message);
}

/* Frees everything in the opposite order of its making; also of a source that
 * was opened in part. */
static void close_source(pare_source *source)
{
    struct generating *self = of(source);
    /* Both makers from members borrow their generators. */
    pare_batch_maker_done(&self->from_bytes);
    pare_batch_maker_done(&self->from_trees);
    pare_havoc_done(&self->havoc);
    pare_population_evolver_free(self->evolver);
    pare_generator_setup_reader_done(&self->reader);
    pare_batch_done(&self->batch);
    pare_generator_setup_maker_done(&self->maker);
    pare_generator_setup_done(&self->setup);
    pare_buffer_done(&self->graph);
    pare_alloc_free(self);
}

static const pare_source_ops ops = {
    .run = run, .join = join, .feedback = feedback, .close = close_source};

/* Opens the source; with kind graph and no graph given, the target is explored
 * first, which may take minutes. */
pare_status pare_source_generate_open(const pare_source_options *options, pare_source **out,
                                      pare_error *err)
{
    struct generating *self = pare_alloc_zero(1, sizeof *self);
    if (!self) return pare_fail_nomem(err);
    self->head = (pare_source){
        .ops = &ops, .options = *options, .name = pare_section_name(options->section)};
    for (size_t i = 0; i < N_MAKERS; i++)
        self->arms[i].weight = 1;
    const bool is_graph = !strcmp(pare_section_text(options->section, "kind"), "graph");
    pare_status status = take_options(self, err);
    if (!status && is_graph && !self->generate.graph) status = explore(self, err);
    /* The setup borrows the options, which live as long as it. */
    if (!status) status = pare_generator_setup_init(&self->setup, &self->generate, err);
    if (!status) status = pare_generator_setup_maker_init(&self->maker, &self->setup, err);
    if (status) {
        close_source(&self->head);
        return status;
    }
    assert(self->setup.options == &self->generate);
    *out = &self->head;
    return PARE_OK;
}
