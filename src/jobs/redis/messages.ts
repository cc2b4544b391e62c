/**
 * Tasks and their outcomes as signed messages between coordinators and workers.
 *
 * Anyone who can write to Redis can replace every byte there. So each message carries an HMAC-SHA256 under a key that both
 * sides derive from a shared secret (HKDF, RFC 5869). Each kind of message has its own key, so that none passes for
 * another. The signed text names the kind, the queue and the subject:
 *
 *   task      the name of the task; it contains the random session of its coordinator
 *   result    the name of the task and the signature of its message, so that it answers this message and no other
 *   refusal   the session and the worker
 *   worker    the worker
 *
 * A message is decompressed and parsed only after its signature was verified, up to a fixed size, and outside of the event
 * loop. Without a secret the keys are public: signatures then detect accidents, not attackers (`secretFor`).
 *
 * A task names the session of its coordinator, a random number, and its time: a worker does not run tasks that are older
 * than their results would be kept. An outcome names the signature of its task, so that it cannot be used for another run,
 * except that `--resume` accepts the outcome of an equal task of an earlier session. To open a message gives a value of
 * its type, for the expected task.
 */
import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { printable } from '../../base/values/show.js';
import { problemInOutcome, problemInTask } from '../model/shapes.js';
import { idOf, type Task, type TaskOutcome } from '../model/task.js';

type MessageKind = 'task' | 'result' | 'refusal' | 'worker';

/** A message as it is in Redis. */
export interface Sealed {
  /** gzip of the signed JSON, in base64. */
  readonly packed: string;
  /** HMAC of `packed`, in hexadecimal. */
  readonly mac: string;
}

/** Characters of a packed message, and bytes of its text. */
export const MAX_PACKED_MESSAGE: number = 16 << 20;
const MAX_TEXT = 64 << 20;
const MAC = /^[0-9a-f]{64}$/;
const KEY_BYTES = 32;
const PUBLIC_SECRET = 'straightedge without a secret';

const compress = promisify(gzip);
const decompress = promisify(gunzip) as (
  packed: Uint8Array,
  options: { readonly maxOutputLength: number },
) => Promise<Buffer>;

/** A message that is not from someone with the same secret, or not the expected one. */
export class SealError extends Error {
  override readonly name = 'SealError';
}

/** Signs and verifies messages of one queue. */
export class Sealer {
  readonly #secret: string;
  readonly #queue: string;

  /** `secret`: undefined only for a Redis on this machine. */
  constructor(secret: string | undefined, queue: string) {
    this.#secret = secret ?? PUBLIC_SECRET;
    this.#queue = queue;
  }

  /** Throws `SealError` if the message is too large. */
  async seal(kind: MessageKind, subject: string, value: unknown): Promise<Sealed> {
    const text = JSON.stringify({ kind, queue: this.#queue, subject, value });
    if (text.length > MAX_TEXT) throw new SealError(`is larger than ${MAX_TEXT >> 20} MB`);
    const packed = (await compress(text)).toString('base64');
    if (packed.length > MAX_PACKED_MESSAGE)
      throw new SealError(`is larger than ${MAX_PACKED_MESSAGE >> 20} MB`);
    return { packed, mac: this.#sign(kind, packed).toString('hex') };
  }

  /** The value of a message. Throws `SealError` unless it is of this kind and subject and has a valid signature. */
  async open(kind: MessageKind, subject: string, message: unknown): Promise<unknown> {
    const { packed, mac } = expectSealed(message);
    if (!timingSafeEqual(Buffer.from(mac, 'hex'), this.#sign(kind, packed)))
      throw new SealError('is not signed with the secret of this process');
    const signed = await unpack(packed);
    if (signed.kind !== kind || signed.queue !== this.#queue || signed.subject !== subject)
      throw new SealError('was signed for another purpose');
    return signed.value;
  }

  /** Conceals a hash of code: who reads Redis neither learns it nor can compute it. */
  conceal(code: string): string {
    return this.#hmac('code', code).toString('hex').slice(0, 32);
  }

  #sign(kind: MessageKind, packed: string): Buffer {
    return this.#hmac(`message ${kind}`, packed);
  }

  #hmac(purpose: string, text: string): Buffer {
    const key = hkdfSync('sha256', this.#secret, 'straightedge', purpose, KEY_BYTES);
    return createHmac('sha256', new Uint8Array(key)).update(text).digest();
  }
}

function expectSealed(message: unknown): Sealed {
  const { packed, mac } = (message ?? {}) as Partial<Record<keyof Sealed, unknown>>;
  if (typeof packed !== 'string' || typeof mac !== 'string' || !MAC.test(mac))
    throw new SealError('is not signed');
  if (packed.length > MAX_PACKED_MESSAGE)
    throw new SealError(`is larger than ${MAX_PACKED_MESSAGE >> 20} MB`);
  return { packed, mac };
}

async function unpack(packed: string): Promise<Record<'kind' | 'queue' | 'subject' | 'value', unknown>> {
  try {
    const text = await decompress(Buffer.from(packed, 'base64'), { maxOutputLength: MAX_TEXT });
    const signed: unknown = JSON.parse(text.toString('utf8'));
    if (typeof signed === 'object' && signed !== null) return signed as never;
  } catch {
    // reported below: the reason may contain parts of the message
  }
  throw new SealError('cannot be read');
}

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
