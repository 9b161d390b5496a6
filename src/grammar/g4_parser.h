/* Inside the parser of the grammar notation: its state and the steps its two files
 * share.  A failure sticks: the current token becomes the end, every step is a no-op. */
#ifndef PARE_GRAMMAR_G4_PARSER_H
#define PARE_GRAMMAR_G4_PARSER_H

#include "grammar/g4_ast.h"
#include "grammar/g4_lex.h"
#include "grammar/grammar.h"

/* A block whose end was not seen yet. */
typedef struct pare_g4_frame {
    pare_index first_alternative, last_alternative;
    pare_index first_element, last_element; /* of the alternative being read */
    uint32_t n_alternatives, n_elements;
    pare_index first_command;       /* of the alternative being read */
    bool right;                     /* <assoc=right> on it */
    pare_g4_word alternative_label; /* `# name` behind it */
    pare_g4_word place;             /* of the parenthesis, or of the rule */
    pare_g4_word label;             /* of the block in the one around it */
} pare_g4_frame;

typedef struct pare_g4_parser {
    pare_g4_lexer lexer;
    pare_g4_token token; /* the current one */
    pare_g4_file *file;
    pare_g4_word rule; /* name of the one being read */
    pare_g4_word mode;
    pare_g4_frame *frames; /* owned */
    size_t n_frames, frames_capacity;
    pare_status status;
    pare_error *err;
} pare_g4_parser;

/* Reads the next token into parser->token. */
void pare_g4_advance(pare_g4_parser *parser);

bool pare_g4_at_sign(const pare_g4_parser *parser, char sign);
bool pare_g4_at_name(const pare_g4_parser *parser, const char *name);

/* If the sign is there, goes past it. */
bool pare_g4_accept(pare_g4_parser *parser, char sign);

/* Goes past the sign, or fails saying what was expected. */
void pare_g4_expect(pare_g4_parser *parser, char sign);

/* Goes past a token of that kind and returns it, or fails with "expected `what`". */
pare_g4_word pare_g4_take(pare_g4_parser *parser, pare_g4_token_kind kind, const char *what);

/* Fails at the current token: "`what`, found '...'". */
void pare_g4_unexpected(pare_g4_parser *parser, const char *what);

/* Fails at a place. */
void pare_g4_reject(pare_g4_parser *parser, pare_g4_word place, const char *what);
void pare_g4_out_of_memory(pare_g4_parser *parser);

/* Remembers the first thing of a kind that is not read. */
void pare_g4_ignore(pare_g4_parser *parser, pare_g4_ignored kind, pare_g4_word place);

/* Reads options up to and with the closing brace; applies them to `rule`, or to the file
 * when that is NULL. */
void pare_g4_options(pare_g4_parser *parser, pare_g4_rule *rule);

/* Reads the alternatives of `rule` up to and with the semicolon. */
void pare_g4_body(pare_g4_parser *parser, pare_g4_rule *rule);

#endif
