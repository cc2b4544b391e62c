/** What every format offers: bytes in as they come, a history out at the end. */
import type { History } from '../history/index.js';
import type { JepsenAdapter } from './jepsen/adapter.js';

export interface HistoryReader {
  /** Takes the next bytes of the text. Throws a FormatError where they go wrong. */
  write(bytes: Uint8Array): void;
  end(): History;
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
}
