/* The protocol between pare and the code that it loads into other processes.
 *
 * Both sides are of one build and run on one machine, so these are plain structs. */
#ifndef PARE_RUN_SHIM_PROTOCOL_H
#define PARE_RUN_SHIM_PROTOCOL_H

#include <stdatomic.h>
#include <stdint.h>
#include <sys/resource.h>

/* Descriptors in the server: where AFL's two also are, high enough not to be used. */
enum {
    PARE_SHIM_MEMORY_FD = 196, /* struct pare_shim_input and the candidate after it */
    PARE_SHIM_SOCKET_FD = 197
};

/* Name of what is built and installed with the program. */
#define PARE_SHIM_PRELOAD "libpare_preload.so"

/* The loader finds all functions before main, once, instead of at the first call in each
 * test, where any text is set in this variable; pare's is this one. */
#define PARE_SHIM_BIND_VARIABLE "LD_BIND_NOW"
#define PARE_SHIM_BIND_VALUE "pare"

/* --- the fork server (preload.c), over a SOCK_SEQPACKET socket ---------------- */

/* The server's first word: 0, or why it cannot serve. */
enum {
    PARE_SHIM_READY = 0,
    PARE_SHIM_THREADS, /* there are threads before main */
    PARE_SHIM_FILES,   /* files are open before main, whose offsets tests would share */
    PARE_SHIM_OUTPUT,  /* something was printed before main, which tests would not repeat */
    PARE_SHIM_MEMORY   /* memory is shared before main, which tests would share */
};

/* A test, which runs in the server's folder; the descriptors that are given (SCM_RIGHTS)
 * come in the order of the bits.  One that is not given is /dev/null. */
typedef struct pare_shim_request {
    uint32_t given; /* bits 0, 1, 2: standard input, output, error */
} pare_shim_request;

/* How it ended. */
typedef struct pare_shim_end {
    int32_t status; /* as wait4 gives it; -1: no process could be made */
    struct rusage usage;
} pare_shim_end;

/* --- the in-process worker (worker.c), in shared memory ----------------------- */

enum { PARE_SHIM_INPUT_OFFSET = 128 }; /* bytes: where the candidate stands */

/* What a worker is doing.  It waits on `command` (a futex); who waits for it looks at
 * `done` first and then waits for a byte on the socket, having set `asleep`. */
/* NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding): words that are on lines apart */
typedef struct pare_shim_input {
    _Atomic uint32_t command; /* grows by one for each candidate */
    _Atomic uint32_t waiting; /* the worker sleeps on `command` */
    uint64_t size_bytes;
    _Alignas(64) _Atomic uint32_t done; /* the last command that returned normally */
    _Atomic uint32_t asleep;            /* a byte on the socket is wanted */
} pare_shim_input;

/* Between two looks at a word that another processor writes. */
static inline void pare_shim_pause(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#else
    atomic_signal_fence(memory_order_seq_cst);
#endif
}

#endif
