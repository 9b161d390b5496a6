/* One thread, one parse, one join.
 *
 * The thread reads the text's bytes and uses the reader; all else, references to texts above all, is
 * the starter's.  Both never look at the same thing at once: between start and join the reader is
 * the thread's.  A parse that nobody wants any more, because it is dropped or because the run is to
 * stop, is interrupted (base/interrupt.h).
 *
 * Invariant: after drop the reader knows what it knew before start.  Shortest texts are learned from
 * the first text that is parsed, so a parse that was only begun must not have taught any.
 *
 * Why not incremental parsing instead: tree-sitter's old tree has to be kept for it, some 60 bytes
 * for a byte of C++, and what is parsed again after a phase is mostly a small part of the input;
 * what tests waited for was the first parse (docs/lab/benchmarks.md). */
#include "reduce/syntax/ahead.h"

#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

#include "base/alloc.h"
#include "base/digest.h"
#include "base/fail.h"
#include "base/interrupt.h"

struct pare_ahead {
    pthread_t thread;
    pare_reader *reader;   /* borrowed */
    const pare_text *text; /* one reference */
    pare_stretch file;
    const char *bytes;
    pare_separators side;
    bool had_texts;              /* the reader, before */
    const atomic_bool *starters; /* what asks the starter to leave its work, too; may be NULL */
    atomic_bool unwanted;        /* the starter gives it up */
    pare_parse_tree tree;        /* as the three below: the thread's until it has ended */
    pare_status status;
    pare_error err;
    long blocks; /* that the thread has allocated and not freed, in test builds */
};

static void *work(void *context)
{
    pare_ahead *self = context;
    (void)pare_interrupt_watch((pare_interrupt){{self->starters, &self->unwanted}});
    self->status = pare_reader_parse(self->reader, self->bytes, self->file.to - self->file.from,
                                     self->side, &self->tree, &self->err);
#ifdef PARE_FAULT_INJECTION
    self->blocks = pare_alloc_live();
#endif
    return NULL;
}

/* Signals are for the starter's thread, which knows what to do about them. */
static int start_thread(pare_ahead *self)
{
    sigset_t all, before;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    int code = pthread_create(&self->thread, NULL, work, self);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return code;
}

pare_status pare_ahead_start(pare_reader *reader, const pare_text *text, pare_stretch file,
                             pare_separators side, pare_ahead **out, pare_error *err)
{
    pare_ahead *self = pare_alloc_zero(1, sizeof *self);
    if (!self) return pare_fail_nomem(err);
    assert(file.from <= file.to && file.to <= pare_text_size(text) && pare_text_bytes(text));
    self->reader = reader;
    self->text = pare_text_ref(text);
    self->file = file;
    self->bytes = (const char *)pare_text_bytes(text) + file.from;
    self->side = side;
    self->starters = pare_interrupt_watched().flags[0];
    self->had_texts = pare_reader_has_texts(reader);
    int code = start_thread(self);
    if (!code) {
        *out = self;
        return PARE_OK;
    }
    pare_text_unref(self->text);
    pare_alloc_free(self);
    return pare_fail_errno(err, code, "cannot start a thread");
}

static pare_digest digest_of(const pare_text *text, pare_stretch file)
{
    const size_t size = file.to - file.from;
    return pare_digest_of(pare_text_slice(text, file.from, size), size);
}

/* By digest: the engine's text of the input is another object with the same bytes. */
bool pare_ahead_is_of(const pare_ahead *ahead, const pare_text *text, pare_stretch file,
                      pare_separators side)
{
    return ahead->side == side &&
           pare_digest_equal(digest_of(ahead->text, ahead->file), digest_of(text, file));
}

/* Waits for the thread; what it has allocated is this thread's from here on. */
static void join(pare_ahead *self)
{
    (void)pthread_join(self->thread, NULL);
#ifdef PARE_FAULT_INJECTION
    pare_alloc_adopt(self->blocks);
#endif
}

static void free_joined(pare_ahead *self)
{
    pare_text_unref(self->text);
    pare_alloc_free(self);
}

pare_status pare_ahead_take(pare_ahead *ahead, pare_parse_tree *tree, pare_error *err)
{
    join(ahead);
    const pare_status status = ahead->status;
    if (!status)
        *tree = ahead->tree;
    else if (err)
        *err = ahead->err;
    free_joined(ahead);
    return status;
}

void pare_ahead_drop(pare_ahead *ahead)
{
    if (!ahead) return;
    atomic_store(&ahead->unwanted, true);
    join(ahead);
    if (!ahead->status) pare_parse_tree_done(&ahead->tree);
    if (!ahead->had_texts) (void)pare_reader_forget_texts(ahead->reader);
    free_joined(ahead);
}
