/**
 * Levels below linearizability, against their definitions.
 *
 * The oracles try all orders of operations, or of versions. They share nothing with the algorithms but the histories:
 * small random ones of maps and queues with distinct values, pending calls and random results.
 */
import { describe, expect, test } from 'vitest';
import { Random } from '../../../src/base/random.js';
import { check } from '../../../src/check/check.js';
import { type Consistency, measureConsistency } from '../../../src/consistency/measure.js';
import { HistoryBuilder } from '../../../src/history/builder/builder.js';
import { draw } from '../../../src/history/drawing/sketch.js';
import type { History } from '../../../src/history/history.js';
import { queue, stack } from '../../../src/objects/collections/container.js';
import { map } from '../../../src/objects/collections/map.js';
import type { Spec } from '../../../src/spec/spec.js';
import { share } from '../../support/share.js';

const HISTORIES = share(100_000, 500);
const CAUSAL = share(100_000, 250);
const LARGER_CAUSAL = share(4_000, 15);
const QUEUES = share(100_000, 300);
const CLOCKS = share(2_000, 25);
const NEVER = Number.POSITIVE_INFINITY;

interface Row {
  readonly process: string;
  readonly kind: 'write' | 'read';
  readonly key: string;
  readonly value: number | null;
  readonly call: number;
  readonly return: number;
}

/** Calls of sequential processes at distinct times. A pending call is the last of its process. */
function intervals(
  random: Random,
  length: number,
  processes: number,
): { process: string; call: number; return: number }[] {
  const open = new Map<number, number>();
  const rows: { process: string; call: number; return: number }[] = [];
  for (let time = 0; rows.length < length || open.size > 0; time++) {
    const process = random.below(processes);
    const row = open.get(process);
    if (row !== undefined) {
      open.delete(process);
      rows[row].return = random.below(12) === 0 ? NEVER : time;
      if (rows[row].return === NEVER) open.set(process + 100 * rows.length, row);
    } else if (rows.length < length) {
      open.set(process, rows.length);
      rows.push({ process: `P${process}`, call: time, return: NEVER });
    }
    if (time > 10 * length) break;
  }
  return rows;
}

const precedes = (a: Row, b: Row): boolean => a.return < b.call;
const inProcess = (a: Row, b: Row): boolean => a.process === b.process && a.return < b.call;

/** `writesFirst`: each process writes one key and then reads it. */
function randomMap(
  random: Random,
  { length = 3 + random.below(4), writesFirst = false }: { length?: number; writesFirst?: boolean } = {},
): { rows: Row[]; history: History } {
  const keys = writesFirst || random.below(2) === 0 ? ['x'] : ['x', 'y'];
  const wrote = new Set<string>();
  const written = new Map(keys.map((key) => [key, [null] as (number | null)[]]));
  const rows = intervals(random, length, 2 + random.below(2)).map((interval, i): Row => {
    const key = random.pick(keys);
    const isWrite = writesFirst ? !wrote.has(interval.process) : random.below(2) === 0;
    wrote.add(interval.process);
    const kind = isWrite ? 'write' : 'read';
    if (kind === 'write') written.get(key)?.push(i + 1);
    return { ...interval, kind, key, value: kind === 'write' ? i + 1 : null };
  });
  const read = rows.map((row) =>
    row.kind === 'read' ? { ...row, value: random.pick(written.get(row.key) ?? [null]) } : row,
  );
  const builder = new HistoryBuilder({ keepTimes: true });
  for (const { process, kind, key, value, call, return: end } of read)
    builder.operation({
      process,
      method: kind === 'write' ? 'put' : 'get',
      args: kind === 'write' ? [key, value] : [key],
      outcome:
        end === NEVER
          ? { kind: 'pending' }
          : { kind: 'returned', value: kind === 'write' ? undefined : value },
      call,
      ...(end !== NEVER && { return: end }),
    });
  return {
    rows: read.filter((row) => row.kind === 'write' || row.return !== NEVER),
    history: builder.finish(),
  };
}

/** Is there an order of the operations that contains `before` and is legal? Pending ones may be left out. */
function hasOrder(rows: readonly Row[], before: (a: Row, b: Row) => boolean): boolean {
  const go = (left: readonly Row[], state: ReadonlyMap<string, number | null>): boolean => {
    if (left.every((row) => row.return === NEVER)) return true;
    return left.some((row) => {
      if (left.some((other) => other !== row && before(other, row))) return false;
      if (row.kind === 'read' && (state.get(row.key) ?? null) !== row.value) return false;
      return go(
        left.filter((other) => other !== row),
        row.kind === 'write' ? new Map([...state, [row.key, row.value]]) : state,
      );
    });
  };
  return go(rows, new Map());
}

const KINDS = {
  'read your writes': ['write', 'read'],
  'monotonic reads': ['read', 'read'],
  'writes follow reads': ['read', 'write'],
} as const;

/** Is there an order of the versions of a key that contains the real-time order of writes and these guarantees? */
function guaranteesHold(rows: readonly Row[], guarantees: readonly (keyof typeof KINDS)[]): boolean {
  const took = rows.filter(
    (row) =>
      row.kind === 'write' &&
      (row.return !== NEVER || rows.some((other) => other.kind === 'read' && other.value === row.value)),
  );
  const orders = (left: readonly Row[]): Row[][] =>
    left.length === 0
      ? [[]]
      : left.flatMap((row) => orders(left.filter((other) => other !== row)).map((rest) => [row, ...rest]));
  return orders(took).some((order) => {
    const rank = (row: Row): number => order.findIndex(({ value }) => value === row.value);
    return rows.every((a) =>
      rows.every((b) => {
        if (b.kind === 'write' && rank(b) < 0) return true;
        if (a.kind === 'write' && b.kind === 'write' && rank(a) >= 0 && precedes(a, b) && rank(a) > rank(b))
          return false;
        const isMeant = guarantees.some((own) => KINDS[own][0] === a.kind && KINDS[own][1] === b.kind);
        if (!isMeant || !inProcess(a, b)) return true;
        return b.kind === 'read' ? rank(a) <= rank(b) : rank(a) < rank(b);
      }),
    );
  });
}

const keysOf = (rows: readonly Row[]): Row[][] =>
  [...new Set(rows.map(({ key }) => key))].map((key) => rows.filter((row) => row.key === key));

type Relation = readonly (readonly boolean[])[];

/** All strict partial orders of a few items, by size. */
const partialOrders = new Map<number, readonly Relation[]>();

function partialOrdersOf(size: number): readonly Relation[] {
  const known = partialOrders.get(size);
  if (known) return known;
  const items = Array.from({ length: size }, (_, i) => i);
  const pairs = items.flatMap((a) => items.filter((b) => a < b).map((b) => [a, b] as const));
  const found: Relation[] = [];
  const go = (next: number, relation: boolean[][]): void => {
    const pair = pairs[next];
    if (pair === undefined) {
      const isTransitive = items.every((a) =>
        items.every((b) => items.every((c) => !relation[a][b] || !relation[b][c] || relation[a][c])),
      );
      if (isTransitive) found.push(relation.map((row) => [...row]));
      return;
    }
    const [a, b] = pair;
    go(next + 1, relation);
    for (const [from, to] of [pair, [b, a]] as const) {
      relation[from][to] = true;
      go(next + 1, relation);
      relation[from][to] = false;
    }
  };
  go(
    0,
    items.map(() => items.map(() => false)),
  );
  partialOrders.set(size, found);
  return found;
}

const permutations = (items: readonly number[]): number[][] =>
  items.length === 0
    ? [[]]
    : items.flatMap((item) =>
        permutations(items.filter((other) => other !== item)).map((rest) => [item, ...rest]),
      );

/**
 * Causal consistency and causal convergence by definition: in some partial order that keeps the order of processes, each
 * read returns what some order of its past gives; for convergence, all of these orders are part of one.
 */
function causalOracle(rows: readonly Row[]): { causal: boolean; convergent: boolean } {
  const items = [...rows.keys()];
  const returnsIn = (order: readonly number[], read: number): boolean => {
    const last = order.findLast(
      (i) => rows[i].kind === 'write' && rows[i].key === rows[read].key && i !== read,
    );
    return (last === undefined ? null : rows[last].value) === rows[read].value;
  };
  const reads = items.filter((i) => rows[i].kind === 'read');
  let [causal, convergent] = [false, false];
  for (const order of partialOrdersOf(rows.length)) {
    if (convergent) break;
    if (items.some((a) => items.some((b) => inProcess(rows[a], rows[b]) && !order[a][b]))) continue;
    const linear = (some: readonly number[]): number[][] =>
      permutations(some).filter((own) => own.every((b, i) => own.slice(i).every((a) => !order[a][b])));
    const past = (read: number): number[] => items.filter((i) => order[i][read]);
    causal ||= reads.every((read) => linear(past(read)).some((own) => returnsIn(own, read)));
    convergent ||= linear(items).some((whole) =>
      reads.every((read) => {
        const own = past(read);
        return returnsIn(
          whole.filter((i) => own.includes(i)),
          read,
        );
      }),
    );
  }
  return { causal, convergent };
}

describe('causal consistency of a map with distinct values', () => {
  test.each([
    [4, CAUSAL],
    [5, LARGER_CAUSAL],
  ])(
    '%i operations: some order of causes gives the results, and for convergence also one of all',
    (length, count) => {
      const random = new Random(length);
      const seen = { causal: 0, convergent: 0, sequential: 0 };
      for (let i = 0; i < count; i++) {
        const { rows, history } = randomMap(random, { length, writesFirst: i % 3 === 0 });
        const took = rows.filter(
          (row) =>
            row.return !== NEVER || rows.some(({ kind, value }) => kind === 'read' && value === row.value),
        );
        const wanted = causalOracle(took);
        const measured = measureConsistency(history, map());
        const { causal, convergent, sequential } = measured;
        const shown = JSON.stringify(rows);
        expect(causal.kind, shown).toBe(wanted.causal ? 'holds' : 'fails');
        expect(convergent.kind, shown).toBe(wanted.convergent ? 'holds' : 'fails');
        if (sequential.kind === 'holds') expect(convergent.kind, shown).toBe('holds');
        expectEvidence(history, measured);
        if (wanted.causal) seen.causal++;
        if (wanted.convergent) seen.convergent++;
        if (sequential.kind === 'holds') seen.sequential++;
      }
      if (length > 4) return;
      expect(seen.causal).toBeLessThan(count);
      expect(seen.causal).toBeGreaterThan(seen.convergent);
      expect(seen.convergent).toBeGreaterThan(seen.sequential);
    },
  );

  /** The evidence of a failure is what it says: pairs of causes, from the overwritten write to the read, or in a circle. */
  function expectEvidence(history: History, { causal, convergent }: Consistency): void {
    const isWrite = (id: number): boolean => history.at(id).method === 'put';
    const written = (id: number): readonly unknown[] => history.at(id).args;
    const read = (id: number): readonly unknown[] => {
      const { args, outcome } = history.at(id);
      return [args[0], outcome.kind === 'returned' ? (outcome.value ?? null) : undefined];
    };
    for (const level of [causal, convergent]) {
      if (level.kind !== 'fails') continue;
      const { overwritten }: Consistency['causal'] & { kind: 'fails' } = level;
      level.cycle.forEach(({ first, second, reason }, i) => {
        if (i > 0) expect(first).toBe(level.cycle[i - 1].second);
        const [a, b] = [history.at(first), history.at(second)];
        if (reason === 'process order') {
          expect(a.process).toBe(b.process);
          expect(a.return).toBeLessThan(b.call);
        } else if (reason === 'reads its value')
          expect([isWrite(first), read(second)]).toEqual([true, written(first)]);
        else {
          expect([reason, level]).toEqual(['later read', convergent]);
          expect([isWrite(first), isWrite(second)]).toEqual([true, true]);
          expect(written(first)[0]).toBe(written(second)[0]);
        }
      });
      const ends = [level.cycle[0].first, level.cycle.at(-1)?.second];
      if (level === causal && overwritten) {
        const { older, newer, read: late } = overwritten;
        expect(ends).toEqual([older < 0 ? newer : older, late]);
        expect(level.cycle.some(({ first }) => first === newer)).toBe(true);
        expect(written(newer)[0]).toBe(read(late)[0]);
        expect(read(late)).toEqual(older < 0 ? [read(late)[0], null] : written(older));
      } else if (level === convergent && causal.kind === 'fails') expect(level.cycle).toEqual(causal.cycle);
      else expect(ends[0]).toBe(ends[1]);
    }
  }
});

describe('a map with distinct values', () => {
  const random = new Random(25);
  const cases = Array.from({ length: HISTORIES }, () => {
    const { rows, history } = randomMap(random);
    return { rows, history, measured: measureConsistency(history, map()) };
  });

  test('is sequentially consistent exactly if an order keeps that of each process', () => {
    let holds = 0;
    for (const { rows, measured } of cases) {
      const wanted = hasOrder(rows, inProcess);
      expect(measured.sequential.kind, JSON.stringify(rows)).toBe(wanted ? 'holds' : 'fails');
      if (wanted) holds++;
    }
    expect(holds).toBeGreaterThan(cases.length / 10);
    expect(holds).toBeLessThan((9 * cases.length) / 10);
  });

  test('breaks a session guarantee, or several together, exactly if no order of versions contains them', () => {
    const names = Object.keys(KINDS) as (keyof typeof KINDS)[];
    let alone = 0;
    for (const { rows, measured } of cases) {
      const broken = measured.sessions.broken.map(({ guarantees }) => guarantees);
      for (const name of names) {
        const holds = keysOf(rows).every((own) => guaranteesHold(own, [name]));
        expect(
          broken.some((own) => own.length === 1 && own[0] === name),
          JSON.stringify(rows),
        ).toBe(!holds);
        if (!holds) alone++;
      }
      expect(broken.length === 0, JSON.stringify(rows)).toBe(
        keysOf(rows).every((own) => guaranteesHold(own, names)),
      );
    }
    expect(alone).toBeGreaterThan(cases.length / 20);
  });

  test('is regular exactly if each read alone has an order with all writes', () => {
    for (const { rows, measured } of cases) {
      const wanted = rows.every(
        (row) =>
          row.kind === 'write' ||
          hasOrder(
            rows.filter((other) => other.key === row.key && (other === row || other.kind === 'write')),
            precedes,
          ),
      );
      expect(measured.regular.kind, JSON.stringify(rows)).toBe(wanted ? 'holds' : 'fails');
    }
  });

  test('is safe exactly if each read that overlaps no write has an order with all writes', () => {
    let unsafe = 0;
    for (const { rows, measured } of cases) {
      const wrong = rows.filter((row) => {
        const writes = rows.filter((other) => other.key === row.key && other.kind === 'write');
        const overlaps = writes.some((other) => other.call < row.return && row.call < other.return);
        return row.kind === 'read' && !overlaps && !hasOrder([...writes, row], precedes);
      });
      expect(measured.safe.kind, JSON.stringify(rows)).toBe(wrong.length === 0 ? 'holds' : 'fails');
      expect(measured.safe.unsafe ?? []).toHaveLength(wrong.length);
      unsafe += wrong.length;
    }
    expect(unsafe).toBeGreaterThan(cases.length / 20);
  });

  test('has a least k within its bounds', () => {
    let exact = 0;
    let above = 0;
    for (const { rows, measured } of cases) {
      const { k, delta, byPart, byProcess } = measured.stale;
      // a number of versions without "at least" is exact: the least k of the key, without the newest value
      for (const { name, reads, versions, isAtLeast } of byPart) {
        const own = rows.filter(({ key }) => key === name);
        if (reads > 0 && !isAtLeast && k !== undefined)
          expect(isAtomicUpTo(own, versions + 1), JSON.stringify(rows)).toBe(true);
      }
      for (const { versions, isAtLeast } of byProcess)
        if (!isAtLeast) expect(byPart.some((part) => part.versions >= versions)).toBe(true);
      expect(k === undefined, JSON.stringify(rows)).toBe(delta === NEVER);
      if (k === undefined) continue;
      const least = Math.max(
        1,
        ...keysOf(rows).map(
          (own) => [...own.keys(), own.length].map((i) => i + 1).find((i) => isAtomicUpTo(own, i)) ?? NEVER,
        ),
      );
      expect(k.atLeast, JSON.stringify(rows)).toBeLessThanOrEqual(least);
      expect(k.atMost, JSON.stringify(rows)).toBeGreaterThanOrEqual(least);
      if (least > 1) above++;
      if (least > 1 && k.atLeast === k.atMost) exact++;
    }
    expect(above).toBeGreaterThan(cases.length / 20);
    expect(exact).toBeGreaterThan(above / 2);
  });

  test('has a least Δ', () => {
    for (const { rows, measured } of cases) {
      const moved = (delta: number): Row[] =>
        rows.map((row) => (row.kind === 'read' ? { ...row, call: row.call - delta } : row));
      const candidates = [
        0,
        ...new Set(rows.flatMap((a) => rows.map((b) => a.call - b.return).filter((delta) => delta > 0))),
      ].sort((a, b) => a - b);
      const wanted = candidates.find((delta) => keysOf(moved(delta)).every((own) => hasOrder(own, precedes)));
      expect(measured.stale.delta, JSON.stringify(rows)).toBe(wanted ?? NEVER);
    }
  });

  test('has the stale reads of the definition', () => {
    let stale = 0;
    for (const { rows, history, measured } of cases) {
      const found = new Map(measured.stale.reads.map((read) => [history.at(read.operation).call, read]));
      for (const row of rows) {
        if (row.kind === 'write') continue;
        const present = (value: number | null): number =>
          value === null
            ? -1
            : Math.min(
                ...rows.filter((own) => own.key === row.key && own.value === value).map((own) => own.return),
              );
        const newer = rows.filter(
          (own) =>
            own.kind === 'write' &&
            own.key === row.key &&
            own.call > present(row.value) &&
            present(own.value) < row.call,
        );
        const moment =
          history.columns.call[
            [...history].findIndex(
              (own) => own.process === row.process && history.tables.times?.call[own.id] === row.call,
            )
          ];
        const read = found.get(moment);
        expect(read?.versions ?? 0, JSON.stringify(rows)).toBe(newer.length);
        if (read === undefined) continue;
        stale++;
        expect(read.by).toBe(row.call - Math.min(...newer.map((own) => present(own.value))));
      }
    }
    expect(stale).toBeGreaterThan(cases.length / 20);
  });
});

test('an execution whose processes have different clocks is sequentially consistent', () => {
  const random = new Random(27);
  let lagging = 0;
  for (let i = 0; i < CLOCKS; i++) {
    const processes = 2 + random.below(5);
    const offsets = Array.from({ length: processes }, () => random.below(40));
    const state = new Map<string, number>();
    const builder = new HistoryBuilder();
    for (let time = 0; time < 120; time++) {
      const process = random.below(processes);
      const key = random.pick(['x', 'y', 'z']);
      const isWrite = random.below(5) < 2;
      const value = isWrite ? time : (state.get(key) ?? null);
      if (isWrite) state.set(key, time);
      builder.operation({
        process: `P${process}`,
        method: isWrite ? 'put' : 'get',
        args: isWrite ? [key, value] : [key],
        outcome: { kind: 'returned', value: isWrite ? undefined : value },
        call: time + offsets[process],
        return: time + offsets[process] + 0.5,
      });
    }
    const { sequential, parts } = measureConsistency(builder.finish(), map());
    expect(sequential.kind).toBe('holds');
    if (parts.violations.length > 0) lagging++;
  }
  expect(lagging).toBeGreaterThan(CLOCKS / 2);
});

/** Is there an order that respects real time, in which each read returns one of the k latest values? */
function isAtomicUpTo(rows: readonly Row[], k: number): boolean {
  const go = (left: readonly Row[], written: readonly (number | null)[]): boolean =>
    left.every((row) => row.return === NEVER) ||
    left.some((row) => {
      if (left.some((other) => other !== row && precedes(other, row))) return false;
      if (row.kind === 'read' && !written.slice(-k).includes(row.value)) return false;
      return go(
        left.filter((other) => other !== row),
        row.kind === 'write' ? [...written, row.value] : written,
      );
    });
  return go(rows, [null]);
}

describe('containers of distinct values', () => {
  const random = new Random(28);
  const cases = Array.from({ length: QUEUES }, () => {
    const initial = random.below(2) === 0 ? [] : [100, 101];
    const rows = intervals(random, 3 + random.below(5), 3);
    const kinds = rows.map(() => random.below(2) === 0);
    const values = [null, ...initial, ...rows.map((_, own) => own).filter((own) => kinds[own])];
    const calls = rows.map((row, own) => ({
      ...row,
      isAdd: kinds[own],
      value: kinds[own] ? own : random.pick(values),
    }));
    const build = (add: string, remove: string, object: string | undefined): History => {
      const builder = new HistoryBuilder();
      for (const { process, isAdd, value, call, return: end } of calls)
        builder.operation({
          process,
          object,
          method: isAdd ? add : remove,
          args: isAdd ? [value] : [],
          outcome:
            end === NEVER ? { kind: 'pending' } : { kind: 'returned', value: isAdd ? undefined : value },
          call,
          ...(end !== NEVER && { return: end }),
        });
      return builder.finish();
    };
    return { calls, initial, build };
  });
  type Call = (typeof cases)[number]['calls'][number];

  /** Has it an order? `take` gives the value that a removal takes, and what is left. */
  const hasContainerOrder = (
    left: readonly Call[],
    content: readonly (number | null)[],
    isStack: boolean,
  ): boolean =>
    left.every((row) => row.return === NEVER) ||
    left.some((row) => {
      if (left.some((other) => other !== row && other.return < row.call)) return false;
      const top = (isStack ? content.at(-1) : content[0]) ?? null;
      if (!row.isAdd && row.return !== NEVER && top !== row.value) return false;
      const rest = left.filter((other) => other !== row);
      if (row.isAdd) return hasContainerOrder(rest, [...content, row.value], isStack);
      return hasContainerOrder(rest, isStack ? content.slice(0, -1) : content.slice(1), isStack);
    });

  test('a queue with initial values and without pending removals has a faulty value exactly if it has no order', () => {
    let faulty = 0;
    for (const { calls, initial, build } of cases) {
      if (calls.some((row) => !row.isAdd && row.return === NEVER)) continue;
      const { values } = measureConsistency(build('enqueue', 'dequeue', undefined), queue({ initial }), {
        brief: true,
      });
      const isFaulty = Object.values(values ?? {}).some((own) => own.length > 0);
      expect(isFaulty, JSON.stringify({ calls, initial })).toBe(!hasContainerOrder(calls, initial, false));
      if (isFaulty && initial.length > 0) faulty++;
    }
    expect(faulty).toBeGreaterThan(QUEUES / 20);
  });

  test('each faulty value of a stack is a contradiction by itself, and those removed from below are all found', () => {
    const counts = new Map<string, number>();
    for (const { calls, initial, build } of cases) {
      const history = build('push', 'pop', 'inner');
      const { values } = measureConsistency(history, stack({ initial }), { brief: true });
      if (values === undefined) throw new Error('not measured');
      const called = [...calls].sort((a, b) => a.call - b.call);
      for (const [kind, found] of Object.entries(values)) {
        if (found.length > 0) counts.set(kind, (counts.get(kind) ?? 0) + 1);
        if (found.length > 0)
          expect(hasContainerOrder(calls, initial, true), `${kind} ${JSON.stringify(calls)}`).toBe(false);
      }
      const open = called.find((row) => !row.isAdd && row.return === NEVER);
      const valuesOf = [...initial, ...called.filter((row) => row.isAdd).map((row) => row.value as number)];
      const life = (value: number) => {
        const put = called.find((row) => row.isAdd && row.value === value);
        // of several removals, the first that returns counts; one that returns before the push is invented
        const take = [...called]
          .sort((a, b) => a.return - b.return)
          .find((row) => !row.isAdd && row.value === value && row.return > (put?.call ?? -1));
        const place = initial.indexOf(value) - initial.length;
        const isReal = take !== undefined && take.return !== NEVER;
        return {
          putCall: put ? put.call : place,
          putReturn: put ? put.return : place,
          takeCall: isReal ? take.call : (open?.call ?? NEVER),
          takeReturn: isReal ? take.return : NEVER,
          isReal,
          taken: isReal ? calls.indexOf(take) : undefined,
        };
      };
      const expected = valuesOf
        .map((value) => {
          const own = life(value);
          const above = valuesOf.filter((other) => {
            const w = life(other);
            return (
              w.putCall > own.putReturn &&
              w.putReturn < own.takeCall &&
              own.takeReturn < w.takeCall &&
              own.isReal
            );
          });
          return { value, by: above.length, taken: own.taken };
        })
        .filter(({ by }) => by > 0);
      expect(
        values.fromBelow.map(({ value, by, taken }) => ({ value, by, taken })),
        JSON.stringify({ calls, initial }),
      ).toEqual(expected);
      const again = calls.flatMap((row, own) => {
        const { putCall, taken } = life(row.value as number);
        const isRemoval = !row.isAdd && row.value !== null && row.return !== NEVER && row.return > putCall;
        return isRemoval && taken !== own ? [own] : [];
      });
      expect([...values.duplicated].sort(), JSON.stringify({ calls, initial })).toEqual(again);
    }
    for (const kind of ['invented', 'duplicated', 'fromBelow', 'missing', 'notEmpty'])
      expect(counts.get(kind) ?? 0, kind).toBeGreaterThan(QUEUES / 100);
  });

  test('the faulty values of several queues are those of each', () => {
    for (let i = 0; i + 1 < Math.min(cases.length, 200); i += 2) {
      const builder = new HistoryBuilder();
      const alone = [cases[i], cases[i + 1]].map(({ calls }, own) => {
        const single = new HistoryBuilder();
        for (const { process, isAdd, value, call, return: end } of calls)
          for (const target of [builder, single])
            target.operation({
              process: `${own}${process}`,
              object: `q${own}`,
              method: isAdd ? 'enqueue' : 'dequeue',
              args: isAdd ? [value] : [],
              outcome:
                end === NEVER ? { kind: 'pending' } : { kind: 'returned', value: isAdd ? undefined : value },
              call: call + own / 2,
              ...(end !== NEVER && { return: end + own / 2 }),
            });
        return measureConsistency(single.finish(), queue(), { brief: true }).values;
      });
      const both = measureConsistency(builder.finish(), queue(), { brief: true }).values;
      for (const kind of ['invented', 'duplicated', 'overtaken', 'missing', 'notEmpty'] as const)
        expect(both?.[kind].length).toBe(alone.reduce((sum, own) => sum + (own?.[kind].length ?? 0), 0));
    }
  });
});

describe('each contradiction is placed at the operation whose return makes it one', () => {
  /** Random histories of distinct values. */
  function randomContainer(random: Random, [add, remove]: readonly [string, string]): History {
    const builder = new HistoryBuilder();
    const rows = intervals(random, 3 + random.below(6), 3);
    const values = [null, ...rows.keys()];
    for (const [own, { process, call, return: end }] of rows.entries()) {
      const isAdd = random.below(2) === 0;
      const value = isAdd ? undefined : random.pick(values);
      builder.operation({
        process,
        method: isAdd ? add : remove,
        args: isAdd ? [own] : [],
        outcome: end === NEVER ? { kind: 'pending' } : { kind: 'returned', value },
        call,
        ...(end !== NEVER && { return: end }),
      });
    }
    return builder.finish();
  }

  const SUBJECTS: readonly (readonly [
    string,
    Spec,
    (random: Random) => History,
    (history: History) => boolean,
  ])[] = [
    ['queue', queue() as Spec, (random) => randomContainer(random, ['enqueue', 'dequeue']), isWhole],
    ['stack', stack() as Spec, (random) => randomContainer(random, ['push', 'pop']), () => false],
    ['map', map() as Spec, (random) => randomMap(random).history, () => false],
  ];

  /** Without pending operations, a queue of distinct values has a contradiction at its first faulty return. */
  function isWhole({ columns }: History): boolean {
    return columns.return.every((moment) => Number.isSafeInteger(moment) && moment < columns.events.length);
  }

  test.each(SUBJECTS)('%s', (_, spec, create, isFirstCounted) => {
    const random = new Random(31);
    const kinds = new Set<string>();
    let first = 0;
    for (let i = 0; i < QUEUES; i++) {
      const history = create(random);
      const { contradictions } = measureConsistency(history, spec, { brief: true });
      const position = history.positionsById();
      const returns = contradictions.each.map(({ operation }) => history.columns.return[position[operation]]);
      for (const [n, { kind }] of contradictions.each.entries()) {
        kinds.add(kind);
        // just after its return, the history is not linearizable
        const { kind: verdict } = check(history.prefix(returns[n]), spec);
        if (verdict !== 'violation') throw new Error(`${kind} is placed too early\n${draw(history)}`);
      }
      const verdict = check(history, spec);
      if (returns.length === 0 || verdict.kind !== 'violation' || !isFirstCounted(history)) continue;
      const faulty = history.columns.return[position[verdict.counterexample.cause.operation]];
      if (Math.min(...returns) !== faulty) throw new Error(`placed too late\n${draw(history)}`);
      first++;
    }
    expect(kinds.size).toBeGreaterThan(1);
    expect(first > 0).toBe(isFirstCounted === isWhole);
  });
});

describe('a queue of distinct values', () => {
  const random = new Random(26);
  const cases = Array.from({ length: QUEUES }, () => {
    const rows = intervals(random, 3 + random.below(4), 3);
    const kinds = rows.map(() => random.below(2) === 0);
    const values = [null, ...rows.map((_, own) => own).filter((own) => kinds[own])];
    const calls = rows.map((row, own) => ({
      ...row,
      isAdd: kinds[own],
      value: kinds[own] ? own : random.pick(values),
    }));
    const builder = new HistoryBuilder();
    for (const { process, isAdd, value, call, return: end } of calls)
      builder.operation({
        process,
        method: isAdd ? 'enqueue' : 'dequeue',
        args: isAdd ? [value] : [],
        outcome: end === NEVER ? { kind: 'pending' } : { kind: 'returned', value: isAdd ? undefined : value },
        call,
        ...(end !== NEVER && { return: end }),
      });
    return { calls, measured: measureConsistency(builder.finish(), queue()) };
  });
  type Call = (typeof cases)[number]['calls'][number];

  const hasQueueOrder = (
    left: readonly Call[],
    before: (a: Call, b: Call) => boolean,
    content: readonly (number | null)[] = [],
  ): boolean =>
    left.every((row) => row.return === NEVER) ||
    left.some((row) => {
      if (left.some((other) => other !== row && before(other, row))) return false;
      if (!row.isAdd && row.return !== NEVER && (content[0] ?? null) !== row.value) return false;
      const rest = left.filter((other) => other !== row);
      return hasQueueOrder(rest, before, row.isAdd ? [...content, row.value] : content.slice(1));
    });

  test('without pending calls has a faulty value exactly if it is not linearizable', () => {
    let faulty = 0;
    for (const { calls, measured } of cases) {
      if (calls.some((row) => row.return === NEVER)) continue;
      const isFaulty = Object.values(measured.values ?? {}).some((own) => own.length > 0);
      expect(isFaulty, JSON.stringify(calls)).toBe(!hasQueueOrder(calls, (a, b) => a.return < b.call));
      if (isFaulty) faulty++;
    }
    expect(faulty).toBeGreaterThan(QUEUES / 10);
  });

  test('names the removal that overtook a value first', () => {
    let [found, left] = [0, 0];
    for (const { calls, measured } of cases) {
      const { overtaken = [], duplicated = [], invented = [] } = measured.values ?? {};
      // each value is removed once at most
      if (duplicated.length + invented.length > 0) continue;
      for (const { value, put, taken, overtaker } of overtaken) {
        const added = calls[put ?? -1].return;
        if (added === NEVER) continue;
        const later = calls.filter(
          (row) =>
            !row.isAdd &&
            row.return !== NEVER &&
            row.value !== value &&
            calls.some((other) => other.isAdd && other.value === row.value && other.call > added) &&
            (taken === undefined || row.return < calls[taken].call),
        );
        const first = later.reduce((best, row) => (row.return < best.return ? row : best));
        expect(overtaker, JSON.stringify(calls)).toBe(calls.indexOf(first));
        const counted = measured.contradictions.each.filter(({ kind }) => kind === 'value overtaken');
        expect(counted.map(({ operation }) => operation)).toContain(overtaker);
        found++;
        if (taken === undefined) left++;
      }
    }
    expect(found).toBeGreaterThan(QUEUES / 100);
    expect(left).toBeGreaterThan(0);
  });

  test('is sequentially consistent exactly if an order keeps that of each process', () => {
    let holds = 0;
    for (const { calls, measured } of cases) {
      const wanted = hasQueueOrder(calls, (a, b) => a.process === b.process && a.return < b.call);
      expect(measured.sequential.kind, JSON.stringify(calls)).toBe(wanted ? 'holds' : 'fails');
      if (wanted) holds++;
    }
    expect(holds).toBeGreaterThan(QUEUES / 20);
  });
});
