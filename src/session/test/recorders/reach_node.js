/* What a script of JavaScript does not execute, by the block coverage of V8 (inspector protocol,
 * Profiler.startPreciseCoverage).
 *
 * Run as `node -e THIS`, the script's path in PARE_REACH, "node" in PARE_REACH_FOR when the script is
 * meant for node: then it has node's globals, else a context with nothing but the language's own
 * and what shells of engines have.  Writes "b FROM TO", a line for each stretch of bytes that was
 * not executed, to descriptor 9.  What the script does to global objects cannot change what is used
 * here: it is taken before the script runs. */
'use strict';
const fs = require('fs'), vm = require('vm'), inspector = require('inspector');
const path = process.env.PARE_REACH, own = process.env.PARE_REACH_FOR === 'node';
const write = fs.writeSync, end = process.reallyExit.bind(process), MOST_MS = 2000;
const bytes = fs.readFileSync(path);
let text = bytes.toString('utf8');
const utf8 = Buffer.compare(Buffer.from(text, 'utf8'), bytes) === 0;
if (!utf8) text = bytes.toString('latin1');
/* V8 counts in units of UTF-16, the reducer in bytes. */
let at = null;
if (utf8 && bytes.length !== text.length) {
  at = new Uint32Array(text.length + 1);
  for (let i = 0, n = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    at[i] = n;
    n += c < 0x80 ? 1 : c < 0x800 ? 2 : c >= 0xd800 && c < 0xe000 ? 2 : 3;
    at[i + 1] = n;
  }
}
const session = new inspector.Session();
session.connect();
session.post('Profiler.enable');
session.post('Profiler.startPreciseCoverage', {callCount: true, detailed: true});
/* Node makes an address of the name of a file. */
const address = require('url').pathToFileURL(path).href;
let reported = false;
function tell(error, result) {
  if (error) return;
  let lines = '';
  for (let i = 0; i < result.result.length; i++) {
    const script = result.result[i];
    if (script.url !== address && script.url !== path) continue;
    for (let k = 0; k < script.functions.length; k++) {
      const ranges = script.functions[k].ranges;
      for (let r = 0; r < ranges.length; r++) {
        if (ranges[r].count) continue;
        const from = ranges[r].startOffset, to = ranges[r].endOffset;
        lines += 'b ' + (at ? at[from] : from) + ' ' + (at ? at[to] : to) + '\n';
      }
    }
  }
  /* Something was executed, even if all of it was. */
  lines += 'e\n';
  for (let done = 0, all = Buffer.from(lines, 'latin1'); done < all.length;)
    done += write(9, all, done);
}
function report() {
  if (reported) return;
  reported = true;
  session.post('Profiler.takePreciseCoverage', tell);
}
function finish() {
  report();
  end(0);
}
process.on('exit', report);
process.on('uncaughtException', finish);
process.on('unhandledRejection', () => {});
process.abort = process.kill = finish;
setTimeout(finish, MOST_MS);
process.argv = [process.argv[0], path];
/* A module is run as one: it is no script. */
function importIt() {
  import(address).then(own ? () => {} : finish, finish);
}
let script = null;
try {
  script = new vm.Script(text, {filename: path});
} catch (error) {
  importIt();
}
if (script && own) {
  globalThis.require = require('module').createRequire(path);
  globalThis.module = {exports: {}, filename: path, id: '.'};
  globalThis.require.main = globalThis.module;
  globalThis.exports = globalThis.module.exports;
  globalThis.__filename = path;
  globalThis.__dirname = require('path').dirname(path);
  try {
    script.runInThisContext({timeout: MOST_MS});
  } catch (error) {
    finish();
  }
} else if (script) {
  const nothing = () => {}, shell = {quit: finish, exit: finish};
  for (const name of ['print', 'write', 'alert', 'load', 'gc', 'readline', 'read', 'version'])
    shell[name] = nothing;
  try {
    script.runInContext(vm.createContext(shell), {timeout: MOST_MS});
  } catch (error) {
    finish();
  }
  finish();
}
