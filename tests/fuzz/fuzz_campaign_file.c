/* Any text as a campaign's file: it is refused with one sentence, or read, and then its own text
 * is read back as the same. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "campaign/campaign_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds) abort();
}

/* Each option has a value of its kind, and an origin. */
static void look(const pare_campaign *campaign)
{
    const pare_campaign_setting *setting;
    for (size_t i = 0; (setting = pare_campaign_setting_at(campaign, i)) != NULL; i++)
        require(setting->section && setting->option && setting->value && *setting->origin);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    pare_error err = {0};
    pare_campaign *campaign = NULL, *again = NULL;
    char *text = pare_alloc_text((const char *)data, size);
    if (!text) return 0;
    if (strlen(text) != size || strstr(text, "${env:")) {
        pare_alloc_free(text);
        return 0;
    }
    pare_status status = pare_campaign_read_text(text, "/none/s.pare.db", &campaign, &err);
    require(!status == (campaign != NULL));
    require(!status || (*err.message && !strchr(err.message, '\n')));
    if (!status) {
        look(campaign);
        status =
            pare_campaign_read_text(pare_campaign_text(campaign), "/none/s.pare.db", &again, &err);
        require(!status && !strcmp(pare_campaign_text(campaign), pare_campaign_text(again)));
    }
    pare_campaign_free(again);
    pare_campaign_free(campaign);
    pare_alloc_free(text);
    return 0;
}
