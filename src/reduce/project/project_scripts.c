/* Modules of JavaScript and TypeScript in the place where they are imported.
 *
 * A module is a scope, and a function around it would be longer than what a file less saves; so
 * its exports become variables of the place: "exports.a = .." is "var a = ..", or, where the place
 * calls the module by one name, that object's member; "export" goes.  What a module assigns to
 * "module.exports" is that variable, or, where members are taken out of it by their names, is left
 * out: it mostly lists what is declared already.  Paths are written as seen from the new place.
 * Names may clash, and the test says so.
 * Source: ours; bundlers that hoist scopes (Rollup) rename what clashes, which reduction need not. */
#include "base/buffer.h"
#include "reduce/project/project.h"

#include <assert.h>
#include <string.h>

/* A module that is moved into the place where it is imported. */
struct mover {
    const pare_project *project;
    const pare_mention *mention;
    const char *text; /* of all files */
    size_t end;       /* of the module */
    pare_buffer *out;
    pare_error *err;
    bool named; /* the place has one name for the module */
};

/* Of identifiers, as far as these matter here: ASCII. */
static bool is_name_byte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '$';
}

/* Whether `word`, and no longer name, stands at `at` of the module. */
static bool is_word(const struct mover *mover, size_t at, const char *word)
{
    size_t size = strlen(word), begin = mover->project->files[mover->mention->to].content.from;
    if (mover->end - at < size || memcmp(mover->text + at, word, size) != 0) return false;
    if (at > begin && (is_name_byte(mover->text[at - 1]) || mover->text[at - 1] == '.'))
        return false;
    return at + size == mover->end || !is_name_byte(mover->text[at + size]);
}

/* Appends bytes of the module as they are. */
static pare_status add(struct mover *mover, size_t from, size_t to)
{
    return pare_buffer_add(mover->out, mover->text + from, to - from, mover->err);
}

/* Appends what the place calls the module. */
static pare_status add_name(struct mover *mover)
{
    return add(mover, mover->mention->names.from, mover->mention->names.to);
}

/* Whether the module exports more than one value that it assigns to module.exports. */
static bool has_members(const struct mover *mover)
{
    size_t n_members = 0, n_values = 0;
    for (size_t at = mover->project->files[mover->mention->to].content.from; at < mover->end;
         at++) {
        n_members += is_word(mover, at, "exports") ? 1 : 0;
        n_values += is_word(mover, at, "module.exports") ? 1 : 0;
    }
    return n_members || n_values != 1;
}

/* The path of the file as seen from the file with the mention. */
static pare_status add_path(struct mover *mover, uint32_t to)
{
    const pare_project_file *here = &mover->project->files[mover->mention->from];
    const char *path = mover->project->files[to].path;
    size_t common = 0, ups = 0;
    for (size_t i = 0; i < here->folder_size && path[i] == here->path[i]; i++)
        if (path[i] == '/') common = i + 1;
    for (size_t i = common; i < here->folder_size; i++)
        ups += here->path[i] == '/';
    pare_status status = ups ? PARE_OK : pare_buffer_text(mover->out, "./", mover->err);
    for (size_t i = 0; !status && i < ups; i++)
        status = pare_buffer_text(mover->out, "../", mover->err);
    return status ? status : pare_buffer_text(mover->out, path + common, mover->err);
}

/* The mention of another file whose word is at `at`; NULL: there is none.  O(mentions) for each string of the
 * module. */
static const pare_mention *path_at(const struct mover *mover, size_t at)
{
    const pare_project *project = mover->project;
    for (size_t i = 0; i < project->n_mentions; i++) {
        const pare_mention *mention = &project->mentions[i];
        if (mention->from == mover->mention->to && mention->script && mention->word.from == at)
            return mention;
    }
    return NULL;
}

/* "module.exports" at `at`, the module's value: the place's name for it; without one the rest of the line
 * goes.  *at moves after what was read. */
static pare_status put_value(struct mover *mover, size_t *at, bool members)
{
    *at += strlen("module.exports");
    if (mover->named) {
        pare_status status = members ? PARE_OK : pare_buffer_text(mover->out, "var ", mover->err);
        return status ? status : add_name(mover);
    }
    const char *line = memchr(mover->text + *at, '\n', mover->end - *at);
    *at = line ? (size_t)(line - mover->text) : mover->end;
    return PARE_OK;
}

/* "exports" at `at`: the name of the place, whose member is then assigned; without one the member becomes a
 * variable of its own. */
static pare_status put_member(struct mover *mover, size_t *at)
{
    *at += strlen("exports");
    if (mover->named) return add_name(mover);
    if (*at < mover->end && mover->text[*at] == '.') ++*at;
    return pare_buffer_text(mover->out, "var ", mover->err);
}

/* "export", and "default" with the name that the place has for it. */
static pare_status put_export(struct mover *mover, size_t *at)
{
    *at += strlen("export");
    while (*at < mover->end && mover->text[*at] == ' ')
        ++*at;
    if (!is_word(mover, *at, "default")) return PARE_OK;
    *at += strlen("default");
    if (!mover->named) return PARE_OK;
    pare_status status = pare_buffer_text(mover->out, "var ", mover->err);
    if (!status) status = add_name(mover);
    return status ? status : pare_buffer_text(mover->out, "=", mover->err);
}

/* One word, string or byte of the module. */
static pare_status put_next(struct mover *mover, size_t *at, bool members)
{
    char byte = mover->text[*at];
    if (is_word(mover, *at, "module.exports")) return put_value(mover, at, members);
    if (is_word(mover, *at, "exports")) return put_member(mover, at);
    if (is_word(mover, *at, "export")) return put_export(mover, at);
    const pare_mention *path = byte == '"' || byte == '\'' ? path_at(mover, *at + 1) : NULL;
    pare_status status = add(mover, *at, *at + 1);
    ++*at;
    if (status || !path) return status;
    *at = path->word.to;
    return add_path(mover, path->to);
}

/* From left to right, word by word; strings and comments are not told apart, and the test says
 * so. */
pare_status pare_project_scripts_put(const pare_project *project, const pare_mention *mention,
                                     pare_buffer *out, pare_error *err)
{
    const pare_project_file *file = &project->files[mention->to];
    struct mover mover = {.project = project,
                          .mention = mention,
                          .text = (const char *)project->bytes,
                          .end = file->content.to,
                          .out = out,
                          .err = err};
    assert(mention->script && mention->place.from < mention->place.to);
    mover.named =
        mention->names.from < mention->names.to && is_name_byte(mover.text[mention->names.from]);
    bool members = has_members(&mover);
    bool object = mover.named && members &&
                  memmem(mover.text + file->content.from, file->content.to - file->content.from,
                         "exports", strlen("exports"));
    pare_status status = object ? pare_buffer_text(out, "var ", err) : PARE_OK;
    if (!status && object) status = add_name(&mover);
    if (!status && object) status = pare_buffer_text(out, "={};", err);
    for (size_t at = file->content.from; !status && at < mover.end;)
        status = put_next(&mover, &at, members);
    return status;
}
