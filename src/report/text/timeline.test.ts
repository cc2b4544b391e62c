import { expect, test } from 'vitest';
import { Random } from '../../base/random.js';
import { HistoryBuilder } from '../../history/builder/builder.js';
import { styleOf } from './style.js';
import { drawTimeline } from './timeline.js';

const PROCESSES = ['A', 'B', 'C'];
const WORDS = 'TypeError: cannot read properties of undefined'.split(' ');

/** Calls that overlap, with errors of random length. */
function randomHistory(random: Random) {
  const builder = new HistoryBuilder();
  const open = new Map<string, number>();
  for (let i = 0; i < 16; i++) {
    const process = random.pick(PROCESSES);
    const entry = open.get(process);
    if (entry === undefined) {
      open.set(process, builder.call({ process, method: 'acquire', args: [] }));
      continue;
    }
    const words = Array.from({ length: 1 + random.below(8) }, () => random.pick(WORDS));
    builder.end(entry, { kind: 'threw', error: words.join(' ') });
    open.delete(process);
  }
  return builder.finish();
}

test('in columns, no text runs into the next column', () => {
  const random = new Random(1);
  let columns = 0;
  for (let i = 0; i < 100; i++) {
    const width = random.pick([70, 80, 100, 160]);
    const history = randomHistory(random);
    const lines = drawTimeline(history, history.at(0).id, styleOf({ width }));
    const starts = history.tables.processes.map((name) => lines[0].indexOf(name));
    if (!/^[ABC](?: +[ABC])+$/.test(lines[0])) continue;
    columns++;
    for (const line of lines) {
      expect([...line].length, lines.join('\n')).toBeLessThanOrEqual(width);
      for (const start of starts.filter((at) => at > 0))
        expect(
          [...line]
            .slice(start - 2, start)
            .join('')
            .trim(),
          lines.join('\n'),
        ).toBe('');
    }
  }
  expect(columns).toBeGreaterThan(20);
});
