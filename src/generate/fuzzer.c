/* The generators that need no lexer, by name; RandomFuzzer and MutationFuzzer are made here, the
 * others, which need a grammar, in grammar_fuzzers.c.
 *
 * Defaults are what the seeds have: depth 10, between 0 and 10 open nonterminals, 10 to 100
 * characters of 32, `00` for a name where none is declared.  All randomness comes from the list
 * of choices, in the order of the book's algorithm, so that a run of the book can be replayed. */
#include "generate/fuzzer.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "base/vector.h"
#include "reduce/choice/choices.h"

/* --- MutationFuzzer: the population ------------------------------------------------------ */

void pare_fuzzer_mutation_done(pare_mutation_fuzzer *mutation)
{
    for (size_t i = 0; i < mutation->n; i++)
        pare_buffer_done(&mutation->members[i]);
    pare_alloc_free(mutation->members);
    pare_buffer_done(&mutation->spare);
    *mutation = (pare_mutation_fuzzer){0};
}

pare_status pare_fuzzer_mutation_add(pare_mutation_fuzzer *mutation, const char *input, size_t size,
                                     bool first, pare_error *err)
{
    pare_buffer member = {0};
    pare_buffer *members =
        pare_vector_grow(mutation->members, mutation->n, &mutation->capacity, sizeof *members);
    if (!members) return pare_fail_nomem(err);
    mutation->members = members;
    pare_status status = pare_buffer_add(&member, input, size, err);
    if (status) return status;
    mutation->members[mutation->n++] = member;
    if (first) mutation->n_first = mutation->n;
    return PARE_OK;
}

/* --- changes -------------------------------------------------------------------- */

static pare_status choose_position(pare_choices *choices, size_t n, size_t *at, pare_error *err)
{
    uint64_t index = 0;
    pare_status status = pare_choices_next(choices, PARE_CHOICE_NUMBER, n, &index, err);
    *at = (size_t)index;
    return status;
}

/* Leaves a byte out; an empty text stays empty. */
static pare_status delete_byte(pare_buffer *text, pare_choices *choices, pare_error *err)
{
    size_t at = 0;
    if (!text->size) return PARE_OK;
    pare_status status = choose_position(choices, text->size, &at, err);
    if (status) return status;
    memmove(text->data + at, text->data + at + 1, text->size - at);
    text->size--;
    return PARE_OK;
}

/* Puts a printable character in, at the end too. */
static pare_status insert_character(pare_buffer *text, pare_choices *choices, pare_error *err)
{
    size_t at = 0;
    int64_t character = 0;
    pare_status status = choose_position(choices, text->size + 1, &at, err);
    if (!status) status = pare_choices_integer(choices, 32, 126, 32, &character, err);
    if (!status) status = pare_buffer_add(text, "", 1, err);
    if (status) return status;
    memmove(text->data + at + 1, text->data + at, text->size - 1 - at);
    text->data[at] = (char)character;
    return PARE_OK;
}

/* Flips one of the lower seven bits of a byte. */
static pare_status flip_bit(pare_buffer *text, pare_choices *choices, pare_error *err)
{
    size_t at = 0, bit = 0;
    if (!text->size) return PARE_OK;
    pare_status status = choose_position(choices, text->size, &at, err);
    if (!status) status = choose_position(choices, 7, &bit, err);
    if (!status) text->data[at] = (char)(text->data[at] ^ (1 << bit));
    return status;
}

/* One change, each kind as likely as the others. */
static pare_status mutate(pare_buffer *text, pare_choices *choices, pare_error *err)
{
    static pare_status (*const changes[])(pare_buffer *, pare_choices *,
                                          pare_error *) = {delete_byte, insert_character, flip_bit};
    uint64_t which = 0;
    pare_status status = pare_choices_element(choices, 3, &which, err);
    return status ? status : changes[which](text, choices, err);
}

/* The generator: members as they are, in order, then changed ones. */
static pare_status run_mutation(void *self, pare_choices *choices, pare_buffer *text,
                                pare_error *err)
{
    pare_mutation_fuzzer *mutation = self;
    uint64_t which = mutation->at, n = 0;
    if (!mutation->n) return PARE_OK;
    bool unchanged = mutation->at < mutation->n_first;
    uint64_t least = mutation->max_mutations ? mutation->min_mutations : 2;
    uint64_t most = mutation->max_mutations ? mutation->max_mutations : 10;
    pare_status status = PARE_OK;
    if (unchanged)
        mutation->at++;
    else
        status = pare_choices_element(choices, mutation->n, &which, err);
    if (!status && !unchanged) status = pare_choices_size(choices, least, most, &n, err);
    if (status) return status;
    pare_buffer_reset(&mutation->spare);
    assert(which < mutation->n);
    const pare_buffer *member = &mutation->members[which];
    status = pare_buffer_add(&mutation->spare, member->data ? member->data : "", member->size, err);
    for (uint64_t i = 0; !status && i < n; i++) {
        status = pare_choices_open(choices, 0, err);
        if (!status) status = mutate(&mutation->spare, choices, err);
        if (!status) pare_choices_close(choices);
    }
    if (status) return status;
    return pare_buffer_add(text, mutation->spare.data, mutation->spare.size, err);
}

pare_generator pare_fuzzer_mutation(pare_mutation_fuzzer *mutation)
{
    return (pare_generator){.self = mutation, .run = run_mutation};
}

/* --- RandomFuzzer ------------------------------------------------------------------------ */

static pare_status run_random(void *self, pare_choices *choices, pare_buffer *text, pare_error *err)
{
    const pare_random_text *options = self;
    pare_alphabet alphabet = {options->first, options->first + options->n - 1, options->first};
    return pare_choices_string(choices, alphabet, options->min_length, options->max_length, text,
                               err);
}

pare_generator pare_fuzzer_random_text(const pare_random_text *options)
{
    return (pare_generator){.self = (void *)(uintptr_t)options, .run = run_random};
}

enum { SEED_DEPTH = 10, CHOICE_DIGITS = 10, MAX_OPEN = 10 };

static const char UNDEFINED[] = "00";

static const char *const names[] = {
    [PARE_FUZZER_GRAMMAR] = "grammar",  [PARE_FUZZER_PHASES] = "phases",
    [PARE_FUZZER_LIMIT] = "limit",      [PARE_FUZZER_COMPLEX] = "complex",
    [PARE_FUZZER_CHOICE] = "choice",    [PARE_FUZZER_RANDOM] = "random",
    [PARE_FUZZER_MUTATION] = "mutation"};

bool pare_fuzzer_find(const char *name, pare_fuzzer_kind *kind)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(names[i], name) != 0) continue;
        *kind = (pare_fuzzer_kind)i;
        return true;
    }
    return false;
}

pare_status pare_fuzzer_init(pare_fuzzer *fuzzer, const pare_fuzzer_options *options,
                             pare_error *err)
{
    pare_status status = PARE_OK;
    bool knows_names = options->kind == PARE_FUZZER_COMPLEX || options->kind == PARE_FUZZER_CHOICE;
    *fuzzer =
        (pare_fuzzer){.kind = options->kind,
                      .limit = {.costed = options->costed,
                                .start = options->start,
                                .max_depth = options->max_depth ? options->max_depth : SEED_DEPTH,
                                .digits = options->kind == PARE_FUZZER_CHOICE ? CHOICE_DIGITS : 0,
                                .sorted = options->kind == PARE_FUZZER_LIMIT,
                                .undefined = knows_names ? UNDEFINED : NULL,
                                .hooks = options->hooks},
                      .phases = {.costed = options->costed,
                                 .start = options->start,
                                 .max_nonterminals = MAX_OPEN},
                      .random = {.min_length = 10, .max_length = 100, .first = 32, .n = 32}};
    for (size_t i = 0; !status && i < options->n_members; i++) {
        const pare_buffer *member = &options->members[i];
        status = pare_fuzzer_mutation_add(&fuzzer->mutation, member->size ? member->data : "",
                                          member->size, false, err);
    }
    return status;
}

void pare_fuzzer_done(pare_fuzzer *fuzzer)
{
    pare_grammar_fuzzers_limit_done(&fuzzer->limit);
    pare_grammar_fuzzers_phases_done(&fuzzer->phases);
    pare_fuzzer_mutation_done(&fuzzer->mutation);
}

pare_generator pare_fuzzer_generator(pare_fuzzer *fuzzer)
{
    switch (fuzzer->kind) {
    case PARE_FUZZER_RANDOM: return pare_fuzzer_random_text(&fuzzer->random);
    case PARE_FUZZER_MUTATION: return pare_fuzzer_mutation(&fuzzer->mutation);
    case PARE_FUZZER_PHASES: return pare_grammar_fuzzers_phases(&fuzzer->phases);
    case PARE_FUZZER_GRAMMAR:
    case PARE_FUZZER_LIMIT:
    case PARE_FUZZER_COMPLEX:
    case PARE_FUZZER_CHOICE: break;
    }
    return pare_grammar_fuzzers_limit(&fuzzer->limit);
}
