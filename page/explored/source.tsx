/** Lines of a source file with their numbers. Lines that must be atomic have a bar. */
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { printable } from '../../src/base/values/show.js';
import type { SourceFileData } from '../../src/report/html/page-types.js';

interface Props {
  readonly file: SourceFileData;
  /** The line to keep visible. */
  readonly now: number | undefined;
  readonly mustBeAtomic?: (line: number) => boolean;
  /** Class and event handlers of a line. */
  readonly lineProps?: (line: number) => object;
  /** Can the line be focused? */
  readonly isFocusable?: (line: number) => boolean;
}

export function Source({ file, now, mustBeAtomic, lineProps, isFocusable }: Props) {
  const shown = useVisibleRow(now);
  return (
    <div>
      <p class="file-name">{printable(file.name)}</p>
      <div
        class="scrolls tall source"
        tabIndex={0}
        role="group"
        aria-label={`Source of ${printable(file.name)}`}
      >
        <table>
          <tbody>
            {file.lines.map(([line, text], i) => {
              const number = i > 0 && file.lines[i - 1][0] < line - 1 ? `… ${line}` : line;
              return (
                <tr
                  key={line}
                  class={line === now ? 'now' : ''}
                  ref={line === now ? shown : null}
                  {...lineProps?.(line)}
                >
                  <td class={mustBeAtomic?.(line) ? 'number atomic' : 'number'}>
                    {isFocusable?.(line) ? <button type="button">{number}</button> : number}
                    {mustBeAtomic?.(line) && <span class="hidden">, must be atomic</span>}
                  </td>
                  <td>
                    <code>{printable(text.replaceAll('\t', '  '))}</code>
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </div>
  );
}

/** A reference for a table row that is kept visible in its scrolling box; the page does not scroll. Runs when `now` changes. */
export function useVisibleRow(now: unknown): RefObject<HTMLTableRowElement | null> {
  const row = useRef<HTMLTableRowElement>(null);
  useEffect(() => {
    const box = row.current?.closest('.scrolls');
    if (!row.current || !box) return;
    const [own, outer] = [row.current.getBoundingClientRect(), box.getBoundingClientRect()];
    if (own.top < outer.top || own.bottom > outer.bottom)
      box.scrollTop += own.top - outer.top - (outer.height - own.height) / 2;
  }, [now]);
  return row;
}
