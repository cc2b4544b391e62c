/** A scenario that can not be explored as it is written: what is wrong, and what was expected. */
export class ScenarioError extends Error {
  override readonly name = 'ScenarioError';
}
