/* The configuration of a campaign, from files and settings to sections.
 *
 * Reading has three steps.  First all files, left to right, and then the settings fill the sections
 * with raw values: a later value replaces an earlier one, and its position is kept.  Then each
 * section gets defaults for the keys that it lacks.  Last, all values are resolved and checked
 * (campaign_value.c).  Nothing is resolved before everything is merged, so ${...} in an earlier
 * file sees the values of later ones.
 *
 * Invariant: afterwards each section of a known kind has all the keys of that kind, in the order of
 * the table, each valid.
 * Source: Fuzzinator's configuration (merged files, ${section:option}, -D), without the names of
 * Python classes in it. */

#include "campaign/campaign_file.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/buffer.h"
#include "base/nearest.h"
#include "base/sized.h"
#include "base/vector.h"
#include "campaign/campaign_ini.h"
#include "campaign/campaign_keys.h"
#include "campaign/campaign_section.h"
#include "os/file.h"

/* NAME_BYTES: of a section's name; SHOWN_BYTES: of what a user wrote, in messages. */
enum { NAME_BYTES = 40, SHOWN_BYTES = 100 };

/* What is being read into a campaign; all borrowed. Each value that is set
 * notes both texts, since a message about it may come much later. */
struct merge {
    pare_campaign *campaign;
    const char *name;   /* of the file, for origins; "-D" */
    const char *folder; /* that its paths are relative to */
};

/* ---- sections ---------------------------------------------------------------------- */

/* The section of a title such as "target jq", or NULL. A walk over all of them,
 * since a campaign has some ten. */
struct pare_section *pare_section_find(const pare_campaign *campaign, const char *title)
{
    for (size_t i = 0; i < campaign->n_sections; i++)
        if (!strcmp(campaign->sections[i]->title, title)) return campaign->sections[i];
    return NULL;
}

/* The index of a kind in the order of the canonical text; SIZE_MAX: there is no
 * such kind. `kind` is `size` bytes and need not end there. */
static size_t kind_index(const char *kind, size_t size)
{
    size_t i = 0;
    for (const char *known; (known = pare_campaign_kind_at(i)) != NULL; i++)
        if (strlen(known) == size && !strncmp(known, kind, size)) return i;
    return SIZE_MAX;
}

/* Splits "target jq" into its kind and its name, and checks both. *name points
 * into `title`, and is "" for the two kinds of which there is one. Errors:
 * PARE_E_SYNTAX, with the nearest kind for one that is not known. */
static pare_status check_title(const char *title, size_t *kind, const char **name, pare_error *err)
{
    size_t size = strcspn(title, " \t");
    *kind = kind_index(title, size);
    *name = title + size + strspn(title + size, " \t");
    if (*kind == SIZE_MAX) {
        char word[SHOWN_BYTES], hint[PARE_NEAREST_HINT_BYTES];
        (void)snprintf(word, sizeof word, "%.*s", (int)size, title);
        pare_nearest nearest = pare_nearest_of(word);
        for (size_t i = 0; pare_campaign_kind_at(i); i++)
            pare_nearest_offer(&nearest, pare_campaign_kind_at(i));
        return pare_fail(err, PARE_E_SYNTAX, "there is no section [%s]%s", word,
                         pare_nearest_hint(&nearest, "", hint));
    }
    const char *known = pare_campaign_kind_at(*kind);
    bool is_single = !strcmp(known, "campaign") || !strcmp(known, "define");
    if (is_single && **name)
        return pare_fail(err, PARE_E_SYNTAX, "[%s] takes no name: a campaign has only one", known);
    if (!is_single && !**name)
        return pare_fail(err, PARE_E_SYNTAX, "[%s] needs a name: [%s NAME]", known, known);
    /* Names become parts of paths, so only plain characters
     * are allowed, and none that a command would take for an option. */
    size_t length = strspn(*name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                  "_.+-");
    if ((*name)[length] || length > NAME_BYTES || **name == '.' || **name == '-')
        return pare_fail(err, PARE_E_SYNTAX,
                         "'%.100s' is not a section name: use up to %d letters, digits, _ . + -",
                         *name, NAME_BYTES);
    return PARE_OK;
}

/* Adds an empty section, after the others of its kind: sections are kept in the
 * order of kinds, then as they were read. The section is the arena's; only the
 * list of pointers is grown. */
static pare_status add_section(pare_campaign *campaign, size_t kind, const char *name,
                               struct pare_section **out, pare_error *err)
{
    char title[2 * NAME_BYTES];
    const char *known = pare_campaign_kind_at(kind);
    (void)snprintf(title, sizeof title, "%s%s%s", known, *name ? " " : "", name);
    struct pare_section *section = pare_arena_alloc(&campaign->arena, sizeof *section);
    char *copy = pare_arena_text(&campaign->arena, title, strlen(title));
    struct pare_section **list = pare_vector_grow(campaign->sections, campaign->n_sections,
                                                  &campaign->capacity, sizeof *list);
    if (list) campaign->sections = list;
    if (!section || !copy || !list) return pare_fail_nomem(err);
    *section = (struct pare_section){
        .kind = known, .title = copy, .name = *name ? copy + strlen(known) + 1 : ""};
    /* Makes room by moving the sections of later kinds up by one. */
    size_t at = campaign->n_sections;
    for (; at > 0 && kind_index(list[at - 1]->kind, strlen(list[at - 1]->kind)) > kind; at--)
        list[at] = list[at - 1];
    list[at] = section;
    campaign->n_sections++;
    *out = section;
    return PARE_OK;
}

/* The section of a title, added if there is none. Blanks between kind and name
 * do not count: the title is made anew from the two. */
static pare_status open_section(pare_campaign *campaign, const char *title,
                                struct pare_section **out, pare_error *err)
{
    size_t kind;
    const char *name;
    pare_status status = check_title(title, &kind, &name, err);
    if (status) return status;
    char known[2 * NAME_BYTES];
    (void)snprintf(known, sizeof known, "%s%s%s", pare_campaign_kind_at(kind), *name ? " " : "",
                   name);
    *out = pare_section_find(campaign, known);
    return *out ? PARE_OK : add_section(campaign, kind, name, out, err);
}

/* ---- values ------------------------------------------------------------------------ */

/* Finds the row of the table for an option. *key is NULL in [define], where
 * users choose the names; elsewhere an option without a row is PARE_E_SYNTAX,
 * with the nearest name. */
static pare_status find_key(const struct pare_section *section, const char *option,
                            const pare_campaign_key **key, pare_error *err)
{
    *key = pare_campaign_key_find(section->kind, option);
    if (*key || !strcmp(section->kind, "define")) return PARE_OK;
    char hint[PARE_NEAREST_HINT_BYTES];
    pare_nearest nearest = pare_nearest_of(option);
    const pare_campaign_key *known;
    for (size_t i = 0; (known = pare_campaign_key_at(i)) != NULL; i++)
        if (!strcmp(known->section, section->kind)) pare_nearest_offer(&nearest, known->name);
    return pare_fail(err, PARE_E_SYNTAX, "[%s] has no option '%.60s'%s", section->title, option,
                     pare_nearest_hint(&nearest, "", hint));
}

/* The value of `option`, added if the section lacks it. It points into a list
 * that grows: it is valid until the next value is added to that section. */
static pare_status open_value(pare_campaign *campaign, struct pare_section *section,
                              const char *option, pare_section_value **out, pare_error *err)
{
    *out = pare_section_value_of(section, option);
    if (*out) return PARE_OK;
    const pare_campaign_key *key = NULL;
    pare_status status = find_key(section, option, &key, err);
    if (status) return status;
    pare_section_value *values =
        pare_vector_grow(section->values, section->n_values, &section->capacity, sizeof *values);
    if (!values) return pare_fail_nomem(err);
    section->values = values;
    char *name = pare_arena_text(&campaign->arena, option, strlen(option));
    if (!name) return pare_fail_nomem(err);
    values[section->n_values] = (pare_section_value){.key = key, .name = name};
    *out = &values[section->n_values++];
    return PARE_OK;
}

/* Sets a raw value, in the place of one from an earlier file. Where it stands
 * and the folder of its file are copied, since both are needed after the file
 * is closed. */
static pare_status set_value(struct merge *merge, struct pare_section *section, const char *option,
                             const char *raw, const char *origin, pare_error *err)
{
    pare_section_value *value = NULL;
    pare_status status = open_value(merge->campaign, section, option, &value, err);
    if (status) return status;
    pare_arena *arena = &merge->campaign->arena;
    value->raw = pare_arena_text(arena, raw, strlen(raw));
    value->origin = pare_arena_text(arena, origin, strlen(origin));
    value->folder = pare_arena_text(arena, merge->folder, strlen(merge->folder));
    value->is_given = true;
    return value->raw && value->origin && value->folder ? PARE_OK : pare_fail_nomem(err);
}

/* Takes one option of a file (a pare_campaign_ini_take). The same option twice
 * in one file is an error, since one of them would be ignored without a word;
 * from two files the later one counts. */
static pare_status take_option(void *context, const char *title, const char *option,
                               const char *raw, size_t line, pare_error *err)
{
    struct merge *merge = context;
    char origin[PARE_ERROR_TEXT_BYTES];
    struct pare_section *section = NULL;
    int length = snprintf(origin, sizeof origin, "%.900s:%zu", merge->name, line);
    assert(length > 0 && (size_t)length < sizeof origin);
    pare_status status =
        *title ? open_section(merge->campaign, title, &section, err)
               : pare_fail(err, PARE_E_SYNTAX,
                           "'%.60s' is in no section: write a line such as [campaign] before it",
                           option);
    pare_section_value *earlier = status ? NULL : pare_section_value_of(section, option);
    /* Bytes of "FILE:" in the origin, which are equal if and only if both are
     * of one file. */
    size_t stem = (size_t)length - strlen(strrchr(origin, ':')) + 1;
    if (earlier && earlier->is_given && !strncmp(earlier->origin, origin, stem))
        status = pare_fail(err, PARE_E_SYNTAX, "'%.60s' occurs twice in [%s], also in line %s",
                           option, section->title, earlier->origin + stem);
    if (!status) status = set_value(merge, section, option, raw, origin, err);
    if (status) pare_fail_prefix(err, "%s", origin);
    return status;
}

/* ---- what is merged ---------------------------------------------------------------- */

/* Reads a text into the merge, option by option (take_option). */
static pare_status read_text(struct merge *merge, const char *text, size_t size, pare_error *err)
{
    return pare_campaign_ini_read(text, size, merge->name, take_option, merge, err);
}

/* The folder that a path is in, absolute and without a "/" at its end, but "/"
 * itself. The caller owns *folder. The file need not be there. */
static pare_status folder_of(const char *path, char **folder, pare_error *err)
{
    char *whole = NULL;
    pare_status status = pare_file_absolute(path, &whole, err);
    if (status) return status;
    char *slash = strrchr(whole, '/');
    assert(slash);
    /* Cuts at the slash, or after it if it is the root's. */
    slash[slash == whole] = '\0';
    *folder = whole;
    return PARE_OK;
}

/* Reads one file. Paths in it will be relative to its own folder. */
static pare_status read_file(pare_campaign *campaign, const char *path, pare_error *err)
{
    char *folder = NULL;
    pare_buffer text = {0};
    pare_status status = pare_file_read(path, &text, err);
    if (!status) status = folder_of(path, &folder, err);
    struct merge merge = {.campaign = campaign, .name = path, .folder = folder};
    if (!status) status = read_text(&merge, text.data ? text.data : "", text.size, err);
    pare_buffer_done(&text);
    pare_alloc_free(folder);
    return status;
}

/* Reads "SECTION:OPTION=VALUE" of the command line. A kind alone ("target")
 * means all sections of that kind. A section that there is not is an error and
 * is not added, since it would be a slip. */
static pare_status read_setting(struct merge *merge, const char *setting, pare_error *err)
{
    char title[2 * NAME_BYTES], option[SHOWN_BYTES];
    size_t n_title = strcspn(setting, ":");
    const char *rest = setting[n_title] ? setting + n_title + 1 : "";
    size_t n_option = strcspn(rest, "=");
    if (n_title >= sizeof title || n_option >= sizeof option || !rest[n_option] || !n_option)
        return pare_fail(err, PARE_E_ARG, "-D takes SECTION:OPTION=VALUE, not '%.200s'", setting);
    (void)snprintf(title, sizeof title, "%.*s", (int)n_title, setting);
    (void)snprintf(option, sizeof option, "%.*s", (int)n_option, rest);
    const char *raw = rest + n_option + 1;
    size_t n_set = 0;
    pare_status status = PARE_OK;
    pare_campaign *campaign = merge->campaign;
    pare_nearest nearest = pare_nearest_of(title);
    for (size_t i = 0; !status && i < campaign->n_sections; i++) {
        struct pare_section *section = campaign->sections[i];
        pare_nearest_offer(&nearest, section->title);
        if (strcmp(section->title, title) != 0 && strcmp(section->kind, title) != 0) continue;
        status = set_value(merge, section, option, raw, "-D", err);
        n_set++;
    }
    /* All errors of settings are the caller's, also those that would be a
     * file's: PARE_E_ARG. */
    if (status) {
        pare_fail_prefix(err, "-D %.100s", setting);
        return PARE_E_ARG;
    }
    char hint[PARE_NEAREST_HINT_BYTES];
    if (!n_set)
        return pare_fail(err, PARE_E_ARG, "-D %.100s: there is no section [%s]%s", setting, title,
                         pare_nearest_hint(&nearest, "", hint));
    return PARE_OK;
}

/* Reads the settings of the command line, left to right. Their paths are
 * relative to the current folder, as a user expects of what is typed. */
static pare_status read_settings(pare_campaign *campaign, const pare_campaign_options *options,
                                 pare_error *err)
{
    char *here = NULL;
    pare_status status = folder_of("file", &here, err);
    struct merge merge = {.campaign = campaign, .name = "-D", .folder = here};
    for (size_t i = 0; !status && i < options->n_settings; i++)
        status = read_setting(&merge, options->settings[i], err);
    pare_alloc_free(here);
    return status;
}

/* ---- defaults ---------------------------------------------------------------------- */

/* Adds the defaults of the keys that a section lacks, and sorts its values as
 * the table has them. [define] has no keys and stays as it is. */
static pare_status complete(pare_campaign *campaign, struct pare_section *section, pare_error *err)
{
    const pare_campaign_key *key;
    if (!strcmp(section->kind, "define")) return PARE_OK;
    size_t n = 0;
    for (size_t i = 0; (key = pare_campaign_key_at(i)) != NULL; i++) {
        if (strcmp(key->section, section->kind) != 0) continue;
        pare_section_value *value = NULL;
        pare_status status = open_value(campaign, section, key->name, &value, err);
        if (status) return status;
        if (!value->is_given) value->raw = key->fallback, value->origin = "default";
        /* A default names no file, so its folder does not matter; "/" is a
         * valid one. */
        if (!value->is_given) value->folder = "/";
        /* Puts the value into its place by a swap: places before n are done. */
        pare_section_value moved = *value;
        *value = section->values[n];
        section->values[n++] = moved;
    }
    assert(n == section->n_values);
    return PARE_OK;
}

/* Checks that `targets` of a source or a listener names sections that there
 * are; other sections have no such option. */
static pare_status check_targets(const pare_campaign *campaign, const struct pare_section *section,
                                 pare_error *err)
{
    const pare_section_value *value = pare_section_value_of(section, "targets");
    char hint[PARE_NEAREST_HINT_BYTES];
    for (size_t i = 0; value && i < value->n_items; i++) {
        if (pare_campaign_section(campaign, "target", value->items[i])) continue;
        pare_nearest nearest = pare_nearest_of(value->items[i]);
        for (size_t k = 0; pare_campaign_section_at(campaign, "target", k); k++)
            pare_nearest_offer(&nearest, pare_campaign_section_at(campaign, "target", k)->name);
        return pare_fail(err, PARE_E_SYNTAX, "%s: there is no [target %.60s]%s", value->origin,
                         value->items[i], pare_nearest_hint(&nearest, "", hint));
    }
    return PARE_OK;
}

/* Checks what a section cannot be without. Combinations that make no sense are
 * found by those who use them, which know more about them. */
static pare_status check_section(const pare_campaign *campaign, const struct pare_section *section,
                                 pare_error *err)
{
    static const char *const needed[][2] = {
        {"target", "command"}, {"source", "kind"}, {"report", "to"}};
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++) {
        if (strcmp(section->kind, needed[i][0]) != 0) continue;
        if (!*pare_section_text(section, needed[i][1]))
            return pare_fail(err, PARE_E_SYNTAX, "%s: [%s] has no '%s'", campaign->name,
                             section->title, needed[i][1]);
    }
    if (!strcmp(section->kind, "listener") && !*pare_section_text(section, "command") &&
        !*pare_section_text(section, "mail"))
        return pare_fail(err, PARE_E_SYNTAX, "%s: [%s] has neither 'command' nor 'mail'",
                         campaign->name, section->title);
    return check_targets(campaign, section, err);
}

/* ---- a whole campaign -------------------------------------------------------------- */

/* Chooses the campaign's name: its option `name`, or else the file's name
 * without its extension. The store's own extension counts as one, so that a
 * store read back has the name of its campaign. */
static pare_status name_campaign(pare_campaign *campaign, const char *path, pare_error *err)
{
    static const char suffix[] = ".pare.db";
    const struct pare_section *section = pare_section_find(campaign, "campaign");
    const pare_section_value *value = pare_section_value_of(section, "name");
    const char *slash = strrchr(path, '/'), *stem = slash ? slash + 1 : path;
    size_t size = strlen(stem), n_suffix = sizeof suffix - 1;
    const char *dot = strrchr(stem, '.');
    if (size > n_suffix && !strcmp(stem + size - n_suffix, suffix))
        size -= n_suffix;
    else if (dot && dot > stem)
        size = (size_t)(dot - stem);
    if (value && value->is_given && *value->raw) stem = value->raw, size = strlen(stem);
    campaign->name = pare_arena_text(&campaign->arena, stem, size);
    return campaign->name ? PARE_OK : pare_fail_nomem(err);
}

/* Chooses where the store is: `given` by the caller, or the option, or
 * NAME.pare.db in `folder`. Absolute, since jobs run in other folders. */
static pare_status place_store(pare_campaign *campaign, const char *given, const char *folder,
                               pare_error *err)
{
    char *whole = NULL;
    pare_buffer path = {0};
    const char *own = pare_section_text(pare_section_find(campaign, "campaign"), "store");
    pare_status status = PARE_OK;
    if (given || *own)
        status = pare_buffer_text(&path, given ? given : own, err);
    else
        status = pare_buffer_format(&path, err, "%s/%s.pare.db", folder, campaign->name);
    if (!status) status = pare_file_absolute(path.data, &whole, err);
    if (!status) {
        campaign->store = pare_arena_text(&campaign->arena, whole, strlen(whole));
        if (!campaign->store) status = pare_fail_nomem(err);
    }
    pare_alloc_free(whole);
    pare_buffer_done(&path);
    return status;
}

/* Makes the canonical text. Once, as it is what the store keeps and what jobs read. */
static pare_status write_text(pare_campaign *campaign, pare_error *err)
{
    pare_status status = pare_buffer_text(&campaign->text, "", err);
    for (size_t i = 0; !status && i < campaign->n_sections; i++)
        status = pare_campaign_text_add_section(campaign->sections[i], &campaign->text, err);
    return status;
}

/* Makes the list of all options for whoever shows the campaign, in the order of
 * the text. It borrows the sections' texts. */
static pare_status list_settings(pare_campaign *campaign, pare_error *err)
{
    size_t n = 0;
    for (size_t i = 0; i < campaign->n_sections; i++)
        n += campaign->sections[i]->n_values;
    campaign->settings = pare_alloc(n, sizeof *campaign->settings);
    if (!campaign->settings) return pare_fail_nomem(err);
    for (size_t i = 0; i < campaign->n_sections; i++) {
        const struct pare_section *section = campaign->sections[i];
        for (size_t k = 0; k < section->n_values; k++)
            campaign->settings[campaign->n_settings++] =
                (pare_campaign_setting){.section = section->title,
                                        .option = section->values[k].name,
                                        .value = section->values[k].text,
                                        .origin = section->values[k].origin};
    }
    return PARE_OK;
}

/* All that follows when everything is merged. The order matters: defaults
 * before values are resolved, since ${...} may name an option that has its
 * default; all values before they are checked. */
static pare_status finish(pare_campaign *campaign, const char *path, const char *folder,
                          const char *store, pare_error *err)
{
    struct pare_section *section = NULL;
    pare_status status = open_section(campaign, "campaign", &section, err);
    if (!status) status = name_campaign(campaign, path, err);
    for (size_t i = 0; !status && i < campaign->n_sections; i++)
        status = complete(campaign, campaign->sections[i], err);
    if (!status) status = pare_campaign_value_resolve_all(campaign, err);
    for (size_t i = 0; !status && i < campaign->n_sections; i++)
        status = check_section(campaign, campaign->sections[i], err);
    if (!status) status = place_store(campaign, store, folder, err);
    if (!status) status = write_text(campaign, err);
    if (!status) status = list_settings(campaign, err);
    return status;
}

/* Takes a program and `--from` of the command line as a file that says the
 * same: target, source and options are made as text and read like any other.
 * *name becomes the name of that file. */
static pare_status read_from(pare_campaign *campaign, const pare_campaign_options *options,
                             pare_buffer *name, pare_error *err)
{
    char *here = NULL;
    pare_buffer text = {0};
    pare_status status = pare_campaign_text_add_from(options, &text, name, err);
    if (!status) status = pare_buffer_text(name, ".ini", err); /* the file that it stands for */
    if (!status) status = folder_of("file", &here, err);
    struct merge merge = {.campaign = campaign, .name = "command line", .folder = here};
    if (!status) status = read_text(&merge, text.data, text.size, err);
    /* What is wrong in it came from the command line, so it is an error of
     * arguments. */
    if (status == PARE_E_SYNTAX) status = PARE_E_ARG;
    if (status && err) err->status = status;
    pare_buffer_done(&text);
    pare_alloc_free(here);
    return status;
}

/* Reads files, then the command line's program, then its settings: each counts
 * more than those before it. The campaign is called after the first file, or
 * else after the program. */
static pare_status read_all(pare_campaign *campaign, const pare_campaign_options *options,
                            pare_error *err)
{
    struct pare_section *section = NULL;
    pare_buffer name = {0};
    char *folder = NULL;
    pare_status status = open_section(campaign, "campaign", &section, err);
    for (size_t i = 0; !status && i < options->n_paths; i++)
        status = read_file(campaign, options->paths[i], err);
    if (!status && options->n_program) status = read_from(campaign, options, &name, err);
    if (!status) status = read_settings(campaign, options, err);
    const char *path = options->n_paths ? options->paths[0] : name.data;
    if (!status) status = folder_of(path, &folder, err);
    if (!status) status = finish(campaign, path, folder, options->store, err);
    pare_buffer_done(&name);
    pare_alloc_free(folder);
    return status;
}

/* Reads from files, or from a program with `from`, or both; then the program's
 * sections add to those of the files. On PARE_OK the caller owns *out; it is
 * untouched otherwise. */
pare_status pare_campaign_read_sized(const pare_campaign_options *options, size_t options_bytes,
                                     pare_campaign **out, pare_error *err)
{
    pare_campaign_options own;
    pare_status status =
        pare_sized_take(&own, sizeof own, options, options_bytes, "pare_campaign_options", err);
    if (status) return status;
    if (!own.n_paths && !own.n_program)
        return pare_fail(err, PARE_E_ARG, "neither a campaign file nor a program was given");
    if (!own.n_program != !own.from)
        return pare_fail(
            err, PARE_E_ARG,
            own.from ? "the program is missing: -- PROGRAM @@"
                     : "the source is missing: --from SOURCE, such as --from grammar:JSON.g4, "
                       "lang:json or folder:'seeds/*'");
    pare_campaign *campaign = pare_alloc_zero(1, sizeof *campaign);
    if (!campaign) return pare_fail_nomem(err);
    status = read_all(campaign, &own, err);
    if (status) {
        pare_campaign_free(campaign);
        return status;
    }
    *out = campaign;
    return PARE_OK;
}

/* Reads the canonical text that a store keeps. It needs neither the files nor
 * the settings nor the folder of whoever wrote it: all its paths are absolute
 * and all ${...} are replaced. */
pare_status pare_campaign_read_text(const char *text, const char *store, pare_campaign **out,
                                    pare_error *err)
{
    char *folder = NULL;
    pare_campaign *campaign = pare_alloc_zero(1, sizeof *campaign);
    if (!campaign) return pare_fail_nomem(err);
    pare_status status = folder_of(store, &folder, err);
    struct merge merge = {.campaign = campaign, .name = "store", .folder = folder};
    if (!status) status = read_text(&merge, text, strlen(text), err);
    if (!status) status = finish(campaign, store, folder, store, err);
    pare_alloc_free(folder);
    if (status) {
        pare_campaign_free(campaign);
        return status;
    }
    *out = campaign;
    return PARE_OK;
}

/* NULL is a no-op. Texts, values' items and sections are the arena's; only
 * lists that grow are freed one by one. */
void pare_campaign_free(pare_campaign *campaign)
{
    if (!campaign) return;
    for (size_t i = 0; i < campaign->n_sections; i++)
        pare_alloc_free(campaign->sections[i]->values);
    pare_alloc_free(campaign->sections);
    pare_alloc_free(campaign->settings);
    pare_buffer_done(&campaign->text);
    pare_arena_done(&campaign->arena);
    pare_alloc_free(campaign);
}

/* ---- questions --------------------------------------------------------------------- */

/* The next three are for whoever shows or stores a campaign: all options there
 * are, with where each was said. */
const pare_campaign_setting *pare_campaign_setting_at(const pare_campaign *campaign, size_t i)
{
    return i < campaign->n_settings ? &campaign->settings[i] : NULL;
}

/* Canonical (campaign_text.c): two campaigns are the same if and only if their texts are. */
const char *pare_campaign_text(const pare_campaign *campaign)
{
    return campaign->text.data;
}

/* Absolute; borrowed. */
const char *pare_campaign_store_path(const pare_campaign *campaign)
{
    return campaign->store;
}

/* In the order in which they were read, those of a kind counted from 0. */
const pare_section *pare_campaign_section_at(const pare_campaign *campaign, const char *kind,
                                             size_t i)
{
    for (size_t k = 0; k < campaign->n_sections; k++)
        if (!strcmp(campaign->sections[k]->kind, kind) && i-- == 0) return campaign->sections[k];
    return NULL;
}

/* A kind of which there is one has the name "". */
const pare_section *pare_campaign_section(const pare_campaign *campaign, const char *kind,
                                          const char *name)
{
    for (size_t k = 0; k < campaign->n_sections; k++)
        if (!strcmp(campaign->sections[k]->kind, kind) &&
            !strcmp(campaign->sections[k]->name, name))
            return campaign->sections[k];
    return NULL;
}
