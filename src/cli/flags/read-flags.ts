/** The flags of every command that reads a history, and the part of its job that they make. */
import { totalmem } from 'node:os';
import type { Command } from 'commander';
import { expectFile } from '../../config/expect-file.js';
import { parseSize } from '../../config/quantities.js';
import { MEMORY, parseRenames } from '../../jobs/load/parse-flags.js';
import type { ReadJob } from '../../jobs/model/job.js';

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
    limits: { bytes: flags.maxMemory ?? totalmem() / 2 },
    quiet: flags.quiet ?? false,
    stop,
  };
}
