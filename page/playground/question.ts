/** What the page asks of the thread that checks, and what that thread answers. */
import type { PageData } from '../../src/report/html/page-types.js';

/** The name of the object whose spec the user writes. */
export const OWN_SPEC = 'own';

export interface Question {
  /** A drawing, or records. */
  readonly text: string;
  /** A ready-made object, or `OWN_SPEC`. */
  readonly object: string;
  /** Of a ready-made object, as JSON; may be empty. */
  readonly options: string;
  /** A module in TypeScript; read with `OWN_SPEC`. */
  readonly spec: string;
}

/** The field that is wrong. */
export type Where = 'history' | 'options' | 'spec';

interface Refusal {
  readonly kind: 'refused';
  readonly where: Where;
  readonly message: string;
  /** From 1. */
  readonly line?: number | undefined;
  readonly column?: number | undefined;
}

export interface Checked {
  readonly kind: 'checked';
  readonly data: PageData;
  /** The history as text, drawn anew. */
  readonly drawing: string;
}

/** The answer of the server to a scenario. */
export type Explored =
  | { readonly kind: 'checked'; readonly data: PageData }
  | {
      readonly kind: 'refused';
      readonly message: string;
      readonly line?: number | undefined;
      readonly column?: number | undefined;
    };

export type Reply = Checked | Refusal;
