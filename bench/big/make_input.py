#!/usr/bin/env python3
"""Makes large inputs with real tests, of what is on a Debian machine with npm.

Usage: bench/big/make_input.py KIND DIR [SEED]
KIND: javascript (a bundle of npm's own modules, 1 MB), esbuild (ten of its packages by esbuild,
1.7 MB), python (the decimal module), sql (a dump of
5 MB with foreign keys), java (10,000 lines), go (the package encoding/json in one file), php
(classes and functions in one file, 400 KB); folders of modules that use one another: package (Python), crate (Rust), gopackage (Go), esm and commonjs
(JavaScript), tspackage (TypeScript), javapackage (Java), luapackage (Lua).  The failure of the last
five needs a class of each of three modules.
SEED: another program of the same kind, of those that are made up (default 16).
Writes DIR/input.EXT, or the folder DIR/input, and DIR/test.sh, which takes the candidate's path; the
failure is a line that the program prints.  Where there is no go, the test of gopackage is a reader:
it asks that all names are declared, brackets are closed, imports are used and the line is still
printed by main.  Nothing is downloaded; the same machine makes the same bytes.
"""
import glob
import json
import os
import random
import re
import shutil
import subprocess
import sys

NPM = "/usr/lib/node_modules/npm/node_modules"
BUNDLE_BYTES = 1 << 20
SEED = 16


def module_file(base, name):
    """The file that require(name) means in the folder `base`; None: no module of npm's."""
    if name.startswith("."):
        path = os.path.normpath(os.path.join(base, name))
    else:
        path = os.path.join(NPM, name)
        package = os.path.join(path, "package.json")
        if os.path.exists(package):
            found = re.search(r'"main"\s*:\s*"([^"]+)"', open(package, encoding="utf-8").read())
            path = os.path.normpath(os.path.join(path, found[1] if found else "index.js"))
    for end in ("", ".js", "/index.js"):
        if os.path.isfile(path + end) and (path + end).endswith(".js"):
            return path + end
    return None


def javascript():
    """Modules as functions in one object, as bundlers write them; most of them are of no use."""
    files, left = {}, []
    for package in ("semver", "minimatch", "ini", "nopt"):
        left.append(module_file(NPM, package))
    left += sorted(glob.glob(NPM + "/*/lib/*.js") + glob.glob(NPM + "/*/dist/commonjs/*.js"))
    size = 0
    for file in left:
        if file is None or file in files or size > BUNDLE_BYTES:
            continue
        text = open(file, encoding="utf-8").read()
        if re.search(r"^(import|export)\s", text, re.M):
            continue
        files[file] = text
        size += len(text)
        for name in re.findall(r"""require\(['"]([^'"]+)['"]\)""", text):
            found = module_file(os.path.dirname(file), name)
            if found and found not in files:
                left.insert(left.index(file) + 1, found)

    def bundled(file, text):
        def replace(match):
            found = module_file(os.path.dirname(file), match[1])
            if found not in files:
                return match[0]
            return 'load("./%s")' % os.path.relpath(found, NPM)
        return re.sub(r"""require\(['"]([^'"]+)['"]\)""", replace, text)

    # What a module asks for late is bundled too, whatever the order was.
    parts = ['/******/ "./%s": function (module, exports, load) {\n%s\n},\n' %
             (os.path.relpath(file, NPM), bundled(file, re.sub(r"^#!.*", "", text)))
             for file, text in files.items()]
    main = """
var cache = {};
function load(id) {
  if (cache[id]) return cache[id].exports;
  var module = cache[id] = { exports: {} };
  modules[id].call(module.exports, module, module.exports, load);
  return module.exports;
}
var semver = load("./semver/index.js");
var ini = load("./ini/lib/ini.js");
console.log(JSON.stringify(ini.parse("a = 1\\n[b]\\nc = 2")));
console.log(semver.inc("1.2.3", "minor"));
console.log("needle " + semver.maxSatisfying(["1.2.3", "1.3.0", "2.0.0"], "^1.2.0"));
"""
    return "js", "var modules = {\n" + "".join(parts) + "};\n" + main, \
        "timeout 20 node \"$f\" 2>&1 | grep -q '^needle 1.3.0'"


def esbuild():
    """What esbuild makes of a program that loads ten packages of npm's and needs one."""
    names = ("semver", "ini", "minimatch", "tar", "cacache", "spdx-expression-parse", "ssri", "glob",
             "make-fetch-happen", "npm-package-arg")
    load = "".join("const p%d = require(%s);\n" % (i, json.dumps(os.path.join(NPM, name)))
                   for i, name in enumerate(names))
    main = """
console.log(JSON.stringify(p1.parse("a = 1\\n[b]\\nc = 2")), typeof p3.create, typeof p4.get, typeof p7.sync, typeof p8);
console.log(p5("MIT OR Apache-2.0").conjunction, p6.fromData("abc").toString().length);
console.log(p2.minimatch("abc.js", "*.js"), p9("a@1").name);
console.log("needle " + p0.maxSatisfying(["1.2.3", "1.3.0", "2.0.0"], "^1.2.0"));
"""
    made = subprocess.run(["esbuild", "--bundle", "--platform=node", "--log-level=error"], input=load + main,
                          stdout=subprocess.PIPE, encoding="utf-8", check=True)
    return "js", made.stdout, "timeout 20 node \"$f\" 2>&1 | grep -q '^needle 1.3.0'"


def python():
    """One module of 6,000 lines, and a few lines that use it."""
    text = open(sorted(glob.glob("/usr/lib/python3.*/_pydecimal.py"))[-1], encoding="utf-8").read()
    text = text.replace("import decimal", "pass")
    main = """
c = Context(prec=30)
print(Decimal("1.10") + 1, Decimal(3).compare(Decimal(4)))
print("needle", c.divide(Decimal(1), Decimal(7)).quantize(Decimal("0.0001")))
"""
    return "py", text + main, "timeout 20 python3 -S \"$f\" 2>&1 | grep -q '^needle 0.1429'"


def sql():
    """50 tables, each with foreign keys to two before it, rows in long INSERTs, views, indexes."""
    rand = random.Random(SEED)
    out = ["PRAGMA foreign_keys = ON;\n"]
    for table in range(50):
        keys = sorted({rand.randrange(table) for _ in range(2)}) if table else []
        columns = ["id INTEGER PRIMARY KEY", "name TEXT", "price REAL"]
        columns += ["t%d_id INTEGER REFERENCES t%d(id)" % (key, key) for key in keys]
        out.append("CREATE TABLE t%d (\n  %s\n);\n" % (table, ",\n  ".join(columns)))
        out.append("CREATE INDEX i%d ON t%d(name);\n" % (table, table))
        for first in range(0, 2000, 200):
            rows = ["(%s)" % ", ".join([str(i), "'item %d of %d'" % (rand.randrange(9999), table),
                                        "%.2f" % (rand.random() * 100)] +
                                       [str(rand.randrange(2000)) for _ in keys])
                    for i in range(first, first + 200)]
            out.append("INSERT INTO t%d VALUES %s;\n" % (table, ",\n".join(rows)))
        if keys:
            out.append("CREATE VIEW v%d AS SELECT t%d.name AS a, t%d.name AS b FROM t%d JOIN t%d ON "
                       "t%d.id = t%d.t%d_id;\n" % (table, table, keys[0], table, keys[0], keys[0],
                                                   table, keys[0]))
    out.append("SELECT count(*) FROM t3;\nSELECT 'needle', count(*) > 3 FROM v20 WHERE b LIKE 'item %';\n"
               "SELECT max(price) FROM t9;\n")
    return "sql", "".join(out), "timeout 20 sqlite3 :memory: < \"$f\" 2>&1 | grep -q '^needle|1'"


def java():
    """Interfaces, classes that implement and extend them, methods that call those of other classes."""
    rand = random.Random(SEED)
    out = ["import java.util.*;\nimport java.util.function.*;\nimport java.io.*;\n\n"]
    n = 420
    for i in range(n):
        if i % 10 == 0:
            out.append("interface I%d {\n    int size%d();\n    default int twice%d() { return 2 * "
                       "size%d(); }\n}\n\n" % (i, i, i, i))
        face = i - i % 10
        base = " extends C%d" % rand.randrange(i) if i and i % 4 == 0 else ""
        out.append("class C%d%s implements I%d {\n    int field%d = %d;\n    List<String> list%d = new "
                   "ArrayList<>();\n\n" % (i, base, face, i, i, i))
        out.append("    C%d() {\n        list%d.add(\"%d\");\n    }\n\n" % (i, i, i))
        out.append("    public int size%d() {\n        return list%d.size() + field%d;\n    }\n\n" %
                   (face, i, i))
        for k in range(3):
            other = rand.randrange(i) if i else 0
            call = "new C%d().m%d_%d(x - 1)" % (other, other, rand.randrange(3)) if i else "x"
            out.append("    int m%d_%d(int x) {\n        if (x <= 0) return field%d;\n        int y = x * "
                       "%d;\n        return %s + y;\n    }\n\n" % (i, k, i, k + 1, call))
        out.append("}\n\n")
    out.append("class Main {\n    public static void main(String[] arguments) {\n        "
               "System.out.println(new C%d().m%d_1(3));\n        System.out.println(\"needle \" + "
               "(new C200().twice200() > 7));\n        System.out.println(new C%d().m%d_0(2));\n    }\n}\n"
               % (n - 1, n - 1, n - 9, n - 9))
    # The program that `java FILE` runs is the first class of the file.
    text = "".join(out)
    at = text.index("interface I0")
    main = text.index("class Main")
    text = text[:at] + text[main:] + text[at:main]
    return "java", text, "timeout 60 java -Xshare:auto -XX:TieredStopAtLevel=1 \"$f\" 2>&1 | " \
        "grep -q '^needle true'"


def php():
    """Classes that extend others and use traits, methods called by names that are put together, functions that
    are handed over by their names, and a registry that is filled at the outermost level."""
    rand = random.Random(SEED)
    out = ["<?php\n\n"]
    n = 360
    for i in range(n):
        if i % 20 == 0:
            out.append("interface I%d\n{\n    public function size%d();\n}\n\ntrait T%d\n{\n    protected $kept%d = [];"
                       "\n\n    public function keep%d($x)\n    {\n        $this->kept%d[] = $x;\n        return "
                       "$this->size%d();\n    }\n}\n\n" % ((i,) * 7))
            out.append("function helper%d($x)\n{\n    return $x %% %d + %s;\n}\n\n" %
                       (i, i + 7, "helper%d($x + 1)" % (i - 20) if i else "1"))
        face = i - i % 20
        base = " extends C%d" % (i - 3) if i % 20 > 3 and i % 4 == 0 else ""
        out.append("class C%d%s implements I%d\n{\n    use T%d;\n\n    const LIMIT%d = %d;\n\n    public static $made%d = 0;"
                   "\n\n    public $field%d = self::LIMIT%d;\n\n" % (i, base, face, face, i, i % 9 + 1, i, i, i))
        out.append("    public function __construct()\n    {\n        self::$made%d++;\n    }\n\n" % i)
        out.append("    public function size%d()\n    {\n        return count($this->kept%d) + $this->field%d;\n    }\n\n" %
                   (face, face, i))
        for k in range(3):
            other = rand.randrange(i) if i else 0
            call = "(new C%d)->step%d_%d($x - 1)" % (other, other, rand.randrange(3)) if i else "$x"
            out.append("    public function step%d_%d($x)\n    {\n        if ($x <= 0) {\n            return "
                       "$this->field%d;\n        }\n        $y = array_sum(array_map('helper%d', [$x, %d]));\n        return %s + $y;"
                       "\n    }\n\n" % (i, k, i, face, k + 1, call))
        out.append("    public function run%d($name, $x)\n    {\n        return $this->{'step%d_' . $name}($x) + "
                   "$this->keep%d($x);\n    }\n}\n\n" % (i, i, face))
    out.append("$registry = [];\n")
    for i in range(0, n, 12):
        out.append("$registry['c%d'] = new C%d;\n" % (i, i))
    main = n - 12
    out.append("$runner = new C%d;\n$runner->keep%d(5);\necho 'first ', $runner->run%d('1', 3), \"\\n\";\n" %
               (main, main - main % 20, main))
    out.append("echo 'needle ', $runner->size%d() > 1 ? 'yes' : 'no', \"\\n\";\necho count($registry), \"\\n\";\n" %
               (main - main % 20))
    return "php", "".join(out), \
        "timeout 20 php -n -d memory_limit=500M \"$f\" 2>&1 | grep -q '^needle yes'"


def go():
    """All files of the package, and a main function."""
    folder = sorted(glob.glob("/usr/lib/go*/src/encoding/json") + ["/usr/local/go/src/encoding/json"])[0]
    imports, bodies = set(), []
    for file in sorted(glob.glob(folder + "/*.go")):
        text = open(file, encoding="utf-8").read()
        if file.endswith("_test.go") or "//go:build" in text:
            continue
        for block in re.findall(r"^import \((.*?)^\)", text, re.M | re.S):
            imports.update(re.findall(r'"[^"]+"', block))
        imports.update(re.findall(r'^import ("[^"]+")', text, re.M))
        text = re.sub(r"^import \(.*?^\)|^import \"[^\"]+\"|^package \w+", "", text, flags=re.M | re.S)
        bodies.append(text)
    imports.add('"fmt"')
    main = """
func main() {
	b, _ := Marshal(map[string]int{"a": 1})
	fmt.Println(string(b))
	fmt.Println("needle", Valid([]byte("[1,2]")))
}
"""
    text = "package main\n\nimport (\n%s)\n" % "".join("\t%s\n" % i for i in sorted(imports))
    return "go", text + "".join(bodies) + main, \
        "mkdir d && cp \"$f\" d/m.go && GOCACHE=${GOCACHE:-/tmp/go-cache} GO111MODULE=off timeout 60 " \
        "go run d/m.go 2>&1 | grep -q '^needle true'"


# ---- folders of modules -------------------------------------------------------------------------

N_MODULES, N_FUNCTIONS, N_CLASSES = 36, 18, 5


def modules():
    """What the modules hold, whatever the language: (functions, classes) of each.  A function is the
    list of the two that it calls, as (module, number); a class is the function that its method
    calls.  All are of the module itself or of one before it, so that every program ends."""
    rand = random.Random(SEED)

    def earlier(module, number):
        while True:
            other = rand.randrange(module + 1)
            if other < module:
                return other, rand.randrange(N_FUNCTIONS)
            if number:
                return module, rand.randrange(number)
            if not module:
                return None

    made = []
    for module in range(N_MODULES):
        functions = [[call for call in (earlier(module, number), earlier(module, number)) if call]
                     for number in range(N_FUNCTIONS)]
        classes = [(module, rand.randrange(N_FUNCTIONS)) for _ in range(N_CLASSES)]
        made.append((functions, classes))
    return made


def used_modules(module, functions, classes):
    """The other modules that a module calls."""
    calls = [call for function in functions for call in function] + classes
    return sorted({call[0] for call in calls} - {module})


# What main prints: classes of these modules, the second with the needle.
SHOWN = (N_MODULES - 1, N_MODULES // 2, N_MODULES - 3)


def package():
    """A package of Python with a module that starts it."""
    files = {"pkg/__init__.py": ""}
    for m, (functions, classes) in enumerate(modules()):
        out = ["from . import m%d\n" % other for other in used_modules(m, functions, classes)]
        out.append("\nLIMIT = %d\n\n" % (m + 1))
        for k, calls in enumerate(functions):
            prefixed = ["f%d_%d" % (a, b) if a == m else "m%d.f%d_%d" % (a, a, b) for a, b in calls]
            out.append('def f%d_%d(x):\n    """Step %d of module %d."""\n    if x <= 0:\n        return '
                       'LIMIT\n    total = x * %d\n' % (m, k, k, m, k + 2))
            out += ["    total += %s(x - 1)\n" % name for name in prefixed]
            out.append("    return total\n\n\n")
        for c, (a, b) in enumerate(classes):
            out.append("class C%d_%d:\n    def __init__(self, size):\n        self.size = size\n\n    def "
                       "run(self):\n        return f%d_%d(self.size) + self.size\n\n    def twice(self):\n"
                       "        return 2 * self.run()\n\n\n" % (m, c, a, b))
        files["pkg/m%d.py" % m] = "".join(out)
    a, b, c = SHOWN
    files["pkg/__main__.py"] = (
        "from . import m%d, m%d, m%d\n\nprint(m%d.C%d_0(2).run())\nprint('needle', m%d.C%d_1(2).twice() > 7)\n"
        "print(m%d.C%d_2(2).run())\n" % (a, b, c, a, a, b, b, c, c))
    return files, "cd \"$f\" && timeout 20 python3 -S -B -m pkg 2>&1 | grep -q '^needle True'"


def crate():
    """A crate of Rust, which rustc checks before it is run."""
    files, main = {}, []
    for m, (functions, classes) in enumerate(modules()):
        main.append("mod m%d;\n" % m)
        out = ["use crate::m%d;\n" % other for other in used_modules(m, functions, classes)]
        out.append("\npub const LIMIT: i64 = %d;\n\npub trait Run%d {\n    fn run(&self) -> i64;\n    fn twice("
                   "&self) -> i64 {\n        2 * self.run()\n    }\n}\n\n" % (m + 1, m))
        for k, calls in enumerate(functions):
            out.append("pub fn f%d_%d(x: i64) -> i64 {\n    if x <= 0 {\n        return LIMIT;\n    }\n    let "
                       "mut total = x * %d;\n" % (m, k, k + 2))
            out += ["    total += %sf%d_%d(x - 1);\n" % ("" if a == m else "m%d::" % a, a, b)
                    for a, b in calls]
            out.append("    total\n}\n\n")
        for c, (a, b) in enumerate(classes):
            out.append("pub struct C%d_%d {\n    pub size: i64,\n}\n\nimpl Run%d for C%d_%d {\n    fn run("
                       "&self) -> i64 {\n        f%d_%d(self.size) + self.size\n    }\n}\n\n" %
                       (m, c, m, m, c, a, b))
        files["src/m%d.rs" % m] = "".join(out)
    main += ["use m%d::Run%d as _;\n" % (m, m) for m in SHOWN]
    a, b, c = SHOWN
    main.append('\nfn main() {\n    println!("{}", m%d::C%d_0 { size: 2 }.run());\n    println!("needle {}", '
                'm%d::C%d_1 { size: 2 }.twice() > 7);\n    println!("{}", m%d::C%d_2 { size: 2 }.run());\n}\n'
                % (a, a, b, b, c, c))
    files["src/main.rs"] = "".join(main)
    files["Cargo.toml"] = '[package]\nname = "input"\nversion = "0.1.0"\nedition = "2021"\n'
    return files, "timeout 60 rustc -A warnings --edition 2021 -o x \"$f/src/main.rs\" 2>/dev/null && " \
        "timeout 5 ./x | grep -q '^needle true'"


def gopackage():
    """A package of Go in many files."""
    files = {"go.mod": "module input\n\ngo 1.19\n"}
    for m, (functions, classes) in enumerate(modules()):
        out = ["package main\n\nimport \"strconv\"\n\nconst limit%d = %d\n\ntype Run%d interface {\n\tRun%d() int\n"
               "\tName%d() string\n}\n\n" % (m, m + 1, m, m, m)]
        for k, calls in enumerate(functions):
            out.append("func f%d_%d(x int) int {\n\tif x <= 0 {\n\t\treturn limit%d\n\t}\n\ttotal := x * %d\n"
                       % (m, k, m, k + 2))
            out += ["\ttotal += f%d_%d(x - 1)\n" % call for call in calls]
            out.append("\treturn total\n}\n\n")
        for c, (a, b) in enumerate(classes):
            out.append("type C%d_%d struct {\n\tsize%d int\n}\n\nfunc (c *C%d_%d) Run%d() int {\n\treturn "
                       "f%d_%d(c.size%d) + c.size%d\n}\n\nfunc (c *C%d_%d) Name%d() string {\n\treturn "
                       "strconv.Itoa(c.Run%d())\n}\n\n" % (m, c, m, m, c, m, a, b, m, m, m, c, m, m))
        files["m%d.go" % m] = "".join(out)
    a, b, c = SHOWN
    show = "\tvar r%d Run%d = &C%d_%d{size%d: 2}\n\tfmt.Println(%s)\n"
    files["main.go"] = "package main\n\nimport \"fmt\"\n\nfunc main() {\n%s%s%s}\n" % (
        show % (a, a, a, 0, a, "r%d.Name%d()" % (a, a)),
        show % (b, b, b, 1, b, '"needle", r%d.Run%d() > 7' % (b, b)),
        show % (c, c, c, 2, c, "r%d.Name%d()" % (c, c)))
    if shutil.which("go"):
        check = "cp -r \"$f\" d && cd d && GOCACHE=${GOCACHE:-/tmp/go-cache} GOFLAGS=-mod=mod timeout 60 " \
            "go run . 2>&1 | grep -q '^needle true'"
    else:
        check = "python3 %s --check-go \"$f\"" % os.path.abspath(__file__)
    return files, check


# What modules of JavaScript and TypeScript hold: with types, if there are any.
def script_module(m, functions, classes, typed):
    number = ": number" if typed else ""
    out = ["const LIMIT = %d;\n\n" % (m + 1)]
    if typed:
        out.append("export interface Run%d {\n  run(): number;\n  twice(): number;\n}\n\n" % m)
    for k, calls in enumerate(functions):
        out.append("/** Step %d of module %d. */\nfunction f%d_%d(x%s)%s {\n  if (x <= 0) return LIMIT;\n"
                   "  let total = x * %d;\n" % (k, m, m, k, number, number, k + 2))
        out += ["  total += %s(x - 1);\n" % script_name(m, call) for call in calls]
        out.append("  return total;\n}\n\n")
    for c, (a, b) in enumerate(classes):
        field = "  size: number;\n\n" if typed else ""
        out.append("class C%d_%d%s {\n%s  constructor(size%s) {\n    this.size = size;\n  }\n\n  run()%s {\n"
                   "    return f%d_%d(this.size) + this.size;\n  }\n\n  twice()%s {\n    return 2 * this.run();\n"
                   "  }\n}\n\n" % (m, c, " implements Run%d" % m if typed else "", field, number, number, a, b,
                                 number))
    return "".join(out)


def script_name(module, call):
    """What a function is called: those of every third module by way of that module."""
    a, b = call
    return "m%d.f%d_%d" % (a, a, b) if a != module and a % 3 == 0 else "f%d_%d" % (a, b)


def imported(module, functions, other):
    """The functions of a module that another one calls."""
    return sorted({b for calls in functions for a, b in calls if a == other != module})


def esm_files(ending, typed):
    """Modules with exports at the declarations, in a list, and by way of an index."""
    files = {}
    for m, (functions, classes) in enumerate(modules()):
        out = []
        for other in used_modules(m, functions, classes):
            names = ", ".join("f%d_%d" % (other, b) for b in imported(m, functions, other))
            out.append("import %s from './m%d%s';\n" %
                       ("* as m%d" % other if other % 3 == 0 else "{ %s }" % names, other, ending))
        text = script_module(m, functions, classes, typed)
        if m % 2:
            text = re.sub(r"^((?:/\*\*.*\*/\n)?)(function|class)", r"\1export \2", text, flags=re.M)
        else:
            text += "export { %s };\n" % ", ".join(
                ["f%d_%d" % (m, k) for k in range(len(functions))] +
                ["C%d_%d" % (m, c) for c in range(len(classes))])
        files["m%d" % m] = "".join(out) + "\n" + text
    a, b, c = SHOWN
    files["index"] = "".join("export * from './m%d%s';\n" % (m, ending) for m in range(N_MODULES))
    files["main"] = ("import { C%d_0, C%d_1 } from './index%s';\nimport { C%d_2 } from './m%d%s';\n\n"
                     "const parts = [new C%d_0(2).run(), new C%d_1(2).twice(), new C%d_2(2).run()];\n"
                     "console.log(parts.length, parts[0]);\nif (parts[0] > 2 && parts[1] > 7 && parts[2] > 2)\n"
                     "  console.log('needle');\n" % (a, b, ending, c, c, ending, a, b, c))
    return files


def esm():
    """A package of JavaScript with imports."""
    files = {"src/%s.mjs" % name: text for name, text in esm_files(".mjs", False).items()}
    files["package.json"] = '{ "name": "input", "version": "0.1.0", "type": "module", "main": "src/main.mjs" }\n'
    return files, "timeout 20 node \"$f/src/main.mjs\" 2>/dev/null | grep -q '^needle$'"


def commonjs():
    """A package of JavaScript with require, and both ways of exports."""
    files = {}
    for m, (functions, classes) in enumerate(modules()):
        out = ["'use strict';\n\n"]
        for other in used_modules(m, functions, classes):
            names = ", ".join("f%d_%d" % (other, b) for b in imported(m, functions, other))
            out.append("const %s = require('./m%d');\n" %
                       ("m%d" % other if other % 3 == 0 else "{ %s }" % names, other))
        text = script_module(m, functions, classes, False)
        names = ["f%d_%d" % (m, k) for k in range(len(functions))] + ["C%d_%d" % (m, c) for c in range(len(classes))]
        text += ("".join("exports.%s = %s;\n" % (name, name) for name in names) if m % 2 else
                 "module.exports = {\n%s};\n" % "".join("  %s,\n" % name for name in names))
        files["lib/m%d.js" % m] = "".join(out) + "\n" + text
    a, b, c = SHOWN
    files["package.json"] = '{ "name": "input", "version": "0.1.0", "main": "index.js" }\n'
    files["index.js"] = (
        "const { C%d_0 } = require('./lib/m%d');\nconst second = require('./lib/m%d');\nconst third = require('./lib/m"
        "%d');\n\nconst parts = [new C%d_0(2).run(), new second.C%d_1(2).twice(), new third.C%d_2(2).run()];\n"
        "console.log(parts.length, parts[0]);\nif (parts[0] > 2 && parts[1] > 7 && parts[2] > 2)\n"
        "  console.log('needle');\n" % (a, a, b, c, a, b, c))
    return files, "timeout 20 node \"$f/index.js\" 2>/dev/null | grep -q '^needle$'"


def tspackage():
    """A package of TypeScript, which its compiler checks before it is run."""
    files = {"src/%s.ts" % name: text for name, text in esm_files("", True).items()}
    files["tsconfig.json"] = ('{\n  "compilerOptions": { "strict": true, "module": "commonjs", "target": "es2020", '
                              '"types": [], "lib": ["es2020", "dom"] },\n  "files": ["src/main.ts"]\n}\n')
    return files, "cp -r \"$f\" p && timeout 60 tsc -p p --outDir out >/dev/null && timeout 20 node out/main.js 2>/dev/null | " \
        "grep -q '^needle$'"


def javapackage():
    """Two packages of Java, with a class in each file, static imports, and an interface."""
    files = {"app/Run.java": "package app;\n\npublic interface Run {\n    int run();\n\n    default int twice() {\n"
                             "        return 2 * run();\n    }\n}\n"}

    def place(m):
        return "app.steps" if m % 2 else "app"

    for m, (functions, classes) in enumerate(modules()):
        out = ["package %s;\n\n" % place(m)]
        out += ["import app.Run;\n"] * (m % 2)
        for other in used_modules(m, functions, classes):
            if other % 3 == 0:
                out += ["import static %s.M%d.f%d_%d;\n" % (place(other), other, other, b)
                        for b in imported(m, functions, other)]
            elif place(other) != place(m):
                out.append("import %s.M%d;\n" % (place(other), other))
        out.append("\n/** Module %d. */\npublic final class M%d {\n    static final int LIMIT = %d;\n\n" % (m, m, m + 1))
        for k, calls in enumerate(functions):
            out.append("    public static int f%d_%d(int x) {\n        if (x <= 0) {\n            return LIMIT;\n"
                       "        }\n        int total = x * %d;\n" % (m, k, k + 2))
            out += ["        total += %sf%d_%d(x - 1);\n" % ("" if a == m or a % 3 == 0 else "M%d." % a, a, b)
                    for a, b in calls]
            out.append("        return total;\n    }\n\n")
        for c, (a, b) in enumerate(classes):
            out.append("    public static class C%d_%d implements Run {\n        private final int size;\n\n        "
                       "public C%d_%d(int size) {\n            this.size = size;\n        }\n\n        @Override\n"
                       "        public int run() {\n            return f%d_%d(size) + size;\n        }\n    }\n\n"
                       % (m, c, m, c, a, b))
        files["%s/M%d.java" % (place(m).replace(".", "/"), m)] = "".join(out) + "}\n"
    a, b, c = SHOWN
    files["app/Main.java"] = (
        "package app;\n\n%s\npublic class Main {\n    public static void main(String[] args) {\n        Run first = new "
        "M%d.C%d_0(2);\n        Run second = new M%d.C%d_1(2);\n        Run third = new M%d.C%d_2(2);\n"
        "        System.out.println(first.run());\n        if (first.run() > 2 && second.twice() > 7 && third.run() > 2)"
        " {\n            System.out.println(\"needle\");\n        }\n    }\n}\n" %
        ("".join("import %s.M%d;\n" % (place(m), m) for m in SHOWN if m % 2), a, a, b, b, c, c))
    return files, "timeout 60 javac -nowarn -d out -sourcepath \"$f\" \"$f/app/Main.java\" >/dev/null 2>&1 && " \
        "timeout 20 java -Xshare:auto -cp out app.Main 2>/dev/null | grep -q '^needle$'"


def luapackage():
    """Modules of Lua: tables that are returned, and local functions."""
    files = {}
    for m, (functions, classes) in enumerate(modules()):
        out = ["local m%d = require 'src.m%d'\n" % (other, other) for other in used_modules(m, functions, classes)]
        out.append("\nlocal M = {}\n\nlocal LIMIT = %d\n\n" % (m + 1))
        for k, calls in enumerate(functions):
            out.append("-- Step %d of module %d.\nfunction M.f%d_%d(x)\n  if x <= 0 then return LIMIT end\n"
                       "  local total = x * %d\n" % (k, m, m, k, k + 2))
            out += ["  total = total + %s.f%d_%d(x - 1)\n" % ("M" if a == m else "m%d" % a, a, b)
                    for a, b in calls]
            out.append("  return total\nend\n\n")
        for c, (a, b) in enumerate(classes):
            name = "C%d_%d" % (m, c)
            out.append("local %s = {}\n%s.__index = %s\n\nfunction %s.new(size)\n  return setmetatable({ size = size }, "
                       "%s)\nend\n\nfunction %s:run()\n  return M.f%d_%d(self.size) + self.size\nend\n\nfunction "
                       "%s:twice()\n  return 2 * self:run()\nend\n\nM.%s = %s\n\n" %
                       (name, name, name, name, name, name, a, b, name, name, name))
        files["src/m%d.lua" % m] = "".join(out) + "return M\n"
    a, b, c = SHOWN
    files["main.lua"] = (
        "local m%d = require 'src.m%d'\nlocal m%d = require 'src.m%d'\nlocal m%d = require 'src.m%d'\n\nlocal first, "
        "second, third = m%d.C%d_0.new(2), m%d.C%d_1.new(2), m%d.C%d_2.new(2)\nprint(first:run())\nif first:run() > 2 "
        "and second:twice() > 7 and third:run() > 2 then\n  print 'needle'\nend\n" %
        (a, a, b, b, c, c, a, a, b, b, c, c))
    return files, "cd \"$f\" && timeout 20 lua main.lua 2>/dev/null | grep -q '^needle$'"


def is_go(folder):
    """What a compiler of Go would ask of gopackage, as far as names go."""
    declared, used, main = set(), set(), ""
    for file in glob.glob(os.path.join(folder, "*.go")):
        text = open(file, encoding="utf-8", errors="replace").read()
        if not text.strip():
            return False
        bare = re.sub(r'"(\\.|[^"\\\n])*"', '""', text)
        if not re.match(r"\s*package main\s", text) or bare.count('"') != text.count('"'):
            return False
        for sides in ("()", "{}", "[]"):
            if bare.count(sides[0]) != bare.count(sides[1]):
                return False
        for path in re.findall(r'^import "(\w+)"', text, re.M):
            if not re.search(r"\b%s\." % path, bare):
                return False
        for path in re.findall(r"\b(strconv|fmt)\.", bare):
            if 'import "%s"' % path not in text:
                return False
        names = re.findall(r"^(?:func|type|const|var)\s+(\w+)", bare, re.M)
        methods = re.findall(r"^func \(c \*(\w+)\) (\w+)\(", bare, re.M)
        fields = re.findall(r"^\t(\w+)(?:\(\))? (?:int|string)$", bare, re.M)
        if len(set(names)) < len(names) or declared & set(names):
            return False
        declared |= set(names) | {method for _, method in methods} | set(fields)
        used |= set(re.findall(r"\b(?:[fCm]\d+_\d+|(?:limit|Run|Name|size)\d+)\b", bare))
        used |= {kind for kind, _ in methods}
        for body in re.findall(r"^func [^{]* (?:int|string) \{\n(.*?)^\}", bare, re.M | re.S):
            if not re.search(r"\breturn\b[^\n]*\n\Z|\bpanic\(.*\)\n\Z", body):
                return False
        if re.search(r"\)\s*(?:int|string)\s*$", bare, re.M) and "interface" not in bare:
            return False
        found = re.search(r"^func main\(\) \{\n(.*?)^\}", text, re.M | re.S)
        main = found[1] if found else main
    needle = re.search(r'var (r\d+) Run\d+ = &(C\d+_\d+)\{.*\n(?:.*\n)*\tfmt\.Println\("needle", \1\.Run\d+'
                       r'\(\) > 7\)', main)
    return bool(needle) and used <= declared


KINDS = {"javascript": javascript, "esbuild": esbuild, "python": python, "sql": sql, "java": java, "go": go, "php": php}
FOLDERS = {"package": package, "crate": crate, "gopackage": gopackage, "esm": esm, "commonjs": commonjs,
           "tspackage": tspackage, "javapackage": javapackage, "luapackage": luapackage}


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def main():
    global SEED
    if len(sys.argv) == 3 and sys.argv[1] == "--check-go":
        sys.exit(not is_go(sys.argv[2]))
    if len(sys.argv) not in (3, 4) or sys.argv[1] not in {**KINDS, **FOLDERS}:
        sys.exit(__doc__)
    kind, folder = sys.argv[1:3]
    SEED = int(sys.argv[3]) if len(sys.argv) == 4 else SEED
    if kind in FOLDERS:
        files, check = FOLDERS[kind]()
        for name, text in files.items():
            write(os.path.join(folder, "input", name), text)
    else:
        ending, text, check = KINDS[kind]()
        write(os.path.join(folder, "input." + ending), text)
    test = os.path.join(folder, "test.sh")
    write(test, "#!/bin/sh\nf=$(readlink -f \"$1\") || exit 1\nt=$(mktemp -d) || exit 1\n"
          "trap 'rm -rf \"$t\"' EXIT INT TERM\ncd \"$t\" || exit 1\n%s\n" % check)
    os.chmod(test, 0o755)


if __name__ == "__main__":
    main()
