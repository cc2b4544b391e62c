import pLimit from 'p-limit';
import { semaphoreOf } from './kinds.js';

/** A place among two: entered when the function runs, left when it ends. */
export default semaphoreOf('pLimit', (places) => pLimit(places), {
  acquire: (limit) =>
    new Promise((entered) => {
      void limit(() => new Promise((leave) => entered(leave)));
    }),
  release: (_, leave) => leave(),
});
