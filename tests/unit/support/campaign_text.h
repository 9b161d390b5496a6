/* A campaign of a test's own, from the text of its file, in a folder that is not there: words of commands that name
 * a file beside it would become paths.  Included after cmocka. */
#ifndef PARE_TESTS_CAMPAIGN_TEXT_H
#define PARE_TESTS_CAMPAIGN_TEXT_H

#include "campaign/campaign_file.h"

static inline pare_campaign *campaign_of(const char *text)
{
    pare_campaign *campaign = NULL;
    pare_error err = {0};
    if (pare_campaign_read_text(text, "/no-such-folder/none.pare.db", &campaign, &err))
        fail_msg("%s", err.message);
    return campaign;
}

#endif
