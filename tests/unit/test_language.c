/* Where languages are found: the user's before the system's, what can be read before what
 * cannot, and what is said of one that is there and of no use.  Records only: that parsers
 * load and parse is tested by tests/cli/test_languages.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include <jansson.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "lang/language.h"
#include "lang/packs.h"
#include "os/data_folders.h"
#include "os/file.h"
#include "unit/alloc_sweep.h"
#include "unit/support/quantified.h"
#include "unit/support/scratch.h"

/* Puts a record of json with this version and ABI on a shelf of the scratch folder. */
static void put(const char *shelf, const char *version, unsigned abi)
{
    char path[256], text[256];
    (void)snprintf(path, sizeof path, "%s/json", shelf);
    assert_int_equal(pare_file_make_directories(path, NULL), PARE_OK);
    (void)snprintf(path, sizeof path, "%s/json/pack.json", shelf);
    (void)snprintf(text, sizeof text, "{\"version\": \"%s\", \"abi\": %u}", version, abi);
    scratch_write(path, text, 0644);
}

static pare_language_state inspect(void)
{
    pare_language_state state = {0};
    pare_error err = {0};
    if (pare_language_inspect("json", &state, &err) != PARE_OK) fail_msg("%s", err.message);
    return state;
}

static void expect_error(pare_status wanted, const char *part, const char *other)
{
    pare_language_state state = {0};
    pare_error err = {0};
    assert_int_equal(pare_language_inspect("json", &state, &err), wanted);
    if (!strstr(err.message, part) || !strstr(err.message, other)) fail_msg("%s", err.message);
}

/* A data folder for the user, two for the system; nothing in them. */
static int set_up(void **state)
{
    (void)scratch_setup(state);
    (void)setenv("PARE_DATA", "user", 1);
    (void)setenv("PARE_LANGUAGE_PATH", "one:two", 1);
    return 0;
}

static void test_language__it_is_the_users_before_the_systems(void **state)
{
    (void)state;
    put("two", "2", 15);
    assert_int_equal(inspect().origin, PARE_LANGUAGE_SYSTEM);
    assert_string_equal(inspect().path, "two/json");
    put("one", "1", 15);
    assert_string_equal(inspect().version, "1");
    put("user/languages", "0", 15);
    assert_string_equal(inspect().version, "0");
    assert_int_equal(inspect().origin, PARE_LANGUAGE_USER);
}

static void test_language__one_that_is_nowhere_is_told_with_the_users_folder(void **state)
{
    (void)state;
    assert_false(inspect().added);
    assert_string_equal(inspect().path, "user/languages/json");
    (void)setenv("PARE_LANGUAGE_PATH", "", 1);
    assert_false(inspect().added);
}

static void test_language__who_has_no_data_folder_has_the_systems(void **state)
{
    (void)state;
    (void)unsetenv("PARE_DATA");
    (void)unsetenv("XDG_DATA_HOME");
    (void)unsetenv("HOME");
    expect_error(PARE_E_STATE, "there is no data folder", "");
    put("one", "1", 15);
    assert_true(inspect().added);
}

static void test_language__a_damaged_one_gives_way_to_a_good_one(void **state)
{
    (void)state;
    put("user/languages", "0", 15);
    scratch_write("user/languages/json/pack.json", "{\"version\": 1", 0644);
    expect_error(PARE_E_CORRUPT, "the language 'json' is unreadable: user/languages/json/pack.json",
                 "'pare lang add json' adds it again");
    put("one", "1", 9);
    expect_error(PARE_E_CORRUPT, "user/languages/json/pack.json is damaged", "");
    put("two", "2", 15);
    assert_string_equal(inspect().version, "2");
}

static void test_language__tables_of_another_version_are_unreadable(void **state)
{
    (void)state;
    put("one", "1", 16);
    if (!pare_language_supported()) skip();
    expect_error(PARE_E_CORRUPT, "one/json is for another version of tree-sitter (16)",
                 "the language 'json' is unreadable");
}

static void test_language__a_folder_without_a_record_is_unreadable(void **state)
{
    (void)state;
    assert_int_equal(pare_file_make_directories("one/json", NULL), PARE_OK);
    expect_error(PARE_E_IO, "the language 'json' is unreadable", "one/json/pack.json");
}

static void test_language__one_that_may_not_be_read_is_not_called_missing(void **state)
{
    (void)state;
    put("one", "1", 15);
    assert_int_equal(chmod("one/json", 0), 0);
    assert_int_equal(chmod(".", 0755), 0);
    bool root = geteuid() == 0;
    if (root) assert_int_equal(seteuid(65534), 0);
    expect_error(PARE_E_IO, "the language 'json' is unreadable", "one/json/pack.json");
    if (root) assert_int_equal(seteuid(0), 0);
    assert_int_equal(chmod("one/json", 0755), 0);
}

static void test_language__a_parser_that_does_not_load_is_unreadable(void **state)
{
    (void)state;
    pare_tree_sitter *language = NULL;
    pare_buffer text = {0};
    pare_error err = {0};
    if (!pare_language_supported()) skip();
    put("one", "1", 15);
    scratch_write("one/json/parser.so", "no parser", 0755);
    assert_int_equal(pare_language_load("json", &language, &err), PARE_E_IO);
    assert_non_null(strstr(err.message, "the language 'json' is unreadable"));
    assert_non_null(strstr(err.message, "one/json/parser.so"));
    assert_null(language);
    pare_fail_clear(&err);
    assert_int_equal(pare_language_read("json", PARE_LANGUAGE_GRAMMAR, &text, &err), PARE_E_IO);
    assert_non_null(strstr(err.message, "one/json/grammar.json"));
    pare_buffer_done(&text);
}

static void test_language__the_systems_is_removed_only_by_name(void **state)
{
    (void)state;
    pare_error err = {0};
    put("one", "1", 15);
    assert_int_equal(pare_language_remove("json", &err), PARE_E_STATE);
    assert_non_null(strstr(err.message, "belongs to the system, not to you: one/json"));
    assert_true(inspect().added);
    assert_int_equal(pare_language_remove_for("json", PARE_LANGUAGE_SYSTEM, NULL), PARE_OK);
    assert_false(inspect().added);
    pare_fail_clear(&err);
    assert_int_equal(pare_language_remove("json", &err), PARE_E_STATE);
    assert_non_null(strstr(err.message, "is not there"));
}

static void test_language__folders_of_the_system_are_beside_the_program_and_where_it_is_put(
    void **state)
{
    (void)state;
    pare_data_folders folders = {.n = 0};
    char here[4096] = "", *path = NULL;
    assert_true(readlink("/proc/self/exe", here, sizeof here - 20) > 0);
    *strrchr(here, '/') = '\0';
    (void)unsetenv("PARE_LIBEXEC");
    (void)unsetenv("PARE_LANGUAGE_PATH");
    assert_int_equal(pare_data_folders_list("below", "PARE_LANGUAGE_PATH", &folders, NULL),
                     PARE_OK);
    assert_int_equal(folders.n, 4);
    assert_memory_equal(folders.paths[0], here, strlen(here));
    assert_string_equal(folders.paths[0] + strlen(here), "/below");
    *strrchr(here, '/') = '\0';
    assert_memory_equal(folders.paths[1], here, strlen(here));
    assert_string_equal(folders.paths[1] + strlen(here), "/lib/pare/below");
    assert_string_equal(folders.paths[2], "/usr/local/lib/pare/below");
    assert_non_null(strstr(folders.paths[3], "/pare/below"));
    pare_data_folders_done(&folders);
    assert_int_equal(pare_data_folders_system_path("below", "PARE_LANGUAGE_PATH", &path, NULL),
                     PARE_OK);
    assert_string_equal(path, "/usr/local/lib/pare/below");
    pare_alloc_free(path);
}

static void test_language__the_list_of_folders_takes_their_place(void **state)
{
    (void)state;
    pare_data_folders folders = {.n = 0};
    char *path = NULL;
    (void)setenv("PARE_LANGUAGE_PATH", ":a::/b/c:", 1);
    assert_int_equal(pare_data_folders_list("below", "PARE_LANGUAGE_PATH", &folders, NULL),
                     PARE_OK);
    assert_int_equal(folders.n, 2);
    assert_string_equal(folders.paths[0], "a");
    assert_string_equal(folders.paths[1], "/b/c");
    pare_data_folders_done(&folders);
    assert_int_equal(pare_data_folders_system_path("below", "PARE_LANGUAGE_PATH", &path, NULL),
                     PARE_OK);
    assert_string_equal(path, "a");
    pare_alloc_free(path);
}

/* --- what the build takes --------------------------------------------------------- */

/* A file of third_party/languages. */
static pare_buffer read_source(const char *name)
{
    char path[4096];
    pare_buffer text = {0};
    const char *source = getenv("PARE_SOURCE_DIR");
    assert_non_null(source);
    (void)snprintf(path, sizeof path, "%s/third_party/languages/%s", source, name);
    assert_int_equal(pare_file_read(path, &text, NULL), PARE_OK);
    return text;
}

static void expect_pin(const json_t *lock, const pare_pack *pack)
{
    char key[128];
    (void)snprintf(key, sizeof key, "node_modules/%s", pack->info.package);
    const json_t *entry = json_object_get(json_object_get(lock, "packages"), key);
    if (!entry) fail_msg("package-lock.json has no %s", pack->info.package);
    assert_string_equal(json_string_value(json_object_get(entry, "version")), pack->info.version);
    assert_string_equal(json_string_value(json_object_get(entry, "integrity")), pack->integrity);
    assert_null(json_object_get(entry, "resolved"));
}

/* Whether the build has the pack; others are only added by `pare lang add`. */
static bool is_built(const char *list, const pare_pack *pack)
{
    char wanted[128];
    (void)snprintf(wanted, sizeof wanted, "\"%s %s%s%s\"", pack->info.name, pack->info.package,
                   *pack->folder ? " " : "", pack->folder);
    return strstr(list, wanted) != NULL;
}

/* How many languages the lists of the build name. */
static size_t count_built(const char *list)
{
    size_t n = 0;
    const char *end = strstr(list, "set(large ");
    assert_non_null(end);
    for (const char *at = strstr(list, "set(common"); (at = strstr(at, "\n  \"")) < end; at++)
        n++;
    return n;
}

static void expect_entry(const char *list, const pare_pack *pack)
{
    char wanted[128];
    (void)snprintf(wanted, sizeof wanted, "tree_sitter_%s", pack->info.name);
    assert_string_equal(pack->symbol, wanted);
    const char *large = strstr(list, "set(large "), *at = strstr(large, pack->info.name);
    assert_int_equal(at && at < strchr(large, ')') && at[-1] == ' ', pack->large);
}

/* Pack number `index`, in the order of their names; NULL after the last. */
static const pare_pack *pack_at(size_t index)
{
    const pare_language_info *info = pare_language_at(index);
    const pare_pack *pack = NULL;
    if (info) assert_int_equal(pare_packs_get(info->name, &pack, NULL), PARE_OK);
    return pack;
}

static void test_language__the_build_takes_what_add_takes(void **state)
{
    (void)state;
    const pare_pack *pack;
    pare_buffer text = read_source("package-lock.json"), list = read_source("CMakeLists.txt");
    json_t *lock = json_loadb(text.data, text.size, 0, NULL);
    assert_non_null(lock);
    size_t n_built = 0;
    for (size_t i = 0; (pack = pack_at(i)) != NULL; i++) {
        if (pack->pins || !is_built(list.data, pack)) continue;
        expect_pin(lock, pack);
        expect_entry(list.data, pack);
        n_built++;
    }
    assert_int_equal(n_built, count_built(list.data));
    json_decref(lock);
    pare_buffer_done(&text);
    pare_buffer_done(&list);
}

static pare_language_models *make_models(void)
{
    pare_language_models *models = NULL;
    assert_int_equal(pare_language_models_make(quantified_grammar, strlen(quantified_grammar),
                                               quantified_kinds, N_QUANTIFIED_KINDS, &models, NULL),
                     PARE_OK);
    return models;
}

static void test_language__symbols_of_the_parser_are_those_of_the_content_models(void **state)
{
    (void)state;
    pare_language_models *models = make_models();
    const pare_content *content = pare_language_models_content(models);
    assert_int_equal(pare_language_models_n_symbols(models), N_QUANTIFIED_KINDS);
    for (uint32_t i = 0; i < N_QUANTIFIED_KINDS; i++)
        assert_int_equal(
            pare_language_models_symbol(models, i),
            pare_content_symbol(content, quantified_kinds[i].name, quantified_kinds[i].named));
    assert_int_equal(pare_language_models_symbol(models, N_QUANTIFIED_KINDS), PARE_CONTENT_UNKNOWN);
    assert_int_equal(pare_language_models_symbol(models, PARE_TREE_SITTER_TEXT),
                     PARE_CONTENT_SKIPPED);
    pare_language_models_free(models);
}

static pare_status try_models(void *context)
{
    (void)context;
    pare_language_models *models = NULL;
    pare_status status =
        pare_language_models_make(quantified_grammar, strlen(quantified_grammar), quantified_kinds,
                                  N_QUANTIFIED_KINDS, &models, NULL);
    assert_int_equal(status == PARE_OK, models != NULL);
    pare_language_models_free(models);
    return status;
}

static void test_language__models_make_reports_oom(void **state)
{
    (void)state;
    sweep_allocations(try_models, NULL);
}

#define test(name) cmocka_unit_test_setup_teardown(name, set_up, scratch_teardown)

/* Makes a user's language of a file that is no parser, with the digest `digest` in its record. */
static void put_object(const char *digest)
{
    char text[256];
    assert_int_equal(pare_file_make_directories("user/languages/json", NULL), PARE_OK);
    scratch_write("user/languages/json/parser.so", "no parser", 0644);
    (void)snprintf(text, sizeof text, "{\"version\": \"1\", \"abi\": 15, \"object\": \"%s\"}",
                   digest);
    scratch_write("user/languages/json/pack.json", text, 0644);
}

static void expect_no_load(const char *part)
{
    pare_tree_sitter *loaded = NULL;
    pare_error err = {0};
    assert_int_not_equal(pare_language_load("json", &loaded, &err), PARE_OK);
    assert_null(loaded);
    if (!strstr(err.message, part)) fail_msg("%s", err.message);
}

static void test_language__a_parser_that_is_not_what_was_compiled_is_refused(void **state)
{
    char digest[PARE_DIGEST_TEXT_BYTES];
    (void)state;
    if (!pare_language_supported()) skip();
    put_object("00");
    expect_no_load("user/languages/json/parser.so is not what was compiled");
    assert_int_equal(pare_language_digest("user/languages/json/parser.so", digest, NULL), PARE_OK);
    put_object(digest);
    expect_no_load("cannot load a language"); /* it is what was compiled, and no library */
}

static void test_language__a_parser_that_others_can_write_to_is_refused(void **state)
{
    (void)state;
    if (!pare_language_supported()) skip();
    put_object("00");
    assert_int_equal(chmod("user/languages/json/parser.so", 0666), 0);
    expect_no_load("everybody can write to ");
    assert_int_equal(chmod("user/languages/json/parser.so", 0644), 0);
    assert_int_equal(chmod("user/languages", 0777), 0);
    expect_no_load("'chmod o-w' it");
    assert_int_equal(chmod("user/languages", 0755), 0);
    expect_no_load("is not what was compiled");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(test_language__it_is_the_users_before_the_systems),
        test(test_language__one_that_is_nowhere_is_told_with_the_users_folder),
        test(test_language__who_has_no_data_folder_has_the_systems),
        test(test_language__a_damaged_one_gives_way_to_a_good_one),
        test(test_language__tables_of_another_version_are_unreadable),
        test(test_language__a_folder_without_a_record_is_unreadable),
        test(test_language__one_that_may_not_be_read_is_not_called_missing),
        test(test_language__a_parser_that_does_not_load_is_unreadable),
        test(test_language__a_parser_that_is_not_what_was_compiled_is_refused),
        test(test_language__a_parser_that_others_can_write_to_is_refused),
        test(test_language__the_systems_is_removed_only_by_name),
        test(test_language__folders_of_the_system_are_beside_the_program_and_where_it_is_put),
        test(test_language__the_list_of_folders_takes_their_place),
        test(test_language__the_build_takes_what_add_takes),
        test(test_language__symbols_of_the_parser_are_those_of_the_content_models),
        test(test_language__models_make_reports_oom),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
