/** The colours of the style sheet, for canvases, which do not read it. */
const NAMES = ['text', 'faint', 'line', 'background', 'bad', 'accent', 'lit'] as const;
const GROUPS = 10;

export type Colours = Readonly<Record<(typeof NAMES)[number], string>> & {
  readonly groups: readonly string[];
};

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
