import { type Scenario, sketch } from 'straightedge';
import { type Queue, queue } from 'straightedge/objects';
import { testScenario } from 'straightedge/vitest';
import { expect } from 'vitest';

declare const seats: Scenario;
expect(sketch<Queue<number>>`A |- enqueue(1) -|`).toBeLinearizable(queue<number>());
expect(sketch<Queue<number>>`A |- enqueue(1) -|`).not.toBeLinearizable(queue<number>(), { maxSteps: 9 });
const held: Promise<void> = expect(seats).toHold({ timeout: '5s', coverage: 'exhaustive' });
testScenario('seats', seats);
// @ts-expect-error there is no such coverage
const wrong: Promise<void> = expect(seats).toHold({ coverage: 'some' });

export { held, wrong };
