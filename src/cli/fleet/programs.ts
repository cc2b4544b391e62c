/**
 * A program run for each of several inputs, by processes of this machine or by a fleet: what each found, in the order of the
 * inputs. The tables of bench/ are made with it; nothing of the package is.
 */
import { atOnce } from '../at-once.js';
import { codeOf } from '../code-of.js';
import { coordinate, type Outcome } from './coordinator.js';
import { pathFromHere } from './inside-here.js';
import { programResult } from './program-task.js';
import { type ProgramTask, runOf } from './task.js';

export interface Programs<Input> {
  readonly file: string;
  readonly inputs: readonly Input[];
  /** Modules that the program loads for an input beside what it imports: they have to be the same everywhere. */
  readonly modulesOf: (input: Input) => readonly string[];
  /** How many run at once here. */
  readonly jobs: number;
  readonly engine: string | undefined;
  readonly onNews: (text: string) => void;
}

/** What a program found; or why there is nothing. */
export type Found = { readonly result: unknown } | { readonly why: string };

export async function* foundBy<Input>(programs: Programs<Input>): AsyncGenerator<Found> {
  const { file, inputs, jobs, engine } = programs;
  if (engine !== undefined) return yield* foundByFleet(engine, programs);
  const limited = atOnce(jobs);
  for (const found of inputs.map((input) => limited(() => foundHere(file, input)))) yield await found;
}

async function foundHere(file: string, input: unknown): Promise<Found> {
  try {
    return { result: await programResult(file, input) };
  } catch (error) {
    return { why: (error as Error).message };
  }
}

async function* foundByFleet<Input>(
  engine: string,
  { file, inputs, modulesOf, onNews }: Programs<Input>,
): AsyncGenerator<Found> {
  const tasks = inputs.map((input) => taskOf(file, input, modulesOf(input)));
  const settle = new Map<ProgramTask, (found: Found) => void>();
  const found = tasks.map((task) => new Promise<Found>((resolve) => settle.set(task, resolve)));
  const coming = tasks.values();
  const take = ({ task, ...outcome }: Outcome<ProgramTask>) => settle.get(task)?.(foundIn(outcome));
  const work = { next: (): ProgramTask | undefined => coming.next().value, take };
  const options = { resume: false, until: Number.POSITIVE_INFINITY, interrupted: () => false, onNews };
  const all = coordinate(engine, work, options);
  // who fails before all are done ends it
  for (const one of found) yield await Promise.race([one, all.then(() => one)]);
  await all;
}

function foundIn(outcome: Omit<Outcome<ProgramTask>, 'task'>): Found {
  if ('setAside' in outcome) return { why: outcome.setAside as string };
  const { answer } = outcome as Extract<Outcome<ProgramTask>, { answer: unknown }>;
  return answer.kind === 'done' ? { result: answer.result } : { why: answer.message };
}

function taskOf(given: string, input: unknown, modules: readonly string[]): ProgramTask {
  const file = pathFromHere(given);
  const paths = modules.map(pathFromHere);
  const code = codeOf([file, ...paths]);
  return {
    kind: 'program',
    run: runOf('program', file, code, input),
    name: 'whole',
    file,
    modules: paths,
    code,
    input,
  };
}
