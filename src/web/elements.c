/* One rule an element, e:NAME, s:NAME or m:NAME, and one for what is in it, c:..., unless a
 * table says so. */
#include "web/elements.h"

#include <ctype.h>
#include <string.h>

#include <jansson.h>

#include "base/buffer.h"
#include "base/status.h"
#include "web/attributes.h"
#include "web/content.h"

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
                               const pare_web_content *content, pare_buffer *to)
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
    pare_web_content content;
    pare_buffer rule = {0}, expansion = {0};
    if (!name || !is_plain(name)) return PARE_OK;
    if (!interface || !is_plain(interface)) interface = "HTMLElement";
    if (!pare_web_content_find(interface, name, &content)) return PARE_OK;
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
    pare_web_content_add(rules);
}
