/* Source: the content models of the HTML Standard, section 4, of SVG 2, chapter 5 and those of
 * shapes, text, paint servers and filters, and of MathML Core; simplified so that no element
 * ends another, what may not be nested is not, and nothing is moved by the parser. */
#include "web/content.h"

#include <stdio.h>
#include <string.h>

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

bool pare_web_content_find(const char *interface, const char *name, pare_web_content *out)
{
    bool is_svg = strncmp(interface, "SVG", 3) == 0, is_math = strncmp(interface, "MathML", 6) == 0;
    const struct kind *table = is_svg ? svg : is_math ? math : html;
    size_t n = is_svg ? COUNT(svg) : is_math ? COUNT(math) : COUNT(html);
    *out = (pare_web_content){.space = is_svg ? 's' : is_math ? 'm' : 'e', .rule = "phrasing"};
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

void pare_web_content_add(pare_web_rules *rules)
{
    static const char page[] = "<!DOCTYPE html>\n\1e:html\2";
    for (size_t i = 0; i < COUNT(fixed); i++)
        pare_web_rules_add_lines(rules, fixed[i].name, fixed[i].templates);
    add_presentation(rules);
    pare_web_rules_add(rules, "html", 1, page, strlen(page));
    pare_web_rules_add(rules, "stylesheet-lines", 1, "\n\1stylesheet\2\n",
                       strlen("\n\1stylesheet\2\n"));
}
