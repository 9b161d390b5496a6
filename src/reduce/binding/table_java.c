/* Java, by the types and fields of tree-sitter-java.
 *
 * Members of classes are found by their text alone (MEMBERS); a method may lose its body to
 * `{}`, or to the `;` of an abstract one. */
#include "reduce/binding/role_names.h"
#include "reduce/binding/syntax.h"

static const pare_syntax_kind kinds[] = {
    /* names */
    {.type = "identifier", .roles = NAME | PRIMARY},
    /* The grammar tells names of types from others. */
    {.type = "type_identifier", .roles = NAME | TYPE},
    {.type = "line_comment", .roles = COMMENT},
    {.type = "block_comment", .roles = COMMENT},
    /* declarations */
    /* These declare through their declarators; without any nothing is left of them. */
    {.type = "local_variable_declaration", .roles = STATEMENT | HOLDER, .names = "declarator"},
    {.type = "field_declaration", .roles = STATEMENT | HOLDER, .names = "declarator"},
    {.type = "constant_declaration", .roles = STATEMENT | HOLDER, .names = "declarator"},
    {.type = "variable_declarator", .roles = DECLARES, .names = "name", .value = "value"},
    {.type = "formal_parameter", .roles = DECLARES, .names = "name"},
    /* `int... a` has its name deeper down; it may only go as a whole. */
    {.type = "spread_parameter", .roles = STATEMENT},
    {.type = "catch_formal_parameter", .roles = DECLARES, .names = "name"},
    {.type = "resource", .roles = DECLARES | STATEMENT, .names = "name", .value = "value"},
    /* A class is a scope for its type parameters; members are in its body. */
    {.type = "class_declaration",
     .roles = DECLARES | SCOPE | STATEMENT,
     .names = "name",
     .body = "body"},
    {.type = "interface_declaration",
     .roles = DECLARES | SCOPE | STATEMENT,
     .names = "name",
     .body = "body"},
    {.type = "enum_declaration", .roles = DECLARES | STATEMENT, .names = "name", .body = "body"},
    {.type = "record_declaration",
     .roles = DECLARES | SCOPE | STATEMENT,
     .names = "name",
     .body = "body"},
    {.type = "annotation_type_declaration",
     .roles = DECLARES | STATEMENT,
     .names = "name",
     .body = "body"},
    {.type = "enum_constant", .roles = DECLARES | STATEMENT, .names = "name"},
    {.type = "method_declaration",
     .roles = DECLARES | FUNCTION | STATEMENT,
     .names = "name",
     .list = "parameters",
     .body = "body"},
    /* A constructor has its class's name, and declares none of its own. */
    {.type = "constructor_declaration",
     .roles = FUNCTION | STATEMENT,
     .list = "parameters",
     .body = "body"},
    {.type = "compact_constructor_declaration", .roles = FUNCTION | STATEMENT, .body = "body"},
    {.type = "type_parameters", .roles = PARAMETERS},
    {.type = "type_parameter", .roles = DECLARES, .names = "type_identifier"},
    /* What is imported is known by the last part of its path. */
    {.type = "import_declaration", .roles = DECLARES | STATEMENT, .names = "scoped_identifier"},
    {.type = "scoped_identifier", .roles = WRAPS, .names = "name"},
    {.type = "package_declaration", .roles = STATEMENT},
    {.type = "assignment_expression",
     .roles = ASSIGNS | EXPRESSION,
     .names = "left",
     .value = "right"},
    /* From here on parts that may go by themselves. */
    {.type = "superclass", .roles = STATEMENT},
    {.type = "super_interfaces", .roles = STATEMENT},
    {.type = "extends_interfaces", .roles = STATEMENT},
    {.type = "throws", .roles = STATEMENT},
    {.type = "modifiers", .roles = STATEMENT},
    {.type = "annotation", .roles = STATEMENT},
    {.type = "marker_annotation", .roles = STATEMENT},
    /* scopes and functions */
    {.type = "program", .roles = SCOPE | BLOCK},
    {.type = "class_body", .roles = MEMBERS},
    {.type = "interface_body", .roles = MEMBERS},
    {.type = "enum_body", .roles = MEMBERS},
    {.type = "enum_body_declarations", .roles = MEMBERS},
    {.type = "annotation_type_body", .roles = MEMBERS},
    {.type = "block", .roles = SCOPE | STATEMENT | BLOCK},
    {.type = "constructor_body", .roles = SCOPE | BLOCK},
    {.type = "formal_parameters", .roles = PARAMETERS},
    /* Parameters without types have no nodes of their own: the list declares them. */
    {.type = "inferred_parameters", .roles = PARAMETERS | DECLARES, .names = "*"},
    {.type = "lambda_expression",
     .roles = FUNCTION | EXPRESSION,
     .list = "parameters",
     .body = "body"},
    {.type = "static_initializer", .roles = STATEMENT, .body = "block"},
    /* types */
    {.type = "integral_type", .roles = TYPE},
    {.type = "floating_point_type", .roles = TYPE},
    {.type = "boolean_type", .roles = TYPE},
    {.type = "void_type", .roles = TYPE},
    {.type = "array_type", .roles = TYPE},
    {.type = "generic_type", .roles = TYPE},
    {.type = "scoped_type_identifier", .roles = TYPE},
    {.type = "annotated_type", .roles = TYPE},
    /* expressions */
    {.type = "argument_list", .roles = ARGUMENTS},
    /* Call and access in one node: `object.name(arguments)`. */
    {.type = "method_invocation",
     .roles = CALL | ACCESS | PRIMARY,
     .names = "name",
     .object = "object",
     .list = "arguments"},
    /* `new T(x)` is a call of T. */
    {.type = "object_creation_expression",
     .roles = CALL | PRIMARY,
     .object = "type",
     .list = "arguments"},
    /* `super(..)` or `this(..)`: a statement, never a value. */
    {.type = "explicit_constructor_invocation", .roles = STATEMENT},
    {.type = "field_access", .roles = ACCESS | PRIMARY, .names = "field", .object = "object"},
    {.type = "array_access", .roles = SUBSCRIPT | PRIMARY, .object = "array", .list = "index"},
    {.type = "array_creation_expression", .roles = EXPRESSION},
    {.type = "array_initializer", .roles = EXPRESSION},
    {.type = "parenthesized_expression", .roles = PRIMARY},
    {.type = "class_literal", .roles = PRIMARY},
    {.type = "method_reference", .roles = EXPRESSION},
    {.type = "string_literal", .roles = PRIMARY},
    {.type = "character_literal", .roles = PRIMARY},
    {.type = "decimal_integer_literal", .roles = PRIMARY},
    {.type = "hex_integer_literal", .roles = PRIMARY},
    {.type = "octal_integer_literal", .roles = PRIMARY},
    {.type = "binary_integer_literal", .roles = PRIMARY},
    {.type = "decimal_floating_point_literal", .roles = PRIMARY},
    {.type = "hex_floating_point_literal", .roles = PRIMARY},
    {.type = "true", .roles = PRIMARY},
    {.type = "false", .roles = PRIMARY},
    {.type = "null_literal", .roles = PRIMARY},
    {.type = "this", .roles = PRIMARY},
    {.type = "binary_expression", .roles = EXPRESSION},
    {.type = "cast_expression", .roles = EXPRESSION},
    {.type = "instanceof_expression", .roles = EXPRESSION},
    {.type = "switch_expression", .roles = EXPRESSION},
    {.type = "ternary_expression", .roles = EXPRESSION},
    {.type = "unary_expression", .roles = EXPRESSION},
    {.type = "update_expression", .roles = EXPRESSION},
    {.type = "template_expression", .roles = EXPRESSION},
    /* statements */
    {.type = "expression_statement", .roles = STATEMENT | HOLDER, .names = "*"},
    {.type = "return_statement", .roles = STATEMENT | RETURN, .value = "*"},
    {.type = "if_statement", .roles = STATEMENT, .body = "consequence alternative"},
    {.type = "for_statement", .roles = STATEMENT | SCOPE, .body = "body"},
    /* Its variable is known in the loop alone. */
    {.type = "enhanced_for_statement",
     .roles = DECLARES | STATEMENT | SCOPE,
     .names = "name",
     .body = "body"},
    {.type = "while_statement", .roles = STATEMENT, .body = "body"},
    {.type = "do_statement", .roles = STATEMENT, .body = "body"},
    {.type = "try_statement", .roles = STATEMENT, .body = "body"},
    {.type = "try_with_resources_statement", .roles = STATEMENT | SCOPE, .body = "body"},
    /* Its variable is known in the clause alone. */
    {.type = "catch_clause", .roles = CLAUSE | SCOPE, .body = "body"},
    {.type = "finally_clause", .roles = CLAUSE, .body = "block"},
    {.type = "synchronized_statement", .roles = STATEMENT, .body = "body"},
    /* The statements of a case stand in it directly. */
    {.type = "switch_block_statement_group", .roles = STATEMENT | BLOCK},
    {.type = "switch_rule", .roles = STATEMENT},
    {.type = "labeled_statement", .roles = STATEMENT},
    {.type = "assert_statement", .roles = STATEMENT},
    {.type = "throw_statement", .roles = STATEMENT},
    {.type = "yield_statement", .roles = STATEMENT},
    {.type = "break_statement", .roles = STATEMENT},
    {.type = "continue_statement", .roles = STATEMENT},
};

/* A number fits in most places; the others are for where only a string, an object or a truth
 * value does. */
static const char *const values[] = {"0", "\"\"", "null", "false", NULL};
static const char *const types[] = {"int", "Object", NULL};

const pare_syntax_table pare_table_java = {
    .names = "java",
    .kinds = kinds,
    .n_kinds = sizeof kinds / sizeof *kinds,
    .values = values,
    .types = types,
    .no_statement = ";",
    .no_body = "{}",
    .only_declared = ";",
    .entry = "main",
    .before_statement = "",
};
