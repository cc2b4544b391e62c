import { InputError } from '../../base/errors.js';

/** A scenario that can not be explored as it is written: what is wrong, and what was expected. */
export class ScenarioError extends InputError {
  override readonly name: string = 'ScenarioError';
}

/** The program under exploration breaks a rule, so that nothing it does can be trusted. Never an outcome of a call. */
export class ProgramError extends ScenarioError {
  override readonly name: string = 'ProgramError';
}

/** A thread has ended by itself, or does not come back: nobody can tell what its calls come to. */
export class LostThreadError extends ProgramError {
  override readonly name = 'LostThreadError';

  /** `waited`: so many milliseconds, if it does not come back. */
  constructor(method: string, waited?: number) {
    super(
      waited === undefined
        ? `${method} has ended its thread`
        : `${method} has come neither to a call of Atomics nor to its end in ${waited / 1_000} s: it loops, or waits for what another thread does by plain accesses, which are seen where \`instrument\` names the file`,
    );
  }
}

/** Something was learned about the program that makes what was explored so far invalid: explore again. */
export class RestartError extends ProgramError {}

/** Runs something again until nothing new is learned. */
export function untilValid<T>(run: () => T): T {
  for (;;)
    try {
      return run();
    } catch (error) {
      if (!(error instanceof RestartError)) throw error;
    }
}
