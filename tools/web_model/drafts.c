/* Two tables: what definitions run ahead of browsers, and what is read instead of a definition.
 *
 * They were found by asking Chromium about generated declarations; without
 * them much of what is generated would be dropped by the parser of the program under test. */
#include "web_model/drafts.h"

#include <stdbool.h>
#include <string.h>

/* Weights: of what is ahead of browsers, and of what would be made of itself too often. */
static const double AHEAD = 0.005, RECURSIVE = 0.1;

struct entry {
    const char *name, *text;
};

/* Definitions, and what in them begins with one of these words, types or functions; "*": in
 * any definition. */
static const struct entry ahead[] = {
    {"*", "device-cmyk() contrast-color() image-1D hairline element() cross-fade() image() alpha() "
          "ictcp() jzazbz() jzczhz() hdr-color() custom-color-space custom-params light-dark-image "
          "generic-font-script-specific reversed-counter-name symbols() sibling-index() "
          "filter()"},
    {"position-one position-two position-four background-position-x background-position-y",
     "start x-start x-end y-start y-end block-start block-end inline-start inline-end"},
    {"repeat-style", "repeat-block repeat-inline"},
    {"text-overflow", "string fade fade()"},
    {"text-justify", "no-compress ruby"},
    {"shape-box", "half-border-box"},
    {"predefined-rgb rectangular-color-space",
     "display-p3-linear rec2100-pq rec2100-hlg rec2100-linear"},
    {"position-visibility", "anchor-valid anchor-visible"},
    {"position", "running()"},
    {"text-transform", "full-size-kana"},
    {"stroke-linejoin", "crop arcs fallback"},
    {"image-orientation", "angle flip"},
    {"text-edge", "ideographic ideographic-ink"},
    {"text-wrap-style", "avoid-short-last-line"},
    {"autospace", "ideograph-alpha insert"},
    {"text-autospace", "autospace auto"},
    {"text-combine-upright", "digits"},
    {"float", "block-start block-end snap-block() snap-block snap-inline() snap-inline top bottom "
              "footnote"},
    {"clear", "block-start block-end top bottom both-inline both-block"},
    {"display-outside", "run-in"},
    {"display-inside display-legacy display-internal",
     "grid-lanes inline-grid-lanes ruby-base ruby-base-container ruby-text-container"},
    {"break-before break-after break-inside", "always all avoid-region region"},
    {"white-space-collapse", "discard preserve-spaces"},
    {"white-space", "white-space-trim"},
    {"content-list", "string() content() leader() target"},
    {"appearance", "base"},
    {"column-span", "integer auto"},
    {"column-gap row-gap", "line-width"},
    {"text-decoration-thickness", "line-width"},
    {"box-size", "fit-content contain"},
    {"border-radius", "slash-separated-border-radius-syntax"},
    {"single-animation", "single-animation-timeline"},
    {"ruby-position", "alternate inter-character"},
    {"text-align text-align-all", "string justify-all match-parent"},
    {"scroll-marker-group", "links tabs"},
    {"baseline-shift", "top center bottom"},
    {"text-spacing-trim spacing-trim", "auto trim-both trim-all"},
    {"vector-effect", "non-scaling-size non-rotation fixed-position"},
    {"font-style", "left right"},
    {"image-rendering", "smooth high-quality"},
};

/* The same for what calls itself. */
static const struct entry recursive[] = {
    {"color", "light-dark-color"},
    {"color-base", "color-mix()"},
    {"*", "from"},
};

/* What prose adds to a definition, what a definition forgets, and what browsers read of one. */
static const struct entry syntaxes[] = {
    {"steps()", "steps( <integer [2,999]>, <step-position>? )"},
    {"linear()", "linear( [ <number> && <percentage>{0,2} ]#{2,6} )"},
    {"color-mix()", "color-mix( <color-interpolation-method> , "
                    "[ <color> && <percentage [1,100]>? ]#{2} )"},
    {"color-stop-list", "<linear-color-stop> , [ <linear-color-hint>? , <linear-color-stop> ]#"},
    {"angular-color-stop-list",
     "<angular-color-stop> , [ <angular-color-hint>? , <angular-color-stop> ]#"},
    {"image-set-option", "[ <url> | <string> | <gradient> ] [ <resolution [0,∞]> || "
                         "type(<string>) ]?"},
    {"path()", "path( [ <'fill-rule'> , ]? <path-string> )"},
    {"d", "none | path( <path-string> )"},
    {"paint", "none | <color> | <url> [ none | <color> ]? | context-fill | context-stroke"},
    {"spread-shadow", "<color>? && [ <length>{2} [ <length [0,∞]> <length>? ]? ] && inset?"},
    {"shadow", "<color>? && [ <length>{2} <length [0,∞]>? ]"},
    {"stroke-width", "<length-percentage [0,∞]> | <number [0,∞]>"},
    {"mask-border -webkit-mask-box-image",
     "<'mask-border-source'> || <'mask-border-slice'> [ / <'mask-border-width'> "
     "[ / <'mask-border-outset'> ]? ]? || <'mask-border-repeat'>"},
    {"path-length", "none | <length [0,∞]>"},
    {"stroke-miterlimit", "<number [1,∞]>"},
    {"stroke-dasharray", "none | [ <length-percentage [0,∞]> | <number [0,∞]> ]#"},
    {"r", "<length-percentage [0,∞]>"},
    {"rx ry", "<length-percentage [0,∞]> | auto"},
    {"size", "<length [0,∞]>{1,2} | auto | <page-size> || [ portrait | landscape ]"},
    {"vertical-align", "baseline | sub | super | top | text-top | middle | bottom | text-bottom | "
                       "<length-percentage>"},
    {"column-width", "auto | <length [0,∞]>"},
    {"columns", "<'column-width'> || <'column-count'>"},
    {"single-animation",
     "[ <time [0s,∞]> <time>? ] || <easing-function> || <single-animation-iteration-count> || "
     "<single-animation-direction> || <single-animation-fill-mode> || "
     "<single-animation-play-state> || [ none | <keyframes-name> ]"},
    {"single-transition", "<single-transition-property> || [ <time [0s,∞]> <time>? ] || "
                          "<easing-function> || <transition-behavior-value>"},
    {"animation-delay", "<time>#"},
    {"interest-delay-start interest-delay-end", "normal | <time [0s,∞]>"},
    {"caret-color", "auto | <color>"},
    {"grid-template-areas", "none | <grid-areas>"},
    {"grid-template", "none | <'grid-template-rows'> / <'grid-template-columns'> | <grid-areas>"},
    {"auto-repeat", "repeat( [ auto-fill | auto-fit ] , [ <line-names>? <fixed-size> ]+ "
                    "<line-names>? )"},
    {"flex-basis", "content | auto | <length-percentage [0,∞]> | min-content | max-content | "
                   "fit-content"},
    {"calc-size()", "calc-size( [ auto | min-content | max-content | fit-content ] , "
                    "[ size | <length> ] )"},
    {"background-blend-mode", "<blend-mode>#"},
    {"palette-mix()", "palette-mix( <color-interpolation-method> , "
                      "[ [ normal | light | dark | <dashed-ident> ] && <percentage [1,100]>? ]#{2} "
                      ")"},
    {"dynamic-range-limit-mix()",
     "dynamic-range-limit-mix( [ [ standard | constrained | no-limit ] && <percentage [1,100]> "
     "]#{2} )"},
    {"timeline-trigger-source", "[ none | auto | <dashed-ident> | <scroll()> | <view()> ]#"},
    {"-webkit-mask-origin -webkit-mask-clip", "[ border-box | padding-box | content-box ]#"},
    {"anchor()", "anchor( [ <anchor-name>? && <anchor-side> ] , <length-percentage>? )"},
    {"anchor-side", "inside | outside | start | end | self-start | self-end | center | "
                    "<percentage>"},
    {"baseline-position", "[ first | last ]? baseline"},
    {"align-self", "auto | normal | stretch | <baseline-position> | "
                   "<overflow-position>? <self-position> | anchor-center"},
    {"object-fit", "fill | contain | cover | none | scale-down"},
    {"hyphenate-limit-chars", "[ auto | <integer [1,∞]> ]{1,3}"},
};

#define COUNT(table) (sizeof(table) / sizeof *(table))

/* What a part begins with. */
static const char *key_of(const pare_value *part)
{
    while (!part->text && part->first)
        part = part->first;
    return part->text;
}

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

static bool is_listed(const struct entry *table, size_t n, const char *scope, const char *key)
{
    for (size_t i = 0; key && i < n; i++) {
        bool fits = strcmp(table[i].name, "*") == 0 || has_word(table[i].name, scope);
        if (fits && has_word(table[i].text, key)) return true;
    }
    return false;
}

double pare_web_draft_weight(const char *scope, const pare_value *part)
{
    const char *key = key_of(part);
    if (is_listed(ahead, COUNT(ahead), scope, key)) return AHEAD;
    return is_listed(recursive, COUNT(recursive), scope, key) ? RECURSIVE : 1;
}

const char *pare_web_draft_syntax(const char *name)
{
    for (size_t i = 0; i < COUNT(syntaxes); i++)
        if (has_word(syntaxes[i].name, name)) return syntaxes[i].text;
    return NULL;
}
