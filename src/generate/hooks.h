/* Hooks of the user's, in Lua 5.4: functions that are called before and after what a
 * generator makes, so that a text can keep rules that no grammar says (lengths, checksums,
 * names that are declared).
 *
 *     function pre.NAME(name)         before: a text in its place, or nil to have it made
 *     function post.NAME(text, name)  after: a text in its place, or nil to leave it
 *
 * NAME is a rule, an alternative of one (RULE#NUMBER from 0, RULE#LABEL), or a name that a
 * grammar gives to a symbol.  A hook asks with choose(n), choose(low, high), chance(p); knows
 * names by define(text), commit(), names(); a pre hook has the text made by make(); reject()
 * gives the whole text up.
 *
 * The script runs in a sandbox: Lua's base, string, table, math and utf8 libraries, without
 * functions that read files, load code, reveal times or addresses, iterate tables in internal
 * order, catch errors, or take long in one step (patterns).  It is run again for each text, so a
 * text depends only on its choices.  Limits, each for one text: PARE_HOOKS_STEPS instructions,
 * PARE_HOOKS_BYTES of memory, PARE_HOOKS_CHOICES choices.
 * Source: seed 004 (Gopinath), the functions `pre` and `post` of ComplexFuzzer.
 * One thread. */
#ifndef PARE_GENERATE_HOOKS_H
#define PARE_GENERATE_HOOKS_H

#include <stdint.h>

#include "base/buffer.h"
#include "reduce/choice/choices.h"

/* Names that a generated text declares: define before use.
 *
 * A declared name is pending until it is committed, then visible.  A name that was declared
 * twice is there twice.  All-zero is empty; one thread.  Source: seed 004, ComplexFuzzer. */

/* Bytes of `texts`. */
typedef struct pare_name {
    uint32_t offset, size;
} pare_name;

typedef struct pare_hooks_names {
    pare_buffer texts;
    pare_name *names; /* owned; the visible ones, then the pending ones */
    size_t n, capacity;
    size_t n_visible;
} pare_hooks_names;

void pare_hooks_names_reset(pare_hooks_names *declared); /* empties, keeps the memory */
void pare_hooks_names_done(pare_hooks_names *declared);

/* Adds a pending name.  Errors: PARE_E_NOMEM, PARE_E_LIMIT (over 4 GiB of names). */
PARE_CHECK pare_status pare_hooks_names_define(pare_hooks_names *declared, const char *name,
                                               size_t size, pare_error *err);

/* Makes the pending names visible. */
void pare_hooks_names_commit(pare_hooks_names *declared);

enum {
    PARE_HOOKS_STEPS = 10000000,
    PARE_HOOKS_SECONDS = 10, /* of processor time, where single steps take long */
    PARE_HOOKS_BYTES = 16 << 20,
    PARE_HOOKS_CHOICES = 100000
};

typedef struct pare_hooks pare_hooks;

typedef enum pare_hook_time { PARE_HOOK_PRE, PARE_HOOK_POST } pare_hook_time;

/* Which hook; the same for every pare_hooks of one script. */
typedef uint32_t pare_hook_number;
#define PARE_NO_HOOK UINT32_MAX

/* The two that belong to one thing. */
typedef struct pare_hook_pair {
    pare_hook_number pre, post;
} pare_hook_pair;

/* What a generator lends to a hook while that runs. */
typedef struct pare_hook_host {
    pare_choices *choices;
    pare_hooks_names *declared;
    pare_buffer *text; /* made so far */
    void *self;

    /* Appends to *text what stands after a pre hook; NULL in a post hook. */
    pare_status (*make)(void *self, pare_error *err);
} pare_hook_host;

/* Runs the script once, to see its hooks; `path` is for sentences.  On PARE_OK the caller owns
 * *out.  Errors: PARE_E_SYNTAX (it is wrong, or ends in an error), PARE_E_LIMIT (one of those
 * above), PARE_E_UNSUPPORTED (pare was built without Lua), PARE_E_NOMEM. */
PARE_CHECK pare_status pare_hooks_new(const char *path, const char *script, size_t size,
                                      pare_hooks **out, pare_error *err);
void pare_hooks_free(pare_hooks *hooks); /* NULL is a no-op */

/* The hooks of that name; each may be PARE_NO_HOOK.  NULL hooks have none. */
pare_hook_pair pare_hooks_find(pare_hooks *hooks, const char *name);

/* Whether every hook was found by now.  Errors: PARE_E_SYNTAX, with the one that was not. */
PARE_CHECK pare_status pare_hooks_check_found(const pare_hooks *hooks, pare_error *err);

/* A new text begins. */
void pare_hooks_start(pare_hooks *hooks);

/* A hook to be called.  Borrowed. */
typedef struct pare_hook_call {
    pare_hook_number hook;
    const pare_hook_host *host;
    const char *name; /* of the thing that it is called for */
    const char *text; /* of the thing, `size` bytes; NULL for a pre hook */
    size_t size;
} pare_hook_call;

/* Calls a hook.  *replaced says whether it gave a text, which is appended to *result.
 * Errors: PARE_E_SYNTAX (the hook ends in an error, or with something that is no text),
 * PARE_E_LIMIT, PARE_E_UNSUPPORTED (it rejects the text), PARE_E_NOMEM, those of choices and of
 * `make`. */
PARE_CHECK pare_status pare_hooks_call(pare_hooks *hooks, const pare_hook_call *called,
                                       pare_buffer *result, bool *replaced, pare_error *err);

#endif
