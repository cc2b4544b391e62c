/**
 * Laws that hold for every ready-made object, over random runs.
 *
 * A run makes some calls in random order, with random choices; each law is tested in all states of the run. `called`
 * knows exactly the calls of the run, as a machine knows those of its history.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { share } from '../../test/support/share.js';
import { Canonical } from '../base/values/canonical.js';
import type { Outcome } from '../history/model/operation.js';
import { blocked, type IsCalled, type Spec, type Threw, type Transition, threw } from '../spec/spec.js';
import { Items } from './collections/container.js';
import { type ObjectOptions, objects } from './registry.js';

type Call = readonly [method: string, ...args: unknown[]];
interface Case {
  readonly calls: readonly Call[];
  readonly options: readonly ObjectOptions[];
}

/** Each method with each list of arguments. */
const each = (methods: string, ...argLists: readonly unknown[][]): Call[] =>
  methods.split(' ').flatMap((method) => argLists.map((args): Call => [method, ...args]));

const values = [[1], [2], [null], [undefined], [[1]], ['EMPTY']];
const containers: readonly ObjectOptions[] = [
  {},
  { empty: 'EMPTY' },
  { initial: [1, null, 'EMPTY'] },
  { empty: [1], initial: [2] },
];
const amounts = [[], [0], [1], [2]];
const sums = [...amounts, [-3], [2n ** 53n], [2 ** 53 - 1]];
const keys = [[1], ['1'], [[1]], [{ a: 1 }], [null]];
const swaps = [
  [1, 2],
  [2, 1],
  [1, 1],
  [null, 1],
  [1, null],
  [null, null],
  [[1], [1]],
  [false, 1],
  [undefined, null],
];
const inKeys = (argLists: readonly unknown[][]) =>
  ['k', [1]].flatMap((key) => argLists.map((args) => [key, ...args]));
const maps: Case = {
  calls: [
    ...each('get remove', ['k'], [[1]]),
    ...each('put getOrElseUpdate', ...inKeys([[1], [false], [null], ['EMPTY'], ['']])),
    ...each('cas', ...inKeys(swaps)),
  ],
  options: [{}, { initial: 'EMPTY' }, { initial: false }],
};
const texts: Case = {
  calls: [
    ...each('get remove', ['k'], ['l']),
    ...each('put append getOrElseUpdate', ['k', ''], ['k', 'a'], ['l', 'a']),
    ...each('cas', ['k', 'a', 'a']),
  ],
  options: [{}, { initial: '' }, { initial: 'a' }],
};

const cases: Readonly<Record<string, readonly Case[]>> = {
  register: [{ calls: [...each('write', ...values), ...each('read', [])], options: [{}, { initial: 0 }] }],
  'cas-register': [
    {
      calls: [...each('write', ...values), ...each('read', []), ...each('cas', ...swaps)],
      options: [{}, { initial: 1 }],
    },
  ],
  counter: [
    {
      calls: [...each('increment decrement', ...sums), ...each('read', [])],
      options: [{}, { initial: 5 }, { initial: 3n }, { initial: 2n ** 60n }, { initial: 2 ** 60 }],
    },
  ],
  'fetch-and-add': [
    {
      calls: [...each('add', ...sums.slice(1)), ...each('read', [])],
      options: [{}, { initial: 5 }, { initial: 3n }],
    },
  ],
  queue: [{ calls: [...each('enqueue', ...values), ...each('dequeue peek', [])], options: containers }],
  stack: [{ calls: [...each('push', ...values), ...each('pop peek', [])], options: containers }],
  deque: [
    {
      calls: [...each('pushFront pushBack', ...values), ...each('popFront popBack', [])],
      options: containers,
    },
  ],
  'priority-queue': [
    {
      calls: [
        ...each('insert', [1], [2], [1n], [-1], [null, 1], ['EMPTY', 1], [[1], 0]),
        ...each('deleteMin min', [], []),
      ],
      options: [{}, { initial: [1, 3] }, { empty: 'EMPTY' }, { empty: -1 }],
    },
    {
      calls: [...each('insert', ['a'], ['b'], ['EMPTY']), ...each('deleteMin min', [])],
      options: [{}, { empty: 'EMPTY', initial: ['a', 'a'] }],
    },
  ],
  set: [
    {
      calls: [...each('add remove contains insert', ...keys), ...each('members', [])],
      options: [{}, { initial: [1, [1]] }],
    },
  ],
  multiset: [{ calls: each('add remove contains', ...keys), options: [{}, { initial: [1, 1, [1]] }] }],
  map: [maps, texts],
  'map-previous': [maps, texts],
  'txn-map': [
    {
      calls: each(
        'txn',
        [[]],
        [[['r', 'k', null]]],
        [[['w', 'k', 1]]],
        [
          [
            ['r', [1]],
            ['w', [1], null],
          ],
        ],
        [
          [
            ['append', 'k', 2],
            ['r', 'l', null],
          ],
        ],
        [
          [
            ['r', 'k', null],
            ['append', 'l', [1]],
          ],
        ],
        [
          [
            ['w', 'm', 1],
            ['r', 'm', null],
            ['w', 'k', []],
          ],
        ],
      ),
      options: [{}, { initial: 0 }, { initial: [1] }],
    },
  ],
  mutex: [{ calls: each('lock unlock tryLock', []), options: [{}] }],
  'owned-mutex': [{ calls: each('lock unlock tryLock', ['ann'], ['bob'], [null], [[1]]), options: [{}] }],
  semaphore: [
    { calls: each('acquire release tryAcquire', ...amounts), options: [{}, { permits: 0 }, { permits: 3 }] },
  ],
  event: [{ calls: each('set reset wait isSet', []), options: [{}, { initial: true }] }],
  latch: [
    {
      calls: [...each('signal', ...amounts), ...each('wait count', [])],
      options: [{}, { initial: 0 }, { initial: 4 }],
    },
  ],
};

const canonical = new Canonical();
const key = (value: unknown) => canonical.key(value);

interface Answer {
  readonly next: unknown;
  readonly outcome: Outcome;
}

const isError = (result: unknown): result is Threw => result instanceof threw('').constructor;

/** All steps of a call; none if it blocks or is refused. */
function stepsOf(spec: Spec, state: unknown, [method, ...args]: Call): Answer[] {
  const given = spec.methods[method](state, ...args);
  if (given === blocked || 'reason' in given) return [];
  const steps: readonly Transition<unknown, unknown>[] = 'transitions' in given ? given.transitions : [given];
  return steps.map(([next, result]) => ({
    next,
    outcome: isError(result) ? { kind: 'threw', error: result.error } : { kind: 'returned', value: result },
  }));
}

/** An equal state with values of its own. */
function copied({ initial, key, methods }: Spec, state: unknown): unknown {
  if (state instanceof Items) return Items.of(structuredClone(state.toArray()));
  if (initial === null || typeof initial !== 'object' || !('heap' in initial)) return structuredClone(state);
  // a heap: inserting in another order gives another shape
  const items = structuredClone(key?.(state) as { value: unknown; priority: unknown }[]).reverse();
  const { initial: none } = objects['priority-queue']({});
  const insert = methods.insert as (...given: unknown[]) => Transition<unknown, void>;
  return items.reduce<unknown>((heap, { value, priority }) => insert(heap, value, priority)[0], none);
}

/** Some calls, and the states that a random order of them reaches. */
interface Run {
  readonly spec: Spec;
  readonly calls: readonly Call[];
  readonly states: readonly unknown[];
}

function runs(name: string, { calls, options }: Case): fc.Arbitrary<Run> {
  return fc
    .tuple(
      fc.constantFrom(...options),
      fc.subarray([...calls], { minLength: Math.min(3, calls.length), maxLength: Math.min(8, calls.length) }),
      fc.array(fc.nat(), { maxLength: 20 }),
    )
    .map(([given, picked, walk]) => {
      const spec = objects[name](given);
      const states = new Map([[key(spec.initial), spec.initial]]);
      let state = spec.initial;
      for (const choice of walk) {
        const next = stepsOf(spec, state, picked[choice % picked.length]);
        if (next.length > 0) state = next[choice % next.length].next;
        states.set(key(state), state);
      }
      return { spec, calls: picked, states: [...states.values()] };
    });
}

/** Tests a law in many runs; a failure prints its seed and the smallest run. */
function law(name: string, holds: (run: Run) => void): void {
  for (const each of cases[name])
    fc.assert(fc.property(runs(name, each), holds), { seed: 20, numRuns: share(100, 12) });
}

test('the laws are tested for every method of every object', () => {
  expect(Object.keys(cases)).toEqual(Object.keys(objects));
  for (const [name, ofName] of Object.entries(cases)) {
    const called = new Set(ofName.flatMap(({ calls }) => calls.map(([method]) => method)));
    expect([...called].sort()).toEqual(Object.keys(objects[name]({}).methods).sort());
  }
});

describe.each(Object.keys(objects))('%s', (name) => {
  test.each([
    ['in memory', (value: unknown) => value],
    ['in files, where undefined is null', (value: unknown) => value ?? null],
  ])('read-only calls change no state (%s)', (_where, seen) => {
    const seenOutcome = (outcome: Outcome): Outcome =>
      outcome.kind === 'returned' ? { kind: 'returned', value: seen(outcome.value) } : outcome;
    law(name, ({ spec, calls, states }) => {
      const known = new Set(calls.map(key));
      const called: IsCalled = (...call) => known.has(key(call));
      for (const call of calls) {
        const [method, ...args] = call;
        for (const state of states)
          for (const { next, outcome } of stepsOf(spec, state, call)) {
            const here = seenOutcome(outcome);
            const readOnly =
              spec.readOnly?.(method, args, here, called) ||
              spec.readOnly?.(method, args, { kind: 'pending' }, called);
            if (readOnly && key(next) !== key(state)) expect(key(next)).toBe(key(state));
          }
      }
    });
  });

  test('no method mutates the state or its arguments', () => {
    law(name, ({ spec, calls, states }) => {
      for (const state of states)
        for (const call of calls) {
          const before = key([state, call]);
          stepsOf(spec, state, call);
          const after = key([state, call]);
          if (after !== before) expect(after).toBe(before);
        }
    });
  });

  test('equal states and arguments give equal results', () => {
    law(name, ({ spec, calls, states }) => {
      for (const state of states)
        for (const call of calls) {
          const again = stepsOf(spec, copied(spec, state), structuredClone(call));
          const once = key(stepsOf(spec, state, call));
          if (key(again) !== once) expect(key(again)).toBe(once);
        }
    });
  });

  test('calls of different parts commute and do not change each other’s results', () => {
    if (!objects[name]({}).part) return;
    law(name, ({ spec, calls, states }) => {
      const part = spec.part!;
      const both = (state: unknown, first: Call, second: Call, turned: boolean) =>
        stepsOf(spec, state, first)
          .flatMap((one) =>
            stepsOf(spec, one.next, second).map((two) =>
              key([two.next, turned ? [two.outcome, one.outcome] : [one.outcome, two.outcome]]),
            ),
          )
          .sort();
      const outcomes = (state: unknown, call: Call) =>
        stepsOf(spec, state, call)
          .map(({ outcome }) => key(outcome))
          .sort();
      for (const a of calls)
        for (const b of calls) {
          const [ofA, ofB] = [a, b].map(([method, ...args]) => [part(method, args)].flat());
          if ([...ofA, ...ofB].includes(undefined) || ofA.some((own) => ofB.includes(own))) continue;
          for (const state of states) {
            expect(both(state, a, b, false)).toEqual(both(state, b, a, true));
            for (const { next } of stepsOf(spec, state, a))
              expect(outcomes(next, b)).toEqual(outcomes(state, b));
          }
        }
    });
  });

  test('the name and the family are those of the registry', () => {
    const { family, methods, ...spec } = objects[name]({});
    expect(spec.name).toBe(name);
    expect(family?.kind).toBe(name);
    expect(Object.values(family?.roles ?? {}).sort()).toEqual(Object.keys(methods).sort());
  });

  test('its options are accepted, and all others are refused by name', () => {
    const taken = new Set(
      cases[name].flatMap(({ options }) => options.flatMap((given) => Object.keys(given))),
    );
    for (const option of ['initial', 'empty', 'permits'].filter((other) => !taken.has(other)))
      expect(() => objects[name]({ [option]: 1 })).toThrow(
        new TypeError(`${name} has no option --${option}`),
      );
  });
});
