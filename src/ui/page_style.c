/* The style sheet of the report, one string for each group of rules.
 *
 * One accent colour; text keeps a contrast of 4.5 and more to its background in both schemes
 * (tests/cli/test_report_browser.sh computes it).  An array of strings, because C compilers need
 * not accept literals above 4,095 bytes.  No url() and no @import: the page loads nothing.
 *
 * Why in a C array and not in a file: a report is one page that needs nothing else, and the
 * program has no folder of its own to look into. */
#include "ui/page.h"

/* clang-format off */
/* In the order of the page: colours, the verdict, tables, plots, panes.  Colours are variables,
 * so that the dark scheme sets them and nothing else. */
const char *const pare_page_style[] = {
    ":root{color-scheme:light dark;--page:#fcfcfa;--sheet:#fff;--ink:#1c1f23;--dim:#5a6068;"
    "--line:#dfe1dc;--accent:#0f6b5c;--wash:#0f6b5c1a;--mark:#bfe6d8;--mark-ink:#06241e}\n",
    "@media (prefers-color-scheme:dark){:root{--page:#141618;--sheet:#1b1e21;--ink:#e6e8ea;"
    "--dim:#a3aab2;--line:#33383d;--accent:#5fd0b5;--wash:#5fd0b526;--mark:#1d5a4b;"
    "--mark-ink:#effcf8}}\n",
    "*{box-sizing:border-box}\n",
    "html{-webkit-text-size-adjust:100%}\n",
    "body{margin:0;background:var(--page);color:var(--ink);font:16px/1.55 system-ui,"
    "-apple-system,\"Segoe UI\",Roboto,\"Noto Sans\",sans-serif;"
    "font-variant-numeric:tabular-nums}\n",
    "main,header,footer{max-width:1180px;margin:0 auto;padding:0 clamp(16px,4vw,40px)}\n",
    "header{padding-top:clamp(24px,5vw,56px)}\n",
    "h1{font-size:clamp(1.05rem,2.4vw,1.3rem);font-weight:600;margin:0;color:var(--dim);"
    "overflow-wrap:anywhere}\n",
    "h2{font-size:1.15rem;font-weight:650;letter-spacing:-.005em;margin:0 0 .75rem}\n",
    "h3,h4{font-size:1rem;font-weight:600;margin:0 0 .5rem;overflow-wrap:anywhere}\n",
    "h3.file{margin-top:2rem}h4{font-weight:400}\n",
    "section{margin:clamp(32px,5vw,56px) 0 0}\n",
    "p{margin:.4rem 0;max-width:70ch;overflow-wrap:anywhere}\n",
    ".verdict{font-size:clamp(1.7rem,5.2vw,3rem);line-height:1.15;letter-spacing:-.02em;"
    "font-weight:650;margin:.15rem 0 .5rem;max-width:none}\n",
    ".verdict b{font-weight:inherit;color:var(--accent);white-space:nowrap}\n",
    ".verdict span{white-space:nowrap}\n",
    ".sub{color:var(--dim);margin:0}\n",
    "code,.code,.cmd{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"
    "\"DejaVu Sans Mono\",monospace;font-size:.86em;font-variant-ligatures:none}\n",
    "code{overflow-wrap:anywhere}\n",
    ".cmd{margin:.4rem 0 1rem;padding:.75rem 1rem;background:var(--sheet);"
    "border:1px solid var(--line);border-radius:8px;white-space:pre-wrap;"
    "overflow-wrap:anywhere}\n",
    ".x{font-style:normal;color:var(--accent)}\n",
    "a{color:var(--accent)}\n",
    ":focus-visible{outline:2px solid var(--accent);outline-offset:2px}\n",
    /* facts */
    "dl{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,150px),1fr));"
    "gap:1rem 2rem;margin:0}\n",
    "dl>div{border-top:1px solid var(--line);padding-top:.5rem;min-width:0}\n",
    "dt{color:var(--dim);font-size:.85rem}\n",
    "dd{margin:0;overflow-wrap:anywhere}\n",
    /* plot */
    ".axis{position:absolute;opacity:0}\n",
    ".axis+label{display:inline-block;padding:.3rem .8rem;margin:0 .3rem .75rem 0;"
    "border:1px solid var(--line);border-radius:99px;font-size:.9rem;cursor:pointer}\n",
    ".axis:checked+label{border-color:var(--accent);color:var(--accent);"
    "background:var(--wash);font-weight:600}\n",
    ".axis:focus-visible+label{outline:2px solid var(--accent);outline-offset:2px}\n",
    "#by-tests:checked~.by-time,#by-time:checked~.by-tests{display:none}\n",
    ".plot{margin:0}\n",
    ".frame{position:relative;height:clamp(200px,34vw,340px);margin:.5rem .75rem 2rem 4.6rem}\n",
    ".frame svg{display:block;width:100%;height:100%;overflow:visible}\n",
    ".frame path{vector-effect:non-scaling-stroke;fill:none}\n",
    ".grid{stroke:var(--line);stroke-width:1px}\n",
    ".curve{stroke:var(--accent);stroke-width:2px;stroke-linejoin:round}\n",
    ".frame .area{fill:var(--wash);stroke:none}\n",
    ".ys span,.xs span{position:absolute;font-size:.8rem;line-height:1;color:var(--dim);"
    "white-space:nowrap}\n",
    ".ys span{right:100%;margin-right:.6rem;transform:translateY(50%)}\n",
    ".xs span{top:100%;margin-top:.6rem;transform:translateX(-50%)}\n",
    "figcaption{color:var(--dim);font-size:.9rem;max-width:70ch}\n",
    /* tables */
    "table{width:100%;border-collapse:collapse;font-size:.94rem}\n",
    "caption{text-align:left;color:var(--dim);font-size:.9rem;padding-bottom:.5rem}\n",
    "th,td{padding:.45rem .9rem .45rem 0;text-align:right;vertical-align:top;"
    "border-bottom:1px solid var(--line);font-weight:400}\n",
    "th:last-child,td:last-child{padding-right:0}\n",
    "thead th{color:var(--dim);font-size:.85rem;vertical-align:bottom}\n",
    "th:first-child,td.t{text-align:left;overflow-wrap:anywhere}\n",
    "td.b{width:38%;min-width:6.5rem}\n",
    ".bar{display:block;height:6px;margin-top:.3rem;border-radius:3px;background:var(--wash);"
    "overflow:hidden}\n",
    ".bar i{display:block;height:100%;background:var(--accent);border-radius:3px}\n",
    /* texts side by side */
    ".pair{display:grid;grid-template-columns:minmax(0,1fr);gap:1.25rem}\n",
    ".code{background:var(--sheet);border:1px solid var(--line);border-radius:8px;"
    "padding:.6rem 0;max-height:80vh;overflow-y:auto;line-height:1.5;font-size:.82rem}\n",
    ".l{position:relative;padding:0 .8rem 0 4.4rem;white-space:pre-wrap;"
    "overflow-wrap:anywhere;tab-size:4;color:var(--dim);min-height:1.5em}\n",
    ".l::before{content:attr(data-n);position:absolute;left:0;width:3.7rem;"
    "text-align:right;color:var(--dim)}\n",
    ".r .l{color:var(--ink)}\n",
    ".fold{color:var(--dim);font:italic .85rem/1.9 system-ui,sans-serif;"
    "padding:0 .8rem 0 4.4rem;background:var(--wash)}\n",
    "span.fold{padding:0 .4rem;border-radius:4px;white-space:nowrap}\n",
    "mark{background:var(--mark);color:var(--mark-ink);border-radius:2px}\n",
    "mark .x,.r mark .x{color:inherit}\n",
    "u{text-decoration:underline dotted var(--accent) 2px;text-underline-offset:3px}\n",
    "footer{color:var(--dim);font-size:.85rem;padding-top:3rem;padding-bottom:3rem}\n",
    "@media (max-width:480px){table{font-size:.86rem}th,td{padding-right:.55rem}"
    "td.b{width:auto;min-width:5rem}.l{padding-left:3.3rem}.l::before{width:2.8rem}"
    ".fold{padding-left:3.3rem}.w{display:none}}\n",
    "@media (min-width:900px){.pair{grid-template-columns:repeat(2,minmax(0,1fr))}}\n",
    "@media print{:root{color-scheme:light;--page:#fff;--sheet:#fff;--ink:#000;--dim:#444;"
    "--line:#bbb;--accent:#0f6b5c;--wash:#eef5f3;--mark:#bfe6d8;--mark-ink:#000}"
    "body{font-size:10.5pt}.axis+label{display:none}"
    "#by-tests:checked~.by-time,#by-time:checked~.by-tests{display:block}"
    ".code{max-height:none;overflow:visible}section,.plot,tr{break-inside:avoid}"
    "section.long{break-inside:auto}mark{print-color-adjust:exact}"
    ".bar,.bar i{print-color-adjust:exact}}\n",
    NULL,
};
/* clang-format on */
