import { expect, test } from 'vitest';
import { counter, fetchAndAdd } from '../../objects/cells/counter.js';
import { casRegister, register } from '../../objects/cells/register.js';
import { queue, stack } from '../../objects/collections/container.js';
import { map } from '../../objects/collections/map.js';
import { priorityQueue } from '../../objects/collections/priority-queue.js';
import { multiset, set } from '../../objects/collections/set.js';
import { mutex, ownedMutex, semaphore } from '../../objects/locks/mutex.js';
import type { Spec } from '../../spec/spec.js';
import { Steps, Values } from '../stream/steps.js';
import { createStreamMonitor } from './object-monitor.js';

const create = (spec: unknown) =>
  createStreamMonitor(new Steps(spec as Spec, new Values(false)), ['key'], {
    configurations: 16,
    bytes: 2 ** 20,
  });

test.each([
  queue(),
  stack(),
  priorityQueue(),
  register(),
  casRegister(),
  map(),
  set(),
  multiset(),
  counter(),
  mutex(),
  semaphore(),
])('a $name has a stream monitor', (spec) => {
  expect(create(spec)).toMatchObject({ isInitial: true });
});

test.each([ownedMutex(), fetchAndAdd()])('a $name has no stream monitor', (spec) => {
  expect(create(spec)).toBeUndefined();
});
