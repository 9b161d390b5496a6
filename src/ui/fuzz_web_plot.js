/* A curve over time as SVG: axes with round numbers, an area below, and the value under the pointer
 * or, by the arrow keys, under the cursor. */
import {make, count} from './parts.js';

const NS = 'http://www.w3.org/2000/svg';
const WIDTH = 300, HEIGHT = 125, LEFT = 40, RIGHT = 8, TOP = 10, BOTTOM = 22;

function svg(name, properties, ...children) {
    const element = document.createElementNS(NS, name);
    for (const [key, value] of Object.entries(properties)) element.setAttribute(key, value);
    element.append(...children);
    return element;
}

/* The next of 1, 2, 5, 10, ... above. */
function roundUp(value) {
    const power = 10 ** Math.floor(Math.log10(Math.max(value, 1e-9)));
    return [1, 2, 5, 10].map(step => step * power).find(step => step >= value * 0.999999);
}

/* There is room for four characters. */
function short(value) {
    for (const [size, unit] of [[1e9, 'G'], [1e6, 'M'], [1e3, 'k']])
        if (value >= size) return value / size + unit;
    return String(value);
}

/* Steps of a clock, ms. */
const STEPS = [1e3, 2e3, 5e3, 15e3, 30e3, 60e3, 120e3, 300e3, 900e3, 1800e3, 3600e3, 7200e3, 14400e3,
    21600e3, 43200e3, 86400e3, 172800e3, 604800e3, 2592000e3, 31536000e3];

function timeLabel(ms, step) {
    const date = new Date(ms), two = n => String(n).padStart(2, '0');
    if (step >= 86400e3) return two(date.getMonth() + 1) + '-' + two(date.getDate());
    const minutes = two(date.getHours()) + ':' + two(date.getMinutes());
    return step < 60e3 ? minutes + ':' + two(date.getSeconds()) : minutes;
}

/* Times of grid lines: whole steps of the local clock. */
function ticksOf(first, last) {
    const step = STEPS.find(each => (last - first) / each <= (each < 60e3 ? 3 : 4)) || STEPS[STEPS.length - 1];
    const shift = new Date(first).getTimezoneOffset() * 60e3, ticks = [];
    for (let at = Math.ceil((first - shift) / step) * step + shift; at <= last; at += step) ticks.push(at);
    return {step, ticks};
}

function frame(first, last, most, x, y) {
    const group = svg('g', {'aria-hidden': 'true'});
    for (const value of [0, most / 2, most]) {
        if (value % 1) continue;
        group.append(svg('line', {class: 'grid', x1: LEFT, x2: WIDTH - RIGHT, y1: y(value), y2: y(value)}),
                     svg('text', {x: LEFT - 6, y: y(value) + 4, 'text-anchor': 'end'}, short(value)));
    }
    const {step, ticks} = ticksOf(first, last);
    for (const at of ticks)
        group.append(svg('line', {class: 'grid', x1: x(at), x2: x(at), y1: HEIGHT - BOTTOM, y2: HEIGHT - BOTTOM + 4}),
                     svg('text', {x: x(at), y: HEIGHT - 5,
                                  'text-anchor': x(at) > WIDTH - 30 ? 'end' : x(at) < LEFT + 12 ? 'start' : 'middle'},
                         timeLabel(at, step)));
    return group;
}

/* points: [{time, value}], rising in time; `write` makes a text of a value. */
export function plot(title, points, write = count) {
    const now = make('span', {class: 'dim'}), caption = make('figcaption', {}, make('b', {}, title), now);
    if (points.length < 2)
        return make('figure', {class: 'plot card'}, caption, make('p', {class: 'dim small'}, 'Nothing to draw yet.'));
    const first = points[0].time, last = points[points.length - 1].time;
    const most = roundUp(Math.max(...points.map(point => point.value), 1));
    const x = time => LEFT + (WIDTH - LEFT - RIGHT) * (last > first ? (time - first) / (last - first) : 1);
    const y = value => HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * value / most;
    const line = points.map(point => x(point.time).toFixed(1) + ',' + y(point.value).toFixed(1)).join(' ');
    const cursor = svg('line', {class: 'cursor', y1: TOP, y2: HEIGHT - BOTTOM, visibility: 'hidden'});
    const dot = svg('circle', {class: 'dot', r: 3.5, visibility: 'hidden'});
    const end = write(points[points.length - 1].value);
    const image = svg('svg', {viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img', tabindex: 0,
                              'aria-label': `${title}: ${end} at the end; arrow keys show values`},
        frame(first, last, most, x, y),
        svg('polygon', {class: 'area', points: `${x(first)},${y(0)} ${line} ${x(last)},${y(0)}`}),
        svg('polyline', {class: 'curve', points: line}), cursor, dot);
    now.textContent = end;
    let at = points.length - 1;
    const show = index => {
        at = Math.min(points.length - 1, Math.max(0, index));
        const point = points[at];
        for (const [key, value] of [['x1', x(point.time)], ['x2', x(point.time)], ['visibility', 'visible']])
            cursor.setAttribute(key, value);
        for (const [key, value] of [['cx', x(point.time)], ['cy', y(point.value)], ['visibility', 'visible']])
            dot.setAttribute(key, value);
        now.textContent = write(point.value) + ' at ' + new Date(point.time).toTimeString().slice(0, 8);
    };
    const hide = () => {
        cursor.setAttribute('visibility', 'hidden');
        dot.setAttribute('visibility', 'hidden');
        now.textContent = end;
    };
    image.addEventListener('pointermove', event => {
        const box = image.getBoundingClientRect();
        const time = first + (last - first) * ((event.clientX - box.left) / box.width * WIDTH - LEFT) / (WIDTH - LEFT - RIGHT);
        show(points.findLastIndex(point => point.time <= time));
    });
    image.addEventListener('pointerleave', hide);
    image.addEventListener('blur', hide);
    image.addEventListener('keydown', event => {
        const step = {ArrowLeft: -1, ArrowRight: 1}[event.key];
        if (!step) return;
        event.preventDefault();
        show(at + step);
    });
    return make('figure', {class: 'plot card'}, caption, image);
}
