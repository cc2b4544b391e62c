/** The part of the runtime that coroutines for built-in functions use: they announce, read, write and call as instrumented code does. */
import type { Access } from '../../execution/memory/access.js';
import type { Memory } from '../../execution/memory/memory.js';
import type { Coroutine } from '../../execution/program.js';
import { type Sharing, WHOLE } from './sharing.js';

/** What instrumented code does next: 0, continue; 1, announce `p`, then do the access; 2, run the coroutine `g`. */
export type StepAction = 0 | 1 | 2;

export interface Host {
  readonly memory: Memory | undefined;
  readonly sharing: Sharing;
  /** The access to announce, the coroutine to run, and the result of a call that is done. */
  p: Access;
  g: Coroutine;
  v: unknown;
  read(object: unknown, key: PropertyKey, site: number): StepAction;
  write(object: unknown, key: PropertyKey, value: unknown, site: number): StepAction;
  /** `key in object`, `delete object[key]`, and a definition: true if `p` has to be announced. */
  has(object: unknown, key: PropertyKey, site: number): boolean;
  remove(object: unknown, key: PropertyKey, site: number): boolean;
  assign(object: unknown, key: PropertyKey, value: unknown, site: number): boolean;
  /** In the step that was announced: a member is assigned, or all of an object is accessed. */
  adding(object: object, key: PropertyKey): void;
  widen(object: object, key: PropertyKey): void;
  call(called: unknown, self: unknown, args: unknown[], site: number): StepAction;
  done(): unknown;
  observe<T>(value: T): T;
  /** Observes a copy of what is shared, which only this thread has. */
  observeResult<T>(value: T): T;
  /** Sets `p` to an access of an object that is one location, or of one field. */
  announce(kind: number, object: object, key: PropertyKey, site: number): 1;
  /** The current thread has changed, or may have changed, an object that is not shared. */
  changed(): void;
  /** Notes that accesses of an object are not all known, for the report. */
  unobserved(object: object, key: PropertyKey, site: number): void;
  /** A coroutine that is called at a site; with call frames, if they are recorded. */
  into(coroutine: Coroutine, site: number): Coroutine;
  /** Ends the exploration: the program does something that cannot be explored. */
  fail(site: number, message: string): never;
}

export function* readMember(host: Host, object: unknown, key: PropertyKey, site: number): Coroutine {
  const action = host.read(object, key, site);
  if (action === 2) return yield* host.g;
  const fields = object as Record<PropertyKey, unknown>;
  if (action === 0) return fields[key];
  yield host.p;
  return host.observe(fields[key]);
}

export function* writeMember(
  host: Host,
  object: object,
  key: PropertyKey,
  value: unknown,
  site: number,
): Coroutine<void> {
  const action = host.write(object, key, value, site);
  if (action === 2) {
    yield* host.g;
    return;
  }
  if (action === 1) {
    yield host.p;
    host.adding(object, key);
  }
  (object as Record<PropertyKey, unknown>)[key] = value;
}

export function* invoke(
  host: Host,
  called: unknown,
  self: unknown,
  args: unknown[],
  site: number,
): Coroutine {
  const action = host.call(called, self, args, site);
  if (action === 0) return host.v;
  if (action === 2) return yield* host.g;
  yield host.p;
  return host.done();
}

/** Reads an object, or a part of it, in one step; announces the read if the object is shared. */
export function* look<T>(
  host: Host,
  kind: number,
  object: object,
  site: number,
  see: () => T,
  part: PropertyKey = WHOLE,
): Coroutine<T> {
  if (host.sharing.tagOf(object) !== undefined) {
    host.announce(kind, object, ArrayBuffer.isView(object) && part === WHOLE ? 0 : part, site);
    yield host.p;
    return host.observeResult(see());
  }
  return see();
}
