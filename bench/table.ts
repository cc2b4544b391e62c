/** `npm run table -- limo`: the papers' tables, rebuilt, by name. Exit code 1 where a row is not as it should be. */
import { printLimo } from './tables/limo.js';
import { printLineUp } from './tables/line-up.js';
import { printLowe } from './tables/lowe.js';
import { printMeetings } from './tables/meetings.js';
import { printRootCause } from './tables/root-cause.js';
import { printStress } from './tables/stress.js';
import { printWild } from './tables/wild.js';

const TABLES: Readonly<Record<string, (args: readonly string[]) => boolean | Promise<boolean>>> = {
  limo: printLimo,
  'line-up': printLineUp,
  lowe: printLowe,
  meetings: printMeetings,
  'root-cause': printRootCause,
  stress: printStress,
  wild: printWild,
};

const [name = '', ...args] = process.argv.slice(2);
if (!Object.hasOwn(TABLES, name)) {
  console.error(`there is no table ${JSON.stringify(name)}; there are ${Object.keys(TABLES).join(', ')}`);
  process.exitCode = 2;
} else process.exitCode = (await TABLES[name](args)) ? 0 : 1;
