/* The automaton is kept at the end of the token on the left; the next piece is run from
 * there.  As long as that reaches nothing it accepts, and dies before the piece ends, the
 * longest match ends where the left token does. */
#include "generate/glue.h"

#include <string.h>

#include "base/alloc.h"
#include "base/status.h"
#include "base/vector.h"
#include "grammar/grammar.h"
#include "parse/code_point.h"
#include "parse/dfa.h"

static const char *const separators[] = {" ", "\n", "\t", "\r\n"};
enum { N_SEPARATORS = sizeof separators / sizeof *separators, SHOWN_BYTES = 40 };

/* A state on the left that is not known any more. */
#define FORGOTTEN UINT32_MAX

/* How a fixed text was read. */
struct known {
    size_t stamp; /* the front's, as long as this holds; 0: never */
    uint32_t state;
    pare_dfa_accept accept;
};

struct pare_glue {
    pare_glue_front front;
    const pare_blueprint *blueprint;
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

static void enter_mode(pare_glue *glue, pare_index mode)
{
    glue->front.mode = mode;
    glue->front.stamp = glue->front.epoch * glue->grammar->n_modes + mode + 1;
}

/* The state to begin a token with; all others may be forgotten. */
static pare_status start(pare_glue *glue, pare_index mode, uint32_t *state, pare_error *err)
{
    pare_status status = pare_dfa_start(glue->dfa, mode, state, err);
    size_t epoch = pare_dfa_epoch(glue->dfa);
    if (epoch == glue->front.epoch) return status;
    glue->front.epoch = epoch;
    if (glue->front.left.size && state != &glue->front.left.state)
        glue->front.left.state = FORGOTTEN;
    enter_mode(glue, glue->front.mode);
    return status;
}

/* Runs over `size` bytes from *state on, until it is dead; *accepts (may be NULL) becomes true
 * when it accepts on the way. */
static pare_status run(pare_glue *glue, const char *bytes, size_t size, uint32_t *state,
                       bool *accepts, pare_error *err)
{
    if (!accepts) return pare_dfa_run(glue->dfa, bytes, size, state, err);
    for (size_t at = 0; at < size && *state != PARE_DFA_DEAD;) {
        uint32_t point = (unsigned char)bytes[at];
        size_t length = 1;
        if (point >= 0x80) length = pare_code_point_decode(bytes + at, size - at, &point);
        pare_status status = pare_dfa_step(glue->dfa, *state, point, state, err);
        if (status) return status;
        at += length;
        if (*state != PARE_DFA_DEAD && pare_dfa_accepts(glue->dfa, *state).rule != PARE_NO_INDEX)
            *accepts = true;
    }
    return PARE_OK;
}

/* What the lexer makes of what the automaton accepted. */
struct verdict {
    pare_index type;
    bool is_hidden, is_more, changes_mode;
};

static struct verdict judge(const pare_glue *glue, pare_dfa_accept accept)
{
    const pare_rule *rule = &glue->grammar->rules[accept.rule];
    struct verdict verdict = {.type = rule->token};
    for (uint32_t i = 0; i < rule->n_commands; i++) {
        const pare_lexer_command *command = &glue->grammar->commands[rule->first_command + i];
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

static pare_status push_mode(pare_glue *glue, pare_error *err)
{
    pare_index *grown =
        pare_vector_grow(glue->modes, glue->n_modes, &glue->capacity, sizeof *grown);
    if (!grown) return pare_fail_nomem(err);
    glue->modes = grown;
    glue->modes[glue->n_modes++] = glue->front.mode;
    return PARE_OK;
}

static pare_status obey(pare_glue *glue, pare_dfa_accept accept, pare_error *err)
{
    const pare_rule *rule = &glue->grammar->rules[accept.rule];
    for (uint32_t i = 0; i < rule->n_commands; i++) {
        const pare_lexer_command *command = &glue->grammar->commands[rule->first_command + i];
        if (command->alternative != PARE_NO_INDEX && command->alternative != accept.alternative)
            continue;
        if (command->kind == PARE_LEXER_PUSH_MODE) {
            pare_status status = push_mode(glue, err);
            if (status) return status;
        }
        if (command->kind == PARE_LEXER_PUSH_MODE || command->kind == PARE_LEXER_MODE)
            enter_mode(glue, command->value);
        if (command->kind == PARE_LEXER_POP_MODE && glue->n_modes)
            enter_mode(glue, glue->modes[--glue->n_modes]);
    }
    return PARE_OK;
}

/* --- separators ---------------------------------------------------------------------- */

/* Finds out which separators leave nothing in a mode. */
static pare_status find_separators(pare_glue *glue, pare_index mode, pare_error *err)
{
    for (size_t i = 0; i < N_SEPARATORS; i++) {
        uint32_t state;
        pare_status status = start(glue, mode, &state, err);
        if (!status) status = run(glue, separators[i], strlen(separators[i]), &state, NULL, err);
        if (status) return status;
        if (state == PARE_DFA_DEAD) continue;
        pare_dfa_accept accept = pare_dfa_accepts(glue->dfa, state);
        if (accept.rule == PARE_NO_INDEX) continue;
        struct verdict verdict = judge(glue, accept);
        if (verdict.is_hidden && !verdict.is_more && !verdict.changes_mode)
            glue->separates[mode] |= (uint8_t)(1u << i);
    }
    return PARE_OK;
}

/* Whether what is matched up to `state` could go on into `piece`. */
static pare_status goes_on(pare_glue *glue, uint32_t state, const char *piece, size_t size,
                           bool *yes, pare_error *err)
{
    bool accepts = false;
    uint32_t behind = state;
    *yes = false;
    if ((unsigned char)*piece < 0x80) { /* most end with the first byte */
        pare_status status = pare_dfa_run(glue->dfa, piece, 1, &behind, err);
        if (status || behind == PARE_DFA_DEAD) return status;
    }
    pare_status status = run(glue, piece, size, &state, &accepts, err);
    *yes = accepts || state != PARE_DFA_DEAD;
    return status;
}

/* The automaton's state behind a separator of the present mode. */
static pare_status behind_separator(pare_glue *glue, const char *separator, uint32_t *state,
                                    pare_error *err)
{
    pare_status status = start(glue, glue->front.mode, state, err);
    return status ? status : run(glue, separator, strlen(separator), state, NULL, err);
}

/* Whether the left token, `separator` and the piece stay what they are. */
static pare_status keeps_apart(pare_glue *glue, const char *separator, const char *piece,
                               size_t size, bool *yes, pare_error *err)
{
    uint32_t state = glue->front.left.state;
    bool accepts = false, on = true;
    *yes = false;
    pare_status status = run(glue, separator, strlen(separator), &state, &accepts, err);
    if (!status && !accepts) status = run(glue, piece, size, &state, &accepts, err);
    if (status || accepts || state != PARE_DFA_DEAD) return status;
    status = behind_separator(glue, separator, &state, err);
    if (!status) status = goes_on(glue, state, piece, size, &on, err);
    *yes = !on;
    return status;
}

/* Runs over the left token again when its state was forgotten. */
static pare_status recall_left(pare_glue *glue, const pare_buffer *text, pare_error *err)
{
    if (!glue->front.left.size || glue->front.left.epoch == glue->front.epoch) return PARE_OK;
    pare_status status = start(glue, glue->front.left.mode, &glue->front.left.state, err);
    if (!status)
        status = run(glue, text->data + glue->front.left.at, glue->front.left.size,
                     &glue->front.left.state, NULL, err);
    glue->front.left.epoch = glue->front.epoch;
    return status;
}

/* The separator that the piece needs; NULL: none helps. */
static pare_status find_separator(pare_glue *glue, const char *piece, size_t size,
                                  const pare_buffer *text, const char **separator, pare_error *err)
{
    bool on = false;
    *separator = "";
    if (!glue->front.left.size) return PARE_OK;
    pare_status status = recall_left(glue, text, err);
    if (!status) status = goes_on(glue, glue->front.left.state, piece, size, &on, err);
    if (status || !on) return status;
    for (size_t i = 0; i < N_SEPARATORS; i++) {
        bool apart = false;
        if (!(glue->separates[glue->front.mode] & 1u << i)) continue;
        status = recall_left(glue, text, err);
        if (!status) status = keeps_apart(glue, separators[i], piece, size, &apart, err);
        *separator = separators[i];
        if (status || apart) return status;
    }
    *separator = NULL;
    return PARE_OK;
}

/* --- tokens ---------------------------------------------------------------------------- */

void pare_glue_start(pare_glue *glue)
{
    enter_mode(glue, 0);
    glue->n_modes = 0;
    glue->front.left.at = glue->front.left.size = 0;
    glue->front.left.state = 0;
}

pare_status pare_glue_reads(pare_glue *glue, const char *piece, size_t size, pare_index token,
                            bool *yes, pare_error *err)
{
    *yes = false;
    pare_status status = start(glue, glue->front.mode, &glue->state, err);
    if (!status) status = run(glue, piece, size, &glue->state, NULL, err);
    if (status || glue->state == PARE_DFA_DEAD) return status;
    glue->accept = pare_dfa_accepts(glue->dfa, glue->state);
    glue->epoch = glue->front.epoch;
    if (glue->accept.rule == PARE_NO_INDEX) return PARE_OK;
    struct verdict verdict = judge(glue, glue->accept);
    *yes = verdict.type == token && !verdict.is_hidden && !verdict.is_more;
    return PARE_OK;
}

/* Notes how a fixed text was read; if that changes nothing in the lexer, it is quick from now. */
static void note_known(pare_glue *glue, pare_index token)
{
    const pare_makers *makers = &glue->blueprint->tokens[token];
    size_t stamp = glue->front.stamp;
    glue->known[token] = (struct known){stamp, glue->state, glue->accept};
    if (glue->grammar->rules[glue->accept.rule].n_commands) return;
    pare_glue_quick *quick = &glue->front.quick[token];
    *quick = (pare_glue_quick){
        .stamp = stamp, .state = glue->state, .size = makers->size, .text = makers->text};
    memcpy(quick->head, makers->text,
           makers->size < PARE_GLUE_HEAD ? makers->size : PARE_GLUE_HEAD);
}

pare_status pare_glue_reads_fixed(pare_glue *glue, pare_index token, bool *yes, pare_error *err)
{
    const struct known *known = &glue->known[token];
    const pare_makers *makers = &glue->blueprint->tokens[token];
    if (known->stamp == glue->front.stamp) {
        glue->state = known->state;
        glue->accept = known->accept;
        glue->epoch = glue->front.epoch;
        *yes = true;
        return PARE_OK;
    }
    pare_status status = pare_glue_reads(glue, makers->text, makers->size, token, yes, err);
    if (!status && *yes) note_known(glue, token);
    return status;
}

/* What was read last is on the left from now on, from `at` on in the text. */
static pare_status note_left(pare_glue *glue, size_t at, size_t size, pare_error *err)
{
    glue->front.left.at = at;
    glue->front.left.size = size;
    glue->front.left.mode = glue->front.mode;
    glue->front.left.state = glue->state;
    glue->front.left.epoch = glue->epoch;
    return glue->accept.rule == PARE_NO_INDEX ? PARE_OK : obey(glue, glue->accept, err);
}

pare_status pare_glue_put(pare_glue *glue, const char *piece, size_t size, pare_buffer *text,
                          bool *clean, pare_error *err)
{
    const char *separator = "";
    pare_status status = find_separator(glue, piece, size, text, &separator, err);
    if (status) return status;
    *clean = separator != NULL;
    if (!separator) separator = " ";
    if (*separator) status = pare_buffer_text(text, separator, err);
    size_t at = text->size;
    if (!status) status = pare_buffer_add(text, piece, size, err);
    return status ? status : note_left(glue, at, size, err);
}

pare_status pare_glue_put_known(pare_glue *glue, pare_index token, pare_buffer *text, bool *put,
                                pare_error *err)
{
    pare_glue_front *front = &glue->front;
    pare_glue_quick *quick = &front->quick[token];
    const pare_makers *makers = &glue->blueprint->tokens[token];
    bool on = false;
    *put = false;
    if (quick->stamp != front->stamp || front->left.state == FORGOTTEN) return PARE_OK;
    pare_status status = pare_buffer_reserve(text, makers->size + PARE_GLUE_HEAD + 1, err);
    if (!status && front->left.size)
        status = goes_on(glue, front->left.state, makers->text, makers->size, &on, err);
    if (status || on) return status;
    quick->beside[front->left.state % PARE_GLUE_BESIDE] = front->left.state;
    *put = pare_glue_put_at_once(glue, token, text);
    return PARE_OK;
}

/* --- texts of one's own ---------------------------------------------------------------- */

/* Reads the longest token at `bytes`, whatever it is; *length 0: there is none. */
static pare_status read_longest(pare_glue *glue, const char *bytes, size_t size, size_t *length,
                                pare_error *err)
{
    uint32_t state;
    *length = 0;
    pare_status status = start(glue, glue->front.mode, &state, err);
    for (size_t at = 0; !status && at < size && state != PARE_DFA_DEAD;) {
        uint32_t point;
        at += pare_code_point_decode(bytes + at, size - at, &point);
        status = pare_dfa_step(glue->dfa, state, point, &state, err);
        if (status || state == PARE_DFA_DEAD) break;
        pare_dfa_accept accept = pare_dfa_accepts(glue->dfa, state);
        if (accept.rule == PARE_NO_INDEX) continue;
        *length = at;
        glue->state = state;
        glue->accept = accept;
        glue->epoch = glue->front.epoch;
    }
    return status;
}

static pare_status fail_bytes(const char *bytes, size_t size, pare_error *err)
{
    return pare_fail(err, PARE_E_SYNTAX, "the grammar's lexer cannot read '%.*s'",
                     (int)(size < SHOWN_BYTES ? size : SHOWN_BYTES), bytes);
}

size_t pare_glue_last(const pare_glue *glue)
{
    return glue->front.left.at;
}

pare_status pare_glue_read_again(pare_glue *glue, const pare_buffer *text, pare_error *err)
{
    pare_glue_start(glue);
    for (size_t at = 0, size = 0; at < text->size; at += size) {
        pare_status status = read_longest(glue, text->data + at, text->size - at, &size, err);
        if (!status && !size) status = fail_bytes(text->data + at, text->size - at, err);
        if (!status) status = note_left(glue, at, size, err);
        if (status) return status;
    }
    return PARE_OK;
}

pare_status pare_glue_put_bytes(pare_glue *glue, const char *bytes, size_t size, pare_buffer *text,
                                bool *clean, pare_error *err)
{
    *clean = true;
    for (size_t at = 0, length = 0; at < size; at += length) {
        pare_status status = read_longest(glue, bytes + at, size - at, &length, err);
        if (!status && !length) status = fail_bytes(bytes + at, size - at, err);
        if (status) return status;
        if (!at) {
            status = pare_glue_put(glue, bytes, length, text, clean, err);
        } else {
            size_t begin = text->size;
            status = pare_buffer_add(text, bytes + at, length, err);
            if (!status) status = note_left(glue, begin, length, err);
        }
        if (status) return status;
    }
    return PARE_OK;
}

pare_status pare_glue_new(const pare_blueprint *blueprint, pare_glue **out, pare_error *err)
{
    pare_glue *glue = pare_alloc_zero(1, sizeof *glue);
    if (!glue) return pare_fail_nomem(err);
    glue->blueprint = blueprint;
    glue->grammar = blueprint->grammar;
    glue->front.quick = pare_alloc_zero(glue->grammar->n_tokens, sizeof *glue->front.quick);
    glue->separates = pare_alloc_zero(glue->grammar->n_modes, sizeof *glue->separates);
    glue->known = pare_alloc_zero(glue->grammar->n_tokens, sizeof *glue->known);
    bool any = glue->front.quick && glue->separates && glue->known;
    pare_status status = any ? PARE_OK : pare_fail_nomem(err);
    if (!status) status = pare_dfa_new(glue->grammar, &glue->dfa, err);
    for (pare_index mode = 0; !status && mode < glue->grammar->n_modes; mode++)
        status = find_separators(glue, mode, err);
    if (status) {
        pare_glue_free(glue);
        return status;
    }
    pare_glue_start(glue);
    *out = glue;
    return PARE_OK;
}

void pare_glue_free(pare_glue *glue)
{
    if (!glue) return;
    pare_dfa_free(glue->dfa);
    pare_release(glue->separates);
    pare_release(glue->front.quick);
    pare_release(glue->known);
    pare_release(glue->modes);
    pare_release(glue);
}
