/** Pages in a real browser: their content, their controls, and that no value in a history breaks them. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { marksOf } from '../../../page/shell/places.js';
import { check } from '../../../src/check/check.js';
import { measureConsistency } from '../../../src/consistency/measure.js';
import { parseHistory } from '../../../src/formats/read-history.js';
import { sketch } from '../../../src/history/drawing/sketch.js';
import type { History } from '../../../src/history/history.js';
import { register } from '../../../src/objects/cells/register.js';
import { queue } from '../../../src/objects/collections/container.js';
import { map } from '../../../src/objects/collections/map.js';
import { htmlReport } from '../../../src/report/html/page.js';
import type { Spec } from '../../../src/spec/spec.js';
import { PICTURES } from '../../support/fixtures/pictures.js';
import { launch, litBars, open, seriousProblems } from '../../support/processes/browser.js';
import { folder, reportOf } from '../../support/processes/reports.js';
import { isMissing } from '../../support/processes/requirements.js';
import { share } from '../../support/share.js';

const lines = (records: readonly object[]): string => records.map((own) => JSON.stringify(own)).join('\n');
const overtaken = sketch`
  A  |- enqueue(1) -|                     |- dequeue() -> 2 -|
  B                    |- enqueue(2) -|                          |- dequeue() -> 1 -|
` as History;
/** Writes and reads of a map with six keys by many processes, which take effect where they are called. */
const mapHistory = (operations: number, processes = 12): History => {
  const values = new Map<string, number>();
  const records = Array.from({ length: operations }, (_, i) => {
    const key = `k${(i * 7) % 6}`;
    const isPut = i % 3 === 0;
    if (isPut) values.set(key, i);
    return {
      process: `worker-${i % processes}`,
      method: isPut ? 'put' : 'get',
      args: isPut ? [key, i] : [key],
      result: isPut ? null : (values.get(key) ?? null),
      call: 10 * i,
      return: 10 * i + 9 * Math.min(processes - 1, 7),
    };
  });
  return parseHistory(
    lines([
      ...records,
      { annotation: 'nemesis start partition', at: operations },
      { annotation: 'nemesis stop partition', at: 4 * operations },
      { annotation: 'node 2 killed', at: 6 * operations },
    ]),
    { keepTimes: true },
  );
};

const SOME = PICTURES.filter((_, i) => i % share(1, 6) === 0);
/** Of a long history. */
const OPERATIONS = share(100_000, 20_000);

test('a fault is drawn from its beginning to the end that --faults finds', () => {
  const annotations = [
    { text: 'pause n1', moment: 2 },
    { text: 'leader elected', moment: 3 },
    { text: 'resume n1', moment: 5 },
    { text: 'slow disk', moment: 4, until: 7 },
    { text: 'node 2 killed', moment: 8 },
  ];
  expect(marksOf(annotations)).toEqual([
    { text: 'pause n1', from: 1.5, to: 4.5 },
    { text: 'leader elected', from: 2.5, to: 2.5 },
    { text: 'slow disk', from: 3.5, to: 6.5 },
    { text: 'node 2 killed', from: 7.5, to: Number.POSITIVE_INFINITY },
  ]);
});

describe.skipIf(isMissing('chromium'))('pages', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(async () => {
    await browser.close();
    rmSync(folder, { recursive: true });
  });

  const pixels = (page: Page) =>
    page.locator('canvas').evaluate((canvas) => (canvas as unknown as { toDataURL(): string }).toDataURL());
  /** Waits until the page has painted. */
  const painted = (page: Page) =>
    page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');

  /** Drags the canvas to the left, in steps. */
  const drag = async (page: Page, by: number, steps: number) => {
    const canvas = page.locator('canvas');
    await canvas.scrollIntoViewIfNeeded();
    const { x, y, width, height } = (await canvas.boundingBox())!;
    const [right, middle] = [x + width - 50, y + Math.min(height / 2, 80)];
    await page.mouse.move(right, middle);
    await page.mouse.down();
    await page.mouse.move(right - by, middle, { steps });
    await page.mouse.up();
  };

  test('a violation: sentences and drawing highlight each other, and an operation shows its details', async () => {
    const { page, complaints } = await open(browser, reportOf('overtaken', overtaken, queue() as Spec));
    expect(await page.locator('h1').textContent()).toContain('not linearizable');
    // the page leaves out what was called after the fault
    expect(await page.locator('.bar').count()).toBe(3);
    await page
      .locator('.reasons > li')
      .nth(1)
      .hover({ position: { x: 2, y: 2 } });
    expect((await litBars(page)).sort()).toEqual([0, 1, 2]);
    await page.locator('.mention', { hasText: /^1$/ }).hover();
    expect(await litBars(page)).toEqual([0]);
    await page.locator('.bar[data-operation="2"]').hover();
    expect(await page.locator('.reasons > li.lit').count()).toBe(2);
    // Tab reaches each bar, in order of call
    await page.getByRole('group', { name: 'Drawing of the operations' }).focus();
    const reached: unknown[] = [];
    for (let i = 0; i < 3; i++) {
      await page.keyboard.press('Tab');
      reached.push(await page.evaluate('document.activeElement.getAttribute("data-operation")'));
    }
    expect(reached).toEqual(['0', '1', '2']);
    await page.keyboard.press('Enter');
    expect(await page.locator('.details').innerText()).toMatch(/process\s+A[\s\S]*returned 2/);
    expect(await seriousProblems(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test('keys step through a linearization, with the state at each step', async () => {
    const { page, complaints } = await open(
      browser,
      reportOf('overtaken', overtaken, queue() as Spec, 'search'),
    );
    const state = page.locator('.state');
    expect(await state.textContent()).toBe('dequeue() → 2 does not fit here: the spec allows 1.');
    await page.keyboard.press('ArrowLeft');
    expect(await state.textContent()).toBe('enqueue(2) takes effect. After it the object is [1, 2].');
    expect(await page.locator('.points rect').count()).toBe(2);
    await page.getByRole('button', { name: 'First' }).click();
    expect(await state.textContent()).toBe('Initially the object is [].');
    await page.keyboard.press('ArrowRight');
    expect(await state.textContent()).toContain('After it the object is [1].');
    expect(complaints).toEqual([]);
  });

  test('the whole history can be zoomed, panned, searched and filtered', async () => {
    const { page, complaints } = await open(browser, reportOf('map', mapHistory(600), map() as Spec));
    const count = page.locator('output', { hasText: 'operations' });
    expect(await count.textContent()).toBe('600 of 600 operations');
    await painted(page);
    const before = await pixels(page);
    await page.getByRole('button', { name: 'Zoom in' }).click();
    await painted(page);
    const zoomed = await pixels(page);
    expect(zoomed).not.toBe(before);
    await drag(page, 200, 4);
    await painted(page);
    expect(await pixels(page)).not.toBe(zoomed);
    await page.getByRole('button', { name: 'To scale' }).click();
    await page.getByRole('button', { name: 'All', exact: true }).click();
    await page.getByRole('button', { name: 'put', exact: true }).click();
    expect(await count.textContent()).toBe('400 of 600 operations');
    await page.getByRole('button', { name: 'put', exact: true }).click();
    await page.getByRole('searchbox').fill('process:worker-3 method:put');
    expect(await count.textContent()).toBe('50 of 600 operations');
    await page.getByRole('searchbox').press('Enter');
    expect(await page.locator('.details').innerText()).toMatch(/process\s+worker-3[\s\S]*put/);
    await page.getByRole('searchbox').fill('value:3 key:k3');
    expect(await count.textContent()).not.toBe('0 of 600 operations');
    await page.getByRole('button', { name: 'Table' }).click();
    expect(await page.locator('.operations tbody tr').count()).toBeGreaterThan(0);
    expect(await seriousProblems(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test('the canvas can be used with the keyboard', async () => {
    const { page, complaints } = await open(browser, reportOf('map', mapHistory(60), map() as Spec));
    await page.locator('canvas').focus();
    await page.keyboard.press('n');
    await page.keyboard.press('n');
    expect(await page.locator('.details h2').textContent()).toBe('get("k1") → null');
    await painted(page);
    const before = await pixels(page);
    await page.keyboard.press('+');
    await painted(page);
    expect(await pixels(page)).not.toBe(before);
    expect(complaints).toEqual([]);
  });

  test('each part has its own verdict and linearization', async () => {
    const { page, complaints } = await open(browser, reportOf('map', mapHistory(60), map() as Spec));
    expect(await page.locator('.parts button').count()).toBe(7);
    await page.locator('.parts button', { hasText: 'k3' }).click();
    expect(await page.locator('h2').first().textContent()).toBe('Linearization');
    expect(await page.locator('.steps tbody tr').count()).toBeGreaterThan(5);
    expect(await page.locator('.points rect').count()).toBeGreaterThan(5);
    expect(complaints).toEqual([]);
  });

  test('a copied history can be read again', async () => {
    const { page } = await open(browser, reportOf('overtaken', overtaken, queue() as Spec));
    const copied = async (name: string) => {
      await page.getByRole('button', { name }).first().click();
      await page.locator('output', { hasText: 'copied' }).first().waitFor();
      return page.evaluate<string>('navigator.clipboard.readText()');
    };
    const shown = [...overtaken].slice(0, 3);
    expect([...sketch(await copied('Copy as drawing'))]).toEqual(shown);
    expect([...parseHistory(await copied('Copy as JSON lines'))].map(({ method }) => method)).toEqual(
      shown.map(({ method }) => method),
    );
  });

  test.each([
    ['light', 'two-orders'],
    ['dark', 'long-history'],
  ] as const)('a narrow %s screen has room for all', async (colorScheme, picture) => {
    const { history, spec, algorithm } = PICTURES.find(
      ({ name }) => name === picture,
    ) as (typeof PICTURES)[number];
    const { page, complaints } = await open(browser, reportOf(picture, history, spec, algorithm), {
      viewport: { width: 400, height: 800 },
      colorScheme,
    });
    await page.getByRole('button', { name: /Show all/ }).click();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(400);
    expect(await seriousProblems(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test('notes with long paths fit on a narrow screen', async () => {
    const { page } = await open(browser, reportOf('limit', mapHistory(40), map() as Spec, 'search', 1), {
      viewport: { width: 390, height: 844 },
    });
    expect(await page.locator('.notes').innerText()).toContain('docs/guide/writing-a-spec.md');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
  });

  test('the sentences stand beside the drawing, above it on a narrow screen, and before the steps', async () => {
    for (const width of [1400, 390]) {
      const { page } = await open(browser, reportOf('overtaken', overtaken, queue() as Spec), {
        viewport: { width, height: 900 },
      });
      const boxes = await Promise.all(
        ['section:has(#why)', '.picture', '.reasons', '.stepper'].map((own) =>
          page.locator(own).first().boundingBox(),
        ),
      );
      const [section, picture, reasons, steps] = boxes.map((box) => box!);
      if (width === 1400) {
        expect(picture.x).toBeGreaterThan(reasons.x + reasons.width);
        expect(picture.x + picture.width).toBe(section.x + section.width);
      } else {
        expect(picture.y).toBeGreaterThan(reasons.y + reasons.height);
        expect(picture.width).toBe(section.width);
      }
      expect(steps.y).toBeGreaterThan(picture.y + picture.height);
    }
  });

  test('the fault among many operations is in view when the page opens', async () => {
    const reads = Array.from({ length: 150 }, (_, i) => ({
      process: `p${i % 7}`,
      method: i % 2 === 0 ? 'write' : 'read',
      args: i % 2 === 0 ? [i] : [],
      result: i % 2 === 0 ? null : i === 149 ? 'lost' : i - 1,
      call: 10 * i,
      return: 10 * i + 5,
    }));
    const { page } = await open(browser, reportOf('far', parseHistory(lines(reads)), register() as Spec));
    const frame = (await page.locator('.picture').boundingBox())!;
    const fault = (await page.locator('.bar.fault').boundingBox())!;
    expect(fault.x).toBeGreaterThanOrEqual(frame.x);
    expect(fault.x + fault.width).toBeLessThanOrEqual(frame.x + frame.width);
    expect(fault.y + fault.height).toBeLessThanOrEqual(800);
  });

  test('a fault is a band behind the drawing, a cycle is a list, and amounts are bars', async () => {
    const operation = (process: string, method: string, args: unknown[], result: unknown, call: number) => ({
      ...{ process, method, args, result, call },
      return: call + 5,
    });
    const history = parseHistory(
      lines([
        { annotation: 'pause `n1`', at: 12, until: 34 },
        operation('A', 'put', ['x', 1], null, 0),
        operation('A', 'put', ['x', 2], null, 20),
        operation('B', 'put', ['x', 3], null, 26),
        operation('B', 'get', ['x'], 1, 40),
        operation('B', 'put', ['y', 1], null, 50),
        operation('B', 'get', ['y'], null, 60),
      ]),
      { keepTimes: true },
    );
    const spec = map() as Spec;
    const consistency = measureConsistency(history, spec);
    const verdict = check(history, () => spec);
    const result = { file: 'f', spec: 'map', history, verdict, ms: { read: 0, check: 0 } };
    const path = join(folder, 'fault.html');
    writeFileSync(
      path,
      htmlReport({ ...result, consistency, all: true, specOf: () => spec }, () => spec),
    );
    const { page, complaints } = await open(browser, path);
    // the allowed value comes from an operation that is drawn, too
    expect(await page.locator('.reasons > li').first().innerText()).toContain('returned 1; allowed: 3.');
    expect(await page.locator('.bar text').allTextContents()).toContain('put("x", 3)');
    const [band, first, second, fault] = (
      await Promise.all(
        ['.band rect', '[data-operation="0"] path', '[data-operation="1"] path', '.bar.fault path'].map(
          (own) => page.locator(own).first().boundingBox(),
        ),
      )
    ).map((box) => box!);
    expect(band.x).toBeGreaterThan(first.x);
    expect(band.x).toBeLessThanOrEqual(second.x);
    expect(band.x + band.width).toBeLessThanOrEqual(fault.x + 1);
    expect(await page.locator('.band text').textContent()).toBe('pause `n1`');
    expect(await page.locator('.band line').count()).toBe(2);
    const topics = page.getByRole('region', { name: 'How far from linearizable' });
    expect(await topics.locator('.items li').count()).toBeGreaterThanOrEqual(2);
    expect(await topics.locator('.by-name li').count()).toBe(2);
    const histogram = topics.getByRole('img');
    expect(await histogram.getAttribute('aria-label')).toMatch(
      /^(\d+ ){10}\(operations with a contradiction/,
    );
    expect(await histogram.innerText()).toMatch(/^\d(\s\d)*$/);
    expect(await seriousProblems(page)).toEqual([]);
    // on a narrow screen nothing overflows, and the name of the fault stays in view beside the faulty operation
    await page.setViewportSize({ width: 390, height: 844 });
    await painted(page);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    const names = await page
      .locator('.band text')
      .evaluateAll((all) =>
        all.map((own) =>
          (own as unknown as { getBoundingClientRect(): { left: number } }).getBoundingClientRect(),
        ),
      );
    expect(names.some(({ left }) => left >= 0 && left < 390)).toBe(true);
    expect(complaints).toEqual([]);
  });

  test('an operation in a sentence is chosen with the keyboard, and its name breaks into lines', async () => {
    const { page } = await open(browser, reportOf('overtaken', overtaken, queue() as Spec));
    await page.locator('.mention').first().focus();
    await page.keyboard.press('Enter');
    expect(await page.locator('.details').innerText()).toMatch(/process\s+A[\s\S]*returned 2/);
    expect(await page.evaluate('getComputedStyle(document.querySelector(".mention")).display')).toBe(
      'inline',
    );
  });

  test('long values stay inside of their columns, and their order is shown on demand', async () => {
    const items = Array.from({ length: 60 }, (_, i) => `item-${i}`);
    const calls = [...Array(8).keys()].map((i) => ({
      process: `p${i % 2}`,
      method: 'write',
      args: [[...items, i]],
      result: null,
    }));
    const history = parseHistory(
      lines(
        [...calls, { process: 'p0', method: 'read', args: [], result: [...items, 99] }].map((own, i) => ({
          ...own,
          call: 10 * i,
          return: 10 * i + 12,
        })),
      ),
    );
    const { page, complaints } = await open(
      browser,
      reportOf('long values', history, register() as Spec, 'search'),
    );
    const [box, table] = await Promise.all(
      ['.scrolls.table', '.of-steps'].map((own) => page.locator(own).boundingBox()),
    );
    expect(table!.width).toBeLessThanOrEqual(box!.width);
    expect(await page.locator('.diff').innerText()).toContain('99');
    expect(await page.locator('.reasons .order').first().isVisible()).toBe(false);
    await page.getByText('Show the order').click();
    expect(await page.locator('.reasons .order').first().isVisible()).toBe(true);
    expect(complaints).toEqual([]);
  });

  test('reports of the gallery open without errors', async () => {
    const { page, complaints } = await open(browser, reportOf('overtaken', overtaken, queue() as Spec));
    for (const { name, history, spec, algorithm, steps } of SOME) {
      await page.goto(`file://${reportOf(name, history, spec, algorithm, steps)}`);
      expect(await page.locator('h1').count(), name).toBe(1);
    }
    expect(complaints.filter((own) => !own.startsWith('request: file:'))).toEqual([]);
  });

  const HOSTILE = '</script><img src=x onerror=alert(1)><script>alert(2)</script><!--';
  test('values that look like markup or code are shown as data', async () => {
    const odd = [HOSTILE, '\u202e\u0007ابجد', '👩‍👩‍👧', '`alert(3)`', '\'"><svg onload=alert(4)>', '\u2028'];
    const history = parseHistory(
      lines([
        ...odd.map((text, i) => ({
          process: text,
          method: 'write',
          args: [text],
          call: 4 * i,
          return: 4 * i + 2,
        })),
        { annotation: HOSTILE, at: 3 },
        { process: HOSTILE, method: 'read', args: [], result: { [HOSTILE]: HOSTILE }, call: 90, return: 91 },
      ]),
    );
    const { page, complaints } = await open(
      browser,
      reportOf(HOSTILE, history, { ...register(), name: HOSTILE } as Spec),
    );
    await page.getByRole('button', { name: /Show all/ }).click();
    await page.locator('canvas').hover({ position: { x: 300, y: 60 } });
    await page.locator('.bar').first().click();
    await page.getByRole('button', { name: 'Table' }).click();
    expect(await page.locator('img').count()).toBe(0);
    expect(await page.locator('.reasons').innerText()).toContain('onerror=alert(1)');
    expect(complaints).toEqual([]);
  });

  test('right-to-left values do not affect the text around them', async () => {
    const history = sketch`
      A  |- write("ابجد") -|
      B    |- write("שלום") -|
      C                        |- read() -> "7" -|` as History;
    const { page, complaints } = await open(browser, reportOf('rtl', history, register() as Spec));
    const allowed = page.locator('.reasons .good bdi');
    expect(await allowed.allInnerTexts()).toEqual(['"שלום"', '"ابجد"']);
    const [first, second] = await Promise.all([0, 1].map((i) => allowed.nth(i).boundingBox()));
    expect(first!.x).toBeLessThan(second!.x);
    expect(complaints).toEqual([]);
  });

  test('the policy runs no script but the page’s own', async () => {
    const { page } = await open(browser, reportOf('overtaken', overtaken, queue() as Spec));
    const ran = await page.evaluate(`{
      const script = document.createElement('script');
      script.textContent = 'globalThis.intruded = true';
      document.body.append(script);
      'intruded' in globalThis;
    }`);
    expect(ran).toBe(false);
  });

  const odd: Readonly<Record<string, () => History>> = {
    'an empty history': () => parseHistory(''),
    'one operation': () => sketch`A |- read() -> null -|` as History,
    'a first operation that is wrong': () => sketch`A |- read() -> 7 -|` as History,
    'nothing but failed operations': () => sketch`A |- write(1) -x` as History,
    'two thousand processes': () =>
      parseHistory(
        lines(
          Array.from({ length: 4_000 }, (_, i) => ({
            process: `p${i % 2_000}`,
            method: 'write',
            args: [i],
            call: i,
            return: i + 1_500,
          })),
        ),
      ),
    'values of a megabyte': () =>
      parseHistory(
        lines([
          { process: 'A', method: 'write', args: ['x'.repeat(1_000_000)], call: 1, return: 2 },
          { process: 'A', method: 'read', args: [], result: 'y'.repeat(1_000_000), call: 3, return: 4 },
        ]),
      ),
  };
  test.each(Object.keys(odd))('%s does not break it', async (name) => {
    const { page, complaints } = await open(browser, reportOf(name, odd[name](), register() as Spec));
    const button = page.getByRole('button', { name: /Show all/ });
    if ((await button.count()) > 0) await button.click();
    if ((await page.locator('canvas').count()) > 0) {
      await page.locator('canvas').hover({ position: { x: 200, y: 55 } });
      await page.locator('canvas').click({ position: { x: 200, y: 55 } });
      await page.getByRole('button', { name: 'Table' }).click();
    }
    expect(await page.locator('main').innerText()).not.toBe('');
    expect(complaints).toEqual([]);
  });

  test('a long history can be panned', async () => {
    const { page, complaints } = await open(
      browser,
      reportOf('large', mapHistory(OPERATIONS), map() as Spec),
    );
    await painted(page);
    for (let i = 0; i < 2; i++) await page.getByRole('button', { name: 'Zoom in' }).click();
    await painted(page);
    const before = await pixels(page);
    await page.evaluate(`{
      globalThis.times = [];
      const tick = (now) => {
        globalThis.times.push(now);
        requestAnimationFrame(tick);
      };
      requestAnimationFrame(tick);
    }`);
    const measured = async (what: string, act: () => Promise<void>) => {
      await page.evaluate('globalThis.times.length = 0');
      await act();
      const times = await page.evaluate<number[]>('globalThis.times');
      const frames = times.slice(1).map((time, i) => time - times[i]);
      frames.sort((a, b) => a - b);
      const [median, most] = [frames[frames.length >> 1], frames[Math.floor(frames.length * 0.95)]];
      process.stdout.write(
        `${what} ${OPERATIONS} operations: ${median.toFixed(1)} ms a frame, ${most.toFixed(1)} ms for the slowest twentieth\n`,
      );
    };
    await measured('panning', () => drag(page, 600, 60));
    const panned = await pixels(page);
    expect(panned).not.toBe(before);
    await page.keyboard.down('Control');
    await measured('zooming', async () => {
      for (let i = 0; i < 40; i++) await page.mouse.wheel(0, i < 20 ? 120 : -120);
    });
    await page.keyboard.up('Control');
    expect(complaints).toEqual([]);
  });
});
