/* TypeScript, by the types and fields of tree-sitter-typescript: what JavaScript has (see
 * `extends`), and types, interfaces and their members. */
#include "reduce/binding/role_names.h"
#include "reduce/binding/syntax.h"

static const pare_syntax_kind kinds[] = {
    /* names */
    {.type = "type_identifier", .roles = NAME | TYPE},
    /* declarations */
    {.type = "required_parameter", .roles = DECLARES, .names = "pattern"},
    {.type = "optional_parameter", .roles = DECLARES, .names = "pattern"},
    {.type = "function_signature",
     .roles = DECLARES | STATEMENT,
     .names = "name",
     .list = "parameters"},
    /* In place of JavaScript's: scopes, for their type parameters. */
    {.type = "class_declaration",
     .roles = DECLARES | SCOPE | STATEMENT,
     .names = "name",
     .body = "body"},
    {.type = "abstract_class_declaration",
     .roles = DECLARES | SCOPE | STATEMENT,
     .names = "name",
     .body = "body"},
    {.type = "interface_declaration",
     .roles = DECLARES | SCOPE | STATEMENT,
     .names = "name",
     .body = "body"},
    {.type = "type_alias_declaration",
     .roles = DECLARES | STATEMENT,
     .names = "name",
     .value = "value"},
    {.type = "enum_declaration", .roles = DECLARES | STATEMENT, .names = "name", .body = "body"},
    {.type = "enum_assignment", .roles = DECLARES | STATEMENT, .names = "name", .value = "value"},
    {.type = "internal_module", .roles = DECLARES | STATEMENT, .names = "name", .body = "body"},
    {.type = "module", .roles = DECLARES | STATEMENT, .names = "name", .body = "body"},
    /* `declare` before another declaration. */
    {.type = "ambient_declaration", .roles = STATEMENT | HOLDER, .names = "*"},
    {.type = "method_signature",
     .roles = DECLARES | STATEMENT,
     .names = "name",
     .list = "parameters"},
    {.type = "abstract_method_signature",
     .roles = DECLARES | STATEMENT,
     .names = "name",
     .list = "parameters"},
    {.type = "property_signature", .roles = DECLARES | STATEMENT, .names = "name"},
    {.type = "public_field_definition",
     .roles = DECLARES | STATEMENT,
     .names = "name",
     .value = "value"},
    {.type = "type_parameters", .roles = PARAMETERS},
    {.type = "type_parameter", .roles = DECLARES, .names = "name"},
    {.type = "import_alias", .roles = STATEMENT},
    /* From here on parts that may go by themselves. */
    {.type = "type_annotation", .roles = STATEMENT},
    {.type = "class_heritage", .roles = STATEMENT},
    {.type = "extends_clause", .roles = STATEMENT},
    {.type = "implements_clause", .roles = STATEMENT},
    /* scopes and functions */
    {.type = "interface_body", .roles = MEMBERS},
    /* A type, and what declares the members in it. */
    {.type = "object_type", .roles = MEMBERS | TYPE},
    {.type = "enum_body", .roles = MEMBERS},
    /* In place of JavaScript's: each parameter has a node that declares it. */
    {.type = "formal_parameters", .roles = PARAMETERS},
    /* types */
    {.type = "predefined_type", .roles = TYPE},
    {.type = "array_type", .roles = TYPE},
    {.type = "conditional_type", .roles = TYPE},
    {.type = "function_type", .roles = TYPE},
    {.type = "constructor_type", .roles = TYPE},
    {.type = "generic_type", .roles = TYPE},
    {.type = "intersection_type", .roles = TYPE},
    {.type = "literal_type", .roles = TYPE},
    {.type = "lookup_type", .roles = TYPE},
    {.type = "index_type_query", .roles = TYPE},
    {.type = "infer_type", .roles = TYPE},
    {.type = "nested_type_identifier", .roles = TYPE},
    {.type = "parenthesized_type", .roles = TYPE},
    {.type = "readonly_type", .roles = TYPE},
    {.type = "template_literal_type", .roles = TYPE},
    {.type = "tuple_type", .roles = TYPE},
    {.type = "type_query", .roles = TYPE},
    {.type = "union_type", .roles = TYPE},
    /* expressions */
    {.type = "non_null_expression", .roles = PRIMARY},
    {.type = "as_expression", .roles = EXPRESSION},
    {.type = "satisfies_expression", .roles = EXPRESSION},
    {.type = "type_assertion", .roles = EXPRESSION},
    {.type = "instantiation_expression", .roles = EXPRESSION},
};

static const char *const values[] = {"0", "''", "[]", "{}", NULL};
/* 0 is a type as well, of that number alone. */
static const char *const types[] = {"0", "any", NULL};

const pare_syntax_table pare_table_typescript = {
    .names = "typescript tsx",
    .extends = &pare_table_javascript,
    .kinds = kinds,
    .n_kinds = sizeof kinds / sizeof *kinds,
    .values = values,
    .types = types,
    .no_statement = ";",
    .no_body = "{}",
    .only_declared = ";",
    .before_statement = ";",
    .implicit = PARE_IMPLICIT_PROGRAM,
};
