import { type Scenario, scenario } from 'straightedge';
import { PlainWords } from './plain-words.js';

const plainWords: Scenario = scenario({
  backend: 'workers',
  module: import.meta.url,
  transform: ['plain-words.ts'],
  create: () => ({ words: new Int32Array(new SharedArrayBuffer(8)) }),
  attach: ({ words }: { words: Int32Array }) => new PlainWords(words),
  calls: [['peek', 0]],
});
export default plainWords;
