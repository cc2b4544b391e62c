/** A register: one value, that of the last write. */
import { jepsenAdapter, type Phrase } from '../../formats/common/adapter.js';
import { returns, type Spec } from '../../spec/spec.js';
import { given, sameValue } from '../common/parameters.js';

export interface Register<V> {
  write(value: V): void;
  read(): V | null;
}

export interface RegisterOptions<V> {
  /** What is read before any write; null unless told. */
  readonly initial?: V;
}

/** How Jepsen's workloads spell a register. */
const REGISTER_PHRASES: readonly Phrase[] = [
  { f: 'read', takes: 'nothing', answers: 'value' },
  { f: 'write', takes: 'value', answers: 'nothing' },
];

export function register<V>(options: RegisterOptions<V> = {}): Spec<Register<V>, V | null> {
  const initial = given<V | null>(options, 'initial');
  return {
    name: 'register',
    initial,
    methods: {
      write: (_value, next) => [next, undefined],
      read: (value) => [value, value],
    },
    readOnly: (method) => method === 'read',
    family: { kind: 'register', roles: { write: 'write', read: 'read' }, initial },
    jepsen: jepsenAdapter(REGISTER_PHRASES),
  };
}

/* A register with compare-and-swap: a write that happens only where the old value still stands. */

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
