#!/usr/bin/env python3
"""Makes large inputs with real tests, of what is on a Debian machine with npm.

Usage: bench/big/make_input.py KIND DIR
KIND: javascript (a bundle of npm's own modules, 1 MB), python (the decimal module), sql (a dump of
5 MB with foreign keys), java (10,000 lines), go (the package encoding/json in one file).
Writes DIR/input.EXT and DIR/test.sh, which takes the candidate's path; the failure is a line that the
program prints.  Nothing is downloaded; the same machine makes the same bytes.
"""
import glob
import os
import random
import re
import sys

NPM = "/usr/lib/node_modules/npm/node_modules"
BUNDLE_BYTES = 1 << 20


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
    rand = random.Random(16)
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
    rand = random.Random(16)
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


KINDS = {"javascript": javascript, "python": python, "sql": sql, "java": java, "go": go}


def main():
    if len(sys.argv) != 3 or sys.argv[1] not in KINDS:
        sys.exit(__doc__)
    ending, text, check = KINDS[sys.argv[1]]()
    os.makedirs(sys.argv[2], exist_ok=True)
    with open(os.path.join(sys.argv[2], "input." + ending), "w", encoding="utf-8") as file:
        file.write(text)
    test = os.path.join(sys.argv[2], "test.sh")
    with open(test, "w", encoding="utf-8") as file:
        file.write("#!/bin/sh\nf=$(readlink -f \"$1\") || exit 1\nt=$(mktemp -d) || exit 1\n"
                   "trap 'rm -rf \"$t\"' EXIT INT TERM\ncd \"$t\" || exit 1\n%s\n" % check)
    os.chmod(test, 0o755)


if __name__ == "__main__":
    main()
