/* Finding, inspecting, loading and removing what the data folder holds.
 *
 * The record is a small JSON object; of it only the version and the ABI are read, the
 * rest is for people and other programs. */
#include "parse/language.h"

#include <stdbool.h>
#include <string.h>

#include <jansson.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "os/file.h"
#include "os/staging.h"
#include "os/user_data.h"
#include "web/model.h"

pare_status pare_language_pack(const char *name, const pare_pack **out, pare_error *err)
{
    *out = pare_pack_find(name);
    if (*out) return PARE_OK;
    (void)pare_fail(err, PARE_E_ARG,
                    "there is no language '%s': 'pare lang list' shows those there are", name);
    return PARE_E_ARG; /* written out for the analyzer, which cannot see into pare_fail */
}

pare_status pare_language_path(const char *below, char **out, pare_error *err)
{
    pare_buffer path = {0};
    pare_status status = pare_buffer_text(&path, "languages", err);
    if (status == PARE_OK && below) status = pare_buffer_format(&path, err, "/%s", below);
    if (status == PARE_OK) status = pare_user_data_path(path.data, out, err);
    pare_buffer_done(&path);
    return status;
}

/* The path of `file` in the folder of `pack`; the caller owns *out. */
static pare_status file_path(const pare_pack *pack, const char *file, char **out, pare_error *err)
{
    pare_buffer below = {0};
    pare_status status = pare_buffer_format(&below, err, "%s/%s", pack->info.name, file);
    if (status == PARE_OK) status = pare_language_path(below.data, out, err);
    pare_buffer_done(&below);
    return status;
}

/* Copies a text with its end to where it has `room` bytes; false if it does not fit. */
static bool copy_fitting(char *to, size_t room, const char *text)
{
    size_t size = strlen(text) + 1;
    if (size > room) return false;
    memcpy(to, text, size);
    return true;
}

/* Takes what is needed from the record's text. */
static pare_status read_record(const pare_buffer *text, const pare_pack *pack,
                               pare_language_state *state, pare_error *err)
{
    pare_status status = PARE_OK;
    const char *version = NULL, *licence = "";
    int abi = 0;
    json_t *record = json_loadb(text->data ? text->data : "", text->size, 0, NULL);
    if (!record ||
        json_unpack(record, "{s:s, s:i, s?s}", "version", &version, "abi", &abi, "licence",
                    &licence) ||
        abi < 0 || !copy_fitting(state->version, sizeof state->version, version) ||
        !copy_fitting(state->licence, sizeof state->licence, licence)) {
        status =
            pare_fail(err, PARE_E_CORRUPT, "%s/%s is damaged: 'pare lang add %s' makes it anew",
                      state->path, PARE_LANGUAGE_RECORD, pack->info.name);
    } else {
        state->abi = (unsigned)abi;
        state->up_to_date = strcmp(version, pack->info.version) == 0 &&
                            (!pack->pins || state->abi == PARE_WEB_MODEL_VERSION);
        state->added = true;
    }
    json_decref(record);
    return status;
}

static pare_status inspect(const pare_pack *pack, pare_language_state *state, pare_error *err)
{
    char *folder = NULL, *record = NULL;
    pare_buffer text = {0};
    pare_status status = pare_language_path(pack->info.name, &folder, err);
    if (status == PARE_OK) status = file_path(pack, PARE_LANGUAGE_RECORD, &record, err);
    if (status == PARE_OK && !copy_fitting(state->path, sizeof state->path, folder))
        status = pare_fail(err, PARE_E_LIMIT, "the path of the data folder is too long");
    if (status == PARE_OK && pare_file_exists(record)) {
        status = pare_file_read(record, &text, err);
        if (status == PARE_OK) status = read_record(&text, pack, state, err);
    }
    pare_buffer_done(&text);
    pare_release(record);
    pare_release(folder);
    return status;
}

pare_status pare_language_inspect(const char *name, pare_language_state *state, pare_error *err)
{
    const pare_pack *pack = NULL;
    pare_language_state result = {0};
    pare_status status = pare_language_pack(name, &pack, err);
    if (status == PARE_OK) status = inspect(pack, &result, err);
    if (status == PARE_OK) *state = result;
    return status;
}

static pare_status require_added(const pare_pack *pack, pare_error *err)
{
    pare_language_state state = {0};
    pare_status status = inspect(pack, &state, err);
    if (status == PARE_OK && !state.added)
        status =
            pare_fail(err, PARE_E_STATE, "the %s '%s' is not there yet: 'pare lang add %s' adds it",
                      pack->pins ? "model" : "language", pack->info.name, pack->info.name);
    if (status == PARE_OK && pack->pins && !state.up_to_date)
        status = pare_fail(err, PARE_E_STATE,
                           "the model '%s' is another version's: 'pare lang add %s' makes it anew",
                           pack->info.name, pack->info.name);
    return status;
}

/* A model has no parser. */
static pare_status require_language(const pare_pack *pack, pare_error *err)
{
    if (!pack->pins) return PARE_OK;
    return pare_fail(err, PARE_E_ARG,
                     "'%s' is no language to parse, but a model for 'pare generate --model %s'",
                     pack->info.name, pack->info.name);
}

pare_status pare_language_load(const char *name, pare_tree_sitter **out, pare_error *err)
{
    const pare_pack *pack = NULL;
    char *path = NULL;
    pare_status status = pare_language_pack(name, &pack, err);
    if (status == PARE_OK) status = require_language(pack, err);
    if (status == PARE_OK) status = require_added(pack, err);
    if (status == PARE_OK) status = file_path(pack, PARE_LANGUAGE_OBJECT, &path, err);
    if (status == PARE_OK) status = pare_tree_sitter_open(path, pack->symbol, out, err);
    pare_release(path);
    return status;
}

pare_status pare_language_read(const char *name, const char *file, pare_buffer *buffer,
                               pare_error *err)
{
    const pare_pack *pack = NULL;
    char *path = NULL;
    pare_status status = pare_language_pack(name, &pack, err);
    if (status == PARE_OK) status = require_added(pack, err);
    if (status == PARE_OK) status = file_path(pack, file, &path, err);
    if (status == PARE_OK) status = pare_file_read(path, buffer, err);
    pare_release(path);
    return status;
}

pare_status pare_language_remove(const char *name, pare_error *err)
{
    const pare_pack *pack = NULL;
    pare_staging *staging = NULL;
    char *shelf = NULL, *folder = NULL;
    pare_status status = pare_language_pack(name, &pack, err);
    if (status == PARE_OK) status = pare_language_path(pack->info.name, &folder, err);
    /* A damaged record is no reason to keep what it belongs to. */
    if (status == PARE_OK && !pare_file_is_directory(folder))
        status = pare_fail(err, PARE_E_STATE, "the language '%s' is not there", pack->info.name);
    if (status == PARE_OK) status = pare_language_path(NULL, &shelf, err);
    if (status == PARE_OK) status = pare_staging_open(shelf, &staging, err);
    if (status == PARE_OK) status = pare_staging_discard(staging, pack->info.name, err);
    pare_staging_close(staging);
    pare_release(shelf);
    pare_release(folder);
    return status;
}
