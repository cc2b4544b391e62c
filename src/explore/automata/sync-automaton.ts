/**
 * A given SyncSpec as the automaton of a program: what the operations of it may do together.
 *
 * The calls of the program, none of which has ended, are the history that the machine of the spec is made for; so
 * meetings are the same as those of a check. States are single ones: where the spec leaves a choice there are several moves.
 */
import { ANYBODY, Meetings } from '../../check/rendezvous/search/enabled-rendezvous.js';
import type { Outcomes } from '../../execution/outcomes.js';
import { HistoryBuilder } from '../../history/builder/builder.js';
import { SyncMachine } from '../../spec/rendezvous/sync-machine.js';
import type { SyncSpec } from '../../spec/rendezvous/sync-spec.js';
import type { MeetingAutomaton, Move } from '../model/automaton.js';
import type { Called } from './spec-automaton.js';

export class SyncAutomaton implements MeetingAutomaton {
  readonly initial: number;
  readonly #machine: SyncMachine;
  readonly #meetings: Meetings;
  readonly #letters: Int32Array;
  readonly #outcomes: Outcomes;

  constructor(spec: SyncSpec, calls: readonly Called[], outcomes: Outcomes) {
    const builder = new HistoryBuilder();
    for (const [number, { method, args }] of calls.entries())
      builder.call({ process: String(number), method, args: [...args] });
    const history = builder.finish();
    this.#machine = new SyncMachine(history, spec);
    this.#letters = this.#machine.lettersOf(history);
    this.#meetings = new Meetings(this.#machine, this.#letters);
    this.#outcomes = outcomes;
    this.initial = this.#machine.initial;
  }

  moves(state: number, waiting: readonly number[]): readonly Move[] {
    const moves: Move[] = [];
    this.#meetings.gather(state, waiting, ANYBODY, (members, length, mode) => {
      const operations = Array.from(members.subarray(0, length));
      const letters = operations.map((operation) => this.#letters[operation]);
      for (const { next, outcomes } of this.#machine.ways(state, mode, letters))
        moves.push({ operations, outcomes: outcomes.map((own) => this.#outcomes.numberOf(own)), next });
    });
    return moves;
  }

  rests(state: number, waiting: readonly number[]): boolean {
    return !this.#meetings.each(state, waiting, ANYBODY, () => true);
  }
}
