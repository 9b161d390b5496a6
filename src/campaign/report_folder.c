/* Folders of findings.
 *
 * All files are made in memory, then the folder appears as a whole (os/folder.h): a killed report
 * leaves the old folder, or none. show.sh needs nothing but the program under test: it changes to
 * its own folder and runs the command with the input's name in it; targets that are not programs (a
 * library, a worker) are run by pare.  Invariant: text that a target chose is in a script only as
 * quoted words of its command, or as a comment of one line. */
#include "campaign/report_folder.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <pare/findings.h>
#include <pare/sync.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "campaign/campaign_file.h"
#include "campaign/escape.h"
#include "campaign/finding_json.h"
#include "campaign/section.h"
#include "os/file.h"
#include "os/folder.h"
#include "run/command.h"

/* MAX_FILES: of a folder; SHOWN_BYTES: of a text in the head of a script */
enum { MAX_FILES = 8, SHOWN_BYTES = 160 };

/* A file that is to be written; its bytes are in `content` if that is set, else
 * in `owned`. */
struct file {
    pare_buffer name, owned;
    unsigned char *content; /* owned; NULL: `owned` has the bytes */
    size_t size;
    mode_t mode;
};

/* All files of a report. They are made before the folder is, so a failure
 * leaves nothing behind. */
struct files {
    struct file items[MAX_FILES];
    size_t n;
};

/* Adds an empty file with this mode, less the umask. All files of a folder are
 * added in this module, so MAX_FILES bounds them. */
static struct file *add_file(struct files *files, mode_t mode)
{
    assert(files->n < MAX_FILES);
    files->items[files->n] = (struct file){.mode = mode};
    return &files->items[files->n++];
}

/* Frees names and bytes of all files. */
static void done(struct files *files)
{
    for (size_t i = 0; i < files->n; i++) {
        pare_buffer_done(&files->items[i].name);
        pare_buffer_done(&files->items[i].owned);
        pare_alloc_free(files->items[i].content);
    }
}

/* Writes all bytes; returns 0 or an errno. */
static int write_all(int fd, const char *bytes, size_t size)
{
    while (size) {
        ssize_t n = write(fd, bytes, size);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return errno;
        bytes += n;
        size -= (size_t)n;
    }
    return 0;
}

/* Writes a file into the open folder; returns 0 or an errno. O_EXCL and
 * O_NOFOLLOW: the folder is new and ours, so a name that is there already is a
 * mistake of ours, or an attack. */
static int write_file(int folder, const struct file *file)
{
    int fd = openat(folder, file->name.data, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW,
                    file->mode);
    if (fd < 0) return errno;
    const char *bytes = file->content ? (const char *)file->content : file->owned.data;
    int failed = write_all(fd, bytes, file->content ? file->size : file->owned.size);
    if (close(fd) && !failed) failed = errno;
    return failed;
}

/* The callback of pare_folder_replace: fills the new folder; nothing is taken
 * from the one before. */
static int write_files(void *context, int folder, int previous)
{
    const struct files *files = context;
    int failed = 0;
    (void)previous;
    for (size_t i = 0; i < files->n && !failed; i++)
        failed = write_file(folder, &files->items[i]);
    return failed;
}

/* ---- what is in them ------------------------------------------------------------------- */

/* Adds a file with a copy of a text. */
static pare_status add_text(struct files *files, const char *name, const char *text, size_t size,
                            pare_error *err)
{
    struct file *file = add_file(files, 0666);
    pare_status status = pare_buffer_text(&file->name, name, err);
    return status ? status : pare_buffer_add(&file->owned, text, size, err);
}

/* Adds a content of the store as a file, or nothing if it is not kept any more. */
static pare_status add_content(const pare_report_about *about, const char *digest, const char *stem,
                               struct files *files, pare_error *err)
{
    if (!digest[0]) return PARE_OK;
    struct file *file = add_file(files, 0666);
    pare_status status = pare_report_fields_name(about, stem, &file->name, err);
    if (!status) status = pare_report_fields_input(about, digest, &file->content, &file->size, err);
    if (!status && !file->content) {
        pare_buffer_done(&file->name);
        files->n--;
    }
    return status;
}

/* Adds finding.json, for programs that look through many folders: state and
 * digests without reading Markdown. By this file check_place knows a folder of
 * ours. */
static pare_status add_json(const pare_finding *finding, struct files *files, pare_error *err)
{
    struct file *file = add_file(files, 0666);
    pare_status status = pare_buffer_text(&file->name, "finding.json", err);
    if (status) return status;
    return pare_finding_json_print(pare_finding_json_of(finding), PARE_FINDING_JSON_INDENTED,
                                   &file->owned, err);
}

/* Whether a line of a shell can run the target on an input. Workers and
 * libraries in a process of ours cannot be run so. */
static bool is_program(const pare_report_about *about)
{
    const pare_section *section =
        about->campaign ? pare_campaign_section(about->campaign, "target", about->finding->target)
                        : NULL;
    const char *kind = section ? pare_section_text(section, "kind") : "";
    return section && strcmp(kind, "worker") != 0 && strcmp(kind, "inprocess") != 0;
}

/* Appends the head of the script: "# Shows finding 7 of jq: ...". Texts are cut
 * to one line, or they could end the comment. */
static pare_status add_heading(const pare_finding *finding, pare_buffer *script, pare_error *err)
{
    pare_status status = pare_buffer_format(script, err, "#!/bin/sh\n# Shows finding %lld of ",
                                            (long long)finding->id);
    if (!status)
        status =
            pare_escape_line(finding->target, strlen(finding->target), SHOWN_BYTES, script, err);
    if (!status) status = pare_buffer_text(script, ": ", err);
    if (!status)
        status = pare_escape_line(finding->title, strlen(finding->title), SHOWN_BYTES, script, err);
    return status ? status : pare_buffer_text(script, ".\n", err);
}

/* Adds show.sh, which runs the target on the input, and command.txt with the
 * command alone for people. For a target that cannot be run so, the script asks
 * pare to validate the finding. */
static pare_status add_script(const pare_report_about *about, const char *input,
                              struct files *files, pare_error *err)
{
    struct file *script = add_file(files, 0777), *command = add_file(files, 0666);
    pare_status status = pare_buffer_text(&script->name, "show.sh", err);
    if (!status) status = pare_buffer_text(&command->name, "command.txt", err);
    if (!status) status = add_heading(about->finding, &script->owned, err);
    if (!status && is_program(about))
        status = pare_report_fields_command(about, input, &command->owned, err);
    if (!status && command->owned.size) {
        status = pare_buffer_text(&command->owned, "\n", err);
        if (!status)
            status = pare_buffer_format(
                &script->owned, err, "cd \"$(dirname \"$0\")\" || exit 3\n%s", command->owned.data);
    } else if (!status) {
        status = pare_buffer_text(&script->owned, "pare fuzz validate --store ", err);
        if (!status)
            status = pare_command_quote(&script->owned, about->store->path,
                                        strlen(about->store->path), err);
        if (!status)
            status =
                pare_buffer_format(&script->owned, err, " %lld\n", (long long)about->finding->id);
    }
    return status;
}

/* Makes all files. The inputs come first, so that the script knows the name of
 * the one that it shows. */
static pare_status make_files(const pare_report_about *about, const pare_report_text *text,
                              struct files *files, pare_error *err)
{
    const pare_finding *finding = about->finding;
    pare_buffer input = {0};
    pare_status status = add_content(about, finding->reduced, "reduced", files, err);
    if (!status) status = add_content(about, finding->input, "original", files, err);
    if (!status)
        status = files->n ? pare_buffer_text(&input, files->items[0].name.data, err)
                          : pare_report_fields_name(about, "original", &input, err);
    if (!status) status = add_script(about, input.data, files, err);
    if (!status) status = add_json(finding, files, err);
    if (!status) status = add_text(files, "README.md", text->body.data, text->body.size, err);
    if (!status)
        status = add_text(files, "output.txt", finding->output, strlen(finding->output), err);
    pare_buffer_done(&input);
    return status;
}

/* ---- where they go --------------------------------------------------------------------- */

/* Checks that the report may take this place: nothing is there, or an empty
 * folder, or an older report of ours. A folder of the user's is never replaced. */
static pare_status check_place(const char *path, pare_error *err)
{
    pare_folder_names names = {0};
    bool is_ours = false;
    if (!pare_file_exists(path)) return PARE_OK;
    if (!pare_folder_is_plain(path))
        return pare_fail(err, PARE_E_STATE, "'%s' exists and is not a folder", path);
    pare_status status = pare_folder_names_read(&names, path, err);
    for (size_t i = 0; i < names.n; i++)
        if (strcmp(names.items[i], "finding.json") == 0) is_ours = true;
    if (!status && names.n && !is_ours)
        status = pare_fail(err, PARE_E_STATE, "'%s' exists and is not a report by pare", path);
    pare_folder_names_done(&names);
    return status;
}

/* Writes the folder FOLDER/finding-N; *path is where. It is replaced as a
 * whole, and nothing is made before it is sure that the place is ours. */
pare_status pare_report_folder_write(const pare_report_about *about, const pare_report_text *text,
                                     const char *folder, pare_buffer *path, pare_error *err)
{
    struct files files = {.n = 0};
    pare_status status = pare_file_make_directories(folder, err);
    if (!status)
        status =
            pare_buffer_format(path, err, "%s/finding-%lld", folder, (long long)about->finding->id);
    if (!status) status = check_place(path->data, err);
    if (!status) status = make_files(about, text, &files, err);
    if (!status)
        status = pare_folder_replace(path->data, &(pare_folder_replacing){.sync = PARE_SYNC_NEVER},
                                     write_files, &files, err);
    done(&files);
    return status;
}

/* Writes a request and the script that sends it; *path is the script. The
 * request comes first: a script that is there can be run. */
pare_status pare_report_folder_request(const pare_finding *finding,
                                       const pare_report_request *request, const char *folder,
                                       pare_buffer *path, pare_error *err)
{
    pare_buffer name = {0}, body = {0}, script = {0};
    pare_status status = pare_file_make_directories(folder, err);
    if (!status)
        status = pare_buffer_format(&name, err, "finding-%lld-%s.json", (long long)finding->id,
                                    request->tracker);
    if (!status)
        status = pare_tracker_script(request->request, request->token, name.data, &script, err);
    if (!status) status = pare_buffer_format(&body, err, "%s/%s", folder, name.data);
    if (!status)
        status = pare_file_write_bytes(body.data, request->request->body.data,
                                       request->request->body.size, err);
    if (!status)
        status = pare_buffer_format(path, err, "%s/finding-%lld-%s.sh", folder,
                                    (long long)finding->id, request->tracker);
    if (!status)
        status = pare_file_write_script(path->data, PARE_SYNC_NEVER, script.data, script.size, err);
    pare_buffer_done(&name);
    pare_buffer_done(&body);
    pare_buffer_done(&script);
    return status;
}
