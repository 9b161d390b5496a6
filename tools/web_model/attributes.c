/* What an interface has is cut into groups; of each group an element has one attribute or
 * none. */
#include "web_model/attributes.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/fail.h"

enum { GROUP = 4, INHERITANCE = 32, NAME_BYTES = 80 };

/* Weights of having one, where that of none is 1: of a group of an element's own attributes, of
 * what all have. */
static const double OWN = 0.6, COMMON = 0.08;

struct entry {
    const char *name, *text;
};

/* Values of attributes that IDL knows as texts only, one a line; "": the attribute is none in
 * markup. */
static const struct entry values[] = {
    {"dir", "ltr\nrtl\nauto"},
    {"translate", "yes\nno"},
    {"draggable", "true\nfalse"},
    {"spellcheck", "true\nfalse"},
    {"autocorrect", "on\noff"},
    {"contenteditable", "true\nfalse\nplaintext-only"},
    {"hidden", "until-found\nhidden"},
    {"popover", "auto\nmanual\nhint"},
    {"popovertargetaction", "toggle\nshow\nhide"},
    {"inputmode", "none\ntext\nnumeric\nsearch"},
    {"enterkeyhint", "enter\ndone\ngo"},
    {"autocapitalize", "off\nwords\ncharacters"},
    {"crossorigin", "anonymous\nuse-credentials"},
    {"loading", "lazy\neager"},
    {"decoding", "sync\nasync\nauto"},
    {"fetchpriority", "high\nlow\nauto"},
    {"referrerpolicy", "no-referrer\norigin\nunsafe-url"},
    {"preload", "none\nmetadata\nauto"},
    {"kind", "subtitles\ncaptions\nmetadata"},
    {"method", "get\npost\ndialog"},
    {"formmethod", "get\npost\ndialog"},
    {"enctype", "text/plain\nmultipart/form-data"},
    {"formenctype", "text/plain\nmultipart/form-data"},
    {"scope", "row\ncol\nrowgroup\ncolgroup"},
    {"as", "image\nscript\nstyle\nfont"},
    {"shadowrootmode", "open\nclosed"},
    {"shadowrootslotassignment", "named\nmanual"},
    {"align", "left\nright\ncenter\njustify"},
    {"valign", "top\nmiddle\nbottom"},
    {"width", "<int0>\n<int0>%"},
    {"height", "<int0>\n<int0>%"},
    {"coords", "<int0>,<int0>,<int0>,<int0>"},
    {"shape", "rect\ncircle\npoly\ndefault"},
    {"wrap", "soft\nhard"},
    {"target", "_self\n_blank\n<name>"},
    {"rel", "stylesheet\nnoopener\nnofollow\nicon"},
    {"charset", "utf-8"},
    {"http-equiv", "refresh\ncontent-type"},
    {"media", "screen\nprint\n(min-width: <int0>px)"},
    {"srcset", "a.png 1x, b.png 2x\na.png <int1>w"},
    {"sizes", "100vw\nauto"},
    {"bgcolor", "<named-color>"},
    {"color", "<named-color>"},
    {"text", "<named-color>"},
    {"pattern", "[a-z]*\n.+"},
    {"list", "<name>"},
    {"form", "<name>"},
    {"srcdoc", "<word>"},
    {"slot", "<name>"},
    {"type", ""},
    {"HTMLInputElement.type",
     "text\nnumber\ncheckbox\nradio\nrange\ndate\ncolor\nfile\nsubmit\nreset\nbutton"},
    /* SVG */
    {"clipPathUnits", "userSpaceOnUse\nobjectBoundingBox"},
    {"filterUnits", "userSpaceOnUse\nobjectBoundingBox"},
    {"gradientUnits", "userSpaceOnUse\nobjectBoundingBox"},
    {"maskUnits", "userSpaceOnUse\nobjectBoundingBox"},
    {"maskContentUnits", "userSpaceOnUse\nobjectBoundingBox"},
    {"patternUnits", "userSpaceOnUse\nobjectBoundingBox"},
    {"patternContentUnits", "userSpaceOnUse\nobjectBoundingBox"},
    {"primitiveUnits", "userSpaceOnUse\nobjectBoundingBox"},
    {"markerUnits", "userSpaceOnUse\nstrokeWidth"},
    {"orient", "auto\nauto-start-reverse\n<num>"},
    {"edgeMode", "duplicate\nwrap\nnone"},
    {"lengthAdjust", "spacing\nspacingAndGlyphs"},
    {"spacing", "auto\nexact"},
    {"mode", "normal\nmultiply\nscreen\ndarken"},
    {"operator", "over\nin\nout\natop\nxor\narithmetic\nerode\ndilate"},
    {"spreadMethod", "pad\nreflect\nrepeat"},
    {"stitchTiles", "stitch\nnoStitch"},
    {"xChannelSelector", "R\nG\nB\nA"},
    {"yChannelSelector", "R\nG\nB\nA"},
    {"in", "SourceGraphic\nSourceAlpha\n<name>"},
    {"in2", "SourceGraphic\nSourceAlpha\n<name>"},
    {"href", "#<name>\n#<name>\n<uri>"},
    {"points", "<num>,<num> <num>,<num> <num>,<num>"},
    /* none in markup */
    {"HTMLButtonElement.type", "submit\nreset\nbutton"},
    {"HTMLOListElement.type", "1\na\nA\ni\nI"},
    {"SVGFETurbulenceElement.type", "fractalNoise\nturbulence"},
    {"SVGFEColorMatrixElement.type", "matrix\nsaturate\nhueRotate\nluminanceToAlpha"},
    {"SVGComponentTransferFunctionElement.type", "identity\ntable\ndiscrete\nlinear\ngamma"},
    {"virtualkeyboardpolicy", "auto\nmanual"},
    {"nodevalue", ""},
    {"textcontent", ""},
    {"innertext", ""},
    {"outertext", ""},
    {"innerhtml", ""},
    {"outerhtml", ""},
    {"length", ""},
    {"selectedindex", ""},
    {"caption", ""},
    {"thead", ""},
    {"tfoot", ""},
    {"username", ""},
    {"password", ""},
    {"protocol", ""},
    {"host", ""},
    {"hostname", ""},
    {"port", ""},
    {"pathname", ""},
    {"search", ""},
    {"hash", ""},
    {"defaultvalue", ""},
    {"encoding", ""},
    {"async", ""},
    /* made apart */
    {"style", ""},
    {"id", ""},
    {"class", ""},
};

/* IDL's names of attributes that have others in SVG. */
static const struct entry renamed[] = {
    {"className", "class"},
    {"in1", "in"},
    {"orientType", "orient"},
    {"orientAngle", ""},
    {"relList", ""},
    {"animVal", ""},
    {"filterResX", ""},
    {"filterResY", ""},
    {"kernelUnitLengthX", "kernelUnitLength"},
    {"kernelUnitLengthY", ""},
    {"orderX", "order"},
    {"orderY", ""},
    {"radiusX", "radius"},
    {"radiusY", ""},
    {"stdDeviationX", "stdDeviation"},
    {"stdDeviationY", ""},
    {"baseFrequencyX", "baseFrequency"},
    {"baseFrequencyY", ""},
    {"classList", "class"},
};

/* Values by the beginning of a type; NULL: the attribute has none. */
static const struct entry by_type[] = {
    {"boolean", NULL},
    {"unsigned long", "int0"},
    {"long", "int"},
    {"double", "num"},
    {"unrestricted double", "num"},
    {"USVString", "uri"},
    {"SVGAnimatedLengthList", "svg-lengths"},
    {"SVGAnimatedLength", "svg-length"},
    {"SVGAnimatedNumberList", "svg-numbers"},
    {"SVGAnimatedNumber", "num"},
    {"SVGAnimatedInteger", "int"},
    {"SVGAnimatedBoolean", "true-false"},
    {"SVGAnimatedTransformList", "svg-transform"},
    {"SVGAnimatedRect", "svg-box"},
    {"SVGAnimatedPreserveAspectRatio", "svg-aspect"},
    {"Element", "name"},
    {"FrozenArray", "name"},
    {"DOMTokenList", "name"},
};

static const struct entry fixed[] = {
    {"svg-length", "<num>\n<num0>\n<num0>px\n<int0>%"},
    {"svg-lengths", "<svg-length>\n<svg-length> <svg-lengths>"},
    {"svg-numbers", "<num>\n<num> <svg-numbers>"},
    {"true-false", "true\nfalse"},
    {"svg-transform", "translate(<num>)\ntranslate(<num> <num>)\nscale(<num>)\nrotate(<num>)\n"
                      "rotate(<num> <num> <num>)\nskewX(<num>)\n"
                      "matrix(<num> <num> <num> <num> <num> <num>)\n"
                      "<svg-transform> <svg-transform>"},
    {"svg-box", "0 0 <int1> <int1>\n<num> <num> <num0> <num0>"},
    {"svg-aspect", "none\nxMidYMid\nxMinYMin slice\nxMaxYMax meet"},
    {"word", "a\nb\ntext\nX\n0\n\xc3\xa9"},
    {"script",
     "this.remove()\nthis.title='a'\nthis.hidden=true\n"
     "document.getElementById('<name>').remove()\nthis.replaceWith(this.cloneNode(true))\n"
     "this.style.display='<display-word>'\nthis.append('a')\nthis.innerHTML=''"},
    {"display-word", "none\nblock\nflex\ngrid\ninline\ncontents\ntable"},
};

#define COUNT(table) (sizeof(table) / sizeof *(table))

static const struct entry *find(const struct entry *table, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(table[i].name, name) == 0) return &table[i];
    return NULL;
}

/* What tables say of an attribute: of this interface, or of any. */
static const struct entry *find_values(const pare_idl_attribute *attribute, const char *name)
{
    char whole[2 * NAME_BYTES];
    (void)snprintf(whole, sizeof whole, "%.*s.%s", NAME_BYTES - 2, attribute->interface, name);
    const struct entry *found = find(values, COUNT(values), whole);
    return found ? found : find(values, COUNT(values), name);
}

void pare_web_attributes_add(pare_web_rules *rules)
{
    for (size_t i = 0; i < COUNT(fixed); i++)
        pare_web_rules_add_lines(rules, fixed[i].name, fixed[i].text);
}

/* --- one attribute -------------------------------------------------------------------------- */

/* Its name in markup, from what IDL says; "": it has none.  SVG's names keep their case. */
static void name_content(const pare_idl_attribute *attribute, char name[NAME_BYTES])
{
    const struct entry *other = find(renamed, COUNT(renamed), attribute->name);
    const char *text = attribute->content ? attribute->content : attribute->name;
    bool is_svg = strncmp(attribute->interface, "SVG", 3) == 0;
    size_t n = 0;
    name[0] = '\0';
    if (!attribute->content && other) text = other->text;
    for (; text[n]; n++) {
        bool plain = isalnum((unsigned char)text[n]) || strchr("-_", text[n]);
        if (!plain || n + 1 == NAME_BYTES) {
            name[0] = '\0';
            return;
        }
        name[n] = is_svg ? text[n] : (char)tolower((unsigned char)text[n]);
    }
    name[n] = '\0';
}

/* Appends what makes the value of an attribute by its type; *has is false for one without. */
static pare_status put_by_type(const pare_idl_attribute *attribute, pare_buffer *to, bool *has,
                               pare_error *err)
{
    const char *type = attribute->type, *rule = attribute->is_url ? "uri" : "name";
    size_t size = strlen(type);
    *has = true;
    for (size_t i = 0; i < COUNT(by_type); i++)
        if (strncmp(type, by_type[i].name, strlen(by_type[i].name)) == 0) {
            rule = by_type[i].text;
            break;
        }
    if (size >= 12 && strcmp(type + size - 12, "EventHandler") == 0) rule = "script";
    if (!rule) *has = false;
    if (!rule) return PARE_OK;
    bool is_number = strcmp(rule, "int0") == 0 || strcmp(rule, "int") == 0;
    if (is_number && attribute->low >= 0) rule = attribute->low > 0 ? "int1" : "int0";
    return pare_web_call(to, rule, err);
}

/* Appends a call of the rule of an attribute's values, which is made, if tables know some. */
static pare_status put_by_name(pare_web_rules *rules, const pare_idl_attribute *attribute,
                               pare_buffer *to, pare_error *err)
{
    const struct entry *known = find_values(attribute, attribute->markup);
    pare_buffer rule = {0};
    if (!known) return PARE_OK;
    pare_status status = pare_buffer_format(&rule, err, "av:%s", known->name);
    if (!status && !pare_web_rules_has(rules, rule.data))
        pare_web_rules_add_lines(rules, rule.data, known->text);
    if (!status) status = pare_web_call(to, rule.data, err);
    pare_buffer_done(&rule);
    return status;
}

/* Appends ` name="value"`, or ` name`. */
static pare_status put_attribute(pare_web_rules *rules, const pare_idl_attribute *attribute,
                                 pare_buffer *to, pare_error *err)
{
    pare_buffer value = {0};
    bool has = true;
    pare_status status = put_by_name(rules, attribute, &value, err);
    if (!status && !value.size) status = put_by_type(attribute, &value, &has, err);
    if (!status && has)
        status = pare_buffer_format(to, err, " %s=\"%s\"", attribute->markup, value.data);
    if (!status && !has) status = pare_buffer_format(to, err, " %s", attribute->markup);
    pare_buffer_done(&value);
    return status;
}

/* --- interfaces ------------------------------------------------------------------------------- */

/* Decides which attributes are in markup, and by which names. */
pare_status pare_web_attributes_decide(pare_idl *idl, pare_error *err)
{
    char name[NAME_BYTES];
    for (size_t i = 0; i < idl->n_attributes; i++) {
        pare_idl_attribute *attribute = &idl->attributes[i];
        name_content(attribute, name);
        const struct entry *known = find_values(attribute, name);
        bool guessed = strncmp(attribute->type, "SVGAnimatedEnumeration", 22) == 0 ||
                       strncmp(attribute->type, "TrustedHTML", 11) == 0;
        if (!*name || (known ? !*known->text : guessed)) continue;
        attribute->markup = pare_arena_text(&idl->memory, name, strlen(name));
        if (!attribute->markup) return pare_fail_nomem(err);
    }
    return PARE_OK;
}

/* Whether an earlier attribute of the interfaces of `names` has this name in markup. */
static bool is_repeated(const pare_idl *idl, const char *const *names, size_t n, size_t before)
{
    const char *name = idl->attributes[before].markup;
    for (size_t i = 0; i < idl->n_attributes; i++) {
        const pare_idl_attribute *attribute = &idl->attributes[i];
        size_t k = 0;
        if (!attribute->markup || strcmp(attribute->markup, name) != 0) continue;
        while (k < n && strcmp(names[k], attribute->interface) != 0)
            k++;
        if (k < n && (k < n - 1 || i < before)) return true;
    }
    return false;
}

struct groups {
    pare_web_rules *rules;
    const pare_idl *idl;
    const char *names[INHERITANCE]; /* interfaces and mixins so far, each after what it has */
    size_t n_names;
    bool is_svg;
    pare_buffer calls; /* of the groups of the interface being made */
    pare_error *err;
};

/* Whether all elements have what is in an interface. */
static bool is_common(const char *interface)
{
    static const char *const common[] = {"Element",    "HTMLElement", "ARIAMixin",
                                         "SVGElement", "Animatable",  "GlobalEventHandlers"};
    for (size_t i = 0; i < COUNT(common); i++)
        if (strcmp(common[i], interface) == 0) return true;
    return false;
}

/* Whether attribute `i` is one in markup of the last of `names`. */
static bool is_own(const struct groups *g, size_t i)
{
    const pare_idl_attribute *attribute = &g->idl->attributes[i];
    return attribute->markup && strcmp(attribute->interface, g->names[g->n_names - 1]) == 0 &&
           !is_repeated(g->idl, g->names, g->n_names, i);
}

/* Begins a group; *is_new is false when another element's attributes had it made before. */
static pare_status begin_group(struct groups *g, size_t number, pare_buffer *rule, bool *is_new)
{
    const char *interface = g->names[g->n_names - 1];
    pare_buffer_reset(rule);
    pare_status status =
        pare_buffer_format(rule, g->err, "ag:%s%s%zu", g->is_svg ? "svg:" : "", interface, number);
    if (!status) status = pare_web_call(&g->calls, rule->data, g->err);
    *is_new = !status && !pare_web_rules_has(g->rules, rule->data);
    if (*is_new) pare_web_rules_add(g->rules, rule->data, 1, "", 0);
    return status;
}

/* Makes the groups of the last of `names`, and calls of them.  What all elements have is one
 * group. */
static pare_status make_groups(struct groups *g)
{
    bool common = is_common(g->names[g->n_names - 1]), is_new = false;
    size_t n = 0, all = 0;
    pare_status status = PARE_OK;
    pare_buffer rule = {0}, expansion = {0};
    for (size_t i = 0; i < g->idl->n_attributes; i++)
        all += is_own(g, i);
    double weight = common ? COMMON / (double)all : OWN / (double)(all < GROUP ? all : GROUP);
    for (size_t i = 0; !status && i < g->idl->n_attributes; i++) {
        if (!is_own(g, i)) continue;
        if (n == 0 || (!common && n % GROUP == 0))
            status = begin_group(g, n / GROUP, &rule, &is_new);
        n++;
        if (status || !is_new) continue;
        pare_buffer_reset(&expansion);
        status = put_attribute(g->rules, &g->idl->attributes[i], &expansion, g->err);
        if (!status)
            pare_web_rules_add(g->rules, rule.data, weight, expansion.data, expansion.size);
    }
    pare_buffer_done(&expansion);
    pare_buffer_done(&rule);
    return status;
}

/* An interface after what it inherits from, with what it includes after it. */
static pare_status collect(struct groups *g, const char *interface)
{
    const char *chain[INHERITANCE] = {NULL};
    size_t n = 0;
    pare_status status = PARE_OK;
    for (; interface && n < INHERITANCE; interface = pare_idl_parent(g->idl, interface))
        chain[n++] = interface;
    if (interface) return pare_fail(g->err, PARE_E_LIMIT, "interfaces inherit without end");
    while (!status && n--) {
        for (size_t i = 0; !status && i <= g->idl->n_links; i++) {
            const pare_idl_link *link = i ? &g->idl->links[i - 1] : NULL;
            if (link && (!link->includes || strcmp(link->name, chain[n]) != 0)) continue;
            if (g->n_names == INHERITANCE) break;
            g->names[g->n_names++] = link ? link->other : chain[n];
            status = make_groups(g);
        }
    }
    return status;
}

pare_status pare_web_attributes_make(pare_web_rules *rules, const pare_idl *idl,
                                     const char *interface, pare_error *err)
{
    struct groups g = {
        .rules = rules, .idl = idl, .is_svg = strncmp(interface, "SVG", 3) == 0, .err = err};
    pare_buffer rule = {0};
    pare_status status = pare_buffer_format(&rule, err, "a:%s", interface);
    if (!status && !pare_web_rules_has(rules, rule.data)) {
        status = collect(&g, interface);
        if (!status) status = pare_web_call(&g.calls, g.is_svg ? "svg-common" : "common", err);
        if (!status) pare_web_rules_add(rules, rule.data, 1, g.calls.data, g.calls.size);
    }
    pare_buffer_done(&g.calls);
    pare_buffer_done(&rule);
    return status;
}
