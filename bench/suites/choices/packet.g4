/* Packets with their length before them and a checksum behind them, and names that are declared
 * before they are used; packet.lua keeps all three true. */
grammar Packet;
packet: LENGTH body SUM EOF;
body: line line line line+;
line: 'let' name '=' value ';' | 'use' known ';';
value: known | '(' value '+' value ')';
name: NAME;
known: NAME | DIGIT;
LENGTH: '#' DIGIT+ ':';
SUM: '!' DIGIT+;
NAME: [a-z];
DIGIT: [0-9];
