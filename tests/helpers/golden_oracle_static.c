/* The oracle of the golden and the random tests: KIND VALUE [MAX_US] CANDIDATE.  Exits
 * with 0 when the predicate holds, after a random time of up to MAX_US microseconds. */
#include <stdint.h>
#include <sys/random.h>
#include <time.h>

#include "../cli/support/predicates.h"
#include "candidate_text.h"

static void sleep_at_random(long max_us)
{
    uint32_t random = 0;
    if (max_us <= 0 || getrandom(&random, sizeof random, 0) != (ssize_t)sizeof random) return;
    const struct timespec time = {.tv_nsec = (long)(random % (uint32_t)max_us) * 1000};
    (void)nanosleep(&time, NULL);
}

int main(int argc, char **argv)
{
    if (argc < 4) return 99;
    const char *text = candidate_text(argv[argc - 1]);
    if (argc > 4) sleep_at_random(strtol(argv[3], NULL, 10));
    return predicate_holds(argv[1], argv[2], text) ? 0 : 1;
}
