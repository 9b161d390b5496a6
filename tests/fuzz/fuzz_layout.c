/* Fuzz target: what any bytes mean as files of a layout.
 *
 * Entries come in ascending order and each has a frame; frames, contents and what is passed
 * over are no more than the bytes; and however the bytes are cut into pieces, they mean the
 * same.  Aborts on a violation. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "text/layout.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds) abort();
}

/* What a walk met, as bytes: 'E' and the number, 'B' and the content. */
struct met {
    const pare_layout *layout;
    pare_hash contents;
    size_t n_bytes, n_entries;
    uint32_t last;
    size_t behind;
};

static int meet_entry(void *context, uint32_t entry, size_t behind)
{
    struct met *met = context;
    require(entry < met->layout->entries.n && pare_layout_has_frame(met->layout, entry));
    require(met->n_entries == 0 || (entry > met->last && behind > met->behind));
    met->last = entry;
    met->behind = behind;
    met->n_entries++;
    met->contents = pare_digest_extend(met->contents, &entry, sizeof entry);
    return 0;
}

static int meet_bytes(void *context, pare_span span)
{
    struct met *met = context;
    require(span.size > 0 && met->n_entries > 0);
    met->n_bytes += span.size;
    met->contents = pare_digest_extend(met->contents, span.bytes, span.size);
    return 0;
}

/* Walks over the bytes, cut into literals of `step` bytes with slices between them. */
static struct met walk(const pare_layout *layout, const pare_text *text, const uint8_t *data,
                       size_t size, size_t step)
{
    pare_candidate candidate = {0};
    struct met met = {.layout = layout};
    const pare_layout_visitor visitor = {&met, meet_entry, meet_bytes};
    pare_candidate_start(&candidate, text);
    for (size_t at = 0, k = 0; at < size; at += step, k++) {
        size_t n = size - at < step ? size - at : step;
        pare_status status = k % 2 ? pare_candidate_literal(&candidate, data + at, n, NULL)
                                   : pare_candidate_slice(&candidate, at, n, NULL);
        require(status == PARE_OK);
    }
    require(pare_layout_walk(layout, &candidate, &visitor) == 0);
    require(met.n_bytes + met.n_entries * PARE_LAYOUT_FRAME_BYTES <= size);
    pare_layout_size measured = pare_layout_measure(layout, &candidate);
    require(measured.bytes == met.n_bytes && measured.entries == met.n_entries);
    pare_candidate_done(&candidate);
    return met;
}

static void check_places(const pare_layout *layout, const pare_text *text, struct met met)
{
    pare_place *places = NULL;
    size_t n = 0;
    unsigned char frame[PARE_LAYOUT_FRAME_BYTES], found[PARE_LAYOUT_FRAME_BYTES];
    require(pare_layout_places(layout, text, &places, &n, NULL) == PARE_OK);
    require(n == met.n_entries);
    for (size_t i = 0; i < n; i++) {
        require(places[i].frame + sizeof frame == places[i].begin);
        require(places[i].begin <= places[i].end && places[i].end <= pare_text_size(text));
        require(i == 0 || places[i - 1].end == places[i].frame);
        pare_layout_frame(layout, places[i].entry, frame);
        pare_text_read(text, places[i].frame, sizeof found, found);
        require(memcmp(frame, found, sizeof frame) == 0);
    }
    pare_alloc_free(places);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static pare_entry entries[] = {
        {.path = "d", .kind = PARE_ENTRY_FOLDER, .parent = PARE_NO_ENTRY, .after = 6, .depth = 1},
        {.path = "d/a", .kind = PARE_ENTRY_FILE, .after = 2, .depth = 2},
        {.path = "d/e", .kind = PARE_ENTRY_FOLDER, .after = 3, .depth = 2},
        {.path = "d/f", .kind = PARE_ENTRY_FOLDER, .after = 5, .depth = 2},
        {.path = "d/f/x", .kind = PARE_ENTRY_FILE, .parent = 3, .after = 5, .depth = 3},
        {.path = "d/l", .target = "a", .kind = PARE_ENTRY_LINK, .after = 6, .depth = 2}};
    const pare_layout layout = {.entries = {.items = entries, .n = 6}, .marker = "Mabcdefg"};
    pare_text *text = NULL;
    require(pare_text_copy(data, size, &text, NULL) == PARE_OK);
    struct met whole = walk(&layout, text, data, size, size + 1);
    for (size_t step = 1; step < 14; step++) {
        struct met cut = walk(&layout, text, data, size, step);
        require(cut.n_bytes == whole.n_bytes && cut.n_entries == whole.n_entries);
        require(cut.contents.lane[0] == whole.contents.lane[0]);
    }
    check_places(&layout, text, whole);
    pare_text_unref(text);
    return 0;
}
