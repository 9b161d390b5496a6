/* 128-bit products, which C17 itself does not have. */
#ifndef PARE_BASE_WIDE_H
#define PARE_BASE_WIDE_H

__extension__ typedef unsigned __int128 pare_wide;

#endif
