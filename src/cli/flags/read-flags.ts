/** The flags of every command that reads a history, and the part of its job that they make. */

import { totalmem } from 'node:os';
import type { Command } from 'commander';
import { expectFile, parseSize, UsageError } from '../../config/usage-error.js';
import { MEMORY, parseCount, parseJson, parseRenames } from '../../jobs/load/parse-flags.js';
import type { ReadJob, RedisOptions } from '../../jobs/model/job.js';
import { parseRedis } from '../../jobs/redis/redis-address.js';
import type { ObjectOptions } from '../../objects/registry.js';

/* The flags that set up a ready-made object. */

export interface ObjectFlags {
  readonly initial?: unknown;
  readonly empty?: unknown;
  readonly permits?: number;
  readonly parties?: number;
}

export function addObjectFlags(command: Command): Command {
  return command
    .option('--initial <json>', 'what the object starts as', parseJson)
    .option('--empty <json>', 'what an empty container answers', parseJson)
    .option('--permits <n>', 'how many permits a semaphore has', parseCount)
    .option('--parties <n>', 'how many meet at a barrier', parseCount);
}

/** Those that are given. */
export const objectOptions = (flags: ObjectFlags): ObjectOptions =>
  Object.fromEntries(
    (['initial', 'empty', 'permits', 'parties'] as const)
      .filter((name) => flags[name] !== undefined)
      .map((name) => [name, flags[name]]),
  );

/** Asked for here and not by the parser, which would complain of it before it names an option that there is not, as `--spce`. */
export function neededSpec({ spec }: { readonly spec?: string }): string {
  if (spec !== undefined) return spec;
  throw new UsageError(
    '--spec is missing: what the history is of. A ready-made object, as --spec queue, or a spec of your own, as --spec ./my.spec.ts',
  );
}

/* The flags of a command whose work a fleet may do. */

interface Flags {
  readonly engine?: string;
  readonly resume?: boolean;
  readonly keepGoing?: boolean;
}

/** `work`: what the workers do. */
export const addFleetFlags = (command: Command, work: string): Command =>
  command
    .option('--engine <address>', `the workers of a fleet ${work}: redis://host:6379 (docs/guide/workers.md)`)
    .option('--resume', 'with --engine: what was done before is taken as done');

export function fleetFlags({ engine, resume = false, keepGoing = false }: Flags): RedisOptions | undefined {
  if (engine !== undefined) {
    parseRedis(engine);
    return { url: engine, resume, keepGoing };
  }
  if (resume || keepGoing)
    throw new UsageError(`--${resume ? 'resume' : 'keep-going'} is for a fleet; add --engine redis://…`);
  return undefined;
}

export interface ReadFlags {
  readonly spec?: string;
  readonly rename?: [string, string][];
  readonly independent?: boolean;
  readonly clockError?: string;
  readonly map?: string;
  readonly maxMemory?: number;
  readonly quiet?: boolean;
}

export function addReadFlags(command: Command): Command {
  return command
    .option(
      '--rename <pairs>',
      "the spec's names of methods and the history's: enqueue=add,dequeue=poll",
      parseRenames,
    )
    .option('--independent', 'Jepsen: each value is [key value], and the key is an object of its own')
    .option(
      '--clock-error <time>',
      'times come from several clocks, each wrong by at most so much: 5ms, or a number in the unit of the file',
    )
    .option('--map <module>', 'the file has JSON of its own kind; this module maps a record of it to ours')
    .option('--max-memory <size>', MEMORY, parseSize);
}

export function readJobOf(file: string, flags: ReadFlags, stop: Int32Array<SharedArrayBuffer>): ReadJob {
  expectFile(file);
  return {
    file,
    spec: flags.spec,
    options: {},
    rename: (flags.rename ?? []).map(([method, name]) => [name, method]),
    independent: flags.independent ?? false,
    clockError: flags.clockError,
    map: flags.map,
    limits: { maxMemory: flags.maxMemory ?? totalmem() / 2 },
    quiet: flags.quiet ?? false,
    stop,
  };
}
