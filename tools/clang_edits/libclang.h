/* The part of libclang's C interface that is used here, loaded when the program starts.
 *
 * The interface is stable: types and numbers are those of every libclang from 3.5 on, and Debian's
 * packages bring the library without its headers, so what is used of it is declared here.  All is
 * documented in clang-c/Index.h; names are those, without the prefix `clang_`. */
#ifndef PARE_TOOLS_CLANG_EDITS_LIBCLANG_H
#define PARE_TOOLS_CLANG_EDITS_LIBCLANG_H

#include <stdbool.h>

typedef struct pare_libclang_string {
    const void *data;
    unsigned flags;
} pare_libclang_string;

typedef struct pare_libclang_cursor {
    int kind;
    int extra;
    const void *data[3];
} pare_libclang_cursor;

typedef struct pare_libclang_type {
    int kind;
    void *data[2];
} pare_libclang_type;

typedef struct pare_libclang_location {
    const void *data[2];
    unsigned number;
} pare_libclang_location;

typedef struct pare_libclang_range {
    const void *data[2];
    unsigned begin, end;
} pare_libclang_range;

typedef struct pare_libclang_file {
    const char *name, *contents;
    unsigned long size; /* bytes */
} pare_libclang_file;

/* Kinds of cursors, as CXCursor_... */
enum {
    PARE_LIBCLANG_STRUCT = 2,
    PARE_LIBCLANG_UNION = 3,
    PARE_LIBCLANG_CLASS = 4,
    PARE_LIBCLANG_ENUM = 5,
    PARE_LIBCLANG_FIELD = 6,
    PARE_LIBCLANG_FUNCTION = 8,
    PARE_LIBCLANG_VARIABLE = 9,
    PARE_LIBCLANG_PARAMETER = 10,
    PARE_LIBCLANG_TYPEDEF = 20,
    PARE_LIBCLANG_METHOD = 21,
    PARE_LIBCLANG_CONSTRUCTOR = 24,
    PARE_LIBCLANG_DESTRUCTOR = 25,
    PARE_LIBCLANG_CONVERSION = 26,
    PARE_LIBCLANG_TYPE_PARAMETER = 27,
    PARE_LIBCLANG_VALUE_PARAMETER = 28,
    PARE_LIBCLANG_TEMPLATE_PARAMETER = 29,
    PARE_LIBCLANG_FUNCTION_TEMPLATE = 30,
    PARE_LIBCLANG_CLASS_TEMPLATE = 31,
    PARE_LIBCLANG_PARTIAL_SPECIALISATION = 32,
    PARE_LIBCLANG_TYPE_ALIAS = 36,
    PARE_LIBCLANG_TYPE_REFERENCE = 43,
    PARE_LIBCLANG_NAME = 101,
    PARE_LIBCLANG_MEMBER_NAME = 102,
    PARE_LIBCLANG_CALL = 103,
    PARE_LIBCLANG_INTEGER = 106,
    PARE_LIBCLANG_LAMBDA = 144,
    PARE_LIBCLANG_ALIAS_TEMPLATE = 601,
    PARE_LIBCLANG_CONCEPT = 604
};

/* Kinds of types, as CXType_... */
enum {
    PARE_LIBCLANG_INVALID_TYPE = 0,
    PARE_LIBCLANG_UNEXPOSED_TYPE = 1,
    PARE_LIBCLANG_DEPENDENT_TYPE = 26,
    PARE_LIBCLANG_FIRST_NUMBER_TYPE = 3, /* bool, characters, integers */
    PARE_LIBCLANG_LAST_INTEGER_TYPE = 20,
    PARE_LIBCLANG_POINTER_TYPE = 101,
    PARE_LIBCLANG_RECORD_TYPE = 105
};

enum {
    PARE_LIBCLANG_RECURSE = 2,        /* CXChildVisit_Recurse */
    PARE_LIBCLANG_INTEGER_RESULT = 1, /* CXEval_Int */
    PARE_LIBCLANG_TYPE_ARGUMENT = 1,  /* CXTemplateArgumentKind_Type */
    PARE_LIBCLANG_INTEGRAL_ARGUMENT = 4,
    PARE_LIBCLANG_KEEP_GOING = 0x200 /* CXTranslationUnit_KeepGoing */
};

typedef int pare_libclang_visitor(pare_libclang_cursor cursor, pare_libclang_cursor parent,
                                  void *context);

/* The functions, each by its name. */
typedef struct pare_libclang {
    void *(*createIndex)(int exclude_precompiled, int show);
    int (*parseTranslationUnit2)(void *index, const char *name, const char *const *arguments,
                                 int n_arguments, pare_libclang_file *unsaved, unsigned n_unsaved,
                                 unsigned options, void **unit);
    pare_libclang_cursor (*getTranslationUnitCursor)(void *unit);
    void *(*getFile)(void *unit, const char *name);
    unsigned (*visitChildren)(pare_libclang_cursor parent, pare_libclang_visitor *visitor,
                              void *context);
    pare_libclang_range (*getCursorExtent)(pare_libclang_cursor cursor);
    pare_libclang_location (*getCursorLocation)(pare_libclang_cursor cursor);
    pare_libclang_location (*getRangeStart)(pare_libclang_range range);
    pare_libclang_location (*getRangeEnd)(pare_libclang_range range);
    void (*getFileLocation)(pare_libclang_location location, void **file, unsigned *line,
                            unsigned *column, unsigned *offset);
    void (*getSpellingLocation)(pare_libclang_location location, void **file, unsigned *line,
                                unsigned *column, unsigned *offset);
    pare_libclang_cursor (*getCursorReferenced)(pare_libclang_cursor cursor);
    pare_libclang_cursor (*getCanonicalCursor)(pare_libclang_cursor cursor);
    pare_libclang_cursor (*getSpecializedCursorTemplate)(pare_libclang_cursor cursor);
    unsigned (*equalCursors)(pare_libclang_cursor a, pare_libclang_cursor b);
    unsigned (*hashCursor)(pare_libclang_cursor cursor);
    int (*Cursor_isNull)(pare_libclang_cursor cursor);
    unsigned (*isExpression)(int kind);
    unsigned (*CXXMethod_isVirtual)(pare_libclang_cursor cursor);
    unsigned (*getNumOverloadedDecls)(pare_libclang_cursor cursor);
    pare_libclang_cursor (*getOverloadedDecl)(pare_libclang_cursor cursor, unsigned index);
    int (*Cursor_getNumTemplateArguments)(pare_libclang_cursor cursor);
    int (*Cursor_getTemplateArgumentKind)(pare_libclang_cursor cursor, unsigned index);
    pare_libclang_type (*Cursor_getTemplateArgumentType)(pare_libclang_cursor cursor,
                                                         unsigned index);
    long long (*Cursor_getTemplateArgumentValue)(pare_libclang_cursor cursor, unsigned index);
    void *(*Cursor_Evaluate)(pare_libclang_cursor cursor);
    int (*EvalResult_getKind)(void *result);
    long long (*EvalResult_getAsLongLong)(void *result);
    void (*EvalResult_dispose)(void *result);
    pare_libclang_type (*getCursorType)(pare_libclang_cursor cursor);
    pare_libclang_type (*getCursorResultType)(pare_libclang_cursor cursor);
    pare_libclang_type (*getTypedefDeclUnderlyingType)(pare_libclang_cursor cursor);
    pare_libclang_type (*getCanonicalType)(pare_libclang_type type);
    pare_libclang_string (*getTypeSpelling)(pare_libclang_type type);
    pare_libclang_string (*getClangVersion)(void);
    const char *(*getCString)(pare_libclang_string string);
    void (*disposeString)(pare_libclang_string string);
} pare_libclang;

/* Opens the library: the file that PARE_LIBCLANG names, or one of Debian's, the lowest version
 * first, which parses fastest.  False: there is none, or it lacks a function. */
bool pare_libclang_open(pare_libclang *clang);

#endif
