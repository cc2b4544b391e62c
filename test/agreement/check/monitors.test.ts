/**
 * Monitors on random histories, against the brute-force oracle.
 *
 * Their evidence is verified too: witnesses replay, causes are confirmed, and no core is linearizable.
 * `npm run test:nightly` checks 200,000 histories of each object; a plain test run a share.
 */
import { describe, expect, test } from 'vitest';
import { Random } from '../../../src/base/random.js';
import { MONITORED } from '../../support/fixtures/monitored-subjects.js';
import { randomHistory } from '../../support/generators/random-history.js';
import { expectOracleVerdict } from '../../support/oracles/monitored.js';
import { share } from '../../support/share.js';

const HISTORIES = Number(process.env.MONITORS ?? share(200_000, 1_500));

describe.each(Object.entries(MONITORED))('random histories of a %s', (_, subject) => {
  test('get the verdict of the oracle, with evidence', () => {
    const random = new Random(4);
    const counts = { linearizable: 0, violation: 0, declined: 0 };
    for (let i = 0; i < HISTORIES; i++) {
      const expected = expectOracleVerdict(
        randomHistory({ ...subject, plain: true }, random, 10),
        subject.spec,
      );
      counts[expected === 'declined' ? 'declined' : expected ? 'linearizable' : 'violation']++;
    }
    expect(counts.linearizable / HISTORIES).toBeGreaterThan(0.1);
    expect(counts.violation / HISTORIES).toBeGreaterThan(subject.minViolations ?? 0.05);
    expect(counts.declined / HISTORIES).toBeLessThanOrEqual(subject.maxDeclined ?? 0.2);
  });
});
