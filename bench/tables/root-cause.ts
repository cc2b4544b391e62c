/**
 * Tables 1 and 2 of CAV 2020: what is to blame for violations of sets whose atomic sections were made smaller.
 *
 *   B. Çirisci, C. Enea, A. Farzan, S. Mutluergil. Root causing linearizability violations. CAV 2020, §7.
 *
 * Three lists of Synchrobench, each with the section of `add`, of `remove` and of both made smaller, and three random
 * tests of each that go wrong; before them the paper's stack, and what the published algorithm finds nothing for. A row is
 * complained of if what comes first is not a verified part of the section that was there.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as ourselves from 'straightedge';
import {
  type AccessTrace,
  accessTrace,
  type BlamedBlock,
  Causes,
  type Explanation,
  explain,
  ranked,
} from 'straightedge/explain';
import {
  type Explored,
  lineUp,
  loadTransformed,
  type Matrix,
  Patience,
  randomMatrices,
  runtime,
  type Scenario,
  scenario,
  trace,
} from 'straightedge/explore';

const FOLDER = fileURLToPath(new URL('../../examples/root-cause/', import.meta.url));
const MILLISECONDS = 5_000;
const CLIENTS = 3;
const TRIED = 200;
const SEED = 1;

/** A class, and between which lines its sections lay, in each method. */
const SETS = [
  { file: 'coarse-list.ts', name: 'CoarseList', from: /let before = this\.head/, to: /release\(READERS\)/ },
  {
    file: 'optimistic-list.ts',
    name: 'OptimisticList',
    from: /&& !this\.isValid/,
    to: /before\.lock\.unlock/,
  },
  { file: 'ordering-map.ts', name: 'OrderingMap', from: /= before\.after!/, to: /before\.lock\.unlock/ },
] as const;
const VARIATIONS = [['add'], ['remove'], ['add', 'remove']] as const;
const CALLS = ['add', 'remove', 'contains'].flatMap((method) => [0, 1].map((key) => [method, key] as const));

interface Row {
  readonly subject: string;
  readonly scenario: Scenario;
  readonly explored: Explored;
  /** Is a block a part of what should be atomic? */
  readonly isTruth: (block: BlamedBlock) => boolean;
}

function* rows(): Generator<Row> {
  yield given(
    'stack',
    ({ start, end, file }) => file.endsWith('stack.ts') && start.line >= 21 && end.line <= 22,
  );
  yield given('pair', ({ methods }) => methods.join() === 'scan');
  for (const { file, name, from, to } of SETS)
    for (const shrunk of VARIATIONS) {
      const made = loaded(file)[name] as new (shrunk: object) => object;
      const of = scenario({
        create: () =>
          new made({
            add: shrunk.some((one) => one === 'add'),
            remove: shrunk.some((one) => one === 'remove'),
          }),
        before: [['add', 0]],
        calls: CALLS,
      } as never);
      const sections = sectionsOf(file, shrunk, from, to);
      const isTruth = ({ start, end }: BlamedBlock) =>
        sections.some(([first, last]) => first <= start.line && end.line <= last);
      for (const explored of clientsOf(of))
        yield { subject: `${name} ${shrunk.join('+')}`, scenario: of, explored, isTruth };
    }
}

function given(name: string, isTruth: Row['isTruth']): Row {
  const { default: of } = loaded(`${name}.scenario.ts`) as { default: Scenario };
  const matrix: Matrix = { threads: of.test!, before: of.before, after: of.after };
  return { subject: name, scenario: of, explored: explored(of, matrix), isTruth };
}

const loaded = (file: string): Record<string, unknown> =>
  loadTransformed(file, { from: FOLDER, modules: { straightedge: ourselves } }) as Record<string, unknown>;

const explored = (of: Scenario, matrix: Matrix): Explored =>
  lineUp(of, matrix, { seed: SEED }, new Patience(MILLISECONDS));

/** The first random tests that go wrong. */
function* clientsOf(of: Scenario): Generator<Explored> {
  let found = 0;
  for (const matrix of randomMatrices(of, { threads: 2, callsPerThread: 2 }, TRIED, SEED)) {
    const tried = explored(of, matrix);
    if (!tried.violation) continue;
    yield tried;
    if (++found === CLIENTS) return;
  }
}

/** The lines of the sections as they were. */
function sectionsOf(file: string, shrunk: readonly string[], from: RegExp, to: RegExp): [number, number][] {
  const lines = readFileSync(`${FOLDER}${file}`, 'utf8').split('\n');
  const after = (begin: number, pattern: RegExp) =>
    lines.findIndex((line, i) => i >= begin && pattern.test(line));
  return shrunk.map((method) => {
    const begin = after(after(0, new RegExp(`^  ${method}\\(`)), from);
    return [begin + 1, after(begin, to) + 1];
  });
}

export function printRootCause(): boolean {
  let isRight = true;
  console.log(
    'subject                      client                                      wrong  right  events  conflicts  results  rank     ms  without exploring  repairs (right executions forbidden)',
  );
  for (const row of rows()) isRight = printRow(row) && isRight;
  return isRight;
}

function printRow({ subject, scenario: of, explored: found, isTruth }: Row): boolean {
  const { violation, matrix, program } = found;
  if (violation === undefined || violation.kind === 'nondeterminism') return false;
  const shown = accessTrace(trace(program, violation.schedule), true);
  const begin = performance.now();
  const explanation = explain(of, matrix, shown, { seed: SEED }, new Patience(MILLISECONDS));
  const ms = performance.now() - begin;
  const { repairs, collected } = explanation;
  const rank = repairs.find(
    ({ repair, verification }) => verification?.kind === 'confirmed' && repair.every(isTruth),
  )?.rank;
  const { results, without } = withoutExploring(explanation);
  const average = (of: (trace: AccessTrace) => number): string =>
    (collected.violating.reduce((sum, one) => sum + of(one), 0) / collected.violating.length).toFixed(1);
  const cells = [
    subject.padEnd(28),
    clientText(matrix).padEnd(42),
    String(collected.violating.length).padStart(6),
    String(collected.passed).padStart(6),
    average(({ events }) => events.length).padStart(7),
    average(conflictsIn).padStart(10),
    String(results).padStart(8),
    String(rank ?? '-').padStart(5),
    ms.toFixed(0).padStart(6),
    without.toFixed(1).padStart(18),
    ` ${repairsText(explanation)}`,
  ];
  console.log(`${cells.join(' ')}${rank === 1 ? '' : '  WRONG'}`);
  return rank === 1;
}

/** The repairs computed once more: how many traces differ in theirs, and how long it takes. */
function withoutExploring({ collected }: Explanation): { results: number; without: number } {
  const begin = performance.now();
  const placeOf = (site: number) => runtime.sites.placeOf(site);
  const causes = new Causes(placeOf);
  for (const one of collected.violating) causes.add(one);
  ranked(causes.combined(), collected.passing, placeOf);
  return { results: causes.different, without: performance.now() - begin };
}

const conflictsIn = ({ events }: AccessTrace): number =>
  events.reduce(
    (sum, a, i) =>
      sum +
      events
        .slice(i + 1)
        .filter(
          (b) =>
            a.thread !== b.thread &&
            a.location >= 0 &&
            a.location === b.location &&
            (a.isChange || b.isChange),
        ).length,
    0,
  );

const clientText = ({ threads }: Matrix): string =>
  threads
    .map((calls) => calls.map(([method, ...args]) => `${method[0]}${args.join()}`).join(';'))
    .join(' || ');

const placeText = (repair: readonly BlamedBlock[]): string =>
  repair.map(({ start, end }) => `[${start.line},${end.line}]`).join('+');

function repairsText({ repairs, partial }: Explanation): string {
  return [
    ...repairs.slice(0, 2).map(({ repair, forbidden }) => `${placeText(repair)} -> ${forbidden}`),
    ...partial.slice(0, 1).map(({ repair, forbidden }) => `(${placeText(repair)} -> ${forbidden})`),
  ].join(', ');
}
