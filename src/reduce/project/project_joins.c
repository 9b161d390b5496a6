/* Several files as one: sources of C and C++ joined, and files put where they are mentioned.
 *
 * A group of sources becomes one: first all of a language, then pairs with the one that has
 * `main`, which stands last.  Headers that only they include are put where they are first
 * included, and later includes of them are left out, as a guard would have it.  Of the others
 * build files lose the mentions; or, where the number of words counts (a linker that is given a
 * thing twice), the mentions name the one that stays.
 * A file that is mentioned once can stand there in other languages, too: a module of Rust in
 * braces, a module of Python whose names are imported, a part of a Makefile or of a script.
 * Texts move, so what is gained is the frame, the mention, and that one file is reduced as a whole.
 * Source: C-Vise's pass that inlines headers which are included in one place. */
#include "reduce/project/project_passes.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "base/halving.h"
#include "reduce/project/project.h"
#include "reduce/project/project_edits.h"
#include "text/patch.h"

enum {
    MOST_PAIRS = 16,       /* of sources that are tried with the one that stays */
    MOST_DEPTH = 32,       /* of includes in each other */
    MOST_JOINED = 16 << 20 /* bytes of a file that is made */
};

/* What becomes of a file: nothing; it is one of the sources that become one; it is put where one of these
 * includes it. */
enum fate { STAYS, JOINS, EXPANDED };

/* One join in the making. */
struct joiner {
    const pare_project *project;
    pare_patches *out;
    pare_error *err;
    pare_project_edits edits;
    unsigned char *fate; /* owned; by file */
    unsigned char *seen; /* owned; by file: it was included already */
};

/* One block for both marks of each file. */
static pare_status joiner_open(struct joiner *joiner, const pare_project *project,
                               pare_patches *out, pare_error *err)
{
    *joiner = (struct joiner){.project = project, .out = out, .err = err};
    joiner->fate = pare_alloc_zero(project->n_files, 2);
    if (!joiner->fate) return pare_fail_nomem(err);
    joiner->seen = joiner->fate + project->n_files;
    return PARE_OK;
}

/* An all-zero one may be closed, too. */
static void joiner_close(struct joiner *joiner)
{
    pare_project_edits_done(&joiner->edits);
    pare_alloc_free(joiner->fate);
}

/* An empty range is none, wherever it stands. */
static bool is_empty(pare_project_range range)
{
    return range.from == range.to;
}

/* The mentions of a file: from the one returned up to *end.  O(log(mentions) + its own). */
static size_t mentions_of(const pare_project *project, uint32_t file, size_t *end)
{
    pare_halving search = {.low = 0, .high = project->n_mentions};
    while (pare_halving_next(&search))
        pare_halving_tell(&search, project->mentions[search.middle].from < file);
    /* Mentions are sorted by the file that they stand in. */
    for (*end = search.low; *end < project->n_mentions && project->mentions[*end].from == file;)
        (*end)++;
    return search.low;
}

/* --- sources ---------------------------------------------------------------------------------- */

/* Whether the file is of `language`, and a source, not a header.  One that neither mentions a file
 * nor is mentioned by one is no part of a program that could be one file. */
static bool is_source(const pare_project *project, uint32_t index, const char *language)
{
    const pare_project_file *file = &project->files[index];
    const char *dot = strrchr(file->path + file->folder_size, '.');
    size_t end;
    bool mentioned = project->first_of[index] < project->first_of[index + 1];
    if (!mentioned && mentions_of(project, index, &end) == end) return false;
    /* Neither what has to stay as it is nor a link has a text that could be put elsewhere. */
    if (file->fixed || file->target || !file->language || !dot) return false;
    return strcmp(file->language, language) == 0 && dot[1] != 'h' && dot[1] != 'H';
}

/* Whether "main" stands in it, followed by a parenthesis.  The longer domain() counts too: the choice only
 * decides which name stays. */
static bool has_main(const pare_project *project, const pare_project_file *file)
{
    static const char word[] = "main";
    const unsigned char *at = project->bytes + file->content.from;
    /* Neither comments nor strings are told apart here. */
    const unsigned char *end = project->bytes + file->content.to;
    while ((at = memmem(at, (size_t)(end - at), word, strlen(word)))) {
        at += strlen(word);
        const unsigned char *after = at;
        while (after < end && *after == ' ')
            after++;
        if (after < end && *after == '(') return true;
    }
    return false;
}

/* The source that the others join: the first with main, else the first. */
static uint32_t choose_stay(const pare_project *project, const char *language)
{
    uint32_t first = PARE_NO_FILE;
    for (uint32_t i = 0; i < project->n_files; i++) {
        if (!is_source(project, i, language)) continue;
        if (has_main(project, &project->files[i])) return i;
        if (first == PARE_NO_FILE) first = i;
    }
    return first;
}

/* Marks what is expanded: files that those of the join include, and nobody else mentions in his
 * code. */
static void mark_expanded(struct joiner *joiner)
{
    const pare_project *project = joiner->project;
    for (size_t i = 0; i < project->n_mentions; i++) {
        const pare_mention *mention = &project->mentions[i];
        unsigned char *fate = &joiner->fate[mention->to];
        /* It has to have a place where its text can stand as it is: a mention that would need
         * braces around the text, or a script's own way of inclusion, is none of C. */
        bool fits = !is_empty(mention->place) && !mention->script && mention->open[0] == '\0' &&
                    !project->files[mention->to].fixed && !project->files[mention->to].target;
        if (*fate == STAYS && mention->kind == PARE_MENTION_NEED && fits) *fate = EXPANDED;
    }
    /* Until nothing changes: who is mentioned from outside stays, and takes others along. */
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < project->n_mentions; i++) {
            const pare_mention *mention = &project->mentions[i];
            if (mention->kind != PARE_MENTION_NEED || joiner->fate[mention->to] != EXPANDED)
                continue;
            /* Who mentions it is a part of the join, and says where it would stand. */
            if (joiner->fate[mention->from] != STAYS && !is_empty(mention->place)) continue;
            joiner->fate[mention->to] = STAYS;
            changed = true;
        }
    }
}

/* Copies bytes, but "#pragma once", which means nothing in a source. */
static pare_status copy(struct joiner *joiner, size_t from, size_t to)
{
    static const char once[] = "#pragma once";
    const char *bytes = (const char *)joiner->project->bytes;
    pare_buffer *buffer = &joiner->edits.literals;
    const char *found = from < to ? memmem(bytes + from, to - from, once, strlen(once)) : NULL;
    if (found) {
        pare_status status =
            pare_buffer_add(buffer, bytes + from, (size_t)(found - bytes) - from, joiner->err);
        if (status) return status;
        from = (size_t)(found - bytes) + strlen(once);
    }
    if (buffer->size > MOST_JOINED) return PARE_OK; /* too large: given up by who asked */
    return pare_buffer_add(buffer, bytes + from, to - from, joiner->err);
}

/* A file that is being copied, and how far. */
struct copying {
    uint32_t file;
    size_t at, mention, end;
};

/* Appends the text of `file` with what it includes in place.  An include of what was put already, or of a
 * file that stays and was included before, is left out, as an include guard would have it.  By a stack of its
 * own: includes may be nested as deep as somebody likes.  *whole becomes false, and the join is given up,
 * where they are deeper than MOST_DEPTH. */
static pare_status expand(struct joiner *joiner, uint32_t file, bool *whole)
{
    const pare_project *project = joiner->project;
    struct copying stack[MOST_DEPTH];
    size_t depth = 0;
    pare_status status = PARE_OK;
    /* The bottom of the stack is the source itself. */
    stack[depth++] = (struct copying){.file = file, .at = project->files[file].content.from};
    stack[0].mention = mentions_of(project, file, &stack[0].end);
    while (!status && depth) {
        struct copying *top = &stack[depth - 1];
        if (top->mention == top->end) {
            status = copy(joiner, top->at, project->files[top->file].content.to);
            depth--;
            continue;
        }
        const pare_mention *mention = &project->mentions[top->mention++];
        uint32_t to = mention->to;
        /* A mention without a place, or one inside of what was replaced before, changes nothing
         * in the text. */
        bool placed = !is_empty(mention->place) && mention->place.from >= top->at;
        bool again = joiner->seen[to] && joiner->fate[to] == STAYS;
        if (!placed || (joiner->fate[to] != EXPANDED && !again)) {
            joiner->seen[to] = joiner->seen[to] || placed;
            continue;
        }
        /* The text up to the include is taken over, and the include itself left out. */
        status = copy(joiner, top->at, mention->place.from);
        top->at = mention->place.to;
        if (joiner->seen[to]) continue;
        joiner->seen[to] = 1;
        if (depth == MOST_DEPTH) {
            *whole = false;
            return status;
        }
        stack[depth] = (struct copying){.file = to, .at = project->files[to].content.from};
        stack[depth].mention = mentions_of(project, to, &stack[depth].end);
        depth++;
    }
    return status;
}

/* Makes the mention of a file that goes name the one that stays: "build/b.o" becomes "build/a.o", with its
 * folder and, for an object, its own suffix. */
static pare_status rename_mention(struct joiner *joiner, const pare_mention *mention, uint32_t stay)
{
    const pare_project *project = joiner->project;
    const char *text = (const char *)project->bytes;
    const char *name = project->files[stay].path + project->files[stay].folder_size;
    const char *suffix = strrchr(name, '.');
    const char *own = project->files[mention->to].path + project->files[mention->to].folder_size;
    const char *own_suffix = strrchr(own, '.');
    pare_project_range word = mention->word;
    size_t dot = word.to, begin, at = joiner->edits.literals.size;
    if (!suffix || !own_suffix) return PARE_OK;
    /* The suffix of the word, if it has one, and where the name begins after its folders. */
    while (dot > word.from && text[dot - 1] != '.')
        dot--;
    dot = dot > word.from ? dot - 1 : word.to;
    for (begin = dot; begin > word.from && text[begin - 1] != '/';)
        begin--;
    /* A word that has the suffix of the source names the source; any other names something made
     * of it. */
    bool source =
        word.to - dot == strlen(own_suffix) && memcmp(text + dot, own_suffix, word.to - dot) == 0;
    pare_buffer *buffer = &joiner->edits.literals;
    pare_status status = pare_buffer_add(buffer, name, (size_t)(suffix - name), joiner->err);
    if (!status && source) status = pare_buffer_text(buffer, suffix, joiner->err);
    if (status) return status;
    return pare_project_edits_add(
        &joiner->edits, (pare_project_range){begin, source ? word.to : dot}, at, joiner->err);
}

/* Files that go are removed; what lists them loses them, or names the one that stays. */
static pare_status remove_rest(struct joiner *joiner, uint32_t stay, bool rename)
{
    const pare_project *project = joiner->project;
    pare_status status = PARE_OK;
    for (uint32_t i = 0; !status && i < project->n_files; i++)
        if (i != stay && joiner->fate[i] != STAYS)
            status = pare_project_edits_remove(&joiner->edits, &project->files[i], joiner->err);
    for (size_t i = 0; !status && i < project->n_mentions; i++) {
        const pare_mention *mention = &project->mentions[i];
        bool gone = mention->to != stay && joiner->fate[mention->to] != STAYS;
        if (!gone || joiner->fate[mention->from] != STAYS) continue;
        /* A rule goes whole; a word in a list gets the other name. */
        bool word =
            mention->cut.to - mention->cut.from <= 2 * (mention->word.to - mention->word.from) + 2;
        if (rename && joiner->fate[mention->to] == JOINS && word)
            status = rename_mention(joiner, mention, stay);
        else
            status = pare_project_edits_cut(&joiner->edits, mention->cut, joiner->err);
    }
    return status;
}

/* How the sources of a join become one: their texts are joined; or the others just go, and what lists them
 * lists the one that stays once more, for rules that want a number of words. */
enum how { APPEND, REPLACE };

/* Offers the join of the files whose fate is JOINS to `stay`, one of them. */
static pare_status offer_join(struct joiner *joiner, uint32_t stay, enum how how)
{
    const pare_project *project = joiner->project;
    pare_status status = PARE_OK;
    bool whole = true;
    /* Literals of all edits lie one after another; this one begins at `at`. */
    size_t at;
    pare_project_edits_reset(&joiner->edits);
    memset(joiner->seen, 0, project->n_files);
    if (how != REPLACE) mark_expanded(joiner);
    at = joiner->edits.literals.size;
    for (uint32_t i = 0; !status && how == APPEND && i < project->n_files; i++) {
        /* The one with main stands last, so that what it uses is declared before. */
        if (i == stay || joiner->fate[i] != JOINS) continue;
        status = expand(joiner, i, &whole);
        if (!status) status = pare_buffer_text(&joiner->edits.literals, "\n", joiner->err);
    }
    if (!status && how == APPEND) status = expand(joiner, stay, &whole);
    if (status || !whole || joiner->edits.literals.size > MOST_JOINED) return status;
    if (how == APPEND)
        status =
            pare_project_edits_add(&joiner->edits, project->files[stay].content, at, joiner->err);
    if (!status) status = remove_rest(joiner, stay, how != APPEND);
    return status ? status : pare_project_edits_end(&joiner->edits, joiner->out, joiner->err);
}

/* All sources of a language at once, and then one by one with the one that stays. */
static pare_status join_sources(struct joiner *joiner, const char *language)
{
    const pare_project *project = joiner->project;
    uint32_t stay = choose_stay(project, language);
    unsigned n_pairs = 0;
    if (stay == PARE_NO_FILE) return PARE_OK;
    memset(joiner->fate, STAYS, project->n_files);
    for (uint32_t i = 0; i < project->n_files; i++)
        if (is_source(project, i, language)) joiner->fate[i] = JOINS;
    pare_status status = offer_join(joiner, stay, APPEND);
    for (uint32_t i = 0; !status && i < project->n_files && n_pairs < MOST_PAIRS; i++) {
        if (i == stay || !is_source(project, i, language)) continue;
        n_pairs++;
        for (enum how how = APPEND; !status && how <= REPLACE; how++) {
            memset(joiner->fate, STAYS, project->n_files);
            joiner->fate[i] = joiner->fate[stay] = JOINS;
            status = offer_join(joiner, stay, how);
        }
    }
    return status;
}

/* Languages by themselves: a source of C++ is not put into one of C. */
pare_status pare_project_joins_offer(const pare_project *project, pare_patches *out,
                                     pare_error *err)
{
    struct joiner joiner;
    pare_status status = joiner_open(&joiner, project, out, err);
    if (status) return status;
    status = join_sources(&joiner, "c");
    if (!status) status = join_sources(&joiner, "cpp");
    joiner_close(&joiner);
    return status;
}

/* --- files in their places ------------------------------------------------------------------ */

/* Whether one mention needs the file, and no more.  Stops at the second: a header of all files is asked
 * about by all of them. */
static bool is_needed_once(const pare_project *project, uint32_t file)
{
    size_t n = 0;
    for (uint32_t i = project->first_of[file]; i < project->first_of[file + 1] && n < 2; i++)
        n += project->mentions[project->mentioned[i]].kind == PARE_MENTION_NEED;
    return n == 1;
}

/* Whether the file of the mention is needed nowhere else, and none is to be put into it first. */
static bool is_only(const pare_project *project, const pare_mention *mention)
{
    if (!is_needed_once(project, mention->to)) return false;
    size_t end, first = mentions_of(project, mention->to, &end);
    for (size_t i = first; i < end; i++) {
        const pare_mention *inner = &project->mentions[i];
        if (!is_empty(inner->place) && is_needed_once(project, inner->to)) return false;
    }
    return true;
}

/* Offers the file's text in the place of its mention; all other mentions of it are build files' and are
 * cut. */
static pare_status put(struct joiner *joiner, const pare_mention *mention)
{
    const pare_project *project = joiner->project;
    const pare_project_file *file = &project->files[mention->to];
    pare_buffer *buffer = &joiner->edits.literals;
    pare_project_edits_reset(&joiner->edits);
    pare_status status = PARE_OK;
    if (mention->script) {
        status = pare_project_scripts_put(project, mention, buffer, joiner->err);
    } else {
        status = pare_buffer_text(buffer, mention->open, joiner->err);
        if (!status) status = copy(joiner, file->content.from, file->content.to);
        if (!status) status = pare_buffer_text(buffer, mention->close, joiner->err);
    }
    if (status || buffer->size > MOST_JOINED) return status;
    status = pare_project_edits_add(&joiner->edits, mention->place, 0, joiner->err);
    if (!status) status = pare_project_edits_remove(&joiner->edits, file, joiner->err);
    uint32_t end = project->first_of[mention->to + 1];
    for (uint32_t i = project->first_of[mention->to]; !status && i < end; i++) {
        const pare_mention *other = &project->mentions[project->mentioned[i]];
        if (other != mention)
            status = pare_project_edits_cut(&joiner->edits, other->cut, joiner->err);
    }
    return status ? status : pare_project_edits_end(&joiner->edits, joiner->out, joiner->err);
}

/* Only files into which none is to be put: those around them are for the next look at the project, since
 * patches of one look must not change each other's text. */
pare_status pare_project_joins_places(const pare_project *project, pare_patches *out,
                                      pare_error *err)
{
    struct joiner joiner;
    pare_status status = joiner_open(&joiner, project, out, err);
    for (size_t i = 0; !status && i < project->n_mentions; i++) {
        const pare_mention *mention = &project->mentions[i];
        const pare_project_file *file = &project->files[mention->to];
        if (is_empty(mention->place) || file->fixed || file->target) continue;
        if (is_only(project, mention)) status = put(&joiner, mention);
    }
    if (joiner.fate) joiner_close(&joiner);
    return status;
}
