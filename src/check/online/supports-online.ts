/** Which objects can be watched, asked before anything happens: all whose calls take effect alone, and those whose calls meet in pairs. */
import { type AnySpec, isSyncSpec } from '../../spec/rendezvous/sync-spec.js';
import { Values } from '../stream/values.js';
import { PairFits } from './pairs.js';

/** Throws a SpecError that tells why there is no monitor. */
export function expectWatchable(spec: AnySpec): void {
  if (isSyncSpec(spec)) new PairFits(spec, new Values(false));
}
