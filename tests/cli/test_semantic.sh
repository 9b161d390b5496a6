#!/bin/bash
# What libclang knows of a C++ text: the edits of each family, as bytes, and a reduction with and
# without them.
#
# tests: src/session/plan/semantic_phase.c src/session/test/side_run.c
. "$PARE_SOURCE_DIR/tests/cli/claims.sh"

edits="$PARE_BUILD_DIR/pare-clang-edits"

# What becomes of the file $1 (in C++) by the first patch of the family $2.
first_patch() {
    "$edits" "$1" cpp > answer && python3 - "$1" "$2" <<'END'
import sys
text = open(sys.argv[1], 'rb').read()
lines = open('answer', 'rb').read()
at, changes, inside = lines.index(b'\n') + 1, [], False
while not lines.startswith(b'end\n', at):
    end = lines.index(b'\n', at)
    words = lines[at:end].split()
    at = end + 1
    if words[0] == b'patch':
        if inside: break
        inside = words[1:] == [b'0', sys.argv[2].encode()]
    else:
        size = int(words[3])
        if inside: changes.append((int(words[1]), int(words[2]), lines[at:at + size]))
        at += size + 1
for begin, end, new in reversed(changes):
    text = text[:begin] + new + text[end:]
sys.stdout.buffer.write(text)
END
}

# becomes FAMILY TEXT EXPECTED
becomes() {
    printf '%s' "$2" > in.cc
    first_patch in.cc "$1" > made
    printf '%s' "$3" > expected
    cmp -s made expected && return
    echo "$1 of: $2" >&2
    echo "makes: $(cat made)" >&2
    return 1
}

# stays FAMILY TEXT
stays() { becomes "$1" "$2" "$2"; }

# Without the library there is a sentence, and everything else is as with --no-semantic.
PARE_LIBCLANG= run "$edits" in.cc cpp
claim "no library is exit code 3" [ "$code" -eq 3 ]
claim "and a sentence that tells what to install" says "there is no libclang: install"
claim "and an answer that says so" [ "$(cat out)" = "no libclang" ]
claim "wrong arguments are usage" exits 2 "$edits" in.cc

if ! "$edits" > version 2> err; then
    echo "no libclang here: its families are left out"
    all_claimed
    exit
fi
claim "it says which one it is" grep -q version version

claim "overloads are told apart" becomes unused 'int f(int);int f(char);int main(){f(1);}' 'int f(int);int main(){f(1);}'
claim "and members of different classes" becomes unused 'struct A{int x;};struct B{int x;};int main(){A a;B b;a.x=1;f(b);}' \
    'struct A{int x;};struct B{};int main(){A a;B b;a.x=1;f(b);}'
claim "what only the unused uses goes with it, defined outside or not" becomes unused \
    'struct A{void f();};int g();void A::f(){g();}int main(){return A();}' 'struct A{};int main(){return A();}'
claim "one of several names in a declaration stays" stays unused 'int a,b;int main(){return b;}'
claim "auto becomes the type" becomes types 'struct S{};S f();auto x=f();' 'struct S{};S f();S x=f();'
claim "with the signs beside the name" becomes types 'int f();const auto&x=f();auto*y=&x;' \
    'int f();const int&x=f();const int*y=&x;'
claim "a member that is a type becomes what it means" becomes types \
    'namespace n{template<class T>struct A{typedef T*P;};}typename n::A<char>::P p;' \
    'namespace n{template<class T>struct A{typedef T*P;};}char * p;'
claim "a lambda has no type to write" stays types 'auto x=[]{};'
claim "a constant expression becomes its value" becomes values 'constexpr int f(int a){return a*a;}int x=f(12);' \
    'constexpr int f(int a){return a*a;}int x=144;'
claim "but not in a template" stays values 'template<int N>int f(){return sizeof(int)*N;}'
claim "a call of a class becomes a value of it" becomes values 'struct S{};S f(int);S x=f(100);' 'struct S{};S f(int);S x=S();'
claim "a template becomes a function, by what a call deduces" becomes instances \
    'template<class T,int N=2>T f(T a){T b[N];return a;}long x=f(1L);' 'long f(long a){long b[2];return a;}long x=f(1L);'
claim "by what it gives" becomes instances 'template<class T>T f(){}int x=f<int>();' 'int f(){}int x=f();'
claim "packs are left alone" stays instances 'template<class...T>int f(T...a){}int x=f(1,2);'
printf 'int f(){return' > in.cc
claim "what does not parse has an answer" "$edits" in.cc cpp

# The whole way: the pass is there, and not with --no-semantic.
printf 'int f(int a){return a;}int f(char a){return 1;}\nint main(){return f(1);}\n' > in.cc
if ! "$PARE" parse --lang cpp in.cc > out 2> err; then
    echo "no C++ here: the reduction is left out"
    all_claimed
    exit
fi
printf '#!/bin/sh\ngrep -q "int f(int a)" "$1" && grep -q "return f(1)" "$1"\n' > t.sh
chmod +x t.sh
reduce() {
    local name=$1
    shift
    run "$PARE" reduce -q --no-journal --lang cpp -o "$name.cc" --stats "$name.json" "$@" ./t.sh in.cc
}
reduce with -j1
reduce without -j1 --no-semantic
reduce four -j4 --deterministic
PARE_LIBCLANG= reduce absent -j1
claim "libclang was asked" [ "$(jq .semantic.runs with.json)" -ge 1 ]
claim "and is there" [ "$(jq .semantic.absent with.json)" = false ]
claim "not with --no-semantic" [ "$(jq .semantic without.json)" = null ]
claim "both results fail" ./t.sh with.cc
claim "the other one too" ./t.sh without.cc
claim "the same bytes by four slots" cmp with.cc four.cc
claim "it was looked for" [ "$(jq .semantic.absent absent.json)" = true ]
claim "without the library the result is that of --no-semantic" cmp absent.cc without.cc

# A program that dies in the midst of its answer, or hangs on to it, costs that answer.
mkdir libexec
for file in "$PARE_BUILD_DIR"/pare-worker "$PARE_BUILD_DIR"/libpare_*.so; do ln -s "$file" libexec/; done
printf '#!/bin/sh\nprintf "pare-edits 1 x\\npatch 0 unused\\nchange 0 3 0\\n\\n"; kill -9 $$\n' > libexec/pare-clang-edits
chmod +x libexec/pare-clang-edits
PARE_LIBEXEC=$here/libexec reduce dead -j1
claim "a program that dies was asked" [ "$(jq .semantic.runs dead.json)" -ge 1 ]
claim "and nothing came of it" [ "$(jq .semantic.edits dead.json)" = 0 ]
claim "and nothing else was lost" cmp dead.cc without.cc
all_claimed
