/**
 * `npm run papers -- <name> [row…]`: rebuilds the table of a paper, or some of its rows; without a name, it lists the
 * tables. Exit code 0 if every row is as expected, 1 if one is not, 2 if the arguments are invalid.
 *
 * Each input runs in its own process. `--jobs 2` runs two at once: wall-clock times grow, CPU times hardly. The seed
 * determines the results, and rows are printed in the order of the inputs. `--json` prints one JSON object a row.
 */
import { execFile } from 'node:child_process';
import { parseArgs, promisify } from 'node:util';
import { TABLES } from './tables.js';

const PROGRAM = '.bench/papers/lib/row.js';
/** Milliseconds that a process may take, and characters that it may print. */
const LIMITS = { timeout: 1_800_000, maxBuffer: 2 ** 26 };

const { values, positionals } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    seed: { type: 'string', default: '1' },
    jobs: { type: 'string', default: '1' },
  },
  allowPositionals: true,
});
const [table = '', ...names] = positionals;
try {
  process.exitCode = (await print()) ? 0 : 1;
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 2;
}

/** Prints the table; are all rows as expected? */
async function print(): Promise<boolean> {
  const { json } = values;
  const seed = numberOf('seed', 0);
  const jobs = numberOf('jobs', 1);
  if (!Object.hasOwn(TABLES, table))
    throw new Error(
      `${table === '' ? '' : `unknown table ${JSON.stringify(table)}\n`}Usage: npm run papers -- <name> [row…] [--seed n] [--jobs n] [--json]\nTables: ${Object.keys(TABLES).join(', ')}`,
    );
  const own = TABLES[table];
  const all = await own.inputs();
  const known = new Set(all.map((input) => own.nameOf(input)));
  for (const name of names)
    if (!known.has(name))
      throw new Error(`${table} has no row ${JSON.stringify(name)}; expected ${[...known].join(', ')}`);
  const selected = all.filter((input) => names.length === 0 || names.includes(own.nameOf(input)));
  await own.prepare?.(selected);
  const inputs = selected.map((input) => ({ table, input, seed }));

  if (!json) console.log(own.headOf(seed));
  let isRight = true;
  const show = (name: string, { rows, error }: Made): void => {
    if (error !== undefined) console.error(`${name}: ${error}`);
    isRight &&= rows.length > 0 && rows.every((row) => row.isRight);
    for (const row of rows)
      console.log(
        json ? JSON.stringify({ seed, ...row }) : `${own.textOf(row)}${row.isRight ? '' : '  WRONG'}`,
      );
  };
  const made: Made[] = [];
  let shown = 0;
  const coming = inputs.entries();
  const makeSome = async (): Promise<void> => {
    for (const [i, input] of coming) {
      made[i] = await makeRows(input);
      for (; shown in made; shown++) show(own.nameOf(inputs[shown].input), made[shown]);
    }
  };
  await Promise.all(Array.from({ length: jobs }, makeSome));
  const foot = own.footOf?.(made.flatMap(({ rows }) => rows));
  if (foot !== undefined && !json) console.log(foot);
  return isRight;
}

/** The rows of one input, or why there are none. */
interface Made {
  readonly rows: readonly { readonly isRight: boolean }[];
  readonly error?: string;
}

async function makeRows(input: unknown): Promise<Made> {
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, JSON.stringify(input)], LIMITS);
    return { rows: JSON.parse(stdout) as Made['rows'] };
  } catch (error) {
    return { rows: [], error: (error as Error).message };
  }
}

function numberOf(flag: 'seed' | 'jobs', least: number): number {
  const number = Number(values[flag]);
  if (Number.isInteger(number) && number >= least) return number;
  throw new Error(`--${flag} ${values[flag]}: expected a whole number from ${least}`);
}
