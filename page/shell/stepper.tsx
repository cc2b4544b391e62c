/** Buttons, a slider and the keys ← and → to step through a sequence. */
import { useLayoutEffect } from 'preact/hooks';

interface Props {
  readonly taken: number;
  readonly last: number;
  readonly go: (taken: number) => void;
}

export function Stepper({ taken, last, go }: Props) {
  return (
    <p class="stepper">
      <button type="button" onClick={() => go(0)} disabled={taken === 0}>
        First
      </button>
      <button type="button" onClick={() => go(taken - 1)} disabled={taken === 0}>
        ← Back
      </button>
      <input
        type="range"
        min={0}
        max={last}
        value={taken}
        aria-label="Step"
        onInput={(event) => go(Number(event.currentTarget.value))}
      />
      <button type="button" onClick={() => go(taken + 1)} disabled={taken === last}>
        Next →
      </button>
      <button type="button" onClick={() => go(last)} disabled={taken === last}>
        Last
      </button>
      <output>
        step {taken} of {last}
      </output>
    </p>
  );
}

/** Listens to ← and → except where they have another meaning. */
export function useArrowKeys(go: (by: number) => void, isOn: boolean): void {
  // before the next paint: a quick second key must not see the previous step
  useLayoutEffect(() => {
    if (!isOn) return;
    const listen = (event: KeyboardEvent) => {
      const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      const isTaken = (event.target as Element).closest('input, select, textarea, canvas, .scrolls');
      if (by === undefined || isTaken || event.altKey || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      go(by);
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  });
}
