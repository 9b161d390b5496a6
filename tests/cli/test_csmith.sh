#!/bin/bash
# Programs of Debian's csmith, as it is, through its own randomness: they get smaller, and gcc
# accepts every one that is tried.  `make check-csmith` is the long form of this.
. "$PARE_SOURCE_DIR/tests/cli/claims.sh"
for need in csmith gcc; do
    command -v $need > /dev/null || {
        echo "$need is not installed"
        exit 77
    }
done
[ -e /usr/include/csmith/csmith.h ] || {
    echo "csmith.h is not installed"
    exit 77
}
options="--max-funcs 3 --max-block-size 3 --max-block-depth 2 --max-expr-complexity 5 --no-unions"

# smaller SEED WARNING TESTS: so many tests of a program that gcc warns of.
smaller() {
    local generator="csmith $options -s $1"
    claim "seed $1 is recorded" exits 0 "$PARE" generate --record "$1.c.choices" -o "$1.c" -- $generator
    claim "as csmith makes it" cmp -s "$1.c" <($generator)
    "$PARE_SOURCE_DIR/bench/csmith_test.sh" "$here" warning "$2" "$here/$1.c" || {
        echo "this gcc does not warn of seed $1: -W$2"
        return
    }
    claim "it is reduced" exits 0 "$PARE" reduce -q --generator "$generator" --choices "$1.c.choices" --max-tests "$3" --timeout 60 -- \
        "$PARE_SOURCE_DIR/bench/csmith_test.sh $here warning $2"
    claim "to less" [ "$(wc -c < "$1.min.c")" -lt "$(wc -c < "$1.c")" ]
    claim "that csmith makes" exits 0 "$PARE" generate --replay "$1.min.c.choices" -- $generator
    claim "of fewer choices" cmp -s out "$1.min.c"
    claim "and that fails" "$PARE_SOURCE_DIR/bench/csmith_test.sh" "$here" warning "$2" "$here/$1.min.c"
}
smaller 13 ignored-qualifiers 4
smaller 3 unused-but-set-variable 10
claim "programs were tried" [ "$(wc -l < calls)" -gt 8 ]
claim "gcc rejected none" [ ! -e rejects ]
all_claimed
