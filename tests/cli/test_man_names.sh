#!/bin/bash
# The manual pages hold every option of each command, every name that a run prints (algorithms,
# units, passes, phases), and no option that the program does not know.
set -eu
. "$PARE_SOURCE_DIR/tests/cli/claims.sh"

pages=$PARE_SOURCE_DIR/doc/man

# all_options COMMAND: the options of a command, or of all its parts.
all_options() {
    local part
    "$PARE" "$1" --help=all
    for part in $("$PARE" "$1" --help | sed -n "s/^  pare $1 \([a-z]*\) .*/\1/p"); do
        "$PARE" "$1" "$part" --help=all
    done
}

for command in reduce isolate parse generate learn shootout lang graph fuzz worker; do
    all_options "$command" | sed -n 's/^  \(-., \|    \)--\([a-z-]*\).*/\2/p' | sort -u > options
    claim "$command has options" [ -s options ]
    grep -oE '(Fl Fl |Fl -|, -)[a-z][a-z-]+' "$pages/pare-$command.1" | sed 's/.* -*//; s/^-//' |
        sort -u > written
    claim "pare-$command(1) has every option: $(comm -23 options written | tr '\n' ' ')" \
        [ -z "$(comm -23 options written)" ]
    "$PARE" reduce --help=all | cat - <("$PARE" generate --help=all) |
        sed -n 's/^  \(-., \|    \)--\([a-z-]*\).*/\2/p' | cat - options | sort -u > known
    claim "pare-$command(1) has no other: $(comm -13 known written | tr '\n' ' ')" \
        [ -z "$(comm -13 known written)" ]
    claim "pare(1) names pare-$command(1)" grep -q "^\.Xr pare-$command 1" "$pages/pare.1"
done

"$PARE" reduce --list-algorithms | sed -n 's/^  \([a-z][a-z-]*\) .*/\1/p' > names
# Passes are const structs; their names stand in the sources only.
sed -n 's/^ *\.name = "\([a-z-]*\)",$/\1/p' "$PARE_SOURCE_DIR"/src/reduce/passes/*.c \
    "$PARE_SOURCE_DIR"/src/reduce/binding/*.c >> names
claim "there are many names" [ "$(wc -l < names)" -ge 40 ]
while read -r name; do
    claim "pare-reduce(1) has $name" grep -qE "^\.It Cm (.* , )?$name( , .*)?$" "$pages/pare-reduce.1"
done < names
for word in scout heavy-lists adaptive-once excursions coverage halves FAIL PASS UNRESOLVED keeping also \
    resume flaky stopped minimal; do
    claim "pare-reduce(1) has $word" grep -qw -- "$word" "$pages/pare-reduce.1"
done
all_claimed
