/* Regular expressions for a walk: patterns, flags, and strings that they are about.
 *
 * Patterns are of ES5, and valid where that is asked for; they use every form the standard has
 * (groups, lookahead, classes, escapes, greedy and lazy quantifiers, backreferences) over few
 * characters, of which the strings are made too, so that patterns often match. */
#ifndef PARE_GENERATE_PROTOTYPE_REGEX_VALUES_H
#define PARE_GENERATE_PROTOTYPE_REGEX_VALUES_H

#include "generate/prototype/emitter.h"

/* A literal with its flags, as /(a|b)+?\1/gi; every engine of ES5 reads it. */
void pare_regex_values_literal(pare_emitter *emitter);

/* A string literal with a pattern in it; one in eight is nearly well-formed only. */
void pare_regex_values_text(pare_emitter *emitter);

/* A string literal of flags, some of them wrong. */
void pare_regex_values_flags(pare_emitter *emitter);

/* A string literal that patterns made here are likely to match somewhere. */
void pare_regex_values_subject(pare_emitter *emitter);

/* A string literal of a replacement, with $ forms. */
void pare_regex_values_replacement(pare_emitter *emitter);

#endif
