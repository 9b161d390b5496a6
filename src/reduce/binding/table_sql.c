/* SQL, by the types and fields of tree-sitter-sql.
 *
 * Tables and their columns are what is declared; clauses count as statements, for each may be
 * left out by itself. */
#include "reduce/binding/role_names.h"
#include "reduce/binding/syntax.h"

static const pare_syntax_kind kinds[] = {
    /* names */
    {.type = "identifier", .roles = NAME | PRIMARY},
    {.type = "comment", .roles = COMMENT},
    {.type = "marginalia", .roles = COMMENT},
    /* declarations */
    /* The name of what is created stands in an object_reference. */
    {.type = "create_table", .roles = DECLARES | STATEMENT, .names = "object_reference"},
    {.type = "create_view", .roles = DECLARES | STATEMENT, .names = "object_reference"},
    {.type = "create_materialized_view",
     .roles = DECLARES | STATEMENT,
     .names = "object_reference"},
    {.type = "create_index", .roles = DECLARES | STATEMENT, .names = "column"},
    {.type = "create_trigger", .roles = DECLARES | STATEMENT, .names = "object_reference"},
    {.type = "create_function", .roles = DECLARES | STATEMENT, .names = "object_reference"},
    {.type = "object_reference", .roles = WRAPS | PRIMARY, .names = "name"},
    {.type = "statement", .roles = STATEMENT | HOLDER, .names = "*"},
    /* Columns are members of their table: found by their text alone. */
    {.type = "column_definitions", .roles = MEMBERS},
    {.type = "column_definition", .roles = DECLARES | STATEMENT, .names = "name"},
    {.type = "constraint", .roles = STATEMENT},
    {.type = "constraints", .roles = STATEMENT},
    /* These three give a name to what they hold. */
    {.type = "cte", .roles = DECLARES | STATEMENT, .names = "identifier"},
    {.type = "term", .roles = DECLARES | STATEMENT, .names = "alias"},
    {.type = "relation", .roles = DECLARES | STATEMENT, .names = "alias"},
    {.type = "column", .roles = STATEMENT},
    /* scopes */
    {.type = "program", .roles = SCOPE | BLOCK},
    /* expressions */
    /* A column, with the table or alias that it is of. */
    {.type = "field", .roles = ACCESS | PRIMARY, .names = "name", .object = "object_reference"},
    {.type = "invocation", .roles = CALL | PRIMARY, .object = "object_reference"},
    {.type = "subquery", .roles = PRIMARY},
    {.type = "parenthesized_expression", .roles = PRIMARY},
    {.type = "literal", .roles = PRIMARY},
    {.type = "list", .roles = PRIMARY},
    {.type = "array", .roles = PRIMARY},
    {.type = "all_fields", .roles = PRIMARY},
    {.type = "binary_expression", .roles = EXPRESSION},
    {.type = "unary_expression", .roles = EXPRESSION},
    {.type = "between_expression", .roles = EXPRESSION},
    {.type = "case", .roles = EXPRESSION},
    {.type = "cast", .roles = EXPRESSION},
    {.type = "exists", .roles = EXPRESSION},
    {.type = "interval", .roles = EXPRESSION},
    {.type = "window_function", .roles = EXPRESSION},
    /* clauses */
    {.type = "from", .roles = STATEMENT},
    {.type = "where", .roles = STATEMENT},
    {.type = "join", .roles = STATEMENT},
    {.type = "cross_join", .roles = STATEMENT},
    {.type = "lateral_join", .roles = STATEMENT},
    {.type = "group_by", .roles = STATEMENT},
    {.type = "order_by", .roles = STATEMENT},
    {.type = "limit", .roles = STATEMENT},
    {.type = "offset", .roles = STATEMENT},
    {.type = "returning", .roles = STATEMENT},
    {.type = "when_clause", .roles = STATEMENT},
    {.type = "assignment", .roles = STATEMENT},
    {.type = "order_target", .roles = STATEMENT},
    {.type = "transaction", .roles = STATEMENT},
};

static const char *const values[] = {"0", "''", "x", NULL};
static const char *const types[] = {NULL};

const pare_syntax_table pare_table_sql = {
    .names = "sql",
    .kinds = kinds,
    .n_kinds = sizeof kinds / sizeof *kinds,
    .values = values,
    .types = types,
    .no_statement = ";",
    .no_body = "",
    .before_statement = ";",
};
