/* Saving the best: as a file, a folder, or in the places of the inputs, with the script beside it;
 * and the smallest candidate of each other failure that was met.
 *
 * A candidate is written from its pieces, by scatter and gather, into a new file that is renamed
 * into its place; a folder is built beside the old one, with hard links to what has not changed,
 * and exchanged with it.  So what a reader finds at the path is whole at any instant. Contents and
 * words are compared by digest with what was saved last, and each is written only if it has
 * changed: most successes change a byte of one file, and a folder may have a hundred thousand. */

#include "session/output/output.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <pare/result.h>
#include <pare/switch.h>
#include <pare/sync.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/checksum.h"
#include "base/digest.h"
#include "base/fail.h"
#include "os/clock.h"
#include "os/descriptor.h"
#include "os/entries.h"
#include "os/file.h"
#include "os/folder.h"
#include "os/sync.h"
#include "run/command.h"
#include "text/candidate.h"
#include "text/layout.h"
#include "text/text.h"

/* Adds one piece of a candidate to what is written next. */
static int add_span(void *context, pare_span span)
{
    return pare_descriptor_gather_add(context, span.bytes, span.size);
}

/* Called by pare_file_write; `context` is the candidate, whose pieces are written one
 * after the other without being put together. */
static int fill_candidate(void *context, pare_iovec *gather)
{
    return pare_candidate_spans(context, add_span, gather);
}

/* A candidate by its layout on its way to disk. */
struct parcel {
    const pare_layout *layout;
    size_t strip;
    pare_layout_saver *saver; /* has looked at the candidate; NULL: nothing is linked */
    const pare_candidate *candidate;
    pare_folder_replacing how;  /* of a folder */
    pare_user_edits_file *file; /* of a file: set to what it is like on disk; or NULL */
};

/* Called by pare_folder_replace. With a saver, files that have not changed are linked from
 * `previous`. */
static int write_files(void *context, int folder, int previous)
{
    const struct parcel *parcel = context;
    /* Candidates of other failures are written without a saver, and so without links. */
    if (parcel->saver)
        return pare_layout_saver_part(parcel->saver, parcel->candidate, PARE_NO_ENTRY, folder,
                                      previous);
    return pare_layout_write(parcel->layout, parcel->candidate, folder, parcel->strip);
}

/* Called by pare_file_write: the content of the one file that there is, without its
 * frame and without words. */
static int fill_file(void *context, pare_iovec *gather)
{
    const struct parcel *parcel = context;
    return pare_layout_content(parcel->layout, parcel->candidate, 0, add_span, gather);
}

/* The digest of what write_parcel writes, if that is one file. */
struct content {
    pare_hash hash;
    size_t size;
};

/* Takes one piece of the content, as pare_layout_content hands them over. */
static int hash_content(void *context, pare_span span)
{
    struct content *content = context;
    content->hash = pare_digest_extend(content->hash, span.bytes, span.size);
    content->size += span.size;
    return 0;
}

/* A candidate knows its digest; where only a part of it is the file, the pieces are hashed, without
 * putting them together. */
static pare_digest digest_of_file(const struct parcel *parcel)
{
    /* All-zero is the state of a hash that has seen nothing. */
    struct content content = {.size = 0};
    if (!parcel->layout) return pare_candidate_digest(parcel->candidate);
    (void)pare_layout_content(parcel->layout, parcel->candidate, 0, hash_content, &content);
    return pare_digest_of(content.hash, content.size);
}

/* A text without a layout and one with it that is one file are both written as a file; all else
 * is a folder. */
static pare_status write_parcel(struct parcel *parcel, const char *path, pare_error *err)
{
    struct stat written;
    pare_file_writing what = {.fill = fill_file,
                              .context = parcel,
                              .sync = parcel->how.sync,
                              .guard = parcel->how.guard,
                              .written = &written};
    if (parcel->layout && !parcel->layout->is_file)
        return pare_folder_replace(path, &parcel->how, write_files, parcel, err);
    if (!parcel->layout) {
        what.fill = fill_candidate;
        what.context = (void *)(uintptr_t)parcel->candidate;
    }
    pare_status status = pare_file_replace(path, &what, err);
    if (!status && parcel->file)
        *parcel->file =
            (pare_user_edits_file){digest_of_file(parcel), pare_entry_record_of(&written)};
    return status;
}

/* An output path that is about to be written. */
struct place {
    pare_output *output;
    pare_output_backup_file which;
    const char *path;
    bool is_edited; /* set: somebody else has changed it, and that is not kept */
};

/* Whether `name`, the path or what was there until now, holds what we wrote last. */
static bool is_own(const struct place *place, const char *name)
{
    const pare_output *output = place->output;
    if (place->which == PARE_OUTPUT_BACKUP_SCRIPT)
        return pare_user_edits_file_is_own(&output->script_file, name);
    if (!output->layout || output->layout->is_file)
        return pare_user_edits_file_is_own(&output->file, name);
    /* Before the first save, and after one that has failed, nothing is known of the
     * folder. */
    return !output->any || pare_user_edits_folder_is_own(output->files, &output->layout->entries,
                                                         PARE_NO_ENTRY, output->strip, name);
}

/* Called by a guard. With a backup, what somebody has written is kept under a name of its own and
 * the run goes on. */
static pare_status check_edits(void *context, const char *name, pare_error *err)
{
    struct place *place = context;
    pare_output_backup *backup = &place->output->backup;
    if (is_own(place, name)) return PARE_OK;
    if (backup->on)
        return pare_output_backup_keep_edit(backup, place->which, place->path, name, err);
    place->is_edited = true; /* who has given the guard fills *err in */
    return PARE_E_IO;
}

/* Called by pare_user_edits_write: writes to `path` what would have gone to the place.
 * There is no guard, since that path is free; and what is there is not what the next
 * save finds at the place. */
static pare_status write_beside(void *context, const char *path, pare_error *err)
{
    struct parcel parcel = *(struct parcel *)context;
    parcel.how.guard = NULL;
    parcel.file = NULL;
    return write_parcel(&parcel, path, err);
}

/* Gives a folder that stands at the path, and is not ours, another name.  What a run that is continued
 * finds there is compared with what that has noted. */
static pare_status keep_folder(pare_output *output, const char *path, pare_error *err)
{
    const pare_entries *entries = &output->layout->entries;
    const pare_digest next = pare_user_edits_sum(output->saver.next, entries, PARE_NO_ENTRY);
    pare_digest there;
    bool is_edited = false;
    if (output->backup.on && output->backup.resumed && !output->is_written &&
        pare_folder_is_plain(path))
        is_edited = !pare_user_edits_sum_there(output->files, entries, PARE_NO_ENTRY, output->strip,
                                               /* What cannot be read in the form of the entries
                                                * was not written by a run, either. */
                                               path, &there) ||
                    !pare_output_backup_knows(&output->backup, PARE_OUTPUT_BACKUP_RESULT, there);
    return pare_output_backup_keep_folder(&output->backup, path, is_edited, next, err);
}

/* Gives a file that stands at the path, and is not ours, another name; *is_edited: it
 * is to be left alone instead.
 * Only the first save asks: after it, what is there was written by this process, and
 * is_own knows it. */
static pare_status keep_file(pare_output *output, const struct parcel *parcel, const char *path,
                             bool *is_edited, pare_error *err)
{
    if (!output->is_written && !output->backup.on)
        *is_edited = pare_output_backup_is_edited(&output->backup, PARE_OUTPUT_BACKUP_RESULT, path,
                                                  output->original);
    if (*is_edited) return PARE_OK;
    return pare_output_backup_keep(&output->backup, PARE_OUTPUT_BACKUP_RESULT, path,
                                   digest_of_file(parcel), err);
}

/* Writes the result; what stands there and is not ours is kept.
 * In this order: the candidate is looked at, so that its digest is known; what is there
 * gets its second name, and the note says what comes; then it is written, and noted as
 * written. */
static pare_status replace(pare_output *output, struct parcel *parcel, pare_error *err)
{
    const char *path = output->options->path;
    struct place place = {.output = output, .which = PARE_OUTPUT_BACKUP_RESULT, .path = path};
    const pare_file_guard guard = {check_edits, &place};
    bool file = !parcel->layout || parcel->layout->is_file;
    pare_status status = PARE_OK;
    if (!path) return PARE_OK; /* only the words of a command are reduced */
    if (!file) pare_layout_saver_look(&output->saver, parcel->candidate);
    if (output->backup.is_open)
        status = file ? keep_file(output, parcel, path, &place.is_edited, err)
                      : keep_folder(output, path, err);
    parcel->how.guard = &guard;
    parcel->file = &output->file;
    /* After an edit, or where the second name could not be given, nothing is written. */
    const bool is_tried = !status && !place.is_edited;
    if (is_tried) status = write_parcel(parcel, path, err);
    if (!status && !place.is_edited) {
        output->is_written = true;
        pare_output_backup_wrote(&output->backup, PARE_OUTPUT_BACKUP_RESULT);
    } else if (is_tried && file) {
        pare_output_backup_failed(&output->backup, PARE_OUTPUT_BACKUP_RESULT, path);
    }
    if (place.is_edited)
        status = pare_user_edits_refuse(path, &output->beside, write_beside, parcel, err);
    if (file) return status;
    /* After a failure the saver forgets what it took for written, so that the next save
     * writes all of it. */
    pare_layout_saver_turn(&output->saver);
    if (status)
        pare_layout_saver_forget(&output->saver, PARE_NO_ENTRY);
    else
        pare_user_edits_note_folder(output->files, &output->saver, output->saver.contents,
                                    PARE_NO_ENTRY);
    return status;
}

/* Writes the contents of a candidate to `path`, in the same form; not synced, which the end of a
 * run does for all of them.  Errors: as above. */
static pare_status output_write(const pare_layout *layout, size_t strip,
                                const pare_candidate *candidate, const char *path, pare_error *err)
{
    struct parcel parcel = {
        .layout = layout, .strip = strip, .candidate = candidate, .how = {.sync = PARE_SYNC_NEVER}};
    return write_parcel(&parcel, path, err);
}

/* The script stands beside the result, and so names it by its last part. */
static pare_status print_script(const pare_script *script, const pare_candidate *candidate,
                                const char *result, pare_buffer *text, pare_error *err)
{
    const char *slash = result ? strrchr(result, '/') : NULL;
    return pare_script_print(script, candidate, slash ? slash + 1 : result, text, err);
}

/* Writes the script of a candidate whose contents are called `result` beside it.
 * Errors: as above. */
static pare_status output_write_script(const pare_script *script, const pare_candidate *candidate,
                                       const char *result, const char *path, pare_error *err)
{
    pare_buffer text = {0};
    pare_status status = print_script(script, candidate, result, &text, err);
    if (!status) status = pare_file_write_script(path, PARE_SYNC_NEVER, text.data, text.size, err);
    pare_buffer_done(&text);
    return status;
}

/* ---- opening ------------------------------------------------------------------------- */

/* Refuses an output folder that is a file, or lies in what is reduced; it may be missing. */
static pare_status check_folder(const pare_input_options *inputs, const char *path, pare_error *err)
{
    if (!path) return PARE_OK;
    /* A file, or a link: only a folder can be exchanged with one. */
    if (pare_file_exists(path) && !pare_folder_is_plain(path))
        return pare_fail(err, PARE_E_IO, "%s is in the way: the result is a folder", path);
    for (size_t i = 0; i < inputs->n_paths; i++)
        if (pare_folder_holds(inputs->paths[i], path))
            return pare_fail(err, PARE_E_ARG, "%s would be written into the input %s", path,
                             inputs->paths[i]);
    return PARE_OK;
}

/* The output of one folder is that folder; of several inputs, a folder that they are in. */
static pare_status open_saver(pare_output *output, pare_error *err)
{
    const pare_entries *entries = &output->layout->entries;
    /* If one folder is reduced, its own name is not repeated below the output. */
    bool folder = entries->n_roots == 1 && entries->items[0].kind == PARE_ENTRY_FOLDER;
    output->strip = folder ? strlen(entries->items[0].path) + 1 : 0;
    /* By entry, so that an edit of one file in the folder is found. */
    output->files = pare_alloc_zero(entries->n, sizeof *output->files);
    if (!output->files) return pare_fail_nomem(err);
    return pare_layout_saver_init(&output->saver, output->layout, output->strip, err);
}

/* A thread costs about as much as to remove some tens of files, and a few more are no matter. */
static pare_folder_removal *removal_of(pare_output *output)
{
    enum { MANY = 1000 };
    return output->layout->entries.n < MANY ? NULL : &output->removal;
}

/* Several places cannot hold one script, so that is refused here, before the first test. */
static pare_status open_places(pare_output *output, const pare_candidate *input, pare_error *err)
{
    const pare_output_options *options = output->options;
    if (options->script_path && output->inputs->n_paths > 1)
        return pare_fail(err, PARE_E_ARG,
                         "a script cannot be written for several inputs in their places: "
                         "put them into a folder, or name an output");
    pare_status status = open_saver(output, err);
    if (!status)
        status = pare_in_place_open(&output->in_place, output->inputs, options, &output->saver,
                                    input, err);
    output->in_place.removal = removal_of(output);
    return status;
}

/* If the output is the input itself (--in-place with one file), notes the input as the last thing
 * written there, so that an edit since then is noticed. */
static void note_input(pare_output *output, const pare_candidate *input)
{
    struct stat one, other;
    const char *from = output->inputs->path, *to = output->options->path;
    /* Only the content of the one file counts, without its frame and the words. */
    const struct parcel parcel = {.layout = output->layout, .candidate = input};
    if (to) output->original = digest_of_file(&parcel);
    if (from && to && !stat(from, &one) && !stat(to, &other) && one.st_dev == other.st_dev &&
        one.st_ino == other.st_ino)
        output->file = (pare_user_edits_file){.content = output->original};
}

/* A single file has nothing to be checked that the first write would not find out. */
pare_status pare_output_open(pare_output *output, const pare_input_options *inputs,
                             const pare_output_options *options, const pare_layout *layout,
                             const pare_candidate *input, pare_error *err)
{
    output->inputs = inputs;
    output->options = options;
    output->layout = layout;
    if (!layout || layout->is_file) {
        note_input(output, input);
        return PARE_OK;
    }
    if (options->in_place == PARE_ON) return open_places(output, input, err);
    pare_status status = check_folder(inputs, options->path, err);
    return status ? status : open_saver(output, err);
}

/* All parts may be closed that were never opened.
 * A removal that still goes on is waited for. */
void pare_output_close(pare_output *output)
{
    pare_folder_removal_finish(&output->removal);
    pare_in_place_close(&output->in_place);
    pare_output_backup_close(&output->backup);
    pare_layout_saver_done(&output->saver);
    pare_alloc_free(output->files);
    pare_buffer_done(&output->beside);
    *output = (pare_output){.any = false};
}

/* Only for a reduced command line: one that has lost no words can be run as it was.  A
 * test is a script of the user's already. */
void pare_output_add_script(pare_output *output, const char *program, const pare_command *command)
{
    if (!output->layout || !program) return;
    if (!output->layout->n_arguments && !output->layout->n_variables) return;
    output->script = (pare_script){.layout = output->layout,
                                   .command = command,
                                   .program = program,
                                   .environment = output->inputs->reduce_environment == PARE_ON};
}

/* ---- saving -------------------------------------------------------------------------- */

/* Contents and words of a candidate are hashed separately, so that either is only written when it
 * has changed. */
struct hashing {
    const pare_entry *entries;
    bool in_words;
    pare_hash hash[2]; /* of contents, of words */
    size_t size[2];
};

/* Adds to the digest of the part that the walk is in. */
static void hash_bytes(struct hashing *hashing, const void *bytes, size_t size)
{
    pare_hash *hash = &hashing->hash[hashing->in_words];
    *hash = pare_digest_extend(*hash, bytes, size);
    hashing->size[hashing->in_words] += size;
}

/* The number of the entry is hashed, too: an empty file that is gone is a change. */
static int hash_entry(void *context, uint32_t entry, size_t after)
{
    struct hashing *hashing = context;
    (void)after;
    hashing->in_words = pare_entry_is_word(&hashing->entries[entry]);
    hash_bytes(hashing, &entry, sizeof entry);
    return 0;
}

/* Adds the bytes of an entry to the part that hash_entry has chosen. */
static int hash_span(void *context, pare_span span)
{
    hash_bytes(context, span.bytes, span.size);
    return 0;
}

/* Called by pare_user_edits_write; `context` is the script's text. */
static pare_status write_script_beside(void *context, const char *path, pare_error *err)
{
    const pare_buffer *text = context;
    return pare_file_write_script(path, PARE_SYNC_NEVER, text->data, text->size, err);
}

/* Puts the text into the script's place. */
static pare_status replace_script(pare_output *output, pare_buffer *text, pare_digest digest,
                                  pare_error *err)
{
    struct stat written;
    const char *path = output->options->script_path;
    struct place place = {.output = output, .which = PARE_OUTPUT_BACKUP_SCRIPT, .path = path};
    const pare_file_guard guard = {check_edits, &place};
    const pare_file_writing what = {.fill = pare_file_fill_buffer,
                                    .context = text,
                                    .sync = output->options->sync,
                                    .is_script = true,
                                    .guard = &guard,
                                    .written = &written};
    pare_status status = pare_file_replace(path, &what, err);
    if (!status) {
        /* What the script is like on disk is kept, so that an edit is found by the next
         * save. */
        output->script_file = (pare_user_edits_file){digest, pare_entry_record_of(&written)};
        pare_output_backup_wrote(&output->backup, PARE_OUTPUT_BACKUP_SCRIPT);
    }
    if (place.is_edited)
        status = pare_user_edits_refuse(path, &output->beside, write_script_beside, text, err);
    return status;
}

/* The script is written only if it has changed, like the contents; what is there and is not ours
 * is kept. */
static pare_status save_script(pare_output *output, const pare_candidate *best, pare_error *err)
{
    pare_buffer text = {0};
    const char *path = output->options->script_path;
    if (!output->script.layout || !path) return PARE_OK;
    /* Without a result, as where only words are reduced, the script names none. */
    pare_status status = print_script(&output->script, best, output->options->path, &text, err);
    const pare_digest digest =
        pare_digest_of(pare_digest_extend((pare_hash){{0}}, text.data, text.size), text.size);
    if (!status)
        status =
            pare_output_backup_keep(&output->backup, PARE_OUTPUT_BACKUP_SCRIPT, path, digest, err);
    if (!status) status = replace_script(output, &text, digest, err);
    pare_buffer_done(&text);
    return status;
}

/* Contents and words, each if it is not what was saved last. */
static pare_status save_parts(pare_output *output, const pare_candidate *best,
                              struct parcel *parcel, pare_error *err)
{
    struct hashing hashing = {.entries = output->layout->entries.items};
    const pare_layout_visitor visitor = {&hashing, hash_entry, hash_span};
    (void)pare_layout_walk(output->layout, best, &visitor);
    pare_digest contents = pare_digest_of(hashing.hash[0], hashing.size[0]);
    pare_digest words = pare_digest_of(hashing.hash[1], hashing.size[1]);
    pare_status status = PARE_OK;
    /* A step changes one of the two, so what is on disk fails together between the two
     * writes as well. */
    if (!output->any || !pare_digest_equal(contents, output->contents))
        status = output->in_place.options ? pare_in_place_save(&output->in_place, best, err)
                                          : replace(output, parcel, err);
    if (!status && (!output->any || !pare_digest_equal(words, output->words)))
        status = save_script(output, best, err);
    /* After a failure both parts are written again, since one of them may be half of each. */
    output->any = !status;
    output->contents = contents;
    output->words = words;
    return status;
}

/* Writes all that has changed. */
static pare_status save(pare_output *output, const pare_candidate *best, pare_error *err)
{
    struct parcel parcel = {.layout = output->layout,
                            .strip = output->strip,
                            .saver = &output->saver,
                            .candidate = best,
                            .how = {.sync = output->options->sync}};
    const pare_output_options *options = output->options;
    /* A run may have no output at all, as one whose result is taken from memory. */
    if (!options->path && !options->script_path && !output->in_place.options) return PARE_OK;
    if (!output->layout) return replace(output, &parcel, err);
    parcel.how.removal = removal_of(output);
    return save_parts(output, best, &parcel, err);
}

/* A write that was synced may take longer than ten tests, and there are hundreds of them in the
 * first seconds.  So after one that took n ms the next waits for 50 n ms, a second at most: writing
 * takes a fiftieth of the time where disks are not very slow.  One that takes longer than a second,
 * as of a folder of a hundred thousand files, waits for as long as it took: half of the time, then.
 * Nor is one made before what the last one replaced is removed: it would wait for that. */
static void note_cost(pare_output *output, uint64_t start_ms)
{
    enum { TIMES = 50, LONGEST_MS = 1000 };
    const uint64_t now_ms = pare_clock_ms(), took_ms = now_ms - start_ms;
    const uint64_t rest_ms = took_ms * TIMES < LONGEST_MS ? took_ms * TIMES : LONGEST_MS;
    output->due_ms = now_ms + (rest_ms > took_ms ? rest_ms : took_ms);
}

/* Saves now, and notes when the next save is due. */
static pare_status save_now(pare_output *output, const pare_candidate *best, pare_error *err)
{
    const bool waits = output->options->sync == PARE_SYNC_SECOND;
    const uint64_t start_ms = waits ? pare_clock_ms() : 0;
    pare_status status = save(output, best, err);
    /* After a failure, too: a disk on which a write fails after seconds is not asked
     * with each success. */
    if (waits) note_cost(output, start_ms);
    return status;
}

/* Whether the next may be written at `now_ms`. */
static bool may_save(const pare_output *output, uint64_t now_ms)
{
    return now_ms >= output->due_ms && !pare_folder_removal_is_busy(&output->removal);
}

/* Either of the two has a place beside which the best was written. */
bool pare_output_is_edited(const pare_output *output)
{
    return output->beside.size || output->in_place.is_edited;
}

/* Called by the engine at each success, before anybody is told of it. */
pare_status pare_output_save(pare_output *output, const pare_candidate *best, pare_error *err)
{
    const bool waits = output->options->sync == PARE_SYNC_SECOND;
    output->late = waits && !may_save(output, pare_clock_ms());
    return output->late ? PARE_OK : save_now(output, best, err);
}

/* What was put off may be saved though no better one comes. */
bool pare_output_is_due(const pare_output *output)
{
    return output->late && may_save(output, pare_clock_ms());
}

/* What cannot be written now stays due, and whoever saves next reports the error. */
pare_status pare_output_catch_up(pare_output *output, const pare_candidate *best, pare_error *err)
{
    if (!output->late) return PARE_OK;
    output->late = false;
    return save_now(output, best, err);
}

/* ---- other failures -------------------------------------------------------------------- */

/* A list with the smallest candidate of each failure, which is written when it is found.  A list, not a hash table: there are at most PARE_OTHER_FAILURES_MAX, and a candidate is
 * offered at most once for each test that retires. On disk a failure is known by the checksum of
 * its signature, so a run that is continued writes the same files again instead of second ones.
 * Each file is replaced by rename. The signature is written first: a candidate without its
 * signature would say nothing. */

/* Once at the end, rather than for each file on the way: a run that goes on after a loss of power
 * meets the failures again in its journal. */
pare_status pare_output_sync_others(const pare_other_failures *others, pare_error *err)
{
    const pare_sync sync = others->output ? others->output->options->sync : PARE_SYNC_NEVER;
    /* Nothing was written, or nobody wants to know that it survives. */
    if (!others->dir || !others->n || sync == PARE_SYNC_NEVER) return PARE_OK;
    int fd = open(others->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int failed = fd < 0 ? errno : pare_sync_tree(fd, sync);
    if (fd >= 0) (void)close(fd);
    return failed ? pare_fail_errno(err, failed, "cannot write %s", others->dir) : PARE_OK;
}

/* The folder on disk stays: it is a result. */
void pare_output_others_done(pare_other_failures *others)
{
    for (size_t k = 0; k < others->n; k++) {
        pare_alloc_free(others->list[k].signature);
        pare_alloc_free(others->list[k].path);
    }
    pare_alloc_free(others->list);
    others->list = NULL;
    others->n = 0;
}

/* The entry of `signature`; NULL: none yet.  The list is short. */
static pare_other_failure *find(const pare_other_failures *others, const char *signature)
{
    for (size_t k = 0; k < others->n; k++)
        if (strcmp(others->list[k].signature, signature) == 0) return &others->list[k];
    return NULL;
}

/* The suffix of the candidates' files, with its dot, as the language may be told by it;
 * "" for a folder, and for a name without one, such as ".bashrc". */
static const char *suffix_of(const pare_other_failures *others)
{
    const pare_layout *layout = others->output->layout;
    const char *dot = strrchr(others->base_name, '.');
    if (layout && !layout->is_file) return "";
    return dot && dot != others->base_name ? dot : "";
}

/* The path of one of the files of `signature`: of 0x01234567 and ".c" that is
 * DIR/01234567.c.
 * Two signatures with one checksum of 32 bits would share their files; of
 * PARE_OTHER_FAILURES_MAX that is not to be expected. */
static pare_status name_file(const pare_other_failures *others, const char *signature,
                             const char *suffix, pare_buffer *path, pare_error *err)
{
    uint32_t name = (uint32_t)pare_checksum(signature, strlen(signature));
    return pare_buffer_format(path, err, "%s/%08x%s", others->dir, name, suffix);
}

/* Makes the folder and writes the signature. */
static pare_status write_signature(const pare_other_failures *others, const char *signature,
                                   pare_error *err)
{
    pare_buffer path = {0}, line = {0};
    pare_status status = pare_file_make_directories(others->dir, err);
    if (!status) status = name_file(others, signature, ".signature", &path, err);
    if (!status) status = pare_buffer_format(&line, err, "%s\n", signature);
    if (!status) status = pare_file_write_bytes(path.data, line.data, line.size, err);
    pare_buffer_done(&path);
    pare_buffer_done(&line);
    return status;
}

/* Begins an entry, whose signature is written at once.  Its size is the largest there is, so that
 * any candidate is smaller. */
static pare_status add_new(pare_other_failures *others, const char *signature, pare_error *err)
{
    pare_buffer path = {0};
    pare_status status = PARE_OK;
    /* All at once: the list is short. */
    if (!others->list) {
        others->list = pare_alloc_zero(PARE_OTHER_FAILURES_MAX, sizeof *others->list);
        if (!others->list) return pare_fail_nomem(err);
    }
    if (others->dir) status = write_signature(others, signature, err);
    if (!status && others->dir)
        status = name_file(others, signature, suffix_of(others), &path, err);
    char *copy = status ? NULL : pare_alloc_text(signature, strlen(signature));
    if (!status && !copy) status = pare_fail_nomem(err);
    if (status) {
        pare_buffer_done(&path);
        return status;
    }
    others->list[others->n++] =
        (pare_other_failure){.signature = copy, .path = path.data, .size_bytes = SIZE_MAX};
    return PARE_OK;
}

/* Writes the candidate in the form that the result has, with the script beside it. */
static pare_status write_candidate(const pare_other_failures *others, const char *signature,
                                   const char *path, const pare_candidate *candidate,
                                   pare_error *err)
{
    const pare_output *output = others->output;
    pare_buffer script = {0};
    pare_status status = output_write(output->layout, output->strip, candidate, path, err);
    if (status || !output->script.layout) return status;
    status = name_file(others, signature, ".run.sh", &script, err);
    if (!status) status = output_write_script(&output->script, candidate, path, script.data, err);
    pare_buffer_done(&script);
    return status;
}

/* Candidates come in the order of their tests, most of them larger than the one that is kept:
 * those cost a comparison of numbers. A failure that cannot be written keeps its size, so that
 * the next smaller one is tried again. */
pare_status pare_output_add_other(pare_other_failures *others, const pare_candidate *candidate,
                                  const char *signature, pare_error *err)
{
    pare_status status = PARE_OK;
    pare_other_failure *other = find(others, signature);
    if (!other) {
        /* What comes after the list is full is not counted, either. */
        if (others->n == PARE_OTHER_FAILURES_MAX) return PARE_OK;
        status = add_new(others, signature, err);
        if (status) return status;
        other = &others->list[others->n - 1];
    }
    assert(others->n <= PARE_OTHER_FAILURES_MAX);
    other->n_tests++;
    const pare_layout *layout = others->output->layout;
    size_t size = layout ? pare_layout_measure(layout, candidate).bytes : candidate->size;
    /* Of two equal ones the first stays, so that files do not change without a reason. */
    if (size >= other->size_bytes) return PARE_OK;
    if (other->path) status = write_candidate(others, signature, other->path, candidate, err);
    if (!status) other->size_bytes = size;
    return status;
}
