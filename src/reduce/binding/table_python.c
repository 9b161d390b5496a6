/* Python, by the types and fields of tree-sitter-python.
 *
 * Blocks are made by indentation: what must not be empty becomes `0`, which is shorter than
 * `pass`.  An assignment declares its name in the function around it. */
#include "reduce/binding/role_names.h"
#include "reduce/binding/syntax.h"

static const pare_syntax_kind kinds[] = {
    /* names */
    {.type = "identifier", .roles = NAME | PRIMARY},
    {.type = "comment", .roles = COMMENT},
    /* declarations */
    {.type = "function_definition",
     .roles = DECLARES | FUNCTION | STATEMENT,
     .names = "name",
     .list = "parameters",
     .body = "body"},
    /* What its block defines are members. */
    {.type = "class_definition", .roles = DECLARES | MEMBERS | STATEMENT, .names = "name"},
    /* Goes with its definition; decorators may go by themselves. */
    {.type = "decorated_definition", .roles = STATEMENT | HOLDER, .names = "definition"},
    {.type = "decorator", .roles = STATEMENT},
    /* Parameters have no nodes of their own, or such as wrap the name: the list declares them. */
    {.type = "parameters", .roles = PARAMETERS | DECLARES, .names = "*"},
    {.type = "lambda_parameters", .roles = PARAMETERS | DECLARES, .names = "*"},
    {.type = "default_parameter", .roles = WRAPS, .names = "name"},
    {.type = "typed_default_parameter", .roles = WRAPS, .names = "name"},
    {.type = "typed_parameter",
     .roles = WRAPS,
     .names = "identifier list_splat_pattern dictionary_splat_pattern"},
    {.type = "list_splat_pattern", .roles = WRAPS, .names = "*"},
    {.type = "dictionary_splat_pattern", .roles = WRAPS, .names = "*"},
    /* Patterns: the names that are assigned to stand further inside. */
    {.type = "tuple_pattern", .roles = WRAPS, .names = "*"},
    {.type = "list_pattern", .roles = WRAPS, .names = "*"},
    {.type = "pattern_list", .roles = WRAPS, .names = "*"},
    {.type = "as_pattern_target", .roles = WRAPS, .names = "*"},
    {.type = "as_pattern", .roles = DECLARES | EXPRESSION, .names = "alias"},
    {.type = "except_clause", .roles = CLAUSE, .body = "block"},
    {.type = "assignment", .roles = ASSIGNS | EXPRESSION, .names = "left", .value = "right"},
    /* It uses the name before it changes it, so it gives it no value of its own. */
    {.type = "augmented_assignment", .roles = EXPRESSION},
    {.type = "named_expression", .roles = ASSIGNS | EXPRESSION, .names = "name", .value = "value"},
    /* A loop assigns to its variable, which belongs to the function as any other. */
    {.type = "for_statement",
     .roles = ASSIGNS | STATEMENT,
     .names = "left",
     .body = "body alternative"},
    {.type = "for_in_clause", .roles = ASSIGNS | STATEMENT, .names = "left"},
    {.type = "import_statement", .roles = DECLARES | STATEMENT, .names = "name"},
    {.type = "import_from_statement", .roles = DECLARES | STATEMENT, .names = "name"},
    {.type = "future_import_statement", .roles = STATEMENT},
    {.type = "aliased_import", .roles = WRAPS, .names = "alias"},
    {.type = "dotted_name", .roles = WRAPS, .names = "identifier"},
    {.type = "global_statement", .roles = STATEMENT},
    {.type = "nonlocal_statement", .roles = STATEMENT},
    {.type = "type_alias_statement", .roles = STATEMENT},
    /* scopes and functions */
    {.type = "module", .roles = SCOPE | BLOCK},
    {.type = "block", .roles = BLOCK},
    {.type = "lambda", .roles = FUNCTION | EXPRESSION, .list = "parameters", .body = "body"},
    /* Variables of a comprehension are known in it alone. */
    {.type = "list_comprehension", .roles = SCOPE | PRIMARY},
    {.type = "set_comprehension", .roles = SCOPE | PRIMARY},
    {.type = "dictionary_comprehension", .roles = SCOPE | PRIMARY},
    {.type = "generator_expression", .roles = SCOPE | PRIMARY},
    /* expressions */
    {.type = "argument_list", .roles = ARGUMENTS},
    /* Not a statement, but it may go by itself, which is what the role says. */
    {.type = "keyword_argument", .roles = STATEMENT},
    {.type = "call", .roles = CALL | PRIMARY, .object = "function", .list = "arguments"},
    {.type = "attribute", .roles = ACCESS | PRIMARY, .names = "attribute", .object = "object"},
    {.type = "subscript", .roles = SUBSCRIPT | PRIMARY, .object = "value", .list = "subscript"},
    /* From here on what needs no parentheses of its own, wherever it is put. */
    {.type = "parenthesized_expression", .roles = PRIMARY},
    {.type = "list", .roles = PRIMARY},
    {.type = "tuple", .roles = PRIMARY},
    {.type = "set", .roles = PRIMARY},
    {.type = "dictionary", .roles = PRIMARY},
    {.type = "pair", .roles = STATEMENT},
    {.type = "string", .roles = PRIMARY},
    {.type = "concatenated_string", .roles = PRIMARY},
    {.type = "integer", .roles = PRIMARY},
    {.type = "float", .roles = PRIMARY},
    {.type = "true", .roles = PRIMARY},
    {.type = "false", .roles = PRIMARY},
    {.type = "none", .roles = PRIMARY},
    {.type = "ellipsis", .roles = PRIMARY},
    {.type = "await", .roles = EXPRESSION},
    {.type = "binary_operator", .roles = EXPRESSION},
    {.type = "boolean_operator", .roles = EXPRESSION},
    {.type = "comparison_operator", .roles = EXPRESSION},
    {.type = "conditional_expression", .roles = EXPRESSION},
    {.type = "not_operator", .roles = EXPRESSION},
    {.type = "unary_operator", .roles = EXPRESSION},
    {.type = "expression_list", .roles = EXPRESSION},
    {.type = "yield", .roles = EXPRESSION},
    {.type = "list_splat", .roles = EXPRESSION},
    {.type = "dictionary_splat", .roles = EXPRESSION},
    {.type = "type", .roles = TYPE},
    /* statements */
    {.type = "expression_statement", .roles = STATEMENT | HOLDER, .names = "*"},
    {.type = "return_statement", .roles = STATEMENT | RETURN, .value = "*"},
    {.type = "if_statement", .roles = STATEMENT, .body = "consequence alternative"},
    {.type = "elif_clause", .roles = CLAUSE, .body = "consequence"},
    {.type = "else_clause", .roles = CLAUSE, .body = "body"},
    {.type = "while_statement", .roles = STATEMENT, .body = "body alternative"},
    {.type = "with_statement", .roles = STATEMENT, .body = "body"},
    {.type = "try_statement", .roles = STATEMENT, .body = "body"},
    {.type = "finally_clause", .roles = CLAUSE, .body = "*"},
    {.type = "match_statement", .roles = STATEMENT, .body = "body"},
    {.type = "case_clause", .roles = STATEMENT, .body = "consequence"},
    {.type = "assert_statement", .roles = STATEMENT},
    {.type = "delete_statement", .roles = STATEMENT},
    {.type = "raise_statement", .roles = STATEMENT},
    {.type = "pass_statement", .roles = STATEMENT},
    {.type = "break_statement", .roles = STATEMENT},
    {.type = "continue_statement", .roles = STATEMENT},
    {.type = "print_statement", .roles = STATEMENT},
    {.type = "exec_statement", .roles = STATEMENT},
};

static const char *const values[] = {"0", "''", "()", NULL};
/* An annotation may be any expression. */
static const char *const types[] = {"0", NULL};

const pare_syntax_table pare_table_python = {
    .names = "python",
    .kinds = kinds,
    .n_kinds = sizeof kinds / sizeof *kinds,
    .values = values,
    .types = types,
    .no_statement = "0",
    .no_body = "0",
    .before_statement = ";",
    .implicit = PARE_IMPLICIT_FUNCTION,
    .blocks = PARE_SYNTAX_INDENTED,
};
