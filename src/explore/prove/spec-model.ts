/**
 * The specification of a proof: its states are terms (configuration-sets.ts), so a transition is computed once for all values.
 *
 *   given     the methods of a spec run on one representative of each shape
 *   learned   a state is the heap while no call is in progress; a call runs alone from it until it returns, or can never return
 *
 * Both are filled in on demand. An effect refers to values by *slots*: the values of the state first, then those of the call.
 */
import { Interner } from '../../base/values/interner.js';
import { ScenarioError } from '../../execution/memory/program-error.js';
import { Outcomes } from '../../execution/outcomes.js';
import { runtime } from '../../instrument/runtime/runtime.js';
import { effectsOf, runMethod } from '../../spec/machine/state-space.js';
import { blocked, OneOf, requireNoContext, type Spec } from '../../spec/spec.js';
import type { CanonicalStates } from './canonical-state.js';
import type { Alphabet, ClientCall, ClientRun } from './client.js';
import type { Slotted, SpecEffect, SpecModel } from './configuration-sets.js';
import { FreshValue, shapeOf, type Term, uncounted } from './fresh-values.js';

/** The outcome of a call as a shape: equal outcomes up to values have equal numbers. */
export class OutcomeShapes {
  readonly #outcomes: Outcomes;

  constructor(hasErrorsByName: boolean) {
    this.#outcomes = new Outcomes(hasErrorsByName);
  }

  of(hasThrown: boolean, result: unknown, self?: unknown): Term {
    return shapeOf(() => (hasThrown ? this.#outcomes.threw(result) : this.#outcomes.returned(result, self)));
  }

  /** The outcome that a spec gives. */
  ofSpec(outcome: Parameters<Outcomes['numberOf']>[0]): Term {
    return shapeOf(() => this.#outcomes.numberOf(outcome));
  }
}

/** Names as slots: the position of each in the list of all names. */
function slotted({ shape, names }: Term, all: readonly number[]): Slotted {
  return {
    shape,
    slots: names.map((name) => {
      const slot = all.indexOf(name);
      if (slot < 0) throw new ScenarioError('a specification returned a fresh value that it never got');
      return slot;
    }),
  };
}

interface GivenState extends Term {
  readonly value: unknown;
}

export class GivenModel implements SpecModel {
  readonly initial: Term;
  readonly #spec: Spec;
  readonly #alphabet: Alphabet;
  readonly #outcomes: OutcomeShapes;
  readonly #keys = new Interner();
  /** Shape to its representative, and to the effects of each letter. */
  readonly #states: GivenState[] = [];
  readonly #effects: (readonly SpecEffect[])[][] = [];
  #created = 0;

  constructor(spec: Spec, alphabet: Alphabet, outcomes: OutcomeShapes) {
    for (const [method] of [...alphabet.calls, ...alphabet.before])
      if (!Object.hasOwn(spec.methods, method))
        throw new ScenarioError(
          `the scenario calls ${method}, which spec ${spec.name} does not define; expected ${Object.keys(spec.methods).join(', ')}`,
        );
    requireNoContext(spec, 'a proof is not about recorded operations');
    this.#spec = spec;
    this.#alphabet = alphabet;
    this.#outcomes = outcomes;
    this.initial = this.#stateOf(this.#spec.initial);
  }

  get size(): number {
    return this.#states.length;
  }

  effects(shape: number, letter: number): readonly SpecEffect[] {
    this.#effects[shape] ??= [];
    this.#effects[shape][letter] ??= runtime.aside(() => this.#explore(shape, letter));
    return this.#effects[shape][letter];
  }

  blocks(shape: number, letter: number): boolean {
    const { returned } = runtime.aside(() => this.#run(shape, letter));
    return (
      returned === blocked ||
      (returned instanceof OneOf && returned.transitions.length + returned.refused.length === 0)
    );
  }

  /** The state after a call before the threads with a certain outcome; undefined if it is not allowed. */
  after({ shape, names }: Term, [method, ...args]: Alphabet['before'][0], outcome: Term): Term | undefined {
    return runtime.aside(() => {
      const returned = runMethod(this.#spec, this.#states[shape].value, method, args);
      const found = effectsOf(this.#spec, returned, method, args).find(
        (effect) => this.#outcomes.ofSpec(effect.outcome).shape === outcome.shape,
      );
      return found && names.length === 0 ? this.#stateOf(found.state) : undefined;
    });
  }

  #explore(shape: number, letter: number): readonly SpecEffect[] {
    const { names, value } = this.#states[shape];
    const { returned, values, method, args } = this.#run(shape, letter);
    const all = [...names, ...values.map((own) => FreshValue.numberOf(own))];
    const found = uncounted(() => effectsOf(this.#spec, returned, method, args));
    const effects = found.map(({ state, outcome }) => ({
      outcome: slotted(this.#outcomes.ofSpec(outcome), all),
      next: slotted(this.#stateOf(state), all),
    }));
    if (this.#stateOf(value).shape !== shape)
      throw new ScenarioError(
        `spec ${this.#spec.name}: ${method} mutates its state; it must return a new state`,
      );
    return effects;
  }

  #run(shape: number, letter: number) {
    const { calls, fresh } = this.#alphabet;
    const [method, ...own] = calls[letter];
    const values = Array.from({ length: fresh[letter] }, () => new FreshValue(this.#created++));
    const args = values.length > 0 ? values : own;
    // a specification that reads the clock is none
    runtime.sensors.beginWatch(runtime.noteAmbient);
    try {
      const returned = runMethod(this.#spec, this.#states[shape].value, method, args);
      return { returned, values, method, args };
    } finally {
      runtime.sensors.endWatch();
    }
  }

  #stateOf(value: unknown): Term {
    const key: unknown = this.#spec.key ? this.#spec.key(value) : value;
    const { shape, names } = shapeOf(() => this.#keys.intern(key));
    if (shape === this.#states.length) this.#states.push({ shape, names, value });
    return { shape, names };
  }
}

/** A call of a sequential run. */
interface Made {
  readonly thread: number;
  readonly call: ClientCall;
}

interface LearnedState extends Term {
  /** The calls that lead to it. */
  readonly path: readonly Made[];
}

/** What a call does when it runs alone. */
interface Alone {
  readonly effects: readonly SpecEffect[];
  readonly blocks: boolean;
}

/** Sequential runs do not determine a specification. */
export class UnlearnableError extends Error {}

/** A call that runs alone is given up after this many steps. */
const MOST_STEPS = 100_000;

export class LearnedModel implements SpecModel {
  readonly initial: Term;
  readonly #run: ClientRun;
  readonly #states: CanonicalStates;
  readonly #outcomes: OutcomeShapes;
  /** Heap to the number of its shape. */
  readonly #shapes = new Map<number, number>();
  readonly #learned: LearnedState[] = [];
  readonly #alone: Alone[][] = [];

  /** `states` must not be used for anything else. The run is reset for each call. */
  constructor(run: ClientRun, states: CanonicalStates, outcomes: OutcomeShapes) {
    this.#run = run;
    this.#states = states;
    this.#outcomes = outcomes;
    run.reset();
    this.initial = this.#stateOf([]);
  }

  get size(): number {
    return this.#learned.length;
  }

  effects(shape: number, letter: number, thread: number): readonly SpecEffect[] {
    return this.#aloneIn(shape, letter, thread).effects;
  }

  blocks(shape: number, letter: number, thread: number): boolean {
    return this.#aloneIn(shape, letter, thread).blocks;
  }

  #aloneIn(shape: number, letter: number, thread: number): Alone {
    const key = letter * this.#run.threads + thread;
    this.#alone[shape] ??= [];
    this.#alone[shape][key] ??= this.#explore(shape, { letter, next: 0, isOfFirst: false }, thread);
    return this.#alone[shape][key];
  }

  #explore(shape: number, call: ClientCall, thread: number): Alone {
    const run = this.#run;
    const { path } = this.#learned[shape];
    const { paths } = run;
    // the search makes these calls too
    run.paths = undefined;
    try {
      return this.#runAlone(path, call, thread);
    } finally {
      run.paths = paths;
    }
  }

  #runAlone(path: readonly Made[], call: ClientCall, thread: number): Alone {
    const run = this.#run;
    run.reset();
    for (const made of path) this.#complete(made.thread, made.call);
    this.#states.walk();
    const names = [...this.#states.names];
    const from = run.isReturned.length;
    if (!this.#complete(thread, call)) return { effects: [], blocks: true };
    const all = [...names, ...Array.from({ length: run.isReturned.length - from }, (_, i) => from + i)];
    const outcome = this.#outcomes.of(run.hasThrown, run.result, run.subject);
    const next = this.#stateOf([...path, { thread, call }]);
    return { effects: [{ outcome: slotted(outcome, all), next: slotted(next, all) }], blocks: false };
  }

  /** Runs a call alone. False if it never returns: it is blocked, or has come to a state twice. */
  #complete(thread: number, call: ClientCall): boolean {
    const run = this.#run;
    run.start(thread, call);
    const seen = new Set<number>();
    for (let steps = 0; ; steps++) {
      if (run.choosing >= 0)
        throw new UnlearnableError(
          'a call that runs alone makes a random choice; give the scenario a `spec`',
        );
      if (!run.isEnabled(thread)) return false;
      if (run.step(thread)) return true;
      const [form] = this.#states.walk();
      const state = this.#states.intern(form, 0);
      if (seen.has(state) || steps === MOST_STEPS) return false;
      seen.add(state);
    }
  }

  #stateOf(path: readonly Made[]): Term {
    this.#states.walk();
    const { heap, names } = this.#states;
    let shape = this.#shapes.get(heap);
    if (shape === undefined) {
      shape = this.#learned.length;
      this.#shapes.set(heap, shape);
      this.#learned.push({ shape, names: [...names], path });
    }
    return { shape, names: [...names] };
  }
}
