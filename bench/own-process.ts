/**
 * A measurement in a process of its own: no other's memory, no other's warm code, and a
 * process that dies or hangs takes nothing with it.
 *
 * The program that asks calls `inOwnProcess`; the one that measures is given its job as
 * JSON and prints what it found as JSON.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** What a program found; or, where it died or took too long, `undefined`. */
export function inOwnProcess<Job, Found>(program: URL, job: Job, milliseconds?: number): Found | undefined {
  const { stdout, stderr, status, signal } = spawnSync(
    process.execPath,
    [fileURLToPath(program), JSON.stringify(job)],
    { encoding: 'utf8', timeout: milliseconds },
  );
  if (stdout !== '') return JSON.parse(stdout) as Found;
  // a process that ran out of memory aborts; any other end is a mistake of ours
  if (status === 1 && signal === null) throw new Error(stderr);
  return undefined;
}

/** The job of this process. */
export const ownJob = <Job>(): Job => JSON.parse(process.argv[2]) as Job;

/** The most memory that this process ever had; by Linux's own account where there is one, as `maxRSS` begins with the parent's. */
export function peakMegabytes(): number {
  const account = '/proc/self/status';
  const peak = existsSync(account) && /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync(account, 'utf8'));
  return (peak ? Number(peak[1]) : process.resourceUsage().maxRSS) / 1024;
}
