/* The script of reports: all that it shows is on the page without it, but for the history.
 *
 * It adds buttons that copy, tells what is pointed at in an explained text, and lets a slider go
 * through the bests of the run, or both sides of an isolation.  Texts of the run are data (JSON, with bytes in base64); they reach
 * the page as text nodes only, with characters that cannot be seen written as escapes. */
(function () {
    "use strict";

    const element = function (name, className, text) {
        const made = document.createElement(name);
        if (className) made.className = className;
        if (text !== undefined) made.textContent = text;
        return made;
    };

    /* --- copying ------------------------------------------------------------------------- */

    /* The text of a pane is that of its lines; one that is not shown whole, or has escapes, has no
     * text to copy: the bytes would be others. */
    const text_of = function (box) {
        if (!box.classList.contains("code")) return box.textContent;
        if (box.classList.contains("hex") || box.querySelector(".x, .fold")) return null;
        return Array.from(box.querySelectorAll(".l"), function (line) {
            return line.textContent;
        }).join("\n");
    };

    /* For pages that may not write to the clipboard. */
    const copy_selected = function (text) {
        const field = element("textarea");
        field.value = text;
        document.body.append(field);
        field.select();
        const done = document.execCommand("copy");
        field.remove();
        return done;
    };

    const copy = function (text) {
        if (!navigator.clipboard) return Promise.resolve(copy_selected(text));
        return navigator.clipboard.writeText(text).then(function () { return true; },
                                                        function () { return copy_selected(text); });
    };

    const add_button = function (box) {
        const text = text_of(box);
        if (!text) return;
        const button = element("button", "copy-it", "Copy");
        button.type = "button";
        button.addEventListener("click", function () {
            copy(text).then(function (done) {
                button.textContent = done ? "Copied" : "Not copied";
                setTimeout(function () { button.textContent = "Copy"; }, 2000);
            });
        });
        const holder = element("div", "holder");
        box.replaceWith(holder);
        holder.append(box, button);
    };

    document.querySelectorAll("pre[data-copy], .copy").forEach(add_button);

    /* --- an explained text ----------------------------------------------------------------- */

    /* What is told of a part: the cells of its row. */
    const words_of = function (row) {
        const cells = row.cells, told = element("span");
        told.append(...Array.from(cells[1].cloneNode(true).childNodes), ": ",
                    ...Array.from(cells[2].cloneNode(true).childNodes));
        if (cells[3].textContent)
            told.append("; does not fail with ", ...Array.from(cells[3].cloneNode(true).childNodes));
        if (cells[4].textContent) told.append(" (" + cells[4].textContent + ")");
        return told;
    };

    const explain = function (pane) {
        const links = Array.from(pane.querySelectorAll("a.p"));
        if (!links.length) return;
        const hint = "Point at a part, or walk through them with Tab and the arrow keys.";
        const told = element("p", "told", hint);
        told.setAttribute("aria-live", "polite");
        (pane.closest(".holder") || pane).before(told);
        const row_of = function (link) {
            return document.getElementById(link.getAttribute("href").slice(1));
        };
        const show = function (link) {
            const at = link ? link.getAttribute("href") : "";
            const row = link && row_of(link);
            links.forEach(function (other) {
                other.classList.toggle("on", other.getAttribute("href") === at);
            });
            document.querySelectorAll("tr.on").forEach(function (other) {
                other.classList.remove("on");
            });
            if (row) row.classList.add("on");
            told.replaceChildren(row ? words_of(row) : hint);
        };
        /* One stop for Tab; the arrow keys go on from there. */
        const focus = function (index) {
            links.forEach(function (link, i) { link.tabIndex = i === index ? 0 : -1; });
            links[index].focus();
        };
        links.forEach(function (link, i) {
            link.removeAttribute("title");
            link.tabIndex = i ? -1 : 0;
            link.addEventListener("mouseenter", function () { show(link); });
            link.addEventListener("focus", function () { show(link); });
        });
        pane.addEventListener("mouseleave", function () {
            show(links.includes(document.activeElement) ? document.activeElement : null);
        });
        pane.addEventListener("keydown", function (event) {
            const at = links.indexOf(document.activeElement);
            const to = {ArrowRight: at + 1, ArrowDown: at + 1, ArrowLeft: at - 1, ArrowUp: at - 1,
                        Home: 0, End: links.length - 1}[event.key];
            if (at < 0 || to === undefined || to < 0 || to >= links.length) return;
            event.preventDefault();
            focus(to);
        });
    };

    document.querySelectorAll(".explained").forEach(explain);

    /* --- the bests of the run ---------------------------------------------------------------- */

    const bytes_of = function (text) {
        return Uint8Array.from(atob(text), function (c) { return c.charCodeAt(0); });
    };

    /* Each best and what the next one takes out of it; all are bytes. */
    const bests_of = function (data, phases) {
        let now = bytes_of(data.first);
        return data.bests.map(function (best, index) {
            let fresh = [];
            if (index) {
                const pieces = [];
                let at = 0, size = 0;
                const add = function (piece) {
                    pieces.push(piece);
                    size += piece.length;
                };
                best[4].forEach(function (edit) {
                    const text = bytes_of(edit[2]);
                    add(now.subarray(at, edit[0]));
                    if (text.length) fresh.push([size, size + text.length]);
                    add(text);
                    at = edit[0] + edit[1];
                });
                add(now.subarray(at));
                now = new Uint8Array(size);
                size = 0;
                pieces.forEach(function (piece) {
                    now.set(piece, size);
                    size += piece.length;
                });
            }
            const next = data.bests[index + 1];
            const going = next ? next[4].filter(function (edit) { return edit[1]; })
                                        .map(function (edit) { return [edit[0], edit[0] + edit[1]]; })
                               : [];
            return {n: best[5], tests: best[0], seconds: best[1], bytes: now,
                    phase: phases[best[3]] || "", fresh: fresh, going: going};
        });
    };

    /* What there is at each step: the best, or the passing side and the failing one; and which of them
     * that step has moved. */
    const steps_of = function (data) {
        const sides = [bests_of(data, data.phases)];
        if (data.passing) sides.unshift(bests_of(data.passing, data.phases));
        const at = sides.map(function () { return 0; });
        const steps = [];
        for (let moved = sides.length - 1; moved >= 0;) {
            const now = sides.map(function (side, i) { return side[at[i]]; });
            steps.push({sides: now, moved: moved, last: now.reduce(function (a, b) {
                return b.n > a.n ? b : a;
            })});
            moved = sides.reduce(function (first, side, i) {
                const next = side[at[i] + 1];
                return next && (first < 0 || next.n < sides[first][at[first] + 1].n) ? i : first;
            }, -1);
            if (moved >= 0) at[moved]++;
        }
        return steps;
    };

    /* What cannot be seen, or turns what is around it, is an escape; so is what is no UTF-8. */
    const hidden = /[\u0000-\u0008\u000a-\u001f\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\u3164\ue000-\uf8ff\ufe00-\ufe0f\ufeff\uffa0\ufff0-\uffff]/u;

    const add_text = function (parent, bytes) {
        const text = new TextDecoder("utf-8", {ignoreBOM: true}).decode(bytes);
        let plain = "";
        for (const c of text) {
            if (!hidden.test(c)) {
                plain += c;
                continue;
            }
            parent.append(plain, element("i", "x", "\\u{" + c.codePointAt(0).toString(16) + "}"));
            plain = "";
        }
        parent.append(plain);
    };

    const add_digits = function (parent, bytes) {
        parent.append(Array.from(bytes, function (byte) {
            return byte.toString(16).padStart(2, "0") + " ";
        }).join(""));
    };

    const is_text = function (bytes) {
        try {
            const text = new TextDecoder("utf-8", {fatal: true}).decode(bytes);
            return !text.includes("\0");
        } catch (error) {
            return false;
        }
    };

    /* Ends of lines, or of rows of 16 bytes. */
    const ends_of = function (bytes, text) {
        const ends = [];
        for (let at = 0; at < bytes.length;) {
            const end = text ? bytes.indexOf(10, at) : -1;
            at = text ? (end < 0 ? bytes.length : end + 1) : Math.min(at + 16, bytes.length);
            ends.push(at);
        }
        return ends;
    };

    /* Fills the pane with the bytes; stretches of `marks` (element, from, to; ascending) are marked. */
    const fill = function (pane, bytes, marks) {
        const text = is_text(bytes), add = text ? add_text : add_digits, lines = [];
        let at = 0, mark = 0;
        ends_of(bytes, text).forEach(function (end, index) {
            const line = element("div", "l");
            line.dataset.n = text ? index + 1 : at.toString(16);
            const last = text && bytes[end - 1] === 10 ? end - 1 : end;
            while (at < last) {
                while (mark < marks.length && marks[mark][2] <= at) mark++;
                const next = marks[mark], inside = next && next[1] <= at;
                const to = Math.min(last, next ? (inside ? next[2] : next[1]) : last);
                const parent = inside ? line.appendChild(element(next[0])) : line;
                add(parent, bytes.subarray(at, to));
                at = to;
            }
            at = end;
            lines.push(line);
        });
        pane.classList.toggle("hex", !text);
        pane.replaceChildren(...lines);
        const first = pane.querySelector("del, u");
        pane.scrollTop = first ? first.offsetTop - pane.clientHeight / 3 : 0;
    };

    /* Stretches that go at the next step and stretches that are new at this one do not overlap: what is
     * new may go at once. */
    const marks_of = function (best, moves, has_moved) {
        const going = moves ? best.going : [];
        const marks = going.map(function (range) { return ["del", range[0], range[1]]; });
        (has_moved ? best.fresh : []).forEach(function (range) {
            if (going.every(function (other) { return other[1] <= range[0] || other[0] >= range[1]; }))
                marks.push(["u", range[0], range[1]]);
        });
        return marks.sort(function (a, b) { return a[1] - b[1]; });
    };

    /* A line across a plot, at the best that is shown. */
    const add_line = function (figure) {
        const lines = figure.querySelector(".lines"), line = lines.querySelector(".curve").cloneNode();
        line.setAttribute("class", "now");
        lines.append(line);
        return function (value) {
            const x = 1000 * Math.min(1, value / Number(figure.dataset.most));
            line.setAttribute("d", "M" + x + " 0V1000");
        };
    };

    /* Adds a pane for each side, under its name where there are two; returns the panes. */
    const add_panes = function (place, names) {
        const pair = element("div", names.length > 1 ? "pair" : "");
        place.append(pair);
        return names.map(function (name) {
            const side = element("div"), pane = element("div", "code r");
            if (names.length > 1) side.append(element("h3", "", name));
            pane.tabIndex = 0;
            pane.setAttribute("role", "region");
            pane.setAttribute("aria-label", name + " at this step");
            side.append(pane);
            pair.append(side);
            return pane;
        });
    };

    const format = new Intl.NumberFormat("en");
    const size_of = function (n) { return format.format(n) + (n === 1 ? " byte" : " bytes"); };

    /* What the next step does to `best`, which is `name`. */
    const words_of_next = function (name, best) {
        const gone = best.going.reduce(function (n, range) { return n + range[1] - range[0]; }, 0);
        const next = name ? "; " + name + " moves next" : "";
        if (!gone) return next + ".";
        return (next || ";") + (next ? ": what is struck out goes" : " what is struck out goes next") +
            ", " + size_of(gone) + ".";
    };

    const add_history = function (place, data) {
        const steps = steps_of(data), slider = element("input"), told = element("p", "told");
        const names = data.passing ? ["Passing side", "Failing side"] : ["The best"];
        const label = element("label", "", data.passing ? "Step through both sides"
                                                        : "Step through the bests");
        const move_tests = add_line(document.querySelector(".by-tests.plot"));
        const move_time = add_line(document.querySelector(".by-time.plot"));
        Object.assign(slider, {type: "range", id: "step", min: 0, max: steps.length - 1,
                               value: steps.length - 1});
        label.htmlFor = "step";
        told.setAttribute("aria-live", "polite");
        place.append(label, slider, told);
        const panes = add_panes(place, names);
        const show = function () {
            const at = Number(slider.value), step = steps[at], next = steps[at + 1];
            const last = step.last, moves = next ? next.moved : -1;
            const sizes = step.sides.map(function (best) { return size_of(best.bytes.length); });
            told.textContent = "After " + format.format(last.tests) +
                (last.tests === 1 ? " test, " : " tests, ") + last.seconds.toFixed(1) + " s: " +
                (data.passing ? sizes[0] + " pass, " + sizes[1] + " fail" : sizes[0]) +
                (last.phase && at ? ", by " + last.phase : "") +
                (next ? words_of_next(data.passing ? "the " + names[moves].toLowerCase() : "",
                                      step.sides[moves]) : ".");
            slider.setAttribute("aria-valuetext", told.textContent);
            step.sides.forEach(function (best, i) {
                fill(panes[i], best.bytes, marks_of(best, i === moves, at && i === step.moved));
            });
            move_tests(last.tests);
            move_time(last.seconds);
        };
        /* Pointing at a plot goes to the best at that place. */
        document.querySelectorAll(".plot[data-most] .frame").forEach(function (frame) {
            const figure = frame.closest(".plot"), by_time = figure.classList.contains("by-time");
            frame.addEventListener("click", function (event) {
                const box = frame.getBoundingClientRect();
                const value = (event.clientX - box.left) / box.width * Number(figure.dataset.most);
                const after = steps.findIndex(function (step) {
                    return (by_time ? step.last.seconds : step.last.tests) > value;
                });
                slider.value = after < 0 ? steps.length - 1 : Math.max(0, after - 1);
                show();
            });
        });
        slider.addEventListener("input", show);
        show();
    };

    const data = document.getElementById("bests");
    if (data) add_history(document.getElementById("history"), JSON.parse(data.textContent));
}());
