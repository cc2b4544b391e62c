/** A search helper: takes parts until none is left, then searches the part that the check itself searches. */
import { workerData } from 'node:worker_threads';
import type { Spec } from '../../spec/spec.js';
import { Budget } from '../model/budget.js';
import type { Part } from '../parts/parts.js';
import { partsOf, type SpecOf } from '../parts/parts.js';
import type { SearchName } from '../search/choose-search.js';
import { PartCheck, type PartResult } from './part-check.js';
import { type Assignment, CONTROL, type HelperMessage, restoreHistory, type SentResult } from './protocol.js';

const assignment = workerData as Assignment;
const { control, port } = assignment;
try {
  await work();
} finally {
  post({ kind: 'finished' });
  port.close();
}

async function work(): Promise<void> {
  const history = restoreHistory(assignment.history);
  if (!history) return;
  const { specs } = (await import(assignment.specModule)) as {
    specs: (data: unknown) => Promise<Spec | SpecOf>;
  };
  const spec = await specs(assignment.specData);
  const parts = partsOf(history, typeof spec === 'function' ? spec : () => spec, {
    monitors: assignment.monitors,
  });
  for (;;) {
    const task = Atomics.add(control, CONTROL.next, 1);
    if (task >= assignment.tasks.length) break;
    const number = assignment.tasks[task];
    search(parts[number], number, assignment.searches, () => false);
  }
  const current = Atomics.load(control, CONTROL.current);
  const isDecided = () => Atomics.load(control, CONTROL.current) !== current;
  if (current >= 0 && assignment.rivals.length > 0)
    search(parts[current], current, assignment.rivals, isDecided);
}

/** Reports a decision only: the check itself resumes what stays undecided here. */
function search(
  part: Part,
  number: number,
  searches: readonly SearchName[],
  isOvertaken: () => boolean,
): void {
  const { timeout, maxMemory, limitsProcess } = assignment.share;
  const budget = new Budget({
    timeout,
    maxMemory,
    processMemory: limitsProcess ? { resident: () => process.memoryUsage.rss() } : undefined,
    shouldStop: () => {
      Atomics.add(control, CONTROL.beats + assignment.helper, 1);
      return Atomics.load(control, CONTROL.stop) !== 0;
    },
  });
  const result = new PartCheck(part, {
    searches,
    budget,
    onViolation: (violation) => post({ kind: 'violation', violation }),
    machineBytes: () => part.objectMachine.bytes,
  }).run({ isOvertaken });
  if (typeof result === 'string' || result.kind === 'undecided') return;
  const { steps, configurations } = budget;
  post({
    kind: 'result',
    part: number,
    result: toSent(result),
    steps,
    configurations,
    searches: [...budget.searches],
  });
}

function toSent(result: PartResult): SentResult {
  if (result.kind !== 'violation') return result;
  const { refutation } = result;
  return { kind: 'violation', refutation: { ...refutation, core: refutation.core.columns.id } };
}

function post(message: HelperMessage): void {
  port.postMessage(message);
  Atomics.add(control, CONTROL.messages, 1);
  Atomics.notify(control, CONTROL.messages);
}
