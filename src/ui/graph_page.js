/* Walks a prototype graph in the browser: the script of the page that `pare graph show --format
 * html` writes.
 *
 * The graph is in the page as JSON, in lists of lists (graph_page.c says which fields).  It is
 * turned into lists of neighbours once; after that a view is made for the type that the address
 * names after its #, so that the browser's own history goes back and forth.
 *
 * Names come from the engine and are hostile.  All text goes through element(), which makes text
 * nodes of it and nothing else, with characters that cannot be seen, or that would turn the text
 * around them, written as escapes. */
(function () {
    "use strict";

    const graph = JSON.parse(document.getElementById("graph").textContent);
    const KIND = 0, INSTANCE = 1, PATH = 2, CLASS = 3, LENGTH = 4, PROTOTYPE = 5;
    const FUNCTION = 0, RECEIVER = 1, COUNT = 2, FLAGS = 3;
    const CONSTRUCTS = 1, LEARNED = 2, THROWS = 4;
    const NONE = -1, FEW = 30, MANY = 500, RESULTS = 60, RUN = 4;
    const kinds = ["undefined", "null", "boolean", "number", "string", "symbol", "bigint",
                   "object", "function"];

    /* --- neighbours ------------------------------------------------------------------------ */

    const lists = function (n) {
        return Array.from({length: n}, function () { return []; });
    };
    const members = lists(graph.types.length), owners = lists(graph.types.length);
    const heirs = lists(graph.types.length), own = lists(graph.types.length);
    const takers = lists(graph.types.length), returners = lists(graph.types.length);
    const callers = lists(graph.types.length);
    const taken = lists(graph.signatures.length), returned = lists(graph.signatures.length);

    graph.types.forEach(function (type, i) {
        if (type[PROTOTYPE] !== NONE) heirs[type[PROTOTYPE]].push(i);
    });
    graph.properties.forEach(function (property) {
        members[property[0]].push(property);
        owners[property[2]].push(property);
    });
    graph.signatures.forEach(function (signature, i) {
        own[signature[FUNCTION]].push(i);
        if (signature[RECEIVER] !== NONE) callers[signature[RECEIVER]].push(i);
    });
    /* A signature that takes a type at several positions is one taker of it. */
    const pairs = new Set();
    graph.parameters.forEach(function (parameter) {
        const pair = parameter[0] * graph.signatures.length + parameter[1];
        taken[parameter[1]].push(parameter);
        if (!pairs.has(pair)) takers[parameter[0]].push(parameter[1]);
        pairs.add(pair);
    });
    graph.returns.forEach(function (pair) {
        returned[pair[0]].push(pair[1]);
        returners[pair[1]].push(pair[0]);
    });

    /* --- names ----------------------------------------------------------------------------- */

    /* The same names as graph_names.c makes: "new (this.Date)" is "new Date". */
    const labels = graph.types.map(function (type, i) {
        let path = type[PATH], start = "";
        if (path.startsWith("new (") && path.endsWith(")")) {
            start = "new ";
            path = path.slice(5, -1);
        }
        if (path.startsWith("this.")) path = path.slice(5);
        return path ? start + path : "#" + i;
    });
    const numbers = new Map(), paths = new Map();
    labels.forEach(function (label, i) {
        if (!numbers.has(label)) numbers.set(label, i);
        if (!paths.has(graph.types[i][PATH])) paths.set(graph.types[i][PATH], i);
    });

    function addressOf(type) {
        const label = labels[type];
        return "#" + (numbers.get(label) === type ? encodeURIComponent(label) : "id=" + type);
    }

    /* The type that the address names; the first one if it names none. */
    function typeOfAddress() {
        let name = location.hash.slice(1);
        const number = /^id=(\d+)$/.exec(name);
        if (number && +number[1] < labels.length) return +number[1];
        try { name = decodeURIComponent(name); } catch (error) { return graph.start; }
        return numbers.has(name) ? numbers.get(name) : graph.start;
    }

    const WORD = /^[\p{L}_$][\p{L}\p{N}_$]*$/u;
    function memberName(name) {
        return WORD.test(name.replace(/^@@/, "")) ? name : "\"" + name + "\"";
    }
    function memberPath(owner, name) {
        const plain = WORD.test(name), symbol = name.startsWith("@@") && WORD.test(name.slice(2));
        if (plain) return owner === graph.global ? name : labels[owner] + "." + name;
        return labels[owner] + (symbol ? "[Symbol." + name.slice(2) + "]" : "[\"" + name + "\"]");
    }

    function sort(type) {
        const kind = kinds[graph.types[type][KIND]];
        return kind === "function" || kind === "object" ? kind : "primitive";
    }

    /* "1 type", "3,300 types" */
    function count(n, one, many) {
        return n.toLocaleString("en") + " " + (n === 1 ? one : many);
    }

    /* --- making elements ------------------------------------------------------------------- */

    /* Characters that are not seen, or that move others: controls, formats, private ones,
     * separators, fillers, selectors of variants. */
    const HIDDEN = /[\p{C}\p{Z}\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0]/gu;
    function visible(text) {
        return text.replace(HIDDEN, function (c) {
            return c === " " ? c : "\\u{" + c.codePointAt(0).toString(16) + "}";
        });
    }

    /* `look` is a class, or null; strings among the children become text. */
    function element(tag, look, ...children) {
        const made = document.createElement(tag);
        if (look) made.className = look;
        children.forEach(function (child) {
            if (child === null) return;
            made.append(typeof child === "string" ? document.createTextNode(visible(child)) : child);
        });
        return made;
    }

    function link(type, text) {
        const made = element("a", "type " + sort(type), text === undefined ? labels[type] : text);
        made.href = addressOf(type);
        return made;
    }

    /* Links with `between` between them. */
    function joined(items, between) {
        const all = [];
        items.forEach(function (item, i) {
            if (i) all.push(between);
            all.push(item);
        });
        return all;
    }

    /* --- signatures ------------------------------------------------------------------------ */

    function parametersOf(signature) {
        const n = graph.signatures[signature][COUNT], byPosition = new Map(), groups = [];
        taken[signature].forEach(function (parameter) {
            if (!byPosition.has(parameter[2])) byPosition.set(parameter[2], []);
            byPosition.get(parameter[2]).push(link(parameter[0]));
        });
        const typed = [...byPosition.keys()].sort(function (a, b) { return a - b; });
        let position = 0;
        typed.concat(n).forEach(function (next) {
            const free = next - position;
            if (free >= RUN) groups.push(["any x" + free]);
            for (let i = 0; free < RUN && i < free; i++) groups.push(["any"]);
            if (next < n) groups.push(joined(byPosition.get(next), " | "));
            position = next + 1;
        });
        return joined(groups, [", "]).flat();
    }

    function returnsOf(signature) {
        if (returned[signature].length)
            return joined(returned[signature].map(function (type) { return link(type); }), " | ");
        return [graph.signatures[signature][FLAGS] & THROWS ? "throws" : "?"];
    }

    /* `name` is what stands before the parameters: an element. */
    function notation(signature, name) {
        const constructs = graph.signatures[signature][FLAGS] & CONSTRUCTS;
        return element("code", null, constructs ? "new " : null, name, "(",
                       ...parametersOf(signature), ") ", element("span", "arrow", "\u2192"), " ",
                       ...returnsOf(signature));
    }

    /* Whether a function is there to construct: see pare_graph_facts_constructs. */
    function constructs(type) {
        const made = own[type].filter(function (signature) {
            return graph.signatures[signature][FLAGS] & CONSTRUCTS;
        });
        const prototype = members[type].find(function (p) { return p[1] === "prototype"; });
        return made.some(function (signature) {
            return graph.signatures[signature][FLAGS] & LEARNED;
        }) || made.length > 0 && prototype !== undefined &&
              members[prototype[2]].some(function (p) { return p[1] !== "constructor"; });
    }

    /* The one that a list of members shows: see pare_graph_names_best. */
    function best(type) {
        const wanted = constructs(type) ? CONSTRUCTS : 0;
        let found = NONE, rank = NONE;
        own[type].forEach(function (signature) {
            const flags = graph.signatures[signature][FLAGS];
            const value = ((flags & CONSTRUCTS) === wanted ? 4 : 0) + (flags & LEARNED ? 2 : 0) +
                          (flags & THROWS ? 0 : 1);
            if (value > rank) { found = signature; rank = value; }
        });
        return found;
    }

    function valuesOf(signature) {
        return taken[signature].filter(function (p) { return p[3] !== ""; }).map(function (p) {
            return element("div", "values", "argument " + (p[2] + 1) + ": ",
                           ...joined(p[3].split("\n").map(function (value) {
                               return element("code", null, value);
                           }), ", "));
        });
    }

    function ownSignature(signature) {
        const about = graph.signatures[signature];
        return element("li", null, notation(signature, labels[about[FUNCTION]]),
                       about[RECEIVER] === NONE ? null : element("code", null, " on ",
                                                                 link(about[RECEIVER])),
                       about[FLAGS] & LEARNED ? element("span", "badge", "learned") : null,
                       ...valuesOf(signature));
    }

    function otherSignature(signature) {
        const type = graph.signatures[signature][FUNCTION];
        return element("li", null, notation(signature, link(type)));
    }

    /* --- lists ----------------------------------------------------------------------------- */

    /* A list whose entries are made when they are shown: FEW at first, then MANY each time. */
    function list(items, make, look) {
        const made = element("ul", look || null);
        let shown = 0;
        const more = function (n) {
            items.slice(shown, shown + n).forEach(function (item) { made.append(make(item)); });
            shown = Math.min(items.length, shown + n);
        };
        more(items.length <= FEW + 5 ? items.length : FEW);
        if (shown === items.length) return made;
        const button = element("button", null, "");
        const tell = function () {
            const rest = items.length - shown;
            button.textContent = "show " + (rest > MANY ? MANY + " of " : "") +
                                 count(rest, "more", "more");
        };
        tell();
        button.type = "button";
        button.addEventListener("click", function () {
            const first = made.children.length;
            more(MANY);
            tell();
            const target = made.children[first].querySelector("a");
            if (target) target.focus();
            if (shown === items.length) button.remove();
        });
        return element("div", null, made, button);
    }

    function section(title, n, ...content) {
        if (!n) return null;
        return element("section", null, element("h2", null, title, " ",
                                                element("span", "count", n.toLocaleString("en"))),
                       ...content);
    }

    function member(property) {
        const type = property[2], signature = best(type), name = memberName(property[1]);
        if (signature === NONE || property[1] === "constructor")
            return element("li", null, element("code", null, element("span", "name", name), ": ",
                                               link(type)));
        const others = own[type].length - 1;
        const target = link(type, name);
        target.title = visible(labels[type]);
        return element("li", null, notation(signature, target),
                       others ? element("span", "more", " +" + count(others, "signature",
                                                                     "signatures")) : null);
    }

    /* Own members, with a field that filters them where there are many. */
    function memberSection(type) {
        const all = members[type];
        if (!all.length) return null;
        let shown = list(all, member, "members");
        if (all.length <= FEW) return section("Members", all.length, shown);
        const field = element("input", "filter");
        field.type = "search";
        field.placeholder = "filter members";
        field.setAttribute("aria-label", "filter members");
        field.addEventListener("input", function () {
            const wanted = field.value.toLowerCase();
            const next = list(all.filter(function (property) {
                return property[1].toLowerCase().includes(wanted);
            }), member, "members");
            shown.replaceWith(next);
            shown = next;
        });
        return section("Members", all.length, field, shown);
    }

    function inheritedSection(type) {
        const parts = [];
        let n = 0;
        for (let up = graph.types[type][PROTOTYPE]; up !== NONE; up = graph.types[up][PROTOTYPE]) {
            if (!members[up].length) continue;
            const details = element("details", null,
                                    element("summary", null, "from ", link(up), " ",
                                            element("span", "count", String(members[up].length))));
            /* Filled when it is opened: Object.prototype is below everything. */
            const at = up;
            details.addEventListener("toggle", function () {
                if (details.open && details.children.length === 1)
                    details.append(list(members[at], member, "members"));
            });
            parts.push(details);
            n += members[up].length;
        }
        return section("Inherited members", n, ...parts);
    }

    /* --- the view of a type ---------------------------------------------------------------- */

    /* The path, in which each beginning that is a type is a link. */
    function pathOf(type) {
        const path = graph.types[type][PATH], parts = [];
        let from = 0;
        for (let at = 1; at <= path.length; at++) {
            if (at < path.length && path[at] !== "." && path[at] !== "[") continue;
            const found = paths.get(path.slice(0, at)), text = path.slice(from, at);
            parts.push(found === undefined || found === type ? text : link(found, text));
            from = at;
        }
        return element("code", "path", ...parts);
    }

    function factsOf(type) {
        const about = graph.types[type], chain = [];
        for (let up = about[PROTOTYPE]; up !== NONE; up = graph.types[up][PROTOTYPE])
            chain.push(link(up));
        const facts = element("dl");
        const add = function (name, ...value) {
            facts.append(element("div", null, element("dt", null, name),
                                 element("dd", null, ...value)));
        };
        add("Kind", (about[INSTANCE] ? "any " : "") + kinds[about[KIND]] +
                    (type === graph.global ? ", the global object" : ""));
        if (about[CLASS]) add("Class", about[CLASS]);
        if (kinds[about[KIND]] === "function") add("Declared parameters", String(about[LENGTH]));
        if (chain.length) add("Prototypes", ...joined(chain, " \u203a "));
        return facts;
    }

    function ownerOf(property) {
        return element("li", null, element("code", null, link(property[0]), ".",
                                           memberName(property[1])));
    }

    function heirOf(type) {
        return element("li", null, element("code", null, link(type)));
    }

    function show() {
        const type = typeOfAddress(), view = document.getElementById("view");
        const heading = element("h1", "subject " + sort(type), labels[type]);
        heading.tabIndex = -1;
        const relations = [
            section("Member of", owners[type].length, list(owners[type], ownerOf)),
            section("Prototype of", heirs[type].length, list(heirs[type], heirOf)),
            section("Returned by", returners[type].length, list(returners[type], otherSignature)),
            section("Taken by", takers[type].length, list(takers[type], otherSignature)),
            section("Called on it", callers[type].length, list(callers[type], otherSignature))];
        view.replaceChildren(
            element("div", "head", element("p", "sub", "reached as ", pathOf(type)), heading,
                    factsOf(type)),
            element("div", "columns",
                    element("div", null,
                            section("Signatures", own[type].length, list(own[type], ownSignature)),
                            memberSection(type), inheritedSection(type)),
                    element("div", null, ...relations)));
        document.title = visible(labels[type] + " \u2013 " + graph.engine);
        scrollTo(0, 0);
        return heading;
    }

    /* --- searching ------------------------------------------------------------------------- */

    /* All that can be found: a name in small letters, what is shown, and where it leads. */
    const entries = [];
    labels.forEach(function (label, i) {
        const last = label.slice(Math.max(label.lastIndexOf("."), label.lastIndexOf(" ")) + 1);
        entries.push({name: last.toLowerCase(), whole: label.toLowerCase(), text: label, type: i,
                      to: i});
    });
    graph.properties.forEach(function (property) {
        const text = memberPath(property[0], property[1]);
        if (numbers.has(text)) return; /* found as a type */
        entries.push({name: property[1].toLowerCase(), whole: text.toLowerCase(), text: text,
                      type: property[2], to: sort(property[2]) === "primitive" ? property[0]
                                                                               : property[2]});
    });

    /* Lower is better; 9: no match. */
    function rankOf(entry, wanted) {
        if (entry.whole === wanted) return 0;
        if (entry.name === wanted) return 1;
        if (entry.name.startsWith(wanted)) return 2;
        if (entry.whole.startsWith(wanted)) return 3;
        if (entry.name.includes(wanted)) return 4;
        return entry.whole.includes(wanted) ? 5 : 9;
    }

    function search(wanted) {
        const found = [];
        entries.forEach(function (entry) {
            const rank = rankOf(entry, wanted);
            if (rank < 9) found.push({rank: rank, entry: entry});
        });
        found.sort(function (a, b) {
            return a.rank - b.rank || a.entry.text.length - b.entry.text.length ||
                   (a.entry.text < b.entry.text ? -1 : 1);
        });
        return found;
    }

    const field = document.getElementById("search"), results = document.getElementById("results");
    let chosen = NONE;

    function choose(next) {
        const options = results.querySelectorAll("[role=option]");
        if (options[chosen]) options[chosen].setAttribute("aria-selected", "false");
        chosen = options.length ? (next + options.length) % options.length : NONE;
        if (chosen === NONE) return field.removeAttribute("aria-activedescendant");
        options[chosen].setAttribute("aria-selected", "true");
        options[chosen].scrollIntoView({block: "nearest"});
        field.setAttribute("aria-activedescendant", options[chosen].id);
    }

    function close() {
        results.hidden = true;
        field.setAttribute("aria-expanded", "false");
        field.removeAttribute("aria-activedescendant");
        chosen = NONE;
    }

    function go(to) {
        close();
        field.value = "";
        if (location.hash === addressOf(to)) show().focus();
        else location.hash = addressOf(to);
    }

    function option(entry, i) {
        const made = element("div", "option " + sort(entry.type),
                             element("span", "found", entry.text),
                             element("span", "sub", kinds[graph.types[entry.type][KIND]]));
        made.id = "option-" + i;
        made.setAttribute("role", "option");
        made.setAttribute("aria-selected", "false");
        made.addEventListener("mousedown", function (event) { event.preventDefault(); });
        made.addEventListener("click", function () { go(entry.to); });
        made.to = entry.to;
        return made;
    }

    function offer() {
        const wanted = field.value.trim().toLowerCase();
        if (!wanted) return close();
        const found = search(wanted);
        results.replaceChildren(...found.slice(0, RESULTS).map(function (hit, i) {
            return option(hit.entry, i);
        }));
        const rest = found.length - RESULTS;
        if (!found.length) results.append(element("p", "sub", "nothing has this name"));
        else if (rest > 0) results.append(element("p", "sub", "and " + count(rest, "more", "more")));
        results.hidden = false;
        field.setAttribute("aria-expanded", "true");
        chosen = NONE;
        choose(0);
    }

    field.addEventListener("input", offer);
    field.addEventListener("focus", offer);
    field.addEventListener("blur", close);
    field.addEventListener("keydown", function (event) {
        const options = results.querySelectorAll("[role=option]");
        if (event.key === "ArrowDown") choose(chosen + 1);
        else if (event.key === "ArrowUp") choose(chosen - 1);
        else if (event.key === "Enter" && options[chosen]) go(options[chosen].to);
        else if (event.key === "Escape") { close(); field.blur(); return; }
        else return;
        event.preventDefault();
    });
    document.addEventListener("keydown", function (event) {
        if (event.key !== "/" || event.target.tagName === "INPUT") return;
        event.preventDefault();
        field.focus();
    });
    addEventListener("hashchange", function () { show().focus({preventScroll: true}); });

    document.getElementById("about").textContent = visible(
        count(graph.types.length, "type", "types") + ", " +
        count(graph.signatures.length, "signature", "signatures") + ", " +
        count(graph.properties.length, "member", "members"));
    show();
})();
