/** What both kinds of examples share: the text about an example, what is wrong with the input, and the result beside it. */
import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import type { Classic } from './classics.js';
import type { Problem } from './editor.js';

export const About = ({ classic }: { classic: Classic }) => (
  <>
    <h2>{classic.title}</h2>
    <p class="about">{classic.about}</p>
  </>
);

/** Stays in the page, so that screen readers announce each change. */
export function ProblemText({ problem }: { problem: (Problem & { readonly where?: string }) | undefined }) {
  const place = problem?.line === undefined ? '' : `Line ${problem.line}: `;
  return (
    <p class={problem ? 'problem' : 'problem none'} role="status">
      {problem && `${place}${problem.message}`}
    </p>
  );
}

interface PaneProps {
  /** Does the result belong to the present input? */
  readonly isCurrent: boolean;
  /** Is there none for the present input? */
  readonly isStale: boolean;
  readonly children: ComponentChildren;
}

/** The result. One of an earlier input says so, but not while the next one is computed. */
export const Pane = ({ isCurrent, isStale, children }: PaneProps) => (
  <div class={`result${isCurrent ? '' : ' old'}${isStale ? ' stale' : ''}`}>{children}</div>
);

/** The last value that passes the test. */
export function useLast<T, S extends T>(value: T | undefined, is: (value: T) => value is S): S | undefined {
  const last = useRef<S>(undefined);
  if (value !== undefined && is(value)) last.current = value;
  return last.current;
}
