import { expect, test } from 'vitest';
import { Random } from '../src/base/index.js';
import { allEndings, isExplained, mostOrdered, serialHistories } from './support/explore/brute-force.js';
import { endingsByClass, findingsOf } from './support/explore/engines.js';
import { programOf, randomSketch, type Sketch } from './support/explore/random-program.js';

const COUNT = Number(process.env.COUNT ?? 100);
test('x', () => {
  const random = new Random(Number(process.env.SEED ?? 1));
  let used = 0,
    large = 0,
    bad = 0,
    badC = 0,
    badS = 0,
    stuck = 0,
    viol = 0;
  const t = [0, 0, 0, 0];
  const known = new Set<string>();
  while (used < COUNT) {
    const sketch = randomSketch(random);
    const key = JSON.stringify(sketch);
    if (known.has(key)) continue;
    known.add(key);
    const plain = programOf(sketch, true);
    let n = performance.now();
    const endings = allEndings(plain, Number(process.env.CAP ?? 5000));
    t[0] += performance.now() - n;
    if (!endings) {
      large++;
      continue;
    }
    used++;
    if (endings.some((e) => e.pending)) stuck++;
    const program = programOf(sketch, false);
    n = performance.now();
    let b0; try { b0 = endingsByClass(program); } catch (e) { console.log(JSON.stringify(sketch)); throw e; }
    const a = mostOrdered(endings), b = mostOrdered(b0);
    t[1] += performance.now() - n;
    if (a.join('\n') !== b.join('\n')) {
      bad++;
      if (bad < 4)
        console.log(
          'SETS',
          JSON.stringify(sketch),
          '\nbrute\n' + a.filter((x) => !b.includes(x)).join('\n'),
          '\nclasses\n' + b.filter((x) => !a.includes(x)).join('\n'),
        );
    }
    const serial = serialHistories(plain);
    const v = endings.some((e) => !isExplained(e, serial));
    if (v) viol++;
    n = performance.now();
    const c = findingsOf(program, 'classes').length > 0;
    t[2] += performance.now() - n;
    n = performance.now();
    const s = findingsOf(program, 'states').length > 0;
    t[3] += performance.now() - n;
    if (v !== c) {
      badC++;
      if (badC < 3) console.log('CLASSES', v, c, JSON.stringify(sketch));
    }
    if (v !== s) {
      badS++;
      if (badS < 3) console.log('STATES', v, s, JSON.stringify(sketch));
    }
  }
  console.log({ used, large, stuck, viol, bad, badC, badS, t });
});
