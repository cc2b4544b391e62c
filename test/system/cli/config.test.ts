/** `straightedge.config.ts`: its settings apply unless the command line overrides them. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Command } from '@commander-js/extra-typings';
import { afterAll, describe, expect, test } from 'vitest';
import { define } from '../../../src/cli/commands/check.js';
import { setFlags } from '../../../src/cli/run.js';
import { type LoadedConfig, loadConfig } from '../../../src/config/load-config.js';
import { runIn } from '../../support/processes/command-line.js';

const folder = mkdtempSync(join(tmpdir(), 'straightedge-config-'));
afterAll(() => rmSync(folder, { recursive: true }));

let projects = 0;
/** A repository with these files, and the command line in it. */
function project(files: Readonly<Record<string, string>>) {
  const root = join(folder, `${projects++}`);
  mkdirSync(join(root, '.git'), { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  return (args: readonly string[], at = '.') => runIn(join(root, at), args);
}

const defining = (config: string): string =>
  `import { defineConfig } from 'straightedge';\nexport default defineConfig(${config});\n`;
const QUEUE = '{"process":"A","method":"enqueue","args":[1],"call":1,"return":2}\n';
const SCENARIO = `import { scenario } from 'straightedge';
import { Counter } from './counter';
export default scenario({ backend: 'instrumented', create: () => new Counter(), test: [[['add']], [['add']]] });\n`;
const COUNTER = 'export class Counter { n = 0; add() { this.n = this.n + 1; return this.n } }\n';

describe('a setting', () => {
  const run = project({
    'straightedge.config.ts': defining(
      `{ spec: 'queue', seed: 7, timeout: '20s', jobs: 1, maxMemory: '2gb', reporter: ['json', 'junit=all.xml'] }`,
    ),
    'queue.jsonl': QUEUE,
    'runs/queue.jsonl': QUEUE,
    'counter.ts': COUNTER,
    'counter.scenario.ts': SCENARIO,
  });

  test('applies unless the command line overrides it, also in subfolders', () => {
    const { status, stdout } = run(['check', 'queue.jsonl'], 'runs');
    expect(JSON.parse(stdout)).toMatchObject({ verdict: 'linearizable', spec: 'queue' });
    expect(status).toBe(0);
  });

  test('is overridden by a flag; a reporter also by another reporter', () => {
    const { status, stdout, stderr } = run([
      'check',
      'queue.jsonl',
      '--spec',
      'stack',
      '--reporter',
      'github',
    ]);
    expect(stdout).toMatch(/^::error file=queue.jsonl.*unknown method "enqueue"/);
    expect([status, stderr]).toEqual([2, '']);
  });

  test('applies to each command that has its flag', () => {
    expect(JSON.parse(run(['explore', 'counter.scenario.ts']).stdout)).toMatchObject({
      verdict: 'violation',
      seed: 7,
    });
    const typed = run(['explore', 'counter.scenario.ts', '--seed', '3']);
    expect(JSON.parse(typed.stdout)).toMatchObject({ seed: 3 });
  });
});

test('paths are relative to the file', () => {
  const run = project({
    'straightedge.config.js': `export default { spec: { orders: './specs/none.spec.js' } };`,
    'specs/none.spec.js': `export default { name: 'none', initial: 0, methods: { enqueue: (n) => [n, undefined] } };`,
    'runs/queue.jsonl': QUEUE.replace('{', '{"object":"orders",'),
  });
  const { status, stdout, stderr } = run(['check', 'queue.jsonl'], 'runs');
  expect(stderr).toBe('');
  expect(stdout).toContain('orders=none');
  expect(status).toBe(0);
});

test('globs apply to scenarios in subfolders that have none themselves', () => {
  const files = { 'src/counter.ts': COUNTER, 'src/counter.scenario.ts': SCENARIO };
  const explored = (config: string) =>
    project({ ...files, 'straightedge.config.ts': defining(config) })(
      ['explore', 'counter.scenario.ts'],
      'src',
    ).status;
  expect(explored(`{ instrument: ['src/*.ts'] }`)).toBe(1);
  // a counter that is not instrumented has no observed accesses
  expect(explored(`{ instrument: ['lib/*.ts'] }`)).not.toBe(1);
});

describe('is refused, with its name', () => {
  /** Of a configuration as it stands in the file. */
  const refused = (text: string): string => {
    const root = join(folder, `${projects++}`);
    mkdirSync(root);
    writeFileSync(join(root, 'straightedge.config.ts'), text);
    try {
      const loaded = loadConfig(root) as LoadedConfig;
      const command = new Command();
      define(command, process);
      setFlags(command, loaded);
    } catch (error) {
      return nameless((error as Error).message);
    }
    return '';
  };
  const nameless = (message: string): string =>
    message.replace(/\S*straightedge-config-\S*\/(straightedge\.config\.ts)/, '$1');

  test.each([
    [`{ timout: '5s' }`, 'unknown setting "timout"; did you mean timeout?'],
    [
      `{ colour: true }`,
      'unknown setting "colour"; expected spec, timeout, maxMemory, maxSteps, jobs, seed, reporter, instrument',
    ],
    [`{ jobs: 'many' }`, 'jobs is "many"; expected a number'],
    [`{ jobs: 0 }`, 'jobs: invalid number 0; expected a whole number of at least 1'],
    [`{ timeout: 'soon' }`, 'timeout: invalid time "soon"; expected a time such as 500ms, 60s or 5m'],
    [`{ instrument: 'src' }`, 'instrument is "src"; expected globs: [\'src/**/*.ts\']'],
  ])('%s', (config, message) => {
    expect(refused(`export default ${config};`)).toBe(`straightedge.config.ts: ${message}`);
  });

  test('an invalid configuration, or one that cannot be loaded, is an error', () => {
    expect(refused('export default 5;')).toContain(
      'the default export of straightedge.config.ts is not a configuration; expected',
    );
    expect(refused('export default {')).toMatch(/^cannot load straightedge\.config\.ts: /);
    expect(refused('export default await Promise.resolve({});')).toBe(
      'cannot load straightedge.config.ts: it has a top-level await, and a configuration cannot wait',
    );
  });

  test('before the command does anything', () => {
    const run = project({ 'straightedge.config.mjs': 'export default { jobs: [] };', 'queue.jsonl': QUEUE });
    const { status, stdout, stderr } = run(['check', 'queue.jsonl', '--spec', 'queue']);
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toBe('error: straightedge.config.mjs: jobs is []; expected a number\n');
  });
});
