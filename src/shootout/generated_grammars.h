/* The grammars of the generated suite. */
#ifndef PARE_SHOOTOUT_GENERATED_GRAMMARS_H
#define PARE_SHOOTOUT_GENERATED_GRAMMARS_H

#include <stddef.h>

typedef struct pare_generated_grammar {
    const char *name, *file_name, *text; /* the file's name tells the notation */
    const char *weights; /* of large inputs, as pare_generate takes them; NULL: none */
} pare_generated_grammar;

extern const pare_generated_grammar pare_generated_grammars[];
extern const size_t pare_n_generated_grammars;

#endif
