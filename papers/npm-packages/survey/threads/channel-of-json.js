/** A channel on which null and numbers are sent. First in, first out; who takes from an empty one waits. */
import { blocked, scenario } from 'straightedge';

const waitingQueue = {
  name: 'waiting queue',
  initial: [],
  methods: {
    put: (items, value) => [[...items, value], undefined],
    take: (items) => (items.length === 0 ? blocked : [items.slice(1), items[0]]),
  },
};

export const received = ({ ok, value, error }) => {
  if (!ok) throw error;
  return value;
};

export const channelOfJson = (parts) =>
  scenario({
    spec: waitingQueue,
    calls: [['put', null], ['put', 1], ['take']],
    threads: 2,
    callsPerThread: 2,
    ...parts,
  });
