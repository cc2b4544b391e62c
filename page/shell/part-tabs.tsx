/** The parts of the history with their verdicts, violations first. A search field appears if there are many. */
import { useMemo, useState } from 'preact/hooks';
import { printable } from '../../src/base/values/show.js';
import type { PartData } from '../../src/report/html/page-types.js';
import { markOf, verdictInWords } from './header.js';

const MOST_TABS = 40;
const VERDICT_ORDER = ['violation', 'undecided', 'not examined', 'linearizable'];

interface Props {
  readonly parts: readonly PartData[];
  readonly chosen: number | undefined;
  readonly choose: (part: number | undefined) => void;
}

export function PartTabs({ parts, chosen, choose }: Props) {
  const [text, setText] = useState('');
  const found = useMemo(() => {
    const wanted = text.toLowerCase();
    return parts
      .map((part, number) => ({ ...part, number }))
      .filter(({ name }) => name.toLowerCase().includes(wanted))
      .sort((a, b) => VERDICT_ORDER.indexOf(a.verdict) - VERDICT_ORDER.indexOf(b.verdict));
  }, [parts, text]);
  return (
    <nav class="parts" aria-label="Parts">
      {parts.length > MOST_TABS && (
        <label>
          Find a part{' '}
          <input type="search" value={text} onInput={(event) => setText(event.currentTarget.value)} />
        </label>
      )}
      <div class="tabs">
        <button type="button" aria-pressed={chosen === undefined} onClick={() => choose(undefined)}>
          All parts
        </button>
        {found.slice(0, MOST_TABS).map(({ name, verdict, operations, number }) => (
          <button
            type="button"
            key={number}
            class={verdict}
            aria-pressed={chosen === number}
            title={`${verdictInWords(verdict)}, ${operations} operations`}
            onClick={() => choose(number)}
          >
            <span aria-hidden="true">{markOf(verdict)} </span>
            {printable(name).slice(0, 60) || 'the rest'}
            <span class="hidden">, {verdictInWords(verdict)}</span>
          </button>
        ))}
        {found.length > MOST_TABS && <span class="faint">and {found.length - MOST_TABS} more</span>}
        {parts.some(({ verdict }) => verdict === 'not examined') && (
          <span class="faint">{markOf('not examined')} not examined: one violation is enough</span>
        )}
      </div>
    </nav>
  );
}
