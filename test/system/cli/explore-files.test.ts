/** `straightedge explore` with several scenarios, the cache of passes, and coverage that counts executions. */
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { runIn } from '../../support/processes/command-line.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'straightedge-files-'));
afterAll(() => rmSync(folder, { recursive: true }));
const run = (...args: readonly string[]) => runIn(folder, args);
const write = (name: string, text: string): void => {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
};

const tickets = (isCareful: boolean) => `export class Tickets {
  sold = 0;
  async sell() {
    if (this.sold === 1) return null;
    ${isCareful ? 'this.sold++;' : ''}
    await new Promise((resolve) => setTimeout(resolve, 5));
    ${isCareful ? '' : 'this.sold++;'}
    return this.sold;
  }
}
`;
const scenarioOf = (path: string, rest: string, before = '') => `${before}
import { scenario } from 'straightedge';
import { Tickets } from '${path}';
export default scenario({ name: 'tickets', create: () => new Tickets(), ${rest} });
`;
const TWO = `test: [[['sell']], [['sell']]]`;
const CALLS = `calls: [1, 2, 3, 4, 5].map((n) => ['sell', n])`;
const LARGE = `test: Array(4).fill(Array(2).fill(['sell']))`;

beforeEach(() => {
  rmSync(folder, { recursive: true });
  mkdirSync(folder);
  write('src/tickets.ts', tickets(true));
  write('src/wrong/tickets.ts', tickets(false));
  write('src/a.scenario.ts', scenarioOf('./tickets.js', TWO));
  write('src/wrong/b.scenario.ts', scenarioOf('./tickets.js', TWO));
  write('src/deep/er/c.scenario.mts', scenarioOf('../../tickets.js', TWO));
  write('src/node_modules/d.scenario.ts', 'throw new Error("of a package")');
});

describe('several scenarios', () => {
  const files = ['src/a.scenario.ts', 'src/deep/er/c.scenario.mts', 'src/wrong/b.scenario.ts'];

  test.each([
    ['a folder', ['src']],
    ['a glob', ['src/**/*.scenario.{ts,mts}']],
    ['paths, some of them twice', [...files, 'src/**/a.*.ts']],
  ])('%s: each once, in order, with one summary and one exit code', (_, paths) => {
    const { status, stdout, stderr } = run('explore', ...paths);
    expect([status, stderr]).toEqual([1, '']);
    expect(Array.from(stdout.matchAll(/^[✓✗].*? {2}(\S+)/gm), ([, file]) => file)).toEqual(files);
    expect(stdout.trimEnd().split('\n').at(-1)).toBe(
      '3 scenarios: 2 without a violation, 1 with a violation',
    );
    const json = run('explore', ...paths, '--json')
      .stdout.trim()
      .split('\n');
    expect(json.map((line) => (JSON.parse(line) as { verdict: string }).verdict)).toEqual([
      'holds',
      'holds',
      'violation',
    ]);
  });

  test('one that is invalid is reported, and the others run', () => {
    write('src/broken.scenario.ts', 'export default 1;');
    const { status, stdout, stderr } = run('explore', 'src');
    expect(status).toBe(2);
    expect(stderr).toContain('src/broken.scenario.ts');
    expect(stdout).toContain('4 scenarios: 2 without a violation, 1 with a violation, 1 invalid');
  });

  test.each([
    [['lib/**/*.ts'], 'no file matches lib/**/*.ts'],
    [['src/tickets.ts', '--html', 'a.html', 'src/a.scenario.ts'], '--html needs one file, but there are 2'],
    [['src', '--write-observations', 'a.xml'], 'observations need one scenario, but there are 3'],
  ])('%j is an error', (args, message) => {
    const { status, stderr } = run('explore', ...args);
    expect(status).toBe(2);
    expect(stderr).toContain(message);
  });

  test('a folder without scenarios is an error', () => {
    mkdirSync(join(folder, 'empty'));
    expect(run('explore', 'empty')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('no scenario in empty'),
    });
  });
});

describe('the cache', () => {
  const file = 'src/a.scenario.ts';
  const isCached = (...args: readonly string[]): boolean => {
    const { stdout } = run('explore', file, ...args);
    return stdout.includes('From the cache');
  };

  test('has passes until something changes: code, what it imports, flags, configuration', () => {
    write('src/deep/rules.ts', `export { price } from './prices';`);
    write('src/deep/prices.ts', 'export const price = 1;');
    expect(isCached()).toBe(false);
    expect(isCached()).toBe(true);
    expect(run('explore', file).status).toBe(0);
    const changes: readonly (() => unknown)[] = [
      () => write(file, scenarioOf('./tickets.js', `${TWO}, threads: 2`)),
      () => write('src/tickets.ts', `${tickets(true)}// changed`),
      () => write('src/tickets.ts', `import './deep/rules.js';\n${tickets(true)}`),
      () => write('src/deep/prices.ts', 'export const price = 2;'),
      () => write('straightedge.config.ts', 'export default { seed: 3 };'),
      () => write('package-lock.json', '{}'),
    ];
    for (const [i, change] of changes.entries()) {
      change();
      expect([i, isCached()]).toEqual([i, false]);
      expect([i, isCached()]).toEqual([i, true]);
    }
    for (const flag of [
      ['--seed', '9'],
      ['--max-preemptions', '3'],
      ['--no-cache'],
      ['--no-config'],
      ['--explain'],
    ])
      expect([flag, isCached(...flag)]).toEqual([flag, false]);
  });

  test('has passes of one version of Node and of straightedge', () => {
    const own = mkdtempSync(join(tmpdir(), 'straightedge-copy-'));
    try {
      for (const name of ['dist', 'package.json'])
        cpSync(join(ROOT, name), join(own, name), { recursive: true });
      symlinkSync(join(ROOT, 'node_modules'), join(own, 'node_modules'));
      const options = { main: join(own, 'dist/cli/main.js') };
      const isCachedBy = (more: object = {}): boolean =>
        runIn(folder, ['explore', file], { ...options, ...more }).stdout.includes('From the cache');
      expect(isCachedBy()).toBe(false);
      expect(isCachedBy()).toBe(true);
      const version = 'Object.defineProperty(process, "version", { value: "v99.0.0" });';
      expect(isCachedBy({ node: ['--import', `data:text/javascript,${version}`] })).toBe(false);
      expect(isCachedBy()).toBe(false);
      expect(isCachedBy()).toBe(true);
      const changed = { ...JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')), version: '99.0.0' };
      writeFileSync(join(own, 'package.json'), JSON.stringify(changed));
      expect(isCachedBy()).toBe(false);
      expect(isCachedBy()).toBe(true);
    } finally {
      rmSync(own, { recursive: true });
    }
  });

  test('has the document of a pass', () => {
    const [first, second] = [run('explore', file, '--json'), run('explore', file, '--json')].map(
      ({ stdout }) => JSON.parse(stdout) as { cached?: boolean },
    );
    expect(first).not.toHaveProperty('cached');
    expect(second).toEqual({ ...first, cached: true });
  });

  test.each([
    ['a sample', ['src/large.scenario.ts', '--require-coverage', '20']],
    [
      'a violation, code that reads files or the environment, a computed import, a linked package, an alias',
      ['wrong/b', 'reads', 'env', 'computed', 'linked', 'alias'].map((name) => `src/${name}.scenario.ts`),
    ],
  ])('never has %s', (_, args) => {
    write('src/large.scenario.ts', scenarioOf('./tickets.js', LARGE));
    write(
      'src/reads.scenario.ts',
      scenarioOf('./tickets.js', TWO, `import { readFileSync } from 'node:fs'; void readFileSync;`),
    );
    write('src/env.scenario.ts', scenarioOf('./tickets.js', TWO, 'void process.env.SIZE;'));
    write(
      'src/computed.scenario.ts',
      scenarioOf('./tickets.js', TWO, `const name = './tickets.js'; void import(name);`),
    );
    write('src/linked.scenario.ts', scenarioOf('./tickets.js', TWO, `import '#own';`));
    write('src/alias.scenario.ts', scenarioOf('./tickets.js', TWO, `import 'locked';`));
    write('node_modules/locked/package.json', '{ "name": "locked", "main": "index.js" }');
    write('node_modules/locked/index.js', '');
    write('package-lock.json', '{}');
    write('tsconfig.json', '{ "compilerOptions": { "paths": { "lo*": ["./src/tickets.ts"] } } }');
    write('package.json', '{ "type": "module", "imports": { "#own": "./src/tickets.ts" } }');
    for (const _ of [1, 2]) {
      const { stdout } = run('explore', ...args);
      for (const file of args.filter((arg) => arg.startsWith('src/'))) expect(stdout).toContain(file);
      expect(stdout).not.toContain('From the cache');
    }
    const cache = join(folder, '.straightedge/cache');
    expect(existsSync(cache) ? readdirSync(cache) : []).toEqual([]);
  });

  test('never has a run that a time limit cut', () => {
    write('src/large.scenario.ts', scenarioOf('./tickets.js', CALLS));
    const flags = ['src/large.scenario.ts', '--timeout', '500ms', '--jobs', '1'];
    for (const _ of [1, 2]) {
      const { stdout } = run('explore', ...flags);
      // on a busy machine, the limit may end the first sequential runs
      expect(stdout).toMatch(/not started|The time was not enough to cover everything\./);
      expect(stdout).not.toContain('From the cache');
    }
  });

  test('that cannot be written does not matter', () => {
    write('.straightedge/cache', 'a file');
    for (const _ of [1, 2])
      expect(run('explore', file)).toMatchObject({
        status: 0,
        stderr: '',
        stdout: expect.stringMatching(/^✓/) as string,
      });
  });

  test('that is broken is not used', () => {
    isCached();
    const [name] = readdirSync(join(folder, '.straightedge/cache'));
    write(join('.straightedge/cache', name), '{');
    expect(isCached()).toBe(false);
    expect(isCached()).toBe(true);
  });
});

describe('--require-coverage', () => {
  beforeEach(() => write('src/large.scenario.ts', scenarioOf('./tickets.js', LARGE)));

  test('accepts the number of executions, and does not call it exhaustive', () => {
    const { status, stdout } = run('explore', 'src/large.scenario.ts', '--require-coverage', '300');
    expect(status).toBe(0);
    expect(stdout).toMatch(/^✓ no violation in the required executions {2}src\/large\.scenario\.ts/);
    expect(stdout).toContain('Not every schedule was covered.');
    expect(stdout).not.toMatch(/with every schedule(?! of up to)/);
    const json = run('explore', 'src/large.scenario.ts', '--require-coverage', '300', '--json');
    expect(json.status).toBe(0);
    expect(JSON.parse(json.stdout)).toMatchObject({ verdict: 'undecided', reason: 'executions' });
  });

  test('does not count sequential runs: a scenario that is only learned does not pass', () => {
    const { status, stdout } = run('explore', 'src/large.scenario.ts', '--require-coverage', '1');
    expect(status).toBe(3);
    expect(stdout).toMatch(/^\? undecided/);
    expect(stdout).toContain('Fewer executions were run than required');
  });

  test('is met by complete coverage, and a violation stays one', () => {
    expect(run('explore', 'src/a.scenario.ts', '--require-coverage', '100000').stdout).toMatch(
      /^✓ no violation {2}/,
    );
    expect(run('explore', 'src/wrong/b.scenario.ts', '--require-coverage', '100000').status).toBe(1);
  });
});
