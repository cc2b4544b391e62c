/** Where a witness fails, and which of the rules of `check/replay.ts` it breaks there. */
export interface Fault {
  readonly operation: number;
  readonly rule: 'unknown' | 'twice' | 'missing' | 'real-time' | 'after' | 'spec' | 'waits';
}
