/* The words of a command line and its environment, reduced as lists.
 *
 * Four lists in a row, from coarse to fine: options with their values, arguments, characters of
 * arguments, variables.  An option and its value are one unit first: the value alone would be
 * taken for an operand, and the option would take the next word for its value.  What is a value is
 * guessed from the form of words, since no program tells its options; a wrong guess only makes a
 * unit that cannot go.  Words that name paths are taken whole or not at all.
 * Source: Zeller and Hildebrandt, TSE 2002, minimise the options of GCC as a list; the four
 * lists are ours. */
#include "session/plan/command_words.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "engine/engine.h"
#include "os/entries.h"
#include "reduce/list/algorithms.h"
#include "reduce/list/config.h"
#include "session/plan/phase.h"
#include "session/plan/work.h"
#include "session/reducible_ranges.h"
#include "text/layout.h"
#include "text/split/bracket.h"
#include "text/text.h"

enum kind { OPTIONS, ARGUMENTS, CHARACTERS, VARIABLES, N_KINDS };

static const char *const names[N_KINDS] = {
    [OPTIONS] = "option",
    [ARGUMENTS] = "argument",
    [CHARACTERS] = "argument-char",
    [VARIABLES] = "variable",
};

/* What is cut: places of the best. */
struct field {
    const pare_layout *layout;
    const pare_reducible_ranges *ranges;
    const unsigned char *bytes;
    const pare_place *places;
    size_t n;
    pare_slices slices;
};

static void add(struct field *field, size_t begin, size_t end)
{
    field->slices.begin[field->slices.n] = (uint32_t)begin;
    field->slices.end[field->slices.n++] = (uint32_t)end;
}

static bool is_kind(const struct field *field, size_t i, pare_entry_kind kind)
{
    return field->layout->entries.items[field->places[i].entry].kind == kind;
}

static bool may_go(const struct field *field, size_t i)
{
    return pare_reducible_ranges_may_go(field->ranges, field->places[i].entry);
}

/* Whether place `i` is an argument that begins as options do. */
static bool is_option(const struct field *field, size_t i)
{
    const pare_place *place = &field->places[i];
    return place->end - place->begin > 1 && field->bytes[place->begin] == '-';
}

/* Whether an option at `i` is followed by its value, as far as words tell. */
static bool has_value(const struct field *field, size_t i)
{
    const pare_place *place = &field->places[i];
    if (!is_option(field, i) || memchr(field->bytes + place->begin, '=', place->end - place->begin))
        return false;
    return i + 1 < field->n && is_kind(field, i + 1, PARE_ENTRY_ARGUMENT) && may_go(field, i + 1) &&
           !is_option(field, i + 1);
}

static void cut_options(struct field *field)
{
    for (size_t i = 0; i < field->n; i++) {
        if (!is_kind(field, i, PARE_ENTRY_ARGUMENT) || !may_go(field, i)) continue;
        size_t last = has_value(field, i) ? i + 1 : i;
        add(field, field->places[i].frame, field->places[last].end);
        i = last;
    }
}

static void cut_words(struct field *field, pare_entry_kind kind)
{
    for (size_t i = 0; i < field->n; i++)
        if (is_kind(field, i, kind) && may_go(field, i))
            add(field, field->places[i].frame, field->places[i].end);
}

/* A character is a byte and what continues it in UTF-8. */
static void cut_characters(struct field *field)
{
    for (size_t i = 0; i < field->n; i++) {
        const pare_place *place = &field->places[i];
        const unsigned char *bytes = field->bytes;
        if (!is_kind(field, i, PARE_ENTRY_ARGUMENT) || !may_go(field, i) ||
            memchr(bytes + place->begin, '/', place->end - place->begin))
            continue;
        for (size_t from = place->begin, to; from < place->end; from = to) {
            for (to = from + 1; to < place->end && (bytes[to] & 0xc0) == 0x80;)
                to++;
            add(field, from, to);
        }
    }
}

static void cut(struct field *field, enum kind kind)
{
    switch (kind) {
    case OPTIONS: cut_options(field); break;
    case ARGUMENTS: cut_words(field, PARE_ENTRY_ARGUMENT); break;
    case CHARACTERS: cut_characters(field); break;
    case VARIABLES: cut_words(field, PARE_ENTRY_VARIABLE); break;
    case N_KINDS: break;
    }
}

/* How many units there can be. */
static size_t most(const struct field *field, enum kind kind)
{
    size_t n = 0;
    if (kind != CHARACTERS) return field->n;
    for (size_t i = 0; i < field->n; i++)
        if (is_kind(field, i, PARE_ENTRY_ARGUMENT))
            n += field->places[i].end - field->places[i].begin;
    return n;
}

/* Runs the list algorithm over the slices of one kind; nothing where there are none. */
static pare_status run_slices(struct field *field, const pare_text *text, enum kind kind,
                              const pare_list_algorithm *algorithm, pare_work *work,
                              pare_error *err)
{
    pare_unit_list *units = NULL;
    field->slices.begin = pare_alloc(most(field, kind), 2 * sizeof *field->slices.begin);
    if (!field->slices.begin) return pare_fail_nomem(err);
    field->slices.end = field->slices.begin + most(field, kind);
    cut(field, kind);
    assert(field->slices.n <= most(field, kind));
    if (!field->slices.n) return PARE_OK;
    pare_status status = pare_config_units_gapped(&field->slices, &units, err);
    return status ? status : pare_phase_run_units(work, algorithm, names[kind], text, units, err);
}

/* Words are looked for anew for each kind: the kinds before have left fewer. */
static pare_status run_kind(const pare_layout *layout, const pare_list_algorithm *algorithm,
                            pare_work *work, enum kind kind, pare_error *err)
{
    const pare_text *text = NULL;
    pare_place *places = NULL;
    struct field field = {.layout = layout, .ranges = &work->ranges};
    pare_status status = pare_engine_settle(work->session.engine, &text, err);
    if (!status) status = pare_layout_places(layout, text, &places, &field.n, err);
    if (!status) {
        field.bytes = pare_text_bytes(text);
        field.places = places;
        status = run_slices(&field, text, kind, algorithm, work, err);
    }
    pare_bracket_slices_done(&field.slices);
    pare_alloc_free(places);
    return status;
}

pare_status pare_command_words_round(const pare_layout *layout,
                                     const pare_list_algorithm *algorithm, pare_work *work,
                                     pare_error *err)
{
    pare_status status = PARE_OK;
    for (enum kind kind = OPTIONS; kind < N_KINDS; kind++) {
        bool any = kind == VARIABLES ? layout->n_variables : layout->n_arguments;
        if (any) status = run_kind(layout, algorithm, work, kind, err);
        if (status) return status;
    }
    return PARE_OK;
}
