/** `straightedge explain` and `explore --explain`, as a user types them. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { ScenarioError } from '../../../src/execution/memory/program-error.js';
import { Deadline } from '../../../src/explore/model/deadline.js';
import type { TestResult } from '../../../src/explore/result.js';
import type { Scenario } from '../../../src/explore/scenario/scenario.js';
import { explained } from '../../../src/jobs/handlers/explore-job.js';
import { sarifFaults } from '../../support/oracles/sarif.js';
import { runIn } from '../../support/processes/command-line.js';

const folder = mkdtempSync(join(tmpdir(), 'straightedge-explain-cli-'));
afterAll(() => rmSync(folder, { recursive: true }));
const run = (...args: readonly string[]) => runIn(folder, args);
const file = (name: string): string => join(folder, name);
for (const name of ['jobs.ts', 'jobs.scenario.ts'])
  cpSync(new URL(`../../../examples/05-explore-threads/${name}`, import.meta.url), file(name));

describe('explore --explain', () => {
  const { status, stdout } = run('explore', 'jobs.scenario.ts', '--explain');

  test('prints a violation with its root cause', () => {
    expect(status).toBe(1);
    expect(stdout).toContain(
      'Root cause: another call runs between lines 11 and 13 of jobs.ts. These lines must run atomically.',
    );
    expect(stdout).toContain(
      'Confirmed: if it is atomic, no schedule of this test or of 20 larger tests fails',
    );
  });

  test('prints the same for the token of the violation', () => {
    const token = /replay (se1\.\S+) --scenario/.exec(stdout)![1];
    const again = run('explain', token, '--scenario', 'jobs.scenario.ts');
    expect(again.status).toBe(1);
    expect(again.stdout).toContain(
      'Root cause: another call runs between lines 11 and 13 of jobs.ts. These lines must run atomically.',
    );
    const alone = run('explain', token);
    expect([alone.status, alone.stderr]).toEqual([2, expect.stringContaining('add --scenario <path>')]);
  });

  test('draws bars beside the lines that must be atomic, in the source and in the interleaving', () => {
    expect(stdout).toContain('  ▌ 11      const next = this.taken;\n');
    expect(stdout).toContain('    14      return this.jobs[next];\n');
    expect(stdout).toMatch(/^ {2}▌ jobs\.ts:13 {2}this\.taken = next \+ 1;/m);
    expect(stdout).toMatch(/^ {4}jobs\.ts:14 {2}return this\.jobs\[next\];/m);
  });

  test('names the interfering thread and its write', () => {
    expect(stdout.replace(/\s+/g, ' ')).toMatch(
      /Between lines 11 and 12 of take\(\) by A, .*take\(\) by B writes taken = 1 \(jobs\.ts:13\)\./,
    );
  });
});

describe('explain', () => {
  test('prints JSON for a saved failure', () => {
    const { status, stdout } = run('explain', '.straightedge/failure-1.json', '--json');
    expect(status).toBe(1);
    const { verdict, explanation } = JSON.parse(stdout);
    expect(verdict).toBe('reproduced');
    expect(explanation).toMatchObject({ violating: 2, passing: 3, isWhole: true, partial: [] });
    expect(explanation.repairs).toEqual([
      {
        rank: 1,
        blocks: [
          {
            file: 'jobs.ts',
            start: { line: 11, column: 18 },
            end: { line: 13, column: 5 },
            methods: ['take'],
          },
        ],
        forbidden: 0,
        of: 3,
        verification: 'confirmed',
        larger: 20,
      },
    ]);
  });

  test('annotates the lines that must be atomic on GitHub, with the steps for code scanning', () => {
    const { status, stdout } = run(
      'explain',
      '.straightedge/failure-1.json',
      '--reporter',
      'github',
      '--reporter',
      'sarif=out.sarif',
    );
    expect(status).toBe(1);
    expect(stdout).toMatch(
      /^::error file=jobs\.ts,line=11,endLine=13,title=straightedge%3A not linearizable::Root cause: another call runs between lines 11 and 13 of jobs\.ts/,
    );
    const log = JSON.parse(readFileSync(file('out.sarif'), 'utf8'));
    expect(sarifFaults(log)).toEqual([]);
    const [result] = log.runs[0].results;
    expect(result.locations).toEqual([
      { physicalLocation: { artifactLocation: { uri: 'jobs.ts' }, region: { startLine: 11, endLine: 13 } } },
    ]);
    const [a, b] = result.codeFlows[0].threadFlows;
    expect([a.id, b.id]).toEqual(['A', 'B']);
    expect(a.locations[0]).toMatchObject({
      executionOrder: 1,
      location: { message: { text: 'take by A reads taken: 0' } },
    });
    const order = [...a.locations, ...b.locations].map(({ executionOrder }) => executionOrder);
    expect(order.sort((x, y) => x - y)).toEqual(order.map((_, i) => i + 1));
  });

  test('draws with ASCII characters', () => {
    const { stdout } = run('explain', '.straightedge/failure-1.json', '--ascii');
    expect(stdout).toContain('  # 11      const next = this.taken;\n');
    expect(stdout).not.toMatch(/[^\x00-\x7f]/);
  });

  test('exit code 2: no such file; exit code 3: the code has changed', () => {
    const other = readFileSync(file('jobs.ts'), 'utf8').replace(
      'this.taken = next + 1;',
      'this.taken = next + 1 + 0 * this.taken;',
    );
    expect(run('explain', 'none.json').status).toBe(2);
    writeFileSync(file('jobs.ts'), other);
    expect(run('explain', '.straightedge/failure-1.json').status).toBe(3);
  });
});

test('real threads: annotations on GitHub, accesses for code scanning, and a page', () => {
  for (const name of ['ring.ts', 'ring.scenario.ts'])
    cpSync(new URL(`../../../papers/root-cause/scenarios/${name}`, import.meta.url), file(name));
  const reporters = ['--reporter', 'github', '--reporter', 'sarif=ring.sarif', '--html', 'ring.html'];
  const { status, stdout } = run('explore', 'ring.scenario.ts', '--explain', ...reporters);
  expect(status).toBe(1);
  expect(stdout).toMatch(
    /^::error file=ring\.ts,line=25,endLine=28,.*::Root cause: another call runs between lines 25 and 28 of ring\.ts/m,
  );
  const log = JSON.parse(readFileSync(file('ring.sarif'), 'utf8'));
  expect(sarifFaults(log)).toEqual([]);
  const flows = log.runs[0].results[0].codeFlows[0].threadFlows;
  const texts = flows.flatMap(({ locations }: { locations: { location: { message: { text: string } } }[] }) =>
    locations.map(({ location }) => location.message.text),
  );
  expect(texts).toContain('dequeue by A reads Int32Array[0]: 0');
  expect(texts).toContain('dequeue by B writes Int32Array[0]: 1');
  expect(readFileSync(file('ring.html'), 'utf8')).toContain(
    'Root cause: another call runs between lines 25 and 28 of ring.ts',
  );
});

test('names no lines if the atomic block would wait for another call', () => {
  for (const name of ['barrier.ts', 'barrier.scenario.ts', 'errors.ts'])
    cpSync(new URL(`../../../papers/line-up/scenarios/${name}`, import.meta.url), file(name));
  const { status, stdout } = run('explore', 'barrier.scenario.ts', '--explain', '--reporter', 'github');
  expect(status).toBe(1);
  expect(stdout).toMatch(/^::error file=barrier\.scenario\.ts,title=/m);
  expect(stdout).toContain(
    'Root cause: no block can be atomic. signalAndWait() by B waits at barrier.ts:28 for another call',
  );
});

test('shows, saves and can replay every test that a cause is based on', () => {
  writeFileSync(
    file('totals.ts'),
    `export class Totals {
  private sold = 0;
  private returned = 0;
  sell(): number {
    const next = this.sold + 1;
    this.sold = next;
    return next;
  }
  giveBack(): number {
    const next = this.returned + 1;
    this.returned = next;
    return next;
  }
}
`,
  );
  writeFileSync(
    file('totals.scenario.ts'),
    `import { scenario } from 'straightedge';
import { Totals } from './totals.js';
export default scenario({
  backend: 'instrumented',
  create: () => new Totals(),
  calls: [['sell'], ['giveBack']],
  threads: 2,
  callsPerThread: 2,
});
`,
  );
  const { stdout } = run('explore', 'totals.scenario.ts', '--explain', '--json');
  const { explanation, saved } = JSON.parse(stdout);
  const [{ blocks }] = explanation.repairs;
  expect(blocks).toMatchObject([
    { methods: ['sell'], start: { line: 5 }, end: { line: 6 } },
    { methods: ['giveBack'], start: { line: 10 }, end: { line: 11 } },
  ]);
  const [other] = explanation.tests;
  expect(other.saved).not.toBe(saved);
  const again = run('replay', other.saved);
  expect([again.status, again.stdout]).toEqual([1, expect.stringContaining('giveBack() → 1 ✗')]);
  const text = run('explain', saved).stdout.replace(/\s+/g, ' ');
  expect(text).toMatch(
    /Another failing test \(npx straightedge replay \.straightedge\/failure-\d+\.json\) also needs totals\.ts:10-11\. Its calls: A: /,
  );
});

describe('async code', () => {
  const scenarioOf = (name: string, calls: string, more = '') => `import { scenario } from 'straightedge';
import { Subject } from './${name}.js';
export default scenario({ create: () => new Subject(), calls: ${calls}, threads: 2, callsPerThread: 2${more} });
`;

  test.each([
    ['without', ''],
    ['with', `, instrument: ['seats.ts']`],
  ])('blames the awaits between reading and writing %s `instrument`', (_, instrument) => {
    writeFileSync(
      file('seats.ts'),
      `export class Subject {
  private free = 2;
  private sold = 0;
  async book(count: number): Promise<boolean> {
    await tick();
    const free = this.free;
    if (free < count) return false;
    await tick();
    this.sold++;
    await tick();
    this.free = free - count;
    return true;
  }
  async left(): Promise<number> {
    return this.free;
  }
}
const tick = () => new Promise<void>((resolve) => setTimeout(resolve, 1));
`,
    );
    writeFileSync(
      file('seats.scenario.ts'),
      scenarioOf('seats', `[['book', 1], ['book', 2], ['left']]`, instrument),
    );
    const { status, stdout } = run('explore', 'seats.scenario.ts', '--explain');
    expect(status).toBe(1);
    expect(stdout).toContain('Root cause: another call runs during the awaits at seats.ts:8-10.');
    expect(stdout).toContain('Consistent with all schedules of this test');
    expect(stdout).not.toMatch(/verified/i);
  });

  test('names no awaits if a call would wait there for another call', () => {
    writeFileSync(
      file('box.ts'),
      `export class Subject {
  private readonly items: number[] = [];
  private readonly waiting: (() => void)[] = [];
  async put(item: number): Promise<void> {
    this.items.push(item);
    this.waiting.shift()?.();
  }
  async take(): Promise<number> {
    if (this.items.length === 0)
      await new Promise<void>((resolve) => this.waiting.push(() => setImmediate(resolve)));
    return this.items.shift()!;
  }
}
`,
    );
    writeFileSync(file('box.scenario.ts'), scenarioOf('box', `[['put', 1], ['take']]`));
    const { status, stdout } = run('explore', 'box.scenario.ts', '--explain', '--json');
    expect(status).toBe(1);
    const { explanation } = JSON.parse(stdout);
    expect(explanation.reason.kind).toBe('wait');
    for (const { verification } of explanation.repairs) expect(verification).toBe('deadlocks');
  });
});

test.each<[Error, string]>([
  [
    new TypeError('no site'),
    'because of a bug in straightedge; please report this line: TypeError: no site.',
  ],
  [
    new ScenarioError('put waits for something outside'),
    'Root cause: not found. put waits for something outside.',
  ],
])('reports %s while explaining, and keeps the violation', (error, text) => {
  const fail = (): never => {
    throw error;
  };
  const backend = { name: 'async', trace: fail } as unknown as TestResult['backend'];
  const violation = { kind: 'outcome', operation: 0, schedule: [] } as const;
  const result = { backend, violation } as unknown as TestResult;
  const found = explained({} as Scenario, result, { seed: 1 }, new Deadline(1_000), fail);
  expect(found).toEqual({ explainFault: expect.stringContaining(text) });
});
