#!/bin/bash
# --check-with: what a compiler says of candidates mends them, with any number of jobs and from a
# journal, and is told in --stats.  The compiler is a script that knows one rule.
. "$PARE_SOURCE_DIR/tests/cli/claims.sh"

{
    echo '#define USE hidden()'
    for i in $(seq 300); do echo "int f$i(int a) { return a + $i; }"; done
    echo 'int hidden() { return 7; }'
    for i in $(seq 100); do echo "int g$i(int a) { return a * $i; }"; done
    echo 'int wanted(int a) { return a + USE; }'
} > in.cpp
cat > check.sh << 'END'
grep -q 'USE;' "$1" || exit 0
grep -q 'int hidden()' "$1" && exit 0
line=$(grep -n 'USE;' "$1" | cut -d: -f1)
echo "$1:$line:9: error: 'hidden' was not declared in this scope"
exit 1
END
cat > test.sh << 'END'
#!/bin/sh
grep -q 'return a + USE' "$1" && sh "$FOLDER/check.sh" "$1" > /dev/null
END
chmod +x test.sh
export FOLDER=$PWD
check="sh '$PWD/check.sh' @@"

reduce() { exits 0 "$PARE" reduce -q -a dependency "$@" ./test.sh in.cpp; }

# What was tried, without what depends on time.
steps() { sed 's/"ms":[^,]*,//; s/"source":"[a-z]*",//' "$1"; }

claim "one job" reduce -j1 --no-journal --check-with "$check" --trace t1 --stats s1 -o o1.cpp
claim "four jobs" reduce -j4 --no-journal --check-with "$check" --trace t4 --stats s4 -o o4.cpp
claim "the same result" cmp o1.cpp o4.cpp
claim "the same steps" cmp <(steps t1) <(steps t4)
claim "what is hidden stays" grep -q 'int hidden' o1.cpp
claim "a candidate did not compile" \
    bash -c 'jq -e ".compiled.candidates > .compiled.compiled and .compiled.checks > 0" s1'
claim "deaf" reduce -j1 --no-journal --check-with true --trace t0 --stats s0 -o o0.cpp
claim "hearing needs fewer tests" [ "$(wc -l < t1)" -lt "$(wc -l < t0)" ]

claim "part of it" reduce -j1 --journal j --check-with "$check" --max-tests 4 -o part.cpp
claim "the rest" reduce -j1 --journal j --check-with "$check" --trace t2 -o o2.cpp
claim "the journal leads to the same result" cmp o1.cpp o2.cpp
claim "by the same steps" cmp <(steps t1) <(steps t2)

# A compiler that is found by watching the test, also where it is a static program.
cat > tcc.c << 'END'
#include <stdio.h>
#include <string.h>
int main(int n, char **words)
{
    static char text[1 << 16];
    FILE *file = n > 1 ? fopen(words[1], "r") : NULL;
    if (!file || !fread(text, 1, sizeof text - 1, file)) return 1;
    const char *use = strstr(text, "USE;");
    int line = 1;
    if (!use || strstr(text, "int hidden()")) return 0;
    for (const char *at = text; at < use; at++)
        line += *at == '\n';
    printf("%s:%d:9: error: 'hidden' was not declared in this scope\n", words[1], line);
    return 1;
}
END
claim "a static compiler" cc -static -o tcc tcc.c
cat > test.sh << 'END'
#!/bin/sh
grep -q 'return a + USE' "$1" && "$FOLDER/tcc" "$1" > /dev/null
END
claim "with it" reduce -j1 --no-journal --stats sf -o of.cpp
claim "it is found" bash -c 'jq -e ".compiled.checks > 0" sf'
claim "and heard" grep -q 'int hidden' of.cpp
all_claimed
