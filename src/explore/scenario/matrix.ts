/**
 * Matrices: which calls each thread makes. What Line-Up calls a finite test.
 *
 * Given by the scenario, or chosen from its calls: at random here (Line-Up's RandomCheck), all of a size in
 * explore/all-matrices.ts. Two matrices with the same columns in another order are one.
 */
import { Random } from '../../base/random.js';
import { Interner } from '../../base/values/interner.js';
import type { PlainCall } from '../../instrument/instrumented-program.js';
import { type Choice, isSequence, methodsOf, type Scenario } from './scenario.js';

export interface Matrix {
  readonly threads: readonly (readonly PlainCall[])[];
  readonly before: readonly PlainCall[];
  readonly after: readonly PlainCall[];
}

/** How many threads, and how many calls each of them makes. */
export interface Size {
  readonly threads: number;
  readonly callsPerThread: number;
}

/** So many choices for each one that is asked for, then there are no more. */
const TRIES = 20;

export function randomMatrices(scenario: Scenario, size: Size, samples: number, seed: number): Matrix[] {
  const { before, after } = scenario;
  const random = new Random(seed);
  const columns = new Interner();
  const chosen = new Map<string, Matrix>();
  for (let tries = 0; tries < TRIES * samples && chosen.size < samples; tries++) {
    const threads = randomThreads(scenario, size, random);
    const key = threads
      .map((calls) => columns.intern(calls))
      .sort()
      .join();
    if (!chosen.has(key)) chosen.set(key, { threads, before, after });
  }
  return [...chosen.values()];
}

function randomThreads({ calls, oneThread }: Scenario, size: Size, random: Random): PlainCall[][] {
  const forAll = calls.filter((choice) => !methodsOf(choice).some((method) => oneThread.includes(method)));
  return Array.from({ length: size.threads }, (_, thread) => {
    const column: PlainCall[] = [];
    const choices = thread === 0 ? calls : forAll;
    const length = choices.length === 0 ? 0 : size.callsPerThread;
    for (let made = 0; made < length; made++) column.push(...callsOf(pick(choices, random), random));
    return column;
  }).filter((column) => column.length > 0);
}

/** The calls of a choice; arguments that are made up are, now. */
export function callsOf(choice: Choice, random: Random): readonly PlainCall[] {
  if (isSequence(choice)) return choice;
  return 'method' in choice ? [[choice.method, ...(choice.args?.(random) ?? [])]] : [choice];
}

/** One of the choices, each as likely as its weight, a whole number. */
function pick(choices: readonly Choice[], random: Random): Choice {
  return random.pick(
    choices.flatMap((choice) =>
      Array.from({ length: 'method' in choice ? (choice.weight ?? 1) : 1 }, () => choice),
    ),
  );
}
