/* The scripts that engines run, as text.  They are the .js files of this folder, which the build
 * puts into C arrays (cmake/Scripts.cmake); each is a function expression, to be called with an
 * object of options. */
#ifndef PARE_GENERATE_DISCOVERY_SCRIPTS_H
#define PARE_GENERATE_DISCOVERY_SCRIPTS_H

extern const char pare_scripts_explore[]; /* explore.js; ends in a NUL */

#endif
