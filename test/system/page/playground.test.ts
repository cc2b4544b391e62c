/** The playground in a real browser: histories are checked at every keystroke, and its server refuses everyone else. */
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CLASSICS } from '../../../page/playground/classics.js';
import { launch, open, seriousProblems } from '../../support/processes/browser.js';
import { begin, killAll, type Process, until } from '../../support/processes/processes.js';
import { isMissing } from '../../support/processes/requirements.js';
import { share } from '../../support/share.js';

/** By day some of them; other tests cover the rest of the histories. */
type Box = { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
const SOME = CLASSICS.filter((_, i) => i % share(1, 5) === 0);

let server: Process;
let address = '';
beforeAll(async () => {
  server = begin(['play'], { at: tmpdir() });
  await until('the playground', () => server.said().includes('Ctrl-C'));
  address = /http:\S+/.exec(server.said())?.[0] ?? '';
});
afterAll(killAll);

describe('its server', () => {
  /** The status of an answer. `path` replaces that of the address. */
  const statusOf = (headers: Record<string, string> = {}, path?: string, method = 'GET') =>
    new Promise<number | undefined>((resolve, reject) => {
      const { hostname, port, pathname, search } = new URL(address);
      request({ hostname, port, path: path ?? `${pathname}${search}`, headers, method }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .on('error', reject)
        .end();
    });

  test('answers at its address, and listens on the loopback interface only', async () => {
    expect(new URL(address).hostname).toBe('127.0.0.1');
    expect(await statusOf()).toBe(200);
    expect(await statusOf({ host: `localhost:${new URL(address).port}` })).toBe(200);
  });

  test('refuses a request without the token, for another host, or from another page', async () => {
    const { port, search } = new URL(address);
    for (const path of ['/', '/?token=', `/${search.slice(0, -1)}`, `/${search}x`, '//', '/?token=%00'])
      expect([path, await statusOf({}, path)]).toEqual([path, 403]);
    for (const host of ['example.com', `example.com:${port}`, `127.0.0.1.example.com:${port}`, '127.0.0.1'])
      expect([host, await statusOf({ host })]).toEqual([host, 403]);
    for (const origin of [
      'null',
      'https://example.com',
      `http://localhost:${port}`,
      `https://127.0.0.1:${port}`,
    ])
      expect([origin, await statusOf({ origin })]).toEqual([origin, 403]);
    expect(await statusOf({ origin: `http://127.0.0.1:${port}` })).toBe(200);
    // it still answers
    expect(await statusOf()).toBe(200);
    expect(await statusOf({}, `/other${search}`)).toBe(404);
    expect(await statusOf({}, undefined, 'DELETE')).toBe(404);
    // nothing runs for those who are refused
    expect(await statusOf({}, '/explore', 'POST')).toBe(403);
    expect(await statusOf({ origin: 'null' }, `/explore${search}`, 'POST')).toBe(403);
    expect(await statusOf({}, `/explore${search}`)).toBe(404);
  });
});

describe.skipIf(isMissing('chromium'))('its page', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(async () => {
    await browser.close();
  });

  const editor = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
  const verdict = (page: Page) => page.locator('h1');
  /** Replaces the text of an editor. */
  const write = async (page: Page, name: string, text: string) => {
    await editor(page, name).click();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.insertText(text);
  };
  const says = (page: Page, text: string | RegExp) => page.locator('.problem', { hasText: text }).waitFor();
  const isNow = (page: Page, text: string) =>
    page.locator('.result:not(.old) h1', { hasText: text }).waitFor();

  test('the verdict, the explanation and the linearization follow each keystroke', async () => {
    const { page, complaints } = await open(browser, address);
    await isNow(page, 'not linearizable');
    expect(await page.locator('.reasons').innerText()).toContain(
      'dequeue() by A (operation 2) returned 2; allowed: 1.',
    );
    await write(page, 'History', 'A  |- enqueue(1) -|  |- dequeue() -> 1 -|');
    await isNow(page, '✓ linearizable');
    expect(await page.locator('.points rect').count()).toBe(2);
    // one key: the result becomes 12
    await page.getByText('dequeue() -> 1', { exact: false }).first().waitFor();
    for (let i = 0; i < 3; i++) await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('2');
    await isNow(page, 'not linearizable');
    expect(await page.locator('.reasons').innerText()).toContain('12');
    expect(await seriousProblems(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test('a history is drawn with the mouse', async () => {
    const { page, complaints } = await open(browser, address);
    await isNow(page, 'not linearizable');
    await write(page, 'History', 'A  |- enqueue(1) -|\nB                     |- dequeue() -> 1 -|');
    await isNow(page, '✓ linearizable');
    const pad = page.getByRole('group', { name: 'Draw with the mouse' });
    const bar = (label: string) => pad.getByRole('button', { name: `Change ${label}` });
    const boxOf = async (label: string) => (await bar(label).locator('rect').boundingBox()) as Box;
    // in the row of a new process, after both operations
    const last = await boxOf('dequeue() → 1');
    const row = 34;
    await page.mouse.move(last.x + last.width + 10, last.y + row + 8);
    await page.mouse.down();
    await page.mouse.move(last.x + last.width + 90, last.y + row + 8, { steps: 3 });
    await page.mouse.up();
    const call = pad.getByLabel('Call');
    await call.fill('dequeue() -> 1');
    await call.press('Enter');
    await isNow(page, 'not linearizable');
    expect(await editor(page, 'History').innerText()).toMatch(/\nC {20,}├─ dequeue\(\) → 1 ─┤/);
    // a mistake stays in the form
    await bar('dequeue() → 1 of C').click();
    await call.fill('dequeue( -> 1');
    await call.press('Enter');
    expect(await pad.getByRole('status').innerText()).toContain('expected');
    await call.fill('dequeue() -> null');
    await pad.getByRole('button', { name: 'Change', exact: true }).click();
    await isNow(page, '✓ linearizable');
    // it never returned: it may take the value first
    await bar('dequeue() → null').press('Enter');
    await call.fill('enqueue(5) -?');
    await call.press('Enter');
    await page.locator('.cm-content', { hasText: 'enqueue(5)' }).waitFor();
    await isNow(page, '✓ linearizable');
    await bar('enqueue(1)').click();
    await pad.getByRole('button', { name: 'Delete' }).click();
    await isNow(page, 'not linearizable');
    expect(await seriousProblems(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test('a mistake is named with its line, and the last verdict stays, faint', async () => {
    const { page, complaints } = await open(browser, address);
    await isNow(page, 'not linearizable');
    await write(page, 'History', 'A  |- enqueue(1) -|\nB  |- enqueue(2 -|');
    await says(page, /^Line 2: expected "," or "\)"/);
    expect(await page.locator('.result.old').count()).toBe(1);
    expect(await page.locator('.cm-lintRange-error').count()).toBe(1);
    await write(
      page,
      'History',
      '{"process":"A","method":"enqueue","args":[1],"call":1}\n{"process":"A","method":"pop"}',
    );
    await says(page, /^Line 2: /);
    await write(page, 'History', '');
    await says(page, 'There is no operation yet.');
    await write(page, 'History', 'A  |- lock() -|');
    await says(page, /lock/);
    await page.getByLabel('Options').fill('{"permits": 2}');
    await says(page, 'queue has no option permits');
    expect(await seriousProblems(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test('records are read, and Redraw makes a drawing of them', async () => {
    const { page, complaints } = await open(browser, address);
    const record = (method: string, args: number[], result: number | undefined, call: number) =>
      JSON.stringify({ process: 'A', method, args, result, call, return: call + 1 });
    await isNow(page, 'not linearizable');
    await write(page, 'History', `${record('enqueue', [7], undefined, 1)}\n${record('dequeue', [], 7, 3)}`);
    await isNow(page, '✓ linearizable');
    await page.getByRole('button', { name: 'Redraw' }).click();
    await expect
      .poll(() => editor(page, 'History').innerText(), { timeout: 30_000 })
      .toContain('├─ dequeue() → 7 ─┤');
    await isNow(page, '✓ linearizable');
    expect(complaints).toEqual([]);
  });

  test('a history of thousands of operations is checked, and drawn on the right only', async () => {
    const { page, complaints } = await open(browser, address);
    await isNow(page, 'not linearizable');
    const text = Array.from({ length: 3_000 }, (_, i) =>
      JSON.stringify({
        process: `p${i % 4}`,
        method: i % 2 === 0 ? 'enqueue' : 'dequeue',
        args: i % 2 === 0 ? [i] : [],
        result: i % 2 === 0 ? null : i - 1,
        call: 10 * i,
        return: 10 * i + 9,
      }),
    ).join('\n');
    await editor(page, 'History').click();
    await page.keyboard.press('ControlOrMeta+a');
    await page.evaluate((pasted) => navigator.clipboard.writeText(pasted), text);
    await page.keyboard.press('ControlOrMeta+v');
    await isNow(page, '✓ linearizable');
    expect(await page.locator('.result .facts').innerText()).toContain('3,000 operations');
    expect(await page.locator('.sketchpad').count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  test('a spec of the user: errors have a line, endless loops end, and nothing reaches the network', async () => {
    const { page, complaints } = await open(browser, `${address}#overdrawn`);
    await isNow(page, 'not linearizable');
    const spec = (body: string) =>
      `import type { Spec } from 'straightedge';\nconst own: Spec<{ deposit(by: number): null; withdraw(by: number): boolean }, number> = {\n  name: 'own', initial: 0,\n  methods: { deposit: (s, by) => [s + by, null], withdraw: (s, by) => { ${body} } },\n};\nexport default own;`;
    await write(page, 'Spec', spec('return [s - by, true];'));
    await isNow(page, '✓ linearizable');
    await write(page, 'Spec', spec('return [s - by true];'));
    await says(page, /^Line 4: /);
    await write(page, 'Spec', spec('throw new Error("broken");'));
    await says(page, /broken/);
    await write(page, 'Spec', spec('while (true);'));
    await says(page, /No answer within 3 s/);
    await write(page, 'Spec', `import fs from 'node:fs';\n${spec('return [s, fs.existsSync("x")];')}`);
    await says(page, /imports only straightedge and straightedge\/objects, not "node:fs"/);
    // the policy refuses it without a request
    const { origin } = new URL(address);
    await write(page, 'Spec', `await fetch('${origin}/');\n${spec('return [s, true];')}`);
    await says(page, /./);
    await write(
      page,
      'Spec',
      `try { fetch('http://127.0.0.1:9/').catch(() => {}); } catch {}\n${spec('return [s - by, true];')}`,
    );
    await isNow(page, '✓ linearizable');
    expect(complaints.filter((text) => !/Content Security Policy/.test(text))).toEqual([]);
  });

  test('keys alone: Tab leaves the editor and reaches the steps', async () => {
    const { page, complaints } = await open(browser, address);
    await isNow(page, 'not linearizable');
    await page.locator('.topbar select').focus();
    const reached: string[] = [];
    for (let i = 0; i < 30; i++) {
      await page.keyboard.press('Tab');
      reached.push(
        await page.evaluate(
          'document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent.trim()',
        ),
      );
    }
    expect(reached.join(' | ')).toMatch(
      /History \| How to write a history .*dequeue\(\).*Drawing of the operations.*First \| ← Back/,
    );
    expect(complaints).toEqual([]);
  });

  test('every example has the verdict that its text names', async () => {
    const { page, complaints } = await open(browser, address);
    for (const { id, title, verdict: expected } of SOME) {
      await page.evaluate(`location.hash = ${JSON.stringify(id)}`);
      await page.locator('.input h2', { hasText: title }).waitFor();
      await page.locator('.result:not(.old) h1').waitFor();
      expect([id, await verdict(page).textContent()]).toEqual([id, expected]);
    }
    expect(await seriousProblems(page)).toEqual([]);
    expect(complaints).toEqual([]);
  }, 120_000);

  test('a scenario: the failing interleaving, step by step in the source', async () => {
    const { page, complaints } = await open(browser, `${address}#lost-update-in-code`);
    await isNow(page, 'not linearizable');
    expect(await page.locator('.reasons').innerText()).toContain('add() by A returned 1');
    await page.getByRole('button', { name: 'Next →' }).click();
    expect(await page.locator('.state').innerText()).toBe('B, in add(): reads value → 0.');
    expect(await page.locator('.source tr.now').innerText()).toMatch(/7\s+const before = this.value;/);
    await page.keyboard.press('ArrowRight');
    expect(await page.locator('.source tr.now').innerText()).toMatch(/8\s+this.value = before \+ 1;/);
    expect(await seriousProblems(page)).toEqual([]);
    // repaired: the two steps become one
    const repaired = `import { scenario } from 'straightedge';
class Counter { readonly cell = new Int32Array(1); add() { return Atomics.add(this.cell, 0, 1) + 1; } }
export default scenario({ backend: 'instrumented', create: () => new Counter(), calls: [['add']], threads: 2, callsPerThread: 1 });`;
    await write(page, 'Scenario', repaired);
    await isNow(page, '✓ no violation');
    await write(page, 'Scenario', repaired.replace('return Atomics', 'return return'));
    await says(page, /^Line 2: .*Unexpected/);
    await write(page, 'Scenario', 'export default 3;');
    await says(page, 'is not a scenario');
    // a run without an end is replaced by the next one
    await write(page, 'Scenario', `while (true);\n${repaired}`);
    await page.getByText('Exploring …').waitFor();
    await page.waitForTimeout(1_000);
    await write(page, 'Scenario', repaired);
    await isNow(page, '✓ no violation');
    expect(complaints).toEqual([]);
  }, 60_000);

  test('tests by everySchedule: the failing assertion and its schedule, step by step in the source', async () => {
    const { page, complaints } = await open(browser, `${address}#fetched-once`);
    await isNow(page, '✗ the test fails');
    expect(await page.locator('.reasons').innerText()).toContain('AssertionError');
    expect(await page.locator('.reasons').innerText()).toContain('2 !== 1');
    // the test and its two parts are drawn
    expect(await page.locator('.picture .process').allTextContents()).toEqual(['test', 'inbox', 'profile']);
    for (let i = 0; i < 3; i++) await page.getByRole('button', { name: 'Next →' }).click();
    expect(await page.locator('.state').innerText()).toContain('refresh takes effect at line 14');
    expect(await page.locator('.source tr.now').innerText()).toContain('await this.refresh()');
    expect(await seriousProblems(page)).toEqual([]);
    const test = (body: string, before = '') =>
      `import assert from 'node:assert';\nimport { everySchedule } from 'straightedge/vitest';\n${before}everySchedule('first', async ({ spawn, settled }) => { ${body} });`;
    const BOTH = "await Promise.all([spawn('A', async () => {}), spawn('B', async () => {})]);";
    await write(page, 'Scenario', test(BOTH));
    await isNow(page, '✓ no failure in any schedule');
    expect(await page.locator('main').innerText()).toContain('Covered: every schedule.');
    // the second of two tests fails
    await write(
      page,
      'Scenario',
      `${test(BOTH)}\neverySchedule('second', async () => { throw new Error('no'); });`,
    );
    await isNow(page, '✗ the test fails');
    expect(await page.locator('header').innerText()).toContain('second');
    await write(page, 'Scenario', test('await new Promise(() => {});'));
    await isNow(page, '✗ the test fails');
    expect(await page.locator('.reasons').innerText()).toMatch(
      /Deadlock: .*\ntest waits at scenario\.ts:3\./,
    );
    // a test that cannot be exhausted is undecided
    const many = Array.from({ length: 8 }, (_, i) => `spawn('p${i}', async () => {})`).join(', ');
    await write(page, 'Scenario', test(`await Promise.all([${many}]);`));
    await isNow(page, '? no failure in the schedules that were run');
    await write(page, 'Scenario', test('assert.ok(true);'));
    await says(page, /Nothing in this test can run in another order/);
    await write(page, 'Scenario', test('return return;'));
    await says(page, /^Line 3: /);
    await write(page, 'Scenario', "import { everySchedule } from 'straightedge/vitest';");
    await says(page, 'calls everySchedule for no test');
    await write(page, 'Scenario', test(BOTH, 'process.exit(0);\n'));
    await says(page, 'The time or memory limit was reached');
    expect(complaints).toEqual([]);
  }, 60_000);

  test.each(['dark', 'light'] as const)('on a small screen, %s, nothing overflows', async (colorScheme) => {
    const { page, complaints } = await open(browser, `${address}#overdrawn`, {
      viewport: { width: 500, height: 800 },
      colorScheme,
    });
    await isNow(page, 'not linearizable');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(500);
    expect(await seriousProblems(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
