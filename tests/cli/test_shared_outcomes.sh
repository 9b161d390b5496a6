#!/bin/bash
# Outcomes that runs share: who reduces what was reduced before runs next to no test, and comes to the
# same; unless the cache is off, the test is another, or its failure comes by chance.
set -eu
. "$PARE_SOURCE_DIR/tests/cli/claims.sh"
. "$PARE_SOURCE_DIR/tests/cli/cluster.sh"

# Each test that is run, wherever, leaves the digest of its candidate in a folder that does not travel.
sandbox=off
log=$here/log
mkdir "$log"
cat > test.sh <<END
#!/bin/sh
cksum < "\$1" | cut -d' ' -f1 > "$log/\$\$"
grep -q alpha "\$1" && grep -q omega "\$1"
END
chmod +x test.sh
awk 'BEGIN { srand(5); for (i = 0; i < 300; i++) print "line " i (i == 120 ? " alpha" : "") (i == 250 ? " omega" : "") }' > in.txt

# Those that were run, but for the input, the result and the controls, which are run to see how often
# they fail.
candidates() {
    cat "$log"/* | sort -u | grep -vxF -e "$(sum in.txt)" -e "$(sum "$1")" | wc -l
}
sum() { cksum < "$1" | cut -d' ' -f1; }
forget() { rm -rf "$log"; mkdir "$log"; }

claim "a server starts" start_server --jetstream --store_dir store
claim "a worker starts" start_worker one -j2
claim "it reduces" reduce first --stats first.json --workers "$url" ./test.sh in.txt
n_first=$(candidates out.first)
claim "by some tests ($n_first)" [ "$n_first" -gt 30 ]
forget
claim "the statistics name the machine" \
    jq -e '.workers | .most_machines == 1 and .most_slots == 2 and .traffic_bytes > 0 and .tests_known == 0' first.json
claim "another run reduces" reduce second --stats second.json --workers "$url" ./test.sh in.txt
claim "to the same bytes" cmp out.first out.second
claim "by the same steps" same_trace trace.first trace.second
n_second=$(candidates out.second)
# Some are tried ahead, beyond what the first run needed.
claim "and runs next to no candidate ($n_second of $n_first)" [ $((n_second * 4)) -le "$n_first" ]
claim "the statistics say how many it knew" jq -e ".workers.tests_known > $((n_first / 4))" second.json
claim "so does the summary" grep -q 'workers .* more known from other runs' told.second
kill "$worker"; wait "$worker" || true
forget
claim "so it is without a worker" reduce alone --workers "$url" ./test.sh in.txt
claim "to the same bytes" cmp out.first out.alone
claim "and runs next to no candidate" [ $(($(candidates out.alone) * 4)) -le "$n_first" ]

forget
claim "with the cache off it reduces" reduce off --no-cache --workers "$url" ./test.sh in.txt
claim "by tests of its own" [ "$(candidates out.off)" -gt 30 ]
forget
sed 's/omega/alpha/' test.sh > other.sh
chmod +x other.sh
claim "another test reduces" reduce other --workers "$url" ./other.sh in.txt
claim "to another result" [ "$(cat out.other)" = alpha ]

# A failure that comes by chance: three runs in four.
cat > chance.sh <<'END'
#!/bin/sh
grep -q alpha "$1" && [ $(od -An -N1 -tu1 /dev/urandom) -lt 192 ]
END
chmod +x chance.sh
head -125 in.txt | tail -12 > few.txt
claim "a failure by chance reduces" reduce chance --workers "$url" ./chance.sh few.txt
claim "to what still has it" grep -q alpha out.chance
claim "and its outcomes are nobody else's" reduce again --workers "$url" ./chance.sh few.txt
claim "to what still has it" grep -q alpha out.again
all_claimed
