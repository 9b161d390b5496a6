/* x.c -> x.min.c */
#include "cli/names.h"

#include <string.h>

const char *pare_names_base(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

const char *pare_names_extension(const char *path)
{
    const char *base = pare_names_base(path);
    const char *dot = strrchr(base, '.');
    return dot && dot > base && dot[1] ? dot : path + strlen(path);
}

pare_status pare_names_mark(pare_buffer *name, const char *path, const char *mark, pare_error *err)
{
    const char *extension = pare_names_extension(path);
    return pare_buffer_format(name, err, "%.*s.%s%s", (int)(extension - path), path, mark,
                              extension);
}
