/**
 * Matrices: which calls each thread makes. What Line-Up calls a finite test.
 *
 * Given by the scenario, or chosen at random from its calls (Line-Up's RandomCheck). Two
 * matrices with the same columns in another order are one.
 */
import { Random, show } from '../base/index.js';
import { type Choice, isSequence, type Scenario } from './scenario.js';
import type { PlainCall } from './transform/index.js';

export interface Matrix {
  readonly threads: readonly (readonly PlainCall[])[];
  readonly before: readonly PlainCall[];
  readonly after: readonly PlainCall[];
}

export interface MatrixOptions {
  readonly seed: number;
  /** How many to choose. */
  readonly samples: number;
  readonly threads?: number | undefined;
  readonly callsPerThread?: number | undefined;
}

/** So many choices for each one that is asked for, then there are no more. */
const TRIES = 20;

export function matricesOf(scenario: Scenario, options: MatrixOptions): Matrix[] {
  const { before, after, test } = scenario;
  if (test !== undefined) return [{ threads: test, before, after }];
  const random = new Random(options.seed);
  const chosen = new Map<string, Matrix>();
  for (let tries = 0; tries < TRIES * options.samples && chosen.size < options.samples; tries++) {
    const threads = randomThreads(scenario, options, random);
    const key = threads
      .map((calls) => show(calls))
      .sort()
      .join();
    if (!chosen.has(key)) chosen.set(key, { threads, before, after });
  }
  return [...chosen.values()];
}

function randomThreads(
  { calls, threads, callsPerThread, oneThread }: Scenario,
  options: MatrixOptions,
  random: Random,
): PlainCall[][] {
  const forAll = calls.filter((choice) => !methodsOf(choice).some((method) => oneThread.includes(method)));
  return Array.from({ length: options.threads ?? threads }, (_, thread) => {
    const column: PlainCall[] = [];
    const choices = thread === 0 ? calls : forAll;
    const length = choices.length === 0 ? 0 : (options.callsPerThread ?? callsPerThread);
    for (let made = 0; made < length; made++) column.push(...callsOf(pick(choices, random), random));
    return column;
  }).filter((column) => column.length > 0);
}

function methodsOf(choice: Choice): string[] {
  if (isSequence(choice)) return choice.map(([method]) => method);
  return ['method' in choice ? choice.method : choice[0]];
}

function callsOf(choice: Choice, random: Random): readonly PlainCall[] {
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
