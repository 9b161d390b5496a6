/* The data folder, after the XDG base directory specification: a relative path in
 * XDG_DATA_HOME does not count. */
#include "os/user_data.h"

#include <stdlib.h>

#include "base/buffer.h"

static const char *variable(const char *name)
{
    const char *value = getenv(name);
    return value && *value ? value : NULL;
}

pare_status pare_user_data_path(const char *below, char **out, pare_error *err)
{
    pare_buffer path = {0};
    pare_status status;
    const char *own = variable("PARE_DATA");
    const char *xdg = variable("XDG_DATA_HOME");
    const char *home = variable("HOME");
    if (own)
        status = pare_buffer_format(&path, err, "%s/%s", own, below);
    else if (xdg && *xdg == '/')
        status = pare_buffer_format(&path, err, "%s/pare/%s", xdg, below);
    else if (home)
        status = pare_buffer_format(&path, err, "%s/.local/share/pare/%s", home, below);
    else
        status = pare_fail(err, PARE_E_STATE,
                           "there is no data folder: neither PARE_DATA, XDG_DATA_HOME nor HOME "
                           "is set");
    if (status == PARE_OK)
        *out = path.data;
    else
        pare_buffer_done(&path);
    return status;
}
