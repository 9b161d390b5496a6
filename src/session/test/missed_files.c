/* What a program missed in the private directory, found in what it printed.
 *
 * Tests run where nothing lies but the candidate.  A header, a module or a data file beside the
 * input is not found there, and the program says so, in one of a few phrases that shells, libraries,
 * compilers and interpreters share.  A word of such a line that may be a name is looked for in the
 * folders that the command names by a relative path, in that of the input, and in the user's; the
 * first that is there is what was meant.  Nothing is run, read or copied for it: folders can be
 * reduced as they are, so the command that does that is the answer. */
#include "session/test/missed_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "os/file.h"
#include "run/command.h"
#include "session/read_input.h"

/* Whether a line says that something is missing, in one of the phrases that shells,
 * libraries, compilers and interpreters have for it.  In English: programs are asked
 * for English messages (message_locale.h). */
static bool says_missing(const char *line)
{
    static const char *const phrases[] = {
        "not found",        "no such file",   "can't open",        "cannot open",
        "could not open",   "couldn't open",  "unable to open",    "failed to open",
        "failed opening",   "cannot find",    "can't find",        "cannot access",
        "not exist",        "cannot execute", "permission denied", "no module named",
        "cannot load such", "can't locate",   "cannot load",       "could not read",
        "couldn't read",    "failed to load", "could not load",    "cannot read",
        "can't read",       "could not find", "couldn't find",     "can't cd to"};
    /* What cannot be written need not be there. */
    if (strcasestr(line, "to write") || strcasestr(line, "for writing")) return false;
    for (size_t k = 0; k < sizeof phrases / sizeof *phrases; k++)
        if (strcasestr(line, phrases[k])) return true;
    return false;
}

/* Whether a line of `printed` that says that something is missing names `name`. */
bool pare_missed_files_include(const char *printed, const char *name)
{
    /* Line by line, since the name and the phrase have to stand in one sentence. */
    for (const char *line = printed; *line;) {
        size_t size = strcspn(line, "\n");
        char *copy = pare_alloc_text(line, size);
        bool names = copy && says_missing(copy) && strstr(copy, name);
        pare_alloc_free(copy);
        if (names) return true;
        line += size + (line[size] == '\n');
    }
    return false;
}

/* ---- what is missed, and where it lies ---------------------------------------------- */

/* Whether `folder` holds `word`: as it is, as a module of the input's language
 * ("helper" is helper.py), or as one with dots for its folders ("pkg.util" is pkg/util
 * or pkg/util.py). */
static bool holds(const char *folder, const char *word, const char *extension)
{
    char path[PATH_MAX], dotted[PARE_MISSED_FILES_WORD_BYTES];
    (void)snprintf(path, sizeof path, "%s/%s", folder, word);
    if (pare_file_exists(path)) return true;
    (void)snprintf(path, sizeof path, "%s/%s%s", folder, word, extension);
    if (*extension && pare_file_is_regular(path)) return true;
    (void)snprintf(dotted, sizeof dotted, "%s", word);
    for (char *dot = dotted; (dot = strchr(dot, '.')) != NULL;)
        *dot = '/';
    (void)snprintf(path, sizeof path, "%s/%s", folder, dotted);
    if (pare_file_exists(path)) return true;
    (void)snprintf(path, sizeof path, "%s/%s%s", folder, dotted, extension);
    return *extension && pare_file_is_regular(path);
}

/* Looks for what was missed in the folders that the command names by a relative path:
 * "-Iinclude", "--root=src", "data".  If one holds it, missed->part and missed->whole
 * are that part of the word and what it has to be. */
static bool find_in_words(pare_missed_file *missed, const pare_test_options *test)
{
    char whole[PATH_MAX - 2];
    for (size_t k = 0; k < test->n_program; k++) {
        pare_command_part part = pare_command_next_part(test->program[k]);
        for (; part.size; part = pare_command_next_part(part.start + part.size)) {
            if (part.size >= sizeof missed->part) continue;
            memcpy(missed->part, part.start, part.size);
            missed->part[part.size] = '\0';
            /* A letter of an option may stand before the path. */
            const size_t before = *missed->part == '-' && part.size > 2 ? 2 : 0;
            const char *folder = missed->part + before;
            /* "." by itself is where the program runs, which the folder's command changes. */
            if (!before && !folder[strspn(folder, "./")]) continue;
            if (*folder == '/' || !realpath(folder, whole)) continue;
            if (!holds(folder, missed->word, "")) continue;
            (void)snprintf(missed->whole, sizeof missed->whole, "%.*s%s", (int)before, missed->part,
                           whole);
            return true;
        }
    }
    *missed->part = '\0';
    return false;
}

/* Whether a word in front of `at` says that a name follows: "package util does not
 * exist" names util, which looks like no path. */
static bool is_announced(const char *line, size_t at)
{
    static const char *const kinds[] = {"package ", "module ", "unit ", "class ", "cd to "};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        const size_t size = strlen(kinds[k]);
        if (at >= size && strncasecmp(line + at - size, kinds[k], size) == 0) return true;
    }
    return false;
}

/* Whether the word at `at` of a line, `size` long, may be a name, and not a word of the sentence: it is
 * quoted or announced, looks like a path, or has a colon behind it, as perror(3) writes one. */
static bool may_be_name(const char *line, size_t at, size_t size)
{
    const char behind = line[at + size];
    if (at > 0 && strchr("'\"`", line[at - 1]) && behind && strchr("'\"`", behind)) return true;
    if (is_announced(line, at)) return true;
    return memchr(line + at, '.', size) || memchr(line + at, '/', size) || behind == ':' ||
           (unsigned char)line[at] >= 0x80;
}

/* Takes one word of a line that says that something is missing; false: it names nothing
 * that is there.  Quotes, "./" and the private directory's path are cut off before it
 * is looked for. */
static bool take_word(pare_missed_file *missed, const pare_test_options *test, const char *start,
                      size_t size)
{
    /* The end of a sentence. */
    while (size && start[size - 1] == '.')
        size--;
    if (!size || size >= sizeof missed->word) return false;
    memcpy(missed->word, start, size);
    missed->word[size] = '\0';
    /* Curly quotes are bytes beyond ASCII, and no part of a name. */
    static const char open[] = "\xe2\x80\x98", shut[] = "\xe2\x80\x99";
    char *name = missed->word;
    if (strncmp(name, open, strlen(open)) == 0) name += strlen(open);
    char *end = strstr(name, shut);
    if (end) *end = '\0';
    /* A path into the private directory is that of something beside the candidate. */
    if (*name == '/') name = (char *)pare_file_base_name(name);
    if (strncmp(name, "./", 2) == 0) name += 2;
    memmove(missed->word, name, strlen(name) + 1);
    if (!missed->word[strspn(missed->word, "./-")]) return false;
    if (strcmp(pare_file_base_name(missed->word), missed->input) == 0) return false;
    /* Messages begin with the name of the program, which may lie here, too. */
    if (strcmp(missed->word, pare_file_base_name(test->program[0])) == 0) return false;
    if (find_in_words(missed, test)) return true;
    missed->is_beside = holds(missed->folder, missed->word, missed->extension);
    missed->is_here = holds(".", missed->word, missed->extension);
    return missed->is_beside || missed->is_here;
}

/* Looks through the output, line by line and word by word, for the name of a file that exists
 * beside the input. */
static bool look_through(pare_missed_file *missed, const pare_test_options *test,
                         const char *printed)
{
    bool is_found = false;
    for (const char *text = printed; *text && !is_found;) {
        const size_t size = strcspn(text, "\n");
        char *line = pare_alloc_text(text, size);
        const bool says = line && says_missing(line);
        for (size_t at = 0, end; says && at < size && !is_found; at = end + 1) {
            end = at;
            while (pare_command_is_path_character(line[end]))
                end++;
            if (end > at && may_be_name(line, at, end - at))
                is_found = take_word(missed, test, line + at, end - at);
        }
        pare_alloc_free(line);
        text += size + (text[size] == '\n');
    }
    return is_found;
}

/* With folders, several inputs and texts made by a program, nothing lies beside the candidate that
 * could be missed. */
bool pare_missed_files_find(pare_missed_file *missed, const pare_input_options *input,
                            const pare_test_options *test, const char *printed)
{
    struct stat about;
    *missed = (pare_missed_file){.input = pare_read_input_base_name(input), .folder = "."};
    if (!input->path || input->n_paths || stat(input->path, &about) || !S_ISREG(about.st_mode))
        return false;
    const char *dot = strrchr(missed->input, '.');
    missed->extension = dot ? dot : "";
    const char *slash = strrchr(input->path, '/');
    if (slash)
        (void)snprintf(missed->folder, sizeof missed->folder, "%.*s",
                       slash == input->path ? 1 : (int)(slash - input->path), input->path);
    return look_through(missed, test, printed);
}

/* ---- what a command runs ---------------------------------------------------------- */

enum {
    TOOL_WORDS = 8,       /* of a command, that are looked at */
    TOOL_FILES = 3,       /* that a tool looks for */
    TOOL_LEVELS = 16,     /* of folders above the input */
    PYTEST_FOUND_NONE = 5 /* exit code of pytest */
};

/* A program that takes no file as an argument but reads one in the folder where it
 * runs, such as make(1) its Makefile. */
struct tool {
    const char *name;
    const char *files[TOOL_FILES]; /* one of which it reads; none: any */
};

static const struct tool tools[] = {
    {"make", {"GNUmakefile", "makefile", "Makefile"}},
    {"gmake", {"GNUmakefile", "makefile", "Makefile"}},
    {"ninja", {"build.ninja"}},
    {"cmake", {"CMakeLists.txt"}},
    {"ctest", {"CMakeLists.txt"}},
    {"cargo", {"Cargo.toml"}},
    {"go", {"go.mod"}},
    {"npm", {"package.json"}},
    {"yarn", {"package.json"}},
    {"pnpm", {"package.json"}},
    {"mvn", {"pom.xml"}},
    {"gradle", {"build.gradle", "build.gradle.kts"}},
    {"rake", {"Rakefile"}},
    {"dune", {"dune-project"}},
    {"scons", {"SConstruct"}},
    {"pytest", {NULL}},
    {"npx", {"package.json", "node_modules/.package-lock.json"}},
    {"bunx", {"package.json", "node_modules/.package-lock.json"}},
};

/* Whether the tool runs a program that is installed in the folder, to which the input may be given.  Without the
 * folder it would ask the network. */
static bool runs_installed(const struct tool *tool)
{
    return strcmp(tool->name, "npx") == 0 || strcmp(tool->name, "bunx") == 0;
}

/* The first words of a command, that of its program first. */
struct tool_words {
    char text[PARE_MISSED_FILES_WORD_BYTES];
    const char *word[TOOL_WORDS];
    size_t n;
    const char *line; /* of a command line: what is left of it behind a "cd /DIR &&"; else NULL */
    char moved[PARE_MISSED_FILES_WORD_BYTES]; /* the directory of a "cd DIR &&" in front; or "" */
};

/* Whether env(1) would take `word` for its own: an option, or a variable to be set.
 * '=' behind a slash is a part of a path. */
static bool is_of_env(const char *word)
{
    return *word == '-' || memchr(word, '=', strcspn(word, "/"));
}

/* Looks for a "cd DIR &&" at the start of the command line `at`, and keeps DIR; gives
 * what is behind it, or `at` where there is none. */
static const char *skip_cd(const char *at, struct tool_words *cut)
{
    const char *dir = strncmp(at, "cd ", 3) == 0 ? at + 3 + strspn(at + 3, " '\"") : NULL;
    const size_t size = dir ? strcspn(dir, " '\";&|") : 0;
    const char *end = dir ? dir + size + strspn(dir + size, " '\"") : NULL;
    if (!size || size >= sizeof cut->moved || !strchr(";&", *end)) return at;
    memcpy(cut->moved, dir, size);
    cut->moved[size] = '\0';
    return end + strspn(end, ";& \t");
}

/* Takes one word more of the command into the words: of "env A=1 python3 -m pytest x"
 * they are "pytest" and "x".  False: there is no room for it, or it is empty. */
static bool take_tool_word(struct tool_words *cut, size_t *used, const char *start, size_t size,
                           bool *is_env)
{
    if (!size || *used + size >= sizeof cut->text || cut->n == TOOL_WORDS) return false;
    char *word = cut->text + *used;
    memcpy(word, start, size);
    word[size] = '\0';
    *used += size + 1;
    if (!cut->n && strcmp(pare_file_base_name(word), "env") == 0) {
        *is_env = true;
        return true;
    }
    if (!cut->n && *is_env && is_of_env(word)) return true;
    cut->word[cut->n++] = word;
    /* "python3 -m NAME" runs NAME. */
    if (cut->n == 2 && strcmp(word, "-m") == 0 &&
        strncmp(pare_file_base_name(cut->word[0]), "python", strlen("python")) == 0)
        cut->n = 0;
    return true;
}

/* Cuts the command into words: those of the user, or of a command line those of its
 * first command, to which variables may be set.
 * A program of one word may be a whole command line: then it is cut at blanks, up to
 * the first operator of a shell. */
static void cut_words(const pare_test_options *test, struct tool_words *cut)
{
    const bool is_line = test->n_program == 1;
    bool is_env = is_line;
    size_t used = 0;
    cut->n = 0;
    cut->line = NULL;
    *cut->moved = '\0';
    for (size_t k = 0; !is_line && k < test->n_program; k++)
        if (!take_tool_word(cut, &used, test->program[k], strlen(test->program[k]), &is_env))
            return;
    if (!is_line) return;
    const char *at = skip_cd(test->program[0], cut);
    cut->line = *cut->moved == '/' ? at : test->program[0];
    for (size_t size = 1; size; at += size) {
        at += strspn(at, " \t");
        size = strcspn(at, " \t\n;|&<>()");
        if (!take_tool_word(cut, &used, at, size, &is_env)) return;
    }
}

/* The tool of that name; NULL: it is not in the table. */
static const struct tool *find_tool(const char *name)
{
    for (size_t k = 0; k < sizeof tools / sizeof *tools; k++)
        if (strcmp(pare_file_base_name(name), tools[k].name) == 0) return &tools[k];
    return NULL;
}

/* ---- the command that is right ---------------------------------------------------- */

/* Appends the words of the program with `name` for the candidate, as a shell reads
 * them; a command line of one word is one already, and is not quoted again. */
static pare_status add_words(pare_buffer *text, const pare_test_options *test, const char *name,
                             pare_error *err)
{
    pare_status status = PARE_OK;
    pare_buffer word = {0};
    const bool is_line = test->n_program == 1 && strchr(test->program[0], ' ');
    for (size_t k = 0; k < test->n_program && !status; k++) {
        pare_buffer_reset(&word);
        status = pare_buffer_text(text, " ", err);
        if (!status) status = pare_command_fill_marks(test->program[k], name, &word, err);
        if (!status)
            status = is_line ? pare_buffer_text(text, word.data, err)
                             : pare_command_quote(text, word.data ? word.data : "", word.size, err);
    }
    pare_buffer_done(&word);
    return status;
}

/* Appends "pare reduce FOLDER --only NAME -- LINE"; FOLDER is quoted already. */
static pare_status write_line(const char *folder, const char *name, const char *line,
                              pare_buffer *text, pare_error *err)
{
    pare_status status = pare_buffer_format(text, err, "pare reduce %s --only ", folder);
    if (!status) status = pare_command_quote(text, name, strlen(name), err);
    if (!status) status = pare_buffer_text(text, " -- ", err);
    return status ? status : pare_command_quote(text, line, strlen(line), err);
}

/* Makes in *folder what the directory `path` is called on a command line, quoted: "."
 * has no name, so the folder where the user is is "../NAME". */
static pare_status name_folder(const char *path, bool is_here, pare_buffer *folder, pare_error *err)
{
    const char *base = pare_file_base_name(path);
    pare_status status = pare_buffer_text(folder, is_here ? "../" : "", err);
    if (is_here) path = base;
    return status ? status : pare_command_quote(folder, path, strlen(path), err);
}

/* The path of the input from here, without "./". */
static const char *path_from_here(const pare_input_options *input)
{
    return strncmp(input->path, "./", 2) == 0 ? input->path + 2 : input->path;
}

/* Appends the command that reduces the input in the folder of the user, in which the
 * program then runs: "pare reduce ../work --only in.c -- 'cd @@ && make check'".
 * A program that names the input in none of its words gets it as its standard input. */
static pare_status write_here(const pare_input_options *input, const pare_test_options *test,
                              pare_buffer *text, pare_error *err)
{
    char whole[PATH_MAX];
    pare_buffer line = {0}, folder = {0};
    const char *name = path_from_here(input);
    if (!realpath(".", whole)) return PARE_OK; /* it went away */
    struct tool_words words;
    cut_words(test, &words);
    bool is_named = words.n && find_tool(words.word[0]);
    for (size_t k = 0; k < test->n_program; k++)
        is_named = is_named || strstr(test->program[k], "@@") || strstr(test->program[k], name);
    pare_status status = name_folder(whole, true, &folder, err);
    if (!status) status = pare_buffer_text(&line, "cd @@ &&", err);
    if (!status) status = add_words(&line, test, name, err);
    if (!status && !is_named) status = pare_buffer_text(&line, " < ", err);
    if (!status && !is_named) status = pare_command_quote(&line, name, strlen(name), err);
    if (!status) status = write_line(folder.data, name, line.data, text, err);
    pare_buffer_done(&line);
    pare_buffer_done(&folder);
    return status;
}

/* Appends the command that reduces the input in its folder, of which the program is
 * given the file: "pare reduce src --only in.c -- cc -c @@/in.c". */
static pare_status write_beside(const pare_missed_file *missed, const pare_test_options *test,
                                pare_buffer *text, pare_error *err)
{
    pare_buffer mark = {0};
    pare_status status = pare_buffer_format(&mark, err, "@@/%s", missed->input);
    if (!status) status = pare_buffer_text(text, "pare reduce ", err);
    if (!status) status = pare_command_quote(text, missed->folder, strlen(missed->folder), err);
    if (!status) status = pare_buffer_text(text, " --only ", err);
    if (!status) status = pare_command_quote(text, missed->input, strlen(missed->input), err);
    if (!status) status = pare_buffer_text(text, " --", err);
    if (!status) status = add_words(text, test, mark.data, err);
    pare_buffer_done(&mark);
    return status;
}

/* The proposed command changes to the user's folder, where the program runs as it was typed. */
pare_status pare_missed_files_write_command(const pare_missed_file *missed,
                                            const pare_input_options *input,
                                            const pare_test_options *test, pare_buffer *text,
                                            pare_error *err)
{
    const bool is_above = *input->path == '/' || strncmp(input->path, "..", 2) == 0;
    return missed->is_here && !is_above ? write_here(input, test, text, err)
                                        : write_beside(missed, test, text, err);
}

/* ---- build tools ------------------------------------------------------------------ */

/* The tool that the command runs without naming the input; NULL: it runs none, or the tool finds
 * the input where the candidate lies. */
static const struct tool *tool_of(const pare_input_options *input, const pare_test_options *test,
                                  const struct tool_words *words)
{
    const char *name = pare_read_input_base_name(input);
    const struct tool *tool = words->n ? find_tool(words->word[0]) : NULL;
    const bool may_be_given = tool && runs_installed(tool);
    /* Where a word names the input, the tool is given it; npx and bunx run something
     * else that may be. */
    for (size_t k = 0; !may_be_given && k < test->n_program; k++)
        if (pare_command_is_marked(test->program[k]) || strstr(test->program[k], name)) return NULL;
    /* The input is what the tool reads: a candidate of it lies where the tool runs. */
    for (size_t k = 0; tool && k < TOOL_FILES && tool->files[k]; k++)
        if (strcmp(tool->files[k], name) == 0) return NULL;
    return tool;
}

/* Whether `folder` holds what the tool reads. */
static bool has_file_of(const struct tool *tool, const char *folder)
{
    char path[PATH_MAX];
    for (size_t k = 0; k < TOOL_FILES && tool->files[k]; k++) {
        (void)snprintf(path, sizeof path, "%s/%s", folder, tool->files[k]);
        if (pare_file_is_regular(path)) return true;
    }
    return !tool->files[0];
}

/* Whether the command names something by a path from the folder of the user: "make -C sub". */
static bool names_path(const struct tool_words *words)
{
    if (*words->moved && *words->moved != '/') return true;
    for (size_t k = 1; k < words->n; k++)
        if (*words->word[k] != '/' && pare_file_exists(words->word[k])) return true;
    return false;
}

/* The folder in which the tool is to run, and the path of the input from there. */
struct place {
    char folder[PATH_MAX]; /* whole; "": not known */
    char input[PATH_MAX];  /* whole */
    const char *name;      /* in `input`: what is behind the folder */
    bool is_here;          /* it is that of the user */
};

/* Finds it: where the user is, if the input lies there or below and the tool finds its
 * file there; else the nearest folder above the input that holds what the tool reads.
 * For a command that names something by a path from the user's folder, no other will
 * do. */
static void find_place(const pare_input_options *input, const struct tool *tool,
                       const struct tool_words *words, struct place *place)
{
    if (!realpath(input->path, place->input) || !realpath(".", place->folder))
        *place->folder = *place->input = '\0';
    place->name = pare_file_base_name(place->input);
    const size_t here = strlen(place->folder);
    place->is_here = here > 1 && strncmp(place->input, place->folder, here) == 0 &&
                     place->input[here] == '/' &&
                     (names_path(words) || has_file_of(tool, place->folder));
    if (place->is_here) {
        place->name = place->input + here + 1;
        return;
    }
    (void)snprintf(place->folder, sizeof place->folder, "%s", place->input);
    /* From the folder of the input up. */
    for (unsigned level = 0; level < TOOL_LEVELS && !names_path(words); level++) {
        char *slash = strrchr(place->folder, '/');
        if (!slash || slash == place->folder) break;
        *slash = '\0';
        if (!has_file_of(tool, place->folder)) continue;
        place->name = place->input + strlen(place->folder) + 1;
        return;
    }
    *place->folder = '\0';
}

/* Whether `folder` is one that cmake(1) has made to build in. */
static bool is_made_by_cmake(const char *folder)
{
    char path[PATH_MAX + sizeof "/CMakeCache.txt"];
    (void)snprintf(path, sizeof path, "%s/CMakeCache.txt", folder);
    return pare_file_is_regular(path);
}

/* Whether the tool works in a folder that cmake(1) has made: such a folder names the one of the sources by its
 * whole path, so that a copy would build what is in the user's. */
static bool is_built_by_cmake(const struct tool *tool, const struct tool_words *words)
{
    if (strcmp(tool->name, "ctest") == 0) return true;
    if (strcmp(tool->name, "cmake") == 0) return words->n > 1 && !strcmp(words->word[1], "--build");
    bool is_made = is_made_by_cmake(*words->moved ? words->moved : ".");
    for (size_t k = 1; k < words->n; k++)
        is_made = is_made || is_made_by_cmake(words->word[k]);
    return is_made;
}

/* Appends to *line what is to run in a copy of the folder: the user's command, after
 * going there; or with cmake a build of its own, in a folder beside the candidate. */
static pare_status write_build(const struct tool *tool, bool is_cmake,
                               const pare_test_options *test, const char *name, pare_buffer *line,
                               pare_error *err)
{
    const bool is_tested = strcmp(tool->name, "ctest") == 0;
    pare_status status =
        pare_buffer_text(line, is_cmake ? "cmake -S @@ -B x && cmake --build x" : "cd @@ &&", err);
    if (!status && !is_cmake) status = add_words(line, test, name, err);
    if (!status && is_tested)
        status = pare_buffer_text(line, " && ctest --test-dir x --output-on-failure", err);
    return status;
}

/* "-C/x", "--file=/x" and "/x" name a whole path. */
static bool is_whole_path(const char *word)
{
    const char *slash = strchr(word, '/');
    if (!slash || !pare_file_exists(slash)) return false;
    return slash == word || slash[-1] == '=' || (*word == '-' && slash - word == 2);
}

bool pare_missed_files_is_placed(const pare_test_options *test)
{
    struct tool_words words;
    cut_words(test, &words);
    bool is_placed = *words.moved == '/';
    for (size_t k = 1; k < words.n; k++)
        is_placed = is_placed || is_whole_path(words.word[k]);
    return is_placed;
}

/* In its order: is it a tool that was not given the input; what folder does it work in;
 * what is to run there.
 * pytest(1) may well find its tests in the candidate, and ends with a code of its own
 * if it does not. */
pare_status pare_missed_files_write_tool(const pare_input_options *input,
                                         const pare_test_options *test, int exit_code,
                                         pare_buffer *text, pare_error *err)
{
    struct tool_words words;
    struct place place;
    struct stat about;
    pare_buffer line = {0}, folder = {0};
    if (!input->path || input->n_paths || stat(input->path, &about) || !S_ISREG(about.st_mode))
        return PARE_OK;
    cut_words(test, &words);
    const struct tool *tool = tool_of(input, test, &words);
    if (!tool || (!tool->files[0] && exit_code != PYTEST_FOUND_NONE)) return PARE_OK;
    if (exit_code == PARE_MISSED_FILES_NOT_RUN && !runs_installed(tool)) return PARE_OK;
    const bool is_cmake = !runs_installed(tool) && is_built_by_cmake(tool, &words);
    /* The other tools of such a folder, such as make and ninja, are what cmake has
     * chosen. */
    if (is_cmake && strcmp(tool->name, "ctest") != 0) tool = find_tool("cmake");
    if (is_cmake || *words.moved == '/') words.n = 1; /* what it names is not where it will run */
    if (is_cmake) *words.moved = '\0';
    find_place(input, tool, &words, &place);
    /* What it runs may be found anywhere. */
    if (!*place.folder && runs_installed(tool)) return PARE_OK;
    /* It works elsewhere, and the candidate is its standard input. */
    if (!*place.folder && pare_missed_files_is_placed(test)) return PARE_OK;
    pare_status status = *place.folder ? name_folder(place.folder, place.is_here, &folder, err)
                                       : pare_buffer_text(&folder, "FOLDER", err);
    pare_test_options left = *test;
    if (words.line) left.program = &words.line;
    if (!status) status = write_build(tool, is_cmake, &left, place.name, &line, err);
    if (!status) status = write_line(folder.data, place.name, line.data, text, err);
    pare_buffer_done(&line);
    pare_buffer_done(&folder);
    return status;
}
