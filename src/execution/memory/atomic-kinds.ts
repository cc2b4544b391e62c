/** The functions of `Atomics` that access one place and do not wait, by what kind of access they are. */
import { READ, UPDATE, WRITE } from './access.js';

export const ATOMIC_KINDS: Readonly<Record<string, number>> = {
  load: READ,
  store: WRITE,
  add: UPDATE,
  sub: UPDATE,
  and: UPDATE,
  or: UPDATE,
  xor: UPDATE,
  exchange: UPDATE,
  compareExchange: UPDATE,
};
