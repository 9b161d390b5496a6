// The page of `pare fuzz web` in Chromium, by real clicks and keys.
// Usage: fuzz_web_browser.mjs CHROMIUM URL-WITH-TOKEN [PICTURES]
//
// Prints "ok N" at its end; anything that does not hold throws.  With PICTURES, a folder, each page
// is photographed there, wide, narrow and dark, for somebody to look at.
import assert from 'node:assert/strict';
import {start, open} from './chromium.mjs';

const [program, address, pictures] = process.argv.slice(2);
const url = new URL(address), base = url.origin;
const PAGES = ['/', '/findings', '/findings?state=all', '/findings/2', '/findings/8', '/jobs', '/sources', '/configuration'];
let n = 0;

function holds(condition, sentence) {
    assert.ok(condition, sentence);
    n++;
}

const text = selector => `(document.querySelector(${JSON.stringify(selector)}) || {textContent: ''}).textContent`;
const row = id => `tr[data-id="${id}"]`;

// As WCAG 2 has it: the contrast of each text with what is behind it, and what is too wide or small.
const MEASURE = `(() => {
    const rgb = text => { const n = text.match(/[\\d.]+/g).map(Number); return n.length > 3 ? n : n.concat(1); };
    const over = (top, below) => [0, 1, 2].map(i => top[i] * top[3] + below[i] * (1 - top[3])).concat(1);
    const light = color => color.slice(0, 3).map(v => v / 255).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
        .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
    const behind = element => { const layers = []; for (let e = element; e; e = e.parentElement) layers.unshift(rgb(getComputedStyle(e).backgroundColor));
        return layers.reduce((below, top) => over(top, below), [255, 255, 255, 1]); };
    let worst = 99, where = '', small = '', looked = 0;
    for (const element of document.querySelectorAll('body *')) {
        const own = [...element.childNodes].some(node => node.nodeType === 3 && node.data.trim());
        if (!own || !element.checkVisibility() || element.closest('svg, noscript, option, :disabled, .skip')) continue;
        const style = getComputedStyle(element), back = behind(element);
        const a = light(over(rgb(style.color), back)), b = light(back), c = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
        looked++;
        if (c < worst) { worst = c; where = element.tagName + '.' + element.className; }
        if (parseFloat(style.fontSize) < 11) small = element.tagName + '.' + element.className;
    }
    return {worst, where, small, looked, sideways: document.documentElement.scrollWidth - innerWidth,
        cut: ((each) => each.scrollWidth - each.clientWidth)(document.querySelector('nav')),
        rows: [...document.querySelectorAll('.dump')].map(each => { const style = getComputedStyle(each), range = document.createRange(); range.selectNodeContents(each);
            return Math.round(range.getBoundingClientRect().height / parseFloat(style.lineHeight) / each.textContent.split('\\n').length); }),
        outside: performance.getEntriesByType('resource').filter(each => !each.name.startsWith(location.origin)).length};
})()`;

// Nothing that a target, a source or a user wrote has become an element, or has run.
async function assertText(page, where) {
    holds(await page.value(`document.title`) !== 'ran', where + ': a script ran');
    holds(await page.value(`document.querySelectorAll('main img, main script, main iframe, main object, main [onerror], main [onload]').length`) === 0, where + ': a text became an element');
    holds(await page.value(`[...document.querySelectorAll('a')].every(a => /^https?:$/.test(a.protocol))`), where + ': a link is a program');
    holds(await page.value(`!/[\\u202e\\u001b]/.test(document.body.innerText)`), where + ': hidden characters are shown as themselves');
}

async function look(browser) {
    for (const [name, options] of [['wide', {width: 1280, height: 900}], ['narrow', {width: 400, height: 850}], ['dark', {width: 1280, height: 900, dark: true}],
                                   ['narrow-dark', {width: 360, height: 700, dark: true}]]) {
        const page = await open(browser, options);
        await page.go(address);
        for (const path of PAGES) {
            const where = name + ' ' + path;
            await page.go(base + path);
            await page.until(`!document.querySelector('main .dim')?.textContent.startsWith('Loading')`);
            const about = await page.value(MEASURE);
            holds(about.looked > 15, where + ' has texts');
            holds(about.worst >= 4.5, `${where}: contrast ${about.worst} at ${about.where}`);
            holds(about.sideways <= 0, `${where}: ${about.sideways} px too wide`);
            holds(about.small === '', `${where}: small print at ${about.small}`);
            holds(about.outside === 0, where + ' loads from outside');
            holds(about.cut <= 0, `${where}: ${about.cut} px of the pages' names are cut`);
            holds(path !== '/findings/8' || about.rows.length > 0 && about.rows.every(rows => rows === 1), where + ': rows of bytes are wrapped');
            await assertText(page, where);
            if (pictures) await page.picture(`${pictures}/${name}${path.replace(/[/?=]/g, '_')}.png`);
        }
        holds(page.trouble.length === 0, name + ': ' + page.trouble.join('; '));
    }
}

async function walk(page) {
    await page.go(address);
    holds(await page.value('location.search') === '', 'the token has left the address');
    holds(!(await page.value('document.cookie')).includes('pare'), 'no script can read the cookie');
    await page.until(`${text('.tiles')}.includes('5 open')`);
    holds(await page.value(`document.querySelectorAll('.plot polyline').length`) === 4, 'there are four plots');
    await page.click('nav a[href="/findings"]');
    await page.until(`document.querySelectorAll('tbody tr').length === 7`);
    holds(await page.value('location.pathname') === '/findings', 'a click leads on');

    await page.press('/');
    holds(await page.value(`document.activeElement.type`) === 'search', '/ goes to the search');
    await page.type('function_4');
    await page.until(`document.querySelectorAll('tbody tr').length === 1`);
    holds((await page.value('location.search')).includes('q=function_4'), 'the address says what is searched');
    await page.value(`(document.querySelector('input[type=search]').select(), 0)`);
    await page.type('no such thing');
    await page.until(`${text('tbody')}.includes('No finding is like that')`);
    await page.go(base + '/findings');
    // The head says when a click has been taken: finding 8 is the first before it, too.
    await page.click('thead th:nth-child(2) button');
    await page.until(`document.querySelector('thead th:nth-child(2)').ariaSort === 'descending' && document.querySelector('tbody tr').dataset.id === '8'`);
    await page.click('thead th:nth-child(2) button');
    await page.until(`document.querySelector('tbody tr').dataset.id === '1'`);
    await page.click('.chip:nth-child(3)');
    await page.until(`document.querySelectorAll('tbody tr').length === 2`);
    await page.click('.chip:nth-child(1)');
    await page.until(`document.querySelectorAll('tbody tr').length === 7`);

    // Several at once.
    for (const id of [3, 4]) await page.click(row(id) + ' input');
    await page.until(`${text('.bulk b')} === '2 selected'`);
    await page.value(`(s => { s.value = 'invalid'; s.dispatchEvent(new Event('change')); })(document.querySelector('.bulk select'))`);
    await page.until(`document.querySelector('${row(3)} .state.invalid') && document.querySelector('${row(4)} .state.invalid')`);
    holds(await page.value(`document.querySelector('.bulk').hidden`), 'nothing is selected any more');

    // By keys: down to the second, select, open.
    await page.press('j');
    await page.press('j');
    await page.press('x');
    await page.until(`${text('.bulk b')} === '1 selected'`);
    await page.press('Enter');
    await page.until(`document.querySelector('[data-pane=Result]')`);
    holds(await page.value('location.pathname') === '/findings/2', 'Enter opens the finding');
}

async function finding(page) {
    await page.go(base + '/findings/2');
    holds(await page.value(text('[data-pane=Result]')) === '{1e2000}', 'the result is there');
    holds((await page.value(`[...document.querySelectorAll('[data-pane=Input] mark')].map(m => m.textContent).join('|')`)).includes('1e2000}'), 'what stayed is marked in the input');
    await page.click('textarea[name=note]');
    await page.type('Looked at <b>by hand</b>');
    await page.click('form button[type=submit]');
    await page.until(`${text('#toasts')}.includes('saved')`);
    await page.until(`${text('.events')}.includes('edited')`);
    await page.go(base + '/findings/2');
    holds(await page.value(`document.querySelector('textarea[name=note]').value`) === 'Looked at <b>by hand</b>', 'the note is kept, as text');

    // Asked for twice: it is one job.
    await page.click('main button.main');
    await page.until(`${text('#toasts')}.includes('to be reduced')`);
    await page.click('nav a[href="/jobs"]');
    await page.until(`[...document.querySelectorAll('tr[data-job]')].some(r => r.textContent.includes('reduce') && r.textContent.includes('#2'))`);

    // Merge, and split again.
    await page.go(base + '/findings/5');
    await page.until(`document.querySelector('main .row button')`);
    await page.click('main .row button', 'Merge');
    await page.until(`document.querySelector('#dialog').open`);
    await page.type('2');
    await page.press('Enter');
    await page.until(`document.querySelector('main .state.merged')`);
    await page.click('main .row button', 'Split');
    await page.until(`!document.querySelector('main .state.merged')`);

    // An answer that refuses is told.
    await page.click('main .row button', 'Merge');
    await page.until(`document.querySelector('#dialog').open`);
    await page.type('4711');
    await page.press('Enter');
    await page.until(`document.querySelector('.toast.trouble')`);

    // Deleting asks first; Escape is no.
    await page.click('main .row button', 'Delete');
    await page.until(`document.querySelector('#dialog').open`);
    await page.press('Escape');
    await page.until(`!document.querySelector('#dialog').open`);
    await page.click('main .row button', 'Delete');
    await page.until(`document.querySelector('#dialog').open`);
    await page.click('#dialog button[type=submit]');
    await page.until(`location.pathname === '/findings' && document.querySelector('tbody tr') && !document.querySelector('${row(5)}')`);
    await page.send('Page.navigateToHistoryEntry', {entryId: (await page.send('Page.getNavigationHistory')).entries.at(-2).id});
    await page.until(`${text('main')}.includes('no finding')`);
}

async function jobs(page) {
    await page.go(base + '/jobs');
    await page.until(`document.querySelectorAll('tr[data-job]').length > 3`);
    const waiting = await page.value(`[...document.querySelectorAll('tr[data-job]')].find(r => r.textContent.includes('waiting')).dataset.job`);
    await page.click(`tr[data-job="${waiting}"] button.danger`);
    await page.until(`document.querySelector('tr[data-job="${waiting}"]').textContent.includes('cancelled')`);
    await page.press('?');
    await page.until(`document.querySelector('#dialog').open`);
    await page.press('Escape');
    await page.press('4');
    await page.until(`location.pathname === '/sources' && document.querySelectorAll('tbody tr').length === 3`);
    await page.click('main input[type=checkbox]');
    await page.until(`document.querySelector('a[href="/configuration/1"]')`);
    await page.click('a[href="/configuration/1"]');
    await page.until(`${text('pre')}.includes('[target jq]')`);
}

// Without the token the page is there to be read, and has nothing to press.
async function stranger(page) {
    await page.send('Network.clearBrowserCookies');
    await page.go(base + '/findings/2');
    await page.until(`!document.querySelector('#notice').hidden`);
    holds(await page.value(`document.querySelectorAll('main button:not(.small button)').length`) === 0 ||
          await page.value(`![...document.querySelectorAll('main button')].some(b => /Reduce|Delete|Save/.test(b.textContent))`), 'nothing to press');
    const code = await page.value(`fetch('/api/v1/findings/2', {method: 'DELETE'}).then(r => r.status)`);
    holds(code === 401, 'nor by a script');
    page.trouble.length = 0; // the browser logs the refusal
}

const browser = await start(program);
try {
    await look(browser);
    const page = await open(browser);
    await walk(page);
    await finding(page);
    // What was asked for on purpose: a merge into nothing, and the page of what was deleted.
    page.trouble = page.trouble.filter(each => !/status of 4\d\d/.test(each));
    await jobs(page);
    await assertText(page, 'at the end');
    holds(page.trouble.length === 0, page.trouble.join('; '));
    await stranger(page);
    console.log('ok ' + n);
} finally {
    await browser.close();
}
