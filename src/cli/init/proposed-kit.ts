/** The kit that fits a class, a factory or a function, by its name and its methods, and a scenario that uses it. */
import type { ExportedFunction, ExportedObject, Method } from './exported-objects.js';
import { createFields, isFunction, type KitValues } from './kit-arguments.js';
import type { Syntax } from './parameters.js';
import { type Samples, typeOf } from './sample-values.js';

export interface KitProposal {
  /** `mutexKit` */
  readonly kit: string;
  /** The fields of the adapter, as source text. */
  readonly fields: readonly string[];
}

/** What a field of an adapter becomes; undefined if the method does not fit. */
type Field = (method: Method, variable: string, object: ExportedObject) => string | undefined;

interface Role {
  readonly field: string;
  readonly methods: RegExp;
  readonly text: Field;
  readonly isRequired?: boolean;
}

interface Kind {
  readonly kit: string;
  /** The names of classes and functions. */
  readonly names: RegExp;
  readonly variable: string;
  readonly given?: KitValues;
  readonly roles: readonly Role[];
}

/** Is a parameter a function, by its type or by its name? */
const isFunctionType = (parameter: Syntax | undefined): boolean =>
  parameter !== undefined && isFunction((parameter as { name?: string }).name ?? '', typeOf(parameter));

const plain: Field = ({ name, parameters }, variable) =>
  parameters.length === 0 ? `(${variable}) => ${variable}.${name}()` : undefined;
const withOne =
  (argument: string): Field =>
  ({ name, parameters }, variable) =>
    parameters.length === 1 && !isFunctionType(parameters[0])
      ? `(${variable}, ${argument}) => ${variable}.${name}(${argument})`
      : undefined;
const withJob: Field = ({ name, parameters }, variable) =>
  parameters.length === 1 && (isFunctionType(parameters[0]) || typeOf(parameters[0]) === undefined)
    ? `(${variable}, job) => ${variable}.${name}(job)`
    : undefined;

const role = (field: string, methods: RegExp, text: Field = plain, isRequired = false): Role => ({
  field,
  methods,
  text,
  isRequired,
});

const ACQUIRE = /^(acquire|lock|take|wait|enter|down)$/i;
const TRY = role('tryAcquire', /^(try_?acquire|try_?lock|acquireNow)$/i);
const USE = role('use', /^(runExclusive|use|withLock|withPermit|runWith|run)$/i, (method, variable, object) =>
  withJob(method, variable, object)?.replaceAll('job', 'run'),
);
const IS_LOCKED = role('isLocked', /^(isLocked|isHeld)$/i, (method, variable, object) =>
  method.isAsynchronous ? undefined : plain(method, variable, object),
);
const CLOSE = role('close', /^(close|end|stop|shutdown)$/i);

/** The first kind that fits is proposed, so special names come first. */
const KINDS: readonly Kind[] = [
  {
    kit: 'readWriteLockKit',
    names: /(rw|read\w*write\w*|shared)_?(lock|mutex)/i,
    variable: 'lock',
    roles: [
      role('acquireRead', /^(acquire_?read\w*|read_?lock|lock_?read|r_?lock|lock_?shared)$/i, plain, true),
      role('acquireWrite', /^(acquire_?write\w*|write_?lock|lock_?write|w_?lock|lock)$/i, plain, true),
    ],
  },
  {
    kit: 'semaphoreKit',
    names: /sema/i,
    variable: 'semaphore',
    given: { numbers: ['permits'] },
    roles: [role('acquire', ACQUIRE, plain, true), TRY, USE],
  },
  {
    kit: 'mutexKit',
    names: /mutex|lock(?!down|ed)/i,
    variable: 'mutex',
    roles: [role('acquire', ACQUIRE, plain, true), TRY, USE, IS_LOCKED],
  },
  {
    kit: 'circuitBreakerKit',
    names: /circuit|breaker/i,
    variable: 'breaker',
    given: { functions: 'run', numbers: ['threshold', 'reset'] },
    roles: [role('call', /^(call|fire|exec|execute|invoke|run)$/i, plain, true)],
  },
  {
    kit: 'batcherKit',
    names: /batch|data_?loader/i,
    variable: 'batcher',
    given: { functions: 'loadMany', numbers: ['max'] },
    roles: [role('load', /^(load|get|add|request)$/i, withOne('key'), true)],
  },
  {
    kit: 'rateLimiterKit',
    names: /rate|limiter|bucket|quota/i,
    variable: 'limiter',
    given: { numbers: ['limit', 'interval'] },
    roles: [
      role('run', /^(run|schedule|exec|execute|add|wrap)$/i, withJob),
      role('run', /^(acquire|take|wait|consume|removeTokens)$/i, ({ name, parameters }, variable) =>
        parameters.length <= 1
          ? `async (${variable}, job) => {\n      await ${variable}.${name}(${parameters.length === 0 ? '' : '1'});\n      return job();\n    }`
          : undefined,
      ),
    ],
  },
  {
    kit: 'jobQueueKit',
    names: /queue|workers?|executor|scheduler|runner|pool|limit/i,
    variable: 'queue',
    given: { numbers: ['concurrency'] },
    roles: [
      role(
        'add',
        /^(add|push|run|exec|execute|enqueue|schedule|submit|process)$/i,
        (method, variable, object) =>
          isFunctionType(method.parameters[0]) ? withJob(method, variable, object) : undefined,
        true,
      ),
      role('onIdle', /^(onIdle|idle|drain|drained|join)$/i),
      role('pause', /^pause$/i),
      role('resume', /^(resume|start)$/i),
    ],
  },
  {
    kit: 'channelKit',
    names: /chan/i,
    variable: 'channel',
    given: { numbers: ['capacity'] },
    roles: [
      role('put', /^(send|put|write|push)$/i, withOne('item'), true),
      role('take', /^(receive|recv|take|get|read|pop|shift)$/i, plain, true),
      CLOSE,
    ],
  },
  {
    kit: 'queueKit',
    names: /queue|mailbox|buffer|fifo/i,
    variable: 'queue',
    given: { numbers: ['capacity'] },
    roles: [
      role('put', /^(put|push|enqueue|add|send|offer|write)$/i, withOne('item'), true),
      role(
        'take',
        /^(take|shift|pop|dequeue|get|receive|poll|read|next)$/i,
        (method, variable, object) => (method.isAsynchronous ? plain(method, variable, object) : undefined),
        true,
      ),
      role('tryTake', /^try_?(take|shift|pop|dequeue|get|receive|read)$/i),
      CLOSE,
    ],
  },
  {
    kit: 'cacheKit',
    names: /cache|loader|memo/i,
    variable: 'cache',
    given: { functions: 'load' },
    roles: [
      role(
        'get',
        /^(get|fetch|load|wrap|getOrLoad|getOrSet|resolve)$/i,
        ({ name, parameters }, variable, object) => {
          const [, second] = parameters;
          const isLoading = object.parameters.some(isFunctionType);
          if (parameters.length === 2 && isFunctionType(second))
            return `(${variable}, key, load) => ${variable}.${name}(key, () => load(key))`;
          return parameters.length === 1 && isLoading
            ? `(${variable}, key) => ${variable}.${name}(key)`
            : undefined;
        },
        true,
      ),
      role('invalidate', /^(delete|del|invalidate|remove|evict|expire)$/i, withOne('key')),
      role('set', /^(set|put)$/i, ({ name, parameters }, variable) =>
        parameters.length === 2 ? `(${variable}, key, value) => ${variable}.${name}(key, value)` : undefined,
      ),
      role('refresh', /^(refresh|reload)$/i, withOne('key')),
    ],
  },
  {
    kit: 'poolKit',
    names: /pool/i,
    variable: 'pool',
    given: { functions: 'factory.create', numbers: ['max'] },
    roles: [
      role(
        'acquire',
        /^(acquire|take|get|borrow|checkout)$/i,
        (method, variable, object) =>
          object.parameters.some(isFunctionType) ? plain(method, variable, object) : undefined,
        true,
      ),
      role('release', /^(release|return|give|put|recycle)$/i, withOne('resource'), true),
      role('destroy', /^(destroy|discard|invalidate)$/i, withOne('resource')),
    ],
  },
  {
    kit: 'barrierKit',
    names: /barrier/i,
    variable: 'barrier',
    given: { numbers: ['parties'] },
    roles: [role('wait', /^(wait|arrive\w*|\w*AndWait|sync|enter|pass)$/i, plain, true)],
  },
  {
    kit: 'latchKit',
    names: /latch|count_?down|wait_?group/i,
    variable: 'latch',
    given: { numbers: ['count'] },
    roles: [
      role('countDown', /^(count_?down|signal|done|decrement|arrive)$/i, plain, true),
      role('wait', /^(wait|await|join)$/i, plain, true),
    ],
  },
  {
    kit: 'eventKit',
    names: /event|signal|gate/i,
    variable: 'event',
    roles: [
      role('set', /^(set|open|fire|trigger|signal)$/i, plain, true),
      role('wait', /^(wait|pass)$/i, plain, true),
      role('reset', /^(reset|clear)$/i),
    ],
  },
];

/** Functions that make functions. */
const FUNCTIONS: readonly (readonly [
  names: RegExp,
  kit: string,
  fields: (name: string) => readonly string[],
])[] = [
  [
    /debounce/i,
    'debounceKit',
    (name) => [`create: (run, wait) => ${name}(run, wait)`, 'call: (debounced, value) => debounced(value)'],
  ],
  [
    /throttle/i,
    'throttleKit',
    (name) => [`create: (run, wait) => ${name}(run, wait)`, 'call: (throttled, value) => throttled(value)'],
  ],
  [/memo/i, 'memoKit', (name) => [`create: (run) => ${name}(run)`, 'call: (memoized, key) => memoized(key)']],
  [/once/i, 'onceKit', (name) => [`create: (run) => ${name}(run)`, 'call: (run) => run()']],
];

/** The kit for an object; undefined if none fits. */
export function proposedKit(object: ExportedObject, samples: Samples): KitProposal | undefined {
  for (const kind of KINDS) {
    if (!kind.names.test(object.name)) continue;
    const fields = fieldsOf(kind, object, samples);
    if (fields !== undefined) return { kit: kind.kit, fields };
  }
  return undefined;
}

/** The kit for a function that makes a function. */
export function proposedFunctionKit({ name }: ExportedFunction): KitProposal | undefined {
  const found = FUNCTIONS.find(([names]) => names.test(name));
  return found && { kit: found[1], fields: found[2](name) };
}

function fieldsOf(kind: Kind, object: ExportedObject, samples: Samples): readonly string[] | undefined {
  const fields = new Map<string, string>();
  for (const { field, methods, text, isRequired } of kind.roles) {
    if (fields.has(field)) continue;
    const found = object.methods.find(
      (method) => methods.test(method.name) && text(method, kind.variable, object) !== undefined,
    );
    const own = found && text(found, kind.variable, object);
    if (own === undefined && isRequired) return undefined;
    if (found === undefined || own === undefined) continue;
    fields.set(field, own);
    if (!/^acquire/.test(field) || kind.kit === 'poolKit') continue;
    const suffix = field.slice('acquire'.length);
    const release = releaseOf(found, suffix, kind.variable, object, samples);
    if (release === undefined) return undefined;
    fields.set(`release${suffix}`, release);
  }
  // at least one field beside those of the constructor
  if (fields.size === 0) return undefined;
  return [
    ...createFields(kind.given ?? {}, object, samples),
    ...Array.from(fields, ([field, text]) => `${field}: ${text}`),
  ];
}

/** How what a method acquires is released: a function or an object that it returns, or a method of the object. */
function releaseOf(
  acquire: Method,
  suffix: string,
  variable: string,
  { methods }: ExportedObject,
  samples: Samples,
): string | undefined {
  const handle = samples.handleOf(acquire);
  if (handle === '') return `(_${variable}, release) => release()`;
  if (handle !== undefined) return `(_${variable}, handle) => handle.${handle}()`;
  const names = new RegExp(
    `^(release_?${suffix}\\w*|${suffix}_?unlock|unlock_?${suffix}|${suffix === 'Read' ? 'r_?unlock|unlock_?shared' : suffix === 'Write' ? 'w_?unlock|unlock' : 'leave|up|signal|free'}|release|unlock)$`,
    'i',
  );
  const found = methods.find(({ name }) => names.test(name));
  if (found === undefined) return undefined;
  if (found.parameters.length === 0) return `(${variable}) => ${variable}.${found.name}()`;
  return samples.isGiven(acquire, found)
    ? `(${variable}, handle) => ${variable}.${found.name}(handle)`
    : undefined;
}

/** Kits of objects with keys. */
const STRINGS = ['cacheKit', 'batcherKit', 'memoKit'];
const CONVERTED = `// keys and values are strings: if those of your class are not, convert them here
`;

/** The scenario of a class or function with its kit. */
export const kitText = (
  { name, isDefault }: ExportedFunction,
  { kit, fields }: KitProposal,
  path: string,
): string =>
  `import { ${kit} } from 'straightedge/kits';
import ${isDefault ? name : `{ ${name} }`} from '${path}';

// what else it guarantees: see the guide on kits
${STRINGS.includes(kit) ? CONVERTED : ''}export default ${kit}({
  name: '${name}',
${fields.map((field) => `  ${field},\n`).join('')}});
`;
