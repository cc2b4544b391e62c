/**
 * A program run for each of several inputs, by processes of this machine or by a fleet: what each found, in the order of the
 * inputs. The tables of bench/ are made with it; nothing of the package is.
 */
import { codeOf, pathFromHere } from '../jobs/model/code-mismatch.js';
import { type Outcome, type ProgramTask, runOf, type Work } from '../jobs/model/task.js';
import { atOnce } from '../jobs/pool/at-once.js';
import { coordinate } from '../jobs/redis/coordinator.js';
import { programResult } from '../jobs/redis/program-task.js';
import { interruptible } from './terminal/progress.js';

interface Programs<Input> {
  readonly file: string;
  readonly inputs: readonly Input[];
  /** Modules that the program loads for an input beside what it imports: they have to be the same everywhere. */
  readonly modulesOf: (input: Input) => readonly string[];
  /** How many run at once here. */
  readonly jobs: number;
  readonly engine: string | undefined;
  readonly onNews: (text: string) => void;
}

/** What a program found for an input; or why there is nothing. */
type Found<Input> = { readonly input: Input } & ({ readonly result: unknown } | { readonly why: string });

export async function* foundBy<Input>(programs: Programs<Input>): AsyncGenerator<Found<Input>> {
  const { file, inputs, jobs, engine } = programs;
  if (engine !== undefined) return yield* foundByFleet(engine, programs);
  const limited = atOnce(jobs);
  for (const found of inputs.map((input) => limited(() => foundHere(file, input)))) yield await found;
}

async function foundHere<Input>(file: string, input: Input): Promise<Found<Input>> {
  try {
    return { input, result: await programResult(file, input) };
  } catch (error) {
    return { input, why: (error as Error).message };
  }
}

async function* foundByFleet<Input>(
  engine: string,
  { file, inputs, modulesOf, onNews }: Programs<Input>,
): AsyncGenerator<Found<Input>> {
  const asked = inputs.map((input) => new Asked(input, taskOf(file, input, modulesOf(input))));
  const byTask = new Map(asked.map((one) => [one.task, one]));
  const coming = asked.values();
  const work: Work<ProgramTask> = {
    next: () => coming.next().value?.task,
    take: (outcome) => byTask.get(outcome.task)?.take(outcome),
  };
  const all = interruptible(async (stop) => {
    const interrupted = () => Atomics.load(stop, 0) !== 0;
    await coordinate(engine, work, { resume: false, until: Number.POSITIVE_INFINITY, interrupted, onNews });
    for (const one of asked) one.giveUp();
  });
  // what ends all of them, ends this one
  for (const { found } of asked) yield await Promise.race([found, all.then(() => found)]);
  await all;
}

/** An input whose result is to come. */
class Asked<Input> {
  readonly task: ProgramTask;
  readonly found: Promise<Found<Input>>;
  readonly #input: Input;
  #settle: (found: Found<Input>) => void = () => {};

  constructor(input: Input, task: ProgramTask) {
    this.#input = input;
    this.task = task;
    this.found = new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  take(outcome: Outcome<ProgramTask>): void {
    const input = this.#input;
    if ('setAside' in outcome) this.#settle({ input, why: outcome.setAside });
    else if (outcome.answer.kind === 'done') this.#settle({ input, result: outcome.answer.result });
    else this.#settle({ input, why: outcome.answer.message });
  }

  /** Nothing will come any more, if nothing has. */
  giveUp(): void {
    this.#settle({ input: this.#input, why: 'interrupted' });
  }
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
