export { checkAfter } from './after.js';
export { type CallOf, HistoryBuilder, type TimedOperation } from './builder.js';
export {
  type Columns,
  FAILED,
  NEVER,
  numberOfValue,
  PENDING,
  RETURNED,
  THREW,
  withColumns,
} from './columns.js';
export { ASCII, draw, drawBar, drawRows, marginOf, type Strokes, UNICODE } from './draw.js';
export { type CallEvent, type EndEvent, EventError, type HistoryEvent } from './event.js';
export { History } from './history.js';
export { HistoryError } from './history-error.js';
export { type Bar, type Layout, layOut, type Meet } from './layout.js';
export { Names, type NumberedCall, STATUS } from './names.js';
export { NumberedBuilder } from './numbered-builder.js';
export { numberByCall } from './numbering.js';
export type { Annotation, AnyObject, Methods, Operation, Outcome } from './operation.js';
export { outcomeInWords } from './outcome-in-words.js';
export { type SharedHistory, share, unshare } from './shared.js';
export { sketch } from './sketch.js';
export type { Stamp } from './stamps.js';
export type { Times } from './times.js';
