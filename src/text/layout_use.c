/* What is done with what a candidate means by its layout: measured, written, read as words. */
#include "base/buffer.h"
#include "base/status.h"
#include "os/entries.h"
#include "text/candidate.h"
#include "text/layout.h"
#include "text/text.h"

#include <string.h>

/* ---- measuring ---------------------------------------------------------------------- */

struct measuring {
    const pare_entry *entries;
    pare_layout_size size;
    bool on_disk; /* the entry at hand */
};

static int count_entry(void *context, uint32_t entry, size_t behind)
{
    struct measuring *measuring = context;
    pare_layout_size *size = &measuring->size;
    (void)behind;
    measuring->on_disk = false;
    switch (measuring->entries[entry].kind) {
    case PARE_ENTRY_ARGUMENT: size->arguments++; return 0;
    case PARE_ENTRY_VARIABLE: size->variables++; return 0;
    case PARE_ENTRY_FILE:
    case PARE_ENTRY_LINK:
    case PARE_ENTRY_FOLDER: break;
    }
    measuring->on_disk = true;
    size->entries++;
    return 0;
}

static int count_bytes(void *context, pare_span span)
{
    struct measuring *measuring = context;
    if (measuring->on_disk) measuring->size.bytes += span.size;
    return 0;
}

pare_layout_size pare_layout_measure(const pare_layout *layout, const pare_candidate *candidate)
{
    struct measuring measuring = {.entries = layout->entries.items};
    const pare_layout_visitor visitor = {&measuring, count_entry, count_bytes};
    (void)pare_layout_walk(layout, candidate, &visitor);
    return measuring.size;
}

/* ---- one entry ---------------------------------------------------------------------- */

struct reading {
    uint32_t wanted, entry;
    int (*bytes)(void *context, pare_span);
    void *context;
};

static int note_entry(void *context, uint32_t entry, size_t behind)
{
    struct reading *reading = context;
    (void)behind;
    reading->entry = entry;
    return 0;
}

static int read_bytes(void *context, pare_span span)
{
    const struct reading *reading = context;
    return reading->entry == reading->wanted ? reading->bytes(reading->context, span) : 0;
}

int pare_layout_content(const pare_layout *layout, const pare_candidate *candidate, uint32_t entry,
                        int (*bytes)(void *context, pare_span), void *context)
{
    struct reading reading = {
        .wanted = entry, .entry = PARE_NO_ENTRY, .bytes = bytes, .context = context};
    const pare_layout_visitor visitor = {&reading, note_entry, read_bytes};
    return pare_layout_walk(layout, candidate, &visitor);
}

/* ---- words -------------------------------------------------------------------------- */

struct wording {
    const pare_entry *entries;
    pare_layout_words *words;
    bool in_word;
};

static int end_word(struct wording *wording)
{
    bool ended = wording->in_word;
    wording->in_word = false;
    return ended && pare_buffer_add(&wording->words->texts, "", 1, NULL);
}

static int begin_word(void *context, uint32_t entry, size_t behind)
{
    struct wording *wording = context;
    pare_layout_words *words = wording->words;
    (void)behind;
    if (end_word(wording)) return 1;
    wording->in_word = pare_entry_is_word(&wording->entries[entry]);
    if (!wording->in_word) return 0;
    bool argument = wording->entries[entry].kind == PARE_ENTRY_ARGUMENT;
    ++*(argument ? &words->n_arguments : &words->n_variables);
    return 0;
}

/* No text that was given holds a NUL, so what is behind one is of no word. */
static int add_bytes(void *context, pare_span span)
{
    const struct wording *wording = context;
    if (!wording->in_word) return 0;
    size_t size = strnlen((const char *)span.bytes, span.size);
    return pare_buffer_add(&wording->words->texts, span.bytes, size, NULL) != PARE_OK;
}

pare_status pare_layout_words_read(const pare_layout *layout, const pare_candidate *candidate,
                                   pare_layout_words *words, pare_error *err)
{
    struct wording wording = {.entries = layout->entries.items, .words = words};
    const pare_layout_visitor visitor = {&wording, begin_word, add_bytes};
    pare_buffer_reset(&words->texts);
    words->n_arguments = words->n_variables = 0;
    bool failed = pare_layout_walk(layout, candidate, &visitor) || end_word(&wording);
    return failed ? pare_fail_nomem(err) : PARE_OK;
}

void pare_layout_words_done(pare_layout_words *words)
{
    pare_buffer_done(&words->texts);
    words->n_arguments = words->n_variables = 0;
}

/* ---- writing ------------------------------------------------------------------------ */

static int write_entry(void *context, uint32_t entry, size_t behind)
{
    (void)behind;
    return pare_entries_writer_begin(context, entry);
}

static int write_bytes(void *context, pare_span span)
{
    return pare_entries_writer_add(context, span.bytes, span.size);
}

int pare_layout_write(const pare_layout *layout, const pare_candidate *candidate, int folder,
                      size_t strip)
{
    pare_entries_writer writer = {.fd = -1};
    const pare_layout_visitor visitor = {&writer, write_entry, write_bytes};
    int failed = pare_entries_writer_start(&writer, &layout->entries, folder, strip);
    if (!failed) failed = pare_layout_walk(layout, candidate, &visitor);
    if (!failed) failed = pare_entries_writer_end(&writer);
    pare_entries_writer_done(&writer);
    return failed;
}
