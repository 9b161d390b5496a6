/* Which functions a program may call: everything marked PARE_API, nothing else
 * leaves the shared library. */
#ifndef PARE_EXPORT_H
#define PARE_EXPORT_H

#ifdef __cplusplus
extern "C" {
#endif

#define PARE_API __attribute__((visibility("default")))

/* The result must be looked at. */
#define PARE_CHECK __attribute__((warn_unused_result))

#ifdef __cplusplus
}
#endif

#endif
