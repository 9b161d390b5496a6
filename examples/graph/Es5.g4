/* Programs of ECMAScript 5, each on one line, for making tests with `pare generate`.
 *
 * Not a grammar to parse by.  It makes a part of the language, such that every program has no
 * early error, and ends: variables are v0 .. v4, declared at the beginning or as parameters;
 * loops count to three in variables of their own; functions are called where they are made, or
 * at the top.  Strings hold programs with errors, for eval.  With a prototype graph the rule
 * `expression` gives way to expressions of the graph:
 *
 *     pare generate --grammar Es5.g4 --graph G.json --max-tokens 60 -n 1000
 */
grammar Es5;

program: '"use strict";' prelude top+ EOF | prelude sloppy+ EOF;
prelude: 'var v0=' expression ',v1=' value ',v2=' array ',v3=' object ',v4=' function
    ',i0,i1=0,i2=0;';

top: statement
    | statement
    | statement
    | 'v4(' arguments? ');'
    | 'function f0(v0,v1)' '{' functionStatement* '}' 'f0(' arguments? ');'
    ;

/* What strict programs do not have. */
sloppy: top
    | top
    | top
    | top
    | 'with(' expression ')' statement
    | 'with(' object ')' '{' 'a=' expression ';b(' expression ');' statement* '}'
    | 'var ' ODD '=' expression ';' ODD ';'
    | 'delete' variable ';'
    ;

/* --- statements ---------------------------------------------------------------------------- */

statement: simple ';'
    | simple ';'
    | simple ';'
    | guarded
    | guarded
    | '{' statement* '}'
    | 'if' '(' expression ')' statement
    | 'if' '(' expression ')' statement 'else' statement
    | loop
    | switch
    | ';'
    | rare
    ;

simple: assignment
    | '(' expression ')'
    | '(' expression ')'
    | call
    | 'var' variable '=' expression
    | 'var' variable ',' variable '=' expression ',' variable
    | increment
    | 'throw' expression
    | 'delete' member
    ;

guarded: 'try' '{' statement+ '}' 'catch(v1)' '{' statement* '}' ('finally' '{' statement* '}')?
    | 'try' '{' statement+ '}' 'catch(e)' '{' '}'
    | 'try' '{' statement+ '}' 'finally' '{' statement* '}'
    ;

loop: 'for(i0=0;i0<3;i0++)' loopStatement
    | 'for(var i0=0;i0<3;++i0)' '{' loopStatement* '}'
    | 'for(i0=3;i0--;)' '{' loopStatement* '}'
    | '{i1=0;while(i1++<3)' '{' loopStatement* '}' '}'
    | '{i2=0;do' '{' loopStatement* '}' 'while(i2++<2);}'
    | 'for(var v1 in(' expression '))' loopStatement
    | 'for(v0 in(' expression '))' '{' loopStatement* '}'
    | 'for(v3.a in(' expression '))' '{' loopStatement* '}'
    | 'l0:for(i0=0;i0<3;i0++)' '{' jump* '}'
    | 'for(;;)' '{' statement 'break;' '}'
    | 'while(true)' '{' statement 'break' '}'
    ;

loopStatement: statement
    | statement
    | 'if' '(' expression ')' 'break;'
    | 'if' '(' expression ')' 'continue;'
    | 'try' '{' statement ('break;' | 'continue;') '}' 'finally' '{' statement '}'
    ;

jump: 'if' '(' expression ')' 'break l0;'
    | 'if' '(' expression ')' 'continue l0;'
    | simple ';'
    | 'try' '{' 'continue l0;' '}' 'finally' '{' simple ';' '}'
    | 'for(v1 in(' expression '))' '{' 'break l0;' '}'
    ;

switch: 'switch' '(' expression ')' '{' case* ('default:' statement* case*)? '}';
case: 'case' expression ':' statement* | 'case' literal ':' statement* 'break;';

functionStatement: statement
    | 'return' expression ';'
    | 'return;'
    | 'if' '(' expression ')' 'return' expression ';'
    | 'try' '{' 'return' expression ';' '}' 'finally' '{' statement '}'
    | 'for(v1 in(' expression '))' '{' 'return v1;' '}'
    ;

rare: 'debugger;'
    | 'l1:' '{' simple ';' 'break l1;' '}'
    | 'eval(' STRING ');'
    | 'new Function(' STRING ')();'
    | 'if' '(' '0' ')' simple ';' 'else;'
    | '/*c*/' simple '/**/;'
    | '(function(){"use strict";' functionStatement* '})' '(' arguments? ')' ';'
    | 'eval("v4("+Array(300).join("v0,v1.x,v2+1,v3[0],-v0,")+"1)");'
    | 'eval("var v0=["+Array(300).join("v1,v2(),")+"1]");'
    | 'eval(Array(5000).join(' DEEP ')+"v0");'
    ;

/* --- expressions ---------------------------------------------------------------------------- */

expression: value
    | variable
    | member
    | call
    | call
    | '(' expression ')' binary '(' expression ')'
    | '(' expression ')' binary literal
    | variable binary variable
    | unary '(' expression ')'
    | unary variable
    | 'typeof' VAR
    | 'delete' member
    | 'void' literal
    | '(' assignment ')'
    | '(' increment ')'
    | '(' expression ',' expression ')'
    | '(' expression '?' expression ':' expression ')'
    | '(' expression '&&' expression ')'
    | '(' expression '||' expression ')'
    | 'this'
    | 'new' variable
    | 'new' variable '(' arguments? ')'
    | 'new' '(' expression ')' '(' arguments? ')'
    ;

arguments: expression (',' expression)*;

call: variable '(' arguments? ')'
    | member '(' arguments? ')'
    | '(' function ')' '(' arguments? ')'
    | '(' expression ')' '(' arguments? ')'
    | variable '.call(' arguments? ')'
    | 'eval(' STRING ')'
    ;

member: variable '.' NAME
    | variable '[' expression ']'
    | variable '[' INDEX ']'
    | variable '.' NAME '.' NAME
    | '(' expression ')' '.' NAME
    | '(' expression ')' '[' expression ']'
    | 'this' '.' NAME
    | 'arguments' '[' INDEX ']'
    ;

assignment: variable '=' expression
    | member '=' expression
    | variable assigned expression
    | member assigned expression
    ;
assigned: '+=' | '-=' | '*=' | '/=' | '%=' | '<<=' | '>>=' | '>>>=' | '&=' | '|=' | '^=';
increment: variable step | step variable | member step | step member;
step: '++' | '--';
binary: '+' | '-' | '*' | '/' | '%' | '<<' | '>>' | '>>>' | '&' | '|' | '^'
    | '<' | '>' | '<=' | '>=' | '==' | '!=' | '===' | '!==' | 'instanceof' | 'in';
unary: '!' | '~' | '-' | '+' | 'typeof' | 'void';
variable: VAR;

value: literal | literal | array | object | function | REGEX;
literal: NUMBER | STRING | 'true' | 'false' | 'null' | 'undefined';
array: '[' (element (',' element?)*)? ']';
element: expression | literal;

/* No name twice: ES5 refuses some repetitions. */
object: '{' property? '}'
    | '{' property ',' another '}'
    | '{' 'a:' expression ',get b()' body ',set b(v0)' body '}'
    | '{' 'valueOf:' function '}'
    | '{' 'toString:' function '}'
    | '{' 'a:' literal ',"b c":' expression ',0:' expression ',1.5:' literal ',if:' literal '}'
    | '{' 'get 0()' body ',set 0(v1)' body '}'
    | '{' 'get "x"()' body '}'
    ;
property: 'a:' expression | 'length:' literal | 'get x()' body | 'b' ':' function;
another: 'set y(v0)' body | '7:' expression | 'toJSON:' function | 'if:' literal;

function: 'function(v0,v1)' body
    | 'function f1(v0)' body
    | 'function()' body
    | 'function f2(v0,v1,v2)' body
    ;
body: '{' functionStatement* '}'
    | '{' 'return' expression ';' '}'
    | '{' 'return v0' '}'
    | '{"use strict";' 'return' expression '}'
    ;

/* --- tokens ----------------------------------------------------------------------------------- */

VAR: 'v' [0-3];
INDEX: [0-3];
NUMBER: [0-9]
    | [1-9] [0-9] [0-9]?
    | '0' [xX] [0-9a-fA-F] [0-9a-fA-F]?
    | [0-9] '.' [0-9] [0-9]?
    | '.' [0-9] [0-9]?
    | [1-9] '.'
    | [1-9] 'e' [+-]? [0-9]
    | [1-9] 'E' [0-9] [0-9]?
    | '2147483647' | '4294967296' | '9007199254740993' | '1e308' | '5e-324' | '1e999'
    ;
NAME: 'a' | 'b' | 'x' | 'length' | 'name' | 'prototype' | 'constructor' | '__proto__' | 'valueOf'
    | 'toString' | 'caller' | 'message' | 'class' | 'concat' | 'slice' | 'call' | 'apply'
    | 'hasOwnProperty' | 'charAt' | 'push' | 'sort' | 'join' | 'split' | 'replace' | 'exec';
DEEP: '"("' | '"["' | '"-"' | '"{"' | '"if(1)"' | '"v0."' | '"1+"';
ODD: '\\u0061' | '$' | '_' | 'a\\u0030' | '\u00e9' | 'abstract';
STRING: '"' CHARACTER* '"' | '\'' CHARACTER* '\'' | '"' SOURCE '"';
REGEX: '/a+/g' | '/[^x]*?/i' | '/(a|b)\\1/' | '/^$/m' | '/\\d{1,2}/' | '/(?=a)a/gim' | '/[\\/]/'
    | '/(?:)/';

fragment CHARACTER: [a-z0-9 ,;(){}=+<>]
    | '\\' [bfnrtv'"\\]
    | '\\x' HEX HEX
    | '\\u' HEX HEX HEX HEX
    | '\u00e9'
    | '\u20ac'
    ;
fragment HEX: [0-9a-f];

/* Programs with and without errors, as they stand in a string. */
fragment SOURCE: 'var a=1;a' | 'a b' | 'if(' | '}' | 'return' | 'break' | 'for(;;' | 'var if'
    | '1+' | 'x=>1' | 'with({a:1})a' | '017' | '08' | '\\\\' | '/a' | '({get a(){},a:1})'
    | 'a:a:1' | 'try{}' | 'switch(1){case}' | 'new' | 'function(' | 'do 1;while(0)' | 'delete a'
    | '1=2' | '++1' | '\\"a' | '/*' | '0x' | '1e' | '1a' | '\'\\\\u1\'' | '\'\\\\x\'' | '\\\\u0'
    | '@' | '`' | 'let' | 'class' | '/a/gg' | '/(/' | '/[/' | 'throw' | 'continue'
    | 'l:continue l' | 'const a=1' | 'export a' | '\'use strict\';with(a)b' | '\'use strict\';010'
    | '\'use strict\';delete a' | '\'use strict\';eval=1' | '\'use strict\';function f(a,a){}'
    | '\'use strict\';({a:1,a:2})' | '<!-- a' | 'a?b' | 'a.1' | '[1' | '{' | '(' | 'case 1'
    | 'else' | 'in' | 'for(var a,b in c);' | 'for(a in b' | 'function f(){' | '({a' | '({1'
    | 'var a=function(){};a()' | '//' | 'l:l:1' | 'break zz' | '({a})' | '({a(){}})' | '({[a]:1})'
    | '({[a]})' | 'a**=2' | '1*2' | '6/3' | '!1' | '!0' | '-1' | '\'a\'+\'b\'' | 'a()=1'
    | 'for(a() in b);' | 'for(var a=1,b=2;;){break}' | 'switch(1){default:default:}'
    | 'switch(1){a}' | 'switch 1' | 'try 1' | 'try{}1' | 'try{}catch 1' | 'for(1' | 'for(a;b'
    | 'if 1' | 'if(1)function f(){}' | 'do{}' | 'while(' | '()' | 'a=()' | 'new new'
    | 'new.target' | '({get})' | '({get 1 a})' | '({set:1,})' | 'function eval(){\'use strict\'}'
    | 'function f(eval){\'use strict\'}' | 'function 1(){}' | 'function f(a,' | 'function f(1){}'
    | '(function f(){return f})()' | 'function f(arguments){arguments}'
    | 'function a(a){function a(){}}' | '\'\\\\101\\\\08\\\\377\\\\400\''
    | '\'use strict\';\'\\\\101\'' | '\\\\u{61}' | '\'\\\\u{1F600}\'' | '\'\\\\u{110000}\''
    | '\'\\\\u{}\'' | 'a\\n//b\\n<!-- c\\n--> d\\n1' | '\'a\\\\\\nb\'' | '\'a\\nb\''
    | '1\\n++\\n2' | '#!a' | '0b12' | '0o17' | '08.5';

WORD: [a-zA-Z_$] [a-zA-Z0-9_$]*; /* so that words are kept apart */
WS: ' '+ -> skip;
