/** Watching a running object: its calls become a history. */
export { type Classified, type Classify, rejection } from './classify.js';
export { FileLog } from './file-log.js';
export { type Log, MemoryLog, merged, type RecordedCall } from './log.js';
export { type RecordOptions, record } from './record.js';
