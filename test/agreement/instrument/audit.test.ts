/**
 * The audit of announcements (instrument/audit.ts), on programs with planted faults: one announcement of the program is left out. If engines
 * lose results by that, the audit reports it. It reports nothing about programs whose announcements are complete.
 */
import { expect, test } from 'vitest';
import { Random } from '../../../src/base/random.js';
import { formatPosition } from '../../../src/base/source-position.js';
import { Execution } from '../../../src/execution/execution.js';
import { CHOOSE, kindOf, NOTHING } from '../../../src/execution/memory/access.js';
import type { Memory } from '../../../src/execution/memory/memory.js';
import { untilValid } from '../../../src/execution/memory/program-error.js';
import type { Coroutine, Program } from '../../../src/execution/program.js';
import { LearnedRuns } from '../../../src/explore/learning/learned-runs.js';
import { SequentialRuns } from '../../../src/explore/learning/sequential-runs.js';
import { auditPaths, Paths } from '../../../src/instrument/audit.js';
import { runtime } from '../../../src/instrument/runtime/runtime.js';
import { loadScript, programOn } from '../../support/fixtures/instrumented.js';
import {
  aliasRows,
  builtinRows,
  cellRows,
  containerRows,
  loopRows,
  type Row,
} from '../../support/generators/constructs.js';
import { randomRows } from '../../support/generators/random-constructs.js';
import { maximalOrders } from '../../support/oracles/brute-force.js';
import { apart } from '../../support/oracles/constructs.js';
import { resultsByDpor } from '../../support/oracles/engines.js';
import { share } from '../../support/share.js';

/** What the runtime knows to be not observed after a run, and what the audit of its sequential runs adds. */
function reported(program: Program): { readonly before: number; readonly added: number } {
  runtime.atomic.clear();
  const count = () => [...runtime.atomic.values()].filter(({ isObserved }) => !isObserved).length;
  return untilValid(() => {
    const execution = new Execution(program);
    const paths = new Paths();
    execution.recorder = paths;
    const runs = new SequentialRuns(execution, new LearnedRuns(execution.calls.length, false));
    while (!runs.advance(1_000));
    const before = count();
    auditPaths(program, paths.found());
    return { before, added: count() - before };
  });
}

const resultsOf = (program: Program): string =>
  maximalOrders(untilValid(() => resultsByDpor(program))).join();

/** The program without the announcement at a site. Lists the sites of the others. */
function withoutSite(program: Program, site: number, sites: Set<number>): Program {
  function* without(coroutine: Coroutine, memory: Memory): Coroutine {
    let sent = 0;
    for (;;) {
      const { done, value } = coroutine.next(sent);
      if (done) return value;
      const isAccess = kindOf(value) !== NOTHING && kindOf(value) !== CHOOSE;
      if (isAccess) sites.add(memory.site);
      sent = isAccess && memory.site === site ? 0 : yield value;
    }
  }
  return {
    ...program,
    threads: program.threads.map((calls) =>
      calls.map((call) => ({
        ...call,
        run: (object, memory, given) => without(call.run(object, memory, given), memory),
      })),
    ),
  };
}

const random = new Random(20261118);
const ROWS: Readonly<Record<string, () => readonly Row[]>> = {
  cells: () => cellRows(share(1, 89)),
  loops: loopRows,
  aliases: aliasRows,
  containers: containerRows,
  'built-in functions': builtinRows,
  'random programs': () => Array.from({ length: share(500, 10) }, () => randomRows(random, 4)).flat(),
};

/** Places without decoys (runtime/decoys.ts): variables, weak collections, the global object, whether there is an entry, frozen objects. */
const HAS_NO_DECOYS =
  /closure|variable of|defineProperty|Weak|global|value of a Set|(?:new|absence of an) entry of a Map|frozen/;
/** A write of these is an access to the whole object, with which a second write of the same step overlaps. */
const IS_WRITTEN_WHOLE =
  /(?:presence|absence) of a field|new field|length|prototype|descriptor|under an object|receiver|time of a date|cause/;

test.each(Object.keys(ROWS))('%s: missing announcements are found, and complete ones pass', (kind) => {
  let lost = 0;
  const wrong: string[] = [];
  for (const [i, row] of ROWS[kind]().entries()) {
    const program = programOn(loadScript(row.code), { threads: row.threads });
    const { before, added } = apart(() => reported(program));
    if (before > 0) continue;
    if (added > 0) wrong.push(`${row.name}: complete, but reported\n${row.code}`);
    if (i % share(1, 8) !== 0 || HAS_NO_DECOYS.test(row.name)) continue;
    const sites = new Set<number>();
    const all = apart(() => resultsOf(withoutSite(program, -1, sites)));
    for (const site of sites) {
      const faulty = withoutSite(program, site, new Set());
      if (apart(() => resultsOf(faulty)) === all) continue;
      lost++;
      if (apart(() => reported(faulty)).added > 0 || IS_WRITTEN_WHOLE.test(row.name)) continue;
      wrong.push(`${row.name}: not found: ${formatPosition(runtime.sites.placeOf(site))}\n${row.code}`);
    }
  }
  expect(wrong).toEqual([]);
  // programs of random forms seldom depend on one access
  if (!kind.startsWith('random')) expect(lost).toBeGreaterThan(10);
});

/** Code of `go`, the shared field, and what `put` does. The instrumentation does not announce what these read. */
const MISSED: readonly (readonly [go: string, field: string, put: string])[] = [
  ['class D extends Date {} return new D(this.o).getTime();', 'new Date(0)', 'this.o.setTime(5)'],
  ['const c = Object.create(this.o); return "n" in c;', '{}', 'this.o.n = 5'],
  ['let s = ""; for (const k in Object.create(this.o)) s += k; return s;', '{ n: 0 }', 'this.o.m = 5'],
  ['const { n } = Object.create(this.o); return n;', '{ n: 0 }', 'this.o.n = 5'],
];

/** Subclasses whose superclass returns a shared object, which gets a private field: by a constructor that is suspended, or not. */
const STAMPS = ['#p = 1;', '#p = 1; constructor(o) { super(o); o.n = 1; }', '#p = make();'];

test.each(STAMPS)('a shared object gets a private field (%s), and that is reported', (body) => {
  const code = `const make = () => 1; class B { constructor(o) { return o; } }
    class S extends B { ${body} static has(o) { return #p in o; } }
    class C { o = { n: 0 }; go() { return S.has(this.o); } put() { new S(this.o); } } exports.make = () => new C()`;
  const program = programOn(loadScript(code), { threads: [[['go']], [['put']]] });
  const { before, added } = apart(() => reported(program));
  expect(before + added).toBeGreaterThan(0);
});

test.each(MISSED)('%s is not announced, and reported', (go, field, put) => {
  const code = `class C { o = ${field}; go() { ${go} } put() { ${put} } } exports.make = () => new C()`;
  const program = programOn(loadScript(code), { threads: [[['go']], [['put']]] });
  const { before, added } = apart(() => reported(program));
  expect(before + added).toBeGreaterThan(0);
});
