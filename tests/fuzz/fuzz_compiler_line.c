/* What a watched test recorded: any bytes give no command, or one whose text has no NUL. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "run/compiler_line.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    pare_buffer text = {0};
    if (pare_compiler_line_choose((const char *)data, size, "/x/slot", "in.c", &text, NULL))
        abort();
    if (text.size && (memchr(text.data, '\0', text.size) || !strstr(text.data, " exec "))) abort();
    pare_buffer_done(&text);
    return 0;
}
