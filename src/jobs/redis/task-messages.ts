/**
 * Tasks and their outcomes as signed messages. Who opens one gets a value of its type, for the task that was asked for.
 *
 * A task names the session of its coordinator, a random number, and its time: a worker does not run tasks that are older
 * than their results would be kept. An outcome names the signature of its task, so that it cannot be used for another run,
 * except that `--resume` accepts the outcome of an equal task of an earlier session.
 */
import { randomBytes } from 'node:crypto';
import { printable } from '../../base/values/show.js';
import { problemInOutcome, problemInTask } from '../model/shapes.js';
import { idOf, type Task, type TaskOutcome } from '../model/task.js';
import { SealError, type Sealed, type Sealer } from './sealed-messages.js';

/** Milliseconds after which Redis forgets a result that no coordinator has fetched, and workers ignore its task. */
export const RESULT_AGE: number = 7 * 24 * 3_600_000;
/** Milliseconds that clocks of machines may differ. */
const CLOCK_SKEW = 24 * 3_600_000;

/** One run of a coordinator. */
export interface Session {
  readonly name: string;
  /** By `Date.now`. */
  readonly begin: number;
}

export interface TaskMessage<T extends Task = Task> {
  readonly session: Session;
  readonly task: T;
}

export const newSession = (): Session => ({ name: randomBytes(16).toString('hex'), begin: Date.now() });

/** Equal tasks of a session have equal messages. The hash of the code is concealed. */
export const sealTask = (sealer: Sealer, session: Session, task: Task): Promise<Sealed> =>
  sealer.seal('task', idOf(task), {
    session,
    task: { ...task, code: sealer.conceal(task.code) },
  } satisfies TaskMessage);

/** Throws `SealError` unless the message is the task `id`, from someone with the same secret. */
export async function openTask(sealer: Sealer, id: string, message: unknown): Promise<TaskMessage> {
  const value = (await sealer.open('task', id, message)) as Partial<TaskMessage> | null;
  const { name, begin } = (value?.session ?? {}) as Partial<Session>;
  const isSession = typeof name === 'string' && /^[0-9a-f]{32}$/.test(name) && Number.isSafeInteger(begin);
  const problem = isSession ? problemInTask(value?.task) : 'session: expected a name and a time';
  if (problem !== undefined) throw new SealError(`is malformed: ${problem}`);
  const { session, task } = value as TaskMessage;
  if (idOf(task) !== id) throw new SealError('is another task');
  const age = Date.now() - session.begin;
  if (age > RESULT_AGE || age < -CLOCK_SKEW)
    throw new SealError('is too old, or the clocks of the machines differ');
  return { session, task };
}

/** `asked`: the message of the task. An outcome that is too large becomes one that says so. */
export async function sealOutcome(
  sealer: Sealer,
  id: string,
  asked: Sealed,
  outcome: TaskOutcome,
): Promise<Sealed> {
  const subject = subjectOf(id, asked);
  try {
    return await sealer.seal('result', subject, outcome);
  } catch (error) {
    if (!(error instanceof SealError)) throw error;
    const reason = `its result ${error.message}; run it without --redis`;
    return sealer.seal('result', subject, { kind: 'abandoned', reason } satisfies TaskOutcome);
  }
}

/** Throws `SealError` unless the message answers `asked`, from someone with the same secret. Texts are escaped. */
export async function openOutcome<T extends Task>(
  sealer: Sealer,
  task: T,
  asked: Sealed,
  message: unknown,
): Promise<TaskOutcome<T>> {
  const outcome = await sealer.open('result', subjectOf(idOf(task), asked), message);
  const problem = problemInOutcome(task, outcome);
  if (problem !== undefined) throw new SealError(`is malformed: ${problem}`);
  return escapeTexts(outcome) as TaskOutcome<T>;
}

const subjectOf = (id: string, asked: Sealed): string => `${id} ${asked.mac}`;

/** Colours of reports (report/text/style), line breaks and tabs. */
const HARMLESS = new RegExp(`(${String.fromCharCode(27)}\\[(?:1|2|22|31|32|39)m|[\\n\\t])`);
/** Values that are data for other readers: a JSON document, and a history. */
const DATA = ['document', 'lines'];

/** Escapes what a terminal would interpret, so that a report can be printed as it is. */
function escapeTexts(value: unknown, name = ''): unknown {
  if (DATA.includes(name)) return value;
  if (typeof value === 'string')
    return value
      .split(HARMLESS)
      .map((piece, i) => (i % 2 === 1 ? piece : printable(piece)))
      .join('');
  if (Array.isArray(value)) return value.map((item) => escapeTexts(item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([field, item]) => [field, escapeTexts(item, field)]));
}
