/* C, by the types and fields of tree-sitter-c.
 *
 * Declarators are nested inside declarations (WRAPS), so the value of a name stands beside the
 * name.  Bodies may be left out where `;` may stand; `main` is used from outside. */
#include "reduce/binding/role_names.h"
#include "reduce/binding/syntax.h"

static const pare_syntax_kind kinds[] = {
    /* names */
    {.type = "identifier", .roles = NAME | PRIMARY},
    {.type = "type_identifier", .roles = NAME | TYPE},
    {.type = "field_identifier", .roles = MEMBER},
    {.type = "statement_identifier", .roles = LABEL},
    {.type = "comment", .roles = COMMENT},
    /* declarations */
    /* A declaration names what it declares through declarators, which wrap the name; it may have
     * several. */
    {.type = "declaration", .roles = DECLARES | STATEMENT, .names = "declarator"},
    {.type = "field_declaration", .roles = DECLARES | STATEMENT, .names = "declarator"},
    {.type = "parameter_declaration", .roles = DECLARES, .names = "declarator"},
    /* The type is the value of the name, which may be put in its place. */
    {.type = "type_definition",
     .roles = DECLARES | STATEMENT,
     .names = "declarator",
     .value = "type"},
    {.type = "function_definition",
     .roles = DECLARES | FUNCTION | STATEMENT,
     .names = "declarator",
     .body = "body"},
    /* The value stands beside the name here, not at the declaration. */
    {.type = "init_declarator", .roles = WRAPS, .names = "declarator", .value = "value"},
    {.type = "function_declarator", .roles = WRAPS, .names = "declarator", .list = "parameters"},
    {.type = "pointer_declarator", .roles = WRAPS, .names = "declarator"},
    {.type = "parenthesized_declarator", .roles = WRAPS, .names = "*"},
    {.type = "attributed_declarator", .roles = WRAPS, .names = "*"},
    {.type = "array_declarator", .roles = WRAPS | ARRAY, .names = "declarator", .list = "size"},
    /* These three declare only where they have a body; else they use the name. */
    {.type = "struct_specifier", .roles = DECLARES | TYPE, .names = "name", .body = "body"},
    {.type = "union_specifier", .roles = DECLARES | TYPE, .names = "name", .body = "body"},
    {.type = "enum_specifier", .roles = DECLARES | TYPE, .names = "name", .body = "body"},
    {.type = "enumerator", .roles = DECLARES | STATEMENT, .names = "name", .value = "value"},
    {.type = "enumerator_list", .roles = FILLED},
    {.type = "field_declaration_list", .roles = MEMBERS},
    {.type = "labeled_statement", .roles = DECLARES | STATEMENT, .names = "label"},
    /* A macro is inlined like a constant; one with parameters can only go. */
    {.type = "preproc_def", .roles = DECLARES | STATEMENT, .names = "name", .value = "value"},
    {.type = "preproc_function_def", .roles = DECLARES | STATEMENT, .names = "name"},
    {.type = "preproc_include", .roles = STATEMENT},
    {.type = "preproc_call", .roles = STATEMENT},
    /* What stands between the lines of a condition are statements of its own. */
    {.type = "preproc_if", .roles = STATEMENT | BLOCK},
    {.type = "preproc_ifdef", .roles = STATEMENT | BLOCK},
    {.type = "preproc_else", .roles = STATEMENT | BLOCK},
    {.type = "preproc_elif", .roles = STATEMENT | BLOCK},
    {.type = "assignment_expression",
     .roles = ASSIGNS | EXPRESSION,
     .names = "left",
     .value = "right"},
    /* scopes and functions */
    {.type = "translation_unit", .roles = SCOPE | BLOCK},
    {.type = "compound_statement", .roles = SCOPE | STATEMENT | BLOCK},
    /* Below the declarator and not at the function: see pare_syntax_parameters. */
    {.type = "parameter_list", .roles = PARAMETERS},
    /* types */
    /* A name, because the grammar takes size_t and the like for primitive, which a file may
     * declare. */
    {.type = "primitive_type", .roles = NAME | TYPE},
    {.type = "sized_type_specifier", .roles = TYPE},
    {.type = "macro_type_specifier", .roles = TYPE},
    /* expressions */
    {.type = "argument_list", .roles = ARGUMENTS},
    {.type = "call_expression", .roles = CALL | PRIMARY, .object = "function", .list = "arguments"},
    {.type = "field_expression", .roles = ACCESS | PRIMARY, .names = "field", .object = "argument"},
    {.type = "subscript_expression",
     .roles = SUBSCRIPT | PRIMARY,
     .object = "argument",
     .list = "index"},
    /* From here on what needs no parentheses of its own, wherever it is put. */
    {.type = "parenthesized_expression", .roles = PRIMARY},
    {.type = "number_literal", .roles = PRIMARY},
    {.type = "string_literal", .roles = PRIMARY},
    {.type = "concatenated_string", .roles = PRIMARY},
    {.type = "char_literal", .roles = PRIMARY},
    {.type = "true", .roles = PRIMARY},
    {.type = "false", .roles = PRIMARY},
    {.type = "null", .roles = PRIMARY},
    {.type = "alignof_expression", .roles = EXPRESSION},
    {.type = "binary_expression", .roles = EXPRESSION},
    {.type = "cast_expression", .roles = EXPRESSION},
    {.type = "comma_expression", .roles = EXPRESSION},
    {.type = "compound_literal_expression", .roles = EXPRESSION},
    {.type = "conditional_expression", .roles = EXPRESSION},
    {.type = "extension_expression", .roles = EXPRESSION},
    {.type = "generic_expression", .roles = EXPRESSION},
    {.type = "initializer_list", .roles = EXPRESSION},
    {.type = "offsetof_expression", .roles = EXPRESSION},
    {.type = "pointer_expression", .roles = EXPRESSION},
    {.type = "sizeof_expression", .roles = EXPRESSION},
    {.type = "unary_expression", .roles = EXPRESSION},
    {.type = "update_expression", .roles = EXPRESSION},
    /* Not a statement, but it may go by itself, which is what the role says. */
    {.type = "initializer_pair", .roles = STATEMENT},
    /* statements */
    {.type = "expression_statement", .roles = STATEMENT | HOLDER, .names = "*"},
    {.type = "return_statement", .roles = STATEMENT | RETURN, .value = "*"},
    {.type = "if_statement", .roles = STATEMENT, .body = "consequence alternative"},
    /* A part of its if, not a statement that could be kept alone. */
    {.type = "else_clause", .roles = CLAUSE, .body = "*"},
    {.type = "for_statement", .roles = STATEMENT | SCOPE, .body = "body"},
    {.type = "while_statement", .roles = STATEMENT, .body = "body"},
    {.type = "do_statement", .roles = STATEMENT, .body = "body"},
    {.type = "switch_statement", .roles = STATEMENT, .body = "body"},
    {.type = "case_statement", .roles = STATEMENT | BLOCK},
    {.type = "attributed_statement", .roles = STATEMENT},
    {.type = "break_statement", .roles = STATEMENT},
    {.type = "continue_statement", .roles = STATEMENT},
    {.type = "goto_statement", .roles = STATEMENT},
    {.type = "gnu_asm_expression", .roles = STATEMENT},
};

/* 0 is a null pointer, too, so it fits nearly everywhere. */
static const char *const values[] = {"0", "1", "!0", NULL};
static const char *const types[] = {"int", NULL};

const pare_syntax_table pare_table_c = {
    .names = "c",
    .kinds = kinds,
    .n_kinds = sizeof kinds / sizeof *kinds,
    .values = values,
    .types = types,
    .no_statement = ";",
    .no_body = "{}",
    .only_declared = ";",
    .nothing = "void",
    .sequences = "comma_expression",
    .typed = "cast_expression compound_literal_expression",
    .any_value = "int",
    .open_class = "struct",
    .joined_class = "union",
    .after_parameter = ";",
    .entry = "main",
    .before_statement = "",
};
