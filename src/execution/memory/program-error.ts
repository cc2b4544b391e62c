import { InputError } from '../../base/errors.js';

/** A scenario cannot be explored as it is written. The message names the problem and the expectation. */
export class ScenarioError extends InputError {
  override readonly name: string = 'ScenarioError';
}

/** The program under exploration breaks a rule, so none of its results can be trusted. Never an outcome of a call. */
export class ProgramError extends ScenarioError {
  override readonly name: string = 'ProgramError';
}

/** A thread has exited, or did not reach its next step before the deadline. The results of its calls are unknown. */
export class LostThreadError extends ProgramError {
  override readonly name = 'LostThreadError';

  /** `waited`: the deadline that passed, in milliseconds; undefined if the thread has exited. */
  constructor(method: string, waited?: number) {
    super(
      waited === undefined
        ? `${method} has ended its thread`
        : `${method} has come neither to a call of Atomics nor to its end in ${waited / 1_000} s: it loops, or waits for what another thread does by plain accesses, which are seen where \`instrument\` names the file`,
    );
  }
}

/** The runtime has learned a fact about the program that invalidates the exploration so far: explore again. */
export class RestartError extends ProgramError {}

/** Repeats a run until it learns no new fact. */
export function untilValid<T>(run: () => T): T {
  for (;;)
    try {
      return run();
    } catch (error) {
      if (!(error instanceof RestartError)) throw error;
    }
}
