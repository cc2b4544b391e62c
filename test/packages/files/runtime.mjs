/** What must work in a runtime that is not Node: each line is printed if it does. */
import { readFileSync } from 'node:fs';
import {
  assertHolds,
  assertLinearizable,
  check,
  FileLog,
  OnlineMonitor,
  record,
  scenario,
  sketch,
} from 'straightedge';
import { explore } from 'straightedge/explore';
import { queue } from 'straightedge/objects';

const wrong = sketch`A |- enqueue(1) -|  |- dequeue() -> 2 -|`;
console.log(check(wrong, queue()).kind);
try {
  assertLinearizable(wrong, queue());
} catch (error) {
  console.log(error.name);
}
const monitor = new OnlineMonitor(queue());
monitor.push({ type: 'call', process: 'A', method: 'dequeue', args: [] });
monitor.push({ type: 'return', process: 'A', result: 2 });
console.log(monitor.verdict().kind);
const log = new FileLog('runtime.jsonl');
const items = record({ enqueue: (_item) => undefined }, { log });
items.enqueue(1);
console.log(readFileSync('runtime.jsonl', 'utf8').includes('enqueue'));
const held = scenario({ create: () => ({ run: async () => 1 }), calls: [['run']] });
for (const run of [assertHolds, explore]) await run(held).catch((error) => console.log(error.message));
