/* Saving candidates of a layout with links to what was saved before.
 *
 * The walk runs twice: to know the contents, then to write those that are new.  A file of
 * the output that somebody changed meanwhile is written anew (pare_entry_record). */
#include <errno.h>
#include <string.h>

#include "base/alloc.h"
#include "text/layout.h"

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
    size_t size;
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
    (void)behind;
    end_entry(hashing);
    *hashing = (struct hashing){.digests = hashing->digests, .entry = entry, .any = true};
    return 0;
}

static int hash_bytes(void *context, pare_span span)
{
    struct hashing *hashing = context;
    hashing->hash = pare_hash_bytes(hashing->hash, span.bytes, span.size);
    hashing->size += span.size;
    return 0;
}

/* ---- second walk: writing ------------------------------------------------------------ */

struct saving {
    pare_layout_saver *saver;
    pare_entry_writer writer;
    int previous;
};

static int write_entry(void *context, uint32_t entry, size_t behind)
{
    struct saving *saving = context;
    const pare_layout_saver *saver = saving->saver;
    (void)behind;
    bool same = saver->layout->entries.items[entry].kind == PARE_ENTRY_FILE &&
                pare_digest_equal(saver->contents[entry], saver->next[entry]);
    if (same && saving->previous >= 0 &&
        !pare_entry_writer_link(&saving->writer, entry, saving->previous))
        return 0;
    return pare_entry_writer_begin(&saving->writer, entry);
}

static int write_bytes(void *context, pare_span span)
{
    struct saving *saving = context;
    return pare_entry_writer_add(&saving->writer, span.bytes, span.size);
}

int pare_layout_save(pare_layout_saver *saver, const pare_candidate *candidate, int folder,
                     int previous)
{
    struct hashing hashing = {.digests = saver->next};
    struct saving saving = {.saver = saver, .previous = previous, .writer = {.fd = -1}};
    const pare_layout_visitor hashed = {&hashing, begin_entry, hash_bytes};
    const pare_layout_visitor written = {&saving, write_entry, write_bytes};
    (void)pare_layout_walk(saver->layout, candidate, &hashed);
    end_entry(&hashing);
    int failed =
        pare_entry_writer_start(&saving.writer, &saver->layout->entries, folder, saver->strip);
    saving.writer.records = saver->records;
    if (!failed) failed = pare_layout_walk(saver->layout, candidate, &written);
    if (!failed) failed = pare_entry_writer_end(&saving.writer);
    pare_entry_writer_done(&saving.writer);
    pare_digest *contents = saver->contents;
    saver->contents = saver->next;
    saver->next = contents;
    if (failed) memset(saver->records, 0, saver->layout->entries.n * sizeof *saver->records);
    return failed;
}
