// Headless Chromium over the DevTools protocol, through a pair of pipes: no package, no socket.
//
//     const page = await open(program, url, {width, height, dark});
//     await page.click('button.main');          // a real event of the mouse, where the element is
//     await page.until('document.title == "x"'); // waits for an event of the page, never for a time
//
// Everything that goes wrong throws; `page.trouble` has what the page wrote on its console.
import {spawn} from 'node:child_process';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

const LIMIT_MS = 60000;

class Browser {
    constructor(program) {
        this.folder = mkdtempSync(join(tmpdir(), 'pare-chromium-'));
        this.process = spawn(program, ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run',
            '--disable-dev-shm-usage', '--hide-scrollbars', '--remote-debugging-pipe', '--disable-extensions',
            '--disable-background-networking', '--disable-component-update', '--disable-sync',
            '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
            '--user-data-dir=' + this.folder],
            {stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe']});
        this.waiting = new Map();
        this.listeners = [];
        this.number = 0;
        let rest = '';
        this.process.stdio[4].setEncoding('utf8');
        this.process.stdio[4].on('data', text => {
            const parts = (rest + text).split('\0');
            rest = parts.pop();
            for (const part of parts) this.take(JSON.parse(part));
        });
        this.process.on('exit', () => {
            for (const {fail} of this.waiting.values()) fail(new Error('the browser has ended'));
        });
    }

    take(message) {
        const call = this.waiting.get(message.id);
        this.waiting.delete(message.id);
        if (call && message.error) call.fail(new Error(call.method + ': ' + message.error.message));
        else if (call) call.done(message.result);
        else for (const listener of this.listeners) listener(message);
    }

    send(method, params = {}, sessionId = undefined) {
        const id = ++this.number;
        this.process.stdio[3].write(JSON.stringify({id, method, params, sessionId}) + '\0');
        return new Promise((done, fail) => this.waiting.set(id, {method, done, fail}));
    }

    close() {
        const ended = new Promise(done => this.process.once('exit', done));
        this.send('Browser.close').catch(() => {});
        return ended.then(() => rmSync(this.folder, {recursive: true, force: true, maxRetries: 5}));
    }
}

class Page {
    async start(browser, {width = 1280, height = 900, dark = false} = {}) {
        this.browser = browser;
        this.trouble = [];
        const {targetId} = await browser.send('Target.createTarget', {url: 'about:blank'});
        this.session = (await browser.send('Target.attachToTarget', {targetId, flatten: true})).sessionId;
        browser.listeners.push(message => {
            if (message.sessionId === this.session) this.hear(message.method, message.params);
        });
        for (const domain of ['Page', 'Runtime', 'Log', 'Network']) await this.send(domain + '.enable');
        await this.look({width, height, dark});
    }

    async look({width, height, dark}) {
        await this.send('Emulation.setDeviceMetricsOverride', {width, height, deviceScaleFactor: 1, mobile: false});
        await this.send('Emulation.setEmulatedMedia', {features: [
            {name: 'prefers-color-scheme', value: dark ? 'dark' : 'light'}, {name: 'prefers-reduced-motion', value: 'reduce'}]});
    }

    hear(method, params) {
        if (method === 'Runtime.exceptionThrown')
            this.trouble.push(params.exceptionDetails.exception?.description || params.exceptionDetails.text);
        if (method === 'Runtime.consoleAPICalled' && ['error', 'warning'].includes(params.type))
            this.trouble.push(params.args.map(each => each.value).join(' '));
        if (method === 'Log.entryAdded' && params.entry.level === 'error' && !/favicon/.test(params.entry.url || ''))
            this.trouble.push(params.entry.text + ' ' + (params.entry.url || ''));
        if (method === 'Page.javascriptDialogOpening') {
            this.trouble.push('a dialog: ' + params.message);
            this.send('Page.handleJavaScriptDialog', {accept: false});
        }
    }

    send(method, params) {
        return this.browser.send(method, params, this.session);
    }

    async value(expression) {
        const {result, exceptionDetails} = await this.send('Runtime.evaluate',
            {expression, returnByValue: true, awaitPromise: true});
        if (exceptionDetails) throw new Error(expression + ': ' + (exceptionDetails.exception?.description || exceptionDetails.text));
        return result.value;
    }

    // Looks again whenever the page has changed anything.
    async until(expression) {
        const outcome = await this.value(`new Promise(done => {
            const holds = () => { try { return Boolean(${expression}); } catch { return false; } };
            if (holds()) return done('yes');
            const watch = new MutationObserver(() => { if (holds()) finish('yes'); });
            const last = setTimeout(() => finish(holds() ? 'yes' : 'no'), ${LIMIT_MS});
            const each = setInterval(() => { if (holds()) finish('yes'); }, 50);
            function finish(text) { watch.disconnect(); clearTimeout(last); clearInterval(each); done(text); }
            watch.observe(document, {subtree: true, childList: true, attributes: true, characterData: true});
        })`);
        if (outcome !== 'yes') throw new Error('never: ' + expression + '\n' + await this.value('document.body.innerText.slice(0, 2000)'));
    }

    async go(url) {
        await this.send('Page.navigate', {url});
        await this.until(`document.readyState === 'complete' && document.documentElement.dataset.shown`);
    }

    // The middle of the first element of that kind whose text begins so, after it was scrolled to.  A page
    // may draw itself anew at any time: each look is one evaluation.
    async place(selector, begin = '') {
        const first = `[...document.querySelectorAll(${JSON.stringify(selector)})].find(each => each.textContent.trim().startsWith(${JSON.stringify(begin)}))`;
        for (;;) {
            await this.until(first);
            const at = await this.value(`(() => {
                const element = ${first};
                if (!element) return null;
                element.scrollIntoView({block: 'center'});
                const box = element.getBoundingClientRect();
                return {x: box.left + box.width / 2, y: box.top + box.height / 2};
            })()`);
            if (at) return at;
        }
    }

    async click(selector, begin = '') {
        const at = await this.place(selector, begin);
        for (const type of ['mouseMoved', 'mousePressed', 'mouseReleased'])
            await this.send('Input.dispatchMouseEvent', {type, ...at, button: 'left', buttons: 1, clickCount: 1});
    }

    async press(key, text = key.length === 1 ? key : undefined) {
        const codes = {Enter: 13, Escape: 27, Tab: 9, ArrowDown: 40, ArrowUp: 38};
        const common = {key, windowsVirtualKeyCode: codes[key] || key.toUpperCase().charCodeAt(0), text: key === 'Enter' ? '\r' : text};
        await this.send('Input.dispatchKeyEvent', {type: 'keyDown', ...common});
        await this.send('Input.dispatchKeyEvent', {type: 'keyUp', ...common});
    }

    async type(text) {
        await this.send('Input.insertText', {text});
    }

    async picture(path) {
        const {data} = await this.send('Page.captureScreenshot', {format: 'png', captureBeyondViewport: false});
        writeFileSync(path, Buffer.from(data, 'base64'));
    }
}

export async function start(program) {
    return new Browser(program);
}

export async function open(browser, options) {
    const page = new Page();
    await page.start(browser, options);
    return page;
}
