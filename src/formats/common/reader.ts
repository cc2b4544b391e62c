/** What every format offers: bytes in as they come, a history out at the end. */
import type { History } from '../../history/history.js';
import type { Stamp } from '../../history/model/stamps.js';
import type { JepsenAdapter } from './adapter.js';
import type { RecordMap } from './record-map.js';

export interface HistoryReader {
  /** Takes the next bytes of the text. Throws a FormatError where they go wrong. */
  write(bytes: Uint8Array): void;
  end(): History;
  /** How much memory `end` takes beside what there is, estimated. */
  readonly bytesToEnd: number;
}

export interface ReadOptions {
  /** Method names of the file to those of the spec. */
  readonly rename?: ReadonlyMap<string, string> | undefined;
  /** The methods that an object has; others are an error. Undefined: any will do. */
  readonly methodsOf?: ((object: string | undefined) => readonly string[] | undefined) | undefined;
  /** How a Jepsen history spells the calls of an object; undefined: as the default adapter says. */
  readonly jepsen?: ((object: string | undefined) => JepsenAdapter | undefined) | undefined;
  /** Each value of a Jepsen history is `[key value]`, and the key names an object of its own. */
  readonly independent?: boolean | undefined;
  /**
   * Times come from several clocks, each wrong by at most so much: a number in the unit of the file's
   * times, or with a unit (`5ms`) where the file's is known, as in Jepsen's.
   */
  readonly clockError?: Stamp | undefined;
  /** The history tells not only the order, but also the times. */
  readonly keepTimes?: boolean | undefined;
  /** The file has JSON records of any kind, and this tells what each of them means. */
  readonly map?: RecordMap | undefined;
  /** Called after each chunk of a file, with the bytes that the history would take beside; whoever has enough throws. */
  readonly watch?: ((bytesToEnd: number) => void) | undefined;
}
