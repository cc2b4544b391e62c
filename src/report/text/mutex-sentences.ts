/** Who held a mutex, or nobody, in plain sentences. */
import { show } from '../../base/index.js';
import type { FamilyCause } from '../../check/index.js';
import type { History } from '../../history/index.js';

type MutexCause = Extract<FamilyCause, { kind: 'two holders' | 'not held' | 'surely held' | 'surely free' }>;

/** `named`: an operation, by id, in words. */
export function mutexSentences(cause: MutexCause, history: History, named: (id: number) => string): string[] {
  const owner = show(history.at(history.positionsById()[cause.operation]).args[0]);
  switch (cause.kind) {
    case 'two holders': {
      const [{ owner: holder, lock, unlock }] = cause.holds;
      const until = unlock === undefined ? ' on' : ` to ${named(unlock)}`;
      return [`But ${show(holder)} held it, from ${named(lock)}${until}.`];
    }
    case 'not held':
      return [`But ${owner} did not hold it.`];
    case 'surely held':
      return [`But it was held all that time, from ${named(cause.lock)} on.`];
    case 'surely free': {
      const { after, before } = cause;
      const since = after === undefined ? [] : [`${named(after)} had returned before that was called`];
      const next =
        before === undefined ? [] : [`${named(before)}, the next, was called only after its return`];
      const how = [...since, ...next].join(', and ');
      return [`But nobody held it${how === '' ? '' : `: ${how}`}.`];
    }
  }
}
