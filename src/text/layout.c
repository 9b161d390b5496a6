/* Layouts: making one, reading what a text means by it, and writing that to disk.
 *
 * The first byte of the marker is the one that is rarest in all contents, and stands in
 * the marker once: so the walk looks for it by memchr, and where a marker turns out to be
 * none it goes on after the bytes that matched, as none of these can begin another.  The
 * rest of the marker is drawn from a checksum of the contents, so that it cannot be put
 * into one on purpose. */

#include "text/layout.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/checksum.h"
#include "base/digest.h"
#include "base/fail.h"
#include "base/vector.h"
#include "os/entries.h"
#include "text/candidate.h"
#include "text/text.h"

/* The text that `file` names is the caller's. */
void pare_layout_free(pare_layout *layout)
{
    if (!layout) return;
    pare_entries_done(&layout->entries);
    pare_alloc_free(layout);
}

/* A folder exists as soon as something in it does, so only empty folders below the top need a frame
 * of their own. */
bool pare_layout_has_frame(const pare_layout *layout, uint32_t entry)
{
    const pare_entry *self = &layout->entries.items[entry];
    if (self->kind != PARE_ENTRY_FOLDER) return true;
    return self->depth > 1 && self->after == entry + 1;
}

/* Writes the marker, then the entry's number in little-endian order, so that a text means the
 * same on every machine. */
void pare_layout_frame(const pare_layout *layout, uint32_t entry,
                       unsigned char frame[PARE_LAYOUT_FRAME_BYTES])
{
    memcpy(frame, layout->marker, PARE_LAYOUT_MARKER_BYTES);
    for (int i = 0; i < 4; i++)
        frame[PARE_LAYOUT_MARKER_BYTES + i] = (unsigned char)(entry >> 8 * i);
}

/* Adds a text (NULL: none) to a name, with its NUL byte, so that "a" "bc" and "ab" "c" differ. */
static pare_digest add_text(pare_digest seed, const char *text)
{
    return pare_checksum_wide(seed, text ? text : "", text ? strlen(text) + 1 : 1);
}

/* Paths, kinds, modes and targets, but no contents: two runs with this identity can share a
 * journal if their texts are the same. */
pare_digest pare_layout_identity(const pare_layout *layout, pare_digest seed)
{
    for (size_t i = 0; i < layout->entries.n; i++) {
        const pare_entry *entry = &layout->entries.items[i];
        const uint32_t facts[] = {(uint32_t)entry->kind, (uint32_t)entry->mode};
        seed = pare_checksum_wide(add_text(add_text(seed, entry->path), entry->target), facts,
                                  sizeof facts);
    }
    return seed;
}

/* ---- making ------------------------------------------------------------------------- */

/* The byte that is rarest in `bytes`; of equally rare ones the first from 0x01 on. */
static unsigned char rarest(const unsigned char *bytes, size_t size)
{
    size_t count[256] = {0}, best = 1;
    for (size_t i = 0; i < size; i++)
        count[bytes[i]]++;
    for (size_t i = 2; i < 256; i++)
        if (count[i] < count[best]) best = i;
    return (unsigned char)best;
}

/* Draws a marker that begins with `first`; another one for each `serial`.  The first byte
 * stands in it once, which lets the walk go on without looking back. */
static void draw(pare_layout *layout, unsigned char first, pare_digest contents, uint64_t serial)
{
    uint64_t noise = pare_checksum_wide(contents, &serial, sizeof serial).low;
    layout->marker[0] = first;
    for (size_t i = 1; i < PARE_LAYOUT_MARKER_BYTES; i++, noise >>= 8)
        layout->marker[i] = (unsigned char)((noise & 0xff) == first ? first ^ 0x55 : noise & 0xff);
}

/* Whether the marker begins anywhere in the contents. It cannot begin in a hole of a file: holes
 * are zeros, and its first byte is not. */
static bool occurs(const pare_layout *layout, const pare_buffer *bytes)
{
    return memmem(bytes->data, bytes->size, layout->marker, PARE_LAYOUT_MARKER_BYTES) != NULL;
}

/* Chooses a marker that occurs in no content; in `bytes` there are zeros where frames will be.
 * Drawn from the contents, so the same input has the same marker in every run. */
static void choose_marker(pare_layout *layout, const pare_buffer *bytes)
{
    const unsigned char *data = (const unsigned char *)bytes->data;
    pare_digest contents = pare_checksum_wide((pare_digest){0, 0}, data, bytes->size);
    /* The rarer it is, the more of a text memchr passes over in one go. */
    unsigned char first = rarest(data, bytes->size);
    /* Ends: contents of 4 GiB hold few of the markers that there are. */
    for (uint64_t serial = 0; serial == 0 || occurs(layout, bytes); serial++)
        draw(layout, first, contents, serial);
}

/* Appends what follows the entry's frame: the file's bytes, the word, or nothing. */
static pare_status read_content(const pare_layout *layout, const char *const *inputs,
                                uint32_t entry, pare_buffer *bytes, pare_error *err)
{
    const pare_entry *self = &layout->entries.items[entry];
    if (self->kind == PARE_ENTRY_FOLDER || self->kind == PARE_ENTRY_LINK) return PARE_OK;
    if (self->kind == PARE_ENTRY_FILE && layout->file)
        return pare_buffer_add(bytes, pare_text_bytes(layout->file), pare_text_size(layout->file),
                               err);
    return pare_entries_read(&layout->entries, inputs, entry, bytes, err);
}

/* Reads all contents into `bytes`, one after the other, with a hole before each where its
 * frame goes; at[i] is where the hole of entry i is.  Errors: PARE_E_IO, PARE_E_LIMIT (4 GiB),
 * PARE_E_NOMEM. */
static pare_status read_all(pare_layout *layout, const char *const *inputs, pare_buffer *bytes,
                            size_t *at, pare_error *err)
{
    static const unsigned char hole[PARE_LAYOUT_FRAME_BYTES] = {0};
    pare_status status = PARE_OK;
    for (uint32_t i = 0; !status && i < layout->entries.n; i++) {
        at[i] = bytes->size;
        if (!pare_layout_has_frame(layout, i)) continue;
        status = pare_buffer_add(bytes, hole, sizeof hole, err);
        if (!status) status = read_content(layout, inputs, i, bytes, err);
        if (!status && bytes->size > PARE_TEXT_MAX_BYTES)
            status = pare_fail(err, PARE_E_LIMIT, "the files are larger than 4 GiB together");
    }
    return status;
}

/* Into the holes that read_all has left. */
static void fill_frames(const pare_layout *layout, pare_buffer *bytes, const size_t *at)
{
    for (uint32_t i = 0; i < layout->entries.n; i++)
        if (pare_layout_has_frame(layout, i))
            pare_layout_frame(layout, i, (unsigned char *)bytes->data + at[i]);
}

/* All contents are read before the marker is chosen, since it must not occur in them; the frames
 * are filled into holes left for them. */
pare_status pare_layout_text(pare_layout *layout, const char *const *inputs, pare_text **text,
                             pare_error *err)
{
    pare_buffer bytes = {0};
    size_t *at = pare_alloc(layout->entries.n, sizeof *at);
    pare_status status = at ? read_all(layout, inputs, &bytes, at, err) : pare_fail_nomem(err);
    if (!status) status = pare_buffer_reserve(&bytes, 1, err); /* so that there is a block */
    if (!status) {
        choose_marker(layout, &bytes);
        fill_frames(layout, &bytes, at);
        status = pare_text_take(&bytes, text, err);
    }
    pare_alloc_free(at);
    pare_buffer_done(&bytes);
    return status;
}

/* Reads no contents yet, so that words may be added before. */
pare_status pare_layout_open(const char *const *inputs, const char *const *names, size_t n,
                             pare_layout **out, pare_error *err)
{
    pare_layout *layout = pare_alloc_zero(1, sizeof *layout);
    if (!layout) return pare_fail_nomem(err);
    pare_status status = pare_entries_scan(&layout->entries, inputs, names, n, err);
    if (status)
        pare_layout_free(layout);
    else
        *out = layout;
    return status;
}

/* For an input that is in memory: made by a generator, or read from a pipe. */
pare_status pare_layout_open_file(const char *name, mode_t mode, const pare_text *file,
                                  pare_layout **out, pare_error *err)
{
    pare_layout *layout = pare_alloc_zero(1, sizeof *layout);
    if (!layout) return pare_fail_nomem(err);
    layout->file = file;
    layout->is_file = true;
    pare_status status = pare_entries_name(&layout->entries, name, mode, err);
    if (status)
        pare_layout_free(layout);
    else
        *out = layout;
    return status;
}

/* The walk takes for granted that the first byte of the marker stands in it once. */
static bool is_marker(const unsigned char marker[PARE_LAYOUT_MARKER_BYTES])
{
    return !memchr(marker + 1, marker[0], PARE_LAYOUT_MARKER_BYTES - 1);
}

/* Names come from a file on disk, so they are checked: a layout of one file has just that file, and
 * after it the words of a command line. */
pare_status pare_layout_recall(const pare_entry *items, size_t n,
                               const unsigned char marker[PARE_LAYOUT_MARKER_BYTES], bool is_file,
                               pare_layout **out, pare_error *err)
{
    const bool fits = n && (!is_file || (items[0].kind == PARE_ENTRY_FILE &&
                                         (n == 1 || pare_entry_is_word(&items[1]))));
    if (!is_marker(marker) || !fits)
        return pare_fail(err, PARE_E_CORRUPT, "the names of the files are incomplete");
    pare_layout *layout = pare_alloc_zero(1, sizeof *layout);
    if (!layout) return pare_fail_nomem(err);
    pare_status status = pare_entries_recall(&layout->entries, items, n, err);
    if (status) {
        pare_layout_free(layout);
        return status;
    }
    memcpy(layout->marker, marker, PARE_LAYOUT_MARKER_BYTES);
    layout->is_file = is_file;
    for (size_t i = 0; i < n; i++) {
        layout->n_arguments += items[i].kind == PARE_ENTRY_ARGUMENT;
        layout->n_variables += items[i].kind == PARE_ENTRY_VARIABLE;
    }
    *out = layout;
    return PARE_OK;
}

/* Words of a command are entries like files, so that the same strategies reduce them. */
pare_status pare_layout_add_words(pare_layout *layout, pare_entry_kind kind,
                                  const char *const *words, size_t n, pare_error *err)
{
    pare_status status = PARE_OK;
    for (size_t i = 0; i < n && !status; i++)
        status = pare_entries_add_word(&layout->entries, kind, words[i], err);
    *(kind == PARE_ENTRY_ARGUMENT ? &layout->n_arguments : &layout->n_variables) += n;
    return status;
}

/* On failure nothing is left open. */
pare_status pare_layout_read(const char *const *inputs, size_t n, pare_layout **out,
                             pare_text **text, pare_error *err)
{
    pare_layout *layout = NULL;
    pare_status status = pare_layout_open(inputs, NULL, n, &layout, err);
    if (!status) status = pare_layout_text(layout, inputs, text, err);
    if (status)
        pare_layout_free(layout);
    else
        *out = layout;
    return status;
}

/* ---- walking ------------------------------------------------------------------------ */

/* A walk under way.  A frame may lie across the borders of runs, so as much of it as was met is
 * held. */
struct walk {
    const pare_layout *layout;
    const pare_layout_visitor *visitor;
    size_t walked; /* bytes of the runs so far, the one under way included */
    size_t n_held; /* bytes of a frame that were met and not reported yet */
    unsigned char held[PARE_LAYOUT_FRAME_BYTES];
    bool any;      /* a frame was met */
    uint32_t last; /* its entry */
};

/* Reports content of the entry at hand.  What stands before the first frame belongs to no entry
 * and is passed over. */
static int tell_bytes(const struct walk *walk, const unsigned char *bytes, size_t size)
{
    if (!size || !walk->any) return 0;
    return walk->visitor->bytes(walk->visitor->context, (pare_span){bytes, size});
}

/* The held bytes are content after all and no marker. They are reported from the layout's own copy
 * of the marker, which begins with the same bytes, because a visitor may keep the span while `held`
 * is overwritten. */
static int give_up(struct walk *walk)
{
    size_t n = walk->n_held;
    walk->n_held = 0;
    return tell_bytes(walk, walk->layout->marker, n);
}

/* The number in a whole frame; PARE_NO_ENTRY when no entry can have it here.  Entries come in
 * ascending order, each once, so a frame that a cut has put together by chance seldom fits. */
static uint32_t number_of(const struct walk *walk)
{
    const unsigned char *bytes = walk->held + PARE_LAYOUT_MARKER_BYTES;
    uint32_t number = 0;
    for (int i = 0; i < 4; i++)
        number |= (uint32_t)bytes[i] << 8 * i;
    /* Entries come in ascending order, each once: a frame that a cut has put together by chance
     * seldom fits. */
    if (number >= walk->layout->entries.n || (walk->any && number <= walk->last))
        return PARE_NO_ENTRY;
    return pare_layout_has_frame(walk->layout, number) ? number : PARE_NO_ENTRY;
}

/* A whole frame is held, and `ahead` bytes follow it in the run: reports its entry. A frame whose
 * number has been cut names no entry; it is dropped, and not content. */
static int conclude(struct walk *walk, size_t ahead)
{
    uint32_t number = number_of(walk);
    walk->n_held = 0;
    if (number == PARE_NO_ENTRY) return 0;
    walk->any = true;
    walk->last = number;
    return walk->visitor->entry(walk->visitor->context, number, walk->walked - ahead);
}

/* Takes the byte at `at`, in a run that ends at `end`, for the next one of a frame; *taken is
 * false when it cannot be, and the byte is then to be looked at as any other. */
static int hold(struct walk *walk, const unsigned char *at, const unsigned char *end, bool *taken)
{
    assert(walk->n_held < PARE_LAYOUT_FRAME_BYTES);
    unsigned char byte = *at;
    *taken = walk->n_held >= PARE_LAYOUT_MARKER_BYTES || byte == walk->layout->marker[walk->n_held];
    if (!*taken) return give_up(walk);
    walk->held[walk->n_held++] = byte;
    return walk->n_held == PARE_LAYOUT_FRAME_BYTES ? conclude(walk, (size_t)(end - at) - 1) : 0;
}

/* Walks one run of bytes. Content is passed on in stretches up to the next byte that may begin a
 * marker, which memchr finds. Returns 0, or what stopped the walk. */
static int walk_span(void *context, pare_span span)
{
    struct walk *walk = context;
    const unsigned char *at = span.bytes, *end = span.bytes + span.size;
    int stop = 0;
    walk->walked += span.size;
    while (!stop && at < end) {
        /* A byte that does not go on with the frame is looked at again, as it may begin another. */
        bool taken = true;
        if (walk->n_held) {
            stop = hold(walk, at, end, &taken);
            at += taken;
            continue;
        }
        const unsigned char *first = memchr(at, walk->layout->marker[0], (size_t)(end - at));
        stop = tell_bytes(walk, at, (size_t)((first ? first : end) - at));
        at = first ? first : end;
        if (first && !stop) {
            stop = hold(walk, at, end, &taken);
            at++;
        }
    }
    return stop;
}

/* Bytes that are held at the end are content if they are shorter than a marker. A marker with half
 * a number is dropped. */
int pare_layout_walk(const pare_layout *layout, const pare_candidate *candidate,
                     const pare_layout_visitor *visitor)
{
    struct walk walk = {.layout = layout, .visitor = visitor};
    int stop = pare_candidate_spans(candidate, walk_span, &walk);
    if (stop) return stop;
    return walk.n_held < PARE_LAYOUT_MARKER_BYTES ? give_up(&walk) : 0;
}

/* ---- places ------------------------------------------------------------------------- */

/* Places that were found so far. */
struct places {
    pare_place *items; /* owned */
    size_t n, capacity;
};

/* Notes where an entry begins; the one before ends where its frame begins. 1: out of memory,
 * which stops the walk. */
static int add_place(void *context, uint32_t entry, size_t after)
{
    struct places *places = context;
    pare_place *items =
        pare_vector_grow(places->items, places->n, &places->capacity, sizeof *items);
    if (!items) return 1;
    places->items = items;
    size_t frame = after - PARE_LAYOUT_FRAME_BYTES;
    if (places->n) items[places->n - 1].end = frame;
    items[places->n++] = (pare_place){.entry = entry, .frame = frame, .begin = after};
    return 0;
}

/* For walks that only ask where entries are. */
static int pass_bytes(void *context, pare_span span)
{
    (void)context;
    (void)span;
    return 0;
}

/* The walk over a candidate that is the whole text: one reader of frames serves both. */
pare_status pare_layout_places(const pare_layout *layout, const pare_text *text, pare_place **out,
                               size_t *n, pare_error *err)
{
    pare_candidate whole = {0};
    struct places places = {.n = 0};
    size_t size = pare_text_size(text);
    const pare_layout_visitor visitor = {&places, add_place, pass_bytes};
    pare_candidate_start(&whole, text);
    pare_status status = pare_candidate_slice(&whole, 0, size, err);
    if (!status && pare_layout_walk(layout, &whole, &visitor)) status = pare_fail_nomem(err);
    pare_candidate_done(&whole);
    if (status) {
        pare_alloc_free(places.items);
        return status;
    }
    if (places.n) places.items[places.n - 1].end = size;
    *out = places.items;
    *n = places.n;
    return PARE_OK;
}

/* ---- measuring ---------------------------------------------------------------------- */

/* What has been counted so far, and the kind of the current entry. */
struct measuring {
    const pare_entry *entries;
    pare_layout_size size;
    bool on_disk; /* the entry at hand */
};

/* Counts an entry: words as words, everything else as an entry on disk. */
static int count_entry(void *context, uint32_t entry, size_t after)
{
    struct measuring *measuring = context;
    pare_layout_size *size = &measuring->size;
    (void)after;
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

/* Counts bytes of what lies on disk only: words are counted by number. */
static int count_bytes(void *context, pare_span span)
{
    struct measuring *measuring = context;
    if (measuring->on_disk) measuring->size.bytes += span.size;
    return 0;
}

/* Cannot fail: nothing is allocated. */
pare_layout_size pare_layout_measure(const pare_layout *layout, const pare_candidate *candidate)
{
    struct measuring measuring = {.entries = layout->entries.items};
    const pare_layout_visitor visitor = {&measuring, count_entry, count_bytes};
    (void)pare_layout_walk(layout, candidate, &visitor);
    return measuring.size;
}

/* ---- one entry ---------------------------------------------------------------------- */

/* The entry whose content is wanted, and the entry at hand. */
struct reading {
    uint32_t wanted, entry;
    int (*bytes)(void *context, pare_span);
    void *context;
};

/* The entry at hand is this one from now on. */
static int note_entry(void *context, uint32_t entry, size_t after)
{
    struct reading *reading = context;
    (void)after;
    reading->entry = entry;
    return 0;
}

/* Passes on the runs of the wanted entry only. */
static int read_bytes(void *context, pare_span span)
{
    const struct reading *reading = context;
    return reading->entry == reading->wanted ? reading->bytes(reading->context, span) : 0;
}

/* One walk for each call, so it is meant for a handful of entries. */
int pare_layout_content(const pare_layout *layout, const pare_candidate *candidate, uint32_t entry,
                        int (*bytes)(void *context, pare_span), void *context)
{
    struct reading reading = {
        .wanted = entry, .entry = PARE_NO_ENTRY, .bytes = bytes, .context = context};
    const pare_layout_visitor visitor = {&reading, note_entry, read_bytes};
    return pare_layout_walk(layout, candidate, &visitor);
}

/* ---- words -------------------------------------------------------------------------- */

/* Words while they are gathered. */
struct wording {
    const pare_entry *entries;
    pare_layout_words *words;
    bool in_word;
    bool is_cut; /* a NUL has come in the word: nothing more belongs to it */
};

/* Ends the word under way, if there is one; true when memory is out. */
static int end_word(struct wording *wording)
{
    bool ended = wording->in_word;
    wording->in_word = false;
    return ended && pare_buffer_add(&wording->words->texts, "", 1, NULL);
}

/* Words are laid out one after the other, each with a NUL at its end, as execve wants them. */
static int begin_word(void *context, uint32_t entry, size_t after)
{
    struct wording *wording = context;
    pare_layout_words *words = wording->words;
    (void)after;
    if (end_word(wording)) return 1;
    wording->in_word = pare_entry_is_word(&wording->entries[entry]);
    wording->is_cut = false;
    if (!wording->in_word) return 0;
    bool argument = wording->entries[entry].kind == PARE_ENTRY_ARGUMENT;
    ++*(argument ? &words->n_arguments : &words->n_variables);
    return 0;
}

/* Adds a run to the current word. No given word contains a NUL, so what follows one, in this run or
 * a later one, belongs to no word: a candidate may have glued other content to it. */
static int add_bytes(void *context, pare_span span)
{
    struct wording *wording = context;
    if (!wording->in_word || wording->is_cut) return 0;
    size_t size = strnlen((const char *)span.bytes, span.size);
    wording->is_cut = size < span.size;
    return pare_buffer_add(&wording->words->texts, span.bytes, size, NULL) != PARE_OK;
}

/* What failed halfway is cleared by the next call. */
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

/* All-zero is a no-op. */
void pare_layout_words_done(pare_layout_words *words)
{
    pare_buffer_done(&words->texts);
    words->n_arguments = words->n_variables = 0;
}

/* ---- writing ------------------------------------------------------------------------ */

/* The writer makes folders as they are needed. */
static int write_entry(void *context, uint32_t entry, size_t after)
{
    (void)after;
    return pare_entries_writer_begin(context, entry);
}

/* By reference: the writer gathers runs and writes many at once. */
static int write_bytes(void *context, pare_span span)
{
    return pare_entries_writer_add(context, span.bytes, span.size);
}

/* In one walk: nothing of the candidate is put together in memory.  Returns 0 or an errno, as the
 * writer does. */
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

/* ---- saving with links to what was saved before --------------------------------------- */

/* A candidate is saved in two walks: one to know the contents, one to write those that are new.
 * A file of the output that somebody changed meanwhile is written anew (pare_entry_record). */
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

/* Files that were saved stay on disk; only the notes about them are freed. */
void pare_layout_saver_done(pare_layout_saver *saver)
{
    pare_alloc_free(saver->contents);
    pare_alloc_free(saver->next);
    pare_alloc_free(saver->records);
    *saver = (pare_layout_saver){.layout = NULL};
}

/* ---- first walk: contents ------------------------------------------------------------ */

/* The digest of the entry at hand, while it is made. */
struct hashing {
    pare_digest *digests;
    uint32_t entry;
    pare_hash hash;
    size_t size; /* one more than the content, so that no content has the digest of none */
    bool any;
};

/* Notes the digest of the entry that ends here. Before the first entry there is none to note. */
static void end_entry(struct hashing *hashing)
{
    if (hashing->any)
        hashing->digests[hashing->entry] = pare_digest_of(hashing->hash, hashing->size);
}

/* A byte before all content makes the digest of an empty file differ from that of no file, which
 * is zero. */
static int begin_entry(void *context, uint32_t entry, size_t after)
{
    struct hashing *hashing = context;
    const unsigned char there = 1;
    (void)after;
    end_entry(hashing);
    *hashing = (struct hashing){.digests = hashing->digests, .entry = entry, .any = true};
    hashing->hash = pare_digest_extend(hashing->hash, &there, sizeof there);
    hashing->size = sizeof there;
    return 0;
}

/* Run by run, so a file that is cut into many runs has the same digest as in one. */
static int hash_bytes(void *context, pare_span span)
{
    struct hashing *hashing = context;
    hashing->hash = pare_digest_extend(hashing->hash, span.bytes, span.size);
    hashing->size += span.size;
    return 0;
}

/* Entries that the candidate does not have keep the zero digest. */
void pare_layout_saver_look(pare_layout_saver *saver, const pare_candidate *candidate)
{
    struct hashing hashing = {.digests = saver->next};
    const pare_layout_visitor visitor = {&hashing, begin_entry, hash_bytes};
    memset(saver->next, 0, saver->layout->entries.n * sizeof *saver->next);
    (void)pare_layout_walk(saver->layout, candidate, &visitor);
    end_entry(&hashing);
}

/* An entry and all below it, which follow it up to `after`. */
bool pare_layout_saver_changed(const pare_layout_saver *saver, uint32_t index)
{
    for (uint32_t i = index; i < saver->layout->entries.items[index].after; i++)
        if (!pare_digest_equal(saver->contents[i], saver->next[i])) return true;
    return false;
}

/* Whether anything is left of what was given as `index`: of a folder, one entry in it is
 * enough. */
bool pare_layout_saver_present(const pare_layout_saver *saver, uint32_t index)
{
    for (uint32_t i = index; i < saver->layout->entries.items[index].after; i++)
        if (!pare_digest_equal(saver->next[i], (pare_digest){0})) return true;
    return false;
}

/* The result that was being written is the last one from now on. */
void pare_layout_saver_turn(pare_layout_saver *saver)
{
    pare_digest *contents = saver->contents;
    saver->contents = saver->next;
    saver->next = contents;
}

/* Without it a file of two candidates ago, which is still on disk, would be taken for one of the last. */
void pare_layout_saver_forget(pare_layout_saver *saver, uint32_t index)
{
    const pare_entries *entries = &saver->layout->entries;
    const size_t first = index == PARE_NO_ENTRY ? 0 : index;
    const size_t end = index == PARE_NO_ENTRY ? entries->n : entries->items[index].after;
    memset(saver->records + first, 0, (end - first) * sizeof *saver->records);
}

/* ---- second walk: writing ------------------------------------------------------------ */

/* A result that is being written. */
struct saving {
    pare_layout_saver *saver;
    pare_entries_writer writer;
    int previous;
    bool passed_over; /* the entry at hand is of another input */
};

/* A file with the content that it had in the last result is a second name for that one: a result
 * with ten thousand files is saved at the cost of those that changed.  Where linking fails it is
 * written. */
static int save_entry(void *context, uint32_t entry, size_t after)
{
    struct saving *saving = context;
    const pare_layout_saver *saver = saving->saver;
    const pare_entry *item = &saver->layout->entries.items[entry];
    (void)after;
    saving->passed_over =
        saving->writer.input != PARE_NO_ENTRY && item->input != saving->writer.input;
    if (saving->passed_over) return 0;
    /* Links and folders are cheap to make anew. */
    bool same = item->kind == PARE_ENTRY_FILE &&
                pare_digest_equal(saver->contents[entry], saver->next[entry]);
    if (same && saving->previous >= 0 &&
        !pare_entries_writer_link(&saving->writer, entry, saving->previous))
        return 0;
    return pare_entries_writer_begin(&saving->writer, entry);
}

/* For a file that was linked, the writer has no file open and ignores the bytes. */
static int save_bytes(void *context, pare_span span)
{
    struct saving *saving = context;
    if (saving->passed_over) return 0;
    return pare_entries_writer_add(&saving->writer, span.bytes, span.size);
}

/* How many bytes to leave off the paths below `input`, a folder, so that they are relative to it:
 * its name and the slash. */
static size_t strip_of(const pare_entries *entries, uint32_t input)
{
    for (size_t i = 0; i < entries->n; i = entries->items[i].after)
        if (entries->items[i].input == input) return strlen(entries->items[i].path) + 1;
    return 0;
}

/* On failure forgets what is known of files on disk, so that the next result is written anew,
 * without links to files that may be half written. */
int pare_layout_saver_part(pare_layout_saver *saver, const pare_candidate *candidate,
                           uint32_t input, int folder, int previous)
{
    const pare_entries *entries = &saver->layout->entries;
    struct saving saving = {.saver = saver, .previous = previous, .writer = {.fd = -1}};
    const pare_layout_visitor visitor = {&saving, save_entry, save_bytes};
    size_t strip = input == PARE_NO_ENTRY ? saver->strip : strip_of(entries, input);
    int failed = pare_entries_writer_start(&saving.writer, entries, folder, strip);
    saving.writer.records = saver->records;
    saving.writer.input = input;
    if (!failed) failed = pare_layout_walk(saver->layout, candidate, &visitor);
    if (!failed) failed = pare_entries_writer_end(&saving.writer);
    pare_entries_writer_done(&saving.writer);
    if (failed) pare_layout_saver_forget(saver, PARE_NO_ENTRY);
    return failed;
}
