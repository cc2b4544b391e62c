export { ALGORITHMS, type Algorithm, parseAlgorithm } from './algorithms.js';
export type { Limits, Progress } from './budget.js';
export { type CheckOptions, check } from './check.js';
export type { CrewOptions } from './crew/crew.js';
export type { Fault } from './fault.js';
export type { FamilyCause, Hold, Run, Stay } from './monitors/causes.js';
export { confirm } from './monitors/confirm.js';
export { OnlineMonitor, type OnlineOptions, type OnlineStatus } from './online/online-monitor.js';
export type { OnlineDoubt, OnlineVerdict, OnlineViolation } from './online/violation.js';
export type { Part } from './part.js';
export type { Found } from './part-check.js';
export { partNumbers, partsOf, type SpecOf } from './parts.js';
export { replay } from './replay.js';
export { AlgorithmError } from './search-for.js';
export { isMeetingCause, type LongestMeetings, type MeetingCause } from './sync/causes.js';
export { ANYBODY, Meetings } from './sync/meetings.js';
export { type AnySpecOf, takeApart } from './sync/take-apart.js';
export { afterMeeting } from './sync/verify.js';
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
export { expectWatchable } from './watchable.js';
