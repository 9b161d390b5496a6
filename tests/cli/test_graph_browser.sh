#!/bin/bash
# The page that walks a graph, and the drawing, in headless Chromium: searching, following links and
# going back by real events, at three widths in both colour schemes; hostile names; no message on
# the console, no sideways scrolling, nothing from outside, contrast of text.
set -eu
. "$PARE_SOURCE_DIR/tests/cli/claims.sh"
. "$PARE_SOURCE_DIR/tests/cli/browser.sh"

# The graph of docs/guide/graph-format.md, with 200 functions more, all of them members of Date.
{
    sed -n '/^```json$/,/^```$/{/^```/d;p}' "$PARE_SOURCE_DIR/docs/guide/graph-format.md" |
        sed '/^"edges"/,$d; /"path":"number"/s/$/,/; /^\],$/d; /^"signatures"/,/^]/d'
    for i in {6..205}; do
        echo "{\"id\":$i,\"kind\":\"function\",\"path\":\"this.Date.f$i\"}$([ $i = 205 ] || echo ,)"
    done
    echo '],'
    sed -n '/^```json$/,/^```$/{/^```/d;p}' "$PARE_SOURCE_DIR/docs/guide/graph-format.md" |
        sed -n '/^"signatures"/,/^"edges"/p'
    for i in {6..205}; do
        echo "{\"kind\":\"property\",\"from\":1,\"to\":$i,\"name\":\"f$i\"},"
        echo "{\"kind\":\"prototype\",\"from\":$i,\"to\":2},"
    done
    sed -n '/^```json$/,/^```$/{/^```/d;p}' "$PARE_SOURCE_DIR/docs/guide/graph-format.md" |
        sed '1,/^"edges"/d'
} > g.json
claim "there is a page" exits 0 "$PARE" graph show g.json Date.prototype --format html
cp out page.html
claim "and a drawing" exits 0 "$PARE" graph show g.json Date.prototype --format svg
cp out drawing.svg

{ echo "<script>$page_colours"; cat <<'SCRIPT'; } > probe.txt
function heading() { return document.querySelector('h1').textContent; }
function entries(title) {
    var section = [...document.querySelectorAll('section')]
        .find(s => s.querySelector('h2').textContent.startsWith(title));
    return section ? section.querySelectorAll('li').length : 0;
}
function press(key) {
    document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {key: key, bubbles: true,
                                                                       cancelable: true}));
}
function measure(data) {
    var root = document.documentElement, worst = 99, n = 0;
    document.querySelectorAll('body *').forEach(function (element) {
        var own = [...element.childNodes].some(t => t.nodeType == 3 && t.data.trim());
        if (!own || element.tagName == 'SCRIPT') return;
        var c = contrast(getComputedStyle(element).color, background(element));
        n++;
        if (c < worst) { worst = c; data.where = element.tagName + '.' + element.className; }
    });
    data.contrast = worst >= 4.5 ? 'enough' : 'too-little';
    data.looked = n > 20 ? 'at-all' : n;
    data.scroll = root.scrollWidth <= innerWidth ? 'none' : root.scrollWidth;
    data.small = [...document.querySelectorAll('main *')].filter(e => e.textContent.trim() &&
        parseFloat(getComputedStyle(e).fontSize) < 12).length;
    data.outside = performance.getEntriesByType('resource').length;
}
var steps = [
    function (data) {
        data.first = heading();
        press('/');
        data.focus = document.activeElement.id;
        var field = document.getElementById('search');
        field.value = 'SETT';
        field.dispatchEvent(new Event('input'));
        data.found = document.querySelectorAll('#results [role=option]').length;
        measure(data);
        press('ArrowDown');
        press('Enter');
    },
    function (data) {
        data.searched = heading();
        data.signatures = entries('Signatures');
        data.values = document.querySelector('.values').textContent;
        document.querySelector('.path a:nth-of-type(2)').click();
    },
    function (data) {
        data.followed = heading();
        data.members = entries('Members');
        document.querySelector('button').click();
        data.more = entries('Members');
        var filter = document.querySelector('.filter');
        filter.value = 'f10';
        filter.dispatchEvent(new Event('input'));
        data.filtered = entries('Members');
        history.back();
    },
    function (data) { data.back = heading(); }
];
addEventListener('load', function next() {
    var step = steps.shift();
    if (!step) return;
    step(document.documentElement.dataset);
    setTimeout(next, 200);
});
</script>
SCRIPT
add_probe page.html > probed.html
claim "the policy is in the page" grep -q "default-src 'none'; script-src 'sha512-" page.html
claim "and taken out of the copy" [ "$(grep -c Content-Security-Policy probed.html)" -eq 0 ]

claim "the page as it is can be seen" view 1200 1 page.html --dump-dom > dom.html 2> log
claim "its script may run" grep -q '<title>Date.prototype ' dom.html
claim "nothing on the console" quiet
for scheme in 0 1; do
    for width in 360 800 1400; do
        where="at $width px, scheme $scheme"
        claim "can be walked $where" view "$width" "$scheme" probed.html \
            --virtual-time-budget=5000 --dump-dom > dom.html 2> log
        grep -o '<html [^>]*>' dom.html > out || true
        claim "begins where it was told $where" measured first Date.prototype
        claim "/ goes to the search" measured focus search
        claim "a member is found" measured found 1
        claim "and shown" measured searched Date.prototype.setTime
        claim "with its signatures" measured signatures 2
        claim "and values" measured values "argument 1: -1, 0, NaN"
        claim "a link is followed" measured followed Date
        claim "long lists are cut" measured members 30
        claim "and shown in full" measured more 201
        claim "and filtered" measured filtered 11
        claim "back leads back" measured back Date.prototype.setTime
        claim "texts were looked at $where" measured looked at-all
        claim "contrast of 4.5 at least $where" measured contrast enough
        claim "no sideways scrolling $where" measured scroll none
        claim "no small print $where" measured small 0
        claim "nothing from outside $where" measured outside 0
        claim "nothing on the console $where" quiet
    done
    claim "the drawing can be seen, scheme $scheme" view 1200 "$scheme" drawing.svg \
        --screenshot="$here/drawing.png" 2> log
    claim "nothing on the console" quiet
done

# Names that try to end what they stand in.
printf '%s' '{"format":"pare-graph","version":1,"engine":"</title><script>document.title=1</script>",' \
    '"digest":"","global":0,"types":[{"id":0,"kind":"object","path":"this","class":"<img src=x>"}],' \
    '"signatures":[],"edges":[' \
    '{"kind":"property","from":0,"to":0,"name":"</script><script>document.title=2</script>"},' \
    '{"kind":"property","from":0,"to":0,"name":"\u202e<b onclick=x>\u2028\u0000"}]}' |
    sed 's/\\u0000//' > hostile.json
claim "a hostile graph has a page" exits 0 "$PARE" graph show hostile.json --format html
cp out hostile.html
add_probe hostile.html > probed.html
for page in hostile.html probed.html; do
    claim "$page can be seen" view 800 1 $page --dump-dom > dom.html 2> log
    claim "nothing of it ran" grep -q '<title>this ' dom.html
    claim "nothing of it is an element" [ -z "$(grep -oE '<(img|b onclick)' dom.html)" ]
    claim "what cannot be seen is written" grep -qF '\u{202e}&lt;b onclick=x&gt;\u{2028}' dom.html
done
all_claimed
