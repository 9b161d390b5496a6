/* Stands for PCRE2's compiler of patterns under valgrind: what it compiles reads whole words, also
 * behind the end of a text, and valgrind takes that for a fault.  Patterns are interpreted then. */
#include <stdint.h>

enum { JIT_BADOPTION = -45 }; /* PCRE2_ERROR_JIT_BADOPTION */

int pcre2_jit_compile_8(void *code, uint32_t options);

int pcre2_jit_compile_8(void *code, uint32_t options)
{
    (void)code;
    (void)options;
    return JIT_BADOPTION;
}
