/* Elements, texts and numbers.
 *
 * All that comes from outside becomes text: make() takes strings as text nodes, and there is no way
 * in these files from a string to markup (the policy of the server has Trusted Types, under which
 * innerHTML throws).  Characters that are not seen, or that turn the text around them, are written
 * as escapes by outside(). */

/* make('p', {class: 'dim', onclick: f}, 'text', element, ...): null and false are left out. */
export function make(name, properties, ...children) {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(properties || {})) {
        if (value === undefined || value === null || value === false) continue;
        if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
        else if (key === 'value') element.value = value;
        else if (key === 'checked') { element.checked = value; element.dataset.checked = ''; }
        else element.setAttribute(key, value === true ? '' : value);
    }
    element.append(...children.flat().filter(child => child !== null && child !== undefined && child !== false));
    return element;
}

/* Gives `element` these children.  What is there already and looks the same stays, with its focus, its
 * scrolling and the mouse button that is held on it: a list may change each second.  So a handler may
 * be that of an earlier child with the same attributes (of a button: and text), and has to look up
 * by itself what can have changed since. */
export function replace(element, ...children) {
    const wanted = children.flat().filter(child => child !== null && child !== undefined && child !== false)
        .map(child => child instanceof Node ? child : document.createTextNode(child));
    const old = [...element.childNodes];
    wanted.forEach((child, i) => i < old.length ? adopt(old[i], child) : element.append(child));
    old.slice(wanted.length).forEach(child => child.remove());
}

function adopt(old, wanted) {
    if (old.isEqualNode(wanted)) return;
    const open = old instanceof Element && wanted instanceof Element && !(old instanceof HTMLButtonElement) &&
        !(old instanceof SVGElement) && old.cloneNode(false).isEqualNode(wanted.cloneNode(false));
    if (open) replace(old, [...wanted.childNodes]);
    else old.replaceWith(wanted);
}

/* ---- texts from outside ---- */

const HIDDEN = /[\u{e0000}-\u{e0fff}\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\uffff]/u;

export function escapeOf(character) {
    const code = character.codePointAt(0);
    return code < 0x100 ? '\\x' + code.toString(16).padStart(2, '0') : '\\u{' + code.toString(16) + '}';
}

/* Nodes for a text: what is hidden in it can be seen. */
export function visible(text) {
    const nodes = [];
    let plain = '';
    if (!HIDDEN.test(text)) return [document.createTextNode(text)];
    for (const character of text) {
        if (!HIDDEN.test(character) || character === '\ufffd') {
            plain += character;
            continue;
        }
        if (plain) nodes.push(document.createTextNode(plain));
        plain = '';
        nodes.push(make('span', {class: 'escape'}, escapeOf(character)));
    }
    if (plain) nodes.push(document.createTextNode(plain));
    return nodes;
}

export function outside(text, name = 'span', properties = {}) {
    return make(name, {...properties, class: 'outside ' + (properties.class || '')}, visible(text));
}

/* For a cell of a table; names are chosen by users and may be long. */
export function brief(text, most = 40) {
    return text.length <= most ? outside(text) : outside(text.slice(0, most) + '…', 'span', {title: text.slice(0, 1000)});
}

/* Only http and https are addresses; everything else is shown, not linked. */
export function address(text) {
    if (!/^https?:\/\/[^\s]+$/i.test(text)) return outside(text);
    const link = outside(text, 'a', {rel: 'noopener noreferrer', target: '_blank'});
    link.href = text;
    return link;
}

/* ---- numbers ---- */

export function count(n) {
    if (n < 0 || !isFinite(n)) return '–';
    if (n < 100000) return Math.round(n).toLocaleString('en-US');
    for (const [size, unit] of [[1e12, 'T'], [1e9, 'G'], [1e6, 'M'], [1e3, 'k']])
        if (n >= size) return (n / size).toPrecision(3) + ' ' + unit;
}

export function rate(n) {
    return n >= 100 || n === 0 ? count(n) : n >= 10 ? n.toFixed(1) : n.toFixed(2);
}

export function size(n) {
    if (n < 10000) return n.toLocaleString('en-US') + (n === 1 ? ' byte' : ' bytes');
    return n < 1024 * 1024 ? (n / 1024).toPrecision(3) + ' KiB' : (n / 1048576).toPrecision(3) + ' MiB';
}

export function duration(ms) {
    const s = Math.max(0, Math.round(ms / 1000));
    if (s < 60) return s + ' s';
    if (s < 3600) return Math.floor(s / 60) + ' min';
    if (s < 86400) return Math.floor(s / 3600) + ' h ' + Math.floor(s % 3600 / 60) + ' min';
    return Math.floor(s / 86400) + ' d ' + Math.floor(s % 86400 / 3600) + ' h';
}

/* "5 min ago", with the exact time for those who point at it. */
export function ago(ms) {
    if (!ms) return make('span', {class: 'dim'}, 'never');
    const date = new Date(ms), past = Date.now() - ms;
    const text = past < 5000 ? 'just now'
        : past < 7 * 86400e3 ? duration(past).split(' ').slice(0, 2).join(' ') + ' ago'
        : date.toISOString().slice(0, 10);
    return make('time', {datetime: date.toISOString(), title: date.toLocaleString()}, text);
}

export function clock(ms) {
    const date = new Date(ms);
    const text = Date.now() - ms < 86400e3 ? date.toTimeString().slice(0, 8) : date.toISOString().slice(5, 10);
    return make('time', {datetime: date.toISOString(), title: date.toLocaleString(), class: 'dim small'}, text);
}

/* ---- common pieces ---- */

export function state(name) {
    return make('span', {class: 'state ' + name}, name);
}

export function fact(name, ...value) {
    return make('div', {}, make('dt', {}, name), make('dd', {}, value));
}

export function tile(name, value, more) {
    return make('div', {class: 'tile'}, make('dt', {}, name),
                make('dd', {}, value, more ? make('small', {}, ' ' + more) : null));
}

export function field(name, control) {
    return make('label', {}, make('span', {}, name), control);
}

export function button(text, act, kind) {
    return make('button', {type: 'button', class: kind, onclick: act}, text);
}

export function findingLink(id, text) {
    return make('a', {href: '/findings/' + id}, text || '#' + id);
}

export function toast(text, trouble) {
    const note = outside(text, 'div', {class: 'toast' + (trouble ? ' trouble' : '')});
    document.getElementById('toasts').append(note);
    setTimeout(() => note.remove(), trouble ? 9000 : 4000);
}

/* A dialog that asks; resolves to the form's values, or null. */
export function ask(title, fields, verb, danger) {
    const dialog = document.getElementById('dialog');
    return new Promise(resolve => {
        const cancel = button('Cancel', () => dialog.close());
        const form = make('form', {class: 'form', method: 'dialog', onsubmit: event => {
            event.preventDefault();
            const values = Object.fromEntries(new FormData(form));
            dialog.onclose = null;
            dialog.close();
            resolve(values);
        }}, make('h2', {}, title), fields,
        make('div', {class: 'row end'}, cancel,
             make('button', {type: 'submit', class: danger ? 'danger' : 'main'}, verb)));
        dialog.onclose = () => resolve(null);
        dialog.replaceChildren(form);
        dialog.showModal();
    });
}
