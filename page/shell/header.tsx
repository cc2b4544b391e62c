/** The verdict, the file and its facts, and the colour scheme. */
import { useState } from 'preact/hooks';
import { printable } from '../../src/base/values/show.js';
import type { PageData } from '../../src/report/html/page-types.js';

const VERDICTS = {
  linearizable: { mark: '✓', text: 'linearizable' },
  violation: { mark: '✗', text: 'not linearizable' },
  undecided: { mark: '?', text: 'undecided' },
  'not examined': { mark: '·', text: 'not examined to the end' },
  unchecked: { mark: '', text: 'a history' },
} as const;

export function Header({ data: { verdict, headline, file, spec, facts } }: { data: PageData }) {
  const { mark, text } = VERDICTS[verdict];
  return (
    <header>
      <h1 class={verdict}>
        <span aria-hidden="true">{mark} </span>
        {headline ?? text}
      </h1>
      <p class="facts">
        {[file, spec, ...facts]
          .filter((fact) => fact !== '')
          .map(printable)
          .join(' · ')}
      </p>
      <Theme />
    </header>
  );
}

const THEMES = ['light dark', 'light', 'dark'] as const;
const NAMES = { 'light dark': 'system', light: 'light', dark: 'dark' } as const;

function Theme() {
  const [theme, setTheme] = useState<(typeof THEMES)[number]>('light dark');
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
  return (
    <button
      type="button"
      class="theme"
      onClick={() => {
        setTheme(next);
        document.documentElement.style.colorScheme = next;
        // canvases read their colours on this event
        window.dispatchEvent(new Event('themechange'));
      }}
    >
      Colours: {NAMES[theme]}
    </button>
  );
}

/** The mark of a verdict, for tabs. */
export const markOf = (verdict: keyof typeof VERDICTS): string => VERDICTS[verdict].mark;
export const verdictInWords = (verdict: keyof typeof VERDICTS): string => VERDICTS[verdict].text;
