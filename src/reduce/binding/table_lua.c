/* Lua, by the types and fields of tree-sitter-lua.
 *
 * Names without `local` belong to the program; tables' fields are members, found by their text
 * alone. */
#include "reduce/binding/role_names.h"
#include "reduce/binding/syntax.h"

static const pare_syntax_kind kinds[] = {
    /* names */
    {.type = "identifier", .roles = NAME | PRIMARY},
    {.type = "comment", .roles = COMMENT},
    /* declarations */
    /* `local` before an assignment. */
    {.type = "variable_declaration", .roles = STATEMENT | HOLDER, .names = "assignment_statement"},
    {.type = "assignment_statement",
     .roles = ASSIGNS | STATEMENT,
     .names = "variable_list",
     .value = "expression_list"},
    {.type = "variable_list", .roles = WRAPS | HOLDER, .names = "*"},
    {.type = "expression_list", .roles = WRAPS, .names = "*"},
    {.type = "function_declaration",
     .roles = DECLARES | FUNCTION | STATEMENT,
     .names = "name",
     .list = "parameters",
     .body = "body"},
    /* Parameters have no nodes of their own: the list declares them. */
    {.type = "parameters", .roles = PARAMETERS | DECLARES, .names = "name"},
    {.type = "for_generic_clause", .roles = DECLARES, .names = "variable_list"},
    {.type = "for_numeric_clause", .roles = DECLARES, .names = "name"},
    {.type = "field", .roles = DECLARES | STATEMENT, .names = "name", .value = "value"},
    {.type = "label_statement", .roles = STATEMENT},
    /* scopes and functions */
    {.type = "chunk", .roles = SCOPE | BLOCK},
    {.type = "block", .roles = BLOCK},
    /* Its fields declare members, by their names. */
    {.type = "table_constructor", .roles = MEMBERS | PRIMARY},
    {.type = "function_definition",
     .roles = FUNCTION | EXPRESSION,
     .list = "parameters",
     .body = "body"},
    /* expressions */
    {.type = "arguments", .roles = ARGUMENTS},
    {.type = "function_call", .roles = CALL | PRIMARY, .object = "name", .list = "arguments"},
    {.type = "dot_index_expression",
     .roles = ACCESS | PRIMARY,
     .names = "field",
     .object = "table"},
    {.type = "method_index_expression",
     .roles = ACCESS | PRIMARY,
     .names = "method",
     .object = "table"},
    {.type = "bracket_index_expression",
     .roles = SUBSCRIPT | PRIMARY,
     .object = "table",
     .list = "field"},
    {.type = "parenthesized_expression", .roles = PRIMARY},
    /* Literals are not primary: to be called or indexed they need parentheses. */
    {.type = "string", .roles = EXPRESSION},
    {.type = "number", .roles = EXPRESSION},
    {.type = "nil", .roles = EXPRESSION},
    {.type = "true", .roles = EXPRESSION},
    {.type = "false", .roles = EXPRESSION},
    {.type = "vararg_expression", .roles = PRIMARY},
    {.type = "binary_expression", .roles = EXPRESSION},
    {.type = "unary_expression", .roles = EXPRESSION},
    /* statements */
    {.type = "do_statement", .roles = STATEMENT, .body = "body"},
    {.type = "if_statement", .roles = STATEMENT, .body = "consequence alternative"},
    {.type = "elseif_statement", .roles = CLAUSE, .body = "consequence"},
    {.type = "else_statement", .roles = CLAUSE, .body = "body"},
    {.type = "for_statement", .roles = STATEMENT | SCOPE, .body = "body"},
    {.type = "while_statement", .roles = STATEMENT, .body = "body"},
    {.type = "repeat_statement", .roles = STATEMENT, .body = "body"},
    /* Values stand in a list of their own, as in assignments. */
    {.type = "return_statement", .roles = STATEMENT | RETURN, .value = "expression_list"},
    {.type = "break_statement", .roles = STATEMENT},
    {.type = "goto_statement", .roles = STATEMENT},
    {.type = "empty_statement", .roles = STATEMENT},
};

static const char *const values[] = {"0", "''", "{}", "nil", NULL};
static const char *const types[] = {NULL};

const pare_syntax_table pare_table_lua = {
    .names = "lua",
    .kinds = kinds,
    .n_kinds = sizeof kinds / sizeof *kinds,
    .values = values,
    .types = types,
    .no_statement = "",
    .no_body = "",
    .before_statement = " ",
    .implicit = PARE_IMPLICIT_PROGRAM,
};
