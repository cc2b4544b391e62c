/**
 * `npm run table -- limo`: the papers' tables, rebuilt, by name; `-- lowe register` makes the rows of that name only. Exit code 1
 * where a row is not as it should be, 2 where what is asked for can not be.
 *
 * `--jobs 2` makes two rows at once: times of the clock get longer, those of the processor hardly. `--engine redis://…` has the
 * workers of a fleet make them. What is looked for comes from the seed, and rows come in their order, whoever makes them.
 */
import { parseArgs } from 'node:util';
import { foundBy } from '#programs';
import { TABLES } from './tables/index.js';

const PROGRAM = '.bench/table-row.js';

const { values, positionals } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    seed: { type: 'string', default: '1' },
    jobs: { type: 'string', default: '1' },
    engine: { type: 'string' },
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

/** Are all rows right? */
async function print(): Promise<boolean> {
  const { json, engine } = values;
  const seed = numberOf('seed', 0);
  const jobs = numberOf('jobs', 1);
  if (!Object.hasOwn(TABLES, table))
    throw new Error(
      `there is no table ${JSON.stringify(table)}; there are ${Object.keys(TABLES).join(', ')}`,
    );
  const own = TABLES[table];
  const all = own.inputs();
  const known = new Set(all.map((input) => own.nameOf(input)));
  for (const name of names)
    if (!known.has(name))
      throw new Error(`${table} has no row ${JSON.stringify(name)}; there are ${[...known].join(', ')}`);
  const inputs = all
    .filter((input) => names.length === 0 || names.includes(own.nameOf(input)))
    .map((input) => ({ table, input, seed }));

  if (!json) console.log(own.headOf(seed));
  let isRight = true;
  const modulesOf = ({ input }: { input: unknown }) => own.modulesOf(input);
  for await (const found of foundBy({
    file: PROGRAM,
    inputs,
    modulesOf,
    jobs,
    engine,
    onNews: console.error,
  })) {
    const rows = 'result' in found ? (found.result as { isRight: boolean }[]) : [];
    if ('why' in found) console.error(`${own.nameOf(found.input.input)}: ${found.why}`);
    isRight &&= rows.length > 0 && rows.every((row) => row.isRight);
    for (const row of rows)
      console.log(
        json ? JSON.stringify({ seed, ...row }) : `${own.textOf(row)}${row.isRight ? '' : '  WRONG'}`,
      );
  }
  return isRight;
}

function numberOf(flag: 'seed' | 'jobs', least: number): number {
  const number = Number(values[flag]);
  if (Number.isInteger(number) && number >= least) return number;
  throw new Error(`--${flag} ${values[flag]}: expected a whole number from ${least}`);
}
