#!/bin/bash
# A program of many declarations is reduced over the graph of what they need: first in the default,
# and by name, by the same steps at any number of jobs.
. "$PARE_SOURCE_DIR/tests/cli/claims.sh"
if ! command -v g++ > compiler; then
    echo "skipped: there is no g++"
    exit 77
fi

# 300 classes with members and functions, each of which uses others; one assertion is wrong.
for ((i = 0; i < 300; i++)); do
    echo "namespace n$((i % 7)) { struct a$i { int x, y; int get() const { return x; } a$i(int z) : x(z), y(0) {} }; }"
    echo "template <class T> int f$i(const T &t) { return t.get() + $i; }"
    ((i == 0)) || echo "inline int g$i() { return f$((i - 1))(n$(((i - 1) % 7))::a$((i - 1))(1)); }"
    ((i != 150)) || echo "template <class T> struct wrong { static_assert(sizeof(T) == 1, \"needle\"); }; wrong<n3::a150> w;"
done > big.cpp
echo 'int main() { return g9(); }' >> big.cpp
cat > test.sh <<'T'
#!/bin/sh
LC_ALL=C g++ -x c++ -fsyntax-only "$1" > said.$$ 2>&1
grep -q 'error: static assertion failed: needle' said.$$
found=$?
rm -f said.$$
exit $found
T
chmod +x test.sh

claim "it is large" [ "$(wc -c < big.cpp)" -gt 50000 ]
claim "by name" exits 0 "$PARE" reduce -q -a dependency --trace trace.1 -j 1 -o one.cpp ./test.sh big.cpp
claim "little is left" [ "$(wc -c < one.cpp)" -lt 2000 ]
claim "with what is needed" grep -q 'wrong<n3::a150> w' one.cpp
claim "in few tests" [ "$(wc -l < trace.1)" -lt 120 ]
claim "with more jobs" exits 0 "$PARE" reduce -q -a dependency -j 3 -o three.cpp ./test.sh big.cpp
claim "the same" cmp -s one.cpp three.cpp
claim "the default begins with it" exits 0 "$PARE" reduce -v --max-tests 40 -j 1 -o auto.cpp ./test.sh big.cpp
claim "which is told" grep -q '^dependency: ' out
claim "and is soon small" [ "$(wc -c < auto.cpp)" -lt 20000 ]

# --- without the language, and without a part of the program ----------------------------
export PARE_DATA=$PWD/no-languages
{ echo '# 1 "big.cpp"'; cat one.cpp; for ((i = 0; i < 40; i++)); do echo "struct unused$i { int x, y; };"; done; } > crash-1
claim "a preprocessed text without a name" exits 0 "$PARE" reduce -v --max-tests 5 -j 1 -o crash.out ./test.sh crash-1
claim "is reduced by its declarations" grep -q '^dependency: ' out
claim "in few tests" [ "$(wc -c < crash.out)" -lt 500 ]
claim "and told of the language" grep -q "pare lang add cpp" out
claim "not if it is not to be known" exits 0 "$PARE" reduce -v --lang none --max-tests 3 -j 1 -o crash.out ./test.sh crash-1
claim "as it says" [ "$(grep -c '^dependency: ' out)" -eq 0 ]
mkdir alone && cp "$PARE" alone/pare
claim "a program that was copied alone" exits 0 env -u PARE_LIBEXEC alone/pare reduce --max-tests 2 -j 1 -o alone.cpp ./test.sh crash-1
if [ ! -e /usr/local/lib/pare/libpare_watch.so ]; then
    claim "says that it does not hear the compiler" grep -q '^libpare_watch.so is not where pare was' out
fi
claim "the whole one does not say so" exits 0 "$PARE" reduce --max-tests 2 -j 1 -o whole.cpp ./test.sh crash-1
claim "for it hears" [ "$(grep -c libpare_watch out)" -eq 0 ]
all_claimed
