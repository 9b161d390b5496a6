/* From the text of a file to values: ${...} replaced, paths made absolute, commands split, all
 * checked.
 *
 * A value may refer to another one, which is resolved first, by recursion; a value that is met while
 * it is being resolved refers to itself.  The depth is limited, because the text of a campaign also
 * comes from stores of other people.  The text that replaces ${...} is not searched again.
 *
 * Files in commands: jobs and tests run elsewhere, so words that name files relative to the folder
 * of the campaign file are made absolute here, by the rule of run/command.h: a word with a slash
 * that names anything, and a later word without a slash that names a regular file.  Shell syntax is
 * left alone; ${folder} is for that. */

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include <pare/campaign.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "base/nearest.h"
#include "campaign/campaign_keys.h"
#include "campaign/campaign_section.h"
#include "os/file.h"
#include "run/command.h"

/* of values that refer to each other in a row */
enum { MOST_DEPTH = 64 };

/* What is being resolved. A value belongs to a section, and ${...} without a
 * section's name is looked for there. `depth` counts the values that led here. */
struct resolve {
    pare_campaign *campaign;
    struct pare_section *section;
    pare_section_value *value;
    unsigned depth;
    pare_error *err;
};

/* Declared here because a value that names another one resolves that first. */
static pare_status resolve(const struct resolve *at);

/* ---- ${...} ------------------------------------------------------------------------ */

/* The failure of a ${...} that names nothing. A shell's own ${NAME} is the
 * likeliest cause, so the message says how to write that. */
static pare_status fail_name(const struct resolve *at, const char *name)
{
    char hint[PARE_NEAREST_HINT_BYTES];
    pare_nearest nearest = pare_nearest_of(name);
    for (size_t i = 0; i < at->section->n_values; i++)
        pare_nearest_offer(&nearest, at->section->values[i].name);
    return pare_fail(at->err, PARE_E_SYNTAX,
                     "${%.60s} is not an option%s; for a variable of the shell write $${%.60s}",
                     name, pare_nearest_hint(&nearest, "", hint), name);
}

/* Finds what `name` stands for: "folder", "env:NAME", "OPTION" of the same
 * section, or "SECTION:OPTION". *text is borrowed from the campaign or the
 * environment. `name` is changed during the call and put back. */
static pare_status find(const struct resolve *at, char *name, const char **text)
{
    char *colon = strchr(name, ':');
    struct pare_section *section = at->section;
    if (!strcmp(name, "folder")) {
        *text = at->value->folder;
        return PARE_OK;
    }
    if (!strncmp(name, "env:", 4)) {
        *text = getenv(name + 4);
        if (*text) return PARE_OK;
        return pare_fail(at->err, PARE_E_SYNTAX, "the environment has no variable %.60s", name + 4);
    }
    if (colon) *colon = '\0';
    if (colon && *name) section = pare_section_find(at->campaign, name);
    pare_section_value *value =
        section ? pare_section_value_of(section, colon ? colon + 1 : name) : NULL;
    if (colon) *colon = ':';
    if (!value) return fail_name(at, name);
    const struct resolve other = {at->campaign, section, value, at->depth + 1, at->err};
    pare_status status = resolve(&other);
    *text = value->text;
    return status;
}

/* Appends the value's raw text with all ${...} replaced, and "$${" as "${".
 * What is put in is not looked through again, so a variable of the environment
 * cannot name an option. */
static pare_status expand(const struct resolve *at, pare_buffer *out)
{
    /* So that out->data is a text also when nothing follows. */
    pare_status status = pare_buffer_text(out, "", at->err);
    for (const char *from = at->value->raw; !status && *from;) {
        const char *dollar = strstr(from, "${");
        size_t before = dollar ? (size_t)(dollar - from) : strlen(from);
        bool escaped = dollar && before && dollar[-1] == '$';
        status = pare_buffer_add(out, from, before - escaped, at->err);
        from += before;
        if (!dollar || status) continue;
        if (escaped) {
            status = pare_buffer_text(out, "${", at->err);
            from += 2;
            continue;
        }
        const char *end = strchr(from, '}'), *text = NULL;
        if (!end) return pare_fail(at->err, PARE_E_SYNTAX, "a '}' is missing after '${'");
        char *name = pare_alloc_text(from + 2, (size_t)(end - from - 2));
        status = name ? find(at, name, &text) : pare_fail_nomem(at->err);
        pare_alloc_free(name);
        if (!status) status = pare_buffer_text(out, text, at->err);
        from = end + 1;
    }
    return status;
}

/* ---- items ------------------------------------------------------------------------- */

/* Copies a text into the campaign's arena, where all texts of values live. */
static pare_status keep(const struct resolve *at, const char *text, size_t size, const char **out)
{
    *out = pare_arena_text(&at->campaign->arena, text, size);
    return *out ? PARE_OK : pare_fail_nomem(at->err);
}

/* Gives the value room for `n` items and a NULL after them, all NULL. What it
 * had is the arena's and stays there. */
static pare_status make_items(const struct resolve *at, size_t n)
{
    at->value->items = pare_arena_alloc(&at->campaign->arena, (n + 1) * sizeof(char *));
    if (!at->value->items) return pare_fail_nomem(at->err);
    for (size_t i = 0; i <= n; i++)
        at->value->items[i] = NULL;
    at->value->n_items = 0;
    return PARE_OK;
}

/* Splits `text` at any byte of `separators` into items; empty parts are none. A
 * text has no more items than bytes, which is the room that is made. */
static pare_status split(const struct resolve *at, const char *text, const char *separators)
{
    pare_status status = make_items(at, strlen(text));
    while (!status) {
        text += strspn(text, separators);
        size_t size = strcspn(text, separators);
        if (!size) break;
        status = keep(at, text, size, &at->value->items[at->value->n_items]);
        at->value->n_items += !status;
        text += size;
    }
    return status;
}

/* Appends `word` as an absolute path; a relative one is meant as seen from the
 * value's folder. "./" at its start is dropped, so that equal paths are equal
 * texts. */
static pare_status add_absolute(const struct resolve *at, const char *word, pare_buffer *path)
{
    pare_status status = PARE_OK;
    while (!strncmp(word, "./", 2))
        word += 2 + strspn(word + 2, "/");
    bool is_root = !strcmp(at->value->folder, "/");
    if (*word != '/') status = pare_buffer_text(path, is_root ? "" : at->value->folder, at->err);
    if (!status && *word != '/') status = pare_buffer_text(path, "/", at->err);
    return status ? status : pare_buffer_text(path, word, at->err);
}

/* Word `k` of a command in *out: made absolute if it names a file as seen from
 * the value's folder, else as it is. The first word without a slash is a
 * program in PATH, never a file. */
static pare_status place_word(const struct resolve *at, size_t k, const char *word,
                              const char **out)
{
    pare_buffer path = {0};
    bool has_slash = strchr(word, '/') != NULL;
    pare_status status = add_absolute(at, word, &path);
    bool names = !status && *word &&
                 (has_slash ? pare_file_exists(path.data) : k && pare_file_is_regular(path.data));
    if (!status) status = keep(at, names ? path.data : word, strlen(names ? path.data : word), out);
    pare_buffer_done(&path);
    return status;
}

/* Splits a command into items and appends to *line what a shell reads as the
 * same words. A command that only a shell understands is kept as it is. */
static pare_status split_command(const struct resolve *at, const char *text, pare_buffer *line)
{
    char **words = NULL;
    size_t n = 0;
    bool is_shell;
    pare_status status = pare_command_split(text, &words, &n, &is_shell, at->err);
    if (status) return status == PARE_E_ARG ? PARE_E_SYNTAX : status;
    status = make_items(at, n);
    for (size_t k = 0; k < n && !status; k++) {
        const char **item = &at->value->items[k];
        status = is_shell ? keep(at, words[k], strlen(words[k]), item)
                          : place_word(at, k, words[k], item);
        if (!status && k) status = pare_buffer_text(line, " ", at->err);
        if (!status && is_shell) status = pare_buffer_text(line, *item, at->err);
        if (!status && !is_shell) status = pare_command_quote(line, *item, strlen(*item), at->err);
        at->value->n_items += !status;
    }
    for (size_t k = 0; k < n; k++)
        pare_alloc_free(words[k]);
    pare_alloc_free(words);
    return status;
}

/* Reads one path of a list into `path`. It may stand between quotes or hold
 * quoted parts, since paths may have blanks. Returns what follows; NULL: a
 * quote is not closed. Characters of patterns mean the same within quotes, as
 * whoever opens the files expands them. */
static const char *read_path(const struct resolve *at, const char *text, pare_buffer *path,
                             pare_status *status)
{
    *status = PARE_OK;
    while (!*status && *text && !strchr(" \t\n", *text)) {
        bool quoted = *text == '\'' || *text == '"';
        const char *end = quoted ? strchr(text + 1, *text) : text + 1;
        if (!end) return NULL;
        *status = pare_buffer_add(path, text + quoted, (size_t)(end - text) - quoted, at->err);
        text = end + quoted;
    }
    return text;
}

/* Appends a path in quotes, if it needs any, so that read_path reads the same.
 * A path with quotes of both kinds is several quoted parts side by side, each in
 * quotes that are not in it. */
pare_status pare_campaign_value_add_path(const char *path, pare_buffer *line, pare_error *err)
{
    if (!strpbrk(path, " \t\n'\"")) return pare_buffer_text(line, path, err);
    pare_status status = PARE_OK;
    while (*path && !status) {
        const size_t other = strcspn(path, "'"), own = strcspn(path, "\"");
        const char quote = other >= own ? '\'' : '"';
        const size_t size = other >= own ? other : own;
        status = pare_buffer_format(line, err, "%c%.*s%c", quote, (int)size, path, quote);
        path += size;
    }
    return status;
}

/* Splits a list of paths and patterns into absolute ones; *line becomes the
 * list as it is read back. */
static pare_status split_paths(const struct resolve *at, const char *text, pare_buffer *line)
{
    pare_section_value *value = at->value;
    pare_status status = make_items(at, strlen(text));
    pare_buffer word = {0}, path = {0};
    while (!status && *(text += strspn(text, " \t\n"))) {
        pare_buffer_reset(&word);
        pare_buffer_reset(&path);
        text = read_path(at, text, &word, &status);
        if (!text) status = pare_fail(at->err, PARE_E_SYNTAX, "a quote is not closed");
        if (!status) status = add_absolute(at, word.data, &path);
        if (!status) status = keep(at, path.data, path.size, &value->items[value->n_items]);
        if (!status && value->n_items) status = pare_buffer_text(line, " ", at->err);
        if (!status) status = pare_campaign_value_add_path(path.data, line, at->err);
        value->n_items += !status;
    }
    pare_buffer_done(&word);
    pare_buffer_done(&path);
    return status;
}

/* ---- values ------------------------------------------------------------------------ */

/* Makes number, items or text of a value, by the kind of its key. `out` stays
 * empty where `text` itself is what counts. An empty value has no items. */
static pare_status shape(const struct resolve *at, const char *text, pare_buffer *out)
{
    pare_section_value *value = at->value;
    pare_status status = make_items(at, 1);
    if (status || !*text) return status;
    switch (value->key ? value->key->kind : PARE_KEY_TEXT) {
    case PARE_KEY_COMMAND: return split_command(at, text, out);
    case PARE_KEY_PATHS: return split_paths(at, text, out);
    case PARE_KEY_LINES: return split(at, text, "\n");
    case PARE_KEY_WORDS: return split(at, text, " \t\n,");
    case PARE_KEY_PATH: return add_absolute(at, text, out);
    /* A NAMED value is a file if there is one of that path, else the name of
     * something that was added. */
    case PARE_KEY_NAMED:
        status = add_absolute(at, text, out);
        if (!status && !pare_file_exists(out->data)) pare_buffer_reset(out);
        return status;
    default:
        if (!value->key) return PARE_OK;
        return pare_campaign_key_read(value->key, text, &value->number, &value->real, at->err);
    }
}

/* Resolves one value: ${...}, default, form. An empty value counts as none and
 * gets the default, so a later file can take an option of an earlier one back. */
static pare_status resolve_text(const struct resolve *at)
{
    pare_section_value *value = at->value;
    pare_buffer text = {0}, out = {0};
    pare_status status = expand(at, &text);
    if (!status && !text.size && value->key)
        status = pare_buffer_text(&text, value->key->fallback, at->err);
    if (!status) status = shape(at, text.data, &out);
    assert(status || text.data);
    const pare_buffer *chosen = out.size ? &out : &text;
    if (!status) status = keep(at, chosen->data, chosen->size, &value->text);
    /* A value of one item is that item, also where nothing was split. */
    if (!status && !value->n_items && value->items && *value->text) {
        value->items[0] = value->text;
        value->n_items = 1;
    }
    pare_buffer_done(&text);
    pare_buffer_done(&out);
    return status;
}

/* Resolves a value, unless it is done. Called for each value in turn and for
 * those that others name, so each is resolved once, whoever asks first. A value
 * met while it is busy names itself, through others or not: PARE_E_SYNTAX. */
static pare_status resolve(const struct resolve *at)
{
    pare_section_value *value = at->value;
    if (value->state == PARE_VALUE_DONE) return PARE_OK;
    if (value->state == PARE_VALUE_BUSY)
        return pare_fail(at->err, PARE_E_SYNTAX, "'%.60s' of [%s] refers to itself", value->name,
                         at->section->title);
    if (at->depth > MOST_DEPTH)
        return pare_fail(at->err, PARE_E_SYNTAX,
                         "'%.60s' of [%s] is the end of more than %d ${...}", value->name,
                         at->section->title, MOST_DEPTH);
    value->state = PARE_VALUE_BUSY;
    pare_status status = resolve_text(at);
    if (!status) value->state = PARE_VALUE_DONE;
    return status;
}

/* Resolves all values of all sections. Ends at the first that is wrong, with
 * the file and line where it stands. */
pare_status pare_campaign_value_resolve_all(pare_campaign *campaign, pare_error *err)
{
    for (size_t i = 0; i < campaign->n_sections; i++) {
        struct pare_section *section = campaign->sections[i];
        for (size_t k = 0; k < section->n_values; k++) {
            const struct resolve at = {campaign, section, &section->values[k], 0, err};
            pare_status status = resolve(&at);
            if (!status) continue;
            pare_fail_prefix(err, "%s", section->values[k].origin);
            /* A value may have several lines; a sentence has one. */
            for (char *c = err ? err->message : NULL; c && *c; c++)
                if (*c == '\n') *c = ' ';
            return status;
        }
    }
    return PARE_OK;
}
