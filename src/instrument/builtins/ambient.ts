/**
 * Ambient inputs: what code can read that is neither its state nor its arguments. A proof holds only if there are none.
 *
 * Two guards, because neither sees everything:
 *
 *   calls     Where threads can be suspended, every call of a function of the platform is looked up. Only functions that are known to
 *             depend on nothing but their object and arguments are *repeatable*; all others count as not observed.
 *   sensors   Constructors, initializers, callbacks of native functions, getters and modules that load call without a lookup. So while
 *             such code runs, the known sources of time, randomness and load are replaced by functions that report each use.
 *
 * The static properties of `RegExp` hold what the last match of the thread left, and an engine matches too: reading them is refused.
 */
import childProcess from 'node:child_process';
import nodeCrypto from 'node:crypto';
import nodeFs from 'node:fs';
import { createRequire } from 'node:module';
import nodeOs from 'node:os';
import type { AnyFunction } from '../../base/any-function.js';
import type { SourcePosition } from '../../base/source-position.js';
import { callerAt } from '../../execution/callers.js';
import { isOfPlatform, originalOf, registerStandIn } from '../model/effects.js';
import { addIntrinsicStandIn } from '../model/reach.js';

// ── functions that depend only on their arguments ──

/** Globals whose functions, and those of their prototypes, are repeatable, except for time and randomness. */
const GLOBALS =
  'Object Function Array Number Boolean String Symbol BigInt Error AggregateError EvalError RangeError ReferenceError SyntaxError ' +
  'TypeError URIError RegExp Map Set WeakMap WeakSet WeakRef FinalizationRegistry ArrayBuffer SharedArrayBuffer DataView Uint8Array ' +
  'Int8Array Uint16Array Int16Array Uint32Array Int32Array Float32Array Float64Array Uint8ClampedArray BigUint64Array BigInt64Array ' +
  'Iterator JSON Math Reflect Atomics Proxy Promise Intl Date parseInt parseFloat isNaN isFinite encodeURI encodeURIComponent decodeURI ' +
  'decodeURIComponent escape unescape URL URLSearchParams TextEncoder TextDecoder structuredClone atob btoa AbortController AbortSignal ' +
  'DOMException console';
const MODULES = ['assert', 'buffer', 'path', 'querystring', 'string_decoder', 'url', 'util', 'zlib'];
const OF_CRYPTO =
  'createHash createHmac hash timingSafeEqual getHashes getCiphers getCurves pbkdf2Sync scryptSync hkdfSync Hash Hmac';
const OF_OS = 'arch endianness platform type release version machine';

/** What a Proxy accesses is not known, and the size of a buffer is no location. */
const UNSEEN: readonly unknown[] = [
  Proxy,
  Proxy.revocable,
  ...[ArrayBuffer.prototype, SharedArrayBuffer.prototype].flatMap((prototype) =>
    ['resize', 'grow', 'transfer', 'transferToFixedLength'].map(
      (name) => (prototype as unknown as Record<string, unknown>)[name],
    ),
  ),
];

let repeatable: Set<unknown> | undefined;

function repeatableFunctions(): Set<unknown> {
  const require = createRequire(import.meta.url);
  const found = new Set<unknown>();
  const add = (value: unknown): void => {
    if (value === null || (typeof value !== 'object' && typeof value !== 'function') || found.has(value))
      return;
    if (value === globalThis || value === process) return;
    found.add(value);
    add(Object.getPrototypeOf(value));
    for (const { value: held, get, set } of Object.values(Object.getOwnPropertyDescriptors(value)))
      for (const part of [held, get, set] as unknown[]) add(part);
  };
  for (const name of GLOBALS.split(' ')) add((globalThis as Record<string, unknown>)[name]);
  for (const name of MODULES) add(require(`node:${name}`));
  for (const name of OF_CRYPTO.split(' ')) add((nodeCrypto as unknown as Record<string, unknown>)[name]);
  for (const name of OF_OS.split(' ')) add((nodeOs as unknown as Record<string, unknown>)[name]);
  for (const iterator of [
    [].values(),
    new Map().keys(),
    new Set().keys(),
    ''.matchAll(/x/g),
    ''[Symbol.iterator](),
  ])
    add(Object.getPrototypeOf(iterator));
  add(Object.getPrototypeOf(function* () {}));
  for (const called of [Date, Date.now, Math.random]) found.delete(originalOf(called));
  for (const called of UNSEEN) found.delete(called);
  return found;
}

const { formatToParts } = Intl.DateTimeFormat.prototype;

/** Is it a function of the platform that depends on nothing but its object and its arguments? */
export function isRepeatable(called: AnyFunction, args: readonly unknown[]): boolean {
  if (!isOfPlatform(called)) return false;
  const original = originalOf(called);
  repeatable ??= repeatableFunctions();
  // without an argument, the present is formatted; formatters are functions without a name
  const isGiven = args[0] !== undefined;
  if (original === formatToParts) return isGiven;
  return repeatable.has(original) || (original.name === '' && isGiven);
}

/** Objects of the platform that a program can write to, and that are no state of the object under test. */
const HOST: ReadonlySet<unknown> = new Set<unknown>([
  process,
  process.env,
  process.argv,
  process.execArgv,
  process.versions,
  process.features,
  process.release,
  performance,
  console,
  globalThis.crypto,
]);

export const isHostObject = (object: unknown): boolean => HOST.has(object);

// ── sensors ──

/** An ambient input, and where it was read. */
export interface AmbientRead extends SourcePosition {
  readonly name: string;
}

/** Owner, its name, and its members that are ambient inputs. */
function sources(): readonly (readonly [owner: object, name: string, members: string])[] {
  const ofPerformance = Object.getPrototypeOf(performance) as object;
  const performanceMembers = Object.getOwnPropertyNames(ofPerformance).filter(
    (name) => name !== 'constructor',
  );
  return [
    [Math, 'Math', 'random'],
    [Date, 'Date', 'now'],
    [globalThis, '', 'Date'],
    [ofPerformance, 'performance', performanceMembers.join(' ')],
    [process.hrtime, 'process.hrtime', 'bigint'],
    [process.memoryUsage, 'process.memoryUsage', 'rss'],
    [
      process,
      'process',
      'uptime hrtime memoryUsage cpuUsage threadCpuUsage resourceUsage availableMemory constrainedMemory getActiveResourcesInfo',
    ],
    [
      nodeOs,
      'os',
      'uptime loadavg freemem totalmem cpus networkInterfaces getPriority availableParallelism hostname homedir tmpdir userInfo',
    ],
    [
      nodeCrypto,
      'crypto',
      'randomBytes pseudoRandomBytes randomFill randomFillSync randomInt randomUUID getRandomValues generateKeySync generateKeyPairSync generatePrimeSync',
    ],
    [Object.getPrototypeOf(globalThis.crypto) as object, 'crypto', 'getRandomValues randomUUID'],
    [Intl.DateTimeFormat.prototype, 'Intl.DateTimeFormat', 'format formatToParts'],
    [Event.prototype, 'Event', 'timeStamp'],
    [nodeFs, 'fs', Object.keys(nodeFs).filter(isSync).join(' ')],
    [childProcess, 'child_process', Object.keys(childProcess).filter(isSync).join(' ')],
  ];
}

const isSync = (name: string): boolean => name.endsWith('Sync');

interface Sensor {
  readonly owner: object;
  readonly member: string;
  readonly original: PropertyDescriptor;
  readonly installed: PropertyDescriptor;
}

/** Gets the name of an input that is read; `at` finds the place, which takes a while. */
export type Report = (name: string, at: () => SourcePosition) => void;

/** Reports what code reads while it is watched. */
export class Sensors {
  #sensors: Sensor[] | undefined;
  #users = 0;
  /** The last one counts. Undefined: code of our own runs. */
  readonly #reports: (Report | undefined)[] = [];
  readonly #wrappers = new Map<AnyFunction, AnyFunction>();

  /** Puts sensors in place. They report only what is read in `watch`. */
  install(): void {
    if (this.#users++ > 0) return;
    this.#sensors = this.#make();
    for (const { owner, member, installed } of this.#sensors) Object.defineProperty(owner, member, installed);
  }

  /** Puts back what was there, unless other code has replaced it since. */
  remove(): void {
    if (--this.#users > 0) return;
    for (const { owner, member, original, installed } of this.#sensors ?? []) {
      const now = Object.getOwnPropertyDescriptor(owner, member);
      if (now?.value === installed.value && now?.get === installed.get)
        Object.defineProperty(owner, member, original);
    }
  }

  /** Code of the user's begins: what it reads is reported, up to `endWatch`. */
  beginWatch(report: Report | undefined): void {
    this.#reports.push(report);
  }

  endWatch(): void {
    this.#reports.pop();
  }

  readonly #sense = (name: string): void => {
    const report = this.#reports.at(-1);
    if (report === undefined) return;
    this.beginWatch(undefined);
    report(name, callerAt);
    this.endWatch();
  };

  #make(): Sensor[] {
    return sources().flatMap(([owner, name, members]) =>
      members.split(' ').flatMap((member) => {
        const original = Object.getOwnPropertyDescriptor(owner, member);
        if (original === undefined || original.configurable === false) return [];
        const full = name === '' ? member : `${name}.${member}`;
        return [{ owner, member, original, installed: this.#sensing(original, full) }];
      }),
    );
  }

  #sensing(original: PropertyDescriptor, name: string): PropertyDescriptor {
    const { value, get } = original as { value?: unknown; get?: AnyFunction };
    if (typeof value === 'function')
      return { ...original, value: this.#standInFor(value as AnyFunction, name) };
    if (get === undefined) return original;
    const sense = this.#sense;
    const isFormat = name.endsWith('.format');
    const wrap = (called: AnyFunction): AnyFunction => this.#wrapped(called, name);
    return {
      ...original,
      get(this: unknown): unknown {
        if (!isFormat) sense(name);
        const read: unknown = Reflect.apply(get, this, []);
        return isFormat ? wrap(read as AnyFunction) : read;
      },
    };
  }

  /** One for each function, for all times: modules keep what they find when they load. */
  #standInFor(called: AnyFunction, name: string): AnyFunction {
    const made = this.#wrappers.get(called) ?? this.#wrapped(called, name);
    this.#wrappers.set(called, made);
    registerStandIn(made, called);
    addIntrinsicStandIn(made, called);
    return made;
  }

  /** A function that reports its calls. `new Date(…)` and formatters are ambient only without an argument. */
  #wrapped(called: AnyFunction, name: string): AnyFunction {
    const sense = this.#sense;
    const isAmbient = (args: readonly unknown[]) => !/format/.test(name) || args[0] === undefined;
    return new Proxy(called, {
      apply(target, self, args: unknown[]) {
        if (isAmbient(args)) sense(name);
        return Reflect.apply(target, self, args) as unknown;
      },
      construct(target, args: unknown[], newTarget) {
        if (args.length === 0) sense(`new ${name}`);
        return Reflect.construct(target, args, newTarget) as object;
      },
    });
  }
}

/** What files read while they load: such an input is a constant of this process, and another one would get another value. */
export class LoadReads {
  readonly #sensors: Sensors;
  /** Files by the load that they belong to; the first ones were loaded by a test runner. */
  readonly #loads: { readonly files: Set<string>; readonly reads: AmbientRead[] }[] = [
    { files: new Set(), reads: [] },
  ];
  #current = 0;
  #open = 0;

  constructor(sensors: Sensors) {
    this.#sensors = sensors;
  }

  /** The code of a file begins, and ends. */
  begin(file: string): void {
    const { files, reads } = this.#loads[this.#current];
    files.add(file);
    this.#open++;
    this.#sensors.install();
    this.#sensors.beginWatch((name, at) => {
      // a file that loads others has them read
      if (name.startsWith('fs.') || reads.some((read) => read.name === name)) return;
      reads.push({ name, ...at() });
    });
  }

  end(): void {
    if (this.#open === 0) return;
    this.#open--;
    this.#sensors.endWatch();
    this.#sensors.remove();
  }

  /** Loads files that belong together. A file that throws has no end. */
  together<T>(load: () => T): T {
    const { current, open } = { current: this.#current, open: this.#open };
    this.#current = this.#loads.push({ files: new Set(), reads: [] }) - 1;
    try {
      return load();
    } finally {
      while (this.#open > open) this.end();
      this.#current = current;
    }
  }

  /** What the files read that were loaded together with one, the last time. */
  readsOf(file: string | undefined): readonly AmbientRead[] {
    const load = this.#loads.findLast(({ files }) => file !== undefined && files.has(file));
    return (load ?? this.#loads[0]).reads;
  }
}

// ── what the last match left ──

let isGuarded = false;

/** From now on, `refuse` is called before a static property of `RegExp` is read that the last match has set. */
export function guardLastMatch(refuse: (name: string) => void): void {
  if (isGuarded) return;
  isGuarded = true;
  for (const [member, property] of Object.entries(Object.getOwnPropertyDescriptors(RegExp))) {
    const { get } = property;
    // `Symbol.species` is no string
    if (get === undefined || !property.configurable) continue;
    Object.defineProperty(RegExp, member, {
      ...property,
      get(this: unknown): unknown {
        refuse(`RegExp.${member}`);
        return Reflect.apply(get, this, []) as unknown;
      },
    });
  }
}
