/* The frame of pages that are written by themselves, and their smallest parts.
 *
 * Invariant: every text from outside goes through pare_html_bytes, and no element has a style
 * attribute, which the policy forbids.  The digests are those of the bytes between the tags, so
 * style and script are written exactly as they are hashed (CSP level 3, section 2.3.1). */
#include "ui/frame.h"

#include <string.h>

#include "base/sha512.h"
#include "ui/format.h"

enum {
    TEXT_BYTES = 1000,   /* of a name or a signature that is shown */
    TITLE_BYTES = 300,   /* of a title */
    COMMAND_BYTES = 8000 /* of a command */
};

/* ---- the frame ----------------------------------------------------------------------- */

/* The style sheet of all pages, then the rules of this one.  Twice in a page: once to
 * be hashed for the policy, once to be there; both times the same bytes. */
static void add_rules(pare_html *html, const pare_frame *frame)
{
    pare_html_raw(html, pare_frame_style);
    for (size_t i = 0; frame->rules && frame->rules[i]; i++)
        pare_html_raw(html, frame->rules[i]);
}

/* Marks for readers of XML, to whom a script is text like any other. */
static const char script_begin[] = "/*<![CDATA[*/\n", script_end[] = "/*]]>*/";

static void add_script(pare_html *html, const pare_frame *frame)
{
    pare_html_raw(html, script_begin);
    pare_html_raw(html, frame->script);
    pare_html_raw(html, script_end);
}

/* Writes the digest of `between`, as a policy has it, and frees `between`.  Where
 * memory has run out in it, the page takes over that failure: a digest of half of a
 * style would forbid all of it. */
static void take_digest(pare_html *html, pare_html *between, char text[static PARE_INTEGRITY_BYTES])
{
    if (between->status) html->status = between->status;
    pare_sha512_integrity(between->bytes.size ? between->bytes.data : "", between->bytes.size,
                          text);
    pare_html_done(between);
}

/* The policy holds for what follows it, so it is the first thing in the head that has
 * any effect. */
static void add_policy(pare_html *html, const pare_frame *frame)
{
    char script[PARE_INTEGRITY_BYTES] = "none", style[PARE_INTEGRITY_BYTES];
    pare_html between = {.status = PARE_OK};
    add_rules(&between, frame);
    take_digest(html, &between, style);
    if (frame->script) {
        add_script(&between, frame);
        take_digest(html, &between, script);
    }
    pare_html_format(html,
                     "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                     "script-src '%s'; style-src '%s'; base-uri 'none'; form-action 'none'\"/>\n",
                     script, style);
}

/* The same frame has to be given to pare_frame_end: the policy is about its script,
 * too. */
void pare_frame_begin(pare_html *html, const pare_frame *frame)
{
    char title[TITLE_BYTES];
    pare_html_raw(html, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n");
    add_policy(html, frame);
    pare_html_raw(html, "<title>");
    /* Escapes of pare_html_bytes are elements, which a title cannot have. */
    pare_html_text(html, pare_format_name(title, sizeof title, frame->title));
    pare_html_raw(html, "</title>\n<meta name=\"viewport\" content=\"width=device-width, "
                        "initial-scale=1\"/>\n"
                        "<meta name=\"color-scheme\" content=\"light dark\"/>\n<style>");
    add_rules(html, frame);
    pare_html_raw(html, "</style>\n</head>\n<body>\n");
}

void pare_frame_end(pare_html *html, const pare_frame *frame)
{
    if (frame->script) {
        pare_html_raw(html, "<script>");
        add_script(html, frame);
        pare_html_raw(html, "</script>\n");
    }
    pare_html_raw(html, "</body>\n</html>\n");
}

/* ---- parts --------------------------------------------------------------------------- */

void pare_frame_begin_section(pare_html *html, const char *id, const char *title,
                              pare_frame_extent extent)
{
    pare_html_format(html, "<section%s aria-labelledby=\"%s\">\n<h2 id=\"%s\">%s</h2>\n",
                     extent == PARE_FRAME_LONG ? " class=\"long\"" : "", id, id, title);
}

void pare_frame_end_section(pare_html *html)
{
    pare_html_raw(html, "</section>\n");
}

/* Bytes, not characters: pare_html_bytes shows a cut character as an escape. */
static void add_start(pare_html *html, const char *text, size_t most)
{
    /* One byte more than is shown is looked at: it says whether anything is left out. */
    size_t size = strnlen(text, most + 1);
    pare_html_bytes(html, text, size <= most ? size : most);
    /* An ellipsis, so that nobody takes the part for the whole. */
    if (size > most) pare_html_raw(html, " &#8230;");
}

void pare_frame_add_text(pare_html *html, const char *text)
{
    add_start(html, text, TEXT_BYTES);
}

void pare_frame_add_code(pare_html *html, const char *text)
{
    pare_html_raw(html, "<code>");
    add_start(html, text, TEXT_BYTES);
    pare_html_raw(html, "</code>");
}

void pare_frame_begin_fact(pare_html *html, const char *name)
{
    pare_html_format(html, "<div><dt>%s</dt><dd>", name);
}

void pare_frame_end_fact(pare_html *html)
{
    pare_html_raw(html, "</dd></div>\n");
}

void pare_frame_add_fact(pare_html *html, const char *name, const char *value)
{
    pare_frame_begin_fact(html, name);
    pare_frame_add_text(html, value);
    pare_frame_end_fact(html);
}

/* In a box of its own, so that it can be marked and copied whole without the script as well. */
void pare_frame_add_command(pare_html *html, const char *what, const char *command)
{
    if (!command) return;
    const size_t size = strnlen(command, COMMAND_BYTES + 1);
    if (what) pare_html_format(html, "<h3>%s</h3>\n", what);
    pare_html_raw(html, "<pre class=\"cmd\" data-copy=\"\">");
    pare_html_lines(html, command, size <= COMMAND_BYTES ? size : COMMAND_BYTES);
    if (size > COMMAND_BYTES) pare_html_raw(html, " &#8230;");
    pare_html_raw(html, "</pre>\n");
}

/* A bar of no width would still be an element, and take a line of its own on small screens. */
void pare_frame_add_bar(pare_html *html, double share)
{
    if (!(share > 0)) return;
    pare_html_format(html,
                     "<svg class=\"bar\" aria-hidden=\"true\"><rect width=\"%.1f%%\" "
                     "height=\"100%%\" rx=\"3\"/></svg>",
                     100 * (share < 1 ? share : 1));
}

void pare_frame_begin_fold(pare_html *html, const char *summary)
{
    pare_html_format(html, "<details>\n<summary>%s</summary>\n", summary);
}

void pare_frame_end_fold(pare_html *html)
{
    pare_html_raw(html, "</details>\n");
}

/* Below, sizes are exact anyway; above, nobody compares single bytes. */
const char *pare_frame_size(char text[static PARE_FORMAT_BYTES], size_t bytes)
{
    char count[PARE_FORMAT_BYTES];
    if (bytes < 1000 || bytes > 99999) return pare_format_size(text, bytes);
    (void)snprintf(text, PARE_FORMAT_BYTES, "%.20s bytes", pare_format_count(count, bytes));
    return text;
}
