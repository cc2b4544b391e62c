// `npm run build && node page/pictures.js`: the pictures of docs/, taken by the system's Chromium of pages made here.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'straightedge-pictures-'));
// in a folder of its own, so that paths are short, and failures are saved there
for (const name of ['examples', 'papers', 'tsconfig.json'])
  cpSync(join(root, name), join(folder, name), { recursive: true });
writeFileSync(
  join(folder, 'relay.jsonl'),
  [
    { process: 'A', method: 'send', args: [1], call: 0, return: 6 },
    { process: 'B', method: 'receive', result: 1, call: 2, return: 8 },
    { process: 'C', method: 'send', args: [2], call: 3, return: 11 },
    { process: 'B', method: 'receive', result: 2, call: 9, return: 12 },
  ]
    .map((operation) => `${JSON.stringify(operation)}\n`)
    .join(''),
);
const PICTURES = {
  counterexample: {
    args: ['check', 'examples/02-check-a-history/orders.jsonl', '--spec', 'queue'],
    height: 640,
  },
  timeline: {
    args: ['check', 'examples/02-check-a-history/orders.jsonl', '--spec', 'queue'],
    height: 460,
    colorScheme: 'dark',
    prepare: async (page) => {
      await page.getByRole('button', { name: /Show all/ }).click();
      await page.locator('#history').evaluate((heading) => heading.scrollIntoView());
    },
  },
  'stale-read': {
    args: ['check', 'examples/02-check-a-history/stale-read.jsonl', '--spec', 'register'],
    height: 420,
    prepare: async (page) => {
      await page.getByRole('button', { name: /Show all/ }).click();
      await page.locator('#history').evaluate((heading) => heading.scrollIntoView());
    },
  },
  explored: {
    args: ['explore', 'examples/05-explore-threads/jobs.scenario.ts'],
    height: 620,
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Next →' }).last().click();
      await page.locator('#trace').evaluate((heading) => heading.scrollIntoView());
    },
  },
  'root-cause': {
    args: ['explore', 'papers/root-cause/scenarios/stack.scenario.ts', '--explain'],
    height: 900,
    prepare: async (page) => {
      await page.locator('#trace').evaluate((heading) => heading.scrollIntoView());
      await page.locator('.source tr', { hasText: 'this.items[i].value = null' }).hover();
    },
  },
  rendezvous: { args: ['check', 'relay.jsonl', '--spec', 'channel'], height: 470 },
  // a page of its own, which checks when it is opened
  playground: {
    page: join(root, 'dist/report/html/playground.html'),
    width: 1400,
    height: 800,
    prepare: (page) => page.locator('.result h1').waitFor(),
  },
};

const which = spawnSync('sh', ['-c', 'command -v chromium || command -v google-chrome'], {
  encoding: 'utf8',
});
const browser = await chromium.launch({ executablePath: which.stdout.trim(), args: ['--no-sandbox'] });
for (const [name, picture] of Object.entries(PICTURES)) {
  const { args, width = 1100, height, colorScheme = 'light', prepare } = picture;
  const file = picture.page ?? join(folder, `${name}.html`);
  if (args)
    spawnSync(process.execPath, [join(root, 'dist/cli/main.js'), ...args, '--html', file], { cwd: folder });
  const page = await browser.newPage({ viewport: { width, height }, colorScheme });
  await page.goto(pathToFileURL(file).href);
  await prepare?.(page);
  await page.waitForTimeout(200);
  await page.screenshot({ path: join(root, `docs/pictures/${name}.png`) });
}
await browser.close();
rmSync(folder, { recursive: true });
