/* What bench_runner tests where AFL++ is there: a parser of brackets in AFL's loop, which
 * gets its candidates in shared memory.  Compiled by bench/run.sh with afl-clang-fast. */
#include <stdlib.h>
#include <unistd.h>

__AFL_FUZZ_INIT();

/* Aborts at a '#' within more than three brackets. */
static int parse(const unsigned char *bytes, int size)
{
    int depth = 0;
    for (int k = 0; k < size; k++) {
        if (bytes[k] == '(') depth++;
        if (bytes[k] == ')') depth--;
        if (bytes[k] == '#' && depth > 3) abort();
    }
    return depth;
}

int main(void)
{
    static volatile int depth;
    __AFL_INIT();
    const unsigned char *bytes = __AFL_FUZZ_TESTCASE_BUF;
    while (__AFL_LOOP(100000))
        depth = parse(bytes, __AFL_FUZZ_TESTCASE_LEN);
    return depth < 0;
}
