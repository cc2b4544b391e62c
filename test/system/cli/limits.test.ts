/** Limits of the built command line: they are kept, and results found before a limit are reported. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { runIn } from '../../support/processes/command-line.js';

const folder = mkdtempSync(join(tmpdir(), 'straightedge-limits-'));
afterAll(() => rmSync(folder, { recursive: true }));

function write(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}
/** Prints the peak memory of the process. */
const peak = write(
  'peak.cjs',
  "require('node:worker_threads').isMainThread && process.on('exit', () => process.stderr.write('peak ' + process.resourceUsage().maxRSS));",
);

function check(...args: readonly string[]) {
  const { status, stdout, stderr } = runIn(folder, ['check', ...args, '--json'], {
    node: ['--require', peak],
  });
  return {
    status,
    document: JSON.parse(stdout) as Record<string, unknown>,
    megabytes: Number(/peak (\d+)/.exec(stderr)?.[1]) / 1024,
  };
}

const line = (fields: Record<string, unknown>): string => `${JSON.stringify(fields)}\n`;

/** Pushes that all overlap, then a pop of a value that was never pushed: every linearization has to be tried. */
function manyOrders(pushes: number, object: string): string {
  const push = Array.from({ length: pushes }, (_, i) =>
    line({
      process: `${object}${i}`,
      object,
      method: 'push',
      args: [i],
      result: null,
      call: i,
      return: 100 + i,
    }),
  );
  return (
    push.join('') + line({ process: `${object}0`, object, method: 'pop', result: -1, call: 300, return: 301 })
  );
}

test.each([150, 300])(
  'a limit of %d MB is kept',
  (limit) => {
    const file = write('hard.jsonl', manyOrders(12, 'a'));
    const { status, document, megabytes } = check(
      file,
      ...['--spec', 'stack', '--algorithm', 'jit-graph', '--max-memory', `${limit}mb`],
    );
    expect([status, document.verdict, document.reason]).toEqual([3, 'undecided', 'memory']);
    expect(megabytes).toBeLessThan(1.1 * limit);
  },
  120_000,
);

test('a limit that is too small for any search is reported', () => {
  const { status, document } = check(
    write('any.jsonl', manyOrders(3, 'a')),
    '--spec',
    'stack',
    '--max-memory',
    '10mb',
  );
  expect([status, document.reason]).toEqual([3, 'memory']);
});

test('a violation in an easy part is found although another part is hard', () => {
  const wrong = line({ process: 'z', object: 'z', method: 'pop', result: 7, call: 400, return: 401 });
  const file = write('parts.jsonl', manyOrders(12, 'a') + wrong);
  const { status, document } = check(
    file,
    ...['--spec', 'stack', '--algorithm', 'jit-graph', '--max-memory', '1gb'],
  );
  expect([status, document.parts]).toEqual([1, { checked: 1, violation: ['z'], notExamined: ['a'] }]);
});

test('a violation is reported although its explanation exceeds the limit', () => {
  const spec = write(
    'tiring.spec.mjs',
    `let calls = 0;
     const wait = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
     const read = (value) => { if (++calls > 4) wait(); return [value, value]; };
     export default { name: 'tiring', initial: 0, methods: { write: (_, value) => [value, undefined], read } };`,
  );
  const file = write(
    'stale.jsonl',
    line({ process: 'A', method: 'write', args: [1], call: 1, return: 2 }) +
      line({ process: 'A', method: 'read', result: 0, call: 3, return: 4 }),
  );
  const { status, document } = check(file, '--spec', spec, '--timeout', '5s');
  expect(status).toBe(1);
  expect(document).toMatchObject({
    verdict: 'violation',
    counterexample: { minimal: false, cause: { kind: 'stuck', operation: 1 } },
  });
}, 60_000);
