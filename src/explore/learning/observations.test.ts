import { describe, expect, test } from 'vitest';
import { call, program } from '../../../test/support/fixtures/calls.js';
import { Execution } from '../../execution/execution.js';
import { type Access, access, LOCK, NOTHING } from '../../execution/memory/access.js';
import type { Program } from '../../execution/program.js';
import { FAILED, UNKNOWN } from '../automata/configurations.js';
import { callsOf, type TestCase } from '../scenario/test-case.js';
import { EXTERNAL, LearnedRuns } from './learned-runs.js';
import { observedRuns, parseObservations } from './read-observations.js';
import { SequentialRuns } from './sequential-runs.js';
import { observationSet, observationsText } from './write-observations.js';

interface Bag {
  readonly list: unknown[];
  /** A lock that is never free. */
  readonly never: Access;
}
const add = (value: unknown) =>
  call<Bag>(
    'add',
    function* ({ list }) {
      yield access(NOTHING, 0);
      list.push(value);
    },
    value,
  );
const take = call<Bag>('take', function* ({ list, never }) {
  if (list.length === 0) yield never;
  return list.shift();
});
const fail = call<Bag>('fail', function* () {
  yield access(NOTHING, 0);
  throw new RangeError('no');
});

function learn(one: Program): { execution: Execution; learned: LearnedRuns } {
  const execution = new Execution(one);
  const learned = new LearnedRuns(execution.calls.length);
  new SequentialRuns(execution, learned).advance(Number.POSITIVE_INFINITY);
  return { execution, learned };
}
const bag = (threads: Program<Bag>['threads'], more: Partial<Program<Bag>> = {}): Program =>
  program(() => ({ list: [], never: access(LOCK, 1_000) }), threads, more) as Program;
const matrixOf = ({ threads, before = [], after = [] }: Program): TestCase => {
  const calls = (list: Program['threads'][number]) =>
    list.map(({ method, args }) => [method, ...args] as const);
  return { threads: threads.map(calls), before: calls(before), after: calls(after) };
};
const setOf = (one: Program, { outcomes }: Execution, learned: LearnedRuns): string | undefined =>
  observationSet(matrixOf(one), callsOf(matrixOf(one)), outcomes, learned);
/** Runs by their steps, in any order. */
const stepsOf = (learned: LearnedRuns, { outcomes }: Execution): string[] =>
  Array.from(learned.runs(), ({ run, isStuck }) =>
    JSON.stringify([
      isStuck,
      ...run.map(({ operation, delivered }) => [
        operation,
        ...Array.from(delivered, ([ended, outcome]) => [ended, outcome < 0 ? outcome : outcomes.at(outcome)]),
      ]),
    ]),
  ).sort();

test('a set has the format of Line-Up', () => {
  const one = bag([[add(200)], [take]]);
  const { execution, learned } = learn(one);
  expect(setOf(one, execution, learned)).toMatchInlineSnapshot(`
    "<observationset test="[[[&quot;add&quot;,200]],[[&quot;take&quot;]]]">
      <observation>
        <thread id="A">1</thread>
        <thread id="B">2B</thread>
        <op id="1" name="add">value="200"</op>
        <op id="2" name="take"/>
        <history>1[ ]1 2[ #</history>
      </observation>
      <observation>
        <thread id="A"></thread>
        <thread id="B">1B</thread>
        <op id="1" name="take"/>
        <history>1[ #</history>
      </observation>
    </observationset>
    "
  `);
});

describe('what is written and read again is the same', () => {
  test.each([
    [
      'calls that wait',
      bag([
        [add(1), take],
        [take, add(2)],
      ]),
    ],
    ['errors, and values that need quotes', bag([[add('a "b" <c> & \u0001')], [take, fail]])],
    ['calls before and after', bag([[take], [take]], { before: [add(1)], after: [add({ a: [undefined] })] })],
  ])('%s', (_, one) => {
    const { execution, learned } = learn(one);
    const text = observationsText([setOf(one, execution, learned)!]);
    const [set] = parseObservations(text);
    expect(set.matrix).toEqual(matrixOf(one));
    const again = new Execution(one);
    const read = observedRuns(set, callsOf(matrixOf(one)), again.outcomes, false);
    expect(stepsOf(read, again)).toEqual(stepsOf(learned, execution));
  });

  test('runs in which calls wait for later ones, and external events', () => {
    const one = bag([[take], [take], [add(1), fail]]);
    const execution = new Execution(one);
    const learned = new LearnedRuns(execution.calls.length, true);
    const value = execution.outcomes.returned(1);
    const start = (operation: number, delivered: readonly (readonly [number, number])[] = []) => ({
      operation,
      event: '',
      number: 0,
      delivered: new Map(delivered),
    });
    const both = [0, 1].reduce((node, k) => learned.add(node, start(k)), learned.root);
    const added = learned.add(
      both,
      start(2, [
        [2, execution.outcomes.returned(undefined)],
        [0, value],
      ]),
    );
    learned.stuck.add(learned.add(added, start(3, [[3, FAILED]])));
    learned.add(learned.add(learned.root, start(1)), start(EXTERNAL, [[1, UNKNOWN]]));
    const text = setOf(one, execution, learned)!;
    expect(text.match(/<history>.*?<\/history>/g)).toEqual([
      '<history>1[ 2[ 3[ ]3 ]1 4[ ]4 #</history>',
      '<history>1[ ~ ]1</history>',
    ]);
    const again = new Execution(one);
    const [set] = parseObservations(observationsText([text]));
    const read = observedRuns(set, callsOf(matrixOf(one)), again.outcomes, true);
    expect(stepsOf(read, again)).toEqual(stepsOf(learned, execution));
  });
});

test('values without a JSON form cannot be written', () => {
  const one = bag([[add(() => 1)]]);
  const { execution, learned } = learn(one);
  expect(setOf(one, execution, learned)).toBeUndefined();
});

test("Line-Up's own example is read", () => {
  const [{ matrix, observations }] = parseObservations(`<observationset>
  <observation>
    <thread id="A">1 2</thread>
    <thread id="B">3 4</thread>
    <op id="1" name="Add">value="200"</op>
    <op id="2" name="Add">value="400"</op>
    <op id="3" name="Take">result="200"</op>
    <op id="4" name="TryTake">result="Fail"</op>
    <history>1[ ]1 3[ ]3 4[ ]4 2[ ]2</history>
  </observation>
  <observation>
    <thread id="A"></thread>
    <thread id="B">1B</thread>
    <op id="1" name="Take" />
    <history>1[ #</history>
  </observation>
</observationset>`);
  expect(matrix.threads).toEqual([
    [
      ['Add', 200],
      ['Add', 400],
    ],
    [['Take'], ['TryTake']],
  ]);
  expect(observations[0].histories).toEqual([['1[', ']1', '3[', ']3', '4[', ']4', '2[', ']2']]);
  expect(observations[0].operations.get('4')?.outcome).toEqual({ kind: 'returned', value: 'Fail' });
  expect(observations[1].operations.get('1')?.outcome).toBeUndefined();
});

test.each([
  ['', 'nothing where <observationset> was expected'],
  ['<a/>', '<a> where <observationset> was expected'],
  ['<observations version="2"></observations>', 'these observations have version 2'],
  ['<observationset>\n<a></b></observationset>', 'line 2, column 4: </b> where </a> was expected'],
  ['<observationset><!DOCTYPE x></observationset>', 'line 1, column 17: no element'],
  ['<observationset>', 'the text ends inside of <observationset>'],
  [
    '<observationset><observation><history>1[ ]1</history></observation></observationset>',
    'a <history> contains operation 1',
  ],
])('%j is refused', (text, message) => {
  expect(() => parseObservations(text)).toThrow(message);
});
