/** A program of the checkout as a task: it is given its input as JSON, in a process of its own, and prints what it found as JSON. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { checkCode } from './other-code.js';
import type { ProgramTask, TaskAnswer } from './task.js';

/** Milliseconds that a program may take, and bytes that it may print. */
const MOST_TIME = 1_800_000;
const MOST_OUTPUT = 2 ** 26;

export async function programResult(file: string, input: unknown, bytes?: number): Promise<unknown> {
  const memory = bytes === undefined ? [] : [`--max-old-space-size=${Math.ceil(bytes / 2 ** 20)}`];
  const { stdout } = await promisify(execFile)(process.execPath, [...memory, file, JSON.stringify(input)], {
    timeout: MOST_TIME,
    maxBuffer: MOST_OUTPUT,
  });
  return JSON.parse(stdout);
}

/** `bytes`: what it may take here. */
export async function programTask(task: ProgramTask, bytes: number): Promise<TaskAnswer<ProgramTask>> {
  const { file, modules, code, input } = task;
  checkCode([file, ...modules], code);
  return { kind: 'done', result: await programResult(file, input, bytes) };
}
