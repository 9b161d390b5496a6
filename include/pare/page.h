/* The report of a reduction: one HTML page, as `pare reduce --report` writes it.
 *
 *     #include <stdio.h>
 *
 *     #include <pare/page.h>
 *
 *     pare_status write_report(const pare_result *result, const char *original, size_t size)
 *     {
 *         pare_page_options options = {.name = "a.c", .original = original, .original_bytes = size};
 *         pare_page_made report = {0};
 *         pare_status status = pare_page_make(&options, result, &report, NULL);
 *         if (!status) fwrite(report.html, 1, report.size_bytes, stdout);
 *         pare_page_made_done(&report);
 *         return status;
 *     }
 *
 * The page needs nothing else: no network, no other file.  What comes from outside is escaped. */
#ifndef PARE_PAGE_H
#define PARE_PAGE_H

#include <stddef.h>

#include <pare/explain.h>
#include <pare/result.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What the page tells besides the result.  Borrowed for the call; what is NULL is not told. */
typedef struct pare_page_options {
    size_t struct_bytes; /* 0, or its sizeof; see <pare/pare.h>, "Versions" */
    const char *name;    /* of the input; NULL: "input" */
    const void *original;
    size_t original_bytes;
    const char *output_path; /* of the result */
    const char *command;     /* reproduces the run, for a shell */
    const char *check;       /* shows the failure of the result, for a shell */
    const char *test;        /* command or name of the test */
    const char *test_text;   /* the text of its script */
    const char *algorithm;
    const pare_explanation *explanation; /* of the result */
    const pare_readable *readable;
} pare_page_options;

typedef struct pare_page_made {
    char *html; /* owned, with a NUL after it; below 2 MB */
    size_t size_bytes;
} pare_page_made;

PARE_API void pare_page_made_done(pare_page_made *report); /* all-zero is a no-op */

/* What follows, for those who cannot use this header, such as other languages: the size is that
 * of a struct of options whose struct_bytes is 0. */
PARE_API PARE_CHECK pare_status pare_page_make_sized(const pare_page_options *options,
                                                     size_t options_bytes,
                                                     const pare_result *result,
                                                     pare_page_made *report, pare_error *err);

/* Makes the page.  With an explanation and no original it is about the explanation alone.  On PARE_OK
 * the caller owns *report, which has to be all-zero before.
 * Errors: PARE_E_ARG, PARE_E_UNSUPPORTED (a result of several files), PARE_E_NOMEM. */
static inline PARE_CHECK pare_status pare_page_make(const pare_page_options *options,
                                                    const pare_result *result,
                                                    pare_page_made *report, pare_error *err)
{
    return pare_page_make_sized(options, sizeof *options, result, report, err);
}

#ifdef __cplusplus
}
#endif

#endif
