/** Throttled and debounced functions. */
const call = (delayed, value) => delayed(value);
const cancel = (delayed) => delayed.cancel();
const flush = (delayed) => delayed.flush();

/** `throttle(run, wait)` */
const throttleOf = (throttle) => ({ create: (run, wait) => throttle(run, wait), call, cancel });
const debounceOf = (debounce) => ({ create: (run, wait) => debounce(run, wait), call, cancel, flush });

/** Of a function that returns promises. */
const promised = (debounce, options) => ({
  create: (run, wait) => debounce(async (value) => run(value), wait, options),
  call,
  promises: true,
});

const TOO_FAST = 'it runs at most once in 100 ms, and with the last value';
const DEBOUNCED = 'it runs 100 ms after the last call, with its value';
const ERROR = 'an error of the function goes to its calls';

export const entries = {
  'lodash.throttle': {
    from: 'lodash',
    kit: 'throttleKit',
    adapter: ({ default: lodash }) => throttleOf(lodash.throttle),
    violations: { [TOO_FAST]: { defect: 'lodash-throttle' } },
  },
  'lodash.debounce': {
    from: 'lodash',
    kit: 'debounceKit',
    adapter: ({ default: lodash }) => debounceOf(lodash.debounce),
  },
  'underscore.throttle': {
    from: 'underscore',
    kit: 'throttleKit',
    adapter: ({ default: underscore }) => throttleOf(underscore.throttle),
  },
  'underscore.debounce': {
    from: 'underscore',
    kit: 'debounceKit',
    adapter: ({ default: underscore }) => ({ ...debounceOf(underscore.debounce), flush: undefined }),
  },
  'es-toolkit throttle': {
    from: 'es-toolkit',
    kit: 'throttleKit',
    adapter: ({ throttle }) => throttleOf(throttle),
    violations: { [TOO_FAST]: { defect: 'es-toolkit-throttle' } },
  },
  'es-toolkit debounce': {
    from: 'es-toolkit',
    kit: 'debounceKit',
    adapter: ({ debounce }) => debounceOf(debounce),
  },
  'radash throttle': {
    from: 'radash',
    kit: 'throttleKit',
    adapter: ({ throttle }) => ({
      create: (run, interval) => throttle({ interval }, run),
      call,
      trailing: false,
    }),
  },
  'radash debounce': {
    from: 'radash',
    kit: 'debounceKit',
    adapter: ({ debounce }) => ({ create: (run, delay) => debounce({ delay }, run), call }),
  },
  'remeda debounce': {
    from: 'remeda',
    kit: 'debounceKit',
    adapter: ({ debounce }) => ({
      create: (run, waitMs) => debounce(run, { waitMs }),
      call: (debounced, value) => debounced.call(value),
      cancel,
      flush,
    }),
  },
  'throttle-debounce throttle': {
    from: 'throttle-debounce',
    kit: 'throttleKit',
    adapter: ({ throttle }) => ({
      create: (run, wait) => throttle(wait, run),
      call,
      cancel: (throttled) => throttled.cancel({ upcomingOnly: true }),
    }),
  },
  'throttle-debounce debounce': {
    from: 'throttle-debounce',
    kit: 'debounceKit',
    adapter: ({ debounce }) => ({
      create: (run, wait) => debounce(wait, run),
      call,
      cancel: (debounced) => debounced.cancel({ upcomingOnly: true }),
    }),
  },
  debounce: {
    from: 'debounce',
    kit: 'debounceKit',
    adapter: ({ default: debounce }) => ({
      ...debounceOf(debounce),
      cancel: (debounced) => debounced.clear(),
    }),
  },
  'perfect-debounce': {
    from: 'perfect-debounce',
    kit: 'debounceKit',
    adapter: ({ debounce }) => ({ ...promised(debounce), flush }),
    violations: {
      [ERROR]: { defect: 'perfect-debounce-error' },
      'a flush runs what waits, and ends its calls': { defect: 'perfect-debounce-flush' },
    },
  },
  'perfect-debounce leading': {
    from: 'perfect-debounce',
    kit: 'debounceKit',
    adapter: ({ debounce }) => ({ ...promised(debounce, { leading: true }), leading: true, promises: false }),
    violations: { [DEBOUNCED]: { defect: 'perfect-debounce-leading' } },
  },
  'p-debounce': {
    from: 'p-debounce',
    kit: 'debounceKit',
    adapter: ({ default: pDebounce }) => promised(pDebounce),
  },
  'p-debounce before': {
    from: 'p-debounce',
    kit: 'debounceKit',
    adapter: ({ default: pDebounce }) => ({
      ...promised(pDebounce, { before: true }),
      leading: true,
      trailing: false,
    }),
    violations: { [ERROR]: { defect: 'p-debounce-before' } },
  },
  'p-debounce signal': {
    from: 'p-debounce',
    file: 'p-debounce-signal.scenario.js',
    violations: { 'p-debounce signal': { defect: 'p-debounce-signal' } },
  },
  'p-debounce after': {
    from: 'p-debounce',
    file: 'p-debounce-after.scenario.js',
    violations: { 'p-debounce after': { defect: 'p-debounce-after' } },
  },
  'debounce-fn': {
    from: 'debounce-fn',
    kit: 'debounceKit',
    adapter: ({ default: debounceFn }) => ({
      create: (run, wait) => debounceFn(run, { wait }),
      call,
      cancel,
    }),
  },
  'debounce-promise': {
    from: 'debounce-promise',
    kit: 'debounceKit',
    adapter: ({ default: debounce }) => promised(debounce),
  },
  'awesome-debounce-promise': {
    from: 'awesome-debounce-promise',
    kit: 'debounceKit',
    // by default, only the last call gets a result
    adapter: ({ default: debounce }) => ({ ...promised(debounce.default ?? debounce), promises: false }),
  },
  'just-debounce-it': {
    from: 'just-debounce-it',
    kit: 'debounceKit',
    adapter: ({ default: debounce }) => debounceOf(debounce),
  },
  'just-throttle trailing': {
    from: 'just-throttle',
    kit: 'throttleKit',
    adapter: ({ default: throttle }) => ({
      create: (run, wait) => throttle(run, wait, { leading: false, trailing: true }),
      call,
      cancel,
    }),
  },
  throttleit: {
    from: 'throttleit',
    kit: 'throttleKit',
    adapter: ({ default: throttle }) => ({ create: (run, wait) => throttle(run, wait), call }),
  },
  '@github/mini-throttle throttle': {
    from: '@github/mini-throttle',
    kit: 'throttleKit',
    adapter: ({ throttle }) => ({ create: (run, wait) => throttle(run, wait), call }),
  },
  '@github/mini-throttle debounce': {
    from: '@github/mini-throttle',
    kit: 'debounceKit',
    adapter: ({ debounce }) => ({ create: (run, wait) => debounce(run, wait), call }),
  },
  '@jcoreio/async-throttle': {
    from: '@jcoreio/async-throttle',
    kit: 'throttleKit',
    adapter: ({ default: throttle }) => ({ ...promised(throttle), cancel, flush }),
  },
  // a call that another one supersedes rejects
  'debounce-async': {
    from: 'debounce-async',
    kit: 'debounceKit',
    adapter: ({ default: { default: debounce } }) => ({
      create: (run, wait) => debounce(async (value) => run(value), wait),
      call: (debounced, value) => void debounced(value).catch(() => {}),
    }),
  },
};
