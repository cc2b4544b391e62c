/**
 * One access to shared memory: a coroutine announces it, then does it.
 *
 * An access is one integer: its kind in the lowest four bits, its location above. The source position is not part of it; the code that
 * announces sets `memory.site` first, for traces.
 *
 *   READ      reads                          WAIT    releases a lock, or reads, and sleeps until woken
 *   WRITE     stores                         NOTIFY  wakes sleepers of the location
 *   UPDATE    reads and stores atomically:   CHOOSE  one of `location` alternatives; the coroutine is
 *             compare-and-set, get-and-add           resumed with its number, before any thread runs
 *   LOCK      acquires, once it is free      NOTHING lets other threads run, without an access
 *   UNLOCK    releases
 *
 * The kind is final only after the access: an UPDATE that changed nothing (`memory.unchanged`, a failed compare-and-set) counts as a
 * READ, one that acquired a lock without waiting (`memory.take`) as a LOCK.
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

/**
 * How an access touches data. Two accesses of one location race if at least one writes and at least one is plain. Locks,
 * waiting and waking touch no data.
 */
export const NO_DATA = 0;
export const PLAIN_DATA = 1;
export const ATOMIC_DATA = 2;

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

/** The location of an access; the number of alternatives of a CHOOSE. */
export function locationOf(announced: Access): number {
  return announced >>> KIND_BITS;
}

/** Do accesses of these kinds affect each other, at one location? */
export function conflict(kind: number, other: number): boolean {
  return kind !== READ || other !== READ;
}

/** Functions of `Atomics` that access one location without waiting, with the kind of their access. */
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
