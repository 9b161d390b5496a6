/* Test-case reduction from node, by the worker protocol of `pare reduce` (docs/guide/worker.md).
 *
 *   serve(test)                        this process answers pare: test(buffer, path) returns true while
 *                                      the failure is there, false, or undefined where it cannot tell;
 *                                      or a promise of that
 *   reduce(input, script, options)     runs pare over a file with `node script` as its worker; a
 *                                      promise of {bytes, stats}
 *
 * A worker starts once for each job, so that node and all modules are loaded once. */
'use strict';
const { execFile } = require('node:child_process');
const { mkdtemp, readFile, rm } = require('node:fs/promises');
const { readFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { basename, join } = require('node:path');
const { createInterface } = require('node:readline');
const { promisify } = require('node:util');

const ANSWERS = new Map([[true, 'FAIL\n'], [false, 'PASS\n'], [undefined, 'UNRESOLVED\n']]);

/* Answers must be the only thing on standard output, so what the code under test prints goes to
 * standard error.  A test that throws ends the worker; pare shows its last line. */
async function serve(test) {
    try {
        await answerAll(test);
    } catch (error) {
        process.stderr.write(`${error.stack}\n${error.message}\n`);
        process.exit(1);
    }
}

async function answerAll(test) {
    const answer = process.stdout.write.bind(process.stdout);
    process.stdout.write = process.stderr.write.bind(process.stderr);
    for await (const line of createInterface({ input: process.stdin })) {
        const path = line.slice(line.indexOf(' ') + 1);
        const outcome = await test(readFileSync(path), path);
        if (!ANSWERS.has(outcome))
            throw new TypeError('the test returns true, false or undefined, not ' + outcome);
        answer(ANSWERS.get(outcome));
    }
}

/* A word for the shell. */
const quote = word => "'" + word.replaceAll("'", "'\\''") + "'";

/* options: pare (the program), args (more of its options). */
async function reduce(input, script, options = {}) {
    const folder = await mkdtemp(join(tmpdir(), 'pare-node-'));
    try {
        const output = join(folder, basename(input));
        const stats = join(folder, 'stats.json');
        await promisify(execFile)(options.pare ?? 'pare', [
            'reduce', '-q', '--no-journal', '-o', output, '--stats', stats, ...(options.args ?? []),
            '--worker', `${quote(process.execPath)} ${quote(script)}`, input]);
        return { bytes: await readFile(output), stats: JSON.parse(await readFile(stats)) };
    } finally {
        await rm(folder, { recursive: true });
    }
}

module.exports = { serve, reduce };
