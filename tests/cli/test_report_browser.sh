#!/bin/bash
# The report in a browser, headless Chromium: no script, no message on the console, no
# sideways scrolling on a phone, contrast of text in both colour schemes.
#
# The page itself has no script.  What is measured is measured by one that is put into a
# copy of it, whose policy against scripts is taken out.
set -eu
. "$PARE_SOURCE_DIR/tests/cli/claims.sh"
. "$PARE_SOURCE_DIR/tests/cli/browser.sh"

printf '%s\n' '#include <stdio.h>' 'int unused_function_with_a_very_long_name(void);' \
    "$(printf 'x%.0s' {1..500})" '/* <b>&amp;</b> */' 'int main(void) { return 1 + 2; }' > a.c
printf '\0\377\342\200\256 hidden\n' >> a.c
seq -f 'int variable_%.0f;' 1 200 >> a.c
claim "there is a report" exits 0 "$PARE" reduce -q --no-journal --report r.html -o out.c \
    "sh -c 'grep -aq main \"\$1\" && grep -aq variable_150 \"\$1\" && grep -aq hidden \"\$1\"' x" a.c

mkdir -p project/source/deep
cp a.c project/source/a.c
printf 'int other;\nint needle;\n%s\n' "$(printf 'y%.0s' {1..600})" > project/source/deep/b.h
echo nothing > project/README
claim "and one of a folder" exits 0 "$PARE" reduce -q --no-journal --report folder.html -o folder.min \
    "sh -c 'grep -aq main \"\$1/source/a.c\" && grep -aq hidden \"\$1/source/a.c\" && \
    grep -q \"int needle\" \"\$1/source/deep/b.h\"' x" project

{ echo "<script>$page_colours"; cat <<'SCRIPT'; } > probe.txt
addEventListener('load', function () {
    var worst = 99, where = '', n = 0;
    function look(element, style) {
        var c = contrast(style.color, background(element));
        n++;
        if (c < worst) { worst = c; where = element.tagName + '.' + element.className; }
    }
    document.querySelectorAll('body *').forEach(function (element) {
        var own = [...element.childNodes].some(t => t.nodeType == 3 && t.data.trim());
        if (own && element.tagName != 'SCRIPT') look(element, getComputedStyle(element));
        if (element.className == 'l') look(element, getComputedStyle(element, '::before'));
    });
    var root = document.documentElement, data = root.dataset;
    data.worst = worst.toFixed(2) + ' ' + where;
    data.contrast = worst >= 4.5 ? 'enough' : 'too-little';
    data.looked = n > 40 ? 'at-all' : n;
    data.page = getComputedStyle(document.body).backgroundColor;
    data.scroll = root.scrollWidth <= innerWidth ? 'none' : root.scrollWidth;
    data.width = innerWidth;
    data.small = [...document.querySelectorAll('main *')].filter(e => e.textContent.trim() &&
        parseFloat(getComputedStyle(e).fontSize) < 12).length;
    data.outside = performance.getEntriesByType('resource').length;
    data.headings = [...document.querySelectorAll('h1,h2,h3,h4')].map(h => h.tagName[1]).join('');
    data.shown = getComputedStyle(document.querySelector('.by-time')).display;
    document.getElementById('by-time').checked = true;
    data.switched = getComputedStyle(document.querySelector('.by-time')).display + '-' +
                    getComputedStyle(document.querySelector('.by-tests')).display;
    data.svg = [...document.querySelectorAll('svg')].every(s => s.querySelector('title') &&
        s.querySelector('desc') && s.getAttribute('role') == 'img') ? 'described' : 'bare';
    data.tables = [...document.querySelectorAll('th')].every(t => t.scope) ? 'scoped' : 'bare';
});
</script>
SCRIPT
add_probe r.html > probed.html
add_probe folder.html > probed_folder.html
claim "the policy is in the page" grep -q "default-src 'none'" r.html
claim "and taken out of the copy" [ "$(grep -c Content-Security-Policy probed.html)" -eq 0 ]

claim "the page as it is can be seen" view 1200 1 r.html --dump-dom > dom.html 2> log
claim "its title is the input's name and sizes" grep -q '<title>a.c: .* to .*</title>' dom.html
claim "nothing on the console" quiet
look() {
    local page=$1 scheme=$2 width where
    for width in 360 800 1400; do
        where="of $page at $width px, scheme $scheme"
        claim "can be seen $where" view "$width" "$scheme" "$page" --dump-dom > dom.html 2> log
        grep -o '<html [^>]*>' dom.html > out || true
        claim "the window is that wide" measured width "$width"
        claim "no sideways scrolling $where" measured scroll none
        claim "texts were looked at $where" measured looked at-all
        claim "contrast of 4.5 at least $where" measured contrast enough
        claim "no small print $where" measured small 0
        claim "nothing from outside $where" measured outside 0
        claim "nothing on the console $where" quiet
    done
}
for scheme in 0 1; do
    look probed_folder.html "$scheme"
    claim "files have headings in order" measured_matches headings '1(2(3(44)?)*)+'
    look probed.html "$scheme"
    if [ "$scheme" = 0 ]; then
        claim "dark is dark" measured page 'rgb(20, 22, 24)'
    else
        claim "light is light" measured page 'rgb(252, 252, 250)'
    fi
done
claim "headings are in order" measured_matches headings '1(23*)+'
claim "time is hidden at first" measured shown none
claim "and can be chosen without a script" measured switched block-none
claim "plots are described" measured svg described
claim "heads of tables have a scope" measured tables scoped
all_claimed
