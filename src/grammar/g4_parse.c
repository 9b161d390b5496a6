/* The parser of ANTLR's grammar notation: a file becomes nodes, rules and words (g4_parse.h).
 *
 * Recursive descent for the parts of a file, which do not nest.  The bodies of rules, which
 * do, are read without recursion: a block is a frame on a stack; its parenthesis pushes the
 * frame, the partner makes the block a node and appends that to the alternative of the frame
 * below.  So nesting is bounded by memory alone.  Nodes come out children first.
 *
 * A failure sticks: the status is kept, the current token becomes the end of the file, and
 * every further step is a no-op; no step needs to look at the status.
 * Source: the ANTLR 4 documentation, doc/grammars.md, doc/options.md, doc/parser-rules.md
 * and doc/lexer-rules.md.
 *
 * Invariant: the nodes of a rule lie in one run of the array, and a node's children lie before
 * it.  The resolver relies on both: it translates a rule by one loop over its run, without
 * recursion (g4_resolve.c).  Words point into the text of the file, so nothing is copied and
 * every message has its place. */

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "base/vector.h"
#include "grammar/g4.h"
#include "grammar/grammar.h"

/* A block whose end was not seen yet.  Elements and alternatives are lists of nodes, linked by
 * pare_g4_node.next; a frame knows both ends of each, so that appending is O(1). */
struct frame {
    pare_index first_alternative, last_alternative;
    pare_index first_element, last_element; /* of the alternative being read */
    uint32_t n_alternatives, n_elements;
    pare_index first_command;       /* of the alternative being read */
    bool right;                     /* <assoc=right> on it */
    pare_g4_word alternative_label; /* `# name` after it */
    pare_g4_word place;             /* of the parenthesis, or of the rule */
    pare_g4_word label;             /* of the block in the one around it */
};

/* The state of parsing a file. `rule` and `mode` are words of the file: what messages name and what
 * a rule inherits. */
struct parser {
    pare_g4_lexer lexer;
    pare_g4_token token; /* the current one */
    pare_g4_file *file;
    pare_g4_word rule; /* name of the one being read */
    pare_g4_word mode;
    struct frame *frames; /* owned */
    size_t n_frames, frames_capacity;
    pare_status status;
    pare_error *err;
};

/* Frees what the parser made; the file may be parsed again afterwards.  Names are words of the
 * text, so they go with it. */
void pare_g4_parse_done(pare_g4_file *file)
{
    pare_alloc_free(file->path);
    pare_buffer_done(&file->text);
    pare_alloc_free(file->imports.items);
    pare_alloc_free(file->tokens.items);
    pare_alloc_free(file->channels.items);
    pare_alloc_free(file->modes.items);
    pare_alloc_free(file->rules);
    pare_alloc_free(file->nodes);
    pare_alloc_free(file->commands);
    *file = (pare_g4_file){0};
}

/* --- steps ----------------------------------------------------------------- */

/* Keeps the first failure, and pretends that the file ends here.  The end of the file is the
 * one token that every loop stops at, so that none of them needs a check of its own. */
static void stick(struct parser *parser, pare_status status)
{
    parser->status = status;
    parser->token = (pare_g4_token){.kind = PARE_G4_END, .word = parser->token.word};
}

/* Fails for want of memory, unless something has failed before: the first failure is the one to
 * report. */
static void out_of_memory(struct parser *parser)
{
    if (!parser->status) stick(parser, pare_fail_nomem(parser->err));
}

/* Fails at a place. */
static void reject(struct parser *parser, pare_g4_word place, const char *what)
{
    if (parser->status) return;
    pare_g4_word rule = parser->rule;
    const char *path = parser->file->path;
    stick(parser, rule.size ? pare_g4_lex_fail(path, place, parser->err, "%s (in rule '%.*s')",
                                               what, (int)rule.size, rule.text)
                            : pare_g4_lex_fail(path, place, parser->err, "%s", what));
}

/* Fails at the current token: "`what`, found '...'". */
static void unexpected(struct parser *parser, const char *what)
{
    enum { LONGEST_QUOTE = 40 };
    char sentence[256];
    pare_g4_word word = parser->token.word;
    int size = word.size < LONGEST_QUOTE ? (int)word.size : LONGEST_QUOTE;
    if (parser->token.kind == PARE_G4_END)
        (void)snprintf(sentence, sizeof sentence, "%s, found the end of the file", what);
    else
        (void)snprintf(sentence, sizeof sentence, "%s, found '%.*s'", what, size, word.text);
    reject(parser, word, sentence);
}

/* Reads the next token into parser->token. */
static void advance(struct parser *parser)
{
    if (parser->status) return;
    pare_status status = pare_g4_lex_next(&parser->lexer, &parser->token, parser->err);
    if (status) stick(parser, status);
}

static bool at_sign(const struct parser *parser, char sign)
{
    return parser->token.kind == PARE_G4_SIGN && parser->token.word.text[0] == sign;
}

/* Keywords of the notation are ordinary names to the lexer, for most of them are allowed as
 * names of rules. */
static bool at_name(const struct parser *parser, const char *name)
{
    return parser->token.kind == PARE_G4_NAME && pare_g4_lex_is(parser->token.word, name);
}

/* If the sign is there, goes past it. */
static bool accept(struct parser *parser, char sign)
{
    if (!at_sign(parser, sign)) return false;
    advance(parser);
    return true;
}

/* Goes past the sign, or fails saying what was expected. */
static void expect(struct parser *parser, char sign)
{
    char what[] = "expected '?'";
    /* In place of the question mark. */
    what[sizeof what - 3] = sign;
    if (!accept(parser, sign)) unexpected(parser, what);
}

/* Goes past a token of that kind and returns it, or fails with "expected `what`". */
static pare_g4_word take(struct parser *parser, pare_g4_token_kind kind, const char *what)
{
    pare_g4_word word = parser->token.word;
    if (parser->token.kind == kind)
        advance(parser);
    else
        unexpected(parser, what);
    return word;
}

/* Remembers the first thing of a kind that is not read. */
static void ignore(struct parser *parser, pare_g4_ignored kind, pare_g4_word place)
{
    pare_g4_word *first = &parser->file->ignored[kind];
    if (!first->line) *first = place;
}

/* Appends a word to one of the file's lists. */
static void add_word(struct parser *parser, pare_g4_words *words, pare_g4_word word)
{
    pare_g4_word *items = pare_vector_grow(words->items, words->n, &words->capacity, sizeof *items);
    if (!items) {
        out_of_memory(parser);
        return;
    }
    words->items = items;
    words->items[words->n++] = word;
}

/* --- options --------------------------------------------------------------- */

/* The value of an option: a dotted name, a literal, a number, an action, a star. */
static pare_g4_word take_value(struct parser *parser)
{
    pare_g4_word value = parser->token.word;
    switch (parser->token.kind) {
    case PARE_G4_NAME:
        advance(parser);
        /* The value is the first word of the name; no option that counts has more. */
        while (accept(parser, '.'))
            (void)take(parser, PARE_G4_NAME, "expected a name");
        break;
    /* Without its quotes. */
    case PARE_G4_LITERAL:
        value.text++;
        value.size -= 2;
        advance(parser);
        break;
    case PARE_G4_STRING:
    case PARE_G4_NUMBER:
    case PARE_G4_ACTION: advance(parser); break;
    default:
        if (!accept(parser, '*')) unexpected(parser, "expected the option's value");
    }
    return value;
}

/* Options that change what is read are kept, others are without meaning here. */
static void apply_option(struct parser *parser, pare_g4_rule *rule, pare_g4_word name,
                         pare_g4_word value)
{
    bool is_true = pare_g4_lex_is(value, "true");
    if (pare_g4_lex_is(name, "caseInsensitive")) {
        if (!is_true && !pare_g4_lex_is(value, "false"))
            reject(parser, value, "caseInsensitive is true or false");
        else if (rule)
            rule->letter_case = is_true ? PARE_G4_CASE_IGNORED : PARE_G4_CASE_KEPT;
        else
            parser->file->ignore_case = is_true;
    } else if (!rule && pare_g4_lex_is(name, "tokenVocab")) {
        parser->file->vocabulary = value;
    } else if (!rule && pare_g4_lex_is(name, "superClass")) {
        ignore(parser, PARE_G4_IGNORED_SUPERCLASS, name);
    }
}

/* Reads options up to and with the closing brace; applies them to `rule`, or to the file
 * when that is NULL. */
static void read_options(struct parser *parser, pare_g4_rule *rule)
{
    advance(parser);
    while (parser->token.kind == PARE_G4_NAME) {
        pare_g4_word name = parser->token.word;
        advance(parser);
        expect(parser, '=');
        pare_g4_word value = take_value(parser);
        expect(parser, ';');
        if (!parser->status) apply_option(parser, rule, name, value);
    }
    expect(parser, '}');
}

/* --- nodes ----------------------------------------------------------------- */

/* Appends a node to the file's; `word` says where it came from.  PARE_NO_INDEX after a
 * failure.  Indices, not pointers, are what others keep of a node: the array moves when it
 * grows. */
static pare_index add_node(struct parser *parser, pare_g4_node_kind kind, pare_g4_word word)
{
    pare_g4_file *file = parser->file;
    if (parser->status) return PARE_NO_INDEX;
    pare_g4_node *nodes =
        pare_vector_grow(file->nodes, file->n_nodes, &file->nodes_capacity, sizeof *nodes);
    if (!nodes) {
        out_of_memory(parser);
        return PARE_NO_INDEX;
    }
    file->nodes = nodes;
    file->nodes[file->n_nodes] =
        (pare_g4_node){.kind = kind, .first = PARE_NO_INDEX, .next = PARE_NO_INDEX, .word = word};
    return (pare_index)file->n_nodes++;
}

/* Puts `node` after `*last` in the list that starts at *first. */
static void append(struct parser *parser, pare_index *first, pare_index *last, pare_index node)
{
    if (*first == PARE_NO_INDEX)
        *first = node;
    else
        parser->file->nodes[*last].next = node;
    *last = node;
}

/* The innermost open block. */
static struct frame *top(struct parser *parser)
{
    assert(parser->n_frames > 0);
    return &parser->frames[parser->n_frames - 1];
}

/* Appends an element to the alternative being read; none after a failure. */
static void add_element(struct parser *parser, pare_index node)
{
    if (node == PARE_NO_INDEX) return;
    struct frame *frame = top(parser);
    append(parser, &frame->first_element, &frame->last_element, node);
    frame->n_elements++;
}

/* Forgets the elements of the last alternative of the innermost block. */
static void start_alternative(struct parser *parser)
{
    struct frame *frame = top(parser);
    frame->first_element = frame->last_element = PARE_NO_INDEX;
    frame->n_elements = 0;
    frame->right = false;
    frame->alternative_label = (pare_g4_word){0};
    frame->first_command = (pare_index)parser->file->n_commands;
}

/* Begins a block, at a rule's colon or at a parenthesis. */
static void push(struct parser *parser, pare_g4_word place, pare_g4_word label)
{
    struct frame *frames = pare_vector_grow(parser->frames, parser->n_frames,
                                            &parser->frames_capacity, sizeof *frames);
    if (!frames) {
        out_of_memory(parser);
        return;
    }
    parser->frames = frames;
    parser->frames[parser->n_frames++] = (struct frame){
        .first_alternative = PARE_NO_INDEX,
        .last_alternative = PARE_NO_INDEX,
        .place = place,
        .label = label,
    };
    start_alternative(parser);
}

/* --- elements -------------------------------------------------------------- */

/* <assoc=right>, <fail='...'>, <Name>: true when it is the first of these. */
static bool read_element_options(struct parser *parser)
{
    bool right = false;
    if (!accept(parser, '<')) return false;
    while (parser->token.kind == PARE_G4_NAME) {
        bool is_assoc = at_name(parser, "assoc");
        advance(parser);
        while (accept(parser, '.'))
            advance(parser);
        if (accept(parser, '=')) {
            /* Any other value is of no interest; it is one token. */
            if (is_assoc && at_name(parser, "right")) right = true;
            advance(parser);
        }
        if (!accept(parser, ',')) break;
    }
    expect(parser, '>');
    return right;
}

/* Options after an element mean nothing to a grammar, as in ANTLR since 4.2. */
static void skip_element_options(struct parser *parser)
{
    if (!at_sign(parser, '<')) return;
    ignore(parser, PARE_G4_IGNORED_ELEMENT_OPTION, parser->token.word);
    (void)read_element_options(parser);
}

/* Arguments and options of a reference. */
static void skip_suffixes(struct parser *parser)
{
    /* In a lexer rule, brackets are a set of characters, which is an element. */
    if (parser->token.kind == PARE_G4_BRACKETS && !parser->lexer.in_lexer_rule) {
        ignore(parser, PARE_G4_IGNORED_ARGUMENTS, parser->token.word);
        advance(parser);
    }
    skip_element_options(parser);
}

/* Reads 'x', or 'a'..'z'. A range begins like a literal, so the node changes its kind when the two
 * dots come. */
static pare_index read_text(struct parser *parser)
{
    pare_index node = add_node(parser, PARE_G4_TEXT, parser->token.word);
    advance(parser);
    if (parser->token.kind != PARE_G4_RANGE) return node;
    advance(parser);
    pare_g4_word other = take(parser, PARE_G4_LITERAL, "expected the range's end");
    if (parser->status) return PARE_NO_INDEX;
    parser->file->nodes[node].kind = PARE_G4_SPAN;
    parser->file->nodes[node].other = other;
    return node;
}

/* Reads a name, a literal, a range or a set of characters; PARE_NO_INDEX: it is none of these. */
static pare_index read_terminal(struct parser *parser)
{
    pare_index node = PARE_NO_INDEX;
    switch (parser->token.kind) {
    case PARE_G4_LITERAL: node = read_text(parser); break;
    case PARE_G4_NAME:
        node = add_node(parser, PARE_G4_REFERENCE, parser->token.word);
        advance(parser);
        break;
    case PARE_G4_BRACKETS:
        /* In a parser rule brackets are arguments, and nothing here takes any. */
        if (!parser->lexer.in_lexer_rule) break;
        node = add_node(parser, PARE_G4_CLASS, parser->token.word);
        advance(parser);
        break;
    default: break;
    }
    if (node == PARE_NO_INDEX) {
        unexpected(parser, "expected a name, a literal or a set");
        return node;
    }
    skip_suffixes(parser);
    return node;
}

/* Reads ~x, or ~(x | y | ...). The elements are marked, because they belong to a set and become no
 * expressions of their own. */
static pare_index read_negation(struct parser *parser)
{
    pare_g4_word place = parser->token.word;
    pare_index first = PARE_NO_INDEX, last = PARE_NO_INDEX;
    advance(parser);
    bool is_block = accept(parser, '(');
    do {
        pare_index node = read_terminal(parser);
        /* It has failed already. */
        if (node == PARE_NO_INDEX) return node;
        parser->file->nodes[node].negated = true;
        append(parser, &first, &last, node);
    } while (is_block && accept(parser, '|'));
    if (is_block) expect(parser, ')');
    pare_index node = add_node(parser, PARE_G4_NOT, place);
    if (node != PARE_NO_INDEX) parser->file->nodes[node].first = first;
    return node;
}

/* Wraps `node` in the quantifier that follows it, if one does.  At most one quantifier is
 * taken: `x*?` is a lazy star, and ANTLR refuses `x**`, which fails here at the second sign as
 * an element that nobody expects. */
static pare_index read_quantifier(struct parser *parser, pare_index node)
{
    static const pare_g4_node_kind kinds[] = {PARE_G4_OPTIONAL, PARE_G4_STAR, PARE_G4_PLUS};
    static const char signs[] = "?*+";
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (node == PARE_NO_INDEX || !at_sign(parser, signs[i])) continue;
        pare_index outer = add_node(parser, kinds[i], parser->token.word);
        advance(parser);
        if (outer == PARE_NO_INDEX) return outer;
        parser->file->nodes[outer].first = node;
        parser->file->nodes[outer].lazy = accept(parser, '?');
        return outer;
    }
    return node;
}

/* Gives an element its label and its quantifier, and appends it.  The label goes to the inner
 * node, not to its quantifier: `a+=b*` labels each b. */
static void finish_element(struct parser *parser, pare_index node, pare_g4_word label)
{
    if (node == PARE_NO_INDEX) return;
    if (label.size) parser->file->nodes[node].label = label;
    add_element(parser, read_quantifier(parser, node));
}

/* {...} or {...}? Code of another language: what it does is not known, so the warning says
 * that it is left out.  A predicate decides whether an alternative is possible, and is taken
 * as true; the grammar then allows more texts than ANTLR's parser does. */
static void skip_action(struct parser *parser)
{
    pare_g4_word place = parser->token.word;
    advance(parser);
    bool is_predicate = accept(parser, '?');
    ignore(parser, is_predicate ? PARE_G4_IGNORED_PREDICATE : PARE_G4_IGNORED_ACTION, place);
    if (at_sign(parser, '<')) (void)read_element_options(parser);
}

/* Goes past a parenthesis and what may stand before the block's first alternative. */
static void open_block(struct parser *parser, pare_g4_word label)
{
    pare_g4_word place = parser->token.word;
    advance(parser);
    /* Options of a block have no meaning for a grammar; a rule that is thrown away takes them. */
    if (parser->token.kind == PARE_G4_OPTIONS) {
        pare_g4_rule nobody = {0};
        read_options(parser, &nobody);
        if (!at_sign(parser, ':')) unexpected(parser, "expected ':'");
    }
    (void)accept(parser, ':');
    push(parser, place, label);
}

/* An element that does not start with a name; `label` is what it is given to. */
static void read_anonymous(struct parser *parser, pare_g4_word label)
{
    pare_g4_word place = parser->token.word;
    if (at_sign(parser, '(')) {
        open_block(parser, label);
    } else if (at_sign(parser, '~')) {
        finish_element(parser, read_negation(parser), label);
    } else if (accept(parser, '.')) {
        skip_element_options(parser);
        finish_element(parser, add_node(parser, PARE_G4_ANY, place), label);
    } else {
        finish_element(parser, read_terminal(parser), label);
    }
}

/* A reference, or a label and what it is given to. */
static void read_name(struct parser *parser)
{
    pare_g4_word name = parser->token.word;
    advance(parser);
    if (at_sign(parser, '=') || parser->token.kind == PARE_G4_APPEND) {
        advance(parser);
        read_anonymous(parser, name);
        return;
    }
    pare_index node = add_node(parser, PARE_G4_REFERENCE, name);
    skip_suffixes(parser);
    finish_element(parser, node, (pare_g4_word){0});
}

/* --- alternatives and blocks ----------------------------------------------- */

/* name, name(argument) */
static void read_command(struct parser *parser)
{
    pare_g4_file *file = parser->file;
    pare_g4_command command = {.alternative = PARE_NO_INDEX};
    command.name = take(parser, PARE_G4_NAME, "expected a lexer command");
    if (accept(parser, '(')) {
        command.argument = parser->token.word;
        if (parser->token.kind == PARE_G4_NAME || parser->token.kind == PARE_G4_NUMBER)
            advance(parser);
        else
            unexpected(parser, "expected a name or a number");
        expect(parser, ')');
    }
    if (parser->status) return;
    pare_g4_command *commands = pare_vector_grow(file->commands, file->n_commands,
                                                 &file->commands_capacity, sizeof *commands);
    if (!commands) {
        out_of_memory(parser);
        return;
    }
    file->commands = commands;
    file->commands[file->n_commands++] = command;
}

/* The commands after the arrow of a lexer rule's alternative. */
static void read_commands(struct parser *parser)
{
    if (!parser->lexer.in_lexer_rule)
        reject(parser, parser->token.word, "only lexer rules can have commands");
    do {
        advance(parser);
        read_command(parser);
    } while (at_sign(parser, ','));
    if (!at_sign(parser, '|') && !at_sign(parser, ')') && !at_sign(parser, ';'))
        unexpected(parser, "expected the alternative to end behind its commands");
}

/* `# name` after an alternative of a rule. */
static void read_alternative_label(struct parser *parser)
{
    if (parser->n_frames > 1 || parser->lexer.in_lexer_rule)
        unexpected(parser, "only alternatives of parser rules can have labels");
    advance(parser);
    top(parser)->alternative_label = take(parser, PARE_G4_NAME, "expected the alternative's label");
    if (!at_sign(parser, '|') && !at_sign(parser, ';'))
        unexpected(parser, "expected '|' or ';' behind the label");
}

/* Makes a node of the elements read and appends it to the block's alternatives.  A single
 * element inside a block is its own node; alternatives of a rule, and those with commands, are
 * always nodes, since something refers to them. */
static void finish_alternative(struct parser *parser)
{
    pare_g4_file *file = parser->file;
    struct frame *frame = top(parser);
    /* Commands were read in it if there are more now than when it began. */
    bool is_plain = parser->n_frames > 1 && frame->first_command == file->n_commands;
    pare_index node = frame->first_element;
    if (frame->n_elements != 1 || !is_plain) {
        node = add_node(parser, frame->n_elements ? PARE_G4_SEQUENCE : PARE_G4_EMPTY,
                        parser->token.word);
        if (node == PARE_NO_INDEX) return;
        file->nodes[node].first = frame->first_element;
        file->nodes[node].right = frame->right;
        file->nodes[node].label = frame->alternative_label;
    }
    /* Commands read in inner blocks belong to an alternative already. */
    for (size_t i = frame->first_command; i < file->n_commands; i++)
        if (file->commands[i].alternative == PARE_NO_INDEX) file->commands[i].alternative = node;
    /* `frame` is still right: nothing is pushed meanwhile. */
    append(parser, &frame->first_alternative, &frame->last_alternative, node);
    frame->n_alternatives++;
    start_alternative(parser);
}

/* Takes the innermost block off the stack and returns its node; a block with one alternative
 * is that. */
static pare_index pop(struct parser *parser)
{
    struct frame frame = *top(parser);
    parser->n_frames--;
    if (frame.n_alternatives == 1) return frame.first_alternative;
    pare_index node = add_node(parser, PARE_G4_CHOICE, frame.place);
    if (node != PARE_NO_INDEX) parser->file->nodes[node].first = frame.first_alternative;
    return node;
}

/* Ends the alternative at a bar, or with it the block at its parenthesis. */
static void read_end(struct parser *parser)
{
    bool is_block_end = at_sign(parser, ')');
    finish_alternative(parser);
    /* In a finished block, the quantifier after the parenthesis is the current token now. */
    advance(parser);
    if (!is_block_end || parser->status) return;
    pare_g4_word label = top(parser)->label;
    finish_element(parser, pop(parser), label);
}

/* Elements that begin with a sign: blocks, negations, the wildcard, ends of alternatives. */
static void read_sign(struct parser *parser)
{
    switch (parser->token.word.text[0]) {
    case '|': read_end(parser); return;
    case '#': read_alternative_label(parser); return;
    case '(':
    case '~':
    case '.': read_anonymous(parser, (pare_g4_word){0}); return;
    case ')':
        /* The frame at the bottom is the rule: no parenthesis is open. */
        if (parser->n_frames == 1) break;
        read_end(parser);
        return;
    case '<':
        /* Options after an element were read with it; these are the alternative's. */
        if (top(parser)->n_elements) break;
        if (read_element_options(parser)) top(parser)->right = true;
        return;
    case ':': unexpected(parser, "expected ';' before the next rule"); return;
    default: break;
    }
    unexpected(parser, "expected an element, '|' or ';'");
}

/* Reads one element of an alternative, chosen by its first token. */
static void read_element(struct parser *parser)
{
    switch (parser->token.kind) {
    case PARE_G4_ACTION: skip_action(parser); return;
    case PARE_G4_NAME: read_name(parser); return;
    case PARE_G4_LITERAL:
    case PARE_G4_BRACKETS: read_anonymous(parser, (pare_g4_word){0}); return;
    case PARE_G4_ARROW: read_commands(parser); return;
    case PARE_G4_SIGN: read_sign(parser); return;
    default: unexpected(parser, "expected an element, '|' or ';'");
    }
}

/* Reads the alternatives of `rule` up to and with the semicolon. */
static void read_body(struct parser *parser, pare_g4_rule *rule)
{
    if (parser->status) return;
    parser->n_frames = 0;
    push(parser, parser->rule, (pare_g4_word){0});
    while (!parser->status && !(at_sign(parser, ';') && parser->n_frames == 1))
        read_element(parser);
    if (parser->status) return;
    finish_alternative(parser);
    /* The brackets after a rule are arguments again; set before the next token is read. */
    parser->lexer.in_lexer_rule = false;
    advance(parser);
    rule->body = pop(parser);
}

enum { LONGEST_FILE = 1 << 30 };

/* --- what stands between rules --------------------------------------------- */

/* Names between commas, up to and with the closing brace. */
static void read_names(struct parser *parser, pare_g4_words *words)
{
    advance(parser);
    while (parser->token.kind == PARE_G4_NAME) {
        add_word(parser, words, parser->token.word);
        advance(parser);
        if (!accept(parser, ',') && !accept(parser, ';')) break;
    }
    expect(parser, '}');
}

/* import A, b = C; */
static void read_imports(struct parser *parser)
{
    advance(parser);
    do {
        pare_g4_word name = take(parser, PARE_G4_NAME, "expected a grammar's name");
        /* "b = C" gives C the name b, by which nothing refers to it. */
        if (accept(parser, '=')) name = take(parser, PARE_G4_NAME, "expected a grammar's name");
        if (!parser->status) add_word(parser, &parser->file->imports, name);
    } while (accept(parser, ','));
    expect(parser, ';');
}

/* @name {...}, @scope::name {...} */
static void read_named_action(struct parser *parser)
{
    ignore(parser, PARE_G4_IGNORED_NAMED_ACTION, parser->token.word);
    advance(parser);
    (void)take(parser, PARE_G4_NAME, "expected the action's name");
    if (parser->token.kind == PARE_G4_COLONS) {
        advance(parser);
        (void)take(parser, PARE_G4_NAME, "expected the action's name");
    }
    (void)take(parser, PARE_G4_ACTION, "expected an action");
}

/* A mode holds for all rules up to the next one. */
static void read_mode(struct parser *parser)
{
    if (parser->file->kind != PARE_G4_LEXER_GRAMMAR)
        reject(parser, parser->token.word, "only a lexer grammar can have modes");
    advance(parser);
    parser->mode = take(parser, PARE_G4_NAME, "expected the mode's name");
    if (!parser->status) add_word(parser, &parser->file->modes, parser->mode);
    expect(parser, ';');
}

/* --- rules ----------------------------------------------------------------- */

/* Arguments in brackets after an optional word. */
static void skip_arguments(struct parser *parser, const char *word)
{
    if (word) {
        if (!at_name(parser, word)) return;
        advance(parser);
        if (parser->token.kind != PARE_G4_BRACKETS)
            unexpected(parser, "expected a list in brackets");
    }
    if (parser->token.kind != PARE_G4_BRACKETS) return;
    ignore(parser, PARE_G4_IGNORED_ARGUMENTS, parser->token.word);
    advance(parser);
}

/* Everything from the name to the colon. */
static void read_rule_head(struct parser *parser, pare_g4_rule *rule)
{
    skip_arguments(parser, NULL);
    skip_arguments(parser, "returns");
    if (at_name(parser, "throws")) {
        do {
            advance(parser);
            (void)take_value(parser);
        } while (at_sign(parser, ','));
    }
    skip_arguments(parser, "locals");
    for (;;) {
        if (parser->token.kind == PARE_G4_OPTIONS) {
            rule->has_options = true;
            read_options(parser, rule);
        } else if (at_sign(parser, '@')) {
            read_named_action(parser);
        } else {
            break;
        }
    }
    expect(parser, ':');
}

/* catch [...] {...}, finally {...} */
static void skip_handlers(struct parser *parser)
{
    for (;;) {
        bool is_catch = at_name(parser, "catch");
        if (!is_catch && !at_name(parser, "finally")) return;
        ignore(parser, PARE_G4_IGNORED_HANDLER, parser->token.word);
        advance(parser);
        if (is_catch) (void)take(parser, PARE_G4_BRACKETS, "expected an exception");
        (void)take(parser, PARE_G4_ACTION, "expected an action");
    }
}

/* `fragment` and the access modifiers, which mean nothing. */
static bool take_modifiers(struct parser *parser)
{
    bool is_fragment = false;
    for (;;) {
        bool fragment = at_name(parser, "fragment");
        if (!fragment && !at_name(parser, "public") && !at_name(parser, "private") &&
            !at_name(parser, "protected"))
            return is_fragment;
        is_fragment = is_fragment || fragment;
        advance(parser);
    }
}

/* A lexer grammar has no parser rules, and the reverse. */
static void check_rule_kind(struct parser *parser, const pare_g4_rule *rule)
{
    pare_g4_grammar_kind kind = parser->file->kind;
    if (rule->is_lexer && kind == PARE_G4_PARSER_GRAMMAR)
        reject(parser, rule->name, "a lexer rule in a parser grammar");
    else if (!rule->is_lexer && kind == PARE_G4_LEXER_GRAMMAR)
        reject(parser, rule->name, "a parser rule in a lexer grammar");
    else if (!rule->is_lexer && rule->is_fragment)
        reject(parser, rule->name, "only lexer rules can be fragments");
}

/* Appends the rule to the file's. */
static void keep_rule(struct parser *parser, const pare_g4_rule *rule)
{
    pare_g4_file *file = parser->file;
    pare_g4_rule *rules =
        pare_vector_grow(file->rules, file->n_rules, &file->rules_capacity, sizeof *rules);
    if (!rules) {
        out_of_memory(parser);
        return;
    }
    file->rules = rules;
    file->rules[file->n_rules++] = *rule;
}

/* A rule from its first word to its semicolon, with what may stand between. */
static void read_rule(struct parser *parser)
{
    pare_g4_file *file = parser->file;
    bool is_fragment = take_modifiers(parser);
    pare_g4_rule rule = {
        .is_fragment = is_fragment,
        .first_node = (pare_index)file->n_nodes,
        .first_command = (pare_index)file->n_commands,
        .name = parser->token.word,
        .mode = parser->mode,
    };
    if (parser->token.kind != PARE_G4_NAME) {
        unexpected(parser, "expected a rule");
        return;
    }
    rule.is_lexer = pare_g4_lex_is_token_name(rule.name);
    parser->rule = rule.name;
    check_rule_kind(parser, &rule);
    /* Before the next token is read, since it may be a bracket. */
    parser->lexer.in_lexer_rule = rule.is_lexer;
    advance(parser);
    read_rule_head(parser, &rule);
    read_body(parser, &rule);
    skip_handlers(parser);
    /* Nodes and commands of a rule are a run each, from its first to here. */
    rule.end_node = (pare_index)file->n_nodes;
    rule.end_command = (pare_index)file->n_commands;
    if (!parser->status) keep_rule(parser, &rule);
    parser->rule = (pare_g4_word){0};
}

/* --- the file -------------------------------------------------------------- */

/* [lexer | parser] grammar NAME; */
static void read_header(struct parser *parser)
{
    pare_g4_file *file = parser->file;
    if (at_name(parser, "lexer"))
        file->kind = PARE_G4_LEXER_GRAMMAR;
    else if (at_name(parser, "parser"))
        file->kind = PARE_G4_PARSER_GRAMMAR;
    if (file->kind != PARE_G4_COMBINED) advance(parser);
    if (!at_name(parser, "grammar")) {
        unexpected(parser, "expected 'grammar NAME;'");
        return;
    }
    advance(parser);
    file->name = take(parser, PARE_G4_NAME, "expected the grammar's name");
    expect(parser, ';');
}

/* Reads one part between rules, chosen by its first word; anything else is a rule. */
static void read_part(struct parser *parser)
{
    switch (parser->token.kind) {
    case PARE_G4_OPTIONS: read_options(parser, NULL); return;
    case PARE_G4_TOKENS: read_names(parser, &parser->file->tokens); return;
    case PARE_G4_CHANNELS: read_names(parser, &parser->file->channels); return;
    default: break;
    }
    if (at_sign(parser, '@'))
        read_named_action(parser);
    else if (at_name(parser, "import"))
        read_imports(parser);
    else if (at_name(parser, "mode"))
        read_mode(parser);
    else
        read_rule(parser);
}

/* Every step is a no-op after a failure, so the loop needs no check but the end of the file. */
pare_status pare_g4_parse(pare_g4_file *file, pare_error *err)
{
    if (file->text.size >= LONGEST_FILE)
        return pare_fail(err, PARE_E_LIMIT, "%s is larger than 1 GiB", file->path);
    struct parser parser = {.file = file, .err = err};
    pare_g4_lex_init(&parser.lexer, file->path, file->text.data ? file->text.data : "",
                     file->text.size);
    advance(&parser);
    read_header(&parser);
    while (parser.token.kind != PARE_G4_END)
        read_part(&parser);
    pare_alloc_free(parser.frames);
    return parser.status;
}
