/* Finding, inspecting, loading and removing languages; the grammar of one, to make texts by, and
 * its content models, to judge edits by.
 *
 * A language is looked for in the user's folder, then in the system's; the first that can be
 * read counts, so that a damaged one does not hide a good one.  What is there and cannot be
 * read is told only if there is no other.
 *
 * The record is a small JSON object; of it only the version and the ABI are read, the
 * rest is for people and other programs. */

#include "lang/language.h"

#include <assert.h>
#include <jansson.h>
#include <stdbool.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "lang/packs.h"
#include "os/data_folders.h"
#include "os/file.h"
#include "os/folder.h"
#include "os/trust.h"
#include "parse/grammar_tree.h"
#include "parse/parse_tree.h"
#include "parse/tree_sitter.h"

static const char SHELF[] = "languages", PATHS[] = "PARE_LANGUAGE_PATH";

/* The folder of the user's or the system's languages; the caller owns *out. The system's is the
 * first that PARE_LANGUAGE_PATH lists, or else the one that an administrator installs to. */
pare_status pare_language_shelf(pare_language_origin origin, char **out, pare_error *err)
{
    return origin == PARE_LANGUAGE_SYSTEM ? pare_data_folders_system_path(SHELF, PATHS, out, err)
                                          : pare_data_folders_user_path(SHELF, out, err);
}

/* FOLDER/NAME; the caller owns *out, which is untouched on failure. */
static pare_status join(const char *folder, const char *name, char **out, pare_error *err)
{
    pare_buffer path = {0};
    pare_status status = pare_buffer_format(&path, err, "%s/%s", folder, name);
    if (status == PARE_OK)
        *out = path.data;
    else
        pare_buffer_done(&path);
    return status;
}

/* The word for it in messages. What has pins is a model, made of several
 * packages; anything else is a language with a parser. */
static const char *kind_of(const pare_pack *pack)
{
    return pack->pins ? "model" : "language";
}

/* Turns `why`, the failure to use what is there, into a message with the
 * command that mends it. `why` names the path already. */
static pare_status fail_unreadable(const pare_pack *pack, const pare_error *why, pare_error *err)
{
    /* In a build without tree-sitter adding it anew would not help, so its own
     * message is passed on. */
    bool lacks = why->status == PARE_E_UNSUPPORTED && !pare_tree_sitter_available();
    if (why->status == PARE_E_NOMEM) return pare_fail_nomem(err);
    if (lacks) return pare_fail(err, why->status, "%s", why->message);
    return pare_fail(err, why->status == PARE_E_IO ? PARE_E_IO : PARE_E_CORRUPT,
                     "the %s '%s' is unreadable: %s; 'pare lang add %s' adds it again",
                     kind_of(pack), pack->info.name, why->message, pack->info.name);
}

/* Copies a text with its NUL into `room` bytes; false if it does not fit, and
 * nothing is copied then. */
static bool copy_fitting(char *to, size_t room, const char *text)
{
    size_t size = strlen(text) + 1;
    if (size > room) return false;
    memcpy(to, text, size);
    return true;
}

/* Reads version, ABI and licence from the record into *state. state->path is
 * set already, for messages. Errors: PARE_E_CORRUPT, the record is damaged or
 * the parser was made for another tree-sitter. */
static pare_status read_record(const pare_buffer *text, const pare_pack *pack,
                               pare_language_state *state, pare_error *err)
{
    pare_status status = PARE_OK;
    const char *version = NULL, *licence = "";
    int abi = 0;
    json_t *record = json_loadb(text->data ? text->data : "", text->size, 0, NULL);
    /* We write no version or licence that does not fit, so one that does not is
     * damage. */
    if (!record ||
        json_unpack(record, "{s:s, s:i, s?s}", "version", &version, "abi", &abi, "licence",
                    &licence) ||
        abi < 0 || !copy_fitting(state->version, sizeof state->version, version) ||
        !copy_fitting(state->licence, sizeof state->licence, licence)) {
        status =
            pare_fail(err, PARE_E_CORRUPT, "%s/%s is damaged", state->path, PARE_LANGUAGE_RECORD);
    } else if (!pack->pins && !pare_tree_sitter_takes((unsigned)abi)) {
        status = pare_fail(err, PARE_E_CORRUPT, "%s is for another version of tree-sitter (%d)",
                           state->path, abi);
    } else {
        state->abi = (unsigned)abi;
        /* A model is out of date also if another version of pare-web-model has
         * made it. */
        state->up_to_date = strcmp(version, pack->info.version) == 0 &&
                            (!pack->pins || state->abi == PARE_LANGUAGE_MODEL_VERSION);
        state->added = true;
    }
    json_decref(record);
    return status;
}

/* Fills *state from SHELF/NAME; state->added says whether it is there. That it
 * is not there is no error, but a folder whose record cannot be read is one. */
static pare_status look(const pare_pack *pack, const char *shelf, pare_language_origin origin,
                        pare_language_state *state, pare_error *err)
{
    char *folder = NULL, *record = NULL;
    pare_buffer text = {0};
    *state = (pare_language_state){.origin = origin};
    pare_status status = join(shelf, pack->info.name, &folder, err);
    if (status == PARE_OK) status = join(folder, PARE_LANGUAGE_RECORD, &record, err);
    if (status == PARE_OK && !copy_fitting(state->path, sizeof state->path, folder))
        status = pare_fail(err, PARE_E_LIMIT, "the path of the data folder is too long");
    /* A missing folder means that the language was not added. A folder without
     * a record is damaged: reading fails. */
    if (status == PARE_OK && !pare_file_is_absent(folder)) {
        status = pare_file_read(record, &text, err);
        if (status == PARE_OK) status = read_record(&text, pack, state, err);
    }
    pare_buffer_done(&text);
    pare_alloc_free(record);
    pare_alloc_free(folder);
    return status;
}

/* Looks on one shelf after the other until one has it. *worst is set to the
 * first failure, unless it is set already. Returns only PARE_E_NOMEM: any other
 * failure concerns one shelf. */
static pare_status look_through(const pare_pack *pack, const pare_data_folders *shelves,
                                pare_language_state *state, pare_error *worst)
{
    for (size_t i = 0; i < shelves->n; i++) {
        pare_language_state found;
        pare_error why = {.status = PARE_OK};
        pare_status status = look(pack, shelves->paths[i], PARE_LANGUAGE_SYSTEM, &found, &why);
        if (status == PARE_OK && found.added) {
            *state = found;
            return PARE_OK;
        }
        if (status == PARE_E_NOMEM) return status;
        /* Later shelves may have a good one, so the failure waits. */
        if (status != PARE_OK && worst->status == PARE_OK) *worst = why;
    }
    return PARE_OK;
}

/* Decides whether it is an error that a language was found nowhere: yes if a
 * damaged one was found, or if there is no folder where the user's could be.
 * Else PARE_OK: it simply was not added. */
static pare_status explain_absence(const pare_pack *pack, const pare_error *worst,
                                   const pare_error *homeless, pare_error *err)
{
    if (worst->status == PARE_E_LIMIT) return pare_fail(err, worst->status, "%s", worst->message);
    if (worst->status != PARE_OK) return fail_unreadable(pack, worst, err);
    if (homeless->status != PARE_OK)
        return pare_fail(err, homeless->status, "%s", homeless->message);
    return PARE_OK;
}

/* Finds a language: in the user's folder, then on the system's shelves. *state
 * is to be all-zero before; state->added stays false if it is nowhere. A
 * damaged one is an error only if no good one is found. */
static pare_status inspect(const pare_pack *pack, pare_language_state *state, pare_error *err)
{
    char *user = NULL;
    pare_data_folders shelves = {.n = 0};
    pare_error worst = {.status = PARE_OK}, homeless = {.status = PARE_OK};
    /* Without a data folder only the system's shelves are looked at. */
    pare_status status = pare_language_shelf(PARE_LANGUAGE_USER, &user, &homeless);
    if (status == PARE_OK) status = look(pack, user, PARE_LANGUAGE_USER, state, &worst);
    /* Neither a user without a data folder nor a damaged one needs to do without the system's. */
    if (status != PARE_E_NOMEM) status = PARE_OK;
    bool found = status == PARE_OK && state->added;
    if (status == PARE_OK && !found) status = pare_data_folders_list(SHELF, PATHS, &shelves, err);
    if (status == PARE_OK && !found) status = look_through(pack, &shelves, state, &worst);
    if (status == PARE_E_NOMEM) status = pare_fail_nomem(err);
    if (status == PARE_OK && !state->added) status = explain_absence(pack, &worst, &homeless, err);
    pare_data_folders_done(&shelves);
    pare_alloc_free(user);
    return status;
}

/* A language that was not added is no error: state->added says so. *state is untouched on
 * failure. */
pare_status pare_language_inspect(const char *name, pare_language_state *state, pare_error *err)
{
    const pare_pack *pack = NULL;
    pare_language_state result = {0};
    pare_status status = pare_packs_get(name, &pack, err);
    if (status == PARE_OK) status = inspect(pack, &result, err);
    if (status == PARE_OK) *state = result;
    return status;
}

/* Finds a language that the caller cannot do without. If it was not added, or
 * is a model of another version, that is PARE_E_STATE, with the command to run. */
static pare_status require_added(const pare_pack *pack, pare_language_state *state, pare_error *err)
{
    *state = (pare_language_state){.added = false};
    pare_status status = inspect(pack, state, err);
    if (status == PARE_OK && !state->added)
        status = pare_fail(err, PARE_E_STATE,
                           "the %s '%s' is not installed yet: 'pare lang add %s' adds it",
                           kind_of(pack), pack->info.name, pack->info.name);
    /* A language of an older version still parses; a model of another version may not be read. */
    if (status == PARE_OK && pack->pins && !state->up_to_date)
        status =
            pare_fail(err, PARE_E_STATE,
                      "the model '%s' is for another version: 'pare lang add %s' adds it again",
                      pack->info.name, pack->info.name);
    return status;
}

/* A model has no parser, so it cannot be loaded; the message says what it is for. */
static pare_status require_language(const pare_pack *pack, pare_error *err)
{
    if (!pack->pins) return PARE_OK;
    return pare_fail(err, PARE_E_ARG,
                     "'%s' is not a language to parse but a model for 'pare generate --model %s'",
                     pack->info.name, pack->info.name);
}

/* Reads the whole file, which takes about 1 ms for 1 MB: little beside loading it. */
pare_status pare_language_digest(const char *path, char digest[PARE_DIGEST_TEXT_BYTES],
                                 pare_error *err)
{
    pare_hash hash = {{0}};
    size_t size = 0;
    pare_status status = pare_file_hash(path, &hash, &size, err);
    if (!status) pare_digest_text(pare_digest_of(hash, size), digest);
    return status;
}

/* Checks a parser before it is loaded, since loading runs code of it: nobody
 * else can have changed the file, and it has the digest that the record notes.
 * Languages that came with pare, or were added before digests were noted, have
 * none; there only the first check counts. */
static pare_status check_object(const pare_language_state *state, const char *path, pare_error *err)
{
    char *record = NULL, found[PARE_DIGEST_TEXT_BYTES];
    const char *noted = NULL;
    pare_buffer text = {0};
    pare_status status = pare_trust_check(path, err);
    if (status == PARE_OK) status = join(state->path, PARE_LANGUAGE_RECORD, &record, err);
    if (status == PARE_OK) status = pare_file_read(record, &text, err);
    json_t *root = status ? NULL : json_loadb(text.data ? text.data : "", text.size, 0, NULL);
    if (root) noted = json_string_value(json_object_get(root, "object"));
    if (noted) status = pare_language_digest(path, found, err);
    if (noted && status == PARE_OK && strcmp(noted, found) != 0)
        status =
            pare_fail(err, PARE_E_CORRUPT, "%s is not what was compiled: its digest is %s, not %s",
                      path, found, noted);
    json_decref(root);
    pare_buffer_done(&text);
    pare_alloc_free(record);
    return status;
}

/* Loads nothing that was not checked, because the parser runs in our process. */
pare_status pare_language_load(const char *name, pare_tree_sitter **out, pare_error *err)
{
    const pare_pack *pack = NULL;
    pare_language_state state;
    char *path = NULL;
    pare_error why = {.status = PARE_OK};
    pare_status status = pare_packs_get(name, &pack, err);
    if (status == PARE_OK) status = require_language(pack, err);
    /* A build that can use none need not ask for one to be added. */
    if (status == PARE_OK && !pare_tree_sitter_available())
        status = pare_tree_sitter_open("", "", out, err);
    if (status == PARE_OK) status = require_added(pack, &state, err);
    if (status == PARE_OK) status = join(state.path, PARE_LANGUAGE_OBJECT, &path, err);
    if (status == PARE_OK) {
        status = check_object(&state, path, &why);
        if (status == PARE_OK) status = pare_tree_sitter_open(path, pack->symbol, out, &why);
        /* It is there and does not load, so it is damaged: the message says how
         * to make it anew. */
        if (status != PARE_OK) status = fail_unreadable(pack, &why, err);
    }
    pare_alloc_free(path);
    return status;
}

/* Reads a file of the language's folder, its grammar for instance; the name of
 * the file is one of language.h's. */
pare_status pare_language_read(const char *name, const char *file, pare_buffer *buffer,
                               pare_error *err)
{
    const pare_pack *pack = NULL;
    pare_language_state state;
    char *path = NULL;
    pare_error why = {.status = PARE_OK};
    pare_status status = pare_packs_get(name, &pack, err);
    if (status == PARE_OK) status = require_added(pack, &state, err);
    if (status == PARE_OK) status = join(state.path, file, &path, err);
    if (status == PARE_OK && pare_file_read(path, buffer, &why) != PARE_OK)
        status = fail_unreadable(pack, &why, err);
    pare_alloc_free(path);
    return status;
}

/* Explains why there is nothing to remove: the language is the system's and not
 * the user's, or it is nowhere. */
static pare_status fail_absent(const pare_pack *pack, pare_error *err)
{
    pare_language_state state = {.added = false};
    if (inspect(pack, &state, NULL) == PARE_OK && state.added)
        return pare_fail(err, PARE_E_STATE, "the %s '%s' belongs to the system, not to you: %s",
                         kind_of(pack), pack->info.name, state.path);
    return pare_fail(err, PARE_E_STATE, "the %s '%s' is not there", kind_of(pack), pack->info.name);
}

pare_status pare_language_remove(const char *name, pare_error *err)
{
    return pare_language_remove_for(name, PARE_LANGUAGE_USER, err);
}

/* The folder is moved into a staging folder by one rename before anything in it is removed, so
 * nobody ever finds half of it. */
pare_status pare_language_remove_for(const char *name, pare_language_origin origin, pare_error *err)
{
    const pare_pack *pack = NULL;
    pare_folder_stage *staging = NULL;
    char *shelf = NULL, *folder = NULL;
    pare_status status = pare_packs_get(name, &pack, err);
    if (status == PARE_OK) status = pare_language_shelf(origin, &shelf, err);
    if (status == PARE_OK) status = join(shelf, pack->info.name, &folder, err);
    /* Only the folder is asked for: a damaged record must not keep a language
     * from being removed. */
    if (status == PARE_OK && !pare_file_is_directory(folder)) status = fail_absent(pack, err);
    if (status == PARE_OK) status = pare_folder_stage_open(shelf, &staging, err);
    if (status == PARE_OK) status = pare_folder_stage_discard(staging, pack->info.name, err);
    pare_folder_stage_close(staging);
    pare_alloc_free(shelf);
    pare_alloc_free(folder);
    return status;
}

/* Whether this build can load languages at all. */
bool pare_language_supported(void)
{
    return pare_tree_sitter_available();
}

/* --- the grammar to make texts by ------------------------------------------------------------ */

/* Texts for tokens of scanners. A grammar only names them, so no text could be
 * made with them otherwise. These are the names that tree-sitter grammars
 * commonly use; a text made with a wrong guess is rejected by the parser later. */
static const pare_token_example usual[] = {
    {"_newline", "\n", 1}, {"_automatic_semicolon", "\n", 1}, {"_indent", "\n ", 2},
    {"_dedent", "\n", 1},  {"_line_break", "\n", 1},
};

/* All-zero is a no-op. */
void pare_language_grammar_done(pare_language_grammar *grammar)
{
    pare_tree_sitter_grammar_done(&grammar->from);
    pare_tree_sitter_close(grammar->parser);
    pare_content_free(grammar->content);
    *grammar = (pare_language_grammar){0};
}

/* The usual examples, then the `n` given ones. A given one does not replace a
 * usual one of the same name. The caller owns *all. */
static pare_status join_examples(const pare_token_example *more, size_t n, pare_token_example **all,
                                 pare_error *err)
{
    enum { N_USUAL = sizeof usual / sizeof *usual };
    *all = pare_alloc(N_USUAL + n, sizeof **all);
    if (!*all) return pare_fail_nomem(err);
    for (size_t i = 0; i < N_USUAL + n; i++)
        (*all)[i] = i < N_USUAL ? usual[i] : more[i - N_USUAL];
    return PARE_OK;
}

/* Reads the parser, the grammar and its content models. On failure *grammar is
 * all-zero. */
pare_status pare_language_grammar_read(const char *name, const pare_token_example *examples,
                                       size_t n, pare_language_grammar *grammar, pare_error *err)
{
    pare_buffer json = {0};
    pare_token_example *all = NULL;
    *grammar = (pare_language_grammar){0};
    pare_status status = pare_language_load(name, &grammar->parser, err);
    /* The parser comes first: without one no text could be checked. */
    if (!status) status = pare_language_read(name, PARE_LANGUAGE_GRAMMAR, &json, err);
    if (!status) status = join_examples(examples, n, &all, err);
    if (!status)
        status = pare_tree_sitter_grammar_read(
            json.data, json.size, all, sizeof usual / sizeof *usual + n, &grammar->from, err);
    if (!status) status = pare_content_read(json.data, json.size, &grammar->content, err);
    pare_alloc_free(all);
    pare_buffer_done(&json);
    if (status) pare_language_grammar_done(grammar);
    return status;
}

/* Parses the text by the language's own parser, which also knows what the
 * grammar does not say: the scanner, precedences, keywords. */
pare_status pare_language_grammar_check(void *self, const char *text, size_t size, pare_error *err)
{
    const pare_language_grammar *grammar = self;
    pare_parse_tree tree = {0};
    pare_status status = pare_tree_sitter_parse(grammar->parser, text, size, &tree, err);
    bool accepted = !status && !tree.error.any;
    pare_parse_tree_done(&tree);
    if (status || accepted) return status;
    return pare_fail(err, PARE_E_UNSUPPORTED,
                     "the language's parser finds an error in the generated text");
}

/* Parses texts into trees of the grammar. The parser's own trees leave out
 * hidden and inlined rules, which the maker puts in. */
struct pare_language_reader {
    const pare_language_grammar *grammar; /* borrowed */
    pare_grammar_tree_maker *maker;       /* owned */
};

pare_status pare_language_reader_new(const pare_language_grammar *grammar,
                                     pare_language_reader **out, pare_error *err)
{
    pare_language_reader *reader = pare_alloc_zero(1, sizeof *reader);
    if (!reader) return pare_fail_nomem(err);
    reader->grammar = grammar;
    pare_status status = pare_grammar_tree_new(grammar->parser, &grammar->from, grammar->content,
                                               &reader->maker, err);
    if (status) {
        pare_language_reader_free(reader);
        return status;
    }
    *out = reader;
    return PARE_OK;
}

void pare_language_reader_free(pare_language_reader *reader)
{
    if (!reader) return;
    pare_grammar_tree_free(reader->maker);
    pare_alloc_free(reader);
}

/* The read function of a pare_text_reader: parses the text by tree-sitter and
 * makes the grammar's tree of what that shows. A text outside the language is
 * no error: *in_language is false. */
static pare_status read_text(void *self, const char *text, size_t size, pare_parse_tree *tree,
                             bool *in_language, pare_error *err)
{
    const pare_language_reader *reader = self;
    pare_parse_tree shown = {0};
    pare_status status = pare_tree_sitter_parse(reader->grammar->parser, text, size, &shown, err);
    if (!status) status = pare_grammar_tree_make(reader->maker, &shown, text, tree, err);
    *in_language = !status && !tree->error.any;
    pare_parse_tree_done(&shown);
    return status;
}

/* Borrows the reader, and is for one thread as it is. */
pare_text_reader pare_language_reader_of(pare_language_reader *reader)
{
    return (pare_text_reader){.self = reader, .read = read_text};
}

/* --- content models for the trees of the parser ---------------------------------------------- */

/* Invariant: every symbol of the parser has a number in the models, or is "unknown", which makes
 * what is asked about it unsure and never wrong. */
struct pare_language_models {
    pare_content *content; /* owned, as all below */
    uint32_t *symbols;     /* the parser's -> the content models' */
    uint32_t n_symbols;
};

/* Fills `symbols`: for each symbol of the parser its number in the content
 * models. Names are compared once here, so that nodes are translated by an
 * array. */
static pare_status map_symbols(pare_language_models *self, const pare_language_symbol *kinds,
                               uint32_t n, pare_error *err)
{
    assert(n && "a parser has symbols");
    self->n_symbols = n;
    self->symbols = pare_alloc(n, sizeof *self->symbols);
    if (!self->symbols) return pare_fail_nomem(err);
    for (uint32_t i = 0; i < n; i++)
        self->symbols[i] = pare_content_symbol(self->content, kinds[i].name, kinds[i].named);
    return PARE_OK;
}

/* Makes the models from the text of a grammar; used by tests, and by the
 * function below with a grammar from the shelf. */
pare_status pare_language_models_make(const char *json, size_t size,
                                      const pare_language_symbol *kinds, uint32_t n,
                                      pare_language_models **out, pare_error *err)
{
    pare_language_models *self = pare_alloc_zero(1, sizeof *self);
    if (!self) return pare_fail_nomem(err);
    pare_status status = pare_content_read(json, size, &self->content, err);
    if (status == PARE_OK) status = map_symbols(self, kinds, n, err);
    if (status == PARE_OK)
        *out = self;
    else
        pare_language_models_free(self);
    return status;
}

/* Symbols come from the loaded parser, models from the grammar that was added with it. */
pare_status pare_language_models_new(const char *name, const pare_tree_sitter *language,
                                     /* The kinds borrow the parser's names,
                                      * since both are needed during the call
                                      * only. */
                                     pare_language_models **out, pare_error *err)
{
    pare_buffer json = {0};
    pare_symbol_names names = pare_tree_sitter_names(language);
    uint32_t n = pare_tree_sitter_n_symbols(language);
    pare_language_symbol *kinds = pare_alloc(n, sizeof *kinds);
    if (!kinds) return pare_fail_nomem(err);
    for (uint32_t i = 0; i < n; i++)
        kinds[i] = (pare_language_symbol){names.rule(names.language, i),
                                          pare_tree_sitter_is_named(language, i)};
    pare_status status = pare_language_read(name, PARE_LANGUAGE_GRAMMAR, &json, err);
    if (status == PARE_OK)
        status = pare_language_models_make(json.data, json.size, kinds, n, out, err);
    pare_buffer_done(&json);
    pare_alloc_free(kinds);
    return status;
}

void pare_language_models_free(pare_language_models *models)
{
    if (!models) return;
    pare_content_free(models->content);
    pare_alloc_free(models->symbols);
    pare_alloc_free(models);
}

const pare_content *pare_language_models_content(const pare_language_models *models)
{
    return models->content;
}

uint32_t pare_language_models_n_symbols(const pare_language_models *models)
{
    return models->n_symbols;
}

/* A symbol beyond the parser's own may come from a tree that was read from a
 * file, so it is answered with "unknown" and not asserted. */
uint32_t pare_language_models_symbol(const pare_language_models *models, uint32_t symbol)
{
    if (symbol == PARE_TREE_SITTER_TEXT) return PARE_CONTENT_SKIPPED;
    return symbol < models->n_symbols ? models->symbols[symbol] : PARE_CONTENT_UNKNOWN;
}
