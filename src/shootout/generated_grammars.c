/* The grammars of the generated suite, as texts. */
#include "shootout/generated_grammars.h"

const pare_generated_grammar pare_generated_grammars[] = {
    /* Seeds 000 and 002: EXPR_GRAMMAR. */
    {"expr", "expr.json",
     "{\"<start>\": [\"<expr>\"],\n"
     " \"<expr>\": [\"<term> + <expr>\", \"<term> - <expr>\", \"<term>\"],\n"
     " \"<term>\": [\"<factor> * <term>\", \"<factor> / <term>\", \"<factor>\"],\n"
     " \"<factor>\": [\"+<factor>\", \"-<factor>\", \"(<expr>)\", \"<integer>.<integer>\",\n"
     "              \"<integer>\"],\n"
     " \"<integer>\": [\"<digit><integer>\", \"<digit>\"],\n"
     " \"<digit>\": [\"0\", \"1\", \"2\", \"3\", \"4\", \"5\", \"6\", \"7\", \"8\", \"9\"]}\n",
     NULL},
    /* Seed 002, exercise 2; a list of them, so that there is something to leave out. */
    {"number", "number.json",
     "{\"<start>\": [\"<numbers>\"],\n"
     " \"<numbers>\": [\"<number>\", \"<number>,<numbers>\"],\n"
     " \"<number>\": [\"<float>\", \"<integer>\", \"<not-a-number>\"],\n"
     " \"<float>\": [\"<digits>.<digits>\"],\n"
     " \"<integer>\": [\"<digits>\"],\n"
     " \"<not-a-number>\": [\"NaN\"],\n"
     " \"<digits>\": [\"<digit>\", \"<digit><digits>\"],\n"
     " \"<digit>\": [\"0\", \"1\", \"2\", \"3\", \"4\", \"5\", \"6\", \"7\", \"8\", \"9\"]}\n",
     "{\"alts\": {\"<numbers>\": {\"0\": {\"1\": 200}}}}"},
    /* Seed 004: assignment_grammar, its context-free part. */
    {"assignment", "assignment.json",
     "{\"<start>\": [\"<assignments>\"],\n"
     " \"<assignments>\": [\"<assign>;\\n\", \"<assign>;\\n<assignments>\"],\n"
     " \"<assign>\": [\"<var> = <expr>\"],\n"
     " \"<expr>\": [\"<expr> + <expr>\", \"<expr> - <expr>\", \"(<expr>)\", \"<var>\",\n"
     "            \"<digit>\"],\n"
     " \"<digit>\": [\"0\", \"1\"],\n"
     " \"<var>\": [\"a\", \"b\", \"c\", \"d\", \"e\", \"f\", \"g\", \"h\", \"i\", \"j\", \"k\",\n"
     "           \"l\", \"m\", \"n\", \"o\", \"p\", \"q\", \"r\", \"s\", \"t\", \"u\", \"v\",\n"
     "           \"w\", \"x\", \"y\", \"z\"]}\n",
     NULL},
    /* Our own, with a lexer: what the seeds' grammars have none of. */
    {"json", "Json.g4",
     "grammar Json;\n"
     "json: value EOF;\n"
     "value: object | array | STRING | NUMBER | 'true' | 'false' | 'null';\n"
     "object: '{' (pair (',' pair)*)? '}';\n"
     "array: '[' (value (',' value)*)? ']';\n"
     "pair: STRING ':' value;\n"
     "STRING: '\"' [a-z]+ '\"';\n"
     "NUMBER: '-'? [0-9]+ ('.' [0-9]+)?;\n"
     "SPACE: [ \\n]+ -> skip;\n",
     "{\"quants\": {\"object\": {\"0\": 0.9, \"1\": 0.85}, \"array\": {\"0\": 0.9, \"1\": 0.85}}}"},
    {"program", "Program.g4",
     "grammar Program;\n"
     "program: statement+ EOF;\n"
     "statement: 'let' NAME '=' expr ';' | assignment | condition | loop | call ';'\n"
     "         | 'return' expr ';';\n"
     "assignment: NAME '=' expr ';';\n"
     "condition: 'if' '(' expr ')' block ('else' block)?;\n"
     "loop: 'while' '(' expr ')' block;\n"
     "block: '{' statement* '}';\n"
     "call: NAME '(' (expr (',' expr)*)? ')';\n"
     "expr: '-' expr | expr ('*' | '/') expr | expr ('+' | '-') expr | expr '<' expr\n"
     "    | '(' expr ')' | call | NAME | NUMBER;\n"
     "NAME: [a-z] [a-z_0-9]*;\n"
     "NUMBER: [0-9]+;\n"
     "SPACE: [ \\n]+ -> skip;\n",
     NULL},
};

const size_t pare_n_generated_grammars =
    sizeof pare_generated_grammars / sizeof *pare_generated_grammars;
