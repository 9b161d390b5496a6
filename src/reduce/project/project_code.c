/* What source files mention: #include, import, require, mod and source, line by line.
 *
 * One scan for all languages: a row of a table says with which word a statement begins, how its
 * names become paths, and whether the other file's text can stand in its place.  Strings that are
 * the path of another file are mentions in every language.  Comments are not told apart: who
 * mentions a file there needs it a little, which costs tests at worst.
 * Source: C-Vise's passes for include graphs (docs/design/sources.md), for C alone and by clang. */
#include "reduce/project/project.h"

#include <string.h>

enum { MOST_NAME_BYTES = 256 };

/* One file that is read. */
struct reader {
    pare_project *project;
    uint32_t file;
    const char *text; /* of all files: offsets are those of the project */
    size_t at, end;
    size_t mention; /* where what is read now mentions a file, or 0 */
    pare_error *err;
};

/* A word in the file. */
struct word {
    const char *text;
    size_t size;
};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* Of identifiers in the languages that are read here. Bytes beyond ASCII are letters of some
 * language. */
static bool is_name_byte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           (unsigned char)c >= 0x80;
}

/* The first byte at or after `at` that is no blank. */
static size_t skip_blanks(const struct reader *reader, size_t at, size_t end)
{
    while (at < end && is_blank(reader->text[at]))
        at++;
    return at;
}

/* Where the name that begins at `at` ends; `at`: none does. */
static size_t name_end(const struct reader *reader, size_t at, size_t end)
{
    while (at < end && is_name_byte(reader->text[at]))
        at++;
    return at;
}

/* Whether the word, and no longer one, stands at `at`; sets *after to its end only then.
 * Example: "import" is not at "important". A word that ends with a sign (". ") may be followed
 * by anything. */
static bool is_at(const struct reader *reader, size_t at, size_t end, const char *word,
                  size_t *after)
{
    size_t size = strlen(word);
    if (end - at < size || memcmp(reader->text + at, word, size) != 0) return false;
    if (is_name_byte(word[size - 1]) && at + size < end && is_name_byte(reader->text[at + size]))
        return false;
    *after = at + size;
    return true;
}

/* The end of the line at `at`, without the line end. */
static size_t line_end(const struct reader *reader, size_t at)
{
    const char *found = memchr(reader->text + at, '\n', reader->end - at);
    return found ? (size_t)(found - reader->text) : reader->end;
}

/* A path in the making; too long a one is none. */
struct path {
    char text[2 * MOST_NAME_BYTES];
    size_t size;
    bool too_long;
};

/* Appends to a path; one that is too long becomes one that is found nowhere. */
static void add(struct path *path, const char *text, size_t size)
{
    if (path->size + size > sizeof path->text) {
        path->too_long = true;
        return;
    }
    memcpy(path->text + path->size, text, size);
    path->size += size;
}

/* Adds a name with dots, or colons, for slashes. Example: "a.b.c" gives "a/b/c". */
static void add_dotted(struct path *path, struct word name)
{
    for (size_t i = 0; i < name.size; i++)
        add(path, name.text[i] == '.' ? "/" : name.text + i, 1);
}

/* The file that the path means with one of the endings, which NULL ends. The first ending that
 * leads to another file counts; PARE_NO_FILE if none does. A file that mentions itself mentions
 * nothing. */
static uint32_t find_with(const struct reader *reader, struct path path, const char *const *endings)
{
    uint32_t found = PARE_NO_FILE;
    for (size_t i = 0; endings[i] && found == PARE_NO_FILE; i++) {
        struct path whole = path;
        add(&whole, endings[i], strlen(endings[i]));
        if (whole.too_long || !whole.size) continue;
        found = pare_project_find(reader->project, reader->file, whole.text, whole.size);
        if (found == reader->file) found = PARE_NO_FILE;
    }
    return found;
}

/* Adds that the file needs `to` (PARE_NO_FILE: nothing).  Either range may be NOTHING: then the mention
 * cannot go by itself, or the other file cannot stand there. */
static pare_status need(const struct reader *reader, uint32_t to, pare_project_range cut,
                        pare_project_range place)
{
    const pare_mention mention = {.from = reader->file,
                                  .to = to,
                                  .kind = PARE_MENTION_NEED,
                                  .at = reader->mention,
                                  .cut = cut,
                                  .place = place,
                                  .open = "",
                                  .close = ""};
    if (to == PARE_NO_FILE) return PARE_OK;
    return pare_project_add_mention(reader->project, &mention, reader->err);
}

static const pare_project_range NOTHING = {0, 0};

/* The range with the line end, if it is all of its line. Else the range as it is: something
 * else is on its line, or the file ends there. */
static pare_project_range whole_line(const struct reader *reader, size_t from, size_t to)
{
    size_t begin = from;
    while (begin > reader->project->files[reader->file].content.from &&
           is_blank(reader->text[begin - 1]))
        begin--;
    bool first = begin == reader->project->files[reader->file].content.from ||
                 reader->text[begin - 1] == '\n';
    if (first && to < reader->end && reader->text[to] == '\n')
        return (pare_project_range){begin, to + 1};
    return (pare_project_range){from, to};
}

/* --- languages -------------------------------------------------------------------------------- */

/* #include "name" or <name>, #import too.  The other file can stand in its place: that is what the
 * preprocessor does. A macro in place of the name (`#include CONFIG`) is not expanded. */
static pare_status read_c(struct reader *reader, size_t at, size_t end)
{
    size_t from = skip_blanks(reader, at, end), after;
    if (from == end || reader->text[from] != '#') return PARE_OK;
    size_t word = skip_blanks(reader, from + 1, end);
    if (!is_at(reader, word, end, "include", &after) && !is_at(reader, word, end, "import", &after))
        return PARE_OK;
    size_t quote = skip_blanks(reader, after, end);
    if (quote == end || (reader->text[quote] != '"' && reader->text[quote] != '<')) return PARE_OK;
    const char *close =
        memchr(reader->text + quote + 1, reader->text[quote] == '<' ? '>' : '"', end - quote - 1);
    if (!close) return PARE_OK;
    const char *name = reader->text + quote + 1;
    uint32_t to = pare_project_find(reader->project, reader->file, name, (size_t)(close - name));
    return need(reader, to, whole_line(reader, from, end), (pare_project_range){from, end});
}

/* A module of Python by its name with dots: the first dot in front is the own folder, each other one the
 * folder above. Examples: "a.b" is a/b.py or a/b/__init__.py, ".c" is c.py beside the file,
 * "..c" one folder higher. */
static uint32_t find_module(const struct reader *reader, struct word name)
{
    static const char *const endings[] = {".py", "/__init__.py", ".pyi", NULL};
    struct path path = {.size = 0};
    size_t dots = 0;
    while (dots < name.size && name.text[dots] == '.')
        dots++;
    if (dots) add(&path, "./", 2);
    for (size_t i = 1; i < dots; i++)
        add(&path, "../", 3);
    struct word rest = {name.text + dots, name.size - dots};
    add_dotted(&path, rest);
    if (!rest.size && dots) { /* the folder itself */
        add(&path, "__init__", strlen("__init__"));
    }
    return find_with(reader, path, endings);
}

/* The names after "import" in `from package import a, b`: each may be a module of the package, or something
 * that the package defines.  *n counts the modules.
 *
 * Each is looked up as package.name. They have no cut of their own. `at` goes over everything
 * that is no name: commas, parentheses, "as". */
static pare_status read_members(struct reader *reader, struct word package, size_t at, size_t end,
                                unsigned *n)
{
    pare_status status = PARE_OK;
    while (!status && at < end) {
        size_t to = name_end(reader, at, end);
        if (to == at) {
            at++;
            continue;
        }
        /* "from . import a" is ".a", "from p import a" is "p.a". */
        char joined[2 * MOST_NAME_BYTES];
        bool dotted = package.size && package.text[package.size - 1] != '.';
        if (package.size + to - at + 1 > sizeof joined) return PARE_OK;
        memcpy(joined, package.text, package.size);
        if (dotted) joined[package.size] = '.';
        memcpy(joined + package.size + dotted, reader->text + at, to - at);
        uint32_t found =
            find_module(reader, (struct word){joined, package.size + dotted + to - at});
        *n += found != PARE_NO_FILE;
        status = need(reader, found, NOTHING, NOTHING);
        at = to;
    }
    return status;
}

/* A name with dots. Empty if none stands there. */
static struct word dotted_name(const struct reader *reader, size_t at, size_t end)
{
    size_t to = at;
    while (to < end && (is_name_byte(reader->text[to]) || reader->text[to] == '.'))
        to++;
    return (struct word){reader->text + at, to - at};
}

/* The end of a statement that may go on in parentheses. The end of the line is given as `end`;
 * the statement ends behind the first ')' after a '('. */
static size_t statement_end(const struct reader *reader, size_t at, size_t end)
{
    const char *open = memchr(reader->text + at, '(', end - at);
    const char *close =
        open ? memchr(open, ')', reader->end - (size_t)(open - reader->text)) : NULL;
    return close ? (size_t)(close + 1 - reader->text) : end;
}

/* from a.b import c, d.  The module's text can stand there if none of the names is a module, which would
 * have to be an object, and if the statement is not indented. */
static pare_status read_from(struct reader *reader, size_t from, size_t at, size_t end)
{
    struct word package = dotted_name(reader, at, end);
    size_t to = statement_end(reader, at, end), after;
    size_t import = skip_blanks(reader, at + package.size, end);
    unsigned n_modules = 0;
    if (!package.size || !is_at(reader, import, end, "import", &after)) return PARE_OK;
    pare_status status = read_members(reader, package, after, to, &n_modules);
    /* An indented statement is in a block, whose lines would not fit those of the module. */
    bool alone = !n_modules && (from == reader->project->files[reader->file].content.from ||
                                reader->text[from - 1] == '\n');
    pare_project_range place = alone ? (pare_project_range){from, to} : NOTHING;
    return status ? status
                  : need(reader, find_module(reader, package), whole_line(reader, from, to), place);
}

/* import a.b, c.d as e; from a.b import c Several modules in one statement need each other's
 * commas, so none can be cut there. */
static pare_status read_python(struct reader *reader, size_t at, size_t end)
{
    size_t from = skip_blanks(reader, at, end), after;
    pare_status status = PARE_OK;
    if (is_at(reader, from, end, "from", &after))
        return read_from(reader, from, skip_blanks(reader, after, end), end);
    if (!is_at(reader, from, end, "import", &after)) return PARE_OK;
    bool several = memchr(reader->text + after, ',', end - after) != NULL;
    while (!status && after < end) {
        struct word name = dotted_name(reader, skip_blanks(reader, after, end), end);
        status = need(reader, find_module(reader, name),
                      several ? NOTHING : whole_line(reader, from, end), NOTHING);
        const char *comma = memchr(reader->text + after, ',', end - after);
        after = comma ? (size_t)(comma + 1 - reader->text) : end;
    }
    return status;
}

/* mod name; with `pub` and the like in front.  The other file's text can stand in braces in place of the
 * semicolon, which means the same to the compiler.
 *
 * Example: `pub(crate) mod parse;` in src/lib.rs means src/parse.rs or src/parse/mod.rs. */
static pare_status read_rust(struct reader *reader, size_t at, size_t end)
{
    static const char *const endings[] = {".rs", "/mod.rs", NULL};
    const pare_project_file *self = &reader->project->files[reader->file];
    size_t from = skip_blanks(reader, at, end), after = from;
    if (is_at(reader, from, end, "pub", &after)) after = skip_blanks(reader, after, end);
    if (after < end && reader->text[after] == '(') {
        const char *close = memchr(reader->text + after, ')', end - after);
        after = close ? skip_blanks(reader, (size_t)(close + 1 - reader->text), end) : end;
    }
    if (!is_at(reader, after, end, "mod", &after)) return PARE_OK;
    size_t name = skip_blanks(reader, after, end), to = name_end(reader, name, end);
    size_t semicolon = skip_blanks(reader, to, end);
    if (semicolon == end || reader->text[semicolon] != ';') return PARE_OK;
    /* Modules of a.rs are in the folder a, those of main.rs, lib.rs and mod.rs beside them.
     * Both ways are tried, that of the folder first. */
    const char *base = self->path + self->folder_size, *dot = strrchr(base, '.');
    struct path path = {.size = 0}, beside = {.size = 0};
    add(&beside, reader->text + name, to - name);
    add(&path, base, dot ? (size_t)(dot - base) : strlen(base));
    add(&path, "/", 1);
    add(&path, reader->text + name, to - name);
    uint32_t found = find_with(reader, path, endings);
    if (found == PARE_NO_FILE) found = find_with(reader, beside, endings);
    const pare_mention mention = {.from = reader->file,
                                  .to = found,
                                  .kind = PARE_MENTION_NEED,
                                  .at = reader->mention,
                                  .cut = whole_line(reader, from, semicolon + 1),
                                  .place = {semicolon, semicolon + 1},
                                  .open = "{",
                                  .close = "}"};
    return pare_project_add_mention(reader->project, &mention, reader->err);
}

/* import a.b.C; `import static a.b.C.f;` means a/b/C.java: without the member, which is the
 * last part. */
static pare_status read_java(struct reader *reader, size_t at, size_t end)
{
    static const char *const endings[] = {".java", NULL};
    size_t from = skip_blanks(reader, at, end), after;
    if (!is_at(reader, from, end, "import", &after)) return PARE_OK;
    after = skip_blanks(reader, after, end);
    if (is_at(reader, after, end, "static", &after)) after = skip_blanks(reader, after, end);
    struct word name = dotted_name(reader, after, end);
    struct path path = {.size = 0};
    add_dotted(&path, name);
    uint32_t found = find_with(reader, path, endings);
    /* The last part may be a member. */
    while (found == PARE_NO_FILE && path.size && path.text[path.size - 1] != '/')
        path.size--;
    if (found == PARE_NO_FILE && path.size) {
        path.size--;
        found = find_with(reader, path, endings);
    }
    return need(reader, found, whole_line(reader, from, end), NOTHING);
}

/* "." or "source", of shells: the other file's text can stand there. Names with variables in
 * them ("$dir/x.sh") are found nowhere. */
static pare_status read_shell(struct reader *reader, size_t at, size_t end)
{
    static const char *const endings[] = {"", NULL};
    size_t from = skip_blanks(reader, at, end), after;
    if (!is_at(reader, from, end, "source", &after) && !is_at(reader, from, end, ". ", &after))
        return PARE_OK;
    after = skip_blanks(reader, after, end);
    size_t to = after;
    while (to < end && !memchr(" \t;&|", reader->text[to], 5))
        to++;
    struct path path = {.size = 0};
    add(&path, reader->text + after, to - after);
    return need(reader, find_with(reader, path, endings), whole_line(reader, from, end),
                (pare_project_range){from, end});
}

/* How lines of a language are read; of languages without a row only strings are. */
static const struct language {
    const char *name;
    pare_status (*read)(struct reader *reader, size_t at, size_t end);
} LANGUAGES[] = {{"c", read_c},       {"cpp", read_c},         {"cuda", read_c},
                 {"objc", read_c},    {"python", read_python}, {"rust", read_rust},
                 {"java", read_java}, {"bash", read_shell}};

/* --- strings ---------------------------------------------------------------------------------- */

/* All files of a folder, for packages of Go: the path's end names it.
 *
 * Example: the string "example.org/tool/parse" ends with "parse", which is the folder parse
 * below the top. The name of the top folder, which is that of the project, is left out. Cost:
 * O(files). */
static pare_status need_folder(const struct reader *reader, struct word path,
                               pare_project_range cut)
{
    const pare_project *project = reader->project;
    pare_status status = PARE_OK;
    for (uint32_t i = 0; !status && i < project->n_files; i++) {
        const pare_project_file *file = &project->files[i];
        const char *top = strchr(file->path, '/');
        size_t above = top ? (size_t)(top + 1 - file->path) : 0;
        if (file->folder_size <= above || !file->language || strcmp(file->language, "go") != 0)
            continue;
        size_t size = file->folder_size - above - 1;
        bool ends = size <= path.size &&
                    memcmp(path.text + path.size - size, file->path + above, size) == 0 &&
                    (size == path.size || path.text[path.size - size - 1] == '/');
        if (ends) status = need(reader, i, cut, NOTHING);
    }
    return status;
}

/* Whether the string at `at` is what a statement imports: the line, where it is one statement.
 * Examples: `import a from "./a";`, `const a = require("./a");`, `local a = require("a")`.
 * NOTHING if more stands on the line, or another word at its beginning. */
static pare_project_range import_of(const struct reader *reader, size_t at, size_t after)
{
    size_t begin = at, from, unused;
    while (begin > reader->project->files[reader->file].content.from &&
           reader->text[begin - 1] != '\n')
        begin--;
    from = skip_blanks(reader, begin, at);
    size_t end = line_end(reader, after), rest = skip_blanks(reader, after, end);
    while (rest < end && memchr(");, \t\r", reader->text[rest], 6))
        rest++;
    bool alone =
        rest == end &&
        (is_at(reader, from, at, "import", &unused) || is_at(reader, from, at, "const", &unused) ||
         is_at(reader, from, at, "let", &unused) || is_at(reader, from, at, "var", &unused) ||
         is_at(reader, from, at, "local", &unused) || is_at(reader, from, at, "export", &unused) ||
         is_at(reader, from, at, "require", &unused));
    return alone ? whole_line(reader, from, end) : NOTHING;
}

/* The same in Go, where the string may be a line of a list. */
static pare_project_range import_in_list(const struct reader *reader, size_t at, size_t after)
{
    size_t begin = at, end = line_end(reader, after),
           from = reader->project->files[reader->file].content.from;
    pare_project_range import = import_of(reader, at, after);
    while (begin > from && is_blank(reader->text[begin - 1]))
        begin--;
    bool alone = (begin == from || reader->text[begin - 1] == '\n') &&
                 skip_blanks(reader, after, end) == end;
    return alone ? whole_line(reader, at, end) : import;
}

/* Whether nothing but `word` and blanks stands from .. to-1. */
static bool is_only(const struct reader *reader, size_t from, size_t to, const char *word)
{
    for (; from < to; from++) {
        if (is_blank(reader->text[from])) continue;
        if (reader->text[from] != *word) return false;
        word++;
    }
    return *word == '\0';
}

/* What an import calls what it gets, between its first word and "=" or "from"; *whole: the
 * statement imports and does nothing else.
 *
 * Examples: of `import {a, b} from "./x"` "{a, b}", of `const a = require("./x")` "a"; of
 * `import "./x"` nothing, and *whole is true. *whole is false where the string is a part of
 * something else, as in `const a = f(require("./x"))`. */
static pare_project_range names_of(const struct reader *reader, size_t from, size_t quote,
                                   bool *whole)
{
    size_t begin = name_end(reader, from, quote), end, unused;
    *whole = is_only(reader, begin, quote, "") || is_only(reader, from, quote, "require(");
    begin = skip_blanks(reader, begin, quote);
    for (end = begin; end < quote && reader->text[end] != '='; end++)
        if (is_at(reader, end, quote, "from", &unused) && is_blank(reader->text[end - 1])) break;
    if (*whole || end == quote) return NOTHING;
    *whole = is_only(reader, end, quote, "from") || is_only(reader, end, quote, "=require(");
    while (end > begin && is_blank(reader->text[end - 1]))
        end--;
    return (pare_project_range){begin, end};
}

/* A mention in JavaScript or TypeScript: the string and, of a whole statement at the start of a
 * line, what it declares. */
static pare_status need_script(const struct reader *reader, uint32_t to, size_t at, size_t size)
{
    pare_project_range line = import_of(reader, at, at + size + 2);
    size_t from = line.from, end = line_end(reader, at);
    bool whole = false;
    pare_project_range names = line.from < line.to ? names_of(reader, from, at, &whole) : NOTHING;
    /* An indented statement is in a block, and may be run several times or not at all. */
    whole = whole && !is_blank(reader->text[from]);
    const pare_mention mention = {.from = reader->file,
                                  .to = to,
                                  .kind = PARE_MENTION_NEED,
                                  .at = at,
                                  .word = {at + 1, at + 1 + size},
                                  .names = whole ? names : NOTHING,
                                  .script = true,
                                  .cut = line,
                                  .place = whole ? (pare_project_range){from, end} : NOTHING,
                                  .open = "",
                                  .close = ""};
    if (to == PARE_NO_FILE) return PARE_OK;
    return pare_project_add_mention(reader->project, &mention, reader->err);
}

/* A string that may be a path, or name a module, as its language has it: relative ones in scripts, folders
 * in Go, names with dots in Lua; in any other, whatever is the path of a file.
 *
 * In scripts only strings that begin with a point are paths of the project; others are
 * packages. In other languages a string without a point or slash is hardly ever a path. */
static pare_status read_string(struct reader *reader, size_t at, struct word word)
{
    static const char *const plain[] = {"", NULL};
    static const char *const script[] = {"",     ".js",  ".mjs",      ".cjs",      ".ts",
                                         ".tsx", ".jsx", "/index.js", "/index.ts", NULL};
    static const char *const lua[] = {".lua", "/init.lua", NULL};
    const char *language = reader->project->files[reader->file].language;
    struct path path = {.size = 0};
    bool is_lua = language && strcmp(language, "lua") == 0;
    bool is_script = language && word.text[0] == '.' &&
                     (strcmp(language, "javascript") == 0 || strcmp(language, "typescript") == 0 ||
                      strcmp(language, "tsx") == 0);
    if (language && strcmp(language, "go") == 0 && memchr(word.text, '/', word.size))
        return need_folder(reader, word, import_in_list(reader, at, at + word.size + 2));
    add(&path, word.text, word.size);
    if (is_script) return need_script(reader, find_with(reader, path, script), at, word.size);
    uint32_t found = PARE_NO_FILE;
    if (memchr(word.text, '.', word.size) || memchr(word.text, '/', word.size))
        found = find_with(reader, path, plain);
    if (is_lua && found == PARE_NO_FILE) {
        path.size = 0;
        add_dotted(&path, word);
        found = find_with(reader, path, lua);
    }
    return need(reader, found, import_of(reader, at, at + word.size + 2), NOTHING);
}

/* All strings of a line. A quote that is not closed on the line opens none. Escapes are not
 * looked at: no path has any. */
static pare_status read_strings(struct reader *reader, size_t at, size_t end)
{
    pare_status status = PARE_OK;
    while (!status && at < end) {
        char quote = reader->text[at++];
        if (quote != '"' && quote != '\'' && quote != '`') continue;
        const char *begin = reader->text + at, *close = memchr(begin, quote, end - at);
        size_t size = close ? (size_t)(close - begin) : 0;
        reader->mention = at - 1;
        if (size && size <= MOST_NAME_BYTES)
            status = read_string(reader, at - 1, (struct word){begin, size});
        if (close) at += size + 1;
    }
    return status;
}

/* --- names of Java -------------------------------------------------------------------------- */

/* Classes of the same package need no import, so any capitalised name that is a file beside this one is taken
 * for a mention.  Nothing can be cut there. Example: in p/A.java the word `B` means p/B.java,
 * if that is there. */
static pare_status read_siblings(struct reader *reader, size_t at, size_t end)
{
    const pare_project_file *self = &reader->project->files[reader->file];
    pare_status status = PARE_OK;
    while (!status && at < end) {
        size_t to = name_end(reader, at, end);
        if (to > at && reader->text[at] >= 'A' && reader->text[at] <= 'Z') {
            struct path path = {.size = 0};
            add(&path, reader->text + at, to - at);
            add(&path, ".java", strlen(".java"));
            uint32_t found = path.too_long ? PARE_NO_FILE
                                           : pare_project_find(reader->project, reader->file,
                                                               path.text, path.size);
            const pare_project_file *file =
                found == PARE_NO_FILE ? self : &reader->project->files[found];
            bool beside = file->folder_size == self->folder_size &&
                          memcmp(file->path, self->path, self->folder_size) == 0;
            if (file != self && beside) status = need(reader, found, NOTHING, NOTHING);
        }
        at = to > at ? to : at + 1;
    }
    return status;
}

/* --- all ------------------------------------------------------------------------------------ */

/* A module of Python needs the file that makes its folder a package. An __init__.py itself
 * needs that of the folder above, if there is one. */
static pare_status need_package(struct reader *reader)
{
    static const char init[] = "__init__.py";
    const pare_project_file *self = &reader->project->files[reader->file];
    bool own = strcmp(self->path + self->folder_size, init) == 0;
    uint32_t found = pare_project_find(reader->project, reader->file, own ? "../__init__.py" : init,
                                       strlen(init) + (own ? 3 : 0));
    const pare_project_file *file = found == PARE_NO_FILE ? NULL : &reader->project->files[found];
    bool around = file && file->folder_size <= self->folder_size &&
                  memcmp(file->path, self->path, file->folder_size) == 0;
    return around ? need(reader, found, NOTHING, NOTHING) : PARE_OK;
}

/* Goes through the file line by line: first what its language says of the line, then, if that
 * found nothing, its strings, then names of classes of Java. O(bytes), and the look-ups. */
pare_status pare_project_code_read(pare_project *project, uint32_t file, pare_error *err)
{
    const pare_project_file *self = &project->files[file];
    struct reader reader = {.project = project,
                            .file = file,
                            .text = (const char *)project->bytes,
                            .at = self->content.from,
                            .end = self->content.to,
                            .err = err};
    const struct language *language = NULL;
    bool build = pare_project_is_build(self); /* its strings are words like others */
    bool java = self->language && strcmp(self->language, "java") == 0;
    bool python = self->language && strcmp(self->language, "python") == 0;
    for (size_t i = 0; i < sizeof LANGUAGES / sizeof *LANGUAGES; i++)
        if (self->language && strcmp(self->language, LANGUAGES[i].name) == 0)
            language = &LANGUAGES[i];
    pare_status status = python ? need_package(&reader) : PARE_OK;
    while (!status && reader.at < reader.end) {
        size_t end = line_end(&reader, reader.at), before = project->n_mentions;
        /* What the line says is said here; 0 stands for "nowhere". */
        reader.mention = skip_blanks(&reader, reader.at, end);
        if (language) status = language->read(&reader, reader.at, end);
        /* The string of an #include is no second mention. */
        bool strings = !build && project->n_mentions == before;
        if (!status && strings) status = read_strings(&reader, reader.at, end);
        reader.mention = 0;
        if (!status && java) status = read_siblings(&reader, reader.at, end);
        reader.at = end + 1;
    }
    return status;
}
