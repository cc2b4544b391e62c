/** Job queues and limits of concurrency. */
/** What a function with a callback gives. */
const called = (run) =>
  new Promise((resolve, reject) => run((error, result) => (error ? reject(error) : resolve(result))));

/** The result of a job, for a queue that does not return it. */
const queued = (push, job) =>
  new Promise((resolve, reject) => {
    push(async () => {
      const work = job();
      work.then(resolve, reject);
      await work;
    });
  });

export const entries = {
  'p-limit': {
    from: 'p-limit',
    kit: 'jobQueueKit',
    adapter: ({ default: pLimit }) => ({
      create: (concurrency) => pLimit(concurrency),
      add: (limit, job) => limit(job),
    }),
  },
  'p-queue': {
    from: 'p-queue',
    kit: 'jobQueueKit',
    adapter: ({ default: PQueue }) => ({
      create: (concurrency) => new PQueue({ concurrency }),
      add: (queue, job) => queue.add(job),
      onIdle: (queue) => queue.onIdle(),
      pause: (queue) => queue.pause(),
      resume: (queue) => queue.start(),
    }),
  },
  fastq: {
    from: 'fastq',
    kit: 'jobQueueKit',
    adapter: ({ default: fastq }) => ({
      create: (concurrency) => fastq.promise((job) => job(), concurrency),
      add: (queue, job) => queue.push(job),
      onIdle: (queue) => queue.drained(),
      pause: (queue) => queue.pause(),
      resume: (queue) => queue.resume(),
    }),
  },
  'async.queue': {
    from: 'async',
    kit: 'jobQueueKit',
    adapter: ({ default: async }) => ({
      create: (concurrency) => async.queue(async (job) => job(), concurrency),
      add: (queue, job) => queue.pushAsync(job),
      pause: (queue) => queue.pause(),
      resume: (queue) => queue.resume(),
      throws: true,
    }),
  },
  'neo-async.queue': {
    from: 'neo-async',
    kit: 'jobQueueKit',
    adapter: ({ default: async }) => ({
      create: (concurrency) =>
        async.queue((job, done) => void job().then((result) => done(null, result), done), concurrency),
      add: (queue, job) => called((done) => queue.push(job, done)),
      pause: (queue) => queue.pause(),
      resume: (queue) => queue.resume(),
    }),
  },
  'better-queue': {
    from: 'better-queue',
    kit: 'jobQueueKit',
    adapter: ({ default: Queue }) => ({
      create: (concurrent) =>
        new Queue(({ job }, done) => void job().then((result) => done(null, result), done), { concurrent }),
      add: (queue, job) => called((done) => queue.push({ job }, done)),
      pause: (queue) => queue.pause(),
      resume: (queue) => queue.resume(),
    }),
  },
  bottleneck: {
    from: 'bottleneck',
    kit: 'jobQueueKit',
    adapter: ({ default: Bottleneck }) => ({
      create: (maxConcurrent) => new Bottleneck({ maxConcurrent }),
      add: (limiter, job) => limiter.schedule(job),
      throws: true,
    }),
  },
  queue: {
    from: 'queue',
    kit: 'jobQueueKit',
    // an error ends the queue, so a job keeps its own
    adapter: ({ default: Queue }) => ({
      create: (concurrency) => new Queue({ concurrency, autostart: true }),
      add: (queue, job) =>
        new Promise((resolve, reject) => void queue.push(() => job().then(resolve, reject))),
    }),
  },
  'queue throw': {
    from: 'queue',
    file: 'queue-throw.scenario.js',
    violations: { 'queue throw': { defect: 'queue-throw' } },
  },
  'promise-queue': {
    from: 'promise-queue',
    kit: 'jobQueueKit',
    adapter: ({ default: Queue }) => ({
      create: (concurrency) => new Queue(concurrency),
      add: (queue, job) => queue.add(job),
      throws: true,
    }),
  },
  'promise-queue-plus': {
    from: 'promise-queue-plus/create.js',
    kit: 'jobQueueKit',
    adapter: ({ default: create }) => ({
      create: (concurrency) => create(Promise)(concurrency),
      add: (queue, job) => queue.go(job),
      throws: true,
    }),
  },
  'promise-queue-plus timeout': {
    from: 'promise-queue-plus/create.js',
    file: 'promise-queue-plus-timeout.scenario.js',
    violations: { 'promise-queue-plus timeout': { defect: 'promise-queue-plus-timeout' } },
  },
  'promise-limit': {
    from: 'promise-limit',
    kit: 'jobQueueKit',
    adapter: ({ default: limiter }) => ({
      create: (concurrency) => limiter(concurrency),
      add: (limit, job) => limit(job),
      throws: true,
    }),
  },
  throat: {
    from: 'throat',
    kit: 'jobQueueKit',
    adapter: ({ default: throat }) => ({
      create: (concurrency) => throat(concurrency),
      add: (limit, job) => limit(job),
      throws: true,
    }),
  },
  'queue-promise': {
    from: 'queue-promise',
    kit: 'jobQueueKit',
    adapter: ({ default: Queue }) => ({
      create: (concurrent) => new Queue({ concurrent, interval: 0 }),
      add: (queue, job) => queued((own) => queue.enqueue(own), job),
    }),
  },
  'queue-promise throw': {
    from: 'queue-promise',
    file: 'queue-promise-throw.scenario.js',
    violations: { 'queue-promise throw': { defect: 'queue-promise-throw' } },
  },
  'queue-promise stop': {
    from: 'queue-promise',
    file: 'queue-promise-stop.scenario.js',
    violations: { 'queue-promise stop': { defect: 'queue-promise-stop' } },
  },
  workq: {
    from: 'workq',
    kit: 'jobQueueKit',
    adapter: ({ default: workq }) => ({
      concurrency: 1,
      results: false,
      create: () => workq(),
      add: (queue, job) => queued((own) => void queue.add(own), job),
    }),
  },
  'sequential-task-queue': {
    from: 'sequential-task-queue',
    kit: 'jobQueueKit',
    adapter: ({ SequentialTaskQueue }) => ({
      concurrency: 1,
      create: () => new SequentialTaskQueue(),
      add: (queue, job) => queue.push(job),
      onIdle: (queue) => queue.wait(),
      abortable: (queue, job, signal) => {
        const task = queue.push(job);
        signal.addEventListener('abort', () => task.cancel('aborted'));
        return task;
      },
      throws: true,
    }),
  },
  'async-await-queue': {
    from: 'async-await-queue',
    kit: 'jobQueueKit',
    adapter: ({ Queue }) => ({
      create: (concurrency) => new Queue(concurrency),
      add: (queue, job) => queue.run(job),
      onIdle: (queue) => queue.flush(),
      throws: true,
    }),
  },
  'concurrent-queue': {
    from: 'concurrent-queue',
    kit: 'jobQueueKit',
    adapter: ({ default: make }) => ({
      create: (concurrency) =>
        make()
          .limit({ concurrency })
          .process((job) => job()),
      add: (queue, job) => queue(job),
    }),
  },
  'async-limiter': {
    from: 'async-limiter',
    kit: 'jobQueueKit',
    adapter: ({ default: Limiter }) => ({
      results: false,
      create: (concurrency) => new Limiter({ concurrency }),
      add: (limiter, job) => queued((own) => void limiter.push(own), job),
    }),
    violations: {
      'at most 2 jobs at a time, each exactly once': { defect: 'async-limiter-promise' },
    },
  },
  'async-limiter callbacks': {
    from: 'async-limiter',
    kit: 'jobQueueKit',
    adapter: ({ default: Limiter }) => ({
      create: (concurrency) => new Limiter({ concurrency }),
      add: (limiter, job) =>
        new Promise((resolve, reject) => {
          limiter.push((done) => void job().finally(done).then(resolve, reject));
        }),
      onIdle: (limiter) => new Promise((resolve) => limiter.onDone(resolve)),
    }),
  },
  'blocking-queue consumer': {
    from: 'blocking-queue',
    kit: 'jobQueueKit',
    adapter: ({ default: { default: Queue, QueueConsumer } }) => ({
      create: (concurrency) => {
        const queue = new Queue();
        const consumer = new QueueConsumer(queue);
        consumer.start((job) => job(), concurrency);
        return { queue, consumer };
      },
      add: ({ queue }, job) => queued((own) => queue.push(own), job),
      onIdle: ({ consumer }) => consumer.end(),
    }),
    violations: {
      'an error fails only its own job': { defect: 'blocking-queue-error' },
      'onIdle resolves when every earlier job has ended': { defect: 'blocking-queue-end' },
    },
  },
  'modern-async Queue': {
    from: 'modern-async',
    kit: 'jobQueueKit',
    adapter: ({ Queue }) => ({
      create: (concurrency) => new Queue(concurrency),
      add: (queue, job) => queue.exec(job),
      abortable: (queue, job, signal) => {
        const [result, cancel] = queue.execCancellable(job);
        signal.addEventListener('abort', cancel);
        return result;
      },
      throws: true,
    }),
  },
  'cockatiel bulkhead': {
    from: 'cockatiel',
    kit: 'jobQueueKit',
    adapter: ({ bulkhead }) => ({
      create: (concurrency) => bulkhead(concurrency, 100),
      add: (policy, job) => policy.execute(job),
      abortable: (policy, job, signal) => policy.execute(job, signal),
      throws: true,
    }),
  },
  'es-toolkit limitAsync': {
    from: 'es-toolkit',
    kit: 'jobQueueKit',
    adapter: ({ limitAsync }) => ({
      create: (concurrency) => limitAsync((job) => job(), concurrency),
      add: (limited, job) => limited(job),
      throws: true,
    }),
  },
  qew: {
    from: 'qew',
    kit: 'jobQueueKit',
    adapter: ({ Qew }) => ({
      create: (concurrency) => new Qew(concurrency),
      add: (queue, job) => queue.push(job),
    }),
    violations: {
      'at most 2 jobs at a time, each exactly once': { defect: 'qew-next' },
      'an error fails only its own job': { defect: 'qew-next' },
    },
  },
  '@henrygd/queue': {
    from: '@henrygd/queue',
    kit: 'jobQueueKit',
    adapter: ({ newQueue }) => ({
      create: (concurrency) => newQueue(concurrency),
      add: (queue, job) => queue.add(job),
      onIdle: (queue) => queue.done(),
      throws: true,
    }),
    violations: {
      'a job that throws before it returns a promise fails only itself': { defect: 'henrygd-queue-throw' },
    },
  },
  'limit-concur': {
    from: 'limit-concur',
    kit: 'jobQueueKit',
    adapter: ({ default: limitConcur }) => ({
      create: (concurrency) => ({ run: limitConcur(concurrency, (job) => job()) }),
      add: (queue, job) => queue.run(job),
      throws: true,
    }),
  },
};
