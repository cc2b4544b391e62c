// The monitor inside a program: each event is checked when it happens.
import { OnlineMonitor } from 'straightedge';
import { queue } from 'straightedge/objects';

const monitor = new OnlineMonitor(queue());
const events = [
  { type: 'call', process: 'A', method: 'enqueue', args: [1] },
  { type: 'return', process: 'A' },
  { type: 'call', process: 'B', method: 'dequeue' },
  { type: 'return', process: 'B', result: null },
];
for (const event of events) {
  const violation = monitor.push(event);
  console.log(event.type, event.process, violation ? 'violation' : 'ok');
}
