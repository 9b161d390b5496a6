/* Folders as files that mention each other: what mentions what, what goes together, and how
 * several files become one. */
/* tests: src/reduce/project/project.c src/reduce/project/project_code.c */
/* tests: src/reduce/project/project_build.c src/reduce/project/project_graph.c */
/* tests: src/reduce/project/project_passes.c src/reduce/project/project_joins.c */
/* tests: src/reduce/project/project_edits.c src/reduce/project/project_scripts.c */
/* tests: src/reduce/project/project_uses.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/buffer.h"
#include "reduce/dependency/dependency.h"
#include "reduce/dependency/dependency_print.h"
#include "reduce/project/project.h"
#include "reduce/project/project_edits.h"
#include "reduce/project/project_graph.h"
#include "reduce/project/project_passes.h"
#include "unit/alloc_sweep.h"

enum { MOST_FILES = 8 };

/* A file of a folder "p". */
struct given {
    const char *path, *content;
};

/* A folder in memory.  A frame is its file's name in brackets, of as many bytes as any. */
struct folder {
    pare_entry entries[MOST_FILES];
    pare_place places[MOST_FILES];
    size_t n;
    pare_layout layout;
    pare_text *text;
    uint32_t fixed; /* the file that stays as it is */
};

static bool stays(const void *context, uint32_t entry)
{
    const struct folder *folder = context;
    return folder->fixed == entry;
}

static void make_folder(const struct given *files, size_t n, struct folder *folder)
{
    pare_buffer bytes = {0};
    *folder = (struct folder){.n = n, .fixed = UINT32_MAX};
    assert_true(n <= MOST_FILES);
    for (size_t i = 0; i < n; i++) {
        char frame[PARE_LAYOUT_FRAME_BYTES + 1];
        const char *name = strrchr(files[i].path, '/') + 1;
        (void)snprintf(frame, sizeof frame, "[%-10.10s]", name);
        size_t at = bytes.size;
        assert_int_equal(pare_buffer_text(&bytes, frame, NULL), PARE_OK);
        assert_int_equal(pare_buffer_text(&bytes, files[i].content, NULL), PARE_OK);
        folder->entries[i] = (pare_entry){.path = files[i].path, .kind = PARE_ENTRY_FILE};
        folder->places[i] = (pare_place){.entry = (uint32_t)i,
                                         .frame = at,
                                         .begin = at + PARE_LAYOUT_FRAME_BYTES,
                                         .end = bytes.size};
    }
    folder->layout.entries.items = folder->entries;
    folder->layout.entries.n = n;
    assert_int_equal(pare_text_copy(bytes.data, bytes.size, &folder->text, NULL), PARE_OK);
    pare_buffer_done(&bytes);
}

static pare_status open_folder(const struct folder *folder, pare_project *project)
{
    const pare_project_source source = {.layout = &folder->layout,
                                        .text = folder->text,
                                        .places = folder->places,
                                        .n_places = folder->n,
                                        .stays = stays,
                                        .context = folder};
    return pare_project_open(&source, project, NULL);
}

/* All mentions: from, '>' for a need or ':' for a list, to, and the cut in brackets. */
static void print_mentions(const pare_project *project, pare_buffer *out)
{
    for (size_t i = 0; i < project->n_mentions; i++) {
        const pare_mention *mention = &project->mentions[i];
        assert_int_equal(pare_buffer_format(out, NULL, "%s%s%s[%.*s] ",
                                            project->files[mention->from].path + 2,
                                            mention->kind == PARE_MENTION_NEED ? ">" : ":",
                                            project->files[mention->to].path + 2,
                                            (int)(mention->cut.to - mention->cut.from),
                                            (const char *)project->bytes + mention->cut.from),
                         PARE_OK);
    }
}

static void assert_mentions(const struct given *files, size_t n, const char *expected)
{
    struct folder folder;
    pare_project project;
    pare_buffer met = {0};
    make_folder(files, n, &folder);
    assert_int_equal(open_folder(&folder, &project), PARE_OK);
    assert_true(pare_project_check(&project));
    print_mentions(&project, &met);
    assert_string_equal(met.size ? met.data : "", expected);
    pare_buffer_done(&met);
    pare_project_close(&project);
    pare_text_unref(folder.text);
}

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void test_project__includes_are_found_from_their_folder_or_by_their_end(void **state)
{
    static const struct given files[] = {{"p/inc/lib/h.h", "int h;\n"},
                                         {"p/inc/lib/i.h", "#include \"h.h\"\n"},
                                         {"p/src/a.c", "  # include <lib/i.h> // x\nint a;\n"
                                                       "#include \"../src/b.inc\"\n"
                                                       "#include <stdio.h>\n"},
                                         {"p/src/b.inc", "char *f = \"src/a.c\";\n"}};
    (void)state;
    assert_mentions(files, COUNT(files),
                    "inc/lib/i.h>inc/lib/h.h[#include \"h.h\"\n] "
                    "src/a.c>inc/lib/i.h[  # include <lib/i.h> // x\n] "
                    "src/a.c>src/b.inc[#include \"../src/b.inc\"\n] "
                    "src/b.inc>src/a.c[] ");
}

static void test_project__dots_that_begin_a_name_lead_nowhere(void **state)
{
    static const struct given files[] = {{"p/inc/..h.h", "int h;\n"},
                                         {"p/inc/h.h", "int i;\n"},
                                         {"p/src/a.c", "#include \"..h.h\"\n"}};
    (void)state;
    assert_mentions(files, COUNT(files), "src/a.c>inc/..h.h[#include \"..h.h\"\n] ");
}

static void test_project__modules_of_python_are_files_and_packages(void **state)
{
    static const struct given files[] = {{"p/k/__init__.py", "from .a import x\nfrom . import b\n"},
                                         {"p/k/a.py", "import k.b as q\n"},
                                         {"p/k/b.py", "import os, k.a\n"},
                                         {"p/m.py", "from k import (a,\n  z)\n"}};
    (void)state;
    assert_mentions(files, COUNT(files),
                    "k/__init__.py>k/b.py[] "
                    "k/__init__.py>k/a.py[from .a import x\n] "
                    "k/a.py>k/__init__.py[] k/a.py>k/b.py[import k.b as q\n] "
                    "k/b.py>k/__init__.py[] k/b.py>k/a.py[] "
                    "m.py>k/a.py[] m.py>k/__init__.py[from k import (a,\n  z)\n] ");
}

static void test_project__other_languages_name_files_in_their_ways(void **state)
{
    static const struct given rust[] = {{"p/src/main.rs", "pub(crate) mod a;\nfn main() {}\n"},
                                        {"p/src/a.rs", "mod b;\n"},
                                        {"p/src/a/b.rs", ""}};
    static const struct given script[] = {{"p/index.js", "const a = require('./lib/a');\n"},
                                          {"p/lib/a.js", "import { b } from \"../b.mjs\"\n"},
                                          {"p/b.mjs", "f('x')\n"}};
    static const struct given java[] = {{"p/q/A.java", "import q.r.C;\nclass A { B b; }\n"},
                                        {"p/q/B.java", "import static q.r.C.f;\n"},
                                        {"p/q/r/C.java", "class C {}\n"}};
    static const struct given go[] = {{"p/k/a.go", "package k\n"},
                                      {"p/main.go", "import \"example.org/p/k\"\n"}};
    static const struct given lua[] = {{"p/k/a.lua", ""},
                                       {"p/m.lua", "local a = require \"k.a\"\n"}};
    static const struct given shell[] = {{"p/a.sh", ". ./b.sh\necho b.sh\n"}, {"p/b.sh", "x=1\n"}};
    (void)state;
    assert_mentions(rust, COUNT(rust),
                    "src/main.rs>src/a.rs[pub(crate) mod a;\n] src/a.rs>src/a/b.rs[mod b;\n] ");
    assert_mentions(script, COUNT(script),
                    "index.js>lib/a.js[const a = require('./lib/a');\n] "
                    "lib/a.js>b.mjs[import { b } from \"../b.mjs\"\n] ");
    assert_mentions(java, COUNT(java),
                    "q/A.java>q/B.java[] q/A.java>q/r/C.java[import q.r.C;\n] "
                    "q/B.java>q/r/C.java[import static q.r.C.f;\n] ");
    assert_mentions(go, COUNT(go), "main.go>k/a.go[import \"example.org/p/k\"\n] ");
    assert_mentions(lua, COUNT(lua), "m.lua>k/a.lua[local a = require \"k.a\"\n] ");
    assert_mentions(shell, COUNT(shell),
                    "a.sh>b.sh[. ./b.sh\n] a.sh:b.sh[ ./b.sh] "
                    "a.sh:b.sh[ b.sh] ");
}

static void test_project__build_files_list_what_they_can_do_without(void **state)
{
    static const struct given make[] = {
        {"p/Makefile", "O = a.o b.o\np: $(O) a.h\n\tcc $(O)\na.o: a.c a.h\n\tcc -c a.c\n"},
        {"p/a.c", ""},
        {"p/a.h", ""},
        {"p/b.c", ""}};
    static const struct given cmake[] = {
        {"p/CMakeLists.txt",
         "add_executable(m a.c b.c)\nadd_library(l b.c)\nadd_subdirectory(s)\n"},
        {"p/a.c", ""},
        {"p/b.c", ""},
        {"p/s/CMakeLists.txt", ""}};
    static const struct given ninja[] = {{"p/build.ninja", "build a.o: cc a.c\n  x = 1\n"
                                                           "build p: ld a.o b.o\n"},
                                         {"p/a.c", ""},
                                         {"p/b.c", ""}};
    static const struct given json[] = {
        {"p/compile_commands.json",
         "[{\"file\":\"a.c\",\"command\":\"cc -c a.c\"},\n {\"file\": \"/x/p/b.c\"}]\n"},
        {"p/a.c", ""},
        {"p/b.c", ""}};
    (void)state;
    assert_mentions(make, COUNT(make),
                    "Makefile:a.c[ a.o] Makefile:b.c[ b.o] Makefile:a.h[ a.h] "
                    "Makefile:a.c[a.o: a.c a.h\n\tcc -c a.c\n] Makefile:a.c[ a.c] "
                    "Makefile:a.h[ a.h] Makefile:a.c[\tcc -c a.c\n] ");
    assert_mentions(cmake, COUNT(cmake),
                    "CMakeLists.txt:a.c[ a.c] CMakeLists.txt:b.c[ b.c] "
                    "CMakeLists.txt:b.c[add_library(l b.c)\n] "
                    "CMakeLists.txt:s/CMakeLists.txt[add_subdirectory(s)\n] ");
    assert_mentions(ninja, COUNT(ninja),
                    "build.ninja:a.c[build a.o: cc a.c\n  x = 1\n] build.ninja:a.c[ a.c] "
                    "build.ninja:a.c[ a.o] build.ninja:b.c[ b.o] ");
    assert_mentions(json, COUNT(json),
                    "compile_commands.json:a.c[{\"file\":\"a.c\",\"command\":\"cc -c a.c\"},] "
                    "compile_commands.json:b.c[,\n {\"file\": \"/x/p/b.c\"}] ");
}

static void test_project__what_stays_mentions_nothing_and_keeps_its_mentions(void **state)
{
    static const struct given files[] = {{"p/a.c", "#include \"b.h\"\n"}, {"p/b.h", ""}};
    struct folder folder;
    pare_project project;
    (void)state;
    make_folder(files, COUNT(files), &folder);
    folder.fixed = 0;
    assert_int_equal(open_folder(&folder, &project), PARE_OK);
    assert_int_equal(project.n_mentions, 0);
    pare_project_close(&project);
    pare_text_unref(folder.text);
}

/* A project of a Makefile and four sources, of which the first has main. */
static const struct given SMALL[] = {
    {"p/Makefile", "p: a.o b.o c.o\n\tcc -O2 a.o b.o c.o\nc.o: c.c\n\tcc -O2 -c c.c\nx: p\n"},
    {"p/a.c", "#include \"h.h\"\n#include \"i.h\"\nint main() {}\n"},
    {"p/b.c", "#include \"h.h\"\nint b;\n"},
    {"p/c.c", "int c;\n"},
    {"p/h.h", "#pragma once\nint h;\n"},
    {"p/i.h", "int i;\n"}};

static void test_project__a_closed_set_of_files_lists_only_its_own(void **state)
{
    struct folder folder;
    pare_project project;
    pare_dependency *graph = NULL;
    pare_candidate candidate = {0};
    static const unsigned char seeds[MOST_FILES] = {1};
    const pare_project_graph_source source = {.project = &project, .seeds = seeds};
    char printed[512] = "";
    (void)state;
    make_folder(SMALL, COUNT(SMALL), &folder);
    assert_int_equal(open_folder(&folder, &project), PARE_OK);
    assert_int_equal(pare_project_graph_make(&source, &graph, NULL), PARE_OK);
    pare_dependency_bits *kept = test_calloc(pare_dependency_set_size(graph), sizeof *kept);
    const pare_dependency_query query = {.bodies = true};
    for (uint32_t i = 0; i < pare_dependency_count(graph); i++)
        if (pare_dependency_nodes(graph)[i].begin == project.files[2].frame)
            pare_dependency_add(kept, i);
    assert_int_equal(pare_dependency_close(graph, &query, kept, NULL), PARE_OK);
    assert_int_equal(pare_dependency_print_candidate(graph, kept, &candidate, NULL), PARE_OK);
    pare_candidate_read(&candidate, printed);
    assert_string_equal(printed, "[Makefile  ]p: b.o\n\tcc -O2 b.o\nx: p\n"
                                 "[b.c       ]#include \"h.h\"\nint b;\n"
                                 "[h.h       ]#pragma once\nint h;\n");
    pare_candidate_done(&candidate);
    test_free(kept);
    pare_dependency_unref(graph);
    pare_project_close(&project);
    pare_text_unref(folder.text);
}

/* Applies patch `index` of the pass; "" if there is none. */
static void apply(const struct given *files, size_t n, const char *pass, uint32_t index,
                  char *printed, size_t size)
{
    struct folder folder;
    pare_project project;
    pare_patches *patches = NULL;
    pare_candidate candidate = {0};
    size_t n_passes;
    const pare_project_pass *passes = pare_project_passes(&n_passes);
    make_folder(files, n, &folder);
    assert_int_equal(open_folder(&folder, &project), PARE_OK);
    assert_int_equal(pare_patches_new(folder.text, &patches, NULL), PARE_OK);
    for (size_t i = 0; i < n_passes; i++)
        if (strcmp(passes[i].name, pass) == 0)
            assert_int_equal(passes[i].offer(&project, patches, NULL), PARE_OK);
    memset(printed, 0, size);
    if (index < patches->n) {
        assert_int_equal(pare_patches_candidate(patches, pare_patch_changes(patches, index),
                                                patches->patches[index].n_changes, &candidate,
                                                NULL),
                         PARE_OK);
        assert_true(candidate.size < size && candidate.size < pare_text_size(folder.text));
        pare_candidate_read(&candidate, printed);
    }
    pare_candidate_done(&candidate);
    pare_patches_unref(patches);
    pare_project_close(&project);
    pare_text_unref(folder.text);
}

static void assert_patch(const char *pass, uint32_t index, const char *expected)
{
    char printed[512];
    apply(SMALL, COUNT(SMALL), pass, index, printed, sizeof printed);
    assert_string_equal(printed, expected);
}

static void test_project_passes__a_file_goes_with_its_mentions_and_its_rule(void **state)
{
    (void)state;
    assert_patch("files-with-mentions", 2,
                 "[Makefile  ]p: a.o b.o\n\tcc -O2 a.o b.o\nx: p\n"
                 "[a.c       ]#include \"h.h\"\n#include \"i.h\"\nint main() {}\n"
                 "[b.c       ]#include \"h.h\"\nint b;\n"
                 "[h.h       ]#pragma once\nint h;\n[i.h       ]int i;\n");
}

static void test_project_passes__a_file_goes_with_the_uses_of_what_it_declares(void **state)
{
    static const struct given script[] = {
        {"p/a.js", "exports.f = 1;\n"},
        {"p/i.js", "const a = require('./a');\nconst l = [b, a, c];\ng(a.f(1));\na.f(() => {\n  "
                   "x();\n});\nb.a();\n"},
    };
    static const struct given python[] = {
        {"p/a.py", "def f(): pass\n"},
        {"p/m.py",
         "from a import f\ndef g():\n    return 1 + f(\n        2)\nfor x in y + f():\n    "
         "h(f)\n"},
    };
    static const struct given go[] = {
        {"p/main.go", "import (\n\t\"fmt\"\n\t\"e.org/p/k\"\n)\nvar x = k.F()\n"},
        {"p/k/a.go", "package k\n"},
    };
    char printed[512];
    (void)state;
    apply(script, COUNT(script), "files-with-mentions", 0, printed, sizeof printed);
    assert_string_equal(printed, "[i.js      ]const l = [b, c];\ng();\nb.a();\n");
    apply(python, COUNT(python), "files-with-mentions", 0, printed, sizeof printed);
    assert_string_equal(printed, "[m.py      ]def g():\n    pass\nif 1:\n    h()\n");
    apply(go, COUNT(go), "files-with-mentions", 0, printed, sizeof printed);
    assert_string_equal(printed, "[main.go   ]import (\n\t\"fmt\"\n)\n");
}

/* One line of calls in each other, as tools write them: looking from each use to the ends of its line, or of
 * its call, would take minutes. */
static void test_project_passes__uses_in_long_lines_are_passed_over(void **state)
{
    enum { USES = 100000 };
    pare_buffer bytes = {0};
    (void)state;
    assert_int_equal(pare_buffer_text(&bytes, "import m\n", NULL), PARE_OK);
    for (size_t i = 0; i < USES; i++)
        assert_int_equal(pare_buffer_text(&bytes, "m(", NULL), PARE_OK);
    for (size_t i = 0; i < USES; i++)
        assert_int_equal(pare_buffer_text(&bytes, ")", NULL), PARE_OK);
    assert_int_equal(pare_buffer_text(&bytes, "\nm.f()\nx\n", NULL), PARE_OK);
    assert_int_equal(pare_buffer_add(&bytes, "", 1, NULL), PARE_OK);
    const struct given files[] = {{"p/a.py", bytes.data}, {"p/m.py", "x\n"}};
    struct folder folder;
    pare_project project;
    pare_project_edits edits = {0};
    make_folder(files, COUNT(files), &folder);
    assert_int_equal(open_folder(&folder, &project), PARE_OK);
    assert_int_equal(project.n_mentions, 1);
    assert_int_equal(pare_project_uses_cut(&project, &project.mentions[0], &edits, NULL), PARE_OK);
    assert_true(edits.n > 0);
    for (size_t i = 0; i < edits.n; i++)
        assert_true(edits.items[i].what.to - edits.items[i].what.from < USES);
    pare_project_edits_done(&edits);
    pare_project_close(&project);
    pare_text_unref(folder.text);
    pare_buffer_done(&bytes);
}

static void test_project_passes__a_flag_goes_everywhere_and_a_target_with_its_uses(void **state)
{
    static const char rest[] = "[a.c       ]#include \"h.h\"\n#include \"i.h\"\nint main() {}\n"
                               "[b.c       ]#include \"h.h\"\nint b;\n[c.c       ]int c;\n"
                               "[h.h       ]#pragma once\nint h;\n[i.h       ]int i;\n";
    char expected[512];
    (void)state;
    (void)snprintf(expected, sizeof expected, "%s%s",
                   "[Makefile  ]p: a.o b.o c.o\n\tcc a.o b.o c.o\nc.o: c.c\n\tcc -c c.c\nx: p\n",
                   rest);
    assert_patch("flags", 1, expected);
    (void)snprintf(expected, sizeof expected, "%s%s", "[Makefile  ]c.o: c.c\n\tcc -O2 -c c.c\nx:\n",
                   rest);
    assert_patch("targets", 0, expected);
}

static void test_project_joins__sources_become_one_with_each_header_once(void **state)
{
    (void)state;
    assert_patch("join-files", 0,
                 "[Makefile  ]p: a.o\n\tcc -O2 a.o\nx: p\n"
                 "[a.c       ]\nint h;\n\nint b;\n\nint c;\n\n\nint i;\n\nint main() {}\n");
}

static void test_project_joins__a_pair_may_name_one_of_them_twice(void **state)
{
    (void)state;
    assert_patch("join-files", 2,
                 "[Makefile  ]p: a.o a.o c.o\n\tcc -O2 a.o a.o c.o\nc.o: c.c\n\tcc -O2 -c c.c\n"
                 "x: p\n[a.c       ]#include \"h.h\"\n#include \"i.h\"\nint main() {}\n"
                 "[c.c       ]int c;\n[h.h       ]#pragma once\nint h;\n[i.h       ]int i;\n");
}

static void test_project_joins__what_is_mentioned_once_is_put_there(void **state)
{
    static const struct given rust[] = {{"p/main.rs", "mod a;\nfn main() {}\n"},
                                        {"p/a.rs", "fn f() {}\n"}};
    char printed[128];
    (void)state;
    assert_patch("inline-files", 0,
                 "[Makefile  ]p: a.o b.o c.o\n\tcc -O2 a.o b.o c.o\nc.o: c.c\n\tcc -O2 -c c.c\n"
                 "x: p\n[a.c       ]#include \"h.h\"\nint i;\n\nint main() {}\n"
                 "[b.c       ]#include \"h.h\"\nint b;\n[c.c       ]int c;\n"
                 "[h.h       ]#pragma once\nint h;\n");
    apply(rust, COUNT(rust), "inline-files", 0, printed, sizeof printed);
    assert_string_equal(printed, "[main.rs   ]mod a{fn f() {}\n}\nfn main() {}\n");
}

static void assert_script(const char *main, const char *module, const char *expected)
{
    const struct given files[] = {{"p/m.js", main},
                                  {"p/k/a.js", module},
                                  {"p/k/b.js", "exports.b = 1;\n"},
                                  {"p/n.js", "require('./k/b.js').b;\n"}};
    char printed[256];
    apply(files, COUNT(files), "inline-files", 0, printed, sizeof printed);
    printed[strcspn(printed, "\f")] = 0;
    char *end = strstr(printed, "[b.js");
    if (end) *end = 0;
    assert_string_equal(printed, expected);
}

static void test_project_scripts__exports_become_variables_of_the_place(void **state)
{
    (void)state;
    assert_script("const a = require('./k/a');\na.f();\n", "exports.f = () => {};\n",
                  "[m.js      ]var a={};a.f = () => {};\n\na.f();\n");
    assert_script("const a = require('./k/a');\na();\n", "module.exports = () => {};\n",
                  "[m.js      ]var a = () => {};\n\na();\n");
    assert_script("const { A, f } = require(\"./k/a.js\");\nf();\n",
                  "class A {}\nexports.f = 1;\nmodule.exports = { A };\n",
                  "[m.js      ]class A {}\nvar f = 1;\n\n\nf();\n");
    assert_script("import { f } from './k/a.js'\nf()\n", "export function f() {}\n",
                  "[m.js      ]function f() {}\n\nf()\n");
    assert_script("import f from './k/a.js'\nf()\n", "export default () => {}\n",
                  "[m.js      ]var f= () => {}\n\nf()\n");
    assert_script("const a = require('./k/a');\n", "const b = x => require('./b');\n",
                  "[m.js      ]const b = x => require('./k/b.js');\n\n");
}

/* Everything once, with one allocation failing. */
static pare_status attempt(void *context)
{
    const struct folder *folder = context;
    static const unsigned char seeds[MOST_FILES] = {1};
    pare_project project;
    const pare_project_graph_source source = {.project = &project, .seeds = seeds};
    pare_dependency *graph = NULL;
    size_t n;
    const pare_project_pass *passes = pare_project_passes(&n);
    pare_status status = open_folder(folder, &project);
    if (status) return status;
    status = pare_project_graph_make(&source, &graph, NULL);
    for (size_t i = 0; !status && i < n; i++) {
        pare_patches *patches = NULL;
        status = pare_patches_new(folder->text, &patches, NULL);
        if (!status) status = passes[i].offer(&project, patches, NULL);
        pare_patches_unref(patches);
    }
    pare_dependency_unref(graph);
    pare_project_close(&project);
    return status;
}

static void test_project__survives_a_lack_of_memory(void **state)
{
    struct folder folder;
    (void)state;
    make_folder(SMALL, COUNT(SMALL), &folder);
    sweep_allocations(attempt, &folder);
    pare_text_unref(folder.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_project__includes_are_found_from_their_folder_or_by_their_end),
        cmocka_unit_test(test_project__dots_that_begin_a_name_lead_nowhere),
        cmocka_unit_test(test_project__modules_of_python_are_files_and_packages),
        cmocka_unit_test(test_project__other_languages_name_files_in_their_ways),
        cmocka_unit_test(test_project__build_files_list_what_they_can_do_without),
        cmocka_unit_test(test_project__what_stays_mentions_nothing_and_keeps_its_mentions),
        cmocka_unit_test(test_project__a_closed_set_of_files_lists_only_its_own),
        cmocka_unit_test(test_project_passes__a_file_goes_with_its_mentions_and_its_rule),
        cmocka_unit_test(test_project_passes__a_file_goes_with_the_uses_of_what_it_declares),
        cmocka_unit_test(test_project_passes__uses_in_long_lines_are_passed_over),
        cmocka_unit_test(test_project_passes__a_flag_goes_everywhere_and_a_target_with_its_uses),
        cmocka_unit_test(test_project_joins__sources_become_one_with_each_header_once),
        cmocka_unit_test(test_project_joins__a_pair_may_name_one_of_them_twice),
        cmocka_unit_test(test_project_joins__what_is_mentioned_once_is_put_there),
        cmocka_unit_test(test_project_scripts__exports_become_variables_of_the_place),
        cmocka_unit_test(test_project__survives_a_lack_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
