/** Histories as text. */
export { FormatError } from './format-error.js';
export { defaultAdapter, type JepsenAdapter } from './jepsen/adapter.js';
export { jepsenAdapter, type Phrase } from './jepsen/phrases.js';
export type { JepsenWriteOptions } from './jepsen/spelling.js';
export { writeJepsenEdn, writeJepsenJson, writeJepsenLog, writeKeyValueEdn } from './jepsen/writer.js';
export { EventReader, type TakeEvent } from './json-lines/event-reader.js';
export { writeJsonLines } from './json-lines/writer.js';
export { NotedRenames } from './noted-renames.js';
export { OptionError } from './option-error.js';
export { parseHistory, readHistory, unpacked } from './read-history.js';
export type { ReadOptions } from './reader.js';
export type { HistoryRecord, RecordMap } from './record-map.js';
export { writeSedge } from './sedge/writer.js';
export { WriteError } from './write-error.js';
