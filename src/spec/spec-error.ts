/** A spec that does not keep the rules, or does not know what a history calls. The user's fault, told so. */
export class SpecError extends Error {
  override readonly name = 'SpecError';
}
