/* A store whose campaign is a text of the test's.  Include after store_failure.h. */
#ifndef PARE_TESTS_STORED_CAMPAIGN_H
#define PARE_TESTS_STORED_CAMPAIGN_H

#include <pare/campaign.h>

#include "campaign/campaign_file.h"

static inline pare_campaign *campaign_of(const char *text, const char *store)
{
    pare_campaign *campaign = NULL;
    pare_error err = {0};
    if (pare_campaign_read_text(text, store, &campaign, &err)) fail_msg("%s", err.message);
    return campaign;
}

/* Makes `text` the store's newest configuration. */
static inline void set_campaign(pare_store *store, const char *text)
{
    char number[24];
    int64_t config = 0;
    assert_int_equal(pare_store_put_config(store, text, &config, NULL), PARE_OK);
    (void)snprintf(number, sizeof number, "%lld", (long long)config);
    assert_int_equal(pare_store_put_fact(store, "campaign", number, NULL), PARE_OK);
}

#endif
