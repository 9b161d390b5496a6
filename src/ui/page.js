/* The script of reports: all that it shows is on the page without it, but for the history.
 *
 * It adds buttons that copy, tells what is pointed at in an explained text, and lets a slider go
 * through the bests of the run.  Texts of the run are data (JSON, with bytes in base64); they reach
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
}());
