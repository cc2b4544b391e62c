/**
 * Checks of histories with a clock error, against the brute-force oracle.
 *
 * The oracle decides a history whose intervals were widened by hand and in which the order of each process is given
 * pair by pair.
 */
import { describe, expect, test } from 'vitest';
import { Random } from '../../../src/base/random.js';
import { check } from '../../../src/check/check.js';
import { HistoryBuilder } from '../../../src/history/builder/builder.js';
import { draw } from '../../../src/history/drawing/sketch.js';
import type { History } from '../../../src/history/history.js';
import type { Operation } from '../../../src/history/model/operation.js';
import { subjects } from '../../support/fixtures/subjects.js';
import { randomHistory } from '../../support/generators/random-history.js';
import { isLinearizable } from '../../support/oracles/oracle.js';
import { share } from '../../support/share.js';

const HISTORIES = share(5_000, 60);
const ERRORS = ['0', '0.5', '1', '2', '3.25'];

const endOf = ({ return: end }: Operation): number | undefined =>
  end === Number.POSITIVE_INFINITY ? undefined : end;

/** Builds a recorded history with a clock error, or (`byHand`) with widened intervals and explicit process order. */
function build(history: History, error: string, byHand: boolean): History {
  const rows = [...history];
  const builder = new HistoryBuilder(byHand ? {} : { clockError: error });
  const moved = byHand ? Number(error) : 0;
  for (const row of rows) {
    const end = endOf(row);
    builder.operation({
      ...row,
      overlapping: true,
      call: row.call - moved,
      return: end === undefined ? undefined : end + moved,
    });
  }
  const { after } = history.columns;
  rows.forEach((row, k) => {
    if (after) builder.after(k, [...after.items.subarray(after.start[k], after.start[k + 1])]);
    if (!byHand || row.outcome.kind === 'failed') return;
    const earlier = rows.filter(
      (own) => own.process === row.process && own.outcome.kind !== 'failed' && own.return < row.call,
    );
    builder.after(
      k,
      earlier.map((own) => rows.indexOf(own)),
    );
  });
  if (history.stuck) builder.markStuck();
  return builder.finish();
}

describe.each(Object.entries(subjects))(
  'with a clock error, random histories of a %s',
  (_, { spec, ...subject }) => {
    test('get the verdict of the oracle on intervals widened by hand', () => {
      const random = new Random(77);
      let violations = 0;
      for (let i = 0; i < HISTORIES; i++) {
        const recorded = randomHistory({ spec, ...subject }, random, 8);
        const error = random.pick(ERRORS);
        const widened = build(recorded, error, false);
        const expected = isLinearizable(build(recorded, error, true), spec);
        const shown = `${spec.name}, ${error}\n${draw(recorded)}\n${draw(widened)}`;
        if (isLinearizable(widened, spec) !== expected)
          throw new Error(`the oracle distinguishes the two histories: ${shown}`);
        if (check(widened, spec).kind !== (expected ? 'linearizable' : 'violation'))
          throw new Error(`oracle says ${expected}: ${shown}`);
        if (!expected) violations++;
      }
      expect(violations / HISTORIES).toBeGreaterThan(0.02);
    });
  },
);
