/** The automaton of a program against the spec that was given for it: plain, or one whose calls meet. */
import type { Outcomes } from '../../execution/outcomes.js';
import { type AnySpec, isSyncSpec } from '../../spec/rendezvous/sync-spec.js';
import type { AnyAutomaton } from '../model/automaton.js';
import { type Called, SpecAutomaton } from './spec-automaton.js';
import { SyncAutomaton } from './sync-automaton.js';

export function givenAutomaton(spec: AnySpec, calls: readonly Called[], outcomes: Outcomes): AnyAutomaton {
  return isSyncSpec(spec)
    ? new SyncAutomaton(spec, calls, outcomes)
    : new SpecAutomaton(spec, calls, outcomes);
}
