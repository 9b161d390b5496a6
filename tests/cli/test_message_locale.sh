#!/bin/bash
# A user whose locale is not English: a PROGRAM is asked for English messages, so that its first command is right; a
# test sees the user's own locale; and messages in the user's language can be named.
set -eu
. "$PARE_SOURCE_DIR/tests/cli/claims.sh"
told() { grep -qF -- "$1" err; }

# A compiler with two languages, which looks up its locale as gettext does; "x" is another mistake.
cat > kompilator <<'P'
#!/bin/bash
locale=${LC_ALL:-${LC_MESSAGES:-${LANG:-C}}}
case $locale in de*) error=Fehler note=Anmerkung unknown='nicht deklariert' ;;
*) error=error note=note unknown=undeclared ;; esac
if grep -q x "$1"; then echo "$1:1:1: $error: x" >&2; exit 1; fi
name=$(grep -o 'name[0-9]*' "$1") || exit 0
echo "$1:2:1: $error: '$name' $unknown" >&2
echo "$1:2:1: $note: ($note)" >&2
exit 1
P
printf '#!/bin/bash\n"%s/kompilator" "$1" 2>&1 | grep -q Fehler\n' "$PWD" > test.sh
chmod +x kompilator test.sh
for i in $(seq 40); do echo "line $i"; done > in.txt
echo 'name7 is missing' >> in.txt

export LC_ALL=de_DE.UTF-8
claim "the first command" exits 0 "$PARE" reduce in.txt -o a -- ./kompilator @@
claim "ends with the failure" [ "$(cat a)" = name ]
claim "with the variables that gettext prefers" exits 0 env LC_ALL= LANG=de_DE.UTF-8 LANGUAGE=de "$PARE" reduce in.txt -o b -- ./kompilator @@
claim "ends alike" cmp a b
claim "the text in English" exits 0 "$PARE" reduce in.txt -o c --stderr undeclared -- ./kompilator @@
claim "ends alike" cmp a c
claim "the text in German is not there" exits 1 "$PARE" reduce in.txt -o d --stderr 'nicht deklariert' -- ./kompilator @@
claim "which is told, with the command" told "for those of de_DE.UTF-8, write -- env LC_ALL=de_DE.UTF-8 PROGRAM"
claim "nor as a message" exits 1 "$PARE" reduce in.txt -o d --message 'nicht deklariert' -- ./kompilator @@
claim "which is told, too" told "for those of de_DE.UTF-8, write -- env LC_ALL=de_DE.UTF-8 PROGRAM"
claim "nothing is left" [ ! -e d ]
claim "that command" exits 0 "$PARE" reduce in.txt -o d --stderr 'nicht deklariert' -- env LC_ALL=de_DE.UTF-8 ./kompilator @@
claim "is right" cmp a d
printf '#!/bin/sh\ncase ${LC_MESSAGES:-$LC_ALL} in de*) echo "error: 1,5" >&2; exit 1 ;; esac\n' > zahl
chmod +x zahl
claim "a program that fails in German only" exits 1 "$PARE" reduce in.txt -o g -- ./zahl @@
claim "is answered with the locale" told "write -- env LC_ALL=de_DE.UTF-8 PROGRAM"
claim "a test sees the user's locale" exits 0 "$PARE" reduce ./test.sh in.txt -o e
claim "in which its result fails" ./test.sh e
export LC_ALL=C.UTF-8
claim "in English nothing is told of languages" exits 1 "$PARE" reduce in.txt -o f --stderr 'nicht deklariert' -- ./kompilator @@
claim "so" exits 1 grep -q "LC_ALL" err
all_claimed
