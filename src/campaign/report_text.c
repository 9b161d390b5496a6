/* Texts of reports.
 *
 * Trackers limit the size of a body.  A longer body is made again with less of the input and the
 * output, an eighth each time: a user's template may show them anywhere and more than once, so its
 * length is not known before it is made.  If the body is still too long, it is cut.  The mark, by
 * which the issue is found again, is added if the template does not show it, so templates need not
 * know of it. Invariant: the body holds the mark, also when it was cut. */
#include "campaign/report_text.h"

#include <assert.h>
#include <string.h>

#include "campaign/escape.h"
#include "campaign/template_functions.h"
#include "os/file.h"

/* Bytes: of each content in the first attempt and in the last; kept free for
 * the mark. */
enum { FIRST_MOST = 1 << 18, LEAST_MOST = 1 << 6, MARK_ROOM = 128 };

/* Our templates, for users who give none. */
static const char our_title[] = "{{target}}: {{title}}";

/* A tag alone on its line leaves none, and a block ends its line, so the line after it is blank. */
static const char our_markdown[] =
    "{{target}} fails: {{title}}\n"
    "\n"
    "{{#command}}\n"
    "Command:\n"
    "\n"
    "{{fence command}}\n"
    "{{/command}}\n"
    "{{#input}}\n"
    "Input `{{input_name}}` (bytes: {{input_bytes}}{{#is_reduced}}, reduced from "
    "{{bytes}}{{/is_reduced}}){{#is_cut}}, of which this is the beginning{{/is_cut}}:\n"
    "\n"
    "{{fence input}}\n"
    "{{/input}}\n"
    "{{#input_base64}}\n"
    "It holds bytes that cannot be shown; in base64:\n"
    "\n"
    "{{fence input_base64}}\n"
    "{{/input_base64}}\n"
    "{{#explanation}}\n"
    "What of it matters:\n"
    "\n"
    "{{fence explanation}}\n"
    "{{/explanation}}\n"
    "{{#output}}\n"
    "Output:\n"
    "\n"
    "{{fence output}}\n"
    "{{/output}}\n"
    "- Signature: {{signature}}\n"
    "{{#version}}\n"
    "- Version: {{version}}\n"
    "{{/version}}\n"
    "{{#first_bad}}\n"
    "- First bad version: {{first_bad}}\n"
    "{{/first_bad}}\n"
    "{{#runs}}\n"
    "- The input fails in {{fails}} of {{runs}} runs.\n"
    "{{/runs}}\n"
    "{{#count}}\n"
    "- Seen: {{count}}, from {{first_seen}} to {{last_seen}}\n"
    "{{/count}}\n"
    "{{#note}}\n"
    "- Note: {{note}}\n"
    "{{/note}}\n"
    "\n"
    "Found by pare {{pare}}. `{{mark}}`\n";

static const char our_plain[] =
    "{{target}} fails: {{title}}\n"
    "\n"
    "{{#command}}\n"
    "Command:\n"
    "\n"
    "{{text command}}\n"
    "{{/command}}\n"
    "{{#input}}\n"
    "Input {{input_name}} (bytes: {{input_bytes}}{{#is_reduced}}, reduced from "
    "{{bytes}}{{/is_reduced}}){{#is_cut}}, of which this is the beginning{{/is_cut}}:\n"
    "\n"
    "{{text input}}\n"
    "{{/input}}\n"
    "{{#input_base64}}\n"
    "It holds bytes that cannot be shown; in base64:\n"
    "\n"
    "{{text input_base64}}\n"
    "{{/input_base64}}\n"
    "{{#explanation}}\n"
    "What of it matters:\n"
    "\n"
    "{{text explanation}}\n"
    "{{/explanation}}\n"
    "{{#output}}\n"
    "Output:\n"
    "\n"
    "{{text output}}\n"
    "{{/output}}\n"
    "Signature: {{signature}}\n"
    "{{#version}}\n"
    "Version: {{version}}\n"
    "{{/version}}\n"
    "{{#first_bad}}\n"
    "First bad version: {{first_bad}}\n"
    "{{/first_bad}}\n"
    "{{#runs}}\n"
    "The input fails in {{fails}} of {{runs}} runs.\n"
    "{{/runs}}\n"
    "{{#count}}\n"
    "Seen: {{count}}, from {{first_seen}} to {{last_seen}}\n"
    "{{/count}}\n"
    "{{#note}}\n"
    "Note: {{note}}\n"
    "{{/note}}\n"
    "\n"
    "Found by pare {{pare}}. {{mark}}\n";

/* The templates that were read; `functions` is NULL without a script. */
struct templates {
    pare_template *title, *body;
    pare_template_functions *functions;
};

/* Ends them, also where only some could be read. */
static void done(struct templates *templates)
{
    pare_template_free(templates->title);
    pare_template_free(templates->body);
    pare_template_functions_free(templates->functions);
}

/* Whether a user has given this option; those of a section are "" otherwise. */
static bool is_given(const char *text)
{
    return text && text[0];
}

/* Reads templates and script, the user's or ours. Everything is read before
 * anything is made, so a mistake in a template costs no look into the store. */
static pare_status read_templates(const pare_report_text_options *options,
                                  struct templates *templates, pare_error *err)
{
    pare_buffer file = {0};
    bool is_markdown = options->form == PARE_TEMPLATE_MARKDOWN;
    const char *title = is_given(options->title) ? options->title : our_title;
    const char *body = is_markdown ? our_markdown : our_plain, *name = "the template";
    size_t size = strlen(body);
    pare_status status =
        pare_template_new("the title", title, strlen(title), &templates->title, err);
    if (!status && is_given(options->template_path)) {
        name = options->template_path;
        status = pare_file_read(name, &file, err);
        body = file.size ? file.data : "";
        size = file.size;
    }
    if (!status) status = pare_template_new(name, body, size, &templates->body, err);
    if (!status && is_given(options->lua_path)) {
        status = pare_file_read(options->lua_path, &file, err);
        if (!status)
            status = pare_template_functions_new(options->lua_path, file.size ? file.data : "",
                                                 file.size, &templates->functions, err);
    }
    pare_buffer_done(&file);
    return status;
}

/* Makes the title. It is always plain: trackers show it as it is. */
static pare_status make_title(const struct templates *templates, const pare_report_fields *fields,
                              pare_buffer *title, pare_error *err)
{
    pare_buffer made = {0};
    const pare_template_use use = {.form = PARE_TEMPLATE_PLAIN,
                                   .scope = pare_report_fields_scope(fields),
                                   .caller = pare_template_functions_caller(templates->functions)};
    pare_status status = pare_template_write(templates->title, &use, &made, err);
    if (!status)
        status = pare_escape_line(made.size ? made.data : "", made.size, PARE_REPORT_TITLE_BYTES,
                                  title, err);
    pare_buffer_done(&made);
    return status;
}

/* Appends the mark, unless the template has shown it. The blank line keeps it
 * out of a block that the template may have left open. */
static pare_status add_mark(const char *mark, pare_template_form form, pare_buffer *body,
                            pare_error *err)
{
    bool is_markdown = form == PARE_TEMPLATE_MARKDOWN;
    if (body->size && strstr(body->data, mark)) return PARE_OK;
    return pare_buffer_format(body, err, is_markdown ? "\n\n`%s`\n" : "\n\n%s\n", mark);
}

/* Cuts the body to at most `most` bytes, at the beginning of a character. */
static void cut(pare_buffer *body, size_t most)
{
    while (most && ((unsigned char)body->data[most] & 0xc0) == 0x80)
        most--;
    body->size = most;
    body->data[most] = '\0';
}

/* One attempt: makes title and body with at most about->most_bytes of each content. */
static pare_status make_body(const pare_report_about *about, const struct templates *templates,
                             pare_template_form form, pare_report_text *text, pare_error *err)
{
    pare_report_fields fields;
    pare_status status = pare_report_fields_read(about, &fields, err);
    const pare_template_use use = {.form = form,
                                   .scope = pare_report_fields_scope(&fields),
                                   .caller = pare_template_functions_caller(templates->functions)};
    pare_buffer_reset(&text->body);
    pare_buffer_reset(&text->title);
    memcpy(text->mark, fields.mark, sizeof text->mark);
    if (!status) status = make_title(templates, &fields, &text->title, err);
    if (!status) status = pare_template_write(templates->body, &use, &text->body, err);
    pare_report_fields_done(&fields);
    return status;
}

/* Makes the text. Each attempt reads the fields anew, which costs some lookups
 * by key and no test; there are at most five, since each takes an eighth of the
 * last. */
pare_status pare_report_text_make(const pare_report_about *about,
                                  const pare_report_text_options *options, pare_report_text *text,
                                  pare_error *err)
{
    struct templates templates = {0};
    pare_report_about bounded = *about;
    size_t most = options->most_bytes ? options->most_bytes : SIZE_MAX;
    assert(most > 2 * MARK_ROOM);
    most -= MARK_ROOM;
    pare_status status = read_templates(options, &templates, err);
    bounded.most_bytes = most < FIRST_MOST ? most : FIRST_MOST;
    while (!status) {
        status = make_body(&bounded, &templates, options->form, text, err);
        if (status || text->body.size <= most || bounded.most_bytes <= LEAST_MOST) break;
        bounded.most_bytes /= 8;
    }
    if (!status && text->body.size > most) cut(&text->body, most);
    if (!status) status = add_mark(text->mark, options->form, &text->body, err);
    done(&templates);
    return status;
}

/* All-zero afterwards, so it may be done twice. */
void pare_report_text_done(pare_report_text *text)
{
    pare_buffer_done(&text->title);
    pare_buffer_done(&text->body);
    *text = (pare_report_text){0};
}
