/** The flags of a command whose work a fleet may do. */
import type { Command } from 'commander';
import { UsageError } from '../../config/usage-error.js';
import type { FleetFlags } from '../../jobs/model/job.js';
import { parseRedis } from '../../jobs/redis/redis-address.js';

interface Flags {
  readonly engine?: string;
  readonly resume?: boolean;
  readonly keepGoing?: boolean;
}

/** `work`: what the workers do. */
export const addFleetFlags = (command: Command, work: string): Command =>
  command
    .option('--engine <address>', `the workers of a fleet ${work}: redis://host:6379 (docs/many-machines.md)`)
    .option('--resume', 'with --engine: what was done before is taken as done');

export function fleetFlags({ engine, resume = false, keepGoing = false }: Flags): FleetFlags | undefined {
  if (engine !== undefined) {
    parseRedis(engine);
    return { engine, resume, keepGoing };
  }
  if (resume || keepGoing)
    throw new UsageError(`--${resume ? 'resume' : 'keep-going'} is for a fleet; add --engine redis://…`);
  return undefined;
}
