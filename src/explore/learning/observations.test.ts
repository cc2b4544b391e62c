import { describe, expect, test } from 'vitest';
import { call, program } from '../../../test/support/fixtures/calls.js';
import { Execution } from '../../execution/execution.js';
import { type Access, access, LOCK, NOTHING } from '../../execution/memory/access.js';
import type { Program } from '../../execution/program.js';
import { callsOf, type TestCase } from '../scenario/test-case.js';
import { observedTrie, parseObservations } from './read-observations.js';
import { SequentialRuns } from './sequential-runs.js';
import { SequentialTrie } from './sequential-trie.js';
import { observationSet, observationsText } from './write-observations.js';

interface Bag {
  readonly list: unknown[];
  /** Nobody ever gives what is asked for here. */
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

function learnt(one: Program): { execution: Execution; trie: SequentialTrie } {
  const execution = new Execution(one);
  const trie = new SequentialTrie(execution.calls.length);
  new SequentialRuns(execution, trie).advance(Number.POSITIVE_INFINITY);
  return { execution, trie };
}
const bag = (threads: Program<Bag>['threads'], more: Partial<Program<Bag>> = {}): Program =>
  program(() => ({ list: [], never: access(LOCK, 1_000) }), threads, more) as Program;
const matrixOf = ({ threads, before = [], after = [] }: Program): TestCase => {
  const calls = (list: Program['threads'][number]) =>
    list.map(({ method, args }) => [method, ...args] as const);
  return { threads: threads.map(calls), before: calls(before), after: calls(after) };
};
const setOf = (one: Program, { outcomes }: Execution, trie: SequentialTrie): string | undefined =>
  observationSet(matrixOf(one), callsOf(matrixOf(one)), outcomes, trie);
/** Histories by their operations and outcomes, in any order. */
const told = (trie: SequentialTrie, { outcomes }: Execution): string[] =>
  trie
    .histories()
    .map((history) => history.map(({ operation, outcome }) => [operation, outcomes.at(outcome)]))
    .map((history) => JSON.stringify(history))
    .sort();

test("a set looks as Line-Up's do", () => {
  const one = bag([[add(200)], [take]]);
  const { execution, trie } = learnt(one);
  expect(setOf(one, execution, trie)).toMatchInlineSnapshot(`
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
    const { execution, trie } = learnt(one);
    const text = observationsText([setOf(one, execution, trie)!]);
    const [set] = parseObservations(text);
    expect(set.matrix).toEqual(matrixOf(one));
    const again = new Execution(one);
    expect(told(observedTrie(set, callsOf(matrixOf(one)), again.outcomes), again)).toEqual(
      told(trie, execution),
    );
  });
});

test('what JSON can not hold can not be written', () => {
  const one = bag([[add(() => 1)]]);
  const { execution, trie } = learnt(one);
  expect(setOf(one, execution, trie)).toBeUndefined();
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
  expect(observations[0].histories).toEqual([['1', '3', '4', '2']]);
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
    'a history tells of operation 1',
  ],
])('%j is refused', (text, message) => {
  expect(() => parseObservations(text)).toThrow(message);
});
