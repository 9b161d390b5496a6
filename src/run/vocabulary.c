/* Two lists in rows, with a blank around every word: they are looked at a few dozen times in a
 * run, while the failure is learnt. */
#include "run/vocabulary.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { WORD_BYTES = 32 }; /* no word of the lists is longer */

static const char *const messages[] = {
    " a about above abstract accept acceptable access accessed accessible across add added ",
    " adding address after again against algorithm alias all allocate allocated allocation ",
    " allow allowed already also alternative always ambiguous an and annotation another ",
    " any anything applied apply are argument arguments arithmetic around array arrays as ",
    " assign assignable assigned assigning assignment assignments at attempt attempted ",
    " attempting attribute attributes available back backslash bad base based be because ",
    " been before begin beginning being belongs between beyond binary bind binding bit ",
    " bits blank block body bool boolean both bound boundary bounds bracket brackets ",
    " branch break broken buffer but by byte bytes call callable callback called caller ",
    " calling calls can cannot case cast catch chain change changed char character ",
    " characters check child circular class classes clause close closed closing code codec ",
    " collection colon column columns comma command comment common compare compared ",
    " comparison compatible compilation compile compiled complete component composite ",
    " compound computed concatenate condition conditional configuration conflict ",
    " conflicting conflicts constant constraint construct constructor contain containing ",
    " contains content contents context continue control conversion conversions convert ",
    " converted copy correct corrupt corrupted could count create created cross current ",
    " cycle data database date dead decimal decl declaration declarations declare declared ",
    " decode deep default defaults defined definition definitions delete deleted delimiter ",
    " dependency deprecated depth dereference dereferencing derived describe destructor ",
    " detected device different digit digits dimension dimensions directive directory ",
    " discarded divide dividing division do document does doesn don done dot double ",
    " duplicate duplicated duplicates during each edge effect either element elements else ",
    " empty enable enclosing encode encoding encountered end ended ending ends entity ",
    " entry enum environment eof equal equality error errors escape evaluate evaluated ",
    " evaluating evaluation event ever every exact exceed exceeded exceeds except ",
    " exception exceptions exclusive execute executed execution exhausted exist existing ",
    " exists exit expect expected expecting explicit explicitly exponent export exported ",
    " expression expressions extend extends extension extern extra extraneous fail failed ",
    " failing fails failure false fatal feature few field fields file files final find ",
    " first fit flag float floating follow followed following follows for forbidden force ",
    " form formal format forward found fraction free from full fully function functions ",
    " future garbage generated generic get getter given global go got goto grammar graph ",
    " group handle handled handler has hash have having header heap here hex hexadecimal ",
    " hidden hit hold id identifier identifiers if ignored ignoring illegal immutable ",
    " implement implementation implemented implicit implicitly import imported importing ",
    " in inaccessible included including incompatible incomplete incomprehensible ",
    " inconsistent incorrect indent indentation index indexed indexing indices infinite ",
    " inherit inheritance initialise initialised initialization initialize initialized ",
    " initializer initializers inline inner input insert inside instance instances ",
    " instantiate instantiated instead instruction instructions int integer integers ",
    " integral interface internal interpret interpreted interrupted into invalid ",
    " invocation invoke invoked is isn it item items iterable iterate iterator its join ",
    " just key keys keyword keywords kind known label labels language large last leading ",
    " leaf least left length less let level lhs library lifetime limit limited line lines ",
    " link list lists literal literals load loaded loading local locals location lock long ",
    " longer lookup loop lost low lower lvalue macro main make malformed many map mapping ",
    " mark match matched matches matching max maximum may mean member members memory ",
    " message method methods min minimum mismatch mismatched missing mixed mode modified ",
    " modifier modify module modules more most move moved multiple must mutable name named ",
    " names namespace native near need needed needs negative nested never new newline next ",
    " nil no node nodes non none nonexistent nor not notation nothing null number numbers ",
    " numeric object objects octal of off offset old on once one only open opened opening ",
    " operand operands operation operations operator operators option optional or order ",
    " other out output outside over overflow overload overloaded overloading overridden ",
    " override own owner package pair parameter parameters parent parentheses parenthesis ",
    " parse parsed parser parsing part partial pass passed passing past path pattern ",
    " patterns perform permission permitted place please point pointer pointers pop port ",
    " position positional positive possible possibly precision predicate prefix premature ",
    " present previous previously primary private procedure process property protected ",
    " prototype provided public pure push qualified qualifier query quote quotes raise ",
    " raised range rank raw reached read reading readonly real reason receive received ",
    " record recursion recursive redeclaration redeclared redefine redefined redefinition ",
    " reduce reference referenced references referring regex register regular reject ",
    " rejected relation relational release remove removed repeated replace request require ",
    " required requires reserved resolution resolve resolved result results return ",
    " returned returning returns rhs right root row rows rule rules runtime rvalue same ",
    " scalar schema scope second section see seen select self semicolon separator sequence ",
    " set setter shadow shadows shape shift short should show side sign signal signature ",
    " signed similar since single size slice slot small some something source space spaces ",
    " special specialization specified specifier specify stack standard start started ",
    " starting starts state statement statements static step stop storage store stream ",
    " strict string strings strong struct structure style sub subclass subquery subroutine ",
    " subscript subscripted subset substitution subtract subtype such suffix super support ",
    " supported supports symbol symbols syntax system table tables tag tags take takes ",
    " target task tasks template temporary term terminated terminator test text than that ",
    " the their them then there these they thing this those thread three through throw ",
    " thrown time timed title to together token tokens too top total trailing trait ",
    " transaction tree tried true truncated truncation try trying tuple two type typed ",
    " typename types unary unbalanced unbound undeclared undefined under underflow ",
    " unexpected unhandled uninitialised uninitialized union unique unit unknown unless ",
    " unmatched unnamed unordered unpack unparsable unreachable unrecognized unresolved ",
    " unsafe unset unsigned unsupported unterminated until untyped unused up update upper ",
    " us usage use used user uses using utf valid validate validation value values ",
    " variable variables variant vector version very via violated violates violation ",
    " virtual visible void warning was wasn way we weak were what when where whether which ",
    " while white whitespace whose wide width will with within without word words would ",
    " write writing written wrong xml yet yield you your zero "};

static const char *const builtins[] = {
    " Array BOOLEAN BY Boolean Box CHARACTER CREATE Closure DELETE DROP FROM False Float ",
    " Function GROUP INSERT INTEGER INTO Infinity Integer JOIN LOGICAL NULL NaN None ",
    " NoneType Null Number ORDER Object REAL SELECT SET STRING String Symbol TABLE TEXT ",
    " True UPDATE Undefined VALUES Vec WHERE abstract and array as assert async auto await ",
    " bool boolean box break byte bytearray bytes callable case catch char class closure ",
    " complex const continue crate decltype def default defer del delete dict do double ",
    " dyn elif else elseif elsif endmodule enum except export extends extern f32 f64 ",
    " fallthrough false final finally float fn for foreach from frozenset fun func ",
    " function generator global go goto i128 i16 i32 i64 i8 if impl implements import in ",
    " int integer interface is isize iterable let list long loop method mixed mod module ",
    " move mut namespace never new nil nonlocal not null nullptr number object of operator ",
    " or package pass private protected ptrdiff_t pub public raise range ref require ",
    " resource return self set short signed size_t sizeof slice static std stdClass ",
    " std_logic str string struct super switch symbol table template this throw throws ",
    " trait true try tuple type typedef typename u128 u16 u32 u64 u8 undef undefined union ",
    " unknown unless unsigned userdata using usize var virtual void volatile wchar_t while ",
    " with xor yield "};

static bool stands_in(const char *const *rows, size_t n, const char *word, size_t size)
{
    char framed[WORD_BYTES + 3];
    if (size == 0 || size > WORD_BYTES) return false;
    (void)snprintf(framed, sizeof framed, " %.*s ", (int)size, word);
    for (size_t k = 0; k < n; k++)
        if (strstr(rows[k], framed)) return true;
    return false;
}

bool pare_vocabulary_has(const char *word, size_t size)
{
    char lower[WORD_BYTES];
    if (size > sizeof lower) return false;
    for (size_t k = 0; k < size; k++)
        lower[k] = (char)tolower((unsigned char)word[k]);
    return stands_in(messages, sizeof messages / sizeof *messages, lower, size);
}

bool pare_vocabulary_is_builtin(const char *word, size_t size)
{
    return stands_in(builtins, sizeof builtins / sizeof *builtins, word, size);
}
