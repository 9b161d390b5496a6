/* Notes of a text of instructions: which there are, how they are mentioned, and which are reached.
 *
 * A mention is cut with its key and one comma (ssa_edit.c prints that).  Cutting mentions and forgetting
 * what is not reached then is one edit: of the debug information of a program most hangs on a few keys,
 * such as `elements:` or `retainedNodes:`, and a key is one test however often it stands there.
 *
 * Invariant: only mentions by number are cut; names of kinds (`!DILocation`) stay with what they begin.
 * Cost: O(names) for each call, no test. */
#include "reduce/ssa/ssa_notes.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/checksum.h"
#include "base/halving.h"

/* ---- which ------------------------------------------------------------------------------------ */

/* Whether functions, or what they define, have names of the sigil. */
static bool is_of_code(const pare_ssa *ssa, unsigned char sigil)
{
    if (sigil == ssa->dialect.sigil || sigil == PARE_SSA_BARE) return true;
    for (size_t i = 0; i < ssa->n_functions; i++) {
        uint32_t own = pare_ssa_own_name(ssa, ssa->functions[i].header);
        if (own != PARE_SSA_NONE && ssa->names[own].sigil == sigil) return true;
    }
    return false;
}

pare_ssa_notes pare_ssa_notes_find(const pare_ssa *ssa)
{
    pare_ssa_notes notes = {.any = false};
    bool is_known[UCHAR_MAX + 1] = {false};
    for (size_t i = 0; i < ssa->n_statements && !ssa->dialect.fragment; i++) {
        uint32_t own =
            ssa->statements[i].role == PARE_SSA_TOP ? pare_ssa_own_name(ssa, i) : PARE_SSA_NONE;
        if (own == PARE_SSA_NONE || !pare_ssa_is_number(ssa, &ssa->names[own])) continue;
        const unsigned char sigil = ssa->names[own].sigil;
        if (is_known[sigil]) continue;
        is_known[sigil] = true;
        if (!is_of_code(ssa, sigil)) notes.sigils[sigil] = notes.any = true;
    }
    return notes;
}

bool pare_ssa_notes_are_most(const pare_ssa *ssa, const pare_ssa_notes *notes)
{
    size_t bytes = 0;
    for (size_t i = 0; notes->any && i < ssa->n_statements; i++)
        if (pare_ssa_notes_is_note(ssa, notes, i))
            bytes += ssa->statements[i].to - ssa->statements[i].from;
    return bytes > ssa->size / 2;
}

bool pare_ssa_notes_is_note(const pare_ssa *ssa, const pare_ssa_notes *notes, size_t statement)
{
    if (!notes->any || ssa->statements[statement].role != PARE_SSA_TOP) return false;
    uint32_t own = pare_ssa_own_name(ssa, statement);
    return own != PARE_SSA_NONE && notes->sigils[ssa->names[own].sigil] &&
           pare_ssa_is_number(ssa, &ssa->names[own]);
}

/* Whether the name of the statement is a mention. */
static bool is_mention(const pare_ssa *ssa, const pare_ssa_notes *notes, size_t statement,
                       uint32_t name)
{
    const pare_ssa_name *at = &ssa->names[name];
    return notes->sigils[at->sigil] && !at->defines && pare_ssa_is_number(ssa, at) &&
           pare_ssa_own_name(ssa, statement) != name;
}

bool pare_ssa_notes_has(const pare_ssa *ssa, const pare_ssa_notes *notes, size_t statement)
{
    if (!notes->any || pare_ssa_notes_is_note(ssa, notes, statement)) return false;
    for (uint32_t k = ssa->statements[statement].first; k < pare_ssa_names_end(ssa, statement); k++)
        if (is_mention(ssa, notes, statement, k)) return true;
    return false;
}

/* ---- keys ------------------------------------------------------------------------------------- */

/* Where the key of a mention begins, in the statement that begins at `from`; where the mention does: it
 * has none, as an element of a list: `!{!1, !2}`. */
static uint32_t key_begin(const pare_ssa *ssa, uint32_t name, uint32_t from)
{
    const unsigned char *bytes = ssa->bytes;
    const uint32_t begin = ssa->names[name].from;
    uint32_t at = begin;
    while (at > from && bytes[at - 1] == ' ')
        at--;
    if (at == begin) return begin;
    const uint32_t end = at;
    if (at > from && bytes[at - 1] == ':') at--;
    while (at > from && bytes[at - 1] != ' ' && bytes[at - 1] != ',' && bytes[at - 1] != '(' &&
           bytes[at - 1] != '{' && bytes[at - 1] != ')' && bytes[at - 1] != '}' &&
           bytes[at - 1] != '=' && bytes[at - 1] != '\n')
        at--;
    return at < end ? at : begin;
}

/* What the mention in the statement is told apart by.  Elements have no key; those of a note with a name
 * (`!llvm.module.flags = !{!1, !2}`) have its name for one. */
static uint64_t hash_by(const pare_ssa *ssa, const pare_ssa_notes *notes, pare_ssa_notes_by by,
                        size_t statement, uint32_t name)
{
    const pare_ssa_name *at = &ssa->names[name];
    if (by == PARE_SSA_NOTES_NOTE) return pare_checksum(ssa->bytes + at->from, at->to - at->from);
    const uint32_t key = key_begin(ssa, name, ssa->statements[statement].from);
    const uint32_t own = pare_ssa_own_name(ssa, statement);
    if (key == at->from && own != PARE_SSA_NONE && !pare_ssa_notes_is_note(ssa, notes, statement))
        return pare_checksum(ssa->bytes + ssa->names[own].from,
                             ssa->names[own].to - ssa->names[own].from);
    return pare_checksum(ssa->bytes + key, at->from - key);
}

/* A hash and where it was met. */
struct met {
    uint64_t hash;
    uint32_t name;
};

static int by_hash(const void *left, const void *right)
{
    const struct met *a = left, *b = right;
    if (a->hash != b->hash) return a->hash < b->hash ? -1 : 1;
    return a->name < b->name ? -1 : a->name > b->name;
}

static int by_name(const void *left, const void *right)
{
    const struct met *a = left, *b = right;
    return a->name < b->name ? -1 : a->name > b->name;
}

pare_status pare_ssa_notes_list(const pare_ssa *ssa, const pare_ssa_notes *notes,
                                pare_ssa_notes_by by, uint64_t **out, size_t *n, pare_error *err)
{
    struct met *met = pare_alloc(ssa->n_names + 1, sizeof *met);
    size_t n_met = 0, n_once = 0;
    *out = NULL;
    *n = 0;
    if (!met) return pare_fail_nomem(err);
    for (size_t i = 0; i < ssa->n_statements; i++)
        for (uint32_t k = ssa->statements[i].first; k < pare_ssa_names_end(ssa, i); k++)
            if (is_mention(ssa, notes, i, k))
                met[n_met++] = (struct met){hash_by(ssa, notes, by, i, k), k};
    qsort(met, n_met, sizeof *met, by_hash);
    for (size_t i = 0; i < n_met; i++)
        if (!n_once || met[n_once - 1].hash != met[i].hash) met[n_once++] = met[i];
    qsort(met, n_once, sizeof *met, by_name);
    uint64_t *hashes = n_once ? pare_alloc(n_once, sizeof *hashes) : NULL;
    for (size_t i = 0; hashes && i < n_once; i++)
        hashes[i] = met[i].hash;
    pare_alloc_free(met);
    if (n_once && !hashes) return pare_fail_nomem(err);
    *out = hashes;
    *n = n_once;
    return PARE_OK;
}

/* ---- cutting ---------------------------------------------------------------------------------- */

/* Cuts one mention.  A statement that defines nothing goes with its argument, such as
 * `call void @llvm.dbg.value(metadata i32 %x, metadata !7)`. */
static void cut(const pare_ssa *ssa, size_t statement, uint32_t name, pare_ssa_edit *edit)
{
    const pare_ssa_statement *at = &ssa->statements[statement];
    bool defines = false;
    edit->cut[name] = key_begin(ssa, name, at->from) + 1;
    assert(edit->cut[name] > at->from && edit->cut[name] <= ssa->names[name].from + 1);
    /* A call has as many arguments as it likes: each looks only until it is decided. */
    if (at->role != PARE_SSA_PLAIN || !ssa->names[name].nested || edit->gone[statement]) return;
    for (uint32_t k = at->first; k < pare_ssa_names_end(ssa, statement) && !defines; k++)
        defines = ssa->names[k].defines;
    if (!defines) edit->gone[statement] = 1;
}

static bool has_hash(const uint64_t *sorted, size_t n, uint64_t hash)
{
    pare_halving search = {.low = 0, .high = n};
    while (pare_halving_next(&search))
        pare_halving_tell(&search, sorted[search.middle] < hash);
    return search.low < n && sorted[search.low] == hash;
}

void pare_ssa_notes_cut(const pare_ssa *ssa, const pare_ssa_notes *notes, pare_ssa_notes_by by,
                        const uint64_t *hashes, size_t n, pare_ssa_edit *edit)
{
    for (size_t i = 0; i < ssa->n_statements; i++)
        for (uint32_t k = ssa->statements[i].first; k < pare_ssa_names_end(ssa, i); k++)
            if (is_mention(ssa, notes, i, k) && has_hash(hashes, n, hash_by(ssa, notes, by, i, k)))
                cut(ssa, i, k, edit);
}

void pare_ssa_notes_cut_in(const pare_ssa *ssa, const pare_ssa_notes *notes, size_t from, size_t to,
                           pare_ssa_edit *edit)
{
    for (size_t i = from; i < to; i++)
        for (uint32_t k = ssa->statements[i].first;
             k < pare_ssa_names_end(ssa, i) && !pare_ssa_notes_is_note(ssa, notes, i); k++)
            if (is_mention(ssa, notes, i, k)) cut(ssa, i, k, edit);
}

/* ---- what is reached -------------------------------------------------------------------------- */

/* A walk along mentions. */
struct walk {
    const pare_ssa *ssa;
    const pare_ssa_notes *notes;
    const pare_ssa_edit *edit;
    uint32_t *note_of; /* by the number of a name: the statement that is that note, plus one */
    bool *reached;     /* by statement */
    uint32_t *stack;   /* statements that were reached and not gone through */
    size_t n;
};

/* Reaches what the statement mentions. */
static void follow(struct walk *walk, size_t statement)
{
    const pare_ssa *ssa = walk->ssa;
    for (uint32_t k = ssa->statements[statement].first; k < pare_ssa_names_end(ssa, statement);
         k++) {
        if (!is_mention(ssa, walk->notes, statement, k)) continue;
        if (walk->edit->cut && walk->edit->cut[k]) continue;
        const uint32_t note = walk->note_of[ssa->names[k].id];
        if (!note || walk->reached[note - 1]) continue;
        walk->reached[note - 1] = true;
        walk->stack[walk->n++] = note - 1;
    }
}

pare_status pare_ssa_notes_drop_unreached(const pare_ssa *ssa, const pare_ssa_notes *notes,
                                          pare_ssa_edit *edit, pare_error *err)
{
    struct walk walk = {.ssa = ssa, .notes = notes, .edit = edit};
    if (!notes->any) return PARE_OK;
    walk.note_of = pare_alloc_zero(ssa->n_ids + (size_t)1, sizeof *walk.note_of);
    walk.reached = pare_alloc_zero(ssa->n_statements + 1, sizeof *walk.reached);
    walk.stack = pare_alloc(ssa->n_statements + 1, sizeof *walk.stack);
    const bool room = walk.note_of && walk.reached && walk.stack;
    for (uint32_t i = 0; room && i < ssa->n_statements; i++)
        if (pare_ssa_notes_is_note(ssa, notes, i))
            walk.note_of[ssa->names[pare_ssa_own_name(ssa, i)].id] = i + 1;
    for (size_t i = 0; room && i < ssa->n_statements; i++)
        if (!edit->gone[i] && !pare_ssa_notes_is_note(ssa, notes, i)) follow(&walk, i);
    while (room && walk.n)
        follow(&walk, walk.stack[--walk.n]);
    for (size_t i = 0; room && i < ssa->n_statements; i++)
        if (!walk.reached[i] && pare_ssa_notes_is_note(ssa, notes, i)) edit->gone[i] = 1;
    pare_alloc_free(walk.note_of);
    pare_alloc_free(walk.reached);
    pare_alloc_free(walk.stack);
    return room ? PARE_OK : pare_fail_nomem(err);
}
