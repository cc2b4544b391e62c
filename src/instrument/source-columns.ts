/**
 * Positions in the source of positions in loaded code.
 *
 * Loaded code was instrumented and compiled. Both keep the lines of the source, but not the columns, which stacks report. The maps
 * are made when a position is asked for, because that takes as long as compiling.
 */
import { originalPositionFor, TraceMap } from '@jridgewell/trace-mapping';
import type { SourcePosition } from '../base/source-position.js';

/** File to the maps from its loaded code to its source, the last step first. */
const mapsOf = new Map<string, () => readonly string[]>();
const traced = new Map<string, readonly TraceMap[]>();

export function rememberMaps(file: string, maps: () => readonly string[]): void {
  mapsOf.set(file, maps);
  traced.delete(file);
}

/** The map at the end of compiled code. */
export function inlineMapOf(code: string): string {
  const [, text = ''] = /\/\/# sourceMappingURL=data:[^,]*;base64,(\S+)\s*$/.exec(code) ?? [];
  return Buffer.from(text, 'base64').toString();
}

/** The position with its column in the source. Columns of code without maps are those of its source. */
export function inSource<P extends SourcePosition>(position: P): P {
  const { file, line } = position;
  if (!traced.has(file))
    traced.set(
      file,
      (mapsOf.get(file)?.() ?? []).map((map) => new TraceMap(map)),
    );
  let { column } = position;
  for (const map of traced.get(file)!) {
    const found = originalPositionFor(map, { line, column: column - 1 });
    if (found.line === line) column = found.column + 1;
  }
  return { ...position, column };
}
