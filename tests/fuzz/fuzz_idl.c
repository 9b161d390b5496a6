/* Fuzz target: Web IDL, any bytes.  What is wrong has a sentence; texts that were kept end.
 * Aborts on a violation. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "web_model/attributes.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    pare_idl idl = {0};
    pare_web_rules rules = {0};
    pare_error err = {0};
    if (size > 4096) return 0;
    pare_status status = pare_idl_read(&idl, "a", size ? (const char *)data : "", size, &err);
    require(!status || (err.status == status && err.message[0]));
    if (!status) status = pare_web_attributes_decide(&idl, NULL);
    if (!status && idl.n_attributes)
        status = pare_web_attributes_make(&rules, &idl, idl.attributes[0].interface, NULL);
    for (size_t i = 0; i < idl.n_attributes; i++) {
        const pare_idl_attribute *attribute = &idl.attributes[i];
        require(strlen(attribute->name) && strlen(attribute->interface) && attribute->type);
        require(!(attribute->low > attribute->high));
    }
    pare_web_rules_done(&rules);
    pare_idl_done(&idl);
    return 0;
}
