/* Families of edits: what knowing the types of a file has to offer.
 *
 * Each adds items to `list`, empty, in the order of the text.  They only propose: what is offered
 * may be wrong, and is tested.  The same source gives the same items.
 * Errors of all: PARE_E_NOMEM. */
#ifndef PARE_TOOLS_CLANG_EDITS_FAMILIES_H
#define PARE_TOOLS_CLANG_EDITS_FAMILIES_H

#include "clang_edits/clang_source.h"
#include "clang_edits/edit_list.h"

/* Leaves out what nothing refers to, or only what is left out with it: overloads apart, members by
 * their class. */
PARE_CHECK pare_status pare_unused_edits_collect(const pare_clang_source *source,
                                                 pare_edit_list *list, pare_error *err);

/* Puts the type that is meant in the place of `auto` and of names of types. */
PARE_CHECK pare_status pare_type_edits_collect(const pare_clang_source *source,
                                               pare_edit_list *list, pare_error *err);

/* Puts the number that an expression comes to in its place. */
PARE_CHECK pare_status pare_value_edits_collect(const pare_clang_source *source,
                                                pare_edit_list *list, pare_error *err);

/* Makes function templates functions, by the arguments that a call has deduced or given. */
PARE_CHECK pare_status pare_instance_edits_collect(const pare_clang_source *source,
                                                   pare_edit_list *list, pare_error *err);

#endif
