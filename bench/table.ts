/**
 * `npm run table -- limo`: the papers' tables, rebuilt, by name. Exit code 1 where a row is not as it should be.
 *
 * `--jobs 2` makes as many rows at once: where a row tells times of the clock, they are longer. `--engine redis://…` has
 * the workers of a fleet make them. Which rows there are and what is looked for comes from the seed, whoever does it.
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
const [name = '', ...names] = positionals;
if (Object.hasOwn(TABLES, name)) process.exitCode = (await print(name)) ? 0 : 1;
else {
  console.error(`there is no table ${JSON.stringify(name)}; there are ${Object.keys(TABLES).join(', ')}`);
  process.exitCode = 2;
}

async function print(table: string): Promise<boolean> {
  const { json, engine } = values;
  const seed = Number(values.seed);
  const own = TABLES[table];
  const flags = { seed, names };
  if (!json) console.log(own.headOf(flags));
  let isRight = true;
  const found = foundBy({
    file: PROGRAM,
    inputs: own.inputs(flags).map((input) => ({ table, input })),
    modulesOf: ({ input }) => own.modulesOf(input),
    jobs: Number(values.jobs),
    engine,
    onNews: (text) => console.error(text),
  });
  for await (const one of found) {
    const rows = 'result' in one ? (one.result as { isRight: boolean }[]) : [];
    if ('why' in one) console.error(one.why);
    isRight &&= rows.length > 0 && rows.every((row) => row.isRight);
    for (const row of rows)
      console.log(
        json ? JSON.stringify({ seed, ...row }) : `${own.textOf(row)}${row.isRight ? '' : '  WRONG'}`,
      );
  }
  return isRight;
}
