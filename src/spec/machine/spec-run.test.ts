import { expect, test } from 'vitest';
import { share } from '../../../test/support/share.js';
import { Random } from '../../base/random.js';
import { Canonical } from '../../base/values/canonical.js';
import { HistoryBuilder } from '../../history/builder/builder.js';
import type { History } from '../../history/history.js';
import type { Outcome } from '../../history/model/operation.js';
import {
  blocked,
  OneOf,
  oneOf,
  refuse,
  type Spec,
  SpecError,
  Threw,
  type Transition,
  threw,
} from '../spec.js';
import { SpecRun } from './spec-run.js';

/** Cells by key; `method` and the parity of the key choose the part, so equal arguments may belong to two parts. */
const cells: Spec = {
  name: 'cells',
  initial: {},
  methods: {
    set: (state, key, value) => [{ ...state, [`set ${key}`]: value }, undefined],
    get: (state, key) => [state, state[`set ${key}`] ?? null],
    // each method has a part of its own, so no method sees the marks of another
    mark: (state, key) => [{ ...state, [`mark ${key}`]: true }, state[`mark ${key}`] ?? false],
    choose: (state, key) =>
      oneOf([{ ...state, [`set ${key}`]: 1 }, null], [{ ...state, [`set ${key}`]: 2 }, null], [state, 7]),
    list: (state, key) => [state, [state[`set ${key}`] ?? null]],
    fail: (state, key) => (state[`set ${key}`] === 1 ? [state, threw('Closed')] : refuse('open')),
    wait: (state, key) => (state[`set ${key}`] === 1 ? [state, null] : blocked),
  },
  part: (method, [key]) => `${method === 'mark' ? 'mark' : 'cell'} ${key}`,
};

const METHODS = Object.keys(cells.methods);
const RESULTS: readonly Outcome[] = [
  ...[null, undefined, 1, 2, 7, true, false, [1], [2], [null]].map(
    (value) => ({ kind: 'returned', value }) as const,
  ),
  { kind: 'threw', error: 'Closed' },
  { kind: 'pending' },
];

/** By definition: all states, each compared by its key, with one state for the whole object. */
class Definition {
  readonly #canonical = new Canonical();
  readonly #history: History;
  #states: unknown[] = [cells.initial];

  constructor(history: History) {
    this.#history = history;
  }

  step(k: number): boolean {
    const { method, args, outcome } = this.#history.at(k);
    const next = this.#states.flatMap((state) => {
      const returned = cells.methods[method](state, ...args) as unknown;
      const steps =
        returned instanceof OneOf ? returned.transitions : Array.isArray(returned) ? [returned] : [];
      return (steps as Transition<unknown, unknown>[])
        .filter(([, result]) => this.#isRecorded(result, outcome))
        .map(([after]) => after);
    });
    this.#states = next;
    return next.length > 0;
  }

  #isRecorded(result: unknown, outcome: Outcome): boolean {
    if (outcome.kind === 'pending') return true;
    if (result instanceof Threw) return outcome.kind === 'threw' && outcome.error === result.error;
    return outcome.kind === 'returned' && this.#canonical.key(result) === this.#canonical.key(outcome.value);
  }
}

function randomHistory(random: Random): History {
  const builder = new HistoryBuilder();
  for (let i = 0; i < 12; i++) {
    const method = random.pick(METHODS);
    const outcome = random.pick(RESULTS);
    const args = method === 'set' ? [random.below(2), 1 + random.below(2)] : [random.below(2)];
    const end = outcome.kind === 'pending' ? {} : { return: 2 * i + 1 };
    builder.operation({ process: `p${i}`, method, args, outcome, call: 2 * i, ...end });
  }
  return builder.finish();
}

test('a run allows exactly the operations that the methods allow by definition', () => {
  const random = new Random(1);
  const seen = { allowed: 0, refused: 0 };
  for (let i = 0; i < share(600, 350); i++) {
    const history = randomHistory(random);
    // skip what is not allowed, so that runs become long
    const taken: number[] = [];
    for (let k = 0; k < history.length; k++) {
      const [run, definition] = [new SpecRun(history, cells, () => true), new Definition(history)];
      for (const earlier of taken)
        expect([run.step(earlier), definition.step(earlier)]).toEqual([true, true]);
      const isAllowed = definition.step(k);
      expect(run.step(k), `operation ${k} of history ${i}`).toBe(isAllowed);
      if (isAllowed) taken.push(k);
      seen[isAllowed ? 'allowed' : 'refused']++;
    }
  }
  expect(Math.min(seen.allowed, seen.refused)).toBeGreaterThan(500);
});

test.each([
  ['a promise', () => Promise.resolve([0, null]), 'run() returned a promise; spec methods are synchronous'],
  ['a state that is a promise', () => [Promise.resolve(0), null], 'run() returned a promise'],
  ['three items', () => [0, null, 1], 'expected [next state, result]'],
  ['no step', () => 5, 'run() returned 5'],
  [
    'an exception',
    () => {
      throw new RangeError('too far');
    },
    'run() threw in state 0: RangeError: too far',
  ],
])('%s is an error of the spec', (_name, run, message) => {
  const builder = new HistoryBuilder();
  builder.operation({
    process: 'p',
    method: 'run',
    args: [],
    outcome: { kind: 'returned', value: null },
    call: 0,
    return: 1,
  });
  const spec = { name: 'bad', initial: 0, methods: { run } } as unknown as Spec;
  const step = () => new SpecRun(builder.finish(), spec, () => true).step(0);
  expect(step).toThrow(SpecError);
  expect(step).toThrow(message);
});

test('a method may use other methods of its spec', () => {
  const builder = new HistoryBuilder();
  const outcome = { kind: 'returned', value: 1 } as const;
  builder.operation({ process: 'p', method: 'read', args: [], outcome, call: 0, return: 1 });
  const methods = {
    read(state: number): Transition<number, number> {
      return this.add(state);
    },
    add: (state: number): Transition<number, number> => [state + 1, state + 1],
  };
  const spec = { name: 'counter', initial: 0, methods } as unknown as Spec;
  expect(new SpecRun(builder.finish(), spec, () => true).step(0)).toBe(true);
});
