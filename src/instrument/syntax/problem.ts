/**
 * What can not be transformed, and where: an error for people, not for programs.
 *
 * A file is looked at to its end, so that all of its problems are told at once.
 */
import type { Place } from '../../base/source-position.js';

export interface Problem extends Place {
  /** What stands there, and what to do instead. */
  readonly message: string;
}

export class InstrumentError extends Error {
  override readonly name = 'InstrumentError';
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    super(problems.map((problem) => `${placeText(problem)}: ${problem.message}`).join('\n'));
    this.problems = problems;
  }
}

export function placeText({ file, line, column }: Place): string {
  return `${file}:${line}:${column}`;
}
