/** Jobs: what the main thread asks of a job thread. Messages and replies: what the thread sends back. */
import { existsSync, statSync } from 'node:fs';
import type { LimitReason } from '../../check/model/verdict.js';
import { expectWritable, type LostFile, UsageError } from '../../config/usage-error.js';
import type { FaultRecord } from '../../consistency/faults.js';
import type { ExploreSyncOptions } from '../../explore/explore.js';
import type { UndecidedReason } from '../../explore/result.js';
import type { ObjectOptions } from '../../objects/registry.js';
import type { Diagnostic } from '../../report/diagnostic.js';
import type { JsonDocument } from '../../report/json/json.js';
import type { StressRunOptions } from '../../stress/stress.js';

/* The target of `convert`. The extension of the file determines the format, unless `--to` does. */

/** Format to its name in messages. */
export const FORMAT_NAMES = {
  jsonl: 'JSON lines',
  edn: 'Jepsen EDN',
} as const;
export type FormatName = keyof typeof FORMAT_NAMES;

const ENDINGS: Readonly<Record<string, FormatName>> = {
  jsonl: 'jsonl',
  ndjson: 'jsonl',
  edn: 'edn',
};

export interface Target {
  /** `-` is standard output. */
  readonly path: string;
  /** Written first and then renamed to `path`, so that no file is left incomplete. */
  readonly draft: string;
  readonly format: FormatName;
  readonly packed: boolean;
}

export function targetOf(
  path: string,
  flags: { readonly to?: string | undefined; readonly force?: boolean | undefined },
): Target {
  const [, ending] = /\.(\w+?)(?:\.gz)?$/.exec(path) ?? [];
  const packed = path.endsWith('.gz');
  const format = flags.to === undefined ? ENDINGS[ending ?? ''] : formatOf(flags.to);
  if (format === undefined)
    throw new UsageError(
      `unknown format of ${path === '-' ? 'standard output; expected' : `${path}; expected a file that ends in .jsonl or .edn, or`} --to ${Object.keys(FORMAT_NAMES).join(' or --to ')}`,
    );
  if (path !== '-') expectWritable(path);
  const found = path === '-' ? undefined : statSync(path, { throwIfNoEntry: false });
  if (found?.isFile() && !flags.force) throw new UsageError(`${path} exists; --force overwrites it`);
  // a pipe or a device is written directly
  const draft = found && !found.isFile() ? path : freeName(path);
  return { path, draft, format, packed };
}

function formatOf(name: string): FormatName {
  if (Object.hasOwn(FORMAT_NAMES, name)) return name as FormatName;
  throw new UsageError(
    `unknown format ${JSON.stringify(name)}; expected ${Object.keys(FORMAT_NAMES).join(' or ')}`,
  );
}

function freeName(path: string): string {
  let number = 1;
  while (existsSync(`${path}.part${number}`)) number++;
  return `${path}.part${number}`;
}

/** A history to read, and how. */
export interface ReadJob {
  readonly file: string;
  /** Where the content is, if not in the file that reports name. */
  readonly contentFile?: string | undefined;
  /** The files, if several are one history. */
  readonly together?: readonly string[] | undefined;
  readonly spec: string | undefined;
  readonly options: ObjectOptions;
  readonly rename: readonly (readonly [from: string, to: string])[];
  readonly independent: boolean;
  readonly clockError: string | undefined;
  readonly extraFields: boolean;
  readonly partial: boolean;
  /** The name of a ready-made record map, or the path of a module that converts records of another format. */
  readonly map: string | undefined;
  readonly limits: {
    readonly maxSteps?: number | undefined;
    readonly timeout?: number | undefined;
    readonly maxMemory: number;
  };
  /** Are only errors printed? */
  readonly quiet: boolean;
  /** One integer of shared memory; not 0 asks the thread to finish. */
  readonly stop: Int32Array<SharedArrayBuffer>;
}

/** Is a record map given by a name, not by a path? */
export const isReadyMade = (map: string): boolean => !/[./\\]/.test(map);

export interface CheckJob extends ReadJob {
  readonly kind: 'check';
  readonly spec: string;
  readonly stuck: boolean;
  readonly allowEmpty: boolean;
  readonly witness: boolean;
  /** Is measured how far a history that is not linearizable is from it? */
  readonly consistency: boolean;
  /** Is every contradiction listed? */
  readonly all: boolean;
  /** Faults that another file describes. */
  readonly faults: readonly FaultRecord[];
  /** The forms of the reply that are needed: for a large history, each may be large. */
  readonly wants: { readonly document: boolean; readonly text: boolean; readonly finding: boolean };
  readonly algorithm: string;
  /** How many threads search. */
  readonly jobs: number;
  readonly style: JobStyle;
  /** The HTML report to write, if any. */
  readonly html: string | undefined;
}

/** A history to draw without a spec. */
export interface ViewJob extends ReadJob {
  readonly kind: 'view';
  readonly html: string;
}

interface JobStyle {
  readonly colour: boolean;
  readonly ascii: boolean;
  readonly width: number;
}

export interface ConvertJob extends ReadJob {
  readonly kind: 'convert';
  readonly target: Target;
}

/** Milliseconds that stand for no time limit: about the most that a timer of Node can wait. */
export const NO_TIME_LIMIT = 2_000_000_000;

/** What jobs on a scenario have in common. */
export interface ExploringJob {
  readonly file: string;
  /** May a configuration name the files to instrument? */
  readonly hasConfig: boolean;
  readonly limits: { readonly timeout: number; readonly maxMemory: number };
  readonly stop: ReadJob['stop'];
  /** Is the reply a JSON document, or text? */
  readonly json: boolean;
  readonly style: JobStyle;
  /** Is a diagnostic for other tools needed? */
  readonly isReported: boolean;
  /** Is the root cause of a failure searched? */
  readonly isExplained: boolean;
  /** The HTML report to write, if any. */
  readonly html: string | undefined;
}

export interface ExploreJob extends ExploringJob {
  readonly kind: 'explore';
  readonly options: ExploreSyncOptions & { readonly seed: number };
  /** How many threads explore. */
  readonly jobs: number;
  /** Observation files to read and to write. */
  readonly observations: string | undefined;
  readonly writeObservations: string | undefined;
  /** The number of executions that suffices if not every schedule can be covered. */
  readonly requiredExecutions?: number | undefined;
  /** The Redis queue that runs the tests; without one, threads of this machine do. */
  readonly redis: RedisOptions | undefined;
  /** May waiters of a Monitor wake up without a notification, whatever the scenario says? */
  readonly spuriousWakeups: boolean;
}

/** A Redis queue, and how a run uses it. */
export interface RedisOptions {
  readonly url: string;
  readonly resume: boolean;
  readonly keepGoing: boolean;
}

export interface StressJob extends Omit<ExploringJob, 'isExplained'> {
  readonly kind: 'stress';
  readonly options: StressRunOptions;
  /** How many rounds run at once. */
  readonly jobs: number;
  /** The Redis queue that runs the rounds; without one, this machine does. */
  readonly redis: RedisOptions | undefined;
}

export interface ReplayJob extends ExploringJob {
  readonly kind: 'replay';
  /** The scenario of the failure, if the failure does not name it or it has moved. */
  readonly scenario?: string | undefined;
  /** Are patches of the failure searched? */
  readonly patch?: PatchJob | undefined;
}

/** Patches whose diffs are saved, and that the test command tries. */
export const MOST_SAVED = 3;

/** What to do with patches, besides printing them. */
export interface PatchJob {
  /** Is the first one written to its file? */
  readonly isApplied: boolean;
  /** Runs on a copy of the project; a patch with which it fails is rejected. */
  readonly testCommand: string | undefined;
  /** Milliseconds for each run of that command. */
  readonly testTimeout: number;
}

export interface MonitorJob extends ReadJob {
  readonly kind: 'monitor';
  readonly spec: string;
  /** Is more appended to the file? */
  readonly follow: boolean;
  readonly allowEmpty: boolean;
  readonly json: boolean;
  /** Milliseconds between two status reports. */
  readonly every: number;
  readonly style: CheckJob['style'];
  /** The HTML report to write, if any. */
  readonly html: string | undefined;
}

export type Job = CheckJob | ViewJob | ConvertJob | MonitorJob | ExploreJob | ReplayJob | StressJob;

/** A verdict, with the forms of it that the job asks for. */
export interface VerdictReply {
  readonly kind: 'checked' | 'explored' | 'monitored';
  readonly verdict: 'linearizable' | 'holds' | 'violation' | 'undecided';
  /** The limit that was reached; or tasks were abandoned. */
  readonly reason?: UndecidedReason | undefined;
  readonly document?: JsonDocument | undefined;
  readonly text?: string | undefined;
  readonly finding?: Diagnostic | undefined;
  /** Was the required number of executions run, though not every schedule was covered? */
  readonly isSufficient?: boolean;
  /** Was the requested HTML report written? */
  readonly isWritten?: boolean;
  /** The files that cannot be written, and why. They do not change the verdict. */
  readonly unwritten?: readonly LostFile[] | undefined;
  /** Was every schedule of all tests explored? */
  readonly isComplete?: boolean;
  /** The error that ended the explanation of a violation. */
  readonly failure?: string | undefined;
}

export interface CheckReply extends VerdictReply {
  readonly kind: 'checked';
}

/** Of `explore`, `replay` and `stress`. */
export interface ExploreReply extends VerdictReply {
  readonly kind: 'explored';
}

export interface MonitorReply extends VerdictReply {
  readonly kind: 'monitored';
  readonly reason: 'interrupted' | 'memory' | undefined;
}

/** A file was written; `text` says which. */
export interface ViewReply {
  readonly kind: 'viewed';
  readonly text: string;
}

export interface ConvertReply {
  readonly kind: 'converted';
  readonly text: string;
}

export interface Refusal {
  readonly kind: 'refused';
  /** The faulty file, if the job has several. */
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  readonly message: string;
}

/** An unexpected error of straightedge. */
export interface Failure {
  readonly kind: 'failed';
  readonly message: string;
  readonly stack: string;
}

/** A violation that is not explained yet. */
export interface ViolationMessage {
  readonly kind: 'found';
  readonly part: string;
  readonly operation: number;
  readonly property: 'safety' | 'progress';
  readonly call: string;
  /** Is it a violation of a rendezvous object? */
  readonly isRendezvous: boolean;
}

/** A limit or an error ended the job without a verdict, except for a violation that was found. */
interface CutShort {
  readonly kind: 'cut short';
  readonly reason: LimitReason;
  /** Why a violation is not explained, if no limit is the reason. */
  readonly error?: string | undefined;
  readonly found?: ViolationMessage | undefined;
}

/** The last message of a job. */
export type Reply<J extends Job> = ReplyOf[J['kind']] | Refusal | Failure | CutShort;

interface ReplyOf {
  readonly check: CheckReply;
  readonly view: ViewReply;
  readonly convert: ConvertReply;
  readonly monitor: MonitorReply;
  readonly explore: ExploreReply;
  readonly replay: ExploreReply;
  readonly stress: ExploreReply;
}

export type Message<J extends Job = Job> =
  | { readonly kind: 'progress'; readonly text: string }
  /** For people, on standard error. */
  | { readonly kind: 'news'; readonly text: string }
  | ViolationMessage
  /** The reply is known; the work that follows may be dropped. */
  | { readonly kind: 'known'; readonly answer: Reply<J> }
  /** For standard output. */
  | { readonly kind: 'output'; readonly piece: string }
  /** The command is invalid, whatever the file. */
  | { readonly kind: 'misused'; readonly message: string }
  | Reply<J>;
