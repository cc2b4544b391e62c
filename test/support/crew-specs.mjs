/** Specs as the members of a crew load them. */
import { stack } from 'straightedge/objects';

export function specs(name) {
  if (name !== 'stack') throw new Error(`no spec ${name}`);
  return stack();
}
