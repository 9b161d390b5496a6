#!/bin/bash
# Small projects of six languages, each with a failure in one place, reduced as folders.
#
# Usage: PARE=build/default/pare bench/projects.sh [FOLDER [NAME...]]
#
# Makes the projects and their tests in FOLDER (default: a new one) and prints for each: files and
# bytes, and what is left of both after 50, 100 and at most MAX_TESTS tests (default 300).  Projects
# whose tools are not installed are left out.  The figures of docs/lab/projects.md are made by it.
set -eu

pare=${PARE:-pare}
max_tests=${MAX_TESTS:-300}
folder=${1:-$(mktemp -d)}
[ $# -gt 0 ] && shift
names=${*:-c cpp python node rust go}
mkdir -p "$folder"
cd "$folder"

# put FILE: standard input becomes FILE, with the folders above it.
put() { mkdir -p "$(dirname "$1")" && cat >"$1"; }

# script NAME: standard input becomes the test of project NAME; it runs in the copy's folder.
script() {
    { echo '#!/bin/sh'; echo 'cd "$1" || exit 1'; cat; } >"$1.sh"
    chmod +x "$1.sh"
}

# C, two files that define one variable; the linker says so.
make_c() {
    put c/h1.h <<'E'
#ifndef H1_H
#define H1_H
#define LIMIT 10
int f1(int a);
struct point { int x, y; };
#endif
E
    put c/h2.h <<'E'
#ifndef H2_H
#define H2_H
#include "h1.h"
int f2(struct point *p);
int f3(void);
#endif
E
    put c/src1.c <<'E'
#include "h1.h"
#include "h2.h"
int shared = 1;
int f1(int a)
{
    return a + LIMIT + shared;
}
int main(void)
{
    struct point p = {1, 2};
    return f1(f2(&p)) + f3();
}
E
    put c/src2.c <<'E'
#include "h2.h"
int shared = 2;
int f2(struct point *p)
{
    return p->x + p->y + shared;
}
E
    printf '#include "h2.h"\nint f3(void)\n{\n    return 3;\n}\n' | put c/src3.c
    put c/Makefile <<'E'
CFLAGS = -O2 -Wall -I.
OBJS = src1.o src2.o src3.o

prog: $(OBJS)
	gcc $(CFLAGS) -o prog $(OBJS)

src1.o: src1.c h1.h h2.h
	gcc $(CFLAGS) -c src1.c

src2.o: src2.c h2.h
	gcc $(CFLAGS) -c src2.c

src3.o: src3.c h2.h
	gcc $(CFLAGS) -c src3.c

clean:
	rm -f *.o prog
E
    echo "make 2>&1 | grep -q 'multiple definition'" | script c
}

# C++ with CMake: a static assertion in a template, four libraries.
make_cpp() {
    local i
    put cpp/CMakeLists.txt <<'E'
cmake_minimum_required(VERSION 3.10)
project(shapes CXX)
set(CMAKE_CXX_STANDARD 14)
include_directories(include)
add_subdirectory(src)
add_executable(app src/main.cpp)
target_compile_options(app PRIVATE -Wall -Wextra)
target_link_libraries(app lib1 lib2 lib3 lib4)
E
    for i in 1 2 3 4; do
        printf '#pragma once\n#include "shapes/base.h"\nnamespace shapes {\nstruct S%d : Base {\n    int area() const override { return %d; }\n};\nint total%d();\n}\n' \
            $i $i $i | put cpp/include/shapes/s$i.h
        printf '#include "shapes/s%d.h"\nint shapes::total%d()\n{\n    S%d s;\n    return s.area() * %d;\n}\n' \
            $i $i $i $i | put cpp/src/s$i.cpp
        echo "add_library(lib$i s$i.cpp)"
    done | put cpp/src/CMakeLists.txt
    put cpp/include/shapes/base.h <<'E'
#pragma once
namespace shapes {
struct Base {
    virtual int area() const = 0;
    virtual ~Base() {}
};
template <typename T> struct Checked {
    static_assert(sizeof(T) > 64, "too small");
    T value;
};
}
E
    put cpp/src/main.cpp <<'E'
#include "shapes/s1.h"
#include "shapes/s2.h"
#include "shapes/s3.h"
#include "shapes/s4.h"
#include <cstdio>
int main()
{
    shapes::Checked<shapes::S3> c;
    std::printf("%d %d\n", shapes::total1() + shapes::total2(), c.value.area());
    return shapes::total4();
}
E
    # One configuration takes as long as ten compilations, so the test reads the sources itself.
    script cpp <<'E'
grep -q 'add_executable(app src/main.cpp)' CMakeLists.txt || exit 1
g++ -fsyntax-only -Iinclude src/main.cpp 2>&1 | grep -q 'static assertion failed: too small'
E
}

# A package of Python: one of its modules divides by zero.
make_python() {
    local i
    put python/app/__init__.py <<'E'
from .core import run
E
    put python/app/core.py <<'E'
from .report import render
from . import tools
import app.models.order as order
import json


def run(data):
    items = [order.Order(**row) for row in json.loads(data)]
    return render(items, tools.clean("title"))
E
    printf 'def clean(text):\n    return text.strip().title()\n' | put python/app/tools.py
    put python/app/report.py <<'E'
from .stats import mean, spread


def render(items, title):
    values = [item.price for item in items if item.price > 100]
    return "%s: %d (%d)" % (title, mean(values), spread(values))
E
    put python/app/stats.py <<'E'
def mean(values):
    return sum(values) / len(values)


def spread(values):
    return max(values) - min(values)
E
    printf '' | put python/app/models/__init__.py
    put python/app/models/order.py <<'E'
from .base import Model


class Order(Model):
    fields = ("price", "name")
E
    put python/app/models/base.py <<'E'
class Model:
    fields = ()

    def __init__(self, **values):
        for name in self.fields:
            setattr(self, name, values[name])
E
    for i in 1 2 3 4 5 6; do
        printf 'from app.models.base import Model\n\n\nclass T%d(Model):\n    fields = ("a%d",)\n' $i $i |
            put python/app/models/t$i.py
        printf 'import app.models.t%d\n\n\ndef test():\n    assert app.models.t%d.T%d(a%d=1).a%d == 1\n' \
            $i $i $i $i $i | put python/tests/test_t$i.py
    done
    put python/main.py <<'E'
import app

print(app.run('[{"price": 10, "name": "x"}, {"price": 20, "name": "y"}]'))
E
    echo "python3 -B main.py 2>&1 | grep -q 'ZeroDivisionError'" | script python
}

# A package of node with require.
make_node() {
    local i
    printf '{"name": "shop", "main": "index.js"}\n' | put node/package.json
    put node/index.js <<'E'
const { Cart } = require('./lib/cart');
const rules = require('./lib/rules');
const log = require('./lib/util/log.js');

const cart = new Cart(rules.all());
cart.add({ name: 'tea', price: 3 });
cart.add({ name: 'cup', price: 7 });
log.info('total', cart.total());
E
    put node/lib/cart.js <<'E'
const { sum } = require('./util/math');
const log = require('./util/log.js');

class Cart {
    constructor(rules) {
        this.rules = rules;
        this.items = [];
    }
    add(item) {
        log.info('add', item.name);
        this.items.push(item);
    }
    total() {
        const plain = sum(this.items.map((item) => item.price));
        return this.rules.reduce((value, rule) => rule.apply(value), plain);
    }
}
module.exports = { Cart };
E
    printf 'exports.sum = (list) => list.reduce((a, b) => a + b, 0);\n' | put node/lib/util/math.js
    printf 'exports.info = (...words) => console.log(...words);\n' | put node/lib/util/log.js
    for i in 1 2 3 4 5; do
        printf "const math = require('../util/math');\nexports.apply = (value) => math.sum([value, -%d]);\n" $i
    done | head -2 | put node/lib/rules/r1.js
    for i in 2 3 4; do
        printf "const math = require('../util/math');\nexports.apply = (value) => math.sum([value, -%d]);\n" $i |
            put node/lib/rules/r$i.js
    done
    printf "exports.apply = (value) => value.discount.rate;\n" | put node/lib/rules/r5.js
    put node/lib/rules/index.js <<'E'
const r1 = require('./r1');
const r2 = require('./r2');
const r3 = require('./r3');
const r4 = require('./r4');
const r5 = require('./r5');
exports.all = () => [r1, r2, r3, r4, r5];
E
    for i in 1 2 3 4; do
        printf "const r = require('../lib/rules/r%d');\nif (r.apply(5) !== %d) throw new Error('r%d');\n" $i $((5 - i)) $i |
            put node/test/r$i.js
    done
    echo "node index.js 2>&1 | grep -q \"reading 'rate'\"" | script node
}

# A crate of Rust: a borrow that is used after a move.
make_rust() {
    local i
    printf '[package]\nname = "tool"\nversion = "0.1.0"\nedition = "2018"\n' | put rust/Cargo.toml
    put rust/src/main.rs <<'E'
mod config;
mod parse;
mod report;
mod units;

fn main() {
    let config = config::Config::new(3);
    let list = parse::numbers("1 2 3", &config);
    report::show(list, &config);
    println!("{}", units::u2::value());
}
E
    put rust/src/config.rs <<'E'
pub struct Config {
    pub limit: usize,
}

impl Config {
    pub fn new(limit: usize) -> Config {
        Config { limit }
    }
}
E
    put rust/src/parse.rs <<'E'
use crate::config::Config;

pub fn numbers(text: &str, config: &Config) -> Vec<String> {
    text.split(' ').take(config.limit).map(String::from).collect()
}
E
    put rust/src/report.rs <<'E'
use crate::config::Config;

fn consume(list: Vec<String>) -> usize {
    list.len()
}

pub fn show(list: Vec<String>, config: &Config) {
    let n = consume(list);
    println!("{} of {}: {:?}", n, config.limit, list);
}
E
    for i in 1 2 3 4; do
        printf 'pub fn value() -> u32 {\n    %d\n}\n' $i | put rust/src/units/u$i.rs
        echo "pub mod u$i;"
    done | put rust/src/units/mod.rs
    echo "rustc --crate-type bin --edition 2018 --emit=metadata -o out src/main.rs 2>&1 | grep -q 'E0382'" |
        script rust
}

# A module of Go with three packages: a deadlock that the runtime sees.
make_go() {
    local i
    printf 'module example.org/jobs\n\ngo 1.15\n' | put go/go.mod
    put go/main.go <<'E'
package main

import (
	"fmt"

	"example.org/jobs/queue"
	"example.org/jobs/text"
)

func main() {
	fmt.Println(text.Title("jobs"))
	q := queue.New(2)
	q.Run([]int{1, 2, 3})
}
E
    put go/queue/queue.go <<'E'
package queue

type Queue struct {
	in   chan int
	size int
}

func New(size int) *Queue {
	return &Queue{in: make(chan int), size: size}
}
E
    put go/queue/run.go <<'E'
package queue

func (q *Queue) Run(list []int) int {
	total := 0
	for _, n := range list {
		q.in <- n
		total += <-q.in
	}
	return total
}
E
    for i in 1 2 3; do
        printf 'package queue\n\nfunc helper%d(n int) int {\n\treturn n * %d\n}\n' $i $i |
            put go/queue/helper$i.go
    done
    printf 'package text\n\nimport "strings"\n\nfunc Title(s string) string {\n\treturn strings.ToUpper(s)\n}\n' |
        put go/text/text.go
    printf 'package text\n\nfunc Unused() int {\n\treturn 1\n}\n' | put go/text/unused.go
    printf 'GOFLAGS=-mod=mod GO111MODULE=on go run . 2>&1 | grep -q "all goroutines are asleep"\n' | script go
}

# at N: bytes that were left after N tests.
at() { jq -r --argjson n "$1" '[.curve[] | select(.[0] <= $n) | .[2]] | last // "-"' "$2"; }

tool_of() {
    case $1 in c) echo make ;; cpp) echo g++ ;; python) echo python3 ;; node) echo node ;; rust) echo rustc ;; go) echo go ;; esac
}

printf '%-8s %14s %10s %10s %18s\n' project 'files bytes' '50 tests' '100 tests' 'end: files bytes tests'
for name in $names; do
    command -v "$(tool_of "$name")" >/dev/null || continue
    rm -rf "$name" "$name.min" "$name.min.pare"
    "make_$name"
    files=$(find "$name" -type f | wc -l)
    bytes=$(find "$name" -type f -exec cat {} + | wc -c)
    "$pare" reduce -q -j1 --max-tests "$max_tests" "./$name.sh" "$name" -o "$name.min" \
        --stats "$name.json" || true
    printf '%-8s %7s %6s %10s %10s %18s\n' "$name" "$files" "$bytes" "$(at 50 "$name.json")" \
        "$(at 100 "$name.json")" "$(jq -r '"\(.files_out) \(.bytes_out) \(.tests_run)"' "$name.json")"
done
