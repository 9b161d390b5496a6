/* Cases whose input a generator makes, of which the choices are recorded. */
#include <pare/record.h>
#include <pare/shootout.h>

#include "shootout/suite.h"

pare_status pare_case_record(pare_case *made, const char *choices, pare_error *err)
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
