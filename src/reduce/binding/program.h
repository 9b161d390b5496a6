/* A program as the passes see it: its nodes, its names, and what is offered about them. */
#ifndef PARE_REDUCE_BINDING_PROGRAM_H
#define PARE_REDUCE_BINDING_PROGRAM_H

#include "reduce/binding/bindings.h"
#include "reduce/binding/rewrites.h"
#include "reduce/binding/syntax.h"
#include "reduce/passes/pass.h"
#include "text/patch.h"

/* All of it lives as long as one offer; moved nowhere once it is made. */
typedef struct pare_program {
    pare_syntax syntax;
    pare_bindings names;
    pare_rewrites rewrites;
} pare_program;

/* What a pass does with a program: it collects items. */
typedef pare_status pare_program_collect(pare_program *program, pare_error *err);

/* How a pass offers what it collected: see pare_rewrites_write. */
typedef struct pare_program_offers {
    pare_program_collect *collect;
    pare_rewrites_grouping grouping;
    size_t most;   /* items; 0: all */
    int64_t least; /* bytes that each patch saves */
} pare_program_offers;

/* Reads the view's program, lets the pass collect, and writes what came of it; nothing for a
 * text whose language has no table.  Errors: PARE_E_NOMEM, PARE_E_LIMIT. */
PARE_CHECK pare_status pare_program_offer(const pare_pass_view *view,
                                          const pare_program_offers *offers, pare_patches *out,
                                          pare_error *err);

/* What becomes of a use whose declaration goes. */
typedef enum pare_use_end {
    PARE_USE_LEFT_OUT, /* with the statement that holds it */
    PARE_USE_NEUTRAL   /* it, and what reaches it, becomes the smallest value or type; of an
                          assignment the value stays */
} pare_use_end;

/* Wishes that for `occurrence`.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_program_end_use(pare_program *program, uint32_t occurrence,
                                            pare_use_end end, pare_error *err);

/* Wishes that what `occurrence` declares goes, its value too where that stands beside it.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_program_remove(pare_program *program, uint32_t occurrence,
                                           pare_error *err);

/* Whether the symbol is what the language calls from outside (main). */
bool pare_program_is_entry(const pare_program *program, uint32_t symbol);

/* The call whose callee is what `occurrence` ends, or PARE_NO_NODE. */
uint32_t pare_program_call(const pare_program *program, uint32_t occurrence);

/* Wishes that of `node` only its part `kept`, which is below it, stays: two cuts, so that
 * other wishes inside `kept` agree with it.  Errors: PARE_E_NOMEM, PARE_E_LIMIT. */
PARE_CHECK pare_status pare_program_keep(pare_program *program, uint32_t node, uint32_t from,
                                         uint32_t to, pare_error *err);

/* Bytes *from .. *to-1 of what is in a block, without its brackets; false: nothing is. */
bool pare_program_inside(const pare_program *program, uint32_t block, uint32_t *from, uint32_t *to);

/* Wishes that bytes from .. to-1 move left, to the column of byte `at`; nothing, if they are not
 * further in.  Errors: PARE_E_NOMEM, PARE_E_LIMIT. */
PARE_CHECK pare_status pare_program_outdent(pare_program *program, uint32_t at, uint32_t from,
                                            uint32_t to, pare_error *err);

/* Wishes that argument `index` of the call goes; nothing, if it has fewer or is PARE_NO_NODE.
 * Errors: PARE_E_NOMEM, PARE_E_LIMIT. */
PARE_CHECK pare_status pare_program_remove_argument(pare_program *program, uint32_t call,
                                                    size_t index, pare_error *err);

/* Wishes that parameter `index` goes from all declarations of `symbol` but `function`, and its
 * argument from all calls.  Errors: PARE_E_NOMEM, PARE_E_LIMIT. */
PARE_CHECK pare_status pare_program_remove_parameter(pare_program *program, uint32_t symbol,
                                                     uint32_t function, size_t index,
                                                     pare_error *err);

/* A name of one letter, or of two, that stands nowhere in the file; if all of those do, one of
 * them. */
void pare_program_unused_name(const pare_program *program, char name[3]);

/* --- the passes over names and syntax ---------------------------------------------------- */

/* All of them, in the order in which they are worth trying: coarse to fine, those that may
 * grow the text (PARE_PASS_ANY) last; *n of them. */
const pare_pass *const *pare_program_passes(size_t *n);

/* NULL when there is none of that name. */
const pare_pass *pare_program_pass_find(const char *name);

extern const pare_pass pare_binding_unused;              /* removals.c */
extern const pare_pass pare_binding_declarations;        /* removals.c */
extern const pare_pass pare_binding_members;             /* removals.c */
extern const pare_pass pare_binding_bodies;              /* statements.c */
extern const pare_pass pare_binding_parameters;          /* removals.c */
extern const pare_pass pare_binding_arguments;           /* arguments.c */
extern const pare_pass pare_binding_merge_declarations;  /* statements.c */
extern const pare_pass pare_binding_return_nothing;      /* expressions.c */
extern const pare_pass pare_binding_namespaces;          /* classes.c */
extern const pare_pass pare_binding_bases;               /* classes.c */
extern const pare_pass pare_binding_plain_classes;       /* classes.c */
extern const pare_pass pare_binding_own_names;           /* own_names.c */
extern const pare_pass pare_binding_free_members;        /* free_members.c */
extern const pare_pass pare_binding_scalars;             /* classes.c */
extern const pare_pass pare_binding_template_parameters; /* templates.c */
extern const pare_pass pare_binding_alias_templates;     /* templates.c */
extern const pare_pass pare_binding_merge_bases;         /* classes.c */
extern const pare_pass pare_binding_parameter_variables; /* functions.c */
extern const pare_pass pare_binding_undefined_functions; /* functions.c */
extern const pare_pass pare_binding_operator_names;      /* functions.c */
extern const pare_pass pare_binding_plain_arrays;        /* visible_types.c */
extern const pare_pass pare_binding_shorter_forms;       /* shorter_forms.c */
extern const pare_pass pare_binding_visible_types;       /* visible_types.c */
extern const pare_pass pare_binding_spread_types;        /* visible_types.c */
extern const pare_pass pare_binding_spread_parts;        /* lifting.c */
extern const pare_pass pare_binding_blocks;              /* statements.c */
extern const pare_pass pare_binding_modifiers;           /* modifiers.c */
extern const pare_pass pare_binding_recursion;           /* recursion.c */
extern const pare_pass pare_binding_expressions;         /* expressions.c */
extern const pare_pass pare_binding_types;               /* expressions.c */
extern const pare_pass pare_binding_dimensions;          /* removals.c */
extern const pare_pass pare_binding_inline_values;       /* inlining.c */
extern const pare_pass pare_binding_spread_values;       /* inlining.c */
extern const pare_pass pare_binding_inline_calls;        /* inlining.c */
extern const pare_pass pare_binding_spread_calls;        /* inlining.c */
extern const pare_pass pare_binding_moves;               /* statements.c */

#endif
