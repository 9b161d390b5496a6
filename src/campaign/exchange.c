/* Findings written to a folder and read into another store.
 *
 * FOLDER/findings.jsonl has one JSON object per line for each finding, oldest first.  Beside it are
 * the contents, as files named by their digests, and configurations, as DIGEST.ini.  findings.jsonl
 * is written last, by rename: a folder that has it is complete.
 *
 * Reading is one transaction: the whole folder, or nothing.  Findings are the same if target and
 * identity are.  Counts are added up over stores, and a folder that is read again adds only what is
 * new since then: for each exporting store (by its number, fact "store") and finding, the store
 * remembers how much it has from there.  So importing twice, or back into the original store,
 * changes nothing.
 *
 * The folder may come from anybody: the type of each value is checked, a file name has to be a
 * digest, and the file must have that digest. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <jansson.h>
#include <pare/findings.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/digest.h"
#include "base/fail.h"
#include "campaign/finding.h"
#include "campaign/store.h"
#include "os/file.h"

static const char NAME[] = "findings.jsonl";
static const char CONTENT[] = "", CONFIG[] = ".ini"; /* what follows the digest in a file's name */

/* The columns that are taken over as they are. The same lists give the names in
 * the file, the order of columns in write_findings, and the places of values in
 * a record. */
static const char *const text_names[] = {"target",    "source",  "identity",     "signature",
                                         "title",     "version", "last_version", "gone_version",
                                         "first_bad", "url",     "note",         "explanation",
                                         "output",    "input",   "reduced"};
static const char *const number_names[] = {"id",        "count",     "first_seen",
                                           "last_seen", "validated", "fails",
                                           "runs",      "pinned",    "merged_into"};
enum {
    N_TEXTS = sizeof text_names / sizeof *text_names,
    N_NUMBERS = sizeof number_names / sizeof *number_names,
    /* Not sorted, compact, ASCII only: a line stays readable in any terminal. */
    LINE_FLAGS = JSON_COMPACT | JSON_ENSURE_ASCII
};
/* Places in the lists above. */
enum {
    TARGET,
    SOURCE,
    IDENTITY,
    SIGNATURE,
    TITLE,
    VERSION,
    LAST_VERSION,
    GONE_VERSION,
    FIRST_BAD,
    URL,
    NOTE,
    EXPLANATION,
    OUTPUT,
    INPUT,
    REDUCED
};
enum { ID, COUNT, FIRST_SEEN, LAST_SEEN, VALIDATED, FAILS, RUNS, PINNED, MERGED_INTO };

/* --- files -------------------------------------------------------------------------------------- */

/* Sets *path to FOLDER/NAMESUFFIX, in the place of what was there. */
static pare_status make_path(pare_buffer *path, const char *folder, const char *name,
                             const char *suffix, pare_error *err)
{
    pare_buffer_reset(path);
    return pare_buffer_format(path, err, "%s/%s%s", folder, name, suffix);
}

/* Writes a file of the folder, by rename as all our files: a killed export
 * leaves no half of a content. */
static pare_status write_file(const char *folder, const char *name, const char *suffix,
                              const void *bytes, size_t size, pare_error *err)
{
    pare_buffer path = {0};
    pare_status status = make_path(&path, folder, name, suffix, err);
    if (!status) status = pare_file_write_bytes(path.data, bytes, size, err);
    pare_buffer_done(&path);
    return status;
}

/* --- writing ------------------------------------------------------------------------------------ */

/* What is being written; store and folder are borrowed. `lines` is the text of
 * findings.jsonl, in memory until all is known to be whole. */
struct writer {
    pare_store *store;
    const char *folder;
    pare_buffer lines;
};

/* A json_dump_callback_t that appends to a pare_buffer; it can only say that it
 * failed. */
static int add_bytes(const char *bytes, size_t size, void *context)
{
    return pare_buffer_add(context, bytes, size, NULL) ? -1 : 0;
}

/* Sets a value of an object and takes it over, also on failure. `value` NULL
 * means that Jansson refused it: text that is no UTF-8, which is in no sound
 * store. */
static pare_status put(const struct writer *writer, json_t *object, const char *name, json_t *value,
                       pare_error *err)
{
    if (!json_object_set_new(object, name, value)) return PARE_OK;
    return pare_fail(err, PARE_E_CORRUPT, "%s: '%s' cannot be written as JSON", writer->store->path,
                     name);
}

/* Whether a text is a digest. Only digests become names of files, in either
 * direction, so no text can name another folder. */
static bool is_digest(const char *text)
{
    return strlen(text) == PARE_DIGEST_TEXT_BYTES - 1 &&
           strspn(text, "0123456789abcdef") == PARE_DIGEST_TEXT_BYTES - 1;
}

/* Writes a content beside findings.jsonl; "" is none. Findings that share one
 * write the same bytes under the same name. The digest is checked, since a
 * store may come from anybody and could name a content after a path. */
static pare_status write_content(const struct writer *writer, const char *digest, pare_error *err)
{
    unsigned char *bytes = NULL;
    size_t size = 0;
    if (!*digest) return PARE_OK;
    if (!is_digest(digest))
        return pare_fail(err, PARE_E_CORRUPT, "%s is damaged: '%.40s' is not a digest",
                         writer->store->path, digest);
    pare_status status = pare_store_content(writer->store, digest, &bytes, &size, err);
    if (!status) status = write_file(writer->folder, digest, CONTENT, bytes, size, err);
    pare_alloc_free(bytes);
    return status;
}

/* Writes the text of configuration `config` as a file, and its digest into the
 * object. A finding whose configuration is not there has no "config". */
static pare_status write_config(const struct writer *writer, json_t *object, int64_t config,
                                pare_error *err)
{
    char digest[PARE_DIGEST_TEXT_BYTES], *text = NULL;
    int64_t is_there = 0;
    pare_status status = pare_store_number(writer->store, "SELECT 1 FROM config WHERE id = ?1",
                                           &is_there, 0, err, "i", config);
    if (status || !is_there) return status;
    status = pare_store_config(writer->store, config, &text, err);
    if (status) return status;
    pare_store_digest(text, strlen(text), digest);
    status = write_file(writer->folder, digest, CONFIG, text, strlen(text), err);
    if (!status) status = put(writer, object, "config", json_string(digest), err);
    pare_alloc_free(text);
    return status;
}

/* Appends a member to `list`, from a row of the statement below, and writes its
 * content. */
static pare_status write_member(const struct writer *writer, json_t *list, sqlite3_stmt *row,
                                pare_error *err)
{
    char digest[PARE_DIGEST_TEXT_BYTES];
    pare_store_digest_at(row, 0, digest);
    json_t *member =
        json_pack("{s:s, s:I, s:s, s:s, s:s, s:I, s:I}", "digest", digest, "bytes",
                  (json_int_t)sqlite3_column_int64(row, 1), "signature", pare_store_text_at(row, 2),
                  "source", pare_store_text_at(row, 3), "version", pare_store_text_at(row, 4),
                  "seen", (json_int_t)sqlite3_column_int64(row, 5), "count",
                  (json_int_t)sqlite3_column_int64(row, 6));
    if (json_array_append_new(list, member))
        return pare_fail(err, PARE_E_CORRUPT, "%s: a member cannot be written as JSON",
                         writer->store->path);
    return write_content(writer, digest, err);
}

/* Writes the members of a finding as "members". Those of a finding that is
 * merged into it are written with that one, which has a line of its own. */
static pare_status write_members(const struct writer *writer, json_t *object, int64_t id,
                                 pare_error *err)
{
    sqlite3_stmt *row = NULL;
    bool has_row = true;
    json_t *list = json_array();
    pare_status status = put(writer, object, "members", list, err);
    if (!status)
        status = pare_store_prepare(writer->store,
                                    "SELECT digest, bytes, signature, source, version, seen, count"
                                    " FROM member WHERE finding = ?1 ORDER BY rowid",
                                    &row, err, "i", id);
    while (!status) {
        status = pare_store_step(writer->store, row, &has_row, err);
        if (status || !has_row) break;
        status = write_member(writer, list, row, err);
    }
    (void)sqlite3_finalize(row);
    return status;
}

/* Writes the values of a row in the order of the statement in write_findings:
 * texts, numbers, state, configuration, store. */
static pare_status put_columns(const struct writer *writer, json_t *object, sqlite3_stmt *row,
                               pare_error *err)
{
    pare_status status = PARE_OK;
    /* SQLite's columns count from 0: texts first, then numbers. */
    for (int i = 0; i < N_TEXTS && !status; i++)
        status = put(writer, object, text_names[i], json_string(pare_store_text_at(row, i)), err);
    for (int i = 0; i < N_NUMBERS && !status; i++)
        status = put(writer, object, number_names[i],
                     json_integer(sqlite3_column_int64(row, N_TEXTS + i)), err);
    const int64_t state = sqlite3_column_int64(row, N_TEXTS + N_NUMBERS);
    const char *name = pare_finding_state_name((pare_finding_state)state);
    if (!status) status = put(writer, object, "state", json_string(name), err);
    if (!status)
        status = put(writer, object, "store",
                     json_string(pare_store_text_at(row, N_TEXTS + N_NUMBERS + 2)), err);
    return status;
}

/* Appends the line of one finding. Its contents and configuration are written
 * first, so that a line never names a file that is not there. */
static pare_status write_finding(struct writer *writer, sqlite3_stmt *row, pare_error *err)
{
    json_t *object = json_object();
    const int64_t id = sqlite3_column_int64(row, N_TEXTS + ID);
    pare_status status = put(writer, object, "format", json_string("pare-finding"), err);
    if (!status) status = put(writer, object, "schema", json_integer(1), err);
    if (!status) status = put_columns(writer, object, row, err);
    if (!status)
        status =
            write_config(writer, object, sqlite3_column_int64(row, N_TEXTS + N_NUMBERS + 1), err);
    if (!status) status = write_members(writer, object, id, err);
    if (!status) status = write_content(writer, pare_store_text_at(row, INPUT), err);
    if (!status) status = write_content(writer, pare_store_text_at(row, REDUCED), err);
    if (!status && (json_dump_callback(object, add_bytes, &writer->lines, LINE_FLAGS) ||
                    pare_buffer_add(&writer->lines, "\n", 1, NULL)))
        status = pare_fail_nomem(err);
    json_decref(object);
    return status;
}

/* Writes the findings that are in `chosen`, and those merged into one of them,
 * oldest first. A merged one is written in the state that it had before, with
 * the number of what it is merged into, so that merging can be repeated. */
static pare_status write_findings(struct writer *writer, pare_error *err)
{
    sqlite3_stmt *row = NULL;
    bool has_row = true;
    pare_status status = pare_store_prepare(
        writer->store,
        "SELECT target, source, identity, signature, title, version, last_version, gone_version,"
        " first_bad, url, note, explanation, output, input, reduced, id, own_count, first_seen,"
        " last_seen, validated, fails, runs, pinned, merged_into,"
        " CASE merged_into WHEN 0 THEN state ELSE state_before END, config,"
        " coalesce((SELECT value FROM fact WHERE name = 'store'), '')"
        " FROM finding WHERE id IN chosen OR (merged_into <> 0 AND merged_into IN chosen)"
        " ORDER BY id",
        &row, err, "");
    while (!status) {
        status = pare_store_step(writer->store, row, &has_row, err);
        if (status || !has_row) break;
        status = write_finding(writer, row, err);
    }
    (void)sqlite3_finalize(row);
    return status;
}

/* Fills the temporary table `chosen`; without numbers with all findings. A
 * number that names no finding is an error before anything is written. The
 * table goes when the transaction is rolled back. */
static pare_status choose(pare_store *store, const int64_t *ids, size_t n, pare_error *err)
{
    pare_status status =
        pare_store_run(store, "CREATE TEMP TABLE chosen(id INTEGER PRIMARY KEY)", err, "");
    if (!status && !n)
        status = pare_store_run(store, "INSERT INTO chosen SELECT id FROM finding", err, "");
    for (size_t i = 0; i < n && !status; i++) {
        pare_finding finding = {0};
        status = pare_store_finding(store, ids[i], &finding, err);
        pare_finding_done(&finding);
        if (!status)
            status =
                pare_store_run(store, "INSERT OR IGNORE INTO chosen VALUES(?1)", err, "i", ids[i]);
    }
    return status;
}

/* Writes the folder within one reading transaction: all of it is the store at
 * one moment, and a running campaign goes on meanwhile. findings.jsonl comes
 * last. */
pare_status pare_store_export(pare_store *store, const int64_t *ids, size_t n, const char *folder,
                              pare_error *err)
{
    struct writer writer = {.store = store, .folder = folder};
    pare_status status = pare_file_make_directories(folder, err);
    if (!status) status = pare_store_begin_reading(store, err);
    if (status) return status;
    status = choose(store, ids, n, err);
    if (!status) status = write_findings(&writer, err);
    pare_store_end_reading(store);
    if (!status)
        status = write_file(folder, NAME, "", writer.lines.size ? writer.lines.data : "",
                            writer.lines.size, err);
    pare_buffer_done(&writer.lines);
    return status;
}

/* --- reading ------------------------------------------------------------------------------------ */

/* What is being read; store and folder are borrowed. `line` counts from 1, for
 * messages. */
struct reader {
    pare_store *store;
    const char *folder;
    size_t line;
    uint64_t n_new, n_known;
};

/* One line of the file. Texts are borrowed from `object`, which lives as long
 * as the line is taken over. */
struct record {
    json_t *object;
    const char *text[N_TEXTS];
    int64_t number[N_NUMBERS];
    pare_finding_state state;
    const char *store;
    int64_t config;
};

/* Says what is wrong with value `name` of the line; `what` is a predicate such
 * as "is no digest". Always PARE_E_SYNTAX. */
static pare_status fail_line(const struct reader *reader, pare_error *err, const char *what,
                             const char *name)
{
    if (err) err->line = reader->line;
    return pare_fail(err, PARE_E_SYNTAX, "%s/%s:%zu: '%.80s' %s", reader->folder, NAME,
                     reader->line, name, what);
}

/* Reads the file of a digest and checks that it has that digest: what was
 * changed on the way is not taken. */
static pare_status read_content(const struct reader *reader, const char *digest, const char *suffix,
                                pare_buffer *bytes, pare_error *err)
{
    char found[PARE_DIGEST_TEXT_BYTES];
    pare_buffer path = {0};
    if (!is_digest(digest)) return fail_line(reader, err, "is not a digest", digest);
    pare_status status = make_path(&path, reader->folder, digest, suffix, err);
    if (!status) status = pare_file_read(path.data, bytes, err);
    pare_buffer_done(&path);
    if (status) return status;
    pare_store_digest(bytes->size ? bytes->data : "", bytes->size, found);
    if (strcmp(found, digest) != 0)
        return fail_line(reader, err, "is not the digest of the file of that name", digest);
    return PARE_OK;
}

/* Keeps the content of a digest in the store; "" is none. */
static pare_status take_content(const struct reader *reader, const char *digest, pare_error *err)
{
    char same[PARE_DIGEST_TEXT_BYTES];
    pare_buffer bytes = {0};
    if (!*digest) return PARE_OK;
    pare_status status = read_content(reader, digest, CONTENT, &bytes, err);
    if (!status)
        status = pare_store_put(reader->store, bytes.size ? bytes.data : "", bytes.size, same, err);
    pare_buffer_done(&bytes);
    return status;
}

/* Takes over the configuration of a line, if it has one; findings that were
 * added by hand have none. record->config is its number here, or 0. */
static pare_status take_config(const struct reader *reader, struct record *record, pare_error *err)
{
    pare_buffer text = {0};
    const json_t *value = json_object_get(record->object, "config");
    if (!value) return PARE_OK;
    if (!json_is_string(value)) return fail_line(reader, err, "is not text", "config");
    pare_status status = read_content(reader, json_string_value(value), CONFIG, &text, err);
    /* A NUL would cut the text, which then is another configuration. */
    if (!status && text.size && memchr(text.data, '\0', text.size))
        status = fail_line(reader, err, "is not text", json_string_value(value));
    if (!status)
        status =
            pare_store_put_config(reader->store, text.size ? text.data : "", &record->config, err);
    pare_buffer_done(&text);
    return status;
}

/* Sets *text to a value of the line, borrowed. It has to be there, and be a text. */
static pare_status get_text(const struct reader *reader, const json_t *object, const char *name,
                            const char **text, pare_error *err)
{
    *text = json_string_value(json_object_get(object, name));
    return *text ? PARE_OK : fail_line(reader, err, "is not text", name);
}

/* Larger numbers are refused, so that sums over many stores cannot overflow. */
static const int64_t MOST = INT64_C(1) << 53;

/* Sets *number to a value of the line, which has to be an integer from 0 to
 * 2^53: what JavaScript can hold, too. */
static pare_status get_number(const struct reader *reader, const json_t *object, const char *name,
                              int64_t *number, pare_error *err)
{
    const json_t *value = json_object_get(object, name);
    *number = json_integer_value(value);
    return json_is_integer(value) && *number >= 0 && *number <= MOST
               ? PARE_OK
               : fail_line(reader, err, "is not a number from 0 to 2^53", name);
}

/* Whether a text can be the number of a store: hexadecimal digits, in ours 32. It
 * becomes a part of a fact's name, which a longer one would not fit into as a
 * whole; then what was imported before would not be found, and be added again. */
static bool is_store_number(const char *text)
{
    enum { LONGEST = 40 };
    return strspn(text, "0123456789abcdef") == strlen(text) && strlen(text) <= LONGEST;
}

/* Reads and checks all of a line before anything of it is stored. No line has
 * the state "merged": merging is done at the end, when both findings are there
 * (merge_taken). */
static pare_status read_record(const struct reader *reader, struct record *record, pare_error *err)
{
    const json_t *object = record->object;
    const char *format = json_string_value(json_object_get(object, "format")), *state = NULL;
    if (!format || strcmp(format, "pare-finding") != 0 ||
        json_integer_value(json_object_get(object, "schema")) != 1)
        return fail_line(reader, err, "of schema 1 is not what this line has", "pare-finding");
    pare_status status = get_text(reader, object, "state", &state, err);
    if (!status) status = get_text(reader, object, "store", &record->store, err);
    for (size_t i = 0; i < N_TEXTS && !status; i++)
        status = get_text(reader, object, text_names[i], &record->text[i], err);
    for (size_t i = 0; i < N_NUMBERS && !status; i++)
        status = get_number(reader, object, number_names[i], &record->number[i], err);
    if (status) return status;
    if (!is_store_number(record->store))
        return fail_line(reader, err, "is not the number of a store", record->store);
    if (!pare_finding_state_find(state, &record->state) || record->state == PARE_FINDING_MERGED)
        return fail_line(reader, err, "is not a state a line can have", state);
    /* Without these three a finding cannot be told from another one or run again. */
    if (!*record->text[TARGET] || !*record->text[IDENTITY] || !*record->text[INPUT])
        return fail_line(reader, err, "is not empty in a finding", "target, identity or input");
    if (!*record->text[REDUCED] && record->state == PARE_FINDING_REDUCED)
        return fail_line(reader, err, "is not empty in a reduced finding", "reduced");
    return PARE_OK;
}

/* Sets *n_new to how much of the line's count is new to this store, and notes
 * that it has that now. The highest count ever seen from a store is kept, so an
 * older folder of the same store adds nothing, and one of our own findings
 * coming back adds nothing either. */
static pare_status count_new(const struct reader *reader, const struct record *record,
                             int64_t *n_new, pare_error *err)
{
    char name[128], value[24];
    int64_t had = 0, is_own = 0;
    const int64_t count = record->number[COUNT];
    (void)snprintf(name, sizeof name, "import %.40s %lld", record->store,
                   (long long)record->number[ID]);
    pare_status status =
        pare_store_number(reader->store, "SELECT 1 FROM fact WHERE name = 'store' AND value = ?1",
                          &is_own, 0, err, "s", record->store);
    if (!status)
        status = pare_store_number(reader->store,
                                   "SELECT CAST(value AS INTEGER) FROM fact WHERE name = ?1", &had,
                                   0, err, "s", name);
    if (status) return status;
    *n_new = is_own || count <= had ? 0 : count - had;
    if (!*n_new) return PARE_OK;
    (void)snprintf(value, sizeof value, "%lld", (long long)count);
    return pare_store_put_fact(reader->store, name, value, err);
}

/* Adds the finding of a line as a new one. A count of 0 becomes 1, as a finding
 * in a store was seen at least once. */
static pare_status insert_finding(const struct reader *reader, const struct record *record,
                                  int64_t count, int64_t *id, pare_error *err)
{
    const char *const *text = record->text;
    const int64_t *number = record->number;
    pare_status status = pare_store_run(
        reader->store,
        "INSERT INTO finding(target, source, identity, signature, title, version, last_version,"
        " gone_version, first_bad, url, note, explanation, output, input, reduced, state, config,"
        " count, own_count, first_seen, last_seen, validated, fails, runs, pinned, input_bytes,"
        " reduced_bytes) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15,"
        " ?16, ?17, ?18, ?18, ?19, ?20, ?21, ?22, ?23, ?24 <> 0,"
        " (SELECT length(bytes) FROM content WHERE digest = ?14),"
        " coalesce((SELECT length(bytes) FROM content WHERE digest = ?15), 0))",
        err, "sssssssssssssssiiiiiiiii", text[TARGET], text[SOURCE], text[IDENTITY],
        text[SIGNATURE], text[TITLE], text[VERSION], text[LAST_VERSION], text[GONE_VERSION],
        text[FIRST_BAD], text[URL], text[NOTE], text[EXPLANATION], text[OUTPUT], text[INPUT],
        text[REDUCED], (int64_t)record->state, record->config, count ? count : 1,
        number[FIRST_SEEN], number[LAST_SEEN], number[VALIDATED], number[FAILS], number[RUNS],
        number[PINNED]);
    if (status) return status;
    *id = sqlite3_last_insert_rowid(reader->store->db);
    return pare_store_tell(reader->store, "new", *id, 0, "the finding was imported", err);
}

/* Adds to a finding that is known: counts and times, also to the one it is
 * merged into. What users may have written stays; only empty texts are filled. */
static pare_status update_finding(const struct reader *reader, const struct record *record,
                                  int64_t count, int64_t id, pare_error *err)
{
    const char *const *text = record->text;
    pare_status status = pare_store_run(
        reader->store,
        "UPDATE finding SET own_count = own_count + (id = ?1) * ?2, count = count + ?2,"
        " first_seen = min(first_seen, ?3), last_seen = max(last_seen, ?4)"
        " WHERE id = ?1 OR id = (SELECT merged_into FROM finding WHERE id = ?1)",
        err, "iiii", id, count, record->number[FIRST_SEEN], record->number[LAST_SEEN]);
    if (!status)
        status = pare_store_run(
            reader->store,
            "UPDATE finding SET first_bad = CASE first_bad WHEN '' THEN ?2 ELSE first_bad END,"
            " url = CASE url WHEN '' THEN ?3 ELSE url END,"
            " note = CASE note WHEN '' THEN ?4 ELSE note END WHERE id = ?1",
            err, "isss", id, text[FIRST_BAD], text[URL], text[NOTE]);
    return status;
}

/* Adds a member, until the finding has PARE_FINDING_MEMBERS; first come, first
 * kept. A member that is known stays as it is. */
static pare_status take_member(const struct reader *reader, const json_t *member, int64_t id,
                               int64_t config, pare_error *err)
{
    const char *digest = NULL, *signature = NULL, *source = NULL, *version = NULL;
    int64_t seen = 0, count = 0, n = 0;
    pare_status status = get_text(reader, member, "digest", &digest, err);
    if (!status) status = get_text(reader, member, "signature", &signature, err);
    if (!status) status = get_text(reader, member, "source", &source, err);
    if (!status) status = get_text(reader, member, "version", &version, err);
    if (!status) status = get_number(reader, member, "seen", &seen, err);
    if (!status) status = get_number(reader, member, "count", &count, err);
    if (!status)
        status = pare_store_number(reader->store, "SELECT count(*) FROM member WHERE finding = ?1",
                                   &n, 0, err, "i", id);
    if (status || n >= PARE_FINDING_MEMBERS) return status;
    /* "" is the digest of no content, and a member is nothing but a content. */
    if (!*digest) return fail_line(reader, err, "is not a digest", digest);
    status = take_content(reader, digest, err);
    if (status) return status;
    return pare_store_run(reader->store,
                          "INSERT INTO member VALUES(?1, ?2, length((SELECT bytes FROM content"
                          " WHERE digest = ?2)), ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT DO NOTHING",
                          err, "issssiii", id, digest, signature, source, version, config, seen,
                          count);
}

/* Adds the members of a line in the order in which they were kept there. */
static pare_status take_members(const struct reader *reader, const struct record *record,
                                int64_t id, pare_error *err)
{
    const json_t *list = json_object_get(record->object, "members");
    pare_status status =
        json_is_array(list) ? PARE_OK : fail_line(reader, err, "is not a list", "members");
    for (size_t i = 0; i < json_array_size(list) && !status; i++)
        status = take_member(reader, json_array_get(list, i), id, record->config, err);
    return status;
}

/* Offers the reduced input of a line to a finding that is known, as if a
 * reduction here had made it: it is kept if it is better than what is there. */
static pare_status take_reduced(const struct reader *reader, const struct record *record,
                                int64_t id, pare_error *err)
{
    pare_buffer bytes = {0};
    int64_t into = 0;
    if (!*record->text[REDUCED]) return PARE_OK;
    pare_status status = read_content(reader, record->text[REDUCED], CONTENT, &bytes, err);
    if (!status)
        status = pare_finding_set_reduced(reader->store, id, bytes.size ? bytes.data : "",
                                          bytes.size, &into, err);
    pare_buffer_done(&bytes);
    return status;
}

/* Takes one finding over, as a new one or into the one with the same target and
 * identity. The table `taken` then has its number there and here, by which
 * merges are found. Contents come before the row that names them. */
static pare_status take_record(struct reader *reader, struct record *record, pare_error *err)
{
    int64_t id = 0, count = 0;
    pare_status status = read_record(reader, record, err);
    if (!status) status = take_config(reader, record, err);
    if (!status)
        status = pare_store_number(reader->store,
                                   "SELECT id FROM finding WHERE target = ?1 AND identity = ?2",
                                   &id, 0, err, "ss", record->text[TARGET], record->text[IDENTITY]);
    const bool is_known = id != 0;
    if (!status) status = count_new(reader, record, &count, err);
    if (!status && !is_known) status = take_content(reader, record->text[INPUT], err);
    if (!status && !is_known) status = take_content(reader, record->text[REDUCED], err);
    if (!status)
        status = is_known ? update_finding(reader, record, count, id, err)
                          : insert_finding(reader, record, count, &id, err);
    if (!status && is_known) status = take_reduced(reader, record, id, err);
    if (!status) status = take_members(reader, record, id, err);
    if (!status)
        status = pare_store_run(
            reader->store, "INSERT OR REPLACE INTO taken VALUES(?1, ?2, ?3, ?4)", err, "iiii",
            record->number[ID], id, record->number[MERGED_INTO], (int64_t)!is_known);
    /* Counted also after a failure; the caller looks at the numbers only after
     * success. */
    *(is_known ? &reader->n_known : &reader->n_new) += 1;
    return status;
}

/* Reads one line. A key that stands twice is refused, as it would be ambiguous
 * which one counts. */
static pare_status read_line(struct reader *reader, const char *line, size_t size, pare_error *err)
{
    json_error_t trouble;
    struct record record = {.object = json_loadb(line, size, JSON_REJECT_DUPLICATES, &trouble)};
    pare_status status;
    if (record.object)
        status = take_record(reader, &record, err);
    else
        status = fail_line(reader, err, "is what JSON's reader says of it", trouble.text);
    json_decref(record.object);
    return status;
}

/* Repeats the merges of the exporting store, but only for findings that are new
 * here: for a known one the user may have decided otherwise. One after the
 * other, since a merge changes what the next question finds; `id` rises, so it
 * ends. By the index taken_own each question goes on where the last one ended:
 * all of them together read the folder's findings once. */
static pare_status merge_taken(const struct reader *reader, pare_error *err)
{
    int64_t id = 0;
    pare_status status = PARE_OK;
    while (!status) {
        int64_t into = 0;
        status = pare_store_number(reader->store,
                                   "SELECT own FROM taken t WHERE is_new AND own > ?1 AND"
                                   " EXISTS (SELECT 1 FROM taken r JOIN finding a ON a.id = r.own"
                                   " JOIN finding b ON b.id = t.own WHERE r.id = t.merged_into"
                                   " AND a.id <> b.id AND a.target = b.target"
                                   " AND a.merged_into = 0 AND b.merged_into = 0)"
                                   " ORDER BY own LIMIT 1",
                                   &id, 0, err, "i", id);
        if (status || !id) break;
        status = pare_store_number(reader->store,
                                   "SELECT r.own FROM taken t JOIN taken r ON r.id = t.merged_into"
                                   " WHERE t.own = ?1",
                                   &into, 0, err, "i", id);
        if (!status) status = pare_store_merge(reader->store, id, into, err);
    }
    return status;
}

/* Reads all lines and then merges, within the caller's transaction. After a
 * failure the rollback also takes the table `taken` back. */
static pare_status read_lines(struct reader *reader, const pare_buffer *text, pare_error *err)
{
    const char *at = text->size ? text->data : "", *end = at + text->size;
    pare_status status =
        pare_store_run(reader->store,
                       "CREATE TEMP TABLE taken(id INTEGER PRIMARY KEY, own INTEGER,"
                       " merged_into INTEGER, is_new INTEGER)",
                       err, "");
    if (!status)
        status =
            pare_store_run(reader->store, "CREATE INDEX temp.taken_own ON taken(own)", err, "");
    while (!status && at < end) {
        const char *line_end = memchr(at, '\n', (size_t)(end - at));
        if (!line_end) line_end = end;
        reader->line++;
        if (line_end > at) status = read_line(reader, at, (size_t)(line_end - at), err);
        at = line_end + (line_end < end);
    }
    if (!status) status = merge_taken(reader, err);
    if (!status) status = pare_store_run(reader->store, "DROP TABLE taken", err, "");
    return status;
}

/* Imports a folder. findings.jsonl is read before the transaction begins, since
 * that keeps all other writers waiting; contents are read within it. The
 * numbers are set on success only. */
pare_status pare_store_import(pare_store *store, const char *folder, uint64_t *n_new,
                              uint64_t *n_known, pare_error *err)
{
    struct reader reader = {.store = store, .folder = folder};
    pare_buffer path = {0}, text = {0};
    pare_status status = make_path(&path, folder, NAME, "", err);
    if (!status) status = pare_file_read(path.data, &text, err);
    if (!status) status = pare_store_begin(store, err);
    if (!status) status = pare_store_end(store, read_lines(&reader, &text, err), err);
    pare_buffer_done(&path);
    pare_buffer_done(&text);
    if (status) return status;
    *n_new = reader.n_new;
    *n_known = reader.n_known;
    return PARE_OK;
}
