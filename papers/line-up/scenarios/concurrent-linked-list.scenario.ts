import { type Scenario, scenario } from 'straightedge';
import { ConcurrentLinkedList } from './concurrent-linked-list.js';
import { ConcurrentLinkedListPre } from './concurrent-linked-list-pre.js';

const of = (name: string, create: () => ConcurrentLinkedList): Scenario =>
  scenario({
    name,
    backend: 'instrumented',
    create,
    calls: [
      ['count'],
      ['addFirst', 1],
      ['addLast', 2],
      ['removeFirst'],
      ['tryRemoveFirst'],
      ['removeLast'],
      ['tryRemoveLast'],
    ],
  });

const list: Scenario = of('ConcurrentLinkedList', () => new ConcurrentLinkedList());
export const pre: Scenario = of('ConcurrentLinkedList(Pre)', () => new ConcurrentLinkedListPre());
export default list;
