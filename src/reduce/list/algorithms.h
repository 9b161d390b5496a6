/* The list algorithms, one source file each; what they do stands there. */
#ifndef PARE_REDUCE_LIST_ALGORITHMS_H
#define PARE_REDUCE_LIST_ALGORITHMS_H

#include "reduce/list/algorithm.h"

extern const pare_list_algorithm pare_list_ddmin;
extern const pare_list_algorithm pare_list_ddmin_parallel;
extern const pare_list_algorithm pare_list_ddmin_complement;
extern const pare_list_algorithm pare_list_ddmin_blog;
extern const pare_list_algorithm pare_list_ddrmin;
extern const pare_list_algorithm pare_list_quickxplain;
extern const pare_list_algorithm pare_list_group_testing;
extern const pare_list_algorithm pare_list_adaptive;
extern const pare_list_algorithm pare_list_lithium;
extern const pare_list_algorithm pare_list_probdd;
extern const pare_list_algorithm pare_list_cdd;
extern const pare_list_algorithm pare_list_sweep;

/* Not in the table: it promises nothing, and is only of use before others. */
extern const pare_list_algorithm pare_list_bisect, pare_list_bisect_ends, pare_list_adaptive_once;

#endif
