/**
 * Which calls of a stateless rendezvous object can take effect alone or synchronise, according to its spec; results
 * count once a call has ended.
 */

import { RendezvousSpace } from '../../spec/rendezvous/sync-machine.js';
import {
  type AnySpec,
  isSyncSpec,
  type RendezvousMode,
  rendezvousModes,
  type SyncSpec,
} from '../../spec/rendezvous/sync-spec.js';
import { runUserCode, SpecError } from '../../spec/spec.js';
import { NOT_YET, type OnlineOperation } from '../stream/operation.js';
import { Values } from '../stream/steps.js';

export class PairMatcher {
  readonly spec: SyncSpec;
  readonly #values: Values;
  readonly #space: RendezvousSpace;
  readonly #alone: readonly RendezvousMode[];
  readonly #together: readonly RendezvousMode[];

  constructor(spec: SyncSpec, values: Values) {
    const modes = rendezvousModes(spec);
    if (!spec.pairs || modes.some(({ roles, starred }) => starred !== undefined || roles.length > 2))
      throw new SpecError(
        `there is no monitor for ${spec.name}: a rendezvous object can be monitored only if its calls synchronise in pairs and its spec declares \`pairs\`; try check`,
      );
    this.spec = spec;
    this.#values = values;
    this.#space = new RendezvousSpace(spec);
    this.#alone = modes.filter(({ roles }) => roles.length === 1);
    this.#together = modes.filter(({ roles }) => roles.length === 2);
  }

  /** Whether it can have taken effect alone. */
  isAlone(operation: OnlineOperation): boolean {
    return this.#alone.some((mode) => this.#isEnabled(mode, [operation]));
  }

  /** Whether two calls that were open together can have synchronised. */
  fit(one: OnlineOperation, other: OnlineOperation): boolean {
    return this.#together.some(
      (mode) => this.#isEnabled(mode, [one, other]) || this.#isEnabled(mode, [other, one]),
    );
  }

  /** The class of an ended call and that of its partner, as keys; undefined if it took effect alone. */
  classOf(operation: OnlineOperation): Class | undefined {
    const { method, args } = operation;
    const { pairs, name } = this.spec;
    const outcome = this.#values.normal(operation.outcome);
    const pair = runUserCode(`spec ${name}: pairs of ${method}`, () => pairs?.(method, args, outcome));
    if (!pair) return undefined;
    return { own: this.#values.keyOf(pair), partner: this.#values.keyOf([pair[1], pair[0]]) };
  }

  #isEnabled({ name, roles }: RendezvousMode, members: readonly OnlineOperation[]): boolean {
    if (members.some(({ method }, i) => method !== roles[i])) return false;
    const calls = members.map(({ args }) => args);
    return this.#space.apply(this.#space.initial, name, calls).some(({ next, outcomes }) => {
      if (next !== this.#space.initial)
        throw new SpecError(`spec ${this.spec.name}: it says pairs, but ${name} changes the state`);
      return members.every(
        ({ return: end, outcome }, i) =>
          end === NOT_YET || this.#values.outcomeKey(outcomes[i]) === this.#values.outcomeKey(outcome),
      );
    });
  }
}

/** A class of calls that differ only in time, and the class of their partners. */
export interface Class {
  readonly own: unknown;
  readonly partner: unknown;
}

/* Which objects can be monitored: all plain ones, and rendezvous objects whose calls synchronise in pairs. */

/** Throws a SpecError that says why there is no monitor. */
export function requirePairs(spec: AnySpec): void {
  if (isSyncSpec(spec)) new PairMatcher(spec, new Values(false));
}
