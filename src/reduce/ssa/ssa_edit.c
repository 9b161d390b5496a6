/* What an edit leaves, and the edits that need more than a list of statements.
 *
 * A definition goes in one step with the meaning of its uses: each becomes a neutral word, which the
 * strategy learns (ssa_reduction.c).  Whether a use still has a definition is known while printing:
 * by whether the definition stays, since blocks may stand in any order; in a function that becomes one
 * block by whether it was printed before.
 * Invariant: printing an edit of nothing gives the text.  Cost: O(bytes), no test.
 * Source: llvm-reduce, which replaces operands by undef; without a parser of the language ours. */
#include "reduce/ssa/ssa_edit.h"

#include <string.h>

#include "base/alloc.h"

const char *const pare_ssa_edit_words[PARE_SSA_EDIT_WORDS] = {"undef",  "0", "null",
                                                              "poison", "",  NULL};

/* Where a name is defined: 0: nowhere; 1: at the top level; 2 + f: in function f. */
enum { TOP_LEVEL = 1, FIRST_FUNCTION = 2 };

enum { MOST_STEPS = 8 }; /* from an operand that went as well to its own */

/* A text that is being printed. */
struct printing {
    const pare_ssa *ssa;
    const pare_ssa_edit *edit;
    pare_buffer *out;
    uint32_t *had;     /* by name: where it was defined last; owned */
    uint32_t *has;     /* where its definition stays, or was printed; in the block of `had` */
    uint32_t *instead; /* the label for one that goes: its statement, plus one; there, too */
    uint32_t *kind;    /* by name: what stands before it where it is used, hashed; there, too */
    uint32_t *defined; /* by name: the statement of its definition; there, too */
    bool *had_top, *has_top; /* by name; owned, one block */
    uint32_t used;
    uint32_t function; /* at hand; PARE_SSA_NONE */
    bool labels;       /* it keeps some */
    bool flat;       /* the edit makes it one block: what was defined counts once it was printed */
    uint32_t before; /* the definition that was printed last in it; PARE_SSA_NONE */
};

/* The class of a name (ssa_edit.h): words are learned by class, since what may stand for a value
 * (`%x`) may not stand for a function (`@f`). Each sigil has two: for
 * names that a function defines, and for those of the top level. */
static unsigned class_of(unsigned char sigil, bool top)
{
    return sigil * 2u + top;
}

/* Whether the statement goes, by itself or because of the sigil of what it is about. Nothing is
 * said here about uses of what it defines: see is_lost. */
static bool is_gone(const struct printing *print, size_t i)
{
    const pare_ssa *ssa = print->ssa;
    const pare_ssa_statement *at = &ssa->statements[i];
    bool defines = false, mentions = false;
    if (print->edit->gone && print->edit->gone[i]) return true;
    if (at->role == PARE_SSA_TOP) {
        uint32_t own = pare_ssa_own_name(ssa, i);
        return own != PARE_SSA_NONE && print->edit->dropped[ssa->names[own].sigil];
    }
    /* A call whose argument is dropped goes if it defines nothing: `call @dbg(metadata !7)`. */
    for (uint32_t k = at->first; k < pare_ssa_names_end(ssa, i); k++) {
        defines = defines || ssa->names[k].defines;
        mentions = mentions || (ssa->names[k].nested && print->edit->dropped[ssa->names[k].sigil]);
    }
    return at->role == PARE_SSA_PLAIN && mentions && !defines;
}

/* Notes where names of the top level are defined, and which of these stay. */
static void note_top(struct printing *print)
{
    const pare_ssa *ssa = print->ssa;
    for (size_t i = 0; i < ssa->n_statements; i++) {
        uint32_t own = pare_ssa_own_name(ssa, i);
        if (own == PARE_SSA_NONE) continue;
        print->had_top[ssa->names[own].id] = true;
        if (!is_gone(print, i)) print->has_top[ssa->names[own].id] = true;
    }
}

/* For each label that goes: the next that stays, or else the one before.
 *
 * Two walks: the first notes for each label the last one before it that stays, the second puts
 * the next one that stays in its place, if there is one. 0: no label of the function stays. */
static void note_labels_instead(struct printing *print, const pare_ssa_function *function)
{
    const pare_ssa *ssa = print->ssa;
    uint32_t kept = 0;
    for (uint32_t i = function->header; i <= function->close; i++)
        if (ssa->statements[i].role == PARE_SSA_LABEL) {
            if (!is_gone(print, i)) kept = i + 1;
            print->instead[ssa->names[ssa->statements[i].first].id] = kept;
        }
    kept = 0;
    for (uint32_t i = function->close; i > function->header; i--)
        if (ssa->statements[i].role == PARE_SSA_LABEL) {
            if (!is_gone(print, i)) kept = i + 1;
            if (kept) print->instead[ssa->names[ssa->statements[i].first].id] = kept;
        }
}

/* A hash of the word before the name, which in most of these languages is its type: for `%a` in
 * `i32 %a`, of `i32`. 0: there is none. For a parameter, the first word after the comma or
 * bracket.
 *
 * The lowest bit is set, so that a kind is never 0 (FNV-1a). Example: in "define i32 @f(ptr
 * noundef %p)" the kind of %p is that of "ptr". */
static uint32_t kind_before(const pare_ssa *ssa, const pare_ssa_statement *at, uint32_t from)
{
    uint32_t end = from, begin, hash = 2166136261u;
    if (end == at->from || ssa->bytes[end - 1] != ' ') return 0;
    end--;
    if (at->role == PARE_SSA_HEADER) {
        while (end > at->from && ssa->bytes[end - 1] != ',' && ssa->bytes[end - 1] != '(')
            end--;
        while (end < from && ssa->bytes[end] == ' ')
            end++;
        begin = end;
        while (end < from && ssa->bytes[end] != ' ')
            end++;
    } else {
        for (begin = end; begin > at->from && !strchr(" \t,([{", ssa->bytes[begin - 1]);)
            begin--;
    }
    if (begin == end) return 0;
    for (uint32_t i = begin; i < end; i++)
        hash = (hash ^ ssa->bytes[i]) * 16777619u;
    return hash | 1;
}

/* Notes the kinds of the function's names, and where they are defined.  A name's kind is the word before
 * one of its uses (its type, in LLVM), as no other sign tells what may stand in its place.  Of two
 * operands after one type both have it: `add i32 %a, %b`. Kinds of a function replace those of
 * the one before for the names that both have. */
static void note_kinds(struct printing *print, const pare_ssa_function *function)
{
    const pare_ssa *ssa = print->ssa;
    for (size_t i = function->header; i <= function->close; i++) {
        const pare_ssa_statement *at = &ssa->statements[i];
        uint32_t last = 0;
        for (uint32_t k = at->first; k < pare_ssa_names_end(ssa, i); k++) {
            const pare_ssa_name *name = &ssa->names[k];
            bool names_itself = name->defines && at->role != PARE_SSA_HEADER;
            if (name->sigil != ssa->dialect.sigil) continue;
            if (name->defines) print->defined[name->id] = (uint32_t)i;
            if (names_itself) continue;
            uint32_t kind = kind_before(ssa, at, name->from);
            if (!kind) kind = last;
            if (kind) print->kind[name->id] = kind;
            last = kind;
        }
    }
}

/* Enters the function: notes what it defines, and which of that stays. `had` and `has` hold the
 * function's number, so nothing is cleared when the next one is entered. */
static void enter(struct printing *print, uint32_t index)
{
    const pare_ssa *ssa = print->ssa;
    const pare_ssa_function *function = &ssa->functions[index];
    print->function = index;
    print->labels = false;
    print->flat = print->edit->last && print->edit->last[index] != PARE_SSA_NONE;
    print->before = PARE_SSA_NONE;
    for (size_t i = function->header; i <= function->close; i++) {
        bool gone = is_gone(print, i);
        if (ssa->statements[i].role == PARE_SSA_LABEL && !gone) print->labels = true;
        for (uint32_t k = ssa->statements[i].first; k < pare_ssa_names_end(ssa, i); k++) {
            if (!ssa->names[k].defines) continue;
            print->had[ssa->names[k].id] = FIRST_FUNCTION + index;
            if (!gone) print->has[ssa->names[k].id] = FIRST_FUNCTION + index;
        }
    }
    note_labels_instead(print, function);
    if (print->edit->operands) note_kinds(print, function);
    /* In one block a definition counts once it was printed. */
    for (size_t i = function->header; print->flat && i <= function->close; i++)
        for (uint32_t k = ssa->statements[i].first; k < pare_ssa_names_end(ssa, i); k++)
            if (ssa->names[k].defines) print->has[ssa->names[k].id] = 0;
}

/* The definitions of a statement were printed. */
static void note_printed(struct printing *print, size_t i)
{
    const pare_ssa *ssa = print->ssa;
    for (uint32_t k = ssa->statements[i].first; k < pare_ssa_names_end(ssa, i); k++) {
        if (!ssa->names[k].defines || print->function == PARE_SSA_NONE) continue;
        print->has[ssa->names[k].id] = FIRST_FUNCTION + print->function;
        if (ssa->names[k].sigil != ssa->dialect.sigil) continue;
        print->before = k;
    }
}

/* Whether the use has lost its definition; *top: that of the top level. A name that is defined
 * nowhere in the text was never defined, so it has lost nothing. */
static bool is_lost(const struct printing *print, const pare_ssa_name *name, bool *top)
{
    uint32_t here = FIRST_FUNCTION + print->function;
    *top = false;
    if (name->defines) return false;
    if (print->function != PARE_SSA_NONE && print->had[name->id] == here)
        return print->has[name->id] != here;
    *top = true;
    return print->had_top[name->id] && !print->has_top[name->id];
}

/* The name goes, with the blank before it, and the comma before that. What was printed last is
 * taken back from the output: "(a, %x)" becomes "(a)". */
static void drop_name(struct printing *print)
{
    pare_buffer *out = print->out;
    while (out->size && out->data[out->size - 1] == ' ')
        out->size--;
    if (out->size && out->data[out->size - 1] == ',') out->size--;
}

/* The name goes, with its key, which was printed as it stands.  Returns where the statement goes on: of
 * the first element of a list the comma after it goes instead of one before it. */
static size_t cut_name(struct printing *print, const pare_ssa_name *name, uint32_t key, size_t end)
{
    const unsigned char *bytes = print->ssa->bytes;
    pare_buffer *out = print->out;
    size_t at = name->to;
    out->size -= name->from - key < out->size ? name->from - key : out->size;
    drop_name(print);
    if (!out->size || !strchr("({[", out->data[out->size - 1])) return at;
    while (at < end && bytes[at] == ' ')
        at++;
    if (at == end || bytes[at] != ',') return name->to;
    for (at++; at < end && bytes[at] == ' ';)
        at++;
    return at;
}

static pare_status print_bytes(struct printing *print, size_t from, size_t to, pare_error *err)
{
    return to > from ? pare_buffer_add(print->out, print->ssa->bytes + from, to - from, err)
                     : PARE_OK;
}

/* Whether the name is that of a label of the function at hand, which is no value. The block of
 * `defined` has what note_kinds found, so this is for edits with operands. */
static bool is_label(const struct printing *print, const pare_ssa_name *name)
{
    const pare_ssa *ssa = print->ssa;
    const pare_ssa_statement *at = &ssa->statements[print->defined[name->id]];
    return print->had[name->id] == FIRST_FUNCTION + print->function && at->role == PARE_SSA_LABEL &&
           ssa->names[at->first].id == name->id;
}

/* One more than the label that stands for one that went; 0: none is left, or the name is no
 * label's. */
static uint32_t find_label(const struct printing *print, const pare_ssa_name *name)
{
    const pare_ssa_function *function = &print->ssa->functions[print->function];
    uint32_t label = print->instead[name->id];
    return label > function->header && label <= function->close ? label : 0;
}

/* The name that may stand for the lost one: an operand of its definition, of the same kind, that is
 * still defined. If all operands of that kind have gone, those of the first one are looked through,
 * and so on for MOST_STEPS steps (a phi in a loop is its own operand). PARE_SSA_NONE: there is
 * none.
 *
 * Example: of "%b = add i32 %a, 1", which goes, the uses become %a. Returns the index of the
 * name. */
static uint32_t find_operand(const struct printing *print, const pare_ssa_name *name)
{
    const pare_ssa *ssa = print->ssa;
    const uint32_t kind = print->kind[name->id];
    uint32_t id = name->id;
    if (!print->edit->operands || !kind) return PARE_SSA_NONE;
    for (unsigned step = 0; step < MOST_STEPS; step++) {
        const uint32_t definition = print->defined[id];
        uint32_t next = PARE_SSA_NONE;
        for (uint32_t k = ssa->statements[definition].first;
             k < pare_ssa_names_end(ssa, definition); k++) {
            const pare_ssa_name *operand = &ssa->names[k];
            bool top;
            if (operand->defines || print->kind[operand->id] != kind) continue;
            if (is_label(print, operand)) continue;
            if (!is_lost(print, operand, &top)) return k;
            if (next == PARE_SSA_NONE) next = operand->id;
        }
        if (next == PARE_SSA_NONE) return PARE_SSA_NONE;
        id = next;
    }
    return PARE_SSA_NONE;
}

/* Prints the label as the use has it: with a sigil although the label itself is written without one
 * (`bb1:`, but `%bb1`), or without any. */
static pare_status print_label(struct printing *print, const pare_ssa_name *use, uint32_t label,
                               pare_error *err)
{
    const pare_ssa *ssa = print->ssa;
    const pare_ssa_name *name = &ssa->names[ssa->statements[label].first];
    if (use->sigil == PARE_SSA_BARE) return print_bytes(print, name->from, name->to, err);
    const bool has_sigil = ssa->bytes[name->from] == ssa->bytes[use->from];
    pare_status status = print_bytes(print, use->from, use->from + 1, err);
    return status ? status : print_bytes(print, name->from + has_sigil, name->to, err);
}

/* The word of a class; one of none is the name that was defined last. print->used notes that
 * a word of the class was needed. */
static pare_status print_word(struct printing *print, unsigned class, pare_error *err)
{
    const char *word = pare_ssa_edit_words[print->edit->words[class]];
    print->used |= 1u << class;
    if (!word && print->before != PARE_SSA_NONE) {
        const pare_ssa_name *name = &print->ssa->names[print->before];
        return print_bytes(print, name->from, name->to, err);
    }
    if (word && !*word) {
        drop_name(print);
        return PARE_OK;
    }
    return pare_buffer_text(print->out, word ? word : "0", err);
}

/* Prints the name as the edit has it.  In this order: a dropped sigil; a use that is to be lost; a label
 * for one that went; an operand, or else a word, for a use whose definition went; the name, renamed if it
 * is a number. */
static pare_status print_name(struct printing *print, const pare_ssa_name *name, pare_error *err)
{
    const pare_ssa *ssa = print->ssa;
    bool top;
    if (print->edit->dropped[name->sigil]) {
        drop_name(print);
        return PARE_OK;
    }
    if (print->edit->lost && print->edit->lost[name - ssa->names])
        return print_word(print, class_of(name->sigil, false), err);
    bool lost = is_lost(print, name, &top);
    uint32_t label = lost && !top ? find_label(print, name) : 0;
    if (label) return print_label(print, name, label - 1, err);
    uint32_t operand = lost && !top ? find_operand(print, name) : PARE_SSA_NONE;
    if (operand != PARE_SSA_NONE)
        return print_bytes(print, ssa->names[operand].from, ssa->names[operand].to, err);
    if (lost) return print_word(print, class_of(name->sigil, top), err);
    bool renamed = print->edit->renamed && name->sigil == ssa->dialect.sigil &&
                   print->function != PARE_SSA_NONE && pare_ssa_is_number(ssa, name);
    if (!renamed) return print_bytes(print, name->from, name->to, err);
    bool sigil = ssa->bytes[name->from] < '0' || ssa->bytes[name->from] > '9';
    pare_status status = print_bytes(print, name->from, name->from + sigil, err);
    if (!status) status = pare_buffer_text(print->out, "v", err);
    return status ? status : print_bytes(print, name->from + sigil, name->to, err);
}

/* Whether the key of what is cut is a name (`!dbg !7`), or the mention is in a function: there is nothing
 * that could stand in its place. */
static bool is_attached(const struct printing *print, const pare_ssa_name *name, uint32_t cut)
{
    return print->function != PARE_SSA_NONE ||
           (cut && cut - 1 < name->from &&
            print->ssa->bytes[cut - 1] == print->ssa->bytes[name->from]);
}

/* Prints one line of a statement; *name moves to the first name that is not in it. In a plain
 * text comments go, and with them lines that have nothing else. */
static pare_status print_line(struct printing *print, size_t from, size_t to, uint32_t *name,
                              uint32_t names_end, pare_error *err)
{
    const pare_ssa *ssa = print->ssa;
    size_t end = to, at = from;
    pare_status status = PARE_OK;
    if (print->edit->plain) {
        end = pare_ssa_comment_at(ssa, from, to);
        while (end > from && ssa->bytes[end - 1] <= ' ')
            end--;
        if (end == from) return PARE_OK;
    }
    for (; !status && *name < names_end && ssa->names[*name].to <= end; ++*name) {
        const uint32_t cut = print->edit->cut ? print->edit->cut[*name] : 0;
        const bool nulls = print->edit->nulls && !is_attached(print, &ssa->names[*name], cut);
        status = print_bytes(print, at, ssa->names[*name].from, err);
        at = ssa->names[*name].to;
        if (cut && nulls && !status)
            status = pare_buffer_text(print->out, "null", err);
        else if (cut && !status)
            at = cut_name(print, &ssa->names[*name], cut - 1, end);
        else if (!status)
            status = print_name(print, &ssa->names[*name], err);
    }
    if (!status) status = print_bytes(print, at, end, err);
    return !status && print->edit->plain ? pare_buffer_text(print->out, "\n", err) : status;
}

/* Prints the statement line by line, then counts what it defines as printed. */
static pare_status print_statement(struct printing *print, size_t i, pare_error *err)
{
    const pare_ssa *ssa = print->ssa;
    const pare_ssa_statement *statement = &ssa->statements[i];
    uint32_t name = statement->first;
    pare_status status = PARE_OK;
    for (size_t at = statement->from; !status && at < statement->to;) {
        const unsigned char *end = memchr(ssa->bytes + at, '\n', statement->to - at);
        size_t next = end ? (size_t)(end - ssa->bytes) + 1 : statement->to;
        status = print_line(print, at, next, &name, pare_ssa_names_end(ssa, i), err);
        at = next;
    }
    note_printed(print, i);
    return status;
}

/* Writes the label of the first block, which LLVM leaves unwritten and numbers all the same.  It is the
 * number that is used in the function and defined nowhere; renamed to a word it would be undefined. */
static pare_status print_first_label(struct printing *print, uint32_t index, pare_error *err)
{
    const pare_ssa *ssa = print->ssa;
    const pare_ssa_function *function = &ssa->functions[index];
    if (!print->edit->renamed || !print->labels) return PARE_OK;
    for (size_t i = function->header; i <= function->close; i++)
        for (uint32_t k = ssa->statements[i].first; k < pare_ssa_names_end(ssa, i); k++) {
            const pare_ssa_name *name = &ssa->names[k];
            if (name->sigil != ssa->dialect.sigil || !pare_ssa_is_number(ssa, name)) continue;
            if (print->had[name->id] == FIRST_FUNCTION + index || print->had_top[name->id])
                continue;
            return pare_buffer_format(print->out, err, "v%.*s:\n", (int)(name->to - name->from - 1),
                                      (const char *)ssa->bytes + name->from + 1);
        }
    return PARE_OK;
}

/* All statements that stay, with what ends a function in its place. The statement that ends a
 * flat function is printed right before its bracket. */
static pare_status print_all(struct printing *print, pare_error *err)
{
    const pare_ssa *ssa = print->ssa;
    pare_status status = PARE_OK;
    for (size_t i = 0; !status && i < ssa->n_statements; i++) {
        const pare_ssa_statement *statement = &ssa->statements[i];
        const uint32_t index = statement->function;
        if (statement->role == PARE_SSA_HEADER) enter(print, index);
        if (statement->role == PARE_SSA_TOP) print->function = PARE_SSA_NONE;
        uint32_t last =
            print->edit->last && index != PARE_SSA_NONE ? print->edit->last[index] : PARE_SSA_NONE;
        if (statement->role == PARE_SSA_CLOSE && last != PARE_SSA_NONE && !is_gone(print, i))
            status = print_statement(print, last, err);
        if (!status && i != last && !is_gone(print, i)) status = print_statement(print, i, err);
        if (!status && statement->role == PARE_SSA_HEADER && !is_gone(print, i))
            status = print_first_label(print, index, err);
    }
    return status;
}

/* All arrays are by the number of a name, and made in two blocks. *used has a bit for each
 * class of which a word was printed. */
pare_status pare_ssa_edit_print(const pare_ssa *ssa, const pare_ssa_edit *edit, pare_buffer *out,
                                uint32_t *used, pare_error *err)
{
    const size_t n = ssa->n_ids + (size_t)1;
    struct printing print = {.ssa = ssa, .edit = edit, .out = out, .function = PARE_SSA_NONE};
    print.had = pare_alloc_zero(5 * n, sizeof *print.had);
    print.had_top = pare_alloc_zero(2 * n, sizeof *print.had_top);
    pare_status status = print.had && print.had_top ? PARE_OK : pare_fail_nomem(err);
    pare_buffer_reset(out);
    if (!status) status = pare_buffer_reserve(out, ssa->size, err);
    if (!status) {
        print.has = print.had + n;
        print.instead = print.has + n;
        print.kind = print.instead + n;
        print.defined = print.kind + n;
        print.has_top = print.had_top + n;
        note_top(&print);
        status = print_all(&print, err);
    }
    *used = print.used;
    pare_alloc_free(print.had);
    pare_alloc_free(print.had_top);
    return status;
}

/* ---- one block ------------------------------------------------------------------------- */

/* The statement after the last one is there, to end its names. */
bool pare_ssa_edit_ends_block(const pare_ssa *ssa, size_t i)
{
    pare_ssa_role next = ssa->statements[i + 1].role;
    return ssa->statements[i].role == PARE_SSA_PLAIN &&
           (next == PARE_SSA_LABEL || next == PARE_SSA_CLOSE);
}

/* Notes the labels of a function by their names, as its number plus one.  Names of labels recur from
 * function to function, so those of one are noted right before they are asked for. */
static void note_labels(const pare_ssa *ssa, uint32_t index, uint32_t *label_of)
{
    const pare_ssa_function *function = &ssa->functions[index];
    for (size_t i = function->header; i <= function->close; i++) {
        const pare_ssa_statement *at = &ssa->statements[i];
        if (at->role == PARE_SSA_LABEL) label_of[ssa->names[at->first].id] = index + 1;
    }
}

/* Whether the statement uses a label of its own function. */
static bool mentions_label(const pare_ssa *ssa, size_t i, const uint32_t *label_of)
{
    const pare_ssa_statement *at = &ssa->statements[i];
    for (uint32_t k = at->first; k < pare_ssa_names_end(ssa, i); k++)
        if (!ssa->names[k].defines && label_of[ssa->names[k].id] == at->function + 1) return true;
    return false;
}

/* Marks what goes when a function is flattened to one block: labels, the statements that mention
 * labels, and the ends of blocks. The last end that mentions no label (a return, not a branch)
 * stays, and ends the function. Nothing changes in a function of which every block ends with a
 * branch. */
static void flatten(const pare_ssa *ssa, uint32_t index, const uint32_t *label_of,
                    pare_ssa_edit *edit)
{
    const pare_ssa_function *function = &ssa->functions[index];
    uint32_t last = PARE_SSA_NONE;
    for (uint32_t i = function->header + 1; i < function->close; i++)
        if (pare_ssa_edit_ends_block(ssa, i) && !mentions_label(ssa, i, label_of)) last = i;
    if (last == PARE_SSA_NONE) return;
    edit->last[index] = last;
    for (uint32_t i = function->header + 1; i < function->close; i++)
        if (i != last && (ssa->statements[i].role == PARE_SSA_LABEL ||
                          pare_ssa_edit_ends_block(ssa, i) || mentions_label(ssa, i, label_of)))
            edit->gone[i] = 1;
}

/* Marks the statements of one function that mention a label and end no block. That is what a
 * phi is, by its form. */
static void drop_phis(const pare_ssa *ssa, uint32_t index, const uint32_t *label_of,
                      pare_ssa_edit *edit)
{
    const pare_ssa_function *function = &ssa->functions[index];
    for (uint32_t i = function->header + 1; i < function->close; i++)
        if (ssa->statements[i].role == PARE_SSA_PLAIN && !pare_ssa_edit_ends_block(ssa, i) &&
            mentions_label(ssa, i, label_of))
            edit->gone[i] = 1;
}

/* Changes each chosen function. */
static pare_status change_functions(const pare_ssa *ssa, const unsigned char *chosen,
                                    pare_ssa_edit *edit,
                                    void (*change)(const pare_ssa *ssa, uint32_t index,
                                                   const uint32_t *label_of, pare_ssa_edit *edit),
                                    pare_error *err)
{
    uint32_t *label_of = pare_alloc_zero(ssa->n_ids + (size_t)1, sizeof *label_of);
    if (!label_of) return pare_fail_nomem(err);
    for (uint32_t i = 0; i < ssa->n_functions; i++) {
        note_labels(ssa, i, label_of);
        if (chosen[i]) change(ssa, i, label_of, edit);
    }
    pare_alloc_free(label_of);
    return PARE_OK;
}

pare_status pare_ssa_edit_flatten(const pare_ssa *ssa, const unsigned char *chosen,
                                  pare_ssa_edit *edit, pare_error *err)
{
    return change_functions(ssa, chosen, edit, flatten, err);
}

pare_status pare_ssa_edit_drop_phis(const pare_ssa *ssa, const unsigned char *chosen,
                                    pare_ssa_edit *edit, pare_error *err)
{
    return change_functions(ssa, chosen, edit, drop_phis, err);
}

/* ---- uses ------------------------------------------------------------------------------ */

/* Which names in statements `from` to `to`-1 use what these define.  `defined` has for each name the last
 * function (`here`) that defines it, so that it need not be cleared in between. Labels are left
 * out: a jump is no use of a value. */
static void find_uses(const pare_ssa *ssa, size_t from, size_t to, uint32_t *defined, uint32_t here,
                      bool *uses)
{
    const pare_ssa_name *names = ssa->names;
    for (uint32_t k = ssa->statements[from].first; k < ssa->statements[to].first; k++)
        if (names[k].defines) defined[names[k].id] = here;
    for (size_t i = from; i < to; i++)
        if (ssa->statements[i].role == PARE_SSA_LABEL)
            defined[names[ssa->statements[i].first].id] = 0;
    for (uint32_t k = ssa->statements[from].first; k < ssa->statements[to].first; k++)
        uses[k] = !names[k].defines && defined[names[k].id] == here;
}

pare_status pare_ssa_edit_find_uses(const pare_ssa *ssa, bool *uses, pare_error *err)
{
    uint32_t *defined = pare_alloc_zero(ssa->n_ids + (size_t)1, sizeof *defined);
    if (!defined) return pare_fail_nomem(err);
    for (uint32_t i = 0; i < ssa->n_functions; i++)
        find_uses(ssa, ssa->functions[i].header, ssa->functions[i].close + (size_t)1, defined,
                  i + 1, uses);
    pare_alloc_free(defined);
    return PARE_OK;
}

/* ---- what nobody mentions -------------------------------------------------------------- */

/* Adds `by` to the count of each name that the statement mentions, but its own. A statement
 * that mentions itself would otherwise never go. */
static void count_mentions(const pare_ssa *ssa, size_t i, uint32_t own, int by, int32_t *mentions)
{
    for (uint32_t k = ssa->statements[i].first; k < pare_ssa_names_end(ssa, i); k++)
        if (own == PARE_SSA_NONE || ssa->names[k].id != ssa->names[own].id)
            mentions[ssa->names[k].id] += by;
}

/* Statements of the top level that nothing mentions any more. */
struct unused {
    int32_t *mentions; /* by the number of a name */
    uint32_t
        *first_of; /* by the number of a name: the statement whose own it is, plus one; 0: none */
    uint32_t *next_of; /* by statement: the next one with the same name, plus one */
    uint32_t *stack;   /* statements that are unused, and not gone through */
    size_t n;
};

/* Puts on the stack what has the name, which nothing mentions. */
static void push_unused(struct unused *unused, uint32_t id)
{
    for (uint32_t at = unused->first_of[id]; at; at = unused->next_of[at - 1])
        unused->stack[unused->n++] = at - 1;
    unused->first_of[id] = 0; /* once */
}

/* The statement goes, and what only it mentioned is unused. */
static void drop(const pare_ssa *ssa, size_t i, struct unused *unused, pare_ssa_edit *edit)
{
    edit->gone[i] = 1;
    count_mentions(ssa, i, pare_ssa_own_name(ssa, i), -1, unused->mentions);
    for (uint32_t k = ssa->statements[i].first; k < pare_ssa_names_end(ssa, i); k++)
        if (!unused->mentions[ssa->names[k].id]) push_unused(unused, ssa->names[k].id);
}

/* Counts mentions rather than marking what is reachable: two that only mention one another stay, but
 * which statements are roots need not be known (of notes it is: pare_ssa_notes_drop_unreached).
 * O(bytes). */
pare_status pare_ssa_edit_drop_unused(const pare_ssa *ssa, pare_ssa_edit *edit, pare_error *err)
{
    const size_t n_ids = ssa->n_ids + (size_t)1, n = ssa->n_statements + (size_t)1;
    struct unused unused = {.mentions = pare_alloc_zero(n_ids, sizeof *unused.mentions),
                            .first_of = pare_alloc_zero(n_ids, sizeof *unused.first_of),
                            .next_of = pare_alloc_zero(n, sizeof *unused.next_of),
                            .stack = pare_alloc(n, sizeof *unused.stack)};
    const bool room = unused.mentions && unused.first_of && unused.next_of && unused.stack;
    for (uint32_t i = 0; room && i < ssa->n_statements; i++) {
        if (edit->gone[i]) continue;
        const uint32_t own = pare_ssa_own_name(ssa, i);
        count_mentions(ssa, i, own, 1, unused.mentions);
        if (own == PARE_SSA_NONE || ssa->statements[i].role != PARE_SSA_TOP) continue;
        unused.next_of[i] = unused.first_of[ssa->names[own].id];
        unused.first_of[ssa->names[own].id] = i + 1;
    }
    for (uint32_t id = 0; room && id < ssa->n_ids; id++)
        if (!unused.mentions[id]) push_unused(&unused, id);
    while (room && unused.n)
        drop(ssa, unused.stack[--unused.n], &unused, edit);
    pare_alloc_free(unused.mentions);
    pare_alloc_free(unused.first_of);
    pare_alloc_free(unused.next_of);
    pare_alloc_free(unused.stack);
    return room ? PARE_OK : pare_fail_nomem(err);
}
