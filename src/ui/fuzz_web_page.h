/* The files of the page of `pare fuzz web`, which the build puts into C arrays. */
#ifndef PARE_UI_FUZZ_WEB_PAGE_H
#define PARE_UI_FUZZ_WEB_PAGE_H

/* Each ends with a NUL, which is no part of it. */
extern const char pare_fuzz_web_page_html[], pare_fuzz_web_page_style[], pare_fuzz_web_page_main[],
    pare_fuzz_web_page_views[], pare_fuzz_web_page_finding[], pare_fuzz_web_page_plot[],
    pare_fuzz_web_page_parts[], pare_fuzz_web_page_icon[];

#endif
