/* The program pare-clang-edits, which `pare` runs beside a reduction: pare-clang-edits FILE LANGUAGE
 *
 * Parses FILE by libclang and writes to standard output what could be made simpler, as byte ranges
 * (docs/design/semantic.md).  It is a program of its own because libclang crashes and hangs on such
 * inputs: then its edits are lost, and nothing else.  Without libclang it says so and exits 3.
 * Without FILE it prints which libclang it would use.
 * Tested by tests/cli/test_semantic.sh. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/fail.h"
#include "clang_edits/clang_source.h"
#include "clang_edits/edit_list.h"
#include "clang_edits/families.h"
#include "clang_edits/libclang.h"

enum { EXIT_USAGE = 2, EXIT_NO_LIBRARY = 3, EXIT_FAILED = 1, MOST_BYTES = 1 << 24 };

/* What is said to the compiler; without warnings, and as far as it gets. */
static const char *const c_arguments[] = {"-xc", "-std=gnu17", "-w", "-ferror-limit=0"};
static const char *const cpp_arguments[] = {"-xc++", "-std=gnu++20", "-w", "-ferror-limit=0"};

enum { N_ARGUMENTS = sizeof c_arguments / sizeof *c_arguments };

/* One family and how many of its items are offered at most. */
static const struct family {
    const char *name;
    pare_status (*collect)(const pare_clang_source *source, pare_edit_list *list, pare_error *err);
    size_t most;
} families[] = {
    {"unused", pare_unused_edits_collect, 4096},
    {"instances", pare_instance_edits_collect, 256},
    {"types", pare_type_edits_collect, 1024},
    {"values", pare_value_edits_collect, 1024},
};

/* Reads the whole file.  Errors: PARE_E_IO, PARE_E_LIMIT, PARE_E_NOMEM. */
static pare_status read_file(const char *path, pare_buffer *out, pare_error *err)
{
    FILE *file = fopen(path, "rb");
    char block[1 << 14];
    size_t n = 0;
    pare_status status = file ? PARE_OK : pare_fail(err, PARE_E_IO, "cannot read %s", path);
    while (!status && (n = fread(block, 1, sizeof block, file)) > 0) {
        status = pare_buffer_add(out, block, n, err);
        if (!status && out->size > MOST_BYTES) status = pare_fail(err, PARE_E_LIMIT, "too large");
    }
    if (file) (void)fclose(file);
    return status;
}

/* Appends the patches of all families. */
static pare_status write_families(const pare_clang_source *source, pare_buffer *out,
                                  pare_error *err)
{
    pare_edit_list list = {.n = 0};
    pare_status status = PARE_OK;
    for (size_t i = 0; !status && i < sizeof families / sizeof *families; i++) {
        status = families[i].collect(source, &list, err);
        if (!status)
            status = pare_edit_list_write(&list, families[i].name, families[i].most, out, err);
    }
    pare_edit_list_done(&list);
    return status;
}

/* Appends all that is to be written about the text. */
static pare_status write_edits(const pare_libclang *clang, const pare_buffer *text, bool cpp,
                               pare_buffer *out, pare_error *err)
{
    pare_clang_source source = {.n = 0};
    const pare_clang_task task = {.name = cpp ? "input.cc" : "input.c",
                                  .text = text->data ? text->data : "",
                                  .size = text->size,
                                  .arguments = cpp ? cpp_arguments : c_arguments,
                                  .n_arguments = N_ARGUMENTS};
    pare_libclang_string version = clang->getClangVersion();
    pare_status status = pare_clang_source_parse(clang, &task, &source, err);
    if (!status)
        status = pare_buffer_format(out, err, "pare-edits 1 %s\n", clang->getCString(version));
    clang->disposeString(version);
    if (!status) status = write_families(&source, out, err);
    if (!status) status = pare_buffer_text(out, "end\n", err);
    pare_clang_source_done(&source);
    return status;
}

/* Ends without what libraries have registered for the end: libclang's threads may hang. */
static int leave(int code)
{
    (void)fflush(NULL);
    _exit(code);
}

int main(int argc, char **argv)
{
    pare_libclang clang;
    pare_buffer text = {0}, out = {0};
    pare_error err = {.status = PARE_OK};
    if (argc != 1 && argc != 3) {
        (void)fprintf(stderr, "usage: pare-clang-edits [FILE c|cpp]\n");
        return leave(EXIT_USAGE);
    }
    if (!pare_libclang_open(&clang)) {
        if (argc == 3) (void)printf("no libclang\n");
        (void)fprintf(stderr, "pare-clang-edits: there is no libclang: install libclang1-14, or a "
                              "later one\n");
        return leave(EXIT_NO_LIBRARY);
    }
    if (argc == 1) {
        (void)printf("%s\n", clang.getCString(clang.getClangVersion()));
        return leave(0);
    }
    pare_status status = read_file(argv[1], &text, &err);
    if (!status) status = write_edits(&clang, &text, strcmp(argv[2], "c") != 0, &out, &err);
    if (!status && fwrite(out.data, 1, out.size, stdout) != out.size) status = PARE_E_IO;
    if (status) (void)fprintf(stderr, "pare-clang-edits: %s\n", err.message);
    pare_buffer_done(&out);
    pare_buffer_done(&text);
    return leave(status ? EXIT_FAILED : 0);
}
