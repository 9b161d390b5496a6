/* Kotlin, by the types and fields of the tree-sitter-kotlin that packs have.
 *
 * Few nodes have fields, so names are told by their type.  What stands behind a point is looked up
 * like a name of its own, as the grammar tells neither side; members of classes are found so, too. */
#include "reduce/binding/role_names.h"
#include "reduce/binding/syntax.h"

static const pare_syntax_kind kinds[] = {
    /* names */
    {.type = "identifier", .roles = NAME | PRIMARY},
    {.type = "line_comment", .roles = COMMENT},
    {.type = "block_comment", .roles = COMMENT},
    /* declarations */
    {.type = "function_declaration",
     .roles = DECLARES | FUNCTION | STATEMENT,
     .names = "name",
     .list = "function_value_parameters",
     .body = "function_body"},
    {.type = "class_declaration",
     .roles = DECLARES | STATEMENT,
     .names = "name",
     .body = "class_body"},
    {.type = "object_declaration",
     .roles = DECLARES | STATEMENT,
     .names = "name",
     .body = "class_body"},
    /* The name that it declares is in the field `type`. */
    {.type = "type_alias", .roles = DECLARES | STATEMENT, .names = "type"},
    {.type = "companion_object", .roles = STATEMENT},
    {.type = "secondary_constructor",
     .roles = FUNCTION | STATEMENT,
     .list = "function_value_parameters",
     .body = "block"},
    {.type = "anonymous_initializer", .roles = FUNCTION | STATEMENT, .body = "block"},
    /* It declares through variable_declaration, and its value, which has no field, is told by
     * its type. */
    {.type = "property_declaration",
     .roles = STATEMENT | HOLDER | DECLARES,
     .names = "variable_declaration",
     .value =
         "number_literal float_literal string_literal character_literal binary_expression "
         "call_expression navigation_expression if_expression when_expression lambda_literal "
         "object_literal unary_expression parenthesized_expression index_expression as_expression"},
    {.type = "variable_declaration", .roles = WRAPS, .names = "identifier"},
    {.type = "multi_variable_declaration",
     .roles = WRAPS | HOLDER,
     .names = "variable_declaration"},
    {.type = "parameter", .roles = DECLARES, .names = "identifier"},
    {.type = "class_parameter", .roles = DECLARES, .names = "identifier"},
    /* The list declares them, as a parameter of a lambda has no node but that of a variable. */
    {.type = "lambda_parameters", .roles = PARAMETERS | DECLARES, .names = "variable_declaration"},
    {.type = "enum_entry", .roles = DECLARES | STATEMENT, .names = "identifier"},
    {.type = "type_parameter", .roles = DECLARES, .names = "identifier"},
    {.type = "assignment", .roles = ASSIGNS | STATEMENT, .names = "left", .value = "right"},
    {.type = "import", .roles = STATEMENT},
    {.type = "package_header", .roles = STATEMENT},
    {.type = "file_annotation", .roles = STATEMENT},
    {.type = "annotation", .roles = STATEMENT},
    {.type = "modifiers", .roles = STATEMENT},
    {.type = "getter", .roles = STATEMENT},
    {.type = "setter", .roles = STATEMENT},
    /* scopes and functions */
    {.type = "source_file", .roles = SCOPE | BLOCK},
    {.type = "class_body", .roles = MEMBERS},
    {.type = "enum_class_body", .roles = MEMBERS},
    {.type = "block", .roles = SCOPE | BLOCK},
    {.type = "function_value_parameters", .roles = PARAMETERS},
    {.type = "class_parameters", .roles = PARAMETERS},
    {.type = "anonymous_function",
     .roles = FUNCTION | EXPRESSION,
     .list = "function_value_parameters",
     .body = "function_body"},
    /* Its statements stand between its brackets, so it is a block, too. */
    {.type = "lambda_literal", .roles = FUNCTION | EXPRESSION | BLOCK, .list = "lambda_parameters"},
    {.type = "function_body", .roles = 0}, /* a block, or = and a value */
    {.type = "delegation_specifiers", .roles = STATEMENT},
    /* types */
    {.type = "user_type", .roles = TYPE},
    {.type = "nullable_type", .roles = TYPE},
    {.type = "function_type", .roles = TYPE},
    /* expressions */
    {.type = "value_arguments", .roles = ARGUMENTS},
    {.type = "value_argument", .roles = EXPRESSION},
    {.type = "call_expression",
     .roles = CALL | PRIMARY,
     .object = "identifier navigation_expression call_expression",
     .list = "value_arguments"},
    /* `a.b`: neither side has a field, so it is no access. */
    {.type = "navigation_expression", .roles = PRIMARY},
    {.type = "index_expression", .roles = PRIMARY},
    {.type = "parenthesized_expression", .roles = PRIMARY},
    {.type = "this_expression", .roles = PRIMARY},
    {.type = "super_expression", .roles = PRIMARY},
    {.type = "string_literal", .roles = PRIMARY},
    {.type = "multiline_string_literal", .roles = PRIMARY},
    {.type = "number_literal", .roles = PRIMARY},
    {.type = "float_literal", .roles = PRIMARY},
    {.type = "character_literal", .roles = PRIMARY},
    {.type = "collection_literal", .roles = PRIMARY},
    {.type = "binary_expression", .roles = EXPRESSION},
    {.type = "unary_expression", .roles = EXPRESSION},
    {.type = "as_expression", .roles = EXPRESSION},
    {.type = "is_expression", .roles = EXPRESSION},
    {.type = "in_expression", .roles = EXPRESSION},
    {.type = "infix_expression", .roles = EXPRESSION},
    {.type = "range_expression", .roles = EXPRESSION},
    {.type = "object_literal", .roles = EXPRESSION},
    {.type = "throw_expression", .roles = EXPRESSION},
    /* try, if and when have values, and may stand as statements as well. */
    {.type = "try_expression", .roles = EXPRESSION | STATEMENT},
    {.type = "catch_block",
     .roles = CLAUSE | DECLARES | SCOPE,
     .names = "identifier",
     .body = "block"},
    {.type = "finally_block", .roles = CLAUSE, .body = "block"},
    /* statements */
    {.type = "if_expression", .roles = EXPRESSION | STATEMENT, .body = "block"},
    {.type = "when_expression", .roles = EXPRESSION | STATEMENT},
    {.type = "when_entry", .roles = STATEMENT},
    {.type = "for_statement",
     .roles = DECLARES | SCOPE | STATEMENT,
     .names = "variable_declaration multi_variable_declaration",
     .body = "block"},
    {.type = "while_statement", .roles = STATEMENT, .body = "block"},
    {.type = "do_while_statement", .roles = STATEMENT, .body = "block"},
    {.type = "return_expression", .roles = STATEMENT | RETURN, .value = "*"},
};

static const char *const values[] = {"0", "\"\"", "null", NULL};
static const char *const types[] = {"Int", "Any", NULL};

const pare_syntax_table pare_table_kotlin = {
    .names = "kotlin",
    .kinds = kinds,
    .n_kinds = sizeof kinds / sizeof *kinds,
    .values = values,
    .types = types,
    /* There is no `only_declared`: a function keeps its body, or an empty one. */
    .no_statement = ";",
    .no_body = "{}",
    .nothing = "Unit",
    .before_statement = ";",
    .entry = "main",
};
