/* What may be reduced.
 *
 * Lists are given only units that may go.  Trees cannot be cut that way: a node that holds
 * protected text is still a node to be opened; so they propose what they like, and what
 * would lose protected text is not tested. */
#include "session/reducible_ranges.h"

#include <assert.h>
#include <fnmatch.h>
#include <string.h>

#include "base/alloc.h"
#include "base/digest.h"
#include "base/fail.h"
#include "base/halving.h"
#include "engine/limited.h"
#include "engine/strategy.h"
#include "os/entries.h"
#include "run/command.h"
#include "text/candidate.h"
#include "text/pattern.h"
#include "text/split/bracket.h"
#include "text/split/split.h"
#include "text/text.h"

/* An all-zero struct may be closed, too. */
void pare_reducible_ranges_close(pare_reducible_ranges *ranges)
{
    pare_protected_done(&ranges->protected_text);
    pare_alloc_free(ranges->kept);
    pare_alloc_free(ranges->places);
    *ranges = (pare_reducible_ranges){.kept = NULL};
}

/* ---- on the input ------------------------------------------------------------------- */

/* `patterns` may be NULL, and may hold NULLs where compiling has failed. */
static void free_patterns(pare_pattern **patterns, size_t n)
{
    for (size_t i = 0; patterns && i < n; i++)
        pare_pattern_free(patterns[i]);
    pare_alloc_free(patterns);
}

/* Compiles the regular expressions that protect text. A wrong one is reported before the input is
 * tested. */
static pare_status compile(const pare_input_options *options, pare_pattern ***out, pare_error *err)
{
    pare_pattern **patterns = pare_alloc_zero(options->n_protect, sizeof(pare_pattern *));
    if (!patterns) return pare_fail_nomem(err);
    /* All pointers are NULL at first, so that what was compiled can be freed when a later one is
     * wrong. */
    pare_status status = PARE_OK;
    for (size_t i = 0; !status && i < options->n_protect; i++)
        status = pare_pattern_new(options->protect[i], &patterns[i], err);
    if (status)
        free_patterns(patterns, options->n_protect);
    else
        *out = patterns;
    return status;
}

/* Whether a glob of the list matches the path below what was given, its last part, or the
 * whole of it; or a folder that it is in. */
static bool matches(const pare_layout *layout, uint32_t entry, const char *const *globs, size_t n)
{
    /* A glob that matches a folder keeps all that is in it. */
    for (; entry != PARE_NO_ENTRY; entry = layout->entries.items[entry].parent) {
        const char *path = layout->entries.items[entry].path;
        /* Below what was given: "src/a.c" of the input "project" is "project/src/a.c" in the
         * layout, and the user thinks of it as the first. */
        const char *slash = strchr(path, '/'), *last = strrchr(path, '/');
        for (size_t i = 0; i < n; i++) {
            if (fnmatch(globs[i], path, 0) == 0) return true;
            if (slash && fnmatch(globs[i], slash + 1, 0) == 0) return true;
            if (last && fnmatch(globs[i], last + 1, 0) == 0) return true;
        }
    }
    return false;
}

/* Decides for each entry whether it stays as it is.  Words with a mark stay: without them the
 * candidate is not read. */
static pare_status choose_kept(const pare_input_options *options, const pare_layout *layout,
                               pare_reducible_ranges *ranges, pare_error *err)
{
    /* With a single file there is nothing to choose, and a user who chooses files believes
     * otherwise. */
    bool chosen = options->n_keep_files || options->n_only_files;
    if (chosen && (!layout || layout->is_file))
        return pare_fail(err, PARE_E_ARG, "'keep' and 'only' choose among several files");
    /* ranges->kept stays NULL: nothing is kept whole. */
    if (!chosen && (!layout || !layout->n_arguments)) return PARE_OK;
    ranges->kept = pare_alloc_zero(layout->entries.n, 1);
    if (!ranges->kept) return pare_fail_nomem(err);
    for (uint32_t i = 0; i < layout->entries.n; i++) {
        const pare_entry *entry = &layout->entries.items[i];
        if (pare_entry_is_word(entry))
            ranges->kept[i] =
                entry->kind == PARE_ENTRY_ARGUMENT && pare_command_is_marked(entry->target);
        else
            ranges->kept[i] = matches(layout, i, options->keep_files, options->n_keep_files) ||
                              (options->n_only_files &&
                               !matches(layout, i, options->only_files, options->n_only_files));
    }
    return PARE_OK;
}

/* The places of all entries, or of the one file. */
static pare_status places_of(const pare_layout *layout, const pare_text *text, pare_place **places,
                             size_t *n, pare_error *err)
{
    if (layout) return pare_layout_places(layout, text, places, n, err);
    *places = pare_alloc_zero(1, sizeof **places);
    if (!*places) return pare_fail_nomem(err);
    /* The one file begins where the text does. */
    (*places)->end = pare_text_size(text);
    *n = 1;
    return PARE_OK;
}

/* Asked for again and again about the same text, by each phase of each file: the last answer is
 * kept under the digest of the text. */
pare_status pare_reducible_ranges_places(pare_reducible_ranges *ranges, const pare_text *text,
                                         const pare_place **places, size_t *n, pare_error *err)
{
    pare_digest digest = pare_text_digest(text);
    if (!ranges->places || !pare_digest_equal(digest, ranges->known)) {
        pare_place *found = NULL;
        pare_status status = places_of(ranges->layout, text, &found, &ranges->n_places, err);
        if (status) return status;
        pare_alloc_free(ranges->places);
        ranges->places = found;
        ranges->known = digest;
    }
    *places = ranges->places;
    *n = ranges->n_places;
    return PARE_OK;
}

/* Finds the protected text in the contents of files; words of the command line hold none. */
static pare_status find_protected(pare_pattern *const *patterns, size_t n_patterns,
                                  const pare_text *input, pare_reducible_ranges *ranges,
                                  pare_error *err)
{
    const pare_place *places = NULL;
    size_t n = 0;
    pare_status status = pare_reducible_ranges_places(ranges, input, &places, &n, err);
    for (size_t i = 0; !status && i < n; i++) {
        if (ranges->layout && pare_entry_is_word(&ranges->layout->entries.items[places[i].entry]))
            continue;
        pare_span content = {pare_text_bytes(input) + places[i].begin,
                             places[i].end - places[i].begin};
        status = pare_protected_add(&ranges->protected_text, places[i].entry, content, patterns,
                                    n_patterns, err);
    }
    return status;
}

/* Errors leave *ranges as it was: all is made in a struct of our own first. */
pare_status pare_reducible_ranges_open(const pare_input_options *options, const pare_layout *layout,
                                       const pare_text *input, pare_reducible_ranges *ranges,
                                       pare_error *err)
{
    pare_pattern **patterns = NULL;
    pare_reducible_ranges made = {.layout = layout};
    pare_status status = compile(options, &patterns, err);
    if (!status) status = choose_kept(options, layout, &made, err);
    if (!status) status = find_protected(patterns, options->n_protect, input, &made, err);
    free_patterns(patterns, options->n_protect);
    if (status)
        pare_reducible_ranges_close(&made);
    else
        *ranges = made;
    return status;
}

/* Words have no size that users are told. */
pare_status pare_reducible_ranges_kept_bytes(const pare_input_options *options,
                                             const pare_layout *layout, const pare_text *input,
                                             size_t *bytes, pare_error *err)
{
    pare_reducible_ranges ranges = {.layout = layout};
    const pare_place *places = NULL;
    size_t n = 0;
    *bytes = 0;
    if (!options->n_keep_files && !options->n_only_files) return PARE_OK;
    pare_status status = choose_kept(options, layout, &ranges, err);
    if (!status) status = pare_reducible_ranges_places(&ranges, input, &places, &n, err);
    for (size_t k = 0; k < n && !status; k++) {
        const bool is_word = pare_entry_is_word(&layout->entries.items[places[k].entry]);
        if (ranges.kept[places[k].entry] && !is_word) *bytes += places[k].end - places[k].begin;
    }
    pare_reducible_ranges_close(&ranges);
    return status;
}

bool pare_reducible_ranges_is_kept(const pare_reducible_ranges *ranges, uint32_t entry)
{
    return ranges->kept && ranges->kept[entry];
}

/* A file that has protected text in it cannot go, though all the rest of it may. */
bool pare_reducible_ranges_may_go(const pare_reducible_ranges *ranges, uint32_t entry)
{
    if (pare_reducible_ranges_is_kept(ranges, entry)) return false;
    return !pare_protected_has(&ranges->protected_text, entry);
}

/* ---- views -------------------------------------------------------------------------- */

/* The place of `entry`, found by halving, since places are in the order of their entries; NULL: it is gone. */
static const pare_place *find_place(const pare_place *places, size_t n, uint32_t entry)
{
    pare_halving search = {.low = 0, .high = n};
    while (pare_halving_next(&search))
        pare_halving_tell(&search, places[search.middle].entry < entry);
    return search.low < n && places[search.low].entry == entry ? &places[search.low] : NULL;
}

/* Finds the protected text in the text as it is now: its bytes never change, but they move with
 * everything deleted before them. It is counted first, to know how much room it takes. */
pare_status pare_reducible_ranges_view(pare_reducible_ranges *ranges, const pare_text *text,
                                       uint32_t entry, pare_view *view, bool *found,
                                       pare_error *err)
{
    const pare_place *places = NULL, *place = NULL;
    size_t n = 0;
    *view = (pare_view){.text = text, .entry = entry};
    pare_status status = pare_reducible_ranges_places(ranges, text, &places, &n, err);
    bool stays = ranges->kept && ranges->kept[entry];
    if (!status && !stays) place = find_place(places, n, entry);
    *found = place != NULL;
    if (status || !*found) return status;
    view->begin = place->begin;
    view->end = place->end;
    assert(view->begin <= view->end && view->end <= pare_text_size(text));
    if (!pare_protected_find(&ranges->protected_text, entry, pare_reducible_ranges_bytes(view),
                             NULL, 0, &view->n))
        /* Candidates without it are never tested, so this is a defect of ours, not of the input. */
        return pare_fail(err, PARE_E_STATE, "protected text was lost");
    view->stretches = pare_alloc(view->n, sizeof *view->stretches);
    if (!view->stretches) return pare_fail_nomem(err);
    (void)pare_protected_find(&ranges->protected_text, entry, pare_reducible_ranges_bytes(view),
                              view->stretches, view->n, &n);
    return PARE_OK;
}

/* A view that was never found may be closed, too. */
void pare_reducible_ranges_close_view(pare_view *view)
{
    pare_alloc_free(view->stretches);
    *view = (pare_view){.text = NULL};
}

/* NULL for an empty text, which has no block of bytes. */
pare_span pare_reducible_ranges_bytes(const pare_view *view)
{
    const unsigned char *bytes = pare_text_bytes(view->text);
    return (pare_span){bytes ? bytes + view->begin : NULL, view->end - view->begin};
}

/* Keeps the slices of the content that touch nothing protected, as slices of the text. */
static void settle_slices(const pare_view *view, pare_slices *slices)
{
    size_t n = 0, stretch = 0;
    for (size_t i = 0; i < slices->n; i++) {
        size_t from = slices->begin[i], to = slices->end[i];
        /* Both lists ascend, so one walk over each is enough. */
        while (stretch < view->n && view->stretches[stretch].to <= from)
            stretch++;
        if (stretch < view->n && view->stretches[stretch].from < to) continue;
        slices->begin[n] = (uint32_t)(view->begin + from);
        slices->end[n++] = (uint32_t)(view->begin + to);
    }
    slices->n = n;
}

/* Makes a list of units that do not touch. The text between them is in every candidate. */
pare_status pare_reducible_ranges_units_gapped(const pare_view *view, pare_slices *slices,
                                               pare_unit_list **out, pare_error *err)
{
    settle_slices(view, slices);
    return pare_config_units_gapped(slices, out, err);
}

/* Bounds without gaps take less memory and are cheaper to walk over than slices, so they stay
 * what they are where nothing is protected and the file is all of the text: the common case. */
pare_status pare_reducible_ranges_units(const pare_view *view, pare_bounds *bounds,
                                        pare_unit_list **out, pare_error *err)
{
    bool whole = view->begin == 0 && view->end == pare_text_size(view->text) && view->n == 0;
    if (whole) return pare_config_units_new(bounds, out, err);
    pare_slices slices = {.begin = pare_alloc(bounds->n, 2 * sizeof *slices.begin), .n = bounds->n};
    if (!slices.begin) return pare_fail_nomem(err);
    slices.end = slices.begin + bounds->n;
    for (size_t i = 0; i < bounds->n; i++) {
        slices.begin[i] = (uint32_t)pare_split_bounds_begin(bounds, i);
        slices.end[i] = (uint32_t)pare_split_bounds_begin(bounds, i + 1);
    }
    pare_status status = pare_reducible_ranges_units_gapped(view, &slices, out, err);
    pare_bracket_slices_done(&slices);
    return status;
}

/* ---- guarding ----------------------------------------------------------------------- */

/* Whether the candidate still has all that is protected in the file.  It is built whole for that:
 * protected text may lie across pieces. */
static pare_status keeps_protected(const void *context, const pare_candidate *candidate,
                                   bool *admitted, pare_error *err)
{
    const pare_guarded *guarded = context;
    size_t around = guarded->before + guarded->after, n = 0;
    unsigned char *bytes = pare_alloc(candidate->size + 1, 1);
    if (!bytes) return pare_fail_nomem(err);
    pare_candidate_read(candidate, bytes);
    *admitted = candidate->size >= around &&
                pare_protected_find(&guarded->ranges->protected_text, guarded->entry,
                                    (pare_span){bytes + guarded->before, candidate->size - around},
                                    NULL, 0, &n);
    pare_alloc_free(bytes);
    return PARE_OK;
}

/* NULL lets the caller leave the filter out: candidates are not built twice where nothing is
 * protected. */
pare_admits pare_reducible_ranges_admits(const pare_reducible_ranges *ranges, const pare_view *view,
                                         pare_guarded *guarded)
{
    if (!view->n) return NULL;
    *guarded = (pare_guarded){.ranges = ranges,
                              .entry = view->entry,
                              .before = view->begin,
                              .after = pare_text_size(view->text) - view->end};
    return keeps_protected;
}

/* The filter takes the strategy over, and drops its proposals that would lose protected text
 * before they are tested: they cost time, but no test. */
pare_status pare_reducible_ranges_guard(const pare_reducible_ranges *ranges, const pare_view *view,
                                        pare_guarded *guarded, pare_strategy **strategy,
                                        pare_error *err)
{
    pare_admits admits = pare_reducible_ranges_admits(ranges, view, guarded);
    if (!admits) return PARE_OK;
    pare_strategy *inner = *strategy;
    *strategy = NULL;
    return pare_limited_filter(inner, admits, guarded, strategy, err);
}
