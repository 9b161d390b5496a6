/* Keeps tokens apart: the lexer's automaton stays at the end of the token on the left, and the next
 * piece is run from there.
 *
 * If the automaton then accepts nothing and dies before the piece ends, the longest match ends at
 * the end of the left token, and the two may be adjacent.  Otherwise a separator that the grammar
 * skips is tried between them.  The result for two tokens with fixed texts is cached until the mode
 * changes, so most tokens of a text are just copied (pare_token_separator_put_at_once).  Running
 * the automaton beats reading the whole text back after each token, which is quadratic.
 *
 * Invariant: front.left.state is where the automaton stands after the token on the left,
 * unless it is FORGOTTEN; `stamp` changes whenever what was remembered may be wrong. */
#include "generate/token_separator.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/vector.h"
#include "grammar/grammar.h"
#include "parse/code_point.h"
#include "parse/dfa.h"

static const char *const separators[] = {" ", "\n", "\t", "\r\n"};
enum { N_SEPARATORS = sizeof separators / sizeof *separators, SHOWN_BYTES = 40 };

/* A state on the left that is not known any more. */
#define FORGOTTEN UINT32_MAX

/* How a fixed text was read.  The mode and the epoch are in the stamp. */
struct known {
    size_t stamp; /* the front's, as long as this holds; 0: never */
    uint32_t state;
    pare_dfa_accept accept;
};

/* `front` is what the inlined copy of the header looks at. */
struct pare_token_separator {
    pare_token_separator_front front;
    const pare_expansion_table *table;
    const pare_grammar *grammar;
    pare_dfa *dfa;       /* owned */
    uint8_t *separates;  /* owned; of each mode: which separators leave no token, as bits */
    struct known *known; /* owned; of each token type */
    pare_index *modes;   /* owned; those to come back to */
    size_t n_modes, capacity;
    /* The piece that was read last. */
    uint32_t state;
    pare_dfa_accept accept;
    size_t epoch;
};

/* --- the automaton ---------------------------------------------------------------- */

/* A stamp stands for a mode and an epoch of the automaton: what is known under another stamp
 * does not count. */
static void enter_mode(pare_token_separator *separator, pare_index mode)
{
    assert(mode < separator->grammar->n_modes);
    separator->front.mode = mode;
    separator->front.stamp = separator->front.epoch * separator->grammar->n_modes + mode + 1;
}

/* Finds the state to begin a token with.  That may make the automaton begin anew; then all
 * other states are forgotten, *state excepted, which is a new one.  O(1) but for the first
 * time in a mode. */
static pare_status start(pare_token_separator *separator, pare_index mode, uint32_t *state,
                         pare_error *err)
{
    pare_status status = pare_dfa_start(separator->dfa, mode, state, err);
    size_t epoch = pare_dfa_epoch(separator->dfa);
    if (epoch == separator->front.epoch) return status;
    /* The automaton was full and began anew: numbers of states mean other states now. */
    separator->front.epoch = epoch;
    if (separator->front.left.size && state != &separator->front.left.state)
        /* Unless it is the very state that is being found. */
        separator->front.left.state = FORGOTTEN;
    enter_mode(separator, separator->front.mode);
    return status;
}

/* Runs over `size` bytes from *state on, until it is dead; *accepts (may be NULL) becomes true
 * when it accepts on the way.  Byte by byte for ASCII, which most of a text is. */
static pare_status run(pare_token_separator *separator, const char *bytes, size_t size,
                       uint32_t *state, bool *accepts, pare_error *err)
{
    if (!accepts) return pare_dfa_run(separator->dfa, bytes, size, state, err);
    for (size_t at = 0; at < size && *state != PARE_DFA_DEAD;) {
        uint32_t point = (unsigned char)bytes[at];
        size_t length = 1;
        if (point >= 0x80) length = pare_code_point_decode(bytes + at, size - at, &point);
        pare_status status = pare_dfa_step(separator->dfa, *state, point, state, err);
        if (status) return status;
        at += length;
        if (*state != PARE_DFA_DEAD &&
            pare_dfa_accepts(separator->dfa, *state).rule != PARE_NO_INDEX)
            *accepts = true;
    }
    return PARE_OK;
}

/* What the lexer makes of what the automaton accepted.  `is_more`: what was read is only the
 * beginning of a token. */
struct verdict {
    pare_index type;
    bool is_hidden, is_more, changes_mode;
};

/* What the commands of the accepted rule make of the token: its type, whether the parser sees
 * it, whether the lexer goes on or changes its mode.  The same as parse/lexer.c's `conclude`,
 * without obeying. */
static struct verdict judge(const pare_token_separator *separator, pare_dfa_accept accept)
{
    const pare_rule *rule = &separator->grammar->rules[accept.rule];
    struct verdict verdict = {.type = rule->token};
    for (uint32_t i = 0; i < rule->n_commands; i++) {
        const pare_lexer_command *command = &separator->grammar->commands[rule->first_command + i];
        /* Commands of another alternative do not count. */
        if (command->alternative != PARE_NO_INDEX && command->alternative != accept.alternative)
            continue;
        switch (command->kind) {
        case PARE_LEXER_SKIP: verdict.is_hidden = true; break;
        case PARE_LEXER_CHANNEL: verdict.is_hidden = command->value != 0; break;
        case PARE_LEXER_MORE: verdict.is_more = true; break;
        case PARE_LEXER_TYPE: verdict.type = command->value; break;
        case PARE_LEXER_MODE:
        case PARE_LEXER_PUSH_MODE:
        case PARE_LEXER_POP_MODE: verdict.changes_mode = true; break;
        }
    }
    return verdict;
}

/* Keeps the mode to come back to.  The stack is that of the lexer's modes. */
static pare_status push_mode(pare_token_separator *separator, pare_error *err)
{
    pare_index *grown =
        pare_vector_grow(separator->modes, separator->n_modes, &separator->capacity, sizeof *grown);
    if (!grown) return pare_fail_nomem(err);
    separator->modes = grown;
    separator->modes[separator->n_modes++] = separator->front.mode;
    return PARE_OK;
}

/* Does what the lexer would do after the token: its mode changes.  popMode without a mode to
 * come back to does nothing, as in parse/lexer.c.  After the token is put, not when it is
 * read: it may still be given up. */
static pare_status obey(pare_token_separator *separator, pare_dfa_accept accept, pare_error *err)
{
    const pare_rule *rule = &separator->grammar->rules[accept.rule];
    for (uint32_t i = 0; i < rule->n_commands; i++) {
        const pare_lexer_command *command = &separator->grammar->commands[rule->first_command + i];
        if (command->alternative != PARE_NO_INDEX && command->alternative != accept.alternative)
            continue;
        if (command->kind == PARE_LEXER_PUSH_MODE) {
            pare_status status = push_mode(separator, err);
            if (status) return status;
        }
        if (command->kind == PARE_LEXER_PUSH_MODE || command->kind == PARE_LEXER_MODE)
            enter_mode(separator, command->value);
        if (command->kind == PARE_LEXER_POP_MODE && separator->n_modes)
            enter_mode(separator, separator->modes[--separator->n_modes]);
    }
    return PARE_OK;
}

/* --- separators ---------------------------------------------------------------------- */

/* Finds out which separators leave no token in a mode: they are read as a whole by a rule that
 * hides them and changes nothing.  Once for each mode; four separators. */
static pare_status find_separators(pare_token_separator *separator, pare_index mode,
                                   pare_error *err)
{
    for (size_t i = 0; i < N_SEPARATORS; i++) {
        uint32_t state;
        pare_status status = start(separator, mode, &state, err);
        if (!status)
            status = run(separator, separators[i], strlen(separators[i]), &state, NULL, err);
        if (status) return status;
        if (state == PARE_DFA_DEAD) continue;
        pare_dfa_accept accept = pare_dfa_accepts(separator->dfa, state);
        if (accept.rule == PARE_NO_INDEX) continue;
        struct verdict verdict = judge(separator, accept);
        /* A separator that changes the mode would change how the next token is read. */
        if (verdict.is_hidden && !verdict.is_more && !verdict.changes_mode)
            separator->separates[mode] |= (uint8_t)(1u << i);
    }
    return PARE_OK;
}

/* Whether what is matched up to `state` could go on into `piece`: then the two must not touch.
 * Accepting is enough: a longer token would be found. */
static pare_status goes_on(pare_token_separator *separator, uint32_t state, const char *piece,
                           size_t size, bool *yes, pare_error *err)
{
    bool accepts = false;
    uint32_t after = state;
    *yes = false;
    if ((unsigned char)*piece < 0x80) { /* most end with the first byte */
        pare_status status = pare_dfa_run(separator->dfa, piece, 1, &after, err);
        if (status || after == PARE_DFA_DEAD) return status;
    }
    pare_status status = run(separator, piece, size, &state, &accepts, err);
    *yes = accepts || state != PARE_DFA_DEAD;
    return status;
}

/* The automaton's state after a separator that begins a token in the present mode.  A
 * separator leaves the mode as it was, which find_separators has seen to. */
static pare_status after_separator(pare_token_separator *separator, const char *between,
                                   uint32_t *state, pare_error *err)
{
    pare_status status = start(separator, separator->front.mode, state, err);
    return status ? status : run(separator, between, strlen(between), state, NULL, err);
}

/* Whether the left token, `between` and the piece stay what they are.  Three runs over a few
 * bytes. */
static pare_status keeps_apart(pare_token_separator *separator, const char *between,
                               const char *piece, size_t size, bool *yes, pare_error *err)
{
    /* The left token must not go on into the separator or through it, and the separator not into
     * the piece. */
    uint32_t state = separator->front.left.state;
    bool accepts = false, on = true;
    *yes = false;
    pare_status status = run(separator, between, strlen(between), &state, &accepts, err);
    /* The left token and the separator may be the beginning of something longer. */
    if (!status && !accepts) status = run(separator, piece, size, &state, &accepts, err);
    if (status || accepts || state != PARE_DFA_DEAD) return status;
    status = after_separator(separator, between, &state, err);
    if (!status) status = goes_on(separator, state, piece, size, &on, err);
    *yes = !on;
    return status;
}

/* Runs over the left token again when its state was forgotten.  Rare: only after the automaton
 * was full. */
static pare_status recall_left(pare_token_separator *separator, const pare_buffer *text,
                               pare_error *err)
{
    /* The state is of this epoch from now on. */
    if (!separator->front.left.size || separator->front.left.epoch == separator->front.epoch)
        return PARE_OK;
    pare_status status =
        start(separator, separator->front.left.mode, &separator->front.left.state, err);
    if (!status)
        status = run(separator, text->data + separator->front.left.at, separator->front.left.size,
                     &separator->front.left.state, NULL, err);
    separator->front.left.epoch = separator->front.epoch;
    return status;
}

/* Finds the separator that the piece needs, "" if none; NULL: none helps.  Mostly the first
 * question says no, and that is all. */
static pare_status find_separator(pare_token_separator *separator, const char *piece, size_t size,
                                  const pare_buffer *text, const char **between, pare_error *err)
{
    bool on = false;
    *between = "";
    if (!separator->front.left.size) return PARE_OK;
    /* Trying the separator before may have made the automaton begin anew. */
    pare_status status = recall_left(separator, text, err);
    if (!status) status = goes_on(separator, separator->front.left.state, piece, size, &on, err);
    if (status || !on) return status;
    for (size_t i = 0; i < N_SEPARATORS; i++) {
        bool apart = false;
        if (!(separator->separates[separator->front.mode] & 1u << i)) continue;
        status = recall_left(separator, text, err);
        if (!status) status = keeps_apart(separator, separators[i], piece, size, &apart, err);
        *between = separators[i];
        if (status || apart) return status;
    }
    *between = NULL;
    return PARE_OK;
}

/* --- tokens ---------------------------------------------------------------------------- */

/* Nothing is on the left, so that the first token needs no separator. */
void pare_token_separator_start(pare_token_separator *separator)
{
    enter_mode(separator, 0);
    separator->n_modes = 0;
    separator->front.left.at = separator->front.left.size = 0;
    separator->front.left.state = 0;
}

/* Leaves in the separator how the piece was read, for pare_token_separator_put.  The state of
 * the left token is looked at only then. */
pare_status pare_token_separator_reads(pare_token_separator *separator, const char *piece,
                                       size_t size, pare_index token, bool *yes, pare_error *err)
{
    assert(size && "a token has bytes");
    *yes = false;
    pare_status status = start(separator, separator->front.mode, &separator->state, err);
    if (!status) status = run(separator, piece, size, &separator->state, NULL, err);
    if (status || separator->state == PARE_DFA_DEAD) return status;
    separator->accept = pare_dfa_accepts(separator->dfa, separator->state);
    separator->epoch = separator->front.epoch;
    if (separator->accept.rule == PARE_NO_INDEX) return PARE_OK;
    struct verdict verdict = judge(separator, separator->accept);
    *yes = verdict.type == token && !verdict.is_hidden && !verdict.is_more;
    return PARE_OK;
}

/* Notes how a fixed text was read; if reading it changes nothing in the lexer, the quick way
 * may copy it from now on.  `head` are the first bytes, which are copied without a call. */
static void note_known(pare_token_separator *separator, pare_index token)
{
    const pare_makers *makers = &separator->table->tokens[token];
    size_t stamp = separator->front.stamp;
    separator->known[token] = (struct known){stamp, separator->state, separator->accept};
    /* Commands must be obeyed each time, which the quick way does not do. */
    if (separator->grammar->rules[separator->accept.rule].n_commands) return;
    pare_token_separator_quick *quick = &separator->front.quick[token];
    *quick = (pare_token_separator_quick){
        .stamp = stamp, .state = separator->state, .size = makers->size, .text = makers->text};
    memcpy(quick->head, makers->text,
           makers->size < PARE_SEPARATOR_HEAD ? makers->size : PARE_SEPARATOR_HEAD);
}

/* O(1) for a text that was read in this mode before. */
pare_status pare_token_separator_reads_fixed(pare_token_separator *separator, pare_index token,
                                             bool *yes, pare_error *err)
{
    assert(separator->table->tokens[token].text && "the token has one text only");
    const struct known *known = &separator->known[token];
    const pare_makers *makers = &separator->table->tokens[token];
    /* Same mode, same automaton: it reads the same. */
    if (known->stamp == separator->front.stamp) {
        separator->state = known->state;
        separator->accept = known->accept;
        separator->epoch = separator->front.epoch;
        *yes = true;
        return PARE_OK;
    }
    pare_status status =
        pare_token_separator_reads(separator, makers->text, makers->size, token, yes, err);
    if (!status && *yes) note_known(separator, token);
    return status;
}

/* Makes what was read last the token on the left, from `at` on in the text, and does what the
 * lexer would do after it.  The epoch says whether the state still means the same. */
static pare_status note_left(pare_token_separator *separator, size_t at, size_t size,
                             pare_error *err)
{
    separator->front.left.at = at;
    separator->front.left.size = size;
    separator->front.left.mode = separator->front.mode;
    separator->front.left.state = separator->state;
    separator->front.left.epoch = separator->epoch;
    return separator->accept.rule == PARE_NO_INDEX ? PARE_OK
                                                   : obey(separator, separator->accept, err);
}

/* Where no separator helps, there is a space all the same, so that people can read the text;
 * *clean is false then.  Cost: a few steps of the automaton; the text before the left token is
 * never read again. */
pare_status pare_token_separator_put(pare_token_separator *separator, const char *piece,
                                     size_t size, pare_buffer *text, bool *clean, pare_error *err)
{
    const char *between = ""; /* a space, where nothing helps, so that people can read it */
    pare_status status = find_separator(separator, piece, size, text, &between, err);
    if (status) return status;
    *clean = between != NULL;
    /* The caller learns from *clean that this text is not what it should be. */
    if (!between) between = " ";
    if (*between) status = pare_buffer_text(text, between, err);
    size_t at = text->size;
    if (!status) status = pare_buffer_add(text, piece, size, err);
    return status ? status : note_left(separator, at, size, err);
}

/* Finds out whether the fixed token may touch the one on the left, and if so remembers the
 * pair: pare_token_separator_put_at_once copies it the next time.  The pair is remembered by
 * the left token's state, of which a few are kept. */
pare_status pare_token_separator_put_known(pare_token_separator *separator, pare_index token,
                                           pare_buffer *text, bool *put, pare_error *err)
{
    pare_token_separator_front *front = &separator->front;
    pare_token_separator_quick *quick = &front->quick[token];
    const pare_makers *makers = &separator->table->tokens[token];
    bool on = false;
    *put = false;
    if (quick->stamp != front->stamp || front->left.state == FORGOTTEN) return PARE_OK;
    /* The copy below writes a whole head, however short the text is. */
    pare_status status = pare_buffer_reserve(text, makers->size + PARE_SEPARATOR_HEAD + 1, err);
    if (!status && front->left.size)
        status = goes_on(separator, front->left.state, makers->text, makers->size, &on, err);
    if (status || on) return status;
    quick->beside[front->left.state % PARE_SEPARATOR_BESIDE] = front->left.state;
    *put = pare_token_separator_put_at_once(separator, token, text);
    return PARE_OK;
}

/* --- texts of one's own ---------------------------------------------------------------- */

/* Reads the longest token at `bytes`, whatever it is; *length is 0 when there is none.  What
 * the lexer would do (parse/lexer.c), from here on. */
static pare_status read_longest(pare_token_separator *separator, const char *bytes, size_t size,
                                size_t *length, pare_error *err)
{
    uint32_t state;
    *length = 0;
    pare_status status = start(separator, separator->front.mode, &state, err);
    for (size_t at = 0; !status && at < size && state != PARE_DFA_DEAD;) {
        uint32_t point;
        at += pare_code_point_decode(bytes + at, size - at, &point);
        status = pare_dfa_step(separator->dfa, state, point, &state, err);
        if (status || state == PARE_DFA_DEAD) break;
        pare_dfa_accept accept = pare_dfa_accepts(separator->dfa, state);
        /* Not the end of a token, but it may go on to one. */
        if (accept.rule == PARE_NO_INDEX) continue;
        *length = at;
        separator->state = state;
        separator->accept = accept;
        separator->epoch = separator->front.epoch;
    }
    return status;
}

/* The lexer makes no token of what begins here. */
static pare_status fail_bytes(const char *bytes, size_t size, pare_error *err)
{
    return pare_fail(err, PARE_E_SYNTAX, "the grammar's lexer cannot read '%.*s'",
                     (int)(size < SHOWN_BYTES ? size : SHOWN_BYTES), bytes);
}

/* Where the token itself begins, after its separator. */
size_t pare_token_separator_last(const pare_token_separator *separator)
{
    return separator->front.left.at;
}

/* Linear in the text. */
pare_status pare_token_separator_read_again(pare_token_separator *separator,
                                            const pare_buffer *text, pare_error *err)
{
    pare_token_separator_start(separator);
    for (size_t at = 0, size = 0; at < text->size; at += size) {
        pare_status status = read_longest(separator, text->data + at, text->size - at, &size, err);
        if (!status && !size) status = fail_bytes(text->data + at, text->size - at, err);
        if (!status) status = note_left(separator, at, size, err);
        if (status) return status;
    }
    return PARE_OK;
}

/* Only the first token may need a separator: the others stand as they are, which is how the
 * caller has seen them. */
pare_status pare_token_separator_put_bytes(pare_token_separator *separator, const char *bytes,
                                           size_t size, pare_buffer *text, bool *clean,
                                           pare_error *err)
{
    *clean = true;
    for (size_t at = 0, length = 0; at < size; at += length) {
        pare_status status = read_longest(separator, bytes + at, size - at, &length, err);
        if (!status && !length) status = fail_bytes(bytes + at, size - at, err);
        if (status) return status;
        if (!at) {
            status = pare_token_separator_put(separator, bytes, length, text, clean, err);
        } else {
            size_t begin = text->size;
            status = pare_buffer_add(text, bytes + at, length, err);
            if (!status) status = note_left(separator, begin, length, err);
        }
        if (status) return status;
    }
    return PARE_OK;
}

/* A first byte that is no token of the grammar's is put as it is.  Afterwards there is no token on
 * the left, as at the beginning of a text. */
pare_status pare_token_separator_put_opaque(pare_token_separator *separator, const char *bytes,
                                            size_t size, pare_buffer *text, bool *clean,
                                            pare_error *err)
{
    size_t length = 0;
    *clean = true;
    assert(size);
    pare_status status = read_longest(separator, bytes, 1, &length, err);
    if (!status && length)
        status = pare_token_separator_put(separator, bytes, length, text, clean, err);
    if (!status && size > length)
        status = pare_buffer_add(text, bytes + length, size - length, err);
    separator->front.left.size = 0;
    separator->front.left.state = 0;
    return status;
}

/* The separators of all modes are found at once: each is a few steps of the automaton. */
pare_status pare_token_separator_new(const pare_expansion_table *table, pare_token_separator **out,
                                     pare_error *err)
{
    pare_token_separator *separator = pare_alloc_zero(1, sizeof *separator);
    if (!separator) return pare_fail_nomem(err);
    separator->table = table;
    separator->grammar = table->grammar;
    separator->front.quick =
        pare_alloc_zero(separator->grammar->n_tokens, sizeof *separator->front.quick);
    separator->separates =
        pare_alloc_zero(separator->grammar->n_modes, sizeof *separator->separates);
    separator->known = pare_alloc_zero(separator->grammar->n_tokens, sizeof *separator->known);
    bool any = separator->front.quick && separator->separates && separator->known;
    pare_status status = any ? PARE_OK : pare_fail_nomem(err);
    if (!status) status = pare_dfa_new(separator->grammar, &separator->dfa, err);
    for (pare_index mode = 0; !status && mode < separator->grammar->n_modes; mode++)
        status = find_separators(separator, mode, err);
    if (status) {
        pare_token_separator_free(separator);
        return status;
    }
    pare_token_separator_start(separator);
    *out = separator;
    return PARE_OK;
}

/* The first of the separators. */
bool pare_token_separator_takes_space(const pare_token_separator *separator)
{
    return separator->separates[0] & 1u;
}

/* The table is borrowed. */
void pare_token_separator_free(pare_token_separator *separator)
{
    if (!separator) return;
    pare_dfa_free(separator->dfa);
    pare_alloc_free(separator->separates);
    pare_alloc_free(separator->front.quick);
    pare_alloc_free(separator->known);
    pare_alloc_free(separator->modes);
    pare_alloc_free(separator);
}
