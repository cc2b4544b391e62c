import { type Scenario, sketch } from 'straightedge';
import { type Queue, queue } from 'straightedge/objects';
import { everySchedule, testScenario } from 'straightedge/vitest';
import { expect } from 'vitest';

declare const seats: Scenario;
expect(sketch<Queue<number>>`A |- enqueue(1) -|`).toBeLinearizable(queue<number>());
expect(sketch<Queue<number>>`A |- enqueue(1) -|`).not.toBeLinearizable(queue<number>(), { maxSteps: 9 });
const held: Promise<void> = expect(seats).toHold({ timeout: '5s', coverage: 'exhaustive' });
testScenario('seats', seats);
everySchedule(
  'typed',
  async ({ spawn, stub, settled }) => {
    const load = stub('load', async (key: string) => key.length);
    const length: number = await spawn('A', () => load('a'));
    const [one, other]: [number, string] = await Promise.all([
      spawn(() => length),
      spawn('B', async () => 'b'),
    ]);
    await settled();
    // @ts-expect-error the key is a text
    await load(one);
    expect(other).toBe('b');
  },
  { timeout: '5s', maxExecutions: 9, failures: 1, strict: true, coverage: 'exhaustive' },
);
// @ts-expect-error there is no such coverage
const wrong: Promise<void> = expect(seats).toHold({ coverage: 'some' });

export { held, wrong };
