/* Where programs may be cut: one table for each language.
 *
 * The types are those of tree-sitter's grammars, as in the tables of reduce/binding, which say what
 * declares and what is a function; these say only what is a list of items or members, what a
 * function's body becomes, and what is tied to what.  To teach the graph another language is to
 * write one of each.  Where a grammar has no list for something, it stays whole. */
#include <string.h>

#include "reduce/dependency/outline_syntax.h"

/* The marks, as the tables write them. */
enum {
    ITEMS = PARE_MARK_ITEMS,
    MEMBERS = PARE_MARK_MEMBERS,
    LARGE = PARE_MARK_LARGE,
    PARTS = PARE_MARK_PARTS,
    SHELL = PARE_MARK_SHELL,
    STAYS = PARE_MARK_STAYS,
    CODE = PARE_MARK_CODE,
    OPENS = PARE_MARK_OPENS,
    LEADS = PARE_MARK_LEADS,
    WHOLE = PARE_MARK_WHOLE,
    FILLED = PARE_MARK_FILLED,
    FOLLOWS = PARE_MARK_FOLLOWS,
    MAKES = PARE_MARK_MAKES,
    QUOTED = PARE_MARK_QUOTED,
    ASKED = PARE_MARK_ASKED,
    DATA = PARE_MARK_DATA,
    LOOP = PARE_MARK_LOOP,
    SPREADS = PARE_MARK_SPREADS,
    PATH = PARE_MARK_PATH,
    ALL = PARE_MARK_ALL,
    IMPORT = PARE_MARK_IMPORT,
    EXPORT = PARE_MARK_EXPORT,
    STRING = PARE_MARK_STRING,
    GIVES = PARE_MARK_GIVES,
    ELEMENT = PARE_MARK_ELEMENT,
    TAKES = PARE_MARK_TAKES,
    REFERS = PARE_MARK_REFERS,
    CLAUSE = PARE_MARK_CLAUSE
};

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* A bundle's modules are functions in a large object; they, and the function that wraps a library,
 * hold statements that are items. */
static const pare_outline_kind javascript_kinds[] = {
    {.type = "program", .marks = ITEMS},
    {.type = "import_statement", .marks = IMPORT},
    {.type = "export_statement", .marks = EXPORT},
    {.type = "export_clause", .marks = ITEMS},
    {.type = "export_specifier", .marks = EXPORT, .tied = "name"},
    {.type = "class_body", .marks = MEMBERS},
    /* Only a large one is taken apart, such as the table of modules of a bundle. */
    {.type = "object", .marks = MEMBERS | LARGE},
    {.type = "array", .marks = DATA},
    {.type = "for_statement", .marks = LOOP},
    {.type = "for_in_statement", .marks = LOOP},
    {.type = "statement_block", .marks = CODE | OPENS},
    /* In `var a = 1, b = 2, c = 3;` the first two are nodes, with the comma after them; so what
     * is left never ends with one. */
    {.type = "variable_declaration", .marks = PARTS},
    {.type = "lexical_declaration", .marks = PARTS},
    {.type = "sequence_expression", .marks = PARTS},
    {.type = "return_statement", .marks = STAYS},
    {.type = "string", .marks = QUOTED},
    {.type = "number", .marks = QUOTED},
    /* `var {a} = o` declares a and uses the member a of o. */
    {.type = "shorthand_property_identifier_pattern", .marks = TAKES},
};

/* Members of a `prototype` are members of the function, not of something called prototype.  The
 * interpreter itself calls what is in `by_outside`. */
static const pare_outline_table javascript = {
    .names = "javascript",
    .runs = true,
    .kinds = javascript_kinds,
    .n_kinds = COUNT(javascript_kinds),
    .no_body = "{}",
    .no_names = "prototype exports __proto__ default",
    .by_outside = "constructor toString valueOf toJSON",
};

/* Signatures, types and name spaces besides. */
static const pare_outline_kind typescript_kinds[] = {
    {.type = "class_declaration", .holds = "implements_clause"},
    {.type = "abstract_class_declaration", .holds = "implements_clause"},
    {.type = "interface_body", .marks = MEMBERS},
    {.type = "enum_body", .marks = MEMBERS},
    {.type = "internal_module", .marks = SHELL},
    {.type = "module", .marks = SHELL},
    /* What may be left uninitialised is told by the constructor. */
    {.type = "public_field_definition", .marks = WHOLE},
};

/* There is a compiler: a body that only throws has every type.  Names are known by their texts,
 * as in all languages with paths. */
static const pare_outline_table typescript = {
    .names = "typescript tsx",
    .extends = &javascript,
    .kinds = typescript_kinds,
    .n_kinds = COUNT(typescript_kinds),
    .no_body = "{throw 0}",
    .no_names = "prototype exports __proto__ default",
    .by_outside = "constructor",
    .by_text = true,
};

/* A class's block must not be empty.  Methods are found by strings (`getattr`), and by such as are put together. */
static const pare_outline_kind python_kinds[] = {
    {.type = "module", .marks = ITEMS},
    /* With all members gone its block would be empty, which is an error; `no_body` stands there
     * then. */
    {.type = "class_definition", .marks = FILLED},
    {.type = "block", .marks = CODE},
    {.type = "future_import_statement", .marks = STAYS},
    {.type = "wildcard_import", .marks = ALL},
    /* An expression without any statement that could go. */
    {.type = "lambda", .marks = WHOLE},
    {.type = "list", .marks = DATA},
    {.type = "dictionary", .marks = DATA},
    {.type = "for_statement", .marks = LOOP},
    {.type = "import_statement", .marks = IMPORT},
    {.type = "import_from_statement", .marks = IMPORT},
    {.type = "string", .marks = STRING},
    {.type = "argument_list", .marks = GIVES},
    {.type = "assignment", .marks = GIVES},
    {.type = "binary_operator", .marks = GIVES},
    {.type = "pair", .marks = GIVES},
    {.type = "return_statement", .marks = GIVES},
};

/* The body `0` is an expression on its own, so the function returns None.  Methods such as
 * `__init__` are called by the interpreter; those in `by_library` are called on objects that a
 * program hands to the standard library, perhaps. */
static const pare_outline_table python = {
    .names = "python",
    .runs = true,
    .kinds = python_kinds,
    .n_kinds = COUNT(python_kinds),
    .no_body = "0",
    .by_outside = "__*",
    .by_library =
        "read readable readinto readline write writable seek seekable tell flush close run "
        "keys values items get update",
};

/* A method's result is checked on all ways but those that throw.  A constructor keeps its body,
 * which gives constants their values. */
static const pare_outline_kind java_kinds[] = {
    {.type = "program", .marks = ITEMS},
    {.type = "package_declaration", .marks = STAYS},
    {.type = "import_declaration", .marks = IMPORT},
    {.type = "asterisk", .marks = ALL},
    {.type = "class_body", .marks = MEMBERS},
    {.type = "interface_body", .marks = MEMBERS},
    {.type = "enum_body_declarations", .marks = MEMBERS},
    {.type = "annotation_type_body", .marks = MEMBERS},
    {.type = "block", .marks = CODE},
    {.type = "constructor_declaration", .marks = MAKES | WHOLE},
    {.type = "compact_constructor_declaration", .marks = WHOLE},
    {.type = "static_initializer", .marks = WHOLE},
    {.type = "object_creation_expression", .marks = WHOLE},
    /* What implements an interface of the library is asked for by that, unnamed in the file, if
     * it is `public` (asked_as). */
    {.type = "method_declaration", .marks = ASKED},
    {.type = "class_declaration",
     .fulfils = "superclass super_interfaces",
     .holds = "super_interfaces"},
    {.type = "interface_declaration", .fulfils = "extends_interfaces"},
    {.type = "enum_declaration", .fulfils = "super_interfaces", .holds = "super_interfaces"},
    {.type = "record_declaration", .fulfils = "super_interfaces", .holds = "super_interfaces"},
};

/* `throw null;` compiles, whatever type is to be returned. */
static const pare_outline_table java = {
    .names = "java",
    .kinds = java_kinds,
    .n_kinds = COUNT(java_kinds),
    .no_body = "{throw null;}",
    .entry = "main",
    .asked_as = "public",
    .by_text = true,
};

/* An `impl` goes with its type and its trait; of a trait of others all is asked for. */
static const pare_outline_kind rust_kinds[] = {
    {.type = "source_file", .marks = ITEMS},
    {.type = "mod_item", .marks = SHELL},
    /* A trait is used without its name, so what is imported is as long as it is there. */
    {.type = "use_declaration", .marks = IMPORT, .tied = "argument"},
    {.type = "use_wildcard", .marks = ALL},
    /* A call `x.m()` does not name the trait that m is of. */
    {.type = "trait_item", .marks = SPREADS},
    {.type = "declaration_list", .marks = MEMBERS},
    {.type = "block", .marks = CODE},
    /* `impl Trait for Type` is needed with both; if the trait is not of this file, all of its
     * items may be asked for. */
    {.type = "impl_item", .tied = "type trait", .fulfils = "trait", .holds = "trait"},
    {.type = "function_item", .marks = ASKED},
    {.type = "type_item", .marks = ASKED},
    {.type = "const_item", .marks = ASKED},
    /* `#[derive(Debug)]` goes with the item after it. */
    {.type = "attribute_item", .marks = LEADS},
    {.type = "inner_attribute_item", .marks = STAYS},
    {.type = "closure_expression", .marks = WHOLE},
};

/* `loop{}` never returns, so it has every type. */
static const pare_outline_table rust = {
    .names = "rust",
    .kinds = rust_kinds,
    .n_kinds = COUNT(rust_kinds),
    .no_body = "{loop{}}",
    .entry = "main",
    .by_text = true,
};

/* An import that nothing uses is an error.  Constants that count on stay together. */
static const pare_outline_kind go_kinds[] = {
    {.type = "source_file", .marks = ITEMS},
    {.type = "package_clause", .marks = STAYS},
    {.type = "import_spec_list", .marks = ITEMS},
    {.type = "import_declaration", .marks = SHELL | IMPORT},
    /* `"a/b/name"` declares name, which is what its path ends with. */
    {.type = "import_spec", .marks = FOLLOWS | PATH | IMPORT},
    {.type = "var_spec_list", .marks = ITEMS},
    {.type = "block", .marks = CODE},
    {.type = "func_literal", .marks = WHOLE},
    /* `func (t *T) m()` goes with T. */
    {.type = "method_declaration", .tied = "receiver"},
};

/* Methods in `by_outside` fulfil interfaces of the standard library, which nothing in the file
 * has to name. */
static const pare_outline_table go = {
    .names = "go",
    .kinds = go_kinds,
    .n_kinds = COUNT(go_kinds),
    .no_body = "{panic(0)}",
    .entry = "main",
    .unused_fails = true,
    .by_outside = "String Error Len Less Swap Read Write Close Push Pop ServeHTTP Format Unwrap "
                  "GoString MarshalJSON UnmarshalJSON",
    .by_text = true,
};

/* Statements of the file are items; a large table constructor is an object, whose fields are
 * members. */
static const pare_outline_kind lua_kinds[] = {
    {.type = "chunk", .marks = ITEMS},
    {.type = "block", .marks = CODE | OPENS},
    {.type = "table_constructor", .marks = MEMBERS | LARGE},
    {.type = "for_statement", .marks = LOOP},
    {.type = "return_statement", .marks = STAYS},
    {.type = "string", .marks = QUOTED},
};

/* What is assigned to `t.__index` is assigned to t. */
static const pare_outline_table lua = {
    .names = "lua",
    .runs = true,
    .kinds = lua_kinds,
    .n_kinds = COUNT(lua_kinds),
    .no_body = "",
    .no_names = "__index",
};

/* Rows go with their table, and what changes it, unless that only refers to another one: foreign keys are of no
 * use to queries, and would keep all tables. */
static const pare_outline_kind sql_kinds[] = {
    {.type = "program", .marks = ITEMS},
    {.type = "transaction", .marks = ITEMS | SHELL},
    /* A transaction is opened and closed as long as anything in it is left. */
    {.type = "keyword_begin", .marks = STAYS},
    {.type = "keyword_transaction", .marks = STAYS},
    {.type = "keyword_commit", .marks = STAYS},
    {.type = "keyword_rollback", .marks = STAYS},
    /* Rows are parts of a list, of which the last one stays. */
    {.type = "insert", .marks = PARTS, .tied = "object_reference"},
    {.type = "list", .marks = STAYS},
    {.type = "term", .marks = LOOP},
    {.type = "relation", .marks = LOOP},
    {.type = "cte", .marks = LOOP},
    {.type = "alter_table", .tied = "object_reference"},
    /* `b int references t (a) on delete cascade`: the clause from this word on is a node that
     * nothing needs. */
    {.type = "keyword_references", .marks = REFERS},
    {.type = "constraint", .marks = CLAUSE},
};

/* Names of tables and columns have no scopes, so they are known by their texts. */
static const pare_outline_table sql = {
    .names = "sql",
    .runs = true,
    .kinds = sql_kinds,
    .n_kinds = COUNT(sql_kinds),
    .no_body = ";",
    .by_text = true,
};

/* Functions, methods and classes are called by strings, too, and by such as are put together.  What is done
 * with an object or a list at the outermost level goes with it. */
static const pare_outline_kind php_kinds[] = {
    {.type = "program", .marks = ITEMS},
    {.type = "php_tag", .marks = STAYS},
    {.type = "text_interpolation", .marks = STAYS},
    {.type = "php_end_tag", .marks = STAYS},
    {.type = "declare_statement", .marks = STAYS},
    {.type = "namespace_definition", .marks = SHELL | STAYS},
    {.type = "namespace_use_declaration", .marks = IMPORT},
    {.type = "declaration_list", .marks = MEMBERS},
    {.type = "enum_declaration_list", .marks = MEMBERS},
    {.type = "use_declaration", .marks = STAYS},
    {.type = "compound_statement", .marks = CODE},
    {.type = "for_statement", .marks = LOOP},
    {.type = "foreach_statement", .marks = LOOP},
    {.type = "anonymous_function", .marks = WHOLE},
    {.type = "array_creation_expression", .marks = DATA},
    {.type = "object_creation_expression", .marks = DATA},
    {.type = "subscript_expression", .marks = ELEMENT},
    {.type = "assignment_expression", .marks = GIVES, .tied = "left"},
    {.type = "augmented_assignment_expression", .marks = GIVES, .tied = "left"},
    {.type = "string", .marks = STRING},
    {.type = "encapsed_string", .marks = STRING},
    /* From here on: where a string may be the name of something that is called later, as in
     * `array_map('f', $a)`.  As the key of an array, or where it is compared, it is none
     * (outline_syntax_strings.c). */
    {.type = "argument", .marks = GIVES},
    {.type = "array_element_initializer", .marks = GIVES},
    {.type = "binary_expression", .marks = GIVES},
    {.type = "conditional_expression", .marks = GIVES},
    {.type = "parenthesized_expression", .marks = GIVES},
    {.type = "return_statement", .marks = GIVES},
    {.type = "property_element", .marks = GIVES},
    {.type = "const_element", .marks = GIVES},
    {.type = "simple_parameter", .marks = GIVES},
    {.type = "static_variable_declaration", .marks = GIVES},
    {.type = "member_call_expression", .marks = GIVES},
    {.type = "member_access_expression", .marks = GIVES},
    {.type = "scoped_call_expression", .marks = GIVES},
};

static const pare_outline_table php = {
    .names = "php",
    .runs = true,
    .kinds = php_kinds,
    .n_kinds = COUNT(php_kinds),
    .no_body = "{}",
    .by_outside = "__* count getIterator current key next rewind valid offsetGet offsetSet "
                  "offsetExists offsetUnset jsonSerialize serialize unserialize",
    .defines = "define class_alias",
    .any_case = true,
};

static const pare_outline_table *const tables[] = {&javascript, &typescript, &python, &java, &rust,
                                                   &go,         &lua,        &sql,    &php};

/* Whether the word is one of `words`, which are parted by blanks.  One that ends with a star
 * stands for all that begin like it: "__* count" has "__init__" and "count", and not "counter". */
bool pare_outline_table_has(const char *words, const char *word, size_t size)
{
    for (const char *at = words ? words : ""; *at; at += strspn(at, " ")) {
        size_t length = strcspn(at, " ");
        bool any = at[length - 1] == '*';
        if (any ? size >= length - 1 && memcmp(at, word, length - 1) == 0
                : size == length && memcmp(at, word, size) == 0)
            return true;
        at += length;
    }
    return false;
}

/* There are few languages, and it is asked once for each file. */
const pare_outline_table *pare_outline_table_find(const char *language)
{
    for (size_t i = 0; i < COUNT(tables); i++)
        if (pare_outline_table_has(tables[i]->names, language, strlen(language))) return tables[i];
    return NULL;
}

/* A table's own kinds come before those that it extends: TypeScript says something else of a few
 * types, and takes over all others of JavaScript.  Linear; readers keep what they were told of
 * each symbol (pare_outline_syntax_kind). */
const pare_outline_kind *pare_outline_table_kind(const pare_outline_table *table, const char *type)
{
    for (; table; table = table->extends)
        for (size_t i = 0; i < table->n_kinds; i++)
            if (strcmp(table->kinds[i].type, type) == 0) return &table->kinds[i];
    return NULL;
}
