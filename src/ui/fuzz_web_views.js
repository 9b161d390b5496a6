/* The views: dashboard, findings, jobs, sources, configuration.
 *
 * Each builds what stays (forms, headings) once, and replaces what changes on refresh(); what the
 * user has chosen is kept in variables of the view, and of the list of findings in its address. */
import {make, replace, outside, brief, visible, state, fact, tile, field, button, findingLink, count, rate, size,
        duration, ago, clock, ask} from './parts.js';
import {plot} from './plot.js';
import {get, send, act, go, about, mayChange} from './main.js';
import {differenceOfLines} from './finding.js';

const STATES = ['new', 'reduced', 'reported', 'regressed', 'fixed', 'invalid', 'merged'];
const OPEN = ['new', 'reduced', 'reported', 'regressed'];
const SETTABLE = STATES.filter(name => name !== 'merged');

function sum(names) {
    return names.reduce((n, name) => n + (about.findings[name] || 0), 0);
}

function options(names, all, chosen) {
    return [make('option', {value: ''}, all),
            names.map(name => make('option', {value: name, selected: name === chosen}, name))];
}

/* A title may be long; the rest is on the finding's own page. */
function titleOf(finding) {
    const text = finding.title || finding.identity || '(no title)';
    return text.length > 200 ? text.slice(0, 200) + '…' : text;
}

/* ---- dashboard ---- */

/* The curve from its beginning; the store counts in minutes, of which the last one is not over. */
function wholeCurve(points, statistics) {
    if (!points.length) return points;
    const last = Math.max(...statistics.map(row => row.last)), first = points[0];
    const started = Math.min(...statistics.map(row => row.first));
    const begin = started < first.time ? started : first.time - 60e3;
    const end = points[points.length - 1];
    return [{time: begin, tests: 0, failures: 0, findings: 0, edges: 0},
            ...points.slice(0, -1), {...end, time: Math.max(Math.min(end.time, last), begin + 1000)}];
}

/* From sums since the beginning to a rate between neighbours, the first of which holds from the beginning. */
function ratesOf(points) {
    const rates = points.slice(1).map((point, i) => ({
        time: point.time,
        value: (point.tests - points[i].tests) / Math.max(0.001, (point.time - points[i].time) / 1000),
    }));
    return rates.length ? [{...rates[0], time: points[0].time}, ...rates] : rates;
}

/* The store's sentences begin with what they are about; a finding becomes a link. */
function eventLine(event) {
    const name = 'finding ' + event.finding + ' ', text = event.text || event.kind;
    const about = event.finding && text.startsWith(name) ? [findingLink(event.finding), ' ', outside(text.slice(name.length))]
        : event.finding ? [findingLink(event.finding), ' ', outside(text)] : outside(text);
    return make('li', {'data-event': event.id}, clock(event.time), make('span', {class: event.kind === 'trouble' ? 'trouble' : ''}, about));
}

export async function dashboard() {
    const tiles = make('dl', {class: 'tiles'}), plots = make('div', {class: 'plots'});
    const newest = make('ul', {class: 'list'}), running = make('div'), events = make('ul', {class: 'list events'});
    const target = make('select', {'aria-label': 'Target', onchange: draw});
    const element = make('div', {}, make('h1', {}, 'Dashboard'), tiles,
        make('section', {}, make('div', {class: 'code-head'}, make('h2', {}, 'Over time'), make('div', {}, target)), plots),
        make('div', {class: 'columns'},
            make('div', {}, make('section', {}, make('h2', {}, 'Newest findings'), newest),
                 make('section', {}, make('h2', {}, 'Jobs'), running)),
            make('section', {}, make('h2', {}, 'What happened'), events)));

    let ran = [];
    async function draw() {
        const answer = await get('/curve?points=160' + (target.value ? '&target=' + encodeURIComponent(target.value) : ''));
        const points = wholeCurve(answer.points, ran);
        const curve = key => points.map(point => ({time: point.time, value: point[key]}));
        /* Somebody is reading a value off. */
        if (plots.firstChild && plots.matches(':hover, :focus-within')) return;
        plots.replaceChildren(plot('Findings', curve('findings')), plot('Tests per second', ratesOf(points), rate),
                ...(about.edges ? [plot('Edges reached', curve('edges'))] : []), plot('Failing tests', curve('failures')));
    }

    async function refresh() {
        const [list, work, told, statistics] = await Promise.all([
            get('/findings?sort=first_seen&order=desc&limit=8'), get('/jobs'), get('/events?last=25'),
            get('/statistics')]);
        ran = statistics.statistics;
        const speed = about.running ? statistics.statistics.filter(row => about.now - row.last < 120e3)
            .reduce((all, row) => all + row.tests_per_s, 0) : 0;
        if (target.options.length !== about.targets.length + 1)
            replace(target, options(about.targets, 'All targets', target.value));
        target.hidden = about.targets.length < 2;
        replace(tiles, tile('Findings', count(sum(OPEN)), 'open'),
            tile('Not reduced yet', count(sum(['new']))),
            tile('Fixed', count(sum(['fixed']))),
            tile('Regressed', count(sum(['regressed']))),
            tile('Tests', count(about.tests), speed ? rate(speed) + ' /s' : ''),
            tile('Failing tests', count(about.failures)),
            about.edges ? tile('Edges', count(about.edges)) : null);
        replace(newest, list.findings.length ? list.findings.map(finding => make('li', {},
            state(finding.state), ' ', make('a', {href: '/findings/' + finding.id, class: 'title'}, visible(titleOf(finding))),
            make('div', {class: 'dim small'}, '#' + finding.id, ' · ', brief(finding.target), ' · ', brief(finding.source), ' · ',
                 'seen ' + count(finding.count) + '× · ', ago(finding.first_seen)))) :
            make('li', {class: 'empty'}, 'Nothing was found yet.'));
        replace(running, jobTable(work.jobs.filter(job => job.state !== 'waiting'), 'No job is running.'),
            about.jobs.waiting ? make('p', {class: 'dim small'}, count(about.jobs.waiting) + ' more wait.') : null);
        replace(events, told.events.slice().reverse().map(eventLine));
        if (!told.events.length) replace(events, make('li', {class: 'dim'}, 'Nothing yet.'));
        await draw();
    }
    await refresh();
    return {element, refresh};
}

/* ---- findings ---- */

const COLUMNS = [['id', '#'], ['state', 'State'], [null, 'Finding'], ['target', 'Target'], [null, 'Source'],
    ['count', 'Seen'], ['size', 'Bytes'], ['first_seen', 'First'], ['last_seen', 'Last']];

export async function findings() {
    const chosen = {state: '', target: '', source: '', q: '', sort: 'first_seen', order: 'desc', offset: '0'};
    for (const [key, value] of new URLSearchParams(location.search)) if (key in chosen) chosen[key] = value;
    const picked = new Set(), LIMIT = 100;
    let rows = [], total = 0, here = -1, asked = 0;

    const search = make('input', {type: 'search', value: chosen.q, placeholder: 'Search titles, notes, outputs  ( / )',
                                  'aria-label': 'Search', class: 'grow'});
    const target = make('select', {'aria-label': 'Target', onchange: () => choose({target: target.value})});
    const source = make('select', {'aria-label': 'Source', onchange: () => choose({source: source.value})});
    const chips = make('div', {class: 'chips', role: 'group', 'aria-label': 'States'});
    const head = make('tr'), body = make('tbody'), foot = make('div', {class: 'row'}), bulk = make('div', {class: 'bulk row', hidden: true});
    const element = make('div', {}, make('h1', {}, 'Findings'),
        make('div', {class: 'row'}, search, target, source), make('p', {}, chips),
        make('div', {class: 'scroll'}, make('table', {class: 'cards'}, make('thead', {}, head), body)), bulk, foot);

    let typing = 0;
    search.addEventListener('input', () => {
        clearTimeout(typing);
        typing = setTimeout(() => choose({q: search.value}), 200);
    });

    function choose(changes) {
        Object.assign(chosen, {offset: '0'}, changes);
        const kept = Object.entries(chosen).filter(([key, value]) =>
            value && !(key === 'offset' && value === '0') && !(key === 'sort' && value === 'first_seen') && !(key === 'order' && value === 'desc'));
        const query = new URLSearchParams(kept).toString();
        history.replaceState(null, '', '/findings' + (query ? '?' + query : ''));
        here = -1;
        return act('', refresh);
    }

    function drawHead() {
        const all = make('input', {type: 'checkbox', 'aria-label': 'Select all rows', checked: rows.length > 0 && rows.every(row => picked.has(row.id)),
            onchange: () => { rows.forEach(row => all.checked ? picked.add(row.id) : picked.delete(row.id)); draw(); }});
        replace(head, mayChange() ? make('th', {class: 'box'}, all) : null, COLUMNS.map(([key, name]) => {
            if (!key) return make('th', {scope: 'col'}, name);
            const sorted = chosen.sort === key, down = chosen.order === 'desc';
            return make('th', {scope: 'col', class: ['count', 'size'].includes(key) ? 'number' : '',
                               'aria-sort': sorted ? (down ? 'descending' : 'ascending') : null},
                button(name + (sorted ? (down ? ' ↓' : ' ↑') : ''), () =>
                    choose({sort: key, order: sorted && down ? 'asc' : 'desc'})));
        }));
    }

    function rowOf(finding, i) {
        const box = make('input', {type: 'checkbox', 'aria-label': 'Select finding ' + finding.id, checked: picked.has(finding.id),
            onchange: () => { pick(finding.id, box.checked); draw(); }});
        const part = (name, value, kind = '') => make('td', {class: 'part ' + kind, 'data-name': name}, value);
        return make('tr', {'aria-selected': picked.has(finding.id) ? 'true' : 'false', class: i === here ? 'here' : '', 'data-id': finding.id},
            mayChange() ? make('td', {class: 'box'}, box) : null,
            part('', findingLink(finding.id)), part('', state(finding.state)),
            make('td', {class: 'wide title-cell'}, make('a', {href: '/findings/' + finding.id, class: 'title'}, visible(titleOf(finding))),
                 finding.note ? make('div', {class: 'dim small'}, visible(finding.note.slice(0, 120))) : null),
            part('', brief(finding.target)), part('from', brief(finding.source)), part('seen', count(finding.count), 'number'),
            part('', finding.reduced_bytes || finding.state !== 'new' && finding.reduced_bytes
                ? [make('b', {}, count(finding.reduced_bytes)), make('span', {class: 'dim'}, ' of ' + count(finding.bytes))] : count(finding.bytes), 'number'),
            part('first', ago(finding.first_seen)), part('last', ago(finding.last_seen)));
    }

    function pick(id, on) {
        if (on) picked.add(id); else picked.delete(id);
    }

    function drawBulk() {
        bulk.hidden = !picked.size;
        if (!picked.size) return;
        const mark = make('select', {'aria-label': 'Mark as', onchange: () => many({action: 'edit', state: mark.value}, 'marked')},
            make('option', {value: ''}, 'Mark as …'), SETTABLE.map(name => make('option', {value: name}, name)));
        replace(bulk, make('b', {class: 'grow'}, picked.size + ' selected'),
            button('Reduce', () => many({action: 'reduce'}, 'to be reduced')),
            button('Validate', () => many({action: 'validate'}, 'to be validated')), mark,
            button('Merge', merge), button('Delete', remove, 'danger'), button('None', () => { picked.clear(); draw(); }));
    }

    function many(change, done) {
        const ids = [...picked];
        return act(answer => answer.failed.length
            ? answer.done + ' ' + done + '; ' + answer.failed.length + ' not: ' + answer.failed[0].error
            : answer.done + ' ' + done,
            async () => {
                const answer = await send('POST', '/findings', {...change, ids});
                picked.clear();
                return answer;
            });
    }

    async function merge() {
        const ids = [...picked].sort((a, b) => a - b);
        if (ids.length < 2) return act('', () => { throw new Error('select two findings or more to merge them'); });
        const into = ids[0];
        if (!await ask('Merge ' + (ids.length - 1) + ' into #' + into + '?', make('p', {class: 'dim'}, 'They can be split again.'), 'Merge')) return;
        picked.delete(into);
        await many({action: 'merge', into}, 'merged into #' + into);
    }

    async function remove() {
        if (await ask('Delete ' + picked.size + ' findings?', make('p', {class: 'dim'}, 'Their inputs and jobs go with them.'), 'Delete', true))
            await many({action: 'delete'}, 'deleted');
    }

    function draw() {
        const focused = document.activeElement && document.activeElement.closest('tr[data-id]');
        const id = focused && focused.dataset.id, was = focused && document.activeElement.tagName;
        drawHead();
        replace(body, rows.map(rowOf));
        if (!rows.length) replace(body, make('tr', {}, make('td', {colspan: 10, class: 'empty'}, total || chosen.q || chosen.state || chosen.target || chosen.source
            ? 'No finding is like that.' : 'Nothing was found yet.')));
        if (id) {
            const again = body.querySelector('tr[data-id="' + id + '"] ' + (was === 'INPUT' ? 'input' : 'a'));
            if (again) again.focus({preventScroll: true});
        }
        const offset = Number(chosen.offset), last = Math.min(total, offset + rows.length);
        replace(foot, make('p', {class: 'dim grow'}, total ? `${offset + 1} to ${last} of ${count(total)}` : ''),
            total > LIMIT ? [button('Earlier', () => choose({offset: String(Math.max(0, Number(chosen.offset) - LIMIT))})),
                             button('Later', () => choose({offset: String(Number(chosen.offset) + LIMIT)}))] : []);
        if (total > LIMIT) {
            foot.querySelectorAll('button')[0].disabled = offset === 0;
            foot.querySelectorAll('button')[1].disabled = last >= total;
        }
        replace(chips, [['', 'all but merged', sum(STATES.filter(name => name !== 'merged'))], ...STATES.map(name => [name, name, sum([name])])]
            .filter(([name, , n]) => n || !name || chosen.state === name)
            .map(([name, text, n]) => make('button', {type: 'button', class: 'chip', 'aria-pressed': String(chosen.state === name),
                onclick: () => choose({state: name})}, text + ' ' + count(n))));
        replace(target, options(about.targets, 'All targets', chosen.target));
        replace(source, options(about.sources, 'All sources', chosen.source));
        target.value = chosen.target;
        source.value = chosen.source;
        drawBulk();
    }

    async function refresh() {
        const number = ++asked;
        const query = new URLSearchParams(Object.entries({...chosen, limit: String(LIMIT)}).filter(([, value]) => value));
        const answer = await get('/findings?' + query);
        if (number !== asked) return;
        rows = answer.findings;
        total = answer.total;
        draw();
    }

    function key(event) {
        const row = rows[here];
        const move = {j: 1, k: -1, ArrowDown: 1, ArrowUp: -1}[event.key];
        if (move && rows.length) {
            here = Math.min(rows.length - 1, Math.max(0, here + move));
            draw();
            body.rows[here].scrollIntoView({block: 'nearest'});
            return true;
        }
        if (event.key === '/') { search.focus(); return true; }
        if (!row || event.target.closest('button')) return false;
        if (event.key === 'Enter' || event.key === 'o') { go('/findings/' + row.id); return true; }
        if (!mayChange()) return false;
        if (event.key === 'x') { pick(row.id, !picked.has(row.id)); draw(); return true; }
        const action = {r: {action: 'reduce'}, v: {action: 'validate'}, i: {action: 'edit', state: 'invalid'}}[event.key];
        if (!action) return false;
        act('#' + row.id + ': ' + (action.state || action.action), () => send('POST', '/findings/' + row.id, action));
        return true;
    }
    await refresh();
    return {element, refresh, key, keys: [['/', 'search'], ['j k', 'down, up'], ['Enter', 'open'], ['x', 'select'],
        ['r v', 'reduce, validate'], ['i', 'mark as invalid']]};
}

/* ---- jobs ---- */

function jobActions(job) {
    const path = '/jobs/' + job.id;
    if (!mayChange() || !['waiting', 'running', 'paused'].includes(job.state)) return null;
    return make('div', {class: 'row'},
        job.state === 'paused' ? button('Go on', () => act('job ' + job.id + ' goes on', () => send('POST', path + '/resume')))
            : button('Pause', () => act('job ' + job.id + ' is to pause', () => send('POST', path + '/pause'))),
        button('Cancel', () => act('job ' + job.id + ' is to end', () => send('POST', path + '/cancel')), 'danger'));
}

function jobTable(list, empty) {
    if (!list.length) return make('p', {class: 'empty'}, empty);
    return make('div', {class: 'scroll'}, make('table', {class: 'cards'},
        make('thead', {}, make('tr', {}, ['Job', 'State', 'Progress', 'Tests', 'Since', ''].map(name => make('th', {scope: 'col', class: name === 'Tests' ? 'number' : ''}, name)))),
        make('tbody', {}, list.map(job => make('tr', {'data-job': job.id},
            make('td', {class: 'title-cell'}, make('b', {}, job.kind), ' ', job.finding ? findingLink(job.finding) : null, ' ',
                 make('div', {class: 'dim small'}, job.source ? brief(job.source) : null, job.source && job.target ? ' on ' : '',
                      job.target ? brief(job.target) : null)),
            make('td', {class: 'part'}, job.state),
            make('td', {class: 'wide'}, job.state === 'running' && job.done >= 0
                     ? make('progress', {max: 1, value: job.done, 'aria-label': Math.round(100 * job.done) + ' %'}) : null,
                 outside(job.progress.slice(0, 300), 'span', {class: 'small'})),
            make('td', {class: 'part number', 'data-name': 'tests'}, count(job.tests)),
            make('td', {class: 'part'}, job.ended ? ['took ' + duration(job.ended - (job.started || job.ended)) + ', ', ago(job.ended)]
                 : ago(job.started || job.created)),
            make('td', {}, jobActions(job)))))));
}

export async function jobs() {
    const all = make('div', {class: 'row'}), now = make('section'), past = make('section');
    const element = make('div', {}, make('div', {class: 'code-head'}, make('h1', {}, 'Jobs'), all), now, past);
    async function refresh() {
        const {jobs: list} = await get('/jobs?all=1&limit=200');
        const going = list.filter(job => ['running', 'paused', 'waiting'].includes(job.state));
        const order = {running: 0, paused: 1, waiting: 2};
        going.sort((a, b) => order[a.state] - order[b.state]);
        replace(all, mayChange() ? [
            button('Pause all', () => act('all is to pause', () => send('POST', '/jobs/pause'))),
            button('Go on with all', () => act('all goes on', () => send('POST', '/jobs/resume'))),
            button('Validate all findings', () => act('all findings are to be validated', () => send('POST', '/jobs', {kind: 'validate'}))),
            button('Update targets', () => act('the targets are to be updated', () => send('POST', '/jobs', {kind: 'update'})))] : []);
        replace(now, make('h2', {}, 'Now'), about.running ? null
            : make('p', {class: 'dim'}, 'Nobody runs this campaign: what waits is done when pare fuzz run is started.'),
            jobTable(going, 'No job runs or waits.'));
        replace(past, make('h2', {}, 'Before'), jobTable(list.filter(job => !going.includes(job)), 'No job has ended yet.'));
    }
    await refresh();
    return {element, refresh};
}

/* ---- sources ---- */

const MEASURES = [['tests', 'Tests', count], ['tests_per_s', 'Tests/s', rate], ['failures', 'Failing', count], ['findings', 'Found first', count],
    ['unique', 'Unique', count], ['edges', 'Edges first', count], ['testing_s', 'Testing', s => duration(1000 * s)],
    ['making_s', 'Making', s => duration(1000 * s)], ['earned', 'Unique/h', rate]];

export async function sources() {
    const element = make('div'), chosen = {key: 'unique', versions: false};
    let rows = [], harms = [];
    /* Versions of the configuration together, but when they are asked for. */
    function gather() {
        const groups = new Map();
        for (const row of rows) {
            const name = JSON.stringify([row.source, row.target, chosen.versions ? row.config : 0]);
            const group = groups.get(name) || {...row, tests: 0, failures: 0, findings: 0, unique: 0, edges: 0, testing_s: 0, making_s: 0, tests_per_s: 0, last: 0};
            for (const key of ['tests', 'failures', 'findings', 'unique', 'edges', 'testing_s', 'making_s']) group[key] += row[key];
            if (row.last >= group.last) Object.assign(group, {last: row.last, tests_per_s: row.tests_per_s});
            groups.set(name, group);
        }
        const list = [...groups.values()];
        for (const row of list) row.earned = row.testing_s + row.making_s > 0 ? row.unique / (row.testing_s + row.making_s) * 3600 : 0;
        return list.sort((a, b) => b[chosen.key] - a[chosen.key] || b.tests - a.tests);
    }
    function draw() {
        const list = gather();
        const versions = make('input', {type: 'checkbox', checked: chosen.versions, onchange: () => { chosen.versions = versions.checked; draw(); }});
        replace(element, make('div', {class: 'code-head'}, make('h1', {}, 'Sources'),
                make('label', {class: 'row'}, versions, ' by version of the configuration')),
            make('p', {class: 'dim'}, 'What each source of inputs has earned on each target. "Found first": it was the first to show the finding; "unique": of those, neither merged nor invalid.'),
            !list.length ? make('p', {class: 'empty'}, 'Nothing was run yet.') :
            make('div', {class: 'scroll'}, make('table', {class: 'cards'},
                make('thead', {}, make('tr', {}, make('th', {scope: 'col'}, 'Source'), make('th', {scope: 'col'}, 'Target'),
                    chosen.versions ? make('th', {scope: 'col', class: 'number'}, 'Version') : null,
                    MEASURES.map(([key, name]) => make('th', {scope: 'col', class: 'number', 'aria-sort': key === chosen.key ? 'descending' : null},
                        button(name + (key === chosen.key ? ' ↓' : ''), () => { chosen.key = key; draw(); }))),
                    make('th', {scope: 'col'}, 'Last'))),
                make('tbody', {}, list.map(row => make('tr', {},
                    make('td', {class: 'title-cell'}, make('b', {}, brief(row.source))), make('td', {class: 'part', 'data-name': 'on'}, brief(row.target)),
                    chosen.versions ? make('td', {class: 'part number', 'data-name': 'version'}, make('a', {href: '/configuration/' + row.config}, String(row.config))) : null,
                    MEASURES.map(([key, name, write]) => make('td', {class: 'part number', 'data-name': name.toLowerCase()}, write(row[key]))),
                    make('td', {class: 'part'}, ago(row.last))))))),
            harms.length ? make('section', {}, make('h2', {}, 'What targets did besides'),
                make('ul', {}, harms.map(harm => make('li', {}, make('b', {}, brief(harm.target)), ' ' + harm.what + ': ' + count(harm.tests) + (harm.tests === 1 ? ' test' : ' tests'))))) : null);
    }
    async function refresh() {
        const answer = await get('/statistics');
        rows = answer.statistics, harms = answer.harm || [];
        draw();
    }
    await refresh();
    return {element, refresh};
}

/* ---- configuration ---- */

export async function configuration(asked) {
    const newest = Math.max(about.config, 1), number = Number(asked || newest);
    const element = make('div');
    const read = async version => (await get('/configurations/' + version)).text;
    const text = await read(number);
    const before = number > 1 ? await read(number - 1).catch(() => null) : null;
    const links = [];
    for (let i = Math.max(newest, number); i >= 1 && links.length < 20; i--)
        links.push(make('a', {href: '/configuration/' + i, class: 'chip', 'aria-current': i === number ? 'page' : null}, 'version ' + i));
    replace(element, make('h1', {}, 'Configuration, version ' + number), links.length > 1 ? make('p', {class: 'row'}, links) : null,
        make('dl', {class: 'facts'}, fact('Store', outside(about.store, 'span', {class: 'mono'})), fact('pare', about.pare)),
        make('section', {}, make('p', {}), make('pre', {class: 'code', tabindex: 0}, visible(text))),
        before !== null && before !== text ? make('section', {}, make('h2', {}, 'Changed since version ' + (number - 1)),
            make('pre', {class: 'code', tabindex: 0}, differenceOfLines(before, text))) : null);
    return {element, title: 'Configuration ' + number, refresh: async () => {}};
}

export {eventLine, SETTABLE, titleOf};
