/* Saving candidates of a layout with links to what was saved before.
 *
 * The walk runs twice: to know the contents, then to write those that are new.  A file of
 * the output that somebody changed meanwhile is written anew (pare_entry_record). */
#include <errno.h>
#include <string.h>

#include "base/alloc.h"
#include "base/digest.h"
#include "base/status.h"
#include "os/entries.h"
#include "text/candidate.h"
#include "text/layout.h"
#include "text/text.h"

pare_status pare_layout_saver_init(pare_layout_saver *saver, const pare_layout *layout,
                                   size_t strip, pare_error *err)
{
    size_t n = layout->entries.n;
    *saver = (pare_layout_saver){.layout = layout,
                                 .strip = strip,
                                 .contents = pare_alloc_zero(n, sizeof *saver->contents),
                                 .next = pare_alloc_zero(n, sizeof *saver->next),
                                 .records = pare_alloc_zero(n, sizeof *saver->records)};
    return saver->contents && saver->next && saver->records ? PARE_OK : pare_fail_nomem(err);
}

void pare_layout_saver_done(pare_layout_saver *saver)
{
    pare_release(saver->contents);
    pare_release(saver->next);
    pare_release(saver->records);
    *saver = (pare_layout_saver){.layout = NULL};
}

/* ---- first walk: contents ------------------------------------------------------------ */

struct hashing {
    pare_digest *digests;
    uint32_t entry;
    pare_hash hash;
    size_t size; /* one more than the content, so that no content has the digest of none */
    bool any;
};

static void end_entry(struct hashing *hashing)
{
    if (hashing->any)
        hashing->digests[hashing->entry] = pare_digest_of(hashing->hash, hashing->size);
}

static int begin_entry(void *context, uint32_t entry, size_t behind)
{
    struct hashing *hashing = context;
    const unsigned char there = 1;
    (void)behind;
    end_entry(hashing);
    *hashing = (struct hashing){.digests = hashing->digests, .entry = entry, .any = true};
    hashing->hash = pare_hash_bytes(hashing->hash, &there, sizeof there);
    hashing->size = sizeof there;
    return 0;
}

static int hash_bytes(void *context, pare_span span)
{
    struct hashing *hashing = context;
    hashing->hash = pare_hash_bytes(hashing->hash, span.bytes, span.size);
    hashing->size += span.size;
    return 0;
}

void pare_layout_saver_look(pare_layout_saver *saver, const pare_candidate *candidate)
{
    struct hashing hashing = {.digests = saver->next};
    const pare_layout_visitor visitor = {&hashing, begin_entry, hash_bytes};
    memset(saver->next, 0, saver->layout->entries.n * sizeof *saver->next);
    (void)pare_layout_walk(saver->layout, candidate, &visitor);
    end_entry(&hashing);
}

bool pare_layout_saver_changed(const pare_layout_saver *saver, uint32_t index)
{
    for (uint32_t i = index; i < saver->layout->entries.items[index].behind; i++)
        if (!pare_digest_equal(saver->contents[i], saver->next[i])) return true;
    return false;
}

bool pare_layout_saver_present(const pare_layout_saver *saver, uint32_t index)
{
    for (uint32_t i = index; i < saver->layout->entries.items[index].behind; i++)
        if (!pare_digest_equal(saver->next[i], (pare_digest){0})) return true;
    return false;
}

void pare_layout_saver_turn(pare_layout_saver *saver)
{
    pare_digest *contents = saver->contents;
    saver->contents = saver->next;
    saver->next = contents;
}

/* ---- second walk: writing ------------------------------------------------------------ */

struct saving {
    pare_layout_saver *saver;
    pare_entries_writer writer;
    int previous;
    bool passed_over; /* the entry at hand is of another input */
};

static int write_entry(void *context, uint32_t entry, size_t behind)
{
    struct saving *saving = context;
    const pare_layout_saver *saver = saving->saver;
    const pare_entry *item = &saver->layout->entries.items[entry];
    (void)behind;
    saving->passed_over =
        saving->writer.input != PARE_NO_ENTRY && item->input != saving->writer.input;
    if (saving->passed_over) return 0;
    bool same = item->kind == PARE_ENTRY_FILE &&
                pare_digest_equal(saver->contents[entry], saver->next[entry]);
    if (same && saving->previous >= 0 &&
        !pare_entries_writer_link(&saving->writer, entry, saving->previous))
        return 0;
    return pare_entries_writer_begin(&saving->writer, entry);
}

static int write_bytes(void *context, pare_span span)
{
    struct saving *saving = context;
    if (saving->passed_over) return 0;
    return pare_entries_writer_add(&saving->writer, span.bytes, span.size);
}

/* Bytes to leave off the paths of what is in `input`, a folder, so that it is one. */
static size_t strip_of(const pare_entries *entries, uint32_t input)
{
    for (size_t i = 0; i < entries->n; i = entries->items[i].behind)
        if (entries->items[i].input == input) return strlen(entries->items[i].path) + 1;
    return 0;
}

int pare_layout_saver_part(pare_layout_saver *saver, const pare_candidate *candidate,
                           uint32_t input, int folder, int previous)
{
    const pare_entries *entries = &saver->layout->entries;
    struct saving saving = {.saver = saver, .previous = previous, .writer = {.fd = -1}};
    const pare_layout_visitor visitor = {&saving, write_entry, write_bytes};
    size_t strip = input == PARE_NO_ENTRY ? saver->strip : strip_of(entries, input);
    int failed = pare_entries_writer_start(&saving.writer, entries, folder, strip);
    saving.writer.records = saver->records;
    saving.writer.input = input;
    if (!failed) failed = pare_layout_walk(saver->layout, candidate, &visitor);
    if (!failed) failed = pare_entries_writer_end(&saving.writer);
    pare_entries_writer_done(&saving.writer);
    if (failed) memset(saver->records, 0, entries->n * sizeof *saver->records);
    return failed;
}

int pare_layout_save(pare_layout_saver *saver, const pare_candidate *candidate, int folder,
                     int previous)
{
    pare_layout_saver_look(saver, candidate);
    int failed = pare_layout_saver_part(saver, candidate, PARE_NO_ENTRY, folder, previous);
    pare_layout_saver_turn(saver);
    return failed;
}
