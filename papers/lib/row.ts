/** Some rows of a table, in a process of their own: what files say about names of fields is said for all that are loaded. */
import { ownJob } from './own-process.js';
import { TABLES } from './tables/index.js';

const { table, input, seed } = ownJob<{ table: string; input: unknown; seed: number }>();
console.log(JSON.stringify(await TABLES[table].rowsOf(input, seed)));
