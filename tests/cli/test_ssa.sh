#!/bin/bash
# Texts of instructions in the default: functions, blocks and definitions go with their uses.
. "$PARE_SOURCE_DIR/tests/cli/claims.sh"

{
    echo '; a module'
    for ((i = 0; i < 30; i++)); do
        echo
        echo "@g$i = global i32 $i"
        echo "define i32 @f$i(i32 %a) #0 {"
        echo "  %0 = add i32 %a, $i, !dbg !$i"
        for ((k = 1; k < 12; k++)); do
            echo "  %$k = op${i}x$k i32 %$((k - 1)), %a"
        done
        ((i == 0)) || echo "  %12 = call i32 @f$((i - 1))(i32 %11)"
        echo '  ret i32 %11'
        echo '}'
    done
    for ((i = 0; i < 30; i++)); do echo "!$i = !{!$(((i + 1) % 30))}"; done
    echo 'attributes #0 = { nounwind }'
} > in.ll
# A compiler that wants every name defined, and numbers in their order; it knows "undef".
cat > test.sh <<'T'
#!/bin/sh
grep -q 'op17x7' "$1" && awk '
    { sub(/;.*/, ""); gsub(/[(),{}]/, " & ") }
    $1 == "define" { n = 0 }
    $1 ~ /^%[0-9]+$/ && $2 == "=" && $1 != "%" n++ { bad = 1 }
    { for (i = 1; i <= NF; i++)
          if ($i ~ /^([%@#]|![0-9])[A-Za-z0-9_]*$/) {
              if ($(i + 1) == "=" || ($1 == "define" && $i !~ /#/)) has[$i] = 1
              else use[$i] = 1
          } }
    END { for (name in use) if (!(name in has)) bad = 1; exit bad }' "$1"
T
chmod +x test.sh

claim "definitions go" exits 0 "$PARE" reduce -q --max-tests 16 -j 1 --stats stats -o out.ll ./test.sh in.ll
claim "with their uses" [ "$(wc -c < out.ll)" -lt 120 ]
claim "which became something else" grep -q 'op17x7 i32 [a-z%]' out.ll
claim "by the phase" grep -q '"instructions"' stats
claim "with more jobs" exits 0 "$PARE" reduce -q --max-tests 16 -j 3 --deterministic -o out3.ll ./test.sh in.ll
claim "the same" cmp -s out.ll out3.ll
all_claimed
