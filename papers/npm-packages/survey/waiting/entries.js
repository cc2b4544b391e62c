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
};
