// A part of ECMAScript 5, for bench/campaign/feedback.py: what mujs runs, with its built-ins.
grammar es5;

program: statement+ EOF;
statement
    : 'var' ID '=' expr ';'
    | expr ';'
    | 'if' '(' expr ')' block ('else' block)?
    | 'for' '(' 'var' ID '=' NUMBER ';' ID '<' NUMBER ';' ID '++' ')' block
    | 'for' '(' 'var' ID 'in' expr ')' block
    | 'while' '(' 'false' ')' block
    | 'do' block 'while' '(' 'false' ')' ';'
    | 'function' ID '(' params? ')' '{' statement* 'return' expr ';' '}'
    | 'try' block 'catch' '(' ID ')' block ('finally' block)?
    | 'switch' '(' expr ')' '{' ('case' expr ':' statement* 'break' ';')* 'default' ':' statement '}'
    | 'throw' expr ';'
    | 'with' '(' expr ')' block
    | ID ':' statement
    | 'delete' expr '.' ID ';'
    ;
block: '{' statement* '}';
params: ID (',' ID)*;
args: expr (',' expr)*;
expr
    : expr '.' ID
    | expr '.' method '(' args? ')'
    | expr '[' expr ']'
    | expr '(' args? ')'
    | 'new' constructor '(' args? ')'
    | builtin '(' args? ')'
    | unary expr
    | expr binary expr
    | expr '?' expr ':' expr
    | ID '=' expr
    | ID compound expr
    | 'function' '(' params? ')' '{' statement* '}'
    | '[' args? ']'
    | '{' (property (',' property)*)? '}'
    | '(' expr ')'
    | literal
    | ID
    ;
property: ID ':' expr | STRING ':' expr | NUMBER ':' expr | 'get' ID '(' ')' block;
unary: '-' | '+' | '!' | '~' | 'typeof' | 'void';
binary
    : '+' | '-' | '*' | '/' | '%' | '<<' | '>>' | '>>>' | '&' | '|' | '^' | '&&' | '||' | '<' | '>'
    | '<=' | '>=' | '==' | '!=' | '===' | '!==' | 'in' | 'instanceof' | ','
    ;
compound: '+=' | '-=' | '*=' | '/=' | '%=' | '<<=' | '>>=' | '>>>=' | '&=' | '|=' | '^=';
constructor
    : 'Array' | 'Object' | 'Date' | 'RegExp' | 'String' | 'Number' | 'Boolean' | 'Function' | 'Error'
    | 'TypeError' | 'RangeError' | 'SyntaxError'
    ;
builtin
    : constructor | 'parseInt' | 'parseFloat' | 'isNaN' | 'isFinite' | 'encodeURIComponent'
    | 'decodeURIComponent' | 'encodeURI' | 'decodeURI' | 'eval' | 'JSON.parse' | 'JSON.stringify'
    | 'Math.max' | 'Math.min' | 'Math.pow' | 'Math.floor' | 'Math.round' | 'Math.atan2' | 'Math.abs'
    | 'Date.parse' | 'Date.UTC' | 'Object.keys' | 'Object.create' | 'Object.defineProperty'
    | 'Object.getOwnPropertyNames' | 'Object.freeze' | 'Object.seal' | 'Object.getPrototypeOf'
    | 'Array.isArray' | 'String.fromCharCode'
    ;
method
    : 'toString' | 'valueOf' | 'push' | 'pop' | 'shift' | 'unshift' | 'slice' | 'splice' | 'concat'
    | 'join' | 'reverse' | 'sort' | 'indexOf' | 'lastIndexOf' | 'map' | 'filter' | 'forEach' | 'some'
    | 'every' | 'reduce' | 'reduceRight' | 'charAt' | 'charCodeAt' | 'substring' | 'substr' | 'split'
    | 'replace' | 'match' | 'search' | 'toUpperCase' | 'toLowerCase' | 'trim' | 'localeCompare'
    | 'toFixed' | 'toPrecision' | 'toExponential' | 'call' | 'apply' | 'bind' | 'hasOwnProperty'
    | 'propertyIsEnumerable' | 'isPrototypeOf' | 'getTime' | 'getFullYear' | 'setMonth' | 'setHours'
    | 'toISOString' | 'toUTCString' | 'toDateString' | 'exec' | 'test'
    ;
literal: NUMBER | STRING | REGEX | 'null' | 'undefined' | 'true' | 'false' | 'this' | 'NaN' | 'Infinity';
ID: 'a' | 'b' | 'c' | 'f' | 'x' | 'length' | 'prototype' | 'constructor' | 'message' | 'lastIndex';
NUMBER: [0-9] | [1-9] [0-9]+ | [0-9]+ '.' [0-9]+ | [0-9] 'e' '-'? [1-9] [0-9]? | '0x' [0-9a-f]+;
STRING: '"' CHAR* '"' | '\'' CHAR* '\'';
REGEX: '/' RCHAR+ '/' [gim]?;
fragment CHAR: [a-z0-9 %:,.\-] | '\\' [nt\\xu] [0-9a-f] [0-9a-f] [0-9a-f] [0-9a-f];
fragment RCHAR: [a-c.] | '\\' [dwsbDWSB] | [a-c] [*+?] | '(' [a-c] '|' [a-c] ')' | '[' [a-c] '-' [x-z] ']' | '(?:' [a-c] ')' '{' [0-3] '}';
// Not in any rule: keeps words apart.
WORD: [A-Za-z0-9_]+;
WS: [ \t\r\n]+ -> skip;
