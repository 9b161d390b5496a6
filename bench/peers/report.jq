# Runs of run.sh ($runs) and what is recorded of their cases ($suites): tables, then targets.
def pad($n): tostring | if length < $n then . + " " * ($n - length) else . end;
def lpad($n): tostring | if length < $n then " " * ($n - length) + . else . end;
def figure: if . == null then "-" else tostring end;
def seconds: if . == null then "-" else (. * 10 | round / 10 | tostring) end;
def verdict: if . then "met   " else "MISSED" end;

# Tests, and seconds, in which a run came to a size; null: never.
def tests_to($bytes): [.curve[] | select(.[2] <= $bytes)][0][0];
def seconds_to($bytes): [.curve[] | select(.[2] <= $bytes)][0][1];

def row:
    "  " + (.peer | pad(12)) + ("-j\(.jobs)" | lpad(4)) + (.bytes_out | lpad(9))
    + (.tests_to_final | figure | lpad(9)) + (.tests | lpad(8))
    + (.seconds_to_final | seconds | lpad(8)) + (.wall_s | seconds | lpad(7))
    + (if .checked then "" else "  does not fail" end)
    + (if .finished then "" else "  cut off" end);

def table($name; $of_case):
    "\n\($name), \($of_case[0].bytes_in) bytes",
    "  peer                bytes tests to   tests   s to it  s all",
    ($of_case | sort_by(.bytes_out, .tests_to_final)[] | row);

# What one of our runs should reach, against the best peer's own run and what is recorded.
def targets($ours; $ours2; $best; $best2; $known):
    ($known.peer.best // [null, null]) as [$peer_tests, $peer_bytes]
    | (if $peer_bytes then
         "  \($ours.bytes_out <= $peer_bytes | verdict)  \($ours.bytes_out) bytes; recorded best peer \($known.peer.name) \($peer_bytes)",
         (($ours | tests_to($peer_bytes)) as $n
          | "  \($n != null and $n * 3 <= $peer_tests | verdict)  that size in \($n | figure) tests; a third of the recorded \($peer_tests)")
       else empty end),
      (if $best then
         "  \($ours.bytes_out <= $best.bytes_out | verdict)  \($ours.bytes_out) bytes; best peer of this run \($best.peer) \($best.bytes_out)",
         (($ours | tests_to($best.bytes_out)) as $n
          | "  \($n != null and $n * 3 <= $best.tests_to_final | verdict)  that size in \($n | figure) tests; a third of its \($best.tests_to_final | figure)")
       else empty end),
      (if $best2 and $ours2 then
         (($ours2 | seconds_to($best2.bytes_out)) as $s
          | "  \($s != null and $s * 5 <= $best2.seconds_to_final | verdict)  -j2: its size in \($s | seconds) s; a fifth of the \($best2.seconds_to_final | seconds) s of \($best2.peer)")
       else empty end),
      (($known.frontier // [])[] as [$n, $bytes]
       | "  \($ours.after["\($n)"] != null and $ours.after["\($n)"] <= $bytes | verdict)  \($ours.after["\($n)"] | figure) bytes after \($n) tests; peers \($bytes)"),
      (if $known.target then
         (($ours | tests_to($known.target[1])) as $n
          | "  \($n != null and $n <= $known.target[0] | verdict)  \($known.target[1]) bytes in \($n | figure) tests; at most \($known.target[0]) wanted")
       else empty end),
      (if $known.known then
         "  \($ours.bytes_out <= 2 * $known.known | verdict)  \($ours.bytes_out) bytes; twice the smallest known \(2 * $known.known)"
       else empty end);

# The run with the smallest result that still fails; of equal ones the one with fewest tests.
def best: map(select(.checked and .tests_to_final)) | sort_by(.bytes_out, .tests_to_final)[0];

([$suites[].cases[]] | map({(.name): .}) | add) as $known
| [$runs | group_by(.case)[] | {name: .[0].case, runs: .}] as $cases
| ($cases[] | table(.name; .runs)),
  "\nTargets of pare",
  ($cases[]
   | (.runs | map(select(.peer == "pare" and .jobs == 1))[0]) as $ours
   | select($ours)
   | .name,
     targets($ours; .runs | map(select(.peer == "pare" and .jobs == 2))[0];
             .runs | map(select(.peer != "pare" and .jobs == 1)) | best;
             .runs | map(select(.peer != "pare" and .jobs == 2)) | best; $known[.name] // {})),
  ([$runs[] | select(.peer == "pare" and .jobs == 1)]
   | select(length > 0)
   | ((map(.repeats) | add) / (map(.tests) | add)) as $repeats
   | ((map(.oracle_s) | add) / (map(.wall_s) | add)) as $share
   | "all",
     "  \($repeats <= 0.05 | verdict)  \($repeats * 1000 | round / 10) % of the tests are repeats; at most 5 wanted",
     "  \($share >= 0.9 | verdict)  \($share * 1000 | round / 10) % of the wall time inside tests, at -j1; at least 90 wanted")
