/** Numbers for the values of a container by what they were before they were renamed: values that were one have one. */
import { range } from '../../../base/collections/ints.js';
import { Interner } from '../../../base/values/interner.js';
import type { Container } from './container.js';

export function namesOf(container: Container, plain: ((value: unknown) => unknown) | undefined): Int32Array {
  if (!plain) return range(container.values);
  const names = new Interner();
  return range(container.values).map((v) => names.intern(plain(container.valueOf(v))));
}
