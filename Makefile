# Thin front of CMake and ctest: `make help` lists what it can do.
# Build trees lie under build/<preset>; CMakePresets.json says what they are.

PREFIX ?= /usr/local
FUZZ_SECONDS ?= 600
FUZZ_TARGETS ?=
SOAK_TESTS ?= 1000000
PEERS_ARGS ?=
DEPENDENCY_TESTS ?= 150
DEPENDENCY_KINDS ?=
TSAN_TESTS ?=
VALGRIND_TESTS ?=
TEST_OPTIONS ?=
BENCH ?=
JOBS ?= $(shell nproc)

RUN_TESTS = JOBS=$(JOBS) scripts/run_tests.sh

.PHONY: build run test check check-long test-default test-all test-asan test-asan-all test-long check-corpus check-generated check-csmith check-fresh bench bench-campaign bench-formats bench-graph bench-peers bench-dependency \
        bench-shootout soak lint house install deb \
        debug asan tsan valgrind coverage fuzz format clean help

build: ## build the library, the program, examples and benchmarks
	cmake --preset release
	cmake --build --preset release

run: ## install what is needed, build, and reduce a real failing input
	scripts/bootstrap.sh run
	$(MAKE) build
	PARE="$(CURDIR)/build/release/pare" examples/demo/run.sh

# One after the other, whatever -j was given: both use every core by themselves.  Unit tests run in both
# builds; a command-line test runs once, with sanitizers where it shows as much there (label `sanitized`).
test: ## install what the tests need, then run all of them; unit tests plain and with ASan+UBSan
	scripts/bootstrap.sh test
	$(MAKE) test-default TEST_OPTIONS='--label-exclude ^sanitized$$$$'
	$(MAKE) test-asan

# Each fuzz target goes beyond its corpus with sanitizers only, for 5 s of processor time: the texts are
# those of one seed, so a plain run would see the same ones, and less of what goes wrong.
test-default:
	cmake --preset default -DPARE_WERROR=ON
	cmake --build --preset default
	$(RUN_TESTS) default $(TEST_OPTIONS)

test-asan:
	cmake --preset asan -DPARE_WERROR=ON
	cmake --build --preset asan
	PARE_FUZZ_SECONDS=$${PARE_FUZZ_SECONDS:-5} $(RUN_TESTS) asan

test-all: ## all tests in both builds, the longest way: make test-default, then make test-asan-all
	scripts/bootstrap.sh test
	$(MAKE) test-default
	$(MAKE) test-asan-all

test-asan-all: ## with ASan+UBSan also the command-line tests that make test runs plainly only
	cmake --preset asan -DPARE_WERROR=ON -DPARE_SANITIZE_ALL=ON
	cmake --build --preset asan
	code=0; PARE_FUZZ_SECONDS=$${PARE_FUZZ_SECONDS:-5} $(RUN_TESTS) asan || code=$$?; \
	cmake --preset asan -DPARE_SANITIZE_ALL=OFF; exit $$code

check: ## for work in progress: unit tests, golden traces and fuzz corpora, under a minute
	cmake --preset default
	cmake --build --preset default
	$(RUN_TESTS) default --label-regex '^(unit|fuzz)$$' --label-exclude '^slow$$'

test-long: ## what make test shows on samples, in full: kills at more system calls, more runs
	cmake --preset default
	cmake --build --preset default
	PARE_TEST_LONG=1 $(RUN_TESTS) default --label-regex '^long$$' --timeout 1500

# The second part runs also where the first has failed: each takes an hour or so.
check-long: ## TSan over the tests with slots or threads, then valgrind over the unit tests
	rm -f build/tsan/tests/summary.txt build/valgrind/tests/summary.txt
	code=0; \
	$(MAKE) tsan TSAN_TESTS='--label-regex ^slots$$$$' || code=$$?; \
	$(MAKE) valgrind VALGRIND_TESTS='--label-regex ^unit$$$$' || code=$$?; \
	cat build/tsan/tests/summary.txt build/valgrind/tests/summary.txt; \
	exit $$code

check-corpus: ## tree algorithms on the shared corpus, all runs to their end: some hours
	cmake --preset default
	cmake --build --preset default
	env PARE_CORPUS=0 PARE="$(CURDIR)/build/default/pare" PARE_SOURCE_DIR="$(CURDIR)" \
	    PARE_BUILD_DIR="$(CURDIR)/build/default" \
	    PARE_HELPERS="$(CURDIR)/build/default/helpers" build/default/tests/cli/cli_corpus

check-default: ## the default on the shared cases: -j1, --deterministic -j8 and -j8; an hour
	$(MAKE) build
	bench/languages.sh build/release/pare build/data
	PARE_DATA="$(CURDIR)/build/data" bench/check_default.sh build/release/pare ../shared

check-generated: ## 10,000 texts by each grammar of the shared collection, parsed: half an hour
	cmake --preset default
	cmake --build --preset default
	env PARE_GENERATED=10000 PARE_SOURCE_DIR="$(CURDIR)" build/default/tests/cli/cli_generated

check-csmith: ## programs of csmith, reduced through its randomness, beside creduce: an hour
	scripts/bootstrap.sh csmith
	$(MAKE) build
	bench/csmith.sh "$(CURDIR)/build/release/pare"

check-fresh: ## make run on a fresh Debian 12, then its languages without a network: root, 9 GB
	scripts/fresh_root.sh

bench: ## measure: bench/run.sh, BENCH for parts of it; hours with the cases and the peers
	scripts/bootstrap.sh bench
	$(MAKE) build
	PEERS_ARGS="$(PEERS_ARGS)" bench/run.sh "$(CURDIR)/build/release" $(BENCH)

bench-peers: ## other reducers (Debian's) and ours on the same cases: hours; PEERS_ARGS for run.sh
	scripts/bootstrap.sh peers
	$(MAKE) build
	PEERS_ARGS="$(PEERS_ARGS)" bench/run.sh "$(CURDIR)/build/release" peers

bench-shootout: ## pare shootout on generated cases, on the corpus and on the workloads
	$(MAKE) build
	bench/run.sh "$(CURDIR)/build/release" shootout

bench-formats: ## generated inputs of 17 formats without a language, beside the smallest known
	$(MAKE) build
	bench/run.sh "$(CURDIR)/build/release" formats

bench-campaign: ## what a campaign costs by itself; TESTS, RAW and SECONDS for its size
	scripts/bootstrap.sh bench
	$(MAKE) build
	bench/campaign/overhead.py "$(CURDIR)/build/release/pare"

bench-graph: ## prototype graphs beside jsfunfuzz: lines reached and failures found, an hour and a half
	scripts/bootstrap.sh bench
	$(MAKE) build
	bench/graph/run.sh "$(CURDIR)/build/release/pare"

# DEPENDENCY_TESTS at most for each of two builds on each input; DEPENDENCY_KINDS of bench/big/make_input.py.
bench-dependency: ## tests until 5 % are left of large programs, with the graph of declarations and without: hours
	scripts/bootstrap.sh bench
	$(MAKE) build
	bench/big/until_five.sh build/release/pare without $(DEPENDENCY_TESTS) $(DEPENDENCY_KINDS)

soak: ## SOAK_TESTS (1000000) by each runner: does anything grow?  An hour
	$(MAKE) build
	PARE_LIBEXEC="$(CURDIR)/build/release" build/release/bench/bench_soak build/release/bench $(SOAK_TESTS)

lint: ## clang-format, layer and include checks, cppcheck, clang-tidy
	scripts/bootstrap.sh lint
	cmake --preset default
	scripts/lint.sh build/default

house: ## the measures of the sources beside their aims (scripts/house.py --help)
	@command -v python3 >/dev/null || { echo "house: python3 is missing: apt-get install python3" >&2; exit 1; }
	@scripts/house.py

# What is installed is for all users to read, whatever the umask of who installs it.
install: build ## install under PREFIX (/usr/local), honours DESTDIR
	umask 022 && cmake --install build/release --prefix "$(PREFIX)"

deb: ## make the Debian packages and a .tar.gz in build/package; lintian has to be content
	scripts/bootstrap.sh deb
	cmake --preset package
	cmake --build --preset package
	rm -f build/package/*.deb
	umask 022 && cd build/package && cpack
	scripts/check_debs.sh build/package

debug: ## build without optimisation
	cmake --preset debug
	cmake --build --preset debug

asan: test-asan ## tests with AddressSanitizer and UndefinedBehaviorSanitizer

# gcc 12's ThreadSanitizer cannot live with much address randomisation; without
# the right to switch it off we try as it is.
tsan: ## tests with ThreadSanitizer
	cmake --preset tsan
	cmake --build --preset tsan
	if setarch -R true 2>/dev/null; then fixed="setarch -R"; else fixed=; fi; \
	$$fixed env $(RUN_TESTS) tsan $(TSAN_TESTS)

# Parsers that unit tests need: valgrind does not know the clone() by which they would be compiled.
VALGRIND_LANGUAGES = bash c cpp csharp go html java javascript json kotlin lua perl php python ruby rust sql \
        tsx typescript verilog

valgrind: ## unit tests and fuzz corpora under valgrind; a leak is a failure
	scripts/bootstrap.sh valgrind
	cmake --preset valgrind
	cmake --build --preset valgrind
	bench/languages.sh build/valgrind/pare build/test-data $(VALGRIND_LANGUAGES)
	$(RUN_TESTS) valgrind $(VALGRIND_TESTS)

coverage: ## tests with gcov; report in build/coverage/report/index.html
	scripts/bootstrap.sh coverage
	cmake --preset coverage
	cmake --build --preset coverage
	find build/coverage -name '*.gcda' -delete
	$(RUN_TESTS) coverage
	mkdir -p build/coverage/report
	gcovr --root . --filter src/ --object-directory build/coverage \
	    --print-summary --html-details build/coverage/report/index.html

fuzz: ## run FUZZ_TARGETS (all, oldest figures first) for FUZZ_SECONDS (600) each; 8 hours
	scripts/bootstrap.sh fuzz
	cmake --preset fuzz
	cmake --build --preset fuzz --target fuzzers
	JOBS=$(JOBS) scripts/fuzz.sh --table docs/lab/fuzzing.md build/fuzz $(FUZZ_SECONDS) $(FUZZ_TARGETS)

format: ## rewrite the C sources as .clang-format says
	scripts/bootstrap.sh lint
	scripts/format.sh --fix

clean: ## remove every build tree
	rm -rf build

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-14s %s\n", $$1, $$2 }' Makefile
