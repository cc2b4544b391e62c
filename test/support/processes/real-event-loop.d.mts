/** A step of a callback. `name` is logged when its own callback runs, and stands for its handle. */
export interface Step {
  readonly does: string;
  readonly name: string;
  readonly ms?: number;
  readonly then?: readonly Step[];
}

interface World {
  readonly log: string[];
  /** Names of callbacks that will come. */
  readonly pending: Set<string>;
  external(name: string, callback: () => void): void;
  /** Lets time pass. */
  pause(): void;
  readonly promises: typeof import('node:timers/promises');
}

export function interpret(program: readonly Step[], world: World): void;
