/* Findings of a campaign for a terminal and as JSON: the list, and all about one. */
#ifndef PARE_UI_FINDING_LIST_H
#define PARE_UI_FINDING_LIST_H

#include <pare/findings.h>

#include "base/buffer.h"
#include "ui/sheet.h"

/* The head of the list, and a line for a finding. */
void pare_finding_list_head(pare_sheet *sheet);
void pare_finding_list_row(pare_sheet *sheet, const pare_finding *finding);

/* All about one: what it is, its result, what the target printed, its history.  Errors: those of the
 * store; running out of memory is kept in the sheet. */
PARE_CHECK pare_status pare_finding_list_show(pare_sheet *sheet, pare_store *store,
                                              const pare_finding *finding, pare_error *err);

/* How much of a finding its JSON has. */
typedef enum pare_finding_extent {
    PARE_FINDING_ROW, /* what the list shows */
    PARE_FINDING_WHOLE
} pare_finding_extent;

/* Appends one object, without a line end.  Times are milliseconds since 1970.
 * Errors: PARE_E_NOMEM, PARE_E_CORRUPT (a text that is none). */
PARE_CHECK pare_status pare_finding_list_json(const pare_finding *finding,
                                              pare_finding_extent extent, pare_buffer *out,
                                              pare_error *err);

#endif
