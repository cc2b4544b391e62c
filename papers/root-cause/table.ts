/**
 * Tables 1 and 2: root causes of violations in sets whose atomic sections were made smaller.
 *
 *   B. Çirisci, C. Enea, A. Farzan, S. Mutluergil. Root causing linearizability violations. CAV 2020, section 7.
 *
 * Three lists of Synchrobench, each with the section of `add`, of `remove` and of both made smaller, and three random
 * failing tests of each; before them the examples (examples.ts). `untimed` counts violations without any cycle if real
 * time is left out. A row is wrong if the first confirmed repair is not part of a section that must be atomic, or if a
 * repair is confirmed where none exists. Steps limit each search, not time.
 */

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { cpuTime } from '../../bench/measure.js';
import { control } from '../../src/event-loop/control.js';
import { inOwnTask } from '../../src/event-loop/own-task.js';
import { lineUp } from '../../src/explore/line-up.js';
import { Deadline } from '../../src/explore/model/deadline.js';
import type { Trace } from '../../src/explore/model/trace-types.js';
import type { TestResult } from '../../src/explore/result.js';
import type { Scenario } from '../../src/explore/scenario/scenario.js';
import { randomTests, type TestCase } from '../../src/explore/scenario/test-case.js';
import { runtime } from '../../src/instrument/runtime/runtime.js';
import type { BlamedBlock } from '../../src/root-cause/blamed-block.js';
import { type Explanation, explainSync } from '../../src/root-cause/explain.js';
import { type AccessTrace, accessTrace } from '../../src/root-cause/repairs/access-trace.js';
import { Causes } from '../../src/root-cause/repairs/causes.js';
import { ranked } from '../../src/root-cause/repairs/forbids.js';
import { PAPERS, scenariosIn } from '../lib/scenarios.js';
import type { Table } from '../lib/table.js';
import { CAUSES, type CauseExample, type Section } from './examples.js';

const LISTS = 'root-cause/scenarios/lists.scenario.ts';
/** No limit of time: steps limit the search, so a row is the same on every machine. */
const unlimited = (): Deadline => new Deadline(Number.POSITIVE_INFINITY);
const CLIENTS = 3;
const TRIED = 200;

/** Between which lines the sections of the lists lay, in each method. */
const SECTIONS: Readonly<Record<string, readonly [from: RegExp, to: RegExp]>> = {
  'coarse-list.ts': [/let before = this\.head/, /release\(READERS\)/],
  'optimistic-list.ts': [/&& !this\.isValid/, /before\.lock\.unlock/],
  'ordering-map.ts': [/= before\.after!/, /before\.lock\.unlock/],
};

interface Subject {
  readonly subject: string;
  readonly scenario: Scenario;
  readonly explored: TestResult;
  /** Is a block a part of what should be atomic? Undefined where no block would help. */
  readonly isTruth: ((block: BlamedBlock) => boolean) | undefined;
}

/** An example with its own test, or one of the lists, with tests of chance. */
type Input = { readonly name: string } & ({ readonly example: number } | { readonly list: number });

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

const listsOf = (): readonly List[] => scenariosIn(LISTS).lists as unknown as readonly List[];
const methodsOf = ({ shrunk }: List): string[] => Object.keys(shrunk).filter((method) => shrunk[method]);
const nameOf = (list: List): string => `${list.scenario.name} ${methodsOf(list).join('+')}`;

export const rootCause: Table<Input, Row> = {
  inputs: () => [
    ...CAUSES.map(({ name }, i) => ({ name, example: i })),
    ...listsOf().map((list, i) => ({ name: nameOf(list), list: i })),
  ],
  nameOf: ({ name }) => name,
  rowsOf: (input, seed) => {
    control();
    return inOwnTask(() =>
      Array.from(
        'list' in input ? ofList(listsOf()[input.list], seed) : [given(CAUSES[input.example], seed)],
        (subject) => rowOf(subject, seed),
      ),
    );
  },
  headOf: () =>
    'subject                      client             outcome     wrong  right  events  conflicts  results  untimed  rank CPU ms  without exploring  repairs (right executions forbidden)',
  textOf: ({ cells }) => cells.join(' '),
};

function* ofList(list: List, seed: number): Generator<Subject> {
  const { file, scenario } = list;
  const [from, to] = SECTIONS[file];
  const sections = methodsOf(list).map((method) => ({
    file: `root-cause/scenarios/${file}`,
    method,
    from,
    to,
  }));
  for (const explored of clientsOf(scenario, seed))
    yield { subject: nameOf(list), scenario, explored, isTruth: inSections(sections) };
}

function given(example: CauseExample, seed: number): Subject {
  const loaded = scenariosIn(example.module, example.isAsync)[example.export];
  const scenario: Scenario = example.isAsync ? { ...loaded, backend: 'async' } : loaded;
  const { threads = scenario.test!, before = scenario.before } = example;
  const matrix: TestCase = { threads, before, after: scenario.after };
  const isTruth = example.truth === 'no block' ? undefined : inSections(example.truth);
  return { subject: example.name, scenario, explored: explored(scenario, matrix, seed), isTruth };
}

const explored = (of: Scenario, matrix: TestCase, seed: number): TestResult =>
  lineUp(of, matrix, { seed }, unlimited());

/** The first random tests that go wrong. */
function* clientsOf(of: Scenario, seed: number): Generator<TestResult> {
  let found = 0;
  for (const matrix of randomTests(of, { threads: 2, callsPerThread: 2 }, TRIED, seed)) {
    const tried = explored(of, matrix, seed);
    if (!tried.violation) continue;
    yield tried;
    if (++found === CLIENTS) return;
  }
}

/** Does a block lie in one of the sections as they were? */
function inSections(sections: readonly Section[]): (block: BlamedBlock) => boolean {
  const ranges = sections.map(({ file, method, from, to }) => {
    const path = resolve(PAPERS, file);
    const lines = readFileSync(path, 'utf8').split('\n');
    const after = (begin: number, pattern: RegExp) =>
      lines.findIndex((line, i) => i >= begin && pattern.test(line));
    const first = after(after(0, new RegExp(`^  ${method}\\(`)), from);
    return { path, first: first + 1, last: after(first, to) + 1 };
  });
  return ({ file, start, end }) =>
    ranges.some(({ path, first, last }) => file === path && first <= start.line && end.line <= last);
}

function rowOf({ subject, scenario: of, explored: found, isTruth }: Subject, seed: number): Row {
  const { violation, test: matrix, backend } = found;
  if (violation === undefined || violation.kind === 'nondeterminism')
    return { subject, cells: [subject, 'is not wrong'], isRight: false };
  const run = backend.trace(violation.schedule);
  const shown = accessTrace(run, true);
  const begin = cpuTime();
  const explanation = explainSync(of, matrix, shown, { seed }, unlimited());
  const ms = cpuTime() - begin;
  const { repairs, collected } = explanation;
  const confirmed = repairs.filter(({ verification }) => verification?.kind === 'confirmed');
  const rank = isTruth && confirmed.find(({ repair }) => repair.every(isTruth))?.rank;
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
    (isTruth ? String(rank ?? '-') : 'none').padStart(5),
    ms.toFixed(0).padStart(6),
    without.toFixed(1).padStart(18),
    ` ${repairsText(explanation)}`,
  ];
  return { subject, cells, isRight: isTruth ? rank === 1 : confirmed.length === 0 };
}

/** The repairs computed once more: how many traces differ in theirs, and how long it takes. */
function withoutExploring({ collected }: Explanation): { results: number; without: number } {
  const begin = cpuTime();
  const placeOf = (site: number) => runtime.sites.placeOf(site);
  const causes = new Causes(placeOf);
  for (const one of collected.violating) causes.add(one);
  ranked(causes.combined(), collected.passing, placeOf);
  return { results: causes.different, without: cpuTime() - begin };
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

const clientText = ({ threads }: TestCase): string =>
  threads
    .map((calls) => calls.map(([method, ...args]) => `${method[0]}${args.join()}`).join(';'))
    .join(' || ');

/** What the calls of each thread have returned. */
function outcomeText({ history }: Trace): string {
  const steps = new Map<string, string[]>();
  for (const { process, outcome } of history) {
    const text = outcome.kind === 'returned' ? String(outcome.value ?? 'null') : outcome.kind;
    if (process !== 'main') steps.set(process, [...(steps.get(process) ?? []), LETTERS[text] ?? text]);
  }
  return [...steps]
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
