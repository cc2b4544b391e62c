/**
 * The flags that several commands share, and the parts of a job that they become.
 *
 * One declaration gives the name, the help text, the parser and the type of a flag. Help texts are imperative and name
 * the unit and the default.
 */
import { totalmem } from 'node:os';
import { type InferOptions, Option } from '@commander-js/extra-typings';
import {
  expectFile,
  parseCount,
  parseJson,
  parseRenames,
  parseSize,
  parseTime,
  UsageError,
} from '../../config/usage-error.js';
import type { ReadJob, RedisOptions } from '../../jobs/model/job.js';
import type { ObjectOptions } from '../../objects/registry.js';

/** A flag with a parsed value, as arguments of `Command.option`. */
export type Flag<Usage extends string, Value> = readonly [
  usage: Usage,
  help: string,
  parse: (text: string) => Value,
];

/** A flag whose value is a text, or which is given or not. */
export type PlainFlag<Usage extends string> = readonly [usage: Usage, help: string];

// biome-ignore lint/complexity/noBannedTypes: no other flags
type NoFlags = {};

/** What an action receives for a flag. */
export type Given<F> =
  F extends Flag<infer Usage, infer Value>
    ? Readonly<InferOptions<NoFlags, Usage, undefined, Value, false>>
    : F extends PlainFlag<infer Usage>
      ? Readonly<InferOptions<NoFlags, Usage, undefined, undefined, false>>
      : never;

/** Lists names on indented lines of at most 90 characters, for help texts. */
export const listNames = (names: readonly string[]): string =>
  names.join(', ').replace(/(.{1,90})(?: |$)/g, '\n  $1');

/* Input */

export const SPEC: PlainFlag<'--spec <spec>'> = [
  '--spec <spec>',
  'use this spec: an object name, the path of a spec module, or object=spec,… (required)',
];
export const RENAME: Flag<'--rename <pairs>', [string, string][]> = [
  '--rename <pairs>',
  'map spec methods to names in the file: enqueue=add,dequeue=poll',
  parseRenames,
];
export const RECORD_MAP: PlainFlag<'--record-map <map>'> = [
  '--record-map <map>',
  'convert records of another JSON format: etcd, porcupine, or a module',
];
/** The format of etcd has whole operations, not events. */
export const EVENT_MAP: PlainFlag<'--record-map <map>'> = [
  '--record-map <map>',
  'convert records of another JSON format to events: porcupine, or a module',
];
export const INDEPENDENT: PlainFlag<'--independent'> = [
  '--independent',
  'Jepsen: treat the key of each [key value] as a separate object',
];
export const CLOCK_ERROR: PlainFlag<'--clock-error <time>'> = [
  '--clock-error <time>',
  "allow for this error of each clock: 5ms, or a number in the file's unit (default: 0)",
];

export const EXTRA_FIELDS: PlainFlag<'--extra-fields'> = [
  '--extra-fields',
  'ignore unknown fields of a record (default: an error)',
];
export const PARTIAL: PlainFlag<'--partial'> = [
  '--partial',
  'accept a file whose end is missing, as after a crash; leave out a record that is cut off',
];

export const ALLOW_EMPTY: PlainFlag<'--allow-empty'> = [
  '--allow-empty',
  'accept a history without operations (default: an error)',
];

export type ReadFlags = Given<typeof SPEC> &
  Given<typeof RENAME> &
  Given<typeof RECORD_MAP> &
  Given<typeof INDEPENDENT> &
  Given<typeof CLOCK_ERROR> &
  Given<typeof EXTRA_FIELDS> &
  Given<typeof PARTIAL> &
  Given<typeof MAX_MEMORY> &
  Given<typeof QUIET>;

/* Object */

export const INITIAL: Flag<'--initial <json>', unknown> = [
  '--initial <json>',
  'set the initial state or contents',
  parseJson,
];
export const EMPTY: Flag<'--empty <json>', unknown> = [
  '--empty <json>',
  'set the result of removing from an empty container (default: null)',
  parseJson,
];
export const PERMITS: Flag<'--permits <n>', number> = [
  '--permits <n>',
  'set the permits of a semaphore (default: 1)',
  parseCount,
];
export const PARTIES: Flag<'--parties <n>', number> = [
  '--parties <n>',
  'set how many calls pass a barrier together (default: 2)',
  parseCount,
];

export type ObjectFlags = Given<typeof INITIAL> &
  Given<typeof EMPTY> &
  Given<typeof PERMITS> &
  Given<typeof PARTIES>;

/* Limits */

export const MAX_MEMORY: Flag<'--max-memory <size>', number> = [
  '--max-memory <size>',
  'stop at this memory: 512mb, 4gb (default: half of RAM)',
  parseSize,
];

/** The time limit of a command that explores; each command needs its own copy. */
export const timeoutOption = (): Option<'--timeout <time>', undefined, number, number> =>
  new Option('--timeout <time>', 'stop after this time: 500ms, 60s, 5m')
    .argParser<number>(parseTime)
    .default(60_000, '60s');

/* Output */

export const HTML: PlainFlag<'--html <file>'> = ['--html <file>', 'write an HTML report to this file'];
export const JSON_OUTPUT: PlainFlag<'--json'> = ['--json', 'print JSON; same as --reporter json'];
export const QUIET: PlainFlag<'--quiet'> = ['--quiet', 'print errors only'];
export const ASCII: PlainFlag<'--ascii'> = ['--ascii', 'draw with ASCII characters only'];

/* Distribution */

export const REDIS: PlainFlag<'--redis <url>'> = [
  '--redis <url>',
  'run on the workers of this Redis queue: redis://host:6379',
];
export const RESUME: PlainFlag<'--resume'> = [
  '--resume',
  'with --redis: reuse results of an interrupted run',
];

export type RedisFlags = Given<typeof REDIS> & Given<typeof RESUME>;

/* Jobs */

/** Converts the flags of a command that reads a history. */
export function toReadJob(file: string, flags: ReadFlags, stop: ReadJob['stop']): ReadJob {
  expectFile(file);
  return {
    file,
    spec: flags.spec,
    options: {},
    rename: (flags.rename ?? []).map(([method, name]) => [name, method]),
    independent: flags.independent ?? false,
    clockError: flags.clockError,
    extraFields: flags.extraFields ?? false,
    partial: flags.partial ?? false,
    map: flags.recordMap,
    limits: { maxMemory: flags.maxMemory ?? totalmem() / 2 },
    quiet: flags.quiet ?? false,
    stop,
  };
}

/** Returns the options of a ready-made object that were given. */
export function toObjectOptions({ initial, empty, permits, parties }: ObjectFlags): ObjectOptions {
  const given = Object.entries({ initial, empty, permits, parties }).filter(
    ([, value]) => value !== undefined,
  );
  return Object.fromEntries(given);
}

/** Demands `--spec` here, not in commander, which would complain about it before it names a misspelt flag. */
export function requireSpec({ spec }: Given<typeof SPEC>): string {
  if (spec !== undefined) return spec;
  throw new UsageError('--spec is missing; expected an object name, as --spec queue, or --spec ./my.spec.ts');
}

/** Returns undefined unless the work goes to Redis workers. */
export async function toRedisOptions({
  redis,
  ...flags
}: RedisFlags & { readonly keepGoing?: boolean | undefined }): Promise<RedisOptions | undefined> {
  const { resume = false as boolean, keepGoing = false } = flags;
  if (redis !== undefined) {
    const { parseRedis, secretFor } = await import('../../jobs/redis/address.js');
    secretFor(parseRedis(redis));
    return { url: redis, resume, keepGoing };
  }
  if (resume || keepGoing)
    throw new UsageError(`--${resume ? 'resume' : 'keep-going'} needs Redis workers; add --redis redis://…`);
  return undefined;
}
