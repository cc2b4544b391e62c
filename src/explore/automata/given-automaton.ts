/** The automaton of a program against the spec that was given for it: plain, or one whose calls meet. */
import { type AnySpec, isSyncSpec } from '../spec/index.js';
import type { AnyAutomaton } from './automaton.js';
import type { Outcomes } from './outcomes.js';
import { type Called, SpecAutomaton } from './spec-automaton.js';
import { SyncAutomaton } from './sync-automaton.js';

export function givenAutomaton(spec: AnySpec, calls: readonly Called[], outcomes: Outcomes): AnyAutomaton {
  return isSyncSpec(spec)
    ? new SyncAutomaton(spec, calls, outcomes)
    : new SpecAutomaton(spec, calls, outcomes);
}
