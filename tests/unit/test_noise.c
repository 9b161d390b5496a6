/* What a target says at every start becomes patterns; what it says of an input does not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include <pare/campaign.h>

#include "base/alloc.h"
#include "campaign/campaign_file.h"
#include "campaign/target.h"
#include "unit/support/scratch.h"

/* A program of the given shell text, and the campaign of it and a source. */
static pare_campaign *make_campaign(const char *name, const char *text, const char *setting)
{
    char path[64];
    (void)snprintf(path, sizeof path, "./%s", name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    (void)fprintf(file, "#!/bin/sh\n%s\n", text);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(chmod(path, 0755), 0);
    const char *const words[] = {path, "@@"};
    const char *const settings[] = {setting};
    const pare_campaign_options options = {.from = "random",
                                           .program = words,
                                           .n_program = 2,
                                           .settings = settings,
                                           .n_settings = setting != NULL};
    pare_campaign *campaign = NULL;
    pare_error err = {0};
    pare_status status = pare_campaign_read(&options, &campaign, &err);
    if (status) print_error("%s\n", err.message);
    assert_int_equal(status, PARE_OK);
    return campaign;
}

static char *noise_of(const pare_campaign *campaign)
{
    char *setting = NULL;
    pare_error err = {0};
    pare_status status = pare_campaign_noise(campaign, &setting, &err);
    if (status) print_error("%s\n", err.message);
    assert_int_equal(status, PARE_OK);
    return setting;
}

/* What the target shows on an input, as its identity; released by the caller. */
static char *identity_of(const pare_campaign *campaign, const char *name, const char *input)
{
    pare_target target = {0};
    pare_target_oracle oracle;
    pare_target_seen seen = {.outcome = PARE_NO_OUTCOME};
    assert_int_equal(pare_target_read(campaign, name, &target, NULL), PARE_OK);
    assert_int_equal(pare_target_open(&target, false, 1, NULL, &oracle, NULL), PARE_OK);
    assert_int_equal(pare_target_try(&target, &oracle, input, strlen(input), &seen, NULL), PARE_OK);
    char *identity = seen.identity ? pare_alloc_text(seen.identity, strlen(seen.identity)) : NULL;
    pare_target_seen_done(&seen);
    pare_target_close(&oracle);
    pare_target_done(&target);
    return identity;
}

static const char TWO[] =
    "echo '/src/a/run.c:15:3: runtime error: applying non-zero offset 123 to null pointer' >&2\n"
    "echo '/src/a/str.c:7:9: runtime error: left shift of -1 by 3 places' >&2\n"
    "grep -q x \"$1\" && echo '/src/date.c:88:13: runtime error: signed integer overflow: 1 * 2' "
    ">&2\n"
    "exit 0";

static void test_noise__complaints_at_every_start_hide_no_other(void **state)
{
    (void)state;
    pare_campaign *campaign = make_campaign("two", TWO, NULL);
    char *setting = noise_of(campaign);
    assert_non_null(setting);
    assert_null(strstr(setting, "date"));
    pare_campaign_free(campaign);
    campaign = make_campaign("two", TWO, setting);
    assert_null(noise_of(campaign));
    assert_null(identity_of(campaign, "two", ""));
    assert_null(identity_of(campaign, "two", "y"));
    char *identity = identity_of(campaign, "two", "x");
    assert_non_null(identity);
    assert_non_null(strstr(identity, "signed integer overflow"));
    assert_non_null(strstr(identity, "date.c"));
    pare_alloc_free(identity);
    pare_alloc_free(setting);
    pare_campaign_free(campaign);
}

/* One that dies of nothing is refused elsewhere (pare_target_check), and a quiet one has none. */
static void test_noise__only_what_the_program_goes_on_after(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"quiet", "exit 0"},
        {"dies", "echo 'a.c:1:2: runtime error: division by zero' >&2; exit 1"},
        {"aborts", "echo 'a.c:1:2: runtime error: division by zero' >&2; kill -ABRT $$"},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        pare_campaign *campaign = make_campaign(rows[k][0], rows[k][1], NULL);
        assert_null(noise_of(campaign));
        pare_campaign_free(campaign);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_noise__complaints_at_every_start_hide_no_other),
        cmocka_unit_test(test_noise__only_what_the_program_goes_on_after),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
