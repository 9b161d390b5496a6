/* Inside the resolver: what its files share. */
#ifndef PARE_GRAMMAR_G4_RESOLVER_H
#define PARE_GRAMMAR_G4_RESOLVER_H

#include "base/buffer.h"
#include "grammar/build.h"
#include "grammar/g4_ast.h"
#include "grammar/g4_lex.h"
#include "grammar/g4_load.h"
#include "grammar/g4_text.h"
#include "grammar/grammar.h"
#include "grammar/intervals.h"
#include "grammar/names.h"
#include "grammar/unicode.h"

/* A rule that counts, and what became of it. */
typedef struct pare_g4_member {
    const pare_g4_file *file;
    const pare_g4_rule *rule;
    pare_index index; /* in the grammar */
} pare_g4_member;

typedef struct pare_g4_members {
    pare_g4_member *items; /* owned */
    size_t n, capacity;
    pare_names names; /* to items */
} pare_g4_members;

typedef struct pare_g4_resolver {
    const pare_g4_project *project;
    pare_builder builder;
    pare_g4_members parser, lexer;
    pare_unicode unicode;
    pare_code_points points; /* of the literal looked at */
    pare_buffer utf8;        /* the same as UTF-8 */
    pare_intervals set;      /* the one being made */
    pare_index *map;         /* nodes of the file looked at to expressions */
    bool warned_escape, warned_property, warned_near;
    pare_error *err;
} pare_g4_resolver;

/* Reads a literal into points and utf8.  Errors: PARE_E_SYNTAX, PARE_E_NOMEM. */
PARE_CHECK pare_status pare_g4_decode(pare_g4_resolver *resolver, const pare_g4_file *file,
                                      pare_g4_word word);

/* Warns, once for each kind, of what was odd about a text. */
void pare_g4_warn_odd(pare_g4_resolver *resolver, const pare_g4_file *file,
                      const pare_g4_oddities *oddities);

/* Fails at `place` in the member's rule. */
pare_status pare_g4_fail_in(pare_g4_resolver *resolver, const pare_g4_member *member,
                            pare_g4_word place, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Gives rules, tokens, literals, modes and channels their indices. */
PARE_CHECK pare_status pare_g4_declare(pare_g4_resolver *resolver);

/* Makes the bodies and commands of all members. */
PARE_CHECK pare_status pare_g4_translate(pare_g4_resolver *resolver);

#endif
