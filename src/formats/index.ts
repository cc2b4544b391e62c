/** Histories as text. */
export { FormatError } from './format-error.js';
export { defaultAdapter, type JepsenAdapter } from './jepsen/adapter.js';
export { jepsenAdapter, type Phrase } from './jepsen/phrases.js';
export { writeJsonLines } from './json-lines/writer.js';
export { parseHistory, readHistory } from './read-history.js';
export type { ReadOptions } from './reader.js';
