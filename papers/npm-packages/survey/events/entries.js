/** Emitters that wait for their listeners. */
export const entries = {
  emittery: { from: 'emittery', file: 'emittery.scenario.js' },
  'await-event-emitter': {
    from: 'await-event-emitter',
    file: 'await-event-emitter.scenario.js',
    violations: { 'await-event-emitter': { defect: 'await-event-emitter-once' } },
  },
};
