/* The packages' files in the order of their names, so that the same packages make the same
 * model. */
#include "web_model/model.h"

#include <string.h>

#include "base/fail.h"
#include "os/entries.h"
#include "web_model/attributes.h"
#include "web_model/css.h"
#include "web_model/elements.h"
#include "web_model/idl.h"
#include "web_model/rules.h"

static const char *const roots[] = {"html",         "svg",         "math",     "css",
                                    "declarations", "declaration", "selector", NULL};

/* What is made of, and into. */
struct model {
    pare_web_rules rules;
    pare_idl idl;
    pare_error *err;
};

typedef pare_status (*taker)(struct model *model, const char *path, const char *text, size_t size);

static bool ends_in(const char *path, const char *end)
{
    size_t size = strlen(path), length = strlen(end);
    return size > length && strcmp(path + size - length, end) == 0;
}

/* Gives `take` each file at the top of a folder whose name ends in `end`. */
static pare_status take_files(struct model *model, const char *folder, const char *end, taker take)
{
    pare_entries entries = {.n = 0};
    pare_buffer text = {0};
    size_t n = 0;
    pare_status status = pare_entries_scan(&entries, &folder, NULL, 1, model->err);
    for (uint32_t i = 0; !status && i < entries.n; i++) {
        const pare_entry *entry = &entries.items[i];
        if (entry->kind != PARE_ENTRY_FILE || entry->depth != 2 || !ends_in(entry->path, end))
            continue;
        if (ends_in(entry->path, "/package.json")) continue;
        pare_buffer_reset(&text);
        status = pare_entries_read(&entries, &folder, i, &text, model->err);
        if (!status) status = take(model, entry->path, text.size ? text.data : "", text.size);
        n++;
    }
    if (!status && !n)
        status =
            pare_fail(model->err, PARE_E_CORRUPT, "the package has no file that ends in %s", end);
    pare_buffer_done(&text);
    pare_entries_done(&entries);
    return status;
}

static pare_status take_idl(struct model *model, const char *path, const char *text, size_t size)
{
    return pare_idl_read(&model->idl, path, text, size, model->err);
}

static pare_status take_elements(struct model *model, const char *path, const char *text,
                                 size_t size)
{
    return pare_web_elements_add(&model->rules, &model->idl, path, text, size, model->err);
}

static pare_status take_css(struct model *model, const char *path, const char *text, size_t size)
{
    pare_web_css made;
    return pare_web_css_add(&model->rules, path, text, size, &made, model->err);
}

pare_status pare_web_model_make(const char *css, const char *elements, const char *idl,
                                pare_buffer *grammar, pare_buffer *weights, pare_error *err)
{
    struct model model = {.err = err};
    pare_status status = take_files(&model, idl, ".idl", take_idl);
    if (!status) status = pare_web_attributes_decide(&model.idl, err);
    if (!status) status = take_files(&model, css, ".json", take_css);
    if (!status) status = take_files(&model, elements, ".json", take_elements);
    if (!status) pare_web_documents_add(&model.rules);
    if (!status) status = pare_web_rules_finish(&model.rules, roots, grammar, weights, err);
    pare_web_rules_done(&model.rules);
    pare_idl_done(&model.idl);
    return status;
}
