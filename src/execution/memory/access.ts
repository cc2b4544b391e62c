/**
 * One access to what threads share: what a coroutine announces before it does it.
 *
 * An access is one integer, its kind in the lowest four bits and its location
 * above. Where it stands in the source is no part of it: whoever announces sets
 * `memory.site` first, which only traces look at.
 *
 *   READ      looks                          WAIT    gives back a lock, or looks, and sleeps until woken
 *   WRITE     stores                         NOTIFY  wakes sleepers of the location
 *   UPDATE    looks and stores at once:      CHOOSE  one of `location` alternatives; the coroutine is
 *             compare-and-set, get-and-add           resumed with its number, before anything else runs
 *   LOCK      takes, once there is enough    NOTHING a place where others may run; nothing is touched
 *   UNLOCK    gives back
 *
 * What an access turned out to be is known after it was done: one that changed
 * nothing (`memory.unchanged`, a compare-and-set that failed) counts as a READ,
 * one that took a lock without waiting (`memory.take` in an UPDATE) as a LOCK.
 */
export type Access = number;

export const READ = 0;
export const WRITE = 1;
export const UPDATE = 2;
export const LOCK = 3;
export const UNLOCK = 4;
export const WAIT = 5;
export const NOTIFY = 6;
export const CHOOSE = 7;
export const NOTHING = 8;

/** What a step does, by the kind of its access. */
export const VERBS: readonly string[] = [
  'reads',
  'writes',
  'updates',
  'locks',
  'unlocks',
  'waits',
  'notifies',
  'chooses',
  'runs',
];

const KIND_BITS = 4;

export function access(kind: number, location: number): Access {
  return (location << KIND_BITS) | kind;
}

export function kindOf(announced: Access): number {
  return announced & ((1 << KIND_BITS) - 1);
}

/** Of CHOOSE: how many alternatives there are. */
export function locationOf(announced: Access): number {
  return announced >>> KIND_BITS;
}

/** Do accesses of these kinds affect each other, at one location? */
export function conflict(kind: number, other: number): boolean {
  return kind !== READ || other !== READ;
}

/* The functions of `Atomics` that access one place and do not wait, by what kind of access they are. */

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
