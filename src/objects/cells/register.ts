/** A register: one value, that of the last write. */
import { jepsenAdapter, type Phrase } from '../../formats/jepsen/vocabulary.js';
import type { Spec } from '../../spec/spec.js';
import { given } from '../common/parameters.js';

export interface Register<V> {
  write(value: V): void;
  read(): V | null;
}

export interface RegisterOptions<V> {
  /** What is read before any write; null unless told. */
  readonly initial?: V;
}

/** How Jepsen's workloads spell a register. */
export const REGISTER_PHRASES: readonly Phrase[] = [
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
