/** `npm run table -- limo`, `-- line-up`, `-- lowe`, `-- root-cause`: the papers' tables, rebuilt. Exit code 1 where a row is not as it should be. */
import { printLimo } from './tables/limo.js';
import { printLineUp } from './tables/line-up.js';
import { printLowe } from './tables/lowe.js';
import { printRootCause } from './tables/root-cause.js';

const TABLES: Readonly<Record<string, (args: readonly string[]) => boolean>> = {
  limo: printLimo,
  'line-up': printLineUp,
  lowe: printLowe,
  'root-cause': printRootCause,
};

const [name = '', ...args] = process.argv.slice(2);
if (!Object.hasOwn(TABLES, name)) {
  console.error(`there is no table ${JSON.stringify(name)}; there are ${Object.keys(TABLES).join(', ')}`);
  process.exitCode = 2;
} else process.exitCode = TABLES[name](args) ? 0 : 1;
