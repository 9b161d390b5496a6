/* Fields of reports, made once for each finding and then borrowed by templates.
 *
 * Each field is a row with its name, and whether a target could have chosen a byte of it; such
 * fields are shown as code (escape.h).  Invariant: a field's text is that of its own buffer, which
 * does not grow any more when all have been read.  An input is shown as text if it is text;
 * otherwise (bytes that are no UTF-8, control characters, carriage returns) `input_base64` holds
 * all of it, since a report whose input cannot be copied out does not reproduce. */
#include "campaign/report_fields.h"

#include <assert.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <pare/pare.h>

#include "base/alloc.h"
#include "base/digest.h"
#include "base/fail.h"
#include "base/vector.h"
#include "campaign/campaign_file.h"
#include "campaign/escape.h"
#include "campaign/section.h"
#include "run/command.h"

/* N_MEMBER_FIELDS: of a row of `members`; DATE_BYTES: of a date as text */
enum { N_MEMBER_FIELDS = 6, DATE_BYTES = 40 };

static const char MARK[] = "pare-finding: ";

/* ---- the mark -------------------------------------------------------------------------- */

/* Writes the mark of a finding: a digest of its target and its identity.
 * Digests of both are hashed together and not their texts, or "a" with "bc" and
 * "ab" with "c" would have one mark. */
void pare_report_fields_mark(const pare_finding *finding, char mark[PARE_REPORT_MARK_BYTES])
{
    char digest[PARE_DIGEST_TEXT_BYTES], target[PARE_DIGEST_TEXT_BYTES];
    char both[2 * PARE_DIGEST_TEXT_BYTES];
    static_assert(sizeof MARK + PARE_DIGEST_TEXT_BYTES <= PARE_REPORT_MARK_BYTES, "it fits");
    pare_store_digest(finding->target, strlen(finding->target), target);
    pare_store_digest(finding->identity, strlen(finding->identity), digest);
    memcpy(both, target, sizeof target);
    memcpy(both + sizeof target, digest, sizeof digest);
    pare_store_digest(both, sizeof both, digest);
    memcpy(mark, MARK, sizeof MARK - 1);
    memcpy(mark + sizeof MARK - 1, digest, sizeof digest);
}

/* The digest in a mark; borrowed from it. */
const char *pare_report_fields_digest(const char *mark)
{
    assert(strncmp(mark, MARK, sizeof MARK - 1) == 0);
    return mark + sizeof MARK - 1;
}

/* ---- the target ------------------------------------------------------------------------ */

/* The section of the finding's target; NULL for an imported finding whose
 * target this campaign does not have, and without a campaign. */
static const pare_section *section_of(const pare_report_about *about)
{
    return about->campaign
               ? pare_campaign_section(about->campaign, "target", about->finding->target)
               : NULL;
}

/* Sets *name to STEM with the suffix of the target's inputs, as tests have it
 * (target.c): its point may be left out. One with a slash is none, as the name
 * becomes that of a file in a folder of ours. */
pare_status pare_report_fields_name(const pare_report_about *about, const char *stem,
                                    pare_buffer *name, pare_error *err)
{
    const pare_section *section = section_of(about);
    const char *suffix = section ? pare_section_text(section, "suffix") : "";
    if (strchr(suffix, '/')) suffix = "";
    const char *point = suffix[0] && suffix[0] != '.' ? "." : "";
    return pare_buffer_format(name, err, "%s%s%s", stem, point, suffix);
}

/* Appends one word of the command, quoted for a shell, with the path in the
 * place of each mark. */
static pare_status add_word(const char *word, const char *path, pare_buffer *out, pare_error *err)
{
    pare_buffer filled = {0};
    pare_status status = pare_command_fill_marks(word, path, &filled, err);
    if (!status) status = pare_command_quote(out, filled.size ? filled.data : "", filled.size, err);
    pare_buffer_done(&filled);
    return status;
}

/* Appends the words of a command, each quoted by itself, so that a shell reads
 * what the target was given. *is_marked is set if one of them names the input. */
static pare_status add_words(const char *const *words, size_t n, const char *path, pare_buffer *out,
                             bool *is_marked, pare_error *err)
{
    pare_status status = PARE_OK;
    for (size_t i = 0; i < n && !status; i++) {
        if (pare_command_is_marked(words[i])) *is_marked = true;
        if (out->size) status = pare_buffer_text(out, " ", err);
        if (!status) status = add_word(words[i], path, out, err);
    }
    return status;
}

/* Whether the command is a text for a shell, which is one word of the section. */
static pare_status is_for_shell(const pare_section *section, bool *is_shell, pare_error *err)
{
    char **words = NULL;
    size_t n = 0;
    pare_status status =
        pare_command_split(pare_section_text(section, "command"), &words, &n, is_shell, err);
    for (size_t i = 0; !status && i < n; i++)
        pare_alloc_free(words[i]);
    if (!status) pare_alloc_free(words);
    return status;
}

/* Appends a text for a shell, which gets the path as tests get it: as its
 * parameter. *is_marked is set if the text names that. */
static pare_status add_shell(const char *text, const char *path, pare_buffer *out, bool *is_marked,
                             pare_error *err)
{
    pare_buffer filled = {0};
    *is_marked = pare_command_is_marked(text) || strstr(text, "$1") || strstr(text, "$@");
    pare_status status = pare_command_fill_marks(text, "\"$1\"", &filled, err);
    if (!status) status = pare_buffer_text(out, out->size ? " sh -c " : "sh -c ", err);
    if (!status) status = pare_command_quote(out, filled.data, filled.size, err);
    if (!status && *is_marked) status = pare_buffer_text(out, " pare ", err);
    if (!status && *is_marked) status = pare_command_quote(out, path, strlen(path), err);
    pare_buffer_done(&filled);
    return status;
}

/* Appends the line that shows the finding: the environment as env(1) takes it,
 * then the command, and for one that reads its standard input the redirection of
 * that. Nothing if the command is not known. */
pare_status pare_report_fields_command(const pare_report_about *about, const char *path,
                                       pare_buffer *out, pare_error *err)
{
    const pare_section *section = section_of(about);
    bool is_marked = false, is_shell = false;
    size_t n_env = 0, n = 0;
    if (!section || !pare_section_text(section, "command")[0]) return PARE_OK;
    const char *const *env = pare_section_lines(section, "env", &n_env);
    const char *const *words = pare_section_words(section, "command", &n);
    pare_status status = is_for_shell(section, &is_shell, err);
    if (!status && n_env) status = pare_buffer_text(out, "env", err);
    for (size_t i = 0; i < n_env && !status; i++) {
        status = pare_buffer_text(out, " ", err);
        if (!status) status = pare_command_quote(out, env[i], strlen(env[i]), err);
    }
    if (!status)
        status = is_shell ? add_shell(words[0], path, out, &is_marked, err)
                          : add_words(words, n, path, out, &is_marked, err);
    if (!status && !is_marked) status = pare_buffer_text(out, " < ", err);
    if (!status && !is_marked) status = pare_command_quote(out, path, strlen(path), err);
    return status;
}

/* Reads a content; *bytes is NULL for "" and for a content that is not kept any
 * more. The latter is no failure: the rest of the report is worth as much. */
pare_status pare_report_fields_input(const pare_report_about *about, const char *digest,
                                     unsigned char **bytes, size_t *size, pare_error *err)
{
    pare_error said = {0};
    *bytes = NULL;
    *size = 0;
    if (!digest[0]) return PARE_OK;
    pare_status status = pare_store_content(about->store, digest, bytes, size, &said);
    if (!status || status == PARE_E_STATE) return PARE_OK;
    return pare_fail(err, status, "%s", said.message);
}

/* ---- fields ---------------------------------------------------------------------------- */

/* Whether a target could have chosen a byte of the field. Then it is shown as code. */
typedef enum chosen_by { OURS, THEIRS } chosen_by;

/* Adds a field and returns its buffer, which is to be filled before the next
 * field is added. */
static pare_buffer *add_field(pare_report_fields *fields, const char *name, chosen_by by)
{
    assert(fields->n < PARE_REPORT_FIELDS_MOST);
    fields->fields[fields->n] = (pare_template_field){.name = name, .is_ours = by == OURS};
    return &fields->values[fields->n++];
}

static pare_status add_text(pare_report_fields *fields, const char *name, chosen_by by,
                            const char *text, pare_error *err)
{
    return pare_buffer_text(add_field(fields, name, by), text, err);
}

/* Adds a number; 0 is "", so that a section of the template about it is left out. */
static pare_status add_number(pare_report_fields *fields, const char *name, uint64_t number,
                              pare_error *err)
{
    pare_buffer *value = add_field(fields, name, OURS);
    return number ? pare_buffer_format(value, err, "%" PRIu64, number) : PARE_OK;
}

/* Adds a time in ms since 1970 as "2026-11-22 20:08 UTC"; "" for 0. */
static pare_status add_date(pare_report_fields *fields, const char *name, int64_t ms,
                            pare_error *err)
{
    char text[DATE_BYTES] = "";
    struct tm parts;
    time_t seconds = (time_t)(ms / 1000);
    if (ms > 0 && gmtime_r(&seconds, &parts))
        (void)strftime(text, sizeof text, "%Y-%m-%d %H:%M UTC", &parts);
    return add_text(fields, name, OURS, text, err);
}

/* Adds the texts. Versions, notes and sources are the user's own words, but
 * come from commands and files, so they count as chosen by others. */
static pare_status add_texts(const pare_finding *finding, pare_report_fields *fields,
                             pare_error *err)
{
    const struct {
        const char *name, *text;
        chosen_by by;
    } texts[] = {{"state", pare_finding_state_name(finding->state), OURS},
                 {"target", finding->target, THEIRS},
                 {"source", finding->source, THEIRS},
                 {"title", finding->title, THEIRS},
                 {"identity", finding->identity, THEIRS},
                 {"signature", finding->signature, THEIRS},
                 {"version", finding->version, THEIRS},
                 {"gone_version", finding->gone_version, THEIRS},
                 {"first_bad", finding->first_bad, THEIRS},
                 {"url", finding->url, THEIRS},
                 {"note", finding->note, THEIRS},
                 {"explanation", finding->explanation, THEIRS},
                 {"mark", fields->mark, OURS},
                 {"pare", pare_version(), OURS}};
    pare_status status = PARE_OK;
    for (size_t i = 0; i < sizeof texts / sizeof *texts && !status; i++)
        status = add_text(fields, texts[i].name, texts[i].by, texts[i].text, err);
    return status;
}

/* Adds counts, sizes and times; they are our own and need no escaping. */
static pare_status add_numbers(const pare_finding *finding, pare_report_fields *fields,
                               pare_error *err)
{
    const struct {
        const char *name;
        uint64_t number;
    } numbers[] = {{"id", (uint64_t)finding->id},   {"count", finding->count},
                   {"bytes", finding->input_bytes}, {"reduced_bytes", finding->reduced_bytes},
                   {"fails", finding->fails},       {"runs", finding->runs}};
    const struct {
        const char *name;
        int64_t ms;
    } dates[] = {{"first_seen", finding->first_seen},
                 {"last_seen", finding->last_seen},
                 {"validated", finding->validated}};
    pare_status status = PARE_OK;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers && !status; i++)
        status = add_number(fields, numbers[i].name, numbers[i].number, err);
    for (size_t i = 0; i < sizeof dates / sizeof *dates && !status; i++)
        status = add_date(fields, dates[i].name, dates[i].ms, err);
    return status;
}

/* Adds the last `most_bytes` of the output, from the beginning of a line if
 * there is one: what failed stands last. */
static pare_status add_output(const pare_report_about *about, pare_report_fields *fields,
                              pare_error *err)
{
    const char *text = about->finding->output;
    size_t size = strlen(text);
    if (size > about->most_bytes) {
        text += size - about->most_bytes;
        const char *line = strchr(text, '\n');
        if (line && line[1]) text = line + 1;
    }
    return add_text(fields, "output", THEIRS, text, err);
}

/* Adds the fields about the input: input, input_base64, input_bytes, is_cut,
 * is_reduced and input_name. The reduced input is shown if there is one. Base64
 * only for a whole input: a part of it would reproduce nothing. */
static pare_status add_input(const pare_report_about *about, pare_report_fields *fields,
                             pare_error *err)
{
    const pare_finding *finding = about->finding;
    bool is_reduced = finding->reduced[0] != '\0';
    unsigned char *bytes = NULL;
    size_t size = 0;
    pare_status status = pare_report_fields_input(
        about, is_reduced ? finding->reduced : finding->input, &bytes, &size, err);
    bool is_cut = size > about->most_bytes;
    bool is_text = pare_escape_is_faithful(bytes, size);
    size_t shown = is_cut ? about->most_bytes : size;
    if (!status)
        status = pare_escape_visible(bytes, shown, add_field(fields, "input", THEIRS), err);
    pare_buffer *base64 = add_field(fields, "input_base64", THEIRS);
    if (!status && !is_text && !is_cut) status = pare_escape_base64(bytes, size, base64, err);
    if (!status) status = add_number(fields, "input_bytes", size, err);
    if (!status) status = add_text(fields, "is_cut", OURS, is_cut ? "yes" : "", err);
    if (!status) status = add_text(fields, "is_reduced", OURS, is_reduced ? "yes" : "", err);
    if (!status)
        status = pare_report_fields_name(about, is_reduced ? "reduced" : "original",
                                         add_field(fields, "input_name", OURS), err);
    pare_alloc_free(bytes);
    return status;
}

/* Adds the command. It names the input as input_name does, which add_input has
 * added before. */
static pare_status add_command(const pare_report_about *about, pare_report_fields *fields,
                               pare_error *err)
{
    const char *name = NULL;
    for (size_t i = 0; i < fields->n; i++)
        if (strcmp(fields->fields[i].name, "input_name") == 0) name = fields->values[i].data;
    assert(name);
    return pare_report_fields_command(about, name, add_field(fields, "command", THEIRS), err);
}

/* ---- members --------------------------------------------------------------------------- */

/* A member's fields and their texts in one block. `texts` holds the texts of
 * the first four, each with its NUL. */
struct row {
    pare_template_field fields[N_MEMBER_FIELDS];
    char bytes[24], count[24];
    char texts[];
};

/* A pare_member_visit: adds one row. One block for its texts and fields, so
 * that one free ends both. */
static pare_status add_member(void *context, const pare_finding_member *member, pare_error *err)
{
    pare_report_fields *fields = context;
    const char *const names[N_MEMBER_FIELDS] = {"digest",  "signature", "source",
                                                "version", "bytes",     "count"};
    const char *const texts[] = {member->digest, member->signature, member->source,
                                 member->version};
    enum { N_TEXTS = sizeof texts / sizeof *texts };
    size_t need = 0;
    for (size_t i = 0; i < N_TEXTS; i++)
        need += strlen(texts[i]) + 1;
    pare_template_scope *rows =
        pare_vector_grow(fields->rows, fields->n_rows, &fields->capacity, sizeof *rows);
    struct row *row = rows ? pare_alloc_zero(1, sizeof *row + need) : NULL;
    if (rows) fields->rows = rows;
    if (!row) return pare_fail_nomem(err);
    char *at = row->texts;
    for (size_t i = 0; i < N_MEMBER_FIELDS; i++) {
        size_t size = i < N_TEXTS ? strlen(texts[i]) : 0;
        row->fields[i] = (pare_template_field){
            .name = names[i], .text = at, .size = size, .is_ours = i == 0 || i >= N_TEXTS};
        if (i >= N_TEXTS) continue;
        memcpy(at, texts[i], size + 1);
        at += size + 1;
    }
    (void)snprintf(row->bytes, sizeof row->bytes, "%zu", member->bytes);
    (void)snprintf(row->count, sizeof row->count, "%" PRIu64, member->count);
    row->fields[N_TEXTS].text = row->bytes;
    row->fields[N_TEXTS].size = strlen(row->bytes);
    row->fields[N_TEXTS + 1].text = row->count;
    row->fields[N_TEXTS + 1].size = strlen(row->count);
    rows[fields->n_rows++] = (pare_template_scope){.fields = row->fields, .n = N_MEMBER_FIELDS};
    return PARE_OK;
}

/* ---- all of them ----------------------------------------------------------------------- */

/* Fills *fields; on failure it is still to be ended. Texts are set last, when
 * all buffers are full: a buffer that grows moves. */
pare_status pare_report_fields_read(const pare_report_about *about, pare_report_fields *fields,
                                    pare_error *err)
{
    *fields = (pare_report_fields){.n = 0};
    pare_report_fields_mark(about->finding, fields->mark);
    pare_status status = add_texts(about->finding, fields, err);
    if (!status) status = add_numbers(about->finding, fields, err);
    if (!status) status = add_output(about, fields, err);
    if (!status) status = add_input(about, fields, err);
    if (!status) status = add_command(about, fields, err);
    if (!status)
        status = pare_store_members(about->store, about->finding->id, add_member, fields, err);
    if (status) return status;
    for (size_t i = 0; i < fields->n; i++) {
        fields->fields[i].text = fields->values[i].size ? fields->values[i].data : "";
        fields->fields[i].size = fields->values[i].size;
    }
    static const pare_template_scope none = {.n = 0};
    (void)add_field(fields, "members", OURS);
    fields->fields[fields->n - 1].text = "";
    fields->fields[fields->n - 1].rows = fields->n_rows ? fields->rows : &none;
    fields->fields[fields->n - 1].n_rows = fields->n_rows;
    return PARE_OK;
}

/* Frees rows and buffers. A row's block begins with its fields, to which its
 * scope points. */
void pare_report_fields_done(pare_report_fields *fields)
{
    for (size_t i = 0; i < fields->n_rows; i++)
        pare_alloc_free((void *)(uintptr_t)fields->rows[i].fields);
    pare_alloc_free(fields->rows);
    for (size_t i = 0; i < fields->n; i++)
        pare_buffer_done(&fields->values[i]);
    *fields = (pare_report_fields){.n = 0};
}
