/* Cases from descriptions in JSON, and from folders.
 *
 * A description is read by jansson.  Every key is known or an error, so that a misspelt one
 * is found; every sentence begins with the file, and names the case and the key.  Paths are
 * relative to the description. */
#include <assert.h>
#include <string.h>

#include <jansson.h>

#include <pare/record.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "os/file.h"
#include "os/folder.h"
#include "shootout/shootout.h"
#include "shootout/suite.h"

/* A description at work. */
struct reader {
    pare_suite *suite;
    const char *path;   /* of the description */
    const char *folder; /* it is in, with a slash after it; "" for the current one */
    const char *where;  /* the case being read, or NULL */
    pare_error *err;
};

/* One form for all that is wrong with a description. */
static pare_status fail(const struct reader *reader, const char *key, const char *what)
{
    if (!reader->where)
        return pare_fail(reader->err, PARE_E_SYNTAX, "%s: '%s' %s", reader->path, key, what);
    return pare_fail(reader->err, PARE_E_SYNTAX, "%s: case '%s': '%s' %s", reader->path,
                     reader->where, key, what);
}

/* ---- values ---------------------------------------------------------------------- */

/* An empty text would be a file of no name, or a case of none. */
static pare_status read_text(const struct reader *reader, const char *key, json_t *value,
                             char **out)
{
    const char *text = json_string_value(value);
    if (!text || !*text) return fail(reader, key, "has to be a text that is not empty");
    return pare_suite_copy(text, out, reader->err);
}

/* 0 would mean no limit, which is said by leaving the key out. */
static pare_status read_whole(const struct reader *reader, const char *key, json_t *value,
                              uint64_t *out)
{
    if (!json_is_integer(value) || json_integer_value(value) < 1)
        return fail(reader, key, "has to be a whole number above 0");
    *out = (uint64_t)json_integer_value(value);
    return PARE_OK;
}

/* A whole number of bytes. */
static pare_status read_size(const struct reader *reader, const char *key, json_t *value,
                             size_t *out)
{
    uint64_t number = 0;
    pare_status status = read_whole(reader, key, value, &number);
    if (!status) *out = (size_t)number;
    return status;
}

/* Rounded up, so that a time above 0 never becomes none. */
static pare_status read_seconds(const struct reader *reader, const char *key, json_t *value,
                                uint64_t *ms)
{
    double seconds = json_number_value(value);
    if (!(seconds > 0) || seconds > 1e9)
        return fail(reader, key, "has to be a number of seconds above 0");
    *ms = (uint64_t)(seconds * 1000 + 0.999);
    return PARE_OK;
}

/* A text, or a list of texts. */
static pare_status read_texts(const struct reader *reader, const char *key, json_t *value,
                              char ***out, size_t *n_out)
{
    size_t n = json_is_array(value) ? json_array_size(value) : 1;
    if (!n) return fail(reader, key, "has to be a text or a list of texts");
    char **texts = pare_alloc_zero(n, sizeof *texts);
    if (!texts) return pare_fail_nomem(reader->err);
    *out = texts;
    *n_out = n;
    pare_status status = PARE_OK;
    for (size_t i = 0; i < n && !status; i++)
        status = read_text(reader, key, json_is_array(value) ? json_array_get(value, i) : value,
                           &texts[i]);
    return status;
}

/* `path` as seen from the description, in *out. */
static pare_status resolve(const struct reader *reader, const char *path, char **out)
{
    pare_buffer joined = {0};
    assert(path);
    pare_status status = pare_buffer_format(&joined, reader->err, "%s%s",
                                            path[0] == '/' ? "" : reader->folder, path);
    if (!status) *out = joined.data;
    return status;
}

/* ---- files ----------------------------------------------------------------------- */

/* The path in single quotes, for a command line. */
static pare_status quote(const char *path, char **out, pare_error *err)
{
    pare_buffer text = {0};
    pare_status status = pare_buffer_text(&text, "'", err);
    for (const char *at = path; *at && !status; at++)
        status = *at == '\'' ? pare_buffer_text(&text, "'\\''", err)
                             : pare_buffer_add(&text, at, 1, err);
    if (!status) status = pare_buffer_text(&text, "'", err);
    if (status)
        pare_buffer_done(&text);
    else
        *out = text.data;
    return status;
}

/* Makes the case's input by its generator, from recorded choices (`choices`, a path) or, when
 * that is NULL, new ones that are recorded. */
static pare_status record_case(pare_case *made, const char *choices, pare_error *err)
{
    const char *const words[] = {made->generator};
    pare_record_options options = {.words = words, .n_words = 1, .replay = choices};
    pare_recorded recorded = {0};
    pare_status status = pare_record(&options, &recorded, err);
    if (!status && !made->input_name) status = pare_suite_copy("input", &made->input_name, err);
    if (!status) {
        made->input = (unsigned char *)recorded.text;
        made->input_bytes = recorded.text_bytes;
        made->choices = recorded.choices;
        made->choices_bytes = recorded.choices_bytes;
        recorded.text = recorded.choices = NULL;
    }
    pare_recorded_done(&recorded);
    return status;
}

/* A file beside the description, or a command line, whose first word may be one. */
static pare_status read_command(const struct reader *reader, const char *text, char **out)
{
    char *path = NULL, *absolute = NULL, *quoted = NULL;
    pare_buffer word = {0}, line = {0};
    const char *blank = strchr(text, ' ');
    pare_status status = resolve(reader, text, &path);
    bool whole = !status && pare_file_is_regular(path);
    if (!whole && blank && !status) {
        pare_alloc_free(path);
        path = NULL;
        status = pare_buffer_add(&word, text, (size_t)(blank - text), reader->err);
        if (!status) status = resolve(reader, word.size ? word.data : "", &path);
    }
    if (!status && pare_file_is_regular(path)) {
        status = pare_file_absolute(path, &absolute, reader->err);
        if (!status) status = quote(absolute, &quoted, reader->err);
        if (!status)
            status = pare_buffer_format(&line, reader->err, "%s%s", quoted, whole ? "" : blank);
    } else if (!status) {
        status = pare_buffer_text(&line, text, reader->err);
    }
    if (!status) *out = line.data;
    pare_buffer_done(&word);
    pare_alloc_free(quoted);
    pare_alloc_free(absolute);
    pare_alloc_free(path);
    return status;
}

/* The test: a file beside the description, or a command line. */
static pare_status set_test(const struct reader *reader, pare_case *made, const char *text)
{
    pare_status status = pare_suite_copy(text, &made->test_shown, reader->err);
    return status ? status : read_command(reader, text, &made->test_command);
}

static pare_status set_input(const struct reader *reader, pare_case *made, const char *path)
{
    pare_buffer content = {0};
    const char *slash = strrchr(path, '/');
    if (pare_file_exists(path) && !pare_file_is_regular(path))
        return pare_fail(reader->err, PARE_E_ARG, "'%s' is no file", path);
    pare_status status = pare_file_read(path, &content, reader->err);
    if (!status) status = pare_suite_copy(slash ? slash + 1 : path, &made->input_name, reader->err);
    if (!status && !content.data) status = pare_buffer_reserve(&content, 1, reader->err);
    if (status) {
        pare_buffer_done(&content);
        return status;
    }
    made->input = (unsigned char *)content.data;
    made->input_bytes = content.size;
    return PARE_OK;
}

/* The one of `names` that is input or input.EXT; NULL: none. */
static pare_status find_input(const struct reader *reader, const char *folder,
                              const pare_folder_names *names, const char **name)
{
    for (size_t i = 0; i < names->n; i++) {
        const char *here = names->items[i];
        if (strcmp(here, "input") != 0 && strncmp(here, "input.", 6) != 0) continue;
        if (*name)
            return pare_fail(reader->err, PARE_E_ARG,
                             "'%s' has two inputs: name the case's \"input\" in a description",
                             folder);
        *name = here;
    }
    if (*name) return PARE_OK;
    return pare_fail(reader->err, PARE_E_ARG, "there is no file input or input.EXT in '%s'",
                     folder);
}

/* Input and test of a case's folder, which the description calls `given`. */
static pare_status set_folder(const struct reader *reader, pare_case *made, const char *folder,
                              const char *given)
{
    pare_folder_names names = {0};
    pare_buffer path = {0};
    const char *name = NULL;
    pare_status status = pare_folder_names_read(&names, folder, reader->err);
    if (!status) status = find_input(reader, folder, &names, &name);
    if (!status) status = pare_buffer_format(&path, reader->err, "%s/%s", folder, name);
    if (!status) status = set_input(reader, made, path.data);
    pare_buffer_reset(&path);
    if (!status) status = pare_buffer_format(&path, reader->err, "%s/test.sh", folder);
    if (!status && !pare_file_is_regular(path.data))
        status = pare_fail(reader->err, PARE_E_ARG, "there is no test '%s'", path.data);
    if (!status) {
        struct reader here = *reader;
        here.folder = ""; /* `folder` is resolved already */
        status = set_test(&here, made, path.data);
    }
    pare_buffer_reset(&path);
    if (!status) status = pare_buffer_format(&path, reader->err, "%s/test.sh", given);
    if (!status) {
        pare_alloc_free(made->test_shown);
        made->test_shown = NULL;
        status = pare_suite_copy(path.data, &made->test_shown, reader->err);
    }
    pare_buffer_done(&path);
    pare_folder_names_done(&names);
    return status;
}

/* ---- a case ---------------------------------------------------------------------- */

/* A pair [tests, bytes]. */
static pare_status read_mark(const struct reader *reader, const char *key, json_t *value,
                             pare_mark_to_beat *mark)
{
    if (!json_is_array(value) || json_array_size(value) != 2)
        return fail(reader, key, "has to be a pair of tests and bytes");
    pare_status status = read_whole(reader, key, json_array_get(value, 0), &mark->tests);
    return status ? status : read_size(reader, key, json_array_get(value, 1), &mark->bytes);
}

/* A mark, or a list of them. */
static pare_status read_targets(const struct reader *reader, json_t *value, pare_case *made)
{
    if (!json_is_array(json_array_get(value, 0))) {
        made->n_targets = 1;
        return read_mark(reader, "target", value, &made->targets[0]);
    }
    if (json_array_size(value) > PARE_CASE_TARGETS)
        return fail(reader, "target", "has more than four pairs");
    pare_status status = PARE_OK;
    for (; made->n_targets < json_array_size(value) && !status; made->n_targets++)
        status = read_mark(reader, "target", json_array_get(value, made->n_targets),
                           &made->targets[made->n_targets]);
    return status;
}

/* A list of marks, in the order of their tests. */
static pare_status read_frontier(const struct reader *reader, json_t *value, pare_case *made)
{
    if (!json_is_array(value)) return fail(reader, "frontier", "has to be a list");
    size_t n = json_array_size(value);
    made->frontier = pare_alloc_zero(n ? n : 1, sizeof *made->frontier);
    if (!made->frontier) return pare_fail_nomem(reader->err);
    made->n_frontier = n;
    pare_status status = PARE_OK;
    for (size_t i = 0; i < n && !status; i++) {
        status = read_mark(reader, "frontier", json_array_get(value, i), &made->frontier[i]);
        if (!status && i && made->frontier[i].tests <= made->frontier[i - 1].tests)
            status = fail(reader, "frontier", "has to be in the order of tests");
    }
    return status;
}

/* {"name": ..., "best": [tests, bytes]} */
static pare_status read_peer(const struct reader *reader, json_t *value, pare_case *made)
{
    json_t *name = json_object_get(value, "name"), *best = json_object_get(value, "best");
    if (!name || !best) return fail(reader, "peer", "needs a 'name' and the 'best' it reached");
    pare_status status = read_text(reader, "name", name, &made->peer);
    return status ? status : read_mark(reader, "best", best, &made->peer_best);
}

/* The texts move into the case, or are released. */
static pare_status read_groups(const struct reader *reader, json_t *value, pare_case *made)
{
    char **groups = NULL;
    size_t n = 0;
    pare_status status = read_texts(reader, "group", value, &groups, &n);
    if (!status && n > PARE_CASE_GROUPS) status = fail(reader, "group", "has more than four texts");
    for (size_t i = 0; i < n; i++) {
        if (status)
            pare_alloc_free(groups[i]);
        else
            made->groups[i] = groups[i];
    }
    pare_alloc_free(groups);
    return status;
}

/* Paths as seen from the description become paths as seen from here. */
static pare_status read_grammars(const struct reader *reader, json_t *value, pare_case *made)
{
    pare_status status = read_texts(reader, "grammar", value, &made->grammars, &made->n_grammars);
    for (size_t i = 0; i < made->n_grammars && !status; i++) {
        char *path = NULL;
        status = resolve(reader, made->grammars[i], &path);
        if (status) break;
        pare_alloc_free(made->grammars[i]);
        made->grammars[i] = path;
    }
    return status;
}

/* A command line, whose first word may be a file beside the description. */
static pare_status read_generator(const struct reader *reader, json_t *value, pare_case *made)
{
    char *text = NULL;
    pare_status status = read_text(reader, "generator", value, &text);
    if (!status) status = read_command(reader, text, &made->generator);
    pare_alloc_free(text);
    return status;
}

/* Has the generator make the input; *missing: it cannot, and the case is optional. */
static pare_status run_generator(const struct reader *reader, json_t *object, pare_case *made,
                                 bool *missing)
{
    const char *choices = json_string_value(json_object_get(object, "choices"));
    pare_error why = {0};
    char *path = NULL;
    if (made->input) return fail(reader, "generator", "makes the input, which is there");
    pare_status status = choices ? resolve(reader, choices, &path) : PARE_OK;
    if (!status) status = record_case(made, path, &why);
    pare_alloc_free(path);
    *missing =
        status && status != PARE_E_NOMEM && json_is_true(json_object_get(object, "optional"));
    if (!status) return PARE_OK;
    if (!*missing)
        return pare_fail(reader->err, status == PARE_E_STATE ? PARE_E_SYNTAX : status,
                         "%s: case '%s': %s", reader->path, reader->where, why.message);
    pare_buffer text = {0};
    status = pare_buffer_format(&text, reader->err, "case '%s' is left out: %s", reader->where,
                                why.message);
    if (!status) status = pare_suite_notice(reader->suite, text.data, reader->err);
    pare_buffer_done(&text);
    return status;
}

/* What is found at a path of the description, which is freed. */
static pare_status read_place(const struct reader *reader, const char *key, json_t *value,
                              pare_case *made)
{
    char *text = NULL, *path = NULL;
    pare_status status = read_text(reader, key, value, &text);
    if (!status && strcmp(key, "test") == 0) {
        status = set_test(reader, made, text);
    } else if (!status) {
        status = resolve(reader, text, &path);
        if (!status)
            status = strcmp(key, "input") == 0 ? set_input(reader, made, path)
                                               : set_folder(reader, made, path, text);
        if (status) pare_fail_prefix(reader->err, "%s", reader->path);
    }
    pare_alloc_free(path);
    pare_alloc_free(text);
    return status;
}

/* "name" and "optional" were read before, "choices" is read when the input is made. */
static pare_status read_key(const struct reader *reader, const char *key, json_t *value,
                            pare_case *made)
{
    if (strcmp(key, "name") == 0 || strcmp(key, "optional") == 0) return PARE_OK;
    if (strcmp(key, "input") == 0 || strcmp(key, "test") == 0 || strcmp(key, "folder") == 0)
        return read_place(reader, key, value, made);
    if (strcmp(key, "choices") == 0)
        return json_is_string(value) ? PARE_OK : fail(reader, key, "has to be a path");
    if (strcmp(key, "generator") == 0) return read_generator(reader, value, made);
    if (strcmp(key, "grammar") == 0) return read_grammars(reader, value, made);
    if (strcmp(key, "start") == 0) return read_text(reader, key, value, &made->start);
    if (strcmp(key, "lang") == 0) return read_text(reader, key, value, &made->language);
    if (strcmp(key, "needs") == 0) return read_text(reader, key, value, &made->needs);
    if (strcmp(key, "group") == 0) return read_groups(reader, value, made);
    if (strcmp(key, "known") == 0) return read_size(reader, key, value, &made->known_bytes);
    if (strcmp(key, "peer") == 0) return read_peer(reader, value, made);
    if (strcmp(key, "target") == 0) return read_targets(reader, value, made);
    if (strcmp(key, "tokens") == 0) return read_size(reader, key, value, &made->target_tokens);
    if (strcmp(key, "frontier") == 0) return read_frontier(reader, value, made);
    return fail(reader, key, "is not known: see pare-shootout(1), CASES");
}

/* Whether an optional case is not there; then there is a notice. */
static pare_status is_missing(const struct reader *reader, json_t *object, bool *missing)
{
    const char *place = json_string_value(json_object_get(object, "folder"));
    char *path = NULL;
    if (!place) place = json_string_value(json_object_get(object, "input"));
    *missing = false;
    if (!json_is_true(json_object_get(object, "optional")) || !place) return PARE_OK;
    pare_status status = resolve(reader, place, &path);
    if (!status) *missing = !pare_file_exists(path);
    pare_alloc_free(path);
    if (status || !*missing) return status;
    pare_buffer text = {0};
    status = pare_buffer_format(&text, reader->err, "case '%s' is left out: there is no '%s'",
                                reader->where, place);
    if (!status) status = pare_suite_notice(reader->suite, text.data, reader->err);
    pare_buffer_done(&text);
    return status;
}

/* The input is made by the generator only after all keys were read: its name and its choices may
 * come later in the object. */
static pare_status read_members(const struct reader *reader, json_t *object, pare_case *made,
                                bool *missing)
{
    const char *key;
    json_t *value;
    pare_status status = pare_suite_copy(reader->where, &made->name, reader->err);
    json_object_foreach(object, key, value)
    {
        if (!status) status = read_key(reader, key, value, made);
    }
    if (!status && made->generator) status = run_generator(reader, object, made, missing);
    if (status || *missing) return status;
    if (!status && !made->input) status = fail(reader, "input", "is missing");
    if (!status && !made->test_command) status = fail(reader, "test", "is missing");
    return status;
}

/* A case that is left out has its notice already. */
static pare_status read_case(struct reader *reader, json_t *object)
{
    pare_case made = {0};
    bool missing = false;
    reader->where = NULL;
    const char *name = json_string_value(json_object_get(object, "name"));
    if (!name || !*name) return fail(reader, "cases", "has one without a \"name\"");
    reader->where = name;
    pare_status status = is_missing(reader, object, &missing);
    if (status || missing) return status;
    status = read_members(reader, object, &made, &missing);
    if (!status && !missing) return pare_suite_add(reader->suite, &made, reader->err);
    pare_case_done(&made);
    return status;
}

/* ---- a description --------------------------------------------------------------- */

/* One after the other; the first mistake ends it. */
static pare_status read_cases(struct reader *reader, json_t *list)
{
    if (!json_is_array(list)) return fail(reader, "cases", "has to be a list of cases");
    pare_status status = PARE_OK;
    for (size_t i = 0; i < json_array_size(list) && !status; i++)
        status = read_case(reader, json_array_get(list, i));
    reader->where = NULL;
    return status;
}

/* Of several descriptions the first one names the suite and its contenders. */
static pare_status read_suite_key(struct reader *reader, const char *key, json_t *value)
{
    pare_suite *suite = reader->suite;
    if (strcmp(key, "cases") == 0) return read_cases(reader, value);
    if (strcmp(key, "name") == 0)
        return suite->name ? PARE_OK : read_text(reader, key, value, &suite->name);
    if (strcmp(key, "algorithms") == 0)
        return suite->contenders
                   ? PARE_OK
                   : read_texts(reader, key, value, &suite->contenders, &suite->n_contenders);
    if (strcmp(key, "max_tests") == 0) return read_whole(reader, key, value, &suite->max_tests);
    if (strcmp(key, "max_time") == 0) return read_seconds(reader, key, value, &suite->max_time_ms);
    if (strcmp(key, "timeout") == 0) return read_seconds(reader, key, value, &suite->timeout_ms);
    return fail(reader, key, "is not known: see pare-shootout(1), CASES");
}

/* `path` need not exist: it is what messages say and paths are relative to. */
pare_status pare_suite_read_memory(pare_suite *suite, const char *path, const void *text,
                                   size_t size, pare_error *err)
{
    pare_buffer folder = {0};
    json_error_t at;
    const char *slash = strrchr(path, '/'), *key;
    json_t *value;
    pare_status status =
        slash ? pare_buffer_add(&folder, path, (size_t)(slash - path) + 1, err) : PARE_OK;
    if (status) return status;
    json_t *root = json_loadb(size ? text : "", size, JSON_REJECT_DUPLICATES, &at);
    struct reader reader = {
        .suite = suite, .path = path, .folder = folder.data ? folder.data : "", .err = err};
    if (!root)
        status = pare_fail(err, PARE_E_SYNTAX, "%s:%d:%d: no JSON: %s", path, at.line, at.column,
                           at.text);
    else if (!json_is_object(root) || !json_object_get(root, "cases"))
        status = pare_fail(err, PARE_E_SYNTAX, "%s: no description of cases: \"cases\" is missing",
                           path);
    json_object_foreach(root, key, value)
    {
        if (!status) status = read_suite_key(&reader, key, value);
    }
    json_decref(root);
    pare_buffer_done(&folder);
    return status;
}

/* A file in JSON. */
static pare_status read_description(pare_suite *suite, const char *path, pare_error *err)
{
    pare_buffer text = {0};
    pare_status status = pare_file_read(path, &text, err);
    if (!status) status = pare_suite_read_memory(suite, path, text.data, text.size, err);
    pare_buffer_done(&text);
    return status;
}

/* ---- folders --------------------------------------------------------------------- */

/* The folder is the case: its test.sh, and the one file beside it. */
static pare_status add_folder(pare_suite *suite, const char *folder, const char *name,
                              pare_error *err)
{
    pare_case made = {0};
    struct reader reader = {.suite = suite, .path = folder, .folder = "", .err = err};
    pare_status status = pare_suite_copy(name, &made.name, err);
    if (!status) status = set_folder(&reader, &made, folder, folder);
    if (!status) return pare_suite_add(suite, &made, err);
    pare_case_done(&made);
    return status;
}

/* Adds those of the folders in `folder` that have a test.sh. */
static pare_status add_folders(pare_suite *suite, const char *folder, pare_error *err)
{
    pare_folder_names names = {0};
    pare_buffer path = {0};
    size_t before = suite->n_cases;
    pare_status status = pare_folder_names_read(&names, folder, err);
    for (size_t i = 0; i < names.n && !status; i++) {
        pare_buffer_reset(&path);
        status = pare_buffer_format(&path, err, "%s/%s/test.sh", folder, names.items[i]);
        if (status || !pare_file_is_regular(path.data)) continue;
        path.data[path.size - strlen("/test.sh")] = '\0';
        status = add_folder(suite, path.data, names.items[i], err);
    }
    if (!status && suite->n_cases == before)
        status = pare_fail(err, PARE_E_ARG,
                           "there is no case in '%s': a case is a folder with an input and a "
                           "test.sh",
                           folder);
    pare_buffer_done(&path);
    pare_folder_names_done(&names);
    return status;
}

/* A folder with a test.sh is a case, any other one a folder of cases. */
static pare_status read_folder(pare_suite *suite, const char *given, pare_error *err)
{
    pare_buffer path = {0};
    size_t size = strlen(given);
    while (size > 1 && given[size - 1] == '/')
        size--;
    char *folder = pare_alloc_text(given, size);
    if (!folder) return pare_fail_nomem(err);
    const char *slash = strrchr(folder, '/');
    const char *name = slash ? slash + 1 : folder;
    pare_status status = suite->name ? PARE_OK : pare_suite_copy(name, &suite->name, err);
    if (!status) status = pare_buffer_format(&path, err, "%s/test.sh", folder);
    if (!status)
        status = pare_file_is_regular(path.data) ? add_folder(suite, folder, name, err)
                                                 : add_folders(suite, folder, err);
    pare_buffer_done(&path);
    pare_alloc_free(folder);
    return status;
}

pare_status pare_suite_read(pare_suite *suite, const char *path, pare_error *err)
{
    return pare_file_is_directory(path) ? read_folder(suite, path, err)
                                        : read_description(suite, path, err);
}
