/** The tables of the papers, by name. */
import { asyncObjects } from './async-objects/table.js';
import type { AnyTable } from './lib/table.js';
import { limo } from './limo/table.js';
import { lineUpTable } from './line-up/table.js';
import { stressTable } from './lowe-2017/stress.js';
import { lowe } from './lowe-2017/table.js';
import { npmPackages } from './npm-packages/table.js';
import { patches } from './patches/table.js';
import { proofs } from './proofs/table.js';
import { rootCause } from './root-cause/table.js';
import { synchronisation } from './synchronisation/table.js';

export const TABLES: Readonly<Record<string, AnyTable>> = {
  'async-objects': asyncObjects,
  limo,
  'line-up': lineUpTable,
  'lowe-2017': lowe,
  'lowe-2017-stress': stressTable,
  'npm-packages': npmPackages,
  patches,
  proofs,
  'root-cause': rootCause,
  synchronisation,
};
