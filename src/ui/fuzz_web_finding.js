/* One finding: its input beside its result, what the target said, and all that can be done with it.
 *
 * What the result has kept of the input is a longest common subsequence of words (Wagner and
 * Fischer, 1974), of lines where the texts are long; beyond MOST_CELLS nothing is marked.  A form
 * that somebody has begun to fill in is left alone by a refresh. */
import {make, replace, outside, brief, visible, state, fact, field, button, findingLink, count, size, ago, address, ask} from './parts.js';
import {get, send, act, go, mayChange} from './main.js';
import {eventLine, SETTABLE, titleOf} from './views.js';

const SHOWN_BYTES = 64 * 1024, MOST_CELLS = 4e6;

/* ---- differences ---- */

/* Which elements of a and of b are in a longest common subsequence; null: too large. */
function common(a, b) {
    let start = 0, end = 0;
    while (start < a.length && start < b.length && a[start] === b[start]) start++;
    while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
    const n = a.length - start - end, m = b.length - start - end, width = m + 1;
    if (n * m > MOST_CELLS) return null;
    const length = new Uint32Array((n + 1) * width);
    for (let i = n - 1; i >= 0; i--)
        for (let j = m - 1; j >= 0; j--)
            length[i * width + j] = a[start + i] === b[start + j] ? length[(i + 1) * width + j + 1] + 1
                : Math.max(length[(i + 1) * width + j], length[i * width + j + 1]);
    const inA = new Array(a.length).fill(true), inB = new Array(b.length).fill(true);
    inA.fill(false, start, start + n);
    inB.fill(false, start, start + m);
    for (let i = 0, j = 0; i < n && j < m;) {
        if (a[start + i] === b[start + j]) {
            inA[start + i++] = true;
            inB[start + j++] = true;
        } else if (length[(i + 1) * width + j] >= length[i * width + j + 1]) i++;
        else j++;
    }
    return {inA, inB};
}

const words = text => text.match(/[\p{L}\p{N}_]+|\s+|[^]/gu) || [];
const lines = text => text.match(/[^\n]*\n|[^\n]+$/g) || [];

/* Elements in a row of which the same holds become one node. */
function nodes(parts, kept, wrap) {
    const list = [];
    for (let i = 0; i < parts.length;) {
        let text = '', first = i;
        while (i < parts.length && kept[i] === kept[first]) text += parts[i++];
        list.push(...(wrap(text, kept[first]) || visible(text)));
    }
    return list;
}

/* Nodes of both texts: what stayed is marked in the input, what is new is marked in the result. */
function compare(input, result) {
    for (const cut of [words, lines]) {
        const a = cut(input), b = cut(result), found = common(a, b);
        if (!found) continue;
        return {
            input: nodes(a, found.inA, (text, kept) => kept && [make('mark', {}, visible(text))]),
            result: nodes(b, found.inB, (text, kept) => !kept && [make('u', {}, visible(text))]),
        };
    }
    return {input: visible(input), result: visible(result)};
}

/* As diff(1) has it, without what is the same but for two lines around. */
export function differenceOfLines(before, after) {
    const a = lines(before), b = lines(after), found = common(a, b);
    if (!found) return visible(after);
    const rows = [];
    for (let i = 0, j = 0; i < a.length || j < b.length;) {
        if (i < a.length && !found.inA[i]) rows.push(['-', a[i++]]);
        else if (j < b.length && !found.inB[j]) rows.push(['+', b[j++]]);
        else { rows.push([' ', a[i++]]); j++; }
    }
    const near = i => rows.slice(Math.max(0, i - 2), i + 3).some(([sign]) => sign !== ' ');
    const list = [];
    rows.forEach(([sign, text], i) => {
        const line = visible(sign + ' ' + text);
        if (near(i)) list.push(...(sign === ' ' ? line : [make(sign === '+' ? 'mark' : 'span', {class: sign === '-' ? 'cut' : null}, line)]));
        else if (near(i - 1)) list.push(make('span', {class: 'dim'}, '…\n'));
    });
    return list;
}

/* ---- contents ---- */

/* Text, or null for bytes that are none. */
function textOf(bytes) {
    try {
        const text = new TextDecoder('utf-8', {fatal: true}).decode(bytes);
        return text.includes('\0') ? null : text;
    } catch {
        return null;
    }
}

function dump(bytes) {
    const rows = [];
    for (let at = 0; at < Math.min(bytes.length, 4096); at += 16) {
        const row = bytes.slice(at, at + 16);
        rows.push(at.toString(16).padStart(6, '0') + '  ' +
            [...row].map(byte => byte.toString(16).padStart(2, '0')).join(' ').padEnd(48) + ' ' +
            [...row].map(byte => byte >= 32 && byte < 127 ? String.fromCharCode(byte) : '.').join(''));
    }
    return rows.join('\n') + (bytes.length > 4096 ? '\n…' : '');
}

const kept = new Map();
async function content(digest) {
    if (!digest) return null;
    if (!kept.has(digest)) {
        const response = await fetch('/api/v1/contents/' + digest);
        if (!response.ok) return null;
        if (kept.size > 40) kept.clear();
        kept.set(digest, new Uint8Array(await response.arrayBuffer()));
    }
    return kept.get(digest);
}

function pane(title, digest, bytes, whole) {
    const shown = bytes && (bytes.length > SHOWN_BYTES ? bytes.slice(0, SHOWN_BYTES) : bytes);
    const text = shown && textOf(shown), body = make('pre', {class: bytes && text === null ? 'code dump' : 'code', tabindex: 0, 'data-pane': title});
    replace(body, !bytes ? make('span', {class: 'dim'}, 'It is not kept.')
        : text === null ? dump(shown) : whole || visible(text));
    if (bytes && bytes.length > shown.length) body.append(make('span', {class: 'dim'}, '\n… the first ' + size(SHOWN_BYTES) + ' of ' + size(bytes.length)));
    return make('section', {}, make('div', {class: 'code-head'}, make('h2', {}, title),
        make('span', {class: 'small dim'}, bytes ? size(bytes.length) + ' ' : '',
            bytes && text !== null && navigator.clipboard ? button('Copy', () => act('copied', () => navigator.clipboard.writeText(text))) : null, ' ',
            digest ? make('a', {href: '/api/v1/contents/' + digest, download: 'input-' + digest.slice(0, 8)}, 'Download') : null)), body);
}

/* ---- the view ---- */

function factsOf(finding) {
    const text = (name, value, kind) => value ? fact(name, outside(value, 'span', {class: kind || ''})) : null;
    return make('dl', {class: 'facts card'},
        text('Target', finding.target), text('Source', finding.source), fact('Seen', count(finding.count) + '×'),
        fact('First', ago(finding.first_seen)), fact('Last', ago(finding.last_seen)), fact('Validated', ago(finding.validated)),
        finding.runs ? fact('Fails', finding.fails + ' of ' + finding.runs + ' times') : null,
        text('Version', finding.version), text('Fixed with', finding.gone_version), text('First bad', finding.first_bad),
        fact('Configuration', make('a', {href: '/configuration/' + finding.config}, 'version ' + finding.config)),
        finding.url ? fact('Reported', address(finding.url)) : null,
        finding.merged_into ? fact('Same as', findingLink(finding.merged_into)) : null,
        finding.pinned ? fact('Kept apart', 'by hand') : null);
}

async function askMerge(id) {
    const into = make('input', {name: 'into', type: 'number', min: 1, required: true});
    const values = await ask('Merge #' + id + ' into another finding', field('Number of that finding', into), 'Merge');
    if (values) await act('merged', () => send('POST', '/findings/' + id, {action: 'merge', into: Number(values.into)}));
}

async function askReport(id) {
    const places = make('datalist', {id: 'places'}, ['github', 'gitlab', 'bugzilla'].map(name => make('option', {value: name})));
    const values = await ask('Report #' + id, [field('To: github, gitlab, bugzilla, a [report NAME] of the configuration, or a folder',
        make('input', {name: 'detail', list: 'places', required: true})), places], 'Report');
    if (values) await act('to be reported', () => send('POST', '/findings/' + id, {action: 'report', detail: values.detail}));
}

async function askDelete(id) {
    if (!await ask('Delete #' + id + '?', make('p', {class: 'dim'}, 'Its inputs and jobs go with it.'), 'Delete', true)) return;
    if (await act('deleted', () => send('DELETE', '/findings/' + id))) go('/findings');
}

function actionsOf(finding) {
    if (!mayChange()) return null;
    const {id} = finding, request = (action, done) => () => act(done, () => send('POST', '/findings/' + id, {action}));
    return make('div', {class: 'row'},
        make('button', {type: 'button', class: 'main', onclick: request('reduce', 'to be reduced')}, finding.reduced ? 'Reduce again' : 'Reduce'),
        button('Validate', request('validate', 'to be validated')), button('Bisect', request('bisect', 'to be bisected')),
        button('Report …', () => askReport(id)),
        finding.merged_into ? button('Split', request('split', 'split')) : button('Merge …', () => askMerge(id)),
        button('Delete …', () => askDelete(id), 'danger'));
}

function editor(id, changed) {
    const controls = {
        title: make('input', {name: 'title', maxlength: 1000}), url: make('input', {name: 'url', type: 'url', maxlength: 2000, placeholder: 'https://…'}),
        note: make('textarea', {name: 'note', maxlength: 30000}),
        state: make('select', {name: 'state'}, SETTABLE.map(name => make('option', {value: name}, name)))};
    let saved = {}, dirty = false;
    const save = make('button', {type: 'submit', class: 'main', disabled: true}, 'Save');
    const form = make('form', {class: 'form card', oninput: () => { dirty = true; save.disabled = false; }, onsubmit: async event => {
        event.preventDefault();
        const change = {};
        for (const [name, control] of Object.entries(controls)) if (control.value !== saved[name] && !control.disabled) change[name] = control.value;
        if (Object.keys(change).length && !await act('saved', () => send('PATCH', '/findings/' + id, change))) return;
        dirty = false;
        changed();
    }}, field('State', controls.state), field('Title', controls.title), field('Address in the tracker', controls.url), field('Note', controls.note),
        make('div', {class: 'row end'}, save));
    function fill(finding) {
        if (dirty) return;
        saved = {title: finding.title, url: finding.url, note: finding.note, state: finding.state};
        for (const [name, control] of Object.entries(controls)) control.value = saved[name];
        controls.state.disabled = finding.state === 'merged';
        save.disabled = true;
    }
    return {form, fill};
}

function memberTable(members) {
    return make('div', {class: 'scroll'}, make('table', {class: 'cards'},
        make('thead', {}, make('tr', {}, ['Input', 'Bytes', 'Seen', 'Source', 'Version', 'When', 'Signature'].map(name => make('th', {scope: 'col'}, name)))),
        make('tbody', {}, members.map(member => make('tr', {},
            make('td', {class: 'part'}, make('a', {href: '/api/v1/contents/' + member.digest, download: 'input-' + member.digest.slice(0, 8), class: 'mono'}, member.digest.slice(0, 8))),
            make('td', {class: 'part number', 'data-name': 'bytes'}, count(member.bytes)), make('td', {class: 'part number', 'data-name': 'seen'}, count(member.count)),
            make('td', {class: 'part'}, brief(member.source)), make('td', {class: 'part'}, brief(member.version)), make('td', {class: 'part'}, ago(member.seen)),
            make('td', {class: 'wide'}, outside(member.signature.slice(0, 300), 'span', {class: 'mono'})))))));
}

export async function finding(text) {
    const id = Number(text), top = make('div'), panes = make('div', {class: 'columns halves'}), told = make('div');
    const members = make('section'), history = make('section'), edit = editor(id, () => refresh());
    const element = make('div', {}, top, panes, make('div', {class: 'columns'}, told,
        make('div', {}, mayChange() ? make('section', {}, make('h2', {}, 'Edit'), edit.form) : null, history)), members);
    const view = {element, refresh, keys: [['r', 'reduce'], ['v', 'validate'], ['e', 'edit'], ['u', 'up, to the findings'], ['[ ]', 'the one before, the next']], key};
    let shown = '';

    async function refresh() {
        const path = '/findings/' + id;
        const [one, group, log] = await Promise.all([get(path), get(path + '/members'), get(path + '/events?last=50')]);
        const [input, reduced] = await Promise.all([content(one.input), content(one.reduced)]);
        view.title = '#' + id + ' ' + titleOf(one);
        replace(top, make('p', {class: 'small'}, make('a', {href: '/findings'}, 'Findings'), ' › #' + id + '  ', state(one.state)),
            make('h1', {}, visible(titleOf(one))), make('section', {}, actionsOf(one)), make('section', {}, factsOf(one)));
        if (shown !== one.input + one.reduced) drawPanes(one, input, reduced);
        shown = one.input + one.reduced;
        const part = (title, value) => value ? make('section', {}, make('h2', {}, title), make('pre', {class: 'code', tabindex: 0}, visible(value))) : null;
        replace(told, one.note && !mayChange() ? part('Note', one.note) : null, part('What matters in it', one.explanation),
            part('What the target printed', one.output), part('Signature', one.signature), one.identity !== one.signature ? part('Identity', one.identity) : null);
        edit.fill(one);
        replace(history, make('h2', {}, 'History'), make('ul', {class: 'list events'}, log.events.slice().reverse().map(eventLine)),
            log.events.length ? null : make('p', {class: 'dim'}, 'Nothing yet.'));
        replace(members, make('h2', {}, 'Members'), make('p', {class: 'dim small'}, group.members.length < one.count
            ? 'Inputs that showed it: the first ' + group.members.length + ' of ' + count(one.count) + ' are kept.' : 'Inputs that showed it.'),
            group.members.length ? memberTable(group.members) : null);
    }

    function drawPanes(one, input, reduced) {
        const both = input && reduced && input.length <= SHOWN_BYTES && reduced.length <= SHOWN_BYTES;
        const a = both ? textOf(input) : null, b = both ? textOf(reduced) : null;
        const marked = a !== null && b !== null ? compare(a, b) : {};
        panes.replaceChildren(...[one.reduced && pane('Result', one.reduced, reduced, marked.result), pane('Input', one.input, input, marked.input)].filter(Boolean));
        panes.className = one.reduced ? 'columns halves' : '';
    }

    function key(event) {
        if (event.key === 'u') go('/findings');
        else if (event.key === ']') go('/findings/' + (id + 1));
        else if (event.key === '[' && id > 1) go('/findings/' + (id - 1));
        else if (!mayChange()) return false;
        else if (event.key === 'e') edit.form.querySelector('select').focus();
        else if (event.key === 'r') act('to be reduced', () => send('POST', '/findings/' + id, {action: 'reduce'}));
        else if (event.key === 'v') act('to be validated', () => send('POST', '/findings/' + id, {action: 'validate'}));
        else return false;
        return true;
    }
    await refresh();
    return view;
}
