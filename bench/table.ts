/** `npm run table -- limo`: the papers' tables, rebuilt. Exit code 1 where a row is not as it should be. */
import { printLimo } from './tables/limo.js';
import { printRootCause } from './tables/root-cause.js';

const TABLES: Readonly<Record<string, () => boolean>> = {
  limo: printLimo,
  'root-cause': printRootCause,
};

const [name = ''] = process.argv.slice(2);
if (!Object.hasOwn(TABLES, name)) {
  console.error(`there is no table ${JSON.stringify(name)}; there are ${Object.keys(TABLES).join(', ')}`);
  process.exitCode = 2;
} else process.exitCode = TABLES[name]() ? 0 : 1;
