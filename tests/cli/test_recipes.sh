#!/bin/bash
# The command lines of README's recipes, each on an input of its kind, by a few tests: it is
# accepted, the failure is found, and the result is smaller.  Those of programs that are not
# installed, or do not fail here, are named and left out.
set -eu
. "$PARE_SOURCE_DIR/tests/cli/claims.sh"

# --- inputs --------------------------------------------------------------------

{
    for i in {1..40}; do echo "int filler_$i(int a) { return a + $i; }"; done
    echo 'class { public: template <class... a> int b() {'
    echo '    (... % []() requires(0 > sizeof(a)) { (a)0; }); } } c;'
    echo 'int main() { c.b<int>(); }'
} > ice.cpp
printf '%s\n' 'int one(int a) { return a + 1; }' 'int two(void)' '{' '#pragma clang __debug crash' \
    '    return one(2);' '}' > crash.c
{
    for i in {1..40}; do echo "create table t$i(a, b); insert into t$i values($i, 'x');"; done
    echo "select no_such_function(a) from t3;"
} > crash.sql
echo 'import json, sys
rows = json.load(open(sys.argv[1]))
print(sum(row["price"] * row["count"] for row in rows))' > tool.py
{
    for i in {1..20}; do echo "[{\"price\": $i, \"count\": 2},"; done | tr -d '[' | sed '1s/^/[/'
    echo '{"price": 1, "count": null}]'
} > orders.json
printf '%s\n' 'local n = 0' 'for i = 1, 3 do n = n + i end' 'while n > 0 do' '  if n == 9 then n = 0 end' \
    'end' 'print(n)' > loop.lua
mkdir project
printf '%s\n' '#include "a.h"' 'int main(void) { return a() + missing; }' > project/main.c
echo 'int a(void);' > project/a.h
echo 'notes' > project/NOTES
{ seq 60; echo 'a bug here'; seq 60; } > log.txt
printf '%s\n' '#!/bin/sh' 'grep -q bug "$1" && [ "$(od -An -N1 -tu1 /dev/urandom)" -lt 200 ]' > flaky.sh
printf '%s\n' '#include <stdio.h>' 'int main(void)' '{' '    int a = 5, b = 2;' \
    '    char c = (char)200;' '    printf("%d\n", a / b);' '    printf("%d\n", c > 0);' \
    '    return 0;' '}' > wrong.c
echo '#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    for (size_t i = 0; i + 1 < size; i++)
        if (data[i] == 7 && data[i + 1] == 9) abort();
    return 0;
}' > harness.c
cc -shared -fPIC -o harness.so harness.c
{ head -c 500 /dev/zero; printf '\007\011'; head -c 500 /dev/zero; } > crash.bin
echo '#!/bin/sh
gcc -Wsign-compare -fsyntax-only -I/usr/include/csmith "$1" 2>&1 | grep -q "different signedness"' > warns.sh
chmod +x flaky.sh warns.sh

# --- the lines -------------------------------------------------------------------

sed -n '/^## Recipes/,/^More /{/^pare /p}' "$PARE_SOURCE_DIR/README.md" > lines
claim "README has ten recipes" [ "$(wc -l < lines)" -ge 11 ]

# Sizes of files, and of all files in folders.
size_of() { find "$1" -type f -exec cat {} + | wc -c; }

# Whether the program behind a line is there and fails as the recipe says.
applies() {
    case $1 in
    *' g++ '*) command -v g++ > /dev/null && g++ -std=c++20 -w -c ice.cpp -o x.o 2>&1 | grep -q 'internal compiler' ;;
    *' clang '*) command -v clang gcc > /dev/null && ! clang -c crash.c -o x.o 2> /dev/null ;;
    *'gcc '* | *warns.sh* | *csmith*) command -v gcc > /dev/null && { [[ $1 != *csmith* ]] || command -v csmith > /dev/null; } ;;
    *sqlite3*) command -v sqlite3 > /dev/null ;;
    *python3*) command -v python3 > /dev/null ;;
    *lua5.1*) command -v lua5.1 > /dev/null ;;
    esac
}

n_run=0
while IFS= read -r line <&3; do
    if ! applies "$line"; then
        echo "NOTICE: left out: $line" >&2
        continue
    fi
    n_run=$((n_run + 1))
    if [[ $line == "pare generate"* ]]; then
        claim "$line" exits 0 bash -c "pare() { \"$PARE\" \"\$@\"; }; $line"
        continue
    fi
    limit=12
    [[ $line != *--hang* ]] || limit=8
    limited="pare reduce --max-tests $limit${line#pare reduce}"
    claim "$line" exits 0 bash -c "pare() { \"$PARE\" \"\$@\"; }; $limited"
    case $line in
    *choices*) input=bad.c result=bad.min.c ;;
    *) input=$(grep -oE '(ice|crash|orders|loop|log|wrong)\.[a-z]+|project' <<< "$line" | head -n 1)
       result=${input/./.min.}; [[ $input == *.* ]] || result=$input.min ;;
    esac
    claim "its result is smaller: $line" [ "$(size_of "$result")" -lt "$(size_of "$input")" ]
done 3< lines
claim "some recipes ran" [ "$n_run" -ge 2 ]
all_claimed
