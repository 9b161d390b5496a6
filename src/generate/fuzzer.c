/* Names, and what the seeds have: depth 10, 0 and 10 open nonterminals, 10 to 100
 * characters of 32, `00` for a name where none is declared. */
#include "generate/fuzzer.h"

#include <string.h>

#include "base/buffer.h"
#include "reduce/choice/choices.h"

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
    *fuzzer = (pare_fuzzer){
        .kind = options->kind,
        .limit = {.book = options->book,
                  .start = options->start,
                  .max_depth = options->max_depth ? options->max_depth : SEED_DEPTH,
                  .digits = options->kind == PARE_FUZZER_CHOICE ? CHOICE_DIGITS : 0,
                  .sorted = options->kind == PARE_FUZZER_LIMIT,
                  .undefined = knows_names ? UNDEFINED : NULL,
                  .hooks = options->hooks},
        .phases = {.book = options->book, .start = options->start, .max_nonterminals = MAX_OPEN},
        .random = {.min_length = 10, .max_length = 100, .first = 32, .n = 32}};
    for (size_t i = 0; !status && i < options->n_members; i++) {
        const pare_buffer *member = &options->members[i];
        status = pare_mutation_add(&fuzzer->mutation, member->size ? member->data : "",
                                   member->size, false, err);
    }
    return status;
}

void pare_fuzzer_done(pare_fuzzer *fuzzer)
{
    pare_limit_done(&fuzzer->limit);
    pare_phases_done(&fuzzer->phases);
    pare_mutation_done(&fuzzer->mutation);
}

pare_generator pare_fuzzer_generator(pare_fuzzer *fuzzer)
{
    switch (fuzzer->kind) {
    case PARE_FUZZER_RANDOM: return pare_random_text_generator(&fuzzer->random);
    case PARE_FUZZER_MUTATION: return pare_mutation_generator(&fuzzer->mutation);
    case PARE_FUZZER_PHASES: return pare_phases_generator(&fuzzer->phases);
    case PARE_FUZZER_GRAMMAR:
    case PARE_FUZZER_LIMIT:
    case PARE_FUZZER_COMPLEX:
    case PARE_FUZZER_CHOICE: break;
    }
    return pare_limit_generator(&fuzzer->limit);
}
