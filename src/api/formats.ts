/** Histories as text. */

export { OptionError } from '../base/input-error.js';
export {
  defaultAdapter,
  type JepsenAdapter,
  type JepsenFunction,
  jepsenAdapter,
} from '../formats/common/adapter.js';
export { FormatError, WriteError } from '../formats/common/format-error.js';
export type { HistoryRecord, ReadOptions, RecordMap } from '../formats/common/reader.js';
export type { JepsenWriteOptions } from '../formats/jepsen/spelling.js';
export { writeJepsenEdn } from '../formats/jepsen/writer.js';
export { EventReader, type TakeEvent } from '../formats/json-lines/event-reader.js';
export { writeJsonLines } from '../formats/json-lines/writer.js';
export { NotedRenames, parseHistory, readHistory, unpacked } from '../formats/read-history.js';
