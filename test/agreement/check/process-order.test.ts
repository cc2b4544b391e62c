/**
 * Histories of coarse clocks, against the brute-force oracle: the operations of a process are ordered as the process
 * made them, and operations of different processes at the same time overlap.
 *
 * The reference history states the order of each process pair by pair; the oracle tries every linearization.
 */
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import { Random } from '../../../src/base/random.js';
import { stringify } from '../../../src/base/values/json-values.js';
import { check } from '../../../src/check/check.js';
import { verifyWitness } from '../../../src/check/verify-witness.js';
import { parseHistory } from '../../../src/formats/read-history.js';
import { HistoryBuilder, type TimedOperation } from '../../../src/history/builder/builder.js';
import { draw } from '../../../src/history/drawing/sketch.js';
import type { History } from '../../../src/history/history.js';
import { FAILED } from '../../../src/history/model/columns.js';
import type { Operation } from '../../../src/history/model/operation.js';
import { subjects } from '../../support/fixtures/subjects.js';
import { randomHistory } from '../../support/generators/random-history.js';
import { isLinearizable } from '../../support/oracles/oracle.js';
import { share } from '../../support/share.js';

const HISTORIES = share(5_000, 40);
/** Numbers of events that have the same time. */
const TICKS = [2, 4, 7, 1_000];

/** Assigns each operation to a process without an open call. */
function assignProcesses(history: History, random: Random): Operation[] {
  const until: number[] = [];
  return Array.from(history, (operation) => {
    const free = until.flatMap((end, process) => (end < operation.call ? [process] : []));
    const process = free.length > 0 && random.withProbability(80) ? random.pick(free) : until.length;
    // a caller may give up, and call again
    until[process] = Math.min(operation.return, operation.call);
    if (operation.return !== Number.POSITIVE_INFINITY) until[process] = operation.return;
    return { ...operation, process: `p${process}` };
  });
}

/** The operations in the order of a file: by call, by return, or process by process. */
function inFileOrder(rows: readonly Operation[], random: Random): Operation[] {
  const order = random.pick(['call', 'return', 'process']);
  if (order === 'call') return [...rows];
  if (order === 'return')
    return rows.toSorted((a, b) => Math.min(a.return, 1e9 + a.call) - Math.min(b.return, 1e9 + b.call));
  return rows.toSorted((a, b) => (a.process < b.process ? -1 : a.process > b.process ? 1 : a.call - b.call));
}

const coarse = ({ id: _, call, return: end, ...row }: Operation, tick: number): TimedOperation => ({
  ...row,
  call: Math.floor(call / tick),
  return: end === Number.POSITIVE_INFINITY ? undefined : Math.floor(end / tick),
});

/** The reference: each operation has its own process, and `after` states the order of each recorded process. */
function byHand(rows: readonly Operation[], tick: number, error: number): History {
  const builder = new HistoryBuilder();
  rows.forEach((row, k) => {
    const { call, return: end, ...operation } = coarse(row, tick);
    builder.operation({
      ...operation,
      process: `${row.process}.${k}`,
      call: Number(call) - error,
      return: end === undefined ? undefined : Number(end) + error,
    } as TimedOperation);
  });
  rows.forEach((row, k) => {
    if (row.outcome.kind === 'failed') return;
    const tickOf = (moment: number) => Math.floor(moment / tick);
    // the position of a pending operation in a file gives no order
    const isKnown = (own: Operation) => row.outcome.kind !== 'pending' || tickOf(own.call) < tickOf(row.call);
    const isBefore = (own: Operation) =>
      own.process === row.process && own.outcome.kind !== 'failed' && own.return < row.call && isKnown(own);
    builder.after(
      k,
      rows.flatMap((own, i) => (isBefore(own) ? [i] : [])),
    );
  });
  return builder.finish((entry) => entry + 1);
}

/** Every method of building a history from these rows. */
const BUILDS: Readonly<Record<string, (rows: readonly TimedOperation[], error: number) => History>> = {
  builder: (rows, error) => {
    const builder = new HistoryBuilder(error === 0 ? {} : { clockError: error });
    for (const row of rows) builder.operation(row);
    return builder.finish((entry) => entry + 1);
  },
  'JSON lines': (rows, error) => parseRows(rows, error),
  'JSON lines with ids': (rows, error) => parseRows(rows, error, (id) => ({ id })),
};

function parseRows(
  rows: readonly TimedOperation[],
  error: number,
  idOf = (_: number): object => ({}),
): History {
  const lines = rows.map(({ outcome, return: end, ...row }, i) =>
    stringify({
      ...row,
      ...idOf(i),
      ...(end !== undefined && { return: end }),
      ...(outcome.kind === 'returned' && { result: outcome.value ?? null }),
      ...(outcome.kind === 'threw' && { threw: outcome.error }),
      ...(outcome.kind === 'failed' && { failed: true }),
    }),
  );
  return parseHistory(lines.join('\n'), error === 0 ? {} : { clockError: String(error) });
}

/** The pairs of rows that are ordered, by time, by `after`, or by a chain of both. */
function orderOf(history: History): string[] {
  const { lines = [] } = history.tables;
  const { id, status, after } = history.columns;
  const happened = Array.from(id.keys()).filter((k) => status[k] !== FAILED);
  const isBefore = new Set<string>();
  for (const a of happened)
    for (const b of happened)
      if (history.precedes(a, b) || after?.items.subarray(after.start[b], after.start[b + 1]).includes(a))
        isBefore.add(`${lines[id[a]]} ${lines[id[b]]}`);
  const rows = happened.map((k) => lines[id[k]]);
  for (const via of rows)
    for (const a of rows)
      for (const b of rows)
        if (isBefore.has(`${a} ${via}`) && isBefore.has(`${via} ${b}`)) isBefore.add(`${a} ${b}`);
  return [...isBefore].sort();
}

let [checked, violations, hidden] = [0, 0, 0];

describe.each(Object.entries(subjects))('a coarse clock and random histories of a %s', (_, subject) => {
  test('the verdict is that of the oracle, however the history is built', () => {
    const { spec } = subject;
    const random = new Random(5);
    for (let i = 0; i < HISTORIES; i++) {
      const rows = inFileOrder(assignProcesses(randomHistory(subject, random, 8), random), random);
      const tick = random.pick(TICKS);
      const error = random.pick([0, 0, 0, 1]);
      const reference = byHand(rows, tick, error);
      const order = orderOf(reference);
      const expected = isLinearizable(reference, spec);
      if (!expected) violations++;
      checked++;
      for (const [name, build] of Object.entries(BUILDS)) {
        const history = build(
          rows.map((row) => coarse(row, tick)),
          error,
        );
        const complain = (what: string) =>
          new Error(
            `${name}: ${what}: ${spec.name}, tick ${tick}, error ${error}\n${draw(reference)}\n${draw(history)}`,
          );
        if (!isDeepStrictEqual(orderOf(history), order)) throw complain('the precedence differs');
        const verdict = check(history, spec);
        if (verdict.kind !== (expected ? 'linearizable' : 'violation'))
          throw complain(`the oracle says ${expected}`);
        if (verdict.kind === 'linearizable')
          expect(verifyWitness(history, spec, verdict.witness)).toBeUndefined();
        if (name === 'builder' && history.columns.after) hidden++;
      }
    }
  });
});

test('enough of them are violations, and enough need `after` to express their precedence', () => {
  expect(violations / checked).toBeGreaterThan(0.02);
  expect(hidden / checked).toBeGreaterThan(0.05);
});
