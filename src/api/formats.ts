/** Histories as text. */
export { writeSedge } from '../formats/binary/writer.js';
export { defaultAdapter, type JepsenAdapter } from '../formats/common/adapter.js';
export { FormatError } from '../formats/common/format-error.js';
export { NotedRenames } from '../formats/common/noted-renames.js';
export { OptionError } from '../formats/common/option-error.js';
export type { ReadOptions } from '../formats/common/reader.js';
export type { HistoryRecord, RecordMap } from '../formats/common/record-map.js';
export { WriteError } from '../formats/common/write-error.js';
export type { JepsenWriteOptions } from '../formats/jepsen/spelling.js';
export { jepsenAdapter, type Phrase } from '../formats/jepsen/vocabulary.js';
export {
  writeJepsenEdn,
  writeJepsenJson,
  writeJepsenLog,
  writeKeyValueEdn,
} from '../formats/jepsen/writer.js';
export { EventReader, type TakeEvent } from '../formats/json-lines/event-reader.js';
export { writeJsonLines } from '../formats/json-lines/writer.js';
export { parseHistory, readHistory, unpacked } from '../formats/read-history.js';
