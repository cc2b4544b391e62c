/** Circuit breakers that open after two failures. */
import { EventEmitter } from 'node:events';

const kit = 'circuitBreakerKit';

export const entries = {
  'cockatiel circuitBreaker': {
    from: 'cockatiel',
    kit,
    adapter: ({ circuitBreaker, handleAll, ConsecutiveBreaker }) => ({
      create: (run, { threshold, reset }) => {
        const breaker = new ConsecutiveBreaker(threshold);
        return { run, policy: circuitBreaker(handleAll, { halfOpenAfter: reset, breaker }) };
      },
      call: ({ policy, run }) => policy.execute(run),
    }),
  },
  opossum: {
    from: 'opossum',
    kit,
    adapter: ({ default: CircuitBreaker }) => ({
      create: (run, { threshold, reset }) =>
        new CircuitBreaker(run, {
          resetTimeout: reset,
          errorThresholdPercentage: 1,
          volumeThreshold: threshold,
          timeout: false,
          enableSnapshots: false,
          // no failure is forgotten
          rotateBucketController: new EventEmitter(),
        }),
      call: (breaker) => breaker.fire(),
    }),
  },
  mollitia: {
    from: 'mollitia',
    kit,
    adapter: ({ Circuit, SlidingCountBreaker }) => ({
      create: (run, { threshold, reset }) => {
        const breaker = new SlidingCountBreaker({
          slidingWindowSize: threshold,
          minimumNumberOfCalls: threshold,
          failureRateThreshold: 60,
          openStateDelay: reset,
          permittedNumberOfCallsInHalfOpenState: 1,
        });
        return new Circuit({ options: { modules: [breaker] } }).fn(run);
      },
      call: (circuit) => circuit.execute(),
    }),
  },
};
