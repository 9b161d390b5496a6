/* Adding a language: fetch, compile, try, keep; and a model: fetch, have it made, keep.
 *
 * Packages come from the npm registry, which is asked for an archive and told to run nothing.
 * Everything happens in a staging folder (os/folder.h): packages are unpacked and used in
 * "work" below it, what is kept moves up, and the folder gets its name by one rename.  A package
 * is not looked into before its SHA-512 is the pinned one, and nothing of it is ever executed
 * but the parser, which is loaded.  What unpacks and compiles it has no network and can write
 * to the staging folder only.  A stop ends the program that runs, and then all goes as after an
 * error. */
#include "lang/language.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include <jansson.h>

#include <pare/language.h>
#include <pare/stop.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/digest.h"
#include "base/fail.h"
#include "base/sha512.h"
#include "lang/packs.h"
#include "os/executable.h"
#include "os/file.h"
#include "os/folder.h"
#include "os/stop.h"
#include "parse/tree_sitter.h"

/* Where packages are unpacked and programs run; removed before the folder is
 * committed. */
#define WORK "work" /* below the staging folder */
static const char LOG[] = "log";

/* Bounds on what comes over the network and on the programs that are run on it. */
enum {
    TIMEOUT_MS = 300 * 1000, /* of npm and of tar */
    COMPILE_TIMEOUT_MS = 600 * 1000,
    ARCHIVE_BYTES = 64 << 20,    /* of a package; the largest of the table has 10 MB */
    UNPACKED_BYTES = 512 << 20,  /* of a file of it, and of what is made of it */
    MAKE_TIMEOUT_MS = 60 * 1000, /* a model takes about a second */
    /* of the compiler's command, with the NULL */
    MAX_WORDS = 24,
    /* packages of a model; as many folders have names below */
    MAX_PINS = 3,
    /* of a program's message that is quoted in ours */
    SAID_BYTES = 512
};

/* Where a language or a model is being made. All-zero but for name and stop is
 * a valid start; fetch_done ends it at any point. */
struct fetch {
    const char *name;           /* of what is made; borrowed */
    const pare_stop *stop;      /* borrowed; may be NULL */
    pare_folder_stage *staging; /* owned, as all below */
    char *npm, *tar;            /* programs */
    pare_buffer work, log;      /* absolute paths */
};

/* --- programs --------------------------------------------------------------------- */

/* Finds a program in PATH; the caller owns *out. If it is missing, the message
 * says how to get it, and the command to repeat then. */
static pare_status fetch_find(const struct fetch *fetch, const char *name, const char *advice,
                              char **out, pare_error *err)
{
    pare_status status = pare_executable_find(name, out, err);
    if (status == PARE_E_STATE) {
        /* The sentence about PATH is replaced by one that helps. */
        pare_fail_clear(err);
        return pare_fail(err, status,
                         "'%s' is needed to add a language and is not in PATH: %s, then 'pare lang "
                         "add %s'",
                         name, advice, fetch->name);
    }
    return status;
}

/* Finds what fetches and unpacks, before anything is begun. */
static pare_status fetch_find_programs(struct fetch *fetch, pare_error *err)
{
    pare_status status = fetch_find(fetch, "npm", "install Node.js with npm", &fetch->npm, err);
    if (status == PARE_OK) status = fetch_find(fetch, "tar", "install tar", &fetch->tar, err);
    return status;
}

/* Runs a program in "work", with its output in the log there. A stop that ended
 * the program is an error, PARE_E_INTERRUPTED; an exit code other than 0 is
 * not: the caller knows what it means. */
static pare_status fetch_call(const struct fetch *fetch, pare_executable_call call,
                              pare_executable_end *end, pare_error *err)
{
    call.directory = fetch->work.data;
    call.log_path = fetch->log.data;
    call.stop = fetch->stop;
    pare_status status = pare_executable_run(&call, end, err);
    if (status || !end->stopped) return status;
    return pare_fail(err, PARE_E_INTERRUPTED, "adding '%s' was stopped", fetch->name);
}

/* Runs a program that reads what came over the network. It has no network
 * itself, and can write to the staging folder only. UNPACKED_BYTES bounds each
 * file that it writes. */
static pare_status fetch_run(const struct fetch *fetch, const char *path, const char *const *argv,
                             int timeout_ms, pare_executable_end *end, pare_error *err)
{
    const pare_executable_call call = {.path = path,
                                       .argv = argv,
                                       .timeout_ms = timeout_ms,
                                       .file_bytes = UNPACKED_BYTES,
                                       .isolated = pare_folder_stage_path(fetch->staging)};
    return fetch_call(fetch, call, end, err);
}

/* Copies what the last program printed after `mark`, up to the end of its line
 * and cut to `capacity` bytes; "" if the mark is not in the log. For messages
 * only. */
static void fetch_quote_log(const struct fetch *fetch, const char *mark, char *line,
                            size_t capacity)
{
    pare_buffer log = {0};
    line[0] = '\0';
    /* A log that cannot be read only makes the sentence shorter. */
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

/* Opens a staging folder on the shelf, with "work" in it. A missing shelf is made. */
static pare_status fetch_open(struct fetch *fetch, const char *shelf, pare_error *err)
{
    pare_status status = pare_folder_stage_open(shelf, &fetch->staging, err);
    if (status != PARE_OK) return status;
    const char *folder = pare_folder_stage_path(fetch->staging);
    status = pare_buffer_format(&fetch->work, err, "%s/%s", folder, WORK);
    if (status == PARE_OK)
        status = pare_buffer_format(&fetch->log, err, "%s/%s", fetch->work.data, LOG);
    if (status == PARE_OK) status = pare_file_make_directories(fetch->work.data, err);
    return status;
}

/* Ends the staging folder, which is removed unless it was committed. Also right
 * after a failure at any step. */
static void fetch_done(struct fetch *fetch)
{
    pare_folder_stage_close(fetch->staging);
    pare_alloc_free(fetch->npm);
    pare_alloc_free(fetch->tar);
    pare_buffer_done(&fetch->work);
    pare_buffer_done(&fetch->log);
}

/* Moves work/FROM up to TO, so that it is kept when "work" is removed. */
static pare_status fetch_keep(const struct fetch *fetch, const char *from, const char *to,
                              pare_error *err)
{
    pare_buffer path = {0};
    pare_status status = pare_buffer_format(&path, err, "%s/%s", WORK, from);
    if (status == PARE_OK) status = pare_folder_stage_move(fetch->staging, path.data, to, err);
    pare_buffer_done(&path);
    return status;
}

/* Writes a file into the folder that is kept. */
static pare_status fetch_write(const struct fetch *fetch, const char *file, const pare_buffer *text,
                               pare_error *err)
{
    pare_buffer path = {0};
    pare_status status =
        pare_buffer_format(&path, err, "%s/%s", pare_folder_stage_path(fetch->staging), file);
    if (status == PARE_OK) status = pare_file_write_bytes(path.data, text->data, text->size, err);
    pare_buffer_done(&path);
    return status;
}

/* Removes "work" and renames the folder to its name, in one step: nobody ever
 * sees half a language. An older one of the same name is replaced. */
static pare_status fetch_commit(struct fetch *fetch, pare_error *err)
{
    pare_status status = pare_file_remove_tree(fetch->work.data, err);
    return status == PARE_OK ? pare_folder_stage_commit(fetch->staging, fetch->name, err) : status;
}

/* --- a package ------------------------------------------------------------------------ */

/* Sets *archive to the path that npm gives the archive: that of @scope/name is
 * scope-name-VERSION.tgz. */
static pare_status name_archive(const struct fetch *fetch, const pare_pack_pin *pin,
                                pare_buffer *archive, pare_error *err)
{
    const char *package = pin->package + (pin->package[0] == '@');
    size_t scope = strcspn(package, "/");
    const char *rest = package[scope] ? package + scope + 1 : "";
    return pare_buffer_format(archive, err, "%s/%.*s%s%s-%s.tgz", fetch->work.data, (int)scope,
                              package, *rest ? "-" : "", rest, pin->version);
}

/* Has npm fetch the archive of a package. Scripts of the package are not run,
 * so nothing of it is executed. npm itself needs the network and its cache, so
 * it is not isolated. */
static pare_status get(const struct fetch *fetch, const pare_pack_pin *pin, const char *archive,
                       pare_error *err)
{
    char wanted[128], code[64];
    pare_executable_end end = {0};
    (void)snprintf(wanted, sizeof wanted, "%s@%s", pin->package, pin->version);
    /* One quick retry: a person is waiting, and a missing network does not come back soon. */
    const char *const argv[] = {"npm",
                                "pack",
                                wanted,
                                "--ignore-scripts",
                                "--fetch-retries=1",
                                "--fetch-retry-mintimeout=1000",
                                "--no-update-notifier",
                                NULL};
    /* npm notes in its cache what it has fetched, whole. */
    const pare_executable_call call = {.path = fetch->npm,
                                       .argv = argv,
                                       .timeout_ms = TIMEOUT_MS,
                                       .file_bytes = 4 * (uint64_t)ARCHIVE_BYTES};
    pare_status status = fetch_call(fetch, call, &end, err);
    if (status != PARE_OK) return status;
    /* npm may succeed without an archive under the name that it should have. */
    if (end.exit_code == 0 && pare_file_is_regular(archive)) return PARE_OK;
    fetch_quote_log(fetch, " code ", code, sizeof code);
    return pare_fail(err, PARE_E_IO,
                     "npm cannot fetch %s%s%s: check the network and the registry, then run 'pare "
                     "lang add %s' again",
                     wanted, *code ? ", it says " : "",
                     *code           ? code
                     : end.timed_out ? ", it took too long"
                                     : "",
                     fetch->name);
}

/* Compares the archive with the pinned SHA-512, so that neither a registry nor
 * anybody on the way can hand out another one. */
static pare_status check_integrity(const pare_pack_pin *pin, const char *archive, pare_error *err)
{
    pare_buffer bytes = {0};
    char found[PARE_INTEGRITY_BYTES];
    struct stat info;
    /* The size is looked at before the archive is read into memory. */
    if (!stat(archive, &info) && info.st_size > ARCHIVE_BYTES)
        return pare_fail(
            err, PARE_E_LIMIT,
            "what npm fetched is not %s %s: it has %lld bytes, more than the %d of the "
            "largest package",
            pin->package, pin->version, (long long)info.st_size, ARCHIVE_BYTES);
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

/* Unpacks the archive into work/package. Compiled parsers in it are left out:
 * the parser is always compiled here, from its source. */
static pare_status unpack(const struct fetch *fetch, const pare_pack_pin *pin, const char *archive,
                          pare_error *err)
{
    pare_executable_end end = {0};
    /* As root, tar would restore the owner and the permissions that the archive
     * names. */
    const char *const argv[] = {"tar",
                                "-xzf",
                                archive,
                                "--exclude=prebuilds",
                                "--exclude=*.wasm",
                                "--no-same-owner",
                                "--no-same-permissions",
                                NULL};
    pare_status status = fetch_run(fetch, fetch->tar, argv, TIMEOUT_MS, &end, err);
    if (status == PARE_OK && end.exit_code != 0)
        status = pare_fail(err, PARE_E_IO, "tar cannot unpack %s %s (exit code %d)", pin->package,
                           pin->version, end.exit_code);
    return status;
}

/* Fetches, checks and unpacks a package, in this order: nothing unchecked is looked into. */
static pare_status fetch_package(const struct fetch *fetch, const pare_pack_pin *pin,
                                 pare_error *err)
{
    pare_buffer archive = {0};
    pare_status status = name_archive(fetch, pin, &archive, err);
    if (status == PARE_OK) status = get(fetch, pin, archive.data, err);
    if (status == PARE_OK) status = check_integrity(pin, archive.data, err);
    if (status == PARE_OK) status = unpack(fetch, pin, archive.data, err);
    pare_buffer_done(&archive);
    return status;
}

/* --- a model ------------------------------------------------------------------------- */

/* A model being made: first get_packages, then make_files. */
struct making {
    const struct fetch *fetch;
    const pare_pack *pack;
    pare_buffer folders[MAX_PINS]; /* owned, as all below */
    pare_buffer licences, licence; /* what LICENSE says; the name, or names, of the licences */
    pare_error *err;
};

/* Folders of the packages in "work", in the order of the pins and of
 * pare-web-model's arguments. */
static const char *const folder_names[MAX_PINS] = {"css", "elements", "idl"};

/* A package without a licence may not be kept. */
static pare_status fail_licence(const struct making *self, const pare_pack_pin *pin)
{
    return pare_fail(self->err, PARE_E_CORRUPT, "the package.json of %s names no licence",
                     pin->package);
}

/* Reads the licence from a package's package.json and notes it twice: a line
 * for the LICENSE file, and its name for the record. A name with a quote, a
 * backslash or a line end is refused, because the record is written without
 * escaping. */
static pare_status note_licence(struct making *self, const pare_pack_pin *pin, const char *folder)
{
    pare_buffer path = {0}, text = {0};
    pare_status status = pare_buffer_format(&path, self->err, "%s/package.json", folder);
    if (status == PARE_OK) status = pare_file_read(path.data, &text, self->err);
    /* A package.json that is not JSON names no licence either. */
    json_t *root =
        status == PARE_OK && text.size ? json_loadb(text.data, text.size, 0, NULL) : NULL;
    const char *licence = json_string_value(json_object_get(root, "license"));
    if (status == PARE_OK &&
        (!licence || !*licence || strcspn(licence, "\"\\\n") < strlen(licence)))
        status = fail_licence(self, pin);
    if (status == PARE_OK)
        status = pare_buffer_format(&self->licences, self->err,
                                    "%s %s: %s, as its package.json says; it has no licence file\n",
                                    pin->package, pin->version, licence);
    /* Each licence is named once in the record, however many packages have it. */
    bool other = status == PARE_OK && licence &&
                 (!self->licence.data || !strstr(self->licence.data, licence));
    if (other)
        status = pare_buffer_format(&self->licence, self->err, "%s%s",
                                    self->licence.size ? ", " : "", licence);
    json_decref(root);
    pare_buffer_done(&text);
    pare_buffer_done(&path);
    return status;
}

/* Fetches all packages of a model, each to a folder of its own, and notes their licences. */
static pare_status get_packages(struct making *self)
{
    pare_status status = PARE_OK;
    for (size_t i = 0; status == PARE_OK && self->pack->pins[i].package; i++) {
        const pare_pack_pin *pin = &self->pack->pins[i];
        pare_buffer to = {0};
        assert(i < MAX_PINS);
        status = fetch_package(self->fetch, pin, self->err);
        if (status == PARE_OK)
            status = pare_buffer_format(&to, self->err, "%s/%s", WORK, folder_names[i]);
        /* Every archive unpacks to "package", so each is moved away before the next one comes. */
        if (status == PARE_OK) status = fetch_keep(self->fetch, "package", to.data, self->err);
        if (status == PARE_OK)
            status = pare_buffer_format(&self->folders[i], self->err, "%s/%s",
                                        self->fetch->work.data, folder_names[i]);
        if (status == PARE_OK) status = note_licence(self, pin, self->folders[i].data);
        pare_buffer_done(&to);
    }
    return status;
}

/* Writes the record: which packages the model was made of, under which licence,
 * and by which version of the maker. "abi" holds that version, so that a model
 * of an older one is found to be out of date. */
static pare_status write_model_record(struct making *self)
{
    const pare_pack *pack = self->pack;
    pare_buffer text = {0};
    pare_status status = pare_buffer_format(
        &text, self->err,
        "{\n  \"name\": \"%s\",\n  \"package\": \"%s\",\n  \"version\": \"%s\",\n"
        "  \"licence\": \"%s\",\n  \"abi\": %d\n}\n",
        pack->info.name, pack->info.package, pack->info.version, self->licence.data,
        PARE_LANGUAGE_MODEL_VERSION);
    if (status == PARE_OK)
        status = fetch_write(self->fetch, PARE_LANGUAGE_RECORD, &text, self->err);
    pare_buffer_done(&text);
    return status;
}

/* Runs pare-web-model, which reads the packages and writes grammar and weights.
 * It is a separate program because it is needed so rarely, and because it then
 * runs isolated like the compiler. */
static pare_status run_maker(struct making *self)
{
    static const char grammar[] = "../" PARE_LANGUAGE_GRAMMAR,
                      weights[] = "../" PARE_LANGUAGE_WEIGHTS;
    static const char name[] = PARE_EXECUTABLE_WEB_MODEL;
    const char *const argv[] = {
        name, folder_names[0], folder_names[1], folder_names[2], grammar, weights, NULL};
    char *found = NULL, *program = NULL, said[SAID_BYTES];
    pare_executable_end end = {0};
    pare_status status = pare_executable_find_own(name, &found, self->err);
    /* fetch_run changes the directory, so a relative path would not be found. */
    if (!status) status = pare_file_absolute(found, &program, self->err);
    if (!status) status = fetch_run(self->fetch, program, argv, MAKE_TIMEOUT_MS, &end, self->err);
    pare_alloc_free(program);
    pare_alloc_free(found);
    if (status || end.exit_code == 0) return status;
    fetch_quote_log(self->fetch, PARE_EXECUTABLE_WEB_MODEL ": ", said, sizeof said);
    return pare_fail(self->err, PARE_E_CORRUPT, "the model '%s' cannot be made: %s",
                     self->pack->info.name,
                     *said           ? said
                     : end.timed_out ? "it took too long"
                                     : PARE_EXECUTABLE_WEB_MODEL " ended without a message");
}

/* Makes grammar and weights, then writes licence and record. The record comes
 * last: a folder without one counts as damaged. */
static pare_status make_files(struct making *self)
{
    pare_status status = run_maker(self);
    if (status == PARE_OK) status = fetch_write(self->fetch, "LICENSE", &self->licences, self->err);
    return status == PARE_OK ? write_model_record(self) : status;
}

/* Fetches the packages of a model and makes the files that are kept of it.  The packages have no
 * licence file; that their package.json names a licence is enough for data that is translated on
 * the user's machine and not handed on. */
static pare_status install_model(const struct fetch *fetch, const pare_pack *pack, pare_error *err)
{
    struct making self = {.fetch = fetch, .pack = pack, .err = err};
    pare_status status = get_packages(&self);
    if (status == PARE_OK) status = make_files(&self);
    for (size_t i = 0; i < MAX_PINS; i++)
        pare_buffer_done(&self.folders[i]);
    pare_buffer_done(&self.licences);
    pare_buffer_done(&self.licence);
    return status;
}

/* --- a language ---------------------------------------------------------------------- */

/* One language, or model, being added. The steps below take it in the order of
 * the table in pare_language_add_until, and each relies on those before it. */
struct install {
    const pare_pack *pack;
    pare_language_origin origin;
    struct fetch fetch; /* owned, as all below */
    char *cc;
    pare_tree_sitter *loaded;
    pare_error *err;
};

/* Ends everything; a staging folder that was not committed is removed with all
 * that is in it. */
static void done_install(struct install *self)
{
    pare_tree_sitter_close(self->loaded);
    fetch_done(&self->fetch);
    pare_alloc_free(self->cc);
}

/* Finds all programs before anything is fetched. A language needs a C compiler
 * besides what every package needs. */
static pare_status find_programs(struct install *self)
{
    pare_status status = fetch_find_programs(&self->fetch, self->err);
    if (status == PARE_OK && !self->pack->pins)
        status = fetch_find(&self->fetch, "cc", "install a C compiler", &self->cc, self->err);
    return status;
}

/* Begins the folder on the shelf of the user or of the system. */
static pare_status open_staging(struct install *self)
{
    char *shelf = NULL;
    pare_status status = pare_language_shelf(self->origin, &shelf, self->err);
    if (status == PARE_OK) status = fetch_open(&self->fetch, shelf, self->err);
    pare_alloc_free(shelf);
    return status;
}

/* Fetches the one package of a language into work/package. */
static pare_status fetch_parser(struct install *self)
{
    const pare_pack_pin pin = {self->pack->info.package, self->pack->info.version,
                               self->pack->integrity};
    return fetch_package(&self->fetch, &pin, self->err);
}

/* Sets *path to package/FOLDER/src/FILE, relative to "work"; what it held is
 * replaced. */
static pare_status source_path(const struct install *self, const char *file, pare_buffer *path)
{
    pare_buffer_reset(path);
    const char *folder = self->pack->folder;
    return pare_buffer_format(path, self->err, "package/%s%ssrc/%s", folder, *folder ? "/" : "",
                              file);
}

/* Compiles the parser to a shared object beside "work". `scanner` is NULL for a
 * language without one. Large parsers are compiled with -O1, which is slow
 * enough for them. */
static pare_status run_compiler(struct install *self, const char *include, const char *parser,
                                const char *scanner)
{
    static const char object[] = "../" PARE_LANGUAGE_OBJECT;
    char said[256];
    pare_executable_end end = {0};
    const char *level = self->pack->large ? "-O1" : "-O2";
    /* Warnings are off: the code is generated, and nobody here can mend it. */
    const char *argv[MAX_WORDS] = {"cc",    level, "-shared", "-fPIC", "-w",   "-I",
                                   include, "-o",  object,    parser,  scanner};
    pare_status status =
        fetch_run(&self->fetch, self->cc, argv, COMPILE_TIMEOUT_MS, &end, self->err);
    if (status != PARE_OK || end.exit_code == 0) return status;
    fetch_quote_log(&self->fetch, "error: ", said, sizeof said);
    return pare_fail(self->err, PARE_E_UNSUPPORTED, "the parser of '%s' does not compile%s%s",
                     self->pack->info.name, *said ? ": " : "", said);
}

/* Compiles the parser, with its scanner if the package has one. Paths are
 * relative to "work", where the compiler runs; only the probe for the scanner,
 * which we do ourselves, is absolute. */
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
        /* argv ends at the first NULL, which stands in the scanner's place if there is no
         * scanner. */
        bool has_scanner = pare_file_is_regular(probe.data);
        status = run_compiler(self, include.data, parser.data, has_scanner ? scanner.data : NULL);
    }
    pare_buffer_done(&include);
    pare_buffer_done(&parser);
    pare_buffer_done(&scanner);
    pare_buffer_done(&probe);
    return status;
}

/* Loads what was compiled, in the same way as a parse would: a parser that does
 * not load is not installed. The loaded parser also tells its ABI for the
 * record. */
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

/* Keeps the licence file of the package, by the first of its usual names that
 * is there. Without one the language is not installed. */
static pare_status keep_licence(struct install *self)
{
    static const char *const names[] = {"LICENSE", "LICENSE.md", "LICENSE.txt", "COPYING"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        pare_buffer path = {0}, from = {0};
        pare_status status =
            pare_buffer_format(&path, self->err, "%s/package/%s", self->fetch.work.data, names[i]);
        if (status == PARE_OK)
            status = pare_buffer_format(&from, self->err, "package/%s", names[i]);
        /* The first of the usual names that there is. */
        bool there = status == PARE_OK && pare_file_is_regular(path.data);
        if (there) status = fetch_keep(&self->fetch, from.data, "LICENSE", self->err);
        pare_buffer_done(&path);
        pare_buffer_done(&from);
        if (there || status != PARE_OK) return status;
    }
    return pare_fail(self->err, PARE_E_CORRUPT, "the package %s has no licence file",
                     self->pack->info.package);
}

/* Writes the record. The digest of the object is checked each time the parser
 * is loaded, so that a changed file is not run. Values come from our table and
 * are plain ASCII, so nothing needs escaping. */
static pare_status write_language_record(struct install *self)
{
    const pare_pack *pack = self->pack;
    pare_buffer text = {0}, object = {0};
    char digest[PARE_DIGEST_TEXT_BYTES] = "";
    pare_status status =
        pare_buffer_format(&object, self->err, "%s/%s", pare_folder_stage_path(self->fetch.staging),
                           PARE_LANGUAGE_OBJECT);
    if (status == PARE_OK) status = pare_language_digest(object.data, digest, self->err);
    if (status == PARE_OK)
        status = pare_buffer_format(
            &text, self->err,
            "{\n  \"name\": \"%s\",\n  \"package\": \"%s\",\n  \"version\": \"%s\",\n"
            "  \"integrity\": \"%s\",\n  \"symbol\": \"%s\",\n  \"abi\": %u,\n"
            "  \"object\": \"%s\"\n}\n",
            pack->info.name, pack->info.package, pack->info.version, pack->integrity, pack->symbol,
            pare_tree_sitter_abi(self->loaded), digest);
    pare_buffer_done(&object);
    if (status == PARE_OK)
        status = fetch_write(&self->fetch, PARE_LANGUAGE_RECORD, &text, self->err);
    pare_buffer_done(&text);
    return status;
}

/* Moves grammar and node types out of the package, keeps the licence, and
 * writes the record last. */
static pare_status keep_files(struct install *self)
{
    static const char *const files[] = {PARE_LANGUAGE_GRAMMAR, PARE_LANGUAGE_NODE_TYPES};
    pare_buffer from = {0};
    pare_status status = PARE_OK;
    for (size_t i = 0; status == PARE_OK && i < sizeof files / sizeof *files; i++) {
        status = source_path(self, files[i], &from);
        if (status == PARE_OK) status = fetch_keep(&self->fetch, from.data, files[i], self->err);
    }
    if (status == PARE_OK) status = keep_licence(self);
    if (status == PARE_OK) status = write_language_record(self);
    pare_buffer_done(&from);
    return status;
}

/* All that a model has in the place of a language's steps from fetching to keeping. */
static pare_status make_model(struct install *self)
{
    return install_model(&self->fetch, self->pack, self->err);
}

pare_status pare_language_add(const char *name, pare_error *err)
{
    return pare_language_add_for(name, PARE_LANGUAGE_USER, err);
}

pare_status pare_language_add_for(const char *name, pare_language_origin origin, pare_error *err)
{
    return pare_language_add_until(name, origin, NULL, err);
}

/* Runs the steps of a language or of a model until one fails; then the staging
 * folder is removed with everything in it. An installed language of that name
 * is untouched until the last step, the commit. */
pare_status pare_language_add_until(const char *name, pare_language_origin origin,
                                    const pare_stop *stop, pare_error *err)
{
    typedef pare_status (*step)(struct install *);
    static const step language[] = {find_programs, open_staging, fetch_parser, compile,
                                    try_out,       keep_files,   NULL},
                      model[] = {find_programs, open_staging, make_model, NULL};
    struct install self = {.origin = origin, .fetch = {.stop = stop}, .err = err};
    assert(origin == PARE_LANGUAGE_USER || origin == PARE_LANGUAGE_SYSTEM);
    /* The steps look at the sentence of one that failed, even if the caller wants none. */
    pare_error own = {0};
    if (!err) self.err = &own;
    pare_status status = pare_packs_get(name, &self.pack, self.err);
    if (status == PARE_OK) self.fetch.name = self.pack->info.name;
    bool is_model = status == PARE_OK && self.pack->pins;
    if (status == PARE_OK && !is_model && !pare_tree_sitter_available())
        /* Fails with the sentence that says why this build takes no language. */
        status = pare_tree_sitter_open("", "", &self.loaded, self.err);
    for (const step *next = is_model ? model : language; status == PARE_OK && *next; next++)
        status = (*next)(&self);
    if (status == PARE_OK && pare_stop_requested(stop))
        status = pare_fail(self.err, PARE_E_INTERRUPTED, "adding '%s' was stopped", name);
    if (status == PARE_OK) status = fetch_commit(&self.fetch, self.err);
    done_install(&self);
    return status;
}
