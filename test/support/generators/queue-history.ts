/** Histories of a queue given by intervals, as in papers, and random ones with few values. */
import type { Random } from '../../../src/base/random.js';
import { HistoryBuilder } from '../../../src/history/builder/builder.js';
import type { History } from '../../../src/history/history.js';
import type { Outcome } from '../../../src/history/model/operation.js';

/** `enqueue(value)` or `dequeue() -> value` (null: empty) with the times of its call and return; pending if there is no return. */
export type QueueCall = readonly [
  method: 'enqueue' | 'dequeue',
  value: number | null,
  call: number,
  end?: number,
];

export function queueHistory(calls: readonly QueueCall[]): History {
  const builder = new HistoryBuilder();
  calls.forEach(([method, value, call, end], i) => {
    const isAdd = method === 'enqueue';
    const outcome: Outcome =
      end === undefined ? { kind: 'pending' } : { kind: 'returned', value: isAdd ? undefined : value };
    builder.operation({
      process: String(i),
      method,
      args: isAdd ? [value] : [],
      outcome,
      call,
      return: end,
    });
  });
  return builder.finish();
}

/** A random history in which one dequeue may have the result of another, and some calls are pending. */
export function randomQueueHistory(random: Random, most: number): History {
  const pending = random.pick([0, 5, 30]);
  const length = 3 + random.below(most - 2);
  const values = 1 + random.below(3);
  const longest = 9 + random.below(30);
  const drafts = Array.from({ length }, () => {
    const call = random.below(6 * length);
    const end = call + 1 + random.below(longest);
    const method: QueueCall[0] = random.pick(['enqueue', 'dequeue']);
    return { method, value: random.below(values), call, end, point: call + random.below(end - call) };
  });

  // run a queue through them, in the order of their points
  const items: number[] = [];
  const calls = drafts
    .sort((a, b) => a.point - b.point)
    .map(({ method, value, call, end }): QueueCall => {
      const answer = method === 'dequeue' ? (items.shift() ?? null) : value;
      if (method === 'enqueue') items.push(value);
      return random.withProbability(pending) ? [method, answer, call] : [method, answer, call, end];
    });

  const dequeues = calls.filter(([method]) => method === 'dequeue');
  if (dequeues.length === 0 || random.withProbability(40)) return queueHistory(calls);
  const [changed, [, answer]] = [random.pick(dequeues), random.pick(dequeues)];
  return queueHistory(
    calls.map((own) => (own === changed ? [own[0], answer, ...(own.slice(2) as [number, number?])] : own)),
  );
}
