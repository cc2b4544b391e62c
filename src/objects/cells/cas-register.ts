/** A register with compare-and-swap: a write that happens only where the old value still stands. */
import { jepsenAdapter } from '../../formats/jepsen/vocabulary.js';
import { returns, type Spec } from '../../spec/spec.js';
import { sameValue } from '../common/same-value.js';
import { REGISTER_PHRASES, type Register, type RegisterOptions, register } from './register.js';

export interface CasRegister<V> extends Register<V> {
  cas(old: V | null, next: V): boolean;
}

export function casRegister<V>(options: RegisterOptions<V> = {}): Spec<CasRegister<V>, V | null> {
  const { initial, methods } = register<V>(options);
  return {
    name: 'cas-register',
    initial,
    methods: {
      ...methods,
      cas: (value, old, next) => (sameValue(value, old) ? [next, true] : [value, false]),
    },
    // to swap a value for itself changes nothing, whether it succeeds or not
    readOnly: (method, args, outcome) =>
      method === 'read' || (method === 'cas' && (returns(outcome, false) || sameValue(args[0], args[1]))),
    family: { kind: 'cas-register', roles: { write: 'write', read: 'read', cas: 'cas' }, initial },
    // a cas that is ok has swapped; one that did not is a `fail`, which did not happen
    jepsen: jepsenAdapter([...REGISTER_PHRASES, { f: 'cas', takes: 'pair', answers: 'success' }]),
  };
}
