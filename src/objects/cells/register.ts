/** Registers: a read returns the value of the last write. */
import type { JepsenFunction } from '../../formats/common/adapter.js';
import { returns, type Spec } from '../../spec/spec.js';
import { isEqual, optionOrNull } from '../common/parameters.js';

/** The methods of a register. */
export interface Register<V> {
  write(value: V): void;
  read(): V | null;
}

/** The initial value of a register. */
export interface RegisterOptions<V> {
  /** The value before the first write; null by default. */
  readonly initial?: V;
}

const REGISTER_FUNCTIONS: readonly JepsenFunction[] = [
  { f: 'read', argument: 'none', result: 'value' },
  { f: 'write', argument: 'value', result: 'none' },
];

/**
 * A register with `write` and `read`.
 *
 * @example
 * A |- write(1) -|      |- read() -> 1 -|
 * B     |- read() -> null -|
 */
export function register<V>(options: RegisterOptions<V> = {}): Spec<Register<V>, V | null> {
  const initial = optionOrNull<V | null>(options, 'initial');
  return {
    name: 'register',
    initial,
    maxArguments: { write: 1, read: 0 },
    methods: {
      write: (_value, next) => [next, undefined],
      read: (value) => [value, value],
    },
    readOnly: (method) => method === 'read',
    family: { kind: 'register', roles: { write: 'write', read: 'read' }, initial },
    jepsen: REGISTER_FUNCTIONS,
  };
}

/** The methods of a compare-and-set register. */
export interface CasRegister<V> extends Register<V> {
  cas(old: V | null, next: V): boolean;
}

/**
 * A register with compare-and-swap: `cas(old, next)` writes `next` if the value equals `old`.
 *
 * @example
 * A |- write(1) -|  |- cas(1, 2) -> true -|
 * B                    |- cas(1, 3) -> false -|
 */
export function casRegister<V>(options: RegisterOptions<V> = {}): Spec<CasRegister<V>, V | null> {
  const { initial, methods } = register<V>(options);
  return {
    name: 'cas-register',
    initial,
    maxArguments: { write: 1, read: 0, cas: 2 },
    methods: {
      ...methods,
      cas: (value, old, next) => (isEqual(value, old) ? [next, true] : [value, false]),
    },
    // replacing a value by itself changes nothing, whether it succeeds or not
    readOnly: (method, args, outcome) =>
      method === 'read' || (method === 'cas' && (returns(outcome, false) || isEqual(args[0], args[1]))),
    family: { kind: 'cas-register', roles: { write: 'write', read: 'read', cas: 'cas' }, initial },
    // Jepsen reports a successful cas as `ok` and an unsuccessful one as `fail`
    jepsen: [...REGISTER_FUNCTIONS, { f: 'cas', argument: 'pair', result: 'success' }],
  };
}
