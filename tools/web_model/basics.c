/* Basic types of CSS, which the packages describe in prose only, as tables of templates.
 *
 * A type is made when a definition asks for it first; one with a range gets a rule of its own for
 * each range, so that a value is within what its property allows.  Fixed tables are small on
 * purpose (see basics.h). */
#include "web_model/basics.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/buffer.h"

enum { NAME_BYTES = 160, NUMBER_BYTES = 40 };

/* Weights beside 1. */
static const double MATH = 0.03, ZERO = 0.2;

/* A rule of templates, one a line. */
struct lines {
    const char *name, *templates;
};

static const struct lines fixed[] = {
    {"digit", "0\n1\n2\n3\n4\n5\n6\n7\n8\n9"},
    {"digit1", "1\n2\n3\n4\n5\n6\n7\n8\n9"},
    {"int1", "<digit1>\n<digit1>\n<digit1><digit>\n<digit1><digit><digit>"},
    {"int0", "0\n1\n<int1>\n<int1>"},
    {"one:num", "<num>"},
    {"int", "<int0>\n<int0>\n-<int1>"},
    {"num0", "<int0>\n<int0>\n<int0>.<digit>\n.<digit>"},
    {"num", "<num0>\n<num0>\n<num0>\n-<num0>"},
    {"hex", "0\n1\n2\n3\n4\n5\n6\n7\n8\n9\na\nb\nc\nd\ne\nf"},
    {"hex2", "<hex><hex>"},
    {"hex-color", "#<hex><hex><hex>\n#<hex><hex><hex><hex>\n#<hex2><hex2><hex2>\n"
                  "#<hex2><hex2><hex2><hex2>"},
    {"name", "a\nb\nc\nd\ne\nf"},
    {"string", "''\n'a'\n'b c'\n'<name>'\n'\\0041'\n'\xc3\xa9'"},
    {"uri", "#<name>\na.png\ndata:,\nhttp://localhost/<name>\nabout:blank"},
    {"url", "url('#<name>')\nurl('<uri>')\nurl(a.png)"},
    {"tag", "'kern'\n'liga'\n'wght'\n'smcp'"},
    {"extent-name", "cover\ncontain\nentry\nexit\nentry-crossing\nexit-crossing"},
    {"sel-element", "a\np\ndiv\nspan\nul\nli\ntd\ninput\nsvg\nrect\n*"},
    {"sel-value", "='<name>'\n~='<name>'\n|='<name>'\n^='<name>'\n$='<name>'\n*='<name>'"},
    {"sel-attribute", "id\nclass\ntitle\nhref\ntype"},
    {"sel-part", ".<name>\n.<name>\n#<name>\n#<name>\n[<sel-attribute>]\n"
                 "[<sel-attribute><sel-value>]\n<sel-pseudo>"},
    {"sel-compound", "<sel-element>\n<sel-element>\n<sel-element><sel-part>\n<sel-part>\n"
                     "<sel-part><sel-part>"},
    {"sel-combinator", " \n \n > \n + \n ~ "},
    {"selector", "<sel-compound>\n<sel-compound>\n<sel-compound><sel-combinator><selector>"},
    {"selector-list", "<selector>\n<selector>\n<selector>, <selector-list>"},
    {"relative-selector", "<selector>\n> <selector>\n+ <selector>\n~ <selector>"},
    {"a-n-plus-b", "odd\neven\n<int>\nn\n-n\n<int1>n\n-<int1>n\n<int1>n+<int0>\n"
                   "<int1>n-<int1>\nn+<int1>\n-n+<int1>"},
    {"media-length", "width\nmin-width\nmax-width\nheight\nmin-height\nmax-height"},
    {"media-feature", "(<media-length>: <int0>px)\n(width > <int0>px)\n(<int0>px <= width)\n"
                      "(orientation: portrait)\n(hover: hover)\n(color)\n(min-resolution: 2dppx)\n"
                      "(prefers-color-scheme: dark)\n(aspect-ratio: <int1>/<int1>)"},
    {"container-feature", "(width > <int0>px)\n(min-width: <int0>px)\n(orientation: landscape)\n"
                          "(inline-size < <int1>em)"},
    {"any", "a\n1px\n'a'\nred\n50%"},
    {"var", "var(--<name>)\nvar(--<name>, <any>)"},
};

/* Types, and the rules that are made for them.  Without one nothing is: what has to be made of
 * pieces that are never there, or is read as anything. */
static const struct lines types[] = {
    {"zero", "0"},
    {"string", "string"},
    {"string-token", "string"},
    {"opentype-tag", "tag"},
    {"url", "url"},
    {"url-token", "url"},
    {"hex-color", "hex-color"},
    {"ident", "name"},
    {"ident-token", "name"},
    {"id", "name"},
    {"custom-ident", "name"},
    {"custom-arg", "name"},
    {"animateable-feature", "will-change"},
    {"dashed-ident", "dashed"},
    {"custom-property-name", "dashed"},
    {"extension-name", "dashed"},
    {"whole-value", "any"},
    {"declaration-value", "any"},
    {"default-value", "any"},
    {"any-value", "any"},
    {"hash-token", "hash"},
    {"id-selector", "hash"},
    {"top", "clip-edge"},
    {"right", "clip-edge"},
    {"bottom", "clip-edge"},
    {"left", "clip-edge"},
    {"timeline-range-name", "extent-name"},
    {"timeline-range-center-subject", ""},
    {"a-n-plus-b", "a-n-plus-b"},
    {"selector-list", "selector-list"},
    {"complex-selector-list", "selector-list"},
    {"complex-real-selector-list", "selector-list"},
    {"compound-selector-list", "selector-list"},
    {"complex-selector", "selector"},
    {"complex-real-selector", "selector"},
    {"compound-selector", "sel-compound"},
    {"relative-selector-list", "relative-selector"},
    {"media-feature", "media-feature"},
    {"media-in-parens", "media-feature"},
    {"media-type", "media-type"},
    {"media-query-list", "media-list"},
    {"size-feature", ""},
    {"query-in-parens", "container-feature"},
    {"layer-name", "layer"},
    {"level", "int1"},
    {"general-enclosed", ""},
    {"ratio", "ratio"},
    {"unicode-range-token", "unicode-range"},
    {"src()", ""},
    {"wcag2", ""},
    {"calc-sum", "sum:length"},
    {"dimension", "length"},
    {"attr-unit", "attr-unit"},
    {"wq-name", "sel-attribute"},
    {"attr-name", "sel-attribute"},
    {"path-string", "path-string"},
    {"custom-selector", "custom-selector"},
    {"grid-areas", "grid-areas"},
};

static const struct lines more[] = {
    {"dashed", "--<name>"},
    {"hash", "#<name>"},
    {"0", "0"},
    {"clip-edge", "<length>\nauto"},
    {"media-type", "all\nscreen\nprint"},
    {"media-list", "<media-query>\n<media-query>\n<media-query>, <media-list>"},
    {"media-query", "<media-type>\n<media-feature>\n<media-feature> and <media-feature>\n"
                    "<media-type> and <media-feature>\nnot <media-type>\nnot <media-feature>"},
    {"layer", "<name>\n<name>.<name>"},
    {"custom-selector", ":--<name>"},
    {"ratio", "<num0>\n<int1> / <int1>"},
    {"unicode-range", "U+26\nU+0-7F\nU+4??"},
    {"attr-unit", "px\nem\n%\ndeg"},
    {"path-string", "'<path-data>'"},
    {"path-data", "M<path-pair>\nM<path-pair><path-steps>"},
    {"path-pair", "<num> <num>"},
    {"path-steps", "<path-step>\n<path-step><path-steps>"},
    {"path-step",
     "L<path-pair>\nl<path-pair>\nH<num>\nv<num>\nC<path-pair> <path-pair> <path-pair>\n"
     "q<path-pair> <path-pair>\nS<path-pair> <path-pair>\nt<path-pair>\n"
     "A<num0> <num0> <int> 0 1 <path-pair>\nM<path-pair>\nz\nZ"},
    {"grid-areas", "'<name>'\n'a b' 'c d'\n'a a' 'b c'\n'. <name>'"},
    {"will-change", "scroll-position\ncontents\ntransform\nopacity\ntop"},
};

/* A number with a unit: the type, its units, one a line, and whether 0 needs none. */
struct quantity {
    const char *name, *units;
    bool zero, math;
};

static const struct quantity quantities[] = {
    {"length",
     "px\npx\npx\npx\nem\nem\nrem\nex\nch\nlh\nrlh\ncap\nic\nvw\nvh\nvmin\nvmax\nsvw\nlvh\ndvh\n"
     "vi\nvb\ncqw\ncqh\ncqmin\ncm\nmm\nin\npt\npc\nq",
     true, true},
    {"percentage", "%", false, true},
    {"angle", "deg\ndeg\nrad\ngrad\nturn", false, true},
    {"time", "s\nms", false, true},
    {"frequency", "Hz\nkHz", false, false},
    {"resolution", "dppx\ndpi\ndpcm\nx", false, false},
    {"flex", "fr", false, false},
    {"decibel", "dB", false, false},
    {"semitones", "st", false, false},
};

/* Either of two types. */
static const struct lines either[] = {
    {"length-percentage", "length"},
    {"angle-percentage", "angle"},
    {"time-percentage", "time"},
    {"frequency-percentage", "frequency"},
};

#define COUNT(table) (sizeof(table) / sizeof *(table))

static const struct lines *find_lines(const struct lines *table, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(table[i].name, name) == 0) return &table[i];
    return NULL;
}

/* --- numbers ----------------------------------------------------------------------------- */

/* What is written after the name of a type for a range; nothing for all numbers. */
static pare_status put_range(pare_buffer *name, double low, double high, pare_error *err)
{
    if (isinf(low) && isinf(high)) return PARE_OK;
    return pare_buffer_format(name, err, ":%g:%g", low, high);
}

static void add_number(pare_web_rules *rules, const char *name, double value)
{
    char text[NUMBER_BYTES];
    (void)snprintf(text, sizeof text, "%.10g", value);
    if (!strchr(text, 'e')) pare_web_rules_add(rules, name, 1, text, strlen(text));
}

/* The ends of a range, and what lies near them. */
static void add_range(pare_web_rules *rules, const char *name, double low, double high, bool whole)
{
    static const double steps[] = {0, 1, 2, 10, 99};
    double from = isinf(low) ? high : low, sign = isinf(low) ? -1 : 1;
    for (size_t i = 0; i < COUNT(steps); i++) {
        double value = from + sign * steps[i];
        if (value >= low && value <= high) add_number(rules, name, value);
    }
    if (isinf(low) || isinf(high)) return;
    double middle = low + (high - low) / 2;
    if (!whole || floor(middle) == middle) add_number(rules, name, middle);
    if (high > from) add_number(rules, name, high);
    if (!whole) add_number(rules, name, low + (high - low) / 4);
}

/* Appends the name of a rule for numbers without a unit. */
static pare_status find_number(pare_web_rules *rules, double low, double high, bool whole,
                               pare_buffer *name, pare_error *err)
{
    bool endless = isinf(high);
    const char *known = endless && isinf(low)                      ? (whole ? "int" : "num")
                        : endless && !(low < 0 || low > 0)         ? (whole ? "int0" : "num0")
                        : endless && whole && low >= 1 && low <= 1 ? "int1"
                                                                   : NULL;
    if (known) return pare_buffer_text(name, known, err);
    pare_status status =
        pare_buffer_format(name, err, "%s:%g:%g", whole ? "int" : "num", low, high);
    if (!status && !pare_web_rules_has(rules, name->data))
        add_range(rules, name->data, low, high, whole);
    return status;
}

/* --- mathematics -------------------------------------------------------------------------- */

/* Functions that take and give a quantity; `name` is its rule without a range. */
static void add_math(pare_web_rules *rules, const char *name)
{
    static const char *const functions[] = {
        "calc(<sum:%s>)",    "calc(<sum:%s>)",          "min(<%s>, <%s>)",
        "max(<%s>, <%s>)",   "clamp(<%s>, <%s>, <%s>)", "abs(<%s>)",
        "round(<%s>, <%s>)", "mod(<%s>, <%s>)",         "rem(<%s>, <%s>)"};
    static const char *const sums[] = {"<%s> + <%s>",  "<%s> - <%s>",   "<num> * <%s>",
                                       "<%s> * <num>", "<%s> / <int1>", "(<sum:%s>)"};
    char rule[NAME_BYTES + 8], text[NAME_BYTES];
    for (unsigned sum = 0; sum < 2; sum++) {
        const char *const *table = sum ? sums : functions;
        (void)snprintf(rule, sizeof rule, sum ? "sum:%s" : "math:%s", name);
        if (pare_web_rules_has(rules, rule)) return;
        for (size_t i = 0; i < (sum ? COUNT(sums) : COUNT(functions)); i++) {
            size_t n = 0;
            for (const char *at = table[i]; *at && n + strlen(name) + 1 < sizeof text; at++) {
                bool hole = at[0] == '%' && at[1] == 's';
                const char *what = at[0] != '%' ? "%.1s" : at[-1] == ':' ? "%s" : "one:%s";
                n += (size_t)snprintf(text + n, sizeof text - n, what, hole ? name : at);
                at += hole;
            }
            pare_web_rules_add_template(rules, rule, 1, text);
        }
    }
}

/* --- quantities ------------------------------------------------------------------------------ */

static void make_quantity(pare_web_rules *rules, const struct quantity *kind, const char *name,
                          const char *number, double low, double high)
{
    char text[2 * NAME_BYTES], units[NAME_BYTES];
    (void)snprintf(units, sizeof units, "unit:%s", kind->name);
    (void)snprintf(text, sizeof text, "<%s><%s>", number, units);
    pare_web_rules_add_template(rules, name, 1, text);
    if (!pare_web_rules_has(rules, units)) pare_web_rules_add_lines(rules, units, kind->units);
    if (kind->zero && low <= 0 && high >= 0) pare_web_rules_add_template(rules, name, ZERO, "0");
    if (!kind->math) return;
    (void)snprintf(text, sizeof text, "<math:%s>", kind->name);
    pare_web_rules_add_template(rules, name, MATH, text);
    /* In mathematics a zero has its unit. */
    (void)snprintf(text, sizeof text, "one:%s", kind->name);
    if (!pare_web_rules_has(rules, text)) {
        char whole[2 * NAME_BYTES];
        (void)snprintf(whole, sizeof whole, "<num><%s>", units);
        pare_web_rules_add_template(rules, text, 1, whole);
        add_math(rules, kind->name);
    }
}

void pare_web_basics_add(pare_web_rules *rules)
{
    for (size_t i = 0; i < COUNT(fixed); i++)
        pare_web_rules_add_lines(rules, fixed[i].name, fixed[i].templates);
    for (size_t i = 0; i < COUNT(more); i++)
        pare_web_rules_add_lines(rules, more[i].name, more[i].templates);
    for (size_t i = 0; i < COUNT(quantities); i++)
        make_quantity(rules, &quantities[i], quantities[i].name, "num", -INFINITY, INFINITY);
}

static pare_status find_quantity(pare_web_rules *rules, const struct quantity *kind, double low,
                                 double high, pare_buffer *name, pare_error *err)
{
    pare_buffer number = {0};
    size_t from = name->size;
    pare_status status = pare_buffer_text(name, kind->name, err);
    if (!status) status = put_range(name, low, high, err);
    if (!status && !pare_web_rules_has(rules, name->data + from)) {
        status = find_number(rules, low, high, false, &number, err);
        if (!status) make_quantity(rules, kind, name->data + from, number.data, low, high);
    }
    pare_buffer_done(&number);
    return status;
}

static pare_status find_plain_number(pare_web_rules *rules, double low, double high, bool whole,
                                     pare_buffer *name, pare_error *err)
{
    char text[NAME_BYTES];
    pare_buffer number = {0};
    const char *base = whole ? "integer" : "number";
    size_t from = name->size;
    pare_status status = pare_buffer_text(name, base, err);
    if (!status) status = put_range(name, low, high, err);
    if (!status && !pare_web_rules_has(rules, name->data + from)) {
        status = find_number(rules, low, high, whole, &number, err);
        if (!status) {
            (void)snprintf(text, sizeof text, "<%s>", number.data);
            pare_web_rules_add_template(rules, name->data + from, 1, text);
            pare_web_rules_add_template(rules, name->data + from, MATH,
                                        whole ? "calc(<int> + <int>)" : "<math:num>");
        }
    }
    add_math(rules, "num");
    pare_buffer_done(&number);
    return status;
}

static const struct quantity *find_kind(const char *name)
{
    for (size_t i = 0; i < COUNT(quantities); i++)
        if (strcmp(quantities[i].name, name) == 0) return &quantities[i];
    return NULL;
}

/* A quantity or a percentage, both in the range, or a sum of them. */
static pare_status find_either(pare_web_rules *rules, const struct lines *pair, double low,
                               double high, pare_buffer *name, pare_error *err)
{
    char text[NAME_BYTES];
    const char *const parts[] = {pair->templates, "percentage"};
    size_t from = name->size;
    pare_status status = pare_buffer_text(name, pair->name, err);
    if (!status) status = put_range(name, low, high, err);
    if (status || pare_web_rules_has(rules, name->data + from)) return status;
    for (size_t i = 0; !status && i < COUNT(parts); i++) {
        pare_buffer part = {0};
        status = find_quantity(rules, find_kind(parts[i]), low, high, &part, err);
        (void)snprintf(text, sizeof text, "<%s>", status ? "" : part.data);
        pare_web_rules_add_template(rules, name->data + from, 1, text);
        pare_buffer_done(&part);
    }
    if (!find_kind(pair->templates)->math) return status;
    (void)snprintf(text, sizeof text, "calc(<one:%s> + <one:percentage>)", pair->templates);
    pare_web_rules_add_template(rules, name->data + from, MATH, text);
    return status;
}

/* --- any type ---------------------------------------------------------------------------------- */

pare_status pare_web_basics_find(pare_web_rules *rules, const pare_value *type, pare_buffer *name,
                                 bool *known, pare_error *err)
{
    const char *text = type->text;
    const struct quantity *kind = find_kind(text);
    const struct lines *pair = find_lines(either, COUNT(either), text);
    const struct lines *found = find_lines(types, COUNT(types), text);
    bool whole = strcmp(text, "integer") == 0;
    *known = true;
    if (kind) return find_quantity(rules, kind, type->low, type->high, name, err);
    if (pair) return find_either(rules, pair, type->low, type->high, name, err);
    if (whole || strcmp(text, "number") == 0 || strcmp(text, "number-token") == 0)
        return find_plain_number(rules, type->low, type->high, whole, name, err);
    *known = found != NULL;
    return found ? pare_buffer_format(name, err, "%s", *found->templates ? found->templates : "?")
                 : PARE_OK;
}
