/* What `pare graph explore` has an engine run.  It looks at every object that properties and
 * prototypes lead to from the global object, breadth first, and prints what it saw.
 *
 * Of what it finds it calls nothing but getters, which run when a property is read.  It is
 * ECMAScript 5, with newer things (Symbol, Map, Reflect) only where they are, so that it runs in
 * any shell that has print or console.log.
 *
 * Whatever an engine may die of is a step, and steps are counted.  The same engine makes the same
 * steps in the same order, so pare finds the one that kills it by runs with other limits, even
 * if the dying engine loses what it printed; from then on that step is skipped.
 *
 * `options`, which pare writes after this function, has
 *   limit  the last step to make
 *   skip   the steps not to make, ascending
 *   never  properties not to look at: "exit" in any object, "this.load" in the global object
 *   most   how many objects to look at, and how many properties of one object
 *
 * Each line that is printed is a word and fields, separated by one space:
 *   pare-probe 1                       the first line
 *   o ID PARENT HOW NAME  object ID was seen.  HOW m: it is the property NAME of object PARENT;
 *                        v: the prototype of that property; p: the prototype of PARENT; s: the
 *                        prototype of what the expression NAME makes; g: it is the global object
 *   t ID KIND CLASS LENGTH
 *                        KIND: o object, f function, c function that `new` takes
 *   p ID TYPE            its prototype
 *   m ID NAME TYPE       it has a property, which leads to TYPE
 *   a ID NAME TYPE       it has an accessor, which gave TYPE; a later line counts
 *   i ID CLASS           objects whose prototype is ID have this class
 *   n ID NAME TYPE       and this property of their own
 *   k KIND ID            primitives of this kind have the prototype ID
 *   s STEP               so many steps were made
 *   stop STEP ID NAME    the limit forbids this step; the last line
 *   end OBJECTS          all was looked at; the last line
 * TYPE is the number of an object; i and a number, any object that has this prototype; or a letter:
 * u undefined, n null, b boolean, d number, s string, y symbol, g bigint, - unknown.  A NAME is
 * escaped: what is no letter, digit, _ or $ is % and the four hexadecimal digits of its UTF-16
 * unit.  % alone is the empty name, %@iterator is Symbol.iterator; in a `stop`, %! is no property
 * but the object as a whole, and %= comes before an expression. */
(function (options) {
    /* --- what it works with, kept before anything is looked at ---------------------------- */

    var root = typeof globalThis === "object" ? globalThis : Function("return this")();
    var say = typeof print === "function" ? print : function (text) { console.log(text); };
    var prototypeOf = Object.getPrototypeOf;
    var namesOf = Object.getOwnPropertyNames;
    var symbolsOf = Object.getOwnPropertySymbols;
    var describe = Object.getOwnPropertyDescriptor;
    var classText = Object.prototype.toString;
    var construct = typeof Reflect === "object" && Reflect ? Reflect.construct : null;
    var STOPPED = {};
    var NO_NAME = "%!";

    /* --- printing: a block of lines at a time, since each print may be a system call -------- */

    var lines = [];

    function flush() {
        if (lines.length) say(lines.join("\n"));
        lines.length = 0;
    }

    function line(text) {
        lines.push(text);
        if (lines.length >= 64) flush();
    }

    function escaped(name) {
        var text = "", i, unit;
        if (name === "") return "%";
        for (i = 0; i < name.length; i++) {
            unit = name.charCodeAt(i);
            if ((unit >= 97 && unit <= 122) || (unit >= 65 && unit <= 90) ||
                (unit >= 48 && unit <= 57) || unit === 95 || unit === 36)
                text += name.charAt(i);
            else
                text += "%" + (unit + 0x10000).toString(16).slice(1);
        }
        return text;
    }

    /* --- steps ------------------------------------------------------------------------------ */

    var steps = 0, nextSkip = 0;
    var skipped = {}; /* "ID NAME" of the properties that were skipped */

    /* Whether to go on with what may be the engine's end. */
    function step(id, name) {
        if (steps >= options.limit) {
            line("stop " + (steps + 1) + " " + id + " " + name);
            throw STOPPED;
        }
        steps++;
        if (options.skip[nextSkip] !== steps) return true;
        nextSkip++;
        skipped[id + " " + name] = true;
        return false;
    }

    /* --- the objects seen so far, in the order of their numbers ----------------------------- */

    var objects = [], origins = [];
    var numbers = typeof Map === "function" ? new Map() : null; /* else `objects` is searched */

    function isObject(value) {
        return (typeof value === "object" && value !== null) || typeof value === "function";
    }

    /* -1: not seen yet. */
    function find(object) {
        var i;
        if (numbers) {
            i = numbers.get(object);
            return i === undefined ? -1 : i;
        }
        for (i = 0; i < objects.length; i++)
            if (objects[i] === object) return i;
        return -1;
    }

    /* `origin`: PARENT HOW NAME, as above.  -1: there are too many. */
    function number(object, origin) {
        var id = find(object);
        if (id >= 0) return id;
        if (objects.length >= options.most.objects) return -1;
        id = objects.length;
        objects.push(object);
        origins.push(origin);
        if (numbers) numbers.set(object, id);
        return id;
    }

    function letter(value) {
        switch (typeof value) {
        case "undefined": return "u";
        case "boolean": return "b";
        case "number": return "d";
        case "string": return "s";
        case "symbol": return "y";
        case "bigint": return "g";
        }
        return value === null ? "n" : "-";
    }

    function prototypeNumber(object, origin) {
        var prototype;
        try {
            prototype = prototypeOf(object);
        } catch (e) {
            return "-";
        }
        if (prototype === null) return "n";
        prototype = number(prototype, origin);
        return prototype < 0 ? "-" : "" + prototype;
    }

    function typeOf(value, origin) {
        var id;
        if (!isObject(value)) return letter(value);
        id = number(value, origin);
        return id < 0 ? "-" : "" + id;
    }

    /* Of what may be made anew at each look: any object of its prototype, if it is not known. */
    function instanceType(value, origin) {
        var id;
        if (!isObject(value)) return letter(value);
        id = find(value);
        if (id >= 0) return "" + id;
        id = prototypeNumber(value, origin);
        return id === "n" || id === "-" ? "-" : "i" + id;
    }

    /* --- properties -------------------------------------------------------------------------- */

    var never = {};
    var symbols = [], symbolNames = []; /* those that are properties of Symbol */

    function isNever(id, name) {
        return never["." + name] === true || (id === 0 && never[".this." + name] === true);
    }

    function symbolName(symbol) {
        for (var i = 0; i < symbols.length; i++)
            if (symbols[i] === symbol) return "%@" + escaped(symbolNames[i]);
        return null;
    }

    /* The own properties of an object, sorted, so that an engine which adds one in the midst
     * numbers the others as before: a list of {key, name}.  `caller` and `arguments` of functions
     * are about whoever runs, so about this script. */
    function propertiesOf(object, id) {
        var found = [], names, i, name;
        try {
            names = namesOf(object).sort();
        } catch (e) {
            return found;
        }
        for (i = 0; i < names.length && found.length < options.most.properties; i++) {
            name = names[i];
            if (isNever(id, name)) continue;
            if (typeof object === "function" && (name === "caller" || name === "arguments"))
                continue;
            found.push({key: name, name: escaped(name)});
        }
        if (!symbolsOf) return found;
        try {
            names = symbolsOf(object);
        } catch (e) {
            return found;
        }
        for (i = 0; i < names.length; i++) {
            name = symbolName(names[i]);
            if (name !== null) found.push({key: names[i], name: name});
        }
        return found;
    }

    /* What an accessor gave: an object which is the same at each look is one of its own. */
    function accessorType(object, key, value, id, name) {
        var again;
        if (!isObject(value) || find(value) >= 0) return typeOf(value, "");
        try {
            again = object[key];
        } catch (e) { /* it is not the same */ }
        return again === value ? typeOf(value, id + " m " + name)
                               : instanceType(value, id + " v " + name);
    }

    function lookAtProperty(object, id, property) {
        var name = property.name, about, value, type = "-", threw = false;
        try {
            about = describe(object, property.key);
        } catch (e) {
            return;
        }
        if (!about) return;
        try {
            value = object[property.key];
        } catch (e) {
            threw = true;
        }
        if (about.get || about.set) {
            if (!threw) type = accessorType(object, property.key, value, id, name);
            line("a " + id + " " + name + " " + type);
        } else {
            if (!threw) type = typeOf(value, id + " m " + name);
            line("m " + id + " " + name + " " + type);
        }
    }

    /* --- objects ------------------------------------------------------------------------------ */

    function classOf(object) {
        try {
            return escaped(classText.call(object).slice(8, -1));
        } catch (e) {
            return "Object";
        }
    }

    function lengthOf(object) {
        try {
            var length = object.length;
            return typeof length === "number" && length >= 0 && length < 256 ? length | 0 : 0;
        } catch (e) {
            return 0;
        }
    }

    /* `new` that is told to make an Object, but with the prototype that `object` has for its
     * instances, refuses what is no constructor, and calls nothing. */
    function passesForNew(object) {
        try {
            construct(Object, [], object);
            return true;
        } catch (e) {
            return false;
        }
    }

    var canAsk = !!construct && passesForNew(Date) && !passesForNew(Math.abs);

    function kindOf(object) {
        if (typeof object !== "function") return "o";
        if (canAsk) return passesForNew(object) ? "c" : "f";
        try {
            return describe(object, "prototype") && isObject(object.prototype) ? "c" : "f";
        } catch (e) {
            return "f";
        }
    }

    function lookAt(id) {
        var object = objects[id], properties, i;
        line("o " + id + " " + origins[id]);
        if (!step(id, NO_NAME)) return;
        line("t " + id + " " + kindOf(object) + " " + classOf(object) + " " +
             (typeof object === "function" ? lengthOf(object) : 0));
        lookAtPrototype(id);
        properties = propertiesOf(object, id);
        for (i = 0; i < properties.length; i++)
            if (step(id, properties[i].name)) lookAtProperty(object, id, properties[i]);
        line("s " + steps);
    }

    /* Objects whose prototype has no number yet: most prototypes are properties too, and
     * "this.Array.prototype" tells more than "the prototype of this.x". */
    var waiting = [];

    function lookAtPrototype(id) {
        var prototype;
        try {
            prototype = prototypeOf(objects[id]);
        } catch (e) {
            return;
        }
        if (prototype === null)
            line("p " + id + " n");
        else if (find(prototype) >= 0)
            line("p " + id + " " + find(prototype));
        else
            waiting.push({id: id, prototype: prototype});
    }

    /* Gives the first prototype that is still without a number one. */
    function numberWaiting() {
        var i, first = waiting[0], left = [], id = number(first.prototype, first.id + " p " + NO_NAME);
        for (i = 0; i < waiting.length; i++) {
            if (waiting[i].prototype !== first.prototype) left.push(waiting[i]);
            else if (id >= 0) line("p " + waiting[i].id + " " + id);
        }
        waiting = left;
    }

    var looked = 0;

    function lookAtAll() {
        for (;;) {
            while (looked < objects.length) lookAt(looked++);
            if (!waiting.length) return;
            numberWaiting();
        }
    }

    /* --- samples: what instances have of their own, and what getters of prototypes give ------- */

    var samples = [
        "{}", "[]", "function () {}", "/x/", "new Date(0)", "new Error('e')",
        "Object('s')", "Object(1)", "Object(true)",
        "Object(Symbol())", "Object(BigInt(1))", "new Map()", "new Set()", "new WeakMap()",
        "new WeakSet()", "new ArrayBuffer(8)", "new SharedArrayBuffer(8)",
        "new DataView(new ArrayBuffer(8))", "new Uint8Array(8)", "new Float64Array(8)",
        "new Promise(function () {})", "[][Symbol.iterator]()", "''[Symbol.iterator]()",
        "new Map().entries()", "new Set().entries()", "''.matchAll(/x/g)", "function* () {}",
        "(function* () {})()", "async function () {}", "async function* () {}",
        "(async function* () {})()", "new WeakRef({})", "new Intl.Collator()",
        "new Intl.DateTimeFormat()", "new Intl.NumberFormat()", "new Intl.PluralRules()",
        "new Intl.Locale('en')", "new Intl.Segmenter()", "new WebAssembly.Memory({initial: 1})",
        "new URL('http://a/')", "new URLSearchParams()", "new TextEncoder()", "new TextDecoder()",
        "new AbortController()", "new Event('e')", "new EventTarget()", "new Headers()",
        "new Blob([])"
    ];

    /* The expression of a sample's property, escaped. */
    function expressionOf(text, property) {
        var key = typeof property.key === "string" ? property.key : property.name;
        return escaped("(" + text + ")." + key);
    }

    /* Reads the property of a sample; prints the line that begins with `start`. */
    function lookAtSampleProperty(sample, text, property, start) {
        var expression = expressionOf(text, property), value;
        if (!step(0, "%=" + expression)) return;
        try {
            value = sample[property.key];
        } catch (e) {
            return;
        }
        line(start + " " + property.name + " " + instanceType(value, "0 s " + expression));
    }

    /* Reads the accessors that the prototypes of a sample have. */
    function lookAtAccessors(sample, text) {
        var prototype = prototypeOf(sample), id, properties, i, about;
        for (; prototype !== null; prototype = prototypeOf(prototype)) {
            id = find(prototype);
            if (id < 0) return;
            properties = propertiesOf(prototype, id);
            for (i = 0; i < properties.length; i++) {
                about = describe(prototype, properties[i].key);
                if (about && about.get && !skipped[id + " " + properties[i].name])
                    lookAtSampleProperty(sample, text, properties[i], "a " + id);
            }
        }
    }

    function lookAtSample(text) {
        var sample, id, properties, i;
        if (!step(0, "%=" + escaped(text))) return;
        try {
            sample = Function("return (" + text + ");")();
        } catch (e) {
            return; /* the engine has no such thing */
        }
        id = prototypeNumber(sample, "0 s " + escaped(text));
        if (id === "n" || id === "-") return;
        lookAtAll();
        line("i " + id + " " + classOf(sample));
        properties = propertiesOf(sample, -1);
        for (i = 0; i < properties.length; i++)
            lookAtSampleProperty(sample, text, properties[i], "n " + id);
        lookAtAccessors(sample, text);
    }

    /* --- all of it ----------------------------------------------------------------------------- */

    function lookAtPrimitives() {
        var makers = ["''", "0", "true", "Symbol()", "BigInt(0)"], value, i;
        for (i = 0; i < makers.length; i++) {
            try {
                value = Function("return " + makers[i] + ";")();
            } catch (e) {
                continue; /* the engine has no such kind */
            }
            line("k " + letter(value) + " " +
                 prototypeNumber(Object(value), "0 s " + escaped(makers[i])));
        }
    }

    function prepare() {
        var names, i;
        for (i = 0; i < options.never.length; i++) never["." + options.never[i]] = true;
        if (typeof Symbol !== "function") return;
        names = namesOf(Symbol).sort();
        for (i = 0; i < names.length; i++) {
            if (typeof Symbol[names[i]] !== "symbol") continue;
            symbols.push(Symbol[names[i]]);
            symbolNames.push(names[i]);
        }
    }

    try {
        say("pare-probe 1");
        prepare();
        number(root, "0 g " + NO_NAME);
        lookAtAll();
        for (var i = 0; i < samples.length; i++) {
            lookAtSample(samples[i]);
            lookAtAll();
        }
        lookAtPrimitives();
        lookAtAll();
        line("end " + objects.length);
    } catch (e) {
        if (e !== STOPPED) line("error " + escaped("" + e));
    }
    flush();
})
