#!/bin/bash
# Projects: files go with what mentions them, and several become one.
set -u
. "$(dirname "$0")/claims.sh"

stat_of() { jq -r "$1" stats.json; }

# --- a library of C with its Makefile; the failure is one division in one source ------------
mkdir -p calc/src calc/include
printf '#ifndef ADD_H\n#define ADD_H\nint add(int, int);\n#endif\n' >calc/include/add.h
printf '#pragma once\n#include "add.h"\nint mean(int, int, int);\n' >calc/include/mean.h
printf '#pragma once\nvoid help(void);\n' >calc/include/help.h
printf '#include "add.h"\nint add(int a, int b)\n{\n    return a + b;\n}\n' >calc/src/add.c
printf '#include "mean.h"\nint mean(int a, int b, int n)\n{\n    return add(a, b) / n; /* bug */\n}\n' \
    >calc/src/mean.c
printf '#include <stdio.h>\n#include "help.h"\nvoid help(void)\n{\n    puts("usage");\n}\n' >calc/src/help.c
printf '#include "mean.h"\n#include "help.h"\nint main(int n, char **v)\n{\n    (void)v;\n    if (n > 1) help();\n    return mean(1, 2, n - 1);\n}\n' \
    >calc/src/main.c
for i in 1 2 3 4 5 6; do echo "note $i" >calc/note$i.txt; done
cat >calc/Makefile <<'MAKE'
CFLAGS = -O1 -Wall -Wextra -Iinclude
OBJS = main.o add.o mean.o help.o
calc: $(OBJS)
	cc $(CFLAGS) -o calc $(OBJS)
main.o: src/main.c include/mean.h
	cc $(CFLAGS) -c src/main.c
add.o: src/add.c
	cc $(CFLAGS) -c src/add.c
mean.o: src/mean.c
	cc $(CFLAGS) -c src/mean.c
help.o: src/help.c
	cc $(CFLAGS) -c src/help.c
MAKE
# What a build is stands in for one: each object that is listed has its rule, sources and headers
# are there, and something divides.
cat >calc.sh <<'SH'
#!/bin/sh
cd "$1" && grep -q '^calc:' Makefile || exit 1
for object in $(sed -n 's/^OBJS = //p' Makefile); do
    grep -q "^$object:" Makefile || exit 1
done
for source in $(sed -n 's/.* -c //p' Makefile); do
    [ -f "$source" ] || exit 1
    for header in $(sed -n 's/^#include "\(.*\)"/\1/p' "$source" include/* 2>/dev/null); do
        [ -f "include/$header" ] || exit 1
    done
    cat "$source"
done | grep -q '/ n;'
SH
chmod +x calc.sh
claim "a project" exits 0 "$PARE" reduce -q -j1 ./calc.sh calc --max-tests 60 --stats stats.json
claim "is one source and its Makefile" [ "$(stat_of .files_out)" -le 2 ]
claim "the search is a pass" grep -q '"closures/file"' stats.json
claim "unused files go in one test" jq -e '.passes[] | select(.name == "closures/file") | .successes > 0' stats.json
claim "it still fails" ./calc.sh "$PWD/calc.min"
claim "the same at -j4" exits 0 "$PARE" reduce -q -j4 --deterministic ./calc.sh calc --max-tests 60 -o four
claim "indeed" diff -r calc.min four

# --- what stays, stays ------------------------------------------------------------------------
claim "--keep" exits 0 "$PARE" reduce -q -j1 ./calc.sh calc -o kept --keep 'help.*' --max-tests 40
claim "leaves the files as they were" cmp calc/src/help.c kept/src/help.c
claim "both" cmp calc/include/help.h kept/include/help.h
claim "--protect" exits 0 "$PARE" reduce -q -j1 ./calc.sh calc -o protected --protect usage --max-tests 40
claim "leaves the text" grep -q usage protected/src/help.c

all_claimed
