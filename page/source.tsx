/** A file of source, as far as it is told: lines with their numbers, some of them to blame. */
import { printable } from '../src/base/values/show.js';
import type { SourceFileData } from '../src/report/html/page-types.js';
import { useInSight } from './in-sight.js';

interface Props {
  readonly file: SourceFileData;
  /** The line to be in sight. */
  readonly now: number | undefined;
  readonly isBlamed?: (line: number) => boolean;
  /** What each line is given: its class, and what happens when somebody points at it. */
  readonly lineProps?: (line: number) => object;
  /** Lines that can be reached by keyboard. */
  readonly isReached?: (line: number) => boolean;
}

export function Source({ file, now, isBlamed, lineProps, isReached }: Props) {
  const shown = useInSight(now);
  return (
    <div>
      <p class="faint">{printable(file.name)}</p>
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
                  <td class={isBlamed?.(line) ? 'number blamed' : 'number'}>
                    {isReached?.(line) ? <button type="button">{number}</button> : number}
                    {isBlamed?.(line) && <span class="hidden">, to blame</span>}
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
