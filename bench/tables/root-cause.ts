/**
 * Tables 1 and 2 of CAV 2020: what is to blame for violations of sets whose atomic sections were made smaller.
 *
 *   B. Çirisci, C. Enea, A. Farzan, S. Mutluergil. Root causing linearizability violations. CAV 2020, §7.
 *
 * Three lists of Synchrobench, each with the section of `add`, of `remove` and of both made smaller, and three random
 * tests of each that go wrong; before them the paper's stack, and what the published algorithm finds nothing for: `untimed`
 * counts violations without any cycle if real time is left out. A row is complained of if what comes first is not a
 * verified part of the section that was there.
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
  randomMatrices,
  runtime,
  type Scenario,
  type Trace,
  trace,
} from 'straightedge/explore';
import { ProcessorPatience } from '../processor-patience.js';
import { processorTime } from '../processor-time.js';
import type { Table } from './table.js';

const FOLDER = fileURLToPath(new URL('../../examples/root-cause/', import.meta.url));
const MILLISECONDS = 10_000;
const CLIENTS = 3;
const TRIED = 200;

/** Between which lines the sections lay, in each method. */
const SECTIONS: Readonly<Record<string, readonly [from: RegExp, to: RegExp]>> = {
  'coarse-list.ts': [/let before = this\.head/, /release\(READERS\)/],
  'optimistic-list.ts': [/&& !this\.isValid/, /before\.lock\.unlock/],
  'ordering-map.ts': [/= before\.after!/, /before\.lock\.unlock/],
  'stack.ts': [/const value = this\.items/, /\.value = null/],
  'pair.ts': [/const x/, /const y/],
};

interface Subject {
  readonly subject: string;
  readonly scenario: Scenario;
  readonly explored: Explored;
  /** Is a block a part of what should be atomic? */
  readonly isTruth: (block: BlamedBlock) => boolean;
}

/** A subject with its own test, or one of the lists, with tests of chance. */
type Input = { readonly name: string } & ({ readonly method: string } | { readonly list: number });

interface Row {
  readonly subject: string;
  readonly cells: readonly string[];
  readonly isRight: boolean;
}

interface List {
  readonly file: string;
  readonly shrunk: Readonly<Record<string, boolean>>;
  readonly scenario: Scenario;
}

const listsOf = (): readonly List[] => (loaded('lists.scenario.ts') as { lists: List[] }).lists;
const methodsOf = ({ shrunk }: List): string[] => Object.keys(shrunk).filter((method) => shrunk[method]);
const nameOf = (list: List): string => `${list.scenario.name} ${methodsOf(list).join('+')}`;

export const rootCause: Table<Input, Row> = {
  inputs: () => [
    { name: 'stack', method: 'pop' },
    { name: 'pair', method: 'scan' },
    ...listsOf().map((list, i) => ({ name: nameOf(list), list: i })),
  ],
  nameOf: ({ name }) => name,
  modulesOf: (input) => [`examples/root-cause/${'list' in input ? 'lists' : input.name}.scenario.ts`],
  rowsOf: (input, seed) =>
    Array.from(
      'list' in input ? ofList(listsOf()[input.list], seed) : [given(input.name, input.method, seed)],
      (subject) => rowOf(subject, seed),
    ),
  headOf: () =>
    'subject                      client             outcome     wrong  right  events  conflicts  results  untimed  rank CPU ms  without exploring  repairs (right executions forbidden)',
  textOf: ({ cells }) => cells.join(' '),
};

function* ofList(list: List, seed: number): Generator<Subject> {
  const { file, scenario } = list;
  for (const explored of clientsOf(scenario, seed))
    yield { subject: nameOf(list), scenario, explored, isTruth: inSections(file, methodsOf(list)) };
}

function given(name: string, method: string, seed: number): Subject {
  const { default: scenario } = loaded(`${name}.scenario.ts`) as { default: Scenario };
  const matrix: Matrix = { threads: scenario.test!, before: scenario.before, after: scenario.after };
  const isTruth = inSections(`${name}.ts`, [method]);
  return { subject: name, scenario, explored: explored(scenario, matrix, seed), isTruth };
}

const loaded = (file: string): Record<string, unknown> =>
  loadTransformed(file, { from: FOLDER, modules: { straightedge: ourselves } }) as Record<string, unknown>;

const explored = (of: Scenario, matrix: Matrix, seed: number): Explored =>
  lineUp(of, matrix, { seed }, new ProcessorPatience(MILLISECONDS));

/** The first random tests that go wrong. */
function* clientsOf(of: Scenario, seed: number): Generator<Explored> {
  let found = 0;
  for (const matrix of randomMatrices(of, { threads: 2, callsPerThread: 2 }, TRIED, seed)) {
    const tried = explored(of, matrix, seed);
    if (!tried.violation) continue;
    yield tried;
    if (++found === CLIENTS) return;
  }
}

/** Does a block lie in one of the sections as they were? */
function inSections(file: string, methods: readonly string[]): Subject['isTruth'] {
  const [from, to] = SECTIONS[file];
  const lines = readFileSync(`${FOLDER}${file}`, 'utf8').split('\n');
  const after = (begin: number, pattern: RegExp) =>
    lines.findIndex((line, i) => i >= begin && pattern.test(line));
  const sections = methods.map((method) => {
    const begin = after(after(0, new RegExp(`^  ${method}\\(`)), from);
    return [begin + 1, after(begin, to) + 1];
  });
  return ({ start, end }) => sections.some(([first, last]) => first <= start.line && end.line <= last);
}

function rowOf({ subject, scenario: of, explored: found, isTruth }: Subject, seed: number): Row {
  const { violation, matrix, program } = found;
  if (violation === undefined || violation.kind === 'nondeterminism')
    return { subject, cells: [subject, 'is not wrong'], isRight: false };
  const run = trace(program, violation.schedule);
  const shown = accessTrace(run, true);
  const begin = processorTime();
  const explanation = explain(of, matrix, shown, { seed }, new ProcessorPatience(MILLISECONDS));
  const ms = processorTime() - begin;
  const { repairs, collected } = explanation;
  const rank = repairs.find(
    ({ repair, verification }) => verification?.kind === 'confirmed' && repair.every(isTruth),
  )?.rank;
  const { results, without } = withoutExploring(explanation);
  const average = (of: (trace: AccessTrace) => number): string =>
    (collected.violating.reduce((sum, one) => sum + of(one), 0) / collected.violating.length).toFixed(1);
  const cells = [
    subject.padEnd(28),
    clientText(matrix).padEnd(18),
    outcomeText(run).padEnd(10),
    String(collected.violating.length).padStart(6),
    String(collected.passed).padStart(6),
    average(({ events }) => events.length).padStart(7),
    average(conflictsIn).padStart(10),
    String(results).padStart(8),
    String(collected.violating.filter(isUntimedLost).length).padStart(8),
    String(rank ?? '-').padStart(5),
    ms.toFixed(0).padStart(6),
    without.toFixed(1).padStart(18),
    ` ${repairsText(explanation)}`,
  ];
  return { subject, cells, isRight: rank === 1 };
}

/** The repairs computed once more: how many traces differ in theirs, and how long it takes. */
function withoutExploring({ collected }: Explanation): { results: number; without: number } {
  const begin = processorTime();
  const placeOf = (site: number) => runtime.sites.placeOf(site);
  const causes = new Causes(placeOf);
  for (const one of collected.violating) causes.add(one);
  ranked(causes.combined(), collected.passing, placeOf);
  return { results: causes.different, without: processorTime() - begin };
}

/** Has a trace no repair without the order in real time, as the paper has it? */
function isUntimedLost({ events }: AccessTrace): boolean {
  const causes = new Causes((site) => runtime.sites.placeOf(site));
  causes.add({ events, returnedBefore: [] });
  return causes.isBeyondRepair;
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

/** What the calls of each thread have returned. */
function outcomeText({ history }: Trace): string {
  const told = new Map<string, string[]>();
  for (const { process, outcome } of history) {
    const text = outcome.kind === 'returned' ? String(outcome.value ?? 'null') : outcome.kind;
    if (process !== 'main') told.set(process, [...(told.get(process) ?? []), LETTERS[text] ?? text]);
  }
  return [...told]
    .sort()
    .map(([, results]) => results.join(';'))
    .join('||');
}

const LETTERS: Readonly<Record<string, string>> = { true: 'T', false: 'F', null: 'N' };

const placeText = (repair: readonly BlamedBlock[]): string =>
  repair.map(({ start, end }) => `[${start.line},${end.line}]`).join('+');

function repairsText({ repairs, partial }: Explanation): string {
  return [
    ...repairs.slice(0, 2).map(({ repair, forbidden }) => `${placeText(repair)} -> ${forbidden}`),
    ...partial.slice(0, 1).map(({ repair, forbidden }) => `(${placeText(repair)} -> ${forbidden})`),
  ].join(', ');
}
