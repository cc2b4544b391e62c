/** What the main thread asks of a worker, and what it hears from it. */
import type { Exhausted, Verdict } from '../check/index.js';
import type { ObjectOptions } from '../objects/index.js';
import type { JsonDocument } from '../report/index.js';

export interface Job {
  readonly file: string;
  readonly spec: string;
  readonly options: ObjectOptions;
  readonly rename: readonly (readonly [from: string, to: string])[];
  readonly stuck: boolean;
  readonly independent: boolean;
  readonly witness: boolean;
  readonly algorithm: string;
  /** How many threads search. */
  readonly jobs: number;
  readonly limits: {
    readonly steps?: number | undefined;
    readonly milliseconds?: number | undefined;
    readonly bytes: number;
  };
  readonly style: { readonly colour: boolean; readonly ascii: boolean; readonly width: number };
  /** One integer of shared memory; not 0 asks the worker to come to an end. */
  readonly stop: Int32Array<SharedArrayBuffer>;
}

export type Message =
  | { readonly kind: 'progress'; readonly text: string }
  /** There is a violation; the explanation follows, if it comes in time. */
  | { readonly kind: 'found'; readonly part: string; readonly operation: number; readonly call: string }
  | {
      readonly kind: 'done';
      readonly verdict: Verdict['kind'];
      readonly because: Exhausted | undefined;
      readonly document: JsonDocument;
      readonly text: string;
    }
  /** The command itself is wrong, whatever the file. */
  | { readonly kind: 'misused'; readonly message: string }
  | { readonly kind: 'refused'; readonly line?: number; readonly column?: number; readonly message: string };
