export { ALGORITHMS, type Algorithm, parseAlgorithm } from './algorithms.js';
export type { Limits, Progress } from './budget.js';
export { type CheckOptions, check } from './check.js';
export type { CrewOptions } from './crew/crew.js';
export type { FamilyCause, Hold, Run, Stay } from './monitors/causes.js';
export { confirm } from './monitors/confirm.js';
export { OnlineMonitor, type OnlineOptions, type OnlineStatus } from './online/online-monitor.js';
export type { OnlineDoubt, OnlineVerdict, OnlineViolation } from './online/violation.js';
export type { Part } from './part.js';
export type { Found } from './part-check.js';
export { partNumbers, partsOf, type SpecOf } from './parts.js';
export { type Fault, replay } from './replay.js';
export { AlgorithmError } from './search-for.js';
export type {
  Cause,
  Counterexample,
  Effort,
  Exhausted,
  Longest,
  Unfinished,
  Verdict,
  Wait,
  Witness,
} from './verdict.js';
