import { createLock } from 'superlock';
import { lockOf } from './kinds.js';

/** A lock that was aborted answers null: that is taken as not having locked. */
export default lockOf('createLock, aborted', () => createLock(1), {
  lock: async (lock, options) => {
    const release = await lock(options?.signal);
    if (release === null) throw new Error('aborted');
    return release;
  },
  unlock: (_, release) => release(),
  cancel: true,
});
