/* What build files mention: Makefiles, CMake, ninja, compile_commands.json, shell scripts.
 *
 * All of them are words in statements; a form differs in what a statement is, and in what goes
 * with a word: a rule with its only target, a line with the only file that it compiles, an object
 * of JSON with its file, else the word and the blanks before it.  Objects ("a.o") stand for their
 * sources.  Words that begin with a dash are flags, with their value where it is the next word;
 * what rules make are targets, and any other word may be one's use.
 * Nothing is expanded: who lists files by wildcards and variables mentions none.
 * Source: C-Vise's Makefile pass (docs/design/sources.md), which removes targets and arguments. */
#include "reduce/project/project.h"

#include <assert.h>
#include <string.h>

enum form { NO_FORM, MAKE, CMAKE, NINJA, COMMANDS, SHELL };

/* How a build file is called: its name, or the end of it. */
static const struct {
    const char *name;
    enum form form;
} NAMES[] = {{"Makefile", MAKE},
             {"makefile", MAKE},
             {"GNUmakefile", MAKE},
             {".mk", MAKE},
             {"CMakeLists.txt", CMAKE},
             {".cmake", CMAKE},
             {".ninja", NINJA},
             {"compile_commands.json", COMMANDS},
             {".sh", SHELL}};

/* By the name alone: build files have no other sign that all of them share. A name in the table
 * that begins with a point is the end of one, as ".mk" of "rules.mk". */
static enum form form_of(const pare_project_file *file)
{
    const char *name = file->path + file->folder_size;
    size_t size = strlen(name);
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
        size_t own = strlen(NAMES[i].name);
        bool end = NAMES[i].name[0] == '.';
        if (size < own || (!end && size != own)) continue;
        if (memcmp(name + size - own, NAMES[i].name, own) == 0) return NAMES[i].form;
    }
    return NO_FORM;
}

/* Asked also by others, for which files a build is made by. */
bool pare_project_is_build(const pare_project_file *file)
{
    return form_of(file) != NO_FORM;
}

/* --- words ---------------------------------------------------------------------------------- */

/* One file that is read. */
struct reader {
    pare_project *project;
    uint32_t file;
    enum form form;
    const char *text; /* of all files: offsets are those of the project */
    size_t begin, end;
    pare_error *err;
};

/* What the words of a stretch are. */
struct setting {
    pare_project_range whole;    /* goes with a file that is mentioned; empty: only the word does */
    pare_project_unit_kind kind; /* of words that are no flags: TARGET or USE */
    bool sources_only;           /* only sources take `whole` along, others nothing */
};

/* Not the end of a line, at which statements end. */
static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* Bytes of paths, flags and automatic variables ($@).  Not of them are "=" and ":", which end the target of a
 * rule and the name of a variable; flags have them all the same (read_words). */
static bool is_word_byte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           (unsigned char)c >= 0x80 || (c && strchr("_./+-@%~", c));
}

/* The word and what parts it from the one before: blanks, or in JSON quotes and the comma.
 *
 * Examples: of "cc a.c b.c" the cut of "a.c" is " a.c"; at the beginning of a line it is "a.c "
 * with the blanks after it; in JSON, of `"-O2", `, it is the word with its quotes and the
 * comma. */
static pare_project_range cut_of(const struct reader *reader, size_t from, size_t to)
{
    const char *text = reader->text;
    bool quoted = from > reader->begin && to < reader->end && text[from - 1] == text[to] &&
                  (text[to] == '"' || text[to] == '\'');
    if (quoted) {
        from--;
        to++;
    }
    size_t begin = from;
    while (begin > reader->begin && is_blank(text[begin - 1]))
        begin--;
    /* A line that begins with it keeps its indentation, and the blanks after it go. */
    if (begin == reader->begin || text[begin - 1] == '\n' || !is_blank(text[from - 1])) {
        begin = from;
        while (to < reader->end && is_blank(text[to]))
            to++;
    }
    if (quoted && reader->form == COMMANDS && to < reader->end && text[to] == ',') to++;
    return (pare_project_range){begin, to};
}

/* The file that the word names, or the source of the object that it names; PARE_NO_FILE:
 * neither. A file of that very name counts before a source that an object is made of. */
static uint32_t file_of(const struct reader *reader, size_t from, size_t to)
{
    const char *word = reader->text + from;
    uint32_t found = pare_project_find(reader->project, reader->file, word, to - from);
    if (found != PARE_NO_FILE) return found;
    return pare_project_find_source(reader->project, reader->file, word, to - from);
}

/* Whether an object is made of it, and not what it includes. */
static bool is_source(const struct reader *reader, uint32_t file)
{
    const char *dot = strrchr(reader->project->files[file].path, '.');
    return dot && dot[1] != 'h' && dot[1] != 'H';
}

/* A word that is no flag: the mention of a file, or a unit.  A header in a line that compiles is neither
 * (sources_only): without it the line is still needed.  A target without a whole has several of them
 * before its colon, and so no rule that could go with it.
 *
 * Three things may come of it: the mention of a file, with what goes with that; a unit, which
 * is a target or the use of one; or nothing. */
static pare_status read_plain(const struct reader *reader, size_t from, size_t to,
                              const struct setting *setting)
{
    uint32_t found = file_of(reader, from, to);
    pare_project_range cut = cut_of(reader, from, to), name = {from, to};
    bool whole = setting->whole.from < setting->whole.to;
    /* The rule, the line or the object of JSON goes with the file. */
    if (found != PARE_NO_FILE && whole && (!setting->sources_only || is_source(reader, found)))
        cut = setting->whole;
    else if (found != PARE_NO_FILE && whole)
        return PARE_OK;
    const pare_mention mention = {.from = reader->file,
                                  .to = found,
                                  .kind = PARE_MENTION_LIST,
                                  .word = name,
                                  .cut = cut,
                                  .open = "",
                                  .close = ""};
    if (found != PARE_NO_FILE && found != reader->file)
        return pare_project_add_mention(reader->project, &mention, reader->err);
    if (setting->kind == PARE_PROJECT_TARGET) cut = setting->whole;
    if (cut.from == cut.to) return PARE_OK;
    return pare_project_add_unit(reader->project, setting->kind, name, cut, reader->err);
}

/* Whether the value of a flag is the next word. "-Idir" has its value in the same word, and is
 * none of these. */
static bool has_value(const char *flag, size_t size)
{
    static const char *const flags[] = {"-I", "-D", "-U",       "-L",       "-l",  "-o",  "-x",
                                        "-T", "-u", "-include", "-isystem", "-MF", "-MT", "-MQ"};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (strlen(flags[i]) == size && memcmp(flags[i], flag, size) == 0) return true;
    return false;
}

/* A flag, from .. *to-1; *to moves after its value if it has one.  A dash alone is none: it is standard
 * input, or the mark of a line that may fail. Example: of "-I include a.c" flag and value are
 * "-I include". */
static pare_status read_flag(const struct reader *reader, size_t from, size_t *to, size_t end)
{
    pare_project_range name = {from, *to}, cut = cut_of(reader, from, *to);
    if (*to - from < 2) return PARE_OK;
    if (has_value(reader->text + from, *to - from)) {
        size_t value = *to;
        /* In JSON quotes and a comma stand between the two. */
        while (value < end && memchr(" \t\",", reader->text[value], 4))
            value++;
        size_t after = value;
        while (after < end && (is_word_byte(reader->text[after]) || reader->text[after] == '='))
            after++;
        if (after > value) {
            cut.to = cut_of(reader, value, after).to;
            name.to = *to = after;
        }
    }
    return pare_project_add_unit(reader->project, PARE_PROJECT_FLAG, name, cut, reader->err);
}

/* All words of a stretch, as what `setting` says they are.  Names of variables are passed over: what they
 * stand for is not known here. A flag may also have the signs of a value in it: -DA=f(1). */
static pare_status read_words(const struct reader *reader, size_t at, size_t end,
                              const struct setting *setting)
{
    pare_status status = PARE_OK;
    const char *text = reader->text;
    while (!status && at < end) {
        size_t to = at;
        bool flag = text[at] == '-';
        while (to < end && (is_word_byte(text[to]) || (flag && strchr("=,:()", text[to]) &&
                                                       text[to] && reader->form != COMMANDS)))
            to++;
        if (to == at) {
            at++;
        } else if (at > reader->begin && text[at - 1] == '$') { /* $@, or a variable */
            at = to;
        } else {
            status = flag ? read_flag(reader, at, &to, end) : read_plain(reader, at, to, setting);
            at = to;
        }
    }
    return status;
}

/* --- lines ---------------------------------------------------------------------------------- */

/* The end of the line at `at`, with its line end; continued lines are one. A line is continued
 * by a backslash at its end, in ninja by a dollar. */
static size_t next_line(const struct reader *reader, size_t at)
{
    for (;;) {
        const char *found = memchr(reader->text + at, '\n', reader->end - at);
        if (!found) return reader->end;
        size_t next = (size_t)(found + 1 - reader->text);
        size_t last = next - 1;
        if (last == at || reader->text[last - 1] != (reader->form == NINJA ? '$' : '\\'))
            return next;
        at = next;
        if (at == reader->end) return at;
    }
}

/* Whether a line of a recipe compiles one file to an object: it goes with the file. By "-c" as
 * a word of its own. */
static bool compiles(const struct reader *reader, size_t at, size_t end)
{
    /* The first byte of a line has no blank before it. */
    for (at++; at + 3 < end; at++)
        if (reader->text[at] == '-' && reader->text[at + 1] == 'c' &&
            is_blank(reader->text[at - 1]) && is_blank(reader->text[at + 2]))
            return true;
    return false;
}

/* A line of commands.  One that compiles goes whole with its source, since without it the compiler would say
 * that there are no input files. */
static pare_status read_command(const struct reader *reader, size_t at, size_t end)
{
    struct setting setting = {.kind = PARE_PROJECT_USE};
    if (compiles(reader, at, end)) {
        setting.whole = (pare_project_range){at, end};
        setting.sources_only = true;
    }
    return read_words(reader, at, end, &setting);
}

/* The colon of a rule; `end`: the line is none, but an assignment (A = b:c, A := b) or
 * something else. Example: the colon of "a.o: a.c"; "A := b" and "A = b:c" have none. */
static size_t colon_of(const struct reader *reader, size_t at, size_t end)
{
    for (size_t i = at; i < end; i++) {
        if (reader->text[i] == '=') return end;
        if (reader->text[i] == ':') return i + 1 < end && reader->text[i + 1] == '=' ? end : i;
    }
    return end;
}

/* Whether the line belongs to the rule before it. */
static bool is_recipe(const struct reader *reader, size_t at)
{
    char first = reader->text[at];
    return first == '\t' || (reader->form == NINJA && first == ' ');
}

/* How many words stand there. */
static size_t count_words(const struct reader *reader, size_t at, size_t end)
{
    size_t n = 0;
    for (bool in = false; at < end; at++) {
        bool word = !is_blank(reader->text[at]);
        n += word && !in;
        in = word;
    }
    return n;
}

/* A rule: targets, what they are made of, and the lines of its recipe, which *next is moved after.  It goes
 * whole with its target, if it has only one; a special target (.PHONY) makes nothing, and lists others.
 *
 * Example: "a.o: a.c a.h" with the line "\tcc -c a.c" is the target a.o, the words a.c and a.h,
 * and a line that compiles a.c. *next is the end of the first line when it is called. */
static pare_status read_rule(const struct reader *reader, size_t at, size_t colon, size_t *next)
{
    size_t targets = at, after = *next;
    if (reader->form == NINJA) targets += strlen("build ");
    while (after < reader->end && is_recipe(reader, after))
        after = next_line(reader, after);
    struct setting made = {.kind = PARE_PROJECT_TARGET};
    bool special = reader->text[targets] == '.';
    if (!special && count_words(reader, targets, colon) == 1)
        made.whole = (pare_project_range){at, after};
    static const struct setting listed = {.kind = PARE_PROJECT_USE};
    pare_status status = read_words(reader, targets, colon, special ? &listed : &made);
    if (!status) status = read_words(reader, colon + 1, *next, &listed);
    for (size_t line = *next; !status && line < after; line = *next) {
        *next = next_line(reader, line);
        status = read_command(reader, line, *next);
    }
    *next = after;
    return status;
}

/* include NAME of make: the other file's text can stand there. */
static pare_status read_include(const struct reader *reader, size_t at, size_t end)
{
    size_t from = at + strlen("include"), to;
    while (from < end && is_blank(reader->text[from]))
        from++;
    for (to = from; to < end && is_word_byte(reader->text[to]);)
        to++;
    const pare_mention mention = {
        .from = reader->file,
        .to = pare_project_find(reader->project, reader->file, reader->text + from, to - from),
        .kind = PARE_MENTION_NEED,
        .cut = {at, end},
        .place = {at, end},
        .open = "",
        .close = ""};
    return pare_project_add_mention(reader->project, &mention, reader->err);
}

/* Makefiles and ninja: rules, includes, and lines of words (assignments, mostly). */
static pare_status read_rules(const struct reader *reader)
{
    static const struct setting listed = {.kind = PARE_PROJECT_USE};
    pare_status status = PARE_OK;
    size_t next;
    for (size_t at = reader->begin; !status && at < reader->end; at = next) {
        next = next_line(reader, at);
        size_t colon = colon_of(reader, at, next);
        bool rule = colon < next && !is_recipe(reader, at) && reader->text[at] != '#';
        if (reader->form == NINJA)
            rule = rule && next - at > 6 && memcmp(reader->text + at, "build ", 6) == 0;
        if (rule)
            status = read_rule(reader, at, colon, &next);
        else if (next - at > 8 && memcmp(reader->text + at, "include ", 8) == 0)
            status = read_include(reader, at, next);
        else if (reader->text[at] != '#')
            status = read_words(reader, at, next, &listed);
    }
    return status;
}

/* Each line is a command; a comment may mention what it likes. */
static pare_status read_shell(const struct reader *reader)
{
    pare_status status = PARE_OK;
    size_t next;
    for (size_t at = reader->begin; !status && at < reader->end; at = next) {
        next = next_line(reader, at);
        if (reader->text[at] != '#') status = read_command(reader, at, next);
    }
    return status;
}

/* --- CMake ---------------------------------------------------------------------------------- */

/* One command: its name, and what is between its parentheses. */
struct command {
    pare_project_range name, inside, whole;
};

/* The next command at or after `at`; false: there is none.  Parentheses in strings and comments are counted
 * too: a command that is read too long costs a test. Example: of "add_library(x a.c)" the name,
 * "x a.c", and the whole with the line end. */
static bool next_command(const struct reader *reader, size_t at, struct command *command)
{
    const char *open = memchr(reader->text + at, '(', reader->end - at);
    if (!open) return false;
    size_t paren = (size_t)(open - reader->text), name_end = paren, depth = 0, end = paren;
    while (name_end > at && is_blank(reader->text[name_end - 1]))
        name_end--;
    size_t name = name_end;
    while (name > at && is_word_byte(reader->text[name - 1]))
        name--;
    /* Parentheses may be nested, so they are counted. */
    for (; end < reader->end; end++) {
        depth += reader->text[end] == '(';
        if (reader->text[end] == ')' && --depth == 0) break;
    }
    size_t after = end < reader->end ? end + 1 : end;
    if (after < reader->end && reader->text[after] == '\n') after++;
    *command = (struct command){
        .name = {name, name_end}, .inside = {paren + 1, end}, .whole = {name, after}};
    return true;
}

/* Whether the command's name begins so. */
static bool begins(const struct reader *reader, const struct command *command, const char *name)
{
    size_t size = strlen(name);
    return command->name.to - command->name.from >= size &&
           memcmp(reader->text + command->name.from, name, size) == 0;
}

/* The first word between the parentheses. */
static pare_project_range first_word(const struct reader *reader, const struct command *command)
{
    size_t from = command->inside.from, to;
    while (from < command->inside.to && !is_word_byte(reader->text[from]))
        from++;
    for (to = from; to < command->inside.to && is_word_byte(reader->text[to]);)
        to++;
    return (pare_project_range){from, to};
}

/* add_subdirectory(NAME): the folder's own file. Too long a name mentions nothing. */
static pare_status read_folder(const struct reader *reader, const struct command *command,
                               pare_project_range word)
{
    static const char own[] = "/CMakeLists.txt";
    char path[256];
    size_t size = word.to - word.from;
    if (size + strlen(own) > sizeof path) return PARE_OK;
    memcpy(path, reader->text + word.from, size);
    memcpy(path + size, own, strlen(own));
    const pare_mention mention = {
        .from = reader->file,
        .to = pare_project_find(reader->project, reader->file, path, size + strlen(own)),
        .kind = PARE_MENTION_LIST,
        .word = word,
        .cut = command->whole,
        .open = "",
        .close = ""};
    return pare_project_add_mention(reader->project, &mention, reader->err);
}

/* The words of a command after the first, which names a target.  A target that is made of a single file goes
 * with it: add_library(NAME) without sources is an error. `word` is the first word. A command
 * with more files keeps its other ones if one goes. */
static pare_status read_rest(const struct reader *reader, const struct command *command,
                             pare_project_range word)
{
    struct setting setting = {.kind = PARE_PROJECT_USE};
    size_t n_words = 0;
    for (size_t i = word.to; i < command->inside.to; i++)
        n_words += is_word_byte(reader->text[i]) && !is_word_byte(reader->text[i - 1]);
    if (begins(reader, command, "add_") && n_words == 1) setting.whole = command->whole;
    return read_words(reader, word.to, command->inside.to, &setting);
}

/* Commands that make a target, that are about one (both go with it), that lead to a folder, and all others,
 * whose words may be files and targets. Each round goes on behind the command that was read, so
 * it ends. */
static pare_status read_cmake(const struct reader *reader)
{
    static const struct setting listed = {.kind = PARE_PROJECT_USE};
    pare_status status = PARE_OK;
    struct command command;
    size_t at = reader->begin;
    for (; !status && at < reader->end && next_command(reader, at, &command);
         at = command.whole.to) {
        pare_project_range word = first_word(reader, &command);
        bool made =
            begins(reader, &command, "add_executable") || begins(reader, &command, "add_library");
        bool about = begins(reader, &command, "target_") || begins(reader, &command, "set_target");
        if (begins(reader, &command, "add_subdirectory")) {
            status = read_folder(reader, &command, word);
        } else if ((made || about) && word.from < word.to) {
            status = pare_project_add_unit(reader->project,
                                           made ? PARE_PROJECT_TARGET : PARE_PROJECT_USE, word,
                                           command.whole, reader->err);
            if (!status) status = read_rest(reader, &command, word);
        } else {
            status = read_words(reader, command.inside.from, command.inside.to, &listed);
        }
        assert(command.whole.to > at);
    }
    return status;
}

/* --- compile_commands.json ---------------------------------------------------------------- */

/* Objects without others in them; each goes whole with its source, and with the comma after it, or, the
 * last one, with that before it.  A brace in a string ends the object early, and costs a test.
 * Only a source takes its object along: the folder and other files in it are mentioned too. */
static pare_status read_commands(const struct reader *reader)
{
    pare_status status = PARE_OK;
    const char *text = reader->text;
    for (size_t at = reader->begin; !status && at < reader->end;) {
        const char *open = memchr(text + at, '{', reader->end - at);
        const char *close = open ? memchr(open, '}', reader->end - (size_t)(open - text)) : NULL;
        if (!close) return PARE_OK;
        size_t from = (size_t)(open - text), to = (size_t)(close + 1 - text), comma = to;
        while (comma < reader->end && (is_blank(text[comma]) || text[comma] == '\n'))
            comma++;
        bool last = comma == reader->end || text[comma] != ',';
        size_t begin = from;
        while (last && begin > reader->begin && memchr(" \t\r\n,", text[begin - 1], 5))
            begin--;
        const struct setting setting = {.whole = {begin, last ? to : comma + 1},
                                        .kind = PARE_PROJECT_USE,
                                        .sources_only = true};
        status = read_words(reader, from, to, &setting);
        at = to;
    }
    return status;
}

/* --- all ------------------------------------------------------------------------------------ */

/* A file of no such form is left alone. */
pare_status pare_project_build_read(pare_project *project, uint32_t file, pare_error *err)
{
    const pare_project_file *self = &project->files[file];
    const struct reader reader = {.project = project,
                                  .file = file,
                                  .form = form_of(self),
                                  .text = (const char *)project->bytes,
                                  .begin = self->content.from,
                                  .end = self->content.to,
                                  .err = err};
    switch (reader.form) {
    case MAKE:
    case NINJA: return read_rules(&reader);
    case CMAKE: return read_cmake(&reader);
    case COMMANDS: return read_commands(&reader);
    case SHELL: return read_shell(&reader);
    case NO_FORM: break;
    }
    return PARE_OK;
}
