/* Projects: their files by name, and what the readers find in them.
 *
 * A word of a file is taken for a path and looked up by its last part without the suffix: most
 * words of a text are no file's name, and end there.  Of the files that are called so, that is
 * meant which is there seen from the folder of the mention, else seen from the top, else the
 * first whose path ends in the word (an include path may lead there).
 * Invariant: mentions are sorted and in range; those of one file may overlap. */
#include "reduce/project/project.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include <pare/language.h>

#include "base/alloc.h"
#include "base/checksum.h"
#include "base/digest.h"
#include "base/vector.h"
#include "os/entries.h"

enum {
    MOST_PATH_BYTES = 1024,     /* of a word that may be a path */
    MOST_FILE_BYTES = 16 << 20, /* larger files are not read */
    BINARY_LOOK_BYTES = 4096    /* a NUL among so many first bytes: not a text */
};

/* --- names ------------------------------------------------------------------------------ */

/* The last part of a path without its suffix. Examples: "a/b.tar.gz" has the stem "b.tar",
 * "a/.profile" has ".profile", as a dot in front begins no suffix. The stem is borrowed from
 * the path. */
static void stem_of(const char *path, size_t size, const char **stem, size_t *stem_size)
{
    size_t begin = size;
    while (begin > 0 && path[begin - 1] != '/')
        begin--;
    size_t end = size;
    while (end > begin + 1 && path[end - 1] != '.')
        end--;
    *stem = path + begin;
    *stem_size = (end > begin + 1 ? end - 1 : size) - begin;
}

/* Of a stem.  Files of one name and different suffixes share it on purpose: the readers try suffixes. */
static uint64_t hash_of(const char *text, size_t size)
{
    return pare_checksum_wide((pare_digest){0, 0}, text, size).low;
}

/* Whether the word has the bytes of the path's end, after a slash or all of it. Example:
 * "b/c.h" ends "a/b/c.h", but not "a/bb/c.h". */
static bool ends_in(const char *path, size_t path_size, const char *word, size_t size)
{
    if (size > path_size || memcmp(path + path_size - size, word, size) != 0) return false;
    return size == path_size || path[path_size - size - 1] == '/';
}

/* `folder` and `word` as one path without "." and ".."; 0: it leads out of the top.
 *
 * `out` has room for both, and gets no NUL. Example: "a/b/" and "../c.h" give "a/c.h". */
static size_t join(const char *folder, size_t folder_size, const char *word, size_t size, char *out)
{
    size_t n = folder_size;
    memcpy(out, folder, n);
    while (size) {
        const char *slash = memchr(word, '/', size);
        size_t part = slash ? (size_t)(slash - word) : size;
        bool here = part == 0 || (part == 1 && word[0] == '.');
        bool up = part == 2 && memcmp(word, "..", 2) == 0;
        if (up) {
            /* There is no folder above the top one. */
            if (!n) return 0;
            for (n--; n > 0 && out[n - 1] != '/';)
                n--;
        } else if (!here) {
            memcpy(out + n, word, part);
            n += part;
            if (slash) out[n++] = '/';
        }
        word += slash ? part + 1 : part;
        size -= slash ? part + 1 : part;
    }
    return n;
}

/* The file of exactly this path. PARE_NO_FILE: there is none. Cost: O(files with that stem). */
static uint32_t find_exactly(const pare_project *project, const char *path, size_t size)
{
    const char *stem;
    size_t stem_size;
    uint32_t file;
    stem_of(path, size, &stem, &stem_size);
    pare_hash_probe probe = pare_hash_index_probe(&project->stems, hash_of(stem, stem_size));
    while (pare_hash_index_next(&project->stems, &probe, &file)) {
        const char *own = project->files[file].path;
        if (strlen(own) == size && memcmp(own, path, size) == 0) return file;
    }
    return PARE_NO_FILE;
}

/* The first file whose path ends in the word, or, of an absolute word, is its end. Examples:
 * "sys/a.h" means include/sys/a.h; "/home/x/project/src/a.c" means the file src/a.c of a
 * folder. */
static uint32_t find_by_end(const pare_project *project, const char *word, size_t size)
{
    const char *stem;
    size_t stem_size;
    uint32_t file, best = PARE_NO_FILE;
    stem_of(word, size, &stem, &stem_size);
    pare_hash_probe probe = pare_hash_index_probe(&project->stems, hash_of(stem, stem_size));
    while (pare_hash_index_next(&project->stems, &probe, &file)) {
        /* Without the top folder, which may have another name elsewhere. */
        const char *path = project->files[file].path, *slash = strchr(path, '/');
        const char *below = slash ? slash + 1 : path;
        bool fits = word[0] == '/' ? ends_in(word, size, below, strlen(below))
                                   : ends_in(path, strlen(path), word, size);
        /* Probing finds files in no order, and the result should not depend on that. */
        if (fits && file < best) best = file;
    }
    return best;
}

/* Three ways, the surest first: from the folder of the mention, from the top folder, by the end of a path.
 * For the last the leading "./" and "../" are left out, since an include path may have made up
 * for them. A path that leads out of the top is looked up by its end only. */
uint32_t pare_project_find(const pare_project *project, uint32_t from, const char *word,
                           size_t size)
{
    char path[2 * MOST_PATH_BYTES]; /* a folder and a word, each of at most MOST_PATH_BYTES */
    if (!size || size > MOST_PATH_BYTES || !project->n_files) return PARE_NO_FILE;
    const pare_project_file *file = &project->files[from == PARE_NO_FILE ? 0 : from];
    if (file->folder_size > MOST_PATH_BYTES) return PARE_NO_FILE;
    if (word[0] == '/') return find_by_end(project, word, size);
    size_t n = from == PARE_NO_FILE ? 0 : join(file->path, file->folder_size, word, size, path);
    uint32_t found = n ? find_exactly(project, path, n) : PARE_NO_FILE;
    /* From the top folder, which all paths of the project begin with. */
    const char *slash = strchr(file->path, '/');
    /* Paths in build files are often meant from the top, wherever the file is. */
    if (found == PARE_NO_FILE && slash) {
        n = join(file->path, (size_t)(slash + 1 - file->path), word, size, path);
        found = n ? find_exactly(project, path, n) : PARE_NO_FILE;
    }
    if (found != PARE_NO_FILE) return found;
    /* A name may begin with dots: "..a" is no way up. */
    while (size > 2 && (memcmp(word, "./", 2) == 0 || memcmp(word, "../", 3) == 0)) {
        size_t skipped = word[1] == '.' ? 3 : 2;
        if (skipped >= size) return PARE_NO_FILE;
        word += skipped;
        size -= skipped;
    }
    return find_by_end(project, word, size);
}

/* Whether an object is made of the file: a source of C or C++, and no header. */
static bool is_compiled(const pare_project_file *file)
{
    const char *dot = strrchr(file->path + file->folder_size, '.');
    if (!dot || !file->language || dot[1] == 'h' || dot[1] == 'H') return false;
    return strcmp(file->language, "c") == 0 || strcmp(file->language, "cpp") == 0;
}

/* Rules may put objects anywhere, so the folder of the word counts for nothing: the first source of
 * that stem is meant. "build/x/a.o" means any a.c or a.cpp. */
uint32_t pare_project_find_source(const pare_project *project, uint32_t from, const char *word,
                                  size_t size)
{
    static const char *const objects[] = {"o", "obj", "lo", "d", "gch", "pch", "i", "s"};
    const char *stem;
    size_t stem_size;
    uint32_t file, best = PARE_NO_FILE;
    stem_of(word, size, &stem, &stem_size);
    /* With its dot; 0 if there is none. */
    size_t suffix = size - (size_t)(stem + stem_size - word);
    bool object = false;
    for (size_t i = 0; i < sizeof objects / sizeof *objects; i++)
        object = object || (suffix == strlen(objects[i]) + 1 &&
                            memcmp(stem + stem_size + 1, objects[i], suffix - 1) == 0);
    /* CMake and others name "a.c.o". */
    if (object && (file = pare_project_find(project, from, word, size - suffix)) != PARE_NO_FILE)
        return file;
    if (!object) return PARE_NO_FILE;
    /* Different texts may have one hash, so the stems are compared. */
    pare_hash_probe probe = pare_hash_index_probe(&project->stems, hash_of(stem, stem_size));
    while (pare_hash_index_next(&project->stems, &probe, &file)) {
        const char *own;
        size_t own_size;
        stem_of(project->files[file].path, strlen(project->files[file].path), &own, &own_size);
        bool same = own_size == stem_size && memcmp(own, stem, stem_size) == 0;
        if (same && is_compiled(&project->files[file]) && file < best) best = file;
    }
    return best;
}

/* Compares bytes, so two spellings of a flag (-O and -O1) are two. */
bool pare_project_same(const pare_project *project, pare_project_range a, pare_project_range b)
{
    return a.to - a.from == b.to - b.from &&
           memcmp(project->bytes + a.from, project->bytes + b.from, a.to - a.from) == 0;
}

/* --- what is found ------------------------------------------------------------------------ */

/* In any order; they are sorted when all files are read. Mentions of the file itself, or of
 * none, are left out, so readers need not ask. */
pare_status pare_project_add_mention(pare_project *project, const pare_mention *mention,
                                     pare_error *err)
{
    if (mention->to == mention->from || mention->to == PARE_NO_FILE) return PARE_OK;
    pare_mention *at = pare_vector_grow(project->mentions, project->n_mentions,
                                        &project->mention_capacity, sizeof *at);
    if (!at) return pare_fail_nomem(err);
    project->mentions = at;
    at[project->n_mentions++] = *mention;
    return PARE_OK;
}

/* In the order of the text, since files are read in that order. */
pare_status pare_project_add_unit(pare_project *project, pare_project_unit_kind kind,
                                  pare_project_range name, pare_project_range cut, pare_error *err)
{
    pare_project_unit *at =
        pare_vector_grow(project->units, project->n_units, &project->unit_capacity, sizeof *at);
    if (!at) return pare_fail_nomem(err);
    project->units = at;
    at[project->n_units++] = (pare_project_unit){.kind = kind, .name = name, .cut = cut};
    return PARE_OK;
}

/* By file, place, size: outer cuts before those in them; then by what is mentioned. Two
 * mentions that differ in none of these are the same. */
static int compare_mentions(const void *left, const void *right)
{
    const pare_mention *a = left, *b = right;
    if (a->from != b->from) return a->from < b->from ? -1 : 1;
    if (a->cut.from != b->cut.from) return a->cut.from < b->cut.from ? -1 : 1;
    if (a->cut.to != b->cut.to) return a->cut.to > b->cut.to ? -1 : 1;
    return a->to < b->to ? -1 : a->to > b->to;
}

/* Sorts, and leaves out what is there twice, and what is only listed where nothing can be cut. */
static void sort_mentions(pare_project *project)
{
    size_t n = 0;
    pare_mention *all = project->mentions;
    if (!project->n_mentions) return;
    qsort(all, project->n_mentions, sizeof *all, compare_mentions);
    for (size_t i = 0; i < project->n_mentions; i++) {
        /* Neighbours are the same mention if they agree in all that the order looks at. */
        bool cut = all[i].cut.from < all[i].cut.to;
        if (n && compare_mentions(&all[i], &all[n - 1]) == 0) continue;
        if (cut || all[i].kind == PARE_MENTION_NEED) all[n++] = all[i];
    }
    project->n_mentions = n;
}

/* Lists the mentions by the file that they name, by counting sort.  first[i + 2] counts those of file i, so
 * that after the sums first[i + 1] is where they begin; filling moves it to their end, which is where those
 * of i + 1 begin: then first[i] is as the header says. */
static pare_status index_mentions(pare_project *project, pare_error *err)
{
    size_t n = project->n_files;
    uint32_t *first = pare_alloc_zero(n + 2 + project->n_mentions, sizeof *first);
    if (!first) return pare_fail_nomem(err);
    project->first_of = first;
    project->mentioned = first + n + 2;
    for (size_t i = 0; i < project->n_mentions; i++)
        first[project->mentions[i].to + 2]++;
    for (size_t i = 2; i < n + 2; i++)
        first[i] += first[i - 1];
    for (size_t i = 0; i < project->n_mentions; i++)
        project->mentioned[first[project->mentions[i].to + 1]++] = (uint32_t)i;
    return PARE_OK;
}

/* --- all -------------------------------------------------------------------------------------- */

/* Files and links, in the order of the text; words of a command line are none. In a layout
 * words come after all files, so the first of them ends the loop. */
static pare_status add_files(pare_project *project, const pare_project_source *source,
                             pare_error *err)
{
    project->files = pare_alloc_zero(source->n_places, sizeof *project->files);
    if (!project->files) return pare_fail_nomem(err);
    pare_status status = PARE_OK;
    for (size_t i = 0; !status && i < source->n_places; i++) {
        const pare_place *place = &source->places[i];
        const pare_entry *entry = &source->layout->entries.items[place->entry];
        if (pare_entry_is_word(entry)) break;
        const char *slash = strrchr(entry->path, '/'), *stem;
        const pare_language_info *info = pare_language_for_file(entry->path);
        size_t stem_size;
        project->files[project->n_files++] =
            (pare_project_file){.path = entry->path,
                                .entry = place->entry,
                                .folder_size = slash ? (size_t)(slash + 1 - entry->path) : 0,
                                .language = info ? info->name : NULL,
                                .target = entry->target,
                                .frame = place->frame,
                                .content = {place->begin, place->end},
                                .fixed = source->stays(source->context, place->entry)};
        stem_of(entry->path, strlen(entry->path), &stem, &stem_size);
        status = pare_hash_index_add(&project->stems, hash_of(stem, stem_size),
                                     (uint32_t)project->n_files - 1, err);
    }
    return status;
}

/* Whether the file is worth reading: it may change, it is of a size that people write, and it has no NUL
 * where texts have none. A file that stays as it is has nothing that could be cut. */
static bool is_text(const pare_project *project, const pare_project_file *file)
{
    size_t size = file->content.to - file->content.from;
    size_t look = size < BINARY_LOOK_BYTES ? size : BINARY_LOOK_BYTES;
    if (file->fixed || !size || size > MOST_FILE_BYTES) return false;
    return !memchr(project->bytes + file->content.from, 0, look);
}

/* A link needs what it leads to. */
static pare_status read_link(pare_project *project, uint32_t file, pare_error *err)
{
    const char *target = project->files[file].target;
    const pare_mention mention = {.from = file,
                                  .to = pare_project_find(project, file, target, strlen(target))};
    return pare_project_add_mention(project, &mention, err);
}

/* Reads one file by all readers that know its kind. A link has no content, only its target. */
static pare_status read_file(pare_project *project, uint32_t file, pare_error *err)
{
    const pare_project_file *self = &project->files[file];
    if (self->target) return read_link(project, file, err);
    if (!is_text(project, self)) return PARE_OK;
    /* A shell script is both. */
    pare_status status = pare_project_build_read(project, file, err);
    return status ? status : pare_project_code_read(project, file, err);
}

/* First all names, then the contents: a file may mention one that comes later. */
pare_status pare_project_open(const pare_project_source *source, pare_project *out, pare_error *err)
{
    pare_project project = {.text = source->text, .bytes = pare_text_bytes(source->text)};
    pare_status status = add_files(&project, source, err);
    for (uint32_t i = 0; !status && i < project.n_files; i++)
        status = read_file(&project, i, err);
    if (!status) {
        sort_mentions(&project);
        status = index_mentions(&project, err);
    }
    if (status) {
        pare_project_close(&project);
        return status;
    }
    assert(pare_project_check(&project));
    *out = project;
    return PARE_OK;
}

void pare_project_close(pare_project *project)
{
    pare_alloc_free(project->files);
    pare_alloc_free(project->mentions);
    pare_alloc_free(project->units);
    pare_alloc_free(project->first_of);
    pare_hash_index_done(&project->stems);
    *project = (pare_project){.text = NULL};
}

/* Whether the range is in the content of the file, or empty (it means "nothing" then, wherever it is). */
static bool is_in(pare_project_range range, const pare_project_file *file)
{
    if (range.from == range.to) return true;
    return file->content.from <= range.from && range.from < range.to &&
           range.to <= file->content.to;
}

/* In builds with assertions after each opening, and in tests. */
bool pare_project_check(const pare_project *project)
{
    for (size_t i = 0; i < project->n_mentions; i++) {
        const pare_mention *mention = &project->mentions[i];
        if (mention->from >= project->n_files || mention->to >= project->n_files) return false;
        const pare_project_file *file = &project->files[mention->from];
        if (!is_in(mention->cut, file) || !is_in(mention->place, file)) return false;
        bool cut = mention->cut.from < mention->cut.to;
        if (cut && file->fixed) return false;
    }
    for (size_t i = 0; i < project->n_units; i++)
        if (project->units[i].name.from >= project->units[i].name.to) return false;
    return true;
}
