import { describe, expect, test } from 'vitest';
import { Random } from '../base/random.js';
import { parseHistory } from '../formats/read-history.js';
import { HistoryBuilder } from '../history/builder/builder.js';
import { History } from '../history/history.js';
import { NEVER } from '../history/model/columns.js';
import { map } from '../objects/collections/map.js';
import { faultCounts } from './contradictions.js';
import { faultAnnotations, faultsAndOthers, faultsOf, idleFaults } from './faults.js';
import { measureConsistency } from './measure.js';

const at = (text: string, moment: number, until?: number) => ({
  text,
  moment,
  ...(until !== undefined && { until }),
});

describe('faults that annotations describe', () => {
  test.each([
    ['an annotation with its end', [at('n1 paused', 3, 7)], [['n1 paused', 3, 7]]],
    ['the same words and "over"', [at('n1 paused', 3), at('n1 paused over', 7)], [['n1 paused', 3, 7]]],
    ['any words and "over"', [at('a storm', 3), at('a storm over', 7)], [['a storm', 3, 7]]],
    ['the opposite verb', [at('pause n1', 3), at('resume n1', 7)], [['pause n1', 3, 7]]],
    [
      'the opposite verb of the same node only',
      [at('kill n1', 3), at('start n2', 5), at('start n1', 7)],
      [
        ['kill n1', 3, 7],
        ['start n2', 5, NEVER],
      ],
    ],
    [
      'the opposite participle',
      [
        at('n1 is paused', 3),
        at('n2 resumed', 5),
        at('n1 resumed', 7),
        at('n1 is killed', 8),
        at('n1 is back', 9),
      ],
      [
        ['n1 is paused', 3, 7],
        ['n1 is killed', 8, 9],
      ],
    ],
    ['a fault that nothing ends', [at('partition a b', 3)], [['partition a b', 3, NEVER]]],
    ['an instant', [at('a leader was elected', 3)], []],
    [
      'calls and completions of the nemesis',
      [
        at('nemesis start-partition', 2),
        at('nemesis start-partition {"isolated":"n1"}', 3),
        at('nemesis stop-partition', 6),
        at('nemesis stop-partition "healed"', 7),
        at('nemesis start-partition', 9),
      ],
      [
        ['nemesis start-partition', 2, 7],
        ['nemesis start-partition', 9, NEVER],
      ],
    ],
    [
      'the nemesis kills and starts',
      [at('nemesis kill', 2), at('nemesis start', 6), at('nemesis kill', 8), at('nemesis start', 9)],
      [
        ['nemesis kill', 2, 6],
        ['nemesis kill', 8, 9],
      ],
    ],
  ])('%s', (_, annotations, expected) => {
    expect(faultsOf(annotations).map(({ name, from, until }) => [name, from, until])).toEqual(expected);
  });

  test('annotations that neither begin nor end a fault are kept apart', () => {
    const annotations = [
      at('a storm', 1),
      at('leader elected', 2),
      at('nemesis kill n1', 3),
      at('a storm over', 4),
      at('nemesis kill n1 done', 5),
      at('nemesis start n1', 6),
    ];
    const { faults, others } = faultsAndOthers(annotations);
    expect(faults).toEqual([
      { name: 'a storm', text: 'a storm', from: 1, until: 4 },
      { name: 'nemesis kill', text: 'nemesis kill n1', from: 3, until: 6 },
    ]);
    expect(others).toEqual([annotations[1]]);
  });
});

describe('contradictions during faults', () => {
  /** B reads the old value of x in the rounds of `stale`. */
  const history = (stale: readonly number[], fault: readonly [from: number, until: number]) => {
    const builder = new HistoryBuilder({ keepTimes: true });
    for (let round = 0; round < 10; round++) {
      const time = 100 * round;
      builder.operation({
        process: 'A',
        method: 'put',
        args: ['x', round],
        outcome: { kind: 'returned', value: undefined },
        call: time,
        return: time + 10,
      });
      builder.operation({
        process: 'B',
        method: 'get',
        args: ['x'],
        outcome: { kind: 'returned', value: stale.includes(round) ? round - 1 : round },
        call: time + 20,
        return: time + 30,
      });
    }
    builder.annotate('replica paused', ...fault);
    return builder.finish();
  };

  test('those called before its end and after its start are within it', () => {
    const { contradictions } = measureConsistency(history([4, 5, 8], [400, 599]), map());
    expect(contradictions.faults).toEqual([
      {
        fault: 'replica paused',
        times: 1,
        operations: 4,
        counts: [{ kind: 'stale read', total: 3, within: 2 }],
      },
    ]);
    expect(contradictions.overTime).toEqual([0, 0, 0, 0, 1, 1, 0, 0, 1, 0]);
    expect(contradictions.byPart).toEqual([{ part: 'x', count: 3 }]);
  });

  test('an operation with several contradictions counts once in its part and in its tenth', () => {
    const builder = new HistoryBuilder();
    const add = (process: string, method: string, args: unknown[], value: unknown, call: number) =>
      builder.operation({
        process,
        method,
        args,
        outcome: { kind: 'returned', value },
        call,
        return: call + 1,
      });
    add('A', 'put', ['x', 1], undefined, 0);
    add('A', 'put', ['x', 2], undefined, 2);
    add('B', 'get', ['x'], 2, 4);
    add('B', 'get', ['x'], 1, 6);
    const { contradictions } = measureConsistency(builder.finish(), map());
    expect(contradictions.each).toEqual([
      { kind: 'stale read', operation: 3, part: 'x' },
      { kind: 'broken session guarantee', operation: 3, part: 'x' },
    ]);
    expect(contradictions.byPart).toEqual([{ part: 'x', count: 1 }]);
    expect(contradictions.overTime).toEqual([0, 0, 0, 0, 0, 0, 0, 1, 0, 0]);
  });

  test('a fault of another file has the times of the history', () => {
    const read = history([4], [0, 0]);
    const faults = faultAnnotations(read, [{ text: 'slow', at: '400', until: '420', isDated: false }]);
    // the read of round 4 is called at 420, so at its end
    expect(faults).toEqual({ annotations: [{ text: 'slow', moment: 16, until: 18 }], endless: [] });
    expect(() =>
      faultAnnotations(new HistoryBuilder().finish(), [
        { text: 'x', at: '1', until: undefined, isDated: false },
      ]),
    ).toThrow('--faults needs the times');
  });

  test.each([
    ['numbers', '{"process":"A","method":"put","args":["x",1],"call":1,"return":2}'],
    ['numbers', '{:process 0, :type :invoke, :f :read, :value nil, :time 5}'],
    [
      'dates',
      '{"process":"A","method":"get","args":["x"],"call":"2026-03-01T12:00:00Z","return":"2026-03-01T12:00:01Z"}',
    ],
  ])('a fault must have times of the same clock: %s', (kind, text) => {
    const read = parseHistory(text, { keepTimes: true });
    const fault = (isDated: boolean) => ({ text: 'slow', at: '1', until: '2', isDated });
    expect(() => faultAnnotations(read, [fault(kind === 'dates')])).not.toThrow();
    expect(() => faultAnnotations(read, [fault(kind !== 'dates')])).toThrow(
      `the time of "slow" is a ${kind === 'dates' ? 'number' : 'date'}, but the times of the history are ${kind}; expected one clock`,
    );
  });

  test('a fault without operations is named', () => {
    const fault = (text: string, at: number, until: number) => ({
      text,
      at: String(at),
      until: String(until),
      isDated: false,
    });
    const faults = [fault('late', 5000, 6000), fault('slow', 400, 420), fault('slow', 7000, 8000)];
    const read = history([4], [0, 0]);
    const { columns, tables } = read;
    const annotated = new History(
      columns,
      tables,
      [...read.annotations, ...faultAnnotations(read, faults).annotations],
      false,
    );
    expect(idleFaults(annotated, faults)).toEqual(['late']);
  });

  test('in a file of faults, everything is one; what nothing ends lasts until the end and is named', () => {
    const read = history([4], [0, 0]);
    const fault = (text: string, at: number) => ({ text, at: String(at), until: undefined, isDated: false });
    const faults = [
      fault('clock skew n1', 700),
      fault('pause n2', 100),
      fault('resume n2', 205),
      fault('n3 lost power', 0),
      fault('n3 lost power over', 405),
      fault('resume n4', 905),
    ];
    expect(faultAnnotations(read, faults)).toEqual({
      annotations: [
        { text: 'n3 lost power', moment: 0, until: 17 },
        { text: 'pause n2', moment: 4, until: 9 },
        { text: 'clock skew n1', moment: 28, until: 40 },
        { text: 'resume n4', moment: 37, until: 40 },
      ],
      endless: ['clock skew n1', 'resume n4'],
    });
  });

  test('no fault of a file is dropped, whatever its words', () => {
    const random = new Random(5);
    const read = history([4], [0, 0]);
    const words = [
      'n1',
      'skew',
      'pause',
      'resume',
      'over',
      'nemesis',
      'start',
      'stop',
      'is',
      'killed',
      'power',
    ];
    for (let round = 0; round < 500; round++) {
      const given = Array.from({ length: 1 + random.below(5) }, () => ({
        text: Array.from({ length: 1 + random.below(3) }, () => random.pick(words)).join(' '),
        at: String(random.below(1000)),
        until: undefined,
        isDated: false,
      }));
      const { annotations, endless } = faultAnnotations(read, given);
      const counted = faultCounts(new History(read.columns, read.tables, annotations, false));
      const names = counted.map(({ fault }) => fault);
      expect(new Set(annotations.map(({ text }) => text))).toEqual(new Set(names));
      const first = given.reduce((a, b) => (Number(b.at) < Number(a.at) ? b : a));
      expect(names, JSON.stringify(given)).toContain(first.text);
      // each begins a fault, or is inside one with its words, or ends one
      for (const { text, at } of given) {
        const isKnown = names.includes(text) || annotations.some(({ until }) => until !== undefined);
        expect(isKnown, `${text} at ${at}`).toBe(true);
      }
      for (const name of endless) expect(names).toContain(name);
    }
  });
});
