/* The tables of all languages. */
#include "reduce/binding/language.h"

#include <stdbool.h>
#include <string.h>

#include "reduce/binding/tables.h"

static const pare_syntax_table *const tables[] = {
    &pare_table_c,   &pare_table_cpp,    &pare_table_go,   &pare_table_java, &pare_table_javascript,
    &pare_table_lua, &pare_table_python, &pare_table_rust, &pare_table_sql,  &pare_table_typescript,
};

enum { N_TABLES = sizeof tables / sizeof(const pare_syntax_table *) };

const pare_syntax_table *pare_syntax_table_at(size_t index)
{
    return index < N_TABLES ? tables[index] : NULL;
}

static bool has_word(const char *words, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = words; *at; at += strspn(at, " ")) {
        size_t size = strcspn(at, " ");
        if (size == length && memcmp(at, word, size) == 0) return true;
        at += size;
    }
    return false;
}

const pare_syntax_table *pare_syntax_table_find(const char *name)
{
    for (size_t i = 0; i < N_TABLES; i++)
        if (has_word(tables[i]->names, name)) return tables[i];
    return NULL;
}

const pare_syntax_kind *pare_syntax_table_kind(const pare_syntax_table *table, const char *type)
{
    for (; table; table = table->extends)
        for (size_t i = 0; i < table->n_kinds; i++)
            if (strcmp(table->kinds[i].type, type) == 0) return &table->kinds[i];
    return NULL;
}

const pare_syntax_kind *pare_syntax_table_kind_at(const pare_syntax_table *table, size_t index)
{
    const pare_syntax_table *at = table;
    for (; at; at = at->extends) {
        for (size_t i = 0; i < at->n_kinds; i++) {
            const pare_syntax_kind *kind = &at->kinds[i];
            bool counts = at == table || pare_syntax_table_kind(table, kind->type) == kind;
            if (counts && index-- == 0) return kind;
        }
    }
    return NULL;
}
