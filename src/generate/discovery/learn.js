/* What `pare graph learn` has an engine run before and around a test.  It puts a watcher in the
 * place of each function of the engine, runs the test with stubs for what test frameworks offer,
 * and prints the type of each argument, receiver and result that goes through a watcher.
 *
 * Like explore.js it is ECMAScript 5, keeps what it needs before it changes anything, and prints
 * with print or console.log.  A type is a kind of primitive value, an object of the graph, or any
 * object whose prototype is one of the graph.  Each combination that a function is called with is
 * printed once, when it is first seen, so what a test that crashes or never ends has taught up to
 * there is kept.
 *
 * `options`, which pare writes after this function, has
 *   paths     by type of the graph: the expression of an object, or null
 *   members   owner, name, function; owner, name, function; ... : where the functions are
 *   most      how much to print: signatures of a function, calls of a function to look at before
 *             looking at one in 64, values at a place, bytes of a value; ms until the test is ended
 *   test      the source of the test
 *   require   the engine's own require, or null
 *
 * Each line that is printed is a word and fields, separated by one space:
 *   pare-learn 1                  the first line
 *   g SIGNATURE FUNCTION HOW RECEIVER TYPE...
 *                                 function number FUNCTION is called (HOW is c) or used with `new`
 *                                 (n) in a way that gets the number SIGNATURE, counted from 0; the
 *                                 TYPEs are those of the arguments
 *   r SIGNATURE TYPE              it returned a TYPE
 *   v SIGNATURE POSITION VALUE    this was passed there: an escaped literal
 *   threw MESSAGE                 the test itself threw
 *   late                          the test was ended, because it took too long
 *   end CALLS                     the test has ended, after so many calls; what comes after it was
 *                                 seen in callbacks that an engine with an event loop still makes
 * TYPE and escapes are as in explore.js.  Lines that begin with # only fill the engine's buffer, so
 * that what is before them gets out of it. */
(function (options) {
    /* --- what it works with, kept before anything is changed ------------------------------ */

    var root = typeof globalThis === "object" ? globalThis : Function("return this")();
    var print_ = typeof print === "function" ? print : null;
    var console_ = typeof console === "object" ? console : null;
    var log = console_ ? console_.log : null;
    var bind = Function.prototype.bind;
    var apply = Function.prototype.call.bind(Function.prototype.apply); /* (f, self, list) */
    var prototypeOf = Object.getPrototypeOf;
    var setPrototypeOf = Object.setPrototypeOf;
    var describe_ = Object.getOwnPropertyDescriptor;
    var define = Object.defineProperty;
    var namesOf = Object.getOwnPropertyNames;
    var symbolsOf = Object.getOwnPropertySymbols;
    var construct = typeof Reflect === "object" && Reflect ? Reflect.construct : null;
    var join = Array.prototype.join, slice = String.prototype.slice;
    var codeAt = String.prototype.charCodeAt, numberText = Number.prototype.toString;
    var clock = Date.now;
    var hasOwn = Object.prototype.hasOwnProperty;
    var Function_ = Function, String_ = String;
    var Map_ = typeof Map === "function" ? Map : null;
    var mapGet = Map_ && Map_.prototype.get, mapSet = Map_ && Map_.prototype.set;
    var Date_ = Date, random = Math.random;
    var Proxy_ = typeof Proxy === "function" ? Proxy : null;

    /* Runs source code, in the global scope if the engine lets us.  mujs has eval only by that name,
     * so that variables of the code are local to a function there; njs has none that works. */
    function isEval(f) {
        try {
            return f("1 + 1") === 2;
        } catch (e) {
            return false;
        }
    }

    var evaluate = root.eval;
    if (!isEval(evaluate)) evaluate = Function("source", "return eval(source);");
    if (!isEval(evaluate)) evaluate = function (source) { return Function_(source)(); };

    /* True while this script itself is at work: watchers then only pass calls on. */
    var busy = true;

    /* --- printing --------------------------------------------------------------------------- */

    var filler = "#";
    while (filler.length < 4096) filler += filler;

    function line(text) {
        if (print_) print_(text);
        else apply(log, console_, [text]);
    }

    /* A line that is to be there even if the next thing that happens is the engine's end. */
    function lastingLine(text) {
        line(text);
        if (print_) print_(filler);
    }

    function escaped(text) {
        var result = "", i, unit;
        if (text === "") return "%";
        for (i = 0; i < text.length; i++) {
            unit = apply(codeAt, text, [i]);
            if ((unit >= 97 && unit <= 122) || (unit >= 65 && unit <= 90) ||
                (unit >= 48 && unit <= 57) || unit === 95 || unit === 36)
                result += text[i];
            else
                result += "%" + apply(slice, apply(numberText, unit + 0x10000, [16]), [1]);
        }
        return result;
    }

    /* --- types ------------------------------------------------------------------------------ */

    var known = [], knownNumbers = []; /* objects of the graph, and watchers */
    var numbers = Map_ ? new Map_() : null;

    function remember(object, number) {
        if (numbers) {
            apply(mapSet, numbers, [object, number]);
        } else {
            known[known.length] = object;
            knownNumbers[knownNumbers.length] = number;
        }
    }

    function find(object) {
        var i;
        if (numbers) {
            i = apply(mapGet, numbers, [object]);
            return i === undefined ? -1 : i;
        }
        for (i = 0; i < known.length; i++)
            if (known[i] === object) return knownNumbers[i];
        return -1;
    }

    function typeOf(value) {
        var id, i;
        switch (typeof value) {
        case "undefined": return "u";
        case "boolean": return "b";
        case "number": return "d";
        case "string": return "s";
        case "symbol": return "y";
        case "bigint": return "g";
        }
        if (value === null) return "n";
        id = find(value);
        if (id >= 0) return "" + id;
        try {
            for (i = 0; i < 100; i++) {
                value = prototypeOf(value);
                if (value === null) return "-";
                id = find(value);
                if (id >= 0) return "i" + id;
            }
        } catch (e) { /* a proxy that does not want to tell */ }
        return "-";
    }

    /* The literal of a primitive value; "": it has none, or too long a one. */
    function literal(value) {
        var text, result, i, unit;
        switch (typeof value) {
        case "boolean": return value ? "true" : "false";
        case "number": return value === 0 && 1 / value < 0 ? "-0" : "" + value;
        case "bigint": return String_(value) + "n";
        case "string": break;
        default: return "";
        }
        if (value.length > options.most.bytes) return "";
        for (result = "\"", i = 0; i < value.length; i++) {
            unit = apply(codeAt, value, [i]);
            text = value[i];
            if (text === "\"" || text === "\\") result += "\\" + text;
            else if (unit >= 32 && unit < 127) result += text;
            else result += "\\u" + apply(slice, apply(numberText, unit + 0x10000, [16]), [1]);
        }
        result += "\"";
        return result.length > options.most.bytes ? "" : result;
    }

    /* --- what was seen ---------------------------------------------------------------------- */

    var signatures = {}, n_signatures = 0, n_calls = 0;
    var perFunction = []; /* by function: {calls, signatures} */
    var LATE = {}, isLate = false, deadline = clock() + options.most.ms;

    function has(table, key) {
        return apply(hasOwn, table, [key]);
    }

    /* The signature of a call: {number, returns, values, by position}; null: there are too many. */
    function signatureOf(id, how, self, list) {
        var about = perFunction[id], key, i, n = list.length < 16 ? list.length : 16, found;
        about.calls++;
        if (about.calls > options.most.calls && about.calls % 64 !== 0) return null;
        key = id + " " + how + " " + (how === "n" ? "u" : typeOf(self));
        for (i = 0; i < n; i++) key += " " + typeOf(list[i]);
        if (has(signatures, key)) return signatures[key];
        if (about.signatures >= options.most.signatures) return null;
        about.signatures++;
        found = {number: n_signatures++, returns: {}, values: []};
        for (i = 0; i < n; i++) found.values[i] = {n: 0, texts: {}};
        signatures[key] = found;
        lastingLine("g " + found.number + " " + key);
        return found;
    }

    function noteValues(signature, list) {
        var i, text, values;
        for (i = 0; i < signature.values.length; i++) {
            values = signature.values[i];
            if (values.n >= options.most.values) continue;
            text = literal(list[i]);
            if (text === "" || has(values.texts, text)) continue;
            values.texts[text] = true;
            values.n++;
            line("v " + signature.number + " " + i + " " + escaped(text));
        }
    }

    function noteReturn(signature, value) {
        var type = typeOf(value);
        if (has(signature.returns, type)) return;
        signature.returns[type] = true;
        lastingLine("r " + signature.number + " " + type);
    }

    /* --- watchers --------------------------------------------------------------------------- */

    /* new f(...list), for engines without Reflect. */
    function make(f, list) {
        var bound, i;
        switch (list.length) {
        case 0: return new f();
        case 1: return new f(list[0]);
        case 2: return new f(list[0], list[1]);
        case 3: return new f(list[0], list[1], list[2]);
        }
        bound = [null];
        for (i = 0; i < list.length; i++) bound[i + 1] = list[i];
        bound = apply(bind, f, bound);
        return new bound();
    }

    /* The time and random numbers that a test sees are the same in each run, so that what it teaches
     * is the same, too: the clock stands at the end of a leap February and goes on by 1 ms when it
     * is looked at; the numbers are those of a linear congruential generator. */
    var now = 1330559999000, lastRandom = 1;

    function perform(f, watcher, self, list, target) {
        if (f === Date_ && !target) return String_(new Date_(now++)); /* whatever it is given */
        if (f === Date_ && list.length === 0) list = [now++];
        if (f === clock) return now++;
        if (f === random) {
            lastRandom = (lastRandom * 16807) % 2147483647;
            return lastRandom / 2147483647;
        }
        if (!target) return apply(f, self, list);
        if (construct) return construct(f, list, target === watcher ? f : target);
        return make(f, list);
    }

    /* What every watcher does.  `target`: what `new` was used with, or undefined. */
    function watch(id, f, watcher, self, list, target) {
        var signature = null, result;
        if (busy) return perform(f, watcher, self, list, target);
        n_calls++;
        if (isLate || (n_calls % 256 === 0 && clock() > deadline)) {
            isLate = true;
            throw LATE;
        }
        busy = true;
        try {
            signature = signatureOf(id, target ? "n" : "c", self, list);
            if (signature) noteValues(signature, list);
        } finally {
            busy = false;
        }
        result = perform(f, watcher, self, list, target); /* what it throws is the test's affair */
        if (!signature) return result;
        busy = true;
        try {
            noteReturn(signature, result);
        } finally {
            busy = false;
        }
        return result;
    }

    /* Makes functions of a given length, strict ones, so that they get `this` as it is: a string,
     * not an object made of it, and nothing for a call without receiver.  Only newer engines tell by new.target whether `new` was
     * used; in the others it is guessed from `this`. */
    var makers = [];

    function makerOf(length) {
        var names = [], i, head;
        if (length > 16) length = 16;
        if (makers[length]) return makers[length];
        for (i = 0; i < length; i++) names[i] = "a" + i;
        head = "return function watcher(" + apply(join, names, [","]) + ") { \"use strict\"; " +
            "return watch(id, f, watcher, this, arguments, ";
        try {
            makers[length] = Function_("watch", "id", "f", head + "new.target); };");
        } catch (e) {
            makers[length] = Function_("watch", "id", "f",
                head + "watcher.prototype && this instanceof watcher ? watcher : undefined); };");
        }
        return makers[length];
    }

    function copyProperty(from, to, key) {
        try {
            define(to, key, describe_(from, key));
        } catch (e) { /* then it goes without */ }
    }

    function watcherOf(id, f) {
        var watcher = makerOf(f.length | 0)(watch, id, f), keys = namesOf(f), i;
        for (i = 0; i < keys.length; i++)
            if (keys[i] !== "length" && keys[i] !== "arguments" && keys[i] !== "caller" &&
                keys[i] !== "prototype")
                copyProperty(f, watcher, keys[i]);
        keys = symbolsOf ? symbolsOf(f) : [];
        for (i = 0; i < keys.length; i++) copyProperty(f, watcher, keys[i]);
        try {
            watcher.prototype = f.prototype;
            if (setPrototypeOf) setPrototypeOf(watcher, prototypeOf(f));
        } catch (e) { /* then it goes without */ }
        perFunction[id] = {calls: 0, signatures: 0};
        return watcher;
    }

    /* Puts watchers where the functions are.  `eval` is left alone: called by another name it would
     * mean something else. */
    function watchAll() {
        var objects = [], watchers = [], i, owner, name, id, about;
        for (i = 0; i < options.paths.length; i++) {
            if (options.paths[i] === null) continue;
            try {
                objects[i] = Function_("return " + options.paths[i] + ";")();
            } catch (e) {
                continue;
            }
            if (objects[i] === undefined || objects[i] === null) continue;
            if (find(objects[i]) < 0) remember(objects[i], i);
        }
        for (i = 0; i < options.members.length; i += 3) {
            owner = objects[options.members[i]];
            name = options.members[i + 1];
            id = options.members[i + 2];
            if (name === "eval" || typeof objects[id] !== "function") continue;
            if (objects[id] === Function_.prototype || !owner) continue;
            if (name[0] === "@" && name[1] === "@") name = Symbol[apply(slice, name, [2])];
            about = describe_(owner, name);
            if (!about || about.value !== objects[id] || !(about.writable || about.configurable))
                continue;
            if (!watchers[id]) {
                watchers[id] = watcherOf(id, objects[id]);
                remember(watchers[id], id);
            }
            about.value = watchers[id];
            try {
                define(owner, name, about);
            } catch (e) { /* then it goes unwatched */ }
        }
        /* What was copied from one watched function to its watcher may be watched too. */
        for (i = 0; i < options.members.length; i += 3) {
            owner = watchers[options.members[i]];
            id = options.members[i + 2];
            if (!owner || !watchers[id]) continue;
            about = describe_(owner, options.members[i + 1]);
            if (!about || about.value !== objects[id]) continue;
            about.value = watchers[id];
            try {
                define(owner, options.members[i + 1], about);
            } catch (e) { /* as above */ }
        }
    }

    /* --- stubs for test frameworks ----------------------------------------------------------- */

    function attempt(f, self, list) {
        try {
            return apply(f, self, list);
        } catch (e) {
            if (isLate) throw LATE;
        }
    }

    function nothing() {}

    var suites = [{before: [], after: []}]; /* of hooks, the innermost last */

    function runHooks(kind) {
        var i, k;
        for (i = 0; i < suites.length; i++)
            for (k = 0; k < suites[i][kind].length; k++) attempt(suites[i][kind][k], {}, [nothing]);
    }

    /* describe(name, f): f defines tests.  The function is the last argument, whatever is before. */
    function suite() {
        var f = arguments[arguments.length - 1];
        if (typeof f !== "function") return;
        suites[suites.length] = {before: [], after: []};
        attempt(f, {timeout: nothing, slow: nothing}, [stub]);
        suites.length--;
    }

    /* it(name, f): f is a test, which may call what it is given when it is done. */
    function test() {
        var f = arguments[arguments.length - 1];
        if (typeof f !== "function") return;
        runHooks("before");
        attempt(f, {timeout: nothing, slow: nothing}, [stub]);
        runHooks("after");
    }

    function before(f) {
        if (typeof f === "function") attempt(f, {}, [nothing]);
    }

    function beforeEach(f) {
        if (typeof f === "function") {
            var hooks = suites[suites.length - 1].before;
            hooks[hooks.length] = f;
        }
    }

    function afterEach(f) {
        if (typeof f === "function") {
            var hooks = suites[suites.length - 1].after;
            hooks[hooks.length] = f;
        }
    }

    /* Stands for each assertion: it holds, whatever it is given, and so does all that is asked of
     * what it gives.  Functions among its arguments, which an assertion that something throws
     * calls, are called. */
    function check() {
        for (var i = 0; i < arguments.length; i++)
            if (typeof arguments[i] === "function" && find(arguments[i]) < 0)
                attempt(arguments[i], undefined, []);
        return stub;
    }

    var stub = check; /* or a proxy of it, which has whatever it is asked for */

    /* Assertions that a test adds to its framework hold as well: addMethod("between", f). */
    function addMethod(name) {
        if (typeof name === "string") offerIn(check, name, stub);
        return stub;
    }

    /* The same for those that are given source code: shouldBe("Math.max(1)", "1"). */
    function checkSource() {
        for (var i = 0; i < arguments.length; i++)
            if (typeof arguments[i] === "string") attempt(evaluate, undefined, [arguments[i]]);
            else if (typeof arguments[i] === "function") attempt(arguments[i], undefined, []);
    }

    var words = ["to", "be", "been", "is", "that", "which", "and", "has", "have", "with", "at", "of",
        "same", "not", "deep", "any", "all", "a", "an", "ok", "true", "false", "null", "undefined",
        "exist", "empty", "equal", "equals", "eql", "above", "below", "least", "most", "within",
        "instanceof", "instanceOf", "include", "includes", "contain", "property", "ownProperty",
        "lengthOf", "match", "string", "keys", "throws", "throw", "Throw", "doesNotThrow", "respondTo",
        "satisfy", "closeTo", "notEqual", "strictEqual", "notStrictEqual", "deepEqual",
        "notDeepEqual", "deepStrictEqual", "notDeepStrictEqual", "propEqual", "isTrue", "isFalse",
        "isNull", "isUndefined", "isFunction", "isObject", "isArray", "isString", "isNumber", "isOk",
        "fail", "pass", "end", "plan", "test", "comment", "error", "ifError", "rejects", "resolves",
        "sameValue", "notSameValue", "compareArray", "expect", "async", "skip", "only", "timeout",
        "toBe", "toEqual", "toStrictEqual", "toBeDefined", "toBeUndefined", "toBeNull",
        "toBeTruthy", "toBeFalsy", "toBeTrue", "toBeFalse", "toBeNaN", "toContain", "toThrow",
        "toThrowError", "toMatch", "toMatchObject", "toHaveLength", "toHaveProperty",
        "toHaveBeenCalled", "toHaveBeenCalledWith", "toBeGreaterThan", "toBeLessThan",
        "toBeGreaterThanOrEqual", "toBeLessThanOrEqual", "toBeCloseTo", "toBeInstanceOf",
        "andReturn", "andCallThrough", "createSpy", "objectContaining", "anything", "config",
        "Assertion", "use", "util", "flag"];
    var adders = ["addMethod", "addProperty", "addChainableMethod", "overwriteMethod",
        "overwriteProperty", "addMatchers", "extend"];

    var suiteNames = ["describe", "context", "suite", "xcontext", "fdescribe"];
    var testNames = ["it", "test", "specify", "fit"];
    var silent = ["xit", "xdescribe", "xtest", "after", "afterAll", "suiteTeardown", "teardown",
        "print", "write", "debug", "description", "testPassed", "testFailed", "gc", "load", "quit",
        "finishJSTest", "$DONE", "printErr"];
    var checks = ["expect", "assert", "should", "spyOn", "assertEquals", "assertSame", "assertTrue",
        "assertFalse", "assertNull", "assertNotNull", "assertThrows", "assertDoesNotThrow",
        "assertInstanceof", "assertArrayEquals", "assertPropertiesEqual", "assertUnreachable",
        "assertNotEquals", "assertNotSame", "assertEq", "reportCompare", "assertThrowsInstanceOf",
        "verifyProperty", "compareArray", "isConstructor", "fail", "ok", "equal", "deepEqual",
        "strictEqual", "notEqual", "throws", "raises", "jasmine", "chai", "sinon", "QUnit", "$ERROR",
        "Test262Error"];
    var sources = ["shouldBe", "shouldBeTrue", "shouldBeFalse", "shouldBeNaN", "shouldBeNull",
        "shouldBeUndefined", "shouldThrow", "shouldNotThrow", "shouldBeEqualToString",
        "evalAndLog"];

    /* A stub comes before what the engine has of the same name (mujs, for one, has its own print),
     * but no function of the graph. */
    function offer(names, stub) {
        for (var i = 0; i < names.length; i++) {
            if (names[i] in root && find(root[names[i]]) >= 0) continue;
            try {
                define(root, names[i],
                    {value: stub, writable: true, configurable: true, enumerable: false});
            } catch (e) { /* then it is the engine's */ }
        }
    }

    /* Test frameworks that tests ask for by name. */
    function require(name) {
        if (options.require && !/^(chai|expect|expect\.js|should|jest|mocha|tape|sinon|qunit|ava)$/
            .test(name)) {
            try {
                return options.require(name);
            } catch (e) {
                if (/^\./.test(name)) throw e;
            }
        }
        return name === "mocha" ? root : stub;
    }

    function offerIn(object, name, value) {
        try {
            define(object, name, {value: value, writable: true, configurable: true});
        } catch (e) { /* "length", in engines where it is fixed */ }
    }

    function answer(target, name) {
        return name in target || typeof name !== "string" || name === "then" ? target[name] : stub;
    }

    function offerAll() {
        var i;
        if (Proxy_) stub = new Proxy_(check, {get: answer});
        for (i = 0; i < words.length; i++) offerIn(check, words[i], stub);
        for (i = 0; i < adders.length; i++) offerIn(check, adders[i], addMethod);
        offerIn(check, "test", test);
        offerIn(check, "module", nothing);
        /* What is put into the prototype of assertions is then asked of one. */
        offerIn(check, "constructor", stub);
        check.prototype = check;
        suite.skip = test.skip = nothing;
        suite.only = suite;
        test.only = test;
        test.each = suite.each = function () { return nothing; };
        offer(suiteNames, suite);
        offer(testNames, test);
        offer(silent, nothing);
        offer(checks, stub);
        offer(sources, checkSource);
        offer(["before", "beforeAll", "setup", "suiteSetup"], before);
        offer(["beforeEach"], beforeEach);
        offer(["afterEach"], afterEach);
        offer(["require"], require);
    }

    /* --- all of it ----------------------------------------------------------------------------- */

    line("pare-learn 1");
    if (typeof process === "object" && process && typeof process.on === "function")
        process.on("unhandledRejection", nothing); /* which would end node */
    watchAll();
    offerAll();
    var message = "";
    busy = false;
    try {
        evaluate(options.test);
    } catch (e) {
        busy = true;
        if (e !== LATE) {
            try {
                message = "" + e;
            } catch (f) {
                message = "what it threw has no text";
            }
        }
    }
    busy = true;
    if (message !== "") line("threw " + escaped(apply(slice, message, [0, 200])));
    if (isLate) line("late");
    line("end " + n_calls);
    busy = false; /* promises and timers of the test are watched, too */
})
