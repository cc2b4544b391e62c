/** Operations that are highlighted in sentences and drawings, and the selected one; by id. */
export interface Highlight {
  readonly lit: ReadonlySet<number>;
  readonly show: (ids: readonly number[]) => void;
  readonly picked: number | undefined;
  readonly pick: (id: number | undefined) => void;
}

/** Event handlers for an element that stands for operations: highlights them while it is hovered or focused. */
export function highlightHandlers({ show }: Highlight, ids: readonly number[]) {
  return {
    onMouseOver: (event: MouseEvent) => {
      // the innermost element decides
      event.stopPropagation();
      show(ids);
    },
    onMouseLeave: () => show([]),
    onFocusCapture: () => show(ids),
    onBlurCapture: () => show([]),
  };
}
