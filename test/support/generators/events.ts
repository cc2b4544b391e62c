/**
 * Generates small random event streams of an object from a seed, and converts prefixes of them to histories.
 *
 * Operations are called, take effect and return in a random order; the spec gives their outcomes. Some end as unknown
 * or failed, whether they took effect or not. Some take effect in an earlier state, or their effect is lost.
 */
import type { Random } from '../../../src/base/random.js';
import { HistoryBuilder } from '../../../src/history/builder/builder.js';
import type { History } from '../../../src/history/history.js';
import type { EndEvent, HistoryEvent, Outcome } from '../../../src/history/model/operation.js';
import type { Spec } from '../../../src/spec/spec.js';
import { choices } from '../oracles/oracle.js';

export const call = (process: string, method: string, ...args: unknown[]): HistoryEvent => ({
  type: 'call',
  process,
  method,
  args,
});
export const end = (process: string, result?: unknown): HistoryEvent => ({ type: 'return', process, result });

/** A call to choose from; a function receives the number of calls so far, to give values that are never repeated. */
type CallOf = readonly [method: string, ...args: unknown[]];
export interface EventSubject {
  readonly spec: Spec;
  readonly calls: readonly (CallOf | ((n: number) => CallOf))[];
}

interface Running {
  readonly id: number;
  readonly process: string;
  readonly method: string;
  readonly args: readonly unknown[];
  outcome?: Outcome;
}

/** Rates of wrong and of lost effects per 1,000; each stream uses one of them. And how many calls overlap at most. */
interface Faults {
  readonly wrong: readonly number[];
  readonly lost: readonly number[];
  readonly atOnce?: number;
}

export function randomEvents(
  { spec, calls }: EventSubject,
  random: Random,
  most: number,
  faults: Faults = { wrong: [0, 100, 400], lost: [0, 0, 80] },
): HistoryEvent[] {
  const length = 3 + random.below(most - 2);
  const atOnce = 1 + random.below(faults.atOnce ?? 4);
  const wrong = random.pick(faults.wrong);
  const lost = random.pick(faults.lost);
  const events: HistoryEvent[] = [];
  let running: Running[] = [];
  let state = spec.initial;
  const states = [state];
  let called = 0;
  for (let turns = 0; turns < 20 * length && (called < length || running.length > 0); turns++) {
    const one = random.below(3);
    if (one === 0 && called < length && running.length < atOnce) {
      const chosen = random.pick(calls);
      const [method, ...args] = typeof chosen === 'function' ? chosen(called) : chosen;
      const operation: Running = { id: called++, process: String(random.below(3)), method, args };
      running.push(operation);
      events.push({ type: 'call', process: operation.process, method, args, id: operation.id });
      continue;
    }
    if (running.length === 0) continue;
    const operation = random.pick(running);
    const { process, id } = operation;
    if (random.below(1000) < lost) {
      events.push(
        random.withProbability(50) ? { type: 'failed', process, id } : { type: 'unknown', process, id },
      );
      running = running.filter((other) => other !== operation);
    } else if (!operation.outcome) {
      const isWrong = random.below(1000) < wrong;
      const possible = choices(spec, isWrong ? random.pick(states) : state, operation);
      if (possible.length === 0) continue;
      const choice = random.pick(possible);
      if (!isWrong || random.withProbability(50)) state = choice.next;
      states.push(state);
      operation.outcome = choice.outcome;
    } else if (one === 2) {
      events.push({ process, id, ...endOf(operation.outcome) } as EndEvent);
      running = running.filter((other) => other !== operation);
    }
  }
  return events;
}

function endOf(outcome: Outcome): Record<string, unknown> {
  return outcome.kind === 'threw'
    ? { type: 'throw', threw: outcome.error }
    : { type: 'return', result: outcome.kind === 'returned' ? outcome.value : undefined };
}

/** The history of the first `length` events. */
export function prefixOf(events: readonly HistoryEvent[], length: number): History {
  const builder = new HistoryBuilder();
  const entries = new Map<string | number | undefined, number>();
  for (const event of events.slice(0, length)) {
    if (event.type === 'call') {
      const { process, method, args, id } = event;
      entries.set(id, builder.call({ process, method, args, overlapping: true }));
    } else builder.end(entries.get(event.id) as number, outcomeOf(event));
  }
  return builder.finish();
}

export function outcomeOf(event: EndEvent): Outcome {
  switch (event.type) {
    case 'return':
      return { kind: 'returned', value: event.result };
    case 'throw':
      return { kind: 'threw', error: event.threw };
    case 'failed':
      return { kind: 'failed' };
    case 'unknown':
      return { kind: 'pending' };
  }
}
