/* Writes campaigns as text: sections that read back the same, and the file that a command line
 * stands for.
 *
 * The text is canonical: sections by kind, options in the order of their table, only those that
 * differ from their defaults, all ${...} replaced and all paths absolute.  So two files that mean
 * the same are the same text, and the text means the same wherever it is read. */

#include <assert.h>
#include <ctype.h>
#include <glob.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <pare/campaign.h>

#include "base/buffer.h"
#include "base/fail.h"
#include "base/nearest.h"
#include "campaign/campaign_section.h"
#include "campaign/section.h"
#include "run/command.h"

/* of a section's name, as in campaign_file.c */
enum { NAME_BYTES = 40 };

/* ---- sections ---------------------------------------------------------------------- */

/* Appends one line of a value, with "${" written as "$${": reading turns that
 * back and does not replace anything. */
static pare_status add_line(pare_buffer *text, const char *line, size_t size, pare_error *err)
{
    pare_status status = PARE_OK;
    for (size_t i = 0; i < size && !status; i++) {
        if (i + 1 < size && line[i] == '$' && line[i + 1] == '{')
            status = pare_buffer_text(text, "$", err);
        if (!status) status = pare_buffer_add(text, line + i, 1, err);
    }
    return status;
}

/* Whether a line of a value is read back as it is: no blanks around it, no
 * control characters, and after the first line nothing that reading skips (an
 * empty line, a comment). */
static bool is_plain(const char *line, size_t size, bool is_first)
{
    if (!size) return is_first;
    if (isspace((unsigned char)line[0]) || isspace((unsigned char)line[size - 1])) return false;
    for (size_t i = 0; i < size; i++)
        if ((unsigned char)line[i] < ' ' && line[i] != '\t') return false;
    return is_first || (line[0] != '#' && line[0] != ';');
}

/* Appends "NAME = VALUE". Lines after the first are indented, so that they are
 * read as more of the value. Errors: PARE_E_ARG for a value that cannot stand in a file; the environment or the command line can bring one. */
static pare_status add_value(pare_buffer *text, const pare_section_value *value, pare_error *err)
{
    const char *line = value->text;
    pare_status status = pare_buffer_format(text, err, "%s = ", value->name);
    for (bool is_first = true; !status; is_first = false) {
        size_t size = strcspn(line, "\n");
        if (!is_plain(line, size, is_first))
            return pare_fail(err, PARE_E_ARG,
                             "'%s' cannot be written to a campaign file: it has a control "
                             "character, an empty line, or blanks around a line",
                             value->name);
        if (!is_first) status = pare_buffer_text(text, "\n    ", err);
        if (!status) status = add_line(text, line, size, err);
        if (!line[size]) break;
        line += size + 1;
    }
    return status ? status : pare_buffer_text(text, "\n", err);
}

/* Whether the value says anything that would not be so without it. Values of
 * [define] do not: their texts have been put in where they are named. */
static bool counts(const pare_section_value *value)
{
    return value->key && strcmp(value->text, value->key->fallback) != 0;
}

/* Appends a section, with an empty line before it if there is text already. One
 * of which no value counts is not written at all. */
pare_status pare_campaign_text_add_section(const struct pare_section *section, pare_buffer *text,
                                           pare_error *err)
{
    pare_status status = PARE_OK;
    size_t n = 0;
    for (size_t i = 0; i < section->n_values && !status; i++) {
        const pare_section_value *value = &section->values[i];
        if (!counts(value)) continue;
        if (n++ == 0)
            status =
                pare_buffer_format(text, err, "%s[%s]\n", text->size ? "\n" : "", section->title);
        if (!status) status = add_value(text, value, err);
    }
    return status;
}

/* ---- a command line as a file ------------------------------------------------------ */

/* The kinds of `--from KIND:VALUE`, and the option of the source that gets VALUE. */
static const struct from {
    const char *kind, *option;
    bool needs_value;
} froms[] = {{"grammar", "grammar", true},
             {"lang", "lang", true},
             {"graph", "graph", false},
             {"model", "model", true},
             {"folder", "files", true},
             {"command", "command", true},
             {"prints", "command", true},
             {"afl", "files", true},
             {"libfuzzer", "command", true},
             {"population", "population", true},
             {"mutation", "population", true},
             {"recorded", "command", true},
             {"random", "", false}};
enum { N_FROMS = sizeof froms / sizeof *froms };

/* Finds the row of a `--from`; *rest points behind its first ":", or is "".
 * Errors: PARE_E_ARG, with the nearest kind. */
static pare_status find_from(const char *text, const struct from **out, const char **rest,
                             pare_error *err)
{
    size_t size = strcspn(text, ":");
    for (size_t i = 0; i < N_FROMS; i++) {
        if (strlen(froms[i].kind) != size || strncmp(text, froms[i].kind, size) != 0) continue;
        *rest = text[size] ? text + size + 1 : "";
        *out = &froms[i];
        if (froms[i].needs_value && !**rest)
            return pare_fail(err, PARE_E_ARG, "--from %s needs a value: %s:%s", froms[i].kind,
                             froms[i].kind, froms[i].option);
        return PARE_OK;
    }
    char word[NAME_BYTES], hint[PARE_NEAREST_HINT_BYTES];
    (void)snprintf(word, sizeof word, "%.*s", (int)(size < NAME_BYTES ? size : NAME_BYTES), text);
    pare_nearest nearest = pare_nearest_of(word);
    for (size_t i = 0; i < N_FROMS; i++)
        pare_nearest_offer(&nearest, froms[i].kind);
    return pare_fail(err, PARE_E_ARG,
                     "--from takes KIND:VALUE, such as grammar:JSON.g4, not '%s'%s", word,
                     pare_nearest_hint(&nearest, "", hint));
}

/* Names the target after its program: the base name of the first word, without
 * characters that a section's name may not have. "program" if nothing is left. */
static pare_status name_program(const char *word, pare_buffer *name, pare_error *err)
{
    size_t length = strcspn(word, " \t\n");
    const char *at = word;
    /* A slash at the very end begins no name. */
    for (size_t i = 0; i < length; i++)
        if (word[i] == '/' && i + 1 < length) at = word + i + 1;
    pare_status status = PARE_OK;
    for (; at < word + length && name->size < NAME_BYTES && !status; at++) {
        bool fits = isalnum((unsigned char)*at) || (strchr("_.+-", *at) && name->size);
        if (fits) status = pare_buffer_add(name, at, 1, err);
    }
    if (!status && !name->size) status = pare_buffer_text(name, "program", err);
    return status;
}

/* Appends the target's command. One word with blanks is a command line as it
 * is, as pare reduce takes it; several words are quoted, so that they are read
 * back as the same. */
static pare_status add_program(const pare_campaign_options *options, pare_buffer *text,
                               pare_error *err)
{
    assert(options->n_program > 0);
    pare_buffer line = {0};
    pare_status status = PARE_OK;
    for (size_t i = 0; i < options->n_program && !status; i++) {
        const char *word = options->program[i];
        if (i) status = pare_buffer_text(&line, " ", err);
        if (!status && options->n_program == 1) status = pare_buffer_text(&line, word, err);
        if (!status && options->n_program > 1)
            status = pare_command_quote(&line, word, strlen(word), err);
    }
    const pare_section_value value = {.name = "command", .text = line.data};
    if (!status) status = add_value(text, &value, err);
    pare_buffer_done(&line);
    return status;
}

/* Whether a text is the name of a file, or a pattern of such names, all of it. */
static bool names_files(const char *text)
{
    glob_t found = {0};
    if (access(text, F_OK) == 0) return true;
    const bool any = glob(text, GLOB_NOSORT, NULL, &found) == 0;
    globfree(&found);
    return any;
}

/* Appends what stands behind the kind of a `--from`.  It is read as several words, of which each
 * may name a file; but what names a file as it stands is one, whatever blanks and quotes its name
 * has. */
static pare_status add_source(const struct from *from, const char *rest, pare_buffer *text,
                              pare_error *err)
{
    static const char *const of_paths[] = {"grammar", "files", "population"};
    pare_buffer quoted = {0};
    pare_status status = PARE_OK;
    bool is_path = false;
    for (size_t i = 0; i < sizeof of_paths / sizeof *of_paths; i++)
        is_path = is_path || strcmp(from->option, of_paths[i]) == 0;
    if (is_path && names_files(rest)) status = pare_campaign_value_add_path(rest, &quoted, err);
    const pare_section_value value = {.name = from->option,
                                      .text = quoted.size ? quoted.data : rest};
    if (!status) status = add_value(text, &value, err);
    pare_buffer_done(&quoted);
    return status;
}

/* Writes the file that a command line stands for: one target, one source.
 * `name` is what that file would be called; the campaign and its store are
 * called after it. */
pare_status pare_campaign_text_add_from(const pare_campaign_options *options, pare_buffer *text,
                                        pare_buffer *name, pare_error *err)
{
    const struct from *from = NULL;
    const char *rest = NULL;
    pare_status status = find_from(options->from, &from, &rest, err);
    if (!status) status = name_program(options->program[0], name, err);
    if (!status) status = pare_buffer_format(text, err, "[target %s]\n", name->data);
    if (!status) status = add_program(options, text, err);
    if (status) return status;
    status = pare_buffer_format(text, err, "\n[source %s]\nkind = %s\n", from->kind, from->kind);
    if (!status && *rest) status = add_source(from, rest, text, err);
    return status;
}
