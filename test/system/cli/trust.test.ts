/** Code that a command must not run: modules outside of the folder of a failure file, and foreign configurations. */
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { loadConfig } from '../../../src/config/load-config.js';
import { escapingPaths } from '../../support/fixtures/escaping-paths.js';
import { runHere } from '../../support/processes/command-line.js';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'straightedge-trust-')));
const MARK = join(folder, 'loaded');
/** A module that writes a file if it is loaded. */
const EVIL = `import { writeFileSync } from 'node:fs';
writeFileSync(${JSON.stringify(MARK)}, '');
export default { create: () => ({ read: () => 0 }), calls: [['read']] };
`;
afterEach(() => rmSync(MARK, { force: true }));
afterAll(() => rmSync(folder, { recursive: true }));

describe('a failure file', () => {
  const { own, paths } = escapingPaths(folder, EVIL);
  const saved = (scenario: string): string => {
    mkdirSync(join(own, '.straightedge'), { recursive: true });
    const matrix = { threads: [[{ method: 'read', args: [] }]], before: [], after: [] };
    const failure = { version: 1, scenario, matrix, schedule: [0], steps: [] };
    writeFileSync(join(own, '.straightedge/failure-1.json'), JSON.stringify(failure));
    return '.straightedge/failure-1.json';
  };
  const isRelative = (path: string) => !/^(\/|file:)/.test(path);

  test.each([
    ...paths.map((way) => ({ command: 'replay', ...way })),
    // the same job
    ...paths.slice(0, 3).map((way) => ({ command: 'explain', ...way })),
  ])('$command loads nothing elsewhere: $name', async ({ command, path }) => {
    const { status, stdout, stderr } = await runHere(
      [command, saved(isRelative(path) ? `../${path}` : path)],
      own,
    );
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/add --scenario <path>|no such file/);
    expect(existsSync(MARK)).toBe(false);
  });

  test('that the user names with --scenario is loaded', async () => {
    await runHere(['replay', saved('../file.ts'), '--scenario', '../outside/evil.ts'], own);
    expect(existsSync(MARK)).toBe(true);
  });

  test('that names a file below the folder is loaded', async () => {
    writeFileSync(join(own, 'mine.scenario.ts'), EVIL);
    await runHere(['replay', saved('../mine.scenario.ts')], own);
    expect(existsSync(MARK)).toBe(true);
  });
});

describe('a configuration is found from the folder up to the root of its repository', () => {
  const LEVELS = 4;
  let cases = 0;
  const all = Array.from({ length: LEVELS ** 2 * (LEVELS + 1) }, (_, i) => ({
    config: i % LEVELS,
    from: Math.floor(i / LEVELS) % LEVELS,
    // the last one: no repository
    root: Math.floor(i / LEVELS ** 2),
  }));

  test.each(all)('configuration at $config, folder at $from, .git at $root', ({ config, from, root }) => {
    const base = join(folder, `search-${cases++}`);
    const at = (level: number) => join(base, ...Array.from({ length: level }, (_, i) => `level-${i}`));
    mkdirSync(at(LEVELS - 1), { recursive: true });
    writeFileSync(join(at(config), 'straightedge.config.mjs'), 'export default { seed: 7 };');
    // a worktree has a file
    if (root < LEVELS) writeFileSync(join(at(root), '.git'), 'gitdir: elsewhere');
    const isInRepository = root <= from;
    const isExpected = isInRepository ? root <= config && config <= from : config === from;
    expect(loadConfig(at(from))?.config.seed).toBe(isExpected ? 7 : undefined);
  });
});

describe('a configuration runs', () => {
  let folders = 0;
  // a module is loaded once, so each test has its own
  const configured = (): string => {
    const at = join(folder, `configured-${folders++}`);
    mkdirSync(at);
    writeFileSync(join(at, 'straightedge.config.mjs'), EVIL.replace(/export.*/s, 'export default {};'));
    return at;
  };
  const COMMANDS = ['check', 'view', 'monitor', 'convert', 'init', 'explore', 'stress', 'replay', 'explain'];

  test.each(
    [...COMMANDS, 'play', 'worker'].flatMap((name) => [
      [name, '--help'],
      [name, '-h'],
      ['help', name],
      [name, 'absent', '--unknown-flag'],
    ]),
  )('not for %s %s', async (...args) => {
    await runHere(args, configured());
    expect(existsSync(MARK)).toBe(false);
  });

  test.each([['--help'], ['--version'], ['-V'], ['worker', 'status', 'redis://127.0.0.1:1'], []])(
    'not for %s %s',
    async (...args) => {
      await runHere(args, configured());
      expect(existsSync(MARK)).toBe(false);
    },
  );

  test.each(COMMANDS)('for %s, unless --no-config', async (name) => {
    const needed: Record<string, string[]> = {
      view: ['--html', 'out.html'],
      convert: ['out.jsonl'],
      check: ['--spec', 'queue'],
      monitor: ['--spec', 'queue'],
    };
    const at = configured();
    const args = [name, 'absent.jsonl', ...(needed[name] ?? [])];
    expect((await runHere([...args, '--no-config'], at)).status).toBe(2);
    expect(existsSync(MARK)).toBe(false);
    await runHere(args, at);
    expect(existsSync(MARK)).toBe(true);
  });
});

test('--no-config: the globs of a configuration do not apply to a scenario', async () => {
  const at = join(folder, 'globs');
  mkdirSync(at);
  writeFileSync(join(at, 'straightedge.config.mjs'), `export default { instrument: ['other/*.ts'] };`);
  writeFileSync(
    join(at, 'counter.ts'),
    'export class Counter { n = 0; add() { this.n = this.n + 1; return this.n } }',
  );
  writeFileSync(
    join(at, 'counter.scenario.ts'),
    `import { scenario } from 'straightedge';
import { Counter } from './counter';
export default scenario({ create: () => new Counter(), backend: 'instrumented', test: [[['add']], [['add']]] });\n`,
  );
  expect((await runHere(['explore', 'counter.scenario.ts'], at)).status).not.toBe(1);
  expect((await runHere(['explore', 'counter.scenario.ts', '--no-config'], at)).status).toBe(1);
});
