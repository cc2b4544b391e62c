/** Several histories with several jobs, against one job: the same results in the same order. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { runIn } from '../../support/processes/command-line.js';
import { plain } from '../../support/processes/processes.js';

const folder = mkdtempSync(join(tmpdir(), 'straightedge-several-'));
afterAll(() => rmSync(folder, { recursive: true }));

const read = (value: number) =>
  `{"process":"A","method":"read","args":[],"result":${value},"call":1,"return":2}\n`;
const files = Array.from({ length: 9 }, (_, i) => {
  const name = `${i}.jsonl`;
  writeFileSync(join(folder, name), i === 4 ? '{"process":' : read(i % 3));
  return name;
});
const check = (...args: readonly string[]) => runIn(folder, ['check', ...args, '--json']);
const documents = (text: string) => text.trim().split('\n').map(plain);

test('four jobs give the results of one job', () => {
  const alone = check(...files, 'absent.jsonl', '--spec', 'counter', '--jobs', '1');
  const together = check(...files, 'absent.jsonl', '--spec', 'counter', '--jobs', '4');
  expect(together.status).toBe(alone.status);
  expect(documents(together.stdout)).toEqual(documents(alone.stdout));
  expect(documents(together.stdout).map(({ file }) => file)).toEqual([...files, 'absent.jsonl']);
});

test('files together are one history, and a violation has its file', () => {
  writeFileSync(
    join(folder, 'eu.jsonl'),
    '{"process":"1","method":"write","args":[1],"call":1,"return":2}\n',
  );
  writeFileSync(
    join(folder, 'us.jsonl'),
    '{"process":"1","method":"read","result":null,"call":5,"return":6}\n',
  );
  const both = ['eu.jsonl', 'us.jsonl', '--together', '--spec', 'register'];
  const { status, stdout } = check(...both);
  expect(status).toBe(1);
  const [document] = documents(stdout);
  expect(document).toMatchObject({ file: 'eu.jsonl and us.jsonl', verdict: 'violation' });
  const sarif = runIn(folder, ['check', ...both, '--reporter', 'sarif']).stdout;
  expect(sarif).toMatch(/"uri":\s*"us.jsonl"/);
  expect(check(...both, '--clock-error', '2').status).toBe(0);
  expect(check(...both, '--redis', 'redis://127.0.0.1:1').stderr).toContain('leave out --redis');
  expect(check(...both, '-').stderr).toContain('standard input cannot be joined');
  expect(check('eu.jsonl', 'absent.jsonl', '--together', '--spec', 'register').status).toBe(2);
});

test('a file that is cut off is an error, or read with a warning', () => {
  writeFileSync(join(folder, 'cut.jsonl'), `${read(0)}{"process":"A","me`);
  expect(check('cut.jsonl', '--spec', 'counter').status).toBe(2);
  const { status, stderr } = check('cut.jsonl', '--spec', 'counter', '--partial');
  expect([status, stderr]).toEqual([
    0,
    'cut.jsonl: the file is cut off on line 2; an operation that it no longer has may be the reason of a violation\n',
  ]);
});

test('an error of the command line is reported once, and ends the command', () => {
  const { status, stderr } = check(...files, '--spec', 'countre', '--jobs', '3');
  expect(status).toBe(2);
  expect(stderr.match(/countre/g)).toHaveLength(1);
});

test('a history that runs out of memory beside others is checked again alone', () => {
  // the first call exhausts the memory; later calls do not
  const greedy = `import { existsSync, writeFileSync } from 'node:fs';
const eat = () => { const all = []; for (;;) all.push(new Array(100_000).fill(0.5)) };
export default {
  name: 'greedy',
  initial: 0,
  methods: {
    read: (state) => {
      if (existsSync('eaten')) return [state, 0];
      writeFileSync('eaten', '');
      eat();
    },
  },
};
`;
  writeFileSync(join(folder, 'greedy.spec.js'), greedy);
  const flags = ['--spec', './greedy.spec.js', '--max-memory', '300mb'];
  const { status, stdout } = check(files[0], files[3], ...flags, '--jobs', '2');
  expect([status, stdout]).toEqual([0, expect.stringContaining('linearizable')]);
});
