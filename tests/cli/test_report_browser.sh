#!/bin/bash
# The report in a browser, headless Chromium: no message on the console, no sideways scrolling on a
# phone, contrast of text in both colour schemes, and what its own script adds under its
# policy.
#
# What is measured is measured by a script that is put into a copy of the page, whose policy against
# scripts is taken out.
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

printf 'int unused;\nkeep(4711, name) + name;\n%s\n' "$(printf 'z%.0s' {1..300})" > k.c
cat > k.sh << 'EOF'
#!/bin/sh
echo "it fails on $(grep -c . "$1") lines"
grep -qE '^keep\([0-9]{3,}, ([a-z]+)\) \+ \1;$' "$1"
EOF
chmod +x k.sh
claim "and one of an explained result" exits 0 "$PARE" reduce -q --explain --lang none --no-journal \
    --report explained.html -o k.out ./k.sh k.c
head -c 3000 /dev/urandom > b.bin
echo NEEDLE >> b.bin
claim "and one of bytes" exits 0 "$PARE" reduce -q --no-journal --report bytes.html -o b.out \
    'grep -qa NEEDLE' b.bin

printf '%s\n' 'int main(void)' '{' '    return 0;' '}' > good.c
printf '%s\n' 'int more(int x) { return crash(x) + 1; }' 'int main(void)' '{' '    return more(2);' '}' > bad.c
{ printf '\0\1`'; for k in {1..90}; do printf '\\x%x' $((129 + k)); done | xargs -0 printf; printf '`\0NEED\n'; } > long.bin
claim "and one of explained bytes with a long string" exits 0 "$PARE" explain --lang none --max-tests 60 \
    --report long.html long.bin 'grep -qa NEED'

claim "and one of two sides" exits 0 "$PARE" isolate -q --no-journal --report sides.html -o s.out \
    --output-passing s.pass 'grep -q "crash(x)"' bad.c good.c

cat > cases.json <<'C'
{"name": "two", "algorithms": ["ddmin/line", "auto"], "max_tests": 60, "cases": [
 {"name": "numbers", "input": "k.c", "test": "grep -q keep", "group": "lines"},
 {"name": "a-long-name-of-a-case", "input": "good.c", "test": "grep -q return", "group": ["lines", "short"]}]}
C
claim "and one of a shoot-out" exits 0 "$PARE" shootout cases.json -o so
{ echo "<script>$page_colours"; cat <<'SCRIPT'; } > probe.txt
addEventListener('load', function () {
    var worst = 99, where = '', n = 0;
    function look(element, style) {
        var c = contrast(style.color, background(element));
        n++;
        if (c < worst) { worst = c; where = element.tagName + '.' + element.className; }
    }
    document.querySelectorAll('body *').forEach(function (element) {
        if (element.closest('details:not([open])') && element.tagName != 'SUMMARY') return;
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
    data.ink = getComputedStyle(document.body).color;
    data.cut = [...document.querySelectorAll('.code, .cmd, table, svg')].filter(e => !e.closest('#history') &&
        e.clientHeight && e.scrollHeight > e.clientHeight + 1 && getComputedStyle(e).overflowY != 'visible').length;
    data.pressed = [...document.querySelectorAll('button, input[type=range]')].filter(e => e.checkVisibility()).length;
    data.unfolded = [...document.querySelectorAll('[aria-labelledby=failure] details pre')].filter(e =>
        e.checkVisibility({contentVisibilityAuto: true})).length;
    var of_lines = function (element) {
        var range = document.createRange();
        range.selectNodeContents(element);
        return Math.round(range.getBoundingClientRect().height / parseFloat(getComputedStyle(element).lineHeight));
    };
    /* A head with more lines than words has a word broken in two. */
    data.broken = [...document.querySelectorAll('thead th')].filter(e => e.checkVisibility() &&
        of_lines(e) > e.textContent.trim().split(/\s+/).length).length;
    data.outside = performance.getEntriesByType('resource').length;
    data.headings = [...document.querySelectorAll('h1,h2,h3,h4')].map(h => h.tagName[1]).join('');
    data.nested = [...document.querySelectorAll('.code, .cmd')].every(e => e.scrollWidth <= e.clientWidth) ?
        'inside' : 'overflows';
    var links = [...document.querySelectorAll('.explained a.p')], told = document.querySelector('.told');
    data.links = links.length ? 'some' : 'none';
    if (links.length && told) {
        links[0].focus();
        data.first = told.textContent.slice(0, 40);
        links[0].dispatchEvent(new KeyboardEvent('keydown', {key: 'End', bubbles: true}));
        data.walked = document.activeElement == links[links.length - 1] ? 'to-the-end' : 'nowhere';
        data.row = document.querySelectorAll('tr.on').length;
        data.stops = links.filter(l => l.tabIndex == 0).length;
    }
    var step = document.getElementById('step');
    if (step) {
        var at = function (value) {
            step.value = value;
            step.dispatchEvent(new Event('input'));
            return text_of(document.querySelector('#history .code'));
        };
        var text_of = function (pane) {
            return [...pane.querySelectorAll('.l')].map(l => l.textContent).join('\n');
        };
        data.start = at(0).length > at(step.max).length ? 'larger' : 'not-larger';
        var result = document.querySelector('.r .code'); /* an isolation shows both sides instead */
        data.finish = result && at(step.max) == text_of(result) ? 'the-result' : 'another';
        var sides = [...document.querySelectorAll('#history .code')];
        if (sides.length == 2) {
            data.copies = document.querySelectorAll('[aria-labelledby=result] .pair .copy-it').length;
            var both = () => sides.map(text_of).join('|').replace(/\n/g, '~'), told = new Set(), moves = 0, before = (at(0), both());
            data.first_sides = before;
            for (var i = 1; i <= step.max; i++) {
                at(i);
                moves += both() != before;
                before = both();
                told.add(document.querySelector('#history .told').textContent.replace(/^.*; (the \w+ side).*$/, '$1'));
            }
            data.last_sides = before;
            data.moves = moves == step.max ? 'each' : moves + '-of-' + step.max;
            data.movers = [...told].filter(t => t.startsWith('the')).sort().join(' ');
        }
        at(0);
        data.going = document.querySelector('#history del') ? 'struck-out' : 'unmarked';
        data.line = [...document.querySelectorAll('path.now')].map(p => p.getAttribute('d')).join(' ');
        data.stripes = document.querySelectorAll('.by-tests rect.band').length;
    }
    data.wide = [...document.querySelectorAll('.wide')].every(e => e.scrollWidth <= e.clientWidth) ? 'whole' : 'cut';
    var by_time = document.getElementById('by-time'); /* a shoot-out has none */
    if (by_time) {
        data.shown = getComputedStyle(document.querySelector('.by-time')).display;
        by_time.checked = true;
        data.switched = getComputedStyle(document.querySelector('.by-time')).display + '-' +
                        getComputedStyle(document.querySelector('.by-tests')).display;
    }
    data.svg = [...document.querySelectorAll('.frame > svg')].every(s => s.querySelector('title') &&
        s.querySelector('desc') && s.getAttribute('role') == 'img') &&
        document.querySelector('.frame > svg') ? 'described' : 'bare';
    data.tables = [...document.querySelectorAll('th')].every(t => t.scope) ? 'scoped' : 'bare';
});
</script>
SCRIPT
add_probe r.html > probed.html
add_probe folder.html > probed_folder.html
add_probe explained.html > probed_explained.html
add_probe bytes.html > probed_bytes.html
add_probe long.html > probed_long.html
add_probe sides.html > probed_sides.html
add_probe so/index.html > probed_so.html
claim "the policy is in the page" grep -q "default-src 'none'" r.html
claim "and taken out of the copy" [ "$(grep -c Content-Security-Policy probed.html)" -eq 0 ]

claim "the page as it is can be seen" view 1200 1 r.html --dump-dom > dom.html 2> log
claim "its title is the input's name and sizes" grep -q '<title>a.c: .* to .*</title>' dom.html
claim "nothing on the console" quiet
claim "its script runs under its policy" grep -q 'class="copy-it"' dom.html
claim "and so on an explained page" view 1200 1 explained.html --dump-dom > dom.html 2> log
claim "where it tells of parts" grep -q 'aria-live="polite">Point at a part' dom.html
claim "and has the history" grep -q 'id="step"' dom.html
claim "with nothing on the console" quiet
# Without the script nothing is missing but what it adds.
sed '/<script>/,/<\/script>/d' explained.html > plain.html
claim "without its script" view 400 1 plain.html --dump-dom > dom.html 2> log
claim "parts are links with titles" grep -q '<a class="p needed" href="#part-0" title="needed as it is">' dom.html
claim "the way is a table" grep -q '<summary>Bests on the way</summary>' dom.html
# On paper: what holds for print holds for all media in a copy, as wide as the text on a sheet of A4 and
# on one of half the size; and the browser prints the page itself.
sed 's/@media print/@media all/' probed_explained.html > paper_explained.html
sed 's/@media print/@media all/' probed.html > paper.html
sed 's/@media print/@media all/' probed_bytes.html > paper_bytes.html
sed 's/@media print/@media all/' probed_folder.html > paper_folder.html
sed 's/@media print/@media all/' probed_sides.html > paper_sides.html
print_at() {
    local page=$1 width=$2 scheme=$3 where="of $1 at $2 px, scheme $3"
    claim "can be seen $where" view "$width" "$scheme" "$page.html" --dump-dom > dom.html 2> log
    grep -o '<html [^>]*>' dom.html > out || true
    claim "the paper is that wide" measured width "$width"
    claim "and white, whatever the screen is $where" measured page 'rgb(255, 255, 255)'
    claim "the text is black $where" measured ink 'rgb(0, 0, 0)'
    claim "nothing is cut off at its side $where" measured scroll none
    claim "nor in a box $where" measured nested inside
    claim "nor below $where" measured cut 0
    claim "contrast of 4.5 at least $where" measured contrast enough
    claim "nothing to press is printed $where" measured pressed 0
}
sed 's/@media print/@media all/; s/@media screen/@media print/' probed_so.html > paper_so.html
for page in paper paper_bytes paper_folder paper_sides paper_so; do print_at "$page" 718 0; done
claim "no column of the shoot-out is lost on paper" measured wide whole
print_at paper_explained 460 0
print_at paper_explained 718 1
claim "what the test looks for, and prints, is there though it is folded" measured unfolded 2
claim "on a screen it stays folded" view 718 1 probed_explained.html --dump-dom > dom.html 2> log
claim "with the rest" measured unfolded 0
claim "the page is printed" view 800 1 explained.html --no-pdf-header-footer --print-to-pdf="$here/paper.pdf" 2> log
claim "as a document" [ "$(head -c 5 paper.pdf)" = %PDF- ]

# lines_of FILE: as a probe writes them down.
lines_of() { printf %s "$(cat "$1")" | tr '\n' '~'; }

# look PAGE SCHEME [WIDTH...]
look() {
    local page=$1 scheme=$2 width where
    shift 2
    [ $# -gt 0 ] || set -- 360 800 1400
    for width; do
        where="of $page at $width px, scheme $scheme"
        claim "can be seen $where" view "$width" "$scheme" "$page" --dump-dom > dom.html 2> log
        grep -o '<html [^>]*>' dom.html > out || true
        claim "the window is that wide" measured width "$width"
        claim "no sideways scrolling $where" measured scroll none
        claim "texts were looked at $where" measured looked at-all
        claim "contrast of 4.5 at least $where" measured contrast enough
        claim "texts keep to their boxes $where" measured nested inside
        claim "no small print $where" measured small 0
        claim "heads of tables are not squeezed $where" measured broken 0
        claim "nothing from outside $where" measured outside 0
        claim "nothing on the console $where" quiet
    done
}
look probed_so.html 0 360
look probed_so.html 1 1400
claim "the tables of a shoot-out fit a screen" measured wide whole
for scheme in 0 1; do
    look probed_folder.html "$scheme"
    claim "files have headings in order" measured_matches headings '1(2(3(44)?)*)+'
    look probed_bytes.html "$scheme"
    look probed_long.html "$scheme" 360 1400
    look probed_sides.html "$scheme" 360 1400
    claim "an isolation begins with both inputs" measured first_sides "$(lines_of good.c)|$(lines_of bad.c)"
    claim "and ends with both results" measured last_sides "$(lines_of s.pass)|$(lines_of s.out)"
    claim "each side of it can be copied" measured copies 2
    claim "each step moves a side" measured moves each
    claim "and tells which one moves next" measured movers 'the failing side the passing side'
    look probed_explained.html "$scheme"
    claim "its parts are links" measured links some
    claim "the slider begins with the input" measured start larger
    claim "in which what goes next is struck out" measured going struck-out
    claim "and ends with the result" measured finish the-result
    claim "each plot has a line at the step" measured_matches line 'M[0-9.]+ 0V1000 M[0-9.]+ 0V1000'
    claim "and phases are stripes" measured_matches stripes '[1-9][0-9]*'
    claim "what has the focus is told" measured_matches first 'keep: .+'
    claim "the arrow keys go on" measured walked to-the-end
    claim "one row is shown with it" measured row 1
    claim "and Tab has one stop" measured stops 1
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
