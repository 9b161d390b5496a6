/* Fuzz target: any bytes as the files of a project.
 *
 * The bytes are cut at NULs into files of one name each; what is read of them is in range and
 * sorted, the graph can be made, and each patch makes the text smaller.  Aborts on a violation. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "reduce/dependency/dependency.h"
#include "reduce/project/project.h"
#include "reduce/project/project_graph.h"
#include "reduce/project/project_passes.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds) abort();
}

static bool stays(const void *context, uint32_t entry)
{
    (void)context;
    (void)entry;
    return false;
}

static void check_passes(const pare_project *project)
{
    size_t n;
    const pare_project_pass *passes = pare_project_passes(&n);
    for (size_t i = 0; i < n; i++) {
        pare_patches *patches = NULL;
        require(pare_patches_new(project->text, &patches, NULL) == PARE_OK);
        require(passes[i].offer(project, patches, NULL) == PARE_OK);
        for (size_t k = 0; k < patches->n; k++)
            require(patches->patches[k].gain > 0);
        pare_patches_unref(patches);
    }
}

static void check(const pare_project *project)
{
    static const unsigned char seeds[16] = {1};
    const pare_project_graph_source source = {.project = project, .seeds = seeds};
    pare_dependency *graph = NULL;
    require(pare_project_check(project));
    require(pare_project_graph_make(&source, &graph, NULL) == PARE_OK);
    pare_dependency_unref(graph);
    check_passes(project);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const paths[] = {"p/CMakeLists.txt",
                                        "p/Makefile",
                                        "p/a.c",
                                        "p/a.h",
                                        "p/a/b.rs",
                                        "p/a/main.c",
                                        "p/build.ninja",
                                        "p/a.rs",
                                        "p/compile_commands.json",
                                        "p/k/__init__.py",
                                        "p/k/a.py",
                                        "p/lib.js",
                                        "p/q/A.java",
                                        "p/r.lua",
                                        "p/s.sh",
                                        "p/t.go"};
    enum { N = sizeof paths / sizeof *paths };
    pare_entry entries[N];
    pare_place places[N];
    pare_layout layout = {.entries = {.items = entries, .n = N}};
    pare_text *text = NULL;
    pare_project project;
    size_t at = 0;
    require(pare_text_copy(data, size, &text, NULL) == PARE_OK);
    for (uint32_t i = 0; i < N; i++) {
        const uint8_t *end = at < size ? memchr(data + at, 0, size - at) : NULL;
        size_t to = end && i + 1 < N ? (size_t)(end - data) : size;
        entries[i] = (pare_entry){.path = paths[i], .kind = PARE_ENTRY_FILE};
        places[i] = (pare_place){.entry = i, .frame = at, .begin = at, .end = to};
        at = to < size ? to + 1 : size;
    }
    const pare_project_source source = {
        .layout = &layout, .text = text, .places = places, .n_places = N, .stays = stays};
    require(pare_project_open(&source, &project, NULL) == PARE_OK);
    check(&project);
    pare_project_close(&project);
    pare_text_unref(text);
    return 0;
}
