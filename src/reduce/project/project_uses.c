/* What a mention makes known, and where that is used: both go with the file that is mentioned.
 *
 * `const a = require('./a')` without the file fails, and so does `a.f()` without the first line; none
 * of the three can go by itself.  The names are read off the words of the statement: an identifier
 * that is no keyword and that no dot follows, and the end of a path in Go.  A use in a list goes with
 * its comma; any other with its statement, which is a line, or the lines up to the bracket that closes
 * what the line opens.  Python gets a `pass` in its place, since a block must not be empty.
 * Strings and comments are not told apart: a word there is taken for a use, and the test says so.
 * Invariant: what is cut is balanced in its brackets, so that what stands around it stays whole.
 * Source: ours, after coherent deletion (DRReduce), by lines in place of trees. */
#include "base/buffer.h"
#include "reduce/project/project.h"
#include "reduce/project/project_edits.h"
#include "reduce/project/project_passes.h"

#include <string.h>

enum { MOST_NAMES = 16, MOST_STATEMENT = 4096 };

/* Names that a mention makes known. */
struct names {
    pare_project_range at[MOST_NAMES];
    size_t n;
};

/* A file in which uses are looked for. */
struct user {
    const pare_project *project;
    const char *text; /* of all files */
    pare_project_range content;
    bool python;
};

/* Of identifiers in the languages of is_known, and of no others: a path is no word here. */
static bool is_word_byte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '$' || (unsigned char)c >= 0x80;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* Whether names of imports can be read off their statements.  Not in C: an #include does not say what it
 * makes known. */
static bool is_known(const char *language)
{
    static const char *const known[] = {"javascript", "typescript", "tsx",  "python",
                                        "go",         "rust",       "java", "lua"};
    for (size_t i = 0; language && i < sizeof known / sizeof *known; i++)
        if (strcmp(language, known[i]) == 0) return true;
    return false;
}

/* Words of import statements that name nothing. */
static bool is_keyword(const char *word, size_t size)
{
    static const char *const words[] = {"import", "from", "as",  "const",  "let",  "var", "require",
                                        "local",  "mod",  "pub", "static", "type", "use", "export"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i]) == size && memcmp(words[i], word, size) == 0) return true;
    return false;
}

/* The end of the word at `at`. */
static size_t word_end(const struct user *user, size_t at, size_t end)
{
    while (at < end && is_word_byte(user->text[at]))
        at++;
    return at;
}

/* More than MOST_NAMES are left out: their uses stay, and the test says whether that may be. */
static void add_name(struct names *names, size_t from, size_t to)
{
    if (names->n < MOST_NAMES && from < to) names->at[names->n++] = (pare_project_range){from, to};
}

/* The end of the string that opens at `at`, after its quote. */
static size_t string_end(const struct user *user, size_t at, size_t end)
{
    const char *close = memchr(user->text + at + 1, user->text[at], end - at - 1);
    return close ? (size_t)(close + 1 - user->text) : end;
}

/* The names that the statement `cut` makes known.  In Go a path's last part is the package's name. */
static void list_names(const struct user *user, pare_project_range cut, bool go,
                       struct names *names)
{
    for (size_t at = cut.from, to; at < cut.to; at = to) {
        char c = user->text[at];
        to = at + 1;
        if (c == '"' || c == '\'' || c == '`') {
            to = string_end(user, at, cut.to);
            size_t from = to > at + 1 ? to - 1 : to;
            while (go && from > at + 1 && is_word_byte(user->text[from - 1]))
                from--;
            if (go) add_name(names, from, to - 1);
            continue;
        }
        if (!is_word_byte(c)) continue;
        to = word_end(user, at, cut.to);
        bool dotted = to < cut.to && user->text[to] == '.';
        if (!dotted && !is_keyword(user->text + at, to - at)) add_name(names, at, to);
    }
}

/* The end of what is done with the name that ends at `at`: members, calls and indices; 0: it is not
 * balanced, or too long. */
static size_t use_end(const struct user *user, size_t at)
{
    size_t depth = 0;
    const size_t begin = at;
    for (; at < user->content.to; at++) {
        if (at - begin > MOST_STATEMENT) return 0;
        char c = user->text[at];
        bool opens = c == '(' || c == '[', closes = c == ')' || c == ']';
        if (!depth && !opens && !is_word_byte(c) && c != '.' && c != ':') return at;
        if (closes && !depth) return at;
        depth += opens;
        depth -= closes;
    }
    return depth ? 0 : at;
}

/* Sets *cut to the use at from .. to-1 and one comma beside it, if it is an element of a list; false: it is
 * none.  Of the first element the comma after it goes, of the others too, but of the last that before it. */
static bool find_element(const struct user *user, size_t from, size_t to, pare_project_range *cut)
{
    size_t before = from, after = use_end(user, to);
    while (before > user->content.from &&
           (is_blank(user->text[before - 1]) || user->text[before - 1] == '\n'))
        before--;
    while (after && after < user->content.to &&
           (is_blank(user->text[after]) || user->text[after] == '\n'))
        after++;
    if (!after || before == user->content.from || after + 1 >= user->content.to) return false;
    char open = user->text[before - 1], close = user->text[after];
    if (!strchr("([{,", open) || !strchr(")]},", close)) return false;
    bool blank = close == ',' && is_blank(user->text[after + 1]);
    if (close == ',')
        *cut = (pare_project_range){from, after + 1 + blank};
    else
        *cut = (pare_project_range){open == ',' ? before - 1 : before, after};
    return true;
}

/* The whole lines around the use whose brackets are closed; false: there are none, or they are too long:
 * files that tools have written may have millions of uses in a single line. */
static bool find_lines(const struct user *user, size_t from, pare_project_range *cut)
{
    const size_t before = from - user->content.from;
    const size_t look = before < MOST_STATEMENT ? before : MOST_STATEMENT;
    const char *line_end = memrchr(user->text + from - look, '\n', look);
    if (!line_end && look < before) return false;
    const size_t begin = line_end ? (size_t)(line_end + 1 - user->text) : from - look;
    size_t depth = 0, at;
    for (at = begin; at < user->content.to; at++) {
        char c = user->text[at];
        if (c == '\n' && !depth) break;
        if (c && strchr("([{", c)) depth++;
        if (c && strchr(")]}", c)) {
            if (!depth) return false;
            depth--;
        }
        if (at - begin > MOST_STATEMENT) return false;
    }
    *cut = (pare_project_range){begin, at < user->content.to ? at + 1 : at};
    return !depth;
}

/* Cuts lines; in Python a `pass` stays at their indentation. */
static pare_status cut_lines(const struct user *user, pare_project_range lines,
                             pare_project_edits *edits, pare_error *err)
{
    size_t at = edits->literals.size, from = lines.from, end = lines.to;
    pare_status status = PARE_OK;
    if (!user->python) return pare_project_edits_cut(edits, lines, err);
    while (from < end && is_blank(user->text[from]))
        from++;
    if (end > from && user->text[end - 1] == '\n') end--;
    /* What begins a block needs one that is like it. */
    bool block = end > from && user->text[end - 1] == ':';
    if (!block && from == lines.from) return pare_project_edits_cut(edits, lines, err);
    status = pare_buffer_text(&edits->literals, block ? "if 1:" : "pass", err);
    return status ? status
                  : pare_project_edits_add(edits, (pare_project_range){from, end}, at, err);
}

/* Cuts the use of a name. */
static pare_status cut_use(const struct user *user, size_t from, size_t to,
                           pare_project_edits *edits, pare_error *err)
{
    pare_project_range cut;
    if (find_element(user, from, to, &cut)) return pare_project_edits_cut(edits, cut, err);
    if (find_lines(user, from, &cut)) return cut_lines(user, cut, edits, err);
    return PARE_OK;
}

/* Whether one of the names stands at from .. to-1.  They are at most MOST_NAMES. */
static bool is_named(const struct user *user, const struct names *names, size_t from, size_t to)
{
    for (size_t i = 0; i < names->n; i++) {
        pare_project_range name = names->at[i];
        if (name.to - name.from == to - from &&
            memcmp(user->text + name.from, user->text + from, to - from) == 0)
            return true;
    }
    return false;
}

/* Goes once through the file, for each mention: O(bytes * names), after which a use that is found costs at
 * most MOST_STATEMENT bytes more. */
pare_status pare_project_uses_cut(const pare_project *project, const pare_mention *mention,
                                  pare_project_edits *edits, pare_error *err)
{
    const pare_project_file *file = &project->files[mention->from];
    struct user user = {.project = project,
                        .text = (const char *)project->bytes,
                        .content = file->content,
                        .python = file->language && strcmp(file->language, "python") == 0};
    struct names names = {.n = 0};
    pare_status status = PARE_OK;
    if (mention->kind != PARE_MENTION_NEED || mention->cut.from >= mention->cut.to || file->fixed ||
        !is_known(file->language))
        return PARE_OK;
    list_names(&user, mention->cut, strcmp(file->language, "go") == 0, &names);
    for (size_t at = user.content.from, to; !status && names.n && at < user.content.to; at = to) {
        to = at + 1;
        if (!is_word_byte(user.text[at])) continue;
        to = word_end(&user, at, user.content.to);
        bool inside = at >= mention->cut.from && at < mention->cut.to;
        bool member = at > user.content.from && user.text[at - 1] == '.';
        if (!inside && !member && is_named(&user, &names, at, to))
            status = cut_use(&user, at, to, edits, err);
    }
    return status;
}
