/** The program under exploration breaks a rule, so that nothing it does can be trusted. Never an outcome of a call. */
export class ProgramError extends Error {
  override readonly name: string = 'ProgramError';
}
