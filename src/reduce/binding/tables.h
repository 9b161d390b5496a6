/* The tables, one source file each, and short names to write them with. */
#ifndef PARE_REDUCE_BINDING_TABLES_H
#define PARE_REDUCE_BINDING_TABLES_H

#include "reduce/binding/syntax.h"

extern const pare_syntax_table pare_table_c;          /* table_c.c */
extern const pare_syntax_table pare_table_cpp;        /* table_cpp.c */
extern const pare_syntax_table pare_table_go;         /* table_go.c */
extern const pare_syntax_table pare_table_java;       /* table_java.c */
extern const pare_syntax_table pare_table_javascript; /* table_javascript.c */
extern const pare_syntax_table pare_table_lua;        /* table_lua.c */
extern const pare_syntax_table pare_table_python;     /* table_python.c */
extern const pare_syntax_table pare_table_rust;       /* table_rust.c */
extern const pare_syntax_table pare_table_sql;        /* table_sql.c */
extern const pare_syntax_table pare_table_typescript; /* table_typescript.c */

/* The roles, as tables write them. */
enum {
    NAME = PARE_ROLE_NAME,
    MEMBER = PARE_ROLE_MEMBER,
    LABEL = PARE_ROLE_LABEL,
    DECLARES = PARE_ROLE_DECLARES,
    ASSIGNS = PARE_ROLE_ASSIGNS,
    WRAPS = PARE_ROLE_WRAPS,
    SCOPE = PARE_ROLE_SCOPE,
    MEMBERS = PARE_ROLE_MEMBERS,
    HOLDER = PARE_ROLE_HOLDER,
    FUNCTION = PARE_ROLE_FUNCTION,
    PARAMETERS = PARE_ROLE_PARAMETERS,
    ARGUMENTS = PARE_ROLE_ARGUMENTS,
    CALL = PARE_ROLE_CALL,
    ACCESS = PARE_ROLE_ACCESS,
    SUBSCRIPT = PARE_ROLE_SUBSCRIPT,
    RETURN = PARE_ROLE_RETURN,
    EXPRESSION = PARE_ROLE_EXPRESSION,
    PRIMARY = PARE_ROLE_PRIMARY | PARE_ROLE_EXPRESSION,
    STATEMENT = PARE_ROLE_STATEMENT,
    BLOCK = PARE_ROLE_BLOCK,
    TYPE = PARE_ROLE_TYPE,
    COMMENT = PARE_ROLE_COMMENT,
    CLAUSE = PARE_ROLE_CLAUSE | PARE_ROLE_STATEMENT,
    ARRAY = PARE_ROLE_ARRAY
};

#endif
