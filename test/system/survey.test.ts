/** The survey of npm packages: its entries are well formed, and its table judges packages that are made here. */
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DEFECTS, definedIn, readDefect } from '../../papers/npm-packages/defects.js';
import {
  entriesOf,
  kindsIn,
  packageOf,
  packagesOf,
  placesIn,
  SURVEY,
  scenarioText,
} from '../../papers/npm-packages/entries.js';
import { linkOurselves, writeScenarios } from '../../papers/npm-packages/install.js';
import { rowOf, totals } from '../../papers/npm-packages/table.js';
import * as kits from '../../src/api/kits.js';

const json = (...path: string[]): Record<string, Record<string, Record<string, unknown>>> =>
  JSON.parse(readFileSync(join(...path), 'utf8'));

test.each(kindsIn(SURVEY))('%s: every entry has a kit or a file, and a pinned package', async (kind) => {
  const { dependencies } = json(SURVEY, kind, 'package.json');
  const { packages } = json(SURVEY, kind, 'package-lock.json');
  const entries = await entriesOf(SURVEY, kind);
  const used = new Set(Object.values(entries).flatMap(packagesOf));
  expect(Object.keys(dependencies).sort()).toEqual([...used].sort());
  for (const version of Object.values(dependencies))
    expect(version).toMatch(/^(npm:.+@)?\d+\.\d+\.\d+[\w.-]*$/);
  for (const [path, { integrity, resolved }] of Object.entries(packages).filter(([path]) => path !== '')) {
    expect(integrity, path).toMatch(/^sha512-/);
    expect(resolved, path).toBeUndefined();
  }
  for (const [name, entry] of Object.entries(entries)) {
    if (entry.file !== undefined) readFileSync(join(SURVEY, kind, entry.file));
    else {
      expect(Object.keys(kits), name).toContain(entry.kit);
      expect(scenarioText(name, entry)).toContain(`'${packageOf(entry)}`);
    }
  }
});

test('names are unique', async () => {
  const names = (await placesIn(SURVEY)).map(({ name }) => name);
  expect(names).toEqual([...new Set(names)]);
});

test('every defect has a package, a promise, a program and a draft, and belongs to an entry', async () => {
  const claimed = new Set<string>();
  for (const kind of kindsIn(SURVEY))
    for (const entry of Object.values(await entriesOf(SURVEY, kind)))
      for (const judgement of Object.values(entry.violations ?? {}))
        if ('defect' in judgement) claimed.add(judgement.defect);
  expect(definedIn(DEFECTS).sort()).toEqual([...claimed].sort());
  for (const name of claimed) expect(readDefect(DEFECTS, name).package).toMatch(/^@?[\w./-]+ \d+\.\d+\.\d+/);
});

const LOCK = `
export class Lock {
  held = false;
  waiters = [];
  async acquire() {
    while (this.held) await new Promise((resolve) => this.waiters.push(resolve));
    this.held = true;
  }
  release() {
    this.held = false;
    this.waiters.shift()?.();
  }
}
export class BargingLock extends Lock {
  async acquire() {
    if (this.held) await new Promise((resolve) => this.waiters.push(resolve));
    this.held = true;
  }
}
`;

const GUARANTEE = 'one holder at a time, and every waiter gets its turn';

const ENTRIES = `
const entry = (name, violations) => ({
  from: 'some-lock',
  kit: 'mutexKit',
  adapter: ({ [name]: Lock }) => ({
    create: () => new Lock(),
    acquire: (lock) => lock.acquire(),
    release: (lock) => lock.release(),
  }),
  violations: violations && { ['${GUARANTEE}']: violations },
});
export const entries = {
  right: entry('Lock'),
  expected: entry('Lock', { defect: 'barging' }),
  known: entry('BargingLock', { defect: 'barging' }),
  false: entry('BargingLock', { defect: 'false' }),
  other: entry('BargingLock', { defect: 'other' }),
  documented: entry('BargingLock', { documented: 'it says so' }),
  ours: entry('BargingLock', { ours: 'the kit is wrong' }),
  new: entry('BargingLock'),
};
`;

const draft = (prints: string, promise = 'is a lock of'): string =>
  `# Two holders\n\nPackage: \`some-lock 1.2.3\`\n\nPromise: "${promise}"\n\nKnown: no\n\n\`\`\`js
import { BargingLock } from 'some-lock';
const lock = new BargingLock();
await lock.acquire();
const second = lock.acquire();
lock.release();
const third = lock.acquire();
await Promise.all([second, third]);
console.log('two holders');
\`\`\`\n\n\`\`\`text\n${prints}\n\`\`\`\n`;

test('the table judges each violation, and runs the programs of defects', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'survey-'));
  const installed = join(folder, 'locks');
  const own = join(installed, 'node_modules', 'some-lock');
  mkdirSync(own, { recursive: true });
  writeFileSync(
    join(own, 'package.json'),
    '{"name":"some-lock","version":"1.2.3","type":"module","exports":"./lock.js"}',
  );
  writeFileSync(join(own, 'lock.js'), LOCK);
  writeFileSync(join(own, 'README.md'), 'This is\n`a lock` of one holder.');
  writeFileSync(join(installed, 'package.json'), '{"type":"module"}');
  writeFileSync(join(installed, 'entries.js'), ENTRIES);
  writeFileSync(join(folder, 'barging.md'), draft('two holders'));
  writeFileSync(join(folder, 'false.md'), draft('three holders'));
  writeFileSync(join(folder, 'other.md'), draft('two holders', 'is a lock for'));
  linkOurselves(folder);
  await writeScenarios(folder, 'locks', installed);
  const rows = [];
  for (const place of await placesIn(folder)) rows.push(await rowOf(place, installed, folder, 1));
  expect(
    rows.map(({ name, verdict, violations, isRight }) => [name, verdict, violations[0]?.judgement, isRight]),
  ).toEqual([
    ['right', 'holds', undefined, true],
    ['expected', `holds, not found: ${GUARANTEE}`, undefined, false],
    ['known', 'broken', 'true defect', true],
    ['false', 'broken', 'true defect', false],
    ['other', 'broken', 'true defect', false],
    ['documented', 'broken', 'documented behaviour', true],
    ['ours', 'broken', 'ours', false],
    ['new', 'broken', 'not judged', false],
  ]);
  expect(rows[0]).toMatchObject({ package: 'some-lock', version: '1.2.3', kit: 'mutex' });
  expect(totals(rows)).toContain('false-alarm rate: 1 of 6 violations (16.7 %)');
});
