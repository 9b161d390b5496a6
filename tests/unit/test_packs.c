/* The table of language packs: in order, found by name and alias, and pinned. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "lang/packs.h"

/* Pack number `index`, in the order of their names; NULL after the last. */
static const pare_pack *pack_at(size_t index)
{
    const pare_language_info *info = pare_language_at(index);
    const pare_pack *pack = NULL;
    if (info) assert_int_equal(pare_packs_get(info->name, &pack, NULL), PARE_OK);
    return pack;
}

/* A name finds the pack, or, where that is NULL, is told to be none. */
static void assert_finds(const char *name, const pare_pack *wanted)
{
    const pare_pack *found = NULL;
    pare_status status = pare_packs_get(name, &found, NULL);
    assert_int_equal(status, wanted ? PARE_OK : PARE_E_ARG);
    assert_ptr_equal(found, wanted);
}

static void test_packs__are_sorted_and_found_by_their_names(void **state)
{
    (void)state;
    const pare_pack *pack, *before = NULL;
    for (size_t i = 0; (pack = pack_at(i)) != NULL; before = pack, i++) {
        if (before) assert_true(strcmp(before->info.name, pack->info.name) < 0);
        assert_finds(pack->info.name, pack);
    }
    assert_non_null(before);
    assert_finds("", NULL);
    assert_finds("nosuch", NULL);
}

static void test_packs__an_alias_is_of_one_language(void **state)
{
    (void)state;
    const pare_pack *pack;
    for (size_t i = 0; (pack = pack_at(i)) != NULL; i++) {
        char alias[40];
        for (const char *at = pack->info.aliases; *at;) {
            size_t size = strcspn(at, " ");
            assert_true(size && size < sizeof alias);
            memcpy(alias, at, size);
            alias[size] = '\0';
            assert_finds(alias, pack);
            at += size + (at[size] == ' ');
        }
    }
}

static void assert_pinned(const char *package, const char *version, const char *integrity)
{
    static const char sha512[] = "sha512-";
    assert_true(*package && *version);
    assert_memory_equal(integrity, sha512, sizeof sha512 - 1);
    assert_int_equal(strlen(integrity), sizeof sha512 - 1 + 88);
}

static void test_packs__every_package_is_pinned_by_a_sha512(void **state)
{
    (void)state;
    const pare_pack *pack;
    for (size_t i = 0; (pack = pack_at(i)) != NULL; i++) {
        assert_int_equal(pack->info.is_model, pack->pins != NULL);
        for (const pare_pack_pin *pin = pack->pins; pin && pin->package; pin++)
            assert_pinned(pin->package, pin->version, pin->integrity);
        if (!pack->pins) {
            assert_pinned(pack->info.package, pack->info.version, pack->integrity);
            assert_memory_equal(pack->symbol, "tree_sitter_", 12);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_packs__are_sorted_and_found_by_their_names),
        cmocka_unit_test(test_packs__an_alias_is_of_one_language),
        cmocka_unit_test(test_packs__every_package_is_pinned_by_a_sha512),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
