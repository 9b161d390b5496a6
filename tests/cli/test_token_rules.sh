#!/bin/bash
# Tokens shrunk along the rules of the lexer, when the default has a grammar with one.
set -u
. "$(dirname "$0")/claims.sh"

cat >Conf.g4 <<'G4'
grammar Conf;
file: entry+ EOF;
entry: NAME '=' (NUMBER | STRING) ';';
NUMBER: '-'? ('0' | [1-9] [0-9]*) ('.' [0-9]+)? ([eE] [+-]? [0-9]+)?;
STRING: '"' (ESCAPE | ~["\\\r\n])* '"';
fragment ESCAPE: '\\' (["\\nt] | 'u' HEX HEX HEX HEX);
fragment HEX: [0-9a-fA-F];
NAME: [a-z]+;
SPACE: [ \n]+ -> skip;
G4
echo 'size = -12.75E+37;' >number.conf
echo 'title = "Some \\ text \u00e9 Text";' >string.conf
# The failure needs what it needs, and a text of the language.
cat >number.sh <<'SH'
#!/bin/sh
grep -Eq '^ *[a-z]+ *= *-?(0|[1-9][0-9]*)(\.[0-9]+)?[eE]\+[0-9]+ *; *$' "$1"
SH
cat >string.sh <<'SH'
#!/bin/sh
grep -Eq '^ *[a-z]+ *= *"([^"\\]|\\["\\nt]|\\u[0-9a-fA-F]{4})*\\u[0-9a-fA-F]{4}[^"\\]*[A-Z][^"\\]*" *; *$' "$1"
SH
chmod +x number.sh string.sh

# What of a pass the statistics tell.
of_pass() { jq -r --arg pass "$1" "[.passes[]|select(.name==\$pass)|$2]|add // 0" stats.json; }
reduces() {
    exits 0 "$PARE" reduce -q "./$1.sh" "$1.conf" --grammar Conf.g4 -j1 -o "$1.min" --stats stats.json
}

claim "a number" reduces number
claim "becomes the simplest that will do" [ "$(cat number.min)" = 'a=0e+0;' ]
claim "by its rule" [ "$(of_pass token-rules .successes)" -gt 0 ]
claim "the same at -j8" exits 0 "$PARE" reduce -q ./number.sh number.conf --grammar Conf.g4 -j8 \
    --deterministic -o eight
claim "indeed" cmp number.min eight
claim "a string" reduces string
claim "keeps an escape and a capital" [ "$(cat string.min)" = 'a="\u0000A";' ]
claim "without a grammar" exits 0 "$PARE" reduce -q ./string.sh string.conf --stats stats.json
claim "there is no rule to go by" [ "$(of_pass token-rules .tests)" -eq 0 ]

# Grammars of others: one with modes among them.
grammars=$PARE_SOURCE_DIR/../shared/grammars-v4
if [ -d "$grammars" ]; then
    echo '{"size": [-12.5e+10, "xyz"]}' >in.json
    claim "JSON" exits 0 "$PARE" reduce -q "grep -Eq '[0-9]e[+]?[0-9]'" in.json -o out.json \
        --grammar "$grammars/json/JSON.g4"
    claim "has a simplest number" [ "$(cat out.json)" = 0e0 ]
    echo '<alone one="1998-12"/>' >in.xml
    cat >xml.sh <<'SH'
#!/bin/sh
grep -Eq '^<[a-z]+ [a-z]+="[0-9]{4}-[^"<&]*"/>$' "$1"
SH
    chmod +x xml.sh
    claim "XML" exits 0 "$PARE" reduce -q -j1 ./xml.sh in.xml -o out.xml --stats stats.json \
        --grammar "$grammars/xml/XMLLexer.g4" --grammar "$grammars/xml/XMLParser.g4" --start document
    claim "is read in its modes" [ "$(cat out.xml)" = '<a a="0000-"/>' ]
    claim "by the rules" [ "$(of_pass token-rules .successes)" -gt 0 ]
else
    echo "partly skipped: no shared grammars beside the repository"
fi

all_claimed
