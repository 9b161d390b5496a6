/* Each package is unpacked, moved to a folder of its own in "work", and read there. */
#include "lang/install_model.h"

#include <string.h>

#include <jansson.h>

#include "base/buffer.h"
#include "base/status.h"
#include "lang/fetch.h"
#include "lang/language.h"
#include "os/file.h"
#include "web/model.h"

enum { MAX_PINS = 3 };

struct making {
    const pare_fetch *fetch;
    const pare_pack *pack;
    pare_buffer folders[MAX_PINS];                   /* owned, as all below */
    pare_buffer licences, licence, grammar, weights; /* `licence`: of all, if it is one */
    pare_error *err;
};

/* Names of folders in "work". */
static const char *const names[MAX_PINS] = {"css", "elements", "idl"};

static pare_status fail_licence(const struct making *self, const pare_fetch_pin *pin)
{
    return pare_fail(self->err, PARE_E_CORRUPT, "the package.json of %s names no licence",
                     pin->package);
}

/* Notes which licence a package's package.json names. */
static pare_status note_licence(struct making *self, const pare_fetch_pin *pin, const char *folder)
{
    pare_buffer path = {0}, text = {0};
    pare_status status = pare_buffer_format(&path, self->err, "%s/package.json", folder);
    if (status == PARE_OK) status = pare_file_read(path.data, &text, self->err);
    json_t *root =
        status == PARE_OK && text.size ? json_loadb(text.data, text.size, 0, NULL) : NULL;
    const char *licence = json_string_value(json_object_get(root, "license"));
    if (status == PARE_OK &&
        (!licence || !*licence || strcspn(licence, "\"\\\n") < strlen(licence)))
        status = fail_licence(self, pin);
    if (status == PARE_OK)
        status = pare_buffer_format(&self->licences, self->err,
                                    "%s %s: %s, as its package.json says; it has no licence file\n",
                                    pin->package, pin->version, licence);
    bool other = status == PARE_OK && (!self->licence.data || !strstr(self->licence.data, licence));
    if (other)
        status = pare_buffer_format(&self->licence, self->err, "%s%s",
                                    self->licence.size ? ", " : "", licence);
    json_decref(root);
    pare_buffer_done(&text);
    pare_buffer_done(&path);
    return status;
}

static pare_status get_packages(struct making *self)
{
    pare_status status = PARE_OK;
    for (size_t i = 0; status == PARE_OK && self->pack->pins[i].package; i++) {
        const pare_fetch_pin *pin = &self->pack->pins[i];
        pare_buffer to = {0};
        status = pare_fetch_package(self->fetch, pin, self->err);
        if (status == PARE_OK)
            status = pare_buffer_format(&to, self->err, "%s/%s", PARE_FETCH_WORK, names[i]);
        if (status == PARE_OK) status = pare_fetch_keep(self->fetch, "package", to.data, self->err);
        if (status == PARE_OK)
            status = pare_buffer_format(&self->folders[i], self->err, "%s/%s",
                                        self->fetch->work.data, names[i]);
        if (status == PARE_OK) status = note_licence(self, pin, self->folders[i].data);
        pare_buffer_done(&to);
    }
    return status;
}

static pare_status write_record(struct making *self)
{
    const pare_pack *pack = self->pack;
    pare_buffer text = {0};
    pare_status status = pare_buffer_format(
        &text, self->err,
        "{\n  \"name\": \"%s\",\n  \"package\": \"%s\",\n  \"version\": \"%s\",\n"
        "  \"licence\": \"%s\",\n  \"abi\": %d\n}\n",
        pack->info.name, pack->info.package, pack->info.version, self->licence.data,
        PARE_WEB_MODEL_VERSION);
    if (status == PARE_OK)
        status = pare_fetch_write(self->fetch, PARE_LANGUAGE_RECORD, &text, self->err);
    pare_buffer_done(&text);
    return status;
}

static pare_status make(struct making *self)
{
    pare_status status =
        pare_web_model_make(self->folders[0].data, self->folders[1].data, self->folders[2].data,
                            &self->grammar, &self->weights, self->err);
    if (status == PARE_OK)
        status = pare_fetch_write(self->fetch, PARE_LANGUAGE_GRAMMAR, &self->grammar, self->err);
    if (status == PARE_OK)
        status = pare_fetch_write(self->fetch, PARE_LANGUAGE_WEIGHTS, &self->weights, self->err);
    if (status == PARE_OK)
        status = pare_fetch_write(self->fetch, "LICENSE", &self->licences, self->err);
    return status == PARE_OK ? write_record(self) : status;
}

pare_status pare_install_model(const pare_fetch *fetch, const pare_pack *pack, pare_error *err)
{
    struct making self = {.fetch = fetch, .pack = pack, .err = err};
    pare_status status = get_packages(&self);
    if (status == PARE_OK) status = make(&self);
    for (size_t i = 0; i < MAX_PINS; i++)
        pare_buffer_done(&self.folders[i]);
    pare_buffer_done(&self.licences);
    pare_buffer_done(&self.licence);
    pare_buffer_done(&self.grammar);
    pare_buffer_done(&self.weights);
    return status;
}
