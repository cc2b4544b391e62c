/**
 * From a search's "no" to a counterexample: the shortest prefix that no meetings explain, and why.
 *
 * A prefix is a sound cut, as for plain objects: a call still open where it is cut off may have met or
 * not, but if it did, then with the result that is known. What the call at fault could have
 * returned is found where it could have met at its return; each such answer is allowed.
 */
import { Interner } from '../../base/values/interner.js';
import type { Outcome } from '../../history/model/operation.js';
import type { Counterexample } from '../model/verdict.js';
import { unpaired } from './from-matching.js';
import type { Unmet } from './search/configuration-graph.js';
import { Meetings } from './search/enabled-rendezvous.js';
import type { SyncPart } from './search/part.js';

export function unmet(part: SyncPart, { moment, ends, unpaired: pairs }: Unmet): Counterexample {
  if (pairs) return unpaired(part, pairs);
  const { history, machine } = part;
  const k = ~history.columns.events[moment];
  const [first] = ends;
  return {
    part: part.name,
    core: history.prefix(moment),
    cuts: [...part.cuts, 'prefix'],
    minimal: false,
    property: 'safety',
    cause: {
      kind: 'unmet',
      operation: history.columns.id[k],
      ...saidOf(part, k, ends),
      longest: {
        meetings: first.meetings.map((members) => part.ids(members)),
        state: machine.describe(first.state),
        waiting: part.ids(first.waiting.filter((own) => own !== k)),
      },
    },
  };
}

/** What an operation could have got by a meeting, and why the spec refuses some. */
function saidOf({ history, machine }: SyncPart, k: number, ends: Unmet['ends']) {
  const letters = machine.lettersOf(history);
  const meetings = new Meetings(machine, letters);
  const outcomes = new Interner();
  const reasons = new Set<string>();
  for (const { state, waiting } of ends)
    meetings.gather(state, waiting, k, (members, length, mode) => {
      const own = Array.from({ length }, (_, i) => letters[members[i]]);
      const place = members.indexOf(k);
      for (const outcome of machine.allowed(state, mode, own, place)) outcomes.intern(outcome);
      for (const reason of machine.reasonsIn(state, mode, own)) reasons.add(reason);
    });
  const allowed = outcomes.values as Outcome[];
  return { allowed, refused: allowed.length > 0 ? [] : [...reasons] };
}
