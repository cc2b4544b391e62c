/** Commands in separate processes, which a test starts, reads and ends. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { MAIN } from './command-line.js';

export interface Process {
  readonly child: ChildProcess;
  /** The output so far. */
  readonly said: () => string;
  readonly ended: Promise<number | null>;
}

export interface BeginOptions {
  readonly at: string;
  readonly env?: NodeJS.ProcessEnv;
}

const children = new Set<ChildProcess>();

export function begin(args: readonly string[], { at, env = {} }: BeginOptions): Process {
  const child = spawn(process.execPath, [MAIN, ...args], {
    cwd: at,
    env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined, ...env },
  });
  children.add(child);
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (piece) => {
      text += piece;
    });
  const ended = once(child, 'close').then(([code]) => {
    children.delete(child);
    return code as number | null;
  });
  return { child, said: () => text, ended };
}

/** Starts a Redis worker that runs one task at a time. */
export async function beginWorker(url: string, options: BeginOptions): Promise<Process> {
  const worker = begin(['worker', url, '--jobs', '1', '--max-memory', '300mb'], options);
  await until('a worker', () => worker.said().includes('taking tasks'));
  return worker;
}

/** Waits for something, nearly as long as a test may take: a busy machine is no failure. */
export async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await isSo()); tries++) {
    if (tries > 5_000) throw new Error(`timed out while waiting for ${what}`);
    await setTimeout(20);
  }
}

/** Kills all processes that were started and have not ended. */
export async function killAll(): Promise<void> {
  const ends = [...children].map((child) => once(child, 'close'));
  for (const child of children) child.kill('SIGKILL');
  await Promise.all(ends);
}

/** The fields of a JSON report that are the same on every machine. */
export function plain(text: string): Record<string, unknown> {
  const {
    ms: _,
    saved: __,
    token: ___,
    ...rest
  } = JSON.parse(text.slice(text.indexOf('{'))) as Record<string, unknown>;
  return rest;
}
