/**
 * A mutex: one holds it, the others wait. It does not know who holds it.
 *
 * To unlock what is not locked is an error, `NotLocked`: an implementation that
 * lets it pass in silence is not linearizable.
 */
import { jepsenAdapter } from '../../formats/jepsen/vocabulary.js';
import { blocked, returns, type Spec, threw } from '../../spec/spec.js';

export interface Mutex {
  lock(): void;
  unlock(): void;
  tryLock(): boolean;
}

export function mutex(): Spec<Mutex, boolean> {
  return {
    name: 'mutex',
    initial: false,
    methods: {
      lock: (locked) => (locked ? blocked : [true, undefined]),
      unlock: (locked) => [false, locked ? undefined : threw('NotLocked')],
      tryLock: (locked) => [true, !locked],
    },
    readOnly: (_method, _args, outcome) => outcome.kind === 'threw' || returns(outcome, false),
    family: { kind: 'mutex', roles: { lock: 'lock', unlock: 'unlock', tryLock: 'tryLock' }, initial: false },
    jepsen: jepsenAdapter([
      { f: 'acquire', method: 'lock', takes: 'nothing', answers: 'nothing' },
      { f: 'release', method: 'unlock', takes: 'nothing', answers: 'nothing' },
      { f: 'lock', takes: 'nothing', answers: 'nothing' },
      { f: 'unlock', takes: 'nothing', answers: 'nothing' },
      { f: 'tryLock', takes: 'nothing', answers: 'truth' },
    ]),
  };
}
