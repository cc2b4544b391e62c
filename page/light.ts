/** What is lit, in sentences and drawings alike, and what is picked out; operations by id. */
export interface Light {
  readonly lit: ReadonlySet<number>;
  readonly turnOn: (ids: readonly number[]) => void;
  readonly picked: number | undefined;
  readonly pick: (id: number | undefined) => void;
}

/** For what stands for operations: light them while the mouse or the focus is on it. */
export function lighting({ turnOn }: Light, ids: readonly number[]) {
  return {
    onMouseOver: (event: MouseEvent) => {
      // what stands inside of another speaks for itself
      event.stopPropagation();
      turnOn(ids);
    },
    onMouseLeave: () => turnOn([]),
    onFocusCapture: () => turnOn(ids),
    onBlurCapture: () => turnOn([]),
  };
}
