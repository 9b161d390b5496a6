/* A campaign of a test's own, from the text of its file.  Included after cmocka. */
#ifndef PARE_TESTS_CAMPAIGN_TEXT_H
#define PARE_TESTS_CAMPAIGN_TEXT_H

#include "campaign/campaign_file.h"

static inline pare_campaign *campaign_of(const char *text)
{
    pare_campaign *campaign = NULL;
    pare_error err = {0};
    if (pare_campaign_read_text(text, "/tmp/none.pare.db", &campaign, &err))
        fail_msg("%s", err.message);
    return campaign;
}

#endif
