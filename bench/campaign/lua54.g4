// A part of Lua 5.4, for bench/campaign/feedback.py.
grammar lua54;

chunk: block EOF;
block: statement* ('return' exprs? ';')?;
statement
    : ';'
    | 'local' ID attribute? '=' expr ';'
    | target '=' expr ';'
    | target ',' target '=' exprs ';'
    | call ';'
    | 'do' block 'end'
    | 'if' expr 'then' block ('elseif' expr 'then' block)* ('else' block)? 'end'
    | 'for' ID '=' NUMBER ',' SMALL (',' SMALL)? 'do' block 'end'
    | 'for' ID ',' ID 'in' iterator 'do' block 'end'
    | 'while' 'false' 'do' block 'end'
    | 'repeat' block 'until' 'true'
    | 'function' ID '(' params? ')' block 'end'
    | 'local' 'function' ID '(' params? ')' block 'end'
    | 'do' 'goto' 'done' ';' block '::' 'done' '::' 'end'
    ;
attribute: '<' 'const' '>' | '<' 'close' '>';
target: ID | expr '[' expr ']' | ID '.' ID;
params: ID (',' ID)* (',' '...')? | '...';
iterator: 'pairs' '(' expr ')' | 'ipairs' '(' expr ')' | 'string.gmatch' '(' STRING ',' PATTERN ')';
exprs: expr (',' expr)*;
call: function '(' exprs? ')' | ID '(' exprs? ')' | '(' expr ')' ':' method '(' exprs? ')';
expr
    : 'nil' | 'true' | 'false' | NUMBER | SMALL | STRING | PATTERN | '...'
    | ID
    | expr binary expr
    | unary expr
    | '(' expr ')'
    | '{' (field ((',' | ';') field)*)? '}'
    | 'function' '(' params? ')' block 'end'
    | call
    | expr '[' expr ']'
    ;
field: expr | ID '=' expr | '[' expr ']' '=' expr;
unary: '-' | 'not' | '#' | '~';
binary
    : '+' | '-' | '*' | '/' | '//' | '%' | '^' | '..' | '<' | '<=' | '>' | '>=' | '==' | '~=' | 'and'
    | 'or' | '&' | '|' | '~' | '<<' | '>>'
    ;
method
    : 'sub' | 'rep' | 'format' | 'find' | 'match' | 'gsub' | 'byte' | 'upper' | 'lower' | 'reverse'
    | 'len'
    ;
function
    : 'print' | 'type' | 'tostring' | 'tonumber' | 'pcall' | 'xpcall' | 'error' | 'assert' | 'select'
    | 'next' | 'rawget' | 'rawset' | 'rawequal' | 'rawlen' | 'setmetatable' | 'getmetatable' | 'load'
    | 'collectgarbage' | 'string.format' | 'string.rep' | 'string.sub' | 'string.gsub' | 'string.find'
    | 'string.match' | 'string.byte' | 'string.char' | 'string.pack' | 'string.unpack'
    | 'string.packsize' | 'string.dump' | 'table.concat' | 'table.insert' | 'table.remove'
    | 'table.sort' | 'table.unpack' | 'table.pack' | 'table.move' | 'math.floor' | 'math.max'
    | 'math.tointeger' | 'math.type' | 'math.fmod' | 'math.random' | 'math.ult' | 'utf8.char'
    | 'utf8.codepoint' | 'utf8.len' | 'utf8.offset' | 'coroutine.create' | 'coroutine.resume'
    | 'coroutine.wrap' | 'coroutine.yield' | 'coroutine.close' | 'coroutine.status' | 'os.time'
    | 'os.date'
    ;
ID: 'a' | 'b' | 'c' | 'f' | 'x' | '__index' | '__add' | '__gc' | '__close' | '__call' | '__lt' | '__eq' | '__concat';
SMALL: [0-9];
NUMBER: [1-9] [0-9]+ | [0-9]+ '.' [0-9]+ | '0x' [0-9a-f]+ | [0-9] 'e' [1-9];
STRING: '"' CHAR* '"' | '[[' [a-z ]* ']]';
PATTERN: '"' PCHAR+ '"';
fragment CHAR: [a-z0-9 ] | '\\' [nt\\"] | '\\x' [0-9a-f] [0-9a-f] | '\\u{' [0-9a-f]+ '}' | '%' [dsqxgcia];
fragment PCHAR: [a-c.] | '%' [adlswx] | [a-c] [*+?\-] | '(' [a-c] ')' | '[' '^'? [a-c] ']' | '%b()' | '%f[%w]';
// Not in any rule: keeps words apart.
WORD: [A-Za-z0-9_]+;
WS: [ \t\r\n]+ -> skip;
