/* Captures: the head and the tail of what a test prints.
 *
 * The head is filled first.  The tail is written on and on into room for two; when that is
 * full, its second half, which is the tail so far, moves to the front.  So the tail is always
 * in one piece, at the cost of one copy of each byte.
 *
 * Invariants: n_head <= PART; n_tail > 0 only when the head is full; n_tail <= 2 * PART, and
 * it holds the last min(PART, all after the head) bytes at least.  Memory: 96 KiB a stream,
 * whatever is printed.
 *
 * A ring would need no copy, but its text comes in two pieces, and everything that reads it
 * (recognisers, regular expressions) wants one. */
#include "run/capture.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "os/descriptor.h"
#include "os/spawn.h"

enum {
    PART = PARE_CAPTURE_PART_BYTES,
    READS_AT_ONCE = 32 /* so that one flooding test does not keep us from the others */
};

/* Stands for what was left out. */
static const char CUT[] = "\n[...]\n";

/* Our end does not block, for it is read whenever the epoll says so; the test's end does, as
 * it would expect. */
pare_status pare_capture_open(pare_capture *capture, pare_error *err)
{
    int ends[2] = {-1, -1};
    pare_capture made = {.bytes = pare_alloc(3, PART)};
    if (!made.bytes) return pare_fail_nomem(err);
    pare_status status = pare_descriptor_pipe(PARE_SPAWN_LEAST_FD, ends, "a pipe", err);
    made.read_fd = ends[0];
    made.write_fd = ends[1];
    if (!status && fcntl(made.read_fd, F_SETFL, O_NONBLOCK))
        status = pare_fail_errno(err, errno, "cannot make a pipe");
    if (status)
        pare_capture_close(&made);
    else
        *capture = made;
    return status;
}

/* By the counts alone; the bytes themselves may be anything. */
bool pare_capture_check(const pare_capture *capture)
{
    return capture->n_head <= PART && capture->n_tail <= 2 * (size_t)PART &&
           (!capture->n_tail || capture->n_head == PART) &&
           capture->n_head + capture->n_tail <= capture->total;
}

/* A server may hold the writing end still: what it writes from then on reaches nobody. */
void pare_capture_close(pare_capture *capture)
{
    if (!capture->bytes) return;
    if (capture->read_fd >= 0) (void)close(capture->read_fd);
    if (capture->write_fd >= 0) (void)close(capture->write_fd);
    pare_alloc_free(capture->bytes);
    *capture = (pare_capture){0};
}

/* The flags belong to the pipe, not to the descriptor, so they are what the last holder left. */
void pare_capture_restore(pare_capture *capture)
{
    (void)fcntl(capture->write_fd, F_SETFL, 0);
}

/* Bytes of a test that are still in the pipe would be taken for the next one's: it has to be
 * drained before, which its end does. */
void pare_capture_reset(pare_capture *capture)
{
    capture->n_head = capture->n_tail = capture->total = 0;
    capture->hash = (pare_hash){{0, 0}};
}

/* Where the next bytes go, and how many fit there, which is never none. When the tail of the buffer
 * is full it is first moved to the front, which forgets its older half. */
static char *room(pare_capture *capture, size_t *size)
{
    char *tail = capture->bytes + PART;
    assert(pare_capture_check(capture));
    if (capture->n_head < PART) {
        *size = PART - capture->n_head;
        return capture->bytes + capture->n_head;
    }
    if (capture->n_tail == 2 * (size_t)PART) {
        memcpy(tail, tail + PART, PART);
        capture->n_tail = PART;
    }
    *size = 2 * (size_t)PART - capture->n_tail;
    return tail + capture->n_tail;
}

/* A byte is hashed before it can be dropped, so the digest is of all there was. */
bool pare_capture_drain(pare_capture *capture)
{
    for (unsigned k = 0; k < READS_AT_ONCE; k++) {
        size_t size;
        char *to = room(capture, &size);
        ssize_t n = read(capture->read_fd, to, size);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        if (capture->hashing) capture->hash = pare_digest_extend(capture->hash, to, (size_t)n);
        if (capture->n_head < PART)
            capture->n_head += (size_t)n;
        else
            capture->n_tail += (size_t)n;
        capture->total += (size_t)n;
    }
    return true;
}

/* Bounded by the pipe's size, for a process that has got away from us may write on and on. */
void pare_capture_finish(pare_capture *capture)
{
    const int size = fcntl(capture->read_fd, F_GETPIPE_SZ);
    const size_t before = capture->total;
    while (pare_capture_drain(capture) && size > 0 && capture->total - before < (size_t)size)
        continue;
}

/* Puts the line about what was left out between the two parts, into the room of the tail. */
pare_printed pare_capture_text(pare_capture *capture)
{
    char *tail = capture->bytes + PART;
    size_t cut = sizeof CUT - 1;
    if (capture->n_head + capture->n_tail < capture->total) {
        memmove(tail + cut, tail + capture->n_tail - PART, PART);
        memcpy(tail, CUT, cut);
        capture->n_tail = PART + cut;
        capture->total = capture->n_head + capture->n_tail; /* so that it is cut once */
    }
    return (pare_printed){.text = capture->bytes, .size = capture->n_head + capture->n_tail};
}

/* The digest's size is that of all that was read, so a text that was cut has another digest
 * than what is left of it. */
pare_digest pare_capture_digest(const pare_capture *capture)
{
    return pare_digest_of(capture->hash, capture->total);
}
