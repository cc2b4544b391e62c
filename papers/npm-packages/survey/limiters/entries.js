/** Rate limiters, token buckets and throttles of calls. Without other words, two starts in 100 ms. */
const kit = 'rateLimiterKit';

/** A limiter that is a function of the job. */
const run = (limiter, job) => limiter(job);

/** A limiter that lets its caller run the job. */
const after = (wait) => async (limiter, job) => {
  await wait(limiter);
  return job();
};

export const entries = {
  'p-throttle': {
    from: 'p-throttle',
    kit,
    adapter: ({ default: pThrottle }) => ({
      create: (rate) => pThrottle(rate)((job) => job()),
      run,
      throws: true,
    }),
  },
  'p-throttle strict': {
    from: 'p-throttle',
    kit,
    adapter: ({ default: pThrottle }) => ({
      create: (rate) => pThrottle({ ...rate, strict: true })((job) => job()),
      run,
      throws: true,
      sliding: true,
    }),
    violations: { 'at most 2 jobs start in 100 ms, each exactly once': { defect: 'p-throttle-late' } },
  },
  limiter: {
    from: 'limiter',
    kit,
    adapter: ({ RateLimiter }) => ({
      create: ({ limit, interval }) => new RateLimiter({ tokensPerInterval: limit, interval }),
      run: after((limiter) => limiter.removeTokens(1)),
    }),
  },
  'bottleneck reservoir': {
    from: 'bottleneck',
    kit,
    adapter: ({ default: Bottleneck }) => ({
      interval: 250,
      create: ({ limit, interval }) =>
        new Bottleneck({
          reservoir: limit,
          reservoirRefreshAmount: limit,
          reservoirRefreshInterval: interval,
          heartbeatInterval: interval,
        }),
      run: (limiter, job) => limiter.schedule(job),
      throws: true,
    }),
  },
  'rate-limit-threshold': {
    from: 'rate-limit-threshold',
    kit,
    adapter: ({ RateLimitThreshold }) => ({
      create: ({ limit, interval }) => new RateLimitThreshold(limit, interval / 1_000),
      run: after((limiter) => limiter.limit()),
    }),
    violations: {
      'at most 2 jobs start in 100 ms, each exactly once': { defect: 'rate-limit-threshold-limit' },
    },
  },
  valvelet: {
    from: 'valvelet',
    kit,
    adapter: ({ default: valvelet }) => ({
      create: ({ limit, interval }) => valvelet((job) => job(), limit, interval),
      run,
      throws: true,
      sliding: true,
    }),
    violations: {
      'a job that throws before it returns a promise fails only itself': { defect: 'valvelet-throw' },
    },
  },
  'function-rate-limit': {
    from: 'function-rate-limit',
    kit,
    adapter: ({ default: rateLimit }) => ({
      create: ({ limit, interval }) =>
        rateLimit(limit, interval, (job, resolve, reject) => void job().then(resolve, reject)),
      run: (limiter, job) => new Promise((resolve, reject) => limiter(job, resolve, reject)),
      sliding: true,
    }),
  },
  'promise-ratelimit': {
    from: 'promise-ratelimit',
    kit,
    adapter: ({ default: rateLimit }) => ({
      limit: 1,
      create: ({ interval }) => rateLimit(interval),
      run: after((limiter) => limiter()),
      sliding: true,
    }),
  },
  'promise-throttle': {
    from: 'promise-throttle',
    kit,
    adapter: ({ default: PromiseThrottle }) => ({
      limit: 1,
      create: ({ interval }) => new PromiseThrottle({ requestsPerSecond: 1_000 / interval }),
      run: (limiter, job) => limiter.add(job),
      abortable: (limiter, job, signal) => limiter.add(job, { signal }),
      throws: true,
      sliding: true,
    }),
    violations: {
      'a job that throws before it returns a promise fails only itself': { defect: 'promise-throttle-throw' },
    },
  },
  'simple-rate-limiter': {
    from: 'simple-rate-limiter',
    kit,
    adapter: ({ default: limit }) => ({
      create: (rate) =>
        limit
          .promise((job) => job())
          .to(rate.limit)
          .per(rate.interval),
      run,
      throws: true,
      sliding: true,
    }),
    violations: {
      'a job that throws before it returns a promise fails only itself': {
        defect: 'simple-rate-limiter-throw',
      },
    },
  },
  'leaky-bucket': {
    from: 'leaky-bucket',
    kit,
    adapter: ({ default: LeakyBucket }) => ({
      limit: 1,
      interval: 1_000,
      create: () => new LeakyBucket({ capacity: 1, interval: 1, timeout: 100 }),
      run: after((bucket) => bucket.throttle()),
    }),
  },
  'token-bucket': {
    from: 'token-bucket',
    kit,
    adapter: ({ default: Bucket }) => ({
      limit: 1,
      interval: 1_000,
      create: ({ limit }) => new Bucket(limit),
      run: (bucket, job) =>
        new Promise((resolve, reject) => bucket.throttle(() => void job().then(resolve, reject))),
    }),
  },
  'p-ratelimit': {
    from: 'p-ratelimit',
    kit,
    adapter: ({ default: { pRateLimit } }) => ({
      create: ({ limit, interval }) => pRateLimit({ interval, rate: limit }),
      run,
      throws: true,
    }),
    violations: {
      'a job that throws before it returns a promise fails only itself': { defect: 'p-ratelimit-throw' },
    },
  },
  'p-ratelimit maxDelay': {
    from: 'p-ratelimit',
    file: 'p-ratelimit-delay.scenario.js',
    violations: { 'p-ratelimit maxDelay': { defect: 'p-ratelimit-delay' } },
  },
  'throttled-queue': {
    from: 'throttled-queue',
    kit,
    adapter: ({ throttledQueue }) => ({
      create: ({ limit, interval }) => throttledQueue({ maxPerInterval: limit, interval }),
      run,
      throws: true,
    }),
  },
  'rate-limiter-flexible queue': {
    from: 'rate-limiter-flexible',
    kit,
    adapter: ({ RateLimiterMemory, RateLimiterQueue }) => ({
      interval: 1_000,
      create: ({ limit }) => new RateLimiterQueue(new RateLimiterMemory({ points: limit, duration: 1 })),
      run: after((queue) => queue.removeTokens(1)),
    }),
  },
  'request-rate-limiter': {
    from: 'request-rate-limiter',
    kit,
    adapter: ({ default: RequestRateLimiter }) => ({
      limit: 1,
      interval: 1_000,
      create: () => {
        const limiter = new RequestRateLimiter({ backoffTime: 1, requestRate: 1, interval: 1, timeout: 600 });
        limiter.setRequestHandler((job) => job());
        return limiter;
      },
      run: (limiter, job) => limiter.request(job),
    }),
  },
};
