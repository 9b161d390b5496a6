/* Executables: what kind a file holds, where one is found, and calls of helper programs.
 *
 * What a file holds is told by its bytes: "#!", or the ELF header, its program headers and its
 * dynamic section, and words that compilers leave in what they make.  Nothing is run to find
 * out, since a program under test may do anything; and nothing is guessed from file names.  A
 * file that is cut or corrupt is known for nothing, never an error: whoever starts it will
 * see.
 *
 * Offsets come from the file and are not trusted: each is compared with the file's size before
 * it is used, by subtraction, so that no sum overflows.
 *
 * Helpers (a compiler) are not tests: they run with our environment, die with us and have a time
 * limit.  One that reads what came over the network is isolated.
 *
 * Sources: elf(5); ld.so(8) for what LD_PRELOAD needs; AFL++'s documentation of persistent
 * mode for its marks. */
#include "os/executable.h"

#include <assert.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "os/child.h"
#include "os/clock.h"
#include "os/descriptor.h"
#include "os/file.h"
#include "os/sandbox/namespace_options.h"
#include "os/sandbox/namespace_sandbox.h"
#include "os/spawn.h"
#include "os/stop.h"

#if UINTPTR_MAX > UINT32_MAX
typedef Elf64_Ehdr elf_header;
typedef Elf64_Phdr elf_segment;
typedef Elf64_Dyn elf_dynamic;
enum { ELF_CLASS = ELFCLASS64 };
#else
typedef Elf32_Ehdr elf_header;
typedef Elf32_Phdr elf_segment;
typedef Elf32_Dyn elf_dynamic;
enum { ELF_CLASS = ELFCLASS32 };
#endif

#ifndef PARE_LIBEXEC_DIR /* the build tells it */
#define PARE_LIBEXEC_DIR "/usr/local/lib/pare"
#endif

/* Runtimes that insist on being loaded before any other library. */
static const char *const runtimes[] = {"libasan.so.", "libtsan.so.", "libclang_rt.asan-"};

/* Whether `word` stands anywhere in the file: symbols, strings and marks alike. */
static bool holds(const char *bytes, size_t size, const char *word)
{
    return memmem(bytes, size, word, strlen(word)) != NULL;
}

/* Copies the name of a runtime that stands in the file, a NUL-terminated word, as it does among the
 * libraries that the program needs (DT_NEEDED).  Searched for as text, which
 * needs no walk through the dynamic section. */
static void find_runtime(const char *bytes, size_t size, pare_executable *program)
{
    assert(size);
    for (size_t k = 0; k < sizeof runtimes / sizeof *runtimes; k++) {
        const char *at = memmem(bytes, size, runtimes[k], strlen(runtimes[k]));
        if (!at) continue;
        size_t left = size - (size_t)(at - bytes), length = strnlen(at, left);
        if (length == left || length >= sizeof program->runtime) continue;
        memcpy(program->runtime, at, length + 1);
        return;
    }
}

/* Whether a program header asks for a dynamic loader (PT_INTERP).  Headers are copied out before
 * they are read: in a file of any content they need not be aligned. */
static bool asks_for_loader(const char *bytes, size_t size, const elf_header *header)
{
    for (size_t k = 0; k < header->e_phnum; k++) {
        elf_segment segment;
        if (header->e_phoff > size || size - header->e_phoff < (k + 1) * sizeof segment)
            return false;
        memcpy(&segment, bytes + header->e_phoff + k * sizeof segment, sizeof segment);
        if (segment.p_type == PT_INTERP) return true;
    }
    return false;
}

/* Whether the dynamic section marks a position-independent executable, as linkers do with
 * those that need no loader. */
static bool is_marked_executable(const char *bytes, size_t size, const elf_header *header)
{
    for (size_t k = 0; k < header->e_phnum; k++) {
        elf_segment segment;
        elf_dynamic entry;
        if (header->e_phoff > size || size - header->e_phoff < (k + 1) * sizeof segment)
            return false;
        memcpy(&segment, bytes + header->e_phoff + k * sizeof segment, sizeof segment);
        if (segment.p_type != PT_DYNAMIC || segment.p_offset > size) continue;
        size_t left = size - segment.p_offset;
        if (left > segment.p_filesz) left = segment.p_filesz;
        for (size_t at = 0; left - at >= sizeof entry; at += sizeof entry) {
            memcpy(&entry, bytes + segment.p_offset + at, sizeof entry);
            if (entry.d_tag == DT_NULL) break;
            if (entry.d_tag == DT_FLAGS_1) return entry.d_un.d_val & DF_1_PIE;
        }
    }
    return false;
}

/* A file of another word size or byte order is not taken for an ELF file: it cannot run here, or
 * only in an emulator, which neither LD_PRELOAD nor fork servers reach. */
void pare_executable_look(const void *start, size_t size, pare_executable *program)
{
    const char *bytes = start;
    const uint16_t one = 1;
    elf_header header;
    *program = (pare_executable){.is_script = size >= 2 && bytes[0] == '#' && bytes[1] == '!'};
    if (size < sizeof header || memcmp(bytes, ELFMAG, SELFMAG) != 0) return;
    memcpy(&header, bytes, sizeof header);
    unsigned char order = *(const unsigned char *)&one ? ELFDATA2LSB : ELFDATA2MSB;
    if (header.e_ident[EI_CLASS] != ELF_CLASS || header.e_ident[EI_DATA] != order) return;
    program->is_elf = true;
    program->is_dynamic = asks_for_loader(bytes, size, &header);
    program->is_library = header.e_type == ET_DYN && !program->is_dynamic &&
                          !is_marked_executable(bytes, size, &header);
    program->has_afl = holds(bytes, size, "__AFL_SHM_ID");
    program->is_persistent = holds(bytes, size, "##SIG_AFL_PERSISTENT##");
    program->is_deferred = holds(bytes, size, "##SIG_AFL_DEFER_FORKSRV##");
    program->opens_libraries = holds(bytes, size, "dlopen");
    program->has_harness = holds(bytes, size, "LLVMFuzzerTestOneInput");
    find_runtime(bytes, size, program);
}

/* The file is mapped, not read: it is searched for marks as a whole, without a copy. */
pare_status pare_executable_read(const char *path, pare_executable *program, pare_error *err)
{
    struct stat info = {.st_size = 0};
    pare_status status = PARE_OK;
    *program = (pare_executable){.is_script = false};
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &info)) {
        status = pare_fail_errno(err, errno, "cannot read %s", path);
        goto out;
    }
    size_t size = S_ISREG(info.st_mode) ? (size_t)info.st_size : 0;
    void *bytes = size ? mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
    if (size && bytes == MAP_FAILED) status = pare_fail_errno(err, errno, "cannot read %s", path);
    if (bytes == MAP_FAILED) goto out; /* nothing is known of it */
    pare_executable_look(bytes, size, program);
    program->is_setuid = (info.st_mode & (S_ISUID | S_ISGID)) != 0;
    (void)munmap(bytes, size);
out:
    if (fd >= 0) (void)close(fd);
    return status;
}

/* The loader takes libraries in the order of the list.  An empty LD_PRELOAD in `envp` adds
 * nothing. */
pare_status pare_executable_name_preloads(const pare_executable *program, const char *library,
                                          char *const *envp, pare_buffer *text, pare_error *err)
{
    static const char own[] = "LD_PRELOAD=";
    pare_status status = pare_buffer_format(text, err, "%s%s%s%s", own, program->runtime,
                                            *program->runtime ? ":" : "", library);
    for (char *const *entry = envp; *entry && !status; entry++)
        if (!strncmp(*entry, own, sizeof own - 1) && (*entry)[sizeof own - 1])
            status = pare_buffer_format(text, err, ":%s", *entry + sizeof own - 1);
    return status;
}

/* Sets *found when FOLDER/MIDDLE/NAME can be read; `folder` may be NULL. */
static pare_status try_place(const char *folder, const char *middle, const char *name,
                             pare_buffer *path, bool *found, pare_error *err)
{
    if (!folder || *found) return PARE_OK;
    pare_buffer_reset(path);
    pare_status status = pare_buffer_format(path, err, "%s%s/%s", folder, middle, name);
    *found = !status && pare_file_is_regular(path->data) && !access(path->data, R_OK);
    return status;
}

/* The nearest comes first: what the user named, what was built with the running program, what was
 * installed with it. */
pare_status pare_executable_find_own(const char *name, char **out, pare_error *err)
{
    char here[4096];
    pare_buffer path = {0};
    bool found = false;
    ssize_t n = readlink("/proc/self/exe", here, sizeof here - 1);
    here[n > 0 ? n : 0] = '\0';
    char *slash = strrchr(here, '/');
    if (slash) *slash = '\0';
    pare_status status = try_place(getenv("PARE_LIBEXEC"), "", name, &path, &found, err);
    if (!status) status = try_place(slash ? here : NULL, "", name, &path, &found, err);
    if (!status) status = try_place(slash ? here : NULL, "/../lib/pare", name, &path, &found, err);
    if (!status) status = try_place(PARE_LIBEXEC_DIR, "", name, &path, &found, err);
    if (!status && !found)
        status =
            pare_fail(err, PARE_E_STATE,
                      "%s is not found; install pare, or name its folder in PARE_LIBEXEC", name);
    if (!status) {
        *out = path.data; /* a plain block, NUL-terminated */
        return PARE_OK;
    }
    pare_buffer_done(&path);
    return status;
}

/* ---- helpers ------------------------------------------------------------------------ */

extern char **environ;

enum {
    DEFAULT_TIMEOUT_MS = 600 * 1000,
    SCRATCH_BYTES = 1 << 30, /* of what an isolated helper writes elsewhere: temporary files */
    MOST_PROCESSES = 1024
};

/* Puts DIRECTORY/NAME into *path; an empty directory is the current one. */
static pare_status join(pare_buffer *path, const char *directory, size_t length, const char *name,
                        pare_error *err)
{
    pare_buffer_reset(path);
    if (length == 0) return pare_buffer_format(path, err, "./%s", name);
    return pare_buffer_format(path, err, "%.*s/%s", (int)length, directory, name);
}

/* An empty entry of PATH is the current directory, as for a shell. */
pare_status pare_executable_find(const char *name, char **out, pare_error *err)
{
    const char *at = getenv("PATH");
    pare_buffer path = {0};
    pare_status status = PARE_OK;
    bool found = false;
    while (at && status == PARE_OK && !found) {
        size_t length = strcspn(at, ":");
        status = join(&path, at, length, name, err);
        found = status == PARE_OK && pare_file_is_regular(path.data) && !access(path.data, X_OK);
        at = at[length] ? at + length + 1 : NULL;
    }
    if (status == PARE_OK && !found)
        status = pare_fail(err, PARE_E_STATE, "there is no program '%s' in PATH", name);
    if (status == PARE_OK) {
        /* The buffer's block is a plain one, with a NUL byte at its end. */
        *out = path.data;
        path = (pare_buffer){0};
    }
    pare_buffer_done(&path);
    return status;
}

bool pare_executable_is_in_path(const char *word)
{
    char *path = NULL;
    if (strchr(word, '/') || pare_file_exists(word)) return false;
    const bool found = pare_executable_find(word, &path, NULL) == PARE_OK;
    pare_alloc_free(path);
    return found;
}

/* Waits until the child ends, `stop` is requested, or the time is over. */
static void wait_for_any(const pare_child *child, const pare_executable_call *helper,
                         pare_executable_end *end)
{
    const int limit_ms = helper->timeout_ms ? helper->timeout_ms : DEFAULT_TIMEOUT_MS;
    const uint64_t end_ms = pare_clock_ms() + (uint64_t)limit_ms;
    for (;;) {
        struct pollfd ready[2] = {{.fd = child->pidfd, .events = POLLIN},
                                  {.fd = pare_stop_fd(helper->stop), .events = POLLIN}};
        const uint64_t now_ms = pare_clock_ms();
        int n = poll(ready, 2, now_ms < end_ms ? (int)(end_ms - now_ms) : 0);
        if (n < 0 && errno == EINTR) continue;
        end->stopped = n > 0 && ready[1].revents && !ready[0].revents;
        end->timed_out = n <= 0;
        return;
    }
}

/* Waits for the child and reaps it; kills its group when it is not to go on.  The exit code is as a shell's: 128 and the signal's number where one ended it. */
static void await(const pare_child *child, const pare_executable_call *helper,
                  pare_executable_end *end)
{
    siginfo_t info = {.si_pid = 0};
    *end = (pare_executable_end){0};
    wait_for_any(child, helper, end);
    if (end->timed_out || end->stopped) (void)pare_child_kill_group(child->pid);
    (void)pare_child_wait(child->pid, WEXITED, &info, NULL);
    end->exit_code = info.si_code == CLD_EXITED ? info.si_status : 128 + info.si_status;
    (void)close(child->pidfd);
}

/* Makes the place where an isolated helper runs; *cell stays all-zero where the system has none. */
static pare_status open_cell(const pare_executable_call *helper, pare_namespace_sandbox *cell,
                             pare_error *err)
{
    const char *home = getenv("HOME"), *temporary = getenv("TMPDIR");
    const pare_namespace_sandbox_options options = {
        .kind = PARE_NAMESPACE_SANDBOX_FULL,
        .directory = helper->isolated,
        .home = home && *home == '/' && pare_file_is_directory(home) ? home : NULL,
        .temporary =
            temporary && *temporary == '/' && pare_file_is_directory(temporary) ? temporary : NULL,
        .scratch_bytes = SCRATCH_BYTES,
        .most_processes = MOST_PROCESSES};
    pare_error why = {.status = PARE_OK};
    if (!helper->isolated) return PARE_OK;
    pare_status status = pare_namespace_sandbox_open(&options, cell, &why);
    if (status == PARE_E_UNSUPPORTED) {
        *cell = (pare_namespace_sandbox){.keeper = 0};
        status = PARE_OK;
    }
    return status ? pare_fail(err, status, "%s", why.message) : PARE_OK;
}

/* Starts the helper and awaits it, with its directory and its log (-1: none) open. */
static pare_status run_in(const pare_executable_call *helper, int directory_fd, int log_fd,
                          pare_executable_end *end, pare_error *err)
{
    const pare_spawn_limits limits = {.file_bytes = helper->file_bytes};
    pare_namespace_sandbox cell = {.keeper = 0};
    pare_spawner spawner = {0};
    pare_child child = {.pidfd = -1};
    /* execve takes its words without const, and leaves them alone. */
    char *const *argv = (char *const *)(const void *)helper->argv;
    const pare_spawn order = {.path = helper->path,
                              .argv = argv,
                              .envp = environ,
                              .directory_fd = directory_fd,
                              .input_fd = -1,
                              .output_fd = log_fd,
                              .kind = PARE_SPAWN_TEST,
                              .limits = &limits};
    pare_status status = pare_spawner_init(&spawner, err);
    if (status != PARE_OK) return status;
    status = open_cell(helper, &cell, err);
    pare_spawn there = order;
    if (cell.keeper) {
        there.cell = &cell;
        there.directory = helper->directory;
    }
    if (status == PARE_OK) status = pare_spawner_start(&spawner, &there, &child, err);
    if (status == PARE_OK)
        await(&child, helper, end);
    else
        pare_fail_prefix(err, "%s", helper->path);
    if (cell.keeper) pare_namespace_sandbox_close(&cell);
    pare_spawner_done(&spawner);
    return status;
}

/* The log is emptied before, so what is in it afterwards is this helper's. */
pare_status pare_executable_run(const pare_executable_call *helper, pare_executable_end *end,
                                pare_error *err)
{
    pare_status status = PARE_OK;
    int log_fd = -1;
    int directory_fd = pare_descriptor_raise(
        open(helper->directory, O_PATH | O_DIRECTORY | O_CLOEXEC), PARE_SPAWN_LEAST_FD);
    if (directory_fd < 0) status = pare_fail_errno(err, errno, "%s", helper->directory);
    if (status == PARE_OK && helper->log_path) {
        log_fd = pare_descriptor_raise(
            open(helper->log_path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666),
            PARE_SPAWN_LEAST_FD);
        if (log_fd < 0) status = pare_fail_errno(err, errno, "%s", helper->log_path);
    }
    if (status == PARE_OK) status = run_in(helper, directory_fd, log_fd, end, err);
    if (log_fd >= 0) (void)close(log_fd);
    if (directory_fd >= 0) (void)close(directory_fd);
    return status;
}
