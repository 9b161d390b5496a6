/* Reports of tests: lines in which a test runner names a test that failed, such as
 *
 *     not ok 7 - sum                          TAP: Perl's, Node's
 *     --- FAIL: TestSum (0.00s)               Go
 *     [  FAILED  ] Sum.IsRight (0 ms)         GoogleTest, cmocka
 *     test sum ... FAILED                     Rust
 *     FAIL: test_sum (__main__.SumTest)       Python's unittest, Automake
 *     FAILED test_sum.py::test_sum - ...      pytest, with what was not so
 *     Failure: test_sum(SumTest)              Ruby's test-unit
 *     1) Failure:                             Ruby's minitest: the name is on the next line
 *     1) SumTest::testSum                     PHPUnit
 *     1) Sum is right                         RSpec, above the code; what was not so is below
 *     ● sum › is right                        Jest, the same without the code
 *     Failure -> sum_spec.lua @ 3             busted: the name, then what was not so
 *     [fail]: sum                             AVA, behind a sign
 *     1 - sum (Failed)                        CTest
 *
 * The number and the time of a test are no part of its name: they change with the tests around it.
 * What was not so, the reason, tells two failures of one test apart; it is read where the format has one
 * place for it.
 * Sources: the formats that these print; TAP version 14, "Test Points".  Any thread; cost: one walk
 * over the line, and over the few below it where it names a test. */
#ifndef PARE_RUN_TEST_REPORT_H
#define PARE_RUN_TEST_REPORT_H

#include <stdbool.h>

#include "run/printed.h"
#include "run/signature.h"

typedef struct pare_test_report {
    char name[PARE_SIGNATURE_LINE_BYTES];   /* "": the test has none */
    char reason[PARE_SIGNATURE_LINE_BYTES]; /* "": none is told */
} pare_test_report;

/* Reads a line, and those below that belong to the same report; false: it names no test that failed. */
bool pare_test_report_read(const pare_printed_line *line, pare_test_report *out);

#endif
