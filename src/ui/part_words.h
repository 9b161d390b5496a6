/* Words about one part of an explanation, the same for the terminal, the report and the JSON.  Any thread. */
#ifndef PARE_UI_PART_WORDS_H
#define PARE_UI_PART_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#include <pare/explain.h>

/* Whether the part says something that the parts in it do not: a list that is needed or was not tried does not,
 * nor does a piece of program unless another one in its place still fails. */
bool pare_part_words_is_listed(const pare_explained_part *part);

enum { PARE_PART_WORDS_BYTES = 120 };

/* What may stand in the place of a part that is ANY or RENAME, as it was tried: "any name", "any whole number
 * without a sign", "> or <="; of a claim that few samples support it is said that these were tried. */
void pare_part_words_allowed(const pare_explained_part *part,
                             char text[static PARE_PART_WORDS_BYTES]);

/* What was tried in the place of the part, as somebody can see it: "(nothing)", "' x'"; of bytes digits. */
void pare_part_words_other(const pare_explanation *explanation, const pare_explained_other *other,
                           char *text, size_t capacity);

/* Whether of all that was tried in its place only its letters in the other case still fail. */
bool pare_part_words_is_any_case(const pare_explanation *explanation,
                                 const pare_explained_part *part);

/* Whether some others in its place still fail and some do not; not only its letters in the other case. */
bool pare_part_words_is_partly(const pare_explanation *explanation,
                               const pare_explained_part *part);

/* Where byte `at` of the text is: "2:14", its line and its character in that, from 1; or of bytes "0x17". */
void pare_part_words_place(const pare_explanation *explanation, size_t at, char *text,
                           size_t capacity);

/* Whether the text is shown as bytes, by offsets and digits. */
bool pare_part_words_is_binary(const pare_explanation *explanation);

/* "whole", "name" and so on: see <pare/explain.h>. */
bool pare_part_words_is_sampled_as(const pare_explained_part *part, const char *name);

/* "> or <=": those others with which it still fails, `most` of them at most, then "others"; "" if there are
 * none. */
void pare_part_words_failing(const pare_explanation *explanation, const pare_explained_part *part,
                             size_t most, char *text, size_t capacity);

/* "about " before an end of a range that is another one each time, else "". */
const char *pare_part_words_about(bool is_vague);

#endif
