/* The passes of this layer, one source file each. */
#ifndef PARE_REDUCE_PASSES_PASSES_H
#define PARE_REDUCE_PASSES_PASSES_H

#include "reduce/passes/pass.h"

extern const pare_pass pare_pass_comments;        /* comments.c */
extern const pare_pass pare_pass_duplicate_lines; /* duplicates.c */
extern const pare_pass pare_pass_brackets;        /* brackets.c */
extern const pare_pass pare_pass_joints;          /* joints.c */
extern const pare_pass pare_pass_lift;            /* lift.c */
extern const pare_pass pare_pass_operators;       /* operators.c */
extern const pare_pass pare_pass_inline;          /* inline.c */
extern const pare_pass pare_pass_alternatives;    /* alternatives.c */
extern const pare_pass pare_pass_occurrences;     /* occurrences.c */
extern const pare_pass pare_pass_between;         /* between.c */
extern const pare_pass pare_pass_insides;         /* insides.c */
extern const pare_pass pare_pass_token_rules;     /* token_rules.c */
extern const pare_pass pare_pass_between_bytes;   /* between.c */
extern const pare_pass pare_pass_numbers;         /* numbers.c */
extern const pare_pass pare_pass_strings;         /* strings.c */
extern const pare_pass pare_pass_peephole;        /* peephole.c */
extern const pare_pass pare_pass_windows;         /* windows.c */
extern const pare_pass pare_pass_patterns;        /* patterns.c */
extern const pare_pass pare_pass_merge;           /* merge.c */
extern const pare_pass pare_pass_short_names;     /* short_names.c */
extern const pare_pass pare_pass_byte_windows;    /* bytes.c */
extern const pare_pass pare_pass_reorder;         /* reorder.c */
extern const pare_pass pare_pass_byte_values;     /* bytes.c */
extern const pare_pass pare_pass_space;           /* space.c */

#endif
