/** Operations that are checked together: a whole object, or a part of one. */
import type { History } from '../../history/history.js';
import { Machine } from '../../spec/machine/machine.js';
import type { Spec } from '../../spec/spec.js';
import type { PartCut } from '../model/verdict.js';
import type { Monitored } from '../monitors/registry.js';

/** The machine of an object, shared by its parts; made when a search needs it. */
export class ObjectMachine {
  readonly #history: History;
  readonly #spec: Spec;
  #made: Machine | undefined;

  constructor(history: History, spec: Spec) {
    this.#history = history;
    this.#spec = spec;
  }

  get made(): Machine {
    this.#made ??= new Machine(this.#history, this.#spec);
    return this.#made;
  }

  /** Its current memory. */
  get bytes(): number {
    return this.#made?.bytes ?? 0;
  }
}

export class Part {
  readonly name: string;
  readonly history: History;
  readonly spec: Spec;
  readonly objectMachine: ObjectMachine;
  /** The projections that made it. */
  readonly cuts: readonly PartCut[];
  /** What the monitor read, if there is one for this kind of object and monitors are used. */
  readonly monitored: Monitored | undefined;

  constructor(own: Omit<Part, 'machine'>) {
    this.name = own.name;
    this.history = own.history;
    this.spec = own.spec;
    this.objectMachine = own.objectMachine;
    this.cuts = own.cuts;
    this.monitored = own.monitored;
  }

  get machine(): Machine {
    return this.objectMachine.made;
  }
}
