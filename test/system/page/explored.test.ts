/** Pages of explorations, monitored streams and stress runs, in a real browser. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launch, litBars, open, seriousProblems } from '../../support/processes/browser.js';
import { runIn } from '../../support/processes/command-line.js';
import { isMissing } from '../../support/processes/requirements.js';

const EXAMPLES = fileURLToPath(new URL('../../../examples/05-explore-threads', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'straightedge-explored-'));

describe.skipIf(isMissing('chromium'))('pages of executions', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(async () => {
    await browser.close();
    rmSync(folder, { recursive: true });
  });

  /** Runs a command that ends with this exit code, and opens the page that it writes. */
  const pageOf = async (code: number, ...args: readonly string[]) => {
    const path = join(folder, 'page.html');
    const { status, stderr } = runIn(folder, [...args, '--html', path]);
    expect(stderr).toBe('');
    expect(status).toBe(code);
    return open(browser, path);
  };

  test('the steps of an explored failure are shown beside its source', async () => {
    const { page, complaints } = await pageOf(1, 'explore', join(EXAMPLES, 'jobs.scenario.ts'));
    const now = page.locator('.source tr.now');
    expect(await now.innerText()).toContain('const next = this.taken;');
    expect(await page.locator('.steps-of-threads tr.now').innerText()).toContain('reads taken → 0');
    await page.keyboard.press('ArrowRight');
    expect(await now.innerText()).toContain('this.jobs.push(job);');
    expect(await litBars(page)).toEqual([1]);
    await page.getByRole('button', { name: 'Last' }).click();
    expect(await page.locator('.value').allInnerTexts()).toContain('taken = 1');
    expect(await page.getByRole('tab').count()).toBe(0);
    expect(await seriousProblems(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test('root cause: source, steps and drawing highlight each other', async () => {
    const stack = fileURLToPath(
      new URL('../../../papers/root-cause/scenarios/stack.scenario.ts', import.meta.url),
    );
    const { page, complaints } = await pageOf(1, 'explore', stack, '--explain');
    const atomic = page.locator('.source tr', { has: page.locator('.atomic') });
    expect((await atomic.allInnerTexts()).map((text) => text.trim().split(/\s+/, 1)[0])).toEqual([
      '22',
      '23',
    ]);
    expect(await page.locator('.reasons', { hasText: 'Confirmed' }).innerText()).toMatch(
      /^Between lines 22 and 23 of pop\(\) by A, pop\(\) by B writes value = null/,
    );
    const between = page.locator('.steps-of-threads tr.between');
    expect((await between.allInnerTexts()).map((text) => text.trim())).toEqual(['writes value = null']);
    // a line lights the steps that ran it and their operations; a step its line; an operation both
    await atomic.first().hover();
    const lit = page.locator('.steps-of-threads tr.lit');
    expect(await lit.count()).toBeGreaterThan(1);
    expect((await litBars(page)).sort()).toEqual([1, 2]);
    await between.first().hover();
    expect(await page.locator('.source tr.lit').innerText()).toContain('this.items[i].value = null;');
    expect(await litBars(page)).toEqual([2]);
    await page.locator('.bar[data-operation="0"]').hover();
    expect(await page.locator('.source tr.lit').allInnerTexts()).toEqual([
      expect.stringContaining('Atomics.add'),
      expect.stringContaining('this.items[i].value = value;'),
    ]);
    // keyboards do the same
    await page.mouse.move(0, 0);
    await atomic.last().getByRole('button').focus();
    expect((await litBars(page)).sort()).toEqual([1, 2]);
    // what could be done instead
    await page.getByRole('button', { name: 'stack.ts:16-17' }).click();
    expect(await atomic.first().innerText()).toContain('Atomics.add');
    expect(await page.locator('.repairs tr.now').innerText()).toContain(
      'would prevent only 1 of 3 failing orders',
    );
    expect(await seriousProblems(page)).toEqual([]);
    await page.getByRole('tab', { name: 'Root cause' }).press('ArrowRight');
    expect(await page.locator('.stepper').last().innerText()).toContain('step 1 of');
    expect(await seriousProblems(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test('a failure that was saved is explained on a page', async () => {
    const scenario = ['--scenario', join(EXAMPLES, 'jobs.scenario.ts')];
    const { page, complaints } = await pageOf(1, 'explain', '.straightedge/failure-1.json', ...scenario);
    expect(await page.locator('h1').innerText()).toBe('✗ reproduced');
    expect(await page.getByRole('tabpanel').innerText()).toContain(
      'Root cause: another call runs between lines 11 and 13 of jobs.ts',
    );
    expect(complaints).toEqual([]);
  });

  test('shows the macrotasks of an event loop in their order', async () => {
    writeFileSync(
      join(folder, 'seats.scenario.ts'),
      `import { scenario } from 'straightedge';
       class Seats {
         free = 1;
         async reserve() {
           if (this.free === 0) return false;
           await new Promise((resolve) => setTimeout(resolve, 20));
           this.free -= 1;
           return true;
         }
       }
       export default scenario({ create: () => new Seats(), calls: [['reserve']], threads: 2, callsPerThread: 1 });\n`,
    );
    const { page, complaints } = await pageOf(1, 'explore', 'seats.scenario.ts', '--explain');
    expect(await page.getByRole('tab').allInnerTexts()).toEqual(['Root cause', 'Step by step']);
    expect(await page.locator('body').innerText()).toContain(
      'another call runs during an await at seats.scenario.ts:6',
    );
    await page.getByRole('tab', { name: 'Step by step' }).click();
    const state = page.locator('.state');
    expect(await state.innerText()).toBe('A calls reserve().');
    await page.getByRole('button', { name: 'Last' }).click();
    expect(await state.innerText()).toMatch(/^[AB], in reserve\(\): timer of 20 ms at line 6\.$/);
    expect(await page.locator('.steps-of-threads tbody tr').count()).toBe(6);
    expect(complaints).toEqual([]);
  });

  test('nondeterminism: two outcomes of the same calls are shown', async () => {
    writeFileSync(
      join(folder, 'dice.scenario.ts'),
      `import { scenario } from 'straightedge';
       class Dice {
         roll(): number {
           return Math.random() < 0.5 ? 0 : 1;
         }
       }
       export default scenario({ backend: 'instrumented', create: () => new Dice(), calls: [['roll']], threads: 2, callsPerThread: 1 });\n`,
    );
    const { page, complaints } = await pageOf(1, 'explore', 'dice.scenario.ts');
    expect(await page.locator('h1').innerText()).toContain('not deterministic');
    const ends = await page
      .locator('.bar.fault text')
      .evaluateAll((texts) => texts.map((text) => text.textContent));
    expect(ends).toEqual(['roll() → 0 ✗', 'roll() → 1 ✗']);
    await page.locator('.bar.fault').first().click();
    expect(await page.locator('.details dl').innerText()).toContain('returned 0');
    expect(await page.locator('.notes').innerText()).toContain('--allow-nondeterminism');
    expect(await seriousProblems(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test('a monitored stream is shown up to its violation', async () => {
    const events = [
      { type: 'call', process: 'A', method: 'write', args: [1] },
      { type: 'return', process: 'A' },
      { type: 'call', process: 'B', method: 'read' },
      { type: 'return', process: 'B', result: 7 },
    ].map((event) => `${JSON.stringify(event)}\n`);
    writeFileSync(join(folder, 'events.jsonl'), events.join(''));
    const { page, complaints } = await pageOf(1, 'monitor', 'events.jsonl', '--spec', 'register');
    expect(await page.locator('.reasons').innerText()).toContain('read() by B (event 4, line 4) returned 7');
    expect(await page.locator('.bar.fault').count()).toBe(1);
    expect(complaints).toEqual([]);
    writeFileSync(join(folder, 'fine.jsonl'), events.slice(0, 2).join(''));
    const fine = await pageOf(0, 'monitor', 'fine.jsonl', '--spec', 'register');
    expect(await fine.page.locator('h1').innerText()).toBe('✓ no violation');
  });

  test('runs without a violation show what they tested', async () => {
    writeFileSync(
      join(folder, 'fine.scenario.ts'),
      `import { scenario } from 'straightedge';
       import { counter } from 'straightedge/objects';
       class Counter {
         value = 0;
         async increment() { this.value += 1; await null; }
         async read() { return this.value; }
       }
       export default scenario({ create: () => new Counter(), spec: counter(), calls: [['increment'], ['read']], threads: 2, callsPerThread: 1 });\n`,
    );
    for (const [command, ...texts] of [
      [
        'explore',
        'What was explored',
        'Every schedule of all',
        'started tests have calls of two or more threads.',
        'increment(), read().',
      ],
      ['stress', 'What was run', '100 rounds (seed 1), 200 operations', 'overlapped'],
    ]) {
      const { page, complaints } = await pageOf(0, command, 'fine.scenario.ts');
      expect(await page.locator('h1').innerText()).toContain('✓ no violation');
      // there is no history to count
      expect(await page.locator('.facts').innerText()).not.toContain('operations');
      if (command === 'stress') {
        expect(await page.locator('h2').first().innerText()).toMatch(/^Linearization of round \d+$/);
        expect(await page.locator('.bar').count()).toBe(2);
      } else
        expect(
          (await page.locator('.topics table tbody tr').allInnerTexts()).map((row) => row.split('\t')),
        ).toEqual([
          ['1×1', '2', '2', expect.stringMatching(/^\d+$/)],
          ['2×1', '3', '3', expect.stringMatching(/^\d+$/)],
        ]);
      const evidence = await page.getByRole('region', { name: texts[0] }).innerText();
      for (const text of texts) expect(evidence).toContain(text);
      expect(await seriousProblems(page)).toEqual([]);
      expect(complaints).toEqual([]);
    }
  });

  test('a failing round of a stress run is shown', async () => {
    writeFileSync(
      join(folder, 'late.scenario.ts'),
      `import { scenario } from 'straightedge';
       import { register } from 'straightedge/objects';
       let stored = 0;
       export default scenario({
         create: () => ({ write: async (value) => { setTimeout(() => { stored = value; }, 5); }, read: async () => stored }),
         spec: register({ initial: 0 }),
         calls: [['write', 1], ['read']],
         threads: 2,
         callsPerThread: 10,
         rounds: 20,
         remote: true,
       });\n`,
    );
    const { page, complaints } = await pageOf(1, 'stress', 'late.scenario.ts');
    expect(await page.locator('h1').innerText()).toBe('✗ not linearizable');
    expect(await page.locator('.bar.fault').count()).toBe(1);
    expect(await page.locator('.notes').innerText()).toContain(
      'The history is in .straightedge/stress-1.jsonl',
    );
    expect(complaints).toEqual([]);
  });
});
