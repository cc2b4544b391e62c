/** Barriers, latches, events and condition variables. */
export const entries = {
  '@esfx/async-barrier': {
    from: '@esfx/async-barrier',
    kit: 'barrierKit',
    adapter: ({ AsyncBarrier }) => ({
      create: (parties) => new AsyncBarrier(parties),
      wait: (barrier) => barrier.signalAndWait(),
    }),
  },
  'tstl Barrier': {
    from: 'tstl',
    kit: 'barrierKit',
    adapter: ({ Barrier }) => ({
      create: (parties) => new Barrier(parties),
      wait: (barrier) => barrier.arrive_and_wait(),
    }),
    violations: {
      'no call passes before all have arrived': { defect: 'tstl-barrier' },
      'the barrier can be used again': { defect: 'tstl-barrier' },
    },
  },
  '@esfx/async-manualresetevent': {
    from: '@esfx/async-manualresetevent',
    kit: 'eventKit',
    adapter: ({ AsyncManualResetEvent }) => ({
      create: () => new AsyncManualResetEvent(false),
      set: (event) => event.set(),
      reset: (event) => event.reset(),
      wait: (event) => event.wait(),
    }),
  },
  '@esfx/async-countdown': {
    from: '@esfx/async-countdown',
    kit: 'latchKit',
    adapter: ({ AsyncCountdownEvent }) => ({
      create: (count) => new AsyncCountdownEvent(count),
      countDown: (latch) => latch.signal(),
      wait: (latch) => latch.wait(),
    }),
  },
  'await-notify': {
    from: 'await-notify',
    kit: 'eventKit',
    adapter: ({ default: { Subject } }) => ({
      create: () => ({ subject: new Subject(), isSet: false }),
      set: (own) => {
        own.isSet = true;
        own.subject.notifyAll();
      },
      wait: async (own) => {
        while (!own.isSet) await own.subject.wait();
      },
    }),
  },
  'sync-primitives Event': {
    from: 'sync-primitives',
    kit: 'eventKit',
    adapter: ({ default: own }) => {
      const { Event } = own.default ?? own;
      const Made = Event.default ?? Event;
      return {
        create: () => new Made(),
        set: (event) => event.set(),
        reset: (event) => event.clear(),
        wait: (event) => event.wait(),
      };
    },
  },
  'async-primitives ManuallyConditional': {
    from: 'async-primitives',
    kit: 'eventKit',
    adapter: ({ createManuallyConditional }) => ({
      create: () => createManuallyConditional(),
      set: (event) => event.raise(),
      reset: (event) => event.drop(),
      wait: (event) => event.wait(),
    }),
  },
  '@esfx/async-autoresetevent': {
    from: '@esfx/async-autoresetevent',
    kit: 'eventKit',
    adapter: ({ AsyncAutoResetEvent }) => ({
      create: () => new AsyncAutoResetEvent(false),
      set: (event) => event.set(),
      reset: (event) => event.reset(),
      wait: (event) => event.wait(),
      autoReset: true,
    }),
  },
  'tstl ConditionVariable': {
    from: 'tstl',
    kit: 'conditionKit',
    adapter: ({ ConditionVariable, Mutex }) => ({
      create: () => ({ mutex: new Mutex(), condition: new ConditionVariable() }),
      acquire: ({ mutex }) => mutex.lock(),
      release: ({ mutex }) => mutex.unlock(),
      // it knows no lock: waiting begins before the lock is released
      wait: async ({ mutex, condition }) => {
        const woken = condition.wait();
        await mutex.unlock();
        await woken;
        await mutex.lock();
      },
      waitUntil: async ({ mutex, condition }, _handle, isReady) => {
        const woken = condition.wait(isReady);
        await mutex.unlock();
        await woken;
        await mutex.lock();
      },
      notify: ({ condition }) => condition.notify_one(),
      notifyAll: ({ condition }) => condition.notify_all(),
    }),
    violations: {
      'a wait for a condition ends when the condition is true': { defect: 'tstl-condition' },
    },
  },
  'tstl Latch': {
    from: 'tstl',
    kit: 'latchKit',
    adapter: ({ Latch }) => ({
      create: (count) => new Latch(count),
      countDown: (latch) => latch.count_down(),
      wait: (latch) => latch.wait(),
    }),
  },
  '@jpwilliams/waitgroup': {
    from: '@jpwilliams/waitgroup',
    kit: 'latchKit',
    adapter: ({ WaitGroup }) => ({
      create: (count) => {
        const group = new WaitGroup();
        group.add(count);
        return group;
      },
      countDown: (group) => group.done(),
      wait: (group) => group.wait(),
    }),
  },
  waitgroup: {
    from: 'waitgroup',
    kit: 'latchKit',
    adapter: ({ default: WaitGroup }) => ({
      create: (count) => {
        const group = new WaitGroup();
        for (let i = 0; i < count; i++) group.add();
        return group;
      },
      countDown: (group) => group.done(),
      wait: (group) => new Promise((resolve) => group.wait(resolve)),
    }),
  },
  '@matrixai/async-locks Barrier': {
    from: '@matrixai/async-locks',
    kit: 'barrierKit',
    adapter: ({ Barrier }) => ({
      create: (parties) => Barrier.createBarrier(parties),
      wait: (barrier) => barrier.wait(),
      cyclic: false,
    }),
  },
  'async-barrier': {
    from: 'async-barrier',
    kit: 'barrierKit',
    adapter: ({ default: makeBarrier }) => ({
      create: (parties) => ({ barrier: makeBarrier(parties) }),
      wait: ({ barrier }) => barrier(),
      cyclic: false,
    }),
  },
};
