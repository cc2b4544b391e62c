/**
 * Simulates histories of rendezvous objects: at each step a random process calls, synchronises or returns.
 *
 * Each process has one role. Waiting calls synchronise when a call that completes the rendezvous is chosen; then each
 * returns when it is chosen again. So about as many calls are open as there are processes.
 */
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { type History, HistoryBuilder, type SyncSpec } from 'straightedge';
import { barrier, channel, counterChannel, exchanger } from 'straightedge/objects';
import { abc } from '../papers/synchronisation/specs/abc.js';

export type RendezvousObject = 'channel' | 'exchanger' | 'counter-channel' | 'abc' | 'barrier';

export interface RendezvousSimulation {
  readonly object: RendezvousObject;
  readonly processes: number;
  readonly calls: number;
  /** The number of distinct values. */
  readonly values: number;
  readonly seed: number;
  /** If set, one call at about this fraction of the history gets the value of another. */
  readonly wrongAt?: number;
}

interface Kind {
  readonly spec: (processes: number) => SyncSpec;
  /** The methods of a rendezvous, in order; a barrier has one for each process. */
  readonly methods: (processes: number) => readonly string[];
  readonly args: (method: string, process: number, value: number) => unknown[];
  /** The results of the calls; `given` are their first arguments, `number` is the number of the rendezvous. */
  readonly results: (given: readonly number[], number: number) => readonly unknown[];
}

const transfer = (method: string, _process: number, value: number) => (method === 'send' ? [value] : []);

const KINDS: Readonly<Record<RendezvousObject, Kind>> = {
  channel: {
    spec: () => channel() as SyncSpec,
    methods: () => ['send', 'receive'],
    args: transfer,
    results: ([value]) => [undefined, value],
  },
  'counter-channel': {
    spec: () => counterChannel() as SyncSpec,
    methods: () => ['send', 'receive'],
    args: transfer,
    results: ([value], number) => [number, [value, number]],
  },
  exchanger: {
    spec: () => exchanger() as SyncSpec,
    methods: () => ['exchange', 'exchange'],
    args: (_method, _process, value) => [value],
    results: ([one, two]) => [two, one],
  },
  abc: {
    spec: () => abc() as SyncSpec,
    methods: () => ['a', 'b', 'c'],
    args: (_method, process) => [process],
    results: ([a, b, c]) => [
      [b, c],
      [a, c],
      [a, b],
    ],
  },
  barrier: {
    spec: (parties) => barrier({ parties }) as SyncSpec,
    methods: (processes) => Array.from({ length: processes }, () => 'sync'),
    args: (_method, process) => [process],
    results: (given) => given.map(() => undefined),
  },
};

export const rendezvousSpec = ({ object, processes }: RendezvousSimulation): SyncSpec =>
  KINDS[object].spec(processes);

interface Open {
  readonly entry: number;
  readonly given: number;
  result?: { readonly value: unknown };
}

export function simulateRendezvous(simulation: RendezvousSimulation): History {
  const { object, processes, calls, values, seed, wrongAt } = simulation;
  const kind = KINDS[object];
  const methods = kind.methods(processes);
  const generator = xoroshiro128plus(seed);
  const below = (n: number) => (generator.next() >>> 0) % n;
  const builder = new HistoryBuilder();
  const open: (Open | undefined)[] = Array.from({ length: processes }, () => undefined);
  let [begun, ended, rendezvous, wrong] = [0, 0, 0, wrongAt === undefined ? -1 : Math.floor(wrongAt * calls)];
  while (ended < calls) {
    const process = below(processes);
    const own = open[process];
    const method = methods[process % methods.length];
    if (own?.result) {
      builder.end(own.entry, { kind: 'returned', value: own.result.value });
      open[process] = undefined;
      ended++;
    } else if (own) {
      const members = gather(open, methods, process);
      if (!members) continue;
      rendezvous++;
      const results = kind.results(
        members.map((member) => (open[member] as Open).given),
        rendezvous,
      );
      for (const [place, member] of members.entries()) {
        const other = open[member] as Open;
        const isWrong = wrong >= 0 && begun > wrong && results[place] !== undefined;
        if (isWrong) wrong = -1;
        other.result = { value: isWrong ? -1 : results[place] };
      }
    } else if (begun < calls) {
      const value = below(values);
      const args = kind.args(method, process, value);
      const entry = builder.call({ process: `p${process}`, method, args });
      open[process] = { entry, given: (args[0] as number | undefined) ?? 0 };
      begun++;
    } else if (open.every((other) => !other?.result) && !open.some((_, p) => gather(open, methods, p))) break;
  }
  return builder.finish();
}

/** Waiting processes, one for each role and including the chosen one; none if a role has no process. */
function gather(
  open: readonly (Open | undefined)[],
  methods: readonly string[],
  chosen: number,
): number[] | undefined {
  const waits = (process: number) => open[process] !== undefined && open[process]?.result === undefined;
  if (!waits(chosen)) return undefined;
  const members: number[] = [];
  for (let place = 0; place < methods.length; place++) {
    const isOwn = chosen % methods.length === place;
    let process = isOwn ? chosen : place;
    while (!isOwn && process < open.length && !waits(process)) process += methods.length;
    if (process >= open.length) return undefined;
    members.push(process);
  }
  return members;
}
