/**
 * The connection to Redis, and what is there: workers, their refusals, and tasks. The user installs bullmq and ioredis; only
 * this file loads them.
 *
 * The first connection has to succeed. A later loss is repaired, and commands wait for that.
 */
import type { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { printable } from '../../base/values/show.js';
import { UsageError } from '../../config/usage-error.js';
import { parseRedis, type RedisAddress, secretFor } from './address.js';
import { MAX_PACKED_MESSAGE, type Sealed, Sealer } from './messages.js';

export interface Connected {
  readonly address: RedisAddress;
  readonly redis: Redis;
  readonly bullmq: typeof import('bullmq');
  /** For connections that BullMQ makes itself. */
  readonly options: RedisAddress['options'] & {
    readonly maxRetriesPerRequest: null;
    readonly retryStrategy: (times: number) => number;
  };
}

/** The prefix of all our keys; in braces, so that a Redis cluster keeps them together. */
export const PREFIX = '{straightedge}';
export const QUEUE = 'tasks';
const WORKERS = `${PREFIX}:workers`;

/** For the messages in a Redis. Throws a usage error if they need a secret and there is none. */
export const sealerFor = (text: string): Sealer =>
  new Sealer(secretFor(parseRedis(text)), `${PREFIX}:${QUEUE}`);

/** Milliseconds within which a Redis has to answer at first. */
const CONNECTING = 10_000;
const NOTHING = `nothing within ${CONNECTING / 1_000} s`;

const unanswered = ({ shown }: RedisAddress, problem: string): UsageError =>
  new UsageError(
    `no answer from Redis at ${shown}: ${problem}. Check that it is running, and the credentials`,
  );

const again = (times: number): number => Math.min(100 * times, 2_000);

/** `isBrief`: each command has to be answered as soon as the first one. */
export async function connect(text: string, isBrief = false): Promise<Connected> {
  const address = parseRedis(text);
  const { bullmq, ioredis } = await peers();
  let isThere = false;
  const redis = new ioredis.Redis({
    ...address.options,
    lazyConnect: true,
    maxRetriesPerRequest: null,
    retryStrategy: (times) => (isThere ? again(times) : null),
    ...(isBrief && { commandTimeout: CONNECTING }),
  });
  let why = '';
  redis.on('error', (error: NodeJS.ErrnoException) => {
    why = error.code ?? error.message;
  });
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(NOTHING)), CONNECTING);
  });
  try {
    await Promise.race([redis.connect().then(() => redis.ping()), silence]);
  } catch (error) {
    redis.disconnect();
    throw unanswered(address, why || (error as Error).message);
  } finally {
    clearTimeout(timer);
  }
  isThere = true;
  const options = { ...address.options, maxRetriesPerRequest: null, retryStrategy: again };
  return { address, redis, bullmq, options };
}

/** Codes of the system, and messages of ioredis, for a connection that is lost. */
const CUT = /^E(?!RR)[A-Z_]+$/;
const CUT_MESSAGE = /^(Connection is closed|Command timed out|Reached the max retries)/;

/** Answers that a Redis gives for a while: it starts, is busy, full, or changes its role. */
const PASSING =
  /^(LOADING|BUSY|READONLY|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|OOM|MISCONF|NOREPLICAS|NOSCRIPT|ERR max number of clients)/;

/** What went wrong with the Redis called `name`: the connection; or the text of an answer, escaped. */
export function problemText(error: Error, name: string): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (CUT.test(code) || CUT_MESSAGE.test(message)) return `the connection to ${name} is cut; waiting for it`;
  return `${name}: ${printable(message.slice(0, MAX_REASON))}`;
}

/**
 * The queue, on our connection. Closing it would remove its listeners while it may still be loading its scripts, whose
 * error would then end the process; so only the connection ends.
 */
export function queueOf({ bullmq, redis }: Connected, onError: (error: Error) => void): Queue<Sealed> {
  const queue = new bullmq.Queue<Sealed>(QUEUE, { connection: redis as never, prefix: PREFIX });
  queue.on('error', onError);
  return queue;
}

/** Milliseconds after which a connection asks again for events. */
const LISTENING = 5_000;

/** Reports the tasks that workers finish, until the connection ends. */
export async function followEvents(redis: Redis, onFinished: (id: string) => void): Promise<never> {
  let last = '$';
  for (;;) {
    const read = await redis.xread('BLOCK', LISTENING, 'STREAMS', `${PREFIX}:${QUEUE}:events`, last);
    for (const [id, fields] of read?.[0]?.[1] ?? []) {
      last = id;
      const fieldOf = (name: string) => fields[fields.indexOf(name) + 1];
      if (/^(completed|failed)$/.test(fieldOf('event'))) onFinished(fieldOf('jobId'));
    }
  }
}

/** The types of the keys that BullMQ and workers share, if they are there. */
const TYPES: Readonly<Record<string, string>> = {
  [WORKERS]: 'set',
  ...keysOfQueue('list', 'wait', 'active', 'paused'),
  ...keysOfQueue('zset', 'prioritized', 'delayed', 'completed', 'failed', 'marker', 'waiting-children'),
  ...keysOfQueue('string', 'id', 'pc', 'stalled-check', 'limiter'),
  ...keysOfQueue('hash', 'meta'),
  ...keysOfQueue('set', 'stalled'),
  ...keysOfQueue('stream', 'events'),
};

function keysOfQueue(type: string, ...names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [`${PREFIX}:${QUEUE}:${name}`, type]));
}

/** Throws if something else has written to a key of straightedge: tasks would wait forever. */
export async function expectOwnKeys({ redis, address: { shown } }: Connected): Promise<void> {
  const keys = Object.keys(TYPES);
  const types = await Promise.all(keys.map((key) => redis.type(key)));
  const k = types.findIndex((type, i) => type !== 'none' && type !== TYPES[keys[i]]);
  if (k >= 0)
    throw new UsageError(
      `the key ${keys[k]} in Redis is a ${types[k]}; expected a ${TYPES[keys[k]]}. Something else has written to it: "straightedge worker clean ${shown}" removes the keys of straightedge`,
    );
}

/** What went wrong for a while. Throws if a Redis refuses a command for good, such as one that the user has no right to. */
export function passingProblem(error: Error, { shown }: RedisAddress): string {
  if (error instanceof UsageError) throw error;
  const text = problemText(error, 'Redis');
  if (error.name !== 'ReplyError' || PASSING.test(error.message)) return text;
  throw new UsageError(
    `${text}. Perhaps something else has written to the keys of straightedge, which "straightedge worker clean ${shown}" removes, or the user of this connection lacks rights`,
  );
}

/** For a short command: what `ask` reads. Each answer of Redis has a time limit, also while a lost connection is repaired. */
export async function askOnce<T>(text: string, ask: (connected: Connected) => Promise<T>): Promise<T> {
  const connected = await connect(text, true);
  const { redis, address } = connected;
  try {
    return await ask(connected);
  } catch (error) {
    const { code = '', message, name } = error as NodeJS.ErrnoException;
    if (CUT.test(code) || CUT_MESSAGE.test(message)) throw unanswered(address, NOTHING);
    if (name === 'ReplyError') throw new UsageError(passingProblem(error as Error, address));
    throw error;
  } finally {
    redis.disconnect();
  }
}

async function peers(): Promise<{
  readonly bullmq: typeof import('bullmq');
  readonly ioredis: Pick<typeof import('ioredis'), 'Redis'>;
}> {
  try {
    return { bullmq: await import('bullmq'), ioredis: await import('ioredis') };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new UsageError(
      'Redis workers need two packages that are not installed: npm install bullmq@6 ioredis@6',
    );
  }
}

/** How a worker describes itself in Redis. The entry expires unless the worker renews it. */
export interface WorkerNote {
  /** `host:pid`. */
  readonly id: string;
  /** How many tasks it runs at once. */
  readonly jobs: number;
  readonly done: number;
  readonly failed: number;
  readonly version: string;
}

const EXPIRES = 10_000;
/** Milliseconds between two renewals. */
export const SAYS_SO = 3_000;
const REFUSALS_EXPIRE = 3_600_000;

const workerKey = (id: string): string => `${PREFIX}:worker:${id}`;
const refusalsKey = (session: string): string => `${PREFIX}:refusals:${session}`;

export async function sayHere(redis: Redis, sealer: Sealer, note: WorkerNote): Promise<void> {
  const sealed = await sealer.seal('worker', note.id, note);
  await redis.sadd(WORKERS, note.id);
  await redis.set(workerKey(note.id), JSON.stringify(sealed), 'PX', EXPIRES);
}

export async function sayGone(redis: Redis, id: string): Promise<void> {
  await redis.srem(WORKERS, id);
  await redis.del(workerKey(id));
}

/** The workers with our secret, by name; and how many have another one, or none. */
export async function workersIn(
  redis: Redis,
  sealer: Sealer,
): Promise<{ readonly workers: readonly WorkerNote[]; readonly strangers: number }> {
  const ids = (await redis.smembers(WORKERS)).sort();
  const notes = ids.length === 0 ? [] : await redis.mget(ids.map(workerKey));
  const gone = ids.filter((_, i) => notes[i] === null);
  if (gone.length > 0) await redis.srem(WORKERS, ...gone);
  const opened = await Promise.all(
    ids.map((id, i) => openNote<WorkerNote>(sealer, 'worker', id, notes[i] ?? undefined)),
  );
  const workers = opened.filter((note) => note !== undefined);
  return { workers, strangers: ids.length - gone.length - workers.length };
}

/** Worker to the reason why it does not take the tasks of a session. */
export async function refusalsOf(
  redis: Redis,
  sealer: Sealer,
  session: string,
): Promise<ReadonlyMap<string, string>> {
  const refusals = new Map<string, string>();
  for (const [id, text] of Object.entries(await redis.hgetall(refusalsKey(session)))) {
    const why = await openNote<string>(sealer, 'refusal', `${session} ${id}`, text);
    if (why !== undefined) refusals.set(id, why);
  }
  return refusals;
}

export async function noteRefusal(
  redis: Redis,
  sealer: Sealer,
  session: string,
  id: string,
  why: string,
): Promise<void> {
  const sealed = await sealer.seal('refusal', `${session} ${id}`, why);
  await redis.hset(refusalsKey(session), id, JSON.stringify(sealed));
  await redis.pexpire(refusalsKey(session), REFUSALS_EXPIRE);
}

export const forgetRefusals = (redis: Redis, session: string): Promise<number> =>
  redis.del(refusalsKey(session));

/** Undefined unless the note is there and has a valid signature. */
async function openNote<T>(
  sealer: Sealer,
  kind: 'worker' | 'refusal',
  subject: string,
  text: string | undefined,
): Promise<T | undefined> {
  if (text === undefined) return undefined;
  try {
    return (await sealer.open(kind, subject, JSON.parse(text) as Sealed)) as T;
  } catch {
    return undefined;
  }
}

/**
 * A task as it is in Redis, which anyone there may have written. It is read in one command, so that its parts belong
 * together, and only if it is not so large that reading it could exhaust the memory.
 */
export interface StoredTask {
  readonly isFinished: boolean;
  /** When a worker took it last. */
  readonly takenAt: string | undefined;
  /** The message of the task, and the message that a worker returned. Not verified. */
  readonly data: unknown;
  readonly returned: unknown;
  /** BullMQ's reason for a failed task. */
  readonly failure: string;
}

const READ = `
if redis.call('EXISTS', KEYS[1]) == 0 then return 'absent' end
local size = 0
for _, field in ipairs({'data', 'returnvalue', 'failedReason'}) do
  size = size + redis.call('HSTRLEN', KEYS[1], field)
end
if size > tonumber(ARGV[1]) then return 'large' end
return redis.call('HMGET', KEYS[1], 'finishedOn', 'processedOn', 'data', 'returnvalue', 'failedReason')`;

/** A task and its result, and some more. */
const MAX_SIZE = 2 * MAX_PACKED_MESSAGE + 100_000;
/** Characters of a reason that BullMQ reports. */
const MAX_REASON = 500;

export async function readStored(redis: Redis, id: string): Promise<StoredTask | 'absent' | 'large'> {
  const key = `${PREFIX}:${QUEUE}:${id}`;
  const read = (await redis.eval(READ, 1, key, MAX_SIZE)) as 'absent' | 'large' | (string | null)[];
  if (!Array.isArray(read)) return read;
  const [finishedOn, takenAt, data, returned, failure] = read;
  return {
    isFinished: finishedOn !== null,
    takenAt: takenAt ?? undefined,
    data: parse(data),
    returned: returned === null ? undefined : parse(returned),
    failure: failure ?? '',
  };
}

/** Null for a text that is not JSON. */
function parse(text: string | null): unknown {
  try {
    return JSON.parse(text ?? '') as unknown;
  } catch {
    return null;
  }
}

/** The reason of a failure. It is not signed: a writer to Redis can fail tasks, as it can delete them. */
export const reasonOf = (failure: string): string =>
  /stalled/.test(failure) ? 'its worker was lost each time' : printable(failure.slice(0, MAX_REASON));
