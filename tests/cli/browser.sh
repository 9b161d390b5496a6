# What tests of pages share: sourced after claims.sh.  Headless Chromium; without one the test is
# skipped.
#
# What is measured is measured by a script that is put into a copy of the page, whose policy against
# scripts is taken out: see page_colours, which such a script begins with.

browser=
for name in chromium-headless-shell chromium chromium-browser google-chrome; do
    if command -v "$name" > /dev/null; then browser=$name && break; fi
done
if [ -z "$browser" ]; then
    echo "skipped: there is no Chromium (apt-get install chromium-headless-shell)"
    exit 77
fi

# view WIDTH SCHEME FILE OPTIONS...   SCHEME: 0 dark, 1 light.
view() {
    local width=$1 scheme=$2 file=$3
    shift 3
    timeout -s KILL 100 "$browser" --headless --no-sandbox --disable-gpu --no-first-run \
        --disable-dev-shm-usage --user-data-dir="$here/profile" --enable-logging=stderr \
        --host-resolver-rules='MAP * ~NOTFOUND' --hide-scrollbars \
        --blink-settings=preferredColorScheme="$scheme" --window-size="$width,800" "$@" \
        "file://$here/$file"
}

# add_probe FILE: the page without its policy, with the script of probe.txt at its end.
add_probe() {
    sed -e '/Content-Security-Policy/d' -e '/^<\/body>/{
r probe.txt
N
}' "$1"
}

# Whether the page that dom.html was dumped from measured this: data-NAME="VALUE" of its root.
measured() { grep -o '<html [^>]*>' dom.html | grep -qF -- "data-$1=\"$2\""; }
measured_matches() { grep -o '<html [^>]*>' dom.html | grep -qE "data-$1=\"$2\""; }
quiet() { ! grep -q 'CONSOLE' log; }

# Functions for probes: contrast(TEXT COLOUR, COLOUR BEHIND), background(ELEMENT), as WCAG 2 has it.
page_colours='
function rgb(text) {
    var n = text.match(/[\d.]+/g).map(Number);
    if (text.indexOf("srgb") >= 0) n = n.slice(0, 3).map(c => c * 255).concat(n.slice(3));
    return n.length > 3 ? n : n.concat(1);
}
function over(top, below) {
    return [0, 1, 2].map(i => top[i] * top[3] + below[i] * (1 - top[3])).concat(1);
}
function light(color) {
    var c = color.slice(0, 3).map(v => v / 255)
                 .map(v => v <= 0.04045 ? v / 12.92 : Math.pow((v + 0.055) / 1.055, 2.4));
    return 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2];
}
function background(element) {
    var layers = [];
    for (var e = element; e; e = e.parentElement) layers.unshift(rgb(getComputedStyle(e).backgroundColor));
    return layers.reduce((below, top) => over(top, below), [255, 255, 255, 1]);
}
function contrast(text, behind) {
    var a = light(over(rgb(text), behind)), b = light(behind);
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}'
