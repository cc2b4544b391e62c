/** The thread that loads specs, reads, checks and writes reports; the main one keeps the clock. */
import { parentPort, workerData } from 'node:worker_threads';
import { printable, show } from '../base/index.js';
import { type Algorithm, AlgorithmError, check, type Limits, parseAlgorithm } from '../check/index.js';
import { FormatError, readHistory } from '../formats/index.js';
import { History } from '../history/index.js';
import { jsonDocument, type Result, styleOf, textReport } from '../report/index.js';
import { type Spec, SpecError } from '../spec/index.js';
import type { Job, Message } from './job.js';
import { loadSpecs } from './load-spec.js';
import { UsageError } from './usage-error.js';

const post = (message: Message): void => parentPort?.postMessage(message);
const PROGRESS_EVERY = 100;

try {
  post(await run(workerData as Job));
} catch (error) {
  post(refusal(error));
}

async function run(job: Job): Promise<Message> {
  const begin = performance.now();
  parseAlgorithm(job.algorithm);
  const { name, specOf, objects } = await loadSpecs(job.spec, job.options);
  post({ kind: 'progress', text: `reading ${job.file}` });
  checkRenames(job, objects.map(specOf));
  const read = await readHistory(job.file, {
    rename: new Map(job.rename),
    methodsOf: (object) => Object.keys(specOf(object).methods),
    jepsen: (object) => specOf(object).jepsen,
    independent: job.independent,
  });
  const history = job.stuck ? new History(read.columns, read.tables, read.annotations, true) : read;
  for (const object of objects)
    if (object !== undefined && !history.objects.includes(object))
      throw new SpecError(`--spec names object ${JSON.stringify(object)}, which the history does not have`);
  const readAt = performance.now();

  const verdict = check(history, specOf, {
    ...limitsOf(job, begin, history.columns.events.length - history.length),
    algorithm: job.algorithm as Algorithm,
    crew: {
      jobs: job.jobs,
      module: new URL('./load-spec.js', import.meta.url),
      data: { spec: job.spec, options: job.options },
    },
    onViolation: ({ part, operation }) => post({ kind: 'found', ...faultOf(history, operation), part }),
  });
  const ms = { read: round(readAt - begin), check: round(performance.now() - readAt) };
  const result: Result = { file: job.file, spec: name, history, verdict, ms };
  return {
    kind: 'done',
    verdict: verdict.kind,
    because: verdict.kind === 'undecided' ? verdict.because : undefined,
    document: jsonDocument(result, job),
    text: textReport(result, styleOf(job.style), job),
  };
}

/** `--rename` gives the names of the spec first, and those of the history second. */
function checkRenames({ rename }: Job, specs: readonly Spec[]): void {
  for (const [from, to] of rename)
    if (!specs.some(({ methods }) => Object.hasOwn(methods, to))) {
      const swapped = specs.some(({ methods }) => Object.hasOwn(methods, from))
        ? `; did you mean ${from}=${to}?`
        : '';
      throw new UsageError(`--rename ${to}=${from}: no spec has a method ${JSON.stringify(to)}${swapped}`);
    }
}

/** An operation at fault, in case that there is no time to say more. */
function faultOf(history: History, operation: number): { operation: number; call: string } {
  const { method, args } = history.at(history.positionsById()[operation]);
  return { operation, call: printable(`${method}(${args.map(show).join(', ')})`) };
}

/** The budget that is left, and a word from time to time. */
function limitsOf({ limits, stop }: Job, begin: number, returns: number): Limits {
  let last = 0;
  const { milliseconds } = limits;
  return {
    ...limits,
    milliseconds:
      milliseconds === undefined ? undefined : Math.max(0, milliseconds - (performance.now() - begin)),
    resident: () => process.memoryUsage.rss(),
    interrupted: () => Atomics.load(stop, 0) !== 0,
    onProgress: ({ explained, steps }) => {
      const now = performance.now();
      if (now - last < PROGRESS_EVERY) return;
      last = now;
      post({
        kind: 'progress',
        text: `checking: ${explained.toLocaleString('en')} of ${returns.toLocaleString('en')} returns explained, ${steps.toLocaleString('en')} steps`,
      });
    },
  };
}

function refusal(error: unknown): Message {
  if (error instanceof UsageError || error instanceof AlgorithmError)
    return { kind: 'misused', message: error.message };
  if (error instanceof FormatError)
    return { kind: 'refused', line: error.line, column: error.column, message: error.detail };
  if ((error as NodeJS.ErrnoException)?.code === 'ENOENT')
    return { kind: 'refused', message: 'no such file' };
  const isTheirs = error instanceof SpecError || (error as NodeJS.ErrnoException)?.code !== undefined;
  const message =
    error instanceof Error ? (isTheirs ? error.message : (error.stack ?? error.message)) : String(error);
  return { kind: 'refused', message: isTheirs ? printable(message) : message };
}

function round(ms: number): number {
  return Math.round(ms * 10) / 10;
}
