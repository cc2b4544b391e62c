/** What the main thread asks of a worker, and what it hears from it. */
import type { LimitReason, Verdict } from '../../check/model/verdict.js';
import type { OnlineVerdict } from '../../check/stream/violation.js';
import type { ExploreOptions } from '../../explore/explore.js';
import type { ObjectOptions } from '../../objects/registry.js';
import type { Diagnostic } from '../../report/diagnostic.js';
import type { JsonDocument } from '../../report/json/json.js';
import type { StressOptions } from '../../stress/stress.js';
import type { Target } from './target.js';

/** A history to read, and how. */
export interface ReadJob {
  readonly file: string;
  /** Where it is read from, if that is another file than is told. */
  readonly copy?: string | undefined;
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
  readonly report: string | undefined;
}

/** A history to draw, without a spec. */
export interface ViewJob extends ReadJob {
  readonly kind: 'view';
  readonly report: string;
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
  readonly report: string | undefined;
}

export interface ExploreJob extends ExploringJob {
  readonly kind: 'explore';
  readonly options: ExploreOptions & { readonly seed: number };
  /** How many threads explore. */
  readonly jobs: number;
  /** Files of observations to go by, and to write. */
  readonly observations: string | undefined;
  readonly writeObservations: string | undefined;
  /** The fleet that explores, if not threads of this machine. */
  readonly fleet: FleetFlags | undefined;
  /** May waiters wake up by themselves, whatever the scenario says? */
  readonly spuriousWakeups: boolean;
}

/** Whose workers do the work, and how it is begun and ended. */
export interface FleetFlags {
  readonly engine: string;
  readonly resume: boolean;
  readonly keepGoing: boolean;
}

export interface StressJob extends Omit<ExploringJob, 'isExplained'> {
  readonly kind: 'stress';
  readonly options: StressOptions;
  /** How many rounds run at once. */
  readonly jobs: number;
  /** The fleet that runs them, if not this machine. */
  readonly fleet: FleetFlags | undefined;
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
  readonly report: string | undefined;
}

export type Job = CheckJob | ViewJob | ConvertJob | MonitorJob | ExploreJob | ReplayJob | StressJob;

export interface Checked {
  readonly kind: 'checked';
  readonly verdict: Verdict['kind'];
  readonly reason: LimitReason | undefined;
  /** As asked for. */
  readonly document?: JsonDocument | undefined;
  readonly text?: string | undefined;
  readonly finding?: Diagnostic | undefined;
  /** Is the page written that was asked for? */
  readonly isWritten?: boolean;
}

export interface Viewed {
  readonly kind: 'viewed';
}

export interface Converted {
  readonly kind: 'converted';
  readonly text: string;
}

export interface ExploredAnswer {
  readonly kind: 'explored';
  /** Is the page written that was asked for? */
  readonly isWritten?: boolean;
  readonly code: number;
  /** One of the two, as asked for; all of them where other tools are told. */
  readonly document?: JsonDocument | undefined;
  readonly text?: string | undefined;
  readonly finding?: Diagnostic | undefined;
}

export interface Monitored {
  readonly kind: 'monitored';
  readonly verdict: OnlineVerdict['kind'];
  readonly reason: 'interrupted' | 'memory' | undefined;
  readonly document: JsonDocument;
  readonly text: string;
  /** Is the page written that was asked for? */
  readonly isWritten?: boolean;
}

export interface Refused {
  readonly kind: 'refused';
  readonly line?: number;
  readonly column?: number;
  readonly message: string;
}

/** A violation that is known, but not explained yet. */
export interface FoundMessage {
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
  readonly found?: FoundMessage | undefined;
}

/** The last word of a worker. */
export type Answer<J extends Job> = AnswerOf[J['kind']] | Refused | CutShort;

interface AnswerOf {
  readonly check: Checked;
  readonly view: Viewed;
  readonly convert: Converted;
  readonly monitor: Monitored;
  readonly explore: ExploredAnswer;
  readonly replay: ExploredAnswer;
  readonly stress: ExploredAnswer;
}

export type Message<J extends Job = Job> =
  | { readonly kind: 'progress'; readonly text: string }
  /** For a person, wherever errors go. */
  | { readonly kind: 'news'; readonly text: string }
  | FoundMessage
  /** The answer is known; what comes after it may be given up. */
  | { readonly kind: 'known'; readonly answer: Answer<J> }
  /** What goes to standard output. */
  | { readonly kind: 'output'; readonly piece: string }
  /** The command itself is wrong, whatever the file. */
  | { readonly kind: 'misused'; readonly message: string }
  | Answer<J>;
