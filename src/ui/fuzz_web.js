/* The page of `pare fuzz web`: which view is shown, what it is told, and keys.
 *
 * Addresses are those of the server, so each view has one that can be kept and sent; links are
 * followed here without loading the page anew.  A view is an object with `element`, `refresh()`
 * (the store has changed) and, if it has any, `keys`.  The server says by one stream of events
 * when something has changed; nothing is asked for by a clock. */
import {make, toast, duration} from './parts.js';
import {dashboard, findings, jobs, sources, configuration} from './views.js';
import {finding} from './finding.js';

/* ---- the server ---- */

export async function get(path) {
    return read(await fetch('/api/v1' + path));
}

export async function send(method, path, body) {
    return read(await fetch('/api/v1' + path, {
        method,
        headers: body ? {'Content-Type': 'application/json'} : {},
        body: body && JSON.stringify(body),
    }));
}

async function read(response) {
    let answer;
    try {
        answer = await response.json();
    } catch {
        throw new Error('the server gave no answer that can be read');
    }
    if (!response.ok) throw new Error(answer.error || response.statusText);
    return answer;
}

/* Does something of the user's, and says what came of it. */
export async function act(done, work) {
    try {
        const answer = await work();
        const text = typeof done === 'function' ? done(answer) : done;
        if (text) toast(text);
        refreshSoon(0);
        return answer;
    } catch (error) {
        toast(error.message, true);
        return null;
    }
}

/* ---- what holds for all views ---- */

/* The last answer of /api/v1/, which each refresh begins with. */
export let about = null;
let view = null, live = false;

const views = [
    [/^\/$/, 'Dashboard', dashboard],
    [/^\/findings$/, 'Findings', findings],
    [/^\/findings\/(\d+)$/, 'Finding', finding],
    [/^\/jobs$/, 'Jobs', jobs],
    [/^\/sources$/, 'Sources', sources],
    [/^\/configuration(?:\/(\d+))?$/, 'Configuration', configuration],
];

function showStanding() {
    const lamp = document.getElementById('standing');
    lamp.className = 'lamp ' + (!live ? 'off' : about && about.running ? 'on' : '');
    lamp.textContent = !live ? 'not connected'
        : about && about.running ? 'running for ' + duration(about.now - about.since)
        : 'not running';
    const notice = document.getElementById('notice');
    const text = !about || about.may_change ? ''
        : about.read_only ? 'This server changes nothing: it was started with --read-only.'
        : 'You may look, but not change anything: open the address with the token that pare fuzz web printed.';
    notice.hidden = !text;
    notice.textContent = text;
}

async function refresh() {
    try {
        about = await get('/');
        document.body.classList.toggle('may-change', about.may_change);
        showStanding();
        if (view) await view.refresh();
    } catch (error) {
        toast(error.message, true);
    }
}

/* At most one refresh at a time, and one a second. */
let timer = 0, busy = false, again = false;
function refreshSoon(ms = 1000) {
    if (busy) {
        again = true;
        return;
    }
    if (timer && ms) return;
    clearTimeout(timer);
    timer = setTimeout(async () => {
        timer = 0;
        busy = true;
        await refresh();
        busy = false;
        document.documentElement.dataset.refreshed = Number(document.documentElement.dataset.refreshed || 0) + 1;
        if (again) {
            again = false;
            refreshSoon();
        }
    }, ms);
}

/* Whether there is a token and so something to press. */
export function mayChange() {
    return Boolean(about && about.may_change);
}

/* ---- addresses ---- */

async function show() {
    const path = location.pathname.replace(/(.)\/$/, '$1');
    const found = views.find(([pattern]) => pattern.test(path));
    const main = document.getElementById('main');
    for (const link of document.querySelectorAll('nav a')) {
        const at = link.getAttribute('href');
        if (at === '/' ? path === '/' : path.startsWith(at)) link.setAttribute('aria-current', 'page');
        else link.removeAttribute('aria-current');
    }
    if (view && view.close) view.close();
    view = null;
    if (!found) {
        main.replaceChildren(make('p', {class: 'empty'}, 'There is nothing at this address.'));
        return;
    }
    const [pattern, title, build] = found;
    document.title = title + ' – pare fuzz';
    try {
        if (!about) about = await get('/');
        showStanding();
        const built = await build(...pattern.exec(path).slice(1));
        if (location.pathname.replace(/(.)\/$/, '$1') !== path) return;
        view = built;
        main.replaceChildren(view.element);
        if (view.title) document.title = view.title + ' – pare fuzz';
        document.documentElement.dataset.shown = path;
    } catch (error) {
        main.replaceChildren(make('p', {class: 'empty'}, error.message));
    }
}

export function go(path) {
    history.pushState(null, '', path);
    scrollTo(0, 0);
    const shown = show();
    document.getElementById('main').focus({preventScroll: true});
    return shown;
}

document.addEventListener('click', event => {
    const link = event.target.closest('a');
    if (!link || link.origin !== location.origin || link.target || link.hasAttribute('download') ||
        link.getAttribute('href').startsWith('#') || link.pathname.startsWith('/api/') ||
        event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    go(link.pathname + link.search);
});
addEventListener('popstate', show);

/* ---- events ---- */

const TOLD = new Set(['new', 'regressed', 'fixed', 'trouble']);

function listen() {
    const stream = new EventSource('/api/v1/stream');
    stream.addEventListener('open', () => {
        live = true;
        refreshSoon(0);
    });
    stream.addEventListener('error', () => {
        live = false;
        showStanding();
        /* A stream that was refused is not tried again by the browser. */
        if (stream.readyState === EventSource.CLOSED) setTimeout(listen, 5000);
    });
    stream.addEventListener('change', () => refreshSoon());
    stream.addEventListener('message', event => {
        const told = JSON.parse(event.data);
        if (TOLD.has(told.kind)) toast(told.text || told.kind, told.kind === 'trouble');
        if (view && view.told) view.told(told);
    });
}

/* ---- keys ---- */

const PAGES = {1: '/', 2: '/findings', 3: '/jobs', 4: '/sources', 5: '/configuration'};
const COMMON = [['1 … 5', 'the pages'], ['?', 'this list'], ['Esc', 'closes it']];

function showKeys() {
    const dialog = document.getElementById('dialog');
    const rows = [...(view && view.keys ? view.keys : []), ...COMMON];
    dialog.replaceChildren(make('h2', {}, 'Keys'),
        make('dl', {class: 'keys'}, rows.flatMap(([key, text]) => [make('dt', {}, make('kbd', {}, key)), make('dd', {}, text)])),
        make('div', {class: 'row end'}, make('button', {type: 'button', onclick: () => dialog.close()}, 'Close')));
    dialog.onclose = null;
    dialog.showModal();
}

document.addEventListener('keydown', event => {
    if (event.ctrlKey || event.metaKey || event.altKey || document.getElementById('dialog').open) return;
    if (event.target.closest('input:not([type=checkbox]), textarea, select')) {
        if (event.key === 'Escape') event.target.blur();
        return;
    }
    if (event.key === '?') showKeys();
    else if (PAGES[event.key]) go(PAGES[event.key]);
    else if (!(view && view.key && view.key(event))) return;
    event.preventDefault();
});
document.getElementById('keys').addEventListener('click', showKeys);

show().then(listen);
