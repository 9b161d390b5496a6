# Runs of run.sh ($runs) and what is recorded of their cases ($suites): tables, targets, and how
# many of each kind are met.
def pad($n): tostring | if length < $n then . + " " * ($n - length) else . end;
def lpad($n): tostring | if length < $n then " " * ($n - length) + . else . end;
def figure: if . == null then "-" else tostring end;
def seconds: if . == null then "-" else (. * 10 | round / 10 | tostring) end;
def percent: . * 1000 | round / 10 | tostring;
def verdict: if . then "met   " else "MISSED" end;

# Tests, and seconds, in which a run came to a size; null: never.
def tests_to($bytes): [.curve[] | select(.[2] <= $bytes)][0][0];
def seconds_to($bytes): [.curve[] | select(.[2] <= $bytes)][0][1];

def row:
    "  " + (.peer | pad(12)) + ("-j\(.jobs)" | lpad(4)) + (.bytes_out | lpad(9))
    + (.tests_to_final | figure | lpad(9)) + (.tests | lpad(8))
    + (.seconds_to_final | seconds | lpad(8)) + (.wall_s | seconds | lpad(7))
    + (if .checked then "" else "  does not fail" end)
    + (if .finished then "" else "  cut off" end)
    + (if .long then "  for the records" else "" end);

def table($name; $of_case):
    "\n\($name), \($of_case[0].bytes_in) bytes",
    "  peer                bytes tests to   tests   s to it  s all",
    ($of_case | sort_by(.bytes_out, .tests_to_final)[] | row);

def target($kind; $met; $text): {kind: $kind, met: $met, text: $text};

# --- what one of our runs should reach -----------------------------------------------------------

# Of the best peer on record, a record of other machines and days.
def against_record($ours; $ours2; $peer):
    ($peer.best // [null, null]) as [$tests, $bytes]
    | if $bytes then
        target("final bytes, recorded peers"; $ours.bytes_out <= $bytes;
               "\($ours.bytes_out) bytes; recorded best peer \($peer.name) \($bytes)"),
        (($ours | tests_to($bytes)) as $n
         | target("a third of the tests, recorded peers"; $n != null and $n * 3 <= $tests;
                  "that size in \($n | figure) tests; a third of the recorded \($tests)")),
        (if $peer.seconds and $ours2 then
            ($ours2 | seconds_to($bytes)) as $s
            | target("a fifth of the time, recorded peers"; $s != null and $s * 5 <= $peer.seconds;
                     "-j2: that size in \($s | seconds) s; a fifth of the recorded \($peer.seconds) s")
         else empty end)
      else empty end;

# Of the best peers of these runs.
def against_runs($ours; $ours2; $best; $best2):
    (if $best then
        target("final bytes, peers of this run"; $ours.bytes_out <= $best.bytes_out;
               "\($ours.bytes_out) bytes; best peer of this run \($best.peer) \($best.bytes_out)"),
        (($ours | tests_to($best.bytes_out)) as $n
         | target("a third of the tests, peers of this run";
                  $n != null and $n * 3 <= $best.tests_to_final;
                  "that size in \($n | figure) tests; a third of its \($best.tests_to_final | figure)"))
     else empty end),
    (if $best2 and $ours2 then
        ($ours2 | seconds_to($best2.bytes_out)) as $s
        | target("a fifth of the time, peers of this run";
                 $s != null and $s * 5 <= $best2.seconds_to_final;
                 "-j2: \($best2.bytes_out) bytes in \($s | seconds) s; a fifth of the \($best2.seconds_to_final | seconds) s of \($best2.peer)")
     else empty end);

# Of a workload: bytes, and tokens where they are asked for, in so many tests.
def workload($ours; $known):
    if $known.target then
        ($known.target | if (.[0] | type) == "array" then .[] else . end) as [$tests, $bytes]
        | ($ours | tests_to($bytes)) as $n
        | target("size and tests of the workloads"; $n != null and $n <= $tests;
                 "\($bytes) bytes in \($n | figure) tests; at most \($tests) wanted"),
          (if $known.tokens then
              ([$ours.curve[] | select(.[0] <= $tests)] | last) as $reached
              | target("tokens of the workloads";
                       $reached[3] != null and $reached[3] <= $known.tokens and $reached[2] <= $bytes;
                       "\($reached[3] | figure) tokens after \($tests) tests; at most \($known.tokens) wanted")
           else empty end)
    else empty end;

# Of what else is recorded of a case.
def of_record($ours; $known):
    (($known.frontier // [])[] as [$n, $bytes]
     | $ours.after["\($n)"] as $had
     | target("frontier after \($n) tests"; $had != null and $had <= $bytes;
              "\($had | figure) bytes after \($n) tests; peers \($bytes)"
              + (if $ours.tests < $n and ($ours.finished | not) then " (cut off at \($ours.tests))" else "" end))),
    workload($ours; $known),
    (if $known.known then
        target("far goal"; $ours.bytes_out <= 2 * $known.known;
               "\($ours.bytes_out) bytes; twice the smallest known \(2 * $known.known)")
     else empty end);

# $ours and $ours2 had the peers' limits, $long longer.
def targets($ours; $ours2; $long; $best; $best2; $known):
    against_runs($ours; $ours2; $best; $best2),
    ($long as $ours | against_record($ours; $ours2; $known.peer // {}), of_record($ours; $known));

# --- of all of them ------------------------------------------------------------------------------

# The run with the smallest result that still fails; of equal ones the one with fewest tests.
def best: map(select(.checked and .tests_to_final)) | sort_by(.bytes_out, .tests_to_final)[0];

def sum(f): map(f) | add;

def whole($ours):
    if $ours | length > 0 then
        (($ours | sum(.repeats)) / ($ours | sum(.tests))) as $repeats
        | (($ours | sum(.oracle_s)) / ($ours | sum(.wall_s))) as $share
        | target("repeats"; $repeats <= 0.05;
                 "\($repeats | percent) % of the tests are repeats; at most 5 wanted"),
          target("share of the tests in the time"; $share >= 0.9;
                 "\($share | percent) % of the wall time inside tests, at -j1; at least 90 wanted"),
          target("results that fail again"; $ours | all(.checked);
                 "\($ours | map(select(.checked)) | length) of \($ours | length) results fail again")
    else empty end;

([$suites[].cases[]] | map({(.name): .}) | add) as $known
| ([$suites[] | select(.name == "corpus") | .cases[].name]) as $corpus
| ($runs | map(.limit_s) | min) as $limit
| [$runs | group_by(.case)[] | {name: .[0].case, runs: map(.long = (.limit_s != $limit))}] as $cases
| [$cases[]
   | (.runs | map(select(.peer == "pare" and .jobs == 1)) | sort_by(.limit_s)) as $alone
   | $alone[0] as $ours
   | select($ours)
   | {name: .name,
      targets: [targets($ours; .runs | map(select(.peer == "pare" and .jobs == 2))[0];
                        $alone | last;
                        .runs | map(select(.peer != "pare" and .jobs == 1)) | best;
                        .runs | map(select(.peer != "pare" and .jobs == 2)) | best;
                        $known[.name] // {})]}] as $judged
| [$cases[].runs | map(select(.peer == "pare" and .jobs == 1)) | sort_by(.limit_s) | last | values] as $ours
| [$judged[],
   {name: "the corpus", targets: [whole($ours | map(select(.case | IN($corpus[]))))]},
   {name: "all", targets: [whole($ours)]}]
| map(select(.targets | length > 0)) as $judged
| ($cases[] | table(.name; .runs)),
  "\nLoad of the machine when runs began: \($runs | map(.load // empty) | if length > 0 then "\(min) to \(max), mean \(add / length * 10 | round / 10)" else "not known" end)",
  "\nTargets of pare",
  ($judged[] | .name, (.targets[] | "  \(.met | verdict)  \(.text)")),
  (($known | keys) - ($cases | map(.name)) | select(length > 0)
   | "not run, so nothing of it is met: \(join(", "))"),
  "\nMet and missed",
  ([$judged[] | .name as $case | .targets[] | . + {case: $case}] as $all
   | (reduce $all[].kind as $kind ([]; if index([$kind]) then . else . + [$kind] end))[] as $kind
   | [$all[] | select(.kind == $kind)] as $of_kind
   | [$of_kind[] | select(.met | not) | .case] as $missed
   | "  \($kind | pad(42))\($of_kind | map(select(.met)) | length | lpad(3)) of \($of_kind | length | lpad(2))\(if $missed | length > 0 then "  missed: \($missed | join(", "))" else "" end)"),
  "  \("all" | pad(42))\([$judged[].targets[] | select(.met)] | length | lpad(3)) of \([$judged[].targets[]] | length)"
