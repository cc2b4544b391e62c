/**
 * Accesses of instrumented code: members, variables, loops.
 *
 * Each method returns the `StepAction` for the code. Objects of one thread are accessed without announcement. A change of such an object is
 * still recorded, because a loop iteration that changes one makes progress.
 */
import { formatPosition } from '../../base/source-position.js';
import { access, PLAIN_DATA, READ, UPDATE, WRITE } from '../../execution/memory/access.js';
import type { Frames } from '../../execution/memory/call-frames.js';
import { EVERYTHING } from '../../execution/memory/locations.js';
import type { Memory } from '../../execution/memory/memory.js';
import { ProgramError, RestartError } from '../../execution/memory/program-error.js';
import type { Coroutine } from '../../execution/program.js';
import { isHostObject } from '../builtins/ambient.js';
import { accessorCoroutine, isAccessor } from '../model/coroutine-versions.js';
import type { StepAction } from '../model/host.js';
import { isIntrinsic, NO_MORE, snapshotOf } from '../model/reach.js';
import {
  changesHeirs,
  isLocation,
  isReadOnlyMember,
  isUnannouncedMethod,
  MODULE_STATE,
  ownerOf,
  SharedScope,
  Sharing,
  WHOLE,
} from '../model/sharing.js';
import { Sites } from '../model/sites.js';
import { ModuleState } from './module-state.js';

export class Accesses {
  readonly sites: Sites = new Sites();
  readonly sharing: Sharing = new Sharing(this.sites);
  readonly moduleState: ModuleState = new ModuleState(this.sharing, (site) =>
    this.fail(site, CANNOT_SUSPEND),
  );
  p = 0;
  g: Coroutine = nothing();
  v: unknown;
  readonly no: object = NO_MORE;
  /** Proxies. Only the program may read them, because reading runs its traps. */
  protected readonly hasTraps: WeakSet<object> = new WeakSet();
  /** The first thing that could not be explored. The program may have caught the error. */
  failure: ProgramError | undefined;

  /** Undefined while the object is created, and outside of any exploration. */
  get memory(): Memory | undefined {
    return this.sharing.memory;
  }

  fail(site: number, message: string): never {
    throw this.note(site, message);
  }

  /** Records a failure where nothing can be thrown; it is thrown at the next opportunity. */
  note(site: number, message: string): ProgramError {
    const error = new ProgramError(`${formatPosition(this.sites.placeOf(site))}: ${message}`);
    this.failure ??= error;
    return error;
  }

  /** What was explored so far is not valid. The program may catch the error, so the next execution throws it too. */
  protected restart(learn: () => void): never {
    learn();
    const error = new RestartError('what was explored so far is not valid');
    this.failure ??= error;
    throw error;
  }

  /** The object is created, and threads start. */
  enter(memory: Memory): void {
    this.sharing.memory = memory;
    memory.freeze = (value) => snapshotOf(value, this.#isShared);
    memory.isOwn = (value) => isObject(value) && !this.#isShared(value);
    memory.share = (value) => this.sharing.publish(value);
    this.moduleState.visitChanged((value) => this.sharing.publish(value));
  }

  readonly #isShared = (object: object): boolean =>
    this.sharing.tagOf(object) !== undefined || isIntrinsic(object);

  /** No thread runs any more: instrumented code behaves like plain code. */
  leave(): void {
    this.sharing.memory = undefined;
  }

  /** Runs code that belongs to no thread as plain code: a spec may be in the same file as its object. */
  aside<T>(run: () => T): T {
    const { memory } = this.sharing;
    this.leave();
    try {
      return run();
    } finally {
      this.sharing.memory = memory;
    }
  }

  /** A coroutine that is called at a site; with call frames, if they are recorded. */
  into(coroutine: Coroutine, site: number): Coroutine {
    const { memory } = this;
    return memory?.frames === undefined ? coroutine : framed(memory.frames, memory.current, coroutine, site);
  }

  // ── members ──

  read(object: unknown, key: PropertyKey, site: number): StepAction {
    if (this.memory === undefined || object === null || object === undefined) return 0;
    const tag = this.sharing.tagOf(object);
    // only code that is not instrumented changes such a field
    if (this.sites.immutableReads[site] === 1 && tag?.isOpaque !== true) return 0;
    if (isAccessor(key) && isObject(object)) {
      const getter = accessorCoroutine(object, key, 'get');
      if (getter !== undefined) {
        this.g = this.into(getter.call(object), site);
        return 2;
      }
    }
    if (isObject(key)) return this.#refuseKey(tag, key, site);
    if (tag?.kind === 'itself')
      return isLocation(object, tag, key) ? this.announce(READ, object, key, site) : 0;
    if (!isObject(object)) return 0;
    if (ArrayBuffer.isView(object))
      return tag && isLocation(object, tag, key) ? this.announce(READ, object, key, site) : 0;
    // an object of one thread may inherit from a shared one
    const isOwn = tag === undefined && Object.hasOwn(object, key);
    const owner = isOwn
      ? undefined
      : (ownerOf(object, key) ?? (this.sites.isWritten(key) ? object : undefined));
    if (owner === undefined || this.sharing.tagOf(owner) === undefined) return 0;
    if (tag?.isOpaque) {
      this.unobserved(object, key, site);
      return this.announceEverything(site);
    }
    return this.announce(READ, owner, key, site);
  }

  /** A member is assigned in the step that was announced. If it is new, the keys of its object change too. */
  adding(object: object, key: PropertyKey): void {
    if (this.memory === undefined || ArrayBuffer.isView(object)) return;
    const isLength = key === 'length' && Array.isArray(object);
    if (isLength || !Object.hasOwn(object, key)) this.widen(object, key);
  }

  /** The step that was announced accesses all of an object; and what it inherits, if it inherits the member. */
  widen(object: object, key: PropertyKey): void {
    const tag = this.sharing.tagOf(object);
    if (tag === undefined || tag.kind !== 'fields') return;
    const isInherited = (ownerOf(object, key) ?? object) !== object;
    this.memory!.widen(isInherited ? EVERYTHING : this.sharing.locationOf(object, tag, WHOLE));
  }

  /** Reads or changes an object whose accesses are not all known. */
  unobserved(_object: object, _key: PropertyKey, _site: number): void {}

  /** A field is assigned through `super`: if nothing else, it becomes one of the object's own. */
  assign(object: unknown, key: PropertyKey, value: unknown, site: number): boolean {
    return this.write(object, key, value, site, false) === 1;
  }

  write(object: unknown, key: PropertyKey, value: unknown, site: number, hasSetter = true): StepAction {
    const { memory } = this;
    if (hasSetter && memory !== undefined && isAccessor(key) && isObject(object)) {
      const setter = accessorCoroutine(object, key, 'set');
      if (setter !== undefined) {
        this.g = this.into(setter.call(object, value), site);
        return 2;
      }
    }
    const tag = this.sharing.tagOf(object);
    if (memory !== undefined && isObject(key)) return this.#refuseKey(tag, key, site);
    if (memory !== undefined && isObject(value)) this.#refuseNumber(object, key, value, site);
    if (tag === undefined) {
      if (memory === undefined) return 0;
      if (isObject(object) && (isHostObject(object) || isIntrinsic(object)))
        this.unobserved(object, key, site);
      this.#changeOwn(object, key, value);
      return 0;
    }
    if (tag.execution === MODULE_STATE) this.moduleState.change(object as object);
    if (memory === undefined || tag.kind === 'itself') return 0;
    if (tag.kind === 'fields' && this.sites.isReadAsImmutable(key))
      this.restart(() => this.sites.becomesMutable(key));
    this.sharing.publish(value);
    if (value !== REMOVED) memory.storing(value);
    const isView = ArrayBuffer.isView(object);
    if (changesHeirs(object as object, key, value === REMOVED)) this.unobserved(object as object, key, site);
    if (tag.isOpaque) {
      this.unobserved(object as object, key, site);
      return this.announceEverything(site);
    }
    return this.announce(
      WRITE,
      isView ? object : (ownerOf(object as object, key) ?? (object as object)),
      key,
      site,
    );
  }

  #changeOwn(object: unknown, key: PropertyKey, value: unknown): void {
    if (!isObject(object)) return;
    if (
      !this.hasTraps.has(object) &&
      Object.hasOwn(object, key) &&
      Object.is((object as Record<PropertyKey, unknown>)[key], value)
    )
      return;
    this.changed();
  }

  /** The current thread has changed, or may have changed, an object that is not shared. */
  changed(): void {
    this.memory!.touch();
  }

  remove(object: unknown, key: PropertyKey, site: number): boolean {
    return this.write(object, key, REMOVED, site) === 1;
  }

  has(object: unknown, key: PropertyKey, site: number): boolean {
    const tag = this.memory === undefined ? undefined : this.sharing.tagOf(object);
    if (this.memory !== undefined && isObject(key)) this.#refuseKey(tag, key, site);
    if (tag === undefined || tag.kind === 'itself') return false;
    this.announce(READ, ownerOf(object as object, key) ?? (object as object), key, site);
    return true;
  }

  /** The conversion of a key may run code of the user's. */
  #refuseKey(tag: unknown, key: object, site: number): 0 {
    return tag === undefined && !this.sharing.isReachable([key])
      ? 0
      : this.fail(site, 'a key that is an object: make it a string or a symbol first');
  }

  /** So may that of a value to a number, where only numbers can be stored. */
  #refuseNumber(object: unknown, key: PropertyKey, value: object, site: number): void {
    const isNumber = ArrayBuffer.isView(object) || (key === 'length' && Array.isArray(object));
    if (isNumber && this.sharing.isReachable([value]))
      this.fail(site, 'an object that is stored as a number: make it a number first');
  }

  announce(kind: number, object: object, key: PropertyKey, site: number): 1 {
    const memory = this.memory!;
    if (typeof key === 'object' || typeof key === 'function')
      this.fail(site, 'a key that is an object: make it a string or a symbol first');
    memory.site = site;
    memory.data = PLAIN_DATA;
    this.p = access(kind, this.sharing.locationOf(object, this.sharing.tagOf(object)!, key));
    return 1;
  }

  /** An access of unknown extent. */
  announceEverything(site: number): 1 {
    this.memory!.site = site;
    this.p = access(UPDATE, EVERYTHING);
    return 1;
  }

  observe<T>(value: T): T {
    // it comes from a shared object, so other threads can get it too
    if (isObject(value) && this.sharing.tagOf(value) === undefined) this.sharing.publish(value, false);
    return this.observeResult(value);
  }

  /** The result of a built-in function: a copy of what is shared, which only this thread has. */
  observeResult<T>(value: T): T {
    this.memory!.observe(value);
    return value;
  }

  /** In sync mode, before an object or a shared scope is used: fails if the access would need an announcement. */
  now<T>(object: T, site: number): T {
    const tag = this.sharing.tagOf(object);
    if (tag === undefined) return object;
    if (tag.execution === MODULE_STATE) this.moduleState.change(object as object);
    if (this.memory === undefined) return object;
    const name = this.sites.names[site];
    const isQuiet = this.sites.immutableReads[site] === 1 && !(object instanceof SharedScope);
    const isRead = !isQuiet && isLocation(object as object, tag, name);
    return isRead || isUnannouncedMethod(object as object, tag, name)
      ? this.fail(site, CANNOT_SUSPEND)
      : object;
  }

  /** The same for reads: containers of module state that never change may be read. */
  glance<T>(object: T, site: number): T {
    const isOfFile = this.sharing.tagOf(object)?.execution === MODULE_STATE;
    if (!isOfFile || !isReadOnlyMember(object as object, this.sites.names[site]))
      return this.now(object, site);
    if (this.memory === undefined) return object;
    return this.moduleState.keepUnchanged(object as object, site) ? object : this.now(object, site);
  }

  // ── variables ──

  scope(): SharedScope {
    return new SharedScope();
  }

  get(scope: SharedScope, site: number): boolean {
    if (this.memory === undefined || this.sharing.tagOf(scope) === undefined) return false;
    this.announce(READ, scope, this.sites.names[site], site);
    return true;
  }

  set(scope: SharedScope, value: unknown, site: number): boolean {
    const tag = this.sharing.tagOf(scope);
    if (tag?.execution === MODULE_STATE) this.moduleState.change(scope);
    if (this.memory === undefined) return false;
    if (tag === undefined) {
      this.changed();
      return false;
    }
    this.sharing.publish(value);
    this.memory.storing(value);
    this.announce(WRITE, scope, this.sites.names[site], site);
    return true;
  }
}

const isObject = (value: unknown): value is object =>
  value !== null && (typeof value === 'object' || typeof value === 'function');

/** What a field holds that was deleted. */
const REMOVED = Symbol('removed');

export const CANNOT_SUSPEND =
  'shared by threads, and used where a thread cannot be suspended: in a callback of code that is not instrumented; or in the constructor or an initializer of a class that has `new.target`, a computed field, or, if it extends another one, no name, `arguments`, a member of `super`, or `super(…)` inside of another statement. Do it in a method, or instrument that code too';

function* nothing(): Coroutine<void> {}

function* framed(frames: Frames, thread: number, coroutine: Coroutine, site: number): Coroutine {
  frames.enter(thread, site);
  try {
    return yield* coroutine;
  } finally {
    frames.leave(thread);
  }
}
