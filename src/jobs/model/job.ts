/** What the main thread asks of a worker, and what it hears from it. */
import type { LimitReason } from '../../check/model/verdict.js';
import type { ExploreSyncOptions } from '../../explore/explore.js';
import type { ObjectOptions } from '../../objects/registry.js';
import type { Diagnostic } from '../../report/diagnostic.js';
import type { JsonDocument } from '../../report/json/json.js';
import type { StressRunOptions } from '../../stress/stress.js';
import type { Target } from './target.js';

/** A history to read, and how. */
export interface ReadJob {
  readonly file: string;
  /** Where it is read from, if that is another file than is told. */
  readonly contentFile?: string | undefined;
  readonly spec: string | undefined;
  readonly options: ObjectOptions;
  readonly rename: readonly (readonly [from: string, to: string])[];
  readonly independent: boolean;
  readonly clockError: string | undefined;
  /** The path of a module that maps foreign records. */
  readonly map: string | undefined;
  readonly limits: {
    readonly maxSteps?: number | undefined;
    readonly timeout?: number | undefined;
    readonly maxMemory: number;
  };
  /** Are only errors told? */
  readonly quiet: boolean;
  /** One integer of shared memory; not 0 asks the worker to come to an end. */
  readonly stop: Int32Array<SharedArrayBuffer>;
}

export interface CheckJob extends ReadJob {
  readonly kind: 'check';
  readonly spec: string;
  readonly stuck: boolean;
  readonly witness: boolean;
  /** What the answer is to tell: of a large history, each may be large. */
  readonly wants: { readonly document: boolean; readonly text: boolean; readonly finding: boolean };
  readonly algorithm: string;
  /** How many threads search. */
  readonly jobs: number;
  readonly style: JobStyle;
  /** The page to write, if one is asked for. */
  readonly html: string | undefined;
}

/** A history to draw, without a spec. */
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

/** A scenario to explore, or a failure to run again. */
export interface ExploringJob {
  readonly file: string;
  readonly limits: { readonly timeout: number; readonly maxMemory: number };
  readonly stop: ReadJob['stop'];
  /** Is the answer for programs, or for people? */
  readonly json: boolean;
  readonly style: JobStyle;
  /** Are other tools told? */
  readonly isReported: boolean;
  /** Is a failure to be explained? */
  readonly isExplained: boolean;
  /** The page to write, if one is asked for. */
  readonly html: string | undefined;
}

export interface ExploreJob extends ExploringJob {
  readonly kind: 'explore';
  readonly options: ExploreSyncOptions & { readonly seed: number };
  /** How many threads explore. */
  readonly jobs: number;
  /** Files of observations to go by, and to write. */
  readonly observations: string | undefined;
  readonly writeObservations: string | undefined;
  /** The fleet that explores, if not threads of this machine. */
  readonly redis: RedisOptions | undefined;
  /** May waiters wake up by themselves, whatever the scenario says? */
  readonly spuriousWakeups: boolean;
}

/** Whose workers do the work, and how it is begun and ended. */
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
  /** The fleet that runs them, if not this machine. */
  readonly redis: RedisOptions | undefined;
}

export interface ReplayJob extends ExploringJob {
  readonly kind: 'replay';
  /** The scenario that it is a failure of, where the failure does not say so, or it is elsewhere now. */
  readonly scenario?: string | undefined;
}

export interface MonitorJob extends ReadJob {
  readonly kind: 'monitor';
  readonly spec: string;
  /** Does the file go on after its end? */
  readonly follow: boolean;
  readonly json: boolean;
  /** Milliseconds between two words of how it stands. */
  readonly every: number;
  readonly style: CheckJob['style'];
  /** The page to write, if one is asked for. */
  readonly html: string | undefined;
}

export type Job = CheckJob | ViewJob | ConvertJob | MonitorJob | ExploreJob | ReplayJob | StressJob;

/** A verdict, with the forms of it that the job asks for. */
export interface VerdictReply {
  readonly kind: 'checked' | 'explored' | 'monitored';
  readonly verdict: 'linearizable' | 'holds' | 'violation' | 'undecided';
  /** The limit that was reached; or tasks were abandoned. */
  readonly reason?: LimitReason | 'abandoned' | undefined;
  readonly document?: JsonDocument | undefined;
  readonly text?: string | undefined;
  readonly finding?: Diagnostic | undefined;
  /** Was the requested HTML report written? */
  readonly isWritten?: boolean;
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
  readonly line?: number;
  readonly column?: number;
  readonly message: string;
}

/** A violation that is known, but not explained yet. */
export interface ViolationMessage {
  readonly kind: 'found';
  readonly part: string;
  readonly operation: number;
  readonly property: 'safety' | 'progress';
  readonly call: string;
  /** Is it of calls that meet? */
  readonly meets: boolean;
}

/** Something ran out where no more can be told than a violation, if one was found. */
interface CutShort {
  readonly kind: 'cut short';
  readonly reason: LimitReason;
  readonly found?: ViolationMessage | undefined;
}

/** The last word of a worker. */
export type Reply<J extends Job> = ReplyOf[J['kind']] | Refusal | CutShort;

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
  /** For a person, wherever errors go. */
  | { readonly kind: 'news'; readonly text: string }
  | ViolationMessage
  /** The answer is known; what comes after it may be given up. */
  | { readonly kind: 'known'; readonly answer: Reply<J> }
  /** What goes to standard output. */
  | { readonly kind: 'output'; readonly piece: string }
  /** The command itself is wrong, whatever the file. */
  | { readonly kind: 'misused'; readonly message: string }
  | Reply<J>;
