/* How much of what is written survives a loss of power. */
#ifndef PARE_SYNC_H
#define PARE_SYNC_H

#ifdef __cplusplus
extern "C" {
#endif

/* Under SECOND and ALWAYS an original is on disk before anything replaces it, and a result is
 * at any instant the old one or the new one, whole.  They differ in what may be missing. */
typedef enum pare_sync {
    PARE_SYNC_SECOND, /* the last second: outcomes and results are that far behind at most; a result
                         that takes longer to write, as of a large folder, by as long as it takes */
    PARE_SYNC_ALWAYS, /* nothing: each outcome and each result is on disk before the next test */
    PARE_SYNC_NEVER   /* anything the kernel had not written yet; a kill of the process alone
                         still loses nothing */
} pare_sync;

#ifdef __cplusplus
}
#endif

#endif
