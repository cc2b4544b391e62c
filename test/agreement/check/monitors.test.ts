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
import { agreed } from '../../support/oracles/monitored.js';
import { share } from '../../support/share.js';

const HISTORIES = Number(process.env.MONITORS ?? share(200_000, 1_500));

describe.each(Object.entries(MONITORED))('random histories of a %s', (_, subject) => {
  test('get the verdict of the oracle, with evidence', () => {
    const random = new Random(4);
    const counts = { yes: 0, no: 0, aside: 0 };
    for (let i = 0; i < HISTORIES; i++) {
      const said = agreed(randomHistory({ ...subject, plain: true }, random, 10), subject.spec);
      counts[said === 'aside' ? 'aside' : said ? 'yes' : 'no']++;
    }
    expect(counts.yes / HISTORIES).toBeGreaterThan(0.1);
    expect(counts.no / HISTORIES).toBeGreaterThan(subject.wrong ?? 0.05);
    expect(counts.aside / HISTORIES).toBeLessThanOrEqual(subject.aside ?? 0.2);
  });
});
