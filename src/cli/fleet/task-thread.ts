/**
 * The thread that explores tests for a fleet: it loads one scenario and then explores what it is told to.
 *
 * It lives as long as tasks are of the same code, since to load and transform takes longer than most tasks. A scenario may do
 * anything in here: the main thread keeps the connection, and ends this one when it falls silent.
 */
import { dirname, relative } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { printable } from '../../base/index.js';
import { type RangeResult, type TestOptions, type TestRange, Tests } from '../../explore/index.js';
import { codeOf } from '../code-of.js';
import { EXPLORER_ERRORS } from '../explorer-jobs.js';
import { loadScenario } from '../load-scenario.js';
import { UsageError } from '../usage-error.js';

export interface ThreadData {
  readonly file: string;
}

export interface RangeRequest {
  readonly range: TestRange;
  readonly options: TestOptions;
}

/** The last word of a request, or of a scenario that can not be loaded; or a sign that something moves. */
export type ThreadMessage =
  | { readonly kind: 'loaded'; readonly code: string }
  | { readonly kind: 'moves' }
  | { readonly kind: 'explored'; readonly result: RangeResult }
  | { readonly kind: 'refused'; readonly message: string };

/** Milliseconds between two signs. */
const SIGN_EVERY = 200;

const post = (message: ThreadMessage): void => parentPort?.postMessage(message);
const { file } = workerData as ThreadData;

try {
  const files: string[] = [];
  const scenario = await loadScenario(file, (path) => files.push(path));
  const testsOf = new Map<string, Tests>();
  parentPort?.on('message', ({ range, options }: RangeRequest) => {
    const key = JSON.stringify(options);
    const tests = testsOf.get(key) ?? new Tests(scenario, options);
    testsOf.set(key, tests);
    try {
      post({ kind: 'explored', result: elsewhere(tests.explore(range, moving())) });
    } catch (error) {
      post(refusal(error));
    }
  });
  post({ kind: 'loaded', code: codeOf(dirname(file), files) });
} catch (error) {
  post(refusal(error));
}

/** Paths from the folder in which it was started: that of the coordinator is another. */
function elsewhere(result: RangeResult): RangeResult {
  const moved = (list: RangeResult['atomic']) =>
    list.map((called) => ({ ...called, file: relative('.', called.file) }));
  return { ...result, atomic: moved(result.atomic), controlled: moved(result.controlled) };
}

function moving(): () => void {
  let last = performance.now();
  return () => {
    if (performance.now() - last < SIGN_EVERY) return;
    last = performance.now();
    post({ kind: 'moves' });
  };
}

function refusal(error: unknown): ThreadMessage {
  if (!(error instanceof Error)) return { kind: 'refused', message: String(error) };
  const isTheirs = [UsageError, ...EXPLORER_ERRORS].some((kind) => error instanceof kind);
  return { kind: 'refused', message: isTheirs ? printable(error.message) : (error.stack ?? error.message) };
}
