/* What kind of program a file holds: any bytes, and what is told of them is possible. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "os/executable.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    pare_executable program;
    pare_executable_look(bytes, size, &program);
    if (program.is_script && program.is_elf) abort();
    if (program.is_dynamic && program.is_library) abort();
    if ((program.is_dynamic || program.is_library) && !program.is_elf) abort();
    if (!memchr(program.runtime, '\0', sizeof program.runtime)) abort();
    if (*program.runtime && !memmem(bytes, size, program.runtime, strlen(program.runtime))) abort();
    return 0;
}
