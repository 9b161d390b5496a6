/* The scripts that have interpreters say what they execute, as text: the files of recorders/, which
 * the build puts into C arrays (cmake/Scripts.cmake). */
#ifndef PARE_SESSION_TEST_REACH_RECORDERS_H
#define PARE_SESSION_TEST_REACH_RECORDERS_H

/* Each ends in a NUL. */
extern const char pare_reach_node[], pare_reach_python[], pare_reach_lua[], pare_reach_ruby[],
    pare_reach_perl[], pare_reach_php[];

#endif
