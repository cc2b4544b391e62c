import PQueue from 'p-queue';
import { semaphoreOf } from './kinds.js';

export default semaphoreOf('PQueue', (concurrency) => new PQueue({ concurrency }), {
  acquire: (queue) =>
    new Promise((entered) => {
      void queue.add(() => new Promise((leave) => entered(leave)));
    }),
  release: (_, leave) => leave(),
});
