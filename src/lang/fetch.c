/* npm is asked for an archive and told to run nothing. */
#include "lang/fetch.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/sha512.h"
#include "base/status.h"
#include "os/file.h"

static const char LOG[] = "log";

enum { TIMEOUT_MS = 300 * 1000 };

/* --- programs --------------------------------------------------------------------- */

pare_status pare_fetch_find(const pare_fetch *fetch, const char *name, const char *advice,
                            char **out, pare_error *err)
{
    pare_status status = pare_executable_find(name, out, err);
    if (status == PARE_E_STATE) {
        pare_error_clear(err);
        return pare_fail(err, status,
                         "'%s' is needed to add a language and is not in PATH: %s, then 'pare lang "
                         "add %s'",
                         name, advice, fetch->name);
    }
    return status;
}

pare_status pare_fetch_find_programs(pare_fetch *fetch, pare_error *err)
{
    pare_status status =
        pare_fetch_find(fetch, "npm", "install Node.js with npm", &fetch->npm, err);
    if (status == PARE_OK) status = pare_fetch_find(fetch, "tar", "install tar", &fetch->tar, err);
    return status;
}

pare_status pare_fetch_run(const pare_fetch *fetch, const char *path, const char *const *argv,
                           int timeout_ms, pare_executable_end *end, pare_error *err)
{
    const pare_executable_call helper = {.path = path,
                                         .argv = argv,
                                         .directory = fetch->work.data,
                                         .log_path = fetch->log.data,
                                         .timeout_ms = timeout_ms};
    return pare_executable_run(&helper, end, err);
}

void pare_fetch_quote_log(const pare_fetch *fetch, const char *mark, char *line, size_t capacity)
{
    pare_buffer log = {0};
    line[0] = '\0';
    if (pare_file_read(fetch->log.data, &log, NULL) == PARE_OK && log.data) {
        const char *at = strstr(log.data, mark);
        if (at) {
            at += strlen(mark);
            (void)snprintf(line, capacity, "%.*s", (int)strcspn(at, "\r\n"), at);
        }
    }
    pare_buffer_done(&log);
}

/* --- folders ------------------------------------------------------------------------ */

pare_status pare_fetch_open(pare_fetch *fetch, const char *shelf, pare_error *err)
{
    pare_status status = pare_folder_stage_open(shelf, &fetch->staging, err);
    if (status != PARE_OK) return status;
    const char *folder = pare_folder_stage_path(fetch->staging);
    status = pare_buffer_format(&fetch->work, err, "%s/%s", folder, PARE_FETCH_WORK);
    if (status == PARE_OK)
        status = pare_buffer_format(&fetch->log, err, "%s/%s", fetch->work.data, LOG);
    if (status == PARE_OK) status = pare_file_make_directories(fetch->work.data, err);
    return status;
}

void pare_fetch_done(pare_fetch *fetch)
{
    pare_folder_stage_close(fetch->staging);
    pare_release(fetch->npm);
    pare_release(fetch->tar);
    pare_buffer_done(&fetch->work);
    pare_buffer_done(&fetch->log);
}

pare_status pare_fetch_keep(const pare_fetch *fetch, const char *from, const char *to,
                            pare_error *err)
{
    pare_buffer path = {0};
    pare_status status = pare_buffer_format(&path, err, "%s/%s", PARE_FETCH_WORK, from);
    if (status == PARE_OK) status = pare_folder_stage_move(fetch->staging, path.data, to, err);
    pare_buffer_done(&path);
    return status;
}

pare_status pare_fetch_write(const pare_fetch *fetch, const char *file, const pare_buffer *text,
                             pare_error *err)
{
    pare_buffer path = {0};
    pare_status status =
        pare_buffer_format(&path, err, "%s/%s", pare_folder_stage_path(fetch->staging), file);
    if (status == PARE_OK) status = pare_file_write_bytes(path.data, text->data, text->size, err);
    pare_buffer_done(&path);
    return status;
}

pare_status pare_fetch_commit(pare_fetch *fetch, pare_error *err)
{
    pare_status status = pare_file_remove_tree(fetch->work.data, err);
    return status == PARE_OK ? pare_folder_stage_commit(fetch->staging, fetch->name, err) : status;
}

/* --- a package ------------------------------------------------------------------------ */

/* npm calls the file of @scope/name scope-name-VERSION.tgz. */
static pare_status name_archive(const pare_fetch *fetch, const pare_fetch_pin *pin,
                                pare_buffer *archive, pare_error *err)
{
    const char *package = pin->package + (pin->package[0] == '@');
    size_t scope = strcspn(package, "/");
    const char *rest = package[scope] ? package + scope + 1 : "";
    return pare_buffer_format(archive, err, "%s/%.*s%s%s-%s.tgz", fetch->work.data, (int)scope,
                              package, *rest ? "-" : "", rest, pin->version);
}

static pare_status get(const pare_fetch *fetch, const pare_fetch_pin *pin, const char *archive,
                       pare_error *err)
{
    char wanted[128], code[64];
    pare_executable_end end = {0};
    (void)snprintf(wanted, sizeof wanted, "%s@%s", pin->package, pin->version);
    const char *const argv[] = {"npm",
                                "pack",
                                wanted,
                                "--ignore-scripts",
                                "--fetch-retries=1",
                                "--fetch-retry-mintimeout=1000",
                                "--no-update-notifier",
                                NULL};
    pare_status status = pare_fetch_run(fetch, fetch->npm, argv, TIMEOUT_MS, &end, err);
    if (status != PARE_OK) return status;
    if (end.exit_code == 0 && pare_file_is_regular(archive)) return PARE_OK;
    pare_fetch_quote_log(fetch, " code ", code, sizeof code);
    return pare_fail(err, PARE_E_IO,
                     "npm cannot fetch %s%s%s: look whether there is a network and a registry, "
                     "then 'pare lang add %s' again",
                     wanted, *code ? ", it says " : "",
                     *code           ? code
                     : end.timed_out ? ", it took too long"
                                     : "",
                     fetch->name);
}

static pare_status check_integrity(const pare_fetch_pin *pin, const char *archive, pare_error *err)
{
    pare_buffer bytes = {0};
    char found[PARE_INTEGRITY_BYTES];
    pare_status status = pare_file_read(archive, &bytes, err);
    if (status == PARE_OK) {
        pare_sha512_integrity(bytes.data, bytes.size, found);
        if (strcmp(found, pin->integrity) != 0)
            status = pare_fail(err, PARE_E_CORRUPT,
                               "what npm fetched is not %s %s: its digest is %s, not %s",
                               pin->package, pin->version, found, pin->integrity);
    }
    pare_buffer_done(&bytes);
    return status;
}

static pare_status unpack(const pare_fetch *fetch, const pare_fetch_pin *pin, const char *archive,
                          pare_error *err)
{
    pare_executable_end end = {0};
    /* For root too, who is to read it is not the archive's choice. */
    const char *const argv[] = {"tar",
                                "-xzf",
                                archive,
                                "--exclude=prebuilds",
                                "--exclude=*.wasm",
                                "--no-same-owner",
                                "--no-same-permissions",
                                NULL};
    pare_status status = pare_fetch_run(fetch, fetch->tar, argv, TIMEOUT_MS, &end, err);
    if (status == PARE_OK && end.exit_code != 0)
        status = pare_fail(err, PARE_E_IO, "tar cannot unpack %s %s (exit code %d)", pin->package,
                           pin->version, end.exit_code);
    return status;
}

pare_status pare_fetch_package(const pare_fetch *fetch, const pare_fetch_pin *pin, pare_error *err)
{
    pare_buffer archive = {0};
    pare_status status = name_archive(fetch, pin, &archive, err);
    if (status == PARE_OK) status = get(fetch, pin, archive.data, err);
    if (status == PARE_OK) status = check_integrity(pin, archive.data, err);
    if (status == PARE_OK) status = unpack(fetch, pin, archive.data, err);
    pare_buffer_done(&archive);
    return status;
}
