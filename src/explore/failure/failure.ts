/**
 * A failure as a file: which calls, in which schedule, and what each step was, so that it can be
 * run again, and so that it shows where the code has become another.
 *
 * Steps are told by what they access, not by their line: code may move.
 */
import { relative } from 'node:path';
import { stringify, untag } from '../../base/values/json-values.js';
import { parseJson } from '../../base/values/parse-json.js';
import { NOTHING, VERBS } from '../../execution/memory/access.js';
import { ScenarioError } from '../../execution/scenario-error.js';
import { runtime } from '../../instrument/runtime/runtime.js';
import type { Schedule } from '../model/engine.js';
import type { Explored } from '../result.js';
import type { Matrix } from '../scenario/matrix.js';
import { trace } from '../trace/trace.js';

const FAILURE_VERSION = 1;

export interface FailureStep {
  readonly thread: number;
  /** What it does, and the name of what it accesses: `reads taken`. */
  readonly access: string;
  /** `file:line:column`, as it was. */
  readonly place: string;
}

export interface Failure {
  readonly version: typeof FAILURE_VERSION;
  /** The path of the scenario, relative to the file of the failure; empty where a test has kept it. */
  readonly scenario: string;
  readonly matrix: Matrix;
  /** May waiters have woken up by themselves? */
  readonly spuriousWakeups?: boolean | undefined;
  readonly schedule: Schedule;
  readonly steps: readonly FailureStep[];
}

/** Undefined where no schedule makes the failure. */
export function failureOf(
  scenario: string,
  { matrix, program, violation }: Pick<Explored, 'matrix' | 'program' | 'violation'>,
): Failure | undefined {
  if (violation === undefined || violation.kind === 'nondeterminism') return undefined;
  const { schedule } = trace(program, violation.schedule);
  const spuriousWakeups = ('spuriousWakeups' in program && program.spuriousWakeups) || undefined;
  const steps = stepsOf(program, schedule);
  return {
    version: FAILURE_VERSION,
    scenario,
    matrix,
    ...(spuriousWakeups && { spuriousWakeups }),
    schedule,
    steps,
  };
}

/** Undefined where its calls have arguments that no file can hold. */
export function failureText(failure: Failure): string | undefined {
  try {
    return `${stringify(failure)}\n`;
  } catch {
    return undefined;
  }
}

export function stepsOf(program: Explored['program'], schedule: Schedule): FailureStep[] {
  return trace(program, schedule).steps.map(({ thread, kind, site, operation, task }) => {
    if ('backend' in program)
      return {
        thread,
        access: task?.does ?? `calls ${program.calls[operation].method}`,
        place: task?.place ?? '',
      };
    const { file, line, column } = runtime.sites.placeOf(site);
    const name = kind === NOTHING ? '' : (runtime.sites.names[site] ?? '');
    return {
      thread,
      access: `${VERBS[kind]} ${name}`.trim(),
      place: `${relative('.', file)}:${line}:${column}`,
    };
  });
}

export function parseFailure(text: string): Failure {
  const failure = readJson(text) as Partial<Failure> | null;
  if (typeof failure !== 'object' || failure === null || failure.version === undefined)
    throw new ScenarioError('this is no failure; expected a file that `straightedge explore` has written');
  if (failure.version !== FAILURE_VERSION)
    throw new ScenarioError(
      `this failure has version ${String(failure.version)}; this straightedge reads version ${FAILURE_VERSION}`,
    );
  const { scenario, matrix, schedule, steps } = failure;
  if (typeof scenario !== 'string' || !Array.isArray(matrix?.threads) || !Array.isArray(schedule) || !steps)
    throw new ScenarioError(
      'this failure is not whole; expected "scenario", "matrix", "schedule" and "steps"',
    );
  return failure as Failure;
}

function readJson(text: string): unknown {
  try {
    return untag(parseJson(text));
  } catch (error) {
    throw new ScenarioError(
      `this is no failure: ${(error as Error).message}; expected a file that \`straightedge explore\` has written`,
    );
  }
}
