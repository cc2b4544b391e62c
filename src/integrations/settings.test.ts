/** Defaults of tests and matchers, and settings of the configuration. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { HistoryBuilder } from '../history/builder/builder.js';
import { matchersWith } from './matchers.js';
import { limitsWith, matcherOptions, settingsFrom, testOptions } from './run-scenario.js';

const folder = mkdtempSync(join(tmpdir(), 'straightedge-settings-'));
afterAll(() => rmSync(folder, { recursive: true }));

let projects = 0;
/** The settings below a folder with this configuration. */
function settingsOf(config: string) {
  const root = join(folder, `${projects++}`);
  // the search for a configuration ends at the repository
  mkdirSync(join(root, '.git'), { recursive: true });
  mkdirSync(join(root, 'src'));
  writeFileSync(join(root, 'straightedge.config.ts'), `export default ${config};\n`);
  return settingsFrom(join(root, 'src'));
}

test('without a configuration, matchers take one second and tests half a minute', () => {
  const none = settingsFrom('/');
  expect(none).toEqual({});
  expect(matcherOptions(none)).toEqual({ timeout: 1_000, seed: 1, coverage: undefined });
  expect(testOptions(none, {})).toEqual({ timeout: 30_000, seed: 1, coverage: undefined });
});

test('the configuration sets the limits; a matcher keeps its own if that is shorter', () => {
  const long = settingsOf(`{ timeout: '5m', seed: 7, maxMemory: '2kb', jobs: 3 }`);
  expect(testOptions(long, {})).toMatchObject({ timeout: 300_000, seed: 7 });
  expect(matcherOptions(long)).toMatchObject({ timeout: 1_000, seed: 7 });
  expect(limitsWith(long)).toEqual({ timeout: 300_000, maxMemory: 2048 });
  expect(matcherOptions(settingsOf(`{ timeout: '500ms' }`))).toMatchObject({
    timeout: 500,
    seed: 1,
  });
});

test('options of a test replace the configuration', () => {
  const settings = settingsOf(`{ timeout: '1s', seed: 7, maxMemory: '2kb' }`);
  const options = { timeout: '9s', seed: 3, coverage: 'exhaustive' } as const;
  const expected = { timeout: 9_000, seed: 3, coverage: 'exhaustive' };
  expect(matcherOptions(settings, options)).toEqual(expected);
  expect(testOptions(settings, options)).toEqual(expected);
  expect(limitsWith(settings, { timeout: 5 })).toEqual({ timeout: 5, maxMemory: 2048 });
});

test('an invalid time or size is reported with the file name', () => {
  expect(() => settingsOf(`{ timeout: 'soon' }`)).toThrow(
    /straightedge\.config\.ts: timeout: invalid time "soon"; expected a time such as 500ms/,
  );
  expect(() => settingsOf(`{ maxMemory: 'all' }`)).toThrow(
    /straightedge\.config\.ts: maxMemory: invalid size "all"; /,
  );
});

test('a matcher of histories has the memory limit of the configuration', () => {
  const builder = new HistoryBuilder();
  const calls = Array.from({ length: 7 }, (_, i) =>
    builder.call({ process: `P${i}`, method: 'add', args: [i] }),
  );
  for (const call of calls) builder.end(call, { kind: 'returned', value: undefined });
  builder.end(builder.call({ process: 'A', method: 'all' }), { kind: 'returned', value: 'missing' });
  const history = builder.finish();
  const words = {
    name: 'words',
    initial: '',
    methods: {
      add: (text: string, word: number) => [`${text} ${word}`, undefined] as const,
      all: (text: string) => [text, text] as const,
    },
  };
  const messageOf = (maxMemory?: number): string =>
    matchersWith({ maxMemory })
      .toBeLinearizable.call({}, history, words as never)
      .message();
  expect(messageOf()).toMatch(/^No sequential order of these calls/);
  expect(messageOf(1_000)).toMatch(/^Undecided: a limit was reached before a sequential order/);
});
