#!/bin/bash
# Targets that mean harm: one that forks without end, floods, hangs, deletes its folder, or kills its
# parent.  The campaign ends by itself, what it found is kept, and nothing is left.
set -eu
. "$PARE_SOURCE_DIR/tests/cli/claims.sh"
"$PARE" fuzz --help > /dev/null 2>&1 || { echo "pare is built without campaigns: skipped"; exit 77; }

chmod 755 "$here" # what a sandboxed test may read
mkdir in
for k in 1 2 3; do echo "text $k" > in/$k; done
echo bad > in/4

# Each is harmful on all inputs, and fails on one of them.
cat > fork.sh <<'END'
f() { f | f & }
read -r line < "$1" # by the shell itself: soon there is no room for another process
[ "$line" = bad ] || f
# One that goes off first would end the test before it fails: here a single process stays behind.
sleep 1000 &
[ "$line" != bad ] || kill -s SEGV $$
END
cat > flood.sh <<'END'
grep -q bad "$1" && kill -s SEGV $$
yes
END
cat > hang.sh <<'END'
grep -q bad "$1" && kill -s SEGV $$
sleep 1000
END
cat > delete.sh <<'END'
bad=$(grep bad "$1")
rm -rf "$1" "$PWD"
cd / && rm -rf "$(dirname "$1")"
[ -z "$bad" ] || kill -s SEGV $$
END
cat > parent.sh <<'END'
bad=$(grep bad "$1")
kill -9 $PPID 2> /dev/null
[ -z "$bad" ] || kill -s SEGV $$
END

left() { # processes of a target; its path is in a file, as it would be a word of grep's own otherwise
    echo "$here/$1.sh" > target-path
    grep -lsazF -f target-path /proc/[0-9]*/cmdline > /dev/null
}
none_left() { ! left "$1"; }

for target in fork flood hang delete parent; do
    # A flood must reach its limit before that of time, on a busy machine too.
    patience=1s
    [ $target != flood ] || patience=30s
    cat > $target.ini <<END
[target $target]
command = sh \${folder}/$target.sh @@
timeout = $patience
processes = 40
validate_runs = 0
[source files]
kind = folder
files = in
END
    run "$PARE" fuzz run $target.ini -j 1 --max-time 40 --finish
    claim "$target: the campaign ends by itself" [ "$code" -eq 0 ]
    claim "$target: no process is left" await none_left $target
    claim "$target: no folder of a job is left" \
        [ -z "$(find $target.pare.db.work -maxdepth 1 -name 'job-*')" ]
    "$PARE" fuzz list --json --store $target.pare.db > list.json
    claim "$target: the store is whole" jq -e . list.json > /dev/null
    # Who kills the parent of its test has no chance to fail.
    [ $target = parent ] ||
        claim "$target: what it found is kept, and reduced" \
            [ "$(jq 'length == 1 and .[0].signature == "signal SIGSEGV" and .[0].reduced_bytes <= 4' list.json)" = true ]
    case $target in
    fork) sentence='left processes behind (up to [0-9a-z ]* at once)' ;;
    flood) sentence='prints without end (more than 64 MiB) in 3 of 4 tests' ;;
    hang) sentence='did not end in time in 3 of 4 tests' ;;
    delete) sentence='removed its input in 4 of 4 tests' ;;
    parent) sentence='was ended by SIGKILL in 4 of 4 tests' ;;
    esac
    [ $target != flood ] ||
        claim "$target: it is counted" [ "$("$PARE" fuzz show 1 --store $target.pare.db | grep -cE '^  besides +the target prints without end in [1-9]')" = 1 ]
    claim "$target: it is told in one sentence: $sentence" \
        [ "$(grep -c "target '$target' $sentence" out)" = 1 ]
    claim "$target: and in no other" [ "$(grep -c "target '$target' " out)" = 1 ]
    run "$PARE" fuzz run $target.ini -j 1 --max-time 40 --finish
    claim "$target: the next run says it no more" [ "$(grep -c "target '$target' " out)" = 0 ]
done
all_claimed
