/** Computes the rows of one input of a table, in a process of its own: rewriting of field names is global to a process. */
import { ownJob } from '../../bench/measure.js';
import { TABLES } from '../tables.js';

const { table, input, seed } = ownJob<{ table: string; input: unknown; seed: number }>();
console.log(JSON.stringify(await TABLES[table].rowsOf(input, seed)));
