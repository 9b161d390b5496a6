/* Bash and sh, by the types and fields of tree-sitter-bash.
 *
 * Functions are called by words like all others, so a word that is the name of a function is taken
 * for a use of it, as in `trap f EXIT`.  Variables are known everywhere, and used with a `$`: the
 * node of both is what is replaced, the name in it is what is bound. */
#include "reduce/binding/role_names.h"
#include "reduce/binding/syntax.h"

static const pare_syntax_kind kinds[] = {
    /* names */
    {.type = "word", .roles = NAME | PRIMARY},
    {.type = "variable_name", .roles = NAME},
    {.type = "comment", .roles = COMMENT},
    {.type = "simple_expansion", .roles = PRIMARY | WRAPS | QUALIFIED, .names = "variable_name"},
    {.type = "command_name", .roles = WRAPS, .names = "word"},
    /* declarations */
    {.type = "function_definition",
     .roles = DECLARES | FUNCTION | STATEMENT,
     .names = "name",
     .body = "body"},
    {.type = "variable_assignment",
     .roles = ASSIGNS | STATEMENT,
     .names = "name",
     .value = "value"},
    {.type = "declaration_command", .roles = STATEMENT},
    {.type = "unset_command", .roles = STATEMENT},
    {.type = "for_statement", .roles = ASSIGNS | STATEMENT, .names = "variable", .body = "body"},
    /* scopes and functions */
    {.type = "program", .roles = SCOPE | BLOCK},
    {.type = "compound_statement", .roles = STATEMENT | BLOCK},
    {.type = "subshell", .roles = STATEMENT | BLOCK},
    {.type = "do_group", .roles = BLOCK},
    /* expressions */
    {.type = "string", .roles = PRIMARY},
    {.type = "raw_string", .roles = PRIMARY},
    {.type = "ansi_c_string", .roles = PRIMARY},
    {.type = "number", .roles = PRIMARY},
    {.type = "expansion", .roles = PRIMARY},
    {.type = "command_substitution", .roles = PRIMARY},
    {.type = "arithmetic_expansion", .roles = PRIMARY},
    {.type = "process_substitution", .roles = PRIMARY},
    {.type = "concatenation", .roles = EXPRESSION},
    {.type = "array", .roles = EXPRESSION},
    {.type = "binary_expression", .roles = EXPRESSION},
    {.type = "unary_expression", .roles = EXPRESSION},
    {.type = "parenthesized_expression", .roles = PRIMARY},
    /* statements */
    {.type = "command", .roles = STATEMENT},
    {.type = "pipeline", .roles = STATEMENT},
    {.type = "list", .roles = STATEMENT},
    {.type = "negated_command", .roles = STATEMENT},
    {.type = "test_command", .roles = STATEMENT},
    {.type = "redirected_statement", .roles = STATEMENT, .body = "body"},
    {.type = "file_redirect", .roles = STATEMENT},
    {.type = "heredoc_redirect", .roles = STATEMENT},
    {.type = "herestring_redirect", .roles = STATEMENT},
    {.type = "if_statement", .roles = STATEMENT},
    {.type = "elif_clause", .roles = CLAUSE},
    {.type = "else_clause", .roles = CLAUSE},
    {.type = "while_statement", .roles = STATEMENT, .body = "body"},
    {.type = "c_style_for_statement", .roles = STATEMENT, .body = "body"},
    {.type = "case_statement", .roles = STATEMENT},
    {.type = "case_item", .roles = STATEMENT},
};

static const char *const values[] = {"0", "''", NULL};
static const char *const types[] = {NULL};

const pare_syntax_table pare_table_bash = {
    .names = "bash",
    .kinds = kinds,
    .n_kinds = sizeof kinds / sizeof *kinds,
    .values = values,
    .types = types,
    .no_statement = ":",
    .no_body = "{ :;}",
    .before_statement = ";",
    .implicit = PARE_IMPLICIT_PROGRAM,
};
