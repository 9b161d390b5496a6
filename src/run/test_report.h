/* Reports of tests: lines in which a test runner names a test that failed, such as
 *
 *     not ok 7 - sum                          TAP: Perl's, Node's
 *     --- FAIL: TestSum (0.00s)               Go
 *     [  FAILED  ] Sum.IsRight (0 ms)         GoogleTest, cmocka
 *     test sum ... FAILED                     Rust
 *     FAIL: test_sum (__main__.SumTest)       Python's unittest, Automake
 *     FAILED test_sum.py::test_sum - ...      pytest
 *     Failure: test_sum(SumTest)              Ruby's test-unit
 *     1) Failure:                             Ruby's minitest: the name is on the next line
 *     1) SumTest::testSum                     PHPUnit
 *
 * The number and the time of a test are no part of its name: they change with the tests around it.
 * Sources: the formats that these print; TAP version 14, "Test Points".  Any thread; cost: one walk
 * over the line. */
#ifndef PARE_RUN_TEST_REPORT_H
#define PARE_RUN_TEST_REPORT_H

#include <stdbool.h>
#include <stddef.h>

/* A slice of the line that was read, or of the one after it. */
typedef struct pare_test_report {
    const char *name;
    size_t size; /* 0: the test has no name */
} pare_test_report;

/* Reads a line without escape sequences and with single blanks, and the one after it ("": none);
 * false: it names no test that failed. */
bool pare_test_report_read(const char *line, const char *next, pare_test_report *out);

#endif
