/** Moves objects of the package to other threads, as its own threads get them. */
import './node-20.js';
import { deserialize, serialize } from './node_modules/multithreading/src/lib/shared.js';

export const moved = (object) => serialize(object)[0];
export const attached = deserialize;
