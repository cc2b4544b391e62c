/** A program of the checkout as a task: it is given its input as JSON, in a process of its own, and prints what it found as JSON. */
import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { checkCode } from '../model/code-mismatch.js';
import type { ProgramTask, TaskAnswer } from '../model/task.js';

/** Milliseconds that a program may take, and characters that it may print. */
const MOST_TIME = 1_800_000;
const MOST_OUTPUT = 2 ** 26;

/** `bytes`: what it may take, if there is a limit. */
export async function programResult(file: string, input: unknown, bytes?: number): Promise<unknown> {
  const memory = bytes === undefined ? [] : [`--max-old-space-size=${Math.ceil(bytes / 2 ** 20)}`];
  const args = [...memory, resolve(file), JSON.stringify(input)];
  const limits = { timeout: MOST_TIME, maxBuffer: MOST_OUTPUT };
  const { stdout } = await promisify(execFile)(process.execPath, args, limits);
  return JSON.parse(stdout);
}

/** `bytes`: what it may take here. */
export async function programTask(task: ProgramTask, bytes: number): Promise<TaskAnswer<ProgramTask>> {
  const { file, modules, code, input } = task;
  checkCode([file, ...modules], code);
  return { kind: 'done', result: await programResult(file, input, bytes) };
}
