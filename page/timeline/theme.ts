/** Sizes and colours of the timeline's canvas. */

/** In pixels: the margin for process names, the axis, and the height of a lane. */
export const GUTTER = 110;
export const HEAD = 42;
export const LANE = 24;

const NAMES = ['text', 'faint', 'line', 'background', 'bad', 'accent', 'lit'] as const;
const GROUPS = 10;

export type Colours = Readonly<Record<(typeof NAMES)[number], string>> & {
  readonly groups: readonly string[];
};

/** Reads the colours of the style sheet; a canvas does not. */
export function coloursOf(parent: HTMLElement): Colours {
  const probe = parent.appendChild(document.createElement('span'));
  const colour = (name: string): string => {
    probe.style.color = `var(--${name})`;
    return getComputedStyle(probe).color;
  };
  const named = Object.fromEntries(NAMES.map((name) => [name, colour(name)])) as Record<
    (typeof NAMES)[number],
    string
  >;
  const groups = Array.from({ length: GROUPS }, (_, i) => colour(`group-${i}`));
  probe.remove();
  return { ...named, groups };
}
