/**
 * The thread that explores tests for a fleet: it loads one scenario and then explores what it is told to.
 *
 * It lives as long as tasks are of the same code, since to load and transform takes longer than most tasks. A scenario may do
 * anything in here: the main thread keeps the connection, and ends this one when it falls silent.
 */
import { relative } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { printable } from '../../base/index.js';
import { backendOf, inOwnTask, lineUp, notes, Patience, runtime } from '../../explore/index.js';
import { NamedTests, sentOf } from '../explored-elsewhere.js';
import { EXPLORER_ERRORS } from '../explorer-jobs.js';
import { loadScenario } from '../load-scenario.js';
import { UsageError } from '../usage-error.js';
import { moved } from './moved.js';
import type { ExploreTask, TestsResult } from './task.js';

export interface ThreadData {
  readonly file: string;
}

export type TestsRequest = Pick<ExploreTask, 'batch' | 'tests' | 'options' | 'spuriousWakeups'>;

/** The last word of a request, or of a scenario that can not be loaded; or a sign that something moves. */
export type ThreadMessage =
  | { readonly kind: 'loaded' }
  | { readonly kind: 'moves' }
  | { readonly kind: 'explored'; readonly result: TestsResult }
  | { readonly kind: 'refused'; readonly message: string };

/** Milliseconds between two signs. */
const SIGN_EVERY = 200;
/** So often may a test look at the clock, about every 2,000 steps: clocks of machines differ, counts do not. */
const LOOKS = 500;

const post = (message: ThreadMessage): void => parentPort?.postMessage(message);
const { file } = workerData as ThreadData;

try {
  const given = await loadScenario(file);
  const scenario = { ...given, backend: await inOwnTask(() => backendOf(given)) };
  const known = new Map<string, NamedTests>();
  const exploredOf = ({ batch, tests, options, spuriousWakeups }: TestsRequest): TestsResult => {
    const key = JSON.stringify(options);
    const named = known.get(key) ?? new NamedTests(scenario, options);
    known.set(key, named);
    runtime.atomic.clear();
    runtime.controlled.clear();
    const onLook = moving();
    const sent = tests.map(({ test, options: own }) =>
      sentOf(
        lineUp(
          { ...scenario, spuriousWakeups },
          named.matrixOf(batch, test),
          { ...options, ...own },
          countedPatience(onLook),
        ),
      ),
    );
    return { tests: sent, notes: moved(notes(), (path) => relative('.', path)) };
  };
  parentPort?.on('message', (request: TestsRequest) => {
    inOwnTask(() => exploredOf(request)).then(
      (result) => post({ kind: 'explored', result }),
      (error: unknown) => post(refusal(error)),
    );
  });
  post({ kind: 'loaded' });
} catch (error) {
  post(refusal(error));
}

function countedPatience(onLook: () => void): Patience {
  let looks = 0;
  const look = () => {
    looks++;
    onLook();
  };
  return new Patience(LOOKS, undefined, look, () => looks);
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
