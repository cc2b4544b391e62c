import { show } from '../base/values/show.js';

/** A spec that does not keep the rules, or does not know what a history calls. The user's fault, told so. */
export class SpecError extends Error {
  override readonly name = 'SpecError';
}

/** Runs a function of the user's; what it throws by accident becomes a SpecError that tells whose fault it is. */
export function guarded<T>(whose: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof SpecError) throw error;
    const what = error instanceof Error ? `${error.name}: ${error.message}` : show(error);
    throw new SpecError(`${whose} threw ${what}`, { cause: error });
  }
}
