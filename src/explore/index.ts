export {
  type Access,
  access,
  CHOOSE,
  LOCK,
  NOTHING,
  NOTIFY,
  READ,
  UNLOCK,
  UPDATE,
  WAIT,
  WRITE,
} from './access.js';
export type { Automaton } from './automaton.js';
export { Boundary } from './boundary.js';
export { Configurations } from './configurations.js';
export { Dpor } from './dpor.js';
export type { Engine, Finding, Judge, Schedule } from './engine.js';
export { Execution } from './execution.js';
export { Fingerprint } from './fingerprint.js';
export { HappensBefore } from './happens-before.js';
export { LearntAutomaton } from './learnt-automaton.js';
export { activeMemory, Memory } from './memory.js';
export { Orders } from './orders.js';
export { AtomicRef } from './primitives/atomic-ref.js';
export { Monitor } from './primitives/monitor.js';
export { Mutex } from './primitives/mutex.js';
export { Semaphore } from './primitives/semaphore.js';
export type { Call, Coroutine, Program } from './program.js';
export { Serial } from './serial.js';
export { SerialTrie } from './serial-trie.js';
export { SpecAutomaton } from './spec-automaton.js';
export { Stateful } from './stateful.js';
