import { describe, expect, test } from 'vitest';
import { simulate, withCorruptedResult } from '../../../../test/support/generators/simulated.js';
import { expectLinearizable, expectViolation } from '../../../../test/support/oracles/evidence.js';
import { Random } from '../../../base/random.js';
import { parseHistory } from '../../../formats/read-history.js';
import { sketch } from '../../../history/drawing/sketch.js';
import { casRegister, register } from '../../../objects/cells/register.js';
import { map, mapPrevious } from '../../../objects/collections/map.js';
import type { Spec } from '../../../spec/spec.js';
import { check } from '../../check.js';
import { monitored, verifyCause } from '../registry.js';

const obstacleOf = (history: Parameters<typeof monitored>[0], spec: Spec): string | undefined => {
  const own = monitored(history, spec);
  return own && 'obstacle' in own ? own.obstacle : undefined;
};

describe('a register', () => {
  const spec = register({ initial: 0 }) as Spec;

  test('with a stale read has two alternating values', () => {
    const { cause, core } = expectViolation(
      sketch`
        A  |- write(1) -|  |- write(2) -|                    |- write(3) -|
        B                                  |- read() -> 1 -|`,
      spec,
    );
    expect(cause).toMatchObject({
      kind: 'in turns',
      operation: 2,
      runs: [
        { values: [1], first: 0, last: 2 },
        { values: [2], first: 1, last: 1 },
      ],
      allowed: [{ kind: 'returned', value: 2 }],
    });
    expect([...core.columns.id]).toEqual([0, 1, 2]);
  });

  test('with a read of the initial value after a write has alternating values', () => {
    const { cause } = expectViolation(sketch`A  |- write(1) -|  |- read() -> 0 -|`, spec);
    expect(cause).toMatchObject({
      kind: 'in turns',
      operation: 1,
      runs: [
        { values: [0], last: 1 },
        { values: [1], first: 0, last: 0 },
      ],
    });
  });

  test('returns no value that was never written or is written only later', () => {
    expect(expectViolation(sketch`A  |- read() -> 7 -|`, spec).cause).toMatchObject({
      kind: 'never written',
      operation: 0,
      links: [],
    });
    expect(expectViolation(sketch`A  |- read() -> 7 -|  |- write(7) -|`, spec).cause).toMatchObject({
      kind: 'out of turn',
      operation: 0,
      first: 1,
      second: 0,
    });
  });

  test('may show a pending write, but not undo it', () => {
    expectLinearizable(
      sketch`
        A  |- write(1) -?
        B  |- read() -> 0 -|  |- read() -> 0 -|  |- read() -> 1 -|`,
      spec,
    );
    const { cause } = expectViolation(
      sketch`
        A  |- write(1) -?
        B  |- read() -> 0 -|  |- read() -> 1 -|  |- read() -> 0 -|`,
      spec,
    );
    expect(cause).toMatchObject({ kind: 'in turns', operation: 3 });
  });

  test('may hold a value repeatedly if real time determines the write of each read', () => {
    const again = sketch`
      A  |- write(1) -| |- write(2) -|                  |- write(1) -|                  |- write(3) -|
      B                                |- read() -> 2 -|              |- read() -> 1 -|`;
    expect(obstacleOf(again, spec)).toBeUndefined();
    expectLinearizable(again, spec);
    const { cause, core } = expectViolation(
      sketch`
        A  |- write(1) -| |- write(2) -| |- write(1) -|                  |- write(3) -|
        B                                              |- read() -> 2 -|`,
      spec,
    );
    expect(cause).toMatchObject({ kind: 'in turns', operation: 3 });
    expect([...core.columns.id]).toEqual([1, 2, 3]);
  });

  test('is searched if the write of a read is ambiguous', () => {
    const unclear = sketch`
      A  |- write(1) -|
      B  |- write(1) -| |- read() -> 1 -|`;
    expect(obstacleOf(unclear, spec)).toBe('1 is written more than once');
    expectLinearizable(unclear, spec);
  });

  test('is an error if its initial value differs from that of its family', () => {
    const contradicting = { ...spec, initial: 5 };
    expect(() => obstacleOf(sketch`A |- read() -> 5 -|`, contradicting)).toThrow(/contradict each other/);
  });
});

describe('a cas-register', () => {
  const spec = casRegister({ initial: 0 }) as Spec;

  test('lets one of two swaps succeed', () => {
    const { cause } = expectViolation(
      sketch`
        A  |- cas(0, 1) -> true -|
        B  |- cas(0, 2) -> true -|`,
      spec,
    );
    expect(cause).toMatchObject({ kind: 'swapped twice', operation: 1, value: 0, swaps: [0, 1] });
  });

  test('cannot show the effects of two pending swaps from one value', () => {
    const { cause, core } = expectViolation(
      sketch`
        A  |- cas(0, 1) -?
        B  |- cas(0, 2) -?
        C                   |- read() -> 1 -|  |- read() -> 2 -|`,
      spec,
    );
    expect(cause).toMatchObject({ kind: 'swapped twice', operation: 3, swaps: [0, 1] });
    expect(core.length).toBe(4);
  });

  test('holds no value that stems from a cycle of swaps', () => {
    const { cause } = expectViolation(
      sketch`
        A  |- cas(1, 2) -> true -|
        B  |- cas(2, 1) -> true -|
        C  |- read() -> 0 -|`,
      spec,
    );
    expect(cause).toMatchObject({ kind: 'never written', operation: 0, links: [1, 0] });
  });

  test('holds the last value of a chain of swaps, and no earlier one', () => {
    const chain = sketch`
      A  |- cas(0, 1) -> true -|                         |- cas(2, 3) -?
      B                          |- cas(1, 2) -> true -|
      C                                                                  |- read() -> 3 -|`;
    expectLinearizable(chain, spec);
    const { cause } = expectViolation(
      sketch`
        A  |- cas(0, 1) -> true -|                         |- read() -> 1 -|
        B                          |- cas(1, 2) -> true -|`,
      spec,
    );
    expect(cause).toMatchObject({ kind: 'out of turn', operation: 2, first: 2, second: 1 });
  });

  test('is searched if a failed cas has no place next to another value', () => {
    const beside = sketch`
      A  |- write(1) -|
      B     |- cas(0, 2) -> false -|`;
    expect(obstacleOf(beside, spec)).toBeUndefined();
    expectLinearizable(beside, spec);
    const wrong = sketch`
      A  |- write(1) -| |- cas(1, 2) -> false -|`;
    expect(obstacleOf(wrong, spec)).toMatch(/failed compare-and-swap/);
    expect(expectViolation(wrong, spec).cause).toMatchObject({ kind: 'stuck', operation: 1 });
  });
});

describe('a map', () => {
  const spec = map() as Spec;

  test('is checked as a whole, key by key', () => {
    const history = sketch`
      A  |- put("a", 1) -|  |- put("a", 2) -|
      B  |- put("b", 1) -|  |- get("b") -> 1 -|  |- get("a") -> 1 -|`;
    const verdict = check(history, spec);
    expect(verdict.stats).toMatchObject({ parts: 2, checker: 'map monitor' });
    const { cause, core } = expectViolation(history, spec);
    expect(cause).toMatchObject({ kind: 'in turns', operation: 4 });
    expect([...core.columns.id]).toEqual([0, 2, 4]);
  });

  test('is monitored if the results of its removals match the values', () => {
    const suits = sketch`
      A  |- put("a", 1) -|  |- remove("a") -> true -|  |- get("a") -> null -|  |- remove("a") -> false -|`;
    expect(obstacleOf(suits, spec)).toBeUndefined();
    expectLinearizable(suits, spec);
    const twice = sketch`
      A  |- put("a", 1) -|  |- remove("a") -> true -|  |- remove("a") -> true -|`;
    expect(obstacleOf(twice, spec)).toMatch(/a removal/);
    expectViolation(twice, spec);
  });

  test('is monitored key by key if the monitor declines one of its keys', () => {
    const history = sketch`
      A  |- put("a", 1) -|  |- append("b", "x") -|  |- get("a") -> 1 -|`;
    expect(obstacleOf(history, spec)).toBe('unsupported operation append');
    expect(check(history, spec).stats.checker).toBe('map monitor and just-in-time graph search');
  });

  test.each([
    [sketch`A |- put("a", null) -|`, /that of absent keys/],
    [sketch`A |- cas("a", 1, null) -> true -|`, /that of absent keys/],
    [sketch`A |- getOrElseUpdate("a", 1) -> 1 -| |- put("a", 1) -|`, /1 is added more than once/],
  ])('is searched if its values are ambiguous (%#)', (history, obstacle) => {
    expect(obstacleOf(history, spec)).toMatch(obstacle);
  });
});

describe('a map that returns the previous value', () => {
  const spec = mapPrevious() as Spec;

  test('may become empty repeatedly', () => {
    const history = sketch`
      A  |- put("a", 1) -> null -|  |- remove("a") -> 1 -|  |- put("a", 2) -> null -|  |- remove("a") -> 2 -|
      B         |- get("a") -> null -|                         |- get("a") -> null -|   |- get("a") -> null -|`;
    expect(obstacleOf(history, spec)).toBeUndefined();
    expectLinearizable(history, spec);
  });

  test('is not empty while a value is present', () => {
    const { cause, core } = expectViolation(
      sketch`
        A  |- put("a", 1) -> null -|                        |- remove("a") -> 1 -|
        B                            |- get("a") -> null -|`,
      spec,
    );
    expect(cause).toMatchObject({
      kind: 'in turns',
      operation: 1,
      runs: [
        { values: [1, null], first: 0, last: 2 },
        { values: [null], first: 1, last: 1 },
      ],
    });
    expect(core.length).toBe(3);
  });

  test('has at most one value at the end', () => {
    const { cause } = expectViolation(
      sketch`
        A  |- put("a", 1) -> null -|  |- remove("a") -> 1 -|  |- put("a", 2) -> null -|  |- put("a", 3) -> null -|`,
      spec,
    );
    expect(cause).toMatchObject({ kind: 'in turns', operation: 3 });
  });

  test('is searched if a pending removal may have removed a value', () => {
    const history = sketch`
      A  |- put("a", 1) -> null -|  |- remove("a") -> 1 -|  |- remove("a") -?`;
    expect(obstacleOf(history, spec)).toBe('a removal is pending');
  });
});

describe('long histories', () => {
  const PROCESSES = { operations: 2_000, processes: 6, crashes: 5 };
  let fresh = 0;
  const RUNS = {
    register: {
      spec: register({ initial: 0 }) as Spec,
      draw: (random: Random) => (random.withProbability(50) ? ['write', ++fresh] : ['read']),
    },
    map: {
      spec: map() as Spec,
      draw: (random: Random) =>
        random.withProbability(50) ? ['put', random.below(50), ++fresh] : ['get', random.below(50)],
    },
    'map-previous': {
      spec: mapPrevious() as Spec,
      crashes: 0,
      draw: (random: Random) => {
        const [method, value] = random.pick([['put', ++fresh], ['get'], ['remove']] as const);
        return [method, random.below(50), ...(value === undefined ? [] : [value])];
      },
    },
  } as Record<string, Pick<Parameters<typeof simulate>[0], 'spec' | 'draw' | 'crashes'>>;

  test.each(Object.entries(RUNS))(
    'are decided by the monitor as by a search, also with altered results: %s',
    (_, run) => {
      const random = new Random(7);
      const history = simulate({ ...PROCESSES, ...run }, random);
      expect(obstacleOf(history, run.spec)).toBeUndefined();
      expectLinearizable(history, run.spec);
      const returned = simulate({ ...PROCESSES, ...run, operations: 500, crashes: 0 }, random);
      const altered = Array.from({ length: 10 }, () => withCorruptedResult(returned, random));
      const kinds = altered.map((own) => [
        check(own, run.spec).kind,
        check(own, run.spec, { algorithm: 'search' }).kind,
      ]);
      expect(kinds.filter(([one, other]) => one !== other)).toEqual([]);
      expect(kinds.some(([kind]) => kind === 'violation')).toBe(true);
    },
  );

  test('are declined by their first operations if and only if values repeat too often', () => {
    const longRun = (values: number): ReturnType<typeof simulate> => {
      const random = new Random(3);
      const draw = (): [string, ...unknown[]] =>
        random.withProbability(50) ? ['write', random.below(values)] : ['read'];
      return simulate(
        { spec: RUNS.register.spec, draw, operations: 100_001, processes: 6, crashes: 0 },
        random,
      );
    };
    expect(obstacleOf(longRun(3), RUNS.register.spec)).toMatch(/is written more than once/);
    expect(obstacleOf(longRun(2 ** 30), RUNS.register.spec)).toBeUndefined();
  });
});

test('a false cause is rejected', () => {
  const history = sketch`
    A  |- write(1) -|  |- write(2) -|
    B       |- read() -> 1 -|           |- read() -> 2 -|`;
  const spec = register() as Spec;
  const runs = [
    { values: [1], first: 0, last: 1 },
    { values: [2], first: 2, last: 3 },
  ] as const;
  expect(verifyCause(history, spec, { kind: 'in turns', operation: 3, runs })).toBe(false);
  expect(verifyCause(history, spec, { kind: 'out of turn', operation: 3, first: 0, second: 3 })).toBe(false);
  expect(verifyCause(history, spec, { kind: 'never written', operation: 3, links: [] })).toBe(false);
  expect(verifyCause(history, spec, { kind: 'swapped twice', operation: 3, value: 1, swaps: [0, 2] })).toBe(
    false,
  );
});

test('a register that starts undefined is searched if the file format equates undefined and null', () => {
  const history = parseHistory('{"process":"A","method":"read","args":[],"result":null,"call":0,"return":1}');
  expect(obstacleOf(history, register({ initial: undefined }) as Spec)).toMatch(/undefined/);
  expect(check(history, register({ initial: undefined }) as Spec).kind).toBe('linearizable');
});
