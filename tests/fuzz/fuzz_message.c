/* Any bytes as a message between machines, as edits and as a test that travels: readers never look
 * beyond them, what they take is in bounds, and no file is written outside the folder. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "run/remote/edits.h"
#include "run/remote/message.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_kinds(const uint8_t *data, size_t size)
{
    unsigned version;
    pare_message message = pare_message_of(data, size);
    (void)pare_message_open(&message, &version);
    pare_message copy = message;
    pare_message_call call;
    (void)pare_message_read_call(&copy, &call);
    copy = message;
    pare_message_hello hello;
    if (pare_message_read_hello(&copy, &hello) && hello.state >= PARE_WORKER_N_STATES) abort();
    copy = message;
    pare_message_result result;
    if (pare_message_read_result(&copy, &result) &&
        (result.outcome < PARE_FAIL || result.outcome > PARE_UNRESOLVED))
        abort();
    copy = message;
    pare_message_job job;
    if (pare_message_read_job(&copy, &job) && job.edits.size > size) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const unsigned char base[] = "the quick brown fox jumps over the lazy dog";
    enum { LIMIT = 4096 };
    pare_buffer out = {0};
    char name[300];
    read_kinds(data, size);
    pare_status status = pare_edits_apply((pare_span){base, sizeof base - 1},
                                          (pare_span){data, size}, LIMIT, &out, NULL);
    if (!status && out.size > LIMIT) abort();
    pare_buffer_done(&out);
    pare_message message = pare_message_of(data, size);
    pare_message_text(&message, name, sizeof name);
    if (pare_message_is_file_name(name) && (strchr(name, '/') || !strcmp(name, ".."))) abort();
    return 0;
}
