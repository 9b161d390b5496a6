/* A choice between on and off that leaves the default to the library. */
#ifndef PARE_SWITCH_H
#define PARE_SWITCH_H

#ifdef __cplusplus
extern "C" {
#endif

typedef enum pare_switch { PARE_DEFAULT, PARE_ON, PARE_OFF } pare_switch;

#ifdef __cplusplus
}
#endif

#endif
