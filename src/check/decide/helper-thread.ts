/** A thread of a crew: takes parts until none is left, then searches the one that the check is busy with. */
import { workerData } from 'node:worker_threads';
import { unshare } from '../../history/shared.js';
import type { Spec } from '../../spec/spec.js';
import { Budget } from '../model/budget.js';
import type { Part } from '../parts/part.js';
import { partsOf, type SpecOf } from '../parts/parts.js';
import type { SearchName } from '../search/choose-search.js';
import { type Finding, type Found, PartCheck } from './part-check.js';
import { type Assignment, CONTROL, type Report, type ToldFinding } from './protocol.js';

const assignment = workerData as Assignment;
const { control, port } = assignment;
try {
  await work();
} finally {
  post({ kind: 'left' });
  port.close();
}

async function work(): Promise<void> {
  const history = unshare(assignment.history);
  if (!history) return;
  const { specs } = (await import(assignment.module)) as {
    specs: (data: unknown) => Promise<Spec | SpecOf>;
  };
  const spec = await specs(assignment.data);
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
  const isOver = () => Atomics.load(control, CONTROL.current) !== current;
  if (current >= 0 && assignment.rivals.length > 0)
    search(parts[current], current, assignment.rivals, isOver);
}

/** Only an answer is told: what is left undecided here, the check goes on with. */
function search(part: Part, number: number, searches: readonly SearchName[], isOver: () => boolean): void {
  const { milliseconds, bytes, isResident } = assignment.share;
  const budget = new Budget({
    milliseconds,
    bytes,
    resident: isResident ? () => process.memoryUsage.rss() : undefined,
    interrupted: () => {
      Atomics.add(control, CONTROL.beats + assignment.member, 1);
      return Atomics.load(control, CONTROL.stop) !== 0;
    },
  });
  const onViolation = (found: Found) => post({ kind: 'found', found });
  const finding = new PartCheck(part, {
    searches,
    budget,
    onViolation,
    machineBytes: () => part.objectMachine.bytes,
  }).run({ isOvertaken: isOver });
  if (typeof finding === 'string' || finding.kind === 'undecided') return;
  const { steps, configurations } = budget;
  post({
    kind: 'finding',
    part: number,
    finding: toldOf(finding),
    steps,
    configurations,
    searches: [...budget.searches],
  });
}

function toldOf(finding: Finding): ToldFinding {
  if (finding.kind !== 'none') return finding;
  const { counterexample } = finding;
  return { kind: 'none', counterexample: { ...counterexample, core: counterexample.core.columns.id } };
}

function post(report: Report): void {
  port.postMessage(report);
  Atomics.add(control, CONTROL.messages, 1);
  Atomics.notify(control, CONTROL.messages);
}
