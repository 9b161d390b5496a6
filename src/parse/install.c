/* Adding a language: fetch, check, unpack, compile, try, keep.
 *
 * Everything happens in a staging folder (os/staging.h): the package is unpacked and
 * compiled in "work" below it, what is kept moves up, "work" is removed, and the folder
 * gets its name by one rename.  The package is not looked into before its SHA-512 is
 * right, and nothing in it is ever executed but the parser, which is loaded. */
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/sha512.h"
#include "os/file.h"
#include "os/helper.h"
#include "os/staging.h"
#include "parse/language.h"

static const char WORK[] = "work", LOG[] = "log";

enum { MAX_WORDS = 24, FETCH_TIMEOUT_MS = 300 * 1000, COMPILE_TIMEOUT_MS = 600 * 1000 };

/* One language being added. */
struct install {
    const pare_pack *pack;
    pare_staging *staging; /* owned, as all below */
    char *npm, *tar, *cc;  /* programs */
    pare_buffer work, log; /* absolute paths */
    pare_buffer archive;   /* path of the package */
    pare_tree_sitter *loaded;
    pare_error *err;
};

static void done(struct install *self)
{
    pare_tree_sitter_close(self->loaded);
    pare_staging_close(self->staging);
    pare_release(self->npm);
    pare_release(self->tar);
    pare_release(self->cc);
    pare_buffer_done(&self->work);
    pare_buffer_done(&self->log);
    pare_buffer_done(&self->archive);
}

/* --- programs --------------------------------------------------------------------- */

static pare_status find(struct install *self, const char *name, const char *advice, char **out)
{
    pare_status status = pare_helper_find(name, out, self->err);
    if (status == PARE_E_STATE) {
        pare_error_clear(self->err);
        return pare_fail(self->err, status,
                         "'%s' is needed to add a language and is not in PATH: %s, then 'pare lang "
                         "add %s'",
                         name, advice, self->pack->info.name);
    }
    return status;
}

static pare_status find_programs(struct install *self)
{
    pare_status status = find(self, "npm", "install Node.js with npm", &self->npm);
    if (status == PARE_OK) status = find(self, "tar", "install tar", &self->tar);
    if (status == PARE_OK) status = find(self, "cc", "install a C compiler", &self->cc);
    return status;
}

static pare_status run(struct install *self, const char *path, const char *const *argv,
                       int timeout_ms, pare_helper_end *end)
{
    const pare_helper helper = {.path = path,
                                .argv = argv,
                                .directory = self->work.data,
                                .log_path = self->log.data,
                                .timeout_ms = timeout_ms};
    return pare_helper_run(&helper, end, self->err);
}

/* Finds the first line of the log that begins with `mark`, and gives what follows up to
 * the end of the line, cut to `capacity`; "" when there is none. */
static void quote_log(const struct install *self, const char *mark, char *line, size_t capacity)
{
    pare_buffer log = {0};
    line[0] = '\0';
    if (pare_file_read(self->log.data, &log, NULL) == PARE_OK && log.data) {
        const char *at = strstr(log.data, mark);
        if (at) {
            at += strlen(mark);
            (void)snprintf(line, capacity, "%.*s", (int)strcspn(at, "\r\n"), at);
        }
    }
    pare_buffer_done(&log);
}

/* --- steps ------------------------------------------------------------------------- */

static pare_status open_staging(struct install *self)
{
    char *shelf = NULL;
    pare_status status = pare_language_path(NULL, &shelf, self->err);
    if (status == PARE_OK) status = pare_staging_open(shelf, &self->staging, self->err);
    pare_release(shelf);
    if (status != PARE_OK) return status;
    const char *folder = pare_staging_path(self->staging);
    status = pare_buffer_format(&self->work, self->err, "%s/%s", folder, WORK);
    if (status == PARE_OK)
        status = pare_buffer_format(&self->log, self->err, "%s/%s", self->work.data, LOG);
    if (status == PARE_OK) status = pare_file_make_directories(self->work.data, self->err);
    return status;
}

/* npm calls the file of @scope/name scope-name-VERSION.tgz. */
static pare_status name_archive(struct install *self)
{
    const pare_language_info *info = &self->pack->info;
    const char *package = info->package + (info->package[0] == '@');
    size_t scope = strcspn(package, "/");
    const char *rest = package[scope] ? package + scope + 1 : "";
    return pare_buffer_format(&self->archive, self->err, "%s/%.*s%s%s-%s.tgz", self->work.data,
                              (int)scope, package, *rest ? "-" : "", rest, info->version);
}

static pare_status fetch(struct install *self)
{
    char wanted[128], code[64];
    pare_helper_end end = {0};
    const pare_language_info *info = &self->pack->info;
    (void)snprintf(wanted, sizeof wanted, "%s@%s", info->package, info->version);
    const char *const argv[] = {"npm",
                                "pack",
                                wanted,
                                "--ignore-scripts",
                                "--fetch-retries=1",
                                "--fetch-retry-mintimeout=1000",
                                "--no-update-notifier",
                                NULL};
    pare_status status = name_archive(self);
    if (status == PARE_OK) status = run(self, self->npm, argv, FETCH_TIMEOUT_MS, &end);
    if (status != PARE_OK) return status;
    if (end.exit_code == 0 && pare_file_is_regular(self->archive.data)) return PARE_OK;
    quote_log(self, " code ", code, sizeof code);
    return pare_fail(self->err, PARE_E_IO,
                     "npm cannot fetch %s%s%s: look whether there is a network and a registry, "
                     "then 'pare lang add %s' again",
                     wanted, *code ? ", it says " : "",
                     *code           ? code
                     : end.timed_out ? ", it took too long"
                                     : "",
                     info->name);
}

static pare_status check_integrity(struct install *self)
{
    pare_buffer bytes = {0};
    char found[PARE_INTEGRITY_BYTES];
    pare_status status = pare_file_read(self->archive.data, &bytes, self->err);
    if (status == PARE_OK) {
        pare_sha512_integrity(bytes.data, bytes.size, found);
        if (strcmp(found, self->pack->integrity) != 0)
            status = pare_fail(self->err, PARE_E_CORRUPT,
                               "what npm fetched is not %s %s: its digest is %s, not %s",
                               self->pack->info.package, self->pack->info.version, found,
                               self->pack->integrity);
    }
    pare_buffer_done(&bytes);
    return status;
}

static pare_status unpack(struct install *self)
{
    pare_helper_end end = {0};
    const char *const argv[] = {
        "tar", "-xzf", self->archive.data, "--exclude=prebuilds", "--exclude=*.wasm", NULL};
    pare_status status = run(self, self->tar, argv, FETCH_TIMEOUT_MS, &end);
    if (status == PARE_OK && end.exit_code != 0)
        status = pare_fail(self->err, PARE_E_IO, "tar cannot unpack %s %s (exit code %d)",
                           self->pack->info.package, self->pack->info.version, end.exit_code);
    return status;
}

/* package/FOLDER/src/FILE, relative to "work". */
static pare_status source_path(const struct install *self, const char *file, pare_buffer *path)
{
    pare_buffer_reset(path);
    const char *folder = self->pack->folder;
    return pare_buffer_format(path, self->err, "package/%s%ssrc/%s", folder, *folder ? "/" : "",
                              file);
}

static pare_status run_compiler(struct install *self, const char *include, const char *parser,
                                const char *scanner)
{
    static const char object[] = "../" PARE_LANGUAGE_OBJECT;
    char said[256];
    pare_helper_end end = {0};
    const char *level = self->pack->large ? "-O1" : "-O2";
    const char *argv[MAX_WORDS] = {"cc",    level, "-shared", "-fPIC", "-w",   "-I",
                                   include, "-o",  object,    parser,  scanner};
    pare_status status = run(self, self->cc, argv, COMPILE_TIMEOUT_MS, &end);
    if (status != PARE_OK || end.exit_code == 0) return status;
    quote_log(self, "error: ", said, sizeof said);
    return pare_fail(self->err, PARE_E_UNSUPPORTED, "the parser of '%s' does not compile%s%s",
                     self->pack->info.name, *said ? ": " : "", said);
}

static pare_status compile(struct install *self)
{
    pare_buffer include = {0}, parser = {0}, scanner = {0}, probe = {0};
    pare_status status = source_path(self, "", &include);
    if (status == PARE_OK) status = source_path(self, "parser.c", &parser);
    if (status == PARE_OK) status = source_path(self, "scanner.c", &scanner);
    if (status == PARE_OK)
        status = pare_buffer_format(&probe, self->err, "%s/%s", self->work.data, scanner.data);
    if (status == PARE_OK) {
        bool has_scanner = pare_file_is_regular(probe.data);
        status = run_compiler(self, include.data, parser.data, has_scanner ? scanner.data : NULL);
    }
    pare_buffer_done(&include);
    pare_buffer_done(&parser);
    pare_buffer_done(&scanner);
    pare_buffer_done(&probe);
    return status;
}

/* Loads what was compiled, as a parse would. */
static pare_status try_out(struct install *self)
{
    pare_buffer path = {0};
    pare_status status = pare_buffer_format(&path, self->err, "%s/%s",
                                            pare_staging_path(self->staging), PARE_LANGUAGE_OBJECT);
    if (status == PARE_OK)
        status = pare_tree_sitter_open(path.data, self->pack->symbol, &self->loaded, self->err);
    pare_buffer_done(&path);
    return status;
}

/* Moves work/FROM up to TO. */
static pare_status keep(struct install *self, const char *from, const char *to)
{
    pare_buffer path = {0};
    pare_status status = pare_buffer_format(&path, self->err, "%s/%s", WORK, from);
    if (status == PARE_OK) status = pare_staging_move(self->staging, path.data, to, self->err);
    pare_buffer_done(&path);
    return status;
}

static pare_status keep_licence(struct install *self)
{
    static const char *const names[] = {"LICENSE", "LICENSE.md", "LICENSE.txt", "COPYING"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        pare_buffer path = {0}, from = {0};
        pare_status status =
            pare_buffer_format(&path, self->err, "%s/package/%s", self->work.data, names[i]);
        if (status == PARE_OK)
            status = pare_buffer_format(&from, self->err, "package/%s", names[i]);
        bool there = status == PARE_OK && pare_file_is_regular(path.data);
        if (there) status = keep(self, from.data, "LICENSE");
        pare_buffer_done(&path);
        pare_buffer_done(&from);
        if (there || status != PARE_OK) return status;
    }
    return pare_fail(self->err, PARE_E_CORRUPT, "the package %s has no licence file",
                     self->pack->info.package);
}

/* Names of the table are plain ASCII: nothing needs to be escaped. */
static pare_status write_record(struct install *self)
{
    const pare_pack *pack = self->pack;
    pare_buffer path = {0}, text = {0};
    pare_status status = pare_buffer_format(
        &text, self->err,
        "{\n  \"name\": \"%s\",\n  \"package\": \"%s\",\n  \"version\": \"%s\",\n"
        "  \"integrity\": \"%s\",\n  \"symbol\": \"%s\",\n  \"abi\": %u\n}\n",
        pack->info.name, pack->info.package, pack->info.version, pack->integrity, pack->symbol,
        pare_tree_sitter_abi(self->loaded));
    if (status == PARE_OK)
        status = pare_buffer_format(&path, self->err, "%s/%s", pare_staging_path(self->staging),
                                    PARE_LANGUAGE_RECORD);
    if (status == PARE_OK)
        status = pare_file_write_bytes(path.data, text.data, text.size, self->err);
    pare_buffer_done(&path);
    pare_buffer_done(&text);
    return status;
}

static pare_status keep_files(struct install *self)
{
    static const char *const files[] = {PARE_LANGUAGE_GRAMMAR, PARE_LANGUAGE_NODE_TYPES};
    pare_buffer from = {0};
    pare_status status = PARE_OK;
    for (size_t i = 0; status == PARE_OK && i < sizeof files / sizeof *files; i++) {
        status = source_path(self, files[i], &from);
        if (status == PARE_OK) status = keep(self, from.data, files[i]);
    }
    if (status == PARE_OK) status = keep_licence(self);
    if (status == PARE_OK) status = write_record(self);
    if (status == PARE_OK) status = pare_file_remove_tree(self->work.data, self->err);
    pare_buffer_done(&from);
    return status;
}

pare_status pare_language_add(const char *name, pare_error *err)
{
    static pare_status (*const steps[])(struct install *) = {
        find_programs, open_staging, fetch, check_integrity, unpack, compile, try_out, keep_files};
    struct install self = {.err = err};
    pare_error own = {0};
    if (!err) self.err = &own; /* steps read it */
    pare_status status = pare_language_pack(name, &self.pack, self.err);
    if (status == PARE_OK && !pare_tree_sitter_available())
        status = pare_tree_sitter_open("", "", &self.loaded, self.err);
    for (size_t i = 0; status == PARE_OK && i < sizeof steps / sizeof *steps; i++)
        status = steps[i](&self);
    if (status == PARE_OK)
        status = pare_staging_commit(self.staging, self.pack->info.name, self.err);
    done(&self);
    return status;
}
