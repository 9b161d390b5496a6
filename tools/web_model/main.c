/* The program pare-web-model, which `pare lang add web` runs (lang/install.c).
 *
 *     pare-web-model CSS ELEMENTS IDL GRAMMAR WEIGHTS
 *
 * The first three are folders with the contents of the packages @webref/css, @webref/elements
 * and @webref/idl, the others files to be written.  Exit codes: 0 done, 2 usage, 3 error; then
 * there is one line on standard error. */
#include <stdio.h>

#include "base/buffer.h"
#include "os/file.h"
#include "web_model/model.h"

enum { CSS = 1, ELEMENTS, IDL, GRAMMAR, WEIGHTS, WORDS };
enum { EXIT_USAGE = 2, EXIT_ERROR = 3 };

int main(int argc, char **argv)
{
    pare_buffer grammar = {0}, weights = {0};
    pare_error err = {0};
    if (argc != WORDS) {
        fputs("usage: pare-web-model CSS ELEMENTS IDL GRAMMAR WEIGHTS\n", stderr);
        return EXIT_USAGE;
    }
    pare_status status =
        pare_web_model_make(argv[CSS], argv[ELEMENTS], argv[IDL], &grammar, &weights, &err);
    if (!status) status = pare_file_write_bytes(argv[GRAMMAR], grammar.data, grammar.size, &err);
    if (!status) status = pare_file_write_bytes(argv[WEIGHTS], weights.data, weights.size, &err);
    if (status) fprintf(stderr, "pare-web-model: %s\n", err.message);
    pare_buffer_done(&grammar);
    pare_buffer_done(&weights);
    return status ? EXIT_ERROR : 0;
}
