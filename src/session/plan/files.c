/* The order in which several files are reduced.
 *
 * Whole files by levels of folders, from the outside in: HDD (Misherghi and Su, ICSE 2006)
 * with folders for a grammar.  A level has only what is left of the one above, so the
 * tests of all levels together grow with the logarithm of the number of files.
 *
 * Words of the command line and the environment come between the two: an
 * option that is gone often makes the program cheaper to run, and what the last phase shows
 * of the contents holds for the words that are left.
 *
 * Contents, by algorithms of the user's choice (the default's order is that of
 * folder_schedule.c): what a phase promises for a file is the bytes that the file still has times
 * the share of bytes that the phase has removed so far, in all files.  Only outcomes decide,
 * so the order is the same for every number of jobs. */

#include "session/plan/files.h"

#include <assert.h>
#include <string.h>

#include <pare/algorithm.h>
#include <pare/language.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "engine/engine.h"
#include "engine/limited.h"
#include "os/entries.h"
#include "reduce/list/algorithms.h"
#include "reduce/list/config.h"
#include "reduce/syntax/front_end.h"
#include "session/plan/patience.h"
#include "session/plan/phase.h"
#include "session/plan/phase_input.h"
#include "session/plan/plan.h"
#include "session/plan/work.h"
#include "session/reducible_ranges.h"
#include "session/session.h"
#include "text/layout.h"
#include "text/split/bracket.h"
#include "text/text.h"

/* A front end for the files of one language. */
struct reader {
    const char *language;  /* static; NULL: none */
    pare_front_end *front; /* owned */
};

/* Languages in one folder that get a front end of their own; files of any further one are read
 * by the last. */
enum { MAX_READERS = 32 };

/* What a phase did in the files that it has run on, in bytes. */
struct record {
    double before, removed;
};

/* One file on its way through the phases. */
struct item {
    uint32_t entry;
    size_t phase; /* next */
};

/* The reduction of several files: their layout, the front ends of their languages, and what
 * phases have removed so far. */
struct pare_files {
    const pare_tree_options *trees;           /* borrowed */
    const pare_layout *layout;                /* borrowed */
    const pare_list_algorithm *first, *again; /* for whole files and contents */
    struct reader readers[MAX_READERS];
    size_t n_readers;
    struct record records[PARE_PLAN_MAX_PHASES];
};

/* What is known of a phase before it has run anywhere: as if it had halved one kilobyte. So
 * larger files are first at the beginning. */
static const struct record PRIOR = {.before = 1024, .removed = 512};

/* Algorithms of the user's choice if they are for lists; else halving, and run growth once
 * little is left to find. */
static void choose_algorithms(pare_files *files, const pare_plan *plan)
{
    const pare_phase *phase = &plan->phases[0];
    bool own = !plan->fixpoint && phase->algorithm;
    files->first = own ? phase->algorithm : pare_list_algorithm_find("group-testing");
    files->again = own ? phase->again : pare_list_algorithm_find("adaptive");
}

/* Front ends are opened when the first file of their language is met. */
pare_status pare_files_new(const pare_tree_options *trees, const pare_layout *layout,
                           const pare_plan *plan, pare_files **out, pare_error *err)
{
    pare_files *files = pare_alloc_zero(1, sizeof *files);
    if (!files) return pare_fail_nomem(err);
    files->trees = trees;
    files->layout = layout;
    choose_algorithms(files, plan);
    *out = files;
    return PARE_OK;
}

/* Front ends are shared by files, and each is in the list once. */
void pare_files_free(pare_files *files)
{
    if (!files) return;
    for (size_t i = 0; i < files->n_readers; i++)
        pare_front_end_free(files->readers[i].front);
    pare_alloc_free(files);
}

/* ---- front ends --------------------------------------------------------------------- */

/* The language that the name of a file tells; NULL: none. */
static const char *language_of(const pare_files *files, uint32_t entry)
{
    const pare_language_info *info =
        pare_language_for_file(files->layout->entries.items[entry].path);
    return info ? info->name : NULL;
}

/* A front end for the language of `entry`, the same one for all files of that language: grammars
 * and what was learned of texts are shared. */
static pare_status open_reader(pare_files *files, uint32_t entry, pare_front_end **front,
                               pare_error *err)
{
    pare_tree_options trees = *files->trees;
    const char *language = language_of(files, entry);
    /* A name that tells no language is not guessed at again by the front end. */
    trees.language = language ? NULL : "none";
    /* There are few languages in one folder. */
    for (size_t i = 0; i < files->n_readers; i++) {
        const char *known = files->readers[i].language;
        bool same = known && language ? strcmp(known, language) == 0 : known == language;
        *front = files->readers[i].front;
        if (same) return PARE_OK;
    }
    if (files->n_readers == MAX_READERS) return PARE_OK; /* the last one: brackets at worst */
    pare_status status =
        pare_front_end_open(&trees, files->layout->entries.items[entry].path, front, err);
    if (!status)
        files->readers[files->n_readers++] = (struct reader){.language = language, .front = *front};
    return status;
}

/* ---- units of whole files ----------------------------------------------------------- */

/* Makes room for `n` slices: one block for their begins and ends, which pare_bracket_slices_done
 * releases. */
static pare_status start_slices(size_t n, pare_slices *slices, pare_error *err)
{
    slices->begin = pare_alloc(n, 2 * sizeof *slices->begin);
    if (!slices->begin) return pare_fail_nomem(err);
    slices->end = slices->begin + n;
    return PARE_OK;
}

/* There is room for as many slices as there are places (start_slices). */
static void add_slice(pare_slices *slices, size_t begin, size_t end)
{
    slices->begin[slices->n] = (uint32_t)begin;
    slices->end[slices->n++] = (uint32_t)end;
}

/* Where each entry that is left stands in the best; borrowed until the best changes. */
static pare_status best_places(pare_work *work, const pare_text **text, const pare_place **places,
                               size_t *n, pare_error *err)
{
    pare_status status = pare_engine_settle(work->session.engine, text, err);
    return status ? status : pare_reducible_ranges_places(&work->ranges, *text, places, n, err);
}

/* What is cut: the places of all entries in the best, and the slices that became of them. */
struct cutting {
    const pare_text *text;    /* borrowed, as the places are, until the best changes */
    const pare_place *places; /* in the order of the entries: files, then words */
    size_t n;
    pare_slices slices; /* owned; room for one of each place */
};

/* On failure, too, the caller closes it: pare_bracket_slices_done of its slices. */
static pare_status open_cutting(pare_work *work, struct cutting *cutting, pare_error *err)
{
    *cutting = (struct cutting){.n = 0};
    pare_status status = best_places(work, &cutting->text, &cutting->places, &cutting->n, err);
    return status ? status : start_slices(cutting->n, &cutting->slices, err);
}

/* The entry at `depth` that `entry` is or lies in; PARE_NO_ENTRY if `entry` is further up. */
static uint32_t at_depth(const pare_files *files, uint32_t entry, uint32_t depth)
{
    const pare_entry *items = files->layout->entries.items;
    if (items[entry].depth < depth) return PARE_NO_ENTRY;
    while (items[entry].depth > depth)
        entry = items[entry].parent;
    return entry;
}

/* Words of the command line are entries as files are, and come after them. */
static bool is_word(const pare_files *files, uint32_t entry)
{
    return pare_entry_is_word(&files->layout->entries.items[entry]);
}

/* Cuts what stands at `depth` into units: folders with all that is in them, and files. A unit that
 * holds an entry which must stay is left out. *deeper tells whether anything lies below this
 * depth. */
static void cut_level(const pare_files *files, const pare_work *work, struct cutting *cutting,
                      uint32_t depth, bool *deeper)
{
    const pare_place *places = cutting->places;
    const size_t n = cutting->n;
    *deeper = false;
    for (size_t i = 0; i < n;) {
        if (is_word(files, places[i].entry)) break; /* the others are, too */
        uint32_t top = at_depth(files, places[i].entry, depth);
        bool may_go = top != PARE_NO_ENTRY;
        size_t first = i;
        do {
            may_go = may_go && pare_reducible_ranges_may_go(&work->ranges, places[i].entry);
            *deeper = *deeper || files->layout->entries.items[places[i].entry].depth > depth;
            i++;
        } while (i < n && top != PARE_NO_ENTRY && at_depth(files, places[i].entry, depth) == top);
        if (may_go) add_slice(&cutting->slices, places[first].frame, places[i - 1].end);
    }
}

/* Cuts the content of each file, without its frame. */
static void cut_contents(const pare_files *files, const pare_work *work, struct cutting *cutting)
{
    const pare_place *places = cutting->places;
    for (size_t i = 0; i < cutting->n && !is_word(files, places[i].entry); i++)
        if (places[i].begin < places[i].end &&
            pare_reducible_ranges_may_go(&work->ranges, places[i].entry))
            add_slice(&cutting->slices, places[i].begin, places[i].end);
}

/* Runs over the slices, which are taken over, if there are any. */
static pare_status run_cutting(const pare_files *files, pare_work *work, const char *unit,
                               struct cutting *cutting, pare_error *err)
{
    pare_unit_list *units = NULL;
    if (!cutting->slices.n) return PARE_OK;
    const pare_early_stop_terms terms = pare_patience_among(cutting->slices.n);
    pare_status status = pare_config_units_gapped(&cutting->slices, &units, err);
    if (status) return status;
    /* In the default's first round only as long as it pays: of few files most are needed, and contents
     * are worth more. */
    const bool first = work->plan.fixpoint && !work->again && work->effort != PARE_EFFORT_MAX;
    if (first) pare_patience_guard(work, &terms, 0);
    status = pare_phase_run_units(work, work->again ? files->again : files->first, unit,
                                  cutting->text, units, err);
    if (first) pare_engine_guard(work->session.engine, &(pare_guard_terms){.after = NULL});
    if (status == PARE_RUN_ENDED && work->session.end == PARE_END_VAIN)
        status = pare_session_go_on(&work->session, status);
    return status;
}

/* Reduces the entries at one depth as a list, in which a folder is one unit. The units of each
 * level are cut from what the level above has left. */
static pare_status run_level(const pare_files *files, pare_work *work, uint32_t depth, bool *deeper,
                             pare_error *err)
{
    struct cutting cutting;
    pare_status status = open_cutting(work, &cutting, err);
    if (!status) cut_level(files, work, &cutting, depth, deeper);
    if (!status) status = run_cutting(files, work, "file", &cutting, err);
    pare_bracket_slices_done(&cutting.slices);
    return status;
}

/* Runs over the contents of all files, each as one unit: a file that must be there may still be
 * empty. */
static pare_status run_contents(const pare_files *files, pare_work *work, pare_error *err)
{
    struct cutting cutting;
    pare_status status = open_cutting(work, &cutting, err);
    if (!status) cut_contents(files, work, &cutting);
    if (!status) status = run_cutting(files, work, "content", &cutting, err);
    pare_bracket_slices_done(&cutting.slices);
    return status;
}

/* Reduces the files as wholes: depth by depth from the outside in, until nothing lies deeper, and
 * then the contents of files. A single file, with words or without, has no levels. */
static pare_status run_whole(const pare_files *files, pare_work *work, pare_error *err)
{
    bool deeper = true;
    pare_status status = PARE_OK;
    if (files->layout->is_file) return PARE_OK;
    for (uint32_t depth = 1; !status && deeper; depth++)
        status = run_level(files, work, depth, &deeper, err);
    if (status) return status;
    return run_contents(files, work, err);
}

/* ---- words ------------------------------------------------------------------------------ */

/* The words of a command line and its environment, reduced as lists.
 *
 * Four lists in a row, from coarse to fine: options with their values, arguments, characters of
 * arguments, variables.  An option and its value are one unit first: the value alone would be
 * taken for an operand, and the option would take the next word for its value.  What is a value is
 * guessed from the form of words, since no program tells its options; a wrong guess only makes a
 * unit that cannot go.  Words that name paths are taken whole or not at all.
 * Source: Zeller and Hildebrandt, TSE 2002, minimise the options of GCC as a list; the four
 * lists are ours. */

enum kind { OPTIONS, ARGUMENTS, CHARACTERS, VARIABLES, N_KINDS };

static const char *const names[N_KINDS] = {
    [OPTIONS] = "option",
    [ARGUMENTS] = "argument",
    [CHARACTERS] = "argument-char",
    [VARIABLES] = "variable",
};

/* What run_words cuts its units from: the places in the best. */
struct field {
    const pare_layout *layout;
    const pare_reducible_ranges *ranges;
    const unsigned char *bytes;
    const pare_place *places;
    size_t n;
    pare_slices slices;
};

/* Whether place `i` is a word, or a file, of this kind. */
static bool is_kind(const struct field *field, size_t i, pare_entry_kind kind)
{
    return field->layout->entries.items[field->places[i].entry].kind == kind;
}

/* Words that stand for the input stay (reducible_ranges.c). */
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

/* Whether the word after the option at `i` is its value. A guess from the words' forms: no program
 * tells. */
static bool has_value(const struct field *field, size_t i)
{
    const pare_place *place = &field->places[i];
    if (!is_option(field, i) || memchr(field->bytes + place->begin, '=', place->end - place->begin))
        return false;
    return i + 1 < field->n && is_kind(field, i + 1, PARE_ENTRY_ARGUMENT) && may_go(field, i + 1) &&
           !is_option(field, i + 1);
}

/* An option with its value is one unit, so `i` may move on by two. */
static void cut_options(struct field *field)
{
    for (size_t i = 0; i < field->n; i++) {
        if (!is_kind(field, i, PARE_ENTRY_ARGUMENT) || !may_go(field, i)) continue;
        size_t last = has_value(field, i) ? i + 1 : i;
        add_slice(&field->slices, field->places[i].frame, field->places[last].end);
        i = last;
    }
}

/* Each word of the kind is a unit, frame and all. */
static void cut_words(struct field *field, pare_entry_kind kind)
{
    for (size_t i = 0; i < field->n; i++)
        if (is_kind(field, i, kind) && may_go(field, i))
            add_slice(&field->slices, field->places[i].frame, field->places[i].end);
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
            add_slice(&field->slices, from, to);
        }
    }
}

/* Fills field->slices with the units of the kind. */
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

/* Runs the list algorithm over the words of one kind, if there are any. */
static pare_status run_words(struct field *field, const pare_text *text, enum kind kind,
                             const pare_list_algorithm *algorithm, pare_work *work, pare_error *err)
{
    pare_unit_list *units = NULL;
    pare_status status = start_slices(most(field, kind), &field->slices, err);
    if (status) return status;
    cut(field, kind);
    assert(field->slices.n <= most(field, kind));
    if (!field->slices.n) return PARE_OK;
    status = pare_config_units_gapped(&field->slices, &units, err);
    return status ? status : pare_phase_run_units(work, algorithm, names[kind], text, units, err);
}

/* The places of words are read anew for each kind, since the kinds before it have left fewer
 * words. */
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
        status = run_words(&field, text, kind, algorithm, work, err);
    }
    pare_bracket_slices_done(&field.slices);
    pare_alloc_free(places);
    return status;
}

/* Options together with their values, then single arguments, then characters of arguments, then
 * variables, each as a list, by `algorithm`. Words that stand for the input stay as they are. Words
 * with a slash lose no characters: a shorter path is a different path, which the program might
 * write to or remove. Errors: those of pare_phase_run. */
static pare_status words_round(const pare_layout *layout, const pare_list_algorithm *algorithm,
                               pare_work *work, pare_error *err)
{
    pare_status status = PARE_OK;
    for (enum kind kind = OPTIONS; kind < N_KINDS; kind++) {
        bool any = kind == VARIABLES ? layout->n_variables : layout->n_arguments;
        if (any) status = run_kind(layout, algorithm, work, kind, err);
        if (status) return status;
    }
    return PARE_OK;
}

/* ---- contents ----------------------------------------------------------------------- */

/* What is left of each file that may be reduced: `bytes` by entry, `items` those files. */
struct shelf {
    struct item *items; /* owned */
    size_t n;
    size_t *bytes; /* owned; 0 for what is not there */
};

/* An all-zero shelf may be ended. */
static void shelf_done(struct shelf *shelf)
{
    pare_alloc_free(shelf->items);
    pare_alloc_free(shelf->bytes);
}

/* The length of the arrays that pare_files_weigh fills. */
size_t pare_files_n_entries(const pare_files *files)
{
    return files->layout->entries.n;
}

/* All bytes are set to 0 first: what has no place in the best any more has none. */
pare_status pare_files_weigh(const pare_files *files, pare_work *work, size_t *bytes,
                             pare_error *err)
{
    const pare_text *text = NULL;
    const pare_place *places = NULL;
    size_t n = 0;
    pare_status status = best_places(work, &text, &places, &n, err);
    memset(bytes, 0, files->layout->entries.n * sizeof *bytes);
    for (size_t i = 0; !status && i < n; i++)
        if (!is_word(files, places[i].entry))
            bytes[places[i].entry] = places[i].end - places[i].begin;
    return status;
}

/* Lists the files that are left.  Invariant: an item is a file whose bytes are not 0. */
static pare_status fill_shelf(const pare_files *files, pare_work *work, struct shelf *shelf,
                              pare_error *err)
{
    size_t n = files->layout->entries.n;
    shelf->items = pare_alloc(n, sizeof *shelf->items);
    shelf->bytes = pare_alloc(n, sizeof *shelf->bytes);
    if (!shelf->items || !shelf->bytes) return pare_fail_nomem(err);
    pare_status status = pare_files_weigh(files, work, shelf->bytes, err);
    for (uint32_t i = 0; !status && i < n; i++)
        if (shelf->bytes[i]) shelf->items[shelf->n++] = (struct item){.entry = i};
    assert(shelf->n <= n);
    return status;
}

/* Bytes that the next phase of the file is expected to remove; at first half of it (PRIOR). */
static double promise(const pare_files *files, const struct shelf *shelf, const struct item *item)
{
    const struct record *record = &files->records[item->phase];
    double share = (record->removed + PRIOR.removed) / (record->before + PRIOR.before);
    return (double)shelf->bytes[item->entry] * share;
}

/* The file that promises the most; of equal ones the first.  NULL: all are through. */
static struct item *choose(const pare_files *files, const struct shelf *shelf,
                           const pare_plan *plan)
{
    struct item *best = NULL;
    for (size_t i = 0; i < shelf->n; i++) {
        struct item *item = &shelf->items[i];
        if (item->phase == plan->n_phases || !shelf->bytes[item->entry]) continue;
        if (!best || promise(files, shelf, item) > promise(files, shelf, best)) best = item;
    }
    return best;
}

/* A grammar or a language that the user has named is for all files; else each has the front end
 * of its own. */
pare_status pare_files_enter(pare_files *files, pare_work *work, uint32_t entry, size_t bytes,
                             pare_error *err)
{
    work->file = entry;
    work->file_bytes = bytes;
    const char *named = files->trees->language;
    bool by_name = !files->trees->n_grammars && (!named || strcmp(named, "auto") == 0);
    if (!by_name || !pare_plan_has_trees(&work->plan)) return PARE_OK;
    return open_reader(files, entry, &work->front, err);
}

/* Runs the next phase of the file, and notes for all files what the phase removed. */
static pare_status run_item(pare_files *files, pare_work *work, struct shelf *shelf,
                            struct item *item, pare_error *err)
{
    size_t before = shelf->bytes[item->entry];
    struct record *record = &files->records[item->phase];
    assert(item->phase < work->plan.n_phases && before > 0);
    pare_status status = pare_files_enter(files, work, item->entry, before, err);
    if (!status) status = pare_phase_run(work, &work->plan.phases[item->phase], err);
    (void)pare_session_is_skipped(&work->session, &status);
    if (!status) status = pare_files_weigh(files, work, shelf->bytes, err);
    if (status) return status;
    record->before += (double)before;
    record->removed += (double)before - (double)shelf->bytes[item->entry];
    item->phase++;
    return PARE_OK;
}

/* Words last: an option that is gone may make a file useless, which the next round finds. */
pare_status pare_files_whole(pare_files *files, pare_work *work, pare_error *err)
{
    pare_status status = run_whole(files, work, err);
    if (!status)
        status = words_round(files->layout, work->again ? files->again : files->first, work, err);
    return status;
}

/* The shelf is filled once: files that are gone have no bytes, and are passed over. */
pare_status pare_files_round(pare_files *files, pare_work *work, pare_error *err)
{
    struct shelf shelf = {0};
    pare_status status = pare_files_whole(files, work, err);
    if (status) return status;
    status = fill_shelf(files, work, &shelf, err);
    struct item *item;
    while (!status && (item = choose(files, &shelf, &work->plan)))
        status = run_item(files, work, &shelf, item, err);
    shelf_done(&shelf);
    return status;
}

/* Each file is entered for it, since units may depend on its language. */
pare_status pare_files_count(pare_files *files, pare_work *work, const pare_phase *phase, size_t *n,
                             pare_error *err)
{
    struct shelf shelf = {0};
    *n = 0;
    pare_status status = fill_shelf(files, work, &shelf, err);
    for (size_t i = 0; !status && i < shelf.n; i++) {
        uint32_t entry = shelf.items[i].entry;
        size_t more = 0;
        status = pare_files_enter(files, work, entry, shelf.bytes[entry], err);
        if (!status) status = pare_phase_input_count(work, phase, &more, err);
        *n += more;
    }
    shelf_done(&shelf);
    return status;
}
