/* ECMAScript 5 as programs of one line, for making tests of script engines.
 *
 * It is made to generate, not to parse: names are few and declared at the start of a program, so
 * that what comes later finds them; loops end after a few rounds; every statement is one that an
 * ES5 engine compiles.  What such an engine must refuse (early errors, broken tokens, broken
 * patterns) stands in strings for eval, Function and RegExp, so that a refusal costs nothing
 * but that call.  Division is written with a space after it, and no regular expression begins
 * with a space or '=': so a lexer without context tells them apart.
 *
 *     pare generate --grammar ES5.g4 -n 10
 *     pare generate --graph mujs.json --grammar ES5.g4 -n 10
 *
 * With a graph, expressions of the engine's API stand where the rule `builtin` does. */
grammar ES5;

program: declarations item+ EOF;

declarations: 'var' 'v0' '=' simple ',' 'v1' '=' value ',' 'v2' '=' literal ',' 'v3' ',' 'v4' '=' callback ',' 'fuel' '=' '99' ';';

statement
    : expression ';' | expression ';' | expression ';'
    | builtin ';' | builtin ';' | assignment ';' | assignment ';'
    | 'var' declared (',' declared)* ';'
    | block
    | 'if' '(' expression ')' statement ('else' statement)?
    | loop
    | 'try' block handler
    | 'switch' '(' expression ')' '{' clause* ('default' ':' statement* clause*)? '}'
    | 'throw' expression ';'
    | 'with' '(' object ')' statement
    | 'm1' ':' '{' statement* 'break' 'm1' ';' '}' | 'm2' ':' '{' statement* 'if' '(' expression ')' 'break' 'm2' ';' statement '}'
    | ';'
    | 'debugger' ';'
    | accessors ';'
    ;
/* In an inner statement engines may refuse a function. */
item: statement | statement | statement | 'function' FNAME '(' parameters? ')' '{' body '}';
block: '{' item* '}';
handler: 'catch' '(' 'e' ')' block | 'finally' block | 'catch' '(' 'e' ')' block 'finally' block;
clause: 'case' expression ':' statement* ('break' ';')?;
declared: variable ('=' value)?;

/* Each loop ends, whatever its statements do to its counter: all of a program share one fuel. */
loop
    : 'for' '(' 'var' 'i' '=' '0' ';' fuel '&&' 'i' '<' COUNT ';' ('++' 'i' | 'i' '++') ')' inner
    | 'for' '(' ('var' 'k' | 'k' | variable | reference) 'in' expression ')' inner
    | 'for' '(' expression? ';' ';' expression? ')' '{' statement* 'break' ';' '}'
    | 'for' '(' 'var' 'i' '=' COUNT ',' 'j' '=' '0' ';' fuel '&&' 'i' '--' ';' 'j' '+=' '2' ')' inner
    | 'while' '(' fuel '&&' '(' expression ')' ')' inner
    | 'do' '{' statement* 'break' ';' '}' 'while' '(' expression ')' ';'
    | 'do' inner 'while' '(' fuel '&&' '(' expression ')' ')' ';'
    | 'l' ':' 'for' '(' ';' fuel ';' ')'
      '{' statement 'for' '(' ';' ';' ')' '{' expression ';' ('continue' | 'break') 'l' ';' '}' '}'
    ;
fuel: 'fuel' '--' '>' '0';
inner: statement | '{' statement* 'continue' ';' '}' | '{' 'if' '(' expression ')' 'continue' ';' statement '}'
    | '{' 'if' '(' expression ')' 'break' ';' statement '}';

body: item* ('return' (value)? ';')?;
parameters: PARAMETER (',' PARAMETER)* ;

expression: assignment | conditional | conditional | (conditional ',' conditional);
assignment
    : reference '=' value | reference '=' value
    | reference ASSIGN conditional
    | variable '=' value
    ;
conditional: binary | binary | binary '?' value ':' value;
binary: unary | unary (BINARY | '-' | '+' | '/ ' | 'in' | 'instanceof' | '<') unary | unary ('&&' | '||') binary
    | unary BINARY unary BINARY unary;
unary: postfix | postfix | postfix
    | ('!' | '~' | '-' | '+' | 'typeof' | 'void') unary_operand
    | 'delete' reference
    | ('++' | '--') reference
    | reference ('++' | '--')
    ;
unary_operand: primary | member;
postfix: primary | member | member | call | call | builtin;

value: conditional | literal | object | array | callback | builtin | builtin;

member: subject '.' name | subject '[' expression ']' | subject '.' method;
reference: variable | subject '.' name | subject '[' index ']' | 'this' '.' name;
index: conditional | STRING | NUMBER;
subject: variable | variable | 'this' | '(' expression ')' | array | object | REGEX | STRING | 'arguments' | GLOBAL | call;

call
    : subject '.' method '(' arguments_? ')'
    | subject '.' method '(' arguments_? ')'
    | callback '(' arguments_? ')'
    | '(' callback ')' '.' ('call' | 'apply' | 'bind') '(' arguments_? ')'
    | 'new' '(' callback ')' '(' arguments_? ')'
    | 'new' GLOBAL '(' arguments_? ')'
    | '(' 'new' GLOBAL ')'
    | GLOBAL '(' arguments_? ')'
    | FNAME '(' arguments_? ')'
    | variable '(' arguments_? ')'
    | 'eval' '(' CODE ')'
    | '(' '0' ',' 'eval' ')' '(' CODE ')'
    | 'Function' '(' (CODE_PARAMETERS ',')? CODE ')'
    | 'new' 'RegExp' '(' PATTERN (',' FLAGS)? ')'
    | REGEX '.' ('exec' | 'test') '(' (SUBJECT | value) ')'
    | SUBJECT '.' ('match' | 'search' | 'split') '(' REGEX ')'
    | SUBJECT '.' 'replace' '(' REGEX ',' (REPLACEMENT | callback) ')'
    | 'JSON' '.' 'parse' '(' (JSON_TEXT | STRING) (',' callback)? ')'
    | 'JSON' '.' 'stringify' '(' value (',' (callback | array | 'null') (',' (NUMBER | STRING))?)? ')'
    ;
arguments_: value (',' value)*;

accessors
    : 'Object' '.' 'defineProperty' '(' target ',' (STRING | NAME_STRING) ',' descriptor ')'
    | 'Object' '.' 'defineProperties' '(' target ',' '{' name ':' descriptor (',' name ':' descriptor)* '}' ')'
    | 'Object' '.' 'create' '(' (target | 'null') (',' '{' name ':' descriptor '}')? ')'
    | 'Object' '.' ('freeze' | 'seal' | 'preventExtensions' | 'keys' | 'isFrozen' | 'isSealed' | 'getOwnPropertyNames') '(' target ')'
    ;
target: variable | object | array | callback | 'arguments' | 'this';
descriptor: '{' (trait (',' trait)*)? '}' | '{' 'get' ':' callback (',' 'set' ':' callback)? (',' 'configurable' ':' BOOLEAN)? '}';
trait: 'value' ':' value | ('writable' | 'enumerable' | 'configurable') ':' BOOLEAN;

variable: 'v0' | 'v1' | 'v2' | 'v3' | 'v4';
name: NAME | NAME | NAME | 'length' | 'value' | 'valueOf' | 'get' | 'index';
method: METHOD | METHOD | METHOD | METHOD | 'call' | 'apply' | 'bind' | 'exec' | 'test' | 'match' | 'search' | 'split' | 'replace' | 'valueOf' | 'toString' | 'keys';

primary: literal | literal | 'this' | variable | variable | variable | GLOBAL | FNAME | 'arguments' | 'undefined' | '(' expression ')' | callback;

/* A graph's expressions are put here; without a graph, what every engine has. */
builtin: call | GLOBAL | 'new' GLOBAL '(' arguments_? ')' | subject '.' method '(' arguments_? ')';

callback
    : '(' 'function' '(' parameters? ')' '{' body '}' ')'
    | '(' 'function' FNAME '(' parameters? ')' '{' body '}' ')'
    | '(' 'function' '(' PARAMETER ',' PARAMETER ')' '{' 'return' value ';' '}' ')'
    | variable
    ;
simple: NUMBER | STRING | 'null' | 'undefined' | BOOLEAN | '[' ']' | '{' '}';
literal: NUMBER | NUMBER | STRING | STRING | BOOLEAN | 'null' | REGEX | array | object;
array: '[' (element (',' element)*)? ','? ']' | '[' ',' ',' element ']' | '[' (NUMBER (',' NUMBER)*)? ']';
element: value | literal | ;
object: '(' '{' (property_ (',' property_)*)? '}' ')';
property_
    : (name | STRING | NUMBER | KEYWORD) ':' value
    | (name | method) ':' callback
    | 'get' (name | STRING | NUMBER | KEYWORD) '(' ')' '{' body '}'
    | 'set' (name | STRING | NUMBER) '(' PARAMETER ')' '{' body '}'
    | ('valueOf' | 'toString' | 'toJSON') ':' '(' 'function' '(' ')' '{' 'return' value ';' '}' ')'
    | 'length' ':' NUMBER
    ;

/* --- tokens --------------------------------------------------------------------------- */

ASSIGN: '+=' | '-=' | '*=' | '/=' | '%=' | '<<=' | '>>=' | '>>>=' | '&=' | '|=' | '^=';
BINARY: '*' | '%' | '<<' | '>>' | '>>>' | '<=' | '>=' | '==' | '!=' | '===' | '!==' | '&' | '|' | '^';
FNAME: 'f' [0-2];
PARAMETER: 'p' [0-2];
BOOLEAN: 'true' | 'false';
COUNT: [0-5];
NAME: 'a' | 'b' | 'c' | 'x' | 'y' | 'prototype' | 'constructor' | 'name' | 'caller' | 'callee' | 'index' | 'input'
    | 'lastIndex' | 'source' | 'global' | 'ignoreCase' | 'multiline' | 'message' | 'stack' | '__proto__' | '$' | '_'
    | '\\u0061b' | 'caf\u00e9';
NAME_STRING: '"' ('a' | 'b' | 'x' | '0' | '1' | 'length' | 'prototype' | 'lastIndex') '"';
KEYWORD: 'class' | 'if' | 'enum' | 'yield' | 'delete_' | 'NaN' | 'Infinity';
GLOBAL: 'Array' | 'String' | 'Number' | 'Boolean' | 'Date' | 'Error' | 'RangeError' | 'TypeError' | 'SyntaxError' | 'Math' | 'NaN_' | 'parseInt'
    | 'parseFloat' | 'isNaN' | 'isFinite' | 'escape' | 'unescape' | 'encodeURI' | 'decodeURI' | 'encodeURIComponent' | 'decodeURIComponent'
    | 'ReferenceError' | 'URIError' | 'EvalError';
METHOD: 'concat' | 'join' | 'pop' | 'push' | 'reverse' | 'shift' | 'slice' | 'sort' | 'splice' | 'unshift' | 'indexOf' | 'lastIndexOf'
    | 'every' | 'some' | 'forEach' | 'map' | 'filter' | 'reduce' | 'reduceRight' | 'charAt' | 'charCodeAt' | 'match' | 'replace' | 'search'
    | 'split' | 'substring' | 'substr' | 'toLowerCase' | 'toUpperCase' | 'trim' | 'localeCompare' | 'exec' | 'test' | 'compile'
    | 'hasOwnProperty' | 'isPrototypeOf' | 'propertyIsEnumerable' | 'toLocaleString' | 'toFixed' | 'toExponential' | 'toPrecision'
    | 'getTime' | 'setTime' | 'toISOString' | 'getYear' | 'setFullYear' | '__defineGetter__' | '__lookupGetter__'
    | 'call' | 'apply' | 'bind' | 'valueOf' | 'toString';

NUMBER: [0-9] | [0-9] | [1-9] [0-9]+ | '0.5' | '.5' | '5.' | [1-9] [0-9]* '.' [0-9]+ | '1e' [0-9] [0-9]? | '1e-' [0-9] [0-9]? | '1E+' [0-9] [0-9] [0-9]
    | '0x' [0-9a-fA-F]+ | '0Xff' | '2147483647' | '2147483648' | '4294967295' | '4294967296' | '9007199254740993' | '1e21' | '1e400'
    | '5e-324' | '1.7976931348623157e308' | '0.' [0-9]+ 'e' [0-9];

STRING: '"' CHARACTER* '"' | '"' CHARACTER* '"' | '"' [0-9]+ '"' | '""' | '"' [a-d]+ '"' | '"' CHARACTER CHARACTER CHARACTER CHARACTER+ '"';
fragment CHARACTER: [a-zA-Z0-9 .,:;_$*+()] | [a-e] | ESCAPE | [\u00e4\u20ac\u3042] | '\'' ;
fragment ESCAPE: '\\n' | '\\t' | '\\"' | '\\\\' | '\\0' | '\\x' HEX HEX | '\\u' HEX HEX HEX HEX | '\\ud83d\\ude00' | '\\ud800' | '\\b' | '\\v' | '\\f' | '\\r' | '\\q' | '\\\'' ;
fragment HEX: [0-9a-fA-F];

/* Patterns that engines take, and strings that some of them match. */
REGEX: '/' FIRST TERM* ('|' TERM*)? '/' FLAGS_OF_REGEX? | '/' ATOM* '(' TERM+ ')' TERM* '\\1' (QUANTIFIER TERM*)? '/' FLAGS_OF_REGEX? | '/(' ATOM ')(' ATOM+ ')' QUANTIFIER '\\2\\1/' FLAGS_OF_REGEX?;
fragment FIRST: ATOM QUANTIFIER? | '^' | GROUP QUANTIFIER? | [a-c];
fragment TERM: ATOM QUANTIFIER? | ATOM | [a-c] | GROUP QUANTIFIER? | '$' | '^' | '\\b' | '\\B' | '(?=' TERM+ ')' | '(?!' TERM+ ')';
fragment GROUP: '(' TERM* ')' | '(?:' TERM+ ')' | '(' TERM+ '|' TERM+ ')' | '(' TERM* '|' TERM* '|' TERM* ')';
fragment ATOM: [a-e0-9 _] | '.' | CLASS | '\\' [dDsSwW] | '\\' [nrtvf] | '\\x' HEX HEX | '\\u' HEX HEX HEX HEX | '\\c' [A-Za-z] | '\\' [/.*+?()[\]{}|^$\\\-];
fragment CLASS: '[' '^'? CLASS_PART* ']' | '[' CLASS_PART+ ']' | '[-' CLASS_PART+ ']' | '[' CLASS_PART '-]';
fragment CLASS_PART: [a-e0-9] | 'a-z' | 'A-Z' | '0-9' | 'b-d' | '\\' [dDsSwWbnrtvf0] | '\\x' HEX HEX | '\\u' HEX HEX HEX HEX | '\\cA' | '\\]' | '\\-' | [.*+?(){}|$];
fragment QUANTIFIER: ('*' | '+' | '?' | '{' [0-4] '}' | '{' [0-2] ',}' | '{' [0-1] ',' [1-5] '}') '?'? ;
fragment FLAGS_OF_REGEX: 'g' | 'i' | 'm' | 'gi' | 'gm' | 'im' | 'gim' | 'mi';
SUBJECT: '"' ([a-e0-9 _] | [a-c] | [A-C] | '-' | '.' | '\\n' | '\\u0080' | '\\t')+ '"';
REPLACEMENT: '"' ('$' [0-9&`$] | '$\'' | '$12' | [a-c] | '$')* '"';
FLAGS: '"' [gimxuy]? [gim]? '"';

/* Texts that an engine may refuse. */
PATTERN: '\'' SOUP+ '\'';
fragment SOUP: TERM_IN_STRING | [()[\]{}*+?|^$.,:=!-] | '\\\\' [dwsbBcxu0-9k] | '{1,2}' | '{3,1}' | '{99999999999}' | '[z-a]' | '[a-' | '(?' | '(?<' | '\\\\u00' | '\\\\x4' | '\\\\c' | '\\\\';
fragment TERM_IN_STRING: [a-e] | '(a)' | '[a-c]' | 'a*' | '(?:b)' | '(?=c)' | 'x{2}' ;
JSON_TEXT: '\'' JSON_PART+ '\'' | '\'[' JSON_VALUE ']\'' | '\'{"a":' JSON_VALUE ',"b":[' JSON_VALUE ',' JSON_VALUE ']}\'' | '\' ' JSON_VALUE '\'';
fragment JSON_VALUE: [0-9]+ | '-' [0-9] '.' [0-9] 'e' [+-] [0-9] | '"' JSON_CHARACTER* '"' | 'true' | 'false' | 'null' | '[]' | '{}' | '{"' [a-c] '":' [0-9] '}' | '[1,"x",null]';
fragment JSON_CHARACTER: [a-d] | '\\\\' [bfnrt"/\\] | '\\\\u00' HEX HEX | '\\\\x' | '\\t' ;
fragment JSON_PART: JSON_VALUE | '{' | '}' | '[' | ']' | ',' | ':' | ' ' | '01' | '1.' | '-' | 'tru' | '"' | '"a":' | '\\n';
CODE_PARAMETERS: '\'' ('a' | 'a,b' | 'a, b, a' | 'a /* c */' | '1' | 'a b' | 'eval') '\'';
CODE: '\'' CODE_PART+ '\'' | '\'"use strict";' CODE_PART+ '\'' | '\'' CODE_LINE '\'' | '\'' CODE_LINE CODE_PART '\'' | '\'"use strict";' CODE_LINE '\'' | '\'(' CODE_LINE ')\'';
fragment CODE_LINE
    : 'return' | 'break' | 'continue' | 'break x' | 'continue x' | '1 = 2' | 'a.b() = 1' | '++1' | '1++' | 'for (1 in a);' | 'for (var a, b in {});' | 'for (a' | 'for (var'
    | 'x: x: ;' | 'x: continue x' | 'while (0) { continue x }' | 'with (a) b' | 'with ({b:1}) b' | 'delete a' | 'var eval' | 'eval = 1' | 'arguments = 1' | 'arguments++' | 'function eval() {}' | 'function f(a, a) {}' | 'function f(eval) {}'
    | '010' | '"\\\\07"' | '0x' | '1e' | '1e+' | '3in []' | '0b1' | '08' | '1a' | '"abc' | '"\\\\x1"' | '"\\\\u12"' | '"a\\nb"' | '"a\\\\\\nb"' | '/a' | '/a/gg' | '/[/' | '/(/' | '/a/x' | '/* a' | '// a' | '<!-- a' | '--> a'
    | '({get a() {}, a: 1})' | '({a: 1, get a() {}})' | '({a: 1, a: 2})' | '({get a(b) {}})' | '({set a() {}})' | '({get: 1, set: 2})' | '({get get() { return 1 }})' | '({1: 2, "x": 3, if: 4})' | '({a b})' | '({,})' | '[1,,2,]'
    | 'switch (1) { default: default: }' | 'switch (1) { case 1: case 2: break; default: a }' | 'switch (1) { a }' | 'try {}' | 'try {} catch {}' | 'try {} catch (e)' | 'try { throw 1 } catch (e) { e } finally { 2 }' | 'throw' | 'throw\\n1' | 'throw 1'
    | 'if (' | 'if (1) else' | 'else' | 'do ; while (0) a' | 'do { } while' | 'function' | 'function (' | 'function f(' | 'function f(a {}' | 'new' | 'new new' | 'new.target' | 'new a.b' | 'new a()()' | 'a ? b' | 'a ? b :' | '(a' | '[a' | '{a' | 'a.' | 'a.1' | 'a.if' | 'a[' | 'a(' | 'a(,)'
    | 'var' | 'var 1' | 'var if' | 'var a = ' | 'var a = 1, b' | 'enum' | 'class A {}' | 'let a' | 'yield = 1' | 'let = 1' | 'static = 1' | 'implements' | 'const a = 1' | 'import a' | 'export a' | 'super' | 'debugger' | 'void 0' | 'typeof a' | 'a\\n++\\nb' | 'a = b\\n(c)' | 'return\\n1'
    | '\\\\u0061 = 1' | '\\\\u00 = 1' | 'v\\\\u0061r' | '\\u2028' | '\\ufeff1' | '\\u00a01' | '#' | '@' | '`a`' | '\\u0000' | 'a\\u0300' | '{ a: 1, b: 2 }' | '({ a: 1 }).a' | 'a => a' | '...a' | 'a ** b' | 'a >>>= 1, b <<= 2, c >>= 3'
    | 'if (1) { function g() {} } g' | 'function g() { return this } g()' | 'var a = function g() { return g }; a()' | '(function () { return arguments.length })(1, 2)' | '(function (a) { arguments[0] = 2; return a })(1)' | '(function (a) { a = 2; return arguments[0] })(1)'
    | 'for (var i = 0, a = []; i < 3; i++) a.push(function () { return i })' | 'var o = {}; for (o.a in {b: 1}) o.a' | 'x: for (;;) { for (;;) { break x } }' | 'for (var a = 1 in {}) a' | 'do break; while (1)' | 'for (var k in "abc") if (k) continue; else break' | 'a: { b: { break a } }'
    | 'try { try { throw 1 } finally { 2 } } catch (e) { 3 }' | '(function () { try { return 1 } finally { return 2 } })()' | '(function () { for (;;) try { break } finally { 1 } })()' | '(function () { for (var k in {a: 1}) with ({}) try { return k } finally { } })()' | '(function () { x: try { break x } finally { } })()' | '(function () { for (var i = 0; i < 2; i++) try { continue } finally { i } })()'
    ;
fragment CODE_PART: ('a' | 'b' | 'v0' | '1' | '0' | '"s"' | '/r/' | 'this' | 'null' | 'var' | 'function' | 'if' | 'else' | 'for' | 'in' | 'while' | 'do' | 'new' | 'return' | 'typeof' | 'delete' | 'void' | 'try' | 'catch' | 'switch' | 'case' | 'default' | 'throw' | 'instanceof' | 'with'
    | '(' | ')' | '{' | '}' | '[' | ']' | ';' | ',' | ':' | '?' | '.' | '=' | '==' | '===' | '!' | '!=' | '!==' | '<' | '<=' | '<<' | '<<=' | '>' | '>=' | '>>' | '>>=' | '>>>' | '>>>=' | '+' | '++' | '+=' | '-' | '--' | '-=' | '*' | '*=' | '/' | '/=' | '%' | '%=' | '&' | '&&' | '&=' | '|' | '||' | '|=' | '^' | '^=' | '~') ' ';

/* Never made: words and numbers that touch would be read as these, so a space is put between. */
WORD: [a-zA-Z_$\\\u00e9] [a-zA-Z0-9_$\\\u00e9]*;
BAD_REGEX: '/' ~[ /=*\n] (~[/\n] | '\\/')* '/' [a-zA-Z]+;
BAD_NUMBER: [0-9]? '.'? [0-9]+ '.'? [a-zA-Z0-9_$]+;

WS: [ \t]+ -> skip;
