/* C++, by the types and fields of tree-sitter-cpp: what C has (see `extends`), and classes,
 * templates, name spaces, references and exceptions. Types that only C's grammar has do no
 * harm: they never occur. */
#include "reduce/binding/role_names.h"
#include "reduce/binding/syntax.h"

static const pare_syntax_kind kinds[] = {
    /* names */
    {.type = "namespace_identifier", .roles = NAME},
    /* Looked up by nobody: the same operator may be of many classes. */
    {.type = "operator_name"},
    {.type = "operator_cast"},
    /* Known by its type, see `trailing`. */
    {.type = "trailing_return_type"},
    /* declarations */
    {.type = "optional_parameter_declaration", .roles = DECLARES, .names = "declarator"},
    {.type = "variadic_parameter_declaration", .roles = DECLARES, .names = "declarator"},
    {.type = "alias_declaration", .roles = DECLARES | STATEMENT, .names = "name", .value = "type"},
    /* The grammar gives the name no field in these, so any child may lead to it. */
    {.type = "reference_declarator", .roles = WRAPS, .names = "*"},
    {.type = "variadic_declarator", .roles = WRAPS, .names = "*"},
    {.type = "structured_binding_declarator", .roles = WRAPS, .names = "*"},
    {.type = "class_specifier", .roles = DECLARES | TYPE, .names = "name", .body = "body"},
    /* In place of C's: it may be empty. */
    {.type = "enumerator_list"},
    {.type = "namespace_definition",
     .roles = DECLARES | STATEMENT | NAMESPACE,
     .names = "name",
     .body = "body"},
    {.type = "namespace_alias_definition", .roles = DECLARES | STATEMENT, .names = "name"},
    {.type = "concept_definition", .roles = DECLARES | STATEMENT, .names = "name"},
    /* A name with what it is looked up in and what it is given.  They wrap the name where they
     * declare it: a member outside of its class, a specialisation. */
    {.type = "template_type",
     .roles = TYPE | WRAPS | QUALIFIED,
     .names = "name",
     .list = "arguments"},
    {.type = "template_function",
     .roles = PRIMARY | WRAPS | QUALIFIED,
     .names = "name",
     .list = "arguments"},
    {.type = "template_method", .roles = WRAPS | QUALIFIED, .names = "name", .list = "arguments"},
    /* May name a type or a value: the name in which it ends tells which. */
    {.type = "qualified_identifier",
     .roles = TYPE | PRIMARY | WRAPS | QUALIFIED,
     .names = "name",
     .object = "scope"},
    /* Nothing is left of it without what it is a template of; its parameters are known in it. */
    {.type = "template_declaration",
     .roles = STATEMENT | HOLDER | TEMPLATE | SCOPE,
     .list = "parameters",
     .names = "function_definition declaration class_specifier struct_specifier union_specifier "
              "alias_declaration template_declaration concept_definition"},
    /* A parameter that is a template: `template<class> class T`. */
    {.type = "template_template_parameter_declaration",
     .roles = HOLDER | TEMPLATE | SCOPE,
     .list = "parameters",
     .names = "type_parameter_declaration optional_type_parameter_declaration "
              "variadic_type_parameter_declaration"},
    /* Found by the type of the node, as the grammar has no field for the name. */
    {.type = "type_parameter_declaration", .roles = DECLARES, .names = "type_identifier"},
    {.type = "optional_type_parameter_declaration", .roles = DECLARES, .names = "name"},
    {.type = "variadic_type_parameter_declaration", .roles = DECLARES, .names = "type_identifier"},
    {.type = "template_argument_list", .roles = ARGUMENTS},
    {.type = "template_instantiation", .roles = STATEMENT | HOLDER, .names = "*"},
    /* From here on parts that may go by themselves. */
    {.type = "using_declaration", .roles = STATEMENT | HOLDER | NAMESPACE, .names = "*"},
    {.type = "static_assert_declaration", .roles = STATEMENT},
    {.type = "friend_declaration", .roles = STATEMENT | HOLDER, .names = "*"},
    {.type = "access_specifier", .roles = STATEMENT | VISIBILITY},
    {.type = "base_class_clause",
     .roles = STATEMENT | HOLDER,
     .names = "type_identifier template_type qualified_identifier"},
    /* Of a member, or of a base, by its name. */
    {.type = "field_initializer", .roles = STATEMENT, .object = "field_identifier"},
    {.type = "field_initializer_list",
     .roles = STATEMENT | HOLDER | PROLOGUE,
     .names = "field_initializer"},
    /* scopes and functions */
    /* A scope in a name space, none in `extern "C"`. */
    {.type = "declaration_list", .roles = BLOCK},
    {.type = "lambda_expression", .roles = FUNCTION | PRIMARY, .body = "body"},
    /* types */
    {.type = "placeholder_type_specifier", .roles = TYPE},
    {.type = "decltype", .roles = TYPE},
    {.type = "dependent_type", .roles = TYPE},
    /* expressions */
    {.type = "new_expression", .roles = EXPRESSION},
    {.type = "delete_expression", .roles = EXPRESSION},
    /* In place of C's: the indices stand in a list. */
    {.type = "subscript_expression",
     .roles = SUBSCRIPT | PRIMARY,
     .object = "argument",
     .list = "indices"},
    {.type = "raw_string_literal", .roles = PRIMARY},
    {.type = "user_defined_literal", .roles = PRIMARY},
    {.type = "this", .roles = PRIMARY},
    {.type = "co_await_expression", .roles = EXPRESSION},
    {.type = "fold_expression", .roles = EXPRESSION},
    {.type = "requires_expression", .roles = EXPRESSION},
    /* statements */
    /* In place of C's, as scopes: their heads may declare. */
    {.type = "if_statement", .roles = STATEMENT | SCOPE, .body = "consequence alternative"},
    /* Its variable is known in the loop alone. */
    {.type = "for_range_loop",
     .roles = DECLARES | STATEMENT | SCOPE,
     .names = "declarator",
     .body = "body"},
    {.type = "while_statement", .roles = STATEMENT | SCOPE, .body = "body"},
    {.type = "switch_statement", .roles = STATEMENT | SCOPE, .body = "body"},
    {.type = "try_statement", .roles = STATEMENT, .body = "body"},
    {.type = "catch_clause", .roles = CLAUSE | SCOPE, .body = "body"},
    {.type = "throw_statement", .roles = STATEMENT},
    {.type = "co_return_statement", .roles = STATEMENT},
    {.type = "co_yield_statement", .roles = STATEMENT},
};

static const char *const values[] = {"0", "1", "{}", NULL};
static const char *const types[] = {"int", NULL};

const pare_syntax_table pare_table_cpp = {
    .names = "cpp",
    .extends = &pare_table_c,
    .kinds = kinds,
    .n_kinds = sizeof kinds / sizeof *kinds,
    .values = values,
    .types = types,
    .no_statement = ";",
    .no_body = "{}",
    .only_declared = ";",
    .open_class = "struct",
    .nothing = "void",
    .sequences = "comma_expression",
    .typed = "cast_expression compound_literal_expression",
    .operators = "operator_name operator_cast",
    .deduced = "placeholder_type_specifier decltype",
    .arrays = "array vector",
    .any_value = "auto",
    .casts = "static_cast const_cast reinterpret_cast dynamic_cast",
    .type_words = "class typename",
    .trailing = "trailing_return_type",
    .joined_class = "union",
    .after_parameter = ";",
    .entry = "main",
    .before_statement = "",
};
