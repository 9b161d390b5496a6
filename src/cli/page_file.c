/* The page of --report: gathers its contents, has ui/page make it, and writes it.
 *
 * The originals are read again at the end, instead of being kept in memory through a run that may
 * take days; an original that has changed since is mentioned, not shown.  The page replaces an
 * earlier one by rename, so a reader never sees half a page; only if the path is not a regular file
 * (a pipe, /dev/stdout) is it written directly.  At most PARE_PAGE_FILES files are in memory. */

#include "cli/page_file.h"

#include <assert.h>
#include <errno.h>
#include <fts.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <pare/reduce.h>
#include <pare/result.h>
#include <pare/survivors.h>
#include <pare/switch.h>

#include "base/buffer.h"
#include "base/fail.h"
#include "cli/paths.h"
#include "cli/shell.h"
#include "ui/format.h"
#include "ui/page.h"
#include "ui/page_texts.h"

/* Of a path in a message; of the directory that the page names; of a test script that is shown. */
enum { SHOWN_BYTES = 400, PATH_BYTES = 4096, SCRIPT_BYTES = 64 * 1024 };

/* The files that a report shows side by side: those that are left of folders and of several
 * inputs, each with what it was.  The first n of each list are set; all-zero is empty.  A
 * fixed number of slots: the page shows PARE_PAGE_FILES files and counts the others. */
struct page_files {
    pare_page_file files[PARE_PAGE_FILES]; /* in the order of their paths */
    pare_buffer names[PARE_PAGE_FILES], originals[PARE_PAGE_FILES],
        results[PARE_PAGE_FILES]; /* owned; what `files` borrows */
    size_t n, n_hidden;           /* hidden: there was no room for */
};

/* All slots, as those that were never filled are all-zero.  Called also where reading failed
 * in the middle. */
static void page_files_done(struct page_files *files)
{
    for (size_t i = 0; i < PARE_PAGE_FILES; i++) {
        pare_survivors_done(&files->files[i].survivors);
        pare_buffer_done(&files->names[i]);
        pare_buffer_done(&files->originals[i]);
        pare_buffer_done(&files->results[i]);
    }
    *files = (struct page_files){.n = 0};
}

/* ---- files of folders ------------------------------------------------------------ */

/* Reads the `size` bytes of `path` into `bytes`; *whole is false when they are not there any
 * more: a report does without them, so that is no error. */
static pare_status read_bytes(const char *path, size_t size, pare_buffer *bytes, bool *whole,
                              pare_error *err)
{
    *whole = false;
    FILE *file = fopen(path, "rbe");
    if (!file) return PARE_OK;
    pare_status status = pare_buffer_reserve(bytes, size, err);
    if (status == PARE_OK) {
        bytes->size = fread(bytes->data, 1, size, file);
        bytes->data[bytes->size] = '\0';
        *whole = bytes->size == size;
    }
    fclose(file);
    return status;
}

/* Reads a file of the result, or what it was.  A link is not followed: it is kept as a link, and
 * has no text of its own. */
static pare_status read_file(const char *path, pare_buffer *bytes, bool *whole, pare_error *err)
{
    struct stat about;
    *whole = false;
    /* Gone, a link, or no file: then there is no text to show. */
    if (lstat(path, &about) != 0 || !S_ISREG(about.st_mode)) return PARE_OK;
    return read_bytes(path, (size_t)about.st_size, bytes, whole, err);
}

/* Adds the file `result`; `original` is where it came from.  Marks of what survived are found
 * here, since they need both texts (explain/survivors.c). */
static pare_status add_file(struct page_files *files, const char *name, const char *result,
                            const char *original, pare_error *err)
{
    size_t k = files->n;
    assert(k <= PARE_PAGE_FILES);
    bool is_left, is_there = false;
    /* Counted, so that the page can say how many it does not show. */
    if (k == PARE_PAGE_FILES) {
        files->n_hidden++;
        return PARE_OK;
    }
    pare_page_file *file = &files->files[k];
    pare_status status = read_file(result, &files->results[k], &is_left, err);
    if (status == PARE_OK) status = read_file(original, &files->originals[k], &is_there, err);
    if (status == PARE_OK) status = pare_buffer_text(&files->names[k], name, err);
    /* The slot is used for the next file. */
    if (status != PARE_OK || !is_left) {
        pare_buffer_reset(&files->results[k]);
        pare_buffer_reset(&files->originals[k]);
        pare_buffer_reset(&files->names[k]);
        return status;
    }
    *file = (pare_page_file){.name = files->names[k].data,
                             .original = is_there ? files->originals[k].data : NULL,
                             .original_bytes = files->originals[k].size,
                             .absent = "it cannot be read a second time",
                             .result = files->results[k].data,
                             .result_bytes = files->results[k].size};
    files->n++;
    /* Without the original nothing is marked. */
    if (!is_there) return PARE_OK;
    return pare_survivors_find(file->original, file->original_bytes, file->result,
                               file->result_bytes, &file->survivors, err);
}

/* For fts: the order of a folder on disk is not the same everywhere.  Bytes, not letters of a
 * locale: the page is the same everywhere. */
static int by_name(const FTSENT **a, const FTSENT **b)
{
    return strcmp((*a)->fts_name, (*b)->fts_name);
}

/* Adds a file with the path `below` what was given.  `below` begins with a slash, or is empty
 * for an input that is a file. */
static pare_status add_below(struct page_files *files, const char *input, const char *original,
                             const char *result, const char *below, pare_error *err)
{
    pare_buffer name = {0}, from = {0};
    pare_status status = pare_buffer_format(&name, err, "%s%s", pare_paths_base(input), below);
    if (status == PARE_OK) status = pare_buffer_format(&from, err, "%s%s", original, below);
    if (status == PARE_OK) status = add_file(files, name.data, result, from.data, err);
    pare_buffer_done(&name);
    pare_buffer_done(&from);
    return status;
}

/* Adds all files of what is left of one input, a file or a folder at `result`. */
static pare_status add_input(struct page_files *files, const char *input, const char *original,
                             char *result, pare_error *err)
{
    char *const paths[] = {result, NULL};
    pare_status status = PARE_OK;
    if (access(result, F_OK) != 0) return PARE_OK; /* all of it is gone */
    /* Links are not followed; the working directory stays, since paths of others are relative to
     * it. */
    FTS *walk = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR, by_name);
    if (!walk) return pare_fail_errno(err, errno, "cannot list '%s'", result);
    for (const FTSENT *entry; status == PARE_OK && (entry = fts_read(walk));)
        if (entry->fts_info == FTS_F)
            status = add_below(files, input, original, entry->fts_accpath,
                               entry->fts_path + strlen(result), err);
    (void)fts_close(walk);
    return status;
}

/* Where the original of an input is now, and what is left of it.  The same rules as the
 * library has for where results go (session/output/), said once more because the library does
 * not tell. */
static pare_status find_paths(const pare_reduce_options *reduce, size_t i, pare_buffer *original,
                              pare_buffer *result, pare_error *err)
{
    const char *input = reduce->input.paths[i];
    struct stat about;
    bool in_place = reduce->output.in_place == PARE_ON;
    bool one_folder =
        reduce->input.n_paths == 1 && stat(input, &about) == 0 && S_ISDIR(about.st_mode);
    pare_status status = pare_buffer_format(original, err, "%s.orig", input);
    /* Not in place, or an input that has not changed: then the original is the input itself. */
    if (status == PARE_OK && (!in_place || access(original->data, F_OK) != 0)) {
        pare_buffer_reset(original);
        status = pare_buffer_text(original, input, err);
    }
    if (status != PARE_OK) return status;
    if (in_place) return pare_buffer_text(result, input, err);
    if (one_folder) return pare_buffer_text(result, reduce->output.path, err);
    return pare_buffer_format(result, err, "%s/%s", reduce->output.path, pare_paths_base(input));
}

/* Reads from the disk what is left of each input, and what it was.  What cannot be read any more
 * is left out, or told of in its place.  *files needs page_files_done in any case. */
static pare_status read_files(const pare_reduce_options *reduce, struct page_files *files,
                              pare_error *err)
{
    pare_status status = PARE_OK;
    for (size_t i = 0; status == PARE_OK && i < reduce->input.n_paths; i++) {
        pare_buffer original = {0}, result = {0};
        status = find_paths(reduce, i, &original, &result, err);
        if (status == PARE_OK)
            status = add_input(files, reduce->input.paths[i], original.data, result.data, err);
        pare_buffer_done(&original);
        pare_buffer_done(&result);
    }
    return status;
}

/* ---- what is shown ----------------------------------------------------------------- */

/* What is made for a page; all-zero at first.  Some hundred kilobytes of names and survivors
 * at most, beside the texts themselves. */
struct gathered {
    pare_buffer original, command, check, test, html; /* owned */
    char directory[PATH_BYTES];
    pare_page_file file;     /* its survivors are owned */
    struct page_files files; /* of several */
    pare_page page;
};

/* Releases what was gathered, however far that came. */
static void gathered_done(struct gathered *all)
{
    pare_buffer_done(&all->original);
    pare_buffer_done(&all->command);
    pare_buffer_done(&all->check);
    pare_buffer_done(&all->test);
    pare_buffer_done(&all->html);
    pare_survivors_done(&all->file.survivors);
    page_files_done(&all->files);
}

/* ---- the original ---------------------------------------------------------------- */

/* Reads the original, which had `size` bytes at the start of the run.  A file of the same size
 * that was changed all the same would be marked wrongly, and nothing else would go wrong. */
static pare_status read_again(const char *path, size_t size, pare_buffer *bytes, bool *same,
                              pare_error *err)
{
    struct stat about;
    *same = false;
    /* By its size alone: reading a pipe again would wait, and a file of another size is another
     * text. */
    if (!path || stat(path, &about) != 0 || !S_ISREG(about.st_mode) ||
        (uint64_t)about.st_size != size)
        return PARE_OK;
    return read_bytes(path, size, bytes, same, err);
}

/* Sets the file that is shown.  An input that cannot be read again is told of in its place:
 * the result is worth showing all the same. */
static pare_status gather_file(const pare_page_task *task, struct gathered *all, pare_error *err)
{
    const pare_result *result = task->result;
    pare_page_file *file = &all->file;
    bool same = true;
    pare_status status = PARE_OK;
    const char *path =
        task->original_path ? task->original_path : task->settings->reduce.input.path;
    *file = (pare_page_file){.original = task->passing,
                             .original_bytes = task->passing_bytes,
                             .result = result->bytes,
                             .result_bytes = result->size_bytes};
    const pare_reduce_options *reduce = &task->settings->reduce;
    /* A result that was only explained was something else before, but what is not known. */
    if (all->page.is_explained_only) return PARE_OK;
    /* Three sources: the passing side of an isolation, bytes that are in memory still, and a
     * file. */
    if (!task->passing && reduce->input.bytes) {
        file->original = reduce->input.bytes;
        file->original_bytes = reduce->input.size_bytes;
    } else if (!task->passing) {
        status = read_again(path, result->stats.bytes_in, &all->original, &same, err);
        file->original = same ? all->original.data : NULL;
        file->original_bytes = all->original.size;
        file->absent = "it cannot be read a second time, or has changed since";
    }
    if (status == PARE_OK && file->original)
        status = pare_survivors_find(file->original, file->original_bytes, file->result,
                                     file->result_bytes, &file->survivors, err);
    return status;
}

/* One text is in the result; files of a folder are read from where the result was written.
 * Files of a folder may be more than the page has room for. */
static pare_status gather_files(const pare_page_task *task, struct gathered *all, pare_error *err)
{
    const pare_reduce_options *reduce = &task->settings->reduce;
    pare_page *page = &all->page;
    if (task->result->bytes) {
        page->texts.files = &all->file;
        page->texts.n_files = 1;
        return gather_file(task, all, err);
    }
    pare_status status = read_files(reduce, &all->files, err);
    page->texts.files = all->files.files;
    page->texts.n_files = all->files.n;
    page->texts.n_hidden = all->files.n_hidden;
    return status;
}

/* ---- the commands ---------------------------------------------------------------- */

/* Appends the words as a shell reads them back, each after a space.  Each word is quoted only
 * if a shell would read it otherwise. */
static pare_status add_words(pare_buffer *line, char *const *words, size_t n, pare_error *err)
{
    pare_status status = PARE_OK;
    for (size_t i = 0; i < n && !status; i++) {
        status = pare_buffer_text(line, " ", err);
        if (!status) status = pare_shell_add_word(line, words[i], err);
    }
    return status;
}

/* Where the result is: one that is only explained was given. */
static const char *result_path(const pare_reduce_options *reduce)
{
    return reduce->output.path ? reduce->output.path : reduce->input.path;
}

/* The program may go by the suffix, so a result without it would not show the failure. */
static bool has_suffix(const char *path, const char *suffix)
{
    size_t size = strlen(path), tail = strlen(suffix);
    return size >= tail && strcmp(path + size - tail, suffix) == 0;
}

/* Appends a word of a program with `path` for its "@@" or "@@.EXT".  *used tells whether
 * there was one, *fits is false where the path has another suffix. */
static pare_status add_program_word(pare_buffer *line, const char *word, const char *path,
                                    bool *used, bool *fits, pare_error *err)
{
    pare_buffer text = {0};
    /* Only the first "@@" of a word, more than one is rare, and the line is for people. */
    const char *at = strstr(word, "@@");
    if (at && strspn(at, "@") % 2) at++; /* "@@@": the first is the program's */
    pare_status status = pare_buffer_text(line, line->size ? " " : "", err);
    if (!status && !at) return pare_shell_add_word(line, word, err);
    const char *after = at ? at + 2 : word;
    /* "@@.EXT": the suffix belongs to the mark, and the path has it or does not fit. */
    if (at && *after == '.') {
        if (!has_suffix(path, after)) *fits = false;
        after += strlen(after);
    }
    *used = true;
    if (!status) status = pare_buffer_add(&text, word, at ? (size_t)(at - word) : 0, err);
    if (!status) status = pare_buffer_text(&text, path, err);
    if (!status) status = pare_buffer_text(&text, after, err);
    if (!status) status = pare_shell_add_word(line, text.data, err);
    pare_buffer_done(&text);
    return status;
}

/* The program on the result; empty when that has not the name it would need.  A page without
 * the line is better than one with a line that does not show the failure. */
static pare_status add_program(const pare_reduce_options *reduce, pare_buffer *line,
                               pare_error *err)
{
    bool used = false, fits = true;
    pare_status status = PARE_OK;
    for (size_t i = 0; i < reduce->test.n_program && !status; i++)
        status =
            add_program_word(line, reduce->test.program[i], result_path(reduce), &used, &fits, err);
    /* Without a mark the program gets the result as its standard input. */
    if (!status && !used && result_path(reduce)) {
        status = pare_buffer_text(line, " < ", err);
        if (!status) status = pare_shell_add_word(line, result_path(reduce), err);
    }
    if (!fits) pare_buffer_done(line);
    return status;
}

/* The test on the result.  A TEST that names a file is one word; else it is words.  The line
 * is for a shell in the folder in which pare was started. */
static pare_status add_test(const pare_reduce_options *reduce, pare_buffer *line, pare_error *err)
{
    const char *test = reduce->test.command;
    bool is_file = access(test, F_OK) == 0;
    /* A shell would look for a bare name along PATH. */
    pare_status status = pare_buffer_text(line, is_file && !strchr(test, '/') ? "./" : "", err);
    if (!status)
        status = is_file ? pare_shell_add_word(line, test, err) : pare_buffer_text(line, test, err);
    if (!status) status = pare_buffer_text(line, " ", err);
    if (!status) status = pare_shell_add_word(line, result_path(reduce), err);
    return status;
}

/* The worker, told of the result.  As docs/guide/worker.md describes the protocol. */
static pare_status add_worker(const pare_reduce_options *reduce, pare_buffer *line, pare_error *err)
{
    const char *path = result_path(reduce);
    /* As a worker is asked: a line with the size in bytes and the whole path. */
    pare_status status = pare_buffer_text(line, "echo \"$(wc -c < ", err);
    if (!status) status = pare_shell_add_word(line, path, err);
    if (!status) status = pare_buffer_text(line, ") \"", err);
    if (!status && path[0] != '/') status = pare_buffer_text(line, "\"$PWD\"/", err);
    if (!status) status = pare_shell_add_word(line, path, err);
    return status ? status : pare_buffer_format(line, err, " | %s", reduce->test.worker);
}

/* What reproduces the run, and what shows the failure of its result.  Of several files the
 * second cannot be said in one line.  What was typed, not what was understood: a reader can
 * run it again. */
static pare_status gather_commands(const pare_page_task *task, struct gathered *all,
                                   pare_error *err)
{
    const pare_settings *settings = task->settings;
    pare_status status = pare_buffer_text(&all->command, task->command, err);
    if (!status) status = add_words(&all->command, settings->words, settings->n_words, err);
    if (status || settings->reduce.input.n_paths > 1) return status;
    if (settings->reduce.test.worker)
        return settings->reduce.input.n_paths ? PARE_OK
                                              : add_worker(&settings->reduce, &all->check, err);
    return settings->reduce.test.n_program ? add_program(&settings->reduce, &all->check, err)
                                           : add_test(&settings->reduce, &all->check, err);
}

/* The text of the test, where that is the name of a script: what it looks for is what the failure is.
 * A test that is a program says nothing to a reader. */
static pare_status gather_test(const pare_page_task *task, struct gathered *all, pare_error *err)
{
    const char *test = task->settings->reduce.test.command;
    bool whole = false;
    struct stat about;
    if (!test || stat(test, &about) != 0 || about.st_size > SCRIPT_BYTES) return PARE_OK;
    pare_status status = read_file(test, &all->test, &whole, err);
    if (!whole || memchr(all->test.data, '\0', all->test.size)) pare_buffer_reset(&all->test);
    return status;
}

/* ---- writing --------------------------------------------------------------------- */

/* The one sentence for all that can go wrong with the page's file. */
static pare_status fail(const char *path, int reason, pare_error *err)
{
    char shown[SHOWN_BYTES];
    return pare_fail_errno(err, reason, "cannot write the report '%s'",
                           pare_format_name(shown, sizeof shown, path));
}

/* Fills the open file, which is closed. fflush before fclose, so that a full disk is seen
 * while errno still says so. */
static bool fill(FILE *file, const pare_buffer *html)
{
    bool written = fwrite(html->data, 1, html->size, file) == html->size && fflush(file) == 0;
    int reason = errno;
    if (fclose(file) != 0) return false;
    errno = reason;
    return written;
}

/* For what cannot be replaced by rename: a pipe, a device.  Not by rename: /dev/stdout must
 * stay what it is. */
static pare_status write_direct(const char *path, const pare_buffer *html, pare_error *err)
{
    FILE *file = fopen(path, "wbe");
    if (!file || !fill(file, html)) return fail(path, errno, err);
    return PARE_OK;
}

/* Writes beside `path` and renames.  The process's number in the name keeps two runs apart
 * that write the same page. */
static pare_status write_renamed(const char *path, const pare_buffer *html, pare_error *err)
{
    pare_buffer beside = {0};
    pare_status status = pare_buffer_format(&beside, err, "%s.%ld.tmp", path, (long)getpid());
    if (status != PARE_OK) return status;
    unlink(beside.data); /* of a process of the same number that was killed */
    FILE *file = fopen(beside.data, "wbxe");
    bool written = file && fill(file, html) && rename(beside.data, path) == 0;
    int reason = errno;
    if (file && !written) unlink(beside.data);
    pare_buffer_done(&beside);
    return written ? PARE_OK : fail(path, reason, err);
}

/* How depends on what stands there: nothing and regular files are replaced, everything else is
 * written to. realpath follows links, so that the file behind the link is the one that is
 * replaced. */
static pare_status write_page(const char *path, const pare_buffer *html, pare_error *err)
{
    char real[PATH_BYTES];
    struct stat about;
    if (stat(path, &about) != 0) return write_renamed(path, html, err);
    if (!S_ISREG(about.st_mode)) return write_direct(path, html, err);
    /* A link stays one; what it leads to is replaced. */
    if (!realpath(path, real)) return fail(path, errno, err);
    return write_renamed(real, html, err);
}

/* A folder in the way, or a parent that cannot be written to; a pipe is not opened, since that
 * would wait for its reader. */
pare_status pare_page_file_check(const char *path, pare_error *err)
{
    struct stat about;
    if (stat(path, &about) == 0) {
        if (S_ISDIR(about.st_mode)) return fail(path, EISDIR, err);
        if (!S_ISREG(about.st_mode)) return PARE_OK;
    }
    pare_buffer folder = {0};
    size_t size = (size_t)(pare_paths_base(path) - path);
    pare_status status =
        size ? pare_buffer_add(&folder, path, size, err) : pare_buffer_text(&folder, ".", err);
    if (!status && access(folder.data, W_OK | X_OK) != 0) status = fail(path, errno, err);
    pare_buffer_done(&folder);
    return status;
}

/* What was gathered is released in any case; a page that could not be made leaves the old one. */
pare_status pare_page_file_write(const pare_page_task *task, pare_error *err)
{
    assert(task->settings->report_path);
    struct gathered all = {.page = {.proof = task->proof}};
    const pare_reduce_options *reduce = &task->settings->reduce;
    pare_page *page = &all.page;
    page->name = pare_settings_subject(task->settings);
    page->output_path = reduce->output.path;
    page->test_command = reduce->test.command;
    page->worker_command = reduce->test.worker;
    page->algorithm = reduce->algorithms;
    page->directory = getcwd(all.directory, sizeof all.directory);
    page->log = task->log;
    page->texts.explanation = task->explanation;
    page->texts.readable = task->readable;
    page->is_explained_only = task->explanation && !reduce->output.path;
    page->texts.is_isolated = task->passing != NULL;
    page->n_differences = task->n_differences;
    page->n_differences_in = task->n_differences_in;
    page->texts.original_label = task->passing ? "Passing side" : "Original";
    page->texts.result_label = task->passing ? "Failing side" : "Result";
    pare_status status = gather_commands(task, &all, err);
    if (!status) status = gather_test(task, &all, err);
    if (!status) status = gather_files(task, &all, err);
    page->test_text = all.test.size ? all.test.data : NULL;
    page->command = all.command.data;
    /* The page says nothing about it where it could not be said right. */
    page->check = all.check.size ? all.check.data : NULL;
    if (!status) status = pare_page_write(page, task->result, &all.html, err);
    if (!status) status = write_page(task->settings->report_path, &all.html, err);
    gathered_done(&all);
    return status;
}
