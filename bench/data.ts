/**
 * Measures recorded histories, and compares their verdicts: `npm run bench -- data <folder>`.
 *
 * The folder has histories of etcd and of a key-value store under Jepsen; it is not part of the project. The expected
 * verdict of a history is the name of its folder. All are read and checked several times in one process; the best total
 * counts.
 */
import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { check, type Spec } from 'straightedge';
import { readHistory } from 'straightedge/formats';
import { casRegister, map } from 'straightedge/objects';
import { cpuTime, estimate, short, showEstimate } from './measure.js';

const ROUNDS = 5;
const MILLISECONDS = 60_000;
const SPECS: Readonly<Record<string, Spec>> = {
  etcd: casRegister() as unknown as Spec,
  kv: map({ initial: '' }) as unknown as Spec,
};

interface Measured {
  readonly file: string;
  readonly operations: number;
  readonly read: number;
  readonly check: number;
  readonly verdict: string;
}

const data = process.argv[2] ?? '';
if (existsSync(data)) {
  console.log('processor ms; total is the best of 5 rounds, the mean is over the logs of that round');
  console.log('data   logs operations    read   check   mean of a check   right  wrong  undecided');
  for (const [name, spec] of Object.entries(SPECS)) await print(name, spec);
} else {
  console.error(data === '' ? 'expected the folder of the histories' : `no such folder: ${data}`);
  process.exitCode = 2;
}

async function print(name: string, spec: Spec): Promise<void> {
  const files = readdirSync(join(data, name), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  let best: Measured[] | undefined;
  for (let round = 0; round < ROUNDS; round++) {
    const measured: Measured[] = [];
    for (const file of files) measured.push(await measure(file, spec));
    if (!best || sum(measured, 'check') < sum(best, 'check')) best = measured;
  }
  if (!best) return;
  const right = best.filter(({ file, verdict }) => verdict === basename(dirname(file)));
  const undecided = best.filter(({ verdict }) => verdict === 'undecided');
  const wrong = best.filter((one) => !right.includes(one) && !undecided.includes(one));
  console.log(
    name.padEnd(6) +
      String(best.length).padStart(5) +
      String(sum(best, 'operations')).padStart(11) +
      short(sum(best, 'read')).padStart(8) +
      short(sum(best, 'check')).padStart(8) +
      showEstimate(estimate(best.map((one) => one.check))).padStart(18) +
      String(right.length).padStart(8) +
      String(wrong.length).padStart(7) +
      String(undecided.length).padStart(11),
  );
  for (const { file, verdict } of [...wrong, ...undecided]) console.log(`  ${file}: ${verdict}`);
}

async function measure(file: string, spec: Spec): Promise<Measured> {
  const start = cpuTime();
  const history = await readHistory(file, { jepsen: () => spec.jepsen });
  const read = cpuTime();
  const { kind: verdict } = check(history, spec, { timeout: MILLISECONDS });
  const end = cpuTime();
  return { file, operations: history.length, read: read - start, check: end - read, verdict };
}

function sum(measured: readonly Measured[], of: 'operations' | 'read' | 'check'): number {
  return measured.reduce((total, one) => total + one[of], 0);
}
