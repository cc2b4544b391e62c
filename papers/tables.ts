/** The papers' tables, rebuilt, by name. */
import { limo } from './limo.js';
import { lineUpTable } from './line-up.js';
import { lowe } from './lowe.js';
import { meetings } from './meetings.js';
import { rootCause } from './root-cause.js';
import { stressTable } from './stress.js';
import type { AnyTable } from './table.js';
import { wild } from './wild.js';

export const TABLES: Readonly<Record<string, AnyTable>> = {
  limo,
  'line-up': lineUpTable,
  lowe,
  meetings,
  'root-cause': rootCause,
  stress: stressTable,
  wild,
};
