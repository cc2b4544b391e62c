/** Errors of the explorer whose message says all, without where in our code they were thrown. */
import { ProgramError, ScenarioError } from '../../execution/memory/program-error.js';
import { InstrumentError } from '../../instrument/syntax/source.js';

export const EXPLORER_ERRORS: readonly (new (...args: never[]) => Error)[] = [
  ProgramError,
  ScenarioError,
  InstrumentError,
];
