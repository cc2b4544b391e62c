export { aloneSpec } from './alone-spec.js';
export { DEAD, Machine } from './machine.js';
export { MeetingSpace } from './meeting-space.js';
export { type Mode, methodNames, modesOf } from './modes.js';
export { partKeys } from './part-keys.js';
export { type MethodsOf, type ReferenceOptions, reference } from './reference.js';
export {
  blocked,
  type Called,
  type Family,
  OneOf,
  oneOf,
  type PartKey,
  type Refused,
  refuse,
  returns,
  type Spec,
  type Step,
  type Threw,
  threw,
} from './spec.js';
export { guarded, SpecError } from './spec-error.js';
export { StateSpace } from './state-space.js';
export { SyncMachine } from './sync-machine.js';
export { type AnySpec, isSyncSpec, type Pair, type SyncSpec } from './sync-spec.js';
