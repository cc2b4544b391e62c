/** The kinds of objects that kits are for: names of classes and functions, and the methods that become fields of an adapter. */
import type { ExportedObject, Method } from './exported-objects.js';
import { isFunction, type KitValues } from './kit-arguments.js';
import { requiredOf, type Syntax } from './parameters.js';
import { typeOf } from './sample-values.js';

/** What a field of an adapter becomes; undefined if the method does not fit. */
type Field = (method: Method, variable: string, object: ExportedObject) => string | undefined;

interface Role {
  readonly field: string;
  readonly methods: RegExp;
  readonly text: Field;
  readonly isRequired?: boolean;
}

export interface Kind {
  readonly kit: string;
  /** The names of classes and functions. */
  readonly names: RegExp;
  /** Objects with other names: their types say what they are. */
  readonly isLike?: (object: ExportedObject) => boolean;
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

/** `push(run: () => Promise<T>): Promise<T>` */
const takesJob = ({ name, parameters: [job, ...others], isAsynchronous }: Method): boolean =>
  /^(add|push|enqueue|schedule|submit)$/i.test(name) &&
  job !== undefined &&
  others.length === 0 &&
  isAsynchronous &&
  typeOf(job)?.type === 'TSFunctionType' &&
  requiredOf(typeOf(job)!).length === 0;

/** The first kind that fits is proposed, so special names come first. */
export const KINDS: readonly Kind[] = [
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
    kit: 'conditionKit',
    names: /monitor|condition/i,
    variable: 'condition',
    roles: [
      role('acquire', /^(acquire|lock|enter)$/i, plain, true),
      role('wait', /^wait$/i, plain, true),
      role('notify', /^(notify|notify_?one|signal|wake)$/i, plain, true),
      role('notifyAll', /^(notify_?all|signal_?all|broadcast|wake_?all)$/i),
    ],
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
    isLike: ({ methods }) => methods.some(takesJob),
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
      role('onIdle', /^(onIdle|idle|drain|drained|join|done)$/i),
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
export const FUNCTIONS: readonly (readonly [
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
