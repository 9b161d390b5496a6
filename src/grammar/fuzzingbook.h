/* The reader of grammars as the Fuzzing Book writes them, in JSON:
 * {"<start>": ["<expr>"], "<expr>": ["<term> + <expr>", ["<term>", "..."], ...], ...}.
 *
 * An expansion is a text in which <names> are nonterminals, or a list of symbols (a text
 * that is a <name> as a whole, or a terminal), or [text, {options}], whose options are
 * ignored.  A symbol of a list may be [text, {"pre": hook}] or [text, {"post": hook}], as
 * seed 004 has it: the hook's name becomes the element's label, for generators (see
 * generate/expansion_costs.h).  A name in angle brackets that is no key of the object is an error in a list
 * and in a text alike.  The grammar is scannerless: its rules work on characters.
 * Source: seed 002 and The Fuzzing Book, chapters Grammars and GrammarFuzzer. */
#ifndef PARE_GRAMMAR_FUZZINGBOOK_H
#define PARE_GRAMMAR_FUZZINGBOOK_H

#include "grammar/grammar.h"

#include <pare/export.h>
#include <pare/status.h>

/* Reads the grammar in the file `path`.  The first rule is <start>, or the first key when
 * there is none of that name; rules are called by their keys, with the brackets.
 * On PARE_OK the caller owns *out.
 * Errors: PARE_E_SYNTAX (no JSON, not of this form, a nonterminal without expansions),
 * PARE_E_IO, PARE_E_LIMIT (nested too deeply), PARE_E_NOMEM. */
PARE_CHECK pare_status pare_fuzzingbook_read(const char *path, pare_grammar **out, pare_error *err);

/* The same from memory; `path` is for sentences. */
PARE_CHECK pare_status pare_fuzzingbook_read_memory(const char *path, const char *text, size_t size,
                                                    pare_grammar **out, pare_error *err);

#endif
