/**
 * Runs generated programs of callbacks on the real event loop of Node, in a process of its own, and reports their orders.
 *
 * First each program runs some times with random busy waits. Then each order that did not come, and that should be possible, is
 * forced: callbacks from outside are held back until their turn, and the busy waits are those of the run that agreed longest with
 * the order, with some of them drawn anew. Some waits come right before Node's timers read the clock, where a process may be
 * suspended too. Callbacks from outside are those of files or of message ports: one poll phase runs both kinds, and may run a message that a file's
 * callback sends.
 */
import { stat } from 'node:fs';
import { createRequire } from 'node:module';
import { text } from 'node:stream/consumers';
import promises from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { MessageChannel } from 'node:worker_threads';

/** Runs steps with the timers of Node, or of an execution. */
export function interpret(program, { log, pending, external, pause, promises: timers }) {
  const handles = {};
  /** Cleared, or refreshed once. */
  const fixed = new Set();
  const run = (steps) => {
    for (const { does, name, ms = 0, then = [] } of steps) {
      let calls = 0;
      const called = () => {
        pause();
        calls++;
        log.push(does === 'interval' ? name + calls : name);
        if (does !== 'interval' || calls === 2) pending.delete(name);
        if (calls === 1) run(then);
        else clearInterval(handles[name]);
        pause();
      };
      pause();
      const sets = {
        timeout: () => setTimeout(called, ms),
        unref: () => setTimeout(called, ms).unref(),
        interval: () => setInterval(called, ms),
        immediate: () => setImmediate(called),
        external: () => external(name, called),
        tick: () => process.nextTick(called),
        microtask: () => Promise.resolve().then(called),
        wait: () => timers.setTimeout(ms).then(called),
        scheduled: () => timers.scheduler.wait(ms).then(called),
        turn: () => timers.setImmediate().then(called),
        abort: () => AbortSignal.timeout(ms).addEventListener('abort', called),
      };
      if (does in sets) {
        pending.add(name);
        handles[name] = sets[does]();
      } else if (does === 'refresh' && name in handles && !fixed.has(name)) {
        fixed.add(name);
        pending.add(name);
        handles[name].refresh();
      } else if (does === 'clear' && name in handles) {
        fixed.add(name);
        pending.delete(name);
        clearTimeout(handles[name]);
      } else if (does === 'clearImmediate' && name in handles) {
        pending.delete(name);
        clearImmediate(handles[name]);
      }
    }
  };
  run(program);
}

const { port1, port2 } = new MessageChannel();
const messages = [];
port2.on('message', (number) => messages[number]());
port2.unref();
const byFile = (callback) => stat('/', callback);
const byMessage = (callback) => port1.postMessage(messages.push(callback) - 1);

/** Called before Node's timers read the clock. Needs `--expose-internals`. */
let beforeReading = () => {};
function watchClock() {
  const timers = createRequire(import.meta.url)('internal/test/binding').internalBinding('timers');
  const read = timers.getLibuvNow;
  timers.getLibuvNow = () => {
    beforeReading();
    return read.call(timers);
  };
}

/** One run. `waits` are busy waits, one after the other; `draw` adds more. `wanted` is the order to force. */
function runOnce(steps, waits, draw, wanted) {
  const log = [];
  const pending = new Set();
  let place = 0;
  const pause = () => {
    if (place === waits.length) waits.push(draw());
    const end = performance.now() + waits[place++];
    while (performance.now() < end);
  };
  return new Promise((resolve) => {
    const end = () => {
      // Node forgets timers that were cleared
      if (pending.size === 0) {
        beforeReading = () => {};
        setTimeout(() => byFile(() => resolve(log)), 6);
      } else {
        if (wanted) pause();
        byFile(end);
      }
    };
    const external = (name, callback) => {
      const from = wanted && Math.random() < 0.5 ? byMessage : byFile;
      const answer = () => {
        if (wanted && log.length < wanted.indexOf(name)) byFile(() => from(answer));
        else callback();
      };
      from(answer);
    };
    if (wanted) beforeReading = pause;
    // a timers phase follows, as after the main program
    setImmediate(() => {
      pause();
      interpret(steps, { log, pending, pause, promises, external });
      byFile(end);
    });
  });
}

/** The number of runs after which the order came, or 0. */
async function force(steps, order, attempts) {
  const wanted = order.split(' ');
  const draw = () => (Math.random() < 0.7 ? 0 : Math.random() * [1, 2, 6][Math.floor(Math.random() * 3)]);
  let best = [];
  let agreed = 0;
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const often = Math.random() < 0.1 ? 1 : 0.2;
    const waits = best.map((one) => (Math.random() < often ? draw() : one));
    const log = await runOnce(steps, waits, draw, wanted);
    if (log.join(' ') === order) return attempt;
    const same = log.findIndex((name, i) => name !== wanted[i]);
    if (same < agreed) continue;
    agreed = same;
    best = waits;
  }
  return 0;
}

async function observe({ programs, runs, attempts }) {
  if (attempts > 0) watchClock();
  const seen = [];
  for (const { steps, orders } of programs) {
    const counts = {};
    for (let run = 0; run < runs; run++) {
      const often = [0, 0.1, 0.3][run % 3];
      const long = [1.2, 2, 5][Math.floor(Math.random() * 3)];
      const log = await runOnce(steps, [], () => (Math.random() < often ? Math.random() * long : 0));
      counts[log.join(' ')] = (counts[log.join(' ')] ?? 0) + 1;
    }
    const forced = {};
    for (const order of attempts > 0 ? orders : [])
      if (!(order in counts)) forced[order] = await force(steps, order, attempts);
    seen.push({ counts, forced });
  }
  return seen;
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  console.log(JSON.stringify(await observe(JSON.parse(await text(process.stdin)))));
