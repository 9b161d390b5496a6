/* The parser of ANTLR's grammar notation: the bodies of rules.
 *
 * A block is a frame on a stack: a parenthesis pushes one, its partner makes the block a
 * node and appends that to the alternative of the frame below.
 * Source: the ANTLR 4 documentation, doc/parser-rules.md and doc/lexer-rules.md. */
#include "base/vector.h"
#include "grammar/g4_ast.h"
#include "grammar/g4_lex.h"
#include "grammar/g4_parser.h"
#include "grammar/grammar.h"

/* --- nodes ----------------------------------------------------------------- */

static pare_index add_node(pare_g4_parser *parser, pare_g4_node_kind kind, pare_g4_word word)
{
    pare_g4_file *file = parser->file;
    if (parser->status) return PARE_NO_INDEX;
    pare_g4_node *nodes =
        pare_vector_grow(file->nodes, file->n_nodes, &file->nodes_capacity, sizeof *nodes);
    if (!nodes) {
        pare_g4_out_of_memory(parser);
        return PARE_NO_INDEX;
    }
    file->nodes = nodes;
    file->nodes[file->n_nodes] =
        (pare_g4_node){.kind = kind, .first = PARE_NO_INDEX, .next = PARE_NO_INDEX, .word = word};
    return (pare_index)file->n_nodes++;
}

/* Puts `node` behind `*last` in the list that starts at *first. */
static void append(pare_g4_parser *parser, pare_index *first, pare_index *last, pare_index node)
{
    if (*first == PARE_NO_INDEX)
        *first = node;
    else
        parser->file->nodes[*last].next = node;
    *last = node;
}

static pare_g4_frame *top(pare_g4_parser *parser)
{
    return &parser->frames[parser->n_frames - 1];
}

static void add_element(pare_g4_parser *parser, pare_index node)
{
    if (node == PARE_NO_INDEX) return;
    pare_g4_frame *frame = top(parser);
    append(parser, &frame->first_element, &frame->last_element, node);
    frame->n_elements++;
}

static void start_alternative(pare_g4_parser *parser)
{
    pare_g4_frame *frame = top(parser);
    frame->first_element = frame->last_element = PARE_NO_INDEX;
    frame->n_elements = 0;
    frame->right = false;
    frame->alternative_label = (pare_g4_word){0};
    frame->first_command = (pare_index)parser->file->n_commands;
}

static void push(pare_g4_parser *parser, pare_g4_word place, pare_g4_word label)
{
    pare_g4_frame *frames = pare_vector_grow(parser->frames, parser->n_frames,
                                             &parser->frames_capacity, sizeof *frames);
    if (!frames) {
        pare_g4_out_of_memory(parser);
        return;
    }
    parser->frames = frames;
    parser->frames[parser->n_frames++] = (pare_g4_frame){
        .first_alternative = PARE_NO_INDEX,
        .last_alternative = PARE_NO_INDEX,
        .place = place,
        .label = label,
    };
    start_alternative(parser);
}

/* --- elements -------------------------------------------------------------- */

/* <assoc=right>, <fail='...'>, <Name>: true when it is the first of these. */
static bool read_element_options(pare_g4_parser *parser)
{
    bool right = false;
    if (!pare_g4_accept(parser, '<')) return false;
    while (parser->token.kind == PARE_G4_NAME) {
        bool is_assoc = pare_g4_at_name(parser, "assoc");
        pare_g4_advance(parser);
        while (pare_g4_accept(parser, '.'))
            pare_g4_advance(parser);
        if (pare_g4_accept(parser, '=')) {
            if (is_assoc && pare_g4_at_name(parser, "right")) right = true;
            pare_g4_advance(parser);
        }
        if (!pare_g4_accept(parser, ',')) break;
    }
    pare_g4_expect(parser, '>');
    return right;
}

/* Options behind an element mean nothing to a grammar, as in ANTLR since 4.2. */
static void skip_element_options(pare_g4_parser *parser)
{
    if (!pare_g4_at_sign(parser, '<')) return;
    pare_g4_ignore(parser, PARE_G4_IGNORED_ELEMENT_OPTION, parser->token.word);
    (void)read_element_options(parser);
}

/* Arguments and options of a reference. */
static void skip_suffixes(pare_g4_parser *parser)
{
    if (parser->token.kind == PARE_G4_BRACKETS && !parser->lexer.in_lexer_rule) {
        pare_g4_ignore(parser, PARE_G4_IGNORED_ARGUMENTS, parser->token.word);
        pare_g4_advance(parser);
    }
    skip_element_options(parser);
}

/* 'x', or 'a'..'z'. */
static pare_index read_text(pare_g4_parser *parser)
{
    pare_index node = add_node(parser, PARE_G4_TEXT, parser->token.word);
    pare_g4_advance(parser);
    if (parser->token.kind != PARE_G4_RANGE) return node;
    pare_g4_advance(parser);
    pare_g4_word other = pare_g4_take(parser, PARE_G4_LITERAL, "expected the range's end");
    if (parser->status) return PARE_NO_INDEX;
    parser->file->nodes[node].kind = PARE_G4_SPAN;
    parser->file->nodes[node].other = other;
    return node;
}

/* A name, a literal, a range, a set of characters; none of them: PARE_NO_INDEX. */
static pare_index read_terminal(pare_g4_parser *parser)
{
    pare_index node = PARE_NO_INDEX;
    switch (parser->token.kind) {
    case PARE_G4_LITERAL: node = read_text(parser); break;
    case PARE_G4_NAME:
        node = add_node(parser, PARE_G4_REFERENCE, parser->token.word);
        pare_g4_advance(parser);
        break;
    case PARE_G4_BRACKETS:
        if (!parser->lexer.in_lexer_rule) break;
        node = add_node(parser, PARE_G4_CLASS, parser->token.word);
        pare_g4_advance(parser);
        break;
    default: break;
    }
    if (node == PARE_NO_INDEX) {
        pare_g4_unexpected(parser, "expected a name, a literal or a set");
        return node;
    }
    skip_suffixes(parser);
    return node;
}

/* ~x, or ~(x | y | ...). */
static pare_index read_negation(pare_g4_parser *parser)
{
    pare_g4_word place = parser->token.word;
    pare_index first = PARE_NO_INDEX, last = PARE_NO_INDEX;
    pare_g4_advance(parser);
    bool is_block = pare_g4_accept(parser, '(');
    do {
        pare_index node = read_terminal(parser);
        if (node == PARE_NO_INDEX) return node;
        parser->file->nodes[node].negated = true;
        append(parser, &first, &last, node);
    } while (is_block && pare_g4_accept(parser, '|'));
    if (is_block) pare_g4_expect(parser, ')');
    pare_index node = add_node(parser, PARE_G4_NOT, place);
    if (node != PARE_NO_INDEX) parser->file->nodes[node].first = first;
    return node;
}

/* Wraps `node` in the quantifier that follows it, if one does. */
static pare_index read_quantifier(pare_g4_parser *parser, pare_index node)
{
    static const pare_g4_node_kind kinds[] = {PARE_G4_OPTIONAL, PARE_G4_STAR, PARE_G4_PLUS};
    static const char signs[] = "?*+";
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (node == PARE_NO_INDEX || !pare_g4_at_sign(parser, signs[i])) continue;
        pare_index outer = add_node(parser, kinds[i], parser->token.word);
        pare_g4_advance(parser);
        if (outer == PARE_NO_INDEX) return outer;
        parser->file->nodes[outer].first = node;
        parser->file->nodes[outer].lazy = pare_g4_accept(parser, '?');
        return outer;
    }
    return node;
}

static void finish_element(pare_g4_parser *parser, pare_index node, pare_g4_word label)
{
    if (node == PARE_NO_INDEX) return;
    if (label.size) parser->file->nodes[node].label = label;
    add_element(parser, read_quantifier(parser, node));
}

/* {...} or {...}? */
static void skip_action(pare_g4_parser *parser)
{
    pare_g4_word place = parser->token.word;
    pare_g4_advance(parser);
    bool is_predicate = pare_g4_accept(parser, '?');
    pare_g4_ignore(parser, is_predicate ? PARE_G4_IGNORED_PREDICATE : PARE_G4_IGNORED_ACTION,
                   place);
    if (pare_g4_at_sign(parser, '<')) (void)read_element_options(parser);
}

/* Goes past a parenthesis and what may stand before the block's first alternative. */
static void open_block(pare_g4_parser *parser, pare_g4_word label)
{
    pare_g4_word place = parser->token.word;
    pare_g4_advance(parser);
    if (parser->token.kind == PARE_G4_OPTIONS) {
        pare_g4_rule nobody = {0};
        pare_g4_options(parser, &nobody);
        if (!pare_g4_at_sign(parser, ':')) pare_g4_unexpected(parser, "expected ':'");
    }
    (void)pare_g4_accept(parser, ':');
    push(parser, place, label);
}

/* An element that does not start with a name; `label` is what it is given to. */
static void read_anonymous(pare_g4_parser *parser, pare_g4_word label)
{
    pare_g4_word place = parser->token.word;
    if (pare_g4_at_sign(parser, '(')) {
        open_block(parser, label);
    } else if (pare_g4_at_sign(parser, '~')) {
        finish_element(parser, read_negation(parser), label);
    } else if (pare_g4_accept(parser, '.')) {
        skip_element_options(parser);
        finish_element(parser, add_node(parser, PARE_G4_ANY, place), label);
    } else {
        finish_element(parser, read_terminal(parser), label);
    }
}

/* A reference, or a label and what it is given to. */
static void read_name(pare_g4_parser *parser)
{
    pare_g4_word name = parser->token.word;
    pare_g4_advance(parser);
    if (pare_g4_at_sign(parser, '=') || parser->token.kind == PARE_G4_APPEND) {
        pare_g4_advance(parser);
        read_anonymous(parser, name);
        return;
    }
    pare_index node = add_node(parser, PARE_G4_REFERENCE, name);
    skip_suffixes(parser);
    finish_element(parser, node, (pare_g4_word){0});
}

/* --- alternatives and blocks ----------------------------------------------- */

/* name, name(argument) */
static void read_command(pare_g4_parser *parser)
{
    pare_g4_file *file = parser->file;
    pare_g4_command command = {.alternative = PARE_NO_INDEX};
    command.name = pare_g4_take(parser, PARE_G4_NAME, "expected a lexer command");
    if (pare_g4_accept(parser, '(')) {
        command.argument = parser->token.word;
        if (parser->token.kind == PARE_G4_NAME || parser->token.kind == PARE_G4_NUMBER)
            pare_g4_advance(parser);
        else
            pare_g4_unexpected(parser, "expected a name or a number");
        pare_g4_expect(parser, ')');
    }
    if (parser->status) return;
    pare_g4_command *commands = pare_vector_grow(file->commands, file->n_commands,
                                                 &file->commands_capacity, sizeof *commands);
    if (!commands) {
        pare_g4_out_of_memory(parser);
        return;
    }
    file->commands = commands;
    file->commands[file->n_commands++] = command;
}

static void read_commands(pare_g4_parser *parser)
{
    if (!parser->lexer.in_lexer_rule)
        pare_g4_reject(parser, parser->token.word, "only lexer rules can have commands");
    do {
        pare_g4_advance(parser);
        read_command(parser);
    } while (pare_g4_at_sign(parser, ','));
    if (!pare_g4_at_sign(parser, '|') && !pare_g4_at_sign(parser, ')') &&
        !pare_g4_at_sign(parser, ';'))
        pare_g4_unexpected(parser, "expected the alternative to end behind its commands");
}

/* `# name` behind an alternative of a rule. */
static void read_alternative_label(pare_g4_parser *parser)
{
    if (parser->n_frames > 1 || parser->lexer.in_lexer_rule)
        pare_g4_unexpected(parser, "only alternatives of parser rules can have labels");
    pare_g4_advance(parser);
    top(parser)->alternative_label =
        pare_g4_take(parser, PARE_G4_NAME, "expected the alternative's label");
    if (!pare_g4_at_sign(parser, '|') && !pare_g4_at_sign(parser, ';'))
        pare_g4_unexpected(parser, "expected '|' or ';' behind the label");
}

/* Makes a node of the elements read and appends it to the block's alternatives. */
static void finish_alternative(pare_g4_parser *parser)
{
    pare_g4_file *file = parser->file;
    pare_g4_frame *frame = top(parser);
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
    for (size_t i = frame->first_command; i < file->n_commands; i++)
        if (file->commands[i].alternative == PARE_NO_INDEX) file->commands[i].alternative = node;
    append(parser, &frame->first_alternative, &frame->last_alternative, node);
    frame->n_alternatives++;
    start_alternative(parser);
}

/* Takes the block off the stack and returns its node. */
static pare_index pop(pare_g4_parser *parser)
{
    pare_g4_frame frame = *top(parser);
    parser->n_frames--;
    if (frame.n_alternatives == 1) return frame.first_alternative;
    pare_index node = add_node(parser, PARE_G4_CHOICE, frame.place);
    if (node != PARE_NO_INDEX) parser->file->nodes[node].first = frame.first_alternative;
    return node;
}

/* Ends the alternative at a bar, the block at its parenthesis. */
static void read_end(pare_g4_parser *parser)
{
    bool is_block_end = pare_g4_at_sign(parser, ')');
    finish_alternative(parser);
    pare_g4_advance(parser);
    if (!is_block_end || parser->status) return;
    pare_g4_word label = top(parser)->label;
    finish_element(parser, pop(parser), label);
}

static void read_sign(pare_g4_parser *parser)
{
    switch (parser->token.word.text[0]) {
    case '|': read_end(parser); return;
    case '#': read_alternative_label(parser); return;
    case '(':
    case '~':
    case '.': read_anonymous(parser, (pare_g4_word){0}); return;
    case ')':
        if (parser->n_frames == 1) break;
        read_end(parser);
        return;
    case '<':
        if (top(parser)->n_elements) break;
        if (read_element_options(parser)) top(parser)->right = true;
        return;
    case ':': pare_g4_unexpected(parser, "expected ';' before the next rule"); return;
    default: break;
    }
    pare_g4_unexpected(parser, "expected an element, '|' or ';'");
}

static void read_element(pare_g4_parser *parser)
{
    switch (parser->token.kind) {
    case PARE_G4_ACTION: skip_action(parser); return;
    case PARE_G4_NAME: read_name(parser); return;
    case PARE_G4_LITERAL:
    case PARE_G4_BRACKETS: read_anonymous(parser, (pare_g4_word){0}); return;
    case PARE_G4_ARROW: read_commands(parser); return;
    case PARE_G4_SIGN: read_sign(parser); return;
    default: pare_g4_unexpected(parser, "expected an element, '|' or ';'");
    }
}

void pare_g4_body(pare_g4_parser *parser, pare_g4_rule *rule)
{
    if (parser->status) return;
    parser->n_frames = 0;
    push(parser, parser->rule, (pare_g4_word){0});
    while (!parser->status && !(pare_g4_at_sign(parser, ';') && parser->n_frames == 1))
        read_element(parser);
    if (parser->status) return;
    finish_alternative(parser);
    parser->lexer.in_lexer_rule = false;
    pare_g4_advance(parser);
    rule->body = pop(parser);
}
