/* Which of the programs that got the candidate says what is wrong with it: the first whose name is
 * in a table.  Of a driver and the compiler that it starts the driver comes first, and its options
 * are what the author of the test wrote.  grep, cp and the test itself get the candidate, too, and
 * are not in the table.  A test that compares compilers, of which one accepts what another rejects, is
 * heard with all of them: what the one says tells where the failure is, and what the other says what a
 * candidate lacks.
 *
 * The run is repeated as it was: same folder if that is still there, same limits, the candidate
 * under the name that it had.  Only messages are wanted, so compilers are told to stop after
 * checking.  The record was written by a process of the test, which may be anybody's: it is read
 * as bytes of an unknown source, and each word is quoted for the shell.
 *
 * Why not the words of the test script: `make`, variables and functions hide the compiler there.
 * Invariant: the text is commands that a shell parses, whatever the record holds. */
#include "run/compiler_line.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "os/executable.h"
#include "run/command.h"
#include "run/shim/watch_protocol.h"

enum { MOST_WORDS = 4096, MOST_COMPILERS = 3 };

/* ---- the table -------------------------------------------------------------------------- */

/* Programs whose messages are understood (complaint_reader.c), by the name of their file without
 * machine and version, and what makes them stop after checking. */
static const struct program {
    const char *name, *options;
} compilers[] = {
    {"gcc", " -fsyntax-only -fmax-errors=50"},
    {"g++", " -fsyntax-only -fmax-errors=50"},
    {"cc1", " -fsyntax-only -fmax-errors=50"},
    {"cc1plus", " -fsyntax-only -fmax-errors=50"},
    {"clang", " -fsyntax-only"},
    {"clang++", " -fsyntax-only"},
    {"tcc", ""},
    {"javac", ""},
    {"rustc", ""},
    {"node", ""},
    {"python", ""},
    {"php", ""},
    {"lua", ""},
    {"luajit", ""},
    {"ruby", ""},
    {"sqlite", ""},
    {"mujs", ""},
    {"duk", ""},
};

/* The program's row; NULL: it is not in the table.  "x86_64-linux-gnu-g++-12",
 * "clang-14", "python3.11" are g++, clang, python. */
static const struct program *find_program(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    size_t size = strlen(name);
    for (size_t k = 0; k < sizeof compilers / sizeof *compilers; k++)
        if (strcmp(name, compilers[k].name) == 0) return &compilers[k]; /* cc1 */
    while (size > 0 && (isdigit((unsigned char)name[size - 1]) || strchr("-.", name[size - 1])))
        size--;
    for (size_t at = size; at > 0; at--) {
        if (name[at - 1] != '-') continue;
        name += at;
        size -= at;
        break;
    }
    for (size_t k = 0; k < sizeof compilers / sizeof *compilers; k++)
        if (strlen(compilers[k].name) == size && memcmp(name, compilers[k].name, size) == 0)
            return &compilers[k];
    return NULL;
}

/* ---- records ---------------------------------------------------------------------------- */

/* A run that got the candidate; slices of the records. */
struct run {
    size_t argument; /* that is the candidate; 0: standard input */
    unsigned long long cpu_s, memory_kib;
    const char *folder, *program;
    const char *words[MOST_WORDS];
    size_t n_words;
};

/* The field at *at, up to its NUL byte; NULL: there are no more. */
static const char *take(const char **at, const char *end)
{
    const char *field = *at;
    const char *stop = field < end ? memchr(field, '\0', (size_t)(end - field)) : NULL;
    if (!stop) return NULL;
    *at = stop + 1;
    return field;
}

/* A number, as the shim writes them. */
static bool take_number(const char **at, const char *end, unsigned long long *number)
{
    const char *field = take(at, end);
    if (!field || !isdigit((unsigned char)*field) || strlen(field) > 18) return false;
    char *stop;
    *number = strtoull(field, &stop, 10);
    return *stop == '\0';
}

/* Reads the record that begins at *at; false: there are no more, or it is not one that we wrote. */
static bool read_run(const char **at, const char *end, struct run *run)
{
    unsigned long long argument = 0, n_words = 0;
    const char *magic = take(at, end);
    if (!magic || strcmp(magic, PARE_WATCH_MAGIC) != 0) return false;
    bool read = take_number(at, end, &argument) && take_number(at, end, &run->cpu_s) &&
                take_number(at, end, &run->memory_kib) && (run->folder = take(at, end)) &&
                (run->program = take(at, end)) && take_number(at, end, &n_words);
    if (!read || !n_words || n_words > MOST_WORDS || argument >= n_words) return false;
    run->argument = (size_t)argument;
    run->n_words = (size_t)n_words;
    for (size_t k = 0; k < run->n_words; k++)
        if (!(run->words[k] = take(at, end))) return false;
    return true;
}

/* Whether the run only preprocesses: no error of the language shows there. */
static bool only_preprocesses(const struct run *run)
{
    for (size_t k = 1; k < run->n_words; k++)
        if (strcmp(run->words[k], "-E") == 0 || strcmp(run->words[k], "-M") == 0 ||
            strcmp(run->words[k], "-MM") == 0)
            return true;
    return false;
}

/* ---- the command ------------------------------------------------------------------------ */

/* Appends a word in quotes, with a blank before it. */
static pare_status add_word(pare_buffer *text, const char *word, pare_error *err)
{
    pare_status status = pare_buffer_text(text, " ", err);
    return status ? status : pare_command_quote(text, word, strlen(word), err);
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Whether the folder is still there and is not that of the candidate, which comes and goes. */
static bool outlives(const char *at, const char *folder)
{
    struct stat st;
    size_t size = strlen(folder);
    if (strncmp(at, folder, size) == 0 && (at[size] == '\0' || at[size] == '/')) return false;
    return stat(at, &st) == 0 && S_ISDIR(st.st_mode);
}

/* Adds what has to be set up before the run: limits, the folder, and the other name under which the
 * compiler was given the candidate, if there was one. *word is what the command line calls it. */
static pare_status add_preparation(pare_buffer *text, const struct run *run, const char *folder,
                                   const char *name, const char **word, pare_error *err)
{
    *word = NULL;
    pare_status status = pare_buffer_text(text, "export LC_ALL=C;", err);
    if (!status && run->cpu_s)
        status = pare_buffer_format(text, err, " ulimit -t %llu;", run->cpu_s);
    if (!status && run->memory_kib)
        status = pare_buffer_format(text, err, " ulimit -v %llu;", run->memory_kib);
    if (status) return status;
    const char *called = base_name(run->words[run->argument]);
    if (outlives(run->folder, folder)) {
        status = pare_buffer_text(text, " cd", err);
        if (!status) status = add_word(text, run->folder, err);
        return status ? status : pare_buffer_text(text, " &&", err);
    }
    if (!run->argument || strcmp(called, name) == 0) return PARE_OK;
    *word = called;
    status = pare_buffer_text(text, " cp \"$1\" ./", err);
    if (!status) status = pare_command_quote(text, called, strlen(called), err);
    return status ? status : pare_buffer_text(text, " &&", err);
}

/* Whether the run makes a program, so that the linker says which bodies are missing. */
static bool links(const struct run *run, const struct program *program)
{
    static const char *const others[] = {"-c", "-S",   "-fsyntax-only", "-emit-llvm",
                                         "-r", "-cc1", "-shared"};
    if (!run->argument || !*program->options || strncmp(program->name, "cc1", 3) == 0) return false;
    for (size_t k = 1; k < run->n_words; k++)
        for (size_t i = 0; i < sizeof others / sizeof *others; i++)
            if (strcmp(run->words[k], others[i]) == 0) return false;
    return true;
}

/* The words of the run, the candidate in its place, and the options. */
static pare_status add_words(pare_buffer *text, const struct run *run, const char *options,
                             const char *called, pare_error *err)
{
    /* A program that was called by name, in the test's PATH, or by a relative path is called by its
     * full path. For clang that loses the ++ of its name, which only matters when it links. */
    const char *first = *run->words[0] == '/' ? run->words[0] : run->program;
    pare_status status = add_word(text, first, err);
    for (size_t k = 1; k < run->n_words && !status; k++) {
        if (k != run->argument)
            status = add_word(text, run->words[k], err);
        else if (called)
            status = add_word(text, called, err);
        else
            status = pare_buffer_text(text, " \"$1\"", err);
    }
    if (!status) status = pare_buffer_text(text, options, err);
    if (!status && !run->argument) status = pare_buffer_text(text, " <\"$1\"", err);
    return status;
}

/* Whether it is clang by the name of clang++. */
static bool is_clangxx(const struct run *run, const struct program *program)
{
    return strncmp(program->name, "clang", 5) == 0 && strstr(base_name(run->words[0]), "++");
}

/* How far a run goes. */
enum extent {
    TO_ITS_END, /* as it did */
    CHECKED,    /* until its errors show */
    LINKED      /* and those of the linker */
};

/* How it is run. */
struct manner {
    enum extent extent;
    bool compared; /* to others, so that none may stop after fewer errors than another */
};

/* Whether the run says where its result goes. */
static bool has_output(const struct run *run, const struct program *program)
{
    if (!*program->options || strncmp(program->name, "cc1", 3) == 0) return false;
    for (size_t k = 1; k < run->n_words; k++)
        if (strcmp(run->words[k], "-o") == 0) return true;
    return false;
}

/* The run.  What makes a program is checked first, and then linked without optimising.  Results go beside the candidate:
 * the test may have removed their folder, in which case clang says nothing else, and may still use what it did not
 * remove. */
static pare_status add_run(pare_buffer *text, const struct run *run, const struct program *program,
                           struct manner manner, const char *called, pare_error *err)
{
    static const char beside[] = " -o \"$1\".made";
    const bool whole = manner.extent == TO_ITS_END,
               linked = manner.extent == LINKED && links(run, program);
    const char *options = whole ? "" : program->options;
    pare_status status = PARE_OK;
    if (manner.compared && !whole && strncmp(program->name, "clang", 5) == 0)
        options = " -fsyntax-only -ferror-limit=50";
    if (linked) {
        status = add_words(text, run, options, called, err);
        if (!status) status = pare_buffer_text(text, " &&", err);
        options = is_clangxx(run, program) ? " -O0 --driver-mode=g++" : " -O0";
    }
    /* Without the ++ of its name it finds no library, and the linker complains of all of it. */
    if (whole && is_clangxx(run, program) && links(run, program)) options = " --driver-mode=g++";
    if (!status) status = pare_buffer_text(text, " exec", err);
    if (!status) status = add_words(text, run, options, called, err);
    if (status || !(linked || (whole && has_output(run, program)))) return status;
    return pare_buffer_text(text, beside, err);
}

/* Which records are chosen from, and what was chosen. */
struct records {
    const char *at, *end;
    enum extent extent;
    const char *chosen[MOST_COMPILERS]; /* slices of the records: programs */
    size_t n;
    pare_buffer line, functions; /* the first one's command, and all of them */
};

/* Whether the program is one to hear as well as those that were chosen before: the only one so far, or
 * another compiler, and not one that a driver starts. */
static bool is_another(const struct records *records, const struct program *program,
                       const char *path)
{
    const bool started = strncmp(program->name, "cc1", 3) == 0, compiler = *program->options;
    for (size_t i = 0; i < records->n; i++) {
        const struct program *before = find_program(records->chosen[i]);
        if (started || !compiler || !*before->options) return false;
        if (strcmp(records->chosen[i], path) == 0) return false;
    }
    return records->n < MOST_COMPILERS;
}

/* What several compilers say of a candidate: what the one says that has the fewest errors.  The one that accepts the
 * input has errors where the candidate lacks something; the other does not know the extensions of the compiler that the
 * text was preprocessed for, and complains of these in all candidates.  One that fails without an error was killed, or is
 * gone, and accepts nothing. */
static const char fewest[] =
    "export LC_ALL=C least=999999\n"
    "for c in $all; do\n"
    "said=$({ $c \"$1\" 2>&1 || printf '\\nfailed\\n'; } | head -c 1000000)\n"
    "n=$(printf '%s\\n' \"$said\" | grep -c ' error: ')\n"
    "case $n$said in 0*failed) n=999998 ;; esac\n"
    "[ \"$n\" -lt \"$least\" ] && { least=$n; best=$said; }\n"
    "[ \"$n\" -eq 0 ] && break\n"
    "done\n"
    "printf '%s\\n' \"$best\"";

/* And of the failing input, where the failure is: all of it, but of very many errors those that are not in headers of the
 * system, or where the text has no line markers to tell them, the last. */
static const char own[] = "export LC_ALL=C\n"
                          "for c in $all; do\n"
                          "said=$($c \"$1\" 2>&1 | head -c 4000000)\n"
                          "n=$(printf '%s\\n' \"$said\" | grep -c ' error: ')\n"
                          "if [ \"$n\" -gt 20 ]; then\n"
                          "own=$(printf '%s\\n' \"$said\" | grep -v '^/usr/' |"
                          " grep '^[^ ].*:[0-9][0-9]*:[0-9][0-9]*: ' | head -n 40)\n"
                          "printf '%s\\n' \"$said\" | grep -q '^/usr/' || own=\n"
                          "said=${own:-$(printf '%s\\n' \"$said\" | tail -n 60)}\n"
                          "fi\n"
                          "printf '%s\\n' \"$said\"\n"
                          "done";

/* Appends the command of one run. */
static pare_status add_line(pare_buffer *text, const struct run *run, const struct program *program,
                            struct manner manner, const char *const place[2], pare_error *err)
{
    const char *called = NULL;
    pare_status status = add_preparation(text, run, place[0], place[1], &called, err);
    return status ? status : add_run(text, run, program, manner, called, err);
}

/* Writes the command of one run, as it is and as a function of the shell, in which it is compared. */
static pare_status add_command(struct records *records, const struct run *run,
                               const struct program *program, const char *const place[2],
                               pare_error *err)
{
    const struct manner alone = {.extent = records->extent},
                        compared = {.extent = records->extent, .compared = true};
    pare_buffer *functions = &records->functions;
    pare_status status = PARE_OK;
    if (!records->n) status = add_line(&records->line, run, program, alone, place, err);
    if (!status) status = pare_buffer_format(functions, err, "c%zu() (", records->n);
    if (!status) status = add_line(functions, run, program, compared, place, err);
    if (!status) status = pare_buffer_text(functions, ")\n", err);
    if (!status) records->chosen[records->n++] = run->program;
    return status;
}

/* A record that is damaged ends them: what follows cannot be found. */
static pare_status choose(struct records *records, const char *folder, const char *name,
                          pare_buffer *text, pare_error *err)
{
    const char *at = records->at, *end = records->end;
    const char *const place[] = {folder, name};
    const size_t before = text->size;
    struct run *run = pare_alloc(1, sizeof *run);
    if (!run) return pare_fail_nomem(err);
    pare_status status = PARE_OK;
    while (!status && read_run(&at, end, run)) {
        const struct program *program = find_program(run->program);
        if (program && !only_preprocesses(run) && is_another(records, program, run->program))
            status = add_command(records, run, program, place, err);
    }
    if (!status && records->n == 1)
        status = pare_buffer_add(text, records->line.data, records->line.size, err);
    if (!status && records->n > 1)
        status =
            pare_buffer_format(text, err, "%.*sall='c0 c1%s'\n%s", (int)records->functions.size,
                               records->functions.data, records->n > 2 ? " c2" : "",
                               records->extent == TO_ITS_END ? own : fewest);
    if (status) text->size = before;
    pare_buffer_done(&records->line);
    pare_buffer_done(&records->functions);
    pare_alloc_free(run);
    return status;
}

/* Chooses the compiler run whose errors tell most about candidates. */
pare_status pare_compiler_line_choose(const char *records, size_t size, const char *folder,
                                      const char *name, pare_buffer *text, pare_error *err)
{
    struct records all = {.at = records, .end = records + size, .extent = CHECKED};
    return choose(&all, folder, name, text, err);
}

/* As above, and the linker. */
pare_status pare_compiler_line_choose_linked(const char *records, size_t size, const char *folder,
                                             const char *name, pare_buffer *text, pare_error *err)
{
    struct records all = {.at = records, .end = records + size, .extent = LINKED};
    return choose(&all, folder, name, text, err);
}

/* To its end, where it may be that it fails. */
pare_status pare_compiler_line_choose_whole(const char *records, size_t size, const char *folder,
                                            const char *name, pare_buffer *text, pare_error *err)
{
    struct records all = {.at = records, .end = records + size, .extent = TO_ITS_END};
    return choose(&all, folder, name, text, err);
}

/* ---- what code is made of ---------------------------------------------------------------- */

/* Line markers tell of other files, so they are replaced by such as count the lines of the candidate; what is in a
 * header of the system stays there, as compilers are lenient with it. */
static const char count_lines[] = " f=$(dirname -- \"$1\")/lines-";
static const char counted[] =
    " && awk '/^#(line)? *[0-9]+ +\"/ { print \"# \" NR + 1 \" \\\"lines\\\"\""
    " ($0 ~ / 3 4$/ ? \" 3 4\" : $0 ~ / 3$/ ? \" 3\" : \"\"); next }";
static const char counted_end[] = " { print }' \"$1\" >\"$f\" &&";

/* Who optimises expands also what `extern template` says is compiled elsewhere, and makes no code of it in any other
 * place.  Without these lines there is code of it without optimising, too. */
static const char without_extern[] = " /^ *(__extension__ +)?extern +template/ { elsewhere = 1 }"
                                     " elsewhere { if (/;/) elsewhere = 0; print \"\"; next }";

/* Of the code only the directives are of interest that say where it comes from, each once. */
static const char places[] = " -w -O0 -g1 -S -o - 2>/dev/null |"
                             " awk '$1 == \".loc\" && !seen[$3 \" \" $4]++ { print $3, $4 }'";

/* Whether the run makes code, rather than only checking what it reads. */
static bool makes_code(const struct run *run, const struct program *program)
{
    if (!*program->options || strncmp(program->name, "cc1", 3) == 0) return false;
    for (size_t k = 1; k < run->n_words; k++)
        if (strcmp(run->words[k], "-fsyntax-only") == 0 || strncmp(run->words[k], "-flto", 5) == 0)
            return false;
    return true;
}

static bool optimises(const struct run *run)
{
    bool any = false;
    for (size_t k = 1; k < run->n_words; k++)
        if (strncmp(run->words[k], "-O", 2) == 0) any = strcmp(run->words[k], "-O0") != 0;
    return any;
}

/* Appends the command: the text with lines that are counted, the run on it, and what of its code is told. */
static pare_status add_emitter(pare_buffer *text, const struct run *run, const char *folder,
                               const char *name, bool expands, pare_error *err)
{
    const char *called = run->argument ? base_name(run->words[run->argument]) : name;
    pare_status status = pare_buffer_text(text, "export LC_ALL=C;", err);
    if (!status && run->memory_kib)
        status = pare_buffer_format(text, err, " ulimit -v %llu;", run->memory_kib);
    if (!status) status = pare_buffer_text(text, count_lines, err);
    if (!status) status = pare_command_quote(text, called, strlen(called), err);
    if (!status) status = pare_buffer_text(text, counted, err);
    if (!status && expands) status = pare_buffer_text(text, without_extern, err);
    if (!status) status = pare_buffer_text(text, counted_end, err);
    if (!status && outlives(run->folder, folder)) {
        status = pare_buffer_text(text, " cd", err);
        if (!status) status = add_word(text, run->folder, err);
        if (!status) status = pare_buffer_text(text, " &&", err);
    }
    const char *first = *run->words[0] == '/' ? run->words[0] : run->program;
    if (!status) status = add_word(text, first, err);
    /* A compiler minds being told twice where its result goes. */
    for (size_t k = 1; k < run->n_words && !status; k++) {
        if (strcmp(run->words[k], "-o") == 0)
            k++;
        else
            status = k == run->argument ? pare_buffer_text(text, " \"$f\"", err)
                                        : add_word(text, run->words[k], err);
    }
    if (!status && !run->argument) status = pare_buffer_text(text, " <\"$f\"", err);
    return status ? status : pare_buffer_text(text, places, err);
}

pare_status pare_compiler_line_choose_emitter(const char *records, size_t size, const char *folder,
                                              const char *name, pare_buffer *text, pare_error *err)
{
    const char *at = records, *const end = records + size;
    const size_t before = text->size;
    struct run *runs = pare_alloc(2, sizeof *runs), *run = runs; /* the first, and one at hand */
    bool found = false, expands = false;
    pare_status status = runs ? PARE_OK : pare_fail_nomem(err);
    while (!status && read_run(&at, end, run)) {
        const struct program *program = find_program(run->program);
        if (!program || only_preprocesses(run) || !makes_code(run, program)) continue;
        expands = expands || optimises(run);
        found = true;
        run = runs + 1;
    }
    if (found) status = add_emitter(text, runs, folder, name, expands, err);
    if (status) text->size = before;
    pare_alloc_free(runs);
    return status;
}

/* ---- the watched test ------------------------------------------------------------------- */

/* The shell starts the test with our library in it and all that it starts. */
static pare_status compose(pare_buffer *text, const char *library, const char *name,
                           pare_error *err)
{
    pare_status status = pare_buffer_text(text, "export " PARE_WATCH_VARIABLE "=\"$PWD\"/", err);
    if (!status) status = pare_command_quote(text, name, strlen(name), err);
    if (!status) status = pare_buffer_text(text, " LD_PRELOAD=", err);
    if (!status) status = pare_command_quote(text, library, strlen(library), err);
    return status ? status
                  : pare_buffer_text(text, "${LD_PRELOAD:+:$LD_PRELOAD}; exec \"$@\"", err);
}

pare_status pare_compiler_line_watch(const pare_command *test, const char *name, pare_command *out,
                                     pare_error *err)
{
    return pare_command_wrap_with(test, PARE_SHIM_WATCH, name, compose, out, err);
}

bool pare_compiler_line_can_watch(void)
{
    char *library = NULL;
    const bool found = pare_executable_find_own(PARE_SHIM_WATCH, &library, NULL) == PARE_OK;
    pare_alloc_free(library);
    return found;
}
