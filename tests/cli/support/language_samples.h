/* A small source in every language of the table; each holds what is awkward there: strings,
 * comments, here documents, templates, indentation, text outside ASCII. */
#ifndef PARE_TESTS_LANGUAGE_SAMPLES_H
#define PARE_TESTS_LANGUAGE_SAMPLES_H

static const struct sample {
    const char *name, *file, *text;
} samples[] = {
    {"json", "a.json", "{\"a\": [1, -2.5e3, \"x\\n\\u00e4\", null], \"\": {}}\n"},
    {"c", "dir.x/a.c",
     "#include <stdio.h>\n#define TWICE(x) \\\n    ((x) + (x))\n/* one */ int a[3] = {1, 2};\n"
     "static int f(const char *s, ...)\n{\n    for (int i = 0; i < 3; i++) { if (s[i] == '\\n') "
     "continue; else a[i] += 2; }\n    // two\n    return s ? printf(\"%d \\\"x\\\"\\n\", "
     "TWICE(1)) : 0;\n}\n"},
    {"cpp", "a.cc",
     "#include <vector>\nnamespace n { template <typename T> struct S : B<T> { T t{}; S() = "
     "default; auto f() const -> T { return t; } }; }\nint main() { auto l = [&](int x) { return "
     "x + 1; }; const char *r = R\"(a\"b)\"; for (auto &e : v) l(e); }\n"},
    {"javascript", "a.mjs",
     "import {x} from 'y';\nconst f = async (a, {b}) => `t ${a + `n ${b}`} u`;\nlet r = /a[/]b/g"
     "\nclass A extends B { #p = 1; get q() { return this.#p } }\nfor (const k of f()) { if (!k) "
     "break }\n"},
    {"typescript", "a.ts",
     "interface I<T> { a?: T; readonly b: string | null }\nenum E { A = 1, B }\nfunction f<T "
     "extends I<number>>(x: T, ...r: any[]): x is T { return <any>x as T }\n"},
    {"tsx", "a.tsx", "const C = (p: {a: string}) => <div className=\"x\">{p.a} text<br/></div>;\n"},
    {"sql", "a.sql",
     "-- one\nCREATE TABLE t (a INT, b VARCHAR(10));\n/* two */ INSERT INTO t VALUES (1, 'x''y');\n"
     "SELECT a, count(*) AS n FROM t AS u WHERE b = 'z' GROUP BY a ORDER BY n;\n"},
    {"python", "a.py",
     "# c\nimport os\n\n@d\ndef f(a, *b, **c):\n    \"\"\"doc\n    string\"\"\"\n    if a:\n       "
     " "
     "return [x for x in b if x != f\"{a!r:>{c}} \xc3\xa4\"]\n    else:\n        pass\n\nclass "
     "A(B): "
     "x: int = 1\n"},
    {"java", "A.java",
     "package p;\nimport java.util.*;\n@Deprecated public class A<T> extends B implements C {\n  "
     "int[] a = {1, 2};\n  A() { super(); }\n  /** doc */ T f(List<? extends T> l) throws E { "
     "return l.stream().map(x -> x).findFirst().get(); }\n}\n"},
    {"rust", "a.rs",
     "#![allow(x)]\nuse std::{fmt, io};\n/* a /* b */ c */\nimpl<'a, T: Clone> S<'a, T> { pub fn "
     "f(&mut self) -> Option<u8> { let s = r#\"a\"b\"#; match self.x { Some(n) if n > 1 => "
     "Some(n), _ => None } } }\nmacro_rules! m { ($e:expr) => { println!(\"{}\", $e) }; }\n"},
    {"go", "a.go",
     "package main\n\nimport \"fmt\"\n\ntype T struct { a, b int }\n\nfunc (t *T) f(x ...int) "
     "(int, "
     "error) {\n\tdefer func() { recover() }()\n\tfor i := range x {\n\t\tfmt.Println(`raw\n`, "
     "i)\n\t}\n\treturn t.a, nil\n}\n"},
    {"html", "a.html",
     "<!DOCTYPE html>\n<html><head><title>T &amp; t</title><style>a { b: c }</style>\n<script>if "
     "(a < b) c();</script></head>\n<body><!-- c --><p>one<p>two<br><img src=x "
     "alt='y'></body></html>\n"},
    {"css", "a.css",
     "@import url(\"x.css\");\n/* c */ a:hover > .b #c[d=\"e\"]::before { color: #fff; margin: 0 "
     "-1px; }\n@media (min-width: 10em) and screen { p { width: calc(100% - 2px) } }\n"},
    {"bash", "a.sh",
     "#!/bin/bash\nset -eu\nf() { local a=${1:-x}; echo \"$a $(date +%s) ${b[@]}\"; }\ncat <<'E' "
     "| sort\nhere $x\nE\nfor i in {1..3}; do [[ $i == 2 ]] && continue; f \"$i\" 2>&1; done\n"},
    {"ruby", "a.rb",
     "# c\nclass A < B\n  attr_reader :x\n  def f(a, *b, k: 1, &c)\n    puts \"#{a} #{b.map { |y| "
     "y + 1 }}\" unless a.nil?\n    <<~T\n      here #{x}\n    T\n  end\nend\n"},
    {"php", "a.php",
     "<p>text</p>\n<?php\nnamespace N;\nfinal class A extends B { private ?int $x = 1; function "
     "f(array $a): string { return \"v {$a['k']} $this->x\" . <<<T\nhere $x\nT; } }\n?>\n<b>more "
     "</b>\n"},
    {"lua", "a.lua",
     "-- c\n--[[ long\n]]\nlocal t = {1, a = 2, ['b c'] = [==[raw]==]}\nfunction t.f(x, ...)\n  "
     "for "
     "k, v in pairs(t) do if k ~= x then return #v end end\nend\n"},
    {"solidity", "a.sol",
     "// SPDX-License-Identifier: MIT\npragma solidity ^0.8.0;\ncontract A is B { mapping(address "
     "=> uint256) public m; event E(address indexed a); modifier o() { require(msg.sender == "
     "owner, \"no\"); _; } function f(uint x) external view o returns (uint) { return m[msg.sender]"
     " + x; } }\n"},
    {"toml", "a.toml",
     "# c\ntitle = \"x\"\n[a.b]\nn = [1, 2.5, 1979-05-27T07:32:00Z]\ns = '''\nmore'''\n[[t]]\nk = "
     "{ "
     "x = 1, y = true }\n"},
    {"xml", "a.xml",
     "<?xml version=\"1.0\"?>\n<!-- c -->\n<a b=\"c &lt; d\"><e/>text &amp; more<![CDATA[<raw>]]>"
     "</a>\n"},
    {"dtd", "a.dtd", "<!ELEMENT a (b, c*)>\n<!ATTLIST a x CDATA #IMPLIED>\n<!ENTITY e \"text\">\n"},
    {"yaml", "a.yml",
     "# c\n%YAML 1.2\n---\na: &x\n  - 1\n  - \"two\\n\"\n  - {k: v, l: [1, 2]}\nb: *x\nt: |\n  "
     "literal\n  text\n...\n"},
    {"awk", "a.awk",
     "#!/usr/bin/awk -f\n# sums\nfunction f(a, b,   i) { for (i = 1; i <= a; i++) b += i; retu"
     "rn b }\nBEGIN { FS = \",\"; t[\"x\"] = 1 }\n$1 ~ /^[a-z]+$/ && NR > 1 { n[$1]++; printf "
     "\"%s\\n\", $2 }\nEND { for (k in n) if (n[k] > 2) print k, f(n[k], 0) }\n"},
    {"elixir", "a.ex",
     "# one\ndefmodule A.B do\n  @doc \"\"\"\n  text #{1 + 1}\n  \"\"\"\n  def f(%{a: x} = m, "
     "[h | t]) when x > 1 do\n    t |> Enum.map(fn y -> y * 2 end) |> IO.inspect(label: \"l\")"
     "\n    case h do\n      {:ok, v} -> ~s(raw #{v})\n      _ -> if m[:b], do: nil, else: :er"
     "ror\n    end\n  end\nend\n"},
    {"make", "a.mk",
     "# one\nCC ?= gcc\nSRC := $(wildcard *.c)\nifeq ($(CC),gcc)\nFLAGS += -Wall\nelse\nFLAGS "
     "=\nendif\n.PHONY: all\nall: a.o b.o\n\t@echo \"$@: $^\"\n\t$(CC) $(FLAGS) -o $@ $(SRC:.c"
     "=.o)\n%.o: %.c\n\t$(CC) -c $<\ndefine T\ntext\nendef\n"},
    {"nix", "a.nix",
     "# one\n{ pkgs ? import <nixpkgs> {}, lib, ... }@args:\nlet\n  f = x: y: x + y * 2;\n  in"
     "herit (lib) map;\nin rec {\n  name = \"v-${toString (f 1 2)}\";\n  src = ./a.c;\n  list "
     "= map (n: n.x or null) [ { x = 1; } args ];\n  text = ''\n    raw ${name}\n  '';\n  z = "
     "if name == \"\" then { } else with pkgs; { a.b = true; };\n}\n"},
    {"r", "a.R",
     "# one\nlibrary(stats)\nf <- function(x, n = 1, ...) {\n  for (i in seq_len(n)) {\n    if"
     " (i == 2) next\n    cat(\"v\", x[[i]], \"\\n\")\n  }\n  l <- list(a = 1, `b c` = NULL)\n"
     "  l$a <- x[x > 1 & !is.na(x)]\n  sapply(x, \\(y) y^2) |> sum()\n}\nd <- data.frame(k = c"
     "(\"a\", 'b'), v = 1:2)\nif (f(d$v) %in% 3L) TRUE else stop(\"e\")\n"},
    {"scala", "a.scala",
     "package p\nimport a.b._\n// one\ncase class A[T](x: Int, y: Option[T] = None) extends B "
     "with C {\n  def f(l: Seq[Int])(implicit n: Int): Int = {\n    for (i <- l if i > 1) prin"
     "tln(s\"v ${i + 1} $x\")\n    x match { case 1 | 2 => l.map(_ * 2).sum; case n if n > 3 ="
     "> n; case _ => 0 }\n  }\n}\nobject Main { def main(a: Array[String]): Unit = { val s = "
     "\"\"\"raw \"q\" \"\"\"; lazy val t = (1, 'c') } }\n"},
    {"zig", "a.zig",
     "const std = @import(\"std\");\n// one\nconst A = struct {\n    x: u32,\n    y: ?[]const "
     "u8 = null,\n    pub fn f(self: *const A, l: []const u32) !u32 {\n        for (l) |e| {\n"
     "            if (e > 1) continue;\n            std.debug.print(\"v {d}\\n\", .{e});\n    "
     "    }\n        return switch (self.x) { 1, 2 => 3, else => error.E };\n    }\n};\npub fn"
     " main() void {\n    const a = A{ .x = 1 };\n    _ = a.f(&[_]u32{ 1, 2 }) catch |e| retur"
     "n;\n}\ntest \"t\" { try std.testing.expect(true); }\n"},
    {"haskell", "a.hs",
     "{-# LANGUAGE LambdaCase #-}\nmodule Main (main, T(..)) where\n\nimport qualified Data.Ma"
     "p as M\n\n-- one\ndata T a = A { x :: Int, y :: a } | B deriving (Show, Eq)\n\nclass C a"
     " where\n  f :: a -> Int\n\ninstance C (T a) where\n  f (A n _) | n > 1 = n\n            "
     "| otherwise = 0\n  f B = let z = 1 in z + 2\n\nmain :: IO ()\nmain = do\n  let m = M.fro"
     "mList [(1, \"a\"), (2, \"b\\n\")]\n  mapM_ (\\k -> print (k + 1)) (M.keys m)\n  case M.l"
     "ookup 1 m of\n    Just s -> putStrLn s\n    Nothing -> return ()\n"},
    {"markdown", "a.md",
     "# One *title*\n\nText with `code` and [a link](x.html).\n\n- item one\n- item two\n  1. "
     "nested\n\n> quote\n\n```c\nint x;\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"},
    {"kotlin", "a.kt",
     "package p\nimport a.b.*\n// one\ndata class A<T>(val x: Int, var y: T? = null) : B(), C "
     "{\n    companion object { const val K = \"k\" }\n    fun f(vararg l: Int): Int {\n      "
     "  for (i in l) { if (i > 1) continue; println(\"v ${i + 1} $x\") }\n        return when "
     "(x) { 1, 2 -> l.map { it * 2 }.sum(); else -> y?.hashCode() ?: 0 }\n    }\n}\nfun main()"
     " { val s = \"\"\"raw \"q\" \"\"\"; try { A<Int>(1).f() } catch (e: E) { throw e } }\n"},
    {"ocaml", "a.ml",
     "(* one (* two *) *)\nopen Printf\ntype 'a t = A of int * 'a | B of { x : string; mutable"
     " y : int }\nexception E of string\nmodule M = struct\n  let rec f n = function\n    | []"
     " -> 0\n    | h :: t when h > 1 -> h + f n t\n    | _ -> raise (E \"e\\n\")\nend\nlet g ?"
     "(a = 1) ~b () = if a > b then printf \"%d\\n\" a else ()\nlet () =\n  let l = [1; 2] in"
     "\n  List.iter (fun x -> print_int (x + 1)) l;\n  match M.f 1 l with 0 -> () | n -> g ~b:"
     "n ()\n"},
    {"csharp", "a.cs",
     "using System;\nnamespace N {\n    // one\n    [Serializable] public class A<T> : B where"
     " T : new() {\n        private readonly int[] x = { 1, 2 };\n        public string P { ge"
     "t; set; } = \"p\";\n        public A(int a = 1) : base(a) { }\n        public static asy"
     "nc Task<int> F(params int[] y) {\n            foreach (var i in y) { if (i > 1) continue"
     "; Console.WriteLine($\"v {i:x}\"); }\n            return y.Select(v => v + 1).First() ??"
     " @\"raw \"\"q\"\"\".Length;\n        }\n    }\n}\n"},
    {"swift", "a.swift",
     "import Foundation\n// one\nprotocol P { func g() -> Int }\nstruct A<T: P>: P {\n    let "
     "x: Int\n    var y: T? = nil\n    init(_ x: Int) { self.x = x }\n    func g() -> Int {\n "
     "       for i in 1...3 where i > 1 { if i == 2 { continue }; print(\"v \\(i + x)\") }\n  "
     "      guard let z = y else { return [1, 2].map { $0 * 2 }.reduce(0, +) }\n        switch"
     " x { case 1, 2: return z.g(); default: return 0 }\n    }\n}\nenum E: Error { case a, b(I"
     "nt) }\n"},
    {"perl", "a.pl",
     "#!/usr/bin/perl\n# one\npackage A::B;\nuse strict;\nmy %h = (a => 1, 'b' => [1, 2]);\nsu"
     "b f {\n    my ($x, @l) = @_;\n    foreach my $e (@l) { next if $e =~ /^a[bc]+$/i; print "
     "\"v $e $h{a}\\n\"; }\n    return $x > 1 ? { map { $_ => 1 } @l } : undef;\n}\nunless (f("
     "1, qw(a b))) { die \"no\" }\nprint <<\"T\";\nhere $h{a}\nT\n1;\n"},
    {"llvm", "a.ll",
     "; one\ntarget triple = \"x86_64-pc-linux-gnu\"\n%T = type { i32, [2 x i8] }\n@g = global"
     " i32 1, align 4\n@s = private constant [3 x i8] c\"ab\\00\"\ndeclare i32 @puts(ptr)\ndef"
     "ine i32 @f(i32 %a, ptr %p) #0 {\nentry:\n  %c = icmp sgt i32 %a, 1\n  br i1 %c, label %t"
     "hen, label %end\nthen:\n  %v = load i32, ptr %p, align 4\n  %w = add nsw i32 %v, %a\n  %"
     "r = call i32 @puts(ptr @s)\n  br label %end\nend:\n  %x = phi i32 [ %w, %then ], [ 0, %e"
     "ntry ]\n  ret i32 %x\n}\nattributes #0 = { nounwind }\n"},
    {"glsl", "a.glsl",
     "#version 330 core\nlayout(location = 0) in vec3 p;\nuniform mat4 m;\nout vec4 c;\n/* one"
     " */\nstruct L { vec3 d; float i; };\nfloat f(const vec3 n, inout float s) {\n    for (in"
     "t i = 0; i < 3; ++i) { if (n[i] < 0.5) continue; s += n.x * float(i); }\n    return s > "
     "1.0 ? 1.0 : s;\n}\nvoid main() { float s = 0.0; c = vec4(f(p.xyz, s)); gl_Position = m *"
     " vec4(p, 1.0); }\n"},
    {"dart", "a.dart",
     "import 'dart:io';\n// one\nclass A<T> extends B {\n  final int x;\n  A(this.x, {int y = "
     "1});\n  Future<int> f(List<T> l) async {\n    for (var e in l) { if (e == null) continue"
     "; print('v ${e} $x'); }\n    return x > 1 ? await g() : 0;\n  }\n}\nvoid main() => print"
     "(A(1)..f([]));\n"},
    {"hcl", "a.tf",
     "# one\nvariable \"n\" {\n  type    = list(string)\n  default = [\"a\", \"b\"]\n}\nresour"
     "ce \"aws_instance\" \"x\" {\n  count = length(var.n) > 1 ? 2 : 0\n  name  = \"v-${var.n["
     "count.index]}\"\n  tags  = { for k in var.n : k => upper(k) }\n  d = <<E\ntext ${var.n[0"
     "]}\nE\n}\n"},
    {"powershell", "a.ps1",
     "# one\nparam([string]$Name = \"x\", [int]$n)\nfunction Get-A {\n    param($l)\n    forea"
     "ch ($e in $l) { if ($e -gt 1) { continue }; Write-Host \"v $e $($e + 1)\" }\n    return "
     "@{ a = 1; b = @(1, 2) }\n}\n$r = Get-A -l (1..3) | Where-Object { $_.a -eq 1 }\nswitch ("
     "$n) {\n    1 { \"one\" }\n    default { $null }\n}\ntry { throw 'e' } catch { exit 1 }\n"},
    {"elm", "a.elm",
     "module Main exposing (main, T(..))\n\nimport Html exposing (text)\n\n-- one\ntype T = A "
     "Int | B { x : String }\n\nf : Int -> T -> Int\nf n t =\n    let\n        y = n + 1\n    "
     "in\n    case t of\n        A m -> m * y\n        B r -> if r.x == \"a\" then 0 else 1\n"
     "\nmain = List.map (\\a -> a + 1) [ 1, 2 ] |> Debug.toString |> text\n"},
    {"properties", "a.properties", "# one\na.b = 1\nc: text \\\n  more\nd=v ${a.b} \\u00e4\ne\n"},
    {"ocaml-interface", "a.mli",
     "(** one *)\nopen Printf\ntype 'a t = A of int * 'a | B of { x : string }\nexception E of"
     " string\nmodule type S = sig\n  type k\n  val f : ?n:int -> k list -> (int -> 'a) -> 'a "
     "t\nend\nmodule M : S with type k = int\nexternal g : int -> unit = \"c_g\"\n"},
    {"objc", "a.m",
     "#import <Foundation/Foundation.h>\n// one\n@protocol P <NSObject>\n- (void)g;\n@end\n@in"
     "terface A : NSObject <P>\n@property (nonatomic, copy) NSString *s;\n- (int)f:(int)x with"
     ":(NSArray *)l;\n@end\n@implementation A\n- (int)f:(int)x with:(NSArray *)l {\n    for (i"
     "d e in l) { if (e == nil) continue; NSLog(@\"v %@\", e); }\n    return x > 1 ? [self f:x"
     " - 1 with:@[ @1 ]] : 0;\n}\n- (void)g { }\n@end\nint main(void) { @autoreleasepool { ret"
     "urn [[[A alloc] init] f:1 with:nil]; } }\n"},
    {"julia", "a.jl",
     "# one\nmodule M\nusing Base: +, -\nstruct P{T<:Real}\n    x::T\n    y::Vector{T}\nend\nf"
     "unction f(p::P, n::Int=1; k...)\n    for i in 1:n\n        i == 2 && continue\n        p"
     "rintln(\"v $(p.x) $i\")\n    end\n    return [a^2 for a in p.y if a > 1]\nend\ng(x) = x "
     "> 0 ? x : -x\n@assert f(P(1, [2])) == :s\nend\n"},
};

enum { N_SAMPLES = sizeof samples / sizeof *samples };

#endif
