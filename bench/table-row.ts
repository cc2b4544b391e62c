/** Some rows of a table, in a process of their own: what files say about names of fields is said for all that are loaded. */
import { ownJob } from './own-process.js';
import { TABLES } from './tables/index.js';

const { table, input } = ownJob<{ table: string; input: unknown }>();
console.log(JSON.stringify(TABLES[table].rowsOf(input)));
