/* One step of a chain of right recursion, for the run and for what makes chains again. */
#ifndef PARE_PARSE_LEO_LINK_H
#define PARE_PARSE_LEO_LINK_H

#include "parse/chart.h"

/* The only waiter of a group that can go on before the letter, when that completes its
 * production; PARE_NO_ITEM when there is none such. */
uint32_t pare_leo_find_link(const pare_chart *chart, uint32_t group, uint32_t letter);

#endif
