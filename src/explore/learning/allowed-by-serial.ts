/** Of a result that nothing explains: those that serial runs have shown at its place, after the results before it. */
import type { Outcomes } from '../../execution/outcomes.js';
import { outcomeInWords } from '../../history/model/outcome-text.js';
import { Configurations } from '../automata/configurations.js';
import { type Automaton, DEAD } from '../model/automaton.js';
import type { Trace } from '../model/trace-types.js';

/** In words; none where another result is the first that nothing explains. */
export function allowedFor(
  operation: number,
  { history, idOf }: Trace,
  automaton: Automaton,
  outcomes: Outcomes,
): string[] {
  const { columns } = history;
  const position = history.positionsById();
  const configurations = new Configurations(automaton, idOf.length);
  const events = idOf.flatMap((id, k) => {
    const at = position[id];
    const { outcome } = history.at(at);
    // it has not happened
    if (outcome.kind === 'failed') return [];
    const called = { time: columns.call[at], k, outcome: undefined };
    return outcome.kind === 'pending' ? [called] : [called, { time: columns.return[at], k, outcome }];
  });
  let set = configurations.initial;
  for (const { k, outcome } of events.sort((a, b) => a.time - b.time)) {
    if (outcome === undefined) set = configurations.call(set, k);
    else if (k !== operation) set = configurations.return(set, k, outcomes.numberOf(outcome));
    else return configurations.results(set, k).map((number) => outcomeInWords(outcomes.at(number)));
    if (set === DEAD) return [];
  }
  return [];
}
