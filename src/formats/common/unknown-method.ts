/** Of a call of what an object does not have: which method, of which object if it has a name, and which there are. */
import { show } from '../../base/values/show.js';

export const unknownMethod = (method: string, object: string | undefined, known: readonly string[]): string =>
  `unknown method ${show(method)}${object === undefined ? '' : ` of object ${show(object)}`}; expected ${known.join(', ')}`;
