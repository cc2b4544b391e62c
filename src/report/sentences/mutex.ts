/** Who held a mutex, or nobody, in plain sentences. */
import { show } from '../../base/values/show.js';
import type { FamilyCause } from '../../check/model/monitor-causes.js';
import { join, type Sentence, say } from './sentence.js';
import type { Words } from './words.js';

type MutexCause = Extract<FamilyCause, { kind: 'two holders' | 'not held' | 'surely held' | 'surely free' }>;

export function mutexSentences(cause: MutexCause, words: Words): Sentence[] {
  const owner = show(words.history.at(words.position(cause.operation)).args[0]);
  switch (cause.kind) {
    case 'two holders': {
      const [{ owner: holder, lock, unlock }] = cause.holds;
      const until = unlock === undefined ? ' on' : say` to ${words.operation(unlock)}`;
      return [say`But ${show(holder)} held it, from ${words.operation(lock)}${until}.`];
    }
    case 'not held':
      return [say`But ${owner} did not hold it.`];
    case 'surely held':
      return [say`But it was held all that time, from ${words.operation(cause.lock)} on.`];
    case 'surely free': {
      const { after, before } = cause;
      const how = join(
        [
          ...(after === undefined
            ? []
            : [say`${words.operation(after)} had returned before that was called`]),
          ...(before === undefined
            ? []
            : [say`${words.operation(before)}, the next, was called only after its return`]),
        ],
        ', and ',
      );
      return [say`But nobody held it${how.length === 0 ? '' : say`: ${how}`}.`];
    }
  }
}
