/* What the nodes of one of several files use of the others.  For outline_syntax_names.c alone. */
#ifndef PARE_REDUCE_DEPENDENCY_OUTLINE_SYNTAX_LINK_H
#define PARE_REDUCE_DEPENDENCY_OUTLINE_SYNTAX_LINK_H

#include "base/fail.h"
#include "reduce/dependency/outline_syntax.h"

enum { PARE_OUTLINE_SYNTAX_LINK_BYTES = 128 };

/* Writes the word by which other files know what is called `text`; it is the word of no variable and no
 * member.  Returns its size; 0: the name is too long, and other files do not know it.  In languages with
 * paths (by_text) there are no such words: a name is known everywhere by its text. */
size_t pare_outline_syntax_link_name(const char *text, size_t size,
                                     char name[PARE_OUTLINE_SYNTAX_LINK_BYTES]);

/* Adds the uses of what other files declare; reader->file is set, and all files have declared their names.
 * `namer` is the reader's own; uses of members are told to it.  Only while pare_outline_syntax_names_use runs.
 * O(names of the file x links of the file).  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_outline_syntax_link_use(pare_outline_reader *reader,
                                                    pare_outline_namer *namer);

#endif
