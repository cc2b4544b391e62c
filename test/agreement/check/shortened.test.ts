/**
 * Early operations are left out of a core only if that is sound: if the rest has no linearization, neither has the
 * history. The oracle decides both.
 */
import { describe, expect, test } from 'vitest';
import { Random } from '../../../src/base/random.js';
import { check } from '../../../src/check/check.js';
import { shorten } from '../../../src/check/counterexample/shorten.js';
import { Budget } from '../../../src/check/model/budget.js';
import { ObjectMachine, Part } from '../../../src/check/parts/parts.js';
import { HistoryBuilder } from '../../../src/history/builder/builder.js';
import { draw } from '../../../src/history/drawing/sketch.js';
import type { History } from '../../../src/history/history.js';
import { NEVER, RETURNED } from '../../../src/history/model/columns.js';
import { register } from '../../../src/objects/cells/register.js';
import { queue } from '../../../src/objects/collections/container.js';
import { map } from '../../../src/objects/collections/map.js';
import type { Spec } from '../../../src/spec/spec.js';
import { subjects } from '../../support/fixtures/subjects.js';
import { randomHistory, type Subject } from '../../support/generators/random-history.js';
import { isLinearizable } from '../../support/oracles/oracle.js';
import { share } from '../../support/share.js';

const ROUNDS = share(20_000, 300);

/** Without a family, so that searches decide it. */
const searched = (spec: Spec): Spec => {
  const { family: _, ...own } = spec;
  return own;
};

const SUBJECTS: Readonly<Record<string, Subject>> = {
  register: {
    spec: searched(register() as Spec),
    calls: [['write', 1], ['write', 2], ['read']],
    plain: true,
  },
  map: {
    spec: searched(map() as Spec),
    calls: [
      ['put', 'x', 1],
      ['put', 'x', 2],
      ['remove', 'x'],
      ['get', 'x'],
    ],
    plain: true,
  },
  queue: {
    spec: searched(queue() as Spec),
    calls: [['enqueue', 1], ['enqueue', 2], ['dequeue']],
    plain: true,
  },
  'lossy queue': { ...subjects['lossy queue'], plain: true },
};

/** The history without the outcomes of some operations, which then never return. */
function withUnknownOutcomes(history: History, random: Random): History {
  const builder = new HistoryBuilder();
  for (const { method, args, outcome, call, return: end } of history) {
    const isKnown = end !== Number.POSITIVE_INFINITY && random.withProbability(60);
    builder.operation({
      process: `P${builder.length}`,
      method,
      args: args as never,
      outcome: isKnown ? outcome : { kind: 'pending' },
      call,
      ...(isKnown && { return: end }),
    });
  }
  return builder.finish();
}

const partOf = (history: History, spec: Spec): Part =>
  new Part({
    name: '',
    history,
    spec,
    objectMachine: new ObjectMachine(history, spec),
    cuts: [],
    monitored: undefined,
  });

describe.each(Object.entries(SUBJECTS))('early operations of a %s', (_, subject) => {
  test('are left out only if the history has no linearization without them', () => {
    const random = new Random(3);
    const { spec } = subject;
    let left = 0;
    for (let i = 0; i < ROUNDS; i++) {
      const drawn = randomHistory(subject, random, 8);
      const whole = i % 2 === 0 ? drawn : withUnknownOutcomes(drawn, random);
      const { status, return: returned } = whole.columns;
      const returning = Array.from(status.keys()).filter(
        (k) => status[k] === RETURNED && returned[k] !== NEVER,
      );
      if (returning.length === 0) continue;
      const k = random.pick(returning.sort((a, b) => returned[a] - returned[b]).slice(-2));
      // any history, any operation: the rest is a violation, but perhaps not the history
      const history = whole.prefix(returned[k]);
      const { shortened } = shorten(
        partOf(history, spec),
        history,
        whole.columns.id[k],
        (rest) => (isLinearizable(rest, spec) ? undefined : true),
        new Budget({ maxSteps: 100_000 }),
      );
      if (!shortened) continue;
      left++;
      if (isLinearizable(history, spec))
        throw new Error(`linearizable:\n${draw(history)}\nbut not:\n${draw(shortened.core)}`);
      expect(isLinearizable(shortened.core, spec)).toBe(false);
    }
    expect(left).toBeGreaterThan(ROUNDS / 100);
  });
});

/** Sequential reads and writes, mostly of values that are there, beside writes with unknown outcomes. */
function besidePending(random: Random): History {
  const builder = new HistoryBuilder();
  for (let i = 0; i < 9; i++) {
    const value = 1 + random.below(2);
    const kind = random.below(10);
    const method = kind < 4 ? 'read' : 'write';
    builder.operation({
      process: `P${i}`,
      method,
      args: method === 'read' ? [] : [value],
      call: 2 * i,
      ...(kind < 7
        ? { outcome: { kind: 'returned', value: method === 'read' ? value : undefined }, return: 2 * i + 1 }
        : { outcome: { kind: 'pending' } }),
    });
  }
  return builder.finish();
}

test('an operation stays if without it more operations with unknown outcomes must have taken effect', () => {
  const random = new Random(6);
  const spec = searched(register() as Spec);
  let left = 0;
  for (let i = 0; i < share(20_000, 2_000); i++) {
    const whole = besidePending(random);
    const { events } = whole.columns;
    const last = events.findLastIndex((event) => event < 0);
    if (last < 0) continue;
    const history = whole.prefix(last);
    const { shortened } = shorten(
      partOf(history, spec),
      history,
      whole.columns.id[~events[last]],
      // of everything that may be left out, what leaves no linearization
      (rest) => (isLinearizable(rest, spec) ? undefined : true),
      new Budget({ maxSteps: 100_000 }),
    );
    if (!shortened) continue;
    left++;
    if (isLinearizable(history, spec))
      throw new Error(`linearizable:\n${draw(history)}\nbut not:\n${draw(shortened.core)}`);
  }
  expect(left).toBeGreaterThan(100);
});

test('a stale read after a thousand operations is explained by the write, its replacement and the read', () => {
  const random = new Random(5);
  for (const spec of [map() as Spec, searched(map() as Spec)]) {
    const builder = new HistoryBuilder();
    let time = 0;
    // each operation overlaps the next one, as long as `overlap` is 3
    const add = (method: string, args: readonly unknown[], value: unknown, overlap = 3): number => {
      time += 2;
      return builder.operation({
        process: String(builder.length % 2),
        method,
        args: args as never,
        outcome: { kind: 'returned', value },
        call: time,
        return: time + overlap,
      });
    };
    let value: unknown = null;
    for (let i = 0; i < 1000; i++) {
      const next = random.pick([1, 2, 3, null]);
      if (next === null) {
        add('remove', ['x'], value !== null);
        value = null;
      } else {
        add('put', ['x', next], undefined);
        value = next;
      }
      if (random.withProbability(50)) add('get', ['x'], value);
    }
    time += 2;
    const write = add('put', ['x', 4], undefined, 1);
    add('remove', ['x'], true, 1);
    add('get', ['x'], 4, 1);
    const verdict = check(builder.finish(), spec);
    if (verdict.kind !== 'violation') throw new Error(verdict.kind);
    const { core, cause, minimal } = verdict.counterexample;
    expect(minimal).toBe(true);
    expect(check(core, spec).kind).toBe('violation');
    if (spec.family) {
      expect([...core.columns.id]).toEqual([write, write + 1, write + 2]);
      expect(cause).toMatchObject({ overwritten: { write, by: write + 1 } });
    } else expect(core.length).toBeLessThanOrEqual(2);
  }
});
