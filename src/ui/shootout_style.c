/* What the page of a shoot-out adds to the style sheet of the report.
 *
 * Curves have eight colours, of a contrast of 3 and more to what is behind them, and dashes. */
#include "ui/shootout_page.h"

/* clang-format off */
const char *const pare_shootout_style[] = {
    ":root{--s0:#0f6b5c;--s1:#c2410c;--s2:#1d4ed8;--s3:#9333ea;--s4:#b45309;--s5:#be185d;"
    "--s6:#0e7490;--s7:#4d7c0f}\n",
    "@media (prefers-color-scheme:dark){:root{--s0:#5fd0b5;--s1:#fb923c;--s2:#93b4ff;"
    "--s3:#d8a4ff;--s4:#fcd34d;--s5:#f9a8d4;--s6:#67e8f9;--s7:#bef264}}\n",
    ".s0{stroke:var(--s0)}.s1{stroke:var(--s1);stroke-dasharray:7 3}"
    ".s2{stroke:var(--s2);stroke-dasharray:2 3}.s3{stroke:var(--s3);stroke-dasharray:9 3 2 3}"
    ".s4{stroke:var(--s4);stroke-dasharray:5 2}.s5{stroke:var(--s5);stroke-dasharray:12 4}"
    ".s6{stroke:var(--s6);stroke-dasharray:4 4}.s7{stroke:var(--s7);stroke-dasharray:1 3}\n",
    ".frame path.s0,.frame path.s1,.frame path.s2,.frame path.s3,.frame path.s4,"
    ".frame path.s5,.frame path.s6,.frame path.s7{stroke-width:2px}\n",
    ".frame path.s0{stroke-width:3px}\n",
    ".legend{display:flex;flex-wrap:wrap;gap:.2rem 1.4rem;list-style:none;margin:0 0 .9rem;"
    "padding:0;font-size:.9rem}\n",
    ".legend li{display:flex;align-items:center;gap:.5rem;overflow-wrap:anywhere}\n",
    ".legend svg{width:28px;height:8px;flex:none}.legend path{stroke-width:3px;fill:none}\n",
    ".wide{overflow-x:auto}.wide+.wide{margin-top:2rem}\n",
    ".wide table{min-width:max-content}\n",
    ".wide th:first-child{position:sticky;left:0;background:var(--page);padding-right:1.2rem}\n",
    "tr.first th,tr.first td{border-top:2px solid var(--line)}\n",
    "td b{color:var(--accent);font-weight:650}\n",
    "td small,th small{color:var(--dim);font-size:.84rem}\n",
    ".missed{font-weight:650}\n",
    ".answer{border-left:3px solid var(--accent);padding:.2rem 0 .2rem 1rem;margin:0}\n",
    ".answer li{margin:.3rem 0;max-width:75ch}\n",
    "ul.answer{list-style:none}\n",
    ".many{display:grid;gap:1.5rem 2rem;grid-template-columns:repeat(auto-fit,"
    "minmax(min(100%,420px),1fr))}\n",
    ".many .frame{height:200px}\n",
    ".many figure{margin:0}.many .legend{display:none}\n",
    "@media print{.wide{overflow:visible}}\n",
    NULL,
};
/* clang-format on */
