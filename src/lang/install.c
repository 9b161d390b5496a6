/* Adding a language: fetch (lang/fetch.h), compile, try, keep; and a model: fetch, make, keep.
 *
 * Nothing of a package is ever executed but the parser, which is loaded. */
#include <string.h>

#include <pare/language.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/status.h"
#include "lang/fetch.h"
#include "lang/install_model.h"
#include "lang/language.h"
#include "lang/packs.h"
#include "os/executable.h"
#include "os/file.h"
#include "os/folder.h"
#include "parse/tree_sitter.h"

enum { MAX_WORDS = 24, COMPILE_TIMEOUT_MS = 600 * 1000 };

/* One language being added. */
struct install {
    const pare_pack *pack;
    pare_language_origin origin;
    pare_fetch fetch; /* owned, as all below */
    char *cc;
    pare_tree_sitter *loaded;
    pare_error *err;
};

static void done(struct install *self)
{
    pare_tree_sitter_close(self->loaded);
    pare_fetch_done(&self->fetch);
    pare_release(self->cc);
}

/* --- steps ------------------------------------------------------------------------- */

static pare_status find_programs(struct install *self)
{
    pare_status status = pare_fetch_find_programs(&self->fetch, self->err);
    if (status == PARE_OK && !self->pack->pins)
        status = pare_fetch_find(&self->fetch, "cc", "install a C compiler", &self->cc, self->err);
    return status;
}

static pare_status open_staging(struct install *self)
{
    char *shelf = NULL;
    pare_status status = pare_language_shelf(self->origin, &shelf, self->err);
    if (status == PARE_OK) status = pare_fetch_open(&self->fetch, shelf, self->err);
    pare_release(shelf);
    return status;
}

static pare_status fetch(struct install *self)
{
    const pare_fetch_pin pin = {self->pack->info.package, self->pack->info.version,
                                self->pack->integrity};
    return pare_fetch_package(&self->fetch, &pin, self->err);
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
    pare_executable_end end = {0};
    const char *level = self->pack->large ? "-O1" : "-O2";
    const char *argv[MAX_WORDS] = {"cc",    level, "-shared", "-fPIC", "-w",   "-I",
                                   include, "-o",  object,    parser,  scanner};
    pare_status status =
        pare_fetch_run(&self->fetch, self->cc, argv, COMPILE_TIMEOUT_MS, &end, self->err);
    if (status != PARE_OK || end.exit_code == 0) return status;
    pare_fetch_quote_log(&self->fetch, "error: ", said, sizeof said);
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
        status =
            pare_buffer_format(&probe, self->err, "%s/%s", self->fetch.work.data, scanner.data);
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
    pare_status status =
        pare_buffer_format(&path, self->err, "%s/%s", pare_folder_stage_path(self->fetch.staging),
                           PARE_LANGUAGE_OBJECT);
    if (status == PARE_OK)
        status = pare_tree_sitter_open(path.data, self->pack->symbol, &self->loaded, self->err);
    pare_buffer_done(&path);
    return status;
}

static pare_status keep_licence(struct install *self)
{
    static const char *const names[] = {"LICENSE", "LICENSE.md", "LICENSE.txt", "COPYING"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        pare_buffer path = {0}, from = {0};
        pare_status status =
            pare_buffer_format(&path, self->err, "%s/package/%s", self->fetch.work.data, names[i]);
        if (status == PARE_OK)
            status = pare_buffer_format(&from, self->err, "package/%s", names[i]);
        bool there = status == PARE_OK && pare_file_is_regular(path.data);
        if (there) status = pare_fetch_keep(&self->fetch, from.data, "LICENSE", self->err);
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
    pare_buffer text = {0};
    pare_status status = pare_buffer_format(
        &text, self->err,
        "{\n  \"name\": \"%s\",\n  \"package\": \"%s\",\n  \"version\": \"%s\",\n"
        "  \"integrity\": \"%s\",\n  \"symbol\": \"%s\",\n  \"abi\": %u\n}\n",
        pack->info.name, pack->info.package, pack->info.version, pack->integrity, pack->symbol,
        pare_tree_sitter_abi(self->loaded));
    if (status == PARE_OK)
        status = pare_fetch_write(&self->fetch, PARE_LANGUAGE_RECORD, &text, self->err);
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
        if (status == PARE_OK)
            status = pare_fetch_keep(&self->fetch, from.data, files[i], self->err);
    }
    if (status == PARE_OK) status = keep_licence(self);
    if (status == PARE_OK) status = write_record(self);
    pare_buffer_done(&from);
    return status;
}

static pare_status make_model(struct install *self)
{
    return pare_install_model(&self->fetch, self->pack, self->err);
}

pare_status pare_language_add(const char *name, pare_error *err)
{
    return pare_language_add_for(name, PARE_LANGUAGE_USER, err);
}

pare_status pare_language_add_for(const char *name, pare_language_origin origin, pare_error *err)
{
    typedef pare_status (*step)(struct install *);
    static const step language[] = {find_programs, open_staging, fetch, compile,
                                    try_out,       keep_files,   NULL},
                      model[] = {find_programs, open_staging, make_model, NULL};
    struct install self = {.origin = origin, .err = err};
    pare_error own = {0};
    if (!err) self.err = &own; /* steps read it */
    pare_status status = pare_language_pack(name, &self.pack, self.err);
    if (status == PARE_OK) self.fetch.name = self.pack->info.name;
    bool is_model = status == PARE_OK && self.pack->pins;
    if (status == PARE_OK && !is_model && !pare_tree_sitter_available())
        status = pare_tree_sitter_open("", "", &self.loaded, self.err);
    for (const step *next = is_model ? model : language; status == PARE_OK && *next; next++)
        status = (*next)(&self);
    if (status == PARE_OK) status = pare_fetch_commit(&self.fetch, self.err);
    done(&self);
    return status;
}
