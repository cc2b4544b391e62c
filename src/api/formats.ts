/**
 * Read and write histories in files.
 *
 * @module straightedge/formats
 */
export {
  type JepsenAdapter,
  type JepsenFunction,
  type JepsenNames,
  jepsenAdapter,
} from '../formats/common/adapter.js';
export type { HistoryRecord, ReadOptions, RecordMap } from '../formats/common/reader.js';
export { FormatError, WriteError } from '../formats/common/reader.js';
export { EventReader } from '../formats/event-reader.js';
export { writeJepsenEdn } from '../formats/jepsen/writer.js';
export { writeJsonLines } from '../formats/json-lines/writer.js';
export { parseHistory, readHistory, readTogether } from '../formats/read-history.js';
export { recordMaps } from '../formats/record-maps.js';
