/* One rule an element, e:NAME, s:NAME or m:NAME, and one for what is in it, c:..., unless a
 * table says so.
 *
 * The tables hold the content models of the HTML Standard, section 4, of SVG 2, chapter 5 and
 * those of shapes, text, paint servers and filters, and of MathML Core.  They are simplified so
 * that no element ends another, what may not be nested is not, and the parser moves nothing:
 * then each document is read without an error. */
#include "web_model/elements.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <jansson.h>

#include "base/buffer.h"
#include "base/fail.h"
#include "web_model/attributes.h"

/* ---- tables ----------------------------------------------------------------------- */

/* What may be in an element, and where it may stand. */
struct content {
    char space;        /* 'e' HTML, 's' SVG, 'm' MathML */
    bool is_void;      /* it has no content and no end tag */
    bool is_known;     /* it is in a table */
    const char *rule;  /* of its content */
    const char *place; /* a rule of which it is one expansion; "": where others name it */
};

/* Elements apart by blanks, the rule of their content ("": they are void), and where they
 * stand. */
struct kind {
    const char *names, *rule, *place;
};

static const struct kind html[] = {
    {"area base col embed hr img input link meta source track wbr br param", "", ""},
    {"address article aside blockquote div main nav search section center", "flow", "block"},
    {"footer header dialog fencedframe portal", "flow", "block"},
    {"h1 h2 h3 h4 h5 h6 p pre", "phrasing", "block"},
    {"abbr b bdi bdo cite code data del dfn em i ins kbd mark q s samp small span strong sub sup "
     "time u var output slot",
     "phrasing", "phrase"},
    {"acronym big blink font nobr strike tt marquee", "phrasing", "phrase"},
    {"a button label", "plain", "phrase"},
    {"canvas meter progress noscript", "text", "phrase"},
    {"object", "phrasing", "phrase"},
    {"iframe", "none", "phrase"},
    {"textarea title option", "text", ""},
    {"script", "script-text", ""},
    {"style", "stylesheet-lines", ""},
    {"ul ol menu dir", "list-items", "block"},
    {"li dd td th", "flow", ""},
    {"dl", "terms", "block"},
    {"dt rt rp rb legend caption summary figcaption optgroup-label selectedcontent", "plain", ""},
    {"figure", "figure", "block"},
    {"hgroup", "hgroup", "block"},
    {"fieldset", "fieldset", "block"},
    {"details", "details", "block"},
    {"form", "form", "block"},
    {"table", "table", "block"},
    {"thead tbody tfoot", "rows", ""},
    {"tr", "cells", ""},
    {"colgroup", "columns", ""},
    {"select", "options", "phrase"},
    {"optgroup", "option-list", ""},
    {"datalist", "option-list", "phrase"},
    {"ruby", "ruby", "phrase"},
    {"picture", "picture", "phrase"},
    {"video audio", "media", "phrase"},
    {"map", "map", "phrase"},
    {"template", "flow", "block"},
    {"html", "page", ""},
    {"head", "head", ""},
    {"body", "body", ""},
};

static const struct kind svg[] = {
    {"rect circle ellipse line polyline polygon path image use", "svg-leaf", "shape"},
    {"g a switch svg", "svg-content", "svg-group"},
    {"defs symbol marker pattern clipPath mask", "svg-content", "svg-group"},
    {"linearGradient radialGradient", "svg-stops", "svg-group"},
    {"stop", "svg-leaf", ""},
    {"filter", "svg-filter", "svg-group"},
    {"text", "svg-text", "shape"},
    {"tspan", "svg-text", "svg-span"},
    {"textPath", "svg-text", "svg-span"},
    {"foreignObject", "flow", "svg-group"},
    {"title desc", "text", "svg-about"},
    {"metadata view", "none", "svg-about"},
    {"style", "stylesheet-lines", "svg-about"},
    {"script", "script-text", ""},
    {"animate set animateTransform", "none", "svg-animation"},
    {"animateMotion", "svg-motion", "svg-animation"},
    {"mpath", "none", ""},
    {"feMergeNode feDistantLight fePointLight feSpotLight feFuncR feFuncG feFuncB feFuncA", "none",
     ""},
    {"feMerge", "svg-merge", "svg-primitive"},
    {"feComponentTransfer", "svg-transfer", "svg-primitive"},
    {"feDiffuseLighting feSpecularLighting", "svg-light", "svg-primitive"},
    {"feBlend feColorMatrix feComposite feConvolveMatrix feDisplacementMap feDropShadow feFlood "
     "feGaussianBlur feImage feMorphology feOffset feTile feTurbulence",
     "none", "svg-primitive"},
};

static const struct kind math[] = {
    {"mi", "math-name", "math-token"},
    {"mn", "math-number", "math-token"},
    {"mo", "math-sign", "math-token"},
    {"mtext ms", "text", "math-token"},
    {"mspace", "none", "math-token"},
    {"mrow mstyle merror mpadded mphantom msqrt", "math-row", "math-group"},
    {"mfrac mroot msub msup munder mover", "math-two", "math-group"},
    {"msubsup munderover", "math-three", "math-group"},
    {"mtable", "math-rows", "math-group"},
    {"mtr", "math-cells", ""},
    {"mtd", "math-row", ""},
    {"math", "math-row", ""},
    {"semantics", "math-row", "math-group"},
};

/* Never made: what changes how the rest of a document is read, and what needs more of it than
 * its tags. */
static const char never[] = "plaintext frameset frame noframes image isindex xmp noembed listing "
                            "keygen nextid basefont bgsound applet menuitem multicol spacer "
                            "rtc mmultiscripts mprescripts maction annotation annotation-xml "
                            "none install geolocation usermedia camera microphone model";

/* Rules, one expansion a line. */
struct lines {
    const char *name, *templates;
};

static const struct lines fixed[] = {
    {"none", ""},
    {"words", "<word>\n<word> <word>\n<word> <words>"},
    {"text", "<words>\n<words>\n<words>&amp;\n&lt;<word>\n&#65;"},
    {"phrasing", "\n<text>\n<text>\n<phrase-item>\n<phrase-item><phrasing>\n<text><phrase-item>"},
    {"phrase-item", "<text>\n<phrase>\n<phrase>\n<e:img>\n<e:br>\n<e:input>\n<e:wbr>\n<e:embed>\n"
                    "<inline-svg>\n<inline-math>\n<e:textarea>"},
    {"inline-svg", "<s:svg>"},
    {"inline-math", "<m:math>"},
    /* What may stand in what the user can click on. */
    {"plain", "<text>\n<text>\n<e:img>\n<plain-item><text>\n<plain-item>"},
    {"plain-item", "<e:b>\n<e:em>\n<e:span>\n<e:code>"},
    {"flow", "\n<text>\n<flow-item>\n<flow-item>\n<flow-item><flow>\n<flow-item><flow>"},
    {"flow-item", "<block>\n<block>\n<block>\n<phrase-item>\n<text>\n<e:hr>"},
    {"list-items", "<e:li>\n<e:li><list-items>"},
    {"terms", "<e:dt><e:dd>\n<e:dt><e:dd><terms>"},
    {"figure", "<flow>\n<flow><e:figcaption>\n<e:figcaption><flow>"},
    {"hgroup", "<e:h1>\n<e:p><e:h2>\n<e:h3><e:p>"},
    {"fieldset", "<form>\n<e:legend><form>"},
    {"details", "<e:summary><flow>"},
    {"form", "<form-item>\n<form-item><form>"},
    {"form-item", "<e:input>\n<e:label>\n<e:select>\n<e:textarea>\n<e:button>\n<e:p>\n<e:output>"},
    {"table", "<e:tbody>\n<e:tbody>\n<e:caption><e:tbody>\n<e:thead><e:tbody>\n<e:tbody><e:tfoot>\n"
              "<e:colgroup><e:tbody>"},
    {"rows", "<e:tr>\n<e:tr><rows>"},
    {"cells", "<e:td>\n<e:th>\n<e:td><cells>"},
    {"columns", "<e:col>\n<e:col><columns>"},
    {"options", "<option-list>\n<option-list>\n<e:optgroup>\n<e:hr>"},
    {"option-list", "<e:option>\n<e:option><option-list>"},
    {"ruby", "<text><e:rt>\n<text><e:rp><e:rt><e:rp>\n<text><e:rt><ruby>"},
    {"picture", "<e:img>\n<e:source><e:img>"},
    {"media", "\n<e:source>\n<e:source><e:track>\n<e:track>"},
    {"map", "<e:area>\n<e:area><map>"},
    {"script-text", "document.body.append('<word>')\ndocument.title='<word>'\n<script-if>"},
    {"script-if", "let x=document.getElementById('<name>');if(x)x.remove()"},
    /* attributes of all elements */
    {"common-id", "\n\n id=\"<name>\""},
    {"common-class", "\n\n class=\"<name>\""},
    {"common-style", "\n style=\"<declarations>\""},
    {"common", "<common-id><common-class><common-style>"},
    {"svg-common", "<common-id><common-class><svg-fill><svg-look><common-style>"},
    {"svg-fill", "\n fill=\"<v:color>\"\n stroke=\"<v:color>\"\n fill=\"url(#<name>)\""},
    /* SVG */
    {"svg-leaf", "\n\n<svg-animation>\n<s:title>"},
    {"svg-content", "<svg-item>\n<svg-item>\n<svg-item><svg-content>"},
    {"svg-item", "<shape>\n<shape>\n<shape>\n<svg-group>\n<svg-animation>\n<svg-about>"},
    {"svg-stops", "<s:stop>\n<s:stop><svg-stops>"},
    {"svg-filter", "<svg-primitive>\n<svg-primitive><svg-filter>"},
    {"svg-text", "<text>\n<text>\n<svg-span>\n<text><svg-span>"},
    {"svg-motion", "\n<s:mpath>"},
    {"svg-merge", "<s:feMergeNode>\n<s:feMergeNode><svg-merge>"},
    {"svg-transfer", "<s:feFuncR>\n<s:feFuncG><s:feFuncB>\n<s:feFuncA>"},
    {"svg-light", "<s:feDistantLight>\n<s:fePointLight>\n<s:feSpotLight>"},
    /* MathML */
    {"math-name", "x\ny\nsin\n\xce\xb1"},
    {"math-number", "<int0>\n<num0>"},
    {"math-sign", "+\n-\n=\n(\n)\n\xe2\x88\x91\n&lt;"},
    {"math-item", "<math-token>\n<math-token>\n<math-group>"},
    {"math-row", "<math-item>\n<math-item><math-row>"},
    {"math-two", "<math-item><math-item>"},
    {"math-three", "<math-item><math-item><math-item>"},
    {"math-cells", "<m:mtd>\n<m:mtd><math-cells>"},
    {"math-rows", "<m:mtr>\n<m:mtr><math-rows>"},
    /* documents */
    {"head",
     "<head-item>\n<e:title>\n<e:title><e:style>\n<e:style>\n<e:title><e:style><head-item>"},
    {"head-item", "<e:meta>\n<e:link>\n<e:script>\n<e:title>\n<e:style>"},
    {"body", "<flow-item>\n<flow-item><body>\n<flow-item><body>\n<flow-item><body>"},
    {"page", "<e:head><e:body>"},
    {"svg", "<s:svg>"},
    {"math", "<m:math>"},
    {"css", "<stylesheet>"},
};

/* Attributes that give the properties of the same names in SVG. */
static const char presentation[] =
    "alignment-baseline baseline-shift clip-path clip-rule color color-interpolation cursor "
    "direction display dominant-baseline fill-opacity fill-rule filter flood-color flood-opacity "
    "font-family font-size font-style font-weight image-rendering letter-spacing lighting-color "
    "marker-end marker-mid marker-start mask mask-type opacity overflow paint-order "
    "pointer-events shape-rendering stop-color stop-opacity stroke-dasharray stroke-dashoffset "
    "stroke-linecap stroke-linejoin stroke-miterlimit stroke-opacity stroke-width text-anchor "
    "text-decoration text-rendering unicode-bidi vector-effect visibility word-spacing "
    "writing-mode";

#define COUNT(table) (sizeof(table) / sizeof *(table))

static bool has_word(const char *list, const char *word)
{
    size_t length = strlen(word);
    for (; *list; list += strspn(list, " ")) {
        size_t size = strcspn(list, " ");
        if (size == length && memcmp(list, word, size) == 0) return true;
        list += size;
    }
    return false;
}

static bool find_content(const char *interface, const char *name, struct content *out)
{
    bool is_svg = strncmp(interface, "SVG", 3) == 0, is_math = strncmp(interface, "MathML", 6) == 0;
    const struct kind *table = is_svg ? svg : is_math ? math : html;
    size_t n = is_svg ? COUNT(svg) : is_math ? COUNT(math) : COUNT(html);
    *out = (struct content){.space = is_svg ? 's' : is_math ? 'm' : 'e', .rule = "phrasing"};
    if (has_word(never, name) && !(is_svg && strcmp(name, "image") == 0)) return false;
    for (size_t i = 0; i < n; i++) {
        if (!has_word(table[i].names, name)) continue;
        out->is_known = true;
        out->is_void = !*table[i].rule;
        out->rule = table[i].rule;
        out->place = table[i].place;
        return true;
    }
    if (is_svg || is_math) return false;
    out->place = "phrase";
    return true;
}

/* One attribute, of several that stand for properties, or none. */
static void add_presentation(pare_web_rules *rules)
{
    static const double ONE = 0.012;
    char text[100];
    pare_web_rules_add(rules, "svg-look", 1, "", 0);
    for (const char *at = presentation; *at; at += strspn(at, " ")) {
        int size = (int)strcspn(at, " ");
        (void)snprintf(text, sizeof text, " %.*s=\"<v:%.*s>\"", size, at, size, at);
        pare_web_rules_add_template(rules, "svg-look", ONE, text);
        at += size;
    }
}

static void add_content_rules(pare_web_rules *rules)
{
    static const char page[] = "<!DOCTYPE html>\n\1e:html\2";
    for (size_t i = 0; i < COUNT(fixed); i++)
        pare_web_rules_add_lines(rules, fixed[i].name, fixed[i].templates);
    add_presentation(rules);
    pare_web_rules_add(rules, "html", 1, page, strlen(page));
    pare_web_rules_add(rules, "stylesheet-lines", 1, "\n\1stylesheet\2\n",
                       strlen("\n\1stylesheet\2\n"));
}

/* ---- elements --------------------------------------------------------------------- */

/* Weight of an element that is in no table, of one that is out of use. */
static const double OTHER = 0.3, OBSOLETE = 0.1;

struct maker {
    pare_web_rules *rules;
    const pare_idl *idl;
    pare_error *err;
};

static const char *text_of(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

/* Whether a name can stand in a rule's name and in a tag. */
static bool is_plain(const char *name)
{
    for (const char *at = name; *at; at++)
        if (!isalnum((unsigned char)*at) && *at != '-') return false;
    return *name;
}

/* The element's tags around its content. */
static pare_status put_element(const struct maker *maker, const char *name, const char *interface,
                               const struct content *content, pare_buffer *to)
{
    pare_status status = pare_buffer_format(to, maker->err, "<%s", name);
    pare_buffer attributes = {0};
    if (!status) status = pare_buffer_format(&attributes, maker->err, "a:%s", interface);
    if (!status) status = pare_web_call(to, attributes.data, maker->err);
    pare_buffer_done(&attributes);
    if (status || content->is_void)
        return status ? status
                      : pare_buffer_text(to, content->space == 'e' ? ">" : "/>", maker->err);
    status = pare_buffer_text(to, ">", maker->err);
    if (!status) status = pare_web_call(to, content->rule, maker->err);
    return status ? status : pare_buffer_format(to, maker->err, "</%s>", name);
}

/* Makes the rule of an element, and offers it where it may stand. */
static pare_status add_element(const struct maker *maker, const json_t *element)
{
    const char *name = text_of(element, "name"), *interface = text_of(element, "interface");
    bool obsolete = json_is_true(json_object_get(element, "obsolete"));
    struct content content;
    pare_buffer rule = {0}, expansion = {0};
    if (!name || !is_plain(name)) return PARE_OK;
    if (!interface || !is_plain(interface)) interface = "HTMLElement";
    if (!find_content(interface, name, &content)) return PARE_OK;
    pare_status status = pare_buffer_format(&rule, maker->err, "%c:%s", content.space, name);
    bool is_new = !status && !pare_web_rules_has(maker->rules, rule.data);
    if (is_new) status = pare_web_attributes_make(maker->rules, maker->idl, interface, maker->err);
    if (is_new && !status) status = put_element(maker, name, interface, &content, &expansion);
    if (is_new && !status) {
        pare_web_rules_add(maker->rules, rule.data, 1, expansion.data, expansion.size);
        pare_buffer_reset(&expansion);
        status = pare_web_call(&expansion, rule.data, maker->err);
    }
    if (is_new && !status && *content.place) {
        double weight = obsolete ? OBSOLETE : content.is_known ? 1 : OTHER;
        pare_web_rules_add(maker->rules, content.place, weight, expansion.data, expansion.size);
    }
    pare_buffer_done(&rule);
    pare_buffer_done(&expansion);
    return status;
}

pare_status pare_web_elements_add(pare_web_rules *rules, const pare_idl *idl, const char *path,
                                  const char *json, size_t size, pare_error *err)
{
    const struct maker maker = {rules, idl, err};
    json_t *root = json_loadb(json, size, 0, NULL);
    const json_t *list = json_object_get(root, "elements");
    pare_status status = PARE_OK;
    if (!json_is_array(list))
        status = pare_fail(err, PARE_E_CORRUPT, "%s: there is no list 'elements'", path);
    for (size_t i = 0; !status && i < json_array_size(list); i++)
        status = add_element(&maker, json_array_get(list, i));
    json_decref(root);
    return status;
}

void pare_web_documents_add(pare_web_rules *rules)
{
    pare_web_attributes_add(rules);
    add_content_rules(rules);
}
