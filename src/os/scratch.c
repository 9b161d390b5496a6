/* mkdtemp, where it is fast. */
#include "os/scratch.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "os/file.h"

/* Makes the folder in `parent`; *path is untouched when that cannot be. */
static pare_status make_in(const char *parent, char **path, pare_error *err)
{
    pare_buffer name = {0};
    pare_status status =
        pare_buffer_format(&name, err, "%s/pare-%ld-XXXXXX", parent, (long)getpid());
    if (status) return status;
    if (!mkdtemp(name.data)) {
        status = pare_fail_errno(err, errno, "cannot make a folder in '%s'", parent);
        pare_buffer_done(&name);
        return status;
    }
    *path = name.data;
    return PARE_OK;
}

pare_status pare_scratch_make(char **path, pare_error *err)
{
    const char *directory = getenv("TMPDIR");
    if (access("/dev/shm", W_OK | X_OK) == 0) {
        pare_status status = make_in("/dev/shm", path, NULL);
        if (status != PARE_E_IO) return status == PARE_OK ? status : pare_fail_nomem(err);
    }
    return make_in(directory && *directory ? directory : "/tmp", path, err);
}

void pare_scratch_remove(char *path)
{
    if (path) (void)!pare_file_remove_tree(path, NULL);
    pare_release(path);
}
