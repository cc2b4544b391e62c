/** Errors of the explorer whose message says all, without where in our code they were thrown. */
import { ProgramError, ScenarioError, TransformError } from '../explore/index.js';

export const EXPLORER_ERRORS: readonly (new (...args: never[]) => Error)[] = [
  ProgramError,
  ScenarioError,
  TransformError,
];
