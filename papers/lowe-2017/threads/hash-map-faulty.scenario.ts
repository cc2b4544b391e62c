/**
 * The most subtle bug that Lowe's framework has found (Testing for linearizability, 2017, section 8), under `explore` and `stress`.
 * A map of one key is a register, in which to delete is to write null.
 */
import { type Scenario, scenario } from 'straightedge';
import { register } from 'straightedge/objects';
import { HashMap, HashMapFaulty } from './hash-map.js';

const KEY = 0;

const faulty: Scenario = scenario({
  name: 'hash map, delete without compare-and-set',
  backend: 'threads',
  module: import.meta.url,
  create: () => HashMap.memory(1),
  attach: (words: Int32Array) => new HashMapFaulty(words),
  spec: register<number | null>(),
  methods: {
    write: (map, value) => (value === null ? map.delete(KEY) : map.update(KEY, value)),
    read: (map) => map.get(KEY),
  },
  calls: [{ method: 'write', args: (random) => [random.below(1_000_000)] }, ['write', null], ['read']],
  threads: 2,
  callsPerThread: 3,
});
export default faulty;
