/* C#, by the types and fields of tree-sitter-c-sharp.
 *
 * Members of classes are found by their text alone (MEMBERS); a method may lose its body to `{}`,
 * or to the `;` of an abstract one.  A type is a name like others: only those of the language are
 * types. */
#include "reduce/binding/role_names.h"
#include "reduce/binding/syntax.h"

static const pare_syntax_kind kinds[] = {
    /* names */
    {.type = "identifier", .roles = NAME | PRIMARY},
    {.type = "comment", .roles = COMMENT},
    /* declarations */
    /* These declare through their declarators; without any nothing is left of them. */
    {.type = "local_declaration_statement",
     .roles = STATEMENT | HOLDER,
     .names = "variable_declaration"},
    {.type = "field_declaration", .roles = STATEMENT | HOLDER, .names = "variable_declaration"},
    {.type = "event_field_declaration",
     .roles = STATEMENT | HOLDER,
     .names = "variable_declaration"},
    {.type = "variable_declaration", .roles = HOLDER, .names = "variable_declarator"},
    /* The value is told by its type, as it has no field of its own. */
    {.type = "variable_declarator",
     .roles = DECLARES,
     .names = "name",
     .value = "integer_literal real_literal string_literal character_literal boolean_literal "
              "null_literal invocation_expression object_creation_expression binary_expression "
              "member_access_expression conditional_expression cast_expression "
              "array_creation_expression implicit_array_creation_expression lambda_expression "
              "parenthesized_expression prefix_unary_expression element_access_expression "
              "interpolated_string_expression"},
    {.type = "parameter", .roles = DECLARES, .names = "name"},
    /* The `x` of `x => x + 1`: a leaf, which is the name itself. */
    {.type = "implicit_parameter", .roles = NAME},
    {.type = "type_parameter", .roles = DECLARES, .names = "name"},
    {.type = "method_declaration",
     .roles = DECLARES | FUNCTION | STATEMENT,
     .names = "name",
     .list = "parameters",
     .body = "body"},
    {.type = "local_function_statement",
     .roles = DECLARES | FUNCTION | STATEMENT,
     .names = "name",
     .list = "parameters",
     .body = "body"},
    /* These three declare no name of their own: it is that of the class, or an operator. */
    {.type = "constructor_declaration",
     .roles = FUNCTION | STATEMENT,
     .list = "parameters",
     .body = "body"},
    {.type = "destructor_declaration",
     .roles = FUNCTION | STATEMENT,
     .list = "parameters",
     .body = "body"},
    {.type = "operator_declaration",
     .roles = FUNCTION | STATEMENT,
     .list = "parameters",
     .body = "body"},
    {.type = "property_declaration",
     .roles = DECLARES | STATEMENT,
     .names = "name",
     .value = "value"},
    /* An indexer has no name. */
    {.type = "indexer_declaration", .roles = STATEMENT},
    {.type = "event_declaration", .roles = DECLARES | STATEMENT, .names = "name"},
    /* The get or set of a property; it is a function without parameters. */
    {.type = "accessor_declaration", .roles = STATEMENT | FUNCTION, .body = "body"},
    {.type = "delegate_declaration", .roles = DECLARES | STATEMENT, .names = "name"},
    {.type = "class_declaration", .roles = DECLARES | STATEMENT, .names = "name", .body = "body"},
    {.type = "struct_declaration", .roles = DECLARES | STATEMENT, .names = "name", .body = "body"},
    {.type = "interface_declaration",
     .roles = DECLARES | STATEMENT,
     .names = "name",
     .body = "body"},
    {.type = "record_declaration", .roles = DECLARES | STATEMENT, .names = "name", .body = "body"},
    {.type = "enum_declaration", .roles = DECLARES | STATEMENT, .names = "name", .body = "body"},
    {.type = "enum_member_declaration",
     .roles = DECLARES | STATEMENT,
     .names = "name",
     .value = "value"},
    /* Its name is not one of those that are followed. */
    {.type = "namespace_declaration", .roles = STATEMENT | NAMESPACE, .body = "body"},
    {.type = "assignment_expression",
     .roles = ASSIGNS | EXPRESSION,
     .names = "left",
     .value = "right"},
    /* From here on parts that may go by themselves. */
    {.type = "using_directive", .roles = STATEMENT},
    {.type = "modifier", .roles = STATEMENT},
    {.type = "attribute_list", .roles = STATEMENT},
    {.type = "base_list", .roles = STATEMENT},
    {.type = "constructor_initializer", .roles = STATEMENT},
    {.type = "type_parameter_constraints_clause", .roles = STATEMENT},
    /* scopes and functions */
    {.type = "compilation_unit", .roles = SCOPE | BLOCK},
    /* Around a statement that stands outside of classes. */
    {.type = "global_statement", .roles = STATEMENT | HOLDER, .names = "*"},
    {.type = "declaration_list", .roles = MEMBERS},
    {.type = "enum_member_declaration_list", .roles = MEMBERS},
    {.type = "block", .roles = SCOPE | STATEMENT | BLOCK},
    {.type = "parameter_list", .roles = PARAMETERS},
    {.type = "lambda_expression",
     .roles = FUNCTION | EXPRESSION,
     .list = "parameters",
     .body = "body"},
    {.type = "anonymous_method_expression", .roles = FUNCTION | EXPRESSION, .list = "parameters"},
    /* types */
    {.type = "predefined_type", .roles = TYPE},
    {.type = "implicit_type", .roles = TYPE},
    {.type = "array_type", .roles = TYPE},
    {.type = "nullable_type", .roles = TYPE},
    {.type = "generic_name", .roles = TYPE},
    /* expressions */
    {.type = "argument_list", .roles = ARGUMENTS},
    /* `a[]` is no expression, so the last index stays. */
    {.type = "bracketed_argument_list", .roles = ARGUMENTS | FILLED},
    /* It may have a word before its value: `ref x`. */
    {.type = "argument", .roles = EXPRESSION},
    {.type = "invocation_expression",
     .roles = CALL | PRIMARY,
     .object = "function",
     .list = "arguments"},
    {.type = "member_access_expression",
     .roles = ACCESS | PRIMARY,
     .names = "name",
     .object = "expression"},
    {.type = "element_access_expression",
     .roles = SUBSCRIPT | PRIMARY,
     .object = "expression",
     .list = "subscript"},
    /* `new T(x)` is a call of T, which needs parentheses before a point. */
    {.type = "object_creation_expression",
     .roles = CALL | EXPRESSION,
     .object = "type",
     .list = "arguments"},
    {.type = "array_creation_expression", .roles = EXPRESSION},
    {.type = "implicit_array_creation_expression", .roles = EXPRESSION},
    {.type = "initializer_expression", .roles = EXPRESSION},
    /* Literals and what is in parentheses can stand wherever an operand can. */
    {.type = "parenthesized_expression", .roles = PRIMARY},
    {.type = "string_literal", .roles = PRIMARY},
    {.type = "verbatim_string_literal", .roles = PRIMARY},
    {.type = "interpolated_string_expression", .roles = PRIMARY},
    {.type = "integer_literal", .roles = PRIMARY},
    {.type = "real_literal", .roles = PRIMARY},
    {.type = "character_literal", .roles = PRIMARY},
    {.type = "boolean_literal", .roles = PRIMARY},
    {.type = "null_literal", .roles = PRIMARY},
    /* What has operators needs parentheses as an operand. */
    {.type = "binary_expression", .roles = EXPRESSION},
    {.type = "prefix_unary_expression", .roles = EXPRESSION},
    {.type = "postfix_unary_expression", .roles = EXPRESSION},
    {.type = "cast_expression", .roles = EXPRESSION},
    {.type = "conditional_expression", .roles = EXPRESSION},
    {.type = "as_expression", .roles = EXPRESSION},
    {.type = "is_expression", .roles = EXPRESSION},
    {.type = "await_expression", .roles = EXPRESSION},
    {.type = "throw_expression", .roles = EXPRESSION},
    {.type = "switch_expression", .roles = EXPRESSION},
    {.type = "query_expression", .roles = EXPRESSION},
    /* statements */
    {.type = "expression_statement", .roles = STATEMENT | HOLDER, .names = "*"},
    /* Its value has no field: it is whatever stands in the statement. */
    {.type = "return_statement", .roles = STATEMENT | RETURN, .value = "*"},
    {.type = "if_statement", .roles = STATEMENT, .body = "consequence alternative"},
    {.type = "for_statement", .roles = STATEMENT | SCOPE, .body = "body"},
    {.type = "foreach_statement",
     .roles = DECLARES | SCOPE | STATEMENT,
     .names = "left",
     .body = "body"},
    {.type = "while_statement", .roles = STATEMENT, .body = "body"},
    {.type = "do_statement", .roles = STATEMENT, .body = "body"},
    {.type = "try_statement", .roles = STATEMENT, .body = "body"},
    /* Its variable is known in the clause alone. */
    {.type = "catch_clause", .roles = CLAUSE | SCOPE, .body = "body"},
    {.type = "catch_declaration", .roles = DECLARES, .names = "name"},
    {.type = "finally_clause", .roles = CLAUSE, .body = "block"},
    {.type = "using_statement", .roles = STATEMENT | SCOPE, .body = "body"},
    /* Statements that are only left out or kept as a whole. */
    {.type = "lock_statement", .roles = STATEMENT},
    {.type = "checked_statement", .roles = STATEMENT},
    {.type = "unsafe_statement", .roles = STATEMENT},
    {.type = "switch_statement", .roles = STATEMENT},
    {.type = "switch_section", .roles = STATEMENT},
    {.type = "labeled_statement", .roles = STATEMENT},
    {.type = "throw_statement", .roles = STATEMENT},
    {.type = "yield_statement", .roles = STATEMENT},
    {.type = "break_statement", .roles = STATEMENT},
    {.type = "continue_statement", .roles = STATEMENT},
    {.type = "goto_statement", .roles = STATEMENT},
};

/* A number fits in most places; the others are for where only a string, an object or a truth
 * value does. */
static const char *const values[] = {"0", "\"\"", "null", "false", NULL};
static const char *const types[] = {"int", "object", NULL};

const pare_syntax_table pare_table_csharp = {
    .names = "csharp",
    .kinds = kinds,
    .n_kinds = sizeof kinds / sizeof *kinds,
    .values = values,
    .types = types,
    .no_statement = ";",
    .no_body = "{}",
    .only_declared = ";",
    .nothing = "void",
    .before_statement = "",
    .entry = "Main",
};
