/* Ruby, by the types and fields of tree-sitter-ruby.
 *
 * A variable belongs to the method that assigns to it; a call without arguments and brackets looks
 * like one, and is bound like one.  Methods are known everywhere, whatever they are called on, since
 * most calls do not say that.  Variables with @ are found by their text alone.  What a method
 * returns without `return` is not known. */
#include "reduce/binding/role_names.h"
#include "reduce/binding/syntax.h"

static const pare_syntax_kind kinds[] = {
    /* names */
    {.type = "identifier", .roles = NAME | PRIMARY},
    {.type = "constant", .roles = NAME | PRIMARY},
    {.type = "global_variable", .roles = NAME | PRIMARY},
    {.type = "instance_variable", .roles = MEMBER | PRIMARY},
    {.type = "class_variable", .roles = MEMBER | PRIMARY},
    {.type = "comment", .roles = COMMENT},
    /* declarations */
    {.type = "method",
     .roles = DECLARES | FUNCTION | STATEMENT,
     .names = "name",
     .list = "parameters",
     .body = "body"},
    /* `def self.f`: its name is bound like that of any method. */
    {.type = "singleton_method",
     .roles = DECLARES | FUNCTION | STATEMENT,
     .names = "name",
     .list = "parameters",
     .body = "body"},
    {.type = "class", .roles = DECLARES | STATEMENT, .names = "name", .body = "body"},
    {.type = "module", .roles = DECLARES | STATEMENT, .names = "name", .body = "body"},
    {.type = "singleton_class", .roles = STATEMENT, .body = "body"},
    {.type = "superclass", .roles = STATEMENT},
    {.type = "assignment", .roles = ASSIGNS | EXPRESSION, .names = "left", .value = "right"},
    /* `a, b = ..`: without names nothing is left of it. */
    {.type = "left_assignment_list", .roles = WRAPS | HOLDER, .names = "*"},
    {.type = "rest_assignment", .roles = WRAPS, .names = "*"},
    /* It uses the name before it changes it, so it gives it no value of its own. */
    {.type = "operator_assignment", .roles = EXPRESSION},
    /* Parameters have no nodes of their own, or such as wrap the name: the list declares them. */
    {.type = "method_parameters", .roles = PARAMETERS | DECLARES, .names = "*"},
    {.type = "lambda_parameters", .roles = PARAMETERS | DECLARES, .names = "*"},
    {.type = "block_parameters", .roles = PARAMETERS | DECLARES, .names = "*"},
    {.type = "optional_parameter", .roles = WRAPS, .names = "name"},
    {.type = "keyword_parameter", .roles = WRAPS, .names = "name"},
    {.type = "splat_parameter", .roles = WRAPS, .names = "name"},
    {.type = "hash_splat_parameter", .roles = WRAPS, .names = "name"},
    {.type = "block_parameter", .roles = WRAPS, .names = "name"},
    {.type = "exception_variable", .roles = ASSIGNS, .names = "*"},
    /* scopes and functions */
    {.type = "program", .roles = SCOPE | BLOCK},
    {.type = "body_statement", .roles = BLOCK},
    {.type = "block_body", .roles = BLOCK},
    /* These hold the statements between two words, such as `then` and `end`. */
    {.type = "then", .roles = BLOCK},
    {.type = "do", .roles = BLOCK},
    {.type = "begin", .roles = STATEMENT | BLOCK},
    {.type = "begin_block", .roles = STATEMENT | BLOCK},
    {.type = "end_block", .roles = STATEMENT | BLOCK},
    /* Blocks that are given to a call have parameters of their own. */
    {.type = "block", .roles = FUNCTION, .list = "parameters", .body = "body"},
    {.type = "do_block", .roles = FUNCTION, .list = "parameters", .body = "body"},
    {.type = "lambda", .roles = FUNCTION | EXPRESSION, .list = "parameters", .body = "body"},
    /* expressions */
    {.type = "argument_list", .roles = ARGUMENTS},
    {.type = "call", .roles = CALL | PRIMARY, .object = "method", .list = "arguments"},
    {.type = "element_reference", .roles = PRIMARY},
    {.type = "scope_resolution", .roles = PRIMARY},
    {.type = "parenthesized_statements", .roles = PRIMARY},
    {.type = "array", .roles = PRIMARY},
    {.type = "hash", .roles = PRIMARY},
    /* A key and its value in a hash may go by themselves. */
    {.type = "pair", .roles = STATEMENT},
    {.type = "string", .roles = PRIMARY},
    {.type = "string_array", .roles = PRIMARY},
    {.type = "symbol_array", .roles = PRIMARY},
    {.type = "simple_symbol", .roles = PRIMARY},
    {.type = "delimited_symbol", .roles = PRIMARY},
    {.type = "regex", .roles = PRIMARY},
    {.type = "subshell", .roles = PRIMARY},
    {.type = "integer", .roles = PRIMARY},
    {.type = "float", .roles = PRIMARY},
    {.type = "nil", .roles = PRIMARY},
    {.type = "true", .roles = PRIMARY},
    {.type = "false", .roles = PRIMARY},
    {.type = "self", .roles = PRIMARY},
    {.type = "binary", .roles = EXPRESSION},
    {.type = "unary", .roles = EXPRESSION},
    {.type = "conditional", .roles = EXPRESSION},
    {.type = "range", .roles = EXPRESSION},
    {.type = "yield", .roles = EXPRESSION},
    {.type = "rescue_modifier", .roles = EXPRESSION},
    /* statements */
    {.type = "return", .roles = STATEMENT | RETURN, .value = "argument_list"},
    {.type = "if", .roles = STATEMENT, .body = "consequence alternative"},
    {.type = "unless", .roles = STATEMENT, .body = "consequence alternative"},
    {.type = "elsif", .roles = CLAUSE, .body = "consequence"},
    {.type = "else", .roles = CLAUSE | BLOCK},
    /* `x if y`: the statement stands before the word. */
    {.type = "if_modifier", .roles = STATEMENT, .body = "body"},
    {.type = "unless_modifier", .roles = STATEMENT, .body = "body"},
    {.type = "while_modifier", .roles = STATEMENT, .body = "body"},
    {.type = "until_modifier", .roles = STATEMENT, .body = "body"},
    {.type = "while", .roles = STATEMENT, .body = "body"},
    {.type = "until", .roles = STATEMENT, .body = "body"},
    {.type = "for", .roles = ASSIGNS | STATEMENT, .names = "pattern", .body = "body"},
    {.type = "case", .roles = STATEMENT},
    {.type = "when", .roles = CLAUSE, .body = "body"},
    {.type = "case_match", .roles = STATEMENT},
    {.type = "in_clause", .roles = CLAUSE, .body = "body"},
    {.type = "rescue", .roles = CLAUSE, .body = "body"},
    {.type = "ensure", .roles = CLAUSE | BLOCK},
    {.type = "break", .roles = STATEMENT},
    {.type = "next", .roles = STATEMENT},
    {.type = "redo", .roles = STATEMENT},
    {.type = "retry", .roles = STATEMENT},
    {.type = "alias", .roles = STATEMENT},
    {.type = "undef", .roles = STATEMENT},
};

static const char *const values[] = {"0", "''", "[]", "nil", NULL};
/* There are no words for types. */
static const char *const types[] = {NULL};

const pare_syntax_table pare_table_ruby = {
    .names = "ruby",
    .kinds = kinds,
    .n_kinds = sizeof kinds / sizeof *kinds,
    .values = values,
    .types = types,
    .no_statement = "",
    .no_body = "",
    .before_statement = ";",
    .implicit = PARE_IMPLICIT_FUNCTION,
};
